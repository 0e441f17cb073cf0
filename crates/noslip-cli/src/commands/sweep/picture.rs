//! What a sweep looks like: columns over what varies, their level lines where two things vary, or the motions over time.

use super::{Job, SweepArgs, file_name};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::output::write_plots;
use crate::parquet::{Read, read};
use noslip::Error;
use noslip::arrange::Arrange;
use noslip::numeric::brief;
use noslip::simulate::{Points, Sweep};
use noslip_cli::plot::{Column, Grid, Plot};
use std::path::Path;

/// Most points in a picture, and motions in one over time.
const MOST_POINTS: u64 = 1_000_000;
const MOST_LINES: usize = 8;
/// No part of so many rows is longer.
const MOST_BYTES: u64 = 1 << 32;

/// Refuses before the work what could not be drawn after it.
pub fn expect_plottable(args: &SweepArgs, sweep: &Sweep, points: u64) -> Outcome {
    let (axes, random) = (sweep.axes.len(), args.random.is_some());
    if axes > 2 || (random && axes > 1) {
        let what = if random { "points at random" } else { "a grid" };
        return Err(Error::input(format!("`--plot`: {axes} things vary, and {what} of so many cannot be drawn"))
            .hint("read the parts with pyarrow, DuckDB or Polars, or let fewer things vary")
            .into());
    }
    if points.saturating_mul(sweep.at.len() as u64) > MOST_POINTS {
        return Err(Error::limit(format!("`--plot`: more than {MOST_POINTS} rows"))
            .hint("read the parts with pyarrow, DuckDB or Polars")
            .into());
    }
    Ok(())
}

/// Reads all parts and draws them.
pub fn write(path: &Path, folder: &Path, job: &Job, title: &str) -> Outcome {
    let table = Table::of(folder, job)?;
    let (sweep, times) = (&job.sweep, job.sweep.at.len());
    let varied: Vec<&str> = job.names.iter().take(sweep.axes.len()).map(String::as_str).collect();
    let columns = &job.names[varied.len() + 1..job.names.len() - 1];
    let plots: Vec<Plot> = (columns.iter().enumerate())
        .map(|(c, name)| {
            let values = &table.columns[varied.len() + 1 + c];
            let at = brief(sweep.at[times - 1], 6);
            // Only the first carries the name of the model.
            let of = if c == 0 { format!("{title}: {name}") } else { name.clone() };
            match (&varied[..], &sweep.points) {
                ([across, up], _) => {
                    let last = |row: usize| values[row * times + times - 1];
                    let (n, m) = (sweep.axes[0].count as usize, sweep.axes[1].count as usize);
                    let places = |axis: usize, i: usize| table.columns[axis][i * times];
                    let grid = Grid {
                        across: (0..n).map(|i| places(0, i * m)).collect(),
                        up: (0..m).map(|j| places(1, j)).collect(),
                        values: (0..m).map(|j| (0..n).map(|i| last(i * m + j)).collect()).collect(),
                    };
                    grid.plot(format!("{of} at t = {at}"), across, up)
                }
                ([across], points) if times == 1 => {
                    let mut rows: Vec<usize> = (0..values.len()).collect();
                    rows.arrange_by(|&a, &b| table.columns[0][a].total_cmp(&table.columns[0][b]));
                    let random = matches!(points, Points::Random(..));
                    // Points at random are dots: a gap after each.
                    let gap = random.then_some(f64::NAN);
                    let x = rows.iter().flat_map(|&i| [table.columns[0][i]].into_iter().chain(gap)).collect();
                    let y: Vec<f64> = rows.iter().flat_map(|&i| [values[i]].into_iter().chain(gap)).collect();
                    Plot {
                        equal: false,
                        ..Plot::against(format!("{of} at t = {at}"), *across, name, vec![(x, Column::new(name, y))])
                    }
                }
                _ => {
                    let motions = values.len() / times;
                    let shown = motions.min(MOST_LINES);
                    let lines = (0..shown).map(|k| {
                        let motion = if shown == 1 { 0 } else { k * (motions - 1) / (shown - 1) };
                        let rows = motion * times..(motion + 1) * times;
                        let label = format!("{} = {}", varied.join(", "), brief(table.columns[0][rows.start], 4));
                        (sweep.at.clone(), Column::new(label, &values[rows]))
                    });
                    Plot { equal: false, ..Plot::against(of, "t", name, lines.collect()) }
                }
            }
        })
        .collect();
    write_plots(path, &plots)
}

/// The rows of all parts; the last column, how motions ended, is left out.
struct Table {
    columns: Vec<Vec<f64>>,
}

impl Table {
    fn of(folder: &Path, job: &Job) -> Result<Table, Failure> {
        let mut columns = vec![Vec::new(); job.names.len() - 1];
        for part in 0..job.sweep.blocks()? {
            let path = folder.join(file_name(part));
            let wrong = |why: String| Failure::from(Error::input(format!("cannot read `{}`: {why}", path.display())));
            let bytes = files::read(&path.to_string_lossy(), MOST_BYTES).map_err(|e| wrong(e.to_string()))?;
            let (parts, _) = read(&bytes).map_err(wrong)?;
            for (column, (_, values)) in columns.iter_mut().zip(parts) {
                if let Read::Doubles(bits) = values {
                    column.extend(bits.into_iter().map(f64::from_bits));
                }
            }
        }
        Ok(Table { columns })
    }
}
