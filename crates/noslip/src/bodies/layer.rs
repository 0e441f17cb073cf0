//! The workshop of the layer: names, letters and what they mean, reading of expressions.
//!
//! Everything is computed with letters, as a person writes definitions: `rear_wx` is a symbol, and what it means in coordinates and
//! velocities is kept beside it. Texts are printed with the letters, questions (is it zero? how long is it?) are asked of the
//! meanings.

use super::axes::Axes;
use super::spec::Specs;
use super::vector::Vector;
use crate::error::{Error, ErrorKind, Span};
use crate::expr::{
    Arena, Assignment, Evaluator, Expr, NameError, Node, Printer, Readable, Role, Scope, Style, Symbol, Tree, names_in,
    parse_expression, readable, simplify, written_out,
};
use crate::limits::Limits;
use crate::source::{Findings, Item, Value, Written};
use rustc_hash::{FxHashMap, FxHashSet};

/// Longer expressions are not simplified on the way: they were built short, and the forms have their own means.
const SIMPLIFIED: u64 = 600;

/// A definition of the plain model.
#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) symbol: Symbol,
    pub(super) expr: Expr,
}

/// What a name of the author stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Named {
    Coordinate(Symbol),
    Parameter(Symbol),
    /// `None` until it has been read, and for ever if it was wrong.
    Definition(Option<Symbol>),
    QuasiVelocity,
    Multiplier,
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Where {
    pub(super) what: &'static str,
    /// The highest derivative of a coordinate; `None` where only parameters may stand.
    pub(super) order: Option<u8>,
}

impl Where {
    pub(super) const PARAMETER: Where = Where { what: "the value of a parameter", order: None };
    pub(super) const INITIAL: Where = Where { what: "an initial value", order: None };
    pub(super) const DEFINITION: Where = Where { what: "a definition", order: Some(1) };
    pub(super) const PLACE: Where = Where { what: "a place", order: Some(0) };
    pub(super) const SURFACE: Where = Where { what: "a surface", order: Some(0) };
    pub(super) const ANGLE: Where = Where { what: "an angle", order: Some(0) };
    pub(super) const AXIS: Where = Where { what: "an axis", order: Some(0) };
    pub(super) const QUATERNION: Where = Where { what: "a quaternion", order: Some(0) };
    pub(super) const MASS: Where = Where { what: "the mass of a body", order: None };
    pub(super) const INERTIA: Where = Where { what: "an inertia", order: None };
    pub(super) const SIZE: Where = Where { what: "the size of a shape", order: None };
    pub(super) const CENTER: Where = Where { what: "the centre of a body", order: Some(0) };
    pub(super) const GRAVITY: Where = Where { what: "gravity", order: Some(0) };
    pub(super) const STIFFNESS: Where = Where { what: "a stiffness", order: Some(0) };
    pub(super) const LENGTH: Where = Where { what: "a natural length", order: Some(0) };
    pub(super) const DAMPING: Where = Where { what: "a damping", order: Some(1) };
    pub(super) const LOAD: Where = Where { what: "a load", order: Some(1) };
    pub(super) const FRICTION: Where = Where { what: "a coefficient of friction", order: Some(1) };

    fn hint(self) -> &'static str {
        match self.order {
            _ if self.what == Where::SURFACE.what => {
                "it depends on its two parameters and on constants; its frame may move"
            }
            None => "only numbers, `pi` and parameters may stand here",
            Some(0) => "it may depend on the coordinates, time and parameters, not on velocities",
            Some(_) => "it may depend on the coordinates, their velocities, time and parameters",
        }
    }
}

/// The layer at work on one file.
pub(super) struct Layer<'a> {
    pub(super) file: &'a str,
    pub(super) written: &'a Written,
    pub(super) limits: &'a Limits,
    pub(super) specs: &'a Specs<'a>,
    pub(super) findings: Findings,
    pub(super) arena: Arena,
    pub(super) coordinates: Vec<Symbol>,
    pub(super) names: FxHashMap<String, Named>,
    /// The author's names in the order of the file, for suggestions.
    pub(super) listed: Vec<String>,
    pub(super) taken: FxHashSet<String>,
    /// Definitions that the layer adds, in an order in which each uses only earlier ones.
    pub(super) letters: Vec<Letter>,
    meanings: FxHashMap<Symbol, Expr>,
    pub(super) axes: Vec<Axes>,
    pub(super) frames: Vec<super::frames::Frame>,
    pub(super) points: Vec<super::frames::Point>,
    pub(super) bodies: Vec<super::solids::Body>,
    pub(super) surfaces: Vec<super::surfaces::Surface>,
    /// Dotted names that have got their letter: `rear.wx`.
    pub(super) dotted: FxHashMap<String, Symbol>,
    /// Values of parameters and of the initial positions; positions that are not given are zero.
    pub(super) initial: Assignment,
    pub(super) has_initial: bool,
    /// Is gravity there, and where is up, in ground axes (of length one)?
    pub(super) gravity: Option<(Expr, Vector)>,
    // What the layer adds.
    pub(super) kinetic: Vec<Expr>,
    pub(super) potential: Vec<Expr>,
    pub(super) forces: Vec<Expr>,
    pub(super) springs: Vec<super::loads::Spring>,
    pub(super) loads: Vec<super::loads::Load>,
    pub(super) contacts: Vec<super::contacts::Contact>,
    pub(super) added: Vec<super::contacts::Added>,
    pub(super) left_out: Vec<super::contacts::Added>,
    pub(super) units: Vec<super::frames::Unit>,
    /// What must not vanish, and the contact that says so.
    pub(super) guards: Vec<(String, Expr)>,
    /// By contact: the largest force friction can give.
    pub(super) limits_of_friction: Vec<(usize, Expr)>,
    /// Parameters that the layer adds: moments of inertia of shapes.
    pub(super) parameters: Vec<Letter>,
    /// Letters of dotted names that stand in the author's texts.
    pub(super) author_uses: Vec<Symbol>,
    /// Axes in ground axes, for pictures.
    pub(super) matrices: FxHashMap<usize, [Vector; 3]>,
    by_expression: FxHashMap<Expr, Symbol>,
    /// Normal forms that were asked for.
    multiplied: FxHashMap<Expr, Expr>,
}

impl<'a> Layer<'a> {
    pub(super) fn new(file: &'a str, limits: &'a Limits, specs: &'a Specs<'a>, written: &'a Written) -> Layer<'a> {
        Layer {
            file,
            written,
            limits,
            specs,
            findings: Findings::default(),
            arena: Arena::new(),
            coordinates: Vec::new(),
            names: FxHashMap::default(),
            listed: Vec::new(),
            taken: FxHashSet::default(),
            letters: Vec::new(),
            meanings: FxHashMap::default(),
            axes: vec![Axes::ground()],
            frames: Vec::new(),
            points: Vec::new(),
            bodies: Vec::new(),
            surfaces: Vec::new(),
            dotted: FxHashMap::default(),
            initial: Assignment::new(),
            has_initial: false,
            gravity: None,
            kinetic: Vec::new(),
            potential: Vec::new(),
            forces: Vec::new(),
            springs: Vec::new(),
            loads: Vec::new(),
            contacts: Vec::new(),
            added: Vec::new(),
            left_out: Vec::new(),
            units: Vec::new(),
            guards: Vec::new(),
            limits_of_friction: Vec::new(),
            parameters: Vec::new(),
            author_uses: Vec::new(),
            matrices: FxHashMap::default(),
            by_expression: FxHashMap::default(),
            multiplied: FxHashMap::default(),
        }
    }

    pub(super) fn error(&mut self, error: Error) {
        self.findings.error(error);
    }

    pub(super) fn note(&mut self, span: &Span, message: impl Into<String>, hint: &str) {
        self.findings.warning(Error::input(message).at(span.clone()).hint(hint));
    }

    // Letters ---------------------------------------------------------------------------------------------------------

    /// The highest derivative of a coordinate, at most two; `None` where nothing varies.
    pub(super) fn order_of(&self, e: Expr) -> Option<u8> {
        let order = |s: Symbol| match self.arena.role(s) {
            Role::Time | Role::Coordinate => Some(0),
            Role::Velocity | Role::QuasiVelocity => Some(1),
            Role::Constant | Role::Parameter => None,
            _ => Some(2),
        };
        self.arena.free_symbols(&[e]).into_iter().filter_map(order).max()
    }

    /// A name that nothing has: with underscores added if need be.
    pub(super) fn free_name(&mut self, name: &str) -> String {
        let mut name = name.to_owned();
        while self.taken.contains(&name) || self.arena.lookup(&name).is_some() {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }

    /// Gives an expression a name of its own.
    pub(super) fn letter(&mut self, name: &str, expr: Expr) -> Symbol {
        let name = self.free_name(name);
        let symbol = self.declare_letter(&name, expr);
        self.letters.push(Letter { symbol, expr });
        self.by_expression.entry(expr).or_insert(symbol);
        symbol
    }

    /// Gives a sum of parameters a name of its own: it stays a letter in the equations.
    pub(super) fn parameter_if_long(&mut self, name: &str, e: Expr) -> Expr {
        let is_sum = |e: Expr| matches!(self.arena.node(e), Node::Sum { .. });
        let long = match self.arena.node(e) {
            Node::Product { factors, .. } => factors.iter().any(|(x, _)| is_sum(*x)),
            _ => is_sum(e),
        };
        if !long || self.arena.free_symbols(&[e]).is_empty() {
            return e;
        }
        if let Some(known) = self.parameters.iter().find(|p| p.expr == e) {
            return self.arena.symbol(known.symbol);
        }
        let name = self.free_name(name);
        let symbol = self.arena.declare(&name, Role::Parameter);
        let value = self.initial_value(e);
        self.initial.set(symbol, value);
        self.parameters.push(Letter { symbol, expr: e });
        self.arena.symbol(symbol)
    }

    /// A symbol that means an expression.
    pub(super) fn declare_letter(&mut self, name: &str, expr: Expr) -> Symbol {
        let role = match self.order_of(expr) {
            None => Role::Parameter,
            Some(0) => Role::Coordinate,
            Some(1) => Role::QuasiVelocity,
            Some(_) => Role::QuasiAcceleration,
        };
        let symbol = self.arena.declare(name, role);
        let meaning = self.meaning(expr);
        self.meanings.insert(symbol, meaning);
        symbol
    }

    /// The expression, under a name if it takes at least `least` operations and varies.
    pub(super) fn letter_if_long(&mut self, name: &str, e: Expr, least: u64) -> Expr {
        if written_out(&self.arena, e) < least || self.order_of(e).is_none() {
            return e;
        }
        let symbol = match self.by_expression.get(&e) {
            Some(&symbol) => symbol,
            None => self.letter(name, e),
        };
        self.arena.symbol(symbol)
    }

    /// The letter of the expression, if that has one.
    pub(super) fn by_its_letter(&mut self, e: Expr) -> Expr {
        self.by_expression.get(&e).map_or(e, |&symbol| self.arena.symbol(symbol))
    }

    /// The expression, under a name if that is long; of a sum and its opposite the one has the name whose shortest term is positive, so that
    /// a direction and the one against it are written alike.
    pub(super) fn signed_letter_if_long(&mut self, name: &str, e: Expr, least: u64) -> Expr {
        let negative = match self.arena.node(e) {
            Node::Sum { terms, .. } if terms.len() > 1 => {
                let shortest = terms.iter().min_by_key(|(x, _)| written_out(&self.arena, *x));
                shortest.is_some_and(|(_, c)| c.is_negative())
            }
            _ => false,
        };
        if !negative {
            return self.letter_if_long(name, e, least);
        }
        let opposite = self.arena.neg(e);
        let named = self.letter_if_long(name, opposite, least);
        self.arena.neg(named)
    }

    /// What an expression means in coordinates, velocities and parameters alone.
    pub(super) fn meaning(&mut self, e: Expr) -> Expr {
        for s in self.arena.free_symbols(&[e]) {
            self.derivative_known(s);
        }
        self.arena.substitute(e, &self.meanings)
    }

    /// Makes sure that a derivative of a letter has its meaning.
    fn derivative_known(&mut self, s: Symbol) -> bool {
        if self.meanings.contains_key(&s) {
            return true;
        }
        let Some(base) = self.arena.info(s).integral else { return false };
        if !self.derivative_known(base) {
            return false;
        }
        let rate = self.arena.time_derivative(self.meanings[&base]);
        self.meanings.insert(s, rate);
        true
    }

    /// Operations it takes to write out what an expression means.
    pub(super) fn cost(&mut self, e: Expr) -> u64 {
        let meaning = self.meaning(e);
        written_out(&self.arena, meaning)
    }

    /// The expression, or its simplified form if that is shorter.
    pub(super) fn short(&mut self, e: Expr) -> Expr {
        let before = written_out(&self.arena, e);
        if !(2..=SIMPLIFIED).contains(&before) {
            return e;
        }
        let simple = self.multiplied_out(e, before);
        if written_out(&self.arena, simple) < before { simple } else { e }
    }

    /// The normal form of what is written with so many operations in another way; that of many more terms would not be shorter. Remembered,
    /// since a condition and its ways are made of the same parts.
    fn multiplied_out(&mut self, e: Expr, before: u64) -> Expr {
        if let Some(&known) = self.multiplied.get(&e) {
            return known;
        }
        let most = self.limits.polynomial_terms.min(4 * before as usize + 64);
        let simple = simplify(&mut self.arena, e, &Limits { polynomial_terms: most, ..self.limits.clone() });
        self.multiplied.insert(e, simple);
        simple
    }

    /// The expression with its letters, or without them where that is shorter; where both are long, the one that shares more.
    pub(super) fn shortest(&mut self, e: Expr) -> Expr {
        let meaning = self.meaning(e);
        let before = written_out(&self.arena, meaning);
        if before > SIMPLIFIED {
            return e;
        }
        let kept = self.short(e);
        let least = self.lengths(&[kept])[0];
        let simple = self.multiplied_out(meaning, least);
        let lengths = self.lengths(&[simple, kept]);
        let own = [simple, kept].map(|e| written_out(&self.arena, e));
        if (lengths[0], own[0]) < (lengths[1], own[1]) { simple } else { kept }
    }

    /// The expression with common factors in front of brackets, where that is shorter. Squares of sums are left: they would be
    /// multiplied out first, and not all found again.
    pub(super) fn bracketed(&mut self, e: Expr) -> Expr {
        if written_out(&self.arena, e) > SIMPLIFIED || self.has_square_of_sum(e) {
            return e;
        }
        let options = Readable { limits: self.limits.clone(), ..Readable::default() };
        let Ok(tree) = readable(&mut self.arena, e, &options) else { return e };
        let found = tree.to_expr(&mut self.arena);
        let length = |layer: &mut Self, e: Expr| (written_out(&layer.arena, e), layer.cost(e));
        let (before, after) = (length(self, e), length(self, found));
        if after.0 < before.0 && after.1 <= before.1 { found } else { e }
    }

    /// The same over one denominator of what varies: what is made of a condition (its derivative, what it is solved for) then has it once.
    /// Not where the denominator stands in other terms too, which would be multiplied by it again.
    pub(super) fn over_one_denominator(&mut self, e: Expr) -> Expr {
        let varying: Vec<Expr> =
            self.arena.reachable(&[e]).into_iter().filter(|&x| self.order_of(x).is_some()).collect();
        let under = self.arena.denominator(&[e], |_, base| varying.contains(&base));
        if self.arena.is_one(under) || self.stands_above(e, under) {
            return self.bracketed(e);
        }
        let above = self.arena.distributed(e, under);
        let above = self.bracketed(above);
        self.arena.div(above, under)
    }

    /// Does a factor of a denominator stand anywhere in a sum but in its denominators?
    fn stands_above(&self, e: Expr, under: Expr) -> bool {
        let factors = |e: Expr| match self.arena.node(e) {
            Node::Product { factors, .. } => factors.iter().map(|(base, n)| (*base, n.is_negative())).collect(),
            _ => vec![(e, false)],
        };
        let bases: Vec<Expr> = factors(under).into_iter().map(|(base, _)| base).collect();
        let Node::Sum { terms, .. } = self.arena.node(e) else { return false };
        let above =
            terms.iter().flat_map(|(term, _)| factors(*term)).filter(|(base, below)| !(*below && bases.contains(base)));
        let above: Vec<Expr> = above.map(|(base, _)| base).collect();
        self.arena.reachable(&above).iter().any(|x| bases.contains(x))
    }

    fn has_square_of_sum(&self, e: Expr) -> bool {
        let is_sum = |e: Expr| matches!(self.arena.node(e), Node::Sum { .. });
        self.arena.reachable(&[e]).into_iter().any(|x| match self.arena.node(x) {
            Node::Product { factors, .. } => {
                factors.iter().any(|(b, n)| n.to_i64().is_some_and(|n| n > 1) && is_sum(*b))
            }
            _ => false,
        })
    }

    /// Is it zero, whatever the coordinates and velocities?
    pub(super) fn vanishes(&mut self, e: Expr) -> bool {
        let meaning = self.meaning(e);
        crate::expr::zero::is_zero(&mut self.arena, meaning, &Default::default()).holds()
    }

    /// The value at the initial position; not a number if it cannot be known.
    pub(super) fn initial_value(&mut self, e: Expr) -> f64 {
        let meaning = self.meaning(e);
        Evaluator::new(&self.arena, &[meaning]).evaluate(&self.initial, &|_, _, _| f64::NAN)[0]
    }

    /// An expression in the syntax of model files.
    pub(super) fn text(&mut self, e: Expr) -> String {
        match Tree::of(&self.arena, e, self.limits) {
            Ok(tree) => Printer::new(Style::Text).print(&self.arena, &tree),
            Err(error) => {
                self.error(error);
                "0".to_owned()
            }
        }
    }

    // Reading ---------------------------------------------------------------------------------------------------------

    /// An expression of the file.
    pub(super) fn read(&mut self, item: &Item, place: Where) -> Option<Expr> {
        let text = match &item.value {
            Value::Number(n) => return Some(self.arena.number(n.clone())),
            Value::String(text) => text.as_str(),
            other => {
                self.error(
                    Error::input(format!("expected an expression, found {}", other.kind()))
                        .at(item.span.clone())
                        .hint("mathematics is written in quotes: \"...\""),
                );
                return None;
            }
        };
        for (name, _) in names_in(text, self.limits.number_bits) {
            if let Some((head, field)) = name.split_once('.') {
                self.dotted_letter(head, field);
            }
        }
        let mut arena = std::mem::take(&mut self.arena);
        let limits = self.limits;
        let mut scope = Names { layer: self, place, poisoned: false };
        let result = parse_expression(&mut arena, text, &mut scope, limits);
        let poisoned = scope.poisoned;
        self.arena = arena;
        let value = match result {
            Ok(value) => value,
            Err(e) => {
                let error = self.written.placed_in_file(e, self.file, &item.span, text);
                self.error(error);
                return None;
            }
        };
        if self.arena.depth(value) > self.limits.expression_depth {
            let message = format!("the expression is nested deeper than the limit of {}", self.limits.expression_depth);
            self.error(Error::limit(message).at(item.span.clone()));
            return None;
        }
        (!poisoned).then_some(value)
    }

    /// Two or three expressions; the third is zero if absent.
    pub(super) fn read_vector(&mut self, item: &Item, place: Where) -> Option<Vector> {
        let Value::Array(list) = &item.value else {
            let message = format!("{} is a list of two or three expressions, not {}", place.what, item.value.kind());
            self.error(Error::input(message).at(item.span.clone()).hint("write for example [\"x\", \"y\", 0]"));
            return None;
        };
        if !(2..=3).contains(&list.len()) {
            let message = format!("{} has two or three components, not {}", place.what, list.len());
            self.error(Error::input(message).at(item.span.clone()).hint("write for example [\"x\", \"y\", 0]"));
            return None;
        }
        let parts: Vec<Option<Expr>> = list.iter().map(|i| self.read(i, place)).collect();
        let zero = self.arena.zero();
        Some([parts[0]?, parts[1]?, if parts.len() > 2 { parts[2]? } else { zero }])
    }
}

/// The names of the file as seen from one place.
struct Names<'l, 'a> {
    layer: &'l Layer<'a>,
    place: Where,
    poisoned: bool,
}

impl Names<'_, '_> {
    fn cannot_stand(&self, what: String) -> NameError {
        NameError::new(format!("{what} cannot stand in {}", self.place.what)).hint(self.place.hint())
    }

    /// A symbol with primes, if it may stand here.
    fn derivative(&self, arena: &mut Arena, mut s: Symbol, shown: &str, primes: u8) -> Result<Expr, NameError> {
        let order = match arena.role(s) {
            Role::Coordinate => Some(0),
            Role::QuasiVelocity => Some(1),
            Role::QuasiAcceleration => Some(2),
            _ => None,
        };
        if order.is_none() && primes > 0 {
            return Err(NameError::new(format!("`{shown}` does not vary, so `{shown}'` has no meaning"))
                .hint("a prime is the time derivative of a coordinate or of a definition"));
        }
        if order.is_some() && order.map(|k| k + primes) > self.place.order {
            let noun = match order.map(|k| k + primes) {
                Some(0) => "which depends on the coordinates,",
                Some(1) => "which contains velocities,",
                _ => "which contains accelerations,",
            };
            return Err(self.cannot_stand(format!("`{shown}{}`, {noun}", "'".repeat(primes.into()))));
        }
        for _ in 0..primes {
            s = arena.dot(s);
        }
        Ok(arena.symbol(s))
    }
}

impl Scope for Names<'_, '_> {
    fn name(&mut self, arena: &mut Arena, name: &str, primes: u8) -> Result<Expr, NameError> {
        if let Some((head, field)) = name.split_once('.') {
            return match self.layer.dotted.get(name) {
                Some(&s) => self.derivative(arena, s, name, primes),
                None => Err(self.layer.unknown_dotted(head, field)),
            };
        }
        match (name, self.layer.names.get(name).copied()) {
            ("t" | "pi", _) if primes > 0 => {
                Err(NameError::new(format!("`{name}` does not vary, so `{name}'` has no meaning"))
                    .hint("a prime is the time derivative of a coordinate or of a definition"))
            }
            ("t", _) if self.place.order.is_none() => Err(self.cannot_stand("time".to_owned())),
            ("t", _) => Ok(arena.symbol(arena.time())),
            ("pi", _) => Ok(arena.symbol(arena.pi())),
            (_, Some(Named::Parameter(_))) if primes > 0 => {
                Err(NameError::new(format!("parameter `{name}` does not vary, so `{name}'` has no meaning"))
                    .hint("a prime is the time derivative of a coordinate or of a definition"))
            }
            (_, Some(Named::Parameter(s))) => Ok(arena.symbol(s)),
            (_, Some(Named::Coordinate(mut s))) => {
                if Some(primes) > self.place.order || self.place.order.is_none() {
                    let noun = ["coordinate", "velocity", "acceleration"][usize::from(primes.min(2))];
                    return Err(self.cannot_stand(format!("the {noun} `{name}{}`", "'".repeat(primes.into()))));
                }
                for _ in 0..primes {
                    s = arena.dot(s);
                }
                Ok(arena.symbol(s))
            }
            (_, Some(Named::Definition(Some(s)))) => self.derivative(arena, s, name, primes),
            (_, Some(Named::Definition(None))) => {
                self.poisoned = true;
                Ok(arena.zero())
            }
            (_, Some(Named::QuasiVelocity)) => Err(self
                .cannot_stand(format!("the quasi-velocity `{name}`"))
                .hint("write what it stands for, or give that a name in [definitions]")),
            (_, Some(Named::Multiplier)) => Err(self.cannot_stand(format!("the multiplier `{name}`"))),
            (_, None) => {
                let error = NameError::unknown("name", name, self.layer.listed.iter().map(String::as_str));
                let guess = error.message.ends_with('?');
                let error = NameError { kind: ErrorKind::Input, ..error };
                Err(if guess {
                    error
                } else {
                    error.hint("names are declared as coordinates, or under [parameters] or [definitions]")
                })
            }
        }
    }

    fn knows(&self, _: &Arena, name: &str) -> bool {
        self.layer.names.contains_key(name)
    }
}
