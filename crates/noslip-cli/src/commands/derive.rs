//! `noslip derive`

use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::options::{ModelArgs, unknown};
use crate::progress::doing;
use crate::terminal::{hand_over, heading, say, say_json, verdict};
use crate::words::printer;
use clap::{Args, ValueEnum};
use noslip::effort;
use noslip::expr::Known;
use noslip::expr::{Arena, Expr, NOT_DECIDED, Printer, Style, Symbol, Tree};
use noslip::forms::{
    Applicability, FORMS, Form, Presented, Presenter, as_written, best_suited, by_id, present_in_full,
};
use noslip::mechanics::{Equations, Kind, Workbench};
use noslip::model::System;
use noslip::verify::{Agreement, agreement};
use noslip::{Error, ErrorKind};
use noslip_cli::answers::{
    self, Abbreviated, Abbreviation, Alternative, BriefEquation, Derive, Equation, Expression, Kinematic, Object, Zero,
};
use std::fmt::Write;

/// How equations are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EquationFormat {
    /// For a terminal
    Text,
    /// LaTeX
    Latex,
    /// MathML Core
    Mathml,
    /// One JSON document, expressions in the model's syntax
    Json,
}

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip derive disk.toml                           multipliers; the best suited
  noslip derive disk.toml --form boltzmann-hamel    one form
  noslip derive disk.toml --form maggi --form kane  two
  noslip derive disk.toml --form all                all, and the table of proofs
  noslip derive disk.toml --form all --format latex
  noslip derive wheels.toml --independent phi1,phi2
  noslip derive pendulum.toml --eliminate z

`noslip forms` lists the forms; `noslip check MODEL` says which apply.")]
pub struct DeriveArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Id of a form, or `all`; may be repeated
    #[arg(long = "form", value_name = "ID")]
    pub forms: Vec<String>,
    /// Coordinates whose velocities are to be independent, separated by commas; the other velocities follow from them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub independent: Vec<String>,
    /// Coordinates that finite constraints are solved for, separated by commas: they are removed before anything is derived
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub eliminate: Vec<String>,
    /// Show only the equations, not the objects they are built from
    #[arg(long)]
    pub brief: bool,
    /// `text`, `latex`, `mathml`, or `json` with expressions in the model's syntax
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    pub format: EquationFormat,
}

/// Derives the equations of motion.
pub fn run(args: &DeriveArgs) -> Outcome {
    let opened = open(&args.model)?.while_closed();
    let mut w = opened.model.workbench();
    eliminate(&mut w, &args.eliminate, args.format == EquationFormat::Text)?;
    choose_independent(&mut w, &args.independent)?;
    let (forms, all) = chosen(args, &mut w)?;
    let mut results = Results::default();
    let count = forms.len();
    for (i, form) in forms.into_iter().enumerate() {
        if all && w.g.work.is_over() {
            let error = Error::limit("the work allowed for all forms together is used up");
            results.failed.push((form, error.hint("ask for it by itself, or give --effort high")));
            continue;
        }
        let allowance = match all {
            true => w.g.work.open_before(effort::FORM_OF_ALL, effort::LEAST_OF_ALL, effort::KEPT_OF_ALL, count - i),
            false => w.g.work.open(effort::FORM),
        };
        if let (true, Applicability::DoesNotApply(why)) = (all, form.applies(&mut w)) {
            results.refused.push((form, why));
            w.g.work.close(allowance);
            continue;
        }
        let result = derive(args, &mut w, form, all, results.untitled());
        w.g.work.close(allowance);
        match result {
            Ok(d) => results.derived.push(d),
            // One form beyond a limit does not hide the others.
            Err(e) if all => results.failed.push((form, e)),
            Err(e) => return Err(e.into()),
        }
    }
    let printers = Printers::of(&w.system);
    match args.format {
        EquationFormat::Json => say_json(&results.answer(&w, &printers, all)),
        EquationFormat::Text if all => {
            let title = if results.untitled() { format!("{}\n", w.system.name) } else { String::new() };
            say(&(title + &results.table()));
        }
        // It has been said, line by line.
        EquationFormat::Text => {}
        EquationFormat::Latex => {
            hand_over(&results.derived.iter().map(|d| d.latex(&w.g, &printers.latex)).collect::<String>())
        }
        EquationFormat::Mathml => {
            hand_over(&results.derived.iter().map(|d| d.mathml(&w.g, &printers.mathml)).collect::<String>());
        }
    }
    results.end()
}

/// Derives one form; a person reads the first equation while the others are made readable, and all while the proof is made.
fn derive(
    args: &DeriveArgs,
    w: &mut Workbench,
    form: &'static dyn Form,
    all: bool,
    first: bool,
) -> noslip::Result<Derived> {
    doing(format!("deriving {}", form.name()));
    let eq = form.explained(w)?;
    let compare = |w: &mut Workbench| {
        doing(format!("comparing {} with Lagrange's equations", form.name()));
        agreement(w, &eq)
    };
    // A proof comes before short equations, but a single form is read while it is made.
    let in_text = args.format == EquationFormat::Text;
    let known = (all || !in_text).then(|| compare(w));
    let written = as_written(w, &eq);
    // What is left out needs no abbreviations either; programs get everything.
    let brief = written.brief();
    let shown = if args.brief && args.format != EquationFormat::Json { &brief } else { &written };
    if in_text {
        let title = if first { heading(&w.system.name) + "\n" } else { String::new() };
        let notes: String = written.notes.iter().map(|note| format!("  {note}\n")).collect();
        say(&format!("{title}\n{} ({})\n{notes}", heading(form.name()), form.id()));
    }
    let presented = match presented(w, shown, in_text.then_some(args.brief)) {
        // What the equations are made of does not hide them.
        Err(e) if e.kind == ErrorKind::Limit && has_more(shown) => {
            let why = format!("what the equations are made of is left out: {}", e.message);
            if in_text {
                say(&format!("  {why}\n"));
            }
            let mut short = presented(w, &brief, in_text.then_some(true))?;
            short.notes.push(why);
            short
        }
        other => other?,
    };
    w.g.work.charge(effort::PRINTED * presented.operations() as u64);
    let in_full = args.format == EquationFormat::Json && !presented.abbreviations.is_empty();
    let in_full = in_full.then(|| present_in_full(w, &written).or_else(|_| present_in_full(w, &eq)));
    // Letters are better than nothing.
    let in_letters = in_full.as_ref().is_some_and(|full| matches!(full, Err(e) if e.kind == ErrorKind::Limit));
    let in_full = if in_letters { None } else { in_full.transpose()? };
    let agreement = known.unwrap_or_else(|| compare(w));
    if in_text {
        let known = &agreement.known;
        let holds = if known.is_refuted() { Some(false) } else { known.holds().then_some(true) };
        say(&format!("  {}\n", verdict(holds, &sentence(form, &agreement))));
    }
    Ok(Derived { form, presented, in_full, in_letters, agreement })
}

/// Is there more than the equations?
fn has_more(eq: &Equations) -> bool {
    !(eq.objects.is_empty() && eq.reactions.is_empty() && eq.alternatives.is_empty())
}

/// Makes a form readable. In text, each line is said as soon as it is known: all of it, or the equations alone.
fn presented(w: &mut Workbench, shown: &Equations, brief: Option<bool>) -> noslip::Result<Presented> {
    let mut presenter = Presenter::new(shown);
    if let Some(brief) = brief {
        let printer = printer(&w.system, Style::Unicode);
        Lines { w, presenter: &mut presenter, printer: &printer }.say(shown, brief)?;
    }
    presenter.all(w)
}

/// `--eliminate`: removes coordinates by finite constraints.
fn eliminate(w: &mut Workbench, names: &[String], tell: bool) -> Result<(), Failure> {
    for name in names {
        let name = name.trim();
        let known: Vec<String> = w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
        let Some(i) = known.iter().position(|n| n == name) else {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(unknown("`--eliminate`: ", "coordinate", name, &known).into());
        };
        let found = noslip::mechanics::eliminate(w, i).map_err(|why| {
            let error = Error::not_applicable(format!("`--eliminate {name}`: {why}"));
            error.hint("a finite constraint of first or second degree in a coordinate can be solved for it")
        })?;
        if tell {
            let tree = Tree::of(&w.g, found.value, &w.limits)?;
            let value = printer(&w.system, Style::Unicode).print(&w.g, &tree);
            let branch = if found.branch { ", one of two roots" } else { "" };
            say(&format!("{name} = {value}   (constraint `{}`{branch})\n", found.constraint));
        }
        let (arena, limits) = (std::mem::take(&mut w.g), w.limits.clone());
        *w = Workbench::new(arena, found.system);
        w.limits = limits;
    }
    Ok(())
}

/// `--independent`: which velocities the others are expressed by.
fn choose_independent(w: &mut Workbench, names: &[String]) -> Result<(), Failure> {
    if names.is_empty() {
        return Ok(());
    }
    let known: Vec<String> = w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect();
    let mut chosen = Vec::new();
    for name in names {
        let name = name.trim().trim_end_matches('\'');
        let Some(i) = known.iter().position(|n| n == name) else {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(unknown("`--independent`: ", "coordinate", name, &known).into());
        };
        chosen.push(i);
    }
    let refuse = |why: String| {
        let error = Error::input(format!("`--independent {}`: {why}", names.join(",")));
        error.hint("`noslip check` counts the degrees of freedom; leave the option out, and a regular choice is made")
    };
    w.choose_independent(&chosen).map_err(|why| refuse(why).into())
}

/// The forms asked for, and whether that was `all`.
fn chosen(args: &DeriveArgs, w: &mut Workbench) -> Result<(Vec<&'static dyn Form>, bool), Failure> {
    if args.forms.iter().any(|f| f == "all") {
        return Ok((FORMS.to_vec(), true));
    }
    if args.forms.is_empty() {
        let mut list: Vec<&'static dyn Form> = Vec::new();
        if let Some(lagrange) = by_id("lagrange-multipliers").filter(|f| f.applies(w) == Applicability::Applies) {
            list.push(lagrange);
        }
        list.extend(best_suited(w));
        if list.is_empty() {
            let error = Error::not_applicable("no form of the equations of motion applies");
            return Err(error.hint("`noslip check` says why, form by form").into());
        }
        return Ok((list, false));
    }
    let known: Vec<&str> = FORMS.iter().map(|f| f.id()).collect();
    let list: noslip::Result<Vec<_>> =
        args.forms.iter().map(|id| by_id(id).ok_or_else(|| unknown("", "form", id, &known))).collect();
    Ok((list?, false))
}

/// What came of the forms asked for.
#[derive(Default)]
struct Results {
    derived: Vec<Derived>,
    refused: Vec<(&'static dyn Form, String)>,
    failed: Vec<(&'static dyn Form, Error)>,
}

impl Results {
    /// Nothing has been said yet.
    fn untitled(&self) -> bool {
        self.derived.is_empty() && self.failed.is_empty()
    }

    fn answer(&self, w: &Workbench, printers: &Printers, all: bool) -> Derive {
        let mut forms: Vec<answers::Form> = self.derived.iter().map(|d| d.answer(w, printers)).collect();
        if forms.len() == 1 && !all {
            return Derive::One(Box::new(forms.remove(0)));
        }
        let by_id = |list: Vec<&(&'static dyn Form, String)>| {
            list.into_iter().map(|(f, why)| (f.id().to_owned(), why.clone())).collect()
        };
        let (undecided, refused) = self.without_equations();
        let (not_applicable, not_decided) = (by_id(refused), by_id(undecided));
        Derive::Several { name: w.system.name.clone(), forms, not_applicable, not_decided }
    }

    /// The proofs, and the forms that do not apply.
    fn table(&self) -> String {
        let mut out = String::from("\nAgreement with Lagrange's equations with multipliers\n");
        for d in &self.derived {
            let p = &d.presented;
            let operations: usize = p.equations[..p.own].iter().map(Tree::operations).sum();
            let _ = write!(out, "  {:<32} {:<10} {operations:>5} operations", d.form.id(), d.agreement.word());
            if !p.abbreviations.is_empty() {
                let more: usize = p.abbreviations.iter().map(|(_, t)| t.operations()).sum();
                let _ = write!(out, ", and {more} in {} abbreviations", p.abbreviations.len());
            }
            out.push('\n');
        }
        let (undecided, refused) = self.without_equations();
        for (title, list) in [("Do not apply", refused), ("Not decided", undecided)] {
            if !list.is_empty() {
                let _ = write!(out, "\n{title}\n");
            }
            for (form, why) in list {
                let _ = writeln!(out, "  {:<32} {why}", form.id());
            }
        }
        out
    }

    /// The forms of which it was not decided whether they apply, and those that do not.
    fn without_equations(&self) -> (Vec<&(&'static dyn Form, String)>, Vec<&(&'static dyn Form, String)>) {
        self.refused.iter().partition(|(_, why)| why == NOT_DECIDED)
    }

    fn end(&self) -> Outcome {
        let disagreeing = self.derived.iter().filter(|d| d.agreement.known.is_refuted());
        let disagreeing: Vec<&str> = disagreeing.map(|d| d.form.id()).collect();
        if !disagreeing.is_empty() {
            let message = format!("these forms do not agree with Lagrange's equations: {}", disagreeing.join(", "));
            return Err(Error::computation(message).into());
        }
        if self.failed.is_empty() {
            return Ok(());
        }
        let failed = self.failed.iter().map(|(f, e)| {
            let message = format!("{}: {e}", f.id());
            Error::computation(message)
        });
        Err(Failure::several(failed.collect()))
    }
}

/// Printers with the model's own symbols.
struct Printers {
    text: Printer,
    latex: Printer,
    mathml: Printer,
}

impl Printers {
    fn of(system: &System) -> Printers {
        let [text, latex, mathml] = [Style::Text, Style::Latex, Style::MathMl].map(|style| printer(system, style));
        Printers { text, latex, mathml }
    }

    fn expression(&self, g: &Arena, t: &Tree) -> Expression {
        Expression(self.text.print(g, t))
    }

    /// Left sides in full, and as they are shown.
    fn equations(&self, g: &Arena, full: &[Tree], short: &[Tree]) -> Vec<Equation> {
        let zero = Tree::integer(0);
        let both = full.iter().zip(short);
        both.map(|(t, shown)| Equation {
            lhs: self.expression(g, t),
            rhs: Zero::Zero,
            operations: t.operations(),
            latex: self.latex.print_equation(g, shown, &zero),
            mathml: self.mathml.print_equation(g, shown, &zero),
        })
        .collect()
    }
}

/// One derived form.
struct Derived {
    form: &'static dyn Form,
    presented: Presented,
    /// The same without abbreviations, where `presented` has some and they were asked for.
    in_full: Option<Presented>,
    /// Written out it would be too long.
    in_letters: bool,
    agreement: Agreement,
}

impl Derived {
    /// What is written with abbreviations is also written out: a program that reads `lhs` needs nothing else. LaTeX and
    /// MathML are for people, and keep the abbreviations.
    fn answer(&self, w: &Workbench, p: &Printers) -> answers::Form {
        let g = &w.g;
        let short = &self.presented;
        let full = self.in_full.as_ref().unwrap_or(short);
        let kinematics = full.kinematics.iter().zip(&short.kinematics).map(|((s, t), (_, shown))| Kinematic {
            lhs: Expression(g.name(*s).to_owned()),
            rhs: p.expression(g, t),
            operations: t.operations(),
            latex: p.latex.print(g, shown),
        });
        let reactions = full.reactions.iter();
        let reactions =
            reactions.filter_map(|(s, t)| Some((w.system.constraint_of(*s)?.name.clone(), p.expression(g, t))));
        let objects = full.objects.iter().zip(&short.objects).map(|(o, shown)| Object {
            name: o.name.clone(),
            symbol: o.symbol.clone(),
            value: p.expression(g, &o.value),
            latex: p.latex.print(g, &shown.value),
        });
        let alternatives = full.alternatives.iter().zip(&short.alternatives);
        let alternatives = alternatives.map(|((name, list), (_, shown))| Alternative {
            name: name.clone(),
            equations: p.equations(g, list, shown),
        });
        answers::Form {
            form: self.form.id(),
            name: self.form.name(),
            equations: p.equations(g, &full.equations[..full.own], &short.equations[..short.own]),
            completed_by: p.equations(g, &full.equations[full.own..], &short.equations[short.own..]),
            variables: full.variables.iter().map(|(s, t)| (g.name(*s).to_owned(), p.expression(g, t))).collect(),
            kinematics: kinematics.collect(),
            reactions: reactions.collect(),
            objects: objects.collect(),
            alternatives: alternatives.collect(),
            notes: full.notes.clone(),
            agreement: (&self.agreement.known).into(),
            in_letters: self.in_letters,
            abbreviated: (!short.abbreviations.is_empty()).then(|| self.abbreviated(g, p)),
        }
    }

    fn abbreviated(&self, g: &Arena, p: &Printers) -> Abbreviated {
        let letters = self.presented.abbreviations.iter().map(|(s, t)| Abbreviation {
            symbol: g.name(*s).to_owned(),
            value: p.expression(g, t),
            operations: t.operations(),
            latex: p.latex.print(g, t),
        });
        let equations = self.presented.equations[..self.presented.own].iter().map(|t| BriefEquation {
            lhs: p.expression(g, t),
            rhs: Zero::Zero,
            operations: t.operations(),
        });
        Abbreviated { abbreviations: letters.collect(), equations: equations.collect() }
    }

    fn mathml(&self, g: &Arena, printer: &Printer) -> String {
        let (p, zero) = (&self.presented, Tree::integer(0));
        let equations = p.equations[..p.own].iter().map(|tree| printer.print_equation(g, tree, &zero));
        let letters = p.abbreviations.iter().map(|(s, tree)| printer.print_equation(g, &Tree::Symbol(*s), tree));
        equations.chain(letters).map(|line| line + "\n").collect()
    }

    fn latex(&self, g: &Arena, printer: &Printer) -> String {
        let (p, zero) = (&self.presented, Tree::integer(0));
        let equations = p.equations.iter().map(|t| format!("  & {}", printer.print_equation(g, t, &zero)));
        let values = p.kinematics.iter().chain(&p.abbreviations);
        let values = values.map(|(s, t)| format!("  & {} = {}", printer.symbol(g, *s), printer.print(g, t)));
        format!(
            "% {} ({}); {}\n\\begin{{align}}\n{}\n\\end{{align}}\n",
            self.form.name(),
            self.form.id(),
            self.agreement.word(),
            equations.chain(values).collect::<Vec<_>>().join(" \\\\\n")
        )
    }
}

/// Prints the equations of one form, each line as soon as it is known.
struct Lines<'l, 'e> {
    w: &'l mut Workbench,
    presenter: &'l mut Presenter<'e>,
    printer: &'l Printer,
}

impl Lines<'_, '_> {
    fn equation(&mut self, e: Expr, kind: Kind) -> noslip::Result<()> {
        let tree = self.presenter.tree(self.w, e, kind)?;
        say(&format!("    {}\n", self.printer.print_equation(&self.w.g, &tree, &Tree::integer(0))));
        Ok(())
    }

    fn value(&mut self, indent: &str, symbol: &str, e: Expr) -> noslip::Result<()> {
        let tree = self.presenter.tree(self.w, e, Kind::Value)?;
        say(&format!("{indent}{symbol} = {}\n", self.printer.print(&self.w.g, &tree)));
        Ok(())
    }

    fn values(&mut self, indent: &str, list: &[(Symbol, Expr)]) -> noslip::Result<()> {
        list.iter().try_for_each(|&(s, e)| self.value(indent, &self.printer.symbol(&self.w.g, s), e))
    }

    fn say(&mut self, eq: &Equations, brief: bool) -> noslip::Result<()> {
        if !brief {
            self.values("  ", &eq.variables)?;
            for o in &eq.objects {
                self.value("  ", &o.symbol, o.value)?;
            }
        }
        say("\n");
        for (i, &e) in eq.equations.iter().enumerate() {
            if i == eq.own {
                let as_they_stand = self.w.system.constraints.iter().all(|c| c.order >= 2);
                say(if as_they_stand { "  with the constraints\n" } else { "  with the differentiated constraints\n" });
            }
            self.equation(e, eq.kind(i))?;
        }
        if !eq.velocities.is_empty() {
            say("  where\n");
            self.values("    ", &eq.velocities)?;
        }
        if !brief {
            for (name, list) in &eq.alternatives {
                say(&format!("  {name}\n"));
                list.iter().try_for_each(|&e| self.equation(e, Kind::Equation))?;
            }
            if !eq.reactions.is_empty() {
                say("  reactions\n");
                self.values("    ", &eq.reactions)?;
            }
        }
        if !self.presenter.abbreviations().is_empty() {
            say("  abbreviations\n");
            for (s, t) in self.presenter.abbreviations() {
                say(&format!("    {} = {}\n", self.printer.symbol(&self.w.g, *s), self.printer.print(&self.w.g, t)));
            }
        }
        Ok(())
    }
}

fn sentence(form: &dyn Form, a: &Agreement) -> String {
    let why = a.reason().unwrap_or_default();
    match &a.known {
        Known::Proved if form.id() == "lagrange-multipliers" => {
            "the equations with which those of every other form are compared".into()
        }
        Known::Tested { error_bound } => format!(
            "agrees with Lagrange's equations with multipliers: tested (wrong with probability below {error_bound:.0e}; no \
             proof: {why})"
        ),
        known if known.holds() => format!("agrees with Lagrange's equations with multipliers: {}", known.word()),
        Known::Refuted(_) => format!("DISAGREES with Lagrange's equations with multipliers: {why}"),
        _ => format!("agreement with Lagrange's equations is unknown: {why}"),
    }
}
