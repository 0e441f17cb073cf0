//! `noslip verify`

use crate::failure::{Failure, Outcome};
use crate::open::{expect_one_stdin, open, read_bytes};
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::coordinate_names;
use clap::Args;
use noslip::mechanics::Workbench;
use noslip::model::{Claim, Claims};
use noslip::verify::{Decision, Finding, How, Relations, claim};
use noslip::{Error, Limits};
use noslip_cli::answers::{self, Counterexample, Known, State, Verification, VerifiedClaim};
use std::fmt::Write;
use std::path::PathBuf;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip verify disk.toml --equation \"5*theta'' = 0\"
  noslip verify disk.toml --claims greenwood.toml --format json

A claim may contain accelerations (x'') and multipliers (lambda_NAME).
A claims file is TOML: [[claim]] with `id`, `equation` and optionally `note` and
`expect`; [definitions] abbreviates.
The exit status is 1 if a claim fails, or if it holds though the file says
`expect = false`.")]
pub struct VerifyArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// An equation; may be repeated
    #[arg(long = "equation", value_name = "EQ", allow_hyphen_values = true)]
    pub equations: Vec<String>,
    /// A file of claims
    #[arg(long, value_name = "FILE")]
    pub claims: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

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
        return Err(Error::input("nothing to verify").hint("give --equation EQ or --claims FILE").into());
    }
    let mut w = opened.model.workbench();
    let mut relations = Relations::default();
    let mut results: Vec<(&Claim, Decision)> = Vec::new();
    for c in &claims {
        let allowance = w.g.work.open(noslip::effort::CLAIM);
        results.push((c, claim(&mut w, c.expr, &mut relations)));
        w.g.work.close(allowance);
    }
    if args.format.is_json() {
        say_json(&Verification { claims: results.iter().map(|(c, d)| answer(&w, c, d)).collect() });
    } else {
        let mut out = String::new();
        for (claim, decision) in &results {
            write_text(&mut out, &w, claim, decision);
        }
        say(&out);
    }
    // A claim whose author expects it to fail is answered "no" when it holds.
    if results.iter().any(|(c, d)| as_expected(c, &d.finding) == Some(false)) {
        return Err(Failure::no());
    }
    let undecided = results.iter().filter_map(|(c, d)| match &d.finding {
        Finding::Undecided(why) => Some(Error::computation(format!("`{}` could not be decided: {why}", c.id))),
        _ => None,
    });
    let undecided: Vec<Error> = undecided.collect();
    if undecided.is_empty() { Ok(()) } else { Err(Failure::several(undecided)) }
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

fn answer(w: &Workbench, claim: &Claim, decision: &Decision) -> VerifiedClaim {
    let mut answer = VerifiedClaim { id: claim.id.clone(), expected: claim.expect, ..VerifiedClaim::default() };
    match &decision.finding {
        Finding::Holds(how) => {
            answer.holds = Some(true);
            answer.how = Some(match how {
                How::Proved | How::Integral { proved: true } => Known::Proved,
                How::Tested { .. } | How::Integral { .. } => Known::Tested,
                How::Numerical => Known::Numerical,
            });
            if let How::Tested { error_bound, .. } = how {
                answer.error_bound = Some(*error_bound);
            }
            answer.because = match how {
                How::Tested { values_only: true, .. } => Some("the parameters have these values: for others it fails"),
                How::Integral { .. } => Some("an integral of the constraints has this value at the initial state"),
                _ => None,
            };
        }
        Finding::Fails(counterexample) => {
            answer.holds = Some(false);
            answer.counterexample = counterexample.as_ref().map(|c| Counterexample {
                state: State::new(&coordinate_names(w), c.state.t, &c.state.q, &c.state.v),
                residual: c.residual,
            });
            let diagnosis = decision.diagnosis.iter().map(|d| answers::Diagnosis {
                mistake: d.mistake.clone(),
                explanation: d.explanation.clone(),
                suggestion: d.suggestion.clone(),
            });
            answer.diagnosis = Some(diagnosis.collect());
        }
        Finding::Undecided(why) => answer.why = Some(why.clone()),
    }
    answer
}

fn write_text(out: &mut String, w: &Workbench, claim: &Claim, decision: &Decision) {
    let Decision { finding, diagnosis } = decision;
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
        Finding::Holds(How::Numerical) => "holds to forty digits at random real states".to_owned(),
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
