//! Interim evaluation in the prime field, until the engine's own arrives.

use crate::expr::field::{Fp, Rotation, SplitMix, hash_to_field};
use crate::expr::{Arena, Expr, Function, Node, Rational, Symbol};
use rustc_hash::FxHashMap;

/// Values of symbols in the field.
#[derive(Clone, Debug, Default)]
pub struct FieldPoint {
    values: FxHashMap<Symbol, Fp>,
    seed: u64,
}

const UNIT: i64 = 120;

impl FieldPoint {
    pub fn new(seed: u64) -> FieldPoint {
        FieldPoint { values: FxHashMap::default(), seed }
    }

    pub fn set(&mut self, s: Symbol, v: Fp) {
        self.values.insert(s, v);
    }

    fn rotation(&self, s: Symbol) -> Option<Rotation> {
        let t = SplitMix::new(self.seed ^ (u64::from(s.0) << 32)).field();
        Rotation::from_half_tangent(t)
    }
}

pub struct FieldEvaluator {
    order: Vec<Expr>,
    index: FxHashMap<Expr, usize>,
    roots: Vec<Expr>,
}

impl FieldEvaluator {
    pub fn new(g: &Arena, roots: &[Expr]) -> FieldEvaluator {
        let order = g.reachable(roots);
        let index = order.iter().enumerate().map(|(i, &e)| (e, i)).collect();
        FieldEvaluator { order, index, roots: roots.to_vec() }
    }

    pub fn at(&self, g: &Arena, p: &FieldPoint) -> Option<Vec<Fp>> {
        let mut v = Vec::with_capacity(self.order.len());
        for &e in &self.order {
            let of = |x: &Expr| -> Fp { v[self.index[x]] };
            let x = match g.node(e) {
                Node::Number(n) => Fp::from_rational(n)?,
                Node::Symbol(s) => {
                    if *s == g.pi() {
                        hash_to_field(&[7])
                    } else {
                        *p.values.get(s)?
                    }
                }
                Node::Undefined => return None,
                Node::Sum { constant, terms } => {
                    let mut s = Fp::from_rational(constant)?;
                    for (t, c) in terms {
                        s += of(t) * Fp::from_rational(c)?;
                    }
                    s
                }
                Node::Product { coefficient, factors } => {
                    let mut s = Fp::from_rational(coefficient)?;
                    for (b, x) in factors {
                        s *= power(of(b), x)?;
                    }
                    s
                }
                Node::Power(a, b) => hash_to_field(&[1, of(a).value(), of(b).value()]),
                Node::Atan2(a, b) => hash_to_field(&[2, of(a).value(), of(b).value()]),
                Node::Table(id, o, a) => hash_to_field(&[3, id.0.into(), (*o).into(), of(a).value()]),
                Node::Call(f, a) => {
                    use Function::*;
                    match f {
                        Sin | Cos | Tan | Cot | Sec | Csc => {
                            let r = angle(g, p, *a, &of)?;
                            match f {
                                Sin => r.sin,
                                Cos => r.cos,
                                Tan => r.sin * r.cos.inverse()?,
                                Cot => r.cos * r.sin.inverse()?,
                                Sec => r.cos.inverse()?,
                                _ => r.sin.inverse()?,
                            }
                        }
                        _ => hash_to_field(&[10 + *f as u64, of(a).value()]),
                    }
                }
            };
            v.push(x);
        }
        Some(self.roots.iter().map(|r| v[self.index[r]]).collect())
    }
}

fn power(b: Fp, x: &Rational) -> Option<Fp> {
    let (n, d) = x.small()?;
    let r = if d == 1 { b } else { b.root(d as u64)? };
    r.powi(n)
}

fn angle(g: &Arena, p: &FieldPoint, a: Expr, of: &dyn Fn(&Expr) -> Fp) -> Option<Rotation> {
    let part = |e: Expr, c: &Rational| -> Option<Rotation> {
        let m = (c * &Rational::integer(UNIT)).to_i64()?;
        match g.node(e) {
            Node::Symbol(s) if *s == g.pi() => Rotation::turns(m, UNIT as u64),
            Node::Symbol(s) => Some(p.rotation(*s)?.times(m)),
            _ => {
                let t = hash_to_field(&[5, of(&e).value()]);
                Some(Rotation::from_half_tangent(t)?.times(m))
            }
        }
    };
    match g.node(a) {
        Node::Sum { constant, terms } => {
            let mut r = Rotation::IDENTITY;
            if !constant.is_zero() {
                r = Rotation::from_half_tangent(hash_to_field(&[6]))?
                    .times((constant * &Rational::integer(UNIT)).to_i64()?);
            }
            for (t, c) in terms {
                r = r.then(part(*t, c)?);
            }
            Some(r)
        }
        Node::Product { coefficient, factors } if factors.len() == 1 && factors[0].1.is_one() => {
            part(factors[0].0, coefficient)
        }
        _ => part(a, &Rational::ONE),
    }
}
