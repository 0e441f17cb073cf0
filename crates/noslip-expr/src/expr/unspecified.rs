//! Functions of which nothing is said but what they depend on: a(x, y, z), and their partial derivatives a_x, a_xy.
//!
//! Every partial derivative is such a function itself, known by how often each argument was differentiated by. So a_xy and a_yx
//! are one by construction, and nothing else is assumed: what is proved with them holds for every smooth function.

use super::arena::{Arena, Expr, Function, Node};
use super::enclosure::Enclosure;
use super::number::Rational;
use crate::arrange::Arrange;
use crate::error::Error;
use rustc_hash::FxHashMap;

/// An unspecified function or one of its derivatives, by its index in the arena's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnspecifiedId(pub(crate) u32);

/// What the arena knows of an unspecified function or of one of its derivatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unspecified {
    /// The function it is a derivative of: itself when it is none.
    pub root: UnspecifiedId,
    /// The name of that function.
    pub name: String,
    /// Names of its arguments, as they stand in the name of a derivative.
    pub arguments: Vec<String>,
    /// How often it was differentiated by each argument.
    pub orders: Vec<u8>,
    /// It stands for a law of friction, which is known where reactions are.
    pub law: bool,
}

impl Unspecified {
    /// How often it was differentiated in all.
    pub fn order(&self) -> usize {
        self.orders.iter().map(|&n| usize::from(n)).sum()
    }

    /// The names of the arguments it was differentiated by, in the order of the arguments.
    pub fn subscripts(&self) -> impl Iterator<Item = &str> {
        let names = self.arguments.iter().zip(&self.orders);
        names.flat_map(|(name, &n)| std::iter::repeat_n(name.as_str(), n.into()))
    }

    /// Its name in the model's syntax: `a`, `a_x`, `a_theta_theta`; with one argument `a'`.
    pub fn written(&self) -> String {
        if self.arguments.len() == 1 {
            return format!("{}{}", self.name, "'".repeat(self.order()));
        }
        let between = if self.arguments.iter().all(|n| n.chars().count() == 1) { "" } else { "_" };
        let subscripts: Vec<&str> = self.subscripts().collect();
        let bar = if subscripts.is_empty() { "" } else { "_" };
        format!("{}{bar}{}", self.name, subscripts.join(between))
    }
}

/// The functions of an arena.
#[derive(Clone, Debug, Default)]
pub(super) struct Unspecifieds {
    list: Vec<Unspecified>,
    /// Per function: the lists of arguments it is written without, or with their own names.
    usual: Vec<Vec<Vec<Expr>>>,
}

impl Arena {
    /// Makes an unspecified function known, with names for its arguments.
    pub fn declare_unspecified(&mut self, name: &str, arguments: Vec<String>) -> UnspecifiedId {
        let list = &mut self.unspecified.list;
        if let Some(i) = list.iter().position(|f| f.name == name && f.order() == 0) {
            return UnspecifiedId(i as u32);
        }
        let root = UnspecifiedId(list.len() as u32);
        let orders = vec![0; arguments.len()];
        list.push(Unspecified { root, name: name.to_owned(), arguments, orders, law: false });
        self.unspecified.usual.push(Vec::new());
        root
    }

    /// Says that the function called here stands for a law of friction.
    pub fn stands_for_a_law(&mut self, e: Expr) {
        if let Node::Unspecified(f, _) = *self.node(e) {
            self.unspecified.list[f.0 as usize].law = true;
        }
    }

    /// What is known of an unspecified function.
    pub fn unspecified_function(&self, f: UnspecifiedId) -> &Unspecified {
        &self.unspecified.list[f.0 as usize]
    }

    /// Says of what the function is one, where nothing else is said: then it is written without arguments, or, if it has one
    /// argument only, with that argument's name.
    pub fn set_usual_arguments(&mut self, f: UnspecifiedId, arguments: &[Expr]) {
        let root = self.unspecified_function(f).root;
        let known = &mut self.unspecified.usual[root.0 as usize];
        if !known.iter().any(|list| list == arguments) {
            known.push(arguments.to_vec());
        }
    }

    /// Are these the arguments of which it is a function where nothing else is said?
    pub fn has_usual_arguments(&self, f: UnspecifiedId, arguments: &[Expr]) -> bool {
        self.unspecified.usual[self.unspecified_function(f).root.0 as usize].iter().any(|list| list == arguments)
    }

    /// The arguments of which it is a function where nothing else is said.
    pub fn usual_arguments(&self, f: UnspecifiedId) -> Option<&[Expr]> {
        self.unspecified.usual[self.unspecified_function(f).root.0 as usize].first().map(Vec::as_slice)
    }

    /// The partial derivative by one argument, which is an unspecified function again.
    pub fn partial(&mut self, f: UnspecifiedId, argument: usize) -> UnspecifiedId {
        let mut derivative = self.unspecified_function(f).clone();
        if let Some(n) = derivative.orders.get_mut(argument) {
            *n = n.saturating_add(1);
        }
        let list = &mut self.unspecified.list;
        let known = list.iter().position(|g| g.root == derivative.root && g.orders == derivative.orders);
        UnspecifiedId(known.unwrap_or_else(|| {
            list.push(derivative);
            self.unspecified.usual.push(Vec::new());
            list.len() - 1
        }) as u32)
    }

    /// An unspecified function of these arguments.
    pub fn unspecified(&mut self, f: UnspecifiedId, arguments: &[Expr]) -> Expr {
        if arguments.iter().any(|&x| self.is_undefined(x)) {
            return Self::UNDEFINED;
        }
        self.intern(Node::Unspecified(f, arguments.into()))
    }

    /// The unspecified functions that occur, derivatives under the name of their function, in the order of their declaration.
    pub fn unspecified_in(&self, roots: &[Expr]) -> Vec<UnspecifiedId> {
        let mut found: Vec<UnspecifiedId> = self
            .reachable(roots)
            .into_iter()
            .filter_map(|e| match self.node(e) {
                Node::Unspecified(f, _) => Some(self.unspecified_function(*f).root),
                _ => None,
            })
            .collect();
        found.arrange();
        found.dedup();
        found
    }
}

impl Arena {
    /// Numbers were asked for, and these functions have none.
    pub fn not_given(&self, functions: &[UnspecifiedId]) -> Error {
        let names: Vec<&str> = functions.iter().map(|&f| self.unspecified_function(f).name.as_str()).collect();
        let (list, verb) = match &names[..] {
            [one] => (format!("function `{one}`"), "is"),
            many => (format!("functions `{}`", many.join("`, `")), "are"),
        };
        if functions.iter().any(|&f| self.unspecified_function(f).law) {
            return Error::not_applicable(
                "the model has a law of friction, which needs the reactions to be found with it",
            )
            .hint("`noslip simulate` and `report` follow its motion, `noslip derive` writes its equations");
        }
        let name = names.first().copied().unwrap_or_default();
        Error::input(format!("{list} {verb} not given: there are no numbers without")).hint(format!(
            "set it to an expression, or give it under [functions] as `{name} = {{ of = \"...\", is = \"...\" }}`"
        ))
    }
}

/// One particular function that stands for an unspecified one where numbers are wanted to tell things apart: a sum of sines of
/// different linear forms, one more than it has arguments, so that its derivatives satisfy no relation of low degree. Each wave
/// with its shift and its slopes.
fn waves(f: &Unspecified) -> impl Iterator<Item = (Rational, Vec<Rational>)> + use<> {
    let (root, n) = (i64::from(f.root.0), f.arguments.len() as i64);
    (0..=n).map(move |k| {
        // Different in every wave and every argument.
        let slope = |i: i64| Rational::new(2 + (5 * k + 3 * i + root) % 7, 4).unwrap_or(Rational::ONE);
        (Rational::integer(root + 3 * k + 1), (0..n).map(slope).collect())
    })
}

/// What differentiating a wave brings in front of it.
fn steepness(f: &Unspecified, slopes: &[Rational]) -> Rational {
    let powers = slopes.iter().zip(&f.orders).map(|(slope, &n)| slope.pow(n.into()).unwrap_or(Rational::ONE));
    powers.fold(Rational::ONE, |product, power| &product * &power)
}

/// The value of that function.
pub(super) fn sample<E: Enclosure>(cx: &mut E::Context, f: &Unspecified, arguments: &[E]) -> Option<E> {
    let mut sum = E::rational(cx, &Rational::ZERO)?;
    for (shift, slopes) in waves(f) {
        let mut angle = E::rational(cx, &shift)?;
        for (x, slope) in arguments.iter().zip(&slopes) {
            let slope = E::rational(cx, slope)?;
            let term = x.mul(cx, &slope)?;
            angle = angle.add(cx, &term)?;
        }
        let quarter = E::rational(cx, &Rational::new(f.order() as i64, 2)?)?;
        let turn = E::pi(cx)?.mul(cx, &quarter)?;
        let factor = E::rational(cx, &steepness(f, &slopes))?;
        let wave = angle.add(cx, &turn)?.call(cx, Function::Sin)?.mul(cx, &factor)?;
        sum = sum.add(cx, &wave)?;
    }
    Some(sum)
}

impl Arena {
    /// The expression with particular functions in place of those that are left open. What fails for them does not hold for all.
    pub fn with_samples(&mut self, e: Expr) -> Expr {
        let mut memo: FxHashMap<Expr, Expr> = FxHashMap::default();
        for c in self.reachable(&[e]) {
            let value = match self.node(c) {
                Node::Unspecified(f, list) => {
                    let (f, list) =
                        (self.unspecified_function(*f).clone(), list.iter().map(|x| memo[x]).collect::<Vec<_>>());
                    self.sampled(&f, &list)
                }
                _ => self.rebuild(c, |x| memo[&x]),
            };
            memo.insert(c, value);
        }
        memo[&e]
    }

    fn sampled(&mut self, f: &Unspecified, arguments: &[Expr]) -> Expr {
        let mut sum = Vec::new();
        for (shift, slopes) in waves(f) {
            let factor = steepness(f, &slopes);
            let angle = self.linear(shift, arguments.iter().copied().zip(slopes));
            let function = if f.order().is_multiple_of(2) { Function::Sin } else { Function::Cos };
            let wave = self.call(function, angle);
            let sign = if f.order() % 4 >= 2 { Rational::MINUS_ONE } else { Rational::ONE };
            sum.push((wave, &factor * &sign));
        }
        self.linear(Rational::ZERO, sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::enclosure::{Ball, Digits};
    use crate::expr::zero::{ZeroOptions, is_zero};
    use crate::expr::{Role, Symbol};

    /// f(x, y) and all its derivatives up to the third order, with the variables.
    fn derivatives() -> (Arena, [Symbol; 2], Vec<(Expr, [usize; 2])>) {
        let mut g = Arena::new();
        let [x, y] = ["x", "y"].map(|name| g.declare(name, Role::Coordinate));
        let arguments = [g.symbol(x), g.symbol(y)];
        let f = g.declare_unspecified("f", vec!["x".into(), "y".into()]);
        let value = g.unspecified(f, &arguments);
        let mut list = Vec::new();
        for (m, n) in [(0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)] {
            let mut e = value;
            (0..m).for_each(|_| e = g.diff(e, x));
            (0..n).for_each(|_| e = g.diff(e, y));
            list.push((e, [m, n]));
        }
        (g, [x, y], list)
    }

    #[test]
    fn the_sample_of_a_derivative_is_the_derivative_of_the_sample() {
        let (mut g, [x, y], list) = derivatives();
        let sample = g.with_samples(list[0].0);
        assert!(g.unspecified_in(&[sample]).is_empty() && g.depends_on(sample, x) && g.depends_on(sample, y));
        for (e, [m, n]) in list {
            let mut expected = sample;
            (0..m).for_each(|_| expected = g.diff(expected, x));
            (0..n).for_each(|_| expected = g.diff(expected, y));
            let found = g.with_samples(e);
            let difference = g.sub(found, expected);
            assert!(is_zero(&mut g, difference, &ZeroOptions::default()).is_proved(), "{m} by x, {n} by y");
        }
    }

    #[test]
    fn the_number_of_a_sample_is_its_sum_of_waves() {
        let (g, _, list) = derivatives();
        let mut cx = Digits::new(256).expect("digits");
        let (x, y) = (0.75, -1.5);
        for (e, [m, n]) in list {
            let Node::Unspecified(f, _) = g.node(e) else { panic!("a function") };
            let at = [x, y].map(|v| Ball::exact(&cx, v).expect("a number"));
            let found = sample(&mut cx, g.unspecified_function(*f), &at).expect("a value");
            // The first function of two arguments: slopes (2 + (5k + 3i) mod 7)/4, shifts 3k + 1.
            let waves = [(1.0, 0.5, 1.25), (4.0, 1.75, 0.75), (7.0, 1.25, 2.0)];
            let quarter = std::f64::consts::FRAC_PI_2 * (m + n) as f64;
            let wave = |(shift, a, b): (f64, f64, f64)| {
                f64::powi(a, m as i32) * f64::powi(b, n as i32) * (shift + a * x + b * y + quarter).sin()
            };
            let expected: f64 = waves.into_iter().map(wave).sum();
            assert!((found.value() - expected).abs() < 1e-12, "{m} by x, {n} by y: {found:?} for {expected}");
        }
    }

    #[test]
    fn derivatives_are_named_by_primes_or_by_what_they_are_taken_by() {
        let mut g = Arena::new();
        let names = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
        let one = g.declare_unspecified("f", names(&["s"]));
        let short = g.declare_unspecified("a", names(&["x", "y"]));
        let long = g.declare_unspecified("b", names(&["x", "theta"]));
        assert_eq!(g.declare_unspecified("a", names(&["x", "y"])), short);
        for (f, by, written, order) in [
            (one, &[][..], "f", 0),
            (one, &[0, 0], "f''", 2),
            (short, &[], "a", 0),
            (short, &[1, 0, 1], "a_xyy", 3),
            (long, &[1, 0], "b_x_theta", 2),
        ] {
            let derivative = by.iter().fold(f, |f, &i| g.partial(f, i));
            let known = g.unspecified_function(derivative);
            assert_eq!((known.written(), known.order(), known.root), (written.to_owned(), order, f));
        }
        let [xy, yx] = [[0, 1], [1, 0]].map(|by| by.iter().fold(short, |f, &i| g.partial(f, i)));
        assert_eq!(xy, yx);
        let x = g.partial(short, 0);
        assert!(xy != x && x != short);
        assert!(g.not_given(&[one]).message.starts_with("function `f` is not given"));
        assert!(g.not_given(&[one, short]).message.starts_with("functions `f`, `a` are not given"));
    }

    #[test]
    fn a_function_may_be_written_without_the_arguments_it_is_said_to_be_of() {
        let mut g = Arena::new();
        let [x, y] = ["x", "y"].map(|name| {
            let s = g.declare(name, Role::Coordinate);
            g.symbol(s)
        });
        let f = g.declare_unspecified("f", vec!["x".into(), "y".into()]);
        assert!(g.usual_arguments(f).is_none() && !g.has_usual_arguments(f, &[x, y]));
        g.set_usual_arguments(f, &[x, y]);
        let derivative = g.partial(f, 1);
        assert!(g.has_usual_arguments(f, &[x, y]) && g.has_usual_arguments(derivative, &[x, y]));
        assert!(!g.has_usual_arguments(f, &[y, x]));
        assert_eq!(g.usual_arguments(derivative), Some(&[x, y][..]));
    }
}
