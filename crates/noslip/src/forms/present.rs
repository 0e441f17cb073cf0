//! Equations as a reader wants them: every expression in its readable form.

use super::abbreviate::abbreviate;
use super::equations::Equations;
use super::workbench::Workbench;
use super::{Applicability, Form, by_id};
use crate::error::Result;
use crate::expr::{self, Expr, Readable, Scale, Symbol, Tree, readable_equation, written_out};
use crate::limits::Limits;
use rustc_hash::FxHashSet;

/// A named object in readable form.
#[derive(Clone, Debug)]
pub struct PresentedObject {
    /// What it is.
    pub name: String,
    /// How it is written.
    pub symbol: String,
    /// Its value.
    pub value: Tree,
}

/// The equations of one form in readable form.
#[derive(Clone, Debug)]
pub struct Presented {
    /// Id of the form.
    pub form: &'static str,
    /// Trees that vanish: the form's own equations, then those that complete them.
    pub equations: Vec<Tree>,
    /// How many are the form's own.
    pub own: usize,
    /// The form's variables in terms of q̇.
    pub variables: Vec<(Symbol, Tree)>,
    /// q̇ in the form's variables.
    pub kinematics: Vec<(Symbol, Tree)>,
    /// Multipliers, as the form knows them.
    pub reactions: Vec<(Symbol, Tree)>,
    /// Intermediate objects.
    pub objects: Vec<PresentedObject>,
    /// The equations in the form's other ways of writing them.
    pub alternatives: Vec<(String, Vec<Tree>)>,
    /// Letters used in all of these, with what they stand for; each may contain those before it. Empty unless
    /// something would be long without.
    pub abbreviations: Vec<(Symbol, Tree)>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// Equations of more operations are written with abbreviations.
const ABBREVIATED: usize = 250;
/// Expressions of more operations are abbreviated before they are made readable, not after: the search would take long.
const TRIED: u64 = 700;
/// Expressions of more operations are printed as they stand: nobody reads them.
const LONG: usize = 1500;
/// Bytes of one printed expression.
const BYTES: usize = 4 << 20;

/// Makes equations readable, with abbreviations where they are long.
pub fn present(w: &mut Workbench, eq: &Equations) -> Result<Presented> {
    let lists = Lists::of(eq);
    let mut trees: Vec<Option<Tree>> = Vec::new();
    for &(e, kind) in &lists.all {
        let short = written_out(w.g, e) <= TRIED;
        trees.push(if short { Some(tree(w, e, kind)?) } else { None });
    }
    let long = |tree: &Option<Tree>| tree.as_ref().is_none_or(|t| t.operations() > ABBREVIATED);
    if !trees.iter().any(long) {
        let trees = trees.into_iter().flatten().collect();
        return Ok(lists.presented(eq, trees, Vec::new()));
    }
    let roots: Vec<Expr> =
        lists.all.iter().zip(&trees).map(|(&(e, _), tree)| tree.as_ref().map_or(e, |tree| tree.to_expr(w.g))).collect();
    let mut visible = w.system.accelerations.clone();
    visible.extend(&eq.unknowns);
    let abbreviated = abbreviate(w, &roots, &visible);
    let mut letters = Vec::new();
    for (symbol, e) in abbreviated.letters {
        letters.push((symbol, tree_below(w, e, Kind::Value, ABBREVIATED)?));
    }
    let mut list = Vec::new();
    for (&(_, kind), e) in lists.all.iter().zip(abbreviated.expressions) {
        list.push(tree_below(w, e, kind, ABBREVIATED)?);
    }
    // What does not need a letter any more does not need its explanation.
    let mut used: FxHashSet<Symbol> = list.iter().flat_map(Tree::symbols).collect();
    let mut kept = Vec::new();
    for (symbol, tree) in letters.into_iter().rev() {
        if used.contains(&symbol) {
            used.extend(tree.symbols());
            kept.push((symbol, tree));
        }
    }
    kept.reverse();
    Ok(lists.presented(eq, list, kept))
}

/// Makes equations readable, every one understandable by itself.
pub fn present_in_full(w: &mut Workbench, eq: &Equations) -> Result<Presented> {
    let lists = Lists::of(eq);
    let mut trees = Vec::new();
    for &(e, kind) in &lists.all {
        trees.push(tree(w, e, kind)?);
    }
    Ok(lists.presented(eq, trees, Vec::new()))
}

/// What is to be made readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// An expression.
    Value,
    /// The left side of an equation of motion: its terms are forces, moments or the like.
    Equation,
    /// The left side of a constraint, which may be divided by numbers and parameters.
    Constraint,
}

/// All that is printed of a form, one after the other.
struct Lists {
    all: Vec<(Expr, Kind)>,
}

impl Lists {
    fn of(eq: &Equations) -> Lists {
        let own = eq.equations.iter().enumerate();
        let mut all: Vec<(Expr, Kind)> =
            own.map(|(i, &e)| (e, if i < eq.own { Kind::Equation } else { Kind::Constraint })).collect();
        for list in [&eq.variables, &eq.velocities, &eq.reactions] {
            all.extend(list.iter().map(|&(_, e)| (e, Kind::Value)));
        }
        all.extend(eq.objects.iter().map(|o| (o.value, Kind::Value)));
        all.extend(eq.alternatives.iter().flat_map(|(_, list)| list).map(|&e| (e, Kind::Equation)));
        Lists { all }
    }

    /// Puts the trees, in the same order, where they belong.
    fn presented(&self, eq: &Equations, trees: Vec<Tree>, abbreviations: Vec<(Symbol, Tree)>) -> Presented {
        let mut trees = trees.into_iter();
        let mut next = || trees.next().unwrap_or(Tree::Undefined);
        let pairs = |list: &[(Symbol, Expr)], next: &mut dyn FnMut() -> Tree| -> Vec<(Symbol, Tree)> {
            list.iter().map(|&(s, _)| (s, next())).collect()
        };
        let equations = eq.equations.iter().map(|_| next()).collect();
        let variables = pairs(&eq.variables, &mut next);
        let kinematics = pairs(&eq.velocities, &mut next);
        let reactions = pairs(&eq.reactions, &mut next);
        let objects = eq
            .objects
            .iter()
            .map(|o| PresentedObject { name: o.name.clone(), symbol: o.symbol.clone(), value: next() })
            .collect();
        let alternatives =
            eq.alternatives.iter().map(|(name, list)| (name.clone(), list.iter().map(|_| next()).collect())).collect();
        let notes = eq.notes.clone();
        Presented {
            form: eq.form,
            equations,
            own: eq.own,
            variables,
            kinematics,
            reactions,
            objects,
            alternatives,
            abbreviations,
            notes,
        }
    }
}

/// An expression in readable form.
pub fn readable(w: &mut Workbench, e: Expr) -> Result<Tree> {
    tree(w, e, Kind::Value)
}

/// The readable form of an expression, or of the equation that it vanishes; remembered, since forms share much.
fn tree(w: &mut Workbench, e: Expr, kind: Kind) -> Result<Tree> {
    tree_below(w, e, kind, LONG)
}

/// The same; as it stands where it takes more operations.
fn tree_below(w: &mut Workbench, e: Expr, kind: Kind, most: usize) -> Result<Tree> {
    if let Some(known) = w.readable.get(&(e, kind)) {
        return Ok(known.clone());
    }
    let limits = Limits { printed_bytes: w.limits.printed_bytes.min(BYTES), ..w.limits.clone() };
    let plain = Tree::of(w.g, e, &limits)?;
    let tree = if plain.operations() > most {
        return Ok(plain);
    } else {
        let scale = if kind == Kind::Constraint { Scale::Free } else { Scale::Keep };
        let options = Readable { limits, scale };
        match kind {
            Kind::Value => expr::readable(w.g, e, &options)?,
            Kind::Equation | Kind::Constraint => readable_equation(w.g, e, &options)?,
        }
    };
    w.readable.insert((e, kind), tree.clone());
    Ok(tree)
}

/// The form that suits a system best: with the model's own quasi-velocities those of Boltzmann and Hamel (nonlinear:
/// Hamel and Novoselov), else Chaplygin's, else Voronets', else Maggi's.
pub fn best_suited(w: &mut Workbench) -> Option<&'static dyn Form> {
    let order: &[&str] = if w.system.quasi_velocities.is_empty() {
        &["chaplygin", "voronets", "maggi", "udwadia-kalaba"]
    } else {
        &["boltzmann-hamel", "hamel-novoselov", "maggi", "udwadia-kalaba"]
    };
    order.iter().filter_map(|id| by_id(id)).find(|f| f.applies(w) == Applicability::Applies)
}
