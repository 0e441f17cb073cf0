//! The gallery: models by name, run and looked at.

use super::{expression, loaded, settings, times, verdict};
use noslip::Limits;
use noslip::expr::{Expr, Rational};
use noslip::model::{Model, Overrides};
use noslip::simulate::{Simulation, simulate, values_along};
use noslip::verify::{Finding, in_coordinates};
use noslip_gallery::{BODIES, CLAIMS, LARGE, MODELS};

/// The names of all models.
pub fn names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().map(|(name, _)| *name)
}

/// The text of a model.
pub fn text(name: &str) -> &'static str {
    let model = MODELS.iter().chain(LARGE).chain(BODIES).find(|(n, _)| *n == name);
    model.unwrap_or_else(|| panic!("the gallery has a model {name}")).1
}

/// The claims files of a document: name of the model, and text.
pub fn claims_of(document: &str) -> Vec<(&'static str, &'static str)> {
    let mine = |&(path, text): &(&'static str, &'static str)| {
        path.split_once('/').filter(|(d, _)| *d == document).map(|(_, model)| (model, text))
    };
    CLAIMS.iter().filter_map(mine).collect()
}

/// A model of the gallery, which must load without a warning.
pub fn open(name: &str) -> Model {
    let file = format!("{name}.toml");
    let text = text(name);
    let model = loaded(Model::load(text, &file, &Limits::default()), &file, text);
    assert!(model.warnings.is_empty(), "{file}: {:?}", model.warnings);
    model
}

/// A model of the gallery with other values of some parameters.
pub fn open_with(name: &str, parameters: &[(&str, f64)]) -> Model {
    let mut model = open(name);
    for &(parameter, value) in parameters {
        let exact = Rational::from_f64(value).expect("a finite number");
        let value = model.arena.number(exact);
        let p = model.system.parameters.iter_mut().find(|p| model.arena.name(p.symbol) == parameter);
        p.unwrap_or_else(|| panic!("{name} has the parameter {parameter}")).value = value;
    }
    model
}

/// Does something for everything in a list, on as many threads as there are processors; results in the order of the list.
pub fn for_each<N: Sync, T: Send>(list: &[N], job: impl Fn(&N) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(one) = list.get(i) else { return mine };
                mine.push((i, job(one)));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|w| w.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    });
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, t)| t).collect()
}

/// `n` times from the start to the end of the run the model asks for.
pub fn evenly(model: &Model, n: usize) -> Vec<f64> {
    let until = model.system.simulation.until.as_ref().expect("a gallery model says how long to run").to_f64();
    times(until, n)
}

/// Integrates from the model's own initial state, or from the one given.
pub fn run(model: &mut Model, at: &[f64], tolerance: f64, overrides: &Overrides) -> Simulation {
    let state = model.initial_state(overrides).unwrap_or_else(|e| panic!("{}: {e}", model.file_name));
    let mut w = model.workbench();
    let simulation = simulate(&mut w, &state, &settings(at, tolerance), &mut |_| true);
    let simulation = simulation.unwrap_or_else(|e| panic!("{}: {e}", model.file_name));
    assert!(simulation.outcome.is_success(), "{}: {:?}", model.file_name, simulation.outcome);
    assert_eq!(simulation.samples.len(), at.len(), "{}", model.file_name);
    simulation
}

/// The values of an expression along a run.
pub fn values_of(model: &mut Model, simulation: &Simulation, expr: Expr) -> Vec<f64> {
    let mut w = model.workbench();
    let columns = values_along(&mut w, &[expr], &simulation.samples);
    columns.unwrap_or_else(|e| panic!("{}: {e}", model.file_name)).remove(0)
}

/// The values of an expression or an equation (left side − right side) along a run.
pub fn along(model: &mut Model, simulation: &Simulation, text: &str) -> Vec<f64> {
    let expr = expression(model, text);
    values_of(model, simulation, expr)
}

/// Is this quantity constant along every motion of the model?
pub fn conserved(model: &mut Model, text: &str) -> Finding {
    let expr = expression(model, text);
    let mut w = model.workbench();
    let expr = in_coordinates(&mut w, expr);
    let rate = w.g.time_derivative(expr);
    model.arena = w.g;
    verdict(model, rate)
}
