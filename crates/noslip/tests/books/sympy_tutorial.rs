//! The rolling disc of SymPy's documentation, derived there with the constraint put into the Lagrangian.

#[test]
fn two_of_three_derived_equations_are_wrong() {
    assert_eq!(crate::verdicts("sympy-tutorial"), (3, 2));
}
