//! Zeros of a function of one variable between two points, and the signs that it has between points at which it was looked at.

/// A function that comes nearer to zero than this part of what it is around is looked at more closely.
const NEAR: f64 = 0.1;
/// Steps of the search for a lowest point.
const STEPS: usize = 60;
/// Of the length of an interval: how far from its end a slope is taken, and how far from a zero the two sides are looked at.
const ASIDE: f64 = 1e-6;

/// Adds the point where the function, which keeps its sign in the points given, has the other one between them: found at the lowest
/// of its absolute value where that dips towards zero.
pub(super) fn with_lowest<E>(values: &mut Vec<(f64, f64)>, g: &mut impl FnMut(f64) -> Result<f64, E>) {
    let dips: Vec<(f64, f64)> = dips(values, g);
    for (a, b) in dips {
        let Some(place) = values.iter().position(|v| v.0 == a) else { continue };
        let sign = values[place].1.signum();
        if let Some(low) = other_sign(a, b, sign, g) {
            let forward = (b - a).signum();
            let after = values.iter().position(|v| forward * (v.0 - low.0) > 0.0).unwrap_or(values.len());
            values.insert(after, low);
        }
    }
}

/// Intervals within which the absolute value has a lowest point near zero.
fn dips<E>(values: &[(f64, f64)], g: &mut impl FnMut(f64) -> Result<f64, E>) -> Vec<(f64, f64)> {
    let mut list = Vec::new();
    for v in values.windows(3) {
        let &[(a, ga), (m, gm), (b, gb)] = v else { continue };
        let alike = ga * gm > 0.0 && gm * gb > 0.0;
        if alike && gm.abs() <= ga.abs() && gm.abs() <= gb.abs() && lowest_of_parabola([(a, ga), (m, gm), (b, gb)]) {
            list.push((a, b));
        }
    }
    // At the ends there are points on one side alone: the slope says whether it comes nearer inside.
    let &[first, second, .., before_last, last] = values else { return list };
    for ((end, g_end), (next, g_next)) in [(first, second), (last, before_last)] {
        if g_end * g_next <= 0.0 || g_end.abs() > g_next.abs() {
            continue;
        }
        let aside = end + ASIDE * (next - end);
        let Ok(g_aside) = g(aside) else { continue };
        let falls = (g_end.abs() - g_aside.abs()) / ASIDE;
        // With this slope at the end it can come down by a quarter of what it falls along the interval, and rise again.
        if falls > 0.0 && g_end.abs() - 0.5 * falls < NEAR * g_next.abs() {
            list.push((end.min(next), end.max(next)));
        }
    }
    if first.0 > last.0 {
        list.iter_mut().for_each(|(a, b)| {
            if *a < *b {
                std::mem::swap(a, b)
            }
        });
    }
    list
}

/// Does the parabola through three points come near to zero?
fn lowest_of_parabola([(a, ga), (m, gm), (b, gb)]: [(f64, f64); 3]) -> bool {
    let (left, right) = ((ga - gm) / (a - m), (gb - gm) / (b - m));
    let curvature = (right - left) / (b - a);
    let slope = left - curvature * (a - m);
    let low = if curvature == 0.0 { gm } else { gm - slope * slope / (4.0 * curvature) };
    low * gm.signum() < NEAR * ga.abs().min(gb.abs())
}

/// A point between a and b where the function has another sign than this one: the way to the lowest point is by golden sections.
fn other_sign<E>(a: f64, b: f64, sign: f64, g: &mut impl FnMut(f64) -> Result<f64, E>) -> Option<(f64, f64)> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (mut a, mut b) = (a, b);
    let mut at = |t: f64| g(t).ok().map(|x| (t, x * sign));
    let mut low = at(b - GOLDEN * (b - a))?;
    let mut high = at(a + GOLDEN * (b - a))?;
    for _ in 0..STEPS {
        if let Some((t, x)) = [low, high].into_iter().find(|v| v.1 < 0.0) {
            return Some((t, x * sign));
        }
        if low.1 <= high.1 {
            (b, high) = (high.0, low);
            low = at(b - GOLDEN * (b - a))?;
        } else {
            (a, low) = (low.0, high);
            high = at(a + GOLDEN * (b - a))?;
        }
    }
    None
}

/// Does the function grow beyond all bounds towards this point, from both sides, where its sign changes? A tenth as far away it
/// is then greater, where it has a zero it is smaller, and where it jumps about the same.
pub(super) fn is_pole<E>(t: f64, left: f64, right: f64, g: &mut impl FnMut(f64) -> Result<f64, E>) -> bool {
    let aside = ASIDE * (right - left);
    let inside = |h: &f64| (t + h - left) * (t + h - right) <= 0.0;
    [aside, -aside].into_iter().filter(inside).all(|h| match (g(t + 0.1 * h), g(t + h)) {
        (Ok(near), Ok(far)) => near.abs() > 1.5 * far.abs(),
        _ => false,
    })
}

/// The zero of g between a and b, where g has opposite signs, to the last digit: R. P. Brent's method.
pub(super) fn root<E>(a: f64, ga: f64, b: f64, gb: f64, g: &mut impl FnMut(f64) -> Result<f64, E>) -> Result<f64, E> {
    let (mut a, mut ga, mut b, mut gb) = (a, ga, b, gb);
    let (mut c, mut gc) = (a, ga);
    let mut step = b - a;
    let mut before = step;
    for _ in 0..200 {
        if gc.abs() < gb.abs() {
            (a, b, c) = (b, c, b);
            (ga, gb, gc) = (gb, gc, gb);
        }
        let tolerance = 0.5 * f64::EPSILON * b.abs();
        let middle = 0.5 * (c - b);
        if middle.abs() <= tolerance || gb == 0.0 {
            break;
        }
        if before.abs() >= tolerance && ga.abs() > gb.abs() {
            let s = gb / ga;
            let (mut p, mut q) = if a == c {
                (2.0 * middle * s, 1.0 - s)
            } else {
                let (q, r) = (ga / gc, gb / gc);
                (s * (2.0 * middle * q * (q - r) - (b - a) * (r - 1.0)), (q - 1.0) * (r - 1.0) * (s - 1.0))
            };
            if p > 0.0 {
                q = -q;
            } else {
                p = -p;
            }
            if 2.0 * p < (3.0 * middle * q - (tolerance * q).abs()).min((before * q).abs()) {
                (before, step) = (step, p / q);
            } else {
                (before, step) = (middle, middle);
            }
        } else {
            (before, step) = (middle, middle);
        }
        (a, ga) = (b, gb);
        b += if step.abs() > tolerance { step } else { tolerance.copysign(middle) };
        // A tolerance of half a unit in the last place may not move b at all.
        if b == a {
            b = if middle > 0.0 { a.next_up() } else { a.next_down() };
        }
        gb = g(b)?;
        if (gb > 0.0) == (gc > 0.0) {
            (c, gc) = (a, ga);
            step = b - a;
            before = step;
        }
    }
    Ok(b)
}

#[cfg(test)]
mod tests {
    use super::{is_pole, root, with_lowest};

    #[test]
    fn roots_are_found_to_the_last_digit() {
        type Case = (fn(f64) -> f64, f64, f64, f64);
        let cases: [Case; 5] = [
            (|t| t.cos(), 1.0, 2.0, std::f64::consts::FRAC_PI_2),
            (|t| t * t - 2.0, 0.0, 2.0, std::f64::consts::SQRT_2),
            (|t| (t - 1.0).powi(9), 0.0, 1.7, 1.0),
            (|t| if t < 0.3 { -1.0 } else { 1.0 }, 0.0, 1.0, 0.3),
            (|t| t - 1e-9, -1.0, 1.0, 1e-9),
        ];
        for (i, (g, a, b, exact)) in cases.into_iter().enumerate() {
            let mut calls = 0;
            let mut f = |t: f64| -> Result<f64, ()> {
                calls += 1;
                Ok(g(t))
            };
            for (a, b) in [(a, b), (b, a)] {
                let t = root(a, g(a), b, g(b), &mut f).unwrap();
                let error = (t - exact).abs();
                // (t − 1)⁹ is zero in floating point in a whole neighbourhood of 1: any point of it is a zero.
                assert!(error <= 2.0 * f64::EPSILON * exact || g(t) == 0.0, "case {i}: {t} against {exact}");
            }
            assert!(calls < 400, "case {i}: {calls} calls");
        }
    }

    #[test]
    fn a_smooth_root_takes_ten_evaluations_and_not_the_fifty_of_halving() {
        type Case = (fn(f64) -> f64, f64, f64);
        let cases: [Case; 5] = [
            (|t| t.cos(), 1.0, 2.0),
            (|t| t * t - 2.0, 0.0, 2.0),
            (|t| t.exp() - 5.0, 0.0, 3.0),
            (|t| t.powi(3) - t - 1.0, 1.0, 2.0),
            // Steep in the middle of an interval that lies on both sides of zero.
            (|t| (50.0 * (t - 0.01)).atan(), -1.3, 1.2),
        ];
        for (i, (g, a, b)) in cases.into_iter().enumerate() {
            let mut calls = 0;
            let found = root(a, g(a), b, g(b), &mut |t| -> Result<f64, ()> {
                calls += 1;
                Ok(g(t))
            });
            assert!(found.is_ok() && calls <= 10, "case {i}: {calls} evaluations");
        }
    }

    #[test]
    fn a_root_between_neighbouring_numbers_is_one_of_them() {
        // Half a unit of the last place does not move a number just above a power of two.
        for scale in [1.0, 2f64.powi(60), 2f64.powi(-30), -1.0] {
            for k in 1..8 {
                let number = |k: i32| scale * (1.0 + f64::from(k) * f64::EPSILON);
                let (low, high, jump) = (number(0), number(8), number(k));
                let g = |t: f64| if (t - jump) * scale < 0.0 { -1.0 } else { 1.0 };
                for (a, b) in [(low, high), (high, low)] {
                    let mut calls = 0;
                    let found = root(a, g(a), b, g(b), &mut |t| -> Result<f64, ()> {
                        calls += 1;
                        Ok(g(t))
                    });
                    let t = found.expect("a root");
                    assert!(
                        (t - jump).abs() <= f64::EPSILON * scale.abs() && calls < 20,
                        "{scale} {k}: {t}, {calls} calls"
                    );
                }
            }
        }
    }

    fn looked_at(g: fn(f64) -> f64, points: &[f64]) -> Vec<(f64, f64)> {
        let mut values: Vec<(f64, f64)> = points.iter().map(|&t| (t, g(t))).collect();
        with_lowest(&mut values, &mut |t| -> Result<f64, ()> { Ok(g(t)) });
        values
    }

    #[test]
    fn what_dips_below_zero_between_two_points_is_seen() {
        type Case = (fn(f64) -> f64, [f64; 4], bool);
        let cases: [Case; 7] = [
            (|t| (t - 1.3).powi(2) - 1e-8, [0.0, 1.0, 2.0, 3.0], true),
            // Next to the ends, where there are points on one side alone.
            (|t| (t - 0.01).powi(2) - 1e-8, [0.0, 1.0, 2.0, 3.0], true),
            (|t| (t - 2.99).powi(2) - 1e-8, [0.0, 1.0, 2.0, 3.0], true),
            (|t| 1e-7 - (t - 1.3).powi(2), [3.0, 2.0, 1.0, 0.0], true),
            (|t| t.cos() + 0.999_999, [2.5, 3.0, 3.5, 4.0], true),
            // It touches, or stays away.
            (|t| (t - 1.3).powi(2), [0.0, 1.0, 2.0, 3.0], false),
            (|t| t.cos() + 1.000_001, [2.5, 3.0, 3.5, 4.0], false),
        ];
        for (i, (g, points, dips)) in cases.into_iter().enumerate() {
            let values = looked_at(g, &points);
            let other = values.iter().any(|(_, x)| x * values[0].1 < 0.0);
            assert_eq!(other, dips, "case {i}: {values:?}");
        }
    }

    #[test]
    fn what_stays_away_from_zero_is_not_looked_at_again() {
        let mut calls = 0;
        let mut values: Vec<(f64, f64)> = (0..6).map(f64::from).map(|t| (t, 5.0 + t.sin())).collect();
        with_lowest(&mut values, &mut |t| -> Result<f64, ()> {
            calls += 1;
            Ok(5.0 + t.sin())
        });
        assert!(calls <= 2 && values.len() == 6, "{calls} {values:?}");
    }

    #[test]
    fn a_pole_is_no_zero_and_a_jump_is() {
        type Case = (fn(f64) -> f64, bool);
        let cases: [Case; 6] = [
            (|t| 1.0 / (t - 0.3), true),
            (|t| (t - 0.3).powi(-3), true),
            (|t| 1.0 / (t - 0.3).cbrt(), true),
            (|t| t - 0.3, false),
            (|t| (t - 0.3).cbrt(), false),
            (|t| if t < 0.3 { -1.0 } else { 1.0 }, false),
        ];
        for (i, (g, pole)) in cases.into_iter().enumerate() {
            let mut at = |t: f64| -> Result<f64, ()> { Ok(g(t)) };
            let t = root(0.0, g(0.0), 1.0, g(1.0), &mut at).expect("a root");
            assert!((t - 0.3).abs() < 1e-15, "case {i}: {t}");
            assert_eq!(is_pole(t, 0.0, 1.0, &mut at), pole, "case {i}");
        }
    }
}
