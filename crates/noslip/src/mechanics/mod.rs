//! What every room stands on: a system on the bench, its dynamics, quasi-velocities and splits, generic and admissible states,
//! ranks. It knows no form of the equations of motion and asks no question of its own.

mod admissible;
mod branches;
mod dependence;
mod dynamics;
mod eliminate;
mod equations;
mod excursion;
mod generic;
mod lift;
mod metric;
mod pfaff;
mod quasi;
mod ranks;
mod regular;
mod residuals;
mod split;
mod workbench;

pub use admissible::{Admissible, SaddleValues};
pub use branches::{Said, choice, cofactor, expect_reactions, no_reaction, said};
pub use dependence::{Dependence, contradiction, dependences};
pub use dynamics::Dynamics;
pub use eliminate::{Eliminated, eliminate};
pub(crate) use equations::Written;
pub use equations::{Equations, Kind, Object};
pub use excursion::Excursion;
pub use generic::{Generic, evaluator};
pub use lift::Lifted;
pub use metric::Metric;
pub use pfaff::Pfaff;
pub use quasi::{Quasi, virtual_displacements};
pub use ranks::{generic_rank, independent_rows, mass_rank, matrix_rank};
pub use residuals::{Residuals, Violation};
pub use split::{Split, SplitFrame, acceleration_constraints};
pub(crate) use workbench::EnclosedState;
pub use workbench::{IN_GENERAL, Workbench};
