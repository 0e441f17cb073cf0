//! Quasi-velocities serve where the motion goes: chosen so, and refused at the edge of their chart.

use crate::motions::{load, names, reduced};
use noslip::model::Overrides;
use noslip::motions::steady::{Question, steady};
use std::f64::consts::FRAC_PI_2;

/// A cart with a sprung steering wheel on a slope: it can ride straight on across the slope, and nowhere else without turning.
fn cart(quasi_velocities: &str) -> String {
    format!(
        r#"noslip = 1
[system]
name = "Cart on a slope"
coordinates = ["x", "y", "phi", "beta"]
[parameters]
m = 3
J = 0.2
I = 0.05
h = 0.4
g = 9.81
tilt = 0.2
k = 4
c = 0.3
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2 + I/2*beta'^2"
potential = "-m*g*sin(tilt)*x + k/2*beta^2"
[forces]
beta = "-c*beta'"
{quasi_velocities}
[constraints]
rear = "-x'*sin(phi) + y'*cos(phi) = 0"
front = "-x'*sin(phi + beta) + y'*cos(phi + beta) + 2*h*phi'*cos(beta) = 0"
[initial]
position = {{ phi = 0.3, beta = 0.2 }}
velocity = {{ x = 1 }}
"#
    )
}

#[test]
fn a_vehicle_on_a_slope_is_described_by_its_speed() {
    let mut model = load(&cart(""));
    let (mut w, r) = reduced(&model).expect("it has a closed part");
    assert_eq!(names(&w, &r.closed()), ["phi", "beta", "v", "beta'"]);
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let answer = steady(&mut w, &r, &state, &Question::default()).expect("it rides across the slope");
    let found = &answer.motions[0].values;
    assert!((found[0].1.abs() - FRAC_PI_2).abs() < 1e-9, "phi = {}", found[0].1);
    assert!(found[1].1.abs() < 1e-9, "beta = {}", found[1].1);
}

#[test]
fn what_stands_still_only_at_the_edge_of_a_chart_is_no_steady_motion() {
    // The rate of turning is zero while the cart runs down the slope faster and faster: φ' no longer tells its speed at β = 0.
    let mut model = load(&cart("[quasi_velocities]\nturning = \"phi'\"\nsteering = \"beta'\""));
    let (mut w, r) = reduced(&model).expect("it has a closed part");
    let state = model.initial_state(&Overrides::default()).expect("a state");
    let error = steady(&mut w, &r, &state, &Question::default()).expect_err("nothing is steady inside the chart");
    assert!(error.to_string().contains("no steady motion"), "{error}");
}
