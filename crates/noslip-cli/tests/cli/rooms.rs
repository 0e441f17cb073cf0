//! The files of the program use those below them, never those above, and no command uses another.

use crate::program::project;
use std::path::Path;

/// From the ground up.
const FLOORS: [&[&str]; 10] = [
    &["failure", "layout", "parquet"],
    &["console"],
    &["progress"],
    &["files", "terminal"],
    &["options", "picture", "words"],
    &["open"],
    &["motion", "output"],
    &["figures"],
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

/// Where the program may ask for what a browser does not have, and what.
const HOSTS: [(&str, &[&str]); 8] = [
    ("main.rs", &["std::env", "std::process"]),
    ("files.rs", &["std::fs", "std::process"]),
    ("terminal.rs", &["std::process"]),
    // How wide lines are, where there is no caller.
    ("console.rs", &["std::env"]),
    // Refused where there are no folders, before anything else is asked for.
    ("commands/sweep.rs", &["std::fs", "std::thread"]),
    // Without a compiler the sources are enough.
    ("commands/export/fmu.rs", &["std::fs", "std::env", "std::process"]),
    // Where a person looks at a terminal.
    ("progress.rs", &["Instant", "std::thread"]),
    // Nobody knows where a program in a browser lies, and that is an answer.
    ("commands/studio.rs", &["std::env"]),
];

/// Rust sources in a folder and all below.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    let of_tests = |p: &Path| p.ends_with("tests.rs") || p.parent().is_some_and(|folder| folder.ends_with("tests"));
    all.filter(|p| p.extension().is_some_and(|x| x == "rs") && !of_tests(p)).collect()
}

#[test]
fn clock_disk_threads_and_processes_are_asked_for_in_few_places() {
    // The program is also built for browsers, where these panic or do not exist.
    let program = project().join("crates/noslip-cli/src");
    let host = ["Instant", "SystemTime", "std::fs", "std::env", "std::process", "std::thread"];
    let mut found = 0;
    let library = ["crates/noslip/src", "crates/noslip-expr/src"].map(|folder| project().join(folder));
    for path in [&library[..], std::slice::from_ref(&program)].concat().iter().flat_map(|folder| sources(folder)) {
        let text = std::fs::read_to_string(&path).expect("a source");
        let own = text.split("#[cfg(test)]").next().expect("a source has a beginning");
        let allowed = HOSTS.iter().find(|(name, _)| path == program.join(name)).map_or(&[][..], |(_, list)| list);
        for what in host.into_iter().filter(|what| own.contains(what)) {
            let place = path.display();
            assert!(
                allowed.contains(&what),
                "{place} asks for {what}, which no browser has: see files.rs and console.rs"
            );
            found += 1;
        }
    }
    assert_eq!(found, HOSTS.iter().map(|(_, list)| list.len()).sum::<usize>(), "some of the places no longer ask");
}
