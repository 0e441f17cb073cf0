//! Verdicts on claims: what is known of them by construction, and what the judge says.

use super::Reached::{Answered, Refused};
use super::{Trial, limits};
use crate::judge::{Judge, Opinion};
use crate::random::Random;
use noslip::expr::{Assignment, Expr};
use noslip::model::{Claims, Model};
use noslip::verify::{Reach, follows};

/// A small system with a constraint between velocities, and claims that are true and false by construction.
pub fn claims(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let slope = random.expression(&["x", "y"], 2);
    let force = random.expression(&["x", "y'", "x'", "z'"], 2);
    let model = format!(
        "noslip = 1\n[system]\nname = \"random\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + 2*y'^2 + z'^2)/2\"\n\
         potential = \"x*y\"\n[forces]\nx = \"{force}\"\n[constraints]\nc = \"z' = ({slope})*x'\"\n"
    );
    // z' stands for what the constraint says, inside functions too.
    let f = *random.pick(&["sin", "exp", "tanh", "cos", "atan", "cosh"]);
    let factor = random.expression(&["x", "y'", "x'"], 2);
    let (a, b) = (format!("({factor})*z'"), format!("({factor})*(({slope})*x')"));
    let (claim, truth) = match random.below(6) {
        0 => (format!("{f}({a}) = {f}({b})"), Some(true)),
        1 => (format!("{a} + y'' = {b} + y''"), Some(true)),
        2 => (format!("{f}({a}) + ({})*x^2/10^{} = {f}({b})", 1 + random.below(9), random.below(30)), Some(false)),
        3 => (format!("2*y'' + x = {f}({a}) - {f}({b})"), Some(true)),
        4 => {
            let claim = format!("abs(z' - {}) = {} - z'", 20 + random.below(300), 20 + random.below(300));
            // Where the constraint says z' = 0 it may be true.
            (claim, (!vanishes(&model, &slope)).then_some(false))
        }
        _ => (format!("{} = 0", random.expression(&["x", "y", "z'", "x''", "lambda_c"], 3)), None),
    };
    claim_is_judged_right(&model, &claim, truth)
}

/// Is the expression zero at two places, and so everywhere?
fn vanishes(model: &str, text: &str) -> bool {
    let Ok(mut model) = Model::load(model, "random.toml", &limits()) else { return false };
    let Ok(e) = model.expression(text) else { return false };
    [(0.37, 1.91), (-2.3, 0.77)].into_iter().all(|(x, y)| {
        let mut values = Assignment::new();
        values.set(model.system.coordinates[0], x);
        values.set(model.system.coordinates[1], y);
        model.arena.evaluate(&[e], &values).first() == Some(&0.0)
    })
}

/// A small system, with an initial position and constraints that may be integrable, and claims on positions: branches, jumps,
/// integrals that the initial position fixes.
pub fn positions(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let (x, y) = (random.below(40) as f64 / 8.0 - 2.5, random.below(40) as f64 / 8.0 - 2.5);
    let slope = *random.pick(&["2", "y", "x", "cos(x)", "x*y", "1/(1 + x^2)", "exp(-x)", "sin(y)"]);
    let model = format!(
        "noslip = 1\n[system]\nname = \"random\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
         [constraints]\nc = \"z' = ({slope})*x'\"\n[initial]\nposition = {{ x = {x}, y = {y}, z = 0.25 }}\n"
    );
    let u = random.expression(&["x", "y"], 2);
    let (claim, truth) = match random.below(8) {
        0 => (format!("sign({u}) = {}", random.pick(&["1", "-1"])), None),
        1 => (format!("atan(tan({u})) = {u}"), None),
        2 => (format!("abs({u})*sign({u}) = {u}"), Some(true)),
        3 => (format!("atan2(sin({u}), cos({u})) = {u}"), None),
        4 => ("x = x + 1/10^15".to_owned(), Some(false)),
        5 => (format!("sqrt(({u})^2) = abs({u})"), Some(true)),
        6 if slope == "2" => {
            let off = *random.pick(&["0", "1/10^13", "1/10^20", "1/10^9"]);
            (format!("z - 0.25 = 2*(x - ({x})) + {off}"), Some(off == "0"))
        }
        6 if slope == "cos(x)" => (format!("z - 0.25 = sin(x) - sin({x})"), Some(true)),
        _ => (format!("{u} = {}", random.expression(&["x", "y", "z"], 1)), None),
    };
    claim_is_judged_right(&model, &claim, truth)
}

/// As [`claim_is_judged_right`]; and it must be decided where `decided` says so.
pub fn claim_is_judged_right_as(text: &str, claim: &str, truth: Option<bool>, decided: bool) -> Trial {
    claim_is_judged_right(text, claim, truth)?;
    let mut model = Model::load(text, "claim.toml", &limits()).map_err(|e| format!("{e:?}"))?;
    let parsed = Claims::equation(claim, &mut model, &limits()).map_err(|e| format!("`{claim}`: {e:?}"))?;
    match follows(&mut model.workbench(), parsed.expr).why_undecided() {
        Some(why) if decided => Err(format!("`{claim}` is not decided any more: {why}\n{text}")),
        _ => Ok(Answered),
    }
}

/// Is the verdict on a claim what is known of it, and what the judge says?
pub fn claim_is_judged_right(text: &str, claim: &str, truth: Option<bool>) -> Trial {
    let Ok(mut model) = Model::load(text, "random.toml", &limits()) else { return Ok(Refused) };
    let Ok(parsed) = Claims::equation(claim, &mut model, &limits()) else { return Ok(Refused) };
    verdict_is_right(model, parsed.expr, &format!("`{claim}` in\n{text}\n"), truth)
}

fn verdict_is_right(model: Model, claim: Expr, name: &str, truth: Option<bool>) -> Trial {
    let mut w = model.workbench();
    w.limits = limits();
    let finding = follows(&mut w, claim);
    let complaint = |what: &str| Err(format!("{name} {what}"));
    if finding.holds() && truth == Some(false) {
        return complaint(&format!("is false and holds ({finding:?})"));
    }
    if finding.fails() && truth == Some(true) {
        return complaint("is true and does not hold");
    }
    if finding.why_undecided().is_some() {
        return Ok(Refused);
    }
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(Refused) };
    if finding.fails() {
        let Some(c) = finding.counterexample() else { return complaint("is refuted without a state") };
        let Some(p) = judge.admitted(c.state.t, &c.state.q, &c.state.v) else { return Ok(Refused) };
        return match judge.opinion(claim, &p) {
            Opinion::Zero => complaint(&format!("is refuted by a state where it holds: {:?}", c.state)),
            _ => Ok(Answered),
        };
    }
    // On the motions from the initial position only: other states say nothing.
    if finding.reach == Reach::Leaf {
        return Ok(Answered);
    }
    let n = w.system.n();
    let mut random = Random::new(name.len() as u64);
    for scale in [1.0, 3.0, 30.0] {
        let mut draw = |n: usize| (0..n).map(|_| (random.unit() * scale * 64.0).round() / 64.0).collect::<Vec<_>>();
        let (q, v) = (draw(n), draw(n));
        let Some(p) = judge.admitted(0.5, &q, &v) else { continue };
        if judge.opinion(claim, &p) == Opinion::Nonzero {
            return complaint(&format!("holds ({finding:?}), but not at q = {q:?}, v near {v:?}"));
        }
    }
    Ok(Answered)
}

/// An equation that a book prints about a model of the gallery: its verdict is what is expected, and the judge agrees.
pub fn books(seed: u64) -> Trial {
    let (name, text) = noslip_gallery::CLAIMS[seed as usize % noslip_gallery::CLAIMS.len()];
    let model_name = name.rsplit('/').next().unwrap_or(name);
    let Some(source) = noslip_gallery::find(model_name) else { return Err(format!("{name}: no such model")) };
    let mut model = Model::load(source, model_name, &limits()).map_err(|e| format!("{e:?}"))?;
    let claims = Claims::load(text, &mut model, &limits()).map_err(|e| format!("{e:?}"))?;
    let number = seed as usize / noslip_gallery::CLAIMS.len();
    let Some(claim) = claims.claims.get(number) else { return Ok(Refused) };
    verdict_is_right(model, claim.expr, &format!("{name}, {}", claim.id), claim.expect)
}
