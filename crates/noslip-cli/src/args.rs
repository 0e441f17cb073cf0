//! The command line: the list of commands. What each takes stands with it.

use crate::commands;
use clap::{Parser, Subcommand, ValueEnum};

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
    /// Colours: `auto` on a terminal, unless NO_COLOR is set; `always`; `never`
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN", hide_possible_values = true)]
    pub color: Color,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// `--color`
#[derive(Clone, Copy, ValueEnum)]
pub enum Color {
    /// Where a person looks, and has not asked for none
    Auto,
    /// Also into files and pipes
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// From now on.
    pub fn choose(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Write a commented starter model
    New(commands::new::NewArgs),
    /// List the built-in gallery, or print a model of it
    Demo(commands::demo::DemoArgs),
    /// Validate a model and say what its constraints mean
    Check(commands::check::CheckArgs),
    /// Derive the equations of motion
    Derive(commands::derive::DeriveArgs),
    /// Decide whether hand-derived equations follow from the model
    Verify(commands::verify::VerifyArgs),
    /// Evaluate accelerations and multipliers at given states
    Eval(commands::eval::EvalArgs),
    /// Integrate the motion
    Simulate(commands::simulate::SimulateArgs),
    /// Which variables close on themselves, and which follow by integration
    Reduce(commands::motions::reduce::ReduceArgs),
    /// Find steady motions, follow their families, and say which are stable
    Steady(commands::motions::steady::SteadyArgs),
    /// Linearise about a steady motion: matrices and eigenvalues
    Linearise(commands::motions::linearise::LineariseArgs),
    /// Decide whether the motion keeps a measure with a density in the coordinates
    Measure(commands::motions::measure::MeasureArgs),
    /// Find integrals of the motion that are polynomial in the velocities
    Integrals(commands::motions::integrals::IntegralsArgs),
    /// Build a path between two positions along the fields that the constraints allow
    Connect(commands::motions::connect::ConnectArgs),
    /// The momentum equation and the nonholonomic connection; what a gait does
    Connection(commands::motions::connection::ConnectionArgs),
    /// Lyapunov exponents of a motion: how fast its neighbours move away
    Exponents(commands::motions::exponents::ExponentsArgs),
    /// Where a motion crosses a surface, again and again; periodic motions
    Section(commands::motions::section::SectionArgs),
    /// Integrate a family of motions: parameters and initial values on a grid or at random
    Sweep(commands::sweep::SweepArgs),
    /// Write one self-contained page about a model
    Report(commands::report::ReportArgs),
    /// Write the studio: this program in one page, with an editor
    Studio(commands::studio::StudioArgs),
    /// Draw a model at one moment of its motion, with the tracks
    Draw(commands::draw::DrawArgs),
    /// Write the plain model of a file that speaks of frames, bodies and contacts
    Expand(commands::expand::ExpandArgs),
    /// Write the accelerations and multipliers as C, Rust, Python, Modelica or an FMU
    Export(commands::export::ExportArgs),
    /// List the forms of the equations of motion
    Forms(commands::forms::FormsArgs),
    /// Explain a form: what it is, when it is valid, where it comes from
    Explain(commands::explain::ExplainArgs),
    /// Compare the motion with the vakonomic one, with Lindelöf's, or with that of another model
    Compare(commands::compare::CompareArgs),
    /// Find or test a reducing multiplier: a time in which the equations are Lagrangian
    Hamiltonise(commands::hamiltonise::HamiltoniseArgs),
    /// Decide whether the equations of motion are Lagrangian as they stand
    Inverse(commands::inverse::InverseArgs),
    /// Generalised momenta, canonical equations, the Hamilton–Jacobi equation
    Canonical(commands::canonical::CanonicalArgs),
    /// Evaluate the principles of mechanics along a motion
    Principle(commands::principle::PrincipleArgs),
    /// Reactions, the margin to the limit of friction, laws of friction
    Grip(commands::grip::GripArgs),
    /// Print completions for a shell
    Completions(commands::completions::CompletionsArgs),
    /// Write manual pages into a folder
    Man(commands::man::ManArgs),
}
