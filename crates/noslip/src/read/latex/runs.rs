//! Letters that stand together, made into words before anything is read.

use super::super::notation::{Meaning, Notation};
use super::lex::{Token, Word};
use super::names::{ACCENTS, FONTS, dots};
use super::operands::FUNCTIONS;
use crate::error::{Error, Result, Span};

/// Letters that stand together are a product, unless they are one name of the model. What may be both is refused, and so is a
/// function without its backslash. Cuts `\frac12` as TeX does.
pub(super) fn join(words: Vec<Word>, notation: &Notation) -> Result<Vec<Word>> {
    let mut list: Vec<Word> = Vec::with_capacity(words.len());
    let mut at = 0;
    while let Some((token, span)) = words.get(at) {
        let start = at;
        match (token, words.get(at + 1)) {
            // Letters of indices and of words in one type belong together as they are.
            (Token::Sign('_'), _) => at = past_argument(&words, at),
            (Token::Command(c), _) if FONTS.contains(&c.as_str()) => at = past_argument(&words, at),
            (Token::Command(c), Some((Token::Number(n), place))) if c == "frac" && n.len() > 1 && !n.contains('.') => {
                let cut = place.start + 1;
                list.push(words[at].clone());
                list.push((Token::Number(n[..1].into()), place.start..cut));
                list.push((Token::Number(n[1..].into()), cut..place.end));
                at += 2;
                continue;
            }
            // TeX gives one letter to what takes an argument: `\frac ab`, `x^ab`, `\dot xy`.
            (Token::Letter(c), _) if c.len() == 1 && takes_one(&list) => at += 1,
            (Token::Letter(c), _) if c.len() == 1 => {
                let (mut text, mut end) = (c.clone(), span.end);
                at += 1;
                while let Some((Token::Letter(c), span)) = words.get(at)
                    && c.len() == 1
                    && span.start == end
                {
                    text.push_str(c);
                    end = span.end;
                    at += 1;
                }
                if is_name(&text, span.start..end, words.get(at), notation)? {
                    list.push((Token::Letter(text), span.start..end));
                    continue;
                }
            }
            _ => at += 1,
        }
        list.extend_from_slice(&words[start..at]);
    }
    Ok(list)
}

/// Does the next word belong to the one before it, alone?
fn takes_one(before: &[Word]) -> bool {
    let command =
        |w: Option<&Word>, names: &[&str]| matches!(w, Some((Token::Command(c), _)) if names.contains(&c.as_str()));
    let mut back = before.iter().rev();
    let last = back.next();
    match last {
        Some((Token::Sign('^'), _)) => true,
        Some((Token::Command(c), _)) if dots(c).is_some() => true,
        Some((Token::Letter(_) | Token::Number(_), _)) if command(back.next(), &["frac"]) => true,
        _ => command(last, &["frac", "sqrt"]) || command(last, &ACCENTS),
    }
}

/// Where the argument of the word at a place ends.
fn past_argument(words: &[Word], at: usize) -> usize {
    let mut end = at + 1;
    let mut depth = 0usize;
    while let Some((token, _)) = words.get(end) {
        end += 1;
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth = depth.saturating_sub(1),
            Token::Command(c) if FONTS.contains(&c.as_str()) => continue,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    end
}

/// Are these letters one name?
fn is_name(text: &str, span: Span, next: Option<&Word>, notation: &Notation) -> Result<bool> {
    if text.len() < 2 {
        return Ok(false);
    }
    if let Some((name, _)) = FUNCTIONS.iter().find(|(name, _)| text.starts_with(name)) {
        let apart: Vec<String> = name.chars().map(String::from).collect();
        return Err(Error::input(format!("`{name}` without a backslash is a product of letters"))
            .at(span)
            .hint(format!("write `\\{name}`, or `{}` for the product", apart.join(" "))));
    }
    let known = |text: String| matches!(notation.look_up(&[text]), Meaning::One(..));
    if matches!(next, Some((Token::Sign('_'), _))) || !known(text.to_owned()) {
        return Ok(false);
    }
    if text.chars().all(|c| known(c.to_string())) {
        return Err(Error::input(format!("`{text}` is a name of this model, and also a product of its letters"))
            .at(span)
            .hint(format!("write `\\mathit{{{text}}}` for the name, or spaces between the letters")));
    }
    Ok(true)
}
