//! The files of the program use those below them, never those above, and no command uses another.

use crate::program::project;
use std::path::Path;

/// From the ground up.
const FLOORS: [&[&str]; 8] = [
    &["failure", "parquet"],
    &["console"],
    &["terminal"],
    &["options", "words"],
    &["open"],
    &["figures", "motion", "output", "picture"],
    &["commands"],
    &["args"],
];

fn floor(room: &str) -> usize {
    FLOORS.iter().position(|f| f.contains(&room)).unwrap_or_else(|| panic!("on which floor is `{room}`?"))
}

/// What a source names after a prefix: `use crate::open::open;` names `open`.
fn named<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let word = |rest: &'a str| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next();
    text.split(prefix).skip(1).filter_map(word).filter(|w| !w.is_empty())
}

fn check(file: &Path, floor_of_file: usize) -> usize {
    let text = std::fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let used: Vec<&str> = named(&text, "crate::").collect();
    for room in &used {
        assert!(floor(room) < floor_of_file, "{} uses `{room}`", file.display());
    }
    used.len()
}

#[test]
fn no_room_of_the_program_uses_one_above_it() {
    let source = project().join("crates/noslip-cli/src");
    let mut uses = 0;
    for room in FLOORS.concat().into_iter().filter(|room| *room != "commands") {
        uses += check(&source.join(format!("{room}.rs")), floor(room));
    }
    let commands = std::fs::read_dir(source.join("commands")).expect("commands");
    let commands = commands.map(|e| e.expect("an entry").path()).filter(|f| f.extension().is_some_and(|x| x == "rs"));
    for file in commands.filter(|f| f.file_name().is_some_and(|n| n != "mod.rs")) {
        uses += check(&file, floor("commands"));
        let text = std::fs::read_to_string(&file).expect("a command");
        assert_eq!(named(&text, "super::").next(), None, "{} uses another command", file.display());
    }
    assert!(uses > 100, "only {uses} uses were found");
}
