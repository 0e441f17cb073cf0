//! Where the program reads and writes: a terminal and a disk, or a caller.

use crate::failure::Failure;
use noslip::{Control, ErrorKind};
use noslip_cli::answers::{Problem, Refusal};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Read, Write};

/// Files by their names: a folder without a disk.
pub type Files = BTreeMap<String, Vec<u8>>;

/// What the program answered.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The exit status.
    pub status: u8,
    /// What it printed.
    pub output: String,
    /// What it complained about.
    pub errors: String,
    /// Why there is no answer: the sort of failure, and what stands in the way.
    pub refusal: Option<(ErrorKind, Refusal)>,
    /// What was said about the model that was read: `warning` or `note`, and its place.
    pub remarks: Vec<(&'static str, Problem)>,
    /// What was written, for a caller that lent its own files.
    pub files: Files,
}

/// Somebody in the same process who asks.
struct Caller {
    /// What `-` reads.
    input: Vec<u8>,
    /// Files that stand for those of the disk.
    lent: Option<Files>,
    control: Control,
    answer: Answer,
}

thread_local! {
    static CALLER: RefCell<Option<Caller>> = const { RefCell::new(None) };
}

/// What `run` says, for a caller that has what it reads.
pub(crate) fn asked(input: Vec<u8>, lent: Option<Files>, control: Control, run: impl FnOnce() -> u8) -> Answer {
    let outer = CALLER.replace(Some(Caller { input, lent, control, answer: Answer::default() }));
    let status = run();
    let answer = CALLER.replace(outer).map(|caller| caller.answer).unwrap_or_default();
    Answer { status, ..answer }
}

/// The handle by which a caller stops the work.
pub(crate) fn control() -> Option<Control> {
    CALLER.with_borrow(|caller| caller.as_ref().map(|c| c.control.clone()))
}

/// Keeps for a caller why there is no answer.
pub(crate) fn keep(failure: &Failure) {
    for_caller(|answer| answer.refusal = failure.kind().map(|kind| (kind, failure.refusal())));
}

/// Keeps for a caller what is to be said about the model.
pub(crate) fn remark(severity: &'static str, problem: impl FnOnce() -> Problem) {
    for_caller(|answer| answer.remarks.push((severity, problem())));
}

/// The files that a caller has lent, if there is one who has.
pub(crate) fn lent<T>(look: impl FnOnce(&Files) -> T) -> Option<T> {
    CALLER.with_borrow(|caller| caller.as_ref().and_then(|c| c.lent.as_ref()).map(look))
}

/// Writes a file for a caller who has lent its own.
pub(crate) fn write_lent(name: &str, bytes: &[u8]) -> bool {
    CALLER.with_borrow_mut(|caller| {
        let Some(Caller { lent: Some(lent), answer, .. }) = caller else { return false };
        lent.insert(name.to_owned(), bytes.to_vec());
        answer.files.insert(name.to_owned(), bytes.to_vec());
        true
    })
}

fn for_caller(keep: impl FnOnce(&mut Answer)) -> bool {
    CALLER.with_borrow_mut(|caller| match caller {
        Some(caller) => {
            keep(&mut caller.answer);
            true
        }
        None => false,
    })
}

/// Is a person looking?
pub(crate) fn is_terminal() -> bool {
    use std::io::IsTerminal;
    CALLER.with_borrow(Option::is_none) && std::io::stderr().is_terminal()
}

/// Columns of a line, where there is a terminal or somebody who says so (`COLUMNS`).
pub(crate) fn columns() -> Option<usize> {
    use std::io::IsTerminal;
    if CALLER.with_borrow(Option::is_some) {
        return None;
    }
    let told = std::env::var("COLUMNS").ok().and_then(|c| c.trim().parse().ok()).filter(|&c| c > 0);
    let seen = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).filter(|&c| c > 0);
    told.or_else(|| std::io::stdout().is_terminal().then(seen).flatten())
}

/// Prints; fails where a terminal or pipe does.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    if for_caller(|answer| answer.output.push_str(&anstream::adapter::strip_str(text).to_string())) {
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// Complains; `plain` is the text without colours.
pub(crate) fn complain(plain: &str, coloured: &str) {
    if for_caller(|answer| {
        answer.errors.push_str(plain);
        answer.errors.push('\n');
    }) {
        return;
    }
    let _ = writeln!(anstream::stderr().lock(), "{coloured}");
}

/// What clap has to say.
pub(crate) fn print_usage(e: &clap::Error) {
    let text = e.render().to_string();
    let kept = for_caller(|answer| match e.use_stderr() {
        true => answer.errors.push_str(&text),
        false => answer.output.push_str(&text),
    });
    if !kept {
        let _ = e.print();
    }
}

/// Standard input, at most `bound` bytes of it.
pub(crate) fn read_input(bound: u64) -> std::io::Result<Vec<u8>> {
    let given = CALLER.with_borrow(|caller| caller.as_ref().map(|c| c.input.clone()));
    let mut bytes = Vec::new();
    match given {
        Some(input) => input.as_slice().take(bound).read_to_end(&mut bytes)?,
        None => std::io::stdin().lock().take(bound).read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}
