//! `noslip reduce`

use super::{analysed, differences, names};
use crate::failure::Outcome;
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{shown, symbol, written};
use clap::Args;
use noslip::expr::Symbol;
use noslip::mechanics::Workbench;
use noslip::motions::reduce::Reduction;
use noslip_cli::answers::{Known, QuasiVelocity, Rate, Reduce};
use std::fmt::Write;

/// `reduce`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip reduce rolling-disk
  noslip reduce sleigh.toml --format json")]
pub struct ReduceArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Says which variables close on themselves.
pub fn run(args: &ReduceArgs) -> Outcome {
    let opened = open(&args.model)?.while_closed();
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?.relative(&mut w);
    match args.format.is_json() {
        true => say_json(&document(&mut w, &r)),
        false => say(&text(&mut w, &r)),
    }
    Ok(())
}

fn document(w: &mut Workbench, r: &Reduction) -> Reduce {
    let mut equations = Vec::new();
    let all: Vec<Symbol> = r.shape.iter().chain(&r.flow.free).chain(&r.quadratures).copied().collect();
    for s in all {
        let rate = r.flow.rate_of(s).map(|e| written(w, e));
        equations.push(Rate { of: w.g.name(s).to_owned(), rate });
    }
    let mut quasi_velocities = Vec::new();
    for (&s, &e) in r.flow.free.iter().zip(&r.flow.expressions) {
        quasi_velocities.push(QuasiVelocity { name: w.g.name(s).to_owned(), expression: written(w, e) });
    }
    let mut relative = Vec::new();
    for x in &r.relative {
        relative.push(QuasiVelocity { name: w.g.name(x.symbol).to_owned(), expression: written(w, x.expr) });
    }
    Reduce {
        name: w.system.name.clone(),
        closed: names(w, &r.closed()),
        tied: names(w, &r.tied),
        quadratures: names(w, &r.quadratures),
        equations,
        quasi_velocities,
        chosen: r.chosen,
        relative,
        rheonomic: r.rheonomic,
        symmetry: r.symmetry.clone(),
        how: if r.proved { Known::Proved } else { Known::Tested },
    }
}

fn text(w: &mut Workbench, r: &Reduction) -> String {
    let mut out = format!("{}\n\n", w.system.name);
    let list = |w: &Workbench, s: &[Symbol]| s.iter().map(|&s| symbol(w, s)).collect::<Vec<_>>().join(", ");
    let closed = r.closed();
    let _ = writeln!(out, "Closed part: {}", list(w, &closed));
    if !r.tied.is_empty() {
        let _ = writeln!(out, "  with {}, which a holonomic constraint determines from it", list(w, &r.tied));
    }
    if r.quadratures.is_empty() {
        out.push_str("Quadratures: none\n");
    } else {
        let how = if r.proved { "proved" } else { "tested" };
        let _ =
            writeln!(out, "Quadratures: {} (they occur in no rate of the closed part: {how})", list(w, &r.quadratures));
    }
    out += &differences(w, r);
    let _ = writeln!(out, "Symmetry: {}", r.symmetry);
    if r.rheonomic {
        out.push_str("Time occurs in the closed part.\n");
    }
    let chosen = if r.chosen { "chosen" } else { "of the model" };
    let _ = writeln!(out, "\nQuasi-velocities, {chosen}");
    for (&s, &e) in r.flow.free.iter().zip(&r.flow.expressions) {
        let (name, e) = (symbol(w, s), shown(w, e));
        if name != e {
            let _ = writeln!(out, "  {name} = {e}");
        } else {
            let _ = writeln!(out, "  {name}");
        }
    }
    for (title, members) in [
        ("Rates of the closed part", r.shape.iter().chain(&r.flow.free).copied().collect::<Vec<_>>()),
        ("Quadratures", r.quadratures.clone()),
    ] {
        if members.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{title}");
        for s in members {
            let rate = r.flow.rate_of(s).map_or_else(|| "(too long to be written out)".to_owned(), |e| shown(w, e));
            let _ = writeln!(out, "  d/dt {} = {rate}", symbol(w, s));
        }
    }
    out
}
