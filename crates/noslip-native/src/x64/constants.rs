//! Constants beside the code: those the code itself needs, then the program's own.

use super::encode::{Base, Last, Length};
use crate::sine::{COSINE, HALF_PI, RANGE, ROUND, SINE};

pub(super) const SIGN: usize = 0;
pub(super) const MAGNITUDE: usize = 1;
pub(super) const ONE_BIT: usize = 2;
/// The largest number in range of the polynomial.
pub(super) const IN_RANGE: usize = 3;
pub(super) const TWO_BY_PI: usize = 4;
pub(super) const SHIFT: usize = 5;
pub(super) const PI_PARTS: usize = 6;
pub(super) const HALF: usize = 9;
pub(super) const ONE: usize = 10;
pub(super) const SIN_TERMS: usize = 11;
pub(super) const COS_TERMS: usize = 17;
const COUNT: usize = 23;

fn constants() -> [f64; COUNT] {
    let mut all = [0.0; COUNT];
    let first = [f64::from_bits(1 << 63), f64::from_bits(!(1 << 63)), f64::from_bits(1), RANGE.next_down()];
    all[..4].copy_from_slice(&first);
    all[TWO_BY_PI] = std::f64::consts::FRAC_2_PI;
    all[SHIFT] = ROUND;
    all[PI_PARTS..HALF].copy_from_slice(&HALF_PI);
    all[HALF] = 0.5;
    all[ONE] = 1.0;
    all[SIN_TERMS..COS_TERMS].copy_from_slice(&SINE);
    all[COS_TERMS..].copy_from_slice(&COSINE);
    all
}

/// How often each of the code's constants stands in memory: code for one row computes up to four sines side by side, and only code
/// for eight can broadcast.
fn copies(width: Length) -> usize {
    if width == Length::Eight { 1 } else { 4 }
}

fn own_copies(width: Length) -> usize {
    if width == Length::Four { 4 } else { 1 }
}

/// Everything, as it stands in memory.
pub(super) fn memory(width: Length, own: &[f64]) -> Vec<f64> {
    let several = |x: f64, copies: usize| std::iter::repeat_n(x, copies);
    let built_in = constants().into_iter().flat_map(|x| several(x, copies(width)));
    built_in.chain(own.iter().flat_map(|&x| several(x, own_copies(width)))).collect()
}

/// Where one of the code's constants lies.
pub(super) fn built_in(width: Length, constant: usize) -> Last {
    at(width, constant * copies(width))
}

/// Where one of the program's lies.
pub(super) fn own(width: Length, constant: u32) -> Last {
    at(width, COUNT * copies(width) + constant as usize * own_copies(width))
}

fn at(width: Length, number: usize) -> Last {
    let bytes = 8 * number as i32;
    if width == Length::Eight { Last::Broadcast(Base::Rsi, bytes) } else { Last::Memory(Base::Rsi, bytes) }
}
