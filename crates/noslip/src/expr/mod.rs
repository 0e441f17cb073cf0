//! Expressions: an interned DAG over exact rationals, with everything the rest of the library does to them.

mod arena;
mod build;
mod derive;
pub mod field;
mod matrix;
mod number;
pub mod poly;
mod substitute;
mod symbol;
mod tree;

pub use arena::{Arena, Expr, Function, Node, TableId};
pub use matrix::Matrix;
pub use number::Rational;
pub use symbol::{Role, Symbol, SymbolInfo};
pub use tree::Tree;
