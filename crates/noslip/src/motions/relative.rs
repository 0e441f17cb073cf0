//! Coordinates that matter only relative to each other.
//!
//! Headings counted from a fixed direction all occur in the rates, but only their differences matter: turned together, they
//! leave the closed part as it is. Such shifts, constant vectors c with Σ_i c_i ∂(rates)/∂q_i = 0, are found at random points of the prime
//! field, lifted to rational numbers, and shown by putting q_i = ρ_i + c_i q_r: what is left does not contain q_r.

use super::reduce::{Reduction, symmetry};
use crate::expr::ansatz::{lift, vanishing};
use crate::expr::field::row_reduce;
use crate::expr::{Expr, Rational, Role, Symbol};
use crate::mechanics::{Generic, Workbench, evaluator};
use rustc_hash::FxHashMap;

/// A member of the closed part that stands for a difference of coordinates.
#[derive(Clone, Debug)]
pub struct Relative {
    /// ρ.
    pub symbol: Symbol,
    /// Index of the coordinate whose place it takes.
    pub index: usize,
    /// ρ = q − Σ c q_r: indices r and numbers c.
    pub from: Vec<(usize, Rational)>,
    /// ρ in the coordinates of the model.
    pub expr: Expr,
}

/// Nodes of the rates up to which shifts are looked for.
const LONG: usize = 20_000;

impl Reduction {
    /// The same with coordinates of the closed part counted from each other, where only their differences matter.
    pub fn relative(self, w: &mut Workbench) -> Reduction {
        // What a holonomic constraint ties stays as the constraint has it.
        if self.shape.len() < 2 || !self.ties.is_empty() {
            return self;
        }
        let shifts = shifts(w, &self);
        if shifts.is_empty() { self } else { self.clone().shifted(w, &shifts).unwrap_or(self) }
    }

    /// The model's coordinates and velocities in the variables of the flow.
    pub fn inserted(&self, w: &mut Workbench) -> FxHashMap<Symbol, Expr> {
        let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
        let system = w.system.clone();
        for (i, (&q, &v)) in system.coordinates.iter().zip(&system.velocities).enumerate() {
            let Some(r) = self.relative.iter().find(|r| r.index == i) else {
                map.insert(v, self.flow.velocities[i]);
                continue;
            };
            let place = w.g.symbol(r.symbol);
            let mut position = vec![(place, Rational::ONE)];
            let mut velocity = vec![(self.flow.velocities[i], Rational::ONE)];
            for (k, c) in &r.from {
                position.push((w.g.symbol(system.coordinates[*k]), c.clone()));
                velocity.push((self.flow.velocities[*k], c.clone()));
            }
            map.insert(q, w.g.linear(Rational::ZERO, position));
            map.insert(v, w.g.linear(Rational::ZERO, velocity));
        }
        // A velocity that is itself a quasi-velocity stays.
        map.retain(|s, _| !self.flow.free.contains(s));
        map
    }

    /// The values of the flow's coordinates where the model's have these.
    pub fn counted(&self, position: &[f64]) -> Vec<f64> {
        let mut list = position.to_vec();
        for r in &self.relative {
            list[r.index] -= r.from.iter().map(|(k, c)| c.to_f64() * position[*k]).sum::<f64>();
        }
        list
    }

    /// Puts differences in the place of coordinates; `None` where the rates do not lose the references.
    fn shifted(mut self, w: &mut Workbench, shifts: &[Vec<Rational>]) -> Option<Reduction> {
        let indices: Vec<usize> =
            self.shape.iter().filter_map(|s| self.flow.coordinates.iter().position(|q| q == s)).collect();
        // Each shift has a coordinate of its own, its first.
        let references: Vec<usize> = shifts.iter().filter_map(|c| c.iter().position(|x| !x.is_zero())).collect();
        let mut map: FxHashMap<Symbol, Expr> = FxHashMap::default();
        for (k, &i) in indices.iter().enumerate() {
            if references.contains(&k) {
                continue;
            }
            let from: Vec<(usize, Rational)> = references
                .iter()
                .zip(shifts)
                .filter(|(_, c)| !c[k].is_zero())
                .map(|(&r, c)| (indices[r], c[k].clone()))
                .collect();
            if from.is_empty() {
                continue;
            }
            let old = self.flow.coordinates[i];
            let symbol = fresh(w, old);
            let (q, rho) = (w.g.symbol(old), w.g.symbol(symbol));
            let (mut whole, mut difference) = (vec![(rho, Rational::ONE)], vec![(q, Rational::ONE)]);
            for (r, c) in &from {
                let e = w.g.symbol(self.flow.coordinates[*r]);
                whole.push((e, c.clone()));
                difference.push((e, -c.clone()));
            }
            map.insert(old, w.g.linear(Rational::ZERO, whole));
            let expr = w.g.linear(Rational::ZERO, difference);
            self.relative.push(Relative { symbol, index: i, from, expr });
        }
        let put = |w: &mut Workbench, list: &[Expr]| -> Vec<Expr> {
            let list = w.g.substitute_all(list, &map);
            w.simplify_all(&list)
        };
        let mut velocities = put(w, &self.flow.velocities);
        let before = velocities.clone();
        for r in &self.relative {
            let mut terms = vec![(before[r.index], Rational::ONE)];
            terms.extend(r.from.iter().map(|(k, c)| (before[*k], -c.clone())));
            let e = w.g.linear(Rational::ZERO, terms);
            velocities[r.index] = w.simplify(e);
        }
        self.flow.velocities = velocities;
        self.flow.mass = self.flow.mass.iter().map(|row| put(w, row)).collect();
        self.flow.right = put(w, &self.flow.right);
        self.flow.rates = self.flow.rates.as_ref().map(|rates| put(w, rates));
        for r in &self.relative {
            let old = self.flow.coordinates[r.index];
            self.shape.iter_mut().filter(|s| **s == old).for_each(|s| *s = r.symbol);
            self.flow.coordinates[r.index] = r.symbol;
        }
        let gone: Vec<Symbol> = references.iter().map(|&k| self.shape[k]).collect();
        self.shape.retain(|s| !gone.contains(s));
        let mut must = self.flow.sources();
        must.extend(self.shape.iter().filter_map(|&s| self.flow.rate_of(s)));
        if must.iter().any(|&e| w.g.depends_on_any(e, &gone)) {
            return None;
        }
        let shape = self.shape.clone();
        self.quadratures = self.flow.coordinates.iter().copied().filter(|s| !shape.contains(s)).collect();
        self.symmetry = symmetry(w, &self.flow, &self.quadratures);
        Some(self)
    }
}

/// Shifts of the coordinates of the closed part that leave its rates as they are, reduced: each begins with 1 at a coordinate
/// at which the others have 0.
fn shifts(w: &mut Workbench, r: &Reduction) -> Vec<Vec<Rational>> {
    let mut list = r.flow.sources();
    list.extend(r.shape.iter().filter_map(|&s| r.flow.rate_of(s)));
    if w.g.reachable(&list).len() > LONG {
        return Vec::new();
    }
    let width = r.shape.len();
    let mut slopes = Vec::new();
    for &e in &list {
        slopes.extend(r.shape.iter().map(|&s| w.g.diff(e, s)));
    }
    let tape = evaluator(&mut w.g, &slopes);
    let mut generic = Generic::new(&mut w.g, &w.system.clone());
    let drawn = vanishing(width, || {
        let values = generic.values(&w.g, &tape)?;
        Some(values.chunks(width).map(<[_]>::to_vec).collect())
    });
    let Some(echelon) = drawn else { return Vec::new() };
    let mut rows = echelon.null_space();
    row_reduce(&mut rows);
    // A shift of one coordinate alone would have been seen; a wild number is none that a model means.
    let lifted = rows.iter().map(|row| row.iter().map(|&x| lift(x)).collect::<Option<Vec<Rational>>>());
    let small = |c: &Vec<Rational>| c.iter().all(|x| x.small().is_some_and(|(n, d)| n.abs() <= 100 && d <= 100));
    let found: Option<Vec<Vec<Rational>>> = lifted.collect();
    found
        .unwrap_or_default()
        .into_iter()
        .filter(|c| small(c) && c.iter().filter(|x| !x.is_zero()).count() > 1)
        .collect()
}

/// Counts headings from the first of them, in the system itself: a coordinate ρ = q − q_r takes the place of each other one. What they
/// are in the model's own coordinates.
pub(super) fn recounted(w: &mut Workbench, headings: &[usize]) -> Vec<(Symbol, Expr)> {
    let Some((&first, others)) = headings.split_first() else { return Vec::new() };
    let old = w.system.clone();
    let (mut map, mut counted) = (FxHashMap::default(), Vec::new());
    let mut symbols = [old.coordinates.clone(), old.velocities.clone(), old.accelerations.clone()];
    for &i in others {
        let mut own = fresh(w, old.coordinates[i]);
        let (q, r) = (w.g.symbol(old.coordinates[i]), w.g.symbol(old.coordinates[first]));
        counted.push((own, w.g.sub(q, r)));
        for list in &mut symbols {
            let (rho, from) = (w.g.symbol(own), w.g.symbol(list[first]));
            map.insert(list[i], w.g.add(rho, from));
            list[i] = own;
            own = w.g.dot(own);
        }
    }
    let mut system = old.mapped(|e| w.g.substitute(e, &map));
    [system.coordinates, system.velocities, system.accelerations] = symbols;
    for &i in others {
        system.forces[first] = w.g.add(system.forces[first], system.forces[i]);
    }
    if let Some(initial) = &mut system.initial {
        for list in [&mut initial.position, &mut initial.velocity] {
            for &i in others {
                list[i] = list[i].zip(list[first]).map(|(a, b)| w.g.sub(a, b));
            }
        }
    }
    let mut bench = Workbench::new(w.g.clone(), system);
    bench.limits = w.limits.clone();
    *w = bench;
    counted
}

/// A free name like that of a coordinate.
fn fresh(w: &mut Workbench, old: Symbol) -> Symbol {
    let stem = format!("{}_rel", w.g.name(old));
    let taken =
        |w: &Workbench, name: &str| w.g.lookup(name).is_some() || w.system.definitions.iter().any(|d| d.name == name);
    let mut name = stem.clone();
    let mut index = 1;
    while taken(w, &name) {
        index += 1;
        name = format!("{stem}_{index}");
    }
    w.g.declare(&name, Role::Coordinate)
}
