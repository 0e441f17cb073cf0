//! `noslip principle`

use super::simulate::initial_state;
use super::{forces, say, say_json, shown, written};
use crate::args::{Format, PrincipleArgs};
use crate::failure::{Failure, Outcome};
use crate::open::open;
use noslip::mechanics::Workbench;
use noslip::principles::evaluate::{Incompatibility, evaluate, path, quadrilateral};
use serde_json::{Value, json};
use std::fmt::Write;

/// Evaluates the principles along a motion.
pub fn run(args: &PrincipleArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = initial_state(&mut opened)?;
    let until = args.until.or(opened.model.system.simulation.until.as_ref().map(|x| x.to_f64()));
    let push = forces(&mut opened, "--push", &args.push)?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    if let Some(side) = args.quadrilateral {
        let answer = quadrilateral(&mut w, &state, side)?;
        match args.format {
            Format::Json => say_json(&walk_document(&mut w, &answer)),
            Format::Text => say(&walk_text(&mut w, &answer)),
        }
        return Ok(());
    }
    let until = until.ok_or_else(|| {
        Failure::input("error: no end time\n  = help: give --until T, or `until` under [simulation] in the model")
    })?;
    let push = (!args.push.is_empty()).then_some(&push[..]);
    let path = path(&mut w, &state, until, args.tolerance, push)?;
    let list = evaluate(&mut w, &path);
    if args.format == Format::Json {
        let list: Vec<Value> = list
            .iter()
            .map(|(name, e)| match e {
                Ok(e) => json!({
                    "principle": name, "statement": e.statement, "holds": if e.undecided { Value::Null } else { json!(e.holds) }, "defect": e.defect,
                    "without_transposition": e.without_transposition,
                    "terms": e.terms.iter().map(|t| json!({"variation": t.variation, "value": t.value, "scale": t.scale, "error": t.error})).collect::<Vec<_>>(),
                }),
                Err(e) => json!({"principle": name, "holds": null, "why": e.message}),
            })
            .collect();
        say_json(&json!({"name": w.system.name, "until": until, "pushed": push.is_some(), "principles": list}));
    } else {
        let mut out = format!("{}, t = {} … {until}\n", w.system.name, state.time);
        if push.is_some() {
            out.push_str("along a motion with a force that the principles do not know\n");
        }
        for (name, e) in &list {
            match e {
                Err(e) => _ = writeln!(out, "\n{name}: {}", e.message),
                Ok(e) => {
                    let word = match (e.holds, e.undecided) {
                        (true, _) => "holds",
                        (false, true) => "not decided",
                        (false, false) => "FAILS",
                    };
                    let _ = writeln!(out, "\n{name}: {}   {word}, relative defect {:.2e}", e.statement, e.defect);
                    for t in &e.terms {
                        let _ = writeln!(out, "  {:<48} {:>12.3e} of {:.3e}", t.variation, t.value, t.scale);
                    }
                    if let Some(left) = e.without_transposition {
                        let _ = writeln!(out, "  without the transpositional terms {left:.2e} would be left");
                    }
                }
            }
        }
        say(&out);
    }
    if list.iter().all(|(_, e)| e.is_err()) {
        return Err(Failure::computation("error: no principle applies"));
    }
    let evaluated: Vec<_> = list.iter().filter_map(|(_, e)| e.as_ref().ok()).collect();
    if evaluated.iter().any(|e| !e.holds && !e.undecided) {
        Err(Failure::no())
    } else if evaluated.iter().any(|e| e.undecided) {
        Err(Failure::computation("error: the motion is not smooth enough for the quadrature of a principle")
            .with_help("end the motion earlier with --until, before it comes to a place where it is not smooth"))
    } else {
        Ok(())
    }
}

fn walk_document(w: &mut Workbench, a: &Incompatibility) -> Value {
    let system = w.system.clone();
    let mut varied = serde_json::Map::new();
    for (c, row) in system.constraints.iter().zip(&a.varied) {
        let list: Vec<String> = row.iter().map(|&e| written(w, e)).collect();
        varied.insert(c.name.clone(), json!(list));
    }
    let walks: Vec<Value> = a
        .quadrilaterals
        .iter()
        .map(|q| {
            json!({"fields": [q.fields.0 + 1, q.fields.1 + 1], "side": q.side, "gap": q.gap, "half_gap": q.half_gap,
                   "off": q.off, "covariants": q.covariants})
        })
        .collect();
    json!({"name": w.system.name, "varied_constraints": varied, "quadrilaterals": walks})
}

fn walk_text(w: &mut Workbench, a: &Incompatibility) -> String {
    let system = w.system.clone();
    let mut out = format!("{}\n\n", w.system.name);
    out.push_str(
        "With (b) virtual displacements and (c) d(δq) = δ(dq), the constraints of the varied motion are off by\n\
         (condition (a) asks for zero)\n",
    );
    for (c, row) in system.constraints.iter().zip(&a.varied) {
        for (r, &e) in row.iter().enumerate() {
            let _ = writeln!(out, "    δφ[{}] = {}    for the virtual displacement {}", c.name, shown(w, e), r + 1);
        }
    }
    for q in &a.quadrilaterals {
        let (x, y) = (q.fields.0 + 1, q.fields.1 + 1);
        let _ = writeln!(
            out,
            "\nAlong {x}, {y}, back along {x}, back along {y}, sides {}: the walk misses its start by",
            q.side
        );
        for (i, gap) in q.gap.iter().enumerate() {
            let name = w.g.name(w.system.coordinates[i]);
            let _ = writeln!(out, "    {name:<12} {gap:>14.6e}   (half the side: {:>14.6e})", q.half_gap[i]);
        }
        for (j, c) in w.system.constraints.iter().enumerate() {
            let _ = writeln!(
                out,
                "    off the constraint {} by {:.6} times the square of the side; in the limit {:.6}",
                c.name, q.off[j], q.covariants[j]
            );
        }
    }
    out
}
