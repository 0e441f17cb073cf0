//! The mechanics of a model file: energies, forces, constraints, quasi-velocities.

use super::load::{Loader, misspelt};
use super::scope::{Place, order_of, roughness};
use super::system::Constraint;
use crate::error::Error;
use crate::expr::zero::{ZeroOptions, is_zero};
use crate::expr::{Arena, Expr, NameError, Node, Rational, Role, Symbol, near_miss};
use crate::numeric::counted;
use crate::source::{Entry, Item, Value};

impl Loader<'_> {
    /// The kinetic energy, and the energy of acceleration where the author wrote it; either says what the other is.
    pub(super) fn kinetic_energies(
        &mut self,
        file: &[Entry],
        energy: Option<&Entry>,
        coordinates: &[Symbol],
    ) -> (Option<Expr>, Option<Expr>) {
        let entry = |key: &str| energy.and_then(|e| e.item.value.get(key));
        let Some(written) = entry("acceleration") else { return (self.kinetic(file, energy), None) };
        let Some(s) = self.expression(&written.item, &Place::ACCELERATION_ENERGY) else { return (None, None) };
        if order_of(&self.arena, s) != Some(2) {
            let error =
                Error::input("the energy of acceleration contains no acceleration").at(written.item.span.clone());
            self.error(error.hint("accelerations are written with two primes: `m/2*x''^2`"));
            return (None, None);
        }
        let velocities: Vec<Symbol> = coordinates.iter().map(|&q| self.arena.dot(q)).collect();
        let accelerations: Vec<Symbol> = velocities.iter().map(|&v| self.arena.dot(v)).collect();
        let by_accelerations = self.arena.gradient(s, &accelerations);
        let kinetic = match entry("kinetic") {
            Some(_) => self.kinetic(file, energy),
            None => Some(self.quadratic_form(&by_accelerations, &accelerations, &velocities)),
        };
        let Some(kinetic) = kinetic else { return (None, None) };
        for (i, &left) in by_accelerations.iter().enumerate() {
            let momentum = self.arena.diff(kinetic, velocities[i]);
            let rate = self.arena.time_derivative(momentum);
            let by_q = self.arena.diff(kinetic, coordinates[i]);
            let operator = self.arena.sub(rate, by_q);
            let difference = self.arena.sub(left, operator);
            if !is_zero(&mut self.arena, difference, &ZeroOptions::default()).holds() {
                let q = self.arena.name(coordinates[i]).to_owned();
                let message =
                    format!("the energy of acceleration does not belong to the kinetic energy: ∂S/∂{q}'' is another");
                let hint = match entry("kinetic") {
                    Some(_) => {
                        "∂S/∂q'' is d/dt ∂T/∂q' − ∂T/∂q for every coordinate; leave one of the two out, and it follows"
                    }
                    None => {
                        "from S alone T follows where it is a quadratic form in the velocities; write `kinetic` beside it"
                    }
                };
                self.error(Error::input(message).at(written.item.span.clone()).hint(hint));
                return (None, None);
            }
        }
        (Some(kinetic), Some(s))
    }

    /// ½ Σ M_ij v_i v_j, where M is what the list has before the accelerations.
    fn quadratic_form(&mut self, list: &[Expr], accelerations: &[Symbol], velocities: &[Symbol]) -> Expr {
        let half = Rational::new(1, 2).unwrap_or(Rational::ONE);
        let mut terms = Vec::new();
        for (&e, &v) in list.iter().zip(velocities) {
            for (&a, &u) in accelerations.iter().zip(velocities) {
                let m = self.arena.diff(e, a);
                let (v, u) = (self.arena.symbol(v), self.arena.symbol(u));
                terms.push((self.arena.product([m, v, u]), half.clone()));
            }
        }
        self.arena.linear(Rational::ZERO, terms)
    }

    fn kinetic(&mut self, file: &[Entry], energy: Option<&Entry>) -> Option<Expr> {
        let missing = Error::input("the kinetic energy is missing")
            .hint("write for example `[energy]` and below it `kinetic = \"m/2*x'^2\"`");
        let Some(energy) = energy else {
            if !misspelt(file, "energy") {
                self.error(missing);
            }
            return None;
        };
        let Some(entry) = energy.item.value.get("kinetic") else {
            if let Value::Table(list) = &energy.item.value
                && !misspelt(list, "kinetic")
            {
                self.error(missing.at(energy.key_span.clone()));
            }
            return None;
        };
        let e = self.expression(&entry.item, &Place::KINETIC)?;
        if order_of(&self.arena, e) != Some(1) {
            self.error(
                Error::input("the kinetic energy contains no velocity")
                    .at(entry.item.span.clone())
                    .hint("velocities are written with a prime: `m/2*x'^2`"),
            );
        }
        Some(e)
    }

    pub(super) fn forces(&mut self, list: &[Entry], coordinates: &[Symbol]) -> Vec<Expr> {
        let mut forces = vec![self.arena.zero(); coordinates.len()];
        for entry in list {
            let i = self.coordinate(entry, coordinates, "a force");
            let force = self.expression(&entry.item, &Place::FORCE);
            if let (Some(i), Some(force)) = (i, force) {
                forces[i] = force;
            }
        }
        forces
    }

    /// Adds what follows from a dissipation function, Q_i = −∂D/∂q̇_i, and from the power of forces, Q_i = ∂P/∂q̇_i.
    pub(super) fn forces_of_functions(&mut self, energy: &[Entry], coordinates: &[Symbol], forces: &mut [Expr]) {
        let velocities: Vec<Symbol> = coordinates.iter().map(|&q| self.arena.dot(q)).collect();
        let entry = |key: &str| energy.iter().find(|e| e.key == key);
        if let Some(entry) = entry("dissipation")
            && let Some(d) = self.expression(&entry.item, &Place::DISSIPATION)
        {
            for (force, &v) in forces.iter_mut().zip(&velocities) {
                let resistance = self.arena.diff(d, v);
                *force = self.arena.sub(*force, resistance);
            }
        }
        if let Some(entry) = entry("power")
            && let Some(p) = self.expression(&entry.item, &Place::POWER)
        {
            let linear = self.arena.affine(p, &velocities);
            let Some((list, _)) = linear.filter(|(_, rest)| self.arena.is_zero(*rest)) else {
                let error = Error::input("the power is not a linear form in the velocities")
                    .at(entry.item.span.clone())
                    .hint("forces that depend on velocities follow from `dissipation`, or stand under [forces]");
                return self.error(error);
            };
            for (force, q) in forces.iter_mut().zip(list) {
                *force = self.arena.add(*force, q);
            }
        }
    }

    /// The coordinate a key names.
    pub(super) fn coordinate(&mut self, entry: &Entry, coordinates: &[Symbol], what: &str) -> Option<usize> {
        let found = coordinates.iter().position(|&q| self.arena.name(q) == entry.key);
        if found.is_none() && !self.names.incomplete {
            let mut error = NameError::unknown("coordinate", &entry.key, self.names.coordinates());
            let known: Vec<&str> = self.names.coordinates().collect();
            let meant = near_miss::derivative(&entry.key, |n| known.contains(&n));
            error.hint = Some(if let Some((plain, _)) = meant {
                format!("{what} is given by the name of the coordinate: `{plain}`")
            } else if entry.key.contains('\'') {
                format!("{what} is given by the name of the coordinate, without a prime")
            } else {
                format!("{what} belongs to one of the coordinates {}", known.join(", "))
            });
            self.error(error.at(entry.key_span.clone()));
        }
        found
    }

    pub(super) fn constraint(&mut self, entry: &Entry, multiplier: Symbol) -> Option<Constraint> {
        let name = entry.key.as_str();
        let (equation, friction, contact) = match &entry.item.value {
            Value::Table(list) => {
                self.known_keys(
                    "a constraint",
                    list,
                    &["equation", "friction", "contact", "sliding", "restitution", "law"],
                );
                let Some(equation) = entry.item.value.get("equation") else {
                    self.error(
                        Error::input(format!("constraint `{name}` has no equation"))
                            .at(entry.key_span.clone())
                            .hint("write `{ equation = \"lhs = rhs\", ... }`"),
                    );
                    return None;
                };
                (&equation.item, entry.item.value.get("friction"), entry.item.value.get("contact"))
            }
            _ => (&entry.item, None, None),
        };
        let contact = contact.and_then(|c| self.string(&c.item, "the name of a contact"));
        let friction = friction.and_then(|f| self.expression(&f.item, &Place::FRICTION));
        let other = |key: &str| entry.item.value.get(key).filter(|_| matches!(entry.item.value, Value::Table(_)));
        let sliding = other("sliding").and_then(|e| self.expression(&e.item, &Place::LAW));
        let restitution = other("restitution").and_then(|e| self.expression(&e.item, &Place::FORCE));
        let (expr, inequality) = self.constraint_text(equation)?;
        self.beside_the_equation(entry, inequality, friction.is_some());
        let span = equation.span.clone();
        let Some(order) = order_of(&self.arena, expr) else {
            let error = match self.arena.as_number(expr) {
                Some(n) if n.is_zero() => {
                    Error::input(format!("constraint `{name}` says nothing: both sides are equal"))
                }
                Some(_) => Error::input(format!("constraint `{name}` can never hold: its sides differ by a number")),
                None => Error::input(format!("constraint `{name}` contains no coordinate and no velocity")),
            };
            self.error(error.at(span).hint("a constraint relates coordinates, velocities or accelerations"));
            return None;
        };
        if inequality && order >= 2 {
            let error = Error::input(format!("inequality `{name}` contains accelerations")).at(span);
            self.error(error.hint("an inequality is about coordinates or velocities"));
            return None;
        }
        let highest = if order == 3 { Role::Other } else { Role::Acceleration };
        let highest: Vec<Symbol> =
            self.arena.free_symbols(&[expr]).into_iter().filter(|&s| self.arena.role(s) == highest).collect();
        let linear = order < 2 || self.arena.affine(expr, &highest).is_some();
        if order == 3 && !linear {
            let error = Error::input(format!("constraint `{name}` is not linear in the third derivatives")).at(span);
            self.error(error.hint("a constraint of third order has the form a*x''' + b*y''' + … = c"));
            return None;
        }
        let higher = order == 3 || !linear;
        // A holonomic constraint is differentiated twice, one of first order once, one nonlinear in the accelerations once.
        let needed = if higher && order == 2 { 1 } else { 2u8.saturating_sub(order) };
        if let Some((what, smooth)) = roughness(&self.arena, &self.tables, expr).filter(|(_, smooth)| *smooth < needed)
        {
            if smooth == 0 {
                self.error(
                    Error::input(format!("{what} has no derivative, and constraint `{name}` must be differentiated"))
                        .at(span)
                        .hint("use a smooth function; tables with `interpolation = \"spline\"` can be differentiated twice"),
                );
                return None;
            }
            self.findings.warning(
                Error::input(format!("{what} bends in constraint `{name}`, which is differentiated twice"))
                    .at(span.clone())
                    .hint("`interpolation = \"spline\"` has a continuous second derivative"),
            );
        }
        let name = name.to_owned();
        let span = Some(span);
        Some(Constraint {
            name,
            expr,
            order,
            higher,
            multiplier,
            friction,
            sliding,
            inequality,
            restitution,
            contact,
            span,
        })
    }

    /// φ of an equation, or of an inequality that says φ ≥ 0; which of the two it is.
    fn constraint_text(&mut self, item: &Item) -> Option<(Expr, bool)> {
        let Value::String(text) = &item.value else { return Some((self.equation(item, &Place::CONSTRAINT)?, false)) };
        let Some((at, less)) = text.find(">=").map(|i| (i, false)).or(text.find("<=").map(|i| (i, true))) else {
            return Some((self.equation(item, &Place::CONSTRAINT)?, false));
        };
        // A blank for the other sign keeps the places right.
        let mut equation = text.clone();
        equation.replace_range(at..at + 2, "= ");
        let item = Item { value: Value::String(equation), span: item.span.clone() };
        let e = self.equation(&item, &Place::CONSTRAINT)?;
        Some((if less { self.arena.neg(e) } else { e }, true))
    }

    /// What stands beside an equation must belong to it.
    fn beside_the_equation(&mut self, entry: &Entry, inequality: bool, friction: bool) {
        let of = |key: &str| entry.item.value.get(key).filter(|_| matches!(entry.item.value, Value::Table(_)));
        let name = &entry.key;
        let wrong = match (of("sliding"), of("restitution"), of("friction")) {
            (Some(e), ..) if !friction => Some((e, format!("constraint `{name}` slides, but has no `friction`"))),
            (_, Some(e), _) if !inequality => {
                Some((e, format!("constraint `{name}` is no inequality, nothing rebounds")))
            }
            (.., Some(e)) if inequality => Some((e, format!("inequality `{name}` has `friction`"))),
            _ => None,
        };
        if let Some((e, message)) = wrong {
            let hint = "`sliding` stands beside `friction`, `restitution` beside an inequality such as \"z >= 0\"; friction along a \
                        contact is a constraint of its own";
            self.error(Error::input(message).at(e.key_span.clone()).hint(hint));
        }
    }

    /// The constraints of one contact are directions of one force and have one limit of friction.
    pub(super) fn one_limit_per_contact(&mut self, constraints: &[Constraint]) {
        for (j, c) in constraints.iter().enumerate() {
            let Some(contact) = &c.contact else { continue };
            let others = constraints.iter().filter(|other| other.contact.as_ref() == Some(contact));
            let limits: Vec<Expr> = others.filter_map(|other| other.friction).collect();
            let error = match (limits.first(), c.friction) {
                (None, _) if constraints[..j].iter().all(|other| other.contact.as_ref() != Some(contact)) => {
                    Error::input(format!("contact `{contact}` has no friction")).hint(
                        "write `friction = \"...\"`, the largest force it can give, beside one of its constraints",
                    )
                }
                (Some(&first), Some(own)) if first != own => {
                    Error::input(format!("contact `{contact}` has two different limits of friction"))
                        .hint("write `friction` beside one of its constraints only")
                }
                _ => continue,
            };
            self.error(match &c.span {
                Some(span) => error.at(span.clone()),
                None => error,
            });
        }
    }

    /// Two constraints that differ by a factor say the same, or contradict each other.
    pub(super) fn no_repetition(&mut self, constraints: &[Constraint]) {
        let shapes: Vec<(Expr, Rational)> = constraints.iter().map(|c| shape(&mut self.arena, c.expr)).collect();
        for (j, (rest, constant)) in shapes.iter().enumerate() {
            let Some(i) = shapes[..j].iter().position(|(earlier, _)| earlier == rest) else { continue };
            let (a, b) = (&constraints[i].name, &constraints[j].name);
            let placed = |error: Error| Error { span: constraints[j].span.clone(), ..error };
            if shapes[i].1 == *constant {
                // Redundant, but consistent: the motion is determined, only the reaction is shared in more than one way.
                let repeated = Error::input(format!("constraint `{b}` says the same as constraint `{a}`"));
                self.findings.warning(placed(repeated.hint("remove one of them, or their reactions are not unique")));
            } else {
                let error = Error::input(format!("constraint `{b}` contradicts constraint `{a}`"));
                self.error(placed(error.hint("their left sides agree up to a factor, their right sides do not")));
            }
        }
    }

    pub(super) fn counts(&mut self, n: usize, constraints: &[Entry], quasi: usize, section: Option<&Entry>) {
        let k = constraints.len();
        if self.names.incomplete {
            return;
        }
        if let Some(last) = constraints.last().filter(|_| k > n && n > 0) {
            self.error(
                Error::input(format!("{} for {}", counted(k, "constraint"), counted(n, "coordinate")))
                    .at(last.key_span.clone())
                    .hint("more constraints than coordinates cannot be independent"),
            );
        } else if let Some(section) = section.filter(|_| quasi > 0 && quasi != n.saturating_sub(k)) {
            let free = n.saturating_sub(k);
            let message = format!("{} given where {free} would be needed", counted(quasi, "quasi-velocity"));
            self.error(Error::input(message).at(section.key_span.clone()).hint(format!(
                "{} with {} leave {free} free; the constraints complete the basis",
                counted(n, "coordinate"),
                counted(k, "constraint")
            )));
        }
    }
}

/// An expression up to a numeric factor, and the constant beside it.
fn shape(arena: &mut Arena, e: Expr) -> (Expr, Rational) {
    match arena.node(e).clone() {
        Node::Sum { constant, terms } => {
            let factor = terms.first().and_then(|(_, c)| c.recip()).unwrap_or(Rational::ONE);
            let rest = arena.linear(Rational::ZERO, terms.iter().map(|(t, c)| (*t, c * &factor)));
            (rest, &constant * &factor)
        }
        _ => (arena.split_coefficient(e).1, Rational::ZERO),
    }
}
