//! `noslip canonical`

use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs};
use crate::terminal::{say, say_json};
use crate::words::{all_written, names, shown, symbol, written};
use clap::Args;
use noslip::hamilton::canonical::{Canonical, IntegralCheck};
use noslip::mechanics::Workbench;
use noslip_cli::answers::{self, CompleteIntegral, IsMotion, by_name};
use std::fmt::Write;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip canonical nonholonomic-particle
  noslip canonical particle.toml --constants h --integral \"sqrt(2*h)*y - h*t\"

The exit status is 1 if a proposed integral is not a complete one.")]
pub struct CanonicalArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Test this S(t, q, constants) as a complete integral of the generalised Hamilton–Jacobi equation
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub integral: Option<String>,
    /// Names of its constants, separated by commas
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub constants: Vec<String>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// The canonical form, and the test of a complete integral.
pub fn run(args: &CanonicalArgs) -> Outcome {
    let mut opened = open(&args.model)?.while_closed();
    let mut constants = Vec::new();
    for name in &args.constants {
        let constant = opened.model.declare_constant(name.trim());
        constants.push(constant.map_err(|e| Failure::at(&[e], "--constants", name.trim()))?);
    }
    let integral = match &args.integral {
        Some(text) => Some(opened.expression("--integral", text)?),
        None => None,
    };
    let model = &mut opened.model;
    let mut w = model.workbench();
    let c = Canonical::of(&mut w)?;
    let check = integral.map(|s| c.check_integral(&mut w, s, &constants));
    match args.format.is_json() {
        true => say_json(&answer(&mut w, &c, check.as_ref())),
        false => say(&text(&mut w, &c, check.as_ref())),
    }
    match check {
        Some(check) if !(check.satisfies.holds() && check.complete) => Err(Failure::no()),
        _ => Ok(()),
    }
}

fn answer(w: &mut Workbench, c: &Canonical, check: Option<&IntegralCheck>) -> answers::Canonical {
    let (momenta, velocities) = (names(w, &c.momenta), names(w, &w.system.velocities));
    answers::Canonical {
        name: w.system.name.clone(),
        momenta: by_name(&momenta, all_written(w, &c.definitions)),
        hamiltonian: written(w, c.hamiltonian),
        velocities: by_name(&velocities, all_written(w, &c.velocities)),
        rates: by_name(&momenta, all_written(w, &c.rates)),
        multipliers: all_written(w, &c.multipliers),
        hamilton_jacobi: written(w, c.hamilton_jacobi),
        verified: (&c.verified).into(),
        hessian_rank: c.hessian_rank,
        is_motion: IsMotion {
            always: (&c.agreement.for_every_mu).into(),
            for_momentum_choice: (&c.agreement.for_momentum_choice).into(),
            choice_persists: c.agreement.choice_persists,
            condition: all_written(w, &c.motion_condition),
        },
        integral: check.map(|check| CompleteIntegral {
            satisfies: (&check.satisfies).into(),
            complete: check.complete,
            residual: written(w, check.residual),
            integrals: if check.satisfies.holds() { all_written(w, &check.integrals) } else { Vec::new() },
            is_motion: (&check.is_motion).into(),
            condition: all_written(w, &check.motion_condition),
        }),
    }
}

fn text(w: &mut Workbench, c: &Canonical, check: Option<&IntegralCheck>) -> String {
    let mut out = format!("{}\n\nGeneralised momenta\n", w.system.name);
    for (&s, &e) in c.momenta.iter().zip(&c.definitions) {
        let _ = writeln!(out, "    {} = {}", symbol(w, s), shown(w, e));
    }
    let _ = writeln!(out, "H₁ = {}", shown(w, c.hamiltonian));
    let (rank, n) = (c.hessian_rank, c.momenta.len());
    if rank < n {
        let _ = writeln!(out, "  degenerate: its second derivatives by the momenta have rank {rank} of {n}");
    }
    let _ = writeln!(out, "Canonical equations (q' = ∂H₁/∂π: {})", c.verified.answer());
    for (s, &e) in w.system.velocities.clone().into_iter().zip(&c.velocities) {
        let _ = writeln!(out, "    {} = {}", symbol(w, s), shown(w, e));
    }
    for (&s, &e) in c.momenta.iter().zip(&c.rates) {
        let _ = writeln!(out, "    {} = {}", rate(w, s), shown(w, e));
    }
    let _ = writeln!(out, "Generalised Hamilton–Jacobi equation\n    {} = 0", shown(w, c.hamilton_jacobi));
    out.push_str("A solution is a motion of the nonholonomic system iff along it (Rumyantsev's condition)\n");
    let conditions: Vec<_> = c.motion_condition.iter().copied().filter(|&e| !w.g.is_zero(e)).collect();
    for &e in &conditions {
        let _ = writeln!(out, "    {} = 0", shown(w, e));
    }
    if conditions.is_empty() {
        out.push_str("    0 = 0\n");
    }
    let _ = writeln!(out, "  for every solution: {}", c.agreement.for_every_mu.answer());
    let persist = if c.agreement.choice_persists { "; they stay zero" } else { "" };
    let word = c.agreement.for_momentum_choice.answer();
    let _ = writeln!(out, "  where the momenta of the dependent coordinates vanish: {word}{persist}");
    if let Some(check) = check {
        let _ = writeln!(out, "\nThe proposed integral satisfies the equation: {}", check.satisfies.answer());
        if !check.satisfies.holds() {
            let _ = writeln!(out, "  what is left: {}", shown(w, check.residual));
        }
        let _ = writeln!(out, "  it is {}complete", if check.complete { "" } else { "not " });
        // What is no solution has no constants.
        for &e in check.integrals.iter().filter(|_| check.satisfies.holds()) {
            let _ = writeln!(out, "  constant along solutions: {}", shown(w, e));
        }
        let _ = writeln!(out, "  is every solution it gives a motion of the system? {}", check.is_motion.answer());
        let open: Vec<_> = check.motion_condition.iter().copied().filter(|&e| !w.g.is_zero(e)).collect();
        for &e in open.iter().filter(|_| !check.is_motion.holds()) {
            let _ = writeln!(out, "    those are along which {} = 0", shown(w, e));
        }
    }
    out
}

/// π̇ as it is written beside π.
fn rate(w: &mut Workbench, s: noslip::expr::Symbol) -> String {
    let dot = w.g.dot(s);
    symbol(w, dot)
}
