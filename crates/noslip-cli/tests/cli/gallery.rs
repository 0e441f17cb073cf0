//! Every model of the gallery has a drawing and plots, and every number in them can be computed along the model's motion.

use noslip::model::{Claims, Model, Overrides};
use noslip::simulate::{Settings, simulate, values_along};
use noslip::{Error, Limits};
use noslip_cli::report::drawing::Drawing;
use noslip_cli::report::figures::FigureSpec;
use noslip_gallery::MODELS;

#[test]
fn every_model_of_the_gallery_is_drawn_and_plotted() {
    for (name, text) in MODELS {
        let mut model = Model::load(text, name, &Limits::default()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let state = model.initial_state(&Overrides::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let until = model.system.simulation.until.as_ref().expect("a gallery model says how long to run").to_f64();
        let settings = Settings {
            at: (0..=20).map(|i| until * f64::from(i) / 20.0).collect(),
            tolerance: 1e-6,
            ..Settings::until(until)
        };
        let simulation = {
            let mut w = model.workbench();
            simulate(&mut w, &state, &settings, &mut |_| true).unwrap_or_else(|e| panic!("{name}: {e}"))
        };
        let drawing = Drawing::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let drawing = drawing.unwrap_or_else(|| panic!("{name} has a drawing"));
        let mut evaluate = |text: &str| {
            let errors = |e: noslip::error::Errors| {
                e.into_iter().next().unwrap_or_else(|| Error::input("an error without a message"))
            };
            let claim = Claims::equation(text, &mut model, &Limits::default()).map_err(errors)?;
            let mut w = model.workbench();
            let values = values_along(&mut w, &[claim.expr], &simulation.samples)?.remove(0);
            assert!(values.iter().all(|x| x.is_finite()), "{name}: `{text}` is finite along the motion: {values:?}");
            Ok(values)
        };
        let scene = drawing.sample(&mut evaluate).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(scene.items.len() >= 2, "{name}: a body and its path");
        let figures = FigureSpec::parse(text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(figures.len() >= 2, "{name} says what to plot");
        for figure in &figures {
            assert!(figure.title.is_some(), "{name}: every plot has a title");
            for e in figure.across.iter().chain(&figure.up) {
                evaluate(&e.text).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
    }
}
