//! `noslip export`

use crate::failure::Outcome;
use crate::motion::settings;
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, RunArgs};
use crate::output::{expect_extension, expect_place, write_atomically};
use crate::terminal::{say, say_json};
use clap::Args;
use noslip::compile::{CompileOptions, GROWTH_LIMIT};
use noslip::mechanics::Workbench;
use noslip::mechanics::independent_rows;
use noslip::model::State;
use noslip::simulate::{MotionCode, MotionPart, Settings, simulate};
use noslip::{Error, Limits};
use noslip_cli::answers::Exported;
use std::fmt::Write;
use std::path::PathBuf;

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
    /// Where to write the code, .c, .rs or .js; default: the model's name with .c
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Writes the accelerations and multipliers as source code.
pub fn run(args: &ExportArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let stem = opened.stem("motion");
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}.c")));
    expect_extension(&path, &["c", "rs", "js"])?;
    expect_place(&path, &args.model.model)?;
    let state = opened.initial_state()?;
    // Without an end time the initial state has to do.
    let settings = settings(&RunArgs { samples: Some(SAMPLES), ..RunArgs::default() }, &mut opened, &state).ok();
    let model = &mut opened.model;
    let mut w = model.workbench();
    let rows = independent_rows(&mut w);
    let dynamics = w.dynamics();
    let options = CompileOptions::of_system(&w.g, &w.system, &Limits::default())?;
    let code = MotionCode::new(&w.g, &w.system, &dynamics, &rows, &options)?;
    let typical = typical(&mut w, &state, settings.as_ref());
    let parts = [MotionPart::Accelerations, MotionPart::Multipliers, MotionPart::Growth];
    let tape = code.tape(&w.g, &parts, &[], &typical).map_err(|e| {
        Error::computation(format!("at the initial state the accelerations are not determined: {}", e.message))
            .hint("give another initial state with --initial")
    })?;
    let language = path.extension().and_then(|x| x.to_str()).unwrap_or("c");
    let function = function_name(&stem);
    let source = match language {
        "rs" => tape.to_rust(&function, &typical[0])?,
        "js" => tape.to_js(&function, &typical[0])?,
        _ => tape.to_c(&function, &typical[0])?,
    };
    let accelerations = w.system.accelerations.iter().map(|&s| w.g.name(s).to_owned());
    let multipliers = rows.iter().map(|&j| w.g.name(w.system.constraints[j].multiplier).to_owned());
    let outputs: Vec<String> = accelerations.chain(multipliers).chain(["growth".to_owned()]).collect();
    let inputs = tape.input_names().to_vec();
    let text = format!("{}{source}", header(&w.system.name, &outputs, language == "c"));
    write_atomically(&path, text.as_bytes())?;
    let wrote = Exported { file: path.display().to_string(), bytes: text.len(), function, inputs, outputs };
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
fn header(name: &str, outputs: &[String], c: bool) -> String {
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
         {line} Parameters have the values of the model.{close}"
    );
    text
}
