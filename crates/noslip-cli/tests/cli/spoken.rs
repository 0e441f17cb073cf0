//! Nothing is said against the input that no transcript shows.
//!
//! The sources are read for the words of errors, hints, refusals and warnings: the string literals in the calls that make
//! them, and in the variables that are handed to such calls. Every one must be met by a line of the transcripts or of the
//! bad models (see `refusals`), where what stands in braces may be anything.

use crate::program::project;
use crate::refusals::said;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What the program cannot be brought to say, and why: by its words, or by the place of all that is said there.
const UNREACHABLE: &[(&str, &str)] = &[
    ("crates/noslip-cli/src/parquet/read.rs", "why a part is no Parquet file: it was written by the program itself"),
    // Reasons that become part of an answer.
    ("crates/noslip-expr/src/expr/normal/", "why there is no normal form: whoever asks goes on without one"),
    ("crates/noslip-expr/src/expr/poly/", "the same"),
    ("crates/noslip/src/verify/agreement.rs", "the reason of a verdict, part of the answer of `derive`"),
    (
        "crates/noslip/src/compile/linear.rs",
        "why the accelerations have no straight-line code: then they are solved for",
    ),
    ("crates/noslip/src/compile/jet.rs", "why there is no Taylor series: the run ends as not finite"),
    ("no motion in quasi-velocities: {why}", "then the motion is that of the coordinates"),
    ("stopped at t = {t}: `{name}` crosses zero", "an answer of `simulate`"),
    ("the substitution is for two degrees of freedom, here there are {}", "an answer of `hamiltonise`"),
    ("crates/noslip-expr/src/error.rs", "remedies in the words of the library: the program names its options"),
    (
        "the potential energy depends on `{q}`; its force does not, so that Chaplygin's equations hold all the same",
        "an answer of `check`",
    ),
    (
        "so it is at four states where they hold, to eight digits; no proof was found",
        "where no point of a prime field lies on the conditions of contact: no model is known that gets there",
    ),
    // Why a page has no sliders: it stands on the page.
    ("crates/noslip/src/simulate/playable.rs", "on the page, under the animation"),
    (
        "the equations take {} operations each time, more than the {PLAYED} that a page computes",
        "on the page, under the animation",
    ),
    // Folders of sweeps that only other programs or another sweep leave behind: `sweep.rs` makes them.
    ("cannot make the folder `{}`: {e}", "see `sweep.rs`"),
    ("`{}` has parts but no manifest", "the same"),
    ("give another folder", "the same"),
    ("give another folder, or the options of that sweep", "the same"),
    ("is not JSON", "the same"),
    ("is of another sweep: `{key}` differs", "the same"),
    ("warning: `{}` is not what the manifest says: it is made again", "the same"),
    ("the expression takes {size} bytes in print, more than the limit of {}", "within answers: tests/cli/derive.rs"),
    ("it can be evaluated and simulated; to print it, print its parts, or raise the limit `printed_bytes`", "the same"),
    ("what the equations are made of is left out: {}", "of the bicycle by hand: tests/cli/derive.rs"),
    ("no point of the sweep has an initial state that the constraints allow", "each point is completed by itself"),
    // What no command asks for.
    ("the system on this bench has no model file, so no names to read with", "commands put models on the bench"),
    ("crates/noslip/src/compile/emit.rs", "`export` hands over a regular state and the tables of the model"),
    ("crates/noslip/src/compile/explain.rs", "it tells why a self-test fails"),
    ("crates/noslip/src/simulate/ensemble.rs", "no command runs ensembles"),
    ("cancelled at t = {t}", "no command cancels a run"),
    ("a contact needs constraints of the model", "the program looks up their names"),
    ("a law of friction has one force per coordinate", "the program gives them by coordinates"),
    ("times must be finite numbers", "the command line takes no others"),
    ("expression of {} bytes; the limit is {}", "files and command lines are shorter"),
    ("the file has {} bytes; the limit is {}", "the program reads no more"),
    ("measured data belongs into tables with fewer points", "the same"),
    ("no real state was found that decides it, near or far", "states are enclosed where they exist"),
    ("neither the prime field nor real states decide its roots", "the same"),
    // Reasons and failures of steady motions that no model here meets.
    ("the rates are not finite here", "a point that Newton's method tries, and leaves"),
    ("the inertia is singular here", "the same"),
    ("the quasi-velocities do not describe the motion here", "the same"),
    ("a holonomic constraint cannot be solved for the tied coordinate here", "the coordinate was chosen for it"),
    ("the tied coordinate cannot be followed here", "the same"),
    ("the eigenvalues could not be computed at this state", "the iteration of nalgebra converges"),
    ("the eigenvalues could not be computed at a steady motion", "the same"),
    ("the inertia is singular everywhere", "the bench refuses such a model before"),
    ("no choice of independent velocities is regular", "independent constraints have one"),
    ("a search for integrals does not apply: no admissible state could be drawn", "affine constraints have states"),
    ("crates/noslip/src/motions/measure.rs", "the reason of an answer, told by `measure`"),
    // Paths that are not found.
    ("the growth vector is not decided", "models here are decided, by formulas or at a point"),
    ("give positions nearer to each other", "where the brackets span everywhere a path is found"),
    ("the fields are not finite everywhere: give [quasi_velocities] in which they are", "the same"),
    ("the path that was found could not be followed again", "it was followed before"),
    ("a holonomic constraint loses rank at the initial state", "completing the initial state refuses before"),
    ("constraints and momenta do not determine the motion in the group", "generators are what the constraints leave"),
    ("no random shape was found at which the constraints have values", "constraints have values at generic points"),
    ("a neighbour of the motion is lost at t = {to}", "it would have to grow beyond all numbers between two renewals"),
    ("renew the neighbours more often", "the same"),
    ("the equations for a periodic motion could not be solved", "the least-squares solution exists"),
    ("the motion leaves the range of numbers", "its steps become too small before"),
    // Operators of groups: what no model here meets.
    ("the operators do not span the velocities that the constraints allow", "a minor that is not zero has an inverse"),
    ("the operators are dependent on the finite constraints only", "those of a group are so everywhere"),
    ("the parameters of the operators are not determined by the velocities", "the least of them are"),
    ("the operators have no value at a generic position", "operators of a model have"),
    // Contacts that switch: what no model here meets.
    ("no consistent set of contacts was found at t = {}", "contacts of a model here change one by one"),
    ("several contacts change at once, and rigid bodies do not say how", "the same"),
    ("more than {MOST_SWITCHES} switches until t = {}", "a run so long is no transcript"),
    ("run for a shorter time", "the same"),
    ("the impact at t = {} is not determined", "the masses of a model here are regular"),
    ("masses and constraints are too few, or depend on each other there", "the same"),
    ("{needed} holonomic relations are", "as with one"),
    ("the constraints cannot be solved for velocities", "redundant ones can, where they do not contradict each other"),
    // Reasons that become part of the answers of `principle --family` and `hamiltonise`.
    ("the kinetic energy is not homogeneous in the velocities", "an answer of `principle --family`"),
    ("time occurs in the energies", "the same"),
    ("constraint `{name}` is not homogeneous of degree 1 in the velocities and free of time", "the same"),
    ("a member leaves the region in which the energy suffices", "the same"),
    ("there are forces beside the Lagrangian", "an answer of `hamiltonise`"),
    (
        "the energy with the constraints inserted is degenerate",
        "a quadratic form with a root of it beside is regular here",
    ),
    ("no state was found at which the momenta could be looked at", "states of a cone are drawn inside it"),
    // What would be a mistake in noslip itself.
    ("these forms do not agree with Lagrange's equations: {}", "they do"),
    ("form `{}` has {} equations for {m} unknowns", "forms have as many"),
    ("no choice of dependent velocities is regular", "independent constraints have one"),
    ("the velocities have no closed form", "they have been found before"),
    ("the multiplier is not known in closed form", "it has been found before"),
    ("an empty motion", "a motion has samples"),
    ("α has no closed form", "it has been found before"),
    ("the constraints cannot be solved for these velocities", "their columns were chosen for being independent"),
    ("the quasi-velocities are no coordinates there", "a run changes its chart before"),
    ("the linear equations for the accelerations", "they have just been solved"),
    ("`{}` is not a parameter with a value", "the program asks for parameters of the model"),
    ("the value of `{}` cannot be computed", "the loader refuses circles"),
    ("`{}` is neither an input nor a parameter with a value", "expressions of a model have no other symbols"),
    ("`{}` is twice among the inputs", "inputs are the state"),
    ("the value of `{}` is not a finite number", "the loader and `--set` refuse such parameters"),
    ("nobody evaluates the table `{}`", "tables of a model are evaluated"),
    ("an expression divides by zero", "the parser refuses to"),
    ("no generic position could be drawn", "one can, or the question has been refused before"),
    // What takes more than a test has.
    ("the work allowed for all forms together is used up", "some twenty seconds"),
    ("to print it takes more than is left of the work allowed", "megabytes of print"),
    ("ask for it by itself, or give --effort high", "the same"),
    ("more effort goes on for longer", "the derivation of one form of a model with dozens of coordinates"),
    ("compiled code of more than {limit} operations", "minutes"),
    ("raise the limit `tape_operations`, or give values to the parameters", "the same"),
    ("compiled code that keeps {} values at once", "minutes"),
    ("{ADDRESSES} can be addressed; compile fewer outputs at a time", "the same"),
    ("it may jump, and no motion from the initial state could be followed", "one can, where the claim has a value"),
    // Readers of other languages.
    ("it cannot be read", "a refusal has its reasons"),
    ("an equation in the model's own syntax needs no reader", "the program does not ask for one"),
    ("the model `{name}` cannot be used", "its own errors are told instead"),
    ("brackets nested deeper than {DEPTH}", "told in the report on the file, which the transcript leaves out"),
    ("`\\{name}` is a command of the author that is not read", "the same"),
    ("write it out: read are commands without arguments, defined once, that stand for factors", "the same"),
    // Where there is no C compiler, or one that refuses plain C99, and folders that are gone in between.
    ("the library of the FMU cannot be built: {e}", "the folder for temporary files has gone"),
    ("`{compiler}` refuses the code of the FMU", "compilers take it"),
    (
        "warning: no C compiler is at hand: the FMU holds sources, and no library for this machine",
        "court::an_fmu_without_a_compiler",
    ),
    ("the page `{name}` cannot be written: {e}", "it is written to memory"),
    // What other tests show.
    (
        "{which} is violated by {size:.1e} at t = {t} and cannot be restored",
        "regressions::the_discrete_method_ends_at_a_singularity",
    ),
    ("cannot write to standard output: {e}", "a disk is full: models::a_full_disk_is_an_error"),
    ("there is no studio beside this program", "studio::the_studio_is_found_beside_the_program_or_in_share"),
    (
        "archives of the program have it; in the sources `crates/noslip-web/build` makes it; elsewhere give --from STUDIO.html",
        "the same",
    ),
    ("`{name}` is not text in UTF-8", "studio::a_model_that_is_no_text_is_refused"),
    ("there is no such file", "said to callers without a disk: a test of the library half shows it"),
    ("θ is not found in closed form", "a part of the answer of `hamiltonise`, for inertias the gallery does not have"),
    ("the equation of the paths is not solved in closed form", "the same"),
    ("check the permissions of the file and its folders", "models::a_file_that_may_not_be_read_is_refused"),
];

/// What makes errors, and the functions that take the words.
const MAKERS: [&str; 3] = ["Error", "NameError", "Failure"];
const KINDS: [&str; 5] = ["new", "input", "not_applicable", "limit", "computation"];
/// Functions and variants whose arguments are words for the user.
const SPEAKERS: [&str; 14] = [
    "Err",
    "map_err",
    "ok_or",
    "ok_or_else",
    "inverse_or",
    "complain",
    "refuse",
    "wrong",
    "hint",
    "label",
    "with_help",
    "undecided",
    "DoesNotApply",
    "not_applicable",
];
/// Variables that hold such words.
const HOLDERS: [&str; 3] = ["message", "hint", "why"];
/// Functions that put such words together.
const COMPOSERS: [&str; 6] = ["describe", "ending", "fmt", "hint", "nowhere_defined", "unknown"];

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

/// Reads Rust: words, texts and signs, with their lines.
fn tokens(source: &str) -> Vec<(Token, usize)> {
    let chars: Vec<char> = source.chars().collect();
    let (mut list, mut i, mut line) = (Vec::new(), 0, 1);
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    while i < chars.len() {
        let c = chars[i];
        let start = line;
        if c == '\n' {
            line += 1;
            i += 1;
        } else if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == 'r' && (at(i + 1) == '"' || (at(i + 1) == '#' && "#\"".contains(at(i + 2)))) {
            let hashes = chars[i + 1..].iter().take_while(|c| **c == '#').count();
            let end: String = std::iter::once('"').chain(std::iter::repeat_n('#', hashes)).collect();
            let from = i + 2 + hashes;
            let rest: String = chars[from..].iter().collect();
            let text = rest.split(&end).next().unwrap_or_default();
            line += text.matches('\n').count();
            i = from + text.chars().count() + end.len();
            list.push((Token::Text(text.to_owned()), start));
        } else if c == '"' {
            let mut text = String::new();
            i += 1;
            while at(i) != '"' {
                if at(i) == '\\' {
                    i += 1;
                    match at(i) {
                        'n' => text.push('\n'),
                        '\n' => {
                            line += 1;
                            while at(i + 1).is_whitespace() {
                                i += 1;
                            }
                        }
                        other => text.push(other),
                    }
                } else {
                    line += usize::from(at(i) == '\n');
                    text.push(at(i));
                }
                i += 1;
            }
            i += 1;
            list.push((Token::Text(text), start));
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            // A character; a single quote without a second is a lifetime.
            i += 2 + usize::from(at(i + 1) == '\\');
            while at(i) != '\'' {
                i += 1;
            }
            i += 1;
        } else if c.is_alphanumeric() || c == '_' {
            let word: String = chars[i..].iter().take_while(|c| c.is_alphanumeric() || **c == '_').collect();
            i += word.chars().count();
            list.push((Token::Word(word), start));
        } else {
            if !c.is_whitespace() {
                list.push((Token::Sign(c), start));
            }
            i += 1;
        }
    }
    list
}

/// The index behind the piece of code that begins at `from` and ends before a sign of `ends` outside of brackets.
fn end(list: &[(Token, usize)], from: usize, ends: &str) -> usize {
    let mut depth = 0;
    for (i, (token, _)) in list.iter().enumerate().skip(from) {
        if let Token::Sign(c) = token {
            if depth == 0 && (ends.contains(*c) || ")]}".contains(*c)) {
                return i;
            }
            depth += i32::from("([{".contains(*c)) - i32::from(")]}".contains(*c));
        }
    }
    list.len()
}

/// Takes out what is compiled for tests only.
fn without_tests(list: Vec<(Token, usize)>) -> Vec<(Token, usize)> {
    let mark: Vec<Token> = tokens("#[cfg(test)]").into_iter().map(|(t, _)| t).collect();
    let mut kept = Vec::new();
    let mut i = 0;
    while i < list.len() {
        if list[i..].len() >= mark.len() && list[i..].iter().zip(&mark).all(|((t, _), m)| t == m) {
            let open = end(&list, i + mark.len(), ";{");
            i = if list.get(open).is_some_and(|(t, _)| *t == Token::Sign('{')) {
                end(&list, open + 1, "}") + 1
            } else {
                open + 1
            };
        } else {
            kept.push(list[i].clone());
            i += 1;
        }
    }
    kept
}

/// The fixed parts of a message; braces hold what varies.
fn parts(line: &str) -> Vec<String> {
    let doubled = line.replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = vec![String::new()];
    let mut inside = false;
    for c in doubled.chars() {
        match c {
            '{' => inside = true,
            '}' => {
                inside = false;
                parts.push(String::new());
            }
            _ if inside => {}
            '\u{1}' => parts.last_mut().expect("one").push('{'),
            '\u{2}' => parts.last_mut().expect("one").push('}'),
            c => parts.last_mut().expect("one").push(c),
        }
    }
    parts.retain(|p| !p.is_empty());
    parts
}

/// More than a word: names of keys and units are not messages.
fn is_prose(line: &str) -> bool {
    let long = |word: &str| word.chars().filter(|c| c.is_alphabetic()).count() >= 4;
    line.contains(' ') && parts(line).iter().any(|p| p.split(' ').any(long))
}

fn sources() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["crates/noslip-expr/src", "crates/noslip/src", "crates/noslip-cli/src"]
        .iter()
        .map(|f| project().join(f))
        .collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                folders.push(path);
            } else if path.extension().is_some_and(|x| x == "rs") && name != "tests" {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A message as the source has it, and where.
struct Spoken {
    words: String,
    place: String,
}

/// The messages of a source file, and places where an error is made of words that are not there.
fn spoken(path: &Path) -> (Vec<Spoken>, Vec<String>) {
    let source = std::fs::read_to_string(path).expect("a source");
    let list = without_tests(tokens(&source));
    let name = path.strip_prefix(project()).expect("of the project").to_string_lossy().replace('\\', "/");
    let word = |i: usize| match list.get(i) {
        Some((Token::Word(w), _)) => w.as_str(),
        _ => "",
    };
    let sign = |i: usize, c: char| matches!(list.get(i), Some((Token::Sign(s), _)) if *s == c);
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    let mut mute = Vec::new();
    for i in 0..list.len() {
        let called = sign(i + 1, '(') && word(i.wrapping_sub(1)) != "fn";
        let made = called && i >= 3 && sign(i - 1, ':') && MAKERS.contains(&word(i - 3)) && KINDS.contains(&word(i));
        if made || (called && SPEAKERS.contains(&word(i))) {
            ranges.push((i + 2, end(&list, i + 2, ")")));
        } else if HOLDERS.contains(&word(i)) && sign(i + 1, '=') && !sign(i + 2, '=') {
            ranges.push((i + 2, end(&list, i + 2, ";")));
        } else if HOLDERS.contains(&word(i)) && sign(i + 1, ':') && !sign(i + 2, ':') {
            ranges.push((i + 2, end(&list, i + 2, ",|")));
        } else if word(i) == "fn" && COMPOSERS.contains(&word(i + 1)) {
            let body = end(&list, i + 2, "{");
            ranges.push((body + 1, end(&list, body + 1, "}")));
        }
        if made {
            let inside = &list[i + 2..end(&list, i + 2, ")")];
            let said = inside.iter().any(|(t, _)| match t {
                Token::Text(text) => {
                    let held = HOLDERS.iter().any(|h| text.contains(&format!("{{{h}}}")));
                    held || parts(text).iter().any(|p| p.replace("error:", "").contains(char::is_alphabetic))
                }
                Token::Word(w) => HOLDERS.contains(&w.as_str()) || COMPOSERS.contains(&w.as_str()),
                Token::Sign(_) => false,
            });
            if !said {
                mute.push(format!("{name}:{}", list[i].1));
            }
        }
    }
    let inside: BTreeSet<usize> = ranges.into_iter().flat_map(|(from, to)| from..to).collect();
    let mut all = Vec::new();
    for i in inside {
        if let (Token::Text(text), line) = &list[i] {
            let lines = text.split('\n').map(|l| l.trim().trim_start_matches("= help: ").trim_start_matches("error: "));
            for words in lines.filter(|l| is_prose(l)) {
                all.push(Spoken { words: words.to_owned(), place: format!("{name}:{line}") });
            }
        }
    }
    (all, mute)
}

/// Whether a line is this message with something in its gaps.
fn meets(line: &str, parts: &[String]) -> bool {
    let mut rest = line;
    parts.iter().all(|p| match rest.split_once(p.as_str()) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn everything_that_can_be_said_against_the_input_is_in_a_transcript() {
    let lines = said();
    let (mut count, mut unmet, mut mute, mut excused) = (0, Vec::new(), Vec::new(), BTreeSet::new());
    let mut of_the_program = Vec::new();
    for path in sources() {
        let (all, silent) = spoken(&path);
        mute.extend(silent);
        for s in all {
            count += 1;
            // The library has callers that have no options.
            if !s.place.starts_with("crates/noslip-cli/") && s.words.contains("--") {
                of_the_program.push(format!("{}: {}", s.place, s.words));
            }
            let parts = parts(&s.words);
            let met = lines.iter().any(|l| meets(l, &parts));
            let excuse =
                UNREACHABLE.iter().position(|(what, _)| *what == s.words || (!met && s.place.starts_with(what)));
            match (met, excuse) {
                (true, Some(_)) => unmet.push(format!("{}: is met, and need not be excused: {}", s.place, s.words)),
                (false, None) => unmet.push(format!("{}: {}", s.place, s.words)),
                (false, Some(i)) => _ = excused.insert(i),
                (true, None) => {}
            }
        }
    }
    for (i, (words, _)) in UNREACHABLE.iter().enumerate().filter(|(i, _)| !excused.contains(i)) {
        unmet.push(format!("excuse {i}: no source says: {words}"));
    }
    assert!(count > 500, "only {count} messages were found");
    assert!(of_the_program.is_empty(), "options of the program in words of the library: {of_the_program:#?}");
    assert!(mute.is_empty(), "errors whose words the test cannot see; put them into a variable `message`: {mute:#?}");
    assert!(
        unmet.is_empty(),
        "{} of {count} are in no transcript of tests/refusals:\n{}",
        unmet.len(),
        unmet.join("\n")
    );
}
