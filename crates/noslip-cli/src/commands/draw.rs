//! `noslip draw`

use super::simulate::{describe, initial_state, settings};
use super::{say, say_json};
use crate::args::{DrawArgs, Format};
use crate::failure::{Failure, Outcome};
use crate::open::open;
use crate::output::{expect_extension, expect_folder, write_atomically};
use crate::picture::Picture;
use noslip::simulate::{simulate, values_along};
use noslip_cli::still::Still;
use serde_json::json;
use std::path::PathBuf;

/// Samples of the motion, for its tracks.
const SAMPLES: usize = 601;

/// Draws the model at one moment.
pub fn run(args: &DrawArgs) -> Outcome {
    let mut opened = open(&args.model)?;
    let path = args.output.clone().unwrap_or_else(|| {
        let stem = PathBuf::from(&opened.name).file_stem().map(|s| s.to_string_lossy().into_owned());
        PathBuf::from(format!("{}.svg", stem.filter(|s| s != "<stdin>").unwrap_or_else(|| "drawing".into())))
    });
    expect_extension(&path, &["svg", "png"])?;
    expect_folder(&path)?;
    let picture = Picture::of(&mut opened)?;
    let state = initial_state(&mut opened)?;
    let settings = settings(&args.run(SAMPLES), &mut opened, &state)?;
    let moment = args.at.or(picture.moment());
    let model = &mut opened.model;
    let mut w = model.workbench();
    let run = simulate(&mut w, &state, &settings, &mut |_| true)?;
    let times: Vec<f64> = run.samples.iter().map(|s| s.t).collect();
    let (Some(first), Some(last)) = (times.first().copied(), times.last().copied()) else {
        return Err(Failure::computation(format!("error: {}", describe(&mut w, &run))));
    };
    if let Some(t) = args.at.filter(|t| !(first.min(last)..=first.max(last)).contains(t)) {
        return Err(Failure::input(format!(
            "error: `--at {t}` lies outside the run from t = {first} to {last}\n  = help: give a time within it, or another --until"
        )));
    }
    // Where a motion has found its own, and has not yet run away.
    let moment = moment.unwrap_or(first + 0.4 * (last - first));
    let distance = |i: &usize| (times[*i] - moment).abs();
    let sample = (0..times.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0);
    let columns = values_along(&mut w, &picture.expressions(), &run.samples)?;
    let scene = picture.scene(&columns)?;
    let size = (f64::from(args.width), f64::from(args.height));
    let still = Still { scene: &scene, times: &times, sample, size, title: &w.system.name };
    let svg = path.extension().is_some_and(|x| x == "svg");
    let picture = if svg { still.svg().into_bytes() } else { still.png() };
    write_atomically(&path, &picture)?;
    match args.format {
        Format::Json => {
            say_json(&json!({"file": path.display().to_string(), "bytes": picture.len(), "t": times[sample]}));
        }
        Format::Text => say(&format!("wrote {}: {} at t = {}\n", path.display(), w.system.name, times[sample])),
    }
    if run.outcome.is_success() {
        Ok(())
    } else {
        Err(Failure::computation(format!("error: {}", describe(&mut w, &run))))
    }
}
