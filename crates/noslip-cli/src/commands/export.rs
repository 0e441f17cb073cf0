//! `noslip export`

mod fmu;
mod zip;

use crate::failure::Outcome;
use crate::motion::settings;
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, RunArgs, unknown};
use crate::output::{expect_extension, expect_place, write_atomically};
use crate::terminal::{complain, say, say_json};
use clap::Args;
use noslip::compile::{CompileOptions, GROWTH_LIMIT, Tape};
use noslip::expr::Symbol;
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::numeric::brief;
use noslip::simulate::{MotionCode, MotionPart, OpenCode, Settings, simulate};
use noslip::{Error, Limits};
use noslip_cli::answers::Exported;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// States along the motion at which the order of elimination has to be sound.
const SAMPLES: usize = 9;

/// The command line.
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
    pub model: ModelArgs,
    /// Where to write the code: .c, .rs, .js, .py (NumPy), .mo (Modelica) or .fmu; default: the model's name with .c
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
    /// Parameters that stay open, or `all`; in Python, Modelica and an FMU all do unless some are named
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub open: Vec<String>,
    /// Version of the interface of an FMU for model exchange: 2 or 3
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(2..=3))]
    pub fmi: u8,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// What is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    C,
    Rust,
    JavaScript,
    Python,
    Modelica,
    Fmu,
}

impl Kind {
    fn of(path: &Path) -> Kind {
        match path.extension().and_then(|x| x.to_str()) {
            Some("rs") => Kind::Rust,
            Some("js") => Kind::JavaScript,
            Some("py") => Kind::Python,
            Some("mo") => Kind::Modelica,
            Some("fmu") => Kind::Fmu,
            _ => Kind::C,
        }
    }
}

/// A program that is written has nobody to tell where it leaves a table: its reader is told here.
fn note_of_tables(w: &Workbench) {
    for table in w.system.tables.iter().filter(|t| t.pieces.is_none()) {
        if let [first, .., last] = &table.at[..] {
            let (name, first, last) = (w.g.table_name(table.id), brief(first.to_f64(), 6), brief(last.to_f64(), 6));
            complain(&format!(
                "note: table `{name}` has data for {first} … {last}: beyond them the program goes on with its last slope, \
                 without a word"
            ));
        }
    }
}

/// Writes the accelerations and multipliers as source code.
pub fn run(args: &ExportArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    opened.model.system.no_inequality()?;
    let stem = opened.stem("motion");
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.c")));
    expect_extension(&path, &["c", "rs", "js", "py", "mo", "fmu"])?;
    expect_place(&path, &args.model.model)?;
    let kind = Kind::of(&path);
    let state = opened.initial_state()?;
    // Without an end time the initial state has to do.
    let settings = settings(&RunArgs { samples: Some(SAMPLES), ..RunArgs::default() }, &mut opened, &state).ok();
    let model = &mut opened.model;
    let mut w = model.workbench();
    note_of_tables(&w);
    let open = open_parameters(&w, args, kind)?;
    let options = CompileOptions::of_system(&w.g, &w.system, &Limits::default())?;
    let value = |s: &Symbol| options.parameters.iter().find(|(p, _)| p == s).map_or(0.0, |(_, x)| *x);
    let parameters: Vec<(String, f64)> = open.iter().map(|s| (w.g.name(*s).to_owned(), value(s))).collect();
    let code = OpenCode::new(&mut w, &options, &open)?;
    let mut typical = typical(&mut w, &state, settings.as_ref());
    typical.iter_mut().for_each(|x| x.extend(parameters.iter().map(|(_, x)| *x)));
    let parts = [MotionPart::Accelerations, MotionPart::Multipliers, MotionPart::Growth];
    let tape = code.motion.tape(&w.g, &parts, &[], &typical).map_err(|e| {
        Error::computation(format!("at the initial state the accelerations are not determined: {}", e.message))
            .hint("give another initial state with --initial")
    })?;
    let function = function_name(&stem);
    let accelerations = w.system.accelerations.iter().map(|&s| w.g.name(s).to_owned());
    let multipliers: Vec<String> =
        code.rows.iter().map(|&j| w.g.name(w.system.constraints[j].multiplier).to_owned()).collect();
    let outputs: Vec<String> = accelerations.chain(multipliers.iter().cloned()).chain(["growth".to_owned()]).collect();
    let coordinates: Vec<String> = w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
    let inputs = tape.input_names().to_vec();
    let closed = open.len() < w.system.parameters.len();
    let mut built = true;
    let bytes = match kind {
        Kind::C | Kind::Rust | Kind::JavaScript => {
            let source = match kind {
                Kind::Rust => tape.to_rust(&function, &typical[0])?,
                Kind::JavaScript => tape.to_js(&function, &typical[0])?,
                _ => tape.to_c(&function, &typical[0])?,
            };
            format!("{}{source}", header(&w.system.name, &outputs, kind == Kind::C, closed)).into_bytes()
        }
        Kind::Python => {
            let source = tape.to_python(&function, &typical[0])?;
            python(&w.system.name, &source, &function, &coordinates, &parameters, &outputs, &typical[0]).into_bytes()
        }
        Kind::Modelica => {
            let program = Program {
                title: &w.system.name,
                coordinates: &coordinates,
                parameters: &parameters,
                multipliers: &multipliers,
            };
            modelica(&tape, &function_name(&stem).replace("_motion", ""), &program, &typical[0])?.into_bytes()
        }
        Kind::Fmu => {
            let name = function.replace("_motion", "");
            let correction = |code: &Option<MotionCode>, name: String| -> Result<Option<(String, String)>, Error> {
                let Some(code) = code else { return Ok(None) };
                let tape = code.tape(&w.g, &parts, &[], &typical)?;
                Ok(Some((tape.to_c(&name, &typical[0])?, name)))
            };
            let unit = fmu::Unit {
                title: &w.system.name,
                name: &name,
                function: &function,
                code: &tape.to_c(&function, &typical[0])?,
                coordinates: &coordinates,
                parameters: &parameters,
                multipliers: &multipliers,
                velocities: correction(&code.velocities, format!("{name}_velocities"))?,
                positions: correction(&code.positions, format!("{name}_positions"))?,
                start: &typical[0][..1 + 2 * coordinates.len()],
                until: settings.as_ref().map_or(state.time + 1.0, |s| s.until),
            };
            let (bytes, library) = unit.bytes(args.fmi)?;
            built = library;
            bytes
        }
    };
    write_atomically(&path, &bytes)?;
    if !built {
        complain("warning: no C compiler is at hand: the FMU holds sources, and no library for this machine");
    }
    let wrote = Exported { file: path.display().to_string(), bytes: bytes.len(), function, inputs, outputs };
    match args.format.is_json() {
        true => say_json(&wrote),
        false => say(&format!(
            "wrote {}: {}\n  inputs: {}\n  outputs: {}\n",
            wrote.file,
            wrote.function,
            wrote.inputs.join(", "),
            wrote.outputs.join(", ")
        )),
    }
    Ok(())
}

/// The parameters that stay open: those that are asked for; in languages that have parameters, all that are numbers.
fn open_parameters(w: &Workbench, args: &ExportArgs, kind: Kind) -> Result<Vec<Symbol>, Error> {
    let own = |p: &&noslip::model::Parameter| w.g.as_number(p.value).is_some();
    let all = || w.system.parameters.iter().filter(own).map(|p| p.symbol).collect::<Vec<_>>();
    if args.open.iter().any(|name| name == "all")
        || (args.open.is_empty() && !matches!(kind, Kind::C | Kind::Rust | Kind::JavaScript))
    {
        return Ok(all());
    }
    let names: Vec<&str> = w.system.parameters.iter().map(|p| w.g.name(p.symbol)).collect();
    let find = |name: &String| {
        let found = w.system.parameters.iter().find(|p| w.g.name(p.symbol) == *name);
        found.map(|p| p.symbol).ok_or_else(|| unknown("", "parameter", name, &names))
    };
    args.open.iter().map(find).collect()
}

/// A name of the model as an identifier: `x'` is `x_v`.
fn variable(name: &str) -> String {
    name.replace("''", "_a").replace('\'', "_v").replace('.', "_")
}

/// The module of a model for Python.
fn python(
    title: &str,
    source: &str,
    function: &str,
    coordinates: &[String],
    parameters: &[(String, f64)],
    outputs: &[String],
    start: &[f64],
) -> String {
    let quoted = |list: &[String]| list.iter().map(|x| format!("\"{x}\"")).collect::<Vec<_>>().join(", ");
    let numbers = |list: &[f64]| list.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
    let values: Vec<String> = parameters.iter().map(|(name, x)| format!("\"{name}\": {x:?}")).collect();
    let n = coordinates.len();
    let title: String = title.replace(['\\', '"'], " ").chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!(
        "\"\"\"{title}: accelerations and multipliers as functions of the state, written by noslip.\n\n\
         The order of elimination is fixed in the code: where `growth`, the last output, is not below {GROWTH_LIMIT:e}, it does\n\
         not suit the state. `python FILE.py` compares with stored results.\n\"\"\"\n\n\
         {source}\n\n\
         COORDINATES = [{}]\nPARAMETERS = {{{}}}\nOUTPUTS = [{}]\nT0, Y0 = {:?}, np.array([{}])\n\n\n\
         def motion(t, q, v, **parameters):\n    \"\"\"Accelerations, multipliers and growth; the first axis of q and v counts coordinates.\"\"\"\n    \
         unknown = set(parameters) - set(PARAMETERS)\n    if unknown:\n        raise TypeError(f\"unknown parameters: {{sorted(unknown)}}\")\n    \
         values = {{**PARAMETERS, **parameters}}\n    \
         x = np.broadcast_arrays(t, *q, *v, *(values[name] for name in PARAMETERS))\n    y = {function}(np.stack(x))\n    \
         return y[:{n}], y[{n}:-1], y[-1]\n\n\n\
         def rhs(t, y, **parameters):\n    \"\"\"The rates of (q, v), for scipy.integrate.solve_ivp.\"\"\"\n    y = np.asarray(y, dtype=float)\n    \
         return np.concatenate([y[{n}:], motion(t, y[:{n}], y[{n}:], **parameters)[0]])\n\n\n\
         if __name__ == \"__main__\":\n    raise SystemExit(0 if self_test() else 1)\n",
        quoted(coordinates),
        values.join(", "),
        quoted(outputs),
        start[0],
        numbers(&start[1..1 + 2 * n]),
    )
}

/// The names of a program.
struct Program<'a> {
    title: &'a str,
    coordinates: &'a [String],
    parameters: &'a [(String, f64)],
    multipliers: &'a [String],
}

/// The model for Modelica: coordinates and velocities are states, what lies between is protected.
fn modelica(tape: &Tape, name: &str, program: &Program<'_>, start: &[f64]) -> Result<String, Error> {
    if tape.has_tables() {
        return Err(Error::computation("a model with tables is not written as Modelica")
            .hint("write Python, C, Rust or an FMU"));
    }
    let mut names = Names { used: vec!["growth".to_owned()] };
    let name = names.free(name);
    let q: Vec<String> = program.coordinates.iter().map(|x| names.free(x)).collect();
    let p: Vec<String> = program.parameters.iter().map(|(x, _)| names.free(x)).collect();
    let multipliers: Vec<String> = program.multipliers.iter().map(|x| names.free(x)).collect();
    let v: Vec<String> = q.iter().map(|x| names.free(&format!("{x}_v"))).collect();
    let inputs: Vec<String> = std::iter::once("time".to_owned()).chain(q.iter().chain(&v).chain(&p).cloned()).collect();
    let rates: Vec<String> = v.iter().map(|x| format!("der({x})")).collect();
    let outputs: Vec<String> = rates.iter().chain(&multipliers).cloned().chain(["growth".to_owned()]).collect();
    let (between, body) = tape.to_modelica(&inputs, &outputs);
    let title = program.title.replace(['\\', '"'], " ");
    let mut text = format!("model {name} \"{title}; written by noslip\"\n");
    for ((_, x), name) in program.parameters.iter().zip(&p) {
        let _ = writeln!(text, "  parameter Real {name} = {x:?};");
    }
    for (x, at) in q.iter().chain(&v).zip(&start[1..]) {
        let _ = writeln!(text, "  Real {x}(start = {at:?}, fixed = true);");
    }
    for x in multipliers.iter().map(String::as_str).chain(["growth"]) {
        let _ = writeln!(text, "  Real {x};");
    }
    text.push_str("protected\n");
    for x in &between {
        let _ = writeln!(text, "  Real {x};");
    }
    text.push_str("equation\n");
    for (x, rate) in q.iter().zip(&v) {
        let _ = writeln!(text, "  der({x}) = {rate};");
    }
    text.push_str(&body.replace("    ", "  "));
    if start[0] != 0.0 {
        let _ = writeln!(text, "  annotation(experiment(StartTime = {:?}));", start[0]);
    }
    let _ = writeln!(text, "end {name};");
    Ok(text)
}

/// Names of a Modelica model, each for one thing.
struct Names {
    used: Vec<String>,
}

impl Names {
    /// The name as the model has it, or with `_` behind it where that means something else: a word of the language, the time, an
    /// expression between the equations (`v12`), or another quantity.
    fn free(&mut self, wanted: &str) -> String {
        let mut name = variable(wanted);
        let between =
            |x: &str| x.strip_prefix('v').is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()));
        while MODELICA.split(' ').any(|word| word == name) || between(&name) || self.used.contains(&name) {
            name.push('_');
        }
        self.used.push(name.clone());
        name
    }
}

/// Words of Modelica, and names it has by itself.
const MODELICA: &str = "algorithm and annotation assert block break class connect connector constant constrainedby der discrete each \
    else elseif elsewhen encapsulated end enumeration equation expandable extends external false final flow for function if import \
    impure in initial inner input loop model not operator or outer output package parameter partial protected public pure record \
    redeclare replaceable return stream then true type when while within time Real Integer Boolean String sample pre edge change \
    reinit delay noEvent smooth cardinality homotopy semiLinear terminal terminate ceil floor integer mod rem div max min product \
    sum identity size fill zeros ones cat cross scalar vector matrix transpose skew symmetric diagonal linspace ndims inStream \
    actualStream spatialDistribution getInstanceName print";

/// A name every language accepts.
fn function_name(stem: &str) -> String {
    let name: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let first = if name.starts_with(|c: char| c.is_ascii_alphabetic()) { "" } else { "model_" };
    format!("{first}{name}_motion")
}

/// The initial state, and states of the motion that follows.
fn typical(w: &mut Workbench, state: &State, settings: Option<&Settings>) -> Vec<Vec<f64>> {
    let mut list = vec![[&[state.time], &state.position[..], &state.velocity[..]].concat()];
    if let Some(run) = settings.and_then(|s| simulate(w, state, s, &mut |_| true).ok()) {
        list.extend(run.samples.iter().skip(1).map(|s| [&[s.t], &s.y[..]].concat()));
    }
    list
}

/// What the outputs are; the inputs stand below, where the code lists them itself.
fn header(name: &str, outputs: &[String], c: bool, closed: bool) -> String {
    let (open, line, close) = if c { ("/*", " *", " */") } else { ("//", "//", "") };
    let name: String = name.replace("*/", "* /").chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut text =
        format!("{open} {name}: accelerations and multipliers as functions of the state.\n{line} Outputs:\n");
    for (i, output) in outputs.iter().enumerate() {
        let _ = writeln!(text, "{line}   {i}: {output}");
    }
    let _ = writeln!(
        text,
        "{line} growth: by how much rounding errors are amplified at this state. The order of elimination is fixed in the\n\
         {line} code; where growth is not below {GROWTH_LIMIT:e}, it does not suit the state, and the outputs are not to be used.\n\
         {line} {}{close}",
        if closed {
            "Parameters that are no inputs have the values of the model."
        } else {
            "All parameters are inputs."
        }
    );
    text
}
