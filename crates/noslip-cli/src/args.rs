//! The command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use noslip::simulate::{METHODS, Method};
use std::path::PathBuf;

/// Mechanical systems with velocity constraints: equations of motion in every form, proved equal.
#[derive(Parser)]
#[command(
    name = "noslip",
    version,
    about = "Mechanical systems with velocity constraints: equations of motion in every form, proved equal.",
    max_term_width = 100,
    after_help = "\
Examples:
  noslip new sleigh                       a commented starter model, sleigh.toml
  noslip check sleigh.toml                what the constraints mean
  noslip derive sleigh.toml --form maggi  the equations of motion, Maggi's form
  noslip derive sleigh.toml --form all    every form, and the proof of agreement
  noslip verify sleigh.toml --equation \"x_C'' = lambda_knife_edge*sin(phi)/m\"
  noslip simulate sleigh.toml --until 10 -o run.csv
  noslip report sleigh.toml               everything on one page, sleigh.html
  noslip demo                             the built-in gallery

MODEL is a file, `-` for standard input, or the name of a gallery model.
Exit status: 0 fine; 1 the answer is no; 2 the input is wrong;
3 the computation could not be done."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Write a commented starter model
    New(NewArgs),
    /// List the built-in gallery, or print a model of it
    Demo(DemoArgs),
    /// Validate a model and say what its constraints mean
    Check(CheckArgs),
    /// Derive the equations of motion
    Derive(DeriveArgs),
    /// Decide whether hand-derived equations follow from the model
    Verify(VerifyArgs),
    /// Evaluate accelerations and multipliers at given states
    Eval(EvalArgs),
    /// Integrate the motion
    Simulate(SimulateArgs),
    /// Write one self-contained page about a model
    Report(ReportArgs),
    /// Draw a model at one moment of its motion, with the tracks
    Draw(DrawArgs),
    /// Write the plain model of a file that speaks of frames, bodies and contacts
    Expand(ExpandArgs),
    /// Write the accelerations and multipliers as C or Rust source code
    Export(ExportArgs),
    /// List the forms of the equations of motion
    Forms(FormsArgs),
    /// Explain a form: what it is, when it is valid, where it comes from
    Explain(ExplainArgs),
    /// Compare the motion with the vakonomic one, which is not mechanics
    Compare(CompareArgs),
    /// Find or test a reducing multiplier: a time in which the equations are Lagrangian
    Hamiltonise(HamiltoniseArgs),
    /// Decide whether the equations of motion are Lagrangian as they stand
    Inverse(InverseArgs),
    /// Generalised momenta, canonical equations, the Hamilton–Jacobi equation
    Canonical(CanonicalArgs),
    /// Evaluate the principles of mechanics along a motion
    Principle(PrincipleArgs),
    /// Reactions, the margin to the limit of friction, laws of friction
    Grip(GripArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

/// Text for a person, or one JSON document.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person
    Text,
    /// One JSON document
    Json,
}

/// How equations are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EquationFormat {
    /// For a terminal
    Text,
    /// LaTeX
    Latex,
    /// MathML Core
    Mathml,
    /// One JSON document, expressions in the model's syntax
    Json,
}

/// A model and values that replace those of the file.
#[derive(Args)]
pub struct ModelArgs {
    /// Model file, `-` for standard input, or the name of a gallery model
    pub model: String,
    /// Replace a parameter; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Replace an initial value: x=1, "x'=2", phi=pi/6, t=0; may be repeated
    #[arg(long = "initial", value_name = "NAME=VALUE")]
    pub initial: Vec<String>,
}

/// A number that can be computed with: `NaN` and `inf` are also numbers to the standard library.
fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => Err("expected a finite number such as 2.5 or 1e-9".to_owned()),
    }
}

/// `forms`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip forms
  noslip check rolling-disk                  which of them apply to a model")]
pub struct FormsArgs {
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `explain`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip explain boltzmann-hamel
  noslip explain notation                    letters and sources")]
pub struct ExplainArgs {
    /// Id of a form, see `noslip forms`; or notation, compare, hamiltonise, inverse, canonical, principle, grip,
    /// non-ideal
    pub form: String,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `check`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip check disk.toml
  noslip check rolling-disk --brackets --format json
  noslip check disk.toml --set m=0           ranks are those of the values")]
pub struct CheckArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Print the fields generated by Lie brackets
    #[arg(long)]
    pub brackets: bool,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `derive`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip derive disk.toml                           multipliers; the best suited
  noslip derive disk.toml --form boltzmann-hamel    one form
  noslip derive disk.toml --form maggi --form kane  two
  noslip derive disk.toml --form all                all, and the table of proofs
  noslip derive disk.toml --form all --format latex

`noslip forms` lists the forms; `noslip check MODEL` says which apply.")]
pub struct DeriveArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Id of a form, or `all`; may be repeated
    #[arg(long = "form", value_name = "ID")]
    pub forms: Vec<String>,
    /// Show only the equations, not the objects they are built from
    #[arg(long)]
    pub brief: bool,
    /// `text`, `latex`, `mathml`, or `json` with expressions in the model's syntax
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: EquationFormat,
}

/// `verify`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip verify disk.toml --equation \"5*theta'' = 0\"
  noslip verify disk.toml --claims greenwood.toml --format json

A claim may contain accelerations (x'') and multipliers (lambda_NAME).
A claims file is TOML: [[claim]] with `id`, `equation` and optionally `note` and
`expect`; [definitions] abbreviates.
The exit status is 1 if a claim fails, or if it holds though the file says
`expect = false`.")]
pub struct VerifyArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// An equation; may be repeated
    #[arg(long = "equation", value_name = "EQ", allow_hyphen_values = true)]
    pub equations: Vec<String>,
    /// A file of claims
    #[arg(long, value_name = "FILE")]
    pub claims: Option<PathBuf>,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `eval`
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip eval sleigh.toml --form maggi --states states.json

where states.json is a list of states:
  [{\"t\": 0, \"q\": {\"x\": 0, \"y\": 0, \"phi\": 0},
    \"v\": {\"x\": 5, \"y\": 0, \"phi\": 1}}]")]
pub struct EvalArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Id of the form
    #[arg(long, default_value = "lagrange-multipliers")]
    pub form: String,
    /// JSON file of states, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub states: String,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "json", hide_possible_values = true)]
    pub format: Format,
}

/// The methods of integration, by their names.
fn method() -> impl TypedValueParser<Value = &'static Method> {
    let known = METHODS.iter().map(|m| PossibleValue::new(m.card.id).help(m.card.name).aliases(m.card.aliases));
    PossibleValuesParser::new(known).map(|name| Method::by_id(&name).unwrap_or(METHODS[0]))
}

/// How far to run, and how.
#[derive(Args, Default)]
pub struct RunArgs {
    /// End time; the model's own if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Times at which to report, separated by commas
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', value_parser = finite, allow_hyphen_values = true)]
    pub at: Vec<f64>,
    /// Number of evenly spaced samples (101)
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub samples: Option<usize>,
    /// Relative and absolute tolerance (1e-9)
    #[arg(long, value_name = "R", value_parser = finite, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// `dop853` (default), `taylor` (for high precision), `implicit` (for stiff forces) or `dla` (discrete
    /// Lagrange–d'Alembert, fixed step)
    #[arg(long, value_parser = method(), hide_possible_values = true)]
    pub method: Option<&'static Method>,
    /// Fixed step; `dla` has no other
    #[arg(long, value_name = "H", value_parser = finite, allow_hyphen_values = true)]
    pub step: Option<f64>,
    /// Stop when an expression crosses zero, or where an equation holds; may be repeated
    #[arg(long = "stop", value_name = "EXPR", allow_hyphen_values = true)]
    pub stops: Vec<String>,
    /// Most steps to take
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub max_steps: Option<u64>,
}

/// `simulate`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip simulate disk.toml --until 20 -o run.csv
  noslip simulate disk.toml --at 0,2.5,10 --tolerance 1e-12 --format json
  noslip simulate disk.toml --initial \"theta'=0.3\" --columns theta,energy
  noslip simulate disk.toml --plot path.svg --columns x:y
  noslip simulate disk.toml --stop \"theta = 0.5\"")]
pub struct SimulateArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
    /// Columns: names, velocities "x'", multipliers `lambda_NAME`, `energy`, expressions; `x:y` is a phase plot
    #[arg(long, value_name = "C,C,…", allow_hyphen_values = true)]
    pub columns: Option<String>,
    /// Stop when a contact whose `friction` is given can no longer hold
    #[arg(long)]
    pub grip: bool,
    /// Where to write the samples: .csv, .json or .parquet by extension
    #[arg(short, long, value_name = "FILE", alias = "output")]
    pub out: Option<PathBuf>,
    /// Plot file: .svg or .png by extension; without --columns, the plots the model asks for
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// On the terminal: `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `compare`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip compare vertical-disk --mu roll_y=0.1   with this μ(0)
  noslip compare vertical-disk --mu momentum     with vanishing momenta of the
                                                 dependent coordinates
  noslip compare sleigh.toml --until 5 --format json")]
pub struct CompareArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// With the stationary-action equations of L + Σ μφ (the default)
    #[arg(long)]
    pub vakonomic: bool,
    /// Initial value of a multiplier, CONSTRAINT=VALUE, or `momentum`; may be repeated
    #[arg(long = "mu", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub mu: Vec<String>,
    /// Difference from which on the motions count as different
    #[arg(long, value_name = "D", default_value = "1e-3", value_parser = finite)]
    pub threshold: f64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `hamiltonise`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip hamiltonise nonholonomic-particle                find N, dτ = N dt
  noslip hamiltonise sleigh.toml --multiplier \"cos(phi)\"  test a multiplier
  noslip hamiltonise chaplygin-sledge --independent x,phi in these coordinates

The exit status is 1 if there is no multiplier, or the proposed one is wrong.")]
pub struct HamiltoniseArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Coordinates to keep independent, separated by commas; the multiplier is a function of them
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub independent: Vec<String>,
    /// Test this multiplier
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub multiplier: Option<String>,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `inverse`
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip inverse hoop-upright

The exit status is 1 if the equations are not Lagrangian as they stand.")]
pub struct InverseArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `canonical`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip canonical nonholonomic-particle
  noslip canonical particle.toml --constants h --integral \"sqrt(2*h)*y - h*t\"

The exit status is 1 if a proposed integral is not a complete one.")]
pub struct CanonicalArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Test this S(t, q, constants) as a complete integral of the generalised Hamilton–Jacobi equation
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub integral: Option<String>,
    /// Names of its constants, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub constants: Vec<String>,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `principle`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip principle sleigh.toml --until 2            along the motion they hold
  noslip principle sleigh.toml --push phi=0.3       under a force they are not
                                                    told of, they fail
  noslip principle sleigh.toml --quadrilateral 0.1  two virtual displacements in
                                                    both orders

The principles are those of Hölder, Suslov, Suslov–Jourdain and Gauss.
The exit status is 1 if a principle fails.")]
pub struct PrincipleArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// End time; the model's own if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Tolerance of the integration
    #[arg(long, value_name = "R", value_parser = finite, default_value = "1e-12", allow_hyphen_values = true)]
    pub tolerance: f64,
    /// An additional force, COORDINATE=EXPR: a deliberately wrong motion; may be repeated
    #[arg(long, value_name = "NAME=EXPR", allow_hyphen_values = true)]
    pub push: Vec<String>,
    /// Walk along two virtual displacements in both orders, with sides of this length, at the initial state
    #[arg(long, value_name = "SIDE", value_parser = finite, allow_hyphen_values = true)]
    pub quadrilateral: Option<f64>,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `grip`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip grip car-in-a-turn --limit rear_axle=2000 --limit front_axle=4000
  noslip grip vertical-disk --contact tyre=roll_x,roll_y --limit tyre=0.3
  noslip grip sleigh.toml --law \"x=-0.2*abs(lambda_knife_edge)*cos(phi)\"

A limit is the `friction` of the constraint in the model, or --limit; it may
contain multipliers (normal forces). With --law, tangential forces are added
that depend on the reaction: the constraint is not ideal.
The exit status is 1 if a contact slides.")]
pub struct GripArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// The largest reaction a constraint or contact can give, NAME=EXPR; may be repeated
    #[arg(long = "limit", value_name = "NAME=EXPR")]
    pub limits: Vec<String>,
    /// Several directions of slip at one contact, NAME=CONSTRAINT,CONSTRAINT; may be repeated
    #[arg(long = "contact", value_name = "NAME=C,C")]
    pub contacts: Vec<String>,
    /// A tangential force on a coordinate, COORDINATE=EXPR, which may contain multipliers; may be repeated
    #[arg(long = "law", value_name = "NAME=EXPR", allow_hyphen_values = true)]
    pub laws: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub run: RunArgs,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `report`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip report disk.toml                    write disk.html
  noslip report rolling-disk -o page.html --until 20 --initial \"theta'=0.3\"")]
pub struct ReportArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Where to write the page, `-` for standard output; default: the model's name with .html
    #[arg(short, long, value_name = "FILE.html", alias = "out")]
    pub output: Option<PathBuf>,
    /// End time of the simulated motion
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// On the terminal: `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `draw`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip draw rolling-disk                       write rolling-disk.svg
  noslip draw sleigh.toml -o sleigh.png --at 2.5 --set l=0.5")]
pub struct DrawArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Where to write the picture, .svg or .png; default: the model's name with .svg
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
    /// The moment to draw; default: what the model says, or two fifths of the way
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub at: Option<f64>,
    /// End time of the simulated motion
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Width of the picture
    #[arg(long, value_name = "W", default_value = "640", value_parser = clap::value_parser!(u16).range(80..=4000))]
    pub width: u16,
    /// Height of the picture
    #[arg(long, value_name = "H", default_value = "400", value_parser = clap::value_parser!(u16).range(80..=4000))]
    pub height: u16,
    /// On the terminal: `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

impl DrawArgs {
    /// How far to run, and how densely.
    pub fn run(&self, samples: usize) -> RunArgs {
        RunArgs { until: self.until, samples: Some(samples), ..RunArgs::default() }
    }
}

/// `expand`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip expand bicycle.toml                  the plain model on the terminal
  noslip expand bicycle.toml -o plain.toml

Definitions, energies, forces, constraints and drawings, as one would write them
by hand. Every command says the same of both files.")]
pub struct ExpandArgs {
    /// Model file, `-` for standard input, or the name of a gallery model
    pub model: String,
    /// Where to write the plain model; default: the terminal
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
}

/// `export`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip export rolling-disk                     write rolling-disk.c
  noslip export sleigh.toml -o sleigh.rs --set l=0.5
  cc -O2 -DSELF_TEST rolling-disk.c -lm && ./a.out

The function takes t, the coordinates and the velocities, and gives the
accelerations and the multipliers. The file says in which order, and brings its
own test.")]
pub struct ExportArgs {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub model: ModelArgs,
    /// Where to write the code, .c or .rs; default: the model's name with .c
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
    /// On the terminal: `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `new`
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip new cart && noslip check cart.toml && noslip report cart.toml")]
pub struct NewArgs {
    /// Name of the model; the file is NAME.toml
    pub name: String,
    /// A starter with frames, bodies and contacts instead of energies and constraints
    #[arg(long)]
    pub bodies: bool,
    /// On the terminal: `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `demo`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip demo                                all models of the gallery
  noslip demo rolling-disk > mine.toml       a copy to change
  noslip report rolling-disk                 any command takes such a name")]
pub struct DemoArgs {
    /// Print this gallery model; without a name, list them
    pub name: Option<String>,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: Format,
}

/// `completions`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip completions bash > ~/.local/share/bash-completion/completions/noslip
  noslip completions zsh > ~/.zfunc/_noslip
  noslip completions fish > ~/.config/fish/completions/noslip.fish")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}
