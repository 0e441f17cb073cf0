//! A thousand rolling disks at once, each with another spin: `cargo run --release --example ensemble`.

use noslip::compile::CompileOptions;
use noslip::simulate::{Ensemble, Start, Tolerance};
use noslip::{Model, Overrides};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = noslip_gallery::find("rolling-disk").expect("a model of the gallery");
    let mut model: Model = text.parse()?;
    let mut starts = Vec::new();
    let psi = 2;
    for i in 0..1000 {
        let spin = 3.0 + 0.002 * f64::from(i);
        // The other velocities are completed so that the disk rolls.
        let state = model.initial_state(&Overrides { velocity: vec![(psi, spin)], ..Overrides::default() })?;
        starts.push(Start { t: state.time, state: [state.position, state.velocity].concat(), parameters: Vec::new() });
    }
    let mut bench = model.workbench();
    let options = CompileOptions::of_system(&bench.g, &bench.system, &bench.limits)?;
    let typical = [vec![starts[0].t], starts[0].state.clone()].concat();
    // Eight trajectories share each evaluation.
    let mut ensemble: Ensemble<8> = Ensemble::new(&mut bench, &options, &typical, &[])?;
    let runs = ensemble.run(&starts, 2.0, Tolerance::new(1e-9))?;
    let steps: u64 = runs.iter().map(|run| run.statistics.steps).sum();
    println!("{} trajectories, {steps} steps; the first ends at {:.6?}", runs.len(), runs[0].state);
    Ok(())
}
