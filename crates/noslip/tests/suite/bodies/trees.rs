//! Random trees of frames move as their particles do: positions differentiated by numbers, without the library.

use super::load;
use noslip::compile::CompileOptions;
use noslip::forms::by_id;
use noslip::simulate::ThroughForm;

/// A small generator of random numbers: the same trees every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }

    /// A number with three digits, between −1 and 1.
    fn digits(&mut self) -> f64 {
        ((self.next() * 2.0 - 1.0) * 1000.0).round() / 1000.0
    }
}

type V = [f64; 3];
type R = [V; 3];

/// How one frame stands in its parent, for numbers: written again here, from positions alone.
#[derive(Clone)]
enum Joint {
    /// About a coordinate axis by c·q + d·t.
    Turn { axis: usize, q: usize, c: f64, d: f64 },
    /// About any axis.
    Axis { axis: V, q: usize },
    /// Shifted by q along an axis, and by a constant.
    Slide { axis: usize, q: usize },
    /// A quaternion (1, q, 2 q, sin t), not of length one.
    Quaternion { q: usize },
    /// Two turns in one frame.
    Two { first: usize, second: usize, q: usize },
}

struct FrameTree {
    parents: Vec<Option<usize>>,
    joints: Vec<Joint>,
    offsets: Vec<V>,
    /// Particles (mass, place) of the body of each frame.
    particles: Vec<Vec<(f64, V)>>,
    n: usize,
}

fn rotation(axis: V, angle: f64) -> R {
    let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    let n = axis.map(|x| x / length);
    let (s, c) = angle.sin_cos();
    let mut r = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            let cross = match (j + 3 - i) % 3 {
                0 => 0.0,
                1 => -n[3 - i - j],
                _ => n[3 - i - j],
            };
            r[i][j] = if i == j { c } else { 0.0 } + (1.0 - c) * n[i] * n[j] + s * cross;
        }
    }
    r
}

fn times(a: &R, b: &R) -> R {
    let mut r = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            r[i][j] = (0..3).map(|k| a[i][k] * b[k][j]).sum();
        }
    }
    r
}

fn apply(a: &R, v: V) -> V {
    [0, 1, 2].map(|i| (0..3).map(|k| a[i][k] * v[k]).sum())
}

fn plus(a: V, b: V) -> V {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn unit(i: usize) -> V {
    let mut v = [0.0; 3];
    v[i] = 1.0;
    v
}

impl FrameTree {
    /// Places of all particles.
    fn places(&self, q: &[f64], t: f64) -> Vec<(f64, V)> {
        let mut frames: Vec<(R, V)> = Vec::new();
        let mut all = Vec::new();
        for (i, joint) in self.joints.iter().enumerate() {
            let identity = [unit(0), unit(1), unit(2)];
            let (r0, p0) = self.parents[i].map_or((identity, [0.0; 3]), |p| frames[p]);
            let mut at = self.offsets[i];
            let r = match joint {
                Joint::Turn { axis, q: k, c, d } => rotation(unit(*axis), c * q[*k] + d * t),
                Joint::Axis { axis, q: k } => rotation(*axis, q[*k]),
                Joint::Slide { axis, q: k } => {
                    at[*axis] += q[*k];
                    identity
                }
                Joint::Quaternion { q: k } => {
                    let (w, v) = (1.0f64, [q[*k], 2.0 * q[*k], t.sin()]);
                    let angle = 2.0 * v.iter().map(|x| x * x).sum::<f64>().sqrt().atan2(w);
                    if v.iter().all(|x| x.abs() < 1e-300) { identity } else { rotation(v, angle) }
                }
                Joint::Two { first, second, q: k } => {
                    times(&rotation(unit(*first), q[*k]), &rotation(unit(*second), q[*k] * q[*k] + t))
                }
            };
            let p = plus(p0, apply(&r0, at));
            let r = times(&r0, &r);
            frames.push((r, p));
            all.extend(self.particles[i].iter().map(|&(m, place)| (m, plus(p, apply(&r, place)))));
        }
        all
    }

    /// q̈ by d'Alembert's principle for the particles, with derivatives of positions by differences of eighth order.
    fn accelerations(&self, q: &[f64], v: &[f64], t: f64, g: f64) -> Vec<f64> {
        const FIRST: [f64; 4] = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
        const SECOND: [f64; 4] = [8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0];
        let n = self.n;
        let h = 0.02;
        let middle = self.places(q, t);
        let first = |i: usize| -> Vec<V> {
            let mut sum = vec![[0.0; 3]; middle.len()];
            for (k, c) in FIRST.iter().enumerate() {
                for sign in [1.0, -1.0] {
                    let mut at = q.to_vec();
                    at[i] += sign * (k + 1) as f64 * h;
                    for (s, (_, p)) in sum.iter_mut().zip(self.places(&at, t)) {
                        *s = plus(*s, p.map(|x| sign * c * x / h));
                    }
                }
            }
            sum
        };
        let jacobian: Vec<Vec<V>> = (0..n).map(first).collect();
        // d²p/ds² along q + v s, t + s
        let mut second: Vec<V> = middle.iter().map(|(_, p)| p.map(|x| -205.0 / 72.0 * x / (h * h))).collect();
        for (k, c) in SECOND.iter().enumerate() {
            for sign in [1.0, -1.0] {
                let s = sign * (k + 1) as f64 * h;
                let at: Vec<f64> = q.iter().zip(v).map(|(q, v)| q + v * s).collect();
                for (sum, (_, p)) in second.iter_mut().zip(self.places(&at, t + s)) {
                    *sum = plus(*sum, p.map(|x| c * x / (h * h)));
                }
            }
        }
        let dot = |a: &V, b: &V| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for i in 0..n {
            let mut row: Vec<f64> = (0..n)
                .map(|j| middle.iter().enumerate().map(|(k, (m, _))| m * dot(&jacobian[i][k], &jacobian[j][k])).sum())
                .collect();
            let side = middle.iter().enumerate().map(|(k, (m, _))| {
                let a = plus(second[k], [0.0, 0.0, g]);
                -m * dot(&a, &jacobian[i][k])
            });
            row.push(side.sum());
            rows.push(row);
        }
        solve(rows)
    }

    /// The model file.
    fn toml(&self, g: f64) -> String {
        let mut out = String::from("noslip = 1\n[system]\ncoordinates = [");
        out += &(0..self.n).map(|i| format!("\"q{i}\"")).collect::<Vec<_>>().join(", ");
        out += "]\n[frames]\n";
        // Any order will do: the last frames are written first.
        for i in (0..self.joints.len()).rev() {
            let parent = self.parents[i].map_or(String::new(), |p| format!("in = \"f{p}\", "));
            let mut at = self.offsets[i].map(|x| format!("{x}"));
            let turn = match &self.joints[i] {
                Joint::Turn { axis, q, c, d } => {
                    format!(", turn = {{ {} = \"{c}*q{q} + {d}*t\" }}", ["x", "y", "z"][*axis])
                }
                Joint::Axis { axis, q } => format!(", turn = {{ axis = {axis:?}, angle = \"q{q}\" }}"),
                Joint::Slide { axis, q } => {
                    at[*axis] += &format!(" + q{q}");
                    String::new()
                }
                Joint::Quaternion { q } => format!(", quaternion = [1, \"q{q}\", \"2*q{q}\", \"sin(t)\"]"),
                Joint::Two { first, second, q } => {
                    let axes = ["x", "y", "z"];
                    format!(", turn = [{{ {} = \"q{q}\" }}, {{ {} = \"q{q}^2 + t\" }}]", axes[*first], axes[*second])
                }
            };
            out += &format!("f{i} = {{ {parent}at = [\"{}\", \"{}\", \"{}\"]{turn} }}\n", at[0], at[1], at[2]);
        }
        for (i, particles) in self.particles.iter().enumerate() {
            let mass: f64 = particles.iter().map(|(m, _)| m).sum();
            let mut center = [0.0; 3];
            particles.iter().for_each(|(m, p)| center = plus(center, p.map(|x| m * x / mass)));
            let entry = |i: usize, j: usize| -> f64 {
                particles
                    .iter()
                    .map(|(m, p)| {
                        let r = [0, 1, 2].map(|k| p[k] - center[k]);
                        let square: f64 = r.iter().map(|x| x * x).sum();
                        m * (if i == j { square } else { 0.0 } - r[i] * r[j])
                    })
                    .sum()
            };
            out += &format!("[bodies.b{i}]\nin = \"f{i}\"\nmass = {mass:?}\ncenter = {center:?}\n");
            let names = ["xx", "yy", "zz", "xy", "xz", "yz"];
            let entries = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
            let list: Vec<String> =
                names.iter().zip(entries).map(|(n, (i, j))| format!("{n} = {:?}", entry(i, j))).collect();
            out += &format!("inertia = {{ {} }}\n", list.join(", "));
        }
        out + &format!("[gravity]\ng = {g}\n")
    }

    fn random(random: &mut Random, frames: usize) -> FrameTree {
        let mut tree = FrameTree { parents: vec![], joints: vec![], offsets: vec![], particles: vec![], n: frames };
        for i in 0..frames {
            // Mostly chains, with branches.
            tree.parents.push(match i {
                0 => None,
                _ if random.next() < 0.75 => Some(i - 1),
                _ => Some(random.below(i)),
            });
            let axis = random.below(3);
            tree.joints.push(match random.below(6) {
                0 | 1 => Joint::Turn { axis, q: i, c: 1.0 + random.digits().abs(), d: random.digits() },
                2 => Joint::Axis { axis: [random.digits(), random.digits(), 1.0], q: i },
                3 => Joint::Slide { axis, q: i },
                4 => Joint::Quaternion { q: i },
                _ => Joint::Two { first: axis, second: (axis + 1) % 3, q: i },
            });
            tree.offsets.push([random.digits(), random.digits(), random.digits()]);
            tree.particles.push(
                (0..5)
                    .map(|_| (0.5 + random.digits().abs(), [random.digits(), random.digits(), random.digits()]))
                    .collect(),
            );
        }
        tree
    }
}

/// Gaussian elimination with pivoting; the last column is the right side.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs())).expect("a row");
        rows.swap(i, pivot);
        for r in 0..n {
            if r != i {
                let factor = rows[r][i] / rows[i][i];
                for c in i..=n {
                    let x = rows[i][c];
                    rows[r][c] -= factor * x;
                }
            }
        }
    }
    (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
}

#[test]
fn random_trees_of_frames_move_as_their_particles_do() {
    let mut random = Random(0x5eed_1234_abcd_0001);
    let g = 9.81;
    for trial in 0..24 {
        let frames = 1 + trial % 8;
        let tree = FrameTree::random(&mut random, frames);
        let text = tree.toml(g);
        let model = load(&text, "tree.toml");
        let mut w = model.workbench();
        let equations = by_id("lagrange-multipliers").expect("a form").derive(&mut w).expect("equations");
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("values");
        let mut through = ThroughForm::new(&mut w, &equations, &options).expect("a program");
        for _ in 0..3 {
            let (q, v): (Vec<f64>, Vec<f64>) = (0..tree.n).map(|_| (random.digits(), random.digits())).unzip();
            let t = random.digits();
            let expected = tree.accelerations(&q, &v, t, g);
            let found = through.solve(t, &q, &v).expect("accelerations").accelerations;
            let scale = expected.iter().fold(1.0f64, |s, x| s.max(x.abs()));
            for (a, b) in found.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-8 * scale, "trial {trial}: {found:?} for {expected:?}\n{text}");
            }
        }
    }
}
