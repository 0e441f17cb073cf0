//! Surfaces: a graph over x and y of a frame, or a place that depends on two parameters.
//!
//! A surface is rigid in its frame, which may move. At two values of its parameters it has a place, two tangents and a normal; that is
//! all that frames which stand on it and contacts with it need. The normal is σ_u × σ_v, for a graph upwards; what stands on the
//! surface does so at a height along it.

use super::axes::Placed;
use super::frames::Spot;
use super::layer::{Layer, Named, Where};
use super::roots::Asker;
use super::spec::{Name, SurfaceForm, SurfaceSpec};
use super::vector::{Vector, VectorArithmetic};
use crate::error::{Error, Span};
use crate::expr::{Expr, NameError, Node, Rational, Role, Symbol};
use crate::source::{Item, Value};
use rustc_hash::FxHashMap;

/// A surface in the axes of its frame.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub(super) name: String,
    pub(super) frame: usize,
    pub(super) is_graph: bool,
    /// The names of its parameters, and the symbols that stand for them in what follows.
    pub(super) parameters: [String; 2],
    pub(super) letters: [Symbol; 2],
    pub(super) place: Vector,
    tangents: [Vector; 2],
    normal: Vector,
    patches: Vec<Patch>,
}

/// A surface at some values of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub(super) surface: usize,
    at: [Expr; 2],
    pub(super) place: Vector,
    pub(super) tangents: [Vector; 2],
    /// σ_u × σ_v, and the same of length one.
    pub(super) normal: Vector,
    pub(super) unit: Vector,
}

impl Surface {
    /// The first place where something touches it or stands on it.
    pub(super) fn first_at(&self) -> Option<[Expr; 2]> {
        self.patches.first().map(|p| p.at)
    }
}

impl Layer<'_> {
    pub(super) fn make_surface(&mut self, spec: &SurfaceSpec) -> Option<()> {
        let frame = match &spec.frame {
            Some(name) => self.frame_of(name)?,
            None => 0,
        };
        let parameters = match &spec.form {
            SurfaceForm::Graph(_) => ["x", "y"].map(str::to_owned),
            SurfaceForm::Parametric { parameters: [a, b], .. } => [a, b].map(|n| n.text.clone()),
        };
        for name in &parameters {
            let taken = match self.names.get(name) {
                None => self.taken.contains(name),
                Some(named) => !matches!(named, Named::Coordinate(_)),
            };
            if taken {
                let message =
                    format!("`{name}` is a parameter of the surface `{}`, and something else as well", spec.name.text);
                let hint = "only a coordinate may share its name with a parameter of a surface";
                self.error(Error::input(message).at(spec.name.span.clone()).hint(hint));
                return None;
            }
        }
        let letters = [0, 1].map(|i| {
            let name = format!("{}.{}", spec.name.text, parameters[i]);
            self.arena.declare(&name, Role::Coordinate)
        });
        let place = self.with_parameters(&parameters, letters, |layer| layer.surface_place(spec, letters))?;
        let place = place.map(|x| self.meaning(x));
        self.rigid(spec, letters, &place)?;
        let tangents = letters.map(|s| {
            place.map(|x| {
                let rate = self.arena.diff(x, s);
                self.short(rate)
            })
        });
        let normal = self.arena.cross(&tangents[0], &tangents[1]);
        let normal = normal.map(|x| self.factored(x));
        if normal.iter().all(|&x| self.vanishes(x)) {
            let message = format!("the surface `{}` has no tangent plane anywhere: it is a line", spec.name.text);
            let hint = "its place must change in two directions with its two parameters";
            self.error(Error::input(message).at(spec.name.span.clone()).hint(hint));
            return None;
        }
        let (name, is_graph) = (spec.name.text.clone(), matches!(spec.form, SurfaceForm::Graph(_)));
        let patches = Vec::new();
        self.surfaces.push(Surface { name, frame, is_graph, parameters, letters, place, tangents, normal, patches });
        Some(())
    }

    /// Lets the parameters of a surface be known by their names while something is read.
    fn with_parameters<T>(
        &mut self,
        names: &[String; 2],
        letters: [Symbol; 2],
        read: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let kept: Vec<Option<Named>> =
            (0..2).map(|i| self.names.insert(names[i].clone(), Named::Coordinate(letters[i]))).collect();
        let result = read(self);
        for (name, named) in names.iter().zip(kept) {
            match named {
                Some(named) => self.names.insert(name.clone(), named),
                None => self.names.remove(name),
            };
        }
        result
    }

    fn surface_place(&mut self, spec: &SurfaceSpec, letters: [Symbol; 2]) -> Option<Vector> {
        match &spec.form {
            SurfaceForm::Graph(z) => {
                let z = self.read(z, Where::SURFACE)?;
                let [x, y] = letters.map(|s| self.arena.symbol(s));
                Some([x, y, z])
            }
            SurfaceForm::Parametric { at, .. } => self.read_vector(at, Where::SURFACE),
        }
    }

    /// Refuses a surface that changes its form.
    fn rigid(&mut self, spec: &SurfaceSpec, letters: [Symbol; 2], place: &Vector) -> Option<()> {
        let varies = |role: Role| !matches!(role, Role::Parameter | Role::Constant);
        let symbols = self.arena.free_symbols(place);
        let Some(&s) = symbols.iter().find(|s| !letters.contains(s) && varies(self.arena.role(**s))) else {
            return Some(());
        };
        let message = format!("the surface `{}` depends on `{}`, which varies", spec.name.text, self.arena.name(s));
        let hint = "a surface keeps its form: it depends on its two parameters and on constants; its frame may move";
        self.error(Error::input(message).at(spec.name.span.clone()).hint(hint));
        None
    }

    /// A surface that is referred to.
    pub(super) fn surface_of(&mut self, name: &Name) -> Option<usize> {
        let found = self.surfaces.iter().position(|s| s.name == name.text);
        let known: Vec<&str> = self.specs.surfaces.iter().map(|s| s.name.text.as_str()).collect();
        if found.is_none() && !known.contains(&name.text.as_str()) {
            let error = NameError::unknown("surface", &name.text, known.iter().copied());
            let hint = match known[..] {
                [] => "surfaces are named in [surfaces]".to_owned(),
                _ => format!("surfaces are {}", known.join(", ")),
            };
            self.error(error.hint(hint).at(name.span.clone()));
        }
        found
    }

    /// The values of the parameters of a surface, and the height over it if that is given too.
    pub(super) fn on_surface(&mut self, surface: usize, at: Option<&Item>, span: &Span) -> Option<([Expr; 2], Expr)> {
        let Some(at) = at else {
            return Some((self.own_parameters(surface, span)?, self.arena.zero()));
        };
        let Value::Array(list) = &at.value else {
            let message = format!("a place on a surface is a list, not {}", at.value.kind());
            self.error(Error::input(message).at(at.span.clone()).hint(AT_HINT));
            return None;
        };
        if !(2..=3).contains(&list.len()) {
            let message = format!("a place on a surface has two parameters and perhaps a height, not {}", list.len());
            self.error(Error::input(message).at(at.span.clone()).hint(AT_HINT));
            return None;
        }
        let parts: Vec<Option<Expr>> = list.iter().map(|i| self.read(i, Where::PLACE)).collect();
        let height = if parts.len() > 2 { parts[2]? } else { self.arena.zero() };
        Some(([parts[0]?, parts[1]?], height))
    }

    /// The coordinates that have the names of the parameters of a surface.
    fn own_parameters(&mut self, surface: usize, span: &Span) -> Option<[Expr; 2]> {
        let Surface { name, parameters, is_graph, .. } = self.surfaces[surface].clone();
        let named = parameters.clone().map(|p| match self.names.get(&p) {
            Some(&Named::Coordinate(s)) if !is_graph => Some(self.arena.symbol(s)),
            _ => None,
        });
        if let [Some(a), Some(b)] = named {
            return Some([a, b]);
        }
        let message = if is_graph {
            format!("where on the surface `{name}` is not said")
        } else {
            format!("where on the surface `{name}` is not said, and its parameters are no coordinates of the model")
        };
        self.error(Error::input(message).at(span.clone()).hint(AT_HINT));
        None
    }

    /// A surface at values of its parameters: place, tangents and normal, long ones under names; not yet the normal of length one.
    pub(super) fn bare_patch(&mut self, surface: usize, at: [Expr; 2]) -> Patch {
        let Surface { name, is_graph, letters, place, tangents, normal, .. } = self.surfaces[surface].clone();
        let map: FxHashMap<Symbol, Expr> = letters.into_iter().zip(at).collect();
        let here = |layer: &mut Self, v: &Vector| {
            v.map(|x| {
                let x = layer.arena.substitute(x, &map);
                layer.factored(x)
            })
        };
        let place = here(self, &place);
        let mut tangents = [here(self, &tangents[0]), here(self, &tangents[1])];
        for (v, u) in tangents.iter_mut().zip(["u", "v"]) {
            for (x, i) in v.iter_mut().zip(1..) {
                // The slopes of a graph stand in everything.
                *x = self.letter_if_long(&format!("{name}_{u}{i}"), *x, if is_graph { 2 } else { 6 });
            }
        }
        let normal = if is_graph { self.arena.cross(&tangents[0], &tangents[1]) } else { here(self, &normal) };
        Patch { surface, at, place, tangents, normal, unit: normal }
    }

    /// The same with its normal.
    pub(super) fn patch(&mut self, surface: usize, at: [Expr; 2], span: &Span) -> Option<Patch> {
        if let Some(known) = self.surfaces[surface].patches.iter().find(|p| p.at == at) {
            return Some(known.clone());
        }
        let mut patch = self.bare_patch(surface, at);
        let name = self.surfaces[surface].name.clone();
        let asker = Asker {
            what: format!("surface `{name}`"),
            span: span.clone(),
            flat: ["it has no tangent plane at the initial state"; 2],
            hint: "start elsewhere on it, or choose other parameters for it",
        };
        patch.unit = self.direction_of(&asker, &patch.normal, &format!("{name}_w"))?;
        for (x, axis) in patch.unit.iter_mut().zip(["x", "y", "z"]) {
            *x = self.letter_if_long(&format!("{name}_n{axis}"), *x, 6);
        }
        self.surfaces[surface].patches.push(patch.clone());
        Some(patch)
    }

    /// The place at a height over a surface, in the axes of its frame.
    pub(super) fn over_surface(&mut self, surface: usize, at: Option<&Item>, span: &Span) -> Option<Spot> {
        let (parameters, height) = self.on_surface(surface, at, span)?;
        let frame = self.surfaces[surface].frame;
        let place = if self.arena.is_zero(height) {
            self.patch(surface, parameters, span)?.place
        } else {
            let patch = self.patch(surface, parameters, span)?;
            let lift = self.arena.times(height, &patch.unit);
            let sum = self.arena.plus(&patch.place, &lift);
            sum.map(|x| self.factored(x))
        };
        Some(Spot { frame, at: place })
    }

    /// Two directions of length one along a surface: with its first parameter, and across that, so that n × first = second.
    pub(super) fn directions_on(&mut self, index: usize, patch: &Patch, n: &Vector) -> Option<[Placed; 2]> {
        let Surface { name, frame, .. } = self.surfaces[patch.surface].clone();
        let axes = self.frames[frame].axes;
        let asker = self.contact_asks(index);
        let along = self.direction_of(&asker, &patch.tangents[0], &format!("{name}_s"))?;
        let across = self.arena.cross(n, &along);
        let across = across.map(|x| self.short(x));
        Some([along, across].map(|v| Placed { axes, v }))
    }

    /// A vector made to have length one; its length gets the name, if it is long. Factors that all components have in common are
    /// taken out first: what is left often has length one by itself, or never vanishes.
    pub(super) fn direction_of(&mut self, asker: &Asker, v: &Vector, name: &str) -> Option<Vector> {
        let meanings = v.map(|x| self.meaning(x));
        let common = self.common_factor(&meanings);
        let rest = if self.arena.is_one(common) {
            *v
        } else {
            let common = self.branch_for(asker, common)?;
            meanings.map(|x| self.arena.div(x, common))
        };
        let square = self.arena.norm_squared(&rest);
        let length = self.root_for(asker, square)?;
        if !self.arena.is_one(length) && self.order_of(length).is_some() && !self.visibly_positive(square) {
            self.guards.push((asker.what.clone(), length));
        }
        let length = self.letter_if_long(name, length, 2);
        Some(rest.map(|x| {
            let quotient = self.arena.div(x, length);
            self.short(quotient)
        }))
    }

    /// A vector without the factors that all its components have in common: what vanishes with them would be no contact.
    pub(super) fn reduced(&mut self, v: &Vector) -> Vector {
        let meanings = v.map(|x| self.meaning(x));
        let common = self.common_factor(&meanings);
        if self.arena.is_one(common) { *v } else { meanings.map(|x| self.arena.div(x, common)) }
    }

    /// The expression, short, with what all terms of a sum have in common in front of it: nothing of that is multiplied out.
    fn factored(&mut self, e: Expr) -> Expr {
        let Node::Sum { constant, terms } = self.arena.node(e).clone() else { return self.short(e) };
        let bare: Vec<Expr> = terms.iter().map(|(x, _)| *x).collect();
        let common = self.common_factor(&bare);
        if !constant.is_zero() || self.arena.is_one(common) {
            return self.short(e);
        }
        let rest: Vec<Expr> = terms
            .iter()
            .map(|(x, c)| {
                let c = self.arena.number(c.clone());
                let x = self.arena.div(*x, common);
                self.arena.mul(c, x)
            })
            .collect();
        let rest = self.arena.sum(rest);
        let rest = self.short(rest);
        self.arena.mul(common, rest)
    }

    /// Powers that all of these that are not zero have as factors.
    fn common_factor(&mut self, v: &[Expr]) -> Expr {
        let factors = |layer: &Self, e: Expr| match layer.arena.node(e) {
            Node::Product { factors, .. } => factors.to_vec(),
            Node::Number(_) => Vec::new(),
            _ => vec![(e, Rational::ONE)],
        };
        let mut common: Option<Vec<(Expr, Rational)>> = None;
        for &x in v.iter().filter(|&&x| !self.arena.is_zero(x)) {
            let here = factors(self, x);
            common = Some(match common {
                None => here,
                Some(before) => before
                    .into_iter()
                    .filter_map(|(base, power)| {
                        let (_, other) = here.iter().find(|(b, _)| *b == base)?;
                        let least = if *other < power { other.clone() } else { power };
                        (!least.is_negative()).then_some((base, least))
                    })
                    .collect(),
            });
        }
        self.arena.powers(Rational::ONE, common.unwrap_or_default())
    }

    /// One and a sum of squares: it never vanishes.
    fn visibly_positive(&self, square: Expr) -> bool {
        let Node::Sum { constant, terms } = self.arena.node(square) else { return false };
        let positive = |x: &Rational| !x.is_negative() && !x.is_zero();
        let even = |e: Expr| match self.arena.node(e) {
            Node::Product { coefficient, factors } => {
                positive(coefficient)
                    && factors.iter().all(|(_, p)| p.is_integer() && p.to_i64().is_some_and(|n| n % 2 == 0))
            }
            _ => false,
        };
        positive(constant) && terms.iter().all(|(e, c)| positive(c) && even(*e))
    }
}

const AT_HINT: &str = "write `at = [\"u\", \"v\"]` with two expressions of the coordinates: where it touches";

#[cfg(test)]
mod tests {
    use super::super::spec::Specs;
    use super::*;
    use crate::expr::{Declared, Role, parse_expression};
    use crate::limits::Limits;
    use crate::source::Written;

    #[test]
    fn the_factor_that_components_have_in_common_is_no_number() {
        let (limits, specs, written) = (Limits::default(), Specs::default(), Written::default());
        let mut layer = Layer::new("", &limits, &specs, &written);
        for name in ["x", "y"] {
            layer.arena.declare(name, Role::Coordinate);
        }
        let mut read =
            |text: &str| parse_expression(&mut layer.arena, text, &mut Declared, &limits).expect("it parses");
        let cases = [
            (["3", "3", "0"], "1"),
            (["6*x", "6*x", "0"], "x"),
            (["x^3*y", "x^2", "x^2*sin(y)"], "x^2"),
            (["x", "y", "x*y"], "1"),
            (["x + y", "2*(x + y)^2", "0"], "x + y"),
            (["y/x", "y/x", "y"], "y"),
        ]
        .map(|(v, common)| (v.map(&mut read), read(common)));
        for (v, common) in cases {
            assert_eq!(layer.common_factor(&v), common);
        }
    }
}
