//! Verdicts as text, as JSON, and as annotations of a workflow.

use super::super::{answer, as_expected, remark, verdict_in_words};
use super::{Case, Judged, Part, Verdict};
use crate::words::rounded;
use noslip::model::render;
use noslip::read::{Line, Why};
use noslip_cli::answers::{Letter, Unread, Verification, VerifiedClaim};
use std::fmt::Write;

/// For a person.
pub(super) fn report(file: Option<&str>, text: &str, parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        if parts.len() > 1 {
            let _ = writeln!(out, "{}", part.model);
        }
        for case in &part.cases {
            let place = file.map(|f| format!("{f}:{}:{}: ", case.place.0, case.place.1)).unwrap_or_default();
            match &case.verdict {
                Verdict::Unread(error) => {
                    let _ = writeln!(out, "{place}{}: not read", case.id);
                    for line in render(error, file.unwrap_or("--equation"), text).lines() {
                        let _ = writeln!(out, "  {line}");
                    }
                }
                Verdict::Judged(judged) => tell(&mut out, &place, case, judged),
            }
        }
        // What is the same needs no table.
        let told = part.names.iter().filter(|l| l.shown.source != l.name);
        let names: Vec<String> = told.map(|l| format!("{} is {}{}", l.shown.source, l.name, why(l.why))).collect();
        if !names.is_empty() {
            let _ = writeln!(out, "names: {}", names.join(", "));
        }
    }
    let [holds, fails, unread, open] = count(parts);
    if file.is_some() {
        let _ = write!(out, "{} equations: {holds} hold, {fails} do not", holds + fails + unread + open);
        for (n, what) in [(unread, "not read"), (open, "undecided")] {
            if n > 0 {
                let _ = write!(out, ", {n} {what}");
            }
        }
        out.push('\n');
    }
    out
}

/// What is to be said of a name that is not plainly the same.
fn why(why: Why) -> &'static str {
    match why {
        Why::Given | Why::Same | Why::Variant | Why::Spelling => "",
        Why::Number => " (by its number)",
    }
}

/// How many hold, fail, were not read, are undecided.
pub(super) fn count(parts: &[Part]) -> [usize; 4] {
    let mut counts = [0; 4];
    for case in parts.iter().flat_map(|p| &p.cases) {
        let i = match &case.verdict {
            Verdict::Unread(_) => 2,
            Verdict::Judged(j) if j.decision.finding.holds() => 0,
            Verdict::Judged(j) if j.decision.finding.fails() => 1,
            Verdict::Judged(_) => 3,
        };
        counts[i] += 1;
    }
    counts
}

fn tell(out: &mut String, place: &str, case: &Case, judged: &Judged) {
    let remark = remark(case.expect, &judged.decision.finding);
    let _ = writeln!(out, "{place}{}: {}{remark}", case.id, verdict_in_words(&judged.decision.finding));
    let _ = writeln!(out, "  read as {}", judged.understood.reading.told());
    for line in reasons(judged) {
        let _ = writeln!(out, "  {line}");
    }
    if let Some(corrected) = corrected(case, judged) {
        let _ = writeln!(out, "  corrected: {corrected}");
    }
}

/// Counterexample and diagnosis, a line each.
pub(super) fn reasons(judged: &Judged) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(c) = judged.decision.finding.counterexample() {
        let show = |values: &[f64], mark: &str| {
            let list: Vec<String> =
                judged.coordinates.iter().zip(values).map(|(q, &x)| format!("{q}{mark} = {}", rounded(x))).collect();
            list.join(", ")
        };
        lines.push(format!(
            "counterexample: t = {}, {}, {}",
            rounded(c.state.t),
            show(&c.state.q, ""),
            show(&c.state.v, "'")
        ));
        lines.push(format!("left side − right side = {}", rounded(c.residual)));
    }
    for d in &judged.decision.diagnosis {
        lines.push(format!("{}: {}", d.mistake, d.explanation));
        if let Some(suggestion) = &d.suggestion {
            lines.push(format!("  {suggestion} = 0"));
        }
    }
    lines
}

/// The equation with its term replaced, in the author's language, on one line.
pub(super) fn corrected(case: &Case, judged: &Judged) -> Option<String> {
    let (term, by, _) = judged.correction.as_ref()?;
    let shift = judged.understood.span().start;
    let mut moved = judged.understood.clone();
    moved.shift_back(shift);
    let text = moved.corrected_source(&case.source, *term, by);
    // Marks of alignment are no part of the equation.
    Some(text.replace('&', "").split_whitespace().collect::<Vec<_>>().join(" "))
}

/// One JSON document.
pub(super) fn document(parts: &[Part]) -> Verification {
    let (mut claims, mut names) = (Vec::new(), Vec::new());
    for part in parts {
        for case in &part.cases {
            let mut claim = match &case.verdict {
                Verdict::Unread(error) => VerifiedClaim {
                    id: case.id.clone(),
                    expected: case.expect,
                    unread: Some(Unread { message: error.message.clone(), hint: error.hint.clone() }),
                    ..VerifiedClaim::default()
                },
                Verdict::Judged(judged) => VerifiedClaim {
                    read_as: Some(judged.understood.reading.told()),
                    corrected: corrected(case, judged),
                    ..answer(&judged.coordinates, &case.id, case.expect, &judged.decision)
                },
            };
            (claim.line, claim.column) = (Some(case.place.0), Some(case.place.1));
            claim.source = Some(case.source.clone());
            claims.push(claim);
        }
        let letter =
            |l: &Line| Letter { letter: l.shown.source.clone(), name: l.name.clone(), model: part.model.clone() };
        names.extend(part.names.iter().map(letter));
    }
    Verification { claims, names: Some(names) }
}

/// Annotations of a GitHub workflow: errors where an equation fails, warnings where nothing is known.
pub(super) fn annotations(file: Option<&str>, parts: &[Part]) -> String {
    let mut out = String::new();
    for case in parts.iter().flat_map(|p| &p.cases) {
        let (level, title, lines) = match &case.verdict {
            Verdict::Unread(error) => {
                let hint = error.hint.iter().map(|h| h.to_string());
                (
                    "warning",
                    format!("{} is not read", case.id),
                    std::iter::once(error.message.clone()).chain(hint).collect(),
                )
            }
            Verdict::Judged(judged) => {
                let expected = as_expected(case.expect, &judged.decision.finding);
                let words = format!(
                    "{}: {}{}",
                    case.id,
                    verdict_in_words(&judged.decision.finding),
                    remark(case.expect, &judged.decision.finding)
                );
                let mut lines = reasons(judged);
                lines.extend(corrected(case, judged).map(|c| format!("corrected: {c}")));
                match expected {
                    Some(true) => continue,
                    Some(false) => ("error", words, lines),
                    None => ("warning", words, lines),
                }
            }
        };
        let place = match file {
            Some(file) => {
                let end = case.place.0 + case.source.matches('\n').count();
                format!("file={},line={},col={},endLine={end},", property(file), case.place.0, case.place.1)
            }
            None => String::new(),
        };
        let lines: Vec<String> = lines;
        let message = if lines.is_empty() { title.clone() } else { lines.join("\n") };
        let _ = writeln!(out, "::{level} {place}title={}::{}", property(&title), data(&message));
    }
    let [holds, fails, unread, open] = count(parts);
    let summary = format!("{holds} equations hold, {fails} do not, {unread} were not read, {open} are undecided");
    let _ = writeln!(out, "::notice title=noslip verify::{summary}");
    out
}

/// The text of a command of a workflow.
pub(in crate::commands) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of it.
pub(in crate::commands) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
