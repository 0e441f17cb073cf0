//! Models the tests use, and how models are found and read.

use crate::program::{Folder, noslip};

/// Two free coordinates with unit mass; `more` is appended, and begins inside `[energy]`.
pub fn particle(more: &str) -> String {
    format!(
        "noslip = 1\n[system]\nname = \"particle\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 1\n\
         [energy]\nkinetic = \"m*(x'^2 + y'^2)/2\"\n{more}\n"
    )
}

/// A folder with the starter model, `sleigh.toml`.
pub fn sleigh() -> Folder {
    let folder = Folder::new();
    folder.run(&["new", "sleigh"]).fine();
    // The schema for editors lies beside it.
    std::fs::remove_file(folder.path("noslip.schema.json")).expect("written by `new`");
    folder
}

#[test]
fn a_model_comes_from_a_file_from_standard_input_or_from_the_gallery() {
    let folder = sleigh();
    let file = folder.run(&["check", "sleigh.toml"]);
    let text = folder.read("sleigh.toml");
    assert_eq!(folder.run_with(&["check", "-"], text.as_bytes()).quiet(), file.quiet());
    assert!(noslip(&["check", "rolling-disk"]).quiet().starts_with("Rolling disk\n5 coordinates, 2 constraints"));
}

#[test]
fn a_file_wins_over_the_gallery_model_of_the_same_name() {
    let folder = Folder::with("rolling-disk", &particle(""));
    assert!(folder.run(&["check", "rolling-disk"]).fine().starts_with("particle\n"));
}

#[test]
fn a_mistyped_file_is_named_with_its_neighbour() {
    let folder = sleigh();
    folder.run(&["check", "sleigh"]).refuses(2, &["`sleigh` is neither", "did you mean the file `sleigh.toml`?"]);
    folder.run(&["check", "sliegh.toml"]).refuses(2, &["cannot read `sliegh.toml`", "did you mean `sleigh.toml`?"]);
    folder.run(&["check", "./sleigh.tml"]).refuses(2, &["did you mean `./sleigh.toml`?"]);
    folder.run(&["check", "elephant.toml"]).refuses(2, &["cannot read `elephant.toml`", "check the path"]);
    let claims = ["verify", "sleigh.toml", "--claims", "sleigh.tom"];
    folder.run(&claims).refuses(2, &["cannot read `sleigh.tom`", "did you mean `sleigh.toml`?"]);
}

#[test]
fn a_missing_model_is_named_and_a_near_gallery_model_proposed() {
    noslip(&["check", "no/such.toml"])
        .refuses(2, &["cannot read `no/such.toml`", "No such file", "help: check the path"]);
    noslip(&["check", "rolling-dsk"])
        .refuses(2, &["neither a file nor a gallery model", "did you mean the gallery model `rolling-disk`?"]);
    noslip(&["check", "qqqqqqqqqqqqq"]).refuses(2, &["neither a file", "noslip demo"]);
    noslip(&["check"]).refuses(2, &["<MODEL>"]);
}

#[test]
fn what_is_not_a_text_file_is_refused() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("d")).expect("a folder");
    folder.run(&["check", "d"]).refuses(2, &["cannot read `d`", "directory"]);
    folder.write("latin.toml", b"noslip = 1\n[system]\nname = \"caf\xe9\"\n");
    folder.run(&["check", "latin.toml"]).refuses(2, &["not UTF-8", "latin.toml:3:12", "help"]);
    folder.run_with(&["check", "-"], b"\xff").refuses(2, &["not UTF-8", "<stdin>:1:1"]);
    folder.run_with(&["check", "-"], b"").refuses(2, &["<stdin>"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with("m.toml", &particle(""));
    std::fs::set_permissions(folder.path("m.toml"), std::fs::Permissions::from_mode(0o000)).expect("modes");
    // The superuser may read everything; then there is nothing to see.
    if std::fs::read(folder.path("m.toml")).is_err() {
        folder.run(&["check", "m.toml"]).refuses(2, &["cannot read `m.toml`", "denied", "check the permissions"]);
    }
}

#[test]
fn an_error_points_into_the_string_of_the_file() {
    let folder = Folder::with("m.toml", &particle("potential = \"m*g*y\""));
    for command in ["check", "derive", "simulate", "report"] {
        folder.run(&[command, "m.toml"]).refuses(2, &["unknown name `g`", "m.toml:9:16", "potential = \"m*g*y\"", "^"]);
    }
}

#[test]
fn parameters_are_replaced_exactly() {
    let folder = sleigh();
    let at = |set: &[&str]| {
        let mut args = vec!["simulate", "sleigh.toml", "--at", "1", "--format", "json"];
        args.extend(set.iter().flat_map(|s| ["--set", s]));
        folder.run(&args).json("simulate")["samples"][0]["q"].to_string()
    };
    assert_eq!(at(&["l=3/10"]), at(&["l=0.3"]));
    assert_eq!(at(&["l=3e-1"]), at(&[]));
    assert_eq!(at(&["l = 0.3", "m=1"]), at(&[]));
    assert_ne!(at(&["l=0.31"]), at(&[]));
    assert_ne!(at(&["l=-0.3"]), at(&[]));
}

#[test]
fn a_parameter_that_follows_another_follows_its_new_value() {
    let folder = Folder::with(
        "m.toml",
        "noslip = 1\n[system]\nname = \"m\"\ncoordinates = [\"x\"]\n[parameters]\na = 2\nb = \"a^2\"\n[energy]\nkinetic = \"x'^2/2\"\n\
         [forces]\nx = \"b\"\n",
    );
    folder.write("s.json", r#"[{"q": {"x": 0}, "v": {"x": 0}}]"#);
    let v = folder.run(&["eval", "m.toml", "--states", "s.json", "--set", "a=3"]).json("eval");
    assert_eq!(v["results"][0]["accelerations"]["x"], 9.0);
}

#[test]
fn initial_values_are_replaced() {
    let folder = sleigh();
    let args = ["simulate", "sleigh.toml", "--at", "2", "--format", "json"];
    let run = |more: &[&str]| folder.run(&[&args[..], more].concat()).json("simulate");
    let v = run(&["--initial", "x=1.5", "--initial", "phi'=0", "--initial", "x'=2", "--initial", "t=1"]);
    let x = v["samples"][0]["q"]["x"].as_f64().expect("a number");
    assert!((x - 3.5).abs() < 1e-12, "one second at speed 2 from 1.5: {x}");
    let v = run(&["--initial", "phi=5*pi/180", "--initial", "phi'=0", "--initial", "x'=0", "--initial", "y'=0"]);
    let phi = v["samples"][0]["q"]["phi"].as_f64().expect("a number");
    assert!((phi - 5f64.to_radians()).abs() < 1e-12, "{phi}");
    let v = run(&["--initial", "time=2"]);
    assert_eq!((&v["samples"][0]["q"]["x"], &v["steps"]), (&0.0.into(), &0.into()));
}

#[test]
fn a_wrong_replacement_says_what_and_why() {
    let folder = sleigh();
    let with = |option: &str, value: &str| folder.run(&["simulate", "sleigh.toml", option, value]);
    with("--set", "I_c=1").refuses(2, &["unknown parameter `I_c`", "did you mean `I_C`?"]);
    with("--set", "mass=1").refuses(2, &["unknown parameter `mass`", "known: m, l, I_C"]);
    with("--set", "m").refuses(2, &["--set m", "NAME=VALUE"]);
    with("--initial", "x").refuses(2, &["--initial x", "NAME=VALUE"]);
    with("--initial", "ph=1").refuses(2, &["unknown coordinate `ph`", "did you mean `phi`?"]);
    with("--initial", "zeta''=1").refuses(2, &["unknown coordinate"]);
    with("--initial", "phi=5deg").refuses(2, &["`5deg` is not a number", "phi=pi/6", "radians"]);
    for bad in ["abc", "pi*q", "x*2", "NaN", "inf", "1/0", "", "1e999999", "--1", "1e", "0x10", "1..2"] {
        with("--set", &format!("m={bad}")).refuses(2, &["is not a number", "--set m="]);
        with("--initial", &format!("x={bad}")).refuses(2, &["is not a number", "--initial x="]);
    }
}

#[test]
fn an_inconsistent_initial_state_names_the_constraint_and_a_consistent_one() {
    let folder = sleigh();
    let answer = folder.run(&["simulate", "sleigh.toml", "--initial", "y'=7"]);
    answer.refuses(2, &["violates the constraint `knife_edge`", "sleigh.toml:34", "nearest consistent"]);
    folder.run(&["check", "sleigh.toml", "--initial", "y'=7"]).refuses(2, &["violates the constraint `knife_edge`"]);
}

#[test]
fn contradictory_constraints_are_found_by_every_command() {
    let folder = Folder::with("m.toml", &particle("[constraints]\na = \"x' = 1\"\nb = \"x' = 2\""));
    for args in [
        &["check", "m.toml"][..],
        &["derive", "m.toml"],
        &["simulate", "m.toml", "--until", "1"],
        &["report", "m.toml"],
    ] {
        folder.run(args).refuses(2, &["constraint `b` contradicts constraint `a`", "m.toml:11:5", "help"]);
    }
    // Found only by combining all three.
    folder.write("three.toml", particle("[constraints]\na = \"x' + y' = 1\"\nb = \"x' - y' = 0\"\nc = \"x' = 2\""));
    folder.run(&["check", "three.toml"]).refuses(2, &["constraint"]);
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    for args in
        [&["forms"][..], &["derive", "rolling-disk", "--form", "all"], &["simulate", "rolling-disk", "--columns", "x"]]
    {
        let folder = Folder::new();
        let mut child = folder
            .command(args)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let output =
        Folder::new().command(&["forms"]).stdout(full).stderr(std::process::Stdio::piped()).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}
