//! `noslip report`

use super::say;
use super::simulate::{describe, initial_state};
use crate::args::ReportArgs;
use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::output::{expect_folder, write_atomically};
use noslip::analysis::{Analysis, analyse, sentences};
use noslip::compile::CompileOptions;
use noslip::expr::{Expr, Printer, Style, Symbol, Tree};
use noslip::forms::{Applicability, FORMS, Form, Presented, Workbench, best_suited, present};
use noslip::model::{Claims, State};
use noslip::simulate::{Method, Probe, Settings, simulate};
use noslip::verify::{Agreement, agreement};
use noslip::{Limits, Result};
use noslip_cli::report::drawing::Drawing;
use noslip_cli::report::{
    self, Alternative, Equation, Formula, Named, NotApplicable, Object, Proof, ReportData, Series, Verdict,
};
use std::path::PathBuf;
use std::time::Instant;

/// Longest expression on the page, in bytes of the model's syntax: several screens, and nobody reads more.
const LONGEST: usize = 16_000;
/// Samples of the motion on the page.
const SAMPLES: usize = 601;

/// Writes the page.
pub fn run(args: &ReportArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let path = args.output.clone().unwrap_or_else(|| {
        let stem =
            PathBuf::from(&opened.name).file_stem().map_or("report".into(), |s| s.to_string_lossy().into_owned());
        PathBuf::from(format!("{}.html", if stem == "<stdin>" { "report" } else { &stem }))
    });
    expect_folder(&path)?;
    let drawing = Drawing::parse(&opened.text).map_err(|e| Failure::input(opened.render(&[e])))?;
    let drawing = drawing.unwrap_or_else(|| {
        let names: Vec<&str> = opened.model.system.coordinates.iter().map(|&s| opened.model.arena.name(s)).collect();
        Drawing::default_for(&names)
    });
    // Expressions of the drawing are read with the model's names before the model is lent out.
    let mut pictures: Vec<(String, Expr)> = Vec::new();
    for e in drawing.expressions() {
        let claim = Claims::equation(&e.text, &mut opened.model, &Limits::default()).map_err(|errors| {
            Failure::input(opened.render(
                &errors.into_iter().map(|x| x.shifted(e.span.as_ref().map_or(0, |s| s.start))).collect::<Vec<_>>(),
            ))
        })?;
        pictures.push((e.text.clone(), claim.expr));
    }
    let mut warnings: Vec<String> = opened.model.warnings.iter().map(ToString::to_string).collect();
    let until = args.until.or(opened.model.system.simulation.until.as_ref().map(|x| x.to_f64()));
    let state = match (&opened.model.system.initial, until) {
        (Some(_), _) | (None, Some(_)) => Some(initial_state(&mut opened)?),
        _ => None,
    };
    let text = opened.text.clone();
    let model = &mut opened.model;
    let mut w = Workbench::new(&mut model.arena, &model.system);
    w.limits.printed_bytes = LONGEST;
    let analysis = analyse(&mut w);
    let mut page = Page::new(&w);
    let mut data = ReportData {
        name: w.system.name.clone(),
        source: w.system.source.clone(),
        description: w.system.description.clone(),
        classification: sentences(w.g, w.system, &analysis),
        model_file: Some(text),
        generator: format!("noslip {}", env!("CARGO_PKG_VERSION")),
        ..ReportData::default()
    };
    data.model = page.model(&mut w, state.as_ref())?;
    page.forms(&mut w, &mut data)?;
    if let Some(state) = &state {
        let until = until.unwrap_or(state.time + 10.0);
        match motion(&mut w, &page, &analysis, state, until, &drawing, &pictures) {
            Ok((simulation, scene)) => {
                if simulation.outcome != "finished" {
                    warnings.push(format!("the motion: {}", simulation.outcome));
                }
                data.simulation = Some(simulation);
                data.scene = scene;
            }
            Err(e) => warnings.push(format!("no motion could be computed: {e}")),
        }
    } else {
        warnings.push("the model gives no initial state, so there is no motion to show".into());
    }
    data.warnings = warnings;
    write_atomically(&path, report::render(&data).as_bytes())?;
    say(&format!("wrote {}\n", path.display()));
    Ok(())
}

/// Printers with the model's own symbols.
struct Page {
    mathml: Printer,
    latex: Printer,
}

impl Page {
    fn new(w: &Workbench) -> Page {
        let printer = |style: Style| {
            w.system.display.iter().fold(Printer::new(style), |p, (name, latex)| p.display(name.clone(), latex.clone()))
        };
        Page { mathml: printer(Style::MathMl), latex: printer(Style::Latex) }
    }

    fn tree(&self, w: &Workbench, t: &Tree) -> Formula {
        Formula::new(self.mathml.print(w.g, t), self.latex.print(w.g, t))
    }

    fn symbol(&self, w: &Workbench, s: Symbol) -> Formula {
        Formula::new(format!("<math>{}</math>", strip(&self.mathml.symbol(w.g, s))), self.latex.symbol(w.g, s))
    }

    fn vanishing(&self, w: &Workbench, t: &Tree) -> Formula {
        let zero = Tree::integer(0);
        Formula::new(self.mathml.print_equation(w.g, t, &zero), self.latex.print_equation(w.g, t, &zero))
    }

    fn equals(&self, w: &Workbench, s: Symbol, t: &Tree) -> Formula {
        Formula::equals(&self.symbol(w, s), &self.tree(w, t))
    }

    /// An expression as its author wrote it: not rearranged.
    fn plain(&self, w: &Workbench, e: Expr) -> Result<Formula> {
        Ok(self.tree(w, &Tree::of(w.g, e, &w.limits)?))
    }

    fn model(&mut self, w: &mut Workbench, state: Option<&State>) -> Result<report::Model> {
        let system = w.system;
        let values = system.values(w.g, &[])?;
        let mut model = report::Model {
            coordinates: system.coordinates.iter().map(|&s| self.symbol(w, s)).collect(),
            kinetic: Formula::equals(&Formula::symbol("T"), &self.plain(w, system.kinetic)?),
            ..report::Model::default()
        };
        for d in &system.definitions {
            model.definitions.push(Formula::equals(&self.name(w, &d.name), &self.plain(w, d.expr)?));
        }
        if !w.g.is_zero(system.potential) {
            model.potential = Some(Formula::equals(&Formula::symbol("V"), &self.plain(w, system.potential)?));
        }
        for (i, &f) in system.forces.iter().enumerate() {
            if !w.g.is_zero(f) {
                let q = w.g.name(system.coordinates[i]).to_owned();
                model.forces.push(Formula::equals(&self.name(w, &format!("Q_{q}")), &self.plain(w, f)?));
            }
        }
        for c in &system.constraints {
            let tree = Tree::of(w.g, c.expr, &w.limits)?;
            model.constraints.push(Named { name: c.name.clone(), formula: self.vanishing(w, &tree) });
        }
        for v in &system.quasi_velocities {
            let tree = Tree::of(w.g, v.expr, &w.limits)?;
            model.quasi_velocities.push(self.equals(w, v.symbol, &tree));
        }
        for p in &system.parameters {
            let value = Formula::number(&short(values.at.get(p.symbol)));
            model.parameters.push(Formula::equals(&self.symbol(w, p.symbol), &value));
        }
        if let Some(state) = state {
            for (i, (&q, &v)) in system.coordinates.iter().zip(&system.velocities).enumerate() {
                model.initial.push(Formula::equals(&self.symbol(w, q), &Formula::number(&short(state.position[i]))));
                model.initial.push(Formula::equals(&self.symbol(w, v), &Formula::number(&short(state.velocity[i]))));
            }
        }
        Ok(model)
    }

    /// A name that need not be a symbol of the model.
    fn name(&self, w: &mut Workbench, name: &str) -> Formula {
        let s = w.g.declare(name, noslip::expr::Role::Other);
        self.symbol(w, s)
    }

    fn forms(&mut self, w: &mut Workbench, data: &mut ReportData) -> Result<()> {
        let best = best_suited(w).map(|f| f.id());
        for &form in FORMS {
            if let Applicability::DoesNotApply(why) = form.applies(w) {
                data.not_applicable.push(NotApplicable { id: form.id().into(), name: form.name().into(), reason: why });
                continue;
            }
            let started = Instant::now();
            let eq = form.derive(w)?;
            let verdict = agreement(w, &eq);
            let seconds = started.elapsed().as_secs_f64();
            data.proofs.push(proof(form, &verdict, seconds));
            let presented = match present(w, &eq) {
                Ok(presented) => presented,
                Err(e) => {
                    let reason = format!("it applies, but cannot be shown: {}", e.message);
                    data.not_applicable.push(NotApplicable { id: form.id().into(), name: form.name().into(), reason });
                    continue;
                }
            };
            data.forms.push(self.form(w, form, &presented));
            if form.id() == "udwadia-kalaba" || (Some(form.id()) == best && data.reactions.is_empty()) {
                data.reactions.clear();
                for (s, tree) in &presented.reactions {
                    let name = w.g.name(*s).trim_start_matches("lambda_").to_owned();
                    data.reactions.push(Named { name, formula: self.equals(w, *s, tree) });
                }
            }
        }
        // The form best suited comes first.
        data.forms.sort_by_key(|f| Some(f.id.as_str()) != best);
        Ok(())
    }

    fn form(&self, w: &Workbench, form: &'static dyn Form, p: &Presented) -> report::Form {
        let equation = |t: &Tree| Equation { formula: self.vanishing(w, t), operations: Some(t.operations()) };
        let mut kinematics: Vec<Equation> = p.equations[p.own..].iter().map(equation).collect();
        for (s, t) in p.variables.iter().chain(&p.kinematics).chain(&p.abbreviations) {
            kinematics.push(Equation { formula: self.equals(w, *s, t), operations: None });
        }
        report::Form {
            id: form.id().into(),
            name: form.name().into(),
            about: first_sentence(form.about()),
            source: form.source().into(),
            equations: p.equations[..p.own].iter().map(equation).collect(),
            kinematics,
            objects: p
                .objects
                .iter()
                .map(|o| Object {
                    name: o.name.clone(),
                    formula: Formula::equals(&Formula::symbol(&o.symbol), &self.tree(w, &o.value)),
                })
                .collect(),
            alternatives: p
                .alternatives
                .iter()
                .map(|(title, list)| Alternative {
                    title: title.clone(),
                    equations: list.iter().map(equation).collect(),
                })
                .collect(),
            notes: p.notes.clone(),
        }
    }
}

fn strip(mathml: &str) -> &str {
    let inner = mathml.strip_prefix("<math").and_then(|m| m.split_once('>')).map_or(mathml, |(_, m)| m);
    inner.strip_suffix("</math>").unwrap_or(inner)
}

/// The first paragraph of a form's documentation.
fn first_sentence(about: &str) -> String {
    let lines = about.lines().map(|l| l.trim_start_matches("//!").trim());
    lines.take_while(|l| !l.is_empty()).collect::<Vec<_>>().join(" ")
}

fn proof(form: &'static dyn Form, a: &Agreement, seconds: f64) -> Proof {
    let (verdict, how) = match a {
        Agreement::Proved => (Verdict::Proved, "by the normal form".to_owned()),
        Agreement::Tested { error_bound, why } => {
            (Verdict::Tested, format!("in the prime field, wrong with probability below {error_bound:.0e}; {why}"))
        }
        Agreement::Disagrees { what } => (Verdict::Refuted, what.clone()),
        Agreement::Unknown { why } => (Verdict::Open, why.clone()),
    };
    Proof { form: form.id().into(), name: form.name().into(), verdict, how, seconds: Some(seconds) }
}

/// A number a person reads: at most eight significant digits.
fn short(x: f64) -> String {
    let rounded: f64 = format!("{x:.7e}").parse().unwrap_or(x);
    rounded.to_string()
}

fn motion(
    w: &mut Workbench,
    page: &Page,
    analysis: &Analysis,
    state: &State,
    until: f64,
    drawing: &Drawing,
    pictures: &[(String, Expr)],
) -> Result<(report::Simulation, Option<report::drawing::Scene>)> {
    let system = w.system;
    let tolerance = system.simulation.tolerance.as_ref().map_or(1e-9, |x| x.to_f64());
    let method = system.simulation.method.as_deref().and_then(Method::by_name).unwrap_or(Method::Dop853);
    let span = until - state.time;
    let at = (0..SAMPLES)
        .map(|i| if i + 1 == SAMPLES { until } else { state.time + span * i as f64 / (SAMPLES - 1) as f64 });
    let settings = Settings {
        until,
        at: at.collect(),
        tolerance,
        method,
        step: None,
        max_steps: Limits::default().steps,
        stops: Vec::new(),
    };
    let run = simulate(w, state, &settings, &mut |_| true)?;
    // Everything that is plotted or drawn, evaluated in one pass.
    let d = w.dynamics();
    let energy = w.g.add(system.kinetic, system.potential);
    let mut list: Vec<(String, Formula, Expr)> = Vec::new();
    let mut add = |w: &mut Workbench, symbols: &[Symbol]| {
        for &s in symbols {
            let e = w.g.symbol(s);
            list.push((w.g.name(s).to_owned(), page.symbol(w, s), e));
        }
        symbols.len()
    };
    let multipliers: Vec<Symbol> = system.constraints.iter().map(|c| c.multiplier).collect();
    let counts = [add(w, &system.coordinates), add(w, &system.velocities), add(w, &multipliers)];
    list.push(("kinetic".into(), Formula::symbol("T"), system.kinetic));
    list.push(("potential".into(), Formula::symbol("V"), system.potential));
    list.push(("energy".into(), Formula::equals(&Formula::symbol("E"), &Formula::symbol("T + V")), energy));
    let mut drifts = 0;
    for (j, c) in system.constraints.iter().enumerate() {
        if let Some(phi) = if c.order == 0 { Some(c.expr) } else { d.velocity_constraints[j] } {
            list.push((c.name.clone(), Formula::symbol(&c.name), phi));
            drifts += 1;
        }
    }
    let integrals: Vec<_> = analysis.conserved.iter().filter(|c| c.name != "energy").collect();
    for c in &integrals {
        list.push((c.name.clone(), Formula::symbol(&c.name), c.expr));
    }
    let mut expressions: Vec<Expr> = list.iter().map(|x| x.2).collect();
    expressions.extend(pictures.iter().map(|p| p.1));
    let options = CompileOptions::of_system(w.g, w.system, &w.limits)?;
    let mut probe = Probe::new(w, &expressions, &options)?;
    let mut columns = vec![Vec::with_capacity(run.samples.len()); expressions.len()];
    for s in &run.samples {
        for (column, x) in columns.iter_mut().zip(probe.values(s.t, &s.y, &s.accelerations, &s.multipliers)) {
            column.push(x);
        }
    }
    let mut series = list.iter().zip(&columns).map(|((name, symbol, _), values)| Series {
        name: name.clone(),
        symbol: symbol.clone(),
        values: values.clone(),
    });
    let mut take = |n: usize| -> Vec<Series> { series.by_ref().take(n).collect() };
    let mut simulation = report::Simulation {
        outcome: if run.outcome.code() == "finished" { "finished".into() } else { describe(w, &run) },
        method: format!(
            "{}, tolerance {tolerance:.0e}, {} steps, {} evaluations",
            run.method.name(),
            run.statistics.steps,
            run.statistics.evaluations
        ),
        times: run.samples.iter().map(|s| s.t).collect(),
        coordinates: take(counts[0]),
        velocities: take(counts[1]),
        multipliers: take(counts[2]),
        energies: take(3),
        drift: take(drifts),
        integrals: take(integrals.len()),
    };
    if analysis.energy.conserved == Some(true) {
        let values = report::relative_change(&simulation.energies[2].values);
        simulation.drift.push(Series { name: "energy (relative)".into(), symbol: Formula::symbol("ΔE/E"), values });
    }
    let first = list.len();
    let scene = drawing.sample(&mut |text: &str| {
        let i = pictures.iter().position(|(t, _)| t == text).unwrap_or(0);
        Ok(columns[first + i].clone())
    })?;
    Ok((simulation, Some(scene)))
}
