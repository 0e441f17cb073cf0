//! Real states at which the constraints hold exactly, enclosed, and what expressions are worth there.
//!
//! A state in floating point satisfies the constraints to rounding only, and what is small there may be rounding. Here most
//! coordinates and velocities keep their values, as exact numbers; the others, and the accelerations and multipliers, are
//! enclosed by Krawczyk's test
//!
//! ```text
//! x̃ − C F(x̃) + (1 − C F'(X)) (X − x̃) ⊂ X,     C ≈ F'(x̃)⁻¹:
//! ```
//!
//! then F has exactly one zero in X. What is evaluated at such a state and does not contain zero is not zero.

use super::real::RealState;
use crate::expr::enclosure::{Ball, Bounded, Digits, Enclosure, Given, enclose};
use crate::expr::{Arena, Expr, Symbol, TableId};
use crate::mechanics::{EnclosedState, Workbench, independent_rows};
use crate::model::Interpolant;
use rustc_hash::FxHashMap;

/// Binary digits.
const BITS: usize = 256;
/// Steps of Newton's method with a fixed inverse: some ten digits each.
const STEPS: usize = 40;
/// A pivot below this part of the largest one is none.
const PIVOT: f64 = 1e-7;
/// Coefficients of tables are computed in floating point.
const TABLE: f64 = 1e-11;

/// Expressions, ready to be enclosed.
struct Prepared {
    roots: Vec<Expr>,
    order: Vec<Expr>,
}

impl Prepared {
    fn new(g: &Arena, roots: Vec<Expr>) -> Prepared {
        let order = g.reachable(&roots);
        Prepared { roots, order }
    }
}

/// Values of symbols and tables.
struct At {
    symbols: FxHashMap<Symbol, Ball>,
    tables: Vec<(TableId, Interpolant)>,
}

impl Given<Ball> for At {
    fn symbol(&mut self, _: &mut Digits, s: Symbol) -> Option<Ball> {
        self.symbols.get(&s).cloned()
    }

    fn table(&mut self, cx: &mut Digits, id: TableId, derivative: u8, x: &Ball) -> Option<Ball> {
        let (_, table) = self.tables.iter().find(|(t, _)| *t == id)?;
        // Inside one piece; knots are left to other states.
        let (low, high) = (x.value() - x.radius() - 1e-9, x.value() + x.radius() + 1e-9);
        let i = table.knots().windows(2).position(|k| k[0] < low && high < k[1])?;
        let s = x.add(cx, &Ball::exact(cx, -table.knots()[i])?)?;
        let c = table.pieces().get(i)?;
        let mut sum = Ball::exact(cx, 0.0)?;
        for power in (usize::from(derivative)..4).rev() {
            let factor: f64 = (0..usize::from(derivative)).map(|j| (power - j) as f64).product();
            let coefficient = Ball::exact(cx, c[power] * factor)?.widened(TABLE * (1e-3 + c[power].abs()) * factor);
            sum = sum.mul(cx, &s)?.add(cx, &coefficient)?;
        }
        Some(sum)
    }
}

/// The same in floating point. Tables are left to more digits.
struct Roughly(FxHashMap<Symbol, Bounded>);

impl Given<Bounded> for Roughly {
    fn symbol(&mut self, (): &mut (), s: Symbol) -> Option<Bounded> {
        self.0.get(&s).copied()
    }

    fn table(&mut self, (): &mut (), _: TableId, _: u8, _: &Bounded) -> Option<Bounded> {
        None
    }
}

/// Equations F = 0 for some of the symbols, with their derivatives.
struct Stage {
    symbols: Vec<Symbol>,
    equations: Prepared,
    jacobian: Prepared,
}

impl Stage {
    fn new(g: &mut Arena, equations: Vec<Expr>, symbols: &[Symbol]) -> Stage {
        let jacobian = equations.iter().flat_map(|&e| g.gradient(e, symbols)).collect();
        Stage {
            symbols: symbols.to_vec(),
            equations: Prepared::new(g, equations),
            jacobian: Prepared::new(g, jacobian),
        }
    }
}

/// Encloses states and evaluates expressions there.
pub(super) struct Certifier {
    digits: Digits,
    at: At,
    time: Symbol,
    stages: [(Vec<Symbol>, Stage); 2],
    /// M, h, A, b.
    saddle: Prepared,
    /// Constraints that are independent of those before them.
    rows: Vec<usize>,
    accelerations: Vec<Symbol>,
    multipliers: Vec<Symbol>,
    moves: bool,
    /// Other symbols, by what they stand for, in this order.
    variables: (Vec<Symbol>, Prepared),
    expressions: Prepared,
}

impl Certifier {
    /// Prepares the evaluation of expressions of t, q, q̇, q̈, λ, and of `variables` given by such. `relations` hold besides the
    /// constraints.
    pub(super) fn new(
        w: &mut Workbench,
        expressions: &[Expr],
        variables: &[(Symbol, Expr)],
        relations: &[(Symbol, Expr)],
    ) -> Option<Certifier> {
        w.linear_accelerations().ok()?;
        let mut digits = Digits::new(BITS)?;
        let d = w.dynamics();
        let rows = independent_rows(w);
        let tables = w.system.tables.iter().map(|t| (t.id, Interpolant::new(t))).collect();
        let mut at = At { symbols: FxHashMap::default(), tables };
        let system = w.system.clone();
        for (s, e) in system.parameter_expressions(&mut w.g) {
            let order = w.g.reachable(&[e]);
            let value = enclose(&w.g, &[e], &order, &mut digits, &mut at).pop().flatten()?;
            at.symbols.insert(s, value);
        }
        let (q, v) = (w.system.coordinates.clone(), w.system.velocities.clone());
        let mut holonomic: Vec<Expr> = w.system.constraints.iter().filter(|c| c.order == 0).map(|c| c.expr).collect();
        for &(s, e) in relations {
            let symbol = w.g.symbol(s);
            holonomic.push(w.g.sub(symbol, e));
        }
        let positions = Stage::new(&mut w.g, holonomic, &q);
        let velocity = d.velocity_constraints.iter().flatten().copied().collect();
        let velocities = Stage::new(&mut w.g, velocity, &v);
        let mut saddle: Vec<Expr> = d.mass.iter().flatten().copied().collect();
        saddle.extend(&d.rest);
        saddle.extend(rows.iter().flat_map(|&j| &d.a[j]));
        saddle.extend(rows.iter().map(|&j| d.b[j]));
        let accelerations = w.system.accelerations.clone();
        let multipliers: Vec<Symbol> = rows.iter().map(|&j| w.system.constraints[j].multiplier).collect();
        let moving: Vec<Symbol> = accelerations.iter().chain(&multipliers).copied().collect();
        let moves = expressions.iter().chain(variables.iter().map(|v| &v.1)).any(|&e| w.g.depends_on_any(e, &moving));
        let definitions = variables.iter().map(|v| v.1).collect();
        Some(Certifier {
            digits,
            at,
            time: w.g.time(),
            stages: [(q, positions), (v, velocities)],
            saddle: Prepared::new(&w.g, saddle),
            rows,
            accelerations,
            multipliers,
            moves,
            variables: (variables.iter().map(|v| v.0).collect(), Prepared::new(&w.g, definitions)),
            expressions: Prepared::new(&w.g, expressions.to_vec()),
        })
    }

    /// How much there is to evaluate at each state: not nothing.
    pub(super) fn size(&self) -> usize {
        (self.expressions.order.len() + 8 * self.saddle.order.len()).max(1)
    }

    /// Nodes enclosed for one state, about: the constraints are evaluated some ten times until a state is found on them.
    pub(super) fn cost(&self) -> usize {
        let nodes = |stage: &Stage| stage.equations.order.len() + stage.jacobian.order.len();
        let stages: usize = self.stages.iter().map(|(_, stage)| nodes(stage)).sum();
        let motion = if self.moves { self.saddle.order.len() } else { 0 };
        self.expressions.order.len() + motion + 10 * stages
    }

    /// The same where the state is known.
    pub(super) fn cost_here(&self) -> usize {
        self.expressions.order.len()
    }

    /// The expressions at the state on the constraints next to a given one, and that state. `None` where it cannot be
    /// enclosed; an expression without a value there has none.
    pub(super) fn at(&mut self, g: &Arena, state: &RealState) -> Option<(RealState, Vec<Option<Ball>>)> {
        self.enclose_state(g, state)?;
        let values = self.values_here(g)?;
        let middles = |list: &[Symbol]| list.iter().map(|s| self.at.symbols[s].value()).collect();
        let state = RealState { t: state.t, q: middles(&self.stages[0].0), v: middles(&self.stages[1].0) };
        Some((state, values))
    }

    /// The state on the constraints next to a given one, with accelerations and multipliers where they are asked for.
    pub(super) fn enclose_state(&mut self, g: &Arena, state: &RealState) -> Option<()> {
        let time = Ball::exact(&self.digits, state.t)?;
        self.at.symbols.insert(self.time, time);
        let given = [&state.q, &state.v];
        for i in 0..2 {
            for (k, &x) in given[i].iter().enumerate() {
                let value = Ball::exact(&self.digits, x)?;
                self.at.symbols.insert(self.stages[i].0[k], value);
            }
            self.enclose_stage(g, i)?;
        }
        if self.moves { self.enclose_motion(g) } else { Some(()) }
    }

    /// The state that was enclosed, for another certifier of the same system.
    pub(super) fn state(&self) -> EnclosedState {
        EnclosedState { symbols: self.at.symbols.clone(), moves: self.moves }
    }

    /// Takes over a state that another certifier has enclosed, if it knows as much as is asked for.
    pub(super) fn take(&mut self, state: &EnclosedState) -> bool {
        if self.moves && !state.moves {
            return false;
        }
        self.at.symbols.clone_from(&state.symbols);
        true
    }

    /// The expressions at the state that was enclosed last; an expression without a value there has none.
    pub(super) fn values_here(&mut self, g: &Arena) -> Option<Vec<Option<Ball>>> {
        for (k, s) in self.variables.0.iter().enumerate() {
            let list = &self.variables.1;
            let one = &list.roots[k..=k];
            let value = enclose(g, one, &g.reachable(one), &mut self.digits, &mut self.at).pop().flatten()?;
            self.at.symbols.insert(*s, value);
        }
        Some(enclose(g, &self.expressions.roots, &self.expressions.order, &mut self.digits, &mut self.at))
    }

    /// Does floating point see already that the first `count` expressions are as small, beside those after them, as rounding may
    /// leave them? It costs a fiftieth of what more digits do.
    pub(super) fn vanish_roughly(&self, g: &Arena, count: usize) -> bool {
        let rough = |ball: &Ball| Bounded { value: ball.value(), error: ball.radius() + f64::EPSILON * ball.high() };
        let mut at = Roughly(self.at.symbols.iter().map(|(&s, ball)| (s, rough(ball))).collect());
        for (k, s) in self.variables.0.iter().enumerate() {
            let one = &self.variables.1.roots[k..=k];
            let Some(value) = enclose(g, one, &g.reachable(one), &mut (), &mut at).pop().flatten() else {
                return false;
            };
            at.0.insert(*s, value);
        }
        let values = enclose(g, &self.expressions.roots, &self.expressions.order, &mut (), &mut at);
        let (residuals, sizes) = values.split_at(count);
        residuals.iter().zip(sizes).all(|pair| match pair {
            (Some(r), Some(s)) => r.value.abs() + r.error <= ROUNDING * (s.value - s.error),
            _ => false,
        })
    }

    fn values(&mut self, g: &Arena, list: &Prepared) -> Option<Vec<Ball>> {
        enclose(g, &list.roots, &list.order, &mut self.digits, &mut self.at).into_iter().collect()
    }

    /// Positions, or velocities: some of them are moved until the constraints hold.
    fn enclose_stage(&mut self, g: &Arena, i: usize) -> Option<()> {
        let stage = std::mem::replace(&mut self.stages[i].1, Stage::empty());
        let result = self.solve_stage(g, &stage);
        self.stages[i].1 = stage;
        result
    }

    fn solve_stage(&mut self, g: &Arena, stage: &Stage) -> Option<()> {
        if stage.equations.roots.is_empty() {
            return Some(());
        }
        let n = stage.symbols.len();
        let jacobian = self.values(g, &stage.jacobian)?;
        let matrix: Vec<Vec<f64>> = jacobian.chunks(n).map(|row| row.iter().map(Ball::value).collect()).collect();
        let (rows, columns) = pivots(&matrix);
        let symbols: Vec<Symbol> = columns.iter().map(|&j| stage.symbols[j]).collect();
        let square: Vec<Vec<f64>> = rows.iter().map(|&r| columns.iter().map(|&c| matrix[r][c]).collect()).collect();
        let inverse = inverse(&square)?;
        let start: Vec<Ball> = symbols.iter().map(|s| self.at.symbols[s].middle()).collect();
        let solution = krawczyk(
            self,
            &inverse,
            start,
            |me, x| {
                me.put(&symbols, x);
                let all = me.values(g, &stage.equations)?;
                Some(rows.iter().map(|&r| all[r].clone()).collect())
            },
            |me, x| {
                me.put(&symbols, x);
                let all = me.values(g, &stage.jacobian)?;
                Some(rows.iter().map(|&r| columns.iter().map(|&c| all[r * n + c].clone()).collect()).collect())
            },
        )?;
        self.put(&symbols, &solution);
        // Equations that depend on the others must be satisfied with them.
        let all = self.values(g, &stage.equations)?;
        all.iter().all(|f| f.low() == 0.0).then_some(())
    }

    fn put(&mut self, symbols: &[Symbol], values: &[Ball]) {
        for (&s, v) in symbols.iter().zip(values) {
            self.at.symbols.insert(s, v.clone());
        }
    }

    /// Accelerations and multipliers: M q̈ − Aᵀλ = −h, A q̈ = b.
    fn enclose_motion(&mut self, g: &Arena) -> Option<()> {
        let (n, k) = (self.accelerations.len(), self.rows.len());
        let saddle = std::mem::replace(&mut self.saddle, Prepared { roots: Vec::new(), order: Vec::new() });
        let values = self.values(g, &saddle);
        self.saddle = saddle;
        let values = values?;
        let (mass, more) = values.split_at(n * n);
        let (rest, more) = more.split_at(n);
        let (a, b) = more.split_at(k * n);
        let zero = Ball::exact(&self.digits, 0.0)?;
        let mut matrix = vec![vec![zero; n + k]; n + k];
        for i in 0..n {
            for j in 0..n {
                matrix[i][j] = mass[i * n + j].clone();
            }
            for j in 0..k {
                matrix[i][n + j] = a[j * n + i].negative();
                matrix[n + j][i] = a[j * n + i].clone();
            }
        }
        let right: Vec<Ball> = rest.iter().map(Ball::negative).chain(b.iter().cloned()).collect();
        let middle: Vec<Vec<f64>> = matrix.iter().map(|row| row.iter().map(Ball::value).collect()).collect();
        let inverse = inverse(&middle)?;
        let start = vec![Ball::exact(&self.digits, 0.0)?; n + k];
        let solution = krawczyk(
            self,
            &inverse,
            start,
            |me, x| {
                let row = |(row, right): (&Vec<Ball>, &Ball)| {
                    let mut sum = right.negative();
                    for (a, x) in row.iter().zip(x) {
                        let product = a.mul(&mut me.digits, x)?;
                        sum = sum.add(&mut me.digits, &product)?;
                    }
                    Some(sum)
                };
                matrix.iter().zip(&right).map(row).collect()
            },
            |_, _| Some(matrix.clone()),
        )?;
        let symbols: Vec<Symbol> = self.accelerations.iter().chain(&self.multipliers).copied().collect();
        self.put(&symbols, &solution);
        Some(())
    }
}

impl Stage {
    fn empty() -> Stage {
        let none = || Prepared { roots: Vec::new(), order: Vec::new() };
        Stage { symbols: Vec::new(), equations: none(), jacobian: none() }
    }
}

/// C·F, as balls.
fn times(cx: &mut Digits, inverse: &[Vec<f64>], f: &[Ball]) -> Option<Vec<Ball>> {
    let row = |row: &Vec<f64>| {
        let mut sum = Ball::exact(cx, 0.0)?;
        for (&c, f) in row.iter().zip(f) {
            let product = Ball::exact(cx, c)?.mul(cx, f)?;
            sum = sum.add(cx, &product)?;
        }
        Some(sum)
    };
    inverse.iter().map(row).collect()
}

/// The zero of F near `x`, enclosed.
fn krawczyk(
    me: &mut Certifier,
    inverse: &[Vec<f64>],
    mut x: Vec<Ball>,
    mut f: impl FnMut(&mut Certifier, &[Ball]) -> Option<Vec<Ball>>,
    mut jacobian: impl FnMut(&mut Certifier, &[Ball]) -> Option<Vec<Vec<Ball>>>,
) -> Option<Vec<Ball>> {
    let mut before = f64::INFINITY;
    let mut step = Vec::new();
    for _ in 0..STEPS {
        let value = f(me, &x)?;
        step = times(&mut me.digits, inverse, &value)?;
        let size = step.iter().map(|s| s.value().abs()).fold(0.0, f64::max);
        if size >= before / 4.0 || size.is_nan() {
            break;
        }
        before = size;
        for (x, s) in x.iter_mut().zip(&step) {
            *x = x.add(&mut me.digits, &s.middle().negative())?.middle();
        }
    }
    let value = f(me, &x)?;
    step = if step.is_empty() { step } else { times(&mut me.digits, inverse, &value)? };
    let tiny = 2f64.powi(-(BITS as i32) + 24);
    for inflate in [4.0, 1e3, 1e8] {
        let radius: Vec<f64> =
            step.iter().zip(&x).map(|(s, x)| inflate * (s.high() + tiny * (x.high() + 1e-9))).collect();
        let wide: Vec<Ball> = x.iter().zip(&radius).map(|(x, &r)| x.widened(r)).collect();
        let Some(jacobian) = jacobian(me, &wide) else { continue };
        let mut inside = true;
        for (j, row) in inverse.iter().enumerate() {
            // Row j of 1 − C F'(X), against the radii.
            let mut reach = step[j].high();
            for k in 0..x.len() {
                let column: Vec<Ball> = jacobian.iter().map(|r| r[k].clone()).collect();
                let entry = times(&mut me.digits, std::slice::from_ref(row), &column)?.pop()?;
                let one = Ball::exact(&me.digits, if j == k { -1.0 } else { 0.0 })?;
                reach += entry.add(&mut me.digits, &one)?.high() * radius[k] * (1.0 + 1e-12);
            }
            inside &= reach * (1.0 + 1e-12) < radius[j];
        }
        if inside {
            return Some(wide);
        }
    }
    None
}

/// Rows and columns of a regular square part as large as possible, by complete pivoting.
fn pivots(matrix: &[Vec<f64>]) -> (Vec<usize>, Vec<usize>) {
    let mut m = matrix.to_vec();
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    let mut largest = 0.0;
    loop {
        let mut best = (0.0, 0, 0);
        for (i, row) in m.iter().enumerate().filter(|(i, _)| !rows.contains(i)) {
            for (j, x) in row.iter().enumerate().filter(|(j, _)| !columns.contains(j)) {
                if x.abs() > best.0 {
                    best = (x.abs(), i, j);
                }
            }
        }
        largest = f64::max(largest, best.0);
        if best.0 <= PIVOT * largest || best.0 == 0.0 {
            return (rows, columns);
        }
        let (_, i, j) = best;
        let pivot = m[i].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(r, _)| *r != i && !rows.contains(r)) {
            let factor = row[j] / pivot[j];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
        rows.push(i);
        columns.push(j);
    }
}

/// The inverse, to rounding.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let unit = |i: usize| (0..n).map(move |j| if i == j { 1.0 } else { 0.0 });
    let mut m: Vec<Vec<f64>> =
        matrix.iter().enumerate().map(|(i, r)| r.iter().copied().chain(unit(i)).collect()).collect();
    for k in 0..n {
        let p = (k..n).max_by(|&a, &b| m[a][k].abs().total_cmp(&m[b][k].abs()))?;
        if m[p][k] == 0.0 || !m[p][k].is_finite() {
            return None;
        }
        m.swap(k, p);
        let scale = 1.0 / m[k][k];
        m[k].iter_mut().for_each(|x| *x *= scale);
        let pivot = m[k].clone();
        for (_, row) in m.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    Some(m.into_iter().map(|row| row[n..].to_vec()).collect())
}

/// What an enclosure says of a claim, beside numbers of this size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    /// Certainly not zero.
    Nonzero,
    /// Zero to forty digits and more.
    Zero,
    /// Too few digits are known.
    Unclear,
}

/// What a claim must vanish to, beside the numbers it is made of, to be called zero at a state.
pub(super) const DIGITS: f64 = 1e-40;

/// What floating point may leave of zero, beside the numbers it is made of. Another branch of a root leaves more, but for one
/// that is smaller than this beside them.
const ROUNDING: f64 = 1e-11;

/// Reads an enclosure.
pub(super) fn sign_of(residual: &Ball, size: f64) -> Sign {
    if residual.low() > 0.0 {
        Sign::Nonzero
    } else if residual.high() <= DIGITS * size {
        Sign::Zero
    } else {
        Sign::Unclear
    }
}

#[cfg(test)]
mod tests;
