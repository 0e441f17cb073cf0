//! Input that was made to break things: every outcome is a message, in time.

use crate::models::particle;
use crate::program::{Answer, Folder};

fn check(text: impl AsRef<[u8]>) -> Answer {
    run(text, &["check", "m.toml"])
}

fn run(text: impl AsRef<[u8]>, args: &[&str]) -> Answer {
    let folder = Folder::new();
    folder.write("m.toml", text);
    folder.run(args)
}

/// Bytes that look random and are always the same.
fn noise(length: usize, alphabet: &[u8]) -> Vec<u8> {
    let mut x = 0x2545_f491_4f6c_dd1d_u64;
    (0..length)
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            alphabet[(x >> 33) as usize % alphabet.len()]
        })
        .collect()
}

#[test]
fn ten_megabytes_of_garbage_are_refused_shortly() {
    let bytes: Vec<u8> = (0..=255).collect();
    for alphabet in [&bytes[..], b"abcdefghijklmnop \n", b"[]{}=\"'.,\n", b"\n", b"\0", b"["] {
        let answer = check(noise(10_000_000, alphabet));
        answer.refuses(2, &["m.toml"]);
        assert!(answer.err.len() < 100_000, "a message of {} bytes", answer.err.len());
    }
    check(vec![b'a'; 20_000_000]).refuses(3, &["longer than the limit", "m.toml"]);
}

#[test]
fn terminal_controls_in_a_file_do_not_reach_the_terminal() {
    let answer = check("noslip = 1\n\u{1b}[2J\u{7}name = \u{1b}]0;x\u{7}\n");
    answer.refuses(2, &["m.toml:2"]);
    assert!(!answer.err.contains('\u{1b}') && !answer.err.contains('\u{7}'), "{:?}", answer.err);
}

#[test]
fn deep_nesting_is_read_or_refused_but_never_overflows() {
    let nest = |open: &str, close: &str, n: usize| {
        particle(&format!("potential = \"{}x{}\"", open.repeat(n), close.repeat(n)))
    };
    check(nest("(", ")", 100_000)).fine();
    check(nest("(", "", 100_000)).refuses(2, &["m.toml:9"]);
    check(nest("sin(", ")", 100_000)).refuses(3, &["nested", "m.toml:9"]);
    check(nest("-", "", 100_000)).fine();
    check(nest("1+(", ")", 50_000)).fine();
    check(format!("noslip = 1\na = {}{}", "[".repeat(100_000), "]".repeat(100_000))).refuses(2, &["m.toml:2"]);
    check(format!("noslip = 1\n{} = 1", "a.".repeat(100_000) + "b")).refuses(2, &["m.toml"]);
    let chain: String = (1..20_000).map(|i| format!("d{i} = \"d{} + 1\"\n", i - 1)).collect();
    check(particle(&format!("potential = \"d19999\"\n[definitions]\nd0 = \"x\"\n{chain}"))).fine();
}

#[test]
fn numbers_out_of_all_bounds_are_read_or_refused() {
    let with = |v: &str| check(particle(&format!("potential = \"{v}\"")));
    with("(1 + x)^1000000000").fine();
    with(&format!("x*{}", "9".repeat(1_000_000))).refuses(3, &["m.toml:9"]);
    with("x*1e999999999").refuses(3, &["m.toml:9"]);
    with("x/0").refuses(2, &["m.toml:9"]);
    let folder = Folder::with(
        "m.toml",
        &particle("[initial]\nposition = { x = 1e308, y = 0 }\nvelocity = { x = 1e308, y = 0 }"),
    );
    folder.run(&["simulate", "m.toml", "--until", "1e300"]).refuses(3, &["error: "]);
}

#[test]
fn towers_of_powers_and_quotients_are_refused() {
    let nest = |open: &str, close: &str, n: usize| {
        particle(&format!("potential = \"{}x{}\"", open.repeat(n), close.repeat(n)))
    };
    check(nest("1/(1 + ", ")", 1000)).refuses(3, &["m.toml", "nested"]);
    check(nest("2^(", ")", 50_000)).refuses(3, &["m.toml"]);
}

#[test]
fn a_large_sum_is_no_trouble() {
    let sum: Vec<String> = (1..50_000).map(|i| format!("x^{i}/{}", i % 7 + 1)).collect();
    check(particle(&format!("potential = \"{}\"", sum.join(" + ")))).fine();
}

#[test]
fn an_expression_that_would_explode_when_expanded_is_left_as_it_is_or_refused() {
    let power = "(1 + x + y + sin(x) + cos(y) + sin(3*x - y))^60";
    let model = particle(&format!("potential = \"{power}\"\n[constraints]\nc = \"{power}*x' = y'\""));
    let answer = run(&model, &["derive", "m.toml", "--form", "all"]);
    assert!(answer.status == 0 || answer.status == 3, "{answer:?}");
}

#[test]
fn names_of_all_sorts_are_read_or_refused() {
    let named = |name: &str| {
        check(format!(
            "noslip = 1\n[system]\nname = \"n\"\ncoordinates = [{}]\n[energy]\nkinetic = \"1\"\n",
            toml::Value::String(name.to_owned())
        ))
    };
    for name in ["</script>", "a b", "", "1x", "x'", "sin", "t", "pi", "λ;DROP", "x\"y", "x\\", "\u{202e}x"] {
        named(name).refuses(2, &["m.toml:4"]);
    }
    let long = "x".repeat(100_000);
    let model = particle("").replace("\"x\"", &format!("\"{long}\"")).replace("x'", &format!("{long}'"));
    let answer = run(model, &["derive", "m.toml", "--form", "maggi"]);
    assert!([0, 2, 3].contains(&answer.status), "{answer:?}");
}

#[test]
fn too_many_coordinates_are_refused() {
    let names: Vec<String> = (0..1000).map(|i| format!("\"q{i}\"")).collect();
    let model = format!(
        "noslip = 1\n[system]\nname = \"n\"\ncoordinates = [{}]\n[energy]\nkinetic = \"q0'^2\"\n",
        names.join(", ")
    );
    check(model).refuses(3, &["coordinates", "m.toml"]);
}
