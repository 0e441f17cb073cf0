//! `noslip canonical`

use super::{expression, say, say_json, shown, symbol, written};
use crate::args::{CanonicalArgs, Format};
use crate::failure::{Failure, Outcome};
use crate::open::open;
use noslip::hamilton::canonical::{Canonical, IntegralCheck};
use noslip::mechanics::Workbench;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The canonical form, and the test of a complete integral.
pub fn run(args: &CanonicalArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let mut constants = Vec::new();
    for name in &args.constants {
        let constant = opened.model.declare_constant(name.trim());
        constants.push(constant.map_err(|e| Failure::at(&[e], "--constants", name.trim()))?);
    }
    let integral = match &args.integral {
        Some(text) => Some(expression(&mut opened, "--integral", text)?),
        None => None,
    };
    let model = &mut opened.model;
    let mut w = model.workbench();
    let c = Canonical::of(&mut w)?;
    let check = integral.map(|s| c.check_integral(&mut w, s, &constants));
    match args.format {
        Format::Json => say_json(&document(&mut w, &c, check.as_ref())),
        Format::Text => say(&text(&mut w, &c, check.as_ref())),
    }
    match check {
        Some(check) if !(check.satisfies.holds() && check.complete) => Err(Failure::no()),
        _ => Ok(()),
    }
}

fn document(w: &mut Workbench, c: &Canonical, check: Option<&IntegralCheck>) -> Value {
    let map = |w: &mut Workbench, prime: bool, list: &[noslip::expr::Expr]| -> Map<String, Value> {
        let symbols = if prime { w.system.velocities.clone() } else { c.momenta.clone() };
        symbols.iter().zip(list).map(|(&s, &e)| (w.g.name(s).to_owned(), json!(written(w, e)))).collect()
    };
    let momenta = map(w, false, &c.definitions);
    let velocities = map(w, true, &c.velocities);
    let rates = map(w, false, &c.rates);
    let multipliers: Vec<String> = c.multipliers.iter().map(|&e| written(w, e)).collect();
    let condition: Vec<String> = c.motion_condition.iter().map(|&e| written(w, e)).collect();
    let mut document = json!({
        "name": w.system.name,
        "momenta": momenta,
        "hamiltonian": written(w, c.hamiltonian),
        "velocities": velocities,
        "rates": rates,
        "multipliers": multipliers,
        "hamilton_jacobi": written(w, c.hamilton_jacobi),
        "verified": c.verified.word(),
        "is_motion": {
            "always": c.agreement.for_every_mu.word(),
            "for_momentum_choice": c.agreement.for_momentum_choice.word(),
            "choice_persists": c.agreement.choice_persists,
            "condition": condition,
        },
    });
    if let Some(check) = check {
        let constants = check.integrals.iter().filter(|_| check.satisfies.holds());
        let integrals: Vec<String> = constants.map(|&e| written(w, e)).collect();
        let condition: Vec<String> = check.motion_condition.iter().map(|&e| written(w, e)).collect();
        document["integral"] = json!({
            "satisfies": check.satisfies.word(), "complete": check.complete,
            "residual": written(w, check.residual), "integrals": integrals,
            "is_motion": check.is_motion.word(), "condition": condition,
        });
    }
    document
}

fn text(w: &mut Workbench, c: &Canonical, check: Option<&IntegralCheck>) -> String {
    let mut out = format!("{}\n\nGeneralised momenta\n", w.system.name);
    for (&s, &e) in c.momenta.iter().zip(&c.definitions) {
        let _ = writeln!(out, "    {} = {}", symbol(w, s), shown(w, e));
    }
    let _ = writeln!(out, "H₁ = {}", shown(w, c.hamiltonian));
    let _ = writeln!(out, "Canonical equations (q' = ∂H₁/∂π: {})", c.verified.answer());
    for (s, &e) in w.system.velocities.clone().into_iter().zip(&c.velocities) {
        let _ = writeln!(out, "    {} = {}", symbol(w, s), shown(w, e));
    }
    for (&s, &e) in c.momenta.iter().zip(&c.rates) {
        let _ = writeln!(out, "    {} = {}", rate(w, s), shown(w, e));
    }
    let _ = writeln!(out, "Generalised Hamilton–Jacobi equation\n    {} = 0", shown(w, c.hamilton_jacobi));
    out.push_str("A solution is a motion of the nonholonomic system iff along it (Rumyantsev's condition)\n");
    let conditions: Vec<_> = c.motion_condition.iter().copied().filter(|&e| !w.g.is_zero(e)).collect();
    for &e in &conditions {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    if conditions.is_empty() {
        out.push_str("    0 = 0\n");
    }
    let _ = writeln!(out, "  for every solution: {}", c.agreement.for_every_mu.answer());
    let persist = if c.agreement.choice_persists { "; they stay zero" } else { "" };
    let word = c.agreement.for_momentum_choice.answer();
    let _ = writeln!(out, "  where the momenta of the dependent coordinates vanish: {word}{persist}");
    if let Some(check) = check {
        let _ = writeln!(out, "\nThe proposed integral satisfies the equation: {}", check.satisfies.answer());
        if !check.satisfies.holds() {
            let _ = writeln!(out, "  what is left: {}", shown(w, check.residual));
        }
        let _ = writeln!(out, "  it is {}complete", if check.complete { "" } else { "not " });
        // What is no solution has no constants.
        for &e in check.integrals.iter().filter(|_| check.satisfies.holds()) {
            let _ = writeln!(out, "  constant along solutions: {}", shown(w, e));
        }
        let _ = writeln!(out, "  is every solution it gives a motion of the system? {}", check.is_motion.answer());
        let open: Vec<_> = check.motion_condition.iter().copied().filter(|&e| !w.g.is_zero(e)).collect();
        for &e in open.iter().filter(|_| !check.is_motion.holds()) {
            let _ = writeln!(out, "    those are along which {} = 0", shown(w, e));
        }
    }
    out
}

/// π̇ as it is written beside π.
fn rate(w: &mut Workbench, s: noslip::expr::Symbol) -> String {
    let dot = w.g.dot(s);
    symbol(w, dot)
}
