//! Reports to look at: the rolling disk with equations from the literature and a motion computed here.

use noslip::Limits;
use noslip::expr::{Arena, Declared, Printer, Role, Style, Tree, parse_equation};
use noslip_cli::report::drawing::Drawing;
use noslip_cli::report::*;

pub const DISK_MODEL: &str = r#"noslip = 1

[system]
name = "Rolling disk"
source = "Greenwood, Advanced Dynamics, examples 5.3 and 5.5"
description = "A thin uniform disk rolls without slipping on a rough horizontal plane."
coordinates = ["phi", "theta", "psi", "x", "y"]

[parameters]
m = 1.4
r = 0.6
g = 9.81

[constraints]
along_x = "x' + r*psi'*cos(phi) = 0"
along_y = "y' + r*psi'*sin(phi) = 0"

[[drawing]]
shape = "plane"

[[drawing]]
shape = "trail"
name = "contact"
of = ["x", "y"]

[[drawing]]
shape = "disk"
center = ["x - r*sin(phi)*cos(theta)", "y + r*cos(phi)*cos(theta)", "r*sin(theta)"]
radius = "r"
euler = ["phi", "theta", "psi"]
spokes = 5

[[drawing]]
shape = "arrow"
at = ["x", "y"]
vector = ["x'", "y'"]
scale = 0.3

[[drawing]]
shape = "point"
at = ["x", "y"]
role = "accent"

[view]
caption = "The disk, the track of its point of contact, and the velocity with which that point moves on."
"#;

const M: f64 = 1.4;
const R: f64 = 0.6;
const G: f64 = 9.81;

/// Prints mathematics written in the model's syntax.
struct Words(Arena);

impl Words {
    fn disk() -> Words {
        let mut arena = Arena::new();
        for p in ["m", "r", "g", "T", "V"] {
            arena.declare(p, Role::Parameter);
        }
        for q in ["phi", "theta", "psi", "x", "y"] {
            arena.declare(q, Role::Coordinate);
        }
        for u in ["u_1", "u_2", "u_3"] {
            arena.declare(u, Role::QuasiVelocity);
        }
        for l in ["lambda_along_x", "lambda_along_y"] {
            arena.declare(l, Role::Multiplier);
        }
        Words(arena)
    }

    fn equation(&mut self, text: &str) -> (Formula, usize) {
        let limits = Limits::default();
        let (lhs, rhs) = parse_equation(&mut self.0, text, &mut Declared, &limits).expect(text);
        let lhs = Tree::of(&self.0, lhs, &limits).expect(text);
        let rhs = Tree::of(&self.0, rhs, &limits).expect(text);
        let print = |style| Printer::new(style).print_equation(&self.0, &lhs, &rhs);
        (Formula::new(print(Style::MathMl), print(Style::Latex)), lhs.operations() + rhs.operations())
    }

    fn formula(&mut self, text: &str) -> Formula {
        self.equation(text).0
    }

    fn symbol(&mut self, name: &str) -> Formula {
        let stem = name.trim_end_matches('\'');
        let mut symbol = self.0.lookup(stem).expect(name);
        for _ in stem.len()..name.len() {
            symbol = self.0.dot(symbol);
        }
        let print = |style| Printer::new(style).print(&self.0, &Tree::Symbol(symbol));
        Formula::new(print(Style::MathMl), print(Style::Latex))
    }

    fn equations(&mut self, texts: &[&str]) -> Vec<Equation> {
        let set = |(formula, operations)| Equation { formula, operations: Some(operations) };
        texts.iter().map(|t| set(self.equation(t))).collect()
    }

    fn named(&mut self, name: &str, text: &str) -> Named {
        Named { name: name.to_owned(), formula: self.formula(text) }
    }

    fn object(&mut self, name: &str, symbol: &str, text: &str) -> Object {
        let value = self.formula(&format!("m = {text}"));
        // Only the right side is wanted; the symbol is one of those written in Unicode.
        let right = |s: &str, at: &str| s.split_once(at).map(|(_, r)| r.to_owned()).unwrap_or_default();
        let value = Formula::new(format!("<math>{}", right(&value.mathml, "<mo>=</mo>")), right(&value.latex, " = "));
        Object { name: name.to_owned(), formula: Formula::equals(&Formula::symbol(symbol), &value) }
    }
}

const T: &str = "1/2*m*((x'-r*phi'*cos(phi)*cos(theta)+r*theta'*sin(phi)*sin(theta))^2\
    +(y'-r*phi'*sin(phi)*cos(theta)-r*theta'*cos(phi)*sin(theta))^2+r^2*theta'^2*cos(theta)^2)\
    +1/8*m*r^2*(phi'^2*sin(theta)^2+theta'^2)+1/4*m*r^2*(phi'*cos(theta)+psi')^2";

/// phi, theta, psi, x, y, u1, u2, u3: (5.193)–(5.195) of Greenwood, solved for the accelerations.
fn rates(s: &[f64; 8]) -> [f64; 8] {
    let [phi, theta, _, _, _, u1, u2, u3] = *s;
    let cot = theta.cos() / theta.sin();
    let dphi = u1 / theta.sin();
    let dpsi = u3 - dphi * theta.cos();
    [
        dphi,
        u2,
        dpsi,
        -R * dpsi * phi.cos(),
        -R * dpsi * phi.sin(),
        -u1 * u2 * cot + 2.0 * u2 * u3,
        u1 * u1 * cot / 5.0 - 1.2 * u1 * u3 - 0.8 * G / R * theta.cos(),
        2.0 / 3.0 * u1 * u2,
    ]
}

fn step(s: &[f64; 8], h: f64) -> [f64; 8] {
    let at = |k: &[f64; 8], h: f64| std::array::from_fn(|i| s[i] + h * k[i]);
    let k1 = rates(s);
    let k2 = rates(&at(&k1, h / 2.0));
    let k3 = rates(&at(&k2, h / 2.0));
    let k4 = rates(&at(&k3, h));
    std::array::from_fn(|i| s[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// Times and states of the disk.
fn motion(samples: usize, until: f64) -> Vec<(f64, [f64; 8])> {
    let (phi, theta, dphi, dtheta, dpsi) = (0.2_f64, 1.2_f64, 0.6, 0.3, 4.0);
    let mut s = [phi, theta, 0.1, 0.0, 0.0, dphi * theta.sin(), dtheta, dphi * theta.cos() + dpsi];
    let inner = 40;
    let h = until / ((samples - 1) * inner) as f64;
    let mut out = vec![(0.0, s)];
    for i in 1..samples {
        for _ in 0..inner {
            s = step(&s, h);
        }
        out.push((until * i as f64 / (samples - 1) as f64, s));
    }
    out
}

fn value(expression: &str, s: &[f64; 8]) -> Option<f64> {
    let [phi, theta, psi, x, y, ..] = *s;
    let v = rates(s);
    Some(match expression {
        "phi" => phi,
        "theta" => theta,
        "psi" => psi,
        "x" => x,
        "y" => y,
        "r" => R,
        "phi'" => v[0],
        "theta'" => v[1],
        "psi'" => v[2],
        "x'" => v[3],
        "y'" => v[4],
        "x - r*sin(phi)*cos(theta)" => x - R * phi.sin() * theta.cos(),
        "y + r*cos(phi)*cos(theta)" => y + R * phi.cos() * theta.cos(),
        "r*sin(theta)" => R * theta.sin(),
        number => return number.parse().ok(),
    })
}

fn energies(s: &[f64; 8]) -> (f64, f64) {
    let kinetic = M * R * R * (s[5] * s[5] / 8.0 + 5.0 * s[6] * s[6] / 8.0 + 3.0 * s[7] * s[7] / 4.0);
    (kinetic, M * G * R * s[1].sin())
}

/// λ = m × the acceleration of the centre along x and y, by differences.
fn multipliers(states: &[(f64, [f64; 8])]) -> [Vec<f64>; 2] {
    let h = 1e-4;
    let speed = |s: &[f64; 8]| {
        let v = rates(s);
        let (phi, theta) = (s[0], s[1]);
        [
            v[3] - R * (v[0] * phi.cos() * theta.cos() - v[1] * phi.sin() * theta.sin()),
            v[4] - R * (v[0] * phi.sin() * theta.cos() + v[1] * phi.cos() * theta.sin()),
        ]
    };
    [0, 1]
        .map(|k| states.iter().map(|(_, s)| M * (speed(&step(s, h))[k] - speed(&step(s, -h))[k]) / (2.0 * h)).collect())
}

/// The model as the page states it.
fn model(w: &mut Words) -> Model {
    Model {
        coordinates: ["phi", "theta", "psi", "x", "y"].iter().map(|q| w.symbol(q)).collect(),
        definitions: vec![],
        kinetic: w.formula(&format!("T = {T}")),
        potential: Some(w.formula("V = m*g*r*sin(theta)")),
        forces: vec![],
        constraints: vec![
            w.named("along_x", "x' + r*psi'*cos(phi) = 0"),
            w.named("along_y", "y' + r*psi'*sin(phi) = 0"),
        ],
        quasi_velocities: ["u_1 = phi'*sin(theta)", "u_2 = theta'", "u_3 = phi'*cos(theta) + psi'"]
            .iter()
            .map(|t| w.formula(t))
            .collect(),
        parameters: [("m", "1.4"), ("r", "0.6"), ("g", "9.81")]
            .map(|(name, value)| Formula::equals(&w.symbol(name), &Formula::number(value)))
            .to_vec(),
        initial: [
            ("phi", "0.2"),
            ("theta", "1.2"),
            ("psi", "0.1"),
            ("x", "0"),
            ("y", "0"),
            ("phi'", "0.6"),
            ("theta'", "0.3"),
        ]
        .map(|(name, value)| Formula::equals(&w.symbol(name), &Formula::number(value)))
        .to_vec(),
    }
}

/// What the page says of its constraints.
fn classification() -> Vec<String> {
    [
        "The system has five coordinates, two constraints and three degrees of freedom.",
        "Both constraints are linear in the velocities, without terms in time: scleronomic.",
        "Neither constraint can be integrated, alone or together with the other: no relation between the \
         coordinates alone follows. The growth vector is (3, 4, 5): every position can be reached from every other.",
        "The system is Chaplygin's: x and y occur in no coefficient and not in the Lagrangian once the constraints \
         have been used.",
        "The energy T + V is conserved.",
        "Cyclic in T and V: psi, x, y; the disk's psi' is not: `m*r^2*psi'` of `along_x`, constructor.",
    ]
    .map(str::to_owned)
    .to_vec()
}

/// The rolling disk, complete.
pub fn disk() -> ReportData {
    let mut w = Words::disk();
    let states = motion(601, 6.0);
    let column = |name: &str| -> Vec<f64> { states.iter().map(|(_, s)| value(name, s).expect("known")).collect() };
    let named = |w: &mut Words, names: &[&str]| -> Vec<Series> {
        let one = |n: &&str| Series { name: n.to_string(), symbol: w.symbol(n), values: column(n) };
        names.iter().map(one).collect()
    };
    let coordinates = named(&mut w, &["phi", "theta", "psi", "x", "y"]);
    let velocities = named(&mut w, &["phi'", "theta'", "psi'", "x'", "y'"]);
    let [along_x, along_y] = multipliers(&states);
    let plain = |name: &str, symbol: Formula, values: Vec<f64>| Series { name: name.to_owned(), symbol, values };
    let kinetic: Vec<f64> = states.iter().map(|(_, s)| energies(s).0).collect();
    let potential: Vec<f64> = states.iter().map(|(_, s)| energies(s).1).collect();
    let total: Vec<f64> = kinetic.iter().zip(&potential).map(|(a, b)| a + b).collect();
    let noise = |k: usize| (0..states.len()).map(|i| ((i * 7919 + k * 131) % 97) as f64 * 2e-17).collect::<Vec<_>>();
    let simulation = Simulation {
        outcome: "Finished at t = 6".to_owned(),
        method: "Dormand–Prince 8(5,3), tolerance 10⁻⁹, 212 steps, 2 544 evaluations".to_owned(),
        times: states.iter().map(|(t, _)| *t).collect(),
        multipliers: vec![
            plain("lambda_along_x", w.symbol("lambda_along_x"), along_x),
            plain("lambda_along_y", w.symbol("lambda_along_y"), along_y),
        ],
        drift: vec![
            plain("energy, relative", Formula::symbol("ΔE"), relative_change(&total)),
            plain("along_x", Formula::symbol("φ₁"), noise(1)),
            plain("along_y", Formula::symbol("φ₂"), noise(2)),
        ],
        energies: vec![
            plain("kinetic", Formula::symbol("T"), kinetic),
            plain("potential", Formula::symbol("V"), potential),
            plain("total", Formula::symbol("E"), total),
        ],
        integrals: vec![],
        coordinates,
        velocities,
    };
    let drawing = Drawing::parse(DISK_MODEL).expect("valid").expect("there is one");
    let scene = drawing
        .sample(&mut |e| {
            let values: Option<Vec<f64>> = states.iter().map(|(_, s)| value(e, s)).collect();
            values.ok_or_else(|| noslip::Error::input(format!("the sample does not know `{e}`")))
        })
        .expect("samples");
    let across = simulation.coordinates[3].values.clone();
    let track = Figure {
        title: "Track of the contact".to_owned(),
        across: Some(simulation.coordinates[3].symbol.clone()),
        up: Some(simulation.coordinates[4].symbol.clone()),
        curves: vec![Curve { up: simulation.coordinates[4].clone(), across }],
    };
    let inclination = Figure {
        title: "Inclination and heading".to_owned(),
        curves: [1, 0].map(|i| Curve { up: simulation.coordinates[i].clone(), across: vec![] }).to_vec(),
        ..Figure::default()
    };
    let forms = forms(&mut w);
    let proof = |f: &Form| Proof {
        form: f.id.clone(),
        name: f.name.clone(),
        verdict: if f.id == "suslov" { Verdict::Tested } else { Verdict::Proved },
        how: if f.id == "suslov" { "agrees at 64 random states" } else { "same normal form" }.to_owned(),
        seconds: Some(0.0012 * f.name.len() as f64),
    };
    ReportData {
        name: "Rolling disk".to_owned(),
        source: Some("Greenwood, Advanced Dynamics, examples 5.3 and 5.5".to_owned()),
        description: Some("A thin uniform disk rolls without slipping on a rough horizontal plane.".to_owned()),
        warnings: vec![],
        beyond: vec![],
        model: model(&mut w),
        classification: classification(),
        vocabulary: ["T", "V", "x", "y", "psi", "psi'"]
            .map(|name| (name.to_owned(), w.symbol(name)))
            .into_iter()
            .chain([("m*r^2*psi'".to_owned(), w.formula("m*r^2*psi'"))])
            .collect(),
        proofs: forms.iter().map(proof).collect(),
        forms,
        not_applicable: vec![NotApplicable {
            id: "hamel-novoselov".to_owned(),
            name: "Hamel–Novoselov".to_owned(),
            reason: "The constraints are linear; the form is written for nonlinear ones.".to_owned(),
        }],
        reactions: vec![
            w.named("along_x", &format!("lambda_along_x = {REACTION}")),
            w.named("along_y", "lambda_along_y = m*(y'' - r*phi''*sin(phi)*cos(theta))"),
        ],
        figures: vec![track, inclination],
        simulation: Some(simulation),
        scene: Some(scene),
        model_file: Some(DISK_MODEL.to_owned()),
        generator: "noslip 0.1.0".to_owned(),
        ..ReportData::default()
    }
}

const REACTION: &str = "m*x'' - m*r*(phi''*cos(phi)*cos(theta) - phi'^2*sin(phi)*cos(theta) - phi'*theta'*cos(phi)*sin(theta)) \
    + m*r*(theta''*sin(phi)*sin(theta) + theta'*phi'*cos(phi)*sin(theta) + theta'^2*sin(phi)*cos(theta))";

fn forms(w: &mut Words) -> Vec<Form> {
    let kinematics = ["phi' = u_1/sin(theta)", "theta' = u_2", "psi' = u_3 - u_1*cos(theta)/sin(theta)"];
    let quasi = [
        "1/4*m*r^2*u_1' + 1/4*m*r^2*u_1*u_2*cos(theta)/sin(theta) - 1/2*m*r^2*u_2*u_3 = 0",
        "5/4*m*r^2*u_2' - 1/4*m*r^2*u_1^2*cos(theta)/sin(theta) + 3/2*m*r^2*u_1*u_3 + m*g*r*cos(theta) = 0",
        "3/2*m*r^2*u_3' - m*r^2*u_1*u_2 = 0",
    ];
    let chaplygin = [
        "1/4*m*r^2*phi''*(1+5*cos(theta)^2)+3/2*m*r^2*psi''*cos(theta)-5/2*m*r^2*phi'*theta'*sin(theta)*cos(theta)\
         -1/2*m*r^2*theta'*psi'*sin(theta)",
        "5/4*m*r^2*theta''+5/4*m*r^2*phi'^2*sin(theta)*cos(theta)+3/2*m*r^2*phi'*psi'*sin(theta)+m*g*r*cos(theta)",
        "3/2*m*r^2*psi''+3/2*m*r^2*phi''*cos(theta)-5/2*m*r^2*phi'*theta'*sin(theta)",
    ];
    let lagrange = [
        "m*r*cos(theta)*(5/4*r*phi''*cos(theta) - x''*cos(phi) - y''*sin(phi) + 1/2*r*psi'') + 1/4*m*r^2*phi''*sin(theta)^2 \
         - 5/2*m*r^2*phi'*theta'*sin(theta)*cos(theta) - 1/2*m*r^2*theta'*psi'*sin(theta) = 0",
        "5/4*m*r^2*theta'' + m*r*sin(theta)*(x''*sin(phi) - y''*cos(phi)) + 5/4*m*r^2*phi'^2*sin(theta)*cos(theta) \
         + 1/2*m*r^2*phi'*psi'*sin(theta) + m*g*r*cos(theta) = 0",
        "1/2*m*r^2*psi'' + 1/2*m*r^2*phi''*cos(theta) - 1/2*m*r^2*phi'*theta'*sin(theta) \
         = r*cos(phi)*lambda_along_x + r*sin(phi)*lambda_along_y",
        "m*x'' - m*r*(phi''*cos(phi)*cos(theta) - phi'^2*sin(phi)*cos(theta) - 2*phi'*theta'*cos(phi)*sin(theta) \
         - theta''*sin(phi)*sin(theta) - theta'^2*sin(phi)*cos(theta)) = lambda_along_x",
        "m*y'' - m*r*(phi''*sin(phi)*cos(theta) + phi'^2*cos(phi)*cos(theta) - 2*phi'*theta'*sin(phi)*sin(theta) \
         + theta''*cos(phi)*sin(theta) + theta'^2*cos(phi)*cos(theta)) = lambda_along_y",
    ];
    let long = format!(
        "{} = 0",
        (1..12).map(|k| format!("{k}*m*r^2*phi'*theta'*sin({k}*theta)*cos(phi)^{k}")).collect::<Vec<_>>().join(" + ")
    );
    let fraction = "u_1' = (m*r^2*u_2*u_3*sin(theta) - m*r^2*u_1*u_2*cos(theta) + m*g*r*sin(theta)*cos(theta)*cos(phi) \
        - m*g*r*sin(theta)^2*cos(theta)*sin(phi) + m*r^2*u_1^2*u_2^2*u_3*sin(theta)*cos(phi) + m*g*r*u_1)\
        /(m*r^2*sin(theta) + m*g*r)";
    let constraints = w.equations(&["x' + r*psi'*cos(phi) = 0", "y' + r*psi'*sin(phi) = 0"]);
    let form = |id: &str, name: &str, about: &str, equations, kinematics| Form {
        id: id.to_owned(),
        name: name.to_owned(),
        about: about.to_owned(),
        source: "Greenwood, Advanced Dynamics, chapter 5".to_owned(),
        equations,
        kinematics,
        ..Form::default()
    };
    let mut all = vec![form(
        "lagrange-multipliers",
        "Lagrange with multipliers",
        "Lagrange's equations of the free system; every constraint enters with an unknown multiplier, which is its reaction.",
        w.equations(&lagrange),
        constraints.clone(),
    )];
    let about = "One equation for each degree of freedom, without multipliers.";
    let mut bh = form("boltzmann-hamel", "Boltzmann–Hamel", about, w.equations(&quasi), w.equations(&kinematics));
    bh.objects = vec![
        w.object(
            "Kinetic energy in quasi-velocities, the constraints used",
            "T*",
            "1/8*m*r^2*u_1^2 + 5/8*m*r^2*u_2^2 + 3/4*m*r^2*u_3^2",
        ),
        w.object("Hamel coefficient", "γ³₁₂", "cos(theta)/sin(theta)"),
        w.object("Hamel coefficient", "γ¹₂₃", "-1/sin(theta)"),
    ];
    bh.notes = vec!["Quasi-velocities as the model gives them; the constraints complete the basis.".to_owned()];
    all.push(bh);
    all.push(form("chaplygin", "Chaplygin", about, w.equations(&chaplygin), constraints.clone()));
    let others = [
        ("maggi", "Maggi"),
        ("gibbs-appell", "Gibbs–Appell"),
        ("kane", "Kane"),
        ("voronets", "Voronets"),
        ("suslov", "Suslov"),
        ("ferrers", "Ferrers"),
        ("udwadia-kalaba", "Udwadia–Kalaba"),
        ("suslov-jourdain", "Suslov–Jourdain"),
        ("voronets-explicit", "Voronets, explicit"),
        ("chaplygin-quasi", "Chaplygin in quasi-velocities"),
        ("poincare-chetaev", "Poincaré–Chetaev"),
        ("central-equation", "Central equation"),
        ("bh-transpositional", "Boltzmann–Hamel, transpositional"),
        ("hamilton-holder", "Hamilton–Hölder"),
    ];
    for (id, name) in others {
        all.push(form(id, name, about, w.equations(&quasi), w.equations(&kinematics)));
    }
    // What cannot be broken must scroll: one form with a sum that is too long and a fraction that is too wide.
    all[3].equations.extend(w.equations(&[&long, fraction]));
    all
}

/// A motion on a circle that knows these few expressions.
fn circling(e: &str) -> noslip::Result<Vec<f64>> {
    let f: fn(f64) -> f64 = match e {
        "t" => |t| t,
        "cos(t)" | "x" => f64::cos,
        "sin(t)" | "y" => f64::sin,
        "-sin(t)" => |t| -t.sin(),
        "phi" => |t| t + std::f64::consts::FRAC_PI_2,
        // A gap: nothing must be drawn while it lasts.
        "gap" => |t| if t > 2.0 { f64::NAN } else { t },
        _ => {
            let constant: f64 = e.parse().map_err(|_| noslip::Error::input(format!("unknown `{e}`")))?;
            return Ok(vec![constant; 201]);
        }
    };
    Ok((0..201).map(|i| f(i as f64 / 20.0)).collect())
}

fn circling_report(name: &str, drawing: &Drawing) -> ReportData {
    let series =
        |n: &str| Series { name: n.to_owned(), symbol: Formula::symbol(n), values: circling(n).expect("known") };
    ReportData {
        name: name.to_owned(),
        simulation: Some(Simulation {
            outcome: "Finished".to_owned(),
            times: circling("t").expect("known"),
            coordinates: ["x", "y", "phi", "gap"].map(series).to_vec(),
            ..Simulation::default()
        }),
        scene: Some(drawing.sample(&mut circling).expect("samples")),
        ..ReportData::default()
    }
}

/// A body in the plane as the names of its coordinates alone show it.
pub fn plain() -> ReportData {
    circling_report("A body in the plane", &Drawing::default_for(&["x", "y", "phi"], &[]))
}

/// Every shape there is, in space.
pub fn zoo() -> ReportData {
    let shapes = r#"
        [[drawing]]
        shape = "plane"
        through = [0, 0, -1]
        [[drawing]]
        shape = "sphere"
        center = ["cos(t)", "sin(t)", 0]
        radius = 0.4
        euler = ["t", "t", 0]
        label = "sphere"
        [[drawing]]
        shape = "ellipsoid"
        center = [-2, 0, 0]
        axes = [0.6, 0.4, 0.3]
        quaternion = ["cos(t)", 0, "sin(t)", 0]
        role = "wheel"
        [[drawing]]
        shape = "box"
        center = [2, 0, 0]
        size = [0.6, 0.4, 0.3]
        matrix = [["cos(t)", "-sin(t)", 0], ["sin(t)", "cos(t)", 0], [0, 0, 1]]
        [[drawing]]
        shape = "disk"
        center = [0, 2, 0]
        radius = 0.5
        thickness = 0.2
        normal = ["cos(t)", 0, "sin(t)"]
        spin = "t"
        spokes = 4
        [[drawing]]
        shape = "circle"
        center = [0, 0, 0]
        radius = 1
        [[drawing]]
        shape = "polygon"
        points = [[-0.4, -0.2], [0.4, -0.2], [0, 0.4]]
        center = [0, -2, 0.2]
        euler = ["t", 1, 0]
        role = "accent"
        [[drawing]]
        shape = "polyline"
        points = [[-2, -2, -1], [-2, -2, 1], [2, -2, 1]]
        role = "muted"
        [[drawing]]
        shape = "segment"
        from = [0, 0, 0]
        to = ["cos(t)", "sin(t)", 0]
        [[drawing]]
        shape = "spring"
        from = [0, 0, -1]
        to = [0, 0, 0]
        radius = 0.12
        [[drawing]]
        shape = "point"
        at = [0, 0, 0]
        [[drawing]]
        shape = "point"
        at = ["gap", 0, 0]
        [[drawing]]
        shape = "trail"
        of = ["cos(t)", "sin(t)", 0]
        duration = 2
        [[drawing]]
        shape = "arrow"
        at = ["cos(t)", "sin(t)", 0]
        vector = ["-sin(t)", "cos(t)", 0]
        role = "force"
        [[drawing]]
        shape = "text"
        at = [2, 0, 0.6]
        text = "a box"
    "#;
    circling_report("Every shape", &Drawing::parse(shapes).expect("valid").expect("there is one"))
}

/// The same shapes as far as they live in the plane.
pub fn flat_zoo() -> ReportData {
    let shapes = r#"
        [[drawing]]
        shape = "trail"
        of = ["cos(t)", "sin(t)"]
        [[drawing]]
        shape = "disk"
        center = ["cos(t)", "sin(t)"]
        radius = 0.3
        angle = "t"
        [[drawing]]
        shape = "box"
        center = [-1, 0.5]
        size = [0.6, 0.3]
        angle = "t"
        [[drawing]]
        shape = "spring"
        from = [0, 0]
        to = ["cos(t)", "sin(t)"]
        [[drawing]]
        shape = "polygon"
        points = [[0.3, 0], [-0.2, 0.15], [-0.2, -0.15]]
        center = ["cos(t)", 0]
        angle = "phi"
        role = "accent"
        [[drawing]]
        shape = "circle"
        center = [0, 0]
        radius = 1
        role = "muted"
        [[drawing]]
        shape = "arrow"
        at = ["cos(t)", "sin(t)"]
        vector = ["-sin(t)", "cos(t)"]
        scale = 0.6
        label = "v"
        [[drawing]]
        shape = "segment"
        from = [-1.5, -1.2]
        to = [1.5, -1.2]
        [[drawing]]
        shape = "sphere"
        center = [1.2, 0.6]
        radius = 0.25
        euler = [0, "t", 0]
        [view]
        dimension = 2
        follow = [0, 0]
    "#;
    circling_report("Shapes in the plane", &Drawing::parse(shapes).expect("valid").expect("there is one"))
}

/// Names and formulas that try to get out of the page.
pub fn hostile() -> ReportData {
    let evil = "</script><script>document.documentElement.dataset.owned = 'yes'</script><img src=x onerror=\
                \"document.documentElement.dataset.owned = 'yes'\">{{scripts}}";
    let long = "Wagenführerhäuschen".repeat(60);
    let rtl = "מכונית עם \u{202e}אילוץ";
    let evil_math = format!(
        "<math xmlns:h=\"http://www.w3.org/1999/xhtml\" onclick=\"{0}\" style=\"position:fixed\"><mi href=\"javascript:{0}\">x</mi>\
         <h:script>{0}</h:script><annotation-xml encoding=\"text/html\"><h:img src=\"x\" onerror=\"{0}\"/></annotation-xml>\
         <mtext><h:iframe src=\"javascript:{0}\"/></mtext></math>",
        "document.documentElement.dataset.owned = 1"
    );
    let broken = Formula::new("<math><mi>x</math>", "x</script>");
    let named = |name: &str| Named { name: name.to_owned(), formula: Formula::new(evil_math.clone(), evil) };
    let mut data = plain();
    data.name = format!("{rtl} {evil}");
    data.source = Some(long.clone());
    data.description = Some(evil.to_owned());
    data.warnings = vec![evil.to_owned()];
    data.classification = vec![evil.to_owned(), long.clone(), rtl.to_owned()];
    data.model.constraints = vec![named(&long), named(evil)];
    data.model.kinetic = broken.clone();
    data.reactions = vec![named(rtl)];
    data.model_file = Some(evil.to_owned());
    data.forms = vec![Form {
        id: evil.to_owned(),
        name: long.clone(),
        equations: vec![Equation { formula: Formula::new(evil_math.clone(), evil), operations: None }],
        objects: vec![Object { name: evil.to_owned(), formula: broken }],
        notes: vec![evil.to_owned()],
        ..Form::default()
    }];
    data.proofs = vec![Proof { form: evil.to_owned(), name: long.clone(), how: evil.to_owned(), ..Proof::default() }];
    if let Some(simulation) = &mut data.simulation {
        simulation.coordinates[0].name = evil.to_owned();
        simulation.coordinates[1].name = long.clone();
        simulation.coordinates[0].symbol = Formula::symbol(evil);
        simulation.coordinates[1].symbol = Formula::symbol(&long);
        simulation.outcome = evil.to_owned();
    }
    for figure in &mut data.figures {
        figure.title = format!("{evil} {long}");
        figure.curves[0].up.symbol = Formula::new(evil_math.clone(), evil);
    }
    if let Some(scene) = &mut data.scene {
        scene.view.caption = Some(evil.to_owned());
        scene.items[0].label = Some(long);
    }
    data.generator = evil.to_owned();
    data
}
