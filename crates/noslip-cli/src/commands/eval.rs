//! `noslip eval`

use crate::failure::{Failure, Outcome};
use crate::open::{expect_one_stdin, open, read_bytes};
use crate::options::{Format, ModelArgs, unknown};
use crate::terminal::{complain, say, say_json};
use crate::words::{constraint_names, coordinate_names};
use clap::Args;
use noslip::compile::CompileOptions;
use noslip::contact::non_ideal::NonIdeal;
use noslip::forms::{FORMS, by_id};
use noslip::mechanics::{Residuals, Violation, Workbench};
use noslip::numeric::brief;
use noslip::simulate::{FormResult, Motion, TableWatch, ThroughForm};
use noslip::{Error, Limits};
use noslip_cli::answers::{EvaluatedState, Evaluation, by_name};
use serde_json::Value;
use std::fmt::Write;

/// A state as a file gives it.
struct State {
    t: f64,
    q: Vec<f64>,
    v: Vec<f64>,
}

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip eval sleigh.toml --form maggi --states states.json

where states.json is a list of states:
  [{\"t\": 0, \"q\": {\"x\": 0, \"y\": 0, \"phi\": 0},
    \"v\": {\"x\": 5, \"y\": 0, \"phi\": 1}}]")]
pub struct EvalArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Id of the form
    #[arg(long, default_value = "lagrange-multipliers")]
    pub form: String,
    /// JSON file of states, `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub states: String,
    /// `text` for a person, `json` for one document
    #[arg(long, value_enum, default_value = "json", hide_possible_values = true)]
    pub format: Format,
}

/// Evaluates accelerations and multipliers through a form.
pub fn run(args: &EvalArgs) -> Outcome {
    expect_one_stdin(&args.model, "--states", &args.states)?;
    let mut opened = open(&args.model)?.while_closed();
    let form = by_id(&args.form).ok_or_else(|| {
        let known: Vec<&str> = FORMS.iter().map(|f| f.id()).collect();
        unknown("", "form", &args.form, &known)
    })?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    let names = coordinate_names(&w);
    let states = read_states(&args.states, &names)?;
    // A law of friction and the reaction are found together, which is what these equations say; other forms are without reactions.
    if !w.system.law.is_empty() && form.id() == "lagrange-multipliers" {
        let results = under_law(&mut w, &states)?;
        tell(args, form.id(), results.into_iter().map(|r| evaluated(&w, &names, r)).collect());
        return Ok(());
    }
    // Simplifying is for people: what becomes expensive is left as it is.
    let allowance = w.g.work.open(noslip::effort::NUMBERS);
    let eq = form.derive(&mut w);
    w.g.work.close(allowance);
    let eq = eq?;
    let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
    let mut through = ThroughForm::new(&mut w, &eq, &options)?;
    let off = warn_of_states_off_the_constraints(&mut w, &states)?;
    warn_of_states_beyond_tables(&mut w, &options, &states)?;
    let mut edge = Edge::new(&mut w, &options, &states)?;
    let mut results = Vec::new();
    for (i, s) in states.iter().enumerate() {
        let r = through.solve(s.t, &s.q, &s.v).map_err(|mut e| {
            e.message = format!("state {i}: {}", e.message);
            e
        })?;
        edge.compare(&w, form.id(), i, s, &r, off[i])?;
        results.push(evaluated(&w, &names, r));
    }
    tell(args, form.id(), results);
    Ok(())
}

fn evaluated(w: &Workbench, names: &[String], r: FormResult) -> EvaluatedState {
    EvaluatedState {
        accelerations: by_name(names, r.accelerations),
        multipliers: by_name(&constraint_names(w), r.multipliers),
    }
}

fn tell(args: &EvalArgs, form: &'static str, results: Vec<EvaluatedState>) {
    match args.format {
        Format::Json => say_json(&Evaluation { form, results }),
        Format::Text => say(&text(&results)),
    }
}

/// The motion under the model's laws of friction.
fn under_law(w: &mut Workbench, states: &[State]) -> Result<Vec<FormResult>, Failure> {
    warn_of_states_off_the_constraints(w, states)?;
    let system = w.system.clone();
    let (ideal, law) = system.ideal(&mut w.g);
    let constraints = constraint_names(w);
    w.beside(ideal, |w| {
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        warn_of_states_beyond_tables(w, &options, states)?;
        let mut motion = NonIdeal::new(w, &law, &options)?;
        let mut results = Vec::new();
        for (i, s) in states.iter().enumerate() {
            let solved = motion.solve(s.t, &[&s.q[..], &s.v].concat()).map(|(a, lambda, _)| FormResult {
                accelerations: a.to_vec(),
                multipliers: lambda.iter().map(|x| Some(*x)).collect(),
            });
            results.push(solved.map_err(|why| {
                let law = motion.failure.as_ref().map(|f| f.describe(&constraints));
                Error::computation(format!("state {i}: {}", law.unwrap_or_else(|| why.to_string())))
            })?);
        }
        Ok(results)
    })
}

fn text(results: &[EvaluatedState]) -> String {
    let mut text = String::new();
    for (i, r) in results.iter().enumerate() {
        let _ = writeln!(text, "state {i}");
        for (name, x) in &r.accelerations {
            let _ = writeln!(text, "  {name}'' = {x}");
        }
        for (name, x) in &r.multipliers {
            let x = x.map_or("unknown to this form".to_owned(), |x| x.to_string());
            let _ = writeln!(text, "  lambda_{name} = {x}");
        }
    }
    text
}

/// The motion as it is, to compare with: near the edge of the chart of a form (its dependent velocities, its quasi-velocities)
/// numbers lose their digits, and at the edge they are none.
struct Edge {
    motion: Option<Motion>,
    accelerations: Vec<f64>,
    multipliers: Vec<f64>,
}

/// Relative differences from the motion that are said, and that are refused.
const SAID: f64 = 1e-8;
const REFUSED: f64 = 1e-3;
/// Forms may differ by so many times the residual of the constraints.
const OFF: f64 = 1e4;

impl Edge {
    fn new(w: &mut Workbench, options: &CompileOptions, states: &[State]) -> Result<Edge, Failure> {
        let motion = match states.first() {
            Some(s) => Some(Motion::new(w, options, &[&[s.t][..], &s.q, &s.v].concat())?),
            None => None,
        };
        Ok(Edge { motion, accelerations: vec![0.0; w.system.n()], multipliers: vec![0.0; w.system.k()] })
    }

    /// `off`: by how much the state is off the constraints. There forms differ, but not by much more than that.
    fn compare(
        &mut self,
        w: &Workbench,
        form: &str,
        i: usize,
        s: &State,
        r: &FormResult,
        off: f64,
    ) -> Result<(), Failure> {
        let Some(motion) = &mut self.motion else { return Ok(()) };
        let y = [&s.q[..], &s.v].concat();
        if motion.solve(s.t, &y, &mut self.accelerations, &mut self.multipliers).is_err() {
            return Ok(());
        }
        let largest = |list: &[f64]| list.iter().fold(1e-300f64, |m, x| m.max(x.abs()));
        // What vanishes beside the rest of the motion is zero but for rounding.
        let rest = 1e-6 * (1.0 + largest(&s.v).powi(2) + largest(&self.accelerations));
        let (size, load) = (largest(&self.accelerations).max(rest), largest(&self.multipliers).max(rest));
        let names = w.system.accelerations.iter().map(|&s| w.g.name(s));
        let accelerations = names.zip(&r.accelerations).zip(&self.accelerations).map(|((n, x), y)| (n, *x, *y, size));
        let names = w.system.constraints.iter().map(|c| w.g.name(c.multiplier));
        let multipliers = names.zip(&r.multipliers).zip(&self.multipliers);
        let multipliers = multipliers.filter_map(|((n, x), y)| x.map(|x| (n, x, *y, load)));
        let differences = accelerations.chain(multipliers).map(|(n, x, y, size)| ((x - y).abs() / size, n, x, y));
        let Some((difference, name, here, there)) = differences.max_by(|a, b| a.0.total_cmp(&b.0)) else {
            return Ok(());
        };
        if difference <= SAID + OFF * off {
            return Ok(());
        }
        let message = format!(
            "state {i} is at the edge of the chart of `{form}`: its {name} = {here}, that of the motion is {there}"
        );
        if difference > REFUSED || difference.is_nan() {
            return Err(Error::computation(message)
                .hint("use a form that keeps all velocities, for example `--form lagrange-multipliers`")
                .into());
        }
        complain(&format!("warning: {message}"));
        Ok(())
    }
}

/// Accelerations exist at every state, but only those on the constraints belong to motions. How far is each from that?
fn warn_of_states_off_the_constraints(w: &mut Workbench, states: &[State]) -> noslip::Result<Vec<f64>> {
    let mut residuals = Residuals::new(w)?;
    let mut off = vec![0.0f64; states.len()];
    for (i, s) in states.iter().enumerate() {
        for Violation { constraint, residual } in residuals.violations(s.t, &s.q, &s.v) {
            let name = &w.system.constraints[constraint].name;
            off[i] = off[i].max(residual.abs());
            complain(&format!("warning: state {i} violates constraint `{name}`: its residual is {residual:.3e}"));
        }
    }
    Ok(off)
}

/// Says which states ask a table for what is beyond its data.
fn warn_of_states_beyond_tables(w: &mut Workbench, options: &CompileOptions, states: &[State]) -> noslip::Result<()> {
    let Some(mut tables) = TableWatch::of_motion(w, options, &[])? else { return Ok(()) };
    for (i, s) in states.iter().enumerate() {
        tables.look(s.t, &[&[s.t], &s.q[..], &s.v].concat());
        for e in tables.take() {
            let ([first, last], value) = (e.data.map(|x| brief(x, 6)), brief(e.value, 6));
            complain(&format!(
                "warning: state {i}: the argument `{}` of table `{}` is {value}, beyond its data, {first} … {last}, where the \
                 table goes on with its last slope",
                e.argument, e.table
            ));
        }
    }
    Ok(())
}

/// What is wrong, and below it the place, as everywhere.
fn not_json(path: &str, e: &serde_json::Error) -> Error {
    let text = e.to_string();
    let text = text.split_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    Error::input(format!("not JSON: {text}\n --> {path}:{}:{}", e.line(), e.column().max(1)))
}

fn read_states(path: &str, names: &[String]) -> Result<Vec<State>, Failure> {
    let bytes = read_bytes(path, Limits::default().file_bytes)?;
    let path = if path == "-" { "<stdin>" } else { path };
    let wrong = |message: String| Error::input(format!("{path}: {message}"));
    let json: Value = serde_json::from_slice(&bytes).map_err(|e| not_json(path, &e))?;
    let list = json
        .as_array()
        .ok_or_else(|| wrong("expected a list of states [{\"t\": …, \"q\": {…}, \"v\": {…}}, …]".into()))?;
    let mut states = Vec::new();
    for (i, s) in list.iter().enumerate() {
        let keys = ["t", "q", "v"];
        if let Some(stranger) = s.as_object().and_then(|o| o.keys().find(|k| !keys.contains(&k.as_str()))) {
            return Err(unknown(&format!("{path}: state {i}: "), "key", stranger, &keys).into());
        }
        let number =
            |v: &Value| v.as_f64().or_else(|| v.as_str().and_then(|x| x.parse().ok())).filter(|x| x.is_finite());
        let values = |key: &str| -> noslip::Result<Vec<f64>> {
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
