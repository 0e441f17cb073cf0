//! Every way to go wrong: what is said about it, where, and with which status.
//!
//! `tests/refusals/*.txt` are transcripts, each in a folder of its own:
//!
//! ```text
//! # a remark
//! == sleigh.toml              a file with the lines below; a folder if the name ends with `/`
//! == other.toml: sleigh.toml  a file that begins with the text of another; ⟦50 × (⟧ stands for 50 parentheses
//! $ noslip check other.toml   what is run; below it its answer, where `…` stands for any lines, and its message
//! [2]                         the exit status
//! ```
//!
//! In a line of the message `…` stands for digits that depend on the machine.
//!
//! The bad models of the library (`crates/noslip/tests/diagnostics`) are run through the program as well.
//! `NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli refusals` writes what the program prints now into the transcripts.

use crate::book::{alike, blessing, words};
use crate::program::{Folder, project};
use std::path::{Path, PathBuf};

/// Files of a folder with this extension, by name.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = project().join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|x| x == extension));
    files.sort();
    files
}

fn transcripts() -> Vec<PathBuf> {
    files("crates/noslip-cli/tests/refusals", "txt")
}

fn fixtures() -> Vec<PathBuf> {
    files("crates/noslip/tests/diagnostics", "toml")
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The head of a bad model: `# error LINE:COLUMN: message`, `# help: hint`.
fn head(text: &str) -> Vec<&str> {
    let marks = ["# error ", "# warning ", "# help: "];
    text.lines().take_while(|l| marks.iter().any(|m| l.starts_with(m))).collect()
}

/// One piece of a transcript.
enum Piece {
    /// A remark or an empty line.
    Aside(String),
    /// A file, the one it begins with, and its lines.
    File { name: String, base: Option<String>, lines: Vec<String> },
    /// A command, what it prints, and its status.
    Run { command: String, printed: Vec<String>, status: i32 },
}

fn pieces(path: &Path) -> Vec<Piece> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines().peekable();
    let mut list = Vec::new();
    while let Some(line) = lines.next() {
        if let Some(head) = line.strip_prefix("== ") {
            let (name, base) = match head.split_once(": ") {
                Some((name, base)) => (name.to_owned(), Some(base.to_owned())),
                None => (head.to_owned(), None),
            };
            let mut body = Vec::new();
            while let Some(line) = lines.next_if(|l| !l.starts_with("== ") && !l.starts_with("$ ")) {
                body.push(line.to_owned());
            }
            list.push(Piece::File { name, base, lines: body });
        } else if let Some(command) = line.strip_prefix("$ noslip") {
            let status = |l: &str| l.strip_prefix('[')?.strip_suffix(']')?.parse::<i32>().ok();
            let mut printed = Vec::new();
            let status = loop {
                let line =
                    lines.next().unwrap_or_else(|| panic!("{}: `noslip{command}` has no status", path.display()));
                match status(line) {
                    Some(status) => break status,
                    None => printed.push(line.to_owned()),
                }
            };
            list.push(Piece::Run { command: command.to_owned(), printed, status });
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{}: what is `{line}`?", path.display());
            list.push(Piece::Aside(line.to_owned()));
        }
    }
    list
}

/// Replaces ⟦50 × (⟧ by fifty parentheses.
fn repeated(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('⟦') {
        let (inside, after) = after.split_once('⟧').expect("a repetition is closed");
        let (count, what) = inside.split_once(" × ").expect("a repetition is ⟦50 × (⟧");
        out.push_str(before);
        out.push_str(&what.repeat(count.parse().expect("how often")));
        rest = after;
    }
    out + rest
}

/// Whether this is what is printed: the message whole, beside it what it wants.
fn as_expected(expected: &[String], out: &[String], err: &[String]) -> bool {
    let Some(beside) = expected.len().checked_sub(err.len()) else { return false };
    let out: Vec<&str> = out.iter().map(String::as_str).collect();
    alike(&expected[..beside], &out) && expected[beside..].iter().zip(err).all(|(e, line)| matches(e, line))
}

/// Whether a line is as expected, where `…` stands for digits that depend on the machine.
fn matches(expected: &str, line: &str) -> bool {
    let number = |c: char| c.is_ascii_digit() || ".-+e".contains(c);
    let mut parts = expected.split('…');
    let mut rest = parts.next().and_then(|first| line.strip_prefix(first));
    for part in parts {
        rest = rest.and_then(|r| r.trim_start_matches(number).strip_prefix(part));
    }
    expected == line || rest == Some("")
}

/// Runs a transcript; returns it as it should be, and what differs.
fn run(path: &Path) -> (String, Vec<String>) {
    let folder = Folder::new();
    let (mut text, mut wrong) = (String::new(), Vec::new());
    for piece in pieces(path) {
        match piece {
            Piece::Aside(line) => text.push_str(&format!("{line}\n")),
            Piece::File { name, base, lines } => {
                let mut content = base.as_ref().map_or(String::new(), |b| folder.read(b));
                content.push_str(&repeated(&lines.iter().map(|l| format!("{l}\n")).collect::<String>()));
                match name.strip_suffix('/') {
                    Some(name) => std::fs::create_dir_all(folder.path(name)).expect("a folder"),
                    None => folder.write(&name, content),
                }
                let base = base.map_or(String::new(), |b| format!(": {b}"));
                text.push_str(&format!("== {name}{base}\n"));
                lines.iter().for_each(|l| text.push_str(&format!("{l}\n")));
            }
            Piece::Run { command, printed, status } => {
                let arguments = words(&repeated(&command));
                let answer = folder.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
                if !["error: ", "warning: ", "note: "].iter().any(|s| answer.err.starts_with(s)) {
                    wrong.push(format!("{}: nothing is said against `noslip{command}`", name(path)));
                }
                let lines = |text: &str| text.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<String>>();
                let (out, err) = (lines(&answer.out), lines(&answer.err));
                let fine = status == answer.status && as_expected(&printed, &out, &err);
                // What is answered beside the message is left out, unless a hand puts it in.
                let answered = if out.is_empty() { None } else { Some("…".to_owned()) };
                let shown = if fine { printed } else { answered.into_iter().chain(err).collect() };
                let shown: String = shown.iter().map(|l| format!("{l}\n")).collect();
                let shown = format!("$ noslip{command}\n{shown}[{}]\n", answer.status);
                if !fine && !blessing() {
                    wrong.push(format!("{}:\n{shown}", name(path)));
                }
                text.push_str(&shown);
            }
        }
    }
    (text, wrong)
}

/// Everything the program is known to say against its input, line by line.
pub fn said() -> Vec<String> {
    let mut lines = Vec::new();
    for path in transcripts() {
        for piece in pieces(&path) {
            if let Piece::Run { printed, .. } = piece {
                lines.extend(printed);
            }
        }
    }
    for path in fixtures() {
        let bytes = std::fs::read(&path).expect("a fixture");
        lines.extend(head(&String::from_utf8_lossy(&bytes)).into_iter().map(str::to_owned));
    }
    lines
}

#[test]
fn every_transcript_is_what_the_program_says() {
    let paths = transcripts();
    assert!(paths.len() > 5, "transcripts");
    let threads: Vec<_> = paths.into_iter().map(|p| std::thread::spawn(move || (run(&p), p))).collect();
    let mut wrong = Vec::new();
    for thread in threads {
        let ((text, differences), path) = thread.join().expect("ran");
        if blessing() {
            std::fs::write(&path, text).expect("writes");
        }
        wrong.extend(differences);
    }
    let hint = "NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli refusals";
    assert!(wrong.is_empty(), "printed:\n{}\nIf that is right: {hint}", wrong.join("\n"));
}

/// What `noslip check` prints, in the notation of the fixtures.
fn in_short(printed: &str) -> Vec<String> {
    let mut short: Vec<String> = Vec::new();
    for line in printed.lines() {
        if let Some((severity, message)) = line.split_once(": ").filter(|(s, _)| ["error", "warning"].contains(s)) {
            short.push(format!("# {severity} -: {message}"));
        } else if let Some(place) = line.trim_start().strip_prefix("--> m.toml:") {
            let last = short.last_mut().expect("a message");
            *last = last.replacen(" -:", &format!(" {place}:"), 1);
        } else if let Some(help) = line.trim_start().strip_prefix("= help: ") {
            short.push(format!("# help: {help}"));
        }
    }
    short
}

#[test]
fn every_bad_model_of_the_library_is_refused_by_the_program_at_the_same_place_with_the_same_words() {
    let files = fixtures();
    assert!(files.len() >= 122, "{} fixtures", files.len());
    let folder = Folder::new();
    for path in files {
        let bytes = std::fs::read(&path).expect("a fixture");
        let text = String::from_utf8_lossy(&bytes);
        let expected = head(&text);
        folder.write("m.toml", &bytes);
        let answer = folder.run(&["check", "m.toml"]);
        assert_eq!(in_short(&answer.err), expected, "{}\n{}", name(&path), answer.err);
        let refused = expected.iter().any(|l| l.starts_with("# error "));
        assert_eq!(answer.status != 0, refused, "{}: {answer:?}", name(&path));
    }
}
