//! `noslip measure`

use super::{analysed, names, significant};
use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{number, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::expr::Expr;
use noslip::mechanics::Workbench;
use noslip::motions::RealPoint;
use noslip::motions::measure::{Measure, measure};
use noslip::motions::reduce::Reduction;
use noslip_cli::answers::InvariantMeasure;
use std::fmt::Write;

/// `measure`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip measure chaplygin-ball
  noslip measure chaplygin-sledge            no measure: an obstruction

The exit status is 1 if there is no such measure.")]
pub struct MeasureArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Looks for an invariant measure.
pub fn run(args: &MeasureArgs) -> Outcome {
    let opened = open(&args.model)?.while_closed();
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?;
    let m = measure(&mut w, &r)?;
    match args.format.is_json() {
        true => say_json(&document(&mut w, &m)),
        false => say(&text(&mut w, &r, &m)),
    }
    match m.exists {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::no()),
        None => Err(Failure::from(Error::computation(format!(
            "whether there is an invariant measure is not decided: {}",
            m.why
        )))),
    }
}

fn document(w: &mut Workbench, m: &Measure) -> InvariantMeasure {
    let mut each = |e: Option<Expr>| e.map(|e| written(w, e));
    let (density, momentum, obstruction) = (each(m.density), each(m.momentum_density), each(m.obstruction));
    let obstruction = match (m.exists, obstruction) {
        (Some(true), _) => None,
        (_, Some(e)) => Some(e.0),
        (_, None) => Some(match &m.witness {
            Some(p) => format!("{}: {}", m.why, differ(w, p)),
            None => m.why.clone(),
        }),
    };
    InvariantMeasure {
        name: w.system.name.clone(),
        exists: m.exists,
        density,
        of: names(w, &m.variables),
        momentum_density: momentum,
        how: (&m.how).into(),
        obstruction,
        why: m.why.clone(),
        open: names(w, &m.open),
    }
}

/// Where the rates certainly differ.
fn differ(w: &Workbench, p: &RealPoint) -> String {
    let at: Vec<String> = p.at.iter().map(|(s, x)| format!("{} = {}", w.g.name(*s), number(*x))).collect();
    format!("at {} they differ by {} ± {:.0e}", at.join(", "), significant(p.value), p.error)
}

fn text(w: &mut Workbench, r: &Reduction, m: &Measure) -> String {
    let mut out = format!("{}\n\n", w.system.name);
    let of: Vec<String> = m.variables.iter().map(|&s| symbol(w, s)).collect();
    for (&s, &e) in r.flow.free.iter().zip(&r.flow.expressions) {
        let (name, e) = (symbol(w, s), shown(w, e));
        if name != e {
            let _ = writeln!(out, "with {name} = {e}");
        }
    }
    let how = m.how.word();
    match (m.exists, m.density) {
        (Some(true), Some(f)) => {
            let volume: Vec<String> = of.iter().map(|s| format!("d{s}")).collect();
            let _ = writeln!(out, "The motion keeps the measure f {} ({how})", volume.join(" "));
            let _ = writeln!(out, "  f = {}", shown(w, f));
            if !m.open.is_empty() {
                let list: Vec<String> = m.open.iter().map(|&s| symbol(w, s)).collect();
                let _ = writeln!(out, "After a full turn of {} it is another: turns are counted.", list.join(", "));
            }
            if let Some(p) = m.momentum_density {
                let _ = writeln!(out, "In the momenta of the quasi-velocities the density is {}", shown(w, p));
            }
        }
        (Some(true), None) => {
            let _ = writeln!(out, "There is an invariant measure with a density in the coordinates ({how}): {}", m.why);
            out.push_str("Its density was not found in closed form.\n");
        }
        (Some(false), _) => {
            let _ = writeln!(out, "There is no invariant measure with a density in the coordinates ({how}):");
            let _ = writeln!(out, "  {}", m.why);
            if let Some(e) = m.obstruction {
                let _ = writeln!(out, "  what would have to vanish: {}", shown(w, e));
            } else if let Some(p) = &m.witness {
                let _ = writeln!(out, "  {}", differ(w, p));
            }
        }
        (None, _) => {
            let _ = writeln!(out, "Not decided: {}", m.why);
            if let Some(e) = m.obstruction {
                let _ = writeln!(out, "  what would have to vanish: {}", shown(w, e));
            }
        }
    }
    out
}
