//! A right-hand side as C, compiled by gcc into a shared library and called from here; and the processor's clock.

use noslip::compile::Tape;
use noslip::simulate::{Ode, RhsFailure};
use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::process::Command;

unsafe extern "C" {
    fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn clock_gettime(clock: c_int, time: *mut [c_long; 2]) -> c_int;
}

const RTLD_NOW: c_int = 2;
const CLOCK_THREAD_CPUTIME_ID: c_int = 3;

/// Seconds this thread has been running: on a busy machine, waiting does not count.
pub fn seconds() -> f64 {
    let mut time = [0; 2];
    // Safety: the clock exists on Linux, and `timespec` is two longs.
    unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time[0] as f64 + time[1] as f64 * 1e-9
}

/// y′ = f(t, y) by compiled C.
pub struct Native {
    function: unsafe extern "C" fn(*const f64, *mut f64),
    input: Vec<f64>,
}

impl Native {
    /// Compiles the tape (t, y) → y′. `None` without gcc.
    pub fn compile(tape: &Tape, state: &[f64]) -> Option<Native> {
        let directory = std::env::temp_dir().join(format!(
            "noslip-bench-trajectory-{}-{:x}",
            std::process::id(),
            tape.operations().len()
        ));
        std::fs::create_dir_all(&directory).expect("a temporary directory");
        let input = [&[0.0], state].concat();
        let source = tape.to_c("rhs", &input).expect("a regular state");
        std::fs::write(directory.join("rhs.c"), source).expect("a file");
        let gcc = |arguments: &[&str]| {
            let flags = ["-std=gnu11", "-O3", "-march=native", "rhs.c", "-lm"];
            Command::new("gcc")
                .current_dir(&directory)
                .args(flags)
                .args(arguments)
                .status()
                .ok()
                .filter(|s| s.success())
        };
        gcc(&["-DSELF_TEST", "-o", "test"])?;
        let test = Command::new(directory.join("test")).status().expect("the self-test runs");
        assert!(test.success(), "the generated code does not prove itself");
        gcc(&["-shared", "-fPIC", "-o", "rhs.so"])?;
        let path = CString::new(directory.join("rhs.so").to_str()?).ok()?;
        // Safety: the library was made above from our own source, and its function has this type.
        let function = unsafe {
            let library = dlopen(path.as_ptr(), RTLD_NOW);
            assert!(!library.is_null(), "the library loads");
            let symbol = dlsym(library, c"rhs".as_ptr());
            assert!(!symbol.is_null(), "the function is there");
            std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*const f64, *mut f64)>(symbol)
        };
        std::fs::remove_dir_all(&directory).expect("the directory is ours");
        Some(Native { function, input })
    }
}

impl Ode for Native {
    fn dimension(&self) -> usize {
        self.input.len() - 1
    }

    #[inline]
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        self.input[0] = t;
        self.input[1..].copy_from_slice(y);
        // Safety: both lengths are those of the tape.
        unsafe { (self.function)(self.input.as_ptr(), dy.as_mut_ptr()) };
        Ok(())
    }
}
