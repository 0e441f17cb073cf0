//! Machine code against the interpreter: the right-hand sides of the whole gallery and their series, to the last bit.

use crate::common::gallery;
use noslip::compile::{CompileOptions, Jet, JetInput, Tape};
use noslip::model::Overrides;
use noslip::simulate::Motion;

/// Equal bits; what a NaN carries is nobody's business.
fn same(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(x, y)| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan())
}

#[test]
fn every_tape_of_the_gallery_gives_the_bits_of_the_interpreter() {
    let (mut compiled, mut left, mut compared) = (0, Vec::new(), 0);
    for name in gallery::names() {
        let mut model = gallery::open(name);
        let Ok(state) = model.initial_state(&Overrides::default()) else { continue };
        let mut w = model.workbench();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
        let typical = [vec![state.time], state.position, state.velocity].concat();
        let motion = Motion::new(&mut w, &options, &typical).unwrap_or_else(|e| panic!("{name}: {e}"));
        let Some(tape) = motion.tape() else { continue };
        let Some(mut native) = tape.native() else {
            left.push(name);
            continue;
        };
        compiled += 1;
        let mut interpreter = tape.interpreter();
        let mut lanes: Vec<_> = tape.batch_native::<8>().into_iter().chain(tape.batch_native_four::<8>()).collect();
        let mut out = vec![0.0; tape.output_count()];
        let mut want = out.clone();
        // Around the initial state and far from it, beyond the range of the polynomial for sines too.
        let (mut block, mut expected) = (Vec::new(), Vec::new());
        for (i, scale) in [0.0, 1e-3, 0.5, 3.0, 1e3, 1e6].into_iter().enumerate() {
            for j in 0..50usize {
                let shift =
                    |k: usize| scale * ((i * 7919 + j * 104_729 + k * 1_299_709) % 2003) as f64 / 1001.5 - scale;
                let input: Vec<f64> = typical.iter().enumerate().map(|(k, x)| x + shift(k)).collect();
                native.run(&input, &mut out);
                interpreter.run(&input, &mut want);
                assert!(same(&out, &want), "{name} at {input:?}: {out:?} and {want:?}");
                compared += out.len();
                block.push(input);
                expected.push(want.clone());
                if block.len() == 8 {
                    let rows: Vec<[f64; 8]> =
                        (0..typical.len()).map(|k| std::array::from_fn(|lane| block[lane][k])).collect();
                    for lanes in &mut lanes {
                        let mut got = vec![[0.0; 8]; out.len()];
                        lanes.run(&rows, &mut got);
                        for (lane, want) in expected.iter().enumerate() {
                            let got: Vec<f64> = got.iter().map(|row| row[lane]).collect();
                            assert!(same(&got, want), "{name}, many at once: {got:?} and {want:?}");
                        }
                    }
                    block.clear();
                    expected.clear();
                }
            }
        }
    }
    println!("{compiled} tapes compiled, {compared} numbers compared; interpreted: {left:?}");
    if cfg!(all(target_arch = "x86_64", unix)) && compiled + left.len() > 0 && compiled > 0 {
        assert!(compiled > 40, "{compiled} tapes compiled, {left:?} left to the interpreter");
    }
}

/// States near the typical one, in lanes.
fn states<const LANES: usize>(typical: &[f64], number: usize) -> Vec<[f64; LANES]> {
    let shift = |k: usize, lane: usize| ((number * 7919 + lane * 104_729 + k * 1_299_709) % 2003) as f64 / 4006.0;
    typical.iter().enumerate().map(|(k, x)| std::array::from_fn(|lane| x + shift(k, lane))).collect()
}

/// Compares the series of a tape (t, y) → y′, …, compiled and interpreted; says whether there is code, and how many numbers agreed.
fn series_agree<const LANES: usize>(name: &str, tape: &Tape, typical: &[f64]) -> (bool, usize) {
    let mut kinds = vec![JetInput::Time];
    kinds.extend((0..typical.len() - 1).map(JetInput::State));
    let jet = || -> Jet<LANES> { tape.jet(&kinds, 7).unwrap_or_else(|e| panic!("{name}: {e}")) };
    let (mut code, mut interpreter) = (jet(), jet().interpreted());
    let compiled = code.compile();
    let mut compared = 0;
    for number in 0..5 {
        let inputs = states(typical, number);
        let (got, want) = (code.expand(&inputs), interpreter.expand(&inputs));
        assert_eq!(got.is_ok(), want.is_ok(), "{name}: {got:?} and {want:?}");
        if want.is_err() {
            continue;
        }
        let pairs = (0..typical.len()).map(|i| (code.input(i), interpreter.input(i)));
        for (got, want) in pairs.chain((0..typical.len() - 1).map(|j| (code.output(j), interpreter.output(j)))) {
            assert!(same(got.as_flattened(), want.as_flattened()), "{name}: {got:?} and {want:?}");
            compared += want.as_flattened().len();
        }
    }
    (compiled, compared)
}

#[test]
fn every_series_of_the_gallery_gives_the_bits_of_the_interpreter() {
    let (mut tapes, mut compiled, mut compared) = (0, 0, 0);
    for name in gallery::names() {
        let mut model = gallery::open(name);
        let Ok(state) = model.initial_state(&Overrides::default()) else { continue };
        let mut w = model.workbench();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).expect("options");
        let typical = [vec![state.time], state.position, state.velocity].concat();
        let motion = Motion::new(&mut w, &options, &typical).unwrap_or_else(|e| panic!("{name}: {e}"));
        // Long ones say nothing that short ones do not.
        let Some(tape) = motion.tape().filter(|tape| tape.statistics().operations < 500) else { continue };
        tapes += 1;
        let one = series_agree::<1>(name, tape, &typical);
        let eight = series_agree::<8>(name, tape, &typical);
        compiled += usize::from(one.0) + usize::from(eight.0);
        compared += one.1 + eight.1;
    }
    println!("{compiled} of {} series compiled, {compared} numbers compared", 2 * tapes);
    if compiled > 0 {
        assert!(compiled > 40 && compared > 50_000, "{compiled} of {} compiled", 2 * tapes);
    }
}
