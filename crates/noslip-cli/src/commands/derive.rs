//! `noslip derive`

use super::{say, say_json};
use crate::args::{DeriveArgs, EquationFormat};
use crate::failure::{Failure, Outcome};
use crate::open::{open, unknown};
use noslip::expr::{Arena, Expr, Printer, Style, Symbol, Tree};
use noslip::forms::{Applicability, FORMS, Form, Presented, Presenter, best_suited, by_id, present_in_full};
use noslip::mechanics::{Equations, Kind, Workbench};
use noslip::verify::{Agreement, agreement};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// One derived form.
struct Derived {
    form: &'static dyn Form,
    presented: Presented,
    /// The same without abbreviations, where `presented` has some and they were asked for.
    in_full: Option<Presented>,
    agreement: Agreement,
}

/// Derives the equations of motion.
pub fn run(args: &DeriveArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let model = &mut opened.model;
    let printer = |style: Style| {
        model.system.display.iter().fold(Printer::new(style), |p, (name, latex)| p.display(name.clone(), latex.clone()))
    };
    let (text, latex, mathml, unicode) =
        (printer(Style::Text), printer(Style::Latex), printer(Style::MathMl), printer(Style::Unicode));
    let mut w = model.workbench();
    let (forms, all) = chosen(args, &mut w)?;
    let in_text = args.format == EquationFormat::Text;
    let mut derived: Vec<Derived> = Vec::new();
    let mut refused = Vec::new();
    let mut failed: Vec<(&dyn Form, noslip::Error)> = Vec::new();
    for form in forms {
        if let (true, Applicability::DoesNotApply(why)) = (all, form.applies(&mut w)) {
            refused.push((form, why));
            continue;
        }
        let result = form.derive(&mut w).and_then(|eq| {
            let mut presenter = Presenter::new(&eq);
            if in_text {
                // A person reads the first equation while the others are made readable, and all while the proof is made.
                if derived.is_empty() && failed.is_empty() {
                    say(&format!("{}\n", w.system.name));
                }
                Lines { w: &mut w, presenter: &mut presenter, printer: &unicode }.say(form, &eq, args.brief)?;
            }
            let presented = presenter.all(&mut w)?;
            let in_full = args.format == EquationFormat::Json && !presented.abbreviations.is_empty();
            let in_full = if in_full { Some(present_in_full(&mut w, &eq)?) } else { None };
            let agreement = agreement(&mut w, &eq);
            if in_text {
                say(&format!("  {}\n", sentence(form, &agreement)));
            }
            Ok(Derived { form, presented, in_full, agreement })
        });
        match result {
            Ok(d) => derived.push(d),
            // One form beyond a limit does not hide the others.
            Err(e) if all => failed.push((form, e)),
            Err(e) => return Err(e.into()),
        }
    }
    let g = &w.g;
    match args.format {
        EquationFormat::Json => {
            let list: Vec<Value> = derived.iter().map(|d| document(&w, d, &text, &latex, &mathml)).collect();
            let refused: Map<String, Value> = refused.iter().map(|(f, why)| (f.id().to_owned(), json!(why))).collect();
            match &list[..] {
                [one] if !all => say_json(one),
                _ => say_json(&json!({"name": w.system.name, "forms": list, "not_applicable": refused})),
            }
        }
        EquationFormat::Text if all => {
            let untitled = derived.is_empty() && failed.is_empty();
            let mut out = if untitled { format!("{}\n", w.system.name) } else { String::new() };
            write_table(&mut out, &derived, &refused);
            say(&out);
        }
        EquationFormat::Text => {}
        EquationFormat::Latex => {
            let mut out = String::new();
            for d in &derived {
                write_latex(&mut out, g, d, &latex);
            }
            say(&out);
        }
        EquationFormat::Mathml => {
            let mut out = String::new();
            for d in &derived {
                for tree in &d.presented.equations[..d.presented.own] {
                    let _ = writeln!(out, "{}", mathml.print_equation(g, tree, &Tree::integer(0)));
                }
                for (s, tree) in &d.presented.abbreviations {
                    let _ = writeln!(out, "{}", mathml.print_equation(g, &Tree::Symbol(*s), tree));
                }
            }
            say(&out);
        }
    }
    let disagreeing: Vec<&str> =
        derived.iter().filter(|d| matches!(d.agreement, Agreement::Disagrees { .. })).map(|d| d.form.id()).collect();
    if !disagreeing.is_empty() {
        return Err(Failure::computation(format!(
            "error: these forms do not agree with Lagrange's equations: {}",
            disagreeing.join(", ")
        )));
    }
    if !failed.is_empty() {
        let message: Vec<String> = failed.iter().map(|(f, e)| format!("error: {}: {e}", f.id())).collect();
        return Err(Failure::computation(message.join("\n")));
    }
    Ok(())
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
            return Err(Failure::computation(
                "error: no form of the equations of motion applies\n  = help: `noslip check` says why, form by form",
            ));
        }
        return Ok((list, false));
    }
    let known: Vec<&str> = FORMS.iter().map(|f| f.id()).collect();
    let list: Result<Vec<_>, Failure> =
        args.forms.iter().map(|id| by_id(id).ok_or_else(|| unknown("", "form", id, &known))).collect();
    Ok((list?, false))
}

/// What is written with abbreviations is also written out: a program that reads `lhs` needs nothing else. LaTeX and MathML
/// are for people, and keep the abbreviations.
fn document(w: &Workbench, d: &Derived, text: &Printer, latex: &Printer, mathml: &Printer) -> Value {
    let g = &w.g;
    let short = &d.presented;
    let full = d.in_full.as_ref().unwrap_or(short);
    let zero = Tree::integer(0);
    let equation = |(t, shown): (&Tree, &Tree)| {
        json!({"lhs": text.print(g, t), "rhs": "0", "operations": t.operations(),
               "latex": latex.print_equation(g, shown, &zero), "mathml": mathml.print_equation(g, shown, &zero)})
    };
    let equations = |full: &[Tree], short: &[Tree]| full.iter().zip(short).map(equation).collect::<Vec<_>>();
    let kinematics: Vec<Value> = (full.kinematics.iter().zip(&short.kinematics))
        .map(|((s, t), (_, shown))| {
            json!({"lhs": g.name(*s), "rhs": text.print(g, t), "operations": t.operations(), "latex": latex.print(g, shown)})
        })
        .collect();
    let variables: Map<String, Value> =
        full.variables.iter().map(|(s, t)| (g.name(*s).to_owned(), json!(text.print(g, t)))).collect();
    let reactions: Map<String, Value> = full
        .reactions
        .iter()
        .filter_map(|(s, t)| Some((w.system.constraint_of(*s)?.name.clone(), json!(text.print(g, t)))))
        .collect();
    let objects: Vec<Value> = (full.objects.iter().zip(&short.objects))
        .map(|(o, shown)| {
            json!({"name": o.name, "symbol": o.symbol, "value": text.print(g, &o.value),
                   "latex": latex.print(g, &shown.value)})
        })
        .collect();
    let alternatives: Vec<Value> = (full.alternatives.iter().zip(&short.alternatives))
        .map(|((name, list), (_, shown))| json!({"name": name, "equations": equations(list, shown)}))
        .collect();
    let mut document = json!({
        "form": d.form.id(),
        "name": d.form.name(),
        "equations": equations(&full.equations[..full.own], &short.equations[..short.own]),
        "completed_by": equations(&full.equations[full.own..], &short.equations[short.own..]),
        "variables": variables,
        "kinematics": kinematics,
        "reactions": reactions,
        "objects": objects,
        "alternatives": alternatives,
        "notes": full.notes,
        "agreement": d.agreement.word(),
    });
    if !short.abbreviations.is_empty() {
        let letters: Vec<Value> = (short.abbreviations.iter())
            .map(|(s, t)| {
                json!({"symbol": g.name(*s), "value": text.print(g, t), "operations": t.operations(), "latex": latex.print(g, t)})
            })
            .collect();
        let brief = |t: &Tree| json!({"lhs": text.print(g, t), "rhs": "0", "operations": t.operations()});
        let list: Vec<Value> = short.equations[..short.own].iter().map(brief).collect();
        document["abbreviated"] = json!({"abbreviations": letters, "equations": list});
    }
    document
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

    fn say(&mut self, form: &dyn Form, eq: &Equations, brief: bool) -> noslip::Result<()> {
        say(&format!("\n{} ({})\n", form.name(), form.id()));
        for note in &eq.notes {
            say(&format!("  {note}\n"));
        }
        if !brief {
            self.values("  ", &eq.variables)?;
            for o in &eq.objects {
                self.value("  ", &o.symbol, o.value)?;
            }
        }
        say("\n");
        for (i, &e) in eq.equations.iter().enumerate() {
            if i == eq.own {
                say("  with the differentiated constraints\n");
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
    match a {
        Agreement::Proved if form.id() == "lagrange-multipliers" => {
            "the equations with which those of every other form are compared".into()
        }
        Agreement::Proved => "agrees with Lagrange's equations with multipliers: proved".into(),
        Agreement::Tested { error_bound, why } => {
            format!(
                "agrees with Lagrange's equations with multipliers: tested (wrong with probability below {error_bound:.0e}; no proof: {why})"
            )
        }
        Agreement::Disagrees { what } => format!("DISAGREES with Lagrange's equations with multipliers: {what}"),
        Agreement::Unknown { why } => format!("agreement with Lagrange's equations is unknown: {why}"),
    }
}

fn write_table(out: &mut String, derived: &[Derived], refused: &[(&dyn Form, String)]) {
    out.push_str("\nAgreement with Lagrange's equations with multipliers\n");
    for d in derived {
        let p = &d.presented;
        let operations: usize = p.equations[..p.own].iter().map(Tree::operations).sum();
        let _ = write!(out, "  {:<32} {:<10} {operations:>5} operations", d.form.id(), d.agreement.word());
        if !p.abbreviations.is_empty() {
            let more: usize = p.abbreviations.iter().map(|(_, t)| t.operations()).sum();
            let _ = write!(out, ", and {more} in {} abbreviations", p.abbreviations.len());
        }
        out.push('\n');
    }
    if !refused.is_empty() {
        out.push_str("\nDo not apply\n");
        for (form, why) in refused {
            let _ = writeln!(out, "  {:<32} {why}", form.id());
        }
    }
}

fn write_latex(out: &mut String, g: &Arena, d: &Derived, printer: &Printer) {
    let p = &d.presented;
    let _ = writeln!(out, "% {} ({}); {}", d.form.name(), d.form.id(), d.agreement.word());
    out.push_str("\\begin{align}\n");
    let lines: Vec<String> = p
        .equations
        .iter()
        .map(|t| format!("  & {}", printer.print_equation(g, t, &Tree::integer(0))))
        .chain(
            p.kinematics
                .iter()
                .chain(&p.abbreviations)
                .map(|(s, t)| format!("  & {} = {}", printer.symbol(g, *s), printer.print(g, t))),
        )
        .collect();
    out.push_str(&lines.join(" \\\\\n"));
    out.push_str("\n\\end{align}\n");
}
