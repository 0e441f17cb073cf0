//! Constraints that say nothing new are left out.
//!
//! Identities are proved (or tested in the prime field) to be identities. That a constraint follows from those before it is suspected
//! at states that satisfy the holonomic ones, in floating point: at several of them its row is a combination of the rows kept. It is
//! decided exactly: the rank in the prime field does not grow, and the minors of the rows it is made of vanish. What is a combination
//! only where holonomic constraints hold is tested at random points of the prime field that lie on them; where none can be drawn it
//! is left out by the numbers alone. The note says how it is known.

// `!(size <= limit)` is meant to be true for NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use super::contacts::Added;
use super::layer::{Layer, Where};
use super::members;
use crate::arrange::Arrange;
use crate::expr::field::{self, Fp, SplitMix};
use crate::expr::zero::triangular::{solve_steps, triangular};
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Assignment, Evaluator, Expr, Role, Symbol};
use crate::source::{Entry, Item, Value};

/// States at which dependence is looked at.
const STATES: usize = 4;
/// Points of the prime field that must agree, and how many are tried.
const POINTS: usize = 3;
const POINTS_TRIED: u64 = 60;
/// Rows of which a combination may be made for its minors to be written down.
const MINORS: usize = 4;
/// A row is a combination of others when this part of it, at most, is left over.
const DEPENDENT: f64 = 1e-8;

/// A constraint made ready for numbers: its value and its row, the part without velocities last.
struct Row {
    holonomic: bool,
    evaluator: Evaluator,
    /// The coefficients, and the part without velocities.
    entries: Vec<Expr>,
    /// The left side itself.
    meaning: Expr,
}

/// How it is known that a constraint follows from others.
#[derive(Clone, Copy, PartialEq)]
enum Follows {
    /// Its row is the same combination of theirs everywhere.
    Everywhere,
    /// Where the holonomic ones hold: at random points of the prime field on them.
    WhereTheyHold,
    /// Where the holonomic ones hold, as far as numbers tell.
    AsFarAsNumbersTell,
}

impl Layer<'_> {
    /// Goes through the constraints of the layer in order, and keeps those that say something new.
    pub(super) fn leave_out(&mut self, entries: &[Entry]) {
        let mut kept_rows: Vec<Row> = Vec::new();
        for e in members(entries, "constraints") {
            let equation = e.item.value.get("equation").map_or(&e.item, |x| &x.item);
            if let Some(expr) = self.read_equation(equation) {
                kept_rows.extend(self.row(expr));
            }
        }
        if !self.findings.errors.is_empty() {
            return;
        }
        let mut kept = Vec::new();
        for added in std::mem::take(&mut self.added) {
            if self.vanishes(added.expr) {
                let message = format!("constraint `{}` holds by itself and is left out", added.name);
                self.note(&added.span, message, "the coordinates already say it");
                self.left_out.push(added);
                continue;
            }
            if self.order_of(added.expr).is_none() {
                let message = format!("constraint `{}` can never hold: it contains no coordinate", added.name);
                let error = crate::error::Error::input(message).at(added.span.clone());
                self.error(error.hint("look at the places and sizes of what it connects"));
                continue;
            }
            let Some(row) = self.row(added.expr) else {
                kept.push(added);
                continue;
            };
            if let Some(how) = self.follows(&kept_rows, &row) {
                let message = format!("constraint `{}` follows from those before it and is left out", added.name);
                let hint = match how {
                    Follows::Everywhere => "two wheels on one axle, say: their forces cannot be told apart",
                    Follows::WhereTheyHold => {
                        "so it is at three random points of a prime field where they hold: wrong with a chance below 10⁻³⁰"
                    }
                    Follows::AsFarAsNumbersTell => {
                        "so it is at four states where they hold, to eight digits; no proof was found"
                    }
                };
                self.note(&added.span, message, hint);
                self.left_out.push(added);
                continue;
            }
            kept_rows.push(row);
            kept.push(added);
        }
        self.added = kept;
        self.unit_quaternions(entries);
    }

    /// Quaternions of coordinates stay of length one, unless the author has said so.
    fn unit_quaternions(&mut self, entries: &[Entry]) {
        for (name, span, parts) in std::mem::take(&mut self.units) {
            let squares = parts.map(|x| self.arena.square(x));
            let sum = self.arena.sum(squares);
            let expr = self.arena.sub(sum, self.arena.one());
            let mut said = false;
            for e in members(entries, "constraints") {
                let equation = e.item.value.get("equation").map_or(&e.item, |x| &x.item);
                let Some(theirs) = self.read_equation(equation) else { continue };
                let theirs = self.meaning(theirs);
                // A multiple of it: compare at a place where both are not zero.
                let symbols: Vec<Symbol> = self.arena.free_symbols(&[theirs]);
                if symbols != self.arena.free_symbols(&[expr]) {
                    continue;
                }
                let zeros = self.arena.without(theirs, &symbols);
                let scaled = self.arena.mul(zeros, expr);
                let sum = self.arena.add(scaled, theirs);
                said |= self.vanishes(sum);
            }
            if !said {
                let name = format!("{name}_unit");
                let contact = None;
                let added = Added { name, span, expr, contact, direction: None, holonomic: true, touches: false };
                self.added.insert(0, added);
            }
        }
    }

    /// Left side − right side of an equation of the author.
    pub(super) fn read_equation(&mut self, item: &Item) -> Option<Expr> {
        let Value::String(text) = &item.value else { return None };
        let kept = std::mem::take(&mut self.findings);
        // Mistakes are the loader's to report; the two sides are read as expressions of their own.
        let place = Where { what: "a constraint", order: Some(2) };
        let sides: Vec<Option<Expr>> = text
            .splitn(2, '=')
            .map(|side| {
                let item = Item { span: item.span.clone(), value: Value::String(side.to_owned()) };
                self.read(&item, place)
            })
            .collect();
        self.findings = kept;
        match sides[..] {
            [Some(a)] => Some(a),
            [Some(a), Some(b)] => Some(self.arena.sub(a, b)),
            _ => None,
        }
    }

    fn row(&mut self, expr: Expr) -> Option<Row> {
        let meaning = self.meaning(expr);
        let order = self.order_of(meaning)?;
        let mut symbols = self.coordinates.clone();
        for _ in 0..order {
            symbols = symbols.into_iter().map(|s| self.arena.dot(s)).collect();
        }
        let mut row: Vec<Expr> = symbols.iter().map(|&s| self.arena.diff(meaning, s)).collect();
        let rest = match order {
            0 => self.arena.diff(meaning, self.arena.time()),
            _ => self.arena.without(meaning, &symbols),
        };
        row.push(rest);
        let entries = row.clone();
        row.push(meaning);
        Some(Row { holonomic: order == 0, evaluator: Evaluator::new(&self.arena, &row), entries, meaning })
    }

    /// Does a row follow from others?
    fn follows(&mut self, known: &[Row], row: &Row) -> Option<Follows> {
        if !self.seems_to_follow(known, row) {
            return None;
        }
        Some(if self.is_combination(known, row) {
            Follows::Everywhere
        } else if self.follows_where_they_hold(known, row) {
            Follows::WhereTheyHold
        } else {
            Follows::AsFarAsNumbersTell
        })
    }

    /// Is a row a combination of others, and a holonomic one satisfied, at points of the prime field on the holonomic constraints? The
    /// parameters are letters there, and equations may be solved for them: then it is so whatever their values are.
    fn follows_where_they_hold(&mut self, known: &[Row], row: &Row) -> bool {
        let holonomic: Vec<Expr> = known.iter().filter(|r| r.holonomic).map(|r| r.meaning).collect();
        // The last is solved for first.
        let mut symbols = self.arena.free_symbols(&holonomic);
        symbols.retain(|&s| matches!(self.arena.role(s), Role::Parameter | Role::Coordinate));
        symbols.arrange_by_key(|&s| (self.arena.role(s) == Role::Coordinate, s));
        let limits = self.limits.clone();
        let Some(steps) = triangular(&mut self.arena, holonomic, &symbols, &limits) else { return false };
        let width = row.entries.len();
        let mut all: Vec<Expr> = known.iter().chain([row]).flat_map(|r| r.entries.iter().copied()).collect();
        if row.holonomic {
            all.push(row.meaning);
        }
        let evaluator = FieldEvaluator::new(&mut self.arena, &all, &Default::default());
        let mut seen = 0;
        for seed in 0..POINTS_TRIED {
            let mut point = FieldPoint::new(seed);
            if solve_steps(&self.arena, &mut point, &steps).is_none() {
                continue;
            }
            let Ok(values) = evaluator.at(&self.arena, &point) else { continue };
            let (rows, own) = values.split_at(width * known.len());
            let columns: Vec<Vec<Fp>> = (0..width).map(|j| rows.chunks(width).map(|r| r[j]).collect()).collect();
            if field::solve(&columns, &own[..width]).is_none() || own[width..].iter().any(|v| !v.is_zero()) {
                return false;
            }
            seen += 1;
            if seen == POINTS {
                return true;
            }
        }
        false
    }

    /// Is a row a combination of others at every position? Those it is made of are found in the prime field; then its minors with
    /// them must vanish.
    fn is_combination(&mut self, known: &[Row], row: &Row) -> bool {
        // A holonomic constraint is more than its gradient.
        if row.holonomic {
            return false;
        }
        let width = row.entries.len();
        let rows: Vec<&[Expr]> = known.iter().map(|r| &r.entries[..]).chain([&row.entries[..]]).collect();
        let all: Vec<Expr> = rows.concat();
        let evaluator = FieldEvaluator::new(&mut self.arena, &all, &Default::default());
        let mut parts: Option<Vec<usize>> = None;
        let mut seen = 0;
        for seed in 0..POINTS_TRIED {
            let Ok(values) = evaluator.at(&self.arena, &FieldPoint::new(seed)) else { continue };
            let numbers: Vec<Vec<Fp>> = values.chunks(width).map(<[Fp]>::to_vec).collect();
            let (others, own) = numbers.split_at(known.len());
            let columns: Vec<Vec<Fp>> = (0..width).map(|j| others.iter().map(|r| r[j]).collect()).collect();
            let Some(solution) = field::solve(&columns, &own[0]) else { return false };
            parts.get_or_insert_with(|| (0..known.len()).filter(|&i| !solution[i].is_zero()).collect());
            seen += 1;
            if seen == POINTS {
                break;
            }
        }
        let Some(parts) = parts.filter(|_| seen == POINTS) else { return false };
        // Beyond that the minors are long, and the prime field has to do.
        parts.len() > MINORS || self.minors_vanish(&parts.iter().map(|&i| rows[i]).collect::<Vec<_>>(), &row.entries)
    }

    /// Do all minors of a row with others that have full rank vanish?
    fn minors_vanish(&mut self, others: &[&[Expr]], row: &[Expr]) -> bool {
        let k = others.len();
        // Columns in which the others have full rank.
        let all: Vec<Expr> = others.concat();
        let evaluator = FieldEvaluator::new(&mut self.arena, &all, &Default::default());
        let values = (0..POINTS_TRIED).find_map(|seed| evaluator.at(&self.arena, &FieldPoint::new(seed)).ok());
        let Some(values) = values else { return false };
        let mut numbers: Vec<Vec<Fp>> = values.chunks(row.len()).map(<[Fp]>::to_vec).collect();
        let pivots = field::row_reduce(&mut numbers);
        if pivots.len() < k {
            return false;
        }
        for column in (0..row.len()).filter(|c| !pivots.contains(c)) {
            let pick = |r: &[Expr]| pivots.iter().chain([&column]).map(|&c| r[c]).collect::<Vec<_>>();
            let mut matrix: Vec<Vec<Expr>> = others.iter().map(|r| pick(r)).collect();
            matrix.push(pick(row));
            let minor = self.arena.determinant(&matrix);
            if !self.vanishes(minor) {
                return false;
            }
        }
        true
    }

    /// Is a row a combination of others wherever one looks, in numbers?
    fn seems_to_follow(&mut self, known: &[Row], row: &Row) -> bool {
        if known.is_empty() {
            return false;
        }
        let generic = (0..STATES).map(|seed| basis_of(known, &self.state_beside(seed as u64)).len()).max().unwrap_or(0);
        for state in 0..STATES {
            let Some(at) = self.state_on(known, state as u64) else { return false };
            let basis = basis_of(known, &at);
            // Where those before lose rank, numbers say nothing.
            if basis.len() < generic {
                return false;
            }
            let values = |r: &Row| r.evaluator.evaluate(&at, &|_, _, _| f64::NAN);
            let mut v = values(row);
            let value = v.pop().unwrap_or(f64::NAN);
            let size = norm(&v);
            orthogonal(&mut v, &basis);
            let left = norm(&v);
            // Where a holonomic constraint has no gradient, its value alone counts.
            let flat = row.holonomic && size < 1e-6;
            if !(left <= DEPENDENT * size.max(1e-300) || flat) || row.holonomic && !(value.abs() < 1e-9) {
                return false;
            }
        }
        true
    }

    /// A state beside the initial one.
    fn state_beside(&mut self, seed: u64) -> Assignment {
        let mut at = self.initial.clone();
        let mut random = SplitMix::new(seed);
        let mut next = || random.unit() - 0.5;
        let coordinates = self.coordinates.clone();
        for &q in &coordinates {
            at.set(q, at.get(q) + 0.6 * next());
            let v = self.arena.dot(q);
            at.set(v, 2.0 * next());
            let a = self.arena.dot(v);
            at.set(a, 2.0 * next());
        }
        at
    }

    /// A state beside the initial one that satisfies the holonomic constraints.
    fn state_on(&mut self, known: &[Row], seed: u64) -> Option<Assignment> {
        let mut at = self.state_beside(seed);
        let coordinates = self.coordinates.clone();
        let n = coordinates.len();
        for _ in 0..60 {
            let rows: Vec<Vec<f64>> =
                known.iter().filter(|r| r.holonomic).map(|r| r.evaluator.evaluate(&at, &|_, _, _| f64::NAN)).collect();
            if rows.iter().flatten().any(|x| !x.is_finite()) {
                return None;
            }
            let worst = rows.iter().map(|r| r[n + 1].abs()).fold(0.0, f64::max);
            if worst < 1e-11 {
                return Some(at);
            }
            // Steps along one gradient after the other, each made orthogonal to those before.
            let mut basis: Vec<(Vec<f64>, f64)> = Vec::new();
            let mut step = vec![0.0; n];
            for r in &rows {
                let mut g = r[..n].to_vec();
                let mut residual = r[n + 1];
                for (b, rb) in &basis {
                    let c: f64 = g.iter().zip(b).map(|(x, y)| x * y).sum();
                    g.iter_mut().zip(b).for_each(|(x, y)| *x -= c * y);
                    residual -= c * rb;
                }
                let size = norm(&g);
                if size < 1e-12 {
                    continue;
                }
                g.iter_mut().for_each(|x| *x /= size);
                residual /= size;
                step.iter_mut().zip(&g).for_each(|(s, x)| *s -= residual * x);
                basis.push((g, residual));
            }
            for (i, &q) in coordinates.iter().enumerate() {
                at.set(q, at.get(q) + step[i]);
            }
        }
        None
    }
}

/// Directions that the rows span at a state.
fn basis_of(rows: &[Row], at: &Assignment) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for r in rows {
        let mut v = r.evaluator.evaluate(at, &|_, _, _| f64::NAN);
        v.pop();
        orthogonal(&mut v, &basis);
        basis.extend(normalised(v));
    }
    basis
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn orthogonal(v: &mut [f64], basis: &[Vec<f64>]) {
    // Twice is enough.
    for _ in 0..2 {
        for b in basis {
            let c: f64 = v.iter().zip(b).map(|(x, y)| x * y).sum();
            v.iter_mut().zip(b).for_each(|(x, y)| *x -= c * y);
        }
    }
}

fn normalised(mut v: Vec<f64>) -> Option<Vec<f64>> {
    let size = norm(&v);
    if !(size > 1e-10) {
        return None;
    }
    v.iter_mut().for_each(|x| *x /= size);
    Some(v)
}

#[cfg(test)]
mod tests {
    use super::super::spec::Specs;
    use super::*;
    use crate::limits::Limits;
    use crate::source::Written;

    #[test]
    fn states_beside_the_initial_one_are_near_it_and_in_any_motion() {
        let (limits, specs, written) = (Limits::default(), Specs::default(), Written::default());
        let mut layer = Layer::new("", &limits, &specs, &written);
        let symbols: Vec<[Symbol; 3]> = ["x", "y"]
            .into_iter()
            .map(|name| {
                let q = layer.arena.declare(name, Role::Coordinate);
                layer.coordinates.push(q);
                layer.initial.set(q, 5.0);
                let v = layer.arena.dot(q);
                [q, v, layer.arena.dot(v)]
            })
            .collect();
        let states: Vec<Assignment> = (0..20).map(|seed| layer.state_beside(seed)).collect();
        for (order, centre, spread) in [(0, 5.0, 0.3), (1, 0.0, 1.0), (2, 0.0, 1.0)] {
            let drawn = states.iter().flat_map(|at| symbols.iter().map(|s| (at.get(s[order]) - centre) / spread));
            let drawn: Vec<f64> = drawn.collect();
            assert!(drawn.iter().all(|x| x.abs() <= 1.0), "{order}: {drawn:?}");
            assert!(drawn.iter().any(|x| *x > 0.7) && drawn.iter().any(|x| *x < -0.7), "{order}: {drawn:?}");
        }
    }

    #[test]
    fn what_is_left_beside_a_basis_is_orthogonal_to_it_and_a_unit_or_nothing() {
        let basis = [vec![0.6, 0.8, 0.0], vec![0.0, 0.0, 1.0]];
        let mut v = vec![1.0, 2.0, 3.0];
        orthogonal(&mut v, &basis);
        // (1, 2, 3) less 2.2 of the first and 3 of the second.
        for (found, expected) in v.iter().zip([1.0 - 2.2 * 0.6, 2.0 - 2.2 * 0.8, 0.0]) {
            assert!((found - expected).abs() < 1e-15, "{v:?}");
        }
        assert!((norm(&[3.0, -4.0, 12.0]) - 13.0).abs() < 1e-15);
        assert_eq!(normalised(vec![0.0, -5.0]), Some(vec![0.0, -1.0]));
        assert_eq!((normalised(vec![1e-11, 0.0]), normalised(vec![f64::NAN])), (None, None));
    }

    #[test]
    fn a_state_is_moved_onto_the_holonomic_constraints() {
        let (limits, specs, written) = (Limits::default(), Specs::default(), Written::default());
        let mut layer = Layer::new("", &limits, &specs, &written);
        for (name, value) in [("x", 3.0), ("y", 4.0), ("z", 1.0)] {
            let q = layer.arena.declare(name, Role::Coordinate);
            layer.coordinates.push(q);
            layer.initial.set(q, value);
            let v = layer.arena.dot(q);
            layer.arena.dot(v);
        }
        let mut read = |text: &str| {
            crate::expr::parse_expression(&mut layer.arena, text, &mut crate::expr::Declared, &limits)
                .expect("an expression")
        };
        let list = ["x^2 + y^2 - 25", "z*x - 3", "x' - y'"].map(&mut read);
        let rows: Vec<Row> = list.iter().map(|&e| layer.row(e).expect("a row")).collect();
        assert_eq!(rows.iter().map(|r| r.holonomic).collect::<Vec<_>>(), [true, true, false]);
        for seed in 0..5 {
            let at = layer.state_on(&rows, seed).expect("a state");
            for row in &rows[..2] {
                let value = row.evaluator.evaluate(&at, &|_, _, _| f64::NAN)[4];
                assert!(value.abs() < 1e-11, "{value}");
            }
            assert_eq!(basis_of(&rows, &at).len(), 3);
        }
        // No point has these.
        let never = layer.arena.integer(1);
        let square = layer.arena.square(list[1]);
        let sum = layer.arena.add(square, never);
        let row = layer.row(sum).expect("a row");
        assert!(layer.state_on(&[row], 0).is_none());
    }
}
