//! Equations as a reader wants them: every expression in its readable form.

use super::abbreviate::abbreviate;
use super::alike::as_written;
use super::in_full::InFull;
use super::shorten::{in_parts, shortened};
use super::{Applicability, Form, by_id};
use crate::effort::{PRINTED, PRINTED_ANYHOW, READABLE};
use crate::error::{Error, Result};
use crate::expr::{
    self, Arena, Expr, Printer, Readable, Scale, Style, Symbol, Tree, Work, readable_equation, written_out,
};
use crate::limits::Limits;
use crate::mechanics::{Equations, Kind, Workbench};
use rustc_hash::{FxHashMap, FxHashSet};

/// A named object in readable form.
#[derive(Clone, Debug)]
pub struct PresentedObject {
    /// What it is.
    pub name: String,
    /// How it is written.
    pub symbol: String,
    /// Its value.
    pub value: Tree,
}

/// The equations of one form in readable form.
#[derive(Clone, Debug)]
pub struct Presented {
    /// Id of the form.
    pub form: &'static str,
    /// Trees that vanish: the form's own equations, then those that complete them.
    pub equations: Vec<Tree>,
    /// How many are the form's own.
    pub own: usize,
    /// The form's variables in terms of q̇.
    pub variables: Vec<(Symbol, Tree)>,
    /// q̇ in the form's variables.
    pub kinematics: Vec<(Symbol, Tree)>,
    /// Multipliers, as the form knows them.
    pub reactions: Vec<(Symbol, Tree)>,
    /// Intermediate objects.
    pub objects: Vec<PresentedObject>,
    /// The equations in the form's other ways of writing them.
    pub alternatives: Vec<(String, Vec<Tree>)>,
    /// Letters used in all of these, with what they stand for; each may contain those before it. Empty unless
    /// something would be long without.
    pub abbreviations: Vec<(Symbol, Tree)>,
    /// Remarks.
    pub notes: Vec<String>,
}

impl Presented {
    /// One line per equation, then q̇ in the form's variables, then what letters stand for.
    pub fn lines(&self, g: &Arena, style: Style) -> Vec<String> {
        let printer = Printer::new(style);
        let zero = Tree::integer(0);
        let equations = self.equations.iter().map(|tree| printer.print_equation(g, tree, &zero));
        let values = self.kinematics.iter().chain(&self.abbreviations);
        equations.chain(values.map(|(s, tree)| printer.print_equation(g, &Tree::Symbol(*s), tree))).collect()
    }

    /// Operations one has to read to know the motion: the equations with the constraints that complete them, the velocities they
    /// leave out, and the abbreviations.
    pub fn length(&self) -> usize {
        let named = self.kinematics.iter().chain(&self.abbreviations).map(|(_, tree)| tree);
        self.equations.iter().chain(named).map(Tree::operations).sum()
    }

    /// Operations in all that is shown.
    pub fn operations(&self) -> usize {
        let pairs = [&self.variables, &self.kinematics, &self.reactions, &self.abbreviations];
        let named = pairs.into_iter().flatten().map(|(_, tree)| tree).chain(self.objects.iter().map(|o| &o.value));
        let equations = self.equations.iter().chain(self.alternatives.iter().flat_map(|(_, list)| list));
        equations.chain(named).map(Tree::operations).sum()
    }
}

/// What takes more operations is written with abbreviations.
const ABBREVIATED: usize = 250;
/// What is written with them in the way that is taken, and takes more operations, is printed as it stands.
const LETTERED: usize = 700;
/// Expressions of more operations are abbreviated before they are made readable, not after: the search would take long.
const TRIED: u64 = 3000;
/// The same for expressions that were not made short before.
const SHORT: u64 = 700;
/// The same for coefficients of long equations, of which there are many.
const PART: u64 = 150;
/// Ways in which long equations are written, of which the shortest is taken; each has an eighth of what the search has.
const WAYS: u64 = 3;
/// Equations of more nodes are collected by their unknowns only while there is work left: each takes as long as to derive it.
const COLLECTED: usize = 5000;
/// Nodes times unknowns up to which other equations are collected without work.
const COLLECTED_ANYHOW: usize = 500_000;
/// Equations of fewer operations are as short as they can be, and need no letters that others have.
pub(super) const SIMPLE: usize = 60;
/// Expressions of more operations are printed as they stand: nobody reads them.
const LONG: usize = 3000;
/// Work of an operation of these: it is put in its place.
const WRITTEN: u64 = 4;
/// Bytes of one printed expression.
const BYTES: usize = 4 << 20;

/// Makes the equations of one form readable, one expression after the other: the first can be read while the others
/// are being made. Those that are long share abbreviations, and where there are such, those that describe the motion are written with
/// them unless they are simple: a reader who knows the letters would look for them there.
pub struct Presenter<'e> {
    eq: &'e Equations,
    in_full: InFull,
    letters: Option<Letters>,
    until: Option<Until>,
    /// What has been handed out.
    printed: FxHashSet<(Expr, Kind)>,
    /// Its operations.
    operations: usize,
}

/// How far work may be done.
#[derive(Clone, Copy)]
struct Until {
    /// To make expressions short.
    search: u64,
    /// To choose letters, and to write each of the many short things that are left then.
    writing: u64,
    /// Operations of all that is printed: that takes time when there is nothing left to be decided.
    operations: usize,
}

impl Until {
    fn now(work: &Work) -> Until {
        let most = (work.left() / 2).min(work.effort.scale(READABLE));
        let search = work.done().saturating_add(most);
        let printed = work.left().max(work.effort.scale(PRINTED_ANYHOW)) / PRINTED;
        let operations = usize::try_from(printed).unwrap_or(usize::MAX);
        Until { search, writing: search.saturating_add(WAYS * (most / 8)), operations }
    }
}

/// The long expressions of a form, written with abbreviations.
#[derive(Default)]
struct Letters {
    abbreviations: Vec<(Symbol, Tree)>,
    trees: FxHashMap<(Expr, Kind), Tree>,
    /// The expressions with letters that are printed as they stand.
    plain: Vec<((Expr, Kind), Expr)>,
}

impl<'e> Presenter<'e> {
    /// For the equations of a form.
    pub fn new(eq: &'e Equations) -> Presenter<'e> {
        let printed = FxHashSet::default();
        Presenter { eq, in_full: InFull::of(eq), letters: None, until: None, printed, operations: 0 }
    }

    /// One of the expressions of the form, readable.
    pub fn tree(&mut self, w: &mut Workbench, e: Expr, kind: Kind) -> Result<Tree> {
        let until = *self.until.get_or_insert_with(|| Until::now(&w.g.work));
        let tree = within(w, until.writing, |w| self.tree_within(w, e, kind, until))?;
        if self.printed.insert((e, kind)) {
            self.operations += tree.operations();
            if self.operations > until.operations {
                return Err(unprinted());
            }
        }
        Ok(tree)
    }

    fn tree_within(&mut self, w: &mut Workbench, e: Expr, kind: Kind, until: Until) -> Result<Tree> {
        let in_full = within(w, until.search, |w| self.in_full.tree(w, e, kind))?;
        if let Some(tree) = in_full.as_ref().filter(|tree| !self.in_full.takes_letters(e, kind, tree)) {
            return Ok(tree.clone());
        }
        let letters = match self.letters.take() {
            Some(letters) => letters,
            None => Letters::of(w, self.eq, &mut self.in_full, until)?,
        };
        let known = letters.trees.get(&(e, kind)).cloned();
        self.letters = Some(letters);
        known.or(in_full).map_or_else(|| tree(w, e, kind), Ok)
    }

    /// The abbreviations met so far, with what they stand for; each may contain those before it.
    pub fn abbreviations(&self) -> &[(Symbol, Tree)] {
        self.letters.as_ref().map_or(&[], |letters| &letters.abbreviations)
    }

    /// Everything.
    pub fn all(&mut self, w: &mut Workbench) -> Result<Presented> {
        let mut presented = presented(self.eq, |e, kind| self.tree(w, e, kind))?;
        presented.abbreviations = self.abbreviations().to_vec();
        Ok(presented)
    }
}

impl Letters {
    /// From the expressions made short, or as they came where letters find more to share in these.
    fn of(w: &mut Workbench, eq: &Equations, in_full: &mut InFull, until: Until) -> Result<Letters> {
        let mut long: Vec<(Expr, Kind)> = Vec::new();
        let mut needed = false;
        let made_short = within(w, until.search, |w| -> Result<Vec<Expr>> {
            presented(eq, |e, kind| {
                let tree = in_full.tree(w, e, kind)?;
                needed |= tree.is_none();
                if tree.is_none_or(|tree| in_full.takes_letters(e, kind, &tree)) {
                    long.push((e, kind));
                }
                Ok(Tree::Undefined)
            })?;
            Ok(if needed { long.iter().map(|&(e, _)| shortened(w, e)).collect() } else { Vec::new() })
        })?;
        if !needed {
            return Ok(Letters::default());
        }
        let as_they_came: Vec<Expr> = long.iter().map(|&(e, _)| e).collect();
        // What is made readable first is often as short as it gets, and sometimes hides what equations share.
        let ways: [(&[Expr], u64); WAYS as usize] = [(&made_short, TRIED), (&as_they_came, SHORT), (&as_they_came, 0)];
        let part = until.writing.saturating_sub(until.search) / WAYS;
        let mut best: Option<Letters> = None;
        // One way can be too long to print where another is not.
        let mut refused = None;
        let mut before: Vec<Vec<Expr>> = Vec::new();
        for (i, (list, most)) in ways.into_iter().enumerate() {
            let roots = match within(w, until.search, |w| begun(w, eq, &long, list, most)) {
                Ok(roots) => roots,
                Err(e) => {
                    refused.get_or_insert(e);
                    continue;
                }
            };
            // Without work the same would come of the same.
            if w.g.work.is_over() && before.contains(&roots) {
                continue;
            }
            let writing = until.search.saturating_add(part * (i as u64 + 1));
            let found = within(w, writing, |w| Letters::written(w, eq, in_full, &long, &roots, until.operations));
            before.push(roots);
            let found = match found {
                Ok(found) => found,
                Err(e) => {
                    refused.get_or_insert(e);
                    continue;
                }
            };
            let operations = found.operations();
            if best.as_ref().is_none_or(|best| operations < best.operations()) {
                best = Some(found);
            }
            if operations <= ABBREVIATED {
                break;
            }
        }
        let mut best = match (best, refused) {
            (Some(best), _) => best,
            (None, Some(e)) => return Err(e),
            (None, None) => Letters::default(),
        };
        within(w, until.writing, |w| best.finish(w))?;
        Ok(best)
    }

    /// What has too many operations to be made readable in each of the ways is made so in the best of them.
    fn finish(&mut self, w: &mut Workbench) -> Result<()> {
        for (written, e) in std::mem::take(&mut self.plain) {
            let tree = tree_below(w, e, written.1, LETTERED)?;
            if tree.operations() < self.trees[&written].operations() {
                self.trees.insert(written, tree);
            }
        }
        let kept = self.used().cloned().collect();
        self.abbreviations = kept;
        Ok(())
    }

    /// What does not need a letter any more does not need its explanation. Only the end decides: what is made readable once more may
    /// need a letter that was left out before.
    fn used(&self) -> impl Iterator<Item = &(Symbol, Tree)> {
        let mut used: FxHashSet<Symbol> = self.trees.values().flat_map(Tree::symbols).collect();
        let mut kept = Vec::new();
        for letter in self.abbreviations.iter().rev() {
            if used.contains(&letter.0) {
                used.extend(letter.1.symbols());
                kept.push(letter);
            }
        }
        kept.into_iter().rev()
    }

    fn operations(&self) -> usize {
        self.trees.values().chain(self.used().map(|(_, tree)| tree)).map(Tree::operations).sum()
    }

    /// `roots` are the expressions in `long` as they are begun to be written. What takes more operations than can be printed is refused.
    fn written(
        w: &mut Workbench,
        eq: &Equations,
        in_full: &InFull,
        long: &[(Expr, Kind)],
        roots: &[Expr],
        most: usize,
    ) -> Result<Letters> {
        let mut visible = w.system.accelerations.clone();
        visible.extend(&eq.unknowns);
        let abbreviated = abbreviate(w, roots, &visible);
        let (mut abbreviations, mut operations) = (Vec::new(), 0);
        for (symbol, e) in abbreviated.letters {
            let tree = tree_below(w, e, Kind::Value, ABBREVIATED)?;
            operations += tree.operations();
            if operations > most {
                return Err(unprinted());
            }
            abbreviations.push((symbol, tree));
        }
        let (mut trees, mut plain) = (FxHashMap::default(), Vec::new());
        for (&(e, kind), short) in long.iter().zip(abbreviated.expressions) {
            let tree = tree_below(w, short, kind, ABBREVIATED)?;
            operations += tree.operations();
            if operations > most {
                return Err(unprinted());
            }
            if tree.operations() > ABBREVIATED {
                plain.push(((e, kind), short));
            }
            trees.insert((e, kind), in_full.unless_longer(e, kind, tree));
        }
        Ok(Letters { abbreviations, trees, plain })
    }
}

/// Needs the equation no abbreviations?
pub(super) fn is_short(w: &mut Workbench, e: Expr) -> bool {
    matches!(short(w, e, Kind::Equation), Ok(Some(_)))
}

/// Within a quarter of the work that making the expressions of a form short may take.
pub(super) fn within_quarter<T>(w: &mut Workbench, what: impl FnOnce(&mut Workbench) -> T) -> T {
    let work = &w.g.work;
    let most = Until::now(work).search.saturating_sub(work.done()) / 4;
    let end = work.done().saturating_add(most);
    within(w, end, what)
}

/// Why something long is not printed.
fn unprinted() -> Error {
    let error = Error::limit("to print it takes more than is left of the work allowed");
    error.hint("more effort goes on for longer")
}

/// Work that ends where so much has been done.
fn within<T>(w: &mut Workbench, end: u64, what: impl FnOnce(&mut Workbench) -> T) -> T {
    let allowance = w.g.work.open_until(end);
    let done = what(w);
    w.g.work.close(allowance);
    done
}

/// `list` are other ways to write the expressions in `long`; those of at most so many operations are made readable, the others
/// collected by their unknowns.
fn begun(w: &mut Workbench, eq: &Equations, long: &[(Expr, Kind)], list: &[Expr], most: u64) -> Result<Vec<Expr>> {
    let begin = |(&(_, kind), &e): (&(Expr, Kind), &Expr)| match kind {
        Kind::Value => part(w, e, kind, most),
        _ => collected(w, e, kind, &eq.unknowns, most),
    };
    long.iter().zip(list).map(begin).collect()
}

/// The readable form of an expression as an expression again, unless it takes too many operations to look for it.
fn part(w: &mut Workbench, e: Expr, kind: Kind, most: u64) -> Result<Expr> {
    if written_out(&w.g, e) > most {
        return Ok(e);
    }
    Ok(tree(w, e, kind)?.to_expr(&mut w.g))
}

/// A long equation as a book would begin to write it: the coefficient of each unknown in its readable form, and the rest;
/// unless the readable form of the whole is known and shorter.
fn collected(w: &mut Workbench, e: Expr, kind: Kind, unknowns: &[Symbol], most: u64) -> Result<Expr> {
    let whole = part(w, e, kind, most)?;
    if w.g.has_more_nodes(e, COLLECTED) {
        if !w.g.work.is_over() {
            let nodes = w.g.reachable(&[e]).len();
            w.g.work.charge(nodes as u64);
        }
        // What nobody would read is collected all the same: a letter may stand for nothing that has an unknown in it.
        let anyhow = COLLECTED_ANYHOW / unknowns.len().max(1);
        let must = written_out(&w.g, whole) > LONG as u64 && !w.g.has_more_nodes(e, anyhow);
        if w.g.work.is_over() && !must {
            return Ok(whole);
        }
    }
    let coefficients = w.g.gradient(e, unknowns);
    if coefficients.iter().any(|&c| w.g.depends_on_any(c, unknowns)) {
        return Ok(whole);
    }
    let zero = w.g.integer(0);
    let without: FxHashMap<Symbol, Expr> = unknowns.iter().map(|&u| (u, zero)).collect();
    let rest = w.g.substitute(e, &without);
    let mut sum = vec![part(w, rest, Kind::Value, PART)?];
    for (&u, c) in unknowns.iter().zip(coefficients) {
        let (c, u) = (part(w, c, Kind::Value, PART)?, w.g.symbol(u));
        sum.push(w.g.mul(c, u));
    }
    let sum = w.g.sum(sum);
    let shorter = whole != e && written_out(&w.g, whole) <= written_out(&w.g, sum);
    Ok(if shorter { whole } else { sum })
}

/// Makes equations readable, with abbreviations where they are long.
pub fn present(w: &mut Workbench, eq: &Equations) -> Result<Presented> {
    Presenter::new(eq).all(w)
}

/// Makes equations readable, every one understandable by itself.
pub fn present_in_full(w: &mut Workbench, eq: &Equations) -> Result<Presented> {
    presented(eq, |e, kind| in_full(w, e, kind))
}

/// Every expression of a form as `tree` writes it.
fn presented(eq: &Equations, mut tree: impl FnMut(Expr, Kind) -> Result<Tree>) -> Result<Presented> {
    let mut equations = Vec::new();
    for (i, &e) in eq.equations.iter().enumerate() {
        equations.push(tree(e, eq.kind(i))?);
    }
    let mut pairs = |list: &[(Symbol, Expr)]| -> Result<Vec<(Symbol, Tree)>> {
        list.iter().map(|&(s, e)| Ok((s, tree(e, Kind::Value)?))).collect()
    };
    let (variables, kinematics) = (pairs(&eq.variables)?, pairs(&eq.velocities)?);
    let reactions = pairs(&eq.reactions)?;
    let mut objects = Vec::new();
    for o in &eq.objects {
        let value = tree(o.value, Kind::Value)?;
        objects.push(PresentedObject { name: o.name.clone(), symbol: o.symbol.clone(), value });
    }
    let mut alternatives = Vec::new();
    for (name, list) in &eq.alternatives {
        let list: Result<_> = list.iter().map(|&e| tree(e, Kind::Equation)).collect();
        alternatives.push((name.clone(), list?));
    }
    Ok(Presented {
        form: eq.form,
        equations,
        own: eq.own,
        variables,
        kinematics,
        reactions,
        objects,
        alternatives,
        abbreviations: Vec::new(),
        notes: eq.notes.clone(),
    })
}

/// An expression in readable form.
pub fn readable(w: &mut Workbench, e: Expr) -> Result<Tree> {
    in_full(w, e, Kind::Value)
}

/// The readable form, however long it is.
fn in_full(w: &mut Workbench, e: Expr, kind: Kind) -> Result<Tree> {
    match shortest(w, e, kind)? {
        Some(tree) => Ok(tree),
        None => {
            let e = shortened(w, e);
            tree(w, e, kind)
        }
    }
}

/// The readable form of what needs no abbreviations.
pub(super) fn short(w: &mut Workbench, e: Expr, kind: Kind) -> Result<Option<Tree>> {
    Ok(shortest(w, e, kind)?.filter(|tree| tree.operations() <= ABBREVIATED))
}

/// The shortest readable form, if the search would not take too long.
fn shortest(w: &mut Workbench, e: Expr, kind: Kind) -> Result<Option<Tree>> {
    let e = shortened(w, e);
    let mut best = if written_out(&w.g, e) > TRIED { None } else { Some(tree(w, e, kind)?) };
    // Coefficient by coefficient a long equation may be shorter than as a whole.
    if best.as_ref().is_none_or(|tree| tree.operations() > SIMPLE)
        && let Some(sum) = in_parts(w, e, |w, c| part(w, c, Kind::Value, TRIED))?
        && written_out(&w.g, sum) <= TRIED
    {
        let tree = tree(w, sum, kind)?;
        if best.as_ref().is_none_or(|best| tree.operations() < best.operations()) {
            // It is asked for again, perhaps when there is no work left to look at the parts.
            w.readable.insert((e, kind), tree.clone());
            best = Some(tree);
        }
    }
    Ok(best)
}

/// The readable form of an expression, or of the equation that it vanishes; remembered, since forms share much.
fn tree(w: &mut Workbench, e: Expr, kind: Kind) -> Result<Tree> {
    tree_below(w, e, kind, LONG)
}

/// The same; as it stands where it takes more operations.
fn tree_below(w: &mut Workbench, e: Expr, kind: Kind, most: usize) -> Result<Tree> {
    if let Some(known) = w.readable.get(&(e, kind)) {
        return Ok(known.clone());
    }
    let limits = Limits { printed_bytes: w.limits.printed_bytes.min(BYTES), ..w.limits.clone() };
    let plain = Tree::of(&w.g, e, &limits)?;
    w.g.work.charge(WRITTEN * plain.operations() as u64);
    let tree = if plain.operations() > most {
        return Ok(plain);
    } else {
        let scale = if kind == Kind::Constraint { Scale::Free } else { Scale::Keep };
        let options = Readable { limits, scale };
        match kind {
            Kind::Value => expr::readable(&mut w.g, e, &options)?,
            Kind::Equation | Kind::Constraint => readable_equation(&mut w.g, e, &options)?,
        }
    };
    w.readable.insert((e, kind), tree.clone());
    Ok(tree)
}

/// Forms that stand for those in the same variables, in the order of preference where they are as long: quasi-velocities, independent
/// velocities, all velocities.
const CANDIDATES: [&[&str]; 3] =
    [&["boltzmann-hamel", "hamel-novoselov", "gibbs-appell"], &["chaplygin", "voronets"], &["maggi", "udwadia-kalaba"]];

/// The form whose equations a person reads soonest, that of the least [`Presented::length`]. Lagrange's with multipliers stand
/// outside the comparison.
pub fn best_suited(w: &mut Workbench) -> Option<&'static dyn Form> {
    let mut best: Option<(usize, &'static dyn Form)> = None;
    for ids in CANDIDATES {
        // Without quasi-velocities of the model these are independent velocities.
        if ids[0] == "boltzmann-hamel" && w.system.quasi_velocities.is_empty() {
            continue;
        }
        // A derivation is brought to its end, whatever it takes: where all that may be done for the choice is done, it is made.
        if best.is_some() && w.g.work.is_over() {
            break;
        }
        let (found, _) = w.within(crate::effort::COMPARED, |w| {
            let form = ids.iter().filter_map(|id| by_id(id)).find(|f| f.applies(w) == Applicability::Applies)?;
            let written = form.derive(w).ok().map(|eq| as_written(w, &eq.brief()));
            let length = written.and_then(|eq| Some(present(w, &eq).ok()?.length()));
            Some((length.unwrap_or(usize::MAX), form))
        });
        if let Some((length, form)) = found
            && best.is_none_or(|(least, _)| length < least)
        {
            best = Some((length, form));
        }
    }
    best.map(|(_, form)| form)
}

#[cfg(test)]
mod tests;
