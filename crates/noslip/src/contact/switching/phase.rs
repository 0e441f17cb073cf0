//! The smooth system between two switches: what holds is a constraint, what slides is a force.

use super::super::non_ideal::{NonIdeal, simulate_non_ideal};
use super::{GAP, Kind, Mode, Runner, SLACK};
use crate::compile::CompileOptions;
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Rational, Symbol};
use crate::mechanics::Workbench;
use crate::model::{State, System};
use crate::simulate::{self, Motion, Probe, Sample, Settings, Simulation};
use rustc_hash::FxHashMap;

/// One smooth system between two switches.
pub(super) struct Phase {
    /// With the constraints that hold.
    pub(super) system: System,
    /// Constraints that hold, by their index in the model.
    pub(super) active: Vec<usize>,
    /// What the multipliers of the others are, by those that hold.
    pub(super) passive: Vec<(usize, Expr)>,
    /// What ends the phase: an item each.
    pub(super) stops: Vec<(usize, Expr)>,
    /// Forces by coordinates that depend on reactions; none if there are no such forces.
    law: Vec<Expr>,
}

impl Runner {
    /// The system in which the items are as their modes say.
    pub(super) fn smooth(&self, w: &mut Workbench) -> Result<Phase> {
        let d = w.dynamics();
        let (mut system, mut law) = w.system.ideal(&mut w.g);
        let item_of = |j: usize| self.items.iter().position(|i| i.constraint == j);
        let slack = w.g.number(Rational::from_f64(SLACK).unwrap_or(Rational::ZERO));
        let gap = w.g.number(Rational::from_f64(GAP).unwrap_or(Rational::ZERO));
        let (mut active, mut passive, mut stops) = (Vec::new(), Vec::new(), Vec::new());
        for (j, c) in w.system.clone().constraints.iter().enumerate() {
            let lambda = w.g.symbol(c.multiplier);
            match item_of(j).map(|i| (i, self.modes[i], self.items[i].kind.clone())) {
                None => active.push(j),
                Some((i, Mode::Holds, kind)) => {
                    active.push(j);
                    let margin = match kind {
                        Kind::Friction(limit, _) => {
                            let force = w.g.call(Function::Abs, lambda);
                            w.g.of(limit - force)
                        }
                        Kind::Inequality(_) => w.g.of(lambda + slack),
                    };
                    stops.push((i, margin));
                }
                Some((i, Mode::Slides(sign), Kind::Friction(_, sliding))) => {
                    let sign = w.g.integer(if sign < 0.0 { -1 } else { 1 });
                    passive.push((j, w.g.of(-(sign * sliding))));
                    let slip = d.velocity_constraints[j].unwrap_or(w.g.zero());
                    stops.push((i, w.g.of(sign * slip + slack)));
                }
                Some((i, ..)) => {
                    passive.push((j, w.g.zero()));
                    let gap = if c.order == 0 { gap } else { slack };
                    stops.push((i, w.g.of(c.expr + gap)));
                }
            }
        }
        let map = by_what_holds(w, &mut passive)?;
        let multipliers: Vec<Symbol> = active.iter().map(|&j| w.system.constraints[j].multiplier).collect();
        law.iter_mut().for_each(|e| *e = w.g.substitute(*e, &map));
        for &(j, force) in &passive {
            // A force that no reaction enters is one like any other; the others are found together with the reactions.
            let to = if w.g.depends_on_any(force, &multipliers) { &mut law } else { &mut system.forces };
            for (q, &a) in to.iter_mut().zip(&d.a[j]) {
                *q = w.g.of(*q + force * a);
            }
        }
        if law.iter().all(|&e| w.g.is_zero(e)) {
            law.clear();
        }
        let mut index = 0;
        system.constraints.retain_mut(|c| {
            c.inequality = false;
            index += 1;
            active.contains(&(index - 1))
        });
        // They were chosen for all constraints.
        system.quasi_velocities.clear();
        for (_, e) in &mut stops {
            *e = w.g.substitute(*e, &map);
        }
        Ok(Phase { system, active, passive, stops, law })
    }

    /// Margins and reactions of the items that hold.
    pub(super) fn multipliers(
        &mut self,
        w: &mut Workbench,
        phase: &Phase,
        holding: &[(usize, Expr)],
    ) -> Result<Vec<(usize, f64, f64)>> {
        let (t, y, options, items) = (self.t, &self.y, &self.options, &self.items);
        let constraint = |i: usize| phase.active.iter().position(|&j| j == items[i].constraint).unwrap_or(0);
        w.beside(phase.system.clone(), |w| {
            let (a, lambda) = phase.solve(w, options, t, y)?;
            let margins: Vec<Expr> = holding.iter().map(|(_, e)| *e).collect();
            let mut probe = Probe::new(w, &margins, options)?;
            let values = probe.values(t, y, &a, &lambda);
            Ok(holding.iter().zip(values).map(|((i, _), v)| (*i, v, lambda[constraint(*i)])).collect())
        })
    }
}

/// What the multipliers of contacts that do not hold are, by those that do; the list is written so as well.
fn by_what_holds(w: &mut Workbench, passive: &mut [(usize, Expr)]) -> Result<FxHashMap<Symbol, Expr>> {
    let symbols: Vec<Symbol> = passive.iter().map(|&(j, _)| w.system.constraints[j].multiplier).collect();
    for _ in 0..passive.len() {
        let map: FxHashMap<Symbol, Expr> = symbols.iter().copied().zip(passive.iter().map(|p| p.1)).collect();
        passive.iter_mut().for_each(|(_, e)| *e = w.g.substitute(*e, &map));
    }
    if let Some(&(j, _)) = passive.iter().find(|(_, e)| w.g.depends_on_any(*e, &symbols)) {
        let name = &w.system.constraints[j].name;
        let message = format!("the friction of `{name}` depends on itself while it slides, through other contacts");
        return Err(Error::not_applicable(message).hint("a friction may depend on reactions that are not friction"));
    }
    Ok(symbols.into_iter().zip(passive.iter().map(|p| p.1)).collect())
}

impl Phase {
    /// Runs it. The bench is that of the model.
    pub(super) fn follow(
        &self,
        w: &mut Workbench,
        from: &State,
        settings: &Settings,
        progress: &mut dyn FnMut(f64) -> bool,
    ) -> Result<Simulation> {
        w.beside(self.system.clone(), |w| {
            if self.law.is_empty() {
                return simulate::simulate(w, from, settings, progress);
            }
            let run = simulate_non_ideal(w, &self.law, from, settings)?;
            match &run.law {
                Some(failure) => {
                    let names: Vec<String> = w.system.constraints.iter().map(|c| c.name.clone()).collect();
                    let message = format!("at t = {} {}", run.end.0, failure.describe(&names));
                    Err(Error::computation(message))
                }
                None => Ok(run.simulation(settings)),
            }
        })
    }

    /// Accelerations and multipliers; the bench is that of the phase.
    fn solve(&self, w: &mut Workbench, options: &CompileOptions, t: f64, y: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let fail = |why: String| Error::computation(format!("at t = {t} {why}"));
        let (mut a, mut lambda) = (vec![0.0; w.system.n()], vec![0.0; w.system.k()]);
        if self.law.is_empty() {
            let mut motion = Motion::new(w, options, &[&[t][..], y].concat())?;
            motion.solve(t, y, &mut a, &mut lambda).map_err(|why| fail(why.to_string()))?;
        } else {
            let names: Vec<String> = w.system.constraints.iter().map(|c| c.name.clone()).collect();
            let mut motion = NonIdeal::new(w, &self.law, options)?;
            match motion.solve(t, y) {
                Ok(found) => (a, lambda) = (found.0.to_vec(), found.1.to_vec()),
                Err(why) => {
                    let law = motion.failure.as_ref().map(|f| f.describe(&names));
                    return Err(fail(law.unwrap_or_else(|| why.to_string())));
                }
            }
        }
        Ok((a, lambda))
    }

    /// Samples of the phase with the multipliers of all constraints; the bench is that of the model.
    pub(super) fn completed(
        &self,
        w: &mut Workbench,
        samples: &[Sample],
        options: &CompileOptions,
    ) -> Result<Vec<Sample>> {
        let forces: Vec<Expr> = self.passive.iter().map(|(_, e)| *e).collect();
        let k = w.system.k();
        w.beside(self.system.clone(), |w| {
            let mut probe = Probe::new(w, &forces, options)?;
            let all = |s: &Sample| {
                let mut multipliers = vec![0.0; k];
                for (&j, &x) in self.active.iter().zip(&s.multipliers) {
                    multipliers[j] = x;
                }
                let passive = probe.values(s.t, &s.y, &s.accelerations, &s.multipliers);
                for (&(j, _), x) in self.passive.iter().zip(passive) {
                    multipliers[j] = x;
                }
                Sample { multipliers, ..s.clone() }
            };
            Ok(samples.iter().map(all).collect())
        })
    }
}
