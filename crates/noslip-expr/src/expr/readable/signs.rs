//! Signs of angles: where the difference of two angles is −α, cos(−α) is written cos α and sin(−α) as −sin α.

use crate::expr::arena::Function;
use crate::expr::tree::Tree;

/// The tree without minus signs in front of whole angles.
pub(super) fn positive_angles(tree: Tree) -> Tree {
    if has_negative_angle(&tree) { whole(&tree) } else { tree }
}

fn parity(f: Function) -> Option<bool> {
    use Function::*;
    match f {
        Sin | Tan | Cot | Csc => Some(true),
        Cos | Sec => Some(false),
        _ => None,
    }
}

fn has_negative_angle(tree: &Tree) -> bool {
    match tree {
        Tree::Call(f, x) => matches!(**x, Tree::Negative(_)) && parity(*f).is_some() || has_negative_angle(x),
        Tree::Negative(x) | Tree::Sqrt(x) | Tree::Table(_, _, x) => has_negative_angle(x),
        Tree::Sum(terms) => terms.iter().any(|(_, x)| has_negative_angle(x)),
        Tree::Product(list) | Tree::Unspecified(_, list) => list.iter().any(has_negative_angle),
        Tree::Quotient(a, b) | Tree::Power(a, b) | Tree::Atan2(a, b) => has_negative_angle(a) || has_negative_angle(b),
        Tree::Number(_) | Tree::Decimal(_) | Tree::Symbol(_) | Tree::Undefined => false,
    }
}

fn whole(tree: &Tree) -> Tree {
    let (minus, tree) = signed(tree);
    if minus { Tree::Negative(Box::new(tree)) } else { tree }
}

/// The tree or its opposite, and whether it is the opposite.
fn signed(tree: &Tree) -> (bool, Tree) {
    let boxed = |x: &Tree| Box::new(whole(x));
    match tree {
        Tree::Call(f, x) => match (&**x, parity(*f)) {
            (Tree::Negative(x), Some(odd)) => (odd, Tree::Call(*f, boxed(x))),
            (x, _) => (false, Tree::Call(*f, boxed(x))),
        },
        Tree::Negative(x) => {
            let (minus, x) = signed(x);
            (!minus, x)
        }
        Tree::Sum(terms) => {
            let terms = terms.iter().map(|(minus, x)| {
                let (opposite, x) = signed(x);
                (*minus != opposite, x)
            });
            (false, Tree::Sum(terms.collect()))
        }
        Tree::Product(list) => {
            let (signs, list): (Vec<bool>, Vec<Tree>) = list.iter().map(signed).unzip();
            (signs.into_iter().fold(false, |a, b| a != b), Tree::Product(list))
        }
        Tree::Quotient(a, b) => {
            let ((m, a), (n, b)) = (signed(a), signed(b));
            (m != n, Tree::Quotient(Box::new(a), Box::new(b)))
        }
        Tree::Power(a, b) => match &**b {
            Tree::Number(n) if n.is_integer() => {
                let (minus, a) = signed(a);
                let odd = n.to_i64().is_some_and(|n| n % 2 != 0);
                (minus && odd, Tree::Power(Box::new(a), b.clone()))
            }
            _ => (false, Tree::Power(boxed(a), boxed(b))),
        },
        Tree::Sqrt(x) => (false, Tree::Sqrt(boxed(x))),
        Tree::Table(table, derivative, x) => (false, Tree::Table(*table, *derivative, boxed(x))),
        Tree::Atan2(a, b) => (false, Tree::Atan2(boxed(a), boxed(b))),
        Tree::Unspecified(f, list) => (false, Tree::Unspecified(*f, list.iter().map(whole).collect())),
        leaf => (false, leaf.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{Arena, Printer, Role, Style};

    #[test]
    fn a_sign_in_an_angle_goes_to_the_term() {
        let mut arena = Arena::new();
        let [a, x] = ["a", "x"].map(|name| Tree::Symbol(arena.declare(name, Role::Coordinate)));
        let minus = |t: &Tree| Tree::Negative(Box::new(t.clone()));
        let sine = Tree::call(Function::Sin, minus(&a));
        let cosine = Tree::call(Function::Cos, minus(&a));
        let square = Tree::Power(Box::new(sine.clone()), Box::new(Tree::integer(2)));
        let printed = |tree: Tree| Printer::new(Style::Text).print(&arena, &positive_angles(tree));
        let sum = Tree::Sum(vec![
            (false, Tree::Product(vec![cosine, x.clone()])),
            (true, Tree::Product(vec![sine.clone(), x.clone()])),
        ]);
        assert_eq!(printed(sum), "cos(a)*x + sin(a)*x");
        assert_eq!(printed(Tree::Quotient(Box::new(x.clone()), Box::new(sine))), "-x/sin(a)");
        assert_eq!(printed(square), "sin(a)^2");
        assert_eq!(printed(Tree::call(Function::Exp, minus(&x))), "exp(-x)");
    }
}
