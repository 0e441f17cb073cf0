//! Which numbers are printed as decimals: 0.3 stays 0.3, and 2/5 stays 2/5.

use super::number::Rational;

/// What was seen of the author's decimals: their denominators, 10 for 0.3.
#[derive(Clone, Debug, Default)]
pub(super) struct Decimals(Vec<i64>);

impl Decimals {
    /// Remembers a number that was written as a decimal. Halves and quarters are fractions, however they were written.
    pub(super) fn saw(&mut self, n: &Rational) {
        if let Some((_, d)) = n.small()
            && d % 5 == 0
            && !self.0.contains(&d)
        {
            self.0.push(d);
        }
    }

    /// Is the number to be printed as a decimal: not whole, of a few digits, and like those that were written?
    pub(super) fn take(&self, n: &Rational) -> bool {
        let Some((_, d)) = n.small() else { return false };
        // Fifths are as often fractions: 2/5 of a ball's m r².
        d % 5 == 0 && 1_000_000 % d == 0 && (self.0.contains(&d) || d > 5 && !self.0.is_empty())
    }

    /// What stands above and below the bar.
    pub(super) fn split(&self, n: &Rational) -> (Rational, Rational) {
        if self.take(n) { (n.clone(), Rational::ONE) } else { n.split() }
    }
}
