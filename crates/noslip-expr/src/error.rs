//! One error type for the whole library: what kind, what, where, why, and what to do.

use std::fmt;
use std::ops::Range;

/// Byte range in the source text it belongs to.
pub type Span = Range<usize>;

/// The sort of failure; it decides the program's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The input is wrong (exit status 2).
    Input,
    /// The question makes sense but cannot be answered for this model, e.g. a form does not apply (exit status 3).
    NotApplicable,
    /// A limit of [`crate::limits::Limits`] was reached (exit status 3).
    Limit,
    /// A computation failed: singular system, non-finite value (exit status 3).
    Computation,
    /// Somebody asked the computation to end, see [`Control`](crate::Control) (exit status 3).
    Cancelled,
}

/// An error with everything a person needs to act on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The sort of failure.
    pub kind: ErrorKind,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where: bytes of the source text the message speaks of (the whole file once a loader has mapped it).
    pub span: Option<Span>,
    /// A short text for the caret line.
    pub label: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// What to do about it, where whoever asked knows better how to say it.
    pub remedy: Option<Box<Remedy>>,
}

/// What would help, for programs that have their own words (options, fields, buttons) for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A tolerance between 0 and 1.
    Tolerance,
    /// A step greater than zero.
    Step,
    /// One of these methods of integration.
    Method(Vec<&'static str>),
    /// A later end of the motion.
    LaterEnd,
    /// An earlier end of the motion; a simulation tells how far it comes.
    EarlierEnd,
    /// Another initial state.
    InitialState,
    /// Another law of friction, other coefficients or another initial state.
    Friction,
    /// Numbers for the multipliers μ of vakonomic motion.
    Multipliers,
    /// A length for the sides of a quadrilateral.
    Side,
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Remedy::Tolerance => "1e-9 is sensible",
            Remedy::Step => "give a step",
            Remedy::Method(able) => return write!(f, "take {}", able.join(" or ")),
            Remedy::LaterEnd => "give a later end",
            Remedy::EarlierEnd => "give an earlier end; a simulation tells more",
            Remedy::InitialState => "give another initial state",
            Remedy::Friction => "change the law, a coefficient of friction or the initial state",
            Remedy::Multipliers => "give the initial values of μ as numbers",
            Remedy::Side => "0.1 is sensible",
        })
    }
}

/// Result with the library's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A new error of the given kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), span: None, label: None, hint: None, remedy: None }
    }

    /// Wrong input.
    pub fn input(message: impl Into<String>) -> Error {
        Self::new(ErrorKind::Input, message)
    }

    /// Not applicable.
    pub fn not_applicable(message: impl Into<String>) -> Error {
        Self::new(ErrorKind::NotApplicable, message)
    }

    /// A limit was reached.
    pub fn limit(message: impl Into<String>) -> Error {
        Self::new(ErrorKind::Limit, message)
    }

    /// A computation failed.
    pub fn computation(message: impl Into<String>) -> Error {
        Self::new(ErrorKind::Computation, message)
    }

    /// Stopped from outside.
    pub fn cancelled() -> Error {
        Self::new(ErrorKind::Cancelled, "the computation was cancelled")
    }

    /// Says where.
    pub fn at(mut self, span: Span) -> Error {
        self.span = Some(span);
        self
    }

    /// Adds the text for the caret line.
    pub fn label(mut self, label: impl Into<String>) -> Error {
        self.label = Some(label.into());
        self
    }

    /// Adds what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what to do, in words of the library and as data.
    pub fn remedy(mut self, remedy: Remedy) -> Error {
        self.hint = Some(remedy.to_string());
        self.remedy = Some(Box::new(remedy));
        self
    }

    /// Moves the span by `offset` bytes, e.g. from a string into its file.
    pub fn shifted(mut self, offset: usize) -> Error {
        if let Some(span) = &mut self.span {
            *span = span.start + offset..span.end + offset;
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// All mistakes of a text at once, in its order, and what they look like to a person.
///
/// It is an error that works with `?`, and a list: `errors.iter()`.
#[derive(Clone, PartialEq, Eq)]
pub struct Errors {
    list: Vec<Error>,
    shown: String,
}

impl Errors {
    /// With the words in which a person should read them, for example beside the lines they speak of.
    pub fn shown(list: Vec<Error>, shown: String) -> Errors {
        Errors { list, shown }
    }
}

impl From<Vec<Error>> for Errors {
    fn from(list: Vec<Error>) -> Errors {
        let shown = list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        Errors { list, shown }
    }
}

impl FromIterator<Error> for Errors {
    fn from_iter<I: IntoIterator<Item = Error>>(errors: I) -> Errors {
        Errors::from(errors.into_iter().collect::<Vec<_>>())
    }
}

impl From<Error> for Errors {
    fn from(error: Error) -> Errors {
        Errors::from(vec![error])
    }
}

impl std::ops::Deref for Errors {
    type Target = [Error];

    fn deref(&self) -> &[Error] {
        &self.list
    }
}

impl IntoIterator for Errors {
    type Item = Error;
    type IntoIter = std::vec::IntoIter<Error>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// As people read them: a program whose `main` returns them prints this.
impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Errors {}
