//! From a text to a proved equation and a trajectory, in a dozen lines: `cargo run --example user_program`.

use noslip::{Model, Overrides, Settings, Style, agreement, form, present, simulate};

const SKATE: &str = "noslip = 1
[system]\ncoordinates = ['x', 'y', 'phi']
[energy]\nkinetic = \"(x'^2 + y'^2)/2 + phi'^2/3\"\npotential = 'sin(phi)'
[constraints]\nblade = \"x'*sin(phi) = y'*cos(phi)\"
[initial]\nposition = { x = 0, y = 0, phi = 1 }\nvelocity = { x = 1, phi = 0 }";

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model: Model = SKATE.parse()?;
    let mut bench = model.workbench();
    let maggi = form("maggi").ok_or("no such form")?.derive(&mut bench)?;
    println!("{}", agreement(&mut bench, &maggi).word());
    println!("{}", present(&mut bench, &maggi)?.lines(&bench.g, Style::Unicode).join("\n"));
    let start = model.initial_state(&Overrides::default())?;
    let motion = simulate(&mut bench, &start, &Settings::until(5.0).sampled(&start, 6), &mut |_| true)?;
    for s in motion.samples {
        println!("{} {:?}", s.t, s.y);
    }
    Ok(())
}
