//! A gait: the shape as a function of time, and what it does to the body.

use super::connection::Connection;
use crate::compile::{CompileOptions, Runner, TapeBuilder};
use crate::error::{Error, Result};
use crate::expr::{Expr, Formula, Symbol};
use crate::mechanics::Workbench;
use crate::simulate::{Dop853, OdeFn, Plan, Samples, Settings, StepSize, Tolerance, integrate};
use rustc_hash::FxHashMap;

/// What is asked.
#[derive(Clone, Debug)]
pub struct Gait {
    /// Each coordinate of the shape as a function of t.
    pub shape: Vec<Expr>,
    /// The period.
    pub period: f64,
    /// So many periods.
    pub cycles: u32,
    /// Momenta at the beginning.
    pub momenta: Vec<f64>,
    /// Tolerance of the integration.
    pub tolerance: f64,
}

/// What a gait does.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Change of the group's coordinates after the last period, from the identity.
    pub displacement: Vec<f64>,
    /// Momenta at the end.
    pub momenta: Vec<f64>,
    /// Along the way: time, group, momenta.
    pub path: Vec<(f64, Vec<f64>)>,
    /// −∬B over a surface that the gait bounds, along ξ; `None` where the shape does not return.
    pub geometric: Option<Vec<f64>>,
}

/// Samples of one period.
const SAMPLES: u32 = 200;
/// Points of a period at which the surface is summed: periodic functions need no better rule than the trapezoidal one.
const POINTS: usize = 400;
/// Gauss' nodes and weights on (0, 1), for the way from the middle of the surface to its edge.
const NODES: [(f64, f64); 8] = [
    (0.019855071751231856, 0.05061426814518815),
    (0.10166676129318664, 0.11119051722668725),
    (0.2372337950418355, 0.15685332293894366),
    (0.4082826787521751, 0.181341891689181),
    (0.591717321247825, 0.181341891689181),
    (0.7627662049581645, 0.15685332293894366),
    (0.8983332387068134, 0.11119051722668725),
    (0.9801449282487682, 0.05061426814518815),
];

/// Follows a gait.
pub fn phase(w: &mut Workbench, c: &Connection, gait: &Gait) -> Result<Phase> {
    check(w, c, gait)?;
    let mut rates = motion(w, c, gait)?;
    let (m, k) = (c.group.len(), c.momenta.len());
    let mut input = vec![0.0; 1 + m + k];
    let ode = OdeFn::new(m + k, |t, y: &[f64], dy: &mut [f64]| {
        input[0] = t;
        input[1..].copy_from_slice(y);
        rates.run(&input, dy);
    });
    let mut y = vec![0.0; m];
    y.extend(&gait.momenta);
    let until = gait.period * f64::from(gait.cycles);
    let count = SAMPLES * gait.cycles;
    let times: Vec<f64> = (0..=count).map(|i| until * f64::from(i) / f64::from(count)).collect();
    let mut stepper = Dop853::new(ode, 0.0, &y, Tolerance::new(gait.tolerance), StepSize::default());
    let mut samples = Samples::default();
    let run = integrate(&mut stepper, &Plan { samples: &times, ..Plan::until(until) }, &mut [], &mut samples);
    if !run.outcome.is_success() {
        return Err(Error::computation(format!("the gait cannot be followed beyond t = {}", run.t))
            .hint("a shape on the way may be singular: constraints lose their rank there"));
    }
    let geometric = geometric(w, c, gait)?;
    Ok(Phase {
        displacement: run.state[..m].to_vec(),
        momenta: run.state[m..].to_vec(),
        path: samples.points,
        geometric,
    })
}

fn check(w: &Workbench, c: &Connection, gait: &Gait) -> Result<()> {
    if !(gait.period > 0.0 && gait.period.is_finite()) || gait.cycles == 0 {
        return Err(Error::input("a gait has a period greater than zero, and at least one cycle"));
    }
    Settings { tolerance: gait.tolerance, ..Settings::until(gait.period) }.check()?;
    let t = w.g.time();
    for (&r, &e) in c.shape.iter().zip(&gait.shape) {
        if let Some(&s) = w.g.free_symbols(&[e]).iter().find(|&&s| s != t && w.g.role(s).varies()) {
            let (name, other) = (w.g.name(r), w.g.name(s));
            return Err(Error::input(format!("the gait of `{name}` contains `{other}`"))
                .hint("a gait is a function of t and parameters"));
        }
    }
    Ok(())
}

/// r and r' along the gait.
fn prescribed(w: &mut Workbench, c: &Connection, gait: &Gait) -> FxHashMap<Symbol, Expr> {
    let t = w.g.time();
    let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for ((&r, &v), &e) in c.shape.iter().zip(&c.shape_velocities).zip(&gait.shape) {
        map.insert(r, e);
        map.insert(v, w.g.diff(e, t));
    }
    map
}

fn compiled(w: &Workbench, inputs: &[Symbol], outputs: &[Expr]) -> Result<Runner> {
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut builder = TapeBuilder::new(&w.g, inputs, &options)?;
    let values = builder.lower(&w.g, outputs)?;
    Ok(builder.finish(&values)?.runner())
}

/// (t, group, momenta) → their rates.
fn motion(w: &mut Workbench, c: &Connection, gait: &Gait) -> Result<Runner> {
    let speeds: Vec<Expr> = c.shape_velocities.iter().map(|&s| w.g.symbol(s)).collect();
    let letters: Vec<Expr> = c.momenta.iter().map(|m| w.g.symbol(m.symbol)).collect();
    let mut xi: FxHashMap<Symbol, Expr> = FxHashMap::default();
    for (((s, _), a), b) in c.body_velocity.iter().zip(&c.connection).zip(&c.inverse) {
        let mut e = Formula::ZERO;
        a.iter().zip(&speeds).for_each(|(&a, &v)| e -= a * v);
        b.iter().zip(&letters).for_each(|(&b, &p)| e += b * p);
        xi.insert(*s, w.g.of(e));
    }
    let mut outputs = w.g.substitute_all(&c.group_rates, &xi);
    outputs.extend(c.momenta.iter().map(|m| m.rate));
    let map = prescribed(w, c, gait);
    let outputs = w.g.substitute_all(&outputs, &map);
    let mut inputs = vec![w.g.time()];
    inputs.extend(&c.group);
    inputs.extend(c.momenta.iter().map(|m| m.symbol));
    compiled(w, &inputs, &outputs)
}

/// −∬B over the cone from the middle of the gait to the gait itself.
fn geometric(w: &mut Workbench, c: &Connection, gait: &Gait) -> Result<Option<Vec<f64>>> {
    let n = c.shape.len();
    let map = prescribed(w, c, gait);
    let along: Vec<Expr> = c.shape.iter().chain(&c.shape_velocities).map(|s| map[s]).collect();
    let mut place = compiled(w, &[w.g.time()], &along)?;
    let components: Vec<Expr> = c.curvature.iter().flat_map(|b| b.1.iter().copied()).collect();
    let mut curvature = compiled(w, &c.shape, &components)?;
    let mut at = |t: f64| {
        let mut out = vec![0.0; 2 * n];
        place.run(&[t], &mut out);
        out
    };
    let (first, last) = (at(0.0), at(gait.period));
    let size = first[..n].iter().fold(1.0f64, |m, x| m.max(x.abs()));
    if first[..n].iter().zip(&last).any(|(a, b)| (a - b).abs() > 1e-9 * size) {
        return Ok(None);
    }
    let points: Vec<Vec<f64>> = (0..POINTS).map(|i| at(gait.period * i as f64 / POINTS as f64)).collect();
    let middle: Vec<f64> = (0..n).map(|i| points.iter().map(|p| p[i]).sum::<f64>() / POINTS as f64).collect();
    let width = c.body_velocity.len();
    let mut total = vec![0.0; width];
    let mut values = vec![0.0; components.len()];
    for p in &points {
        let arm: Vec<f64> = (0..n).map(|i| p[i] - middle[i]).collect();
        for (s, weight) in NODES {
            let r: Vec<f64> = (0..n).map(|i| middle[i] + s * arm[i]).collect();
            curvature.run(&r, &mut values);
            for (pair, b) in c.curvature.iter().zip(values.chunks(width)) {
                let (i, j) = pair.0;
                let area = s * (arm[i] * p[n + j] - arm[j] * p[n + i]) * weight * gait.period / POINTS as f64;
                total.iter_mut().zip(b).for_each(|(t, b)| *t -= b * area);
            }
        }
    }
    Ok(total.iter().all(|x| x.is_finite()).then_some(total))
}
