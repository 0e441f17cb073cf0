//! The forms of the equations of motion: one file per form, one line per form in [`FORMS`].
//!
//! The registry drives the command line, the documentation, the report and the agreement test.

mod abbreviate;
mod accelerated;
mod acceleration_function;
mod alike;
mod operators;
mod present;
mod shorten;

mod boltzmann_hamel;
mod boltzmann_hamel_transpositional;
mod central_equation;
mod chaplygin;
mod chaplygin_quasi;
mod dolaptschiew;
mod ferrers;
mod gibbs_appell;
mod hamel_novoselov;
mod hamilton_holder;
mod in_full;
mod kane;
mod lagrange_multipliers;
mod maggi;
mod nielsen;
mod poincare_chetaev;
mod poincare_chetaev_rumyantsev;
mod suslov;
mod suslov_jourdain;
mod tzenoff;
mod udwadia_kalaba;
mod voronets;
mod voronets_explicit;
mod vranceanu_schouten;

pub use alike::as_written;
pub(crate) use boltzmann_hamel::BoltzmannHamel;
pub(crate) use chaplygin::Chaplygin;
pub(crate) use kane::Kane;
pub use present::{Presented, PresentedObject, Presenter, best_suited, present, present_in_full, readable};
pub(crate) use udwadia_kalaba::UdwadiaKalaba;

pub(crate) use boltzmann_hamel::Gamma;

use crate::card::Card;
use crate::error::{Error, Result};
use crate::expr::{Expr, NOT_DECIDED, Printer, Style, Tree, not_decided};
use crate::mechanics::{Equations, Workbench};

/// Whether a form can be used for a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Applicability {
    /// It can.
    Applies,
    /// It cannot, and why: which condition fails, with the term that breaks it.
    DoesNotApply(String),
}

/// A form of the equations of motion.
pub trait Form: Sync {
    /// Its id, names, sources, needs and documentation.
    fn card(&self) -> &'static Card;
    /// Identifier on the command line: `boltzmann-hamel`.
    fn id(&self) -> &'static str {
        self.card().id
    }
    /// Name for people.
    fn name(&self) -> &'static str {
        self.card().name
    }
    /// Can it be used here?
    fn applies(&self, workbench: &mut Workbench) -> Applicability;
    /// The equations as they come out.
    fn formulate(&self, workbench: &mut Workbench) -> Result<Equations>;
    /// The equations. Fails with "does not apply" where [`Form::applies`] says no, and where there is not work enough.
    fn derive(&self, workbench: &mut Workbench) -> Result<Equations> {
        let equations = self.formulate(workbench)?;
        let given_up = workbench.g.work.given_up() > 0;
        let is_undefined = |&e: &Expr| workbench.g.is_undefined(e);
        if given_up && equations.expressions().any(is_undefined) { Err(not_decided()) } else { Ok(equations) }
    }
    /// The equations with what a reader needs beside them: the laws of friction that stand among the forces.
    fn explained(&self, workbench: &mut Workbench) -> Result<Equations> {
        let mut equations = self.derive(workbench)?;
        laws(workbench, &mut equations);
        Ok(equations)
    }
}

/// All forms, in the order of the formulary.
pub const FORMS: &[&dyn Form] = &[
    &lagrange_multipliers::LagrangeMultipliers,
    &maggi::Maggi,
    &suslov_jourdain::SuslovJourdain,
    &udwadia_kalaba::UdwadiaKalaba,
    &vranceanu_schouten::VranceanuSchouten,
    &nielsen::Nielsen,
    &dolaptschiew::Dolaptschiew,
    &gibbs_appell::GibbsAppell,
    &tzenoff::Tzenoff,
    &kane::Kane,
    &ferrers::Ferrers,
    &chaplygin::Chaplygin,
    &voronets::Voronets,
    &voronets_explicit::VoronetsExplicit,
    &boltzmann_hamel::BoltzmannHamel,
    &chaplygin_quasi::ChaplyginQuasi,
    &hamel_novoselov::HamelNovoselov,
    &poincare_chetaev::PoincareChetaev,
    &poincare_chetaev_rumyantsev::PoincareChetaevRumyantsev,
    &central_equation::CentralEquation,
    &boltzmann_hamel_transpositional::BoltzmannHamelTranspositional,
    &suslov::Suslov,
    &hamilton_holder::HamiltonHolder,
];

/// The form with this id or alias.
pub fn by_id(id: &str) -> Option<&'static dyn Form> {
    FORMS.iter().copied().find(|f| f.card().answers_to(id))
}

/// Says what the functions are that stand for laws of friction.
fn laws(w: &mut Workbench, eq: &mut Equations) {
    let printer = Printer::new(Style::Text);
    let text = |w: &Workbench, e| Tree::of(&w.g, e, &w.limits).map(|tree| printer.print(&w.g, &tree));
    for law in w.system.law.clone() {
        if let (Ok(name), Ok(force)) = (text(w, law.function), text(w, law.force)) {
            eq.notes.push(format!("law of friction: {name} = {force}"));
            eq.show("law of friction", name, law.force);
        }
    }
}

/// Turns a reason into the error the program reports.
fn refuse(form: &dyn Form, why: String) -> Error {
    if why == NOT_DECIDED {
        return not_decided();
    }
    Error::not_applicable(format!("form `{}` does not apply: {why}", form.id()))
}

/// Turns the outcome of looking for what a form needs into its applicability.
fn applicability<T>(found: Result<T, String>) -> Applicability {
    match found {
        Ok(_) => Applicability::Applies,
        Err(why) => Applicability::DoesNotApply(why),
    }
}

#[cfg(test)]
mod tests;
