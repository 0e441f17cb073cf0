//! `noslip principle`

use crate::failure::{Failure, Outcome};
use crate::motion::warn_of_tables;
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, finite, named, unknown};
use crate::terminal::{say, say_json};
use crate::words::{all_written, constraint_names, coordinate_names, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::expr::{Role, Symbol};
use noslip::mechanics::Workbench;
use noslip::model::State;
use noslip::principles::evaluate::{Evaluation, Incompatibility, evaluate, path, quadrilateral};
use noslip::principles::family::{Action, Given, Range, action, construct};
use noslip_cli::answers::{
    ActionOnFamily, Evaluated, FamilyMember, GivenCoordinate, Least, Principle, PrincipleEvaluation, Quadrilateral,
    Term, by_name,
};
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
  noslip principle appell-particle --family \"y+=alpha*sin(2*pi*t)\" \\
         --until 1                                  the action on a family of
                                                    possible motions
  noslip principle sleigh.toml --family construct   on one whose ends are fixed

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
    /// The action on a family of possible motions: COORDINATE=EXPR of t and alpha, COORDINATE+=EXPR for what is added to the
    /// motion, or `construct` for a family with fixed ends; may be repeated
    #[arg(long, value_name = "NAME=EXPR", allow_hyphen_values = true, conflicts_with_all = ["quadrilateral", "push"])]
    pub family: Vec<String>,
    /// Name of the parameter of the family
    #[arg(long, value_name = "NAME", default_value = "alpha", requires = "family")]
    pub by: String,
    /// Largest value of the parameter of the family
    #[arg(long, value_name = "A", value_parser = finite, default_value = "0.1", allow_hyphen_values = true)]
    pub amplitude: f64,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Evaluates the principles along a motion.
pub fn run(args: &PrincipleArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let state = opened.initial_state()?;
    let until = args.until.or(opened.model.system.simulation.until.as_ref().map(|x| x.to_f64()));
    if !args.family.is_empty() {
        return on_family(args, opened, &state, until);
    }
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
    let until = until.ok_or_else(no_end)?;
    let push = (!args.push.is_empty()).then_some(&push[..]);
    let path = path(&mut w, &state, until, args.tolerance, push)?;
    warn_of_tables(&w);
    let list = evaluate(&mut w, &path);
    if args.format.is_json() {
        say_json(&Principle::Along {
            name: w.system.name.clone(),
            until,
            pushed: push.is_some(),
            principles: list.iter().map(|(name, e)| evaluated(&mut w, name, e)).collect(),
        });
    } else {
        let mut out = format!("{}, t = {} … {until}\n", w.system.name, state.time);
        if push.is_some() {
            out.push_str("along a motion with a force that the principles do not know\n");
        }
        for (name, e) in &list {
            match e {
                Err(e) => _ = writeln!(out, "\n{name}: {}", e.message),
                Ok(e) => write_evaluation(&mut w, &mut out, name, e),
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

fn no_end() -> Error {
    Error::input("no end time").hint("give --until T, or `until` under [simulation] in the model")
}

/// The action on a family.
fn on_family(args: &PrincipleArgs, mut opened: Opened, state: &State, until: Option<f64>) -> Outcome {
    let until = until.ok_or_else(no_end)?;
    let parameter = opened.model.declare_constant(args.by.trim());
    let parameter = parameter.map_err(|e| Failure::at(&[e], "--by", args.by.trim()))?;
    let constructed = args.family.iter().any(|f| f.trim() == "construct");
    if constructed && args.family.len() > 1 {
        return Err(Error::input("`--family construct` gives all coordinates; leave the others out").into());
    }
    let mut given = Vec::new();
    if !constructed {
        for text in &args.family {
            given.push(member(&mut opened, text, parameter)?);
        }
    }
    let range = Range { until, amplitude: args.amplitude, tolerance: args.tolerance };
    let mut w = opened.model.workbench();
    if constructed {
        given = construct(&mut w, state, parameter, range)?;
    }
    let found = action(&mut w, state, &given, parameter, range)?;
    warn_of_tables(&w);
    match args.format.is_json() {
        true => say_json(&family_answer(&mut w, &found)),
        false => say(&family_text(&mut w, &found, &args.by)),
    }
    Ok(())
}

/// One coordinate of a family.
fn member(opened: &mut Opened, text: &str, parameter: Symbol) -> Result<Given, Failure> {
    let (name, rest) = named("--family", text)?;
    let (name, added) = match name.strip_suffix('+') {
        Some(name) => (name.trim(), true),
        None => (name, false),
    };
    let value = opened.expression("--family", rest)?;
    let model = &opened.model;
    let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
    let coordinate = known.iter().position(|&k| k == name);
    let coordinate = coordinate.ok_or_else(|| unknown(&format!("`--family {text}`: "), "coordinate", name, &known))?;
    let allowed = |s: &Symbol| {
        let constant = [Role::Constant, Role::Parameter, Role::Time].contains(&model.arena.role(*s));
        constant || *s == parameter
    };
    if let Some(&s) = model.arena.free_symbols(&[value]).iter().find(|s| !allowed(s)) {
        let message = format!("`--family {text}`: `{}` is not time, a parameter or a number", model.arena.name(s));
        return Err(Error::input(message).hint("a family is a function of time and of its own parameter").into());
    }
    Ok(Given { coordinate, value, added })
}

fn family_answer(w: &mut Workbench, a: &Action) -> Principle {
    let names = coordinate_names(w);
    let at = |q: &[f64]| by_name(&names, q.iter().copied());
    let mut given = Vec::new();
    for g in &a.given {
        let value = written(w, g.value);
        given.push(GivenCoordinate { coordinate: names[g.coordinate].clone(), value, added: g.added });
    }
    Principle::Family(Box::new(ActionOnFamily {
        name: w.system.name.clone(),
        given,
        dependent: a.dependent.iter().map(|&s| w.g.name(s).to_owned()).collect(),
        members: a
            .members
            .iter()
            .map(|m| FamilyMember { parameter: m.parameter, action: m.action, jacobi: m.jacobi, end: at(&m.end) })
            .collect(),
        rate: a.rate,
        differences: a.differences,
        ends: a.ends,
        reactions: a.reactions,
        forces: a.forces,
        off: a.off,
        variations: [at(&a.variations.0), at(&a.variations.1)],
        not_virtual: a.not_virtual,
        jacobi_rate: a.least.as_ref().ok().map(|l| l.0),
        lagrange: a.least.as_ref().ok().map(|l| l.1),
    }))
}

/// Without the sign of what is nothing to six digits.
fn rounded(x: f64) -> f64 {
    if x.abs() < 5e-7 { 0.0 } else { x }
}

fn family_text(w: &mut Workbench, a: &Action, by: &str) -> String {
    let mut out = format!("{}, t = {} … {}\n\nFamily\n", w.system.name, a.span.0, a.span.1);
    for g in &a.given {
        let (q, e) = (symbol(w, w.system.coordinates[g.coordinate]), shown(w, g.value));
        let _ = match g.added {
            true => writeln!(out, "    {q} + {e}"),
            false => writeln!(out, "    {q} = {e}"),
        };
    }
    if !a.dependent.is_empty() {
        let list: Vec<String> = a.dependent.iter().map(|&s| symbol(w, s)).collect();
        let _ = writeln!(out, "    {} from the constraints", list.join(", "));
    }
    let names: Vec<String> = w.system.coordinates.clone().into_iter().map(|s| symbol(w, s)).collect();
    let list = |q: &[f64]| -> String {
        let list: Vec<String> = names.iter().zip(q).map(|(n, x)| format!("{n} = {:.6}", rounded(*x))).collect();
        list.join(", ")
    };
    let _ = writeln!(out, "\n{by:>10} {:>18} {:>18}   end", "W = ∫ L dt", "Jacobi's action");
    for m in &a.members {
        let jacobi = m.jacobi.map_or_else(|| "—".to_owned(), |x| format!("{x:.12}"));
        let _ = writeln!(out, "{:>10} {:>18.12} {jacobi:>18}   {}", m.parameter, m.action, list(&m.end));
    }
    match a.has_motion() {
        true => _ = writeln!(out, "\nThe member {by} = 0 is the motion."),
        false => _ = writeln!(out, "\nThe member {by} = 0 is not the motion: it is off by up to {:.3e}.", a.off),
    }
    let _ =
        writeln!(out, "δq at the beginning: {}\nδq at the end:       {}", list(&a.variations.0), list(&a.variations.1));
    let kind =
        if a.not_virtual < 1e-7 { "they are virtual displacements" } else { "they are no virtual displacements" };
    let _ = writeln!(out, "Largest Σ A δq along the motion: {:.3e}; {kind}.", a.not_virtual);
    let _ = writeln!(out, "\ndW/d{by} at 0: {:.12} (from the differences of W: {:.12})", a.rate, a.differences);
    if a.has_motion() {
        let right = a.ends - a.reactions - a.forces;
        let _ = writeln!(
            out,
            "  = [Σ p δq] − ∫ Σ λ A δq dt − ∫ Σ Q δq dt = {:.12} − {:.12} − {:.12} = {right:.12}",
            a.ends, a.reactions, a.forces
        );
    }
    match &a.least {
        Ok((rate, lagrange)) => {
            let _ =
                writeln!(out, "dJ/d{by} at 0, from differences: {rate:.6}; Lagrange's action ∫ 2T dt = {lagrange:.12}");
        }
        Err(why) => _ = writeln!(out, "Lagrange's and Jacobi's action do not apply: {why}"),
    }
    out
}

fn evaluated(w: &mut Workbench, name: &str, e: &noslip::Result<Evaluation>) -> Evaluated {
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
                least: e.least.map(|(z, first, last)| Least { value: written(w, z), first, last }),
                terms: e.terms.iter().map(term).collect(),
            })
        }
    }
}

fn write_evaluation(w: &mut Workbench, out: &mut String, name: &str, e: &Evaluation) {
    let word = match (e.holds, e.undecided) {
        (true, _) => "holds",
        (false, true) => "not decided",
        (false, false) => "FAILS",
    };
    let _ = writeln!(out, "\n{name}: {}   {word}, relative defect {:.2e}", e.statement, e.defect);
    for t in &e.terms {
        let _ = writeln!(out, "  {:<48} {:>12.3e} of {:.3e}", t.variation, t.value, t.scale);
    }
    if let Some((z, first, last)) = e.least {
        let _ = writeln!(out, "  Z = {}", shown(w, z));
        let _ = writeln!(out, "  Z at the beginning {first:.9}, at the end {last:.9}");
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
