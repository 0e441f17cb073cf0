//! Programs, and what they mean.

use crate::sine;

/// Operations of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    /// The first if it is the larger one, else the second: with a NaN the second.
    Max,
}

/// Operations of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Unary {
    Negate,
    Sqrt,
    Abs,
    Copy,
}

/// One step; numbers are addressed by their place in the row. Operands are read before results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// d = a ∘ b.
    Binary {
        /// What to do.
        op: Binary,
        /// Where the result goes.
        d: u32,
        /// First operand.
        a: u32,
        /// Second operand.
        b: u32,
    },
    /// d = f(a).
    Unary {
        /// What to do.
        op: Unary,
        /// Where the result goes.
        d: u32,
        /// Operand.
        a: u32,
    },
    /// Sine and cosine of a.
    SinCos {
        /// Where the sine goes.
        sin: u32,
        /// Where the cosine goes.
        cos: u32,
        /// Operand.
        a: u32,
    },
}

/// A straight-line program over a row of numbers, which are zero at the beginning unless they are inputs or constants.
#[derive(Clone, Debug)]
pub struct Program {
    /// Length of the row.
    pub length: usize,
    /// How many inputs are given; not all need be used.
    pub input_count: usize,
    /// Inputs that are used, each with its place.
    pub inputs: Vec<(u32, u32)>,
    /// Places with constants.
    pub constants: Vec<(u32, f64)>,
    /// What is done.
    pub steps: Vec<Step>,
    /// How many outputs there are; not all need be written.
    pub output_count: usize,
    /// Outputs that are written, each with the place whose number it is afterwards.
    pub outputs: Vec<(u32, u32)>,
    /// Sine and cosine of any number, where the polynomial below does not serve.
    pub sin_cos: extern "C" fn(f64, &mut [f64; 2]),
}

impl Step {
    /// Places that are read.
    pub(crate) fn reads(self) -> [Option<u32>; 2] {
        match self {
            Step::Binary { a, b, .. } => [Some(a), Some(b)],
            Step::Unary { a, .. } | Step::SinCos { a, .. } => [Some(a), None],
        }
    }

    /// Places that are written, the first one first.
    pub(crate) fn writes(self) -> [Option<u32>; 2] {
        match self {
            Step::Binary { d, .. } | Step::Unary { d, .. } => [Some(d), None],
            Step::SinCos { sin, cos, .. } => [Some(sin), Some(cos)],
        }
    }
}

impl Program {
    /// Do all addresses lie in the row?
    pub(crate) fn is_sound(&self) -> bool {
        let inside = |x: u32| (x as usize) < self.length;
        let step = |s: &Step| s.reads().into_iter().chain(s.writes()).flatten().all(inside);
        let inputs = self.inputs.iter().all(|&(i, x)| (i as usize) < self.input_count && inside(x));
        let outputs = self.outputs.iter().all(|&(j, x)| (j as usize) < self.output_count && inside(x));
        self.length.max(self.input_count).max(self.output_count) < 1 << 20
            && inputs
            && outputs
            && self.constants.iter().all(|&(x, _)| inside(x))
            && self.steps.iter().all(step)
    }

    /// Runs the program, step by step: what compiled code must agree with.
    pub fn interpret(&self, inputs: &[f64], outputs: &mut [f64]) {
        let mut row = vec![0.0; self.length];
        self.constants.iter().for_each(|&(place, x)| row[place as usize] = x);
        self.inputs.iter().for_each(|&(i, place)| row[place as usize] = inputs[i as usize]);
        self.execute(&mut row);
        self.outputs.iter().for_each(|&(j, place)| outputs[j as usize] = row[place as usize]);
    }

    fn execute(&self, row: &mut [f64]) {
        for &step in &self.steps {
            match step {
                Step::Binary { op, d, a, b } => {
                    let (x, y) = (row[a as usize], row[b as usize]);
                    row[d as usize] = match op {
                        Binary::Add => x + y,
                        Binary::Sub => x - y,
                        Binary::Mul => x * y,
                        Binary::Div => x / y,
                        Binary::Max => {
                            if x > y {
                                x
                            } else {
                                y
                            }
                        }
                    };
                }
                Step::Unary { op, d, a } => {
                    let x = row[a as usize];
                    row[d as usize] = match op {
                        Unary::Negate => -x,
                        Unary::Sqrt => x.sqrt(),
                        Unary::Abs => x.abs(),
                        Unary::Copy => x,
                    };
                }
                Step::SinCos { sin, cos, a } => {
                    let both = sine_and_cosine(row[a as usize], self.sin_cos);
                    row[sin as usize] = both[0];
                    row[cos as usize] = both[1];
                }
            }
        }
    }
}

/// Sine and cosine of so many numbers, some of which are beyond the polynomial: the sines, and then the cosines.
#[cfg(all(target_arch = "x86_64", unix))]
pub(crate) extern "sysv64" fn beyond(
    x: &[f64; 8],
    both: &mut [[f64; 8]; 2],
    library: extern "C" fn(f64, &mut [f64; 2]),
    lanes: usize,
) {
    for lane in 0..lanes.min(8) {
        let one = sine_and_cosine(x[lane], library);
        (both[0][lane], both[1][lane]) = (one[0], one[1]);
    }
}

/// By the polynomial where it serves, else by the library.
fn sine_and_cosine(x: f64, library: extern "C" fn(f64, &mut [f64; 2])) -> [f64; 2] {
    let mut both = [0.0; 2];
    if sine::in_range(x) {
        return sine::polynomial(x);
    }
    library(x, &mut both);
    both
}
