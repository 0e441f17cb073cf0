//! Ranks at generic states.

use super::admissible::{Admissible, SaddleValues};
use super::generic::{Generic, evaluator};
use super::workbench::Workbench;
use crate::expr::Expr;
use crate::expr::field::{Fp, rank, row_reduce};

/// A and M at generic admissible states.
fn generic_values(w: &mut Workbench) -> Option<SaddleValues> {
    let mut admissible = Admissible::new(w, &[])?;
    (0..8).find_map(|_| {
        let point = admissible.state(w)?;
        admissible.saddle(w, &point)
    })
}

/// The rank of A at a generic admissible state; k where no such state can be drawn.
pub fn generic_rank(w: &mut Workbench) -> usize {
    if w.system.higher_constraint().is_some() {
        // Accelerations are as free as anything else here.
        let (d, mut generic) = (w.dynamics(), Generic::new(&mut w.g, &w.system));
        return matrix_rank(w, &d.a, &mut generic);
    }
    generic_values(w).map_or(w.system.k(), |s| rank(&s.a))
}

/// The rank of M at a generic state.
pub fn mass_rank(w: &mut Workbench) -> usize {
    match generic_values(w) {
        Some(s) => rank(&s.mass),
        // No admissible state could be drawn: at any state.
        None => {
            let (d, mut generic) = (w.dynamics(), Generic::new(&mut w.g, &w.system));
            matrix_rank(w, &d.mass, &mut generic)
        }
    }
}

/// Constraints that are independent of those before them.
pub fn independent_rows(w: &mut Workbench) -> Vec<usize> {
    let Some(values) = generic_values(w) else { return (0..w.system.k()).collect() };
    // Columns with a pivot in the reduced transpose are independent rows.
    let n = w.system.n();
    let mut columns: Vec<Vec<_>> = (0..n).map(|i| values.a.iter().map(|row| row[i]).collect()).collect();
    row_reduce(&mut columns)
}

/// The rank of a matrix of expressions of t and q at a generic position.
pub fn matrix_rank(w: &mut Workbench, rows: &[Vec<Expr>], generic: &mut Generic) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    if columns == 0 {
        return 0;
    }
    let roots: Vec<Expr> = rows.iter().flatten().copied().collect();
    let evaluator = evaluator(&mut w.g, &roots);
    (0..2)
        .filter_map(|_| generic.values(&w.g, &evaluator))
        .map(|v| rank(&v.chunks(columns).map(<[Fp]>::to_vec).collect::<Vec<_>>()))
        .max()
        .unwrap_or(0)
}
