//! What `check` says of the reference systems is what the reference says.

mod common;

use common::{Options, systems, to_toml};
use noslip::Limits;
use noslip::analysis::{Distribution, Generic, Pfaff, growth};
use noslip::forms::Workbench;
use noslip::model::Model;

fn load(name: &str, text: &str) -> Model {
    Model::load(text, name, &Limits::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

#[test]
fn growth_and_integrability() {
    for (name, c) in systems() {
        let mut model = load(&name, &to_toml(&c, Options::default()));
        let system = model.system.clone();
        let start = std::time::Instant::now();
        let mut w = Workbench::new(&mut model.arena, &system);
        let mut generic = Generic::new(w.g, w.system).unwrap();
        let pfaff = Pfaff::of(&mut w);
        let each: Vec<_> =
            (0..pfaff.forms.len()).map(|i| (pfaff.constraints[i], pfaff.integrable(&mut w, &mut generic, i))).collect();
        let extended = pfaff.extended(&mut w);
        let d = Distribution::annihilated_by(&mut w, &pfaff, extended, &mut generic).unwrap();
        let gr = growth(&mut w, &d, extended, &mut generic);
        println!("{name} {:?} {:?} {:?}", start.elapsed(), gr.vector, gr.certainty);
        for f in c["facts"].as_array().unwrap() {
            match f["kind"].as_str().unwrap() {
                "growth_vector" => {
                    let want: Vec<usize> =
                        f["value"].as_array().unwrap().iter().map(|x| x.as_u64().unwrap() as usize).collect();
                    assert_eq!(gr.vector, want, "{name}");
                }
                "integrable" => {
                    let j = system.constraints.iter().position(|k| f["constraint"] == k.name.as_str()).unwrap();
                    let got = each.iter().find(|e| e.0 == j).unwrap().1;
                    assert_eq!(got.integrable, f["value"].as_bool().unwrap(), "{name}");
                }
                _ => {}
            }
        }
    }
}
