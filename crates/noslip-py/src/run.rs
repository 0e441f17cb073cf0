//! A motion that has been integrated.

use crate::arrow::{Column, Table};
use crate::model::Core;
use noslip::simulate::{Simulation, values_along};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

/// A run with its samples.
#[pyclass(frozen, module = "noslip._noslip")]
pub struct Run {
    core: Py<Core>,
    simulation: Simulation,
}

impl Run {
    pub(crate) fn new(core: Py<Core>, simulation: Simulation) -> Run {
        Run { core, simulation }
    }

    /// The values of expressions along the motion.
    fn values(&self, py: Python<'_>, texts: &[String]) -> PyResult<Vec<Vec<f64>>> {
        let core = self.core.get();
        let mut model = core.model.clone();
        let mut expressions = Vec::new();
        for text in texts {
            expressions.push(core.expression(py, &mut model, text)?);
        }
        let values = py.detach(|| values_along(&mut model.workbench(), &expressions, &self.simulation.samples));
        values.map_err(|e| core.refuse(py, e))
    }
}

#[pymethods]
impl Run {
    /// Times, coordinates, velocities, accelerations and multipliers.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<f64>>, [Bound<'py, PyArray2<f64>>; 4])> {
        let samples = &self.simulation.samples;
        let (rows, n) = (samples.len(), self.core.get().model.system.n());
        let k = samples.first().map_or(0, |s| s.multipliers.len());
        let grid = |columns: usize, row: &dyn Fn(usize) -> Vec<f64>| {
            let flat: Vec<f64> = (0..rows).flat_map(row).collect();
            PyArray1::from_vec(py, flat).reshape([rows, columns])
        };
        let t = PyArray1::from_vec(py, samples.iter().map(|s| s.t).collect());
        let q = grid(n, &|i| samples[i].y[..n].to_vec())?;
        let v = grid(n, &|i| samples[i].y[n..].to_vec())?;
        let a = grid(n, &|i| samples[i].accelerations.clone())?;
        let m = grid(k, &|i| samples[i].multipliers.clone())?;
        Ok((t, [q, v, a, m]))
    }

    /// The values of an expression along the motion.
    fn column<'py>(&self, py: Python<'py>, text: String) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut values = self.values(py, &[text])?;
        Ok(PyArray1::from_vec(py, values.pop().unwrap_or_default()))
    }

    /// The motion as a table.
    fn table(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Table> {
        let values = self.values(py, &columns)?;
        Ok(Table::new(columns.into_iter().zip(values.into_iter().map(Column::numbers)).collect()))
    }

    /// How it ended, what it cost, how far it drifted.
    #[allow(clippy::type_complexity)]
    fn outcome(&self) -> (&'static str, String, u64, u64, f64, f64) {
        let s = &self.simulation;
        let statistics = &s.statistics;
        (
            s.outcome.code(),
            s.method.id().to_owned(),
            statistics.steps,
            statistics.evaluations,
            s.energy_drift,
            s.constraint_drift,
        )
    }
}
