//! What the initial position leads to.
//!
//! Constraints may hide holonomic relations. Then the motions from the initial position stay on a leaf of the space of
//! coordinates, and a state off it says nothing about them. The position as it is written is exact: what a relation is worth
//! there is decided without rounding. Other points of the leaf are reached by following motions.

use super::claim::{ROUNDING, terms};
use super::finding::Counterexample;
use super::real::{RealState, RealStates};
use super::rounding::magnitude;
use crate::expr::enclosure::{Ball, Digits, Given, enclose};
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Arena, Expr, Function, Known, Node, Symbol, TableId};
use crate::mechanics::Workbench;
use crate::model::{Overrides, complete};
use crate::simulate::{Settings, simulate, values_along};
use rustc_hash::FxHashMap;

/// What an expression is worth at the initial position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Worth {
    /// Zero, by the normal form.
    Zero,
    /// Zero to many digits, or to rounding where the position follows from constraints.
    Small,
    /// Certainly not zero.
    Nonzero,
    /// Cannot say.
    Unclear,
}

const BITS: usize = 256;
/// Digits after the point up to which a decimal number is meant as it is written.
const DIGITS: usize = 13;
/// A constant of this size is none.
const TINY: f64 = 1e-60;
/// Beyond this part of its terms a value that follows from rounded numbers is not zero.
const PLAIN: f64 = 1e-9;

/// The initial time and position as they are written: exact values of all symbols that have one.
pub(super) fn beginning(w: &mut Workbench) -> Option<FxHashMap<Symbol, Expr>> {
    let initial = w.system.initial.clone()?;
    let mut exact = w.system.parameter_expressions(&mut w.g);
    let time = w.g.substitute(initial.time, &exact);
    let coordinates = w.system.coordinates.clone();
    let holonomic: Vec<Expr> = w.system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr).collect();
    let mut position: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for (i, &q) in coordinates.iter().enumerate() {
        match initial.position.get(i).copied().flatten() {
            // So many digits are a rounded number, and stand for one that cannot be written.
            Some(e) if w.g.as_number(e).is_some_and(|x| x.denominator().to_string().len() > DIGITS) => {}
            Some(e) => {
                let e = w.g.substitute(e, &exact);
                position.insert(q, e);
            }
            // What nothing determines is taken as zero; the rest follows from the constraints, to rounding.
            None if !holonomic.iter().any(|&e| w.g.depends_on(e, q)) => {
                let zero = w.g.zero();
                position.insert(q, zero);
            }
            None => {}
        }
    }
    exact.insert(w.g.time(), time);
    exact.extend(position);
    // A position that satisfies the constraints to rounding only has been moved.
    for e in holonomic {
        let value = w.g.substitute(e, &exact);
        if is_zero(&mut w.g, value, &ZeroOptions::default()) != Known::Proved {
            for q in &coordinates {
                if w.g.depends_on(e, *q) {
                    exact.remove(q);
                }
            }
        }
    }
    Some(exact)
}

/// The value at the initial position as an exact expression.
pub(super) fn exact_value(w: &mut Workbench, e: Expr) -> Option<Expr> {
    let exact = beginning(w)?;
    let value = w.g.substitute(e, &exact);
    let mut open = w.system.coordinates.clone();
    open.extend(&w.system.velocities);
    (!w.g.is_undefined(value) && !w.g.depends_on_any(value, &open)).then_some(value)
}

/// What a function of time and position is worth at the initial position.
pub(super) fn worth(w: &mut Workbench, e: Expr) -> Worth {
    let Some(value) = exact_value(w, e) else { return rounded_worth(w, e) };
    if is_zero(&mut w.g, value, &ZeroOptions::default()) == Known::Proved {
        return Worth::Zero;
    }
    match enclosed(w, value) {
        Some(x) if x.low() > 0.0 => Worth::Nonzero,
        Some(x) if x.high() < TINY => Worth::Small,
        _ => Worth::Unclear,
    }
}

/// An exact value to many digits.
fn enclosed(w: &mut Workbench, value: Expr) -> Option<Ball> {
    let mut digits = Digits::new(BITS)?;
    let order = w.g.reachable(&[value]);
    enclose::<Ball>(&w.g, &[value], &order, &mut digits, &mut Nothing).pop().flatten()
}

/// No symbol has a value.
struct Nothing;

impl Given<Ball> for Nothing {
    fn symbol(&mut self, _: &mut Digits, _: Symbol) -> Option<Ball> {
        None
    }

    fn table(&mut self, _: &mut Digits, _: TableId, _: u8, _: &Ball) -> Option<Ball> {
        None
    }
}

fn rounded_worth(w: &mut Workbench, e: Expr) -> Worth {
    let Some(value) = w.value_at_initial_state(e) else { return Worth::Unclear };
    let size = size_at_initial_state(w, e);
    match value.abs() {
        x if x <= ROUNDING * size => Worth::Small,
        x if x > PLAIN * size => Worth::Nonzero,
        _ => Worth::Unclear,
    }
}

/// How large the terms of a sum are at the initial state.
fn size_at_initial_state(w: &mut Workbench, e: Expr) -> f64 {
    let sizes = terms(&mut w.g, e).into_iter().filter_map(|e| w.value_at_initial_state(e)).map(f64::abs);
    sizes.fold(1e-3, f64::max)
}

/// The initial state as a counterexample.
pub(super) fn initial_counterexample(w: &mut Workbench, claim: Expr) -> Option<Counterexample> {
    let s = complete(&mut w.g, &w.system, &Overrides::default()).ok()?;
    // What is left may be far below the rounding of its terms.
    let exact = exact_value(w, claim).and_then(|value| enclosed(w, value));
    let (residual, error) = match exact {
        Some(x) => (x.value(), x.radius()),
        None => (w.value_at_initial_state(claim)?, ROUNDING * size_at_initial_state(w, claim)),
    };
    Some(Counterexample { state: RealState { t: s.time, q: s.position, v: s.velocity }, residual, error })
}

/// Is the counterexample at the initial position?
pub(super) fn is_initial(w: &mut Workbench, c: &Counterexample) -> bool {
    complete(&mut w.g, &w.system, &Overrides::default()).is_ok_and(|s| s.time == c.state.t && s.position == c.state.q)
}

/// May a function whose derivative vanishes jump? Where it has poles or steps, and is not the branch of one analytic function.
pub(crate) fn may_jump(g: &Arena, e: Expr) -> bool {
    let varies = |e: Expr| g.reachable(&[e]).into_iter().any(|x| matches!(g.node(x), Node::Symbol(s) if *s != g.pi()));
    let (mut branches, mut poles, mut steps) = (false, false, false);
    for x in g.reachable(&[e]) {
        match g.node(x) {
            Node::Call(Function::Sign, _) | Node::Atan2(..) | Node::Table(..) | Node::Power(..) => steps = true,
            Node::Call(Function::Abs | Function::Atan | Function::Asin | Function::Acos, _) => branches = true,
            Node::Call(Function::Log, _) => (branches, poles) = (true, true),
            Node::Call(Function::Tan | Function::Cot | Function::Sec | Function::Csc, _) => poles = true,
            Node::Product { factors, .. } => {
                for (_, p) in factors.iter().filter(|(b, _)| varies(*b)) {
                    poles |= p.is_negative();
                    branches |= !p.is_integer();
                }
            }
            _ => {}
        }
    }
    steps || (branches && poles)
}

/// What following motions from the initial position shows of a claim.
pub(super) enum Walk {
    /// It fails at this state.
    Fails(Counterexample),
    /// It holds at this many states.
    Holds(usize),
    /// There is no initial state, or no motion from it.
    Nowhere,
}

/// How fast and how long: every turn of an angle and large numbers are reached, as by far states.
const WALKS: [(f64, f64); 8] =
    [(0.0, 1.0), (1.0, 2.0), (1.0, 6.0), (4.0, 6.0), (4.0, 20.0), (30.0, 6.0), (30.0, 40.0), (300.0, 10.0)];
const SAMPLES: usize = 40;
const STEPS: u64 = 4_000;
const TOLERANCE: f64 = 1e-10;
/// A failure is plain beside the errors of the motion.
const FAILURE: f64 = 1e-5;

/// Follows motions from the initial position with several velocities.
pub(super) fn walk(w: &mut Workbench, claim: Expr) -> Walk {
    let Ok(begin) = complete(&mut w.g, &w.system, &Overrides::default()) else { return Walk::Nowhere };
    let Ok(mut states) = RealStates::new(w, &[]) else { return Walk::Nowhere };
    let size = magnitude(&mut w.g, claim);
    let mut met = 0;
    for (i, (speed, duration)) in WALKS.into_iter().enumerate() {
        let mut from = begin.clone();
        if speed > 0.0 {
            let Some(v) = states.velocity_from(begin.time, &begin.position, i as u64, speed) else { continue };
            from.velocity = v;
        }
        let settings = Settings { max_steps: STEPS, tolerance: TOLERANCE, ..Settings::until(begin.time + duration) };
        let settings = settings.sampled(&from, SAMPLES);
        let Ok(run) = simulate(w, &from, &settings, &mut |_| true) else { continue };
        let Ok(values) = values_along(w, &[claim, size], &run.samples) else { continue };
        for (k, s) in run.samples.iter().enumerate() {
            let (residual, size) = (values[0][k], values[1][k]);
            if !residual.is_finite() || !size.is_finite() {
                continue;
            }
            met += 1;
            let error = FAILURE * size.max(1e-3);
            if residual.abs() > error {
                let (q, v) = s.y.split_at(s.y.len() / 2);
                let state = RealState { t: s.t, q: q.to_vec(), v: v.to_vec() };
                return Walk::Fails(Counterexample { state, residual, error });
            }
        }
    }
    if met == 0 { Walk::Nowhere } else { Walk::Holds(met) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    /// x = 3, y = 4, z = 10⁸ in the beginning.
    fn begun(text: &str) -> (Workbench, Expr) {
        let mut model: Model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n\
             [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[initial]\nposition = { x = 3, y = 4, z = 100000000 }\n"
            .parse()
            .unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        (model.workbench(), e)
    }

    #[test]
    fn the_size_of_a_sum_is_that_of_its_largest_term() {
        for (text, size) in [("x - y", 4.0), ("x - 3", 3.0), ("y^2 - x*y", 16.0), ("x - x", 1e-3)] {
            let (mut w, e) = begun(text);
            assert_eq!(size_at_initial_state(&mut w, e), size, "{text}");
        }
    }

    #[test]
    fn a_position_of_twelve_digits_is_meant_as_it_is_written_and_a_longer_one_is_rounded() {
        let exact = |x: &str| {
            let text = format!(
                "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                 [initial]\nposition = {{ x = {x}, y = 1 }}\n"
            );
            let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
            let e = model.expression("x + 2*y").unwrap_or_else(|e| panic!("{e}"));
            exact_value(&mut model.workbench(), e).is_some()
        };
        assert!(exact("0.123456789013") && !exact("0.1234567890123"));
    }

    #[test]
    fn the_beginning_knows_what_is_given_and_what_nothing_determines_and_not_what_follows() {
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nk = 2\n\
             [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraints]\nh = \"(x - 1)^2 + y = k\"\n\
             [initial]\ntime = 3\nposition = { y = 1 }\n";
        // x follows from y to rounding only, and what stands in a relation with it may have been moved.
        for (expression, value) in [("y", None), ("z", Some(0)), ("x", None), ("t + k", Some(5)), ("x'", None)] {
            let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
            let e = model.expression(expression).unwrap_or_else(|e| panic!("{e}"));
            let mut w = model.workbench();
            let found = exact_value(&mut w, e);
            assert_eq!(found, value.map(|x| w.g.integer(x)), "{expression}");
        }
    }

    #[test]
    fn a_counterexample_at_the_initial_position_is_known_as_such() {
        let (mut w, e) = begun("x - y");
        let mut found = initial_counterexample(&mut w, e).expect("a counterexample");
        assert_eq!((found.residual, found.state.q.as_slice()), (-1.0, &[3.0, 4.0, 1e8][..]));
        // The position is exact, and so is what is left there.
        assert!(found.error < 1e-60, "{found:?}");
        assert!(is_initial(&mut w, &found));
        found.state.q[1] = 5.0;
        assert!(!is_initial(&mut w, &found));
        (found.state.q[1], found.state.t) = (4.0, 1.0);
        assert!(!is_initial(&mut w, &found));
    }

    #[test]
    fn a_rounded_value_is_judged_beside_the_terms_it_is_the_sum_of() {
        for (text, expected) in [
            ("x - y", Worth::Nonzero),
            ("x*y - 12", Worth::Small),
            // A millionth beside a hundred million is rounding, beside four it is not.
            ("z - 100000000 + 1/1000000", Worth::Small),
            ("y - 4 + 1/1000000", Worth::Nonzero),
            ("y - 4 + 1/1000000000", Worth::Unclear),
        ] {
            let (mut w, e) = begun(text);
            assert_eq!(rounded_worth(&mut w, e), expected, "{text}");
        }
    }

    #[test]
    fn an_exact_value_is_zero_small_or_certainly_not_zero() {
        for (text, expected) in [
            ("x + 1 - y", Worth::Zero),
            ("x - y + 1/10^30", Worth::Nonzero),
            // Euler: this is zero, but no normal form says so.
            ("atan(1/2) + atan(1/x) - pi/4", Worth::Small),
        ] {
            let (mut w, e) = begun(text);
            assert_eq!(worth(&mut w, e), expected, "{text}");
        }
    }

    #[test]
    fn a_function_jumps_at_steps_and_where_its_branches_meet_at_poles() {
        for (text, jumps) in [
            ("x*y", false),
            ("1/x", false),
            ("sqrt(x)", false),
            ("sqrt(x) + 1/y", true),
            ("abs(x)*tan(y)", true),
            ("sign(x)", true),
            ("log(x)", true),
            ("sqrt(2)/3 + 1/2", false),
            // Two poles are no fewer than one, and so with roots.
            ("sqrt(x)/(y*z)", true),
            ("sqrt(x)*sqrt(y)/z", true),
            ("acos(x)*cot(y)", true),
            ("atan(x)*cos(y)", false),
            ("atan2(x, y)", true),
            ("x^y", true),
        ] {
            let (w, e) = begun(text);
            assert_eq!(may_jump(&w.g, e), jumps, "{text}");
        }
    }

    #[test]
    fn the_motion_from_the_initial_state_itself_is_followed_too() {
        // Only from the initial velocity does the point come beyond 5000.
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\n\
             [initial]\nposition = { x = 0 }\nvelocity = { x = 10000 }\n";
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression("abs(x - 5000) + x - 5000").unwrap_or_else(|e| panic!("{e}"));
        match walk(&mut model.workbench(), e) {
            Walk::Fails(c) => assert!(c.state.q[0] > 5000.0 && (c.state.v[0] - 10000.0).abs() < 1e-6, "{c:?}"),
            Walk::Holds(states) => panic!("holds at {states} states"),
            Walk::Nowhere => panic!("no motion"),
        }
    }

    #[test]
    fn a_failure_along_a_motion_is_plain_beside_the_terms_of_the_claim() {
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[parameters]\nk = 1\n[energy]\nkinetic = \"x'^2/2\"\n\
             [initial]\nposition = { x = 0 }\nvelocity = { x = 1 }\n";
        // A hundred-thousandth of two thousand is two hundredths; below a thousandth, terms count as that.
        for (claim, fails) in [
            ("1000*k - 1000 + 1/100", false),
            ("1000*k - 1000 + 3/100", true),
            ("(k - 1)/10^6 + 5/10^9", false),
            ("(k - 1)/10^6 + 2/10^8", true),
        ] {
            let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
            let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
            match walk(&mut model.workbench(), e) {
                Walk::Fails(_) => assert!(fails, "{claim}"),
                // Forty states of each of eight motions.
                Walk::Holds(states) => assert!(!fails && states == 320, "{claim}: {states}"),
                Walk::Nowhere => panic!("no motion"),
            }
        }
    }

    #[test]
    fn states_where_a_claim_has_no_value_do_not_count_for_it() {
        // The root has none where x is negative; what it is made of has a size there all the same.
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\n\
             [initial]\nposition = { x = 0 }\nvelocity = { x = -1 }\n";
        for (claim, some) in [("sqrt(x)*sqrt(x + 1) - sqrt(x^2 + x)", true), ("sqrt(-1 - x^2)", false)] {
            let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
            let e = model.expression(claim).unwrap_or_else(|e| panic!("{claim}: {e}"));
            match walk(&mut model.workbench(), e) {
                // Of eight motions the one from the initial velocity alone has forty without a value, but for its beginning.
                Walk::Holds(states) => assert!(some && (1..=8 * 40 - 39).contains(&states), "{claim}: {states}"),
                Walk::Nowhere => assert!(!some, "{claim}"),
                Walk::Fails(c) => panic!("{claim}: {c:?}"),
            }
        }
    }

    #[test]
    fn a_counterexample_at_a_rounded_position_is_wrong_by_the_rounding_of_its_terms() {
        // The position has so many digits that it stands for a number that cannot be written.
        let text = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\n\
             [initial]\nposition = { x = 200.1234567890123456 }\n";
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let e = model.expression("x - 200").unwrap_or_else(|e| panic!("{e}"));
        let mut w = model.workbench();
        assert_eq!(exact_value(&mut w, e), None);
        let found = initial_counterexample(&mut w, e).expect("a counterexample");
        assert!((found.residual - 0.123_456_789_012_345_6).abs() < 1e-12, "{found:?}");
        assert!((found.error / (ROUNDING * 200.123_456_789) - 1.0).abs() < 1e-9, "{found:?}");
    }
}
