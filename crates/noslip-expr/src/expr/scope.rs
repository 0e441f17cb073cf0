//! What names in an expression mean is decided by the place where it stands.

use super::arena::{Arena, Expr, Function, TableId};
use super::near_miss;
use super::suggest::closest;
use super::symbol::{Role, Symbol};
use crate::error::{Error, ErrorKind, Result, Span};

/// Why a name cannot be used where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// Wrong input, or a limit.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl NameError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> NameError {
        NameError { kind: ErrorKind::Input, message: message.into(), hint: None }
    }

    /// Adds a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> NameError {
        self.hint = Some(hint.into());
        self
    }

    /// "unknown `what` `name`", with the nearest of the names that would have been right.
    pub fn unknown<'a>(what: &str, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> NameError {
        match closest(name, candidates) {
            Some(near) => NameError::new(format!("unknown {what} `{name}`; did you mean `{near}`?")),
            None => NameError::new(format!("unknown {what} `{name}`")),
        }
    }

    /// The error with its place.
    pub fn at(self, span: Span) -> Error {
        Error { hint: self.hint, ..Error::new(self.kind, self.message).at(span) }
    }
}

/// Something that is written with arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Callable {
    /// A function of one argument.
    Function(Function),
    /// `sqrt(x)`.
    Sqrt,
    /// `atan2(y, x)`.
    Atan2,
    /// A table of data.
    Table(TableId),
    /// A function of the model, by a number of its own scope, with the number of its arguments.
    Named(u32, usize),
    /// `diff(e, x)`: the partial derivative of an expression by a symbol.
    Diff,
}

impl Callable {
    /// The functions every model knows.
    pub fn built_in(name: &str) -> Option<Callable> {
        match name {
            "sqrt" => Some(Callable::Sqrt),
            "atan2" => Some(Callable::Atan2),
            "diff" => Some(Callable::Diff),
            _ => Function::by_name(name).map(Callable::Function),
        }
    }

    /// The names of [`Callable::built_in`].
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        Function::ALL.into_iter().map(Function::name).chain(["sqrt", "atan2", "diff"])
    }

    pub(super) fn arguments(self) -> usize {
        match self {
            Callable::Atan2 | Callable::Diff => 2,
            Callable::Named(_, arguments) => arguments,
            _ => 1,
        }
    }
}

/// What names mean in the place where an expression stands.
pub trait Scope {
    /// The meaning of `name` with that many primes.
    fn name(&mut self, arena: &mut Arena, name: &str, primes: u8) -> Result<Expr, NameError>;

    /// The highest time derivative that may stand here.
    fn highest_derivative(&self) -> u8 {
        2
    }

    /// Is this the name of something without arguments? Only asked to choose a better message.
    fn knows(&self, arena: &Arena, name: &str) -> bool {
        arena.lookup(name).is_some()
    }

    /// Told at the end how much work the expression was, in the units of [`crate::Limits::parse_work`].
    fn spent(&mut self, _work: u64) {}

    /// A function of the model ([`Callable::Named`]), or one of its derivatives by its only argument, of these arguments.
    fn apply(&mut self, _: &mut Arena, _function: u32, _primes: u8, _arguments: &[Expr]) -> Result<Expr, NameError> {
        Err(NameError::unknown("function", "", []))
    }

    /// The partial derivative of an expression by a symbol.
    fn partial(&mut self, arena: &mut Arena, e: Expr, s: Symbol) -> Result<Expr, NameError> {
        Ok(arena.diff(e, s))
    }

    /// Names of tables, for suggestions.
    fn tables(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The function of that name: by default the usual ones.
    fn function(&mut self, arena: &Arena, name: &str) -> Result<Callable, NameError> {
        self.usual_function(arena, name)
    }

    /// The built-in functions and the arena's tables.
    fn usual_function(&mut self, arena: &Arena, name: &str) -> Result<Callable, NameError> {
        if let Some(callable) = Callable::built_in(name) {
            return Ok(callable);
        }
        if let Some(table) = arena.lookup_table(name) {
            return Ok(Callable::Table(table));
        }
        if self.knows(arena, name) {
            return Err(NameError::new(format!("`{name}` is not a function"))
                .hint(format!("a product is written with `*`: `{name}*(...)`")));
        }
        let error = match other_name(name) {
            Some(other) => NameError::new(format!("unknown function `{name}`; did you mean `{other}`?")),
            None => {
                let mut known: Vec<&str> = Callable::built_in_names().collect();
                known.extend(self.tables());
                NameError::unknown("function", name, known)
            }
        };
        if let Some(hint) = near_miss::function(name) {
            return Err(NameError::new(format!("unknown function `{name}`")).hint(hint));
        }
        Err(error.hint(
            "functions are sin cos tan cot sec csc asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign diff",
        ))
    }
}

/// Functions under the names other languages and other countries give them.
fn other_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "ln" => "log",
        "arcsin" => "asin",
        "arccos" => "acos",
        "arctan" | "arctg" => "atan",
        "tg" => "tan",
        "ctg" => "cot",
        "sh" => "sinh",
        "ch" => "cosh",
        "th" => "tanh",
        "sgn" => "sign",
        "cosec" => "csc",
        _ => return None,
    })
}

/// A [`Scope`] of all symbols that have been declared in the arena, with their time derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Declared;

impl Scope for Declared {
    fn name(&mut self, arena: &mut Arena, name: &str, primes: u8) -> Result<Expr, NameError> {
        let Some(mut symbol) = arena.lookup(name) else {
            let known: Vec<&str> = arena.symbols().map(|s| arena.name(s)).filter(|n| !n.contains('\'')).collect();
            return Err(NameError::unknown("name", name, known));
        };
        for _ in 0..primes {
            match arena.role(symbol) {
                Role::Constant | Role::Parameter | Role::Time => {
                    return Err(NameError::new(format!("`{name}` does not vary, so `{name}'` has no meaning")));
                }
                _ => symbol = arena.dot(symbol),
            }
        }
        Ok(arena.symbol(symbol))
    }
}
