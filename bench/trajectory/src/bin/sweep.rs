//! What a point of `noslip sweep` costs beside its trajectory: the same starts by the ensemble alone and by the program, in turns.
//!
//! `cargo build --release && cargo run --release -p noslip-bench-trajectory --bin sweep` prints microseconds of the processor for each
//! point of a hundred thousand disks, best of several rounds, and the ratio. The end states are compared first: those of the
//! rows are those of the ensemble, to the last bit.

use noslip::Limits;
use noslip::compile::CompileOptions;
use noslip::model::{Model, Overrides};
use noslip::simulate::{Axis, Ensemble, Points, Start, Sweep, Sweeper, Tolerance, Varied};
use std::process::Command;
use std::time::Instant;

const POINTS: u64 = 100_000;
const ROUNDS: usize = 7;
const UNTIL: f64 = 10.0;
const TOLERANCE: f64 = 6.3e-11;
/// Velocities that are given, from nine to eleven tenths of the model's.
const VARIED: [(&str, f64); 3] = [("phi'", 0.6), ("theta'", 0.3), ("psi'", 4.0)];

fn main() {
    let text = noslip_gallery::find("rolling-disk").expect("a model of the gallery");
    let mut model = Model::load(text, "model.toml", &Limits::default()).expect("the model loads");
    let names: Vec<String> = model.system.velocities.iter().map(|&v| model.arena.name(v).to_owned()).collect();
    let axis = |(name, value): (&str, f64)| {
        let i = names.iter().position(|n| n == name).expect("a velocity");
        Axis { varied: Varied::Velocity(i), from: 0.9 * value, to: 1.1 * value, count: 2 }
    };
    let coordinates = model.system.coordinates.clone();
    let columns = coordinates.iter().map(|&q| model.arena.symbol(q)).collect();
    let sweep = Sweep {
        axes: VARIED.map(axis).to_vec(),
        points: Points::Random(POINTS, 1),
        at: vec![UNTIL],
        columns,
        tolerance: TOLERANCE,
        max_steps: 1_000_000,
    };
    let starts: Vec<Vec<Start>> = (0..POINTS.div_ceil(4096)).map(|block| starts(&mut model, &sweep, block)).collect();
    let mut sweeper = Sweeper::new(model.workbench(), &sweep).expect("a sweep");
    let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
    let typical = [&[0.0], starts[0][0].state.as_slice()].concat();
    let mut ensemble: Ensemble<16> =
        Ensemble::new(&mut model.workbench(), &options, &typical, &[]).expect("it compiles");
    compare(&mut sweeper, &mut ensemble, &starts[0]);
    let (mut alone, mut rows, mut program) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    for _ in 0..ROUNDS {
        alone = alone.min(clocked(|| {
            for block in &starts {
                ensemble.forget();
                ensemble.run(block, UNTIL, Tolerance::new(TOLERANCE)).expect("trajectories");
            }
        }));
        rows = rows.min(clocked(|| {
            for block in 0..starts.len() as u64 {
                sweeper.block(block).expect("rows");
            }
        }));
        program = program.min(clocked(run_program));
    }
    let each = |seconds: f64| 1e6 * seconds / POINTS as f64;
    println!("{POINTS} disks to t = {UNTIL}, one thread, µs for each:");
    println!("  the ensemble, from given starts  {:.2}", each(alone));
    println!("  rows: starts, ensemble, columns  {:.2}  ({:.3})", each(rows), alone / rows);
    println!("  noslip sweep, files and all      {:.2}  ({:.3})", each(program), alone / program);
}

/// Initial states of a block of points, as the sweep has them.
fn starts(model: &mut Model, sweep: &Sweep, block: u64) -> Vec<Start> {
    let numbers = 4096 * block..(4096 * (block + 1)).min(POINTS);
    let start = |number| {
        let values = sweep.point(number);
        let velocity = sweep.axes.iter().zip(values).map(|(axis, x)| match axis.varied {
            Varied::Velocity(i) => (i, x),
            _ => unreachable!("velocities vary"),
        });
        let overrides = Overrides { velocity: velocity.collect(), ..Overrides::default() };
        let state = model.initial_state(&overrides).expect("a start");
        Start { t: state.time, state: [state.position, state.velocity].concat(), parameters: Vec::new() }
    };
    numbers.map(start).collect()
}

fn compare(sweeper: &mut Sweeper, ensemble: &mut Ensemble<16>, starts: &[Start]) {
    let rows = sweeper.block(0).expect("rows");
    let runs = ensemble.run(starts, UNTIL, Tolerance::new(TOLERANCE)).expect("trajectories");
    for (j, column) in rows.values.iter().enumerate() {
        for (i, run) in runs.iter().enumerate() {
            assert_eq!(column[i].to_bits(), run.state[j].to_bits(), "point {i}, column {j}");
        }
    }
}

fn run_program() {
    let folder = std::env::temp_dir().join(format!("noslip-bench-sweep-{}", std::process::id()));
    let mut command = Command::new("target/release/noslip");
    command.args(["sweep", "rolling-disk", "--seed", "1", "--threads", "1", "--random", &POINTS.to_string()]);
    command.args(["--until", &UNTIL.to_string(), "--tolerance", &TOLERANCE.to_string(), "-o"]).arg(&folder);
    for (name, value) in VARIED {
        command.arg("--vary").arg(format!("{name}={}:{}", 0.9 * value, 1.1 * value));
    }
    let output = command.output().expect("target/release/noslip: `cargo build --release` makes it");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir_all(folder).expect("the folder was there");
}

/// Seconds of the processor: of this process, and of those it ran.
fn clocked(what: impl FnOnce()) -> f64 {
    let (before, began) = (processor(), Instant::now());
    what();
    match (before, processor()) {
        (Some(before), Some(after)) => after - before,
        _ => began.elapsed().as_secs_f64(),
    }
}

/// User and system time, with those of children that have ended, where the kernel tells.
fn processor() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields[11..15].iter().filter_map(|f| f.parse::<f64>().ok()).sum();
    Some(ticks / 100.0)
}
