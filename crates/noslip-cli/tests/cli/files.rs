//! Files that `simulate` writes: tables, plots, and what happens when they cannot be written or the run is killed.

use crate::models::sleigh;
use crate::program::Folder;
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn a_table_is_written_whose_numbers_read_back_to_the_same_value() {
    let folder = sleigh();
    let run = folder.run(&["simulate", "sleigh.toml", "--samples", "5", "--out", "run.csv", "--format", "json"]);
    let v = run.json("simulate");
    let text = folder.read("run.csv");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    assert_eq!(header, ["t", "x", "y", "phi", "x'", "y'", "phi'", "lambda_knife_edge", "energy"]);
    for (line, s) in lines.zip(v["samples"].as_array().expect("a list")) {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().expect("a number")).collect();
        assert_eq!((row[0], row[3], row[6]), (f(&s["t"]), f(&s["q"]["phi"]), f(&s["v"]["phi"])));
    }
    assert_eq!(text.lines().count(), 6);
}

fn f(v: &Value) -> f64 {
    v.as_f64().expect("a number")
}

#[test]
fn json_in_a_file_is_the_json_of_the_terminal() {
    let folder = sleigh();
    let run = folder.run(&["simulate", "sleigh.toml", "--out", "run.json", "--format", "json"]);
    assert_eq!(folder.read("run.json"), run.out);
    assert_eq!(folder.list(), ["run.json", "sleigh.toml"], "nothing is left beside it");
}

/// The doubles that lie in plain pages, found by their place: after the header of each page.
#[test]
fn a_parquet_file_holds_the_numbers_of_the_table() {
    let folder = sleigh();
    let run = |file: &str| {
        folder
            .run(&["simulate", "sleigh.toml", "--samples", "5", "--columns", "t,phi,sin(phi)", "--out", file])
            .quiet();
    };
    run("run.csv");
    run("run.parquet");
    let bytes = std::fs::read(folder.path("run.parquet")).expect("a file");
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    let text = folder.read("run.csv");
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().expect("a number")).collect()).collect();
    let mut from = 0;
    for column in 0..3 {
        let page: Vec<u8> = rows.iter().flat_map(|r| r[column].to_le_bytes()).collect();
        let at = bytes[from..].windows(page.len()).position(|w| w == page);
        from += at.unwrap_or_else(|| panic!("no page of column {column}")) + page.len();
    }
    for name in ["phi", "sin(phi)", "noslip"] {
        assert!(bytes[from..].windows(name.len()).any(|w| w == name.as_bytes()), "{name} is not described");
    }
}

#[test]
fn columns_decide_what_the_table_holds() {
    let folder = sleigh();
    let said = folder.run(&["simulate", "sleigh.toml", "--columns", "t,x:y", "--samples", "2", "--out", "run.csv"]);
    assert!(said.quiet().contains("final state:"));
    assert!(folder.read("run.csv").starts_with("t,x,y\n0,0,0\n10,"));
}

#[test]
fn plots_are_drawn_over_time_and_against_each_other() {
    let folder = sleigh();
    folder.run(&["simulate", "sleigh.toml", "--plot", "a.svg", "--columns", "x:y,phi:phi'"]).quiet();
    let svg = folder.read("a.svg");
    assert!(
        svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains(">sleigh<"),
        "{}",
        &svg[..200]
    );
    folder.run(&["simulate", "sleigh.toml", "--plot", "b.svg"]).quiet();
    assert!(folder.read("b.svg").contains(">lambda_knife_edge<"), "the usual columns, with a legend");
    folder.run(&["simulate", "sleigh.toml", "--plot", "c.png", "--columns", "x:y"]).quiet();
    let png = std::fs::read(folder.path("c.png")).expect("a picture");
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.len() > 1000);
    folder.run(&["simulate", "sleigh.toml", "--plot", "d.png", "--columns", "t"]).refuses(2, &["nothing to plot"]);
    folder.run(&["simulate", "sleigh.toml", "--plot", "e.svg", "--columns", "phi,x:y"]).quiet();
    let svg = folder.read("e.svg");
    assert!(svg.contains(">phi<") && svg.contains(">x<") && svg.contains(">y<"), "phi over time, and y over x");
    assert_eq!(folder.list(), ["a.svg", "b.svg", "c.png", "e.svg", "sleigh.toml"]);
}

#[test]
fn what_cannot_be_written_is_refused_before_the_run() {
    let folder = sleigh();
    std::fs::create_dir(folder.path("d.csv")).expect("a folder");
    // A run of many hours: a refusal after it would not come.
    let endless = ["simulate", "sleigh.toml", "--until", "1e12", "--max-steps", "1000000000000"];
    let with = |args: &[&str]| folder.run(&[&endless[..], args].concat());
    for file in ["run.xlsx", "run", "run.CSV", ".csv"] {
        with(&["--out", file]).refuses(2, &[file, "unknown kind of file", ".csv, .json or .parquet"]);
    }
    with(&["--plot", "p.gif"]).refuses(2, &["`p.gif`", "unknown kind of file", ".svg or .png"]);
    with(&["--out", "none/run.csv"]).refuses(2, &["cannot write `none/run.csv`", "no folder `none`", "help"]);
    with(&["--plot", "none/p.svg"]).refuses(2, &["no folder `none`"]);
    with(&["--out", "d.csv"]).refuses(2, &["cannot write `d.csv`", "it is a folder"]);
    assert_eq!(folder.list(), ["d.csv", "sleigh.toml"]);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_has_status_3() {
    use std::os::unix::fs::PermissionsExt;
    let folder = sleigh();
    std::fs::create_dir(folder.path("locked")).expect("a folder");
    let lock =
        |mode| std::fs::set_permissions(folder.path("locked"), std::fs::Permissions::from_mode(mode)).expect("modes");
    lock(0o555);
    // The superuser may write everywhere; then there is nothing to see.
    let may = std::fs::write(folder.path("locked/try"), "").is_ok();
    if !may {
        folder
            .run(&["simulate", "sleigh.toml", "--out", "locked/run.csv"])
            .refuses(3, &["cannot write `locked/run.csv`", "denied"]);
    }
    lock(0o755);
    // A name longer than file systems take fails for everyone.
    let long = format!("{}.csv", "n".repeat(300));
    folder.run(&["simulate", "sleigh.toml", "--out", &long]).refuses(3, &["cannot write"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_a_device_is_not_replaced() {
    let folder = sleigh();
    folder.write("real.csv", "old");
    std::os::unix::fs::symlink("real.csv", folder.path("link.csv")).expect("a link");
    folder.run(&["simulate", "sleigh.toml", "--out", "link.csv"]).quiet();
    assert!(folder.path("link.csv").symlink_metadata().expect("there").is_symlink());
    assert!(folder.read("real.csv").starts_with("t,x,y"));
    let page = folder.run(&["report", "sleigh.toml", "-o", "/dev/stdout"]);
    assert!(page.fine().contains("</html>"));
    assert!(std::path::Path::new("/dev/stdout").exists());
}

#[test]
fn an_old_file_stays_whole_when_the_run_is_killed() {
    let folder = sleigh();
    folder.write("run.csv", "old and whole");
    let mut child = folder
        .command(&[
            "simulate",
            "sleigh.toml",
            "--until",
            "1e12",
            "--max-steps",
            "1000000000000",
            "--out",
            "run.csv",
            "--plot",
            "p.svg",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let until = Instant::now() + Duration::from_millis(700);
    while Instant::now() < until {
        assert!(child.try_wait().expect("asks").is_none(), "the run is still going");
        assert_eq!(folder.read("run.csv"), "old and whole");
        std::thread::sleep(Duration::from_millis(50));
    }
    child.kill().expect("killed");
    child.wait().expect("reaped");
    assert_eq!(folder.read("run.csv"), "old and whole");
    assert_eq!(folder.list(), ["run.csv", "sleigh.toml"], "no half file");
}

#[test]
fn an_old_file_is_replaced_by_a_run_that_ends_well_or_badly_but_not_by_one_that_is_refused() {
    let folder = sleigh();
    folder.write("run.csv", "old");
    folder.run(&["simulate", "sleigh.toml", "--out", "run.csv", "--set", "m=x"]).refuses(2, &[]);
    assert_eq!(folder.read("run.csv"), "old");
    folder.run(&["simulate", "sleigh.toml", "--out", "run.csv", "--max-steps", "2"]).refuses(3, &["limit of steps"]);
    assert!(folder.read("run.csv").starts_with("t,x,"), "what was computed is kept");
    let folder = Folder::with("a.toml", "noslip = 1");
    folder.write("run.csv", "old");
    folder.run(&["simulate", "a.toml", "--until", "1", "--out", "run.csv"]).refuses(2, &["a.toml"]);
    assert_eq!(folder.read("run.csv"), "old");
}
