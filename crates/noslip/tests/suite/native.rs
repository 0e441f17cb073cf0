//! Machine code against the interpreter: the right-hand sides of the whole gallery, to the last bit.

use crate::common::gallery;
use noslip::compile::CompileOptions;
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
        let mut lanes = tape.batch_native::<8>();
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
                if let (Some(lanes), 8) = (&mut lanes, block.len()) {
                    let rows: Vec<[f64; 8]> =
                        (0..typical.len()).map(|k| std::array::from_fn(|lane| block[lane][k])).collect();
                    let mut got = vec![[0.0; 8]; out.len()];
                    lanes.run(&rows, &mut got);
                    for (lane, want) in expected.iter().enumerate() {
                        let got: Vec<f64> = got.iter().map(|row| row[lane]).collect();
                        assert!(same(&got, want), "{name}, eight at once: {got:?} and {want:?}");
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
