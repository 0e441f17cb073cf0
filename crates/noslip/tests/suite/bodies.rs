//! Bodies, frames and contacts: the plain models they become are those written by hand.

use crate::common::{blessed, gallery, loaded, root, verdict};
use noslip::Limits;
use noslip::compile::CompileOptions;
use noslip::expr::{Expr, Printer, Style, Tree, zero};
use noslip::forms::by_id;
use noslip::model::{Claims, Model};
use noslip::simulate::ThroughForm;
use noslip_gallery::BODIES;

fn load(text: &str, name: &str) -> Model {
    loaded(Model::load(text, name, &Limits::default()), name, text)
}

/// An expression of one model, read with the names of another that has the same coordinates and parameters.
fn carried(from: &mut Model, e: Expr, into: &mut Model) -> Expr {
    let e = made_of_others(from, e);
    let tree = Tree::of(&from.arena, e, &Limits::default()).expect("not too long");
    let text = Printer::new(Style::Text).print(&from.arena, &tree);
    Claims::equation(&text, into, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {}", e[0])).expr
}

/// Parameters that are made of others mean what they are made of.
fn made_of_others(model: &mut Model, e: Expr) -> Expr {
    let made = model.system.parameters.iter().filter(|p| !model.arena.free_symbols(&[p.value]).is_empty());
    let map = made.map(|p| (p.symbol, p.value)).collect();
    model.arena.substitute(e, &map)
}

fn assert_zero(model: &mut Model, e: Expr, what: &str) {
    let e = made_of_others(model, e);
    let known = zero::is_zero(&mut model.arena, e, &Default::default());
    assert!(known.holds(), "{}: {what}: {known:?}", model.file_name);
}

/// Do two models with the same coordinates move alike? Energies and forces are the same functions, and each constraint of either
/// follows from those of the other; then multipliers belong together by the combination of the constraints.
pub(crate) fn assert_same_motion(by_hand: &mut Model, from_bodies: &mut Model) {
    let pairs = [
        ("kinetic energy", by_hand.system.kinetic, from_bodies.system.kinetic),
        ("potential", by_hand.system.potential, from_bodies.system.potential),
    ];
    for (what, a, b) in pairs {
        let b = carried(from_bodies, b, by_hand);
        let mut difference = by_hand.arena.sub(a, b);
        if what == "potential" {
            // Up to a constant.
            let rate = by_hand.arena.time_derivative(difference);
            difference = rate;
        }
        assert_zero(by_hand, difference, what);
    }
    for i in 0..by_hand.system.n() {
        let (a, b) = (by_hand.system.forces[i], from_bodies.system.forces[i]);
        let b = carried(from_bodies, b, by_hand);
        let difference = by_hand.arena.sub(a, b);
        assert_zero(by_hand, difference, "force");
    }
    assert_eq!(by_hand.system.k(), from_bodies.system.k(), "{}: number of constraints", by_hand.file_name);
    let constraints = from_bodies.system.constraints.clone();
    for c in &constraints {
        let e = carried(from_bodies, c.expr, by_hand);
        let found = verdict(by_hand, e);
        assert!(found.holds(), "{}: {} does not follow by hand: {found:?}", by_hand.file_name, c.name);
    }
    for c in by_hand.system.constraints.clone() {
        let e = carried(by_hand, c.expr, from_bodies);
        let found = verdict(from_bodies, e);
        assert!(found.holds(), "{}: {} does not follow from bodies: {found:?}", from_bodies.file_name, c.name);
    }
}

/// The models that stand in the gallery twice.
const PAIRS: [&str; 11] = [
    "rolling-disk",
    "ball-on-turntable",
    "chaplygin-ball",
    "routh-sphere",
    "rattleback",
    "rolling-torus",
    "ellipsoid-on-plane",
    "car-with-trailer",
    "roller-racer",
    "snakeboard",
    "ball-in-cylinder",
];

#[test]
fn models_from_bodies_are_those_written_by_hand() {
    for name in PAIRS {
        let (mut by_hand, mut from_bodies) = (gallery::open(name), gallery::open(&format!("bodies/{name}")));
        assert_same_motion(&mut by_hand, &mut from_bodies);
    }
}

#[test]
fn the_plain_model_is_a_file_that_says_the_same() {
    for (name, text) in BODIES {
        let mut from_bodies = load(text, name);
        let plain = from_bodies.plain.clone().expect("a plain model").file;
        let mut plain = load(&plain, &format!("{name}, expanded"));
        assert!(plain.plain.is_none(), "{name}: nothing of the layer is left");
        let names = |m: &Model| m.system.constraints.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&plain), names(&from_bodies), "{name}");
        assert_eq!(plain.system.definitions.len(), from_bodies.system.definitions.len(), "{name}");
        let pairs: Vec<(Expr, Expr)> = [
            (plain.system.kinetic, from_bodies.system.kinetic),
            (plain.system.potential, from_bodies.system.potential),
        ]
        .into_iter()
        .chain(plain.system.forces.clone().into_iter().zip(from_bodies.system.forces.clone()))
        .chain(
            plain.system.constraints.iter().map(|c| c.expr).zip(from_bodies.system.constraints.iter().map(|c| c.expr)),
        )
        .collect();
        for (a, b) in pairs {
            let b = carried(&mut from_bodies, b, &mut plain);
            let a = made_of_others(&mut plain, a);
            assert_eq!(a, b, "{name}: the same expression, sign for sign");
        }
        let (a, b) = (plain.initial_state(&Default::default()), from_bodies.initial_state(&Default::default()));
        assert_eq!(a.map(|s| (s.position, s.velocity)), b.map(|s| (s.position, s.velocity)), "{name}");
    }
}

// Random trees of frames ----------------------------------------------------------------------------------------------

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

// Single questions ----------------------------------------------------------------------------------------------------

/// A disk on level ground, its height a coordinate or given by its inclination.
fn disk(height: &str, coordinates: &str) -> String {
    format!(
        r#"noslip = 1
[system]
coordinates = ["x", "y", "phi", "theta", "psi"{coordinates}]
[parameters]
m = 1.4
r = 0.6
g = 9.81
[frames]
disk = {{ at = ["x", "y", "{height}"], turn = [{{ z = "phi" }}, {{ x = "theta" }}, {{ z = "psi" }}] }}
[points]
rim = {{ in = "disk", at = ["r", 0, 0] }}
[bodies.disk]
mass = "m"
shape = {{ disk = "r" }}
[gravity]
g = "g"
[loads.push]
on = "rim"
force = [1, 0.5, "sin(t)"]
[springs.tie]
from = "rim"
to = {{ in = "ground", at = [1, 1, 2] }}
stiffness = 3
length = 0.5
damping = 0.2
[contacts.ground]
body = "disk"
rolls_on = "ground"
friction = 0.4
[initial]
position = {{ x = 0, y = 0, phi = 0.3, theta = 1.2, psi = 0.1 }}
velocity = {{ phi = 0.6, theta = 0.3, psi = 4 }}
[simulation]
until = 1
"#
    )
}

#[test]
fn the_normal_force_is_the_same_whether_touching_is_a_constraint_or_an_identity() {
    let mut found = Vec::new();
    for (height, coordinates) in [("r*sin(theta)", ""), ("z", ", \"z\"")] {
        let mut model = load(&disk(height, coordinates), "disk.toml");
        assert_eq!(model.system.k(), if coordinates.is_empty() { 2 } else { 3 });
        let limit = model.system.constraints.iter().find_map(|c| c.friction).expect("a limit of friction");
        let run = gallery::run(&mut model, &[0.0, 0.25, 0.5, 1.0], 1e-11, &Default::default());
        found.push(gallery::values_of(&mut model, &run, limit));
    }
    for (a, b) in found[0].iter().zip(&found[1]) {
        assert!((a - b).abs() < 1e-8 * a.abs().max(1.0), "{found:?}");
    }
    assert!(found[0][0] > 1.0, "a disk is pushed up by about its weight: {found:?}");
}

#[test]
fn names_with_a_dot_stand_in_claims_and_columns_also_if_the_model_does_not_use_them() {
    let mut model = load(&disk("r*sin(theta)", ""), "disk.toml");
    let identities = [
        "disk.wx = cos(psi)*theta' + sin(psi)*sin(theta)*phi'",
        "disk.wz = cos(theta)*phi' + psi'",
        "disk.z = r*sin(theta)",
        "disk.vx^2 + disk.vy^2 + disk.vz^2 = x'^2 + y'^2 + disk.z'^2",
        "rim.x' = rim.vx",
        "rim.z'' = rim.vz'",
        "(rim.x - disk.x)^2 + (rim.y - disk.y)^2 + (rim.z - disk.z)^2 = r^2",
        "disk.wz' = cos(theta)*phi'' - sin(theta)*theta'*phi' + psi''",
    ];
    for text in identities {
        let e = crate::common::expression(&mut model, text);
        assert_zero(&mut model, e, text);
    }
    for (text, message) in [
        ("disk.q", "unknown name `disk.q`"),
        ("dsik.x", "unknown name `dsik.x`"),
        ("disk_ezx", "unknown name `disk_ezx`"),
    ] {
        let errors = Claims::equation(text, &mut model, &Limits::default()).unwrap_err();
        assert!(errors[0].message.starts_with(message), "{text}: {}", errors[0].message);
    }
}

#[test]
fn a_disk_that_lies_flat_is_refused_by_the_name_of_its_contact() {
    let mut model = load(&disk("r*sin(theta)", ""), "disk.toml");
    let theta = model.system.coordinate(&model.arena, "theta").expect("a coordinate");
    let flat = noslip::model::Overrides { position: vec![(theta, 0.0)], ..Default::default() };
    let error = model.initial_state(&flat).unwrap_err();
    assert_eq!(error.message, "contact `ground` is singular at the initial state");
}

/// T, V and constraints of a two-wheeled cart with a pendulum, written down by hand.
#[test]
fn wheels_seen_from_above_are_knife_edges_that_turn() {
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y", "theta", "a", "b"]
[parameters]
m = 2
J = 0.3
I = 0.01
R = 0.1
h = 0.2
[frames]
cart = { at = ["x", "y"], turn = { z = "theta" } }
[bodies.cart]
mass = "m"
inertia = "J"
[contacts.left]
body = "cart"
at = [0, "h"]
wheel = { along = "x", turn = "a", radius = "R", inertia = "I" }
[contacts.right]
body = "cart"
at = [0, "-h"]
wheel = { along = "x", turn = "b", radius = "R", inertia = "I" }
"#;
    let by_hand = r#"noslip = 1
[system]
coordinates = ["x", "y", "theta", "a", "b"]
[parameters]
m = 2
J = 0.3
I = 0.01
R = 0.1
h = 0.2
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*theta'^2 + I/2*(a'^2 + b'^2)"
[constraints]
left = "x'*cos(theta) + y'*sin(theta) - h*theta' = R*a'"
right = "x'*cos(theta) + y'*sin(theta) + h*theta' = R*b'"
across = "y'*cos(theta) = x'*sin(theta)"
"#;
    let (mut by_hand, mut model) = (load(by_hand, "by hand"), load(text, "cart.toml"));
    assert_same_motion(&mut by_hand, &mut model);
    assert!(model.notes.iter().any(|n| n.message.contains("`right_across` follows")), "{:?}", model.notes);
}

#[test]
fn two_wheels_of_one_axle_share_their_load_in_no_one_way() {
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y", "theta"]
[frames]
cart = { at = ["x", "y"], turn = { z = "theta" } }
[bodies.cart]
mass = 2
inertia = 0.3
[gravity]
g = 9.81
[contacts.left]
body = "cart"
at = [0.1, 0.2]
skates = "x"
friction = 0.3
[contacts.right]
body = "cart"
at = [0.1, -0.2]
skates = "x"
"#;
    let model = load(text, "cart.toml");
    let said = model.notes.iter().any(|n| n.message.contains("`left`, `right` cannot be told apart"));
    assert!(said && model.system.constraints.iter().all(|c| c.friction.is_none()), "{:?}", model.notes);
    // One alone carries the weight.
    let one = text[..text.find("[contacts.right]").expect("the second")].to_owned();
    let mut model = load(&one, "cart.toml");
    let limit = model.system.constraints[0].friction.expect("a limit");
    let weight = crate::common::expression(&mut model, "0.3*2*9.81");
    let difference = model.arena.sub(limit, weight);
    assert_zero(&mut model, difference, "μ m g");
}

#[test]
fn a_ball_slides_as_coulomb_says() {
    let text = r#"noslip = 1
[system]
coordinates = ["x", "y", "z", "psi", "theta", "phi"]
[parameters]
m = 2
r = 0.3
mu = 0.2
[frames]
ball = { at = ["x", "y", "z"], turn = [{ z = "psi" }, { x = "theta" }, { z = "phi" }] }
[bodies.ball]
mass = "m"
shape = { ball = "r" }
[gravity]
g = 9.81
[contacts.ground]
body = "ball"
slides_on = "ground"
friction = "mu"
[initial]
position = { x = 0, y = 0, psi = 0, theta = 1, phi = 0 }
velocity = { x = 1, y = 0, psi = 0, theta = 0, phi = 0 }
[simulation]
until = 0.1
"#;
    let mut model = load(text, "ball.toml");
    let run = gallery::run(&mut model, &[0.0, 0.05, 0.1], 1e-11, &Default::default());
    // Without spin at first: x'' = −μ g, r ω' = 5/2 μ g.
    let mu_g = 0.2 * 9.81;
    for (i, t) in [0.0, 0.05, 0.1].into_iter().enumerate() {
        let x = gallery::along(&mut model, &run, "x")[i];
        assert!((x - (t - mu_g * t * t / 2.0)).abs() < 1e-9, "{x} at {t}");
        let slip = gallery::along(&mut model, &run, "x' - r*(sin(psi)*theta' - sin(theta)*cos(psi)*phi')")[i];
        assert!((slip - (1.0 - 3.5 * mu_g * t)).abs() < 1e-8, "{slip} at {t}");
    }
}

#[test]
fn systems_that_lose_nothing_keep_their_energy() {
    for (name, until) in [("two-balls", 0.5), ("ball-in-cone", 2.0), ("omniwheels", 2.0), ("whipple-bicycle", 1.0)] {
        let mut model = gallery::open(&format!("bodies/{name}"));
        let run = gallery::run(&mut model, &[0.0, until / 2.0, until], 1e-11, &Default::default());
        let energy = gallery::along(&mut model, &run, "energy");
        let scale = energy.iter().fold(1.0f64, |s, e| s.max(e.abs()));
        assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-8 * scale), "{name}: {energy:?}");
    }
}

/// Those whose equations are compared form by form; the ellipsoid and the rattleback fill pages.
const COMPARED: [&str; 9] = [
    "rolling-disk",
    "car-with-trailer",
    "roller-racer",
    "chaplygin-ball",
    "routh-sphere",
    "rolling-torus",
    "ball-in-cylinder",
    "snakeboard",
    "ball-on-turntable",
];

const FORMS: [&str; 5] = ["lagrange-multipliers", "maggi", "kane", "chaplygin", "boltzmann-hamel"];

/// Longer from bodies than by hand: model, form, why.
const LONGER: &[(&str, &str, &str)] = &[
    ("rolling-disk", "lagrange-multipliers", ACROSS),
    ("rolling-disk", "maggi", ACROSS),
    ("car-with-trailer", "kane", ELSEWHERE),
    ("car-with-trailer", "boltzmann-hamel", ELSEWHERE),
    ("chaplygin-ball", "lagrange-multipliers", ELSEWHERE),
    ("chaplygin-ball", "maggi", ELSEWHERE),
    ("chaplygin-ball", "chaplygin", ELSEWHERE),
    (
        "ball-in-cylinder",
        "lagrange-multipliers",
        "the contact's constraints are written out, not divided by the radius",
    ),
    ("ball-in-cylinder", "kane", "by hand there are quasi-velocities, from bodies there are none"),
    ("ball-in-cylinder", "boltzmann-hamel", "by hand there are quasi-velocities, from bodies there are none"),
    ("ball-on-turntable", "lagrange-multipliers", INERTIA),
    ("ball-on-turntable", "maggi", INERTIA),
    ("ball-on-turntable", "kane", INERTIA),
    ("ball-on-turntable", "boltzmann-hamel", INERTIA),
];

const ACROSS: &str = "the contact's directions are along and across the disk, by hand x and y";
const ELSEWHERE: &str = "the search for the shortest way to write one equation ends elsewhere";
const INERTIA: &str = "2/5·m·r² is written out, by hand it is J";

/// Operations of all equations of a form, with what completes them and their abbreviations.
fn operations(model: &Model, form: &str) -> Option<usize> {
    let mut w = model.workbench();
    let equations = by_id(form).expect("a form").derive(&mut w).ok()?;
    let shown = noslip::forms::present(&mut w, &equations.brief()).ok()?;
    let letters: usize = shown.abbreviations.iter().map(|(_, t)| t.operations()).sum();
    Some(shown.equations.iter().map(|t| t.operations()).sum::<usize>() + letters)
}

const BEGIN: &str = "<!-- bodies: begin -->\n";
const END: &str = "<!-- bodies: end -->\n";

#[test]
fn equations_from_bodies_are_no_longer_than_by_hand() {
    let rows = gallery::for_each(&COMPARED, |name| {
        let (by_hand, from_bodies) = (gallery::open(name), gallery::open(&format!("bodies/{name}")));
        FORMS.map(|form| (operations(&by_hand, form), operations(&from_bodies, form)))
    });
    let mut table = format!("| model | `{}` |\n|---{}|\n", FORMS.join("` | `"), "|---".repeat(FORMS.len()));
    let mut longer = Vec::new();
    for (name, row) in COMPARED.iter().zip(&rows) {
        let mut cells = Vec::new();
        for (form, pair) in FORMS.iter().zip(row) {
            let &(Some(by_hand), Some(from_bodies)) = pair else {
                assert_eq!(pair.0, pair.1, "{name}, {form}: it applies to one of them only");
                cells.push("–".to_owned());
                continue;
            };
            cells.push(format!("{by_hand} → {from_bodies}"));
            if from_bodies > by_hand {
                longer.push((*name, *form, by_hand, from_bodies));
            }
        }
        table += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    let known = |name: &str, form: &str| LONGER.iter().find(|(n, f, _)| *n == name && *f == form);
    for &(name, form, by_hand, from_bodies) in &longer {
        let Some((_, _, why)) = known(name, form) else { panic!("{name}, {form}: {from_bodies} > {by_hand}\n{table}") };
        table += &format!("\n{name}, `{form}`: {why}.\n");
    }
    assert_eq!(longer.len(), LONGER.len(), "every exception is needed\n{table}");
    let page = std::fs::read_to_string(root().join("bench/RESULTS.md")).expect("the results");
    let (head, rest) = page.split_once(BEGIN).expect("the place of the table");
    let (_, tail) = rest.split_once(END).expect("the end of the table");
    blessed("bench/RESULTS.md", &format!("{head}{BEGIN}{table}{END}{tail}"), "bodies");
}
