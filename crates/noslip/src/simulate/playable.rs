//! A motion that runs elsewhere: straight-line programs of everything an integrator by itself needs, with the parameters
//! left open.
//!
//! The programs take (t, q, q̇, p), p being the open parameters: the rate of the state with a fixed order of elimination and
//! how far that order can be trusted; the saddle system itself, for where it cannot; the constraints and the inertia, by
//! which a state is brought back onto them; and any quantities along the motion, which take q̈ and λ too.

use super::code::{MotionCode, MotionPart};
use super::dop853_tableau as dop853;
use super::motion::{Motion, open_builder, samples_around};
use super::probe::Probe;
use crate::compile::{CompileOptions, Tape};
use crate::error::{Error, Result};
use crate::expr::{Expr, Symbol};
use crate::mechanics::{Workbench, independent_rows};
use crate::model::State;

/// The programs of a system.
pub struct Playable {
    /// Parameters that are not defined by others, with their values.
    pub parameters: Vec<(Symbol, f64)>,
    /// Constraints on velocities by their indices, derivatives of holonomic ones first: those a state is kept on.
    pub kept: Vec<usize>,
    /// How many of them are holonomic.
    pub holonomic: usize,
    /// Each program with its name.
    pub programs: Vec<(&'static str, Tape)>,
}

impl Playable {
    /// Compiles the system around a state, and the quantities that are to be shown along its motion.
    pub fn new(w: &mut Workbench, state: &State, expressions: &[Expr]) -> Result<Playable> {
        let rows = independent_rows(w);
        if rows.len() < w.system.k() {
            return Err(Error::not_applicable("the constraints are not independent"));
        }
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits)?;
        let ordered = w.system.parameters_in_order(&w.g);
        let pi = w.g.pi();
        let own = |e: Expr| w.g.free_symbols(&[e]).iter().all(|s| *s == pi);
        let open: Vec<Symbol> = ordered.iter().filter(|(_, e)| own(*e)).map(|(s, _)| *s).collect();
        let values = Motion::open_values(w, &options, &open)?;
        let (d, system) = (w.dynamics(), w.system.clone());
        let mut inputs: Vec<Symbol> = vec![w.g.time()];
        inputs.extend(system.coordinates.iter().chain(&system.velocities).chain(&open));
        let builder = open_builder(w, &options, &inputs, &open)?;
        let of_order =
            |order: u8| (0..system.k()).filter(|&j| system.constraints[j].order == order).collect::<Vec<_>>();
        let holonomic = of_order(0);
        let kept = [holonomic.clone(), of_order(1)].concat();
        let force: Vec<Expr> = d.rest.iter().map(|&h| w.g.neg(h)).collect();
        let tape = |list: Vec<Expr>| {
            let mut builder = builder.clone();
            let values = builder.lower(&w.g, &list)?;
            builder.finish(&values)
        };
        let mass = || d.mass.iter().flatten().copied();
        let rates = kept.iter().filter_map(|&j| d.velocity_constraints[j]);
        let gradients = kept.iter().flat_map(|&j| d.a[j].iter().copied());
        let mut programs = vec![
            (
                "full",
                tape(mass().chain(d.a.iter().flatten().copied()).chain(force).chain(d.b.iter().copied()).collect())?,
            ),
            ("inertia", tape(mass().collect())?),
            ("velocity", tape(rates.chain(gradients).collect())?),
            ("position", tape(holonomic.iter().map(|&j| system.constraints[j].expr).collect())?),
            ("shown", Probe::tape(w, expressions, &options, &open)?),
        ];
        let typical = [state.inputs(), values.clone()].concat();
        let samples = samples_around(&typical, 1 + 2 * system.n());
        use MotionPart::{Accelerations, Growth, Multipliers, Velocities};
        let fast = MotionCode::with_builder(builder, &w.g, &system, &d, &rows).and_then(|code| {
            code.tapes([&[Velocities, Accelerations, Growth], &[Accelerations, Multipliers, Growth]], &samples)
        });
        // Without them the saddle system is solved each time.
        if let Ok([rates, loads]) = fast {
            programs.extend([("rates", rates), ("loads", loads)]);
        }
        let parameters = open.into_iter().zip(values).collect();
        Ok(Playable { parameters, holonomic: holonomic.len(), kept, programs })
    }

    /// Operations of all programs together.
    pub fn operations(&self) -> usize {
        self.programs.iter().map(|(_, tape)| tape.operations().len()).sum()
    }

    /// The programs as one JavaScript object, and beside them the coefficients of the method that
    /// [`Dop853`](super::Dop853) is.
    pub fn to_js(&self) -> Result<String> {
        let mut text = String::from("{\n");
        for (name, tape) in &self.programs {
            text.push_str(&format!("{name}: {},\n", tape.to_js_function()?));
        }
        text.push_str(&format!("tableau: {} }}", dop853::as_json()));
        Ok(text)
    }
}
