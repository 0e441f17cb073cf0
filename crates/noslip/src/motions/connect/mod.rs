//! A path between two positions along the fields that the constraints allow.
//!
//! Constraints that are linear and homogeneous in the velocities allow motions along fields X_1…X_l. Where these and their brackets span
//! all directions, any two positions can be joined by pieces, each along one of the fields (Rashevsky 1938, Chow 1939):
//!
//! ```text
//! q_1 = exp(τ_N X_{a_N}) … exp(τ_1 X_{a_1}) q_0
//! ```
//!
//! The amounts τ are found so: a walk out and back the same way ends where it began, and for almost every walk its end depends on the
//! τ with full rank (Sontag 1992, Coron 1992). From there the end is led to q_1 by Newton's method, in as many steps as it takes;
//! then the walk is shortened, and legs that can be spared are left out. The path found is integrated once more, more accurately: the
//! position it reaches and the constraints along it are the proof.
//!
//! Where holonomic relations are hidden in the constraints, only positions with the same values of them can be joined. Where the
//! brackets lose rank on a set that no motion crosses, positions on both sides cannot.
//!
//! Valid when: the constraints are linear and homogeneous in the velocities and free of time.
//! Sources: Sumbatov, section 1; P. K. Rashevsky 1938; W.-L. Chow 1939; E. D. Sontag, J.-M. Coron 1992 for the walk out and back.

mod walk;

use crate::analysis::{Distribution, Growth, HiddenRelation, Spanning};
use crate::analysis::{generators, growth, growth_at_point, hidden_relations, spanning};
use crate::card::Card;
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::{Error, Result};
use crate::expr::{Evaluator, Expr, Printer, Style, Symbol};
use crate::forms::readable;
use crate::mechanics::{Generic, Pfaff, Residuals, Workbench};
use crate::verify::may_jump;
use walk::Walker;

/// What people are told of it.
pub const CARD: Card = Card {
    id: "connect",
    aliases: &["rashevsky", "chow-rashevsky", "path"],
    name: "A path between two positions",
    source: "Sumbatov section 1; Rashevsky 1938, Chow 1939",
    needs: "constraints linear and homogeneous in the velocities, free of time",
    about: crate::card::head_of!("mod.rs"),
};

/// A piece of the path.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Which of the fields, from 0.
    pub field: usize,
    /// For how long it is followed; backwards where negative.
    pub amount: f64,
    /// The position at its end.
    pub end: Vec<f64>,
}

/// A path from one position to another.
#[derive(Clone, Debug)]
pub struct Connection {
    /// Components of the fields X_1…X_l, by coordinates.
    pub fields: Vec<Vec<Expr>>,
    /// Where it begins.
    pub from: Vec<f64>,
    /// Where it should end.
    pub to: Vec<f64>,
    /// The pieces.
    pub legs: Vec<Leg>,
    /// By how much the path, integrated again, misses its end: the largest difference of a coordinate.
    pub miss: f64,
    /// The largest value that is left of a constraint along the path, the fields as velocities.
    pub off: f64,
    /// How many constraints were looked at.
    pub constraints: usize,
    /// Positions along the path at a parameter that counts legs.
    pub samples: Vec<(f64, Vec<f64>)>,
    /// What the constraints keep, with its value at both positions.
    pub kept: Vec<(Expr, f64)>,
    /// How the distribution of the fields grows.
    pub growth: Growth,
}

impl Connection {
    /// Σ|τ|.
    pub fn length(&self) -> f64 {
        self.legs.iter().map(|l| l.amount.abs()).sum()
    }
}

/// Positions closer than this, relative to the size of the coordinates, are the same.
const SAME: f64 = 1e-8;
/// Samples of each leg.
const SAMPLES: usize = 20;

/// Joins two positions.
pub fn connect(w: &mut Workbench, from: &[f64], to: &[f64]) -> Result<Connection> {
    let refuse = |why: String| Error::not_applicable(format!("no path is looked for: {why}"));
    let pfaff = homogeneous(w).map_err(refuse)?;
    let mut residuals = Residuals::new(w)?;
    on_finite_constraints(w, &mut residuals, [("first", from), ("second", to)])?;
    let mut generic = Generic::new(&mut w.g, &w.system);
    let growth = grown(w, &pfaff, &mut generic).ok_or_else(|| refuse("the growth vector is not decided".into()))?;
    let kept = kept(w, &pfaff, &growth, &mut generic, from, to)?;
    let where_spanning = spanning(w, &pfaff, &growth, &mut generic);
    not_separated(w, &where_spanning, &mut generic, from, to)?;
    let fields = fields(w, &pfaff, &mut generic).map_err(refuse)?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut walker = Walker::new(w, &fields, &options)?;
    let d = w.dynamics();
    let phi: Vec<Expr> = d.velocity_constraints.iter().copied().flatten().collect();
    let inputs: Vec<Symbol> = w.system.coordinates.iter().chain(&w.system.velocities).copied().collect();
    let mut constraints = compile(&w.g, &inputs, &phi, &options)?.runner();
    let Some(walk) = walker.find(from, to)? else { return Err(not_found(w, &where_spanning, &fields)) };
    let legs = walk.into_iter().map(|(field, amount)| Leg { field, amount, end: Vec::new() }).collect();
    let mut path = Connection {
        fields,
        from: from.to_vec(),
        to: to.to_vec(),
        legs,
        miss: 0.0,
        off: 0.0,
        constraints: phi.len(),
        samples: vec![(0.0, from.to_vec())],
        kept,
        growth,
    };
    checked(&mut path, &mut walker, &mut constraints, &mut residuals)?;
    Ok(path)
}

/// The forms of the constraints, if they are linear, homogeneous and free of time.
fn homogeneous(w: &mut Workbench) -> Result<Pfaff, String> {
    w.no_second_order()?;
    w.consistent_constraints()?;
    let pfaff = Pfaff::of(w);
    if let Some(j) = (0..w.system.k()).find(|j| !pfaff.constraints.contains(j)) {
        return Err(format!("constraint `{}` is not linear in the velocities", w.system.constraints[j].name));
    }
    for index in 0..pfaff.forms.len() {
        if pfaff.single(index).extended(w) {
            let name = &w.system.constraints[pfaff.constraints[index]].name;
            return Err(format!(
                "constraint `{name}` contains time or a term without velocities: rest is no motion it allows"
            ));
        }
    }
    Ok(pfaff)
}

/// How the distribution grows, by formulas or at a point.
fn grown(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic) -> Option<Growth> {
    let (found, _) = w.within(crate::effort::STEP, |w| {
        let distribution = Distribution::annihilated_by(w, pfaff, false, generic)?;
        Some(growth(w, &distribution, false, generic))
    });
    let found = found.filter(|g| g.complete).or_else(|| growth_at_point(w, pfaff, false, generic));
    found.filter(|g| g.complete)
}

/// Both positions must satisfy the constraints that contain no velocities.
fn on_finite_constraints(w: &Workbench, residuals: &mut Residuals, positions: [(&str, &[f64]); 2]) -> Result<()> {
    for (name, q) in positions {
        if let Some(v) = residuals.violations(0.0, q, &vec![0.0; q.len()]).first() {
            let constraint = &w.system.constraints[v.constraint].name;
            return Err(Error::input(format!(
                "the {name} position violates the constraint `{constraint}`: {:.3e} is left of it",
                v.residual
            ))
            .hint("give a position that satisfies it"));
        }
    }
    Ok(())
}

/// What the constraints keep and is the same at both positions. That it is different keeps them apart, unless it jumps on the way, as an
/// angle does after a turn.
fn kept(
    w: &mut Workbench,
    pfaff: &Pfaff,
    growth: &Growth,
    generic: &mut Generic,
    from: &[f64],
    to: &[f64],
) -> Result<Vec<(Expr, f64)>> {
    let needed = growth.holonomic_part();
    let relations: Vec<HiddenRelation> = hidden_relations(w, pfaff, needed, generic);
    let list: Vec<Expr> = relations.iter().map(|r| r.expr).collect();
    let (a, b) = (at(w, &list, from)?, at(w, &list, to)?);
    let known = list.len();
    let mut same = Vec::new();
    for ((e, x), y) in list.into_iter().zip(a).zip(b) {
        if (x - y).abs() <= SAME * (1.0 + x.abs().max(y.abs())) {
            same.push((e, x));
        } else if !may_jump(&w.g, e) {
            let text = text(w, e);
            return Err(Error::not_applicable(format!(
                "the positions cannot be joined: the constraints keep {text}, which is {x} at the first position and {y} at the second"
            ))
            .hint("give two positions at which it is the same"));
        }
    }
    if known < needed {
        return Err(Error::not_applicable(format!(
            "no path is looked for: {} hidden in the constraints, and {} not known in closed form",
            if needed == 1 {
                "a holonomic relation is".to_owned()
            } else {
                format!("{needed} holonomic relations are")
            },
            if known == 0 && needed == 1 { "it is".to_owned() } else { format!("{} are", needed - known) }
        )));
    }
    Ok(same)
}

/// Refuses positions on both sides of a set that no motion crosses.
fn not_separated(
    w: &mut Workbench,
    spanning: &Spanning,
    generic: &mut Generic,
    from: &[f64],
    to: &[f64],
) -> Result<()> {
    let Spanning::Except { zeros, invariant: true } = spanning else { return Ok(()) };
    // The set is where all of them vanish: a surface that separates is where one function does.
    let Some(&zero) = zeros.first() else { return Ok(()) };
    for &other in &zeros[1..] {
        let (sum, difference) = (w.g.add(zero, other), w.g.sub(zero, other));
        if ![sum, difference].into_iter().any(|e| generic.vanishes(&mut w.g, e)) {
            return Ok(());
        }
    }
    let (a, b) = (at(w, &[zero], from)?[0], at(w, &[zero], to)?[0]);
    if a * b > 0.0 || (a == 0.0 && b == 0.0) || !(a * b).is_finite() {
        return Ok(());
    }
    let text = text(w, zero);
    Err(Error::not_applicable(format!(
        "the positions cannot be joined: no motion enters or leaves {text} = 0, and {text} is {a} at the first position and {b} at the second"
    ))
    .hint("give two positions on one side of it"))
}

fn not_found(w: &mut Workbench, spanning: &Spanning, fields: &[Vec<Expr>]) -> Error {
    let error = Error::computation("no path was found between these positions");
    match spanning {
        Spanning::Except { zeros, .. } => {
            let list: Vec<String> = zeros.iter().map(|&e| format!("{} = 0", text(w, e))).collect();
            error.hint(format!("the brackets may lose rank where {}; give positions away from it", list.join(" and ")))
        }
        _ if fields.iter().flatten().any(|&e| has_poles(w, e)) => {
            error.hint("the fields are not finite everywhere: give [quasi_velocities] in which they are")
        }
        _ => error.hint("give positions nearer to each other"),
    }
}

fn has_poles(w: &Workbench, e: Expr) -> bool {
    use crate::expr::Node;
    w.g.reachable(&[e]).into_iter().any(|x| match w.g.node(x) {
        Node::Product { factors, .. } => factors.iter().any(|(_, power)| power.is_negative()),
        Node::Power(_, _) => true,
        _ => false,
    })
}

/// The fields: those of the model's quasi-velocities, else those of the independent velocities, without denominators. Where these could
/// vanish though the constraints keep their rank, vectors of minors, which do not all: a few more of them than degrees of freedom do no harm.
fn fields(w: &mut Workbench, pfaff: &Pfaff, generic: &mut Generic) -> Result<Vec<Vec<Expr>>, String> {
    let velocities = w.system.velocities.clone();
    if !w.system.quasi_velocities.is_empty()
        && let Ok(quasi) = w.directions()
        && quasi.psi.iter().flatten().all(|&e| !w.g.depends_on_any(e, &velocities))
    {
        let n = w.system.n();
        return Ok((0..quasi.free.len()).map(|r| (0..n).map(|i| quasi.phi[i][r]).collect()).collect());
    }
    let Ok(split) = w.split() else {
        let distribution = Distribution::annihilated_by(w, pfaff, false, generic);
        let distribution = distribution.ok_or("the constraints cannot be solved for velocities")?;
        return Ok((0..distribution.leading.len()).map(|row| distribution.field(w, row)).collect());
    };
    let d = w.dynamics();
    let block: Vec<Vec<Expr>> = d.a.iter().map(|row| split.dependent.iter().map(|&i| row[i]).collect()).collect();
    let determinant = w.determinant(&block);
    let varies = w.g.depends_on_any(determinant, &w.system.coordinates);
    if varies
        && let Some(list) = generators(w, pfaff, generic)
        && list.len() <= 2 * split.independent.len()
    {
        return Ok(list.into_iter().map(|field| ahead(w, field)).collect());
    }
    let directions = split.directions(w);
    let mut list = Vec::new();
    for row in directions {
        let mut field = Vec::new();
        for e in row {
            let scaled = if varies { w.g.mul(determinant, e) } else { e };
            field.push(w.simplify(scaled));
        }
        list.push(field);
    }
    Ok(list)
}

/// The field without a minus sign in front of all its components.
fn ahead(w: &mut Workbench, field: Vec<Expr>) -> Vec<Expr> {
    let backward = field.iter().all(|&e| w.g.is_zero(e) || w.g.split_coefficient(e).0.is_negative());
    if backward { field.into_iter().map(|e| w.g.neg(e)).collect() } else { field }
}

/// Integrates the path again, more accurately, and looks at the constraints along it.
fn checked(
    path: &mut Connection,
    walker: &mut Walker,
    constraints: &mut Runner,
    residuals: &mut Residuals,
) -> Result<()> {
    let lost = || Error::computation("the path that was found could not be followed again");
    let mut q = path.from.clone();
    for (index, leg) in path.legs.iter_mut().enumerate() {
        let points = walker.follow(&q, leg.field, leg.amount, SAMPLES).ok_or_else(lost)?;
        for (part, point) in &points {
            let velocity: Vec<f64> = walker.field(leg.field, point).iter().map(|x| x * leg.amount).collect();
            let mut left = vec![0.0; path.constraints];
            constraints.run(&[&point[..], &velocity].concat(), &mut left);
            path.off = left.iter().fold(path.off, |m, x| m.max(x.abs()));
            if !residuals.violations(0.0, point, &velocity).is_empty() {
                return Err(lost());
            }
            path.samples.push((index as f64 + part, point.clone()));
        }
        q = points.last().map_or(q, |p| p.1.clone());
        leg.end = q.clone();
    }
    path.miss = q.iter().zip(&path.to).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let size = path.to.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    if path.miss > SAME * size {
        return Err(lost());
    }
    Ok(())
}

/// Values of expressions of position.
fn at(w: &mut Workbench, list: &[Expr], q: &[f64]) -> Result<Vec<f64>> {
    let mut values = w.system.values(&w.g, &[])?;
    values.at.set_all(&w.system.coordinates, q);
    Ok(values.evaluate(&Evaluator::new(&w.g, list)))
}

fn text(w: &mut Workbench, e: Expr) -> String {
    match readable(w, e) {
        Ok(tree) => Printer::new(Style::Text).print(&w.g, &tree),
        Err(_) => "an expression too long to print".to_owned(),
    }
}
