//! `noslip check`

use super::simulate::{completed, completion};
use super::{say, say_json};
use crate::args::{CheckArgs, Format};
use crate::failure::Outcome;
use crate::open::open;
use noslip::Limits;
use noslip::analysis::{Analysis, BracketField, analyse, bracket_fields, sentences};
use noslip::expr::{Expr, Printer, Style, Tree};
use noslip::forms::Applicability;
use noslip::mechanics::Generic;
use noslip::mechanics::Workbench;
use noslip::model::{Overrides, State};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Validates a model and says what its constraints mean.
pub fn run(args: &CheckArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let initial = match opened.model.system.initial {
        None => None,
        Some(_) => Some(opened.model.initial_state(&Overrides::default())),
    };
    let model = &mut opened.model;
    let mut w = model.workbench();
    let analysis = analyse(&mut w);
    let fields = if args.brackets { brackets(&mut w, &analysis) } else { Vec::new() };
    let state = match &initial {
        Some(Ok(state)) => Some(state),
        _ => None,
    };
    if args.format == Format::Json {
        say_json(&document(&w, &analysis, state, args.brackets.then_some(&fields)));
    } else {
        say(&text(&w, &analysis, state, &fields));
    }
    if let Some(d) = analysis.contradiction() {
        let c = &w.system.constraints[d.constraint];
        let error = noslip::Error::input(format!("constraint `{}` contradicts the others", c.name))
            .hint("no motion satisfies all constraints; remove or correct one of them");
        let error = match &c.span {
            Some(span) => error.at(span.clone()),
            None => error,
        };
        return Err(opened.refuse(&[error]));
    }
    match initial {
        Some(Err(e)) => Err(opened.refuse(&[e])),
        _ => Ok(()),
    }
}

fn brackets(w: &mut Workbench, analysis: &Analysis) -> Vec<BracketField> {
    let mut generic = Generic::new(&mut w.g, &w.system);
    match (&analysis.distribution, &analysis.growth) {
        (Some(first), Some(growth)) => bracket_fields(w, first, growth, &mut generic),
        _ => Vec::new(),
    }
}

fn print(w: &Workbench, e: Expr) -> String {
    Tree::of(&w.g, e, &Limits::default()).map_or_else(|e| e.to_string(), |t| Printer::new(Style::Text).print(&w.g, &t))
}

fn document(w: &Workbench, a: &Analysis, state: Option<&State>, fields: Option<&Vec<BracketField>>) -> Value {
    let name = |s: &noslip::expr::Symbol| w.g.name(*s).to_owned();
    let constraints: Vec<Value> = a
        .constraints
        .iter()
        .map(|c| {
            json!({
                "name": c.name, "order": c.order, "linear": c.linear, "homogeneous": c.homogeneous,
                "rheonomic": c.rheonomic, "integrable": c.integrable.as_ref().map(|i| i.integrable),
                "exact": c.exact.as_ref().map(|i| i.integrable),
                "integral": c.integral.as_ref().map(|i| print(w, i.expr)),
            })
        })
        .collect();
    let forms: Map<String, Value> = a
        .forms
        .iter()
        .map(|(id, applies)| {
            let word = match applies {
                Applicability::Applies => "applies".to_owned(),
                Applicability::DoesNotApply(why) => why.clone(),
            };
            ((*id).to_owned(), json!(word))
        })
        .collect();
    let conserved: Vec<String> = a
        .conserved
        .iter()
        .map(|c| if c.name == "energy" { "energy".to_owned() } else { format!("{}: {}", c.name, print(w, c.expr)) })
        .collect();
    let multiplier = |m: &Result<noslip::analysis::ReducingMultiplier, String>| match m {
        Ok(m) => json!({
            "exists": m.exists,
            "coordinates": m.coordinates.iter().map(name).collect::<Vec<_>>(),
            "expression": m.multiplier.map(|e| print(w, e)),
        }),
        Err(why) => json!({"exists": null, "expression": null, "why": why}),
    };
    let growth = a.growth.as_ref();
    let mut document = json!({
        "name": w.system.name,
        "coordinates": w.system.n(),
        "constraints": constraints,
        "degrees_of_freedom": a.degrees_of_freedom(),
        "constraint_rank": a.ranks.constraints,
        "mass_matrix_rank": a.ranks.mass,
        "system_integrable": a.system_integrable(),
        "hidden_relations": a.hidden.iter().map(|h| print(w, h.expr)).collect::<Vec<_>>(),
        "holonomic_part": growth.map(|g| g.holonomic_part()),
        "growth_vector": growth.map(|g| g.vector.clone()),
        "extended_by_time": a.extended_by_time,
        "completely_nonholonomic": growth.map(|g| g.completely_nonholonomic()),
        "rheonomic": a.rheonomic,
        "conservative": a.energy.conservative,
        "chaplygin": {
            "is": a.chaplygin.is(),
            "independent": a.chaplygin.independent.iter().map(name).collect::<Vec<_>>(),
            "dependent": a.chaplygin.dependent.iter().map(name).collect::<Vec<_>>(),
            "why_not": a.chaplygin.why_not,
        },
        "reducing_multiplier": multiplier(&a.reducing_multiplier),
        "reducing_multiplier_quasi": multiplier(&a.reducing_multiplier_quasi),
        "cyclic": a.cyclic.iter().map(name).collect::<Vec<_>>(),
        "conserved": conserved,
        "forms": forms,
    });
    if let Some(state) = state {
        let map = |values: &[f64]| -> Map<String, Value> {
            w.system.coordinates.iter().zip(values).map(|(s, x)| (name(s), json!(x))).collect()
        };
        document["initial"] = json!({
            "t": state.time, "q": map(&state.position), "v": map(&state.velocity),
            "completed": state.completed.iter().map(|c| completion(w, c)).collect::<Vec<_>>(),
        });
    }
    if let Some(fields) = fields {
        let list: Vec<Value> = fields
            .iter()
            .map(|f| json!({"name": f.name, "components": f.components.iter().map(|&e| print(w, e)).collect::<Vec<_>>()}))
            .collect();
        document["brackets"] = json!(list);
    }
    document
}

fn text(w: &Workbench, a: &Analysis, state: Option<&State>, fields: &[BracketField]) -> String {
    let (n, k, l) = (w.system.n(), w.system.k(), a.degrees_of_freedom());
    let plural = |n: usize, one: &str, many: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") };
    let mut out = format!(
        "{}\n{}, {}, {} of freedom\n\n",
        w.system.name,
        plural(n, "coordinate", "coordinates"),
        plural(k, "constraint", "constraints"),
        plural(l, "degree", "degrees")
    );
    for sentence in sentences(&w.g, &w.system, a) {
        let _ = writeln!(out, "- {sentence}");
    }
    if let Some(state) = state {
        for line in completed(w, state) {
            let _ = writeln!(out, "- Initial state, {line}.");
        }
    }
    if !fields.is_empty() {
        out.push_str("\nFields of the distribution and their brackets\n");
        for f in fields {
            let components: Vec<String> = f.components.iter().map(|&e| print(w, e)).collect();
            let _ = writeln!(out, "  {} = ({})", f.name, components.join(", "));
        }
    }
    out.push_str(&forms(a));
    out
}

/// Which forms apply; those that do not, by the reason.
fn forms(a: &Analysis) -> String {
    let mut out = String::from("\nForms of the equations of motion that apply\n");
    let applies: Vec<&str> = a.forms.iter().filter(|(_, x)| *x == Applicability::Applies).map(|(id, _)| *id).collect();
    out.push_str(&filled(if applies.is_empty() { &["none"] } else { &applies }));
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (id, applies) in &a.forms {
        let Applicability::DoesNotApply(why) = applies else { continue };
        match reasons.iter_mut().find(|(reason, _)| reason == why) {
            Some((_, ids)) => ids.push(id),
            None => reasons.push((why, vec![id])),
        }
    }
    if !reasons.is_empty() {
        out.push_str("\nForms that do not\n");
    }
    for (why, ids) in reasons {
        out.push_str(&filled(&ids));
        let _ = writeln!(out, "    {why}");
    }
    out
}

/// Words separated by commas, in lines a terminal holds.
fn filled(words: &[&str]) -> String {
    let (mut out, mut line) = (String::new(), String::from(" "));
    for (i, word) in words.iter().enumerate() {
        if line.len() + word.len() > 78 {
            let _ = writeln!(out, "{line}");
            line = String::from(" ");
        }
        let _ = write!(line, " {word}{}", if i + 1 < words.len() { "," } else { "" });
    }
    let _ = writeln!(out, "{line}");
    out
}
