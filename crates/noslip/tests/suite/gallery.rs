//! Every model of the gallery says what it is, runs, and is held to what is known about it.

use crate::common::gallery::{along, conserved, evenly, for_each, names, open, run};
use crate::common::{self, analysed, reference, verdict};
use noslip::model::{Model, Overrides};
use noslip::verify::Finding;
use noslip_gallery::{CLAIMS, EXPECTED};
use toml::Table;

#[test]
fn something_is_known_about_every_model() {
    for name in names() {
        let known = EXPECTED.iter().any(|(n, _)| *n == name) || reference::systems().iter().any(|(n, _)| n == name);
        assert!(known, "models/expected/{name}.toml says what is known about {name}");
    }
    for (name, _) in EXPECTED {
        assert!(names().any(|n| n == *name), "models/expected/{name}.toml belongs to a model");
    }
    for (file, _) in CLAIMS {
        let model = file.split_once('/').expect("document/model").1;
        assert!(names().any(|n| n == model), "models/claims/{file}.toml belongs to a model");
    }
}

#[test]
fn every_model_says_what_it_is_and_where_it_comes_from() {
    for name in names() {
        let model = open(name);
        let system = &model.system;
        let sentences = |s: &str| s.matches(['.', ':']).count();
        assert!(system.source.as_ref().is_some_and(|s| s.len() > 20), "{name} has a source");
        assert!(system.description.as_ref().is_some_and(|s| s.len() > 150 && sentences(s) >= 2), "{name} is described");
        assert!(system.initial.is_some() && system.simulation.until.is_some(), "{name} can be run");
        assert!(system.k() > 0, "{name} has constraints");
    }
}

/// The growth vector of the constraints.
fn growth_vector(model: &mut Model) -> Vec<usize> {
    analysed(model).growth.map(|g| g.vector).unwrap_or_default()
}

/// How results are known.
#[derive(Default)]
struct Tally {
    results: usize,
    proved: usize,
    tested: usize,
}

impl Tally {
    fn holds(&mut self, what: &str, finding: Finding) {
        assert!(finding.holds(), "{what}: {finding:?}");
        *if finding.known.is_proved() { &mut self.proved } else { &mut self.tested } += 1;
    }
}

/// What `models/expected` says about a model, checked one by one.
fn check(name: &str, results: &[Table], tally: &mut Tally) {
    let string = |r: &Table, key: &str| r.get(key).and_then(|v| v.as_str()).map(str::to_owned);
    let float = |r: &Table, key: &str| r.get(key).and_then(|v| v.as_float().or(v.as_integer().map(|i| i as f64)));
    let mut at = evenly(&open(name), 201);
    at.extend(results.iter().filter_map(|r| float(r, "at")));
    at.sort_by(f64::total_cmp);
    at.dedup();
    let mut model = open(name);
    let tolerance = model.system.simulation.tolerance.as_ref().map_or(1e-10, |x| x.to_f64());
    let simulation = run(&mut model, &at, tolerance, &Overrides::default());
    for r in results {
        let id = string(r, "id").unwrap_or_else(|| panic!("{name}: a result without id"));
        let kind = string(r, "kind").unwrap_or_else(|| panic!("{name}, {id}: a result without kind"));
        let expression = || string(r, "expression").unwrap_or_else(|| panic!("{name}, {id}: no expression"));
        let within = || float(r, "tolerance").unwrap_or_else(|| panic!("{name}, {id}: no tolerance"));
        let largest = |v: &[f64]| v.iter().fold(f64::NEG_INFINITY, |w, &x| if x <= w { w } else { x });
        match kind.as_str() {
            "conserved" => {
                let v = along(&mut model, &simulation, &expression());
                let drift = largest(&v.iter().map(|x| (x - v[0]).abs() / v[0].abs().max(1.0)).collect::<Vec<_>>());
                assert!(drift < within(), "{name}, {id}: drift {drift:e}");
                tally.holds(&format!("{name}, {id}"), conserved(&mut model, &expression()));
            }
            "vanishes" => {
                let v = along(&mut model, &simulation, &expression());
                let size = largest(&v.iter().map(|x| x.abs()).collect::<Vec<_>>());
                assert!(size < within(), "{name}, {id}: {size:e}");
            }
            "range" => {
                let v = along(&mut model, &simulation, &expression());
                let (low, high) = (float(r, "min").expect("min"), float(r, "max").expect("max"));
                assert!(v.iter().all(|&x| low <= x && x <= high), "{name}, {id}: {:?}", v);
            }
            "reaches" => {
                let v = along(&mut model, &simulation, &expression());
                let (below, above) = (float(r, "below"), float(r, "above"));
                assert!(below.is_some() || above.is_some(), "{name}, {id}: below or above");
                assert!(below.is_none_or(|b| v.iter().any(|&x| x <= b)), "{name}, {id}: never below {below:?}");
                assert!(above.is_none_or(|a| v.iter().any(|&x| x >= a)), "{name}, {id}: never above {above:?}");
            }
            "value" => {
                let time = float(r, "at").unwrap_or_else(|| panic!("{name}, {id}: no time"));
                let i = at.iter().position(|&t| t == time).expect("a sample at that time");
                let want = string(r, "value").unwrap_or_else(|| panic!("{name}, {id}: no value"));
                let got = along(&mut model, &simulation, &format!("{} = {want}", expression()))[i];
                assert!(got.abs() < within(), "{name}, {id}: differs by {got:e}");
            }
            "equation" => {
                let equation = string(r, "equation").unwrap_or_else(|| panic!("{name}, {id}: no equation"));
                let v = along(&mut model, &simulation, &equation);
                let size = largest(&v.iter().map(|x| x.abs()).collect::<Vec<_>>());
                assert!(size < 1e-7, "{name}, {id}: {size:e}");
                let zero = common::expression(&mut model, &equation);
                tally.holds(&format!("{name}, {id}"), verdict(&model, zero));
            }
            "growth_vector" => {
                let want: Vec<usize> =
                    r["value"].as_array().unwrap().iter().map(|x| x.as_integer().unwrap() as usize).collect();
                assert_eq!(growth_vector(&mut model), want, "{name}, {id}");
            }
            other => panic!("{name}, {id}: unknown kind `{other}`"),
        }
        tally.results += 1;
    }
}

/// Along the motion of the model itself; equations and integrals also exactly, for every motion.
#[test]
fn every_known_result_comes_out() {
    let tallies = for_each(EXPECTED, |(name, file)| {
        let table: Table = file.parse().unwrap_or_else(|e| panic!("models/expected/{name}.toml: {e}"));
        let results: Vec<Table> =
            table["result"].as_array().unwrap().iter().map(|r| r.as_table().unwrap().clone()).collect();
        assert!(!results.is_empty(), "models/expected/{name}.toml holds a result");
        let mut tally = Tally::default();
        check(name, &results, &mut tally);
        tally
    });
    let tally = tallies.into_iter().fold(Tally::default(), |s, t| Tally {
        results: s.results + t.results,
        proved: s.proved + t.proved,
        tested: s.tested + t.tested,
    });
    let Tally { results, proved, tested } = tally;
    println!("{results} results of {} models; {proved} proved, {tested} tested", EXPECTED.len());
    assert!(proved > tested, "{proved} proved, {tested} tested");
}
