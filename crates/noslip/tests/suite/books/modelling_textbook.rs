//! The chapter on nonholonomic systems of a textbook on modelling: billiard ball and sledge.

use crate::common::gallery::{along, evenly, open, run};
use noslip::model::Overrides;

/// (4.262), (4.265) with forces: the centre moves as a particle of mass m + J/r², and the multipliers are what remains.
#[test]
fn the_billiard_ball_moves_as_a_heavier_particle() {
    let mut model = open("billiard-ball");
    let at = evenly(&model, 41);
    let s = run(&mut model, &at, 1e-11, &Overrides::default());
    for equation in
        ["(m + J/r^2)*x'' = Fx", "(m + J/r^2)*y'' = -k*y", "lambda_c1 = m*x'' - Fx", "lambda_c2 = m*y'' + k*y"]
    {
        let residual = along(&mut model, &s, equation);
        assert!(residual.iter().all(|x| x.abs() < 1e-9), "{equation}: {residual:?}");
    }
}
