//! Walks made of legs along fields: where they end, how the end depends on the legs, and the walk that ends at a given position.

use crate::arrange::Arrange;
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::Result;
use crate::expr::Expr;
use crate::expr::field::SplitMix;
use crate::limits::Limits;
use crate::mechanics::Workbench;
use crate::numeric::{Svd, norm};
use crate::simulate::{Begin, Beginning, DOP853, Ode, Plan, RhsFailure, Samples, StepSize, Tolerance, integrate};

/// Accuracy of the search, and of the path once found.
const SEARCH: f64 = 1e-10;
const FINAL: f64 = 1e-13;
/// Legs followed before the search is given up.
const LEGS: usize = 8_000;
/// Steps of the integration of one leg.
const STEPS: u64 = 2_000;
/// Singular values below this part of the largest count as zero.
const RANK: f64 = 1e-7;
/// Sizes of the first walk, in units of one and of the distance, and different walks of each.
const SIZES: [f64; 5] = [1.0, 0.3, 3.0, 0.1, 10.0];
const PARTS: [f64; 2] = [1.0, 0.3];
const SEEDS: u64 = 4;
/// Corrections of one target, shortenings of a walk that was found.
const CORRECTIONS: usize = 14;
const SHORTENINGS: usize = 25;

/// A field and an amount for each leg.
type Walk = Vec<(usize, f64)>;

/// Walks along the fields of a system.
pub(super) struct Walker {
    n: usize,
    /// Of each field: q → X, ∂X/∂q.
    fields: Vec<Runner>,
    legs: usize,
    limits: Limits,
}

/// q′ = τ X(q), Φ′ = τ ∂X/∂q Φ.
struct Leg<'a> {
    n: usize,
    field: &'a mut Runner,
    amount: f64,
    values: Vec<f64>,
    with_matrix: bool,
}

impl Ode for Leg<'_> {
    fn dimension(&self) -> usize {
        if self.with_matrix { self.n + self.n * self.n } else { self.n }
    }

    fn rhs(&mut self, _: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let n = self.n;
        self.field.run(&y[..n], &mut self.values);
        let (x, jacobian) = self.values.split_at(n);
        for (d, x) in dy.iter_mut().zip(x) {
            *d = self.amount * x;
        }
        if self.with_matrix {
            for i in 0..n {
                for j in 0..n {
                    let sum: f64 = (0..n).map(|h| jacobian[i * n + h] * y[n + h * n + j]).sum();
                    dy[n + i * n + j] = self.amount * sum;
                }
            }
        }
        Ok(())
    }
}

/// The end of a walk, and its derivatives by the amounts, a column per leg.
struct End {
    q: Vec<f64>,
    jacobian: Vec<f64>,
}

impl Walker {
    /// Compiles the fields.
    pub fn new(w: &mut Workbench, fields: &[Vec<Expr>], options: &CompileOptions) -> Result<Walker> {
        let coordinates = w.system.coordinates.clone();
        let mut runners = Vec::new();
        for field in fields {
            let mut outputs = field.clone();
            outputs.extend(w.g.jacobian(field, &coordinates).concat());
            runners.push(compile(&w.g, &coordinates, &outputs, options)?.runner());
        }
        Ok(Walker { n: coordinates.len(), fields: runners, legs: 0, limits: w.limits.clone() })
    }

    /// A field at a position.
    pub fn field(&mut self, a: usize, q: &[f64]) -> Vec<f64> {
        let mut values = vec![0.0; self.n + self.n * self.n];
        self.fields[a].run(q, &mut values);
        values.truncate(self.n);
        values
    }

    /// Follows a leg: positions at parts of it, the last at its end.
    pub fn follow(&mut self, q: &[f64], a: usize, amount: f64, samples: usize) -> Option<Vec<(f64, Vec<f64>)>> {
        let times: Vec<f64> = (1..=samples).map(|i| i as f64 / samples as f64).collect();
        self.leg(q, a, amount, FINAL, &times)
    }

    fn leg(&mut self, y: &[f64], a: usize, amount: f64, tolerance: f64, times: &[f64]) -> Option<Vec<(f64, Vec<f64>)>> {
        let Begin::Equation(start) = DOP853.start else { return None };
        self.legs += 1;
        let n = self.n;
        let values = vec![0.0; n + n * n];
        let leg = Leg { n, field: &mut self.fields[a], amount, values, with_matrix: y.len() > n };
        let from = Beginning { t: 0.0, y, tolerance: Tolerance::new(tolerance), sizes: StepSize::default() };
        let mut stepper = start(Box::new(leg), &from);
        let plan = Plan { samples: times, max_steps: STEPS, ..Plan::until(1.0) };
        let mut samples = Samples::default();
        let run = integrate(stepper.as_mut(), &plan, &mut [], &mut samples);
        run.outcome.is_success().then_some(samples.points)
    }

    /// Where a walk ends.
    fn travel(&mut self, from: &[f64], walk: &[(usize, f64)]) -> Option<End> {
        let n = self.n;
        let mut q = from.to_vec();
        let mut passed: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        for &(a, amount) in walk {
            let mut y = q.clone();
            y.extend((0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }));
            let end = self.leg(&y, a, amount, SEARCH, &[1.0])?.pop()?.1;
            q.copy_from_slice(&end[..n]);
            passed.push((self.field(a, &q), end[n..].to_vec()));
        }
        let mut jacobian = vec![0.0; n * walk.len()];
        let mut after: Vec<f64> = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        for (leg, (field, matrix)) in passed.iter().enumerate().rev() {
            for i in 0..n {
                jacobian[i * walk.len() + leg] = (0..n).map(|j| after[i * n + j] * field[j]).sum();
            }
            after = product(&after, matrix, n);
        }
        jacobian.iter().chain(&q).all(|x| x.is_finite()).then_some(End { q, jacobian })
    }

    /// A walk between two positions.
    pub fn find(&mut self, from: &[f64], to: &[f64]) -> Result<Option<Walk>> {
        let distance = from.iter().zip(to).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if distance == 0.0 {
            return Ok(Some(Vec::new()));
        }
        let sizes: Vec<f64> = SIZES.into_iter().chain(PARTS.map(|part| part * distance)).collect();
        for seed in 0..SEEDS {
            for &size in &sizes {
                self.limits.check_control()?;
                if self.legs > LEGS || self.fields.is_empty() {
                    return Ok(None);
                }
                let walk = self.out_and_back(size, seed);
                if let Some(walk) = self.lead(from, to, walk) {
                    return Ok(Some(self.shorten(from, to, walk)));
                }
            }
        }
        Ok(None)
    }

    /// A walk that returns the way it came.
    fn out_and_back(&self, size: f64, seed: u64) -> Walk {
        let l = self.fields.len();
        let out = (self.n + 1).max(2 * l).min(24);
        let mut random = SplitMix::new(0x7761_6c6b + 1009 * seed);
        let mut walk: Walk = Vec::new();
        for i in 0..out {
            let sign = if random.unit() < 0.5 { -1.0 } else { 1.0 };
            walk.push(((i + seed as usize) % l, sign * size * (0.3 + 0.7 * random.unit())));
        }
        let back: Walk = walk.iter().rev().map(|&(a, x)| (a, -x)).collect();
        walk.extend(back);
        walk
    }

    /// Leads the end of a walk from where it is to a position, in steps as long as Newton's method can follow.
    fn lead(&mut self, from: &[f64], to: &[f64], mut walk: Walk) -> Option<Walk> {
        let start = self.travel(from, &walk)?.q;
        let (mut done, mut step) = (0.0, 0.5f64);
        while done < 1.0 {
            let next = (done + step).min(1.0);
            let target: Vec<f64> = start.iter().zip(to).map(|(a, b)| a + next * (b - a)).collect();
            match self.correct(from, &target, &walk, next == 1.0) {
                Some(better) => {
                    walk = better;
                    done = next;
                    step = (2.0 * step).min(1.0);
                }
                None => step *= 0.5,
            }
            if step < 1e-2 || self.legs > LEGS {
                return None;
            }
        }
        Some(walk)
    }

    /// Newton's method with the shortest corrections. On the way (not `exactly`) it is enough that no correction is left: a target
    /// between two positions of a leaf lies beside it.
    fn correct(&mut self, from: &[f64], target: &[f64], walk: &Walk, exactly: bool) -> Option<Walk> {
        let mut walk = walk.clone();
        let size = target.iter().fold(1.0f64, |m, x| m.max(x.abs()));
        let reach = 1.0 + norm(&amounts(&walk));
        let mut last = f64::INFINITY;
        for _ in 0..CORRECTIONS {
            let end = self.travel(from, &walk)?;
            let rest: Vec<f64> = target.iter().zip(&end.q).map(|(a, b)| a - b).collect();
            let mut change = vec![0.0; walk.len()];
            Svd::new(&end.jacobian, self.n, walk.len()).solve(&rest, RANK, &mut change);
            let left = norm(&rest);
            if left < 1e-10 * size || (!exactly && norm(&change) < 1e-6 * reach) {
                return Some(walk);
            }
            let length = norm(&change);
            if !length.is_finite() || length > 20.0 * reach || (length > 2.0 * last && length > 0.1 * reach) {
                return None;
            }
            last = length;
            let damping = (0.5 * reach / length).min(1.0);
            walk.iter_mut().zip(&change).for_each(|((_, x), d)| *x += damping * d);
        }
        None
    }

    /// Makes a walk shorter, and leaves out legs.
    fn shorten(&mut self, from: &[f64], to: &[f64], walk: Walk) -> Walk {
        let mut walk = self.spare(from, to, merged(walk));
        let mut pace = 0.5;
        for _ in 0..SHORTENINGS {
            if self.legs > LEGS || pace < 0.05 {
                break;
            }
            let Some(end) = self.travel(from, &walk) else { break };
            // What of the amounts does not move the end.
            let x = amounts(&walk);
            let columns = x.len();
            let moved: Vec<f64> =
                (0..self.n).map(|i| (0..columns).map(|j| end.jacobian[i * columns + j] * x[j]).sum()).collect();
            let mut needed = vec![0.0; columns];
            Svd::new(&end.jacobian, self.n, columns).solve(&moved, RANK, &mut needed);
            let tried: Walk = walk.iter().zip(&needed).map(|(&(a, x), need)| (a, x - pace * (x - need))).collect();
            match self.correct(from, to, &tried, true) {
                Some(better) if length(&better) < 0.999 * length(&walk) => walk = better,
                _ => pace *= 0.5,
            }
        }
        self.spare(from, to, walk)
    }

    /// Leaves out legs, the smallest first, as long as the position is reached without a much longer way.
    fn spare(&mut self, from: &[f64], to: &[f64], mut walk: Walk) -> Walk {
        'again: loop {
            let mut order: Vec<usize> = (0..walk.len()).collect();
            order.arrange_by(|&a, &b| walk[a].1.abs().total_cmp(&walk[b].1.abs()));
            for &leg in &order {
                if self.legs > LEGS {
                    return walk;
                }
                let mut fewer = walk.clone();
                fewer.remove(leg);
                let fewer = merged(fewer);
                if let Some(found) = self.correct(from, to, &fewer, true)
                    && length(&found) <= 1.2 * length(&walk) + 1e-9
                {
                    walk = found;
                    continue 'again;
                }
            }
            return walk;
        }
    }
}

fn amounts(walk: &Walk) -> Vec<f64> {
    walk.iter().map(|l| l.1).collect()
}

fn length(walk: &Walk) -> f64 {
    walk.iter().map(|l| l.1.abs()).sum()
}

/// Legs along the same field one after the other are one leg.
fn merged(walk: Walk) -> Walk {
    let mut short: Walk = Vec::new();
    for (a, x) in walk {
        match short.last_mut() {
            Some(last) if last.0 == a => last.1 += x,
            _ => short.push((a, x)),
        }
    }
    short
}

fn product(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let mut c = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            c[i * n + j] = (0..n).map(|h| a[i * n + h] * b[h * n + j]).sum();
        }
    }
    c
}
