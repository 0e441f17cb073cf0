//! Bad models and what is said about them.
//!
//! Every file in `diagnostics/` begins with what is expected of it: `# error LINE:COLUMN: message` (or `# warning …`), each
//! followed by `# help: …` if there is a hint. The list must be complete and in order.

use noslip::model::{Claims, Model, Overrides, line_and_column, render};
use noslip::{Error, ErrorKind, Limits};
use std::path::Path;

/// What the library says about a model file, in the notation of the fixtures.
fn diagnose(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = Vec::new();
    let mut say = |severity: &str, e: &Error| {
        let place = match &e.span {
            Some(span) => {
                let (line, column) = line_and_column(&text, span.start);
                format!("{line}:{column}")
            }
            None => "-".to_owned(),
        };
        lines.push(format!("# {severity} {place}: {}", e.message));
        lines.extend(e.hint.iter().map(|hint| format!("# help: {hint}")));
    };
    match Model::load_bytes(bytes, "fixture.toml", &Limits::default()) {
        Err(errors) => errors.iter().for_each(|e| say("error", e)),
        Ok(mut model) => {
            model.warnings.iter().for_each(|e| say("warning", e));
            if let Err(e) = model.initial_state(&Overrides::default()) {
                say("error", &e);
            }
        }
    }
    lines
}

#[test]
fn every_bad_model_is_refused_at_the_right_place_with_the_right_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(files.len() > 200, "only {} fixtures are found", files.len());
    let mut wrong = Vec::new();
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let is_expectation = |l: &&str| ["# error ", "# warning ", "# help: "].iter().any(|p| l.starts_with(p));
        let expected: Vec<&str> = text.lines().take_while(is_expectation).collect();
        assert!(!expected.is_empty(), "{} says nothing", path.display());
        let found = diagnose(&bytes);
        if found != expected {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            wrong.push(format!("{name}\nexpected:\n{}\nfound:\n{}\n", expected.join("\n"), found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), files.len(), wrong.join("\n"));
}

#[test]
fn a_file_of_a_hundred_megabytes_is_refused_by_its_length() {
    let errors = Model::load_bytes(&vec![b'#'; 100 << 20], "big.toml", &Limits::default()).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].kind, ErrorKind::Limit);
    assert_eq!(errors[0].message, "the file has 104857600 bytes; the limit is 16777216");
}

#[test]
fn a_mistake_is_shown_as_a_compiler_shows_it() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"theta\"]\n[energy]\nkinetic = \"\"\"\n  thta'^2/2\"\"\"\n";
    let errors = Model::load(text, "models/top.toml", &Limits::default()).unwrap_err();
    let expected = "\
error: unknown name `thta`; did you mean `theta`?
 --> models/top.toml:6:3
  |
6 |   thta'^2/2\"\"\"
  |   ^^^^^
";
    assert_eq!(render(&errors[0], "models/top.toml", text), expected);
}

#[test]
fn claims_are_diagnosed_like_models() {
    let model = "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 1\n[energy]\nkinetic = \"m/2*(x'^2+y'^2)\"\n\
                 [constraints]\nc = \"x' = y*y'\"\n[quasi_velocities]\nv = \"y'\"\n";
    let mut model = Model::load(model, "m", &Limits::default()).unwrap();
    let table = [
        ("[[claim]]\nid = \"a\"\nequation = \"m*x'' = lambda_c\"\n", &[][..]),
        (
            "[definitions]\nb = \"a'\"\na = \"v'*y\"\n[[claim]]\nid = \"a\"\nequation = \"a = 0\"\n",
            &["2:6: `a'` contains derivatives of accelerations or multipliers, which cannot stand in a claim"],
        ),
        ("[[claim]]\nid = \"a\"\nequation = \"x''' = 0\"\n", &["3:13: `x'''` is a derivative of order 3"]),
        (
            "[[claim]]\nid = \"a\"\nequation = \"lambda_d = 0\"\n",
            &["3:13: unknown name `lambda_d`; did you mean `lambda_c`?"],
        ),
        (
            "[[claim]]\nid = \"a\"\nequation = \"lambda_c'' = 0\"\n",
            &["3:13: `lambda_c''` is a second derivative of a multiplier"],
        ),
        (
            "[[claim]]\nid = \"a\"\nequation = \"v'' = 0\"\n",
            &["3:13: `v''` is a second derivative of a quasi-velocity"],
        ),
        (
            "[[claim]]\nid = \"a\"\nequation = \"x'\"\n[[claim]]\nid = \"a\"\nequation = \"y'\"\n",
            &["6:12: two claims have the id `a`"],
        ),
        (
            "[[claim]]\nequation = \"x'\"\nnoote = \"?\"\n",
            &["1:1: a claim without `id`", "3:1: unknown key `noote` in a claim; did you mean `note`?"],
        ),
        ("[claim]\nid = \"a\"\n", &["1:2: claims are written with double brackets"]),
        ("[[claims]]\nid = \"a\"\n", &["1:3: unknown section `claims`; did you mean `claim`?"]),
        ("# nothing\n", &["-: the file contains no claim"]),
    ];
    for (text, expected) in table {
        let found: Vec<String> = match Claims::load(text, &mut model, &Limits::default()) {
            Ok(_) => Vec::new(),
            Err(errors) => errors
                .iter()
                .map(|e| match &e.span {
                    Some(span) => {
                        let (line, column) = line_and_column(text, span.start);
                        format!("{line}:{column}: {}", e.message)
                    }
                    None => format!("-: {}", e.message),
                })
                .collect(),
        };
        assert_eq!(found, expected, "{text}");
    }
    let errors = Claims::equation("m*x'' = lambda", &mut model, &Limits::default()).unwrap_err();
    assert_eq!(errors[0].span, Some(8..14));
    assert!(Claims::equation("m*x'' = lambda_c + v'*0", &mut model, &Limits::default()).is_ok());
}

/// A small generator of pseudo-random numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

#[test]
fn damaged_files_never_panic_and_every_message_points_into_the_file() {
    let scraps: [&[u8]; 24] = [
        b"'",
        b"\"",
        b"\"\"\"",
        b"(",
        b")",
        b"^",
        b"-",
        b"/0",
        b"=",
        b",",
        b"[",
        b"]",
        b"{",
        b"\n",
        b"\\",
        b"x'",
        b"''",
        b"1e999",
        b"\xff",
        b"\xce\xb8",
        b"sin(",
        b"nan",
        b"t",
        b"\r",
    ];
    let mut random = Random(1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    let originals: Vec<Vec<u8>> = files.iter().map(|p| std::fs::read(p).unwrap()).collect();
    let limits = Limits::default();
    let mut refused = 0;
    for round in 0..6000 {
        let mut bytes = originals[round % originals.len()].clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            let end = (at + random.below(4)).min(bytes.len());
            match random.below(3) {
                0 => drop(bytes.drain(at..end)),
                1 => drop(bytes.splice(at..end, scraps[random.below(scraps.len())].iter().copied())),
                _ => {
                    let from = random.below(bytes.len());
                    let piece = bytes[from..(from + random.below(20)).min(bytes.len())].to_vec();
                    drop(bytes.splice(at..at, piece));
                }
            }
        }
        let errors = match Model::load_bytes(&bytes, "damaged.toml", &limits) {
            Ok(mut model) => model.initial_state(&Overrides::default()).err().into_iter().collect(),
            Err(errors) => {
                assert!(!errors.is_empty());
                errors
            }
        };
        refused += usize::from(!errors.is_empty());
        let text = String::from_utf8_lossy(&bytes);
        for e in errors.iter() {
            if let Some(span) = &e.span {
                assert!(span.start <= span.end && span.end <= bytes.len(), "{e:?}");
                let is_text = std::str::from_utf8(&bytes).is_ok();
                assert!(!is_text || text.get(span.clone()).is_some(), "{e:?} cuts a character of\n{text}");
            }
            assert!(render(e, "damaged.toml", &text).starts_with("error: "));
        }
    }
    assert!(refused > 3000, "{refused}");
}

#[test]
fn byte_order_marks_and_carriage_returns_do_not_move_places() {
    let text = "noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"\"\"x'^2/2 +\n  q\"\"\"\n";
    let errors = Model::load(text, "m", &Limits::default()).unwrap_err();
    let place = |text: &str, e: &Error| (line_and_column(text, e.span.clone().unwrap().start), e.message.clone());
    let expected = ((6, 3), "unknown name `q`".to_owned());
    assert_eq!(place(text, &errors[0]), expected);
    for other in [text.replace('\n', "\r\n"), format!("\u{feff}{text}")] {
        let errors = Model::load(&other, "m", &Limits::default()).unwrap_err();
        assert_eq!(errors.iter().map(|e| place(&other, e)).collect::<Vec<_>>(), vec![expected.clone()], "{other:?}");
    }
}

/// Chains of definitions are the depth no single text has.
#[test]
fn long_chains_of_definitions_load_quickly_and_too_deep_derivatives_are_refused() {
    let chain = |n: usize, step: &str, last: &str| {
        let mut text = format!("noslip = 1\n[system]\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2 + {last}\"\n");
        text += "[definitions]\nd0 = \"x\"\n";
        (1..n).for_each(|i| text += &format!("d{i} = \"{}\"\n", step.replace("LAST", &format!("d{}", i - 1))));
        Model::load(&text, "chain", &Limits::default())
    };
    let model = chain(20_000, "sin(LAST)", "d900").unwrap();
    assert_eq!(model.system.definitions.len(), 20_000);
    assert!(chain(1_000, "sin(LAST)", "d900'").is_ok());
    let errors = chain(20_000, "sin(LAST)", "d19999").unwrap_err();
    assert!(errors[0].message.contains("levels deep"), "{errors:?}");
    for step in ["sin(LAST)", "LAST^2 + 1", "x*LAST + 1"] {
        let errors = chain(20_000, step, "d19999'").unwrap_err();
        assert_eq!(errors[0].message, "`d19999` is nested too deeply to be differentiated", "{step}");
        assert_eq!(errors[0].kind, ErrorKind::Limit);
    }
    // Numbers that grow a little at every step.
    for step in ["1.1*LAST", "LAST + 1/3^5000"] {
        let limits: Vec<ErrorKind> = chain(20_000, step, "d19999").err().unwrap().iter().map(|e| e.kind).collect();
        assert!(limits.contains(&ErrorKind::Limit), "{step}");
    }
}
