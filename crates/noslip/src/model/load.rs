//! From the text of a model file to a [`Model`].
//!
//! Names are declared first, all of them, so that sections may stand in any order; then expressions are read. Mistakes
//! that do not depend on each other are all reported at once.

use super::render::render;
use super::scope::{ModelScope, Names, Place, check_smooth};
use super::system::{Constraint, Definition, Guard, Parameter, System, Table};
use crate::bodies::{SECTIONS as OF_BODIES, expand, speaks_of_bodies};
use crate::error::{Error, ErrorKind, Errors, Span};
use crate::expr::{Arena, Expr, NameError, Rational, Scope, Symbol, closest, parse_equation, parse_expression};
use crate::limits::Limits;
use crate::source::dependencies_first;
use crate::source::{Entry, Findings, Item, Value, Written, read, representable, text_of, write_out};
use rustc_hash::FxHashMap;
use std::str::FromStr;

/// A system together with the arena its expressions live in.
#[derive(Clone, Debug)]
pub struct Model {
    /// Owns the expressions.
    pub arena: Arena,
    /// The system.
    pub system: System,
    /// What is suspicious but not wrong.
    pub warnings: Vec<Error>,
    /// What was decided for the author: branches that were chosen, constraints that were left out.
    pub notes: Vec<Error>,
    /// What was written for a model that speaks of bodies.
    pub plain: Option<Plain>,
    /// The sections as they stand in the file: what its author wrote, beside what it means.
    pub sections: Vec<Entry>,
    /// Sizes of ranges, by name: what [`Model::load_with`] can give another value.
    pub sizes: Vec<String>,
    /// The name of the file, for messages.
    pub file_name: String,
    pub(super) names: Names,
    /// Coordinates on which laws of friction may act, and the functions that stand for them.
    pub(super) laws: Vec<(usize, String)>,
}

/// The plain model that was written for a file that speaks of bodies.
#[derive(Clone, Debug)]
pub struct Plain {
    /// The whole model file.
    pub file: String,
    /// The `[[drawing]]` sections that follow from bodies, springs and contacts.
    pub drawing: String,
}

/// Sections of a model file with the keys each may have; no keys: the author chooses them.
const SECTIONS: [(&str, &[&str]); 15] = [
    ("system", &["name", "source", "description", "coordinates"]),
    ("ranges", &[]),
    ("parameters", &[]),
    ("definitions", &[]),
    ("functions", &[]),
    ("energy", &["kinetic", "acceleration", "potential", "dissipation", "power"]),
    ("forces", &[]),
    ("constraints", &[]),
    ("quasi_velocities", &[]),
    ("operators", &[]),
    ("tables", &[]),
    ("initial", &["time", "position", "velocity", "acceleration"]),
    ("simulation", &["until", "tolerance", "method", "samples"]),
    ("display", &[]),
    ("noslip", &[]),
];

const EXTRA: [&str; 3] = ["drawing", "view", "plots"];

/// All expressions of a file together may take this many times the work of one.
const FILE_WORK: u64 = 4;

impl Model {
    /// Reads a model file. All independent mistakes are reported, in the order of the file.
    pub fn load(text: &str, file_name: &str, limits: &Limits) -> Result<Model, Errors> {
        Model::load_with(text, file_name, limits, &[])
    }

    /// The same, where functions that the file leaves open, or sizes of its ranges, are given: name and text.
    pub fn load_with(
        text: &str,
        file_name: &str,
        limits: &Limits,
        given: &[(String, String)],
    ) -> Result<Model, Errors> {
        let mut findings = Findings::default();
        let entries = read(text, limits, &mut findings);
        // What is wrong with a number is no reason not to look at the rest; what is wrong with a range is.
        let known = findings.errors.len();
        let written = entries.map(|entries| write_out(text, entries, limits, given, &mut findings));
        let model = match written {
            _ if findings.errors.len() > known => Err(findings),
            Some((entries, written)) => {
                let functions = given.iter().filter(|(name, _)| !written.sizes.contains(name)).cloned().collect();
                let mut loader = Loader::new(text, limits, findings);
                (loader.given, loader.written) = (functions, written);
                match speaks_of_bodies(&entries) {
                    true => Model::from_bodies(loader, &entries, file_name),
                    false => loader.model(entries, file_name),
                }
            }
            None => Err(findings),
        };
        model.map_err(|mut findings| {
            findings.sort();
            shown(findings.errors, file_name, text)
        })
    }

    /// Reads a model file that speaks of bodies: the plain model is written first, then read.
    fn from_bodies(mut loader: Loader<'_>, entries: &[Entry], file_name: &str) -> Result<Model, Findings> {
        let expansion = expand(loader.file, entries, loader.limits, &loader.written)?;
        loader.names.aliases = expansion.aliases;
        loader.names.hidden = expansion.hidden.into_iter().collect();
        loader.guards = expansion.guards;
        let mut model = loader.model(expansion.entries, file_name)?;
        model.notes = expansion.notes;
        model.plain = Some(Plain { file: expansion.plain, drawing: expansion.drawing });
        Ok(model)
    }

    /// The text that stands under `[section] key`: an expression or an equation in the author's own words, in which
    /// definitions stand for themselves. `None` where there is none, or a bare number.
    pub fn written(&self, section: &str, key: &str) -> Option<&str> {
        let entry = self.sections.iter().find(|e| e.key == section)?.item.value.get(key)?;
        match &entry.item.value {
            Value::String(text) => Some(text),
            long @ Value::Table(_) => match &long.get("equation")?.item.value {
                Value::String(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Functions that the model leaves open, by name.
    pub fn open_functions(&self) -> Vec<&str> {
        let open = self.names.functions.iter().filter(|f| f.is_open()).map(|f| f.name.as_str());
        open.filter(|name| !self.laws.iter().any(|(_, law)| law == name)).collect()
    }

    /// Reads a model file from bytes, which may turn out not to be text.
    pub fn load_bytes(bytes: &[u8], file_name: &str, limits: &Limits) -> Result<Model, Errors> {
        Model::load(text_of(bytes, limits)?, file_name, limits)
    }
}

/// A model file as text: `let model: Model = text.parse()?`.
impl FromStr for Model {
    type Err = Errors;

    fn from_str(text: &str) -> Result<Model, Errors> {
        Model::load(text, "model", &Limits::default())
    }
}

/// Mistakes beside the lines they speak of.
pub(super) fn shown(errors: Vec<Error>, file_name: &str, text: &str) -> Errors {
    let lines: Vec<String> = errors.iter().map(|e| render(e, file_name, text)).collect();
    Errors::shown(errors, lines.join("\n"))
}

/// Reads expressions with the names of a model.
pub(super) struct Loader<'a> {
    pub(super) file: &'a str,
    pub(super) limits: &'a Limits,
    pub(super) findings: Findings,
    pub(super) arena: Arena,
    pub(super) names: Names,
    pub(super) tables: Vec<Table>,
    /// Contacts and what must not vanish at them.
    guards: Vec<(String, String)>,
    /// Functions that are given from outside, with their expressions.
    pub(super) given: Vec<(String, String)>,
    /// Coordinates on which laws of friction may act, and the functions that stand for them.
    pub(super) laws: Vec<(usize, String)>,
    /// What was written for ranges.
    written: Written,
    /// Work of all expressions read so far.
    work: u64,
}

/// The entry of this name.
fn member<'a>(entries: &'a [Entry], key: &str) -> Option<&'a Entry> {
    entries.iter().find(|e| e.key == key)
}

impl<'a> Loader<'a> {
    fn new(file: &'a str, limits: &'a Limits, findings: Findings) -> Self {
        let arena = Arena::new();
        let names = Names::new(&arena);
        Loader::resume(file, limits, findings, arena, names, Vec::new())
    }

    /// A loader that goes on with the names of a model: for claims.
    pub(super) fn resume(
        file: &'a str,
        limits: &'a Limits,
        findings: Findings,
        arena: Arena,
        names: Names,
        tables: Vec<Table>,
    ) -> Self {
        Loader {
            file,
            limits,
            findings,
            arena,
            names,
            tables,
            guards: Vec::new(),
            given: Vec::new(),
            laws: Vec::new(),
            written: Written::default(),
            work: 0,
        }
    }

    pub(super) fn error(&mut self, error: Error) {
        self.findings.error(error);
    }

    /// A text of the section that says what the system is.
    fn told(&mut self, system: &[Entry], key: &str) -> Option<String> {
        let entry = member(system, key)?;
        self.string(&entry.item, key);
        match &entry.item.value {
            Value::String(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// The definitions, without functions of the author.
    fn read_definitions(&self) -> Vec<Definition> {
        let own = self.names.definitions.iter().filter(|d| self.names.function(&d.name).is_none());
        own.filter_map(|d| Some(Definition { name: d.name.clone(), expr: d.expr? })).collect()
    }

    fn model(mut self, entries: Vec<Entry>, file_name: &str) -> Result<Model, Findings> {
        self.version(&entries);
        entries.iter().for_each(|entry| self.known_section(entry));
        let section = |name: &str| member(&entries, name);
        let list = |name: &str| match section(name).map(|e| &e.item.value) {
            Some(Value::Table(list)) => list.as_slice(),
            _ => &[],
        };

        // Names.
        let coordinates = self.coordinates(&entries, section("system"));
        let parameter_symbols = self.parameter_names(list("parameters"));
        self.read_tables(list("tables"));
        let definition_slots = self.definition_names(list("definitions"), false);
        let taken = [list("functions"), list("quasi_velocities"), list("operators")];
        let mechanics = ["definitions", "functions", "energy", "forces", "constraints", "tables"].map(&list);
        let laws = self.law_functions(list("constraints"), &coordinates, &taken, &mechanics);
        let functions = [list("functions"), &laws].concat();
        self.function_names(&functions);
        self.names.give_aliases();
        let (stated, k) = (list("quasi_velocities"), list("constraints").len());
        let by_operators = self.operators_as_velocities(list("operators"), stated, &coordinates, k);
        let quasi = if by_operators.is_empty() { stated } else { by_operators.as_slice() };
        let quasi_symbols = self.quasi_velocity_names(quasi);
        let multipliers = self.constraint_names(list("constraints"));

        // Expressions.
        let parameters = self.parameters(list("parameters"), &parameter_symbols);
        self.no_derivative_is_a_name();
        self.definitions(list("definitions"), &definition_slots, &functions, &Place::DEFINITION);
        self.table_arguments(list("tables"));
        let (kinetic, acceleration_energy) = self.kinetic_energies(&entries, section("energy"), &coordinates);
        let potential = member(list("energy"), "potential").and_then(|e| self.expression(&e.item, &Place::POTENTIAL));
        let operators = self.operators(list("operators"), &coordinates, k);
        let quasi_velocities = match self.findings.errors.is_empty() || by_operators.is_empty() {
            true => self.quasi_velocities(quasi, &quasi_symbols, &coordinates),
            // What is wrong with an operator has been said.
            false => Vec::new(),
        };
        let mut forces = self.forces(list("forces"), &coordinates);
        self.forces_of_functions(list("energy"), &coordinates, &mut forces);
        let entries_of = list("constraints").iter().zip(multipliers);
        let constraints: Vec<Constraint> = entries_of.filter_map(|(e, m)| self.constraint(e, m?)).collect();
        let law = self.read_laws(list("constraints"), &coordinates, &mut forces);
        self.no_repetition(&constraints);
        self.quasi_velocities_fit(quasi, &quasi_velocities, &constraints, &coordinates);
        self.one_limit_per_contact(&constraints);
        self.counts(coordinates.len(), list("constraints"), quasi_symbols.len(), section("quasi_velocities"));
        let initial = section("initial").map(|e| self.initial(e, &coordinates));
        self.accelerations_have_a_meaning(initial.as_ref(), &constraints);
        let simulation = self.simulation(list("simulation"));
        let display = self.display(list("display"));
        let guards = self.guards();
        let [name, source, description] = ["name", "source", "description"].map(|k| self.told(list("system"), k));
        if !self.findings.errors.is_empty() {
            return Err(self.findings);
        }
        self.findings.sort();
        let (Some(kinetic), zero) = (kinetic, self.arena.zero()) else { return Err(self.findings) };
        let velocities: Vec<Symbol> = coordinates.iter().map(|&q| self.arena.dot(q)).collect();
        let accelerations: Vec<Symbol> = velocities.iter().map(|&v| self.arena.dot(v)).collect();
        let definitions = self.read_definitions();
        let stem = || file_name.rsplit(['/', '\\']).next().unwrap_or(file_name).trim_end_matches(".toml").to_owned();
        let system = System {
            name: name.unwrap_or_else(stem),
            source,
            description,
            coordinates,
            velocities,
            accelerations,
            parameters,
            definitions,
            kinetic,
            acceleration_energy,
            potential: potential.unwrap_or(zero),
            forces,
            constraints,
            law,
            quasi_velocities,
            operators,
            tables: self.tables,
            initial,
            simulation,
            display,
            guards,
        };
        Ok(Model {
            arena: self.arena,
            system,
            warnings: self.findings.warnings,
            notes: Vec::new(),
            plain: None,
            sections: entries,
            sizes: self.written.sizes,
            file_name: file_name.to_owned(),
            names: self.names,
            laws: self.laws,
        })
    }

    /// What the contacts of bodies say must not vanish.
    fn guards(&mut self) -> Vec<Guard> {
        std::mem::take(&mut self.guards)
            .into_iter()
            .filter_map(|(of, text)| {
                Some(Guard { of, expr: self.parse(&text, None, &Place::POTENTIAL, parse_expression)? })
            })
            .collect()
    }

    // Structure of the file -------------------------------------------------------------------------------------------

    fn version(&mut self, entries: &[Entry]) {
        let one = Value::Number(Rational::ONE);
        let error = match entries.iter().find(|e| e.key == "noslip") {
            Some(e) if e.item.value == one => return,
            Some(e) => match &e.item.value {
                Value::Number(n) => Error::input(format!("model format {n} is not known"))
                    .at(e.item.span.clone())
                    .hint("this program reads format 1: `noslip = 1`"),
                other => Error::input(format!("the format version is a number, not {}", other.kind()))
                    .at(e.item.span.clone())
                    .hint("write `noslip = 1`"),
            },
            None => Error::input("the format version is missing").at(0..0).hint("begin the file with `noslip = 1`"),
        };
        self.error(error);
    }

    fn known_section(&mut self, entry: &Entry) {
        let key = entry.key.as_str();
        if EXTRA.contains(&key) || key == "noslip" {
            return;
        }
        let Some((_, keys)) = SECTIONS.iter().find(|(name, _)| *name == key) else {
            let names = SECTIONS.iter().map(|(name, _)| *name).chain(EXTRA).chain(OF_BODIES);
            let noun = if matches!(entry.item.value, Value::Table(_)) { "section" } else { "key" };
            let mut error = NameError::unknown(noun, key, names);
            error.hint = Some(match SECTIONS.iter().find(|(_, keys)| keys.contains(&key)) {
                Some((home, _)) => format!("`{key}` stands under [{home}]"),
                None => {
                    let names: Vec<&str> =
                        SECTIONS[..14].iter().map(|(name, _)| *name).chain(EXTRA).chain(OF_BODIES).collect();
                    format!("sections are {}", names.join(", "))
                }
            });
            self.names.incomplete = true;
            return self.error(error.at(entry.key_span.clone()));
        };
        match &entry.item.value {
            Value::Table(list) if !keys.is_empty() => self.known_keys(&format!("[{key}]"), list, keys),
            Value::Table(_) => {}
            other => {
                self.names.incomplete = true;
                let message = format!("`{key}` is a section, not {}", other.kind());
                self.error(Error::input(message).at(entry.item.span.clone()).hint(format!("write `[{key}]`")));
            }
        }
    }

    pub(super) fn known_keys(&mut self, section: &str, list: &[Entry], keys: &[&str]) {
        for entry in list.iter().filter(|e| !keys.contains(&e.key.as_str())) {
            let mut error = NameError::unknown("key", &entry.key, keys.iter().copied());
            error.message =
                error.message.replacen(&format!("`{}`", entry.key), &format!("`{}` in {section}", entry.key), 1);
            error.hint = Some(format!("keys of {section} are {}", keys.join(", ")));
            self.error(error.at(entry.key_span.clone()));
        }
    }

    pub(super) fn string(&mut self, item: &Item, what: &str) -> Option<String> {
        match &item.value {
            Value::String(s) => Some(s.clone()),
            other => {
                let message = format!("{what} is a text in quotes, not {}", other.kind());
                self.error(Error::input(message).at(item.span.clone()));
                None
            }
        }
    }

    pub(super) fn number(&mut self, item: &Item, what: &str) -> Option<Rational> {
        match &item.value {
            Value::Number(n) => Some(n.clone()),
            other => {
                self.error(Error::input(format!("{what} is a number, not {}", other.kind())).at(item.span.clone()));
                None
            }
        }
    }

    /// An expression: mathematics in quotes, or a bare number.
    pub(super) fn expression(&mut self, item: &Item, place: &Place) -> Option<Expr> {
        let e = match &item.value {
            Value::Number(n) => self.arena.number(n.clone()),
            Value::String(text) => self.parse(text, Some(&item.span), place, parse_expression)?,
            other => {
                self.error(
                    Error::input(format!("expected an expression, found {}", other.kind()))
                        .at(item.span.clone())
                        .hint("mathematics is written in quotes: \"...\""),
                );
                return None;
            }
        };
        // Chains of definitions may be deep as long as nothing but names is made of them.
        if place.what != Place::DEFINITION.what {
            self.not_too_deep(e, &item.span)?;
        }
        let smooth = check_smooth(&self.arena, &self.tables, e, place, 0);
        self.findings.keep(smooth.map_err(|e| e.at(item.span.clone())))?;
        Some(e)
    }

    /// φ = left side − right side of an equation.
    pub(super) fn equation(&mut self, item: &Item, place: &Place) -> Option<Expr> {
        let Value::String(text) = &item.value else {
            let message = format!("expected an equation, found {}", item.value.kind());
            self.error(
                Error::input(message).at(item.span.clone()).hint("equations are written in quotes: \"lhs = rhs\""),
            );
            return None;
        };
        let (lhs, rhs) = self.parse(text, Some(&item.span), place, parse_equation)?;
        let e = self.arena.sub(lhs, rhs);
        self.not_too_deep(e, &item.span)?;
        Some(e)
    }

    /// Refuses what is nested beyond all formulas.
    fn not_too_deep(&mut self, e: Expr, span: &Span) -> Option<()> {
        let (depth, limit) = (self.arena.depth(e), self.limits.expression_depth);
        if depth <= limit {
            return Some(());
        }
        let message = format!("the expression is nested {depth} levels deep, more than the limit of {limit}");
        self.error(Error::limit(message).at(span.clone()));
        None
    }

    /// The same for a text that is its own file, without quotes.
    pub(super) fn bare_equation(&mut self, text: &str, place: &Place) -> Option<Expr> {
        let (lhs, rhs) = self.parse(text, None, place, parse_equation)?;
        Some(self.arena.sub(lhs, rhs))
    }

    /// Reads a text; `literal` is where it stands in quotes in the file.
    pub(super) fn parse<T>(
        &mut self,
        text: &str,
        literal: Option<&Span>,
        place: &Place,
        parser: impl Fn(&mut Arena, &str, &mut dyn Scope, &Limits) -> crate::Result<T>,
    ) -> Option<T> {
        if self.findings.full() {
            return None;
        }
        let nesting = self.limits.nested_calls;
        let (names, tables) = (&mut self.names, self.tables.as_slice());
        let mut scope = ModelScope { names, tables, place, nesting, work: 0, poisoned: false };
        // A chain of definitions could build step by step what no single text may.
        let left = self.limits.parse_work.saturating_mul(FILE_WORK).saturating_sub(self.work);
        let limits = Limits { parse_work: left.min(self.limits.parse_work), ..self.limits.clone() };
        let result = parser(&mut self.arena, text, &mut scope, &limits);
        let poisoned = scope.poisoned;
        self.work += scope.work;
        let value = match (result, literal) {
            (Ok(value), _) => value,
            (Err(e), None) => return self.findings.keep(Err(e)),
            (Err(e), Some(literal)) => {
                let e = self.written.placed_in_file(e, self.file, literal, text);
                let told = self.findings.errors.iter().any(|other| other.span == e.span);
                if !(told && self.written.is_repeated(literal)) {
                    self.error(e);
                }
                return None;
            }
        };
        (!poisoned).then_some(value)
    }

    // Values ----------------------------------------------------------------------------------------------------------

    fn parameters(&mut self, list: &[Entry], symbols: &[Option<Symbol>]) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        let mut items = Vec::new();
        for (entry, symbol) in list.iter().zip(symbols) {
            let Some(symbol) = *symbol else { continue };
            let Some(value) = self.expression(&entry.item, &Place::PARAMETER) else { continue };
            if let (Value::String(_), Some(n)) = (&entry.item.value, self.arena.as_number(value)) {
                match representable(n) {
                    Err(e) if e.kind == ErrorKind::Computation => self.findings.warning(e.at(entry.item.span.clone())),
                    Err(e) => self.findings.error(e.at(entry.item.span.clone())),
                    Ok(()) => {}
                }
            }
            parameters.push(Parameter { symbol, value });
            items.push(entry);
        }
        let (order, circles) = dependencies_first(&parameter_references(&self.arena, &parameters));
        for circle in circles {
            let names: Vec<&str> = circle.iter().map(|&i| items[i].key.as_str()).collect();
            let error = circular("parameter", &names).at(items[circle[0]].item.span.clone());
            self.error(error);
        }
        if self.findings.errors.is_empty() {
            let mut at = crate::expr::Assignment::new();
            for i in order {
                let x = self.arena.evaluate(&[parameters[i].value], &at)[0];
                at.set(parameters[i].symbol, x);
                if !x.is_finite() {
                    let message = format!("parameter `{}` has no finite value", items[i].key);
                    self.error(
                        Error::input(message)
                            .at(items[i].item.span.clone())
                            .hint("look for a division by zero, or a root or logarithm of a negative number"),
                    );
                    break;
                }
            }
        }
        parameters
    }
}

/// Is there a key that was probably meant to be this one? It has been reported as unknown.
pub(super) fn misspelt(entries: &[Entry], key: &str) -> bool {
    let known = SECTIONS.iter().flat_map(|(name, keys)| [*name].into_iter().chain(keys.iter().copied()));
    let known: Vec<&str> = known.chain(EXTRA).collect();
    entries.iter().any(|e| !known.contains(&e.key.as_str()) && closest(&e.key, known.iter().copied()) == Some(key))
}

pub(super) fn circular(noun: &str, names: &[&str]) -> Error {
    let error = match names {
        [one] => Error::input(format!("{noun} `{one}` refers to itself")),
        _ => Error::input(format!("{noun}s refer to each other in a circle: {} → {}", names.join(" → "), names[0])),
    };
    error.hint(format!("a {noun} may use others, but not itself, not even through others"))
}

/// Which parameters each parameter refers to.
pub(super) fn parameter_references(arena: &Arena, parameters: &[Parameter]) -> Vec<Vec<usize>> {
    let index_of: FxHashMap<Symbol, usize> = parameters.iter().enumerate().map(|(i, p)| (p.symbol, i)).collect();
    let references =
        |p: &Parameter| arena.free_symbols(&[p.value]).iter().filter_map(|s| index_of.get(s).copied()).collect();
    parameters.iter().map(references).collect()
}

#[cfg(test)]
mod tests;
