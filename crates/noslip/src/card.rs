//! What people are told of a form or a subject: one card each.

/// The `//!` lines at the head of a source file. They alone are in the program, not the file.
macro_rules! head_of {
    ($file:literal) => {{
        const FILE: &str = include_str!($file);
        const HEAD: [u8; $crate::card::head_length(FILE)] = $crate::card::copy_of_head(FILE);
        const TEXT: &str = match std::str::from_utf8(&HEAD) {
            Ok(text) => text,
            Err(_) => panic!("lines end between letters"),
        };
        TEXT
    }};
}
pub(crate) use head_of;

/// How many bytes of a file are lines that begin with `//!`.
pub(crate) const fn head_length(file: &str) -> usize {
    let text = file.as_bytes();
    let mut start = 0;
    while start + 2 < text.len() && text[start] == b'/' && text[start + 1] == b'/' && text[start + 2] == b'!' {
        while start < text.len() && text[start] != b'\n' {
            start += 1;
        }
        start += 1;
    }
    if start < text.len() { start } else { text.len() }
}

/// The first bytes of a file.
pub(crate) const fn copy_of_head<const N: usize>(file: &str) -> [u8; N] {
    let mut head = [0; N];
    let mut i = 0;
    while i < N {
        head[i] = file.as_bytes()[i];
        i += 1;
    }
    head
}

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
    /// What it is, with its equations: the `//!` lines at the head of its file, so that the code's own documentation is what
    /// the program shows.
    pub about: &'static str,
}

impl Card {
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
    about: head_of!("simulate/dop853.rs"),
};

/// Taylor series of high order.
pub const TAYLOR: Card = Card {
    id: "taylor",
    aliases: &[],
    name: "Taylor series of high order",
    source: "À. Jorba, M. Zou, A software package for the numerical integration of ODEs by means of high-order Taylor methods",
    needs: "forces that are analytic; for reference-grade runs",
    about: head_of!("simulate/taylor.rs"),
};

/// Radau IIA of order 5.
pub const IMPLICIT: Card = Card {
    id: "implicit",
    aliases: &["radau", "radau5"],
    name: "Radau IIA of order 5",
    source: "E. Hairer, G. Wanner, Solving Ordinary Differential Equations II",
    needs: "nothing; made for stiff forces",
    about: head_of!("simulate/implicit.rs"),
};

/// Discrete Lagrange–d'Alembert.
pub const DLA: Card = Card {
    id: "dla",
    aliases: &["lagrange-dalembert"],
    name: "Discrete Lagrange–d'Alembert",
    source: "J. Cortés, S. Martínez, Non-holonomic integrators, Nonlinearity 14 (2001)",
    needs: "a step of constant length, no constraint of second order",
    about: head_of!("simulate/dla.rs"),
};

/// The methods of integration: a model file may name one, and `simulate` knows how each begins. The first is taken where nobody
/// asks for another.
pub const METHODS: [&Card; 4] = [&DOP853, &TAYLOR, &IMPLICIT, &DLA];
