//! A drawing at one moment, on paper: what the page animates, as one SVG or PNG.
//!
//! The painter's algorithm: everything becomes pieces with a distance, and the nearest is painted last. The page does the
//! same on its canvas (`report/page/{solids,camera,scene}.js`); here the pieces land on a [`Sheet`].

mod camera;
mod space;

use crate::plot::{self, raster, sheet};
use crate::report::drawing::{Item, Scene};
use camera::{Camera, Fields};
use noslip::arrange::Arrange;
use sheet::{Anchor, Mark, Sheet};
use space::*;

type Colour = [u8; 3];
type Point = (f64, f64);

const PAPER: Colour = [250, 248, 243];
const INK: Colour = [31, 35, 40];
const RULE: Colour = [217, 212, 200];
const MARK: Colour = [185, 65, 14];

/// The light colours of the page.
fn colour_of(role: &str) -> Colour {
    match role {
        "body" => [91, 141, 179],
        "wheel" => [109, 127, 143],
        "frame" => [75, 86, 97],
        "mark" | "path" => MARK,
        "velocity" => [29, 122, 79],
        "force" => [127, 63, 152],
        "ground" => [220, 214, 200],
        "muted" => [169, 164, 152],
        "accent" => [20, 97, 158],
        _ => INK,
    }
}

fn mix(a: Colour, b: Colour, part: f64) -> Colour {
    std::array::from_fn(|i| (f64::from(a[i]) + (f64::from(b[i]) - f64::from(a[i])) * part).round() as u8)
}

/// A picture of a motion at one of its samples.
pub struct Still<'a> {
    /// The drawing, sampled.
    pub scene: &'a Scene,
    /// The times of the samples.
    pub times: &'a [f64],
    /// Which of them.
    pub sample: usize,
    /// Width and height of the picture.
    pub size: (f64, f64),
    /// What it shows, for those who cannot see it.
    pub title: &'a str,
}

impl Still<'_> {
    /// As SVG.
    pub fn svg(&self) -> String {
        self.sheet().svg()
    }

    /// As PNG, two pixels to the unit.
    pub fn png(&self) -> Vec<u8> {
        raster::png(&self.sheet(), 2.0)
    }

    /// As pixels, three bytes each, one to the unit.
    pub fn pixels(&self) -> Vec<u8> {
        raster::pixels(&self.sheet(), 1.0).2
    }

    fn sheet(&self) -> Sheet {
        let camera = Camera::new(self.scene, self.times.len(), self.sample, self.size);
        let mut painter = Painter { still: self, camera, below: Vec::new(), pieces: Vec::new(), labels: Vec::new() };
        painter.paint();
        let mut sheet =
            Sheet { width: self.size.0, height: self.size.1, title: self.title.to_owned(), marks: Vec::new() };
        let (w, h) = self.size;
        let ground = vec![(0.0, 0.0), (w, 0.0), (w, h), (0.0, h)];
        sheet.marks.push(Mark::Fill { parts: vec![ground], colour: PAPER, edge: None });
        if painter.camera.flat {
            graph_paper(&painter.camera, &mut sheet);
        }
        if !painter.camera.flat {
            painter.pieces.arrange_by(|a, b| a.depth.total_cmp(&b.depth));
        }
        for mark in painter.below.into_iter().chain(painter.pieces.into_iter().map(|p| p.mark)) {
            join(&mut sheet.marks, mark);
        }
        sheet.marks.extend(painter.labels);
        sheet
    }
}

struct Piece {
    depth: f64,
    mark: Mark,
    /// Corners of a solid, for its shadow.
    corners: Vec<V>,
}

struct Painter<'a> {
    still: &'a Still<'a>,
    camera: Camera,
    /// On the ground, in this order.
    below: Vec<Mark>,
    pieces: Vec<Piece>,
    labels: Vec<Mark>,
}

fn flat(p: (f64, f64, f64)) -> Point {
    (p.0, p.1)
}

impl Painter<'_> {
    fn paint(&mut self) {
        let Still { scene, sample, .. } = *self.still;
        let ground = scene.items.iter().filter(|i| i.shape == "plane").find_map(|i| Fields::new(scene, i, sample));
        let level = ground.map(|f| (f.vector("through").unwrap_or_default(), unit(f.vector("normal").unwrap_or(UP))));
        for item in &scene.items {
            let Some(f) = Fields::new(scene, item, sample) else { continue };
            let first = self.pieces.len();
            let colour = colour_of(&item.role);
            match item.shape {
                "plane" => self.grid(&f, colour),
                "trail" => self.trail(item, &f, colour, level),
                _ => self.shape(item.shape, &f, colour),
            }
            let solid = ["disk", "sphere", "ellipsoid", "box", "polygon"].contains(&item.shape);
            if let (Some(level), true, false) = (level, solid, self.camera.flat) {
                self.shadow(first, level);
            }
            if let Some(label) = &item.label {
                self.label(f.anchor(), label, INK, 8.0, Anchor::Start);
            }
            // In the plane the order of the file decides what lies on top; in space, the distance.
            if self.camera.flat {
                self.pieces[first..].arrange_by(|a, b| a.depth.total_cmp(&b.depth));
            }
        }
    }

    fn shape(&mut self, shape: &str, f: &Fields, colour: Colour) {
        let vector = |name: &str| f.vector(name).unwrap_or_default();
        let number = |name: &str, usual: f64| f.number(name).unwrap_or(usual);
        let (center, radius) = (vector("center"), number("radius", 0.0));
        let faces = match shape {
            "point" => return self.dot(f, colour),
            "arrow" => return self.arrow(f, colour),
            "text" => return self.label(vector("at"), f.text("text").unwrap_or_default(), colour, 0.0, Anchor::Middle),
            "segment" => return self.line(&[vector("from"), vector("to")], colour, number("width", 3.0)),
            "polyline" => return self.line(&f.points().unwrap_or_default(), colour, number("width", 2.4)),
            "spring" => {
                let (from, to) = (vector("from"), vector("to"));
                let radius = number("radius", 0.06 * length(sub(to, from)));
                return self.line(&helix(from, to, f.count("coils", 8).max(1), radius), colour, 1.8);
            }
            "circle" => {
                let axes = f.axes();
                let ring = circle(72).into_iter().map(|(c, s)| add(center, turn(axes, [radius * c, radius * s, 0.0])));
                let mut ring: Vec<V> = ring.collect();
                ring.push(ring[0]);
                return self.line(&ring, colour, number("width", 2.4));
            }
            "polygon" => {
                let points = f.points().unwrap_or_default();
                let normal = if points.len() > 2 { normal_of(&points) } else { UP };
                vec![Face { points, normal, tone: 0, both: true, edge: true, rim: false }]
            }
            "disk" => disk(center, f.axes(), radius, number("thickness", 0.0), f.count("spokes", 4)),
            "sphere" => ellipsoid(center, f.axes(), [radius; 3]),
            "ellipsoid" => ellipsoid(center, f.axes(), vector("axes")),
            "box" => cuboid(center, f.axes(), vector("size")),
            _ => return,
        };
        for face in faces {
            self.face(face, colour);
        }
    }

    fn push(&mut self, depth: f64, mark: Mark) {
        self.pieces.push(Piece { depth, mark, corners: Vec::new() });
    }

    fn stroke(&mut self, depth: f64, points: Vec<Point>, colour: Colour, width: f64) {
        self.push(depth, Mark::Path { parts: vec![points], colour, width, dash: &[] });
    }

    /// A line in space, cut into pieces so that each finds its place among the solids.
    fn line(&mut self, points: &[V], colour: Colour, width: f64) {
        let seen: Vec<_> = points.iter().map(|&p| self.camera.project(p)).collect();
        if self.camera.flat {
            let depth = seen.iter().fold(f64::NEG_INFINITY, |d, p| d.max(p.2));
            return self.stroke(depth, simplify(&seen.into_iter().map(flat).collect::<Vec<_>>()), colour, width);
        }
        for pair in seen.windows(2) {
            let parts = if seen.len() == 2 { 12 } else { 1 };
            let at = |k: usize| {
                let ((ax, ay, az), (bx, by, bz), s) = (pair[0], pair[1], f64::from(k as u32) / f64::from(parts));
                (ax + (bx - ax) * s, ay + (by - ay) * s, az + (bz - az) * s)
            };
            for k in 0..parts as usize {
                let (a, b) = (at(k), at(k + 1));
                self.stroke((a.2 + b.2) / 2.0, vec![flat(a), flat(b)], colour, width);
            }
        }
    }

    fn face(&mut self, face: Face, colour: Colour) {
        let Some(&first) = face.points.first() else { return };
        let facing = self.camera.faces(face.normal, first);
        if facing <= 0.0 && !face.both {
            return;
        }
        let seen: Vec<_> = face.points.iter().map(|&p| self.camera.project(p)).collect();
        let depth = seen.iter().map(|p| p.2).sum::<f64>() / seen.len() as f64;
        let lit = dot(if facing < 0.0 { times(face.normal, -1.0) } else { face.normal }, self.camera.light).max(0.0);
        let base = match face.tone {
            1 => mix(colour, PAPER, 0.42),
            2 => mix(colour, MARK, 0.8),
            _ => colour,
        };
        // Few shades: neighbours that share one are painted in one stroke.
        let shade = 0.25 + 0.75 * (lit * 12.0).round() / 12.0;
        let level = self.camera.flat && face.normal[2].abs() > 0.999;
        let fill = if level { base } else { mix(mix(base, [0; 3], 0.38), base, shade) };
        let outline: Vec<Point> = seen.into_iter().map(flat).collect();
        let dark = mix(colour, INK, 0.6);
        let rim = face.rim.then(|| outline[1..].to_vec());
        let edge = Some(if face.edge { (dark, 1.0) } else { (fill, 0.7) });
        let mark = Mark::Fill { parts: vec![outline], colour: fill, edge };
        self.pieces.push(Piece { depth, mark, corners: face.points });
        if let Some(rim) = rim {
            self.stroke(depth, simplify(&rim), dark, 1.5);
        }
    }

    fn dot(&mut self, f: &Fields, colour: Colour) {
        let at = f.vector("at").unwrap_or_default();
        let p = self.camera.project(at);
        let heading = f.number("heading");
        let size = f.number("size").unwrap_or(if heading.is_some() { 13.0 } else { 5.0 }) * 0.8;
        let outline: Vec<Point> = match heading {
            None => circle(20).into_iter().map(|(c, s)| (p.0 + size * c, p.1 + size * s)).collect(),
            Some(angle) => {
                let ahead = times([angle.cos(), angle.sin(), 0.0], self.camera.size * 0.01);
                let q = self.camera.project(add(at, ahead));
                let (dx, dy) = (q.0 - p.0, q.1 - p.1);
                let l = dx.hypot(dy).max(1e-12);
                let (c, s) = (dx / l * size, dy / l * size);
                let place = |a: f64, b: f64| (p.0 + a * c - b * s, p.1 + a * s + b * c);
                vec![place(1.25, 0.0), place(-0.85, 0.62), place(-0.45, 0.0), place(-0.85, -0.62)]
            }
        };
        // In front of what it touches.
        let depth = p.2 + 1.5 * size / self.camera.scale;
        self.push(depth, Mark::Fill { parts: vec![outline], colour, edge: Some((PAPER, 1.2)) });
    }

    fn arrow(&mut self, f: &Fields, colour: Colour) {
        let at = f.vector("at").unwrap_or_default();
        let along = times(f.vector("vector").unwrap_or_default(), f.number("scale").unwrap_or(1.0));
        let (a, b) = (self.camera.project(at), self.camera.project(add(at, along)));
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        if length < 2.0 {
            return;
        }
        let (ux, uy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
        let head = (length * 0.6).min(9.0);
        let place = |back: f64, side: f64| (b.0 - ux * back - uy * side, b.1 - uy * back + ux * side);
        let depth = a.2.max(b.2);
        self.stroke(depth, vec![flat(a), place(head * 0.8, 0.0)], colour, 1.9);
        let tip = vec![flat(b), place(head, head * 0.42), place(head, -head * 0.42)];
        self.push(depth, Mark::Fill { parts: vec![tip], colour, edge: None });
    }

    /// What has been travelled, plain; what will be, faint. On the ground it lies below all bodies.
    fn trail(&mut self, item: &Item, f: &Fields, colour: Colour, level: Option<(V, V)>) {
        let Still { scene, times: t, sample, .. } = *self.still;
        let at = |i: usize| Fields::new(scene, item, i)?.vector("of").map(|p| (i, p));
        let track: Vec<(usize, V)> = (0..t.len()).filter_map(at).collect();
        let from = f.number("duration").map_or(f64::NEG_INFINITY, |d| t[sample] - d);
        let past: Vec<V> = track.iter().filter(|(i, _)| *i <= sample && t[*i] >= from).map(|(_, p)| *p).collect();
        let future: Vec<V> = track.iter().filter(|(i, _)| *i >= sample).map(|(_, p)| *p).collect();
        let on_the_ground = level.is_some_and(|(through, normal)| {
            track.iter().all(|(_, p)| dot(sub(*p, through), normal).abs() < self.camera.size * 1e-3)
        });
        let parts = [(if f.number("duration").is_none() { future } else { vec![] }, 0.42, 1.1), (past, 1.0, 1.7)];
        for (points, alpha, width) in parts {
            if points.len() < 2 {
                continue;
            }
            let colour = mix(PAPER, colour, alpha);
            let kept = thinned(&points, |p| flat(self.camera.project(p)));
            if self.camera.flat || on_the_ground {
                let seen = kept.iter().map(|&p| flat(self.camera.project(p))).collect();
                let mark = Mark::Path { parts: vec![seen], colour, width, dash: &[] };
                if self.camera.flat { self.push(f64::NEG_INFINITY, mark) } else { self.below.push(mark) }
            } else {
                // Three points at least, so that each stretch is one piece.
                let middle = times(add(kept[0], kept[1]), 0.5);
                let kept: Vec<V> = std::iter::once(kept[0]).chain([middle]).chain(kept[1..].iter().copied()).collect();
                self.line(&kept, colour, width);
            }
        }
    }

    /// What a solid covers of the ground when lit from straight above.
    fn shadow(&mut self, first: usize, (through, normal): (V, V)) {
        if dot(normal, self.camera.axes[2]) <= 0.0 {
            return;
        }
        let [u, v, _] = frame_of(normal);
        let corners = self.pieces[first..].iter().flat_map(|p| &p.corners);
        let points: Vec<Point> =
            corners.map(|&p| sub(p, through)).map(|q| (dot(q, u), dot(q, v))).filter(|p| p.0.is_finite()).collect();
        if points.len() < 3 {
            return;
        }
        let place = |(a, b): Point| flat(self.camera.project(add(through, add(times(u, a), times(v, b)))));
        let outline = simplify(&hull(points).into_iter().map(place).collect::<Vec<_>>());
        let colour = mix(mix(PAPER, colour_of("ground"), 0.35), [0; 3], 0.13);
        self.below.push(Mark::Fill { parts: vec![outline], colour, edge: None });
    }

    /// A grid on a plane, under everything that ever happens above it.
    fn grid(&mut self, f: &Fields, colour: Colour) {
        let normal = unit(f.vector("normal").unwrap_or(UP));
        let through = f.vector("through").unwrap_or_default();
        // The axes of space themselves where the plane is level, so that its lines are round numbers of x and y.
        let [u, v, _] = if normal[2].abs() > 0.999 { IDENTITY } else { frame_of(normal) };
        let range = |axis: V| {
            let along = self.camera.corners.iter().map(|&p| dot(sub(p, through), axis));
            (along.clone().fold(f64::INFINITY, f64::min), along.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((u0, u1), (v0, v1)) = (range(u), range(v));
        let span = (u1 - u0).max(v1 - v0).max(self.camera.size * 0.2);
        let step = match f.number("spacing") {
            Some(spacing) if spacing > 0.0 => spacing.max(span / 60.0),
            _ => plot::ticks(0.0, span, 9.0).get(1).copied().unwrap_or(span / 8.0),
        };
        let cells = |a: f64, b: f64| ((a / step - 0.5).floor() as i64, (b / step + 0.5).ceil() as i64);
        let ((a0, a1), (b0, b1)) = (cells(u0, u1), cells(v0, v1));
        let at = |a: i64, b: i64| {
            flat(self.camera.project(add(through, add(times(u, a as f64 * step), times(v, b as f64 * step)))))
        };
        let surface = mix(PAPER, colour, 0.35);
        let corners = vec![at(a0, b0), at(a1, b0), at(a1, b1), at(a0, b1)];
        let mut lines: Vec<Vec<Point>> = (a0..=a1).map(|a| vec![at(a, b0), at(a, b1)]).collect();
        lines.extend((b0..=b1).map(|b| vec![at(a0, b), at(a1, b)]));
        let rule = mix(surface, mix(colour, INK, 0.28), 0.55);
        // Under the tracks and shadows of what was drawn before it.
        let marks = [
            Mark::Fill { parts: vec![corners], colour: surface, edge: None },
            Mark::Path { parts: lines, colour: rule, width: 0.8, dash: &[] },
        ];
        self.below.splice(0..0, marks);
    }

    fn label(&mut self, at: V, text: &str, colour: Colour, away: f64, anchor: Anchor) {
        let (x, y, _) = self.camera.project(at);
        let (x, y, text) = (x + away, y - away + 4.0, text.to_owned());
        self.labels.push(Mark::Text { x, y, size: 12.0, colour, anchor, turned: false, text });
    }
}

const UP: V = [0.0, 0.0, 1.0];

/// Newell's normal of a polygon: right also where its first corners lie on a line.
fn normal_of(points: &[V]) -> V {
    let mut n = [0.0; 3];
    for (i, p) in points.iter().enumerate() {
        let q = points[(i + 1) % points.len()];
        for k in 0..3 {
            let (a, b) = ((k + 1) % 3, (k + 2) % 3);
            n[k] += (p[a] - q[a]) * (p[b] + q[b]);
        }
    }
    unit(n)
}

/// Graph paper for plane pictures, with its numbers at the edge.
fn graph_paper(camera: &Camera, sheet: &mut Sheet) {
    let (w, h) = camera.paper;
    let origin = camera.project([0.0; 3]);
    let (left, right) = ((0.0 - origin.0) / camera.scale, (w - origin.0) / camera.scale);
    let (low, high) = ((origin.1 - h) / camera.scale, origin.1 / camera.scale);
    let across = plot::ticks(left, right, w / 80.0);
    let step = across.get(1).map_or(right - left, |b| b - across[0]);
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    // So far from the origin, or so small, that no number tells two lines apart: plain paper.
    if !(first.abs().max(last.abs()) < 1e12 && last - first < 1e3) {
        return;
    }
    let up: Vec<f64> = (first as i64..=last as i64).map(|k| k as f64 * step).collect();
    let (x, y) = (|v: f64| origin.0 + v * camera.scale, |v: f64| origin.1 - v * camera.scale);
    let mut parts: Vec<Vec<Point>> = across.iter().map(|&v| vec![(x(v), 0.0), (x(v), h)]).collect();
    parts.extend(up.iter().map(|&v| vec![(0.0, y(v)), (w, y(v))]));
    sheet.marks.push(Mark::Path { parts, colour: mix(PAPER, RULE, 0.8), width: 0.8, dash: &[] });
    let note = mix(PAPER, INK, 0.55);
    for &v in across.iter().filter(|&&v| x(v) > 26.0 && x(v) < w - 20.0) {
        sheet.text(x(v), h - 5.0, 9.0, note, Anchor::Middle, plot::label(v, step));
    }
    for &v in up.iter().filter(|&&v| y(v) > 12.0 && y(v) < h - 22.0) {
        sheet.text(5.0, y(v) + 3.0, 9.0, note, Anchor::Start, plot::label(v, step));
    }
}

/// Puts a mark on the sheet; one of the same colour and pen as the last goes into the same path.
fn join(marks: &mut Vec<Mark>, mark: Mark) {
    match (marks.last_mut(), mark) {
        (Some(Mark::Fill { parts, colour, edge }), Mark::Fill { parts: more, colour: same, edge: pen })
            if *colour == same && *edge == pen =>
        {
            parts.extend(more)
        }
        (
            Some(Mark::Path { parts, colour, width, dash: [] }),
            Mark::Path { parts: more, colour: same, width: pen, dash: [] },
        ) if *colour == same && *width == pen => {
            for part in more {
                match parts.last_mut() {
                    Some(last) if last.last() == part.first() => last.extend(&part[1..]),
                    _ => parts.push(part),
                }
            }
        }
        (_, mark) => marks.push(mark),
    }
}

/// The points of a line that its shape on paper needs, to a fifth of a unit (Douglas and Peucker).
fn thinned<P: Copy>(points: &[P], seen: impl Fn(P) -> Point) -> Vec<P> {
    let flat: Vec<Point> = points.iter().map(|&p| seen(p)).collect();
    let mut keep = vec![false; points.len()];
    let mut pending = vec![(0, points.len().saturating_sub(1))];
    while let Some((a, b)) = pending.pop() {
        let (Some(p), Some(q)) = (flat.get(a), flat.get(b)) else { continue };
        (keep[a], keep[b]) = (true, true);
        let (dx, dy) = (q.0 - p.0, q.1 - p.1);
        let square = dx * dx + dy * dy;
        let away = |r: &Point| {
            let (x, y) = (r.0 - p.0, r.1 - p.1);
            let s = if square > 0.0 { ((x * dx + y * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
            (x - s * dx).hypot(y - s * dy)
        };
        let farthest = (a + 1..b).map(|i| (i, away(&flat[i]))).max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((i, _)) = farthest.filter(|(_, d)| *d > 0.2) {
            pending.extend([(a, i), (i, b)]);
        }
    }
    points.iter().zip(keep).filter(|(_, k)| *k).map(|(p, _)| *p).collect()
}

fn simplify(points: &[Point]) -> Vec<Point> {
    thinned(points, |p| p)
}

#[cfg(test)]
mod tests;
