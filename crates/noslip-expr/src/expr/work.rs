//! Work, counted where it is done, and how much of it may be done.
//!
//! Terms of polynomials that are touched and nodes that are made are counted as they are, so the same computation ends at the same
//! place on every machine: no clock is asked. An allowance lies inside the one around it. When it is used up, the normal form says so
//! at once, simplification leaves things as they are, and loops that make expressions stop; who opened it asks whether it
//! was enough, and says what was not decided.

use crate::control::Control;
use crate::effort::Effort;
use crate::error::Error;

/// Why there is no answer where the work allowed was not enough.
pub const NOT_DECIDED: &str = "not decided within the budget";

/// The same as an error.
pub fn not_decided() -> Error {
    let message = NOT_DECIDED;
    Error::limit(message).hint("more effort goes on for longer")
}

/// A count of work with an end. A unit takes some twenty nanoseconds.
#[derive(Clone, Debug)]
pub struct Work {
    done: u64,
    end: u64,
    /// The end of all allowances.
    last: u64,
    /// How hard to try.
    pub effort: Effort,
    /// Somebody who may ask it all to end: then every allowance is used up.
    pub control: Option<Control>,
}

/// An allowance that is open: give it back to [`Work::close`].
#[must_use]
#[derive(Debug)]
pub struct Allowance {
    outer: u64,
}

impl Default for Work {
    fn default() -> Self {
        Work { done: 0, end: u64::MAX, last: u64::MAX, effort: Effort::Normal, control: None }
    }
}

impl Work {
    /// Units done so far.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Units that may still be done.
    pub fn left(&self) -> u64 {
        if self.is_stopped() { 0 } else { self.end.saturating_sub(self.done) }
    }

    fn is_stopped(&self) -> bool {
        self.control.as_ref().is_some_and(Control::is_stopped)
    }

    /// Is the allowance used up?
    pub fn is_over(&self) -> bool {
        self.done >= self.end || self.is_stopped()
    }

    /// Is all work over that may ever be done? Where only an allowance is used up, what was begun may still be brought to its end.
    pub fn is_spent(&self) -> bool {
        self.done >= self.last || self.is_stopped()
    }

    /// Counts work that was done.
    #[inline]
    pub fn charge(&mut self, units: u64) {
        self.done = self.done.saturating_add(units);
    }

    /// Opens an allowance, scaled by the effort, inside the current one.
    pub fn open(&mut self, units: u64) -> Allowance {
        let units = self.effort.scale(units);
        let outer = self.end;
        self.end = outer.min(self.done.saturating_add(units));
        Allowance { outer }
    }

    /// The same where others are still to come: of what is left, something is kept for each of them, and this one has at least its least.
    pub fn open_before(&mut self, units: u64, least: u64, kept: u64, others: usize) -> Allowance {
        let (units, least, kept) = (self.effort.scale(units), self.effort.scale(least), self.effort.scale(kept));
        let free = self.left().saturating_sub(kept.saturating_mul(others as u64)).max(least);
        self.open_until(self.done.saturating_add(units.min(free)))
    }

    /// Opens an allowance that ends where so many units have been done, inside the current one.
    pub fn open_until(&mut self, done: u64) -> Allowance {
        let outer = self.end;
        self.end = outer.min(done);
        Allowance { outer }
    }

    /// Sets the end of all work from here on.
    pub fn limit(&mut self, units: u64) {
        self.last = self.done.saturating_add(units);
        self.end = self.last;
    }

    /// Closes an allowance. Was it used up?
    pub fn close(&mut self, allowance: Allowance) -> bool {
        let over = self.is_over();
        self.end = allowance.outer;
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allowance_lies_inside_the_one_around_it() {
        let mut work = Work::default();
        let outer = work.open(100);
        work.charge(40);
        let inner = work.open(1000);
        assert_eq!(work.left(), 60);
        work.charge(70);
        assert!(work.is_over() && work.close(inner) && work.close(outer));
        assert!(!work.is_over());
        let next = work.open(10);
        assert!(!work.close(next));
    }

    #[test]
    fn what_is_still_to_come_keeps_its_least() {
        let mut work = Work::default();
        work.limit(100);
        // Three to come with ten each leave seventy, of which fifty may be used.
        let first = work.open_before(50, 10, 10, 3);
        assert_eq!(work.left(), 50);
        work.charge(50);
        assert!(work.close(first));
        let second = work.open_before(50, 10, 10, 2);
        assert_eq!(work.left(), 30);
        work.charge(45);
        assert!(work.close(second));
        // Whoever took more than was left to it took it from the last.
        let third = work.open_before(50, 10, 10, 1);
        assert_eq!(work.left(), 5);
        assert!(!work.close(third));
    }

    #[test]
    fn an_allowance_that_is_used_up_leaves_what_is_allowed_to_all() {
        let mut work = Work::default();
        work.limit(100);
        let inner = work.open(10);
        work.charge(50);
        assert!(work.is_over() && !work.is_spent());
        assert!(work.close(inner));
        work.charge(50);
        assert!(work.is_over() && work.is_spent());
    }

    #[test]
    fn what_is_stopped_from_outside_has_no_work_left() {
        let control = Control::default();
        let mut work = Work { control: Some(control.clone()), ..Work::default() };
        work.charge(1);
        assert!(!work.is_over() && work.clone().left() > 0);
        control.stop();
        assert!(work.is_over() && work.is_spent() && work.left() == 0);
    }
}
