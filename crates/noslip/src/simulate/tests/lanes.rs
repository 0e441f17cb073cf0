//! A step compiled as a whole against the same step stage by stage.

use crate::compile::{CompileOptions, Tape, TapeBuilder, Unary};
use crate::expr::{Arena, Role};
use crate::simulate::Tolerance;
use crate::simulate::dop853::StepControl;
use crate::simulate::dop853_program::StepCode;
use crate::simulate::ensemble_lanes::Lanes;
use noslip_native::Rows;

const UNTIL: f64 = 60.0;

/// A pendulum that is shaken, with a quadrature beside it and another one of that, which diverges where the angle is 3; the growth
/// says so before.
fn pendulum() -> Tape {
    let mut arena = Arena::default();
    let inputs = ["t", "x", "v", "q", "r", "p"].map(|name| arena.declare(name, Role::Coordinate));
    let mut b = TapeBuilder::new(&arena, &inputs, &CompileOptions::default()).expect("few inputs");
    let [t, x, v, q, _, p] = std::array::from_fn(|i| b.input(i));
    let (sin, shaken) = (b.unary(Unary::Sin, x), b.unary(Unary::Cos, t));
    let pulled = b.mul(p, sin);
    let tenth = b.constant(0.1);
    let shaken = b.mul(tenth, shaken);
    let acceleration = b.sub(shaken, pulled);
    let cos = b.unary(Unary::Cos, q);
    let three = b.constant(3.0);
    let to_three = b.sub(three, x);
    let quotient = b.div(cos, to_three);
    let growth = b.mul(quotient, quotient);
    b.finish(&[v, acceleration, sin, quotient, growth]).expect("a tape")
}

/// Lanes with pendulums of all kinds: some soon refuse a step, one comes to where the growth is large, one is beyond the sine's
/// polynomial, two have nothing to do.
fn lanes<const L: usize>(tape: &Tape) -> Lanes<L> {
    let mut nursery = Lanes::<L>::new(tape, Tolerance::new(1e-9));
    let start = |lane: usize| match lane {
        5 => [2.9, 3.0, 0.0, 0.0],
        6 => [-4000.0, 1.0, 0.0, 0.0],
        lane => [0.1 * lane as f64 - 1.0, 0.3 * (lane as f64).sin(), 0.0, 0.5],
    };
    for lane in 0..L {
        nursery.set(lane, 0.02 * lane as f64, &start(lane), &[1.0 + 0.3 * lane as f64]);
    }
    nursery.prepare(UNTIL, 0.7);
    let mut lanes = Lanes::<L>::new(tape, Tolerance::new(1e-9));
    for lane in (0..L).filter(|lane| ![3, 7].contains(lane)) {
        lanes.take(lane, &nursery, lane);
        // Steps far too long at first: they are refused.
        let h = if lane % 3 == 0 { 0.7 } else { nursery.h[lane] };
        lanes.pace.begin(lane, StepControl::new(h), UNTIL, [0, 0]);
        lanes.pace.look_at(lane, u64::MAX);
    }
    lanes
}

/// One attempt of all lanes: those that are in doubt are let go, and named.
fn step<const L: usize>(lanes: &mut Lanes<L>) -> Vec<usize> {
    lanes.propose(UNTIL, 0.7);
    let mut left = Vec::new();
    if let Some(attempt) = lanes.step() {
        let mut chosen = [0; L];
        for lane in 0..L {
            if !lanes.pace.is_busy(lane) {
                continue;
            }
            if !attempt.sound[lane] {
                left.push(lane);
                let Lanes { pace, t, h, .. } = lanes;
                pace.free(lane, t[lane], h);
                continue;
            }
            let next = [attempt.log[lane], attempt.next[lane]];
            let mut control = lanes.pace.control(lane);
            let yes = control.accepts_by(lanes.h[lane], lanes.pace.proposed(lane), attempt.error[lane], next);
            lanes.pace.set_control(lane, control);
            lanes.pace.count(lane, yes);
            chosen[lane] = u64::from(yes);
        }
        lanes.accept(&chosen);
    }
    left
}

fn agree<const L: usize>(compile: fn(&noslip_native::Program) -> Option<Rows>) {
    let tape = pendulum();
    let Some(code) = StepCode::made::<L>(&tape, compile) else {
        println!("left out: this machine has no registers for it");
        return;
    };
    let (mut whole, mut parts) = (lanes::<L>(&tape), lanes::<L>(&tape));
    whole.step_by(Some(code));
    parts.step_by(None);
    let mut left = Vec::new();
    for number in 0..120 {
        let gone = step(&mut whole);
        assert_eq!(gone, step(&mut parts), "step {number}");
        left.extend(gone);
        for lane in (0..L).filter(|&lane| parts.pace.is_busy(lane)) {
            let bits = |lanes: &Lanes<L>| {
                let control = lanes.pace.control(lane);
                let mut all = vec![lanes.t[lane], lanes.h[lane], control.h, control.log_old];
                all.extend(lanes.state(lane));
                let counts = (lanes.pace.steps(lane), lanes.pace.refused(lane), control.shrunk);
                (all.into_iter().map(f64::to_bits).collect::<Vec<u64>>(), counts)
            };
            assert_eq!(bits(&whole), bits(&parts), "step {number}, lane {lane}");
        }
    }
    assert_eq!(left, [5], "the one that comes to the pole leaves, no other");
    let refused = (0..L).map(|lane| parts.pace.refused(lane)).sum::<u64>();
    assert!(refused > 3, "{refused} steps were refused");
    assert!((0..L).any(|lane| parts.t[lane] > 10.0), "they get on");
}

#[test]
fn a_step_compiled_as_a_whole_equals_the_same_stage_by_stage() {
    agree::<8>(Rows::eight::<8>);
    agree::<32>(Rows::eight::<32>);
    agree::<16>(Rows::four::<16>);
}
