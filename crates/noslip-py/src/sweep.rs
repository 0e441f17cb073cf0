//! Many motions at once.

use crate::arrow::{Column, Table};
use crate::errors::ModelError;
use crate::model::Core;
use noslip::Error;
use noslip::compile::CompileOptions;
use noslip::expr::Symbol;
use noslip::model::{Model, Overrides};
use noslip::simulate::{Ensemble, Run, Sample, Start, Tolerance, values_along};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;

/// What a varied name is.
enum Varied {
    Parameter(Symbol),
    Position(usize),
    Velocity(usize),
    Time,
}

fn varied(model: &Model, name: &str) -> Option<Varied> {
    let of = |list: &[Symbol]| list.iter().position(|&s| model.arena.name(s) == name);
    let system = &model.system;
    if let Some(p) = system.parameters.iter().find(|p| model.arena.name(p.symbol) == name) {
        return Some(Varied::Parameter(p.symbol));
    }
    let position = of(&system.coordinates).map(Varied::Position);
    position.or_else(|| of(&system.velocities).map(Varied::Velocity)).or((name == "t").then_some(Varied::Time))
}

/// Integrates from every row of values to the end, and gives the final states.
#[allow(clippy::too_many_arguments)] // the arguments of the method it is
pub fn sweep(
    core: &Core,
    py: Python<'_>,
    names: &[String],
    values: PyReadonlyArray2<'_, f64>,
    until: f64,
    tolerance: f64,
    columns: Option<Vec<String>>,
    threads: Option<usize>,
) -> PyResult<Table> {
    let values = values.as_array();
    let rows: Vec<Vec<f64>> = values.rows().into_iter().map(|r| r.to_vec()).collect();
    if rows.is_empty() {
        return Err(ModelError::new_err("nothing to vary: give at least one row of values"));
    }
    if rows.iter().flatten().any(|x| !x.is_finite()) {
        return Err(ModelError::new_err("a value that is varied is not finite"));
    }
    let mut model = core.model.clone();
    let kinds: Option<Vec<Varied>> = names.iter().map(|n| varied(&model, n)).collect();
    let Some(kinds) = kinds else {
        let stranger = names.iter().find(|n| varied(&model, n).is_none()).cloned().unwrap_or_default();
        let message = format!("`{stranger}` is neither a parameter nor an initial value of this model");
        return Err(ModelError::new_err(message));
    };
    let n = model.system.n();
    let arena = &model.arena;
    let own = |s: &Symbol| arena.name(*s).to_owned();
    let columns =
        columns.unwrap_or_else(|| model.system.coordinates.iter().chain(&model.system.velocities).map(own).collect());
    let mut expressions = Vec::new();
    for text in &columns {
        expressions.push(core.expression(py, &mut model, text)?);
    }
    let starts = starts(&mut model, &kinds, &rows).map_err(|e| core.refuse(py, e))?;
    let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get())).max(1);
    let share = rows.len().div_ceil(threads).max(1);
    let open: Vec<Symbol> =
        kinds.iter().filter_map(|k| if let Varied::Parameter(s) = k { Some(*s) } else { None }).collect();
    let work = |part: &[Start]| -> noslip::Result<(Vec<Run>, Vec<Vec<f64>>)> {
        let mut w = model.workbench();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let typical: Vec<f64> = std::iter::once(starts[0].t).chain(starts[0].state.iter().copied()).collect();
        let mut ensemble = Ensemble::<16>::new(&mut w, &options, &typical, &open)?;
        let runs = ensemble.run(part, until, Tolerance::new(tolerance))?;
        // Columns of t, q, q̇ and the parameters; what needs accelerations is not known at the end of a sweep.
        let mut found = vec![Vec::with_capacity(part.len()); expressions.len()];
        if open.is_empty() {
            let sample = |run: &Run| Sample {
                t: run.t,
                y: run.state.clone(),
                accelerations: vec![f64::NAN; n],
                multipliers: vec![f64::NAN; w.system.k()],
            };
            let samples: Vec<Sample> = runs.iter().map(sample).collect();
            found = values_along(&mut w, &expressions, &samples)?;
        } else {
            let evaluator = noslip::expr::Evaluator::new(&w.g, &expressions);
            for (run, start) in runs.iter().zip(part) {
                let set: Vec<(Symbol, f64)> = open.iter().copied().zip(start.parameters.iter().copied()).collect();
                let mut values = w.system.values(&w.g, &set)?;
                values.at.set(w.g.time(), run.t);
                values.at.set_all(&w.system.coordinates, &run.state[..n]);
                values.at.set_all(&w.system.velocities, &run.state[n..]);
                for (column, x) in found.iter_mut().zip(values.evaluate(&evaluator)) {
                    column.push(x);
                }
            }
        }
        Ok((runs, found))
    };
    let results: Vec<noslip::Result<_>> = py.detach(|| {
        std::thread::scope(|scope| {
            let handles: Vec<_> = starts.chunks(share).map(|part| scope.spawn(move || work(part))).collect();
            let lost = || Err(Error::computation("a thread of the sweep did not end well"));
            handles.into_iter().map(|h| h.join().unwrap_or_else(|_| lost())).collect()
        })
    });
    let (mut runs, mut found) = (Vec::new(), vec![Vec::new(); columns.len()]);
    for result in results {
        let (part, values) = result.map_err(|e| core.refuse(py, e))?;
        runs.extend(part);
        found.iter_mut().zip(values).for_each(|(all, mut part)| all.append(&mut part));
    }
    let mut table: Vec<(String, Column)> = Vec::new();
    for (j, name) in names.iter().enumerate().filter(|(_, name)| *name != "t") {
        // A varied coordinate stands beside its final value.
        let name = if columns.contains(name) { format!("{name}(0)") } else { name.clone() };
        table.push((name, Column::numbers(rows.iter().map(|r| r[j]).collect())));
    }
    table.push(("t".into(), Column::numbers(runs.iter().map(|r| r.t).collect())));
    table.extend(columns.into_iter().zip(found.into_iter().map(Column::numbers)));
    table.push(("outcome".into(), Column::words(runs.iter().map(|r| r.outcome.code()))));
    Ok(Table::new(table))
}

/// Every row's initial state, completed from the constraints.
fn starts(model: &mut Model, kinds: &[Varied], rows: &[Vec<f64>]) -> noslip::Result<Vec<Start>> {
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        let mut overrides = Overrides::default();
        for (kind, &x) in kinds.iter().zip(row) {
            match kind {
                Varied::Parameter(s) => overrides.parameters.push((*s, x)),
                Varied::Position(i) => overrides.position.push((*i, x)),
                Varied::Velocity(i) => overrides.velocity.push((*i, x)),
                Varied::Time => overrides.time = Some(x),
            }
        }
        let state = model.initial_state(&overrides)?;
        list.push(Start {
            t: state.time,
            state: state.position.iter().chain(&state.velocity).copied().collect(),
            parameters: overrides.parameters.iter().map(|(_, x)| *x).collect(),
        });
    }
    Ok(list)
}
