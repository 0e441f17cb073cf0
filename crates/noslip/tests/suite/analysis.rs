//! What `check` says of the reference systems is what the reference says.

use crate::common::analysed;
use crate::common::reference::{model_of, systems};
use noslip::Limits;
use noslip::analysis::{Analysis, ReducingMultiplier, sentences};
use noslip::expr::Known;
use noslip::expr::field::rank;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::expr::{Arena, Declared, Expr, Role, Symbol, parse_expression};
use noslip::mechanics::{Admissible, Generic, Workbench};
use noslip::model::Model;
use serde_json::Value;
use std::collections::BTreeMap;

fn parse(g: &mut Arena, text: &str) -> Expr {
    parse_expression(g, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn numbers(v: &Value) -> Vec<usize> {
    v.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as usize).collect()
}

fn sorted(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = names.collect();
    list.sort();
    list
}

/// Is the quantity a function of what was found, on the constraints: is its gradient a combination of the others' gradients?
fn is_function_of_found(model: &mut Model, a: &Analysis, quantity: Expr) -> bool {
    let system = model.system.clone();
    let mut w = Workbench::new(model.arena.clone(), system.clone());
    let generic = Generic::new(&mut w.g, &w.system);
    let mut motions = Admissible::of(&mut w, &generic).unwrap();
    let mut functions: Vec<Expr> = w.dynamics().velocity_constraints.iter().flatten().copied().collect();
    functions.extend(a.hidden.iter().map(|h| h.expr));
    functions.extend(a.conserved.iter().map(|c| c.expr));
    functions.push(quantity);
    let symbols: Vec<Symbol> = system.coordinates.iter().chain(&system.velocities).copied().collect();
    let mut roots = Vec::new();
    for f in functions {
        roots.extend(symbols.iter().map(|&s| w.g.diff(f, s)));
    }
    let evaluator = motions.evaluator(&mut w.g, &roots);
    let values = (0..30).find_map(|_| evaluator.at(&w.g, &motions.state(&w)?).ok()).unwrap();
    let rows: Vec<Vec<_>> = values.chunks(symbols.len()).map(<[_]>::to_vec).collect();
    rank(&rows) == rank(&rows[..rows.len() - 1])
}

/// Do two multipliers differ by a constant factor only?
fn same_multiplier(g: &mut Arena, m: &ReducingMultiplier, zeros: &[Symbol], text: &str) -> bool {
    let expected = parse(g, text);
    let map = zeros.iter().map(|&s| (s, g.zero())).collect();
    let expected = g.substitute(expected, &map);
    let ratio = g.div(m.multiplier.unwrap(), expected);
    m.coordinates.iter().all(|&r| {
        let d = g.diff(ratio, r);
        is_zero(g, d, &ZeroOptions::default()).holds()
    })
}

fn multiplier_fact(model: &mut Model, a: &Analysis, f: &Value) -> bool {
    let coordinates = sorted(f["coordinates"].as_array().unwrap().iter().map(|x| x.as_str().unwrap().to_owned()));
    let zeros: Vec<Symbol> = Generic::new(&mut model.arena, &model.system).zeros();
    for m in [&a.reducing_multiplier, &a.reducing_multiplier_quasi].into_iter().flatten() {
        let names = sorted(m.coordinates.iter().map(|&s| model.arena.name(s).trim_start_matches("pi_").to_owned()));
        if names != coordinates {
            continue;
        }
        return match f["expr"].as_str() {
            None => !m.exists && m.certainty == Known::Proved,
            Some(text) => {
                // In the reference `s` is the quasi-coordinate, in the model the quasi-velocity.
                let text = text.replace("(s-", "(pi_s-");
                model.arena.declare("pi_s", Role::Other);
                m.exists && same_multiplier(&mut model.arena, m, &zeros, &text)
            }
        };
    }
    false
}

#[test]
fn every_fact_of_the_reference_systems_is_found() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    for (name, c) in systems() {
        let mut model = model_of(&c);
        let start = std::time::Instant::now();
        let a = analysed(&mut model);
        println!("== {name} {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        for s in sentences(&model.arena, &model.system, &a) {
            println!("   {s}");
        }
        for f in c["facts"].as_array().unwrap() {
            let constraint = || a.constraints.iter().find(|k| f["constraint"] == k.name.as_str()).unwrap();
            let (kind, ok) = match f["kind"].as_str().unwrap() {
                "integrable" => {
                    ("integrable", constraint().integrable.as_ref().map(|i| i.integrable) == f["value"].as_bool())
                }
                "growth_vector" => {
                    let g = a.growth.as_ref().unwrap();
                    let ok = g.vector == numbers(&f["value"])
                        && Some(g.extended_by_time) == f["extended_by_time"].as_bool()
                        && Some(g.dimension as u64) == f["space_dimension"].as_u64()
                        && Some(g.holonomic_part() as u64) == f["holonomic_part"].as_u64()
                        && Some(g.completely_nonholonomic()) == f["completely_nonholonomic"].as_bool()
                        && a.hidden.len() == g.holonomic_part();
                    ("growth_vector", ok)
                }
                "chaplygin_system" => {
                    let want =
                        sorted(f["independent"].as_array().unwrap().iter().map(|x| x.as_str().unwrap().to_owned()));
                    let got = sorted(a.chaplygin.independent.iter().map(|&s| model.arena.name(s).to_owned()));
                    ("chaplygin", if f["value"] == true { a.chaplygin.is() } else { got != want })
                }
                "energy_conserved" => ("energy", a.energy.conserved == f["value"].as_bool()),
                "mass_matrix_rank" => ("mass", Some(a.ranks.mass as u64) == f["value"].as_u64()),
                "constraint_linear_in_velocities" => ("linear", Some(constraint().linear) == f["value"].as_bool()),
                "conserved" => {
                    let e = parse(&mut model.arena, f["expr"].as_str().unwrap());
                    ("conserved", is_function_of_found(&mut model, &a, e))
                }
                "holonomic_combination" => {
                    let e = parse(&mut model.arena, f["expr"].as_str().unwrap());
                    let found = a.hidden[0].expr;
                    let (sum, difference) = (model.arena.add(e, found), model.arena.sub(e, found));
                    let mut zero = |e| is_zero(&mut model.arena, e, &ZeroOptions::default()).holds();
                    ("relation", zero(sum) || zero(difference))
                }
                "reducing_multiplier" => {
                    // The reference names one pair of coordinates; another Chaplygin split is as good.
                    let asked = f["coordinates"].as_array().unwrap();
                    let split = a
                        .reducing_multiplier
                        .as_ref()
                        .is_ok_and(|m| asked.iter().all(|x| m.coordinates.iter().any(|&s| *x == model.arena.name(s))));
                    let quasi = asked.iter().any(|x| x == "s");
                    if !split && !quasi {
                        let m = a.reducing_multiplier.as_ref().unwrap();
                        ("multiplier", Some(m.exists) == f["value"].as_bool())
                    } else {
                        ("multiplier", multiplier_fact(&mut model, &a, f))
                    }
                }
                _ => continue,
            };
            *counts.entry(kind).or_default() += 1;
            if !ok {
                wrong.push(format!("{name}: {f}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let expected = [
        ("chaplygin", 30),
        ("conserved", 9),
        ("energy", 36),
        ("growth_vector", 30),
        ("integrable", 48),
        ("linear", 9),
        ("mass", 36),
        ("multiplier", 8),
        ("relation", 2),
    ];
    assert_eq!(counts, expected.into_iter().collect(), "nothing has dropped out");
}
