//! The displayed formulas of a LaTeX file, and what its author says about them in comments.
//!
//! ```text
//! % noslip: model disk.toml             from here on, formulas speak of this model
//! % noslip: name \Lambda = lambda_u4    a letter for a name of the model
//! % noslip: define v = \dot x \cos\varphi + \dot y \sin\varphi
//! % noslip: expect false                the next formula is known to be wrong
//! % noslip: skip                        the next formula is no claim
//! % noslip: off … % noslip: on          nothing between is a claim
//! ```

use super::latex::{DISPLAYS, Macros};
use super::{Language, Notation, Understood, read_display};
use crate::error::{Error, Result, Span};
use crate::limits::Limits;
use crate::model::{Model, line_and_column};

/// A displayed formula.
#[derive(Clone, Debug)]
pub struct Display {
    /// Its inside.
    pub span: Span,
    /// Labels and tags in it, with their places.
    pub labels: Vec<(usize, String)>,
    /// The verdict its author expects.
    pub expect: Option<bool>,
}

impl Display {
    /// The name of an equation of it that begins at a place and ends before another.
    fn id(&self, paper: &Paper, from: usize, to: usize, only: bool) -> String {
        let label = self.labels.iter().find(|(at, _)| only || (from..to).contains(at));
        label.map_or_else(|| format!("line {}", line_and_column(&paper.text, from).0), |(_, label)| label.clone())
    }
}

/// What stands in a file, in order.
#[derive(Clone, Debug)]
pub enum Item {
    /// The model of what follows.
    Model(String, Span),
    /// `LETTER = NAME`
    Name(Span),
    /// `LETTER = EXPRESSION`
    Define(Span),
    /// A formula that is a claim.
    Display(Display),
}

/// A LaTeX file.
#[derive(Clone, Debug)]
pub struct Paper {
    /// The text.
    pub text: String,
    /// What was found in it.
    pub items: Vec<Item>,
    /// Formulas passed over because the author said so.
    pub skipped: usize,
    /// Commands that the author has made.
    macros: Macros,
}

/// Environments whose inside is no LaTeX.
const VERBATIM: [&str; 4] = ["verbatim", "lstlisting", "minted", "comment"];

impl Paper {
    /// Finds the formulas of a text.
    pub fn new(text: String) -> Result<Paper> {
        let (items, macros) = (Vec::new(), Macros::default());
        let mut finder = Finder { text: &text, at: 0, items, skipped: 0, on: true, skip: false, expect: None, macros };
        finder.run()?;
        let (items, skipped, macros) = (finder.items, finder.skipped, finder.macros);
        Ok(Paper { text, items, skipped, macros })
    }
}

/// An equation of a file.
#[derive(Clone, Debug)]
pub struct PaperClaim {
    /// Its label or tag, or the line it begins in.
    pub id: String,
    /// Where it stands.
    pub span: Span,
    /// The verdict its author expects.
    pub expect: Option<bool>,
    /// What it says, or why that could not be read.
    pub read: Result<Understood>,
}

/// Equations of a file that speak of one model.
pub struct Section {
    /// The model.
    pub model: Model,
    /// The letters used.
    pub notation: Notation,
    /// The equations.
    pub claims: Vec<PaperClaim>,
}

impl Section {
    /// A model of which nothing has been said yet.
    pub fn new(model: Model) -> Section {
        Section { notation: Notation::new(&model), model, claims: Vec::new() }
    }
}

impl Paper {
    /// Reads all equations. `first` is the model of what stands before the file names one; `open` finds those it names.
    pub fn sections(
        &self,
        first: Option<Model>,
        open: impl FnMut(&str) -> Result<Model>,
        limits: &Limits,
    ) -> Result<Vec<Section>> {
        self.sections_with(first.map(Section::new), open, limits)
    }

    /// The same with a notation for what stands before the file names a model.
    pub fn sections_with(
        &self,
        first: Option<Section>,
        mut open: impl FnMut(&str) -> Result<Model>,
        limits: &Limits,
    ) -> Result<Vec<Section>> {
        let with_macros = |mut section: Section| {
            section.notation.macros = self.macros.clone();
            section
        };
        let mut sections: Vec<Section> = first.into_iter().map(with_macros).collect();
        for item in &self.items {
            if let Item::Model(name, span) = item {
                let model = open(name).map_err(|e| Error { span: Some(span.clone()), ..e })?;
                sections.push(with_macros(Section::new(model)));
                continue;
            }
            let Some(Section { model, notation, claims }) = sections.last_mut() else {
                let (Item::Name(span) | Item::Define(span) | Item::Display(Display { span, .. })) = item else {
                    continue;
                };
                return Err(Error::input("no model is named before this")
                    .at(span.clone())
                    .hint("write `% noslip: model MODEL` above it, or give a model for the whole file"));
            };
            match item {
                Item::Model(..) => {}
                Item::Name(span) => {
                    notation.name(&self.text[span.clone()], Language::Latex).map_err(|e| e.shifted(span.start))?
                }
                Item::Define(span) => notation
                    .define(&self.text[span.clone()], Language::Latex, model, limits)
                    .map_err(|e| e.shifted(span.start))?,
                Item::Display(display) => claims.extend(self.display(display, model, notation, limits)),
            }
        }
        Ok(sections)
    }

    fn display(
        &self,
        display: &Display,
        model: &mut Model,
        notation: &mut Notation,
        limits: &Limits,
    ) -> Vec<PaperClaim> {
        let Span { start, end } = display.span.clone();
        let readings = read_display(&self.text[start..end], start, model, notation, limits);
        let (expect, id) = (display.expect, |from, to, only| display.id(self, from, to, only));
        let readings = match readings {
            Ok(readings) => readings,
            Err(error) => {
                let at = error.span.clone().map_or(start, |s| s.start);
                let id = id(at, at, display.labels.len() == 1);
                return vec![PaperClaim { id, span: display.span.clone(), expect, read: Err(error) }];
            }
        };
        let begins: Vec<usize> = readings.iter().map(|(span, _)| span.start).collect();
        let only = readings.len() == 1 || display.labels.len() == 1;
        let claims = readings.into_iter().enumerate().map(|(i, (span, reading))| {
            let to = begins[i + 1..].iter().copied().find(|&b| b > begins[i]).unwrap_or(end);
            let mut id = id(begins[i], to, only);
            if only && begins.len() > 1 && !display.labels.is_empty() {
                id = format!("{id}, equation {}", i + 1);
            }
            let read = reading.and_then(|reading| reading.understand(model, limits));
            PaperClaim { id, span, expect, read }
        });
        claims.collect()
    }
}

struct Finder<'a> {
    text: &'a str,
    at: usize,
    items: Vec<Item>,
    skipped: usize,
    on: bool,
    skip: bool,
    expect: Option<bool>,
    macros: Macros,
}

impl Finder<'_> {
    fn run(&mut self) -> Result<()> {
        while let Some(offset) = self.text[self.at..].find(['%', '\\', '$']) {
            self.at += offset;
            let rest = &self.text[self.at..];
            if rest.starts_with('%') {
                self.comment()?;
            } else if rest.starts_with("\\[") {
                self.display(2, "\\]")?;
            } else if rest.starts_with("$$") {
                self.display(2, "$$")?;
            } else if let Some(inside) = rest.strip_prefix('$') {
                // A formula in the text.
                self.at += inside.find('$').map_or(rest.len(), |end| end + 2);
            } else if rest.starts_with("\\end{document}") {
                break;
            } else if let Some(name) = environment(rest) {
                let bare = name.trim_end_matches('*');
                let head = "\\begin{}".len() + name.len();
                if DISPLAYS.contains(&bare) {
                    let head = head + options(&rest[head..], bare == "alignat");
                    self.display(head, &format!("\\end{{{name}}}"))?;
                } else if VERBATIM.contains(&bare) {
                    let end = rest.find(&format!("\\end{{{name}}}")).unwrap_or(rest.len());
                    self.at += end.max(1);
                } else {
                    self.at += head;
                }
            } else if let Some((name, body, length)) = definition(rest) {
                self.macros.define(name, body);
                self.at += length;
            } else {
                // `\\`, `\%` and `\$` are one word.
                self.at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            }
        }
        Ok(())
    }

    /// A comment, which may say something about formulas.
    fn comment(&mut self) -> Result<()> {
        let line_end = self.text[self.at..].find('\n').map_or(self.text.len(), |i| self.at + i);
        let line = &self.text[self.at..line_end];
        let start = self.at;
        self.at = line_end;
        let Some((before, what)) = line.split_once("noslip:") else { return Ok(()) };
        if before.trim_start_matches('%').trim() != "" {
            return Ok(());
        }
        let place = start + before.len() + "noslip:".len();
        let word = what.split_whitespace().next().unwrap_or("");
        let from = place + what.find(word).unwrap_or(0) + word.len();
        let argument = self.text[from..line_end].trim();
        let from = from + (self.text[from..line_end].len() - self.text[from..line_end].trim_start().len());
        let span = from..from + argument.len();
        match (word, argument) {
            ("model", name) if !name.is_empty() => self.items.push(Item::Model(name.to_owned(), span)),
            ("name", text) if !text.is_empty() => self.items.push(Item::Name(span)),
            ("define", text) if !text.is_empty() => self.items.push(Item::Define(span)),
            ("expect", "true") => self.expect = Some(true),
            ("expect", "false") => self.expect = Some(false),
            ("skip", "") => self.skip = true,
            ("off", "") => self.on = false,
            ("on", "") => self.on = true,
            _ => {
                return Err(Error::input(format!("`{}` is nothing that can be said to noslip", what.trim()))
                    .at(start..line_end)
                    .hint("known are: model FILE, name LETTER = NAME, define LETTER = …, expect true|false, skip, off, on"));
            }
        }
        Ok(())
    }

    /// A formula whose opening has `head` bytes.
    fn display(&mut self, head: usize, close: &str) -> Result<()> {
        let opening = self.at;
        let start = opening + head;
        let mut labels = Vec::new();
        self.at = start;
        loop {
            let rest = &self.text[self.at..];
            let Some(offset) = rest.find(['%', '\\', '$']) else {
                return Err(Error::input("this formula never ends")
                    .at(opening..start)
                    .label("begins here")
                    .hint(format!("`{close}` is missing")));
            };
            self.at += offset;
            let rest = &self.text[self.at..];
            if rest.starts_with(close) {
                break;
            }
            if rest.starts_with('%') {
                self.comment()?;
            } else if let Some(label) = ["\\label{", "\\tag{", "\\tag*{"].iter().find_map(|c| rest.strip_prefix(c)) {
                let text = label.split('}').next().unwrap_or("");
                labels.push((self.at, text.to_owned()));
                self.at += rest.len() - label.len();
            } else {
                self.at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
            }
        }
        let span = start..self.at;
        self.at += close.len();
        let expect = self.expect.take();
        if !self.on || std::mem::take(&mut self.skip) {
            self.skipped += 1;
            return Ok(());
        }
        self.items.push(Item::Display(Display { span, labels, expect }));
        Ok(())
    }
}

/// The name in `\begin{name}`.
fn environment(rest: &str) -> Option<&str> {
    let inner = rest.strip_prefix("\\begin{")?;
    inner.split_once('}').map(|(name, _)| name).filter(|name| name.len() < 40 && !name.contains('\n'))
}

/// `\newcommand{\name}{body}` and its like: the name, the body if the command has no arguments, and the length.
fn definition(rest: &str) -> Option<(&str, Option<&str>, usize)> {
    let letters = |at: usize| at..at + rest[at..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let command = &rest[letters(1)];
    if !["newcommand", "renewcommand", "providecommand", "def", "DeclareMathOperator"].contains(&command) {
        return None;
    }
    let past = |at: usize, what: &[char]| rest.len() - rest[at..].trim_start_matches(what).len();
    let at = past(1 + command.len(), &['*', ' ', '\n', '{']);
    rest[at..].strip_prefix('\\')?;
    let name = letters(at + 1);
    let at = past(name.end, &['}', ' ', '\n']);
    let plain = rest[at..].starts_with('{') && command != "DeclareMathOperator";
    let body = at + rest[at..].find('{')?;
    let mut depth = 0usize;
    for (i, c) in rest[body..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => {
                let inside = plain.then_some(&rest[body + 1..body + i]);
                return (!name.is_empty()).then_some((&rest[name], inside, body + i + 1));
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Bytes of the arguments behind `\begin{alignat}`.
fn options(rest: &str, argument: bool) -> usize {
    if argument && rest.starts_with('{') { rest.find('}').map_or(0, |i| i + 1) } else { 0 }
}
