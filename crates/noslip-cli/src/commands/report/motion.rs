//! The motion of the page: what is plotted and drawn, in numbers, and the programs by which the page computes it again.

use super::Page;
use crate::motion::describe;
use crate::picture::Figure;
use crate::picture::Picture;
use noslip::analysis::Analysis;
use noslip::compile::GROWTH_LIMIT;
use noslip::contact::friction::contacts;
use noslip::expr::{Expr, Symbol};
use noslip::mechanics::Workbench;
use noslip::model::{Choice, State};
use noslip::numeric::counted;
use noslip::simulate::{Playable, Settings, Simulation, values_along};
use noslip::{Error, Result};
use noslip_cli::report::drawing::Scene;
use noslip_cli::report::{self, Formula, Knob, Play, Series, Target, Touch};

/// Operations of all programs of a page: beyond them its file grows by megabytes and no slider follows the hand.
const PLAYED: usize = 30_000;

/// A motion as the page shows it and as it was computed.
pub(super) struct Motion {
    pub(super) shown: report::Simulation,
    pub(super) scene: Scene,
    /// What computes it again, or why there is nothing.
    pub(super) play: Result<Play>,
    pub(super) run: Simulation,
}

/// What there is to show along a motion.
pub(super) struct Shown<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) picture: &'a Picture,
    pub(super) figures: &'a [Figure],
    pub(super) state: &'a State,
    pub(super) settings: &'a Settings,
}

/// A quantity over time: name, symbol, expression, and where the page puts it.
type Quantity = (String, Formula, Expr, Target);

impl Shown<'_> {
    /// The motion in numbers; everything that is plotted or drawn is evaluated in one pass.
    pub(super) fn motion(&self, w: &mut Workbench, page: &Page, run: Simulation) -> Result<Motion> {
        let list = self.quantities(w, page);
        let mut expressions: Vec<Expr> = list.iter().map(|x| x.2).collect();
        expressions.extend(self.picture.expressions());
        let columns = values_along(w, &expressions, &run.samples)?;
        let of = |part: &str| -> Vec<Series> {
            let all = list.iter().zip(&columns).filter(|(q, _)| q.3.0 == part);
            all.map(|(q, values)| Series { name: q.0.clone(), symbol: q.1.clone(), values: values.clone() }).collect()
        };
        let mut shown = report::Simulation {
            outcome: if run.outcome.code() == "finished" { "finished".into() } else { describe(w, &run) },
            method: format!(
                "{}, tolerance {:.0e}, {}, {}",
                run.method.id(),
                self.settings.tolerance,
                counted(run.statistics.steps as usize, "step"),
                counted(run.statistics.evaluations as usize, "evaluation")
            ),
            times: run.samples.iter().map(|s| s.t).collect(),
            coordinates: of("coordinates"),
            velocities: of("velocities"),
            multipliers: of("multipliers"),
            energies: of("energies"),
            drift: of("drift"),
            integrals: of("integrals"),
        };
        if self.analysis.energy.conserved == Some(true) {
            let values = report::relative_change(&shown.energies[2].values);
            shown.drift.push(Series { name: "energy (relative)".into(), symbol: Formula::symbol("ΔE/E"), values });
        }
        let scene = self.picture.scene(&columns[list.len()..])?;
        let play = self.play(w, page, list);
        Ok(Motion { shown, scene, play, run })
    }

    /// Coordinates, velocities, multipliers, energies, what should be zero, integrals.
    fn quantities(&self, w: &mut Workbench, page: &Page) -> Vec<Quantity> {
        let system = w.system.clone();
        let mut list: Vec<Quantity> = Vec::new();
        let multipliers: Vec<Symbol> = system.constraints.iter().map(|c| c.multiplier).collect();
        let symbols =
            [("coordinates", &system.coordinates), ("velocities", &system.velocities), ("multipliers", &multipliers)];
        for (part, symbols) in symbols {
            for (i, &s) in symbols.iter().enumerate() {
                let e = w.g.symbol(s);
                list.push((w.g.name(s).to_owned(), page.symbol(w, s), e, Target(part, i, 0)));
            }
        }
        let energy = w.g.add(system.kinetic, system.potential);
        let total = Formula::equals(
            &Formula::symbol("E"),
            &Formula::new("<math><mi>T</mi><mo>+</mo><mi>V</mi></math>", "T + V"),
        );
        let energies = [
            ("kinetic", Formula::symbol("T"), system.kinetic),
            ("potential", Formula::symbol("V"), system.potential),
            ("energy", total, energy),
        ];
        list.extend(
            energies.into_iter().enumerate().map(|(i, (n, f, e))| (n.to_owned(), f, e, Target("energies", i, 0))),
        );
        let d = w.dynamics();
        let mut drifts = 0;
        for (j, c) in system.constraints.iter().enumerate() {
            if let Some(phi) = if c.order == 0 { Some(c.expr) } else { d.velocity_constraints[j] } {
                list.push((c.name.clone(), page.name(w, &c.name), phi, Target("drift", drifts, 0)));
                drifts += 1;
            }
        }
        for (i, c) in self.analysis.conserved.iter().filter(|c| c.name != "energy").enumerate() {
            list.push((c.name.clone(), page.name(w, &c.name), c.expr, Target("integrals", i, 0)));
        }
        list
    }

    /// The programs that compute all of it again, for other parameters and another beginning.
    fn play(&self, w: &mut Workbench, page: &Page, list: Vec<Quantity>) -> Result<Play> {
        let mut expressions: Vec<Expr> = list.iter().map(|q| q.2).collect();
        let mut targets: Vec<Target> = list.into_iter().map(|q| q.3).collect();
        for (column, e) in self.picture.columns().into_iter().enumerate() {
            expressions.push(e);
            targets.push(Target("scene", column, 0));
        }
        for (f, figure) in self.figures.iter().enumerate().filter(|(_, f)| f.spec.vary.is_none()) {
            for (i, &e) in figure.up.iter().enumerate() {
                expressions.push(e);
                targets.push(Target("up", f, i));
            }
            if let Some(e) = figure.across {
                expressions.push(e);
                targets.push(Target("across", f, figure.up.len()));
            }
        }
        let touching = contacts(w);
        for (i, c) in touching.iter().enumerate() {
            expressions.extend([c.force(w), c.limit]);
            targets.extend([Target("grip", 2 * i, 0), Target("grip", 2 * i + 1, 0)]);
        }
        let known = self.known(w);
        let names: Vec<String> = known.iter().map(|(name, _)| name.clone()).collect();
        for (i, (_, e)) in known.into_iter().enumerate() {
            expressions.push(e);
            targets.push(Target("names", i, 0));
        }
        let guards: Vec<String> = w.system.guards.iter().map(|g| g.of.clone()).collect();
        for (i, guard) in w.system.clone().guards.iter().enumerate() {
            expressions.push(guard.expr);
            targets.push(Target("guards", i, 0));
        }
        let playable = Playable::new(w, self.state, &expressions)?;
        if playable.operations() > PLAYED {
            return Err(Error::limit(format!(
                "the equations take {} operations each time, more than the {PLAYED} that a page computes",
                playable.operations()
            )));
        }
        let name = |s: Symbol| w.g.name(s).to_owned();
        let completed = |s: Symbol| self.state.completed.iter().find(|c| c.symbol == s).map(|c| c.how);
        let knob = |s: Symbol, value: f64| Knob {
            name: name(s),
            symbol: page.symbol(w, s),
            value,
            free: completed(s) != Some(Choice::Constraints),
        };
        let start =
            |symbols: &[Symbol], values: &[f64]| symbols.iter().zip(values).map(|(&s, &x)| knob(s, x)).collect();
        Ok(Play {
            program: playable.to_js()?,
            parameters: playable.parameters.iter().map(|&(s, x)| knob(s, x)).collect(),
            positions: start(&w.system.coordinates, &self.state.position),
            velocities: start(&w.system.velocities, &self.state.velocity),
            time: self.state.time,
            until: self.settings.until,
            tolerance: self.settings.tolerance,
            growth: GROWTH_LIMIT,
            constraints: w.system.constraints.iter().map(|c| c.name.clone()).collect(),
            kept: playable.kept.iter().map(|&j| w.system.constraints[j].name.clone()).collect(),
            holonomic: playable.holonomic,
            targets,
            guards,
            names,
            contacts: touching.into_iter().map(|c| Touch { name: c.name, constraints: c.constraints }).collect(),
            model: String::new(),
        })
    }

    /// Abbreviations and quasi-velocities by their names, with their first and second derivatives.
    fn known(&self, w: &mut Workbench) -> Vec<(String, Expr)> {
        let system = w.system.clone();
        let mut list = Vec::new();
        for d in &system.definitions {
            let first = w.g.time_derivative(d.expr);
            let second = w.g.time_derivative(first);
            list.extend([(d.name.clone(), d.expr), (format!("{}'", d.name), first), (format!("{}''", d.name), second)]);
        }
        for v in &system.quasi_velocities {
            let (name, first) = (w.g.name(v.symbol).to_owned(), w.g.time_derivative(v.expr));
            list.extend([(name.clone(), v.expr), (format!("{name}'"), first)]);
        }
        // A motion has no third derivatives.
        let jerks: Vec<Symbol> = system.accelerations.iter().map(|&a| w.g.dot(a)).collect();
        let beyond: Vec<Symbol> = jerks.iter().map(|&j| w.g.dot(j)).chain(jerks.iter().copied()).collect();
        list.retain(|(_, e)| !w.g.depends_on_any(*e, &beyond));
        list
    }
}
