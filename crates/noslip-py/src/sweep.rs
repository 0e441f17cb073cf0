//! Many motions at once.

use crate::arrow::{Column, Table};
use crate::errors::ModelError;
use crate::model::Core;
use crate::watch::watched;
use noslip::contact::switching;
use noslip::model::Model;
use noslip::simulate::{Axis, Points, Rows, Sweep, Varied};
use noslip::{Control, Limits};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// How to sweep.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wish {
    /// The times to report, in the order of the run.
    at: Vec<f64>,
    columns: Option<Vec<String>>,
    tolerance: Option<f64>,
    threads: Option<usize>,
    max_steps: Option<u64>,
}

fn varied(model: &Model, name: &str) -> Option<Varied> {
    let of = |plain: &str| model.system.coordinates.iter().position(|&s| model.arena.name(s) == plain);
    if let Some(p) = model.system.parameters.iter().find(|p| model.arena.name(p.symbol) == name) {
        return Some(Varied::Parameter(p.symbol));
    }
    match name.strip_suffix('\'') {
        Some(plain) => of(plain).map(Varied::Velocity),
        None => of(name).map(Varied::Position),
    }
}

/// Integrates from every row of values, and samples the motions: the rows of `noslip sweep`, to the last bit.
pub fn sweep(
    core: &Core,
    py: Python<'_>,
    names: &[String],
    values: &PyReadonlyArray2<'_, f64>,
    wish: Wish,
) -> PyResult<Table> {
    let (mut model, control) = core.copy();
    let points: Vec<Vec<f64>> = values.as_array().rows().into_iter().map(|r| r.to_vec()).collect();
    if points.is_empty() || names.is_empty() {
        return Err(ModelError::new_err("nothing to vary: give at least one row of values"));
    }
    if points.iter().flatten().any(|x| !x.is_finite()) {
        return Err(ModelError::new_err("a value that is varied is not finite"));
    }
    let mut axes = Vec::new();
    for name in names {
        let Some(varied) = varied(&model, name) else {
            let message = format!("`{name}` is neither a parameter nor an initial value of this model");
            return Err(ModelError::new_err(message));
        };
        axes.push(Axis { varied, from: 0.0, to: 0.0, count: 1 });
    }
    let system = &model.system;
    let own = system.coordinates.iter().chain(&system.velocities).map(|&s| model.arena.name(s).to_owned());
    // `t` is there anyway.
    let columns: Vec<String> = wish.columns.unwrap_or_else(|| own.collect()).into_iter().filter(|c| c != "t").collect();
    let mut expressions = Vec::new();
    for text in &columns {
        expressions.push(core.expression(py, &mut model, text)?);
    }
    let tolerance = wish.tolerance.or(model.system.simulation.tolerance.as_ref().map(|x| x.to_f64())).unwrap_or(1e-9);
    if !(tolerance > 0.0 && tolerance < 1.0) {
        return Err(ModelError::new_err(format!("tolerance={tolerance}: expected a number between 0 and 1")));
    }
    let family = Sweep {
        axes,
        points: Points::Listed(points.into()),
        at: wish.at,
        columns: expressions,
        tolerance,
        max_steps: wish.max_steps.unwrap_or(Limits::default().steps),
    };
    let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
    let threads = wish.threads.unwrap_or_else(cores).max(1);
    let rows = watched(py, &control, || rows(&model, &family, threads, &control))?.map_err(|e| core.refuse(py, e))?;
    let mut table: Vec<(String, Column)> = Vec::new();
    for (name, values) in names.iter().zip(rows.varied) {
        // A varied coordinate stands beside its later value.
        let name = if columns.contains(name) { format!("{name}(0)") } else { name.clone() };
        table.push((name, Column::numbers(values)));
    }
    table.push(("t".into(), Column::numbers(rows.t)));
    table.extend(columns.into_iter().zip(rows.values.into_iter().map(Column::numbers)));
    table.push(("outcome".into(), Column::words(rows.outcome.into_iter())));
    Ok(Table::new(table))
}

/// All rows, in the order of the points.
fn rows(model: &Model, family: &Sweep, threads: usize, control: &Control) -> noslip::Result<Rows> {
    let blocks = family.blocks()?;
    let next = AtomicU64::new(0);
    let work = || -> noslip::Result<BTreeMap<u64, Rows>> {
        let mut sweeper = switching::sweeper(model.workbench(), family)?;
        let mut done = BTreeMap::new();
        loop {
            control.check()?;
            let turn = next.fetch_add(1, Ordering::Relaxed);
            if turn >= blocks {
                return Ok(done);
            }
            done.insert(turn, sweeper.block(turn)?);
        }
    };
    let threads = threads.min(usize::try_from(blocks).unwrap_or(threads));
    let parts: Vec<noslip::Result<_>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let lost = || Err(noslip::Error::computation("a thread of the sweep did not end well"));
        handles.into_iter().map(|h| h.join().unwrap_or_else(|_| lost())).collect()
    });
    let mut all = BTreeMap::new();
    for part in parts {
        all.extend(part?);
    }
    let mut rows = Rows {
        varied: vec![Vec::new(); family.axes.len()],
        values: vec![Vec::new(); family.columns.len()],
        ..Rows::default()
    };
    for mut block in all.into_values() {
        rows.varied.iter_mut().zip(&mut block.varied).for_each(|(all, part)| all.append(part));
        rows.values.iter_mut().zip(&mut block.values).for_each(|(all, part)| all.append(part));
        rows.t.append(&mut block.t);
        rows.outcome.append(&mut block.outcome);
    }
    Ok(rows)
}
