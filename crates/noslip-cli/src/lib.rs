//! What the `noslip` program is made of, apart from its command line: the report page and the plots.
//!
//! No mathematics lives here: everything arrives as text and numbers.

#![forbid(unsafe_code)]

pub mod plot;
pub mod report;
