//! The gallery: models by name, run and looked at.
#![allow(dead_code, missing_docs)] // each test uses its part

use noslip::Limits;
use noslip::analysis::analyse;
use noslip::expr::{Expr, Rational};
use noslip::model::{Claims, Model, Overrides, render};
use noslip::simulate::{Method, Settings, Simulation, simulate, values_along};
use noslip::verify::{Finding, decide, in_coordinates, relations_from_initial_state};
use std::path::{Path, PathBuf};

/// Models of the gallery and the reference system each one is.
pub const REFERENCE: [(&str, &str); 36] = [
    ("appell-hamel", "ii7_appell_hamel"),
    ("appell-machine", "ii7_appell_machine"),
    ("appell-machine-massless", "ii7_appell_machine_massless"),
    ("appell-particle", "su_appell_2_2"),
    ("appell-particle-inertial", "su_appell_inertial"),
    ("ball-on-plane", "su_ball_free"),
    ("billiard-ball", "bm_billiard_ball_forced"),
    ("boltzmann-gear", "su_boltzmann_gear"),
    ("car-in-a-turn", "ii4_car_text"),
    ("car-in-a-turn-generic", "ii4_car_generic"),
    ("caratheodory-sledge", "bm_sledge"),
    ("chaplygin-sledge", "su_chaplygin_sledge"),
    ("chaplygin-sledge-ahead", "su_chaplygin_sledge_line"),
    ("chaplygin-sledge-beside", "su_chaplygin_sledge_side"),
    ("dumbbell", "gw_5_2_dumbbell"),
    ("ellipsoid-on-plane", "ii6_ellipsoid"),
    ("figure-skater", "ii3_figure_skater_text"),
    ("figure-skater-offset", "ii2_figure_skater"),
    ("fluid-flywheel", "ii9_fluid_flywheel"),
    ("hoop", "su_hoop"),
    ("hoop-upright", "su_hoop_upright"),
    ("knife-edge-body", "gw_5_1_knife_edge_body"),
    ("nonlinear-chaplygin", "su_nonlinear_chaplygin_test"),
    ("novoselov-reducer", "ii8_novoselov_reducer"),
    ("rigid-body-controlled-rotation", "rigid_body_controlled_omega"),
    ("rod-with-skate", "ii1_rod_skate_text"),
    ("rod-with-skate-generic", "ii1_rod_skate_generic"),
    ("rolling-disk", "gw_5_3_rolling_disk"),
    ("suslov", "su_suslov_free"),
    ("suslov-clockwork", "su_suslov_clockwork"),
    ("suslov-kharlamova", "su_suslov_kharlamova"),
    ("synge-wheels", "su_synge_wheels"),
    ("talamucci-linear-rheonomic", "tal_linear_rheonomic"),
    ("talamucci-linear-scleronomic", "tal_linear_scleronomic"),
    ("talamucci-nonlinear-rheonomic", "tal_nonlinear_rheonomic"),
    ("talamucci-nonlinear-scleronomic", "tal_nonlinear_scleronomic"),
];

/// The folder of the gallery.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// The names of the TOML files in a folder, without the extension, in alphabetical order.
pub fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut names: Vec<String> = entries
        .map(|e| e.expect("a file").path())
        .filter(|p| p.extension().is_some_and(|x| x == "toml"))
        .map(|p| p.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The text of a file below the gallery.
pub fn text(path: &str) -> String {
    let path = folder().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A model of the gallery, which must load without a warning.
pub fn open(name: &str) -> Model {
    let file = format!("{name}.toml");
    let text = text(&file);
    let model = Model::load(&text, &file, &Limits::default()).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|e| render(e, &file, &text)).collect();
        panic!("{}", shown.join("\n"))
    });
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

/// Does something for every name, on as many threads as there are processors; results in the order of the names.
pub fn for_each<T: Send>(names: &[String], job: impl Fn(&str) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let worker = || {
            let mut mine = Vec::new();
            loop {
                let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(name) = names.get(i) else { return mine };
                mine.push((i, job(name)));
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
    (0..n).map(|i| until * i as f64 / (n - 1) as f64).collect()
}

/// Integrates from the model's own initial state, or from the one given.
pub fn run(model: &mut Model, at: &[f64], tolerance: f64, overrides: &Overrides) -> Simulation {
    let state = model.initial_state(overrides).unwrap_or_else(|e| panic!("{}: {e}", model.file_name));
    let settings = Settings {
        until: at.last().copied().expect("a time to run to"),
        at: at.to_vec(),
        tolerance,
        method: Method::Dop853,
        step: None,
        max_steps: 1_000_000,
        stops: Vec::new(),
    };
    let mut w = model.workbench();
    let simulation = simulate(&mut w, &state, &settings, &mut |_| true);
    let simulation = simulation.unwrap_or_else(|e| panic!("{}: {e}", model.file_name));
    assert!(simulation.outcome.is_success(), "{}: {:?}", model.file_name, simulation.outcome);
    assert_eq!(simulation.samples.len(), at.len(), "{}", model.file_name);
    simulation
}

/// An expression, or an equation as left side − right side; `energy` is T + V.
pub fn expression(model: &mut Model, text: &str) -> Expr {
    if text == "energy" {
        return model.arena.add(model.system.kinetic, model.system.potential);
    }
    let claim = Claims::equation(text, model, &Limits::default()).unwrap_or_else(|errors| {
        let shown: Vec<String> = errors.iter().map(|e| render(e, &model.file_name, text)).collect();
        panic!("{}", shown.join("\n"))
    });
    claim.expr
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

/// Is this zero a consequence of the model, with the relations between positions its initial state implies?
pub fn verdict(model: &mut Model, expr: Expr) -> Finding {
    let mut w = model.workbench();
    match decide(&mut w, expr, &[]) {
        Finding::Fails(counterexample) => {
            let analysis = analyse(&mut w);
            let relations = relations_from_initial_state(&mut w, &analysis);
            if relations.is_empty() { Finding::Fails(counterexample) } else { decide(&mut w, expr, &relations) }
        }
        finding => finding,
    }
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
