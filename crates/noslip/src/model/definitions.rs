//! Abbreviations and functions: `[definitions]` and `[functions]`.
//!
//! A function is given by an expression, `f = { of = "u, v", is = "u^2*v" }`, or left open, `a = "x, y, z"`. One that is given is
//! put in where it is called, also in pieces, `f = { of = "s", is = ["0", "s^2"], at = [0] }`; one that is left open stays, and so do its partial derivatives `a_x` (with one argument: `a'`).

use super::load::{Loader, circular};
use super::scope::{Meaning, ModelScope, Names, Place, roughness};
use crate::error::{Error, Span};
use crate::expr::{
    Arena, Callable, Expr, NameError, Node, Role, Symbol, UnspecifiedId, names_in, parse_expression, simplify,
};
use crate::source::{Entry, Item, Value, dependencies_first, valid_name};
use rustc_hash::FxHashMap;

/// A function of the model.
#[derive(Clone, Debug)]
pub(super) struct NamedFunction {
    pub(super) name: String,
    /// Names of its arguments, as they stand in the name of a derivative.
    arguments: Vec<String>,
    kind: Kind,
    /// Its value where it stands without arguments: the slot of a definition.
    bare: usize,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Left open.
    Open(UnspecifiedId),
    /// The symbols that stand for the arguments, and the expression; none if that was wrong.
    Given(Vec<Symbol>, Option<Expr>),
}

impl NamedFunction {
    pub(super) fn is_open(&self) -> bool {
        matches!(self.kind, Kind::Open(_))
    }
}

/// What an entry of [functions] says.
struct Said<'e> {
    of: &'e Item,
    /// Where it stands in the file, or the text given from outside.
    is: Option<Is<'e>>,
}

enum Is<'e> {
    Written(&'e Item),
    /// Pieces, and the arguments where they meet.
    Pieces(&'e Item, Option<&'e Item>),
    Given(String),
}

impl Names {
    /// The function of that name.
    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|f| f.name == name)
    }

    /// The value of a function where it stands without arguments.
    pub(super) fn bare_value(&self, function: usize) -> Option<Expr> {
        self.definitions[self.functions[function].bare].expr
    }

    /// The function whose derivative is written so, and how often it is differentiated by each argument: `a_xy`.
    fn derivative_of(&self, name: &str) -> Option<(usize, Vec<u8>)> {
        self.functions.iter().enumerate().find_map(|(i, f)| {
            let rest = name.strip_prefix(f.name.as_str())?.strip_prefix('_')?;
            Some((i, orders(rest, &f.arguments)?))
        })
    }

    /// A function, or a derivative of one, as something that can be called.
    pub(super) fn call_of(&mut self, name: &str) -> Option<Callable> {
        let call = match self.function(name) {
            Some(i) => (i, vec![0; self.functions[i].arguments.len()]),
            None if self.get(name).is_none() => self.derivative_of(name)?,
            None => return None,
        };
        let arguments = call.1.len();
        let known = self.calls.iter().position(|c| *c == call);
        let index = known.unwrap_or_else(|| {
            self.calls.push(call);
            self.calls.len() - 1
        });
        Some(Callable::Named(index as u32, arguments))
    }
}

/// `xy` or `x_y` for the arguments x, y, z: (1, 1, 0). `None` where it can be read in no way or in several.
fn orders(text: &str, arguments: &[String]) -> Option<Vec<u8>> {
    if arguments.len() < 2 || text.is_empty() {
        return None;
    }
    let mut found: Option<Vec<u8>> = None;
    let mut open = vec![(text, vec![0u8; arguments.len()])];
    let mut steps = 0;
    while let Some((rest, orders)) = open.pop() {
        steps += 1;
        if steps > 1000 {
            return None;
        }
        if rest.is_empty() {
            match &found {
                Some(other) if *other != orders => return None,
                _ => found = Some(orders),
            }
            continue;
        }
        for (i, name) in arguments.iter().enumerate() {
            let Some(behind) = rest.strip_prefix(name.as_str()) else { continue };
            let mut orders = orders.clone();
            orders[i] = orders[i].checked_add(1)?;
            match behind.strip_prefix('_') {
                Some("") => {}
                Some(next) => open.push((next, orders)),
                None => open.push((behind, orders)),
            }
        }
    }
    found
}

/// The parts of a list with commas, with their places in it.
fn parts(text: &str) -> Vec<(&str, Span)> {
    let (mut depth, mut start, mut list) = (0usize, 0, Vec::new());
    for (i, b) in text.bytes().enumerate() {
        match b {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                list.push((&text[start..i], start..i));
                start = i + 1;
            }
            _ => {}
        }
    }
    list.push((&text[start..], start..text.len()));
    list
}

/// `theta'` → theta with one prime.
fn name_and_primes(text: &str) -> Option<(&str, u8)> {
    let text = text.trim();
    let name = text.trim_end_matches('\'');
    valid_name(name).ok()?;
    Some((name, u8::try_from(text.len() - name.len()).ok()?))
}

impl Loader<'_> {
    /// Reads definitions and functions in an order in which everything is known when it is used.
    pub(super) fn definitions(&mut self, list: &[Entry], slots: &[Option<usize>], functions: &[Entry], place: &Place) {
        let bare = |e: &Entry| self.names.function(&e.key).map(|i| self.names.functions[i].bare);
        let slots: Vec<Option<usize>> = slots.iter().copied().chain(functions.iter().map(bare)).collect();
        let entries: Vec<&Entry> = list.iter().chain(functions).collect();
        let index_of: FxHashMap<usize, usize> =
            slots.iter().enumerate().filter_map(|(i, s)| Some(((*s)?, i))).collect();
        let refers_to = |name: &str| match self.names.get(name) {
            Some(Meaning::Definition(slot)) => index_of.get(&slot).copied(),
            Some(Meaning::Function(i)) => index_of.get(&self.names.functions[i].bare).copied(),
            Some(_) => None,
            None => index_of.get(&self.names.functions[self.names.derivative_of(name)?.0].bare).copied(),
        };
        let references: Vec<Vec<usize>> = entries
            .iter()
            .map(|e| {
                let given = self.given.iter().filter(|(name, _)| *name == e.key).map(|(_, text)| text.as_str());
                let texts = texts(&e.item.value).into_iter().chain(given);
                let names = texts.flat_map(|text| names_in(text, self.limits.number_bits));
                names.filter_map(|(name, _)| refers_to(name)).collect()
            })
            .collect();
        let (order, circles) = dependencies_first(&references);
        let mut in_circle = vec![false; entries.len()];
        for circle in circles {
            let names: Vec<&str> = circle.iter().map(|&i| entries[i].key.as_str()).collect();
            let noun = if circle.iter().all(|&i| i >= list.len()) { "function" } else { "definition" };
            let error = circular(noun, &names).at(entries[circle[0]].item.span.clone());
            self.error(error);
            circle.into_iter().for_each(|i| in_circle[i] = true);
        }
        for i in order {
            let (Some(slot), false) = (slots[i], in_circle[i]) else { continue };
            if i < list.len() {
                self.names.definitions[slot].expr = self.expression(&entries[i].item, place);
            } else {
                self.function(entries[i]);
            }
        }
    }

    /// Makes functions known; what they are of is read later, when all names are known.
    pub(super) fn function_names(&mut self, list: &[Entry]) {
        for entry in list {
            let i = self.names.functions.len();
            let Some(said) = self.said(entry) else {
                // Its use is not complained about as well.
                self.names.incomplete = true;
                continue;
            };
            let Value::String(of) = &said.of.value else { continue };
            let given = said.is.is_some();
            let parts = parts(of);
            let names: Vec<Option<(&str, u8)>> = parts.iter().map(|(text, _)| name_and_primes(text)).collect();
            if let (true, Some(j)) = (given, names.iter().position(Option::is_none)) {
                let error = Error::input(format!("`{}` is not a name", parts[j].0.trim()))
                    .at(said.of.span.clone())
                    .hint("a function that is given is one of names: `of = \"u, v\"`");
                self.error(error);
                self.names.incomplete = true;
                continue;
            }
            let arguments: Vec<String> = names
                .iter()
                .enumerate()
                .map(|(j, name)| match name {
                    Some((name, 0)) => (*name).to_owned(),
                    // One argument stands for itself; among several a number tells which is meant.
                    _ if parts.len() == 1 => parts[0].0.trim().to_owned(),
                    _ => (j + 1).to_string(),
                })
                .collect();
            if let Some(j) = (0..arguments.len()).find(|&j| arguments[..j].contains(&arguments[j])) {
                let message = format!("`{}` stands twice among the arguments of `{}`", arguments[j], entry.key);
                self.error(Error::input(message).at(said.of.span.clone()));
            }
            if !self.declare(&entry.key, Meaning::Function(i), entry.key_span.clone()) {
                continue;
            }
            let kind = if given {
                let symbol = |name: &Option<(&str, u8)>| {
                    let (name, primes) = name.unwrap_or_default();
                    (name.to_owned(), primes)
                };
                let symbols = names.iter().map(symbol).map(|(name, primes)| {
                    let name = format!("{}({name}{})", entry.key, "'".repeat(primes.into()));
                    self.arena.declare(&name, Role::Parameter)
                });
                Kind::Given(symbols.collect(), None)
            } else {
                Kind::Open(self.arena.declare_unspecified(&entry.key, arguments.clone()))
            };
            let bare = self.names.add_definition(&entry.key);
            self.names.functions.push(NamedFunction { name: entry.key.clone(), arguments, kind, bare });
        }
        for (name, _) in self.given.clone() {
            if self.names.function(&name).is_none() {
                let known: Vec<&str> = self.names.functions.iter().map(|f| f.name.as_str()).collect();
                let error = NameError::unknown("function", &name, known);
                self.error(Error::input(error.message));
            }
        }
    }

    /// What an entry of [functions] says: its arguments, and what it is if that is said.
    fn said<'e>(&mut self, entry: &'e Entry) -> Option<Said<'e>> {
        let given = self.given.iter().find(|(name, _)| *name == entry.key).map(|(_, text)| Is::Given(text.clone()));
        let hint = format!("write `{0} = \"x, y\"`, or `{0} = {{ of = \"x, y\", is = \"x^2 + y\" }}`", entry.key);
        match &entry.item.value {
            Value::String(_) => Some(Said { of: &entry.item, is: given }),
            Value::Table(list) => {
                self.known_keys("a function", list, &["of", "is", "at"]);
                let Some(of) = entry.item.value.get("of") else {
                    let message = format!("function `{}` does not say of what it is one", entry.key);
                    self.error(Error::input(message).at(entry.key_span.clone()).hint(hint));
                    return None;
                };
                self.string(&of.item, "what a function is of")?;
                let at = entry.item.value.get("at").map(|e| &e.item);
                let written = entry.item.value.get("is").map(|e| match &e.item.value {
                    Value::Array(_) => Is::Pieces(&e.item, at),
                    _ => Is::Written(&e.item),
                });
                Some(Said { of: &of.item, is: given.or(written) })
            }
            other => {
                let message = format!("function `{}` is not {}", entry.key, other.kind());
                self.error(Error::input(message).at(entry.item.span.clone()).hint(hint));
                None
            }
        }
    }

    /// Reads the arguments of a function, and what it is.
    fn function(&mut self, entry: &Entry) {
        let Some(i) = self.names.function(&entry.key) else { return };
        let Some(said) = self.said(entry) else { return };
        let Value::String(of) = &said.of.value else { return };
        let function = self.names.functions[i].clone();
        let usual = self.usual_arguments(of, &said.of.span, matches!(function.kind, Kind::Given(..)));
        let value = match function.kind {
            Kind::Open(f) => usual.map(|list| {
                self.arena.set_usual_arguments(f, &list);
                // Normal forms write the same argument in their own way.
                let simple: Vec<Expr> = list.iter().map(|&x| simplify(&mut self.arena, x, self.limits)).collect();
                self.arena.set_usual_arguments(f, &simple);
                self.arena.unspecified(f, &list)
            }),
            Kind::Given(symbols, _) => {
                let body = said.is.and_then(|is| self.body(of, is, &entry.key, &symbols));
                let value = body.zip(usual).map(|(body, list)| {
                    let map = symbols.iter().copied().zip(list).collect();
                    self.arena.substitute(body, &map)
                });
                self.names.functions[i].kind = Kind::Given(symbols, body);
                value
            }
        };
        self.names.definitions[function.bare].expr = value;
    }

    /// What a function is of where nothing else is said. `quiet`: the names may be known to the function alone.
    fn usual_arguments(&mut self, of: &str, place: &Span, quiet: bool) -> Option<Vec<Expr>> {
        let parts = parts(of);
        if quiet
            && !parts.iter().all(|(text, _)| name_and_primes(text).is_some_and(|(n, _)| self.names.get(n).is_some()))
        {
            return None;
        }
        let read = |(text, at): &(&str, Span)| {
            // The text up to the argument, blank, keeps the places right.
            let padded = " ".repeat(at.start) + text;
            self.parse(&padded, Some(place), &Place::ARGUMENT_OF_FUNCTION, parse_expression)
        };
        parts.iter().map(read).collect()
    }

    /// The expression of a function, in which the names of its arguments stand for them.
    fn body(&mut self, of: &str, is: Is<'_>, name: &str, symbols: &[Symbol]) -> Option<Expr> {
        let names = parts(of).into_iter().filter_map(|(text, _)| name_and_primes(text));
        self.names.formals = names.zip(symbols).map(|((n, primes), s)| (n.to_owned(), primes, *s)).collect();
        let body = match is {
            Is::Written(item) => self.expression(item, &Place::DEFINITION),
            Is::Pieces(item, at) => self.pieces(name, item, at, symbols),
            Is::Given(text) => {
                let before = self.findings.errors.len();
                let body = self.parse(&text, None, &Place::DEFINITION, parse_expression);
                for error in &mut self.findings.errors[before..] {
                    error.message = format!("`{name} = {text}`: {}", error.message);
                    error.span = None;
                }
                body
            }
        };
        self.names.formals.clear();
        body
    }

    /// `a_x` is the derivative of the function `a` and cannot be anything else.
    pub(super) fn no_derivative_is_a_name(&mut self) {
        let taken: Vec<(String, String, Option<Span>)> = self
            .names
            .entries()
            .filter_map(|(name, _, span)| {
                let (i, _) = self.names.derivative_of(name)?;
                Some((name.to_owned(), self.names.functions[i].name.clone(), span.cloned()))
            })
            .collect();
        for (name, function, span) in taken {
            let error = Error::input(format!("`{name}` is a partial derivative of the function `{function}`"))
                .hint("choose another name for one of them");
            self.error(Error { span, ..error });
        }
    }
}

/// The texts in the value of an entry.
pub(super) fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Table(list) => list.iter().flat_map(|e| texts(&e.item.value)).collect(),
        Value::Array(items) => items.iter().flat_map(|i| texts(&i.value)).collect(),
        _ => Vec::new(),
    }
}

impl ModelScope<'_> {
    /// A function without arguments: of those it is said to be of.
    pub(super) fn bare_function(&mut self, arena: &mut Arena, i: usize, primes: u8) -> Result<Expr, NameError> {
        let f = &self.names.functions[i];
        if let (Kind::Given(_, Some(_)), None) = (&f.kind, self.names.definitions[f.bare].expr) {
            let error = NameError::new(format!("function `{}` without argument", f.name));
            return Err(error.hint(format!(
                "write `{}({})`, or what its arguments are",
                f.name,
                f.arguments.join(", ")
            )));
        }
        self.definition(arena, f.bare, primes)
    }

    /// `a_x`: the derivative of a function, of the arguments it is said to be of.
    pub(super) fn derivative_named(
        &mut self,
        arena: &mut Arena,
        name: &str,
        primes: u8,
    ) -> Result<Option<Expr>, NameError> {
        let Some((i, orders)) = self.names.derivative_of(name) else { return Ok(None) };
        if primes > 0 {
            return Err(NameError::new(format!("a prime cannot follow the partial derivative `{name}`"))
                .hint("give it a name in [definitions] and put the prime on that name"));
        }
        let bare = self.bare_function(arena, i, 0)?;
        if self.poisoned {
            return Ok(Some(bare));
        }
        let arguments = match (&self.names.functions[i].kind, arena.node(bare)) {
            (Kind::Open(_), Node::Unspecified(_, list)) => list.to_vec(),
            _ => {
                let f = &self.names.functions[i];
                let error = NameError::new(format!("function `{name}` without argument"));
                return Err(error.hint(format!("write `{name}({})`", f.arguments.join(", "))));
            }
        };
        self.differentiated(arena, i, &orders, &arguments).map(Some)
    }

    /// A function of the model at arguments.
    pub(super) fn applied(
        &mut self,
        arena: &mut Arena,
        call: u32,
        primes: u8,
        arguments: &[Expr],
    ) -> Result<Expr, NameError> {
        let Some((i, mut orders)) = self.names.calls.get(call as usize).cloned() else {
            return Err(NameError::unknown("function", "", []));
        };
        if let [n] = &mut orders[..] {
            *n = n.saturating_add(primes);
        }
        self.differentiated(arena, i, &orders, arguments)
    }

    fn differentiated(
        &mut self,
        arena: &mut Arena,
        i: usize,
        orders: &[u8],
        arguments: &[Expr],
    ) -> Result<Expr, NameError> {
        let by = orders.iter().enumerate().flat_map(|(j, &n)| std::iter::repeat_n(j, n.into()));
        let value = match self.names.functions[i].kind.clone() {
            Kind::Open(mut f) => {
                for j in by {
                    f = arena.partial(f, j);
                }
                return Ok(arena.unspecified(f, arguments));
            }
            Kind::Given(_, None) => {
                self.poisoned = true;
                return Ok(arena.zero());
            }
            Kind::Given(symbols, Some(mut body)) => {
                for j in by {
                    self.smooth(arena, body)?;
                    body = arena.diff(body, symbols[j]);
                }
                let map = symbols.into_iter().zip(arguments.iter().copied()).collect();
                arena.substitute(body, &map)
            }
        };
        let order = self.names.grade(arena, self.tables, value).order;
        if order > self.place.order {
            let name = &self.names.functions[i].name;
            return Err(self.cannot_stand(format!("`{name}` is a function that contains velocities, which")));
        }
        Ok(value)
    }

    /// Refuses to differentiate what has no derivative.
    pub(super) fn smooth(&self, arena: &Arena, e: Expr) -> Result<(), NameError> {
        match roughness(arena, self.tables, e) {
            Some((what, 0)) => Err(NameError::new(format!("this has no derivative: it contains {what}"))
                .hint("abs, sign and linear tables may stand only where they are not differentiated")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscripts_are_arguments_one_after_the_other_where_they_can_be_read_in_one_way() {
        let read =
            |text: &str, arguments: &[&str]| orders(text, &arguments.iter().map(|&a| a.to_owned()).collect::<Vec<_>>());
        assert_eq!(read("xy", &["x", "y", "z"]), Some(vec![1, 1, 0]));
        assert_eq!(read("x_x_z", &["x", "y", "z"]), Some(vec![2, 0, 1]));
        assert_eq!(read("yx", &["x", "y"]), Some(vec![1, 1]));
        // Of one argument primes are written; nothing, something else and what has two readings are no subscripts.
        assert_eq!(read("x", &["x"]), None);
        assert_eq!(read("", &["x", "y"]), None);
        assert_eq!(read("xw", &["x", "y"]), None);
        assert_eq!(read("x_", &["x", "y"]), None);
        assert_eq!(read("xx", &["x", "xx"]), None);
    }

    #[test]
    fn commas_inside_of_brackets_do_not_part_a_list() {
        let text = "a,f(b,g(c,d)),e";
        let found: Vec<&str> = parts(text).into_iter().map(|(part, _)| part).collect();
        assert_eq!(found, ["a", "f(b,g(c,d))", "e"]);
        assert!(parts(text).into_iter().all(|(part, span)| text[span] == *part));
    }
}
