//! What can go wrong around a run: full disks, two writers, closed pipes, a kill at any moment, no memory. Files are whole or
//! not there, and what was begun is taken up again to the same bytes.

use crate::models::sleigh;
use crate::program::{Folder, noslip};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const SWEEP: [&str; 10] = [
    "sweep",
    "chaplygin-sledge",
    "--vary",
    "phi=0:3:128",
    "--vary",
    "phi'=-1:1:128",
    "--until",
    "0.2",
    "--tolerance",
    "1e-6",
];

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(list) = std::fs::read_dir(folder) else { return BTreeMap::new() };
    let list = list.map(|f| f.expect("a file").path());
    list.map(|p| (p.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read(&p).unwrap_or_default()))
        .collect()
}

fn start(folder: &Folder, args: &[&str]) -> Child {
    folder.command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts")
}

fn end(mut child: Child, after: Duration, signal: &str) -> bool {
    let until = Instant::now() + after;
    while Instant::now() < until {
        if child.try_wait().expect("asks").is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.is_ok(), "kill");
    child.wait().expect("reaped").code().is_none()
}

#[test]
fn a_model_is_not_written_over() {
    let folder = sleigh();
    let before = folder.read("sleigh.toml");
    std::os::unix::fs::symlink("sleigh.toml", folder.path("other.toml")).expect("a link");
    for out in ["sleigh.toml", "./sleigh.toml", "other.toml"] {
        for command in ["report", "expand"] {
            folder.run(&[command, "sleigh.toml", "-o", out]).refuses(2, &["it is the model that is read", "help"]);
        }
    }
    for (name, command) in [("m.csv", "simulate"), ("m.c", "export"), ("m.svg", "draw")] {
        folder.write(name, &before);
        folder.run(&[command, name, "-o", name]).refuses(2, &["it is the model that is read"]);
        assert_eq!(folder.read(name), before);
    }
    assert_eq!(folder.read("sleigh.toml"), before);
}

#[test]
fn a_full_disk_leaves_no_half_file() {
    let folder = sleigh();
    folder.run(&["report", "sleigh.toml", "-o", "/dev/full"]).refuses(3, &["cannot write `/dev/full`", "No space"]);
    // A file system that takes no more: files may not grow beyond some kilobytes.
    let limited = |args: &[&str]| {
        let program = env!("CARGO_BIN_EXE_noslip");
        let script = format!("trap '' XFSZ; ulimit -f 4; exec {program} \"$@\"");
        Command::new("bash")
            .args(["-c", &script, "bash"])
            .args(args)
            .current_dir(folder.path(""))
            .output()
            .expect("bash")
    };
    for args in [
        &["report", "sleigh.toml", "-o", "page.html"][..],
        &["simulate", "sleigh.toml", "--samples", "2001", "-o", "run.csv"],
        &["simulate", "sleigh.toml", "--samples", "2001", "-o", "run.json"],
        &["simulate", "sleigh.toml", "--samples", "2001", "-o", "run.parquet"],
    ] {
        let output = limited(args);
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{args:?}: {words}");
        assert!(words.contains("cannot write") && !words.contains("panicked"), "{args:?}: {words}");
    }
    assert_eq!(folder.list(), ["sleigh.toml"], "nothing is left");
    // An old file stays.
    folder.write("run.csv", "old");
    limited(&["simulate", "sleigh.toml", "--samples", "2001", "-o", "run.csv"]);
    assert_eq!(folder.read("run.csv"), "old");
    // A sweep stops with words, and goes on when there is room.
    let out = limited(&[&SWEEP[..], &["-o", "d"]].concat());
    assert_eq!(out.status.code(), Some(3), "{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(folder.run(&[&SWEEP[..], &["-o", "d"]].concat()).status, 0);
    assert_eq!(folder.run(&[&SWEEP[..], &["-o", "e"]].concat()).status, 0);
    assert!(files(&folder.path("d")) == files(&folder.path("e")));
}

#[test]
fn a_sweep_that_is_killed_goes_on_to_the_same_bytes() {
    let folder = Folder::new();
    assert_eq!(folder.run(&[&SWEEP[..], &["-o", "whole"]].concat()).status, 0);
    let whole = files(&folder.path("whole"));
    let mut killed = 0;
    for (i, signal) in ["-KILL", "-INT", "-TERM", "-KILL", "-KILL", "-INT"].into_iter().enumerate() {
        let after = Duration::from_millis(15 + 45 * i as u64);
        killed += usize::from(end(start(&folder, &[&SWEEP[..], &["-o", "d"]].concat()), after, signal));
        for (name, bytes) in files(&folder.path("d")) {
            if !name.starts_with('.') && name != "manifest.json" {
                assert!(whole[&name] == bytes, "{name} is whole or not there");
            }
        }
    }
    assert!(killed > 0, "no run was killed");
    assert_eq!(folder.run(&[&SWEEP[..], &["-o", "d"]].concat()).status, 0);
    let made = files(&folder.path("d"));
    let visible: BTreeMap<_, _> = made.into_iter().filter(|(name, _)| !name.starts_with('.')).collect();
    assert!(whole == visible);
}

#[test]
fn a_file_is_whole_or_not_there_whenever_its_writer_is_killed() {
    let folder = sleigh();
    let runs: [(&str, &[&str]); 3] = [
        ("run.csv", &["simulate", "sleigh.toml", "--samples", "20001", "-o", "run.csv"]),
        ("run.parquet", &["simulate", "sleigh.toml", "--samples", "20001", "-o", "run.parquet"]),
        ("page.html", &["report", "sleigh.toml", "-o", "page.html"]),
    ];
    for (name, args) in runs {
        assert_eq!(folder.run(args).status, 0);
        let whole = std::fs::read(folder.path(name)).expect("written");
        std::fs::remove_file(folder.path(name)).expect("there");
        for (i, signal) in ["-KILL", "-INT", "-KILL", "-TERM", "-KILL"].into_iter().enumerate() {
            end(start(&folder, args), Duration::from_millis(5 + 60 * i as u64), signal);
            if let Ok(bytes) = std::fs::read(folder.path(name)) {
                assert!(bytes == whole, "{name} after {signal}");
                std::fs::remove_file(folder.path(name)).expect("there");
            }
        }
        assert_eq!(folder.run(args).status, 0);
        assert!(std::fs::read(folder.path(name)).expect("written") == whole, "{name}");
    }
}

#[test]
fn two_writers_leave_one_whole_file() {
    let folder = sleigh();
    let args = |samples: &'static str| ["simulate", "sleigh.toml", "--samples", samples, "-o", "run.csv"];
    let alone = |samples| {
        assert_eq!(folder.run(&args(samples)).status, 0);
        folder.read("run.csv")
    };
    let (first, second) = (alone("2001"), alone("1501"));
    for _ in 0..3 {
        let (mut a, mut b) = (start(&folder, &args("2001")), start(&folder, &args("1501")));
        assert!(a.wait().expect("ends").success() && b.wait().expect("ends").success());
        let there = folder.read("run.csv");
        assert!(there == first || there == second);
    }
    // Two sweeps into one folder.
    let sweep = |out| [&SWEEP[..], &["-o", out]].concat();
    assert_eq!(folder.run(&sweep("whole")).status, 0);
    let (mut a, mut b) = (start(&folder, &sweep("d")), start(&folder, &sweep("d")));
    assert!(a.wait().expect("ends").success() && b.wait().expect("ends").success());
    let made = files(&folder.path("d")).into_iter().filter(|(name, _)| !name.starts_with('.'));
    assert!(made.collect::<BTreeMap<_, _>>() == files(&folder.path("whole")));
}

#[test]
fn a_reader_that_has_had_enough_is_no_error() {
    let folder = sleigh();
    for args in [
        &["simulate", "sleigh.toml", "--samples", "20001", "--format", "json"][..],
        &["derive", "sleigh.toml", "--form", "all"],
        &["report", "sleigh.toml", "-o", "-"],
        &["demo"],
    ] {
        let mut child = folder.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("ends");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(!words.contains("panicked") && !words.contains("error"), "{args:?}: {words}");
    }
}

#[test]
fn what_would_not_fit_is_refused_before_it_is_begun() {
    let folder = sleigh();
    let samples = |n: &str, command: &str| folder.run(&[command, "sleigh.toml", "--samples", n, "--until", "1"]);
    for n in ["10000001", "1000000000000", "18446744073709551615"] {
        samples(n, "simulate").refuses(2, &["samples: expected a number between 2 and 10000000"]);
        samples(n, "grip").refuses(2, &["samples: expected a number between"]);
    }
    let sweep = |more: &[&str]| folder.run(&[&["sweep", "sleigh.toml", "--until", "0.1", "-o", "d"], more].concat());
    sweep(&["--vary", "x=0:1:1000000000000"])
        .refuses(3, &["parts, more than the 1000000 of a folder", "several folders"]);
    sweep(&["--vary", "x=0:1", "--random", "1000000000000"]).refuses(3, &["parts, more than the"]);
    sweep(&["--vary", "x=0:1:5000", "--samples", "100000"])
        .refuses(3, &["a part would have", "fewer times or columns"]);
    assert_eq!(folder.list(), ["sleigh.toml"]);
    for endless in ["check", "derive", "simulate"] {
        noslip(&[endless, "/dev/zero"]).refuses(3, &["longer than the limit"]);
    }
    folder.run(&["verify", "sleigh.toml", "--claims", "/dev/zero"]).refuses(3, &["longer than the limit"]);
    folder.run(&["eval", "sleigh.toml", "--states", "/dev/zero"]).refuses(3, &["longer than the limit"]);
}

/// Everything that a name of a system can carry into a terminal, a page, a program or a document.
#[test]
fn hostile_names_harm_nobody() {
    let name = "</script><script>alert(1)</script>*/ int main;//\\u001b[2J\\u0007\\\"'`${1}{{x}}&lt;<!--]]>";
    let text = std::fs::read_to_string(sleigh().path("sleigh.toml")).expect("a model");
    let mut lines: Vec<String> = text.lines().filter(|l| !l.starts_with("description")).map(str::to_owned).collect();
    let at = lines.iter().position(|l| l.starts_with("name = ")).expect("a name");
    lines[at] = format!("name = \"{name}\"\ndescription = \"{name}\"\nsource = \"{name}\"");
    let folder = Folder::with("m.toml", &lines.join("\n"));
    for args in [
        &["check", "m.toml"][..],
        &["derive", "m.toml"],
        &["simulate", "m.toml", "--until", "1"],
        &["verify", "m.toml", "--equation", "phi'' = 1"],
        &["principle", "m.toml", "--until", "1"],
        &["grip", "m.toml", "--until", "1"],
    ] {
        let said = folder.run(args);
        assert!(
            !said.out.contains(['\u{1b}', '\u{7}']) && !said.err.contains(['\u{1b}', '\u{7}']),
            "{args:?}: {said:?}"
        );
    }
    let v = folder.run(&["derive", "m.toml", "--form", "all", "--format", "json"]).json("derive");
    assert!(v["name"].as_str().is_some_and(|n| n.starts_with("</script>")), "{}", v["name"]);
    assert_eq!(folder.run(&["report", "m.toml", "-o", "page.html"]).status, 0);
    let page = folder.read("page.html");
    assert!(!page.contains("<script>alert(1)"), "a script in the page");
    assert_eq!(folder.run(&["draw", "m.toml", "-o", "still.svg"]).status, 0);
    let svg = folder.read("still.svg");
    assert!(!svg.contains("<script>") && !svg.contains(['\u{1b}', '\u{7}']), "{}", &svg[..svg.len().min(500)]);
    for out in ["m.c", "m.rs"] {
        assert_eq!(folder.run(&["export", "m.toml", "-o", out]).status, 0);
        let code = folder.read(out);
        let inside = code.find("int main").map_or("", |i| &code[..i]);
        let open = inside.rfind("/*").is_some_and(|o| !inside[o..].contains("*/"));
        let line = inside.rfind('\n').map_or(inside, |i| &inside[i + 1..]);
        assert!(
            inside.is_empty() || open || line.trim_start().starts_with("//"),
            "{out}: {}",
            &code[..code.len().min(600)]
        );
    }
}
