//! Products of constraints.
//!
//! `φ₁·φ₂ = 0` is not one nonlinear constraint but a choice of two: where both hold the product has no gradient, and which of them is
//! meant, the product does not say (Soltakhanov, Yushkov, Zegzhda, chapter II, the remark after (4.3)).

use super::workbench::Workbench;
use crate::expr::{Expr, Printer, Style, Tree, factors};

/// The constraints of which the given one is a product; empty when it is none.
pub fn branches(w: &mut Workbench, j: usize) -> Vec<Expr> {
    let c = &w.system.constraints[j];
    let (order, expr) = (c.order, c.expr);
    let system = w.system.clone();
    let symbols = match order {
        1 => &system.velocities,
        2 => &system.accelerations,
        _ => return Vec::new(),
    };
    // A linear constraint has one factor with velocities at most.
    let mut second = symbols.iter().map(|&s| w.g.diff(expr, s)).collect::<Vec<_>>();
    second.retain(|&e| w.g.depends_on_any(e, symbols));
    if second.is_empty() {
        return Vec::new();
    }
    let mut list = factors(&mut w.g, expr, &w.limits).unwrap_or_default();
    list.retain(|&e| w.g.depends_on_any(e, symbols));
    list.dedup();
    if list.len() > 1 { list } else { Vec::new() }
}

/// Why a product of constraints is none, in words.
pub fn choice(w: &mut Workbench, j: usize) -> Option<String> {
    let list = branches(w, j);
    if list.is_empty() {
        return None;
    }
    let text = |w: &Workbench, e: Expr| {
        Tree::of(&w.g, e, &w.limits).map_or_else(|_| "…".to_owned(), |t| Printer::new(Style::Text).print(&w.g, &t))
    };
    let said: Vec<String> = list.iter().map(|&e| format!("`{} = 0`", text(w, e))).collect();
    let name = w.system.constraints[j].name.clone();
    Some(format!(
        "constraint `{name}` is a product: it says {}, which is a choice of constraints and not one; write the one that is meant",
        said.join(" or ")
    ))
}
