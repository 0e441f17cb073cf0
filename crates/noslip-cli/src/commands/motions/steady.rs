//! `noslip steady`

use super::{Named, analysed, by_name, differences, eigenvalue, eigenvalues, names, significant, stability, value};
use crate::failure::{Failure, Outcome};
use crate::open::{Opened, open};
use crate::options::named;
use crate::options::{FormatArgs, ModelArgs};
use crate::output::{expect_outputs, write_atomically, write_plots};
use crate::terminal::{say, say_json};
use crate::words::{all_written, shown, symbol, written};
use clap::Args;
use noslip::Error;
use noslip::mechanics::Workbench;
use noslip::motions::linearise::Stability;
use noslip::motions::reduce::Reduction;
use noslip::motions::steady::{Answer, Motion, Question, Range, steady};
use noslip::motions::{Critical, ExactFamily, What};
use noslip::numeric::brief;
use noslip_cli::answers::{self, CriticalValue, Eigenvalue, Happening, Steady, SteadyFamily, SteadyMotion};
use noslip_cli::plot::{Column, Plot};
use std::fmt::Write;
use std::path::PathBuf;

/// `steady`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip steady rolling-disk --given theta=1.2 --given u3=4
  noslip steady whipple-bicycle.toml --vary p=0:10:11
  noslip steady rolling-torus --vary u3=0:5:51 --plot stability.svg
  noslip steady bicycle.toml --vary p=0:10:81 --vary c=0:0.2:41 --plot map.svg

What is not given is taken as near as possible to the initial state.
A name is a member of the closed part (`noslip reduce`), a parameter,
or any function of the state in quotes.")]
pub struct SteadyArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Fix a member of the closed part or another function of the state; may be repeated
    #[arg(long, value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub given: Vec<String>,
    /// Follow the family along a member of the closed part, a parameter, or another function of the state; twice for a map
    #[arg(long, value_name = "NAME=A:B:N", allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// Write the motions as comma-separated values
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Draw eigenvalues against what is varied, or the map: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Values of one range at most.
const VALUES: usize = 100_000;

/// Finds steady motions.
pub fn run(args: &SteadyArgs) -> Outcome {
    if args.plot.is_some() && args.vary.is_empty() {
        return Err(Failure::from(Error::input("`--plot` needs something to be varied: --vary NAME=A:B:N")));
    }
    expect_outputs(&args.model.model, args.out.as_ref(), &["csv"], args.plot.as_ref())?;
    let mut opened = open(&args.model)?.while_closed();
    let mut given = Vec::new();
    for text in &args.given {
        let (name, rest) = named("--given", text)?;
        given.push((Named::read(&mut opened, "--given", name), value(&mut opened, "--given", rest)?));
    }
    let mut vary = Vec::new();
    for text in &args.vary {
        vary.push(range(&mut opened, text)?);
    }
    let state = opened.initial_state()?;
    let (mut w, chosen) = analysed(&opened)?;
    let r = Reduction::of(&mut w, chosen)?.relative(&mut w);
    let mut question = Question::default();
    for (name, x) in given {
        question.given.push((name.target(&mut w, &r, "--given")?, x));
    }
    let mut names = Vec::new();
    for (name, [from, to], count) in vary {
        names.push(name.text.clone());
        question.vary.push(Range { target: name.target(&mut w, &r, "--vary")?, from, to, count });
    }
    let answer = steady(&mut w, &r, &state, &question)?;
    if let Some(path) = &args.out {
        write_atomically(path, csv(&w, &names, &answer).as_bytes())?;
    }
    if let Some(path) = &args.plot {
        write_plots(path, &plots(&w, &names, &answer))?;
    }
    match args.format.is_json() {
        true => say_json(&document(&mut w, &names, &answer)),
        false => {
            let differences = differences(&mut w, &r);
            say(&text(&mut w, &names, &answer, &differences));
        }
    }
    Ok(())
}

/// Reads NAME=A:B:N.
fn range(opened: &mut Opened, text: &str) -> Result<(Named, [f64; 2], usize), Failure> {
    let wrong =
        || Failure::from(Error::input(format!("`--vary {text}`: expected NAME=A:B:N")).hint("for example u3=0:10:101"));
    // The name may be a comparison-free expression with no `=` of its own.
    let (name, rest) = text.rsplit_once('=').ok_or_else(wrong)?;
    let parts: Vec<&str> = rest.split(':').collect();
    let [from, to, count] = parts[..] else { return Err(wrong()) };
    let count: usize = count.trim().parse().map_err(|_| wrong())?;
    if !(1..=VALUES).contains(&count) || name.trim().is_empty() {
        return Err(wrong());
    }
    let ends = [value(opened, "--vary", from)?, value(opened, "--vary", to)?];
    Ok((Named::read(opened, "--vary", name.trim()), ends, count))
}

fn document(w: &mut Workbench, varied: &[String], a: &Answer) -> Steady {
    let exact = a.exact.as_ref().map_or(&[][..], |x| &x.list);
    let families = exact.iter().map(|f| in_letters(w, f)).collect();
    let motions = a.motions.iter().map(|m| SteadyMotion {
        values: by_name(w, &m.values),
        eigenvalues: eigenvalues(&m.eigenvalues),
        zero: m.zero,
        stable: stability(m.stable),
        varied: (!varied.is_empty()).then(|| answers::by_name(varied, m.varied.iter().copied())),
    });
    let critical = a.critical.iter().map(|c| CriticalValue {
        at: answers::by_name(varied, [c.value]),
        what: match c.what {
            What::Divergence => Happening::Divergence,
            What::Flutter => Happening::Flutter,
            What::Fold => Happening::Fold,
            What::DoubleRoot => Happening::DoubleRoot,
        },
        eigenvalue: c.eigenvalue.map(|z| Eigenvalue { re: z.re, im: z.im }),
    });
    Steady {
        name: w.system.name.clone(),
        closed: names(w, &a.closed),
        dimension: a.dimension,
        held: by_name(w, &a.held),
        initial_is_steady: a.initial_is_steady,
        motions: motions.collect(),
        critical: critical.collect(),
        ended: a.ended.clone(),
        how: answers::Known::Numerical,
        families,
        complete: a.exact.as_ref().map(|x| x.complete),
    }
}

fn in_letters(w: &mut Workbench, f: &ExactFamily) -> SteadyFamily {
    let values = f.values.iter().map(|&(s, e)| (w.g.name(s).to_owned(), written(w, e))).collect();
    SteadyFamily {
        dimension: f.dimension(),
        free: names(w, &f.free),
        values,
        relations: all_written(w, &f.relations),
        provided: all_written(w, &f.provided),
        how: (&f.how).into(),
    }
}

/// The families in letters, a paragraph each. Where something is varied, it may be a parameter that other families depend on.
fn write_letters(out: &mut String, w: &mut Workbench, a: &Answer, varied: bool) {
    let Some(exact) = &a.exact else { return };
    out.push_str("\nIn letters\n");
    for f in &exact.list {
        let list = |names: Vec<String>, end: &str| match names.is_empty() {
            true => String::new(),
            false => format!("{}{end}", names.join(", ")),
        };
        let values: Vec<String> =
            f.values.iter().map(|&(s, e)| format!("{} = {}", symbol(w, s), shown(w, e))).collect();
        let free = list(f.free.iter().map(|&s| symbol(w, s)).collect(), " free");
        let mut parts: Vec<String> = [list(values, ""), free].into_iter().filter(|s| !s.is_empty()).collect();
        parts.extend(f.relations.iter().map(|&e| format!("where {} = 0", shown(w, e))));
        parts.extend(f.provided.iter().map(|&e| format!("unless {} = 0", shown(w, e))));
        let _ = writeln!(out, "  {} ({})", parts.join("; "), f.how.word());
    }
    out.push_str(match (exact.complete, varied) {
        (true, false) => "There are no others.\n",
        (true, true) => "There are no others with the parameters of the model.\n",
        (false, _) => "There may be others.\n",
    });
}

fn text(w: &mut Workbench, names: &[String], a: &Answer, differences: &str) -> String {
    let mut out = format!("{}\n\n", w.system.name);
    let closed: Vec<String> = a.closed.iter().map(|&s| symbol(w, s)).collect();
    let _ = writeln!(out, "Closed part: {}", closed.join(", "));
    out += differences;
    let _ = writeln!(out, "Steady motions form a family of dimension {}.", a.dimension);
    if names.is_empty() && !a.initial_is_steady {
        out.push_str("The initial state is not steady: this is a steady motion near it.\n");
    }
    for (s, x) in &a.held {
        let _ = writeln!(out, "Held: {} = {}", symbol(w, *s), significant(*x));
    }
    write_letters(&mut out, w, a, !names.is_empty());
    for m in &a.motions {
        out.push('\n');
        for (name, x) in names.iter().zip(&m.varied) {
            let _ = writeln!(out, "{name} = {}", significant(*x));
        }
        let values: Vec<String> =
            m.values.iter().map(|(s, x)| format!("{} = {}", symbol(w, *s), significant(*x))).collect();
        let _ = writeln!(out, "  {}", values.join(", "));
        let zero = (m.zero > 0).then(|| format!("zero ({})", m.zero));
        let list: Vec<String> = zero.into_iter().chain(m.eigenvalues.iter().skip(m.zero).map(eigenvalue)).collect();
        let _ = writeln!(out, "  eigenvalues {}", list.join(", "));
        let _ = writeln!(out, "  {}", m.stable.word());
    }
    if !a.critical.is_empty() {
        out.push_str("\nCritical values\n");
        for c in &a.critical {
            let at = c.eigenvalue.map_or_else(String::new, |z| format!(" (eigenvalue {})", eigenvalue(&z)));
            let value = if c.value.abs() < 1e-12 { "0".to_owned() } else { brief(c.value, true_digits(c)) };
            let _ = writeln!(out, "  {} = {value}: {}{at}", names[0], c.what.word());
        }
    }
    if let Some(why) = &a.ended {
        let _ = writeln!(out, "\n{why}");
    }
    out
}

/// So many digits of a critical value are known.
fn true_digits(c: &Critical) -> usize {
    let known = (c.value.abs() / c.error).log10().floor();
    if known.is_finite() { known.clamp(1.0, 15.0) as usize } else { 15 }
}

fn csv(w: &Workbench, names: &[String], a: &Answer) -> String {
    let Some(first) = a.motions.first() else { return String::new() };
    let mut head: Vec<String> = names.to_vec();
    head.extend(first.values.iter().map(|(s, _)| w.g.name(*s).to_owned()));
    for i in 1..=first.eigenvalues.len() {
        head.push(format!("re_{i}"));
        head.push(format!("im_{i}"));
    }
    head.push("zero".into());
    head.push("stable".into());
    let mut out = head.join(",") + "\n";
    for m in &a.motions {
        let mut row: Vec<String> = m.varied.iter().map(|&x| crate::words::number(x)).collect();
        row.extend(m.values.iter().map(|(_, x)| crate::words::number(*x)));
        for z in &m.eigenvalues {
            row.push(crate::words::number(z.re));
            row.push(crate::words::number(z.im));
        }
        row.push(m.zero.to_string());
        row.push(m.stable.word().into());
        out += &(row.join(",") + "\n");
    }
    out
}

/// Real and imaginary parts against what is varied; or, over two quantities, where the motion is not unstable.
pub fn plots(w: &Workbench, names: &[String], a: &Answer) -> Vec<Plot> {
    let title = format!("{}: steady motions", w.system.name);
    if let [one, two] = names {
        let mut lines = Vec::new();
        for (word, kind) in [("asymptotic", Stability::Asymptotic), ("marginal", Stability::Marginal)] {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            let mut before: Option<&Motion> = None;
            for m in &a.motions {
                if before.is_some_and(|b| b.varied[0] != m.varied[0] || b.stable != kind) {
                    x.push(f64::NAN);
                    y.push(f64::NAN);
                }
                if m.stable == kind {
                    x.push(m.varied[0]);
                    y.push(m.varied[1]);
                }
                before = Some(m);
            }
            if x.iter().any(|x| x.is_finite()) {
                lines.push((x, Column::new(word, y)));
            }
        }
        let title = format!("{}: where steady motions are stable", w.system.name);
        return vec![Plot { title, across: one.clone(), lines, up_name: two.clone(), equal: false }];
    }
    let across: Vec<f64> = a.motions.iter().map(|m| m.varied[0]).collect();
    let tracks = tracks(&a.motions);
    let plot = |title: String, part: &dyn Fn(&noslip::motions::Complex) -> f64, up: &str| {
        let lines = tracks
            .iter()
            .enumerate()
            .map(|(i, t)| {
                let values: Vec<f64> = t.iter().map(part).collect();
                (across.clone(), Column::new(format!("{up} λ{}", i + 1), values))
            })
            .collect();
        Plot { title, across: names[0].clone(), lines, up_name: String::new(), equal: false }
    };
    vec![
        plot(format!("{title}, real parts of eigenvalues"), &|z| z.re, "re"),
        plot("imaginary parts".into(), &|z| z.im, "im"),
    ]
}

/// Eigenvalues that are not zero throughout, each followed by nearness.
fn tracks(motions: &[Motion]) -> Vec<Vec<noslip::motions::Complex>> {
    let Some(first) = motions.first() else { return Vec::new() };
    let zero = motions.iter().map(|m| m.zero).min().unwrap_or(0);
    let mut tracks: Vec<Vec<_>> = first.eigenvalues.iter().skip(zero).map(|&z| vec![z]).collect();
    for m in &motions[1..] {
        let mut left: Vec<_> = m.eigenvalues.iter().skip(zero).copied().collect();
        for track in &mut tracks {
            let Some(last) = track.last().copied() else { continue };
            let near = |z: &noslip::motions::Complex| (z.re - last.re).hypot(z.im - last.im);
            let Some(i) = (0..left.len()).min_by(|&i, &j| near(&left[i]).total_cmp(&near(&left[j]))) else { continue };
            track.push(left.swap_remove(i));
        }
    }
    tracks
}
