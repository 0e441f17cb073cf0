//! Words of the field: one source for the terminal, the page and the book.

use crate::card::Card;

/// A word of the field: what it means, and where noslip uses it.
const fn term(id: &'static str, aliases: &'static [&'static str], name: &'static str, text: &'static str) -> Card {
    Card { id, aliases, name, source: "Neimark, Fufaev 1967; Bloch 2003", needs: "nothing", about: text }
}

/// The glossary: words that answers use, explained.
pub const TERMS: &[Card] = &[
    term(
        "holonomic",
        &["integrable", "nonholonomic"],
        "Holonomic and nonholonomic constraints",
        "A constraint is holonomic if it can be written without velocities, f(t, q) = 0, and nonholonomic otherwise. A constraint\n\
         that contains velocities may still be holonomic: x' = r phi' says that x − r phi is constant. Frobenius' theorem decides,\n\
         for each constraint alone and for all together: `noslip check`.\n",
    ),
    term(
        "scleronomic",
        &["rheonomic"],
        "Scleronomic and rheonomic systems",
        "A system is scleronomic if time occurs neither in its energies and forces nor in its constraints, and rheonomic if it does:\n\
         a wheel that is steered by a given function of time, a table that turns faster and faster.\n",
    ),
    term(
        "catastatic",
        &["affine-constraint", "acatastatic"],
        "Catastatic (homogeneous) and affine constraints",
        "A constraint A(q) q' = 0 allows rest and is called homogeneous or catastatic; A(q) q' + a(q) = 0 with a term without\n\
         velocities is affine: a ball on a turning table. The energy is then not conserved in general, a moving energy may be.\n",
    ),
    term(
        "ideal-constraint",
        &["chetaev", "virtual-displacement"],
        "Ideal constraints and virtual displacements",
        "Virtual displacements are those the constraints allow at one moment: Σ_i ∂φ_j/∂q̇_i δq_i = 0 (Chetaev). A constraint is ideal\n\
         if its reaction does no work along them. All forms of the equations of motion here rest on that.\n",
    ),
    term(
        "quasi-velocity",
        &["quasi-coordinate", "generalised-speed"],
        "Quasi-velocities",
        "Combinations v_ρ(q, q̇) of the velocities, independent of each other, in which the constraints read v_{l+j} = 0: the\n\
         components of an angular velocity, the speed along a blade. In general no coordinate has v_ρ for its derivative; the symbol\n\
         π_ρ with dπ_ρ = v_ρ dt is a quasi-coordinate.\n",
    ),
    term(
        "growth-vector",
        &["lie-bracket", "flag", "degree-of-nonholonomy"],
        "Growth vector",
        "The dimensions of the distribution of admissible directions D, of D with all brackets [X, Y] of its fields, and so on, at a\n\
         generic point: (2, 3) for a skate. Where it ends below the number of coordinates, holonomic relations are hidden in the\n\
         constraints. `noslip check` gives it.\n",
    ),
    term(
        "completely-nonholonomic",
        &["chow", "rashevskii", "controllable"],
        "Complete nonholonomy",
        "The growth vector reaches the number of coordinates: any two positions can be joined by an admissible motion (Chow,\n\
         Rashevskii), though the velocities are restricted everywhere.\n",
    ),
    term(
        "chaplygin-system",
        &["generalised-chaplygin"],
        "Chaplygin systems",
        "The constraints are solved for k velocities, and the k coordinates that belong to them occur in no energy, force or\n\
         coefficient: equations for the other coordinates separate. Sleigh, disk, ball are such systems.\n",
    ),
    term(
        "closed-part",
        &["shape", "shape-space"],
        "Closed part, quadratures",
        "Variables whose rates depend on nothing but themselves, and coordinates that follow from them by integration. See\n\
         `noslip explain reduce`.\n",
    ),
    term(
        "relative-equilibrium",
        &["permanent-rotation"],
        "Relative equilibria",
        "Motions along a symmetry group: everything that the symmetry does not move stands still. In the words of noslip, a steady\n\
         motion; see `noslip explain steady`.\n",
    ),
    term(
        "momentum-equation",
        &["nonholonomic-momentum"],
        "The momentum equation",
        "The momentum along a symmetry that the constraints allow is not conserved in general; its rate is a function of position and\n\
         velocities, linear in the momenta and quadratic in the velocities of the shape (Bloch, Krishnaprasad, Marsden, Murray\n\
         1996). The rates of the quasi-velocities in `noslip reduce` are these equations.\n",
    ),
    term(
        "gauge-momentum",
        &["horizontal-symmetry"],
        "Gauge momenta",
        "An integral linear in the velocities whose generator is no symmetry but a combination of symmetries with coefficients that\n\
         depend on the position. `noslip integrals` looks for them.\n",
    ),
    term(
        "jellett",
        &["jellett-integral", "routh-integral"],
        "Jellett's and Routh's integrals",
        "A sphere whose centre of mass lies off its centre, with two equal moments of inertia, rolls or slides with the momentum about\n\
         the line from the centre of mass to the contact constant (Jellett); rolling, it keeps Routh's integral too. They explain the\n\
         tippe top.\n",
    ),
    term(
        "lyapunov-malkin",
        &["critical-case"],
        "Zero eigenvalues of a family",
        "A steady motion in a family has a zero eigenvalue for each dimension of the family. If all others have negative real parts,\n\
         the motion is stable, and what is near it approaches some member of the family (Lyapunov, Malkin).\n",
    ),
    term(
        "divergence-instability",
        &["hopf", "capsize", "weave", "krein"],
        "How stability is lost",
        "Divergence: a real eigenvalue passes through zero, the motion drifts off; a bicycle capsizes. Flutter: a pair crosses the\n\
         imaginary axis, the motion sways more and more; a bicycle weaves. Fold: the family turns back, beyond it there is no steady\n\
         motion. See `noslip explain steady`.\n",
    ),
    term(
        "degrees-of-freedom",
        &["degree-of-freedom", "dof", "freedom"],
        "Degrees of freedom",
        "The number of velocities that remain free at a position: coordinates minus the rank of the constraints. Nonholonomic\n\
         constraints take freedom from the velocities and none from the positions: a skate has two degrees of freedom in a space of\n\
         three coordinates.\n",
    ),
    term(
        "distribution",
        &["admissible-direction", "horizontal-distribution"],
        "The distribution of the constraints",
        "At each position the velocities that linear homogeneous constraints allow form a plane, the null space of A(q). The field of\n\
         these planes is the distribution; whether it is integrable is what makes constraints holonomic or not.\n",
    ),
    term(
        "frobenius",
        &["integrability", "frobenius-theorem"],
        "Frobenius' theorem",
        "A distribution is integrable, so that the constraints say no more than some functions of the coordinates do, exactly if the\n\
         brackets of its fields stay in it. In terms of one form ω: ω ∧ dω = 0. `noslip check` decides it exactly.\n",
    ),
    term(
        "integrating-factor",
        &["hidden-integral"],
        "Integrating factors",
        "A function by which a constraint has to be multiplied to become a total derivative: y'/x' = y/x needs 1/(x y). Several\n\
         constraints may be integrable together although none is alone. `noslip check` prints the integral where it finds it.\n",
    ),
    term(
        "multiplier",
        &["lagrange-multiplier", "lambda"],
        "Lagrange multipliers",
        "The unknown λ_j that measures the reaction of constraint j: its force on coordinate i is λ_j ∂φ_j/∂q̇_i. Where φ_j is a\n\
         velocity of slip, λ_j is the force of friction in that direction. Named `lambda_NAME` after the constraint.\n",
    ),
    term(
        "reaction",
        &["constraint-force"],
        "Reactions",
        "The forces by which constraints are kept. For ideal constraints they are AᵀΛ with the multipliers Λ; they follow from the state\n\
         alone: `noslip derive --form udwadia-kalaba`, `noslip grip`, and the arrows on the page.\n",
    ),
    term(
        "generalised-force",
        &["generalized-force"],
        "Generalised forces",
        "The coefficient Q_i of δq_i in the virtual work of the forces that have no potential. A force F at the point P gives\n\
         Q_i = F · ∂P/∂q_i.\n",
    ),
    term(
        "virtual-work",
        &["d-alembert", "lagrange-d-alembert"],
        "The principle of Lagrange and d'Alembert",
        "Applied and inertial forces together do no work along virtual displacements. With Chetaev's rule for these it holds for\n\
         nonlinear nonholonomic constraints too, and all forms here are ways of writing it.\n",
    ),
    term(
        "jourdain-principle",
        &["virtual-power"],
        "Jourdain's principle",
        "Applied and inertial forces have no power along virtual velocities: changes of the velocity at a fixed position that the\n\
         constraints allow. It gives Kane's and Maggi's equations without more ado.\n",
    ),
    term(
        "least-constraint",
        &["gauss-principle"],
        "Gauss's principle of least constraint",
        "Of all accelerations that the constraints allow, the true ones deviate least, in the metric of the masses, from those that\n\
         the forces alone would give. `noslip principle` evaluates it along a motion.\n",
    ),
    term(
        "appell-function",
        &["energy-of-acceleration", "gibbs-function"],
        "Energy of acceleration",
        "S = ½ Σ m a², a function of the accelerations as the kinetic energy is of the velocities. Gibbs and Appell: ∂S/∂π̈_ρ = Q_ρ.\n",
    ),
    term(
        "kinetic-energy-reduced",
        &["t-star", "t-degree", "reduced-kinetic-energy"],
        "T* and T°",
        "T* is the kinetic energy in quasi-velocities, T° the one into which the constraints have been inserted. Lagrange's equation of\n\
         T° alone is wrong for nonholonomic systems: the terms that are missing are Chaplygin's, Voronets', Hamel's.\n",
    ),
    term(
        "three-index-symbols",
        &["gamma", "boltzmann-symbols", "hamel-coefficients", "object-of-anholonomity"],
        "Three-index symbols",
        "The coefficients γ of the Boltzmann–Hamel equations: how far the quasi-velocities are from being derivatives of coordinates.\n\
         They vanish for coordinates, and are structure constants for the angular velocity of a body.\n",
    ),
    term(
        "transpositional-relation",
        &["transposition", "d-delta"],
        "Transpositional relations",
        "What d/dt δq − δ(dq/dt) is. Two conventions are possible where constraints are nonholonomic; Suslov's and Hölder's forms of\n\
         Hamilton's principle differ by it, and both give the same motion.\n",
    ),
    term(
        "vakonomic-motion",
        &["kozlov"],
        "Vakonomic mechanics",
        "The motion that makes the action stationary among all motions that satisfy the constraints. For nonholonomic constraints it is\n\
         not the motion of d'Alembert's principle; it is the problem of optimal control. `noslip compare` shows both.\n",
    ),
    term(
        "chaplygin-multiplier",
        &["reducing-multiplier", "conformal-factor"],
        "Chaplygin's reducing multiplier",
        "A function N(q) such that in the time dτ = N dt the reduced equations are Lagrange's equations: the system becomes Hamiltonian.\n\
         With two degrees of freedom it exists exactly if there is an invariant measure of a certain kind. `noslip hamiltonise`.\n",
    ),
    term(
        "hamiltonisation",
        &["hamiltonization"],
        "Hamiltonisation",
        "Changing time, or time and variables, so that the equations of a nonholonomic system become Hamilton's. `noslip hamiltonise`.\n",
    ),
    term(
        "preserved-volume",
        &["density"],
        "Invariant measures",
        "A density ρ for which the flow preserves volume. Hamilton's equations have one always, nonholonomic systems only at times:\n\
         where motions approach a limit, as the sleigh does, there is none. `noslip measure`.\n",
    ),
    term(
        "helmholtz-conditions",
        &["inverse-problem"],
        "Helmholtz's conditions",
        "What second-order equations must satisfy to be Lagrange's equations of some function as they stand. `noslip inverse` tests them\n\
         for the reduced equations and gives the first that fails.\n",
    ),
    term(
        "cyclic",
        &["ignorable", "cyclic-coordinate"],
        "Cyclic coordinates",
        "Coordinates that occur in no energy, only their velocities do. Their momenta are conserved if the constraints put no reaction\n\
         on them; with nonholonomic constraints they usually do.\n",
    ),
    term(
        "momentum",
        &["generalised-momentum", "canonical-momentum"],
        "Generalised momenta",
        "p_i = ∂T/∂q̇_i. With constraints not all of them are independent; the canonical form uses quasi-momenta, or momenta of the\n\
         variational problem. `noslip canonical`.\n",
    ),
    term(
        "energy-integral",
        &["jacobi-integral", "energy-conservation"],
        "The energy integral",
        "T + V is conserved if neither depends on time, other forces do no work and the constraints are homogeneous. If they are affine\n\
         the reactions may do work.\n",
    ),
    term(
        "moving-energies",
        &["jacobi-energy"],
        "Moving energies",
        "A combination of the energy and momenta that is conserved although the energy is not: the energy in a frame that moves with the\n\
         constraint, as for a ball on a turning table.\n",
    ),
    term(
        "noether",
        &["symmetry", "conserved-quantity"],
        "Symmetries and integrals",
        "A symmetry of the Lagrangian gives an integral if its field is compatible with the constraints (a horizontal symmetry); otherwise\n\
         a momentum equation. `noslip integrals` searches for what is conserved all the same.\n",
    ),
    term(
        "stationary-motion",
        &[],
        "Steady motions",
        "Motions in which all that matters is constant: a disk that rolls in a circle. They come in families; `noslip steady` finds them\n\
         and tells whether they are stable.\n",
    ),
    term(
        "affine",
        &["linear-constraint", "nonlinear-constraint"],
        "Linear, affine and nonlinear constraints",
        "A constraint is linear (homogeneous), affine, or nonlinear in the velocities. Real contacts give linear and affine ones; nonlinear\n\
         ones come from servo-mechanisms, and from limits such as Appell's machine.\n",
    ),
    term(
        "second-order-constraint",
        &["program-constraint", "acceleration-constraint"],
        "Constraints of second order",
        "Conditions on accelerations, for example of a programmed motion. Their reaction is determined in the same way, as Soltakhanov,\n\
         Yushkov and Zegzhda do; they are not kept by projection. Where one is nonlinear in the accelerations, Gauss's principle chooses its\n\
         branch; one of third order makes its multiplier a part of the state.\n",
    ),
    term(
        "servo-constraint",
        &["controlled-constraint", "beghin"],
        "Servo-constraints",
        "Constraints kept by a motor or a controller instead of a contact. Their reactions need not be ideal: which forces the servo has at its\n\
         disposal must be said.\n",
    ),
    term(
        "rank",
        &["singular-configuration", "rank-deficiency"],
        "Rank of the constraints",
        "The number of constraints that are independent at a position. Where it drops, accelerations or reactions are not determined:\n\
         `noslip check` names the places.\n",
    ),
    term(
        "redundant-constraint",
        &["overconstrained"],
        "Redundant constraints",
        "Constraints that follow from others. The motion is determined all the same; how the reaction is shared among them is not.\n",
    ),
    term(
        "chart",
        &["singular-chart", "gimbal-lock"],
        "Charts",
        "Coordinates or quasi-velocities that are good in one region and singular elsewhere: Euler angles at θ = 0, velocities solved from\n\
         cos φ at φ = π/2. The integration changes the chart where it must; a printed form says where it is singular.\n",
    ),
    term(
        "euler-angles",
        &["attitude", "quaternion"],
        "Attitudes",
        "Three angles describe how a body is turned but at their poles; four parameters with one condition (a quaternion) have no pole.\n\
         Both may be used; the bodies layer writes either.\n",
    ),
    term(
        "angular-velocity",
        &["omega", "body-axes"],
        "Angular velocity",
        "The components of ω in axes fixed in the body or in space are quasi-velocities: no three angles have them for their derivatives.\n",
    ),
    term(
        "knife-edge",
        &["skate", "sleigh", "blade"],
        "Knife edge",
        "A contact that forbids sideways velocity: x' sin φ − y' cos φ = 0. The simplest nonholonomic constraint; with mass and inertia it is\n\
         Chaplygin's sleigh.\n",
    ),
    term(
        "rolling",
        &["no-slip", "pure-rolling"],
        "Rolling without slipping",
        "The point of contact has the velocity of the ground: two conditions for a disk or ball on a surface, besides touching it. Whether\n\
         friction can do it: `noslip grip`.\n",
    ),
    term(
        "coulomb",
        &["friction-cone", "dry-friction", "grip-limit"],
        "Coulomb's law and the friction cone",
        "A contact holds while the tangential force is at most μ times the normal force: while the reaction lies in a cone. `friction` beside\n\
         a constraint, `noslip grip`, and the circle in the picture.\n",
    ),
    term(
        "contact-loss",
        &["normal-force"],
        "Loss of contact",
        "A body lifts off where the normal force would have to pull. The multiplier of a holonomic touching constraint is that force.\n",
    ),
    term(
        "rattleback",
        &["celtic-stone", "wobblestone"],
        "Rattleback",
        "A body whose axes of inertia do not lie along the axes of its curvature: spun in one direction it begins to rock and turns back.\n\
         Reversible without a measure, it shows what nonholonomic systems can do and Hamiltonian ones cannot.\n",
    ),
    term(
        "stiffness",
        &["stiff"],
        "Stiff equations",
        "Equations with rates of very different sizes, for which explicit methods take steps far shorter than accuracy asks:\n\
         `--method implicit`.\n",
    ),
    term(
        "projection",
        &["drift", "baumgarte"],
        "Projection to the constraints",
        "Integration keeps constraints only to its tolerance. After each step the state is moved back by the least change in the metric of\n\
         the kinetic energy; how far it had drifted is reported.\n",
    ),
    term(
        "discrete-mechanics",
        &["variational-integrator", "dla-method"],
        "Discrete mechanics",
        "Integration by a discrete principle of Lagrange and d'Alembert instead of discretised equations: second order, good energy for long\n\
         times. `--method dla`.\n",
    ),
    term(
        "lyapunov-exponent",
        &["chaos"],
        "Chaos",
        "Nearby motions separate exponentially. Then digits are lost at a constant rate, and two correct programs agree for a while only.\n",
    ),
    term(
        "proved",
        &["tested", "normal-form", "verdict"],
        "Proved, tested, numerical, unknown",
        "Proved: the normal form of the difference is zero. Tested: it vanishes at random points of a large prime field; the chance of error is\n\
         printed. Numerical: to rounding, at real states. Unknown: neither, within the effort allowed (`--effort`).\n",
    ),
    term(
        "counterexample",
        &["witness"],
        "Counterexamples",
        "A state that satisfies the constraints and at which an equation, with its accelerations, does not hold: why a claim is false.\n\
         `noslip verify` prints one.\n",
    ),
    term(
        "kinematic-chain",
        &["trailer", "flag-system"],
        "Trailers",
        "A car with n trailers: each hitch adds a knife edge and one step to the growth vector. The classical example of a flag.\n",
    ),
];
