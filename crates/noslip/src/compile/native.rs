//! Machine code for a tape, where the machine and the tape allow it.
//!
//! Instructions are taken apart into their operations, each rounded as in the interpreters: the numbers are theirs to the last bit.
//! Functions that are calls anyway (asin, exp, tables, …) are left to the interpreter, and so is a tape that contains one.

use super::kernel;
use super::schedule::{Code, Instruction, Op};
use noslip_native::{Binary, Native, Program, Rows, Step, Unary};

/// Evaluations after which compiling pays: it costs about as much as some hundred of them.
pub(super) const WARM: u32 = 200;
/// The same for many states at once.
pub(super) const WARM_LANES: u32 = 8;
/// The same for whole steps, counted in every lane.
pub(super) const WARM_STEPS: usize = 4000;

pub(super) extern "C" fn sin_cos(x: f64, both: &mut [f64; 2]) {
    let (sin, cos) = kernel::sin_cos(x);
    *both = [sin, cos];
}

/// Compiles the instructions; `None` where that cannot be done.
pub(super) fn compile(code: &Code, input_count: usize) -> Option<Native> {
    Native::compile(&program(code, input_count)?)
}

/// The same for many states, as many at a time as the machine can.
pub(super) fn compile_rows<const LANES: usize>(code: &Code, input_count: usize) -> Option<Rows> {
    Rows::compile::<LANES>(&program(code, input_count)?)
}

/// The same for four at a time, even where more could be.
pub(super) fn compile_four<const LANES: usize>(code: &Code, input_count: usize) -> Option<Rows> {
    Rows::four::<LANES>(&program(code, input_count)?)
}

pub(super) fn program(code: &Code, input_count: usize) -> Option<Program> {
    // Slots, constants, and two places for what fused instructions keep between their operations.
    let length = code.slots + code.constants.len() + 2;
    let between = [length as u32 - 2, length as u32 - 1];
    let mut steps = Vec::with_capacity(2 * code.instructions.len());
    for instruction in &code.instructions {
        lower(instruction, between, &mut steps)?;
    }
    let outputs: Vec<(u32, u32)> = (0..).zip(code.outputs.iter().map(|&address| u32::from(address))).collect();
    let inputs = code.inputs.iter().map(|&(i, slot)| (i, u32::from(slot))).collect();
    let constants = code.constants.iter().enumerate().map(|(j, &c)| ((code.slots + j) as u32, c)).collect();
    Some(Program { length, input_count, inputs, constants, steps, output_count: outputs.len(), outputs, sin_cos })
}

fn lower(instruction: &Instruction, [s, t]: [u32; 2], steps: &mut Vec<Step>) -> Option<()> {
    let Instruction { op, d, a, b, c, e } = *instruction;
    let [d, a, b, c, e] = [d, a, b, c, e].map(u32::from);
    let mut binary = |op: Binary, d: u32, a: u32, b: u32| steps.push(Step::Binary { op, d, a, b });
    use Binary::{Add, Div, Mul, Sub};
    match op {
        Op::Add | Op::AddK => binary(Add, d, a, b),
        Op::Sub => binary(Sub, d, a, b),
        Op::KSub => binary(Sub, d, b, a),
        Op::Mul | Op::MulK => binary(Mul, d, a, b),
        Op::Div => binary(Div, d, a, b),
        Op::KDiv => binary(Div, d, b, a),
        Op::MulAdd | Op::MulKAdd | Op::MulSub | Op::MulKSub | Op::SubMul => {
            binary(Mul, s, a, b);
            match op {
                Op::MulAdd | Op::MulKAdd => binary(Add, d, s, c),
                Op::SubMul => binary(Sub, d, c, s),
                _ => binary(Sub, d, s, c),
            }
        }
        Op::Mul3 | Op::Mul3K => {
            binary(Mul, s, a, b);
            binary(Mul, d, s, c);
        }
        Op::Mul3Add | Op::Mul3KAdd | Op::Mul3Sub | Op::Mul3KSub | Op::SubMul3 => {
            binary(Mul, s, a, b);
            binary(Mul, s, s, c);
            match op {
                Op::Mul3Add | Op::Mul3KAdd => binary(Add, d, s, e),
                Op::SubMul3 => binary(Sub, d, e, s),
                _ => binary(Sub, d, s, e),
            }
        }
        Op::Dot | Op::DotSub => {
            binary(Mul, s, a, b);
            binary(Mul, t, c, e);
            binary(if op == Op::Dot { Add } else { Sub }, d, s, t);
        }
        Op::Negate => steps.push(Step::Unary { op: Unary::Negate, d, a }),
        Op::Sqrt => steps.push(Step::Unary { op: Unary::Sqrt, d, a }),
        Op::Abs => steps.push(Step::Unary { op: Unary::Abs, d, a }),
        Op::Load => steps.push(Step::Unary { op: Unary::Copy, d, a: b }),
        Op::SinCos => steps.push(Step::SinCos { sin: d, cos: b, a }),
        Op::Sin => steps.push(Step::SinCos { sin: d, cos: s, a }),
        Op::Cos => steps.push(Step::SinCos { sin: s, cos: d, a }),
        _ => return None,
    }
    Some(())
}
