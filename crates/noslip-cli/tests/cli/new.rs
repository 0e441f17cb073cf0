//! `new`

use crate::program::Folder;

#[test]
fn the_starter_model_works_with_every_command() {
    let folder = Folder::new();
    let said = folder.run(&["new", "cart"]);
    assert!(said.quiet().contains("wrote cart.toml") && said.out.contains("noslip check cart.toml"));
    assert!(folder.read("cart.toml").contains("name = \"cart\""));
    for args in [
        &["check", "cart.toml"][..],
        &["derive", "cart.toml", "--form", "all"],
        &["simulate", "cart.toml"],
        &["report", "cart.toml"],
    ] {
        folder.run(args).quiet();
    }
    assert_eq!(folder.list(), ["cart.html", "cart.toml", "noslip.schema.json"]);
}

#[test]
fn what_was_written_can_be_told_in_json() {
    let folder = Folder::new();
    let new = folder.run(&["new", "cart", "--format", "json"]).json("new");
    assert_eq!(
        (&new["file"], new["bytes"].as_u64()),
        (&"cart.toml".into(), Some(folder.read("cart.toml").len() as u64))
    );
    let page = folder.run(&["report", "cart.toml", "--format", "json"]).json("report");
    assert_eq!(
        (&page["file"], page["bytes"].as_u64()),
        (&"cart.html".into(), Some(folder.read("cart.html").len() as u64))
    );
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let folder = Folder::with("a.toml", "mine");
    folder.run(&["new", "a"]).refuses(2, &["cannot write `a.toml`", "exists", "nothing was written"]);
    folder.run(&["new", "a.toml"]).refuses(2, &["cannot write `a.toml`"]);
    assert_eq!(folder.read("a.toml"), "mine");
}

#[test]
fn a_hostile_name_is_only_a_name() {
    let folder = Folder::new();
    for name in ["a \"b\" c", "back\\slash", "ψ̇ 轮 🛷", "</script><b>", "new\nline", "{NAME}"] {
        let name = name.replace('/', "");
        folder.run(&["new", &name]).fine();
        folder.run(&["check", &format!("{name}.toml")]).fine();
    }
    folder.run(&["new", "no/such/folder"]).refuses(2, &["cannot write `no/such/folder.toml`"]);
    folder.run(&["new", ""]).refuses(2, &["needs a name"]);
    folder.run(&["new"]).refuses(2, &["<NAME>"]);
}

/// The starter from bodies, and the plain model it stands for: `check` says the same of both.
#[test]
fn the_starter_from_bodies_expands_to_a_plain_model() {
    let folder = Folder::new();
    folder.run(&["new", "wheel", "--bodies"]).quiet();
    let said = folder.run(&["check", "wheel.toml", "--format", "json"]).json("check");
    assert_eq!(folder.run(&["expand", "wheel.toml", "--output", "plain.toml"]).status, 0);
    let plain = folder.read("plain.toml");
    assert!(!plain.contains("[bodies") && plain.contains("[energy]"), "{plain}");
    let same = folder.run(&["check", "plain.toml", "--format", "json"]).json("check");
    for key in ["degrees_of_freedom", "growth_vector", "conserved", "forms"] {
        assert_eq!(said[key], same[key], "{key}");
    }
    // What is plain already comes out as it is.
    assert_eq!(folder.run(&["expand", "plain.toml"]).out, plain);
}

/// Editors complete and check by it: what it does not know they call wrong.
#[test]
fn the_schema_for_editors_knows_every_section_and_key_of_the_gallery() {
    let text = include_str!("../../src/commands/model.schema.json");
    let schema: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let known = |rule: &serde_json::Value, key: &str| rule["properties"].get(key).is_some();
    let mut keys = 0;
    for (name, model) in noslip_gallery::MODELS {
        let model: toml::Table = model.parse().expect("TOML");
        for (section, value) in &model {
            let rule = &schema["properties"][section];
            assert!(!rule.is_null(), "{name}: [{section}]");
            let Some(list) = value.as_table() else { continue };
            for (key, value) in list {
                keys += 1;
                let closed = rule["additionalProperties"] == false;
                assert!(!closed || known(rule, key), "{name}: [{section}] {key}");
                if let ("constraints", Some(long)) = (section.as_str(), value.as_table()) {
                    let rule = &rule["additionalProperties"]["anyOf"][1];
                    assert!(long.keys().all(|key| known(rule, key)), "{name}: [{section}] {key}");
                }
            }
        }
    }
    assert!(keys > 500, "{keys} keys");
    // All sections a model file can have, as the program lists them.
    let folder = Folder::with("m.toml", "noslip = 1\n[nothing]\n");
    let said = folder.run(&["check", "m.toml"]);
    let list = said.err.split("sections are ").nth(1).expect("a list").lines().next().expect("a line");
    assert!(list.split(", ").all(|section| known(&schema, section)), "{list}");
}
