//! What means something to TeX alone: the environment around a formula, and commands its author has made.

use super::lex::{Token, Word, words};

/// Environments that display formulas.
pub(in crate::read) const DISPLAYS: [&str; 10] =
    ["equation", "align", "gather", "multline", "eqnarray", "flalign", "displaymath", "alignat", "dmath", "empheq"];
/// Others that may stand around a whole formula: in a line of text, or inside a display.
const INNER: [&str; 6] = ["math", "subequations", "aligned", "alignedat", "gathered", "split"];

/// Words that a command of an author may stand for.
const LENGTH: usize = 300;

/// The inside of `$…$` or `$$…$$`, and where it begins.
pub(super) fn undollared(text: &str) -> (&str, usize) {
    let trimmed = text.trim();
    let inside = ["$$", "$"].iter().find_map(|d| trimmed.strip_prefix(d)?.strip_suffix(d));
    match inside {
        Some(inside) if !inside.contains('$') => (inside, inside.as_ptr() as usize - text.as_ptr() as usize),
        _ => (text, 0),
    }
}

/// A formula without what stands around the whole of it.
pub(super) fn unwrapped(mut list: Vec<Word>) -> Vec<Word> {
    while let Some((inside, end)) = inside(&list) {
        list.truncate(end);
        list.drain(..inside);
    }
    list
}

/// Where the inside begins and ends.
fn inside(list: &[Word]) -> Option<(usize, usize)> {
    let first = list.iter().position(|w| w.0 != Token::Gap)?;
    let ends = |w: &Word| matches!(w.0, Token::Gap | Token::Break | Token::Sign('.' | ',' | ';'));
    let end = list.len() - list.iter().rev().take_while(|w| ends(w)).count();
    let Token::Command(opening) = &list[first].0 else { return None };
    let closes = |name: &str| list[..end].last().is_some_and(|w| w.0 == Token::Command(name.into()));
    match opening.as_str() {
        "[" if closes("]") => Some((first + 1, end - 1)),
        "(" if closes(")") => Some((first + 1, end - 1)),
        "boxed" => {
            let close = closing(list, first + 1, &Token::Sign('{'), &Token::Sign('}'))?;
            (close + 1 == end).then_some((first + 2, close))
        }
        "begin" => {
            let (name, mut from) = environment(list, first + 1)?;
            let bare = name.trim_end_matches('*');
            let (begin, close) = (Token::Command("begin".into()), Token::Command("end".into()));
            let close = closing(list, first, &begin, &close)?;
            let (other, behind) = environment(list, close + 1)?;
            let known = DISPLAYS.contains(&bare) || INNER.contains(&bare);
            if !known || other != name || behind != end {
                return None;
            }
            if bare.starts_with("alignat") || bare == "alignedat" {
                from = closing(list, from, &Token::Sign('{'), &Token::Sign('}'))? + 1;
            }
            (from <= close).then_some((from, close))
        }
        _ => None,
    }
}

/// The place of the word that closes what opens at a place.
fn closing(list: &[Word], open: usize, opening: &Token, close: &Token) -> Option<usize> {
    let mut depth = 0usize;
    for (i, (token, _)) in list.iter().enumerate().skip(open) {
        depth += usize::from(token == opening);
        if token == close {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return (i > open).then_some(i);
        }
    }
    None
}

/// The name in `{name}` at a place, and what follows it.
fn environment(list: &[Word], at: usize) -> Option<(String, usize)> {
    let close = closing(list, at, &Token::Sign('{'), &Token::Sign('}'))?;
    let mut name = String::new();
    for (token, _) in &list[at + 1..close] {
        match token {
            Token::Letter(c) => name.push_str(c),
            Token::Sign('*') => name.push('*'),
            _ => return None,
        }
    }
    Some((name, close + 1))
}

/// Commands that an author has made, and the words they stand for; nothing for those that are not read.
#[derive(Clone, Debug, Default)]
pub(in crate::read) struct Macros(Vec<(String, Option<Vec<Token>>)>);

impl Macros {
    /// `\newcommand{\name}{body}`; `body` is nothing where the command has arguments.
    pub(in crate::read) fn define(&mut self, name: &str, body: Option<&str>) {
        let body = body.and_then(|body| {
            let list = self.expanded(words(body, 0).ok()?);
            (one_piece(&list) && list.len() <= LENGTH).then(|| list.into_iter().map(|w| w.0).collect())
        });
        match self.0.iter_mut().find(|(known, _)| known == name) {
            // What a command stands for must not depend on the place.
            Some((_, known)) if *known != body => *known = None,
            Some(_) => {}
            None => self.0.push((name.to_owned(), body)),
        }
    }

    /// The words with all commands of the author replaced; what they stand for stands where they stand.
    pub(super) fn expanded(&self, list: Vec<Word>) -> Vec<Word> {
        if self.0.is_empty() {
            return list;
        }
        let mut found = Vec::with_capacity(list.len());
        for (token, span) in list {
            let name = match &token {
                Token::Command(name) => name,
                Token::Letter(name) if name.len() > 1 => name,
                _ => {
                    found.push((token, span));
                    continue;
                }
            };
            match self.0.iter().find(|(known, _)| known == name) {
                None => found.push((token, span)),
                Some((_, Some(body))) => found.extend(body.iter().map(|token| (token.clone(), span.clone()))),
                Some((_, None)) => found.push((Token::Own(name.clone()), span)),
            }
        }
        found
    }
}

/// Factors only: a term or an equation inside a command would have no place of its own in the text.
fn one_piece(list: &[Word]) -> bool {
    let mut depth = 0i32;
    list.iter().all(|(token, _)| {
        match token {
            Token::Sign('{' | '(' | '[' | '⟨') => depth += 1,
            Token::Sign('}' | ')' | ']' | '⟩') => depth -= 1,
            _ => {}
        }
        let parts =
            matches!(token, Token::Sign('+' | '-' | '=' | ',' | ';') | Token::Align | Token::Break | Token::Wide);
        depth >= 0 && !(parts && depth == 0) && !matches!(token, Token::Own(_))
    }) && depth == 0
}
