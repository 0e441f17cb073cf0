//! Canonical equations, Hamiltonisation, the inverse problem.

mod canonical;
mod hamiltonise;
mod sledge;
mod two_degrees;
