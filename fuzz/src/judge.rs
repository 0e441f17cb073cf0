//! An independent judge of verdicts: what a claim is worth at a state of the motion, to some sixty digits.
//!
//! It shares nothing with the engine but the parser. There is no symbolic derivative, no normal form, no prime field: energies,
//! forces and constraints are evaluated as they were read, with 640 binary digits, and differentiated by differences so small
//! that sixty digits are left.

use astro_float_num::{BigFloat, Consts, RoundingMode};
use noslip::expr::{Arena, Expr, Function, Node, Rational, Symbol};
use noslip::model::System;
use std::collections::HashMap;

const BITS: usize = 640;
const ROUND: RoundingMode = RoundingMode::ToEven;
/// Differences are of this size, a power of two: errors of the order of its square, 10⁻⁷².
const STEP: i32 = 120;

/// Evaluates one system.
pub struct Judge<'a> {
    arena: &'a Arena,
    system: &'a System,
    constants: Consts,
    parameters: HashMap<Symbol, BigFloat>,
    step: BigFloat,
}

/// Time, coordinates and velocities.
#[derive(Clone)]
pub struct Point {
    /// Time.
    pub t: BigFloat,
    /// Coordinates.
    pub q: Vec<BigFloat>,
    /// Velocities.
    pub v: Vec<BigFloat>,
}

fn big(x: f64) -> BigFloat {
    BigFloat::from_f64(x, BITS)
}

fn add(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.add(b, BITS, ROUND)
}

fn sub(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.sub(b, BITS, ROUND)
}

fn mul(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.mul(b, BITS, ROUND)
}

fn div(a: &BigFloat, b: &BigFloat) -> BigFloat {
    a.div(b, BITS, ROUND)
}

/// The size of a number as a power of two; very small for zero.
fn magnitude(x: &BigFloat) -> i32 {
    if x.is_zero() { i32::MIN / 2 } else { x.exponent().unwrap_or(i32::MAX / 2) }
}

fn double(x: &BigFloat) -> f64 {
    format!("{x}").parse().unwrap_or(f64::NAN)
}

/// How a claim fares at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// Zero to forty digits beside its terms.
    Zero,
    /// Not zero, by far more than any error.
    Nonzero,
    /// Cannot say: no value, no motion, or in between.
    Abstains,
}

impl<'a> Judge<'a> {
    /// A judge for a system; `None` when a parameter has no value, or tables occur.
    pub fn new(arena: &'a Arena, system: &'a System) -> Option<Judge<'a>> {
        let one = big(1.0);
        let mut step = one.clone();
        step.set_exponent(1 - STEP);
        let constants = Consts::new().ok()?;
        let mut judge = Judge { arena, system, constants, parameters: HashMap::new(), step };
        for _ in 0..=system.parameters.len() {
            for p in &system.parameters {
                if let Some(v) = judge.value(p.value, &HashMap::new()) {
                    judge.parameters.insert(p.symbol, v);
                }
            }
        }
        system.parameters.iter().all(|p| judge.parameters.contains_key(&p.symbol)).then_some(judge)
    }

    fn rational(&mut self, r: &Rational) -> BigFloat {
        let parse =
            |text: String, cc: &mut Consts| BigFloat::parse(&text, astro_float_num::Radix::Dec, BITS, ROUND, cc);
        let n = parse(r.numerator().to_string(), &mut self.constants);
        let d = parse(r.denominator().to_string(), &mut self.constants);
        div(&n, &d)
    }

    /// The value of an expression; `None` where it has none.
    fn value(&mut self, root: Expr, at: &HashMap<Symbol, BigFloat>) -> Option<BigFloat> {
        let arena = self.arena;
        let mut memo: HashMap<Expr, BigFloat> = HashMap::new();
        for e in arena.reachable(&[root]) {
            let v = match arena.node(e) {
                Node::Number(r) => self.rational(r),
                Node::Symbol(s) if *s == arena.pi() => self.constants.pi(BITS, ROUND),
                Node::Symbol(s) => at.get(s).or_else(|| self.parameters.get(s))?.clone(),
                Node::Sum { constant, terms } => {
                    let mut sum = self.rational(constant);
                    for (t, c) in terms {
                        sum = add(&sum, &mul(&self.rational(c), &memo[t]));
                    }
                    sum
                }
                Node::Product { coefficient, factors } => {
                    let mut product = self.rational(coefficient);
                    for (b, x) in factors {
                        let power = self.power(&memo[b], x)?;
                        product = mul(&product, &power);
                    }
                    product
                }
                Node::Power(a, b) => {
                    if !memo[a].is_positive() || memo[a].is_zero() {
                        return None;
                    }
                    let log = memo[a].ln(BITS, ROUND, &mut self.constants);
                    mul(&log, &memo[b]).exp(BITS, ROUND, &mut self.constants)
                }
                Node::Call(f, x) => self.call(*f, &memo[x])?,
                Node::Atan2(y, x) => {
                    // 2 atan(y/(r + x)), away from the cut.
                    let (y, x) = (&memo[y], &memo[x]);
                    let r = add(&mul(x, x), &mul(y, y)).sqrt(BITS, ROUND);
                    let d = add(&r, x);
                    if magnitude(&d) < magnitude(&r) - 60 {
                        return None;
                    }
                    mul(&big(2.0), &div(y, &d).atan(BITS, ROUND, &mut self.constants))
                }
                Node::Table(..) | Node::Unspecified(..) | Node::Undefined => return None,
            };
            if v.is_nan() || v.is_inf() || magnitude(&v) > 2000 {
                return None;
            }
            memo.insert(e, v);
        }
        memo.remove(&root)
    }

    fn power(&mut self, base: &BigFloat, x: &Rational) -> Option<BigFloat> {
        if let Some(n) = x.to_i64() {
            if n < 0 && base.is_zero() {
                return None;
            }
            let p = base.powi(usize::try_from(n.unsigned_abs()).ok()?, BITS, ROUND);
            return Some(if n < 0 { div(&big(1.0), &p) } else { p });
        }
        if base.is_zero() || base.is_negative() {
            return None;
        }
        let x = self.rational(x);
        Some(mul(&base.ln(BITS, ROUND, &mut self.constants), &x).exp(BITS, ROUND, &mut self.constants))
    }

    fn call(&mut self, f: Function, x: &BigFloat) -> Option<BigFloat> {
        use Function::*;
        if magnitude(x) > 60 && !matches!(f, Abs | Sign | Log) {
            return None;
        }
        let cc = &mut self.constants;
        let one = big(1.0);
        Some(match f {
            Sin => x.sin(BITS, ROUND, cc),
            Cos => x.cos(BITS, ROUND, cc),
            Tan => div(&x.sin(BITS, ROUND, cc), &x.cos(BITS, ROUND, cc)),
            Cot => div(&x.cos(BITS, ROUND, cc), &x.sin(BITS, ROUND, cc)),
            Sec => div(&one, &x.cos(BITS, ROUND, cc)),
            Csc => div(&one, &x.sin(BITS, ROUND, cc)),
            Asin | Acos if x.abs_cmp(&one)? >= 0 => return None,
            Asin => x.asin(BITS, ROUND, cc),
            Acos => x.acos(BITS, ROUND, cc),
            Atan => x.atan(BITS, ROUND, cc),
            Sinh | Cosh | Exp if magnitude(x) > 10 => return None,
            Sinh => x.sinh(BITS, ROUND, cc),
            Cosh => x.cosh(BITS, ROUND, cc),
            Tanh => x.tanh(BITS, ROUND, cc),
            Exp => x.exp(BITS, ROUND, cc),
            Log if x.is_zero() || x.is_negative() => return None,
            Log => x.ln(BITS, ROUND, cc),
            Abs => x.abs(),
            // A difference across zero is no derivative.
            Sign if magnitude(x) < -STEP / 2 => return None,
            Sign => big(if x.is_negative() { -1.0 } else { 1.0 }),
        })
    }

    fn at(&self, p: &Point) -> HashMap<Symbol, BigFloat> {
        let mut at = HashMap::from([(self.arena.time(), p.t.clone())]);
        at.extend(self.system.coordinates.iter().copied().zip(p.q.iter().cloned()));
        at.extend(self.system.velocities.iter().copied().zip(p.v.iter().cloned()));
        at
    }

    fn of(&mut self, e: Expr, p: &Point) -> Option<BigFloat> {
        let at = self.at(p);
        self.value(e, &at)
    }

    /// The derivative of f along a change of the point.
    fn slope(
        &mut self,
        p: &Point,
        change: &Point,
        f: &mut dyn FnMut(&mut Self, &Point) -> Option<BigFloat>,
    ) -> Option<BigFloat> {
        let shifted = |step: &BigFloat| {
            let moved = |x: &[BigFloat], d: &[BigFloat]| x.iter().zip(d).map(|(x, d)| add(x, &mul(step, d))).collect();
            Point { t: add(&p.t, &mul(step, &change.t)), q: moved(&p.q, &change.q), v: moved(&p.v, &change.v) }
        };
        let (h, minus) = (self.step.clone(), self.step.neg());
        let (up, down) = (f(self, &shifted(&h))?, f(self, &shifted(&minus))?);
        Some(div(&sub(&up, &down), &mul(&big(2.0), &h)))
    }

    fn unit(&self, q: Option<usize>, v: Option<usize>) -> Point {
        let n = self.system.n();
        let axis = |i: Option<usize>| (0..n).map(|j| big(if Some(j) == i { 1.0 } else { 0.0 })).collect();
        Point { t: big(0.0), q: axis(q), v: axis(v) }
    }

    /// t and q as they flow, velocities kept.
    fn flow(&self, p: &Point) -> Point {
        Point { t: big(1.0), q: p.v.clone(), v: vec![big(0.0); p.v.len()] }
    }

    /// A constraint at the level of velocities.
    fn constraint(&mut self, j: usize, p: &Point) -> Option<BigFloat> {
        let c = &self.system.constraints[j];
        match c.order {
            0 => {
                let (e, flow) = (c.expr, self.flow(p));
                self.slope(p, &flow, &mut |me, p| me.of(e, p))
            }
            _ => self.of(c.expr, p),
        }
    }

    /// Moves a state onto the constraints: holonomic ones by positions, the rest by velocities.
    pub fn admitted(&mut self, t: f64, q: &[f64], v: &[f64]) -> Option<Point> {
        let mut p = Point { t: big(t), q: q.iter().map(|&x| big(x)).collect(), v: v.iter().map(|&x| big(x)).collect() };
        let orders: Vec<u8> = self.system.constraints.iter().map(|c| c.order).collect();
        let holonomic: Vec<usize> = (0..orders.len()).filter(|&j| orders[j] == 0).collect();
        let all: Vec<usize> = (0..orders.len()).filter(|&j| orders[j] < 2).collect();
        for (list, positions) in [(holonomic, true), (all, false)] {
            if !list.is_empty() {
                self.newton(&mut p, &list, positions)?;
            }
        }
        Some(p)
    }

    fn newton(&mut self, p: &mut Point, list: &[usize], positions: bool) -> Option<()> {
        let n = self.system.n();
        let f = |me: &mut Self, j: usize, p: &Point| {
            if positions { me.of(me.system.constraints[j].expr, p) } else { me.constraint(j, p) }
        };
        for _ in 0..60 {
            let mut residual = Vec::new();
            let mut rows = Vec::new();
            for &j in list {
                residual.push(f(self, j, p)?.neg());
                let mut row = Vec::new();
                for i in 0..n {
                    let unit = if positions { self.unit(Some(i), None) } else { self.unit(None, Some(i)) };
                    row.push(self.slope(p, &unit, &mut |me, p| f(me, j, p))?);
                }
                rows.push(row);
            }
            // The least change: x = Aᵀ (A Aᵀ)⁻¹ r.
            let gram: Vec<Vec<BigFloat>> = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
            let weights = solve(gram, residual.clone())?;
            let mut size = i32::MIN;
            for i in 0..n {
                let change = rows.iter().zip(&weights).fold(big(0.0), |s, (row, w)| add(&s, &mul(&row[i], w)));
                let x = if positions { &mut p.q[i] } else { &mut p.v[i] };
                *x = add(x, &change);
                size = size.max(magnitude(&change));
            }
            // Steep constraints turn a tiny change into a large residual: both must have been small.
            if size < -230 && residual.iter().all(|r| magnitude(r) < -200) {
                return Some(());
            }
        }
        None
    }

    /// Accelerations and multipliers: M a + h = Aᵀλ, A a = b, all by differences.
    fn motion(&mut self, p: &Point) -> Option<(Vec<BigFloat>, Vec<BigFloat>)> {
        let (n, k) = (self.system.n(), self.system.k());
        let (kinetic, potential) = (self.system.kinetic, self.system.potential);
        let flow = self.flow(p);
        let size = n + k;
        let mut matrix = vec![vec![big(0.0); size]; size];
        let mut right = vec![big(0.0); size];
        for i in 0..n {
            let (q, v) = (self.unit(Some(i), None), self.unit(None, Some(i)));
            let mut momentum = |me: &mut Self, p: &Point| me.slope(p, &v, &mut |me, p| me.of(kinetic, p));
            for j in 0..n {
                let along = self.unit(None, Some(j));
                matrix[i][j] = self.slope(p, &along, &mut momentum)?;
            }
            let transport = self.slope(p, &flow, &mut momentum)?;
            let lift = self.slope(p, &q, &mut |me, p| Some(sub(&me.of(kinetic, p)?, &me.of(potential, p)?)))?;
            let force = self.of(self.system.forces[i], p)?;
            right[i] = sub(&add(&lift, &force), &transport);
        }
        for j in 0..k {
            let c = self.system.constraints[j].clone();
            if c.order == 2 {
                return None;
            }
            for i in 0..n {
                let along = self.unit(None, Some(i));
                let a = self.slope(p, &along, &mut |me, p| me.constraint(j, p))?;
                matrix[i][n + j] = a.neg();
                matrix[n + j][i] = a;
            }
            right[n + j] = self.slope(p, &flow, &mut |me, p| me.constraint(j, p))?.neg();
        }
        let mut x = solve(matrix, right)?;
        let multipliers = x.split_off(n);
        Some((x, multipliers))
    }

    /// How a claim (in t, q, q̇, q̈, λ) fares at a state on the constraints.
    pub fn opinion(&mut self, claim: Expr, p: &Point) -> Opinion {
        let mut at = self.at(p);
        let mut moving = self.system.accelerations.clone();
        moving.extend(self.system.constraints.iter().map(|c| c.multiplier));
        if self.arena.depends_on_any(claim, &moving) {
            let Some((a, lambda)) = self.motion(p) else { return Opinion::Abstains };
            at.extend(moving.into_iter().zip(a.into_iter().chain(lambda)));
        }
        self.opinion_at(claim, &at)
    }

    /// How the equations of a form fare at a state: in its own variables, each with the symbol of its rate.
    pub fn opinions(
        &mut self,
        variables: &[(Symbol, Symbol, Expr)],
        equations: &[Expr],
        p: &Point,
    ) -> Option<Vec<Opinion>> {
        let (a, lambda) = self.motion(p)?;
        let mut at = self.at(p);
        let along = Point { t: big(1.0), q: p.v.clone(), v: a.clone() };
        for &(symbol, rate, e) in variables {
            let value = self.of(e, p)?;
            at.insert(symbol, value);
            let slope = self.slope(p, &along, &mut |me, p| me.of(e, p))?;
            at.insert(rate, slope);
        }
        at.extend(self.system.accelerations.iter().copied().zip(a));
        at.extend(self.system.constraints.iter().map(|c| c.multiplier).zip(lambda));
        Some(equations.iter().map(|&e| self.opinion_at(e, &at)).collect())
    }

    /// Does a function of t, q and q̇ stay constant along the motion through a state?
    pub fn is_constant(&mut self, e: Expr, p: &Point) -> Opinion {
        let Some((rate, size)) = self.rate_and_size(e, p) else { return Opinion::Abstains };
        match magnitude(&rate) {
            m if m < size - 133 => Opinion::Zero,
            m if m > size - 120 => Opinion::Nonzero,
            _ => Opinion::Abstains,
        }
    }

    /// The rate of a function of t, q and q̇ along the motion through a state, to the digits of a double.
    pub fn rate(&mut self, e: Expr, p: &Point) -> Option<f64> {
        self.rate_and_size(e, p).map(|x| double(&x.0))
    }

    /// The value of a function of t, q and q̇, to the digits of a double.
    pub fn number(&mut self, e: Expr, p: &Point) -> Option<f64> {
        self.of(e, p).map(|x| double(&x))
    }

    /// A velocity of a state, to the digits of a double.
    pub fn velocity(&self, i: usize, p: &Point) -> f64 {
        double(&p.v[i])
    }

    /// The rate, and the size of the numbers it is made of.
    fn rate_and_size(&mut self, e: Expr, p: &Point) -> Option<(BigFloat, i32)> {
        let (a, _) = self.motion(p)?;
        let size = self.of(e, p).map(|x| magnitude(&x))?;
        let size = p.q.iter().chain(&p.v).chain(&a).map(magnitude).fold(size.max(0), i32::max);
        let along = Point { t: big(1.0), q: p.v.clone(), v: a };
        let rate = self.slope(p, &along, &mut |me, p| me.of(e, p))?;
        Some((rate, size))
    }

    fn opinion_at(&mut self, claim: Expr, at: &HashMap<Symbol, BigFloat>) -> Opinion {
        let Some(residual) = self.value(claim, at) else { return Opinion::Abstains };
        // A product is zero where a factor is: the 27th power of a small number is small, and not zero.
        if let Node::Product { factors, .. } = self.arena.node(claim) {
            let bases: Vec<Expr> = factors.iter().filter(|(_, x)| !x.is_negative()).map(|f| f.0).collect();
            let opinions: Vec<Opinion> = bases.into_iter().map(|b| self.opinion_at(b, at)).collect();
            let one = |o: Opinion| opinions.contains(&o);
            return match () {
                () if one(Opinion::Zero) => Opinion::Zero,
                () if one(Opinion::Abstains) => Opinion::Abstains,
                () => Opinion::Nonzero,
            };
        }
        // However small, an exponential is not zero.
        if let Node::Call(Function::Exp, _) = self.arena.node(claim) {
            return Opinion::Nonzero;
        }
        let terms: Vec<Expr> = match self.arena.node(claim) {
            Node::Sum { terms, .. } => terms.iter().map(|t| t.0).collect(),
            _ => Vec::new(),
        };
        let sizes = terms.into_iter().filter_map(|e| self.value(e, at)).map(|x| magnitude(&x));
        // The size of the terms, and of the largest number there is: differences carry its rounding.
        let size = sizes.max().unwrap_or(0).max(-20);
        let of_state = at.values().map(magnitude).max().unwrap_or(0).max(0);
        match magnitude(&residual) {
            m if m < size.max(of_state) - 133 => Opinion::Zero,
            m if m > size - 120 && m > of_state - 120 => Opinion::Nonzero,
            _ => Opinion::Abstains,
        }
    }
}

fn dot(a: &[BigFloat], b: &[BigFloat]) -> BigFloat {
    a.iter().zip(b).fold(big(0.0), |s, (a, b)| add(&s, &mul(a, b)))
}

/// Elimination with pivots; `None` when the matrix is singular to thirty digits.
fn solve(mut a: Vec<Vec<BigFloat>>, mut b: Vec<BigFloat>) -> Option<Vec<BigFloat>> {
    let n = b.len();
    let largest = a.iter().flatten().map(magnitude).max().unwrap_or(0);
    for k in 0..n {
        let p = (k..n).max_by_key(|&i| magnitude(&a[i][k]))?;
        if magnitude(&a[p][k]) < largest - 90 {
            return None;
        }
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let factor = div(&a[i][k], &a[k][k]);
            for j in k..n {
                a[i][j] = sub(&a[i][j], &mul(&factor, &a[k][j]));
            }
            b[i] = sub(&b[i], &mul(&factor, &b[k]));
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] = sub(&b[k], &mul(&a[k][j], &b[j]));
        }
        b[k] = div(&b[k], &a[k][k]);
    }
    Some(b)
}
