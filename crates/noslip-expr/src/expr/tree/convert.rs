//! From the DAG to a tree.

use super::{Order, Tree};
use crate::error::{Error, Result};
use crate::expr::arena::{Arena, Expr, Function, Node, TableId};
use crate::expr::number::Rational;
use crate::expr::unspecified::UnspecifiedId;
use crate::limits::Limits;
use rustc_hash::FxHashMap;

/// Bytes counted for a node of a tree besides its name: about what its operator and brackets take in print.
const NODE_BYTES: u64 = 8;

/// Postfix instructions: visit children, then put them together.
enum Step {
    Visit(Expr),
    Leaf(Tree),
    Negative,
    Sum(Vec<bool>),
    Product(usize),
    Quotient,
    Power(Rational),
    General,
    Call(Function),
    Atan2,
    Table(TableId, u8),
    Unspecified(UnspecifiedId, usize),
}

impl Tree {
    /// The expression as it stands, in printing order: numbers and negative powers as fractions, no algebra.
    ///
    /// A shared subexpression is written out at every use, so the size is counted first, and refused beyond
    /// `limits.printed_bytes`.
    pub fn of(arena: &Arena, e: Expr, limits: &Limits) -> Result<Tree> {
        // A constant of a sum is ordered among its terms as a multiple of 1.
        let topological = arena.reachable(&[Arena::ONE, e]);
        check_size(arena, &topological, limits)?;
        let order = Order::new(arena, &topological);
        // Each list is sorted once, however often its node occurs in the tree.
        let mut sorted: FxHashMap<Expr, Vec<(Expr, Rational)>> = FxHashMap::default();
        for &e in &topological {
            match arena.node(e) {
                Node::Sum { constant, terms } => {
                    let mut list = terms.to_vec();
                    if !constant.is_zero() {
                        list.push((Arena::ONE, constant.clone()));
                    }
                    order.sort_terms(&mut list);
                    sorted.insert(e, list);
                }
                Node::Product { factors, .. } => {
                    let mut list = factors.to_vec();
                    order.sort_factors(&mut list);
                    sorted.insert(e, list);
                }
                _ => {}
            }
        }
        let mut trees: Vec<Tree> = Vec::new();
        let mut stack = vec![Step::Visit(e)];
        let mut steps: Vec<Step> = Vec::new();
        while let Some(step) = stack.pop() {
            let tree = match step {
                Step::Visit(e) => {
                    visit(arena, &sorted, e, &mut steps);
                    stack.extend(steps.drain(..).rev());
                    continue;
                }
                Step::Leaf(tree) => tree,
                Step::Negative => pop(&mut trees).negated(),
                Step::Sum(signs) => {
                    let at = trees.len() - signs.len();
                    Tree::Sum(signs.into_iter().zip(trees.drain(at..)).collect())
                }
                Step::Product(n) => {
                    let at = trees.len() - n;
                    Tree::product(trees.drain(at..).collect())
                }
                Step::Quotient => {
                    let b = pop(&mut trees);
                    Tree::quotient(pop(&mut trees), b)
                }
                Step::Power(x) => Tree::power(pop(&mut trees), &x),
                Step::General => {
                    let b = pop(&mut trees);
                    Tree::Power(Box::new(pop(&mut trees)), Box::new(b))
                }
                Step::Call(f) => Tree::call(f, pop(&mut trees)),
                Step::Atan2 => {
                    let b = pop(&mut trees);
                    Tree::Atan2(Box::new(pop(&mut trees)), Box::new(b))
                }
                Step::Table(table, derivative) => Tree::Table(table, derivative, Box::new(pop(&mut trees))),
                Step::Unspecified(f, n) => {
                    let at = trees.len() - n;
                    Tree::Unspecified(f, trees.drain(at..).collect())
                }
            };
            trees.push(tree);
        }
        Ok(pop(&mut trees))
    }
}

fn pop(trees: &mut Vec<Tree>) -> Tree {
    trees.pop().expect("every instruction finds its operands")
}

/// Emits the postfix instructions for one node.
fn visit(arena: &Arena, sorted: &FxHashMap<Expr, Vec<(Expr, Rational)>>, e: Expr, steps: &mut Vec<Step>) {
    match arena.node(e) {
        Node::Number(n) if arena.decimals.take(n) => {
            let decimal = Tree::Decimal(n.abs());
            steps.push(Step::Leaf(if n.is_negative() { decimal.negated() } else { decimal }));
        }
        Node::Number(n) => steps.push(Step::Leaf(Tree::number(n.clone()))),
        Node::Symbol(s) => steps.push(Step::Leaf(Tree::Symbol(*s))),
        Node::Undefined => steps.push(Step::Leaf(Tree::Undefined)),
        Node::Sum { .. } => {
            let mut terms: Vec<&(Expr, Rational)> = sorted[&e].iter().collect();
            // A sum begins with a plus if it can.
            if let Some(i) = terms.iter().position(|t| !t.1.is_negative()) {
                terms[..=i].rotate_right(1);
            }
            let signs = terms.iter().map(|t| t.1.is_negative()).collect();
            for (term, c) in terms {
                match arena.node(*term) {
                    Node::Number(_) => steps.push(Step::Leaf(Tree::factor(arena, c.abs()))),
                    Node::Product { .. } => product(arena, &c.abs(), &sorted[term], steps),
                    _ => product(arena, &c.abs(), &[(*term, Rational::ONE)], steps),
                }
            }
            steps.push(Step::Sum(signs));
        }
        Node::Product { coefficient, .. } => {
            product(arena, &coefficient.abs(), &sorted[&e], steps);
            if coefficient.is_negative() {
                steps.push(Step::Negative);
            }
        }
        Node::Power(a, b) => steps.extend([Step::Visit(*a), Step::Visit(*b), Step::General]),
        Node::Call(f, a) => steps.extend([Step::Visit(*a), Step::Call(*f)]),
        Node::Atan2(a, b) => steps.extend([Step::Visit(*a), Step::Visit(*b), Step::Atan2]),
        Node::Table(table, derivative, a) => steps.extend([Step::Visit(*a), Step::Table(*table, *derivative)]),
        Node::Unspecified(f, list) => {
            // Of one coordinate it is written with it, of one definition with its name, of several things without them.
            let plain = matches!(&list[..], [x] if matches!(arena.node(*x), Node::Symbol(_)));
            if arena.has_usual_arguments(*f, list) && !plain {
                steps.push(Step::Leaf(Tree::Unspecified(*f, Vec::new())));
            } else {
                steps.extend(list.iter().map(|&x| Step::Visit(x)));
                steps.push(Step::Unspecified(*f, list.len()));
            }
        }
    }
}

/// p/q·Π… as one fraction: p and what has a positive exponent over q and what has a negative one.
fn product(arena: &Arena, coefficient: &Rational, factors: &[(Expr, Rational)], steps: &mut Vec<Step>) {
    let (p, q) = arena.decimals.split(coefficient);
    for (number, negative) in [(p, false), (q, true)] {
        let mut count = 0;
        if !number.is_one() {
            steps.push(Step::Leaf(Tree::factor(arena, number)));
            count += 1;
        }
        for (e, x) in factors.iter().filter(|(_, x)| x.is_negative() == negative) {
            steps.extend([Step::Visit(*e), Step::Power(x.abs())]);
            count += 1;
        }
        if !negative || count > 0 {
            steps.push(Step::Product(count));
        }
        if negative && count > 0 {
            steps.push(Step::Quotient);
        }
    }
}

/// Counts what the tree will print, on the DAG: the count of a node is made from the counts of its children.
fn check_size(arena: &Arena, topological: &[Expr], limits: &Limits) -> Result<()> {
    let mut bytes: FxHashMap<Expr, u64> = FxHashMap::default();
    let digits = |n: &Rational| n.bits() * 3 / 10 + 1;
    let mut total = 0;
    for &e in topological {
        total = NODE_BYTES;
        match arena.node(e) {
            Node::Number(n) => total += digits(n),
            Node::Symbol(s) => total += arena.name(*s).len() as u64,
            Node::Sum { terms: parts, constant: number } | Node::Product { factors: parts, coefficient: number } => {
                total = total.saturating_add(digits(number));
                for (_, n) in parts {
                    total = total.saturating_add(digits(n));
                }
            }
            _ => {}
        }
        arena.node(e).for_each_child(|c| total = total.saturating_add(bytes[&c]));
        bytes.insert(e, total);
    }
    if total > limits.printed_bytes as u64 {
        let size = if total == u64::MAX { "more than 2^64".to_owned() } else { format!("about {total}") };
        return Err(Error::limit(format!(
            "the expression takes {size} bytes in print, more than the limit of {}",
            limits.printed_bytes
        ))
        .hint("it can be evaluated and simulated; to print it, print its parts, or raise the limit `printed_bytes`"));
    }
    Ok(())
}
