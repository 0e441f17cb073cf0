//! Angles that are known parts of a half turn: of sines ±½, ±√2/2, ±√3/2, ±1, of tangents ±√3/3, ±1, ±√3.

use super::arena::{Arena, Expr, Function, Node};
use super::number::Rational;

/// Squares of sines, each with its angle in twelfths of a half turn.
const SINES: [((i64, i64), i64); 5] = [((0, 1), 0), ((1, 4), 2), ((1, 2), 3), ((3, 4), 4), ((1, 1), 6)];
/// The same of tangents.
const TANGENTS: [((i64, i64), i64); 4] = [((0, 1), 0), ((1, 3), 2), ((1, 1), 3), ((3, 1), 4)];

impl Arena {
    /// The sign and the square of a number times a root of a number.
    fn signed_square(&self, x: Expr) -> Option<(i64, Rational)> {
        let sign = |c: &Rational| if c.is_negative() { -1 } else { i64::from(!c.is_zero()) };
        match self.node(x) {
            Node::Number(n) => Some((sign(n), n * n)),
            Node::Product { coefficient, factors } => match &factors[..] {
                [(e, k)] if k.small() == Some((1, 2)) => {
                    let radicand = self.as_number(*e).filter(|r| !r.is_negative())?;
                    Some((sign(coefficient), &(coefficient * coefficient) * radicand))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// So many twelfths of a half turn.
    fn twelfths(&mut self, k: i64) -> Expr {
        let pi = self.pi();
        let pi = self.symbol(pi);
        self.scale(pi, &Rational::new(k, 12).expect("12 is not zero"))
    }

    /// asin, acos or atan of a number whose angle is a known part of a half turn.
    pub(super) fn known_angle(&mut self, f: Function, x: Expr) -> Option<Expr> {
        let (sign, square) = self.signed_square(x)?;
        let twelfths = match f {
            Function::Atan => found(&TANGENTS, &square)?,
            _ => found(&SINES, &square)?,
        };
        let twelfths = sign * twelfths;
        Some(self.twelfths(if f == Function::Acos { 6 - twelfths } else { twelfths }))
    }

    /// atan2 of two such numbers.
    pub(super) fn known_direction(&mut self, y: Expr, x: Expr) -> Option<Expr> {
        let ((up, y), (right, x)) = (self.signed_square(y)?, self.signed_square(x)?);
        let twelfths = match (up, right) {
            (0, 0) => return None,
            (_, 0) => 6 * up,
            (0, _) => 6 - 6 * right,
            _ => {
                let steep = found(&TANGENTS, &y.checked_div(&x)?)?;
                up * if right > 0 { steep } else { 12 - steep }
            }
        };
        Some(self.twelfths(twelfths))
    }
}

fn found(table: &[((i64, i64), i64)], square: &Rational) -> Option<i64> {
    let square = square.small()?;
    table.iter().find(|(known, _)| *known == square).map(|(_, twelfths)| *twelfths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sines_cosines_and_tangents_of_twelfths_are_their_inverses_know() {
        let mut g = Arena::new();
        let pi = g.pi();
        let pi = g.symbol(pi);
        let mut known = 0;
        for k in -12..=12i64 {
            let angle = g.scale(pi, &Rational::new(k, 12).unwrap());
            let all = [Function::Sin, Function::Cos, Function::Tan].map(|f| g.call(f, angle));
            if g.reachable(&all).iter().any(|&e| matches!(g.node(e), Node::Call(..))) {
                continue;
            }
            known += 1;
            let [sin, cos, tan] = all;
            assert_eq!(g.atan2(sin, cos), if k == -12 { pi } else { angle }, "atan2 at {k}/12");
            if k.abs() <= 6 {
                assert_eq!(g.call(Function::Asin, sin), angle, "asin at {k}/12");
            }
            if k >= 0 {
                assert_eq!(g.call(Function::Acos, cos), angle, "acos at {k}/12");
            }
            if k.abs() < 6 {
                assert_eq!(g.call(Function::Atan, tan), angle, "atan at {k}/12");
            }
        }
        assert_eq!(known, 17);
        // Other ways to write the same numbers, and numbers beyond: there is no angle.
        for (n, d, twelfths) in [(1, 2, 3), (3, 4, 4)] {
            let e = g.fraction(n, d);
            let e = g.sqrt(e);
            assert_eq!(g.call(Function::Asin, e), g.scale(pi, &Rational::new(twelfths, 12).unwrap()));
        }
        let two = g.integer(2);
        let beyond = g.call(Function::Acos, two);
        assert!(matches!(*g.node(beyond), Node::Call(Function::Acos, _)));
        let zero = g.zero();
        let nowhere = g.atan2(zero, zero);
        assert!(matches!(*g.node(nowhere), Node::Atan2(..)));
    }
}
