//! Motions analysed: what closes on itself, what is steady and how stable, which measure and which functions the motion keeps.

use super::Reached::{Answered, Refused};
use super::steady::{Stands, steady_is_true};
use super::{Trial, changed_model, limits};
use crate::judge::{Judge, Opinion, Point};
use crate::random::Random;
use noslip::Workbench;
use noslip::expr::{Evaluator, Expr, Role, Symbol};
use noslip::model::{Model, Overrides};
use noslip::motions::in_quasi_velocities;
use noslip::motions::integrals::integrals;
use noslip::motions::measure::measure;
use noslip::motions::reduce::Reduction;

/// A system that may have a symmetry, steady motions, a measure or integrals, or a model of the gallery with changes; one question.
pub fn motions(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let (text, mut model) = if random.below(4) == 0 {
        let Some(changed) = changed_model(&mut random) else { return Ok(Refused) };
        changed
    } else {
        let text = system(&mut random);
        let Ok(model) = Model::load(&text, "random.toml", &limits()) else { return Ok(Refused) };
        (text, model)
    };
    let Ok(state) = model.initial_state(&Overrides::default()) else { return Ok(Refused) };
    let mut w = model.workbench();
    w.limits = limits();
    let Ok((mut w, chosen)) = in_quasi_velocities(w) else { return Ok(Refused) };
    let Ok(r) = Reduction::of(&mut w, chosen) else { return Ok(Refused) };
    let reached = match random.below(8) {
        0 => reduction_is_true(&mut w, &r, &mut random),
        1 | 2 => measure_is_true(&mut w, &r, &mut random, !text.contains("1e")),
        3 => integrals_are_constant(&mut w, &r, &mut random),
        _ => {
            let fades = ["tanh(", "exp(", "1e-"].iter().any(|part| text.contains(part));
            steady_is_true(&mut w, &r, &state, &mut random, fades)
        }
    };
    reached.map_err(|what| format!("{what}\n{text}"))
}

/// The text of a system: bodies on skates, particles with constraints that leave some coordinates out, oscillators with drag.
fn system(random: &mut Random) -> String {
    match random.below(3) {
        0 => skate(random),
        1 => particle(random),
        _ => oscillators(random),
    }
}

/// A number that is a nice one, or one of another size.
fn number(random: &mut Random) -> String {
    match random.below(8) {
        0 => format!("1e{}", random.below(13) as i64 - 6),
        1 => "0".to_owned(),
        _ => (*random.pick(&["1", "2", "3", "1/2", "0.7", "5/3", "20", "-1"])).to_owned(),
    }
}

/// A function that a potential, a force or a constraint may have.
fn function(random: &mut Random, names: &[&str]) -> String {
    let (x, y) = (*random.pick(names), *random.pick(names));
    let c = number(random);
    match random.below(16) {
        0..=3 => format!("({c})*{x}"),
        4 => format!("({c})*{x}^2"),
        5 => format!("({x}^2 - ({c}))^2"),
        6 => format!("cos({x})"),
        7 => format!("sin({x} - ({c}))"),
        8 => format!("({c})*{x}*{y}"),
        9 => format!("{x}^4"),
        10 => format!("abs({x})"),
        11 => format!("{x}/(1 + {y}^2)"),
        12 => format!("sqrt(1 + {x}^2)"),
        13 => format!("tanh({x})"),
        14 => c,
        _ => random.expression(names, 2),
    }
}

fn file(coordinates: &str, rest: &str) -> String {
    format!("noslip = 1\n[system]\nname = \"random\"\ncoordinates = [{coordinates}]\n{rest}")
}

/// A body on a skate, with forces along it and about it, perhaps on a slope or on a floor that turns.
fn skate(random: &mut Random) -> String {
    let (a, j, w) = (number(random), 1 + random.below(3), number(random));
    let floor = if random.below(3) == 0 { w } else { "0".to_owned() };
    let potential = if random.below(3) == 0 { format!("({})*x", number(random)) } else { "0".to_owned() };
    let names = ["v", "phi'", "v", "1", "cos(phi)"];
    let upto = if random.below(3) == 0 { 5 } else { 4 };
    let (f, m) = (function(random, &names[..upto]), function(random, &names[..upto]));
    file(
        "\"x\", \"y\", \"phi\"",
        &format!(
            "[definitions]\nX = \"x + ({a})*cos(phi)\"\nY = \"y + ({a})*sin(phi)\"\nv = \"x'*cos(phi) + y'*sin(phi)\"\n\
             [energy]\nkinetic = \"(X'^2 + Y'^2)/2 + {j}*phi'^2/2\"\npotential = \"{potential}\"\n\
             [forces]\nx = \"-({f})*cos(phi)\"\ny = \"-({f})*sin(phi)\"\nphi = \"-({m})\"\n\
             [constraints]\nc = \"(x' + ({floor})*y)*sin(phi) = (y' - ({floor})*x)*cos(phi)\"\n\
             [initial]\nposition = {{ x = 0.5, phi = 0.3 }}\nvelocity = {{ v = 1, phi = 0.25 }}\n"
        ),
    )
}

/// Three coordinates and a constraint for one velocity, in which some coordinates do not occur.
fn particle(random: &mut Random) -> String {
    let all = ["x", "y", "z"];
    let seen = &all[..1 + random.below(3)];
    let (slope, turn) = (function(random, seen), function(random, seen));
    let drift = if random.below(4) == 0 { function(random, seen) } else { "0".to_owned() };
    let mut kinetic = "x'^2/2 + y'^2/2 + z'^2/2".to_owned();
    if random.below(2) == 0 {
        kinetic += &format!(" + ({})^2*y'^2/2", function(random, seen));
    }
    let potential = if random.below(2) == 0 { function(random, seen) } else { "0".to_owned() };
    let speeds = ["x'", "y'", seen[0]];
    let force = if random.below(2) == 0 { format!("-({})", function(random, &speeds)) } else { "0".to_owned() };
    file(
        "\"x\", \"y\", \"z\"",
        &format!(
            "[energy]\nkinetic = \"{kinetic}\"\npotential = \"{potential}\"\n[forces]\nx = \"{force}\"\n\
             [constraints]\nc = \"z' = ({slope})*x' + ({turn})*y' + ({drift})\"\n\
             [initial]\nposition = {{ x = 0.4, y = 0.7, z = 0.2 }}\nvelocity = {{ x = 0.5, y = 0.25 }}\n"
        ),
    )
}

/// One or two coordinates without constraints, or with one that is holonomic: drag, gyroscopic forces, springs of all sizes.
fn oscillators(random: &mut Random) -> String {
    let names = &["x", "y"][..1 + random.below(2)];
    let n = names.len();
    let mut kinetic: Vec<String> = names.iter().map(|q| format!("{q}'^2/2")).collect();
    if n == 2 && random.below(2) == 0 {
        kinetic.push(format!("({})^2*y'^2", function(random, &["x"])));
    }
    let potential: Vec<String> = (0..1 + random.below(3)).map(|_| function(random, names)).collect();
    let mut forces = String::new();
    for (i, q) in names.iter().enumerate() {
        let other = names[n - 1 - i];
        let gyroscopic = if i == 0 { "" } else { "-" };
        let c = number(random);
        let drag = function(random, &[&format!("{q}'")]);
        forces += &match random.below(3) {
            0 => format!("{q} = \"{gyroscopic}3*{other}' - ({c})*{q}'\"\n"),
            1 => format!("{q} = \"-({drag})\"\n"),
            _ => String::new(),
        };
    }
    let constraint = if n == 2 && random.below(4) == 0 { "[constraints]\nc = \"x^2 + 2*y^2 = 3\"\n" } else { "" };
    let coordinates: Vec<String> = names.iter().map(|q| format!("\"{q}\"")).collect();
    let position = ["x = 1", "x = 1, y = 1"][n - 1];
    file(
        &coordinates.join(", "),
        &format!(
            "[energy]\nkinetic = \"{}\"\npotential = \"{}\"\n[forces]\n{forces}{constraint}[initial]\nposition = {{ {position} }}\n",
            kinetic.join(" + "),
            potential.join(" + ")
        ),
    )
}

/// A state on the constraints.
fn drawn(judge: &mut Judge, random: &mut Random, n: usize) -> Option<Point> {
    let mut draw = || (0..n).map(|_| (random.unit() * 128.0).round() / 64.0).collect::<Vec<_>>();
    let (q, v) = (draw(), draw());
    judge.admitted(0.5, &q, &v)
}

/// The rates of the quasi-velocities, as the judge has them.
fn reduction_is_true(w: &mut Workbench, r: &Reduction, random: &mut Random) -> Trial {
    let flow = &r.flow;
    let mut variables: Vec<(Symbol, Symbol, Expr)> = Vec::new();
    for (&v, &e) in flow.free.iter().zip(&flow.expressions) {
        let rate = w.g.declare_beside(&format!("rate {}", variables.len()), Role::Acceleration);
        variables.push((v, rate, e));
    }
    // A velocity that is a quasi-velocity too is known by its own name.
    let mut equations: Vec<Expr> = Vec::new();
    for (row, &right) in flow.mass.iter().zip(&flow.right) {
        let mut terms = vec![w.g.neg(right)];
        for (&g, &(_, rate, _)) in row.iter().zip(&variables) {
            let rate = w.g.symbol(rate);
            terms.push(w.g.mul(g, rate));
        }
        equations.push(w.g.sum(terms));
    }
    for (&v, &e) in w.system.velocities.clone().iter().zip(&flow.velocities) {
        let v = w.g.symbol(v);
        equations.push(w.g.sub(v, e));
    }
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(Refused) };
    let mut reached = Refused;
    for _ in 0..3 {
        let Some(p) = drawn(&mut judge, random, w.system.n()) else { continue };
        let Some(opinions) = judge.opinions(&variables, &equations, &p) else { continue };
        if let Some(i) = opinions.iter().position(|&o| o == Opinion::Nonzero) {
            return Err(format!("equation {i} of the flow is wrong"));
        }
        reached = Answered;
    }
    Ok(reached)
}

/// Integrals are constant along the motion, and not at all states the same.
fn integrals_are_constant(w: &mut Workbench, r: &Reduction, random: &mut Random) -> Trial {
    let Ok(found) = integrals(w, r, 2) else { return Ok(Refused) };
    let shown: Vec<String> = found.list.iter().map(|i| format!("{} ({})", i.name, i.how.word())).collect();
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(Refused) };
    let mut reached = if found.list.is_empty() { Answered } else { Refused };
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); found.list.len()];
    for _ in 0..3 {
        let Some(p) = drawn(&mut judge, random, w.system.n()) else { continue };
        for (k, i) in found.list.iter().enumerate() {
            match judge.is_constant(i.expr, &p) {
                Opinion::Nonzero => return Err(format!("the integral {} is not constant", shown[k])),
                Opinion::Zero => reached = Answered,
                Opinion::Abstains => {}
            }
            values[k].extend(judge.number(i.expr, &p));
        }
    }
    for (k, list) in values.iter().enumerate() {
        if list.len() == 3 && list.iter().all(|x| (x - list[0]).abs() <= 1e-14 * list[0].abs()) {
            return Err(format!("the integral {} is the same everywhere: {}", shown[k], list[0]));
        }
    }
    Ok(reached)
}

/// div(f X) = 0 by differences, or, where no density is said to exist, none of those that are most often one is one.
fn measure_is_true(w: &mut Workbench, r: &Reduction, random: &mut Random, plain: bool) -> Trial {
    let Ok(answer) = measure(w, r) else { return Ok(Refused) };
    let mut densities: Vec<(String, Expr)> = Vec::new();
    match (answer.exists, answer.density) {
        (Some(true), Some(f)) => densities.push(("the density".into(), f)),
        // Beside numbers of all sizes an obstruction may be lost in the rounding of differences.
        (Some(false), _) if plain => {
            let det = w.determinant(&r.flow.mass);
            for (k, d) in [(0, 1), (1, 1), (1, 2), (-1, 2), (-1, 1), (3, 2), (3, 4)] {
                let Some(power) = noslip::expr::Rational::new(k, d) else { continue };
                let power = w.g.number(power);
                densities.push((format!("det^({k}/{d})"), w.g.pow(det, power)));
            }
        }
        _ => return Ok(Refused),
    }
    let mut stands = Stands::new(w, r);
    let mut held = vec![0usize; densities.len()];
    let mut tried = 0;
    let n = w.system.n();
    for _ in 0..8 {
        let z: Vec<f64> = (0..n + r.flow.free.len()).map(|_| 2.0 * random.unit()).collect();
        for (k, (name, f)) in densities.iter().enumerate() {
            let evaluator = Evaluator::new(&w.g, &[*f]);
            let Some([divergence, size, rounding]) = stands.divergence(&evaluator, &z) else { continue };
            // Where terms are hardly larger than their rounding nothing is refuted.
            if answer.exists == Some(false) && size > 0.0 && size < 1e6 * rounding {
                continue;
            }
            tried += usize::from(k == 0);
            let digits = if answer.exists == Some(true) { 1e-5 } else { 1e-8 };
            let zero = divergence.abs() <= digits * size + rounding;
            held[k] += usize::from(zero);
            if answer.exists == Some(true) && !zero {
                return Err(format!("{name} ({}) is not invariant: {divergence} at {z:?}", answer.how.word()));
            }
        }
    }
    if answer.exists == Some(false)
        && tried >= 5
        && let Some(k) = held.iter().position(|&h| h == tried)
    {
        return Err(format!("no density is said to exist ({}), but {} is one", answer.how.word(), densities[k].0));
    }
    Ok(if tried > 0 { Answered } else { Refused })
}
