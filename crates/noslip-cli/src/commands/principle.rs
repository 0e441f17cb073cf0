//! `noslip principle`

use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, finite};
use crate::terminal::{say, say_json};
use crate::words::{all_written, constraint_names, shown};
use clap::Args;
use noslip::Error;
use noslip::mechanics::Workbench;
use noslip::principles::evaluate::{Evaluation, Incompatibility, evaluate, path, quadrilateral};
use noslip_cli::answers::{Evaluated, Principle, PrincipleEvaluation, Quadrilateral, Term, by_name};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip principle sleigh.toml --until 2            along the motion they hold
  noslip principle sleigh.toml --push phi=0.3       under a force they are not
                                                    told of, they fail
  noslip principle sleigh.toml --quadrilateral 0.1  two virtual displacements in
                                                    both orders

The principles are those of Hölder, Suslov, Suslov–Jourdain and Gauss.
The exit status is 1 if a principle fails.")]
pub struct PrincipleArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// End time; the model's own if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Tolerance of the integration
    #[arg(long, value_name = "R", value_parser = finite, default_value = "1e-12", allow_hyphen_values = true)]
    pub tolerance: f64,
    /// An additional force, COORDINATE=EXPR: a deliberately wrong motion; may be repeated
    #[arg(long, value_name = "NAME=EXPR", allow_hyphen_values = true)]
    pub push: Vec<String>,
    /// Walk along two virtual displacements in both orders, with sides of this length, at the initial state
    #[arg(long, value_name = "SIDE", value_parser = finite, allow_hyphen_values = true)]
    pub quadrilateral: Option<f64>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Evaluates the principles along a motion.
pub fn run(args: &PrincipleArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = opened.initial_state()?;
    let until = args.until.or(opened.model.system.simulation.until.as_ref().map(|x| x.to_f64()));
    let push = opened.forces("--push", &args.push)?;
    let model = &mut opened.model;
    let mut w = model.workbench();
    if let Some(side) = args.quadrilateral {
        let walk = quadrilateral(&mut w, &state, side)?;
        match args.format.is_json() {
            true => say_json(&walk_answer(&mut w, &walk)),
            false => say(&walk_text(&mut w, &walk)),
        }
        return Ok(());
    }
    let until = until.ok_or_else(|| {
        Error::input("no end time").hint("give --until T, or `until` under [simulation] in the model")
    })?;
    let push = (!args.push.is_empty()).then_some(&push[..]);
    let path = path(&mut w, &state, until, args.tolerance, push)?;
    let list = evaluate(&mut w, &path);
    if args.format.is_json() {
        say_json(&Principle::Along {
            name: w.system.name.clone(),
            until,
            pushed: push.is_some(),
            principles: list.iter().map(|(name, e)| evaluated(name, e)).collect(),
        });
    } else {
        let mut out = format!("{}, t = {} … {until}\n", w.system.name, state.time);
        if push.is_some() {
            out.push_str("along a motion with a force that the principles do not know\n");
        }
        for (name, e) in &list {
            match e {
                Err(e) => _ = writeln!(out, "\n{name}: {}", e.message),
                Ok(e) => write_evaluation(&mut out, name, e),
            }
        }
        say(&out);
    }
    let applicable: Vec<&Evaluation> = list.iter().filter_map(|(_, e)| e.as_ref().ok()).collect();
    if applicable.is_empty() {
        Err(Error::not_applicable("no principle applies").into())
    } else if applicable.iter().any(|e| !e.holds && !e.undecided) {
        Err(Failure::no())
    } else if applicable.iter().any(|e| e.undecided) {
        Err(Error::computation("the motion is not smooth enough for the quadrature of a principle")
            .hint("end the motion earlier with --until, before it comes to a place where it is not smooth")
            .into())
    } else {
        Ok(())
    }
}

fn evaluated(name: &str, e: &noslip::Result<Evaluation>) -> Evaluated {
    let principle = name.to_owned();
    match e {
        Err(e) => Evaluated::DoesNotApply { principle, holds: None, why: e.message.clone() },
        Ok(e) => {
            let term = |t: &noslip::principles::evaluate::Term| Term {
                variation: t.variation.clone(),
                value: t.value,
                scale: t.scale,
                error: t.error,
            };
            Evaluated::Evaluation(PrincipleEvaluation {
                principle,
                statement: e.statement.to_string(),
                holds: (!e.undecided).then_some(e.holds),
                defect: e.defect,
                without_transposition: e.without_transposition,
                terms: e.terms.iter().map(term).collect(),
            })
        }
    }
}

fn write_evaluation(out: &mut String, name: &str, e: &Evaluation) {
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

fn walk_answer(w: &mut Workbench, a: &Incompatibility) -> Principle {
    let varied: Vec<_> = a.varied.iter().map(|row| all_written(w, row)).collect();
    let walk = |q: &noslip::principles::evaluate::Quadrilateral| Quadrilateral {
        fields: [q.fields.0 + 1, q.fields.1 + 1],
        side: q.side,
        gap: q.gap.clone(),
        half_gap: q.half_gap.clone(),
        off: q.off.clone(),
        covariants: q.covariants.clone(),
    };
    Principle::Walk {
        name: w.system.name.clone(),
        varied_constraints: by_name(&constraint_names(w), varied),
        quadrilaterals: a.quadrilaterals.iter().map(walk).collect(),
    }
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
