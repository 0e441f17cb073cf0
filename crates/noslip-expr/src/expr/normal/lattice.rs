//! Integer bases for the arguments of trigonometric functions and exponentials.
//!
//! Every argument is a rational combination of *dimensions* (monomials of the expanded argument). The arguments
//! of a batch span a lattice; an integer basis of it is chosen, so that each argument is an integer combination of
//! basis vectors and each sine a polynomial in sines and cosines of these. Dimensions that only ever occur in one
//! proportion (x and y in sin(x+y), cos(2x+2y)) are one direction, not two.

use super::super::number::Rational;
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;

/// A rational combination of dimensions, sorted by dimension, without zeros.
pub(super) type Vector = Vec<(u32, Rational)>;

/// A direction: dimensions in one proportion, with the unit that makes all coordinates integers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Direction {
    pub(super) unit: Vector,
}

/// Directions, and a unimodular choice of basis vectors among their integer combinations.
#[derive(Clone, Debug, Default)]
pub(super) struct Lattice {
    pub(super) directions: Vec<Direction>,
    /// The direction of every dimension.
    of_dimension: FxHashMap<u32, usize>,
    /// Basis vectors in coordinates of the directions.
    rows: Vec<Vec<i64>>,
    /// Column operations that bring the rows to unit lower triangular form, and that form.
    columns: Vec<Vec<i64>>,
    lower: Vec<Vec<i64>>,
}

/// The largest rational number of which all given ones are integer multiples.
fn common_unit<'a>(list: impl Iterator<Item = &'a Rational>) -> Rational {
    let (mut n, mut d) = (BigInt::from(0), BigInt::from(1));
    for x in list {
        n = n.gcd(&x.numerator());
        d = d.lcm(&x.denominator());
    }
    Rational::from_big(n, d).filter(|u| !u.is_zero()).unwrap_or(Rational::ONE)
}

impl Lattice {
    /// The directions of a set of vectors. A dimension for which `alone` holds is never merged with others, and its
    /// unit is 1 wherever that is possible.
    pub(super) fn new(vectors: &[Vector], alone: impl Fn(u32) -> bool) -> Lattice {
        let mut columns: FxHashMap<u32, Vec<(usize, Rational)>> = FxHashMap::default();
        for (i, v) in vectors.iter().enumerate() {
            for (d, c) in v {
                columns.entry(*d).or_default().push((i, c.clone()));
            }
        }
        let mut dimensions: Vec<u32> = columns.keys().copied().collect();
        dimensions.sort_unstable();
        let mut lattice = Lattice::default();
        let mut known: FxHashMap<Vec<(usize, Rational)>, usize> = FxHashMap::default();
        for d in dimensions {
            let column = &columns[&d];
            let mut unit = common_unit(column.iter().map(|x| &x.1));
            if alone(d) {
                if unit.is_integer() {
                    unit = Rational::ONE;
                }
                lattice.add_direction(d, unit);
                continue;
            }
            // The sign is that of the first occurrence.
            if column[0].1.is_negative() {
                unit = -unit;
            }
            let shape: Vec<(usize, Rational)> = column.iter().map(|(i, c)| (*i, c / &unit)).collect();
            match known.get(&shape) {
                Some(&g) => {
                    lattice.directions[g].unit.push((d, unit));
                    lattice.of_dimension.insert(d, g);
                }
                None => {
                    known.insert(shape, lattice.directions.len());
                    lattice.add_direction(d, unit);
                }
            }
        }
        // An angle with nothing but minus signs is the opposite one.
        for direction in &mut lattice.directions {
            if direction.unit.iter().all(|(_, u)| u.is_negative()) {
                direction.unit.iter_mut().for_each(|(_, u)| *u = -&*u);
            }
        }
        lattice.choose(&[]);
        lattice
    }

    fn add_direction(&mut self, d: u32, unit: Rational) {
        self.of_dimension.insert(d, self.directions.len());
        self.directions.push(Direction { unit: vec![(d, unit)] });
    }

    /// Number of basis vectors.
    pub(super) fn len(&self) -> usize {
        self.directions.len()
    }

    /// Chooses basis vectors: the candidates in turn, where they extend the choice so far to a basis, then the
    /// directions themselves (last first, so that a chain of differences ends in its last angle).
    pub(super) fn choose(&mut self, candidates: &[Vec<i64>]) {
        let n = self.len();
        let unit = |i: usize| -> Vec<i64> { (0..n).map(|j| i64::from(i == j)).collect() };
        self.rows.clear();
        self.lower.clear();
        self.columns = (0..n).map(unit).collect();
        if candidates.is_empty() {
            self.rows = (0..n).map(unit).collect();
            self.lower = self.rows.clone();
            return;
        }
        for row in candidates.iter().cloned().chain((0..n).rev().map(unit)) {
            if self.rows.len() == n {
                break;
            }
            self.extend(row);
        }
    }

    /// Adds a basis vector if the rows stay part of a basis of ℤⁿ.
    fn extend(&mut self, row: Vec<i64>) -> Option<()> {
        let (k, n) = (self.rows.len(), self.len());
        let mut image = self.transform(&row)?;
        let g = image[k..].iter().fold(0i64, |g, x| g.gcd(x));
        if g != 1 {
            return None;
        }
        let mut columns = self.columns.clone();
        // Euclid on columns k…n−1 until the image is (…, 1, 0, …, 0).
        loop {
            let pivot = (k..n).filter(|&j| image[j] != 0).min_by_key(|&j| image[j].abs())?;
            image.swap(k, pivot);
            columns.iter_mut().for_each(|c| c.swap(k, pivot));
            if image[k + 1..].iter().all(|x| *x == 0) {
                break;
            }
            for j in k + 1..n {
                let q = image[j].div_euclid(image[k]);
                if q != 0 {
                    image[j] -= q * image[k];
                    for c in &mut columns {
                        c[j] = c[j].checked_sub(q.checked_mul(c[k])?)?;
                    }
                }
            }
        }
        if image[k] < 0 {
            image[k] = -image[k];
            columns.iter_mut().for_each(|c| c[k] = -c[k]);
        }
        self.columns = columns;
        self.rows.push(row);
        // Column operations beyond k leave the earlier rows as they are: they are zero there.
        self.lower.push(image);
        Some(())
    }

    fn transform(&self, row: &[i64]) -> Option<Vec<i64>> {
        (0..self.len())
            .map(|j| row.iter().zip(&self.columns).try_fold(0i64, |s, (x, c)| s.checked_add(x.checked_mul(c[j])?)))
            .collect()
    }

    /// Coordinates with respect to the directions, or `None` when the vector is not in their span.
    pub(super) fn by_direction(&self, v: &Vector) -> Option<Vec<i64>> {
        let mut out = vec![0i64; self.len()];
        let mut met = 0;
        for (d, c) in v {
            let g = *self.of_dimension.get(d)?;
            let unit = &self.directions[g].unit;
            let (_, u) = unit.iter().find(|x| x.0 == *d)?;
            let k = (c / u).to_i64()?;
            if out[g] == 0 {
                out[g] = k;
                met += unit.len();
            } else if out[g] != k {
                return None;
            }
        }
        // Every dimension of a direction that occurs must occur.
        (met == v.len()).then_some(out)
    }

    /// Non-zero coordinates with respect to the basis, or `None` when the vector is not in the lattice.
    pub(super) fn coordinates(&self, v: &Vector) -> Option<Vec<(usize, i64)>> {
        let mut y = self.transform(&self.by_direction(v)?)?;
        let mut out = Vec::new();
        for i in (0..self.len()).rev() {
            let x = y[i];
            if x != 0 {
                out.push((i, x));
                for (y, l) in y[..i].iter_mut().zip(&self.lower[i]) {
                    *y = y.checked_sub(x.checked_mul(*l)?)?;
                }
            }
        }
        out.reverse();
        Some(out)
    }

    /// A basis vector as a combination of dimensions.
    pub(super) fn basis_vector(&self, i: usize) -> Vector {
        let mut v: Vector = Vec::new();
        for (direction, &k) in self.directions.iter().zip(&self.rows[i]) {
            if k != 0 {
                v.extend(direction.unit.iter().map(|(d, u)| (*d, u * &Rational::integer(k))));
            }
        }
        v.sort_by_key(|x| x.0);
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(list: &[(u32, i64, i64)]) -> Vector {
        list.iter().map(|&(d, n, m)| (d, Rational::new(n, m).unwrap())).collect()
    }

    #[test]
    fn half_angles_become_the_unit_and_proportional_dimensions_one_direction() {
        let args = [v(&[(0, 1, 1)]), v(&[(0, 1, 2)]), v(&[(1, 2, 1), (2, 4, 1)]), v(&[(1, 3, 1), (2, 6, 1)])];
        let lattice = Lattice::new(&args, |_| false);
        assert_eq!(lattice.len(), 2);
        assert_eq!(lattice.coordinates(&args[0]), Some(vec![(0, 2)]));
        assert_eq!(lattice.coordinates(&args[2]), Some(vec![(1, 2)]));
        assert_eq!(lattice.basis_vector(1), v(&[(1, 1, 1), (2, 2, 1)]));
        assert_eq!(lattice.coordinates(&v(&[(1, 1, 1)])), None);
        assert_eq!(lattice.coordinates(&v(&[(0, 1, 3)])), None);
    }

    #[test]
    fn differences_can_be_chosen_as_a_basis() {
        let args = [v(&[(0, 1, 1)]), v(&[(1, 1, 1)]), v(&[(2, 1, 1)])];
        let mut lattice = Lattice::new(&args, |_| false);
        lattice.choose(&[vec![1, -1, 0], vec![2, 0, 0], vec![0, 1, -1]]);
        for (i, arg) in args.iter().enumerate() {
            let coordinates = lattice.coordinates(arg).unwrap();
            let mut sum = [Rational::ZERO, Rational::ZERO, Rational::ZERO];
            for (j, k) in coordinates {
                for (d, c) in lattice.basis_vector(j) {
                    sum[d as usize] = &sum[d as usize] + &(&c * &Rational::integer(k));
                }
            }
            let expected: Vec<i64> = (0..3).map(|j| i64::from(i == j)).collect();
            assert_eq!(sum.iter().map(|x| x.to_i64().unwrap()).collect::<Vec<_>>(), expected);
        }
        assert_eq!(lattice.basis_vector(0), v(&[(0, 1, 1), (1, -1, 1)]));
        assert_eq!(lattice.basis_vector(1), v(&[(1, 1, 1), (2, -1, 1)]));
        assert_eq!(lattice.basis_vector(2), v(&[(2, 1, 1)]));
    }
}
