//! The reference systems, and their JSON turned into model files.

use super::load;
use noslip::model::Model;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The folder of reference data.
fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// A JSON file of the reference data.
pub fn json(name: &str) -> Value {
    let path = data().join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every reference system with its name, in alphabetical order.
pub fn systems() -> Vec<(String, Value)> {
    let mut names: Vec<String> = std::fs::read_dir(data().join("systems"))
        .expect("the folder of reference systems")
        .map(|e| e.expect("a file").file_name().to_string_lossy().into_owned())
        .filter(|n| n.ends_with(".json"))
        .collect();
    names.sort();
    let systems: Vec<_> =
        names.into_iter().map(|n| (n.trim_end_matches(".json").to_owned(), json(&format!("systems/{n}")))).collect();
    assert!(!systems.is_empty(), "the reference systems are there");
    systems
}

/// The model that a record of the reference data describes.
pub fn model_of(record: &Value) -> Model {
    load(&to_toml(record))
}

/// A reference system as a model.
pub fn model(name: &str) -> Model {
    model_of(&json(&format!("systems/{name}.json")))
}

/// The number of a record, written as a number or as a string.
pub fn number(v: &Value) -> f64 {
    v.as_str().map_or_else(|| v.as_f64(), |s| s.parse().ok()).unwrap_or_else(|| panic!("{v} is a number"))
}

/// A string as TOML writes it (JSON's escapes are a subset of TOML's).
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_else(|| panic!("`{key}` is a string"))
}

fn list<'a>(v: &'a Value, key: &str) -> &'a [Value] {
    v[key].as_array().map_or(&[], Vec::as_slice)
}

/// The model file of a reference system.
fn to_toml(c: &Value) -> String {
    let mut out = String::from("noslip = 1\n\n[system]\n");
    let mut line = |text: String| writeln!(out, "{text}").unwrap();
    line(format!("name = {}", quoted(text(c, "name"))));
    line(format!("coordinates = {}", c["coordinates"]));
    line("\n[parameters]".into());
    for (name, value) in c["parameters"].as_object().into_iter().flatten() {
        // serde_json keeps the shortest decimal that gives the same number, which is what the file says.
        line(format!("{name} = {value}"));
    }
    let definitions = list(c, "definitions");
    if !definitions.is_empty() {
        line("\n[definitions]".into());
    }
    for d in definitions {
        line(format!("{} = {}", text(d, "name"), quoted(text(d, "expr"))));
    }
    line("\n[energy]".into());
    line(format!("kinetic = {}", quoted(text(c, "kinetic"))));
    line(format!("potential = {}", quoted(c["potential"].as_str().filter(|s| !s.is_empty()).unwrap_or("0"))));
    line("\n[forces]".into());
    for (name, value) in c["forces"].as_object().into_iter().flatten() {
        line(format!("{name} = {}", quoted(value.as_str().expect("a force is a string"))));
    }
    let constraints = list(c, "constraints");
    line("\n[constraints]".into());
    for d in constraints {
        line(format!("{} = {}", text(d, "name"), quoted(text(d, "expr"))));
    }
    let bare = |s: &str| s.replace(' ', "");
    let taken = |d: &Value| {
        constraints.iter().any(|k| k["name"] == d["name"] || bare(text(k, "expr")) == bare(text(d, "expr")))
    };
    let n = list(c, "coordinates").len() - constraints.len();
    let free: Vec<&Value> = list(c, "quasi_velocities").iter().filter(|d| !taken(d)).take(n).collect();
    if !free.is_empty() {
        line("\n[quasi_velocities]".into());
    }
    for d in free {
        line(format!("{} = {}", text(d, "name"), quoted(text(d, "expr"))));
    }
    let initial = &c["trajectory"]["initial"];
    if initial.is_object() {
        let number = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
        let state = |v: &Value| {
            let pairs = v.as_object().expect("a state by coordinate");
            let pairs: Vec<String> = pairs.iter().map(|(k, v)| format!("{k} = {}", quoted(&number(v)))).collect();
            format!("{{ {} }}", pairs.join(", "))
        };
        line("\n[initial]".into());
        line(format!("time = {}", quoted(&if initial["t"].is_null() { "0".into() } else { number(&initial["t"]) })));
        line(format!("position = {}", state(&initial["q"])));
        line(format!("velocity = {}", state(&initial["qd"])));
    }
    out
}

/// The names in an expression.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if c.is_ascii_alphanumeric() || c == '_' => word.push(c),
            _ => words.push(String::new()),
        }
    }
    words.retain(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()));
    words
}

/// `lam1`, `lam2`, … by the names of the constraints.
fn with_multipliers(text: &str, constraints: &[&str]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("lam") {
        let alone = !rest[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(&rest[..at]);
        let digits: String = rest[at + 3..].chars().take_while(char::is_ascii_digit).collect();
        let after = &rest[at + 3 + digits.len()..];
        let ends = !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        match digits.parse::<usize>() {
            Ok(i) if alone && ends => out.push_str(&format!("lambda_{}", constraints[i - 1])),
            _ => out.push_str(&rest[at..at + 3 + digits.len()]),
        }
        rest = after;
    }
    out + rest
}

/// The claims file of one published equation: as printed and, where it is wrong, as corrected.
pub fn claims(c: &Value, published: &Value, constraints: &[&str]) -> String {
    let mut meanings = c["where"].as_object().cloned().unwrap_or_default();
    meanings.extend(published["where"].as_object().cloned().unwrap_or_default());
    let mut claims = vec![("printed", text(published, "expr"))];
    if published["holds"] == "with-correction" {
        claims.push(("corrected", text(published, "correction")));
    }
    let mut todo: Vec<String> = claims.iter().map(|(_, e)| (*e).to_owned()).collect();
    let mut used: Vec<String> = Vec::new();
    while let Some(next) = todo.pop() {
        for word in words(&next) {
            if let (Some(meaning), false) = (meanings.get(&word).and_then(Value::as_str), used.contains(&word)) {
                todo.push(meaning.to_owned());
                used.push(word);
            }
        }
    }
    let mut out = String::from("[definitions]\n");
    for name in used {
        let meaning = with_multipliers(meanings[&name].as_str().unwrap_or_default(), constraints);
        writeln!(out, "{name} = {}", quoted(&meaning)).unwrap();
    }
    for (id, e) in claims {
        let equation = with_multipliers(e, constraints) + " = 0";
        writeln!(out, "[[claim]]\nid = {}\nequation = {}", quoted(id), quoted(&equation)).unwrap();
    }
    out
}
