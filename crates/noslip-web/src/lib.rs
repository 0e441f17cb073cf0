//! The program for a browser: a command line and the files it reads go in, what it prints and writes comes out.
//!
//! A page has no way to call Rust but with numbers, so the two share a slate, a stretch of the module's memory. The page asks for
//! [`room`], writes its question there and calls [`run`]; the answer stands on the slate then, at [`slate`], [`length`] bytes of it.
//!
//! A question is JSON: `{"arguments": ["check", "disk.toml"], "files": {"disk.toml": "noslip = 1 …"}}`. An answer is the length of
//! a JSON document in four bytes, the lowest first, that document, and then the bytes of the files that the command wrote, one
//! after another: the document says their names and lengths.
//!
//! A panic ends the module, with its message on the slate. Who wants to go on starts another, and so does who wants to stop it:
//! there is nothing to clean up.

use noslip::Control;
use noslip_cli::Files;
use noslip_cli::answers::{Problem, Refusal};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The command line without the name of the program.
    arguments: Vec<String>,
    /// Files that the command may read, by their names.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Reply {
    /// The exit status.
    status: u8,
    /// What it printed.
    output: String,
    /// What it complained about.
    errors: String,
    /// Why there is no answer, with places.
    refusal: Option<Refusal>,
    /// Warnings and notes about the model, with places.
    remarks: Vec<Remark>,
    /// What follows this document.
    files: Vec<Written>,
}

#[derive(Serialize)]
struct Remark {
    /// `warning` or `note`.
    severity: &'static str,
    #[serde(flatten)]
    problem: Problem,
}

#[derive(Serialize)]
struct Written {
    name: String,
    bytes: usize,
}

/// Answers a question, both as they stand on the slate.
pub fn answer(question: &[u8]) -> Vec<u8> {
    let (reply, files) = match serde_json::from_slice(question) {
        Ok(question) => ask(question),
        Err(e) => (refused(&format!("error: this is no question: {e}\n")), Files::new()),
    };
    let document = serde_json::to_vec(&reply).expect("answers are text and numbers under names");
    let length = u32::try_from(document.len()).expect("memory has no more addresses").to_le_bytes();
    let parts = [&length[..], &document].into_iter().chain(files.values().map(Vec::as_slice));
    parts.collect::<Vec<_>>().concat()
}

fn ask(question: Question) -> (Reply, Files) {
    let lent = question.files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect();
    let arguments = std::iter::once("noslip".to_owned()).chain(question.arguments);
    let answer = noslip_cli::answer_with_files(arguments, lent, Control::default());
    let remarks = answer.remarks.into_iter().map(|(severity, problem)| Remark { severity, problem });
    let files = answer.files.iter().map(|(name, bytes)| Written { name: name.clone(), bytes: bytes.len() });
    let reply = Reply {
        status: answer.status,
        output: answer.output,
        errors: answer.errors,
        refusal: answer.refusal.map(|(_, refusal)| refusal),
        remarks: remarks.collect(),
        files: files.collect(),
    };
    (reply, answer.files)
}

fn refused(errors: &str) -> Reply {
    let errors = errors.to_owned();
    Reply { status: 2, output: String::new(), errors, refusal: None, remarks: Vec::new(), files: Vec::new() }
}

thread_local! {
    static SLATE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a question and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *const u8 {
    SLATE.set(vec![0; bytes]);
    slate()
}

/// Answers the question on the slate.
#[unsafe(no_mangle)]
pub extern "C" fn run() {
    // Without a hook the reason of a panic would be lost: a module has no standard error.
    #[cfg(target_family = "wasm")]
    std::panic::set_hook(Box::new(|why| SLATE.set(why.to_string().into_bytes())));
    let question = SLATE.take();
    SLATE.set(answer(&question));
}

/// Where the slate begins.
#[unsafe(no_mangle)]
pub extern "C" fn slate() -> *const u8 {
    SLATE.with_borrow(|slate| slate.as_ptr())
}

/// How much stands on the slate.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    SLATE.with_borrow(Vec::len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The document of an answer, and the files behind it.
    fn asked(question: &Value) -> (Value, Vec<Vec<u8>>) {
        let answer = answer(question.to_string().as_bytes());
        let length = u32::from_le_bytes(answer[..4].try_into().expect("four bytes")) as usize;
        let (document, mut rest) = answer[4..].split_at(length);
        let document: Value = serde_json::from_slice(document).expect("JSON");
        let mut files = Vec::new();
        for file in document["files"].as_array().expect("a list") {
            let (bytes, others) = rest.split_at(file["bytes"].as_u64().expect("a length") as usize);
            files.push(bytes.to_vec());
            rest = others;
        }
        assert!(rest.is_empty(), "bytes that belong to no file");
        (document, files)
    }

    fn disk() -> &'static str {
        noslip_gallery::find("rolling-disk").expect("a gallery model")
    }

    #[test]
    fn a_command_reads_what_it_is_given_and_its_files_come_back() {
        let arguments = ["simulate", "disk.toml", "--samples", "3", "-o", "run.csv", "--plot", "path.png"];
        let (answer, files) = asked(&json!({"arguments": arguments, "files": {"disk.toml": disk()}}));
        assert_eq!(answer["status"], 0, "{answer}");
        let names: Vec<&str> =
            answer["files"].as_array().expect("a list").iter().filter_map(|f| f["name"].as_str()).collect();
        assert_eq!(names, ["path.png", "run.csv"]);
        assert!(files[0].starts_with(b"\x89PNG"), "a picture that is no text survives");
        assert_eq!(files[1].iter().filter(|&&b| b == b'\n').count(), 4, "a header and three rows");
    }

    #[test]
    fn errors_and_warnings_have_their_places() {
        let wrong = disk().replace("m/2*(", "m/2*q*(");
        let (answer, _) = asked(&json!({"arguments": ["check", "disk.toml"], "files": {"disk.toml": wrong}}));
        assert_eq!((&answer["status"], &answer["refusal"]["file"]), (&json!(2), &json!("disk.toml")), "{answer}");
        let line = 1 + wrong.split("m/2*q").next().expect("text").matches('\n').count();
        assert_eq!(answer["refusal"]["errors"][0]["line"], line, "{answer}");
        let bends = "noslip = 1\n[system]\nname = \"p\"\ncoordinates = [\"x\", \"y\"]\n[energy]\n\
            kinetic = \"(x'^2 + y'^2)/2\"\n[constraints]\ntrack = \"y = f(x)\"\n[tables.f]\nat = [0, 1, 2]\nvalues = [1, 2, 0]\n";
        let (answer, _) = asked(&json!({"arguments": ["check", "p.toml"], "files": {"p.toml": bends}}));
        let said = &answer["remarks"][0];
        assert_eq!((&answer["status"], &said["severity"]), (&json!(0), &json!("warning")), "{answer}");
        assert_eq!(
            (&said["line"], &said["column"], &said["end_column"]),
            (&json!(8), &json!(9), &json!(19)),
            "{answer}"
        );
    }

    #[test]
    fn what_is_no_question_is_refused() {
        for question in ["", "check", "{}", "{\"arguments\": [1]}", "{\"arguments\": [], \"more\": 1}"] {
            let answer = answer(question.as_bytes());
            assert!(String::from_utf8_lossy(&answer).contains("this is no question"), "{question}");
        }
        let (answer, _) = asked(&json!({"arguments": ["nonsense"]}));
        assert_eq!(answer["status"], 2);
    }

    #[test]
    fn the_slate_carries_question_and_answer() {
        room(3);
        assert_eq!(length(), 3);
        SLATE.set(br#"{"arguments": ["--version"]}"#.to_vec());
        run();
        assert!(length() > 4 && SLATE.with_borrow(|s| String::from_utf8_lossy(s).contains("noslip ")));
    }
}
