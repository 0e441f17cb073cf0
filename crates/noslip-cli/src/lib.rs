//! What the `noslip` program is made of, apart from its command line: its answers as data, the report page, the plots, and
//! pictures of a motion.
//!
//! No mathematics lives here: everything arrives as text and numbers.

#![forbid(unsafe_code)]

pub mod answers;
pub mod plot;
pub mod report;
pub mod still;
