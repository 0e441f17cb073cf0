//! Diagnostics as text, in the look of a good compiler.

use crate::error::{Error, Span};
use std::fmt::Write;

/// Characters of a source line that are shown; longer lines are cut to a window around the place.
const WINDOW: usize = 100;

/// Line and column (both from 1, columns count characters) of a byte offset.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = floor_boundary(text, offset);
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

fn floor_boundary(text: &str, mut offset: usize) -> usize {
    offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// An error with file, line, column, the line itself, a caret and what to do.
pub fn render(error: &Error, file_name: &str, text: &str) -> String {
    message("error", error, file_name, text)
}

/// The same for a warning.
pub fn render_warning(warning: &Error, file_name: &str, text: &str) -> String {
    message("warning", warning, file_name, text)
}

/// The same for a note.
pub fn render_note(note: &Error, file_name: &str, text: &str) -> String {
    message("note", note, file_name, text)
}

fn message(severity: &str, error: &Error, file_name: &str, text: &str) -> String {
    let mut out = format!("{severity}: {}\n", error.message);
    let mut gutter = 1;
    match &error.span {
        Some(span) => gutter = excerpt(&mut out, span, error.label.as_deref(), file_name, text),
        None => _ = writeln!(out, " --> {file_name}"),
    }
    if let Some(hint) = &error.hint {
        _ = writeln!(out, "{:gutter$} = help: {hint}", "");
    }
    out
}

/// Appends the place and the line; returns the width of the line number.
fn excerpt(out: &mut String, span: &Span, label: Option<&str>, file_name: &str, text: &str) -> usize {
    let (start, end) = (floor_boundary(text, span.start), floor_boundary(text, span.end.max(span.start)));
    let (line, column) = line_and_column(text, start);
    let number = line.to_string();
    let gutter = number.len();
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let source: Vec<char> = text[line_start..line_end].trim_end_matches('\r').chars().collect();
    let marked = text[start..end.clamp(start, line_end)].trim_end_matches('\r').chars().count();
    let mut first = 0;
    let mut last = source.len();
    if source.len() > WINDOW {
        // Keep the place a third into the window, so that what led up to it is seen too.
        first = (column - 1).saturating_sub(WINDOW / 3).min(source.len().saturating_sub(WINDOW));
        last = (first + WINDOW).min(source.len());
    }
    let shown: String = source[first..last].iter().map(|&c| if c.is_control() { ' ' } else { c }).collect::<String>();
    let (left, right) = (if first > 0 { "…" } else { "" }, if last < source.len() { "…" } else { "" });
    let indent = (column - 1).saturating_sub(first) + usize::from(first > 0);
    let carets = marked.max(1).min((last - first + 1).saturating_sub((column - 1).saturating_sub(first)).max(1));
    _ = writeln!(out, "{:gutter$}--> {file_name}:{line}:{column}", "");
    _ = writeln!(out, "{:gutter$} |", "");
    _ = writeln!(out, "{number} | {left}{shown}{right}");
    let label = label.map(|l| format!(" {l}")).unwrap_or_default();
    _ = writeln!(out, "{:gutter$} | {:indent$}{}{label}", "", "", "^".repeat(carets));
    gutter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_below_the_place() {
        let text = "noslip = 1\nkinetic = \"θ/2*thta'^2\"\n";
        let at = text.find("thta").unwrap();
        let error = Error::input("unknown name `thta`").at(at..at + 5).label("here").hint("did you mean `theta`?");
        let expected = "\
error: unknown name `thta`
 --> sleigh.toml:2:16
  |
2 | kinetic = \"θ/2*thta'^2\"
  |                ^^^^^ here
  = help: did you mean `theta`?
";
        assert_eq!(render(&error, "sleigh.toml", text), expected);
    }

    #[test]
    fn a_place_inside_of_a_character_is_that_of_the_character() {
        for (offset, place) in [(0, (1, 1)), (1, (1, 2)), (2, (1, 2)), (3, (1, 3)), (5, (2, 1)), (99, (2, 2))] {
            assert_eq!(line_and_column("aθb\nc", offset), place, "{offset}");
        }
    }

    #[test]
    fn warnings_and_notes_say_so() {
        let error = Error::input("odd");
        assert_eq!(render_warning(&error, "f", ""), "warning: odd\n --> f\n");
        assert_eq!(render_note(&error, "f", ""), "note: odd\n --> f\n");
    }

    #[test]
    fn long_lines_are_cut_to_a_window_and_places_at_the_end_of_the_file_are_safe() {
        let text = format!("k = \"{}BAD{}\"", "x+".repeat(5000), "+x".repeat(5000));
        let at = text.find("BAD").unwrap();
        let shown = render(&Error::input("bad").at(at..at + 3), "f", &text);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines[3].chars().count() < 120);
        let caret = lines[4].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[3].chars().skip(caret).take(3).collect::<String>(), "BAD");
        for span in [text.len()..text.len(), 0..text.len(), text.len() + 5..text.len() + 9] {
            assert!(render(&Error::input("bad").at(span), "f", &text).contains('^'));
        }
        assert!(render(&Error::input("bad").at(0..0), "f", "").contains("f:1:1"));
        assert_eq!(render(&Error::input("bad"), "f", ""), "error: bad\n --> f\n");
    }

    #[test]
    fn what_goes_on_beyond_the_window_is_marked_to_the_dots_at_its_end() {
        let text = "x".repeat(300);
        let shown = render(&Error::input("bad").at(0..300), "f", &text);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[3], format!("1 | {}…", "x".repeat(WINDOW)));
        assert_eq!(lines[4], format!("  | {}", "^".repeat(WINDOW + 1)));
        // From the middle on: dots on both sides, and a third of the window before the place.
        let shown = render(&Error::input("bad").at(150..300), "f", &text);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[3], format!("1 | …{}…", "x".repeat(WINDOW)));
        assert_eq!(lines[4], format!("  | {}{}", " ".repeat(1 + WINDOW / 3), "^".repeat(WINDOW + 1 - WINDOW / 3)));
    }
}
