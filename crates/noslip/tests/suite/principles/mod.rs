//! Vakonomic motions, and the principles along a motion.

mod evaluate;
mod vakonomic;
