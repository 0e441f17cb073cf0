//! Quasi-velocities: `v = "x'*cos(phi) + y'*sin(phi)"`, or the other way round, `"x'" = "v*cos(phi)"`.

use super::load::{Loader, Model};
use super::scope::{Meaning, Place, order_of};
use super::system::{Constraint, QuasiVelocity};
use crate::error::Error;
use crate::expr::field::{Fp, SplitMix, rank};
use crate::expr::normal::Options;
use crate::expr::zero::{FieldEvaluator, FieldPoint};
use crate::expr::{Arena, Callable, Expr, Matrix, Role, Symbol, names_in, simplify, transpose};
use crate::source::{Entry, Value};
use rustc_hash::FxHashMap;

/// Draws of a generic state before it is given up: roots of non-squares, poles.
const DRAWS: usize = 60;

/// Is it a velocity that is given by quasi-velocities?
fn is_velocity(entry: &Entry) -> bool {
    entry.key.ends_with('\'')
}

impl Model {
    /// A quasi-velocity or definition with a given value, as a relation of the initial state ([`crate::model::Initial`]).
    pub fn initial_relation(&mut self, name: &str, value: Expr) -> Option<(String, Expr, bool)> {
        let expr = match self.names.get(name)? {
            Meaning::QuasiVelocity(s) => self.names.quasi.get(&s).copied(),
            Meaning::Definition(slot) => self.names.definitions[slot].expr,
            _ => None,
        }?;
        let velocities = order_of(&self.arena, expr)? == 1;
        Some((name.to_owned(), self.arena.sub(expr, value), velocities))
    }
}

impl Loader<'_> {
    /// Makes the quasi-velocities known: those that are given, and what velocities are given by and is not known otherwise.
    pub(super) fn quasi_velocity_names(&mut self, list: &[Entry]) -> Vec<Option<Symbol>> {
        let mut symbols = Vec::new();
        for e in list.iter().filter(|e| !is_velocity(e)) {
            symbols.push(self.symbol(&e.key, &e.key_span, Role::QuasiVelocity, Meaning::QuasiVelocity));
        }
        for e in list.iter().filter(|e| is_velocity(e)) {
            let Value::String(text) = &e.item.value else { continue };
            for (name, _) in names_in(text, self.limits.number_bits) {
                let known = self.names.get(name).is_some() || Callable::built_in(name).is_some();
                if !known && self.names.call_of(name).is_none() && !name.contains('.') {
                    symbols.push(self.symbol(name, &e.item.span, Role::QuasiVelocity, Meaning::QuasiVelocity));
                }
            }
        }
        symbols
    }

    pub(super) fn quasi_velocities(
        &mut self,
        list: &[Entry],
        symbols: &[Option<Symbol>],
        coordinates: &[Symbol],
    ) -> Vec<QuasiVelocity> {
        let mut quasi_velocities = Vec::new();
        if list.iter().any(is_velocity) {
            quasi_velocities = self.solved_for_quasi_velocities(list, symbols, coordinates).unwrap_or_default();
        }
        for (entry, symbol) in list.iter().filter(|e| !is_velocity(e)).zip(symbols) {
            let Some(expr) = self.expression(&entry.item, &Place::QUASI_VELOCITY) else { continue };
            if order_of(&self.arena, expr) != Some(1) {
                let message = format!("quasi-velocity `{}` contains no velocity", entry.key);
                self.error(
                    Error::input(message)
                        .at(entry.item.span.clone())
                        .hint("velocities are written with a prime: `x'*cos(phi) + y'*sin(phi)`"),
                );
            } else if let Some(symbol) = *symbol {
                quasi_velocities.push(QuasiVelocity { symbol, expr });
            }
        }
        self.names.quasi = quasi_velocities.iter().map(|v| (v.symbol, v.expr)).collect();
        quasi_velocities
    }

    /// Solves q̇ = C·v + c for v: v = (CᵀC)⁻¹Cᵀ(q̇ − c), which is regular wherever C has full rank, and exact where q̇ has this form.
    fn solved_for_quasi_velocities(
        &mut self,
        list: &[Entry],
        symbols: &[Option<Symbol>],
        coordinates: &[Symbol],
    ) -> Option<Vec<QuasiVelocity>> {
        let first = list.iter().find(|e| is_velocity(e))?;
        if let Some(other) = list.iter().find(|e| !is_velocity(e)) {
            let error =
                Error::input(format!("`{}` is given by velocities, `{}` by quasi-velocities", other.key, first.key))
                    .at(other.key_span.clone())
                    .hint("write all quasi-velocities by velocities, or all velocities by quasi-velocities");
            self.error(error);
            return None;
        }
        let free: Vec<Symbol> = symbols.iter().copied().collect::<Option<_>>()?;
        let mut velocities = Vec::new();
        let mut rows: Vec<Option<(Vec<Expr>, Expr)>> = vec![None; coordinates.len()];
        for entry in list {
            let plain = Entry { key: entry.key.trim_end_matches('\'').to_owned(), ..entry.clone() };
            let i = self.coordinate(&plain, coordinates, "a velocity");
            let e = self.expression(&entry.item, &Place::VELOCITY)?;
            let rest = self.arena.without(e, &free);
            if order_of(&self.arena, rest) > Some(0) {
                let error = Error::input(format!("`{}` is given by another velocity", entry.key))
                    .at(entry.item.span.clone())
                    .hint("it is given by quasi-velocities, coordinates and time");
                self.error(error);
                return None;
            }
            let Some(row) = self.arena.affine(e, &free) else {
                let error = Error::input(format!("`{}` is not linear in the quasi-velocities", entry.key))
                    .at(entry.item.span.clone())
                    .hint("solve for them yourself, and write each as `u = \"...\"`");
                self.error(error);
                return None;
            };
            let i = i?;
            velocities.push((self.arena.dot(coordinates[i]), e));
            rows[i] = Some(row);
        }
        if let Some(i) = rows.iter().position(Option::is_none) {
            let name = self.arena.name(coordinates[i]).to_owned();
            let error = Error::input(format!("the velocity `{name}'` is not given by quasi-velocities"))
                .at(first.key_span.clone())
                .hint(format!("write `\"{name}'\" = \"...\"` beside the others"));
            self.error(error);
            return None;
        }
        self.names.velocities = velocities;
        let (c, offset): (Matrix, Vec<Expr>) = rows.into_iter().flatten().unzip();
        let Some(solution) = self.least_squares(&c, &offset, coordinates) else {
            let error = Error::input("the quasi-velocities are not determined by the velocities")
                .at(first.key_span.clone())
                .hint("different quasi-velocities give the same velocities");
            self.error(error);
            return None;
        };
        Some(free.into_iter().zip(solution).map(|(symbol, expr)| QuasiVelocity { symbol, expr }).collect())
    }

    /// Quasi-velocities and constraints together are a basis.
    pub(super) fn quasi_velocities_fit(
        &mut self,
        list: &[Entry],
        quasi: &[QuasiVelocity],
        constraints: &[Constraint],
        coordinates: &[Symbol],
    ) {
        self.velocities_satisfy(constraints);
        self.quasi_velocities_are_independent(list, quasi, constraints, coordinates);
    }

    /// Velocities that are given by quasi-velocities satisfy the constraints, whatever these are.
    fn velocities_satisfy(&mut self, constraints: &[Constraint]) {
        if self.names.velocities.is_empty() || !self.findings.errors.is_empty() {
            return;
        }
        let map: FxHashMap<Symbol, Expr> = self.names.velocities.iter().copied().collect();
        for c in constraints.iter().filter(|c| c.order < 2) {
            let e = if c.order == 0 { self.arena.time_derivative(c.expr) } else { c.expr };
            let e = self.arena.substitute(e, &map);
            let rest = simplify(&mut self.arena, e, self.limits);
            // A holonomic constraint may be needed to see that its own derivative vanishes.
            if !self.arena.is_zero(rest) && constraints.iter().all(|c| c.order == 1) {
                let message =
                    format!("the velocities that are given by quasi-velocities violate constraint `{}`", c.name);
                let error =
                    Error::input(message).hint("put them into the constraint: it must hold for all quasi-velocities");
                self.error(Error { span: c.span.clone(), ..error });
            }
        }
    }

    /// As velocities they are independent of each other and of the constraints at a generic state, or they are no basis.
    fn quasi_velocities_are_independent(
        &mut self,
        list: &[Entry],
        quasi: &[QuasiVelocity],
        constraints: &[Constraint],
        coordinates: &[Symbol],
    ) {
        if quasi.is_empty() || !self.findings.errors.is_empty() || quasi.len() + constraints.len() != coordinates.len()
        {
            return;
        }
        // What is asked here must leave no trace in the expressions of the model.
        let mut g = self.arena.clone();
        let mut entries = Vec::new();
        let of = constraints.iter().map(|c| (c.expr, c.order)).chain(quasi.iter().map(|v| (v.expr, 1)));
        for (e, order) in of {
            for &q in coordinates {
                let by = (0..order).fold(q, |s, _| g.dot(s));
                entries.push(g.diff(e, by));
            }
        }
        let evaluator = FieldEvaluator::new(&mut g, &entries, &Options::default());
        let mut random = SplitMix::new(0x7175_6173_6921);
        let drawn = (0..DRAWS).find_map(|_| evaluator.at(&g, &FieldPoint::new(random.field().value())).ok());
        let Some(values) = drawn else { return };
        let rows: Vec<Vec<Fp>> = values.chunks(coordinates.len()).map(<[Fp]>::to_vec).collect();
        let k = constraints.len();
        let Some(v) = (0..quasi.len()).find(|i| rank(&rows[..k + i]) == rank(&rows[..=k + i])) else { return };
        let name = self.arena.name(quasi[v].symbol);
        let place = list.iter().find(|e| e.key == name).map(|e| e.key_span.clone());
        let others = if v == 0 { "the constraints" } else { "those before it and the constraints" };
        let error = Error::input(format!("quasi-velocity `{name}` is not independent of {others}"))
            .hint("leave it out and give one that they do not determine");
        self.error(Error { span: place, ..error });
    }

    fn least_squares(&mut self, c: &Matrix, offset: &[Expr], coordinates: &[Symbol]) -> Option<Vec<Expr>> {
        let limits = self.limits;
        let mut simple = |arena: &mut Arena, e: Expr| simplify(arena, e, limits);
        let turned = transpose(c);
        let mut square = self.arena.matrix_product(&turned, c);
        for e in square.iter_mut().flatten() {
            *e = simple(&mut self.arena, *e);
        }
        let inverse = self.arena.inverse(&square, &mut simple)?;
        let mut moved = Vec::new();
        for (&q, &offset) in coordinates.iter().zip(offset) {
            let v = self.arena.dot(q);
            let v = self.arena.symbol(v);
            moved.push(self.arena.sub(v, offset));
        }
        let right = self.arena.matrix_vector(&turned, &moved);
        let solution = self.arena.matrix_vector(&inverse, &right);
        Some(solution.into_iter().map(|e| simple(&mut self.arena, e)).collect())
    }
}
