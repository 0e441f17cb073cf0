//! Forms of the equations: no two disagree, and the judge finds each one right.

use super::Reached::{Answered, Refused};
use super::{Trial, changed_model, limits};
use crate::judge::{Judge, Opinion};
use crate::random::Random;
use noslip::Workbench;
use noslip::expr::Known;
use noslip::forms::{FORMS, Form};
use noslip::model::Model;
use noslip::verify::agreement;

/// A form of a changed model does not disagree.
pub fn models(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let Some((text, model)) = changed_model(&mut random) else { return Ok(Refused) };
    let mut w = model.workbench();
    w.limits = limits();
    does_not_disagree(&mut w, *random.pick(FORMS), &text)
}

/// A form of a model of the gallery: its verdict, and what the judge says of its equations at states on the constraints.
pub fn gallery(seed: u64) -> Trial {
    let pick = seed as usize;
    let (name, text) = noslip_gallery::MODELS[pick % noslip_gallery::MODELS.len()];
    let form = FORMS[pick / noslip_gallery::MODELS.len() % FORMS.len()];
    let model = Model::load(text, name, &limits()).map_err(|e| format!("{e:?}"))?;
    let mut w = model.workbench();
    w.limits = limits();
    is_judged_right(&mut w, form, name, &mut Random::new(seed))
}

/// A form of a random system, made by the grammar: a positive kinetic energy, forces, constraints of several kinds.
pub fn systems(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let text = system(&mut random);
    let model = Model::load(&text, "random.toml", &limits());
    let Ok(model) = model else { return Ok(Refused) };
    let mut w = model.workbench();
    w.limits = limits();
    is_judged_right(&mut w, *random.pick(FORMS), &text, &mut random)
}

/// The text of a model with two to four coordinates.
fn system(random: &mut Random) -> String {
    let n = 2 + random.below(3);
    let names = &["x", "y", "z", "w"][..n];
    let velocities: Vec<String> = names.iter().map(|q| format!("{q}'")).collect();
    // A sum of squares is positive whatever its coefficients are.
    let mut kinetic: Vec<String> = velocities.iter().map(|v| format!("{}*{v}^2/2", 1 + random.below(4))).collect();
    for _ in 0..random.below(3) {
        let (a, b) = (random.expression(names, 1), random.expression(names, 1));
        let (v, u) = (random.pick(&velocities), random.pick(&velocities));
        kinetic.push(format!("(({a})*{v} + ({b})*{u})^2/2"));
    }
    let potential = random.expression(names, 2);
    let all: Vec<&str> = names.iter().copied().chain(velocities.iter().map(String::as_str)).chain(["t"]).collect();
    let force = random.expression(&all, 2);
    let k = 1 + random.below(n - 1);
    let mut constraints = String::new();
    for i in 0..k {
        let dependent = &velocities[n - 1 - i];
        let free = &velocities[..n - k];
        let mut sum: Vec<String> = free.iter().map(|v| format!("({})*{v}", random.expression(names, 2))).collect();
        match random.below(8) {
            0 => sum.push(random.expression(&[names[0], "t"], 1)),
            1 => sum = vec![format!("sqrt(1 + {}^2)", free[0])],
            2 => sum.push(format!("{}^2", free[0])),
            _ => {}
        }
        constraints += &format!("c{i} = \"{dependent} = {}\"\n", sum.join(" + "));
    }
    let quoted: Vec<String> = names.iter().map(|q| format!("\"{q}\"")).collect();
    format!(
        "noslip = 1\n[system]\nname = \"random\"\ncoordinates = [{}]\n[energy]\nkinetic = \"{}\"\npotential = \"{potential}\"\n\
         [forces]\n{} = \"{force}\"\n[constraints]\n{constraints}",
        quoted.join(", "),
        kinetic.join(" + "),
        random.pick(names),
    )
}

fn does_not_disagree(w: &mut Workbench, form: &dyn Form, name: &str) -> Trial {
    let Ok(eq) = form.derive(w) else { return Ok(Refused) };
    match agreement(w, &eq).known {
        Known::Refuted(why) => Err(format!("{} disagrees: {why:?}\n{name}", form.id())),
        Known::Unknown { .. } => Ok(Refused),
        _ => Ok(Answered),
    }
}

/// The form agrees with Lagrange's equations, or nothing is said; and what is said the judge does not contradict.
fn is_judged_right(w: &mut Workbench, form: &dyn Form, name: &str, random: &mut Random) -> Trial {
    let Ok(eq) = form.derive(w) else { return Ok(Refused) };
    let verdict = agreement(w, &eq);
    if !verdict.holds() {
        return match verdict.known {
            Known::Refuted(why) => Err(format!("{} disagrees: {why:?}\n{name}", form.id())),
            _ => Ok(Refused),
        };
    }
    let mut equations = eq.equations.clone();
    for &(s, e) in eq.reactions.iter().chain(&eq.velocities).chain(&eq.accelerations) {
        let symbol = w.g.symbol(s);
        equations.push(w.g.sub(e, symbol));
    }
    let variables: Vec<_> = eq.variables.iter().map(|&(s, e)| (s, w.g.dot(s), e)).collect();
    let n = w.system.n();
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(Answered) };
    for scale in [1.0, 2.5] {
        let mut draw = |n: usize| (0..n).map(|_| (random.unit() * scale * 64.0).round() / 64.0).collect::<Vec<_>>();
        let (q, v) = (draw(n), draw(n));
        let Some(p) = judge.admitted(0.5, &q, &v) else { continue };
        let Some(opinions) = judge.opinions(&variables, &equations, &p) else { continue };
        if let Some(i) = opinions.iter().position(|o| *o == Opinion::Nonzero) {
            let word = verdict.word();
            return Err(format!("{}: {word}, but expression {i} is not zero near {q:?}\n{name}", form.id()));
        }
    }
    Ok(Answered)
}
