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

/// A number as an example of what was found: six digits tell it from zero and from others.
pub fn rounded(x: f64) -> String {
    number(format!("{x:.5e}").parse().unwrap_or(x))
}

/// A number that was integrated with this tolerance, relative above one and absolute below: no digits beyond the one after it.
pub fn integrated(x: f64, tolerance: f64) -> String {
    let last = (tolerance * x.abs().max(1.0)).log10().floor() - 1.0;
    if !x.is_finite() || !(-15.0..0.0).contains(&last) {
        return number(x);
    }
    let text = format!("{x:.*}", -last as usize);
    number(text.parse().unwrap_or(x))
}

/// A printer with the model's own symbols.
pub fn printer(system: &System, style: Style) -> Printer {
    system.display.iter().fold(Printer::new(style), |p, (name, latex)| p.display(name.clone(), latex.clone()))
}
