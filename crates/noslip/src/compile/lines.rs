//! Rows of numbers that begin where a cache line does: a register of eight numbers is then read from one line, not from two.

use std::ops::{Deref, DerefMut};

/// Numbers of a cache line.
const LINE: usize = 8;

/// Rows of `L` numbers.
pub(crate) struct Lines<const L: usize> {
    numbers: Vec<f64>,
    /// Where the first row begins: the vector never grows, so it stays there.
    first: usize,
}

impl<const L: usize> Lines<L> {
    /// So many rows of zeros.
    pub(crate) fn new(count: usize) -> Lines<L> {
        let numbers = vec![0.0; count * L + LINE - 1];
        let first = numbers.as_ptr().align_offset(8 * LINE).min(LINE - 1);
        Lines { numbers, first }
    }
}

impl<const L: usize> Clone for Lines<L> {
    fn clone(&self) -> Self {
        let mut other = Lines::new(self.len());
        other.copy_from_slice(self);
        other
    }
}

impl<const L: usize> Deref for Lines<L> {
    type Target = [[f64; L]];

    #[inline(always)]
    fn deref(&self) -> &[[f64; L]] {
        self.numbers[self.first..self.numbers.len() + self.first + 1 - LINE].as_chunks().0
    }
}

impl<const L: usize> DerefMut for Lines<L> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [[f64; L]] {
        let end = self.numbers.len() + self.first + 1 - LINE;
        self.numbers[self.first..end].as_chunks_mut().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_at_lines_and_are_as_many_as_asked_for() {
        let aligned = |lines: &Lines<16>| (lines.as_ptr() as usize).is_multiple_of(8 * LINE);
        for count in [0, 1, 5, 100] {
            let mut lines = Lines::<16>::new(count);
            assert_eq!(lines.len(), count);
            lines.iter_mut().for_each(|row| row[3] = 1.0);
            let other = lines.clone();
            assert!(aligned(&lines) && aligned(&other) && *lines == *other);
        }
    }
}
