//! The mathematics in the words of the page: names of the model, and expressions between backticks.

use super::{Page, strip};
use noslip::expr::{Declared, parse_equation, parse_expression};
use noslip::mechanics::Workbench;
use noslip::subjects::TERMS;
use noslip_cli::report::{Formula, ReportData};
use std::collections::BTreeMap;

/// Symbols of mechanics that no model has to declare.
const COMMON: [&str; 6] = ["T", "V", "N", "T°", "T*", "t"];

/// The words of the glossary that the sentences of the page use, each with the first sentence of its explanation.
pub(super) fn glossary(data: &ReportData) -> BTreeMap<String, String> {
    let all = data.classification.iter().chain(data.beyond.iter().flat_map(|t| &t.sentences));
    let text = all.fold(String::new(), |sum, s| sum + &s.to_lowercase() + "\n");
    let mut found = BTreeMap::new();
    for card in TERMS {
        for word in [&card.id].into_iter().chain(card.aliases) {
            let word = word.replace('-', " ");
            if text.contains(&word) {
                let about = card.about.replace('\n', " ");
                let end = about.find(". ").map_or(about.len(), |i| i + 1);
                found.insert(word, about[..end].trim().to_owned());
            }
        }
    }
    found
}

impl Page {
    /// What in the sentences of the page is mathematics, and how it is set.
    pub(super) fn vocabulary(&self, w: &mut Workbench, data: &ReportData) -> BTreeMap<String, Formula> {
        let mut found = BTreeMap::new();
        for text in texts(data) {
            for (i, part) in text.split('`').enumerate() {
                let quoted = i % 2 == 1;
                if quoted && let Some(formula) = self.expression(w, part) {
                    found.insert(part.to_owned(), formula);
                    continue;
                }
                for name in names(part).filter(|_| !quoted) {
                    if let Some(formula) = self.word(w, name) {
                        found.insert(name.to_owned(), formula);
                    }
                }
            }
        }
        found
    }

    /// An expression of the model; names of constraints are none.
    fn expression(&self, w: &mut Workbench, text: &str) -> Option<Formula> {
        if w.system.constraints.iter().any(|c| c.name == text) {
            return None;
        }
        let limits = w.limits.clone();
        if text.contains('=') {
            let (left, right) = parse_equation(&mut w.g, text, &mut Declared, &limits).ok()?;
            return Some(Formula::equals(&self.plain(w, left), &self.plain(w, right)));
        }
        let e = parse_expression(&mut w.g, text, &mut Declared, &limits).ok()?;
        Some(self.plain(w, e))
    }

    /// A word that is a name of the model. Words of English are not: `a`, `I`, and names that are printed as they are
    /// written.
    fn word(&self, w: &mut Workbench, word: &str) -> Option<Formula> {
        if ["a", "A", "I"].contains(&word) || w.system.constraints.iter().any(|c| c.name == word) {
            return None;
        }
        if word == "pi" {
            return Some(Formula::symbol("π"));
        }
        match w.g.lookup(word) {
            Some(s) => {
                let formula = self.symbol(w, s);
                let letters = format!("<mi>{word}</mi>");
                (word.len() == 1 || strip(&formula.mathml) != letters).then_some(formula)
            }
            None => COMMON.contains(&word).then(|| Formula::symbol(word)),
        }
    }
}

/// Everything on the page that is said in words.
fn texts(data: &ReportData) -> Vec<&String> {
    let mut list: Vec<&String> = data.description.iter().chain(&data.warnings).chain(&data.classification).collect();
    for form in &data.forms {
        list.extend(form.notes.iter().chain(form.objects.iter().map(|o| &o.name)));
        list.extend(form.alternatives.iter().map(|a| &a.title));
    }
    list.extend(data.not_applicable.iter().map(|f| &f.reason));
    for topic in &data.beyond {
        list.extend(topic.sentences.iter().chain(topic.formulas.iter().map(|f| &f.name)));
    }
    list.extend(data.scene.iter().filter_map(|s| s.view.caption.as_ref()));
    list
}

/// The names in a text, with their primes; an apostrophe before a letter is none, and what follows it no name.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_ascii_alphabetic())?;
        rest = &rest[start..];
        let plain = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let mut end = plain + rest[plain..].bytes().take_while(|&b| b == b'\'').count();
        if rest[end..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            end = plain;
        }
        if end == plain {
            end += rest[plain..].chars().next().filter(|c| "°*".contains(*c)).map_or(0, char::len_utf8);
        }
        let (name, after) = rest.split_at(end);
        let ending = after.strip_prefix('\'').filter(|more| more.starts_with(|c: char| c.is_ascii_alphabetic()));
        rest = ending.map_or(after, |more| more.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
        Some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_have_their_primes_and_words_their_apostrophes() {
        let found: Vec<&str> = names("the disk's phi_1' and x'', T° of (x, y): Lagrange's.").collect();
        assert_eq!(found, ["the", "disk", "phi_1'", "and", "x''", "T°", "of", "x", "y", "Lagrange"]);
    }
}
