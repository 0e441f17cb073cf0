//! Tests one by one, with and without mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Limits {
    /// Seconds of tests for one mutant.
    pub seconds: f64,
    /// A test that takes more seconds is left out.
    pub slow: f64,
    /// Survivors are tried again.
    pub again: bool,
    /// Only tests with one of these in their name, with commas between them.
    pub tests: String,
}

/// Tests that were compiled, and the folder of their crate.
#[derive(Clone)]
pub struct Binary {
    pub path: PathBuf,
    pub folder: PathBuf,
}

struct Test {
    binary: Binary,
    name: String,
    seconds: f64,
    reached: BTreeSet<u32>,
}

#[derive(Clone, Copy, PartialEq)]
enum End {
    Passed,
    Failed,
    TimedOut,
}

impl End {
    fn word(self) -> &'static str {
        match self {
            End::Passed => "passed",
            End::Failed => "failed",
            End::TimedOut => "timed out",
        }
    }
}

/// Runs one test in a process of its own, with a bound on its memory: a mutant may ask for all of it. Seconds are those of the
/// processor, where the system tells them: a busy machine makes no test slow. One that waits for what never comes ends by the clock.
fn run(binary: &Binary, name: &str, variable: (&str, &str), seconds: f64) -> std::io::Result<(End, f64)> {
    let began = Instant::now();
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 8388608; exec \"$0\" \"$@\""])
        .arg(&binary.path)
        .args(["--exact", name, "--test-threads", "1"])
        .env(variable.0, variable.1)
        .current_dir(&binary.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let mut time = 0.0;
    loop {
        let by_clock = began.elapsed().as_secs_f64();
        // What has ended is still there to be asked, until it is waited for.
        time = processor_seconds(child.id()).unwrap_or(by_clock).max(time);
        if let Some(status) = child.try_wait()? {
            return Ok((if status.success() { End::Passed } else { End::Failed }, time));
        }
        if time > seconds || by_clock > 10.0 * seconds + 60.0 {
            // With the programs that it runs.
            Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status()?;
            child.wait()?;
            return Ok((End::TimedOut, time));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// What a process has taken of the processor, and those it has waited for: in /proc/PID/stat, in hundredths of a second, four numbers
/// from the twelfth after the name on, which stands in parentheses.
fn processor_seconds(id: u32) -> Option<f64> {
    let line = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields = line.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
    Some(fields.filter_map(|x| x.parse::<f64>().ok()).sum::<f64>() / 100.0)
}

/// Each test without a mutant. Those that fail read the sources, which are not what they were; they and the slowest are left out. What
/// is known from an earlier run with the same binaries is not tried again.
fn baseline(binaries: &[Binary], limits: &Limits, scratch: &Path) -> std::io::Result<Vec<Test>> {
    let (reached, log) = (scratch.join("reached.txt"), scratch.join("baseline.tsv"));
    let age = |path: &Path| path.metadata().and_then(|m| m.modified());
    let made = binaries.iter().map(|b| age(&b.path)).collect::<std::io::Result<Vec<_>>>()?;
    let known = if age(&log).is_ok_and(|time| made.iter().all(|m| *m < time)) {
        std::fs::read_to_string(&log)?
    } else {
        String::new()
    };
    std::fs::write(&log, &known)?;
    let mut log = std::fs::OpenOptions::new().append(true).open(&log)?;
    let known: BTreeMap<&str, &str> = known.lines().filter_map(|line| line.split_once('\t')).collect();
    let mut tests = Vec::new();
    for binary in binaries {
        let listed =
            Command::new(&binary.path).args(["--list", "--format", "terse"]).current_dir(&binary.folder).output()?;
        // Tests of two crates may have one name.
        let of = binary.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for name in String::from_utf8_lossy(&listed.stdout).lines().filter_map(|line| line.strip_suffix(": test")) {
            if !limits.tests.split(',').any(|part| name.contains(part)) {
                continue;
            }
            // With more patience a test that was too slow may end.
            let known = known.get(format!("{of} {name}").as_str()).filter(|line| {
                let seconds =
                    line.strip_prefix("timed out\t").and_then(|rest| rest.split('\t').next()?.parse::<f64>().ok());
                seconds.is_none_or(|s| s >= limits.slow)
            });
            let line = if let Some(line) = known {
                (*line).to_owned()
            } else {
                let _ = std::fs::remove_file(&reached);
                let (end, seconds) =
                    run(binary, name, ("NOSLIP_MUTANTS_REACHED", &reached.to_string_lossy()), limits.slow)?;
                let numbers = std::fs::read_to_string(&reached).unwrap_or_default().replace('\n', " ");
                let line = format!("{}\t{seconds:.2}\t{numbers}", end.word());
                writeln!(log, "{of} {name}\t{line}")?;
                line
            };
            let mut fields = line.split('\t');
            let (end, seconds, numbers) =
                (fields.next().unwrap_or(""), fields.next().unwrap_or(""), fields.next().unwrap_or(""));
            if end != End::Passed.word() {
                println!("left out, {end} in the copy without a mutant: {name}");
                continue;
            }
            let reached: BTreeSet<u32> = numbers.split(' ').filter_map(|n| n.parse().ok()).collect();
            if !reached.is_empty() {
                tests.push(Test {
                    binary: binary.clone(),
                    name: name.to_owned(),
                    seconds: seconds.parse().unwrap_or(limits.slow),
                    reached,
                });
            }
        }
    }
    tests.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    Ok(tests)
}

/// Switches each mutant on that has no result yet, and writes what came of it to the end of the file.
pub fn all(
    binaries: &[Binary],
    mutants: &[(u32, &str)],
    limits: &Limits,
    scratch: &Path,
    results: &Path,
) -> std::io::Result<()> {
    let tests = baseline(binaries, limits, scratch)?;
    println!("{} tests come by a mutant, {:.0} s together", tests.len(), tests.iter().map(|t| t.seconds).sum::<f64>());
    let known = read(results)?;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(results)?;
    for (id, key) in mutants {
        let open = known.get(*key).is_none_or(|(outcome, _)| limits.again && !is_caught(outcome));
        if !open {
            continue;
        }
        let (mut outcome, mut by) = ("not reached", String::new());
        let mut spent = 0.0;
        // Tests of the same file, then of the same room are more likely to notice.
        let source = key.split(':').next().unwrap_or_default();
        let (room, stem) = (source.split('/').next(), Path::new(source).file_stem().and_then(|x| x.to_str()));
        let far = |name: &str, part: Option<&str>| part.is_none_or(|part| !name.contains(part));
        let mut tests: Vec<&Test> = tests.iter().filter(|t| t.reached.contains(id)).collect();
        tests.sort_by_key(|t| (far(&t.name, stem), far(&t.name, room)));
        for test in tests {
            if spent + test.seconds > limits.seconds {
                outcome = "survived the tests there was time for";
                break;
            }
            let (end, seconds) =
                run(&test.binary, &test.name, ("NOSLIP_MUTANT", &id.to_string()), 3.0 * test.seconds + 10.0)?;
            spent += seconds;
            outcome = match end {
                End::Passed => "survived",
                End::Failed => "caught",
                End::TimedOut => "timed out",
            };
            if end != End::Passed {
                by.clone_from(&test.name);
                break;
            }
        }
        // Some of the tests say nothing about a mutant that they do not notice.
        if limits.tests.is_empty() || is_caught(outcome) {
            writeln!(file, "{key}\t{outcome}\t{by}\t{spent:.1}")?;
        }
    }
    Ok(())
}

fn is_caught(outcome: &str) -> bool {
    outcome == "caught" || outcome == "timed out"
}

/// The results: of each mutant the outcome and the test that noticed it. The last line counts.
pub fn read(results: &Path) -> std::io::Result<BTreeMap<String, (String, String)>> {
    let text = if results.exists() { std::fs::read_to_string(results)? } else { String::new() };
    let lines = text.lines().filter_map(|line| {
        let mut fields = line.split('\t').map(str::to_owned);
        Some((fields.next()?, (fields.next()?, fields.next()?)))
    });
    Ok(lines.collect())
}

/// The table of the rooms and the list of the survivors.
pub fn report(rooms: &[&str], mutants: &[(&str, &str)], results: &BTreeMap<String, (String, String)>) -> String {
    let mut out =
        String::from("| room | mutants | caught | by time | survived | score |\n|---|---:|---:|---:|---:|---:|\n");
    let outcomes = |room: Option<&str>| {
        let of_room = mutants.iter().filter(|(r, _)| room.is_none_or(|room| room == *r));
        of_room.filter_map(|(_, key)| results.get(*key)).map(|(outcome, _)| outcome.as_str()).collect::<Vec<_>>()
    };
    for room in rooms.iter().map(|room| Some(*room)).chain([None]) {
        let of_room = outcomes(room);
        let count = |outcome: &str| of_room.iter().filter(|o| **o == outcome).count();
        let (all, caught, late) = (of_room.len(), count("caught"), count("timed out"));
        let score = 100.0 * (caught + late) as f64 / all.max(1) as f64;
        let name = room.unwrap_or("together");
        let _ = writeln!(out, "| {name} | {all} | {caught} | {late} | {} | {score:.0} % |", all - caught - late);
    }
    out.push('\n');
    for (_, key) in mutants {
        if let Some((outcome, _)) = results.get(*key).filter(|(outcome, _)| !is_caught(outcome)) {
            let _ = writeln!(out, "{key} ({outcome})");
        }
    }
    out
}
