//! Equations in other languages than the model's own: LaTeX as books print it, Python as SymPy prints it.
//!
//! An equation is read into the tree its author sees ([`Piece`]), every name looked up in a table ([`Notation`]), and written
//! out in the model's own syntax, which is what is verified and shown. What has two readings is refused, with the place: a
//! verdict on something the author did not write would be worth less than none.

mod latex;
mod mathml;
mod notation;
mod paper;
mod python;
mod tree;

pub use mathml::{mathml, name_mathml};
pub use notation::{Line, Notation, Why};
pub use paper::{Display, Item, Paper, PaperClaim, Section};
pub use tree::{Call, Join, Piece, Shown, What, Written};

use crate::error::{Error, Errors, Result, Span};
use crate::expr::Expr;
use crate::limits::Limits;
use crate::model::{Claims, Kind, Model};

/// The language of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The model's own.
    Noslip,
    /// LaTeX mathematics.
    Latex,
    /// Python as SymPy writes it.
    Sympy,
}

/// An equation as it was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Left side.
    pub lhs: Piece,
    /// Right side; absent where an expression stands alone, which is claimed to vanish.
    pub rhs: Option<Piece>,
    /// In the model's syntax.
    pub written: Written,
    /// Names made for what is differentiated by d/dt, with what they stand for.
    pub made: Vec<(String, String)>,
}

/// A term of an equation: where it stands and what it is, with its sign, on the left side.
#[derive(Clone, Debug)]
pub struct Term {
    /// In the author's text, without its sign.
    pub span: Span,
    /// Does it stand on the right side?
    pub right: bool,
    /// With its sign.
    pub expr: Expr,
}

/// An equation with its expressions.
#[derive(Clone, Debug)]
pub struct Understood {
    /// As it was read.
    pub reading: Reading,
    /// Left side − right side.
    pub expr: Expr,
    /// Its terms.
    pub terms: Vec<Term>,
}

/// Reads the equations of a text: one, or several that stand in a chain a = b = c or in a matrix.
pub fn read(
    text: &str,
    language: Language,
    model: &mut Model,
    notation: &mut Notation,
    limits: &Limits,
) -> Result<Vec<Reading>> {
    if text.len() > limits.expression_bytes {
        let message = format!("expression of {} bytes; the limit is {}", text.len(), limits.expression_bytes);
        return Err(Error::limit(message).at(0..text.len()));
    }
    let equations = match language {
        Language::Noslip => return Err(Error::input("an equation in the model's own syntax needs no reader")),
        Language::Latex => latex::equations(text, notation)?,
        Language::Sympy => python::equations(text, notation)?,
    };
    equations.into_iter().map(|(lhs, rhs)| reading(lhs, rhs, model, limits)).collect()
}

/// Reads the lines of a display that begins at `base` of its file, each by itself: what one of them says does not hang on whether
/// another can be read. Places are places in the file.
fn read_display(
    text: &str,
    base: usize,
    model: &mut Model,
    notation: &mut Notation,
    limits: &Limits,
) -> Result<Vec<(Span, Result<Reading>)>> {
    let mut list = Vec::new();
    for (span, sides) in latex::lines_of(text, base, notation)? {
        match sides {
            Ok(sides) => list.extend(sides.into_iter().map(|(lhs, rhs)| {
                let span = lhs.span.start..rhs.as_ref().unwrap_or(&lhs).span.end;
                (span, reading(lhs, rhs, model, limits))
            })),
            Err(error) => list.push((span, Err(error))),
        }
    }
    Ok(list)
}

fn reading(mut lhs: Piece, mut rhs: Option<Piece>, model: &mut Model, limits: &Limits) -> Result<Reading> {
    let mut made = name_rates(&mut lhs, model, limits)?;
    if let Some(rhs) = &mut rhs {
        made.extend(name_rates(rhs, model, limits)?);
    }
    let mut written = Written::default();
    written.piece(&lhs);
    if let Some(rhs) = &rhs {
        written.text.push_str(" = ");
        written.piece(rhs);
    }
    Ok(Reading { lhs, rhs, written, made })
}

/// d/dt of more than a name is a derivative of a definition made for it: its name and what it stands for.
fn name_rates(piece: &mut Piece, model: &mut Model, limits: &Limits) -> Result<Vec<(String, String)>> {
    let mut failure = None;
    let mut made = Vec::new();
    piece.for_each(&mut |p| {
        let What::Rate(_, of, name @ None) = &mut p.what else { return };
        if failure.is_some() {
            return;
        }
        let mut written = Written::default();
        match &of.what {
            What::Bracket('(' | '[' | '{', inside) => written.piece(inside),
            _ => written.piece(of),
        }
        let fresh = fresh_name(model, "rate_of");
        match model.define(&fresh, &written.text, limits) {
            Ok(()) => {
                made.push((fresh.clone(), written.text));
                *name = Some(fresh);
            }
            Err(error) => failure = Some(back(error, &written, of)),
        }
    });
    failure.map_or(Ok(made), Err)
}

/// A name the model does not have yet.
fn fresh_name(model: &Model, stem: &str) -> String {
    let taken = model.vocabulary();
    let free = |name: &String| !taken.iter().any(|(known, _)| known == name);
    (1..).map(|i| if i == 1 { stem.to_owned() } else { format!("{stem}_{i}") }).find(free).unwrap_or_default()
}

/// An error of the text that was written out, at the place it came from.
fn back(error: Error, written: &Written, whole: &Piece) -> Error {
    let span = error.span.as_ref().and_then(|s| written.origin(s)).unwrap_or(whole.span.clone());
    error.at(span)
}

impl Reading {
    /// The equation in the model's syntax, and what the names in it stand for that were made for it.
    pub fn told(&self) -> String {
        let made: Vec<String> = self.made.iter().map(|(name, of)| format!("{name} = {of}")).collect();
        let text = &self.written.text;
        if made.is_empty() { text.clone() } else { format!("{text}, where {}", made.join(", ")) }
    }

    /// The equation as an expression of the model.
    pub fn understand(self, model: &mut Model, limits: &Limits) -> Result<Understood> {
        let claim = Claims::equation(&self.written.text, model, limits);
        let first = |errors: Errors| errors.first().cloned().unwrap_or_else(|| Error::input("it cannot be read"));
        let expr = claim.map_err(|errors| back(first(errors), &self.written, &self.lhs))?.expr;
        let mut terms = Vec::new();
        for (piece, right) in [(Some(&self.lhs), false), (self.rhs.as_ref(), true)] {
            let Some(piece) = piece else { continue };
            for (minus, term) in terms_of(piece) {
                let mut written = Written::default();
                written.piece(term);
                let e = Claims::equation(&written.text, model, limits).map_err(first)?.expr;
                let expr = if minus != right { model.arena.neg(e) } else { e };
                if !model.arena.is_zero(expr) {
                    terms.push(Term { span: term.span.clone(), right, expr });
                }
            }
        }
        Ok(Understood { reading: self, expr, terms })
    }
}

/// A term that replaces another: its sign, and its text in some language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Minus, on the side it stands on.
    pub minus: bool,
    /// Without its sign; nothing where the term is to go.
    pub text: Option<String>,
}

impl Understood {
    /// The author's text of the equation with one term replaced.
    pub fn corrected_source(&self, source: &str, term: usize, by: &Replacement) -> String {
        let all = self.span();
        let span = &self.terms[term].span;
        let before = source[all.start..span.start].trim_end();
        let after = &source[span.end..all.end];
        // The sign in front belongs to the term.
        let (before, signed) = match before.strip_suffix(['+', '-']) {
            Some(rest) => (rest, true),
            None => (before, false),
        };
        let inner = signed && !before.trim_end().is_empty() && !before.trim_end().ends_with(['=', '&', ',']);
        let sign = match (by.minus, inner) {
            (true, _) => "- ",
            (false, true) => "+ ",
            (false, false) => "",
        };
        let space = if before.is_empty() || before.ends_with(char::is_whitespace) { "" } else { " " };
        match &by.text {
            Some(text) => format!("{before}{space}{sign}{text}{after}"),
            None if !inner && after.trim_start().is_empty() => format!("{before}{space}0{after}"),
            None if !inner && after.trim_start().starts_with('=') => format!("{before}{space}0 {}", after.trim_start()),
            None => format!("{before}{after}"),
        }
    }

    /// Where the equation stands.
    pub fn span(&self) -> Span {
        let last = self.reading.rhs.as_ref().unwrap_or(&self.reading.lhs);
        self.reading.lhs.span.start..last.span.end
    }

    /// The equation in MathML, one term of it wrapped or replaced.
    pub fn mathml(&self, term: Option<(usize, &Replacement)>) -> String {
        let mut sides = [Some(self.reading.lhs.clone()), self.reading.rhs.clone()];
        let mut mark = None;
        if let Some((i, by)) = term {
            let span = &self.terms[i].span;
            for side in sides.iter_mut().flatten() {
                replace_sign(side, span, by);
            }
            mark = by.text.as_deref().map(|text| (span, text));
        }
        let sides: Vec<String> = sides.iter().flatten().map(|side| mathml(side, mark)).collect();
        sides.join("<mo>=</mo>")
    }

    /// The equation in MathML with one term, its sign kept, replaced.
    pub fn marked_mathml(&self, term: usize, by: &str) -> String {
        let mark = Some((&self.terms[term].span, by));
        let sides = [Some(&self.reading.lhs), self.reading.rhs.as_ref()];
        let sides: Vec<String> = sides.into_iter().flatten().map(|side| mathml(side, mark)).collect();
        sides.join("<mo>=</mo>")
    }

    /// Counts places from another beginning: those of a file become those of a part of it.
    pub fn shift_back(&mut self, by: usize) {
        let back = |span: &mut Span| *span = span.start.saturating_sub(by)..span.end.saturating_sub(by);
        self.terms.iter_mut().for_each(|t| back(&mut t.span));
        for side in [Some(&mut self.reading.lhs), self.reading.rhs.as_mut()].into_iter().flatten() {
            side.for_each(&mut |p| back(&mut p.span));
        }
    }

    /// A term as its author wrote it, in MathML.
    pub fn term_mathml(&self, term: usize) -> String {
        let span = &self.terms[term].span;
        let sides = [Some(&self.reading.lhs), self.reading.rhs.as_ref()];
        let mut terms = sides.into_iter().flatten().flat_map(terms_of);
        terms.find(|(_, p)| p.span == *span).map_or(String::new(), |(_, p)| mathml(p, None))
    }
}

/// Gives a term another sign, or takes it away.
fn replace_sign(side: &mut Piece, span: &Span, by: &Replacement) {
    if side.span == *span {
        let zero = Piece::new(What::Number("0".into()), 0..0);
        let only = std::mem::replace(side, zero);
        match &by.text {
            Some(_) if by.minus => *side = Piece::new(What::Sum(vec![(true, only)]), 0..0),
            Some(_) => *side = only,
            None => {}
        }
        return;
    }
    let What::Sum(terms) = &mut side.what else { return };
    if by.text.is_none() {
        terms.retain(|(_, p)| p.span != *span);
        if terms.is_empty() {
            side.what = What::Number("0".into());
        }
        return;
    }
    for (minus, _) in terms.iter_mut().filter(|(_, p)| p.span == *span) {
        *minus = by.minus;
    }
}

/// The terms of one side.
fn terms_of(piece: &Piece) -> Vec<(bool, &Piece)> {
    match &piece.what {
        What::Sum(terms) => terms.iter().map(|(minus, term)| (*minus, term)).collect(),
        _ => vec![(false, piece)],
    }
}

impl Notation {
    /// `\Lambda = lambda_u4`: an author's letter for a name of the model.
    pub fn name(&mut self, line: &str, language: Language) -> Result<()> {
        let (letter, name, offset) = sides(line)?;
        let parts = self.letter_of(letter, language)?;
        let Some(kind) = self.kind(name) else {
            let error = crate::expr::NameError::unknown("name of the model", name, self.all());
            return Err(error.at(offset..offset + name.len()));
        };
        self.give(parts, name.to_owned(), kind);
        Ok(())
    }

    /// `v = \dot x \cos\varphi + \dot y \sin\varphi`: an author's letter for an expression.
    pub fn define(&mut self, line: &str, language: Language, model: &mut Model, limits: &Limits) -> Result<()> {
        let (letter, text, offset) = sides(line)?;
        let parts = self.letter_of(letter, language)?;
        let mut equations = match language {
            Language::Latex => latex::equations(text, self),
            Language::Sympy | Language::Noslip => python::equations(text, self),
        }
        .map_err(|e| e.shifted(offset))?;
        let (Some((piece, None)), true) = (equations.pop(), equations.is_empty()) else {
            return Err(Error::input("a definition has one `=`").at(0..line.len()));
        };
        let reading = reading(piece, None, model, limits).map_err(|e| e.shifted(offset))?;
        let stem: String = parts.join("_").chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let name = fresh_name(model, if stem.starts_with(|c: char| c.is_ascii_alphabetic()) { &stem } else { "given" });
        model
            .define(&name, &reading.written.text, limits)
            .map_err(|e| back(e, &reading.written, &reading.lhs).shifted(offset))?;
        self.give(parts, name, Kind::Definition);
        Ok(())
    }

    fn letter_of(&self, letter: &str, language: Language) -> Result<Vec<String>> {
        let parts = match language {
            Language::Latex => latex::letter(letter),
            Language::Sympy | Language::Noslip => python::name(letter),
        };
        parts.ok_or_else(|| {
            Error::input(format!("`{letter}` is not one letter with its indices"))
                .at(0..letter.len())
                .hint("write LETTER = NAME, such as `\\Lambda_1 = lambda_u4`")
        })
    }
}

/// Both sides of `LETTER = WHAT`, and where the second begins.
fn sides(line: &str) -> Result<(&str, &str, usize)> {
    let Some((letter, what)) = line.split_once('=') else {
        return Err(Error::input(format!("`{}` has no `=`", line.trim()))
            .at(0..line.len())
            .hint("write LETTER = NAME, such as `\\Lambda_1 = lambda_u4`"));
    };
    let offset = letter.len() + 1 + (what.len() - what.trim_start().len());
    Ok((letter.trim(), what.trim(), offset))
}
