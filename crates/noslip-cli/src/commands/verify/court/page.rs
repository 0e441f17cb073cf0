//! The page of verdicts: every equation set, with its correction in colour.

use super::super::{as_expected, remark, verdict_in_words};
use super::{Case, Judged, Part, Verdict, tell};
use noslip::model::render;
use noslip::read::{Replacement, name_mathml};
use std::fmt::Write;

const STYLE: &str = "\
:root{--ink:#1d2733;--paper:#fff;--soft:#f4f6f8;--line:#d8dee5;--good:#19713c;--bad:#b3261e;--open:#8a5a00}\
@media(prefers-color-scheme:dark){:root{--ink:#e3e8ee;--paper:#14181d;--soft:#1d232a;--line:#39424d;--good:#6fd195;--bad:#ff8a80;--open:#f0b95c}}\
body{margin:0 auto;max-width:60rem;padding:2rem 1rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2.5rem}\
article{border:1px solid var(--line);border-left-width:.4rem;border-radius:.4rem;margin:1rem 0;padding:.7rem 1rem;overflow-x:auto}\
article.holds{border-left-color:var(--good)}article.fails{border-left-color:var(--bad)}article.open{border-left-color:var(--open)}\
header{display:flex;gap:1rem;justify-content:space-between;flex-wrap:wrap}header b{font-weight:600}\
.holds .verdict{color:var(--good)}.fails .verdict{color:var(--bad)}.open .verdict{color:var(--open)}\
math{font-size:1.15em;margin:.6rem 0}.old{color:var(--bad)}.new{color:var(--good);background:color-mix(in srgb,var(--good) 14%,transparent)}\
code,pre{font:13px/1.5 ui-monospace,monospace;background:var(--soft);border-radius:.25rem;padding:.05rem .3rem;overflow-wrap:anywhere}\
pre{padding:.5rem;overflow-x:auto}p{margin:.4rem 0}summary{cursor:pointer}td,th{padding:.15rem .9rem .15rem 0;text-align:left}";

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The whole page.
pub(super) fn page(title: &str, text: &str, parts: &[Part]) -> String {
    let [holds, fails, unread, open] = tell::count(parts);
    let mut body = format!(
        "<h1>{}</h1><p>{holds} equations hold, {fails} do not, {unread} were not read, {open} are undecided.</p>",
        escape(title)
    );
    for part in parts {
        let _ = write!(body, "<h2>{}</h2>", escape(&part.model));
        for case in &part.cases {
            article(&mut body, title, text, case);
        }
        let rows: Vec<String> = part
            .names
            .iter()
            .map(|l| {
                let letter = name_mathml(&l.shown, 0);
                format!("<tr><td><math>{letter}</math></td><td><code>{}</code></td></tr>", escape(&l.name))
            })
            .collect();
        let _ = write!(
            body,
            "<details><summary>Names</summary><table><tr><th>here</th><th>in the model</th></tr>{}</table></details>",
            rows.concat()
        );
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title>\
         <style>{STYLE}</style></head><body>{body}</body></html>\n",
        escape(title)
    )
}

fn article(out: &mut String, file: &str, text: &str, case: &Case) {
    let (class, words) = match &case.verdict {
        Verdict::Unread(_) => ("open", "not read".to_owned()),
        Verdict::Judged(j) => {
            let class = match as_expected(None, &j.decision.finding) {
                Some(true) => "holds",
                Some(false) => "fails",
                None => "open",
            };
            (class, format!("{}{}", verdict_in_words(&j.decision.finding), remark(case.expect, &j.decision.finding)))
        }
    };
    let _ = write!(
        out,
        "<article class=\"{class}\"><header><b>{}</b><span>line {}</span><span class=\"verdict\">{}</span></header>",
        escape(&case.id),
        case.place.0,
        escape(&words)
    );
    match &case.verdict {
        Verdict::Unread(error) => {
            let _ = write!(out, "<pre>{}</pre>", escape(&render(error, file, text)));
        }
        Verdict::Judged(judged) => judged_body(out, case, judged),
    }
    out.push_str("</article>");
}

fn judged_body(out: &mut String, case: &Case, judged: &Judged) {
    let understood = &judged.understood;
    let wrong = judged.correction.as_ref().map(|(term, ..)| {
        let old = format!("<mrow class=\"old\">{}</mrow>", understood.term_mathml(*term));
        (*term, old)
    });
    let set = match &wrong {
        Some((term, old)) => understood.marked_mathml(*term, old),
        None => understood.mathml(None),
    };
    let _ = write!(out, "<math display=\"block\">{set}</math>");
    if let Some((term, _, by)) = &judged.correction {
        let by: &Replacement = by;
        let _ = write!(out, "<p>corrected:</p><math display=\"block\">{}</math>", understood.mathml(Some((*term, by))));
    }
    for line in tell::reasons(judged) {
        let _ = write!(out, "<p>{}</p>", escape(&line));
    }
    let _ = write!(
        out,
        "<details><summary>as it was read</summary><p><code>{}</code></p><p>from <code>{}</code></p></details>",
        escape(&understood.reading.told()),
        escape(&case.source)
    );
}
