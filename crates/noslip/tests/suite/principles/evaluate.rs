use crate::common::{gallery, load, reference};
use noslip::expr::Expr;
use noslip::model::{Model, Overrides};
use noslip::principles::evaluate::{Evaluation, evaluate, gauss, path, quadrilateral};

/// Models of every kind: sleigh, rolling bodies, nonlinear, rheonomic.
const MODELS: [(&str, f64); 6] = [
    ("knife-edge-body", 2.0),
    ("vertical-disk", 2.0),
    ("rolling-disk", 0.8),
    ("nonholonomic-particle", 2.0),
    ("appell-particle", 0.2),
    ("suslov-clockwork", 1.0),
];

/// All principles along the true motion, or along one with forces the principles do not know.
fn along(model: &mut Model, until: f64, pushed: bool) -> Vec<Evaluation> {
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let push: Vec<Expr> = (0..w.system.n()).map(|i| w.g.fraction(3 + 2 * i as i64, 10)).collect();
    let path = path(&mut w, &state, until, 1e-12, pushed.then_some(&push[..])).unwrap();
    let list: Vec<Evaluation> =
        evaluate(&mut w, &path).into_iter().map(|(name, e)| e.unwrap_or_else(|e| panic!("{name}: {e}"))).collect();
    assert_eq!(list.len(), 5);
    list
}

#[test]
fn every_principle_holds_along_the_true_motion_of_six_models() {
    for (name, until) in MODELS {
        for e in along(&mut gallery::open(name), until, false) {
            assert!(e.holds, "{name}, {}: {:e} {:?}", e.name, e.defect, e.terms);
            assert!(
                !e.terms.is_empty() && e.terms.iter().any(|t| t.scale > 1e-6),
                "{name}, {}: nothing was tested",
                e.name
            );
        }
    }
}

#[test]
fn every_principle_fails_along_a_motion_with_an_unknown_push() {
    for (name, until) in MODELS {
        for e in along(&mut gallery::open(name), until, true) {
            assert!(!e.holds && e.defect > 1e-4, "{name}, {}: {:e}", e.name, e.defect);
        }
    }
}

#[test]
fn without_the_transpositional_terms_suslovs_principle_fails_on_nonholonomic_systems_only() {
    let suslov = |model: &mut Model, until: f64| {
        let list = along(model, until, false);
        list.into_iter().find(|e| e.name == "suslov").unwrap().without_transposition.unwrap()
    };
    for (name, until) in [("knife-edge-body", 2.0), ("nonholonomic-particle", 2.0), ("rolling-disk", 0.8)] {
        let left = suslov(&mut gallery::open(name), until);
        assert!(left > 1e-4, "{name}: {left:e}");
    }
    let mut holonomic = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
         [constraints]\nc = \"z' = y*x' + x*y'\"\n[initial]\nposition = { x = 0.1, y = 0.2, z = 0 }\nvelocity = { x = 1, y = 0.5 }\n",
    );
    assert!(suslov(&mut holonomic, 2.0) < 1e-9);
}

#[test]
fn a_dependent_velocity_with_poles_along_the_motion_does_no_harm() {
    // The sledge turns: tan(phi) passes its poles, and y' = tan(phi) x' is the constraint solved for y'.
    let mut model = gallery::open("chaplygin-sledge");
    for e in along(&mut model, 10.0, false) {
        assert!(e.holds, "{}: {:e}", e.name, e.defect);
    }
    for e in along(&mut gallery::open("chaplygin-sledge"), 10.0, true) {
        assert!(!e.holds && !e.undecided, "{}: {:e}", e.name, e.defect);
    }
}

#[test]
fn a_motion_to_the_apex_of_a_cone_ends_there_and_is_judged_before() {
    // The speed vanishes on the way, at t = 0.24587…, where z' = √(x'² + x'y' + y'²) has no tangent.
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\npotential = \"9.81*z\"\n\
         [constraints]\nc = \"z'^2 = x'^2 + x'*y' + y'^2\"\n\
         [initial]\nposition = { x = 0.1, y = 0.2, z = 0 }\nvelocity = { x = 1, y = 0.5, z = 1.3228756555322954 }\n",
    );
    let state = model.initial_state(&Overrides::default()).unwrap();
    let error = path(&mut model.workbench(), &state, 1.0, 1e-12, None).expect_err("no motion beyond the apex");
    assert!(error.message.starts_with("the motion ends early, at t = 0.24587"), "{error:?}");
    assert!(error.message.ends_with("singular"), "{error:?}");
    let mut before = along(&mut model, 0.2, false);
    assert!(before.remove(0).holds);
}

#[test]
fn gauss_constraint_grows_with_every_admissible_change_of_the_accelerations() {
    let mut model = gallery::open("rolling-disk");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let path = path(&mut w, &state, 0.5, 1e-12, None).unwrap();
    let e = gauss(&mut w, &path).unwrap();
    assert!(e.holds && e.terms[1].value >= -1e-9 && e.terms[2].value > 0.0, "{:?}", e.terms);
}

#[test]
fn a_massless_coordinate_does_no_harm_to_gauss() {
    let mut model = reference::model("appell-machine-massless");
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let path = path(&mut w, &state, 0.2, 1e-11, None).unwrap();
    assert!(gauss(&mut w, &path).unwrap().holds);
}

#[test]
fn the_quadrilateral_closes_exactly_when_the_constraints_are_integrable() {
    for name in ["knife-edge-body", "vertical-disk", "nonholonomic-particle"] {
        let mut model = gallery::open(name);
        let state = model.initial_state(&Overrides::default()).unwrap();
        let mut w = model.workbench();
        let answer = quadrilateral(&mut w, &state, 1e-3).unwrap();
        assert!(answer.varied.iter().flatten().any(|&e| !w.g.is_zero(e)), "{name}: (a) is violated");
        let one = &answer.quadrilaterals[0];
        let size = |gap: &[f64]| gap.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let ratio = size(&one.gap) / size(&one.half_gap);
        assert!((ratio - 4.0).abs() < 0.02, "{name}: the gap grows with the square of the side, {ratio}");
        for (off, covariant) in one.off.iter().zip(&one.covariants) {
            assert!((off - covariant).abs() < 5e-3 * (1.0 + covariant.abs()), "{name}: {off} against {covariant}");
        }
        assert!(one.covariants.iter().any(|c| c.abs() > 0.1), "{name}");
    }
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
         [constraints]\nc = \"z' = y*x' + x*y'\"\n[initial]\nposition = { x = 0.1, y = 0.2, z = 0 }\nvelocity = { x = 1, y = 0.5 }\n",
    );
    let state = model.initial_state(&Overrides::default()).unwrap();
    let mut w = model.workbench();
    let answer = quadrilateral(&mut w, &state, 0.1).unwrap();
    assert!(answer.varied.iter().flatten().all(|&e| w.g.is_zero(e)));
    assert!(answer.quadrilaterals[0].gap.iter().all(|g| g.abs() < 1e-13), "{:?}", answer.quadrilaterals[0].gap);
}
