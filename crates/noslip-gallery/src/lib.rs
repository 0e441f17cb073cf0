//! The gallery of noslip: worked mechanical systems with velocity constraints, as text.
//!
//! Every file of `models/` is a constant here, so that a program has the gallery without a checkout:
//! [`MODELS`], the equations that books print about them with the verdict each gets ([`CLAIMS`]), and what is known about them
//! ([`EXPECTED`]). `models/README.md` says how these files are written.
//!
//! ```
//! let sleigh = noslip_gallery::find("chaplygin-sledge").expect("a model of the gallery");
//! assert!(sleigh.contains("[constraints]"));
//! ```

#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The text of a model.
pub fn find(name: &str) -> Option<&'static str> {
    MODELS.iter().chain(BODIES).find(|(n, _)| *n == name).map(|(_, text)| *text)
}
