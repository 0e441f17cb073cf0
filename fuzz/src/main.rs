//! `noslip-fuzz TARGET FIRST COUNT`: runs a target for COUNT seeds from FIRST on, and says what went wrong.

use noslip_fuzz::{Reached, TARGETS};
use std::panic::catch_unwind;
use std::sync::OnceLock;
use std::time::Instant;

/// One trial that takes more seconds of work is a failure.
const PATIENCE: f64 = 20.0;

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
    let (mut answered, mut failures) = (0u64, 0u64);
    let mut slowest = (0.0, first);
    for seed in first..first.saturating_add(count) {
        let start = seconds_of_work();
        let result = catch_unwind(|| (target.run)(seed)).unwrap_or_else(|_| Err("panicked".into()));
        let time = seconds_of_work() - start;
        if time > slowest.0 {
            slowest = (time, seed);
        }
        let late = (time > PATIENCE).then(|| format!("took {time:.1} s"));
        answered += u64::from(result == Ok(Reached::Answered));
        if let Some(what) = result.err().or(late) {
            failures += 1;
            println!("{} seed {seed}: {what}\n", target.name);
        }
    }
    println!(
        "{}: {count} trials from {first}, {answered} answered, {failures} failures, {:.1} s, slowest {:.2} s (seed {})",
        target.name,
        began.elapsed().as_secs_f64(),
        slowest.0,
        slowest.1
    );
    std::process::exit(i32::from(failures > 0));
}

/// The work this process has done, where the system tells it: what others do on the machine does not count. Elsewhere the time.
fn seconds_of_work() -> f64 {
    // Fields 14 and 15, in hundredths; the name of the program before them may have spaces, and ends with a parenthesis.
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let hundredths = |i: usize| fields.get(i).and_then(|x| x.parse::<f64>().ok());
    match (hundredths(11), hundredths(12)) {
        (Some(user), Some(system)) => (user + system) / 100.0,
        _ => BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64(),
    }
}

static BEGAN: OnceLock<Instant> = OnceLock::new();
