//! A family followed by arclength, through folds, with what happens on the way.

use super::family::{Family, Varied};
use super::linearise::AXIS;
use super::neighbours::structural_zeros;
use super::steady::Range;
use crate::arrange::Arrange;
use crate::expr::field::SplitMix;
use crate::numeric::spectrum::{Complex, Spectrum, null_space};

/// Where something happens on a family.
#[derive(Clone, Debug)]
pub struct Critical {
    /// The value of what is varied.
    pub value: f64,
    /// How far it may be off: where eigenvalues are rounding, what happens seems to happen at several places beside each other.
    pub error: f64,
    /// What happens.
    pub what: What,
    /// The eigenvalue it happens to; none at a fold.
    pub eigenvalue: Option<Complex>,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// An eigenvalue passes through zero.
    Divergence,
    /// A pair crosses the imaginary axis.
    Flutter,
    /// The family turns back.
    Fold,
    /// Two real eigenvalues become a pair, or a pair two real ones.
    DoubleRoot,
}

impl What {
    /// For people and documents.
    pub fn word(self) -> &'static str {
        match self {
            What::Divergence => "divergence",
            What::Flutter => "flutter",
            What::Fold => "fold",
            What::DoubleRoot => "double root",
        }
    }
}

/// Steps of a family at most.
const STEPS: usize = 4000;
/// Steps over the range at least.
const LEAST: f64 = 200.0;
/// A pair this far right of the axis, relative to the largest eigenvalue, has left it, where before it ran along it: two pairs
/// that collide move apart as the square root.
const LEFT_AXIS: f64 = 1e-7;
/// Parts of a step around a place in which it is looked for again.
const AROUND: [f64; 6] = [1e-2, 7.3e-3, 3.7e-3, 2.9e-3, 1.3e-3, 4.9e-4];
/// What members are off by when it is asked what rounding does, relatively: some of the last places.
const ROUNDING: f64 = 1e-15;
/// Values and residuals at two members that differ by less, relatively, are the same: at a fold a member is known to half the digits.
const SAME: f64 = 1e-6;
/// Members of a family that are looked at to tell whether it repeats.
const LOOKED_AT: usize = 8;

/// Why a family that closes, or that a shift of its coordinates takes to itself, is not followed on.
const REPEATS: &str = "from there on the family repeats itself";

/// A family being followed.
pub(super) struct Branch<'a> {
    family: &'a mut Family,
    which: Varied,
    range: Range,
    /// Values asked for, with the members there, in the order of the family.
    pub members: Vec<(f64, Vec<f64>)>,
    /// What happened.
    pub critical: Vec<Critical>,
    /// Why it was not followed to the end.
    pub ended: Option<String>,
    /// Zeros that every member has.
    zeros: usize,
    /// By what members are off, in rounding: nothing, but where it is asked what rounding does.
    rounding: Vec<f64>,
    /// Points on the way.
    trail: Vec<Vec<f64>>,
    /// Where it turned back, and how many points came before; the beginning, if it turns there.
    turned: Vec<(Place, usize)>,
}

/// One point of a family.
#[derive(Clone)]
struct Place {
    y: Vec<f64>,
    value: f64,
    tangent: Vec<f64>,
    /// Change of the varied quantity along the tangent.
    slope: f64,
    others: Vec<Complex>,
}

impl Place {
    fn largest(&self) -> f64 {
        self.others.iter().fold(0.0f64, |m, z| m.max(z.abs()))
    }

    /// The sign of the product of the eigenvalues.
    fn sign(&self) -> bool {
        self.others.iter().filter(|z| z.im == 0.0 && z.re < 0.0).count() % 2 == 0
    }

    fn pairs(&self) -> usize {
        self.others.iter().filter(|z| z.im > 0.0).count()
    }

    /// Eigenvalues to the right of a line.
    fn right_of(&self, line: f64) -> usize {
        self.others.iter().filter(|z| z.re > line * self.largest()).count()
    }

    /// Pairs to the right of a line.
    fn pairs_right_of(&self, line: f64) -> usize {
        self.others.iter().filter(|z| z.im > 0.0 && z.re > line * self.largest()).count()
    }

    /// Does a pair lie on the axis?
    fn on_axis(&self) -> bool {
        self.others.iter().any(|z| z.im > 0.0 && z.re.abs() <= AXIS * self.largest())
    }
}

impl<'a> Branch<'a> {
    pub fn new(family: &'a mut Family, which: Varied, range: &Range) -> Branch<'a> {
        Branch {
            family,
            which,
            range: range.clone(),
            members: Vec::new(),
            critical: Vec::new(),
            ended: None,
            zeros: usize::MAX,
            rounding: Vec::new(),
            trail: Vec::new(),
            turned: Vec::new(),
        }
    }

    /// Follows the family from the beginning of the range. `None` where there is no member at the beginning.
    pub fn follow(&mut self, first: &[f64]) -> Option<()> {
        let (from, to) = (self.range.from, self.range.to);
        let start = self.beginning(first)?;
        self.members.push((from, start.clone()));
        let span = to - from;
        if span == 0.0 || self.range.count < 2 {
            return Some(());
        }
        let size = self.family.numbers.size();
        self.zeros = structural_zeros(&mut self.family.numbers, &start[..size], &start[size..]);
        let Some(mut here) = self.place(&start, None) else {
            self.ended = Some("the family has no direction at the beginning of the range".into());
            return Some(());
        };
        // But for rounding; the first member must not be met again.
        here.value = from;
        if here.slope * span < 0.0 {
            here.tangent.iter_mut().for_each(|x| *x = -*x);
            here.slope = -here.slope;
        }
        let most = span.abs() / LEAST.max(2.0 * (self.range.count as f64 - 1.0));
        let mut step = if here.slope == 0.0 { 1e-3 } else { (most / here.slope.abs()).min(0.1) };
        if here.slope.abs() < SAME {
            self.turned.push((here.clone(), 0));
        }
        for _ in 0..STEPS {
            let Some((next, taken)) = self.next(&here, step, most) else {
                self.ended = Some(format!("the family could not be followed beyond {}", here.value));
                return Some(());
            };
            step = taken * 1.5;
            self.trail.push(here.y.clone());
            if self.between(&here, &next) {
                self.ended = Some(REPEATS.into());
                return Some(());
            }
            let beyond = |x: f64| (x - from) / span > 1.0 + 1e-12 || (x - from) / span < -1e-12;
            here = next;
            if beyond(here.value) {
                return Some(());
            }
        }
        self.ended = Some(format!("the family was followed for {STEPS} steps, to {}", here.value));
        Some(())
    }

    /// The member at the beginning of the range: at once, or in small steps from the first one.
    fn beginning(&mut self, first: &[f64]) -> Option<Vec<f64>> {
        let from = self.range.from;
        if let Some(y) = self.family.member(first, &[(self.which, from)]) {
            return Some(y);
        }
        let point = self.family.point(first).ok()?;
        let (value, _) = self.family.varied(&point, first, self.which);
        let mut y = first.to_vec();
        for i in 1..=64 {
            y = self.family.member(&y, &[(self.which, value + (from - value) * f64::from(i) / 64.0)])?;
        }
        Some(y)
    }

    /// Tangent and eigenvalues at a point; the tangent on the side of a former one.
    fn place(&mut self, y: &[f64], before: Option<&[f64]>) -> Option<Place> {
        let point = self.family.point(y).ok()?;
        let system = self.family.system(y, &point);
        let mut space = null_space(&system.slopes, y.len(), 1e-9)?;
        if space.is_empty() {
            return None;
        }
        let (value, gradient) = self.family.varied(&point, y, self.which);
        // Where the family branches, the direction nearest to the former one.
        let mut tangent = match (before, space.len()) {
            (Some(before), n) if n > 1 => {
                let mut sum = vec![0.0; y.len()];
                for t in &space {
                    let along: f64 = t.iter().zip(before).map(|(a, b)| a * b).sum();
                    sum.iter_mut().zip(t).for_each(|(s, t)| *s += along * t);
                }
                sum
            }
            (None, n) if n > 1 => {
                // Most along what is varied.
                let mut sum = vec![0.0; y.len()];
                for t in &space {
                    let along: f64 = t.iter().zip(&gradient).map(|(a, b)| a * b).sum();
                    sum.iter_mut().zip(t).for_each(|(s, t)| *s += along * t);
                }
                sum
            }
            _ => space.swap_remove(0),
        };
        let length = tangent.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length == 0.0 {
            return None;
        }
        let turn: f64 = before.map_or(1.0, |b| b.iter().zip(&tangent).map(|(a, b)| a * b).sum());
        let sign = if turn < 0.0 { -1.0 } else { 1.0 };
        tangent.iter_mut().for_each(|x| *x *= sign / length);
        let slope = tangent.iter().zip(&gradient).map(|(a, b)| a * b).sum();
        let spectrum = Spectrum::with_zeros(&self.family.numbers.matrix(&point).ok()?, self.zeros)?;
        Some(Place { y: y.to_vec(), value, tangent, slope, others: spectrum.others })
    }

    /// The next point, at most `step` away, and the step that was taken.
    fn next(&mut self, here: &Place, step: f64, most: f64) -> Option<(Place, f64)> {
        let mut step = step;
        for _ in 0..40 {
            if let Some(y) = self.on_plane(&here.y, &here.tangent, step)
                && let Some(next) = self.place(&y, Some(&here.tangent))
            {
                let turn: f64 = here.tangent.iter().zip(&next.tangent).map(|(a, b)| a * b).sum();
                if turn > 0.95 && (next.value - here.value).abs() <= 1.5 * most {
                    return Some((next, step));
                }
            }
            step *= 0.5;
        }
        None
    }

    /// The member in the plane across a direction, a distance away.
    fn on_plane(&mut self, y: &[f64], direction: &[f64], distance: f64) -> Option<Vec<f64>> {
        let ahead: Vec<f64> = y.iter().zip(direction).map(|(y, d)| y + distance * d).collect();
        let plane = ahead.clone();
        let direction = direction.to_vec();
        let found = self.family.solve(&ahead, &mut |y, _, system| {
            let offset = y.iter().zip(&plane).zip(&direction).map(|((y, p), d)| (y - p) * d).sum();
            system.residuals.push(offset);
            system.slopes.push(direction.clone());
        })?;
        let away: f64 = found.iter().zip(&ahead).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        (away <= 0.5 * distance.abs() + 1e-9).then_some(found)
    }

    /// The member a part of the way from one point to the next.
    fn on_chord(&mut self, a: &Place, b: &Place, part: f64) -> Option<Place> {
        let chord: Vec<f64> = a.y.iter().zip(&b.y).map(|(a, b)| b - a).collect();
        let length = chord.iter().map(|x| x * x).sum::<f64>().sqrt();
        let direction: Vec<f64> = chord.iter().map(|x| x / length).collect();
        let at: Vec<f64> = a.y.iter().zip(&chord).map(|(a, c)| a + part * c).collect();
        let plane = at.clone();
        let across = direction.clone();
        let y = self.family.solve(&at, &mut |y, _, system| {
            let offset = y.iter().zip(&plane).zip(&across).map(|((y, p), d)| (y - p) * d).sum();
            system.residuals.push(offset);
            system.slopes.push(across.clone());
        })?;
        // Not to full precision: which of the numbers beside each other a member is, rounding decides.
        let off = self.rounding.iter().copied().chain(std::iter::repeat(0.0));
        let y: Vec<f64> = y.iter().zip(off).map(|(y, off)| y + off * (1.0 + y.abs())).collect();
        self.place(&y, Some(&a.tangent))
    }

    /// Where a property changes: the point just after, and how far the value of what is varied may be off.
    fn change(&mut self, a: &Place, b: &Place, property: &dyn Fn(&Place) -> usize) -> Option<(Place, f64)> {
        let first = property(a);
        let (part, place) = self.bisected(a, b, [0.0, 1.0], &|p| property(p) == first)?;
        let mut found = vec![place.unwrap_or_else(|| b.clone())];
        for (seed, width) in AROUND.into_iter().enumerate() {
            let mut random = SplitMix::new(seed as u64);
            self.rounding = a.y.iter().map(|_| ROUNDING * (2.0 * random.unit() - 1.0)).collect();
            let ends = [(part - width).max(0.0), (part + width).min(1.0)];
            let changes = |branch: &mut Self, at: f64, before: bool| {
                branch.on_chord(a, b, at).is_some_and(|p| (property(&p) == first) == before)
            };
            if changes(self, ends[0], true)
                && changes(self, ends[1], false)
                && let Some((_, Some(again))) = self.bisected(a, b, ends, &|p| property(p) == first)
            {
                found.push(again);
            }
        }
        self.rounding.clear();
        found.arrange_by(|a, b| a.value.total_cmp(&b.value));
        let error = found.last()?.value - found[0].value;
        Some((found.swap_remove(found.len() / 2), error))
    }

    /// Bisects where a property ends, from a part of the way to another: which part it is, and the point just after.
    fn bisected(
        &mut self,
        a: &Place,
        b: &Place,
        [mut low, mut high]: [f64; 2],
        before: &dyn Fn(&Place) -> bool,
    ) -> Option<(f64, Option<Place>)> {
        let mut found = None;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            let place = self.on_chord(a, b, middle)?;
            if before(&place) {
                low = middle;
            } else {
                high = middle;
                found = Some(place);
            }
        }
        Some((high, found))
    }

    /// Does the family go on from this fold as it did from a former one, up to a shift of its variables? How many points came before that.
    fn repeats(&mut self, fold: &Place) -> Option<usize> {
        for (former, at) in std::mem::take(&mut self.turned) {
            let near = |x: f64, y: f64| (x - y).abs() <= SAME * (1.0 + x.abs().max(y.abs()));
            let same = near(former.value, fold.value) && near(former.largest(), fold.largest());
            let shift: Vec<f64> = fold.y.iter().zip(&former.y).map(|(x, y)| x - y).collect();
            let since = &self.trail[at..];
            let looked_at: Vec<Vec<f64>> =
                since.iter().step_by(since.len().div_ceil(LOOKED_AT).max(1)).cloned().collect();
            let repeats = !looked_at.is_empty() && looked_at.iter().all(|y| self.is_alike(y, &shift) == Some(true));
            if same && repeats {
                return Some(at);
            }
            self.turned.push((former, at));
        }
        self.turned.push((fold.clone(), self.trail.len()));
        None
    }

    /// Are there a member and the same neighbours a shift away from one?
    fn is_alike(&mut self, y: &[f64], shift: &[f64]) -> Option<bool> {
        let there: Vec<f64> = y.iter().zip(shift).map(|(y, s)| y + s).collect();
        let [here, there] = [y, &there].map(|y| {
            let point = self.family.point(y).ok()?;
            let value = self.family.varied(&point, y, self.which).0;
            Some((self.family.system(y, &point), value))
        });
        let ((here, value), (there, other)) = (here?, there?);
        let size = here.slopes.iter().flatten().fold(1.0f64, |m, x| m.max(x.abs()));
        let near = |x: f64, y: f64| (x - y).abs() <= 10.0 * SAME * size;
        let rows = here.slopes.iter().flatten().zip(there.slopes.iter().flatten());
        let alike = here.residuals.iter().zip(&there.residuals).chain(rows).all(|(x, y)| near(*x, *y));
        Some(alike && near(value, other))
    }

    /// Members asked for and what happens between two points. Does the family repeat itself from here on?
    fn between(&mut self, a: &Place, b: &Place) -> bool {
        let mut events: Vec<(f64, Critical)> = Vec::new();
        let inside = |x: f64, range: &Range| {
            let part = (x - range.from) / (range.to - range.from);
            (-1e-12..=1.0 + 1e-12).contains(&part)
        };
        let mut repeats = None;
        if a.slope * b.slope < 0.0
            && let Some((place, error)) = self.change(a, b, &|p| usize::from(p.slope > 0.0))
        {
            repeats = self.repeats(&place);
            // Where the family began at a fold, that one has not been told.
            if repeats.is_none_or(|points| points == 0) {
                let value = place.value;
                events.push((value, Critical { value, error, what: What::Fold, eigenvalue: None }));
            }
        }
        // At a fold an eigenvalue passes through zero as well: that is no event of its own.
        let folds = a.slope * b.slope < 0.0;
        self.spectral(a, b, folds, &mut events);
        for (value, event) in events {
            if inside(value, &self.range) {
                self.critical.push(event);
            }
        }
        let mut crossed: Vec<f64> = self.range.values();
        crossed.retain(|&x| (x - a.value) * (x - b.value) < 0.0 || x == b.value);
        if b.value < a.value {
            crossed.reverse();
            crossed.arrange_by(|x, y| y.total_cmp(x));
        } else {
            crossed.arrange_by(f64::total_cmp);
        }
        for value in crossed {
            let part = (value - a.value) / (b.value - a.value);
            let start: Vec<f64> = a.y.iter().zip(&b.y).map(|(a, b)| a + part * (b - a)).collect();
            if let Some(y) = self.family.member(&start, &[(self.which, value)]) {
                self.members.push((value, y));
            }
        }
        repeats.is_some()
    }

    /// Eigenvalues that pass through zero, across the axis, or through each other.
    fn spectral(&mut self, a: &Place, b: &Place, folds: bool, events: &mut Vec<(f64, Critical)>) {
        let mut push = |(place, error): (Place, f64), what: What, near: &dyn Fn(&Complex) -> f64| {
            let found = place.others.iter().copied().min_by(|x, y| near(x).total_cmp(&near(y)));
            // What happens says where the eigenvalue is.
            let eigenvalue = found.map(|z| match what {
                What::Divergence => Complex { re: 0.0, im: 0.0 },
                What::Flutter => Complex { re: 0.0, ..z },
                What::DoubleRoot | What::Fold => meeting(&place, z),
            });
            events.push((place.value, Critical { value: place.value, error, what, eigenvalue }));
        };
        let diverges = a.sign() != b.sign();
        if diverges
            && !folds
            && let Some(place) = self.change(a, b, &|p| usize::from(p.sign()))
        {
            push(place, What::Divergence, &|z| z.abs());
        }
        if a.pairs() != b.pairs()
            && !diverges
            && let Some(place) = self.change(a, b, &Place::pairs)
        {
            // The pair that is about to part, or has just parted.
            let closest = {
                let list = place.0.others.clone();
                move |z: &Complex| -> f64 {
                    if z.im != 0.0 {
                        return z.im.abs();
                    }
                    let apart = list.iter().filter(|x| *x != z).map(|x| (x.re - z.re).hypot(x.im));
                    apart.fold(f64::INFINITY, f64::min)
                }
            };
            push(place, What::DoubleRoot, &closest);
        }
        // A pair that ran along the axis leaves it as a square root; one that came from the left crosses it.
        let line = if a.on_axis() || b.on_axis() { LEFT_AXIS } else { 0.0 };
        let (before, after) = (a.right_of(line), b.right_of(line));
        let expected = usize::from(diverges);
        if before.abs_diff(after) > expected
            && a.pairs_right_of(line) != b.pairs_right_of(line)
            && let Some(place) = self.change(a, b, &|p| p.pairs_right_of(line))
        {
            push(place, What::Flutter, &|z| if z.im > 0.0 { z.re.abs() } else { f64::INFINITY });
        }
    }
}

/// Where two eigenvalues meet on the real axis: the mean of the one and its partner, which is known better than either.
fn meeting(place: &Place, z: Complex) -> Complex {
    let near = |x: &&Complex| **x != z && x.im == 0.0 && (x.re - z.re).abs() < 1e-4 * place.largest();
    let partner = place.others.iter().filter(near).map(|x| x.re);
    let partner = partner.min_by(|a, b| (a - z.re).abs().total_cmp(&(b - z.re).abs()));
    let re = if z.im == 0.0 { partner.map_or(z.re, |x| 0.5 * (x + z.re)) } else { z.re };
    Complex { re, im: 0.0 }
}
