//! The methods of integration: one file each, one line here, and one card where model files look for their names.

use super::dla::DLA;
use super::dop853::DOP853;
use super::implicit::IMPLICIT;
use super::mechanics::CompiledMechanics;
use super::ode::Ode;
use super::stepper::{StepSize, Stepper, Tolerance};
use super::taylor::{TAYLOR, TaylorOde};
use crate::card::Card;

/// Every method; the first is taken where nobody asks for another.
pub static METHODS: [&Method; 4] = [&DOP853, &TAYLOR, &IMPLICIT, &DLA];

/// A method of integration.
pub struct Method {
    /// What people are told of it.
    pub card: &'static Card,
    /// How an integration by it begins.
    pub start: Begin,
    /// Is it made for stiff forces?
    pub stiff: bool,
}

/// Where an integration begins, and how accurate it has to be.
#[derive(Clone, Copy, Debug)]
pub struct Beginning<'a> {
    /// Time.
    pub t: f64,
    /// State.
    pub y: &'a [f64],
    /// Accuracy asked for.
    pub tolerance: Tolerance,
    /// Lengths of steps.
    pub sizes: StepSize,
}

/// What a method integrates, and how it begins.
pub enum Begin {
    /// Any equation y′ = f(t, y).
    Equation(for<'a> fn(Box<dyn Ode + 'a>, &Beginning) -> Box<dyn Stepper + 'a>),
    /// An equation that can expand its solution.
    Series(for<'a> fn(Box<dyn TaylorOde + 'a>, &Beginning) -> Box<dyn Stepper + 'a>),
    /// The mechanics of a system, by steps of constant length.
    Mechanics(fn(CompiledMechanics, &Beginning) -> Box<dyn Stepper>),
}

impl Method {
    /// The method of that name or alias.
    pub fn by_id(name: &str) -> Option<&'static Method> {
        METHODS.into_iter().find(|m| m.card.answers_to(name))
    }

    /// Its name in model files and on the command line.
    pub fn id(&self) -> &'static str {
        self.card.id
    }

    /// Begins to integrate an equation; `None` if the method needs to know more of a system than that.
    pub(super) fn begin<'a>(&self, ode: impl Ode + TaylorOde + 'a, from: &Beginning) -> Option<Box<dyn Stepper + 'a>> {
        match self.start {
            Begin::Equation(start) => Some(start(Box::new(ode), from)),
            Begin::Series(start) => Some(start(Box::new(ode), from)),
            Begin::Mechanics(_) => None,
        }
    }
}

impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        self.id() == other.id()
    }
}

impl Eq for Method {}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id())
    }
}
