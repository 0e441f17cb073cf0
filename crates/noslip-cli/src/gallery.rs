//! The built-in gallery.

include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

/// The text of a gallery model.
pub fn find(name: &str) -> Option<&'static str> {
    GALLERY.iter().find(|(n, _)| *n == name).map(|(_, text)| *text)
}
