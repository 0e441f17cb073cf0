//! Constructors: light canonical form, nothing expanded.
//!
//! Sums collect like terms, products collect like bases; a number times a sum is distributed (so that
//! `(a+b) - (a+b)` is 0), nothing else is.

use super::arena::{Arena, Expr, Function, Node, TableId};
use super::number::Rational;
use super::symbol::Symbol;

/// Numeric powers with a result of more bits than this stay symbolic.
const POWER_BITS: u64 = 1 << 14;

/// Entries of a sum or a product that is longer than most: each beyond counts as work, whether the node is new or not.
const LONG: usize = 64;

/// Sorts by id and adds up what belongs together; drops zeros.
fn collect(list: &mut Vec<(Expr, Rational)>) {
    if list.windows(2).all(|w| w[0].0 < w[1].0) {
        list.retain(|(_, c)| !c.is_zero());
        return;
    }
    list.sort_unstable_by_key(|(e, _)| *e);
    let mut kept = 0;
    for i in 0..list.len() {
        if kept > 0 && list[kept - 1].0 == list[i].0 {
            list[kept - 1].1 = &list[kept - 1].1 + &list[i].1;
        } else {
            list.swap(kept, i);
            kept += 1;
        }
    }
    list.truncate(kept);
    list.retain(|(_, c)| !c.is_zero());
}

impl Arena {
    /// 0.
    pub fn zero(&self) -> Expr {
        Self::ZERO
    }

    /// 1.
    pub fn one(&self) -> Expr {
        Self::ONE
    }

    /// A rational number.
    pub fn number(&mut self, n: Rational) -> Expr {
        self.intern(Node::Number(n))
    }

    /// An integer.
    pub fn integer(&mut self, n: i64) -> Expr {
        self.number(Rational::integer(n))
    }

    /// n/d; the caller passes a non-zero `d`.
    pub fn fraction(&mut self, n: i64, d: i64) -> Expr {
        match Rational::new(n, d) {
            Some(r) => self.number(r),
            None => Self::UNDEFINED,
        }
    }

    /// A symbol as an expression.
    pub fn symbol(&mut self, s: Symbol) -> Expr {
        self.intern(Node::Symbol(s))
    }

    /// The number behind an expression that is one.
    pub fn as_number(&self, e: Expr) -> Option<&Rational> {
        match self.node(e) {
            Node::Number(n) => Some(n),
            _ => None,
        }
    }

    /// Is this the number 0? (Structural: a zero in disguise needs the zero test.)
    pub fn is_zero(&self, e: Expr) -> bool {
        e == Self::ZERO
    }

    /// Is this the number 1?
    pub fn is_one(&self, e: Expr) -> bool {
        e == Self::ONE
    }

    /// Splits off the numeric coefficient: `e = c·rest`.
    pub fn split_coefficient(&mut self, e: Expr) -> (Rational, Expr) {
        match self.node(e) {
            Node::Number(n) => (n.clone(), Self::ONE),
            Node::Product { coefficient, factors } if !coefficient.is_one() => {
                let (c, f) = (coefficient.clone(), factors.to_vec());
                (c, self.product_of(Rational::ONE, f))
            }
            _ => (Rational::ONE, e),
        }
    }

    /// constant + Σ coefficient·term, for arbitrary terms.
    pub fn linear(&mut self, constant: Rational, terms: impl IntoIterator<Item = (Expr, Rational)>) -> Expr {
        let mut constant = constant;
        let mut list: Vec<(Expr, Rational)> = Vec::new();
        for (e, c) in terms {
            if c.is_zero() {
                if self.is_undefined(e) {
                    return Self::UNDEFINED;
                }
                continue;
            }
            match self.node(e) {
                Node::Undefined => return Self::UNDEFINED,
                Node::Number(n) => constant = &constant + &(n * &c),
                Node::Sum { constant: k, terms } => {
                    constant = &constant + &(k * &c);
                    list.extend(terms.iter().map(|(t, d)| (*t, d * &c)));
                }
                Node::Product { coefficient, .. } if !coefficient.is_one() => {
                    let (k, rest) = self.split_coefficient(e);
                    list.push((rest, &k * &c));
                }
                _ => list.push((e, c)),
            }
        }
        self.work.charge(list.len().saturating_sub(LONG) as u64);
        collect(&mut list);
        match (constant.is_zero(), list.len()) {
            (_, 0) => self.number(constant),
            (true, 1) => {
                let (e, c) = list.swap_remove(0);
                self.scale(e, &c)
            }
            _ => self.intern(Node::Sum { constant, terms: list.into() }),
        }
    }

    /// Sum of any number of expressions.
    pub fn sum(&mut self, terms: impl IntoIterator<Item = Expr>) -> Expr {
        self.linear(Rational::ZERO, terms.into_iter().map(|e| (e, Rational::ONE)))
    }

    /// a + b.
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.sum([a, b])
    }

    /// a − b.
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        self.linear(Rational::ZERO, [(a, Rational::ONE), (b, Rational::MINUS_ONE)])
    }

    /// −a.
    pub fn neg(&mut self, a: Expr) -> Expr {
        self.scale(a, &Rational::MINUS_ONE)
    }

    /// c·e for a number c.
    pub fn scale(&mut self, e: Expr, c: &Rational) -> Expr {
        if c.is_one() || self.is_undefined(e) {
            return e;
        }
        if c.is_zero() {
            return Self::ZERO;
        }
        let entries = match self.node(e) {
            Node::Sum { terms: list, .. } | Node::Product { factors: list, .. } => list.len(),
            _ => 1,
        };
        self.work.charge(entries.saturating_sub(LONG) as u64);
        match self.node(e) {
            Node::Number(n) => {
                let n = n * c;
                self.number(n)
            }
            Node::Sum { constant, terms } => {
                let node =
                    Node::Sum { constant: constant * c, terms: terms.iter().map(|(t, d)| (*t, d * c)).collect() };
                self.intern(node)
            }
            Node::Product { coefficient, factors } => {
                let (k, f) = (coefficient * c, factors.to_vec());
                self.product_of(k, f)
            }
            _ => self.intern(Node::Product { coefficient: c.clone(), factors: [(e, Rational::ONE)].into() }),
        }
    }

    /// coefficient·Π baseᵉˣᵖᵒⁿᵉⁿᵗ, for arbitrary bases and numeric exponents.
    pub fn powers(&mut self, coefficient: Rational, factors: impl IntoIterator<Item = (Expr, Rational)>) -> Expr {
        let mut c = coefficient;
        let mut list: Vec<(Expr, Rational)> = Vec::new();
        for (e, exponent) in factors {
            if exponent.is_zero() {
                continue;
            }
            match self.node(e) {
                Node::Undefined => return Self::UNDEFINED,
                Node::Number(n) => match numeric_power(n, &exponent) {
                    NumericPower::Undefined => return Self::UNDEFINED,
                    NumericPower::Exact(k) => c = &c * &k,
                    NumericPower::Partial(k, rest) => {
                        c = &c * &k;
                        list.push((e, rest));
                    }
                    NumericPower::Large => list.push((e, exponent)),
                },
                // (a·b)ⁿ = aⁿ·bⁿ and (xᵃ)ⁿ = xᵃⁿ for integer n only: (x²)^(1/2) is |x|, not x.
                Node::Product { coefficient, factors } if exponent.is_integer() => {
                    match numeric_power(coefficient, &exponent) {
                        NumericPower::Exact(k) => {
                            c = &c * &k;
                            list.extend(factors.iter().map(|(b, x)| (*b, x * &exponent)));
                        }
                        _ => list.push((e, exponent)),
                    }
                }
                _ => list.push((e, exponent)),
            }
        }
        self.work.charge(list.len().saturating_sub(LONG) as u64);
        collect(&mut list);
        // Exponents of numbers may have become integers by collecting: 2^(1/2)·2^(1/2).
        let mut i = 0;
        while i < list.len() {
            if let Node::Number(n) = self.node(list[i].0) {
                match numeric_power(n, &list[i].1) {
                    NumericPower::Undefined => return Self::UNDEFINED,
                    NumericPower::Exact(k) => {
                        c = &c * &k;
                        list.remove(i);
                        continue;
                    }
                    NumericPower::Partial(k, rest) => {
                        c = &c * &k;
                        list[i].1 = rest;
                    }
                    NumericPower::Large => {}
                }
            }
            i += 1;
        }
        // A product under a fractional exponent may have come to an integer one: (x·y)^(1/2)·(x·y)^(1/2).
        let reopened =
            list.iter().any(|(e, x)| x.is_integer() && matches!(self.node(*e), Node::Product { coefficient, .. } if !matches!(numeric_power(coefficient, x), NumericPower::Large)));
        if reopened {
            return self.powers(c, list);
        }
        self.product_of(c, list)
    }

    /// A product from a canonical list of factors.
    fn product_of(&mut self, coefficient: Rational, factors: Vec<(Expr, Rational)>) -> Expr {
        if coefficient.is_zero() {
            return Self::ZERO;
        }
        if factors.is_empty() {
            return self.number(coefficient);
        }
        if let [(e, exponent)] = &factors[..] {
            let e = *e;
            if exponent.is_one() && (coefficient.is_one() || matches!(self.node(e), Node::Sum { .. })) {
                return self.scale(e, &coefficient);
            }
        }
        self.intern(Node::Product { coefficient, factors: factors.into() })
    }

    /// Product of any number of expressions.
    pub fn product(&mut self, factors: impl IntoIterator<Item = Expr>) -> Expr {
        self.powers(Rational::ONE, factors.into_iter().map(|e| (e, Rational::ONE)))
    }

    /// a·b.
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        self.product([a, b])
    }

    /// a/b; division by the number zero gives the undefined expression.
    pub fn div(&mut self, a: Expr, b: Expr) -> Expr {
        self.powers(Rational::ONE, [(a, Rational::ONE), (b, Rational::MINUS_ONE)])
    }

    /// e to a numeric power.
    pub fn power(&mut self, e: Expr, exponent: &Rational) -> Expr {
        self.powers(Rational::ONE, [(e, exponent.clone())])
    }

    /// e to an integer power.
    pub fn powi(&mut self, e: Expr, exponent: i64) -> Expr {
        self.power(e, &Rational::integer(exponent))
    }

    /// e².
    pub fn square(&mut self, e: Expr) -> Expr {
        self.powi(e, 2)
    }

    /// √e.
    pub fn sqrt(&mut self, e: Expr) -> Expr {
        self.power(e, &Rational::new(1, 2).expect("2 is not zero"))
    }

    /// base^exponent for an arbitrary exponent.
    pub fn pow(&mut self, base: Expr, exponent: Expr) -> Expr {
        if self.is_undefined(base) || self.is_undefined(exponent) {
            return Self::UNDEFINED;
        }
        if let Node::Number(x) = self.node(exponent) {
            let x = x.clone();
            // An exponent beyond any use, over something that is not a number: still only a label.
            return self.power(base, &x);
        }
        if base == Self::ONE {
            return Self::ONE;
        }
        self.intern(Node::Power(base, exponent))
    }

    /// A function of one argument.
    pub fn call(&mut self, f: Function, x: Expr) -> Expr {
        use Function::*;
        if self.is_undefined(x) {
            return Self::UNDEFINED;
        }
        if let Some(value) = self.special_value(f, x) {
            return value;
        }
        if matches!(f, Sin | Cos | Tan | Cot | Sec | Csc | Asin | Atan | Sinh | Cosh | Tanh | Abs | Sign)
            && self.is_negated(x)
        {
            let positive = self.neg(x);
            let value = self.call(f, positive);
            return if matches!(f, Cos | Sec | Cosh | Abs) { value } else { self.neg(value) };
        }
        self.intern(Node::Call(f, x))
    }

    /// Is a minus sign written in front of everything? (A sum counts when all its terms are negative, so that the
    /// answer does not depend on the order of ids.)
    fn is_negated(&self, e: Expr) -> bool {
        match self.node(e) {
            Node::Number(n) => n.is_negative(),
            Node::Product { coefficient, .. } => coefficient.is_negative(),
            Node::Sum { constant, terms } => {
                (constant.is_zero() || constant.is_negative()) && terms.iter().all(|(_, c)| c.is_negative())
            }
            _ => false,
        }
    }

    /// Values at 0, ±1 and at the usual multiples of π.
    fn special_value(&mut self, f: Function, x: Expr) -> Option<Expr> {
        use Function::*;
        if matches!(f, Asin | Acos | Atan) {
            return self.known_angle(f, x);
        }
        if let Some(n) = self.as_number(x) {
            let value = match f {
                Sin | Tan | Sinh | Tanh if n.is_zero() => Rational::ZERO,
                Cos | Sec | Cosh | Exp if n.is_zero() => Rational::ONE,
                Cot | Csc if n.is_zero() => return Some(Self::UNDEFINED),
                Log if n.is_one() => Rational::ZERO,
                Log if n.is_zero() => return Some(Self::UNDEFINED),
                Abs => n.abs(),
                Sign if n.is_zero() => Rational::ZERO,
                Sign => Rational::integer(if n.is_negative() { -1 } else { 1 }),
                _ => return None,
            };
            return Some(self.number(value));
        }
        match (f, self.node(x)) {
            // exp(log(a)) = a wherever log(a) is defined; log(exp(a)) = a for real a.
            (Exp, Node::Call(Log, a)) | (Log, Node::Call(Exp, a)) => return Some(*a),
            (Sin, Node::Call(Asin, a)) | (Cos, Node::Call(Acos, a)) | (Tan, Node::Call(Atan, a)) => return Some(*a),
            _ => {}
        }
        if !matches!(f, Sin | Cos | Tan | Cot | Sec | Csc) {
            return None;
        }
        // x = c·π with 12c an integer.
        let pi = self.pi();
        let turns = match self.node(x) {
            Node::Symbol(s) if *s == pi => Rational::ONE,
            Node::Product { coefficient, factors } => match &factors[..] {
                [(e, k)] if k.is_one() && matches!(self.node(*e), Node::Symbol(s) if *s == pi) => coefficient.clone(),
                _ => return None,
            },
            _ => return None,
        };
        let twelfths = (&turns * &Rational::integer(12)).to_i64()?.rem_euclid(24);
        let sin = self.sine_of_twelfths(twelfths)?;
        let cos = self.sine_of_twelfths((twelfths + 6) % 24)?;
        Some(match f {
            Sin => sin,
            Cos => cos,
            Tan => self.div(sin, cos),
            Cot => self.div(cos, sin),
            Sec => self.div(Self::ONE, cos),
            _ => self.div(Self::ONE, sin),
        })
    }

    /// sin(k·π/12) for the k where it is 0, ±1/2, ±√2/2, ±√3/2 or ±1.
    fn sine_of_twelfths(&mut self, k: i64) -> Option<Expr> {
        let (sign, k) = if k >= 12 { (-1, k - 12) } else { (1, k) };
        let radicand = match k.min(12 - k) {
            0 => return Some(Self::ZERO),
            2 => 1,
            3 => 2,
            4 => 3,
            6 => 4,
            _ => return None,
        };
        let n = self.integer(radicand);
        let root = self.sqrt(n);
        Some(self.scale(root, &Rational::new(sign, 2).expect("2 is not zero")))
    }

    /// sin x.
    pub fn sin(&mut self, x: Expr) -> Expr {
        self.call(Function::Sin, x)
    }

    /// cos x.
    pub fn cos(&mut self, x: Expr) -> Expr {
        self.call(Function::Cos, x)
    }

    /// atan2(y, x).
    pub fn atan2(&mut self, y: Expr, x: Expr) -> Expr {
        if self.is_undefined(y) || self.is_undefined(x) {
            return Self::UNDEFINED;
        }
        if let Some(angle) = self.known_direction(y, x) {
            return angle;
        }
        self.intern(Node::Atan2(y, x))
    }

    /// The given derivative of a table function at `x`.
    pub fn table(&mut self, table: TableId, derivative: u8, x: Expr) -> Expr {
        if self.is_undefined(x) {
            return Self::UNDEFINED;
        }
        self.intern(Node::Table(table, derivative, x))
    }
}

enum NumericPower {
    Undefined,
    Exact(Rational),
    /// A rational part, and what remains as an exponent in (0, 1).
    Partial(Rational, Rational),
    /// Too large to write out.
    Large,
}

fn numeric_power(base: &Rational, exponent: &Rational) -> NumericPower {
    if base.is_zero() {
        return if exponent.is_negative() { NumericPower::Undefined } else { NumericPower::Exact(Rational::ZERO) };
    }
    if base.is_one() {
        return NumericPower::Exact(Rational::ONE);
    }
    if base.is_minus_one() && exponent.is_integer() {
        let even = (&exponent.numerator() % 2u32) == num_bigint::BigInt::from(0);
        return NumericPower::Exact(Rational::integer(if even { 1 } else { -1 }));
    }
    let Some((n, d)) = exponent.small() else { return NumericPower::Large };
    let whole = n.div_euclid(d);
    match i32::try_from(whole) {
        Ok(k) if base.bits().saturating_mul(k.unsigned_abs().into()) <= POWER_BITS.max(base.bits()) => {
            let Some(power) = base.pow(k) else { return NumericPower::Undefined };
            if d == 1 {
                return NumericPower::Exact(power);
            }
            let rest = Rational::new(n.rem_euclid(d), d).expect("a denominator is not zero");
            if d == 2
                && let Some(root) = base.sqrt()
            {
                return NumericPower::Exact(&power * &root);
            }
            NumericPower::Partial(power, rest)
        }
        _ => NumericPower::Large,
    }
}
