//! Equations in LaTeX and in SymPy's Python.

use crate::common::gallery::open;
use crate::common::{root, verdict};
use noslip::Limits;
use noslip::expr::{Arena, Declared, Expr, Printer, Role, Style, Tree, parse_expression};
use noslip::forms::Presented;
use noslip::mechanics::Workbench;
use noslip::model::{Kind, Model, render};
use noslip::read::{Language, Notation, Paper, read};

/// Every equation printed in a source that stands in a LaTeX file gets the verdict it must get.
#[test]
fn printed_equations_typed_in_latex_get_their_verdicts() {
    let limits = Limits::default();
    let (mut right, mut wrong) = (0, 0);
    let claims = root().join("models/claims");
    let mut documents: Vec<_> =
        std::fs::read_dir(&claims).expect("claims").map(|e| e.expect("a folder").path()).collect();
    documents.sort();
    for document in documents.iter().filter(|d| d.is_dir()) {
        let mut files: Vec<_> =
            std::fs::read_dir(document).expect("files").map(|e| e.expect("a file").path()).collect();
        files.sort();
        for file in files.iter().filter(|f| f.extension().is_some_and(|x| x == "tex")) {
            let shown = file.display().to_string();
            let paper =
                Paper::new(std::fs::read_to_string(file).expect("text")).unwrap_or_else(|e| panic!("{shown}: {e}"));
            let sections = paper.sections(None, |name| Ok(open(name)), &limits);
            let sections = sections.unwrap_or_else(|e| panic!("{}", render(&e, &shown, &paper.text)));
            for section in sections {
                for claim in section.claims {
                    let understood = claim.read.unwrap_or_else(|e| panic!("{}", render(&e, &shown, &paper.text)));
                    let finding = verdict(&section.model, understood.expr);
                    let expected = claim.expect.unwrap_or(true);
                    assert!(
                        if expected { finding.holds() } else { finding.fails() },
                        "{shown}, {}: {}: {finding:?}",
                        claim.id,
                        understood.reading.written.text
                    );
                    if expected { right += 1 } else { wrong += 1 }
                }
            }
        }
    }
    assert!(right >= 55 && wrong >= 12, "{right} right and {wrong} wrong equations");
}

/// An expression of all letters in the arena.
fn own(arena: &mut Arena, text: &str) -> Expr {
    parse_expression(arena, text, &mut Declared, &Limits::default()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Reads back everything that is printed of a form in LaTeX.
pub fn read_back(model: &Model, w: &mut Workbench, shown: &Presented) {
    let limits = Limits::default();
    let mut latex = Printer::new(Style::Latex);
    for (of, shown) in &model.system.display {
        latex = latex.display(of.clone(), shown.clone());
    }
    let mut model = model.clone();
    // Virtual displacements stand in what explains a form, never in an equation that somebody claims.
    let claimed = |tree: &&Tree| !tree.symbols().iter().any(|&s| w.g.role(s) == Role::Variation);
    let letters: Vec<&Tree> =
        shown.equations.iter().chain(shown.abbreviations.iter().map(|(_, t)| t)).filter(claimed).collect();
    // A form has letters of its own.
    let mut names = model.vocabulary();
    for s in letters.iter().flat_map(|tree| tree.symbols()) {
        let stem = w.g.name(s).trim_end_matches('\'').to_owned();
        if !names.iter().any(|(known, _)| *known == stem) {
            names.push((stem, Kind::QuasiVelocity));
        }
    }
    let mut notation = Notation::of(names, &model.system.display);
    for tree in letters {
        let (text, latex) = (Printer::new(Style::Text).print(&w.g, tree), latex.print(&w.g, tree));
        if text.len() > 20_000 {
            continue;
        }
        let what = format!("{}, {}: {latex}", model.file_name, shown.form);
        let readings = read(&latex, Language::Latex, &mut model, &mut notation, &limits)
            .unwrap_or_else(|e| panic!("{what}\n{}", render(&e, "printed", &latex)));
        let back = own(&mut w.g, &readings[0].written.text);
        let direct = own(&mut w.g, &text);
        let same = back == direct || {
            let difference = w.g.sub(back, direct);
            let simple = noslip::expr::simplify(&mut w.g, difference, &limits);
            w.g.is_zero(simple)
        };
        assert!(same, "{what}\nread as {}\nprinted {text}", readings[0].written.text);
    }
}

const DISK: &str = r#"
noslip = 1
[system]
name = "d"
coordinates = ["phi", "theta", "x_C", "q1"]
[parameters]
m = 1
r = 2
g = 3
Ip = 4
omega = 5
a = 1
b = 2
ab = 3
[tables.f]
of = "theta"
at = [0, 1, 2, 3]
values = [0, 1, 4, 9]
interpolation = "spline"
[energy]
kinetic = "m*(phi'^2 + theta'^2 + x_C'^2 + q1'^2)/2"
[constraints]
one = "x_C' = phi'"
two = "q1' = theta'"
[display]
phi = "\\varphi"
"#;

fn as_read(source: &str, language: Language) -> Result<String, String> {
    let mut model = Model::load(DISK, "d", &Limits::default()).expect("it loads");
    let mut notation = Notation::new(&model);
    let readings = read(source, language, &mut model, &mut notation, &Limits::default());
    let readings = readings.map_err(|e| match e.span {
        Some(span) => format!("{} at `{}`", e.message, &source[span]),
        None => e.message,
    })?;
    let texts: Vec<String> = readings.iter().map(noslip::read::Reading::told).collect();
    for reading in readings {
        reading.understand(&mut model, &Limits::default()).map_err(|e| e.message)?;
    }
    Ok(texts.join("; "))
}

#[test]
fn latex_is_read_by_its_rules() {
    for (latex, expected) in [
        (r"m\ddot{x}_C = -2mg\sin\varphi\,\dot\theta", "m*x_C'' = -2*m*g*sin(phi)*theta'"),
        (r"\ddot x_C + {\dot x}_C + \dot{x_C} + x_C' + x'_{C}", "x_C'' + x_C' + x_C' + x_C' + x_C'"),
        (r"\frac12 m\dot q_1^2", "1/2*m*q1'^2"),
        (r"\frac{m}{2}\left(\dot{q}_1^{2} + 1\right)^{2}", "m/2*(q1'^2 + 1)^2"),
        (r"\sin^2\theta\cos\theta", "sin(theta)^2*cos(theta)"),
        (r"\sin 2\theta + \sin(2\theta)\,r", "sin(2*theta) + sin(2*theta)*r"),
        (r"\sin\frac{\theta}{2}", "sin(theta/2)"),
        (r"\mathrm{tg}\,\theta + \operatorname{tg}\theta + \tg\theta", "tan(theta) + tan(theta) + tan(theta)"),
        (r"I_p\ddot\phi", "Ip*phi''"),
        (r"\lambda_1 + \lambda_2", "lambda_one + lambda_two"),
        (r"\frac{d}{dt}(m r^2\dot\theta) = 0", "rate_of' = 0, where rate_of = m*r^2*theta'"),
        (r"\frac{d\theta}{dt} = \frac{d^2\theta}{dt^2}", "theta' = theta''"),
        (r"m(r\dot\theta)^2 + \omega(t - r)", "m*(r*theta')^2 + omega*(t - r)"),
        (r"\frac{d}{dt}\sin\theta = \frac{d}{dt}(\theta) m", "rate_of' = theta'*m, where rate_of = sin(theta)"),
        (r"\sin{\left(\theta\right)}^2", "sin(theta)^2"),
        (r"\theta(t) + \dot{\theta}{\left(t \right)}", "theta + theta'"),
        (r"f(\theta) + f'(2\theta)", "f(theta) + f'(2*theta)"),
        (r"|\theta| + \left|\theta - r|r|\right|", "abs(theta) + abs(theta - r*abs(r))"),
        (r"e^{-\theta} + \exp(\theta)", "exp(-theta) + exp(theta)"),
        (r"\sqrt{r} + \sqrt[3]{r}", "sqrt(r) + r^(1/3)"),
        (r"{m \over r} + m/r", "m/r + m/r"),
        (r"1{,}5\cdot 2 + .5", "1.5*2 + 0.5"),
        (r"m = r = g", "m = r; r = g"),
        (r"m &= r + g \\ &\quad - \omega", "m = r + g - omega"),
        (r"m &= r & g &= \omega", "m = r; g = omega"),
        (r"m &=& r && g = \omega", "m = r; g = omega"),
        (r"m &= r, & g &= \omega,", "m = r; g = omega"),
        (r"m &+ r &= g", "m + r = g"),
        (r"m = r \qquad g = \omega", "m = r; g = omega"),
        (r"\pi r^2 \left[ m - \{ g \} \right],", "pi*r^2*(m - (g))"),
        (r"-\dot\theta^{2}\varphi", "-theta'^2*phi"),
        (r"a^{-1} + 2^{m}", "a^(-1) + 2^m"),
        (r"\vartheta", "theta"),
        (r"$m = r$", "m = r"),
        (r" $$m = r$$ ", "m = r"),
        (r"\[ m = r, \]", "m = r"),
        (r"\begin{align*} m &= r, \\ g &= \omega \label{a} \end{align*}.", "m = r; g = omega"),
        (r"\[\begin{split} m &+ r \\ &+ g = \omega \end{split}\]", "m + r + g = omega"),
        (r"\begin{alignat}{2} m &= r &\quad g &= \omega \end{alignat}", "m = r; g = omega"),
        (r"\boxed{m = r}", "m = r"),
    ] {
        assert_eq!(as_read(latex, Language::Latex).as_deref(), Ok(expected), "{latex}");
    }
}

#[test]
fn what_has_two_readings_or_none_is_refused_with_its_place() {
    for (latex, expected) in [
        (r"\sin\omega t", r"it is not clear how far the argument of `sin` reaches at `\sin\omega t`"),
        (r"\sin\theta^2", r"it is not clear how far the argument of `sin` reaches at `\sin\theta^`"),
        (r"\cos\omega(t - 1)", r"it is not clear how far the argument of `cos` reaches at `\cos\omega(`"),
        (r"\sin\theta/2", r"it is not clear how far the argument of `sin` reaches at `\sin\theta/`"),
        (r"1/2m", "it is not clear how far the division reaches at `2m`"),
        (r"m 2", "a number behind a factor at `m 2`"),
        (r"2\frac12", r"a number before a fraction of numbers at `2\frac12`"),
        (r"\sin^{-1}\theta", r"an exponent of a function that is not a whole number above 1 at `\sin^{-1}`"),
        (r"m sin\theta", "`sin` without a backslash is a product of letters at `sin`"),
        (r"ab", "`ab` is a name of this model, and also a product of its letters at `ab`"),
        (r"m(g)", "`m` before brackets that hold no sum: a product or a function? at `(g)`"),
        (r"m\left(2 g\right)", r"`m` before brackets that hold no sum: a product or a function? at `\left(2 g\right)`"),
        (r"\theta(t - r)", r"`\theta` at another time than t, or a product? at `(t - r)`"),
        (r"m^{(2)}", "a superscript in brackets is no exponent at `(2)`"),
        (r"\sin{\theta}^2", r"it is not clear how far the argument of `sin` reaches at `\sin{\theta}^`"),
        (r"\frac{d}{dt}\sin\theta\cos\theta", r"it is not clear how far the derivative reaches at `\sin\theta`"),
        (r"\frac{d}{dt}\theta\cdot m", r"it is not clear how far the derivative reaches at `\theta`"),
        (
            r"\frac{d\theta}{d\omega}",
            r"a derivative by something else than the time, or of two orders at `\frac{d\theta}{d\omega}`",
        ),
        (
            r"\frac{d^2\theta}{dt}",
            r"a derivative by something else than the time, or of two orders at `\frac{d^2\theta}{dt}`",
        ),
        (r"r^23", "`^23` is `^2` followed by `3` to TeX at `23`"),
        (r"m + Z_4", "`Z_4` is no name of this model at `Z_4`"),
        (r"\frac{\partial T}{\partial\theta}", r"`\partial` is not read here at `\partial`"),
        (r"\sum_i m", r"`\sum` is not read here at `\sum`"),
        (r"(m + g", "this bracket is never closed at `(`"),
        (r"(m + g]", "`]` is not read here at `]`"),
        (r"m \pm g", r"`\pm` is not read here at `\pm`"),
        (r"1,5 m", "a part of a list of equations without `=` at `1,`"),
        (r"m = 1 \\ - g = 2", "this line goes on with the one before, or begins an equation at `-`"),
        // Not two equations, m = 0 and r = 0: a product may go on there.
        (r"m \\ r = 0", "a line that begins with neither a sign nor an equation at `r`"),
        (r"\mathbf{r} = 0", r"`\mathbf{r}` is no name of this model at `\mathbf{r}`"),
        (
            r"\dot{\boldsymbol\theta} = 0",
            r"`\boldsymbol{\theta}` is no name of this model at `\dot{\boldsymbol\theta}`",
        ),
        (r"\boxed{m} = r", r"`\boxed` is not read here at `\boxed`"),
        (r"\begin{cases} m = r \end{cases}", r"`\begin` is not read here at `\begin`"),
        (r"\dddot\theta", "`theta'''` is a derivative of order 3"),
        (r"m \neq g", r"`\neq` is not read here at `\neq`"),
        (r"m = r \quad -g = \omega", r"this goes on with the equation before, or begins another one at `\quad`"),
        (r"m = r \quad g", r"a wide space inside an equation at `\quad`"),
        (r"m = r \; (5.12)", r"a number behind a factor at `r \; (5.12)`"),
        (r"m &= r & g", "a part of a list of equations without `=` at `g`"),
        (r"\dot m", "parameter `m` does not vary, so `m'` has no meaning"),
        (r"", "an empty formula at ``"),
        (r"m =", "the formula ends where something is missing at ``"),
        (r"\frac{d}{dt} m\theta", "it is not clear how far the derivative reaches at `m`"),
    ] {
        assert_eq!(as_read(latex, Language::Latex), Err(expected.to_owned()), "{latex}");
    }
}

#[test]
fn python_is_read_as_sympy_prints_it() {
    for (python, expected) in [
        ("Eq(m*Derivative(x_C(t), (t, 2)), -g*sin(phi(t)))", "m*x_C'' = -g*sin(phi)"),
        ("m*x_C(t).diff(t, 2) - sm.sin(phi)**2/Rational(1, 2)", "m*x_C'' - sin(phi)^2/(1/2)"),
        ("-m*theta.diff(t)**2 + 2**-m", "-m*theta'^2 + 2^(-m)"),
        ("Matrix([[m], [g - r]])", "m; g - r"),
        ("[Eq(m, g), r]", "m = g; r"),
        ("Add(Mul(Integer(2), Symbol('m')), Pow(Symbol('r', real=True), Integer(-1)))", "(((2)*m) + (r^(-1)))"),
        ("Derivative(Function('theta')(Symbol('t')), Tuple(Symbol('t'), Integer(2)))", "theta''"),
        ("theta'' - theta'", "theta'' - theta'"),
        ("m == g*1e-3", "m = g*1e-3"),
        ("Derivative(m*theta(t), t)", "rate_of', where rate_of = m*theta"),
        ("np.arctan2(m, g) + sympy.sqrt(r) + Abs(m)", "atan2(m, g) + sqrt(r) + abs(m)"),
        ("m - (g - r)", "m - (g - r)"),
        ("a/(b*r) - -g", "a/(b*r) - (-g)"),
        ("lam1*f(theta)", "lambda_one*f(theta)"),
    ] {
        assert_eq!(as_read(python, Language::Sympy).as_deref(), Ok(expected), "{python}");
    }
    for (python, expected) in [
        ("m^2", "this is not read here"),
        ("m(g)", "`m` is not a function of this"),
        ("Integral(m, t)", "`Integral` is no name of this model"),
        ("diff(m, g)", "only derivatives by the time `t` are read"),
        ("(m + g", "`)` is missing"),
        ("m g", "this is not read here"),
        ("Eq(m, g, r)", "this is not read here"),
        ("Symbol('m', g)", "this is not read here"),
    ] {
        let error = as_read(python, Language::Sympy).expect_err(python);
        assert!(error.starts_with(expected) || error.starts_with("`^` is not a power"), "{python}: {error}");
    }
}

/// Commands the author has made stand for what they stand for; those that have no place of their own in the text are refused.
#[test]
fn papers_are_read_with_their_own_commands_and_line_by_line() {
    let paper = r"\newcommand{\td}{\dot\theta} \newcommand\tdd{\ddot{\theta}} \def\half{\tfrac12}
\newcommand{\energy}{\half m\td^2} \newcommand{\force}{m - g} \newcommand{\vect}[1]{\mathbf{#1}}
\newcommand{\twice}{r} \renewcommand{\twice}{g} \renewcommand{\phi}{\vartheta}
\begin{align} \energy &= r \label{one} \\ \force &= r \label{two} \\ m\tdd &= \phi \label{three} \end{align}
\[ \twice = 0 \] \[ \vect{r} = 0 \] \begin{align} \nothing &= r \label{four} \\ m &= r \label{five}\end{align}";
    let paper = Paper::new(paper.into()).expect("a paper");
    let model = Model::load(DISK, "d", &Limits::default()).expect("it loads");
    let sections = paper.sections(Some(model), |_| unreachable!(), &Limits::default()).expect("sections");
    let said = sections[0].claims.iter().map(|c| match &c.read {
        Ok(understood) => format!("{}: {}", c.id, understood.reading.written.text),
        Err(error) => format!("{}: {}", c.id, error.message),
    });
    let own = |name: &str| format!("`\\{name}` is a command of the author that is not read");
    let expected = [
        "one: 1/2*m*theta'^2 = r".into(),
        format!("two: {}", own("force")),
        "three: m*theta'' = theta".into(),
        format!("line 5: {}", own("twice")),
        format!("line 5: {}", own("vect")),
        "four: `\\nothing` is not read here".into(),
        "five: m = r".into(),
    ];
    assert_eq!(said.collect::<Vec<_>>(), expected);
}

/// No input makes the readers panic: every prefix of every equation, and every equation without one of its characters.
#[test]
fn readers_do_not_panic() {
    let sources = [
        r"m\ddot{x}_C = -2mg\sin\varphi\,\dot\theta + \frac{d}{dt}\left(\sqrt[3]{r}^{2}\right) \\ &= {a \over b}|\theta|",
        r"\frac12 \dot{q}_{1}'^{\prime} e^{-\theta} \mathrm{tg}\,\theta, \quad \lambda_{1,2}^{(3)}",
    ];
    let python = ["Eq(m*Derivative(x_C(t), (t, 2)), -g*sin(phi(t))**2/[Rational(1, 2), lam1'']) # é"];
    for (source, language) in sources.iter().map(|s| (*s, Language::Latex)).chain(python.map(|s| (s, Language::Sympy)))
    {
        for (i, c) in source.char_indices() {
            let _ = as_read(&source[..i], language);
            let without = format!("{}{}", &source[..i], &source[i + c.len_utf8()..]);
            let _ = as_read(&without, language);
            let _ = as_read(&source[i..], language);
        }
    }
    assert!(as_read(r"\begin{alignat}{2\end{alignat}}", Language::Latex).is_err());
    assert!(as_read(&"(".repeat(100_000), Language::Latex).is_err());
    assert!(as_read(&"(".repeat(100_000), Language::Sympy).is_err());
    assert!(as_read(&"-".repeat(100_000), Language::Sympy).is_err());
    assert!(as_read(&"\\sqrt{".repeat(100_000), Language::Latex).is_err());
}
