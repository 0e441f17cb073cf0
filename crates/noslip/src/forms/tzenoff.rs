//! Tzénoff's equations: what Appell takes from the accelerations of the points, Tzénoff takes from the second time derivative of
//! the kinetic energy.
//!
//! Unknowns: v̇_1…v̇_l (or l independent accelerations q̈_s, where a constraint is of second order or nonlinear without
//! closed inverse).
//!
//! ```text
//! ½ (∂T̈/∂q̈_i − 3 ∂T/∂q_i) = d/dt ∂T/∂q̇_i − ∂T/∂q_i                       (1)
//! R = ½ (T̈ − 3 T̈₀),     ∂R/∂q̈_i = ½ (∂T̈/∂q̈_i − 3 ∂T/∂q_i)               (2)
//! ∂R*/∂v̇_λ = Q*_λ = Σ_i Q_i Φ_iλ                                          (3)
//! ```
//!
//! T₀ is T with the velocities in it held fixed, a function of the position alone: T̈₀ contains the accelerations in
//! Σ_i ∂T/∂q_i q̈_i only. T̈ contains the third derivatives in Σ_i ∂T/∂q̇_i q⃛_i, which (2) does not see; they are left out, and so
//! are the terms free of accelerations. R* is R with q̈ replaced by its expression in v̇. (1) alone, with multipliers on the right,
//! is the case m = 2 of Dolaptschiew's equations.
//!
//! Valid when: the constraints are independent.
//! Sources: I. Tzénoff, Sur les équations générales du mouvement des systèmes matériels non holonomes, J. Math. Pures Appl. 1925;
//! named by Soltakhanov, Yushkov, Zegzhda, chapter II, section 6.

use super::acceleration_function::{AccelerationFunction, with_accelerations};
use super::applicability;
use super::{Applicability, Equations, Form, Workbench};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational, Role, Symbol};
use rustc_hash::FxHashMap;

/// T̈₀: T differentiated twice while the velocities in it stand still.
fn second_derivative_at_fixed_velocities(w: &mut Workbench) -> Expr {
    let system = w.system.clone();
    // A parameter does not change with time.
    let fixed: Vec<Symbol> = system
        .velocities
        .iter()
        .map(|&v| {
            let name = format!("fixed {}", w.g.name(v));
            w.g.declare(&name, Role::Parameter)
        })
        .collect();
    let hold: FxHashMap<Symbol, Expr> =
        system.velocities.iter().zip(&fixed).map(|(&v, &f)| (v, w.g.symbol(f))).collect();
    let release: FxHashMap<Symbol, Expr> =
        system.velocities.iter().zip(&fixed).map(|(&v, &f)| (f, w.g.symbol(v))).collect();
    let held = w.g.substitute(system.kinetic, &hold);
    let first = w.g.time_derivative(held);
    let second = w.g.time_derivative(first);
    w.g.substitute(second, &release)
}

/// The form `tzenoff`.
pub struct Tzenoff;

impl Form for Tzenoff {
    fn card(&self) -> &'static Card {
        &Card {
            id: "tzenoff",
            aliases: &["tsenov", "cenov", "tzénoff"],
            name: "Tzénoff's equations",
            source: "Tzénoff 1925; named by Soltakhanov, Yushkov, Zegzhda II, section 6",
            needs: "independent constraints of any order",
            about: crate::card::head_of!("tzenoff.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.directions())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        let first = w.g.time_derivative(w.system.kinetic);
        let second = w.g.time_derivative(first);
        let third: Vec<Symbol> = w.system.accelerations.clone().into_iter().map(|s| w.g.dot(s)).collect();
        let second = w.g.without(second, &third);
        let fixed = second_derivative_at_fixed_velocities(w);
        let half = |n: i64| Rational::new(n, 2).unwrap_or_default();
        let r = w.g.linear(Rational::ZERO, [(second, half(1)), (fixed, half(-3))]); // (2)
        let accelerations = w.system.accelerations.clone();
        let value = with_accelerations(w, r, &accelerations);
        AccelerationFunction { name: "Tzénoff's function", symbol: "R", value }.equations(self, w) // (3)
    }
}
