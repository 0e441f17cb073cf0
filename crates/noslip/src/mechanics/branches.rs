//! Products and powers of constraints.
//!
//! `φ₁·φ₂ = 0` is not one nonlinear constraint but a choice of two: where both hold the product has no gradient, and which of them is
//! meant, the product does not say (Soltakhanov, Yushkov, Zegzhda, chapter II, the remark after (4.3)). `φ² = 0` says φ = 0, but its gradient
//! 2φ·∂φ vanishes wherever it holds: it gives no reaction.

use super::workbench::Workbench;
use crate::expr::{Expr, Node, Printer, Style, Symbol, Tree, factors_and_powers};

/// The constraints of which the given one is a product, or the one of which it is a power; empty when it is neither.
pub fn branches(w: &mut Workbench, j: usize) -> Vec<Expr> {
    let c = &w.system.constraints[j];
    let (order, expr) = (c.order, c.expr);
    let system = w.system.clone();
    let symbols = match order {
        0 => &system.coordinates,
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
    let mut list = factors_and_powers(&mut w.g, expr, &w.limits).unwrap_or_default();
    list.retain(|(e, _)| w.g.depends_on_any(*e, symbols));
    list.dedup_by_key(|(e, _)| *e);
    let repeated = list.iter().any(|(_, repeated)| *repeated);
    let list: Vec<Expr> = list.into_iter().map(|(e, _)| e).collect();
    let choice = match order {
        // Lengths of normals, cosines of a lean and the like stand before finite constraints and do not vanish with them.
        0 => list.len() > 1 && list.iter().all(|&e| is_polynomial(w, e, symbols)),
        _ => list.len() > 1,
    };
    if choice || (list.len() == 1 && repeated) { list } else { Vec::new() }
}

fn is_polynomial(w: &Workbench, e: Expr, symbols: &[Symbol]) -> bool {
    w.g.reachable(&[e]).into_iter().filter(|&e| w.g.depends_on_any(e, symbols)).all(|e| match w.g.node(e) {
        Node::Symbol(_) | Node::Sum { .. } => true,
        Node::Product { factors, .. } => factors.iter().all(|(_, k)| k.is_integer() && !k.is_negative()),
        _ => false,
    })
}

/// Why a product or power of constraints is none, in words.
pub fn choice(w: &mut Workbench, j: usize) -> Option<String> {
    let list = branches(w, j);
    let text = |w: &Workbench, e: Expr| {
        Tree::of(&w.g, e, &w.limits).map_or_else(|_| "…".to_owned(), |t| Printer::new(Style::Text).print(&w.g, &t))
    };
    let said: Vec<String> = list.iter().map(|&e| format!("`{} = 0`", text(w, e))).collect();
    let name = w.system.constraints[j].name.clone();
    match &said[..] {
        [] => None,
        [one] => Some(format!(
            "constraint `{name}` is a power: it says {one}, and its gradient vanishes wherever it holds; write {one}"
        )),
        _ => Some(format!(
            "constraint `{name}` is a product: it says {}, which is a choice of constraints and not one; write the one that is meant",
            said.join(" or ")
        )),
    }
}
