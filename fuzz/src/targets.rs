//! What is tried, and what must be true.

use crate::judge::{Judge, Opinion};
use crate::random::Random;
use noslip::Limits;
use noslip::expr::Known;
use noslip::expr::zero::{ZeroOptions, is_zero};
use noslip::expr::{Arena, Declared, Expr, Node, Printer, Role, Style, Tree, parse_expression};
use noslip::forms::FORMS;
use noslip::model::{Claims, Model, Overrides};
use noslip::simulate::{METHODS, Settings, simulate, values_along};
use noslip::verify::{Reach, agreement, follows};

/// What is tried with a seed; an error is what went wrong.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// One trial.
    pub run: fn(u64) -> Result<(), String>,
}

/// All of them.
pub const TARGETS: [Target; 10] = [
    Target { name: "expressions", run: expressions },
    Target { name: "texts", run: texts },
    Target { name: "claims", run: claims },
    Target { name: "models", run: models },
    Target { name: "runs", run: runs },
    Target { name: "values", run: values },
    Target { name: "bodies", run: bodies },
    Target { name: "positions", run: positions },
    Target { name: "gallery", run: gallery },
    Target { name: "books", run: books },
];

const WORDS: [&str; 24] = [
    "sin(",
    "cos(",
    "exp(",
    "log(",
    "sqrt(",
    "abs(",
    "sign(",
    "tanh(",
    "asin(",
    "atan2(",
    "x",
    "y",
    "x'",
    "x''",
    "t",
    "pi",
    "1e9",
    "0.1",
    "^2",
    "^(1/2)",
    "/",
    "*",
    "-",
    "9999999999999999999999",
];

fn limits() -> Limits {
    Limits { normal_form_work: 2_000_000, ..Limits::default() }
}

fn scope() -> Arena {
    let mut arena = Arena::new();
    for name in ["x", "y", "z"] {
        arena.declare(name, Role::Coordinate);
    }
    arena
}

/// What parses prints, and what is printed parses to an equal expression.
fn reads_back(arena: &mut Arena, text: &str, e: Expr) -> Result<(), String> {
    let Ok(tree) = Tree::of(arena, e, &limits()) else { return Ok(()) };
    let printed = Printer::new(Style::Text).print(arena, &tree);
    let again = parse_expression(arena, &printed, &mut Declared, &limits())
        .map_err(|error| format!("`{text}` is printed as `{printed}`, which does not parse: {error}"))?;
    let difference = arena.sub(e, again);
    let mut options = ZeroOptions::default();
    options.normal.limits = limits();
    if is_zero(arena, difference, &options).is_refuted() {
        return Err(format!("`{text}` is printed as `{printed}`, which is something else"));
    }
    Ok(())
}

/// Expressions by the grammar.
fn expressions(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let text = random.expression(&["x", "y", "z"], 4);
    let mut arena = scope();
    let e = parse_expression(&mut arena, &text, &mut Declared, &limits()).map_err(|e| format!("`{text}`: {e}"))?;
    reads_back(&mut arena, &text, e)
}

/// Texts that may be expressions.
fn texts(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let text = random.expression(&["x", "y", "z"], 3);
    let text = random.mutated(&text, &WORDS);
    let mut arena = scope();
    match parse_expression(&mut arena, &text, &mut Declared, &limits()) {
        Ok(e) => reads_back(&mut arena, &text, e),
        Err(error) if error.message.is_empty() => Err(format!("`{text}` is refused without a word")),
        Err(_) => Ok(()),
    }
}

/// A small system with a constraint between velocities, and claims that are true and false by construction.
fn claims(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let slope = random.expression(&["x", "y"], 2);
    let force = random.expression(&["x", "y'", "x'", "z'"], 2);
    let model = format!(
        "noslip = 1\n[system]\nname = \"random\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + 2*y'^2 + z'^2)/2\"\n\
         potential = \"x*y\"\n[forces]\nx = \"{force}\"\n[constraints]\nc = \"z' = ({slope})*x'\"\n"
    );
    // z' stands for what the constraint says, inside functions too.
    let f = *random.pick(&["sin", "exp", "tanh", "cos", "atan", "cosh"]);
    let factor = random.expression(&["x", "y'", "x'"], 2);
    let (a, b) = (format!("({factor})*z'"), format!("({factor})*(({slope})*x')"));
    let (claim, truth) = match random.below(6) {
        0 => (format!("{f}({a}) = {f}({b})"), Some(true)),
        1 => (format!("{a} + y'' = {b} + y''"), Some(true)),
        2 => (format!("{f}({a}) + ({})*x^2/10^{} = {f}({b})", 1 + random.below(9), random.below(30)), Some(false)),
        3 => (format!("2*y'' + x = {f}({a}) - {f}({b})"), Some(true)),
        4 => (format!("abs(z' - {}) = {} - z'", 20 + random.below(300), 20 + random.below(300)), Some(false)),
        _ => (format!("{} = 0", random.expression(&["x", "y", "z'", "x''", "lambda_c"], 3)), None),
    };
    claim_is_judged_right(&model, &claim, truth)
}

/// A small system, with an initial position and constraints that may be integrable, and claims on positions: branches, jumps,
/// integrals that the initial position fixes.
fn positions(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (x, y) = (random.below(40) as f64 / 8.0 - 2.5, random.below(40) as f64 / 8.0 - 2.5);
    let slope = *random.pick(&["2", "y", "x", "cos(x)", "x*y", "1/(1 + x^2)", "exp(-x)", "sin(y)"]);
    let model = format!(
        "noslip = 1\n[system]\nname = \"random\"\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n\
         [constraints]\nc = \"z' = ({slope})*x'\"\n[initial]\nposition = {{ x = {x}, y = {y}, z = 0.25 }}\n"
    );
    let u = random.expression(&["x", "y"], 2);
    let (claim, truth) = match random.below(8) {
        0 => (format!("sign({u}) = {}", random.pick(&["1", "-1"])), None),
        1 => (format!("atan(tan({u})) = {u}"), None),
        2 => (format!("abs({u})*sign({u}) = {u}"), Some(true)),
        3 => (format!("atan2(sin({u}), cos({u})) = {u}"), None),
        4 => ("x = x + 1/10^15".to_owned(), Some(false)),
        5 => (format!("sqrt(({u})^2) = abs({u})"), Some(true)),
        6 if slope == "2" => {
            let off = *random.pick(&["0", "1/10^13", "1/10^20", "1/10^9"]);
            (format!("z - 0.25 = 2*(x - ({x})) + {off}"), Some(off == "0"))
        }
        6 if slope == "cos(x)" => (format!("z - 0.25 = sin(x) - sin({x})"), Some(true)),
        _ => (format!("{u} = {}", random.expression(&["x", "y", "z"], 1)), None),
    };
    claim_is_judged_right(&model, &claim, truth)
}

/// As [`claim_is_judged_right`]; and it must be decided where `decided` says so.
pub fn claim_is_judged_right_as(text: &str, claim: &str, truth: Option<bool>, decided: bool) -> Result<(), String> {
    claim_is_judged_right(text, claim, truth)?;
    let mut model = Model::load(text, "claim.toml", &limits()).map_err(|e| format!("{e:?}"))?;
    let parsed = Claims::equation(claim, &mut model, &limits()).map_err(|e| format!("`{claim}`: {e:?}"))?;
    match follows(&mut model.workbench(), parsed.expr).why_undecided() {
        Some(why) if decided => Err(format!("`{claim}` is not decided any more: {why}\n{text}")),
        _ => Ok(()),
    }
}

/// Is the verdict on a claim what is known of it, and what the judge says?
pub fn claim_is_judged_right(text: &str, claim: &str, truth: Option<bool>) -> Result<(), String> {
    let Ok(mut model) = Model::load(text, "random.toml", &limits()) else { return Ok(()) };
    let Ok(parsed) = Claims::equation(claim, &mut model, &limits()) else { return Ok(()) };
    verdict_is_right(model, parsed.expr, &format!("`{claim}` in\n{text}\n"), truth)
}

fn verdict_is_right(model: Model, claim: Expr, name: &str, truth: Option<bool>) -> Result<(), String> {
    let mut w = model.workbench();
    w.limits = limits();
    let finding = follows(&mut w, claim);
    let complaint = |what: &str| Err(format!("{name} {what}"));
    if finding.holds() && truth == Some(false) {
        return complaint(&format!("is false and holds ({finding:?})"));
    }
    if finding.fails() && truth == Some(true) {
        return complaint("is true and does not hold");
    }
    if finding.why_undecided().is_some() {
        return Ok(());
    }
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(()) };
    if finding.fails() {
        let Some(c) = finding.counterexample() else { return complaint("is refuted without a state") };
        let Some(p) = judge.admitted(c.state.t, &c.state.q, &c.state.v) else { return Ok(()) };
        return match judge.opinion(claim, &p) {
            Opinion::Zero => complaint(&format!("is refuted by a state where it holds: {:?}", c.state)),
            _ => Ok(()),
        };
    }
    // On the motions from the initial position only: other states say nothing.
    if finding.reach == Reach::Leaf {
        return Ok(());
    }
    let n = w.system.n();
    let mut random = Random::new(name.len() as u64);
    for scale in [1.0, 3.0, 30.0] {
        let mut draw = |n: usize| (0..n).map(|_| (random.unit() * scale * 64.0).round() / 64.0).collect::<Vec<_>>();
        let (q, v) = (draw(n), draw(n));
        let Some(p) = judge.admitted(0.5, &q, &v) else { continue };
        if judge.opinion(claim, &p) == Opinion::Nonzero {
            return complaint(&format!("holds ({finding:?}), but not at q = {q:?}, v near {v:?}"));
        }
    }
    Ok(())
}

/// A model of the gallery with a few changes.
fn changed_model(random: &mut Random) -> Option<(String, Model)> {
    let (_, text) = random.pick(noslip_gallery::MODELS);
    // Only what stands between quotes in the mechanics is changed.
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|l| l.starts_with("[parameters]") || l.starts_with("[energy]"))?;
    let at = first + random.below(lines.len() - first);
    let line = random.mutated(lines[at], &WORDS);
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    lines[at] = line;
    let text = lines.join("\n");
    let model = Model::load(&text, "changed.toml", &limits()).ok()?;
    (model.system.n() <= 4).then_some((text, model))
}

/// The forms of a changed model do not disagree.
fn models(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let Some((text, model)) = changed_model(&mut random) else { return Ok(()) };
    let mut w = model.workbench();
    w.limits = limits();
    let form = random.pick(FORMS);
    let Ok(eq) = form.derive(&mut w) else { return Ok(()) };
    match agreement(&mut w, &eq).known {
        Known::Refuted(why) => Err(format!("{} disagrees: {why:?}\n{text}", form.id())),
        _ => Ok(()),
    }
}

/// A run of a changed model says how it ended, and its samples are numbers.
fn runs(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let Some((text, model)) = changed_model(&mut random) else { return Ok(()) };
    run_is_true(&mut random, &text, model, &Overrides::default())
}

/// A run of a model of the gallery with other values: of parameters, of the initial state, large, small, zero, negative.
fn values(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (_, text) = random.pick(noslip_gallery::MODELS);
    let model = Model::load(text, "gallery.toml", &limits()).map_err(|e| format!("{e:?}"))?;
    let value = |random: &mut Random| match random.below(7) {
        0 => 0.0,
        1 => -random.unit().abs(),
        2 => 1e6 * random.unit(),
        3 => 1e-6 * random.unit(),
        4 => 1e150 * random.unit(),
        _ => 3.0 * random.unit(),
    };
    let mut overrides = Overrides::default();
    for _ in 0..=random.below(3) {
        let i = random.below(model.system.n());
        match random.below(3) {
            0 if !model.system.parameters.is_empty() => {
                let symbol = random.pick(&model.system.parameters).symbol;
                overrides.parameters.push((symbol, value(&mut random)));
            }
            1 => overrides.position.push((i, value(&mut random))),
            _ => overrides.velocity.push((i, value(&mut random))),
        }
    }
    let said = format!("{overrides:?}\n{text}");
    run_is_true(&mut random, &said, model, &overrides)
}

fn run_is_true(random: &mut Random, text: &str, mut model: Model, overrides: &Overrides) -> Result<(), String> {
    let Ok(state) = model.initial_state(overrides) else { return Ok(()) };
    // Other values of parameters are put where a model has them.
    for &(symbol, x) in &overrides.parameters {
        let Some(x) = noslip::expr::Rational::from_f64(x) else { return Ok(()) };
        let e = model.arena.number(x);
        if let Some(p) = model.system.parameters.iter_mut().find(|p| p.symbol == symbol) {
            p.value = e;
        }
    }
    let mut w = model.workbench();
    let method = *random.pick(&METHODS);
    let until = state.time + 0.5;
    let at = (0..=10).map(|i| state.time + 0.05 * f64::from(i)).collect();
    let settings = Settings { at, method, max_steps: 20_000, tolerance: 1e-7, ..Settings::until(until) };
    let Ok(run) = simulate(&mut w, &state, &settings, &mut |_| true) else { return Ok(()) };
    let complaint = |what: &str| Err(format!("{}: {}, {what}\n{text}", method.id(), run.outcome.code()));
    let finite =
        |s: &noslip::simulate::Sample| s.y.iter().chain(&s.accelerations).chain(&s.multipliers).all(|x| x.is_finite());
    if !run.samples.iter().all(finite) {
        return complaint("with samples that are not finite");
    }
    if run.outcome.is_success() && run.samples.len() != 11 {
        return complaint(&format!("with {} samples of 11", run.samples.len()));
    }
    // The constraints hold at every sample, beside their terms.
    for c in w.system.constraints.clone().iter().filter(|c| c.order < 2) {
        let mut list = vec![c.expr];
        if let Node::Sum { terms, .. } = w.g.node(c.expr) {
            list.extend(terms.iter().map(|t| t.0));
        }
        let Ok(columns) = values_along(&mut w, &list, &run.samples) else { continue };
        for (i, s) in run.samples.iter().enumerate() {
            let size = columns[1..].iter().map(|c| c[i].abs()).fold(1e-3, f64::max);
            let state = s.y.iter().fold(1.0f64, |m, x| m.max(x.abs()));
            if columns[0][i].abs() > 1e-4 * size.max(state) {
                return complaint(&format!("constraint `{}` is off by {:e} at t = {}", c.name, columns[0][i], s.t));
            }
        }
    }
    Ok(())
}

/// A model made of bodies, with a few changes: the plain model it becomes reads back, and moves alike.
fn bodies(seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (_, text) = random.pick(noslip_gallery::BODIES);
    let lines: Vec<&str> = text.lines().collect();
    let at = random.below(lines.len());
    let mut lines: Vec<String> = lines.into_iter().map(str::to_owned).collect();
    lines[at] = random.mutated(&lines[at], &WORDS);
    let text = lines.join("\n");
    let Ok(mut model) = Model::load(&text, "bodies.toml", &limits()) else { return Ok(()) };
    let Some(plain) = model.plain.as_ref().map(|p| p.file.clone()) else { return Ok(()) };
    let mut again = Model::load(&plain, "plain.toml", &limits())
        .map_err(|e| format!("the plain model does not load: {e:?}\n{text}\n{plain}"))?;
    let (Ok(a), Ok(b)) = (model.initial_state(&Overrides::default()), again.initial_state(&Overrides::default()))
    else {
        return Ok(());
    };
    let settings = || Settings { at: vec![a.time], max_steps: 1, ..Settings::until(a.time + 1e-3) };
    let first = simulate(&mut model.workbench(), &a, &settings(), &mut |_| true);
    let second = simulate(&mut again.workbench(), &b, &settings(), &mut |_| true);
    let (Ok(first), Ok(second)) = (first, second) else { return Ok(()) };
    for (s, p) in first.samples.iter().zip(&second.samples) {
        for (x, y) in s.accelerations.iter().zip(&p.accelerations) {
            if (x - y).abs() > 1e-6 * (1.0 + x.abs()) {
                return Err(format!("the plain model moves otherwise: {x} and {y}\n{text}\n{plain}"));
            }
        }
    }
    Ok(())
}

/// A form of a model of the gallery: its verdict, and what the judge says of its equations at states on the constraints.
fn gallery(seed: u64) -> Result<(), String> {
    let pick = seed as usize;
    let (name, text) = noslip_gallery::MODELS[pick % noslip_gallery::MODELS.len()];
    let form = &FORMS[pick / noslip_gallery::MODELS.len() % FORMS.len()];
    let model = Model::load(text, name, &limits()).map_err(|e| format!("{e:?}"))?;
    let mut w = model.workbench();
    w.limits = limits();
    let Ok(eq) = form.derive(&mut w) else { return Ok(()) };
    let verdict = agreement(&mut w, &eq);
    if !verdict.holds() {
        return match verdict.known {
            Known::Refuted(why) => Err(format!("{name}, {}: disagrees: {why:?}", form.id())),
            _ => Ok(()),
        };
    }
    let mut equations = eq.equations.clone();
    for &(s, e) in eq.reactions.iter().chain(&eq.velocities).chain(&eq.accelerations) {
        let symbol = w.g.symbol(s);
        equations.push(w.g.sub(e, symbol));
    }
    let variables: Vec<_> = eq.variables.iter().map(|&(s, e)| (s, w.g.dot(s), e)).collect();
    let n = w.system.n();
    let Some(mut judge) = Judge::new(&w.g, &w.system) else { return Ok(()) };
    let mut random = Random::new(seed);
    for scale in [1.0, 2.5] {
        let mut draw = |n: usize| (0..n).map(|_| (random.unit() * scale * 64.0).round() / 64.0).collect::<Vec<_>>();
        let (q, v) = (draw(n), draw(n));
        let Some(p) = judge.admitted(0.5, &q, &v) else { continue };
        let Some(opinions) = judge.opinions(&variables, &equations, &p) else { continue };
        if let Some(i) = opinions.iter().position(|o| *o == Opinion::Nonzero) {
            return Err(format!(
                "{name}, {}: {}, but expression {i} is not zero near {q:?}",
                form.id(),
                verdict.word()
            ));
        }
    }
    Ok(())
}

/// An equation that a book prints about a model of the gallery: its verdict is what is expected, and the judge agrees.
fn books(seed: u64) -> Result<(), String> {
    let (name, text) = noslip_gallery::CLAIMS[seed as usize % noslip_gallery::CLAIMS.len()];
    let model_name = name.rsplit('/').next().unwrap_or(name);
    let Some(source) = noslip_gallery::find(model_name) else { return Err(format!("{name}: no such model")) };
    let mut model = Model::load(source, model_name, &limits()).map_err(|e| format!("{e:?}"))?;
    let claims = Claims::load(text, &mut model, &limits()).map_err(|e| format!("{e:?}"))?;
    let number = seed as usize / noslip_gallery::CLAIMS.len();
    let Some(claim) = claims.claims.get(number) else { return Ok(()) };
    verdict_is_right(model, claim.expr, &format!("{name}, {}", claim.id), claim.expect)
}
