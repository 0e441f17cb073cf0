//! One state at a time: a loop with one `match` per instruction, and machine code for what is run often.

use super::kernel;
use super::native;
use super::schedule::{ADDRESSES, Instruction, Op};
use super::tape::{Program, Tape, Value};
use noslip_native::Native;
use std::sync::Arc;

/// The first operation that gave something not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fault {
    /// The operation; [`Tape::describe`] puts it into words.
    pub operation: Value,
    /// What came out: NaN or an infinity.
    pub value: f64,
}

/// Evaluates a tape at one state after another.
pub struct Runner {
    program: Arc<Program>,
    /// As long as addresses can be, so that no access needs a bounds check; only the used beginning is ever touched.
    memory: Box<[f64; ADDRESSES]>,
    /// What machine code puts aside.
    aside: Vec<f64>,
    /// Evaluations until machine code is made; none is ever made where this is nothing.
    cold: Option<u32>,
}

impl Program {
    /// Machine code for one state, made when it is first asked for.
    fn native(&self) -> Option<&Native> {
        self.native.get_or_init(|| native::compile(&self.code, self.input_names.len())).as_ref()
    }
}

impl Clone for Runner {
    fn clone(&self) -> Self {
        Runner { cold: self.cold, ..Tape { program: self.program.clone() }.runner() }
    }
}

impl Tape {
    /// An evaluator with its own memory.
    pub fn runner(&self) -> Runner {
        let memory: Result<Box<[f64; ADDRESSES]>, _> = vec![0.0; ADDRESSES].into_boxed_slice().try_into();
        let mut memory = memory.expect("the length is right");
        let code = &self.program.code;
        memory[code.slots..code.slots + code.constants.len()].copy_from_slice(&code.constants);
        Runner { program: self.program.clone(), memory, aside: Vec::new(), cold: Some(native::WARM) }
    }

    /// An evaluator that only interprets.
    pub fn interpreter(&self) -> Runner {
        Runner { cold: None, ..self.runner() }
    }

    /// An evaluator by machine code from the first evaluation on; `None` where there is none for this tape and machine.
    pub fn native(&self) -> Option<Runner> {
        self.program.native()?;
        Some(Runner { cold: Some(0), ..self.runner() })
    }

    /// The outputs at one point. For repeated use make a [`Runner`].
    pub fn evaluate(&self, inputs: &[f64]) -> Vec<f64> {
        let mut outputs = vec![0.0; self.output_count()];
        self.runner().run(inputs, &mut outputs);
        outputs
    }
}

impl Runner {
    /// Computes the outputs. The lengths are those of the tape.
    pub fn run(&mut self, inputs: &[f64], outputs: &mut [f64]) {
        let compiled = match &mut self.cold {
            None => None,
            Some(0) => self.program.native(),
            Some(left) => {
                *left -= 1;
                None
            }
        };
        if let Some(code) = compiled {
            if self.aside.len() < code.memory() {
                self.aside.resize(code.memory(), 0.0);
            }
            return code.run(inputs, outputs, &mut self.aside);
        }
        self.load(inputs);
        for instruction in &self.program.code.instructions {
            execute(&self.program, &mut self.memory, instruction);
        }
        self.store(outputs);
    }

    /// Computes the outputs and stops at the first result that is not finite; inputs are looked at too.
    pub fn run_checked(&mut self, inputs: &[f64], outputs: &mut [f64]) -> Result<(), Fault> {
        self.run_observed(inputs, outputs, |_, value| value)
    }

    /// Like [`Runner::run_checked`], with every result passed through `observe` before it is looked at and used.
    pub fn run_observed(
        &mut self,
        inputs: &[f64],
        outputs: &mut [f64],
        mut observe: impl FnMut(Value, f64) -> f64,
    ) -> Result<(), Fault> {
        self.load(inputs);
        let Runner { program, memory, .. } = self;
        let mut check = |memory: &mut [f64; ADDRESSES], operation: Value, address: u16| {
            let value = observe(operation, memory[usize::from(address)]);
            memory[usize::from(address)] = value;
            if value.is_finite() { Ok(()) } else { Err(Fault { operation, value }) }
        };
        for &(i, slot) in &program.code.inputs {
            check(memory, Value(i), slot)?;
        }
        for (instruction, &(first, second)) in program.code.instructions.iter().zip(&program.code.results) {
            execute(program, memory, instruction);
            check(memory, first, instruction.d)?;
            if let Some(second) = second {
                check(memory, second, instruction.b)?;
            }
        }
        self.store(outputs);
        Ok(())
    }

    fn load(&mut self, inputs: &[f64]) {
        assert_eq!(inputs.len(), self.program.input_names.len(), "as many numbers as the tape has inputs");
        for &(i, slot) in &self.program.code.inputs {
            self.memory[usize::from(slot)] = inputs[i as usize];
        }
    }

    fn store(&self, outputs: &mut [f64]) {
        assert_eq!(outputs.len(), self.program.code.outputs.len(), "as many places as the tape has outputs");
        for (output, &address) in outputs.iter_mut().zip(&self.program.code.outputs) {
            *output = self.memory[usize::from(address)];
        }
    }
}

#[inline(always)]
fn execute(program: &Program, memory: &mut [f64; ADDRESSES], instruction: &Instruction) {
    let Instruction { op, d, a, b, c, e } = *instruction;
    macro_rules! m {
        ($x:expr) => {
            memory[usize::from($x)]
        };
    }
    let result = match op {
        Op::Add | Op::AddK => m!(a) + m!(b),
        Op::Sub => m!(a) - m!(b),
        Op::KSub => m!(b) - m!(a),
        Op::Mul | Op::MulK => m!(a) * m!(b),
        Op::Div => m!(a) / m!(b),
        Op::KDiv => m!(b) / m!(a),
        Op::MulAdd | Op::MulKAdd => m!(a) * m!(b) + m!(c),
        Op::MulSub | Op::MulKSub => m!(a) * m!(b) - m!(c),
        Op::SubMul => m!(c) - m!(a) * m!(b),
        Op::Mul3 | Op::Mul3K => m!(a) * m!(b) * m!(c),
        Op::Mul3Add | Op::Mul3KAdd => m!(a) * m!(b) * m!(c) + m!(e),
        Op::Mul3Sub | Op::Mul3KSub => m!(a) * m!(b) * m!(c) - m!(e),
        Op::SubMul3 => m!(e) - m!(a) * m!(b) * m!(c),
        Op::Dot => m!(a) * m!(b) + m!(c) * m!(e),
        Op::DotSub => m!(a) * m!(b) - m!(c) * m!(e),
        Op::Negate => -m!(a),
        Op::Sqrt => m!(a).sqrt(),
        Op::SinCos => {
            let (sin, cos) = kernel::sin_cos(m!(a));
            m!(b) = cos;
            sin
        }
        Op::Sin => kernel::sin_cos(m!(a)).0,
        Op::Cos => kernel::sin_cos(m!(a)).1,
        Op::Load => m!(b),
        rare => seldom(program, rare, m!(a), m!(b), b),
    };
    m!(d) = result;
}

/// Everything that costs far more than a function call, kept out of the loop's code.
#[inline(never)]
pub(super) fn seldom(program: &Program, op: Op, x: f64, y: f64, call: u16) -> f64 {
    match op {
        Op::Asin => libm::asin(x),
        Op::Acos => libm::acos(x),
        Op::Atan => libm::atan(x),
        Op::Sinh => libm::sinh(x),
        Op::Cosh => libm::cosh(x),
        Op::Tanh => libm::tanh(x),
        Op::Exp => libm::exp(x),
        Op::Log => libm::log(x),
        Op::Abs => x.abs(),
        Op::Sign => kernel::sign(x),
        Op::Power => libm::pow(x, y),
        Op::Atan2 => libm::atan2(x, y),
        Op::Table => {
            let (table, derivative) = program.code.tables[usize::from(call)];
            program.tables.as_ref().map_or(f64::NAN, |t| t.evaluate(table, derivative, x))
        }
        _ => unreachable!("the loop does the others itself"),
    }
}
