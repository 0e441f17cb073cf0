//! Names with an index: what a file says once for a range of whole numbers, written out before anything is read.
//!
//! Under `[ranges]`, `n = 5` is a size and `i = "1..n"` an index. `theta[3]` is the name `theta3`. An entry with an index in
//! its name stands for one entry for each value of the index; so does an element of a list in which an index is free, and a
//! table of a list with `for = "i"`. `sum(j = 1..i, …)` is a sum, without terms zero. Behind this file only plain names exist;
//! [`Written`] finds the way back for messages.

use super::indexed::{Bounds, Indices, Text};
use super::{Entry, Findings, Item, Value, place_in_file, placed_in_file, valid_name};
use crate::error::{Error, Span};
use crate::limits::Limits;
use rustc_hash::{FxHashMap, FxHashSet};

/// Entries whose values are words, not mathematics.
const WORDS: [&str; 11] =
    ["name", "source", "description", "title", "label", "caption", "shape", "order", "role", "interpolation", "method"];

/// Sections in which nothing is written out.
const PLAIN: [&str; 4] = ["noslip", "ranges", "simulation", "display"];

/// What a copy costs of the bytes that may be written, beside its own.
const COPY: usize = 16;

/// The texts that were written out, by the places of the strings they came from.
#[derive(Debug, Default)]
pub(crate) struct Written {
    texts: FxHashMap<usize, Vec<Text>>,
    /// The names of sizes.
    pub(crate) sizes: Vec<String>,
}

impl Written {
    /// Moves the place of an error from inside `text` to the file, where the string it was made from stands at `literal`.
    pub(crate) fn placed_in_file(&self, mut error: Error, file: &str, literal: &Span, text: &str) -> Error {
        let Some(texts) = self.texts.get(&literal.start) else { return placed_in_file(error, file, literal) };
        // An inequality is read as an equation of the same length.
        let made = texts.iter().find(|t| t.text == text).or(texts.iter().find(|t| t.text.len() == text.len()));
        if let Some(inner) = error.span.take() {
            error.span = Some(match made {
                Some(made) => place_in_file(file, literal, &made.source(&inner)),
                None => literal.clone(),
            });
        }
        if let Some(bound) = made.map(|t| &t.bound).filter(|b| !b.is_empty()) {
            error.message = format!("with {bound}: {}", error.message);
        }
        error
    }

    /// Was this string written more than once? A mistake in it is told once.
    pub(crate) fn is_repeated(&self, literal: &Span) -> bool {
        self.texts.get(&literal.start).is_some_and(|list| list.len() > 1)
    }
}

/// The entries of a file with all ranges written out. `given` are sizes that replace those of the file.
pub(crate) fn write_out(
    file: &str,
    entries: Vec<Entry>,
    limits: &Limits,
    given: &[(String, String)],
    findings: &mut Findings,
) -> (Vec<Entry>, Written) {
    let Some(ranges) = entries.iter().find(|e| e.key == "ranges") else { return (entries, Written::default()) };
    let indices = Indices { most: limits.indices, left: limits.written_bytes, ..Indices::default() };
    let known = findings.errors.len();
    let mut writer = Writer { file, indices, findings, written: Written::default() };
    writer.read_ranges(ranges, given);
    writer.read_names(&entries);
    if writer.findings.errors.len() > known {
        return (entries, writer.written);
    }
    let section = |e: &Entry| match PLAIN.contains(&e.key.as_str()) {
        true => e.clone(),
        false => Entry { item: writer.item(&e.key, &e.item), ..e.clone() },
    };
    let sections = entries.iter().map(section).collect();
    (sections, writer.written)
}

struct Writer<'a> {
    file: &'a str,
    indices: Indices,
    findings: &'a mut Findings,
    written: Written,
}

impl Writer<'_> {
    /// The sizes first: ranges are made of them.
    fn read_ranges(&mut self, section: &Entry, given: &[(String, String)]) {
        let Value::Table(list) = &section.item.value else { return };
        let mut ranges = Vec::new();
        for e in list {
            let wrong = |message: String| {
                Error::input(message)
                    .at(e.item.span.clone())
                    .hint("write `n = 5` for a size, `i = \"1..n\"` for an index")
            };
            if let Err(error) = valid_name(&e.key) {
                self.findings.error(error.at(e.key_span.clone()));
                continue;
            }
            let given = given.iter().find(|(name, _)| *name == e.key).map(|(_, text)| text.parse::<i64>());
            let most = i64::try_from(self.indices.most).unwrap_or(i64::MAX);
            match (&e.item.value, given) {
                (Value::Number(n), given) => {
                    self.written.sizes.push(e.key.clone());
                    let value = given.map_or(n.to_i64(), Result::ok);
                    let value = value.filter(|n| (0..=most).contains(n));
                    if value.is_none() {
                        self.findings.error(wrong(format!("a size is a whole number from 0 to {most}")));
                    }
                    self.indices.sizes.push((e.key.clone(), value.unwrap_or_default()));
                }
                (Value::String(text), _) => ranges.push((e, text)),
                (other, _) => {
                    self.findings.error(wrong(format!("`{}` is a size or a range, not {}", e.key, other.kind())));
                }
            }
        }
        for (e, text) in ranges {
            match self.indices.bounds(text, 0..text.len()) {
                Ok(bounds) => self.indices.ranges.push((e.key.clone(), bounds)),
                Err(error) => self.findings.error(placed_in_file(error, self.file, &e.item.span)),
            }
        }
        for e in list.iter().filter(|e| matches!(e.key.as_str(), "t" | "pi" | "sum")) {
            let error = Error::input(format!("`{}` cannot be an index", e.key)).at(e.key_span.clone());
            self.findings.error(error.hint("it means something else in every expression"));
        }
    }

    /// All plain names of the file. None of them may be that of an index.
    fn read_names(&mut self, entries: &[Entry]) {
        let mut names: Vec<(String, Span)> = Vec::new();
        for section in entries.iter().filter(|e| !PLAIN.contains(&e.key.as_str())) {
            let Value::Table(list) = &section.item.value else { continue };
            let listed = list.iter().filter(|e| section.key == "system" && e.key == "coordinates");
            let listed = listed.filter_map(|e| e.item.value.as_array()).flatten();
            let texts = listed.filter_map(|i| match &i.value {
                Value::String(text) => Some((text, &i.span)),
                _ => None,
            });
            let keys = list.iter().filter(|_| section.key != "system").map(|e| (&e.key, &e.key_span));
            for (text, span) in texts.chain(keys) {
                if self.indices.is_index(text) {
                    names.push((text.clone(), span.clone()));
                    continue;
                }
                let free = self.indices.free(text);
                let Some(copies) = self.values(&free, span) else { continue };
                for bound in copies {
                    let plain = self.with(bound, |w| w.indices.write(text));
                    let Ok(plain) = plain else { continue };
                    let plain = plain.text.trim_end_matches('\'').to_owned();
                    if section.key == "constraints" {
                        names.push((format!("lambda_{plain}"), span.clone()));
                    }
                    names.push((plain, span.clone()));
                }
            }
        }
        for (name, span) in &names {
            let index = self.indices.is_index(name);
            if index || name == "sum" {
                let what = if index { "an index or a size of [ranges]" } else { "the sum over an index" };
                let error = Error::input(format!("the name `{name}` is already used for {what}"));
                self.findings.error(error.at(span.clone()).hint("choose another name"));
            }
        }
        self.indices.names = names.into_iter().map(|(name, _)| name).collect();
    }

    /// The values with which something is written; nothing bound where no index is free.
    fn values(&mut self, free: &[String], span: &Span) -> Option<Vec<Option<(String, i64)>>> {
        match free {
            [] => Some(vec![None]),
            [index] => {
                let range = self.indices.ranges.iter().find(|(name, _)| name == index);
                let (first, last): Bounds = range.map_or((0, -1), |(_, bounds)| *bounds);
                let values: Vec<_> = (first..=last).map(|value| Some((index.clone(), value))).collect();
                self.spend(COPY * values.len(), span).then_some(values)
            }
            [one, two, ..] => {
                let error = Error::input(format!("two indices, `{one}` and `{two}`, are free here")).at(span.clone());
                self.findings.error(
                    error.hint("what stands once for a range has one index; sum over the other, or write it out"),
                );
                None
            }
        }
    }

    /// Counts what is written; false when there is no room for it.
    fn spend(&mut self, bytes: usize, span: &Span) -> bool {
        let left = self.indices.left.checked_sub(bytes);
        match left {
            Some(left) => self.indices.left = left,
            None => self.mistake(Indices::too_long(span.clone())),
        }
        left.is_some()
    }

    /// Notes an error, once for each place: what is written many times is wrong many times.
    fn mistake(&mut self, error: Error) {
        if !self.findings.errors.iter().any(|e| e.span == error.span) {
            self.findings.error(error);
        }
    }

    fn with<T>(&mut self, bound: Option<(String, i64)>, act: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.indices.bound.len();
        self.indices.bound.extend(bound);
        let result = act(self);
        self.indices.bound.truncate(depth);
        result
    }

    /// What stands under a key, with the indices that have a value.
    fn item(&mut self, key: &str, item: &Item) -> Item {
        // A long table of numbers may stand under a name with an index.
        if !self.indices.bound.is_empty() && !self.spend(COPY, &item.span) {
            return item.clone();
        }
        let value = match &item.value {
            Value::String(text) if !WORDS.contains(&key) => Value::String(self.text(text, &item.span)),
            Value::Array(list) => Value::Array(list.iter().flat_map(|e| self.element(key, e)).collect()),
            Value::Table(list) => Value::Table(self.table(list)),
            other => other.clone(),
        };
        Item { span: item.span.clone(), value }
    }

    fn text(&mut self, text: &str, span: &Span) -> String {
        match self.indices.write(text) {
            Ok(made) => {
                let plain = made.text.clone();
                if plain != text {
                    self.written.texts.entry(span.start).or_default().push(made);
                }
                plain
            }
            Err(error) => {
                self.mistake(placed_in_file(error, self.file, span));
                text.to_owned()
            }
        }
    }

    /// An element of a list: as often as its free index has values.
    fn element(&mut self, key: &str, item: &Item) -> Vec<Item> {
        let free = match &item.value {
            Value::Table(list) => {
                let Some(over) = list.iter().find(|e| e.key == "for") else { return vec![self.item(key, item)] };
                let Some(index) = self.index_of(&over.item) else { return Vec::new() };
                vec![index]
            }
            value => {
                let mut free = Vec::new();
                strings(value, &mut |text| free.extend(self.indices.free(text)));
                free.dedup();
                free
            }
        };
        let Some(copies) = self.values(&free, &item.span) else { return Vec::new() };
        let mut copy = item.clone();
        if let Value::Table(list) = &mut copy.value {
            list.retain(|e| e.key != "for");
        }
        copies.into_iter().map(|bound| self.with(bound, |w| w.item(key, &copy))).collect()
    }

    /// The index that `for` names.
    fn index_of(&mut self, item: &Item) -> Option<String> {
        let names: Vec<&str> = self.indices.ranges.iter().map(|(name, _)| name.as_str()).collect();
        match &item.value {
            Value::String(name) if names.contains(&name.as_str()) => Some(name.clone()),
            _ => {
                let error = Error::input("`for` names no index").at(item.span.clone());
                let hint = format!("it is the name of an index of [ranges]: {}", names.join(", "));
                self.findings.error(error.hint(hint));
                None
            }
        }
    }

    fn table(&mut self, list: &[Entry]) -> Vec<Entry> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut keys: FxHashSet<String> = FxHashSet::default();
        for e in list {
            let free = self.indices.free(&e.key);
            let Some(copies) = self.values(&free, &e.key_span) else { continue };
            for bound in copies {
                let words = bound.as_ref().map(|(name, value)| format!(" with {name} = {value}")).unwrap_or_default();
                let made = self.with(bound, |w| {
                    let key = w.indices.write(&e.key).map(|t| t.text);
                    key.map(|key| (w.item(&key, &e.item), key))
                });
                match made {
                    Ok((_, key)) if !keys.insert(key.clone()) => {
                        let plain = if e.key == key { String::new() } else { format!("{words} is `{key}`, which") };
                        let message = format!("`{}`{plain} stands in this section already", e.key);
                        self.findings.error(Error::input(message).at(e.key_span.clone()).hint("remove one of them"));
                        break;
                    }
                    Ok((item, key)) => entries.push(Entry { key, key_span: e.key_span.clone(), item }),
                    Err(error) => {
                        self.findings.error(Error { span: Some(e.key_span.clone()), ..error });
                        break;
                    }
                }
                if self.findings.full() {
                    return entries;
                }
            }
        }
        entries
    }
}

/// All strings in a value.
fn strings(value: &Value, see: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(list) => list.iter().for_each(|i| strings(&i.value, see)),
        _ => {}
    }
}
