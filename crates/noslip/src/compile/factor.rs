//! Common factors of a sum's members, taken out: m·a·b + m·a·c becomes m·a·(b + c).
//!
//! Greedy, like Horner's scheme in several variables (Ceberio and Kreinovich, 2004): the factor that most members
//! have goes first, together with everything else those members have in common.

use super::terms::{Scaled, Term, TermId, Terms, needed};

/// Wider sums are left alone: the search looks at every factor of every member again and again.
const WIDEST: usize = 256;

/// A member of a sum: a product that may be taken apart, or something to be left as it is.
enum Member {
    Product(Vec<(TermId, i64)>),
    Whole(TermId),
}

impl Terms {
    /// The same terms with common factors taken out of sums, where the products are not needed elsewhere.
    pub(super) fn factored(&self, roots: &[Scaled]) -> (Terms, Vec<Scaled>) {
        let needed = needed(&self.terms, roots);
        let mut uses = vec![0u32; self.terms.len()];
        roots.iter().filter_map(|s| s.core).for_each(|t| uses[t as usize] += 1);
        for (term, _) in self.terms.iter().zip(&needed).filter(|(_, n)| **n) {
            term.for_each_part(|t| uses[t as usize] += 1);
        }
        let mut new = Terms::default();
        let mut image: Vec<Scaled> = Vec::with_capacity(self.terms.len());
        for (id, term) in self.terms.iter().enumerate() {
            if !needed[id] {
                image.push(Scaled { factor: f64::NAN, core: None });
                continue;
            }
            let at = |t: TermId| image[t as usize];
            let scaled = match term {
                Term::Value(_) => new.one(term.clone()),
                Term::Unary(op, a) => {
                    let a = new.whole(at(*a));
                    new.one(Term::Unary(*op, a))
                }
                Term::Binary(op, a, b) => new.binary(*op, at(*a), at(*b)),
                Term::Table(table, derivative, a) => {
                    let a = new.whole(at(*a));
                    new.one(Term::Table(*table, *derivative, a))
                }
                Term::Product(list) => {
                    let (factor, factors) = new.opened(list.iter().map(|&(t, n)| (at(t), n)));
                    new.product_of(factor, factors)
                }
                Term::Sum(constant, list) => {
                    let members = list
                        .iter()
                        .map(|&(t, c)| {
                            let c = f64::from_bits(c);
                            match &self.terms[t as usize] {
                                Term::Product(factors) if uses[t as usize] == 1 => {
                                    let (k, factors) = new.opened(factors.iter().map(|&(t, n)| (at(t), n)));
                                    (Member::Product(factors), k * c)
                                }
                                _ => match at(t) {
                                    Scaled { factor, core: Some(core) } => (Member::Whole(core), factor * c),
                                    Scaled { factor, core: None } => (Member::Product(Vec::new()), factor * c),
                                },
                            }
                        })
                        .collect();
                    new.factored_sum(f64::from_bits(*constant), members)
                }
            };
            image.push(scaled);
        }
        let roots = roots
            .iter()
            .map(|s| match s.core {
                Some(core) => {
                    let inner = image[core as usize];
                    Scaled { factor: s.factor * inner.factor, core: inner.core }
                }
                None => *s,
            })
            .collect();
        (new, roots)
    }

    /// The numeric factor and the factors of Π scaledⁿ, products opened.
    fn opened(&self, factors: impl Iterator<Item = (Scaled, i64)>) -> (f64, Vec<(TermId, i64)>) {
        let mut factor = 1.0;
        let mut list = Vec::new();
        for (s, n) in factors {
            factor *= s.factor.powi(n as i32);
            if let Some(core) = s.core {
                self.raise(&mut list, core, n);
            }
        }
        super::terms::gather(&mut list);
        (factor, list)
    }

    /// The recursion is no deeper than the sum is wide: each level takes fewer members.
    fn factored_sum(&mut self, constant: f64, mut members: Vec<(Member, f64)>) -> Scaled {
        while members.len() <= WIDEST {
            let Some((t, sign)) = most_frequent(&members) else { break };
            let has = |m: &Member| match m {
                Member::Product(list) => list.iter().any(|&(f, n)| f == t && n.signum() == sign),
                Member::Whole(_) => false,
            };
            let (group, rest): (Vec<_>, Vec<_>) = members.into_iter().partition(|(m, _)| has(m));
            let common = common_factors(&group);
            let inner = group
                .into_iter()
                .map(|(m, c)| match m {
                    Member::Product(list) => (Member::Product(quotient(list, &common)), c),
                    whole => (whole, c),
                })
                .collect();
            let sum = self.factored_sum(0.0, inner);
            let mut list = common;
            if let Some(core) = sum.core {
                self.raise(&mut list, core, 1);
            }
            let product = self.product_of(sum.factor, list);
            members = rest;
            members.push(match product.core {
                Some(core) => (Member::Whole(core), product.factor),
                None => (Member::Product(Vec::new()), product.factor),
            });
        }
        let parts: Vec<(Scaled, f64)> = members
            .into_iter()
            .map(|(m, c)| match m {
                Member::Product(list) => (self.product_of(1.0, list), c),
                Member::Whole(core) => (Scaled { factor: 1.0, core: Some(core) }, c),
            })
            .collect();
        self.sum(constant, parts.into_iter())
    }
}

/// The factor, above or below the line, that most members have, if at least two have one.
fn most_frequent(members: &[(Member, f64)]) -> Option<(TermId, i64)> {
    let mut all: Vec<(TermId, i64)> = members
        .iter()
        .filter_map(|(m, _)| match m {
            Member::Product(list) => Some(list),
            Member::Whole(_) => None,
        })
        .flatten()
        .map(|&(t, n)| (t, n.signum()))
        .collect();
    all.sort_unstable();
    let counted = all.chunk_by(|a, b| a == b).map(|c| (c.len(), c[0]));
    // The first of the most frequent, whatever the order of the members.
    counted.filter(|(n, _)| *n >= 2).min_by_key(|&(n, f)| (usize::MAX - n, f)).map(|(_, f)| f)
}

/// What all members of the group have in common.
fn common_factors(group: &[(Member, f64)]) -> Vec<(TermId, i64)> {
    let mut lists = group.iter().filter_map(|(m, _)| match m {
        Member::Product(list) => Some(list),
        Member::Whole(_) => None,
    });
    let mut common = lists.next().cloned().unwrap_or_default();
    for list in lists {
        for (t, n) in &mut common {
            let other = list.iter().find(|(f, _)| f == t).map_or(0, |(_, m)| *m);
            *n = if other.signum() == n.signum() { n.signum() * n.abs().min(other.abs()) } else { 0 };
        }
        common.retain(|(_, n)| *n != 0);
    }
    common
}

fn quotient(mut list: Vec<(TermId, i64)>, common: &[(TermId, i64)]) -> Vec<(TermId, i64)> {
    for &(t, n) in common {
        if let Some((_, m)) = list.iter_mut().find(|(f, _)| *f == t) {
            *m -= n;
        }
    }
    list.retain(|(_, n)| *n != 0);
    list
}
