//! Steady motions: they stand still, their eigenvalues are those of a difference Jacobian, what is called stable stays near, and where
//! there are said to be no others none is found.

use super::Reached::{Answered, Refused};
use super::Trial;
use crate::judge::Judge;
use crate::random::Random;
use noslip::Workbench;
use noslip::expr::{Evaluator, Expr, Symbol};
use noslip::model::{State, Values};
use noslip::motions::linearise::{Stability, linearise};
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::{Answer, Motion, Question, Target, steady};
use noslip::motions::{Complex, ExactFamily};

/// The flow in doubles, from its expressions: no derivative of the engine.
pub struct Stands {
    values: Values,
    evaluator: Evaluator,
    /// Coordinates, then quasi-velocities.
    symbols: Vec<Symbol>,
    coordinates: usize,
}

impl Stands {
    /// The flow of a reduction, at the time of 0.5.
    pub fn new(w: &Workbench, r: &Reduction) -> Stands {
        let flow = &r.flow;
        let mut list = flow.velocities.clone();
        list.extend(flow.mass.iter().flatten());
        list.extend(&flow.right);
        let mut values = w.system.values(&w.g, &[]).unwrap_or_else(|e| panic!("parameters have values: {e:?}"));
        values.at.set(w.g.time(), 0.5);
        let symbols: Vec<Symbol> = flow.coordinates.iter().chain(&flow.free).copied().collect();
        Stands { values, evaluator: Evaluator::new(&w.g, &list), symbols, coordinates: flow.coordinates.len() }
    }

    /// q̇ and v̇; nothing where the inertia is singular.
    pub fn field(&mut self, z: &[f64]) -> Option<Vec<f64>> {
        self.values.at.set_all(&self.symbols, z);
        let mut found = self.values.evaluate(&self.evaluator);
        let l = self.symbols.len() - self.coordinates;
        let right = found.split_off(self.coordinates + l * l);
        let mass: Vec<Vec<f64>> = found.split_off(self.coordinates).chunks(l.max(1)).map(<[f64]>::to_vec).collect();
        found.extend(solved(mass, right)?);
        found.iter().all(|x| x.is_finite()).then_some(found)
    }

    /// div(f X), the size of its terms, and that of their rounding; nothing where differences do not settle.
    pub fn divergence(&mut self, f: &Evaluator, z: &[f64]) -> Option<[f64; 3]> {
        let (mut sum, mut size, mut rounding) = (0.0, 0.0, 0.0);
        for i in 0..z.len() {
            let mut term = |x: f64| -> Option<f64> {
                let mut z = z.to_vec();
                z[i] = x;
                let rate = self.field(&z)?[i];
                let density = self.values.evaluate(f)[0];
                (density.is_finite() && density.abs() < 1e9).then_some(density * rate)
            };
            rounding += 1e-11 * term(z[i])?.abs();
            let slope = slope(z[i], &mut term)?;
            sum += slope;
            size += slope.abs();
        }
        Some([sum, size, rounding])
    }
}

/// A derivative by differences of two steps; nothing where they do not agree.
fn slope(x: f64, f: &mut dyn FnMut(f64) -> Option<f64>) -> Option<f64> {
    let h = 1e-3 * (1.0 + x.abs());
    if f(x + h)? == f(x)? && f(x - h)? == f(x)? {
        return Some(0.0);
    }
    let mut by = |h: f64| Some((f(x + h)? - f(x - h)?) / (2.0 * h));
    let (whole, half) = (by(h)?, by(h / 2.0)?);
    let best = (4.0 * half - whole) / 3.0;
    ((best - half).abs() <= 1e-4 * best.abs().max(f(x)?.abs() * 1e-3)).then_some(best)
}

/// Elimination with pivots.
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[p][k] == 0.0 || !a[p][k].is_finite() {
            return None;
        }
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let rest: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - rest) / a[k][k];
    }
    Some(b)
}

/// The closed part: its members among the variables, and where the others stand.
struct Closed {
    stands: Stands,
    members: Vec<usize>,
    around: Vec<f64>,
}

impl Closed {
    fn rates(&mut self, y: &[f64]) -> Option<Vec<f64>> {
        let mut z = self.around.clone();
        self.members.iter().zip(y).for_each(|(&i, x)| z[i] = *x);
        let all = self.stands.field(&z)?;
        Some(self.members.iter().map(|&i| all[i]).collect())
    }

    fn jacobian(&mut self, y: &[f64]) -> Option<Vec<Vec<f64>>> {
        let n = y.len();
        let mut rows = vec![vec![0.0; n]; n];
        for j in 0..n {
            for i in 0..n {
                let mut f = |x: f64| {
                    let mut y = y.to_vec();
                    y[j] = x;
                    self.rates(&y).map(|r| r[i])
                };
                rows[i][j] = slope(y[j], &mut f)?;
            }
        }
        Some(rows)
    }
}

/// Everything that `steady` and `linearise` say. Functions that fade, and those with tiny numbers, come so near to
/// zero that a search takes it for one.
pub fn steady_is_true(w: &mut Workbench, r: &Reduction, state: &State, random: &mut Random, fades: bool) -> Trial {
    let symbols: Vec<Symbol> = r.shape.iter().chain(&r.flow.free).copied().collect();
    let mut question = Question::default();
    if random.below(3) == 0 && !symbols.is_empty() {
        let e = w.g.symbol(*random.pick(&symbols));
        question.given.push((Target::Function(e), (random.unit() * 16.0).round() / 8.0));
    }
    let Ok(answer) = steady(w, r, state, &question) else { return Ok(Refused) };
    let stands = Stands::new(w, r);
    let position = |s: &Symbol| stands.symbols.iter().position(|t| t == s);
    let members: Vec<usize> = symbols.iter().filter_map(position).collect();
    let mut around: Vec<f64> = state.position.clone();
    around.extend(vec![0.0; r.flow.free.len()]);
    let mut closed = Closed { stands, members, around };
    for m in &answer.motions {
        stands_still(w, r, state, m, &mut closed)?;
        if r.ties.is_empty() {
            eigenvalues_are_right(w, r, state, m, &mut closed)?;
        }
    }
    if r.ties.is_empty() && !fades {
        none_is_missing(w, &answer, &symbols, &mut closed, random)?;
    }
    Ok(Answered)
}

fn values_of(m: &Motion) -> Vec<f64> {
    m.values.iter().map(|x| x.1).collect()
}

/// The judge: at the state of a steady motion nothing in the closed part changes.
fn stands_still(w: &Workbench, r: &Reduction, state: &State, m: &Motion, closed: &mut Closed) -> Result<(), String> {
    let y = values_of(m);
    let mut z = closed.around.clone();
    closed.members.iter().zip(&y).for_each(|(&i, x)| z[i] = *x);
    let n = state.position.len();
    let Some(field) = closed.stands.field(&z) else { return Err(format!("no motion at the steady state {y:?}")) };
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(()) };
    let Some(p) = judge.admitted(state.time, &z[..n], &field[..n]) else { return Ok(()) };
    // Where differences do not settle, nothing is known of what rounding makes of a rate.
    let Some(slopes) = closed.jacobian(&y) else { return Ok(()) };
    for (k, &i) in closed.members.iter().enumerate() {
        let rate = if i < n {
            Some(judge.velocity(i, &p))
        } else {
            let e = r.flow.expressions[i - n];
            let Some(is) = judge.number(e, &p) else { continue };
            if (is - y[k]).abs() > 1e-6 * (1.0 + y[k].abs()) {
                return Err(format!("a quasi-velocity of the steady state {y:?} is {is}"));
            }
            judge.rate(e, &p)
        };
        let Some(rate) = rate else { continue };
        let row: f64 = slopes[k].iter().zip(&y).map(|(a, x)| a.abs() * (1.0 + x.abs())).sum();
        if rate.abs() > 1e-7 * (1.0 + row) {
            return Err(format!("the steady state {y:?} does not stand still: a rate is {rate}"));
        }
    }
    Ok(())
}

fn power_sums(list: &[Complex], most: usize) -> Vec<f64> {
    let mut powers: Vec<(f64, f64)> = list.iter().map(|z| (z.re, z.im)).collect();
    let mut sums = Vec::new();
    for _ in 0..most {
        sums.push(powers.iter().map(|z| z.0).sum());
        for (p, z) in powers.iter_mut().zip(list) {
            *p = (p.0 * z.re - p.1 * z.im, p.0 * z.im + p.1 * z.re);
        }
    }
    sums
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = a.len();
    (0..n).map(|i| (0..n).map(|j| (0..n).map(|k| a[i][k] * b[k][j]).sum()).collect()).collect()
}

fn largest(a: &[Vec<f64>]) -> f64 {
    a.iter().flatten().fold(0.0, |m, x| m.max(x.abs()))
}

/// Eigenvalues are those of a difference Jacobian, `linearise` says the same, and what is called asymptotic stays near.
fn eigenvalues_are_right(
    w: &mut Workbench,
    r: &Reduction,
    state: &State,
    m: &Motion,
    closed: &mut Closed,
) -> Result<(), String> {
    let y = values_of(m);
    let Some(jacobian) = closed.jacobian(&y) else { return Ok(()) };
    let n = y.len();
    let (fast, size) = (m.eigenvalues.iter().fold(0.0f64, |x, z| x.max(z.abs())), largest(&jacobian));
    let mut power = jacobian.clone();
    for (k, sum) in power_sums(&m.eigenvalues, n).into_iter().enumerate() {
        let trace: f64 = (0..n).map(|i| power[i][i]).sum();
        let allowed = 1e-5 * n as f64 * (fast.powi(k as i32 + 1) + 1e-2 * size.powi(k as i32 + 1) + 1e-3);
        if (trace - sum).abs() > allowed {
            return Err(format!("at {y:?}: the sum of the {k}-th powers of {:?} is not {trace}", m.eigenvalues));
        }
        power = product(&power, &jacobian);
    }
    let zeros = m.eigenvalues.iter().take(m.zero).all(|z| z.abs() == 0.0);
    if m.zero > n || !zeros {
        return Err(format!("{} zeros among {:?}", m.zero, m.eigenvalues));
    }
    let right = m.eigenvalues.iter().any(|z| z.re > 1e-3 * fast && z.re > 1e-3);
    if right && m.stable != Stability::Unstable {
        return Err(format!("{:?} is called {}", m.eigenvalues, m.stable.word()));
    }
    if m.stable == Stability::Asymptotic {
        stays_near(closed, &y, m)?;
    }
    linearised_alike(w, r, state, m, closed)
}

/// `linearise` at the same state says the same.
fn linearised_alike(
    w: &mut Workbench,
    r: &Reduction,
    state: &State,
    m: &Motion,
    closed: &mut Closed,
) -> Result<(), String> {
    let y = values_of(m);
    let mut z = closed.around.clone();
    closed.members.iter().zip(&y).for_each(|(&i, x)| z[i] = *x);
    let n = state.position.len();
    let Some(field) = closed.stands.field(&z) else { return Ok(()) };
    let there = State { position: z[..n].to_vec(), velocity: field[..n].to_vec(), ..state.clone() };
    let Ok(l) = linearise(w, r, &there, false) else { return Ok(()) };
    let (a, b) = (power_sums(&l.eigenvalues, 2), power_sums(&m.eigenvalues, 2));
    let fast = m.eigenvalues.iter().fold(1.0f64, |x, z| x.max(z.abs()));
    let alike = a.iter().zip(&b).enumerate().all(|(k, (a, b))| (a - b).abs() <= 1e-6 * fast.powi(k as i32 + 1));
    if !alike {
        return Err(format!("linearise has {:?}, steady {:?}", l.eigenvalues, m.eigenvalues));
    }
    if l.stable.is_some_and(|s| s != m.stable) {
        return Err(format!("linearise says {:?}, steady {:?} of {:?}", l.stable, m.stable, m.eigenvalues));
    }
    Ok(())
}

/// A neighbour of a motion that is called asymptotic comes to rest near it.
fn stays_near(closed: &mut Closed, y: &[f64], m: &Motion) -> Result<(), String> {
    let moving = || m.eigenvalues.iter().skip(m.zero);
    let slow = moving().fold(f64::INFINITY, |x, z| x.min(z.re.abs()));
    let fast = moving().fold(0.0f64, |x, z| x.max(z.abs()));
    let h = 0.1 / fast;
    let steps = (20.0 / slow / h).ceil();
    if !(1.0..20_000.0).contains(&steps) || slow < 1e-5 || slow < 1e-3 * fast || slow < 1e-4 * largest_slope(closed, y)
    {
        return Ok(());
    }
    // A member that attracts slowly attracts what is near enough: on the way the others go far.
    let steep = largest_slope(closed, y).max(fast).max(1.0);
    let size = 1e-4 * (slow / steep).powi(2).min(1.0);
    for sign in [1.0, -1.0] {
        let mut x: Vec<f64> = y.to_vec();
        for (k, x) in x.iter_mut().enumerate() {
            *x += sign * size * (1.0 + x.abs()) * (1.0 + 0.3 * k as f64);
        }
        let away = |x: &[f64]| x.iter().zip(y).fold(0.0f64, |m, (x, y)| m.max((x - y).abs() / (1.0 + y.abs())));
        let start = away(&x);
        for _ in 0..steps as usize {
            let Some(next) = step(closed, &x, h) else { return Ok(()) };
            x = next;
            // Neighbours of a matrix far from normal go a long way round before they come back.
            if away(&x) > 1e3 * start * (steep / slow).max(1.0) {
                return Err(format!("{y:?} is called asymptotic, and a neighbour leaves it: {:?}", m.eigenvalues));
            }
        }
        let Some(rates) = closed.rates(&x) else { return Ok(()) };
        let speed = rates.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if speed > 0.05 * start * steep {
            return Err(format!(
                "{y:?} is called asymptotic, and a neighbour does not come to rest: {:?}",
                m.eigenvalues
            ));
        }
    }
    Ok(())
}

fn largest_slope(closed: &mut Closed, y: &[f64]) -> f64 {
    closed.jacobian(y).map_or(f64::INFINITY, |j| largest(&j))
}

/// Runge and Kutta.
fn step(closed: &mut Closed, x: &[f64], h: f64) -> Option<Vec<f64>> {
    let shifted = |k: &[f64], h: f64| -> Vec<f64> { x.iter().zip(k).map(|(x, k)| x + h * k).collect() };
    let a = closed.rates(x)?;
    let b = closed.rates(&shifted(&a, h / 2.0))?;
    let c = closed.rates(&shifted(&b, h / 2.0))?;
    let d = closed.rates(&shifted(&c, h))?;
    Some((0..x.len()).map(|i| x[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i])).collect())
}

/// Where there are said to be no others, none is found from random places.
fn none_is_missing(
    w: &Workbench,
    answer: &Answer,
    symbols: &[Symbol],
    closed: &mut Closed,
    random: &mut Random,
) -> Result<(), String> {
    let Some(exact) = answer.exact.as_ref().filter(|x| x.complete) else { return Ok(()) };
    for k in 0..12 {
        let scale = [1.0, 3.0, 12.0, 0.3][k % 4];
        let start: Vec<f64> = symbols.iter().map(|_| scale * 2.0 * random.unit()).collect();
        let Some(y) = found(closed, &start) else { continue };
        if !exact.list.iter().any(|f| is_member(w, f, symbols, closed.stands.coordinates, &closed.members, &y)) {
            return Err(format!("there are said to be no others, and {y:?} is steady"));
        }
    }
    Ok(())
}

/// A steady state by damped least squares, where it is one beyond doubt: rates are measured by their derivatives.
fn found(closed: &mut Closed, start: &[f64]) -> Option<Vec<f64>> {
    let n = start.len();
    let mut y = start.to_vec();
    let mut damping = 1e-2;
    let norm = |r: &[f64]| r.iter().map(|x| x * x).sum::<f64>();
    for _ in 0..80 {
        let (mut r, mut j) = (closed.rates(&y)?, closed.jacobian(&y)?);
        let lengths: Vec<f64> = j.iter().map(|row| norm(row).sqrt()).collect();
        // Not at the edge of a chart, where derivatives are infinite, and not where the rates do not change at all.
        if lengths.iter().any(|x| *x > 1e7) || r.iter().zip(&lengths).any(|(r, x)| *x == 0.0 && *r != 0.0) {
            return None;
        }
        for i in 0..n {
            let length = if lengths[i] > 0.0 { lengths[i] } else { 1.0 };
            r[i] /= length;
            j[i].iter_mut().for_each(|x| *x /= length);
        }
        if r.iter().all(|x| x.abs() < 1e-10) && is_there(&r, &j) {
            let tame = y.iter().all(|x| x.abs() < 15.0) && lengths.iter().all(|x| *x == 0.0 || *x > 1e-3);
            return tame.then_some(y);
        }
        let square = |i: usize, k: usize| (0..n).map(|m| j[m][i] * j[m][k]).sum::<f64>();
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|k| square(i, k)).collect()).collect();
        let b: Vec<f64> = (0..n).map(|i| -(0..n).map(|m| j[m][i] * r[m]).sum::<f64>()).collect();
        (0..n).for_each(|i| a[i][i] += damping * (1e-6 + a[i][i]));
        let step = solved(a, b)?;
        let next: Vec<f64> = y.iter().zip(&step).map(|(y, s)| y + s).collect();
        let better = closed.rates(&next).is_some_and(|new| {
            let scaled = new.iter().zip(&lengths).map(|(x, l)| if *l > 0.0 { x / l } else { *x });
            norm(&scaled.collect::<Vec<_>>()) < norm(&r)
        });
        if better {
            y = next;
            damping = (damping * 0.2f64).max(1e-12);
        } else {
            damping *= 10.0;
        }
        if damping > 1e8 {
            return None;
        }
    }
    None
}

/// Does a step of Newton's method, with hardly any damping, stay where it is? Rates that only fade lead away.
fn is_there(r: &[f64], j: &[Vec<f64>]) -> bool {
    let n = r.len();
    let square = |i: usize, k: usize| (0..n).map(|m| j[m][i] * j[m][k]).sum::<f64>();
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|k| square(i, k)).collect()).collect();
    (0..n).for_each(|i| a[i][i] += 1e-14);
    let b: Vec<f64> = (0..n).map(|i| -(0..n).map(|m| j[m][i] * r[m]).sum::<f64>()).collect();
    solved(a, b).is_some_and(|step| step.iter().all(|x| x.abs() < 1e-5))
}

/// Is a state a member of a family, or one that is hardly beside it? Roots may have no value on one side.
fn is_member(w: &Workbench, f: &ExactFamily, symbols: &[Symbol], n: usize, members: &[usize], y: &[f64]) -> bool {
    let beside = |i: usize, h: f64| {
        let mut y = y.to_vec();
        y[i] += h;
        y
    };
    is_exactly_member(w, f, symbols, n, members, y)
        || (0..y.len())
            .any(|i| [1e-7, -1e-7].iter().any(|&h| is_exactly_member(w, f, symbols, n, members, &beside(i, h))))
}

/// Is a state a member of a family, angles up to whole turns?
fn is_exactly_member(
    w: &Workbench,
    f: &ExactFamily,
    symbols: &[Symbol],
    n: usize,
    members: &[usize],
    y: &[f64],
) -> bool {
    let Ok(mut values) = w.system.values(&w.g, &[]) else { return true };
    values.at.set_all(symbols, y);
    let list: Vec<Expr> = f.values.iter().map(|x| x.1).chain(f.relations.iter().copied()).collect();
    let evaluator = Evaluator::new(&w.g, &list);
    let found = values.evaluate(&evaluator);
    let (solved, relations) = found.split_at(f.values.len());
    let near = f.values.iter().zip(solved).all(|((s, _), x)| {
        let Some(k) = symbols.iter().position(|t| t == s) else { return true };
        let turn = std::f64::consts::TAU;
        let d = y[k] - x;
        let d = if members[k] < n { d.abs().min((d - turn * (d / turn).round()).abs()) } else { d.abs() };
        d <= 1e-3 * (1.0 + y[k].abs())
    });
    if !near || relations.is_empty() {
        return near;
    }
    // A relation is measured by how fast it changes.
    relations.iter().enumerate().all(|(k, &x)| {
        let mut fastest = 0.0f64;
        for (s, &at) in symbols.iter().zip(y) {
            for h in [1e-5, -1e-5] {
                values.at.set(*s, at + h);
                let moved = values.evaluate(&evaluator)[f.values.len() + k];
                fastest = fastest.max((moved - x).abs() / 1e-5);
            }
            values.at.set(*s, at);
        }
        x.abs() <= 1e-3 * (fastest + 1e-3)
    })
}
