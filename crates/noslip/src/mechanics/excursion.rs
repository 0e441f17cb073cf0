//! Where a motion leaves what is known of a table.

/// A table that was asked for where it has no data.
#[derive(Clone, Debug, PartialEq)]
pub struct Excursion {
    /// The table.
    pub table: String,
    /// Its argument, as text.
    pub argument: String,
    /// The first and the last argument of its data.
    pub data: [f64; 2],
    /// The value of the argument that is beyond them.
    pub value: f64,
    /// When it left them.
    pub t: f64,
}

impl Excursion {
    /// The same table at the same argument?
    pub fn is_of(&self, other: &Excursion) -> bool {
        self.table == other.table && self.argument == other.argument
    }
}
