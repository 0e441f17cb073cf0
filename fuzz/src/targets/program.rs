//! The program as a whole, in this process and without a disk: options that may be nonsense, and the files it writes.

use super::Reached::{Answered, Refused};
use super::{Trial, WORDS};
use crate::random::Random;
use noslip::Control;
use noslip_cli::parquet::{Read as Column, read};
use noslip_cli::{Answer, Files, answer_with_files};
use std::panic::catch_unwind;

/// Small systems, so that a trial takes milliseconds.
const MODELS: [&str; 6] =
    ["chaplygin-sledge", "rolling-disk", "appell-hamel", "dumbbell", "nonholonomic-particle", "knife-edge-on-incline"];

/// Options as somebody may write them, before they are changed.
const OPTIONS: [(&str, &[&str]); 14] = [
    ("--set", &["m=2", "m=1/3", "m=1e300", "m=-1", "g=0", "nothing=1", "m=pi"]),
    ("--initial", &["x=1", "x'=2", "x=pi/6", "t=0", "x'=1e-300", "y=nan", "y=1e300"]),
    ("--stop", &["x = 1", "x - 1/2", "energy", "x' = 0", "t", "lambda_1 = 0"]),
    ("--columns", &["t,x,y", "x:y", "energy,x'^2", "lambda_1", "sin(phi)", "x''", "1/0", "x,x"]),
    ("--until", &["1", "0.01", "1e9", "-1", "inf"]),
    ("--at", &["0,0.1", "0.5", "1,0.5", "0,0,0", "1e-320"]),
    ("--samples", &["3", "1", "0", "11", "-2", "1000000000000"]),
    ("--tolerance", &["1e-9", "0", "1e-30", "1", "-1e-3"]),
    ("--method", &["dop853", "taylor", "implicit", "dla", "euler"]),
    ("--step", &["0.01", "0", "1e-12", "-1"]),
    ("--max-steps", &["100", "0", "1"]),
    ("--grip", &[]),
    ("--format", &["json", "text", "xml"]),
    ("--effort", &["low", "normal", "none"]),
];

/// What the program answers; a panic is told with what was asked.
fn asked(arguments: &[String], model: &str) -> Result<Answer, String> {
    let text = noslip_gallery::find(model).unwrap_or("noslip = 1");
    let files = Files::from([("model.toml".to_owned(), text.as_bytes().to_vec())]);
    catch_unwind(|| answer_with_files(arguments, files, Control::default()))
        .map_err(|_| format!("{arguments:?} of {model}: panicked"))
}

/// Whatever the options are, there is an answer or a refusal with words, and JSON is JSON.
pub fn options(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let model = *random.pick(&MODELS);
    let command = *random.pick(&["simulate", "simulate", "simulate", "check", "linearise", "steady", "grip", "draw"]);
    let mut arguments: Vec<String> = ["noslip", command, "model.toml"].map(str::to_owned).into();
    if command == "simulate" {
        // What is not given below keeps a trial short.
        arguments.extend(["--until", "0.5"].map(str::to_owned));
    }
    // Other commands know the first two and the last two.
    let known = |i: usize| command == "simulate" || !(2..OPTIONS.len() - 2).contains(&i);
    for _ in 0..=random.below(3) {
        let at = random.below(OPTIONS.len());
        let (option, values) = &OPTIONS[if known(at) { at } else { at % 2 }];
        arguments.push((*option).to_owned());
        if let Some(value) = (!values.is_empty()).then(|| *random.pick(values)) {
            arguments.push(match random.below(3) {
                0 => random.mutated(value, &WORDS),
                1 => random.respelled(value),
                _ => value.to_owned(),
            });
        }
    }
    // An end far away is what was asked for.
    let bounded = ["--max-steps", "2000"].map(str::to_owned);
    if command == "simulate" && !arguments.iter().any(|a| a == "--max-steps") {
        arguments.extend(bounded);
    }
    let answer = asked(&arguments, model)?;
    let complaint = |what: &str| Err(format!("{arguments:?} of {model}: {what}: {answer:?}"));
    match answer.status {
        0 => {}
        // A negative answer is an answer.
        1 if !answer.output.is_empty() => {}
        1..=3 if answer.errors.trim().is_empty() => return complaint("refused without a word"),
        1..=3 => return Ok(Refused),
        _ => return complaint("a status nobody promised"),
    }
    if answer.output.lines().any(|line| line.chars().count() > 2000 && !line.contains("<svg")) {
        return complaint("a line nobody reads to its end");
    }
    let json = arguments.windows(2).any(|pair| pair[0] == "--format" && pair[1] == "json");
    if json && serde_json::from_str::<serde_json::Value>(&answer.output).is_err() {
        return complaint("no JSON");
    }
    Ok(Answered)
}

/// The same motion in three formats: the same numbers to the last bit, whatever the columns are.
pub fn files(seed: u64) -> Trial {
    let mut random = Random::new(seed);
    let model = *random.pick(&MODELS);
    let mut columns = vec!["t".to_owned()];
    for _ in 0..=random.below(4) {
        columns.push(random.expression(&["t", "t^2", "1/t", "log(t)", "energy"], 2));
    }
    columns.sort();
    columns.dedup();
    let (samples, until) = ((2 + random.below(40)).to_string(), format!("{}", 0.1 + random.unit().abs()));
    let table = |extension: &str| -> Result<Option<Vec<u8>>, String> {
        let out = format!("out.{extension}");
        let list = columns.join(",");
        let fixed = ["noslip", "simulate", "model.toml", "--until", &until, "--samples", &samples];
        let arguments: Vec<String> =
            fixed.into_iter().chain(["--columns", &list, "-o", &out]).map(str::to_owned).collect();
        let mut answer = asked(&arguments, model)?;
        match answer.status {
            0 | 3 => answer.files.remove(&out).map(Some).ok_or_else(|| format!("{out} is missing: {answer:?}")),
            _ if answer.files.is_empty() => Ok(None),
            _ => Err(format!("refused, and {out} is written: {answer:?}")),
        }
    };
    let (Some(csv), Some(parquet), Some(json)) = (table("csv")?, table("parquet")?, table("json")?) else {
        return Ok(Refused);
    };
    let wrong = |what: String| format!("{columns:?} of {model}: {what}");
    let (from_parquet, _) = read(&parquet).map_err(wrong)?;
    let from_csv = comma_separated(&csv).map_err(wrong)?;
    let from_json = named_lists(&json).map_err(wrong)?;
    if from_parquet.len() != columns.len() {
        return Err(wrong(format!("{} columns", from_parquet.len())));
    }
    for (name, column) in &from_parquet {
        let Column::Doubles(bits) = column else { return Err(wrong(format!("{name} is no column of numbers"))) };
        for (format, other) in [("CSV", &from_csv), ("JSON", &from_json)] {
            let Some((_, list)) = other.iter().find(|c| c.0 == *name) else {
                return Err(wrong(format!("{format} lacks {name}")));
            };
            // JSON has no word for what is not finite.
            let same = |(a, b): (&u64, &f64)| *a == b.to_bits() || !f64::from_bits(*a).is_finite() && b.is_nan();
            if list.len() != bits.len() || !bits.iter().zip(list).all(same) {
                return Err(wrong(format!("{name} in {format} is {list:?}, in Parquet {bits:?}")));
            }
        }
    }
    Ok(Answered)
}

type Named = Vec<(String, Vec<f64>)>;

fn comma_separated(file: &[u8]) -> Result<Named, String> {
    let text = std::str::from_utf8(file).map_err(|e| e.to_string())?;
    let mut lines = text.lines().map(cells);
    let names = lines.next().ok_or("an empty file")?;
    let mut columns: Named = names.into_iter().map(|name| (name, Vec::new())).collect();
    for line in lines {
        if line.len() != columns.len() {
            return Err(format!("a line of {} cells", line.len()));
        }
        for (column, cell) in columns.iter_mut().zip(line) {
            let number = if cell.is_empty() { Ok(f64::NAN) } else { cell.parse::<f64>() };
            column.1.push(number.map_err(|e| format!("`{cell}`: {e}"))?);
        }
    }
    Ok(columns)
}

/// The cells of a line; quotes enclose commas, and two of them stand for one.
fn cells(line: &str) -> Vec<String> {
    let (mut list, mut quoted, mut cell) = (Vec::new(), false, String::new());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.push(chars.next().unwrap_or('"')),
            '"' => quoted = !quoted,
            ',' if !quoted => list.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    list.push(cell);
    list
}

fn named_lists(file: &[u8]) -> Result<Named, String> {
    let value: serde_json::Value = serde_json::from_slice(file).map_err(|e| e.to_string())?;
    let columns = value.get("columns").and_then(|c| c.as_object()).ok_or("no columns")?;
    let number = |x: &serde_json::Value| x.as_f64().unwrap_or(f64::NAN);
    Ok(columns
        .iter()
        .map(|(name, list)| (name.clone(), list.as_array().into_iter().flatten().map(number).collect()))
        .collect())
}
