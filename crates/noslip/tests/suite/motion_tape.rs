//! Straight-line code for accelerations and multipliers against the reference states.

use crate::common::reference::{model_of, number, systems};
use noslip::Limits;
use noslip::compile::{CompileOptions, GROWTH_LIMIT, JetInput};
use noslip::mechanics::Dynamics;
use noslip::model::Model;
use noslip::simulate::{MotionCode, MotionPart};
use serde_json::Value;

/// Model and motion of a reference system; the pivots are chosen without looking at the reference states.
fn motion(json: &Value) -> (Model, MotionCode) {
    let mut model = model_of(json);
    let dynamics = Dynamics::of(&mut model.arena, &model.system);
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).unwrap();
    let rows: Vec<usize> = (0..model.system.k()).collect();
    let motion = MotionCode::new(&model.arena, &model.system, &dynamics, &rows, &options).unwrap();
    (model, motion)
}

/// (t, q, q̇) of a reference state.
fn state(model: &Model, s: &Value) -> Vec<f64> {
    let names = || model.system.coordinates.iter().map(|&c| model.arena.name(c));
    let q = names().map(|n| number(&s["q"][n]));
    let v = names().map(|n| number(&s["qd"][n]));
    [number(&s["t"])].into_iter().chain(q).chain(v).collect()
}

#[test]
fn unrolled_elimination_gives_the_reference_accelerations_and_multipliers() {
    let (mut compared, mut distrusted) = (0, 0);
    for (name, json) in systems() {
        let (model, motion) = motion(&json);
        let (n, k) = (model.system.n(), model.system.k());
        let parts = [MotionPart::Accelerations, MotionPart::Multipliers, MotionPart::Growth];
        let tape = motion.tape(&model.arena, &parts, &[], &[]).unwrap();
        println!("{name}: {:?}", tape.statistics());
        for s in json["states"].as_array().expect("states") {
            let got = tape.evaluate(&state(&model, s));
            let growth = got[n + k];
            if growth.is_nan() || growth >= GROWTH_LIMIT {
                distrusted += 1;
                continue;
            }
            let accelerations = model.system.coordinates.iter().map(|&c| number(&s["qdd"][model.arena.name(c)]));
            let multipliers = model.system.constraints.iter().map(|c| number(&s["multipliers"][&c.name]));
            let want: Vec<f64> = accelerations.chain(multipliers).collect();
            let size = want.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            for (g, w) in got.iter().zip(&want) {
                compared += 1;
                let allowed = 1e-13 * size * growth.max(10.0);
                assert!((g - w).abs() <= allowed, "{name}: {g} and {w}, growth {growth:e}");
            }
        }
    }
    println!("{compared} numbers compared, {distrusted} states distrusted");
    assert!(compared > 1000 && distrusted <= 14, "{compared} compared, {distrusted} states of 286 distrusted");
}

#[test]
fn a_taylor_step_along_the_motion_keeps_the_constraints() {
    let mut tried = 0;
    for (name, json) in systems() {
        let (model, motion) = motion(&json);
        let n = model.system.n();
        let constraints: Vec<_> = model.system.constraints.iter().map(|c| c.expr).collect();
        let parts = [MotionPart::Velocities, MotionPart::Accelerations];
        let tape = motion.tape(&model.arena, &parts, &constraints, &[]).unwrap();
        let roles: Vec<JetInput> = [JetInput::Time].into_iter().chain((0..2 * n).map(JetInput::State)).collect();
        let mut jet = tape.jet::<1>(&roles, 20).unwrap();
        let start = state(&model, &json["states"][0]);
        let mut later: Vec<[f64; 1]> = start.iter().map(|x| [*x]).collect();
        if jet.expand(&later).is_err() {
            // A chart that is singular just there.
            continue;
        }
        // A step short enough for the series of this state.
        let last = (0..2 * n).map(|i| jet.input(1 + i)[20][0].abs()).fold(1e-300, f64::max);
        let h = (1e-17 / last).powf(1.0 / 20.0).min(0.1);
        jet.inputs_at(&[h], &mut later);
        let end: Vec<f64> = later.iter().map(|x| x[0]).collect();
        let out = tape.evaluate(&end);
        tried += 1;
        let size = end.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        for (j, c) in out[2 * n..].iter().enumerate() {
            assert!(c.abs() < 1e-11 * size, "{name}: constraint {j} is {c:e} after a step of {h}");
        }
        // Every coefficient of a constraint's series must vanish, not only its sum.
        for j in 0..constraints.len() {
            for (order, c) in jet.output(2 * n + j).iter().enumerate() {
                assert!(c[0].abs() * h.powi(order as i32) < 1e-11 * size, "{name}: constraint {j}, order {order}");
            }
        }
    }
    assert!(tried >= 34, "only {tried} systems tried");
}
