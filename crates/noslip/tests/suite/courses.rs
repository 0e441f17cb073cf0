//! The course of short runs by every method: steps, evaluations, samples, events, how they ended.
//!
//! That runs are accurate is tested against closed forms; this is how they get there, to the digit, since the same input gives the same
//! output: of small models here, and of every model of the gallery. `NOSLIP_BLESS=1 cargo test -p noslip --test suite courses` writes `tests/data/courses/`: more steps than before, or a
//! larger drift, want a reason.

use crate::common::{blessed, gallery, load};
use noslip::model::Overrides;
use noslip::simulate::{METHODS, Method, Occurrence, Sample, Settings, Simulation, simulate};
use std::fmt::Write;

/// A constraint in velocities, a force, an event.
const SLEDGE: &str = "noslip = 1\n[system]\nname = \"sledge on a slope\"\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 1\na = 0.3\ng = 4\n\
    [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\npotential = \"m*g*x\"\n\
    [constraints]\nknife = \"x'*sin(phi) - y'*cos(phi) + a*phi' = 0\"\n\
    [initial]\nposition = { phi = 0.4 }\nvelocity = { x = 1, phi = 2 }\n";

/// A finite constraint, brought back onto it.
const PENDULUM: &str = "noslip = 1\n[system]\nname = \"pendulum in the plane\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
    potential = \"10*y\"\n[constraints]\nrod = \"x^2 + y^2 = 1\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 0, y = 1 }\n";

/// Stiff: a fast decay beside a slow oscillation.
const STIFF: &str = "noslip = 1\n[system]\nname = \"stiff spring and damper\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
    potential = \"x^2/2 + (x - y)^2/10\"\n[forces]\ny = \"-2000*y'\"\n\
    [initial]\nposition = { x = 1, y = 0.5 }\nvelocity = { x = 0, y = 3 }\n";

/// Forces that depend on the time and on the velocity, not linearly.
const DRIVEN: &str = "noslip = 1\n[system]\nname = \"driven\"\ncoordinates = [\"x\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + (1 + x^2)*z'^2)/2\"\n\
    potential = \"x^4/4\"\n[forces]\nx = \"sin(3*t) - x'*sqrt(1 + x'^2)/5\"\n[constraints]\nc = \"z' = x*x' + t/10\"\n\
    [initial]\ntime = 0.5\nposition = { x = 1 }\nvelocity = { x = 0.2 }\n";

/// It falls into the centre: no step is short enough.
const COLLAPSE: &str = "noslip = 1\n[system]\nname = \"fall into a centre\"\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"-1/x\"\n\
    [initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";

/// The constraint loses its rank where the point comes to rest.
const REST: &str = "noslip = 1\n[system]\nname = \"constraint that loses rank\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
    potential = \"x\"\n[constraints]\nc = \"x*y' = (x - 1)*x'\"\n[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = -1 }\n";

/// A measured force, with corners.
const TABLE: &str = "noslip = 1\n[system]\nname = \"measured force\"\ncoordinates = [\"x\"]\n[tables.push]\nof = \"t\"\nat = [0, 0.4, 1.1, 3]\n\
    values = [0, 3, -2, 1]\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n[forces]\nx = \"push(t)\"\n\
    [initial]\nposition = { x = 1 }\nvelocity = { x = 0 }\n";

fn row(out: &mut String, s: &Sample) {
    let list = |values: &[f64]| values.iter().map(|x| format!("{x:.9e}")).collect::<Vec<_>>().join(" ");
    writeln!(out, "  {} | {} | {} | {}", s.t, list(&s.y), list(&s.accelerations), list(&s.multipliers))
        .expect("a string");
}

fn written(out: &mut String, run: &Simulation) {
    let s = &run.statistics;
    writeln!(out, "  {:?}", run.outcome).expect("a string");
    writeln!(
        out,
        "  {} steps, {} rejected, {} evaluations, {} Jacobians, {} factorisations{}; energy {:.1e}, constraints {:.1e}",
        s.steps,
        s.rejected,
        s.evaluations,
        s.jacobians,
        s.factorisations,
        if s.stiff { ", stiff" } else { "" },
        run.energy_drift,
        run.constraint_drift
    )
    .expect("a string");
    run.samples.iter().for_each(|s| row(out, s));
    for Occurrence { index, t, rising, .. } in &run.occurrences {
        writeln!(out, "  event {index} at {t:.9}, {}", if *rising { "rising" } else { "falling" }).expect("a string");
    }
}

/// Runs to `until`, sampled four times, watched for `stop`.
fn course(out: &mut String, text: &str, method: &'static Method, settings: &Settings, stop: &str) {
    let mut model = load(text);
    let state = model.initial_state(&Overrides::default()).expect("an initial state");
    let stops =
        if stop.is_empty() { Vec::new() } else { vec![(stop.to_owned(), model.expression(stop).expect("an event"))] };
    let settings = Settings { method, stops, ..settings.clone() }.sampled(&state, 4);
    let (step, tolerance) = (settings.step, settings.tolerance);
    writeln!(out, "{}, {}, {step:?}, {tolerance:e}", model.system.name, method.id()).expect("a string");
    match simulate(&mut model.workbench(), &state, &settings, &mut |_| true) {
        Ok(run) => written(out, &run),
        Err(error) => writeln!(out, "  {}", error.message).expect("a string"),
    }
    out.push('\n');
}

mod of_the_gallery {
    noslip_gallery::each_model!(super::of_a_model);
}

/// The beginning of the motion of a model, by every method.
fn of_a_model(name: &str) {
    let text = gallery::text(name);
    let until = gallery::open(name).system.simulation.until.as_ref().map_or(1.0, |t| t.to_f64()) / 8.0;
    let mut out = String::new();
    for method in METHODS {
        let settings = Settings { tolerance: 1e-7, max_steps: 1000, ..Settings::until(until) };
        course(&mut out, text, method, &settings, "");
    }
    blessed(&format!("crates/noslip/tests/data/courses/gallery/{name}.txt"), &out, "courses");
}

fn compared(name: &str, text: &str, until: f64, stop: &str) {
    let mut out = String::new();
    for method in METHODS {
        for (step, tolerance) in [(None, 1e-4), (None, 1e-9), (Some(0.01), 1e-9)] {
            let settings = Settings { step, tolerance, max_steps: 3000, ..Settings::until(until) };
            course(&mut out, text, method, &settings, stop);
        }
    }
    blessed(&format!("crates/noslip/tests/data/courses/{name}.txt"), &out, "courses");
}

#[test]
fn of_a_sledge() {
    compared("sledge", SLEDGE, 3.0, "");
}

#[test]
fn of_a_sledge_that_stops_where_it_turns_back() {
    compared("sledge-stopped", SLEDGE, 3.0, "x'");
}

#[test]
fn of_a_sledge_backwards_in_time() {
    compared("sledge-backwards", SLEDGE, -1.5, "phi - 3/10");
}

#[test]
fn of_a_pendulum() {
    compared("pendulum", PENDULUM, 2.5, "x");
}

#[test]
fn of_a_stiff_spring() {
    compared("stiff", STIFF, 2.0, "");
}

#[test]
fn of_a_driven_point() {
    compared("driven", DRIVEN, 3.0, "");
}

#[test]
fn of_a_fall_into_a_centre() {
    compared("collapse", COLLAPSE, 2.0, "");
}

#[test]
fn of_a_constraint_that_loses_its_rank() {
    compared("rest", REST, 2.0, "");
}

#[test]
fn of_a_measured_force() {
    compared("table", TABLE, 2.5, "");
}
