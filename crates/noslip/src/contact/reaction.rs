//! The reaction under a law of friction: λ = λ_f + P T₀(t, q, q̇, λ), solved at every state.

use super::non_ideal::LawFailure;
use crate::compile::{CompileOptions, Runner, compile};
use crate::error::{Error, Result};
use crate::expr::{Expr, Function, Node, Role, Symbol};
use crate::mechanics::Workbench;
use crate::numeric::{Lu, Saddle, SaddleFailure};
use crate::simulate::{Ode, RhsFailure};
use rustc_hash::FxHashMap;

/// A law that is affine in λ for each choice of signs.
struct Branches {
    /// Number of signs.
    signs: usize,
    /// (t, q, q̇, σ) → T₀|λ=0, ∂T₀/∂λ by rows, u|λ=0, ∂u/∂λ by rows.
    affine: Runner,
    input: Vec<f64>,
    output: Vec<f64>,
}

/// Motion under constraints that are not ideal: (1) as y′ = f(t, y).
pub struct NonIdeal {
    n: usize,
    k: usize,
    /// (t, q, q̇) → M, A, f, b.
    mechanics: Runner,
    /// (t, q, q̇, λ) → T₀, then ∂T₀/∂λ row by row.
    law: Runner,
    branches: Option<Branches>,
    saddle: Saddle,
    input: Vec<f64>,
    system: Vec<f64>,
    tangential: Vec<f64>,
    acceleration: Vec<f64>,
    /// The reaction; where Newton's method begins.
    lambda: Vec<f64>,
    constraints: Vec<String>,
    coordinates: Vec<String>,
    /// What the law did wrong at the last evaluation that failed because of it.
    pub failure: Option<LawFailure>,
    /// Most iterations of Newton's method that one evaluation needed; zero for laws that are affine but for signs.
    pub most_iterations: usize,
}

/// Accelerations, multipliers, tangential force.
pub type Solved<'a> = (&'a [f64], &'a [f64], &'a [f64]);

/// Iterations for the reaction before it is given up.
const ITERATIONS: usize = 60;
/// Change of the reaction, relative to its size, that counts as none.
const CONVERGED: f64 = 1e-13;
/// Reactions nearer than this, relative to their size, are one.
const SAME: f64 = 1e-8;
/// Signs of a law that are tried out in all combinations.
const MOST_SIGNS: usize = 8;

/// Writes a sign for every modulus and sign of what depends on the multipliers; `None` where the rest is not affine in them.
/// Returns the law, the arguments and the symbols of the signs.
fn signs(w: &mut Workbench, law: &[Expr], multipliers: &[Symbol]) -> Option<(Vec<Expr>, Vec<Expr>, Vec<Symbol>)> {
    let mut memo: FxHashMap<Expr, Expr> = FxHashMap::default();
    let (mut arguments, mut symbols): (Vec<Expr>, Vec<Symbol>) = (Vec::new(), Vec::new());
    for e in w.g.reachable(law) {
        let switched = match *w.g.node(e) {
            Node::Call(f @ (Function::Abs | Function::Sign), u) if w.g.depends_on_any(u, multipliers) => Some((f, u)),
            _ => None,
        };
        let replaced = match switched {
            Some((f, u)) => {
                let u = memo.get(&u).copied().unwrap_or(u);
                let at = arguments.iter().position(|&x| x == u).unwrap_or_else(|| {
                    let name = format!("sign_{}", arguments.len() + 1);
                    symbols.push(w.g.declare_beside(&name, Role::Other));
                    arguments.push(u);
                    arguments.len() - 1
                });
                let sign = w.g.symbol(symbols[at]);
                if f == Function::Abs { w.g.mul(sign, u) } else { sign }
            }
            None => w.g.rebuild(e, |x| memo.get(&x).copied().unwrap_or(x)),
        };
        memo.insert(e, replaced);
    }
    let law: Vec<Expr> = law.iter().map(|e| memo.get(e).copied().unwrap_or(*e)).collect();
    let all: Vec<Expr> = law.iter().chain(&arguments).copied().collect();
    let jacobian = w.g.jacobian(&all, multipliers);
    let affine = jacobian.iter().flatten().all(|&e| !w.g.depends_on_any(e, multipliers));
    (affine && arguments.len() <= MOST_SIGNS).then_some((law, arguments, symbols))
}

impl NonIdeal {
    /// Compiles the system with the tangential forces T₀, one per coordinate; they may contain multipliers.
    pub fn new(w: &mut Workbench, law: &[Expr], options: &CompileOptions) -> Result<NonIdeal> {
        let refuse = |why: String| Error::not_applicable(format!("a law of friction does not apply: {why}"));
        w.independent_constraints().map_err(refuse)?;
        let d = w.dynamics();
        let (n, k) = (w.system.n(), w.system.k());
        if law.len() != n {
            return Err(Error::input("a law of friction has one force per coordinate"));
        }
        let law: Vec<Expr> = law.iter().map(|&e| crate::verify::in_coordinates(w, e)).collect();
        if law.iter().any(|&e| w.g.depends_on_any(e, &w.system.accelerations)) {
            return Err(Error::input("a law of friction cannot contain accelerations")
                .hint("write it with the multipliers lambda_NAME"));
        }
        let mut state = vec![w.g.time()];
        state.extend(&w.system.coordinates);
        state.extend(&w.system.velocities);
        let force: Vec<Expr> = d.rest.iter().map(|&h| w.g.neg(h)).collect();
        let outputs: Vec<Expr> =
            d.mass.iter().flatten().chain(d.a.iter().flatten()).chain(&force).chain(&d.b).copied().collect();
        let mechanics = compile(&w.g, &state, &outputs, options)?.runner();
        let multipliers: Vec<Symbol> = w.system.constraints.iter().map(|c| c.multiplier).collect();
        let branches = match signs(w, &law, &multipliers) {
            None => None,
            Some((affine, arguments, symbols)) => {
                let mut list = Vec::new();
                for block in [&affine, &arguments] {
                    let jacobian = w.g.jacobian(block, &multipliers);
                    list.extend(block.iter().map(|&e| w.g.without(e, &multipliers)));
                    list.extend(jacobian.into_iter().flatten());
                }
                let inputs: Vec<Symbol> = state.iter().chain(&symbols).copied().collect();
                Some(Branches {
                    signs: symbols.len(),
                    affine: compile(&w.g, &inputs, &list, options)?.runner(),
                    input: vec![0.0; inputs.len()],
                    output: vec![0.0; list.len()],
                })
            }
        };
        let inputs: Vec<Symbol> = state.iter().chain(&multipliers).copied().collect();
        let jacobian = w.g.jacobian(&law, &multipliers);
        let outputs_law: Vec<Expr> = law.iter().chain(jacobian.iter().flatten()).copied().collect();
        Ok(NonIdeal {
            n,
            k,
            mechanics,
            law: compile(&w.g, &inputs, &outputs_law, options)?.runner(),
            branches,
            saddle: Saddle::new(n, k),
            input: vec![0.0; inputs.len()],
            system: vec![0.0; outputs.len()],
            tangential: vec![0.0; outputs_law.len()],
            acceleration: vec![0.0; n],
            lambda: vec![0.0; k],
            constraints: w.system.constraints.iter().map(|c| c.name.clone()).collect(),
            coordinates: w.system.coordinates.iter().map(|&s| w.g.name(s).to_owned()).collect(),
            failure: None,
            most_iterations: 0,
        })
    }

    fn blame(&self, e: SaddleFailure) -> RhsFailure {
        match e {
            SaddleFailure::Constraint { row } => {
                RhsFailure::Singular { which: format!("constraint `{}`", self.constraints[row]) }
            }
            SaddleFailure::Inertia { coordinate } => {
                RhsFailure::Singular { which: format!("coordinate `{}`", self.coordinates[coordinate]) }
            }
            SaddleFailure::NonFinite => RhsFailure::NonFinite { component: self.n },
        }
    }

    /// The multipliers for a force on the coordinates, with A q̈ = b or 0; the accelerations are left in place.
    fn respond(&mut self, force: &[f64], moving: bool) -> Result<Vec<f64>, RhsFailure> {
        let (n, k) = (self.n, self.k);
        let (m, rest) = self.system.split_at(n * n);
        let (a, rest) = rest.split_at(k * n);
        let b = &rest[n..];
        let zero = vec![0.0; k];
        let mut response = vec![0.0; k];
        let right = if moving { b } else { &zero };
        let solved = self.saddle.solve(m, a, force, right, &mut self.acceleration, &mut response);
        solved.map_err(|e| self.blame(e))?;
        Ok(response)
    }

    fn fail(&mut self, failure: LawFailure) -> RhsFailure {
        let which = failure.describe(&self.constraints);
        self.failure = Some(failure);
        self.lambda.fill(0.0);
        RhsFailure::Singular { which }
    }

    /// Accelerations, multipliers and the tangential force at (t, y).
    pub fn solve(&mut self, t: f64, y: &[f64]) -> Result<Solved<'_>, RhsFailure> {
        let (n, k) = (self.n, self.k);
        self.input[0] = t;
        self.input[1..1 + 2 * n].copy_from_slice(y);
        self.mechanics.run(&self.input[..1 + 2 * n], &mut self.system);
        let lambda = if self.branches.is_some() { self.by_signs()? } else { self.by_newton()? };
        self.lambda.copy_from_slice(&lambda);
        self.input[1 + 2 * n..].copy_from_slice(&lambda);
        self.law.run(&self.input, &mut self.tangential);
        let force = &self.system[n * n + k * n..n * n + k * n + n];
        let total: Vec<f64> = (0..n).map(|i| force[i] + self.tangential[i]).collect();
        self.respond(&total, true)?;
        Ok((&self.acceleration, &self.lambda, &self.tangential[..n]))
    }

    /// Every choice of signs, each by one linear system.
    fn by_signs(&mut self) -> Result<Vec<f64>, RhsFailure> {
        let (n, k) = (self.n, self.k);
        let force = self.system[n * n + k * n..n * n + k * n + n].to_vec();
        let ideal = self.respond(&force, true)?;
        let mut response = Vec::new();
        for i in 0..n {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            response.push(self.respond(&unit, false)?);
        }
        let Some(mut branches) = self.branches.take() else { return Ok(ideal) };
        let m = branches.signs;
        let (mut solutions, mut candidates): (Vec<Vec<f64>>, Vec<Vec<f64>>) = (Vec::new(), Vec::new());
        let mut degenerate = false;
        branches.input[..1 + 2 * n].copy_from_slice(&self.input[..1 + 2 * n]);
        for choice in 0..1usize << m {
            let sign = |a: usize| if choice >> a & 1 == 0 { 1.0 } else { -1.0 };
            for a in 0..m {
                branches.input[1 + 2 * n + a] = sign(a);
            }
            branches.affine.run(&branches.input, &mut branches.output);
            let (offset, rest) = branches.output.split_at(n);
            let (slope, rest) = rest.split_at(n * k);
            let (u, by_lambda) = rest.split_at(m);
            // (1 − P ∂T₀/∂λ) λ = λ_f + P T₀|₀
            let mut matrix: Lu<f64> = Lu::new(k);
            let mut lambda = ideal.clone();
            for j in 0..k {
                for i in 0..n {
                    lambda[j] += response[i][j] * offset[i];
                }
                for c in 0..k {
                    let coupled: f64 = (0..n).map(|i| response[i][j] * slope[i * k + c]).sum();
                    matrix.matrix()[j * k + c] = f64::from(u8::from(j == c)) - coupled;
                }
            }
            if matrix.factorise().is_err() {
                degenerate = true;
                continue;
            }
            matrix.solve(&mut lambda);
            let size = 1.0 + largest(&lambda);
            let agrees = (0..m).all(|a| {
                let value = u[a] + (0..k).map(|c| by_lambda[a * k + c] * lambda[c]).sum::<f64>();
                let scale = 1.0 + (0..k).map(|c| (by_lambda[a * k + c] * lambda[c]).abs()).sum::<f64>();
                sign(a) * value >= -1e-12 * scale
            });
            let list = if agrees { &mut solutions } else { &mut candidates };
            if !list.iter().any(|x| distance(x, &lambda) <= SAME * size) {
                list.push(lambda);
            }
        }
        self.branches = Some(branches);
        if solutions.iter().flatten().any(|x| !x.is_finite()) {
            return Err(RhsFailure::NonFinite { component: n });
        }
        match solutions.len() {
            1 => Ok(solutions.remove(0)),
            0 if degenerate => Err(self.fail(LawFailure::Degenerate)),
            0 => Err(self.fail(LawFailure::None { candidates })),
            _ => Err(self.fail(LawFailure::Several { solutions })),
        }
    }

    /// Newton's method from where the last evaluation ended and from both sides of the reaction without friction.
    fn by_newton(&mut self) -> Result<Vec<f64>, RhsFailure> {
        let (n, k) = (self.n, self.k);
        let force = self.system[n * n + k * n..n * n + k * n + n].to_vec();
        let ideal = self.respond(&force, true)?;
        let mut starts = vec![self.lambda.clone(), ideal.clone()];
        starts.push(ideal.iter().map(|x| -2.0 * x - 1.0).collect());
        starts.push(ideal.iter().map(|x| 4.0 * x + 1.0).collect());
        let mut solutions: Vec<Vec<f64>> = Vec::new();
        for start in starts {
            if let Some(lambda) = self.newton(&force, start)?
                && !solutions.iter().any(|x| distance(x, &lambda) <= SAME * (1.0 + largest(&lambda)))
            {
                solutions.push(lambda);
            }
        }
        match solutions.len() {
            0 => Err(self.fail(LawFailure::NotFound)),
            1 => Ok(solutions.remove(0)),
            _ => Err(self.fail(LawFailure::Several { solutions })),
        }
    }

    fn newton(&mut self, force: &[f64], mut lambda: Vec<f64>) -> Result<Option<Vec<f64>>, RhsFailure> {
        let (n, k) = (self.n, self.k);
        for iteration in 1..=ITERATIONS {
            if lambda.iter().any(|x| !x.is_finite()) {
                return Ok(None);
            }
            self.input[1 + 2 * n..].copy_from_slice(&lambda);
            self.law.run(&self.input, &mut self.tangential);
            if self.tangential.iter().any(|x| !x.is_finite()) {
                return Ok(None);
            }
            let total: Vec<f64> = (0..n).map(|i| force[i] + self.tangential[i]).collect();
            let response = self.respond(&total, true)?;
            let mut step: Vec<f64> = (0..k).map(|j| response[j] - lambda[j]).collect();
            let size = 1.0 + largest(&lambda);
            if step.iter().all(|r| r.abs() <= CONVERGED * size) {
                self.most_iterations = self.most_iterations.max(iteration);
                return Ok(Some(lambda));
            }
            // (1 − P ∂T₀/∂λ) dλ = residual
            let mut matrix: Lu<f64> = Lu::new(k);
            for j in 0..k {
                let column: Vec<f64> = (0..n).map(|i| self.tangential[n + i * k + j]).collect();
                let response = self.respond(&column, false)?;
                for i in 0..k {
                    matrix.matrix()[i * k + j] = f64::from(u8::from(i == j)) - response[i];
                }
            }
            if matrix.factorise().is_err() {
                return Ok(None);
            }
            matrix.solve(&mut step);
            for (x, dx) in lambda.iter_mut().zip(&step) {
                *x += dx;
            }
        }
        Ok(None)
    }
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

fn distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()))
}

impl Ode for NonIdeal {
    fn dimension(&self) -> usize {
        2 * self.n
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), RhsFailure> {
        let n = self.n;
        let (a, _, _) = self.solve(t, y)?;
        dy[n..].copy_from_slice(a);
        dy[..n].copy_from_slice(&y[n..]);
        Ok(())
    }
}
