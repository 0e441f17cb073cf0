//! The motion of a model of the gallery, sampled, with a quantity along it: `cargo run --example simulate`.

use noslip::simulate::values_along;
use noslip::{Model, Overrides, Settings, simulate};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = noslip_gallery::find("chaplygin-sledge").expect("a model of the gallery");
    let mut model: Model = text.parse()?;
    let start = model.initial_state(&Overrides::default())?;
    let mut bench = model.workbench();
    let settings = Settings { tolerance: 1e-11, ..Settings::until(10.0) }.sampled(&start, 11);
    // The closure hears the time after every step; to return false is to cancel.
    let motion = simulate(&mut bench, &start, &settings, &mut |_| true)?;
    let turning = bench.expression("phi'")?;
    let turning = values_along(&mut bench, &[turning], &motion.samples)?.remove(0);
    for (sample, turning) in motion.samples.iter().zip(turning) {
        println!("t = {:4.1}  x = {:8.5}  y = {:8.5}  phi' = {turning:9.6}", sample.t, sample.y[0], sample.y[1]);
    }
    println!("{}, energy kept to {:.1e}", motion.outcome.code(), motion.energy_drift);
    Ok(())
}
