//! Plots on their own.
