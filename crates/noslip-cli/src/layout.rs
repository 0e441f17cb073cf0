//! Lines as wide as a terminal: what is longer goes on below, under its own beginning.

/// Signs that stand between what they join: a line breaks before them, never after.
const JOINTS: [&str; 10] = ["+", "-", "−", "=", "≠", "<", ">", "≤", "≥", "→"];

/// Columns that a level of parentheses is worth: rather a shorter line than one that breaks deep inside.
const DEEP: usize = 14;

/// Columns that a break inside backticks or before a value costs: they should stay whole.
const WHOLE: usize = 30;

/// A longer line of prose goes on in the next one.
const PAGE: usize = 90;

/// The text in lines of at most `width` columns where it has places to break; a table of several columns stays as it is.
pub fn folded(text: &str, width: usize) -> String {
    let lines = text.split('\n').map(|line| if columns(line) > width { fold(line, width) } else { line.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

/// Lines that were broken at the margin of a page are made whole again, so that they can be broken at another.
pub fn whole_paragraphs(text: &str) -> String {
    let mut out = String::new();
    let mut broken = false;
    for line in text.split_inclusive('\n') {
        let goes_on = line.starts_with(|c: char| c.is_alphanumeric() || "(`".contains(c));
        if broken && goes_on {
            out.truncate(out.trim_end().len());
            out.push(' ');
        }
        out.push_str(line);
        broken = !line.starts_with(' ') && columns(line.trim_end()) > PAGE;
    }
    out
}

/// Columns that a text takes: colours and accents above a letter take none.
pub fn columns(text: &str) -> usize {
    letters(text).count()
}

/// Places and letters of what takes a column, without colours (`ESC [ … m`) and combining accents.
fn letters(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut colour = false;
    text.char_indices().filter(move |&(_, c)| {
        if c == '\x1b' {
            colour = true;
        }
        let counts = !colour && !('\u{300}'..='\u{36f}').contains(&c);
        if colour && c == 'm' {
            colour = false;
        }
        counts
    })
}

fn fold(line: &str, width: usize) -> String {
    let Some(hang) = hang(line, width) else { return line.to_owned() };
    let breaks = breaks(line);
    let (mut out, mut from, mut under) = (String::new(), 0, 0);
    loop {
        let rest = &line[from..];
        if columns(rest) + under <= width {
            break out + rest;
        }
        let Some(b) = best(line, from, width - under, &breaks) else { break out + rest };
        under = hang + 2 * b.depth.min(width / 12);
        out.push_str(line[from..b.at].trim_end());
        out.push('\n');
        out.push_str(&" ".repeat(under));
        from = b.at + (line.len() - b.at - line[b.at..].trim_start().len());
    }
}

/// Where the lines below begin: under the words of an item, the value of a name, the last column; else a little further in.
/// None for a line of several columns that has no room left of its last one.
fn hang(line: &str, width: usize) -> Option<usize> {
    let indent = columns(line) - columns(line.trim_start());
    let content = line.trim_start();
    let narrow = |column: usize| (column <= width * 2 / 3).then_some(column);
    if let Some((before, _)) = content.trim_end().rsplit_once("  ") {
        return narrow(indent + columns(before) + 2);
    }
    if content.starts_with("- ") || content.starts_with("• ") {
        return Some(indent + 2);
    }
    if let Some((name, _)) = content.split_once(" = ")
        && !name.contains([' ', '(', '·'])
        && let Some(column) = narrow(indent + columns(name) + 3)
    {
        return Some(column);
    }
    let formula = JOINTS.iter().any(|j| content.contains(&format!(" {j} ")));
    let more = if indent > 0 || formula || content.contains(": ") { 2 } else { 0 };
    narrow(indent + more)
}

/// A place where a line may end.
struct Break {
    /// The place of the space, or of the factor that goes to the next line.
    at: usize,
    cost: usize,
    /// Parentheses around the terms that are parted here.
    depth: usize,
    /// Between two factors, where there is no space: only if there is nothing better.
    last_resort: bool,
}

fn breaks(line: &str) -> Vec<Break> {
    let (mut depth, mut quoted, mut found) = (0_usize, false, Vec::new());
    for (at, c) in letters(line) {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '`' => quoted = !quoted,
            ' ' => {
                let word = line[..at].rsplit(' ').next().unwrap_or_default();
                let next = line[at..].trim_start().split(' ').next().unwrap_or_default();
                // Words in parentheses are words; terms in parentheses belong together.
                let depth = if JOINTS.contains(&next) { depth } else { 0 };
                let whole = quoted || (next == "=" && !line[at..].ends_with(" = 0"));
                if !JOINTS.contains(&word) && !word.is_empty() {
                    let cost = depth * DEEP + if whole { WHOLE } else { 0 };
                    found.push(Break { at, cost, depth, last_resort: false });
                }
            }
            '·' | '*' | '/' if !quoted => found.push(Break { at, cost: depth * DEEP, depth, last_resort: true }),
            _ => {}
        }
    }
    found
}

/// The best place to end the line that begins at `from`.
fn best<'b>(line: &str, from: usize, room: usize, breaks: &'b [Break]) -> Option<&'b Break> {
    let first = from + (line.len() - from - line[from..].trim_start().len());
    let fits = |b: &&Break| b.at > first && columns(&line[from..b.at]) <= room;
    let worth = |b: &&Break| columns(&line[from..b.at]) as isize - b.cost as isize;
    let among =
        |last_resort: bool| breaks.iter().filter(|b| b.last_resort == last_resort).filter(fits).max_by_key(worth);
    // What fits nowhere sticks out up to its next space.
    let next = || breaks.iter().find(|b| b.at > first && !b.last_resort);
    among(false).or_else(|| among(true)).or_else(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stays_and_nothing_is_wider_than_the_terminal() {
        let text = "short\n    r·(m·r·(cos(θ)·φ̈ + ψ̈ − sin(θ)·φ̇·θ̇)/2 − λ₅·sin(φ) − λ₄·cos(φ)) = 0\n";
        assert_eq!(folded(text, 80), text);
        for width in 24..80 {
            let lines = folded(text, width);
            assert!(lines.lines().all(|l| columns(l) <= width), "{width}\n{lines}");
            let squeezed = |t: &str| t.split_whitespace().collect::<String>();
            assert_eq!(squeezed(&lines), squeezed(text), "no letter is lost");
        }
    }

    #[test]
    fn terms_break_before_their_signs_and_at_the_outermost_parentheses() {
        let long = "    m·r·(r·(φ̈ − 2·sin(θ)·θ̇·ψ̇) + cos(θ)·(r·(5·cos(θ)·φ̈ + 2·ψ̈)))/4 + g = 0";
        assert_eq!(
            folded(long, 60),
            "    m·r·(r·(φ̈ − 2·sin(θ)·θ̇·ψ̇)\n        + cos(θ)·(r·(5·cos(θ)·φ̈ + 2·ψ̈)))/4 + g = 0"
        );
    }

    #[test]
    fn lines_go_on_under_their_own_beginning() {
        let item = "- Growth vector (2, 3) in the space of coordinates: completely nonholonomic.";
        assert_eq!(folded(item, 40), "- Growth vector (2, 3) in the space of\n  coordinates: completely nonholonomic.");
        assert_eq!(folded("  T° = a·b·c + d·e·f + g·h·i", 19), "  T° = a·b·c\n       + d·e·f\n       + g·h·i");
        assert_eq!(
            folded("maggi   Maggi's equations of motion", 24),
            "maggi   Maggi's\n        equations of\n        motion"
        );
        let numbers = "  0.50  5.189743  9.972676  5.153617";
        assert_eq!(folded(numbers, 24), numbers, "a table stays one");
    }

    #[test]
    fn colours_take_no_columns() {
        assert_eq!(columns("\x1b[1;31merror\x1b[0m"), 5);
        assert_eq!(columns("φ̈ + θ̇"), 5);
    }
}
