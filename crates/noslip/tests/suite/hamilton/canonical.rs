use crate::common::{expression, gallery, load, settings, times};
use noslip::Limits;
use noslip::compile::{CompileOptions, compile};
use noslip::hamilton::canonical::Canonical;
use noslip::model::{Claims, Overrides};
use noslip::principles::vakonomic::{Vakonomic, compare};
use noslip::simulate::{Dop853, OdeFn, StepSize, Stepper, Tolerance};

#[test]
fn the_canonical_equations_are_the_vakonomic_ones() {
    for (name, mu) in
        [("vertical-disk", vec![0.3, -0.2]), ("knife-edge-body", vec![0.4]), ("nonholonomic-particle", vec![0.7])]
    {
        let mut model = gallery::open(name);
        let state = model.initial_state(&Overrides::default()).unwrap();
        let mut w = model.workbench();
        let c = Canonical::of(&mut w).unwrap();
        assert!(c.verified.holds(), "{name}");
        let v = Vakonomic::of(&mut w).unwrap();
        let options = CompileOptions::of_system(&w.g, &w.system, &w.limits).unwrap();
        let n = w.system.n();
        // π at the start, from q̇ and μ.
        let mut inputs = w.system.coordinates.clone();
        inputs.extend(&w.system.velocities);
        inputs.extend(&v.multipliers);
        let pi = compile(&w.g, &inputs, &c.definitions, &options).unwrap();
        let pi = pi.evaluate(&[&state.position[..], &state.velocity, &mu].concat());
        let mut inputs = w.system.coordinates.clone();
        inputs.extend(&c.momenta);
        let rhs: Vec<_> = c.velocities.iter().chain(&c.rates).copied().collect();
        let mut rhs = compile(&w.g, &inputs, &rhs, &options).unwrap().runner();
        let ode = OdeFn::new(2 * n, |_t, y: &[f64], dy: &mut [f64]| rhs.run(y, dy));
        let start = [&state.position[..], &pi].concat();
        let mut stepper = Dop853::new(ode, 0.0, &start, Tolerance::new(1e-12), StepSize::default());
        while stepper.time() < 1.5 {
            stepper.step(1.5).unwrap();
        }
        let run = compare(&mut w, &v, &state, &mu, &settings(&times(1.5, 2), 1e-12)).unwrap();
        let last = run.samples.last().unwrap();
        for i in 0..n {
            assert!(
                (last.y[i] - stepper.state()[i]).abs() < 1e-9,
                "{name}: {:?} against {:?}",
                last.y,
                stepper.state()
            );
        }
    }
}

#[test]
fn a_complete_integral_is_recognised_and_a_wrong_one_is_not() {
    // A particle with z' = x': H₁ = (π_x + π_z)²/4 + π_y²/2. Holonomic in disguise, with an elementary complete integral.
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n[energy]\nkinetic = \"(x'^2+y'^2+z'^2)/2\"\n\
                [constraints]\nc = \"z' = x'\"\n";
    let mut model = load(text);
    let constants: Vec<_> = ["a", "b", "c1"].iter().map(|n| model.declare_constant(n).unwrap()).collect();
    let read = |model: &mut _, text: &str| Claims::equation(text, model, &Limits::default()).unwrap().expr;
    let right = read(&mut model, "a*x + b*y + c1*z - ((a + c1)^2/4 + b^2/2)*t");
    let wrong = read(&mut model, "a*x + b*y + c1*z - (a^2 + b^2 + c1^2)/2*t");
    let poor = read(&mut model, "(a + b)*x + (a + b)*y + c1*z - ((a + b + c1)^2/4 + (a + b)^2/2)*t");
    let mut w = model.workbench();
    let c = Canonical::of(&mut w).unwrap();
    let good = c.check_integral(&mut w, right, &constants);
    assert!(good.satisfies.holds() && good.complete && good.is_motion.holds());
    assert!(c.check_integral(&mut w, wrong, &constants).satisfies.is_refuted());
    let poor = c.check_integral(&mut w, poor, &constants);
    assert!(poor.satisfies.holds() && !poor.complete);
    assert!(c.agreement.for_every_mu.holds(), "every solution is a motion: the constraint is integrable");
}

#[test]
fn the_hamilton_jacobi_equation_of_the_disk_separates() {
    // S = a θ + (cyclic x, y) c x + d y + f(φ) − h t: with c = d = 0, H₁ = a²/(2(I + mR²)) + S_phi²/(2J).
    let mut model = gallery::open("vertical-disk");
    let constants: Vec<_> = ["a1", "a2", "c0", "d0"].iter().map(|n| model.declare_constant(n).unwrap()).collect();
    let s =
        Claims::equation("a1*theta + a2*phi - (a1^2/(2*(I + m*R^2)) + a2^2/(2*J))*t", &mut model, &Limits::default());
    let s = s.unwrap().expr;
    let mut w = model.workbench();
    let c = Canonical::of(&mut w).unwrap();
    let check = c.check_integral(&mut w, s, &constants);
    assert!(check.satisfies.holds(), "a family of solutions");
    assert!(!check.complete, "two constants are missing in it");
    // With these momenta of x and y, μ is the suitable one: every solution it gives is a motion.
    assert!(check.is_motion.holds(), "{:?}", check.motion_condition);
    assert!(c.agreement.for_momentum_choice.holds() && c.agreement.choice_persists);
    assert!(c.agreement.for_every_mu.is_refuted());
}

#[test]
fn an_integral_whose_solutions_are_no_motions_says_which_are() {
    // The particle z' = y x': S = c z − c² t/2 … is no solution; S = a x + f(y) − h t is, and gives no motion unless a = 0.
    let mut model = gallery::open("nonholonomic-particle");
    let constants: Vec<_> = ["a", "h"].iter().map(|n| model.declare_constant(n).unwrap()).collect();
    let read = |model: &mut _, text: &str| Claims::equation(text, model, &Limits::default()).unwrap().expr;
    // Along y = const: π_y = 0 needs a²/(1 + y²) = 2h, so take the straight solution S = √(2h) y − h t instead.
    let straight = read(&mut model, "sqrt(2*h)*y - h*t");
    let mut w = model.workbench();
    let c = Canonical::of(&mut w).unwrap();
    let check = c.check_integral(&mut w, straight, &constants[1..]);
    assert!(check.satisfies.holds() && check.is_motion.holds(), "{:?}", check.residual);
    // A momentum along x bends the solution: the condition is left, and vanishes for a = 0 only.
    let mut model = gallery::open("nonholonomic-particle");
    let constants: Vec<_> = ["a"].iter().map(|n| model.declare_constant(n).unwrap()).collect();
    let bent = read(&mut model, "a*x");
    let mut w = model.workbench();
    let c = Canonical::of(&mut w).unwrap();
    let check = c.check_integral(&mut w, bent, &constants);
    assert!(check.is_motion.is_refuted());
    let zero = [(constants[0], w.g.zero())].into_iter().collect();
    for e in check.motion_condition {
        let e = w.g.substitute(e, &zero);
        assert!(w.g.is_zero(e));
    }
}

#[test]
fn forces_without_a_potential_are_refused() {
    let mut model = gallery::open("hoop-upright");
    // A couple on one angle that follows the other.
    model.system.forces[2] = model.arena.symbol(model.system.coordinates[3]);
    let mut w = model.workbench();
    let error = Canonical::of(&mut w).unwrap_err();
    assert!(error.message.contains("does not apply") && error.message.contains("potential"), "{error}");
}

/// V = −Gψ sin ψ + Gφ cos φ − φ/10, written as forces in the file.
#[test]
fn forces_with_a_potential_are_taken_into_it() {
    let mut model = gallery::open("hoop-upright");
    let potential = expression(&mut model, "-Gpsi*sin(psi) + Gphi*cos(phi) - phi/10");
    let mut w = model.workbench();
    let c = Canonical::of(&mut w).unwrap();
    for (i, q) in [2, 3].map(|i| (i, w.system.coordinates[i])) {
        let force = w.g.diff(potential, q);
        let force = w.g.neg(force);
        let at_rest = w.g.without(c.rates[i], &c.momenta);
        let difference = w.g.sub(at_rest, force);
        let difference = w.simplify(difference);
        assert!(w.g.is_zero(difference), "{i}");
    }
}
