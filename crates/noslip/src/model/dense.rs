//! Small dense linear algebra for symmetric, possibly singular matrices.

/// Factors a positive definite matrix A = L·Lᵀ; `None` when it is not.
pub(super) fn cholesky(a: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s = a[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            if i == j {
                if s.is_nan() || s <= 0.0 {
                    return None;
                }
                l[i][i] = s.sqrt();
            } else {
                l[i][j] = s / l[j][j];
            }
        }
    }
    Some(l)
}

/// Solves L·Lᵀ·x = b.
pub(super) fn solve_cholesky(l: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = l.len();
    let mut x = b.to_vec();
    for i in 0..n {
        let s: f64 = (0..i).map(|k| l[i][k] * x[k]).sum();
        x[i] = (x[i] - s) / l[i][i];
    }
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
        x[i] = (x[i] - s) / l[i][i];
    }
    x
}

/// A solution of S·y = b for a positive semidefinite S, zero in the directions in which S is (numerically) singular.
pub(super) fn solve_semidefinite(s: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let m = s.len();
    let mut a: Vec<Vec<f64>> = s.to_vec();
    let mut r = b.to_vec();
    // Rows may have very different scales, so each pivot is judged against its own row's first size.
    let size: Vec<f64> = (0..m).map(|i| s[i][i].abs()).collect();
    let mut pivots = Vec::new();
    let mut free: Vec<usize> = (0..m).collect();
    while !free.is_empty() {
        let relative = |i: usize| if size[i] > 0.0 { a[i][i] / size[i] } else { 0.0 };
        let best = free.iter().copied().max_by(|&i, &j| relative(i).total_cmp(&relative(j)));
        let Some(p) = best.filter(|&p| relative(p) > 1e-11) else { break };
        free.retain(|&i| i != p);
        let pivot_row = a[p].clone();
        for &i in &free {
            let f = a[i][p] / pivot_row[p];
            a[i].iter_mut().zip(&pivot_row).for_each(|(x, y)| *x -= f * y);
            r[i] -= f * r[p];
        }
        pivots.push(p);
    }
    let mut y = vec![0.0; m];
    for &p in pivots.iter().rev() {
        let sum: f64 = (0..m).filter(|&j| j != p).map(|j| a[p][j] * y[j]).sum();
        y[p] = (r[p] - sum) / a[p][p];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(a: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        a.iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
    }

    #[test]
    fn solutions_solve() {
        let a = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -1.0], vec![0.5, -1.0, 2.0]];
        let b = [1.0, -2.0, 0.3];
        for x in [solve_cholesky(&cholesky(&a).unwrap(), &b), solve_semidefinite(&a, &b)] {
            assert!(times(&a, &x).iter().zip(b).all(|(l, r)| (l - r).abs() < 1e-14));
        }
        // Rank one, consistent right side.
        let s = vec![vec![1.0, 2.0], vec![2.0, 4.0]];
        let y = solve_semidefinite(&s, &[3.0, 6.0]);
        assert!(times(&s, &y).iter().zip([3.0, 6.0]).all(|(l, r)| (l - r).abs() < 1e-12));
        assert!(cholesky(&s).is_none());
        assert_eq!(solve_semidefinite(&[vec![0.0]], &[1.0]), [0.0]);
    }
}
