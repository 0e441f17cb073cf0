//! What happens at once: impacts, and the velocities of contacts that begin to hold.

use super::{Change, Kind, Mode, REST, Runner, SLACK};
use crate::compile::compile;
use crate::error::{Error, Result};
use crate::expr::Expr;
use crate::mechanics::Workbench;
use crate::numeric::{Saddle, brief};
use crate::simulate::Probe;

impl Runner {
    /// Bodies meet: they rebound, or stay together where the rebound would be too slow to matter.
    pub(super) fn strike(&mut self, w: &mut Workbench, i: usize) -> Result<()> {
        let Kind::Inequality(restitution) = self.items[i].kind else { return Ok(()) };
        let mut probe = Probe::new(w, &[restitution], &self.options)?;
        let e = probe.values(self.t, &self.y, &[], &[])[0];
        let [_, speed] = self.phi(w, self.items[i].constraint)?;
        let closes = e * speed.abs() < REST;
        self.touch(w, i)?;
        let before = self.energy.values(self.t, &self.y, &[], &[])[0];
        let impulse = self.impulse(w, i, if closes { 0.0 } else { e })?;
        let lost = before - self.energy.values(self.t, &self.y, &[], &[])[0];
        self.impacts += lost;
        if speed.abs() >= REST {
            self.record(i, Change::Strikes { speed, impulse, lost })?;
        }
        if closes {
            self.modes[i] = Mode::Holds;
            self.record(i, Change::Closes)?;
        }
        Ok(())
    }

    /// Constraints that hold, and that of an item behind them.
    fn holding_with(&self, w: &Workbench, i: usize) -> Vec<usize> {
        let j = self.items[i].constraint;
        let holds = |r: usize| match self.items.iter().position(|i| i.constraint == r) {
            Some(k) => self.modes[k] == Mode::Holds,
            None => true,
        };
        (0..w.system.k()).filter(|&r| r != j && holds(r)).chain([j]).collect()
    }

    /// The smallest change, measured by the masses, for which A·change is given for each row; and the impulses.
    fn change(&self, w: &mut Workbench, rows: &[usize], wanted: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
        let d = w.dynamics();
        let n = w.system.n();
        let mut list: Vec<Expr> = d.mass.iter().flatten().copied().collect();
        list.extend(rows.iter().flat_map(|&r| d.a[r].iter().copied()));
        let mut inputs = vec![w.g.time()];
        inputs.extend(&w.system.coordinates);
        inputs.extend(&w.system.velocities);
        let at = [&[self.t][..], &self.y].concat();
        let values = compile(&w.g, &inputs, &list, &self.options)?.evaluate(&at);
        let (m, a) = values.split_at(n * n);
        let (mut jump, mut impulses) = (vec![0.0; n], vec![0.0; rows.len()]);
        let solved = Saddle::new(n, rows.len()).solve(m, a, &vec![0.0; n], wanted, &mut jump, &mut impulses);
        solved.map_err(|_| {
            Error::computation(format!("the impact at t = {} is not determined", brief(self.t, 9)))
                .hint("masses and constraints are too few, or depend on each other there")
        })?;
        Ok((jump, impulses))
    }

    /// Changes the velocities so that dφ/dt of an item becomes −e times what it was, while what holds goes on holding; an
    /// inequality that would be pulled lets go. Returns the impulse.
    pub(super) fn impulse(&mut self, w: &mut Workbench, i: usize, e: f64) -> Result<f64> {
        let n = w.system.n();
        let mut rows = self.holding_with(w, i);
        loop {
            let mut wanted = Vec::new();
            for &r in &rows {
                wanted.push(-self.phi(w, r)?[1]);
            }
            if let Some(last) = wanted.last_mut() {
                *last *= 1.0 + e;
            }
            let (jump, impulses) = self.change(w, &rows, &wanted)?;
            let others = rows[..rows.len() - 1].iter().zip(&impulses);
            let pulled = others.clone().position(|(&r, &x)| x < -SLACK && w.system.constraints[r].inequality);
            if let Some(k) = pulled {
                let other = self.items.iter().position(|item| item.constraint == rows[k]);
                if let Some(other) = other {
                    self.let_go(other, -1.0)?;
                }
                rows.remove(k);
                continue;
            }
            self.y[n..].iter_mut().zip(&jump).for_each(|(v, dv)| *v += dv);
            return Ok(impulses.last().copied().unwrap_or(0.0));
        }
    }

    /// Puts the positions where a gap that was found a little beyond zero is zero.
    fn touch(&mut self, w: &mut Workbench, i: usize) -> Result<()> {
        let n = w.system.n();
        let rows = self.holding_with(w, i);
        let gap = self.phi(w, self.items[i].constraint)?[0];
        let mut wanted = vec![0.0; rows.len()];
        if let Some(last) = wanted.last_mut() {
            *last = -gap;
        }
        let (shift, _) = self.change(w, &rows, &wanted)?;
        self.y[..n].iter_mut().zip(&shift).for_each(|(q, dq)| *q += dq);
        Ok(())
    }
}
