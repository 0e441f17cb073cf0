//! Where the program reads and writes: a terminal, or a caller.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{Read, Write};

/// What the program answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The exit status.
    pub status: u8,
    /// What it printed.
    pub output: String,
    /// What it complained about.
    pub errors: String,
}

thread_local! {
    /// A caller's standard input, and what is printed for it.
    static CALLER: RefCell<Option<(Vec<u8>, Answer)>> = const { RefCell::new(None) };
}

/// Runs a command line, the name of the program first, for a caller in the same process. `input` is what `-` reads. Commands
/// that write files write them.
pub fn answer(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>, input: &[u8]) -> Answer {
    let outer = CALLER.replace(Some((input.to_vec(), Answer::default())));
    let status = crate::run(arguments);
    let (_, answer) = CALLER.replace(outer).unwrap_or_default();
    Answer { status, ..answer }
}

fn for_caller(keep: impl FnOnce(&mut Answer)) -> bool {
    CALLER.with_borrow_mut(|caller| match caller {
        Some((_, answer)) => {
            keep(answer);
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

/// Prints; fails where a terminal or pipe does.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    if for_caller(|answer| answer.output.push_str(text)) {
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
pub(crate) fn read_input(bound: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let given = CALLER.with_borrow(|caller| caller.as_ref().map(|(input, _)| input.clone()));
    match given {
        Some(input) => input.take(bound).read_to_end(bytes).map(|_| ()),
        None => std::io::stdin().lock().take(bound).read_to_end(bytes).map(|_| ()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_answers_as_a_function() {
        let model = noslip_gallery::find("dumbbell").expect("a gallery model");
        let asked = answer(["noslip", "check", "-", "--format", "json"], model.as_bytes());
        assert_eq!((asked.status, asked.errors.as_str()), (0, ""));
        assert!(asked.output.contains("\"degrees_of_freedom\": 2"));
        let refused = answer(["noslip", "check", "-"], b"noslip = 2");
        assert_eq!(refused.status, 2);
        assert!(refused.output.is_empty() && refused.errors.starts_with("error"), "{refused:?}");
        assert_eq!(answer(["noslip", "nonsense"], b"").status, 2);
        assert!(answer(["noslip", "--version"], b"").output.starts_with("noslip "));
    }
}
