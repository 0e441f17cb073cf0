//! Signs that can be read off: sums of squares with positive coefficients.

use super::classify::RankDrop;
use crate::expr::{Arena, Assignment, Expr, Node, Rational};
use crate::model::System;

/// Tells where an expression that is not negative vanishes, with the parameters at their values.
pub struct Signs {
    values: Assignment,
}

impl Signs {
    /// Takes the parameters' values.
    pub fn new(g: &Arena, system: &System) -> Signs {
        let mut values = Assignment::new();
        // Values may refer to each other in any order: as many rounds as there are parameters settle them.
        for _ in 0..system.parameters.len().min(8) {
            for p in &system.parameters {
                let value = g.evaluate(&[p.value], &values).first().copied().unwrap_or(f64::NAN);
                values.set(p.symbol, value);
            }
        }
        Signs { values }
    }

    /// The value of an expression of parameters.
    fn value(&self, g: &Arena, e: Expr) -> Option<f64> {
        let x = g.evaluate(&[e], &self.values).first().copied()?;
        x.is_finite().then_some(x)
    }

    /// Where the expression vanishes.
    pub fn zeros(&mut self, g: &mut Arena, e: Expr) -> RankDrop {
        // A product vanishes where a factor does; factors that cannot are dropped.
        let factors: Vec<(Expr, Rational)> = match g.node(e) {
            Node::Product { factors, .. } => factors.to_vec(),
            _ => vec![(e, Rational::ONE)],
        };
        let mut left = Vec::new();
        for (base, exponent) in factors {
            if exponent.is_negative() || super::candidates::is_constant(g, base) {
                continue;
            }
            match self.sum_of_squares(g, base) {
                Some(list) if list.is_empty() => {}
                Some(list) => left.push((base, Some(list))),
                None => left.push((base, None)),
            }
        }
        match &left[..] {
            [] => RankDrop::Never,
            [(_, Some(list))] if list.len() > 1 => RankDrop::WhereAll(list.clone()),
            [(_, Some(list))] => RankDrop::Where(list[0]),
            [(base, None)] => RankDrop::Where(*base),
            many => {
                let bases: Vec<Expr> = many.iter().map(|(b, _)| *b).collect();
                RankDrop::Where(g.product(bases))
            }
        }
    }

    /// For a sum of even powers with positive coefficients: the bases, which must all vanish where it does; none when a
    /// positive constant keeps it from vanishing. `None` when it is no such sum.
    fn sum_of_squares(&self, g: &mut Arena, e: Expr) -> Option<Vec<Expr>> {
        let mut bases = Vec::new();
        let mut positive = false;
        for term in super::candidates::expand(g, e) {
            let mut sign = term.coefficient.to_f64();
            let mut varying = Vec::new();
            for (base, exponent) in term.factors {
                if super::candidates::is_constant(g, base) {
                    let factor = g.power(base, &exponent);
                    sign *= self.value(g, factor)?;
                } else if exponent.to_i64()?.rem_euclid(2) == 0 {
                    varying.push(base);
                } else {
                    return None;
                }
            }
            if sign < 0.0 {
                return None;
            }
            if sign == 0.0 {
                continue;
            }
            match varying.is_empty() {
                true => positive = true,
                false => bases.push(g.product(varying)),
            }
        }
        if positive {
            return Some(Vec::new());
        }
        bases.dedup();
        (!bases.is_empty()).then_some(bases)
    }
}
