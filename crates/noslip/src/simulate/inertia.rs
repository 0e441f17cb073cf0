//! Is the kinetic energy positive for the velocities the constraints allow?

use super::{CompiledMechanics, Mechanics};
use crate::compile::CompileOptions;
use crate::error::Result;
use crate::mechanics::Workbench;
use crate::model::State;
use crate::numeric::{RowBasis, dot, norm};

/// Below this part of the largest inertia there is none: a massless direction, not a negative one.
const NEGATIVE: f64 = 1e-9;

/// A direction of allowed velocities in which the inertia vᵀMv is negative at a state, if there is one. Mechanics is not
/// made for such systems: Gauss's principle has no minimum, and accelerations grow against the forces.
pub fn negative_inertia(w: &mut Workbench, state: &State) -> Result<Option<Vec<f64>>> {
    if !w.system.law.is_empty() {
        // Friction has no part in it.
        let (ideal, _) = w.system.clone().ideal(&mut w.g);
        return w.beside(ideal, |w| negative_inertia(w, state));
    }
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?.seldom();
    let mut system = CompiledMechanics::new(w, &options)?;
    let (n, k) = (system.coordinates(), system.constraints());
    let (mut m, mut phi, mut a) = (vec![0.0; n * n], vec![0.0; k], vec![0.0; k * n]);
    system.inertia(state.time, &state.position, &state.velocity, &mut m);
    system.velocity_constraints(state.time, &state.position, &state.velocity, &mut phi, &mut a);
    if m.iter().chain(&a).any(|x| !x.is_finite()) {
        return Ok(None);
    }
    for row in a.chunks_mut(n.max(1)) {
        let length = norm(row);
        if length > 0.0 {
            row.iter_mut().for_each(|x| *x /= length);
        }
    }
    let mut allowed: Vec<Vec<f64>> =
        RowBasis::new(&a, k, n, 1e-10).complement(n).chunks(n.max(1)).map(<[f64]>::to_vec).collect();
    let times = |x: &[f64]| -> Vec<f64> { m.chunks(n).map(|row| dot(row, x)).collect() };
    let largest = m.iter().fold(0.0f64, |s, x| s.max(x.abs()));
    // Gram–Schmidt in the metric M: directions with positive inertia are taken out one by one, the best first.
    while !allowed.is_empty() {
        let inertia = |x: &Vec<f64>| dot(x, &times(x));
        if let Some(x) = allowed.iter().find(|x| inertia(x) < -NEGATIVE * largest) {
            return Ok(Some(x.clone()));
        }
        let Some(best) = (0..allowed.len()).max_by(|&i, &j| inertia(&allowed[i]).total_cmp(&inertia(&allowed[j])))
        else {
            break;
        };
        let e = allowed.swap_remove(best);
        let (along, size) = (times(&e), inertia(&e));
        if size <= NEGATIVE * largest {
            // All that is left is without inertia, unless two of them together have a negative one.
            let pair = allowed.iter().find(|x| dot(&along, x).abs() > NEGATIVE * largest);
            return Ok(pair.map(|x| {
                let sign = dot(&along, x).signum();
                e.iter().zip(x).map(|(e, x)| e - sign * x).collect()
            }));
        }
        for x in &mut allowed {
            let c = dot(&along, x) / size;
            x.iter_mut().zip(&e).for_each(|(x, e)| *x -= c * e);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, Overrides};

    /// The direction with negative inertia of a system in x, y, z at rest.
    fn found(kinetic: &str, constraints: &str) -> Option<Vec<f64>> {
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"{kinetic}\"\n{constraints}\n[initial]\n"
        );
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let state = model.initial_state(&Overrides::default()).unwrap_or_else(|e| panic!("{e:?}"));
        negative_inertia(&mut model.workbench(), &state).unwrap_or_else(|e| panic!("{e:?}"))
    }

    #[test]
    fn a_negative_inertia_is_found_unless_the_constraints_forbid_its_direction() {
        assert_eq!(found("(x'^2 + y'^2 + z'^2)/2", ""), None);
        // Two directions without inertia of their own; and one without any is no harm.
        assert_eq!(found("(x'^2 + y'^2)/2", ""), None);
        for (kinetic, inertia) in [
            ("(x'^2 + y'^2 - z'^2)/2", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]]),
            ("(x'^2 + 4*x'*y' + y'^2 + z'^2)/2", [[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            ("x'*y' + z'^2/2", [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
            ("z'^2/2 - x'*y'", [[0.0, -1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
        ] {
            let v = found(kinetic, "").unwrap_or_else(|| panic!("{kinetic}"));
            let value: f64 =
                (0..3).flat_map(|i| (0..3).map(move |j| (i, j))).map(|(i, j)| v[i] * inertia[i][j] * v[j]).sum();
            assert!(value < -1e-3, "{kinetic}: {v:?}");
        }
        // What is a billionth of the largest inertia, or less, is taken for rounding.
        assert_eq!(found("z'^2/2 + 1e-9*x'*y'", ""), None);
        assert!(found("z'^2/2 + 2e-9*x'*y'", "").is_some());
        // However small the numbers in which it is written, a constraint forbids its direction, and no other.
        for scale in ["1", "1e-7", "1e7"] {
            let constraint = |name: &str| format!("[constraints]\nc = \"{scale}*{name}' = 0\"");
            assert_eq!(found("(x'^2 + y'^2 - z'^2)/2", &constraint("z")), None, "{scale}");
            assert!(found("(x'^2 + y'^2 - z'^2)/2", &constraint("x")).is_some(), "{scale}");
        }
        // A constraint that says nothing at this state forbids nothing.
        let silent = "[constraints]\nc = \"x*z' = 0\"";
        assert!(found("(x'^2 + y'^2 - z'^2)/2", silent).is_some());
    }
}
