//! The rooms of the library and the way between them: what ARCHITECTURE.md draws is what the sources do.

use crate::common::root;
use std::path::{Path, PathBuf};

/// The Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|x| x == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The rooms from the ground up, as drawn: `a ← b, c ← d` are three floors.
fn floors() -> Vec<Vec<String>> {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page");
    let (_, after) = page.split_once("<!-- order of dependence -->\n\n```text\n").expect("the order of dependence");
    let (drawn, _) = after.split_once("```").expect("its end");
    drawn.split('←').map(|floor| floor.split(',').map(|room| room.trim().to_owned()).collect()).collect()
}

/// A source without its comments, which may speak of everything.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The first names after each `crate::` of a source: `crate::a::b` is a, `crate::{a::b, c}` are a and c.
fn used(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    for after in code.split("crate::").skip(1) {
        let Some(list) = after.strip_prefix('{') else {
            names.push(name(after));
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (i, c) in list.char_indices() {
            match c {
                '}' if depth == 0 => break,
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    names.push(name(&list[i..]));
                    start = false;
                }
                _ => {}
            }
        }
    }
    names
}

/// Names that `lib.rs` gives to the outside, with the room each comes from.
fn front_door(lib: &str) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for item in lib.split("pub use ").skip(1) {
        let item = item.strip_prefix("noslip_expr::").unwrap_or(item);
        if item.starts_with('{') {
            continue; // Whole rooms of the lower crate, under their own names.
        }
        let (room, rest) = item.split_once("::").expect("a path");
        let names = rest.split(';').next().unwrap_or_default();
        let names = names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|n| !n.is_empty());
        list.extend(names.map(|n| (n.to_owned(), room.to_owned())));
    }
    list
}

/// What a source of `room` uses that does not stand below it.
fn upward(room: &str, code: &str, floors: &[Vec<String>], door: &[(String, String)]) -> Vec<String> {
    let floor = |room: &str| floors.iter().position(|f| f.iter().any(|r| r == room));
    let mut wrong = Vec::new();
    for name in used(code) {
        let target = door.iter().find(|(n, _)| *n == name).map_or(name.as_str(), |(_, room)| room);
        if target != room && floor(target).is_none_or(|f| Some(f) >= floor(room)) {
            wrong.push(target.to_owned());
        }
    }
    wrong
}

#[test]
fn no_room_uses_what_stands_above_it() {
    let (crates, floors) = (["crates/noslip-expr/src", "crates/noslip/src"].map(|src| root().join(src)), floors());
    let door: Vec<_> = crates
        .iter()
        .flat_map(|src| front_door(&code(&std::fs::read_to_string(src.join("lib.rs")).expect("lib.rs"))))
        .collect();
    let mut rooms: Vec<String> = Vec::new();
    let mut wrong = Vec::new();
    for (src, path) in crates.iter().flat_map(|src| sources(src).into_iter().map(move |path| (src, path))) {
        let inside = path.strip_prefix(src).expect("below src");
        let first = inside.components().next().expect("a room").as_os_str().to_string_lossy().into_owned();
        let room = first.trim_end_matches(".rs").to_owned();
        if room == "lib" {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let above = upward(&room, &code(&text), &floors, &door);
        wrong.extend(above.into_iter().map(|target| format!("{}: {room} uses {target}", inside.display())));
        rooms.push(room);
    }
    assert!(wrong.is_empty(), "against the order that ARCHITECTURE.md draws:\n{}", wrong.join("\n"));
    rooms.sort();
    rooms.dedup();
    let mut drawn: Vec<String> = floors.into_iter().flatten().collect();
    drawn.sort();
    assert_eq!(rooms, drawn, "ARCHITECTURE.md draws every room once");
}

#[test]
fn an_arrow_that_points_upwards_is_seen() {
    let floors = [vec!["expr".to_owned()], vec!["forms".to_owned(), "analysis".to_owned()], vec!["verify".to_owned()]];
    let door = front_door("pub use verify::{Finding, decide};\npub use expr::Arena;");
    let of = |room: &str, text: &str| upward(room, &code(text), &floors, &door);
    assert_eq!(of("forms", "use crate::{expr::{Arena, Expr}, verify::decide};"), ["verify"]);
    assert_eq!(of("forms", "fn f() { crate::analysis::analyse(w) }"), ["analysis"]);
    assert_eq!(of("expr", "use crate::Finding; // crate::forms"), ["verify"]);
    assert_eq!(of("verify", "use crate::nowhere::X;"), ["nowhere"]);
    assert!(of("verify", "use crate::{forms, Arena};\n/// [`crate::verify`]\nuse crate::verify::How;").is_empty());
}

/// Every binary links the whole library: a new file of tests is a module of one that is there.
#[test]
fn each_crate_has_one_test_binary() {
    for (folder, binaries) in [("crates/noslip/tests", &["suite"][..]), ("crates/noslip-cli/tests", &["cli", "page"])] {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(root().join(folder)).expect("the folder of tests") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|x| x == "rs") || path.join("main.rs").exists() {
                found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
            }
        }
        found.sort();
        assert_eq!(found, binaries, "{folder}");
    }
}
