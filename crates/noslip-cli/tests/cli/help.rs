//! `--help`, `--version`, `completions`, and what is not a command at all.

use crate::options::commands;
use crate::program::noslip;

#[test]
fn every_command_explains_itself() {
    let overview = noslip(&["--help"]);
    for command in commands() {
        let command = command.as_str();
        assert!(overview.quiet().contains(&format!("\n  {command} ")), "{command}");
        let help = noslip(&[command, "--help"]);
        assert!(help.quiet().contains("Usage: noslip "), "{command}");
        for line in help.out.lines().filter(|l| l.trim_start().starts_with("--") && !l.contains("--help")) {
            let described = line.trim_start().split("  ").count() > 1;
            let next = help.out.lines().skip_while(|l| l != &line).nth(1).unwrap_or_default();
            assert!(
                described || next.starts_with("          "),
                "`{command}`: an option without a description: {line}"
            );
        }
    }
    assert!(overview.out.contains("Examples:") && overview.out.contains("Exit status: 0 fine;"));
    assert!(overview.out.starts_with("Mechanical systems with velocity constraints"));
    for command in commands() {
        assert!(noslip(&[&command, "--help"]).out.contains("Example"), "{command}");
    }
}

#[test]
fn examples_fit_a_terminal_of_eighty_columns() {
    let all = commands().into_iter().map(|c| vec![c, "--help".to_owned()]).chain([vec!["--help".to_owned()]]);
    for arguments in all {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let help = noslip(&arguments);
        let examples = help.quiet().split("\nExample").nth(1).expect("examples");
        for line in examples.lines() {
            assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
        }
    }
}

#[test]
fn the_version_is_printed() {
    assert_eq!(noslip(&["--version"]).quiet(), format!("noslip {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn what_is_not_a_command_or_an_option_is_refused_with_a_suggestion() {
    noslip(&[]).refuses(2, &["Usage: noslip"]);
    noslip(&["simulat", "x"]).refuses(2, &["simulat", "simulate"]);
    noslip(&["check", "rolling-disk", "--bracket"]).refuses(2, &["--bracket", "--brackets"]);
    noslip(&["check", "rolling-disk", "--format", "jsn"]).refuses(2, &["jsn", "text, json"]);
    noslip(&["derive", "rolling-disk", "--format", "tex"]).refuses(2, &["text, latex, mathml, json"]);
    noslip(&["check", "rolling-disk", "suslov"]).refuses(2, &["unexpected argument 'suslov'"]);
}

#[test]
fn completions_know_every_command_in_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = noslip(&["completions", shell]);
        for command in commands() {
            assert!(script.quiet().contains(&command), "{shell}: {command}");
        }
    }
    noslip(&["completions", "tcsh"]).refuses(2, &["tcsh", "bash"]);
}
