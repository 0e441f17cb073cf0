//! What the constraints mean: kinds, rank, integrability, growth, symmetries, conserved quantities, the reducing multiplier.
//!
//! Facts are about the model with its parameter values: ranks are counted and identities tested with the parameters at
//! their exact values, at random states of a prime field; what the normal form can prove is proved, and every statement says
//! which it is. Expressions keep the parameters' letters wherever the statement holds for the letters.

mod candidates;
mod classify;
mod common_zeros;
mod conserved;
mod energy;
mod everywhere;
mod frobenius;
mod growth;
mod growth_at_point;
mod helmholtz;
mod integrals;
mod jets;
mod kinetic_potential;
mod letters;
mod places;
mod positivity;
pub(crate) mod quadrature;
mod rank_drop;
mod reducing;
mod second_order;
mod sentences;
mod transposition;

pub(crate) use candidates::is_constant;
pub use classify::{ConstraintFacts, Ranks, constraint_facts, ranks};
pub(crate) use conserved::{Combination, adds, angles, functions_of_position, lifted, with_values};
pub use conserved::{Conserved, ConservedKind, conserved_quantities, cyclic_coordinates};
pub use energy::{EnergyFacts, energy_facts};
pub use everywhere::{Spanning, generators, spanning};
pub use frobenius::Integrability;
pub use growth::{BracketField, Distribution, Growth, bracket_fields, growth, lie_bracket};
pub use growth_at_point::growth_at_point;
pub use helmholtz::{LagrangianFacts, helmholtz_condition, lagrangian_facts};
pub use integrals::{HiddenRelation, Solved, hidden_relations};
pub use kinetic_potential::KineticPotential;
pub(crate) use quadrature::exponential;
pub use rank_drop::RankDrop;
pub use reducing::{ReducingMultiplier, reducing_multiplier, reducing_multiplier_quasi};
pub use sentences::sentences;
pub use transposition::{Convention, TranspositionalRelation, transpositional_relations};

use crate::effort;
use crate::expr::{Expr, Known, NOT_DECIDED, Symbol};
use crate::forms::{Applicability, FORMS, Form};
use crate::mechanics::{Admissible, Dependence, Generic, Pfaff, Workbench, choice};
use crate::model::System;
use rustc_hash::FxHashMap;

/// Is the system Chaplygin's, and in which split?
#[derive(Clone, Debug)]
pub struct ChaplyginFacts {
    /// Coordinates with independent velocities, on which alone everything depends; empty when the system is not Chaplygin's.
    pub independent: Vec<Symbol>,
    /// Coordinates that occur nowhere, with dependent velocities.
    pub dependent: Vec<Symbol>,
    /// Are the constraints linear in the velocities?
    pub linear: bool,
    /// Why the system is not Chaplygin's.
    pub why_not: Option<String>,
}

impl ChaplyginFacts {
    /// Is the system Chaplygin's?
    pub fn is(&self) -> bool {
        self.why_not.is_none()
    }
}

/// Everything `check` says.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Each constraint by itself, in the order of the model.
    pub constraints: Vec<ConstraintFacts>,
    /// Rank, dependent and contradictory constraints, mass matrix, regularity.
    pub ranks: Ranks,
    /// Does time occur anywhere in the model?
    pub rheonomic: bool,
    /// Is the distribution that of coordinates and time, because time or a term without velocities occurs in a constraint?
    pub extended_by_time: bool,
    /// Ranks under Lie brackets; `None` when some constraint is nonlinear in the velocities or of second order.
    pub growth: Option<Growth>,
    /// Where the brackets have the rank they have at a generic position.
    pub spanning: Spanning,
    /// The distribution the growth was computed from: input of [`bracket_fields`].
    pub distribution: Option<Distribution>,
    /// Holonomic relations implied by the constraints, as far as they were found: [`Growth::holonomic_part`] says how many exist.
    pub hidden: Vec<HiddenRelation>,
    /// Chaplygin's case.
    pub chaplygin: ChaplyginFacts,
    /// What happens to the energy.
    pub energy: EnergyFacts,
    /// Coordinates that occur neither in T nor in V.
    pub cyclic: Vec<Symbol>,
    /// Conserved quantities: the energy first, if it is one.
    pub conserved: Vec<Conserved>,
    /// Chaplygin's reducing multiplier in the coordinates of the Chaplygin split, or why the question does not arise.
    pub reducing_multiplier: Result<ReducingMultiplier, String>,
    /// The same in the model's own quasi-coordinates.
    pub reducing_multiplier_quasi: Result<ReducingMultiplier, String>,
    /// Are the reduced equations of a Chaplygin system Lagrange's, or why the question does not arise.
    pub lagrangian: Result<LagrangianFacts, String>,
    /// Each form with whether it applies, in the order of the registry.
    pub forms: Vec<(&'static str, Applicability)>,
    /// What was not decided within the budget.
    pub undecided: Vec<String>,
}

impl Analysis {
    /// Degrees of freedom n − rank.
    pub fn degrees_of_freedom(&self) -> usize {
        self.ranks.degrees_of_freedom
    }

    /// Are all constraints together integrable? `None` when that is not decided (nonlinear constraints, or want of work).
    pub fn system_integrable(&self) -> Option<bool> {
        self.growth.as_ref().filter(|g| g.complete || g.vector.len() > 1).map(Growth::integrable)
    }

    /// The constraint that contradicts others, if one does.
    pub fn contradiction(&self) -> Option<&Dependence> {
        self.ranks.dependences.iter().find(|d| d.contradiction)
    }
}

const CONTRADICTION: &str = "the constraints contradict each other";

/// One step within its allowance; when that is used up, what was asked is noted, unless the answer is one all the same.
fn step<T>(
    w: &mut Workbench,
    undecided: &mut Vec<String>,
    question: &str,
    answer: impl FnOnce(&mut Workbench) -> T,
    stands: impl FnOnce(&T) -> bool,
) -> (T, bool) {
    let given_up = w.g.work.given_up();
    let (answer, over) = w.within(effort::STEP, answer);
    let open = over && (w.g.work.given_up() > given_up || !stands(&answer));
    if open {
        undecided.push(question.to_owned());
    }
    (answer, open)
}

/// An answer that stands as far as it came, unless a derivative was given up on the way: then it is forgotten, and noted.
fn kept<T>(
    w: &mut Workbench,
    undecided: &mut Vec<String>,
    question: &str,
    answer: impl FnOnce(&mut Workbench) -> T,
    forget: impl FnOnce(&mut T),
) -> T {
    let given_up = w.g.work.given_up();
    let mut answer = answer(w);
    if w.g.work.given_up() > given_up {
        forget(&mut answer);
        undecided.push(question.to_owned());
    }
    answer
}

/// [`step`] for an answer that is refused where it is not known.
fn asked<T>(
    w: &mut Workbench,
    undecided: &mut Vec<String>,
    question: &str,
    answer: impl FnOnce(&mut Workbench) -> Result<T, String>,
    stands: impl FnOnce(&T) -> bool,
) -> Result<T, String> {
    let stands = |answer: &Result<T, String>| answer.as_ref().is_ok_and(stands);
    let (answer, open) = step(w, undecided, question, answer, stands);
    if open { Err(NOT_DECIDED.into()) } else { answer }
}

/// Analyses a system.
pub fn analyse(workbench: &mut Workbench) -> Analysis {
    let allowance = workbench.g.work.open(effort::ANALYSIS);
    let analysis = all_steps(workbench);
    workbench.g.work.close(allowance);
    analysis
}

fn all_steps(workbench: &mut Workbench) -> Analysis {
    let forms = FORMS.iter().map(|f| (f.id(), applicability(workbench, *f))).collect();
    let generic = Generic::new(&mut workbench.g, &workbench.system);
    let zeros = generic.zeros();
    let mut analysis = if zeros.is_empty() {
        analyse_settled(workbench, generic)
    } else {
        let settled = without_zeros(workbench, &zeros);
        workbench.beside(settled, |inner| analyse_settled(inner, generic))
    };
    analysis.forms = forms;
    analysis
}

/// Does the form apply, as far as the step's work goes?
fn applicability(w: &mut Workbench, form: &'static dyn Form) -> Applicability {
    match w.within(effort::STEP, |w| form.applies(w)) {
        (Applicability::DoesNotApply(_), true) => Applicability::DoesNotApply(NOT_DECIDED.into()),
        (answer, _) => answer,
    }
}

/// The system with the parameters that are zero put in: a massless part, a centre of mass on the axis.
fn without_zeros(w: &mut Workbench, zeros: &[Symbol]) -> System {
    let mut system = (*w.system).clone();
    let map: FxHashMap<Symbol, Expr> = zeros.iter().map(|&s| (s, w.g.zero())).collect();
    let mut put = |e: &mut Expr| {
        let settled = w.g.substitute(*e, &map);
        // Where a zero stands in a denominator the letters are kept.
        if !w.g.is_undefined(settled) {
            *e = settled;
        }
    };
    put(&mut system.kinetic);
    put(&mut system.potential);
    system.forces.iter_mut().for_each(&mut put);
    system.constraints.iter_mut().for_each(|c| put(&mut c.expr));
    system.quasi_velocities.iter_mut().for_each(|v| put(&mut v.expr));
    system.definitions.iter_mut().for_each(|d| put(&mut d.expr));
    system
}

/// The distribution of the allowed velocities and how it grows under brackets.
fn flag(
    w: &mut Workbench,
    pfaff: &Pfaff,
    extended: bool,
    generic: &mut Generic,
) -> (Option<Distribution>, Option<Growth>) {
    let distribution = w.within(effort::STEP, |w| Distribution::annihilated_by(w, pfaff, extended, generic)).0;
    let mut found = distribution.as_ref().map(|d| w.within(effort::STEP, |w| growth(w, d, extended, generic)).0);
    if found.as_ref().is_none_or(|g| !g.complete) {
        // What is too long for formulas is counted at a point.
        let allowance = w.g.work.open_beside(effort::GROWTH);
        let counted = growth_at_point::growth_at_point(w, pfaff, extended, generic);
        w.g.work.close_beside(allowance);
        found =
            counted.filter(|c| found.as_ref().is_none_or(|g| c.complete || c.vector.len() > g.vector.len())).or(found);
    }
    (distribution, found)
}

/// Does time occur in the energies or the forces?
fn time_acts(w: &mut Workbench) -> bool {
    let (system, t) = (w.system.clone(), w.g.time());
    let mut all = [system.kinetic, system.potential].into_iter().chain(system.forces.iter().copied());
    all.any(|e| w.occurs(e, &[t]).is_some())
}

/// What constraints of second order are the derivatives of.
fn integrals_of_second_order(w: &mut Workbench, constraints: &mut [ConstraintFacts], generic: &mut Generic) {
    for (j, c) in constraints.iter_mut().enumerate().filter(|(_, c)| c.order >= 2) {
        c.integral = w.within(effort::STEP, |w| second_order::integral(w, j, generic)).0;
        let psi = c.integral.as_ref().map(|i| i.expr);
        c.value = psi.and_then(|e| w.value_at_initial_state(e)).filter(|x| x.is_finite());
    }
}

/// The relations that integrable constraints hide, each by itself.
fn integrals_of_single_ones(
    w: &mut Workbench,
    pfaff: &Pfaff,
    constraints: &mut [ConstraintFacts],
    generic: &mut Generic,
) {
    for (index, &j) in pfaff.constraints.iter().enumerate() {
        if constraints[j].integrable.as_ref().is_some_and(|i| i.integrable) {
            let relations = w.within(effort::STEP, |w| hidden_relations(w, &pfaff.single(index), 1, generic));
            constraints[j].integral = relations.0.into_iter().next_back();
        }
    }
}

fn analyse_settled(w: &mut Workbench, mut generic: Generic) -> Analysis {
    let pfaff = Pfaff::of(w);
    let mut undecided = Vec::new();
    let mut motions = w.within(effort::STEP, |w| Admissible::of(w, &generic)).0;
    let mut constraints = kept(
        w,
        &mut undecided,
        "which constraints are integrable",
        |w| w.within(effort::STEP, |w| constraint_facts(w, &pfaff, &mut generic, motions.as_mut())).0,
        |list| list.iter_mut().for_each(|c| c.integrable = None),
    );
    integrals_of_second_order(w, &mut constraints, &mut generic);
    let mut ranks = ranks(w, &pfaff, &mut generic, motions.as_mut());
    let contradictory = ranks.dependences.iter().any(|d| d.contradiction);
    // What holds for one factor of a product need not hold for another, nor its derivatives mean anything where both vanish.
    let choice = (0..w.system.k()).find_map(|j| choice(w, j)).inspect(|_| ranks.drops = RankDrop::Unknown);
    let no_motion = contradictory.then(|| CONTRADICTION.to_owned()).or(choice);
    if no_motion.is_some() {
        motions = None;
    }
    let extended = pfaff.extended(w);
    let linear = pfaff.forms.len() == w.system.k() && !contradictory;
    let answer = |w: &mut Workbench| if linear { flag(w, &pfaff, extended, &mut generic) } else { (None, None) };
    let question = "how the allowed motions grow under brackets";
    let (distribution, growth) = kept(w, &mut undecided, question, answer, |found| *found = (None, None));
    if growth.as_ref().is_some_and(|g| !g.complete) {
        undecided.push("how far the growth vector goes on".to_owned());
    }
    let spanning = growth.as_ref().map_or(Spanning::Generic, |g| spanning(w, &pfaff, g, &mut generic));
    // Relations that follow from the linear constraints, also where nonlinear ones stand beside them.
    let expected = match &growth {
        Some(growth) => growth.holonomic_part(),
        None => constraints.iter().filter(|c| c.integrable.as_ref().is_some_and(|i| i.integrable)).count(),
    };
    let (hidden, _) = step(
        w,
        &mut undecided,
        "what the holonomic relations hidden in the constraints are",
        |w| if contradictory { Vec::new() } else { hidden_relations(w, &pfaff, expected, &mut generic) },
        |hidden| hidden.len() >= expected,
    );
    let spanning = everywhere::on_relations(w, spanning, &hidden);
    integrals_of_single_ones(w, &pfaff, &mut constraints, &mut generic);
    let answer = |w: &mut Workbench| w.within(effort::STEP, |w| energy_facts(w, &mut generic, motions.as_mut())).0;
    let energy = kept(w, &mut undecided, "whether the energy is conserved", answer, EnergyFacts::forget);
    let (conserved, _) = step(
        w,
        &mut undecided,
        "whether more quantities are conserved",
        |w| if motions.is_some() { conserved(w, &generic, &energy, &hidden) } else { Vec::new() },
        |_| false,
    );
    let rheonomic = constraints.iter().any(|c| c.rheonomic) || time_acts(w);
    let cyclic = cyclic_coordinates(w);
    let question = "whether the system is Chaplygin's";
    let (mut chaplygin, open) =
        step(w, &mut undecided, question, |w| chaplygin_facts(w, contradictory), ChaplyginFacts::is);
    if open {
        chaplygin.why_not = Some(NOT_DECIDED.into());
    }
    let (reducing, reducing_quasi, lagrangian) = if let Some(why) = no_motion {
        (Err(why.clone()), Err(why.clone()), Err(why))
    } else {
        let found = |m: &ReducingMultiplier| m.exists || m.certainty == Known::Proved;
        let question = "whether a reducing multiplier exists";
        let quasi_question = "whether one exists in the quasi-velocities";
        (
            asked(w, &mut undecided, question, |w| reducing_multiplier(w, &mut generic), found),
            asked(w, &mut undecided, quasi_question, |w| reducing_multiplier_quasi(w, &mut generic), found),
            asked(
                w,
                &mut undecided,
                "whether the reduced equations are Lagrange's equations of some function",
                |w| lagrangian_facts(w, &mut generic),
                // Ranks and identities are those of the field; only the search for a function of one variable needs work.
                |facts| facts.coordinates.len() > 1,
            ),
        )
    };
    Analysis {
        constraints,
        ranks,
        rheonomic,
        extended_by_time: extended,
        growth,
        spanning,
        distribution,
        hidden,
        chaplygin,
        energy,
        cyclic,
        conserved,
        reducing_multiplier: reducing,
        reducing_multiplier_quasi: reducing_quasi,
        lagrangian,
        forms: Vec::new(),
        undecided,
    }
}

fn conserved(w: &mut Workbench, generic: &Generic, energy: &EnergyFacts, hidden: &[HiddenRelation]) -> Vec<Conserved> {
    let mut list = Vec::new();
    let certainty = energy.certainty.clone();
    if energy.conserved == Some(true) {
        list.push(Conserved::of("energy".into(), ConservedKind::Energy, energy.energy, certainty));
    } else if energy.jacobi_conserved == Some(true) {
        list.push(Conserved::of("jacobi".into(), ConservedKind::Jacobi, energy.jacobi, Known::TESTED));
    }
    let relations: Vec<Expr> = hidden.iter().map(|r| r.expr).collect();
    let more = conserved_quantities(w, generic, &list, Some(energy.jacobi), &relations);
    list.extend(more);
    list
}

fn chaplygin_facts(w: &mut Workbench, contradictory: bool) -> ChaplyginFacts {
    let nothing = |why: String| ChaplyginFacts {
        independent: Vec::new(),
        dependent: Vec::new(),
        linear: false,
        why_not: Some(why),
    };
    if contradictory {
        return nothing(CONTRADICTION.into());
    }
    if w.system.k() == 0 {
        return nothing("there are no constraints".into());
    }
    let strict = match w.chaplygin_split() {
        Err(why) => return nothing(why),
        Ok(split) => {
            let dependent = split.pick_dependent(&w.system.coordinates);
            match w.occurs(w.system.potential, &dependent) {
                None => Ok(split),
                // A force that is constant does not spoil Chaplygin's equations, but V = mgz does spoil the definition:
                // is there another split, whose dependent coordinates are missing from V too?
                Some(q) => {
                    let mut system = (*w.system).clone();
                    system.kinetic = w.g.add(system.kinetic, system.potential);
                    let other = w.beside(system, Workbench::chaplygin_split);
                    let q = w.g.name(q).to_owned();
                    other.map_err(|_| {
                        format!("the potential energy depends on `{q}`; its force does not, so that Chaplygin's equations hold all the same")
                    })
                }
            }
        }
    };
    match strict {
        Ok(split) => ChaplyginFacts {
            independent: split.pick_independent(&w.system.coordinates),
            dependent: split.pick_dependent(&w.system.coordinates),
            linear: split.alpha_v.iter().flatten().all(|&e| !w.g.depends_on_any(e, &w.system.velocities)),
            why_not: None,
        },
        Err(why) => nothing(why),
    }
}
