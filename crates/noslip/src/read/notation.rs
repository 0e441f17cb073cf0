//! Whose letter is whose: names of an author's text and names of the model.
//!
//! A letter with its indices is looked up, in this order: in what the author said; among the names of the model and the
//! letters its `[display]` gives them; without regard to the variant of a Greek letter (φ and ϕ); without regard to where an
//! index begins (`I_p` and `Ip`); and λ with a number is the multiplier of that constraint. The first of these that finds one
//! name has found it; two names are an ambiguity, which is refused. Everything that was looked up is kept, to be shown.

use super::tree::Shown;
use crate::model::{Kind, Model};

/// What led from the author's letter to the model's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The author said so.
    Given,
    /// It is the same name, or the letter that the model displays.
    Same,
    /// It is the same but for the variant of a Greek letter.
    Variant,
    /// It is the same but for where the index begins.
    Spelling,
    /// By the number of the constraint.
    Number,
}

/// A line of the table of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// As the author writes it.
    pub shown: Shown,
    /// In the model.
    pub name: String,
    /// What led from one to the other.
    pub why: Why,
}

/// What a name of an author stands for.
pub(super) enum Meaning {
    /// One name of the model.
    One(String, Kind),
    /// One of several.
    Several(Vec<String>),
    /// Nothing that is known.
    Unknown,
}

/// The table of names.
#[derive(Clone, Debug, Default)]
pub struct Notation {
    given: Vec<(Vec<String>, String)>,
    /// Names of the model, what they are, and the letters they are known by.
    names: Vec<(String, Kind, Vec<Vec<String>>)>,
    used: Vec<Line>,
    /// Commands that the author of a file has made.
    pub(super) macros: super::latex::Macros,
}

impl Notation {
    /// The names of a model, before anything is said about them.
    pub fn new(model: &Model) -> Notation {
        Notation::of(model.vocabulary(), &model.system.display)
    }

    /// The same for names that are not all of one model, and the LaTeX some of them are displayed by.
    pub fn of(names: impl IntoIterator<Item = (String, Kind)>, display: &[(String, String)]) -> Notation {
        let names = names.into_iter().map(|(name, kind)| {
            let mut letters = vec![split(std::slice::from_ref(&name))];
            let latex = display.iter().find(|(of, _)| *of == name);
            letters.extend(latex.and_then(|(_, latex)| super::latex::letter(latex)).map(|parts| split(&parts)));
            (name, kind, letters)
        });
        Notation { names: names.collect(), ..Notation::default() }
    }

    /// Says what a letter stands for.
    pub(super) fn give(&mut self, parts: Vec<String>, name: String, kind: Kind) {
        self.given.retain(|(known, _)| *known != parts);
        self.given.push((parts, name.clone()));
        if !self.names.iter().any(|(known, ..)| *known == name) {
            self.names.push((name, kind, Vec::new()));
        }
    }

    /// Is this a name of the model?
    pub(super) fn kind(&self, name: &str) -> Option<Kind> {
        self.names.iter().find(|(known, ..)| known == name).map(|(_, kind, _)| *kind)
    }

    /// Has the author said what this stands for?
    pub(super) fn is_given(&self, parts: &[String]) -> bool {
        self.given.iter().any(|(known, _)| known == parts)
    }

    /// The names that were used, in the order of their first appearance.
    pub fn used(&self) -> &[Line] {
        &self.used
    }

    /// All names of the model, for suggestions.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, ..)| name.as_str())
    }

    /// What a letter with its indices stands for.
    pub(super) fn look_up(&self, parts: &[String]) -> Meaning {
        match self.find(parts) {
            Ok(Some((name, kind, _))) => Meaning::One(name, kind),
            Ok(None) => Meaning::Unknown,
            Err(several) => Meaning::Several(several),
        }
    }

    /// Keeps a line of the table for a name that has been found.
    pub(super) fn note(&mut self, shown: &Shown) {
        if let Ok(Some((name, _, why))) = self.find(&shown.parts)
            && !self.used.iter().any(|line| line.name == name && line.shown.parts == shown.parts)
        {
            self.used.push(Line { shown: shown.clone(), name, why });
        }
    }

    fn find(&self, parts: &[String]) -> Result<Option<(String, Kind, Why)>, Vec<String>> {
        if let Some((_, name)) = self.given.iter().find(|(known, _)| known == parts) {
            return Ok(self.kind(name).map(|kind| (name.clone(), kind, Why::Given)));
        }
        let own = split(parts);
        let rules: [(Why, fn(&[String]) -> String); 3] = [
            (Why::Same, |p| p.join("_")),
            (Why::Variant, |p| plain(p).join("_")),
            (Why::Spelling, |p| plain(p).concat().replace('_', "")),
        ];
        for (why, key) in rules {
            let wanted = key(&own);
            let fits = |letters: &[Vec<String>]| letters.iter().any(|l| key(l) == wanted);
            let found: Vec<_> = self.names.iter().filter(|(_, _, letters)| fits(letters)).collect();
            match &found[..] {
                [] => {}
                [(name, kind, _)] => return Ok(Some((name.clone(), *kind, why))),
                several => return Err(several.iter().map(|(name, ..)| name.clone()).collect()),
            }
        }
        Ok(self.multiplier(&own))
    }

    /// λ₂ is the multiplier of the second constraint, and λ that of the only one.
    fn multiplier(&self, parts: &[String]) -> Option<(String, Kind, Why)> {
        if !matches!(parts.first()?.as_str(), "lambda" | "Lambda" | "lam") {
            return None;
        }
        let multipliers: Vec<&String> =
            self.names.iter().filter(|(_, kind, _)| *kind == Kind::Multiplier).map(|(name, ..)| name).collect();
        let index = match &parts[1..] {
            [] if multipliers.len() == 1 => 0,
            [number] => number.parse::<usize>().ok()?.checked_sub(1)?,
            _ => return None,
        };
        Some(((*multipliers.get(index)?).clone(), Kind::Multiplier, Why::Number))
    }
}

/// Parts at underscores, and digits at the end of letters apart from them: `theta1_C` → theta, 1, C.
fn split(parts: &[String]) -> Vec<String> {
    let mut list = Vec::new();
    for word in parts.iter().flat_map(|p| p.split('_')).filter(|w| !w.is_empty()) {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if letters.is_empty() || letters.len() == word.len() {
            list.push(word.to_owned());
        } else {
            list.extend([letters.to_owned(), word[letters.len()..].to_owned()]);
        }
    }
    list
}

/// Variants of Greek letters made equal.
fn plain(parts: &[String]) -> Vec<String> {
    let one = |p: &String| match p.as_str() {
        "varepsilon" | "vartheta" | "varkappa" | "varpi" | "varrho" | "varsigma" | "varphi" => p[3..].to_owned(),
        "ell" => "l".to_owned(),
        _ => p.clone(),
    };
    parts.iter().map(one).collect()
}
