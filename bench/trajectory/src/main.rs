//! Microseconds per trajectory at equal *measured* error: DOP853 and Taylor one trajectory at a time, ensembles, and the
//! same DOP853 with the right-hand side as C (`gcc -O3 -march=native`).
//!
//! `python3 bench/trajectory/run.py` builds and calls this and adds heyoka and SciPy. With a file name as argument, the
//! problems, their reference solutions and the figures are written there as JSON; with another, only tools are timed whose
//! name contains it.
//!
//! Each tool gets the loosest tolerance of a ladder at which the end states of *all* trajectories are within the wanted
//! error of the reference, which is Taylor's method at 1e-15. Times are of the processor, best of many rounds.

mod native;
mod problem;

use native::{Native, seconds};
use noslip::compile::{Binary, Operation, Tape, Value};
use noslip::simulate::{
    Dop853, Ensemble, Ode, Outcome, Plan, Reduced, Run, Samples, Start, StepSize, Taylor, TaylorOde, Tolerance,
    integrate,
};
use problem::{Problem, UNTIL};
use std::hint::black_box;

/// The error every tool must reach.
const ERROR: f64 = 1e-9;
const ROUNDS: usize = 15;

fn main() {
    let mut json = Vec::new();
    for (name, model) in problem::MODELS {
        let mut problem = Problem::new(model);
        let mut motion = problem.motion();
        let reference: Vec<Vec<f64>> = problem.starts.iter().map(|s| taylor(&mut motion, s, 1e-15).state).collect();
        println!("{name}: {} trajectories of {UNTIL} s, error ≤ {ERROR:e}", problem.starts.len());
        let only = std::env::args().nth(2);
        let figures: Vec<Figures> = tools(&mut problem)
            .iter_mut()
            .filter(|tool| only.as_ref().is_none_or(|part| tool.name().contains(part)))
            .map(|tool| tune(tool.as_mut(), &problem.starts, &reference))
            .collect();
        json.push(to_json(name, &problem, &reference, &figures));
    }
    if let Some(path) = std::env::args().nth(1) {
        let text = format!("{{\"until\": {UNTIL:?}, \"error\": {ERROR:e}, \"problems\": [\n{}]}}\n", json.join(",\n"));
        std::fs::write(path, text).expect("the file can be written");
    }
}

/// Someone who computes trajectories.
trait Tool {
    fn name(&self) -> String;
    fn run(&mut self, starts: &[Start], tolerance: f64) -> Vec<Run>;
    /// Seconds for all of them.
    fn time(&mut self, starts: &[Start], tolerance: f64) -> f64;
}

/// One trajectory after the other.
struct OneByOne<F>(&'static str, F);

impl<F: FnMut(&Start, f64) -> Run> Tool for OneByOne<F> {
    fn name(&self) -> String {
        self.0.to_owned()
    }

    fn run(&mut self, starts: &[Start], tolerance: f64) -> Vec<Run> {
        starts.iter().map(|start| (self.1)(start, tolerance)).collect()
    }

    fn time(&mut self, starts: &[Start], tolerance: f64) -> f64 {
        // Every trajectory's best round counts.
        let mut best = vec![f64::INFINITY; starts.len()];
        for _ in 0..ROUNDS {
            for (start, best) in starts.iter().zip(&mut best) {
                let begin = seconds();
                black_box((self.1)(start, tolerance));
                *best = best.min(seconds() - begin);
            }
        }
        best.iter().sum()
    }
}

/// All trajectories in one ensemble.
impl<const LANES: usize> Tool for Ensemble<LANES> {
    fn name(&self) -> String {
        let form = if self.is_reduced() { ", in v" } else { "" };
        format!("noslip ensemble{form}, {LANES} lanes")
    }

    fn run(&mut self, starts: &[Start], tolerance: f64) -> Vec<Run> {
        let runs = Ensemble::run(self, starts, UNTIL, Tolerance::new(tolerance)).expect("valid starts");
        assert_eq!(self.went_alone(), 0, "all trajectories stay in the batch");
        runs
    }

    fn time(&mut self, starts: &[Start], tolerance: f64) -> f64 {
        let round = |_| {
            let begin = seconds();
            black_box(Tool::run(self, starts, tolerance));
            seconds() - begin
        };
        (0..3 * ROUNDS).map(round).fold(f64::INFINITY, f64::min)
    }
}

fn tools(problem: &mut Problem) -> Vec<Box<dyn Tool>> {
    let (mut first, mut second) = (problem.motion(), problem.motion());
    let mut tools: Vec<Box<dyn Tool>> = vec![
        Box::new(OneByOne("noslip dop853", move |start: &Start, tolerance| dop853(&mut first, start, tolerance))),
        Box::new(OneByOne("noslip taylor", move |start: &Start, tolerance| taylor(&mut second, start, tolerance))),
    ];
    let (mut third, mut fourth) = (problem.reduced(), problem.reduced());
    tools.push(Box::new(OneByOne("noslip dop853, in v", move |start: &Start, tolerance| {
        in_quasi_velocities(&mut third, start, |ode, start| dop853(ode, start, tolerance))
    })));
    tools.push(Box::new(OneByOne("noslip taylor, in v", move |start: &Start, tolerance| {
        in_quasi_velocities(&mut fourth, start, |ode, start| taylor(ode, start, tolerance))
    })));
    match Native::compile(&problem.plain, &problem.starts[0].state) {
        Some(mut native) => tools
            .push(Box::new(OneByOne("dop853 with generated C", move |start: &Start, tolerance| {
                dop853(&mut native, start, tolerance)
            }))),
        None => println!("no gcc: generated C is left out"),
    }
    for reduced in [false, true] {
        tools.push(Box::new(problem.ensemble::<8>(reduced)));
        tools.push(Box::new(problem.ensemble::<16>(reduced)));
        tools.push(Box::new(problem.ensemble::<32>(reduced)));
    }
    tools
}

fn dop853(ode: &mut impl Ode, start: &Start, tolerance: f64) -> Run {
    let mut stepper = Dop853::new(ode, start.t, &start.state, Tolerance::new(tolerance), StepSize::default());
    integrate(&mut stepper, &Plan::until(UNTIL), &mut [], &mut Samples::default())
}

fn taylor(motion: &mut impl TaylorOde, start: &Start, tolerance: f64) -> Run {
    let mut stepper = Taylor::new(motion, start.t, &start.state, Tolerance::new(tolerance), StepSize::default());
    integrate(&mut stepper, &Plan::until(UNTIL), &mut [], &mut Samples::default())
}

/// From (q, q̇) to (q, v), along the motion, and back.
fn in_quasi_velocities(ode: &mut Reduced, start: &Start, go: impl FnOnce(&mut Reduced, &Start) -> Run) -> Run {
    let state = ode.chart().enter(start.t, &start.state, 1e-11).expect("on the constraints");
    let mut run = go(ode, &Start { state, ..start.clone() });
    let mut end = vec![0.0; start.state.len()];
    ode.chart().leave(run.t, &run.state, &mut end);
    run.state = end;
    run
}

/// What a tool needed.
struct Figures {
    tool: String,
    tolerance: f64,
    /// Largest error of all end states.
    error: f64,
    /// Per trajectory.
    microseconds: f64,
    /// Per trajectory.
    steps: f64,
}

/// Finds the loosest tolerance that is good enough, and times it.
fn tune(tool: &mut dyn Tool, starts: &[Start], reference: &[Vec<f64>]) -> Figures {
    for step in 0..55 {
        let tolerance = 1e-4 * 10f64.powf(-0.2 * f64::from(step));
        let runs = tool.run(starts, tolerance);
        assert!(runs.iter().all(|r| r.outcome == Outcome::Finished), "all trajectories reach the end");
        let error = runs.iter().zip(reference).map(|(run, want)| distance(&run.state, want)).fold(0.0, f64::max);
        if error <= ERROR {
            let count = starts.len() as f64;
            let microseconds = tool.time(starts, tolerance) * 1e6 / count;
            let steps = runs.iter().map(|r| r.statistics.steps as f64).sum::<f64>() / count;
            let tool = tool.name();
            println!(
                "  {tool:26} tolerance {tolerance:7.1e}  error {error:7.1e}  {steps:6.1} steps  {microseconds:9.2} µs"
            );
            return Figures { tool, tolerance, error, microseconds, steps };
        }
    }
    panic!("{} does not reach the error", tool.name());
}

/// Largest difference of a component, relative to its size where that is above one.
fn distance(state: &[f64], want: &[f64]) -> f64 {
    state.iter().zip(want).map(|(x, w)| (x - w).abs() / w.abs().max(1.0)).fold(0.0, f64::max)
}

fn to_json(name: &str, problem: &Problem, reference: &[Vec<f64>], figures: &[Figures]) -> String {
    let starts: Vec<&Vec<f64>> = problem.starts.iter().map(|s| &s.state).collect();
    let figures: Vec<String> = figures
        .iter()
        .map(|f| {
            format!(
                "{{\"tool\": {:?}, \"tolerance\": {:e}, \"error\": {:e}, \"us\": {:?}, \"steps\": {:?}}}",
                f.tool, f.tolerance, f.error, f.microseconds, f.steps
            )
        })
        .collect();
    let (code, outputs) = statements(&problem.plain);
    format!(
        "{{\"name\": {name:?}, \"starts\": {starts:?}, \"reference\": {reference:?},\n\"code\": {code:?}, \"outputs\": {outputs:?},\n\
         \"figures\": [{}]}}",
        figures.join(", ")
    )
}

/// The tape as assignments in Python: inputs are `x[i]`, values `v[i]` or constants.
fn statements(tape: &Tape) -> (Vec<String>, Vec<String>) {
    let name = |v: Value| match tape.operations()[v.index()] {
        Operation::Input(i) => format!("x{i}"),
        Operation::Constant(bits) => format!("{:?}", f64::from_bits(bits)),
        _ => format!("v{}", v.index()),
    };
    let mut code = Vec::new();
    for (i, &operation) in tape.operations().iter().enumerate() {
        let infix = |a: Value, sign: &str, b: Value| format!("{} {sign} {}", name(a), name(b));
        let expression = match operation {
            Operation::Input(_) | Operation::Constant(_) => continue,
            Operation::Unary(noslip::compile::Unary::Negate, a) => format!("-{}", name(a)),
            Operation::Unary(op, a) => format!("{}({})", format!("{op:?}").to_lowercase(), name(a)),
            Operation::Binary(Binary::Add, a, b) => infix(a, "+", b),
            Operation::Binary(Binary::Sub, a, b) => infix(a, "-", b),
            Operation::Binary(Binary::Mul, a, b) => infix(a, "*", b),
            Operation::Binary(Binary::Div, a, b) => infix(a, "/", b),
            Operation::Binary(Binary::Power, a, b) => infix(a, "**", b),
            other => panic!("{other:?} does not occur in these systems"),
        };
        code.push(format!("v{i} = {expression}"));
    }
    (code, tape.outputs().iter().map(|&v| name(v)).collect())
}
