//! `noslip report`

mod beyond;
mod model;
mod motion;
mod stability;
mod vocabulary;

use crate::failure::{Failure, Outcome};
use crate::figures;
use crate::motion::beyond_data;
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, finite};
use crate::output::{expect_place, write_atomically};
use crate::picture::Figure;
use crate::progress::doing;
use crate::terminal::{complain, hand_over, say, say_json};
use crate::words::printer;
use clap::Args;
use motion::Motion;
use noslip::Result;
use noslip::analysis::{analyse, sentences};
use noslip::arrange::Arrange;
use noslip::contact::switching;
use noslip::effort;
use noslip::expr::Known;
use noslip::expr::{Expr, Printer, Style, Symbol, Tree};
use noslip::forms::{
    Applicability, FORMS, Form, Presented, PresentedObject, as_written, best_suited, present, readable,
};
use noslip::mechanics::{Equations, Workbench};
use noslip::simulate::{Settings, simulate};
use noslip::verify::{Agreement, agreement};
use noslip_cli::answers::Wrote;
use noslip_cli::report::{
    self, Alternative, Equation, Formula, Named, NotApplicable, Object, Proof, ReportData, Series, Verdict,
};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Longest expression on the page, in bytes of MathML: several screens, and nobody reads more.
const LONGEST: usize = 60_000;
/// Longest expression that is put into readable form, in bytes as it stands: it may be much shorter afterwards.
const LONGEST_RAW: usize = 1_000_000;
/// A form of more operations is not shown: it would be most of the page.
const READ: usize = 8_000;
/// Digits of a number that a person reads.
const DIGITS: usize = 8;
/// Samples of the motion on the page.
const SAMPLES: usize = 601;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip report disk.toml                    write disk.html
  noslip report rolling-disk -o page.html --until 20 --initial \"theta'=0.3\"")]
pub struct ReportArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Where to write the page, `-` for standard output; default: the model's name with .html
    #[arg(short, long, value_name = "FILE.html", alias = "out")]
    pub output: Option<PathBuf>,
    /// End time of the simulated motion
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Writes the page.
pub fn run(args: &ReportArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.html", opened.stem("report"))));
    expect_place(&path, &args.model.model)?;
    let html = report::render(&data(args, &mut opened)?);
    if path.as_os_str() == "-" {
        hand_over(&html);
        return Ok(());
    }
    write_atomically(&path, html.as_bytes())?;
    let wrote = Wrote { file: path.display().to_string(), bytes: html.len() };
    match args.format.is_json() {
        true => say_json(&wrote),
        false => say(&format!("wrote {}\n", wrote.file)),
    }
    Ok(())
}

/// Everything the page shows.
fn data(args: &ReportArgs, opened: &mut Opened) -> std::result::Result<ReportData, Failure> {
    // Read with the model's names before the model is lent out.
    let picture = opened.picture()?;
    let mut warnings: Vec<String> = opened.model.warnings.iter().map(ToString::to_string).collect();
    let until = args.until.or(opened.model.system.simulation.until.as_ref().map(|x| x.to_f64()));
    let state = match (&opened.model.system.initial, until) {
        (Some(_), _) | (None, Some(_)) => Some(opened.initial_state()?),
        _ => None,
    };
    let figures = opened.figures()?;
    let mut failed = Vec::new();
    let settings = state.as_ref().map(|s| {
        let until = until.unwrap_or(s.time + 10.0);
        Settings { until, ..Settings::of_system(&opened.model.system) }.sampled(s, SAMPLES)
    });
    let mut w = opened.model.workbench();
    w.limits.printed_bytes = LONGEST_RAW;
    doing("report: what the constraints mean");
    let analysis = analyse(&mut w);
    let page = Page::new(&w);
    let mut data = ReportData {
        name: w.system.name.clone(),
        source: w.system.source.clone(),
        description: w.system.description.clone(),
        classification: sentences(&w.g, &w.system, &analysis),
        model_file: Some(opened.text.clone()),
        generator: format!("noslip {}", env!("CARGO_PKG_VERSION")),
        ..ReportData::default()
    };
    data.model = page.model(&mut w, &opened.model, state.as_ref())?;
    page.forms(&mut w, &mut data);
    let best = data.forms.first().map_or(usize::MAX, |f| f.equations.iter().filter_map(|e| e.operations).sum());
    if let (Some(state), Some(settings)) = (&state, &settings) {
        doing("report: the motion");
        let run = match w.system.law.is_empty() {
            true => simulate(&mut w, state, settings, &mut |_| true),
            false => switching::run(&mut w, state, settings, &mut |_| true).map(|run| run.simulation),
        };
        failed.extend(w.excursions.iter().map(beyond_data));
        let plotted = match &run {
            Ok(run) => figures::curves(&figures, opened, settings, &mut w, run),
            Err(_) if figures.is_empty() => Ok(Vec::new()),
            Err(e) => Err(e.clone().into()),
        };
        match plotted {
            Ok(curves) => {
                let both = figures.iter().zip(curves);
                data.figures = both.map(|(figure, curves)| page.figure(&w, figure, curves)).collect();
            }
            Err(e) => failed.push(format!("no plots could be drawn: {e}")),
        }
        let shown = motion::Shown { analysis: &analysis, picture: &picture, figures: &figures, state, settings };
        match run.and_then(|run| shown.motion(&mut w, &page, run)) {
            Ok(Motion { shown, scene, play, run }) => {
                if shown.outcome != "finished" {
                    failed.push(format!("the motion: {}", shown.outcome));
                }
                data.simulation = Some(shown);
                data.scene = Some(scene);
                match play {
                    Ok(play) => data.play = Some(report::Play { model: args.model.model.clone(), ..play }),
                    Err(why) => data.no_play = Some(why.message),
                }
                doing("report: beyond the equations");
                let run = beyond::Run { state, settings, simulation: &run };
                data.beyond = beyond::topics(&mut w, &page, &analysis, best, Some(&run));
                doing("report: steady motions and their stability");
                data.beyond.extend(stability::topic(opened, state, best, w.g.work.left()));
            }
            Err(e) => failed.push(format!("no motion could be computed: {e}")),
        }
    } else {
        warnings.push("the model gives no initial state, so there is no motion to show".into());
        data.beyond = beyond::topics(&mut w, &page, &analysis, best, None);
    }
    // What the page lacks is said on the page and here.
    for why in failed {
        complain(&format!("warning: {why}"));
        warnings.push(why);
    }
    data.warnings = warnings;
    data.vocabulary = page.vocabulary(&mut w, &data);
    data.glossary = vocabulary::glossary(&data);
    Ok(data)
}

/// Printers with the model's own symbols.
struct Page {
    mathml: Printer,
    latex: Printer,
}

impl Page {
    fn new(w: &Workbench) -> Page {
        Page { mathml: printer(&w.system, Style::MathMl), latex: printer(&w.system, Style::Latex) }
    }

    /// A tree in both spellings, or dots: an expression of many screens is nothing a reader reads.
    fn tree(&self, w: &Workbench, t: Result<Tree>) -> Formula {
        self.written(t, |t, printer| printer.print(&w.g, t))
    }

    fn vanishing(&self, w: &Workbench, t: Result<Tree>) -> Formula {
        let zero = Tree::integer(0);
        let formula = self.written(t, |t, printer| printer.print_equation(&w.g, t, &zero));
        if formula.omitted.is_some() { Formula::equals(&formula, &Formula::number("0")) } else { formula }
    }

    fn written(&self, t: Result<Tree>, print: impl Fn(&Tree, &Printer) -> String) -> Formula {
        let t = match t {
            Ok(t) => t,
            Err(e) => return Formula::omitted(e.message),
        };
        let mathml = print(&t, &self.mathml);
        if mathml.len() > LONGEST {
            return Formula::omitted(format!("an expression of {} operations", t.operations()));
        }
        Formula::new(mathml, print(&t, &self.latex))
    }

    fn symbol(&self, w: &Workbench, s: Symbol) -> Formula {
        Formula::new(format!("<math>{}</math>", strip(&self.mathml.symbol(&w.g, s))), self.latex.symbol(&w.g, s))
    }

    fn equals(&self, w: &Workbench, s: Symbol, t: Result<Tree>) -> Formula {
        Formula::equals(&self.symbol(w, s), &self.tree(w, t))
    }

    /// An expression as its author wrote it: not rearranged.
    fn plain(&self, w: &Workbench, e: Expr) -> Formula {
        self.tree(w, Tree::of(&w.g, e, &w.limits))
    }

    /// A symbol in which names of the model may occur.
    fn named(&self, w: &Workbench, text: &str) -> Formula {
        Formula::symbol_with(text, &|name| w.g.lookup(name).map(|s| self.symbol(w, s)))
    }

    /// A name that need not be a symbol of the model.
    fn name(&self, w: &mut Workbench, name: &str) -> Formula {
        let s = w.g.declare(name, noslip::expr::Role::Other);
        self.symbol(w, s)
    }

    fn forms(&self, w: &mut Workbench, data: &mut ReportData) {
        let best = w.within(effort::SECTION, best_suited).0.map(|f| f.id());
        let mut lengths: BTreeMap<&str, usize> = BTreeMap::new();
        let all = w.g.work.open_until(w.g.work.effort.forms_of_page());
        for (i, &form) in FORMS.iter().enumerate() {
            if w.g.work.is_over() && Some(form.id()) != best {
                let reason = format!(
                    "The work allowed for the page is used up. `noslip derive --form {}` derives it.",
                    form.id()
                );
                data.not_applicable.push(NotApplicable { id: form.id().into(), name: form.name().into(), reason });
                continue;
            }
            let open = FORMS.len() - i;
            let allowance = w.g.work.open_before(effort::FORM_OF_ALL, effort::LEAST_OF_ALL, effort::KEPT_OF_ALL, open);
            doing(format!("report: {}", form.name()));
            self.form_of_all(w, form, best, data, &mut lengths);
            w.g.work.close(allowance);
        }
        w.g.work.close(all);
        // The shortest comes first; of several as short the one best suited.
        let complete = |f: &&report::Form| f.equations.iter().all(|e| e.formula.omitted.is_none());
        let length = |f: &&report::Form| lengths.get(f.id.as_str()).copied().unwrap_or(usize::MAX);
        let suited = |f: &&report::Form| Some(f.id.as_str()) != best;
        let shortest = data.forms.iter().filter(complete).min_by_key(|f| (length(f), suited(f)));
        let first = shortest.map(|f| f.id.clone()).or_else(|| best.map(str::to_owned));
        data.forms.arrange_by_key(|f| Some(&f.id) != first.as_ref());
    }

    /// One form: its equations, its proof, and the reactions where it gives them best.
    fn form_of_all(
        &self,
        w: &mut Workbench,
        form: &'static dyn Form,
        best: Option<&str>,
        data: &mut ReportData,
        lengths: &mut BTreeMap<&str, usize>,
    ) {
        let mut leave_out = |reason: String| {
            data.not_applicable.push(NotApplicable { id: form.id().into(), name: form.name().into(), reason });
        };
        if let Applicability::DoesNotApply(why) = form.applies(w) {
            leave_out(why);
            return;
        }
        let eq = match form.explained(w) {
            Ok(eq) => eq,
            Err(e) => {
                leave_out(format!("It applies, but could not be derived: {}", e.message));
                return;
            }
        };
        let verdict = agreement(w, &eq);
        data.proofs.push(proof(form, &verdict));
        let written = as_written(w, &eq);
        match self.for_the_page(w, form, written) {
            Ok(presented) if presented.operations() > READ => leave_out(format!(
                "It applies, but its equations take {} operations. `noslip derive --form {}` prints them.",
                presented.operations(),
                form.id()
            )),
            Ok(presented) => {
                lengths.insert(form.id(), presented.length());
                data.forms.push(self.form(w, form, presented));
            }
            Err(e) => leave_out(format!("It applies, but its equations cannot be shown: {}", e.message)),
        }
        // Best as functions of the state alone, as Udwadia and Kalaba give them; else as the best form has them.
        let given = !data.reactions.is_empty() && data.reactions.iter().all(|r| r.formula.omitted.is_none());
        if form.id() == "udwadia-kalaba" || (Some(form.id()) == best && !given) {
            let reaction = |(s, e): &(Symbol, Expr), w: &mut Workbench| {
                let name = w.system.constraint_of(*s).map_or_else(String::new, |c| c.name.clone());
                let tree = readable(w, *e);
                Named { name, formula: self.equals(w, *s, tree) }
            };
            let reactions: Vec<Named> = eq.reactions.iter().map(|r| reaction(r, w)).collect();
            if !reactions.is_empty() {
                data.reactions = reactions;
            }
        }
    }

    /// A form as it is read: where what its equations are made of would be most of the page, the equations alone. The reactions
    /// stand elsewhere.
    fn for_the_page(&self, w: &mut Workbench, form: &'static dyn Form, written: Equations) -> Result<Presented> {
        let mut shown = |eq: &Equations| {
            let presented = present(w, eq)?;
            w.g.work.charge(effort::PRINTED * presented.operations() as u64);
            Ok(presented)
        };
        let written = Equations { reactions: Vec::new(), ..written };
        let whole = shown(&written);
        let readable = whole.as_ref().is_ok_and(|p: &Presented| p.operations() <= READ);
        if readable || (written.objects.is_empty() && written.alternatives.is_empty()) {
            return whole;
        }
        let mut presented = shown(&written.brief())?;
        let made_of = "What the equations are made of is too long for this page";
        presented.notes.push(format!("{made_of}: `noslip derive --form {}` prints it.", form.id()));
        Ok(presented)
    }

    /// A plot the model asks for.
    fn figure(&self, w: &Workbench, figure: &Figure, curves: Vec<figures::Curve>) -> report::Figure {
        let spec = &figure.spec;
        let up: Vec<Formula> = figure.up.iter().map(|&e| self.plain(w, e)).collect();
        let across = figure.across.map(|e| self.plain(w, e));
        let curves = curves.into_iter().map(|c| {
            let symbol = match (&spec.vary, &c.value) {
                (Some(vary), Some(value)) => {
                    let parameter = w.system.parameters.iter().find(|p| w.g.name(p.symbol) == vary.name);
                    let name = parameter.map_or(Formula::symbol(&vary.name), |p| self.symbol(w, p.symbol));
                    Formula::equals(&name, &Formula::number(value))
                }
                _ => up[c.up].clone(),
            };
            let across = if spec.across.is_some() { c.x.clone() } else { Vec::new() };
            report::Curve { up: Series { name: figures::name(spec, &c), symbol, values: c.y }, across }
        });
        report::Figure {
            title: spec.title.clone().unwrap_or_default(),
            across,
            curves: curves.collect(),
            up: (up.len() == 1).then(|| up[0].clone()),
        }
    }

    fn form(&self, w: &Workbench, form: &'static dyn Form, p: Presented) -> report::Form {
        let equation = |t: Tree| {
            let operations = Some(t.operations());
            Equation { formula: self.vanishing(w, Ok(t)), operations }
        };
        let mut own = p.equations;
        let mut kinematics: Vec<Equation> = own.split_off(p.own).into_iter().map(equation).collect();
        for (s, t) in p.variables.into_iter().chain(p.kinematics).chain(p.abbreviations) {
            kinematics.push(Equation { formula: self.equals(w, s, Ok(t)), operations: None });
        }
        let alternatives = p.alternatives.into_iter();
        let alternative = |(title, list): (String, Vec<Tree>)| Alternative {
            title,
            equations: list.into_iter().map(equation).collect(),
        };
        let object = |o: PresentedObject| Object {
            name: o.name,
            formula: Formula::equals(&self.named(w, &o.symbol), &self.tree(w, Ok(o.value))),
        };
        report::Form {
            id: form.id().into(),
            name: form.name().into(),
            about: first_sentence(form.card().about, form.name()),
            source: form.card().source.into(),
            equations: own.into_iter().map(equation).collect(),
            kinematics,
            objects: p.objects.into_iter().map(object).collect(),
            alternatives: alternatives.map(alternative).collect(),
            notes: p.notes,
        }
    }
}

fn strip(mathml: &str) -> &str {
    let inner = mathml.strip_prefix("<math").and_then(|m| m.split_once('>')).map_or(mathml, |(_, m)| m);
    inner.strip_suffix("</math>").unwrap_or(inner)
}

/// The first paragraph of a form's documentation; the name it begins with stands above it already.
fn first_sentence(about: &str, name: &str) -> String {
    let lines = about.lines().map(|l| l.trim_start_matches("//!").trim());
    let text = lines.take_while(|l| !l.is_empty()).collect::<Vec<_>>().join(" ");
    let Some(rest) = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(": ")) else { return text };
    let mut letters = rest.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Without the time it took: the same model is the same page.
fn proof(form: &'static dyn Form, a: &Agreement) -> Proof {
    let why = a.reason().unwrap_or_default().to_owned();
    let (verdict, how) = match &a.known {
        Known::Proved => (Verdict::Proved, "by the normal form".to_owned()),
        Known::Tested { error_bound } => {
            (Verdict::Tested, format!("in the prime field, wrong with probability below {error_bound:.0e}; {why}"))
        }
        Known::Numerical => (Verdict::Tested, "at real states".to_owned()),
        Known::Refuted(_) => (Verdict::Refuted, why),
        Known::Unknown(_) => (Verdict::Open, why),
    };
    Proof { form: form.id().into(), name: form.name().into(), verdict, how, seconds: None }
}
