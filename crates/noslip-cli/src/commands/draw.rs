//! `noslip draw`

use crate::failure::Outcome;
use crate::motion::{describe, expect_success, settings, warn_of_negative_inertia, warn_of_tables};
use crate::open::open;
use crate::options::{FormatArgs, ModelArgs, RunArgs, finite};
use crate::output::{expect_extension, expect_place, write_atomically};
use crate::terminal::{say, say_json};
use clap::Args;
use noslip::Error;
use noslip::simulate::{simulate, values_along};
use noslip_cli::answers::Drawn;
use noslip_cli::plot::gif;
use noslip_cli::still::Still;
use std::path::PathBuf;

/// Samples of the motion, for its tracks.
const SAMPLES: usize = 601;

/// The command line.
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip draw rolling-disk                       write rolling-disk.svg
  noslip draw sleigh.toml -o sleigh.png --at 2.5 --set l=0.5
  noslip draw rolling-disk --animate             write rolling-disk.gif")]
pub struct DrawArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// Where to write the picture, .svg, .png or .gif; default: the model's name with .svg
    #[arg(short, long, value_name = "FILE", alias = "out")]
    pub output: Option<PathBuf>,
    /// The moment to draw; default: what the model says, or two fifths of the way
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub at: Option<f64>,
    /// The whole motion, as an animated .gif
    #[arg(long, conflicts_with = "at")]
    pub animate: bool,
    /// End time of the simulated motion
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Width of the picture
    #[arg(long, value_name = "W", default_value = "640", value_parser = clap::value_parser!(u16).range(80..=4000))]
    pub width: u16,
    /// Height of the picture
    #[arg(long, value_name = "H", default_value = "400", value_parser = clap::value_parser!(u16).range(80..=4000))]
    pub height: u16,
    #[command(flatten)]
    pub format: FormatArgs,
}

impl DrawArgs {
    /// How far to run, and how densely.
    pub fn run(&self, samples: usize) -> RunArgs {
        RunArgs { until: self.until, samples: Some(samples), ..RunArgs::default() }
    }
}

/// Draws the model at one moment.
pub fn run(args: &DrawArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let usual = if args.animate { "gif" } else { "svg" };
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{}.{usual}", opened.stem("drawing"))));
    expect_extension(&path, if args.animate { &["gif"] } else { &["svg", "png", "gif"] })?;
    expect_place(&path, &args.model.model)?;
    let picture = opened.picture()?;
    let state = opened.initial_state()?;
    let settings = settings(&args.run(SAMPLES), &mut opened, &state)?;
    let moment = args.at.or(picture.moment());
    let model = &mut opened.model;
    let mut w = model.workbench();
    warn_of_negative_inertia(&mut w, &state)?;
    let run = simulate(&mut w, &state, &settings, &mut |_| true)?;
    warn_of_tables(&w);
    let times: Vec<f64> = run.samples.iter().map(|s| s.t).collect();
    let (Some(first), Some(last)) = (times.first().copied(), times.last().copied()) else {
        return Err(Error::computation(describe(&mut w, &run)).into());
    };
    if let Some(t) = args.at.filter(|t| !(first.min(last)..=first.max(last)).contains(t)) {
        return Err(Error::input(format!("`--at {t}` lies outside the run from t = {first} to {last}"))
            .hint("give a time within it, or another --until")
            .into());
    }
    // Where a motion has found its own, and has not yet run away.
    let moment = moment.unwrap_or(first + 0.4 * (last - first));
    let distance = |i: &usize| (times[*i] - moment).abs();
    let sample = (0..times.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    let columns = values_along(&mut w, &picture.expressions(), &run.samples)?;
    let scene = picture.scene(&columns)?;
    let size = (f64::from(args.width), f64::from(args.height));
    let still = Still { scene: &scene, times: &times, sample, size, title: &w.system.name };
    let picture = match path.extension().and_then(|x| x.to_str()) {
        Some("svg") => still.svg().into_bytes(),
        Some("gif") => animation(&still, (args.width, args.height)),
        _ => still.png(),
    };
    write_atomically(&path, &picture)?;
    let drawn = Drawn { file: path.display().to_string(), bytes: picture.len(), t: times[sample] };
    match args.format.is_json() {
        true => say_json(&drawn),
        false if path.extension().is_some_and(|x| x == "gif") => {
            say(&format!("wrote {}: {} from t = {first} to {last}\n", drawn.file, w.system.name));
        }
        false => say(&format!("wrote {}: {} at t = {}\n", drawn.file, w.system.name, drawn.t)),
    }
    expect_success(&mut w, &run)
}

/// The whole motion: in its own time where that is neither short nor long, some fifteen pictures a second.
fn animation(still: &Still, (width, height): (u16, u16)) -> Vec<u8> {
    let last = still.times.len() - 1;
    let seconds = (still.times[last] - still.times[0]).abs().clamp(3.0, 12.0);
    let count = ((15.0 * seconds) as usize).min(last + 1).max(1);
    let mut picture = |i: usize| Still { sample: i * last / count.max(2).saturating_sub(1), ..*still }.pixels();
    gif::encode(gif::Animation {
        width: usize::from(width),
        height: usize::from(height),
        count,
        delay: (100.0 * seconds / count as f64).round() as u16,
        picture: &mut picture,
    })
}
