//! The instructions, each for as many numbers as the shape says.

use super::compiler::Compiler;
use super::constants::{self, IN_RANGE, MAGNITUDE, ONE_BIT, SIGN};
use super::encode::{Base, Last, Length, Opcode, vector};
use crate::program::beyond;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

/// The last operand of an instruction.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Operand {
    /// A register.
    Register(u8),
    /// A number of the program's own.
    Constant(u32),
    /// One of the constants that the code itself needs.
    Pool(usize),
    Input(u32),
    Output(u32),
    /// A number that was put aside.
    Aside(u32),
}
use Operand::{Aside, Constant, Input, Output, Pool, Register};

/// Opcodes for numbers alone or side by side: the prefix is chosen by the shape.
const ADD: u8 = 0x58;
const MUL: u8 = 0x59;
const SUB: u8 = 0x5C;
const DIV: u8 = 0x5E;
const MAX: u8 = 0x5F;
const SQRT: u8 = 0x51;
const LOAD: u8 = 0x10;
const STORE: u8 = 0x11;
/// Opcodes that always work on whole registers.
const AND: Opcode = Opcode(1, 1, 0x54);
const XOR: Opcode = Opcode(1, 1, 0x57);
const MOVE: Opcode = Opcode(1, 1, 0x28);
const SHIFT_LEFT: Opcode = Opcode(1, 1, 0x73);
const ADD_WHOLE: Opcode = Opcode(1, 1, 0xD4);
const BROADCAST: Opcode = Opcode(2, 1, 0x19);
const GREATER: Opcode = Opcode(2, 1, 0x37);
const TEST_SIGNS: Opcode = Opcode(2, 1, 0x0F);
const COMPARE_ORDERED: Opcode = Opcode(1, 1, 0x2E);
const COMPARE: Opcode = Opcode(1, 1, 0xC2);
const BLEND: Opcode = Opcode(3, 1, 0x4B);
const TEST_BITS: Opcode = Opcode(2, 1, 0x27);
const TERNARY: Opcode = Opcode(3, 1, 0x25);
const BLEND_BY_MASK: Opcode = Opcode(2, 1, 0x65);
const LOW_HALVES: Opcode = Opcode(1, 1, 0x14);
const HIGH_HALVES: Opcode = Opcode(1, 1, 0x15);
const INSERT_UPPER: Opcode = Opcode(3, 1, 0x18);
const EXTRACT_UPPER: Opcode = Opcode(3, 1, 0x19);

/// The stack frame of calls: all registers, then the arguments and the two rows of results of each, then addresses.
const ARGUMENTS: i32 = 2048;
const ADDRESSES: i32 = ARGUMENTS + 2 * 192;
const FRAME: i32 = ADDRESSES + 32;

/// d = x ∘ y.
macro_rules! operations {
    ($($name:ident: $code:expr;)*) => {$(
        pub(super) fn $name(&mut self, d: u8, x: u8, y: Operand) {
            self.numbers($code, d, x, y);
        }
    )*};
}

impl Compiler<'_> {
    operations! {
        add: ADD;
        sub: SUB;
        mul: MUL;
        div: DIV;
        max: MAX;
    }

    fn numbers(&mut self, code: u8, d: u8, x: u8, y: Operand) {
        let last = self.last(y);
        let op = Opcode(1, if self.shape == Length::Scalar { 3 } else { 1 }, code);
        vector(self.a, op, self.shape, [d, x], last, 0);
    }

    /// An instruction on whole registers.
    fn whole(&mut self, op: Opcode, d: u8, x: u8, y: Operand) {
        let last = self.last(y);
        vector(self.a, op, self.whole_length(), [d, x], last, 0);
    }

    fn whole_length(&self) -> Length {
        if self.shape == Length::Scalar { Length::Two } else { self.shape }
    }

    pub(super) fn and(&mut self, d: u8, x: u8, y: Operand) {
        self.whole(AND, d, x, y);
    }

    pub(super) fn xor(&mut self, d: u8, x: u8, y: Operand) {
        self.whole(XOR, d, x, y);
    }

    /// Where an operand lies.
    fn last(&self, operand: Operand) -> Last {
        let width = self.target.length;
        let row = self.row_bytes();
        match operand {
            Register(r) => Last::Register(r),
            Input(i) => Last::Memory(Base::Rdi, row * i as i32),
            Output(j) => Last::Memory(Base::Rdx, row * j as i32),
            Aside(slot) => Last::Memory(Base::Rcx, width.bytes() * slot as i32),
            Constant(c) => constants::own(width, c),
            Pool(c) => constants::built_in(width, c),
        }
    }

    pub(super) fn load(&mut self, d: u8, from: Operand) {
        match from {
            Register(x) => self.copy(d, x),
            Constant(_) | Pool(_) if self.shape == Length::Eight => {
                // Broadcasting is an instruction of its own here.
                let Last::Broadcast(base, at) = self.last(from) else { unreachable!("constants are broadcast") };
                vector(self.a, BROADCAST, self.shape, [d, 0], Last::Single(base, at), 0);
            }
            _ => self.numbers(LOAD, d, 0, from),
        }
    }

    pub(super) fn store(&mut self, to: Operand, x: u8) {
        self.numbers(STORE, x, 0, to);
    }

    pub(super) fn copy(&mut self, d: u8, x: u8) {
        if d != x {
            self.whole(MOVE, d, 0, Register(x));
        }
    }

    pub(super) fn sqrt(&mut self, d: u8, x: u8) {
        let second = if self.shape == Length::Scalar { x } else { 0 };
        self.numbers(SQRT, d, second, Register(x));
    }

    /// The bits of x moved up.
    pub(super) fn shift(&mut self, d: u8, x: u8, by: i8) {
        // The opcode is continued where the first register would stand, and the result is the second.
        vector(self.a, SHIFT_LEFT, self.whole_length(), [6, d], Last::Register(x), 0);
        self.a.push_i8(by);
    }

    /// The bits of x, counted on by one.
    pub(super) fn count_on(&mut self, d: u8, x: u8) {
        self.whole(ADD_WHOLE, d, x, Pool(ONE_BIT));
    }

    /// Where the lowest bit of q is set, y and x; else x and y. The mask may go to t.
    pub(super) fn exchange(&mut self, [d, e]: [u8; 2], [x, y]: [u8; 2], q: u8, t: u8) {
        if self.shape == Length::Eight {
            let one = self.last(Pool(ONE_BIT));
            vector(self.a, TEST_BITS, Length::Eight, [1, q], one, 0);
            vector(self.a, BLEND_BY_MASK, Length::Eight, [d, x], Last::Register(y), 1);
            vector(self.a, BLEND_BY_MASK, Length::Eight, [e, y], Last::Register(x), 1);
            return;
        }
        self.shift(t, q, 63);
        for (d, x, y) in [(d, x, y), (e, y, x)] {
            self.whole(BLEND, d, x, Register(y));
            self.a.push(t << 4);
        }
    }

    /// x with its sign turned where the highest bit of t is set; t is used up.
    pub(super) fn turn(&mut self, d: u8, x: u8, t: u8) {
        if self.shape == Length::Eight {
            // t = x ^ (t & sign)
            let sign = self.last(Pool(SIGN));
            vector(self.a, TERNARY, Length::Eight, [t, x], sign, 0);
            self.a.push(0x6C);
            self.copy(d, t);
            return;
        }
        self.and(t, t, Pool(SIGN));
        self.xor(d, x, Register(t));
    }

    /// Goes elsewhere with NaN and with what is beyond the polynomial, in any lane.
    pub(super) fn unless_in_range(&mut self, x: u8, t: u8, q: u8, elsewhere: DynamicLabel) {
        self.and(t, x, Pool(MAGNITUDE));
        self.load(q, Pool(IN_RANGE));
        match self.shape {
            Length::Scalar => {
                vector(self.a, COMPARE_ORDERED, Length::Two, [q, 0], Last::Register(t), 0);
                dynasm!(self.a ; .arch x64 ; jb =>elsewhere);
            }
            Length::Two | Length::Four => {
                // The bits of numbers without sign are in the order of the numbers, and NaN comes last.
                self.whole(GREATER, t, t, Register(q));
                self.whole(TEST_SIGNS, t, 0, Register(t));
                dynasm!(self.a ; .arch x64 ; jnz =>elsewhere);
            }
            Length::Eight => {
                // Not less or equal, or NaN; then whether any bit of the mask is set (kortestb k1, k1).
                vector(self.a, COMPARE, Length::Eight, [1, t], Last::Register(q), 0);
                self.a.push(6);
                self.a.extend([0xC5, 0xF9, 0x98, 0xC9]);
                dynasm!(self.a ; .arch x64 ; jnz =>elsewhere);
            }
        }
    }

    /// d = (low number of x, y).
    pub(super) fn pair(&mut self, d: u8, x: u8, y: u8) {
        vector(self.a, LOW_HALVES, Length::Two, [d, x], Last::Register(y), 0);
    }

    /// d = (x, y), each of two numbers.
    pub(super) fn join(&mut self, d: u8, x: u8, y: u8) {
        vector(self.a, INSERT_UPPER, Length::Four, [d, x], Last::Register(y), 0);
        self.a.push(1);
    }

    /// The second of two numbers.
    pub(super) fn second(&mut self, d: u8, x: u8) {
        vector(self.a, HIGH_HALVES, Length::Two, [d, x], Last::Register(x), 0);
    }

    /// The third and fourth of four numbers.
    pub(super) fn upper(&mut self, d: u8, x: u8) {
        // Here the last operand is the result.
        vector(self.a, EXTRACT_UPPER, Length::Four, [x, 0], Last::Register(d), 0);
        self.a.push(1);
    }

    /// Calls the library for sines and cosines, with all registers kept.
    pub(super) fn sine_beyond(&mut self, call: &Beyond) {
        let Beyond { begin, end, shape, ref sets } = *call;
        let library = self.library as *const () as usize as i64;
        let function = beyond as *const () as usize as i64;
        let (width, lanes) = (self.target.length, shape.bytes() / 8);
        dynasm!(self.a ; .arch x64 ; =>begin ; push rbp ; mov rbp, rsp ; sub rsp, FRAME);
        for r in 0..self.target.registers as u8 {
            self.on_stack(STORE, width, r, width.bytes() * i32::from(r));
        }
        for (i, &[x, ..]) in sets.iter().enumerate() {
            self.on_stack(STORE, shape, x, frame_of(i));
        }
        dynasm!(self.a ; .arch x64
            ; mov [rsp + ADDRESSES], rdi
            ; mov [rsp + ADDRESSES + 8], rsi
            ; mov [rsp + ADDRESSES + 16], rdx
            ; mov [rsp + ADDRESSES + 24], rcx
            ; vzeroupper
        );
        for i in 0..sets.len() {
            dynasm!(self.a ; .arch x64
                ; lea rdi, [rsp + frame_of(i)]
                ; lea rsi, [rsp + frame_of(i) + 64]
                ; mov rdx, QWORD library
                ; mov rcx, lanes
                ; mov rax, QWORD function
                ; call rax
            );
        }
        dynasm!(self.a ; .arch x64
            ; mov rdi, [rsp + ADDRESSES]
            ; mov rsi, [rsp + ADDRESSES + 8]
            ; mov rdx, [rsp + ADDRESSES + 16]
            ; mov rcx, [rsp + ADDRESSES + 24]
        );
        for r in 0..self.target.registers as u8 {
            self.on_stack(LOAD, width, r, width.bytes() * i32::from(r));
        }
        for (i, &[_, sin, cos]) in sets.iter().enumerate() {
            self.on_stack(LOAD, shape, sin, frame_of(i) + 64);
            self.on_stack(LOAD, shape, cos, frame_of(i) + 128);
        }
        dynasm!(self.a ; .arch x64 ; mov rsp, rbp ; pop rbp ; jmp =>end);
    }

    /// Loads or stores a register.
    fn on_stack(&mut self, code: u8, length: Length, r: u8, at: i32) {
        let prefix = if length == Length::Scalar { 3 } else { 1 };
        vector(self.a, Opcode(1, prefix, code), length, [r, 0], Last::Memory(Base::Rsp, at), 0);
    }
}

/// Sines beyond the polynomial: where that begins and goes on, and registers of arguments, sines and cosines.
pub(super) struct Beyond {
    pub begin: DynamicLabel,
    pub end: DynamicLabel,
    pub shape: Length,
    pub sets: Vec<[u8; 3]>,
}

/// Where arguments of a call stand, before the two rows of results.
fn frame_of(set: usize) -> i32 {
    ARGUMENTS + 192 * set as i32
}
