//! `noslip inverse`

use super::{say, say_json, shown, written};
use crate::args::{Format, InverseArgs};
use crate::failure::{Failure, Outcome};
use crate::open::open;
use noslip::analysis::KineticPotential;
use noslip::expr::Known;
use noslip::hamilton::inverse::{InverseProblem, ReducedProblem, inverse_problem};
use noslip::mechanics::Workbench;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Decides whether the equations are Lagrangian as they stand.
pub fn run(args: &InverseArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    let a = inverse_problem(&mut w);
    match args.format {
        Format::Json => say_json(&document(&mut w, &a)),
        Format::Text => say(&text(&mut w, &a)),
    }
    match a.lagrangian() {
        Known::Proved | Known::Tested { .. } | Known::Numerical => Ok(()),
        Known::Refuted(_) => Err(Failure::no()),
        Known::Unknown(_) => Err(Failure::computation(format!(
            "error: whether the equations are Lagrangian as they stand is not decided{}",
            a.reduced.as_ref().err().map(|why| format!(": {why}")).unwrap_or_default()
        ))),
    }
}

fn document(w: &mut Workbench, a: &InverseProblem) -> Value {
    let multipliers: Map<String, Value> = w
        .system
        .constraints
        .iter()
        .zip(&a.multipliers_vanish)
        .map(|(c, t)| (c.name.clone(), json!(t.word())))
        .collect();
    let form: Map<String, Value> =
        a.lagrange_form.iter().map(|(s, t)| (w.g.name(*s).to_owned(), json!(t.word()))).collect();
    let lagrangian = match a.lagrangian() {
        Known::Unknown(_) => Value::Null,
        truth => json!(truth.holds()),
    };
    let mut document = json!({
        "name": w.system.name,
        "lagrangian": lagrangian,
        "how": if a.lagrangian().is_refuted() { "proved" } else { a.lagrangian().word() },
        "multipliers_vanish": multipliers,
        "free_forces_have_potential": a.free_forces.word(),
        "lagrange_form": form,
        "form_forces_have_potential": a.form_forces.word(),
    });
    document["reduced"] = match &a.reduced {
        Err(why) => json!({"applies": false, "why": why}),
        Ok(r) => {
            let coordinates: Vec<&str> = r.coordinates.iter().map(|&s| w.g.name(s)).collect();
            let coordinates = json!(coordinates);
            let equations: Vec<String> = r.equations.iter().map(|&e| written(w, e)).collect();
            json!({
                "applies": true, "coordinates": coordinates, "equations": equations, "helmholtz": r.helmholtz.word(),
                "obstruction": r.obstruction.map(|e| written(w, e)), "kinetic_potential": potential(w, r),
            })
        }
    };
    document
}

fn potential(w: &mut Workbench, r: &ReducedProblem) -> Value {
    match r.kinetic_potential {
        None => Value::Null,
        Some(KineticPotential::Found { factor, potential }) => json!({
            "found": true, "factor": written(w, factor), "lagrangian": written(w, potential),
            "verified": r.potential_verified.as_ref().map(Known::word),
        }),
        Some(KineticPotential::Quadratures { multiplier: [by_t, by_r], closed, force }) => json!({
            "found": false, "multiplier_gradient": {"t": written(w, by_t), "q": written(w, by_r)},
            "multiplier": closed.map(|e| written(w, e)), "force": written(w, force),
        }),
        Some(KineticPotential::Open) => json!({"found": false}),
    }
}

fn text(w: &mut Workbench, a: &InverseProblem) -> String {
    let mut out = format!("{}\n\nDo the multipliers vanish along every motion?\n", w.system.name);
    for (c, t) in w.system.constraints.iter().zip(&a.multipliers_vanish) {
        let _ = writeln!(out, "  {:<24} {}", c.name, answer(t));
    }
    let vanish = !a.multipliers_vanish.is_empty() && a.multipliers_vanish.iter().all(|t| t.holds());
    write_forces(&mut out, vanish, &a.free_forces);
    out.push_str("Is Lagrange's equation of T°, constraints inserted, right?\n");
    for (s, t) in &a.lagrange_form {
        let _ = writeln!(out, "  {:<24} {}", w.g.name(*s), answer(t));
    }
    let form = !a.lagrange_form.is_empty() && a.lagrange_form.iter().all(|(_, t)| t.holds());
    write_forces(&mut out, form, &a.form_forces);
    match &a.reduced {
        Ok(r) => write_reduced(&mut out, w, r),
        Err(why) => _ = writeln!(out, "There are no closed reduced equations: {why}"),
    }
    out.push('\n');
    out.push_str(match a.lagrangian() {
        Known::Proved => "The equations of motion are Lagrangian as they stand.\n",
        Known::Tested { .. } | Known::Numerical => {
            "The equations of motion are Lagrangian as they stand (tested at random states).\n"
        }
        Known::Refuted(_) => "The reduced equations of motion are not Lagrangian as they stand.\n",
        Known::Unknown(_) => "Whether the equations of motion are Lagrangian as they stand is not decided.\n",
    });
    out
}

/// Lagrange's form is not enough: the forces must have a potential too.
fn write_forces(out: &mut String, form: bool, forces: &Known) {
    if form && !forces.holds() {
        let word = if forces.is_refuted() { "have no potential" } else { "are not known to have a potential" };
        let _ = writeln!(out, "  … but the forces {word}");
    }
}

fn write_reduced(out: &mut String, w: &mut Workbench, r: &ReducedProblem) {
    let names: Vec<&str> = r.coordinates.iter().map(|&s| w.g.name(s)).collect();
    let _ = writeln!(out, "The reduced equations in {}", names.join(", "));
    for &e in &r.equations {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    let _ = writeln!(out, "Do they satisfy Helmholtz's conditions? {}", answer(&r.helmholtz));
    if let Some(e) = r.obstruction {
        let _ = writeln!(out, "  what should vanish and does not: {}", shown(w, e));
    }
    match r.kinetic_potential {
        None => {}
        Some(KineticPotential::Found { factor, potential }) => {
            let word = r.potential_verified.as_ref().map_or("unknown", Known::answer);
            let (factor, potential) = (shown(w, factor), shown(w, potential));
            let _ = writeln!(out, "Kinetic potential Θ = {potential}");
            let _ = writeln!(out, "  its Lagrange equation is the reduced one times {factor}: {word}");
        }
        Some(KineticPotential::Quadratures { multiplier: [by_t, by_r], closed, force }) => {
            let q = w.g.name(r.coordinates[0]).to_owned();
            let force = shown(w, force);
            let _ = writeln!(out, "Kinetic potential Θ = ½ M {q}'² + ∫ M·({force}) d{q}");
            let _ = match closed {
                Some(m) => writeln!(out, "  M = {}; the integral was not found in closed form", shown(w, m)),
                None => {
                    let (by_t, by_r) = (shown(w, by_t), shown(w, by_r));
                    writeln!(out, "  d ln M = ({by_t}) dt + ({by_r}) d{q}, which was not integrated in closed form")
                }
            };
        }
        Some(KineticPotential::Open) => {
            out.push_str("A kinetic potential exists, as always with one degree of freedom, but no quadrature for it was found.\n");
        }
    }
}

fn answer(t: &Known) -> &'static str {
    match t {
        Known::Proved => "yes: proved",
        Known::Tested { .. } | Known::Numerical => "yes: tested",
        Known::Refuted(_) => "no",
        Known::Unknown(_) => "not decided",
    }
}
