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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_as_decimals_where_the_author_wrote_such() {
        let number = |n: i64, d: i64| Rational::new(n, d).unwrap();
        let seen = |list: &[(i64, i64)]| {
            let mut decimals = Decimals::default();
            list.iter().for_each(|&(n, d)| decimals.saw(&number(n, d)));
            decimals
        };
        let (none, halves, tenths, fifths) =
            (seen(&[]), seen(&[(1, 2), (3, 4), (7, 1)]), seen(&[(3, 10)]), seen(&[(1, 5)]));
        for x in [(1, 10), (7, 100), (1, 3), (2, 5), (3, 1)] {
            let x = number(x.0, x.1);
            assert!(!none.take(&x) && !halves.take(&x), "{x}");
        }
        for (x, by_tenths, by_fifths) in [
            ((7, 10), true, true),
            ((7, 100), true, true),
            ((1, 1_000_000), true, true),
            // Fifths only where they were written so; too many digits, thirds, halves and whole numbers never.
            ((2, 5), false, true),
            ((1, 10_000_000), false, false),
            ((1, 15), false, false),
            ((1, 2), false, false),
            ((4, 1), false, false),
        ] {
            let x = number(x.0, x.1);
            assert_eq!((tenths.take(&x), fifths.take(&x)), (by_tenths, by_fifths), "{x}");
        }
        assert_eq!(tenths.split(&number(7, 10)), (number(7, 10), Rational::ONE));
        assert_eq!(tenths.split(&number(2, 5)), (number(2, 1), number(5, 1)));
    }
}
