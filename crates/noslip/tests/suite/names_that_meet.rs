//! Names that meet do not change what a form says.

/// A constraint may be called like a coordinate, and its quasi-velocity like one of the model's: three different things.
#[test]
fn names_that_meet_do_not_change_the_equations() {
    let text = |first: &str, second: &str| {
        format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"psi\", \"phi\"]\n[energy]\n\
             kinetic = \"x'^2 + y'^2 + psi'^2/2 + phi'^2\"\n[forces]\npsi = \"cos(psi)\"\nphi = \"sin(phi) + 1/10\"\n\
             [constraints]\n{first} = \"x' + phi'*cos(psi) = 0\"\n{second} = \"y' + phi'*sin(psi) = 0\"\n\
             [quasi_velocities]\nw_psi = \"psi'\"\nw_phi = \"phi'\"\n"
        )
    };
    for (first, second) in [("phi", "c2"), ("c1", "psi"), ("phi", "w_phi_"), ("w_w_phi", "phi"), ("phi", "w_w_phi")] {
        let mut w = noslip::Model::load(&text(first, second), "names.toml", &noslip::Limits::default())
            .unwrap_or_else(|e| panic!("{first}, {second}: {e:?}"))
            .workbench();
        let mut proved = 0;
        for form in noslip::FORMS {
            let Ok(eq) = form.derive(&mut w) else { continue };
            let verdict = noslip::agreement(&mut w, &eq);
            assert!(verdict.holds(), "{first}, {second}, {}: {:?}", form.id(), verdict.known);
            proved += 1;
        }
        assert!(proved >= 20, "{proved} forms");
    }
}

#[test]
fn a_variation_is_no_parameter_of_the_model() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\ndelta_x = 3\n[energy]\n\
                kinetic = \"delta_x*(x'^2 + y'^2)/2\"\n[constraints]\nc = \"y' = x*x'\"\n";
    let model = noslip::Model::load(text, "names.toml", &noslip::Limits::default()).expect("a model");
    let mut w = model.workbench();
    let parameter = w.system.parameters[0].symbol;
    let (parameter, variation) = (w.g.symbol(parameter), w.variation("x"));
    assert_ne!(parameter, variation);
    assert_eq!(w.variation("x"), variation);
}
