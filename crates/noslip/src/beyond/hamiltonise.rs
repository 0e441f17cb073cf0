//! hamiltonise
