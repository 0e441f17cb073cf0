//! `noslip inverse`

use super::{say, say_json, shown, written};
use crate::args::{Format, InverseArgs};
use crate::failure::{Failure, Outcome};
use crate::open::open;
use noslip::beyond::inverse::inverse_problem;
use noslip::forms::Workbench;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Decides whether the equations are Lagrangian as they stand.
pub fn run(args: &InverseArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let model = &mut opened.model;
    let mut w = Workbench::new(&mut model.arena, &model.system);
    let a = inverse_problem(&mut w);
    let potential = a.reduced.as_ref().ok().and_then(|f| f.kinetic_potential);
    if args.format == Format::Json {
        let multipliers: Map<String, Value> = w
            .system
            .constraints
            .iter()
            .zip(&a.multipliers_vanish)
            .map(|(c, t)| (c.name.clone(), json!(t.word())))
            .collect();
        let form: Map<String, Value> =
            a.lagrange_form.iter().map(|(s, t)| (w.g.name(*s).to_owned(), json!(t.word()))).collect();
        let obstruction = a.obstruction.map(|e| written(&mut w, e));
        let potential = potential.map(|(factor, l)| {
            json!({"factor": written(&mut w, factor), "lagrangian": written(&mut w, l),
                   "verified": a.potential_verified.map(|t| t.word())})
        });
        say_json(&json!({
            "name": w.system.name,
            "lagrangian": a.lagrangian(),
            "multipliers_vanish": multipliers,
            "lagrange_form": form,
            "self_adjoint": a.reduced.as_ref().ok().map(|f| f.self_adjoint),
            "why_not_reduced": a.reduced.as_ref().err(),
            "obstruction": obstruction,
            "kinetic_potential": potential,
        }));
    } else {
        let mut out = format!("{}\n\nDo the multipliers vanish along every motion?\n", w.system.name);
        for (c, t) in w.system.constraints.iter().zip(&a.multipliers_vanish) {
            let _ = writeln!(out, "  {:<24} {}", c.name, t.word());
        }
        out.push_str("Is Lagrange's equation of T°, constraints inserted, right?\n");
        for (s, t) in &a.lagrange_form {
            let _ = writeln!(out, "  {:<24} {}", w.g.name(*s), t.word());
        }
        match &a.reduced {
            Ok(f) => {
                let word = if f.self_adjoint { "yes" } else { "no" };
                let _ = writeln!(out, "Do the reduced equations satisfy Helmholtz's conditions? {word}");
            }
            Err(why) => _ = writeln!(out, "There are no closed reduced equations: {why}"),
        }
        if let Some(e) = a.obstruction {
            let _ = writeln!(out, "  what should vanish and does not: {}", shown(&mut w, e));
        }
        if let Some((factor, l)) = potential {
            let word = a.potential_verified.map_or("unknown", |t| t.word());
            let (factor, l) = (shown(&mut w, factor), shown(&mut w, l));
            let _ = writeln!(out, "Kinetic potential {l}, with the integrating factor {factor}: {word}");
        }
        let word = if a.lagrangian() { "" } else { "not " };
        let _ = writeln!(out, "\nThe equations of motion are {word}Lagrangian as they stand.");
        say(&out);
    }
    if a.lagrangian() { Ok(()) } else { Err(Failure::no()) }
}
