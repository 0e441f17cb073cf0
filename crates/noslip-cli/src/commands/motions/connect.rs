//! `noslip connect`

use super::{significant, value};
use crate::failure::{Failure, Outcome};
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, named, unknown};
use crate::terminal::{say, say_json};
use crate::words::{all_written, coordinate_names, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::mechanics::Workbench;
use noslip::motions::connect::{Connection, connect};
use noslip_cli::answers::{Connected, Kept, Leg, Place, by_name};
use std::fmt::Write;

/// `connect`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip connect knife-edge-body --to \"y=1\"         sideways, by turning
  noslip connect rolling-disk --from \"x=0, y=0\" --to \"x=1, psi=pi/2\"
  noslip connect sleigh.toml --to \"x_C=1\" --format json

A coordinate that --from does not name is that of the model's initial state,
one that --to does not name is that of --from.")]
pub struct ConnectArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Where to begin, "x=0, phi=pi/6"; may be repeated
    #[arg(long, value_name = "NAME=VALUE,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub from: Vec<String>,
    /// Where to end
    #[arg(long, value_name = "NAME=VALUE,…", value_delimiter = ',', allow_hyphen_values = true, required = true)]
    pub to: Vec<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Joins two positions.
pub fn run(args: &ConnectArgs) -> Outcome {
    let mut opened = open(&args.model)?.while_closed();
    let n = opened.model.system.n();
    let mut from: Vec<Option<f64>> = vec![None; n];
    place(&mut opened, "--from", &args.from, &mut from)?;
    if from.iter().any(Option::is_none) {
        let state = opened.initial_state()?;
        from.iter_mut().zip(&state.position).for_each(|(x, s)| *x = x.or(Some(*s)));
    }
    let from: Vec<f64> = from.into_iter().flatten().collect();
    let mut to: Vec<Option<f64>> = from.iter().map(|x| Some(*x)).collect();
    place(&mut opened, "--to", &args.to, &mut to)?;
    let to: Vec<f64> = to.into_iter().flatten().collect();
    let mut w = opened.model.workbench();
    let path = connect(&mut w, &from, &to)?;
    match args.format.is_json() {
        true => say_json(&document(&mut w, &path)),
        false => say(&text(&mut w, &path)),
    }
    Ok(())
}

/// Reads a position.
fn place(opened: &mut Opened, option: &str, list: &[String], q: &mut [Option<f64>]) -> Result<(), Failure> {
    for text in list.iter().filter(|t| !t.trim().is_empty()) {
        let (name, rest) = named(option, text)?;
        let x = value(opened, option, rest)?;
        let model = &opened.model;
        let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
        let i = known.iter().position(|&k| k == name);
        let i = i.ok_or_else(|| unknown(&format!("`{option} {}`: ", text.trim()), "coordinate", name, &known))?;
        q[i] = Some(x);
    }
    if list.iter().all(|t| t.trim().is_empty()) && !list.is_empty() {
        return Err(Error::input(format!("`{option}`: expected NAME=VALUE")).into());
    }
    Ok(())
}

fn document(w: &mut Workbench, path: &Connection) -> Connected {
    let names = coordinate_names(w);
    let at = |q: &[f64]| by_name(&names, q.iter().copied());
    Connected {
        name: w.system.name.clone(),
        fields: path.fields.iter().map(|f| by_name(&names, all_written(w, f))).collect(),
        growth: path.growth.vector.clone(),
        kept: path.kept.iter().map(|&(e, value)| Kept { expression: written(w, e), value }).collect(),
        from: at(&path.from),
        to: at(&path.to),
        legs: path.legs.iter().map(|l| Leg { field: l.field + 1, amount: l.amount, end: at(&l.end) }).collect(),
        length: path.length(),
        miss: path.miss,
        off: path.off,
        samples: path.samples.iter().map(|(leg, q)| Place { leg: *leg, q: at(q) }).collect(),
    }
}

/// Adds e·∂/∂s to a printed sum.
fn add_term(sum: &mut String, e: &str, s: &str) {
    let (sign, size) = match e.strip_prefix('−') {
        Some(size) if !size.contains([' ', '+']) => ("−", size),
        _ => ("+", e),
    };
    match (sum.is_empty(), sign) {
        (true, "+") => {}
        (true, _) => sum.push('−'),
        (false, _) => _ = write!(sum, " {sign} "),
    }
    let _ = match size {
        "1" => write!(sum, "∂/∂{s}"),
        _ if size.contains(" + ") || size.contains(" − ") => write!(sum, "({size})·∂/∂{s}"),
        _ => write!(sum, "{size}·∂/∂{s}"),
    };
}

fn text(w: &mut Workbench, path: &Connection) -> String {
    let mut out = format!("{}\n\nFields along which the constraints allow motion\n", w.system.name);
    let symbols: Vec<String> = w.system.coordinates.clone().into_iter().map(|s| symbol(w, s)).collect();
    for (a, field) in path.fields.iter().enumerate() {
        let mut sum = String::new();
        for (&e, s) in field.iter().zip(&symbols) {
            if !w.g.is_zero(e) {
                let e = shown(w, e);
                add_term(&mut sum, &e, s);
            }
        }
        let _ = writeln!(out, "  X{} = {sum}", a + 1);
    }
    for &(e, value) in &path.kept {
        let _ =
            writeln!(out, "The constraints keep {} = {}, the same at both positions.", shown(w, e), significant(value));
    }
    let at = |q: &[f64]| -> String {
        // What the path is not accurate to is not shown.
        let shown = |x: f64| significant(if x.abs() < 1e-9 { 0.0 } else { x });
        let list: Vec<String> = symbols.iter().zip(q).map(|(s, x)| format!("{s} = {}", shown(*x))).collect();
        list.join(", ")
    };
    let _ = writeln!(out, "\n  from         {}", at(&path.from));
    for leg in &path.legs {
        let _ = writeln!(out, "  X{} {:>10}  {}", leg.field + 1, format!("{:.6}", leg.amount), at(&leg.end));
    }
    let legs = noslip::numeric::counted(path.legs.len(), "leg");
    let _ = writeln!(
        out,
        "\n{legs}, length {}. Integrated again, the path misses its end by {:.1e}, and the constraints along it are kept \
         to {:.1e}.",
        significant(path.length()),
        path.miss,
        path.off
    );
    out
}
