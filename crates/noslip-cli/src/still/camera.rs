//! The scene at one moment in numbers, and the camera that looks at it.

use super::space::*;
use crate::report::drawing::{Item, Sampled, Scene};
use noslip::arrange::Arrange;

/// The fields of an item at one sample.
pub struct Fields<'a> {
    scene: &'a Scene,
    item: &'a Item,
    sample: usize,
}

impl<'a> Fields<'a> {
    /// `None` where a value is not finite: the thing is not drawn there.
    pub fn new(scene: &'a Scene, item: &'a Item, sample: usize) -> Option<Fields<'a>> {
        let fields = Fields { scene, item, sample };
        item.fields.values().all(|v| fields.finite(v)).then_some(fields)
    }

    fn finite(&self, value: &Sampled) -> bool {
        match value {
            Sampled::List(parts) => parts.iter().all(|p| self.finite(p)),
            Sampled::Text(_) => true,
            number => resolve(self.scene, number, self.sample).is_finite(),
        }
    }

    fn numbers(&self, name: &str) -> Option<Vec<f64>> {
        match self.item.fields.get(name)? {
            Sampled::List(parts) => Some(parts.iter().map(|p| resolve(self.scene, p, self.sample)).collect()),
            _ => None,
        }
    }

    fn fixed<const N: usize>(&self, name: &str) -> Option<[f64; N]> {
        self.numbers(name)?.try_into().ok()
    }

    /// One number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.item.fields.get(name).map(|v| resolve(self.scene, v, self.sample))
    }

    /// A whole number.
    pub fn count(&self, name: &str, usual: usize) -> usize {
        self.number(name).map_or(usual, |n| n as usize)
    }

    /// Words.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.item.fields.get(name)? {
            Sampled::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A position; its third component is zero where two are given.
    pub fn vector(&self, name: &str) -> Option<V> {
        let list = self.numbers(name)?;
        Some(std::array::from_fn(|i| list.get(i).copied().unwrap_or(0.0)))
    }

    /// An arrow: where it begins, and how far it goes.
    fn arrow(&self) -> Option<(V, V)> {
        let (at, vector) = (self.vector("at")?, self.vector("vector")?);
        Some((at, times(vector, self.number("scale").unwrap_or(1.0))))
    }

    /// Points in space.
    pub fn points(&self) -> Option<Vec<V>> {
        let Sampled::List(parts) = self.item.fields.get("points")? else { return None };
        let coordinates = |p: &Sampled| -> V {
            let list: &[Sampled] = if let Sampled::List(list) = p { list } else { &[] };
            std::array::from_fn(|i| list.get(i).map_or(0.0, |x| resolve(self.scene, x, self.sample)))
        };
        let points = parts.iter().map(coordinates);
        let (center, axes) = (self.vector("center").unwrap_or_default(), self.axes());
        Some(points.map(|p| add(center, turn(axes, p))).collect())
    }

    fn is_ring(&self) -> bool {
        matches!(self.item.shape, "circle" | "disk")
    }

    /// How it is turned.
    pub fn axes(&self) -> Axes {
        let how = if let Some(angles) = self.fixed::<3>("euler") {
            let order = self.text("order").unwrap_or("zxz").bytes().collect::<Vec<_>>();
            Turn::Euler(angles, order.try_into().unwrap_or(*b"zxz"))
        } else if let Some(normal) = self.fixed::<3>("normal") {
            Turn::Normal(normal)
        } else if let Some(q) = self.fixed::<4>("quaternion") {
            Turn::Quaternion(q)
        } else if let Some(Sampled::List(rows)) = self.item.fields.get("matrix") {
            let entry = |i: usize, j: usize| match rows.get(i) {
                Some(Sampled::List(row)) => row.get(j).map_or(0.0, |x| resolve(self.scene, x, self.sample)),
                _ => 0.0,
            };
            Turn::Matrix(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
        } else if let Some(angle) = self.number("angle") {
            Turn::Angle(angle)
        } else {
            Turn::None
        };
        orientation(&how, self.number("spin").unwrap_or(0.0))
    }

    /// Where a label stands.
    pub fn anchor(&self) -> V {
        let between = || Some(times(add(self.vector("from")?, self.vector("to")?), 0.5));
        let first = || self.points().and_then(|p| p.first().copied());
        let place = self.vector("at").or_else(|| self.vector("center")).or_else(between);
        place.or_else(|| self.vector("of")).or_else(first).unwrap_or_default()
    }
}

fn resolve(scene: &Scene, value: &Sampled, sample: usize) -> f64 {
    match value {
        Sampled::Constant(x) => *x,
        Sampled::Column(i) => scene.columns[*i].get(sample).copied().unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

/// A rectangle or box that grows.
struct Bounds<const N: usize> {
    low: [f64; N],
    high: [f64; N],
}

impl<const N: usize> Bounds<N> {
    const fn new() -> Bounds<N> {
        Bounds { low: [f64::INFINITY; N], high: [f64::NEG_INFINITY; N] }
    }

    fn see(&mut self, p: [f64; N]) {
        for (i, x) in p.into_iter().enumerate() {
            self.low[i] = self.low[i].min(x);
            self.high[i] = self.high[i].max(x);
        }
    }

    fn middle(&self) -> [f64; N] {
        std::array::from_fn(|i| (self.low[i] + self.high[i]) / 2.0)
    }

    fn span(&self) -> [f64; N] {
        std::array::from_fn(|i| self.high[i] - self.low[i])
    }
}

/// How points of space come onto the paper.
pub struct Camera {
    /// Seen from above, without perspective.
    pub flat: bool,
    /// Width and height of the paper.
    pub paper: (f64, f64),
    /// Right, up, toward the observer.
    pub axes: Axes,
    /// Toward the light.
    pub light: V,
    /// Half the diagonal of everything that is ever seen.
    pub size: f64,
    /// The corners of the box around everything that is ever seen.
    pub corners: Vec<V>,
    /// Units of paper to the unit of length.
    pub scale: f64,
    target: V,
    distance: f64,
    offset: [f64; 2],
}

impl Camera {
    /// The camera that sees the whole motion, or what the view asks for.
    pub fn new(scene: &Scene, samples: usize, sample: usize, paper: (f64, f64)) -> Camera {
        let flat = scene.view.dimension == 2;
        let followed = |i: usize| -> V {
            let Some(Sampled::List(parts)) = &scene.view.follow else { return [0.0; 3] };
            let p: V = std::array::from_fn(|k| parts.get(k).map_or(0.0, |x| resolve(scene, x, i)));
            if p.iter().all(|x| x.is_finite()) { p } else { [0.0; 3] }
        };
        let (mut cloud, mut world) = (Vec::new(), Bounds::<3>::new());
        let mut arrows = Vec::new();
        for i in (0..samples).step_by((samples / 200).max(1)) {
            let origin = followed(i);
            let mut see = |p: V| {
                cloud.push(sub(p, origin));
                world.see(p);
            };
            for fields in scene.items.iter().filter_map(|item| Fields::new(scene, item, i)) {
                extent(&fields, flat, &mut see);
                arrows.extend(fields.arrow().map(|(at, arrow)| (at, arrow, origin)));
            }
        }
        // A force that grows beyond all others, as where a wheel falls flat, leaves the picture: with its arrow in it nothing else is seen.
        let mut lengths: Vec<f64> = arrows.iter().map(|(_, arrow, _)| length(*arrow)).collect();
        lengths.arrange_by(f64::total_cmp);
        let longest = length(world.span()).max(4.0 * lengths.get(lengths.len() / 2).copied().unwrap_or(0.0));
        for (at, arrow, origin) in arrows {
            if length(arrow) <= longest {
                cloud.push(sub(add(at, arrow), origin));
                world.see(add(at, arrow));
            }
        }
        if cloud.is_empty() {
            cloud.push([0.0; 3]);
            world.see([0.0; 3]);
        }
        let size = Some(length(world.span()) / 2.0).filter(|s| *s > 0.0).unwrap_or(1.0);
        let corners = (0..8).map(|b| std::array::from_fn(|k| [world.low, world.high][b >> k & 1][k])).collect();
        let axes = if flat { IDENTITY } else { basis(scene.view.azimuth, scene.view.elevation) };
        let mut near = Bounds::<3>::new();
        cloud.iter().for_each(|&p| near.see(p));
        let (middle, radius) = (near.middle(), length(near.span()) / 2.0);
        let distance = 6.0 * if radius > 0.0 { radius } else { 1.0 };
        let mut seen = Bounds::<2>::new();
        for &p in &cloud {
            let q = sub(p, middle);
            let s = if flat { 1.0 } else { distance / (distance - dot(q, axes[2])) };
            seen.see([dot(q, axes[0]) * s, dot(q, axes[1]) * s]);
        }
        let (wide, high) = paper;
        let [across, up] = seen.span();
        let scale = match scene.view.extent {
            Some(extent) => wide.min(high) / (2.0 * extent),
            None if across.max(up) > 1e-9 => (0.86 * wide / across.max(1e-9)).min(0.86 * high / up.max(1e-9)),
            // A thing at rest in one place: look at it from a little way off.
            None => wide.min(high) / 2.0,
        };
        Camera {
            flat,
            paper,
            axes,
            light: unit(turn(axes, [-0.45, 0.75, 0.9])),
            size,
            corners,
            scale,
            target: add(followed(sample), middle),
            distance,
            offset: seen.middle(),
        }
    }

    /// Across, down, and how near to the observer.
    pub fn project(&self, p: V) -> (f64, f64, f64) {
        let q = sub(p, self.target);
        let depth = dot(q, self.axes[2]);
        let near = if self.flat { 1.0 } else { self.distance / (self.distance - depth).max(self.distance * 0.08) };
        (
            self.paper.0 / 2.0 + self.scale * (dot(q, self.axes[0]) * near - self.offset[0]),
            self.paper.1 / 2.0 - self.scale * (dot(q, self.axes[1]) * near - self.offset[1]),
            depth,
        )
    }

    /// Whether one looks at this side of a plane.
    pub fn faces(&self, normal: V, through: V) -> f64 {
        if self.flat {
            normal[2]
        } else {
            dot(normal, sub(add(self.target, times(self.axes[2], self.distance)), through))
        }
    }
}

fn basis(azimuth: f64, elevation: f64) -> Axes {
    let ((sa, ca), (se, ce)) = (azimuth.to_radians().sin_cos(), elevation.to_radians().sin_cos());
    [[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]
}

/// Points that must be seen for a thing to be seen.
fn extent(f: &Fields, flat: bool, see: &mut dyn FnMut(V)) {
    if let (Some(center), Some(radius), true) = (f.vector("center"), f.number("radius"), f.is_ring()) {
        let axes = f.axes();
        return circle(12).into_iter().for_each(|(c, s)| see(add(center, turn(axes, [radius * c, radius * s, 0.0]))));
    }
    let round = f.number("radius").or_else(|| f.vector("axes").map(|a| a.into_iter().fold(0.0, f64::max)));
    let round = round.or_else(|| f.vector("size").map(|s| length(s) / 2.0));
    if let (Some(center), Some(round)) = (f.vector("center"), round) {
        for k in 0..if flat { 2 } else { 3 } {
            for side in [-round, round] {
                let mut p = center;
                p[k] += side;
                see(p);
            }
        }
    }
    f.points().into_iter().flatten().for_each(&mut *see);
    ["at", "from", "to", "of"].into_iter().filter_map(|name| f.vector(name)).for_each(&mut *see);
}
