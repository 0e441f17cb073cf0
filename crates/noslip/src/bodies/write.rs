//! The plain model: as sections for the loader, and as the file a person would have written.

use super::layer::{Layer, Letter};
use super::{Expansion, SECTIONS};
use crate::error::Span;
use crate::expr::{Expr, Role, Symbol, names_in, written_out};
use crate::source::{Entry, Findings, Item, Value, quoted};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Everything the layer adds, as expressions.
#[derive(Default)]
struct Sums {
    kinetic: Vec<Expr>,
    potential: Vec<Expr>,
}

impl Layer<'_> {
    /// Adds up, prunes, prints.
    pub(super) fn finish(mut self, entries: &[Entry]) -> Result<Expansion, Findings> {
        let mut sums = Sums::default();
        for i in 0..self.bodies.len() {
            let kinetic = self.kinetic(i);
            sums.kinetic.push(kinetic);
        }
        self.make_springs_and_loads();
        let specs = self.specs;
        for spec in &specs.contacts {
            self.make_contact(spec);
        }
        if !self.findings.errors.is_empty() {
            return Err(self.findings);
        }
        // Heights are written by the names that contacts give.
        for i in 0..self.bodies.len() {
            let weight = self.weight(i);
            sums.potential.push(weight);
        }
        self.leave_out(entries);
        self.tell_leaning();
        self.normal_forces();
        if !self.findings.errors.is_empty() {
            return Err(self.findings);
        }
        sums.kinetic.append(&mut self.kinetic);
        sums.potential.append(&mut self.potential);
        let zero = self.arena.zero();
        sums.kinetic.retain(|&e| e != zero);
        sums.potential.retain(|&e| e != zero);
        self.names_used_by_the_author(entries);
        let drawings = self.drawings();
        self.inline_short_letters(&mut sums, &drawings);
        let expansion = self.print(entries, &sums, &drawings);
        if self.findings.errors.is_empty() { Ok(expansion) } else { Err(self.findings) }
    }

    fn make_springs_and_loads(&mut self) {
        let specs = self.specs;
        for spec in &specs.springs {
            if let Some(spring) = self.make_spring(spec) {
                self.potential.push(spring.potential);
                self.springs.push(spring);
            }
        }
        for spec in &specs.loads {
            if let Some(Some(load)) = self.make_load(spec) {
                self.loads.push(load);
            }
        }
    }

    /// Dotted names in the author's texts get their letters, also where they stand in plots and drawings.
    fn names_used_by_the_author(&mut self, entries: &[Entry]) {
        for e in entries.iter().filter(|e| !SECTIONS.contains(&e.key.as_str()) && e.key != "system") {
            for text in strings(&e.item.value) {
                for (name, _) in names_in(text, self.limits.number_bits) {
                    if let Some((head, field)) = name.split_once('.') {
                        let used = self.dotted_letter(head, field);
                        self.author_uses.extend(used);
                    }
                }
            }
        }
    }

    /// Short definitions that are used once are written where they are used.
    fn inline_short_letters(&mut self, sums: &mut Sums, drawings: &[super::drawing::Drawn]) {
        let mut pinned: FxHashSet<Symbol> = self.author_uses.iter().copied().collect();
        drawings.iter().for_each(|d| pinned.extend(self.arena.free_symbols(&d.expressions())));
        let roots = |layer: &Self, sums: &Sums| -> Vec<Expr> {
            let mut roots: Vec<Expr> = sums.kinetic.iter().chain(&sums.potential).copied().collect();
            roots.extend(&layer.forces);
            roots.extend(layer.added.iter().map(|a| a.expr));
            roots.extend(layer.limits_of_friction.iter().map(|(_, e)| *e));
            roots
        };
        let mut free: FxHashMap<Expr, Vec<Symbol>> = FxHashMap::default();
        // From the last to the first, so that what is written into another letter is counted there.
        for i in (0..self.letters.len()).rev() {
            let Letter { symbol, expr } = self.letters[i].clone();
            if pinned.contains(&symbol) || self.primed(symbol) || written_out(&self.arena, expr) > 6 {
                continue;
            }
            let mut all: Vec<Expr> = roots(self, sums).into_iter().chain(self.letters.iter().map(|l| l.expr)).collect();
            all.retain(|&e| free.entry(e).or_insert_with(|| self.arena.free_symbols(&[e])).contains(&symbol));
            let uses: usize = all.iter().map(|&e| self.occurrences(e, symbol)).sum();
            if uses > 1 {
                continue;
            }
            let map: FxHashMap<Symbol, Expr> = [(symbol, expr)].into_iter().collect();
            let replace = |layer: &mut Self, e: &mut Expr| *e = layer.arena.substitute(*e, &map);
            sums.kinetic.iter_mut().chain(&mut sums.potential).for_each(|e| replace(self, e));
            let mut forces = std::mem::take(&mut self.forces);
            forces.iter_mut().for_each(|e| replace(self, e));
            self.forces = forces;
            let mut added = std::mem::take(&mut self.added);
            added.iter_mut().for_each(|a| replace(self, &mut a.expr));
            self.added = added;
            let mut friction = std::mem::take(&mut self.limits_of_friction);
            friction.iter_mut().for_each(|(_, e)| replace(self, e));
            self.limits_of_friction = friction;
            let mut letters = std::mem::take(&mut self.letters);
            letters.iter_mut().for_each(|l| replace(self, &mut l.expr));
            self.letters = letters;
        }
    }

    /// Is a derivative of the symbol used anywhere?
    fn primed(&self, s: Symbol) -> bool {
        let Some(dot) = self.arena.info(s).derivative else { return false };
        let used = |e: Expr| self.arena.depends_on(e, dot) || self.primed_deeper(e, dot);
        self.letters.iter().any(|l| used(l.expr))
            || self.added.iter().any(|a| used(a.expr))
            || self.forces.iter().any(|&e| used(e))
            || self.limits_of_friction.iter().any(|(_, e)| used(*e))
    }

    fn primed_deeper(&self, e: Expr, dot: Symbol) -> bool {
        self.arena.info(dot).derivative.is_some_and(|second| self.arena.depends_on(e, second))
    }

    /// How often a symbol is written in an expression, at most two.
    fn occurrences(&self, e: Expr, s: Symbol) -> usize {
        let mut count: FxHashMap<Expr, usize> = FxHashMap::default();
        for c in self.arena.reachable(&[e]) {
            let node = self.arena.node(c);
            let mut n = usize::from(matches!(node, crate::expr::Node::Symbol(x) if *x == s));
            node.for_each_child(|x| n += count.get(&x).copied().unwrap_or(0));
            count.insert(c, n.min(2));
        }
        count.get(&e).copied().unwrap_or(0)
    }

    /// The letters that something needs, in their order.
    fn needed(&self, roots: &[Expr]) -> Vec<usize> {
        let mut wanted: FxHashSet<Symbol> = FxHashSet::default();
        let mark = |e: Expr, wanted: &mut FxHashSet<Symbol>| {
            for mut s in self.arena.free_symbols(&[e]) {
                while let Some(base) = self.arena.info(s).integral {
                    s = base;
                }
                wanted.insert(s);
            }
        };
        roots.iter().for_each(|&e| mark(e, &mut wanted));
        wanted.extend(&self.author_uses);
        let mut needed = Vec::new();
        for (i, letter) in self.letters.iter().enumerate().rev() {
            if wanted.contains(&letter.symbol) {
                mark(letter.expr, &mut wanted);
                needed.push(i);
            }
        }
        needed.reverse();
        needed
    }

    fn print(&mut self, entries: &[Entry], sums: &Sums, drawings: &[super::drawing::Drawn]) -> Expansion {
        let mut roots: Vec<Expr> = sums.kinetic.iter().chain(&sums.potential).copied().collect();
        roots.extend(&self.forces);
        roots.extend(self.added.iter().map(|a| a.expr));
        roots.extend(self.limits_of_friction.iter().map(|(_, e)| *e));
        drawings.iter().for_each(|d| roots.extend(d.expressions()));
        let needed = self.needed(&roots);
        let definitions: Vec<(String, String)> = needed
            .iter()
            .map(|&i| {
                let Letter { symbol, expr } = self.letters[i].clone();
                (self.arena.name(symbol).to_owned(), self.text(expr))
            })
            .collect();
        let visible: FxHashSet<Symbol> = needed.iter().map(|&i| self.letters[i].symbol).collect();
        let kinetic: Vec<String> = sums.kinetic.iter().map(|&e| self.text(e)).collect();
        let potential: Vec<String> = sums.potential.iter().map(|&e| self.text(e)).collect();
        let mut plain = self.plain_entries(entries);
        let at = |section: &str| entries.iter().find(|e| e.key == section).map(|e| e.key_span.clone());
        let from = ["bodies", "contacts", "springs", "frames", "gravity", "points", "loads", "surfaces"]
            .iter()
            .find_map(|s| at(s));
        let span = from.unwrap_or(0..0);
        let generated = |key: &str, text: String, span: &Span| Entry {
            key: key.to_owned(),
            key_span: span.clone(),
            item: Item { span: span.clone(), value: Value::String(text) },
        };
        let mut parameters = Vec::new();
        for p in self.parameters.clone() {
            let text = self.text(p.expr);
            parameters.push(generated(self.arena.name(p.symbol), text, &span));
        }
        extend(&mut plain, "parameters", &span, parameters);
        let list = definitions.iter().map(|(name, text)| generated(name, text.clone(), &span)).collect();
        extend(&mut plain, "definitions", &span, list);
        for (key, parts) in [("kinetic", &kinetic), ("potential", &potential)] {
            if !parts.is_empty() {
                add_to(&mut plain, "energy", key, &joined(parts), &span);
            }
        }
        for i in 0..self.coordinates.len() {
            if !self.arena.is_zero(self.forces[i]) {
                let (name, text) = (self.arena.name(self.coordinates[i]).to_owned(), self.text(self.forces[i]));
                add_to(&mut plain, "forces", &name, &text, &span);
            }
        }
        let constraints: Vec<Entry> = self.constraint_entries();
        extend(&mut plain, "constraints", &span, constraints);
        // Dotted names: those the file uses are definitions, the others are kept for claims and columns.
        let (mut aliases, mut hidden) = (Vec::new(), Vec::new());
        for (head, field) in self.all_dotted() {
            let dotted = format!("{head}.{field}");
            match self.dotted.get(&dotted).copied() {
                Some(s) => {
                    let name = self.arena.name(s).to_owned();
                    if visible.contains(&s) { aliases.push((dotted, name)) } else { hidden.push((dotted, name)) }
                }
                None => {
                    if let Some(e) = self.dotted_expression(&head, field) {
                        hidden.push((dotted, self.text(e)));
                    }
                }
            }
        }
        for Letter { symbol, expr } in self.letters.clone() {
            if !visible.contains(&symbol) {
                hidden.push((self.arena.name(symbol).to_owned(), self.text(expr)));
            }
        }
        let drawing: String = drawings.iter().map(|d| self.drawing_text(d)).collect();
        let text = self.file_text(&plain, &drawing);
        let guards = std::mem::take(&mut self.guards);
        let guards = guards
            .into_iter()
            .map(|(name, e)| {
                let e = self.meaning(e);
                (name, self.text(e))
            })
            .collect();
        let notes = std::mem::take(&mut self.findings.warnings);
        Expansion { entries: plain, aliases, hidden, notes, guards, plain: text, drawing }
    }

    /// Constraints with their contacts and friction.
    fn constraint_entries(&mut self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for added in self.added.clone() {
            let text = format!("{} = 0", self.text(added.expr));
            let span = added.span.clone();
            let string = |text: String| Item { span: span.clone(), value: Value::String(text) };
            let entry =
                |key: &str, text: String| Entry { key: key.to_owned(), key_span: span.clone(), item: string(text) };
            let limit = added
                .contact
                .and_then(|c| self.limits_of_friction.iter().find(|(i, _)| *i == c).map(|(i, e)| (*i, *e)));
            // The moment that keeps a body from spinning is no part of the force of friction.
            let item = match limit.filter(|_| !added.holonomic && added.direction.is_some()) {
                Some((contact, limit)) => {
                    let mut fields =
                        vec![entry("equation", text), entry("contact", self.contacts[contact].name.clone())];
                    let first = self.added.iter().find(|a| a.contact == Some(contact) && !a.holonomic);
                    if first.is_some_and(|a| a.name == added.name) {
                        let limit = self.text(limit);
                        fields.push(entry("friction", limit));
                    }
                    Item { span: span.clone(), value: Value::Table(fields) }
                }
                None => string(text),
            };
            entries.push(Entry { key: added.name.clone(), key_span: span.clone(), item });
        }
        entries
    }

    /// The author's sections without those of the layer.
    fn plain_entries(&self, entries: &[Entry]) -> Vec<Entry> {
        entries.iter().filter(|e| !SECTIONS.contains(&e.key.as_str())).cloned().collect()
    }

    // The file --------------------------------------------------------------------------------------------------------

    fn file_text(&self, plain: &[Entry], drawing: &str) -> String {
        let order = [
            "noslip",
            "system",
            "parameters",
            "definitions",
            "tables",
            "energy",
            "forces",
            "constraints",
            "quasi_velocities",
            "initial",
            "simulation",
            "display",
            "plots",
            "drawing",
            "view",
        ];
        let mut out = String::new();
        for key in order {
            if key == "drawing" && !drawing.is_empty() {
                out.push_str(drawing);
            }
            for e in plain.iter().filter(|e| e.key == key) {
                self.section_text(&mut out, e);
            }
        }
        for e in plain.iter().filter(|e| !order.contains(&e.key.as_str())) {
            self.section_text(&mut out, e);
        }
        out
    }

    fn section_text(&self, out: &mut String, e: &Entry) {
        let tables = |items: &[Item]| !items.is_empty() && items.iter().all(|i| matches!(i.value, Value::Table(_)));
        match &e.item.value {
            Value::Table(list) if e.key == "tables" => {
                for table in list {
                    _ = writeln!(out, "\n[tables.{}]", table.key);
                    self.fields_text(out, &table.item.value);
                }
            }
            Value::Table(_) => {
                _ = writeln!(out, "\n[{}]", e.key);
                self.fields_text(out, &e.item.value);
            }
            Value::Array(items) if tables(items) => {
                for item in items {
                    _ = writeln!(out, "\n[[{}]]", e.key);
                    self.fields_text(out, &item.value);
                }
            }
            value => _ = writeln!(out, "{} = {}", e.key, self.value_text(&e.item, value)),
        }
    }

    fn fields_text(&self, out: &mut String, value: &Value) {
        let Value::Table(list) = value else { return };
        for e in list {
            _ = writeln!(out, "{} = {}", e.key, self.value_text(&e.item, &e.item.value));
        }
    }

    fn value_text(&self, item: &Item, value: &Value) -> String {
        match value {
            Value::String(text) => {
                let renamed = self.without_dots(text);
                // As the author wrote it, if it is the author's.
                let raw = self.file.get(item.span.clone()).unwrap_or_default();
                let own = raw.starts_with(['"', '\'']) && renamed == *text;
                if own && raw_means(raw, text) {
                    raw.to_owned()
                } else if renamed.contains('\n') {
                    format!("\"\"\"\n{}\"\"\"", renamed.replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\""))
                } else {
                    quoted(&renamed)
                }
            }
            Value::Number(n) => {
                let raw = self.file.get(item.span.clone()).unwrap_or_default();
                if raw.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c)) {
                    raw.to_owned()
                } else {
                    quoted(&n.to_string())
                }
            }
            Value::Bool(b) => b.to_string(),
            Value::Date(d) => d.clone(),
            Value::Array(items) => {
                let parts: Vec<String> = items.iter().map(|i| self.value_text(i, &i.value)).collect();
                format!("[{}]", parts.join(", "))
            }
            Value::Table(list) => {
                let parts: Vec<String> =
                    list.iter().map(|e| format!("{} = {}", e.key, self.value_text(&e.item, &e.item.value))).collect();
                format!("{{ {} }}", parts.join(", "))
            }
        }
    }

    /// A text with the definitions that dotted names stand for.
    pub(super) fn without_dots(&self, text: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        for (name, span) in names_in(text, self.limits.number_bits) {
            if let Some(&s) = self.dotted.get(name) {
                out.push_str(&text[at..span.start]);
                out.push_str(self.arena.name(s));
                at = span.start + name.len();
            }
        }
        out.push_str(&text[at..]);
        out
    }

    /// The multiplier of a constraint of the layer, as a symbol of the layer.
    pub(super) fn multiplier(&mut self, constraint: &str) -> Expr {
        let symbol = self.arena.declare(&format!("lambda_{constraint}"), Role::Multiplier);
        self.arena.symbol(symbol)
    }
}

/// Does a literal of the file stand for this text? (It does unless the entry was put together.)
fn raw_means(raw: &str, text: &str) -> bool {
    let open = if raw.starts_with("\"\"\"") || raw.starts_with("'''") { 3 } else { 1 };
    raw.len() >= 2 * open && {
        let inner = &raw[open..raw.len() - open];
        inner == text || inner.contains('\\') || inner.trim_start_matches(['\r', '\n']) == text
    }
}

/// All strings of a value.
pub(super) fn strings(value: &Value) -> Vec<&str> {
    let (mut open, mut found) = (vec![value], Vec::new());
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => found.push(text.as_str()),
            Value::Array(items) => open.extend(items.iter().map(|i| &i.value)),
            Value::Table(entries) => open.extend(entries.iter().map(|e| &e.item.value)),
            _ => {}
        }
    }
    found
}

/// Terms of a sum, one to a line where there are several.
fn joined(parts: &[String]) -> String {
    let mut out = String::new();
    for (i, part) in parts.iter().enumerate() {
        match (i, part.strip_prefix('-')) {
            (0, _) => out.push_str(part),
            (_, Some(rest)) => _ = write!(out, "\n- {rest}"),
            _ => _ = write!(out, "\n+ {part}"),
        }
    }
    out
}

fn section<'e>(plain: &'e mut Vec<Entry>, name: &str, span: &Span) -> &'e mut Vec<Entry> {
    let index = plain.iter().position(|e| e.key == name).unwrap_or_else(|| {
        let item = Item { span: span.clone(), value: Value::Table(Vec::new()) };
        plain.push(Entry { key: name.to_owned(), key_span: span.clone(), item });
        plain.len() - 1
    });
    // A section that is no table is the loader's to refuse.
    if !matches!(plain[index].item.value, Value::Table(_)) {
        let item = Item { span: span.clone(), value: Value::Table(Vec::new()) };
        plain.push(Entry { key: name.to_owned(), key_span: span.clone(), item });
        let last = plain.len() - 1;
        return table_of(&mut plain[last]);
    }
    table_of(&mut plain[index])
}

fn table_of(entry: &mut Entry) -> &mut Vec<Entry> {
    match &mut entry.item.value {
        Value::Table(list) => list,
        _ => unreachable!("looked at before"),
    }
}

fn extend(plain: &mut Vec<Entry>, name: &str, span: &Span, list: Vec<Entry>) {
    if !list.is_empty() {
        section(plain, name, span).extend(list);
    }
}

/// Adds to an expression of the author, or makes it. The author's text stands first, so that places in it stay right.
fn add_to(plain: &mut Vec<Entry>, name: &str, key: &str, text: &str, span: &Span) {
    let list = section(plain, name, span);
    match list.iter_mut().find(|e| e.key == key) {
        Some(e) => {
            let before = match &e.item.value {
                Value::String(before) => before.clone(),
                Value::Number(n) if n.is_zero() => String::new(),
                Value::Number(n) => n.to_string(),
                // Not an expression: the loader refuses it.
                _ => return,
            };
            let zero = before.trim() == "0" || before.trim().is_empty();
            let sum = match text.strip_prefix('-') {
                _ if zero => text.to_owned(),
                Some(rest) => format!("{before} - {rest}"),
                None => format!("{before} + {text}"),
            };
            e.item.value = Value::String(sum);
        }
        None => list.push(Entry {
            key: key.to_owned(),
            key_span: span.clone(),
            item: Item { span: span.clone(), value: Value::String(text.to_owned()) },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::contacts::Added;
    use super::super::spec::Specs;
    use super::*;
    use crate::limits::Limits;
    use crate::source::Written;

    #[test]
    fn a_literal_that_stands_for_its_text_is_kept_as_it_was_written() {
        for raw in
            ["\"a + b\"", "'a + b'", "\"\"\"a + b\"\"\"", "\"\"\"\na + b\"\"\"", "'''\r\na + b'''", "\"a \\\n  + b\""]
        {
            assert!(raw_means(raw, "a + b"), "{raw}");
        }
        for raw in ["\"a + c\"", "\"\"\"a + c\"\"\"", "\"\"\"\"", "a", ""] {
            assert!(!raw_means(raw, "a + b"), "{raw}");
        }
    }

    #[test]
    fn a_letter_is_primed_where_a_derivative_of_it_stands_in_anything_that_is_written() {
        let (limits, specs, written) = (Limits::default(), Specs::default(), Written::default());
        for derivative in 0..3 {
            // Letters, constraints, forces, limits of friction: the derivative stands in one of them.
            for place in 0..4 {
                let mut layer = Layer::new("", &limits, &specs, &written);
                let letter = layer.arena.declare("s", Role::Coordinate);
                let rate = layer.arena.dot(letter);
                let second = layer.arena.dot(rate);
                let expr = layer.arena.symbol([letter, rate, second][derivative]);
                let other = layer.arena.declare("p", Role::Coordinate);
                match place {
                    0 => layer.letters.push(Letter { symbol: other, expr }),
                    1 => layer.added.push(Added {
                        name: "c".into(),
                        span: 0..0,
                        expr,
                        contact: None,
                        direction: None,
                        holonomic: false,
                        touches: false,
                    }),
                    2 => layer.forces.push(expr),
                    _ => layer.limits_of_friction.push((0, expr)),
                }
                assert_eq!(layer.primed(letter), derivative > 0, "derivative {derivative}, place {place}");
                assert!(!layer.primed(other));
            }
        }
    }
}
