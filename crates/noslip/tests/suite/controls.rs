//! Deliberately wrong equations: the agreement test must refuse them. A test that cannot fail proves nothing.

use crate::common::reference;
use noslip::expr::{Expr, Rational};
use noslip::forms::by_id;
use noslip::mechanics::{Equations, SplitFrame, Workbench};
use noslip::verify::agreement;

fn with_system<R>(name: &str, check: impl FnOnce(&mut Workbench) -> R) -> R {
    check(&mut reference::model(name).workbench())
}

fn derive(w: &mut Workbench, form: &str) -> Equations {
    let form = by_id(form).unwrap_or_else(|| panic!("no form {form}"));
    form.derive(w).unwrap_or_else(|e| panic!("{e}"))
}

fn refused(w: &mut Workbench, eq: &Equations) -> bool {
    agreement(w, eq).known.is_refuted()
}

/// Chaplygin's equations with `factor` times the bracket terms.
fn chaplygin_with_bracket(w: &mut Workbench, factor: i64) -> Equations {
    let mut eq = derive(w, "chaplygin");
    let split = w.chaplygin_split().unwrap_or_else(|e| panic!("{e}"));
    let frame = SplitFrame::new(w, split.clone());
    for s in 0..split.independent.len() {
        let mut terms = vec![(eq.equations[s], Rational::ONE)];
        for nu in 0..split.dependent.len() {
            let rate = frame.ddt(w, frame.alpha_v[nu][s]);
            let by = frame.alpha_q(w, nu, split.independent[s]);
            let bracket = w.g.sub(rate, by);
            let term = w.g.mul(bracket, frame.dependent_momenta[nu]);
            terms.push((term, Rational::integer(1 - factor)));
        }
        eq.equations[s] = w.g.linear(Rational::ZERO, terms);
    }
    eq
}

#[test]
fn chaplygins_bracket_is_needed_with_its_sign() {
    with_system("chaplygin-sledge", |w| {
        let right = chaplygin_with_bracket(w, 1);
        assert!(agreement(w, &right).holds());
        let opposite = chaplygin_with_bracket(w, -1);
        assert!(refused(w, &opposite), "the opposite sign of the bracket");
        let dropped = chaplygin_with_bracket(w, 0);
        assert!(refused(w, &dropped), "the bracket dropped: Lagrange's equations of the reduced energy");
    });
}

#[test]
fn the_upright_hoop_obeys_lagranges_equations_of_the_reduced_energy() {
    with_system("hoop-upright", |w| {
        let dropped = chaplygin_with_bracket(w, 0);
        assert!(agreement(w, &dropped).holds(), "here the bracket terms cancel");
    });
}

/// The same equations with the forces on the dependent coordinates left out.
fn without_dependent_forces(w: &mut Workbench, form: &str) -> Equations {
    let mut eq = derive(w, form);
    let split = if form == "chaplygin" { w.chaplygin_split() } else { w.split() }.unwrap_or_else(|e| panic!("{e}"));
    let frame = SplitFrame::new(w, split.clone());
    let d = w.dynamics();
    for s in 0..split.independent.len() {
        let mut terms = vec![(eq.equations[s], Rational::ONE)];
        for (nu, &i) in split.dependent.iter().enumerate() {
            let force = frame.insert(w, d.forces[i]);
            terms.push((w.g.mul(frame.alpha_v[nu][s], force), Rational::ONE));
        }
        eq.equations[s] = w.g.linear(Rational::ZERO, terms);
    }
    eq
}

#[test]
fn the_force_on_a_dependent_coordinate_counts() {
    with_system("figure-skater-offset", |w| {
        let wrong = without_dependent_forces(w, "chaplygin");
        assert!(refused(w, &wrong), "(2.13) with Q_λ only");
    });
    for name in ["talamucci-linear-scleronomic", "talamucci-nonlinear-rheonomic"] {
        with_system(name, |w| {
            let wrong = without_dependent_forces(w, "gibbs-appell");
            assert!(refused(w, &wrong), "{name}: Gibbs–Appell with Q_s of the unconstrained system");
        });
    }
}

/// Σ_j ∂T*/∂v_j γ^j… v… over the coefficients that `chosen` accepts (by their symbol), per equation, read off the form's objects.
fn gamma_terms(w: &mut Workbench, eq: &Equations, chosen: impl Fn(&str, &[&str]) -> bool) -> Vec<Expr> {
    let star = eq.objects.iter().find(|o| o.symbol == "T*").map(|o| o.value).unwrap_or_else(|| panic!("T* is shown"));
    let quasi = w.quasi().unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<String> = quasi.all().iter().map(|&s| w.g.name(s).to_owned()).collect();
    let mut sums = vec![Vec::new(); quasi.free.len()];
    for o in eq.objects.iter().filter(|o| o.name == "Hamel coefficient") {
        let (upper, lower) =
            o.symbol.trim_start_matches("γ^").trim_end_matches(']').split_once('[').unwrap_or_default();
        let lower: Vec<&str> = lower.split(',').collect();
        if !chosen(upper, &lower) {
            continue;
        }
        let index = |name: &str| names.iter().position(|n| n == name).unwrap_or_else(|| panic!("{name}"));
        let p = w.g.diff(star, quasi.all()[index(upper)]);
        let p = quasi.on_constraints(w, p);
        let mut factors = vec![p, o.value];
        if let [_, m] = lower[..] {
            factors.push(w.g.symbol(quasi.free[index(m)]));
        }
        sums[index(lower[0])].push(w.g.product(factors));
    }
    sums.into_iter().map(|terms| w.g.sum(terms)).collect()
}

#[test]
fn hamels_coefficients_are_needed_all_of_them_in_their_order() {
    with_system("rolling-disk", |w| {
        let eq = derive(w, "boltzmann-hamel");
        assert!(agreement(w, &eq).holds());
        let all = gamma_terms(w, &eq, |_, _| true);
        assert!(all.iter().any(|&e| !w.g.is_zero(e)));
        // γ^j_mr in place of γ^j_rm is −γ^j_rm.
        let mut interchanged = eq.clone();
        for (e, &t) in interchanged.equations.iter_mut().zip(&all) {
            *e = w.g.linear(Rational::ZERO, [(*e, Rational::ONE), (t, Rational::integer(-2))]);
        }
        assert!(refused(w, &interchanged), "the lower indices of γ interchanged");
        // The sum over the dependent quasi-velocities alone, as (2.15) prints it.
        let free = gamma_terms(w, &eq, |upper, _| ["u1", "u2", "u3"].contains(&upper));
        let mut dependent_only = eq.clone();
        for (e, &t) in dependent_only.equations.iter_mut().zip(&free) {
            *e = w.g.sub(*e, t);
        }
        assert!(refused(w, &dependent_only), "the sum over dependent quasi-velocities only");
    });
}

#[test]
fn an_affine_constraint_needs_the_coefficients_with_one_index() {
    with_system("suslov-clockwork", |w| {
        let eq = derive(w, "boltzmann-hamel");
        assert!(agreement(w, &eq).holds());
        let single = gamma_terms(w, &eq, |_, lower| lower.len() == 1);
        let mut without = eq.clone();
        for (e, &t) in without.equations.iter_mut().zip(&single) {
            *e = w.g.sub(*e, t);
        }
        assert!(refused(w, &without));
    });
}

#[test]
fn voronets_bracket_is_needed_with_its_sign() {
    with_system("talamucci-linear-scleronomic", |w| {
        let mut eq = derive(w, "voronets");
        let split = w.split().unwrap_or_else(|e| panic!("{e}"));
        let frame = SplitFrame::new(w, split.clone());
        for s in 0..split.independent.len() {
            let mut terms = vec![(eq.equations[s], Rational::ONE)];
            for nu in 0..split.dependent.len() {
                let bracket = frame.voronets_bracket(w, nu, s);
                terms.push((w.g.mul(bracket, frame.dependent_momenta[nu]), Rational::integer(2)));
            }
            eq.equations[s] = w.g.linear(Rational::ZERO, terms);
        }
        assert!(refused(w, &eq));
    });
}
