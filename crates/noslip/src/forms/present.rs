//! Equations as a reader wants them: every expression in its readable form.

use super::equations::Equations;
use super::workbench::Workbench;
use super::{Applicability, Form, by_id};
use crate::error::Result;
use crate::expr::{self, Expr, Readable, Symbol, Tree, readable_equation};
use crate::limits::Limits;

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
    /// Remarks.
    pub notes: Vec<String>,
}

/// Makes equations readable.
pub fn present(w: &mut Workbench, eq: &Equations) -> Result<Presented> {
    let pairs = |w: &mut Workbench, list: &[(Symbol, Expr)]| -> Result<Vec<(Symbol, Tree)>> {
        list.iter().map(|&(s, e)| Ok((s, readable(w, e)?))).collect()
    };
    let variables = pairs(w, &eq.variables)?;
    let kinematics = pairs(w, &eq.velocities)?;
    let reactions = pairs(w, &eq.reactions)?;
    let mut objects = Vec::new();
    for o in &eq.objects {
        objects.push(PresentedObject { name: o.name.clone(), symbol: o.symbol.clone(), value: readable(w, o.value)? });
    }
    let mut alternatives = Vec::new();
    for (name, list) in &eq.alternatives {
        alternatives.push((name.clone(), readable_equations(w, list)?));
    }
    Ok(Presented {
        form: eq.form,
        equations: readable_equations(w, &eq.equations)?,
        own: eq.own,
        variables,
        kinematics,
        reactions,
        objects,
        alternatives,
        notes: eq.notes.clone(),
    })
}

fn readable_equations(w: &mut Workbench, list: &[Expr]) -> Result<Vec<Tree>> {
    list.iter().map(|&e| readable_vanishing(w, e)).collect()
}

/// The left side of the equation `e = 0` in readable form: factors that cannot vanish are left out.
pub fn readable_vanishing(w: &mut Workbench, e: Expr) -> Result<Tree> {
    tree(w, e, true)
}

/// An expression in readable form.
pub fn readable(w: &mut Workbench, e: Expr) -> Result<Tree> {
    tree(w, e, false)
}

/// Expressions of more operations are printed as they stand: nobody reads them, and the search would take long.
const LONG: usize = 1500;
/// Bytes of one printed expression.
const BYTES: usize = 4 << 20;

/// The readable form of an expression, or of the equation that it vanishes; remembered, since forms share much.
fn tree(w: &mut Workbench, e: Expr, equation: bool) -> Result<Tree> {
    if let Some(known) = w.readable.get(&(e, equation)) {
        return Ok(known.clone());
    }
    let limits = Limits { printed_bytes: w.limits.printed_bytes.min(BYTES), ..w.limits.clone() };
    let plain = Tree::of(w.g, e, &limits)?;
    let tree = if plain.operations() > LONG {
        plain
    } else {
        let options = Readable { limits, ..Readable::default() };
        if equation { readable_equation(w.g, e, &options)? } else { expr::readable(w.g, e, &options)? }
    };
    w.readable.insert((e, equation), tree.clone());
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
