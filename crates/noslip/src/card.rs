//! What people are told of a form or a subject: one card each.

/// The card of a form of the equations of motion, or of a subject beside them.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// Identifier on the command line: `boltzmann-hamel`.
    pub id: &'static str,
    /// Other names under which the literature knows it.
    pub aliases: &'static [&'static str],
    /// Name for people.
    pub name: &'static str,
    /// Where it is treated.
    pub source: &'static str,
    /// What it needs, in one line.
    pub needs: &'static str,
    /// Its documentation, or the text of the source file that begins with it.
    pub text: &'static str,
}

impl Card {
    /// What it is, with its equations: the `//!` lines at the head of its file, so that the code's own documentation is what
    /// the program shows.
    pub fn about(&self) -> &'static str {
        if !self.text.starts_with("//!") {
            return self.text;
        }
        let end = self.text.lines().take_while(|l| l.starts_with("//!")).map(|l| l.len() + 1).sum::<usize>();
        &self.text[..end.min(self.text.len())]
    }

    /// Is this its id or one of its other names?
    pub fn answers_to(&self, name: &str) -> bool {
        self.id.eq_ignore_ascii_case(name) || self.aliases.iter().any(|a| a.eq_ignore_ascii_case(name))
    }
}

/// Dormand–Prince 8(5,3).
pub const DOP853: Card = Card {
    id: "dop853",
    aliases: &["dormand-prince"],
    name: "Dormand–Prince 8(5,3)",
    source: "E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I",
    needs: "forces that are not stiff",
    text: include_str!("simulate/dop853.rs"),
};

/// Taylor series of high order.
pub const TAYLOR: Card = Card {
    id: "taylor",
    aliases: &[],
    name: "Taylor series of high order",
    source: "À. Jorba, M. Zou, A software package for the numerical integration of ODEs by means of high-order Taylor methods",
    needs: "forces that are analytic; for reference-grade runs",
    text: include_str!("simulate/taylor.rs"),
};

/// Radau IIA of order 5.
pub const IMPLICIT: Card = Card {
    id: "implicit",
    aliases: &["radau", "radau5"],
    name: "Radau IIA of order 5",
    source: "E. Hairer, G. Wanner, Solving Ordinary Differential Equations II",
    needs: "nothing; made for stiff forces",
    text: include_str!("simulate/implicit.rs"),
};

/// Discrete Lagrange–d'Alembert.
pub const DLA: Card = Card {
    id: "dla",
    aliases: &["lagrange-dalembert"],
    name: "Discrete Lagrange–d'Alembert",
    source: "J. Cortés, S. Martínez, Non-holonomic integrators, Nonlinearity 14 (2001)",
    needs: "a step of constant length, no constraint of second order",
    text: include_str!("simulate/dla.rs"),
};

/// The methods of integration: a model file may name one, and `simulate` knows how each begins. The first is taken where nobody
/// asks for another.
pub const METHODS: [&Card; 4] = [&DOP853, &TAYLOR, &IMPLICIT, &DLA];
