//! Nothing the program can do is without a test and without a word in the reference.

use crate::program::{Folder, noslip, project};
use std::collections::BTreeSet;

/// Commands as `noslip --help` lists them.
pub fn commands() -> Vec<String> {
    let help = noslip(&["--help"]);
    let list = help.quiet().split("Commands:\n").nth(1).expect("a list").split("\n\n").next().expect("its end");
    let names = list.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
    let names: Vec<String> = names.filter_map(|l| l.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.len() > 15, "{names:?}");
    names.into_iter().filter(|n| n != "help").collect()
}

/// Long options of a command, as its own help lists them.
fn options(command: &str) -> BTreeSet<String> {
    let help = noslip(&[command, "--help"]);
    let list =
        help.quiet().split("\nOptions:\n").nth(1).expect("options").split("\n\nExample").next().expect("its end");
    let words = list.lines().filter(|l| l.trim_start().starts_with('-')).flat_map(|l| l.split([' ', ',']));
    // Every command has these two, and terminal.rs tries them.
    words.filter(|w| w.starts_with("--") && !["--help", "--color"].contains(w)).map(str::to_owned).collect()
}

/// Every test function of the folder, as text.
fn tests() -> Vec<String> {
    let folder = project().join("crates/noslip-cli/tests/cli");
    let files = std::fs::read_dir(folder).expect("tests").map(|e| e.expect("a file").path());
    let text = files.map(|f| std::fs::read_to_string(f).expect("a test file"));
    text.flat_map(|t| t.split("#[test]").skip(1).map(str::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_option_of_every_command_is_used_by_a_test() {
    let tests = tests();
    let mut missing = Vec::new();
    let mut count = 0;
    for command in commands() {
        let own: Vec<&String> = tests.iter().filter(|t| t.contains(&format!("\"{command}\""))).collect();
        assert!(!own.is_empty(), "no test runs `{command}`");
        for option in options(&command) {
            let used = format!("\"{option}\"");
            if !own.iter().any(|t| t.contains(&used)) {
                missing.push(format!("{command} {option}"));
            }
            count += 1;
        }
    }
    assert!(count > 70, "only {count} options were found");
    assert!(missing.is_empty(), "no test uses {missing:#?}");
}

#[test]
fn the_reference_tells_of_every_command_option_and_schema() {
    let read = |name: &str| std::fs::read_to_string(project().join("docs/src/reference").join(name)).expect("a page");
    let (page, json) = (read("commands.md"), read("json.md"));
    let mut schemas: BTreeSet<String> = BTreeSet::from(["states", "refusal"].map(str::to_owned));
    for command in commands() {
        assert!(page.contains(&format!("`noslip {command}")), "commands.md does not tell of `{command}`");
        for option in options(&command) {
            assert!(page.contains(&option), "commands.md does not tell of `{command} {option}`");
            if option == "--format" {
                assert!(json.contains(&format!("| `{command}` |")), "json.md does not tell of `{command}`");
                schemas.insert(command.clone());
            }
        }
    }
    let files = std::fs::read_dir(project().join("schemas")).expect("schemas").map(|e| e.expect("a file").path());
    let files: BTreeSet<String> =
        files.map(|f| f.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    assert_eq!(files, schemas, "one schema for every command that answers in JSON");
}

#[test]
fn every_command_on_a_model_replaces_values_and_answers_in_json() {
    let folder = Folder::new();
    folder.write("s.json", r#"[{"t": 0, "q": {"x": 0, "y": 0, "phi": 0}, "v": {"x": 1, "y": 0, "phi": 1}}]"#);
    let questions: [(&str, &[&str]); 23] = [
        ("check", &[]),
        ("derive", &["--form", "maggi"]),
        ("verify", &["--equation", "M = 3"]),
        ("eval", &["--states", "s.json"]),
        ("simulate", &["--until", "0.1"]),
        ("compare", &["--until", "0.1"]),
        ("reduce", &[]),
        ("steady", &[]),
        ("linearise", &["--frozen"]),
        ("measure", &[]),
        ("integrals", &[]),
        ("connect", &["--to", "phi=1"]),
        ("connection", &[]),
        ("exponents", &["--until", "1"]),
        ("section", &["--on", "phi - 0.5", "--until", "0.1"]),
        ("hamiltonise", &[]),
        ("inverse", &[]),
        ("canonical", &[]),
        ("principle", &["--until", "0.1"]),
        ("grip", &["--until", "0.1"]),
        ("report", &["--until", "0.1"]),
        ("draw", &["--until", "0.1", "--output", "p.svg"]),
        ("export", &["--output", "p.rs"]),
    ];
    for (command, more) in questions {
        let ask = |set: &[&str]| {
            let model = [command, "chaplygin-sledge", "--format", "json"];
            folder.run(&[&model[..], more, set].concat())
        };
        for set in [&["--set", "M=3"][..], &["--initial", "phi=0.25"], &["--set", "M=3", "--initial", "phi'=2"]] {
            let answer = ask(set);
            assert!(answer.status <= 1 && answer.err.is_empty(), "{command} {set:?}: {answer:?}");
            answer.json(command);
        }
        let answer = ask(&["--effort", "low"]);
        assert!(answer.status != 2 && answer.err.lines().all(|l| !l.contains("panic")), "{command}: {answer:?}");
        ask(&["--effort", "much"]).refuses(2, &["--effort"]);
        ask(&["--set", "M=x"]).refuses(2, &["`--set M=x`: `x` is not a number"]);
        ask(&["--set", "Q=1"]).refuses(2, &["unknown parameter `Q`"]);
        ask(&["--initial", "psi=1"]).refuses(2, &["unknown coordinate `psi`"]);
        ask(&["--format", "yaml"]).refuses(2, &["--format"]);
    }
}
