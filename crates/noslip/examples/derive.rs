//! Every form of the equations of motion of a rolling coin, proved to agree: `cargo run --example derive`.

use noslip::{FORMS, Model, Style, agreement, present};

const COIN: &str = r#"
noslip = 1
[system]
name = "A coin rolling upright"
coordinates = ["x", "y", "theta", "phi"]
[parameters]
m = 1
R = 0.5
I = "m*R^2/2"
J = "m*R^2/4"
[energy]
kinetic = "m/2*(x'^2 + y'^2) + I/2*theta'^2 + J/2*phi'^2"
[constraints]
roll_x = "x' = R*theta'*cos(phi)"
roll_y = "y' = R*theta'*sin(phi)"
"#;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model: Model = COIN.parse()?;
    let mut bench = model.workbench();
    for form in FORMS {
        // A form that does not apply says why.
        let equations = match form.derive(&mut bench) {
            Ok(equations) => equations,
            Err(why) => {
                println!("{why}");
                continue;
            }
        };
        println!("{} ({})", form.name(), agreement(&mut bench, &equations).word());
        for line in present(&mut bench, &equations)?.lines(&bench.g, Style::Unicode) {
            println!("    {line}");
        }
    }
    Ok(())
}
