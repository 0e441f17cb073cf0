//! The saddle system and projections: regular, massless, redundant, contradictory.

use super::*;

fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A random positive semidefinite M of the given rank.
fn inertia(n: usize, rank: usize, seed: &mut u64) -> Vec<f64> {
    let b: Vec<f64> = (0..n * rank).map(|_| noise(seed)).collect();
    let mut m = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            m[i * n + j] = (0..rank).map(|r| b[i * rank + r] * b[j * rank + r]).sum();
        }
    }
    m
}

fn solve(
    n: usize,
    k: usize,
    m: &[f64],
    a: &[f64],
    f: &[f64],
    b: &[f64],
) -> Result<(Vec<f64>, Vec<f64>), SaddleFailure> {
    let (mut x, mut l) = (vec![f64::NAN; n], vec![f64::NAN; k]);
    Saddle::new(n, k).solve(m, a, f, b, &mut x, &mut l)?;
    Ok((x, l))
}

/// Largest residual of both equations.
fn residual([m, a, f, b]: [&[f64]; 4], x: &[f64], l: &[f64]) -> f64 {
    let (n, k) = (x.len(), l.len());
    let mut worst = 0.0f64;
    for i in 0..n {
        let sum: f64 =
            (0..n).map(|j| m[i * n + j] * x[j]).sum::<f64>() - (0..k).map(|j| a[j * n + i] * l[j]).sum::<f64>();
        worst = worst.max((sum - f[i]).abs());
    }
    for j in 0..k {
        worst = worst.max(((0..n).map(|i| a[j * n + i] * x[i]).sum::<f64>() - b[j]).abs());
    }
    worst
}

#[test]
fn regular_systems_of_all_sizes_are_solved() {
    let mut seed = 3;
    for n in 1..12 {
        for k in 0..=n.min(5) {
            let m = inertia(n, n, &mut seed);
            let mut draw = |count: usize| -> Vec<f64> { (0..count).map(|_| noise(&mut seed)).collect() };
            let (a, f, b) = (draw(n * k), draw(n), draw(k));
            let (x, l) = solve(n, k, &m, &a, &f, &b).unwrap();
            let size = x.iter().chain(&l).fold(1.0f64, |m, x| m.max(x.abs()));
            let r = residual([&m, &a, &f, &b], &x, &l);
            assert!(r < 1e-13 * size, "n = {n}, k = {k}: {r:e} with size {size:e}");
        }
    }
}

#[test]
fn massless_coordinates_are_fine_when_the_constraints_move_them() {
    let mut seed = 8;
    for _ in 0..50 {
        let (n, k) = (5, 2);
        let m = inertia(n, 3, &mut seed);
        let mut draw = |count: usize| -> Vec<f64> { (0..count).map(|_| noise(&mut seed)).collect() };
        let (a, f, b) = (draw(n * k), draw(n), draw(k));
        let (x, l) = solve(n, k, &m, &a, &f, &b).unwrap();
        let size = x.iter().chain(&l).fold(1.0f64, |m, x| m.max(x.abs()));
        assert!(residual([&m, &a, &f, &b], &x, &l) < 1e-13 * size);
    }
}

#[test]
fn redundant_constraints_take_the_shortest_multipliers_and_the_same_accelerations() {
    let mut seed = 21;
    for round in 0..50 {
        let n = 6;
        let m = inertia(n, n, &mut seed);
        let mut draw = |count: usize| -> Vec<f64> { (0..count).map(|_| noise(&mut seed)).collect() };
        let (a2, f, b2) = (draw(n * 2), draw(n), draw(2));
        // Rows 0, 1, 2 r₀ − 3 r₁, a zero row, and r₁ again, in mixed order.
        let mix = [[1.0, 0.0], [2.0, -3.0], [0.0, 0.0], [0.0, 1.0], [0.0, 1.0]];
        let a: Vec<f64> =
            mix.iter().flat_map(|c| (0..n).map(|i| c[0] * a2[i] + c[1] * a2[n + i]).collect::<Vec<_>>()).collect();
        let b: Vec<f64> = mix.iter().map(|c| c[0] * b2[0] + c[1] * b2[1]).collect();
        let (x2, l2) = solve(n, 2, &m, &a2, &f, &b2).unwrap();
        let (x, l) = solve(n, 5, &m, &a, &f, &b).unwrap();
        let scale = x2.iter().chain(&l2).fold(1.0f64, |m, x| m.max(x.abs()));
        assert!(x.iter().zip(&x2).all(|(a, b)| (a - b).abs() < 1e-11 * scale), "round {round}");
        assert!(residual([&m, &a, &f, &b], &x, &l) < 1e-12 * scale);
        // Shortest: λ = (Aᵀ)⁺ (A₂ᵀ λ₂).
        let transposed: Vec<f64> = (0..n * 5).map(|e| a[(e % 5) * n + e / 5]).collect();
        let force: Vec<f64> = (0..n).map(|i| a2[i] * l2[0] + a2[n + i] * l2[1]).collect();
        let mut shortest = vec![0.0; 5];
        Svd::new(&transposed, n, 5).solve(&force, 1e-10, &mut shortest);
        assert!(l.iter().zip(&shortest).all(|(a, b)| (a - b).abs() < 1e-10 * scale), "{l:?} {shortest:?}");
        assert_eq!(l[2], 0.0);
    }
}

#[test]
fn a_contradictory_constraint_is_named() {
    let m = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let a = [1.0, 2.0, 0.0, 0.0, 0.0, 1.0, 2.0, 4.0, 0.0];
    assert_eq!(solve(3, 3, &m, &a, &[0.0; 3], &[1.0, 0.0, 2.0]).map(|s| s.0[2]), Ok(0.0));
    // Rows 0 and 2 are parallel but want different things; the longer one is no more independent than the first.
    assert_eq!(solve(3, 3, &m, &a, &[0.0; 3], &[1.0, 0.0, 2.5]), Err(SaddleFailure::Constraint { row: 2 }));
    // A gradient that vanishes while its right-hand side does not.
    let a = [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0];
    assert_eq!(solve(3, 3, &m, &a, &[0.0; 3], &[1.0, 0.5, 0.0]), Err(SaddleFailure::Constraint { row: 1 }));
}

#[test]
fn inertia_that_leaves_a_coordinate_free_is_named() {
    let m = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0];
    let failure = Err(SaddleFailure::Inertia { coordinate: 1 });
    assert_eq!(solve(3, 1, &m, &[1.0, 0.0, 1.0], &[1.0, 0.0, 0.0], &[0.0]), failure);
    assert!(solve(3, 1, &m, &[1.0, 1.0, 1.0], &[1.0, 0.0, 0.0], &[0.0]).is_ok());
    assert_eq!(solve(1, 0, &[0.0], &[], &[1.0], &[]), Err(SaddleFailure::Inertia { coordinate: 0 }));
}

#[test]
fn not_a_number_is_not_finite() {
    assert_eq!(solve(2, 0, &[1.0, 0.0, 0.0, f64::NAN], &[], &[0.0; 2], &[]), Err(SaddleFailure::NonFinite));
    assert_eq!(solve(1, 1, &[1.0], &[f64::INFINITY], &[0.0], &[0.0]), Err(SaddleFailure::NonFinite));
}

#[test]
fn nearly_dependent_constraints_are_still_solved_to_their_condition() {
    let m = [2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    for gap in [1e-3, 1e-6, 1e-9] {
        let a = [1.0, 1.0, 0.0, 1.0, 1.0 + gap, 0.0];
        // Both hold with a = (1, 1, a₃) exactly, whatever the gap.
        let (x, _) = solve(3, 2, &m, &a, &[0.0, 0.0, 5.0], &[2.0, 2.0 + gap]).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-15 / gap * 10.0 && (x[2] - 5.0).abs() < 1e-12, "{gap:e}: {x:?}");
    }
}

#[test]
fn units_do_not_matter() {
    // The same system in metres and kilograms, and in micrometres and tonnes.
    let (n, k) = (3, 1);
    let mut seed = 77;
    let m = inertia(n, n, &mut seed);
    let mut draw = |count: usize| -> Vec<f64> { (0..count).map(|_| noise(&mut seed)).collect() };
    let (a, f, b) = (draw(n * k), draw(n), draw(k));
    let (x, _) = solve(n, k, &m, &a, &f, &b).unwrap();
    let unit = [1e-6, 1e3, 1e9];
    let scaled_m: Vec<f64> = (0..9).map(|e| m[e] * unit[e / 3] * unit[e % 3]).collect();
    let scaled_a: Vec<f64> = (0..3).map(|i| 1e-7 * a[i] * unit[i]).collect();
    let scaled_f: Vec<f64> = (0..3).map(|i| f[i] * unit[i]).collect();
    let (y, _) = solve(n, k, &scaled_m, &scaled_a, &scaled_f, &[1e-7 * b[0]]).unwrap();
    for i in 0..3 {
        assert!((y[i] * unit[i] / x[i] - 1.0).abs() < 1e-11, "{x:?} {y:?}");
    }
}

/// A point on the intersection of the sphere x² + y² + z² = 4 and the plane x + y = 1 (twice, scaled).
struct SphereAndPlane {
    redundant: bool,
    metric: [f64; 3],
}

impl SphereAndPlane {
    fn equations(&self) -> usize {
        if self.redundant { 3 } else { 2 }
    }
}

impl ConstraintSet for SphereAndPlane {
    fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
        let rows = [[2.0 * y[0], 2.0 * y[1], 2.0 * y[2]], [1.0, 1.0, 0.0], [-3.0, -3.0, 0.0]];
        let values = [y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 4.0, y[0] + y[1] - 1.0, 3.0 - 3.0 * y[0] - 3.0 * y[1]];
        let m = self.equations();
        c.copy_from_slice(&values[..m]);
        jacobian.copy_from_slice(&rows.concat()[..3 * m]);
    }

    fn metric(&mut self, _y: &[f64], metric: &mut [f64]) {
        metric.fill(0.0);
        (0..3).for_each(|i| metric[4 * i] = self.metric[i]);
    }
}

fn project(
    set: &mut SphereAndPlane,
    y: &mut [f64],
    fixed: &[bool],
    tolerance: f64,
) -> Result<Projection, ProjectionFailure> {
    Projector::new(3, set.equations(), fixed).project(set, y, tolerance)
}

#[test]
fn projection_reaches_the_constraints_to_rounding_with_and_without_redundancy() {
    let mut ends = Vec::new();
    for redundant in [false, true] {
        let mut y = [0.9, 0.2, 1.5];
        let mut set = SphereAndPlane { redundant, metric: [1.0, 2.0, 3.0] };
        let report = project(&mut set, &mut y, &[], 1e-15).unwrap();
        assert!(report.after <= 1e-15 && report.before > 1e-2 && report.iterations < 8, "{report:?}");
        ends.push(y);
    }
    assert!(ends[0].iter().zip(&ends[1]).all(|(a, b)| (a - b).abs() < 1e-14));
}

#[test]
fn a_small_projection_is_the_shortest_in_the_metric() {
    // The change must be orthogonal, in the metric, to the tangent of the intersection.
    let metric = [1.0, 5.0, 0.3];
    let on = {
        let z = f64::sqrt(4.0 - 0.49 - 0.09);
        [0.7, 0.3, z]
    };
    let off = [on[0] + 2e-6, on[1] - 1e-6, on[2] + 3e-6];
    let mut y = off;
    project(&mut SphereAndPlane { redundant: false, metric }, &mut y, &[], 1e-15).unwrap();
    let tangent = [y[2], -y[2], y[1] - y[0]];
    let work: f64 = (0..3).map(|i| metric[i] * tangent[i] * (y[i] - off[i])).sum();
    assert!(work.abs() < 1e-11, "{work:e}");
}

#[test]
fn the_nearest_point_is_nearest_however_far_the_way_and_wherever_it_began() {
    // From the origin's side the sphere and the plane are met where the gradient of the distance is normal to both.
    let metric = [1.0, 5.0, 0.3];
    let origin = [1.7, -0.4, 0.2];
    let mut ends = Vec::new();
    for (redundant, start) in [(false, origin), (true, origin), (false, [0.2, 0.9, 1.5])] {
        let mut set = SphereAndPlane { redundant, metric };
        let mut y = start;
        Projector::new(3, set.equations(), &[]).nearest(&mut set, &origin, &mut y, 1e-14).unwrap();
        assert!((y[0] + y[1] - 1.0).abs() < 1e-14 && (dot(&y, &y) - 4.0).abs() < 1e-13, "{y:?}");
        let tangent = [y[2], -y[2], y[1] - y[0]];
        let work: f64 = (0..3).map(|i| metric[i] * tangent[i] * (y[i] - origin[i])).sum();
        assert!(work.abs() < 1e-12, "{y:?}: {work:e}");
        ends.push(y);
    }
    assert!(ends.iter().all(|y| (y[2] - ends[0][2]).abs() < 1e-12), "{ends:?}");
}

#[test]
fn the_nearest_point_may_be_zero() {
    // x = 0 from (3, 0): an iteration that asks for small steps relative to the point itself does not end.
    struct Wall;
    impl ConstraintSet for Wall {
        fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
            c[0] = 0.3 * y[0];
            jacobian.copy_from_slice(&[0.3, 0.0]);
        }

        fn metric(&mut self, _y: &[f64], metric: &mut [f64]) {
            metric.copy_from_slice(&[7.0, 0.1, 0.1, 3.0]);
        }
    }
    let mut y = [3.0, 0.0];
    Projector::new(2, 1, &[]).nearest(&mut Wall, &[3.0, 0.0], &mut y, 1e-14).unwrap();
    assert!(y[0].abs() < 1e-14 && (y[1] - 0.1).abs() < 1e-14, "{y:?}");
}

#[test]
fn of_linear_equations_the_nearest_point_is_one_step_away() {
    struct Planes {
        told: bool,
    }
    impl ConstraintSet for Planes {
        fn residual(&mut self, y: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
            c.copy_from_slice(&[y[0] - 2.0 * y[1] + 0.3 * y[2] - 1.0, y[1] + 7.0 * y[2] - 0.1]);
            jacobian.copy_from_slice(&[1.0, -2.0, 0.3, 0.0, 1.0, 7.0]);
        }

        fn metric(&mut self, _y: &[f64], metric: &mut [f64]) {
            metric.copy_from_slice(&[2.0, 0.3, 0.0, 0.3, 1.0, 0.1, 0.0, 0.1, 5.0]);
        }

        fn is_linear(&self) -> bool {
            self.told
        }
    }
    let origin = [40.0, -3.0, 11.0];
    let [(told, one), (untold, several)] = [true, false].map(|told| {
        let mut y = [0.0; 3];
        let report = Projector::new(3, 2, &[]).nearest(&mut Planes { told }, &origin, &mut y, 1e-14).unwrap();
        (y, report.iterations)
    });
    assert!(one == 1 && several > 1, "{one} and {several} steps");
    assert!(told.iter().zip(&untold).all(|(a, b)| (a - b).abs() < 1e-13), "{told:?} {untold:?}");
}

#[test]
fn definite_and_degenerate_matrices_are_told_apart() {
    assert!(is_positive_definite(&[4.0, 1.0, 0.5, 1.0, 3.0, -1.0, 0.5, -1.0, 2.0], 3));
    assert!(!is_positive_definite(&[1.0, 2.0, 2.0, 4.0], 2));
    assert!(!is_positive_definite(&[1.0, 2.0, 2.0, 1.0], 2));
    assert!(!is_positive_definite(&[f64::NAN], 1));
}

#[test]
fn fixed_components_stay_and_a_contradiction_with_them_is_explained() {
    let mut y = [0.9, 0.0, 1.0];
    let mut set = SphereAndPlane { redundant: true, metric: [1.0; 3] };
    project(&mut set, &mut y, &[true, false, false], 1e-15).unwrap();
    assert_eq!(y[0], 0.9);
    assert!((y[1] - 0.1).abs() < 1e-15);
    // x = 0.9 and y = 0.5 leave nothing for x + y = 1.
    let mut y = [0.9, 0.5, 1.0];
    let failure = project(&mut set, &mut y, &[true, true, false], 1e-15);
    let Err(ProjectionFailure::Contradiction { equation: 1 | 2, residual }) = failure else { panic!("{failure:?}") };
    assert!(residual.abs() > 0.3);
}

#[test]
fn projection_with_massless_directions_still_works() {
    let mut y = [0.9, 0.2, 1.5];
    project(&mut SphereAndPlane { redundant: true, metric: [1.0, 0.0, 0.0] }, &mut y, &[], 1e-15).unwrap();
    assert!((y[0] + y[1] - 1.0).abs() < 1e-15);
}
