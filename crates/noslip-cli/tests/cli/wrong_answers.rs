//! Answers that were wrong once, each asked again: what was said must not be said, and what is right must be.

use crate::program::{Answer, Folder, noslip, project};

/// A small model of the table of sources.
fn ask(command: &str, model: &str, more: &[&str]) -> Answer {
    let path = project().join("bench/sources/models").join(model);
    noslip(&[&[command, path.to_str().expect("a path")], more].concat())
}

#[track_caller]
fn tells(answer: &Answer, right: &[&str], wrong: &[&str]) {
    for text in right {
        assert!(answer.out.contains(text), "no `{text}` in\n{}\n{}", answer.out, answer.err);
    }
    for text in wrong {
        assert!(!answer.out.contains(text), "`{text}` in\n{}", answer.out);
    }
}

#[test]
fn positions_on_both_sides_of_an_invariant_plane_are_not_joined() {
    let answer = ask("check", "chow.toml", &[]);
    tells(&answer, &["wherever `y` ≠ 0", "no motion leads across `y` = 0"], &["any two positions can be joined"]);
    // The hoop is complete on each leaf, and the leaf is named.
    tells(&noslip(&["check", "hoop"]), &["z - sin(theta)"], &["any two positions can be joined"]);
}

#[test]
fn structure_coefficients_in_redundant_coordinates_are_those_on_the_finite_constraints() {
    let answer = ask("derive", "se2.toml", &["--form", "poincare-chetaev"]);
    tells(&answer, &["a Lie algebra, Poincaré's case", "c^v1[om,v2] = −1\n"], &["not a Lie algebra"]);
    tells(&ask("check", "se2.toml", &[]), &["The constraints keep their rank everywhere."], &["lose rank"]);
}

#[test]
fn forces_with_a_potential_are_no_reason_to_refuse_canonical_equations() {
    let answer = noslip(&["canonical", "hoop-upright"]);
    tells(&answer, &["H₁ = ", "Gpsi·sin(ψ)", "0.1·φ"], &["without a potential"]);
    assert_eq!(answer.status, 0, "{answer:?}");
}

#[test]
fn nothing_is_called_constant_for_an_integral_that_is_refuted() {
    let text = "noslip = 1\n[system]\nname = \"c\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                [constraints]\nc = \"y' = t*x'\"\n";
    let folder = Folder::with("m.toml", text);
    let answer = folder.run(&["canonical", "m.toml", "--integral", "a*x - (1 + a)*t", "--constants", "a"]);
    assert_eq!(answer.status, 1);
    tells(&answer, &["satisfies the equation: no"], &["constant along solutions"]);
}

#[test]
fn the_equations_that_are_cited_are_those_of_the_documents() {
    let answer = noslip(&["forms", "--format", "json"]);
    let forms = answer.json("forms");
    let source = |id: &str| {
        let list = forms["forms"].as_array().expect("forms");
        let form = list.iter().find(|f| f["id"] == id).unwrap_or_else(|| panic!("{id}"));
        form["source"].as_str().expect("a source").to_owned()
    };
    for (id, right, wrong) in [
        ("lagrange-multipliers", "(2.22); Greenwood (5.24); Sumbatov (3.3)", "(2.2);"),
        ("suslov-jourdain", "(5.8), (5.9)", "(1.5)"),
        ("gibbs-appell", "Sumbatov (3.11); modelling textbook (4.301)", "(5.131)"),
        ("kane", "Kane 1961", "Greenwood"),
        ("chaplygin-quasi", "(3.22)", "(3.12)"),
        ("hamel-novoselov", "(3.18), (3.24)", "(3.7)"),
        ("poincare-chetaev", "(2.25), (3.26); Sumbatov (3.13)", "(3.22)"),
        ("central-equation", "(5.129), (5.151), (5.153)", "(5.148)"),
        ("suslov", "Sumbatov (4.7); Greenwood (5.208), (5.216)", "(4.8)"),
        ("ferrers", "Ferrers 1872; Sumbatov (3.6)–(3.8)", "1873"),
    ] {
        let said = source(id);
        assert!(said.contains(right) && !said.contains(wrong), "{id}: {said}");
    }
    tells(&noslip(&["explain", "notation"]), &["A textbook on modelling", "(4.301)"], &[]);
}

#[test]
fn check_and_derive_agree_on_whether_a_form_applies() {
    // A body in direction cosines has a mass matrix that cannot be inverted.
    let text = "noslip = 1\n[system]\nname = \"s\"\ncoordinates = [\"c\", \"s\"]\n[energy]\n\
                kinetic = \"(c*s' - s*c')^2/2\"\n[constraints]\nunit = \"c^2 + s^2 = 1\"\n\
                [initial]\nposition = { c = 1, s = 0 }\n";
    let folder = Folder::with("m.toml", text);
    let check = folder.run(&["check", "m.toml"]);
    let refused = check.out.split("Forms that do not").nth(1).expect("forms that do not apply");
    assert!(refused.contains("udwadia-kalaba"), "{}", check.out);
    folder.run(&["derive", "m.toml", "--form", "udwadia-kalaba"]).refuses(3, &["the mass matrix has rank 1 < 2"]);
    for model in ["hoop", "ellipsoid-on-plane"] {
        let said = noslip(&["check", model, "--effort", "low"]);
        tells(&said, &["its force does not, so that Chaplygin's equations hold all the same"], &[]);
        let applies = said.out.split("Forms that do not").next().expect("forms that apply");
        assert!(applies.contains("ferrers, chaplygin,"), "{model}: {}", said.out);
    }
}

#[test]
fn the_energy_of_acceleration_has_no_terms_free_of_accelerations() {
    let answer = noslip(&["derive", "rolling-disk", "--form", "gibbs-appell"]);
    let line = answer.out.lines().find(|l| l.trim().starts_with("S* = ")).expect("S*");
    // Every product of S* that is not under a bracket with an acceleration would stand here; the audit saw this one.
    tells(&answer, &["S* = m·r²·(u̇₁²"], &["cot²(θ)·u₁²", "11·u₂²"]);
    assert!(line.contains("6·u̇₃²"), "{line}");
}

#[test]
fn a_product_of_constraints_is_a_choice_and_not_a_nonlinear_constraint() {
    let answer = ask("check", "product.toml", &[]);
    tells(&answer, &["a product", "`theta' = 0` or `cos(theta)*x' + sin(theta)*y' = 0`"], &["nonlinear"]);
}

/// A model of the coordinates x, y, z of a particle of unit mass, with more lines.
fn particle(more: &str) -> Folder {
    let text = "noslip = 1\n[system]\nname = \"p\"\ncoordinates = [\"x\", \"y\", \"z\"]\n\
                [energy]\nkinetic = \"(x'^2 + y'^2 + z'^2)/2\"\n";
    Folder::with("m.toml", &format!("{text}{more}"))
}

#[test]
fn an_angle_is_not_kept_by_motions_that_go_round_or_through_its_centre() {
    let folder = particle("[constraints]\nc = \"(x^2 + y^2)*z' = x*y' - y*x'\"\n");
    let angle = folder.run(&["connect", "m.toml", "--from", "x=1", "--to", "x=-1,z=pi"]);
    tells(&angle, &["The constraints keep z − atan2(y, x) = 0"], &[]);
    for to in ["z=2*pi", "x=-1"] {
        let answer = folder.run(&["connect", "m.toml", "--from", "x=1", "--to", to]);
        assert!(!answer.err.contains("cannot be joined"), "{}", answer.err);
    }
    let claim = |text: &str| folder.run(&["verify", "m.toml", "--initial", "x=1", "--equation", text]);
    tells(&claim("x = sqrt(x^2 + y^2)*cos(z)"), &["does NOT hold"], &[]);
    tells(&claim("x*sin(z) = y*cos(z)"), &["holds along the motion"], &["NOT"]);
}

#[test]
fn what_is_conserved_for_the_values_of_parameters_alone_is_not_told_in_letters() {
    // R² and R/2 are the same for R = 1/2 alone.
    let text = "noslip = 1\n[system]\nname = \"d\"\ncoordinates = [\"x\", \"phi\"]\n[parameters]\nR = 0.5\n\
                [energy]\nkinetic = \"x'^2/2 + R^2*phi'^2/4\"\n[constraints]\nroll = \"x' = R*phi'\"\n";
    let folder = Folder::with("m.toml", text);
    tells(&folder.run(&["check", "m.toml"]), &["`R*x' + R^2*phi'/2`"], &["`x' + R^2*phi'`"]);
    tells(&folder.run(&["integrals", "m.toml"]), &["momentum_1 (momentum, proved)\n  R·("], &[]);
    let routh = noslip(&["integrals", "routh-sphere"]);
    tells(&routh, &["I₃·(l − R·cos(θ))"], &["10·"]);
}

#[test]
fn nothing_is_said_of_the_motions_under_a_product_of_constraints() {
    let folder = particle("[constraints]\nc = \"(x'^2 + y'^2 + z'^2 - 1)*(x' - y) = 0\"\n");
    tells(&folder.run(&["check", "m.toml"]), &["a product"], &["is conserved", "lose rank"]);
    tells(
        &folder.run(&["verify", "m.toml", "--equation", "x'' = 0"]),
        &["undecided", "a choice of constraints"],
        &["holds"],
    );
    tells(&folder.run(&["inverse", "m.toml"]), &["not decided"], &["yes"]);
}

#[test]
fn motions_are_compared_at_the_last_time_that_both_have() {
    let text = "noslip = 1\n[system]\nname = \"s\"\ncoordinates = [\"x\", \"y\", \"th\"]\n\
                [energy]\nkinetic = \"(x'^2 + y'^2 + th'^2)/2\"\n[constraints]\nk = \"x'*sin(th) = y'*cos(th)\"\n\
                [initial]\nvelocity = { x = 1, th = 0.3 }\n[simulation]\nuntil = 10\n";
    let answer = Folder::with("m.toml", text).run(&["compare", "m.toml", "--reduced"]);
    assert!(answer.err.contains("`Lindelöf's motion` ended early"), "{}", answer.err);
    tells(&answer, &["at t = "], &["at t = 10 "]);
}

#[test]
fn a_steady_motion_where_rates_vanish_as_a_cube_stands_alone() {
    let text = "noslip = 1\n[system]\nname = \"q\"\ncoordinates = [\"s\"]\n[energy]\nkinetic = \"s'^2/2\"\npotential = \"s^4/4\"\n\
                [initial]\nposition = { s = 0.3 }\n";
    let answer = Folder::with("m.toml", text).run(&["steady", "m.toml"]);
    tells(&answer, &["a family of dimension 0", "\n  s = 0, "], &["dimension 1", "e-7"]);
}

#[test]
fn families_that_other_parameters_have_are_not_denied_where_one_is_varied() {
    let text = "noslip = 1\n[system]\nname = \"b\"\ncoordinates = [\"th\"]\n[parameters]\nw = 3\n\
                [energy]\nkinetic = \"(th'^2 + sin(th)^2*w^2)/2\"\npotential = \"-9.81*cos(th)\"\n";
    let folder = Folder::with("m.toml", text);
    tells(&folder.run(&["steady", "m.toml"]), &["There are no others.\n"], &["acos"]);
    let varied = folder.run(&["steady", "m.toml", "--vary", "w=1:5:3"]);
    tells(&varied, &["There are no others with the parameters of the model."], &[]);
    tells(&folder.run(&["steady", "m.toml", "--set", "w=4"]), &["acos("], &[]);
}

#[test]
fn a_period_is_the_shortest_and_a_motion_beside_rest_is_none() {
    let pol = "noslip = 1\n[system]\nname = \"v\"\ncoordinates = [\"x\"]\n[energy]\nkinetic = \"x'^2/2\"\npotential = \"x^2/2\"\n\
               [forces]\nx = \"(1 - x^2)*x'\"\n[initial]\nposition = { x = 1 }\nvelocity = { x = 1.2 }\n[simulation]\nuntil = 20\n";
    let answer = Folder::with("m.toml", pol).run(&["section", "m.toml", "--on", "x", "--periodic", "--returns", "2"]);
    tells(&answer, &["period 6.6632868593", "it closes after 1 return already"], &["13.3"]);
    // Begun on the section, it has returned after one period.
    let kepler = "noslip = 1\n[system]\nname = \"k\"\ncoordinates = [\"x\", \"y\"]\n[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\n\
                  potential = \"-1/sqrt(x^2 + y^2)\"\n[initial]\nposition = { x = 1 }\nvelocity = { y = 1.2 }\n[simulation]\nuntil = 20\n";
    let answer = Folder::with("m.toml", kepler).run(&["section", "m.toml", "--on", "y", "--periodic"]);
    tells(&answer, &["period 14.9933206"], &[]);
    let fokas = "noslip = 1\n[system]\nname = \"h\"\ncoordinates = [\"q\", \"s\"]\n[energy]\nkinetic = \"(q'^2 + s'^2)/2\"\n\
                 potential = \"(q^2 + s^2)/2 + q^2*s - s^3/3\"\n[initial]\nposition = { q = 0.1, s = 0.3 }\nvelocity = { q = 0.1 }\n\
                 [simulation]\nuntil = 100\n";
    let answer = Folder::with("m.toml", fokas).run(&["section", "m.toml", "--on", "q", "--periodic"]);
    assert!(answer.err.contains("no periodic motion"), "{answer:?}");
}

#[test]
fn rank_is_lost_where_one_choice_of_factors_can_vanish_and_the_constraints_allow_it() {
    // The model steers by less than a right angle.
    let answer = noslip(&["check", "snakeboard"]);
    tells(&answer, &["lose rank where `cos(phi)` = 0, if anywhere: no such place was found."], &[]);
    let folder = particle("[constraints]\nc = \"x'*y'*z' = 1/2\"\n");
    tells(&folder.run(&["check", "m.toml"]), &["keep their rank everywhere"], &["lose rank"]);
}

#[test]
fn of_two_roots_both_are_told() {
    let folder = particle("[constraints]\nc = \"z'^2 = x'^2 + y'^2\"\n[initial]\nvelocity = { x = 1, y = 0 }\n");
    tells(&folder.run(&["check", "m.toml"]), &["from the constraints: z' = 1 or -1."], &[]);
}

#[test]
fn what_is_left_of_a_claim_is_told_without_rounding() {
    let folder = particle("[initial]\nposition = { x = 1, y = 0.5, z = 0 }\n");
    let answer = folder.run(&["verify", "m.toml", "--equation", "exp(x + y) - exp(x)*exp(y) + 1e-30 = 0"]);
    tells(&answer, &["does NOT hold", "left side − right side = 1e-30\n"], &[]);
}

#[test]
fn a_fixed_step_does_not_become_too_small() {
    let folder = particle("[initial]\nvelocity = { x = 1 }\n");
    let run = ["simulate", "m.toml", "--until", "1", "--step", "1e-6", "--max-steps", "300000"];
    folder.run(&run).refuses(3, &["the limit of steps was reached"]);
}

#[test]
fn where_all_eigenvalues_vanish_nothing_is_said_of_others() {
    let folder = particle("");
    let answer = folder.run(&["linearise", "m.toml", "--symbolic"]);
    tells(&answer, &["3 eigenvalues vanish identically"], &["The others"]);
    tells(&folder.run(&["steady", "m.toml"]), &["  eigenvalues zero (3)\n"], &[]);
}

#[test]
fn a_contact_that_may_slide_may_do_so_in_the_beginning() {
    let text = "noslip = 1\n[system]\nname = \"s\"\ncoordinates = [\"x\", \"phi\"]\n[energy]\nkinetic = \"x'^2/2 + phi'^2/20\"\n\
                [constraints]\nroll = { equation = \"x' = phi'/2\", friction = \"2\" }\n[initial]\nvelocity = { x = 2, phi = 0 }\n";
    let folder = Folder::with("m.toml", text);
    assert!(folder.run(&["check", "m.toml"]).fine().contains("a contact with friction slides"));
    // What cannot slide must hold.
    let text = text.replace(", friction = \"2\"", "");
    Folder::with("m.toml", &text).run(&["check", "m.toml"]).refuses(2, &["violates the constraint `roll`"]);
}

fn plane(more: &str) -> Folder {
    let head = "noslip = 1\n[system]\nname = \"p\"\ncoordinates = [\"x\", \"y\"]\n";
    Folder::with("m.toml", &format!("{head}{more}"))
}

#[test]
fn an_integral_whose_numbers_are_long_is_not_told_with_others() {
    // a·ẋ/b + … has a ratio of numbers with forty digits; one in seven such ratios was taken for a short fraction that it is not.
    let pairs = [("1.309307744912", "7.64", "0.8523"), ("2.2958", "1.40313265", "1.92273911")];
    let more = [("8.5009", "4.90012345678", "1.70001112"), ("0.1873205080757", "3.3166247903554", "1.4142135623731")];
    let mut told = 0;
    for (a, b, c) in pairs.into_iter().chain(more) {
        for d in ["", "1", "27", "883"] {
            let folder = plane(&format!(
                "[energy]\nkinetic = \"({a}{d}*x'^2 + {b}*y'^2)/2\"\n[forces]\nx = \"{a}{d}*y' - {c}*y\"\ny = \"-{b}*x' + {c}^2*y\"\n\
                 [initial]\nposition = {{ x = 0.3, y = -0.2 }}\nvelocity = {{ x = 1, y = 0.4 }}\n"
            ));
            for command in ["integrals", "check"] {
                told += usize::from(folder.run(&[command, "m.toml"]).fine().contains("linear_1"));
            }
        }
    }
    assert_eq!(told, 0, "an integral was told whose coefficients no short fractions are");
    // A relation that is proved is told with long numbers as well, and only then.
    let folder =
        particle("[constraints]\nc = \"0.901338835632*x*x' + 7.454030055008*y*y' + 4.15541940327*z*z' = 0\"\n");
    tells(&folder.run(&["check", "m.toml"]), &["integrable (exact)"], &["8374577612753820"]);
}

#[test]
fn a_square_of_a_constraint_is_refused_as_a_product_is() {
    for constraint in ["(z' - x')^2 = 0", "(z - x)^2 = 0", "x'^2 = 0"] {
        let folder = particle(&format!("[constraints]\nc = \"{constraint}\"\n"));
        let answer = folder.run(&["check", "m.toml"]);
        let words = "constraint `c` is a power: it says `";
        tells(
            &answer,
            &["a power, scleronomic", words, " = 0`, and its gradient vanishes"],
            &["says nothing", "momentum"],
        );
        let answer = folder.run(&["verify", "m.toml", "--equation", "x'' = y''"]);
        tells(&answer, &["undecided"], &[": holds"]);
        assert_eq!(answer.status, 3, "{answer:?}");
    }
    // So are finite products: on y = 2 nothing keeps x'' from being something else than on x = 1.
    let folder =
        particle("potential = \"x*z\"\n[constraints]\nc = \"(x - 1)*(y - 2) = 0\"\n[initial]\nposition = { y = 0 }\n");
    let answer = folder.run(&["verify", "m.toml", "--equation", "x'' = 0"]);
    tells(&answer, &["undecided", "constraint `c` is a product", "`x - 1 = 0`", "`y - 2 = 0`"], &[": holds"]);
}

#[test]
fn a_claim_under_a_power_of_a_constraint_is_decided_at_its_root() {
    for constraint in ["(x' - y')^2 = 0", "(x' - y')^4 = 0", "x'^2 + y'^2 = 2*x'*y'"] {
        let folder = particle(&format!(
            "potential = \"x\"\n[constraints]\nc = \"{constraint}\"\n[initial]\nposition = {{ x = 0 }}\n"
        ));
        let claim = |text: &str| folder.run(&["verify", "m.toml", "--equation", text]);
        for true_one in ["x' = y'", "x'^2 = x'*y'", "x'' = y''", "x = y"] {
            tells(&claim(true_one), &["holds", "(proved)"], &["undecided"]);
        }
        tells(&claim("x' = -y'"), &["does NOT hold", "counterexample"], &["undecided"]);
        // Nothing is known of the reaction.
        for open in ["x'' = -1/2", "x'' = y'' + lambda_c", "z'' = 0"] {
            tells(&claim(open), &["undecided", "is a power"], &[": holds", "NOT"]);
        }
    }
    // Positions and accelerations too.
    let folder = particle("[constraints]\nc = \"(x'' - y'')^2 = 0\"\n");
    tells(&folder.run(&["verify", "m.toml", "--equation", "x'' = y''"]), &["holds"], &["undecided"]);
    let folder = particle("[constraints]\nc = \"(x - 2*y)^2 = 0\"\n");
    tells(&folder.run(&["verify", "m.toml", "--equation", "x'' = 2*y''"]), &["holds (proved)"], &[]);
    // Of a product what both factors say.
    let folder = particle("[constraints]\nc = \"(x' - y')*(x' + y') = 0\"\n");
    tells(&folder.run(&["verify", "m.toml", "--equation", "abs(x') = abs(y')"]), &["holds"], &["undecided"]);
    tells(&folder.run(&["verify", "m.toml", "--equation", "x' = y'"]), &["does NOT hold"], &[]);
}

#[test]
fn a_sum_of_squares_is_told_as_the_constraints_that_it_adds() {
    for constraint in
        ["(x' - z')^2 + y'^2 = 0", "2*(x' - z')^2 + (y' + x' - z')^4 = 0", "(x' - z')^2 + (x' - z' + 3*y')^2 = 0"]
    {
        let folder = particle(&format!(
            "[constraints]\nc = \"{constraint}\"\n[initial]\nvelocity = {{ x = 1, y = 0, z = 1 }}\n"
        ));
        tells(
            &folder.run(&["check", "m.toml"]),
            &["Constraint `c`: a sum of squares", "write each as a constraint of its own", "x'", " and "],
            &["nonlinear"],
        );
        for true_one in ["y' = 0", "x' = z'", "x'' = z''"] {
            tells(&folder.run(&["verify", "m.toml", "--equation", true_one]), &["holds", "(proved)"], &["undecided"]);
        }
        tells(&folder.run(&["verify", "m.toml", "--equation", "x' = 1"]), &["does NOT hold"], &[]);
    }
    // For these values of the parameters, and nowhere at all.
    let values = particle("[parameters]\na = 0\n[constraints]\nc = \"x'^2 + y'^2 = a*z'\"\n").run(&["check", "m.toml"]);
    tells(&values, &["is a sum of squares for these values of the parameters: it says `x' = 0` and `y' = 0`"], &[]);
    let never =
        particle("[constraints]\nc = \"x'^2 + y'^2 - x'*y' + 1 = 0\"\n").run(&["derive", "m.toml", "--form", "maggi"]);
    assert!(never.err.contains("constraint `c` holds at no real state: it has one sign everywhere"), "{never:?}");
    // Where the coefficient of a square vanishes somewhere, or the signs differ, it is a constraint like others.
    for one in ["x'^2 + y'^2 = z'^2", "x'^2 + y'^2 = 1", "x'^2 + y*y'^2 = 0"] {
        let answer = particle(&format!("[constraints]\nc = \"{one}\"\n")).run(&["check", "m.toml"]);
        tells(&answer, &["nonlinear in the velocities"], &["squares", "power", "product"]);
    }
}

#[test]
fn a_product_of_which_one_factor_can_vanish_is_no_choice() {
    for (constraint, root) in [
        ("x'^3 = 1", "x' - 1 = 0"),
        ("x'^3 = y'^3", "x' - y' = 0"),
        ("exp(z')*(x' - y') = 0", "x' - y' = 0"),
        ("(z' - y*x')*(x'^2 + y'^2 + 1) = 0", "z' - y*x' = 0"),
    ] {
        let folder = particle(&format!(
            "[constraints]\nc = \"{constraint}\"\n[initial]\nposition = {{ y = 1 }}\nvelocity = {{ x = 1, y = 1, z = 1 }}\n"
        ));
        let said = "is a product whose other factors vanish nowhere else: it says `";
        tells(&folder.run(&["check", "m.toml"]), &["a product", said], &["choice", " or `"]);
        tells(&folder.run(&["verify", "m.toml", "--equation", root]), &["holds (proved)"], &[]);
    }
    // The reaction is that of the factor, with what stands beside it.
    let folder = particle("potential = \"x\"\n[constraints]\nc = \"x'^3 = 1\"\n");
    let claim = |text: &str| folder.run(&["verify", "m.toml", "--equation", text]);
    tells(&claim("lambda_c = 1/3"), &["holds (proved)"], &[]);
    tells(&claim("lambda_c = 1"), &["does NOT hold"], &[]);
    tells(&claim("x'' = 0"), &["holds (proved)"], &[]);
}

#[test]
fn a_run_says_of_a_power_what_check_says() {
    let words = "constraint `c` is a power: it says `x' - y' = 0`, and its gradient vanishes wherever it holds; write `x' - y' = 0`";
    for more in ["", "potential = \"x\"\n"] {
        let folder = particle(&format!(
            "{more}[constraints]\nc = \"(x' - y')^2 = 0\"\n[initial]\nvelocity = {{ x = 1, y = 1 }}\n"
        ));
        for command in [
            &["check", "m.toml"][..],
            &["simulate", "m.toml", "--until", "1"],
            &["measure", "m.toml"],
            &["exponents", "m.toml", "--until", "1"],
            &["report", "m.toml", "-o", "page.html", "--until", "1"],
            &["sweep", "m.toml", "--vary", "x=0:1:3", "--until", "1", "-o", "rows"],
        ] {
            let answer = folder.run(command);
            assert!(format!("{}{}", answer.out, answer.err).contains(words), "{command:?}: {answer:?}");
        }
    }
}

#[test]
fn positions_in_different_pieces_are_not_said_to_be_joined() {
    // Between x = −1 and x = 1 there is no root.
    let answer = particle("[constraints]\nc = \"z' = sqrt(x^2 - 1)*y'\"\n[initial]\nposition = { x = 2 }\n")
        .run(&["check", "m.toml"]);
    tells(&answer, &["any two positions can be joined between which the constraints have values"], &["can be joined."]);
    // And x = ±1 are two lines of one surface.
    let folder = Folder::with(
        "m.toml",
        "noslip = 1\n[system]\nname = \"s\"\ncoordinates = [\"x\", \"y\", \"z\", \"w\"]\n[energy]\n\
         kinetic = \"(x'^2 + y'^2 + z'^2 + w'^2)/2\"\n[constraints]\nh = \"2*x*x' + (x^2 - 1)*y' = 0\"\nd = \"w' = z*y'\"\n",
    );
    tells(&folder.run(&["check", "m.toml"]), &["any two positions on one piece of a surface"], &[]);
}

#[test]
fn multipliers_that_are_one_several_times_are_no_instability() {
    let kepler = "[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"-1/sqrt(x^2 + y^2)\"\n[initial]\nposition = { x = 1 }\n\
                  velocity = { y = 1.1 }\n";
    let answer = plane(kepler).run(&["section", "m.toml", "--on", "y", "--periodic", "--until", "20"]);
    tells(&answer, &["4 of them 1; by the others marginal"], &["unstable"]);
}

#[test]
fn what_a_parameter_is_by_others_belongs_to_the_letters() {
    let text = "[parameters]\nm = 2\nl = 0.5\nJ = \"m*l^2\"\n[definitions]\nu = \"x'*cos(y) + 0.1*y'\"\n[energy]\n\
                kinetic = \"m*x'^2/2 + J*y'^2/2\"\npotential = \"m*x^2\"\n";
    let folder = plane(text);
    let holds = folder.run(&["verify", "m.toml", "--equation", "J*x'' = -2*m*l^2*x"]);
    tells(&holds, &["holds (proved)"], &["for these values"]);
    let values = folder.run(&["verify", "m.toml", "--equation", "x'' = -m*x"]);
    tells(&values, &["for these values of the parameters, not for all"], &[]);
    // A value that is given takes its place.
    let other = folder.run(&["verify", "m.toml", "--set", "J=0.5", "--equation", "J*x'' = -2*m*l^2*x"]);
    tells(&other, &["for these values of the parameters, not for all"], &[]);
}

#[test]
fn equations_of_numbers_do_not_depend_on_the_motion() {
    let folder = particle("");
    for equation in ["atan(1) = pi/4", "4*atan(1/5) - atan(1/239) = pi/4", "abs(pi - 3.14) = pi - 3.14"] {
        tells(&folder.run(&["verify", "m.toml", "--equation", equation]), &["holds"], &["along the motion"]);
    }
    let answer = folder.run(&["verify", "m.toml", "--equation", "atan(1) = pi/4 + 1e-30"]);
    tells(&answer, &["does NOT hold"], &[]);
}

#[test]
fn rank_is_not_said_to_be_lost_where_no_place_is() {
    let check = |c: &str| particle(&format!("[constraints]\nc = \"{c}\"\n")).run(&["check", "m.toml"]);
    for nowhere in [
        "(x^2 + y^2 - 1)*x' + (x*y - 2)*y' = 0",
        "(exp(x) - y)*x' + (x - y)*y' = 0",
        "(sin(x) + sin(2*x) - 2)*(x' + y') = 0",
    ] {
        tells(&check(nowhere), &["if anywhere: no such place was found"], &[]);
    }
    for somewhere in
        ["(x^2 + y^2 - 1)*x' + (x*y - 0.5)*y' = 0", "(x^5 - x - 1)*x' + (y^2 - x)*y' = 0", "(tan(x) - 1)*x' + y*y' = 0"]
    {
        tells(&check(somewhere), &["lose rank where"], &["if anywhere"]);
    }
}

#[test]
fn numbers_that_the_prime_divides_are_not_taken_for_zero() {
    let text = "[parameters]\nk = 2305843006154687999\n";
    let folder = plane(&format!("{text}[energy]\nkinetic = \"(x'^2 + y'^2)/2\"\npotential = \"k*x^2/2\"\n"));
    let answer = folder.run(&["verify", "m.toml", "--equation", "x'' = 0"]);
    tells(&answer, &[], &["holds"]);
    tells(&folder.run(&["check", "m.toml"]), &[], &["`x'`"]);
}
