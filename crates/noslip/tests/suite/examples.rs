//! The programs of `examples/` run, and the shortest is as short as it says.

#[path = "../../examples/derive.rs"]
mod derive;
#[path = "../../examples/ensemble.rs"]
mod ensemble;
#[path = "../../examples/simulate.rs"]
mod simulate;
#[path = "../../examples/user_program.rs"]
mod user_program;
#[path = "../../examples/verify.rs"]
mod verify;

#[test]
fn every_example_runs() {
    type Example = fn() -> Result<(), Box<dyn std::error::Error>>;
    let examples: [(&str, Example); 5] = [
        ("derive", derive::main),
        ("ensemble", ensemble::main),
        ("simulate", simulate::main),
        ("user_program", user_program::main),
        ("verify", verify::main),
    ];
    for (name, main) in examples {
        main().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let names = std::fs::read_dir(folder).expect("the examples").map(|e| e.expect("an entry").file_name());
    // `lengths` prints a page of the book, in minutes.
    let count = names.filter(|name| name != "lengths.rs").count();
    assert_eq!(count, examples.len(), "every example is run here");
}

#[test]
fn a_user_needs_twelve_lines_and_one_module() {
    let text = include_str!("../../examples/user_program.rs");
    let uses: Vec<&str> = text.lines().filter(|l| l.starts_with("use ")).collect();
    assert!(uses.len() == 1 && uses[0].starts_with("use noslip::{") && !uses[0][13..].contains("::"), "{uses:?}");
    let (_, main) = text.split_once("fn main()").expect("a main function");
    let lines = main.lines().skip(1).take_while(|l| *l != "}").count();
    assert!(lines <= 12, "{lines} lines");
}
