//! Where forms are derived: the arena, the system, and what several forms share, computed once.

use super::dynamics::Dynamics;
use super::equations::{Kind, Written};
use super::excursion::Excursion;
use super::quasi::Quasi;
use super::split::Split;
use crate::arrange::Arrange;
use crate::error::{Error, Errors};
use crate::expr::enclosure::Ball;
use crate::expr::field::Fp;
use crate::expr::normal::Options;
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Arena, Evaluator, Expr, Formula, Matrix, NOT_DECIDED, Role, Symbol, Tree};
use crate::limits::Limits;
use crate::model::{Model, Overrides, Reader, System, Values, complete};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A real state on the constraints, enclosed: time, parameters, coordinates and velocities, and what follows from them.
#[derive(Clone, Debug)]
pub(crate) struct EnclosedState {
    /// Values of symbols.
    pub(crate) symbols: FxHashMap<Symbol, Ball>,
    /// With accelerations and multipliers?
    pub(crate) moves: bool,
}

/// A system on the bench.
///
/// It owns all it needs and can be sent to another thread:
///
/// ```
/// fn can_be_sent<T: Send>() {}
/// can_be_sent::<noslip::Workbench>();
/// can_be_sent::<noslip::Model>();
/// ```
pub struct Workbench {
    /// The arena all expressions live in.
    pub g: Arena,
    /// The system.
    pub system: Arc<System>,
    /// Limits for simplification.
    pub limits: Limits,
    dynamics: Option<Arc<Dynamics>>,
    /// The velocities that are to be independent, if somebody chose them.
    pub(super) independent: Option<Vec<usize>>,
    /// Sets of velocities that may be dependent.
    pub(super) candidates: Option<Arc<Vec<Vec<usize>>>>,
    split: Option<Result<Arc<Split>, String>>,
    chaplygin: Option<Result<Arc<Split>, String>>,
    directions: Option<Result<Arc<Quasi>, String>>,
    quasi: Option<Result<Arc<Quasi>, String>>,
    pub(crate) simplified: FxHashMap<Expr, Expr>,
    /// What the work that was left was not enough to simplify: how much that was, and how far it went.
    beyond: FxHashMap<Expr, (u64, Expr)>,
    /// Short ways to write long expressions, once found.
    pub(crate) shortened: FxHashMap<Expr, Expr>,
    /// Real states on the constraints, drawn near (`false`) or far, by number: all forms are tested at the same ones.
    pub(crate) enclosed: FxHashMap<(bool, u64), EnclosedState>,
    rank: Option<usize>,
    consistent: Option<Result<(), String>>,
    initial: Option<Option<Values>>,
    reader: Option<Arc<Reader>>,
    /// Readable forms, once made.
    pub(crate) readable: FxHashMap<(Expr, Kind), Tree>,
    /// How equations along the same virtual displacements are written, by their projections; filled and read by the forms.
    pub(crate) written: FxHashMap<Vec<Expr>, Written>,
    /// Tables that motions on this bench left, each with its argument once.
    pub excursions: Vec<Excursion>,
}

impl Model {
    /// Puts the system on a bench of its own.
    pub fn workbench(&self) -> Workbench {
        let reader = Some(Arc::new(self.reader()));
        Workbench { reader, ..Workbench::new(self.arena.clone(), self.system.clone()) }
    }
}

/// How what is said begins where it holds for functions in general, and not for every choice of them.
pub const IN_GENERAL: &str = "in general";

impl Workbench {
    /// Puts a system on the bench, with the arena its expressions live in.
    pub fn new(g: Arena, system: impl Into<Arc<System>>) -> Workbench {
        let limits = Limits { control: g.work.control.clone(), ..Limits::default() };
        Workbench {
            g,
            system: system.into(),
            limits,
            dynamics: None,
            independent: None,
            candidates: None,
            split: None,
            chaplygin: None,
            directions: None,
            quasi: None,
            simplified: FxHashMap::default(),
            beyond: FxHashMap::default(),
            shortened: FxHashMap::default(),
            enclosed: FxHashMap::default(),
            rank: None,
            consistent: None,
            initial: None,
            reader: None,
            readable: FxHashMap::default(),
            written: FxHashMap::default(),
            excursions: Vec::new(),
        }
    }

    /// Reads an expression with the names of the model on the bench; an equation is left side − right side.
    pub fn expression(&mut self, text: &str) -> Result<Expr, Errors> {
        let Some(reader) = self.reader.clone() else {
            return Err(Error::input("the system on this bench has no model file, so no names to read with").into());
        };
        reader.read(text, &mut self.g, &self.limits)
    }

    /// Works on another system whose expressions live in the same arena.
    pub fn beside<R>(&mut self, system: impl Into<Arc<System>>, work: impl FnOnce(&mut Workbench) -> R) -> R {
        let mut other = Workbench::new(std::mem::take(&mut self.g), system);
        other.limits = self.limits.clone();
        let result = work(&mut other);
        self.g = other.g;
        self.tell_of(other.excursions);
        result
    }

    /// Keeps which tables a motion left, where that is not known yet.
    pub fn tell_of(&mut self, excursions: Vec<Excursion>) {
        for excursion in excursions {
            if !self.excursions.iter().any(|e| e.is_of(&excursion)) {
                self.excursions.push(excursion);
            }
        }
    }

    /// M, h, A, b and the Lagrange operator.
    pub fn dynamics(&mut self) -> Arc<Dynamics> {
        if self.dynamics.is_none() {
            self.dynamics = Some(Arc::new(Dynamics::of(&mut self.g, &self.system)));
        }
        self.dynamics.clone().expect("just computed")
    }

    /// Chooses the independent velocities, by the coordinates they belong to: the others follow from the constraints.
    pub fn choose_independent(&mut self, coordinates: &[usize]) -> Result<(), String> {
        self.independent_of_any_order()?;
        let (n, k) = (self.system.n(), self.system.k());
        let mut chosen = coordinates.to_vec();
        chosen.arrange();
        chosen.dedup();
        if chosen.len() + k != n {
            let free = n - k;
            return Err(format!(
                "{free} velocit{} independent, not {}",
                if free == 1 { "y is" } else { "ies are" },
                chosen.len()
            ));
        }
        self.independent = Some(chosen);
        (self.split, self.chaplygin, self.directions, self.quasi) = (None, None, None, None);
        self.split().map(|_| ())
    }

    /// The simplest regular choice of dependent velocities, or the one that was made.
    pub fn split(&mut self) -> Result<Arc<Split>, String> {
        if self.split.is_none() {
            let split = self.decided(Split::choose).map(Arc::new);
            self.split = Some(split);
        }
        self.split.clone().expect("just computed")
    }

    /// A choice of dependent velocities whose coordinates occur nowhere: the system is Chaplygin's.
    pub fn chaplygin_split(&mut self) -> Result<Arc<Split>, String> {
        if self.chaplygin.is_none() {
            let split = self.decided(Split::choose_chaplygin).map(Arc::new);
            self.chaplygin = Some(split);
        }
        self.chaplygin.clone().expect("just computed")
    }

    /// The quasi-velocities: those of the model, or chosen ones, completed by the constraints. With Ψ and Φ as functions
    /// of t, q, q̇ only: all that forms need which leave q̇ and q̈ standing.
    pub fn directions(&mut self) -> Result<Arc<Quasi>, String> {
        if self.directions.is_none() {
            let quasi = self.decided(Quasi::of).map(Arc::new);
            self.directions = Some(quasi);
        }
        self.directions.clone().expect("just computed")
    }

    /// The quasi-velocities, with q̇ in closed form where it can be found.
    pub fn quasi(&mut self) -> Result<Arc<Quasi>, String> {
        if self.quasi.is_none() {
            let closed = self.directions().map(|quasi| {
                let mut quasi = (*quasi).clone();
                quasi.close(self);
                Arc::new(quasi)
            });
            self.quasi = Some(self.or_undecided(closed));
        }
        self.quasi.clone().expect("just computed")
    }

    /// The quasi-velocities together with q̇ in closed form: what the forms written in v need.
    pub fn closed_quasi(&mut self) -> Result<Arc<Quasi>, String> {
        let quasi = self.quasi()?;
        match quasi.obstacle(self) {
            None => Ok(quasi),
            Some(why) => self.or_undecided(Err(why)),
        }
    }

    /// A choice within its allowance.
    fn decided<T>(&mut self, choose: impl FnOnce(&mut Self) -> Result<T, String>) -> Result<T, String> {
        self.within(crate::effort::CHOICE, |w| {
            let chosen = choose(w);
            w.or_undecided(chosen)
        })
        .0
    }

    /// A refusal for want of work is none.
    fn or_undecided<T>(&self, found: Result<T, String>) -> Result<T, String> {
        found.map_err(|why| if self.g.work.is_over() { NOT_DECIDED.to_owned() } else { why })
    }

    /// The same, and what was begun is given up beyond it: see [`Workbench::may_go_on`].
    pub fn within_firm<T>(&mut self, units: u64, what: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let allowance = self.g.work.open_firm(units);
        let done = what(self);
        (done, self.g.work.close(allowance))
    }

    /// An error where all work is over. Every loop of a derivation asks: where only an allowance is used up, what was begun is
    /// brought to its end, as it comes.
    pub fn may_go_on(&self) -> crate::error::Result<()> {
        self.g.work.may_go_on()
    }

    /// Looks for an answer within an allowance of work. Was it used up?
    pub fn within<T>(&mut self, units: u64, what: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let allowance = self.g.work.open_step(units);
        let done = what(self);
        (done, self.g.work.close(allowance))
    }

    /// Counts expressions that are about to be made into code. Returns how many nodes they have.
    pub(crate) fn count_compiled(&mut self, list: &[Expr]) -> usize {
        let nodes = self.g.reachable(list).len();
        self.g.work.charge(crate::effort::COMPILED * nodes as u64);
        nodes
    }

    /// The variation δ of what has this name: a letter of its own, also where the model calls something else so.
    pub fn variation(&mut self, of: &str) -> Expr {
        let s = self.g.declare_beside(&format!("delta_{of}"), Role::Variation);
        self.g.symbol(s)
    }

    /// The same expression through the normal form, or as it is where that would be too expensive.
    pub fn simplify(&mut self, formula: impl Into<Formula>) -> Expr {
        let e = self.g.of(formula);
        if let Some(&known) = self.simplified.get(&e) {
            return known;
        }
        let left = self.g.work.left();
        if let Some(&(units, tried)) = self.beyond.get(&e)
            && left <= units.saturating_add(units / 4)
        {
            return tried;
        }
        let simple = crate::expr::simplify(&mut self.g, e, &self.limits);
        if self.g.work.is_over() {
            // Perhaps it was left as it was for want of work: another step may have more, and with little more it is not tried again.
            self.beyond.insert(e, (left, simple));
            return simple;
        }
        self.simplified.insert(e, simple);
        self.simplified.insert(simple, simple);
        simple
    }

    /// [`Workbench::simplify`] on a list.
    pub fn simplify_all(&mut self, list: &[Expr]) -> Vec<Expr> {
        list.iter().map(|&e| self.simplify(e)).collect()
    }

    /// The inverse of a symbolic matrix, entries simplified; `None` where there is none, or where all work is over.
    pub fn inverse(&mut self, a: &[Vec<Expr>]) -> Option<Vec<Vec<Expr>>> {
        let limits = self.limits.clone();
        let inverse = self.g.inverse(a, &mut |g, e| crate::expr::simplify(g, e, &limits))?;
        Some(inverse.iter().map(|row| self.simplify_all(row)).collect())
    }

    /// The inverse, or why there is none.
    pub fn inverse_or(&mut self, a: &[Vec<Expr>], singular: &str) -> Result<Matrix, String> {
        self.inverse(a).ok_or_else(|| if self.g.work.is_spent() { NOT_DECIDED.into() } else { singular.into() })
    }

    /// The determinant up to its sign, its factors simplified one by one.
    pub fn determinant(&mut self, a: &[Vec<Expr>]) -> Expr {
        let factors = self.g.determinant_factors(a);
        let factors = self.simplify_all(&factors);
        self.g.product(factors)
    }

    /// Why a refutation that rests on these expressions says nothing of this very system: a function in them is left open, or
    /// stands for a law of friction. What holds for every function holds for this one, what fails for some may hold.
    pub fn reservation(&self, expressions: &[Expr], fails: &str) -> Option<String> {
        let functions = self.g.unspecified_in(expressions);
        if functions.iter().any(|&f| self.g.unspecified_function(f).law) {
            return Some(format!(
                "with an arbitrary force of friction in place of the law {fails}; for this law that decides nothing"
            ));
        }
        let names: Vec<String> =
            functions.iter().map(|&f| format!("`{}`", self.g.unspecified_function(f).name)).collect();
        let particular = || format!("{IN_GENERAL} {fails}; for particular {} perhaps", names.join(", "));
        (!names.is_empty()).then(particular)
    }

    /// The same where it rests on the motions of the system.
    pub fn reservation_of_motions(&self, e: Expr, fails: &str) -> Option<String> {
        let s = &self.system;
        let constraints = s.constraints.iter().map(|c| c.expr);
        let all: Vec<Expr> =
            [e, s.kinetic, s.potential].into_iter().chain(s.forces.iter().copied()).chain(constraints).collect();
        self.reservation(&all, fails)
    }

    /// Does the simplified expression still contain one of the symbols? Returns the first.
    pub fn occurs(&mut self, e: Expr, symbols: &[Symbol]) -> Option<Symbol> {
        if !self.g.depends_on_any(e, symbols) {
            return None;
        }
        // A derivative that is not zero at a point of the field is a proof, and quick.
        let mut open: Vec<Symbol> = Vec::new();
        for &s in symbols.iter().filter(|&&s| self.g.depends_on(e, s)).collect::<Vec<_>>() {
            match self.varies(e, s) {
                Some(true) if open.is_empty() => return Some(s),
                Some(false) => {}
                _ => open.push(s),
            }
        }
        if open.is_empty() {
            return None;
        }
        let simple = self.simplify(e);
        open.into_iter().find(|&s| self.g.depends_on(simple, s))
    }

    /// Does the expression vary with the symbol? `None` where the field cannot tell.
    fn varies(&mut self, e: Expr, s: Symbol) -> Option<bool> {
        let derivative = self.g.diff(e, s);
        if self.g.is_zero(derivative) {
            return Some(false);
        }
        let evaluator = FieldEvaluator::new(&mut self.g, &[derivative], &Options::default());
        if !evaluator.is_faithful() {
            return None;
        }
        let values = (1..=40).filter_map(|seed| evaluator.at(&self.g, &FieldPoint::positive(seed)).ok());
        let values: Vec<Fp> = values.take(3).map(|v| v[0]).collect();
        match &values[..] {
            [] => None,
            list => Some(list.iter().any(|v| !v.is_zero())),
        }
    }

    /// The rank of A at a generic admissible state.
    pub fn rank(&mut self) -> usize {
        if self.rank.is_none() {
            self.rank = Some(super::generic_rank(self));
        }
        self.rank.unwrap_or(0)
    }

    /// The value of an expression of t, q, q̇ at the model's initial state, if it has one.
    pub fn value_at_initial_state(&mut self, e: Expr) -> Option<f64> {
        Some(self.values_at_initial_state(&[e])?[0])
    }

    /// The values of several. The state is completed once.
    pub fn values_at_initial_state(&mut self, list: &[Expr]) -> Option<Vec<f64>> {
        if self.initial.is_none() {
            self.initial = Some(self.initial_values());
        }
        let values = self.initial.as_ref()?.as_ref()?;
        Some(values.evaluate(&Evaluator::new(&self.g, list)))
    }

    fn initial_values(&mut self) -> Option<Values> {
        self.system.initial.as_ref()?;
        let state = complete(&mut self.g, &self.system, &Overrides::default()).ok()?;
        let mut values = self.system.values(&self.g, &[]).ok()?;
        values.at.set(self.g.time(), state.time);
        values.at.set_all(&self.system.coordinates, &state.position);
        values.at.set_all(&self.system.velocities, &state.velocity);
        Some(values)
    }

    /// Can the linear constraints hold together?
    pub fn consistent_constraints(&mut self) -> Result<(), String> {
        if self.consistent.is_none() {
            let contradiction = if self.system.k() > 1 { super::contradiction(self) } else { None };
            let name = contradiction.map(|j| &self.system.constraints[j].name);
            let contradiction = name.map(|name| format!("constraint `{name}` contradicts the others"));
            let product = (0..self.system.k()).find_map(|j| super::choice(self, j));
            self.consistent = Some(contradiction.or(product).map_or(Ok(()), Err));
        }
        self.consistent.clone().expect("just computed")
    }

    /// Do the accelerations follow from linear equations?
    pub fn linear_accelerations(&self) -> Result<(), String> {
        self.system.linear_accelerations()
    }

    /// Are the constraints independent, and do the accelerations follow from linear equations? Nearly every form needs it.
    pub fn independent_constraints(&mut self) -> Result<(), String> {
        self.linear_accelerations()?;
        self.independent_of_any_order()
    }

    /// Are the constraints independent, of whatever order they are?
    pub fn independent_of_any_order(&mut self) -> Result<(), String> {
        self.consistent_constraints()?;
        let (rank, k) = (self.rank(), self.system.k());
        if rank == k {
            Ok(())
        } else if k == 1 {
            let row = self.dynamics().a[0].clone();
            let rows = self.simplify_all(&row);
            match rows.iter().all(|&e| self.g.is_zero(e)) {
                true => Err("the constraint has rank 0: it says nothing (udwadia-kalaba takes it)".to_owned()),
                false => {
                    Err("the constraint has rank 0: its gradient vanishes wherever it holds, as that of a power does"
                        .to_owned())
                }
            }
        } else {
            let kept = super::independent_rows(self);
            let others = (0..k).filter(|j| !kept.contains(j)).map(|j| format!("`{}`", self.system.constraints[j].name));
            let others: Vec<String> = others.collect();
            let (names, them) = (others.join(", "), if others.len() == 1 { "it" } else { "them" });
            Err(format!(
                "the {k} constraints have rank {rank}: leave out {names}, or use udwadia-kalaba, which takes {them}"
            ))
        }
    }

    /// Is every constraint given at the level of velocities or coordinates?
    pub fn no_second_order(&self) -> Result<(), String> {
        match self.system.constraints.iter().find(|c| c.order >= 2) {
            None => Ok(()),
            Some(c) if c.order == 2 => {
                Err(format!("constraint `{}` is of second order (it contains accelerations)", c.name))
            }
            Some(c) => Err(format!("constraint `{}` is of third order", c.name)),
        }
    }
}
