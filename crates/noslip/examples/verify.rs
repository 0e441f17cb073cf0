//! Are these equations, derived by hand, those of the sleigh? `cargo run --example verify`.

use noslip::verify::diagnose;
use noslip::{Model, follows};

const SLEIGH: &str = r#"
noslip = 1
[system]
name = "Sleigh"
coordinates = ["x", "y", "phi"]
[parameters]
m = 2
J = 0.3
[energy]
kinetic = "m/2*(x'^2 + y'^2) + J/2*phi'^2"
[constraints]
edge = "x'*sin(phi) = y'*cos(phi)"
[initial]
position = { x = 0, y = 0, phi = 0 }
velocity = { x = 1, phi = 1 }
"#;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model: Model = SLEIGH.parse()?;
    let mut bench = model.workbench();
    for equation in ["m*x'' = lambda_edge*sin(phi)", "m*y'' = lambda_edge*cos(phi)", "x''*cos(phi) + y''*sin(phi) = 0"]
    {
        let claim = bench.expression(equation)?;
        let finding = follows(&mut bench, claim);
        println!("{equation}: {}", finding.known.word());
        if finding.fails() {
            for mistake in diagnose(&mut bench, claim) {
                println!("    {}: {}", mistake.mistake, mistake.explanation);
            }
        }
    }
    Ok(())
}
