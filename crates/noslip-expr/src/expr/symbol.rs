//! Symbols and what they stand for.

/// A symbol, as an index into the arena that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(crate) u32);

/// What a symbol stands for. The order is the order in which factors of a printed term are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A mathematical constant: π.
    Constant,
    /// A parameter of the model.
    Parameter,
    /// Time.
    Time,
    /// A coordinate q.
    Coordinate,
    /// A velocity q̇.
    Velocity,
    /// A quasi-velocity v.
    QuasiVelocity,
    /// An acceleration q̈.
    Acceleration,
    /// The time derivative of a quasi-velocity.
    QuasiAcceleration,
    /// A multiplier λ or μ.
    Multiplier,
    /// The time derivative of a multiplier.
    MultiplierRate,
    /// A variation or virtual displacement: δq, δπ.
    Variation,
    /// Anything else: a third derivative, an integration constant.
    Other,
}

/// What the arena knows of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolInfo {
    /// The name as the model's syntax writes it: `phi`, `phi'`, `lambda_knife_edge`.
    pub name: String,
    /// What it stands for.
    pub role: Role,
    /// The symbol it is the time derivative of.
    pub integral: Option<Symbol>,
    /// Its own time derivative, once somebody has asked for it.
    pub derivative: Option<Symbol>,
}

impl Role {
    /// Does the symbol vary with time without being time itself?
    pub fn varies(self) -> bool {
        !matches!(self, Role::Constant | Role::Parameter | Role::Time)
    }

    /// Role of the time derivative of a symbol of this role.
    pub fn derivative(self) -> Role {
        match self {
            Role::Coordinate => Role::Velocity,
            Role::Velocity => Role::Acceleration,
            Role::QuasiVelocity => Role::QuasiAcceleration,
            Role::Multiplier => Role::MultiplierRate,
            _ => Role::Other,
        }
    }
}
