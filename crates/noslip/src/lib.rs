//! Mechanical systems with velocity (nonholonomic) constraints.
//!
//! Write down coordinates, energies, forces and constraints; get the equations of motion in every form the
//! textbooks know, proved to agree, and what the constraints mean.
//!
//! A sleigh on a knife edge, from its text to its motion:
//!
//! ```
//! use noslip::{Model, Overrides, Settings, Style, agreement, analyse, follows, form, present, simulate};
//!
//! let mut sleigh: Model = r#"
//!     noslip = 1
//!     [system]
//!     coordinates = ["x", "y", "phi"]
//!     [parameters]
//!     m = 1.5
//!     J = 0.135
//!     [energy]
//!     kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
//!     [constraints]
//!     edge = "x'*sin(phi) = y'*cos(phi)"
//!     [initial]
//!     position = { x = 0, y = 0, phi = 0 }
//!     velocity = { x = 1, phi = 0.5 }
//! "#.parse()?;
//!
//! let mut bench = sleigh.workbench();
//! assert_eq!(analyse(&mut bench).degrees_of_freedom(), 2);
//! let maggi = form("maggi").expect("a form of the registry").derive(&mut bench)?;
//! assert_eq!(agreement(&mut bench, &maggi).word(), "proved");
//! for line in present(&mut bench, &maggi)?.lines(&bench.g, Style::Unicode) {
//!     println!("{line}");
//! }
//! let claim = bench.expression("phi'' = 0")?;
//! assert!(follows(&mut bench, claim).holds());
//! let start = sleigh.initial_state(&Overrides::default())?;
//! let motion = simulate(&mut bench, &start, &Settings::until(10.0), &mut |_| true)?;
//! assert!((motion.end.1[2] - 5.0).abs() < 1e-8); // it turns at its constant rate
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is used most stands here; each room below holds one subject: [`model`] what an author writes, [`forms`] the equations of
//! motion, [`analysis`] what the constraints mean, [`verify`] whether a claim follows, [`simulate`](mod@simulate) motions,
//! [`principles`], [`hamilton`] and [`contact`] what goes beyond. `examples/` has programs to begin with.
//!
//! The library has no file or network access, no clock and no global state.

#![forbid(unsafe_code)]

pub mod analysis;
mod bodies;
pub mod card;
pub mod compile;
pub mod contact;
pub mod forms;
pub mod hamilton;
pub mod mechanics;
pub mod model;
pub mod motions;
pub mod numeric;
pub mod principles;
pub mod read;
pub mod simulate;
mod source;
pub mod subjects;
pub mod verify;

pub use noslip_expr::{arrange, effort, error, expr, limits};

pub use analysis::analyse;
pub use effort::Effort;
pub use error::{Error, ErrorKind, Errors, Remedy, Result, Span};
pub use expr::Style;
pub use forms::{FORMS, by_id as form, present};
pub use limits::Limits;
pub use mechanics::Workbench;
pub use model::{Model, Overrides};
pub use noslip_expr::control::Control;
pub use simulate::{Settings, simulate};
pub use verify::{agreement, follows};
