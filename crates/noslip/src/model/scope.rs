//! What names mean in a model, and which of them may stand where.

use super::definitions::NamedFunction;
use super::system::{Interpolation, Table};
use crate::error::{Error, ErrorKind, Span};
use crate::expr::{
    Arena, Callable, Expr, Function, NameError, Node, Role, Scope, Symbol, names_in, near_miss, parse_expression,
};
use crate::limits::Limits;
use crate::source::valid_name;
use rustc_hash::FxHashMap;

/// What a name of the model stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Constant(Symbol),
    Time(Symbol),
    Coordinate(Symbol),
    Parameter(Symbol),
    /// By its index in [`Names::definitions`].
    Definition(usize),
    /// By its index in [`Names::functions`].
    Function(usize),
    QuasiVelocity(Symbol),
    Multiplier(Symbol),
    Table,
}

impl Meaning {
    fn noun(self) -> &'static str {
        match self {
            Meaning::Constant(_) | Meaning::Time(_) => "reserved name",
            Meaning::Coordinate(_) => "coordinate",
            Meaning::Parameter(_) => "parameter",
            Meaning::Definition(_) => "definition",
            Meaning::Function(_) => "function",
            Meaning::QuasiVelocity(_) => "quasi-velocity",
            Meaning::Multiplier(_) => "multiplier of a constraint",
            Meaning::Table => "table",
        }
    }
}

/// An abbreviation.
#[derive(Clone, Debug)]
pub(super) struct Abbreviation {
    pub(super) name: String,
    /// `None` when its text was wrong: that has been reported, and what uses it is not complained about again.
    pub(super) expr: Option<Expr>,
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    list: Vec<(String, Meaning, Option<Span>)>,
    by_name: FxHashMap<String, usize>,
    pub(super) definitions: Vec<Abbreviation>,
    pub(super) functions: Vec<NamedFunction>,
    /// Functions and derivatives of them that were called.
    pub(super) calls: Vec<(usize, Vec<u8>)>,
    /// What quasi-velocities stand for.
    pub(super) quasi: FxHashMap<Symbol, Expr>,
    /// Velocities that are given by quasi-velocities.
    pub(super) velocities: Vec<(Symbol, Expr)>,
    /// What names, with so many primes, stand for while the expression of a function is read.
    pub(super) formals: Vec<(String, u8, Symbol)>,
    /// Names of constraints: they are not names in expressions, but people use them as such.
    pub(super) constraints: Vec<String>,
    /// A section of names could not be read: an unknown name may be one of those, and is not complained about.
    pub(super) incomplete: bool,
    /// Names with a dot and the definitions they stand for.
    pub(super) aliases: Vec<(String, String)>,
    /// Names with a dot that the model itself does not use, and what they need: read when somebody asks.
    pub(super) hidden: FxHashMap<String, String>,
    grades: FxHashMap<Expr, Grade>,
    /// Rates of change of the symbols in definitions, and the derivatives found with them.
    rates: FxHashMap<Symbol, Expr>,
    derivatives: FxHashMap<Expr, Expr>,
}

/// What decides where an expression may stand. Kept per node, so that long chains of definitions take linear time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Grade {
    /// The highest derivative of a coordinate; multipliers count as accelerations, like which they are determined.
    pub(super) order: Option<u8>,
    /// Contains something that cannot be differentiated.
    pub(super) rough: bool,
    /// Nested functions, powers and products: the size of a derivative grows with the square of it.
    depth: usize,
}

impl Names {
    pub(super) fn new(arena: &Arena) -> Names {
        let mut names = Names::default();
        names.insert("t", Meaning::Time(arena.time()), None);
        names.insert("pi", Meaning::Constant(arena.pi()), None);
        names
    }

    fn insert(&mut self, name: &str, meaning: Meaning, span: Option<Span>) {
        self.by_name.insert(name.to_owned(), self.list.len());
        self.list.push((name.to_owned(), meaning, span));
    }

    /// Names with their meanings and places, in the order of their declaration.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, Meaning, Option<&Span>)> {
        self.list.iter().map(|(name, meaning, span)| (name.as_str(), *meaning, span.as_ref()))
    }

    pub(super) fn get(&self, name: &str) -> Option<Meaning> {
        self.by_name.get(name).map(|&i| self.list[i].1)
    }

    /// All names in the order of their declaration, those of the model before `t` and `pi`.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        let (reserved, own) = self.list.split_at(2.min(self.list.len()));
        own.iter().chain(reserved).map(|(name, ..)| name.as_str())
    }

    /// Names of coordinates.
    pub(super) fn coordinates(&self) -> impl Iterator<Item = &str> {
        self.list.iter().filter(|(_, m, _)| matches!(m, Meaning::Coordinate(_))).map(|(name, ..)| name.as_str())
    }

    /// Gives a name its meaning, once.
    pub(super) fn declare(&mut self, file: &str, name: &str, meaning: Meaning, span: Span) -> Result<(), Error> {
        valid_name(name).map_err(|e| e.at(span.clone()))?;
        if Callable::built_in(name).is_some() {
            return Err(Error::input(format!("`{name}` is the name of a function"))
                .at(span)
                .hint("choose another name"));
        }
        if let Some(&i) = self.by_name.get(name) {
            let (_, earlier, place) = &self.list[i];
            let error = Error::input(match earlier {
                Meaning::Time(_) => "`t` is reserved for time".to_owned(),
                Meaning::Constant(_) => format!("`{name}` is reserved for a constant"),
                _ if earlier.noun() == meaning.noun() => format!("{} `{name}` is declared twice", meaning.noun()),
                _ => format!("the name `{name}` is already used for a {}", earlier.noun()),
            });
            let hint = match place {
                Some(place) if !file.is_empty() => {
                    let (line, _) = super::render::line_and_column(file, place.start);
                    format!("it is declared in line {line}; choose another name")
                }
                _ => "choose another name".to_owned(),
            };
            return Err(error.at(span).hint(hint));
        }
        self.insert(name, meaning, Some(span));
        Ok(())
    }

    /// Gives a name a new meaning, hiding an earlier one.
    pub(super) fn shadow(&mut self, name: &str, meaning: Meaning, span: Span) {
        match self.by_name.get(name) {
            Some(&i) => self.list[i] = (name.to_owned(), meaning, Some(span)),
            None => self.insert(name, meaning, Some(span)),
        }
    }

    pub(super) fn grade(&mut self, arena: &Arena, tables: &[Table], e: Expr) -> Grade {
        for c in arena.reachable_where(&[e], |c| !self.grades.contains_key(&c)) {
            let node = arena.node(c);
            let mut grade = match node {
                Node::Symbol(s) => Grade { order: order_of_symbol(arena.role(*s)), ..Grade::default() },
                _ => Grade { rough: smoothness(node, tables) == Some(0), ..Grade::default() },
            };
            node.for_each_child(|child| {
                let below = self.grades.get(&child).copied().unwrap_or_default();
                grade.order = grade.order.max(below.order);
                grade.rough |= below.rough;
                grade.depth = grade.depth.max(below.depth);
            });
            grade.depth += usize::from(!matches!(node, Node::Number(_) | Node::Symbol(_) | Node::Sum { .. }));
            self.grades.insert(c, grade);
        }
        self.grades.get(&e).copied().unwrap_or_default()
    }

    /// The time derivative of an expression without accelerations and multipliers.
    fn derivative(&mut self, arena: &mut Arena, e: Expr) -> Expr {
        if self.rates.is_empty() {
            // All names are declared before the first definition is read.
            for s in arena.symbols() {
                if matches!(arena.role(s), Role::Coordinate | Role::Velocity | Role::Acceleration | Role::QuasiVelocity)
                {
                    let dot = arena.dot(s);
                    self.rates.insert(s, arena.symbol(dot));
                }
            }
            self.rates.insert(arena.time(), arena.one());
        }
        arena.directional_with(e, &self.rates, &mut self.derivatives)
    }

    /// Makes names with a dot known for the definitions they stand for.
    pub(super) fn give_aliases(&mut self) {
        for (dotted, name) in std::mem::take(&mut self.aliases) {
            if let Some(meaning) = self.get(&name) {
                self.insert(&dotted, meaning, None);
            }
        }
    }

    pub(super) fn add_definition(&mut self, name: &str) -> usize {
        self.definitions.push(Abbreviation { name: name.to_owned(), expr: None });
        self.definitions.len() - 1
    }
}

/// Where an expression stands, and what may stand there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// In words.
    pub(super) what: &'static str,
    /// The highest derivative of a coordinate: 0, 1, 2, 3; `None` where only parameters may stand.
    pub(super) order: Option<u8>,
    /// Multipliers, quasi-velocities and their derivatives.
    everything: bool,
    /// Quasi-velocities, as what they stand for.
    quasi: bool,
    /// How often the expression will be differentiated.
    smooth: u8,
}

const fn place(what: &'static str, order: Option<u8>, smooth: u8) -> Place {
    Place { what, order, everything: false, quasi: false, smooth }
}

const fn with_quasi_velocities(place: Place) -> Place {
    Place { quasi: true, ..place }
}

impl Place {
    pub(super) const PARAMETER: Place = place("the value of a parameter", None, 0);
    pub(super) const INITIAL: Place = place("an initial value", None, 0);
    pub(super) const DEFINITION: Place = place("a definition", Some(1), 0);
    pub(super) const KINETIC: Place = place("the kinetic energy", Some(1), 1);
    pub(super) const ACCELERATION_ENERGY: Place = place("the energy of acceleration", Some(2), 1);
    pub(super) const POTENTIAL: Place = place("the potential", Some(0), 1);
    pub(super) const OPERATOR: Place = place("an operator", Some(0), 1);
    pub(super) const FORCE: Place = with_quasi_velocities(place("a force", Some(1), 0));
    pub(super) const DISSIPATION: Place = with_quasi_velocities(place("the dissipation function", Some(1), 0));
    pub(super) const POWER: Place = with_quasi_velocities(place("the power of the forces", Some(1), 0));
    pub(super) const FRICTION: Place =
        Place { what: "a law of friction", order: Some(2), everything: true, quasi: false, smooth: 0 };
    pub(super) const LAW: Place =
        Place { what: "a law of friction", order: Some(1), everything: true, quasi: true, smooth: 0 };
    pub(super) const CONSTRAINT: Place = with_quasi_velocities(place("a constraint", Some(3), 0));
    /// A velocity that is given by quasi-velocities.
    pub(super) const VELOCITY: Place =
        Place { what: "a velocity", order: Some(1), everything: true, quasi: false, smooth: 1 };
    pub(super) const QUASI_VELOCITY: Place = place("a quasi-velocity", Some(1), 1);
    pub(super) const ARGUMENT_OF_FUNCTION: Place = place("the argument of a function", Some(1), 0);
    pub(super) const ARGUMENT: Place = place("the argument of a table", Some(1), 0);
    pub(super) const CLAIM: Place =
        Place { what: "a claim", order: Some(2), everything: true, quasi: false, smooth: 0 };

    fn hint(&self) -> String {
        match (self.order, self.everything) {
            (None, _) => "only numbers, `pi` and parameters may stand here",
            (Some(0), _) => "it may depend on the coordinates, time and parameters",
            (Some(1), _) => "it may depend on the coordinates, their velocities, time and parameters",
            (Some(_), false) => "it may depend on the coordinates, their first three derivatives, time and parameters",
            (Some(_), true) => "it may not contain derivatives higher than accelerations",
        }
        .to_owned()
    }
}

fn order_of_symbol(role: Role) -> Option<u8> {
    match role {
        Role::Coordinate => Some(0),
        Role::Velocity | Role::QuasiVelocity => Some(1),
        Role::Acceleration | Role::QuasiAcceleration | Role::Multiplier => Some(2),
        Role::MultiplierRate | Role::Other => Some(3),
        _ => None,
    }
}

/// The highest derivative of a coordinate in an expression: 0, 1, 2, … (`None`: not even a coordinate).
pub(super) fn order_of(arena: &Arena, e: Expr) -> Option<u8> {
    arena.free_symbols(&[e]).into_iter().filter_map(|s| order_of_symbol(arena.role(s))).max()
}

/// How often a node can be differentiated as a function of its children. `None`: as often as one likes.
fn smoothness(node: &Node, tables: &[Table]) -> Option<u8> {
    match node {
        Node::Call(Function::Abs | Function::Sign, _) => Some(0),
        Node::Table(id, derivative, _) => {
            let table = tables.iter().find(|t| t.id == *id)?;
            let smooth: u8 = match (&table.pieces, table.interpolation) {
                (Some((_, smooth)), _) => *smooth,
                (_, Interpolation::Linear) => 0,
                (_, Interpolation::Pchip) => 1,
                (_, Interpolation::Spline) => 2,
            };
            Some(smooth.saturating_sub(*derivative))
        }
        _ => None,
    }
}

/// How often an expression can be differentiated, and what stands in the way. `None`: as often as one likes.
pub(super) fn roughness(arena: &Arena, tables: &[Table], e: Expr) -> Option<(String, u8)> {
    let worst = arena.reachable(&[e]).into_iter().filter_map(|c| Some((c, smoothness(arena.node(c), tables)?)));
    let (c, smooth) = worst.min_by_key(|(_, smooth)| *smooth)?;
    let what = match arena.node(c) {
        Node::Call(f, _) => format!("`{}`", f.name()),
        Node::Table(id, ..) => {
            let pieces = tables.iter().any(|t| t.id == *id && t.pieces.is_some());
            format!("the {} `{}`", if pieces { "function" } else { "table" }, arena.table_name(*id))
        }
        _ => return None,
    };
    Some((what, smooth))
}

/// Is an expression as smooth as its place needs?
pub(super) fn check_smooth(arena: &Arena, tables: &[Table], e: Expr, place: &Place, times: u8) -> Result<(), Error> {
    let needed = place.smooth.max(times);
    if needed == 0 {
        return Ok(());
    }
    match roughness(arena, tables, e) {
        Some((what, smooth)) if smooth < needed => {
            let times = if needed == 1 { "is differentiated" } else { "is differentiated twice" };
            Err(Error::input(format!("{what} is not smooth enough for {}, which {times}", place.what)).hint(
                if what.contains("function") {
                    "its pieces must have the same derivatives where they meet"
                } else if what.contains("table") {
                    "use `interpolation = \"spline\"`, which can be differentiated twice (`\"pchip\"`: once)"
                } else {
                    "it may stand in forces; a smooth replacement for abs(x) is sqrt(x^2 + eps^2)"
                },
            ))
        }
        _ => Ok(()),
    }
}

/// The names of a model as seen from one place.
pub(super) struct ModelScope<'a> {
    pub(super) names: &'a mut Names,
    pub(super) tables: &'a [Table],
    pub(super) place: &'a Place,
    /// How deeply a definition may be nested that is differentiated.
    pub(super) nesting: usize,
    /// The work of reading the expression.
    pub(super) work: u64,
    /// A definition that could not be read was used: the result is worthless, and nothing more is to be said.
    pub(super) poisoned: bool,
}

impl ModelScope<'_> {
    pub(super) fn cannot_stand(&self, what: String) -> NameError {
        NameError::new(format!("{what} cannot stand in {}", self.place.what)).hint(self.place.hint())
    }

    fn does_not_vary(&self, noun: &str, name: &str) -> NameError {
        NameError::new(format!("{noun}`{name}` does not vary, so `{name}'` has no meaning"))
            .hint("a prime is the time derivative of a coordinate or of a definition")
    }

    /// Reads a hidden definition and everything it needs, innermost first.
    fn reveal(&mut self, arena: &mut Arena, name: &str) -> Result<(), NameError> {
        let mut open = vec![name.to_owned()];
        while let Some(at) = open.last().cloned() {
            let Some(text) = self.names.hidden.get(&at).cloned() else {
                open.pop();
                continue;
            };
            let missing = names_in(&text, u64::MAX).into_iter().map(|(n, _)| n).find(|n| {
                self.names.get(n).is_none() && self.names.hidden.contains_key(*n) && !open.iter().any(|o| o == n)
            });
            if let Some(missing) = missing {
                open.push(missing.to_owned());
                continue;
            }
            let place = Place { order: Some(1), ..*self.place };
            let (names, tables) = (&mut *self.names, self.tables);
            let mut scope =
                ModelScope { names, tables, place: &place, nesting: self.nesting, work: 0, poisoned: false };
            let expr = parse_expression(arena, &text, &mut scope, &Limits::default());
            let expr = expr.map_err(|e| NameError::new(format!("`{name}`: {}", e.message)))?;
            let slot = self.names.add_definition(&at);
            self.names.definitions[slot].expr = Some(expr);
            self.names.hidden.remove(&at);
            self.names.insert(&at, Meaning::Definition(slot), None);
            open.pop();
        }
        Ok(())
    }

    pub(super) fn definition(&mut self, arena: &mut Arena, i: usize, primes: u8) -> Result<Expr, NameError> {
        let slot = &self.names.definitions[i];
        let (name, Some(expr)) = (slot.name.clone(), slot.expr) else {
            self.poisoned = true;
            return Ok(arena.zero());
        };
        self.expanded(arena, &name, expr, primes)
    }

    /// What a name stands for, differentiated so often.
    fn expanded(&mut self, arena: &mut Arena, name: &str, mut expr: Expr, primes: u8) -> Result<Expr, NameError> {
        if self.place.order.is_none() {
            return Err(self.cannot_stand(format!("definition `{name}`")));
        }
        let mut grade = self.names.grade(arena, self.tables, expr);
        let mut order = grade.order;
        for _ in 0..primes {
            if grade.rough {
                let what = roughness(arena, self.tables, expr).map_or(String::new(), |(what, _)| what);
                return Err(NameError::new(format!("`{name}` has no derivative: it contains {what}"))
                    .hint("abs, sign and linear tables may stand only where they are not differentiated"));
            }
            if grade.depth > self.nesting {
                let error = NameError::new(format!("`{name}` is nested too deeply to be differentiated"))
                    .hint(format!("functions, powers and products may be nested {} deep", self.nesting));
                return Err(NameError { kind: ErrorKind::Limit, ..error });
            }
            order = order.map(|k| k + 1);
            if order > self.place.order {
                break;
            }
            expr = self.names.derivative(arena, expr);
            grade = self.names.grade(arena, self.tables, expr);
        }
        if order > self.place.order {
            let what = match order {
                Some(1) => "velocities",
                Some(2) => "accelerations",
                _ => "derivatives of accelerations or multipliers",
            };
            let shown = format!("{name}{}", "'".repeat(primes.into()));
            return Err(self.cannot_stand(format!("`{shown}` contains {what}, which")));
        }
        Ok(expr)
    }
}

impl ModelScope<'_> {
    /// What an unknown name is written as here, where another language has it.
    fn meant(&self, name: &str, is_guess: bool) -> Option<String> {
        let moves = |n: &str| {
            let meaning = self.names.get(n);
            matches!(meaning, Some(Meaning::Coordinate(_) | Meaning::Definition(_) | Meaning::QuasiVelocity(_)))
        };
        if let Some(c) = self.names.constraints.first().filter(|_| !is_guess && name.starts_with("lambda")) {
            return Some(format!("multipliers are named after their constraints: `lambda_{c}`"));
        }
        near_miss::name(name, moves)
    }
}

impl Scope for ModelScope<'_> {
    fn name(&mut self, arena: &mut Arena, name: &str, primes: u8) -> Result<Expr, NameError> {
        if name.contains('.') && self.names.get(name).is_none() && self.names.hidden.contains_key(name) {
            self.reveal(arena, name)?;
        }
        if let Some((.., s)) = self.names.formals.iter().find(|(n, p, _)| n == name && *p == primes) {
            return Ok(arena.symbol(*s));
        }
        let Some(meaning) = self.names.get(name) else {
            if let Some(derivative) = self.derivative_named(arena, name, primes)? {
                return Ok(derivative);
            }
            if self.names.constraints.iter().any(|c| c == name) {
                return Err(NameError::new(format!("constraint `{name}` stands where an expression is expected"))
                    .hint(format!("its multiplier is `lambda_{name}`")));
            }
            if self.names.incomplete {
                self.poisoned = true;
                return Ok(arena.zero());
            }
            let error = NameError::unknown("name", name, self.names.all());
            if name.contains('.') {
                return Err(error.hint("a name with a dot belongs to a frame, point or body: `F.x`, `F.vx`, `F.wx`"));
            }
            let is_guess = error.message.ends_with('?');
            if let Some(hint) = self.meant(name, is_guess) {
                return Err(NameError::new(format!("unknown name `{name}`")).hint(hint));
            }
            return Err(if is_guess {
                error
            } else {
                error.hint("names are declared as coordinates, or under [parameters] or [definitions]")
            });
        };
        let mut symbol = match meaning {
            Meaning::Definition(i) => return self.definition(arena, i, primes),
            Meaning::Function(i) => return self.bare_function(arena, i, primes),
            Meaning::Constant(_) | Meaning::Time(_) if primes > 0 => return Err(self.does_not_vary("", name)),
            Meaning::Parameter(_) if primes > 0 => return Err(self.does_not_vary("parameter ", name)),
            Meaning::Constant(s) | Meaning::Parameter(s) => s,
            Meaning::Time(_) if self.place.order.is_none() => return Err(self.cannot_stand("time".to_owned())),
            Meaning::Time(s) => s,
            Meaning::Coordinate(s) => {
                if Some(primes) > self.place.order || self.place.order.is_none() {
                    let noun = ["coordinate", "velocity", "acceleration"][usize::from(primes.min(2))];
                    return Err(self.cannot_stand(format!("the {noun} `{name}{}`", "'".repeat(primes.into()))));
                }
                s
            }
            Meaning::QuasiVelocity(s) => {
                if self.place.quasi
                    && let Some(&e) = self.names.quasi.get(&s)
                {
                    return self.expanded(arena, name, e, primes);
                }
                if !self.place.everything {
                    return Err(self
                        .cannot_stand(format!("the quasi-velocity `{name}`"))
                        .hint("write what it stands for, or give that a name in [definitions]"));
                }
                if primes > 1 {
                    return Err(NameError::new(format!("`{name}''` is a second derivative of a quasi-velocity"))
                        .hint("quasi-velocities have one prime at most"));
                }
                s
            }
            Meaning::Multiplier(s) => {
                if !self.place.everything {
                    return Err(self.cannot_stand(format!("the multiplier `{name}`")));
                }
                if primes > 1 {
                    return Err(NameError::new(format!("`{name}''` is a second derivative of a multiplier"))
                        .hint("multipliers have one prime at most"));
                }
                s
            }
            // The parser does not ask for the value of a function without arguments.
            Meaning::Table => return Err(self.cannot_stand(format!("the table `{name}`"))),
        };
        for _ in 0..primes {
            symbol = arena.dot(symbol);
        }
        Ok(arena.symbol(symbol))
    }

    fn highest_derivative(&self) -> u8 {
        self.place.order.unwrap_or(0).max(2)
    }

    fn knows(&self, _: &Arena, name: &str) -> bool {
        self.names.get(name).is_some()
    }

    fn function(&mut self, arena: &Arena, name: &str) -> Result<Callable, NameError> {
        match self.names.call_of(name) {
            Some(callable) => Ok(callable),
            None => self.usual_function(arena, name),
        }
    }

    fn apply(&mut self, arena: &mut Arena, function: u32, primes: u8, list: &[Expr]) -> Result<Expr, NameError> {
        self.applied(arena, function, primes, list)
    }

    fn partial(&mut self, arena: &mut Arena, e: Expr, s: Symbol) -> Result<Expr, NameError> {
        self.smooth(arena, e)?;
        Ok(arena.diff(e, s))
    }

    fn spent(&mut self, work: u64) {
        self.work = work;
    }

    fn tables(&self) -> Vec<&str> {
        self.names.all().filter(|n| self.names.get(n) == Some(Meaning::Table)).collect()
    }
}
