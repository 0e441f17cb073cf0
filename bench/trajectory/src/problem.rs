//! The systems, their initial states and their compiled motion.

use noslip::Limits;
use noslip::compile::{CompileOptions, Tape};
use noslip::mechanics::{Dynamics, Workbench};
use noslip::model::{Model, Overrides};
use noslip::simulate::{Ensemble, Motion, Reduced, Start};
use noslip::simulate::{MotionCode, MotionPart};

/// End time of every trajectory.
pub const UNTIL: f64 = 10.0;
/// Number of trajectories.
const COUNT: usize = 128;

/// Short names and names in the gallery.
pub const MODELS: [(&str, &str); 2] = [("disk", "rolling-disk"), ("sledge", "chaplygin-sledge")];

/// A system and trajectories to compute.
pub struct Problem {
    model: Model,
    /// Initial states on the constraints; the first is the model's own.
    pub starts: Vec<Start>,
    /// (t, q, q̇) → q̇, q̈, for code in other languages.
    pub plain: Tape,
}

impl Problem {
    /// The model's own start and variations of its velocities by a tenth.
    pub fn new(name: &str) -> Problem {
        let text = noslip_gallery::find(name).expect("a model of the gallery");
        let mut model = Model::load(text, "model.toml", &Limits::default()).expect("the model loads");
        let base = model.initial_state(&Overrides::default()).expect("an initial state");
        let initial = model.system.initial.as_ref().expect("an initial section");
        let given: Vec<usize> = (0..base.velocity.len()).filter(|&i| initial.velocity[i].is_some()).collect();
        let mut starts = Vec::new();
        for j in 0..COUNT {
            let factor = |i: usize| 1.0 + 0.1 * ((j * (2 * i + 3)) as f64 * 0.37).sin();
            let overrides = Overrides {
                velocity: given.iter().map(|&i| (i, base.velocity[i] * factor(i))).collect(),
                ..Overrides::default()
            };
            let state = model.initial_state(&overrides).expect("a start");
            let state = [state.position, state.velocity].concat();
            starts.push(Start { t: 0.0, state, parameters: Vec::new() });
        }
        let dynamics = Dynamics::of(&mut model.arena, &model.system);
        let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
        let rows: Vec<usize> = (0..model.system.k()).collect();
        let motion = MotionCode::new(&model.arena, &model.system, &dynamics, &rows, &options).expect("it compiles");
        let parts = [MotionPart::Velocities, MotionPart::Accelerations];
        let plain = motion.tape(&model.arena, &parts, &[], &[]).expect("regular");
        Problem { model, starts, plain }
    }

    fn bench<T>(&mut self, make: impl FnOnce(&mut Workbench, &CompileOptions, &[f64]) -> noslip::Result<T>) -> T {
        let model = &mut self.model;
        let options = CompileOptions::of_system(&model.arena, &model.system, &Limits::default()).expect("parameters");
        let typical = [&[0.0], self.starts[0].state.as_slice()].concat();
        make(&mut model.workbench(), &options, &typical).expect("it compiles")
    }

    /// The motion for one trajectory at a time.
    pub fn motion(&mut self) -> Motion {
        self.bench(Motion::new)
    }

    /// The motion in quasi-velocities.
    pub fn reduced(&mut self) -> Reduced {
        self.bench(|w, options, typical| Reduced::new(w, options, typical, &[]))
    }

    /// The motion for many, in velocities or in quasi-velocities.
    pub fn ensemble<const LANES: usize>(&mut self, reduced: bool) -> Ensemble<LANES> {
        let make = if reduced { Ensemble::new } else { Ensemble::in_velocities };
        let ensemble = self.bench(|w, options, typical| make(w, options, typical, &[]));
        assert_eq!(ensemble.is_reduced(), reduced, "the systems have quasi-velocities");
        ensemble
    }
}
