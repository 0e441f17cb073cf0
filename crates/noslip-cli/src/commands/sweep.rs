//! `noslip sweep`
//!
//! A family of motions in parts, each a whole file or none. Which process makes which part, with how many threads, on which machine,
//! does not change a byte; run again, it makes what is missing.

use crate::failure::{Failure, Outcome};
use crate::open::{Opened, open};
use crate::options::{FormatArgs, ModelArgs, finite, unknown};
use crate::output::{Columns, expect_outputs, write_atomically};
use crate::parquet::{Column, compressed};
use crate::progress::doing;
use crate::terminal::{complain, say, say_json};
use clap::Args;
use noslip::arrange::Arrange;
use noslip::contact::switching;
use noslip::mechanics::Excursion;
use noslip::model::Overrides;
use noslip::numeric::brief;
use noslip::simulate::sweep::BLOCK;
use noslip::simulate::{Axis, Points, Rows, Sweep, Varied};
use noslip::{Error, Limits};
use noslip_cli::answers::Swept;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

mod picture;

/// `sweep`
#[derive(Args)]
#[command(after_help = "\
Examples:
  noslip sweep rolling-disk --vary theta=0.5:2.5:201 -o tilt
  noslip sweep sleigh.toml --random 100000 --vary a=0.1:0.5 -o cloud
  noslip sweep rolling-disk --vary r=0.2:0.4:3 --at 1,2,5 -o three
  noslip sweep disk.toml --vary theta=1:2:100000 --shards 8 --shard 3 -o d
  noslip sweep suslov --vary I11=1:2:60 --vary I22=1:2:60 -o two --plot map.svg

Writes part-00000.parquet, … and manifest.json into the folder. Run again, it
makes the parts that are missing. A row: what varies, t, the columns, outcome.")]
pub struct SweepArgs {
    #[command(flatten)]
    pub model: ModelArgs,
    /// What varies: a parameter, x, or "x'", from A to B in N values; the last one varies fastest. With --random: NAME=A:B
    #[arg(long = "vary", value_name = "NAME=A:B:N", required = true, allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// So many points at random instead of a grid
    #[arg(long, value_name = "N")]
    pub random: Option<u64>,
    /// Seed of the random points (0)
    #[arg(long, value_name = "S", requires = "random")]
    pub seed: Option<u64>,
    /// End time; the model's own if absent
    #[arg(long, value_name = "T", value_parser = finite, allow_hyphen_values = true)]
    pub until: Option<f64>,
    /// Times to report, separated by commas; without this and --samples, the end alone
    #[arg(long, value_name = "T,T,…", value_delimiter = ',', value_parser = finite, allow_hyphen_values = true)]
    pub at: Vec<f64>,
    /// Number of evenly spaced times, beginning and end included
    #[arg(long, value_name = "N", conflicts_with = "at")]
    pub samples: Option<usize>,
    /// Columns: names, velocities "x'", multipliers `lambda_NAME`, `energy`, expressions; coordinates and velocities if absent
    #[arg(long, value_name = "C,C,…", allow_hyphen_values = true)]
    pub columns: Option<String>,
    /// Relative and absolute tolerance (1e-9)
    #[arg(long, value_name = "R", value_parser = finite, allow_hyphen_values = true)]
    pub tolerance: Option<f64>,
    /// Most steps of one motion
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Into how many shards the parts are dealt (1)
    #[arg(long, value_name = "K", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
    pub shards: u64,
    /// Make the parts of this shard alone, counted from 0; any machine that sees the folder will do
    #[arg(long, value_name = "I")]
    pub shard: Option<u64>,
    /// Threads; all cores if absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub threads: Option<u64>,
    /// Folder to write to
    #[arg(short, long, value_name = "DIR", alias = "output")]
    pub out: PathBuf,
    /// Plot file, .svg or .png, when all parts are there: columns over what varies, level lines over two, or over time
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Most times at which one sweep reports, and rows of one part.
const MOST_TIMES: usize = 100_000;

/// Integrates the family.
pub fn run(args: &SweepArgs) -> Outcome {
    if let Some(shard) = args.shard.filter(|&i| i >= args.shards) {
        return Err(Error::input(format!("`--shard {shard}`: there are {} shards", args.shards))
            .hint("shards are counted from 0; give --shards K as well")
            .into());
    }
    expect_outputs(&args.model.model, None, &[], args.plot.as_ref())?;
    let mut opened = open(&args.model)?;
    let job = Job::new(args, &mut opened)?;
    if args.plot.is_some() {
        picture::expect_plottable(args, &job.sweep, job.points)?;
    }
    std::fs::create_dir_all(&args.out)
        .map_err(|e| Error::input(format!("cannot make the folder `{}`: {e}", args.out.display())))?;
    let listed = job.agree(&args.out)?;
    let mine = |part: u64| args.shard.is_none_or(|shard| part % args.shards == shard);
    let parts = job.sweep.blocks()?;
    let missing: Vec<u64> = (0..parts).filter(|&i| mine(i) && !job.is_there(&args.out, i, &listed)).collect();
    job.make(&opened, args, &missing)?;
    let (done, whole) = job.conclude(&args.out, parts)?;
    match &args.plot {
        Some(path) if whole => picture::write(path, &args.out, &job, &opened.model.system.name)?,
        Some(path) => complain(&format!("warning: parts are missing: `{}` is not written", path.display())),
        None => {}
    }
    if args.format.is_json() {
        say_json(&Swept {
            folder: args.out.display().to_string(),
            points: job.points,
            parts,
            made: missing.len(),
            present: done,
            complete: whole,
        });
    } else {
        let state = if whole { "complete".to_owned() } else { format!("{done} of {parts} parts are there") };
        say(&format!(
            "{} points in {parts} parts, {} made now; {state}: {}\n",
            job.points,
            missing.len(),
            args.out.display()
        ));
    }
    Ok(())
}

/// What is to be done, as the manifest says it.
struct Job {
    sweep: Sweep,
    points: u64,
    names: Vec<String>,
    /// Everything in the manifest but the parts.
    description: Value,
}

impl Job {
    fn new(args: &SweepArgs, opened: &mut Opened) -> Result<Job, Failure> {
        let axes =
            args.vary.iter().map(|text| axis(text, args.random.is_some(), opened)).collect::<Result<Vec<_>, _>>()?;
        let names: Vec<String> = axes.iter().map(|(name, _)| name.clone()).collect();
        if let Some(i) = (0..names.len()).find(|&i| names[..i].contains(&names[i])) {
            return Err(Error::input(format!("`{}` varies twice", names[i])).into());
        }
        let defaults = opened.model.system.simulation.clone();
        let farthest = args.at.iter().copied().fold(None, |m: Option<f64>, t| Some(m.map_or(t, |m| m.max(t))));
        let until = args.until.or(farthest).or(defaults.until.as_ref().map(|x| x.to_f64())).ok_or_else(|| {
            Error::input("no end time").hint("give --until T, or `until` under [simulation] in the model")
        })?;
        let start = start_time(opened)?;
        let at = times(args, start, until)?;
        let columns = match &args.columns {
            Some(_) => Columns::parse(args.columns.as_deref(), opened)?.list().to_vec(),
            None => {
                let system = &opened.model.system;
                let symbols: Vec<_> = system.coordinates.iter().chain(&system.velocities).copied().collect();
                let arena = &mut opened.model.arena;
                symbols.into_iter().map(|s| (arena.name(s).to_owned(), arena.symbol(s))).collect()
            }
        };
        // `t` is there anyway, and so is what varies: a coordinate that varies is reported where it is later.
        let columns: Vec<_> = columns.into_iter().filter(|(name, _)| name != "t").collect();
        let varied =
            names.iter().map(|n| if columns.iter().any(|c| c.0 == *n) { format!("{n}(0)") } else { n.clone() });
        let mut all: Vec<String> = varied.collect();
        all.push("t".into());
        all.extend(columns.iter().map(|c| c.0.clone()));
        all.push("outcome".into());
        let tolerance = args.tolerance.or(defaults.tolerance.as_ref().map(|x| x.to_f64())).unwrap_or(1e-9);
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return Err(Error::input(format!("`--tolerance {tolerance}`: expected a number between 0 and 1")).into());
        }
        let sweep = Sweep {
            axes: axes.into_iter().map(|(_, axis)| axis).collect(),
            points: args.random.map_or(Points::Grid, |n| Points::Random(n, args.seed.unwrap_or(0))),
            at,
            columns: columns.iter().map(|c| c.1).collect(),
            tolerance,
            max_steps: args.max_steps.unwrap_or(Limits::default().steps),
        };
        let points = sweep.points()?;
        expect_room(&sweep, points, all.len())?;
        let vary: Vec<Value> = (names.iter().zip(&sweep.axes))
            .map(|(name, axis)| match args.random {
                Some(_) => json!({"name": name, "from": axis.from, "to": axis.to}),
                None => json!({"name": name, "from": axis.from, "to": axis.to, "count": axis.count}),
            })
            .collect();
        let description = json!({
            "noslip": env!("CARGO_PKG_VERSION"),
            "model": opened.text,
            "model_sha256": hash(opened.text.as_bytes()),
            "set": args.model.set,
            "initial": args.model.initial,
            "vary": vary,
            "random": args.random.map(|n| json!({"points": n, "seed": args.seed.unwrap_or(0)})),
            "at": sweep.at,
            "columns": all,
            "tolerance": sweep.tolerance,
            "max_steps": sweep.max_steps,
            "points": points,
            "points_per_part": BLOCK,
        });
        Ok(Job { sweep, points, names: all, description })
    }

    /// Compares with the manifest that is there, or writes one; returns the parts it lists.
    fn agree(&self, folder: &Path) -> Result<Vec<Value>, Failure> {
        let path = folder.join("manifest.json");
        let Ok(text) = std::fs::read_to_string(&path) else {
            if (std::fs::read_dir(folder).ok().into_iter().flatten().flatten())
                .any(|f| f.file_name().to_string_lossy().starts_with("part-"))
            {
                return Err(Error::input(format!("`{}` has parts but no manifest", folder.display()))
                    .hint("give another folder")
                    .into());
            }
            self.write_manifest(folder, Vec::new())?;
            return Ok(Vec::new());
        };
        let wrong = |what: String| {
            let message = format!("`{}` {what}", path.display());
            Failure::from(Error::input(message).hint("give another folder, or the options of that sweep"))
        };
        let Ok(mut there) = serde_json::from_str::<Value>(&text) else { return Err(wrong("is not JSON".into())) };
        let parts = there.as_object_mut().and_then(|m| m.remove("parts"));
        let ours = self.description.as_object();
        for (key, value) in ours.into_iter().flatten() {
            if there.get(key) != Some(value) {
                return Err(wrong(format!("is of another sweep: `{key}` differs")));
            }
        }
        Ok(parts.and_then(|p| p.as_array().cloned()).unwrap_or_default())
    }

    fn write_manifest(&self, folder: &Path, parts: Vec<Value>) -> Outcome {
        let mut manifest = self.description.clone();
        manifest["parts"] = Value::Array(parts);
        write_atomically(&folder.join("manifest.json"), format!("{manifest:#}\n").as_bytes())
    }

    /// Is the part there, and as the manifest says where it says something?
    fn is_there(&self, folder: &Path, part: u64, listed: &[Value]) -> bool {
        let path = folder.join(file_name(part));
        let expected = listed.iter().find(|p| p["file"] == file_name(part).as_str());
        match (expected, path.is_file()) {
            (_, false) => false,
            (None, true) => true,
            (Some(expected), true) => {
                let same = std::fs::read(&path).is_ok_and(|bytes| expected["sha256"] == hash(&bytes).as_str());
                if !same {
                    complain(&format!("warning: `{}` is not what the manifest says: it is made again", path.display()));
                }
                same
            }
        }
    }

    /// Makes the parts, on all threads.
    fn make(&self, opened: &Opened, args: &SweepArgs, missing: &[u64]) -> Outcome {
        let threads = args.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            |n| usize::try_from(n).unwrap_or(1),
        );
        let threads = threads.min(missing.len());
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let failure: Mutex<Option<Failure>> = Mutex::new(None);
        let left: Mutex<Vec<Excursion>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let work = || -> Outcome {
                        let mut sweeper = switching::sweeper(opened.model.workbench(), &self.sweep)?;
                        while !failed.load(Ordering::Relaxed) {
                            let turn = next.fetch_add(1, Ordering::Relaxed);
                            let Some(&part) = missing.get(turn) else { break };
                            let rows = sweeper.block(part)?;
                            let path = args.out.join(file_name(part));
                            // Another run may be making the same parts: whoever is first, the bytes are the same.
                            if let Err(e) = write_atomically(&path, &self.table(&rows, part))
                                && !path.is_file()
                            {
                                return Err(e);
                            }
                            doing(format!("sweep: {} of {} parts", turn + 1, missing.len()));
                        }
                        left.lock().unwrap_or_else(PoisonError::into_inner).extend(sweeper.excursions());
                        Ok(())
                    };
                    if let Err(e) = work() {
                        failed.store(true, Ordering::Relaxed);
                        failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
                    }
                });
            }
        });
        warn_of_tables(left.into_inner().unwrap_or_else(PoisonError::into_inner));
        failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    /// A part as Parquet.
    fn table(&self, rows: &Rows, part: u64) -> Vec<u8> {
        let mut columns: Vec<Column> = rows.varied.iter().map(|c| Column::Doubles(c)).collect();
        columns.push(Column::Doubles(&rows.t));
        columns.extend(rows.values.iter().map(|c| Column::Doubles(c)));
        columns.push(Column::Texts(&rows.outcome));
        let mut metadata: Vec<(String, String)> = vec![("noslip.part".into(), part.to_string())];
        for (key, value) in self.description.as_object().into_iter().flatten() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let key = if key == "noslip" { "noslip.version".to_owned() } else { format!("noslip.{key}") };
            metadata.push((key, text));
        }
        compressed(&self.names, &columns, &metadata)
    }

    /// Lists in the manifest what is there now. How many parts, and are these all?
    fn conclude(&self, folder: &Path, parts: u64) -> Result<(u64, bool), Failure> {
        let mut listed = Vec::new();
        for part in 0..parts {
            let Ok(bytes) = std::fs::read(folder.join(file_name(part))) else { continue };
            let points = BLOCK.min(self.points - part * BLOCK);
            let rows = points * self.sweep.at.len() as u64;
            listed.push(json!({"file": file_name(part), "rows": rows, "sha256": hash(&bytes)}));
        }
        let done = listed.len() as u64;
        if let Err(e) = self.write_manifest(folder, listed)
            && !(done == parts && self.agree(folder)?.len() as u64 == parts)
        {
            return Err(e);
        }
        if done == parts {
            // What killed runs left behind. Where parts are missing, others may be writing theirs; a manifest of all parts is
            // the same whoever writes it.
            for file in std::fs::read_dir(folder).ok().into_iter().flatten().flatten() {
                let name = file.file_name().to_string_lossy().into_owned();
                if (name.starts_with(".part-") || name.starts_with(".manifest.")) && name.ends_with(".tmp") {
                    let _ = std::fs::remove_file(file.path());
                }
            }
        }
        Ok((done, done == parts))
    }
}

/// Says which tables some motion left, and when the first did, whichever thread had it.
fn warn_of_tables(mut left: Vec<Excursion>) {
    let key = |e: &Excursion| (e.table.clone(), e.argument.clone());
    left.arrange_by(|a, b| key(a).cmp(&key(b)).then(a.t.total_cmp(&b.t)));
    left.dedup_by(|b, a| a.is_of(b));
    for e in left {
        let ([first, last], t) = (e.data.map(|x| brief(x, 6)), brief(e.t, 6));
        complain(&format!(
            "warning: in some of the motions the argument `{}` of table `{}` has left its data, {first} … {last}, by t = {t}: beyond \
             them the table goes on with its last slope",
            e.argument, e.table
        ));
    }
}

/// Parts that a folder can hold, and numbers that a part can: eight bytes each, some times over while it is written.
const MOST_PARTS: u64 = 1_000_000;
const MOST_NUMBERS: u64 = 50_000_000;

/// Refuses what would not fit before it is begun.
fn expect_room(sweep: &Sweep, points: u64, columns: usize) -> Outcome {
    let parts = points.div_ceil(BLOCK);
    if parts > MOST_PARTS {
        return Err(Error::limit(format!("{points} points are {parts} parts, more than the {MOST_PARTS} of a folder"))
            .hint("give fewer points, or sweep pieces of the range into several folders")
            .into());
    }
    let numbers = BLOCK.min(points).saturating_mul(sweep.at.len() as u64).saturating_mul(columns as u64);
    if numbers > MOST_NUMBERS {
        return Err(Error::limit(format!(
            "a part would have {numbers} numbers, more than the limit of {MOST_NUMBERS}"
        ))
        .hint("give fewer times or columns")
        .into());
    }
    Ok(())
}

fn file_name(part: u64) -> String {
    format!("part-{part:05}.parquet")
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// Reads `NAME=A:B:N`, or `NAME=A:B` where points are random.
fn axis(text: &str, random: bool, opened: &Opened) -> Result<(String, Axis), Failure> {
    let form = if random { "NAME=A:B" } else { "NAME=A:B:N" };
    let wrong = |what: &str| Failure::from(Error::input(format!("`--vary {text}`: {what}")));
    let (name, range) = text.split_once('=').ok_or_else(|| wrong(&format!("expected {form}")))?;
    let name = name.trim();
    let parts: Vec<&str> = range.split(':').map(str::trim).collect();
    let (from, to, count) = match (&parts[..], random) {
        ([from, to], true) => (from, to, 1),
        ([from, to, count], false) => {
            let count = count.parse::<u64>().ok().filter(|n| *n > 0);
            (from, to, count.ok_or_else(|| wrong("the number of values is a whole number greater than zero"))?)
        }
        ([_, _, _], true) => return Err(wrong("points are random, so no number of values is needed: NAME=A:B")),
        _ => return Err(wrong(&format!("expected {form}"))),
    };
    let number = |x: &str| finite(x).map_err(|e| wrong(&format!("`{x}`: {e}")));
    let (from, to) = (number(from)?, number(to)?);
    let system = &opened.model.system;
    let arena = &opened.model.arena;
    let parameter = system.parameters.iter().find(|p| arena.name(p.symbol) == name);
    let coordinate = |plain: &str| system.coordinates.iter().position(|&s| arena.name(s) == plain);
    let varied = match (parameter, name.strip_suffix('\'')) {
        (Some(p), _) => Some(Varied::Parameter(p.symbol)),
        (None, Some(plain)) => coordinate(plain).map(Varied::Velocity),
        (None, None) => coordinate(name).map(Varied::Position),
    };
    let varied = varied.ok_or_else(|| {
        let known = system.parameters.iter().map(|p| p.symbol).chain(system.coordinates.iter().copied());
        let known: Vec<&str> = known.chain(system.velocities.iter().copied()).map(|s| arena.name(s)).collect();
        unknown(&format!("`--vary {text}`: "), "parameter or initial value", name, &known)
    })?;
    Ok((name.to_owned(), Axis { varied, from, to, count }))
}

/// The time at which all motions begin.
fn start_time(opened: &mut Opened) -> Result<f64, Failure> {
    let Some(initial) = opened.model.system.initial.clone() else { return Ok(0.0) };
    let values = opened.model.system.values(&opened.model.arena, &Overrides::default().parameters)?;
    let evaluator = noslip::expr::Evaluator::new(&opened.model.arena, &[initial.time]);
    Ok(values.evaluate(&evaluator)[0])
}

/// The times to report, in the order of the run.
fn times(args: &SweepArgs, start: f64, until: f64) -> Result<Vec<f64>, Failure> {
    if until == start {
        return Err(Error::input(format!("the motions begin and end at t = {start}"))
            .hint("give another --until")
            .into());
    }
    let mut at = match args.samples {
        Some(n) if !(2..=MOST_TIMES).contains(&n) => {
            return Err(Error::input(format!("{n} samples: expected a number between 2 and {MOST_TIMES}")).into());
        }
        Some(n) => (0..n)
            .map(|i| if i + 1 == n { until } else { start + (until - start) * i as f64 / (n - 1) as f64 })
            .collect(),
        None if args.at.is_empty() => vec![until],
        None => args.at.clone(),
    };
    if let Some(t) = at.iter().find(|&&t| t < start.min(until) || t > start.max(until)) {
        return Err(Error::input(format!("`--at {t}` lies outside the run from t = {start} to {until}"))
            .hint("give another --until, or leave this time out")
            .into());
    }
    if until >= start {
        at.arrange_by(f64::total_cmp)
    } else {
        at.arrange_by(|a, b| b.total_cmp(a))
    }
    at.dedup();
    Ok(at)
}
