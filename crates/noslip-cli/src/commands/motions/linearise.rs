//! `noslip linearise`

use super::{analysed, by_name, eigenvalue, eigenvalues, names, significant, stability};
use crate::failure::Outcome;
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{shown, symbol, written};
use clap::Args;
use noslip::expr::Expr;
use noslip::mechanics::Workbench;
use noslip::motions::linearise::{Linearisation, linearise};
use noslip::motions::reduce::Reduction;
use noslip::motions::{SecondOrder, Split, Symbolic, symbolic};
use noslip_cli::answers::{self, HurwitzCondition, Known, Linearise, MatrixEntry, SplitByPowers};
use std::fmt::Write;

/// `linearise`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip linearise figure-skater --initial \"theta'=0\"
  noslip linearise disk.toml --symbolic      conditions of Routh and Hurwitz
  noslip linearise rolling-disk --frozen     not a steady motion")]
pub struct LineariseArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Entries as expressions, with the conditions of Routh and Hurwitz
    #[arg(long, conflicts_with = "frozen")]
    pub symbolic: bool,
    /// Linearise although the state is not a steady motion
    #[arg(long)]
    pub frozen: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Linearises the closed part about the initial state.
pub fn run(args: &LineariseArgs) -> Outcome {
    let mut opened = open(&args.model)?.while_closed();
    let state = opened.initial_state()?;
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?.relative(&mut w);
    let l = linearise(&mut w, &r, &state, args.frozen)?;
    let letters = if args.symbolic { Some(symbolic(&mut w, &r, &state)?) } else { None };
    match (args.format.is_json(), &letters) {
        (true, None) => say_json(&document(&w, &l)),
        (true, Some(s)) => say_json(&symbolic_document(&mut w, &l, s)),
        (false, None) => say(&text(&w, &l)),
        (false, Some(s)) => say(&symbolic_text(&mut w, &l, s)),
    }
    Ok(())
}

fn symbolic_document(w: &mut Workbench, l: &Linearisation, s: &Symbolic) -> Linearise {
    let mut entries =
        |e: &[Expr]| -> Vec<MatrixEntry> { e.iter().map(|&e| MatrixEntry::Expression(written(w, e))).collect() };
    let matrix = s.matrix.iter().map(|row| entries(row)).collect();
    let characteristic = s.characteristic.as_ref().map(|p| entries(p));
    let provided = s.provided.iter().map(|&e| written(w, e)).collect();
    let mut conditions = Vec::new();
    for c in &s.conditions {
        conditions.push(HurwitzCondition {
            expression: written(w, c.expr),
            sign: ">0".into(),
            value: Some(c.value).filter(|x| x.is_finite()),
            holds: c.holds,
        });
    }
    Linearise {
        matrix,
        characteristic,
        zero: s.zero,
        letters: Some(names(w, &s.letters)),
        provided: Some(provided),
        conditions: Some(conditions),
        reversible: Some(s.reversible),
        how: Known::Proved,
        ..document(w, l)
    }
}

fn symbolic_text(w: &mut Workbench, l: &Linearisation, s: &Symbolic) -> String {
    let mut out = format!("{}\n\nAbout\n", w.system.name);
    for &(q, e) in &s.about {
        let _ = writeln!(out, "  {} = {}", symbol(w, q), shown(w, e));
    }
    for &q in &s.letters {
        let _ = writeln!(out, "  {}, any", symbol(w, q));
    }
    for &e in &s.provided {
        let _ = writeln!(out, "  provided {} = 0", shown(w, e));
    }
    let names: Vec<String> = s.variables.iter().map(|&s| symbol(w, s)).collect();
    let _ = writeln!(out, "\nJacobian of the closed part, entries that are not zero");
    for (i, row) in s.matrix.iter().enumerate() {
        for (j, &e) in row.iter().enumerate() {
            if !w.g.is_zero(e) {
                let _ = writeln!(out, "  ∂(d/dt {})/∂{} = {}", names[i], names[j], shown(w, e));
            }
        }
    }
    match &s.characteristic {
        None => out.push_str("\nThe characteristic polynomial is too long to be written out.\n"),
        Some(p) => {
            out.push_str("\nCharacteristic polynomial\n");
            let degree = p.len() - 1;
            for (i, &c) in p.iter().enumerate() {
                if !w.g.is_zero(c) {
                    let _ = writeln!(out, "  λ^{}: {}", degree - i, shown(w, c));
                }
            }
            if s.zero > 0 {
                let _ = writeln!(
                    out,
                    "  {} identically",
                    if s.zero == 1 {
                        "one eigenvalue vanishes".to_owned()
                    } else {
                        format!("{} eigenvalues vanish", s.zero)
                    }
                );
            }
            let which = if s.zero > 0 { "The others" } else { "All eigenvalues" };
            let place = if s.reversible {
                "on the imaginary axis, apart from each other,"
            } else {
                "to the left of the imaginary axis"
            };
            if s.zero < degree {
                let _ = writeln!(out, "\n{which} lie {place} where these are positive (Routh, Hurwitz)");
            }
            for c in &s.conditions {
                let holds = if c.holds { "holds" } else { "does not hold" };
                let _ = writeln!(out, "  {} > 0 ({holds} here: {})", shown(w, c.expr), significant(c.value));
            }
        }
    }
    if let Some(stable) = l.stable {
        let _ = writeln!(out, "\nFor the model's values: {}", stable.word());
    }
    out
}

fn document(w: &Workbench, l: &Linearisation) -> Linearise {
    let numbers = |list: &[f64]| -> Vec<MatrixEntry> { list.iter().map(|&x| MatrixEntry::Number(x)).collect() };
    Linearise {
        name: w.system.name.clone(),
        variables: names(w, &l.variables),
        about: by_name(w, &l.about),
        matrix: l.matrix.iter().map(|row| numbers(row)).collect(),
        eigenvalues: eigenvalues(&l.eigenvalues),
        zero: l.zero,
        characteristic: Some(numbers(&l.characteristic)),
        stable: l.stable.map(stability),
        second_order: l.second_order.as_ref().map(|s| second_order(w, s)),
        moving: by_name(w, &l.moving),
        how: Known::Numerical,
        letters: None,
        provided: None,
        conditions: None,
        reversible: None,
    }
}

fn second_order(w: &Workbench, s: &SecondOrder) -> answers::SecondOrder {
    answers::SecondOrder {
        coordinates: names(w, &s.coordinates),
        mass: s.mass.clone(),
        damping: s.damping.clone(),
        stiffness: s.stiffness.clone(),
        split: s.split.as_ref().map(|split| {
            let parts = |terms: &[(Vec<u32>, Vec<Vec<f64>>)]| {
                terms.iter().map(|(exponents, rows)| (power(w, split, exponents), rows.clone())).collect()
            };
            SplitByPowers { damping: parts(&split.damping), stiffness: parts(&split.stiffness) }
        }),
    }
}

/// `v^2*g`, in the model's own syntax.
fn power(w: &Workbench, split: &Split, exponents: &[u32]) -> String {
    let factors: Vec<String> = split
        .letters
        .iter()
        .zip(exponents)
        .filter(|(_, e)| **e > 0)
        .map(|(&s, &e)| if e == 1 { w.g.name(s).to_owned() } else { format!("{}^{e}", w.g.name(s)) })
        .collect();
    if factors.is_empty() { "1".into() } else { factors.join("*") }
}

fn text(w: &Workbench, l: &Linearisation) -> String {
    let mut out = format!("{}\n\nAbout\n", w.system.name);
    for (s, x) in &l.about {
        let _ = writeln!(out, "  {} = {}", symbol(w, *s), significant(*x));
    }
    if !l.moving.is_empty() {
        out.push_str("\nThis is not a steady motion; not zero are\n");
        for (s, x) in &l.moving {
            let _ = writeln!(out, "  d/dt {} = {}", symbol(w, *s), significant(*x));
        }
    }
    let names: Vec<String> = l.variables.iter().map(|&s| symbol(w, s)).collect();
    let _ = writeln!(out, "\nJacobian of the closed part, rows and columns {}", names.join(", "));
    write_rows(&mut out, &l.matrix);
    out.push_str("\nEigenvalues\n");
    for z in &l.eigenvalues {
        let _ = writeln!(out, "  {}", eigenvalue(z));
    }
    if let Some(stable) = l.stable {
        if l.zero > 0 {
            let _ =
                writeln!(out, "of which {} vanish because of the family of steady motions and of integrals", l.zero);
        }
        let _ = writeln!(out, "Stability of the others: {}", stable.word());
    }
    if let Some(s) = &l.second_order {
        write_second_order(&mut out, w, s);
    }
    out
}

fn write_rows(out: &mut String, rows: &[Vec<f64>]) {
    let cells: Vec<Vec<String>> = rows.iter().map(|r| r.iter().map(|&x| significant(x)).collect()).collect();
    let width = cells.iter().flatten().map(|c| c.chars().count()).max().unwrap_or(0);
    for row in cells {
        let line: Vec<String> = row.into_iter().map(|c| format!("{c:>width$}")).collect();
        let _ = writeln!(out, "  {}", line.join("  "));
    }
}

fn write_second_order(out: &mut String, w: &Workbench, s: &SecondOrder) {
    let names: Vec<String> = s.coordinates.iter().map(|&s| symbol(w, s)).collect();
    let _ = writeln!(out, "\nM q″ + C q′ + K q = 0 for {}", names.join(", "));
    for (name, rows) in [("M", &s.mass), ("C", &s.damping), ("K", &s.stiffness)] {
        let _ = writeln!(out, "{name} =");
        write_rows(out, rows);
    }
    let Some(split) = &s.split else { return };
    for (name, terms) in [("C", &split.damping), ("K", &split.stiffness)] {
        for (exponents, rows) in terms {
            let _ = writeln!(out, "in {name}, with {}:", power(w, split, exponents));
            write_rows(out, rows);
        }
    }
}
