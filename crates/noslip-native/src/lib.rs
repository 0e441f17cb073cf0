//! Straight-line programs of floating-point numbers as machine code.
//!
//! A [`Program`] is a list of steps over a row of numbers. [`Native::compile`] turns it into instructions of this machine where it
//! knows how (x86-64 with AVX2, on Unix), [`Rows::compile`] into instructions for many rows, eight at a time with AVX-512 and four with
//! AVX2. They say `None` everywhere else, or for anything that goes wrong: who calls keeps an interpreter.
//! Nothing is fused or reordered in a way that changes a rounding, so the numbers are those of [`Program::interpret`] to the last bit.
//!
//! [`widest`] runs a piece of ordinary code compiled for the widest registers that this machine has.
//!
//! This is the one place of the project with `unsafe` code. What makes it sound: addresses are checked against the length of
//! the row before anything is compiled, and the lengths of inputs, outputs and memory again at every call; the code touches nothing but
//! these, its own constants and its own stack frame; pages are never writable and executable at once (dynasm-rs).

// Only a compiler asks what a step reads and writes.
mod compose;
#[cfg_attr(not(all(target_arch = "x86_64", unix)), allow(dead_code))]
mod program;
pub mod sine;
mod wide;
#[cfg(all(target_arch = "x86_64", unix))]
mod x64;

pub use compose::{Composer, Place};
pub use program::{Binary, Program, Step, Unary};
pub use wide::{Wide, widest};

#[cfg(all(target_arch = "x86_64", unix))]
use x64::{Code, Target};

/// Elsewhere nothing is compiled, and there is nothing to run.
#[cfg(not(all(target_arch = "x86_64", unix)))]
enum Code {}

#[cfg(not(all(target_arch = "x86_64", unix)))]
impl Code {
    fn lanes(&self) -> usize {
        match *self {}
    }

    fn aside(&self) -> usize {
        match *self {}
    }

    fn run(&self, _: &[f64], _: &mut [f64], _: &mut [f64]) {
        match *self {}
    }
}

/// A program compiled for this machine.
pub struct Native {
    code: Code,
}

/// A program compiled to run on several rows at once.
pub struct Rows {
    code: Code,
}

impl Native {
    /// Compiles a program; `None` where this machine or the program is beyond the compiler.
    pub fn compile(program: &Program) -> Option<Native> {
        #[cfg(all(target_arch = "x86_64", unix))]
        return Some(Native { code: Code::compile(program, Target::one()?)? });
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = program;
            None
        }
    }

    /// How many numbers of memory a run needs.
    pub fn memory(&self) -> usize {
        self.code.aside()
    }

    /// Computes the outputs. Panics if there are not as many numbers as the program says, or less memory than the code needs.
    #[inline]
    pub fn run(&self, inputs: &[f64], outputs: &mut [f64], memory: &mut [f64]) {
        self.code.run(inputs, outputs, memory);
    }
}

impl Rows {
    /// Compiles a program for rows out of `LANES`, as many at a time as this machine can: `None` where it can none, or the program is
    /// beyond the compiler.
    pub fn compile<const LANES: usize>(program: &Program) -> Option<Rows> {
        Rows::eight::<LANES>(program).or_else(|| Rows::four::<LANES>(program))
    }

    /// The same for eight rows at a time, which needs AVX-512.
    pub fn eight<const LANES: usize>(program: &Program) -> Option<Rows> {
        #[cfg(all(target_arch = "x86_64", unix))]
        return Some(Rows { code: Code::compile(program, Target::eight(LANES)?)? });
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = program;
            None
        }
    }

    /// The same for four rows at a time, which needs AVX2.
    pub fn four<const LANES: usize>(program: &Program) -> Option<Rows> {
        #[cfg(all(target_arch = "x86_64", unix))]
        return Some(Rows { code: Code::compile(program, Target::four(LANES)?)? });
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = program;
            None
        }
    }

    /// How many rows at a time.
    pub fn at_once(&self) -> usize {
        self.code.lanes()
    }

    /// How many numbers of memory a run needs.
    pub fn memory(&self) -> usize {
        self.code.aside()
    }

    /// Computes the outputs of all rows, the numbers of an input or output side by side; rows beyond a multiple of
    /// [`Rows::at_once`] are left out. Panics if there are not as many numbers as the program says, or less memory than the code needs.
    #[inline]
    pub fn run<const LANES: usize>(&self, inputs: &[[f64; LANES]], outputs: &mut [[f64; LANES]], memory: &mut [f64]) {
        self.code.run(inputs.as_flattened(), outputs.as_flattened_mut(), memory);
    }
}

#[cfg(test)]
mod tests;
