//! Texts of expressions: what parses is printed, and what is printed parses to an equal expression.

use super::Reached::{Answered, Refused};
use super::{Trial, WORDS, limits};
use crate::random::Random;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::expr::{Arena, Declared, Expr, Printer, Role, Style, Tree, parse_expression};

fn scope() -> Arena {
    let mut arena = Arena::new();
    for name in ["x", "y", "z"] {
        arena.declare(name, Role::Coordinate);
    }
    arena
}

/// What parses prints, and what is printed parses to an equal expression.
fn reads_back(arena: &mut Arena, text: &str, e: Expr) -> Trial {
    let Ok(tree) = Tree::of(arena, e, &limits()) else { return Ok(Refused) };
    let printed = Printer::new(Style::Text).print(arena, &tree);
    let again = parse_expression(arena, &printed, &mut Declared, &limits())
        .map_err(|error| format!("`{text}` is printed as `{printed}`, which does not parse: {error}"))?;
    let difference = arena.sub(e, again);
    let mut options = ZeroOptions::default();
    options.normal.limits = limits();
    if is_zero(arena, difference, &options).is_refuted() {
        return Err(format!("`{text}` is printed as `{printed}`, which is something else"));
    }
    Ok(Answered)
}

/// Expressions by the grammar.
pub fn expressions(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let text = random.expression(&["x", "y", "z"], 4);
    let mut arena = scope();
    let e = parse_expression(&mut arena, &text, &mut Declared, &limits()).map_err(|e| format!("`{text}`: {e}"))?;
    reads_back(&mut arena, &text, e)
}

/// Texts that may be expressions.
pub fn texts(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let text = random.expression(&["x", "y", "z"], 3);
    let text = random.mutated(&text, &WORDS);
    let mut arena = scope();
    match parse_expression(&mut arena, &text, &mut Declared, &limits()) {
        Ok(e) => reads_back(&mut arena, &text, e),
        Err(error) if error.message.is_empty() => Err(format!("`{text}` is refused without a word")),
        Err(_) => Ok(Refused),
    }
}
