//! Power series in several variables over the prime field, cut off at a degree: the Taylor series of expressions at a random point.
//!
//! Sine and cosine of an angle are a point of the circle, and their derivatives are each other's: what the field knows of a function's
//! value it knows of its derivatives too. So the brackets of vector fields at a point are numbers, whatever the length of the
//! fields as formulas.

use crate::expr::field::Fp;
use crate::expr::zero::FieldEvaluator;
use crate::expr::{Arena, Expr, Function, Node, Rational, Symbol};
use crate::mechanics::{Generic, evaluator};
use rustc_hash::FxHashMap;
use std::cell::Cell;

/// Draws before a point is given up.
const DRAWS: usize = 60;

/// Pairs of monomials in one product at most.
const PAIRS: usize = 200_000;

/// Monomials of at most a degree, and which of them multiply to which.
pub(super) struct Ring {
    degree: usize,
    /// Number of monomials of degree at most k.
    upto: Vec<usize>,
    exponents: Vec<Vec<u8>>,
    /// For each monomial those of the complementary degrees, and the products.
    products: Vec<Vec<u32>>,
    /// For each variable and monomial the monomial with one power less, and that power.
    lower: Vec<Vec<Option<(u32, u8)>>>,
    /// Work done in it.
    done: Cell<u64>,
}

/// A series: coefficients by monomial. It may be shorter than the ring allows: known to a lower degree only.
pub(super) type Series = Vec<Fp>;

impl Ring {
    /// The ring, or `None` when it would be too large.
    pub(super) fn new(variables: usize, degree: usize) -> Option<Ring> {
        // Pairs of monomials with degrees together at most d: C(2v + d, d).
        let mut pairs = 1.0f64;
        for i in 1..=degree {
            pairs *= (2 * variables + i) as f64 / i as f64;
        }
        if pairs > PAIRS as f64 || degree > 200 {
            return None;
        }
        let mut exponents = vec![vec![0u8; variables]];
        let mut upto = vec![1];
        for k in 1..=degree {
            let from = if k == 1 { 0 } else { upto[k - 2] };
            let mut next: Vec<Vec<u8>> = Vec::new();
            for e in &exponents[from..] {
                // Each monomial once: raise only variables at or after the last one present.
                let last = e.iter().rposition(|&x| x > 0).unwrap_or(0);
                for v in last..variables {
                    let mut raised = e.clone();
                    raised[v] += 1;
                    next.push(raised);
                }
            }
            exponents.extend(next);
            upto.push(exponents.len());
        }
        let index: FxHashMap<&[u8], u32> = exponents.iter().enumerate().map(|(i, e)| (&e[..], i as u32)).collect();
        let total = |e: &[u8]| e.iter().map(|&x| usize::from(x)).sum::<usize>();
        let products = exponents
            .iter()
            .map(|a| {
                let partners = &exponents[..upto[degree - total(a)]];
                let product = |b: &Vec<u8>| a.iter().zip(b).map(|(x, y)| x + y).collect::<Vec<u8>>();
                partners.iter().map(|b| index[&product(b)[..]]).collect()
            })
            .collect();
        let lower = (0..variables)
            .map(|v| {
                let one_less = |e: &Vec<u8>| {
                    let mut lowered = e.clone();
                    lowered[v] = e[v].checked_sub(1)?;
                    Some((index[&lowered[..]], e[v]))
                };
                exponents.iter().map(one_less).collect()
            })
            .collect();
        Some(Ring { degree, upto, exponents, products, lower, done: Cell::new(0) })
    }

    /// Work done since this was asked last.
    pub(super) fn take_done(&self) -> u64 {
        self.done.take()
    }

    /// Numbers of the field that were multiplied, and a series that was made.
    fn count(&self, products: usize) {
        self.done.set(self.done.get() + 2 + products as u64 / 8);
    }

    pub(super) fn constant(&self, value: Fp, degree: usize) -> Series {
        let mut s = vec![Fp::ZERO; self.upto[degree]];
        s[0] = value;
        s
    }

    fn variable(&self, v: usize, value: Fp) -> Series {
        let mut s = self.constant(value, self.degree);
        if let Some(i) =
            self.exponents.iter().position(|e| e[v] == 1 && e.iter().map(|&x| u32::from(x)).sum::<u32>() == 1)
        {
            s[i] = Fp::ONE;
        }
        s
    }

    /// The degree a series is known to.
    fn degree_of(&self, s: &Series) -> usize {
        self.upto.partition_point(|&n| n < s.len())
    }

    pub(super) fn add(&self, a: &Series, b: &Series, factor: Fp) -> Series {
        self.count(a.len());
        a.iter().zip(b).map(|(&x, &y)| x + factor * y).collect()
    }

    pub(super) fn mul(&self, a: &Series, b: &Series) -> Series {
        let n = a.len().min(b.len());
        let mut out = vec![Fp::ZERO; n];
        let mut products = n;
        for (i, &x) in a[..n].iter().enumerate() {
            if x.is_zero() {
                continue;
            }
            products += self.products[i].len().min(n);
            for (&k, &y) in self.products[i].iter().zip(&b[..n]) {
                if (k as usize) < n && !y.is_zero() {
                    out[k as usize] += x * y;
                }
            }
        }
        self.count(products);
        out
    }

    /// 1/s; `None` where the constant term vanishes.
    pub(super) fn inverse(&self, s: &Series) -> Option<Series> {
        let first = s[0].inverse()?;
        // 1/(c + δ) = Σ (−1)ᵏ δᵏ/cᵏ⁺¹
        let list: Vec<Fp> = std::iter::successors(Some(first), |&x| Some(-(x * first))).take(self.degree + 1).collect();
        Some(self.compose(&list, s))
    }

    /// Σ_k c_k (s − s₀)ᵏ.
    fn compose(&self, coefficients: &[Fp], s: &Series) -> Series {
        let degree = self.degree_of(s);
        let mut small = s.clone();
        small[0] = Fp::ZERO;
        let mut result = self.constant(coefficients[degree], degree);
        for &c in coefficients[..degree].iter().rev() {
            result = self.mul(&result, &small);
            result[0] += c;
        }
        result
    }

    /// ∂s/∂v, known to one degree less.
    pub(super) fn derivative(&self, s: &Series, v: usize) -> Series {
        let mut out = self.zero_below(s);
        self.count(s.len());
        for (&x, lower) in s.iter().zip(&self.lower[v]) {
            if let (false, Some((at, e))) = (x.is_zero(), lower) {
                out[*at as usize] = x * Fp::new(u64::from(*e));
            }
        }
        out
    }

    /// Zero, to one degree less.
    pub(super) fn zero_below(&self, s: &Series) -> Series {
        vec![Fp::ZERO; self.upto[self.degree_of(s).saturating_sub(1)]]
    }
}

/// Expressions prepared for their Taylor series.
pub(super) struct Jets {
    roots: Vec<Expr>,
    order: Vec<Expr>,
    evaluator: FieldEvaluator,
    /// Place of each node's value, and of the values its derivatives need.
    places: FxHashMap<Expr, usize>,
    beside: FxHashMap<(Expr, usize), Expr>,
}

impl Jets {
    /// Prepares the expressions; `None` where one contains what has no derivatives in the field.
    pub(super) fn new(g: &mut Arena, roots: &[Expr]) -> Option<Jets> {
        let order = g.reachable(roots);
        let mut beside = FxHashMap::default();
        let mut all = order.clone();
        for &e in &order {
            let more: Vec<Expr> = match g.node(e).clone() {
                Node::Power(..) | Node::Atan2(..) | Node::Table(..) | Node::Unspecified(..) | Node::Undefined => {
                    return None;
                }
                Node::Product { factors, .. } => {
                    factors.iter().map(|(b, x)| if x.is_integer() { *b } else { g.power(*b, x) }).collect()
                }
                Node::Call(f, x) => companions(g, f, x),
                _ => Vec::new(),
            };
            for (i, &other) in more.iter().enumerate() {
                beside.insert((e, i), other);
            }
            all.extend(more);
        }
        let evaluator = evaluator(g, &all);
        let places = all.iter().enumerate().map(|(i, &e)| (e, i)).collect();
        Some(Jets { roots: roots.to_vec(), order, evaluator, places, beside })
    }

    /// What a draw takes at least: each node is made of others, and has a number for every monomial.
    pub(super) fn least(&self, ring: &Ring) -> u64 {
        2 * self.order.len() as u64 * ring.exponents.len() as u64 / 8
    }

    /// Nodes that a draw evaluates.
    pub(super) fn steps(&self) -> u64 {
        self.evaluator.steps() as u64
    }

    pub(super) fn is_faithful(&self) -> bool {
        self.evaluator.is_faithful()
    }

    /// The series at a random point, in these variables.
    pub(super) fn draw(
        &self,
        g: &Arena,
        ring: &Ring,
        variables: &[Symbol],
        generic: &mut Generic,
    ) -> Option<Vec<Series>> {
        (0..DRAWS).find_map(|_| {
            let values = self.evaluator.at(g, &generic.point()).ok()?;
            self.series(g, ring, variables, &values)
        })
    }

    fn series(&self, g: &Arena, ring: &Ring, variables: &[Symbol], values: &[Fp]) -> Option<Vec<Series>> {
        let mut known: FxHashMap<Expr, Series> = FxHashMap::default();
        let value = |e: Expr| values[self.places[&e]];
        for &e in &self.order {
            let series = match g.node(e) {
                Node::Symbol(s) => match variables.iter().position(|v| v == s) {
                    Some(v) => ring.variable(v, value(e)),
                    None => ring.constant(value(e), ring.degree),
                },
                Node::Sum { constant, terms } => {
                    let mut sum = ring.constant(Fp::from_rational(constant)?, ring.degree);
                    for (t, c) in terms {
                        sum = ring.add(&sum, &known[t], Fp::from_rational(c)?);
                    }
                    sum
                }
                Node::Product { coefficient, factors } => {
                    let mut product = ring.constant(Fp::from_rational(coefficient)?, ring.degree);
                    for (i, (b, x)) in factors.iter().enumerate() {
                        let power = match x.to_i64() {
                            Some(1) => known[b].clone(),
                            _ => self.power(ring, &known[b], value(*b), x, || value(self.beside[&(e, i)]))?,
                        };
                        product = ring.mul(&product, &power);
                    }
                    product
                }
                Node::Call(f, x) => {
                    let beside: Vec<Fp> = (0..).map_while(|i| self.beside.get(&(e, i))).map(|&e| value(e)).collect();
                    let taylor = taylor(*f, value(*x), value(e), &beside, ring.degree)?;
                    ring.compose(&taylor, &known[x])
                }
                _ => ring.constant(value(e), ring.degree),
            };
            known.insert(e, series);
        }
        Some(self.roots.iter().map(|e| known[e].clone()).collect())
    }

    /// sˣ: the binomial series.
    fn power(&self, ring: &Ring, s: &Series, s0: Fp, x: &Rational, root: impl Fn() -> Fp) -> Option<Series> {
        if let Some(k @ 2..=16) = x.to_i64() {
            return Some((1..k).fold(s.clone(), |p, _| ring.mul(&p, s)));
        }
        let inverse = s0.inverse()?;
        let first = match x.to_i64() {
            Some(k) => s0.powi(k)?,
            None => root(),
        };
        let exponent = Fp::from_rational(x)?;
        let mut list = vec![first];
        for k in 0..ring.degree as u64 {
            let factor = (exponent - Fp::new(k)) * Fp::new(k + 1).inverse()?;
            list.push(list[k as usize] * factor * inverse);
        }
        Some(ring.compose(&list, s))
    }
}

/// Values that the derivatives of a function are made of.
fn companions(g: &mut Arena, f: Function, x: Expr) -> Vec<Expr> {
    use Function::*;
    match f {
        Sin | Cos | Tan | Cot | Sec | Csc => vec![g.call(Sin, x), g.call(Cos, x)],
        Sinh | Cosh | Tanh => vec![g.call(Sinh, x), g.call(Cosh, x)],
        Asin | Acos => {
            let square = g.mul(x, x);
            let one = g.one();
            let rest = g.sub(one, square);
            vec![g.power(rest, &Rational::new(1, 2).unwrap_or(Rational::ONE))]
        }
        Abs => vec![g.call(Sign, x)],
        Exp | Log | Atan | Sign => Vec::new(),
    }
}

/// The Taylor coefficients of a function at a point.
fn taylor(f: Function, x: Fp, value: Fp, beside: &[Fp], degree: usize) -> Option<Vec<Fp>> {
    use Function::*;
    let factorials: Vec<Fp> =
        std::iter::successors(Some((Fp::ONE, 0u64)), |&(p, k)| Some((p * Fp::new(k + 1).inverse()?, k + 1)))
            .map(|(p, _)| p)
            .take(degree + 1)
            .collect();
    let cycle = |list: [Fp; 4]| -> Vec<Fp> { (0..=degree).map(|k| list[k % 4] * factorials[k]).collect() };
    let circular = || {
        let (s, c) = (beside[0], beside[1]);
        (cycle([s, c, -s, -c]), cycle([c, -s, -c, s]))
    };
    let hyperbolic = || {
        let (s, c) = (beside[0], beside[1]);
        (cycle([s, c, s, c]), cycle([c, s, c, s]))
    };
    let one = || (0..=degree).map(|k| if k == 0 { Fp::ONE } else { Fp::ZERO }).collect::<Vec<_>>();
    Some(match f {
        Sin => circular().0,
        Cos => circular().1,
        Tan => quotient(&circular().0, &circular().1)?,
        Cot => quotient(&circular().1, &circular().0)?,
        Sec => quotient(&one(), &circular().1)?,
        Csc => quotient(&one(), &circular().0)?,
        Sinh => hyperbolic().0,
        Cosh => hyperbolic().1,
        Tanh => quotient(&hyperbolic().0, &hyperbolic().1)?,
        Exp => cycle([value; 4]),
        Log => integral(value, &quotient(&one(), &polynomial(&[x, Fp::ONE], degree))?)?,
        Atan => {
            let square = polynomial(&[Fp::ONE + x * x, x + x, Fp::ONE], degree);
            integral(value, &quotient(&one(), &square)?)?
        }
        Asin | Acos => {
            // y = (1 − x²)^(−1/2) satisfies (1 − x²) y′ = x y.
            let root = beside[0].inverse()?;
            let (u, slope) = (Fp::ONE - x * x, -(x + x));
            let mut y = vec![root];
            for k in 0..degree {
                let n = Fp::new(k as u64);
                let before = if k == 0 { Fp::ZERO } else { y[k - 1] };
                // Coefficient of hᵏ, with 1 − (x+h)² = u + slope·h − h².
                let right = x * y[k] + before - slope * n * y[k] + (n - Fp::ONE) * before;
                y.push(right * (u * Fp::new(k as u64 + 1)).inverse()?);
            }
            if f == Acos {
                y.iter_mut().for_each(|c| *c = -*c);
            }
            integral(value, &y)?
        }
        Abs => polynomial(&[value, beside[0]], degree),
        Sign => polynomial(&[value], degree),
    })
}

fn polynomial(list: &[Fp], degree: usize) -> Vec<Fp> {
    (0..=degree).map(|k| list.get(k).copied().unwrap_or(Fp::ZERO)).collect()
}

/// a/b as series in one variable.
fn quotient(a: &[Fp], b: &[Fp]) -> Option<Vec<Fp>> {
    let first = b[0].inverse()?;
    let mut q: Vec<Fp> = Vec::with_capacity(a.len());
    for k in 0..a.len() {
        let rest = (0..k).fold(a[k], |rest, i| rest - q[i] * b[k - i]);
        q.push(rest * first);
    }
    Some(q)
}

/// The integral with the given value at the point, to the same degree.
fn integral(value: Fp, slope: &[Fp]) -> Option<Vec<Fp>> {
    let mut list = vec![value];
    for (k, &c) in slope.iter().enumerate().take(slope.len() - 1) {
        list.push(c * Fp::new(k as u64 + 1).inverse()?);
    }
    Some(list)
}
