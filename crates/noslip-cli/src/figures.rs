//! The plots a model asks for, in numbers.

use crate::failure::Failure;
use crate::motion::warn_of_tables;
use crate::open::{Opened, set_parameter};
use crate::picture::Figure;
use crate::terminal::complain;
use noslip::expr::Expr;
use noslip::mechanics::Workbench;
use noslip::simulate::{Settings, Simulation, simulate, values_along};
use noslip_cli::plot::{Column, Plot};
use noslip_cli::report::figures::FigureSpec;

/// A curve in numbers.
pub struct Curve {
    /// Which of the expressions upward.
    pub up: usize,
    /// The value of the varied parameter, as written.
    pub value: Option<String>,
    /// Values across: times, if the figure says nothing else.
    pub x: Vec<f64>,
    /// Values upward.
    pub y: Vec<f64>,
}

/// The curves of each figure: along the model's own motion `run`, or along one for each value of a parameter.
pub fn curves(
    figures: &[Figure],
    opened: &Opened,
    settings: &Settings,
    w: &mut Workbench,
    run: &Simulation,
) -> Result<Vec<Vec<Curve>>, Failure> {
    let mut all = Vec::new();
    for figure in figures {
        let Some(vary) = &figure.spec.vary else {
            all.push(evaluate(figure, None, w, run)?);
            continue;
        };
        let mut curves = Vec::new();
        for value in &vary.values {
            let mut other = opened.clone();
            set_parameter(&mut other.model, &format!("{}={value}", vary.name))?;
            let state = other.initial_state()?;
            let mut w = other.model.workbench();
            let run = simulate(&mut w, &state, settings, &mut |_| true)?;
            warn_of_tables(&w);
            curves.extend(evaluate(figure, Some(value), &mut w, &run)?);
        }
        all.push(curves);
    }
    Ok(all)
}

/// The curves of a figure along one motion.
fn evaluate(
    figure: &Figure,
    value: Option<&String>,
    w: &mut Workbench,
    run: &Simulation,
) -> Result<Vec<Curve>, Failure> {
    let time = w.g.time();
    let across = figure.across.unwrap_or_else(|| w.g.symbol(time));
    let expressions: Vec<Expr> = std::iter::once(across).chain(figure.up.iter().copied()).collect();
    let mut columns = values_along(w, &expressions, &run.samples)?;
    let times: Vec<f64> = run.samples.iter().map(|s| s.t).collect();
    let texts = std::iter::once(figure.spec.across.as_ref()).chain(figure.spec.up.iter().map(Some));
    for (text, column) in texts.zip(&columns) {
        if let (Some(text), Some(i)) = (text, column.iter().position(|x| !x.is_finite())) {
            complain(&format!("warning: `{}`, which is plotted, is {} at t = {}", text.text, column[i], times[i]));
        }
    }
    let x = columns.remove(0);
    Ok(columns.into_iter().enumerate().map(|(up, y)| Curve { up, value: value.cloned(), x: x.clone(), y }).collect())
}

/// What a curve is called in a legend: its expression, the value it belongs to, or both.
pub fn name(spec: &FigureSpec, curve: &Curve) -> String {
    let text = &spec.up[curve.up].text;
    match (&spec.vary, &curve.value) {
        (Some(vary), Some(value)) if spec.up.len() == 1 => format!("{} = {value}", vary.name),
        (Some(vary), Some(value)) => format!("{text}, {} = {value}", vary.name),
        _ => text.clone(),
    }
}

/// The plots a model asks for, on paper.
pub fn plots(
    figures: &[Figure],
    opened: &Opened,
    settings: &Settings,
    w: &mut Workbench,
    run: &Simulation,
) -> Result<Vec<Plot>, Failure> {
    let mut plots = Vec::new();
    for (figure, curves) in figures.iter().zip(curves(figures, opened, settings, w, run)?) {
        let spec = &figure.spec;
        let title = spec.title.clone().unwrap_or_default();
        let lines: Vec<_> = curves.into_iter().map(|c| (c.x.clone(), Column::new(name(spec, &c), c.y))).collect();
        let up_name = if spec.up.len() == 1 { spec.up[0].text.clone() } else { String::new() };
        plots.push(match &spec.across {
            Some(across) => Plot::against(title, across.text.clone(), up_name, lines),
            None => Plot { title, across: "t".into(), lines, up_name: String::new(), equal: false },
        });
    }
    Ok(plots)
}
