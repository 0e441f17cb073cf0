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
    let length = [3, 6, 20, 60, 150][random.next(5)] + random.next(3);
    let steps = (0..1 + random.next(if length > 100 { 300 } else { 60 }))
        .map(|_| {
            let mut place = || random.next(length) as u32;
            let (d, a, b) = (place(), place(), place());
            match random.next(13) {
                12 => Step::Binary { op: Binary::Max, d, a, b },
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
    let input_count = length - length / 3;
    // Some inputs are left out, some places hold constants, the others begin as zero.
    let inputs = (0..input_count as u32).filter(|_| random.next(8) > 0).map(|i| (i, i)).collect();
    let constants = (input_count..length).filter(|i| i % 4 > 0).map(|i| (i as u32, random.number())).collect();
    let output_count = 1 + random.next(length);
    let outputs = (0..output_count as u32).filter(|_| random.next(8) > 0).collect::<Vec<u32>>();
    let outputs = outputs.into_iter().map(|j| (j, random.next(length) as u32)).collect();
    Program { length, input_count, inputs, constants, steps, output_count, outputs, sin_cos: library }
}

/// Equal bits; two NaNs are equal, whatever they carry: the sign of a NaN from two operands is that of either.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// What the interpreter says to these inputs, which `got` must agree with.
fn compare(program: &Program, number: usize, inputs: &[f64], got: &[f64]) {
    let mut expected = vec![0.0; program.output_count];
    program.interpret(inputs, &mut expected);
    for (j, (&a, &b)) in expected.iter().zip(got).enumerate() {
        assert!(same(a, b), "program {number}, output {j}: {a:e} and {b:e}\n{program:#?}");
    }
}

#[test]
fn a_hundred_thousand_random_programs_agree_to_the_last_bit() {
    let mut random = Random(0x6e6f_736c_6970);
    for number in 0..100_000 {
        let program = random_program(&mut random);
        let Some(native) = Native::compile(&program) else {
            assert!(!has(&["avx", "avx2"]), "program {number} was refused");
            println!("left out: this machine has no AVX2");
            return;
        };
        let inputs: Vec<f64> = (0..program.input_count).map(|_| random.number()).collect();
        let mut got = vec![0.0; program.output_count];
        native.run(&inputs, &mut got, &mut vec![0.0; native.memory()]);
        compare(&program, number, &inputs, &got);
    }
}

/// So many programs on many rows at once; `able` says whether this machine should have code for them.
fn rows_agree<const LANES: usize>(count: usize, compile: fn(&Program) -> Option<Rows>, at_once: usize, able: bool) {
    let mut random = Random(0x726f_7773 + LANES as u64);
    for number in 0..count {
        let program = random_program(&mut random);
        let Some(native) = compile(&program) else {
            assert!(!able, "program {number} was refused");
            println!("left out: this machine has no registers of {at_once} numbers");
            return;
        };
        assert_eq!(native.at_once(), at_once);
        let inputs: Vec<[f64; LANES]> =
            (0..program.input_count).map(|_| std::array::from_fn(|_| random.number())).collect();
        let mut got = vec![[0.0; LANES]; program.output_count];
        native.run(&inputs, &mut got, &mut vec![0.0; native.memory()]);
        for lane in 0..LANES {
            let of_lane = |rows: &[[f64; LANES]]| rows.iter().map(|row| row[lane]).collect::<Vec<f64>>();
            compare(&program, number, &of_lane(&inputs), &of_lane(&got));
        }
    }
}

#[test]
fn four_rows_at_once_agree_to_the_last_bit() {
    rows_agree::<4>(100_000, Rows::four::<4>, 4, has(&["avx2"]));
}

#[test]
fn eight_rows_at_once_agree_to_the_last_bit() {
    rows_agree::<8>(100_000, Rows::eight::<8>, 8, has(&["avx512"]));
}

#[test]
fn rows_out_of_more_are_taken_in_turn() {
    rows_agree::<16>(10_000, Rows::four::<16>, 4, has(&["avx2"]));
    rows_agree::<16>(10_000, Rows::eight::<16>, 8, has(&["avx512"]));
}

/// Does this machine have these?
fn has(features: &[&str]) -> bool {
    #[cfg(all(target_arch = "x86_64", unix))]
    return features.iter().all(|&feature| match feature {
        "avx" => std::arch::is_x86_feature_detected!("avx"),
        "avx2" => std::arch::is_x86_feature_detected!("avx2"),
        _ => std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512dq"),
    });
    #[cfg(not(all(target_arch = "x86_64", unix)))]
    {
        let _ = features;
        false
    }
}

#[test]
fn a_program_made_of_others_says_what_they_say() {
    let mut random = Random(0x636f_6d70);
    for number in 0..2_000 {
        let (first, second) = (random_program(&mut random), random_program(&mut random));
        let count = first.input_count;
        let mut composer = Composer::new(count + 1, library);
        let inputs: Vec<Place> = (0..count).map(|i| composer.input(i)).collect();
        let between = composer.part(&first, &inputs);
        // The second gets the outputs of the first, a constant and sums of both, as many as it wants.
        let constant = composer.constant(0.75);
        let more = composer.input(count);
        let sum = composer.binary(Binary::Max, more, constant);
        let root = composer.unary(Unary::Abs, sum);
        let place = |i: usize| between.get(i).copied().unwrap_or([constant, sum, root][i % 3]);
        let given: Vec<Place> = (0..second.input_count).map(place).collect();
        let mut outputs = composer.part(&second, &given);
        outputs.extend(composer.part(&second, &given));
        let program = composer.finish(&outputs);

        let numbers: Vec<f64> = (0..=count).map(|_| random.number()).collect();
        let mut of_first = vec![0.0; first.output_count];
        first.interpret(&numbers[..count], &mut of_first);
        let sum = if numbers[count] > 0.75 { numbers[count] } else { 0.75 };
        let number_of = |i: usize| of_first.get(i).copied().unwrap_or([0.75, sum, sum.abs()][i % 3]);
        let given: Vec<f64> = (0..second.input_count).map(number_of).collect();
        let mut wanted = vec![0.0; second.output_count];
        second.interpret(&given, &mut wanted);
        wanted.extend(wanted.clone());
        // Outputs that a program does not write are zero in one that it is part of.
        let mut got = vec![f64::NAN; program.output_count];
        program.interpret(&numbers, &mut got);
        assert!(wanted.iter().zip(&got).all(|(a, b)| same(*a, *b)), "program {number}: {wanted:?} {got:?}");
        if let Some(native) = Native::compile(&program) {
            native.run(&numbers, &mut got, &mut vec![0.0; native.memory()]);
            compare(&program, number, &numbers, &got);
        }
    }
}

/// A program of so many inputs at as many places.
fn program(length: usize, steps: Vec<Step>, outputs: Vec<u32>) -> Program {
    let inputs = (0..length as u32).map(|i| (i, i)).collect();
    let output_count = outputs.len();
    let outputs = (0..).zip(outputs).collect();
    Program {
        length,
        input_count: length,
        inputs,
        constants: Vec::new(),
        steps,
        output_count,
        outputs,
        sin_cos: library,
    }
}

#[test]
fn an_address_beyond_the_row_is_refused() {
    let step = Step::Unary { op: Unary::Sqrt, d: 3, a: 0 };
    let compiles = |program: &Program| Native::compile(program).is_some() || Rows::compile::<8>(program).is_some();
    assert!(!compiles(&program(3, vec![step], vec![0])));
    assert!(!compiles(&program(3, Vec::new(), vec![9])));
    assert!(!compiles(&Program { inputs: vec![(3, 0)], ..program(3, Vec::new(), vec![0]) }));
    assert!(!compiles(&Program { inputs: vec![(0, 3)], ..program(3, Vec::new(), vec![0]) }));
    assert!(!compiles(&Program { outputs: vec![(1, 0)], ..program(3, Vec::new(), vec![0]) }));
    assert!(!compiles(&Program { constants: vec![(3, 1.0)], ..program(3, Vec::new(), vec![0]) }));
}

#[test]
#[should_panic(expected = "as many numbers")]
fn inputs_of_another_number_are_refused() {
    match Native::compile(&program(3, Vec::new(), vec![0])) {
        Some(native) => native.run(&[0.0; 2], &mut [0.0], &mut []),
        None => panic!("as many numbers: not on this machine"),
    }
}

#[test]
#[should_panic(expected = "as much memory")]
fn too_little_memory_is_refused() {
    // Forty roots, all needed at the end, are more than there are registers.
    let roots = (0..40).map(|i| Step::Unary { op: Unary::Sqrt, d: i, a: i });
    let sums = (1..40).rev().map(|i| Step::Binary { op: Binary::Add, d: 0, a: 0, b: i });
    match Native::compile(&program(40, roots.chain(sums).collect(), vec![0])) {
        Some(native) => native.run(&[1.0; 40], &mut [0.0], &mut []),
        None => panic!("as much memory: not on this machine"),
    }
}

/// The same sum for all widths.
struct Sum<'a>(&'a [[f64; 8]]);

impl Wide for Sum<'_> {
    type Output = [f64; 8];

    #[inline(always)]
    fn run(self) -> [f64; 8] {
        let mut sum = [0.0; 8];
        for row in self.0 {
            (0..8).for_each(|l| sum[l] = sum[l] * 0.9 + row[l] * row[l]);
        }
        sum
    }
}

#[test]
fn wider_registers_give_the_same_numbers() {
    let mut random = Random(0x7769_6465);
    let rows: Vec<[f64; 8]> = (0..100).map(|_| std::array::from_fn(|_| random.next(1000) as f64 / 7.0)).collect();
    assert_eq!(widest(Sum(&rows)).map(f64::to_bits), Sum(&rows).run().map(f64::to_bits));
}

/// The mapping that holds the code is executable and not writable; no mapping of this process is both.
#[cfg(target_os = "linux")]
#[test]
fn no_page_is_writable_and_executable_at_once() {
    let program = program(3, vec![Step::SinCos { sin: 0, cos: 1, a: 2 }], vec![0, 1]);
    let native = (Native::compile(&program), Rows::compile::<8>(&program));
    let maps = std::fs::read_to_string("/proc/self/maps").expect("Linux has it");
    let rights = maps.lines().filter_map(|l| l.split_whitespace().nth(1));
    for rights in rights {
        assert!(!(rights.contains('w') && rights.contains('x')), "{rights}");
    }
    drop(native);
}
