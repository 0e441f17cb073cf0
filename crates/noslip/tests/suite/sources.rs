//! What the source documents state of definite systems, and the program tells beside the equations.

use crate::common::{gallery, load, settings, times};
use noslip::expr::{Expr, Known, Symbol};
use noslip::hamilton::inverse::inverse_problem;
use noslip::mechanics::{Equations, Workbench};
use noslip::principles::beside::beside;
use noslip::{Limits, Model, agreement, form};
use std::collections::HashMap;

fn value(eq: &Equations, symbol: &str) -> Option<Expr> {
    eq.objects.iter().find(|o| o.symbol == symbol).map(|o| o.value)
}

fn lookup(w: &Workbench, name: &str) -> Symbol {
    w.g.lookup(name).unwrap_or_else(|| panic!("{name}"))
}

/// Greenwood (5.151): with one choice of the transposition it is (5.153), with the other the equations of Boltzmann and Hamel.
#[test]
fn the_general_central_equation_becomes_both_explicit_ones() {
    for name in ["dumbbell", "rolling-disk", "knife-edge-body"] {
        let mut w = load(gallery::text(name)).workbench();
        let eq = form("central-equation").unwrap().derive(&mut w).unwrap();
        let general = value(&eq, "0").expect("(5.151)");
        let quasi = w.quasi().unwrap();
        let zero = w.g.zero();
        for first in [true, false] {
            let mut choice: HashMap<Symbol, Expr> = HashMap::new();
            for &q in &w.system.clone().coordinates {
                let q = w.g.name(q).to_owned();
                let relation = value(&eq, &format!("d/dt(δ{q}) − δ{q}'")).unwrap_or(zero);
                choice.insert(lookup(&w, &format!("D_{q}")), if first { relation } else { zero });
            }
            for v in quasi.all() {
                let v = w.g.name(v).to_owned();
                let relation = value(&eq, &format!("d/dt(δπ_{v}) − δ{v}")).unwrap_or(zero);
                choice.insert(lookup(&w, &format!("D_pi_{v}")), if first { zero } else { relation });
            }
            let chosen = w.g.substitute(general, &choice.into_iter().collect());
            for (r, &v) in quasi.free.iter().enumerate() {
                let variation = lookup(&w, &format!("delta_pi_{}", w.g.name(v)));
                let coefficient = w.g.diff(chosen, variation);
                let expected = if first { eq.equations[r] } else { eq.alternatives[0].1[r] };
                let rest = w.simplify(coefficient - expected);
                assert!(w.g.is_zero(rest), "{name}, coefficient of δπ_{}, first choice: {first}", w.g.name(v));
            }
        }
    }
}

/// König: S = ½ m w_C² + ½ J φ''² for a body whose mass centre is ahead of the point (x, y); T follows from it, or is checked.
#[test]
fn the_energy_of_acceleration_may_be_given() {
    let s = "m/2*((x'' - l*(phi''*sin(phi) + phi'^2*cos(phi)))^2 + (y'' + l*(phi''*cos(phi) - phi'^2*sin(phi)))^2) + J/2*phi''^2";
    let t = "m/2*((x' - l*phi'*sin(phi))^2 + (y' + l*phi'*cos(phi))^2) + J/2*phi'^2";
    let model = |energy: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nl = 0.3\nJ = 0.5\n[energy]\n\
             {energy}\n[constraints]\nblade = \"x'*sin(phi) = y'*cos(phi)\"\n"
        )
    };
    for energy in [format!("acceleration = \"{s}\""), format!("acceleration = \"{s}\"\nkinetic = \"{t}\"")] {
        let mut w = load(&model(&energy)).workbench();
        let kinetic = w.expression(t).unwrap();
        let difference = w.simplify(w.system.kinetic - kinetic);
        assert!(w.g.is_zero(difference), "T follows from S");
        let eq = form("gibbs-appell").unwrap().derive(&mut w).unwrap();
        assert_eq!(value(&eq, "S"), w.system.acceleration_energy);
        assert_eq!(agreement(&mut w, &eq).known, Known::Proved);
    }
    let wrong = model(&format!("acceleration = \"{s}\"\nkinetic = \"{}\"", t.replace("J/2", "J")));
    let said = Model::load(&wrong, "model.toml", &Limits::default()).unwrap_err().to_string();
    assert!(said.contains("∂S/∂phi'' is another"), "{said}");
}

/// Talamucci (2): z' of the quadratic constraint of Appell and Hamel is a root, on the falling branch on which it begins.
#[test]
fn a_quadratic_constraint_is_solved_on_the_branch_of_the_initial_state() {
    let text = gallery::text("appell-hamel");
    let rising = text.replace("z = -0.38590122192916124", "z = 0.38590122192916124");
    for (text, sign) in [(text, -1.0), (&rising, 1.0)] {
        let mut w = load(text).workbench();
        let eq = form("voronets").unwrap().derive(&mut w).unwrap();
        let alpha = value(&eq, "α[z']").expect("a root");
        let found = w.value_at_initial_state(alpha).unwrap();
        assert!((found - sign * 0.38590122192916124).abs() < 1e-12, "{found}");
        let squared = w.expression("(x'^2 + y'^2)*(b/a)^2").unwrap();
        let rest = w.simplify(alpha * alpha - squared);
        assert!(w.g.is_zero(rest), "it solves the constraint");
        assert!(eq.notes.iter().any(|n| n.contains("the one of the initial state")), "{:?}", eq.notes);
        assert_eq!(agreement(&mut w, &eq).known, Known::Proved);
    }
}

/// The multiplier of the centred sledge as a function of the state is the one that a run computes.
#[test]
fn a_multiplier_that_does_not_vanish_is_told_as_a_function_of_the_state() {
    for name in ["chaplygin-sledge-centred", "knife-edge-body"] {
        let model = load(gallery::text(name));
        let mut w = model.workbench();
        let found = inverse_problem(&mut w);
        let multiplier = found.multipliers[0].expect("it does not vanish");
        let state = model.clone().initial_state(&Default::default()).unwrap();
        let run = noslip::simulate(&mut w, &state, &settings(&[state.time], 1e-9), &mut |_| true).unwrap();
        let (a, b) = (w.value_at_initial_state(multiplier).unwrap(), run.samples[0].multipliers[0]);
        assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{name}: {a} for {b}");
    }
    let mut w = load(gallery::text("ball-on-plane")).workbench();
    assert!(inverse_problem(&mut w).multipliers.iter().all(Option::is_none), "those of the ball vanish");
}

/// Neimark and Fufaev on Appell's machine: for ρ → 0+ its motions tend to those of the nonlinear constraint, for ρ → 0− they do not.
#[test]
fn the_limit_of_appells_machine_depends_on_its_side() {
    let text = include_str!("../../../../bench/sources/models/machine-limit.toml");
    let hamel = load(gallery::text("appell-hamel"));
    let apart = |rho: &str| {
        let model = load(&text.replace("rho = 0.1", &format!("rho = {rho}")));
        let (one, two) =
            (model.clone().initial_state(&Default::default()), hamel.clone().initial_state(&Default::default()));
        let (one, two) = (one.unwrap(), two.unwrap());
        let common = [(0, 0), (1, 1), (2, 2)];
        let settings = settings(&times(1.0, 11), 1e-10);
        beside((&mut model.workbench(), &one), (&mut hamel.workbench(), &two), &common, &settings).unwrap().largest()
    };
    let (far, near) = (apart("0.01"), apart("0.001"));
    assert!(near < 0.002 && far > 5.0 * near, "in proportion to ρ: {far}, {near}");
    assert!(
        apart("-0.001") > 1.0 && apart("-0.01") > 1.0,
        "the load behind the point of contact turns the machine round"
    );
}
