//! The instructions, each for one number or for four.

use super::compiler::{Compiler, IN_RANGE, MAGNITUDE, ONE_BIT, REGISTERS, Width};
use crate::program::four_beyond;
use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};

/// The last operand of an instruction.
#[derive(Clone, Copy)]
pub(super) enum Operand {
    /// A register.
    Register(u8),
    /// A place of the row.
    Place(u32),
    /// A constant of the pool.
    Pool(usize),
}
use Operand::{Place, Pool, Register};

/// The stack frame: all registers, then the argument and the two results of a sine, then the row and the pool.
pub(super) const FRAME: i32 = 640;
const ARGUMENT: i32 = 512;
const RESULTS: i32 = 544;
const ROW: i32 = 608;
const CONSTANTS: i32 = 616;

/// d = x ∘ y: the instruction for one number, and that for four.
macro_rules! operations {
    ($($name:ident: $one:ident, $four:ident;)*) => {$(
        pub(super) fn $name(&mut self, d: u8, x: u8, y: Operand) {
            let at = self.address(y);
            match (self.width, y) {
                (Width::One, Register(y)) => dynasm!(self.a ; .arch x64 ; $one Rx(d), Rx(x), Rx(y)),
                (Width::One, Place(_)) => dynasm!(self.a ; .arch x64 ; $one Rx(d), Rx(x), [rdi + at]),
                (Width::One, Pool(_)) => dynasm!(self.a ; .arch x64 ; $one Rx(d), Rx(x), [rsi + at]),
                (Width::Four, Register(y)) => dynasm!(self.a ; .arch x64 ; $four Ry(d), Ry(x), Ry(y)),
                (Width::Four, Place(_)) => dynasm!(self.a ; .arch x64 ; $four Ry(d), Ry(x), [rdi + at]),
                (Width::Four, Pool(_)) => dynasm!(self.a ; .arch x64 ; $four Ry(d), Ry(x), [rsi + at]),
            }
        }
    )*};
}

impl Compiler<'_> {
    operations! {
        add: vaddsd, vaddpd;
        sub: vsubsd, vsubpd;
        mul: vmulsd, vmulpd;
        div: vdivsd, vdivpd;
        and: vandpd, vandpd;
        xor: vxorpd, vxorpd;
    }

    /// Bytes from the beginning of the row or of the pool.
    fn address(&self, operand: Operand) -> i32 {
        match operand {
            Register(_) => 0,
            Place(place) => self.width.bytes() * place as i32,
            Pool(constant) => self.width.bytes() * constant as i32,
        }
    }

    pub(super) fn load(&mut self, d: u8, from: Operand) {
        let at = self.address(from);
        match (self.width, from) {
            (_, Register(x)) => self.copy(d, x),
            (Width::One, Place(_)) => dynasm!(self.a ; .arch x64 ; vmovsd Rx(d), [rdi + at]),
            (Width::One, Pool(_)) => dynasm!(self.a ; .arch x64 ; vmovsd Rx(d), [rsi + at]),
            (Width::Four, Place(_)) => dynasm!(self.a ; .arch x64 ; vmovupd Ry(d), [rdi + at]),
            (Width::Four, Pool(_)) => dynasm!(self.a ; .arch x64 ; vmovupd Ry(d), [rsi + at]),
        }
    }

    /// To a place of the row; constants are not written.
    pub(super) fn store(&mut self, place: u32, x: u8) {
        let at = self.address(Place(place));
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vmovsd [rdi + at], Rx(x)),
            Width::Four => dynasm!(self.a ; .arch x64 ; vmovupd [rdi + at], Ry(x)),
        }
    }

    pub(super) fn copy(&mut self, d: u8, x: u8) {
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vmovapd Rx(d), Rx(x)),
            Width::Four => dynasm!(self.a ; .arch x64 ; vmovapd Ry(d), Ry(x)),
        }
    }

    pub(super) fn sqrt(&mut self, d: u8, x: u8) {
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vsqrtsd Rx(d), Rx(x), Rx(x)),
            Width::Four => dynasm!(self.a ; .arch x64 ; vsqrtpd Ry(d), Ry(x)),
        }
    }

    /// The bits of x moved up.
    pub(super) fn shift(&mut self, d: u8, x: u8, by: i8) {
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vpsllq Rx(d), Rx(x), by),
            Width::Four => dynasm!(self.a ; .arch x64 ; vpsllq Ry(d), Ry(x), by),
        }
    }

    /// The bits of x, counted on by one.
    pub(super) fn count_on(&mut self, d: u8, x: u8) {
        self.load(d, Pool(ONE_BIT));
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vpaddq Rx(d), Rx(x), Rx(d)),
            Width::Four => dynasm!(self.a ; .arch x64 ; vpaddq Ry(d), Ry(x), Ry(d)),
        }
    }

    /// y where the highest bit of the mask is set, else x.
    pub(super) fn choose(&mut self, d: u8, x: u8, y: u8, mask: u8) {
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vblendvpd Rx(d), Rx(x), Rx(y), Rx(mask)),
            Width::Four => dynasm!(self.a ; .arch x64 ; vblendvpd Ry(d), Ry(x), Ry(y), Ry(mask)),
        }
    }

    /// Goes elsewhere with NaN and with what is beyond the polynomial, in any lane.
    pub(super) fn unless_in_range(&mut self, x: u8, t: u8, q: u8, elsewhere: DynamicLabel) {
        self.and(t, x, Pool(MAGNITUDE));
        self.load(q, Pool(IN_RANGE));
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vucomisd Rx(q), Rx(t) ; jb =>elsewhere),
            // The bits of numbers without sign are in the order of the numbers, and NaN comes last.
            Width::Four => dynasm!(self.a ; .arch x64
                ; vpcmpgtq Ry(t), Ry(t), Ry(q)
                ; vtestpd Ry(t), Ry(t)
                ; jnz =>elsewhere
            ),
        }
    }

    /// Calls the library for sine and cosine, with all registers kept.
    pub(super) fn sine_beyond(&mut self, begin: DynamicLabel, end: DynamicLabel, x: u8, sin: u8, cos: u8) {
        let library = self.program.sin_cos as *const () as usize as i64;
        let four = four_beyond as *const () as usize as i64;
        dynasm!(self.a ; .arch x64 ; =>begin);
        for r in 0..REGISTERS as u8 {
            let at = 32 * i32::from(r);
            match self.width {
                Width::One => dynasm!(self.a ; .arch x64 ; vmovsd [rsp + at], Rx(r)),
                Width::Four => dynasm!(self.a ; .arch x64 ; vmovupd [rsp + at], Ry(r)),
            }
        }
        dynasm!(self.a ; .arch x64 ; mov [rsp + ROW], rdi ; mov [rsp + CONSTANTS], rsi);
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64
                ; vmovapd xmm0, Rx(x)
                ; lea rdi, [rsp + RESULTS]
                ; mov rax, QWORD library
            ),
            Width::Four => dynasm!(self.a ; .arch x64
                ; vmovupd [rsp + ARGUMENT], Ry(x)
                ; vzeroupper
                ; lea rdi, [rsp + ARGUMENT]
                ; lea rsi, [rsp + RESULTS]
                ; mov rdx, QWORD library
                ; mov rax, QWORD four
            ),
        }
        dynasm!(self.a ; .arch x64 ; call rax ; mov rdi, [rsp + ROW] ; mov rsi, [rsp + CONSTANTS]);
        for r in 0..REGISTERS as u8 {
            let at = 32 * i32::from(r);
            match self.width {
                Width::One => dynasm!(self.a ; .arch x64 ; vmovsd Rx(r), [rsp + at]),
                Width::Four => dynasm!(self.a ; .arch x64 ; vmovupd Ry(r), [rsp + at]),
            }
        }
        let (first, second) = (RESULTS, RESULTS + self.width.bytes());
        match self.width {
            Width::One => dynasm!(self.a ; .arch x64 ; vmovsd Rx(sin), [rsp + first] ; vmovsd Rx(cos), [rsp + second]),
            Width::Four => {
                dynasm!(self.a ; .arch x64 ; vmovupd Ry(sin), [rsp + first] ; vmovupd Ry(cos), [rsp + second])
            }
        }
        dynasm!(self.a ; .arch x64 ; jmp =>end);
    }
}
