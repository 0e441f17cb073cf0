//! Interim: every form at every reference state.
mod common;
use noslip::Limits;
use noslip::expr::{Assignment, Evaluator, Expr};
use noslip::forms::{Applicability, FORMS, Workbench};
use noslip::model::Model;

fn solve(a: &mut [Vec<f64>]) -> Option<Vec<f64>> {
    let n = a.len();
    for c in 0..n {
        let p = (c..n).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs()))?;
        a.swap(c, p);
        if a[c][c].abs() < 1e-300 {
            return None;
        }
        for i in 0..n {
            if i != c {
                let f = a[i][c] / a[c][c];
                for j in c..=n {
                    let x = a[c][j];
                    a[i][j] -= f * x;
                }
            }
        }
    }
    Some((0..n).map(|i| a[i][n] / a[i][i]).collect())
}

#[test]
fn all() {
    let only = std::env::var("ONLY").ok();
    let mut good = 0;
    let mut bad = 0;
    let mut na = 0;
    for (name, json) in common::systems() {
        if only.as_ref().is_some_and(|o| !name.contains(o)) {
            continue;
        }
        let text = common::to_toml(&json, common::Options::default());
        let mut model = Model::load(&text, "m.toml", &Limits::default()).unwrap();
        let t0 = std::time::Instant::now();
        let mut w = Workbench::new(&mut model.arena, &model.system);
        for form in FORMS {
            if let Applicability::DoesNotApply(why) = form.applies(&mut w) {
                na += 1;
                println!("{name} {} n/a {why}", form.id());
                continue;
            }
            let eq = match form.derive(&mut w) {
                Ok(e) => e,
                Err(e) => {
                    bad += 1;
                    println!("{name} {} ERROR {e}", form.id());
                    continue;
                }
            };
            let m = eq.unknowns.len();
            assert_eq!(eq.equations.len(), m, "{name} {}", form.id());
            let mut roots: Vec<Expr> = Vec::new();
            for &e in &eq.equations {
                for &u in &eq.unknowns {
                    roots.push(w.g.diff(e, u));
                }
                roots.push(w.g.without(e, &eq.unknowns));
            }
            let ev = Evaluator::new(w.g, &roots);
            let variables = Evaluator::new(w.g, &eq.variables.iter().map(|v| v.1).collect::<Vec<_>>());
            let mut outs: Vec<Expr> = Vec::new();
            for &a in &w.system.accelerations {
                outs.push(eq.accelerations.iter().find(|x| x.0 == a).map(|x| x.1).unwrap_or_else(|| w.g.symbol(a)));
            }
            for c in &w.system.constraints {
                outs.push(
                    eq.reactions
                        .iter()
                        .find(|x| x.0 == c.multiplier)
                        .map(|x| x.1)
                        .unwrap_or_else(|| w.g.symbol(c.multiplier)),
                );
            }
            let out = Evaluator::new(w.g, &outs);
            let mut worst: f64 = 0.0;
            let num =
                |v: &serde_json::Value| v.as_str().map(|s| s.parse::<f64>().unwrap()).or(v.as_f64()).unwrap_or(0.0);
            let none = |_, _, _| f64::NAN;
            for s in json["states"].as_array().unwrap() {
                let mut at = Assignment::new();
                for p in &w.system.parameters {
                    let v = Evaluator::new(w.g, &[p.value]).evaluate(&at, &none)[0];
                    at.set(p.symbol, v);
                }
                at.set(w.g.time(), num(&s["t"]));
                at.set(w.g.pi(), std::f64::consts::PI);
                for i in 0..w.system.n() {
                    let q = w.g.name(w.system.coordinates[i]).to_owned();
                    at.set(w.system.coordinates[i], num(&s["q"][&q]));
                    at.set(w.system.velocities[i], num(&s["qd"][&q]));
                }
                let v = variables.evaluate(&at, &none);
                for (x, y) in eq.variables.iter().zip(v) {
                    at.set(x.0, y);
                }
                let r = ev.evaluate(&at, &none);
                let mut a: Vec<Vec<f64>> = (0..m)
                    .map(|i| {
                        let mut row = r[i * (m + 1)..(i + 1) * (m + 1)].to_vec();
                        row[m] = -row[m];
                        row
                    })
                    .collect();
                let Some(u) = solve(&mut a) else {
                    worst = f64::INFINITY;
                    continue;
                };
                for (x, y) in eq.unknowns.iter().zip(u) {
                    at.set(*x, y);
                }
                let o = out.evaluate(&at, &none);
                let scale = s["qdd"].as_object().unwrap().values().map(|v| num(v).abs()).fold(1.0, f64::max);
                for i in 0..w.system.n() {
                    let q = w.g.name(w.system.coordinates[i]);
                    let e = (o[i] - num(&s["qdd"][q])).abs() / scale;
                    worst = if e.is_nan() { f64::INFINITY } else { worst.max(e) };
                }
                let scale = s["multipliers"].as_object().unwrap().values().map(|v| num(v).abs()).fold(1.0, f64::max);
                for (j, c) in w.system.constraints.iter().enumerate() {
                    let e = (o[w.system.n() + j] - num(&s["multipliers"][&c.name])).abs() / scale;
                    worst = if e.is_nan() { f64::INFINITY } else { worst.max(e) };
                }
            }
            if worst < 1e-9 {
                good += 1
            } else {
                bad += 1;
                println!("{name} {} WRONG {worst:.1e}", form.id());
            }
        }
        println!("{name} {:?} nodes {}", t0.elapsed(), w.g.len());
    }
    println!("{good} good {bad} bad {na} n/a");
}
