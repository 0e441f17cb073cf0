//! The commands that analyse motions.

pub mod connect;
pub mod connection;
pub mod exponents;
pub mod integrals;
pub mod linearise;
pub mod measure;
pub mod reduce;
pub mod section;
pub mod steady;

use crate::failure::Failure;
use crate::open::Opened;
use crate::options::{number, unknown};
use crate::words::{shown, symbol};
use noslip::Error;
use noslip::expr::{Assignment, Expr, Symbol};
use noslip::mechanics::Workbench;
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::Target;
use noslip::motions::{Complex, in_quasi_velocities};
use noslip_cli::answers::{ByName, Eigenvalue, Stability};

/// The system in quasi-velocities, and whether they were chosen by the program.
pub fn analysed(opened: &Opened) -> Result<(Workbench, bool), Failure> {
    Ok(in_quasi_velocities(opened.model.workbench())?)
}

/// A name on the command line, read as far as it can be before the quasi-velocities are known.
pub struct Named {
    /// As written.
    pub text: String,
    /// As an expression of the model, or why it is none.
    expression: Result<Expr, Failure>,
}

impl Named {
    /// Reads a name.
    pub fn read(opened: &mut Opened, option: &str, text: &str) -> Named {
        Named { text: text.to_owned(), expression: opened.expression(option, text) }
    }

    /// A member of the closed part, a parameter, or any function of the state.
    pub fn target(self, w: &mut Workbench, r: &Reduction, option: &str) -> Result<Target, Failure> {
        let members: Vec<Symbol> = r.shape.iter().chain(&r.flow.free).copied().collect();
        if let Some(&s) = members.iter().find(|&&s| w.g.name(s) == self.text) {
            return Ok(Target::Function(w.g.symbol(s)));
        }
        let system = w.system.clone();
        if let Some(p) = system.parameters.iter().find(|p| w.g.name(p.symbol) == self.text) {
            return Ok(Target::Parameter(p.symbol));
        }
        let known: Vec<&str> =
            members.iter().copied().chain(system.parameters.iter().map(|p| p.symbol)).map(|s| w.g.name(s)).collect();
        let single = self.text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        let e = match self.expression {
            Ok(e) => e,
            Err(_) if single => {
                return Err(Failure::from(unknown(&format!("`{option}`: "), "quantity", &self.text, &known)));
            }
            Err(why) => return Err(why),
        };
        let mut beyond: Vec<Symbol> = system.accelerations.clone();
        beyond.extend(system.constraints.iter().map(|c| c.multiplier));
        if w.g.depends_on_any(e, &beyond) {
            return Err(Failure::from(Error::input(format!(
                "`{option} {}`: accelerations and multipliers cannot be given or varied",
                self.text
            ))));
        }
        Ok(Target::Function(e))
    }
}

/// A number as a command line gives it: 0.5, 2/3, pi/6.
pub fn value(opened: &mut Opened, option: &str, text: &str) -> Result<f64, Failure> {
    let exact = match number(text.trim()) {
        Some(x) => Some(x.to_f64()),
        None => opened.expression(option, text).ok().and_then(|e| {
            let arena = &opened.model.arena;
            let pi = arena.pi();
            let mut at = Assignment::new();
            at.set(pi, std::f64::consts::PI);
            let constant = arena.free_symbols(&[e]).iter().all(|&s| s == pi);
            constant.then(|| arena.evaluate(&[e], &at)[0])
        }),
    };
    exact.filter(|x| x.is_finite()).ok_or_else(|| {
        Failure::from(
            Error::input(format!("`{option}`: `{text}` is not a number"))
                .hint("write for example 0.5, 2/3 or pi/6; angles are in radians"),
        )
    })
}

/// Members of the closed part that stand for differences, a line each.
pub fn differences(w: &mut Workbench, r: &Reduction) -> String {
    r.relative.iter().map(|x| difference(w, x.symbol, x.expr)).collect()
}

/// A coordinate that stands for a difference.
pub fn difference(w: &mut Workbench, s: Symbol, e: Expr) -> String {
    let (name, e) = (symbol(w, s), shown(w, e));
    format!("  with {name} = {e}: only the difference matters\n")
}

/// Eigenvalues for a document.
pub fn eigenvalues(list: &[Complex]) -> Vec<Eigenvalue> {
    list.iter().map(|z| Eigenvalue { re: z.re, im: z.im }).collect()
}

/// What they say, for a document.
pub fn stability(s: noslip::motions::linearise::Stability) -> Stability {
    use noslip::motions::linearise::Stability as Known;
    match s {
        Known::Unstable => Stability::Unstable,
        Known::Marginal => Stability::Marginal,
        Known::Asymptotic => Stability::Asymptotic,
    }
}

/// An eigenvalue for a person.
pub fn eigenvalue(z: &Complex) -> String {
    let re = significant(z.re);
    if z.im == 0.0 {
        return re;
    }
    let sign = if z.im < 0.0 { "−" } else { "+" };
    format!("{re} {sign} {} i", significant(z.im.abs()))
}

/// Seven digits, without noise below a billionth.
pub fn significant(x: f64) -> String {
    if x.abs() < 1e-12 {
        return "0".into();
    }
    let text = format!("{x:.6e}");
    let rounded: f64 = text.parse().unwrap_or(x);
    crate::words::number(rounded)
}

/// Values by name.
pub fn by_name(w: &Workbench, list: &[(Symbol, f64)]) -> ByName<f64> {
    list.iter().map(|(s, x)| (w.g.name(*s).to_owned(), *x)).collect()
}

/// Names of symbols.
pub fn names(w: &Workbench, list: &[Symbol]) -> Vec<String> {
    list.iter().map(|&s| w.g.name(s).to_owned()).collect()
}
