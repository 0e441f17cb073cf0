//! What is printed: a tree in which every sign, bracket and fraction bar stands where a person will see it.
//!
//! The DAG is for computing and the normal form for proofs; both are turned into a [`Tree`] to be read. All
//! printers and the measure [`Tree::operations`] work on trees.

use super::arena::{Function, TableId};
use super::number::Rational;
use super::symbol::Symbol;

/// A presentation of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A non-negative rational number.
    Number(Rational),
    /// A symbol.
    Symbol(Symbol),
    /// Minus something that is not itself a term of a sum.
    Negative(Box<Tree>),
    /// Terms in the order in which they are printed, each with the sign in front of it (`true`: minus).
    Sum(Vec<(bool, Tree)>),
    /// Factors in the order in which they are printed.
    Product(Vec<Tree>),
    /// numerator / denominator.
    Quotient(Box<Tree>, Box<Tree>),
    /// base ^ exponent.
    Power(Box<Tree>, Box<Tree>),
    /// Square root.
    Sqrt(Box<Tree>),
    /// A function of one argument.
    Call(Function, Box<Tree>),
    /// atan2(y, x).
    Atan2(Box<Tree>, Box<Tree>),
    /// The given derivative of a table at an argument.
    Table(TableId, u8, Box<Tree>),
    /// Division by zero.
    Undefined,
}
