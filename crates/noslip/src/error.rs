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
}

/// Result with the library's error.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// A new error of the given kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), span: None, label: None, hint: None }
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
