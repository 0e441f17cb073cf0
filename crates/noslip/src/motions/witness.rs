//! A real point at which rates of ln f certainly do not agree.
//!
//! Where the fields known so far span the space, or the leaves on which holonomic constraints hold it, a further field is a
//! combination of them at every point. Its rate less the same
//! combination of theirs is what is left of the last entry when the rows (field | rate) are eliminated. Done in numbers with
//! bounds, a value that is certainly not zero at one point proves the obstruction on a neighbourhood of it.

use crate::analysis::with_values;
use crate::expr::enclosure::{Ball, Bounded, Digits, Enclosure, Given, enclose};
use crate::expr::field::SplitMix;
use crate::expr::{Expr, Rational, Symbol, TableId};
use crate::mechanics::Workbench;
use rustc_hash::FxHashMap;

/// A real point with the difference of two rates there.
#[derive(Clone, Debug)]
pub struct RealPoint {
    /// Values of the coordinates.
    pub at: Vec<(Symbol, f64)>,
    /// The difference.
    pub value: f64,
    /// A bound on its error.
    pub error: f64,
}

/// Points tried, the first ones in floating point.
const POINTS: usize = 12;
/// Nodes up to which more digits are tried, all points together.
const FINE: usize = 3_000_000;
/// Binary digits then.
const BITS: usize = 192;

struct At<'a>(&'a FxHashMap<Symbol, Rational>);

impl<E: Enclosure> Given<E> for At<'_> {
    fn symbol(&mut self, cx: &mut E::Context, s: Symbol) -> Option<E> {
        E::rational(cx, self.0.get(&s)?)
    }

    // Nothing is proved about a measured function.
    fn table(&mut self, _: &mut E::Context, _: TableId, _: u8, _: &E) -> Option<E> {
        None
    }
}

/// Looks for a point at which the last row's rate is certainly not the combination of the others that its field is. Rows are
/// (field | rate), all but the last independent and as many as the space, or a leaf of it, has dimensions.
pub(super) fn disagreement(w: &mut Workbench, q: &[Symbol], rows: &[Vec<Expr>]) -> Option<RealPoint> {
    let n = q.len();
    let flat: Vec<Expr> = rows.iter().flatten().map(|&e| with_values(w, e)).collect();
    let order = w.g.reachable(&flat);
    let mut random = SplitMix::new(0x6d65_6173);
    let fine = (FINE / (order.len() + 1)).min(POINTS / 2);
    let mut digits = (fine > 0).then(|| Digits::new(BITS)).flatten();
    for point in 0..POINTS / 2 + fine {
        let values: Vec<(Symbol, Rational)> =
            q.iter().map(|&s| (s, Rational::new(random.below(160) as i64 + 8, 64).unwrap_or(Rational::ONE))).collect();
        let map: FxHashMap<Symbol, Rational> = values.iter().cloned().collect();
        let found = if point < POINTS / 2 {
            let entries: Option<Vec<Bounded>> =
                enclose(&w.g, &flat, &order, &mut (), &mut At(&map)).into_iter().collect();
            entries
                .and_then(|e| remainder(&mut (), e, n, |x| x.value.abs() - x.error))
                .filter(|x| x.value.abs() > 2.0 * x.error)
                .map(|x| (x.value, x.error))
        } else {
            let Some(cx) = digits.as_mut() else { break };
            let entries: Option<Vec<Ball>> = enclose(&w.g, &flat, &order, cx, &mut At(&map)).into_iter().collect();
            entries
                .and_then(|e| remainder(cx, e, n, Ball::low))
                .filter(|x| x.low() > 0.0)
                .map(|x| (x.value(), x.radius()))
        };
        if let Some((value, error)) = found {
            let at = values.into_iter().map(|(s, x)| (s, x.to_f64())).collect();
            return Some(RealPoint { at, value, error });
        }
    }
    None
}

/// The last entry after elimination, with pivots from all rows but the last; `None` where one may be zero. `least` bounds an absolute value from below.
fn remainder<E: Enclosure>(cx: &mut E::Context, flat: Vec<E>, n: usize, least: impl Fn(&E) -> f64) -> Option<E> {
    let mut rows: Vec<Vec<E>> = flat.chunks(n + 1).map(<[E]>::to_vec).collect();
    let mut last = rows.pop()?;
    let mut columns: Vec<usize> = (0..n).collect();
    while !rows.is_empty() {
        let places = (0..rows.len()).flat_map(|i| columns.iter().map(move |&c| (i, c)));
        let (i, c) = places.max_by(|a, b| least(&rows[a.0][a.1]).total_cmp(&least(&rows[b.0][b.1])))?;
        let pivot = rows.swap_remove(i);
        if least(&pivot[c]) <= 0.0 {
            return None;
        }
        columns.retain(|&k| k != c);
        let inverse = pivot[c].inverse(cx)?;
        for row in rows.iter_mut().chain([&mut last]) {
            let factor = row[c].mul(cx, &inverse)?.negative();
            for &j in columns.iter().chain([&n]) {
                let step = factor.mul(cx, &pivot[j])?;
                row[j] = row[j].add(cx, &step)?;
            }
        }
    }
    last.pop()
}
