//! The distribution of admissible directions, its growth under Lie brackets and its closure.
//!
//! ```text
//! D⁰ = { X : ω_j(X) = 0 },   D^{i+1} = D^i + [D⁰, D^i]
//! ```
//! The ranks of D⁰ ⊂ D¹ ⊂ … at a generic point are the growth vector. Where it ends below the dimension of the space,
//! the difference counts the holonomic relations hidden in the constraints; where it reaches it, any two positions can be
//! joined (Chow, Rashevskii).
//!
//! Each D^i is kept in reduced echelon form, X_a = ∂_a + Σ_ν c_aν ∂_ν with the ∂_a not among the ∂_ν. A bracket of two such
//! fields has no ∂_a part: it is its own remainder modulo D^i. And modulo D^i the bracket is bilinear over functions, so any basis
//! serves. For a chain of trailers the echelon form of D^i is a set of coordinate fields and one shorter chain, where nested
//! brackets of the original fields would grow beyond bounds.

use crate::arrange::Arrange;
use crate::expr::Known;
use crate::expr::field::{Fp, rank, row_reduce};
use crate::expr::{Expr, Formula, Symbol};
use crate::mechanics::Pfaff;
use crate::mechanics::{Generic, evaluator};
use crate::mechanics::{Workbench, matrix_rank};

/// A distribution in reduced echelon form.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// Variables of the space.
    pub variables: Vec<Symbol>,
    /// Indices a of the leading ∂_a, one per field.
    pub leading: Vec<usize>,
    /// Indices ν of the other variables.
    pub others: Vec<usize>,
    /// c_aν, a row per field.
    pub coefficients: Vec<Vec<Expr>>,
}

/// How the distribution grows.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Is the space that of coordinates and time?
    pub extended_by_time: bool,
    /// Dimension of the space.
    pub dimension: usize,
    /// Ranks of D⁰, D¹, … until they grow no more.
    pub vector: Vec<usize>,
    /// Did the computation end because nothing more is added (and not by a limit)?
    pub complete: bool,
    /// A nonzero minor proves each rank from below; whether the last one is also proved from above.
    pub certainty: Known,
}

impl Growth {
    /// Holonomic relations hidden in the constraints; none are known of when the computation stopped at a limit.
    pub fn holonomic_part(&self) -> usize {
        if self.complete { self.dimension - self.vector.last().copied().unwrap_or(self.dimension) } else { 0 }
    }

    /// Number of brackets after which nothing is added: the degree of nonholonomy is one more.
    pub fn degree_of_nonholonomy(&self) -> usize {
        self.vector.len()
    }

    /// Can any two positions be joined?
    pub fn completely_nonholonomic(&self) -> bool {
        self.complete && self.holonomic_part() == 0
    }

    /// Are the constraints integrable together?
    pub fn integrable(&self) -> bool {
        self.complete && self.vector.len() <= 1
    }
}

impl Distribution {
    /// The vectors annihilated by the forms, in q or in q and t. `None` when the forms cannot be solved.
    pub fn annihilated_by(
        w: &mut Workbench,
        pfaff: &Pfaff,
        extended: bool,
        generic: &mut Generic,
    ) -> Option<Distribution> {
        let n = w.system.n();
        let m = if extended { n + 1 } else { n };
        let roots: Vec<Expr> = pfaff.forms.iter().flatten().copied().collect();
        let evaluator = evaluator(&mut w.g, &roots);
        let values = generic.values(&w.g, &evaluator)?;
        let rows: Vec<Vec<Fp>> = values.chunks(n + 1).map(|r| r[..n].to_vec()).collect();
        // Independent forms: pivots of the transposed matrix.
        let mut transposed: Vec<Vec<Fp>> = (0..n).map(|i| rows.iter().map(|r| r[i]).collect()).collect();
        let independent = row_reduce(&mut transposed);
        let dependent = dependent_columns(w, pfaff, &independent, &rows);
        let leading: Vec<usize> = (0..m).filter(|i| !dependent.contains(i)).collect();
        let block: Vec<Vec<Expr>> =
            independent.iter().map(|&j| dependent.iter().map(|&i| pfaff.forms[j][i]).collect()).collect();
        let inverse = if block.is_empty() { Vec::new() } else { w.inverse(&block)? };
        let mut coefficients = vec![vec![w.g.zero(); dependent.len()]; leading.len()];
        for (row, &a) in leading.iter().enumerate() {
            let column: Vec<Expr> = independent.iter().map(|&j| pfaff.forms[j][a]).collect();
            for nu in 0..dependent.len() {
                let e = w.g.dot_product(&inverse[nu], &column);
                coefficients[row][nu] = w.simplify(-e);
            }
        }
        Some(Distribution { variables: pfaff.variables[..m].to_vec(), leading, others: dependent, coefficients })
    }

    /// X_row(f).
    pub fn apply(&self, w: &mut Workbench, row: usize, f: Expr) -> Expr {
        let mut terms = Formula::from(w.g.diff(f, self.variables[self.leading[row]]));
        for (nu, &i) in self.others.iter().enumerate() {
            if w.g.is_zero(self.coefficients[row][nu]) {
                continue;
            }
            let d = w.g.diff(f, self.variables[i]);
            terms += self.coefficients[row][nu] * d;
        }
        w.g.of(terms)
    }

    /// [X_a, X_b], which has components along the other variables only.
    pub fn bracket(&self, w: &mut Workbench, a: usize, b: usize) -> Vec<Expr> {
        let mut components = Vec::new();
        for nu in 0..self.others.len() {
            let x = self.apply(w, a, self.coefficients[b][nu]);
            let y = self.apply(w, b, self.coefficients[a][nu]);
            components.push(w.simplify(x - y));
        }
        components
    }

    /// A field with all its components.
    pub fn field(&self, w: &Workbench, row: usize) -> Vec<Expr> {
        let mut field = vec![w.g.zero(); self.variables.len()];
        field[self.leading[row]] = w.g.one();
        for (nu, &i) in self.others.iter().enumerate() {
            field[i] = self.coefficients[row][nu];
        }
        field
    }

    /// The distribution with more fields, given by their components along `others`; `columns` picks independent ones.
    fn enlarge(&self, w: &mut Workbench, fields: &[Vec<Expr>], columns: &[usize]) -> Option<Distribution> {
        let block: Vec<Vec<Expr>> = fields.iter().map(|f| columns.iter().map(|&c| f[c]).collect()).collect();
        let inverse = w.inverse(&block)?;
        let kept: Vec<usize> = (0..self.others.len()).filter(|c| !columns.contains(c)).collect();
        // New fields: ∂_ν + Σ_μ d_νμ ∂_μ with ν in `columns`, μ in `kept`.
        let mut added = Vec::new();
        for row in &inverse {
            let mut out = Vec::new();
            for &mu in &kept {
                let column: Vec<Expr> = fields.iter().map(|f| f[mu]).collect();
                let e = w.g.dot_product(row, &column);
                out.push(w.simplify(e));
            }
            added.push(out);
        }
        let mut coefficients = Vec::new();
        for row in &self.coefficients {
            let mut out = Vec::new();
            for (index, &mu) in kept.iter().enumerate() {
                let mut terms = Formula::from(row[mu]);
                for (r, &nu) in columns.iter().enumerate() {
                    terms -= row[nu] * added[r][index];
                }
                out.push(w.simplify(terms));
            }
            coefficients.push(out);
        }
        coefficients.extend(added);
        let mut leading = self.leading.clone();
        leading.extend(columns.iter().map(|&c| self.others[c]));
        let others = kept.iter().map(|&c| self.others[c]).collect();
        Some(Distribution { variables: self.variables.clone(), leading, others, coefficients })
    }
}

impl Distribution {
    /// Is a field, given by its components along the other variables of `smaller`, shown to lie in this distribution?
    fn absorbs(&self, w: &mut Workbench, smaller: &Distribution, field: &[Expr]) -> bool {
        let at = |i: usize| smaller.others.iter().position(|&x| x == i);
        for (mu, &i) in self.others.iter().enumerate() {
            let mut terms = Formula::from(at(i).map_or(w.g.zero(), |c| field[c]));
            for (row, &a) in self.leading.iter().enumerate() {
                if let Some(c) = at(a) {
                    terms -= field[c] * self.coefficients[row][mu];
                }
            }
            let e = w.simplify(terms);
            if !w.g.is_zero(e) {
                return false;
            }
        }
        true
    }
}

/// Which variables to solve the forms for: simple entries first, the last coordinates where all else is equal.
fn dependent_columns(w: &mut Workbench, pfaff: &Pfaff, independent: &[usize], rows: &[Vec<Fp>]) -> Vec<usize> {
    if pfaff.forms.len() == w.system.k() && independent.len() == w.system.k() {
        // The forms of the equations use this split: the fields then carry the same names.
        if let Ok(split) = w.split() {
            let block: Vec<Vec<Fp>> = rows.iter().map(|r| split.dependent.iter().map(|&i| r[i]).collect()).collect();
            if rank(&block) == split.dependent.len() {
                return split.dependent.clone();
            }
        }
    }
    let n = w.system.n();
    let mut order: Vec<usize> = (0..n).rev().collect();
    order.arrange_by_key(|&i| {
        let column: Vec<Expr> = independent.iter().map(|&j| pfaff.forms[j][i]).collect();
        w.g.reachable(&column).len()
    });
    let mut chosen: Vec<usize> = Vec::new();
    for i in order {
        chosen.push(i);
        let block: Vec<Vec<Fp>> = independent.iter().map(|&j| chosen.iter().map(|&i| rows[j][i]).collect()).collect();
        if rank(&block) < chosen.len() {
            chosen.pop();
        }
    }
    chosen.arrange();
    chosen
}

/// Computes the growth vector.
pub fn growth(w: &mut Workbench, first: &Distribution, extended: bool, generic: &mut Generic) -> Growth {
    let dimension = first.variables.len();
    let mut growth = Growth {
        extended_by_time: extended,
        dimension,
        vector: vec![first.leading.len()],
        complete: true,
        certainty: Known::Proved,
    };
    let mut current = first.clone();
    let start = w.g.len();
    while !current.others.is_empty() {
        if w.g.work.is_over() || w.g.len() - start > w.limits.bracket_nodes {
            growth.complete = false;
            growth.certainty = Known::TESTED;
            break;
        }
        let candidates = step(w, first, &current);
        if w.g.work.is_over() {
            continue;
        }
        let roots: Vec<Expr> = candidates.iter().flatten().copied().collect();
        if roots.iter().all(|&e| w.g.is_zero(e)) {
            break;
        }
        let evaluator = evaluator(&mut w.g, &roots);
        if !evaluator.is_faithful() {
            growth.certainty = Known::TESTED;
        }
        let mut best: Option<(Vec<usize>, Vec<Vec<Fp>>)> = None;
        for _ in 0..2 {
            let Some(values) = generic.values(&w.g, &evaluator) else { continue };
            let rows: Vec<Vec<Fp>> = values.chunks(current.others.len()).map(<[Fp]>::to_vec).collect();
            let chosen = independent_rows(&rows);
            if best.as_ref().is_none_or(|(b, _)| chosen.len() > b.len()) {
                best = Some((chosen, rows));
            }
        }
        let Some((chosen, rows)) = best else {
            growth.complete = false;
            growth.certainty = Known::TESTED;
            break;
        };
        if chosen.is_empty() {
            // Zero at every point, but not by the normal form.
            growth.certainty = Known::TESTED;
            break;
        }
        growth.vector.push(current.leading.len() + chosen.len());
        if chosen.len() == current.others.len() {
            break;
        }
        let fields: Vec<Vec<Expr>> = chosen.iter().map(|&r| candidates[r].clone()).collect();
        let numbers: Vec<Vec<Fp>> = chosen.iter().map(|&r| rows[r].clone()).collect();
        let columns = simplest_columns(w, &fields, &numbers);
        match current.enlarge(w, &fields, &columns) {
            Some(next) => {
                // That the other candidates add nothing is proved when their remainders vanish by the normal form.
                let others = (0..candidates.len()).filter(|r| !chosen.contains(r));
                if others.into_iter().any(|r| !next.absorbs(w, &current, &candidates[r])) {
                    growth.certainty = Known::TESTED;
                }
                current = next;
            }
            None => {
                growth.complete = false;
                growth.certainty = Known::TESTED;
                break;
            }
        }
    }
    growth
}

/// All [X⁰_a, X_b] modulo the current distribution, simplest first.
fn step(w: &mut Workbench, first: &Distribution, current: &Distribution) -> Vec<Vec<Expr>> {
    let (l, r, m) = (first.leading.len(), current.leading.len(), current.others.len());
    let zero = w.g.zero();
    // O_ab = [X_a, X_b] in the current basis, antisymmetric.
    let mut table = vec![vec![vec![zero; m]; r]; r];
    for (a, b) in (0..r).flat_map(|a| (a + 1..r).map(move |b| (a, b))) {
        if w.g.work.is_over() {
            return Vec::new();
        }
        let o = current.bracket(w, a, b);
        table[b][a] = o.iter().map(|&e| w.g.neg(e)).collect();
        table[a][b] = o;
    }
    let mut candidates = Vec::new();
    for a in 0..l {
        // X⁰_a = X_a + Σ_ν c⁰_aν X_ν over the ν that have become leading.
        for (b, with_a) in table[a].iter().enumerate() {
            if b < l && b <= a {
                continue;
            }
            let mut field = with_a.clone();
            for (nu, &i) in first.others.iter().enumerate() {
                let Some(row) = current.leading.iter().position(|&x| x == i) else { continue };
                let c = first.coefficients[a][nu];
                if w.g.is_zero(c) {
                    continue;
                }
                for (index, entry) in field.iter_mut().enumerate() {
                    let p = w.g.mul(c, table[row][b][index]);
                    *entry = w.g.add(*entry, p);
                }
            }
            if field.iter().any(|&e| !w.g.is_zero(e)) {
                candidates.push(field);
            }
        }
    }
    candidates.arrange_by_key(|f| w.g.reachable(f).len());
    candidates
}

/// Indices of the first rows that are independent.
fn independent_rows(rows: &[Vec<Fp>]) -> Vec<usize> {
    let columns = rows.first().map_or(0, Vec::len);
    let mut transposed: Vec<Vec<Fp>> = (0..columns).map(|c| rows.iter().map(|r| r[c]).collect()).collect();
    row_reduce(&mut transposed)
}

/// Columns in which the fields are independent, those with simple entries first.
fn simplest_columns(w: &Workbench, fields: &[Vec<Expr>], numbers: &[Vec<Fp>]) -> Vec<usize> {
    let columns = numbers.first().map_or(0, Vec::len);
    let mut order: Vec<usize> = (0..columns).collect();
    order.arrange_by_key(|&c| w.g.reachable(&fields.iter().map(|f| f[c]).collect::<Vec<_>>()).len());
    let mut chosen: Vec<usize> = Vec::new();
    for c in order {
        chosen.push(c);
        let block: Vec<Vec<Fp>> = numbers.iter().map(|r| chosen.iter().map(|&c| r[c]).collect()).collect();
        if rank(&block) < chosen.len() {
            chosen.pop();
        }
        if chosen.len() == fields.len() {
            break;
        }
    }
    chosen
}

/// A vector field of the flag, with the bracket that gave it.
#[derive(Clone, Debug)]
pub struct BracketField {
    /// `X1`, or `[X2, X3]`.
    pub name: String,
    /// Its components, one per variable of the space.
    pub components: Vec<Expr>,
}

/// The fields X_1…X_l and brackets that span the flag, as nested brackets of the original fields.
pub fn bracket_fields(
    w: &mut Workbench,
    first: &Distribution,
    growth: &Growth,
    generic: &mut Generic,
) -> Vec<BracketField> {
    let l = first.leading.len();
    let mut fields: Vec<BracketField> =
        (0..l).map(|a| BracketField { name: format!("X{}", a + 1), components: first.field(w, a) }).collect();
    let mut newest: Vec<usize> = (0..l).collect();
    for &target in growth.vector.iter().skip(1) {
        let mut added = Vec::new();
        'search: for a in 0..l {
            for &b in &newest {
                if b < l && b <= a {
                    continue;
                }
                let components = lie_bracket(w, &first.variables, &fields[a].components, &fields[b].components);
                if components.iter().all(|&e| w.g.is_zero(e)) {
                    continue;
                }
                let all: Vec<Vec<Expr>> =
                    fields.iter().map(|f| f.components.clone()).chain([components.clone()]).collect();
                if matrix_rank(w, &all, generic) == fields.len() + 1 {
                    let name = format!("[X{}, X{}]", a + 1, b + 1);
                    fields.push(BracketField { name, components });
                    added.push(fields.len() - 1);
                    if fields.len() == target {
                        break 'search;
                    }
                }
            }
        }
        newest = added;
    }
    fields
}

/// [X, Y]^i = Σ_j X^j ∂_j Y^i − Y^j ∂_j X^i.
pub fn lie_bracket(w: &mut Workbench, variables: &[Symbol], x: &[Expr], y: &[Expr]) -> Vec<Expr> {
    let mut components = Vec::new();
    for i in 0..variables.len() {
        let mut terms = Formula::ZERO;
        for (j, &s) in variables.iter().enumerate() {
            let (dy, dx) = (w.g.diff(y[i], s), w.g.diff(x[i], s));
            terms += x[j] * dy;
            terms -= y[j] * dx;
        }
        components.push(w.simplify(terms));
    }
    components
}
