//! Vakonomic motions, and the principles along a motion.

mod beside;
mod evaluate;
mod family;
mod vakonomic;
