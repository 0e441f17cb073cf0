//! Products of powers of variables: a short sorted list, kept inline up to seven variables.

use crate::error::{Error, Result};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// A variable of a polynomial, by index. Smaller indices are more significant in the order of terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

const INLINE: usize = 7;

/// A product of powers of variables. Exponents are non-zero integers, negative ones allowed.
#[derive(Clone)]
pub struct Monomial(Repr);

/// Entries hold the variable in the upper half and the exponent in the lower, and are sorted by variable.
#[derive(Clone)]
enum Repr {
    Inline(u8, [u32; INLINE]),
    Heap(Box<[u32]>),
}

#[inline]
fn entry(v: Var, e: i32) -> u32 {
    v.0 << 16 | u32::from(e as i16 as u16)
}

#[inline]
fn split(entry: u32) -> (Var, i32) {
    (Var(entry >> 16), i32::from(entry as u16 as i16))
}

fn too_large() -> Error {
    Error::limit("an exponent of a polynomial is beyond ±32767")
}

impl Monomial {
    /// The empty product.
    pub const ONE: Monomial = Monomial(Repr::Inline(0, [0; INLINE]));

    /// vᵉ. A polynomial has at most 65536 variables with exponents up to ±32767; beyond, a limit is reported.
    pub fn power(v: Var, e: i32) -> Result<Monomial> {
        if e == 0 {
            return Ok(Monomial::ONE);
        }
        if v.0 > 0xffff {
            return Err(Error::limit("a polynomial has more than 65536 variables"));
        }
        i16::try_from(e).map_err(|_| too_large())?;
        let mut list = [0; INLINE];
        list[0] = entry(v, e);
        Ok(Monomial(Repr::Inline(1, list)))
    }

    /// From pairs sorted by variable, with non-zero exponents in range.
    pub(super) fn from_sorted(pairs: impl Iterator<Item = (Var, i32)>) -> Monomial {
        let mut list = [0; INLINE];
        let mut n = 0;
        let mut long: Vec<u32> = Vec::new();
        for (v, e) in pairs {
            let x = entry(v, e);
            if n < INLINE {
                list[n] = x;
            } else {
                if n == INLINE {
                    long.extend_from_slice(&list);
                }
                long.push(x);
            }
            n += 1;
        }
        if n <= INLINE { Monomial(Repr::Inline(n as u8, list)) } else { Monomial(Repr::Heap(long.into())) }
    }

    #[inline]
    fn entries(&self) -> &[u32] {
        match &self.0 {
            Repr::Inline(n, list) => &list[..usize::from(*n)],
            Repr::Heap(list) => list,
        }
    }

    /// Variables with their exponents, by variable.
    #[inline]
    pub fn factors(&self) -> impl DoubleEndedIterator<Item = (Var, i32)> + ExactSizeIterator + '_ {
        self.entries().iter().map(|&x| split(x))
    }

    /// Is this the empty product?
    #[inline]
    pub fn is_one(&self) -> bool {
        self.entries().is_empty()
    }

    /// The exponent of a variable.
    #[inline]
    pub fn exponent(&self, v: Var) -> i32 {
        self.factors().find(|(w, _)| *w >= v).map_or(0, |(w, e)| if w == v { e } else { 0 })
    }

    /// The exponent of a variable, and what remains when the variable is taken out.
    pub fn split_off(&self, v: Var) -> (i32, Monomial) {
        let e = self.exponent(v);
        if e == 0 { (0, self.clone()) } else { (e, Monomial::from_sorted(self.factors().filter(|(w, _)| *w != v))) }
    }

    /// The same with a smaller exponent of a variable that occurs.
    pub fn with_exponent(mut self, v: Var, e: i32) -> Monomial {
        debug_assert!(i16::try_from(e).is_ok());
        let list = match &mut self.0 {
            Repr::Inline(n, list) => &mut list[..usize::from(*n)],
            Repr::Heap(list) => list,
        };
        match list.iter_mut().find(|x| split(**x).0 == v) {
            Some(x) if e != 0 => *x = entry(v, e),
            _ => return self.split_off(v).1,
        }
        self
    }

    /// The powers that are wanted.
    pub fn only(&self, wanted: impl Fn(Var, i32) -> bool) -> Monomial {
        Monomial::from_sorted(self.factors().filter(|&(v, e)| wanted(v, e)))
    }

    /// Sum or difference of exponents.
    fn combine(&self, other: &Monomial, sign: i32) -> Result<Monomial> {
        if other.is_one() {
            return Ok(self.clone());
        }
        let (a, b) = (self.entries(), other.entries());
        let mut overflow = false;
        let mut push = |e: i32| {
            overflow |= i16::try_from(e).is_err();
            e
        };
        let (mut i, mut j) = (0, 0);
        let merged = std::iter::from_fn(|| {
            loop {
                let (x, y) = (a.get(i).map(|&x| split(x)), b.get(j).map(|&x| split(x)));
                let (v, e) = match (x, y) {
                    (None, None) => return None,
                    (Some((v, e)), Some((w, f))) if v == w => {
                        i += 1;
                        j += 1;
                        (v, e + sign * f)
                    }
                    (Some((v, e)), Some((w, _))) if v < w => {
                        i += 1;
                        (v, e)
                    }
                    (Some((v, e)), None) => {
                        i += 1;
                        (v, e)
                    }
                    (_, Some((w, f))) => {
                        j += 1;
                        (w, sign * f)
                    }
                };
                if e != 0 {
                    return Some((v, push(e)));
                }
            }
        });
        let m = Monomial::from_sorted(merged);
        if overflow { Err(too_large()) } else { Ok(m) }
    }

    /// Product.
    pub fn mul(&self, other: &Monomial) -> Result<Monomial> {
        self.combine(other, 1)
    }

    /// Quotient; exponents may become negative.
    pub fn div(&self, other: &Monomial) -> Result<Monomial> {
        self.combine(other, -1)
    }

    /// Integer power.
    pub fn pow(&self, n: i32) -> Result<Monomial> {
        if n == 0 {
            return Ok(Monomial::ONE);
        }
        if self.factors().any(|(_, e)| i16::try_from(i64::from(e) * i64::from(n)).is_err()) {
            return Err(too_large());
        }
        Ok(Monomial::from_sorted(self.factors().map(|(v, e)| (v, e * n))))
    }

    /// The common monomial: smallest exponent of each variable, absence counting as zero.
    pub fn meet(&self, other: &Monomial) -> Monomial {
        let mut pairs: Vec<(Var, i32)> = self.factors().map(|(v, e)| (v, e.min(other.exponent(v)))).collect();
        pairs.extend(other.factors().filter(|&(v, e)| e < 0 && self.exponent(v) == 0));
        pairs.retain(|(_, e)| *e != 0);
        pairs.sort_unstable();
        Monomial::from_sorted(pairs.into_iter())
    }

    /// Sum of the exponents.
    pub fn degree(&self) -> i64 {
        self.factors().map(|(_, e)| i64::from(e)).sum()
    }
}

impl PartialEq for Monomial {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

impl Eq for Monomial {}

impl Hash for Monomial {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.entries().hash(state);
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Lexicographic: the first variable in which the exponents differ decides. Compatible with multiplication.
impl Ord for Monomial {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.entries(), other.entries());
        let n = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        let sign = |e: i32| e.cmp(&0);
        match (a.get(n), b.get(n)) {
            (None, None) => Ordering::Equal,
            (Some(&x), None) => sign(split(x).1),
            (None, Some(&y)) => sign(split(y).1).reverse(),
            (Some(&x), Some(&y)) => {
                let ((v, e), (w, f)) = (split(x), split(y));
                match v.cmp(&w) {
                    Ordering::Equal => e.cmp(&f),
                    Ordering::Less => sign(e),
                    Ordering::Greater => sign(f).reverse(),
                }
            }
        }
    }
}

impl std::fmt::Debug for Monomial {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_one() {
            return f.write_str("1");
        }
        for (i, (v, e)) in self.factors().enumerate() {
            let separator = if i > 0 { "*" } else { "" };
            match e {
                1 => write!(f, "{separator}x{}", v.0)?,
                _ => write!(f, "{separator}x{}^{e}", v.0)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn m(list: &[(u32, i32)]) -> Monomial {
        Monomial::from_sorted(list.iter().map(|&(v, e)| (Var(v), e)))
    }

    #[test]
    fn products_add_exponents_and_drop_zeros() {
        let a = m(&[(0, 1), (2, -1), (5, 3)]);
        let b = m(&[(0, 2), (2, 1), (3, 1)]);
        assert_eq!(a.mul(&b).unwrap(), m(&[(0, 3), (3, 1), (5, 3)]));
        assert_eq!(a.mul(&b).unwrap().div(&b).unwrap(), a);
        assert_eq!(a.meet(&b), m(&[(0, 1), (2, -1)]));
        assert_eq!(b.meet(&a), a.meet(&b));
        assert!(m(&[(0, 32767)]).mul(&m(&[(0, 1)])).is_err());
        assert!(m(&[(0, 300)]).pow(300).is_err());
        assert!(Monomial::power(Var(70_000), 1).is_err());
    }

    #[test]
    fn long_monomials_go_to_the_heap_and_come_back() {
        let long = m(&(0..12).map(|i| (i, 1)).collect::<Vec<_>>());
        let tail = m(&(5..12).map(|i| (i, 1)).collect::<Vec<_>>());
        let head = long.div(&tail).unwrap();
        assert_eq!(head, m(&(0..5).map(|i| (i, 1)).collect::<Vec<_>>()));
        assert_eq!(head.mul(&tail).unwrap(), long);
    }

    #[test]
    fn an_exponent_is_replaced_and_one_of_zero_leaves_the_variable_out() {
        let short = [(0, 2), (3, -1)];
        let long: Vec<(u32, i32)> = (0..8).map(|i| (i, 2)).collect();
        for list in [&short[..], &long] {
            let with = |e: i32| list.iter().map(|&(v, f)| (v, if v == 3 { e } else { f })).collect::<Vec<_>>();
            assert_eq!(m(list).with_exponent(Var(3), 5), m(&with(5)));
            let without: Vec<(u32, i32)> = list.iter().copied().filter(|(v, _)| *v != 3).collect();
            // What is left of eight variables is again kept like any seven.
            assert_eq!(m(list).with_exponent(Var(3), 0), m(&without));
        }
    }

    #[test]
    fn the_order_is_compatible_with_products() {
        let list = [m(&[]), m(&[(0, 1)]), m(&[(0, -1)]), m(&[(1, 2)]), m(&[(0, 1), (1, -1)]), m(&[(2, 1)])];
        for a in &list {
            for b in &list {
                for c in &list {
                    assert_eq!(a.cmp(b), a.mul(c).unwrap().cmp(&b.mul(c).unwrap()));
                }
            }
        }
    }
}
