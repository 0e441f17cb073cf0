//! Columns of a run, and what they are written as.

use crate::failure::Failure;
use crate::open::Opened;
use crate::terminal::complain;
use crate::words::number;
use noslip::Error;
use noslip::expr::{Expr, Role};
use noslip::mechanics::Workbench;
use noslip::simulate::{Sample, Simulation, values_along};
use noslip_cli::plot::{self, Column, Plot};
use std::path::{Path, PathBuf};

pub use crate::files::{expect_folder, expect_place, write_atomically};

/// Columns chosen by the user, or the usual ones.
pub struct Columns {
    list: Vec<(String, Expr)>,
    /// Those that stand by themselves, as indices into the list.
    alone: Vec<usize>,
    /// `x:y` pairs for phase plots, as indices into the list.
    pairs: Vec<(usize, usize)>,
}

/// A table of numbers.
pub struct Table {
    /// Names of the columns; the first is `t`.
    pub names: Vec<String>,
    /// Columns of numbers.
    pub columns: Vec<Vec<f64>>,
    /// Columns to plot over time.
    alone: Vec<usize>,
    /// Pairs to plot against each other.
    pairs: Vec<(usize, usize)>,
}

impl Columns {
    /// Reads `x,y,energy,x:y` or takes coordinates, velocities, multipliers and the energy.
    pub fn parse(text: Option<&str>, opened: &mut Opened) -> Result<Columns, Failure> {
        let model = &mut opened.model;
        let time = model.arena.time();
        let time = model.arena.symbol(time);
        let mut columns = Columns { list: vec![("t".into(), time)], alone: Vec::new(), pairs: Vec::new() };
        let energy = model.arena.add(model.system.kinetic, model.system.potential);
        let Some(text) = text else {
            let symbols: Vec<_> = model
                .system
                .coordinates
                .iter()
                .chain(&model.system.velocities)
                .copied()
                .chain(model.system.constraints.iter().map(|c| c.multiplier))
                .collect();
            for s in symbols {
                let name = model.arena.name(s).to_owned();
                let e = model.arena.symbol(s);
                columns.list.push((name, e));
            }
            columns.list.push(("energy".into(), energy));
            columns.alone = (1..columns.list.len()).collect();
            return Ok(columns);
        };
        let parts = split_top_level(text, ',');
        if parts.is_empty() {
            return Err(Error::input("`--columns`: no column is named")
                .hint("for example --columns t,x,energy")
                .into());
        }
        for part in parts {
            let mut indices = Vec::new();
            for name in part.split(':').map(str::trim) {
                if let Some(i) = columns.list.iter().position(|(n, _)| n == name) {
                    indices.push(i);
                    continue;
                }
                let arena = &opened.model.arena;
                let known = arena.lookup(name).is_some_and(|s| arena.role(s) != Role::Other);
                let e = match name == "energy" && !known {
                    true => energy,
                    false => opened.expression("--columns", name)?,
                };
                columns.list.push((name.to_owned(), e));
                indices.push(columns.list.len() - 1);
            }
            match indices[..] {
                // Over itself time is no plot.
                [0] => {}
                [x] if columns.alone.contains(&x) => {}
                [x] => columns.alone.push(x),
                [x, y] => columns.pairs.push((x, y)),
                _ => return Err(Error::input(format!("`--columns {part}`: a phase plot is written x:y")).into()),
            }
        }
        Ok(columns)
    }

    /// Names and expressions; the first is `t`.
    pub fn list(&self) -> &[(String, Expr)] {
        &self.list
    }

    /// Evaluates all columns at the samples of a run.
    pub fn evaluate(&self, w: &mut Workbench, run: &Simulation) -> Result<Table, Failure> {
        self.evaluate_at(w, &run.samples)
    }

    /// Evaluates all columns at some states.
    pub fn evaluate_at(&self, w: &mut Workbench, samples: &[Sample]) -> Result<Table, Failure> {
        let expressions: Vec<Expr> = self.list.iter().map(|(_, e)| *e).collect();
        let columns = values_along(w, &expressions, samples)?;
        let names = self.list.iter().map(|(n, _)| n.clone()).collect();
        Ok(Table { names, columns, alone: self.alone.clone(), pairs: self.pairs.clone() })
    }
}

/// Splits at a separator that is not inside parentheses.
fn split_top_level(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut from, mut parts) = (0i32, 0, Vec::new());
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[from..i].trim());
                from = i + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts.retain(|p| !p.is_empty());
    parts
}

impl Table {
    /// A number that is not finite is never passed on in silence.
    pub fn warn_of_gaps(&self) {
        for (name, column) in self.names.iter().zip(&self.columns) {
            if let Some(i) = column.iter().position(|x| !x.is_finite()) {
                complain(&format!("warning: column `{name}` is {} at t = {}", column[i], self.columns[0][i]));
            }
        }
    }

    /// The same with a gap after each row: its plots are dots.
    pub fn dotted(&self) -> Table {
        let apart = |c: &Vec<f64>| c.iter().flat_map(|&x| [x, f64::NAN]).collect();
        Table {
            names: self.names.clone(),
            columns: self.columns.iter().map(apart).collect(),
            alone: self.alone.clone(),
            pairs: self.pairs.clone(),
        }
    }

    /// Comma-separated values with a header; numbers read back to the same value.
    pub fn csv(&self) -> String {
        let quote = |n: &String| {
            if n.contains([',', '"', '\n']) { format!("\"{}\"", n.replace('"', "\"\"")) } else { n.clone() }
        };
        let mut text = self.names.iter().map(quote).collect::<Vec<_>>().join(",");
        text.push('\n');
        for i in 0..self.columns.first().map_or(0, Vec::len) {
            let row: Vec<String> = self.columns.iter().map(|c| number(c[i])).collect();
            text.push_str(&row.join(","));
            text.push('\n');
        }
        text
    }
}

/// The extension decides what is written.
pub fn expect_extension(path: &Path, known: &[&str]) -> Result<(), Failure> {
    if path.extension().and_then(|x| x.to_str()).is_some_and(|x| known.contains(&x)) {
        return Ok(());
    }
    let (last, others) = known.split_last().unwrap_or((&"", &[]));
    let others = others.iter().map(|x| format!(".{x}")).collect::<Vec<_>>().join(", ");
    let list = if others.is_empty() { format!(".{last}") } else { format!("{others} or .{last}") };
    let error = Error::input(format!("`{}`: unknown kind of file", path.display()));
    Err(error.hint(format!("use the extension {list}")).into())
}

/// The data and the drawing asked for can be written: known kinds of files, in folders that exist, and not over the model.
pub fn expect_outputs(
    model: &str,
    data: Option<&PathBuf>,
    kinds: &[&str],
    drawing: Option<&PathBuf>,
) -> Result<(), Failure> {
    drawing.map_or(Ok(()), |path| expect_extension(path, &["svg", "png"]))?;
    data.map_or(Ok(()), |path| expect_extension(path, kinds))?;
    data.into_iter().chain(drawing).try_for_each(|path| expect_place(path, model))
}

/// The table as plots: the columns over time in one frame, and each pair `x:y` in a frame of its own.
pub fn plots(table: &Table, title: &str) -> Result<Vec<Plot>, Failure> {
    let column = |i: usize| Column::new(table.names[i].clone(), table.columns[i].clone());
    let mut plots = Vec::new();
    if !table.alone.is_empty() {
        plots.push(Plot::over_time(title, column(0), table.alone.iter().map(|&i| column(i)).collect()));
    }
    plots.extend(table.pairs.iter().map(|&(x, y)| Plot::phase(title, column(x), column(y))));
    if plots.is_empty() {
        return Err(Error::input("nothing to plot over t")
            .hint("name a second column, --columns x or --columns x:y")
            .into());
    }
    Ok(plots)
}

/// Writes plots, as SVG or PNG by the extension.
pub fn write_plots(path: &Path, plots: &[Plot]) -> Result<(), Failure> {
    let bytes = match path.extension().and_then(|x| x.to_str()) {
        Some("svg") => plot::svg(plots).into_bytes(),
        _ => plot::png(plots),
    };
    write_atomically(path, &bytes)
}
