//! Many states at once: by machine code for eight or four at a time where the machine and the tape allow it; else each slot holds one number
//! per lane, and each instruction is a loop over lanes that the compiler turns into vector instructions.
//!
//! Thirty-two or sixty-four lanes pay for the dispatch of an instruction, and the slots in use still fit the
//! first-level cache. The build decides the width of the vectors: a plain x86-64 build has two numbers per register,
//! `RUSTFLAGS="-C target-cpu=native"` four or eight. The numbers are those of [`super::Runner`] to the last bit.

use super::kernel;
use super::lines::Lines;
use super::native;
use super::run::seldom;
use super::schedule::{Instruction, Op};
use super::tape::{Program, Tape};
use noslip_native::{Rows, sine};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// Lanes taken through registers at a time: operands are read before the result is written, which may be in the same
/// slot. The loops use nothing of the standard library that is not marked for inlining: without link-time optimisation
/// a call to, say, `copy_from_slice` remains a call (three times slower on the rolling disk, `bench/rhs`).
const WIDTH: usize = 8;

/// Evaluates a tape at `LANES` states at once; `LANES` is a multiple of eight.
#[derive(Clone)]
pub struct BatchRunner<const LANES: usize> {
    program: Arc<Program>,
    memory: Vec<[f64; LANES]>,
    /// Machine code, once it is made, and what it puts aside.
    compiled: Option<Arc<Rows>>,
    aside: Lines<8>,
    /// Evaluations until machine code is made; none is ever made where this is nothing.
    cold: Option<u32>,
}

impl Program {
    /// Machine code for so many states, made when it is first asked for.
    fn native_rows<const LANES: usize>(&self) -> Option<Arc<Rows>> {
        kept(&self.native_rows, LANES, || native::compile_rows::<LANES>(&self.code, self.input_names.len()))
    }
}

/// What was made for so many lanes, or is made now.
fn kept(
    all: &Mutex<Vec<(usize, Option<Arc<Rows>>)>>,
    lanes: usize,
    make: impl FnOnce() -> Option<Rows>,
) -> Option<Arc<Rows>> {
    // Whoever panicked while compiling left nothing half made.
    let mut all = all.lock().unwrap_or_else(|e| e.into_inner());
    if let Some((_, rows)) = all.iter().find(|(of, _)| *of == lanes) {
        return rows.clone();
    }
    let rows = make().map(Arc::new);
    all.push((lanes, rows.clone()));
    rows
}

impl Tape {
    /// An evaluator of `LANES` states at once, with its own memory.
    pub fn batch<const LANES: usize>(&self) -> BatchRunner<LANES> {
        const { assert!(LANES >= WIDTH && LANES.is_multiple_of(WIDTH), "lanes come in eights") };
        let code = &self.program.code;
        BatchRunner {
            program: self.program.clone(),
            memory: vec![[0.0; LANES]; code.slots],
            compiled: None,
            aside: Lines::new(0),
            cold: Some(native::WARM_LANES),
        }
    }

    /// Machine code for `LANES` states of a step of integration in which the tape is evaluated again and again: made of the tape's program
    /// when it is first asked for, and kept. `None` where there is none for this tape and machine.
    pub(crate) fn native_step<const LANES: usize>(
        &self,
        make: impl FnOnce(noslip_native::Program) -> Option<Rows>,
    ) -> Option<Arc<Rows>> {
        let program = &self.program;
        kept(&program.native_steps, LANES, || make(native::program(&program.code, self.input_count())?))
    }

    /// Counts steps, one per lane, of whoever integrates this tape: do they pay for [`Tape::native_step`] by now?
    pub(crate) fn is_warm_after(&self, steps: usize) -> bool {
        self.program.steps.fetch_add(steps, Ordering::Relaxed) >= native::WARM_STEPS
    }

    /// An evaluator of `LANES` states at once that only interprets.
    pub fn batch_interpreter<const LANES: usize>(&self) -> BatchRunner<LANES> {
        BatchRunner { cold: None, ..self.batch() }
    }

    /// An evaluator of `LANES` states at once by machine code from the first evaluation on; `None` where there is none for this tape
    /// and machine.
    pub fn batch_native<const LANES: usize>(&self) -> Option<BatchRunner<LANES>> {
        self.program.native_rows::<LANES>()?;
        Some(BatchRunner { cold: Some(0), ..self.batch() })
    }

    /// The same by code for four states at a time, even where this machine could do more.
    pub fn batch_native_four<const LANES: usize>(&self) -> Option<BatchRunner<LANES>> {
        let code = native::compile_four::<LANES>(&self.program.code, self.input_count())?;
        let aside = Lines::new(code.memory().div_ceil(8));
        Some(BatchRunner { cold: None, compiled: Some(Arc::new(code)), aside, ..self.batch() })
    }
}

impl<const LANES: usize> BatchRunner<LANES> {
    /// Computes the outputs of all lanes: `inputs[i][lane]` to `outputs[j][lane]`. The lengths are those of the tape.
    pub fn run(&mut self, inputs: &[[f64; LANES]], outputs: &mut [[f64; LANES]]) {
        match &mut self.cold {
            None => {}
            Some(0) => {
                self.compiled = self.program.native_rows::<LANES>();
                self.aside = Lines::new(self.compiled.as_ref().map_or(0, |code| code.memory().div_ceil(8)));
                self.cold = None;
            }
            Some(left) => *left -= 1,
        }
        if let Some(compiled) = &self.compiled {
            return compiled.run(inputs, outputs, self.aside.as_flattened_mut());
        }
        let BatchRunner { program, memory, .. } = self;
        let code = &program.code;
        assert_eq!(inputs.len(), program.input_names.len(), "as many rows as the tape has inputs");
        assert_eq!(outputs.len(), code.outputs.len(), "as many rows as the tape has outputs");
        for &(i, slot) in &code.inputs {
            memory[usize::from(slot)] = inputs[i as usize];
        }
        for instruction in &code.instructions {
            execute(program, memory, instruction);
        }
        for (output, &address) in outputs.iter_mut().zip(&code.outputs) {
            let address = usize::from(address);
            *output = match address.checked_sub(code.slots) {
                Some(constant) => [code.constants[constant]; LANES],
                None => memory[address],
            };
        }
    }
}

#[inline(always)]
fn execute<const LANES: usize>(program: &Program, memory: &mut [[f64; LANES]], instruction: &Instruction) {
    let Instruction { op, d, a, b, c, e } = *instruction;
    let constant = |address: u16| program.code.constants[usize::from(address) - program.code.slots];
    // One loop per instruction: `x` stands for the lane's value of slot `a`, and so on.
    macro_rules! lanes {
        ($($x:ident = $slot:ident),+ => $result:expr) => {{
            $(let $slot = usize::from($slot);)+
            let d = usize::from(d);
            for at in 0..LANES / WIDTH {
                $(let $x: [f64; WIDTH] = memory[$slot].as_chunks::<WIDTH>().0[at];)+
                let out = &mut memory[d].as_chunks_mut::<WIDTH>().0[at];
                for i in 0..WIDTH {
                    $(let $x = $x[i];)+
                    out[i] = $result;
                }
            }
        }};
    }
    match op {
        Op::Add => lanes!(x = a, y = b => x + y),
        Op::AddK => {
            let k = constant(b);
            lanes!(x = a => x + k)
        }
        Op::Sub => lanes!(x = a, y = b => x - y),
        Op::KSub => {
            let k = constant(b);
            lanes!(x = a => k - x)
        }
        Op::Mul => lanes!(x = a, y = b => x * y),
        Op::MulK => {
            let k = constant(b);
            lanes!(x = a => x * k)
        }
        Op::Div => lanes!(x = a, y = b => x / y),
        Op::KDiv => {
            let k = constant(b);
            lanes!(x = a => k / x)
        }
        Op::MulAdd => lanes!(x = a, y = b, z = c => x * y + z),
        Op::MulKAdd => {
            let k = constant(b);
            lanes!(x = a, z = c => x * k + z)
        }
        Op::MulSub => lanes!(x = a, y = b, z = c => x * y - z),
        Op::MulKSub => {
            let k = constant(b);
            lanes!(x = a, z = c => x * k - z)
        }
        Op::SubMul => lanes!(x = a, y = b, z = c => z - x * y),
        Op::Mul3 => lanes!(x = a, y = b, z = c => x * y * z),
        Op::Mul3K => {
            let k = constant(c);
            lanes!(x = a, y = b => x * y * k)
        }
        Op::Mul3Add => lanes!(x = a, y = b, z = c, w = e => x * y * z + w),
        Op::Mul3KAdd => {
            let k = constant(c);
            lanes!(x = a, y = b, w = e => x * y * k + w)
        }
        Op::Mul3Sub => lanes!(x = a, y = b, z = c, w = e => x * y * z - w),
        Op::Mul3KSub => {
            let k = constant(c);
            lanes!(x = a, y = b, w = e => x * y * k - w)
        }
        Op::SubMul3 => lanes!(x = a, y = b, z = c, w = e => w - x * y * z),
        Op::Dot => lanes!(x = a, y = b, z = c, w = e => x * y + z * w),
        Op::DotSub => lanes!(x = a, y = b, z = c, w = e => x * y - z * w),
        Op::Negate => lanes!(x = a => -x),
        Op::Sqrt => lanes!(x = a => x.sqrt()),
        Op::Abs => lanes!(x = a => x.abs()),
        Op::SinCos => {
            let (sin, cos) = sin_cos(&memory[usize::from(a)]);
            memory[usize::from(d)] = sin;
            memory[usize::from(b)] = cos;
        }
        Op::Sin => memory[usize::from(d)] = sin_cos(&memory[usize::from(a)]).0,
        Op::Cos => memory[usize::from(d)] = sin_cos(&memory[usize::from(a)]).1,
        Op::Load => memory[usize::from(d)] = [constant(b); LANES],
        Op::Power | Op::Atan2 => {
            let (x, y) = (memory[usize::from(a)], memory[usize::from(b)]);
            memory[usize::from(d)] = std::array::from_fn(|i| seldom(program, op, x[i], y[i], b));
        }
        rare => {
            let x = memory[usize::from(a)];
            memory[usize::from(d)] = std::array::from_fn(|i| seldom(program, rare, x[i], 0.0, b));
        }
    }
}

/// All lanes by the polynomial; the few beyond its range again by the library.
#[inline(never)]
fn sin_cos<const LANES: usize>(x: &[f64; LANES]) -> ([f64; LANES], [f64; LANES]) {
    let mut sin = [0.0; LANES];
    let mut cos = [0.0; LANES];
    let mut in_range = true;
    for i in 0..LANES {
        [sin[i], cos[i]] = sine::polynomial(x[i]);
        in_range &= sine::in_range(x[i]);
    }
    if !in_range {
        for i in 0..LANES {
            (sin[i], cos[i]) = kernel::sin_cos(x[i]);
        }
    }
    (sin, cos)
}
