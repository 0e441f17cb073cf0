//! A program as values: every result has a name of its own, places are forgotten. What nobody needs is left out, and sines of
//! arguments that do not depend on each other are brought together, to be computed side by side.

use crate::program::{Binary, Program, Step, Unary};

/// A value, by its number.
pub(super) type Value = u32;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Origin {
    Input(u32),
    /// A number, by its place among the constants in use.
    Constant(u32),
    Computed,
}

/// What an item does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Act {
    Binary(Binary),
    Unary(Unary),
    /// Of each value read: sine and cosine are written.
    SinCos,
}

/// Something to be done.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub act: Act,
    pub reads: Vec<Value>,
    pub writes: Vec<Value>,
}

/// Items in the order in which they are done.
pub(super) struct Flow {
    pub origins: Vec<Origin>,
    pub constants: Vec<f64>,
    pub items: Vec<Item>,
    /// Outputs with their values.
    pub outputs: Vec<(u32, Value)>,
}

/// Operations that may be moved forward for an argument of a sine.
const FORWARD: usize = 16;

impl Flow {
    /// The values of a program; up to so many sines at a time.
    pub(super) fn of(program: &Program, together: usize) -> Flow {
        let mut flow = Flow { origins: Vec::new(), constants: Vec::new(), items: Vec::new(), outputs: Vec::new() };
        let zero = flow.constant(0.0);
        let mut at = vec![zero; program.length];
        for &(place, x) in &program.constants {
            at[place as usize] = flow.constant(x);
        }
        for &(input, place) in &program.inputs {
            at[place as usize] = flow.value(Origin::Input(input));
        }
        for &step in &program.steps {
            let read = |place: u32| at[place as usize];
            let (act, reads) = match step {
                // A copy is the same value.
                Step::Unary { op: Unary::Copy, d, a } => {
                    at[d as usize] = at[a as usize];
                    continue;
                }
                Step::Unary { op, a, .. } => (Act::Unary(op), vec![read(a)]),
                Step::Binary { op, a, b, .. } => (Act::Binary(op), vec![read(a), read(b)]),
                Step::SinCos { a, .. } => (Act::SinCos, vec![read(a)]),
            };
            let writes = step.writes().into_iter().flatten();
            let writes = writes.map(|place| {
                at[place as usize] = flow.value(Origin::Computed);
                at[place as usize]
            });
            let writes = writes.collect();
            flow.items.push(Item { act, reads, writes });
        }
        flow.outputs = program.outputs.iter().map(|&(j, place)| (j, at[place as usize])).collect();
        flow.leave_out_idle();
        if together > 1 {
            flow.bring_together(together);
        }
        flow
    }

    fn value(&mut self, origin: Origin) -> Value {
        self.origins.push(origin);
        self.origins.len() as Value - 1
    }

    fn constant(&mut self, x: f64) -> Value {
        self.constants.push(x);
        self.value(Origin::Constant(self.constants.len() as u32 - 1))
    }

    /// Leaves out what no output depends on.
    fn leave_out_idle(&mut self) {
        let mut needed = vec![false; self.origins.len()];
        self.outputs.iter().for_each(|&(_, v)| needed[v as usize] = true);
        let mut kept = Vec::with_capacity(self.items.len());
        for item in std::mem::take(&mut self.items).into_iter().rev() {
            if item.writes.iter().any(|&v| needed[v as usize]) {
                item.reads.iter().for_each(|&v| needed[v as usize] = true);
                kept.push(item);
            }
        }
        kept.reverse();
        self.items = kept;
    }

    /// Computes sines together with later ones whose arguments are known already, or soon.
    fn bring_together(&mut self, together: usize) {
        let mut made_by = vec![usize::MAX; self.origins.len()];
        for (i, item) in self.items.iter().enumerate() {
            item.writes.iter().for_each(|&v| made_by[v as usize] = i);
        }
        let sines: Vec<usize> = (0..self.items.len()).filter(|&i| self.items[i].act == Act::SinCos).collect();
        let mut done = vec![false; self.items.len()];
        let mut ordered = Vec::with_capacity(self.items.len());
        for i in 0..self.items.len() {
            if done[i] {
                continue;
            }
            let mut item = self.items[i].clone();
            // Not done until all of them are: none may depend on another.
            let mut members = vec![i];
            if item.act == Act::SinCos {
                for &j in sines.iter().filter(|&&j| j > i) {
                    if item.reads.len() == together {
                        break;
                    }
                    if done[j] {
                        continue;
                    }
                    let Some(before) = self.needed_for(self.items[j].reads[0], &made_by, &done) else { continue };
                    for k in before {
                        done[k] = true;
                        ordered.push(self.items[k].clone());
                    }
                    members.push(j);
                    item.reads.extend(&self.items[j].reads);
                    item.writes.extend(&self.items[j].writes);
                }
            }
            members.into_iter().for_each(|k| done[k] = true);
            ordered.push(item);
        }
        self.items = ordered;
    }

    /// Items not yet done that a value needs, in order; `None` if they are many or there is a sine among them.
    fn needed_for(&self, value: Value, made_by: &[usize], done: &[bool]) -> Option<Vec<usize>> {
        let (mut needed, mut open) = (Vec::new(), vec![value]);
        while let Some(v) = open.pop() {
            let i = made_by[v as usize];
            if i == usize::MAX || done[i] || needed.contains(&i) {
                continue;
            }
            if self.items[i].act == Act::SinCos || needed.len() == FORWARD {
                return None;
            }
            needed.push(i);
            open.extend(&self.items[i].reads);
        }
        needed.sort_unstable();
        Some(needed)
    }
}
