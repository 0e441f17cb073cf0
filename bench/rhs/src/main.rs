//! Nanoseconds per evaluation of (t, q, q̇) → q̈: the interpreters, one state and many at once, against C of the same
//! tape compiled with `gcc -O3 -march=native`.
//!
//! `cargo run --release -p noslip-bench-rhs`, and again with `RUSTFLAGS="-C target-cpu=native"` for wider vectors.
//! Before anything is timed, all answers are compared.

mod models;

use noslip::Limits;
use noslip::compile::{CompileOptions, JetInput, Tape};
use noslip::mechanics::Dynamics;
use noslip::model::Model;
use noslip::simulate::{MotionCode, MotionPart};
use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// States evaluated in turn, so that no branch and no value repeats too soon.
const STATES: usize = 1024;

/// Rounds are short and many: the best one is then undisturbed even on a busy machine.
const ROUNDS: usize = 400;
/// Seconds per round, about.
const ROUND: f64 = 5e-4;

fn main() {
    let directory = std::env::temp_dir().join(format!("noslip-bench-rhs-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    println!(
        "{:12} {:>6} {:>6} {:>5} {:>8} | {:>8} {:>8} {:>6} | {:>8} {:>8} {:>8} {:>6} | {:>8} {:>8}",
        "system", "ops", "instr", "slots", "ms", "C", "scalar", "×C", "8 lanes", "32", "64", "×C", "jet µs", "8 lanes"
    );
    let only = std::env::args().nth(1);
    for (name, text) in models::models().into_iter().filter(|(n, _)| only.as_ref().is_none_or(|o| n.contains(o))) {
        let (tape, milliseconds) = tape(&text);
        let states = states(tape.input_count());
        let c = time_c(&tape, &states, &directory);
        let scalar = time_scalar(&tape, &states);
        let batches =
            [time_batch::<8>(&tape, &states), time_batch::<32>(&tape, &states), time_batch::<64>(&tape, &states)];
        let best = batches.iter().copied().fold(f64::INFINITY, f64::min);
        let jet = time_jet::<1>(&text, &states) / 1e3;
        let jet_lanes = time_jet::<8>(&text, &states) / 1e3;
        let s = tape.statistics();
        let (c_text, scalar_ratio, batch_ratio) = match c {
            Some(c) => (format!("{c:.1}"), format!("{:.2}", scalar / c), format!("{:.2}", best / c)),
            None => ("no gcc".to_owned(), String::new(), String::new()),
        };
        println!(
            "{name:12} {:6} {:6} {:5} {milliseconds:8.2} | {c_text:>8} {scalar:8.1} {scalar_ratio:>6} | {:8.1} {:8.1} {:8.1} {batch_ratio:>6} | {jet:8.1} {jet_lanes:8.1}",
            s.operations, s.instructions, s.slots, batches[0], batches[1], batches[2]
        );
    }
    std::fs::remove_dir_all(&directory).expect("the temporary directory is ours");
}

/// Model, motion, and the milliseconds it took to compile (deriving not included).
fn motion(text: &str) -> (Model, MotionCode, f64) {
    let mut model = Model::load(text, "model.toml", &Limits::default()).expect("the model loads");
    let dynamics = Dynamics::of(&mut model.arena, &model.system);
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let start = Instant::now();
    let rows: Vec<usize> = (0..model.system.k()).collect();
    let motion = MotionCode::new(&model.arena, &model.system, &dynamics, &rows, &options).expect("it compiles");
    (model, motion, start.elapsed().as_secs_f64() * 1e3)
}

fn tape(text: &str) -> (Tape, f64) {
    let (model, motion, milliseconds) = motion(text);
    let start = Instant::now();
    let tape = motion.tape(&model.arena, &[MotionPart::Accelerations], &[], &[]).expect("a regular system");
    (tape, milliseconds + start.elapsed().as_secs_f64() * 1e3)
}

fn states(inputs: usize) -> Vec<Vec<f64>> {
    let mut x = 0.37f64;
    (0..STATES)
        .map(|_| {
            (0..inputs)
                .map(|_| {
                    x = (x * 16807.0 + 0.123) % 1.0;
                    0.3 + x
                })
                .collect()
        })
        .collect()
}

/// Best of several rounds, in nanoseconds per evaluation; `round` makes `evaluations` of them.
fn best_of(evaluations: usize, mut round: impl FnMut()) -> f64 {
    round();
    let start = Instant::now();
    round();
    let once = start.elapsed().as_secs_f64().max(1e-9);
    let repeat = (ROUND / once).ceil() as usize;
    // Long rounds are averages already: a second in all is enough.
    let rounds = ((1.0 / (once * repeat as f64)) as usize).clamp(5, ROUNDS);
    (0..rounds)
        .map(|_| {
            let start = Instant::now();
            (0..repeat).for_each(|_| round());
            start.elapsed().as_secs_f64() * 1e9 / (repeat * evaluations) as f64
        })
        .fold(f64::INFINITY, f64::min)
}

fn time_scalar(tape: &Tape, states: &[Vec<f64>]) -> f64 {
    let mut runner = tape.runner();
    let mut out = vec![0.0; tape.output_count()];
    // One after the other in memory, as C has them.
    let flat = states.concat();
    best_of(states.len(), || {
        for x in flat.chunks_exact(tape.input_count()) {
            runner.run(x, &mut out);
            black_box(&out);
        }
    })
}

fn time_batch<const LANES: usize>(tape: &Tape, states: &[Vec<f64>]) -> f64 {
    let mut runner = tape.batch::<LANES>();
    let blocks: Vec<Vec<[f64; LANES]>> = states
        .chunks_exact(LANES)
        .map(|block| (0..tape.input_count()).map(|i| std::array::from_fn(|lane| block[lane][i])).collect())
        .collect();
    let mut out = vec![[0.0; LANES]; tape.output_count()];
    runner.run(&blocks[0], &mut out);
    for (lane, state) in states[..LANES].iter().enumerate() {
        for (row, single) in out.iter().zip(tape.evaluate(state)) {
            assert_eq!(row[lane].to_bits(), single.to_bits(), "a lane differs from a single state");
        }
    }
    best_of(states.len(), || {
        for block in &blocks {
            runner.run(block, &mut out);
            black_box(&out);
        }
    })
}

/// All Taylor coefficients up to order 20, per state.
fn time_jet<const LANES: usize>(text: &str, states: &[Vec<f64>]) -> f64 {
    let (model, motion, _) = motion(text);
    let parts = [MotionPart::Velocities, MotionPart::Accelerations];
    let tape = motion.tape(&model.arena, &parts, &[], &[]).expect("a regular system");
    let roles: Vec<JetInput> =
        [JetInput::Time].into_iter().chain((0..2 * model.system.n()).map(JetInput::State)).collect();
    let mut jet = tape.jet::<LANES>(&roles, 20).expect("roles fit");
    let count = 64;
    let states: Vec<Vec<[f64; LANES]>> = states[..count]
        .chunks_exact(LANES)
        .map(|block| (0..tape.input_count()).map(|i| std::array::from_fn(|lane| block[lane][i])).collect())
        .collect();
    best_of(count, || {
        for x in &states {
            jet.expand(x).expect("a regular state");
            black_box(jet.output(0));
        }
    })
}

/// The same tape as C, in a program of its own that first proves itself and then times itself.
fn time_c(tape: &Tape, states: &[Vec<f64>], directory: &Path) -> Option<f64> {
    let (n, m) = (tape.input_count(), tape.output_count());
    let source = tape.to_c("rhs", &states[0]).expect("a regular state");
    let mut timing = format!(
        "#include <stdio.h>\n#include <time.h>\nvoid rhs(const double *restrict in, double *restrict out);\n\
         static const double states[{}][{n}] = {{\n",
        states.len()
    );
    for x in states {
        let row: Vec<String> = x.iter().map(|x| format!("{x:?}")).collect();
        let _ = writeln!(timing, "{{{}}},", row.join(", "));
    }
    let _ = write!(
        timing,
        "}};\nstatic double now(void) {{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }}\n\
         int main(void) {{\n    double out[{m}], best = 1e300, sum = 0;\n    for (int r = 0; r < {ROUNDS} * 4; r++) {{\n        \
         double start = now();\n        for (int i = 0; i < {}; i++) {{ rhs(states[i], out); sum += out[0]; }}\n        \
         double t = (now() - start) / {};\n        if (t < best) best = t;\n    }}\n    \
         fprintf(stderr, \"%g\\n\", sum);\n    printf(\"%.3f\\n\", best);\n    return 0;\n}}\n",
        states.len(),
        states.len()
    );
    let file = |name: &str| directory.join(name);
    std::fs::write(file("rhs.c"), source).expect("a file");
    std::fs::write(file("timing.c"), timing).expect("a file");
    let gcc = |arguments: &[&str]| Command::new("gcc").current_dir(directory).args(arguments).status();
    let flags = ["-std=gnu11", "-O3", "-march=native"];
    gcc(&[&flags[..], &["-DSELF_TEST", "-o", "test", "rhs.c", "-lm"]].concat()).ok()?;
    let test = Command::new(file("test")).output().expect("the self-test runs");
    assert!(test.status.success(), "{}", String::from_utf8_lossy(&test.stdout));
    gcc(&[&flags[..], &["-o", "timing", "rhs.c", "timing.c", "-lm"]].concat()).ok()?;
    let output = Command::new(file("timing")).output().expect("the timing runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().ok()
}
