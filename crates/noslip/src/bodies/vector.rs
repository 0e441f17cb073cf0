//! Three expressions as a vector.

use crate::expr::{Arena, Expr};

/// Components along three axes.
pub(super) type Vector = [Expr; 3];

/// Arithmetic of vectors, with nothing written that is zero.
pub(super) trait VectorArithmetic {
    fn nothing(&self) -> Vector;
    fn unit(&self, axis: usize) -> Vector;
    fn is_nothing(&self, a: &Vector) -> bool;
    fn plus(&mut self, a: &Vector, b: &Vector) -> Vector;
    fn minus(&mut self, a: &Vector, b: &Vector) -> Vector;
    fn times(&mut self, factor: Expr, a: &Vector) -> Vector;
    fn opposite(&mut self, a: &Vector) -> Vector;
    fn dot_of(&mut self, a: &Vector, b: &Vector) -> Expr;
    fn cross(&mut self, a: &Vector, b: &Vector) -> Vector;
    fn norm_squared(&mut self, a: &Vector) -> Expr;
    fn rate(&mut self, a: &Vector) -> Vector;
}

impl VectorArithmetic for Arena {
    fn nothing(&self) -> Vector {
        [self.zero(); 3]
    }

    fn unit(&self, axis: usize) -> Vector {
        let mut e = self.nothing();
        e[axis] = self.one();
        e
    }

    fn is_nothing(&self, a: &Vector) -> bool {
        a.iter().all(|&x| self.is_zero(x))
    }

    fn plus(&mut self, a: &Vector, b: &Vector) -> Vector {
        [0, 1, 2].map(|i| self.add(a[i], b[i]))
    }

    fn minus(&mut self, a: &Vector, b: &Vector) -> Vector {
        [0, 1, 2].map(|i| self.sub(a[i], b[i]))
    }

    fn times(&mut self, factor: Expr, a: &Vector) -> Vector {
        a.map(|x| self.mul(factor, x))
    }

    fn opposite(&mut self, a: &Vector) -> Vector {
        a.map(|x| self.neg(x))
    }

    fn dot_of(&mut self, a: &Vector, b: &Vector) -> Expr {
        let products = [0, 1, 2].map(|i| self.mul(a[i], b[i]));
        self.sum(products)
    }

    fn cross(&mut self, a: &Vector, b: &Vector) -> Vector {
        [0, 1, 2].map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let (x, y) = (self.mul(a[j], b[k]), self.mul(a[k], b[j]));
            self.sub(x, y)
        })
    }

    fn norm_squared(&mut self, a: &Vector) -> Expr {
        let squares = a.map(|x| self.square(x));
        self.sum(squares)
    }

    fn rate(&mut self, a: &Vector) -> Vector {
        a.map(|x| self.time_derivative(x))
    }
}
