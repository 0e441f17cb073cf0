//! The section of the page that goes beyond the equations: grip, the new time, the inverse problem, the canonical form and the
//! vakonomic motion, each in short and where it applies.

use super::{DIGITS, Page, strip};
use noslip::Result;
use noslip::analysis::{Analysis, KineticPotential};
use noslip::contact::friction::{contacts, loads_along, slide};
use noslip::expr::Known;
use noslip::expr::{Expr, Symbol};
use noslip::forms::readable;
use noslip::hamilton::canonical::{self, Canonical};
use noslip::hamilton::hamiltonise::{Hamiltonisation, in_new_time};
use noslip::hamilton::inverse::reduced_problem;
use noslip::hamilton::new_time::hamilton_form;
use noslip::hamilton::second_case::second_case;
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::numeric::brief;
use noslip::principles::vakonomic::{Vakonomic, compare};
use noslip::simulate::{Settings, Simulation};
use noslip_cli::report::{Formula, Named, Series, Topic, TopicPlot};

/// Elementary operations of one normal form on the way to these sections; what needs more is left to the commands.
const WORK: u64 = 300_000;
/// Operations of the equations of motion beyond which momenta and Hamiltonian are not worth their time on a page.
const OPERATIONS: usize = 120;
/// Steps of the vakonomic motion, which may run into a singularity of its own.
const STEPS: u64 = 5_000;
/// Motions are the same where they differ by less than this part of their size.
const ROUNDING: f64 = 1e-9;

/// A computed motion: where it began, how it was computed, what came out.
pub(super) struct Run<'a> {
    pub(super) state: &'a State,
    pub(super) settings: &'a Settings,
    pub(super) simulation: &'a Simulation,
}

/// The topics that apply; `operations` is the size of the equations of motion in the form best suited.
pub(super) fn topics(
    w: &mut Workbench,
    page: &Page,
    analysis: &Analysis,
    operations: usize,
    run: Option<&Run>,
) -> Vec<Topic> {
    let full = w.limits.normal_form_work;
    w.limits.normal_form_work = WORK.min(full);
    let mut list = Vec::new();
    list.extend(run.and_then(|run| grip(w, run).ok().flatten()));
    let mut left_out = Vec::new();
    let subjects: [(&str, &dyn Fn(&mut Workbench) -> Option<Topic>); 4] = [
        ("hamiltonise", &|w| new_time(w, page, analysis)),
        ("inverse", &|w| inverse(w, page)),
        ("canonical", &|w| canonical(w, page, operations)),
        ("compare", &|w| run.and_then(|run| vakonomic(w, page, analysis, run).ok().flatten())),
    ];
    for (command, find) in subjects {
        if w.g.work.is_over() {
            left_out.push(format!("`noslip {command}`"));
        } else {
            list.extend(find(w));
        }
    }
    w.limits.normal_form_work = full;
    list.extend((!left_out.is_empty()).then(|| for_the_commands(&left_out)));
    list
}

/// What stands in place of subjects for which no work was left.
fn for_the_commands(commands: &[String]) -> Topic {
    let sentence =
        format!("The work allowed for the page is used up. What else there is to say: {}.", commands.join(", "));
    Topic { id: "left-out".into(), title: "Left out".into(), sentences: vec![sentence], ..Topic::default() }
}

/// What stands in place of formulas that are too long for a page.
fn too_long(mut topic: Topic, command: &str) -> Topic {
    topic.formulas.clear();
    topic.plots.clear();
    topic.sentences = vec![format!("The formulas are too long for this page; `noslip {command}` gives them.")];
    topic
}

/// An expression as a formula; `None` where it is too long to be read.
fn formula(w: &mut Workbench, page: &Page, e: Expr) -> Option<Formula> {
    readable(w, e).ok().map(|tree| page.tree(w, Ok(tree)))
}

fn vanishing(w: &mut Workbench, page: &Page, e: Expr) -> Option<Formula> {
    readable(w, e).ok().map(|tree| page.vanishing(w, Ok(tree)))
}

/// `left = e`, under a name.
fn named(w: &mut Workbench, page: &Page, name: &str, left: &Formula, e: Expr) -> Option<Named> {
    let right = formula(w, page, e)?;
    Some(Named { name: name.to_owned(), formula: Formula::equals(left, &right) })
}

fn how(t: &Known) -> &'static str {
    match t {
        Known::Proved => "proved by the normal form",
        Known::Tested { .. } | Known::Numerical => "tested at random points",
        Known::Refuted(_) => "it does not hold",
        Known::Unknown(_) => "not decided",
    }
}

fn grip(w: &mut Workbench, run: &Run) -> Result<Option<Topic>> {
    let list = contacts(w);
    if list.is_empty() {
        return Ok(None);
    }
    let loads = loads_along(w, &list, run.state, run.simulation)?;
    let mut sentences = Vec::new();
    let mut series = Vec::new();
    for (i, c) in list.iter().enumerate() {
        let of = |f: fn(&noslip::contact::friction::Load) -> f64| loads.iter().map(|l| f(&l[i])).collect::<Vec<f64>>();
        let label = |what: &str| Formula::symbol(&format!("{what} {}", c.name));
        series.push(Series { name: format!("force at {}", c.name), symbol: label("force"), values: of(|l| l.force) });
        series.push(Series { name: format!("limit at {}", c.name), symbol: label("limit"), values: of(|l| l.limit) });
    }
    match slide(w, &list, run.state, run.settings)? {
        Some(s) => {
            let assumed = "What is shown after that moment assumes that the constraints hold all the same.";
            let (name, t) = (&list[s.contact].name, s.t);
            sentences.push(if s.load.parts() {
                format!("Grip is lost at {name} at t = {t:.4}: its normal force would have to pull. {assumed}")
            } else {
                let limit = brief(s.load.limit, DIGITS);
                format!(
                    "Grip is lost at {name} at t = {t:.4}: from there on it would have to give more than the {limit} that friction \
                     can. {assumed}"
                )
            });
        }
        None => {
            for (i, c) in list.iter().enumerate() {
                let least = run.simulation.samples.iter().zip(&loads).map(|(s, l)| (s.t, l[i].margin()));
                if let Some((t, margin)) = least.min_by(|a, b| a.1.total_cmp(&b.1)) {
                    sentences.push(format!(
                        "{} holds throughout; its margin is least at t = {}: {}.",
                        c.name,
                        brief(t, DIGITS),
                        brief(margin, DIGITS)
                    ));
                }
            }
        }
    }
    Ok(Some(Topic {
        id: "grip".into(),
        title: "Grip".into(),
        sentences,
        plots: vec![TopicPlot {
            id: "grip".into(),
            title: "What the contacts need, and what friction can give".into(),
            series,
        }],
        ..Topic::default()
    }))
}

fn new_time(w: &mut Workbench, page: &Page, analysis: &Analysis) -> Option<Topic> {
    let mut topic =
        Topic { id: "new-time".into(), title: "A time in which they are Lagrangian".into(), ..Topic::default() };
    for known in [&analysis.reducing_multiplier, &analysis.reducing_multiplier_quasi].into_iter().flatten() {
        // Where nothing is in the way of Lagrange's form, no new time is needed.
        let trivial = known.multiplier.is_some_and(|n| w.g.is_one(n));
        let (true, false, Ok(system)) = (known.multiplier.is_some(), trivial, in_new_time(w, known)) else { continue };
        show_system(w, page, &mut topic, &system);
        show_hamilton(w, page, &mut topic, &system);
    }
    if analysis.reducing_multiplier.as_ref().is_ok_and(|known| !known.exists) {
        show_second_case(w, page, &mut topic);
    }
    (!topic.formulas.is_empty()).then_some(topic)
}

fn show_system(w: &mut Workbench, page: &Page, topic: &mut Topic, s: &Hamiltonisation) {
    let names: Vec<String> = s.coordinates.iter().map(|&q| w.g.name(q).to_owned()).collect();
    topic.sentences.push(format!(
        "With dτ = N dt the reduced equations in {} are Lagrange's equations of L*, a dot standing for d/dτ there: {}. \
         The measure with the density ρ in coordinates and velocities is invariant: {}.",
        names.join(", "),
        how(&s.verified),
        how(&s.measure_invariant)
    ));
    let entries = [
        ("reducing multiplier", "N", s.multiplier),
        ("in the new time", "L*", s.lagrangian),
        ("invariant measure", "ρ", s.measure),
    ];
    for (name, symbol, e) in entries {
        topic.formulas.extend(named(w, page, name, &Formula::symbol(symbol), e));
    }
}

/// Hamilton's form in the new time, and the law of motion where the quadratures can be inverted.
fn show_hamilton(w: &mut Workbench, page: &Page, topic: &mut Topic, s: &Hamiltonisation) {
    let Ok(form) = hamilton_form(w, s) else { return };
    topic.formulas.extend(named(w, page, "Hamiltonian in the new time", &Formula::symbol("H"), form.hamiltonian));
    let Some(q) = &form.quadratures else { return };
    let Some(law) = &q.law else { return };
    topic
        .sentences
        .push(format!("The quadratures of Jacobi's method, inverted, give the law of motion: {}.", how(&law.verified)));
    for (symbol, e) in [(q.coordinate, Some(law.coordinate)), (q.absent, law.absent)] {
        let left = page.symbol(w, symbol);
        topic.formulas.extend(e.and_then(|e| named(w, page, "law of motion", &left, e)));
    }
}

/// A multiplier for each family of paths, where none serves all motions.
fn show_second_case(w: &mut Workbench, page: &Page, topic: &mut Topic) {
    let Ok(s) = second_case(w) else { return };
    let (one, two) = (w.g.name(s.coordinate).to_owned(), w.g.name(s.other).to_owned());
    topic.sentences.push(format!(
        "No multiplier N({two}, {one}) serves all motions (Chaplygin's second case). The paths d`{two}`/d`{one}` = u with a constant {} are those of \
         motions: {}; each family of them has a multiplier of its own, with which the motion is Lagrange's in the new time: {}.",
        w.g.name(s.constant),
        how(&s.paths_verified),
        how(&s.verified)
    ));
    topic.formulas.extend(named(w, page, "paths", &Formula::symbol("u"), s.path));
    topic.formulas.extend(named(w, page, "their multiplier", &Formula::symbol("N"), s.multiplier));
}

fn inverse(w: &mut Workbench, page: &Page) -> Option<Topic> {
    let r = reduced_problem(w).ok()?;
    let mut topic =
        Topic { id: "inverse".into(), title: "Are they Lagrangian as they stand?".into(), ..Topic::default() };
    topic.sentences.push(match r.helmholtz {
        Known::Proved => {
            "The reduced equations satisfy Helmholtz's conditions: they are Lagrange's equations of some function."
                .into()
        }
        Known::Tested { .. } | Known::Numerical => {
            "The reduced equations satisfy Helmholtz's conditions (tested at random points).".to_owned()
        }
        Known::Refuted(_) => "No: one of Helmholtz's conditions fails for the reduced equations.".into(),
        Known::Unknown(_) => "Whether the reduced equations satisfy Helmholtz's conditions is not decided.".into(),
    });
    if let Some(e) = r.obstruction {
        let formula = formula(w, page, e);
        topic.formulas.extend(formula.map(|formula| Named { name: "should vanish and does not".into(), formula }));
    }
    if let (Some(KineticPotential::Found { factor, potential }), false) = (&r.kinetic_potential, r.helmholtz.holds()) {
        let (factor, potential) = (*factor, *potential);
        topic.sentences.push(format!(
            "Lagrange's equation of the kinetic potential Θ is the reduced equation times the factor μ: {}.",
            r.potential_verified.as_ref().map_or("not decided", how)
        ));
        topic.formulas.extend(named(w, page, "kinetic potential", &Formula::symbol("Θ"), potential));
        topic.formulas.extend(named(w, page, "factor", &Formula::symbol("μ"), factor));
    }
    Some(topic)
}

fn canonical(w: &mut Workbench, page: &Page, operations: usize) -> Option<Topic> {
    let topic =
        Topic { id: "canonical".into(), title: "Canonical form of the variational problem".into(), ..Topic::default() };
    if operations > OPERATIONS {
        return canonical::applies(w).is_ok().then(|| too_long(topic, "canonical"));
    }
    let mut topic = topic;
    let c = Canonical::of(w).ok()?;
    topic.sentences.push(
        "Generalised momenta π = ∂T/∂q̇ + Σ μ ∂φ/∂q̇ and the Hamiltonian H₁ on the constraints; ∂S/∂t + H₁(t, q, ∂S/∂q) = 0 is the \
         generalised Hamilton–Jacobi equation. A solution is a motion of the system where Rumyantsev's condition holds."
            .into(),
    );
    let Some(hamiltonian) = named(w, page, "Hamiltonian", &Formula::symbol("H₁"), c.hamiltonian) else {
        return Some(too_long(topic, "canonical"));
    };
    topic.formulas.push(hamiltonian);
    let rates: Vec<(Symbol, Expr)> = c.momenta.iter().copied().zip(c.rates.iter().copied()).collect();
    let velocities: Vec<(Symbol, Expr)> =
        w.system.velocities.iter().copied().zip(c.velocities.iter().copied()).collect();
    for (s, e) in velocities {
        let left = page.symbol(w, s);
        topic.formulas.extend(named(w, page, "", &left, e));
    }
    for (s, e) in rates {
        let dot = w.g.dot(s);
        let left = page.symbol(w, dot);
        topic.formulas.extend(named(w, page, "", &left, e));
    }
    Some(topic)
}

fn vakonomic(w: &mut Workbench, page: &Page, analysis: &Analysis, run: &Run) -> Result<Option<Topic>> {
    if analysis.system_integrable() == Some(true) {
        return Ok(None);
    }
    let Ok(v) = Vakonomic::of(w) else { return Ok(None) };
    let agreement = v.agreement(w);
    let mut topic = Topic {
        id: "vakonomic".into(),
        title: "The vakonomic motion, which is another one".into(),
        ..Topic::default()
    };
    topic.sentences.push(
        "Stationary action of L + Σ μφ gives other equations, with initial values of μ of their own. They give the motion of the system \
         where Rumyantsev's condition holds:"
            .into(),
    );
    for &e in v.condition.iter().filter(|&&e| !w.g.is_zero(e)).copied().collect::<Vec<_>>().iter() {
        let Some(formula) = vanishing(w, page, e) else { return Ok(Some(too_long(topic, "compare"))) };
        topic.formulas.push(Named { name: "condition".into(), formula });
    }
    let choice = if agreement.for_momentum_choice.holds() && agreement.choice_persists {
        " It holds for the μ with which the momenta of the dependent coordinates vanish, and this choice persists."
    } else {
        ""
    };
    let all = match agreement.for_every_mu {
        Known::Proved | Known::Tested { .. } | Known::Numerical => "It holds for every μ.",
        Known::Refuted(_) => "It does not hold for every μ.",
        Known::Unknown(_) => "Whether it holds for every μ is not decided.",
    };
    topic.sentences.push(format!("{all}{choice}"));
    let settings = Settings { method: &noslip::simulate::DOP853, step: None, max_steps: STEPS, ..run.settings.clone() };
    let both = compare(w, &v, run.state, &vec![0.0; w.system.k()], &settings)?;
    let n = w.system.n();
    let times = run.simulation.samples.len();
    let mut series = Vec::new();
    for i in 0..n {
        let q = w.system.coordinates[i];
        let mut values: Vec<f64> =
            both.samples.iter().zip(&both.mechanics.samples).map(|(s, m)| s.y[i] - m.y[i]).collect();
        values.resize(times, f64::NAN);
        series.push(Series { name: format!("Δ{}", w.g.name(q)), symbol: difference(&page.symbol(w, q)), values });
    }
    let largest =
        |list: &mut dyn Iterator<Item = f64>| list.filter(|x| x.is_finite()).map(f64::abs).fold(0.0, f64::max);
    let apart = largest(&mut series.iter().flat_map(|s| s.values.iter().copied()));
    let far = largest(&mut both.mechanics.samples.iter().flat_map(|m| m.y[..n].iter().copied()));
    if apart <= ROUNDING * (1.0 + far) {
        topic.sentences.push("From the same state with μ(0) = 0 the two motions are the same, to rounding.".into());
    } else {
        topic.sentences.push("From the same state with μ(0) = 0, the vakonomic coordinates less the true ones:".into());
        topic.plots.push(TopicPlot { id: "vakonomic".into(), title: "Vakonomic less true".into(), series });
    }
    Ok(Some(topic))
}

/// Δ before a symbol.
fn difference(symbol: &Formula) -> Formula {
    Formula::new(format!("<math><mi>Δ</mi>{}</math>", strip(&symbol.mathml)), format!("\\Delta {}", symbol.latex))
}
