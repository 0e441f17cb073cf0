//! Vector instructions as bytes: VEX where it suffices, EVEX for registers of eight numbers and for those numbered from 16 on.
//!
//! dynasm-rs knows no AVX-512; it still keeps labels and pages. Layouts after *Intel 64 and IA-32 Architectures Software Developer's
//! Manual*, vol. 2, 2.3 (VEX) and 2.7 (EVEX).

use dynasmrt::DynasmApi;

/// Registers that hold addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Base {
    Rcx = 1,
    Rdx = 2,
    Rsp = 4,
    Rsi = 6,
    Rdi = 7,
}

/// The last operand.
#[derive(Clone, Copy)]
pub(super) enum Last {
    Register(u8),
    Memory(Base, i32),
    /// One number for all lanes (EVEX).
    Broadcast(Base, i32),
    /// One number, whatever the length of the register.
    Single(Base, i32),
}

/// How much of a register an instruction works on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// The lowest number.
    Scalar,
    Two,
    Four,
    Eight,
}

impl Length {
    pub(super) fn bytes(self) -> i32 {
        match self {
            Length::Scalar => 8,
            Length::Two => 16,
            Length::Four => 32,
            Length::Eight => 64,
        }
    }

    fn code(self) -> u8 {
        match self {
            Length::Scalar | Length::Two => 0,
            Length::Four => 1,
            Length::Eight => 2,
        }
    }
}

/// Which instruction: the map of opcodes (1: 0F, 2: 0F38, 3: 0F3A), the prefix (0: none, 1: 66, 2: F3, 3: F2), the opcode.
#[derive(Clone, Copy)]
pub(super) struct Opcode(pub u8, pub u8, pub u8);

/// `code first, second, last`, under the mask `k` unless it is 0.
pub(super) fn vector(a: &mut impl DynasmApi, op: Opcode, length: Length, [first, second]: [u8; 2], last: Last, k: u8) {
    let high = first > 15 || second > 15 || matches!(last, Last::Register(16..));
    let broadcast = matches!(last, Last::Broadcast(..));
    let evex = high || broadcast || length == Length::Eight || k != 0;
    let Opcode(map, prefix, code) = op;
    // Bits that continue the registers' numbers, inverted.
    let off = |x: u8, bit: u8| !(x >> bit) & 1;
    let (x, b) = match last {
        Last::Register(r) => (off(r, 4), off(r, 3)),
        _ => (1, 1),
    };
    if evex {
        a.push(0x62);
        a.push(off(first, 3) << 7 | x << 6 | b << 5 | off(first, 4) << 4 | map);
        // Two numbers are told from two halves by this bit alone (W), which is 1 for all that we use.
        a.push(0x80 | (!second & 15) << 3 | 4 | prefix);
        a.push(length.code() << 5 | u8::from(broadcast) << 4 | off(second, 4) << 3 | k);
    } else if map == 1 && b == 1 {
        a.push(0xC5);
        a.push(off(first, 3) << 7 | (!second & 15) << 3 | length.code() << 2 | prefix);
    } else {
        a.push(0xC4);
        a.push(off(first, 3) << 7 | 1 << 6 | b << 5 | map);
        a.push((!second & 15) << 3 | length.code() << 2 | prefix);
    }
    a.push(code);
    let low = (first & 7) << 3;
    match last {
        Last::Register(r) => a.push(0xC0 | low | r & 7),
        Last::Memory(base, at) => address(a, low, base, at, if evex { length.bytes() } else { 1 }),
        Last::Broadcast(base, at) => address(a, low, base, at, 8),
        Last::Single(base, at) => address(a, low, base, at, if evex { 8 } else { 1 }),
    }
}

/// An address with the shortest distance that serves; short ones count in units.
fn address(a: &mut impl DynasmApi, low: u8, base: Base, at: i32, unit: i32) {
    let short = i8::try_from(at / unit).ok().filter(|_| at % unit == 0);
    let mode = match short {
        Some(0) => 0,
        Some(_) => 0x40,
        None => 0x80,
    };
    a.push(mode | low | base as u8);
    if base == Base::Rsp {
        a.push(0x24);
    }
    match short {
        Some(0) => {}
        Some(short) => a.push_i8(short),
        None => a.push_i32(at),
    }
}
