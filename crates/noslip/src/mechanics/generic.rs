//! Generic points of the prime field: where ranks are counted and identities are tested without rounding.
//!
//! Parameters stand at their actual values (a fact about a model is a fact about its numbers: massless parts, a centre
//! of mass on the axis); everything else is random. What is not zero at one such point is proved not to vanish
//! identically; what is zero at several is zero but for a chance of about 10⁻¹⁷ each.

use crate::expr::field::{Fp, SplitMix};
use crate::expr::normal::Options;
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Arena, Expr, Symbol};
use crate::model::System;

/// Draws before a point is given up: a square root of a non-square, a pole.
pub(super) const TRIES: usize = 60;

/// Points at which an expression that vanishes is looked at.
const DRAWS: usize = 3;

/// Prepares expressions for evaluation at drawn points.
pub fn evaluator(g: &mut Arena, expressions: &[Expr]) -> FieldEvaluator {
    FieldEvaluator::new(g, expressions, &Options::default())
}

/// A generator of generic points of one system. Deterministic.
#[derive(Clone, Debug)]
pub struct Generic {
    parameters: Vec<(Symbol, Fp)>,
    random: SplitMix,
    /// Draw parameters at random too, but for those that are zero.
    literal: bool,
}

impl Generic {
    /// Parameters at their values. One whose value does not exist in the field (a root of a non-square) is a letter.
    pub fn new(g: &mut Arena, system: &System) -> Generic {
        let values = system.parameter_expressions(g);
        let anywhere = FieldPoint::positive(1);
        let mut parameters = Vec::new();
        for p in &system.parameters {
            let Some(&e) = values.get(&p.symbol) else { continue };
            let value = evaluator(g, &[e]).at(g, &anywhere).map_or_else(|_| anywhere.symbol(p.symbol), |v| v[0]);
            parameters.push((p.symbol, value));
        }
        Generic { parameters, random: SplitMix::new(0x6e6f_736c_6970), literal: false }
    }

    /// The same generator with parameters drawn at random (zeros stay zero): what holds then holds for the letters.
    pub fn literal(&self) -> Generic {
        Generic { literal: true, ..self.clone() }
    }

    /// The same generator with given values of parameters.
    pub fn with_parameters(&self, values: Vec<(Symbol, Fp)>) -> Generic {
        Generic { parameters: values, random: self.random.clone(), literal: false }
    }

    /// Parameters with values drawn at random, zeros kept: a point in the space of parameters.
    pub fn draw_parameters(&mut self) -> Vec<(Symbol, Fp)> {
        let drawn = self.parameters.clone();
        drawn.into_iter().map(|(s, value)| (s, if value.is_zero() { value } else { self.square() })).collect()
    }

    /// The parameters that are zero.
    pub fn zeros(&self) -> Vec<Symbol> {
        self.parameters.iter().filter(|(_, v)| v.is_zero()).map(|(s, _)| *s).collect()
    }

    /// A random square: roots of parameters exist.
    fn square(&mut self) -> Fp {
        let root = self.random.field();
        root * root
    }

    /// A random point.
    pub fn point(&mut self) -> FieldPoint {
        let mut point = FieldPoint::new(self.random.field().value());
        let parameters = if self.literal { self.draw_parameters() } else { self.parameters.clone() };
        parameters.into_iter().for_each(|(s, value)| point.set(s, value));
        point
    }

    /// Values of expressions at a random point.
    pub fn values(&mut self, g: &Arena, evaluator: &FieldEvaluator) -> Option<Vec<Fp>> {
        (0..TRIES).find_map(|_| evaluator.at(g, &self.point()).ok())
    }

    /// Does the expression vanish at generic points?
    pub fn vanishes(&mut self, g: &mut Arena, e: Expr) -> bool {
        if g.is_zero(e) {
            return true;
        }
        let evaluator = evaluator(g, &[e]);
        g.work.charge(DRAWS as u64 * evaluator.steps() as u64);
        (0..DRAWS).all(|_| self.values(g, &evaluator).is_some_and(|v| v[0].is_zero()))
    }
}
