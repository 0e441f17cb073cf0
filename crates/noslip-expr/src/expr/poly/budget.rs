//! How much work may still be done: what keeps every polynomial computation finite in practice.

use crate::control::Control;
use crate::error::{Error, Result};
use crate::expr::number::Rational;
use crate::limits::Limits;

/// What one term costs in a pass: it is copied, perhaps moved by a sort.
const PASS: u64 = 8;

/// A counter of work and the largest sizes allowed, taken from [`Limits`].
#[derive(Clone, Debug)]
pub struct Budget {
    work: u64,
    done: u64,
    /// Where all that is done has to end.
    end: u64,
    terms: usize,
    bits: u64,
    control: Option<Control>,
    /// Work that whoever watches has not been told of.
    untold: u64,
}

/// Bits of a word.
const WORD: u64 = 64;
/// Products of words that count for one.
const WORDS: u64 = 16;

/// Work between two looks at whether somebody has asked for the end.
const TELL: u64 = 1 << 14;

impl Budget {
    /// The budget of one normal form.
    pub fn new(limits: &Limits) -> Budget {
        Budget {
            work: limits.normal_form_work,
            done: 0,
            end: u64::MAX,
            terms: limits.polynomial_terms,
            bits: limits.number_bits,
            control: limits.control.clone(),
            untold: 0,
        }
    }

    /// The same budget, which ends when so much was done in all, passes included.
    pub fn at_most(self, work: u64) -> Budget {
        Budget { end: self.end.min(self.done.saturating_add(work)), ..self }
    }

    /// Everything that was done, with what does not count towards the limit.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Counts a pass over so many terms: what is linear needs no limit of its own, but takes time.
    #[inline]
    pub fn pass(&mut self, terms: usize) {
        self.done += PASS * terms as u64;
    }

    /// Work that may still be done.
    pub fn left(&self) -> u64 {
        self.work
    }

    /// A budget for an attempt that may be given up: at most `work`, drawn from this one by [`Budget::settle`].
    pub fn attempt(&self, work: u64) -> Budget {
        Budget { work: work.min(self.work), ..self.clone() }
    }

    /// Charges what an attempt that began with `given` has used.
    pub fn settle(&mut self, given: &Budget, used: &Budget) {
        self.work = self.work.saturating_sub(given.work.saturating_sub(used.work));
        self.done += used.done.saturating_sub(given.done);
    }

    /// Uses up some work. What is refused is not done: it counts for what was left, however much it would have been.
    #[inline]
    pub fn spend(&mut self, work: u64) -> Result<()> {
        let left = self.work.min(self.end.saturating_sub(self.done));
        if work > left {
            self.done += left;
            self.work = 0;
            return Err(Error::limit("the normal form takes more work than the limit `normal_form_work` allows"));
        }
        self.done += work;
        self.work -= work;
        match &self.control {
            Some(control) if self.untold + work >= TELL || control.is_stopped() => {
                control.count(std::mem::take(&mut self.untold) + work)
            }
            Some(_) => {
                self.untold += work;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Counts a product of two numbers of so many bits, or so many steps of Euclid's algorithm: in long numbers each word of one meets
    /// each of the other.
    #[inline]
    pub fn digits(&mut self, bits: u64, other: u64) -> Result<()> {
        self.spend((bits / WORD).saturating_mul(other / WORD) / WORDS)
    }

    /// Counts a greatest common divisor with a number of so many bits, the shorter one.
    #[inline]
    pub fn common_divisor(&mut self, bits: u64) -> Result<()> {
        self.spend(euclid(bits / WORD))
    }

    /// Counts products of so many pairs of numbers of these lengths, each added to another, beyond what machine words take.
    pub fn numbers(&mut self, pairs: usize, a: Length, b: Length) -> Result<()> {
        if a.is_short() && b.is_short() {
            Ok(())
        } else {
            self.spend((pairs as u64).saturating_mul(a.product(b) + a.reduction(b)))
        }
    }

    /// Counts the reduction of fractions alone, after so many of these products.
    pub fn reductions(&mut self, pairs: usize, a: Length, b: Length) -> Result<()> {
        match a.reduction(b) {
            0 => Ok(()),
            each => self.spend((pairs as u64).saturating_mul(each)),
        }
    }

    /// Counts sums of so many numbers of this length, beyond what machine words take.
    pub fn sums(&mut self, terms: usize, length: Length) -> Result<()> {
        if length.is_short() { Ok(()) } else { self.spend((terms as u64).saturating_mul(length.sum())) }
    }

    /// Refuses polynomials with too many terms.
    #[inline]
    pub fn check_terms(&self, terms: usize) -> Result<()> {
        if terms <= self.terms {
            return Ok(());
        }
        Err(Error::limit(format!("a polynomial has more than {} terms (limit `polynomial_terms`)", self.terms)))
    }

    /// Refuses numbers that are too long.
    #[inline]
    pub fn check_bits(&self, bits: u64) -> Result<()> {
        if bits <= self.bits {
            return Ok(());
        }
        Err(Error::limit(format!("a number has more than {} bits (limit `number_bits`)", self.bits)))
    }
}

/// What Euclid's algorithm costs with numbers of so many words: for each of them two rounds, each some twenty steps of words and a pass.
fn euclid(words: u64) -> u64 {
    words.saturating_mul(16 + words / 8)
}

/// How long the longest of several numbers is.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// None where all are machine words.
    words: u64,
    /// Fractions are reduced by a greatest common divisor after every step.
    fractions: bool,
}

impl Length {
    /// The longest of these.
    pub fn of<'a>(numbers: impl IntoIterator<Item = &'a Rational>) -> Length {
        let none = Length { words: 0, fractions: false };
        numbers.into_iter().fold(none, |length, c| Length {
            words: length.words.max(c.words()),
            fractions: length.fractions || !c.is_integer(),
        })
    }

    /// Are all of them machine words?
    #[inline]
    pub fn is_short(self) -> bool {
        self.words == 0
    }

    /// What a product of one of each costs that is added to another, in steps of machine words: in long numbers each word of one
    /// meets each of the other.
    #[inline]
    pub fn product(self, other: Length) -> u64 {
        match (self.words, other.words) {
            (0, 0) => 1,
            (x, y) => 32 + (x + y) + (1 + x) * (1 + y) / 8,
        }
    }

    /// What it costs to reduce both, where one is a long fraction.
    #[inline]
    pub fn reduction(self, other: Length) -> u64 {
        let words = self.words + other.words;
        if self.fractions || other.fractions { 2 * euclid(words) } else { 0 }
    }

    /// The same of a sum.
    fn sum(self) -> u64 {
        4 + self.words / 4 + if self.fractions { 2 * euclid(self.words) } else { 0 }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::new(&Limits::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_counts_for_no_more_than_was_left() {
        let mut budget = Budget::new(&Limits { normal_form_work: 100, ..Limits::default() });
        assert!(budget.spend(40).is_ok());
        assert!(budget.spend(1_000_000).is_err());
        assert_eq!((budget.done(), budget.left()), (100, 0));
    }

    #[test]
    fn long_numbers_count_with_the_square_of_their_length() {
        let mut budget = Budget::default();
        let mut of = |bits: u64| {
            let before = budget.done();
            budget.digits(bits, bits).map(|()| budget.done() - before)
        };
        assert_eq!((of(64), of(64_000), of(128_000)), (Ok(0), Ok(62_500), Ok(250_000)));
    }

    #[test]
    fn what_ends_early_refuses_what_goes_beyond() {
        let mut budget = Budget::new(&Limits { normal_form_work: 100, ..Limits::default() }).at_most(50);
        assert!(budget.spend(40).is_ok());
        assert!(budget.spend(20).is_err());
        assert_eq!((budget.done(), budget.left()), (50, 0));
    }

    #[test]
    fn whoever_watches_is_told_of_all_work_but_the_last_bit() {
        for units in [1, 3, TELL - 1, TELL, 5 * TELL + 1] {
            let control = Control::default();
            let mut budget = Budget::new(&Limits { control: Some(control.clone()), ..Limits::default() });
            for n in 1..=3 * TELL / units + 2 {
                assert!(budget.spend(units).is_ok());
                let (done, told) = (n * units, control.work());
                // Never more than was done, and not for every little thing.
                assert!(told <= done && done < told + TELL, "{told} of {done}");
                assert!(told == 0 || told >= TELL, "{told}");
            }
        }
    }

    #[test]
    fn an_attempt_is_charged_with_what_it_used_and_with_no_more() {
        let mut budget = Budget::new(&Limits { normal_form_work: 100, ..Limits::default() });
        assert!(budget.spend(10).is_ok());
        let given = budget.attempt(50);
        let mut used = given.clone();
        assert_eq!(used.left(), 50);
        assert!(used.spend(30).is_ok());
        used.pass(2);
        budget.settle(&given, &used);
        assert_eq!((budget.left(), budget.done()), (60, 10 + 30 + 2 * PASS));
        // More than is left is not given.
        assert_eq!(budget.attempt(1000).left(), 60);
    }

    #[test]
    fn what_stands_at_a_limit_is_within_it() {
        let limits = Limits { normal_form_work: 100, polynomial_terms: 7, number_bits: 9, ..Limits::default() };
        let mut budget = Budget::new(&limits);
        assert!(budget.check_terms(7).is_ok() && budget.check_terms(8).is_err());
        assert!(budget.check_bits(9).is_ok() && budget.check_bits(10).is_err());
        assert!(budget.clone().at_most(20).spend(20).is_ok() && budget.clone().at_most(20).spend(21).is_err());
        assert!(budget.spend(100).is_ok() && budget.spend(1).is_err());
    }
}
