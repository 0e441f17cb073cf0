//! The documentation: what it shows runs and prints what it says; what is generated is up to date; links lead somewhere.
//!
//! In a block marked `console`, a line `$ noslip …` is run and the lines below it are what it prints (`…` alone on a line
//! stands for any lines, at the end of a line for its rest); `$ echo $?` shows the status of the command before. A block marked `toml` that begins with
//! `# file: NAME` is written to that file first; every block with `noslip = 1` must be a model that loads.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli book` writes what the program prints now into the pages.

use crate::program::{Folder, noslip, project};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

pub fn blessing() -> bool {
    std::env::var_os("NOSLIP_BLESS").is_some()
}

/// Every page: those at the root of the project and those of the book.
fn pages() -> Vec<PathBuf> {
    let root = ["README.md", "COMPARE.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "KNOWN_ISSUES.md", "CHANGELOG.md"];
    let mut pages: Vec<PathBuf> = root.iter().map(|f| project().join(f)).collect();
    let mut folders = vec![project().join("docs/src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|x| x == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A page as pieces: text, or a fenced block with its mark and lines.
enum Piece {
    Text(String),
    Block { mark: String, lines: Vec<String> },
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut list = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        match line.strip_prefix("```") {
            Some(mark) => {
                let body = lines.by_ref().take_while(|l| *l != "```").map(str::to_owned).collect();
                list.push(Piece::Block { mark: mark.to_owned(), lines: body });
            }
            None => list.push(Piece::Text(line.to_owned())),
        }
    }
    list
}

/// Words of a command line: `'…'` and `"…"` hold together.
pub fn words(line: &str) -> Vec<String> {
    let (mut list, mut word, mut quote, mut any) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '\'' | '"') => (quote, any) = (Some(c), true),
            (None, ' ') => {
                if any || !word.is_empty() {
                    list.push(std::mem::take(&mut word));
                }
                any = false;
            }
            _ => word.push(c),
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {line}");
    if any || !word.is_empty() {
        list.push(word);
    }
    list
}

/// Whether lines are as expected, where `…` stands for any lines, and at the end of a line for its rest.
pub fn alike(expected: &[String], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "…" => (0..=printed.len()).any(|i| alike(rest, &printed[i..])),
        Some((first, rest)) => {
            let begins = |line: &&str| first.strip_suffix('…').map_or(*line == first, |start| line.starts_with(start));
            printed.first().is_some_and(begins) && alike(rest, &printed[1..])
        }
    }
}

/// Runs the commands of a block; returns the block as it should be.
fn console(page: &Path, folder: &Folder, lines: &[String], status: &mut i32) -> Vec<String> {
    let mut result = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{}: not a command: {line}", page.display()));
        let end = after.iter().position(|l| l.starts_with("$ ")).unwrap_or(after.len());
        let expected = &after[..end];
        rest = &after[end..];
        let words = words(
            command
                .strip_prefix("cargo run --release -- ")
                .map_or(command.to_owned(), |c| format!("noslip {c}"))
                .as_str(),
        );
        let printed = match words[0].as_str() {
            "echo" => format!("{status}\n"),
            "noslip" => {
                let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
                let answer = folder.run(&args);
                *status = answer.status;
                answer.out + &answer.err
            }
            other => panic!("{}: `{other}` cannot be run by this test", page.display()),
        };
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        result.push(line.clone());
        if alike(expected, &printed) {
            result.extend(expected.iter().cloned());
        } else if blessing() {
            result.extend(printed.iter().map(|l| (*l).to_owned()));
        } else {
            let hint = "NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli book";
            panic!("{}: `{command}` prints\n{}\nIf that is right: {hint}", page.display(), printed.join("\n"));
        }
    }
    result
}

#[test]
fn everything_the_pages_show_runs_and_prints_what_they_say() {
    let mut commands = 0;
    for page in pages() {
        let text = read(&page);
        let folder = Folder::new();
        let mut status = 0;
        if text.contains("models/") {
            copy(&project().join("models"), &folder.path("models"));
        }
        let mut result = String::new();
        for piece in pieces(&text) {
            match piece {
                Piece::Text(line) => _ = writeln!(result, "{line}"),
                Piece::Block { mark, lines } => {
                    let lines = match mark.as_str() {
                        "console" => {
                            commands += lines.iter().filter(|l| l.starts_with("$ noslip")).count();
                            console(&page, &folder, &lines, &mut status)
                        }
                        "toml" | "json" | "tex" => {
                            block_file(&page, &folder, &mark, &lines);
                            lines
                        }
                        _ => lines,
                    };
                    let _ = writeln!(result, "```{mark}\n{}\n```", lines.join("\n"));
                }
            }
        }
        if blessing() && result != text {
            std::fs::write(&page, result).expect("writes");
        }
    }
    assert!(commands >= 20, "only {commands} commands were tried");
}

/// Writes a block to the file it names; a model must load.
fn block_file(page: &Path, folder: &Folder, mark: &str, lines: &[String]) {
    let text = lines.join("\n") + "\n";
    let first = lines.first().map_or("", String::as_str);
    let named = first.strip_prefix("# file: ").or_else(|| first.strip_prefix("% file: "));
    let name = named.unwrap_or(if mark == "json" { "states.json" } else { "block.toml" });
    folder.write(name, &text);
    if mark == "toml" && text.contains("noslip = 1") {
        let answer = folder.run(&["check", name]);
        assert_eq!(answer.status, 0, "{}: a model in it does not load:\n{}", page.display(), answer.err);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("lists") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(&path, &target).expect("copies");
        }
    }
}

/// Compares a generated page, or writes it.
#[track_caller]
fn generated(name: &str, text: &str) {
    let path = project().join("docs/src").join(name);
    if blessing() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("writes");
    }
    let hint = "NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli book";
    assert!(path.exists() && read(&path) == text, "{} is out of date: {hint}", path.display());
}

pub fn word<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_default()
}

/// The system on which every form is shown, so that they can be laid side by side.
const EXAMPLE: &str = "chaplygin-sledge-ahead";

/// When to use a form, where the book has advice, and its equations of the one example.
fn worked_example(id: &str) -> String {
    let advice = read(&project().join("docs/src/learn/choosing-a-form.md"));
    let mut page = String::from("\n## When to use it\n\n");
    let rows: Vec<&str> = advice.lines().filter(|l| l.starts_with('|') && l.contains(&format!("`{id}`"))).collect();
    assert!(!rows.is_empty(), "choosing-a-form.md does not say when to use `{id}`");
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let _ = writeln!(page, "- For {}: {}.", cells[0], cells[cells.len() - 1]);
    }
    let _ = writeln!(page, "\n[Choosing a form](../learn/choosing-a-form.md) lays the forms side by side.\n");
    let title = "Chaplygin sledge, centre of mass on the line of the blade";
    let _ = writeln!(page, "## An example\n\n![{title}](../gallery/{EXAMPLE}.svg)\n");
    let command = ["derive", EXAMPLE, "--form", id];
    let _ = writeln!(page, "```console\n$ noslip {}\n{}```", command.join(" "), noslip(&command).quiet());
    page
}

#[test]
fn the_pages_of_the_forms_say_what_the_code_says() {
    let list = noslip(&["forms", "--format", "json"]).json("forms");
    let mut index = String::from("# Forms of the equations of motion\n\n| form | needs |\n|---|---|\n");
    for form in list["forms"].as_array().expect("a list") {
        let id = word(form, "id");
        let v = noslip(&["explain", id, "--format", "json"]).json("explain");
        let _ = writeln!(index, "| [{}]({id}.md) | {} |", word(form, "name"), word(form, "needs"));
        let mut page = format!("# {}\n\n`--form {id}`", word(&v, "name"));
        for alias in v["aliases"].as_array().expect("a list") {
            let _ = write!(page, ", also `{}`", alias.as_str().unwrap_or_default());
        }
        let _ = write!(page, "\n\nNeeds: {}.\n\n{}", word(&v, "needs"), word(&v, "about"));
        page.push_str(&worked_example(id));
        generated(&format!("forms/{id}.md"), &page);
    }
    index.push_str("\n`noslip check` says which of them apply to a model, and why the others do not.\n");
    let notation = noslip(&["explain", "notation", "--format", "json"]).json("explain");
    let _ = write!(index, "\n## {}\n\n{}", word(&notation, "name"), word(&notation, "about").replace(".\n", ".  \n"));
    generated("forms/index.md", &index);
}

#[test]
fn the_glossary_of_the_book_is_the_one_of_the_program() {
    let mut page = String::from(
        "# Glossary\n\nThe words of the field that answers and pages use. `noslip explain WORD` prints each; on a page they are\n\
         underlined with dots, and tell what they mean when one points at them.\n",
    );
    let mut terms: Vec<_> = noslip::subjects::TERMS.iter().collect();
    terms.sort_by_key(|t| t.name.to_lowercase());
    for term in terms {
        let names: Vec<String> = std::iter::once(&term.id).chain(term.aliases).map(|w| format!("`{w}`")).collect();
        let _ = write!(page, "\n## {}\n\n{}\n\n{}", term.name, names.join(", "), markdown(term.about));
    }
    generated("reference/glossary.md", &page);
}

/// The parts of the gallery: a heading, and how the sources of its models begin. The last takes the rest.
const PARTS: [(&str, &str); 6] = [
    ("Soltakhanov, Yushkov and Zegzhda: Mechanics of non-holonomic systems", "Sh. Kh. Soltakhanov"),
    ("Greenwood: Advanced Dynamics", "D. T. Greenwood"),
    ("Talamucci: the Voronec equations", "F. Talamucci"),
    ("Sumbatov: Nonholonomic systems", "A. S. Sumbatov"),
    ("A textbook on modelling", "Textbook on modelling"),
    ("The wider field", ""),
];

/// Plain text for Markdown, in which a star would begin emphasis; what stands between backticks stays.
fn markdown(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts: Vec<String> =
        parts.map(|(i, p)| if i % 2 == 0 { p.replace('*', "\\*") } else { p.to_owned() }).collect();
    parts.join("`")
}

/// The address of a heading, as mdBook and others make it.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn expected(name: &str) -> Option<toml::Table> {
    let (_, text) = noslip_gallery::EXPECTED.iter().find(|(n, _)| *n == name)?;
    Some(text.parse().unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// What is known about a model, in words: the names of its expected results.
fn known(name: &str) -> Vec<String> {
    let Some(table) = expected(name) else { return Vec::new() };
    let results = table["result"].as_array().expect("results");
    results
        .iter()
        .map(|r| match r["kind"].as_str() {
            Some("growth_vector") => {
                let vector: Vec<String> =
                    r["value"].as_array().expect("ranks").iter().map(ToString::to_string).collect();
                format!("growth vector ({})", vector.join(", "))
            }
            Some("conserved") if r["id"].as_str() == Some("energy") => "conserved energy".to_owned(),
            _ => r["id"].as_str().expect("an id").to_owned(),
        })
        .collect()
}

#[test]
fn the_page_of_the_gallery_shows_every_model_with_its_picture_and_source() {
    let list = noslip(&["demo", "--format", "json"]).json("demo");
    let models = list["models"].as_array().expect("a list");
    let part =
        |m: &Value| PARTS.iter().position(|(_, start)| word(m, "source").starts_with(start)).expect("the last part");
    let mut page = String::from(
        "# Gallery\n\nThe models are built into the program: use a name in place of a file, `noslip report rolling-disk`.\n\
         `noslip demo NAME` prints the file, `noslip draw NAME` makes its picture: the system at one moment, where it has been\n\
         and, fainter, where it will go.\n",
    );
    let mut shown = 0;
    for (i, (title, _)) in PARTS.iter().enumerate() {
        let here: Vec<&Value> = models.iter().filter(|m| part(m) == i).collect();
        assert!(!here.is_empty(), "no model of {title}");
        let _ = write!(page, "\n**[{title}](#{})**\n\n| | | |\n|---|---|---|\n", anchor(title));
        for row in here.chunks(3) {
            for m in row {
                let (name, title) = (word(m, "name"), word(m, "title"));
                let _ = write!(page, "| [![{title}](gallery/{name}.svg)](#{})<br>{title} ", anchor(title));
                shown += 1;
            }
            page.push_str("|\n");
        }
    }
    assert_eq!(shown, models.len());
    for (i, (title, _)) in PARTS.iter().enumerate() {
        let _ = write!(page, "\n## {title}\n");
        for m in models.iter().filter(|m| part(m) == i) {
            let description = word(m, "description").split_whitespace().collect::<Vec<_>>().join(" ");
            let (name, title) = (word(m, "name"), word(m, "title"));
            let _ = write!(
                page,
                "\n### {title}\n\n![{title}](gallery/{name}.svg)\n\n`noslip report {name}`\n\n{}\n",
                markdown(&description)
            );
            let known = known(name);
            if !known.is_empty() {
                let _ = write!(page, "\nKnown, and tested: {}.\n", markdown(&known.join("; ")));
            }
            let _ = write!(page, "\nSource: {}.\n", word(m, "source").trim_end_matches('.'));
        }
    }
    generated("gallery.md", &page);
}

/// Other tools are not installed for the tests; whoever has them says where: `NOSLIP_PYTHON=python3`.
#[test]
fn snippets_of_other_tools_print_what_the_page_says() {
    let Some(python) = std::env::var_os("NOSLIP_PYTHON") else { return };
    let blocks: Vec<(String, String)> = pieces(&read(&project().join("COMPARE.md")))
        .into_iter()
        .filter_map(|p| match p {
            Piece::Block { mark, lines } => Some((mark, lines.join("\n"))),
            Piece::Text(_) => None,
        })
        .collect();
    let snippets = blocks.windows(2).filter(|b| b[0].0 == "python");
    let mut count = 0;
    for pair in snippets {
        assert_eq!(pair[1].0, "text", "what a snippet prints stands below it");
        let answer = std::process::Command::new(&python).arg("-c").arg(&pair[0].1).output().expect("Python starts");
        let printed = String::from_utf8_lossy(&answer.stdout);
        assert_eq!(printed.trim_end(), pair[1].1, "{}", String::from_utf8_lossy(&answer.stderr));
        count += 1;
    }
    assert_eq!(count, 5);
}

/// How a result is checked, in words.
fn checked(r: &toml::Value) -> String {
    let text = |key: &str| r.get(key).and_then(|v| v.as_str()).unwrap_or_default();
    let number = |key: &str| {
        let value = r.get(key).and_then(|v| v.as_float().or(v.as_integer().map(|i| i as f64)));
        value.map(|x| if x.abs() < 1e-3 { format!("{x:e}") } else { x.to_string() }).unwrap_or_default()
    };
    match text("kind") {
        "equation" => format!("exactly, `{}`", text("equation")),
        "conserved" => format!("exactly, `{}` is constant", text("expression")),
        "vanishes" => format!("`{}` is zero to {}", text("expression"), number("tolerance")),
        "value" => {
            let (tolerance, at) = (number("tolerance"), number("at"));
            format!("`{}` is `{}` at t = {at}, to {tolerance}", text("expression"), text("value"))
        }
        "range" => format!("`{}` stays between {} and {}", text("expression"), number("min"), number("max")),
        "reaches" => {
            let side = |key: &str| r.get(key).map(|_| format!("{key} {}", number(key)));
            let both: Vec<String> = side("below").into_iter().chain(side("above")).collect();
            format!("`{}` comes {}", text("expression"), both.join(" and "))
        }
        "growth_vector" => {
            let ranks: Vec<String> = r["value"].as_array().expect("ranks").iter().map(ToString::to_string).collect();
            format!("exactly, ({})", ranks.join(", "))
        }
        other => panic!("unknown kind `{other}`"),
    }
}

#[test]
fn the_page_of_known_results_says_what_is_tested_about_each_model() {
    let list = noslip(&["demo", "--format", "json"]).json("demo");
    let models = list["models"].as_array().expect("a list");
    let wider = |m: &Value| PARTS[..5].iter().all(|(_, start)| !word(m, "source").starts_with(start));
    let mut page = String::from(
        "# Known results\n\nWhat is known about the models, and what the tests hold them to: `models/expected`, read by the test\n\
         `every_known_result_comes_out`. *Exactly* means decided by algebra for every motion of the model, and checked along the one\n\
         simulated; the other results are those of the motion from the model's own initial state.\n",
    );
    for (title, outside) in [("The wider field", true), ("The examples of the documents", false)] {
        let _ = write!(page, "\n## {title}\n");
        for m in models.iter().filter(|m| wider(m) == outside) {
            let (name, title) = (word(m, "name"), word(m, "title"));
            let Some(table) = expected(name) else { continue };
            let source = table["source"].as_str().unwrap_or_else(|| panic!("models/expected/{name}.toml: no source"));
            let escaped = source.replace('*', "\\*");
            let _ = write!(page, "\n**[{title}](../gallery.md#{})**: {escaped}\n\n", anchor(title));
            for r in table["result"].as_array().expect("results") {
                let id = r["id"].as_str().expect("an id").replace('*', "\\*");
                let _ = writeln!(page, "- {id}: {}", checked(r));
            }
        }
    }
    generated("gallery/results.md", &page);
}

#[test]
fn links_between_the_pages_lead_somewhere_and_the_summary_lists_every_page() {
    let mut links = 0;
    for page in pages() {
        for piece in pieces(&read(&page)) {
            let Piece::Text(line) = piece else { continue };
            for part in line.split("](").skip(1) {
                let (target, anchor) = part.split(')').next().unwrap_or_default().split_once('#').unzip();
                let target = target.unwrap_or_else(|| part.split(')').next().unwrap_or_default());
                if target.contains("://") {
                    continue;
                }
                let path = if target.is_empty() { page.clone() } else { page.parent().expect("a folder").join(target) };
                assert!(path.exists(), "{}: the link to {target} leads nowhere", page.display());
                // What is not in the folder of the book is not in the book that is built from it.
                if let Ok(inside) = page.strip_prefix(project().join("docs/src")) {
                    let (depth, up) = (inside.components().count() - 1, target.matches("../").count());
                    assert!(up <= depth, "{}: the link to {target} leaves the book", page.display());
                }
                if let Some(anchor) = anchor {
                    let found = read(&path)
                        .lines()
                        .any(|l| l.starts_with('#') && self::anchor(l.trim_start_matches('#').trim()) == anchor);
                    assert!(found, "{}: no heading #{anchor} in {target}", page.display());
                }
                links += 1;
            }
        }
    }
    assert!(links > 30, "only {links} links were tried");
    let summary = read(&project().join("docs/src/SUMMARY.md"));
    let root = project().join("docs/src");
    for page in pages() {
        let Ok(name) = page.strip_prefix(&root) else { continue };
        let name = name.to_string_lossy().replace('\\', "/");
        assert!(name == "SUMMARY.md" || summary.contains(&format!("]({name})")), "SUMMARY.md does not list {name}");
    }
}
