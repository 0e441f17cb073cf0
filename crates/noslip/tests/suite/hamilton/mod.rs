//! Canonical equations, Hamiltonisation, the inverse problem.

mod canonical;
mod hamiltonise;
mod two_degrees;
