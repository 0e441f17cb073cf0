use crate::common::{gallery, load, settings, times};
use noslip::mechanics::Workbench;
use noslip::model::Overrides;
use noslip::principles::beside::{Lindelof, beside};

#[test]
fn lindelofs_motion_is_that_of_lagranges_equations_for_the_energy_with_the_constraints_inserted() {
    // Greenwood's dumbbell, y' = x' tan φ put into T: a holonomic system in φ and x.
    let text = r#"
        noslip = 1
        [system]
        name = "wrong dumbbell"
        coordinates = ["phi", "x"]
        [parameters]
        m = 1.3
        l = 0.8
        [energy]
        kinetic = "m*(l^2*phi'^2/2 + (x'/cos(phi))^2)"
        [initial]
        position = { phi = 0.2, x = 0 }
        velocity = { phi = 1.1, x = 0.6 }
    "#;
    let mut right = gallery::open("dumbbell");
    let state = right.initial_state(&Overrides::default()).unwrap();
    let mut w = right.workbench();
    let wrong = Lindelof::of(&mut w).unwrap();
    assert!(!wrong.is_right(&w));
    let mut holonomic = load(text);
    let start = holonomic.initial_state(&Overrides::default()).unwrap();
    let mut v = Workbench::new(w.g.clone(), wrong.system.clone());
    let at = times(0.9, 10);
    let run = beside((&mut v, &state), (&mut holonomic.workbench(), &start), &[(0, 0), (1, 1)], &settings(&at, 1e-12));
    assert!(run.unwrap().largest() < 1e-9);
    // And it is another motion than the true one.
    let mut v = Workbench::new(w.g.clone(), wrong.system.clone());
    let run = beside((&mut w, &state), (&mut v, &state), &[(0, 0), (1, 1), (2, 2)], &settings(&at, 1e-12)).unwrap();
    assert!(run.departs(1e-3).is_some_and(|(t, _)| t > 0.0) && run.largest() > 0.1, "{}", run.largest());
}

#[test]
fn nothing_is_left_out_where_the_constraints_are_integrable() {
    let text = r#"
        noslip = 1
        [system]
        name = "rolling cylinder"
        coordinates = ["phi", "x"]
        [energy]
        kinetic = "x'^2/2 + phi'^2/4"
        potential = "-x"
        [constraints]
        roll = "x' = phi'"
        [initial]
        position = { phi = 0, x = 0 }
    "#;
    let mut w = load(text).workbench();
    let same = Lindelof::of(&mut w).unwrap();
    assert!(same.is_right(&w));
}

#[test]
fn appells_machine_tends_to_the_point_with_his_constraint_from_one_side_only() {
    // Example II.7 of Soltakhanov, Yushkov and Zegzhda, the text before (4.36): the same state, ρ → 0 from above and from below.
    let mut point = gallery::open("appell-hamel");
    let start = point.initial_state(&Overrides::default()).unwrap();
    let (vx, vy) = (start.velocity[0], start.velocity[1]);
    let (heading, speed) = (vy.atan2(vx), vx.hypot(vy));
    let apart = |rho: f64| {
        let mut machine = gallery::open_with("appell-machine-massless", &[("rho", rho)]);
        let position = vec![(0, 0.1), (1, -0.2), (2, heading), (3, 0.0), (4, 3.0)];
        let overrides = Overrides { position, velocity: vec![(2, 0.01), (3, speed / 0.9)], ..Overrides::default() };
        let state = machine.initial_state(&overrides).unwrap();
        let common = [(0, 0), (1, 1), (4, 2)];
        let at = times(1.0, 11);
        let run = beside(
            (&mut machine.workbench(), &state),
            (&mut point.workbench(), &start),
            &common,
            &settings(&at, 1e-10),
        );
        run.unwrap().largest()
    };
    let (near, nearer, beyond) = (apart(0.01), apart(0.001), apart(-0.01));
    assert!(nearer < 0.2 * near && nearer < 2e-4, "{near} {nearer}");
    assert!(beyond > 0.5, "{beyond}");
}
