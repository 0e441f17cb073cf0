//! The registry of the subjects beside the forms: what `noslip explain` knows besides them.

use crate::card::Card;

/// The subjects that are explained beside the forms.
pub const SUBJECTS: &[&Card] = &[
    &crate::principles::vakonomic::CARD,
    &crate::hamilton::hamiltonise::CARD,
    &crate::hamilton::inverse::CARD,
    &crate::hamilton::canonical::CARD,
    &crate::principles::evaluate::CARD,
    &crate::contact::friction::CARD,
    &crate::contact::non_ideal::CARD,
    &crate::contact::switching::CARD,
    &crate::motions::reduce::CARD,
    &crate::motions::steady::CARD,
    &crate::motions::linearise::CARD,
    &crate::motions::measure::CARD,
    &crate::motions::integrals::CARD,
];

/// A word of the field: what it means, and where noslip uses it.
const fn term(id: &'static str, aliases: &'static [&'static str], name: &'static str, text: &'static str) -> Card {
    Card { id, aliases, name, source: "Neimark, Fufaev 1967; Bloch 2003", needs: "nothing", text }
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
];
