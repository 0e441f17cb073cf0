//! The initial state: what the model gives, completed from the constraints.
//!
//! Given values are kept. Missing ones are chosen such that the constraints hold and the state changes least in the
//! metric of the kinetic energy, ‖δ‖² = δᵀ·(∂²T/∂q̇²)·δ, counted from zero. When everything is given, it must satisfy the
//! constraints up to rounding; otherwise the error names the residuals and the nearest state that does.

use super::load::Model;
use super::system::System;
use super::values::{Parameters, Values};
use crate::error::{Error, Result, Span};
use crate::expr::{Arena, Evaluator, Expr, Symbol, UnspecifiedId};
use crate::numeric::{ConstraintSet, Projector, brief, is_positive_definite, plural};

/// Given values satisfy a constraint when its residual is below this, relative to the terms of the constraint.
const TOLERANCE: f64 = 1e-9;
/// Newton's method is finished when steps and residuals are smaller than this, relative to the state.
const CONVERGED: f64 = 1e-14;

/// The weight of massless parts, beside the largest inertia: the nearest state is off by as much.
const WEIGHT: f64 = 1e-10;
/// Inertia above this part of the largest is one, and needs no weight.
const DEFINITE: f64 = 1e-9;

/// What is smaller beside the state may be a double root at zero, which is found to half of the digits.
const DOUBLE_ROOT: f64 = 1e-5;

/// Values that replace those of the model file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Initial time.
    pub time: Option<f64>,
    /// Parameters.
    pub parameters: Vec<(Symbol, f64)>,
    /// Positions by the index of their coordinate.
    pub position: Vec<(usize, f64)>,
    /// Velocities by the index of their coordinate.
    pub velocity: Vec<(usize, f64)>,
}

/// A state that satisfies the constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time.
    pub time: f64,
    /// Coordinates.
    pub position: Vec<f64>,
    /// Velocities.
    pub velocity: Vec<f64>,
    /// What was not given, and how it was chosen.
    pub completed: Vec<Completed>,
}

/// A value of the initial state that was not given.
#[derive(Clone, Debug, PartialEq)]
pub struct Completed {
    /// The coordinate or velocity.
    pub symbol: Symbol,
    /// The value chosen.
    pub value: f64,
    /// Why this value.
    pub how: Choice,
    /// The value at another state that the constraints allow as well: the other root.
    pub other: Option<f64>,
}

/// How a value was chosen that was not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It follows from the constraints, or lets them hold with the least change of the whole.
    Constraints,
    /// No constraint speaks of it: zero.
    Zero,
}

impl State {
    /// (q, q̇).
    pub fn values(&self) -> Vec<f64> {
        self.position.iter().chain(&self.velocity).copied().collect()
    }

    /// (t, q, q̇), as compiled code takes it.
    pub fn inputs(&self) -> Vec<f64> {
        [&[self.time], &self.position[..], &self.velocity[..]].concat()
    }
}

impl Model {
    /// The initial state of the model.
    pub fn initial_state(&mut self, overrides: &Overrides) -> Result<State> {
        complete(&mut self.arena, &self.system, overrides)
    }

    /// The functions that must be given before there is an initial state.
    pub fn initial_state_needs(&self) -> Vec<&str> {
        let list = not_given(&self.arena, &self.system);
        list.into_iter().map(|f| self.arena.unspecified_function(f).name.as_str()).collect()
    }
}

/// The functions that are not given and without which initial states are not completed.
fn not_given(arena: &Arena, system: &System) -> Vec<UnspecifiedId> {
    let needed: Vec<Expr> =
        system.constraints.iter().filter(|c| c.order < 2).map(|c| c.expr).chain([system.kinetic]).collect();
    arena.unspecified_in(&needed)
}

/// The initial state of a system.
pub fn complete(arena: &mut Arena, system: &System, overrides: &Overrides) -> Result<State> {
    Completer::new(arena, system).state(arena, system, overrides)
}

/// What it takes to complete initial states of one system, made once for many of them.
pub struct Completer {
    /// Functions without which there are no numbers.
    not_given: Vec<UnspecifiedId>,
    parameters: Parameters,
    /// The values of the model itself, if it has them all, with places for time and state.
    usual: Option<Values>,
    /// Where the model itself begins: many states differ in their velocities alone.
    still: Option<Still>,
    time: Option<Written>,
    /// Positions and velocities that the model gives.
    given: [Vec<Option<Written>>; 2],
    /// What must not vanish, beside whose it is.
    guards: Vec<Evaluator>,
    position: Level,
    velocity: Level,
}

/// Time and positions of the model itself, completed.
struct Still {
    values: Values,
    time: f64,
    position: Vec<f64>,
    completed: Vec<Completed>,
    /// Velocities as the model gives them.
    velocity: Vec<Option<f64>>,
}

/// A value as the model gives it.
enum Written {
    Number(f64),
    Formula(Evaluator),
}

impl Written {
    fn new(arena: &Arena, e: Expr) -> Written {
        match arena.as_number(e) {
            Some(x) => Written::Number(x.to_f64()),
            None => Written::Formula(Evaluator::new(arena, &[e])),
        }
    }

    fn value(&self, values: &Values) -> f64 {
        match self {
            Written::Number(x) => *x,
            Written::Formula(formula) => values.evaluate(formula)[0],
        }
    }
}

impl Completer {
    /// Prepares the constraints.
    pub fn new(arena: &mut Arena, system: &System) -> Completer {
        let metric: Vec<Expr> = arena.hessian(system.kinetic, &system.velocities).concat();
        let initial = system.initial.as_ref();
        let holonomic = system.constraints.iter().filter(|c| c.order == 0 && !c.inequality);
        let relations: Vec<(String, Expr)> = holonomic.map(|c| (c.name.clone(), c.expr)).collect();
        let given = |velocities: bool| {
            let list = initial.map_or(&[][..], |i| &i.relations[..]);
            let list = list.iter().filter(move |(.., of_velocities)| *of_velocities == velocities);
            list.map(|(name, e, _)| (name.clone(), *e)).collect::<Vec<_>>()
        };
        let relations: Vec<(String, Expr)> = relations.into_iter().chain(given(false)).collect();
        let span = initial.and_then(|i| i.position_span.clone());
        let position = Level::new(arena, &system.coordinates, relations, &metric, "position", span);
        let mut relations = Vec::new();
        // An inequality may be open.
        for c in system.constraints.iter().filter(|c| c.order < 2 && !c.inequality) {
            let expr = if c.order == 0 { arena.time_derivative(c.expr) } else { c.expr };
            relations.push((c.name.clone(), expr));
        }
        relations.extend(given(true));
        let span = initial.and_then(|i| i.velocity_span.clone());
        let not_given = not_given(arena, system);
        let velocity = Level::new(arena, &system.velocities, relations, &metric, "velocity", span);
        let written = |list: Option<&Vec<Option<Expr>>>| -> Vec<Option<Written>> {
            let of = |i: usize| list.and_then(|l| l.get(i).copied().flatten());
            (0..system.n()).map(|i| of(i).map(|e| Written::new(arena, e))).collect()
        };
        let parameters = Parameters::new(arena, system);
        let usual = parameters.values(arena, &[]).ok().map(|mut values| {
            values.at.set(arena.time(), f64::NAN);
            values.at.set_all(&system.coordinates, &vec![f64::NAN; system.n()]);
            values.at.set_all(&system.velocities, &vec![f64::NAN; system.n()]);
            values
        });
        Completer {
            not_given,
            parameters,
            usual,
            still: None,
            time: initial.map(|i| Written::new(arena, i.time)),
            given: [written(initial.map(|i| &i.position)), written(initial.map(|i| &i.velocity))],
            guards: system.guards.iter().map(|guard| Evaluator::new(arena, &[guard.expr])).collect(),
            position,
            velocity,
        }
    }

    /// The initial state with these values instead of the model's own.
    pub fn state(&mut self, arena: &Arena, system: &System, overrides: &Overrides) -> Result<State> {
        let Overrides { time, parameters, position, velocity } = overrides;
        let usual = time.is_none() && parameters.is_empty() && position.is_empty();
        // Where the metric of positions depends on velocities, they do.
        let known = usual && !self.position.metric_varies_with(&system.velocities);
        let mut still = match self.still.take() {
            Some(still) if known => still,
            _ => {
                self.velocity.room.clear();
                self.still(arena, system, overrides)?
            }
        };
        let mut given = still.velocity.clone();
        replace(&mut given, velocity);
        self.velocity.expect_finite(arena, system, &given, "'")?;
        let mut completed = still.completed.clone();
        let velocity = self.velocity.solve(arena, &mut still.values, &given, &mut completed)?;
        let state = State { time: still.time, position: still.position.clone(), velocity, completed };
        if known {
            self.still = Some(still);
        }
        Ok(state)
    }

    /// Time and positions.
    fn still(&mut self, arena: &Arena, system: &System, overrides: &Overrides) -> Result<Still> {
        if !self.not_given.is_empty() {
            return Err(arena.not_given(&self.not_given));
        }
        let mut values = match &self.usual {
            Some(usual) if overrides.parameters.is_empty() => usual.clone(),
            _ => self.parameters.values(arena, &overrides.parameters)?,
        };
        let time = overrides.time.unwrap_or_else(|| self.time.as_ref().map_or(0.0, |t| t.value(&values)));
        let given = |list: &[Option<Written>]| -> Vec<Option<f64>> {
            list.iter().map(|x| x.as_ref().map(|x| x.value(&values))).collect()
        };
        let (mut position, velocity) = (given(&self.given[0]), given(&self.given[1]));
        replace(&mut position, &overrides.position);
        self.position.expect_finite(arena, system, &position, "")?;
        values.at.set(arena.time(), time);
        // Some metrics depend on velocities (a kinetic energy that is not quadratic): begin with what is given.
        let mut start = velocity.clone();
        replace(&mut start, &overrides.velocity);
        self.velocity.expect_finite(arena, system, &start, "'")?;
        let start: Vec<f64> = start.into_iter().map(|v| v.unwrap_or(0.0)).collect();
        values.at.set_all(&system.velocities, &start);
        let mut completed = Vec::new();
        self.position.room.clear();
        let position = self.position.solve(arena, &mut values, &position, &mut completed)?;
        values.at.set_all(&system.coordinates, &position);
        for (guard, value) in system.guards.iter().zip(&self.guards) {
            if values.evaluate(value)[0].abs() < TOLERANCE {
                let message = format!("{} is singular at the initial state", guard.of);
                let error = Error::input(message)
                    .hint("no one point touches there, as where a disk lies flat: start from another attitude");
                return Err(self.position.error(error));
            }
        }
        Ok(Still { values, time, position, completed, velocity })
    }
}

/// Other values for some.
fn replace(given: &mut [Option<f64>], by: &[(usize, f64)]) {
    for &(i, x) in by {
        if let Some(place) = given.get_mut(i) {
            *place = Some(x);
        }
    }
}

/// Unknowns, and the relations there.
struct Found {
    x: Vec<f64>,
    /// The largest residual, relative to the terms of its constraint.
    worst: f64,
    jacobian: Vec<f64>,
    /// What the opposite guess leads to, where a guess was needed.
    other: Option<Vec<f64>>,
}

/// Positions or velocities, with the relations they must satisfy.
struct Level {
    unknowns: Vec<Symbol>,
    names: Vec<String>,
    /// Residuals, and behind them the Jacobian by rows.
    relations: Evaluator,
    /// What of them changes with the unknowns; the rest keeps its values in `room` while nothing else changes.
    varying: Vec<u32>,
    room: Vec<f64>,
    metric: Evaluator,
    /// What the metric depends on.
    scene: Vec<Symbol>,
    /// Does the metric depend on the unknowns?
    varies: bool,
    /// Does neither the metric nor the Jacobian?
    linear: bool,
    what: &'static str,
    span: Option<Span>,
    kept: Option<Kept>,
}

/// Room for projections, with what is held fixed in them: the same for many states.
struct Kept {
    fixed: Vec<bool>,
    projector: Projector,
    /// Room for residuals and Jacobian.
    both: Vec<f64>,
    /// What the metric depends on, and the metric there; empty where it depends on the unknowns too.
    scene: Vec<f64>,
    metric: Vec<f64>,
}

impl Level {
    fn new(
        arena: &mut Arena,
        unknowns: &[Symbol],
        relations: Vec<(String, Expr)>,
        metric: &[Expr],
        what: &'static str,
        span: Option<Span>,
    ) -> Self {
        let (names, exprs): (Vec<String>, Vec<Expr>) = relations.into_iter().unzip();
        let jacobian = arena.jacobian(&exprs, unknowns).concat();
        let depends = |list: &[Expr]| list.iter().any(|&e| arena.depends_on_any(e, unknowns));
        let varies = depends(metric);
        let linear = !varies && !depends(&jacobian);
        let relations = Evaluator::new(arena, &[exprs, jacobian].concat());
        Level {
            unknowns: unknowns.to_vec(),
            names,
            varying: relations.varying(unknowns),
            room: Vec::new(),
            relations,
            metric: Evaluator::new(arena, metric),
            scene: arena.free_symbols(metric),
            varies,
            linear,
            what,
            span,
            kept: None,
        }
    }

    fn error(&self, error: Error) -> Error {
        Error { span: self.span.clone(), ..error }
    }

    fn metric_varies_with(&self, symbols: &[Symbol]) -> bool {
        self.scene.iter().any(|s| symbols.contains(s))
    }

    fn expect_finite(&self, arena: &Arena, system: &System, given: &[Option<f64>], primes: &str) -> Result<()> {
        let Some(i) = given.iter().position(|x| x.is_some_and(|x| !x.is_finite())) else { return Ok(()) };
        let name = arena.name(system.coordinates[i]);
        let error = Error::input(format!("the initial value of `{name}{primes}` is not finite"));
        Err(self
            .error(error.hint("look for a division by zero, a root of a negative number, or a number beyond 1.8e308")))
    }

    fn solve(
        &mut self,
        arena: &Arena,
        values: &mut Values,
        given: &[Option<f64>],
        completed: &mut Vec<Completed>,
    ) -> Result<Vec<f64>> {
        let start: Vec<f64> = given.iter().map(|x| x.unwrap_or(0.0)).collect();
        let missing: Vec<bool> = given.iter().map(Option::is_none).collect();
        let n = given.len();
        let mut determined = vec![false; n];
        let mut solution = start.clone();
        let mut other = None;
        if !self.names.is_empty() {
            let found = if missing.contains(&true) {
                self.complete(values, &start, &missing)
            } else {
                let given = self.found(values, start.clone());
                // Consistent but for rounding: remove that silently.
                (given.worst <= TOLERANCE)
                    .then(|| self.project(values, &start, &start, &vec![true; n]).unwrap_or(given))
            };
            let Some(found) = found else { return Err(self.inconsistent(arena, values, &start, &missing)) };
            (0..n).for_each(|i| determined[i] = (0..self.names.len()).any(|j| found.jacobian[j * n + i] != 0.0));
            solution = found.x;
            other = found.other;
        }
        for (i, &x) in solution.iter().enumerate().filter(|(i, _)| missing[*i]) {
            let how = if determined[i] { Choice::Constraints } else { Choice::Zero };
            let other = other.as_ref().map(|other| other[i]).filter(|y| (x - y).abs() > DOUBLE_ROOT * (1.0 + x.abs()));
            completed.push(Completed { symbol: self.unknowns[i], value: x, how, other });
        }
        Ok(solution)
    }

    /// Chooses the missing values; the given ones stay.
    fn complete(&mut self, values: &mut Values, start: &[f64], missing: &[bool]) -> Option<Found> {
        let size = start.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let size = if size > 0.0 { size } else { 1.0 };
        // A nonlinear constraint may be flat at zero (z'² = x'² + y'²): then look from either side of it too.
        for guess in [0.0, 0.1 * size, -0.1 * size, size, -size] {
            let from: Vec<f64> = start.iter().zip(missing).map(|(x, m)| if *m { guess } else { *x }).collect();
            if let Some(found) = self.project(values, start, &from, missing) {
                if guess == 0.0 {
                    return Some(self.without_dust(values, found, missing));
                }
                let found = self.settled(values, start, found, missing);
                let found = self.without_dust(values, found, missing);
                let opposite: Vec<f64> =
                    found.x.iter().zip(missing).map(|(x, missing)| if *missing { -x } else { *x }).collect();
                let other = self.project(values, start, &opposite, missing).map(|other| other.x);
                return Some(Found { other, ..found });
            }
        }
        self.by_one(values, start, missing, size)
    }

    /// Where all together are too many (a quaternion of which one component is given), one may be enough.
    fn by_one(&mut self, values: &mut Values, start: &[f64], missing: &[bool], size: f64) -> Option<Found> {
        for i in (0..missing.len()).filter(|&i| missing[i]) {
            let alone: Vec<bool> = (0..missing.len()).map(|j| j == i).collect();
            for guess in [size, -size] {
                let mut from = start.to_vec();
                from[i] = guess;
                if let Some(found) = self.project(values, start, &from, &alone) {
                    return Some(found);
                }
            }
        }
        None
    }

    /// Where another relation needed the guess, values that it moved without need go back to zero: at a double root, as that of a
    /// quaternion with w = 1, Newton's method comes near to zero and never there.
    fn settled(&mut self, values: &mut Values, start: &[f64], found: Found, missing: &[bool]) -> Found {
        let size = found.x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let free: Vec<bool> = found.x.iter().zip(missing).map(|(x, m)| *m && x.abs() > DOUBLE_ROOT * size).collect();
        if free == missing {
            return found;
        }
        let zeroed = |(i, x): (usize, &f64)| if missing[i] && !free[i] { 0.0 } else { *x };
        let from: Vec<f64> = found.x.iter().enumerate().map(zeroed).collect();
        let clean = match free.contains(&true) {
            true => self.project(values, start, &from, &free),
            false => Some(self.found(values, from)),
        };
        clean.filter(|clean| clean.worst <= found.worst.max(4.0 * f64::EPSILON)).unwrap_or(found)
    }

    /// Chosen values that are zero but for rounding become zero, where the relations hold as well with that. Rounding is that of
    /// the values they share a relation with: what is small beside another velocity may be all there is in a relation without it.
    fn without_dust(&mut self, values: &mut Values, found: Found, missing: &[bool]) -> Found {
        let Found { x, worst, jacobian, .. } = &found;
        let (n, rows) = (x.len(), self.names.len());
        let occurs = |j: usize, i: usize| jacobian[j * n + i] != 0.0;
        let beside = |i: usize| {
            let others = (0..rows).filter(|&j| occurs(j, i)).flat_map(|j| (0..n).filter(move |&o| occurs(j, o)));
            others.fold(0.0f64, |m, o| m.max(x[o].abs()))
        };
        let is_dust = |i: usize| missing[i] && x[i].to_bits() != 0 && x[i].abs() <= 4.0 * f64::EPSILON * beside(i);
        if !(0..n).any(is_dust) {
            return found;
        }
        let clean = self.found(values, (0..n).map(|i| if is_dust(i) { 0.0 } else { x[i] }).collect());
        if clean.worst <= worst.max(4.0 * f64::EPSILON) { clean } else { found }
    }

    /// The relations there.
    fn found(&mut self, values: &mut Values, x: Vec<f64>) -> Found {
        let (residuals, jacobian) = self.relative(values, &x);
        let larger = |worst: f64, (_, r): (f64, f64)| if r.is_nan() { f64::INFINITY } else { r.max(worst) };
        Found { worst: residuals.into_iter().fold(0.0, larger), x, jacobian, other: None }
    }

    /// Every residual, as it is and relative to the terms of its constraint, and the Jacobian.
    fn relative(&mut self, values: &mut Values, x: &[f64]) -> (Vec<(f64, f64)>, Vec<f64>) {
        values.at.set_all(&self.unknowns, x);
        let mut both = vec![0.0; self.names.len() * (x.len() + 1)];
        values.evaluate_in(&mut self.room, &self.relations, &self.varying, &mut both);
        let jacobian = both.split_off(self.names.len());
        // The size of the whole state: a term may vanish where its neighbours' rounding errors do not.
        let size = x.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let relative = |(j, &r): (usize, &f64)| {
            let row = &jacobian[j * x.len()..(j + 1) * x.len()];
            let scale = size * row.iter().map(|a| a.abs()).sum::<f64>();
            (r, if r == 0.0 { 0.0 } else { r.abs() / scale })
        };
        (both.iter().enumerate().map(relative).collect(), jacobian)
    }

    /// The `free` unknowns nearest to `origin` that satisfy the relations, looked for from `from` on.
    fn project(&mut self, values: &mut Values, origin: &[f64], from: &[f64], free: &[bool]) -> Option<Found> {
        let mut x = from.to_vec();
        let (n, m) = (x.len(), self.names.len());
        let known = self.kept.take().filter(|kept| kept.fixed.iter().zip(free).all(|(fixed, free)| fixed != free));
        let mut kept = known.unwrap_or_else(|| {
            let fixed: Vec<bool> = free.iter().map(|free| !free).collect();
            let projector = Projector::new(n, m, &fixed);
            Kept { fixed, projector, both: vec![0.0; m * (n + 1)], scene: Vec::new(), metric: Vec::new() }
        });
        // States that differ in their velocities alone have one metric.
        let scene = self.scene.iter().map(|&s| values.at.get(s));
        if kept.scene.len() != scene.len() || !scene.clone().zip(&kept.scene).all(|(x, y)| x.to_bits() == y.to_bits()) {
            kept.scene.clear();
            kept.scene.extend(scene);
            kept.metric.clear();
        }
        let Kept { projector, both, metric, .. } = &mut kept;
        let mut here = OfLevel { level: self, values, free, both, metric };
        let nearest = projector.nearest(&mut here, origin, &mut x, CONVERGED);
        self.kept = Some(kept);
        nearest.ok()?;
        let found = self.found(values, x);
        (found.worst <= TOLERANCE * 1e-2).then_some(found)
    }

    fn inconsistent(&mut self, arena: &Arena, values: &mut Values, start: &[f64], missing: &[bool]) -> Error {
        let (residuals, _) = self.relative(values, start);
        if let Some(j) = residuals.iter().position(|(r, _)| !r.is_finite()) {
            let message = format!("constraint `{}` has no finite value at the initial {}", self.names[j], self.what);
            return self
                .error(Error::input(message).hint("look for a division by zero or a root of a negative number"));
        }
        let violated: Vec<String> = (0..residuals.len())
            .filter(|&j| residuals[j].1 > TOLERANCE)
            .map(|j| format!("`{}` by {}", self.names[j], brief(residuals[j].0, 6)))
            .collect();
        let which = if missing.contains(&true) {
            format!("no choice of the missing values makes the initial {} consistent; it violates", self.what)
        } else {
            format!("the initial {} violates", self.what)
        };
        let error = Error::input(format!("{which} the constraint{} {}", plural(violated.len()), violated.join(", ")));
        let all = vec![true; start.len()];
        // From zero all directions are alike: one unknown says more than a part of each (a quaternion of zeros).
        let at_zero = start.iter().all(|x| *x == 0.0);
        let simple = if at_zero { self.by_one(values, start, &all, 1.0) } else { None };
        let nearest = simple.or_else(|| self.complete(values, start, &all));
        let hint = match nearest {
            Some(Found { x, .. }) => {
                let name = |s: Symbol| arena.name(s).trim_end_matches('\'');
                let list: Vec<String> =
                    self.unknowns.iter().zip(&x).map(|(&s, &x)| format!("{} = {}", name(s), brief(x, 10))).collect();
                format!("the nearest consistent one is {} = {{ {} }}", self.what, list.join(", "))
            }
            None => format!("no consistent {} was found near it", self.what),
        };
        self.error(error.hint(hint))
    }
}

/// The relations of a level at the present values of everything else.
struct OfLevel<'a> {
    level: &'a mut Level,
    values: &'a mut Values,
    free: &'a [bool],
    /// Room for residuals and Jacobian.
    both: &'a mut [f64],
    /// The metric, once it is known, where it does not change.
    metric: &'a mut Vec<f64>,
}

impl OfLevel<'_> {
    /// Is a metric definite in the directions that the constraints leave free: is it with their gradients added?
    fn definite_within(&self, mut block: Vec<f64>, free: &[usize], largest: f64) -> bool {
        let (n, l) = (self.level.unknowns.len(), free.len());
        if largest <= 0.0 {
            return false;
        }
        for row in self.both[self.level.names.len()..].chunks(n) {
            let length: f64 = free.iter().map(|&i| row[i] * row[i]).sum();
            if length == 0.0 || !length.is_finite() {
                continue;
            }
            for (p, &i) in free.iter().enumerate() {
                for (q, &j) in free.iter().enumerate() {
                    block[p * l + q] += largest * row[i] * row[j] / length;
                }
            }
        }
        is_positive_definite(&block, l)
    }
}

impl ConstraintSet for OfLevel<'_> {
    fn residual(&mut self, x: &[f64], c: &mut [f64], jacobian: &mut [f64]) {
        self.values.at.set_all(&self.level.unknowns, x);
        let Level { relations, varying, room, .. } = &mut *self.level;
        self.values.evaluate_in(room, relations, varying, self.both);
        let (residuals, slopes) = self.both.split_at(c.len());
        c.copy_from_slice(residuals);
        jacobian.copy_from_slice(slopes);
    }

    /// The metric of the kinetic energy on the free unknowns. Where it is degenerate in directions that the constraints leave free
    /// (massless parts), a small weight makes it definite; where it is not positive at all, plain lengths are used.
    fn metric(&mut self, x: &[f64], metric: &mut [f64]) {
        let n = x.len();
        if !self.metric.is_empty() {
            return metric.copy_from_slice(self.metric);
        }
        self.values.evaluate_into(&self.level.metric, metric);
        let free: Vec<usize> = (0..n).filter(|&i| self.free[i]).collect();
        let largest = free.iter().map(|&i| metric[i * n + i]).fold(0.0f64, f64::max);
        let weight = if largest.is_finite() && largest > 0.0 { WEIGHT * largest } else { 1.0 };
        let block = |shift: f64, metric: &[f64]| -> Vec<f64> {
            let entry = |i: usize, j: usize| metric[i * n + j] + if i == j { shift } else { 0.0 };
            free.iter().flat_map(|&i| free.iter().map(move |&j| entry(i, j))).collect()
        };
        let definite = is_positive_definite(&block(-DEFINITE * largest, metric), free.len());
        if !definite && !self.definite_within(block(-DEFINITE * largest, metric), &free, largest) {
            (0..n).for_each(|i| metric[i * n + i] += weight);
            if !is_positive_definite(&block(0.0, metric), free.len()) {
                metric.fill(0.0);
                (0..n).for_each(|i| metric[i * n + i] = 1.0);
            }
        } else if !definite {
            // It is enough for these constraints alone.
            return;
        }
        if !self.level.varies {
            self.metric.extend_from_slice(metric);
        }
    }

    fn is_linear(&self) -> bool {
        self.level.linear
    }
}

#[cfg(test)]
mod tests;
