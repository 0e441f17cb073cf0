//! Roots of squares, on the branch on which the initial state lies.

use super::layer::Layer;
use crate::error::{Error, Span};
use crate::expr::{Expr, Node, Rational};

/// Who needs a root, and what it means for it that the root vanishes.
#[derive(Clone, Debug)]
pub(super) struct Asker {
    /// "contact `ground`"
    pub(super) what: String,
    pub(super) span: Span,
    /// Why it is singular where the root of a square, or of a sum of squares, vanishes; and what to do.
    pub(super) flat: [&'static str; 2],
    pub(super) hint: &'static str,
}

impl Layer<'_> {
    pub(super) fn contact_asks(&self, index: usize) -> Asker {
        let contact = &self.contacts[index];
        Asker {
            what: format!("contact `{}`", contact.name),
            span: contact.span.clone(),
            flat: [
                "it lies flat at the initial state, and has no one lowest point",
                "the point of contact is not determined at the initial state",
            ],
            hint: "start from another attitude, or give the point of contact with `at`",
        }
    }

    /// The root of an expression, on the branch of the initial state where it can be written without a root.
    pub(super) fn root(&mut self, index: usize, square: Expr) -> Option<Expr> {
        self.root_for(&self.contact_asks(index), square)
    }

    pub(super) fn root_for(&mut self, asker: &Asker, square: Expr) -> Option<Expr> {
        let meaning = self.meaning(square);
        let simple = self.short(meaning);
        if let Some(n) = self.arena.as_number(simple) {
            let n = n.clone();
            let n = self.arena.number(n);
            return Some(self.arena.sqrt(n));
        }
        match self.square_root(simple) {
            Some(root) => self.branch_for(asker, root),
            None => {
                let kept = self.short(square);
                let value = self.initial_value(kept);
                if value.abs() < 1e-18 && self.has_initial {
                    self.singular_for(asker, asker.flat[1]);
                    return None;
                }
                Some(self.arena.sqrt(kept))
            }
        }
    }

    /// √e where e is visibly a square.
    pub(super) fn square_root(&mut self, e: Expr) -> Option<Expr> {
        let two = Rational::integer(2);
        match self.arena.node(e).clone() {
            Node::Product { coefficient, factors } => {
                let halves: Option<Vec<(Expr, Rational)>> = factors
                    .iter()
                    .map(|(base, x)| {
                        let half = x.checked_div(&two)?;
                        // Symbols without sign, such as lengths, would do as well; but only even powers are sure.
                        half.is_integer().then_some((*base, half))
                    })
                    .collect();
                let halves = halves?;
                let number = self.arena.number(coefficient);
                if self.arena.as_number(number).is_none_or(Rational::is_negative) {
                    return None;
                }
                let factor = self.arena.sqrt(number);
                let rest = self.arena.powers(Rational::ONE, halves);
                Some(self.arena.mul(factor, rest))
            }
            Node::Sum { constant, terms } if constant.is_one() && terms.len() == 1 && terms[0].1.is_minus_one() => {
                // 1 − cos² or 1 − sin²
                use crate::expr::Function::{Cos, Sin};
                let Node::Product { coefficient, factors } = self.arena.node(terms[0].0).clone() else { return None };
                let [(base, exponent)] = &factors[..] else { return None };
                if !coefficient.is_one() || *exponent != two {
                    return None;
                }
                match self.arena.node(*base) {
                    Node::Call(Cos, x) => {
                        let x = *x;
                        Some(self.arena.sin(x))
                    }
                    Node::Call(Sin, x) => {
                        let x = *x;
                        Some(self.arena.cos(x))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// ± a root, with the sign it has at the initial state.
    pub(super) fn branch(&mut self, index: usize, root: Expr) -> Option<Expr> {
        self.branch_for(&self.contact_asks(index), root)
    }

    pub(super) fn branch_for(&mut self, asker: &Asker, root: Expr) -> Option<Expr> {
        if self.order_of(root).is_none() {
            // Made of parameters alone: lengths, positive.
            let value = self.initial_value(root);
            return Some(if value < 0.0 { self.arena.neg(root) } else { root });
        }
        let value = self.initial_value(root);
        if self.has_initial && value.abs() < 1e-9 {
            self.singular_for(asker, asker.flat[0]);
            return None;
        }
        let taken = if value < 0.0 { self.arena.neg(root) } else { root };
        let text = self.text(taken);
        let why = if self.has_initial && !value.is_nan() {
            "its sign at the initial state; it must not vanish"
        } else {
            "without an initial state the positive root is taken; it must not vanish"
        };
        self.note(&asker.span, format!("{} takes `{text}` for the positive root of its square", asker.what), why);
        self.guards.push((asker.what.clone(), taken));
        Some(taken)
    }

    pub(super) fn singular(&mut self, index: usize, why: &str) {
        self.singular_for(&self.contact_asks(index), why);
    }

    pub(super) fn singular_for(&mut self, asker: &Asker, why: &str) {
        let error = Error::input(format!("{} is singular: {why}", asker.what)).at(asker.span.clone());
        self.error(error.hint(asker.hint));
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::Specs;
    use super::*;
    use crate::expr::Role;
    use crate::limits::Limits;
    use crate::source::Written;

    #[test]
    fn roots_are_taken_of_what_is_visibly_a_square_and_of_nothing_else() {
        let (limits, specs, written) = (Limits::default(), Specs::default(), Written::default());
        let mut layer = Layer::new("", &limits, &specs, &written);
        let x = layer.arena.declare("x", Role::Coordinate);
        let x = layer.arena.symbol(x);
        let two = layer.arena.integer(2);
        let (cos, sin) = (layer.arena.cos(x), layer.arena.sin(x));
        let of = |layer: &mut Layer, base: Expr, factor: i64, constant: i64| {
            let square = layer.arena.mul(base, base);
            let factor = layer.arena.integer(factor);
            let constant = layer.arena.integer(constant);
            let term = layer.arena.mul(factor, square);
            let e = layer.arena.add(constant, term);
            layer.square_root(e)
        };
        let twice = layer.arena.mul(two, x);
        assert_eq!(of(&mut layer, x, 4, 0), Some(twice));
        assert_eq!(of(&mut layer, cos, -1, 1), Some(sin));
        assert_eq!(of(&mut layer, sin, -1, 1), Some(cos));
        // Neither 1 − 2 cos² nor 2 − cos² nor 1 − x² nor −x² is a square of something known.
        for (base, factor, constant) in [(cos, -2, 1), (cos, -1, 2), (x, -1, 1), (x, -1, 0)] {
            assert_eq!(of(&mut layer, base, factor, constant), None);
        }
    }
}
