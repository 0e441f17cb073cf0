//! Runs tell the truth: samples are finite and on the constraints, or the outcome says what is not.

use super::Reached::{Answered, Refused};
use super::{Trial, WORDS, changed_model, limits};
use crate::random::Random;
use noslip::expr::Node;
use noslip::model::{Model, Overrides};
use noslip::simulate::{METHODS, Settings, simulate, values_along};

/// A run of a changed model says how it ended, and its samples are numbers.
pub fn runs(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let Some((text, model)) = changed_model(&mut random) else { return Ok(Refused) };
    run_is_true(&mut random, &text, model, &Overrides::default())
}

/// A run of a model of the gallery with other values: of parameters, of the initial state, large, small, zero, negative.
pub fn values(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let (_, text) = random.pick(noslip_gallery::MODELS);
    let model = Model::load(text, "gallery.toml", &limits()).map_err(|e| format!("{e:?}"))?;
    let value = |random: &mut Random| match random.below(7) {
        0 => 0.0,
        1 => -random.unit().abs(),
        2 => 1e6 * random.unit(),
        3 => 1e-6 * random.unit(),
        4 => 1e150 * random.unit(),
        _ => 3.0 * random.unit(),
    };
    let mut overrides = Overrides::default();
    for _ in 0..=random.below(3) {
        let i = random.below(model.system.n());
        match random.below(3) {
            0 if !model.system.parameters.is_empty() => {
                let symbol = random.pick(&model.system.parameters).symbol;
                overrides.parameters.push((symbol, value(&mut random)));
            }
            1 => overrides.position.push((i, value(&mut random))),
            _ => overrides.velocity.push((i, value(&mut random))),
        }
    }
    let said = format!("{overrides:?}\n{text}");
    run_is_true(&mut random, &said, model, &overrides)
}

fn run_is_true(random: &mut Random, text: &str, mut model: Model, overrides: &Overrides) -> Trial {
    let Ok(state) = model.initial_state(overrides) else { return Ok(Refused) };
    // Other values of parameters are put where a model has them.
    for &(symbol, x) in &overrides.parameters {
        let Some(x) = noslip::expr::Rational::from_f64(x) else { return Ok(Refused) };
        let e = model.arena.number(x);
        if let Some(p) = model.system.parameters.iter_mut().find(|p| p.symbol == symbol) {
            p.value = e;
        }
    }
    let mut w = model.workbench();
    let method = *random.pick(&METHODS);
    let until = state.time + 0.5;
    let at = (0..=10).map(|i| state.time + 0.05 * f64::from(i)).collect();
    let settings = Settings { at, method, max_steps: 5_000, tolerance: 1e-7, ..Settings::until(until) };
    let Ok(run) = simulate(&mut w, &state, &settings, &mut |_| true) else { return Ok(Refused) };
    let complaint = |what: &str| Err(format!("{}: {}, {what}\n{text}", method.id(), run.outcome.code()));
    let finite =
        |s: &noslip::simulate::Sample| s.y.iter().chain(&s.accelerations).chain(&s.multipliers).all(|x| x.is_finite());
    if !run.samples.iter().all(finite) {
        return complaint("with samples that are not finite");
    }
    if run.outcome.is_success() && run.samples.len() != 11 {
        return complaint(&format!("with {} samples of 11", run.samples.len()));
    }
    // The constraints hold at every sample, beside their terms; a run that ends otherwise has said that something is wrong.
    if !run.outcome.is_success() {
        return Ok(Answered);
    }
    for c in w.system.constraints.clone().iter().filter(|c| c.order < 2) {
        let mut list = vec![c.expr];
        if let Node::Sum { terms, .. } = w.g.node(c.expr) {
            list.extend(terms.iter().map(|t| t.0));
        }
        let terms = list.len();
        let velocities = w.system.velocities.clone();
        list.extend(w.g.jacobian(&[c.expr], &velocities).concat());
        let Ok(columns) = values_along(&mut w, &list, &run.samples) else { continue };
        for (i, s) in run.samples.iter().enumerate() {
            let largest = |part: &[Vec<f64>]| part.iter().map(|c| c[i].abs()).fold(1e-3, f64::max);
            let state = s.y.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            // What doubles of the size of the state can mean, where a coefficient is larger than all of them.
            let rounding = 64.0 * f64::EPSILON * largest(&columns[terms..]) * state;
            if columns[0][i].abs() > (1e-4 * largest(&columns[1..terms]).max(state)).max(rounding) {
                return complaint(&format!("constraint `{}` is off by {:e} at t = {}", c.name, columns[0][i], s.t));
            }
        }
    }
    Ok(Answered)
}

/// A model made of bodies, with a few changes: the plain model it becomes reads back, and moves alike.
pub fn bodies(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let (_, text) = random.pick(noslip_gallery::BODIES);
    let lines: Vec<&str> = text.lines().collect();
    let at = random.below(lines.len());
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    lines[at] = match random.below(3) {
        0 => random.mutated(&lines[at], &WORDS),
        _ => random.respelled(&lines[at]),
    };
    let text = lines.join("\n");
    let Ok(mut model) = Model::load(&text, "bodies.toml", &limits()) else { return Ok(Refused) };
    let Some(plain) = model.plain.as_ref().map(|p| p.file.clone()) else { return Ok(Refused) };
    let mut again = Model::load(&plain, "plain.toml", &limits())
        .map_err(|e| format!("the plain model does not load: {e:?}\n{text}\n{plain}"))?;
    let (Ok(a), Ok(b)) = (model.initial_state(&Overrides::default()), again.initial_state(&Overrides::default()))
    else {
        return Ok(Refused);
    };
    let settings = || Settings { at: vec![a.time], max_steps: 1, ..Settings::until(a.time + 1e-3) };
    let first = simulate(&mut model.workbench(), &a, &settings(), &mut |_| true);
    let second = simulate(&mut again.workbench(), &b, &settings(), &mut |_| true);
    let (Ok(first), Ok(second)) = (first, second) else { return Ok(Refused) };
    for (s, p) in first.samples.iter().zip(&second.samples) {
        for (x, y) in s.accelerations.iter().zip(&p.accelerations) {
            if (x - y).abs() > 1e-6 * (1.0 + x.abs()) {
                return Err(format!("the plain model moves otherwise: {x} and {y}\n{text}\n{plain}"));
            }
        }
    }
    Ok(Answered)
}
