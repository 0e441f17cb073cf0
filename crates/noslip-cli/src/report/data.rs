//! Everything a report shows, as plain text and numbers.
//!
//! Formulas come twice: MathML for the page, LaTeX for its copy buttons. Series share the times of the simulation;
//! a value that is not finite is a gap.

use super::drawing::Scene;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// A formula as MathML (one `<math>` element) and as LaTeX (without dollar signs).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Formula {
    /// `<math>…</math>`.
    pub mathml: String,
    /// LaTeX; empty where there is nothing to copy.
    pub latex: String,
    /// Why dots stand in the place of an expression: how long it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<String>,
}

impl Formula {
    /// A formula from its two spellings.
    pub fn new(mathml: impl Into<String>, latex: impl Into<String>) -> Formula {
        Formula { mathml: mathml.into(), latex: latex.into(), omitted: None }
    }

    /// Dots in place of an expression that is too long for the page.
    pub fn omitted(why: impl Into<String>) -> Formula {
        Formula { mathml: "<math><mo>…</mo></math>".to_owned(), latex: String::new(), omitted: Some(why.into()) }
    }

    /// A symbol written in Unicode, with its superscripts and subscripts: `T*`, `T°`, `γ³₁₂`, `S`.
    pub fn symbol(text: &str) -> Formula {
        super::symbol::formula(text, &|_| None)
    }

    /// A symbol in which names may stand that the model writes in its own way: `γ^u1[u2,u3]`.
    pub fn symbol_with(text: &str, known: &dyn Fn(&str) -> Option<Formula>) -> Formula {
        super::symbol::formula(text, known)
    }

    /// A number as it is written in the model file: `1.4` stays `1.4`, `2e11` is set as 2·10¹¹.
    pub fn number(text: &str) -> Formula {
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("<mo form=\"prefix\">−</mo>", digits));
        let mut escaped = String::new();
        super::escape_html(digits, &mut escaped);
        let power = escaped.split_once(['e', 'E']).and_then(|(m, e)| Some((m, e.parse::<i32>().ok()?)));
        let Some((mantissa, exponent)) = power else {
            return Formula::new(format!("<math>{sign}<mn>{escaped}</mn></math>"), text);
        };
        let minus = if exponent < 0 { "<mo form=\"prefix\">−</mo>" } else { "" };
        let raised = format!("<mrow>{minus}<mn>{}</mn></mrow>", exponent.abs());
        let mathml = format!("<math>{sign}<mn>{mantissa}</mn><mo>·</mo><msup><mn>10</mn>{raised}</msup></math>");
        let sign = if sign.is_empty() { "" } else { "-" };
        Formula::new(mathml, format!("{sign}{mantissa} \\cdot 10^{{{exponent}}}"))
    }

    /// `left = right`.
    pub fn equals(left: &Formula, right: &Formula) -> Formula {
        let omitted = left.omitted.clone().or_else(|| right.omitted.clone());
        let latex = if omitted.is_some() { String::new() } else { format!("{} = {}", left.latex, right.latex) };
        Formula {
            mathml: format!("<math display=\"block\">{}<mo>=</mo>{}</math>", left.inner(), right.inner()),
            latex,
            omitted,
        }
    }

    /// What stands between `<math …>` and `</math>`.
    pub(super) fn inner(&self) -> &str {
        let text = self.mathml.as_str();
        let text = match (text.starts_with("<math"), text.find('>')) {
            (true, Some(end)) => &text[end + 1..],
            _ => text,
        };
        text.strip_suffix("</math>").unwrap_or(text)
    }
}

/// A formula with a name in words.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Named {
    /// What it is: the name of a constraint, a coordinate, an integral.
    pub name: String,
    /// The formula.
    #[serde(flatten)]
    pub formula: Formula,
}

/// The model as mathematics. Every formula is complete: `T = …`, `m = 1`, `ẋ sin φ = ẏ cos φ`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Model {
    /// Symbols of the coordinates.
    pub coordinates: Vec<Formula>,
    /// Abbreviations.
    pub definitions: Vec<Formula>,
    /// Kinetic energy.
    pub kinetic: Formula,
    /// Potential, if it is not zero.
    pub potential: Option<Formula>,
    /// Generalised forces that are not zero.
    pub forces: Vec<Formula>,
    /// Constraints with their names.
    pub constraints: Vec<Named>,
    /// Quasi-velocities.
    pub quasi_velocities: Vec<Formula>,
    /// Parameters with their values.
    pub parameters: Vec<Formula>,
    /// The initial state.
    pub initial: Vec<Formula>,
}

/// An equation and what it costs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Equation {
    /// The equation.
    #[serde(flatten)]
    pub formula: Formula,
    /// Number of operations in it.
    pub operations: Option<usize>,
}

/// Something a reader wants to see beside the equations.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Object {
    /// What it is, in words.
    pub name: String,
    /// `symbol = value`.
    #[serde(flatten)]
    pub formula: Formula,
}

/// The equations of motion in one form.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Form {
    /// Identifier on the command line.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// What it is, in a sentence or two.
    pub about: String,
    /// Where it is treated.
    pub source: String,
    /// The form's own equations.
    pub equations: Vec<Equation>,
    /// What completes them: constraints, velocities in the form's variables.
    pub kinematics: Vec<Equation>,
    /// T*, γ, S, ….
    pub objects: Vec<Object>,
    /// The same equations written in another way, each under a title.
    pub alternatives: Vec<Alternative>,
    /// Remarks.
    pub notes: Vec<String>,
}

/// Another way of writing a form's equations.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Alternative {
    /// What way.
    pub title: String,
    /// The equations.
    pub equations: Vec<Equation>,
}

/// A form that cannot be used for this model.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NotApplicable {
    /// Identifier on the command line.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Why not.
    pub reason: String,
}

/// What is known about the agreement of a form with Lagrange's equations with multipliers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Exactly proved.
    Proved,
    /// Agrees at random states; no proof was found within the limits.
    #[default]
    Tested,
    /// Does not agree.
    Refuted,
    /// Neither proved nor tested.
    Open,
}

/// One line of the proof table.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Proof {
    /// Id of the form.
    pub form: String,
    /// Name of the form.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How it was reached, in words.
    pub how: String,
    /// How long it took.
    pub seconds: Option<f64>,
}

/// A column of numbers, one per sample.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Series {
    /// Its name as in the model file.
    pub name: String,
    /// Its symbol.
    pub symbol: Formula,
    /// Values; rounded to six significant digits on the page.
    #[serde(serialize_with = "rounded_column")]
    pub values: Vec<f64>,
}

/// A computed motion.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Simulation {
    /// How it ended, in words a person reads: "finished", "stopped at t = 3.2: …".
    pub outcome: String,
    /// How it was computed, in words: method, tolerance, steps, evaluations.
    pub method: String,
    /// Times, ascending.
    #[serde(serialize_with = "rounded_times")]
    pub times: Vec<f64>,
    /// Coordinates.
    pub coordinates: Vec<Series>,
    /// Velocities.
    pub velocities: Vec<Series>,
    /// Multipliers.
    pub multipliers: Vec<Series>,
    /// Kinetic, potential, total energy.
    pub energies: Vec<Series>,
    /// What should be zero and is not quite: the residual of each constraint, the relative change of the energy.
    pub drift: Vec<Series>,
    /// Other integrals of the motion.
    pub integrals: Vec<Series>,
}

/// A curve of a [`Figure`].
#[derive(Clone, Debug, Default, Serialize)]
pub struct Curve {
    /// What runs upward.
    #[serde(flatten)]
    pub up: Series,
    /// Values across; none: the times of the simulation.
    #[serde(serialize_with = "rounded_column")]
    pub across: Vec<f64>,
}

/// A plot the model asks for.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figure {
    /// What stands above it.
    pub title: String,
    /// What runs across; the time if absent.
    pub across: Option<Formula>,
    /// What runs upward, if it is one quantity for all curves.
    pub up: Option<Formula>,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// A subject that goes beyond the equations of motion.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Topic {
    /// What the page calls it in addresses.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What is to be said.
    pub sentences: Vec<String>,
    /// What is to be shown; names may be empty.
    pub formulas: Vec<Named>,
    /// Over the times of the simulation.
    pub plots: Vec<TopicPlot>,
    /// Pictures, as SVG.
    pub pictures: Vec<String>,
}

/// Columns over the times of the simulation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TopicPlot {
    /// What the page calls it in addresses.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The columns.
    pub series: Vec<Series>,
}

/// The relative change of a quantity that should be conserved: (x(t) − x(0)) / max(|x(0)|, largest |x|).
pub fn relative_change(values: &[f64]) -> Vec<f64> {
    let scale = values.iter().filter(|v| v.is_finite()).fold(0.0_f64, |a, v| a.max(v.abs()));
    let first = values.first().copied().unwrap_or(0.0);
    values.iter().map(|v| if scale > 0.0 { (v - first) / scale } else { 0.0 }).collect()
}

/// A value of the model that the reader may change.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Knob {
    /// Its name as in the model file.
    pub name: String,
    /// Its symbol.
    pub symbol: Formula,
    /// Its value; all digits.
    pub value: f64,
    /// The reader may choose it; else it follows from the constraints.
    pub free: bool,
}

/// Where the page puts a column of numbers: a group, and one or two places in it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Target(pub &'static str, pub usize, pub usize);

/// A contact with friction.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Touch {
    /// Its name.
    pub name: String,
    /// Its constraints, by their places in the model.
    pub constraints: Vec<usize>,
}

/// What the page needs to compute the motion again.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Play {
    /// JavaScript: an object of functions, see `noslip::simulate::Playable`. Part of the page's own script.
    #[serde(skip)]
    pub program: String,
    /// Parameters that are not defined by others.
    pub parameters: Vec<Knob>,
    /// Initial coordinates.
    pub positions: Vec<Knob>,
    /// Initial velocities.
    pub velocities: Vec<Knob>,
    /// Initial time.
    pub time: f64,
    /// End time.
    pub until: f64,
    /// Tolerance of the integration.
    pub tolerance: f64,
    /// Beyond this growth the fixed order of elimination is not to be trusted.
    pub growth: f64,
    /// Names of all constraints.
    pub constraints: Vec<String>,
    /// Names of those a state is kept on, holonomic ones first.
    pub kept: Vec<String>,
    /// How many of these are holonomic.
    pub holonomic: usize,
    /// What the columns of the program `shown` are.
    pub targets: Vec<Target>,
    /// Contacts that have no one point of contact where the last columns vanish.
    pub guards: Vec<String>,
    /// Abbreviations and quasi-velocities with their derivatives, for equations of the reader's own.
    pub names: Vec<String>,
    /// Contacts with friction, in the order of the plot of grip.
    pub contacts: Vec<Touch>,
    /// The model as it was named on the command line.
    pub model: String,
}

/// Everything a report shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportData {
    /// Name of the model.
    pub name: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Things the reader should know first.
    pub warnings: Vec<String>,
    /// The model as mathematics.
    pub model: Model,
    /// What the constraints mean, one sentence each.
    pub classification: Vec<String>,
    /// Names and expressions in the sentences of the page that are set as mathematics.
    pub vocabulary: BTreeMap<String, Formula>,
    /// Words of the field in the sentences of the page, and what they mean.
    pub glossary: BTreeMap<String, String>,
    /// The equations in every form that applies.
    pub forms: Vec<Form>,
    /// The other forms.
    pub not_applicable: Vec<NotApplicable>,
    /// The proof table.
    pub proofs: Vec<Proof>,
    /// Reactions of the constraints as functions of the state.
    pub reactions: Vec<Named>,
    /// What goes beyond the equations of motion.
    pub beyond: Vec<Topic>,
    /// The motion.
    pub simulation: Option<Simulation>,
    /// The drawing, sampled at the times of the simulation.
    pub scene: Option<Scene>,
    /// Plots the model asks for.
    pub figures: Vec<Figure>,
    /// What computes the motion again.
    pub play: Option<Play>,
    /// Why nothing does.
    pub no_play: Option<String>,
    /// The model file itself.
    pub model_file: Option<String>,
    /// The program and its version.
    pub generator: String,
}

/// Rounds to `digits` significant digits, so that the page stays small.
pub(super) fn round(value: f64, digits: usize) -> f64 {
    format!("{:.*e}", digits.saturating_sub(1), value).parse().unwrap_or(value)
}

/// Six significant digits are more than a screen can show.
pub(super) fn rounded_column<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&v| round(v, 6)))
}

/// Times need more digits, for steps may be small beside the time itself.
fn rounded_times<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(|&v| round(v, 9)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_and_gaps_are_what_the_page_receives() {
        let series = Series { values: vec![1.0 / 3.0, f64::NAN, 2.0e-7 / 3.0, -0.0, 12345678.9], ..Series::default() };
        let json = serde_json::to_string(&series).expect("serialises");
        assert!(json.ends_with("\"values\":[0.333333,null,6.66667e-8,-0.0,12345700.0]}"), "{json}");
    }

    #[test]
    fn numbers_are_set_as_written_and_powers_of_ten_as_powers() {
        assert_eq!(Formula::number("-1.4").mathml, "<math><mo form=\"prefix\">−</mo><mn>1.4</mn></math>");
        let large = Formula::number("-2.1e-11");
        assert_eq!(large.latex, "-2.1 \\cdot 10^{-11}");
        assert!(large.mathml.contains("<msup><mn>10</mn><mrow><mo form=\"prefix\">−</mo><mn>11</mn></mrow></msup>"));
    }

    #[test]
    fn an_equation_joins_the_inside_of_two_math_elements() {
        let left = Formula::symbol("T*");
        let right = Formula::new("<math display=\"block\"><mi>x</mi></math>", "x");
        let whole = Formula::equals(&left, &right);
        assert_eq!(
            whole.mathml,
            "<math display=\"block\"><msup><mi>T</mi><mo>*</mo></msup><mo>=</mo><mi>x</mi></math>"
        );
        assert_eq!(whole.latex, "T^{*} = x");
    }

    #[test]
    fn relative_change_is_zero_for_a_conserved_quantity_even_if_it_vanishes() {
        assert_eq!(relative_change(&[2.0, 2.0, 2.5]), [0.0, 0.0, 0.2]);
        assert_eq!(relative_change(&[0.0, 0.0]), [0.0, 0.0]);
    }
}
