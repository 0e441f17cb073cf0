//! `noslip eval`

use super::{complain, say, say_json};
use crate::args::{EvalArgs, Format};
use crate::failure::{Failure, Outcome};
use crate::open::{expect_one_stdin, open, read_bytes, unknown};
use noslip::Limits;
use noslip::compile::CompileOptions;
use noslip::forms::{FORMS, by_id};
use noslip::mechanics::{Residuals, Violation, Workbench};
use noslip::simulate::ThroughForm;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// A state as a file gives it.
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// Evaluates accelerations and multipliers through a form.
pub fn run(args: &EvalArgs) -> Outcome {
    expect_one_stdin(&args.model, "--states", &args.states)?;
    let mut opened = open(&args.model)?;
    let form = by_id(&args.form).ok_or_else(|| {
        let known: Vec<&str> = FORMS.iter().map(|f| f.id()).collect();
        unknown("", "form", &args.form, &known)
    })?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    let names: Vec<String> = w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
    let states = read_states(&args.states, &names)?;
    let eq = form.derive(&mut w)?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut through = ThroughForm::new(&mut w, &eq, &options)?;
    warn_of_states_off_the_constraints(&mut w, &states)?;
    let mut results = Vec::new();
    for (i, s) in states.iter().enumerate() {
        let r = through.solve(s.t, &s.q, &s.v).map_err(|mut e| {
            e.message = format!("state {i}: {}", e.message);
            Failure::from(e)
        })?;
        let accelerations: Map<String, Value> =
            names.iter().zip(&r.accelerations).map(|(n, a)| (n.clone(), json!(a))).collect();
        let multipliers: Map<String, Value> =
            w.system.constraints.iter().zip(&r.multipliers).map(|(c, m)| (c.name.clone(), json!(m))).collect();
        results.push(json!({ "accelerations": accelerations, "multipliers": multipliers }));
    }
    if args.format == Format::Json {
        say_json(&json!({ "form": form.id(), "results": results }));
        return Ok(());
    }
    let mut text = String::new();
    for (i, r) in results.iter().enumerate() {
        let _ = writeln!(text, "state {i}");
        for (kind, mark) in [("accelerations", "''"), ("multipliers", "")] {
            for (name, value) in r[kind].as_object().into_iter().flatten() {
                let name = if mark.is_empty() { format!("lambda_{name}") } else { format!("{name}{mark}") };
                let value = value.as_f64().map_or("unknown to this form".to_owned(), |x| x.to_string());
                let _ = writeln!(text, "  {name} = {value}");
            }
        }
    }
    say(&text);
    Ok(())
}

/// Accelerations exist at every state, but only those on the constraints belong to motions.
fn warn_of_states_off_the_constraints(w: &mut Workbench, states: &[State]) -> noslip::Result<()> {
    let mut residuals = Residuals::new(w)?;
    for (i, s) in states.iter().enumerate() {
        for Violation { constraint, residual } in residuals.violations(s.t, &s.q, &s.v) {
            let name = &w.system.constraints[constraint].name;
            complain(&format!("warning: state {i} violates constraint `{name}`: its residual is {residual:.3e}"));
        }
    }
    Ok(())
}

/// What is wrong, and below it the place, as everywhere.
fn not_json(path: &str, e: &serde_json::Error) -> Failure {
    let text = e.to_string();
    let text = text.split_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    Failure::input(format!("error: not JSON: {text}\n --> {path}:{}:{}", e.line(), e.column().max(1)))
}

fn read_states(path: &str, names: &[String]) -> Result<Vec<State>, Failure> {
    let bytes = read_bytes(path, Limits::default().file_bytes)?;
    let path = if path == "-" { "<stdin>" } else { path };
    let wrong = |message: String| Failure::input(format!("error: {path}: {message}"));
    let json: Value = serde_json::from_slice(&bytes).map_err(|e| not_json(path, &e))?;
    let list = json
        .as_array()
        .ok_or_else(|| wrong("expected a list of states [{\"t\": …, \"q\": {…}, \"v\": {…}}, …]".into()))?;
    let mut states = Vec::new();
    for (i, s) in list.iter().enumerate() {
        let keys = ["t", "q", "v"];
        if let Some(stranger) = s.as_object().and_then(|o| o.keys().find(|k| !keys.contains(&k.as_str()))) {
            return Err(unknown(&format!("{path}: state {i}: "), "key", stranger, &keys));
        }
        let number =
            |v: &Value| v.as_f64().or_else(|| v.as_str().and_then(|x| x.parse().ok())).filter(|x| x.is_finite());
        let values = |key: &str| -> Result<Vec<f64>, Failure> {
            let object = s[key].as_object().ok_or_else(|| wrong(format!("state {i} has no object `{key}`")))?;
            if let Some(stranger) = object.keys().find(|k| !names.contains(k)) {
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                return Err(unknown(&format!("{path}: state {i}, `{key}`: "), "coordinate", stranger, &known));
            }
            names
                .iter()
                .map(|n| {
                    object
                        .get(n)
                        .and_then(number)
                        .ok_or_else(|| wrong(format!("state {i}: `{key}.{n}` is missing or not a finite number")))
                })
                .collect()
        };
        let t = match s.get("t") {
            None => 0.0,
            Some(v) => number(v).ok_or_else(|| wrong(format!("state {i}: `t` is not a finite number")))?,
        };
        states.push(State { t, q: values("q")?, v: values("v")? });
    }
    Ok(states)
}
