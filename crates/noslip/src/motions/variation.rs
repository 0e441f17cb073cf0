//! The closed part with its variational equations, as a differential equation:
//!
//! ```text
//! ż = f(t, z),    Y' = J(t, z) Y,    J = ∂f/∂z,
//! ```
//!
//! with J from the expressions. Vectors that are tangent to the holonomic constraints stay so. Beside them runs the integral of the
//! divergence, Σ ∂f_i/∂z_i.

use super::numbers::Numbers;
use crate::error::{Error, Result};
use crate::mechanics::Excursion;
use crate::numeric::brief;
use crate::numeric::spectrum::{null_space, solve};
use crate::simulate::{
    Direction, Dop853, Event, Observer, Ode, Plan, RhsFailure, StepFailure, StepSize, Stepper, Tolerance, integrate,
};

/// z, the columns of Y, and the integral of the divergence.
pub(super) struct Variation {
    numbers: Numbers,
    parameters: Vec<f64>,
    size: usize,
    count: usize,
}

impl Ode for Variation {
    fn dimension(&self) -> usize {
        self.size * (1 + self.count) + 1
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> std::result::Result<(), RhsFailure> {
        let d = self.size;
        self.numbers.set_time(t);
        let point = self
            .numbers
            .at(&y[..d], &self.parameters)
            .map_err(|e| RhsFailure::Singular { which: e.message.clone() })?;
        dy[..d].copy_from_slice(&point.rates);
        dy[d * (1 + self.count)] = if self.count == 0 {
            0.0
        } else {
            let trace = |m: &[Vec<f64>]| (0..d.min(m.len())).map(|i| m[i][i]).sum();
            if self.numbers.tied().is_empty() {
                trace(&point.jacobian)
            } else {
                let matrix = self.numbers.matrix(&point);
                trace(&matrix.map_err(|e| RhsFailure::Singular { which: e.message.clone() })?)
            }
        };
        for k in 0..self.count {
            let (column, out) = (&y[d * (1 + k)..d * (2 + k)], &mut dy[d * (1 + k)..d * (2 + k)]);
            for (x, row) in out.iter_mut().zip(&point.jacobian) {
                *x = row.iter().zip(column).map(|(a, b)| a * b).sum();
            }
        }
        Ok(())
    }
}

/// Follows a motion of the closed part and its neighbours.
pub(super) struct Neighbours {
    stepper: Dop853<Variation>,
    size: usize,
    count: usize,
    /// Number of steps and time when the pace was last looked at.
    mark: (u64, f64),
}

/// Steps after which the pace is looked at again.
const LOOKED_AT: u64 = 20_000;
/// A run that would take so many times the steps it may take is given up.
const HOPELESS: f64 = 10.0;

impl Neighbours {
    /// Begins at z, with as many neighbours as asked for at most, orthonormal and tangent to the holonomic constraints.
    pub fn new(mut numbers: Numbers, t: f64, z: &[f64], most: usize, tolerance: f64) -> Result<Neighbours> {
        let size = numbers.size();
        let parameters = numbers.parameters();
        numbers.set_time(t);
        let point = numbers.at(z, &parameters)?;
        let rows: Vec<Vec<f64>> = point.tie_slopes.iter().map(|row| row[..size].to_vec()).collect();
        let tangents = null_space(&rows, size, 1e-10)
            .ok_or_else(|| Error::computation("a holonomic constraint loses rank at the initial state"))?;
        let count = tangents.len().min(most);
        let mut y = z.to_vec();
        tangents.iter().take(count).for_each(|c| y.extend(c));
        y.push(0.0);
        let ode = Variation { numbers, parameters, size, count };
        let stepper = Dop853::new(ode, t, &y, Tolerance::new(tolerance), StepSize::default());
        let mut run = Neighbours { stepper, size, count, mark: (0, t) };
        run.look_at_tables();
        Ok(run)
    }

    /// Number of neighbours.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Steps made so far.
    pub fn steps(&self) -> u64 {
        self.stepper.statistics().steps
    }

    /// Goes on to a time, on the way to the end of the run.
    pub fn reach(&mut self, t: f64, end: f64, most_steps: u64) -> Result<()> {
        while self.stepper.time() != t {
            self.look(end, most_steps)?;
            if self.steps() >= most_steps {
                let at = self.stepper.time();
                return Err(Error::limit(format!("the limit of {most_steps} steps was reached at t = {at}"))
                    .hint("ask for a shorter run, or a larger tolerance"));
            }
            let at = self.stepper.time();
            self.stepper.step(t).map_err(|failure| ended(failure, at))?;
            self.look_at_tables();
        }
        Ok(())
    }

    /// From time to time: would the run end at the pace of its latest steps, within many times what it may take?
    fn look(&mut self, end: f64, most_steps: u64) -> Result<()> {
        let (steps, since) = self.mark;
        let (made, at) = (self.steps() - steps, self.stepper.time());
        if made < LOOKED_AT {
            return Ok(());
        }
        self.mark = (self.steps(), at);
        let needed = made as f64 * ((end - at) / (at - since)).abs();
        if needed <= HOPELESS * most_steps as f64 {
            return Ok(());
        }
        Err(Error::limit(format!(
            "the steps have become so short, {} at t = {at}, that {} of them would be needed, and {most_steps} are allowed",
            brief((at - since).abs() / made as f64, 3),
            brief(needed, 3)
        ))
        .hint("neighbours come near much faster than the motion goes on: ask for a shorter run, or for more steps"))
    }

    /// Where a function of z crosses zero on the way to a time, so often at most.
    pub fn crossings(
        &mut self,
        function: &mut dyn FnMut(&[f64]) -> f64,
        direction: Direction,
        until: f64,
        most: usize,
        max_steps: u64,
    ) -> Result<Vec<(f64, Vec<f64>)>> {
        struct Silent;
        impl Observer for Silent {}
        let size = self.size;
        let mut found = Vec::new();
        while found.len() < most && self.stepper.time() != until {
            let mut events =
                [Event::new("the section", |_, y: &[f64]| function(&y[..size])).direction(direction).terminal()];
            let plan = Plan { max_steps, ..Plan::until(until) };
            let run = integrate(&mut self.stepper, &plan, &mut events, &mut Silent);
            found.extend(run.occurrences.into_iter().map(|o| (o.t, o.state[..size].to_vec())));
            if !run.outcome.is_success() {
                return Err(Error::computation(format!("the motion ends at t = {}", run.t))
                    .hint("ask for a shorter run, or begin at another state"));
            }
        }
        Ok(found)
    }

    /// Does the motion leave a table here?
    fn look_at_tables(&mut self) {
        let (t, z) = (self.stepper.time(), self.state().to_vec());
        self.stepper.ode().numbers.look(t, &z);
    }

    /// Tables that the motion left.
    pub fn excursions(&mut self) -> Vec<Excursion> {
        self.stepper.ode().numbers.excursions()
    }

    /// The rates of z where it stands.
    pub fn rates(&mut self) -> Result<Vec<f64>> {
        let (t, z) = (self.stepper.time(), self.state().to_vec());
        let ode = self.stepper.ode();
        ode.numbers.set_time(t);
        Ok(ode.numbers.at(&z, &ode.parameters.clone())?.rates)
    }

    /// z.
    pub fn state(&self) -> &[f64] {
        &self.stepper.state()[..self.size]
    }

    /// The columns of Y.
    pub fn columns(&self) -> Vec<Vec<f64>> {
        self.stepper.state()[self.size..self.size * (1 + self.count)].chunks(self.size).map(<[f64]>::to_vec).collect()
    }

    /// ∫ Σ ∂f_i/∂z_i dt since the beginning: the logarithm of a volume.
    pub fn divergence(&self) -> f64 {
        self.stepper.state()[self.size * (1 + self.count)]
    }

    /// Makes the neighbours orthonormal again (Gram, Schmidt) and puts the motion back onto the holonomic constraints; the
    /// logarithms of the lengths they had, each less what lies along those before.
    pub fn renew(&mut self) -> Vec<f64> {
        let d = self.size;
        let mut y = self.stepper.state().to_vec();
        let t = self.stepper.time();
        self.settle(t, &mut y[..d]);
        let mut logarithms = Vec::new();
        for k in 0..self.count {
            let (before, rest) = y[d..].split_at_mut(d * k);
            let own = &mut rest[..d];
            // Twice is enough.
            for _ in 0..2 {
                for other in before.chunks(d) {
                    let along: f64 = own.iter().zip(other).map(|(a, b)| a * b).sum();
                    own.iter_mut().zip(other).for_each(|(a, b)| *a -= along * b);
                }
            }
            let length = own.iter().map(|x| x * x).sum::<f64>().sqrt();
            logarithms.push(libm::log(length));
            own.iter_mut().for_each(|x| *x /= length);
        }
        self.stepper.replace_state(&y);
        logarithms
    }

    /// Tied coordinates as the constraints have them.
    fn settle(&mut self, t: f64, z: &mut [f64]) {
        let ode = self.stepper.ode();
        ode.numbers.set_time(t);
        let tied = ode.numbers.tied().to_vec();
        if tied.is_empty() {
            return;
        }
        for _ in 0..3 {
            let Ok(point) = ode.numbers.at(z, &ode.parameters.clone()) else { return };
            let rows: Vec<Vec<f64>> =
                point.tie_slopes.iter().map(|row| tied.iter().map(|&i| row[i]).collect()).collect();
            let right: Vec<Vec<f64>> = point.ties.iter().map(|&x| vec![-x]).collect();
            let Some(step) = solve(&rows, &right) else { return };
            tied.iter().zip(step).for_each(|(&i, s)| z[i] += s[0]);
        }
    }
}

/// Why a run ended, as an error.
fn ended(failure: StepFailure, t: f64) -> Error {
    let why = match failure {
        StepFailure::Rhs { failure: RhsFailure::Singular { which }, .. } => which,
        StepFailure::Rhs { failure, .. } => failure.to_string(),
        StepFailure::TooSmall { h } => format!("the step became too small (h = {h:.1e})"),
        StepFailure::Overflow { .. } => "the motion leaves the range of numbers".into(),
    };
    Error::computation(format!("the motion ends at t = {t}: {why}"))
        .hint("ask for a shorter run, or begin at another state")
}
