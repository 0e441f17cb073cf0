//! Beyond the equations of motion: vakonomic motions, principles, Hamiltonisation, friction.

mod canonical;
mod friction;
mod hamiltonise;
mod principles;
mod vakonomic;
