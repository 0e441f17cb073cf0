//! Pictures of surfaces: lines along which one of the two parameters stays.

use super::drawing::Drawn;
use super::frames::Spot;
use super::layer::{Layer, Where};
use super::surfaces::Surface;
use super::vector::{Vector, VectorArithmetic};
use crate::error::Error;
use crate::expr::Expr;
use crate::source::{Item, Value};
use rustc_hash::FxHashMap;

/// Lines in each direction, and pieces of a line; more where it closes.
const LINES: i64 = 8;
const PIECES: i64 = 12;

/// What is drawn of a parameter.
#[derive(Clone, Copy)]
struct Range {
    from: Expr,
    to: Expr,
    closes: bool,
}

impl Layer<'_> {
    pub(super) fn draw_surfaces(&mut self, drawn: &mut Vec<Drawn>) {
        for i in 0..self.surfaces.len() {
            let surface = self.surfaces[i].clone();
            let specs = self.specs;
            let over = specs.surfaces.iter().find(|s| s.name.text == surface.name).and_then(|s| s.over);
            let ranges = match over {
                Some(item) => self.given_ranges(item),
                None => Some([0, 1].map(|k| self.range(&surface, k))),
            };
            let Some(ranges) = ranges else { continue };
            let carried = self.bodies.iter().any(|b| b.frame == surface.frame);
            for k in 0..2 {
                let last = if ranges[k].closes { LINES - 1 } else { LINES };
                for line in 0..=last {
                    let fixed = self.within(ranges[k], line, LINES);
                    let pieces = if ranges[1 - k].closes { 2 * PIECES } else { PIECES };
                    let points: Vec<Vector> = (0..=pieces)
                        .map(|piece| {
                            let free = self.within(ranges[1 - k], piece, pieces);
                            let at = if k == 0 { [fixed, free] } else { [free, fixed] };
                            let map: FxHashMap<_, _> = surface.letters.into_iter().zip(at).collect();
                            surface.place.map(|x| self.arena.substitute(x, &map))
                        })
                        .collect();
                    let mut lines = Drawn::new("polyline").word("name", surface.name.clone());
                    lines = lines.word("role", if carried { "body" } else { "ground" }).points("points", points);
                    if surface.frame != 0 {
                        let center = self.shown(Spot { frame: surface.frame, at: self.arena.nothing() }, false);
                        let matrix = self.matrix_of(self.frames[surface.frame].axes);
                        lines = lines.vector("center", &center).matrix("matrix", matrix);
                    }
                    drawn.push(lines);
                }
            }
        }
    }

    /// from + (to − from)·i/n
    fn within(&mut self, range: Range, i: i64, n: i64) -> Expr {
        let part = self.arena.fraction(i, n);
        let way = self.arena.sub(range.to, range.from);
        let way = self.arena.mul(part, way);
        self.arena.add(range.from, way)
    }

    /// `over = [[from, to], [from, to]]`
    fn given_ranges(&mut self, item: &Item) -> Option<[Range; 2]> {
        let pair = |item: &Item| match &item.value {
            Value::Array(list) => <[Item; 2]>::try_from(list.clone()).ok(),
            _ => None,
        };
        let both = pair(item).and_then(|[a, b]| Some([pair(&a)?, pair(&b)?]));
        let Some(both) = both else {
            let error = Error::input("`over` is two ranges, one for each parameter").at(item.span.clone());
            self.error(error.hint("write `over = [[-1, 1], [0, \"2*pi\"]]`"));
            return None;
        };
        let mut ranges = Vec::new();
        for [from, to] in &both {
            let (from, to) = (self.read(from, Where::SIZE)?, self.read(to, Where::SIZE)?);
            ranges.push(Range { from, to, closes: false });
        }
        Some([ranges[0], ranges[1]])
    }

    /// All of a parameter in which the surface closes, otherwise what lies around the initial state.
    fn range(&mut self, surface: &Surface, k: usize) -> Range {
        let zero = self.arena.zero();
        let (two, pi) = (self.arena.integer(2), self.arena.pi());
        let pi = self.arena.symbol(pi);
        let turn = self.arena.mul(two, pi);
        let letter = self.arena.symbol(surface.letters[k]);
        let further = self.arena.add(letter, turn);
        let map: FxHashMap<_, _> = [(surface.letters[k], further)].into_iter().collect();
        let closes = surface.place.iter().all(|&x| {
            let moved = self.arena.substitute(x, &map);
            let difference = self.arena.sub(moved, x);
            self.vanishes(difference)
        });
        if closes {
            return Range { from: zero, to: turn, closes };
        }
        let mut size = 0.0f64;
        for body in self.bodies.clone() {
            for s in body.shape.into_iter().flat_map(|s| s.sizes) {
                size = size.max(self.initial_value(s));
            }
        }
        let near = surface.first_at().map_or(0.0, |at| self.initial_value(at[k]));
        let half = if surface.is_graph { (6.0 * size).max(1.5 * near.abs()) } else { 1.0 };
        let half = if half.is_finite() && half > 0.0 { half } else { 1.0 };
        let middle = if surface.is_graph || !near.is_finite() { 0.0 } else { near };
        let tenths = |layer: &mut Self, x: f64| layer.arena.fraction((x * 10.0).round() as i64, 10);
        Range { from: tenths(self, middle - half), to: tenths(self, middle + half), closes: false }
    }
}
