//! Printers: the model's own syntax, Unicode for terminals, LaTeX, MathML Core.
//!
//! All print a [`Tree`] by a loop over an explicit stack of pending pieces; none recurses, whatever the depth.

mod latex;
mod layout;
mod mathml;
mod names;
mod text;
mod unicode;

use super::arena::{Arena, Node};
use super::symbol::Symbol;
use super::tree::Tree;
use super::unspecified::UnspecifiedId;
use names::Name;
pub use names::greek_letter;
use std::collections::BTreeMap;

/// How to write mathematics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// The model file's syntax: parses back to the same expression.
    Text,
    /// One line for a terminal: ẋ, θ̈, q₁, x².
    Unicode,
    /// LaTeX, without the dollar signs.
    Latex,
    /// MathML Core: a `<math>` element, safe to put into a page.
    MathMl,
}

/// Prints trees in one style.
#[derive(Clone, Debug)]
pub struct Printer {
    style: Style,
    /// Name in the model → LaTeX.
    display: BTreeMap<String, String>,
}

impl Printer {
    /// A printer of that style.
    pub fn new(style: Style) -> Printer {
        Printer { style, display: BTreeMap::new() }
    }

    /// Overrides how a name is written, e.g. `phi` as `\varphi`. LaTeX takes the text as it is; Unicode and MathML
    /// use it where it is a letter, a Greek letter, or one of these with a subscript. Plain text ignores it.
    pub fn display(mut self, name: impl Into<String>, latex: impl Into<String>) -> Printer {
        self.display.insert(name.into(), latex.into());
        self
    }

    /// The style.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The tree as text of this style. MathML comes as one `<math>` element.
    pub fn print(&self, arena: &Arena, tree: &Tree) -> String {
        match self.style {
            Style::MathMl => mathml::element("<math>", &[self.body(arena, tree)]),
            _ => self.body(arena, tree),
        }
    }

    /// `lhs = rhs`. MathML comes as one `<math display="block">` element.
    pub fn print_equation(&self, arena: &Arena, lhs: &Tree, rhs: &Tree) -> String {
        let (lhs, rhs) = (self.body(arena, lhs), self.body(arena, rhs));
        match self.style {
            Style::MathMl => mathml::element("<math display=\"block\">", &[lhs, "<mo>=</mo>".to_owned(), rhs]),
            _ => format!("{lhs} = {rhs}"),
        }
    }

    /// The name of a symbol in this style; for MathML a fragment such as `<mi>x</mi>`.
    pub fn symbol(&self, arena: &Arena, s: Symbol) -> String {
        self.body(arena, &Tree::Symbol(s))
    }

    fn body(&self, arena: &Arena, tree: &Tree) -> String {
        match self.style {
            Style::Text => text::print(&text::Plain(arena), tree),
            Style::Unicode => text::print(&unicode::Unicode { arena, printer: self }, tree),
            Style::Latex => latex::print(arena, self, tree),
            Style::MathMl => mathml::print(arena, self, tree),
        }
    }

    fn name<'a>(&'a self, arena: &'a Arena, s: Symbol) -> Name<'a> {
        Name::new(arena.name(s), arena.role(s), &self.display)
    }

    /// What an unspecified function of several arguments was differentiated by, in the order of its arguments.
    fn differentiated_by<'a>(&'a self, arena: &'a Arena, f: UnspecifiedId) -> Vec<Name<'a>> {
        let (usual, f) = (arena.usual_arguments(f).unwrap_or_default(), arena.unspecified_function(f));
        let mut names = Vec::with_capacity(f.order());
        for (i, (argument, &times)) in f.arguments.iter().zip(&f.orders).enumerate() {
            let name = match usual.get(i).map(|&x| arena.node(x)) {
                Some(Node::Symbol(s)) => self.name(arena, *s),
                _ => Name::plain(argument, &self.display),
            };
            names.extend(std::iter::repeat_n(name, times.into()));
        }
        names
    }
}

#[cfg(test)]
mod tests;
