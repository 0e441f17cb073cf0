//! `noslip verify` for equations in other languages, and for files of LaTeX: the court of appeal.

mod page;
mod tell;

pub(super) use tell::{data, property};

use super::{Language, VerifyArgs, VerifyFormat, as_expected};
use crate::failure::{Failure, Outcome};
use crate::open::{open, read_bytes};
use crate::options::ModelArgs;
use crate::output::{expect_extension, expect_folder, write_atomically};
use crate::terminal::{hand_over, say, say_json};
use crate::words::coordinate_names;
use noslip::arrange::Arrange;
use noslip::expr::{Expr, Printer, Role, Style, Tree};
use noslip::mechanics::Workbench;
use noslip::model::{Model, line_and_column};
use noslip::read::{self, Line, Notation, Paper, PaperClaim, Replacement, Section, Understood};
use noslip::verify::{Decision, Diagnosis, Relations, claim as decide_claim, correct};
use noslip::{Error, Limits};
use std::path::Path;

/// An equation with all there is to say about it.
pub(super) struct Case {
    pub id: String,
    /// Line and column in the file.
    pub place: (usize, usize),
    /// The author's text.
    pub source: String,
    pub expect: Option<bool>,
    pub verdict: Verdict,
}

/// What became of an equation.
pub(super) enum Verdict {
    /// It could not be read.
    Unread(Error),
    /// It was read and judged.
    Judged(Box<Judged>),
}

/// A verdict with its reasons.
pub(super) struct Judged {
    pub understood: Understood,
    pub decision: Decision,
    /// The term to replace, and by what: in LaTeX or Python, and in MathML.
    pub correction: Option<(usize, Replacement, Replacement)>,
    /// Names of coordinates, for the counterexample.
    pub coordinates: Vec<String>,
}

/// Equations of one model.
pub(super) struct Part {
    pub model: String,
    pub names: Vec<Line>,
    pub cases: Vec<Case>,
}

/// Is this a case for this court?
pub fn concerns(args: &VerifyArgs) -> bool {
    args.language != Language::Noslip
        || args.of.is_some()
        || is_latex(Path::new(&args.model.model))
        || paper_of(args).is_some()
}

fn is_latex(path: &Path) -> bool {
    path.extension().is_some_and(|x| x == "tex" || x == "ltx" || x == "latex")
}

/// The file of LaTeX that is meant.
fn paper_of(args: &VerifyArgs) -> Option<String> {
    if args.of.is_some() || is_latex(Path::new(&args.model.model)) {
        return Some(args.model.model.clone());
    }
    args.claims.as_deref().filter(|p| is_latex(p)).map(|p| p.display().to_string())
}

/// Decides the equations.
pub fn run(args: &VerifyArgs) -> Outcome {
    if let Some(path) = &args.out {
        expect_extension(path, &["html"])?;
        expect_folder(path)?;
    }
    let (parts, file, text) = match paper_of(args) {
        Some(file) => read_paper(args, file)?,
        None => (vec![read_equations(args)?], None, args.equations.join("\n")),
    };
    let count = parts.iter().map(|p| p.cases.len()).sum::<usize>();
    if count == 0 {
        return Err(Error::input("nothing to verify").hint("the file displays no equation that is a claim").into());
    }
    if let Some(path) = &args.out {
        let name = file.as_ref().and_then(|f| Path::new(f).file_name());
        let title = name.map_or_else(|| "Equations".to_owned(), |n| n.to_string_lossy().into_owned());
        write_atomically(path, page::page(&title, &text, &parts).as_bytes())?;
    }
    match args.format {
        VerifyFormat::Json => say_json(&tell::document(&parts)),
        VerifyFormat::Github => hand_over(&tell::annotations(file.as_deref(), &parts)),
        VerifyFormat::Text => say(&tell::report(file.as_deref(), &text, &parts)),
    }
    outcome(&parts)
}

/// The worst of the verdicts decides the exit status.
fn outcome(parts: &[Part]) -> Outcome {
    let cases = || parts.iter().flat_map(|p| &p.cases);
    let expected = |case: &Case| match &case.verdict {
        Verdict::Judged(j) => as_expected(case.expect, &j.decision.finding),
        Verdict::Unread(_) => None,
    };
    let unread = cases().filter(|c| matches!(c.verdict, Verdict::Unread(_))).count();
    if cases().any(|c| expected(c) == Some(false)) {
        Err(Failure::no())
    } else if unread > 0 {
        let message = format!("{unread} of {} equations could not be read", cases().count());
        Err(Error::input(message).hint("`% noslip: skip` above an equation says that it is no claim").into())
    } else if let Some(case) = cases().find(|c| expected(c).is_none()) {
        Err(Error::computation(format!("`{}` could not be decided", case.id)).into())
    } else {
        Ok(())
    }
}

fn language(args: &VerifyArgs) -> read::Language {
    match args.language {
        Language::Latex => read::Language::Latex,
        Language::Sympy => read::Language::Sympy,
        Language::Noslip => read::Language::Noslip,
    }
}

/// What `--name` and `--define` say.
fn given(args: &VerifyArgs, language: read::Language, model: &mut Model, notation: &mut Notation) -> Outcome {
    for line in &args.names {
        notation.name(line, language).map_err(|e| Failure::at(&[e], "--name", line))?;
    }
    for line in &args.definitions {
        let defined = notation.define(line, language, model, &Limits::default());
        defined.map_err(|e| Failure::at(&[e], "--define", line))?;
    }
    Ok(())
}

/// The equations of the command line.
fn read_equations(args: &VerifyArgs) -> Result<Part, Failure> {
    if args.claims.is_some() {
        return Err(Error::input("--language is that of --equation")
            .hint("a claims file is in the model's own syntax")
            .into());
    }
    let mut model = open(&args.model)?.model;
    let mut notation = Notation::new(&model);
    let (limits, language) = (Limits::default(), language(args));
    given(args, language, &mut model, &mut notation)?;
    let mut claims = Vec::new();
    for text in &args.equations {
        let refuse = |e: Error| Failure::at(&[e], "--equation", text);
        let readings = read::read(text, language, &mut model, &mut notation, &limits).map_err(refuse)?;
        let several = readings.len() > 1;
        for (i, reading) in readings.into_iter().enumerate() {
            let understood = reading.understand(&mut model, &limits).map_err(refuse)?;
            let id = if several { format!("{text} [{}]", i + 1) } else { text.clone() };
            let claim = PaperClaim { id, span: understood.span(), expect: None, read: Ok(understood) };
            claims.push((text.as_str(), claim));
        }
    }
    let name = model.system.name.clone();
    let latex = language == read::Language::Latex;
    let cases = judge(model, &notation, claims, latex);
    Ok(Part { model: name, names: notation.used().to_vec(), cases })
}

/// The equations of a file of LaTeX.
fn read_paper(args: &VerifyArgs, file: String) -> Result<(Vec<Part>, Option<String>, String), Failure> {
    if !args.equations.is_empty() {
        return Err(Error::input("--equation and a file of LaTeX").hint("ask for one or the other").into());
    }
    let limits = Limits::default();
    let text = String::from_utf8_lossy(&read_bytes(&file, limits.file_bytes)?).into_owned();
    let refuse = |e: Error| Failure::at(&[e], &file, &text);
    let paper = Paper::new(text.clone()).map_err(refuse)?;
    // `verify paper.tex --model M`, or `verify M --claims paper.tex`, or the file names its models.
    let first = match (&args.of, is_latex(Path::new(&args.model.model))) {
        (Some(of), _) => Some(of.clone()),
        (None, true) => None,
        (None, false) => Some(args.model.model.clone()),
    };
    let named = |name: &str| ModelArgs {
        model: name.to_owned(),
        set: args.model.set.clone(),
        initial: args.model.initial.clone(),
        effort: args.model.effort,
    };
    let first = match first {
        Some(name) => {
            let mut section = Section::new(open(&named(&name))?.model);
            given(args, read::Language::Latex, &mut section.model, &mut section.notation)?;
            Some(section)
        }
        None => None,
    };
    let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
    let mut failure = None;
    let find = |name: &str| {
        // A model is named from where the file stands.
        let beside = folder.join(name);
        let name = if beside.is_file() { beside.display().to_string() } else { name.to_owned() };
        open(&named(&name)).map(|opened| opened.model).map_err(|f| {
            failure = Some(f);
            Error::input(format!("the model `{name}` cannot be used"))
        })
    };
    let sections = paper.sections_with(first, find, &limits);
    let sections = sections.map_err(|e| failure.take().unwrap_or_else(|| Failure::at(&[e], &file, &text)))?;
    let parts = sections.into_iter().map(|section| {
        let Section { model, notation, claims } = section;
        let name = model.system.name.clone();
        let claims = claims.into_iter().map(|c| (text.as_str(), c)).collect();
        let cases = judge(model, &notation, claims, true);
        Part { model: name, names: notation.used().to_vec(), cases }
    });
    let parts: Vec<Part> = parts.filter(|p| !p.cases.is_empty()).collect();
    Ok((parts, Some(file), text))
}

/// Decides the equations of one model.
fn judge(model: Model, notation: &Notation, claims: Vec<(&str, PaperClaim)>, latex: bool) -> Vec<Case> {
    let mut w = model.workbench();
    let mut relations = Relations::default();
    let coordinates = coordinate_names(&w);
    let cases = claims.into_iter().map(|(text, claim)| {
        let source = text.get(claim.span.clone()).unwrap_or("").to_owned();
        let at = match &claim.read {
            Err(e) => e.span.clone().map_or(claim.span.start, |s| s.start),
            Ok(_) => claim.span.start,
        };
        let verdict = match claim.read {
            Err(e) => Verdict::Unread(e),
            Ok(understood) => {
                let allowance = w.g.work.open(noslip::effort::CLAIM);
                let Decision { finding, mut diagnosis } = decide_claim(&mut w, understood.expr, &mut relations);
                w.g.work.close(allowance);
                let correction =
                    finding.fails().then(|| correction(&mut w, &understood, notation, latex, &mut diagnosis)).flatten();
                let coordinates = coordinates.clone();
                Verdict::Judged(Box::new(Judged {
                    understood,
                    decision: Decision { finding, diagnosis },
                    correction,
                    coordinates,
                }))
            }
        };
        Case { id: claim.id, place: line_and_column(text, at), source, expect: claim.expect, verdict }
    });
    cases.collect()
}

/// A term of the author's whose change mends the equation, in the author's letters.
fn correction(
    w: &mut Workbench,
    understood: &Understood,
    notation: &Notation,
    latex: bool,
    diagnosis: &mut Vec<Diagnosis>,
) -> Option<(usize, Replacement, Replacement)> {
    let parts: Vec<Expr> = understood.terms.iter().map(|t| t.expr).collect();
    let mut edits = correct(w, &parts);
    // An acceleration is what an author solves for: its term is the last to be doubted.
    let accelerated = |e: Expr| {
        let roles = [Role::Acceleration, Role::QuasiAcceleration];
        w.g.free_symbols(&[e]).iter().any(|&s| roles.contains(&w.g.role(s)))
    };
    edits.arrange_by_key(|d| d.edit.is_none_or(|(term, _)| accelerated(parts[term])));
    let found = edits.into_iter().find(|d| d.edit.is_some())?;
    let (term, mended) = found.edit?;
    // The author's own term says where; what was said of the expanded equation would say it twice.
    diagnosis.retain(|d| d.edit.is_none());
    diagnosis.push(Diagnosis { suggestion: None, ..found });
    let mended = if understood.terms[term].right { w.g.neg(mended) } else { mended };
    if w.g.is_zero(mended) {
        let gone = Replacement { minus: false, text: None };
        return Some((term, gone.clone(), gone));
    }
    let limits = Limits::default();
    let tree = Tree::of(&w.g, mended, &limits).ok()?;
    let (minus, positive) = match &tree {
        Tree::Negative(_) => (true, w.g.neg(mended)),
        Tree::Sum(terms) if terms.iter().all(|(minus, _)| *minus) => (true, w.g.neg(mended)),
        _ => (false, mended),
    };
    let tree = Tree::of(&w.g, positive, &limits).ok()?;
    let printed = |style: Style| {
        let mut printer = Printer::new(style);
        for line in notation.used() {
            printer = printer.display(line.name.clone(), line.shown.source.clone());
        }
        printer.print(&w.g, &tree)
    };
    let sum = matches!(tree, Tree::Sum(_)) && minus;
    let text = printed(if latex { Style::Latex } else { Style::Text });
    let text = match (latex, sum) {
        (true, true) => format!("\\left({text}\\right)"),
        (false, true) => format!("({text})").replace('^', "**"),
        (false, false) => text.replace('^', "**"),
        (true, false) => text,
    };
    let body = printed(Style::MathMl);
    let body = body.trim_start_matches("<math>").trim_end_matches("</math>");
    let body = if sum { format!("<mo>(</mo>{body}<mo>)</mo>") } else { body.to_owned() };
    let set = format!("<mrow class=\"new\">{body}</mrow>");
    Some((term, Replacement { minus, text: Some(text) }, Replacement { minus, text: Some(set) }))
}
