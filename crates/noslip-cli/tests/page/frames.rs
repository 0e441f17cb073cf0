//! A slider that is dragged: every stop gives a new motion. How long the work for each picture took is printed, and not judged:
//! machines differ. `bench/frames` keeps the figures.

use super::play::{agrees_with_simulate, complete, intercept, motion, page};
use super::quiet;
use serde_json::json;

/// In the plane and in space, short and long programs, arrows of reactions, many plots.
const DRAGGED: [(&str, &str); 6] = [
    ("chaplygin-sledge", "phi'"),
    ("rolling-disk", "r"),
    ("snakeboard", "J_r"),
    ("car-with-trailer", "x'"),
    ("ball-on-turntable", "Omega"),
    ("chaplygin-ball", "m"),
];

/// Places at which the hand rests for two pictures.
const STOPS: usize = 30;

#[test]
fn every_stop_of_a_dragged_slider_gives_a_new_motion() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    for (name, knob) in DRAGGED {
        b.open(&page(name, "1e-12"));
        intercept(&mut b);
        let drag = |from: usize, to: usize| {
            format!(
                "(async () => {{ document.querySelector('#knobs').open = true; \
                 const s = [...document.querySelectorAll('#knobs input[type=range]')].find((e) => e.dataset.knob === {}); \
                 const next = () => new Promise((r) => requestAnimationFrame(r)); const took = []; \
                 for (let i = {from}; i < {to}; i += 1) {{ s.value = Number(s.min) + (0.52 + 0.1 * i / {STOPS}) * (s.max - s.min); \
                 s.dispatchEvent(new Event('input')); for (let k = 0; k < 2; k += 1) {{ await next(); \
                 took.push(Number(document.querySelector('#knobs').dataset.took)); }} }} return took; }})()",
                json!(knob)
            )
        };
        let (mut took, mut motions) = (Vec::new(), vec![motion(&mut b).1]);
        for from in (0..STOPS).step_by(5) {
            let list = b.evaluate(&drag(from, from + 5));
            took.extend(list.as_array().expect("times").iter().filter_map(serde_json::Value::as_f64));
            motions.push(motion(&mut b).1);
        }
        for pair in motions.windows(2) {
            assert!(pair[0] != pair[1], "{name}: {knob} was moved, and the motion is the same");
        }
        // The hand lets go: the motion is computed to all its digits.
        b.evaluate(&format!(
            "[...document.querySelectorAll('#knobs input[type=range]')].find((e) => e.dataset.knob === {}).dispatchEvent(new Event('change'))",
            json!(knob)
        ));
        complete(&mut b);
        agrees_with_simulate(&mut b, name);
        quiet(&b);
        assert_eq!(took.len(), 2 * STOPS, "{name}");
        took.sort_by(f64::total_cmp);
        println!(
            "frames: {name} {knob} {:.1} {:.1} {:.1}",
            took[STOPS],
            took[took.len() * 9 / 10],
            took[took.len() - 1]
        );
    }
}
