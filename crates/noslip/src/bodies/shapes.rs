//! Shapes: uniform solids, their moments of inertia, and their lowest points.

use super::layer::Layer;
use super::vector::Vector;
use crate::expr::Expr;

/// What a body looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Point,
    Disk,
    Hoop,
    Cylinder,
    Torus,
    Ball,
    Shell,
    Ellipsoid,
    Box,
    Rod,
}

use ShapeKind::*;

/// A shape in the frame of its body.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) kind: ShapeKind,
    pub(super) sizes: Vec<Expr>,
    pub(super) axis: usize,
    /// Its middle.
    pub(super) at: Vector,
}

/// How the mass of a body resists turning, about its centre and in the axes of its frame.
#[derive(Clone, Debug)]
pub(super) enum Inertia {
    /// A particle.
    None,
    /// The same about every axis.
    Ball(Expr),
    /// Round about one of the axes: the moments about that axis and across it.
    Round { axis: usize, along: Expr, across: Expr },
    /// Anything else.
    Tensor([[Expr; 3]; 3]),
}

impl ShapeKind {
    pub(super) const ALL: [ShapeKind; 10] = [Point, Disk, Hoop, Cylinder, Torus, Ball, Shell, Ellipsoid, Box, Rod];

    pub(super) fn name(self) -> &'static str {
        match self {
            Point => "point",
            Disk => "disk",
            Hoop => "hoop",
            Cylinder => "cylinder",
            Torus => "torus",
            Ball => "ball",
            Shell => "shell",
            Ellipsoid => "ellipsoid",
            Box => "box",
            Rod => "rod",
        }
    }

    pub(super) fn named(name: &str) -> Option<ShapeKind> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }

    /// How many sizes it has.
    pub(super) fn sizes(self) -> usize {
        match self {
            Cylinder | Torus => 2,
            Ellipsoid | Box => 3,
            _ => 1,
        }
    }

    pub(super) fn hint(self) -> &'static str {
        match self {
            Point => "write `{ point = 0 }`",
            Disk | Hoop | Ball | Shell => "its size is the radius",
            Cylinder => "its sizes are the radius and the height",
            Torus => "its sizes are the radius to the middle of the tube and the radius of the tube",
            Ellipsoid => "its sizes are the semi-axes",
            Box => "its sizes are the full edges",
            Rod => "its size is the length",
        }
    }

    /// Does it look the same after any turn about its axis?
    pub(super) fn is_round(self) -> bool {
        !matches!(self, Ellipsoid | Box)
    }

    /// Does it look the same after any turn?
    pub(super) fn is_ball(self) -> bool {
        matches!(self, Ball | Shell | Point)
    }
}

impl Layer<'_> {
    /// The moments of inertia of a uniform solid about its middle.
    pub(super) fn uniform(&mut self, body: &str, mass: Expr, shape: &Shape) -> Inertia {
        let axis = shape.axis;
        let squares: Vec<Expr> = shape.sizes.iter().map(|&x| self.arena.square(x)).collect();
        // m Σ cᵢ sᵢ² with fractions cᵢ
        let mut moment = |about: &str, coefficients: &[(i64, i64)]| {
            let terms: Vec<Expr> = coefficients
                .iter()
                .zip(&squares)
                .map(|(&(n, d), &s)| {
                    let c = self.arena.fraction(n, d);
                    self.arena.mul(c, s)
                })
                .collect();
            let sum = self.arena.sum(terms);
            let moment = self.arena.mul(mass, sum);
            self.parameter_if_long(&format!("{body}_I{about}"), moment)
        };
        let mut round = |along: &[(i64, i64)], across: &[(i64, i64)]| Inertia::Round {
            axis,
            along: moment("a", along),
            across: moment("d", across),
        };
        match shape.kind {
            Point => Inertia::None,
            Disk => round(&[(1, 2)], &[(1, 4)]),
            Hoop => round(&[(1, 1)], &[(1, 2)]),
            Cylinder => round(&[(1, 2), (0, 1)], &[(1, 4), (1, 12)]),
            Torus => round(&[(1, 1), (3, 4)], &[(1, 2), (5, 8)]),
            Rod => round(&[(0, 1)], &[(1, 12)]),
            Ball => Inertia::Ball(moment("", &[(2, 5)])),
            Shell => Inertia::Ball(moment("", &[(2, 3)])),
            Ellipsoid | Box => {
                let part = if shape.kind == Ellipsoid { (1, 5) } else { (1, 12) };
                let none = (0, 1);
                let principal = [
                    moment("x", &[none, part, part]),
                    moment("y", &[part, none, part]),
                    moment("z", &[part, part, none]),
                ];
                self.principal(principal)
            }
        }
    }

    /// Principal moments along the axes of the frame, as simple as they are.
    pub(super) fn principal(&mut self, [a, b, c]: [Expr; 3]) -> Inertia {
        let round = |axis, along, across| Inertia::Round { axis, along, across };
        match (a == b, b == c, c == a) {
            (true, true, _) => Inertia::Ball(a),
            (true, ..) => round(2, c, a),
            (_, true, _) => round(0, a, b),
            (_, _, true) => round(1, b, c),
            _ => {
                let zero = self.arena.zero();
                Inertia::Tensor([[a, zero, zero], [zero, b, zero], [zero, zero, c]])
            }
        }
    }
}
