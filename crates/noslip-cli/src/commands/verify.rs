//! `noslip verify`

mod court;

use crate::failure::{Failure, Outcome};
use crate::open::{expect_one_stdin, open, read_bytes};
use crate::options::ModelArgs;
use crate::terminal::{say, say_json, verdict};
use crate::words::{coordinate_names, rounded};
use clap::{Args, ValueEnum};
use noslip::expr::Known;
use noslip::mechanics::Workbench;
use noslip::model::{Claim, Claims};
use noslip::verify::{Decision, Finding, Reach, Relations, claim};
use noslip::{Error, Limits};
use noslip_cli::answers::{self, Counterexample, State, Verification, VerifiedClaim};
use std::fmt::Write;
use std::path::PathBuf;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip verify disk.toml --equation \"5*theta'' = 0\"
  noslip verify disk.toml --claims greenwood.toml --format json
  noslip verify disk.toml --language latex --equation '5\\ddot\\theta = 0'
  noslip verify disk.toml --language sympy --equation 'theta.diff(t, 2)'
  noslip verify paper.tex --model disk.toml -o verdicts.html

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
    /// A file of claims; a file of LaTeX, whose displayed equations are the claims
    #[arg(long, value_name = "FILE")]
    pub claims: Option<PathBuf>,
    /// The language of the equations: `noslip`, the syntax of models; `latex`; or `sympy`
    #[arg(long, value_enum, default_value = "noslip", hide_possible_values = true)]
    pub language: Language,
    /// An author's letter for a name of the model, as in '\\Lambda_1=lambda_u4'; may be repeated
    #[arg(long = "name", value_name = "LETTER=NAME", allow_hyphen_values = true)]
    pub names: Vec<String>,
    /// An author's letter for an expression in the language of the equations; may be repeated
    #[arg(long = "define", value_name = "LETTER=EXPR", allow_hyphen_values = true)]
    pub definitions: Vec<String>,
    /// The model of a file of LaTeX: then MODEL is that file
    #[arg(long = "model", value_name = "MODEL")]
    pub of: Option<String>,
    /// Write a page with every equation, its verdict and its correction
    #[arg(short, long, value_name = "FILE", alias = "output")]
    pub out: Option<PathBuf>,
    /// `text` for a person, `json` for one document, `github` for annotations of a workflow
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: VerifyFormat,
}

/// The language of an equation.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// The syntax of models
    Noslip,
    /// LaTeX mathematics
    Latex,
    /// Python, as SymPy prints it
    Sympy,
}

/// How verdicts are told.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VerifyFormat {
    /// For a person
    Text,
    /// One JSON document
    Json,
    /// Annotations of a GitHub workflow
    Github,
}

/// Decides claims.
pub fn run(args: &VerifyArgs) -> Outcome {
    if court::concerns(args) {
        return court::run(args);
    }
    if args.out.is_some() || !args.names.is_empty() || !args.definitions.is_empty() {
        return Err(Error::input("--out, --name and --define are for equations in LaTeX or Python")
            .hint("say --language latex or --language sympy, or give a file of LaTeX")
            .into());
    }
    if let Some(path) = &args.claims {
        expect_one_stdin(&args.model, "--claims", &path.to_string_lossy())?;
    }
    let mut opened = open(&args.model)?.while_closed();
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
    if args.format == VerifyFormat::Json {
        let claims = results.iter().map(|(c, d)| answer(&coordinate_names(&w), &c.id, c.expect, d));
        say_json(&Verification { claims: claims.collect(), names: None });
    } else {
        let mut out = String::new();
        for (claim, decision) in &results {
            let mut text = String::new();
            write_text(&mut text, &w, claim, decision);
            match (args.format, as_expected(claim.expect, &decision.finding)) {
                (VerifyFormat::Github, Some(true)) => {}
                (VerifyFormat::Github, verdict) => {
                    let level = if verdict.is_some() { "error" } else { "warning" };
                    let file = args.claims.as_ref().map(|p| format!("file={},", court::property(&p.to_string_lossy())));
                    let (title, text) = (court::property(&claim.id), court::data(text.trim_end()));
                    let _ = writeln!(out, "::{level} {}title={title}::{text}", file.unwrap_or_default());
                }
                _ => out.push_str(&text),
            }
        }
        if !out.is_empty() {
            say(&out);
        }
    }
    // A claim whose author expects it to fail is answered "no" when it holds.
    if results.iter().any(|(c, d)| as_expected(c.expect, &d.finding) == Some(false)) {
        return Err(Failure::no());
    }
    let undecided = results.iter().filter_map(|(c, d)| {
        let why = d.finding.why_undecided()?;
        Some(Error::computation(format!("`{}` could not be decided: {why}", c.id)))
    });
    let undecided: Vec<Error> = undecided.collect();
    if undecided.is_empty() { Ok(()) } else { Err(Failure::several(undecided)) }
}

/// Whether the verdict is the one the author of the claim expects: that it holds, unless the file says otherwise.
pub(super) fn as_expected(expect: Option<bool>, finding: &Finding) -> Option<bool> {
    if finding.why_undecided().is_some() {
        return None;
    }
    let holds = finding.holds();
    Some(holds == expect.unwrap_or(true))
}

/// A verdict as data.
pub(super) fn answer(names: &[String], id: &str, expect: Option<bool>, decision: &Decision) -> VerifiedClaim {
    let mut answer = VerifiedClaim { id: id.to_owned(), expected: expect, ..VerifiedClaim::default() };
    let Finding { known, reach } = &decision.finding;
    match known {
        Known::Refuted(_) => {
            answer.holds = Some(false);
            answer.counterexample = decision.finding.counterexample().map(|c| Counterexample {
                state: State::new(names, c.state.t, &c.state.q, &c.state.v),
                residual: c.residual,
            });
            let diagnosis = decision.diagnosis.iter().map(|d| answers::Diagnosis {
                mistake: d.mistake.clone(),
                explanation: d.explanation.clone(),
                suggestion: d.suggestion.clone(),
            });
            answer.diagnosis = Some(diagnosis.collect());
        }
        Known::Proved | Known::Tested { .. } | Known::Numerical => {
            answer.holds = Some(true);
            answer.how = Some(known.into());
            if let Known::Tested { error_bound } = known {
                answer.error_bound = Some(*error_bound);
            }
            answer.because = match reach {
                Reach::Values => Some("the parameters have these values: for others it fails"),
                Reach::Leaf => Some("an integral of the constraints has this value at the initial state"),
                Reach::Everywhere => None,
            };
        }
        Known::Unknown(why) => answer.why = Some(why.clone()),
    }
    answer
}

/// The verdict in words.
pub(super) fn verdict_in_words(finding: &Finding) -> String {
    match (&finding.known, finding.reach) {
        (Known::Refuted(_), _) => "does NOT hold".to_owned(),
        (Known::Unknown(why), _) => format!("undecided: {why}"),
        (known, Reach::Leaf) => format!(
            "holds along the motion from the initial state: an integral of the constraints{}",
            if known.is_proved() { " (proved)" } else { "" }
        ),
        (Known::Proved, _) => "holds (proved)".to_owned(),
        (Known::Tested { error_bound }, reach) => format!(
            "holds{} (tested; wrong with probability below {error_bound:.0e})",
            if reach == Reach::Values { " for these values of the parameters, not for all" } else { "" }
        ),
        (Known::Numerical, _) => "holds to forty digits at random real states".to_owned(),
    }
}

/// What is to be said of a verdict whose author expected one.
pub(super) fn remark(expect: Option<bool>, finding: &Finding) -> &'static str {
    match (expect, as_expected(expect, finding)) {
        (None, _) | (_, None) => "",
        (_, Some(true)) => ", as expected",
        (Some(true), Some(false)) => ", though expected to hold",
        (Some(false), Some(false)) => ", though expected to fail",
    }
}

fn write_text(out: &mut String, w: &Workbench, claim: &Claim, decision: &Decision) {
    let Decision { finding, diagnosis } = decision;
    let known = &finding.known;
    let holds = if known.is_refuted() { Some(false) } else { known.holds().then_some(true) };
    let (verdict, remark) = (verdict(holds, &verdict_in_words(finding)), remark(claim.expect, finding));
    let _ = writeln!(out, "{}: {verdict}{remark}", claim.id);
    if let Some(c) = finding.counterexample() {
        let show = |values: &[f64], mark: &str| {
            w.system
                .coordinates
                .iter()
                .zip(values)
                .map(|(&s, &x)| format!("{}{mark} = {}", w.g.name(s), rounded(x)))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let _ = writeln!(
            out,
            "  counterexample: t = {}, {}, {}",
            rounded(c.state.t),
            show(&c.state.q, ""),
            show(&c.state.v, "'")
        );
        let _ = writeln!(out, "  left side − right side = {}", rounded(c.residual));
    }
    for d in diagnosis {
        let _ = writeln!(out, "  {}: {}", d.mistake, d.explanation);
        if let Some(suggestion) = &d.suggestion {
            let _ = writeln!(out, "    {suggestion} = 0");
        }
    }
}
