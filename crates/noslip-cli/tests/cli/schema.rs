//! JSON answers against the schemas of the project: a validator for the part of JSON Schema that they use. The schemas are those of
//! the types (`src/answers/tests.rs`).

use crate::program::project;
use serde_json::{Value, json};

/// Fails unless the value fits `schemas/KIND.json`.
#[track_caller]
pub fn expect(kind: &str, value: &Value) {
    let file = project().join(format!("schemas/{kind}.json"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let schema: Value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{kind}: {e}"));
    if let Err(why) = fits(&schema, &schema, value, "$") {
        panic!("not as schemas/{kind}.json says: {why}");
    }
}

/// Why the value does not fit, and where.
fn fits(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let rules = schema.as_object().ok_or_else(|| format!("{at}: a schema is an object"))?;
    for (keyword, rule) in rules {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" | "format" => {}
            "$ref" => {
                let pointer = rule.as_str().and_then(|r| r.strip_prefix('#')).ok_or("a reference starts with #")?;
                fits(root, root.pointer(pointer).ok_or(format!("{pointer} is missing"))?, value, at)?;
            }
            "anyOf" => {
                let tries: Vec<_> = list(rule)?.iter().map(|s| fits(root, s, value, at)).collect();
                if tries.iter().all(Result::is_err) {
                    let why: Vec<String> = tries.into_iter().filter_map(Result::err).collect();
                    return Err(format!("{at}: none of [{}]", why.join(" | ")));
                }
            }
            "oneOf" => {
                let fitting = list(rule)?.iter().filter(|s| fits(root, s, value, at).is_ok()).count();
                same(at, fitting == 1, value, rule)?;
            }
            "type" => {
                let one = std::slice::from_ref(rule);
                let kinds = rule.as_array().map_or(one, Vec::as_slice);
                if !kinds.iter().any(|k| k.as_str().is_some_and(|k| is(value, k))) {
                    return Err(format!("{at}: {value} is not {rule}"));
                }
            }
            "const" => same(at, value == rule, value, rule)?,
            "enum" => same(at, list(rule)?.contains(value), value, rule)?,
            "minimum" => same(at, value.is_null() || value.as_f64() >= rule.as_f64(), value, rule)?,
            "maximum" => same(at, value.as_f64().is_none_or(|x| Some(x) <= rule.as_f64()), value, rule)?,
            "minLength" => {
                same(at, value.as_str().is_none_or(|s| s.chars().count() as u64 >= whole(rule)), value, rule)?
            }
            "minItems" => same(at, value.as_array().is_none_or(|a| a.len() as u64 >= whole(rule)), value, rule)?,
            "maxItems" => same(at, value.as_array().is_none_or(|a| a.len() as u64 <= whole(rule)), value, rule)?,
            "pattern" => same(at, value.as_str().is_none_or(|s| matches(rule, s)), value, rule)?,
            "items" => {
                for (i, x) in value.as_array().into_iter().flatten().enumerate() {
                    fits(root, rule, x, &format!("{at}[{i}]"))?;
                }
            }
            "properties" => {
                for (name, s) in rule.as_object().into_iter().flatten() {
                    if let Some(x) = value.get(name) {
                        fits(root, s, x, &format!("{at}.{name}"))?;
                    }
                }
            }
            "required" => {
                for name in list(rule)?.iter().filter_map(Value::as_str) {
                    if value.is_object() && value.get(name).is_none() {
                        return Err(format!("{at}: no `{name}`"));
                    }
                }
            }
            "additionalProperties" => {
                for (name, x) in value.as_object().into_iter().flatten() {
                    if schema["properties"].get(name).is_none() {
                        match rule {
                            Value::Bool(true) => {}
                            Value::Bool(false) => return Err(format!("{at}: unexpected `{name}`")),
                            s => fits(root, s, x, &format!("{at}.{name}"))?,
                        }
                    }
                }
            }
            other => return Err(format!("{at}: the validator does not know `{other}`")),
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// The two patterns in use: a fixed beginning, and the letters of an identifier.
fn matches(pattern: &Value, text: &str) -> bool {
    match pattern.as_str().unwrap_or_default() {
        "^[a-z-]+$" => !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
        p => text.starts_with(p.strip_prefix('^').expect("a pattern this validator knows")),
    }
}

fn same(at: &str, holds: bool, value: &Value, rule: &Value) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{at}: {value} against {rule}")) }
}

fn list(rule: &Value) -> Result<&Vec<Value>, String> {
    rule.as_array().ok_or_else(|| format!("{rule} is not a list"))
}

fn whole(rule: &Value) -> u64 {
    rule.as_u64().expect("a whole number")
}

#[test]
fn the_validator_finds_every_kind_of_misfit() {
    let schema = json!({
        "type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {
            "a": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
            "b": {"type": "array", "items": {"$ref": "#/$defs/word"}, "minItems": 1, "maxItems": 2},
            "c": {"anyOf": [{"const": true}, {"enum": ["x", "y"]}]},
            "d": {"type": "string", "pattern": "^<math"},
            "e": {"oneOf": [{"type": "integer"}, {"minimum": 3}]},
        },
        "$defs": {"word": {"type": "string", "minLength": 2}},
    });
    let verdict = |v: Value| fits(&schema, &schema, &v, "$");
    for good in
        [json!({"a": 1}), json!({"a": null, "b": ["no"], "c": "y", "d": "<math>"}), json!({"a": 2, "c": true, "e": 2})]
    {
        assert_eq!(verdict(good), Ok(()));
    }
    for bad in [
        json!({}),
        json!([]),
        json!({"a": 0}),
        json!({"a": 1.5}),
        json!({"a": "1"}),
        json!({"a": 1, "b": []}),
        json!({"a": 1, "b": ["x"]}),
        json!({"a": 1, "b": [3]}),
        json!({"a": 1, "c": false}),
        json!({"a": 1, "d": "math"}),
        json!({"a": 1, "f": 1}),
        json!({"a": 10}),
        json!({"a": 1, "b": ["no", "no", "no"]}),
        json!({"a": 1, "e": 3}),
        json!({"a": 1, "e": 0.5}),
    ] {
        assert!(verdict(bad.clone()).is_err(), "{bad}");
    }
    let unknown = json!({"maxLength": 3});
    assert!(fits(&unknown, &unknown, &json!("x"), "$").is_err(), "a keyword the validator does not know");
}
