//! What several commands take from the command line, and how its texts are read.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use noslip::expr::Rational;
use noslip::simulate::{METHODS, Method};
use noslip::{Error, Result};

/// Text for a person, or one JSON document.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a person
    Text,
    /// One JSON document
    Json,
}

/// How to answer on the terminal.
#[derive(Args)]
pub struct FormatArgs {
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    format: Format,
}

impl FormatArgs {
    /// Is the answer for a program?
    pub fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// A model and values that replace those of the file.
#[derive(Args)]
pub struct ModelArgs {
    /// Model file, `-` for standard input, or the name of a gallery model
    pub model: String,
    /// Replace a parameter; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Replace an initial value: x=1, "x'=2", phi=pi/6, t=0; may be repeated
    #[arg(long = "initial", value_name = "NAME=VALUE")]
    pub initial: Vec<String>,
    /// How hard to try before an answer is left open: low, normal, high
    #[arg(long, value_enum, default_value = "normal", value_name = "HOW", hide_possible_values = true)]
    pub effort: EffortArg,
}

/// `--effort`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EffortArg {
    /// A quarter of the work
    Low,
    /// Answers in seconds
    #[default]
    Normal,
    /// Sixteen times the work
    High,
}

impl From<EffortArg> for noslip::Effort {
    fn from(effort: EffortArg) -> noslip::Effort {
        match effort {
            EffortArg::Low => noslip::Effort::Low,
            EffortArg::Normal => noslip::Effort::Normal,
            EffortArg::High => noslip::Effort::High,
        }
    }
}

/// The methods of integration, by their names.
fn method() -> impl TypedValueParser<Value = &'static Method> {
    let known = METHODS.iter().map(|m| PossibleValue::new(m.card.id).help(m.card.name).aliases(m.card.aliases));
    PossibleValuesParser::new(known).map(|name| Method::by_id(&name).unwrap_or(METHODS[0]))
}

/// How far to run, and how.
#[derive(Args, Default)]
pub struct RunArgs {
    /// End time; the model's own if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Times at which to report, separated by commas
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', value_parser = finite, allow_hyphen_values = true)]
    pub at: Vec<f64>,
    /// Number of evenly spaced samples (101)
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub samples: Option<usize>,
    /// Relative and absolute tolerance (1e-9)
    #[arg(long, value_name = "R", value_parser = finite, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// `dop853` (default), `taylor` (for high precision), `implicit` (for stiff forces) or `dla` (discrete
    /// Lagrange–d'Alembert, fixed step)
    #[arg(long, value_parser = method(), hide_possible_values = true)]
    pub method: Option<&'static Method>,
    /// Fixed step; `dla` has no other
    #[arg(long, value_name = "H", value_parser = finite, allow_hyphen_values = true)]
    pub step: Option<f64>,
    /// Stop when an expression crosses zero, or where an equation holds; may be repeated
    #[arg(long = "stop", value_name = "EXPR", allow_hyphen_values = true)]
    pub stops: Vec<String>,
    /// Most steps to take
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub max_steps: Option<u64>,
}

/// A number that can be computed with: `NaN` and `inf` are also numbers to the standard library.
pub fn finite(text: &str) -> std::result::Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        _ => Err("expected a finite number such as 2.5 or 1e-9".to_owned()),
    }
}

/// An exact number as a command line gives it: `-1.5e-3` or `2/3`.
pub fn number(text: &str) -> Option<Rational> {
    if let Some((n, d)) = text.split_once('/') {
        return number(n.trim())?.checked_div(&number(d.trim())?);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.chars().all(|c| c.is_ascii_digit() || ".eE+-".contains(c));
    let small_exponent = digits.split(['e', 'E']).nth(1).is_none_or(|x| x.parse::<i32>().is_ok_and(|x| x.abs() < 5000));
    let value = if plain && small_exponent { Rational::parse_decimal(digits)? } else { return None };
    Some(if negative { -value } else { value })
}

/// Splits `NAME=REST`.
pub fn named<'a>(option: &str, text: &'a str) -> Result<(&'a str, &'a str)> {
    match text.split_once('=') {
        Some((name, rest)) if !name.trim().is_empty() && !rest.trim().is_empty() => Ok((name.trim(), rest.trim())),
        _ => Err(Error::input(format!("`{option} {text}`: expected NAME=VALUE"))),
    }
}

/// "unknown … `x`", with a suggestion; `place` says where it was given.
pub fn unknown(place: &str, what: &str, name: &str, known: &[&str]) -> Error {
    let error = Error::input(format!("{place}unknown {what} `{name}`"));
    error.hint(match noslip::expr::closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        // A list that nobody reads helps nobody.
        None if known.len() > 60 => format!("there are {}", known.len()),
        None if known.is_empty() => "there is none".to_owned(),
        None => format!("known: {}", known.join(", ")),
    })
}
