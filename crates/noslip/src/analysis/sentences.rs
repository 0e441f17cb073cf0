//! The analysis in sentences a mechanician wants to read.

use super::{Analysis, Conserved, ConservedKind, Growth, KineticPotential, RankDrop, Spanning};
use crate::expr::{Arena, Expr, Known, NOT_DECIDED, Printer, Style, Symbol, Tree};
use crate::limits::Limits;
use crate::mechanics::{Dependence, Said};
use crate::model::{Law, System};
use crate::numeric::{brief, plural};

/// What was found, one sentence per fact. Names and expressions are written in the model's own syntax, expressions
/// between backticks, so that they can be found and set as mathematics.
pub fn sentences(g: &Arena, system: &System, analysis: &Analysis) -> Vec<String> {
    let say = Sayer { g, system };
    let mut list = Vec::new();
    say.constraints(analysis, &mut list);
    say.laws(&mut list);
    say.ranks(analysis, &mut list);
    say.integrability(analysis, &mut list);
    say.kind(analysis, &mut list);
    say.conservation(analysis, &mut list);
    say.reducing(analysis, &mut list);
    if !analysis.undecided.is_empty() {
        let questions = analysis.undecided.join("; ");
        list.push(format!("Not decided within the budget: {questions}."));
    }
    list
}

struct Sayer<'a> {
    g: &'a Arena,
    system: &'a System,
}

/// Printed expressions longer than this are not put into a sentence.
const LONG: usize = 400;

impl Sayer<'_> {
    fn text(&self, e: Expr) -> String {
        match Tree::of(self.g, e, &Limits::default()) {
            Ok(tree) => {
                let text = Printer::new(Style::Text).print(self.g, &tree);
                if text.len() > LONG { format!("{}…", text.chars().take(LONG).collect::<String>()) } else { text }
            }
            Err(_) => "(too long to print)".into(),
        }
    }

    /// An expression within a sentence.
    fn math(&self, e: Expr) -> String {
        format!("`{}`", self.text(e))
    }

    fn names(&self, symbols: &[Symbol]) -> String {
        symbols.iter().map(|&s| self.g.name(s)).collect::<Vec<_>>().join(", ")
    }

    fn constraints(&self, a: &Analysis, list: &mut Vec<String>) {
        for c in &a.constraints {
            let mut kind = Vec::new();
            match c.order {
                0 => kind.push("holonomic"),
                _ if c.said != Said::Itself => {}
                2 if !c.linear => kind.push("of second order, nonlinear in the accelerations"),
                2 => kind.push("of second order, linear in the accelerations"),
                3 => kind.push("of third order, linear in the third derivatives"),
                _ if !c.linear => kind.push("nonlinear in the velocities"),
                _ if c.homogeneous => kind.push("linear in the velocities"),
                _ => kind.push("affine in the velocities"),
            }
            if !c.linear && c.homogeneous && c.said == Said::Itself {
                kind.push("homogeneous");
            }
            kind.extend(c.said.kind());
            kind.push(if c.rheonomic { "rheonomic" } else { "scleronomic" });
            let integrable = match (&c.integrable, &c.exact) {
                (Some(i), Some(e)) if i.integrable && e.integrable => "; integrable (exact)",
                (Some(i), _) if i.integrable => "; integrable (with an integrating factor)",
                (Some(_), _) => "; alone not integrable",
                _ => "",
            };
            let mut sentence = format!("Constraint `{}`: {}{integrable}.", c.name, kind.join(", "));
            match (&c.integral, c.order) {
                (Some(integral), 2) => {
                    let value =
                        c.value.map_or("const".to_owned(), |x| format!("{}, its value at the start", brief(x, 9)));
                    let psi = self.math(integral.expr);
                    sentence.push_str(&format!(" It is a derivative, and says that {psi} = {value}."));
                }
                (Some(integral), 1) => sentence.push_str(&format!(" It says {} = const.", self.math(integral.expr))),
                _ => {}
            }
            if let Some(condition) = c.condition {
                let condition = self.math(condition);
                sentence.push_str(&format!(" It would be if and only if {condition} = 0 (Frobenius)."));
            }
            list.push(sentence);
        }
    }

    fn laws(&self, list: &mut Vec<String>) {
        if self.system.law.is_empty() {
            return;
        }
        let law = |l: &Law| format!("{} = {}", self.math(l.function), self.math(l.force));
        let laws: Vec<String> = self.system.law.iter().map(law).collect();
        list.push(format!("Not ideal: the constraints have the friction {}.", laws.join(", ")));
    }

    fn ranks(&self, a: &Analysis, list: &mut Vec<String>) {
        let (n, k) = (self.system.n(), self.system.k());
        let r = &a.ranks;
        list.push(format!(
            "{n} coordinate{}, {k} constraint{} of rank {}: {} degree{} of freedom.",
            plural(n),
            plural(k),
            r.constraints,
            r.degrees_of_freedom,
            plural(r.degrees_of_freedom)
        ));
        for d in &r.dependences {
            list.push(self.dependence(d));
        }
        match &r.drops {
            RankDrop::Never if k > 0 => list.push("The constraints keep their rank everywhere.".into()),
            RankDrop::Where(e) => {
                let text = self.text(*e);
                if text.len() < 120 {
                    list.push(format!("The constraints lose rank where `{text}` = 0."));
                }
            }
            RankDrop::WhereAll(all) | RankDrop::Undefined(all) | RankDrop::Perhaps(all) => {
                let text = all.iter().map(|&e| self.math(e)).collect::<Vec<_>>().join(" = ");
                let sentence = match r.drops {
                    RankDrop::WhereAll(_) => format!("The constraints lose rank where {text} = 0."),
                    RankDrop::Perhaps(_) => {
                        format!("The constraints lose rank where {text} = 0, if anywhere: no such place was found.")
                    }
                    _ => format!(
                        "The constraints keep their rank wherever they have derivatives: they have none where {text} = 0."
                    ),
                };
                if text.len() < 300 {
                    list.push(sentence);
                }
            }
            _ => {}
        }
        if r.mass < n {
            list.push(format!("The mass matrix is singular: rank {} of {n}.", r.mass));
            for direction in &r.null_directions {
                let parts: Vec<String> = direction
                    .iter()
                    .map(|(i, e)| format!("{} = {}", self.g.name(self.system.velocities[*i]), self.math(*e)))
                    .collect();
                list.push(format!("A motion with {} carries no kinetic energy.", parts.join(", ")));
            }
        }
        match r.regular {
            Some(true) if r.mass < n => {
                list.push("The constrained problem is regular all the same: the accelerations are determined.".into());
            }
            Some(false) => {
                list.push("The accelerations are not determined: masses and constraints are too few.".into())
            }
            _ => {}
        }
    }

    fn dependence(&self, d: &Dependence) -> String {
        let name = |j: usize| self.system.constraints[j].name.as_str();
        let others: Vec<String> = d.combination.iter().map(|(j, _)| format!("`{}`", name(*j))).collect();
        let combination: Vec<String> = d
            .combination
            .iter()
            .map(|(j, c)| match self.text(*c).as_str() {
                "1" => name(*j).to_owned(),
                "-1" => format!("-{}", name(*j)),
                c => format!("({c})*{}", name(*j)),
            })
            .collect();
        let combination = combination.join(" + ").replace("+ -", "- ");
        match d.residual {
            Some(e) if d.contradiction => format!(
                "Constraint `{}` contradicts {}: `{} - ({combination})` leaves {} = 0.",
                name(d.constraint),
                others.join(", "),
                name(d.constraint),
                self.math(e)
            ),
            Some(e) if !self.g.is_zero(e) => format!(
                "Constraint `{}` and {} can hold together only where {} = 0.",
                name(d.constraint),
                others.join(", "),
                self.math(e)
            ),
            Some(_) => {
                format!(
                    "Constraint `{}` follows from the others: `{} = {combination}`.",
                    name(d.constraint),
                    name(d.constraint)
                )
            }
            None => format!("Constraint `{}` depends on those before it.", name(d.constraint)),
        }
    }

    fn integrability(&self, a: &Analysis, list: &mut Vec<String>) {
        let Some(growth) = &a.growth else { return };
        if self.system.k() == 0 {
            return;
        }
        let vector: Vec<String> = growth.vector.iter().map(usize::to_string).collect();
        let space = if growth.extended_by_time { "coordinates and time" } else { "coordinates" };
        let hidden = growth.holonomic_part();
        if growth.integrable() {
            list.push("The constraints together are integrable: the system is holonomic.".into());
        } else {
            let mut sentence = format!(
                "Growth vector ({}) in the {}-dimensional space of {space}: degree of nonholonomy {}",
                vector.join(", "),
                growth.dimension,
                growth.degree_of_nonholonomy()
            );
            sentence.push_str(&self.completeness(a, growth));
            list.push(sentence);
        }
        if !growth.complete || hidden == 0 {
            return;
        }
        // What single constraints say was said with them.
        let single = a.constraints.iter().filter(|c| c.integrable.as_ref().is_some_and(|i| i.integrable)).count();
        let told = a.constraints.iter().filter(|c| c.order == 0 || c.integral.is_some()).count();
        let more = hidden.saturating_sub(single);
        if more > 0 {
            let (further, although) = match single {
                0 => ("", ", although no single constraint is integrable"),
                _ => ("further ", ""),
            };
            list.push(format!("Together they hide {more} {further}holonomic relation{}{although}.", plural(more)));
        }
        if hidden > told {
            for relation in &a.hidden {
                list.push(format!("The constraints imply {} = const.", self.math(relation.expr)));
            }
        }
        if a.hidden.len() < hidden {
            let left = hidden - a.hidden.len();
            list.push(format!("{left} holonomic relation{} could not be written down.", plural(left)));
        }
    }

    /// Can any two positions be joined?
    fn completeness(&self, a: &Analysis, growth: &Growth) -> String {
        let hidden = growth.holonomic_part();
        if !growth.complete {
            return "; the computation stopped at a limit.".into();
        }
        if growth.extended_by_time && hidden == 0 {
            return "; completely nonholonomic, no function of coordinates and time is kept.".into();
        }
        let surface =
            || a.hidden.iter().map(|h| format!("{} = const", self.math(h.expr))).collect::<Vec<_>>().join(", ");
        match (&a.spanning, hidden) {
            (Spanning::Everywhere, 0) => "; completely nonholonomic, any two positions can be joined.".into(),
            (Spanning::InPieces, 0) => "; completely nonholonomic, any two positions can be joined between which the \
                                            constraints have values."
                .into(),
            (Spanning::Except { zeros, invariant }, 0) => {
                let places: Vec<String> = zeros.iter().map(|&e| self.math(e)).collect();
                let short = places.iter().map(String::len).sum::<usize>() < 160;
                match (short, *invariant) {
                    (true, true) => {
                        let place = &places[0];
                        format!(
                            "; completely nonholonomic wherever {place} ≠ 0, and no motion leads across {place} = 0."
                        )
                    }
                    (true, false) if zeros.len() == 1 => {
                        format!("; completely nonholonomic wherever {} ≠ 0.", places[0])
                    }
                    (true, false) => {
                        format!("; completely nonholonomic wherever {} are not all zero.", places.join(", "))
                    }
                    _ => "; completely nonholonomic at a generic position.".into(),
                }
            }
            (Spanning::Generic, 0) => "; completely nonholonomic at a generic position.".into(),
            (Spanning::Everywhere | Spanning::InPieces, _) if !growth.extended_by_time && a.hidden.len() == hidden => {
                let on = if a.spanning == Spanning::InPieces { "one piece of " } else { "" };
                format!(
                    "; not completely nonholonomic: any two positions on {on}a surface {} can be joined.",
                    surface()
                )
            }
            (Spanning::Except { zeros, .. }, _)
                if !growth.extended_by_time && a.hidden.len() == hidden && zeros.len() == 1 =>
            {
                let place = self.math(zeros[0]);
                format!("; not completely nonholonomic, but on a surface {} wherever {place} ≠ 0.", surface())
            }
            _ => "; not completely nonholonomic.".into(),
        }
    }

    fn kind(&self, a: &Analysis, list: &mut Vec<String>) {
        if self.system.k() > 0 {
            list.push(match &a.chaplygin.why_not {
                None if a.chaplygin.independent.is_empty() => {
                    "No velocity is free: the constraints alone determine the motion.".to_owned()
                }
                None => {
                    let (form, own) =
                        if a.chaplygin.independent.len() == 1 { ("forms", "its") } else { ("form", "their") };
                    format!(
                        "A {}Chaplygin system: nothing depends on {}; {} {form} a system of {own} own.",
                        if a.chaplygin.linear { "" } else { "nonlinear " },
                        self.names(&a.chaplygin.dependent),
                        self.names(&a.chaplygin.independent),
                    )
                }
                Some(why) if why == NOT_DECIDED => "Whether the system is Chaplygin's was not decided.".to_owned(),
                Some(why) => format!("Not a Chaplygin system: {why}."),
            });
        }
        if a.energy.conservative {
            list.push("All forces come from the potential, and the energies do not depend on time.".into());
        }
        if !a.cyclic.is_empty() {
            list.push(format!("Cyclic in T and V: {}.", self.names(&a.cyclic)));
        }
    }

    fn conservation(&self, a: &Analysis, list: &mut Vec<String>) {
        match a.energy.conserved {
            Some(true) => list.push("The energy T + V is conserved.".into()),
            Some(false) => {
                list.push(format!("The energy T + V is not conserved: {}.", a.energy.reasons.join("; ")));
            }
            None => {
                if let Some(why) = &a.energy.reserved {
                    list.push(format!("Whether the energy T + V is conserved is not decided: {why}."));
                }
            }
        }
        for c in &a.conserved {
            if let Some(what) = described(c) {
                let how = if c.certainty == Known::Proved { "" } else { " (tested)" };
                // A leading minus is the sign of the sum.
                let whole = match c.beside_energy.map(|e| self.text(e)) {
                    None => self.text(c.expr),
                    Some(rest) => match rest.strip_prefix('-') {
                        Some(rest) => format!("T + V - {rest}"),
                        None => format!("T + V + {rest}"),
                    },
                };
                list.push(format!("{what} is conserved{how}: `{whole}`."));
            }
        }
    }

    fn reducing(&self, a: &Analysis, list: &mut Vec<String>) {
        if let Ok(facts) = &a.lagrangian {
            let coordinates = self.names(&facts.coordinates);
            let own: Vec<Symbol> =
                facts.coordinates.iter().zip(&facts.ferrers).filter(|(_, f)| **f).map(|(&s, _)| s).collect();
            if facts.self_adjoint {
                list.push(format!("The reduced equations in {coordinates} are Lagrange's equations as they stand."));
            } else if !own.is_empty() && own.len() < facts.coordinates.len() {
                let (s, is) = if own.len() == 1 { ("", "is") } else { ("s", "are") };
                let names = self.names(&own);
                list.push(format!("The reduced equation{s} of {names} {is} Lagrange's equation{s} of T°."));
            }
            if let (Some(KineticPotential::Found { potential, .. }), false) =
                (&facts.kinetic_potential, facts.self_adjoint)
            {
                list.push(format!("A kinetic potential of the reduced equation: {}.", self.math(*potential)));
            }
        }
        let both = [("", &a.reducing_multiplier), ("quasi-coordinates ", &a.reducing_multiplier_quasi)];
        for (kind, m) in both.into_iter().filter_map(|(kind, m)| Some((kind, m.as_ref().ok()?))) {
            let coordinates = self.names(&m.coordinates);
            list.push(match (m.exists, m.multiplier) {
                (true, Some(n)) if self.g.is_one(n) => {
                    format!("In {kind}({coordinates}) no reducing multiplier is needed.")
                }
                (true, Some(n)) => {
                    format!("In {kind}({coordinates}) Chaplygin's reducing multiplier is N = {}.", self.math(n))
                }
                (true, None) => {
                    let gradient: Vec<String> = m.gradient.iter().map(|&e| self.math(e)).collect();
                    format!("In {kind}({coordinates}) a reducing multiplier exists, with d ln N = ({}).", gradient.join(", "))
                }
                (false, _) if m.certainty == Known::Proved => {
                    format!("In {kind}({coordinates}) no reducing multiplier exists.")
                }
                (false, _) => match &m.certainty {
                    Known::Unknown(why) => {
                        format!("Whether in {kind}({coordinates}) a reducing multiplier exists is not decided: {why}.")
                    }
                    _ => format!(
                        "In {kind}({coordinates}) no reducing multiplier seems to exist: tested at random points, not proved."
                    ),
                },
            });
        }
    }
}

fn described(c: &Conserved) -> Option<String> {
    Some(match c.kind {
        ConservedKind::Energy => return None,
        ConservedKind::Jacobi => "Jacobi's function".into(),
        ConservedKind::GeneralisedEnergy => "A generalised energy".into(),
        ConservedKind::Momentum => format!("The momentum `{}` of a horizontal symmetry", c.name),
        ConservedKind::Linear => format!("The linear integral `{}`", c.name),
        ConservedKind::Direction => "The direction of motion".into(),
        ConservedKind::Defined => format!("The model's `{}`", c.name),
    })
}
