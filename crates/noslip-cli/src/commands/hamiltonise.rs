//! `noslip hamiltonise`

use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, unknown};
use crate::terminal::{say, say_json};
use crate::words::{all_written, names, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::expr::{Expr, Known};
use noslip::hamilton::hamiltonise::{
    Arzhanykh, Finding, Hamiltonisation, arzhanykh, chaplygin, proposed, quasi_coordinates, with_independent,
};
use noslip::hamilton::law::LawOfMotion;
use noslip::hamilton::new_time::{Quadratures, hamilton_form};
use noslip::hamilton::second_case::{SecondCase, second_case};
use noslip::mechanics::Workbench;
use noslip_cli::answers::{self, DoesNotApply, Hamiltonise, InNewTime, Multipliers, Search, Substitution, by_name};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip hamiltonise nonholonomic-particle                find N, dτ = N dt
  noslip hamiltonise sleigh.toml --multiplier \"cos(phi)\"  test a multiplier
  noslip hamiltonise chaplygin-sledge --independent x,phi in these coordinates

The exit status is 1 if there is no multiplier, or the proposed one is wrong.")]
pub struct HamiltoniseArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Coordinates to keep independent, separated by commas; the multiplier is a function of them
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub independent: Vec<String>,
    /// Test this multiplier
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub multiplier: Option<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Finds or tests a reducing multiplier.
pub fn run(args: &HamiltoniseArgs) -> Outcome {
    let mut opened = open(&args.model)?.while_closed();
    let candidate = match &args.multiplier {
        Some(text) => Some(opened.expression("--multiplier", text)?),
        None => None,
    };
    let model = &mut opened.model;
    if !args.independent.is_empty() {
        let known: Vec<&str> = model.system.coordinates.iter().map(|&s| model.arena.name(s)).collect();
        let mut chosen = Vec::new();
        for name in &args.independent {
            let i = known.iter().position(|&n| n == name.trim());
            let i = i.ok_or_else(|| unknown("`--independent`: ", "coordinate", name, &known))?;
            chosen.push(model.system.coordinates[i]);
        }
        model.system = with_independent(&mut model.arena, &model.system, &chosen);
    }
    let mut w = model.workbench();
    match candidate {
        Some(n) => test(args, &mut w, n),
        None => search(args, &mut w),
    }
}

/// Tests the multiplier that was given.
fn test(args: &HamiltoniseArgs, w: &mut Workbench, candidate: Expr) -> Outcome {
    let found = proposed(w, candidate)?;
    if args.format.is_json() {
        say_json(&Hamiltonise::Proposed { name: w.system.name.clone(), proposed: Box::new(system(w, &found)) });
    } else {
        let mut out = format!("{}\n", w.system.name);
        write_system(&mut out, w, &found);
        say(&out);
    }
    match &found.verified {
        Known::Unknown(why) => {
            Err(Error::computation(format!("whether this is a reducing multiplier is not decided: {why}")).into())
        }
        known if known.holds() => Ok(()),
        _ => Err(Failure::no()),
    }
}

/// Searches for multipliers in all the ways there are.
fn search(args: &HamiltoniseArgs, w: &mut Workbench) -> Outcome {
    let coordinates = chaplygin(w);
    let quasi = quasi_coordinates(w);
    let substitution = arzhanykh(w);
    // Chaplygin's second case begins where the first ends.
    let excluded = coordinates.as_ref().is_ok_and(|f| !f.condition.exists);
    let second = excluded.then(|| second_case(w));
    if args.format.is_json() {
        say_json(&Hamiltonise::Found(Box::new(Multipliers {
            name: w.system.name.clone(),
            coordinates: found(w, &coordinates),
            quasi_coordinates: found(w, &quasi),
            arzhanykh: substituted(w, &substitution),
            second_case: second.map(|s| in_second_case(w, &s)),
        })));
    } else {
        let mut out = format!("{}\n", w.system.name);
        for (name, f) in [("coordinates", &coordinates), ("quasi-coordinates", &quasi)] {
            let _ = writeln!(out, "\nIn {name}");
            match f {
                Ok(f) => write_finding(&mut out, w, f),
                Err(why) => _ = writeln!(out, "  the question does not arise: {why}"),
            }
        }
        write_substitution(&mut out, w, &substitution);
        if let Some(second) = &second {
            write_second_case(&mut out, w, second);
        }
        say(&out);
    }
    let findings = [&coordinates, &quasi].into_iter().filter_map(|f| f.as_ref().ok());
    let findings = findings.chain(substitution.as_ref().ok().map(|a| &a.finding));
    let exists: Vec<Known> = findings.map(Finding::exists).collect();
    if exists.is_empty() {
        let why: Vec<&str> =
            [&coordinates, &quasi].into_iter().filter_map(|f| f.as_ref().err()).map(String::as_str).collect();
        let message = format!("a reducing multiplier does not apply: {}", why.join("; "));
        Err(Error::not_applicable(message).into())
    } else if exists.iter().any(Known::holds) {
        Ok(())
    } else if exists.iter().all(Known::is_refuted) {
        Err(Failure::no())
    } else {
        Err(Error::computation("neither a multiplier nor a proof that there is none was found").into())
    }
}

fn found(w: &mut Workbench, f: &Result<Finding, String>) -> Search {
    match f {
        Ok(f) => Search::Finding(Box::new(finding(w, f))),
        Err(why) => Search::DoesNotApply(DoesNotApply::because(why)),
    }
}

fn substituted(w: &mut Workbench, a: &Result<Arzhanykh, String>) -> Substitution {
    match a {
        Ok(a) => Substitution::Applies(Box::new(answers::Arzhanykh {
            applies: true,
            coordinate: w.g.name(a.coordinate).to_owned(),
            other: w.g.name(a.other).to_owned(),
            a: written(w, a.a),
            b: written(w, a.b),
            finding: finding(w, &a.finding),
        })),
        Err(why) => Substitution::DoesNotApply(DoesNotApply::because(why)),
    }
}

fn in_second_case(w: &mut Workbench, s: &Result<SecondCase, String>) -> answers::SecondCase {
    match s {
        Ok(s) => answers::SecondCase::Applies(Box::new(answers::FamilyOfPaths {
            applies: true,
            coordinate: w.g.name(s.coordinate).to_owned(),
            other: w.g.name(s.other).to_owned(),
            constant: w.g.name(s.constant).to_owned(),
            energy: w.g.name(s.energy).to_owned(),
            path: written(w, s.path),
            multiplier: written(w, s.multiplier),
            paths_verified: (&s.paths_verified).into(),
            verified: (&s.verified).into(),
            slopes: s.slopes.map(|e| written(w, e)),
            slopes_verified: (&s.slopes_verified).into(),
        })),
        Err(why) => answers::SecondCase::DoesNotApply(DoesNotApply::because(why)),
    }
}

fn finding(w: &mut Workbench, f: &Finding) -> answers::Finding {
    let exists = f.exists();
    answers::Finding {
        applies: true,
        coordinates: names(w, &f.condition.coordinates),
        exists: f.condition.exists,
        // That there is none is as much of an answer.
        how: if exists.is_refuted() { answers::Known::Proved } else { (&exists).into() },
        gradient: all_written(w, &f.condition.gradient),
        obstruction: f.condition.obstruction.map(|e| written(w, e)),
        system: f.system.as_ref().map(|s| system(w, s)),
    }
}

fn system(w: &mut Workbench, s: &Hamiltonisation) -> InNewTime {
    InNewTime {
        coordinates: names(w, &s.coordinates),
        multiplier: written(w, s.multiplier),
        lagrangian: written(w, s.lagrangian),
        other_forces: all_written(w, &s.other_forces),
        equations: all_written(w, &s.equations),
        verified: (&s.verified).into(),
        difference: s.difference.map(|e| written(w, e)),
        measure: written(w, s.measure),
        measure_invariant: (&s.measure_invariant).into(),
        hamilton: s.verified.holds().then(|| hamilton(w, s)).flatten(),
    }
}

/// Hamilton's form for a document.
fn hamilton(w: &mut Workbench, s: &Hamiltonisation) -> Option<answers::HamiltonForm> {
    let f = hamilton_form(w, s).ok()?;
    let (coordinates, momenta) = (names(w, &s.coordinates), names(w, &f.momenta));
    let quadratures = f.quadratures.as_ref().map(|q| answers::Quadratures {
        coordinate: w.g.name(q.coordinate).to_owned(),
        absent: w.g.name(q.absent).to_owned(),
        slope: written(w, q.slope),
        new_time: written(w, q.integrands.0),
        path: written(w, q.integrands.1),
        time: q.time.map(|e| written(w, e)),
        closed: q.closed.map(|e| e.map(|e| written(w, e))),
        verified: (&q.verified).into(),
        law: q.law.as_ref().map(|l| answers::LawOfMotion {
            start: w.g.name(l.start).to_owned(),
            shift: w.g.name(l.shift).to_owned(),
            coordinate: written(w, l.coordinate),
            absent: l.absent.map(|e| written(w, e)),
            verified: (&l.verified).into(),
        }),
    });
    Some(answers::HamiltonForm {
        momenta: by_name(&momenta, all_written(w, &f.definitions)),
        hamiltonian: written(w, f.hamiltonian),
        velocities: by_name(&coordinates, all_written(w, &f.rates.0)),
        rates: by_name(&momenta, all_written(w, &f.rates.1)),
        hamilton_jacobi: written(w, f.hamilton_jacobi),
        quadratures,
    })
}

fn write_hamilton(out: &mut String, w: &mut Workbench, s: &Hamiltonisation) {
    let f = match hamilton_form(w, s) {
        Ok(f) => f,
        Err(why) => {
            let _ = writeln!(out, "  Hamilton's form in the new time does not apply: {why}");
            return;
        }
    };
    let _ = writeln!(out, "  Hamilton's form in the new time: H = {}", shown(w, f.hamiltonian));
    for (&p, &e) in f.momenta.iter().zip(&f.definitions) {
        let _ = writeln!(out, "    {} = {}", symbol(w, p), shown(w, e));
    }
    let _ = writeln!(out, "  Hamilton–Jacobi equation: {} = 0", shown(w, f.hamilton_jacobi));
    let Some(q) = f.quadratures else { return };
    let (r, absent) = (symbol(w, q.coordinate), symbol(w, q.absent));
    let word = q.verified.answer();
    let _ = writeln!(out, "  {absent} does not occur in H: S = c·{absent} + ∫ R d{r} solves it ({word}), with");
    let _ = writeln!(out, "    R = {}", shown(w, q.slope));
    let lines = [
        ("τ − τ₀".to_owned(), Some(q.integrands.0), q.closed[0]),
        (format!("{absent} − b"), Some(q.integrands.1), q.closed[1]),
        ("t − t₀".to_owned(), q.time, q.closed[2]),
    ];
    for (left, integrand, closed) in lines {
        let Some(e) = integrand else { continue };
        let _ = match closed {
            Some(closed) => writeln!(out, "    {left} = ∫ {} d{r} = {}", shown(w, e), shown(w, closed)),
            None => writeln!(out, "    {left} = ∫ {} d{r}", shown(w, e)),
        };
    }
    if let Some(law) = &q.law {
        write_law(out, w, &q, law);
    }
}

fn write_law(out: &mut String, w: &mut Workbench, q: &Quadratures, law: &LawOfMotion) {
    let _ = writeln!(out, "  inverted, the law of motion; it satisfies the equations: {}", law.verified.answer());
    let _ = writeln!(out, "    {} = {}", symbol(w, q.coordinate), shown(w, law.coordinate));
    if let Some(e) = law.absent {
        let _ = writeln!(out, "    {} = {}", symbol(w, q.absent), shown(w, e));
    }
}

fn write_finding(out: &mut String, w: &mut Workbench, f: &Finding) {
    let list: Vec<String> = f.condition.coordinates.iter().map(|&s| symbol(w, s)).collect();
    let coordinates = list.join(", ");
    for (&s, v) in f.condition.coordinates.iter().zip(&f.condition.quasi_velocities) {
        if let Some(v) = v {
            let _ = writeln!(out, "  {} is the quasi-coordinate with the velocity {}", symbol(w, s), symbol(w, *v));
        }
    }
    for (&s, &e) in f.condition.coordinates.iter().zip(&f.condition.gradient) {
        let _ = writeln!(out, "  ∂ ln N/∂{} = {}", symbol(w, s), shown(w, e));
    }
    if !f.condition.exists {
        let _ = match f.exists() {
            Known::Refuted(_) => writeln!(out, "  no multiplier N({coordinates}) exists: proved"),
            Known::Unknown(why) if matches!(f.condition.certainty, Known::Unknown(_)) => {
                writeln!(out, "  whether a multiplier N({coordinates}) exists is not decided: {why}")
            }
            _ => writeln!(out, "  a multiplier N({coordinates}) does not seem to exist; this is tested, not proved"),
        };
        if let Some(e) = f.condition.obstruction {
            let what = match f.condition.gradient.is_empty() {
                true => "the conditions on ∂ ln N contradict each other: their determinant is",
                false => "the condition of compatibility fails: the mixed derivatives of ln N differ by",
            };
            let _ = writeln!(out, "  {what} {}", shown(w, e));
        }
        return;
    }
    match &f.system {
        Some(s) => write_system(out, w, s),
        None => {
            let word = f.exists().answer();
            let _ = writeln!(out, "  N({coordinates}) exists ({word}); its quadrature was not found in closed form");
        }
    }
}

fn write_system(out: &mut String, w: &mut Workbench, s: &Hamiltonisation) {
    let _ = writeln!(out, "  dτ = N dt with N = {}", shown(w, s.multiplier));
    let _ = writeln!(out, "  Lagrangian in the new time (dots are derivatives by τ): {}", shown(w, s.lagrangian));
    for (&q, &e) in s.coordinates.iter().zip(&s.other_forces) {
        if !w.g.is_zero(e) {
            let _ = writeln!(out, "  beside it the force on {}: {}", symbol(w, q), shown(w, e));
        }
    }
    for &e in &s.equations {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    let _ = writeln!(out, "  are these the equations of motion, back in t? {}", s.verified.answer());
    if let Some(e) = s.difference {
        let _ = writeln!(out, "  the difference is {}", shown(w, e));
    }
    let _ = writeln!(
        out,
        "  density of the measure in coordinates and velocities: {} (invariant: {})",
        shown(w, s.measure),
        s.measure_invariant.answer()
    );
    if s.verified.holds() {
        write_hamilton(out, w, s);
    }
}

fn write_substitution(out: &mut String, w: &mut Workbench, a: &Result<Arzhanykh, String>) {
    out.push_str("\nArzhanykh's substitution\n");
    match a {
        Err(why) => _ = writeln!(out, "  does not apply: {why}"),
        Ok(a) => {
            let (one, two) = (symbol(w, a.coordinate), symbol(w, a.other));
            let _ = writeln!(out, "  the inertia depends on {one} alone; d{two} = A dη + B d{one}");
            if w.g.is_one(a.a) && w.g.is_zero(a.b) {
                let _ = writeln!(out, "  A = 1 and B = 0: η is {two}, see above");
                return;
            }
            let _ = writeln!(out, "  A = {}", shown(w, a.a));
            let _ = writeln!(out, "  B = {}", shown(w, a.b));
            write_finding(out, w, &a.finding);
        }
    }
}

fn write_second_case(out: &mut String, w: &mut Workbench, s: &Result<SecondCase, String>) {
    out.push_str("\nChaplygin's second case: a multiplier for each family of paths\n");
    let s = match s {
        Ok(s) => s,
        Err(why) => {
            let _ = writeln!(out, "  not solved: {why}");
            return;
        }
    };
    let (one, two, delta) = (symbol(w, s.coordinate), symbol(w, s.other), symbol(w, s.constant));
    let _ = writeln!(out, "  paths d{two}/d{one} = {}", shown(w, s.path));
    let _ = writeln!(out, "  are they paths of motions, for every {delta}? {}", s.paths_verified.answer());
    let _ = writeln!(out, "  dτ = N dt with N = {}", shown(w, s.multiplier));
    let _ =
        writeln!(out, "  are Lagrange's equations of N²T° those of motion, along these paths? {}", s.verified.answer());
    let _ = writeln!(out, "  ∂W/∂{one} = {}", shown(w, s.slopes[0]));
    let _ = writeln!(out, "  ∂W/∂{two} = {}", shown(w, s.slopes[1]));
    let _ = writeln!(
        out,
        "  does this W solve the Hamilton–Jacobi equation in the new time? {}",
        s.slopes_verified.answer()
    );
}
