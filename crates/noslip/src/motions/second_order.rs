//! M q″ + C q′ + K q = 0, where the linearised closed part is of second order in its coordinates.
//!
//! With δq̇ = P δq + N δv and G δv̇ = B_q δq + B_v δv, N regular,
//!
//! ```text
//! M = N⁻ᵀ G N⁻¹,    C = −M P − N⁻ᵀ B_v N⁻¹,    K = N⁻ᵀ B_v N⁻¹ P − N⁻ᵀ B_q.
//! ```
//! Quasi-velocities beside, such as the speed of a ride, must not enter to first order.

use super::family::Member;
use super::numbers::{Numbers, Point};
use crate::expr::Symbol;
use crate::numeric::spectrum::solve;

type Rows = Vec<Vec<f64>>;

/// The linear equations of second order.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrder {
    /// The coordinates q.
    pub coordinates: Vec<Symbol>,
    /// M.
    pub mass: Rows,
    /// C.
    pub damping: Rows,
    /// K.
    pub stiffness: Rows,
    /// C and K as polynomials, where they are: exponents of the letters, matrix.
    pub split: Option<Split>,
}

/// C and K by powers of letters.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The letters: speeds of the family, a parameter of the potential.
    pub letters: Vec<Symbol>,
    /// C = Σ letters^exponents · matrix.
    pub damping: Vec<(Vec<u32>, Rows)>,
    /// K = Σ letters^exponents · matrix.
    pub stiffness: Vec<(Vec<u32>, Rows)>,
}

/// Entries this much smaller than the largest are rounding.
const ROUNDING: f64 = 1e-10;

/// The equations of second order at a steady motion, if there are any.
pub fn second_order(numbers: &mut Numbers, member: &Member, point: &Point) -> Option<SecondOrder> {
    let (matrices, beside) = matrices(numbers, point)?;
    let independent = numbers.independent();
    let m = independent.iter().filter(|&&i| i < numbers.shape.len()).count();
    let coordinates = independent[..m].iter().map(|&i| numbers.shape[i]).collect();
    let split = split(numbers, member, &beside);
    let [mass, damping, stiffness] = matrices;
    Some(SecondOrder { coordinates, mass, damping, stiffness, split })
}

/// M, C, K, and the positions of the quasi-velocities that do not take part.
fn matrices(numbers: &Numbers, point: &Point) -> Option<([Rows; 3], Vec<usize>)> {
    let followed = numbers.followed(point).ok()?;
    let independent = numbers.independent();
    let m = independent.iter().filter(|&&i| i < numbers.shape.len()).count();
    let l = numbers.free.len();
    if m == 0 || m > l {
        return None;
    }
    let jacobian = numbers.matrix(point).ok()?;
    let forces = numbers.restricted(&point.force_slopes, &followed);
    let largest = |rows: &[Vec<f64>]| rows.iter().flatten().fold(0.0f64, |a, x| a.max(x.abs()));
    // δq̇ = P δq + N δv: which v take part.
    let kinematics: Rows = jacobian[..m].iter().map(|row| row[m..].to_vec()).collect();
    let floor = ROUNDING * largest(&kinematics);
    let taking: Vec<usize> = (0..l).filter(|&s| kinematics.iter().any(|row| row[s].abs() > floor)).collect();
    let beside: Vec<usize> = (0..l).filter(|s| !taking.contains(s)).collect();
    if taking.len() != m {
        return None;
    }
    let decoupled = taking.iter().all(|&r| {
        let row = &jacobian[m + r];
        let scale = row.iter().fold(1.0f64, |a, x| a.max(x.abs()));
        beside.iter().all(|&s| row[m + s].abs() <= ROUNDING * scale)
    });
    if !decoupled {
        return None;
    }
    let n: Rows = kinematics.iter().map(|row| taking.iter().map(|&s| row[s]).collect()).collect();
    let p: Rows = jacobian[..m].iter().map(|row| row[..m].to_vec()).collect();
    let g: Rows = taking.iter().map(|&r| taking.iter().map(|&s| point.mass[r][s]).collect()).collect();
    // Forces on the v that take part, with the rates of the others put in.
    let force = |r: usize, column: usize| -> f64 {
        forces[r][column] - beside.iter().map(|&s| point.mass[r][s] * jacobian[m + s][column]).sum::<f64>()
    };
    let b_q: Rows = taking.iter().map(|&r| (0..m).map(|c| force(r, c)).collect()).collect();
    let b_v: Rows = taking.iter().map(|&r| taking.iter().map(|&s| force(r, m + s)).collect()).collect();
    let identity: Rows = (0..m).map(|i| (0..m).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    let inverse = solve(&n, &identity)?;
    let transposed: Rows = (0..m).map(|i| (0..m).map(|j| inverse[j][i]).collect()).collect();
    let product = |a: &Rows, b: &Rows| -> Rows {
        a.iter().map(|row| (0..m).map(|j| (0..m).map(|k| row[k] * b[k][j]).sum()).collect()).collect()
    };
    let minus = |a: &Rows, b: &Rows| -> Rows {
        a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a - b).collect()).collect()
    };
    let zero: Rows = vec![vec![0.0; m]; m];
    let mass = product(&transposed, &product(&g, &inverse));
    let b = product(&transposed, &product(&b_v, &inverse));
    let damping = minus(&minus(&zero, &product(&mass, &p)), &b);
    let stiffness = minus(&product(&b, &p), &product(&transposed, &b_q));
    Some(([mass, damping, stiffness], beside))
}

/// Powers of a speed tried; a parameter of the potential enters linearly.
const POWERS: usize = 3;

/// C and K as polynomials in the speed of the family and in the open parameter: interpolated at whole numbers, and believed if
/// they are right elsewhere.
fn split(numbers: &mut Numbers, member: &Member, beside: &[usize]) -> Option<Split> {
    let m = numbers.shape.len();
    let &[speed] = beside else { return None };
    let position = m + speed;
    let letters: Vec<Symbol> = [numbers.free[speed]].into_iter().chain(numbers.open.first().map(|p| p.0)).collect();
    let mut at = |v: f64, g: Option<f64>| -> Option<[Rows; 3]> {
        let mut z = member.variables.clone();
        z[position] = v;
        let parameters: Vec<f64> = g.into_iter().collect();
        let point = numbers.at(&z, &parameters).ok()?;
        if point.rates.iter().any(|x| x.abs() > 1e-8 * (1.0 + v * v)) {
            return None;
        }
        matrices(numbers, &point).map(|x| x.0)
    };
    let gravities: &[Option<f64>] = if letters.len() == 2 { &[Some(0.0), Some(1.0)] } else { &[None] };
    let speeds: Vec<f64> = (0..=POWERS).map(|i| i as f64 - 1.0).collect();
    // Differences: coefficients of the polynomial in v by solving with Vandermonde's matrix, those in g by subtraction.
    let vandermonde: Rows = speeds.iter().map(|v| (0..=POWERS).map(|k| v.powi(k as i32)).collect()).collect();
    let mut terms: [Vec<(Vec<u32>, Rows)>; 2] = [Vec::new(), Vec::new()];
    let mut base: Option<Vec<Rows>> = None;
    for (j, &g) in gravities.iter().enumerate() {
        let samples: Vec<[Rows; 3]> = speeds.iter().map(|&v| at(v, g)).collect::<Option<_>>()?;
        for (which, terms) in terms.iter_mut().enumerate() {
            let flat: Rows = samples.iter().map(|s| s[1 + which].iter().flatten().copied().collect()).collect();
            let mut coefficients = solve(&vandermonde, &flat)?;
            match (&mut base, j) {
                (None, _) => base = Some(vec![coefficients.clone()]),
                (Some(list), 0) => list.push(coefficients.clone()),
                (Some(list), _) => coefficients
                    .iter_mut()
                    .zip(&list[which])
                    .for_each(|(a, b)| a.iter_mut().zip(b).for_each(|(x, y)| *x -= y)),
            }
            let scale = flat.iter().flatten().fold(0.0f64, |a, x| a.max(x.abs()));
            for (k, list) in coefficients.into_iter().enumerate() {
                if list.iter().all(|x| x.abs() <= 1e-11 * scale) {
                    continue;
                }
                let size = list.len().isqrt();
                let rows = list
                    .chunks(size)
                    .map(|r| r.iter().map(|x| if x.abs() <= 1e-13 * scale { 0.0 } else { *x }).collect())
                    .collect();
                let exponents = if letters.len() == 2 { vec![k as u32, j as u32] } else { vec![k as u32] };
                terms.push((exponents, rows));
            }
        }
    }
    // Elsewhere.
    let (v, g) = (2.7, gravities[0].map(|_| 3.3));
    let there = at(v, g)?;
    for (which, terms) in terms.iter().enumerate() {
        for (i, row) in there[1 + which].iter().enumerate() {
            for (j, &want) in row.iter().enumerate() {
                let got: f64 = terms
                    .iter()
                    .map(|(e, rows)| {
                        let power = g.map_or(1.0, |g| g.powi(e.get(1).copied().unwrap_or(0) as i32));
                        rows[i][j] * v.powi(e[0] as i32) * power
                    })
                    .sum();
                let scale = there[1 + which].iter().flatten().fold(1.0f64, |a, x| a.max(x.abs()));
                if (got - want).abs() > 1e-9 * scale {
                    return None;
                }
            }
        }
    }
    let [damping, stiffness] = terms;
    Some(Split { letters, damping, stiffness })
}
