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

/// The subjects that are explained beside the forms.
pub const SUBJECTS: &[&Card] = &[
    &crate::principles::vakonomic::CARD,
    &crate::hamilton::hamiltonise::CARD,
    &crate::hamilton::inverse::CARD,
    &crate::hamilton::canonical::CARD,
    &crate::principles::evaluate::CARD,
    &crate::contact::friction::CARD,
    &crate::contact::non_ideal::CARD,
];
