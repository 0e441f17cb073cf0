//! What a person sees: lines as wide as the terminal, colours, digits.

use crate::options::commands;
use crate::program::{Folder, noslip};

/// What a command prints where lines have so many columns.
fn at_width(columns: &str, args: &[&str]) -> String {
    let output = Folder::new().command(args).env("COLUMNS", columns).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Columns of a line: dots above letters take none.
fn columns(line: &str) -> usize {
    line.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count()
}

#[test]
fn lines_are_as_wide_as_the_terminal_and_nothing_is_lost() {
    let questions: [&[&str]; 8] = [
        &["check", "rolling-disk"],
        &["derive", "snakeboard", "--form", "voronets"],
        &["verify", "rolling-disk", "--equation", "phi'' = 0"],
        &["explain", "maggi"],
        &["integrals", "chaplygin-sledge"],
        &["canonical", "chaplygin-sledge"],
        &["connection", "snakeboard"],
        &["simulate", "chaplygin-sledge"],
    ];
    for question in questions {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let whole = noslip(question).out;
        for (wide, width) in [("60", 60), ("80", 80), ("120", 120)] {
            let lines = at_width(wide, question);
            assert_eq!(squeezed(&lines), squeezed(&whole), "{question:?}");
            for line in lines.lines() {
                // Tables stay as they are.
                let table = line.trim().contains("  ");
                assert!(columns(line) <= width || table, "{question:?} at {width}: {line}");
            }
        }
        assert!(whole.lines().any(|l| columns(l) > 60), "{question:?} has nothing to break");
    }
}

#[test]
fn equations_go_on_before_a_sign_and_under_their_value() {
    let lines = at_width("60", &["derive", "snakeboard", "--form", "voronets"]);
    let below = lines.lines().skip_while(|l| !l.starts_with("  T° = ")).nth(1).expect("it is too long for one line");
    assert!(below.starts_with("         + ω"), "{lines}");
}

#[test]
fn what_is_for_programs_is_never_broken() {
    for question in [
        &["check", "rolling-disk", "--format", "json"][..],
        &["derive", "snakeboard", "--form", "voronets", "--format", "latex"],
        &["demo", "rolling-disk"],
        &["simulate", "chaplygin-sledge", "--columns", "t,x,y,x',y',phi,phi'"],
    ] {
        assert_eq!(at_width("50", question), noslip(question).out, "{question:?}");
    }
}

#[test]
fn colours_are_for_whoever_wants_them() {
    let ask = ["verify", "chaplygin-sledge", "--equation", "phi'' = 0"];
    let coloured = |more: &[&str]| noslip(&[&ask[..], more].concat()).out.contains("\x1b[1;31mdoes NOT hold\x1b[0m");
    assert!(!coloured(&[]), "a pipe has no colours");
    assert!(coloured(&["--color", "always"]));
    assert!(!coloured(&["--color", "never"]) && !coloured(&["--color", "auto"]));
    noslip(&["check", "rolling-disk", "--color", "sometimes"]).refuses(2, &["--color"]);
    for command in commands() {
        let help = noslip(&[&command, "--help"]).out;
        assert!(help.contains("--color <WHEN>"), "{command}");
    }
}

#[test]
fn numbers_for_a_person_have_the_digits_that_are_true() {
    let text = noslip(&["simulate", "chaplygin-sledge", "--until", "1", "--tolerance", "1e-9"]).out;
    let end = text.split("final state:").nth(1).expect("a final state");
    let digits = |word: &str| word.split('.').nth(1).map_or(0, str::len);
    let longest = end.split_whitespace().map(digits).max().expect("numbers");
    assert!((9..=10).contains(&longest), "{end}");
    let finer = noslip(&["simulate", "chaplygin-sledge", "--until", "1", "--tolerance", "1e-12"]).out;
    let end = finer.split("final state:").nth(1).expect("a final state");
    assert!(end.split_whitespace().map(digits).max().expect("numbers") > longest, "{end}");
}
