//! States that are enclosed, on the smallest models.

use super::*;
use crate::model::Model;

#[test]
fn a_longer_claim_and_a_longer_system_are_more_to_evaluate_and_the_system_counts_for_more() {
    let size = |kinetic: &str, claim: &str| {
        let mut model: Model =
            format!("noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"{kinetic}\"\n")
                .parse()
                .unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
        Certifier::new(&mut model.workbench(), &[e], &[], &[]).expect("a certifier").size()
    };
    let (plain, long) = ("(x'^2 + y'^2)/2", "(x'^2 + exp(sin(x) + 2*cos(y))*y'^2)/2");
    let (by_claim, by_system) = (size(plain, "exp(sin(x) + 2*cos(y))"), size(long, "x"));
    assert!(size(plain, "x") < by_claim && by_claim < by_system, "{} {by_claim} {by_system}", size(plain, "x"));
    // Six nodes more of the system than of the claim, at least, each for eight.
    assert!(by_system > by_claim + 6 * 7, "{by_claim} {by_system}");
}

#[test]
fn an_inverse_times_its_matrix_is_one_and_a_singular_matrix_has_none() {
    for matrix in
        [vec![vec![0.0, 2.0], vec![4.0, 1.0]], vec![vec![1.0, 2.0, 0.0], vec![3.0, -1.0, 5.0], vec![0.5, 0.0, 7.0]]]
    {
        let found = inverse(&matrix).expect("regular");
        for i in 0..matrix.len() {
            for j in 0..matrix.len() {
                let sum: f64 = (0..matrix.len()).map(|k| found[i][k] * matrix[k][j]).sum();
                assert!((sum - f64::from(i == j)).abs() < 1e-14, "{i} {j}: {sum}");
            }
        }
    }
    assert!(inverse(&[vec![1.0, 2.0], vec![2.0, 4.0]]).is_none());
    assert!(inverse(&[vec![f64::NAN]]).is_none());
}

#[test]
fn pivots_are_the_largest_numbers_and_as_many_as_the_rank() {
    // The second row is twice the first; a millionth of a millionth is rounding.
    let (rows, columns) = pivots(&[vec![1.0, 3.0, 0.0], vec![2.0, 6.0, 1e-12], vec![0.0, 1.0, 5.0]]);
    assert_eq!((rows, columns), (vec![1, 2], vec![1, 2]));
    let (rows, columns) = pivots(&[vec![0.0, -7.0], vec![2.0, 1.0]]);
    assert_eq!((rows, columns), (vec![0, 1], vec![1, 0]));
    assert_eq!(pivots(&[vec![0.0, 0.0]]), (vec![], vec![]));
    assert_eq!(pivots(&[vec![1e-9, 0.0], vec![0.0, 2e-9]]), (vec![1, 0], vec![1, 0]));
}

/// A pendulum on a circle of radius 2, and a wheel that turns with it.
const PENDULUM: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 3\ng = 10\n\
     [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + z'^2/2\"\npotential = \"m*g*y\"\n\
     [constraints]\ncircle = \"x^2 + y^2 = 4\"\nrolls = \"z' = x*y' - y*x'\"\n";

/// What expressions are worth at the state next to x = 1.2, y = 1.6 and a velocity that is not quite tangent.
fn enclosed(claims: &[&str]) -> (RealState, Vec<Ball>) {
    let mut model: Model = PENDULUM.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let list: Vec<Expr> = claims.iter().map(|t| model.expression(t).unwrap_or_else(|e| panic!("{t}: {e}"))).collect();
    let mut w = model.workbench();
    let mut certifier = Certifier::new(&mut w, &list, &[], &[]).expect("a certifier");
    let near = RealState { t: 0.5, q: vec![1.2, 1.600_001, 0.7], v: vec![-0.8, 0.600_002, 2.000_003] };
    let (state, values) = certifier.at(&w.g, &near).expect("a state");
    (state, values.into_iter().map(|v| v.expect("a value")).collect())
}

#[test]
fn a_state_is_moved_until_the_constraints_hold_to_many_digits() {
    let (state, values) = enclosed(&["x^2 + y^2 - 4", "x*x' + y*y'", "z' - x*y' + y*x'", "x - 1", "t - 1/2"]);
    for value in &values[..3] {
        assert_eq!(sign_of(value, 1.0), Sign::Zero, "{value:?}");
    }
    assert_eq!(sign_of(&values[3], 1.0), Sign::Nonzero);
    assert!(values[4].high() < 1e-70);
    for (x, near) in state.q.iter().chain(&state.v).zip([1.2, 1.6, 0.7, -0.8, 0.6, 2.0]) {
        assert!((x - near).abs() < 1e-4, "{state:?}");
    }
    // What no constraint takes hold of stays as it was given.
    assert_eq!((state.t, state.q[2]), (0.5, 0.7));
}

#[test]
fn accelerations_and_multipliers_are_those_of_the_equations_of_motion() {
    // m x'' = 2 λ₁ x + λ₂ y, m y'' + m g = 2 λ₁ y − λ₂ x, z'' = λ₂; the constraints differentiated.
    let claims = [
        "m*x'' - 2*lambda_circle*x - lambda_rolls*y",
        "m*y'' + m*g - 2*lambda_circle*y + lambda_rolls*x",
        "z'' - lambda_rolls",
        "x*x'' + y*y'' + x'^2 + y'^2",
        "z'' - x*y'' + y*x''",
    ];
    let (_, values) = enclosed(&claims);
    for (claim, value) in claims.iter().zip(&values) {
        assert_eq!(sign_of(value, 1.0), Sign::Zero, "{claim}: {value:?}");
    }
    let (_, wrong) = enclosed(&["z'' + lambda_rolls"]);
    assert_eq!(sign_of(&wrong[0], 1.0), Sign::Nonzero);
}

#[test]
fn an_enclosure_is_zero_to_forty_digits_or_says_too_little() {
    let digits = Digits::new(BITS).expect("digits");
    let zero = Ball::exact(&digits, 0.0).expect("a number");
    assert_eq!(sign_of(&zero.widened(0.9e-40), 1.0), Sign::Zero);
    assert_eq!(sign_of(&zero.widened(1.1e-40), 1.0), Sign::Unclear);
    assert_eq!(sign_of(&zero.widened(1.1e-40), 2.0), Sign::Zero);
    assert_eq!(sign_of(&Ball::exact(&digits, 1e-50).expect("a number"), 1.0), Sign::Nonzero);
}

#[test]
fn what_asks_for_accelerations_costs_the_equations_of_motion_too() {
    let cost = |claim: &str| {
        let mut model: Model = PENDULUM.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
        let certifier = Certifier::new(&mut model.workbench(), &[e], &[], &[]).expect("a certifier");
        (certifier.cost(), certifier.cost_here(), certifier.moves)
    };
    let ((resting, here, still), (moving, same, moves)) = (cost("x + y"), cost("x'' + y''"));
    assert!(!still && moves && moving > resting + 10, "{moving} {resting}");
    // x, y and their sum; the constraints count ten times.
    assert_eq!((here, same), (3, 3));
    assert!(resting >= here + 10 * 10, "{resting}");
}

#[test]
fn an_enclosed_state_is_taken_over_where_it_knows_enough() {
    let mut model: Model = PENDULUM.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let [still, moving] = ["x^2 + y^2", "x'' - 1"].map(|t| model.expression(t).expect("an expression"));
    let mut w = model.workbench();
    let [mut first, mut second] = [still, moving].map(|e| Certifier::new(&mut w, &[e], &[], &[]).expect("a certifier"));
    let near = RealState { t: 0.0, q: vec![1.2, 1.6, 0.0], v: vec![0.0; 3] };
    first.enclose_state(&w.g, &near).expect("enclosed");
    assert!(!second.take(&first.state()), "no acceleration is known");
    second.enclose_state(&w.g, &near).expect("enclosed");
    assert!(first.take(&second.state()));
    let value = first.values_here(&w.g).expect("values").pop().flatten().expect("a value");
    assert!((value.value() - 4.0).abs() < 1e-12 && value.radius() < 1e-40, "{value:?}");
}

#[test]
fn tables_are_enclosed_inside_their_pieces_with_all_derivatives_and_nowhere_else() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[tables.f]\nof = \"x\"\nat = [-3, -1, 0.5, 2, 5]\n\
         values = [2, -1, 4, 3, 7]\ninterpolation = \"spline\"\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"f(x)\"\n";
    let model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let [table] = &model.system.tables[..] else { panic!("one table") };
    let (id, interpolant) = (table.id, Interpolant::new(table));
    let mut cx = Digits::new(BITS).expect("digits");
    let mut at = At { symbols: FxHashMap::default(), tables: vec![(id, interpolant.clone())] };
    for x in [-2.5, -1.25, -0.75, 0.25, 0.75, 1.5, 2.125, 4.75] {
        for derivative in 0..4 {
            let ball = Ball::exact(&cx, x).expect("a number");
            let found = at.table(&mut cx, id, derivative, &ball).expect("inside a piece");
            let expected = interpolant.evaluate(x, derivative);
            assert!(found.radius() > 0.0 && found.radius() < 1e-9, "{x}, {derivative}: {found:?}");
            assert!((found.value() - expected).abs() < 1e-12, "{x}, {derivative}: {found:?} for {expected}");
        }
        // As wide as what is asked for: the slope is at most ten.
        let wide = Ball::exact(&cx, x).expect("a number").widened(1e-3);
        let found = at.table(&mut cx, id, 0, &wide).expect("inside a piece");
        let reached = [x - 1e-3, x + 1e-3].map(|y| (interpolant.evaluate(y, 0) - found.value()).abs());
        assert!(reached.iter().all(|r| *r <= found.radius()) && found.radius() < 0.05, "{x}: {found:?}");
    }
    // Knots, what reaches over one, and what lies outside.
    for (x, radius) in [(-1.0, 0.0), (0.5, 1e-12), (0.45, 0.1), (1.9, 0.1), (-3.0, 0.0), (-4.0, 0.0), (6.0, 0.0)] {
        let ball = Ball::exact(&cx, x).expect("a number").widened(radius);
        assert!(at.table(&mut cx, id, 0, &ball).is_none(), "{x} ± {radius}");
    }
}

#[test]
fn constraints_that_depend_on_each_other_are_satisfied_together_or_there_is_no_state() {
    let state = |second: &str| {
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             [constraints]\nh = \"x + y^3 = 2\"\nagain = \"{second}\"\n"
        );
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression("x + y^3").expect("an expression");
        let mut w = model.workbench();
        let mut certifier = Certifier::new(&mut w, &[e], &[], &[])?;
        let near = RealState { t: 0.0, q: vec![1.0, 1.001], v: vec![3.0, -1.0] };
        certifier.at(&w.g, &near).map(|(state, values)| (state, values[0].clone().expect("a value")))
    };
    let (found, value) = state("(x + y^3)^2 = 4").expect("a state");
    assert!((value.value() - 2.0).abs() < 1e-15 && value.radius() < 1e-60, "{value:?}");
    assert!((found.q[0] + found.q[1].powi(3) - 2.0).abs() < 1e-14, "{found:?}");
    assert!((found.v[0] + 3.0 * found.q[1].powi(2) * found.v[1]).abs() < 1e-14, "{found:?}");
    assert!(state("(x + y^3)^2 = 9").is_none(), "no state satisfies both");
}

#[test]
fn other_variables_have_the_values_of_what_they_stand_for_one_after_the_other() {
    let mut model: Model = PENDULUM.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let [claim, first, second] = ["x' - 2*y'", "x + 1", "x'*x"].map(|t| model.expression(t).expect("an expression"));
    let mut w = model.workbench();
    // x' stands for x + 1 and y' for x'·x = (x + 1)·x.
    let [vx, vy] = [0, 1].map(|i| w.system.velocities[i]);
    let mut certifier = Certifier::new(&mut w, &[claim], &[(vx, first), (vy, second)], &[]).expect("a certifier");
    let near = RealState { t: 0.0, q: vec![1.2, 1.6, 0.0], v: vec![0.0; 3] };
    certifier.enclose_state(&w.g, &near).expect("enclosed");
    let value = certifier.values_here(&w.g).expect("values").pop().flatten().expect("a value");
    assert!((value.value() - (2.2 - 2.0 * 2.2 * 1.2)).abs() < 1e-12, "{value:?}");
}

#[test]
fn the_size_of_a_claim_is_its_nodes_and_eight_times_those_of_the_motion() {
    let mut model: Model = PENDULUM.parse().unwrap_or_else(|e| panic!("{e:?}"));
    let list = ["x + y", "x'' + sin(y)"].map(|t| model.expression(t).expect("an expression"));
    let mut w = model.workbench();
    let certifier = Certifier::new(&mut w, &list, &[], &[]).expect("a certifier");
    let saddle = certifier.saddle.order.len();
    assert!(saddle > 5, "{saddle}");
    // x, y, x + y, x'', sin(y) and the sum.
    assert_eq!((certifier.cost_here(), certifier.size()), (6, 6 + 8 * saddle));
    let stages: usize = certifier.stages.iter().map(|(_, s)| s.equations.order.len() + s.jacobian.order.len()).sum();
    assert_eq!(certifier.cost(), 6 + saddle + 10 * stages);
}
