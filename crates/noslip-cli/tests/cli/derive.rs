//! `derive`

use crate::explain::ids;
use crate::models::{particle, sleigh};
use crate::program::{Folder, noslip};
use serde_json::Value;

#[test]
fn without_a_form_lagrange_and_the_best_suited_are_derived() {
    let folder = sleigh();
    let v = folder.run(&["derive", "sleigh.toml", "--format", "json"]).json("derive");
    let forms: Vec<&str> =
        v["forms"].as_array().expect("a list").iter().map(|f| f["form"].as_str().expect("id")).collect();
    assert_eq!(forms, ["lagrange-multipliers", "boltzmann-hamel"]);
    let text = folder.run(&["derive", "sleigh.toml"]);
    assert!(text.quiet().contains("Lagrange's equations with multipliers (lagrange-multipliers)"));
    assert!(text.out.contains("agrees with Lagrange's equations with multipliers: proved"));
}

#[test]
fn without_a_form_the_one_that_is_read_soonest_is_derived() {
    // One equation of 101 operations in Voronets' form, one of 17 and the constraints in Maggi's.
    let v = noslip(&["derive", "roller-racer", "--format", "json"]).json("derive");
    assert_eq!(v["forms"][1]["form"], "maggi");
}

#[test]
fn all_forms_of_the_sleigh_are_proved_to_agree() {
    let folder = sleigh();
    let v = folder.run(&["derive", "sleigh.toml", "--form", "all", "--format", "json"]).json("derive");
    let forms = v["forms"].as_array().expect("a list");
    assert_eq!(forms.len(), ids().len());
    for f in forms {
        assert_eq!(f["agreement"], "proved", "{}", f["form"]);
    }
    let text = folder.run(&["derive", "sleigh.toml", "--form", "all"]);
    assert!(text.quiet().contains("Agreement with Lagrange's equations with multipliers\n"));
    for id in ids() {
        assert!(
            text.out.lines().any(|l| l.trim_start().starts_with(&format!("{id} ")) && l.contains("proved")),
            "{id}"
        );
    }
}

#[test]
fn one_form_gives_one_document_and_several_give_a_list() {
    let folder = sleigh();
    let one = folder.run(&["derive", "sleigh.toml", "--form", "maggi", "--format", "json"]).json("derive");
    assert_eq!(one["form"], "maggi");
    assert_eq!(one["equations"].as_array().map(Vec::len), Some(2));
    assert_eq!(one["completed_by"].as_array().map(Vec::len), Some(1));
    assert!(one["reactions"].get("knife_edge").is_some());
    let two =
        folder.run(&["derive", "sleigh.toml", "--form", "maggi", "--form", "kane", "--format", "json"]).json("derive");
    assert_eq!(two["forms"][0], one);
    assert_eq!(two["forms"][1]["form"], "kane");
}

#[test]
fn a_reaction_is_found_under_the_name_of_its_constraint_whatever_that_is() {
    let folder = Folder::new();
    folder.write(
        "m.toml",
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"y\", \"phi\"]\n\
         [energy]\nkinetic = \"(x'^2 + y'^2 + phi'^2)/2\"\n\
         [constraints]\nlambda_x = \"x'*sin(phi) = y'*cos(phi)\"\n",
    );
    let v = folder.run(&["derive", "m.toml", "--form", "maggi", "--format", "json"]).json("derive");
    let names: Vec<&String> = v["reactions"].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["lambda_x"]);
}

#[test]
fn printed_equations_parse_back_and_hold() {
    let folder = sleigh();
    for form in ["lagrange-multipliers", "maggi", "boltzmann-hamel", "gibbs-appell"] {
        let v = folder.run(&["derive", "sleigh.toml", "--form", form, "--format", "json"]).json("derive");
        let mut args = vec!["verify".to_owned(), "sleigh.toml".to_owned()];
        for e in v["equations"].as_array().expect("a list").iter().chain(v["completed_by"].as_array().expect("a list"))
        {
            args.extend([
                "--equation".into(),
                format!("{} = {}", e["lhs"].as_str().expect("text"), e["rhs"].as_str().expect("text")),
            ]);
        }
        for (name, value) in v["reactions"].as_object().expect("an object") {
            args.extend(["--equation".into(), format!("lambda_{name} = {}", value.as_str().expect("text"))]);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let answer = folder.run(&args);
        assert_eq!(answer.status, 0, "{form}: {answer:?}");
        assert!(answer.out.lines().all(|l| l.ends_with("holds (proved)")), "{form}: {}", answer.out);
    }
}

#[test]
fn a_form_that_does_not_apply_says_why_with_status_3() {
    let answer = noslip(&["derive", "appell-particle", "--form", "boltzmann-hamel"]);
    answer.refuses(3, &["does not apply", "not linear in the velocities"]);
    assert_eq!(answer.out, "");
    let v = noslip(&["derive", "appell-particle", "--form", "all", "--format", "json"]).json("derive");
    assert!(v["not_applicable"]["boltzmann-hamel"].as_str().is_some_and(|why| why.contains("not linear")));
    assert!(v["forms"].as_array().expect("a list").iter().all(|f| f["form"] != "boltzmann-hamel"));
    assert!(noslip(&["derive", "appell-particle", "--form", "all"]).quiet().contains("\nDo not apply\n"));
}

#[test]
fn latex_and_mathml_are_complete() {
    let folder = sleigh();
    let latex = folder.run(&["derive", "sleigh.toml", "--form", "maggi", "--format", "latex"]);
    assert!(latex.quiet().starts_with("% Maggi's equations (maggi); proved\n\\begin{align}\n"));
    assert!(
        latex.out.ends_with("\\end{align}\n") && latex.out.contains("\\ddot{x}") && latex.out.contains("\\varphi")
            || latex.out.contains("\\phi")
    );
    let mathml = folder.run(&["derive", "sleigh.toml", "--form", "maggi", "--format", "mathml"]);
    let lines: Vec<&str> = mathml.quiet().lines().collect();
    assert_eq!(lines.len(), 2, "two equations");
    assert!(lines.iter().all(|l| l.starts_with("<math") && l.ends_with("</math>")));
}

#[test]
fn a_symbol_of_the_display_section_is_used() {
    let folder = Folder::with("m.toml", &particle("potential = \"m*x\"\n[display]\nx = \"\\\\xi\""));
    let latex = folder.run(&["derive", "m.toml", "--format", "latex"]);
    assert!(latex.quiet().contains("\\ddot{\\xi}"), "{}", latex.out);
}

#[test]
fn brief_leaves_out_the_objects() {
    let folder = sleigh();
    let brief = folder.run(&["derive", "sleigh.toml", "--form", "boltzmann-hamel", "--brief"]);
    let long = folder.run(&["derive", "sleigh.toml", "--form", "boltzmann-hamel"]);
    assert!(long.quiet().contains("γ^") && long.out.contains("reactions"));
    assert!(!brief.quiet().contains("γ^") && !brief.out.contains("reactions") && brief.out.contains("= 0"));
}

#[test]
fn the_answer_does_not_depend_on_the_run() {
    let run = || noslip(&["derive", "rolling-disk", "--form", "all", "--format", "json"]).out;
    assert_eq!(run(), run());
}

#[test]
fn parameters_stay_symbols() {
    let v: Value =
        sleigh().run(&["derive", "sleigh.toml", "--form", "maggi", "--set", "m=2", "--format", "json"]).json("derive");
    assert!(v["equations"][0]["lhs"].as_str().is_some_and(|e| e.contains('m')));
}

#[test]
fn the_independent_velocities_are_those_asked_for() {
    let run = noslip(&["derive", "synge-wheels", "--form", "voronets", "--independent", "phi1,phi2"]);
    let text = run.quiet();
    assert!(text.contains("independent velocities: phi1', phi2'; dependent: x', y', psi'"), "{text}");
    assert!(text.contains("agrees with Lagrange's equations with multipliers: proved"), "{text}");
}

#[test]
fn functions_that_are_left_open_are_written_in_every_format() {
    let folder = Folder::new();
    folder.write(
        "open.toml",
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"theta\"]\n[functions]\nF = \"t\"\nV_1 = \"x, theta\"\n\
         [energy]\nkinetic = \"(x'^2 + theta'^2)/2\"\npotential = \"V_1\"\n[forces]\nx = \"F\"\n",
    );
    let derive = |format: &str| {
        let run = folder.run(&["derive", "open.toml", "--form", "lagrange-multipliers", "--format", format]);
        run.quiet().to_owned()
    };
    assert!(derive("text").contains("− F(t) + V₁_x = 0"), "{}", derive("text"));
    assert!(
        derive("latex").contains("{V_{1}}_{x}") && derive("latex").contains("F\\left(t\\right)"),
        "{}",
        derive("latex")
    );
    assert!(derive("mathml").contains("<msub><msub><mi>V</mi><mn>1</mn></msub><mrow><mi>θ</mi></mrow></msub>"));
    assert!(derive("json").contains("x'' - F(t) + V_1_x"), "{}", derive("json"));
}

#[test]
fn a_finite_constraint_removes_its_coordinate() {
    let folder = Folder::with(
        "pendulum.toml",
        "noslip = 1\n[system]\nname = \"pendulum\"\ncoordinates = [\"x\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + z'^2)/2\"\n\
         potential = \"9*z\"\n[forces]\nz = \"2\"\n[constraints]\nrod = \"x^2 + z^2 = 1\"\n[initial]\nposition = { z = -1 }\n",
    );
    let answer = folder.run(&["derive", "pendulum.toml", "--eliminate", "z", "--form", "lagrange-multipliers"]);
    let text = answer.quiet();
    assert!(text.contains("z = −√(1 − x²)   (constraint `rod`, one of two roots)"), "{text}");
    // x''/(1 − x²) + x x'²/(1 − x²)² = −7 dz/dx, with dz/dx = x/√(1 − x²).
    let v = folder.run(&[
        "derive",
        "pendulum.toml",
        "--eliminate",
        "z",
        "--form",
        "lagrange-multipliers",
        "--format",
        "json",
    ]);
    let v = v.json("derive");
    assert_eq!(v["equations"][0]["lhs"], "(x'' + 7*x*sqrt(1 - x^2))/(x^2 - 1) - x*x'^2/(x^2 - 1)^2");
}

#[test]
fn a_form_without_dependent_velocities_says_so() {
    let folder = Folder::with(
        "m.toml",
        "noslip = 1\n[system]\ncoordinates = [\"x\", \"z\"]\n[energy]\nkinetic = \"(x'^2 + z'^2)/2\"\n\
         [constraints]\nc = \"z = x^2\"\n",
    );
    let answer = folder.run(&["derive", "m.toml", "--eliminate", "z", "--form", "all"]);
    assert!(answer.out.contains("independent velocities: x'; none is dependent"), "{}", answer.out);
    assert!(!answer.out.contains("dependent: \n"), "{}", answer.out);
}

#[test]
fn a_root_without_a_linear_term_has_no_four_under_it() {
    let solved = |constraint: &str| {
        let model = format!(
            "noslip = 1\n[system]\ncoordinates = [\"x\", \"z\"]\n[parameters]\na = 3\nb = 2\n\
             [energy]\nkinetic = \"(x'^2 + z'^2)/2\"\n[constraints]\nc = \"{constraint}\"\n[initial]\nposition = {{ x = 0.5 }}\n"
        );
        let folder = Folder::with("m.toml", &model);
        let answer = folder.run(&["derive", "m.toml", "--eliminate", "z", "--form", "lagrange-multipliers"]);
        answer.quiet().lines().next().unwrap_or_default().to_owned()
    };
    let roots = "   (constraint `c`, one of two roots)";
    assert_eq!(solved("2*z^2 = a"), format!("z = √(2·a)/2{roots}"));
    assert_eq!(solved("x^2/a^2 + z^2/b^2 = 1"), format!("z = b²·√(−(x²/a² − 1)/b²){roots}"));
    // The greater one, where no initial value chooses.
    assert_eq!(solved("-z^2 = x - a"), format!("z = √(a − x){roots}"));
}

/// Each definition is used twice by the next: short to say, and in full ten million million bytes.
#[test]
fn what_is_too_long_in_full_is_printed_with_letters_and_says_so() {
    let definitions: String = (1..20).map(|i| format!("d{i} = \"d{0}^2 + sin({i}*d{0})\"\n", i - 1)).collect();
    let model = format!("{}potential = \"d19\"\n[definitions]\nd0 = \"x*y\"\n{definitions}", particle(""));
    let folder = Folder::with("tower.toml", &model);
    let maggi = ["derive", "tower.toml", "--form", "maggi"];
    let text = folder.run(&maggi);
    assert!(text.quiet().contains(" + y·(2·x·y + cos(x·y))·k₂₉ = 0\n"), "{}", text.out);
    assert!(text.out.contains("\n  abbreviations\n    d₁ = x²·y² + sin(x·y)\n"), "{}", text.out);
    let v = folder.run(&[&maggi[..], &["--format", "json"]].concat()).json("derive");
    assert_eq!(v["in_letters"], true);
    assert!(folder.run(&["inverse", "tower.toml"]).quiet().contains("takes about 9758147870741 bytes in print"));
    assert!(!v["abbreviated"]["abbreviations"].as_array().expect("letters").is_empty());
}

/// Voronets' form of Whipple's bicycle has coefficients of megabytes, and equations that can be printed.
#[test]
fn what_is_made_of_too_much_is_printed_without_it() {
    let bicycle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/large/whipple-bicycle.toml");
    let text = noslip(&["derive", bicycle, "--form", "voronets"]);
    let out = text.quiet();
    let why = "what the equations are made of is left out: the expression takes about ";
    let line = out.lines().find_map(|line| line.trim().strip_prefix(why)).unwrap_or_else(|| panic!("{out}"));
    assert!(line.ends_with(" bytes in print, more than the limit of 4194304"), "{line}");
    assert!(out.contains("\n  abbreviations\n"), "{out}");
}
