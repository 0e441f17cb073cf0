//! Small symbolic matrices: determinants, inverses and solutions without expression swell.
//!
//! Minors are computed once per set of columns and shared through the DAG; rows and columns that a constant pivot
//! can clear are cleared first, and those with a single entry are split off, so that the dense core stays small: a wheel
//! whose angle occurs in one constraint only is solved for last, and makes nothing else longer.

use super::arena::{Arena, Expr, Node};
use super::number::Rational;
use rustc_hash::FxHashMap;

/// A dense matrix of expressions, by rows.
pub type Matrix = Vec<Vec<Expr>>;

impl Arena {
    /// The n×n identity.
    pub fn identity(&self, n: usize) -> Matrix {
        (0..n).map(|i| (0..n).map(|j| if i == j { Self::ONE } else { Self::ZERO }).collect()).collect()
    }

    /// The scalar product.
    pub fn dot_product(&mut self, a: &[Expr], b: &[Expr]) -> Expr {
        let terms: Vec<Expr> = a.iter().zip(b).map(|(&x, &y)| self.mul(x, y)).collect();
        self.sum(terms)
    }

    /// Matrix times column.
    pub fn matrix_vector(&mut self, a: &[Vec<Expr>], x: &[Expr]) -> Vec<Expr> {
        a.iter().map(|row| self.dot_product(row, x)).collect()
    }

    /// Matrix product.
    pub fn matrix_product(&mut self, a: &[Vec<Expr>], b: &[Vec<Expr>]) -> Matrix {
        let columns = transpose(b);
        a.iter().map(|row| columns.iter().map(|c| self.dot_product(row, c)).collect()).collect()
    }

    /// What the entries of a row, or the terms of their sums, are divided by, of those bases that are asked for; each as often as at most.
    pub fn denominator(&mut self, row: &[Expr], is_asked: impl Fn(&Arena, Expr) -> bool) -> Expr {
        let mut below: Vec<(Expr, Rational)> = Vec::new();
        let mut look = |e: Expr| {
            let Node::Product { factors, .. } = self.node(e) else { return };
            for (base, power) in factors.iter().filter(|(base, n)| n.is_negative() && is_asked(self, *base)) {
                match below.iter_mut().find(|(known, _)| known == base) {
                    Some((_, most)) if *most >= -power => {}
                    Some((_, most)) => *most = -power,
                    None => below.push((*base, -power)),
                }
            }
        };
        for &e in row {
            look(e);
            if let Node::Sum { terms, .. } = self.node(e) {
                terms.iter().for_each(|(term, _)| look(*term));
            }
        }
        self.powers(Rational::ONE, below)
    }

    /// The product, by terms where the factor is a sum.
    pub fn distributed(&mut self, e: Expr, by: Expr) -> Expr {
        let Node::Sum { constant, terms } = self.node(e).clone() else { return self.mul(e, by) };
        let constant = self.number(constant);
        let mut products = vec![self.mul(constant, by)];
        for (term, c) in terms {
            let product = self.mul(term, by);
            products.push(self.scale(product, &c));
        }
        self.sum(products)
    }

    /// The determinant, by minors of leading rows shared between column sets.
    pub fn determinant(&mut self, a: &[Vec<Expr>]) -> Expr {
        let rows: Vec<usize> = (0..a.len()).collect();
        let columns = (0..a.len()).fold(0u64, |set, j| set | 1 << j);
        self.minor(a, &rows, columns, &mut FxHashMap::default())
    }

    /// Factors whose product is the determinant up to its sign: entries that stand alone in their row or column, and the
    /// determinant of what is left.
    pub fn determinant_factors(&mut self, a: &[Vec<Expr>]) -> Vec<Expr> {
        let mut rows: Vec<usize> = (0..a.len()).collect();
        let mut columns = rows.clone();
        let mut factors = Vec::new();
        while let Some(single) = self.single_entry(a, &rows, &columns) {
            let (r, c) = single.cell();
            factors.push(a[r][c]);
            rows.retain(|&x| x != r);
            columns.retain(|&x| x != c);
        }
        let core: Matrix = rows.iter().map(|&i| columns.iter().map(|&j| a[i][j]).collect()).collect();
        if !core.is_empty() {
            factors.push(self.determinant(&core));
        }
        factors
    }

    /// An entry alone in its row, or else in its column, of the part that is left.
    fn single_entry(&self, a: &[Vec<Expr>], rows: &[usize], columns: &[usize]) -> Option<Single> {
        let filled = |&(i, j): &(usize, usize)| !self.is_zero(a[i][j]);
        let alone = |cells: Vec<(usize, usize)>| if let [cell] = cells[..] { Some(cell) } else { None };
        let by_row = rows.iter().find_map(|&i| alone(columns.iter().map(|&j| (i, j)).filter(filled).collect()));
        if let Some(cell) = by_row {
            return Some(Single::InRow(cell.0, cell.1));
        }
        let by_column = columns.iter().find_map(|&j| alone(rows.iter().map(|&i| (i, j)).filter(filled).collect()));
        by_column.map(|(i, j)| Single::InColumn(i, j))
    }

    /// The minor of the given rows (in this order) and columns. `memo` is keyed by what is left of both.
    fn minor(
        &mut self,
        a: &[Vec<Expr>],
        rows: &[usize],
        columns: u64,
        memo: &mut FxHashMap<(usize, u64), Expr>,
    ) -> Expr {
        let Some((&row, rest)) = rows.split_first() else { return Self::ONE };
        if let Some(&known) = memo.get(&(rows.len(), columns)) {
            return known;
        }
        let mut terms = Vec::new();
        let mut sign = Rational::ONE;
        let mut left = columns;
        while left != 0 {
            let j = left.trailing_zeros() as usize;
            left &= left - 1;
            if !self.is_zero(a[row][j]) {
                let sub = self.minor(a, rest, columns & !(1 << j), memo);
                terms.push((self.mul(a[row][j], sub), sign.clone()));
            }
            sign = -sign;
        }
        let value = self.linear(Rational::ZERO, terms);
        memo.insert((rows.len(), columns), value);
        value
    }

    /// The inverse, or `None` when a determinant is structurally zero, or when all work is over. Entries are not simplified.
    ///
    /// `simplify` is applied to the determinant of every core: a determinant such as sin²+cos² should be seen to be 1.
    pub fn inverse(&mut self, a: &[Vec<Expr>], simplify: &mut dyn FnMut(&mut Arena, Expr) -> Expr) -> Option<Matrix> {
        let n = a.len();
        let right = self.identity(n);
        self.solve_matrix(a, &right, simplify)
    }

    /// X with A·X = B; `None` as for [`Arena::inverse`].
    pub fn solve_matrix(
        &mut self,
        a: &[Vec<Expr>],
        b: &[Vec<Expr>],
        simplify: &mut dyn FnMut(&mut Arena, Expr) -> Expr,
    ) -> Option<Matrix> {
        let n = a.len();
        let mut a: Matrix = a.to_vec();
        let mut b: Matrix = b.to_vec();
        self.turn_pairs(&mut a, &mut b, simplify);
        let mut rows: Vec<usize> = (0..n).collect();
        let mut columns: Vec<usize> = (0..n).collect();
        // (row, column) pairs cleared in order; back-substitution runs through them in reverse.
        let mut cleared: Vec<(usize, usize)> = Vec::new();
        // Numbers as pivots cost nothing and never vanish. Prefer those that make least fill.
        while let Some((r, c)) = self.numeric_pivot(&a, &rows, &columns) {
            let inverse = self.powi(a[r][c], -1);
            rows.retain(|&x| x != r);
            columns.retain(|&x| x != c);
            for &i in &rows {
                if self.is_zero(a[i][c]) {
                    continue;
                }
                let factor = self.mul(a[i][c], inverse);
                for &j in &columns {
                    let p = self.mul(factor, a[r][j]);
                    let entry = self.sub(a[i][j], p);
                    a[i][j] = if self.is_zero(p) { entry } else { simplify(self, entry) };
                }
                for j in 0..b[i].len() {
                    let p = self.mul(factor, b[r][j]);
                    b[i][j] = self.sub(b[i][j], p);
                }
                a[i][c] = Self::ZERO;
            }
            cleared.push((r, c));
        }
        let mut x: Matrix = vec![vec![Self::ZERO; b.first().map_or(0, Vec::len)]; n];
        // A triangular part needs no determinant of the whole: its unknowns come one after the other.
        while let Some(single) = self.single_entry(&a, &rows, &columns) {
            let (r, c) = single.cell();
            a[r][c] = simplify(self, a[r][c]);
            if self.is_zero(a[r][c]) {
                continue;
            }
            rows.retain(|&i| i != r);
            columns.retain(|&j| j != c);
            if let Single::InColumn(..) = single {
                cleared.push((r, c));
                continue;
            }
            let inverse = self.powi(a[r][c], -1);
            x[c] = b[r].iter().map(|&e| self.mul(e, inverse)).collect();
            for &i in &rows {
                for k in 0..b[i].len() {
                    let p = self.mul(a[i][c], x[c][k]);
                    if !self.is_zero(p) {
                        let entry = self.sub(b[i][k], p);
                        b[i][k] = simplify(self, entry);
                    }
                }
                a[i][c] = Self::ZERO;
            }
        }
        if !rows.is_empty() {
            let core: Matrix = rows.iter().map(|&i| columns.iter().map(|&j| a[i][j]).collect()).collect();
            let right: Matrix = rows.iter().map(|&i| b[i].clone()).collect();
            let solution = if rows.len() <= DENSE_CORE {
                self.solve_by_minors(&core, &right, simplify)?
            } else {
                self.solve_by_elimination(core, right, simplify)?
            };
            for (&j, row) in columns.iter().zip(solution) {
                x[j] = row;
            }
        }
        for &(r, c) in cleared.iter().rev() {
            let inverse = self.powi(a[r][c], -1);
            for k in 0..b[r].len() {
                let mut terms = vec![(b[r][k], Rational::ONE)];
                for j in (0..n).filter(|&j| j != c) {
                    let p = self.mul(a[r][j], x[j][k]);
                    terms.push((p, Rational::MINUS_ONE));
                }
                let total = self.linear(Rational::ZERO, terms);
                x[c][k] = self.mul(total, inverse);
            }
        }
        Some(x)
    }

    /// Two rows with the same two entries, whose determinant is a number, become unit rows: the velocity of a point along and
    /// across a body gives its components without a division by a sine.
    fn turn_pairs(&mut self, a: &mut Matrix, b: &mut Matrix, simplify: &mut dyn FnMut(&mut Arena, Expr) -> Expr) {
        let cells =
            |g: &Arena, row: &[Expr]| -> Vec<usize> { (0..row.len()).filter(|&j| !g.is_zero(row[j])).collect() };
        for second in 1..a.len() {
            let columns = cells(self, &a[second]);
            let [c, d] = columns[..] else { continue };
            let Some(first) = (0..second).find(|&i| cells(self, &a[i]) == [c, d]) else { continue };
            let determinant = self.determinant(&[vec![a[first][c], a[first][d]], vec![a[second][c], a[second][d]]]);
            let determinant = simplify(self, determinant);
            let Some(reciprocal) = self.as_number(determinant).and_then(Rational::recip) else { continue };
            let entries = [a[second][d], a[first][d], a[second][c], a[first][c]];
            let [dd, bd, cc, aa] = entries.map(|e| self.scale(e, &reciprocal));
            for k in 0..b[first].len() {
                let (u, v) = (b[first][k], b[second][k]);
                let (du, bv, cu, av) = (self.mul(dd, u), self.mul(bd, v), self.mul(cc, u), self.mul(aa, v));
                (b[first][k], b[second][k]) = (self.sub(du, bv), self.sub(av, cu));
            }
            a[first] = (0..a.len()).map(|j| if j == c { Self::ONE } else { Self::ZERO }).collect();
            a[second] = (0..a.len()).map(|j| if j == d { Self::ONE } else { Self::ZERO }).collect();
        }
    }

    /// A non-zero number in the remaining part, with the fewest other entries in its row and column.
    fn numeric_pivot(&self, a: &[Vec<Expr>], rows: &[usize], columns: &[usize]) -> Option<(usize, usize)> {
        let count = |cells: &mut dyn Iterator<Item = Expr>| cells.filter(|&e| !self.is_zero(e)).count();
        let mut best: Option<(usize, usize, usize)> = None;
        for &i in rows {
            for &j in columns {
                if self.as_number(a[i][j]).is_none_or(Rational::is_zero) {
                    continue;
                }
                let in_row = count(&mut columns.iter().map(|&c| a[i][c]));
                let in_column = count(&mut rows.iter().map(|&r| a[r][j]));
                let fill = (in_row - 1) * (in_column - 1);
                if best.is_none_or(|(f, _, _)| fill < f) {
                    best = Some((fill, i, j));
                }
            }
        }
        best.map(|(_, i, j)| (i, j))
    }

    /// Cramer's rule with shared minors: no division but the one by the determinant, hence no spurious singularity.
    fn solve_by_minors(
        &mut self,
        a: &[Vec<Expr>],
        b: &[Vec<Expr>],
        simplify: &mut dyn FnMut(&mut Arena, Expr) -> Expr,
    ) -> Option<Matrix> {
        let n = a.len();
        let determinant = self.determinant(a);
        let determinant = simplify(self, determinant);
        if self.is_zero(determinant) || self.is_undefined(determinant) {
            return None;
        }
        let reciprocal = self.powi(determinant, -1);
        let all = (0..n).fold(0u64, |set, j| set | 1 << j);
        let mut x = vec![Vec::new(); n];
        // adj[j][i] = (−1)^(i+j) · minor without row i and column j
        let mut adjugate: Matrix = vec![vec![Self::ZERO; n]; n];
        for i in 0..n {
            let rows: Vec<usize> = (0..n).filter(|&r| r != i).collect();
            let mut memo = FxHashMap::default();
            for (j, row) in adjugate.iter_mut().enumerate() {
                let minor = self.minor(a, &rows, all & !(1 << j), &mut memo);
                row[i] = if (i + j) % 2 == 0 { minor } else { self.neg(minor) };
            }
        }
        for (j, row) in adjugate.iter().enumerate() {
            for k in 0..b[0].len() {
                let column: Vec<Expr> = b.iter().map(|r| r[k]).collect();
                let top = self.dot_product(row, &column);
                let top = simplify(self, top);
                x[j].push(self.mul(top, reciprocal));
            }
        }
        Some(x)
    }

    /// Elimination on the DAG for what is too large for minors: linear growth, but pivots divide.
    fn solve_by_elimination(
        &mut self,
        mut a: Matrix,
        mut b: Matrix,
        simplify: &mut dyn FnMut(&mut Arena, Expr) -> Expr,
    ) -> Option<Matrix> {
        let n = a.len();
        let mut columns = Vec::new();
        // Nodes of entries, counted once.
        let mut lengths: FxHashMap<Expr, usize> = FxHashMap::default();
        for step in 0..n {
            if self.work.is_spent() {
                return None;
            }
            // The sparsest row with a usable pivot.
            let usable = |i: usize| (0..n).filter(|j| !columns.contains(j) && !self.is_zero(a[i][*j])).collect();
            let usable: Vec<Vec<usize>> = (step..n).map(usable).collect();
            let filled = |i: usize| a[i].iter().filter(|&&e| !self.is_zero(e)).count();
            let rows: Vec<usize> = (step..n).filter(|&i| !usable[i - step].is_empty()).collect();
            let least = rows.iter().map(|&i| filled(i)).min()?;
            let sparsest: Vec<usize> = rows.into_iter().filter(|&i| filled(i) == least).collect();
            let mut best: Option<(usize, usize, usize)> = None;
            let spent = self.work.is_over();
            for (i, &j) in sparsest.iter().flat_map(|&i| usable[i - step].iter().map(move |j| (i, j))) {
                // Children are made before their parents: no more nodes than its place in the arena. Where no work is left nothing is
                // simplified any more, entries have all there is below them, and to count it each time takes longer than the rest.
                let length = match spent {
                    true => a[i][j].0 as usize,
                    false => *lengths.entry(a[i][j]).or_insert_with_key(|e| self.reachable(&[*e]).len()),
                };
                best = Some(best.map_or((length, i, j), |b| b.min((length, i, j))));
            }
            let (length, row, column) = best?;
            if !spent {
                self.work.charge(length as u64 / 4 * sparsest.len() as u64);
            }
            a.swap(step, row);
            b.swap(step, row);
            let inverse = self.powi(a[step][column], -1);
            for i in step + 1..n {
                if self.is_zero(a[i][column]) {
                    continue;
                }
                let factor = self.mul(a[i][column], inverse);
                for j in (0..n).filter(|j| !columns.contains(j)) {
                    let p = self.mul(factor, a[step][j]);
                    let entry = self.sub(a[i][j], p);
                    a[i][j] = if j == column { Self::ZERO } else { simplify(self, entry) };
                }
                for k in 0..b[i].len() {
                    let p = self.mul(factor, b[step][k]);
                    let entry = self.sub(b[i][k], p);
                    b[i][k] = if self.is_zero(p) { entry } else { simplify(self, entry) };
                }
            }
            columns.push(column);
        }
        let width = b[0].len();
        let mut x = vec![vec![Self::ZERO; width]; n];
        for step in (0..n).rev() {
            let inverse = self.powi(a[step][columns[step]], -1);
            for k in 0..width {
                let mut terms = vec![(b[step][k], Rational::ONE)];
                for later in step + 1..n {
                    let p = self.mul(a[step][columns[later]], x[columns[later]][k]);
                    terms.push((p, Rational::MINUS_ONE));
                }
                let total = self.linear(Rational::ZERO, terms);
                x[columns[step]][k] = self.mul(total, inverse);
            }
        }
        Some(x)
    }
}

/// An entry that is alone in its row or column, by row and column.
enum Single {
    InRow(usize, usize),
    InColumn(usize, usize),
}

impl Single {
    fn cell(&self) -> (usize, usize) {
        match *self {
            Single::InRow(r, c) | Single::InColumn(r, c) => (r, c),
        }
    }
}

/// Largest dense core solved by minors: 2ⁿ of them.
const DENSE_CORE: usize = 7;

/// Rows become columns.
pub fn transpose(a: &[Vec<Expr>]) -> Matrix {
    let width = a.first().map_or(0, Vec::len);
    (0..width).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Role;

    #[test]
    fn inverse_times_matrix_is_the_identity_for_numbers() {
        let mut g = Arena::new();
        let rows = [[2, 1, 0, 3], [1, 0, 4, 1], [0, 5, 1, 1], [7, 1, 1, 2]];
        let a: Matrix = rows.iter().map(|r| r.iter().map(|&n| g.integer(n)).collect()).collect();
        let inverse = g.inverse(&a, &mut |_, e| e).unwrap();
        assert_eq!(g.matrix_product(&inverse, &a), g.identity(4));
    }

    #[test]
    fn a_rotation_is_inverted_by_minors_and_by_elimination_alike() {
        let mut g = Arena::new();
        let s = g.declare("phi", Role::Coordinate);
        let phi = g.symbol(s);
        let (sin, cos) = (g.sin(phi), g.cos(phi));
        let minus = g.neg(sin);
        let a = vec![vec![cos, minus], vec![sin, cos]];
        let b = g.identity(2);
        let x = g.solve_by_minors(&a, &b, &mut |_, e| e).unwrap();
        let y = g.solve_by_elimination(a, b, &mut |_, e| e).unwrap();
        let at = [(s, g.fraction(1, 3))].into_iter().collect();
        for (p, q) in x.iter().flatten().zip(y.iter().flatten()) {
            let p = g.substitute(*p, &at);
            let q = g.substitute(*q, &at);
            // Same rational function of sin(1/3) and cos(1/3): compare at the point sin = 3/5, cos = 4/5.
            let third = g.fraction(1, 3);
            let (sin, cos) = (g.sin(third), g.cos(third));
            let value = |g: &mut Arena, e: Expr| {
                let mut e = e;
                for (f, v) in [(sin, (3, 5)), (cos, (4, 5))] {
                    let v = g.fraction(v.0, v.1);
                    e = replace(g, e, f, v);
                }
                e
            };
            assert_eq!(value(&mut g, p), value(&mut g, q));
        }
    }

    fn replace(g: &mut Arena, e: Expr, from: Expr, to: Expr) -> Expr {
        let mut memo = FxHashMap::default();
        for c in g.reachable(&[e]) {
            let r = if c == from { to } else { g.rebuild(c, |x| memo.get(&x).copied().unwrap_or(x)) };
            memo.insert(c, r);
        }
        memo[&e]
    }

    #[test]
    fn a_triangular_matrix_is_solved_entry_by_entry_in_any_order_of_its_rows() {
        let mut g = Arena::new();
        let names = ["a", "b", "c", "d", "e", "f"];
        let [a, b, c, d, e, f] = names.map(|n| {
            let s = g.declare(n, Role::Parameter);
            g.symbol(s)
        });
        let o = g.zero();
        let matrix = vec![vec![b, c, o], vec![d, e, f], vec![a, o, o]];
        let inverse = g.inverse(&matrix, &mut |_, e| e).unwrap();
        // The first unknown is b₃/a, the second (b₁ − b·b₃/a)/c: no product of three letters below a fraction.
        let expected = g.powi(a, -1);
        assert_eq!(inverse[0], [o, o, expected]);
        let expected = g.powi(c, -1);
        assert_eq!(inverse[1][0], expected);
        let factors = g.determinant_factors(&matrix);
        assert_eq!(factors, [a, c, f]);
        let numbers: FxHashMap<_, _> =
            names.iter().zip([2, 3, 5, 7, 11, 13]).map(|(n, v)| (g.lookup(n).unwrap(), g.integer(v))).collect();
        let product = g.matrix_product(&inverse, &matrix);
        let product: Matrix = product.iter().map(|row| g.substitute_all(row, &numbers)).collect();
        assert_eq!(product, g.identity(3));
    }

    #[test]
    fn a_singular_matrix_has_no_inverse() {
        let mut g = Arena::new();
        let x = g.declare("x", Role::Coordinate);
        let x = g.symbol(x);
        let xx = g.square(x);
        let one = g.one();
        let a = vec![vec![one, x], vec![x, xx]];
        assert!(g.inverse(&a, &mut |_, e| e).is_none());
    }

    /// A matrix of letters, numbers and zeros, and values of the letters.
    fn thrown(g: &mut Arena, n: usize, seed: u64) -> (Matrix, FxHashMap<crate::expr::Symbol, Expr>) {
        let mut dice = crate::expr::field::SplitMix::new(seed);
        let mut values = FxHashMap::default();
        let mut entry = |i: usize, j: usize| match dice.below(6) {
            // The diagonal keeps it regular.
            0 | 1 if i != j => Arena::ZERO,
            2 => g.integer(1 + dice.below(9) as i64),
            _ => {
                let s = g.declare(&format!("s{seed}_{i}_{j}"), Role::Parameter);
                let value = g.integer(1 + dice.below(1000) as i64 + if i == j { 10_000 } else { 0 });
                values.insert(s, value);
                g.symbol(s)
            }
        };
        ((0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect(), values)
    }

    #[test]
    fn every_way_to_solve_gives_the_inverse_whatever_is_letter_number_or_zero() {
        let mut g = Arena::new();
        for n in 1..=8 {
            for seed in 0..4 {
                let (a, values) = thrown(&mut g, n, 100 * n as u64 + seed);
                let one = g.identity(n);
                let numbers: Matrix = a.iter().map(|row| g.substitute_all(row, &values)).collect();
                let mut ways = vec![g.inverse(&a, &mut |_, e| e).expect("regular")];
                ways.push(g.solve_by_elimination(a.clone(), one.clone(), &mut |_, e| e).expect("regular"));
                if n <= 5 {
                    ways.push(g.solve_by_minors(&a, &one, &mut |_, e| e).expect("regular"));
                }
                for x in ways {
                    let x: Matrix = x.iter().map(|row| g.substitute_all(row, &values)).collect();
                    assert_eq!(g.matrix_product(&numbers, &x), one, "{n}, {seed}");
                }
                if n <= 5 {
                    let (whole, factors) = (g.determinant(&numbers), g.determinant_factors(&numbers));
                    let product = g.product(factors);
                    let opposite = g.neg(product);
                    assert!(whole == product || whole == opposite, "{n}, {seed}");
                }
            }
        }
    }

    #[test]
    fn a_number_with_the_fewest_neighbours_is_the_first_pivot() {
        let mut g = Arena::new();
        let x = {
            let s = g.declare("x", Role::Parameter);
            g.symbol(s)
        };
        let (o, one) = (g.zero(), g.one());
        let all = [0, 1, 2];
        // Two ones: the second has its row to itself.
        assert_eq!(g.numeric_pivot(&[vec![one, x, x], vec![x, x, x], vec![o, o, one]], &all, &all), Some((2, 2)));
        assert_eq!(g.numeric_pivot(&[vec![x, x, x], vec![x, one, x], vec![x, x, x]], &all, &all), Some((1, 1)));
        assert_eq!(g.numeric_pivot(&[vec![x, x], vec![o, x]], &[0, 1], &[0, 1]), None);
        // Only what is left counts.
        assert_eq!(g.numeric_pivot(&[vec![one, x], vec![x, one]], &[1], &[0, 1]), Some((1, 1)));
    }

    #[test]
    fn a_large_inverse_ends_where_all_work_is_over() {
        let mut g = Arena::new();
        let n = DENSE_CORE + 2;
        let mut dense: Matrix = Vec::new();
        for i in 0..n {
            let row = (0..n).map(|j| g.declare(&format!("a{}_{}", i.min(j), i.max(j)), Role::Parameter));
            let row: Vec<_> = row.collect();
            dense.push(row.into_iter().map(|s| g.symbol(s)).collect());
        }
        g.work.limit(u64::MAX);
        // An allowance that is used up does not hinder what was begun.
        let allowance = g.work.open(0);
        assert!(g.inverse(&dense, &mut |_, e| e).is_some());
        assert!(g.work.close(allowance));
        g.work.limit(0);
        assert!(g.inverse(&dense, &mut |_, e| e).is_none());
    }
}
