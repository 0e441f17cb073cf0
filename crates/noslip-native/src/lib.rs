//! Straight-line programs of floating-point numbers as machine code.
//!
//! A [`Program`] is a list of steps over a row of numbers. [`Native::compile`] turns it into instructions of this machine where it
//! knows how (x86-64 with AVX, on Unix; [`FourRows`] with AVX2), and says `None` everywhere else, or for anything that goes wrong: who calls keeps an interpreter.
//! Nothing is fused or reordered in a way that changes a rounding, so the numbers are those of [`Program::interpret`] to the last bit.
//!
//! This is the one place of the project with `unsafe` code. What makes it sound: addresses are checked against the length of
//! the row before anything is compiled, and the row's length again at every call; the code touches nothing but the row, its
//! own constants and its own stack frame; pages are never writable and executable at once (dynasm-rs).

// Only a compiler asks what a step reads and writes.
#[cfg_attr(not(all(target_arch = "x86_64", unix)), allow(dead_code))]
mod program;
#[cfg(all(target_arch = "x86_64", unix))]
mod x64;

pub use program::{Binary, Program, Step, Unary};

/// A program compiled for this machine.
pub struct Native {
    #[cfg(all(target_arch = "x86_64", unix))]
    code: x64::Code,
}

/// A program compiled to run on four rows at once.
pub struct FourRows {
    #[cfg(all(target_arch = "x86_64", unix))]
    code: x64::Code,
}

impl Native {
    /// Compiles a program; `None` where this machine or the program is beyond the compiler.
    pub fn compile(program: &Program) -> Option<Native> {
        #[cfg(all(target_arch = "x86_64", unix))]
        return Some(Native { code: x64::Code::compile(program, x64::Width::One)? });
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = program;
            None
        }
    }

    /// Runs it on a row of numbers, in which the inputs stand. Panics if the row is not as long as the program says.
    pub fn run(&self, row: &mut [f64]) {
        #[cfg(all(target_arch = "x86_64", unix))]
        self.code.run(row);
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = row;
            unreachable!("there is no code to run");
        }
    }
}

impl FourRows {
    /// Compiles a program; `None` where this machine (AVX2 is needed) or the program is beyond the compiler.
    pub fn compile(program: &Program) -> Option<FourRows> {
        #[cfg(all(target_arch = "x86_64", unix))]
        return Some(FourRows { code: x64::Code::compile(program, x64::Width::Four)? });
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = program;
            None
        }
    }

    /// Runs it on four rows, the four numbers of a place side by side.
    pub fn run(&self, rows: &mut [[f64; 4]]) {
        #[cfg(all(target_arch = "x86_64", unix))]
        self.code.run(rows.as_flattened_mut());
        #[cfg(not(all(target_arch = "x86_64", unix)))]
        {
            let _ = rows;
            unreachable!("there is no code to run");
        }
    }
}

#[cfg(test)]
mod tests;
