//! Equations in other languages, files of LaTeX, and what else is made for other tools.

use crate::program::{Folder, noslip};

const PAPER: &str = r"% noslip: define v = \dot x\cos\phi + \dot y\sin\phi
Some text with $x$ in it.
\begin{align}
  2m\dot v - ml\dot\phi^2 &= 0, \label{eq:along} \\
  ml^2\ddot\phi + mv\dot\phi &= 0. \label{eq:turn}
\end{align}
% noslip: skip
\[ \delta\int_{t_0}^{t_1} L\,dt = 0 \]
";

#[test]
fn latex_and_python_get_the_verdict_of_the_models_own_syntax() {
    for (language, right, wrong) in [
        ("latex", r"\tfrac32\dot u_3 = u_1 u_2", r"\tfrac32\dot u_3 = 2 u_1 u_2"),
        ("sympy", "Eq(3*Derivative(u3(t), t)/2, u1(t)*u2(t))", "3*u3(t).diff(t)/2 - 2*u1(t)*u2(t)"),
        ("noslip", "3/2*u3' = u1*u2", "3/2*u3' = 2*u1*u2"),
    ] {
        let ask = |equation: &str| {
            let question = ["verify", "rolling-disk", "--language", language, "--equation", equation];
            noslip(&[&question[..], &["--format", "json"]].concat())
        };
        let answer = ask(right);
        assert_eq!(answer.status, 0, "{answer:?}");
        assert_eq!(answer.json("verify")["claims"][0]["how"], "proved");
        let answer = ask(wrong);
        assert_eq!(answer.status, 1, "{answer:?}");
        assert_eq!(answer.json("verify")["claims"][0]["holds"], false);
    }
}

#[test]
fn a_wrong_equation_comes_back_in_the_letters_of_its_author() {
    let question = ["verify", "rolling-disk", "--language", "latex", "--name", r"\Omega=u3", "--name", r"\beta=theta"];
    let equation = r"\tfrac{3}{2}\dot\Omega - 2 u_1 u_2 = 0";
    let answer = noslip(&[&question[..], &["--equation", equation]].concat());
    assert_eq!(answer.status, 1);
    assert!(answer.out.contains(r"corrected: \tfrac{3}{2}\dot\Omega - u_1\,u_2 = 0"), "{}", answer.out);
    assert!(answer.out.contains(r"\Omega is u3"), "{}", answer.out);
    // The correction is an equation that holds.
    let corrected = r"\tfrac{3}{2}\dot\Omega - u_1\,u_2 = 0";
    noslip(&[&question[..], &["--equation", corrected]].concat()).quiet();
}

#[test]
fn a_letter_may_stand_for_an_expression() {
    let define = r"v=\dot x\cos\phi + \dot y\sin\phi";
    let question = ["verify", "dumbbell", "--language", "latex", "--define", define, "--equation"];
    noslip(&[&question[..], &[r"\dot x = v\cos\phi"]].concat()).fine();
    let answer = noslip(&[&question[..], &[r"\dot x = v\sin\phi"]].concat());
    assert_eq!(answer.status, 1);
}

#[test]
fn a_file_of_latex_gets_a_report_a_page_and_annotations() {
    let folder = Folder::new();
    folder.write("paper.tex", PAPER);
    let question = ["verify", "paper.tex", "--model", "dumbbell"];
    let answer = folder.run(&[&question[..], &["--out", "page.html"]].concat());
    assert_eq!(answer.status, 1, "{answer:?}");
    for part in ["paper.tex:4:3: eq:along: ", "paper.tex:5:3: eq:turn: ", "2 equations: ", "read as "] {
        assert!(answer.out.contains(part), "no {part:?} in {}", answer.out);
    }
    let page = folder.read("page.html");
    assert!(page.starts_with("<!doctype html>") || page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("<math") && page.contains("eq:turn") && !page.contains("http://"), "{page}");
    let annotations = folder.run(&[&question[..], &["--format", "github"]].concat());
    assert_eq!(annotations.status, 1);
    let errors: Vec<&str> = annotations.out.lines().filter(|l| l.starts_with("::error file=paper.tex,line=")).collect();
    assert!(!errors.is_empty() && annotations.out.contains("::notice title=noslip verify::"), "{}", annotations.out);
    // The same file as claims of a model.
    let claims = folder.run(&["verify", "dumbbell", "--claims", "paper.tex", "--format", "json"]);
    assert_eq!(claims.json("verify")["claims"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_bad_claim_in_the_models_own_syntax_is_annotated_too() {
    let answer = noslip(&["verify", "dumbbell", "--equation", "phi'' = 1", "--format", "github"]);
    assert_eq!(answer.status, 1);
    assert!(answer.out.starts_with("::error "), "{}", answer.out);
}

#[test]
fn an_equation_that_is_not_read_says_where() {
    let folder = Folder::new();
    folder.write("paper.tex", "\\[ \\ddot\\phi = \\sum_i \\phi_i \\]\n");
    let answer = folder.run(&["verify", "paper.tex", "--model", "dumbbell"]);
    assert_eq!(answer.status, 2);
    assert!(answer.out.contains("paper.tex:1:16") || answer.out.contains("paper.tex:1:"), "{}", answer.out);
    assert!(answer.out.contains("`\\sum` is not read here"), "{}", answer.out);
}

#[test]
fn manual_pages_are_written_for_every_command() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("pages")).expect("a folder");
    folder.run(&["man", "pages"]).quiet();
    for command in crate::options::commands() {
        let page = folder.read(&format!("pages/noslip-{command}.1"));
        assert!(page.contains(".TH noslip\\-") || page.contains(&format!(".TH noslip-{command}")), "{command}: {page}");
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
    assert!(folder.read("pages/noslip.1").contains("noslip"));
}

#[test]
fn an_fmu_without_a_compiler() {
    let folder = Folder::new();
    let mut command = folder.command(&["export", "dumbbell", "-o", "m.fmu"]);
    let output = command.env("CC", "no-such-compiler").output().expect("it runs");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && words.contains("no C compiler is at hand"), "{words}");
}
