//! The schemas of the project are those of the types of the answers. Only tests make them: the program does not need to know.

use super::*;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::Value;
use std::path::Path;

/// The schema of every answer, by the name of its file.
fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("canonical", schema::<Canonical>("noslip canonical MODEL --format json")),
        ("check", schema::<Check>("noslip check MODEL --format json")),
        ("compare", schema::<Compared>("noslip compare MODEL --format json: beside the vakonomic motion, or another")),
        ("connect", schema::<Connected>("noslip connect MODEL --to POSITION --format json")),
        ("connection", schema::<NonholonomicConnection>("noslip connection MODEL --format json")),
        ("demo", schema::<Demo>("noslip demo --format json")),
        (
            "derive",
            schema::<Derive>("noslip derive MODEL --format json: one form, or several with those that do not apply"),
        ),
        ("draw", schema::<Drawn>("noslip draw MODEL --format json")),
        ("eval", schema::<Evaluation>("noslip eval MODEL --states FILE")),
        ("explain", schema::<Explanation>("noslip explain SUBJECT --format json")),
        ("exponents", schema::<LyapunovExponents>("noslip exponents MODEL --format json")),
        ("export", schema::<Exported>("noslip export MODEL --format json")),
        ("forms", schema::<Forms>("noslip forms --format json")),
        ("grip", schema::<Grip>("noslip grip MODEL --format json")),
        ("hamiltonise", schema::<Hamiltonise>("noslip hamiltonise MODEL --format json")),
        ("integrals", schema::<FirstIntegrals>("noslip integrals MODEL --format json")),
        ("inverse", schema::<Inverse>("noslip inverse MODEL --format json")),
        ("linearise", schema::<Linearise>("noslip linearise MODEL --format json")),
        ("measure", schema::<InvariantMeasure>("noslip measure MODEL --format json")),
        ("new", schema::<Wrote>("noslip new NAME --format json")),
        ("principle", schema::<Principle>("noslip principle MODEL --format json")),
        ("reduce", schema::<Reduce>("noslip reduce MODEL --format json")),
        ("refusal", schema::<Refusal>("noslip check MODEL --format json, of a model that cannot be read")),
        ("report", schema::<Wrote>("noslip report MODEL --format json")),
        ("section", schema::<Section>("noslip section MODEL --on EXPR --format json")),
        ("simulate", schema::<Simulation>("noslip simulate MODEL --format json")),
        ("states", schema::<Vec<GivenState>>("what noslip eval --states reads")),
        ("steady", schema::<Steady>("noslip steady MODEL --format json")),
        ("studio", schema::<Wrote>("noslip studio --format json")),
        ("sweep", schema::<Swept>("noslip sweep MODEL --format json")),
        ("verify", schema::<Verification>("noslip verify MODEL --format json")),
    ]
}

/// The schema of a type as it is written; answers have no other fields than those of their types.
fn schema<T: JsonSchema>(title: &str) -> Value {
    let closed = schemars::transform::RecursiveTransform(|schema: &mut Schema| {
        let object = schema.get("properties").is_some();
        if object && schema.get("additionalProperties").is_none() {
            schema.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    });
    let mut generator: SchemaGenerator =
        SchemaSettings::draft2020_12().for_serialize().with_transform(closed).into_generator();
    let mut schema = generator.root_schema_for::<T>();
    schema.insert("title".to_owned(), Value::from(title));
    schema.to_value()
}

#[test]
fn the_schemas_are_those_of_the_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let entries = std::fs::read_dir(&folder).expect("the schemas");
    let mut files: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("a name")).collect();
    files.sort();
    let mut differ = Vec::new();
    for (kind, schema) in schemas() {
        let file = format!("{kind}.json");
        let text = format!("{schema:#}\n");
        if std::env::var_os("NOSLIP_BLESS").is_some() {
            // Other tests read them meanwhile.
            let fresh = folder.join(format!("{kind}.tmp"));
            std::fs::write(&fresh, text).expect("writes");
            std::fs::rename(fresh, folder.join(&file)).expect("renames");
        } else if std::fs::read_to_string(folder.join(&file)).ok() != Some(text) {
            differ.push(file.clone());
        }
        files.retain(|f| *f != file);
    }
    let hint = "NOSLIP_BLESS=1 cargo test -p noslip-cli --lib answers";
    assert!(differ.is_empty(), "{differ:?} are not what the types say. If the types are right: {hint}");
    assert!(files.is_empty(), "no type stands behind {files:?}");
}
