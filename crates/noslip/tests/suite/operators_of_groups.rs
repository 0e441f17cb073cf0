//! Poincaré's equations with given operators: structure coefficients from commutators, and more operators than degrees of freedom.

use crate::common::load;
use noslip::expr::Known;
use noslip::forms::Applicability;
use noslip::mechanics::{Equations, Workbench};
use noslip::model::Model;
use noslip::{FORMS, Limits, agreement, form};

fn poincare(w: &mut Workbench) -> Equations {
    let eq = form("poincare-chetaev").unwrap().derive(w).unwrap();
    let found = agreement(w, &eq);
    assert_eq!(found.known, Known::Proved, "{:?}", found.reason());
    eq
}

fn object(w: &mut Workbench, eq: &Equations, symbol: &str, text: &str) {
    let found =
        eq.objects.iter().find(|o| o.symbol == symbol).unwrap_or_else(|| panic!("{symbol} in {:?}", eq.objects));
    let expected = w.expression(text).unwrap();
    let difference = w.simplify(found.value - expected);
    assert!(w.g.is_zero(difference), "{symbol} is not {text}");
}

/// The left-invariant fields of the rotation group in Euler's angles: [X_p, X_q] = X_r in turn, and Poincaré's equations are
/// Euler's, A p' = (B − C) q r + the moment of the weight.
#[test]
fn operators_of_the_rotation_group_give_eulers_equations() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"psi\", \"theta\", \"phi\"]\n[parameters]\nA = 2\nB = 3\nC = 4\nmgl = 5\n\
         [energy]\nkinetic = \"(A*p^2 + B*q^2 + C*r^2)/2\"\npotential = \"mgl*cos(theta)\"\n\
         [definitions]\n\
         p = \"psi'*sin(theta)*sin(phi) + theta'*cos(phi)\"\nq = \"psi'*sin(theta)*cos(phi) - theta'*sin(phi)\"\n\
         r = \"psi'*cos(theta) + phi'\"\n\
         [operators]\n\
         w1 = { psi = \"sin(phi)/sin(theta)\", theta = \"cos(phi)\", phi = \"-cot(theta)*sin(phi)\" }\n\
         w2 = { psi = \"cos(phi)/sin(theta)\", theta = \"-sin(phi)\", phi = \"-cot(theta)*cos(phi)\" }\n\
         w3 = { phi = 1 }\n",
    );
    let mut w = model.workbench();
    let eq = poincare(&mut w);
    object(&mut w, &eq, "c^w3[w1,w2]", "1");
    object(&mut w, &eq, "c^w1[w2,w3]", "1");
    object(&mut w, &eq, "c^w2[w1,w3]", "-1");
    assert!(eq.notes.iter().any(|n| n.contains("a Lie algebra")), "{:?}", eq.notes);
    let euler = w.expression("A*w1' = (B - C)*w2*w3 + mgl*sin(theta)*cos(phi)").unwrap();
    let difference = w.simplify(eq.equations[0] - euler);
    assert!(w.g.is_zero(difference), "the first of Euler's equations");
    // The other forms have the same quasi-velocities.
    for id in ["boltzmann-hamel", "gibbs-appell", "kane", "maggi"] {
        let eq = form(id).unwrap().derive(&mut w).unwrap();
        assert_eq!(agreement(&mut w, &eq).known, Known::Proved, "{id}");
    }
}

const SPHERE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[parameters]\nm = 2\ng = 9.81\n\
     [energy]\nkinetic = \"m/2*(x'^2 + y'^2 + z'^2)\"\npotential = \"m*g*z\"\n\
     [constraints]\nsphere = \"x^2 + y^2 + z^2 = 1\"\n";

/// The rotations of space move a point on a sphere: three operators, two degrees of freedom, in redundant coordinates (an
/// intransitive group) and in angles.
#[test]
fn more_operators_than_degrees_of_freedom_give_equations_that_agree() {
    let redundant = format!(
        "{SPHERE}[operators]\nu = {{ y = \"-z\", z = \"y\" }}\nv = {{ x = \"z\", z = \"-x\" }}\nw = {{ x = \"-y\", y = \"x\" }}\n"
    );
    let angles = "noslip = 1\n[system]\ncoordinates = [\"theta\", \"phi\"]\n[parameters]\nm = 2\ng = 9.81\n\
         [energy]\nkinetic = \"m/2*(theta'^2 + sin(theta)^2*phi'^2)\"\npotential = \"m*g*cos(theta)\"\n\
         [forces]\nphi = \"-phi'\"\n\
         [operators]\nu = { theta = \"-sin(phi)\", phi = \"-cot(theta)*cos(phi)\" }\n\
         v = { theta = \"cos(phi)\", phi = \"-cot(theta)*sin(phi)\" }\nw = { phi = 1 }\n";
    for text in [redundant.as_str(), angles] {
        let mut bench = load(text).workbench();
        let eq = poincare(&mut bench);
        // The operators turn the position, and turning by them in turn is turning back: [X_u, X_v] = −X_w.
        object(&mut bench, &eq, "c^w[u,v]", "-1");
        object(&mut bench, &eq, "c^u[v,w]", "-1");
        object(&mut bench, &eq, "c^v[u,w]", "1");
        assert_eq!((eq.own, eq.equations.len(), eq.unknowns.len()), (3, 4, 3));
        for form in FORMS {
            if form.applies(&mut bench) == Applicability::Applies {
                let eq = form.derive(&mut bench).unwrap();
                let found = agreement(&mut bench, &eq);
                assert!(found.holds(), "{}: {:?}", form.id(), found.reason());
            }
        }
    }
}

/// In a field that no rational numbers close, the coefficients are functions: X = ∂x, Y = x ∂y, Z = ∂y + x ∂x.
#[test]
fn structure_coefficients_may_vary() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"x'^2 + y'^2\"\n\
         [operators]\na = { x = 1 }\nb = { y = \"1 + x^2\" }\nc = { x = \"y\" }\n",
    );
    let mut w = model.workbench();
    let eq = poincare(&mut w);
    assert!(eq.notes.iter().any(|n| n.contains("vary")), "{:?}", eq.notes);
    object(&mut w, &eq, "c^b[a,b]", "2*x/(1 + x^2)");
}

#[test]
fn what_is_no_system_of_operators_is_refused() {
    let refuses = |operators: &str, why: &str| {
        let text = format!("{SPHERE}{operators}");
        let said = match Model::load(&text, "model.toml", &Limits::default()) {
            Err(errors) => errors.to_string(),
            Ok(model) => {
                let found = form("poincare-chetaev").unwrap().applies(&mut model.workbench());
                format!("{found:?}")
            }
        };
        assert!(said.contains(why), "{said}");
    };
    refuses("[operators]\nu = { y = \"-z\", z = \"y\" }\n", "1 operator for 2 degrees of freedom");
    refuses(
        "[operators]\nu = { y = \"-z\", z = \"y\" }\nv = { x = 1 }\nw = { x = \"-y\", y = \"x\" }\n",
        "operator `v` leads away from constraint `sphere`",
    );
    refuses(
        "[operators]\nu = { x = \"-y\", y = \"x\" }\nv = { x = \"-y*z\", y = \"x*z\" }\nw = { x = \"y\", y = \"-x\" }\n",
        "the operators span 1 directions, and the constraints allow 2",
    );
    refuses(
        "[operators]\nu = { y = \"-z'\" }\nv = { x = \"z\", z = \"-x\" }\n",
        "the velocity `z'` cannot stand in an operator",
    );
    refuses("[operators]\nu = \"x\"\nv = { x = \"z\", z = \"-x\" }\n", "operator `u` is given by coordinates");
}
