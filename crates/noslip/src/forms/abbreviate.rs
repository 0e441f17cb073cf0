//! Abbreviations for long equations, as a book would introduce them: what occurs often and takes long to write gets a
//! letter.
//!
//! ```text
//! gain of a letter = (occurrences − 1) · operations
//! ```
//! Definitions of the model come first and keep their names. Then the letter of the largest gain is taken, and the gains are counted
//! again, until a letter saves little or there are a dozen; more only where pages would be filled without. Nothing that contains an
//! unknown of the equations is hidden behind a letter. Where a sum stands under a square root, the root gets the letter. Before that, parts that are equal but were written
//! differently on the way here are made the same: candidates are found by their values at a point of the prime field,
//! and proved equal by the normal form. A sum and its multiples (its opposite above all) share one letter, so that it does not matter
//! which way a difference was written.

use crate::arrange::Arrange;
use crate::effort::LETTERS;
use crate::expr::normal::{Normalizer, Options};
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Arena, Expr, Node, Rational, Role, Symbol, operations};
use crate::limits::Limits;
use crate::mechanics::Workbench;
use rustc_hash::{FxHashMap, FxHashSet};

/// Letters of our own that a reader keeps in mind.
const DOZEN: usize = 12;
/// Operations that fill pages: what is longer with a dozen letters gets more of them.
const PAGES: u64 = 2000;
/// Letters at most.
const MOST: usize = 400;
/// A letter saves at least so many operations, and at least one part in so many of the whole.
const LEAST: u64 = 12;
const PART: u64 = 300;
/// Work that sixteen entries count for, each time a letter is chosen.
const LOOKED_AT: u64 = 4;
/// What is written with fewer operations needs no letter.
const SHORT: u64 = 3;

/// Letters with what they stand for (each may contain those before it), and the expressions written with them.
pub(super) struct Abbreviated {
    pub letters: Vec<(Symbol, Expr)>,
    pub expressions: Vec<Expr>,
}

/// Writes the expressions with letters. `visible` are the symbols that no letter may hide.
pub(super) fn abbreviate(w: &mut Workbench, roots: &[Expr], visible: &[Symbol]) -> Abbreviated {
    if !is_worth_it(w, roots) {
        return Abbreviated { letters: Vec::new(), expressions: roots.to_vec() };
    }
    let definitions: Vec<(Expr, String)> = w.system.definitions.iter().map(|d| (d.expr, d.name.clone())).collect();
    let known: Vec<Expr> = definitions.iter().map(|d| d.0).collect();
    let together = unified(w, roots, &known);
    let (roots, known) = together.split_at(roots.len());
    let nodes = w.g.reachable(roots);
    // Sums under a root: the root is what gets the letter.
    let half = |x: &Rational| x.small().is_some_and(|(_, q)| q == 2);
    let mut radicands: FxHashSet<Expr> = FxHashSet::default();
    for &e in &nodes {
        if let Node::Product { factors, .. } = w.g.node(e) {
            radicands.extend(factors.iter().filter(|(_, x)| half(x)).map(|(b, _)| *b));
        }
    }
    let definitions: FxHashMap<Expr, String> =
        known.iter().zip(definitions).rev().map(|(&e, (_, name))| (e, name)).collect();
    let multiples = Multiples::among(&w.g, &nodes, &radicands);
    let named = choose(&mut w.g, &nodes, roots, visible, &definitions, &multiples);
    let mut letters: Vec<(Symbol, Expr)> = Vec::new();
    let mut written: FxHashMap<Expr, Expr> = FxHashMap::default();
    let mut roots_of: FxHashMap<Expr, Expr> = FxHashMap::default();
    for (i, &e) in nodes.iter().enumerate() {
        if multiples.first[i] != i && named.contains(&nodes[multiples.first[i]]) {
            continue; // written with the first of them
        }
        if !named.contains(&e) {
            let body = rebuilt(&mut w.g, e, &written, &roots_of);
            written.insert(e, body);
            continue;
        }
        let rooted = radicands.contains(&e);
        let meant = multiples.shortest(&w.g, &nodes, i, &definitions);
        let mut value = rebuilt(&mut w.g, nodes[meant], &written, &roots_of);
        let mut known = nodes[meant];
        if rooted {
            (value, known) = (w.g.sqrt(value), w.g.sqrt(known));
        }
        let symbol = letter(&mut w.g, definitions.get(&known).map(String::as_str), letters.len());
        letters.push((symbol, value));
        let symbol = w.g.symbol(symbol);
        if rooted {
            roots_of.insert(e, symbol);
            written.insert(e, w.g.mul(symbol, symbol));
            continue;
        }
        for &j in &multiples.all[i] {
            let factor = &multiples.factor[j] / &multiples.factor[meant];
            let factor = w.g.number(factor);
            written.insert(nodes[j], w.g.mul(factor, symbol));
        }
    }
    let expressions = roots.iter().map(|e| written[e]).collect();
    Abbreviated { letters, expressions }
}

/// Nodes of a form that fills books: whether it is worth it to look at them all is asked before.
const MANY: usize = 50_000;
/// Work that each node counts for.
const NODE: u64 = 50;

/// Is there work to look for letters? Every node is written at least once with them too, so what has far too many is out of reach.
fn is_worth_it(w: &mut Workbench, roots: &[Expr]) -> bool {
    let nodes = w.g.reachable(roots).len();
    let cost = NODE * nodes as u64;
    let work = &mut w.g.work;
    let worth = nodes <= MANY || cost <= work.left().max(work.effort.scale(LETTERS));
    work.charge(if worth { cost } else { nodes as u64 });
    worth
}

/// Parts of more operations are not compared: they become the same when their parts do.
const COMPARED: u64 = 60;
/// Work of one comparison.
const WORK: u64 = 40_000;

/// The expressions of both lists with equal parts written in one way, the shortest.
fn unified(w: &mut Workbench, roots: &[Expr], known: &[Expr]) -> Vec<Expr> {
    let mut all = roots.to_vec();
    all.extend(known);
    let mut nodes = w.g.reachable(&all);
    let options = Options {
        limits: Limits { normal_form_work: w.limits.normal_form_work.min(WORK), ..w.limits.clone() },
        ..Options::default()
    };
    let evaluator = FieldEvaluator::new(&mut w.g, &nodes, &options);
    let values = (0..200).find_map(|seed| evaluator.at(&w.g, &FieldPoint::new(seed)).ok());
    let Some(values) = values else { return all };
    let value: FxHashMap<Expr, crate::expr::field::Fp> = nodes.iter().copied().zip(values).collect();
    let mut cost: FxHashMap<Expr, u64> = FxHashMap::default();
    for &e in &nodes {
        let mut total = operations(w.g.node(e));
        w.g.node(e).for_each_child(|x| total = total.saturating_add(cost[&x]));
        cost.insert(e, total);
    }
    // Parts before the whole, and the shortest of several equal ones first.
    let marks = Marks::of(&w.g, &nodes);
    nodes.arrange_by_key(|e| (cost[e], marks.depth[e], marks.mark[e], *e));
    let mut first: FxHashMap<u64, Expr> = FxHashMap::default();
    let mut written: FxHashMap<Expr, Expr> = FxHashMap::default();
    for &e in &nodes {
        let v = value[&e];
        let same = [(v, false), (-v, true)].into_iter().find_map(|(v, minus)| Some((*first.get(&v.value())?, minus)));
        let mut new = w.g.rebuild(e, |x| written[&x]);
        if let Some((other, minus)) = same.filter(|_| (SHORT..=COMPARED).contains(&cost[&e])) {
            let other = if minus { w.g.neg(written[&other]) } else { written[&other] };
            let difference = w.g.sub(new, other);
            if w.g.is_zero(difference) || Normalizer::new(options.clone()).is_zero(&mut w.g, difference) == Ok(true) {
                new = other;
            }
        } else if same.is_none() {
            first.insert(v.value(), e);
        }
        written.insert(e, new);
    }
    all.iter().map(|e| written[e]).collect()
}

/// The node over its children as they are written; powers of sums whose root has a letter r are powers of r.
fn rebuilt(g: &mut Arena, e: Expr, written: &FxHashMap<Expr, Expr>, roots: &FxHashMap<Expr, Expr>) -> Expr {
    let Node::Product { coefficient, factors } = g.node(e) else { return g.rebuild(e, |x| written[&x]) };
    let coefficient = coefficient.clone();
    let factors: Vec<(Expr, Rational)> = factors
        .iter()
        .map(|(b, x)| match roots.get(b) {
            Some(&r) => (r, x * &Rational::integer(2)),
            None => (written[b], x.clone()),
        })
        .collect();
    g.powers(coefficient, factors)
}

/// The name of the definition, or k₁, k₂, …; another letter where the model uses that one.
fn letter(g: &mut Arena, definition: Option<&str>, index: usize) -> Symbol {
    let free = |g: &Arena, name: &str| g.lookup(name).is_none_or(|s| g.role(s) == Role::Other);
    if let Some(name) = definition.filter(|name| free(g, name)) {
        return g.declare(name, Role::Other);
    }
    let name = ["k", "s", "h", "e", "abbreviation"].iter().map(|p| format!("{p}{}", index + 1)).find(|n| free(g, n));
    g.declare(&name.unwrap_or_else(|| format!("abbreviation_{}", index + 1)), Role::Other)
}

/// What nodes are made of, whatever the order in which they arose: where letters are worth the same, this decides.
struct Marks {
    mark: FxHashMap<Expr, u64>,
    depth: FxHashMap<Expr, usize>,
}

impl Marks {
    fn of(g: &Arena, nodes: &[Expr]) -> Marks {
        let mut marks = Marks { mark: FxHashMap::default(), depth: FxHashMap::default() };
        for &e in nodes {
            let node = g.node(e);
            let (mut parts, mut depth) = (Vec::new(), 0);
            node.for_each_child(|c| {
                parts.push(marks.mark[&c]);
                depth = depth.max(marks.depth[&c] + 1);
            });
            let mark = match node {
                Node::Number(n) => of_number(n),
                Node::Symbol(s) => of_text(g.name(*s)),
                Node::Sum { constant: number, terms: list } | Node::Product { coefficient: number, factors: list } => {
                    parts = list.iter().map(|(x, n)| mixed(marks.mark[x], of_number(n))).collect();
                    parts.arrange();
                    mixed(of_number(number), u64::from(matches!(node, Node::Sum { .. })))
                }
                Node::Call(f, _) => of_text(&format!("{f:?}")),
                Node::Table(table, order, _) => mixed(u64::from(table.0), u64::from(*order)),
                Node::Power(..) | Node::Atan2(..) | Node::Unspecified(..) | Node::Undefined => 0,
            };
            marks.mark.insert(e, parts.into_iter().fold(mark, mixed));
            marks.depth.insert(e, depth);
        }
        marks
    }
}

fn of_number(n: &Rational) -> u64 {
    n.small().map_or_else(|| of_text(&n.to_string()), |(p, q)| mixed(p as u64, q as u64))
}

fn of_text(text: &str) -> u64 {
    text.bytes().fold(0, |mark, byte| mixed(mark, u64::from(byte)))
}

/// The same on every machine.
fn mixed(a: u64, b: u64) -> u64 {
    (a.rotate_left(23) ^ b).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Sums that are multiples of each other, by their places among the nodes.
struct Multiples {
    /// The first sum of which this is a multiple; what is no sum is its own.
    first: Vec<usize>,
    /// What it is a multiple by, of the sum whose first coefficient is one.
    factor: Vec<Rational>,
    /// For the first: all of them.
    all: Vec<Vec<usize>>,
}

impl Multiples {
    /// `alone` are nodes that are not looked at.
    fn among(g: &Arena, nodes: &[Expr], alone: &FxHashSet<Expr>) -> Multiples {
        let mut known: FxHashMap<Vec<(Expr, Rational)>, usize> = FxHashMap::default();
        let mut first: Vec<usize> = (0..nodes.len()).collect();
        let mut factor = vec![Rational::ONE; nodes.len()];
        let mut all: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
        for (i, &e) in nodes.iter().enumerate() {
            if let Node::Sum { constant, terms } = g.node(e)
                && !alone.contains(&e)
            {
                factor[i] = terms[0].1.clone();
                let mut unit: Vec<(Expr, Rational)> = terms.iter().map(|(t, c)| (*t, c / &factor[i])).collect();
                unit.push((g.one(), constant / &factor[i]));
                first[i] = *known.entry(unit).or_insert(i);
            }
            all[first[i]].push(i);
        }
        Multiples { first, factor, all }
    }

    /// The multiple that a letter stands for: a definition of the author, or what is shortest to write.
    fn shortest(&self, g: &Arena, nodes: &[Expr], first: usize, definitions: &FxHashMap<Expr, String>) -> usize {
        let negative = |e: Expr| match g.node(e) {
            Node::Sum { terms, .. } => terms.iter().filter(|(_, c)| c.is_negative()).count(),
            _ => 0,
        };
        let length =
            |i: usize| (!definitions.contains_key(&nodes[i]), operations(g.node(nodes[i])), negative(nodes[i]));
        self.all[first].iter().copied().min_by_key(|&i| length(i)).unwrap_or(first)
    }
}

/// The nodes that get a letter; of multiples the first.
fn choose(
    g: &mut Arena,
    nodes: &[Expr],
    roots: &[Expr],
    visible: &[Symbol],
    definitions: &FxHashMap<Expr, String>,
    multiples: &Multiples,
) -> FxHashSet<Expr> {
    let seen: FxHashSet<Expr> = g.depending(roots, visible).into_iter().collect();
    let hidden: Vec<usize> = (0..nodes.len()).filter(|&i| !seen.contains(&nodes[i])).collect();
    let index: FxHashMap<Expr, usize> = nodes.iter().enumerate().map(|(i, &e)| (e, i)).collect();
    // What nobody may hide is written as it stands, whatever gets a letter: it is looked at once.
    let mut occurrences = vec![0u64; nodes.len()];
    roots.iter().for_each(|e| occurrences[index[e]] += 1);
    let (mut shown, mut entries) = (0u64, nodes.len());
    for (i, &e) in nodes.iter().enumerate().rev() {
        let (n, is_shown) = (occurrences[i], seen.contains(&e));
        if is_shown {
            shown = shown.saturating_add(n.saturating_mul(operations(g.node(e))));
        }
        g.node(e).for_each_child(|c| {
            entries += 1;
            if is_shown {
                let c = index[&c];
                occurrences[c] = occurrences[c].saturating_add(n);
            }
        });
    }
    // From here on by the places among what may be hidden; parts of it may be hidden too.
    let place: FxHashMap<usize, usize> = hidden.iter().enumerate().map(|(place, &i)| (i, place)).collect();
    let first: Vec<usize> = hidden.iter().map(|&i| place[&multiples.first[i]]).collect();
    let own: Vec<u64> = hidden.iter().map(|&i| operations(g.node(nodes[i]))).collect();
    let from_shown: Vec<u64> = hidden.iter().map(|&i| occurrences[i]).collect();
    let is_defined = |i: &usize| multiples.all[*i].iter().any(|&j| definitions.contains_key(&nodes[j]));
    let defined: Vec<bool> = hidden.iter().map(is_defined).collect();
    let marks: Vec<u64> = {
        let marks = Marks::of(g, nodes);
        hidden.iter().map(|&i| marks.mark[&nodes[i]]).collect()
    };
    // The children of all nodes, one list after the other: for every letter they are all looked at twice.
    let mut list: Vec<u32> = Vec::new();
    let mut ends: Vec<usize> = Vec::with_capacity(hidden.len());
    for &i in &hidden {
        g.node(nodes[i]).for_each_child(|c| list.push(place[&index[&c]] as u32));
        ends.push(list.len());
    }
    let children = |i: usize| list[if i == 0 { 0 } else { ends[i - 1] }..ends[i]].iter().map(|&c| c as usize);
    let pass = LOOKED_AT * entries as u64 / 16;
    let mut named: FxHashSet<Expr> = FxHashSet::default();
    let mut own_letters = 0;
    let mut is_named = vec![false; hidden.len()];
    let enough = g.work.done().saturating_add(g.work.effort.scale(LETTERS));
    while named.len() < MOST {
        if g.work.is_over() && g.work.done() >= enough {
            break;
        }
        g.work.charge(pass);
        let mut cost = own.clone();
        for i in 0..hidden.len() {
            for c in children(i).filter(|&c| !is_named[first[c]]) {
                cost[i] = cost[i].saturating_add(cost[c]);
            }
        }
        let mut occurrences = from_shown.clone();
        // With those of the multiples.
        let mut together = vec![0u64; hidden.len()];
        let mut total = shown;
        for i in (0..hidden.len()).rev() {
            together[first[i]] = together[first[i]].saturating_add(occurrences[i]);
            // A letter is explained once, however often it is used.
            let n = match (is_named[first[i]], first[i] == i) {
                (false, _) => occurrences[i],
                (true, true) => together[i].min(1),
                (true, false) => 0,
            };
            total = total.saturating_add(n.saturating_mul(own[i]));
            for c in children(i) {
                occurrences[c] = occurrences[c].saturating_add(n);
            }
        }
        let gain = |i: usize| together[i].saturating_sub(1).saturating_mul(cost[i]);
        let best = (0..hidden.len())
            .filter(|&i| first[i] == i && !is_named[i] && cost[i] >= SHORT)
            .filter(|&i| gain(i) >= if defined[i] { LEAST } else { LEAST.max(total / PART) })
            .max_by_key(|&i| (defined[i], gain(i), marks[i], std::cmp::Reverse(i)));
        let Some(i) = best else { break };
        if !defined[i] {
            if own_letters == DOZEN && total <= PAGES {
                break;
            }
            own_letters += 1;
        }
        is_named[i] = true;
        named.insert(nodes[hidden[i]]);
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::tests::free;

    /// Σ qᵢ over some coordinates.
    fn sum(w: &mut Workbench, range: std::ops::Range<usize>) -> Expr {
        let terms: Vec<Expr> = range.map(|i| w.g.symbol(w.system.coordinates[i])).collect();
        w.g.sum(terms)
    }

    fn written_back(w: &mut Workbench, a: &Abbreviated) -> Vec<Expr> {
        let mut map = FxHashMap::default();
        for &(s, e) in &a.letters {
            let e = w.g.substitute(e, &map);
            map.insert(s, e);
        }
        a.expressions.iter().map(|&e| w.g.substitute(e, &map)).collect()
    }

    #[test]
    fn what_occurs_often_gets_a_letter_that_stands_for_it() {
        let model = free(30);
        let mut w = model.workbench();
        let part = sum(&mut w, 0..8);
        let roots: Vec<Expr> = (8..14)
            .map(|i| {
                let q = w.g.symbol(w.system.coordinates[i]);
                let sine = w.g.sin(q);
                w.g.mul(sine, part)
            })
            .collect();
        let found = abbreviate(&mut w, &roots, &[]);
        assert_eq!(found.letters.len(), 1);
        assert_eq!(found.letters[0].1, part);
        assert_eq!(written_back(&mut w, &found), roots);
        // Nothing that contains an unknown is hidden.
        let visible = [w.system.coordinates[3]];
        assert!(abbreviate(&mut w, &roots, &visible).letters.is_empty());
    }

    #[test]
    fn where_a_sum_stands_under_square_roots_the_root_gets_the_letter() {
        let model = free(30);
        let mut w = model.workbench();
        let part = sum(&mut w, 0..8);
        let root = w.g.sqrt(part);
        let roots: Vec<Expr> = (8..14)
            .map(|i| {
                let q = w.g.symbol(w.system.coordinates[i]);
                if i % 2 == 0 { w.g.mul(q, root) } else { w.g.div(q, root) }
            })
            .collect();
        let found = abbreviate(&mut w, &roots, &[]);
        assert_eq!(found.letters.iter().map(|l| l.1).collect::<Vec<_>>(), [root]);
        assert_eq!(written_back(&mut w, &found), roots);
    }

    #[test]
    fn equal_parts_that_were_written_differently_are_written_in_one_way() {
        let model = free(30);
        let mut w = model.workbench();
        let [a, b, c] = [0, 1, 2].map(|i| w.g.symbol(w.system.coordinates[i]));
        let (ab, ac, bc) = (w.g.mul(a, b), w.g.mul(a, c), w.g.add(b, c));
        let (expanded, factored) = (w.g.add(ab, ac), w.g.mul(a, bc));
        let (first, second) = (w.g.sin(expanded), w.g.sin(factored));
        let opposite = w.g.neg(expanded);
        let third = w.g.cos(opposite);
        let together = unified(&mut w, &[first, second, third], &[]);
        let cosine = w.g.cos(factored);
        assert_eq!(together[0], together[1]);
        assert_eq!(together[2], cosine, "what is equal but for its sign");
    }

    #[test]
    fn a_sum_and_its_multiples_share_one_letter() {
        let model = free(30);
        let mut w = model.workbench();
        let part = sum(&mut w, 0..8);
        let roots: Vec<Expr> = (8..14)
            .map(|i| {
                let q = w.g.symbol(w.system.coordinates[i]);
                let factor = w.g.integer([1, -1, 2][i % 3]);
                let multiple = w.g.mul(factor, part);
                let sine = w.g.sin(q);
                w.g.mul(sine, multiple)
            })
            .collect();
        let found = abbreviate(&mut w, &roots, &[]);
        assert_eq!(found.letters.len(), 1);
        assert_eq!(found.letters[0].1, part, "the shortest of them is explained");
        // −k·sin q is what (−q₀ − …)·sin q was, with the sign in front.
        for (back, root) in written_back(&mut w, &found).into_iter().zip(roots) {
            let difference = w.g.sub(back, root);
            assert_eq!(Normalizer::new(Options::default()).is_zero(&mut w.g, difference), Ok(true));
        }
    }

    #[test]
    fn what_fills_books_gets_no_letters_where_no_work_is_left() {
        let model = free(30);
        let mut w = model.workbench();
        let part = sum(&mut w, 0..8);
        let mut sines = |n: i64| -> Vec<Expr> {
            (2..n)
                .map(|i| {
                    let shift = w.g.integer(i);
                    let shifted = w.g.add(part, shift);
                    let sine = w.g.sin(shifted);
                    w.g.mul(part, sine)
                })
                .collect()
        };
        let (few, many) = (sines(50), sines(LETTERS as i64 / NODE as i64 / 2));
        w.g.work.limit(0);
        assert_eq!(abbreviate(&mut w, &few, &[]).letters.len(), 1);
        let found = abbreviate(&mut w, &many, &[]);
        assert!(found.letters.is_empty() && found.expressions == many);
    }

    #[test]
    fn a_reader_keeps_a_dozen_letters_in_mind_and_is_not_given_more() {
        let model = free(30);
        let mut w = model.workbench();
        // Fifteen parts, each worth a letter of its own.
        let mut roots = Vec::new();
        for i in 0..15 {
            let (a, b) = (w.g.symbol(w.system.coordinates[2 * i]), w.g.symbol(w.system.coordinates[2 * i + 1]));
            let (sine, cosine) = (w.g.sin(a), w.g.cos(b));
            let pair = w.g.add(sine, cosine);
            let part = w.g.sin(pair);
            for k in 0..8 {
                let factor = w.g.symbol(w.system.coordinates[k]);
                roots.push(w.g.mul(part, factor));
            }
        }
        let found = abbreviate(&mut w, &roots, &[]);
        assert_eq!(found.letters.len(), DOZEN);
        assert_eq!(written_back(&mut w, &found), roots);
    }

    #[test]
    fn a_definition_of_the_author_keeps_its_name_whatever_multiple_of_it_occurs() {
        let names: Vec<String> = (0..12).map(|i| format!("q{i}")).collect();
        let model: crate::model::Model = format!(
            "noslip = 1\n[system]\ncoordinates = {names:?}\n[energy]\nkinetic = \"q0'^2\"\n\
             [definitions]\nS = \"3*q0 - 3*q1 + 3*q2 - 3*q3 + 3*q4\"\n"
        )
        .parse()
        .unwrap_or_else(|e| panic!("{e:?}"));
        let mut w = model.workbench();
        let defined = w.system.definitions[0].expr;
        let roots: Vec<Expr> = (5..12)
            .map(|i| {
                let q = w.g.symbol(w.system.coordinates[i]);
                // The definition itself, and a third of it, which is shorter to write.
                let factor = w.g.fraction(1, if i % 2 == 0 { 1 } else { 3 });
                let multiple = w.g.mul(factor, defined);
                let sine = w.g.sin(q);
                w.g.mul(sine, multiple)
            })
            .collect();
        let found = abbreviate(&mut w, &roots, &[]);
        let letters: Vec<(&str, Expr)> = found.letters.iter().map(|&(s, e)| (w.g.name(s), e)).collect();
        assert_eq!(letters, [("S", defined)]);
    }

    #[test]
    fn letters_do_not_depend_on_the_order_in_which_parts_arose() {
        let letters = |backwards: bool| {
            let model = free(10);
            let mut w = model.workbench();
            let [a, b] = [0, 1].map(|i| w.g.symbol(w.system.coordinates[i]));
            let mut numbers: Vec<i64> = (2..30).collect();
            if backwards {
                numbers.reverse();
            }
            // Parts that differ by a number only, each worth as much as the others: there are letters for a dozen.
            let parts: Vec<Expr> = numbers
                .iter()
                .map(|&n| {
                    let (number, cosine) = (w.g.integer(n), w.g.cos(b));
                    let multiple = w.g.mul(number, a);
                    let both = w.g.add(multiple, cosine);
                    w.g.sin(both)
                })
                .collect();
            let mut roots = Vec::new();
            for part in parts {
                for k in 2..10 {
                    let q = w.g.symbol(w.system.coordinates[k]);
                    roots.push(w.g.mul(part, q));
                }
            }
            let found = abbreviate(&mut w, &roots, &[]);
            let printer = crate::expr::Printer::new(crate::expr::Style::Text);
            let mut texts: Vec<String> = found
                .letters
                .iter()
                .map(|&(_, e)| printer.print(&w.g, &crate::expr::Tree::of(&w.g, e, &w.limits).expect("short")))
                .collect();
            texts.sort();
            texts
        };
        let forwards = letters(false);
        assert_eq!(forwards.len(), DOZEN);
        assert_eq!(forwards, letters(true));
    }
}
