//! Which of several ways an expression is written in, kept word for word: which factor comes out, which angle stays, what stands above
//! the bar; as it is read, as an equation up to a factor, and in normal form. Each way is as right as the others, so that only a text
//! that is kept tells one from another.
//! `NOSLIP_BLESS=1 cargo test -p noslip-expr --lib kept` writes `tests/data/readable.txt`: what changes there should be shorter, or better to read.

use super::*;
use std::fmt::Write;

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/readable.txt");

/// What occurs in one kind of equation.
const KINDS: [&str; 7] = [
    // Rolling and turning.
    "m r l a x y phi' theta' x' cos(phi) sin(phi) cos(theta) sin(theta) cos(phi+theta) sin(phi-theta)",
    // Quotients of functions of one angle.
    "m a sin(phi) cos(phi) sin(phi)^2 cos(phi)^2 1/sin(phi) 1/cos(phi)^2 tan(phi) phi'",
    // Distances.
    "m x y z (x-y) (x-y)^2 sqrt(x^2+y^2) sqrt((x-y)^2+z^2) 1/sqrt(x^2+y^2)^3 x'",
    // Sums that share brackets.
    "a b m (a+b) (a-b) (a+b)^2 (m+r*l) x' y' x''",
    // Below the bar.
    "a b x 1/(a+b) 1/(x+a) 1/(m-x)^2 1/x 1/b^2 y'",
    // Other functions.
    "m x sinh(x) cosh(x) 1/cosh(x) exp(y) exp(-y) tanh(y) abs(z) atan(x*y) log(a) x^(1/3)",
    // Double angles, and angles of several bodies.
    "m l sin(2*phi) cos(2*phi) cos(phi)*sin(phi) cos(phi-theta) sin(phi+theta) cos(phi-psi) theta' psi'^2",
];

/// The normal form; of a long one how long it is.
fn normal(arena: &mut Arena, e: Expr) -> String {
    let mut normalizer = Normalizer::new(Options::default());
    let form = normalizer.normalize(arena, e).unwrap();
    let back = normalizer.to_expr(arena, &form);
    let written = text(arena, &Tree::of(arena, back, &Limits::default()).unwrap());
    if written.len() <= 300 { written } else { format!("{} characters", written.len()) }
}

#[test]
fn generated_equations_are_written_as_they_were() {
    let mut out = String::new();
    for (k, leaves) in KINDS.iter().enumerate() {
        let leaves: Vec<&str> = leaves.split(' ').collect();
        for seed in 0..14 {
            let mut arena = arena();
            let e = generated(&mut arena, &leaves, 1000 * k as u64 + seed);
            if arena.is_undefined(e) {
                continue;
            }
            let given = Tree::of(&arena, e, &Limits::default()).unwrap();
            let plain = readable(&mut arena, e, &Readable::default()).unwrap();
            let free = Readable { scale: Scale::Free, ..Readable::default() };
            let equation = readable_equation(&mut arena, e, &free).unwrap();
            let [given, plain, equation] = [given, plain, equation].map(|tree| text(&arena, &tree));
            writeln!(out, "{given}\n  = {plain}\n  ~ {equation}\n  n {}", normal(&mut arena, e)).unwrap();
        }
    }
    if std::env::var_os("NOSLIP_BLESS").is_some() {
        std::fs::write(KEPT, &out).unwrap();
    }
    let kept = std::fs::read_to_string(KEPT).unwrap_or_default();
    let changed = out.lines().zip(kept.lines()).find(|(new, old)| new != old);
    assert!(out == kept, "{changed:?}: NOSLIP_BLESS=1 cargo test -p noslip-expr --lib kept");
}
