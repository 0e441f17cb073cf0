//! How a command ends when it does not end well.

use noslip::model::{line_and_column, render};
use noslip::{Error, ErrorKind, Remedy};
use noslip_cli::answers::{Problem, Refusal};
use std::fmt;

/// Why a command ends: errors, or the answer, already printed, that it is no.
#[derive(Debug)]
pub struct Failure {
    errors: Vec<Error>,
    source: Option<Source>,
}

/// The text in which errors have their places.
#[derive(Debug)]
struct Source {
    /// Name of the file, or the option that gives the text.
    name: String,
    text: String,
}

impl Failure {
    /// Errors of a text, each with its place in it; `name` is that of the file, or of the option that gives the text.
    pub fn at(errors: &[Error], name: &str, text: &str) -> Failure {
        Failure { errors: errors.to_vec(), source: Some(Source { name: name.to_owned(), text: text.to_owned() }) }
    }

    /// Several errors that have no place in a text.
    pub fn several(errors: Vec<Error>) -> Failure {
        Failure { errors, source: None }
    }

    /// The answer, already printed, is no.
    pub fn no() -> Failure {
        Failure::several(Vec::new())
    }

    /// 1 the answer is no, 2 the input is wrong, 3 the computation could not be done.
    pub fn status(&self) -> u8 {
        match &self.errors[..] {
            [] => 1,
            errors if errors.iter().any(|e| e.kind == ErrorKind::Input) => 2,
            _ => 3,
        }
    }

    /// The sort of failure; nothing where the answer has been printed already.
    pub fn kind(&self) -> Option<ErrorKind> {
        let input = self.errors.iter().find(|e| e.kind == ErrorKind::Input);
        input.or(self.errors.first()).map(|e| e.kind)
    }

    /// What to tell a person; empty where the answer has been printed already.
    pub fn rendered(&self) -> String {
        let shown = self.errors.iter().map(|e| match &self.source {
            Some(source) => render(e, &source.name, &source.text),
            None => match hint(e) {
                Some(hint) => format!("error: {}\n  = help: {hint}", e.message),
                None => format!("error: {}", e.message),
            },
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    /// The same for a program.
    pub fn refusal(&self) -> Refusal {
        let text = self.source.as_ref().map(|s| s.text.as_str());
        Refusal {
            file: self.source.as_ref().map(|s| s.name.clone()),
            errors: self.errors.iter().map(|e| problem(e, text)).collect(),
        }
    }
}

/// In one line, as part of another message.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.errors.iter().map(|e| match hint(e) {
            Some(hint) => format!("{} ({hint})", e.message),
            None => e.message.clone(),
        });
        f.write_str(&all.collect::<Vec<_>>().join("; "))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::several(vec![error])
    }
}

/// An error for a program; its place is that in the text.
pub fn problem(error: &Error, text: Option<&str>) -> Problem {
    let place = text.zip(error.span.as_ref());
    let place =
        place.map(|(text, span)| (line_and_column(text, span.start), line_and_column(text, span.end.max(span.start))));
    Problem {
        message: error.message.clone(),
        line: place.map(|((line, _), _)| line),
        column: place.map(|((_, column), _)| column),
        end_line: place.map(|(_, (line, _))| line),
        end_column: place.map(|(_, (_, column))| column),
        hint: hint(error),
    }
}

/// What to do, in options of the command line where the library leaves the words to us.
fn hint(error: &Error) -> Option<String> {
    let Some(remedy) = error.remedy.as_deref() else { return error.hint.clone() };
    Some(match remedy {
        Remedy::Tolerance => "give for example --tolerance 1e-9".into(),
        Remedy::Step => "give --step H".into(),
        Remedy::Method(able) => {
            let options: Vec<String> = able.iter().map(|id| format!("--method {id}")).collect();
            format!("give {}", options.join(" or "))
        }
        Remedy::LaterEnd => "give a later --until".into(),
        Remedy::EarlierEnd => "give an earlier --until; `noslip simulate` says more".into(),
        Remedy::InitialState => "give another initial state with --initial".into(),
        Remedy::Friction => {
            "change the law, a coefficient of friction with --set, or the initial state with --initial".into()
        }
        Remedy::Multipliers => "give μ by numbers, --mu CONSTRAINT=VALUE".into(),
        Remedy::Side => "give --quadrilateral 0.1".into(),
    })
}

/// What commands return.
pub type Outcome = Result<(), Failure>;
