//! `noslip verify`

use super::{say, say_json};
use crate::args::{Format, VerifyArgs};
use crate::failure::{Failure, Outcome};
use crate::open::{expect_one_stdin, open, read_bytes};
use noslip::Limits;
use noslip::analysis::analyse;
use noslip::mechanics::Workbench;
use noslip::model::{Claim, Claims};
use noslip::verify::{Diagnosis, Finding, How, decide, diagnose, relations_from_initial_state};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Decides claims.
pub fn run(args: &VerifyArgs) -> Outcome {
    if let Some(path) = &args.claims {
        expect_one_stdin(&args.model, "--claims", &path.to_string_lossy())?;
    }
    let mut opened = open(&args.model)?;
    let limits = Limits::default();
    let mut claims: Vec<Claim> = Vec::new();
    for text in &args.equations {
        let claim = Claims::equation(text, &mut opened.model, &limits);
        claims.push(claim.map_err(|errors| Failure::at(&errors, "--equation", text))?);
    }
    if let Some(path) = &args.claims {
        let name = path.display().to_string();
        let bytes = read_bytes(&name, limits.file_bytes)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let list = Claims::load_bytes(&bytes, &mut opened.model, &limits);
        claims.extend(list.map_err(|errors| Failure::at(&errors, &name, &text))?.claims);
    }
    if claims.is_empty() {
        return Err(Failure::input("error: nothing to verify\n  = help: give --equation EQ or --claims FILE"));
    }
    let model = &mut opened.model;
    let mut w = model.workbench();
    // Relations hidden in the constraints are looked for only when a claim fails without them.
    let mut relations = None;
    let mut results = Vec::new();
    for claim in &claims {
        let mut finding = decide(&mut w, claim.expr, &[]);
        if matches!(finding, Finding::Fails(_)) {
            let relations = relations.get_or_insert_with(|| {
                let analysis = analyse(&mut w);
                relations_from_initial_state(&mut w, &analysis)
            });
            if !relations.is_empty() {
                finding = decide(&mut w, claim.expr, relations);
            }
        }
        let diagnosis = match &finding {
            Finding::Fails(_) => diagnose(&mut w, claim.expr),
            _ => Vec::new(),
        };
        results.push((claim, finding, diagnosis));
    }
    // A claim whose author expects it to fail is answered "no" when it holds.
    let wrong = results.iter().any(|(c, f, _)| as_expected(c, f) == Some(false));
    let undecided = results.iter().filter_map(|(c, f, _)| match f {
        Finding::Undecided(why) => Some(format!("error: `{}` could not be decided: {why}", c.id)),
        _ => None,
    });
    let undecided: Vec<String> = undecided.collect();
    if args.format == Format::Json {
        let list: Vec<Value> = results.iter().map(|(c, f, d)| document(&w, c, f, d)).collect();
        say_json(&json!({ "claims": list }));
    } else {
        let mut out = String::new();
        for (claim, finding, diagnosis) in &results {
            write_text(&mut out, &w, claim, finding, diagnosis);
        }
        say(&out);
    }
    match (wrong, &undecided[..]) {
        (true, _) => Err(Failure::no()),
        (false, []) => Ok(()),
        (false, why) => Err(Failure::computation(why.join("\n"))),
    }
}

/// Whether the verdict is the one the author of the claim expects: that it holds, unless the file says otherwise.
fn as_expected(claim: &Claim, finding: &Finding) -> Option<bool> {
    let holds = match finding {
        Finding::Holds(_) => true,
        Finding::Fails(_) => false,
        Finding::Undecided(_) => return None,
    };
    Some(holds == claim.expect.unwrap_or(true))
}

fn state(w: &Workbench, values: &[f64]) -> Map<String, Value> {
    w.system.coordinates.iter().zip(values).map(|(&s, x)| (w.g.name(s).to_owned(), json!(x))).collect()
}

fn document(w: &Workbench, claim: &Claim, finding: &Finding, diagnosis: &[Diagnosis]) -> Value {
    let mut v = json!({ "id": claim.id });
    if let Some(expect) = claim.expect {
        v["expected"] = json!(expect);
    }
    match finding {
        Finding::Holds(how) => {
            v["holds"] = json!(true);
            v["how"] = json!(match how {
                How::Proved | How::Integral { proved: true } => "exact",
                How::Tested { .. } | How::Integral { .. } => "tested",
                How::Numerical => "numerical",
            });
            if let How::Tested { error_bound, values_only } = how {
                v["error_bound"] = json!(error_bound);
                if *values_only {
                    v["because"] = json!("the parameters have these values: for others it fails");
                }
            }
            if let How::Integral { .. } = how {
                v["because"] = json!("an integral of the constraints has this value at the initial state");
            }
        }
        Finding::Fails(counterexample) => {
            v["holds"] = json!(false);
            if let Some(c) = counterexample {
                v["counterexample"] = json!({
                    "t": c.state.t, "q": state(w, &c.state.q), "v": state(w, &c.state.v), "residual": c.residual,
                });
            }
            let list: Vec<Value> = diagnosis
                .iter()
                .map(|d| json!({"mistake": d.mistake, "explanation": d.explanation, "suggestion": d.suggestion}))
                .collect();
            v["diagnosis"] = json!(list);
        }
        Finding::Undecided(why) => {
            v["holds"] = Value::Null;
            v["why"] = json!(why);
        }
    }
    v
}

fn write_text(out: &mut String, w: &Workbench, claim: &Claim, finding: &Finding, diagnosis: &[Diagnosis]) {
    let verdict = match finding {
        Finding::Holds(How::Proved) => "holds (proved)".to_owned(),
        Finding::Holds(How::Tested { error_bound, values_only }) => format!(
            "holds{} (tested; wrong with probability below {error_bound:.0e})",
            if *values_only { " for these values of the parameters, not for all" } else { "" }
        ),
        Finding::Holds(How::Integral { proved }) => format!(
            "holds along the motion from the initial state: an integral of the constraints{}",
            if *proved { " (proved)" } else { "" }
        ),
        Finding::Holds(How::Numerical) => "holds to rounding at random states".to_owned(),
        Finding::Fails(_) => "does NOT hold".to_owned(),
        Finding::Undecided(why) => format!("undecided: {why}"),
    };
    let remark = match (claim.expect, as_expected(claim, finding)) {
        (None, _) | (_, None) => "",
        (_, Some(true)) => ", as expected",
        (Some(true), Some(false)) => ", though expected to hold",
        (Some(false), Some(false)) => ", though expected to fail",
    };
    let _ = writeln!(out, "{}: {verdict}{remark}", claim.id);
    if let Finding::Fails(Some(c)) = finding {
        let show = |values: &[f64], mark: &str| {
            w.system
                .coordinates
                .iter()
                .zip(values)
                .map(|(&s, x)| format!("{}{mark} = {x}", w.g.name(s)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let _ =
            writeln!(out, "  counterexample: t = {}, {}, {}", c.state.t, show(&c.state.q, ""), show(&c.state.v, "'"));
        let _ = writeln!(out, "  left side − right side = {}", c.residual);
    }
    for d in diagnosis {
        let _ = writeln!(out, "  {}: {}", d.mistake, d.explanation);
        if let Some(suggestion) = &d.suggestion {
            let _ = writeln!(out, "    {suggestion} = 0");
        }
    }
}
