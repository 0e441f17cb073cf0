//! `noslip hamiltonise`

use super::{expression, say, say_json, shown, symbol, written};
use crate::args::{Format, HamiltoniseArgs};
use crate::failure::{Failure, Outcome};
use crate::open::{open, unknown};
use noslip::expr::Known;
use noslip::expr::Symbol;
use noslip::hamilton::hamiltonise::{
    Arzhanykh, Finding, Hamiltonisation, arzhanykh, chaplygin, proposed, quasi_coordinates, with_independent,
};
use noslip::mechanics::Workbench;
use serde_json::{Value, json};
use std::fmt::Write;

/// Finds or tests a reducing multiplier.
pub fn run(args: &HamiltoniseArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let candidate = match &args.multiplier {
        Some(text) => Some(expression(&mut opened, "--multiplier", text)?),
        None => None,
    };
    let model = &mut opened.model;
    if !args.independent.is_empty() {
        let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
        let mut chosen = Vec::new();
        for name in &args.independent {
            let i = known.iter().position(|&n| n == name.trim());
            let i = i.ok_or_else(|| unknown("`--independent`: ", "coordinate", name, &known))?;
            chosen.push(model.system.coordinates[i]);
        }
        model.system = with_independent(&mut model.arena, &model.system, &chosen);
    }
    let mut w = model.workbench();
    if let Some(n) = candidate {
        let answer = proposed(&mut w, n)?;
        match args.format {
            Format::Json => say_json(&json!({"name": w.system.name, "proposed": system(&mut w, &answer)})),
            Format::Text => {
                let mut out = format!("{}\n", w.system.name);
                write_system(&mut out, &mut w, &answer);
                say(&out);
            }
        }
        return if answer.verified.holds() { Ok(()) } else { Err(Failure::no()) };
    }
    let found = [("coordinates", chaplygin(&mut w)), ("quasi-coordinates", quasi_coordinates(&mut w))];
    let substitution = arzhanykh(&mut w);
    match args.format {
        Format::Json => {
            let mut document = json!({"name": w.system.name});
            for (name, f) in &found {
                document[name.replace('-', "_")] = match f {
                    Ok(f) => finding(&mut w, f),
                    Err(why) => json!({"applies": false, "why": why}),
                };
            }
            document["arzhanykh"] = match &substitution {
                Ok(a) => json!({
                    "applies": true, "coordinate": w.g.name(a.coordinate), "other": w.g.name(a.other),
                    "A": written(&mut w, a.a), "B": written(&mut w, a.b), "finding": finding(&mut w, &a.finding),
                }),
                Err(why) => json!({"applies": false, "why": why}),
            };
            say_json(&document);
        }
        Format::Text => {
            let mut out = format!("{}\n", w.system.name);
            for (name, f) in &found {
                let _ = writeln!(out, "\nIn {name}");
                match f {
                    Ok(f) => write_finding(&mut out, &mut w, f),
                    Err(why) => _ = writeln!(out, "  the question does not arise: {why}"),
                }
            }
            write_substitution(&mut out, &mut w, &substitution);
            say(&out);
        }
    }
    let findings: Vec<&Finding> = found
        .iter()
        .filter_map(|(_, f)| f.as_ref().ok())
        .chain(substitution.as_ref().ok().map(|a| &a.finding))
        .collect();
    if findings.is_empty() {
        let why: Vec<&str> = found.iter().filter_map(|(_, f)| f.as_ref().err()).map(String::as_str).collect();
        return Err(Failure::computation(format!("error: a reducing multiplier does not apply: {}", why.join("; "))));
    }
    let exists: Vec<Known> = findings.iter().map(|f| f.exists()).collect();
    if exists.iter().any(|t| t.holds()) {
        Ok(())
    } else if exists.iter().all(Known::is_refuted) {
        Err(Failure::no())
    } else {
        Err(Failure::computation("error: neither a multiplier nor a proof that there is none was found"))
    }
}

fn names(w: &Workbench, symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(|&s| w.g.name(s).to_owned()).collect()
}

fn finding(w: &mut Workbench, f: &Finding) -> Value {
    let gradient: Vec<String> = f.condition.gradient.iter().map(|&e| written(w, e)).collect();
    json!({
        "applies": true,
        "coordinates": names(w, &f.condition.coordinates),
        "exists": f.condition.exists,
        "how": if f.exists().is_refuted() { "proved" } else { f.exists().word() },
        "gradient": gradient,
        "obstruction": f.condition.obstruction.map(|e| written(w, e)),
        "system": f.system.as_ref().map(|s| system(w, s)),
    })
}

fn system(w: &mut Workbench, s: &Hamiltonisation) -> Value {
    let equations: Vec<String> = s.equations.iter().map(|&e| written(w, e)).collect();
    let other_forces: Vec<String> = s.other_forces.iter().map(|&e| written(w, e)).collect();
    json!({
        "coordinates": names(w, &s.coordinates),
        "multiplier": written(w, s.multiplier),
        "lagrangian": written(w, s.lagrangian),
        "other_forces": other_forces,
        "equations": equations,
        "verified": s.verified.word(),
        "difference": s.difference.map(|e| written(w, e)),
        "measure": written(w, s.measure),
        "measure_invariant": s.measure_invariant.word(),
    })
}

fn write_finding(out: &mut String, w: &mut Workbench, f: &Finding) {
    let list: Vec<String> = f.condition.coordinates.iter().map(|&s| symbol(w, s)).collect();
    let coordinates = list.join(", ");
    for (&s, v) in f.condition.coordinates.iter().zip(&f.condition.quasi_velocities) {
        if let Some(v) = v {
            let _ = writeln!(out, "  {} is the quasi-coordinate with the velocity {}", symbol(w, s), symbol(w, *v));
        }
    }
    for (&s, &e) in f.condition.coordinates.iter().zip(&f.condition.gradient) {
        let _ = writeln!(out, "  ∂ ln N/∂{} = {}", symbol(w, s), shown(w, e));
    }
    if !f.condition.exists {
        let _ = match f.exists() {
            Known::Refuted(_) => writeln!(out, "  no multiplier N({coordinates}) exists: proved"),
            _ => writeln!(out, "  a multiplier N({coordinates}) does not seem to exist; this is tested, not proved"),
        };
        if let Some(e) = f.condition.obstruction {
            let what = match f.condition.gradient.is_empty() {
                true => "the conditions on ∂ ln N contradict each other: their determinant is",
                false => "the condition of compatibility fails: the mixed derivatives of ln N differ by",
            };
            let _ = writeln!(out, "  {what} {}", shown(w, e));
        }
        return;
    }
    match &f.system {
        Some(s) => write_system(out, w, s),
        None => {
            let word = f.exists().answer();
            let _ = writeln!(out, "  N({coordinates}) exists ({word}); its quadrature was not found in closed form");
        }
    }
}

fn write_system(out: &mut String, w: &mut Workbench, s: &Hamiltonisation) {
    let _ = writeln!(out, "  dτ = N dt with N = {}", shown(w, s.multiplier));
    let _ = writeln!(out, "  Lagrangian in the new time (dots are derivatives by τ): {}", shown(w, s.lagrangian));
    for (&q, &e) in s.coordinates.iter().zip(&s.other_forces) {
        if !w.g.is_zero(e) {
            let _ = writeln!(out, "  beside it the force on {}: {}", symbol(w, q), shown(w, e));
        }
    }
    for &e in &s.equations {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    let _ = writeln!(out, "  are these the equations of motion, back in t? {}", s.verified.answer());
    if let Some(e) = s.difference {
        let _ = writeln!(out, "  the difference is {}", shown(w, e));
    }
    let _ = writeln!(
        out,
        "  density of the measure in coordinates and velocities: {} (invariant: {})",
        shown(w, s.measure),
        s.measure_invariant.answer()
    );
}

fn write_substitution(out: &mut String, w: &mut Workbench, a: &Result<Arzhanykh, String>) {
    out.push_str("\nArzhanykh's substitution\n");
    match a {
        Err(why) => _ = writeln!(out, "  does not apply: {why}"),
        Ok(a) => {
            let (one, two) = (symbol(w, a.coordinate), symbol(w, a.other));
            let _ = writeln!(out, "  the inertia depends on {one} alone; d{two} = A dη + B d{one}");
            if w.g.is_one(a.a) && w.g.is_zero(a.b) {
                let _ = writeln!(out, "  A = 1 and B = 0: η is {two}, see above");
                return;
            }
            let _ = writeln!(out, "  A = {}", shown(w, a.a));
            let _ = writeln!(out, "  B = {}", shown(w, a.b));
            write_finding(out, w, &a.finding);
        }
    }
}
