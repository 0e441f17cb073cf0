//! A system as its author wrote it, with names resolved and definitions expanded.

use crate::error::{Error, Result, Span};
use crate::expr::{Arena, Expr, Rational, Symbol, TableId};

/// A parameter and its value.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its symbol.
    pub symbol: Symbol,
    /// Its value: a number, or an expression of other parameters.
    pub value: Expr,
}

/// An abbreviation, expanded.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it stands for.
    pub expr: Expr,
}

/// A constraint φ = 0, ideal in Chetaev's sense unless the system has a law of friction for it.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// Its name.
    pub name: String,
    /// φ = left side − right side.
    pub expr: Expr,
    /// 0: holonomic, no velocity occurs; 1: velocities occur; 2: accelerations occur; 3: third derivatives, linearly.
    pub order: u8,
    /// Nonlinear in the accelerations, or of third order: the accelerations do not follow from linear equations.
    pub higher: bool,
    /// Its multiplier `lambda_NAME`.
    pub multiplier: Symbol,
    /// The largest reaction that friction can give.
    pub friction: Option<Expr>,
    /// The friction of sliding, where it is another.
    pub sliding: Option<Expr>,
    /// φ ≥ 0 is all that is asked: it holds as an equation while its reaction pushes.
    pub inequality: bool,
    /// What part of the speed of approach an inequality gives back.
    pub restitution: Option<Expr>,
    /// The contact it belongs to: constraints of one contact are directions of one force.
    pub contact: Option<String>,
    /// Where it stands in the model file.
    pub span: Option<Span>,
}

impl Constraint {
    /// An equation of this order, linear in the accelerations, of which no model file says more.
    pub(crate) fn new(name: String, expr: Expr, order: u8, multiplier: Symbol) -> Constraint {
        Constraint {
            name,
            expr,
            order,
            higher: false,
            multiplier,
            friction: None,
            sliding: None,
            inequality: false,
            restitution: None,
            contact: None,
            span: None,
        }
    }
}

/// A force along the virtual displacements, by which constraints are not ideal: one coordinate's part of T₀.
#[derive(Clone, Debug)]
pub struct Law {
    /// The coordinate it acts on, by its index.
    pub coordinate: usize,
    /// What stands for it among the forces: a function of the state of which nothing more is said.
    pub function: Expr,
    /// What it is, by t, q, q̇ and multipliers.
    pub force: Expr,
}

/// A free quasi-velocity given by the model.
#[derive(Clone, Debug)]
pub struct QuasiVelocity {
    /// Its symbol.
    pub symbol: Symbol,
    /// What it is, in coordinates, velocities and time.
    pub expr: Expr,
}

/// An operator X_s = Σ_i field_i ∂/∂q_i of a group that moves the system.
#[derive(Clone, Debug)]
pub struct Operator {
    /// Its parameter η_s, with q̇ = Σ η_s X_s q.
    pub symbol: Symbol,
    /// Its components, one per coordinate.
    pub field: Vec<Expr>,
}

/// How a table is interpolated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Piecewise linear.
    Linear,
    /// Piecewise cubic, monotone (Fritsch–Carlson).
    Pchip,
    /// Natural cubic spline.
    Spline,
}

/// Measured data used as a function of one argument.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its identity in the arena, which also knows its name.
    pub id: TableId,
    /// Arguments, ascending.
    pub at: Vec<Rational>,
    /// Values.
    pub values: Vec<Rational>,
    /// How to interpolate.
    pub interpolation: Interpolation,
    /// What its argument is meant to be, if the model says so.
    pub of: Option<Expr>,
    /// Polynomials that are given in place of values, and how often they can be differentiated where they meet.
    pub pieces: Option<(Vec<[Rational; 4]>, u8)>,
}

/// The initial state as given; what is missing is completed from the constraints.
#[derive(Clone, Debug)]
pub struct Initial {
    /// Initial time.
    pub time: Expr,
    /// Given positions, one per coordinate.
    pub position: Vec<Option<Expr>>,
    /// Given velocities, one per coordinate.
    pub velocity: Vec<Option<Expr>>,
    /// Given accelerations, one per coordinate: where a constraint is of third order they belong to the state.
    pub acceleration: Vec<Option<Expr>>,
    /// Quasi-velocities and definitions with given values: name, what must vanish, and whether it is about velocities.
    pub relations: Vec<(String, Expr, bool)>,
    /// Where the positions stand in the model file.
    pub position_span: Option<Span>,
    /// Where the velocities stand in the model file.
    pub velocity_span: Option<Span>,
    /// Where the accelerations stand in the model file.
    pub acceleration_span: Option<Span>,
}

impl Initial {
    /// Nothing given, for `n` coordinates, at the time that is this expression.
    pub fn nothing(n: usize, time: Expr) -> Initial {
        let (position, velocity, acceleration) = (vec![None; n], vec![None; n], vec![None; n]);
        let (position_span, velocity_span, acceleration_span) = (None, None, None);
        let relations = Vec::new();
        Initial { time, position, velocity, acceleration, relations, position_span, velocity_span, acceleration_span }
    }
}

/// Defaults for `simulate`.
#[derive(Clone, Debug, Default)]
pub struct SimulationDefaults {
    /// End time.
    pub until: Option<Rational>,
    /// Relative and absolute tolerance.
    pub tolerance: Option<Rational>,
    /// Method of integration.
    pub method: Option<String>,
    /// Number of samples.
    pub samples: Option<usize>,
}

/// A mechanical system with constraints. Expressions belong to the arena of the model.
#[derive(Clone, Debug)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Coordinates q; their order is the order of the equations.
    pub coordinates: Vec<Symbol>,
    /// Velocities q̇.
    pub velocities: Vec<Symbol>,
    /// Accelerations q̈.
    pub accelerations: Vec<Symbol>,
    /// Parameters in the order of the file.
    pub parameters: Vec<Parameter>,
    /// Definitions in the order of the file.
    pub definitions: Vec<Definition>,
    /// Kinetic energy T(t, q, q̇).
    pub kinetic: Expr,
    /// The energy of acceleration S(t, q, q̇, q̈), where the author wrote it; it belongs to T.
    pub acceleration_energy: Option<Expr>,
    /// Potential V(t, q).
    pub potential: Expr,
    /// Generalised forces that do not come from the potential, one per coordinate.
    pub forces: Vec<Expr>,
    /// Constraints.
    pub constraints: Vec<Constraint>,
    /// Laws of friction of the constraints, added up, one per coordinate on which they act.
    pub law: Vec<Law>,
    /// The free quasi-velocities, if the model gives them.
    pub quasi_velocities: Vec<QuasiVelocity>,
    /// Operators, where the model gives more of them than there are degrees of freedom.
    pub operators: Vec<Operator>,
    /// Tables.
    pub tables: Vec<Table>,
    /// The initial state, if given.
    pub initial: Option<Initial>,
    /// Defaults for simulation.
    pub simulation: SimulationDefaults,
    /// LaTeX for names, overriding the automatic one.
    pub display: Vec<(String, String)>,
    /// Contacts, and what vanishes at them only in states in which they are singular.
    pub guards: Vec<Guard>,
}

/// Something that must not vanish: where it does, a contact has no one point that touches.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Whose: "contact `ground`".
    pub of: String,
    /// What must not vanish.
    pub expr: Expr,
}

impl System {
    /// The constraint that is an inequality, if one is.
    pub fn inequality(&self) -> Option<&Constraint> {
        self.constraints.iter().find(|c| c.inequality)
    }

    /// Refuses inequalities, where a motion would be followed as if they held with equality all the time.
    pub fn no_inequality(&self) -> Result<()> {
        let Some(c) = self.inequality() else { return Ok(()) };
        let message = format!("constraint `{}` is an inequality: it may open and close", c.name);
        Err(Error::not_applicable(message).hint("`noslip simulate` follows that; here, write it as an equation"))
    }

    /// Number of coordinates n.
    pub fn n(&self) -> usize {
        self.coordinates.len()
    }

    /// Number of constraints k.
    pub fn k(&self) -> usize {
        self.constraints.len()
    }

    /// The first constraint that is nonlinear in the accelerations or of third order.
    pub fn higher_constraint(&self) -> Option<&Constraint> {
        self.constraints.iter().find(|c| c.higher)
    }

    /// Do the accelerations follow from linear equations? If not, why.
    pub fn linear_accelerations(&self) -> Result<(), String> {
        match self.higher_constraint() {
            None => Ok(()),
            Some(c) if c.order == 2 => Err(format!("constraint `{}` is nonlinear in the accelerations", c.name)),
            Some(c) => Err(format!("constraint `{}` is of third order", c.name)),
        }
    }

    /// The system with ideal constraints, and the forces by coordinates that are left out with their laws of friction.
    pub fn ideal(&self, g: &mut Arena) -> (System, Vec<Expr>) {
        let mut system = self.clone();
        let mut law = vec![g.zero(); self.n()];
        for l in std::mem::take(&mut system.law) {
            system.forces[l.coordinate] = g.sub(system.forces[l.coordinate], l.function);
            law[l.coordinate] = g.add(law[l.coordinate], l.force);
        }
        (system, law)
    }

    /// The constraint whose multiplier this is.
    pub fn constraint_of(&self, multiplier: Symbol) -> Option<&Constraint> {
        self.constraints.iter().find(|c| c.multiplier == multiplier)
    }

    /// The system with every expression replaced; what was written in the file, names and symbols stay.
    pub fn mapped(&self, mut map: impl FnMut(Expr) -> Expr) -> System {
        let mut system = self.clone();
        let constraints = system.constraints.iter_mut().flat_map(|c| {
            std::iter::once(&mut c.expr).chain(&mut c.friction).chain(&mut c.sliding).chain(&mut c.restitution)
        });
        let initial = system.initial.iter_mut().flat_map(|i| {
            let given = i.position.iter_mut().chain(&mut i.velocity).chain(&mut i.acceleration).flatten();
            given.chain(i.relations.iter_mut().map(|r| &mut r.1)).chain([&mut i.time])
        });
        let others = [&mut system.kinetic, &mut system.potential].into_iter().chain(&mut system.acceleration_energy);
        let others = others.chain(&mut system.forces).chain(system.definitions.iter_mut().map(|d| &mut d.expr));
        let others = others.chain(system.quasi_velocities.iter_mut().map(|v| &mut v.expr));
        let others = others.chain(system.tables.iter_mut().filter_map(|t| t.of.as_mut()));
        let others = others.chain(system.operators.iter_mut().flat_map(|o| &mut o.field));
        let others = others.chain(system.law.iter_mut().flat_map(|l| [&mut l.function, &mut l.force]));
        let others = others.chain(system.guards.iter_mut().map(|g| &mut g.expr));
        for e in others.chain(constraints).chain(initial) {
            *e = map(*e);
        }
        system
    }

    /// Expressions that decide the motion.
    pub fn mechanics(&self) -> Vec<Expr> {
        let constraints = self.constraints.iter().map(|c| c.expr);
        [self.kinetic, self.potential].into_iter().chain(self.forces.iter().copied()).chain(constraints).collect()
    }

    /// Position of a coordinate by name.
    pub fn coordinate(&self, arena: &Arena, name: &str) -> Option<usize> {
        self.coordinates.iter().position(|&s| arena.name(s) == name)
    }
}
