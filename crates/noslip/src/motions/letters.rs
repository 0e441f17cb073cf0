//! Families in letters, at numbers: is a steady motion a member, and which member is near?

use super::elimination::Families;
use super::family::Family;
use crate::arrange::Arrange;
use crate::error::Result;
use crate::expr::{Evaluator, Symbol};
use crate::mechanics::Workbench;
use crate::model::Values;

/// A member found by rounding is off a family in letters by less than this.
const NEAR: f64 = 1e-6;

/// Families with everything that evaluates them.
pub(super) struct InLetters<'a> {
    exact: &'a Families,
    symbols: &'a [Symbol],
    values: Values,
    /// For each family its values, then its relations.
    evaluators: Vec<Evaluator>,
}

impl<'a> InLetters<'a> {
    pub fn new(
        w: &Workbench,
        exact: &'a Families,
        symbols: &'a [Symbol],
        parameters: &[(Symbol, f64)],
    ) -> Result<InLetters<'a>> {
        let values = w.system.values(&w.g, parameters)?;
        let evaluators = exact
            .list
            .iter()
            .map(|f| {
                let list: Vec<_> = f.values.iter().map(|x| x.1).chain(f.relations.iter().copied()).collect();
                Evaluator::new(&w.g, &list)
            })
            .collect();
        Ok(InLetters { exact, symbols, values, evaluators })
    }

    /// What the members of a family with these values of what is free are, and the relations there.
    fn at(&self, k: usize, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut values = self.values.clone();
        values.at.set_all(self.symbols, &y[..self.symbols.len()]);
        let mut found = values.evaluate(&self.evaluators[k]);
        let relations = found.split_off(self.exact.list[k].values.len());
        let mut member = y.to_vec();
        for ((s, _), x) in self.exact.list[k].values.iter().zip(found) {
            if let Some(i) = self.symbols.iter().position(|t| t == s) {
                member[i] = x;
            }
        }
        (member, relations)
    }

    /// The member of one of the families that a motion is but for rounding, if the motions around it are as many as that family has. The
    /// motion itself where not all families are known: it may be a member of another.
    pub fn exactly(&self, y: &[f64], dimension: usize) -> Option<Vec<f64>> {
        let found = (0..self.exact.list.len()).find_map(|k| {
            let (member, relations) = self.at(k, y);
            let near = y.iter().zip(&member).all(|(a, b)| (a - b).abs() <= NEAR * (1.0 + a.abs()));
            let fits = near && relations.iter().all(|x| x.abs() <= NEAR) && self.exact.list[k].dimension() <= dimension;
            // With relations beside, what is free is not exact either.
            fits.then(|| if relations.is_empty() { member } else { y.to_vec() })
        });
        found.or_else(|| (!self.exact.complete).then(|| y.to_vec()))
    }

    /// The nearest member of a family, in numbers.
    pub fn member(&self, family: &mut Family, y0: &[f64]) -> Option<Vec<f64>> {
        let mut starts: Vec<(f64, Vec<f64>)> = Vec::new();
        for (k, f) in self.exact.list.iter().enumerate() {
            let (member, _) = self.at(k, y0);
            if f.relations.is_empty() && member.iter().all(|x| x.is_finite()) {
                let away = member.iter().zip(y0).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
                starts.push((away, member));
            }
        }
        starts.arrange_by(|a, b| a.0.total_cmp(&b.0));
        starts.into_iter().find_map(|(_, y)| family.solve(&y, &mut |_, _, _| {}))
    }
}
