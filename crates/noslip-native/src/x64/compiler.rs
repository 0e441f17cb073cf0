//! Code for x86-64, for one row with AVX, for four rows at once with AVX2, for eight with AVX-512: every number that is used again soon
//! lives in a register.
//!
//! The program has no branches, so when a value is needed next is known at every place. A register that is needed is taken from the
//! value that is needed last, which is put aside unless it lies in memory anyway. A value that is seldom used again and lies in memory is
//! an operand there.

use super::constants::{self, MAGNITUDE, SIGN};
use super::emit::Beyond;
use super::emit::Operand::{self, Aside, Constant, Input, Output, Pool, Register};
use super::encode::Length;
use super::flow::{Act, Flow, Item, Origin, Value};
use crate::program::{Binary, Program, Unary};
use dynasmrt::x64::Assembler;
use dynasmrt::{DynasmApi, ExecutableBuffer, dynasm};

/// Never: beyond the last item.
const NEVER: u32 = u32::MAX;
/// Uses up to which a value stays in memory, and items up to its next use from which on it does.
const SELDOM: usize = 2;
const FAR: u32 = 24;
/// Sines side by side in a register in code for one row, and in turns where there are registers enough.
const SIDE_BY_SIDE: usize = 4;
const IN_TURNS: usize = 2;
/// The most registers there are.
const REGISTERS: usize = 32;

/// What code is made for.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(super) length: Length,
    /// How many registers there are.
    pub(super) registers: usize,
    /// Numbers from one input or output to the next.
    stride: usize,
}

impl Target {
    /// One row.
    pub(crate) fn one() -> Option<Target> {
        let able = std::arch::is_x86_feature_detected!("avx") && std::arch::is_x86_feature_detected!("avx2");
        able.then_some(Target { length: Length::Scalar, registers: 16, stride: 1 })
    }

    /// Four rows out of so many.
    pub(crate) fn four(stride: usize) -> Option<Target> {
        let able = std::arch::is_x86_feature_detected!("avx2") && stride >= 4;
        able.then_some(Target { length: Length::Four, registers: 16, stride })
    }

    /// Eight rows out of so many.
    pub(crate) fn eight(stride: usize) -> Option<Target> {
        let able = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && stride >= 8;
        able.then_some(Target { length: Length::Eight, registers: REGISTERS, stride })
    }

    /// How many rows at once.
    pub(crate) fn lanes(self) -> usize {
        self.length.bytes() as usize / 8
    }
}

/// Executable code with its constants.
pub(crate) struct Code {
    /// Keeps the pages.
    _buffer: ExecutableBuffer,
    function: Function,
    constants: Vec<f64>,
    lanes: usize,
    /// Numbers of the inputs, of the outputs, and of what is put aside.
    inputs: usize,
    outputs: usize,
    aside: usize,
    /// How often the code is run for all rows.
    turns: usize,
}

type Function = extern "sysv64" fn(*const f64, *const f64, *mut f64, *mut f64);

impl Code {
    pub(crate) fn compile(program: &Program, target: Target) -> Option<Code> {
        let numbers = program.input_count.max(program.output_count).checked_mul(target.stride)?;
        if !program.is_sound() || numbers >= 1 << 27 {
            return None;
        }
        let together = match target.length {
            Length::Scalar => SIDE_BY_SIDE,
            Length::Eight => IN_TURNS,
            _ => 1,
        };
        let flow = Flow::of(program, together);
        let mut assembler = Assembler::new().ok()?;
        let start = assembler.offset();
        let mut compiler = Compiler::new(&mut assembler, program, &flow, target);
        compiler.compile();
        let aside = compiler.slots as usize * target.lanes();
        let buffer = assembler.finalize().ok()?;
        // SAFETY: the buffer holds a whole function of this type, made by `Compiler`, and is executable as long as it lives.
        let function: Function = unsafe { std::mem::transmute(buffer.ptr(start)) };
        Some(Code {
            _buffer: buffer,
            function,
            constants: constants::memory(target.length, &flow.constants),
            lanes: target.lanes(),
            inputs: program.input_count * target.stride,
            outputs: program.output_count * target.stride,
            aside,
            turns: target.stride / target.lanes(),
        })
    }

    pub(crate) fn lanes(&self) -> usize {
        self.lanes
    }

    /// Numbers of memory that a run needs.
    pub(crate) fn aside(&self) -> usize {
        self.aside
    }

    /// Computes all rows, as many at a time as the code does; what is left of them in the end is not computed.
    #[inline]
    pub(crate) fn run(&self, inputs: &[f64], outputs: &mut [f64], aside: &mut [f64]) {
        assert!(inputs.len() == self.inputs, "as many numbers as the program has inputs");
        assert!(outputs.len() == self.outputs, "as many numbers as the program has outputs");
        assert!(aside.len() >= self.aside, "as much memory as the code asks for");
        let (mut from, mut to) = (inputs.as_ptr(), outputs.as_mut_ptr());
        for _ in 0..self.turns {
            // The function reads `inputs` and reads and writes `outputs`, in each of `stride` numbers as many as it has lanes, and
            // `aside`, all within the lengths that were checked just now: `turns` lanes fit into the stride. It reads `constants` at the
            // places that `constants::memory` filled.
            (self.function)(from, self.constants.as_ptr(), to, aside.as_mut_ptr());
            (from, to) = (from.wrapping_add(self.lanes), to.wrapping_add(self.lanes));
        }
    }
}

pub(super) struct Compiler<'a> {
    pub(super) a: &'a mut Assembler,
    pub(super) target: Target,
    /// What instructions work on just now.
    pub(super) shape: Length,
    pub(super) library: extern "C" fn(f64, &mut [f64; 2]),
    flow: &'a Flow,
    /// The value in each register.
    held: [Option<Value>; REGISTERS],
    /// Registers that must not be taken just now.
    pinned: [bool; REGISTERS],
    /// Where each value is: in a register, in memory, or both.
    register: Vec<Option<u8>>,
    memory: Vec<Option<Operand>>,
    /// Items that read a value, in order, and how many of them are past.
    uses: Vec<Vec<u32>>,
    past: Vec<usize>,
    /// Outputs that a value is.
    wanted: Vec<Vec<u32>>,
    now: u32,
    /// Memory for values that were put aside: what is free again, and how much there is.
    free: Vec<u32>,
    slots: u32,
    pub(super) beyond: Vec<Beyond>,
    /// Is more than half of a register in use anywhere?
    pub(super) wide: bool,
}

impl<'a> Compiler<'a> {
    fn new(a: &'a mut Assembler, program: &Program, flow: &'a Flow, target: Target) -> Self {
        let n = flow.origins.len();
        let mut uses = vec![Vec::new(); n];
        for (i, item) in flow.items.iter().enumerate() {
            item.reads.iter().for_each(|&v| uses[v as usize].push(i as u32));
        }
        let mut wanted = vec![Vec::new(); n];
        flow.outputs.iter().for_each(|&(j, v)| wanted[v as usize].push(j));
        let memory = flow.origins.iter().map(|&origin| match origin {
            Origin::Input(i) => Some(Input(i)),
            Origin::Constant(c) => Some(Constant(c)),
            Origin::Computed => None,
        });
        Compiler {
            a,
            target,
            shape: target.length,
            library: program.sin_cos,
            memory: memory.collect(),
            flow,
            held: [None; REGISTERS],
            pinned: [false; REGISTERS],
            register: vec![None; n],
            uses,
            past: vec![0; n],
            wanted,
            now: 0,
            free: Vec::new(),
            slots: 0,
            beyond: Vec::new(),
            wide: target.length != Length::Scalar,
        }
    }

    /// Bytes from one input or output to the next.
    pub(super) fn row_bytes(&self) -> i32 {
        8 * self.target.stride as i32
    }

    fn compile(&mut self) {
        let flow = self.flow;
        for (i, item) in flow.items.iter().enumerate() {
            self.now = i as u32;
            match item.act {
                Act::Binary(op) => self.binary(op, item),
                Act::Unary(op) => self.unary(op, item),
                Act::SinCos => self.sines(item),
            }
            self.pinned = [false; REGISTERS];
        }
        // Outputs that are inputs or constants.
        self.now = flow.items.len() as u32;
        for (value, origin) in flow.origins.iter().enumerate() {
            if *origin != Origin::Computed && !self.wanted[value].is_empty() {
                let r = self.read(value as Value);
                self.give_out(value as Value, r);
                self.pinned = [false; REGISTERS];
            }
        }
        if self.wide {
            dynasm!(self.a ; .arch x64 ; vzeroupper);
        }
        dynasm!(self.a ; .arch x64 ; ret);
        for call in std::mem::take(&mut self.beyond) {
            self.sine_beyond(&call);
        }
    }

    fn binary(&mut self, op: Binary, item: &Item) {
        let [mut a, mut b] = [item.reads[0], item.reads[1]];
        let turns = matches!(op, Binary::Add | Binary::Mul);
        if turns && self.register[a as usize].is_none() && self.register[b as usize].is_some() {
            (a, b) = (b, a);
        }
        let x = self.read(a);
        let y = self.operand(b);
        self.release(&item.reads);
        let d = self.take();
        match op {
            Binary::Add => self.add(d, x, y),
            Binary::Sub => self.sub(d, x, y),
            Binary::Mul => self.mul(d, x, y),
            Binary::Div => self.div(d, x, y),
            Binary::Max => self.max(d, x, y),
        }
        self.forget(&item.reads);
        self.define(item.writes[0], d);
    }

    fn unary(&mut self, op: Unary, item: &Item) {
        let x = self.read(item.reads[0]);
        self.release(&item.reads);
        let d = self.take();
        match op {
            Unary::Negate => self.xor(d, x, Pool(SIGN)),
            Unary::Abs => self.and(d, x, Pool(MAGNITUDE)),
            Unary::Sqrt => self.sqrt(d, x),
            Unary::Copy => self.copy(d, x),
        }
        self.forget(&item.reads);
        self.define(item.writes[0], d);
    }

    /// How often a value is read after this item.
    fn left(&mut self, value: Value) -> usize {
        let (uses, past) = (&self.uses[value as usize], &mut self.past[value as usize]);
        while *past < uses.len() && uses[*past] <= self.now {
            *past += 1;
        }
        uses.len() - *past
    }

    /// When a value is read next, after this item.
    fn next(&mut self, value: Value) -> u32 {
        let left = self.left(value);
        let uses = &self.uses[value as usize];
        if left == 0 { NEVER } else { uses[uses.len() - left] }
    }

    /// A register to write to: a free one, or that of the value needed last.
    pub(super) fn take(&mut self) -> u8 {
        let usable = 0..self.target.registers;
        let free = usable.clone().find(|&r| self.held[r].is_none() && !self.pinned[r]);
        let r = free.unwrap_or_else(|| self.evict());
        self.pinned[r] = true;
        r as u8
    }

    fn evict(&mut self) -> usize {
        let mut best = None;
        for r in 0..self.target.registers {
            let Some(value) = self.held[r].filter(|_| !self.pinned[r]) else { continue };
            // This item's operands that are not pinned are needed at once.
            let soon = self.flow.items.get(self.now as usize).is_some_and(|item| item.reads.contains(&value));
            let next = if soon { self.now } else { self.next(value) };
            let rank = (next, self.memory[value as usize].is_some());
            if best.is_none_or(|(b, _, _)| rank > b) {
                best = Some((rank, r, value));
            }
        }
        let (_, r, value) = best.expect("fewer registers are pinned than there are");
        if self.memory[value as usize].is_none() {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            });
            let shape = std::mem::replace(&mut self.shape, self.target.length);
            self.store(Aside(slot), r as u8);
            self.shape = shape;
            self.memory[value as usize] = Some(Aside(slot));
        }
        self.held[r] = None;
        self.register[value as usize] = None;
        r
    }

    /// The register with a value.
    pub(super) fn read(&mut self, value: Value) -> u8 {
        let r = self.register[value as usize].unwrap_or_else(|| {
            let r = self.take();
            let from = self.memory[value as usize].expect("a value is somewhere");
            let shape = std::mem::replace(&mut self.shape, self.target.length);
            self.load(r, from);
            self.shape = shape;
            self.held[usize::from(r)] = Some(value);
            self.register[value as usize] = Some(r);
            r
        });
        self.pinned[usize::from(r)] = true;
        r
    }

    /// A value as the last operand: where it is, unless it is often needed.
    fn operand(&mut self, value: Value) -> Operand {
        match (self.register[value as usize], self.memory[value as usize]) {
            (None, Some(place)) if self.left(value) <= SELDOM || self.next(value) - self.now > FAR => place,
            _ => Register(self.read(value)),
        }
    }

    /// Operands that are not read again give their registers to the result.
    pub(super) fn release(&mut self, values: &[Value]) {
        for &value in values {
            if let Some(r) = self.register[value as usize].filter(|_| self.left(value) == 0) {
                self.held[usize::from(r)] = None;
                self.pinned[usize::from(r)] = false;
                self.register[value as usize] = None;
            }
        }
    }

    /// Once they have been read for the last time, what was put aside makes room.
    pub(super) fn forget(&mut self, values: &[Value]) {
        for &value in values {
            if self.left(value) == 0
                && let Some(Aside(slot)) = self.memory[value as usize]
            {
                self.free.push(slot);
                self.memory[value as usize] = None;
            }
        }
    }

    /// Notes that a register holds a new value.
    pub(super) fn define(&mut self, value: Value, r: u8) {
        self.give_out(value, r);
        if self.left(value) > 0 {
            self.held[usize::from(r)] = Some(value);
            self.register[value as usize] = Some(r);
        } else {
            self.pinned[usize::from(r)] = false;
        }
    }

    /// Is a value used at all?
    pub(super) fn is_wanted(&mut self, value: Value) -> bool {
        self.left(value) > 0 || !self.wanted[value as usize].is_empty()
    }

    fn give_out(&mut self, value: Value, r: u8) {
        for j in self.wanted[value as usize].clone() {
            self.store(Output(j), r);
            self.memory[value as usize] = Some(Output(j));
        }
    }

    /// A register that is not needed any more.
    pub(super) fn unpin(&mut self, r: u8) {
        self.pinned[usize::from(r)] = false;
    }
}
