use super::*;
use crate::expr::field::SplitMix;
use crate::limits::Limits;

fn x(i: u32) -> Poly {
    Poly::var(Var(i)).unwrap()
}

fn n(i: i64) -> Poly {
    Poly::constant(Rational::integer(i))
}

fn budget() -> Budget {
    Budget::new(&Limits::default())
}

fn mul(a: &Poly, b: &Poly) -> Poly {
    a.mul(b, &mut budget()).unwrap()
}

fn random(rng: &mut SplitMix, vars: u32, terms: usize, degree: u64, low: i32) -> Poly {
    let terms = (0..terms).map(|_| {
        let mut m = Monomial::ONE;
        for v in 0..vars {
            if rng.below(2) == 0 {
                let e = rng.below(degree + 1) as i32 + low;
                m = m.mul(&Monomial::power(Var(v), e).unwrap()).unwrap();
            }
        }
        let d = 1 + rng.below(2) as i64;
        (m, Rational::new(rng.below(19) as i64 - 9, d).unwrap())
    });
    Poly::from_terms(terms.collect())
}

fn at(p: &Poly, seed: u64) -> Fp {
    p.value_in_field(|v| SplitMix::new(seed ^ u64::from(v.0) << 32).field()).unwrap()
}

#[test]
fn ring_operations_agree_with_the_prime_field() {
    let mut rng = SplitMix::new(7);
    let b = &mut budget();
    for round in 0..400 {
        let (vars, terms, low) = (1 + round % 12, 1 + (round as usize % 23), if round % 3 == 0 { -2 } else { 0 });
        let p = random(&mut rng, vars, terms, 3, low);
        let q = random(&mut rng, vars, 1 + terms / 2, 2, low);
        for seed in 1..3 {
            let (fp, fq) = (at(&p, seed), at(&q, seed));
            assert_eq!(at(&p.add(&q), seed), fp + fq);
            assert_eq!(at(&p.sub(&q), seed), fp - fq);
            assert_eq!(at(&p.mul(&q, b).unwrap(), seed), fp * fq);
            assert_eq!(at(&p.pow(3, b).unwrap(), seed), fp.pow(3));
            assert_eq!(at(&p.neg(), seed), -fp);
        }
        assert_eq!(Poly::sum(vec![p.clone(), q.clone(), p.neg()]), q);
    }
}

#[test]
fn products_of_many_variables_use_several_words() {
    let long = Poly::sum((0..40).map(x).collect());
    let b = &mut budget();
    let square = long.square(b).unwrap();
    assert_eq!(square.len(), 40 * 41 / 2);
    let cube = square.mul(&long, b).unwrap();
    assert_eq!(cube.divide(&square, b).unwrap(), Some(long.clone()));
    assert_eq!(square.sqrt(b).unwrap(), Some(long));
}

#[test]
fn large_coefficients_do_not_overflow() {
    let big = Poly::constant(Rational::integer(i64::MAX));
    let p = Poly::sum((0..8).map(|i| mul(&x(i), &big)).collect());
    let b = &mut budget();
    let square = p.square(b).unwrap();
    assert_eq!(at(&square, 5), at(&p, 5) * at(&p, 5));
    let cube = square.mul(&p, b).unwrap();
    assert_eq!(at(&cube, 5), at(&p, 5).pow(3));
    assert_eq!(cube.divide(&p, b).unwrap(), Some(square));
}

#[test]
fn exact_division_finds_the_quotient_and_only_then() {
    let mut rng = SplitMix::new(8);
    let b = &mut budget();
    let mut divided = 0;
    for round in 0..300 {
        let low = if round % 4 == 0 { -2 } else { 0 };
        let p = random(&mut rng, 1 + round % 6, 1 + round as usize % 9, 3, low);
        let q = random(&mut rng, 1 + round % 6, 2 + round as usize % 7, 2, low);
        if p.is_zero() || q.is_zero() {
            continue;
        }
        divided += 1;
        let product = p.mul(&q, b).unwrap();
        assert_eq!(product.divide(&q, b).unwrap(), Some(p.clone()));
        if q.len() > 1 {
            assert!(product.add(&Poly::var(Var(40)).unwrap()).divide(&q, b).unwrap().is_none());
        }
    }
    assert!(divided > 200);
    assert!(x(0).divide(&Poly::ZERO, b).is_err());
}

#[test]
fn coefficients_rebuild_the_polynomial() {
    let mut rng = SplitMix::new(9);
    for _ in 0..50 {
        let p = random(&mut rng, 4, 12, 3, -1);
        for v in 0..4 {
            let parts = p.coefficients(Var(v));
            assert!(parts.windows(2).all(|w| w[0].0 > w[1].0));
            let rebuilt: Vec<Poly> =
                parts.iter().map(|(e, c)| c.shift(&Monomial::power(Var(v), *e).unwrap()).unwrap()).collect();
            assert_eq!(Poly::sum(rebuilt), p);
            assert_eq!(p.degree(Var(v)), parts.first().map_or(0, |c| c.0));
        }
    }
}

#[test]
fn derivatives_obey_the_product_rule() {
    let mut rng = SplitMix::new(10);
    for _ in 0..50 {
        let (p, q) = (random(&mut rng, 3, 6, 3, -1), random(&mut rng, 3, 5, 3, 0));
        let d = |p: &Poly| p.derivative(Var(1)).unwrap();
        assert_eq!(d(&mul(&p, &q)), mul(&d(&p), &q).add(&mul(&p, &d(&q))));
    }
}

#[test]
fn gcd_of_products_is_their_common_factor() {
    let mut rng = SplitMix::new(11);
    let b = &mut budget();
    let mut proper = 0;
    for round in 0..150 {
        let vars = 1 + round % 8;
        let g = random(&mut rng, vars, 2 + round as usize % 4, 2, 0);
        let p = random(&mut rng, vars, 2 + round as usize % 5, 2, 0);
        let q = random(&mut rng, vars, 2 + round as usize % 6, 2, 0);
        if g.is_zero() || p.is_zero() || q.is_zero() {
            continue;
        }
        let (pg, qg) = (mul(&p, &g), mul(&q, &g));
        let d = pg.gcd(&qg, b).unwrap();
        assert!(d.divides(&pg, b).unwrap() && d.divides(&qg, b).unwrap());
        assert!(g.divides(&d, b).unwrap(), "{g:?} does not divide {d:?}");
        // What is left has nothing in common.
        let (rp, rq) = (pg.divide(&d, b).unwrap().unwrap(), qg.divide(&d, b).unwrap().unwrap());
        assert!(rp.gcd(&rq, b).unwrap().is_one());
        assert_eq!(d, qg.gcd(&pg, b).unwrap());
        proper += usize::from(g.len() > 1);
    }
    assert!(proper > 80);
}

#[test]
fn gcd_includes_common_monomials_and_is_primitive() {
    let b = &mut budget();
    let p = mul(&mul(&x(0), &x(1)), &n(6));
    let q = mul(&mul(&x(0), &x(0)), &n(4));
    assert_eq!(p.gcd(&q, b).unwrap(), x(0));
    assert_eq!(p.gcd(&Poly::ZERO, b).unwrap(), mul(&x(0), &x(1)));
    assert!(x(0).add(&n(1)).gcd(&x(1).add(&n(1)), b).unwrap().is_one());
}

#[test]
fn square_free_factorisation_finds_multiplicities() {
    let b = &mut budget();
    let f = x(0).add(&x(1));
    let g = mul(&x(0), &x(0)).add(&x(2));
    let h = x(1).sub(&n(3));
    let p = mul(&mul(&f.pow(3, b).unwrap(), &g.pow(2, b).unwrap()), &h).scale(&Rational::new(-5, 7).unwrap());
    let s = p.square_free(b).unwrap();
    assert_eq!(s.expand(b).unwrap(), p);
    assert_eq!(s.constant, Rational::new(-5, 7).unwrap());
    let mut exponents: Vec<u32> = s.factors.iter().map(|f| f.1).collect();
    exponents.sort_unstable();
    assert_eq!(exponents, [1, 2, 3]);
    assert!(s.factors.contains(&(f, 3)) && s.factors.contains(&(g, 2)) && s.factors.contains(&(h, 1)));
}

#[test]
fn cheap_factors_are_found() {
    let b = &mut budget();
    let (a, c) = (x(0), x(1));
    // a² − c², 1 − c², a⁴ − 1, (2a+3c)(a−5c), 6a³ + …: rational roots.
    let list = [
        (mul(&a, &a).sub(&mul(&c, &c)), 2),
        (n(1).sub(&mul(&c, &c)), 2),
        (
            mul(
                &a.scale(&Rational::integer(2)).add(&c.scale(&Rational::integer(3))),
                &a.sub(&c.scale(&Rational::integer(5))),
            ),
            2,
        ),
        (mul(&mul(&a.sub(&n(2)), &a.scale(&Rational::integer(3)).add(&n(1))), &mul(&a, &a).add(&n(1))), 3),
        (mul(&mul(&a, &a).add(&mul(&c, &c)), &x(2).add(&x(3))), 2),
        (mul(&a, &a).add(&n(1)), 1),
    ];
    for (p, count) in list {
        let f = p.factor(b).unwrap();
        assert_eq!(f.expand(b).unwrap(), p);
        assert_eq!(f.factors.len(), count, "{p:?} -> {f:?}");
    }
}

#[test]
fn random_factorisations_multiply_back() {
    let mut rng = SplitMix::new(12);
    let b = &mut budget();
    for round in 0..60 {
        let vars = 1 + round % 5;
        let (p, q) = (random(&mut rng, vars, 3, 2, -1), random(&mut rng, vars, 3, 1, 0));
        let p = mul(&mul(&p, &q), &q);
        let f = p.factor(b).unwrap();
        assert_eq!(f.expand(b).unwrap(), p);
        assert!(f.factors.iter().all(|(g, e)| g.len() > 1 && *e > 0 && !g.terms()[0].1.is_negative()));
    }
}

#[test]
fn sums_of_squares_are_told_with_what_must_vanish() {
    let b = &mut budget();
    let square = |p: &Poly| mul(p, p);
    let (u, v) = (x(0).sub(&x(1)), x(0).add(&x(1).scale(&Rational::integer(3))));
    // A square over a denominator; one completed after the other; fourth powers at the end.
    let sum = square(&u).add(&square(&v).scale(&Rational::integer(5)));
    let found = sum.squares(b).unwrap().expect("a sum of squares");
    assert_eq!(found.len(), 2);
    // Where all of them vanish, both bases do: they are linear and independent.
    assert_eq!(found[1], x(1));
    assert_eq!(sum.neg().squares(b).unwrap(), Some(found));
    let quartic = square(&u).add(&square(&square(&x(1))));
    assert_eq!(quartic.squares(b).unwrap(), Some(vec![u.clone(), x(1)]));
    let over = x(0).add(&Poly::term(Monomial::power(Var(1), -1).unwrap(), Rational::ONE));
    assert_eq!(square(&over).add(&square(&x(2))).squares(b).unwrap().map(|list| list.len()), Some(2));
    // With a number it vanishes nowhere, and a factor of x³ − 1 is one of these.
    assert_eq!(sum.add(&n(1)).squares(b).unwrap(), Some(Vec::new()));
    assert_eq!(square(&x(0)).add(&x(0)).add(&n(1)).squares(b).unwrap(), Some(Vec::new()));
    // Signs that differ, odd powers, and coefficients that may vanish are none.
    for p in [sum.sub(&n(1)), square(&x(0)).sub(&square(&x(1))), square(&x(0)).add(&x(1)), mul(&square(&u), &x(2))] {
        assert_eq!(p.squares(b).unwrap(), None, "{p:?}");
    }
}

#[test]
fn hopeless_powers_are_refused_at_once() {
    let p = x(0).add(&x(1)).add(&x(2));
    for e in [100_000, 30_000, 2_000] {
        let error = p.pow(e, &mut budget()).unwrap_err();
        assert_eq!(error.kind, crate::ErrorKind::Limit);
    }
    assert_eq!(p.pow(40, &mut budget()).unwrap().len(), 42 * 41 / 2);
}

#[test]
fn work_is_bounded() {
    let limits = Limits { normal_form_work: 1000, ..Limits::default() };
    let p = Poly::sum((0..40).map(x).collect());
    let error = p.square(&mut Budget::new(&limits)).unwrap_err();
    assert_eq!(error.kind, crate::ErrorKind::Limit);
}

#[test]
fn work_is_stopped_from_another_thread_with_an_error_of_its_own_kind() {
    let control = crate::Control::default();
    let limits = Limits { normal_form_work: u64::MAX, control: Some(control.clone()), ..Limits::default() };
    let thread = std::thread::spawn(move || {
        let p = Poly::sum((0..40).map(x).collect());
        let mut budget = Budget::new(&limits);
        loop {
            if let Err(error) = p.square(&mut budget) {
                return error;
            }
        }
    });
    while control.work() == 0 && !thread.is_finished() {
        std::thread::yield_now();
    }
    control.stop();
    let error = thread.join().expect("no panic");
    assert_eq!(error.kind, crate::ErrorKind::Cancelled);
}

#[test]
fn pseudo_remainder_is_a_combination() {
    let b = &mut budget();
    let v = Var(0);
    let p = mul(&x(0), &mul(&x(0), &x(0))).add(&mul(&x(1), &x(0))).add(&n(2));
    let q = mul(&x(1), &mul(&x(0), &x(0))).add(&x(0)).add(&x(2));
    let r = p.pseudo_remainder(&q, v, b).unwrap();
    assert!(r.degree(v) < q.degree(v));
    let lead = mul(&x(1), &x(1));
    assert!(mul(&p, &lead).sub(&r).divide(&q, b).unwrap().is_some());
}

/// A polynomial in one variable, the constant first.
fn univariate(coefficients: &[i64]) -> Poly {
    let terms = coefficients.iter().enumerate();
    Poly::sum(terms.map(|(e, &c)| mul(&n(c), &x(0).pow(e as i32, &mut budget()).unwrap())).collect())
}

#[test]
fn a_square_with_fewer_terms_than_its_root_has_that_root() {
    // Coppersmith and Davenport 1991: of degree 12, all 13 coefficients not zero, and its square has 12 terms.
    let root = mul(&univariate(&[1, 2, -2, 4, -10, 50, 125]), &univariate(&[1, 0, 0, 0, 0, 0, -110]));
    let square = mul(&root, &root);
    assert_eq!((root.len(), square.len()), (13, 12));
    assert_eq!(square.sqrt(&mut budget()).unwrap(), Some(root.neg()));
}

#[test]
fn what_is_no_square_is_seen_at_the_term_that_none_can_have() {
    // The root of x¹⁰⁰ + x⁴⁹ would have a term x⁻¹.
    let b = &mut budget();
    let p = x(0).pow(100, b).unwrap().add(&x(0).pow(49, b).unwrap()).add(&n(1));
    let mut little = budget().at_most(4);
    assert_eq!(p.sqrt(&mut little).unwrap(), None);
}

#[test]
fn a_polynomial_is_shown_term_by_term() {
    let p = mul(&n(3), &mul(&x(0), &x(0))).sub(&x(1)).add(&n(7));
    assert_eq!(format!("{p:?} and {:?}", Poly::ZERO), "3*x0^2 + -1*x1 + 7*1 and 0");
    let m = Monomial::power(Var(0), 1).unwrap().mul(&Monomial::power(Var(2), -3).unwrap()).unwrap();
    assert_eq!(format!("{m:?}"), "x0*x2^-3");
}

#[test]
fn rational_roots_are_looked_for_up_to_ten_thousand() {
    let b = &mut budget();
    // (x − 1)(x² + x + 10⁴) and (10⁴x − 1)(x² + x + 1) have them, one more is too much.
    for (linear, rest, factors) in [
        ([-1, 1], [10_000, 1, 1], 2),
        ([-1, 1], [10_001, 1, 1], 1),
        ([-1, 10_000], [1, 1, 1], 2),
        ([-1, 10_001], [1, 1, 1], 1),
        ([-2, 3], [5, 1, 1], 2),
        ([2, 3], [5, 1, 1], 2),
    ] {
        let p = mul(&univariate(&linear), &univariate(&rest));
        let f = p.factor(b).unwrap();
        assert_eq!((f.factors.len(), f.expand(b).unwrap()), (factors, p.clone()), "{p:?}");
    }
}

#[test]
fn contents_are_the_numbers_and_powers_that_all_terms_have() {
    let p = Poly::from_terms(vec![
        (Monomial::power(Var(0), 3).unwrap(), Rational::new(-4, 3).unwrap()),
        (
            Monomial::power(Var(0), 1).unwrap().mul(&Monomial::power(Var(1), -2).unwrap()).unwrap(),
            Rational::new(10, 9).unwrap(),
        ),
    ]);
    let (c, m, rest) = p.primitive(&mut budget()).unwrap();
    assert_eq!(c, Rational::new(-2, 9).unwrap());
    assert_eq!((m.exponent(Var(0)), m.exponent(Var(1))), (1, -2));
    assert_eq!(rest.shift(&m).unwrap().scale(&c), p);
    assert_eq!(rest.terms()[0].1, Rational::integer(6));
    // So with numbers that do not fit a word.
    let large = Rational::from(num_bigint::BigInt::from(6) << 80u32);
    let q = Poly::from_terms(vec![
        (Monomial::power(Var(0), 1).unwrap(), large.clone()),
        (Monomial::ONE, &large * &Rational::new(5, 2).unwrap()),
    ]);
    assert_eq!(q.rational_content(&mut budget()).unwrap(), &large / &Rational::integer(2));
    assert_eq!(q.primitive_part(&mut budget()).unwrap(), mul(&n(2), &x(0)).add(&n(5)));
}

#[test]
fn an_attempt_is_charged_to_the_budget_it_was_taken_from() {
    let limits = Limits { normal_form_work: 1000, ..Limits::default() };
    let mut whole = Budget::new(&limits);
    let mut attempt = whole.attempt(300);
    let given = attempt.clone();
    assert_eq!((attempt.left(), whole.attempt(5000).left()), (300, 1000));
    attempt.spend(120).unwrap();
    attempt.pass(2);
    whole.settle(&given, &attempt);
    assert_eq!((whole.left(), whole.done()), (880, 136));
    assert!(attempt.spend(181).is_err() && attempt.left() == 0);
    // All of it may be spent, and no more; where everything has an end, passes count too.
    assert!(whole.spend(880).is_ok() && whole.spend(0).is_ok() && whole.spend(1).is_err());
    let mut ends = Budget::new(&limits).at_most(20);
    ends.pass(2);
    assert!(ends.spend(4).is_ok() && ends.spend(1).is_err());
    let exact = Budget::new(&Limits { polynomial_terms: 3, number_bits: 8, ..Limits::default() });
    assert!(exact.check_terms(3).is_ok() && exact.check_terms(4).is_err());
    assert!(exact.check_bits(8).is_ok() && exact.check_bits(9).is_err());
}

#[test]
fn a_common_divisor_with_long_coefficients_counts_for_what_it_takes() {
    let work = |digits: u32| {
        let long = Poly::constant(Rational::from(num_bigint::BigInt::from(10).pow(digits) + 1));
        let (a, b) = (mul(&x(0), &long).add(&x(1)), mul(&x(1), &long).add(&n(1)));
        let (common, mut budget) = (x(0).add(&x(1)).add(&n(1)), budget());
        let found = mul(&a, &common).gcd(&mul(&b, &common), &mut budget).unwrap();
        assert_eq!(found, common);
        budget.done()
    };
    let (short, long) = (work(1000), work(4000));
    assert!(long > 8 * short, "{short} and {long}");
}

/// Numbers of so many bits, no two with a common factor to speak of.
fn long(rng: &mut SplitMix, bits: u64) -> Rational {
    let mut number = Rational::integer(1 + rng.below(1 << 40) as i64);
    while number.bits() < bits {
        number = &number * &Rational::integer(1 + 2 * rng.below(1 << 40) as i64);
    }
    number
}

fn with_long(rng: &mut SplitMix, terms: usize, fractions: bool) -> Poly {
    let p = random(rng, 4, terms, 3, 0);
    let mut terms = p.terms().to_vec();
    for (_, c) in &mut terms {
        let below = if fractions { long(rng, 100) } else { Rational::ONE };
        *c = &(&*c * &long(rng, 300)) / &below;
    }
    Poly::from_terms(terms)
}

#[test]
fn products_and_quotients_of_long_coefficients_agree_with_the_prime_field() {
    let mut rng = SplitMix::new(11);
    for round in 0..60 {
        let (fractions, terms) = (round % 2 == 0, 3 + round % 17);
        let p = with_long(&mut rng, terms, fractions);
        let q = &with_long(&mut rng, 2 + terms / 2, fractions).add(&x(4));
        let product = mul(&p, q);
        for seed in 1..3 {
            assert_eq!(at(&product, seed), at(&p, seed) * at(q, seed));
        }
        assert_eq!(product.divide(q, &mut budget()).unwrap(), Some(p.clone()));
        assert_eq!(product.add(&n(1)).divide(q, &mut budget()).unwrap(), None);
        let (c, m, rest) = product.primitive(&mut budget()).unwrap();
        assert_eq!(rest.shift(&m).unwrap().scale(&c), product);
        assert!(rest.terms().iter().all(|(_, c)| c.is_integer()));
    }
}

#[test]
fn what_long_coefficients_take_counts_as_work() {
    let mut rng = SplitMix::new(5);
    let p = random(&mut rng, 4, 40, 3, 0).add(&x(5));
    let q = random(&mut rng, 4, 12, 3, 0).add(&x(4));
    let c = long(&mut rng, 1600);
    let longer = |p: &Poly, by: &Rational| p.scale(by).add(&x(7));
    let done = |a: &Poly, b: &Poly| {
        let mut budget = budget();
        let product = a.mul(b, &mut budget).unwrap();
        let of_product = budget.done();
        assert_eq!(product.divide(b, &mut budget).unwrap().as_ref(), Some(a));
        (of_product, budget.done() - of_product)
    };
    let (short, whole) = (done(&p, &q), done(&longer(&p, &c), &longer(&q, &c)));
    let fractions = done(&longer(&p, &c.recip().unwrap()), &longer(&q, &c));
    // Words of one meet those of the other.
    assert!(whole.0 > 10 * short.0 && whole.1 > 50 * short.1, "{short:?} {whole:?}");
    assert!(fractions.0 > 10 * short.0 && fractions.1 > 50 * short.1, "{short:?} {fractions:?}");
    // Nothing of it is done where there is no work for it.
    let none = Limits { normal_form_work: 10_000, ..Limits::default() };
    let (a, b) = (longer(&p, &c), longer(&q, &c));
    assert!(a.mul(&b, &mut Budget::new(&none)).is_err());
    assert!(mul(&a, &b).divide(&b, &mut Budget::new(&none)).is_err());
}

#[test]
fn a_quotient_of_integers_is_one_or_none() {
    let (a, b) = (Rational::integer(84), Rational::integer(-12));
    assert_eq!(a.divided_by(&b), Some(Rational::integer(-7)));
    assert_eq!(b.divided_by(&a), None);
    assert_eq!(a.divided_by(&Rational::ZERO), None);
    let mut rng = SplitMix::new(3);
    let (c, d) = (long(&mut rng, 500), long(&mut rng, 200));
    assert_eq!((&c * &d).divided_by(&d), Some(c.clone()));
    assert_eq!((&(&c * &d) + &Rational::ONE).divided_by(&d), None);
    assert_eq!((&c * &d).divided_by(&c.recip().unwrap()), None);
    assert_eq!(Rational::integer(i64::MIN).divided_by(&Rational::MINUS_ONE).unwrap(), -&Rational::integer(i64::MIN));
}
