//! One polynomial in sines and cosines, written in several ways: sin² or cos² eliminated, cotangents, tangents,
//! double angles.

use super::atoms::{AngleId, Atoms, Combination, Trig};
use crate::arrange::Arrange;
use crate::error::Result;
use crate::expr::number::Rational;
use crate::expr::poly::{Budget, Monomial, Poly, Var};
use std::borrow::Cow;

/// Powers of sums above this are not multiplied out for the sake of looks.
const POWER: i32 = 12;

fn square_of(v: Var, c: i64) -> Result<Poly> {
    Ok(Poly::term(Monomial::power(v, 2)?, Rational::integer(c)))
}

/// Replaces x² by `by`, in every term where `applies` holds for the rest of the monomial.
fn replace_square(
    p: &Poly,
    x: Var,
    by: &Poly,
    applies: impl Fn(&Monomial) -> bool,
    budget: &mut Budget,
) -> Result<Poly> {
    if p.degree(x) < 2 {
        return Ok(p.clone());
    }
    let mut parts = Vec::new();
    let mut kept = Vec::new();
    for (m, c) in p.terms() {
        let (e, rest) = m.split_off(x);
        if (2..=POWER).contains(&e) && applies(&rest) {
            let rest = rest.mul(&Monomial::power(x, e % 2)?)?;
            parts.push(by.pow(e / 2, budget)?.shift(&rest)?.scale(c));
        } else {
            kept.push((m.clone(), c.clone()));
        }
    }
    parts.push(Poly::from_sorted(kept));
    Ok(Poly::sum(parts))
}

/// sin² + cos² = 1, csc² = 1 + cot², sec² = 1 + tan²: `x² → constant + sign·y²`.
fn eliminate(p: &Poly, x: Var, y: Var, sign: i64, constant: i64, budget: &mut Budget) -> Result<Poly> {
    let by = Poly::constant(Rational::integer(constant)).add(&square_of(y, sign)?);
    replace_square(p, x, &by, |_| true, budget)
}

/// The polynomial in sines and cosines of single angles alone, reduced: the form in which polynomials are compared.
pub(super) fn reduced<'p>(atoms: &Atoms, p: &'p Poly, budget: &mut Budget) -> Result<Cow<'p, Poly>> {
    if p.terms().iter().all(|(m, _)| is_reduced(atoms, m)) {
        return Ok(Cow::Borrowed(p));
    }
    let mut p = in_sines_and_cosines(atoms, p, budget)?;
    for angle in angles_of(atoms, &p) {
        let (s, c) = (atoms.trig(angle, Trig::Sin), atoms.trig(angle, Trig::Cos));
        p = eliminate(&p, c, s, -1, 1, budget)?;
        // Below the bar stands a cosine: s²/c² = 1/c² − 1.
        let by = Poly::one().add(&square_of(c, -1)?);
        p = replace_square(&p, s, &by, |rest| rest.exponent(c) < 0, budget)?;
    }
    Ok(Cow::Owned(p))
}

/// No functions but sines and cosines of single angles, no square of a cosine, no square of a sine over a cosine.
fn is_reduced(atoms: &Atoms, m: &Monomial) -> bool {
    m.factors().all(|(v, e)| match atoms.as_trig(v) {
        None => true,
        Some((angle, _)) if atoms.parts(angle).is_some() => false,
        Some((angle, Trig::Sin)) => e < 2 || m.exponent(atoms.trig(angle, Trig::Cos)) >= 0,
        Some((_, Trig::Cos)) => e < 2,
        Some(_) => false,
    })
}

/// sin(a ± b) or cos(a ± b) in the sines and cosines of a and b.
fn addition(atoms: &Atoms, of: Combination, trig: Trig) -> Result<Poly> {
    let var = |angle, trig| Monomial::power(atoms.trig(angle, trig), 1);
    let product = |t: Trig, u: Trig| var(of.first, t)?.mul(&var(of.second, u)?);
    let sign = Rational::integer(of.sign);
    Ok(Poly::from_terms(match trig {
        Trig::Sin => vec![(product(Trig::Sin, Trig::Cos)?, Rational::ONE), (product(Trig::Cos, Trig::Sin)?, sign)],
        _ => vec![(product(Trig::Cos, Trig::Cos)?, Rational::ONE), (product(Trig::Sin, Trig::Sin)?, -sign)],
    }))
}

/// Replaces a variable by a polynomial where its exponents allow it.
fn substitute(p: &Poly, x: Var, by: &Poly, budget: &mut Budget) -> Result<Poly> {
    if !p.contains(x) {
        return Ok(p.clone());
    }
    let mut parts = Vec::new();
    for (e, coefficient) in p.coefficients(x) {
        parts.push(match e {
            0 => coefficient,
            1..=POWER => coefficient.mul(&by.pow(e, budget)?, budget)?,
            _ => coefficient.shift(&Monomial::power(x, e)?)?,
        });
    }
    Ok(Poly::sum(parts))
}

fn in_sines_and_cosines(atoms: &Atoms, p: &Poly, budget: &mut Budget) -> Result<Poly> {
    let mut p = p.clone();
    let foreign = |v: Var| matches!(atoms.as_trig(v), Some((_, t)) if !matches!(t, Trig::Sin | Trig::Cos));
    if p.variables().into_iter().any(foreign) {
        let mut terms = Vec::new();
        for (m, c) in p.terms() {
            let mut monomial = Monomial::ONE;
            let mut coefficient = c.clone();
            for (v, e) in m.factors() {
                let part = match atoms.as_trig(v) {
                    Some((angle, trig)) => atoms.in_sine_and_cosine(angle, trig, e)?,
                    None => None,
                };
                let (part, twos) = part.map_or_else(|| Ok((Monomial::power(v, e)?, 0)), Ok)?;
                monomial = monomial.mul(&part)?;
                coefficient = &coefficient * &Rational::integer(2).pow(twos).unwrap_or(Rational::ONE);
            }
            terms.push((monomial, coefficient));
        }
        p = Poly::from_terms(terms);
        for v in p.variables() {
            if let Some((angle, Trig::Cos2)) = atoms.as_trig(v) {
                // cos 2x = 1 − 2 sin² x.
                let by = Poly::one().add(&square_of(atoms.trig(angle, Trig::Sin), -2)?);
                p = substitute(&p, v, &by, budget)?;
            }
        }
    }
    for v in p.variables() {
        if let Some((angle, trig)) = atoms.as_trig(v)
            && let Some(of) = atoms.parts(angle)
        {
            p = substitute(&p, v, &addition(atoms, of, trig)?, budget)?;
        }
    }
    Ok(p)
}

fn angles_of(atoms: &Atoms, p: &Poly) -> Vec<AngleId> {
    let mut angles: Vec<AngleId> =
        p.variables().into_iter().filter_map(|v| atoms.as_trig(v)).map(|(angle, _)| angle).collect();
    angles.dedup();
    angles.arrange();
    angles.dedup();
    angles
}

/// Other ways to write a reduced polynomial, as many as look promising, but at most `width` with the polynomial itself.
pub(super) fn ways(atoms: &Atoms, p: &Poly, width: usize, budget: &mut Budget) -> Vec<Poly> {
    let angles = angles_of(atoms, p);
    if angles.is_empty() {
        return Vec::new();
    }
    let mut beam = vec![p.clone()];
    for &angle in &angles {
        // What does not fit the budget is one way less, not a failure.
        let more: Vec<Poly> =
            beam.iter().flat_map(|q| ways_for_angle(atoms, q, angle, budget).unwrap_or_default()).collect();
        if !more.is_empty() {
            beam.extend(more);
            beam = shortest(atoms, beam, width);
        }
    }
    let before = beam.len();
    for (angle, of) in atoms.combinations().filter(|(_, of)| angles.contains(&of.first) && angles.contains(&of.second))
    {
        beam.extend(ways_with_combination(atoms, p, angle, of, budget).unwrap_or_default());
    }
    if beam.len() > before {
        beam = shortest(atoms, beam, width);
    }
    beam.split_off(1)
}

/// The shortest ones without repetition; the first always stays.
fn shortest(atoms: &Atoms, list: Vec<Poly>, width: usize) -> Vec<Poly> {
    let mut distinct: Vec<Poly> = Vec::new();
    for q in list {
        if !distinct.contains(&q) {
            distinct.push(q);
        }
    }
    distinct[1..].arrange_by_key(|q| (q.len(), atoms.rough_weight(q)));
    distinct.truncate(width.max(1));
    distinct
}

/// Are there two terms that are one in the sum or difference of the angles: cos·cos ∓ sin·sin or sin·cos ± cos·sin?
fn has_addition(atoms: &Atoms, p: &Poly, of: Combination) -> bool {
    let [s, c] = [Trig::Sin, Trig::Cos].map(|t| (atoms.trig(of.first, t), atoms.trig(of.second, t)));
    let exchange = |m: &Monomial, from: (Var, Var), to: (Var, Var)| -> Option<Monomial> {
        if m.exponent(from.0) < 1 || m.exponent(from.1) < 1 {
            return None;
        }
        [from.0, from.1, to.0, to.1]
            .into_iter()
            .zip([-1, -1, 1, 1])
            .try_fold(m.clone(), |m, (v, e)| m.mul(&Monomial::power(v, e).ok()?).ok())
    };
    let coefficient = |m: &Monomial| p.terms().binary_search_by(|t| m.cmp(&t.0)).ok().map(|i| &p.terms()[i].1);
    let pairs = [((c.0, c.1), (s.0, s.1), -of.sign), ((s.0, c.1), (c.0, s.1), of.sign)];
    p.terms().iter().any(|(m, x)| {
        pairs.iter().any(|&(from, to, sign)| {
            let partner = exchange(m, from, to);
            partner.as_ref().and_then(coefficient).is_some_and(|y| if sign > 0 { x == y } else { *x == -y })
        })
    })
}

/// a·cos x·cos y − a·sin x·sin y = a·cos(x + y): one of the two angles goes, their sum or difference comes.
fn ways_with_combination(
    atoms: &Atoms,
    p: &Poly,
    angle: AngleId,
    of: Combination,
    budget: &mut Budget,
) -> Result<Vec<Poly>> {
    if !has_addition(atoms, p, of) {
        return Ok(Vec::new());
    }
    let mut ways = Vec::new();
    // a = c ∓ b, and b = ±(c − a): the second as b = c − a, or b = −(a − … ) = a − c.
    let first = Combination { first: angle, second: of.second, sign: -of.sign };
    let second = if of.sign > 0 {
        Combination { first: angle, second: of.first, sign: -1 }
    } else {
        Combination { first: of.first, second: angle, sign: -1 }
    };
    for (gone, kept, is) in [(of.first, of.second, first), (of.second, of.first, second)] {
        let (s, c) = (atoms.trig(gone, Trig::Sin), atoms.trig(gone, Trig::Cos));
        if p.low_degree(s) < 0 || p.low_degree(c) < 0 || p.degree(s) > 2 || p.degree(c) > 2 {
            continue;
        }
        let q = substitute(p, s, &addition(atoms, is, Trig::Sin)?, budget)?;
        let q = substitute(&q, c, &addition(atoms, is, Trig::Cos)?, budget)?;
        let pair = |angle| (atoms.trig(angle, Trig::Sin), atoms.trig(angle, Trig::Cos));
        let ((s1, c1), (s2, c2)) = (pair(kept), pair(angle));
        let q = eliminate(&q, c2, s2, -1, 1, budget)?;
        ways.push(eliminate(&q, c1, s1, -1, 1, budget)?);
        ways.push(eliminate(&q, s1, c1, -1, 1, budget)?);
    }
    ways.retain(|q| q.len() < p.len());
    Ok(ways)
}

fn ways_for_angle(atoms: &Atoms, p: &Poly, angle: AngleId, budget: &mut Budget) -> Result<Vec<Poly>> {
    let var = |trig| atoms.trig(angle, trig);
    let (s, c) = (var(Trig::Sin), var(Trig::Cos));
    let mut ways = Vec::new();
    if p.degree(s) >= 2 {
        ways.push(eliminate(p, s, c, -1, 1, budget)?);
    }
    if p.degree(c) >= 2 {
        ways.push(eliminate(p, c, s, -1, 1, budget)?);
    }
    let exponents: Vec<(i32, i32)> = p.terms().iter().map(|(m, _)| (m.exponent(s), m.exponent(c))).collect();
    // cᵃ·s⁻ᵇ with a ≤ b is cotᵃ·cscᵇ⁻ᵃ, and the same for the tangent.
    for (low, high, quotient, inverse) in [(s, c, Trig::Cot, Trig::Csc), (c, s, Trig::Tan, Trig::Sec)] {
        let fits = exponents.iter().all(|&(a, b)| {
            let high = if high == c { b } else { a };
            high >= 0 && a + b <= 0
        });
        if !fits || p.low_degree(low) >= 0 {
            continue;
        }
        let (t, k) = (var(quotient), var(inverse));
        let mut terms = Vec::new();
        for (m, x) in p.terms() {
            let (a, rest) = m.split_off(high);
            let (b, rest) = rest.split_off(low);
            let m = rest.mul(&Monomial::power(t, a)?)?.mul(&Monomial::power(k, -(a + b))?)?;
            terms.push((m, x.clone()));
        }
        let q = Poly::from_terms(terms);
        ways.push(eliminate(&q, k, t, 1, 1, budget)?);
        ways.push(eliminate(&q, t, k, 1, -1, budget)?);
        ways.push(q);
    }
    // Even degree in sine and cosine together: the double angle.
    if exponents.iter().all(|&(a, b)| a >= 0 && b >= 0 && (a + b) % 2 == 0 && a + b <= POWER)
        && exponents.iter().any(|&(a, b)| a + b > 0)
    {
        let (s2, c2) = (var(Trig::Sin2), var(Trig::Cos2));
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let term = |sign: i64| -> Result<Poly> {
            Ok(Poly::one().add(&Poly::term(Monomial::power(c2, 1)?, Rational::integer(sign))).scale(&half))
        };
        let (sin_squared, cos_squared) = (term(-1)?, term(1)?);
        let mut parts = Vec::new();
        for (m, x) in p.terms() {
            let (a, rest) = m.split_off(s);
            let (b, rest) = rest.split_off(c);
            let odd = a % 2;
            let rest = rest.mul(&Monomial::power(s2, odd)?)?;
            let x = if odd == 1 { x * &half } else { x.clone() };
            let squares = sin_squared.pow(a / 2, budget)?.mul(&cos_squared.pow(b / 2, budget)?, budget)?;
            parts.push(squares.shift(&rest)?.scale(&x));
        }
        let q = Poly::sum(parts);
        ways.push(eliminate(&q, s2, c2, -1, 1, budget)?);
        ways.push(eliminate(&q, c2, s2, -1, 1, budget)?);
    }
    Ok(ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::tree::Tree;

    /// Angles a and b with their sum and difference, and a symbol.
    struct Letters {
        atoms: Atoms,
        a: AngleId,
        b: AngleId,
        x: Var,
    }

    fn letters() -> Letters {
        let mut atoms = Atoms::default();
        let one = Tree::Number(Rational::ONE);
        let x = atoms.plain(one.clone(), 1, false);
        let [a, b] = [0, 1].map(|_| atoms.angle(one.clone(), 1));
        for sign in [1, -1] {
            atoms.combination(one.clone(), 3, Combination { first: a, second: b, sign });
        }
        Letters { atoms, a, b, x }
    }

    /// Terms with their coefficients: powers of sin a, cos a, sin b, cos b, x.
    fn poly(l: &Letters, terms: &[(i64, [i32; 5])]) -> Poly {
        let trig = |angle, trig| l.atoms.trig(angle, trig);
        let vars = [trig(l.a, Trig::Sin), trig(l.a, Trig::Cos), trig(l.b, Trig::Sin), trig(l.b, Trig::Cos), l.x];
        let term = |&(c, powers): &(i64, [i32; 5])| {
            let powers = vars.iter().zip(powers).map(|(&v, e)| Monomial::power(v, e).expect("a power"));
            (powers.fold(Monomial::ONE, |m, p| m.mul(&p).expect("a product")), Rational::integer(c))
        };
        Poly::from_terms(terms.iter().map(term).collect())
    }

    fn all_ways(l: &Letters, p: &Poly) -> Vec<Poly> {
        let budget = &mut Budget::default();
        let p = reduced(&l.atoms, p, budget).expect("reduced").into_owned();
        ways(&l.atoms, &p, 40, budget)
    }

    #[test]
    fn every_way_to_write_a_polynomial_is_the_same_function_of_the_angles() {
        let l = letters();
        let mut seen = 0;
        for terms in [
            &[(1, [2, 0, 0, 0, 0]), (3, [0, 2, 0, 0, 1])][..],
            &[(1, [4, 0, 0, 0, 0]), (-2, [2, 2, 0, 0, 1]), (5, [0, 0, 0, 0, 1])],
            &[(2, [3, 1, 0, 0, 0]), (1, [1, 1, 0, 0, 1])],
            // Tangents and cotangents.
            &[(1, [-2, 2, 0, 0, 0]), (1, [0, 0, 0, 0, 1])],
            &[(1, [1, -1, 0, 0, 0]), (3, [2, -3, 0, 0, 1]), (1, [0, -1, 0, 0, 0])],
            &[(1, [-3, 1, 0, 0, 0]), (4, [-1, 0, 0, 0, 1])],
            // Sums and differences of angles, with more beside them.
            &[(1, [0, 1, 0, 1, 0]), (-1, [1, 0, 1, 0, 0])],
            &[(1, [0, 1, 0, 1, 1]), (1, [1, 0, 1, 0, 1]), (2, [0, 1, 0, 0, 0])],
            &[(1, [1, 0, 0, 1, 0]), (1, [0, 1, 1, 0, 0]), (3, [0, 0, 1, 0, 1])],
            &[(7, [1, 0, 0, 1, 0]), (-7, [0, 1, 1, 0, 0]), (1, [0, 0, 0, 1, 1])],
            &[(1, [0, 1, 1, 1, 1]), (-1, [1, 0, 2, 0, 1]), (1, [0, 0, 1, 0, 0])],
        ] {
            let p = poly(&l, terms);
            let budget = &mut Budget::default();
            let expected = reduced(&l.atoms, &p, budget).expect("reduced").into_owned();
            for way in all_ways(&l, &p) {
                let back = reduced(&l.atoms, &way, budget).expect("reduced").into_owned();
                assert_eq!(back, expected, "{way:?} for {p:?}");
                seen += 1;
            }
        }
        assert!(seen >= 15, "{seen} ways");
    }

    #[test]
    fn a_reduced_polynomial_has_no_square_of_a_cosine_and_no_square_of_a_sine_over_one() {
        let l = letters();
        let budget = &mut Budget::default();
        for (given, expected) in [
            // c² = 1 − s², c³ = c − s²c, c⁴.
            (&[(1, [0, 2, 0, 0, 0])][..], &[(1, [0, 0, 0, 0, 0]), (-1, [2, 0, 0, 0, 0])][..]),
            (&[(2, [0, 3, 0, 0, 1])], &[(2, [0, 1, 0, 0, 1]), (-2, [2, 1, 0, 0, 1])]),
            (&[(1, [0, 4, 0, 0, 0])], &[(1, [0; 5]), (-2, [2, 0, 0, 0, 0]), (1, [4, 0, 0, 0, 0])]),
            // s²/c = 1/c − c, s³/c² = s/c² − s.
            (&[(1, [2, -1, 0, 0, 0])], &[(1, [0, -1, 0, 0, 0]), (-1, [0, 1, 0, 0, 0])]),
            (&[(1, [3, -2, 0, 0, 0])], &[(1, [1, -2, 0, 0, 0]), (-1, [1, 0, 0, 0, 0])]),
            // What is reduced stays: s², s c, 1/c, s/c.
            (
                &[(1, [2, 1, 0, 0, 0]), (1, [1, -1, 0, 0, 0]), (1, [0, -2, 1, 1, 0])],
                &[(1, [2, 1, 0, 0, 0]), (1, [1, -1, 0, 0, 0]), (1, [0, -2, 1, 1, 0])],
            ),
        ] {
            let p = poly(&l, given);
            assert_eq!(*reduced(&l.atoms, &p, budget).expect("reduced"), poly(&l, expected), "{p:?}");
        }
        // Other functions of the angle: tan = s/c, sin 2a = 2 s c, cos 2a = 1 − 2 s², sin(a − b).
        for (trig, expected) in [
            (Trig::Tan, &[(1, [1, -1, 0, 0, 0])][..]),
            (Trig::Csc, &[(1, [-1, 0, 0, 0, 0])]),
            (Trig::Sin2, &[(2, [1, 1, 0, 0, 0])]),
            (Trig::Cos2, &[(1, [0; 5]), (-2, [2, 0, 0, 0, 0])]),
        ] {
            let p = Poly::var(l.atoms.trig(l.a, trig)).expect("a variable");
            assert_eq!(*reduced(&l.atoms, &p, budget).expect("reduced"), poly(&l, expected), "{trig:?}");
        }
        for (angle, of) in l.atoms.combinations() {
            let p = Poly::var(l.atoms.trig(angle, Trig::Sin)).expect("a variable");
            let expected = poly(&l, &[(1, [1, 0, 0, 1, 0]), (of.sign, [0, 1, 1, 0, 0])]);
            assert_eq!(*reduced(&l.atoms, &p, budget).expect("reduced"), expected);
        }
    }

    #[test]
    fn two_terms_that_are_one_in_a_sum_or_difference_of_angles_become_one() {
        let l = letters();
        for terms in [
            [(1, [0, 1, 0, 1, 1]), (-1, [1, 0, 1, 0, 1])],
            [(1, [0, 1, 0, 1, 1]), (1, [1, 0, 1, 0, 1])],
            [(4, [1, 0, 0, 1, 0]), (4, [0, 1, 1, 0, 0])],
            [(4, [1, 0, 0, 1, 0]), (-4, [0, 1, 1, 0, 0])],
        ] {
            let p = poly(&l, &terms);
            let shortest = all_ways(&l, &p).into_iter().map(|q| q.len()).min();
            assert_eq!(shortest, Some(1), "{p:?}");
        }
        for terms in [
            [(4, [1, 0, 0, 1, 0]), (3, [0, 1, 1, 0, 0])],
            [(1, [0, 1, 0, 1, 1]), (1, [1, 0, 1, 0, 0])],
            [(1, [0, 1, 0, 1, 0]), (1, [1, 0, 0, 1, 0])],
        ] {
            let p = poly(&l, &terms);
            assert!(all_ways(&l, &p).iter().all(|q| q.len() > 1), "{p:?}");
        }
    }

    #[test]
    fn squares_are_written_by_the_other_function_by_the_double_angle_and_quotients_by_one_function() {
        let l = letters();
        let var = |trig: Trig| l.atoms.trig(l.a, trig);
        let power = |trig: Trig, e: i32| Monomial::power(var(trig), e).expect("a power");
        let one = Rational::ONE;
        let written = |terms: &[(i64, [i32; 5])], expected: &[(Monomial, Rational)]| {
            let p = poly(&l, terms);
            let expected = Poly::from_terms(expected.to_vec());
            let found = all_ways(&l, &p);
            assert!(found.contains(&expected), "{expected:?} is not among {found:?}");
        };
        let half = Rational::new(1, 2).expect("a number");
        // 1 − s² = c² and 1 − 2 s² = cos 2a and s² = (1 − cos 2a)/2.
        written(&[(1, [0; 5]), (-1, [2, 0, 0, 0, 0])], &[(power(Trig::Cos, 2), one.clone())]);
        written(&[(1, [0; 5]), (-2, [2, 0, 0, 0, 0])], &[(power(Trig::Cos2, 1), one.clone())]);
        written(&[(1, [2, 0, 0, 0, 0])], &[(Monomial::ONE, half.clone()), (power(Trig::Cos2, 1), -&half)]);
        // 2 s c = sin 2a, and its square 4 s² c² by sines and by cosines.
        written(&[(2, [1, 1, 0, 0, 0])], &[(power(Trig::Sin2, 1), one.clone())]);
        written(&[(4, [2, 2, 0, 0, 0])], &[(power(Trig::Sin2, 2), one.clone())]);
        written(&[(4, [2, 2, 0, 0, 0])], &[(Monomial::ONE, one.clone()), (power(Trig::Cos2, 2), -&one)]);
        // 1/c² − 1 = tan² and c²/s² + 1 = csc².
        written(&[(1, [0, -2, 0, 0, 0]), (-1, [0; 5])], &[(power(Trig::Tan, 2), one.clone())]);
        written(&[(1, [-2, 0, 0, 0, 0]), (-1, [0; 5])], &[(power(Trig::Cot, 2), one.clone())]);
        written(&[(1, [-2, 2, 0, 0, 0]), (1, [0; 5])], &[(power(Trig::Csc, 2), one)]);
    }
}
