//! `noslip inverse`

use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{all_written, constraint_names, names, shown, written};
use clap::Args;
use noslip::Error;
use noslip::analysis::KineticPotential;
use noslip::expr::Known;
use noslip::hamilton::inverse::{Douglas, InverseProblem, ReducedProblem, inverse_problem};
use noslip::mechanics::{IN_GENERAL, Workbench};
use noslip_cli::answers::{
    self, ByName, DoesNotApply, Expression, Inverse, MultiplierGradient, Reduced, ReducedEquations, by_name,
};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Example:
  noslip inverse hoop-upright

The exit status is 1 if the equations are not Lagrangian as they stand.")]
pub struct InverseArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Decides whether the equations are Lagrangian as they stand.
pub fn run(args: &InverseArgs) -> Outcome {
    let mut opened = open(&args.model)?.while_closed();
    let model = &mut opened.model;
    let mut w = model.workbench();
    w.linear_accelerations()
        .map_err(|why| Error::not_applicable(format!("the inverse problem does not arise: {why}")))?;
    let a = inverse_problem(&mut w);
    match args.format.is_json() {
        true => say_json(&answer(&mut w, &a)),
        false => say(&text(&mut w, &a)),
    }
    match a.lagrangian() {
        Known::Proved | Known::Tested { .. } | Known::Numerical => Ok(()),
        Known::Refuted(_) => Err(Failure::no()),
        Known::Unknown(_) => {
            let why = match &a.reduced {
                Err(why) => Some(why.as_str()),
                Ok(r) => r.helmholtz.reason(),
            };
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            let message = format!("whether the equations are Lagrangian as they stand is not decided{why}");
            Err(Error::computation(message).into())
        }
    }
}

fn answer(w: &mut Workbench, a: &InverseProblem) -> Inverse {
    let lagrangian = a.lagrangian();
    let forms = a.lagrange_form.iter().map(|(s, t)| (w.g.name(*s).to_owned(), t.into())).collect();
    Inverse {
        name: w.system.name.clone(),
        lagrangian: (!matches!(lagrangian, Known::Unknown(_))).then(|| lagrangian.holds()),
        // That they are not is as much of an answer.
        how: if lagrangian.is_refuted() { answers::Known::Proved } else { (&lagrangian).into() },
        multipliers_vanish: by_name(&constraint_names(w), a.multipliers_vanish.iter().map(Into::into)),
        multipliers: multipliers(w, a),
        free_forces_have_potential: (&a.free_forces).into(),
        lagrange_form: forms,
        form_forces_have_potential: (&a.form_forces).into(),
        reduced: match &a.reduced {
            Err(why) => Reduced::DoesNotApply(DoesNotApply::because(why)),
            Ok(r) => Reduced::Equations(Box::new(ReducedEquations {
                applies: true,
                coordinates: names(w, &r.coordinates),
                equations: all_written(w, &r.equations),
                helmholtz: (&r.helmholtz).into(),
                obstruction: r.obstruction.map(|e| written(w, e)),
                kinetic_potential: potential(w, r),
                douglas: douglas(w, r),
            })),
        },
    }
}

fn multipliers(w: &mut Workbench, a: &InverseProblem) -> ByName<Expression> {
    let names = constraint_names(w);
    let found = names.into_iter().zip(&a.multipliers);
    found.filter_map(|(name, e)| Some((name, written(w, (*e)?)))).collect()
}

fn potential(w: &mut Workbench, r: &ReducedProblem) -> Option<answers::KineticPotential> {
    Some(match *r.kinetic_potential.as_ref()? {
        KineticPotential::Found { factor, potential } => answers::KineticPotential::Found {
            found: true,
            factor: written(w, factor),
            lagrangian: written(w, potential),
            verified: r.potential_verified.as_ref().map(Into::into),
        },
        KineticPotential::Quadratures { multiplier: [by_t, by_r], closed, force } => {
            answers::KineticPotential::Quadratures {
                found: false,
                multiplier_gradient: MultiplierGradient { t: written(w, by_t), q: written(w, by_r) },
                multiplier: closed.map(|e| written(w, e)),
                force: written(w, force),
            }
        }
        KineticPotential::Open => answers::KineticPotential::Open { found: false },
    })
}

fn douglas(w: &mut Workbench, r: &ReducedProblem) -> Option<answers::Douglas> {
    Some(match r.douglas.as_ref()? {
        Douglas::Found { factors, potential, last_multiplier, verified } => answers::Douglas::Found {
            exists: true,
            factors: factors.iter().map(|row| all_written(w, row)).collect(),
            lagrangian: written(w, *potential),
            last_multiplier: written(w, *last_multiplier),
            verified: verified.into(),
        },
        Douglas::None(e) => answers::Douglas::None { exists: false, determinant: written(w, *e) },
        Douglas::Open => answers::Douglas::Open { exists: None },
    })
}

/// Characters of a determinant that somebody may want to read; JSON has all.
const READABLE: usize = 600;

fn write_douglas(out: &mut String, w: &mut Workbench, found: &Douglas) {
    match found {
        Douglas::Found { factors, potential, last_multiplier, verified } => {
            let rows: Vec<String> =
                factors.iter().map(|row| row.iter().map(|&e| shown(w, e)).collect::<Vec<_>>().join(", ")).collect();
            let _ = writeln!(out, "Kinetic potential Θ = {}", shown(w, *potential));
            let word = verified.answer();
            let _ = writeln!(out, "  its Lagrange equations are g·(r'' − F), g = [{}]: {word}", rows.join("; "));
            let _ = writeln!(out, "  Jacobi's last multiplier det g = {}", shown(w, *last_multiplier));
        }
        Douglas::None(e) => {
            out.push_str("No matrix of factors makes them Lagrangian (Douglas): proved\n");
            let determinant = shown(w, *e);
            let _ = match determinant.chars().count() {
                0..=READABLE => writeln!(out, "  the determinant of the conditions on it is {determinant}"),
                _ => writeln!(out, "  the determinant of the conditions on it, a page long, does not vanish"),
            };
        }
        Douglas::Open => out.push_str("Whether a matrix of factors makes them Lagrangian is not decided.\n"),
    }
}

fn text(w: &mut Workbench, a: &InverseProblem) -> String {
    let mut out = format!("{}\n\n", w.system.name);
    if !w.system.constraints.is_empty() {
        out.push_str("Do the multipliers vanish along every motion?\n");
    }
    for (j, c) in w.system.clone().constraints.iter().enumerate() {
        let _ = writeln!(out, "  {:<24} {}", c.name, in_words(&a.multipliers_vanish[j]));
        if let Some(e) = a.multipliers[j] {
            let _ = match w.g.as_number(e) {
                Some(_) => writeln!(out, "    nowhere"),
                None => writeln!(out, "    only where 0 = {}", shown(w, e)),
            };
        }
    }
    let vanish = !a.multipliers_vanish.is_empty() && a.multipliers_vanish.iter().all(|t| t.holds());
    write_forces(&mut out, vanish, &a.free_forces);
    out.push_str("Is Lagrange's equation of T°, constraints inserted, right?\n");
    for (s, t) in &a.lagrange_form {
        let _ = writeln!(out, "  {:<24} {}", w.g.name(*s), in_words(t));
    }
    let form = !a.lagrange_form.is_empty() && a.lagrange_form.iter().all(|(_, t)| t.holds());
    write_forces(&mut out, form, &a.form_forces);
    match &a.reduced {
        Ok(r) => write_reduced(&mut out, w, r),
        Err(why) => _ = writeln!(out, "There are no closed reduced equations: {why}"),
    }
    out.push('\n');
    out.push_str(match a.lagrangian() {
        Known::Proved => "The equations of motion are Lagrangian as they stand.\n",
        Known::Tested { .. } | Known::Numerical => {
            "The equations of motion are Lagrangian as they stand (tested at random states).\n"
        }
        Known::Refuted(_) => "The reduced equations of motion are not Lagrangian as they stand.\n",
        Known::Unknown(_) => "Whether the equations of motion are Lagrangian as they stand is not decided.\n",
    });
    out
}

/// Lagrange's form is not enough: the forces must have a potential too.
fn write_forces(out: &mut String, form: bool, forces: &Known) {
    if form && !forces.holds() {
        let word = if forces.is_refuted() { "have no potential" } else { "are not known to have a potential" };
        let _ = writeln!(out, "  … but the forces {word}");
    }
}

fn write_reduced(out: &mut String, w: &mut Workbench, r: &ReducedProblem) {
    let names: Vec<&str> = r.coordinates.iter().map(|&s| w.g.name(s)).collect();
    let _ = writeln!(out, "The reduced equations in {}", names.join(", "));
    for &e in &r.equations {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    let _ = writeln!(out, "Do they satisfy Helmholtz's conditions? {}", in_words(&r.helmholtz));
    if let Some(e) = r.obstruction {
        let _ = writeln!(out, "  what should vanish and does not: {}", shown(w, e));
    }
    if let Some(found) = &r.douglas {
        write_douglas(out, w, found);
    }
    match r.kinetic_potential {
        None => {}
        Some(KineticPotential::Found { factor, potential }) => {
            let word = r.potential_verified.as_ref().map_or("unknown", Known::answer);
            let (factor, potential) = (shown(w, factor), shown(w, potential));
            let _ = writeln!(out, "Kinetic potential Θ = {potential}");
            let _ = writeln!(out, "  its Lagrange equation is the reduced one times {factor}: {word}");
        }
        Some(KineticPotential::Quadratures { multiplier: [by_t, by_r], closed, force }) => {
            let q = w.g.name(r.coordinates[0]).to_owned();
            let force = shown(w, force);
            let _ = writeln!(out, "Kinetic potential Θ = ½ M {q}'² + ∫ M·({force}) d{q}");
            let _ = match closed {
                Some(m) => writeln!(out, "  M = {}; the integral was not found in closed form", shown(w, m)),
                None => {
                    let (by_t, by_r) = (shown(w, by_t), shown(w, by_r));
                    writeln!(out, "  d ln M = ({by_t}) dt + ({by_r}) d{q}, which was not integrated in closed form")
                }
            };
        }
        Some(KineticPotential::Open) => {
            out.push_str("A kinetic potential exists, as always with one degree of freedom, but no quadrature for it was found.\n");
        }
    }
}

fn in_words(t: &Known) -> &str {
    match t {
        Known::Proved => "yes: proved",
        Known::Tested { .. } | Known::Numerical => "yes: tested",
        Known::Refuted(_) => "no",
        Known::Unknown(why) if why.starts_with(IN_GENERAL) => why,
        Known::Unknown(_) => "not decided",
    }
}
