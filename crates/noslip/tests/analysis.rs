//! What `check` says of the reference systems is what the reference says.

mod common;

use common::{Options, systems, to_toml};
use noslip::Limits;
use noslip::analysis::{Analysis, analyse, sentences};
use noslip::forms::Workbench;
use noslip::model::Model;
use std::collections::BTreeMap;

fn load(name: &str, text: &str) -> Model {
    Model::load(text, name, &Limits::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn analysed(model: &mut Model) -> Analysis {
    let system = model.system.clone();
    analyse(&mut Workbench::new(&mut model.arena, &system))
}

fn numbers(v: &serde_json::Value) -> Vec<usize> {
    v.as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as usize).collect()
}

#[test]
fn every_fact_of_the_reference_systems_is_found() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    for (name, c) in systems() {
        let mut model = load(&name, &to_toml(&c, Options::default()));
        let start = std::time::Instant::now();
        let a = analysed(&mut model);
        println!("== {name} {:?}", start.elapsed());
        for s in sentences(&model.arena, &model.system, &a) {
            println!("   {s}");
        }
        let names =
            |list: &[noslip::expr::Symbol]| list.iter().map(|&s| model.arena.name(s).to_owned()).collect::<Vec<_>>();
        for f in c["facts"].as_array().unwrap() {
            let (kind, ok) = match f["kind"].as_str().unwrap() {
                "integrable" => {
                    let k = a.constraints.iter().find(|k| f["constraint"] == k.name.as_str()).unwrap();
                    ("integrable", k.integrable.map(|i| i.integrable) == f["value"].as_bool())
                }
                "growth_vector" => {
                    let g = a.growth.as_ref().unwrap();
                    let ok = g.vector == numbers(&f["value"])
                        && g.extended_by_time == f["extended_by_time"].as_bool().unwrap()
                        && g.dimension as u64 == f["space_dimension"].as_u64().unwrap()
                        && g.holonomic_part() as u64 == f["holonomic_part"].as_u64().unwrap()
                        && g.completely_nonholonomic() == f["completely_nonholonomic"].as_bool().unwrap()
                        && a.hidden.len() == g.holonomic_part();
                    ("growth_vector", ok)
                }
                "chaplygin_system" => {
                    let want: Vec<String> =
                        f["independent"].as_array().unwrap().iter().map(|x| x.as_str().unwrap().to_owned()).collect();
                    let mut got = names(&a.chaplygin.independent);
                    let mut want = want;
                    got.sort();
                    want.sort();
                    let ok = if f["value"] == true { a.chaplygin.is() } else { !a.chaplygin.is() || got != want };
                    ("chaplygin_system", ok)
                }
                "energy_conserved" => ("energy_conserved", a.energy.conserved == f["value"].as_bool()),
                "mass_matrix_rank" => ("mass_matrix_rank", a.ranks.mass as u64 == f["value"].as_u64().unwrap()),
                "constraint_linear_in_velocities" => {
                    let k = a.constraints.iter().find(|k| f["constraint"] == k.name.as_str()).unwrap();
                    ("linear", Some(k.linear) == f["value"].as_bool())
                }
                _ => continue,
            };
            *counts.entry(kind).or_default() += 1;
            if !ok {
                wrong.push(format!("{name}: {f}"));
            }
        }
    }
    println!("{counts:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
