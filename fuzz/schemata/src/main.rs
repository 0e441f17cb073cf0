//! `fuzz/mutants`: mutation tests of the library, all mutants of a sample compiled at once.
//!
//! A copy of the workspace is rewritten so that every mutant of the sample stands in it behind a switch, an environment variable. It is
//! compiled once, not once for each mutant. Each test runs once, to see how long it takes and which mutants it comes by; then each
//! mutant is switched on for the tests that come by it, the quickest first, until one fails.

mod list;
mod rewrite;
mod run;

use list::Mutant;
use rewrite::{Rewritten, SWITCH, rewrite};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The rooms whose mutants should be caught.
const ROOMS: [&str; 6] = ["expr", "forms", "verify", "model", "simulate", "bodies"];

/// Where a room stands: expressions are a crate of their own, below the library.
fn home(room: &str) -> &'static str {
    if room == "expr" { GROUND } else { LIBRARY }
}

const GROUND: &str = "crates/noslip-expr/src";
const LIBRARY: &str = "crates/noslip/src";

/// What only tests use.
const FOR_TESTS: [&str; 1] = ["expr/readable/printed.rs"];

/// A mutant with its room and the words by which the results know it.
struct Candidate {
    room: &'static str,
    file: String,
    key: String,
    mutant: Mutant,
}

struct Arguments {
    /// Mutants of each room.
    sample: usize,
    /// The draws; several are compiled, and tried, together.
    seeds: Vec<u64>,
    /// What was compiled last, whatever the sources are now.
    built: bool,
    /// Only what would be drawn, for reading.
    list: bool,
    /// The tests of the program too.
    program: bool,
    limits: run::Limits,
}

const USAGE: &str = "usage: fuzz/mutants [--sample MUTANTS_OF_EACH_ROOM] [--seed N,N…] [--seconds FOR_EACH] [--slow SECONDS] [--built] [--list] [--program] [--again] [--tests PART_OF_A_NAME]";

fn arguments() -> Result<Arguments, String> {
    let mut a = Arguments {
        sample: 60,
        seeds: vec![1],
        built: false,
        list: false,
        program: false,
        limits: run::Limits { seconds: 120.0, slow: 60.0, again: false, tests: String::new() },
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--again" {
            a.limits.again = true;
            continue;
        }
        if word == "--built" {
            a.built = true;
            continue;
        }
        if word == "--program" {
            a.program = true;
            continue;
        }
        if word == "--list" {
            a.list = true;
            continue;
        }
        let value = words.next().ok_or(USAGE)?;
        match word.as_str() {
            "--sample" => a.sample = value.parse().map_err(|_| USAGE)?,
            "--seed" => a.seeds = value.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| USAGE)?,
            "--seconds" => a.limits.seconds = value.parse().map_err(|_| USAGE)?,
            "--slow" => a.limits.slow = value.parse().map_err(|_| USAGE)?,
            "--tests" => a.limits.tests = value,
            _ => return Err(USAGE.into()),
        }
    }
    Ok(a)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = arguments()?;
    let root = std::env::current_dir()?;
    let folder = root.join("target/mutants");
    let tree = folder.join("tree");
    let all = candidates(&root)?;
    if arguments.list {
        let dropped = dropped(&folder, &all);
        taken(&all, &dropped, &arguments).iter().for_each(|(_, c)| println!("{}", c.key));
        return Ok(());
    }
    let list = folder.join("binaries.txt");
    let (taken, dropped) = if arguments.built {
        let dropped = dropped(&folder, &all);
        (taken(&all, &dropped, &arguments), dropped.len())
    } else {
        copy(&root, &tree)?;
        let built = build(&root, &tree, &all, &arguments)?;
        std::fs::write(&list, binaries(&root, &tree, arguments.program)?.join("\n"))?;
        built
    };
    println!("{} mutants of {}, {dropped} more that do not compile", taken.len(), all.len());
    let binaries: Vec<run::Binary> = std::fs::read_to_string(&list)?
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(path, folder)| run::Binary { path: path.into(), folder: folder.into() })
        .collect();
    let seeds: Vec<String> = arguments.seeds.iter().map(u64::to_string).collect();
    let results = folder.join(format!("results-{}.tsv", seeds.join("-")));
    let named: Vec<(u32, &str)> = taken.iter().map(|(id, c)| (*id, c.key.as_str())).collect();
    run::all(&binaries, &named, &arguments.limits, &folder, &results)?;
    let rooms: Vec<(&str, &str)> = taken.iter().map(|(_, c)| (c.room, c.key.as_str())).collect();
    print!("{}", run::report(&ROOMS, &rooms, &run::read(&results)?));
    Ok(())
}

/// Copies what is tracked, or could be, and touches only files that differ: what did not change is not compiled again.
fn copy(root: &Path, tree: &Path) -> std::io::Result<()> {
    let listed = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(root).output()?;
    for name in String::from_utf8_lossy(&listed.stdout).lines() {
        let (from, to) = (root.join(name), tree.join(name));
        let Ok(kind) = from.symlink_metadata() else { continue };
        std::fs::create_dir_all(to.parent().unwrap_or(tree))?;
        if kind.is_symlink() {
            let _ = std::fs::remove_file(&to);
            std::os::unix::fs::symlink(std::fs::read_link(&from)?, &to)?;
        } else if !is_rewritten(name) {
            write(&to, &std::fs::read(&from)?)?;
        }
    }
    Ok(())
}

fn is_rewritten(name: &str) -> bool {
    ROOMS.iter().any(|room| name.starts_with(&format!("{}/{room}/", home(room))))
        || [GROUND, LIBRARY].iter().any(|folder| name == format!("{folder}/lib.rs"))
}

fn write(to: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if std::fs::read(to).is_ok_and(|there| there == bytes) { Ok(()) } else { std::fs::write(to, bytes) }
}

/// All mutants of the rooms.
fn candidates(root: &Path) -> Result<Vec<Candidate>, Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    for room in ROOMS {
        for path in sources(&root.join(home(room)).join(room))? {
            let file = path.strip_prefix(root)?.to_string_lossy().into_owned();
            let short = file.strip_prefix(home(room)).unwrap_or(&file).trim_start_matches('/');
            // A file that is a module of tests has `#[cfg(test)]` where it is declared, elsewhere.
            if short.contains("tests") || FOR_TESTS.contains(&short) {
                continue;
            }
            let text = std::fs::read_to_string(&path)?;
            for mutant in list::mutants(&text).map_err(|e| format!("{file}: {e}"))? {
                let key = format!("{short}:{}:{}: {}", mutant.line, mutant.column, mutant.what);
                all.push(Candidate { room, file: file.clone(), key, mutant });
            }
        }
    }
    Ok(all)
}

fn sources(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|x| x == "rs") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// FNV-1a, and its bits mixed once more: names that differ in one digit are far from each other.
fn hash(seed: u64, text: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut h = text.bytes().fold(start, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// Rewrites and compiles until no mutant is left that does not compile; the next of the draw take the places of those.
fn build<'a>(
    root: &Path,
    tree: &Path,
    all: &'a [Candidate],
    arguments: &Arguments,
) -> Result<(Vec<(u32, &'a Candidate)>, usize), Box<dyn std::error::Error>> {
    let folder = root.join("target/mutants");
    let mut dropped = dropped(&folder, all);
    loop {
        let taken = taken(all, &dropped, arguments);
        let files = rewrite_all(root, tree, &taken)?;
        let errors = errors(root, tree)?;
        if errors.is_empty() {
            return Ok((taken, dropped.len()));
        }
        let before = dropped.len();
        for (file, range, rendered) in &errors {
            let blamed = files.get(file).map(|f| f.blamed(range)).unwrap_or_default();
            if blamed.is_empty() {
                eprintln!("no mutant is to blame for:\n{rendered}");
            }
            dropped.extend(blamed.into_iter().map(|id| id as usize));
        }
        std::fs::write(
            folder.join("dropped.txt"),
            dropped.iter().map(|i| format!("{}\n", all[*i].key)).collect::<String>(),
        )?;
        println!("{} mutants do not compile", dropped.len());
        if dropped.len() == before {
            return Err("the copy does not compile".into());
        }
    }
}

/// What is known not to compile, and is not compiled in again.
fn dropped(folder: &Path, all: &[Candidate]) -> BTreeSet<usize> {
    let known = std::fs::read_to_string(folder.join("dropped.txt")).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().collect();
    (0..all.len()).filter(|i| known.contains(all[*i].key.as_str())).collect()
}

/// The first of each room in the order of each draw: by a hash of the name and the seed, so that a changed source changes little. The
/// rooms take turns, so that a run that is stopped early has tried all of them.
fn taken<'a>(all: &'a [Candidate], dropped: &BTreeSet<usize>, arguments: &Arguments) -> Vec<(u32, &'a Candidate)> {
    let mut taken: Vec<(u32, &Candidate)> = Vec::new();
    for &seed in &arguments.seeds {
        let mut drawn: Vec<usize> = (0..all.len()).filter(|i| !dropped.contains(i)).collect();
        drawn.sort_by_key(|&i| (hash(seed, &all[i].key), i));
        let mut left: BTreeMap<&str, usize> = ROOMS.iter().map(|room| (*room, arguments.sample)).collect();
        for i in drawn {
            let left = left.get_mut(all[i].room).filter(|left| **left > 0);
            if let Some(left) = left.filter(|_| !taken.iter().any(|(id, _)| *id == i as u32)) {
                *left -= 1;
                taken.push((i as u32, &all[i]));
            }
        }
    }
    taken
}

fn rewrite_all(
    root: &Path,
    tree: &Path,
    taken: &[(u32, &Candidate)],
) -> Result<BTreeMap<String, Rewritten>, Box<dyn std::error::Error>> {
    let mut of_files: BTreeMap<&str, Vec<(u32, &Mutant)>> = BTreeMap::new();
    for (id, c) in taken {
        of_files.entry(&c.file).or_default().push((*id, &c.mutant));
    }
    let mut written = BTreeMap::new();
    for room in ROOMS {
        for path in sources(&root.join(home(room)).join(room))? {
            let file = path.strip_prefix(root)?.to_string_lossy().into_owned();
            let source = std::fs::read_to_string(&path)?;
            let new = rewrite(&source, of_files.get(file.as_str()).map(Vec::as_slice).unwrap_or_default());
            write(&tree.join(&file), new.text.as_bytes())?;
            written.insert(file, new);
        }
    }
    // One switch for both crates: it stands in the lower one, and the rooms of both know it by the same name.
    for (folder, switch) in [(GROUND, "mod mutant;"), (LIBRARY, "use noslip_expr::mutant;")] {
        let library = format!("{folder}/lib.rs");
        let text = std::fs::read_to_string(root.join(&library))?;
        let text = format!("{text}\n#[doc(hidden)]\n#[allow(missing_docs)]\npub {switch}\n");
        write(&tree.join(&library), text.as_bytes())?;
    }
    write(&tree.join(GROUND).join("mutant.rs"), SWITCH.as_bytes())?;
    Ok(written)
}

/// `cargo test --no-run` in the copy; what it says, a line of JSON each. In a folder of its own: the copy's crates have the names of
/// the workspace's, and each would be compiled again after the other.
fn cargo(root: &Path, tree: &Path, targets: &[&str]) -> std::io::Result<Vec<serde_json::Value>> {
    let output = Command::new("cargo")
        .args(["test", "-p", "noslip-expr", "-p", "noslip", "--no-run", "--message-format=json", "--target-dir"])
        .arg(root.join("target/mutants/build"))
        .args(targets)
        .current_dir(tree)
        .stderr(Stdio::inherit())
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The errors of the compiler: file, range of bytes, and how it prints them.
fn errors(root: &Path, tree: &Path) -> std::io::Result<Vec<(String, std::ops::Range<usize>, String)>> {
    let mut errors = Vec::new();
    for line in cargo(root, tree, &["--lib"])? {
        let message = &line["message"];
        if message["level"] == "error" {
            for span in message["spans"].as_array().into_iter().flatten().filter(|s| s["is_primary"] == true) {
                let byte = |key: &str| span[key].as_u64().unwrap_or_default() as usize;
                let file = span["file_name"].as_str().unwrap_or_default().to_owned();
                errors.push((
                    file,
                    byte("byte_start")..byte("byte_end"),
                    message["rendered"].as_str().unwrap_or_default().to_owned(),
                ));
            }
        }
    }
    Ok(errors)
}

/// The test binaries of the library, and those of the program if they are asked for; each with the folder of its crate.
fn binaries(root: &Path, tree: &Path, program: bool) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let of_program: &[&str] = if program { &["-p", "noslip-cli", "--test", "cli"] } else { &[] };
    let lines = cargo(root, tree, &[&["--lib", "--test", "suite"], of_program].concat())?;
    let found: Vec<String> = lines
        .iter()
        .filter(|line| line["profile"]["test"] == true)
        .filter_map(|line| {
            let folder = Path::new(line["manifest_path"].as_str()?).parent()?;
            Some(format!("{}\t{}", line["executable"].as_str()?, folder.display()))
        })
        .collect();
    let expected = if program { 5 } else { 3 };
    if found.len() == expected {
        Ok(found)
    } else {
        Err(format!("{} test binaries instead of {expected}", found.len()).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOY: &str = "const N: usize = 1 + 1;
fn sign(x: i64) -> bool {
    let zeros = [0; 2 + 3];
    match x {
        1 => true,
        y if y > 0 => !zeros.is_empty(),
        _ => -x + 1 < 0,
    }
}
#[cfg(test)]
mod tests {
    fn f() -> usize { 1 + 2 }
}
";

    #[test]
    fn mutants_of_a_toy_are_listed_and_constants_and_tests_are_left_alone() {
        let found: Vec<String> =
            list::mutants(TOY).expect("it parses").iter().map(|m| format!("{} {}", m.line, m.what)).collect();
        let expected = [
            "2 sign returns true",
            "2 sign returns false",
            "5 arm 1 left out",
            "6 guard of y becomes true",
            "6 guard of y becomes false",
            "6 > becomes ==",
            "6 > becomes <",
            "6 > becomes >=",
            "6 ! left out",
            "7 < becomes ==",
            "7 < becomes >",
            "7 < becomes <=",
            "7 + becomes -",
            "7 + becomes *",
            "7 - left out",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_rewritten_toy_has_every_mutant_behind_its_switch() {
        let found = list::mutants(TOY).expect("it parses");
        let numbered: Vec<(u32, &Mutant)> = [0, 2, 3, 5, 9, 12, 14].map(|i| (i as u32, &found[i])).to_vec();
        let new = rewrite(TOY, &numbered);
        for part in [
            "-> bool { if crate::mutant::on(0) { return true; }",
            "1 if !crate::mutant::on(2) => true",
            "y if (crate::mutant::on(3) || ((if crate::mutant::on(5) { (y) == (0) } else { y > 0 }))) =>",
            "(if crate::mutant::on(9) { (-x + 1) == (0) } else { (if crate::mutant::on(12) { (-x) - (1) } else { \
             (if crate::mutant::on(14) { x } else { -x }) + 1 }) < 0 })",
        ] {
            assert!(new.text.contains(part), "{part}\nis not in\n{}", new.text);
        }
        syn::parse_file(&new.text).expect("it still parses");
        let at = new.text.find("(-x) - (1)").expect("a mutant");
        assert_eq!(new.blamed(&(at..at + 4)), [12]);
    }
}
