//! Expressions: an interned DAG over exact rationals, with everything the rest of the library does to them.

pub mod ansatz;
mod arena;
mod build;
mod differentiate;
pub mod enclosure;
mod eval;
mod factors;
pub mod field;
mod gradient;
mod known;
mod lex;
mod matrix;
pub mod normal;
mod number;
mod parse;
pub mod poly;
mod print;
mod readable;
mod scope;
mod simplify;
mod substitute;
mod suggest;
mod symbol;
mod tree;
mod turning;
mod work;
pub mod zero;

pub(crate) use lex::{decimal, greek, names_in};
pub(crate) use print::greek_letter;
pub(crate) use simplify::{bases, operations, written_out};

pub use arena::{Arena, Expr, Function, Node, TableId};
pub use eval::{Assignment, Evaluator};
pub use factors::factors;
pub use known::{Known, Witness};
pub use matrix::{Matrix, transpose};
pub use number::Rational;
pub use parse::{parse_equation, parse_expression};
pub use print::{Printer, Style};
pub use readable::{Readable, Scale, readable, readable_equation};
pub use scope::{Callable, Declared, NameError, Scope};
pub use simplify::simplify;
pub use suggest::closest;
pub use symbol::{Role, Symbol, SymbolInfo};
pub use tree::Tree;
pub use work::{Allowance, NOT_DECIDED, Work};
