//! The growth vector at a random point of the prime field, from Taylor series.
//!
//! The same steps as in [`super::growth`](super::growth()): echelon forms, brackets modulo what is there, new leading variables; but the
//! coefficients are power series at the point. A bracket differentiates, so D^i at the point takes D⁰ to degree i. A rank at one point
//! bounds the generic one from below, and falls short of it with a probability of about 10⁻¹⁷.

use super::growth::Growth;
use super::jets::{Jets, Ring, Series};
use crate::expr::field::Fp;
use crate::expr::{Expr, Known, Symbol, Work};
use crate::mechanics::{Generic, Pfaff, Workbench};

/// Echelon form at the point: X_a = ∂_a + Σ_ν c_aν ∂_ν.
struct Fields {
    leading: Vec<usize>,
    others: Vec<usize>,
    coefficients: Vec<Vec<Series>>,
}

/// The growth vector, as far as series of affordable degree go.
pub fn growth_at_point(w: &mut Workbench, pfaff: &Pfaff, extended: bool, generic: &mut Generic) -> Option<Growth> {
    let n = w.system.n();
    let m = if extended { n + 1 } else { n };
    let roots: Vec<Expr> = pfaff.forms.iter().flat_map(|form| form[..m].to_vec()).collect();
    let jets = Jets::new(&mut w.g, &roots)?;
    let variables = &pfaff.variables[..m];
    let moving: Vec<Symbol> =
        variables.iter().copied().filter(|&s| roots.iter().any(|&e| w.g.depends_on(e, s))).collect();
    let places: Vec<Option<usize>> = variables.iter().map(|s| moving.iter().position(|v| v == s)).collect();
    let mut best: Option<Growth> = None;
    for degree in 1.. {
        let Some(ring) = Ring::new(moving.len(), degree) else { break };
        if jets.least(&ring) > w.g.work.left() {
            break;
        }
        let series = jets.draw(&w.g, &ring, &moving, generic);
        w.g.work.charge(jets.steps() + ring.take_done());
        let Some(series) = series.filter(|_| !w.g.work.is_over()) else { break };
        let rows: Vec<Vec<Series>> = series.chunks(m).map(<[Series]>::to_vec).collect();
        let job = Job { ring: &ring, places: &places, degree };
        let Some((vector, complete)) = job.run(&mut w.g.work, rows, n) else { break };
        best = Some(Growth { extended_by_time: extended, dimension: m, vector, complete, certainty: Known::TESTED });
        if complete {
            break;
        }
    }
    let reaches = best.as_ref().is_some_and(|g| g.vector.last() == Some(&m) && g.vector.len() <= 2);
    if let (true, true, Some(g)) = (reaches, jets.is_faithful(), &mut best) {
        // From below by a minor that is not zero, from above by the dimension: nothing lies between.
        g.certainty = Known::Proved;
    }
    best
}

struct Job<'a> {
    ring: &'a Ring,
    /// Which variable of the ring each variable of the space is; none where nothing depends on it.
    places: &'a [Option<usize>],
    degree: usize,
}

impl Job<'_> {
    /// Ranks of D⁰, D¹, … up to the degree, and whether they have come to their end; `None` where the work is over before.
    fn run(&self, work: &mut Work, rows: Vec<Vec<Series>>, n: usize) -> Option<(Vec<usize>, bool)> {
        let first = self.annihilated(work, rows, n)?;
        let mut vector = vec![first.leading.len()];
        let mut current = Fields {
            leading: first.leading.clone(),
            others: first.others.clone(),
            coefficients: first.coefficients.clone(),
        };
        for _ in 0..self.degree {
            if current.others.is_empty() {
                break;
            }
            let brackets = self.step(work, &first, &current)?;
            let numbers: Vec<Vec<Fp>> = brackets.iter().map(|f| f.iter().map(|s| s[0]).collect()).collect();
            let (chosen, columns) = independent(&numbers, current.others.len());
            if chosen.is_empty() {
                return Some((vector, true));
            }
            vector.push(current.leading.len() + chosen.len());
            let fields: Vec<Vec<Series>> = chosen.iter().map(|&r| brackets[r].clone()).collect();
            current = self.enlarge(work, &current, fields, &columns)?;
        }
        let complete = current.others.is_empty();
        Some((vector, complete))
    }

    /// The vectors annihilated by the forms; the last coordinates are solved for.
    fn annihilated(&self, work: &mut Work, mut rows: Vec<Vec<Series>>, n: usize) -> Option<Fields> {
        let m = self.places.len();
        let mut pivots: Vec<usize> = Vec::new();
        let mut at = 0;
        for column in (0..n).rev() {
            let Some(row) = (at..rows.len()).find(|&r| !rows[r][column][0].is_zero()) else { continue };
            rows.swap(at, row);
            self.eliminate(&mut rows, at, column)?;
            self.count(work)?;
            pivots.push(column);
            at += 1;
        }
        let leading: Vec<usize> = (0..m).filter(|i| !pivots.contains(i)).collect();
        let minus = -Fp::ONE;
        let coefficients = leading
            .iter()
            .map(|&a| (0..pivots.len()).map(|r| rows[r][a].iter().map(|&x| minus * x).collect()).collect())
            .collect();
        Some(Fields { leading, others: pivots, coefficients })
    }

    /// Counts what was done; `None` where that was all that may be.
    fn count(&self, work: &mut Work) -> Option<()> {
        work.charge(self.ring.take_done());
        (!work.is_over()).then_some(())
    }

    /// Makes a column a unit vector with its one in this row.
    fn eliminate(&self, rows: &mut [Vec<Series>], at: usize, column: usize) -> Option<()> {
        let inverse = self.ring.inverse(&rows[at][column])?;
        let pivot: Vec<Series> = rows[at].iter().map(|s| self.ring.mul(s, &inverse)).collect();
        for (r, row) in rows.iter_mut().enumerate() {
            if r == at || row[column].iter().all(|x| x.is_zero()) {
                continue;
            }
            let factor = row[column].clone();
            for (entry, p) in row.iter_mut().zip(&pivot).filter(|(_, p)| p.iter().any(|x| !x.is_zero())) {
                *entry = self.ring.add(entry, &self.ring.mul(&factor, p), -Fp::ONE);
            }
        }
        rows[at] = pivot;
        Some(())
    }

    /// X_row(f), known to one degree less.
    fn apply(&self, fields: &Fields, row: usize, f: &Series) -> Series {
        let lead = self.places[fields.leading[row]];
        let mut sum = match lead {
            Some(v) => self.ring.derivative(f, v),
            None => self.ring.zero_below(f),
        };
        for (c, &i) in fields.coefficients[row].iter().zip(&fields.others) {
            if let Some(v) = self.places[i]
                && c.iter().any(|x| !x.is_zero())
            {
                sum = self.ring.add(&sum, &self.ring.mul(c, &self.ring.derivative(f, v)), Fp::ONE);
            }
        }
        sum
    }

    /// All [X⁰_a, X_b] modulo the current fields.
    fn step(&self, work: &mut Work, first: &Fields, current: &Fields) -> Option<Vec<Vec<Series>>> {
        let (l, r) = (first.leading.len(), current.leading.len());
        let mut table: Vec<Vec<Vec<Series>>> = vec![vec![Vec::new(); r]; r];
        for a in 0..r {
            for b in a + 1..r {
                let bracket: Vec<Series> = (0..current.others.len())
                    .map(|nu| {
                        let x = self.apply(current, a, &current.coefficients[b][nu]);
                        let y = self.apply(current, b, &current.coefficients[a][nu]);
                        self.ring.add(&x, &y, -Fp::ONE)
                    })
                    .collect();
                self.count(work)?;
                table[b][a] = bracket.iter().map(|s| s.iter().map(|&x| -x).collect()).collect();
                table[a][b] = bracket;
            }
        }
        let mut brackets = Vec::new();
        for a in 0..l {
            for b in 0..r {
                if a == b || (b < l && b < a) {
                    continue;
                }
                // X⁰_a = X_a + Σ_ν c⁰_aν X_ν over the ν that have become leading.
                let mut field = table[a][b].clone();
                for (nu, &i) in first.others.iter().enumerate() {
                    let Some(row) = current.leading.iter().position(|&x| x == i).filter(|&row| row != b) else {
                        continue;
                    };
                    let c = &first.coefficients[a][nu];
                    for (entry, other) in field.iter_mut().zip(&table[row][b]) {
                        *entry = self.ring.add(entry, &self.ring.mul(c, other), Fp::ONE);
                    }
                }
                if field.iter().any(|s| s.iter().any(|x| !x.is_zero())) {
                    brackets.push(field);
                }
                self.count(work)?;
            }
        }
        Some(brackets)
    }

    /// The fields with more of them, given by their components along the others, independent in these columns.
    fn enlarge(
        &self,
        work: &mut Work,
        current: &Fields,
        mut added: Vec<Vec<Series>>,
        columns: &[usize],
    ) -> Option<Fields> {
        for (row, &column) in columns.iter().enumerate() {
            let swap = (row..added.len()).find(|&r| !added[r][column][0].is_zero())?;
            added.swap(row, swap);
            self.eliminate(&mut added, row, column)?;
            self.count(work)?;
        }
        let kept: Vec<usize> = (0..current.others.len()).filter(|c| !columns.contains(c)).collect();
        let mut coefficients: Vec<Vec<Series>> = Vec::new();
        for row in &current.coefficients {
            let remainder = |&mu: &usize| {
                let mut entry = row[mu].clone();
                for (r, &nu) in columns.iter().enumerate() {
                    entry = self.ring.add(&entry, &self.ring.mul(&row[nu], &added[r][mu]), -Fp::ONE);
                }
                entry
            };
            coefficients.push(kept.iter().map(remainder).collect());
            self.count(work)?;
        }
        coefficients.extend(added.iter().map(|row| kept.iter().map(|&mu| row[mu].clone()).collect()));
        let mut leading = current.leading.clone();
        leading.extend(columns.iter().map(|&c| current.others[c]));
        Some(Fields { leading, others: kept.iter().map(|&c| current.others[c]).collect(), coefficients })
    }
}

/// Rows that are independent, and columns in which they are.
fn independent(numbers: &[Vec<Fp>], width: usize) -> (Vec<usize>, Vec<usize>) {
    let chosen = leading(numbers, width);
    let column = |c: usize| chosen.iter().map(|&r| numbers[r][c]).collect();
    let columns: Vec<Vec<Fp>> = (0..width).map(column).collect();
    let independent = leading(&columns, chosen.len());
    (chosen, independent)
}

/// The rows that are no combination of those before them, at most so many.
fn leading(rows: &[Vec<Fp>], most: usize) -> Vec<usize> {
    let mut chosen = Vec::new();
    // Each with a one where those after it have zeros.
    let mut reduced: Vec<(usize, Vec<Fp>)> = Vec::new();
    for (r, row) in rows.iter().enumerate() {
        if chosen.len() == most {
            break;
        }
        let mut row = row.clone();
        for (pivot, other) in &reduced {
            let factor = row[*pivot];
            if !factor.is_zero() {
                row.iter_mut().zip(other).for_each(|(x, &y)| *x -= factor * y);
            }
        }
        let Some((pivot, inverse)) = row.iter().enumerate().find_map(|(i, x)| Some((i, x.inverse()?))) else {
            continue;
        };
        row.iter_mut().for_each(|x| *x *= inverse);
        reduced.push((pivot, row));
        chosen.push(r);
    }
    chosen
}
