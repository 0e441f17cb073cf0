//! Work, counted where it is done, and how much of it may be done.
//!
//! Terms of polynomials that are touched and nodes that are made are counted as they are, so the same computation ends at the same
//! place on every machine: no clock is asked. An allowance lies inside the one around it. When it is used up, the normal form says so
//! at once, simplification leaves things as they are, and loops that make expressions stop; who opened it asks whether it
//! was enough, and says what was not decided.

use crate::control::Control;
use crate::effort::{Effort, SLACK};
use crate::error::{Error, Result};

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
    /// Where derivatives are given up, in the middle if need be: one of a product of hundreds of factors, taken four times, fills any memory.
    reach: u64,
    /// How many were.
    given_up: u64,
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
    last: u64,
    reach: u64,
}

/// An allowance beside another: give it back to [`Work::close_beside`].
#[must_use]
#[derive(Debug)]
pub struct Beside {
    outer: u64,
    reach: u64,
    begun: u64,
}

impl Default for Work {
    fn default() -> Self {
        Work {
            done: 0,
            end: u64::MAX,
            last: u64::MAX,
            reach: u64::MAX,
            given_up: 0,
            effort: Effort::Normal,
            control: None,
        }
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

    /// An error where all work is over: what is long asks on its way whether it may go on.
    pub fn may_go_on(&self) -> Result<()> {
        if self.is_spent() { Err(not_decided()) } else { Ok(()) }
    }

    /// Is so much done beyond what was allowed that even one derivative is not brought to its end? What is made of it is undefined.
    pub(crate) fn gives_up(&mut self) -> bool {
        let gives_up = self.done >= self.reach;
        self.given_up += u64::from(gives_up);
        gives_up
    }

    /// How many derivatives were given up? Where there are some, what is undefined may be so for want of work.
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    /// Counts work that was done.
    #[inline]
    pub fn charge(&mut self, units: u64) {
        self.done = self.done.saturating_add(units);
    }

    /// Opens an allowance, scaled by the effort, inside the current one.
    pub fn open(&mut self, units: u64) -> Allowance {
        let units = self.effort.scale(units);
        self.open_until(self.done.saturating_add(units))
    }

    /// The same for an answer that may be left open: no derivative goes on much beyond it.
    pub fn open_step(&mut self, units: u64) -> Allowance {
        let allowance = self.open(units);
        self.reach = self.reach.min(self.end.max(self.done).saturating_add(SLACK));
        allowance
    }

    /// The same, and what was begun is not brought to its end beyond it either.
    pub fn open_firm(&mut self, units: u64) -> Allowance {
        let allowance = self.open(units);
        self.last = self.end;
        allowance
    }

    /// The same where others are still to come: of what is left, something is kept for each of them, and this one has at least its least.
    pub fn open_before(&mut self, units: u64, least: u64, kept: u64, others: usize) -> Allowance {
        let (units, least, kept) = (self.effort.scale(units), self.effort.scale(least), self.effort.scale(kept));
        let free = self.left().saturating_sub(kept.saturating_mul(others as u64)).max(least);
        self.open_until(self.done.saturating_add(units.min(free)))
    }

    /// Opens an allowance that ends where so many units have been done, inside the current one.
    pub fn open_until(&mut self, done: u64) -> Allowance {
        let allowance = Allowance { outer: self.end, last: self.last, reach: self.reach };
        self.end = self.end.min(done);
        allowance
    }

    /// Opens an allowance, scaled by the effort, beside the current one, which is as large afterwards as before.
    pub fn open_beside(&mut self, units: u64) -> Beside {
        let beside = Beside { outer: self.end, reach: self.reach, begun: self.done };
        self.end = self.last.min(self.done.saturating_add(self.effort.scale(units)));
        self.reach = self.end.max(self.done).saturating_add(SLACK);
        beside
    }

    /// Closes it.
    pub fn close_beside(&mut self, beside: Beside) {
        let done = self.done - beside.begun;
        self.end = self.last.min(beside.outer.saturating_add(done));
        self.reach = beside.reach.saturating_add(done);
    }

    /// Sets the end of all work from here on.
    pub fn limit(&mut self, units: u64) {
        self.last = self.done.saturating_add(units);
        self.end = self.last;
        self.reach = self.last.saturating_add(SLACK);
    }

    /// Closes an allowance. Was it used up?
    pub fn close(&mut self, allowance: Allowance) -> bool {
        let over = self.is_over();
        (self.end, self.last, self.reach) = (allowance.outer, allowance.last, allowance.reach);
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
    fn an_allowance_beside_another_takes_nothing_from_it() {
        let mut work = Work::default();
        work.limit(100);
        let outer = work.open(20);
        work.charge(5);
        let beside = work.open_beside(50);
        work.charge(40);
        assert_eq!(work.left(), 10);
        work.close_beside(beside);
        assert_eq!(work.left(), 15);
        // All of it together lies within all that may be done.
        let beside = work.open_beside(1000);
        assert_eq!(work.left(), 55);
        work.charge(50);
        work.close_beside(beside);
        assert_eq!(work.left(), 5);
        assert!(!work.close(outer));
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
    fn derivatives_are_given_up_a_little_beyond_a_step_and_not_beyond_what_is_brought_to_its_end() {
        let mut work = Work::default();
        work.limit(100 * SLACK);
        let begun = work.open(10);
        work.charge(2 * SLACK);
        assert!(work.is_over() && !work.gives_up());
        // A step within it may take as much, though nothing was left.
        let step = work.open_step(10);
        work.charge(SLACK - 1);
        assert!(work.is_over() && !work.gives_up() && work.given_up() == 0);
        work.charge(1);
        assert!(work.gives_up() && work.given_up() == 1 && work.close(step));
        assert!(!work.gives_up() && work.close(begun));
        work.charge(100 * SLACK);
        assert!(work.gives_up());
    }

    #[test]
    fn nothing_goes_on_beyond_a_firm_allowance() {
        let mut work = Work::default();
        work.limit(100);
        let firm = work.open_firm(10);
        let inner = work.open(20);
        work.charge(10);
        assert!(work.is_spent() && work.may_go_on().is_err() && work.close(inner) && work.is_spent());
        assert!(work.close(firm) && !work.is_spent() && work.may_go_on().is_ok());
        let plain = work.open(10);
        work.charge(10);
        assert!(work.is_over() && work.may_go_on().is_ok() && work.close(plain));
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
