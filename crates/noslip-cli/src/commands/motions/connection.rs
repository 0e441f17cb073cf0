//! `noslip connection`

use super::{by_name, difference, names, significant, value};
use crate::failure::{Failure, Outcome};
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, finite, named, unknown};
use crate::output::{expect_outputs, write_atomically, write_plots};
use crate::terminal::{say, say_json};
use crate::words::{number, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::expr::{Assignment, Expr, Symbol};
use noslip::mechanics::Workbench;
use noslip::motions::connection::{Connection, Group, connection};
use noslip::motions::gait::{Gait, Phase, phase};
use noslip_cli::answers::{
    self, Curvature, GaitPhase, GeneralisedMomentum, NonholonomicConnection, QuasiVelocity, Rate,
};
use noslip_cli::plot::{Column, Grid, Plot};
use std::fmt::Write;
use std::path::PathBuf;

/// `connection`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip connection snakeboard
  noslip connection snakeboard --gait \"psi=0.7*sin(t)\" --gait \"phi=0.3*sin(t)\"
  noslip connection snakeboard --plot heights.svg --range phi=-1:1

A gait gives every coordinate of the shape as a function of t.")]
pub struct ConnectionArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// A coordinate of the shape as a function of t; may be repeated
    #[arg(long, value_name = "NAME=EXPR", allow_hyphen_values = true)]
    pub gait: Vec<String>,
    /// Period of the gait (2*pi)
    #[arg(long, value_name = "T", default_value = "2*pi")]
    pub period: String,
    /// Periods to follow
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub cycles: u32,
    /// Relative and absolute tolerance
    #[arg(long, value_name = "R", value_parser = finite, allow_hyphen_values = true, default_value = "1e-10")]
    pub tolerance: f64,
    /// Range of a shape coordinate in the plot (-1:1); may be repeated
    #[arg(long, value_name = "NAME=A:B", allow_hyphen_values = true)]
    pub range: Vec<String>,
    /// Draw the height functions over two shape coordinates, and the track of the gait: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write the track of the gait as comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Derives the connection, and follows a gait.
pub fn run(args: &ConnectionArgs) -> Outcome {
    expect_outputs(&args.model.model, args.out.as_ref(), &["csv"], args.plot.as_ref())?;
    let mut opened = open(&args.model)?.while_closed();
    let mut written = Vec::new();
    for text in &args.gait {
        let (name, rest) = named("--gait", text)?;
        written.push((name.to_owned(), opened.expression("--gait", rest)?));
    }
    let period = value(&mut opened, "--period", &args.period)?;
    let ranges = ranges(&mut opened, &args.range)?;
    let mut w = opened.model.workbench();
    let c = connection(&mut w)?;
    let gait = gait(&w, &c, &written)?.map(|shape| Gait {
        shape,
        period,
        cycles: args.cycles,
        momenta: vec![0.0; c.momenta.len()],
        tolerance: args.tolerance,
    });
    if gait.is_none() && args.out.is_some() {
        return Err(Failure::from(
            Error::input("`--out` needs a gait").hint("give --gait NAME=EXPR for every shape coordinate"),
        ));
    }
    let done = match &gait {
        Some(gait) => Some(phase(&mut w, &c, gait)?),
        None => None,
    };
    if let (Some(path), Some(done)) = (&args.out, &done) {
        write_atomically(path, csv(&w, &c, done).as_bytes())?;
    }
    if let Some(path) = &args.plot {
        let plots = plots(&mut w, &c, &ranges, done.as_ref())?;
        write_plots(path, &plots)?;
    }
    match args.format.is_json() {
        true => say_json(&document(&mut w, &c, gait.as_ref().zip(done.as_ref()))),
        false => say(&text(&mut w, &c, gait.as_ref().zip(done.as_ref()))),
    }
    Ok(())
}

/// Ranges by name.
fn ranges(opened: &mut Opened, list: &[String]) -> Result<Vec<(String, [f64; 2])>, Failure> {
    let mut found = Vec::new();
    for text in list {
        let wrong =
            || Failure::from(Error::input(format!("`--range {text}`: expected NAME=A:B")).hint("for example phi=-1:1"));
        let (name, rest) = named("--range", text)?;
        let (a, b) = rest.split_once(':').ok_or_else(wrong)?;
        let ends = [value(opened, "--range", a)?, value(opened, "--range", b)?];
        if ends[0] >= ends[1] {
            return Err(wrong());
        }
        found.push((name.to_owned(), ends));
    }
    Ok(found)
}

/// The gait that was given, else the one of the model; all of the shape or nothing.
fn gait(w: &Workbench, c: &Connection, written: &[(String, Expr)]) -> Result<Option<Vec<Expr>>, Failure> {
    let known = names(w, &c.shape);
    if let Some((name, _)) = written.iter().find(|(name, _)| !known.contains(name)) {
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        return Err(unknown("`--gait`: ", "coordinate of the shape", name, &known).into());
    }
    if written.is_empty() {
        return Ok(c.gait.clone());
    }
    let mut list = Vec::new();
    for (i, name) in known.iter().enumerate() {
        let own = written.iter().find(|(n, _)| n == name).map(|x| x.1);
        match own.or_else(|| c.gait.as_ref().map(|g| g[i])) {
            Some(e) => list.push(e),
            None => {
                return Err(Failure::from(
                    Error::input(format!("`--gait`: nothing is said of `{name}`"))
                        .hint(format!("a coordinate that stands still: --gait \"{name}=0\"")),
                ));
            }
        }
    }
    Ok(Some(list))
}

fn document(w: &mut Workbench, c: &Connection, done: Option<(&Gait, &Phase)>) -> NonholonomicConnection {
    let mut rows = |m: &[Vec<Expr>]| m.iter().map(|r| r.iter().map(|&e| written(w, e)).collect()).collect();
    let (matrix, inverse) = (rows(&c.connection), rows(&c.inverse));
    let body = c.body_velocity.iter();
    let body_velocity =
        body.map(|&(s, e)| QuasiVelocity { name: w.g.name(s).to_owned(), expression: written(w, e) }).collect();
    let (mut momenta, mut equation) = (Vec::new(), Vec::new());
    for m in &c.momenta {
        momenta.push(GeneralisedMomentum {
            name: w.g.name(m.symbol).to_owned(),
            expression: written(w, m.expr),
            generator: m.generator.iter().map(|&e| written(w, e)).collect(),
        });
        equation.push(Rate { of: w.g.name(m.symbol).to_owned(), rate: Some(written(w, m.rate)) });
    }
    let mut curvature = Vec::new();
    for ((i, j), b) in &c.curvature {
        curvature.push(Curvature {
            over: [w.g.name(c.shape[*i]).to_owned(), w.g.name(c.shape[*j]).to_owned()],
            components: b.iter().map(|&e| written(w, e)).collect(),
        });
    }
    let xi: Vec<Symbol> = c.body_velocity.iter().map(|x| x.0).collect();
    let momentum_names: Vec<Symbol> = c.momenta.iter().map(|m| m.symbol).collect();
    let zip = |w: &Workbench, s: &[Symbol], x: &[f64]| {
        by_name(w, &s.iter().copied().zip(x.iter().copied()).collect::<Vec<_>>())
    };
    let gait = done.map(|(gait, p)| GaitPhase {
        shape: answers::by_name(&names(w, &c.shape), gait.shape.iter().map(|&e| written(w, e)).collect::<Vec<_>>()),
        period: gait.period,
        cycles: gait.cycles,
        displacement: zip(w, &c.group, &p.displacement),
        momenta: zip(w, &momentum_names, &p.momenta),
        geometric: p.geometric.as_ref().map(|x| zip(w, &xi, x)),
    });
    NonholonomicConnection {
        name: w.system.name.clone(),
        group: kind(c).to_owned(),
        group_coordinates: names(w, &c.group),
        shape: names(w, &c.shape),
        relative: c.relative.iter().map(|&(s, e)| (w.g.name(s).to_owned(), written(w, e))).collect(),
        body_velocity,
        momenta,
        connection: matrix,
        inverse_inertia: inverse,
        momentum_equation: equation,
        curvature,
        how: (&c.how).into(),
        gait,
    }
}

fn kind(c: &Connection) -> &'static str {
    match c.kind {
        Group::Plane => "SE(2)",
        Group::Shifts => "shifts",
    }
}

fn text(w: &mut Workbench, c: &Connection, done: Option<(&Gait, &Phase)>) -> String {
    let mut out = format!("{}\n\n", w.system.name);
    let list = |w: &Workbench, s: &[Symbol]| s.iter().map(|&s| symbol(w, s)).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "Group: {}, coordinates {}", kind(c), list(w, &c.group));
    let shape = if c.shape.is_empty() { "none".to_owned() } else { list(w, &c.shape) };
    let _ = writeln!(out, "Shape: {shape}");
    c.relative.iter().for_each(|&(s, e)| out.push_str(&difference(w, s, e)));
    out.push_str("\nVelocity seen from the body\n");
    for &(s, e) in &c.body_velocity {
        let (name, e) = (symbol(w, s), shown(w, e));
        let _ = if name == e { writeln!(out, "  {name}") } else { writeln!(out, "  {name} = {e}") };
    }
    if c.momenta.is_empty() {
        out.push_str("\nWith the shape held fixed the constraints allow nothing: there are no momenta.\n");
    } else {
        out.push_str("\nMomenta along what the constraints allow with the shape held fixed\n");
    }
    for m in &c.momenta {
        let generator: Vec<String> = m.generator.iter().map(|&e| shown(w, e)).collect();
        let e = shown(w, m.expr);
        let _ = writeln!(out, "  {} = {e}", symbol(w, m.symbol));
        let _ = writeln!(out, "    along ({})", generator.join(", "));
    }
    out.push_str("\nConnection\n");
    for (k, &(s, _)) in c.body_velocity.iter().enumerate() {
        let mut parts = Vec::new();
        for (i, &r) in c.shape_velocities.iter().enumerate() {
            if !w.g.is_zero(c.connection[k][i]) {
                parts.push(format!("− ({})·{}", shown(w, c.connection[k][i]), symbol(w, r)));
            }
        }
        for (i, m) in c.momenta.iter().enumerate() {
            if !w.g.is_zero(c.inverse[k][i]) {
                parts.push(format!("+ ({})·{}", shown(w, c.inverse[k][i]), symbol(w, m.symbol)));
            }
        }
        let sum = if parts.is_empty() { "0".to_owned() } else { parts.join(" ") };
        let _ = writeln!(out, "  {} = {}", symbol(w, s), sum.strip_prefix("+ ").unwrap_or(&sum));
    }
    if !c.momenta.is_empty() {
        let _ = writeln!(out, "\nMomentum equation ({})", c.how.word());
        for m in &c.momenta {
            let rate = shown(w, m.rate);
            let _ = writeln!(out, "  d/dt {} = {rate}", symbol(w, m.symbol));
        }
    }
    for ((i, j), b) in &c.curvature {
        let _ = writeln!(out, "\nCurvature over {}, {}", symbol(w, c.shape[*i]), symbol(w, c.shape[*j]));
        for (&(s, _), &e) in c.body_velocity.iter().zip(b) {
            let e = shown(w, e);
            let _ = writeln!(out, "  {}: {e}", symbol(w, s));
        }
    }
    if let Some((gait, p)) = done {
        out += &followed(w, c, gait, p);
    }
    out
}

fn followed(w: &mut Workbench, c: &Connection, gait: &Gait, p: &Phase) -> String {
    let mut out = String::from("\nGait\n");
    for (&r, &e) in c.shape.iter().zip(&gait.shape) {
        let e = shown(w, e);
        let _ = writeln!(out, "  {} = {e}", symbol(w, r));
    }
    let after = if gait.cycles == 1 { "a period".to_owned() } else { format!("{} periods", gait.cycles) };
    let values = |w: &Workbench, s: &[Symbol], x: &[f64]| {
        let pair = |(&s, x): (&Symbol, &f64)| format!("{} = {}", symbol(w, s), significant(*x));
        s.iter().zip(x).map(pair).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(out, "After {after}, from zero: {}", values(w, &c.group, &p.displacement));
    if !c.momenta.is_empty() {
        let symbols: Vec<Symbol> = c.momenta.iter().map(|m| m.symbol).collect();
        let _ = writeln!(out, "Momenta then: {}", values(w, &symbols, &p.momenta));
    }
    match &p.geometric {
        Some(x) => {
            let symbols: Vec<Symbol> = c.body_velocity.iter().map(|x| x.0).collect();
            let _ = writeln!(
                out,
                "Geometric phase of a period, −∬B along the body's velocities: {}",
                values(w, &symbols, x)
            );
        }
        None => out.push_str("The shape does not return: there is no geometric phase.\n"),
    }
    out
}

fn csv(w: &Workbench, c: &Connection, p: &Phase) -> String {
    let mut head = vec!["t".to_owned()];
    head.extend(names(w, &c.group));
    head.extend(c.momenta.iter().map(|m| w.g.name(m.symbol).to_owned()));
    let mut out = head.join(",") + "\n";
    for (t, y) in &p.path {
        let row: Vec<String> = [*t].iter().chain(y).map(|&x| number(x)).collect();
        out += &(row.join(",") + "\n");
    }
    out
}

/// Cells of a height function, in each direction.
const CELLS: usize = 80;

/// The height functions over the first two shape coordinates, and the track of the gait.
fn plots(
    w: &mut Workbench,
    c: &Connection,
    ranges: &[(String, [f64; 2])],
    done: Option<&Phase>,
) -> Result<Vec<Plot>, Failure> {
    let mut list = Vec::new();
    if let Some(((i, j), components)) = c.curvature.first() {
        let (across, up) = (w.g.name(c.shape[*i]).to_owned(), w.g.name(c.shape[*j]).to_owned());
        let range = |name: &str| ranges.iter().find(|(n, _)| n == name).map_or([-1.0, 1.0], |r| r.1);
        let places =
            |[a, b]: [f64; 2]| -> Vec<f64> { (0..=CELLS).map(|k| a + (b - a) * k as f64 / CELLS as f64).collect() };
        let (x, y) = (places(range(&across)), places(range(&up)));
        let mut at: Assignment = w.system.values(&w.g, &[])?.at;
        for &s in &c.shape {
            let own = w.g.symbol(s);
            at.set(s, w.value_at_initial_state(own).unwrap_or(0.0));
        }
        for (&(s, _), &e) in c.body_velocity.iter().zip(components) {
            if w.g.is_zero(e) {
                continue;
            }
            let mut values = Vec::new();
            for &b in &y {
                at.set(c.shape[*j], b);
                let mut row = Vec::new();
                for &a in &x {
                    at.set(c.shape[*i], a);
                    row.push(w.g.evaluate(&[e], &at)[0]);
                }
                values.push(row);
            }
            let title = format!("{}: height function of {}", w.system.name, symbol(w, s));
            list.push(Grid { across: x.clone(), up: y.clone(), values }.plot(title, &across, &up));
        }
    }
    if let (Some(p), [x, y, ..]) = (done, &c.group[..]) {
        let column = |k: usize, s: Symbol| {
            Column::new(w.g.name(s).to_owned(), p.path.iter().map(|q| q.1[k]).collect::<Vec<f64>>())
        };
        list.push(Plot::phase(format!("{}: track of the gait", w.system.name), column(0, *x), column(1, *y)));
    }
    if list.is_empty() {
        return Err(Error::input("there is nothing to draw: no curvature, and no gait").into());
    }
    Ok(list)
}
