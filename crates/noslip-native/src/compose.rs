//! Programs made of others: every result has a place of its own, so that a part can be put in as often as it is needed.

use crate::program::{Binary, Program, Step, Unary};
use std::collections::HashMap;

/// Where a number of the program stands.
pub type Place = u32;

/// A program in the making.
pub struct Composer {
    program: Program,
    constants: HashMap<u64, Place>,
    inputs: HashMap<usize, Place>,
}

impl Composer {
    /// A program of so many inputs, with nothing in it.
    pub fn new(input_count: usize, sin_cos: extern "C" fn(f64, &mut [f64; 2])) -> Composer {
        let program = Program {
            length: 0,
            input_count,
            inputs: Vec::new(),
            constants: Vec::new(),
            steps: Vec::new(),
            output_count: 0,
            outputs: Vec::new(),
            sin_cos,
        };
        Composer { program, constants: HashMap::new(), inputs: HashMap::new() }
    }

    fn place(&mut self) -> Place {
        self.program.length += 1;
        self.program.length as Place - 1
    }

    /// An input.
    pub fn input(&mut self, i: usize) -> Place {
        if let Some(&place) = self.inputs.get(&i) {
            return place;
        }
        let place = self.place();
        self.program.inputs.push((i as u32, place));
        self.inputs.insert(i, place);
        place
    }

    /// A constant.
    pub fn constant(&mut self, x: f64) -> Place {
        if let Some(&place) = self.constants.get(&x.to_bits()) {
            return place;
        }
        let place = self.place();
        self.program.constants.push((place, x));
        self.constants.insert(x.to_bits(), place);
        place
    }

    /// a ∘ b.
    pub fn binary(&mut self, op: Binary, a: Place, b: Place) -> Place {
        let d = self.place();
        self.program.steps.push(Step::Binary { op, d, a, b });
        d
    }

    /// f(a).
    pub fn unary(&mut self, op: Unary, a: Place) -> Place {
        let d = self.place();
        self.program.steps.push(Step::Unary { op, d, a });
        d
    }

    /// The outputs of a program at these inputs; those it does not write are zero.
    pub fn part(&mut self, part: &Program, inputs: &[Place]) -> Vec<Place> {
        let zero = self.constant(0.0);
        let mut at = vec![zero; part.length];
        for &(place, x) in &part.constants {
            at[place as usize] = self.constant(x);
        }
        for &(i, place) in &part.inputs {
            at[place as usize] = inputs[i as usize];
        }
        for &step in &part.steps {
            let step = match step {
                // A copy is the same number.
                Step::Unary { op: Unary::Copy, d, a } => {
                    at[d as usize] = at[a as usize];
                    continue;
                }
                Step::Binary { op, d, a, b } => {
                    let (a, b) = (at[a as usize], at[b as usize]);
                    at[d as usize] = self.place();
                    Step::Binary { op, d: at[d as usize], a, b }
                }
                Step::Unary { op, d, a } => {
                    let a = at[a as usize];
                    at[d as usize] = self.place();
                    Step::Unary { op, d: at[d as usize], a }
                }
                Step::SinCos { sin, cos, a } => {
                    let a = at[a as usize];
                    at[sin as usize] = self.place();
                    at[cos as usize] = self.place();
                    Step::SinCos { sin: at[sin as usize], cos: at[cos as usize], a }
                }
            };
            self.program.steps.push(step);
        }
        let mut outputs = vec![zero; part.output_count];
        part.outputs.iter().for_each(|&(j, place)| outputs[j as usize] = at[place as usize]);
        outputs
    }

    /// The program with these outputs.
    pub fn finish(mut self, outputs: &[Place]) -> Program {
        self.program.output_count = outputs.len();
        self.program.outputs = (0..).zip(outputs.iter().copied()).collect();
        self.program
    }
}
