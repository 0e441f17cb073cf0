//! Dolaptschiew's equations: Lagrange's operator from the m-th time derivative of the kinetic energy, for constraints of any order.
//!
//! Unknowns: the n accelerations q̈ and the k multipliers λ.
//!
//! ```text
//! 1/m (∂T^(m)/∂q_i^(m) − (m + 1) ∂T/∂q_i) − Q_i = Σ_j λ_j ∂φ_j^(m−p)/∂q_i^(m)        (1)
//! ```
//!
//! T^(m) is the m-th total time derivative of T, q^(m) that of q, p the order of the constraint φ_j, which is differentiated m − p
//! times until it contains q^(m). The left side does not depend on m: m = 1 is Nielsen's operator, m = 2 Tzénoff's. Here m = 3, one
//! more than the highest order that a constraint may have; all derivatives above the second cancel. The variations that (1) needs
//! are those of q^(m) alone, at fixed position, velocity, …: Jourdain's for m = 1, Gauss' for m = 2.
//!
//! Valid when: the constraints are independent.
//! Sources: Bl. Dolaptschiew, Über die Nielsensche Form der Gleichungen von Lagrange und deren Zusammenhang mit dem Prinzip von
//! Jourdain und mit den nichtholonomen mechanischen Systemen, ZAMM 46 (1966); for every m D. Mangeron and S. Deleanu 1962; named by
//! Soltakhanov, Yushkov, Zegzhda, chapter II, section 6.

use super::{Applicability, Equations, Form, Workbench};
use super::{applicability, refuse};
use crate::card::Card;
use crate::error::Result;
use crate::expr::{Expr, Rational, Symbol};
use crate::mechanics::acceleration_constraints;

/// m.
const ORDER: u8 = 3;

/// The n-th total time derivative.
fn derivative(w: &mut Workbench, mut e: Expr, times: u8) -> Expr {
    for _ in 0..times {
        e = w.g.time_derivative(e);
    }
    e
}

/// The form `dolaptschiew`.
pub struct Dolaptschiew;

impl Form for Dolaptschiew {
    fn card(&self) -> &'static Card {
        &Card {
            id: "dolaptschiew",
            aliases: &["dolapčiev", "dolapciev", "mangeron-deleanu"],
            name: "Dolaptschiew's equations",
            source: "Dolaptschiew 1966, Mangeron, Deleanu 1962; named by Soltakhanov, Yushkov, Zegzhda II, section 6",
            needs: "independent constraints of any kind",
            about: crate::card::head_of!("dolaptschiew.rs"),
        }
    }

    fn applies(&self, w: &mut Workbench) -> Applicability {
        applicability(w.independent_constraints())
    }

    fn formulate(&self, w: &mut Workbench) -> Result<Equations> {
        w.independent_constraints().map_err(|why| refuse(self, why))?;
        let system = w.system.clone();
        let d = w.dynamics();
        let highest: Vec<Symbol> = system.accelerations.iter().map(|&s| w.g.dot(s)).collect();
        let kinetic = derivative(w, system.kinetic, ORDER);
        let constraints: Vec<Expr> =
            system.constraints.iter().map(|c| derivative(w, c.expr, ORDER.saturating_sub(c.order))).collect();
        let mut eq = Equations { form: self.id(), own: system.n(), ..Default::default() };
        let part = Rational::new(1, i64::from(ORDER)).unwrap_or_default();
        for (i, &q) in system.coordinates.iter().enumerate() {
            w.may_go_on()?;
            let by_highest = w.g.diff(kinetic, highest[i]);
            let by_q = w.g.diff(system.kinetic, q);
            let weight = &part * &Rational::integer(-i64::from(ORDER) - 1);
            let mut terms = vec![(by_highest, part.clone()), (by_q, weight), (d.forces[i], Rational::MINUS_ONE)];
            for (&phi, c) in constraints.iter().zip(&system.constraints) {
                let lambda = w.g.symbol(c.multiplier);
                let by = w.g.diff(phi, highest[i]);
                terms.push((w.g.mul(lambda, by), Rational::MINUS_ONE));
            }
            eq.equations.push(w.g.linear(Rational::ZERO, terms)); // (1)
            let name = w.g.name(q).to_owned();
            eq.show(format!("∂T⃛/∂{name}⃛"), format!("∂T⃛/∂{name}'''"), by_highest);
        }
        eq.equations.extend(acceleration_constraints(w));
        eq.unknowns = system.accelerations.clone();
        eq.unknowns.extend(system.constraints.iter().map(|c| c.multiplier));
        Ok(eq)
    }
}
