//! The one shape in which every form gives its equations.

use super::workbench::Workbench;
use crate::expr::{Expr, Symbol};
use rustc_hash::FxHashMap;

/// Something a reader wants to see beside the equations: T*, a γ, a transpositional relation.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it is: "kinetic energy with the constraints inserted".
    pub name: String,
    /// How it is written: `T°`, `γ³₁₂`.
    pub symbol: String,
    /// Its value.
    pub value: Expr,
}

/// The equations of motion in one form.
///
/// `equations[r] = 0` are linear in `unknowns`; together they determine them. `variables` says what the form's own
/// velocity variables are, `velocities` and `accelerations` give q̇ and q̈ in the form's variables and unknowns.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    /// Id of the form.
    pub form: &'static str,
    /// Accelerations (of coordinates or quasi-velocities) and multipliers for which the equations can be solved.
    pub unknowns: Vec<Symbol>,
    /// Expressions that vanish: the form's own equations first, then (from `own` on) the constraints that complete them.
    pub equations: Vec<Expr>,
    /// How many of `equations` are the form's own.
    pub own: usize,
    /// The form's velocity variables as functions of t, q, q̇: v = …; empty when they are velocities q̇ themselves.
    pub variables: Vec<(Symbol, Expr)>,
    /// q̇_i in the form's variables, where it differs from the symbol itself.
    pub velocities: Vec<(Symbol, Expr)>,
    /// q̈_i in the form's variables and unknowns, where it is not an unknown itself.
    pub accelerations: Vec<(Symbol, Expr)>,
    /// λ_j in the form's variables and unknowns, if the form knows them and they are not unknowns themselves.
    pub reactions: Vec<(Symbol, Expr)>,
    /// Directions y_r of the virtual displacements with `equations[r] = Σ_i y_ri 𝓔_i` on the constraints: the
    /// certificate of agreement with Lagrange's equations with multipliers. In the form's variables.
    pub directions: Vec<Vec<Expr>>,
    /// For a form that gives the accelerations outright: letters for the accelerations without the constraints, then for
    /// the multipliers (which contain the former), with what they stand for.
    pub letters: Vec<(Symbol, Expr)>,
    /// The accelerations in these letters, in the order of `unknowns`: shorter to prove than what they stand for.
    pub in_letters: Vec<Expr>,
    /// The same equations written in another way by the same form (Hamel–Novoselov's second kind).
    pub alternatives: Vec<(String, Vec<Expr>)>,
    /// Intermediate objects in the order in which a reader meets them.
    pub objects: Vec<Object>,
    /// Remarks: which quasi-velocities or which dependent velocities were chosen.
    pub notes: Vec<String>,
}

impl Equations {
    /// Adds an object.
    pub fn show(&mut self, name: impl Into<String>, symbol: impl Into<String>, value: Expr) {
        self.objects.push(Object { name: name.into(), symbol: symbol.into(), value });
    }

    /// All that is in it.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let named = [&self.variables, &self.velocities, &self.accelerations, &self.reactions, &self.letters];
        let named = named.into_iter().flatten().map(|(_, e)| e);
        let lists = [&self.equations, &self.in_letters].into_iter().chain(&self.directions);
        let alternatives = self.alternatives.iter().flat_map(|(_, list)| list);
        named.chain(lists.flatten()).chain(alternatives).chain(self.objects.iter().map(|o| &o.value))
    }

    /// The equations alone, with what completes them: no objects, reactions or other ways to write them.
    pub fn brief(&self) -> Equations {
        Equations { objects: Vec::new(), reactions: Vec::new(), alternatives: Vec::new(), ..self.clone() }
    }

    /// Σᵢ yᵢ𝓔ᵢ along each of the virtual displacements, in the form's variables: what its own equations are on the constraints.
    pub fn projections(&self, w: &mut Workbench) -> Vec<Expr> {
        let d = w.dynamics();
        let insert: FxHashMap<Symbol, Expr> = self.velocities.iter().chain(&self.accelerations).copied().collect();
        let operators: Vec<Expr> = d.operator.iter().map(|&e| w.g.substitute(e, &insert)).collect();
        self.directions.iter().map(|y| w.g.dot_product(y, &operators)).collect()
    }

    /// What the i-th of the equations is.
    pub fn kind(&self, i: usize) -> Kind {
        if i < self.own { Kind::Equation } else { Kind::Constraint }
    }
}

/// What is to be made readable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An expression.
    Value,
    /// The left side of an equation of motion: its terms are forces, moments or the like.
    Equation,
    /// The left side of a constraint, which may be divided by numbers and parameters.
    Constraint,
}

/// How the equations along some virtual displacements are written, as far as that is known.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    /// Like this, without letters; proved to be the projections.
    Short(Vec<Expr>),
    /// Their projections need letters.
    Long,
}
