//! Vectors, turns, and the faces of solids.

use noslip::arrange::Arrange;
use std::f64::consts::TAU;

/// A point or a direction in space.
pub type V = [f64; 3];
/// A turn: the three axes of a body, seen from space.
pub type Axes = [V; 3];

/// The axes of space.
pub const IDENTITY: Axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// a + b
pub fn add(a: V, b: V) -> V {
    std::array::from_fn(|i| a[i] + b[i])
}

/// a − b
pub fn sub(a: V, b: V) -> V {
    std::array::from_fn(|i| a[i] - b[i])
}

/// s a
pub fn times(a: V, s: f64) -> V {
    a.map(|x| x * s)
}

/// a · b
pub fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// |a|
pub fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}

/// a / |a|; upward if a vanishes.
pub fn unit(a: V) -> V {
    let l = length(a);
    if l > 0.0 { times(a, 1.0 / l) } else { [0.0, 0.0, 1.0] }
}

/// A vector in the axes of a body, seen from space.
pub fn turn(axes: Axes, p: V) -> V {
    add(add(times(axes[0], p[0]), times(axes[1], p[1])), times(axes[2], p[2]))
}

fn about(axis: u8, angle: f64) -> Axes {
    let (s, c) = angle.sin_cos();
    match axis {
        b'x' => [[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]],
        b'y' => [[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]],
        _ => [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

/// First one turn, then another about axes the first has moved.
fn compose(a: Axes, b: Axes) -> Axes {
    b.map(|axis| turn(a, axis))
}

/// Axes whose third is the normal.
pub fn frame_of(normal: V) -> Axes {
    let n = unit(normal);
    let helper = if n[2].abs() < 0.9 { [0.0, 0.0, 1.0] } else { [1.0, 0.0, 0.0] };
    let first = unit(cross(helper, n));
    [first, cross(n, first), n]
}

/// How a body is turned, as the model file says it.
pub enum Turn {
    /// Not at all.
    None,
    /// About z.
    Angle(f64),
    /// Three angles about these body-fixed axes.
    Euler([f64; 3], [u8; 3]),
    /// The third axis points there.
    Normal(V),
    /// w, x, y, z.
    Quaternion([f64; 4]),
    /// Rows; the columns are the axes.
    Matrix([V; 3]),
}

/// The axes of a body that is turned, and then spun about its own third axis.
pub fn orientation(how: &Turn, spin: f64) -> Axes {
    let axes = match how {
        Turn::None => IDENTITY,
        Turn::Angle(angle) => about(b'z', *angle),
        Turn::Euler(angles, order) => {
            angles.iter().zip(order).fold(IDENTITY, |so_far, (angle, axis)| compose(so_far, about(*axis, *angle)))
        }
        Turn::Normal(normal) => frame_of(*normal),
        Turn::Quaternion(q) => {
            let n = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            let [w, x, y, z] = if n > 0.0 { q.map(|v| v / n) } else { [1.0, 0.0, 0.0, 0.0] };
            [
                [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
                [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
                [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
            ]
        }
        Turn::Matrix(rows) => std::array::from_fn(|j| std::array::from_fn(|i| rows[i][j])),
    };
    if spin == 0.0 { axes } else { compose(axes, about(b'z', spin)) }
}

/// A flat piece of a surface.
pub struct Face {
    /// Its corners.
    pub points: Vec<V>,
    /// Outward.
    pub normal: V,
    /// 0: the colour; 1: lighter; 2: marked.
    pub tone: u8,
    /// Seen from both sides.
    pub both: bool,
    /// Drawn with an outline.
    pub edge: bool,
    /// Drawn with a line along all corners but the first: the rim of a sector.
    pub rim: bool,
}

/// Points on the unit circle.
pub fn circle(count: usize) -> Vec<(f64, f64)> {
    (0..count)
        .map(|i| {
            let (s, c) = (TAU * i as f64 / count as f64).sin_cos();
            (c, s)
        })
        .collect()
}

/// An ellipsoid whose octants differ in tone, so that turning shows.
pub fn ellipsoid(center: V, axes: Axes, half: V) -> Vec<Face> {
    const AROUND: usize = 24;
    const UPWARD: usize = 12;
    let at = |i: f64, j: f64| {
        let ((s, c), (st, ct)) = ((TAU * i / AROUND as f64).sin_cos(), (TAU / 2.0 * j / UPWARD as f64).sin_cos());
        [st * c, st * s, ct]
    };
    let mut faces = Vec::with_capacity(AROUND * UPWARD);
    for i in 0..AROUND {
        for j in 0..UPWARD {
            let (a, b) = (i as f64, j as f64);
            let corners = [at(a, b), at(a + 1.0, b), at(a + 1.0, b + 1.0), at(a, b + 1.0)];
            let middle = at(a + 0.5, b + 0.5);
            faces.push(Face {
                points: corners
                    .iter()
                    .map(|p| add(center, turn(axes, std::array::from_fn(|k| p[k] * half[k]))))
                    .collect(),
                normal: unit(turn(axes, std::array::from_fn(|k| middle[k] / half[k]))),
                tone: ((4 * i / AROUND + 2 * j / UPWARD) % 2) as u8,
                both: false,
                edge: false,
                rim: false,
            });
        }
    }
    faces
}

/// A box with these lengths.
pub fn cuboid(center: V, axes: Axes, size: V) -> Vec<Face> {
    let half = size.map(|s| s / 2.0);
    let mut faces = Vec::with_capacity(6);
    for k in 0..3 {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        for side in [-1.0, 1.0] {
            let corner = |u: f64, v: f64| {
                let mut p = [0.0; 3];
                (p[k], p[i], p[j]) = (side * half[k], u * half[i], v * half[j]);
                add(center, turn(axes, p))
            };
            let points = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let normal = times(axes[k], side);
            faces.push(Face { points, normal, tone: 0, both: false, edge: true, rim: false });
        }
    }
    faces
}

/// A disk in sectors of two tones; with a thickness, a short cylinder.
pub fn disk(center: V, axes: Axes, radius: f64, thickness: f64, spokes: usize) -> Vec<Face> {
    let sectors = (2 * spokes).max(2);
    let fine = (64 / sectors).max(1);
    let rim = circle(sectors * fine);
    let at = |k: usize, z: f64| {
        let (c, s) = rim[k % rim.len()];
        add(center, turn(axes, [radius * c, radius * s, z]))
    };
    let sides: &[f64] = if thickness > 0.0 { &[-1.0, 1.0] } else { &[0.0] };
    let mut faces = Vec::new();
    for &side in sides {
        let z = side * thickness / 2.0;
        let hub = add(center, times(axes[2], z));
        for sector in 0..sectors {
            let mut points = vec![hub];
            points.extend((0..=fine).map(|k| at(sector * fine + k, z)));
            let tone = match (spokes, sector) {
                (0, _) => 0,
                (_, 0) => 2,
                (_, n) => (n % 2) as u8,
            };
            let normal = if side == 0.0 { axes[2] } else { times(axes[2], side) };
            faces.push(Face { points, normal, tone, both: side == 0.0, edge: false, rim: true });
        }
    }
    if thickness > 0.0 {
        let h = thickness / 2.0;
        for (k, &(c, s)) in rim.iter().enumerate() {
            let points = vec![at(k, -h), at(k + 1, -h), at(k + 1, h), at(k, h)];
            let normal = turn(axes, [c, s, 0.0]);
            faces.push(Face { points, normal, tone: 1, both: false, edge: false, rim: false });
        }
    }
    faces
}

/// A coil between two points.
pub fn helix(from: V, to: V, coils: usize, radius: f64) -> Vec<V> {
    let along = sub(to, from);
    let [u, v, _] = frame_of(along);
    let count = coils * 16;
    let mut points = vec![from];
    points.extend((0..=count).map(|k| {
        let part = k as f64 / count as f64;
        let (s, c) = (TAU * coils as f64 * part).sin_cos();
        let axis = add(from, times(along, 0.1 + 0.8 * part));
        add(axis, add(times(u, radius * c), times(v, radius * s)))
    }));
    points.push(to);
    points
}

/// Convex hull in the plane, counter-clockwise.
pub fn hull(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    points.arrange_by(|p, q| p.0.total_cmp(&q.0).then(p.1.total_cmp(&q.1)));
    if points.len() < 3 {
        return points;
    }
    let half = |list: &mut dyn Iterator<Item = &(f64, f64)>| {
        let mut out: Vec<(f64, f64)> = Vec::new();
        for &p in list {
            while let [.., o, a] = out[..]
                && (a.0 - o.0) * (p.1 - o.1) - (a.1 - o.1) * (p.0 - o.0) <= 0.0
            {
                out.pop();
            }
            out.push(p);
        }
        out.pop();
        out
    };
    let mut outline = half(&mut points.iter());
    outline.extend(half(&mut points.iter().rev()));
    outline
}
