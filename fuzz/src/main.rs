//! `noslip-fuzz TARGET FIRST COUNT`: runs a target for COUNT seeds from FIRST on, and says what went wrong.

use noslip_fuzz::TARGETS;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

/// One trial that takes longer is a failure.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |i: usize| arguments.get(i).and_then(|x| x.parse::<u64>().ok());
    let target = arguments.get(1).and_then(|name| TARGETS.iter().find(|t| t.name == name));
    let (Some(target), Some(first), Some(count)) = (target, number(2), number(3)) else {
        let names: Vec<&str> = TARGETS.iter().map(|t| t.name).collect();
        eprintln!("usage: noslip-fuzz {} FIRST COUNT", names.join("|"));
        std::process::exit(2);
    };
    let began = Instant::now();
    let mut failures = 0u64;
    let mut slowest = (Duration::ZERO, first);
    for seed in first..first.saturating_add(count) {
        let start = Instant::now();
        let result = catch_unwind(|| (target.run)(seed)).unwrap_or_else(|_| Err("panicked".into()));
        let time = start.elapsed();
        if time > slowest.0 {
            slowest = (time, seed);
        }
        let late = (time > PATIENCE).then(|| format!("took {time:?}"));
        if let Some(what) = result.err().or(late) {
            failures += 1;
            println!("{} seed {seed}: {what}\n", target.name);
        }
    }
    println!(
        "{}: {count} trials from {first}, {failures} failures, {:.1} s, slowest {:.2} s (seed {})",
        target.name,
        began.elapsed().as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1
    );
    std::process::exit(i32::from(failures > 0));
}
