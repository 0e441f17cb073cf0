//! What the variables of a polynomial stand for when it is to be read.
//!
//! Sine and cosine of an angle bring along the functions they can be rewritten into, as variables of their own.

use crate::error::Result;
use crate::expr::arena::Function;
use crate::expr::decimals::Decimals;
use crate::expr::number::Rational;
use crate::expr::poly::{Monomial, Poly, Var};
use crate::expr::tree::Tree;

/// How hard something is to read: operations first, then brackets, then characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost {
    /// Operations, and one for every motion that is written as a factor of a bracket with motions in it: books write
    /// products of velocities out, v·(a·v − b·w) as a·v² − b·v·w.
    pub weight: usize,
    pub brackets: usize,
    pub length: usize,
}

impl Cost {
    pub(super) const fn new(weight: usize, length: usize) -> Cost {
        Cost { weight, brackets: 0, length }
    }

    pub(super) const BRACKETS: Cost = Cost { weight: 0, brackets: 1, length: 2 };
}

impl std::ops::Add for Cost {
    type Output = Cost;
    fn add(self, other: Cost) -> Cost {
        Cost {
            weight: self.weight + other.weight,
            brackets: self.brackets + other.brackets,
            length: self.length + other.length,
        }
    }
}

impl std::ops::AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(iter: I) -> Cost {
        iter.fold(Cost::default(), |a, b| a + b)
    }
}

/// A function of an angle that has a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trig {
    Sin,
    Cos,
    Tan,
    Cot,
    Sec,
    Csc,
    /// Sine of the double angle.
    Sin2,
    /// Cosine of the double angle.
    Cos2,
}

impl Trig {
    const ALL: [Trig; 8] = [Trig::Sin, Trig::Cos, Trig::Tan, Trig::Cot, Trig::Sec, Trig::Csc, Trig::Sin2, Trig::Cos2];

    fn function(self) -> (Function, bool) {
        match self {
            Trig::Sin => (Function::Sin, false),
            Trig::Cos => (Function::Cos, false),
            Trig::Tan => (Function::Tan, false),
            Trig::Cot => (Function::Cot, false),
            Trig::Sec => (Function::Sec, false),
            Trig::Csc => (Function::Csc, false),
            Trig::Sin2 => (Function::Sin, true),
            Trig::Cos2 => (Function::Cos, true),
        }
    }
}

/// An angle, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct AngleId(usize);

enum Atom {
    /// How it is written, and whether it is a velocity or acceleration.
    Plain(Tree, Cost, bool),
    Trig(AngleId, Trig, Cost),
}

struct Angle {
    argument: Tree,
    double: Tree,
    first: u32,
    /// The angles it is the sum (1) or difference (−1) of.
    sum: Option<Combination>,
}

/// first + sign·second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Combination {
    pub first: AngleId,
    pub second: AngleId,
    pub sign: i64,
}

/// The table of variables.
#[derive(Default)]
pub(super) struct Atoms {
    atoms: Vec<Atom>,
    angles: Vec<Angle>,
    hyperbolic: Vec<Hyperbolic>,
    /// Which numbers are written as decimals.
    decimals: Decimals,
}

/// The hyperbolic functions of one argument.
#[derive(Clone, Copy)]
pub(super) struct Hyperbolic {
    pub sinh: Var,
    pub cosh: Var,
    pub tanh: Var,
}

impl Atoms {
    /// A variable for something that is written as it is; `length` is that of its text, `motion` says whether it is a
    /// velocity or acceleration.
    pub(super) fn plain(&mut self, tree: Tree, length: usize, motion: bool) -> Var {
        let cost = Cost::new(tree.operations(), length);
        self.atoms.push(Atom::Plain(tree, cost, motion));
        Var(self.atoms.len() as u32 - 1)
    }

    /// For numbers that are written as these.
    pub(super) fn new(decimals: Decimals) -> Atoms {
        Atoms { decimals, ..Atoms::default() }
    }

    /// What of a number stands above and below the bar.
    pub(super) fn split(&self, n: &Rational) -> (Rational, Rational) {
        self.decimals.split(n)
    }

    /// sinh/cosh of one argument may be written as tanh.
    pub(super) fn hyperbolic(&mut self, sinh: Var, cosh: Var, tanh: Var) {
        self.hyperbolic.push(Hyperbolic { sinh, cosh, tanh });
    }

    /// The hyperbolic functions that occur.
    pub(super) fn hyperbolics(&self) -> &[Hyperbolic] {
        &self.hyperbolic
    }

    /// Variables for the functions of an angle; `length` is that of the angle's text.
    pub(super) fn angle(&mut self, argument: Tree, length: usize) -> AngleId {
        self.new_angle(argument, length, None)
    }

    /// Variables for the functions of a sum or difference of angles.
    pub(super) fn combination(&mut self, argument: Tree, length: usize, sum: Combination) {
        self.new_angle(argument, length, Some(sum));
    }

    fn new_angle(&mut self, argument: Tree, length: usize, sum: Option<Combination>) -> AngleId {
        let id = AngleId(self.angles.len());
        let first = self.atoms.len() as u32;
        let double = doubled(&argument);
        for trig in Trig::ALL {
            let tree = if trig.function().1 { &double } else { &argument };
            // The name of every one of these functions has three letters; and two brackets.
            self.atoms.push(Atom::Trig(id, trig, Cost::new(tree.operations() + 1, length + 5)));
        }
        self.angles.push(Angle { argument, double, first, sum });
        id
    }

    /// The sums and differences of angles that may be written in place of these.
    pub(super) fn combinations(&self) -> impl Iterator<Item = (AngleId, Combination)> {
        self.angles.iter().enumerate().filter_map(|(i, a)| Some((AngleId(i), a.sum?)))
    }

    /// The angles this is the sum or difference of.
    pub(super) fn parts(&self, angle: AngleId) -> Option<Combination> {
        self.angles[angle.0].sum
    }

    /// The variable of a function of an angle.
    pub(super) fn trig(&self, angle: AngleId, trig: Trig) -> Var {
        Var(self.angles[angle.0].first + trig as u32)
    }

    /// What function of what angle a variable is.
    pub(super) fn as_trig(&self, v: Var) -> Option<(AngleId, Trig)> {
        match self.atoms[v.0 as usize] {
            Atom::Trig(angle, trig, _) => Some((angle, trig)),
            Atom::Plain(..) => None,
        }
    }

    /// Length of a variable in print.
    pub(super) fn cost(&self, v: Var) -> Cost {
        match &self.atoms[v.0 as usize] {
            Atom::Plain(_, cost, _) | Atom::Trig(_, _, cost) => *cost,
        }
    }

    /// Is it a velocity or an acceleration?
    pub(super) fn is_motion(&self, v: Var) -> bool {
        matches!(self.atoms[v.0 as usize], Atom::Plain(_, _, true))
    }

    /// Does the polynomial contain a velocity or an acceleration?
    pub(super) fn has_motion(&self, p: &Poly) -> bool {
        p.terms().iter().any(|(m, _)| m.factors().any(|(v, _)| self.is_motion(v)))
    }

    /// About how many operations the polynomial takes, term by term.
    pub(super) fn rough_weight(&self, p: &Poly) -> usize {
        let factors = p.terms().iter().flat_map(|(m, _)| m.factors());
        let numbers = p.terms().iter().filter(|(_, c)| !c.is_one() && !c.is_minus_one()).count();
        numbers + factors.map(|(v, e)| 1 + self.cost(v).weight + usize::from(!(-1..=1).contains(&e))).sum::<usize>()
    }

    /// A lower bound for the operations in any way to write the polynomial. Functions of an angle may be exchanged
    /// for others, so they count as one call.
    pub(super) fn least_weight(&self, p: &Poly) -> usize {
        let (mut atoms, mut weight, mut functions) = (0, 0, false);
        for v in p.variables() {
            match self.as_trig(v) {
                Some(_) => functions = true,
                None => (atoms, weight) = (atoms + 1, weight + self.cost(v).weight),
            }
        }
        let functions = usize::from(functions);
        (atoms + weight + 2 * functions).saturating_sub(1)
    }

    /// A variable in print.
    pub(super) fn tree(&self, v: Var) -> Tree {
        match &self.atoms[v.0 as usize] {
            Atom::Plain(tree, ..) => tree.clone(),
            Atom::Trig(angle, trig, _) => {
                let (f, double) = trig.function();
                let angle = &self.angles[angle.0];
                Tree::call(f, if double { angle.double.clone() } else { angle.argument.clone() })
            }
        }
    }

    /// A power of a function of an angle as a monomial in its sine and cosine alone, with the power of two in front;
    /// `None` for the cosine of the double angle, which is not one.
    pub(super) fn in_sine_and_cosine(&self, angle: AngleId, trig: Trig, e: i32) -> Result<Option<(Monomial, i32)>> {
        let (sin, cos, twos) = match trig {
            Trig::Sin => (e, 0, 0),
            Trig::Cos => (0, e, 0),
            Trig::Tan => (e, -e, 0),
            Trig::Cot => (-e, e, 0),
            Trig::Sec => (0, -e, 0),
            Trig::Csc => (-e, 0, 0),
            Trig::Sin2 => (e, e, e),
            Trig::Cos2 => return Ok(None),
        };
        let s = Monomial::power(self.trig(angle, Trig::Sin), sin)?;
        Ok(Some((s.mul(&Monomial::power(self.trig(angle, Trig::Cos), cos)?)?, twos)))
    }
}

/// 2·argument, without a number in front where there was 1/2.
fn doubled(argument: &Tree) -> Tree {
    let two = Rational::integer(2);
    match argument {
        Tree::Quotient(a, b) => match &**b {
            Tree::Number(n) if *n == two => return (**a).clone(),
            Tree::Number(n) if (n / &two).is_integer() => {
                return Tree::Quotient(a.clone(), Box::new(Tree::Number(n / &two)));
            }
            _ => {}
        },
        Tree::Product(factors) => {
            if let Some(Tree::Number(n)) = factors.first() {
                let mut factors = factors.clone();
                factors[0] = Tree::Number(n * &two);
                return Tree::Product(factors);
            }
            let mut all = vec![Tree::Number(two)];
            all.extend(factors.iter().cloned());
            return Tree::Product(all);
        }
        _ => {}
    }
    Tree::Product(vec![Tree::Number(two), argument.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_parts_cost_together_is_what_each_costs() {
        let (a, b) = (Cost { weight: 1, brackets: 2, length: 5 }, Cost { weight: 3, brackets: 0, length: 0 });
        assert_eq!(a + b, Cost { weight: 4, brackets: 2, length: 5 });
        assert_eq!(a + a, Cost { weight: 2, brackets: 4, length: 10 });
    }
}
