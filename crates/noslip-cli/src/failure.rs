//! How a command ends when it does not end well.

use noslip::model::render;
use noslip::{Error, ErrorKind, Remedy};

/// A message for standard error, and the exit status.
#[derive(Debug)]
pub struct Failure {
    /// 1 the answer is no, 2 the input is wrong, 3 the computation could not be done.
    pub status: u8,
    /// What to tell; may be empty where the answer has been printed already.
    pub message: String,
}

impl Failure {
    /// Errors of a text, each with its place in it; `name` is that of the file, or of the option that gives the text.
    pub fn at(errors: &[Error], name: &str, text: &str) -> Failure {
        let status = if errors.iter().any(|e| e.kind == ErrorKind::Input) { 2 } else { 3 };
        let shown: Vec<String> = errors.iter().map(|e| render(e, name, text)).collect();
        Failure { status, message: shown.join("\n") }
    }

    /// Wrong input.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure { status: 2, message: message.into() }
    }

    /// Could not be computed.
    pub fn computation(message: impl Into<String>) -> Failure {
        Failure { status: 3, message: message.into() }
    }

    /// Adds what to do.
    pub fn with_help(mut self, help: &str) -> Failure {
        self.message.push_str("\n  = help: ");
        self.message.push_str(help);
        self
    }

    /// The answer, already printed, is no.
    pub fn no() -> Failure {
        Failure { status: 1, message: String::new() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = if error.kind == ErrorKind::Input { 2 } else { 3 };
        let mut message = format!("error: {}", error.message);
        let remedy = error.remedy.as_deref().map(in_options);
        if let Some(hint) = remedy.or(error.hint) {
            message.push_str("\n  = help: ");
            message.push_str(&hint);
        }
        Failure { status, message }
    }
}

/// What to do, in options of the command line.
fn in_options(remedy: &Remedy) -> String {
    match remedy {
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
    }
}

/// What commands return.
pub type Outcome = Result<(), Failure>;
