//! What forms say beside their equations, and to what they apply.

use super::{Applicability, Equations, by_id};
use crate::expr::{Expr, Printer, Style, Tree};
use crate::mechanics::Workbench;
use crate::model::Model;

const SLEDGE: &str = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nm = 2\nJ = 3\n\
                      [energy]\nkinetic = \"m/2*(x'^2 + y'^2) + J/2*phi'^2\"\n\
                      [constraints]\nknife = \"x'*sin(phi) = y'*cos(phi)\"\n";
const ALONG: &str = "[quasi_velocities]\nu = \"x'*cos(phi) + y'*sin(phi)\"\nw = \"phi'\"\n";

fn model(text: &str) -> Model {
    text.parse().unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// Coordinates q0, q1, …, free.
pub(super) fn free(n: usize) -> Model {
    let names: Vec<String> = (0..n).map(|i| format!("q{i}")).collect();
    let squares: Vec<String> = names.iter().map(|q| format!("{q}'^2")).collect();
    let energy = squares.join(" + ");
    model(&format!("noslip = 1\n[system]\ncoordinates = {names:?}\n[energy]\nkinetic = \"({energy})/2\"\n"))
}

fn derived(w: &mut Workbench, form: &str) -> Equations {
    by_id(form).expect("a form").derive(w).unwrap_or_else(|e| panic!("{form}: {e}"))
}

fn text(w: &Workbench, e: Expr) -> String {
    let tree = Tree::of(&w.g, e, &w.limits).expect("not too long");
    Printer::new(Style::Text).print(&w.g, &tree)
}

#[test]
fn going_and_turning_bracket_to_going_sideways() {
    let mut w = model(&format!("{SLEDGE}{ALONG}")).workbench();
    let eq = derived(&mut w, "chaplygin-quasi");
    let brackets: Vec<(String, String)> = eq
        .objects
        .iter()
        .filter(|o| o.symbol.starts_with('['))
        .map(|o| (o.symbol.clone(), text(&w, o.value)))
        .collect();
    let expected = [("[w,u]^x", "-sin(phi)"), ("[w,u]^y", "cos(phi)")].map(|(s, e)| (s.to_owned(), e.to_owned()));
    assert_eq!(brackets, expected);
}

#[test]
fn structure_coefficients_of_a_group_are_constant_and_of_other_fields_they_vary() {
    let says = |text: &str| derived(&mut model(text).workbench(), "poincare-chetaev").notes.join("\n");
    let group = says(&format!("{SLEDGE}{ALONG}"));
    assert!(group.contains("a Lie algebra, Poincaré's case"), "{group}");
    let stretched = ALONG.replace("w = \"phi'\"", "w = \"phi'*(2 + cos(phi))\"");
    let other = says(&format!("{SLEDGE}{stretched}"));
    assert!(other.contains("not a Lie algebra"), "{other}");
}

#[test]
fn a_metric_is_needed_where_one_measures_angles_between_directions() {
    let applies = |text: &str| by_id("vranceanu-schouten").expect("a form").applies(&mut model(text).workbench());
    assert_eq!(applies(SLEDGE), Applicability::Applies);
    let massless = SLEDGE.replace(" + J/2*phi'^2", "");
    assert!(
        matches!(applies(&massless), Applicability::DoesNotApply(why) if why.contains("rank 2 < 3")),
        "the angle has no inertia"
    );
}

#[test]
fn independent_are_accelerations_or_third_derivatives_by_the_order_of_the_constraint() {
    let head =
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"x'^2 + y'^2/2\"\n[constraints]\n";
    for (constraint, independent) in
        [("c = \"y'' = x*x''\"", "x''; dependent: y''"), ("c = \"y''' = x*x'''\"", "x'''; dependent: y'''")]
    {
        let mut w = model(&format!("{head}{constraint}\n")).workbench();
        for form in ["voronets", "voronets-explicit"] {
            let eq = derived(&mut w, form);
            assert!(
                eq.notes.iter().any(|n| n.ends_with(&format!("independent highest derivatives: {independent}"))),
                "{form}: {:?}",
                eq.notes
            );
            // What is solved for an acceleration is inserted; a third derivative leaves the accelerations as they are.
            assert_eq!(eq.unknowns.len(), if constraint.contains("'''") { 2 } else { 1 }, "{form}");
        }
    }
}
