//! How hard to try: what each piece of work may cost, all in one place.
//!
//! The unit is that of [`crate::expr::Work`]: some fifty million are a second. They are counted, not timed, so an answer does not
//! depend on the machine or on what else it does. `--effort` scales them all.

/// How hard to try: every allowance is scaled by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Effort {
    /// A quarter of the usual.
    Low,
    /// What suits a person who waits.
    #[default]
    Normal,
    /// Sixteen times the usual.
    High,
}

impl Effort {
    /// An allowance, scaled.
    pub fn scale(self, units: u64) -> u64 {
        match self {
            Effort::Low => units / 4,
            Effort::Normal => units,
            Effort::High => units.saturating_mul(16),
        }
    }

    /// Everything one command does: at low effort it ends after some seconds, whatever its parts may take.
    pub fn command(self) -> u64 {
        if self == Effort::Low { COMMAND / 10 } else { self.scale(COMMAND) }
    }

    /// All forms on a page: what it leaves out a command shows. The rest of what one command may do is for what comes after them.
    pub fn forms_of_page(self) -> u64 {
        self.command() / 6 * 5
    }
}

/// Everything one command does, with the usual effort.
const COMMAND: u64 = 660_000_000;
/// What a derivative that was begun may take beyond the end of what is allowed, a second.
pub const SLACK: u64 = 50_000_000;
/// The analysis of a model.
pub const ANALYSIS: u64 = 80_000_000;
/// One step of it.
pub const STEP: u64 = 16_000_000;
/// A growth vector counted at a point: it is not taken from what the other steps may do.
pub const GROWTH: u64 = 120_000_000;
/// The determinants of all splits of the velocities together.
pub const CHOICE: u64 = 30_000_000;
/// One form, derived, made readable and compared with Lagrange's equations, where it is the one that was asked for.
pub const FORM: u64 = 200_000_000;
/// The same where all forms are asked for.
pub const FORM_OF_ALL: u64 = 36_000_000;
/// What each of them has at least.
pub const LEAST_OF_ALL: u64 = 6_000_000;
/// What is kept for each form that is still to come, and as much for what this one brings to its end when its allowance is used up.
pub const KEPT_OF_ALL: u64 = 23_000_000;
/// What there is to read of a form, if it is not more than half of what is left: the proof needs the rest.
pub const READABLE: u64 = 22_000_000;
/// An operation of what is printed: laid out, broken into lines, written.
pub const PRINTED: u64 = 20;
/// What is printed of a form, whatever is left for it: some two megabytes. More is printed where there is work for it.
pub const PRINTED_ANYHOW: u64 = 400_000 * PRINTED;
/// A node compiled.
pub const COMPILED: u64 = 50;
/// A node made ready to be evaluated in the prime field.
pub const COMPILED_FOR_FIELD: u64 = 5;
/// A node enclosed at a real state, with many digits.
pub const ENCLOSED: u64 = 50;
/// The same in floating point.
pub const ENCLOSED_ROUGHLY: u64 = 4;
/// Letters for what is long, even where nothing is left for it: nobody reads it without.
pub const LETTERS: u64 = 16_000_000;
/// One long expression, made short.
pub const SHORTENED: u64 = 12_000_000;
/// One of the forms among which the shortest is looked for.
pub const COMPARED: u64 = 15_000_000;
/// The equations of a form where only their numbers are wanted.
pub const NUMBERS: u64 = 15_000_000;
/// The flow in quasi-velocities made short, before motions are looked for on it.
pub const FLOW: u64 = 120_000_000;
/// One claim.
pub const CLAIM: u64 = 100_000_000;
/// One section of the page.
pub const SECTION: u64 = 60_000_000;
