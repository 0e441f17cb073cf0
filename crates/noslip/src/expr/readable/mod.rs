//! The readable form.

mod atoms;
mod form;
mod search;
mod trig;

#[cfg(test)]
mod tests;
