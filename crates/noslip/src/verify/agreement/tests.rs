//! Forms with a mistake put into one of their parts, and proofs that are not finished.

use super::*;
use crate::forms::{FORMS, by_id};
use crate::model::Model;

/// A knife with an offset on a surface that is not flat; a force, a parameter, the time.
const KNIFE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 3\na = 1\nk = 5\n\
     [energy]\nkinetic = \"m/2*(x'^2 + (1 + x^2)*y'^2) + J/2*phi'^2\"\npotential = \"k/2*x^2\"\n[forces]\nphi = \"-phi'\"\n\
     [constraints]\nknife = \"y' = x*x' + a*phi' + t\"\n[quasi_velocities]\nu = \"x'\"\nw = \"phi' + x*x'\"\n";

/// The second constraint is twice the first.
const TWICE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
     potential = \"z\"\n[constraints]\nonce = \"z' = x*y'\"\ntwice = \"2*z' = 2*x*y'\"\n";

fn workbench(text: &str) -> Workbench {
    text.parse::<Model>().unwrap_or_else(|e| panic!("{e:?}\n{text}")).workbench()
}

fn derived(w: &mut Workbench, form: &str) -> Equations {
    by_id(form).expect("a form").derive(w).unwrap_or_else(|e| panic!("{form}: {e}"))
}

/// The equations with x added to one of their parts, and what should be said against them.
fn mistaken(w: &mut Workbench, eq: &Equations) -> Vec<(String, Equations)> {
    let x = w.g.symbol(w.system.coordinates[0]);
    let mut list = Vec::new();
    let mut with = |name: String, change: &mut dyn FnMut(&mut Equations)| {
        let mut wrong = eq.clone();
        change(&mut wrong);
        list.push((format!("{name} does not hold along the motion"), wrong));
    };
    for r in 0..eq.equations.len() {
        let more = w.g.add(eq.equations[r], x);
        with(format!("equation {}", r + 1), &mut |wrong| wrong.equations[r] = more);
    }
    for (a, (name, written)) in eq.alternatives.iter().enumerate() {
        for r in 0..written.len() {
            let more = w.g.add(written[r], x);
            with(format!("equation {} of the {name}", r + 1), &mut |wrong| wrong.alternatives[a].1[r] = more);
        }
    }
    for (j, &(s, e)) in eq.reactions.iter().enumerate() {
        let more = w.g.add(e, x);
        with(format!("the reaction {}", w.g.name(s)), &mut |wrong| wrong.reactions[j].1 = more);
    }
    for (j, &(s, e)) in eq.velocities.iter().enumerate() {
        let more = w.g.add(e, x);
        with(w.g.name(s).to_owned(), &mut |wrong| wrong.velocities[j].1 = more);
    }
    for (j, &(s, e)) in eq.accelerations.iter().enumerate() {
        let more = w.g.add(e, x);
        with(w.g.name(s).to_owned(), &mut |wrong| wrong.accelerations[j].1 = more);
    }
    list
}

#[test]
fn a_mistake_in_any_part_of_any_form_is_refuted_by_its_name() {
    let mut w = workbench(KNIFE);
    let (mut forms, mut mistakes) = (0, 0);
    for form in FORMS {
        let Ok(eq) = form.derive(&mut w) else { continue };
        let found = agreement(&mut w, &eq);
        assert_eq!((found.word(), found.reason()), ("proved", None), "{}", form.id());
        forms += 1;
        for (why, wrong) in mistaken(&mut w, &eq) {
            let found = agreement(&mut w, &wrong);
            assert_eq!((found.word(), found.reason()), ("refuted", Some(why.as_str())), "{}", form.id());
            mistakes += 1;
        }
    }
    assert!(forms >= 15 && mistakes >= 60, "{forms} forms, {mistakes} mistakes");
}

#[test]
fn a_wrong_direction_leaves_a_form_tested_and_says_why() {
    let mut w = workbench(KNIFE);
    let one = w.g.one();
    for form in ["maggi", "kane", "voronets", "chaplygin-quasi", "nielsen", "gibbs-appell"] {
        let Ok(eq) = by_id(form).expect("a form").derive(&mut w) else { continue };
        for i in 0..eq.directions[0].len() {
            let mut wrong = eq.clone();
            wrong.directions[0][i] = w.g.add(wrong.directions[0][i], one);
            let found = agreement(&mut w, &wrong);
            let why = Some("the equations agree on the constraints only");
            assert_eq!((found.word(), found.reason()), ("tested", why), "{form}");
        }
    }
}

#[test]
fn what_is_tested_has_the_bound_of_three_states() {
    let mut w = workbench(KNIFE);
    let mut eq = derived(&mut w, "maggi");
    // Times sin² + cos²: only the normal form says that this is one.
    let x = w.g.symbol(w.system.coordinates[0]);
    let (sine, cosine) = (w.g.sin(x), w.g.cos(x));
    let (sine, cosine) = (w.g.mul(sine, sine), w.g.mul(cosine, cosine));
    let one = w.g.add(sine, cosine);
    eq.equations[0] = w.g.mul(eq.equations[0], one);
    w.limits.normal_form_work = 1;
    let found = agreement(&mut w, &eq);
    // A polynomial of degree 10⁶ vanishes by chance with 10⁶/2⁶¹ at each.
    let once = 1e6 / 2_305_843_009_213_693_952.0;
    let Known::Tested { error_bound } = found.known else { panic!("{found:?}") };
    assert!((error_bound / (once * once * once) - 1.0).abs() < 1e-12, "{error_bound}");
    assert_eq!(found.reason(), Some("the normal form is too large"));
    assert!(found.holds());
}

#[test]
fn accelerations_in_letters_are_proved_in_them_one_identity_for_each_of_lagranges_equations() {
    let mut w = workbench(KNIFE);
    let eq = derived(&mut w, "udwadia-kalaba");
    let mut solution: FxHashMap<Symbol, Expr> = eq.reactions.iter().copied().collect();
    for (&s, &e) in eq.unknowns.iter().zip(&eq.equations) {
        let symbol = w.g.symbol(s);
        solution.insert(s, w.g.sub(symbol, e));
    }
    let identities = in_letters(&mut w, &eq, &solution).expect("they give what the form states");
    assert_eq!(identities.len(), 3 + 1);
    let letters: Vec<Symbol> = eq.letters.iter().map(|l| l.0).collect();
    let (free, multiplier) = letters.split_at(3);
    // Lagrange's equations for every multiplier, the constraint for every acceleration.
    for (i, &e) in identities.iter().enumerate() {
        assert_eq!(zero(&mut w, e), Known::Proved);
        assert!(!w.g.depends_on_any(e, if i < 3 { free } else { multiplier }), "identity {i}");
    }
    // Letters that mean something else are not taken for what the form states.
    let x = w.g.symbol(w.system.coordinates[0]);
    for i in 0..letters.len() {
        let mut other = eq.clone();
        other.letters[i].1 = w.g.add(other.letters[i].1, x);
        assert!(in_letters(&mut w, &other, &solution).is_none(), "letter {i}");
    }
    for i in 0..3 {
        let mut other = eq.clone();
        other.in_letters[i] = w.g.add(other.in_letters[i], x);
        assert!(in_letters(&mut w, &other, &solution).is_none(), "acceleration {i}");
    }
    // And the proof falls back on what they stand for.
    let mut other = eq.clone();
    other.letters[0].1 = w.g.add(other.letters[0].1, x);
    assert_eq!(agreement(&mut w, &other), Known::Proved.into());
}

#[test]
fn a_proof_in_letters_that_is_not_finished_is_none() {
    let mut w = workbench(KNIFE);
    let eq = derived(&mut w, "udwadia-kalaba");
    w.limits.normal_form_work = 1;
    let found = agreement(&mut w, &eq);
    assert_eq!((found.word(), found.reason()), ("tested", Some("the normal form is too large")));
}

#[test]
fn redundant_constraints_leave_the_multipliers_free_and_the_accelerations_tested() {
    let mut w = workbench(TWICE);
    let eq = derived(&mut w, "udwadia-kalaba");
    assert!(eq.reactions.is_empty());
    let found = agreement(&mut w, &eq);
    assert_eq!((found.word(), found.reason()), ("tested", Some("redundant constraints leave the multipliers free")));
    for (why, wrong) in mistaken(&mut w, &eq) {
        let found = agreement(&mut w, &wrong);
        assert_eq!((found.word(), found.reason()), ("refuted", Some(why.as_str())));
    }
}

#[test]
fn equations_that_say_too_little_do_not_determine_the_accelerations() {
    let mut w = workbench(KNIFE);
    for form in ["lagrange-multipliers", "kane", "udwadia-kalaba"] {
        let eq = derived(&mut w, form);
        for r in 0..eq.equations.len() {
            let mut less = eq.clone();
            less.equations[r] = w.g.zero();
            let found = agreement(&mut w, &less);
            let why = Some("the equations do not determine the accelerations");
            assert_eq!((found.word(), found.reason()), ("refuted", why), "{form}, {r}");
        }
    }
}

#[test]
fn roots_and_absolute_values_are_tried_at_real_states_before_a_form_agrees() {
    let text = KNIFE.replace("phi = \"-phi'\"", "phi = \"-phi'*abs(x)*sqrt(1 + x^2)\"");
    let mut w = workbench(&text);
    for form in ["maggi", "kane", "voronets"] {
        let eq = derived(&mut w, form);
        let found = agreement(&mut w, &eq);
        assert_eq!((found.word(), found.reason()), ("proved", None), "{form}");
        // Positive numbers only: the field, which has no order, sees zero for one of the signs.
        let x = w.g.symbol(w.system.coordinates[0]);
        let size = w.g.call(crate::expr::Function::Abs, x);
        let more = w.g.add(size, x);
        let mut wrong = eq.clone();
        wrong.equations[0] = w.g.add(wrong.equations[0], more);
        let found = agreement(&mut w, &wrong);
        assert_eq!(found.reason(), Some("equation 1 does not hold along the motion"), "{form}");
    }
}

#[test]
fn signs_that_only_the_form_has_are_tried_at_real_states_too() {
    let mut w = workbench(KNIFE);
    // Zero unless all factors are positive, as they are next to the origin: the field, which chooses signs, nearly always sees zero.
    let factors: Vec<Expr> = (1..=12)
        .map(|k| {
            let (x, k) = (w.g.symbol(w.system.coordinates[0]), w.g.integer(k));
            let u = w.g.add(x, k);
            let size = w.g.call(crate::expr::Function::Abs, u);
            w.g.add(size, u)
        })
        .collect();
    let product = w.g.product(factors);
    for form in ["maggi", "kane"] {
        let mut wrong = derived(&mut w, form);
        wrong.equations[0] = w.g.add(wrong.equations[0], product);
        let found = agreement(&mut w, &wrong);
        assert_eq!(found.reason(), Some("equation 1 does not hold along the motion"), "{form}");
    }
}

#[test]
fn where_no_states_can_be_drawn_a_form_is_proved_or_unknown() {
    // The accelerations themselves are bound, and not linearly.
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 2\n[energy]\nkinetic = \"m/2*(x'^2 + y'^2)\"\n\
         potential = \"m*y\"\n[constraints]\njerk = \"y''' = x*x'''\"\n";
    let mut w = workbench(text);
    let (mut proved, x) = (0, w.g.symbol(w.system.coordinates[0]));
    for form in FORMS {
        let Ok(eq) = form.derive(&mut w) else { continue };
        assert_eq!(agreement(&mut w, &eq), Known::Proved.into(), "{}", form.id());
        proved += 1;
        let mut wrong = eq.clone();
        wrong.equations[0] = w.g.add(wrong.equations[0], x);
        let found = agreement(&mut w, &wrong);
        let why = Some("the equations agree on the constraints only");
        assert_eq!((found.word(), found.reason()), ("unknown", why), "{}", form.id());
    }
    assert!(proved >= 2, "{proved}");
}

/// Everything depends on every coordinate and on time: the energy, the constraint and its drift, the quasi-velocities.
const DRIFTING: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\n\
     [energy]\nkinetic = \"m/2*((1 + y^2)*x'^2 + (2 + z)*y'^2 + (1 + t*x^2)*z'^2) + x*y'*z' + t*y*x'\"\npotential = \"m*x*y*z\"\n\
     [forces]\ny = \"-z*y'\"\n[constraints]\nc = \"z' = y*z*x' + (x + t)*y' + x*y + z*t\"\n\
     [quasi_velocities]\nu = \"x' + z*y' + x*t\"\nw = \"y' + y*z\"\n";

#[test]
fn forms_agree_where_energy_constraints_and_quasi_velocities_depend_on_everything() {
    let mut w = workbench(DRIFTING);
    let mut agreed = 0;
    for form in FORMS {
        let Ok(eq) = form.derive(&mut w) else { continue };
        let found = agreement(&mut w, &eq);
        assert!(found.holds(), "{}: {found:?}", form.id());
        agreed += 1;
    }
    assert!(agreed >= 12, "{agreed}");
}
