//! A model that has been read, and its equations of motion as a function.

use crate::errors::{ModelError, raise};
use crate::run::Run;
use crate::watch::watched;
use noslip::compile::CompileOptions;
use noslip::expr::{Evaluator, Expr};
use noslip::forms::by_id;
use noslip::model::{Claims, Model, Overrides, State};
use noslip::simulate::{METHODS, Method, Motion, Ode, Settings, ThroughForm, simulate};
use noslip::{Control, Error, Limits};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::Mutex;

/// Most samples of one run: they are kept in memory.
const MOST_SAMPLES: usize = 10_000_000;

/// Core(text, name)
///
/// The compiled half of a model.
#[pyclass(frozen, module = "noslip._noslip")]
pub struct Core {
    pub(crate) model: Model,
    pub(crate) text: String,
    pub(crate) name: String,
}

/// How to run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Wish {
    until: Option<f64>,
    samples: Option<usize>,
    at: Option<Vec<f64>>,
    method: Option<String>,
    tolerance: Option<f64>,
    step: Option<f64>,
    stop: Vec<String>,
    max_steps: Option<u64>,
}

impl Core {
    /// A copy to work on, and the handle that stops the work.
    pub(crate) fn copy(&self) -> (Model, Control) {
        let (mut model, control) = (self.model.clone(), Control::default());
        model.arena.work.control = Some(control.clone());
        (model, control)
    }

    /// Errors that point into the model.
    pub(crate) fn refuse(&self, py: Python<'_>, e: Error) -> PyErr {
        raise(py, &[e], &self.name, &self.text)
    }

    /// An expression with the model's names; `energy` is T + V unless the model has a name like it.
    pub(crate) fn expression(&self, py: Python<'_>, model: &mut Model, text: &str) -> PyResult<Expr> {
        if text == "energy" && !model.vocabulary().iter().any(|(name, _)| name == "energy") {
            return Ok(model.arena.add(model.system.kinetic, model.system.potential));
        }
        let claim = Claims::equation(text, model, &Limits::default());
        claim.map(|c| c.expr).map_err(|errors| raise(py, &errors, "expression", text))
    }

    fn settings(&self, py: Python<'_>, wish: Wish, model: &mut Model, state: &State) -> PyResult<Settings> {
        let wishes = &self.model.system.simulation;
        let mut settings = Settings::of_system(&self.model.system);
        let at = wish.at.unwrap_or_default();
        let farthest = at.iter().copied().max_by(|a, b| (a - state.time).abs().total_cmp(&(b - state.time).abs()));
        let until = wish.until.or(farthest).or(wishes.until.as_ref().map(|x| x.to_f64()));
        let Some(until) = until.filter(|t| t.is_finite()) else {
            return Err(ModelError::new_err("no end time: give until=T, or `until` under [simulation] in the model"));
        };
        settings.until = until;
        if at.is_empty() {
            let n = wish.samples.or(wishes.samples).unwrap_or(101);
            if !(2..=MOST_SAMPLES).contains(&n) {
                return Err(ModelError::new_err(format!("{n} samples: expected between 2 and {MOST_SAMPLES}")));
            }
            settings = settings.sampled(state, n);
        } else {
            settings.at = at;
        }
        let at = &mut settings.at;
        if let Some(t) = at.iter().find(|&&t| !(t >= state.time.min(until) && t <= state.time.max(until))) {
            let message = format!("at={t} lies outside the run from t = {} to {until}", state.time);
            return Err(ModelError::new_err(message));
        }
        at.sort_by(|a, b| if until >= state.time { a.total_cmp(b) } else { b.total_cmp(a) });
        if let Some(step) = wish.step.filter(|h| *h <= 0.0 || h.is_nan()) {
            return Err(ModelError::new_err(format!("step={step}: a step is greater than zero")));
        }
        settings.step = wish.step;
        if let Some(name) = wish.method {
            let known: Vec<&str> = METHODS.iter().map(|m| m.id()).collect();
            settings.method = Method::by_id(&name).ok_or_else(|| {
                ModelError::new_err(format!("unknown method `{name}`: there are {}", known.join(", ")))
            })?;
        }
        let mut stops = Vec::new();
        for text in wish.stop {
            let e = self.expression(py, model, &text)?;
            stops.push((text, e));
        }
        settings.stops = stops;
        settings.tolerance = wish.tolerance.unwrap_or(settings.tolerance);
        settings.max_steps = wish.max_steps.unwrap_or(settings.max_steps);
        Ok(settings)
    }
}

#[pymethods]
impl Core {
    #[new]
    fn new(py: Python<'_>, text: String, name: String) -> PyResult<Core> {
        let control = Control::default();
        let limits = Limits { control: Some(control.clone()), ..Limits::default() };
        match watched(py, &control, || Model::load(&text, &name, &limits))? {
            Ok(model) => Ok(Core { model, text, name }),
            Err(errors) => Err(raise(py, &errors, &name, &text)),
        }
    }

    /// Title, coordinates, constraints and quasi-velocities.
    fn names(&self) -> (String, Vec<String>, Vec<String>, Vec<String>) {
        let (g, system) = (&self.model.arena, &self.model.system);
        (
            system.name.clone(),
            system.coordinates.iter().map(|&s| g.name(s).to_owned()).collect(),
            system.constraints.iter().map(|c| c.name.clone()).collect(),
            system.quasi_velocities.iter().map(|v| g.name(v.symbol).to_owned()).collect(),
        )
    }

    /// Names and values of the parameters.
    fn parameters(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        let (g, system) = (&self.model.arena, &self.model.system);
        let values = system.values(g, &[]).map_err(|e| self.refuse(py, e))?;
        let list: Vec<Expr> = system.parameters.iter().map(|p| p.value).collect();
        let values = values.evaluate(&Evaluator::new(g, &list));
        Ok(system.parameters.iter().zip(values).map(|(p, x)| (g.name(p.symbol).to_owned(), x)).collect())
    }

    /// What every name of the model is.
    fn vocabulary(&self) -> Vec<(String, String)> {
        self.model.vocabulary().into_iter().map(|(name, kind)| (name, format!("{kind:?}"))).collect()
    }

    /// What is suspicious but not wrong.
    fn warnings(&self) -> Vec<String> {
        self.model.warnings.iter().map(|e| e.to_string()).collect()
    }

    /// Time, position and velocity of the completed initial state.
    fn initial(&self, py: Python<'_>) -> PyResult<(f64, Vec<f64>, Vec<f64>)> {
        let state = self.model.clone().initial_state(&Overrides::default()).map_err(|e| self.refuse(py, e))?;
        Ok((state.time, state.position, state.velocity))
    }

    /// The time at which motions begin.
    fn start(&self, py: Python<'_>) -> PyResult<f64> {
        let Some(initial) = &self.model.system.initial else { return Ok(0.0) };
        let g = &self.model.arena;
        let values = self.model.system.values(g, &[]).map_err(|e| self.refuse(py, e))?;
        Ok(values.evaluate(&Evaluator::new(g, &[initial.time]))[0])
    }

    /// The end of the motion that the model asks for.
    fn until(&self) -> Option<f64> {
        self.model.system.simulation.until.as_ref().map(|x| x.to_f64())
    }

    /// The motion from the initial state.
    fn simulate(slf: Py<Self>, py: Python<'_>, wish: Wish) -> PyResult<Run> {
        let core = slf.get();
        let (mut model, control) = core.copy();
        let state = model.initial_state(&Overrides::default()).map_err(|e| core.refuse(py, e))?;
        let settings = core.settings(py, wish, &mut model, &state)?;
        let result = watched(py, &control, || {
            simulate(&mut model.workbench(), &state, &settings, &mut |_| !control.is_stopped())
        })?;
        result.map(|simulation| Run::new(slf.clone_ref(py), simulation)).map_err(|e| core.refuse(py, e))
    }

    /// Accelerations and multipliers at states, through a form; a multiplier the form does not know is NaN.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        t: PyReadonlyArray1<'py, f64>,
        q: PyReadonlyArray2<'py, f64>,
        v: PyReadonlyArray2<'py, f64>,
        form: &str,
    ) -> PyResult<(Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>)> {
        let form =
            by_id(form).ok_or_else(|| ModelError::new_err(format!("unknown form `{form}`: see noslip.forms()")))?;
        let (t, q, v) = (t.as_slice()?, q.as_slice()?, v.as_slice()?);
        let (n, k, rows) = (self.model.system.n(), self.model.system.k(), t.len());
        if q.len() != rows * n || v.len() != rows * n {
            return Err(ModelError::new_err(format!("states have {n} coordinates and {n} velocities")));
        }
        let (model, control) = self.copy();
        let solved = watched(py, &control, || -> noslip::Result<(Vec<f64>, Vec<f64>)> {
            let mut w = model.workbench();
            let eq = form.derive(&mut w)?;
            let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
            let mut through = ThroughForm::new(&mut w, &eq, &options)?;
            let (mut a, mut m) = (Vec::with_capacity(rows * n), Vec::with_capacity(rows * k));
            for i in 0..rows {
                control.check()?;
                let at = i * n..(i + 1) * n;
                let result = through.solve(t[i], &q[at.clone()], &v[at]).map_err(|mut e| {
                    e.message = format!("state {i}: {}", e.message);
                    e
                })?;
                a.extend(result.accelerations);
                m.extend(result.multipliers.iter().map(|x| x.unwrap_or(f64::NAN)));
            }
            Ok((a, m))
        });
        let (a, m) = solved?.map_err(|e| self.refuse(py, e))?;
        Ok((PyArray1::from_vec(py, a).reshape([rows, n])?, PyArray1::from_vec(py, m).reshape([rows, k])?))
    }

    /// The equations of motion as a function of the first order.
    fn rhs(&self, py: Python<'_>) -> PyResult<Rhs> {
        let n = self.model.system.n();
        let (mut model, control) = self.copy();
        let state = model.initial_state(&Overrides::default());
        let mut typical = vec![0.0; 1 + 2 * n];
        if let Ok(state) = &state {
            typical[0] = state.time;
            typical[1..=n].copy_from_slice(&state.position);
            typical[1 + n..].copy_from_slice(&state.velocity);
        }
        let motion = watched(py, &control, || {
            let mut w = model.workbench();
            let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
            Motion::new(&mut w, &options, &typical)
        });
        let motion = motion?.map_err(|e| self.refuse(py, e))?;
        Ok(Rhs { motion: Mutex::new(motion), dimension: 2 * n })
    }

    /// Samples of many motions.
    fn sweep(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        values: PyReadonlyArray2<'_, f64>,
        wish: crate::sweep::Wish,
    ) -> PyResult<crate::arrow::Table> {
        crate::sweep::sweep(self, py, &names, &values, wish)
    }
}

/// f(t, y) of a model, y the coordinates and velocities.
#[pyclass(frozen, module = "noslip._noslip")]
pub struct Rhs {
    motion: Mutex<Motion>,
    dimension: usize,
}

impl Rhs {
    fn check(&self, y: &PyReadonlyArray1<'_, f64>) -> PyResult<Vec<f64>> {
        let y = y.as_array();
        if y.len() != self.dimension {
            let message = format!("a state has {} components, not {}", self.dimension, y.len());
            return Err(ModelError::new_err(message));
        }
        Ok(y.to_vec())
    }
}

#[pymethods]
impl Rhs {
    /// The rates of the state.
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let y = self.check(&y)?;
        let mut rates = vec![0.0; self.dimension];
        let mut motion = self.motion.lock().unwrap_or_else(|e| e.into_inner());
        motion.rhs(t, &y, &mut rates).map_err(|e| crate::errors::ComputationError::new_err(format!("t = {t}: {e}")))?;
        Ok(PyArray1::from_vec(py, rates))
    }

    /// ∂f/∂y, by derivatives of the compiled code, or by central differences where it has none.
    fn jacobian<'py>(
        &self,
        py: Python<'py>,
        t: f64,
        y: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut y = self.check(&y)?;
        let n = self.dimension;
        let mut motion = self.motion.lock().unwrap_or_else(|e| e.into_inner());
        let fail = |e: noslip::simulate::RhsFailure| crate::errors::ComputationError::new_err(format!("t = {t}: {e}"));
        let mut matrix = vec![0.0; n * n];
        if !motion.jacobian(t, &y, &mut matrix).map_err(fail)? {
            let (mut above, mut below) = (vec![0.0; n], vec![0.0; n]);
            for j in 0..n {
                let at = y[j];
                let h = 6e-6 * at.abs().max(1.0);
                y[j] = at + h;
                motion.rhs(t, &y, &mut above).map_err(fail)?;
                y[j] = at - h;
                motion.rhs(t, &y, &mut below).map_err(fail)?;
                y[j] = at;
                (0..n).for_each(|i| matrix[i * n + j] = (above[i] - below[i]) / (2.0 * h));
            }
        }
        PyArray1::from_vec(py, matrix).reshape([n, n])
    }
}
