//! Models without a file: a builder that says in Rust what a model file says in TOML.
//!
//! The builder writes the model file a person would have written and loads it. So both ways mean the same by
//! construction, errors point into a text ([`ModelBuilder::to_toml`]), and every model built in code can be saved.
//!
//! ```
//! use noslip::{Limits, model::ModelBuilder};
//!
//! let model = ModelBuilder::new("Chaplygin sleigh")
//!     .coordinates(["x", "y", "phi"])
//!     .parameter("m", 1.5)
//!     .parameter("J", "m*0.3^2")
//!     .kinetic("m/2*(x'^2 + y'^2) + J/2*phi'^2")
//!     .constraint("knife_edge", "x'*sin(phi) = y'*cos(phi)")
//!     .quasi_velocity("v", "x'*cos(phi) + y'*sin(phi)")
//!     .quasi_velocity("omega", "phi'")
//!     .position("phi", "pi/4")
//!     .velocity("phi", 1)
//!     .build(&Limits::default())
//!     .unwrap();
//! assert_eq!(model.system.n() - model.system.k(), 2);
//! ```

use super::load::Model;
use super::system::Interpolation;
use crate::error::Errors;
use crate::expr::Rational;
use crate::limits::Limits;
use crate::source::quoted;
use std::fmt::Write;

/// A value in a model: a number, or an expression in the syntax of model files.
#[derive(Clone, Debug, PartialEq)]
pub struct Text(String);

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Text(quoted(text))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Text(quoted(&text))
    }
}

/// The shortest decimal that is this number: `0.1` means 1/10, as in a file.
impl From<f64> for Text {
    fn from(x: f64) -> Self {
        Text(if x.is_finite() { format!("{x:?}") } else { x.to_string().to_lowercase() })
    }
}

impl From<i64> for Text {
    fn from(n: i64) -> Self {
        Text(n.to_string())
    }
}

impl From<i32> for Text {
    fn from(n: i32) -> Self {
        Text(n.to_string())
    }
}

impl From<&Rational> for Text {
    fn from(n: &Rational) -> Self {
        Text(quoted(&n.to_string()))
    }
}

/// Builds a [`Model`]. Sections appear in the file in the order of [`ModelBuilder::to_toml`], entries in the order given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelBuilder {
    name: String,
    source: Option<String>,
    description: Option<String>,
    coordinates: Vec<String>,
    parameters: Vec<(String, Text)>,
    definitions: Vec<(String, Text)>,
    functions: Vec<(String, Text)>,
    kinetic: Option<Text>,
    potential: Option<Text>,
    forces: Vec<(String, Text)>,
    constraints: Vec<(String, Text)>,
    quasi_velocities: Vec<(String, Text)>,
    tables: Vec<(String, String)>,
    time: Option<Text>,
    position: Vec<(String, Text)>,
    velocity: Vec<(String, Text)>,
    simulation: Vec<(String, Text)>,
    display: Vec<(String, Text)>,
}

impl ModelBuilder {
    /// A model of that name, with nothing in it.
    pub fn new(name: impl Into<String>) -> Self {
        ModelBuilder { name: name.into(), ..Self::default() }
    }

    /// Where it comes from.
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// What it is.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Adds coordinates.
    pub fn coordinates<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.coordinates.extend(names.into_iter().map(Into::into));
        self
    }

    /// Adds a parameter: a number, or an expression of other parameters.
    pub fn parameter(mut self, name: impl Into<String>, value: impl Into<Text>) -> Self {
        self.parameters.push((name.into(), value.into()));
        self
    }

    /// Adds an abbreviation.
    pub fn definition(mut self, name: impl Into<String>, value: impl Into<Text>) -> Self {
        self.definitions.push((name.into(), value.into()));
        self
    }

    /// Adds a function that is left open, by what it depends on: `.function("a", "x, y, z")`.
    pub fn function(mut self, name: impl Into<String>, of: impl Into<Text>) -> Self {
        self.functions.push((name.into(), of.into()));
        self
    }

    /// Sets the kinetic energy.
    pub fn kinetic(mut self, value: impl Into<Text>) -> Self {
        self.kinetic = Some(value.into());
        self
    }

    /// Sets the potential.
    pub fn potential(mut self, value: impl Into<Text>) -> Self {
        self.potential = Some(value.into());
        self
    }

    /// Sets the generalised force that belongs to a coordinate.
    pub fn force(mut self, coordinate: impl Into<String>, value: impl Into<Text>) -> Self {
        self.forces.push((coordinate.into(), value.into()));
        self
    }

    /// Adds a constraint.
    pub fn constraint(mut self, name: impl Into<String>, equation: impl Into<Text>) -> Self {
        self.constraints.push((name.into(), equation.into()));
        self
    }

    /// Adds a constraint with a law of friction.
    pub fn constraint_with_friction(
        mut self,
        name: impl Into<String>,
        equation: impl Into<Text>,
        friction: impl Into<Text>,
    ) -> Self {
        let value = format!("{{ equation = {}, friction = {} }}", equation.into().0, friction.into().0);
        self.constraints.push((name.into(), Text(value)));
        self
    }

    /// Adds a free quasi-velocity.
    pub fn quasi_velocity(mut self, name: impl Into<String>, value: impl Into<Text>) -> Self {
        self.quasi_velocities.push((name.into(), value.into()));
        self
    }

    /// Adds a table of measured data as a function of one argument.
    pub fn table(mut self, name: impl Into<String>, at: &[f64], values: &[f64], interpolation: Interpolation) -> Self {
        let list = |xs: &[f64]| xs.iter().map(|&x| Text::from(x).0).collect::<Vec<_>>().join(", ");
        let kind = match interpolation {
            Interpolation::Linear => "linear",
            Interpolation::Pchip => "pchip",
            Interpolation::Spline => "spline",
        };
        let body = format!("at = [{}]\nvalues = [{}]\ninterpolation = \"{kind}\"", list(at), list(values));
        self.tables.push((name.into(), body));
        self
    }

    /// Sets the initial time.
    pub fn time(mut self, value: impl Into<Text>) -> Self {
        self.time = Some(value.into());
        self
    }

    /// Gives an initial position.
    pub fn position(mut self, coordinate: impl Into<String>, value: impl Into<Text>) -> Self {
        self.position.push((coordinate.into(), value.into()));
        self
    }

    /// Gives an initial velocity.
    pub fn velocity(mut self, coordinate: impl Into<String>, value: impl Into<Text>) -> Self {
        self.velocity.push((coordinate.into(), value.into()));
        self
    }

    /// Sets a default for simulations: `until`, `tolerance`, `method`, `samples`.
    pub fn simulation(mut self, key: impl Into<String>, value: impl Into<Text>) -> Self {
        self.simulation.push((key.into(), value.into()));
        self
    }

    /// Says in LaTeX how a name is printed.
    pub fn display(mut self, name: impl Into<String>, latex: impl Into<Text>) -> Self {
        self.display.push((name.into(), latex.into()));
        self
    }

    /// The model file.
    pub fn to_toml(&self) -> String {
        let mut out = String::from("noslip = 1\n\n[system]\n");
        let mut line = |text: String| _ = writeln!(out, "{text}");
        line(format!("name = {}", quoted(&self.name)));
        for (key, value) in [("source", &self.source), ("description", &self.description)] {
            if let Some(text) = value {
                line(format!("{key} = {}", quoted(text)));
            }
        }
        let names: Vec<String> = self.coordinates.iter().map(|n| quoted(n)).collect();
        line(format!("coordinates = [{}]", names.join(", ")));
        let energy: Vec<(String, Text)> = [("kinetic", &self.kinetic), ("potential", &self.potential)]
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)))
            .collect();
        let sections = [
            ("parameters", &self.parameters),
            ("definitions", &self.definitions),
            ("functions", &self.functions),
            ("energy", &energy),
            ("forces", &self.forces),
            ("constraints", &self.constraints),
            ("quasi_velocities", &self.quasi_velocities),
            ("simulation", &self.simulation),
            ("display", &self.display),
        ];
        for (section, entries) in sections {
            if !entries.is_empty() {
                line(format!("\n[{section}]"));
            }
            entries.iter().for_each(|(name, value)| line(format!("{} = {}", key(name), value.0)));
        }
        for (name, body) in &self.tables {
            line(format!("\n[tables.{}]\n{body}", key(name)));
        }
        if self.time.is_some() || !self.position.is_empty() || !self.velocity.is_empty() {
            line("\n[initial]".into());
            if let Some(time) = &self.time {
                line(format!("time = {}", time.0));
            }
            for (name, list) in [("position", &self.position), ("velocity", &self.velocity)] {
                let pairs: Vec<String> = list.iter().map(|(k, v)| format!("{} = {}", key(k), v.0)).collect();
                line(format!("{name} = {{ {} }}", pairs.join(", ")));
            }
        }
        out
    }

    /// The model. Errors point into [`ModelBuilder::to_toml`].
    pub fn build(&self, limits: &Limits) -> Result<Model, Errors> {
        Model::load(&self.to_toml(), &self.name, limits)
    }
}

/// A key, in quotes where TOML needs them.
fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { name.to_owned() } else { quoted(name) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::render;

    #[test]
    fn a_key_has_quotes_only_where_it_needs_them() {
        for bare in ["x", "x_1", "a-b", "_", "9"] {
            assert_eq!(key(bare), bare);
        }
        for (name, written) in [("", "\"\""), ("a b", "\"a b\""), ("φ", "\"φ\""), ("x.y", "\"x.y\"")] {
            assert_eq!(key(name), written);
        }
    }

    #[test]
    fn a_built_model_is_the_one_its_file_says() {
        let builder = ModelBuilder::new("a \"name\" with\\odd\tsigns\u{1}")
            .source("somewhere")
            .coordinates(["x", "theta"])
            .parameter("m", 0.1)
            .parameter("r", "2*m")
            .parameter("third", &Rational::new(1, 3).unwrap())
            .parameter("one", 1)
            .definition("X", "x + r*theta")
            .kinetic("m/2*(X'^2 + x'^2)")
            .potential("third*x")
            .force("theta", "grip(x)")
            .table("grip", &[0.0, 1.0, 2.5], &[0.0, 1e-3, 2.0], Interpolation::Spline)
            .constraint_with_friction("roll", "x' = r*theta'", "m")
            .quasi_velocity("v", "x'")
            .time(0.5)
            .position("x", "pi/2")
            .velocity("x", -2)
            .simulation("until", 5)
            .display("theta", "\\vartheta");
        let limits = Limits::default();
        let text = builder.to_toml();
        let mut model = builder.build(&limits).unwrap_or_else(|e| panic!("{}", render(&e[0], "built", &text)));
        let system = &model.system;
        assert_eq!(system.name, "a \"name\" with\\odd\tsigns\u{1}");
        assert_eq!(system.parameters.len(), 4);
        assert_eq!(model.arena.as_number(system.parameters[0].value), Rational::new(1, 10).as_ref());
        assert_eq!(model.arena.as_number(system.parameters[2].value), Rational::new(1, 3).as_ref());
        assert_eq!(system.display, [("theta".to_owned(), "\\vartheta".to_owned())]);
        assert!(system.constraints[0].friction.is_some() && system.tables.len() == 1);
        let state = model.initial_state(&Default::default()).unwrap();
        assert_eq!((state.time, state.velocity[1]), (0.5, -10.0));
    }

    #[test]
    fn any_one_of_time_position_and_velocity_is_an_initial_state() {
        let plain = || ModelBuilder::new("free").coordinates(["x"]).kinetic("x'^2/2");
        let started = |builder: ModelBuilder| {
            let mut model = builder.build(&Limits::default()).unwrap_or_else(|e| panic!("{e:?}"));
            assert!(model.system.initial.is_some());
            let state = model.initial_state(&Default::default()).unwrap_or_else(|e| panic!("{e:?}"));
            (state.time, state.position[0], state.velocity[0])
        };
        assert_eq!(started(plain().time(2)), (2.0, 0.0, 0.0));
        assert_eq!(started(plain().position("x", 3)), (0.0, 3.0, 0.0));
        assert_eq!(started(plain().velocity("x", 4)), (0.0, 0.0, 4.0));
        assert!(!plain().to_toml().contains("[initial]"));
    }

    #[test]
    fn mistakes_in_built_models_point_into_their_text() {
        let builder = ModelBuilder::new("bad").coordinates(["x"]).kinetic("x'^2/2 + y");
        let text = builder.to_toml();
        let errors = builder.build(&Limits::default()).unwrap_err();
        assert_eq!(&text[errors[0].span.clone().unwrap()], "y");
        assert!(
            ModelBuilder::new("nan").coordinates(["x"]).parameter("m", f64::NAN).build(&Limits::default()).is_err()
        );
    }
}
