//! F. Talamucci, Rheonomic systems with nonlinear nonholonomic constraints: the Voronec equations.

/// The general equations, put in for four systems: linear or not, with time or without.
#[test]
fn printed_equations_get_their_verdicts() {
    assert_eq!(crate::verdicts("talamucci"), (31, 21));
}
