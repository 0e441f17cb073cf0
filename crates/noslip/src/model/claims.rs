//! Claims about a model: hand-derived equations to be verified.
//!
//! A claims file is TOML: `[[claim]]` with `id`, `equation`, an optional `note` and an optional `expect` (the verdict its
//! author expects, `true` or `false`: a collection of misprints keeps them with their corrections), and an optional
//! `[definitions]` table.
//! Accelerations, multipliers `lambda_NAME` and quasi-velocities with their primes may stand in both. A definition may
//! hide a definition or quasi-velocity of the model, as books give symbols new meanings from page to page.

use super::load::{Loader, Model, shown};
use super::scope::{Meaning, Names, Place};
use super::system::Table;
use crate::error::{Error, Errors, Span};
use crate::expr::{Arena, Expr, NameError, Role, Symbol};
use crate::limits::Limits;
use crate::source::{Entry, Findings, Item, Value, read, text_of};
use rustc_hash::FxHashSet;

/// One equation to be verified.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub id: String,
    /// Left side − right side, claimed to vanish. Quasi-velocities and their derivatives stand as symbols.
    pub expr: Expr,
    /// A remark of its author.
    pub note: Option<String>,
    /// The verdict its author expects, if the file says so.
    pub expect: Option<bool>,
    /// Where the equation stands in the claims file.
    pub span: Span,
}

/// The claims of a file.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    /// In the order of the file.
    pub claims: Vec<Claim>,
    /// What is suspicious but not wrong.
    pub warnings: Vec<Error>,
}

impl Claims {
    /// Reads a claims file. Expressions are added to the model's arena; the model stays as it is otherwise.
    pub fn load(text: &str, model: &mut Model, limits: &Limits) -> Result<Claims, Errors> {
        let mut findings = Findings::default();
        let Some(entries) = read(text, limits, &mut findings) else {
            return Err(shown(findings.errors, "claims", text));
        };
        let arena = std::mem::take(&mut model.arena);
        let mut loader =
            Loader::resume(text, limits, findings, arena, model.names.clone(), model.system.tables.clone());
        let claims = loader.claims(&entries);
        let mut findings = std::mem::take(&mut loader.findings);
        model.arena = loader.arena;
        findings.sort();
        if findings.errors.is_empty() {
            Ok(Claims { claims, warnings: findings.warnings })
        } else {
            Err(shown(findings.errors, "claims", text))
        }
    }

    /// Reads a claims file from bytes, which may turn out not to be text.
    pub fn load_bytes(bytes: &[u8], model: &mut Model, limits: &Limits) -> Result<Claims, Errors> {
        Claims::load(text_of(bytes, limits)?, model, limits)
    }

    /// One equation given on its own; places in errors are places in `equation`.
    pub fn equation(equation: &str, model: &mut Model, limits: &Limits) -> Result<Claim, Errors> {
        let expr = model.reader().read(equation, &mut model.arena, limits)?;
        Ok(Claim { id: equation.to_owned(), expr, note: None, expect: None, span: 0..equation.len() })
    }
}

/// Reads expressions with the names of a model: its coordinates, velocities, accelerations, parameters, definitions,
/// quasi-velocities, multipliers and tables.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    names: Names,
    tables: Vec<Table>,
}

impl Reader {
    /// An expression, or an equation as left side − right side. Places in errors are places in the text.
    pub(crate) fn read(&self, text: &str, arena: &mut Arena, limits: &Limits) -> Result<Expr, Errors> {
        let (names, tables) = (self.names.clone(), self.tables.clone());
        let mut loader = Loader::resume(text, limits, Findings::default(), std::mem::take(arena), names, tables);
        let expr = loader.bare_equation(text, &Place::CLAIM);
        let errors = std::mem::take(&mut loader.findings.errors);
        *arena = loader.arena;
        expr.ok_or_else(|| shown(errors, "expression", text))
    }
}

/// What a name of a model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// π.
    Constant,
    /// `t`.
    Time,
    /// A coordinate.
    Coordinate,
    /// A parameter.
    Parameter,
    /// An abbreviation.
    Definition,
    /// A quasi-velocity.
    QuasiVelocity,
    /// The multiplier of a constraint.
    Multiplier,
    /// A table of data, or another function.
    Table,
}

impl Model {
    /// The names of the model and what they are, in the order of their declaration.
    pub fn vocabulary(&self) -> Vec<(String, Kind)> {
        let kind = |name: &str| {
            Some(match self.names.get(name)? {
                Meaning::Constant(_) => Kind::Constant,
                Meaning::Time(_) => Kind::Time,
                Meaning::Coordinate(_) => Kind::Coordinate,
                Meaning::Parameter(_) => Kind::Parameter,
                Meaning::Definition(_) => Kind::Definition,
                Meaning::QuasiVelocity(_) => Kind::QuasiVelocity,
                Meaning::Multiplier(_) => Kind::Multiplier,
                Meaning::Table | Meaning::Function(_) => Kind::Table,
            })
        };
        self.names.all().filter_map(|name| Some((name.to_owned(), kind(name)?))).collect()
    }

    /// Makes a name known as an abbreviation, for expressions read later. Whatever may stand in a claim may stand in it.
    pub fn define(&mut self, name: &str, text: &str, limits: &Limits) -> Result<(), Error> {
        let first = |errors: Errors| errors.first().cloned().unwrap_or_else(|| Error::input("it cannot be read"));
        let expr = Claims::equation(text, self, limits).map_err(first)?.expr;
        let slot = self.names.add_definition(name);
        self.names.declare("", name, Meaning::Definition(slot), 0..text.len())?;
        self.names.definitions[slot].expr = Some(expr);
        Ok(())
    }

    /// Reads an expression with the names of the model; an equation is left side − right side.
    ///
    /// ```
    /// # use noslip::Model;
    /// # let mut model: Model = "noslip = 1\n[system]\ncoordinates = ['x']\n[energy]\nkinetic = \"x'^2/2\"".parse()?;
    /// let speed = model.expression("sqrt(x'^2)")?;
    /// assert!(model.expression("y + 1").is_err());
    /// # Ok::<(), noslip::Errors>(())
    /// ```
    pub fn expression(&mut self, text: &str) -> Result<Expr, Errors> {
        self.reader().read(text, &mut self.arena, &Limits::default())
    }

    pub(crate) fn reader(&self) -> Reader {
        Reader { names: self.names.clone(), tables: self.system.tables.clone() }
    }

    /// Makes a name known as a constant without a value, for expressions read later: the constants of a complete integral.
    pub fn declare_constant(&mut self, name: &str) -> Result<Symbol, Error> {
        let symbol = self.arena.declare(name, Role::Parameter);
        self.names.declare("", name, Meaning::Parameter(symbol), 0..name.len())?;
        Ok(symbol)
    }
}

impl Loader<'_> {
    fn claims(&mut self, entries: &[Entry]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for entry in entries {
            match (entry.key.as_str(), &entry.item.value) {
                ("definitions", Value::Table(list)) => {
                    let slots = self.definition_names(list, true);
                    self.definitions(list, &slots, &[], &Place::CLAIM);
                }
                ("claim", Value::Array(_)) => {}
                ("definitions", other) => {
                    let message = format!("`definitions` is a section, not {}", other.kind());
                    self.error(Error::input(message).at(entry.item.span.clone()).hint("write `[definitions]`"));
                }
                ("claim", _) => self.error(
                    Error::input("claims are written with double brackets")
                        .at(entry.key_span.clone())
                        .hint("write `[[claim]]`"),
                ),
                (key, _) => {
                    let error = NameError::unknown("section", key, ["claim", "definitions"])
                        .hint("a claims file has [[claim]] and [definitions]");
                    self.error(error.at(entry.key_span.clone()));
                }
            }
        }
        // All definitions are known now, wherever they stand.
        let mut ids = FxHashSet::default();
        let lists = entries.iter().filter(|e| e.key == "claim").filter_map(|e| match &e.item.value {
            Value::Array(items) => Some(items),
            _ => None,
        });
        for item in lists.flatten() {
            if let Some(claim) = self.claim(item) {
                if !ids.insert(claim.id.clone()) {
                    let message = format!("two claims have the id `{}`", claim.id);
                    self.error(Error::input(message).at(claim.span.clone()).hint("give each claim its own id"));
                }
                claims.push(claim);
            }
        }
        if claims.is_empty() && self.findings.errors.is_empty() {
            self.error(Error::input("the file contains no claim").hint("write `[[claim]]` with `id` and `equation`"));
        }
        claims
    }

    fn claim(&mut self, item: &Item) -> Option<Claim> {
        let Value::Table(list) = &item.value else {
            let message = format!("a claim is a section, not {}", item.value.kind());
            self.error(Error::input(message).at(item.span.clone()).hint("write `[[claim]]`"));
            return None;
        };
        self.known_keys("a claim", list, &["id", "equation", "note", "expect"]);
        let mut missing = |key: &str| {
            let message = format!("a claim without `{key}`");
            self.error(Error::input(message).at(item.span.clone()).hint(format!("write `{key} = \"...\"`")));
        };
        let (id, equation) = (item.value.get("id"), item.value.get("equation"));
        if id.is_none() {
            missing("id");
        }
        if equation.is_none() {
            missing("equation");
        }
        let (id, equation) = (id?, equation?);
        let id = self.string(&id.item, "the id of a claim");
        let note = item.value.get("note").and_then(|e| self.string(&e.item, "the note of a claim"));
        let expect = item.value.get("expect").and_then(|e| match &e.item.value {
            Value::Bool(verdict) => Some(*verdict),
            other => {
                let message = format!("the expected verdict of a claim is `true` or `false`, not {}", other.kind());
                self.error(Error::input(message).at(e.item.span.clone()));
                None
            }
        });
        let expr = self.equation(&equation.item, &Place::CLAIM);
        Some(Claim { id: id?, expr: expr?, note, expect, span: equation.item.span.clone() })
    }
}
