//! Compiled code against the interpreter, bit by bit.

use super::*;

extern "C" fn library(x: f64, both: &mut [f64; 2]) {
    let (sin, cos) = x.sin_cos();
    *both = [sin, cos];
}

/// A small generator: xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    fn number(&mut self) -> f64 {
        match self.next(40) {
            0 => 0.0,
            1 => -0.0,
            2 => f64::NAN,
            3 => f64::INFINITY,
            4 => 1e300,
            5 => 1234.0,
            6 => 1e-310,
            7 => -4321.5,
            _ => (self.next(2_000_001) as f64 - 1e6) / 1e5,
        }
    }
}

/// A program over a few places, so that values are overwritten, or over many, so that registers run out.
fn random_program(random: &mut Random) -> Program {
    let length = [3, 6, 20, 60][random.next(4)] + random.next(3);
    let steps = (0..1 + random.next(60))
        .map(|_| {
            let mut place = || random.next(length) as u32;
            let (d, a, b) = (place(), place(), place());
            match random.next(12) {
                0 | 1 => Step::Binary { op: Binary::Add, d, a, b },
                2 | 3 => Step::Binary { op: Binary::Sub, d, a, b },
                4..=6 => Step::Binary { op: Binary::Mul, d, a, b },
                7 => Step::Binary { op: Binary::Div, d, a, b },
                8 => Step::Unary { op: [Unary::Negate, Unary::Abs][random.next(2)], d, a },
                9 => Step::Unary { op: [Unary::Sqrt, Unary::Copy][random.next(2)], d, a },
                _ if d == b => Step::Unary { op: Unary::Negate, d, a },
                _ => Step::SinCos { sin: d, cos: b, a },
            }
        })
        .collect();
    let outputs = (0..1 + random.next(length)).map(|_| random.next(length) as u32).collect();
    Program { length, steps, outputs, sin_cos: library }
}

/// Equal bits; two NaNs are equal, whatever they carry: the sign of a NaN from two operands is that of either.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

#[test]
fn a_hundred_thousand_random_programs_agree_to_the_last_bit() {
    let mut random = Random(0x6e6f_736c_6970);
    for number in 0..100_000 {
        let program = random_program(&mut random);
        let Some(native) = Native::compile(&program) else {
            assert!(cfg!(not(all(target_arch = "x86_64", unix))) || !has_avx(), "program {number} was refused");
            return;
        };
        let row: Vec<f64> = (0..program.length).map(|_| random.number()).collect();
        let (mut expected, mut got) = (row.clone(), row);
        program.interpret(&mut expected);
        native.run(&mut got);
        for &place in &program.outputs {
            let (a, b) = (expected[place as usize], got[place as usize]);
            assert!(same(a, b), "program {number}, place {place}: {a:e} and {b:e}\n{:#?}", program.steps);
        }
    }
}

#[test]
fn four_rows_at_once_agree_to_the_last_bit() {
    let mut random = Random(0x726f_7773);
    for number in 0..50_000 {
        let program = random_program(&mut random);
        let Some(native) = FourRows::compile(&program) else {
            assert!(cfg!(not(all(target_arch = "x86_64", unix))) || !has_avx2(), "program {number} was refused");
            return;
        };
        let rows: Vec<[f64; 4]> = (0..program.length).map(|_| std::array::from_fn(|_| random.number())).collect();
        let mut got = rows.clone();
        native.run(&mut got);
        for lane in 0..4 {
            let mut expected: Vec<f64> = rows.iter().map(|place| place[lane]).collect();
            program.interpret(&mut expected);
            for &place in &program.outputs {
                let (a, b) = (expected[place as usize], got[place as usize][lane]);
                assert!(
                    same(a, b),
                    "program {number}, place {place}, row {lane}: {a:e} and {b:e}\n{:#?}",
                    program.steps
                );
            }
        }
    }
}

fn has_avx2() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn has_avx() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

#[test]
fn an_address_beyond_the_row_is_refused() {
    let step = Step::Unary { op: Unary::Sqrt, d: 3, a: 0 };
    let program = Program { length: 3, steps: vec![step], outputs: vec![0], sin_cos: library };
    assert!(Native::compile(&program).is_none());
    let program = Program { outputs: vec![9], steps: Vec::new(), ..program };
    assert!(Native::compile(&program).is_none());
}

#[test]
#[should_panic(expected = "as many numbers")]
fn a_row_of_another_length_is_refused() {
    let program = Program { length: 3, steps: Vec::new(), outputs: vec![0], sin_cos: library };
    match Native::compile(&program) {
        Some(native) => native.run(&mut [0.0; 2]),
        None => panic!("as many numbers: not on this machine"),
    }
}

/// The mapping that holds the code is executable and not writable; no mapping of this process is both.
#[cfg(target_os = "linux")]
#[test]
fn no_page_is_writable_and_executable_at_once() {
    let step = Step::SinCos { sin: 0, cos: 1, a: 2 };
    let program = Program { length: 3, steps: vec![step], outputs: vec![0, 1], sin_cos: library };
    let native = Native::compile(&program);
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
    let rights = maps.lines().filter_map(|l| l.split_whitespace().nth(1));
    for rights in rights {
        assert!(!(rights.contains('w') && rights.contains('x')), "{rights}");
    }
    drop(native);
}
