//! Expressions, numbers and counts in words.

use noslip::expr::{Expr, Printer, Style, Symbol};
use noslip::forms::readable;
use noslip::mechanics::Workbench;
use noslip::model::System;
use noslip_cli::answers::Expression;

/// An expression for a person.
pub fn shown(w: &mut Workbench, e: Expr) -> String {
    printed(w, e, Style::Unicode)
}

/// A symbol as it stands in what [`shown`] prints.
pub fn symbol(w: &Workbench, s: Symbol) -> String {
    Printer::new(Style::Unicode).symbol(&w.g, s)
}

/// An expression in the model's own syntax.
pub fn written(w: &mut Workbench, e: Expr) -> Expression {
    Expression(printed(w, e, Style::Text))
}

/// Several.
pub fn all_written(w: &mut Workbench, list: &[Expr]) -> Vec<Expression> {
    list.iter().map(|&e| written(w, e)).collect()
}

fn printed(w: &mut Workbench, e: Expr, style: Style) -> String {
    readable(w, e).map_or_else(|e| e.to_string(), |tree| Printer::new(style).print(&w.g, &tree))
}

/// Names of symbols.
pub fn names(w: &Workbench, symbols: &[Symbol]) -> Vec<String> {
    symbols.iter().map(|&s| w.g.name(s).to_owned()).collect()
}

/// Names of the coordinates.
pub fn coordinate_names(w: &Workbench) -> Vec<String> {
    names(w, &w.system.coordinates)
}

/// Names of the constraints.
pub fn constraint_names(w: &Workbench) -> Vec<String> {
    w.system.constraints.iter().map(|c| c.name.clone()).collect()
}

/// A number that reads back to the same value, without rows of zeros: `1.5e-13`.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && size.is_finite() && !(1e-4..1e16).contains(&size) { format!("{x:e}") } else { x.to_string() }
}

/// A printer with the model's own symbols.
pub fn printer(system: &System, style: Style) -> Printer {
    system.display.iter().fold(Printer::new(style), |p, (name, latex)| p.display(name.clone(), latex.clone()))
}
