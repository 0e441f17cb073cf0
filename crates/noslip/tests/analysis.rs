//! What `check` says of the reference systems is what the reference says.

mod common;

use common::{Options, systems, to_toml};
use noslip::Limits;
use noslip::analysis::{Distribution, Generic, Pfaff, growth, hidden_relations};
use noslip::expr::{Printer, Style, Tree};
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
        let start = std::time::Instant::now();
        let h = hidden_relations(&mut w, &pfaff, gr.holonomic_part(), &mut generic);
        for r in &h {
            let tree = Tree::of(w.g, r.expr, &Limits::default()).unwrap();
            println!("    {} {:?} {:?}", Printer::new(Style::Text).print(w.g, &tree), r.certainty, start.elapsed());
        }
        if !pfaff.forms.is_empty() { assert_eq!(h.len(), gr.holonomic_part()); }
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

#[test]
fn frobenius_examples() {
    let examples = common::json("frobenius_examples.json");
    for (i, e) in examples["examples"].as_array().unwrap().iter().enumerate() {
        let part = |key: &str| e[key].as_str().unwrap().to_owned();
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
             [constraints]\nform = \"({})*x' + ({})*y' + ({})*z'\"\n",
            part("a"), part("b"), part("c")
        );
        let mut model = load(&format!("frobenius {i}"), &text);
        let system = model.system.clone();
        let mut w = Workbench::new(&mut model.arena, &system);
        let mut generic = Generic::new(w.g, w.system).unwrap();
        let pfaff = Pfaff::of(&mut w);
        let it = pfaff.integrable(&mut w, &mut generic, 0);
        let ex = pfaff.exact(&mut w, &mut generic, 0);
        assert_eq!(it.integrable, e["integrable"].as_bool().unwrap(), "{e}");
        assert_eq!(ex.integrable, e["exact"].as_bool().unwrap(), "{e}");
        let start = std::time::Instant::now();
        let h = hidden_relations(&mut w, &pfaff, usize::from(it.integrable), &mut generic);
        println!("{e} {:?} {:?}", it.certainty, start.elapsed());
        for r in &h {
            let tree = Tree::of(w.g, r.expr, &Limits::default()).unwrap();
            println!("    {} {:?} {:?}", Printer::new(Style::Text).print(w.g, &tree), r.certainty, start.elapsed());
        }
        assert_eq!(h.len(), usize::from(it.integrable));
    }
}
