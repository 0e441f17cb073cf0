//! Plots on their own: columns of numbers as SVG or PNG, fit for paper.
//!
//! A plot is laid out once, as lines and words on a sheet; [`svg`] writes the sheet as text, [`png`] draws it.

mod contours;
pub mod gif;
mod letters;
pub(crate) mod raster;

pub use contours::Grid;
pub(crate) mod sheet;

use sheet::{Anchor, Mark, Sheet};

/// A column of numbers; what is not finite is a gap.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<f64>,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, values: impl Into<Vec<f64>>) -> Column {
        Column { name: name.into(), values: values.into() }
    }
}

/// One frame with axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What stands above it.
    pub title: String,
    /// Name of the horizontal axis.
    pub across: String,
    /// Lines: values across and values upward.
    pub lines: Vec<(Vec<f64>, Column)>,
    /// Name of the vertical axis, where the legend does not say it.
    pub up_name: String,
    /// One unit is as long upward as across.
    pub equal: bool,
}

impl Plot {
    /// Columns over time.
    pub fn over_time(title: impl Into<String>, time: Column, columns: Vec<Column>) -> Plot {
        let lines = columns.into_iter().map(|c| (time.values.clone(), c)).collect();
        Plot { title: title.into(), across: time.name, lines, up_name: String::new(), equal: false }
    }

    /// One column against another.
    pub fn phase(title: impl Into<String>, across: Column, up: Column) -> Plot {
        let up_name = up.name.clone();
        Plot::against(title, across.name, up_name, vec![(across.values, up)])
    }

    /// Lines with values across of their own, with equal scales unless their sizes are too different for that. With a
    /// name for the vertical axis and one line there is no legend.
    pub fn against(
        title: impl Into<String>,
        across: impl Into<String>,
        up_name: impl Into<String>,
        lines: Vec<(Vec<f64>, Column)>,
    ) -> Plot {
        let span = |r: Option<(f64, f64)>| r.map_or(0.0, |(low, high)| high - low);
        let (a, b) = (span(range(lines.iter().map(|l| &l.0))), span(range(lines.iter().map(|l| &l.1.values))));
        let equal = a > 0.0 && b > 0.0 && a / b < 12.0 && b / a < 12.0;
        Plot { title: title.into(), across: across.into(), up_name: up_name.into(), lines, equal }
    }
}

/// The plots one below the other, as SVG.
pub fn svg(plots: &[Plot]) -> String {
    layout(plots).svg()
}

/// The plots one below the other, as PNG, two pixels to the unit.
pub fn png(plots: &[Plot]) -> Vec<u8> {
    raster::png(&layout(plots), 2.0)
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 66.0;
const RIGHT: f64 = 18.0;
const INK: [u8; 3] = [31, 35, 40];
const SOFT: [u8; 3] = [90, 97, 106];
const RULE: [u8; 3] = [217, 212, 200];
/// Told apart by eyes of all kinds, and by their dashes on grey paper.
const COLOURS: [[u8; 3]; 8] = [
    [20, 97, 158],
    [185, 65, 14],
    [29, 122, 79],
    [127, 63, 152],
    [138, 97, 0],
    [13, 114, 128],
    [164, 43, 98],
    [85, 96, 107],
];
const DASHES: [&[f64]; 5] = [&[], &[7.0, 3.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0], &[4.0, 2.0]];

fn layout(plots: &[Plot]) -> Sheet {
    let mut sheet = Sheet { width: WIDTH, height: 10.0, title: String::new(), marks: Vec::new() };
    sheet.title = plots.first().map(|p| p.title.clone()).unwrap_or_default();
    for plot in plots {
        frame(plot, &mut sheet);
    }
    sheet
}

/// Smallest and largest finite value.
fn range<'a>(columns: impl Iterator<Item = &'a Vec<f64>>) -> Option<(f64, f64)> {
    let finite = columns.flatten().copied().filter(|v| v.is_finite());
    finite.fold(None, |so_far, v| {
        let (low, high) = so_far.unwrap_or((v, v));
        Some((low.min(v), high.max(v)))
    })
}

/// A little room on both sides; a constant gets a range of its own size.
fn roomy(range: Option<(f64, f64)>, room: f64) -> (f64, f64) {
    let Some((low, high)) = range else { return (0.0, 1.0) };
    let size = low.abs().max(high.abs());
    if high - low > size * 1e-12 {
        // Halves first: the difference of two huge numbers may not be finite.
        let room = (high / 2.0 - low / 2.0) * 2.0 * room;
        return ((low - room).max(-f64::MAX / 4.0), (high + room).min(f64::MAX / 4.0));
    }
    let room = if size > 0.0 { size * 0.1 } else { 1.0 };
    (low - room, high + room)
}

/// Round numbers between low and high, about `count` of them.
pub(crate) fn ticks(low: f64, high: f64, count: f64) -> Vec<f64> {
    let rough = (high - low) / count.max(1.0);
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![low];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough * 0.75).unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil();
    let number = ((high / step + 1e-9).floor() - first).clamp(0.0, 100.0) as usize;
    // Adding zero turns −0 into 0.
    (0..=number).map(|k| (first + k as f64) * step + 0.0).collect()
}

/// A tick as short as its step allows.
pub(crate) fn label(value: f64, step: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let size = value.abs();
    if !(1e-4..1e6).contains(&size) {
        let digits = (size.log10().floor() - step.log10().floor()).clamp(0.0, 12.0) as usize;
        let text = format!("{value:.digits$e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let mantissa =
            if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
        return format!("{mantissa}e{exponent}").replace('-', "−");
    }
    let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{value:.decimals$}").replace('-', "−")
}

fn short(name: &str, most: usize) -> String {
    if name.chars().count() <= most {
        return name.to_owned();
    }
    name.chars().take(most - 1).chain(['…']).collect()
}

fn frame(plot: &Plot, sheet: &mut Sheet) {
    let mut top = sheet.height + 8.0;
    if !plot.title.is_empty() {
        sheet.text(WIDTH / 2.0, top + 12.0, 15.0, INK, Anchor::Middle, short(&plot.title, 80));
        top += 26.0;
    }
    let named = !plot.up_name.is_empty();
    if !named || plot.lines.len() > 1 {
        top = legend(plot, sheet, top);
    }
    let across_range = if plot.equal { 0.05 } else { 0.0 };
    let (mut x0, mut x1) = roomy(range(plot.lines.iter().map(|l| &l.0)), across_range);
    let (mut y0, mut y1) = roomy(range(plot.lines.iter().map(|l| &l.1.values)), 0.05);
    let wide = WIDTH - LEFT - RIGHT;
    let mut tall = if named { 400.0 } else { 270.0 };
    if plot.equal {
        tall = (wide * (y1 - y0) / (x1 - x0)).clamp(150.0, 560.0);
        let unit = ((x1 - x0) / wide).max((y1 - y0) / tall);
        let (grow_x, grow_y) = ((unit * wide - (x1 - x0)) / 2.0, (unit * tall - (y1 - y0)) / 2.0);
        (x0, x1, y0, y1) = (x0 - grow_x, x1 + grow_x, y0 - grow_y, y1 + grow_y);
    }
    let x = |v: f64| LEFT + (v - x0) / (x1 - x0) * wide;
    let y = |v: f64| top + tall - (v - y0) / (y1 - y0) * tall;

    let across = ticks(x0, x1, wide / 90.0);
    let step = across.get(1).map_or(x1 - x0, |b| b - across[0]);
    for &v in &across {
        sheet.line(&[(x(v), top), (x(v), top + tall)], RULE, 0.7);
        sheet.text(x(v), top + tall + 15.0, 11.0, SOFT, Anchor::Middle, label(v, step));
    }
    let up = ticks(y0, y1, tall / if plot.equal { 90.0 } else { 46.0 });
    let step = up.get(1).map_or(y1 - y0, |b| b - up[0]);
    for &v in &up {
        let colour = if v == 0.0 { SOFT } else { RULE };
        sheet.line(&[(LEFT, y(v)), (LEFT + wide, y(v))], colour, 0.7);
        sheet.text(LEFT - 7.0, y(v) + 4.0, 11.0, SOFT, Anchor::End, label(v, step));
    }
    let (right, bottom) = (LEFT + wide, top + tall);
    sheet.line(&[(LEFT, top), (right, top), (right, bottom), (LEFT, bottom), (LEFT, top)], SOFT, 0.8);
    for (k, (across, column)) in plot.lines.iter().enumerate() {
        let points = across.iter().zip(&column.values).map(|(&a, &b)| (x(a), y(b)));
        let dash = DASHES[k % DASHES.len()];
        // A point between two gaps is a dot.
        let (dots, parts): (Vec<_>, Vec<_>) = pen(points).into_iter().partition(|p| p.len() == 1);
        sheet.marks.push(Mark::Path { parts, colour: COLOURS[k % 8], width: 1.6, dash });
        if !dots.is_empty() {
            let parts = dots.iter().map(|p| dot(p[0])).collect();
            sheet.marks.push(Mark::Fill { parts, colour: COLOURS[k % 8], edge: None });
        }
    }
    sheet.text(LEFT + wide / 2.0, bottom + 33.0, 12.0, INK, Anchor::Middle, short(&plot.across, 80));
    if named {
        let (name, y) = (short(&plot.up_name, 60), top + tall / 2.0);
        sheet.marks.push(Mark::Text {
            x: 16.0,
            y,
            size: 12.0,
            colour: INK,
            anchor: Anchor::Middle,
            turned: true,
            text: name,
        });
    }
    sheet.height = bottom + 48.0;
}

/// Names of the columns with their lines, in rows; returns where the frame may begin.
fn legend(plot: &Plot, sheet: &mut Sheet, top: f64) -> f64 {
    let (mut x, mut y) = (LEFT, top + 8.0);
    for (k, (_, column)) in plot.lines.iter().enumerate() {
        let name = short(&column.name, 40);
        let width = 34.0 + letters::width(&name, 12.0) + 18.0;
        if x > LEFT && x + width > WIDTH - RIGHT {
            (x, y) = (LEFT, y + 18.0);
        }
        let parts = vec![vec![(x, y - 4.0), (x + 26.0, y - 4.0)]];
        sheet.marks.push(Mark::Path { parts, colour: COLOURS[k % 8], width: 1.8, dash: DASHES[k % DASHES.len()] });
        sheet.text(x + 33.0, y, 12.0, INK, Anchor::Start, name);
        x += width;
    }
    y + 10.0
}

/// A small square.
fn dot((x, y): (f64, f64)) -> Vec<(f64, f64)> {
    let r = 1.1;
    vec![(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
}

/// Lines between gaps; points closer than a third of a unit to the last one are left out.
fn pen(points: impl Iterator<Item = (f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut skipped = None;
    for (x, y) in points {
        let part = parts.last_mut().expect("never empty");
        if !x.is_finite() || !y.is_finite() {
            part.extend(skipped.take());
            if !part.is_empty() {
                parts.push(Vec::new());
            }
            continue;
        }
        match part.last() {
            Some(&(a, b)) if (x - a).abs() + (y - b).abs() < 0.33 => skipped = Some((x, y)),
            _ => {
                part.push((x, y));
                skipped = None;
            }
        }
    }
    parts.last_mut().expect("never empty").extend(skipped);
    parts.retain(|p| !p.is_empty());
    parts
}

#[cfg(test)]
mod tests;
