//! The closed part in numbers: rates, and their exact derivatives, as straight-line code.

use super::linearise::variables_at;
use super::members::is_regular;
use super::reduce::Reduction;
use crate::compile::{CompileOptions, Runner, TapeBuilder};
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Node, Symbol};
use crate::mechanics::{Excursion, Workbench};
use crate::model::State;
use crate::numeric::spectrum::solve;
use crate::simulate::TableWatch;
use rustc_hash::FxHashMap;

/// A quasi-velocity of one that moves coordinates so much faster than at the initial state is at the edge of its chart: there it no
/// longer describes the motion, and what stands still in it need not stand still.
const EDGE: f64 = 1e6;
/// Programs of more nodes are compiled as they stand: a family has some hundred points.
const LONG: usize = 20_000;

/// The closed part, compiled. Its variables are the coordinates of the closed part, tied ones too, and then the quasi-velocities.
pub struct Numbers {
    /// Coordinates of the closed part, tied ones too.
    pub shape: Vec<Symbol>,
    /// Quasi-velocities.
    pub free: Vec<Symbol>,
    /// Number of coordinates, those outside the closed part too.
    coordinates: usize,
    /// Parameters that can be changed, and their values.
    pub open: Vec<(Symbol, f64)>,
    /// Positions of the tied coordinates among the variables.
    tied: Vec<usize>,
    ties: usize,
    /// Further functions of the variables: what a family is followed along.
    watched: usize,
    /// Are there functions with corners or jumps?
    pub cornered: bool,
    runner: Runner,
    /// ∂q̇/∂v, and the size up to which it belongs to the chart.
    directions: Runner,
    bound: f64,
    /// G at the initial state: where it has nearly vanished beside this, the coordinates no longer describe the motion.
    inertia: Vec<f64>,
    buffer: Vec<f64>,
    /// Tables that the motion may leave.
    tables: Option<TableWatch>,
}

/// The closed part at one point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Rates of the variables.
    pub rates: Vec<f64>,
    /// Derivatives of the rates by the variables, then by the open parameters; exact where v̇ = 0 or `frozen` was asked for.
    pub jacobian: Vec<Vec<f64>>,
    /// Holonomic constraints.
    pub ties: Vec<f64>,
    /// Their derivatives.
    pub tie_slopes: Vec<Vec<f64>>,
    /// Watched functions.
    pub watched: Vec<f64>,
    /// Their derivatives.
    pub watched_slopes: Vec<Vec<f64>>,
    /// G.
    pub mass: Vec<Vec<f64>>,
    /// ∂R/∂(variables, open parameters) − ∂G v̇.
    pub force_slopes: Vec<Vec<f64>>,
}

impl Numbers {
    /// Compiles the closed part. `open` are parameters that will be changed, `watched` functions of (q, v) to be evaluated beside;
    /// coordinates outside the closed part stand in them at their initial values.
    pub fn new(w: &mut Workbench, r: &Reduction, open: &[Symbol], watched: &[Expr], state: &State) -> Result<Numbers> {
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let flow = &r.flow;
        let l = flow.free.len();
        // A parameter that is given by others follows them.
        let given: FxHashMap<Symbol, Expr> = {
            let mut map = FxHashMap::default();
            for p in w.system.parameters.clone() {
                if !open.contains(&p.symbol) && w.g.depends_on_any(p.value, open) {
                    map.insert(p.symbol, p.value);
                }
            }
            map
        };
        let follow = |w: &mut Workbench, e: Expr| -> Expr {
            let mut e = e;
            for _ in 0..given.len() {
                e = w.g.substitute(e, &given);
            }
            e
        };
        let mut values: Vec<Expr> = Vec::new();
        let shape_rates: Vec<Expr> = r.shape.iter().filter_map(|&s| flow.rate_of(s)).collect();
        values.extend(&shape_rates);
        values.extend(&flow.right);
        values.extend(&r.ties);
        values.extend(watched);
        values.extend(flow.mass.iter().flatten());
        let values: Vec<Expr> = values.into_iter().map(|e| follow(w, e)).collect();
        let variables: Vec<Symbol> = r.shape.iter().chain(&flow.free).chain(open).copied().collect();
        let mut outputs = values.clone();
        outputs.extend(w.g.jacobian(&values, &variables).concat());
        let mut inputs = variables.clone();
        inputs.extend(&r.quadratures);
        inputs.push(w.g.time());
        let compiled = |w: &mut Workbench, outputs: &[Expr]| -> Result<Runner> {
            let mut builder = TapeBuilder::new(&w.g, &inputs, &options)?;
            let nodes = w.count_compiled(outputs);
            let lowered =
                if nodes > LONG { builder.lower_as_it_stands(&w.g, outputs)? } else { builder.lower(&w.g, outputs)? };
            Ok(builder.finish(&lowered)?.runner())
        };
        let corner = |node: &Node| matches!(node, Node::Call(Function::Abs | Function::Sign, _) | Node::Table(..));
        let cornered = w.g.reachable(&values).iter().any(|&e| corner(w.g.node(e)));
        let tables = TableWatch::new(w, &values, &inputs, &options)?;
        let runner = compiled(w, &outputs)?;
        let mut directions: Vec<Expr> = Vec::new();
        for &e in &flow.velocities {
            let e = follow(w, e);
            directions.extend(flow.free.iter().map(|&s| w.g.diff(e, s)));
        }
        let directions = compiled(w, &directions)?;
        let opened: Vec<(Symbol, f64)> =
            open.iter().map(|&s| (s, options.parameters.iter().find(|(p, _)| *p == s).map_or(0.0, |p| p.1))).collect();
        let tied = r.tied.iter().filter_map(|s| r.shape.iter().position(|q| q == s)).collect();
        let mut buffer = vec![0.0; inputs.len()];
        let outside = variables.len();
        for (i, &q) in r.quadratures.iter().enumerate() {
            let at = flow.coordinates.iter().position(|&s| s == q).unwrap_or(0);
            buffer[outside + i] = state.position[at];
        }
        buffer[outside + r.quadratures.len()] = state.time;
        debug_assert_eq!(flow.mass.len(), l);
        let mut numbers = Numbers {
            shape: r.shape.clone(),
            free: flow.free.clone(),
            coordinates: flow.coordinates.len(),
            open: opened,
            tied,
            ties: r.ties.len(),
            watched: watched.len(),
            cornered,
            runner,
            directions,
            bound: f64::INFINITY,
            inertia: Vec::new(),
            buffer,
            tables,
        };
        if let Ok(initial) = variables_at(w, r, state) {
            numbers.take_measure(&initial);
        }
        Ok(numbers)
    }

    /// What is usual: at the initial state, or, where that is at the edge itself, beside it.
    fn take_measure(&mut self, initial: &[f64]) {
        let parameters = self.parameters();
        let beside = |by: f64| -> Vec<f64> { initial.iter().map(|x| x + by).collect() };
        let places = [beside(0.0), beside(0.3), beside(-0.2)];
        let usual = places.iter().map(|y| self.fastest(y, &parameters)).find(|x| x.is_finite() && *x < 1e12);
        if let Some(fastest) = usual.filter(|x| *x > 0.0) {
            self.bound = EDGE * fastest;
        }
        let mass = places.iter().find_map(|y| self.at(y, &parameters).ok()).map(|p| p.mass.concat());
        self.inertia = mass.unwrap_or_default();
    }

    /// The largest of ∂q̇/∂v; infinite where one of them is not a number.
    fn fastest(&mut self, variables: &[f64], parameters: &[f64]) -> f64 {
        self.stand_at(variables, parameters);
        let mut out = vec![0.0; self.coordinates * self.free.len()];
        self.directions.run(&self.buffer, &mut out);
        out.iter().fold(0.0, |m, x| if x.is_nan() { f64::INFINITY } else { x.abs().max(m) })
    }

    fn stand_at(&mut self, variables: &[f64], parameters: &[f64]) {
        let size = self.size();
        self.buffer[..size].copy_from_slice(variables);
        self.buffer[size..size + self.open.len()].copy_from_slice(parameters);
    }

    /// Looks at a state of a motion: does it leave a table?
    pub fn look(&mut self, t: f64, variables: &[f64]) {
        if self.tables.is_none() {
            return;
        }
        let parameters = self.parameters();
        self.set_time(t);
        self.stand_at(variables, &parameters);
        self.tables.iter_mut().for_each(|tables| tables.look(t, &self.buffer));
    }

    /// Tables that the motion left.
    pub fn excursions(&mut self) -> Vec<Excursion> {
        self.tables.as_mut().map(TableWatch::take).unwrap_or_default()
    }

    /// Number of variables, tied ones too.
    pub fn size(&self) -> usize {
        self.shape.len() + self.free.len()
    }

    /// Positions of the variables that are not tied.
    pub fn independent(&self) -> Vec<usize> {
        (0..self.size()).filter(|i| !self.tied.contains(i)).collect()
    }

    /// Positions of the variables that are tied.
    pub fn tied(&self) -> &[usize] {
        &self.tied
    }

    /// The time at which the closed part is looked at.
    pub fn set_time(&mut self, t: f64) {
        if let Some(last) = self.buffer.last_mut() {
            *last = t;
        }
    }

    /// Values of the open parameters, as the model gives them.
    pub fn parameters(&self) -> Vec<f64> {
        self.open.iter().map(|p| p.1).collect()
    }

    /// Rates and derivatives. An error says that there is no motion at this point.
    pub fn at(&mut self, variables: &[f64], parameters: &[f64]) -> Result<Point> {
        let (m, l, h) = (self.shape.len(), self.free.len(), self.ties);
        let width = m + l + self.open.len();
        if self.fastest(variables, parameters) > self.bound {
            return Err(Error::computation("the quasi-velocities do not describe the motion here"));
        }
        let count = m + l + h + self.watched + l * l;
        let mut out = vec![0.0; count * (1 + width)];
        self.runner.run(&self.buffer, &mut out);
        if out.iter().any(|x| !x.is_finite()) {
            return Err(Error::computation("the rates are not finite here"));
        }
        let (values, slopes) = out.split_at(count);
        let slopes: Vec<Vec<f64>> = slopes.chunks(width).map(<[f64]>::to_vec).collect();
        let mass: Vec<Vec<f64>> = values[count - l * l..].chunks(l.max(1)).map(<[f64]>::to_vec).collect();
        let mass_slopes = &slopes[count - l * l..];
        let singular = || Error::computation("the inertia is singular here");
        if !self.inertia.is_empty() && !is_regular(&values[count - l * l..], &self.inertia, l) {
            return Err(singular());
        }
        let right: Vec<Vec<f64>> = values[m..m + l].iter().map(|&x| vec![x]).collect();
        let accelerations: Vec<f64> =
            solve(&mass, &right).ok_or_else(singular)?.into_iter().map(|row| row[0]).collect();
        // G ∂v̇ = ∂R − ∂G v̇
        let mut force_slopes: Vec<Vec<f64>> = slopes[m..m + l].to_vec();
        for r in 0..l {
            for s in 0..l {
                for c in 0..width {
                    force_slopes[r][c] -= mass_slopes[r * l + s][c] * accelerations[s];
                }
            }
        }
        let lower = solve(&mass, &force_slopes).ok_or_else(singular)?;
        let mut jacobian: Vec<Vec<f64>> = slopes[..m].to_vec();
        jacobian.extend(lower);
        let mut rates = values[..m].to_vec();
        rates.extend(accelerations);
        let (a, b) = (m + l, m + l + h);
        Ok(Point {
            rates,
            jacobian,
            ties: values[a..b].to_vec(),
            tie_slopes: slopes[a..b].to_vec(),
            watched: values[b..b + self.watched].to_vec(),
            watched_slopes: slopes[b..b + self.watched].to_vec(),
            mass,
            force_slopes,
        })
    }

    /// How the tied coordinates follow the others: ∂(tied)/∂(independent), rows by tied ones.
    pub fn followed(&self, point: &Point) -> Result<Vec<Vec<f64>>> {
        let independent = self.independent();
        let pick = |columns: &[usize], sign: f64| -> Vec<Vec<f64>> {
            point.tie_slopes.iter().map(|row| columns.iter().map(|&c| sign * row[c]).collect()).collect()
        };
        solve(&pick(&self.tied, 1.0), &pick(&independent, -1.0))
            .ok_or_else(|| Error::computation("a holonomic constraint cannot be solved for the tied coordinate here"))
    }

    /// A matrix with a column per variable, on the holonomic constraints: a column per independent variable.
    pub fn restricted(&self, rows: &[Vec<f64>], followed: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let independent = self.independent();
        rows.iter()
            .map(|row| {
                independent
                    .iter()
                    .enumerate()
                    .map(|(c, &i)| row[i] + self.tied.iter().zip(followed).map(|(&t, f)| row[t] * f[c]).sum::<f64>())
                    .collect()
            })
            .collect()
    }

    /// The Jacobian of the closed part on the holonomic constraints.
    pub fn matrix(&self, point: &Point) -> Result<Vec<Vec<f64>>> {
        let followed = self.followed(point)?;
        let rows: Vec<Vec<f64>> = self.independent().iter().map(|&i| point.jacobian[i].clone()).collect();
        Ok(self.restricted(&rows, &followed))
    }
}
