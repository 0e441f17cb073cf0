//! Input as the books write it: functions that are left open, velocities by quasi-velocities, forces from a power or a
//! dissipation function.

use crate::common::gallery::{open, run};
use crate::common::{analysed, expression, load, loaded, text, verdict};
use crate::motions::reduced;
use noslip::Limits;
use noslip::analysis::sentences;
use noslip::expr::{Known, Printer, Rational, Style, Tree, simplify};
use noslip::forms::{Applicability, FORMS, by_id};
use noslip::hamilton::hamiltonise::chaplygin;
use noslip::hamilton::inverse::inverse_problem;
use noslip::model::{Model, ModelBuilder, Overrides};
use noslip::motions::measure::measure;
use noslip::verify::{agreement, vanishes_on_motions};

/// Greenwood (5.69): a general Pfaffian constraint.
fn pfaffian() -> Model {
    ModelBuilder::new("general Pfaffian constraint")
        .coordinates(["x", "y", "z"])
        .parameter("m", 1)
        .function("a", "x, y, z")
        .function("b", "x, y, z")
        .function("c", "x, y, z")
        .kinetic("m/2*(x'^2 + y'^2 + z'^2)")
        .constraint("theta", "a*x' + b*y' + c*z' = 0")
        .build(&Limits::default())
        .unwrap()
}

/// The gallery's car with the forces of (4.21) left open.
fn general_car() -> String {
    let text = noslip_gallery::find("car-in-a-turn-generic").unwrap();
    let mut out = String::new();
    for line in text.lines().take_while(|l| !l.starts_with("[[plots]]")) {
        let key = line.split(" = ").next().unwrap_or_default();
        out.push_str(match (key, line.contains('"')) {
            ("[definitions]", _) => {
                "[functions]\nF1 = \"t\"\nF2 = \"v_C\"\nL1 = \"t\"\nL2 = \"theta'\"\nL3 = \"theta\"\n\n\
                 [definitions]\nv_C = \"sqrt(xi'^2 + eta'^2)\""
            }
            ("theta", true) => "theta = \"L1 - L2 - L3\"",
            ("xi", true) => "xi = \"F1*cos(phi) - F2*xi'/v_C\"",
            ("eta", true) => "eta = \"F1*sin(phi) - F2*eta'/v_C\"",
            _ => line,
        });
        out.push('\n');
    }
    out
}

fn unicode(model: &Model, e: noslip::expr::Expr) -> String {
    Printer::new(Style::Unicode).print(&model.arena, &Tree::of(&model.arena, e, &Limits::default()).unwrap())
}

#[test]
fn a_motion_that_leaves_a_table_says_which_and_when_and_one_that_stays_says_nothing() {
    use noslip::model::Overrides;
    use noslip::simulate::{Method, Settings, simulate};
    // x = sin(t): beyond 0.5 at t = π/6; the table of time ends at 2.
    let text = "noslip = 1\n[system]\ncoordinates = ['x']\n[tables.F]\nat = [0, 1, 2]\nvalues = [0, 0, 0]\n\
        [tables.G]\nat = [-2, 0, 0.5]\nvalues = [0, 0, 0]\n[energy]\nkinetic = \"x'^2/2\"\npotential = 'x^2/2'\n\
        [forces]\nx = 'F(t) + G(x)'\n[initial]\nvelocity = { x = 1 }\n";
    let left = |until: f64, method: &str| {
        let mut model: Model = text.parse().unwrap_or_else(|e| panic!("{e:?}"));
        let state = model.initial_state(&Overrides::default()).expect("a state");
        let mut w = model.workbench();
        let method = Method::by_id(method).expect("a method");
        simulate(&mut w, &state, &Settings { method, ..Settings::until(until) }, &mut |_| true).expect("a run");
        w.excursions
    };
    for method in ["dop853", "implicit", "taylor", "dla"] {
        assert_eq!(left(0.5, method), [], "{method}");
        let both = left(3.0, method);
        let found: Vec<_> = both.iter().map(|e| (e.table.as_str(), e.argument.as_str(), e.data)).collect();
        assert_eq!(found, [("F", "t", [0.0, 2.0]), ("G", "x", [-2.0, 0.5])], "{method}");
        assert!((both[0].t - 2.0).abs() < 1e-6, "{method}: {}", both[0].t);
        assert!((both[1].t - std::f64::consts::FRAC_PI_6).abs() < 0.02, "{method}: {}", both[1].t);
    }
    // The end of the data belongs to them.
    assert!(left(2.0, "dop853").iter().all(|e| e.table == "G"));
}

#[test]
fn the_condition_of_frobenius_is_greenwoods_5_74() {
    let mut model = pfaffian();
    let a = analysed(&mut model);
    let condition = a.constraints[0].condition.expect("it depends on the functions");
    assert_eq!(a.constraints[0].integrable.as_ref().map(|i| i.integrable), Some(false), "not for every a, b, c");
    let book = expression(&mut model, "a*(b_z - c_y) + b*(c_x - a_z) + c*(a_y - b_x)");
    assert_eq!(condition, book, "{}", text(&model, condition));
    assert_eq!(unicode(&model, condition), "a·(b_z − c_y) + b·(cₓ − a_z) + c·(a_y − bₓ)");
    // For particular functions it is decided: (5.74) vanishes for a gradient and not for y dx.
    for (given, integrable) in
        [([("a", "y*z"), ("b", "x*z"), ("c", "x*y")], true), ([("a", "y"), ("b", "0"), ("c", "1")], false)]
    {
        let toml = ModelBuilder::new("given")
            .coordinates(["x", "y", "z"])
            .function("a", "x, y, z")
            .function("b", "x, y, z")
            .function("c", "x, y, z")
            .kinetic("x'^2 + y'^2 + z'^2")
            .constraint("theta", "a*x' + b*y' + c*z' = 0")
            .to_toml();
        let given = given.map(|(name, is)| (name.to_owned(), is.to_owned()));
        let mut model = loaded(Model::load_with(&toml, "given", &Limits::default(), &given), "given", &toml);
        let found = analysed(&mut model).constraints[0].integrable.as_ref().map(|i| i.integrable);
        assert_eq!(found, Some(integrable));
    }
}

#[test]
fn every_form_agrees_for_a_constraint_of_open_functions() {
    let model = pfaffian();
    let mut w = model.workbench();
    let mut proved = 0;
    for form in FORMS {
        if form.applies(&mut w) == Applicability::Applies {
            let equations = form.derive(&mut w).unwrap();
            let agreement = agreement(&mut w, &equations);
            assert!(agreement.known.is_proved(), "{}: {agreement:?}", form.id());
            proved += 1;
        }
    }
    assert!(proved >= 15, "{proved} forms");
}

#[test]
fn derivatives_of_open_functions_commute_and_are_what_is_written() {
    let mut model = pfaffian();
    let pairs = [
        ("a_xy", "a_yx"),
        ("diff(a, x)", "a_x"),
        ("diff(diff(a, z), x)", "a_xz"),
        // The chain rule: the derivative by a place, at another argument.
        ("diff(a(x^2, y, z), x)", "2*x*a_x(x^2, y, z)"),
        ("a(x, y, z)", "a"),
        ("a(2*x, y, z)*b - b*a(x + x, y, z)", "0"),
    ];
    for (left, right) in pairs {
        let e = expression(&mut model, &format!("{left} - ({right})"));
        let zero = simplify(&mut model.arena, e, &Limits::default());
        assert!(model.arena.is_zero(zero), "{left} = {right}: {}", text(&model, zero));
    }
    for (different, from) in [("a_xy", "a_xx"), ("a_x", "b_x"), ("a(y, x, z)", "a")] {
        let e = expression(&mut model, &format!("{different} - {from}"));
        let rest = simplify(&mut model.arena, e, &Limits::default());
        assert!(!model.arena.is_zero(rest), "{different} is not {from}");
    }
    // What is printed is read back as the same.
    for written in ["a_xy*b - c_zz", "a(x^2, y, z) + a_x(y, y, z)", "sin(a)^2"] {
        let e = expression(&mut model, written);
        let again = text(&model, e);
        assert_eq!(expression(&mut model, &again), e, "{written} is printed as {again}");
    }
}

#[test]
fn open_functions_are_printed_in_every_style() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"theta\"]\n[functions]\nF = \"t\"\nV_1 = \"x, theta\"\nL2 = \"theta'\"\nW = \"x, theta'\"\n\
         [energy]\nkinetic = \"x'^2 + theta'^2\"\n",
    );
    let print = |model: &mut Model, style, text: &str| {
        let e = expression(model, text);
        Printer::new(style).print(&model.arena, &Tree::of(&model.arena, e, &Limits::default()).unwrap())
    };
    assert_eq!(print(&mut model, Style::Unicode, "F'(t)*x + L2(theta')"), "L₂(θ\u{307}) + F′(t)·x");
    assert_eq!(print(&mut model, Style::Latex, "F'(t)"), "F'\\left(t\\right)");
    assert_eq!(print(&mut model, Style::Latex, "V_1_x_theta"), "{V_{1}}_{x \\theta}");
    assert_eq!(print(&mut model, Style::Text, "V_1_x_theta"), "V_1_x_theta");
    assert_eq!(print(&mut model, Style::Latex, "diff(W, theta')"), "W_{\\dot{\\theta}}");
    assert_eq!(print(&mut model, Style::Text, "diff(W, theta')"), "W_2");
    let mathml = print(&mut model, Style::MathMl, "V_1_theta");
    assert!(mathml.contains("<msub><msub><mi>V</mi><mn>1</mn></msub><mrow><mi>θ</mi></mrow></msub>"), "{mathml}");
}

/// Example II.4: (4.28), second equation, and the force on the heading, for all F₁, F₂, L₁, L₂, L₃.
#[test]
fn the_general_car_has_the_equations_of_the_book() {
    let source = general_car();
    let mut model = load(&source);
    let second = expression(&mut model, "J2*(theta'' + phi'') = L1(t) - L2(theta') - L3(theta)");
    assert!(verdict(&model, second).holds(), "(4.28), second");
    let wrong = expression(&mut model, "J2*(theta'' + phi'') = L1(t) + L2(theta') - L3(theta)");
    assert!(verdict(&model, wrong).fails(), "another sign is refuted");
    let first = expression(
        &mut model,
        "(J1 + J2 + M2*l1*(l1 - beta3*sin(phi) + beta4*cos(phi)))*phi'' + J2*theta'' + ((M1 + M2)*beta3 - M2*l1*sin(phi))*xi'' \
         + ((M1 + M2)*beta4 + M2*l1*cos(phi))*eta'' = M2*l1*phi'^2*(beta3*cos(phi) + beta4*sin(phi)) \
         + (F1(t)*cos(phi) - F2(v_C)*xi'/v_C)*beta3 + (F1(t)*sin(phi) - F2(v_C)*eta'/v_C)*beta4"
            .replace("beta3", "(l1*cos(phi)*cos(theta) + l2*cos(phi + theta))/sin(theta)")
            .replace("beta4", "(l1*sin(phi)*cos(theta) + l2*sin(phi + theta))/sin(theta)")
            .as_str(),
    );
    assert!(verdict(&model, first).holds(), "(4.28), first");
    // Printed as in the book, argument and all.
    let mut w = model.workbench();
    let equations = by_id("maggi").unwrap().derive(&mut w).unwrap();
    let printed = equations.equations.iter().map(|&e| {
        let e = w.simplify(e);
        Printer::new(Style::Unicode).print(&w.g, &Tree::of(&w.g, e, &Limits::default()).unwrap())
    });
    let printed = printed.collect::<String>();
    for part in ["F₁(t)", "F₂(v_C)", "L₁(t)", "L₂(θ̇)", "L₃(θ)"] {
        assert!(printed.contains(part), "{part} in {printed}");
    }
}

/// With the functions given it is the gallery's car: the same motion to rounding.
#[test]
fn the_general_car_with_given_functions_is_the_car() {
    let source = general_car();
    let given = [("F1", "F10"), ("F2", "kappa2*v_C"), ("L1", "L10"), ("L2", "kappa1*theta'"), ("L3", "kappa3*theta")];
    let given: Vec<(String, String)> = given.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let mut general = loaded(Model::load_with(&source, "car", &Limits::default(), &given), "car", &source);
    assert!(general.open_functions().is_empty());
    let mut car = open("car-in-a-turn-generic");
    let ours = run(&mut general, &[0.0, 2.0], 1e-11, &Overrides::default());
    let theirs = run(&mut car, &[0.0, 2.0], 1e-11, &Overrides::default());
    let (a, b) = (ours.samples.last().unwrap(), theirs.samples.last().unwrap());
    for (x, y) in a.y.iter().zip(&b.y) {
        assert!((x - y).abs() < 1e-9, "{x} for {y}");
    }
    // Without them there is no number, and that is said.
    let mut open = load(&source);
    let error = open.initial_state(&Overrides::default());
    assert!(error.is_ok(), "the forces are not needed for the initial state");
    let settings = crate::common::settings(&[0.0, 1.0], 1e-9);
    let error = noslip::simulate::simulate(&mut open.workbench(), &error.unwrap(), &settings, &mut |_| true);
    assert!(error.unwrap_err().message.contains("`F1`, `F2`, `L1`, `L2`, `L3` are not given"));
}

/// The sledge, once as books write it and once by hand.
#[test]
fn velocities_by_quasi_velocities_are_quasi_velocities_by_velocities() {
    let common = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 0.3\nl = 0.4\nk = 0.2\n\
                  [definitions]\nx_C = \"x + l*cos(phi)\"\ny_C = \"y + l*sin(phi)\"\n\
                  [constraints]\nknife = \"x'*sin(phi) = y'*cos(phi)\"\n\
                  [initial]\nposition = { x_C = 1, y = 0.5, phi = 0.3 }\n";
    let book = format!(
        "{common}velocity = {{ v = 5, omega = 1 }}\n[energy]\nkinetic = \"m/2*(x_C'^2 + y_C'^2) + J/2*phi'^2\"\n\
         dissipation = \"k/2*v^2\"\npower = \"3*v\"\n[forces]\nphi = \"-0.1*omega\"\n\
         [quasi_velocities]\n\"x'\" = \"v*cos(phi)\"\n\"y'\" = \"v*sin(phi)\"\n\"phi'\" = \"omega\"\n"
    );
    let hand = format!(
        "{common}velocity = {{ x = \"5*cos(0.3)\", phi = 1 }}\n[energy]\nkinetic = \"m/2*(x_C'^2 + y_C'^2) + J/2*phi'^2\"\n\
         [forces]\nx = \"(3 - k*v)*cos(phi)\"\ny = \"(3 - k*v)*sin(phi)\"\nphi = \"-0.1*phi'\"\n\
         [quasi_velocities]\nv = \"x'*cos(phi) + y'*sin(phi)\"\nomega = \"phi'\"\n"
    );
    let (mut book, mut hand) = (load(&book), load(&hand));
    for (a, b) in book.system.quasi_velocities.iter().zip(&hand.system.quasi_velocities) {
        assert_eq!(
            text(&book, a.expr),
            text(&hand, b.expr).replace("x'*cos(phi)", "cos(phi)*x'").replace("y'*sin(phi)", "sin(phi)*y'")
        );
    }
    let start = book.initial_state(&Overrides::default()).unwrap();
    assert!((start.position[0] + 0.4 * 0.3f64.cos() - 1.0).abs() < 1e-12, "x_C = 1");
    let (a, b) = (
        run(&mut book, &[0.0, 1.0], 1e-11, &Overrides::default()),
        run(&mut hand, &[0.0, 1.0], 1e-11, &Overrides::default()),
    );
    let (a, b) = (a.samples.last().unwrap(), b.samples.last().unwrap());
    assert!(a.y.iter().zip(&b.y).all(|(x, y)| (x - y).abs() < 1e-9), "{:?} {:?}", a.y, b.y);
}

/// Synge's wheels with the book's choice of independent velocities.
#[test]
fn the_independent_velocities_can_be_chosen() {
    let model = open("synge-wheels");
    let mut w = model.workbench();
    let names = |w: &noslip::Workbench, list: &[&str]| -> Vec<usize> {
        list.iter().map(|n| w.system.coordinate(&w.g, n).unwrap()).collect()
    };
    let chosen = names(&w, &["phi1", "phi2"]);
    w.choose_independent(&chosen).unwrap();
    assert_eq!(w.split().unwrap().independent, chosen);
    for id in ["voronets", "suslov", "ferrers", "boltzmann-hamel"] {
        let equations = by_id(id).unwrap().derive(&mut w).unwrap();
        assert!(agreement(&mut w, &equations).known.is_proved(), "{id}");
    }
    let wrong = names(&w, &["x", "y"]);
    assert!(w.choose_independent(&wrong).unwrap_err().contains("do not give"));
}

/// A definition with arguments, and its derivatives.
#[test]
fn a_function_that_is_given_is_put_in_where_it_is_called() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nk = 3\n\
         [functions]\nspring = { of = \"s\", is = \"k/2*s^2 + s^4\" }\nprofile = { of = \"u, v\", is = \"sin(u)*v^2\" }\n\
         [energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"spring(x - y) + profile(x, y)\"\n",
    );
    for (left, right) in [
        ("spring'(2*x)", "k*2*x + 4*(2*x)^3"),
        ("profile_u(x, y)", "cos(x)*y^2"),
        ("profile_uv(y, x)", "2*x*cos(y)"),
        ("diff(spring(x - y), y)", "-k*(x - y) - 4*(x - y)^3"),
    ] {
        let e = expression(&mut model, &format!("{left} - ({right})"));
        let zero = simplify(&mut model.arena, e, &Limits::default());
        assert!(model.arena.is_zero(zero), "{left} = {right}: {}", text(&model, zero));
    }
    let law = expression(&mut model, "x'' = -k*(x - y) - 4*(x - y)^3 - cos(x)*y^2");
    assert!(verdict(&model, law).holds());
}

/// Kirgetov's remark: a constraint of second order may be the derivative of one of first order.
#[test]
fn a_constraint_of_second_order_that_is_a_derivative_says_so() {
    let of = |constraint: &str| {
        let mut model = load(&format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
             [constraints]\nc = \"{constraint}\"\n[initial]\nvelocity = {{ x = 3, y = 4 }}\n"
        ));
        let a = analysed(&mut model);
        let c = &a.constraints[0];
        (c.integral.as_ref().map(|i| text(&model, i.expr)), c.value)
    };
    let (psi, value) = of("x'*x'' + y'*y'' = 0.3");
    assert_eq!((psi.as_deref(), value), (Some("x'^2/2 + y'^2/2 - 0.3*t"), Some(12.5)));
    assert_eq!(of("x*y'' + x'*y' = y*y'").0.as_deref(), Some("x*y' - y^2/2"));
    assert_eq!(of("y'*x'' = 1").0, None, "not without a factor");
}

/// In pieces: values, derivatives and smoothness are those of the pieces, and a motion through a buffer is that of the closed form.
#[test]
fn functions_in_pieces_are_their_pieces() {
    let model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[functions]\n\
         f = { of = \"s\", is = [\"sin(s)\", \"sin(s) + s^2\", \"sin(s) + 2*s - 1\"], at = [0, 1] }\n\
         pressed = { of = \"s\", is = [\"0\", \"s^2/2\"], at = [0] }\n\
         [energy]\nkinetic = \"x'^2/2\"\npotential = \"4*pressed(x - 1)\"\n\
         [initial]\nposition = { x = 0 }\nvelocity = { x = 2 }\n",
    );
    let mut w = model.workbench();
    let list = ["f(x)", "f'(x)", "pressed(x)", "pressed'(x)"].map(|text| w.expression(text).unwrap());
    let values = w.system.values(&w.g, &[]).unwrap();
    for x in [-3.0f64, -0.2, 0.4, 0.9, 1.5, 40.0] {
        let mut at = values.clone();
        at.at.set(w.system.coordinates[0], x);
        let found = at.evaluate(&noslip::expr::Evaluator::new(&w.g, &list));
        let (beyond, slope) = match x {
            x if x < 0.0 => (0.0, 0.0),
            x if x < 1.0 => (x * x, 2.0 * x),
            x => (2.0 * x - 1.0, 2.0),
        };
        let pressed = x.max(0.0);
        let expected = [x.sin() + beyond, x.cos() + slope, pressed * pressed / 2.0, pressed];
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{found:?} for {expected:?} at {x}");
        }
    }
    // Its second derivative jumps, and is refused.
    assert!(w.expression("f''(x)").unwrap_err().to_string().contains("has no derivative"));
    // Free until x = 1 at t = 1/2, then half a turn of the frequency 2, then back with −2.
    let state = model.clone().initial_state(&Default::default()).unwrap();
    let turn = std::f64::consts::FRAC_PI_2;
    let settings = crate::common::settings(&[0.0, 0.5, 0.5 + turn / 2.0, 0.5 + turn, 1.0 + turn], 1e-11);
    let run = noslip::simulate(&mut w, &state, &settings, &mut |_| true).unwrap();
    let expected = [(0.0, 2.0), (1.0, 2.0), (2.0, 0.0), (1.0, -2.0), (0.0, -2.0)];
    for (s, (x, v)) in run.samples.iter().zip(expected) {
        assert!((s.y[0] - x).abs() < 1e-8 && (s.y[1] - v).abs() < 1e-8, "{s:?}");
    }
    // A kink may stand in a force, not in a potential.
    let kink = |section: &str| {
        let text = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[functions]\nramp = {{ of = \"s\", is = [\"0\", \"s\"], at = [0] }}\n\
             [energy]\nkinetic = \"x'^2/2\"\n{section}"
        );
        noslip::Model::load(&text, "model.toml", &noslip::Limits::default()).map(|_| ()).map_err(|e| e.to_string())
    };
    assert!(kink("[forces]\nx = \"-ramp(x)\"\n").is_ok());
    assert!(kink("potential = \"ramp(x)\"\n").unwrap_err().contains("not smooth enough"));
}

#[test]
fn pieces_have_exact_values_and_derivatives_at_numbers_but_for_those_that_jump() {
    let mut model = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[functions]\n\
         f = { of = \"s\", is = [\"0\", \"s^3/3\", \"1/3 + (s - 1) + (s - 1)^2\"], at = [0, 1] }\n\
         [energy]\nkinetic = \"x'^2/2\"\npotential = \"f(x)\"\n",
    );
    let number = |n, d| Rational::new(n, d).unwrap();
    for (at, derivative, value) in [
        (number(-5, 1), 0, Some(number(0, 1))),
        (number(0, 1), 0, Some(number(0, 1))),
        (number(1, 2), 0, Some(number(1, 24))),
        (number(1, 2), 1, Some(number(1, 4))),
        (number(1, 2), 2, Some(number(1, 1))),
        (number(1, 2), 3, Some(number(2, 1))),
        (number(1, 1), 0, Some(number(1, 3))),
        (number(1, 1), 2, Some(number(2, 1))),
        (number(1, 1), 3, None),
        (number(3, 1), 0, Some(number(19, 3))),
        (number(3, 1), 3, Some(number(0, 1))),
        (number(3, 1), 4, Some(number(0, 1))),
    ] {
        assert_eq!(model.system.tables[0].exactly(derivative, &at), value, "{at} {derivative}");
    }
    for (claim, holds) in [("f(0)", true), ("f(1/2) - 1/24", true), ("f'(1/2) - 1/4", true), ("f(1/2) - 1/20", false)] {
        let e = expression(&mut model, claim);
        let known = vanishes_on_motions(&mut model.workbench(), e);
        assert!(if holds { known.is_proved() } else { known.is_refuted() }, "{claim}: {known:?}");
    }
}

#[test]
fn functions_that_are_left_open_are_those_of_the_author_and_not_the_force_of_a_law() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[functions]\nF = \"t\"\n\
                G = { of = \"t\", is = \"sin(t)\" }\n[energy]\nkinetic = \"x'^2 + y'^2 + phi'^2\"\n[forces]\nx = \"F + G\"\n\
                [constraints]\nturn = \"phi' = x'\"\n\
                blade = { equation = \"x'*sin(phi) = y'*cos(phi)\", law = \"0.1*abs(lambda_blade)*abs(x')\" }\n";
    let model = load(text);
    assert_eq!(model.open_functions(), ["F"]);
    for (c, name) in model.system.constraints.iter().zip(["turn", "blade"]) {
        assert_eq!(model.system.constraint_of(c.multiplier).map(|c| c.name.as_str()), Some(name));
    }
    assert!(model.system.constraint_of(model.system.coordinates[0]).is_none());
}

/// The sledge with a force of friction by its reaction.
fn slowed(x: &str, y: &str) -> Model {
    load(&format!(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[energy]\nkinetic = \"x'^2 + y'^2 + phi'^2\"\n\
         [constraints]\nblade = {{ equation = \"x'*sin(phi) = y'*cos(phi)\", law = {{ x = \"{x}\", y = \"{y}\" }} }}\n"
    ))
}

#[test]
fn what_fails_for_some_force_of_friction_is_not_denied_for_the_law() {
    // λ = 2vφ' (from the equation across the blade), so that v' = μλ/2 = μvφ' up to its sign: f = exp(∓μφ) is a measure.
    let model = slowed("lambda_blade*cos(phi)/10", "lambda_blade*sin(phi)/10");
    let (mut w, r) = reduced(&model).unwrap();
    let m = measure(&mut w, &r).unwrap();
    assert_eq!(m.exists, None, "{}", m.why);
    assert!(matches!(&m.how, Known::Unknown(why) if why.contains("for this law that decides nothing")), "{:?}", m.how);
    // z'' = y x'' + y'x' is what λ is, and with T_x = yλ nothing is left: x'' = 0, y'' = 0.
    let undone = load(
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
         [constraints]\nc = { equation = \"z' = y*x'\", law = { x = \"y*lambda_c\" } }\n",
    );
    let mut w = undone.workbench();
    let inverse = inverse_problem(&mut w);
    let known = inverse.lagrangian();
    assert!(matches!(&known, Known::Unknown(why) if why.contains("for this law")), "{known:?}");
    let invariant = chaplygin(&mut w).unwrap().system.unwrap().measure_invariant;
    assert!(matches!(invariant, Known::Unknown(_)), "{invariant:?}");
    // Along the reaction a force does no work; along the blade it may.
    let told = |mut model: Model| {
        let a = analysed(&mut model);
        let energy: Vec<String> = sentences(&model.arena, &model.system, &a);
        (a.energy.conserved, energy.into_iter().find(|s| s.contains("energy T + V")).unwrap_or_default())
    };
    let (conserved, says) = told(slowed("lambda_blade*sin(phi)/10", "-lambda_blade*cos(phi)/10"));
    assert_eq!((conserved, says.as_str()), (Some(true), "The energy T + V is conserved."));
    let (conserved, says) = told(model);
    assert!(conserved.is_none() && says.starts_with("Whether the energy T + V is conserved is not decided"), "{says}");
}

#[test]
fn what_fails_for_functions_in_general_is_not_denied_of_all_of_them() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[functions]\na = \"x, y\"\nG = \"x\"\n\
                [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n[constraints]\nc = \"z' = a*x'\"\n";
    let model = load(text);
    let (mut w, r) = reduced(&model).unwrap();
    let m = measure(&mut w, &r).unwrap();
    assert_eq!(m.exists, None, "with a = 3x there is one");
    assert!(m.why.starts_with("in general there is none; for particular `a` perhaps"), "{}", m.why);
    assert!(m.obstruction.is_some(), "it says for which");
    let mut w = model.workbench();
    let inverse = inverse_problem(&mut w);
    let in_general = |known: &Known| known.reason().is_some_and(|why| why.starts_with("in general it does not hold"));
    assert!(in_general(&inverse.lagrangian()), "{:?}", inverse.lagrangian());
    assert!(in_general(&inverse.multipliers_vanish[0]) && inverse.multipliers[0].is_some(), "{inverse:?}");
    let exists = chaplygin(&mut w).unwrap().exists();
    assert!(exists.reason().is_some_and(|why| why.starts_with("in general there is none")), "{exists:?}");
    let given = load(&text.replace("a = \"x, y\"", "a = { of = \"x, y\", is = \"3*x\" }"));
    let (mut w, r) = reduced(&given).unwrap();
    assert_eq!(measure(&mut w, &r).unwrap().exists, Some(true));
    assert!(inverse_problem(&mut given.workbench()).lagrangian().holds());
    // A refutation that rests on nothing open stays one.
    let damped = load(&text.replace("[constraints]", "[forces]\ny = \"-y'^3 - G\"\n[constraints]"));
    let (mut w, r) = reduced(&damped).unwrap();
    assert_eq!(measure(&mut w, &r).unwrap().exists, Some(false));
    let mut pushed = load(&text.replace("[constraints]", "[forces]\nx = \"G\"\n[constraints]"));
    let a = analysed(&mut pushed);
    let told = sentences(&pushed.arena, &pushed.system, &a).join("\n");
    assert!(
        a.energy.conserved.is_none()
            && told.contains(
                "in general it is not conserved (the forces on `x` do work); for particular `a`, `G` perhaps"
            ),
        "{told}"
    );
    assert!(told.contains("a reducing multiplier exists is not decided: in general there is none"), "{told}");
}

#[test]
fn a_quasi_velocity_or_a_definition_may_be_given_in_the_beginning() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[definitions]\nr = \"x^2 + y^2\"\ns = \"x*y'\"\n\
                [energy]\nkinetic = \"x'^2 + y'^2\"\n[quasi_velocities]\nu = \"x' + y'\"\nw = \"x' - y'\"\n";
    let mut model = load(text);
    let three = expression(&mut model, "3");
    for (name, relation, velocities) in
        [("u", "x' + y' - 3", true), ("r", "x^2 + y^2 - 3", false), ("s", "x*y' - 3", true)]
    {
        let expected = expression(&mut model, relation);
        assert_eq!(model.initial_relation(name, three), Some((name.to_owned(), expected, velocities)));
    }
    assert_eq!(model.initial_relation("x", three), None);
}
