//! `sweep`: families of motions, whole parts, the same bytes however they are made.

use crate::program::{Folder, noslip};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Some parts: a block has 4096 points.
const GRID: [&str; 8] =
    ["sweep", "chaplygin-sledge", "--vary", "phi=0:3:90", "--vary", "phi'=-1:1:100", "--until", "0.5"];

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let list = std::fs::read_dir(folder).expect("a folder").map(|f| f.expect("a file").path());
    list.map(|p| (p.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read(&p).expect("its bytes")))
        .collect()
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads_and_shards() {
    let f = Folder::new();
    let sweep = |more: &[&str]| f.run(&[&GRID[..], more].concat());
    assert_eq!(sweep(&["-o", "one", "--threads", "1"]).status, 0);
    assert_eq!(sweep(&["-o", "two", "--threads", "2"]).status, 0);
    let one = files(&f.path("one"));
    assert_eq!(one.len(), 4, "three parts and the manifest: {:?}", one.keys());
    assert!(one == files(&f.path("two")));
    for shard in ["2", "0"] {
        assert_eq!(sweep(&["-o", "dealt", "--shards", "3", "--shard", shard]).status, 0);
    }
    assert_eq!(files(&f.path("dealt")).len(), 3, "one part is still missing");
    let last = sweep(&["-o", "dealt", "--shards", "3", "--shard", "1", "--format", "json"]).json("sweep");
    assert_eq!(last["complete"], true);
    assert!(one == files(&f.path("dealt")));
}

#[test]
fn what_is_missing_or_broken_is_made_again() {
    let f = Folder::new();
    let sweep = |more: &[&str]| f.run(&[&GRID[..], more].concat());
    assert_eq!(sweep(&["-o", "d"]).status, 0);
    let whole = files(&f.path("d"));
    std::fs::remove_file(f.path("d").join("part-00001.parquet")).expect("it is there");
    std::fs::write(f.path("d").join("part-00002.parquet"), b"PAR1").expect("it can be written");
    std::fs::write(f.path("d").join(".part-00001.parquet.1.tmp"), b"half").expect("it can be written");
    let again = sweep(&["-o", "d", "--format", "json"]);
    assert!(again.err.contains("is not what the manifest says"), "{}", again.err);
    assert_eq!(again.json("sweep")["made"], 2);
    assert!(whole == files(&f.path("d")));
}

#[test]
fn the_manifest_says_what_was_swept_and_another_sweep_is_refused() {
    let f = Folder::new();
    assert_eq!(f.run(&[&GRID[..], &["-o", "d"]].concat()).status, 0);
    let manifest: Value = serde_json::from_slice(&files(&f.path("d"))["manifest.json"]).expect("JSON");
    assert_eq!(manifest["points"], 9000);
    assert_eq!(manifest["columns"][0], "phi(0)");
    assert_eq!(manifest["vary"][1]["to"], 1.0);
    let rows: u64 = manifest["parts"].as_array().expect("a list").iter().filter_map(|p| p["rows"].as_u64()).sum();
    assert_eq!(rows, 9000);
    let other = f.run(&[&GRID[..], &["-o", "d", "--tolerance", "1e-6"]].concat());
    assert_eq!(other.status, 2);
    assert!(other.err.contains("`tolerance` differs"), "{}", other.err);
}

/// What a reader of Parquet finds, by pyarrow where it is installed: otherwise there is nothing to check here.
#[test]
fn pyarrow_reads_the_rows_that_simulate_computes() {
    let f = Folder::new();
    let run = f.run(&[
        "sweep",
        "rolling-disk",
        "--random",
        "50",
        "--seed",
        "7",
        "--vary",
        "theta=0.8:1.4",
        "--vary",
        "r=0.2:0.5",
        "--at",
        "1,2",
        "--columns",
        "theta,psi',lambda_u4,energy",
        "-o",
        "d",
    ]);
    assert_eq!(run.status, 0, "{}", run.err);
    let script = "import json, sys, pyarrow.parquet as p\n\
                  t = p.read_table('part-00000.parquet')\n\
                  m = p.read_metadata('part-00000.parquet').metadata\n\
                  assert b'noslip.model' in m and b'noslip.model_sha256' in m\n\
                  print(json.dumps({'names': t.schema.names, 'rows': t.to_pylist()}))";
    let python = std::env::var("NOSLIP_PYTHON").unwrap_or_else(|_| "python3".into());
    let output = std::process::Command::new(python).args(["-c", script]).current_dir(f.path("d")).output();
    let Ok(output) = output else { return };
    if String::from_utf8_lossy(&output.stderr).contains("No module named 'pyarrow'") {
        return;
    }
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        table["names"],
        serde_json::json!(["theta(0)", "r", "t", "theta", "psi'", "lambda_u4", "energy", "outcome"])
    );
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 100);
    for row in rows.iter().step_by(23) {
        let text = |x: &Value| x.as_f64().expect("a number").to_string();
        let (theta, r) = (format!("theta={}", text(&row["theta(0)"])), format!("r={}", text(&row["r"])));
        let at = text(&row["t"]);
        let alone = noslip(&[
            "simulate",
            "rolling-disk",
            "--initial",
            &theta,
            "--set",
            &r,
            "--at",
            &at,
            "--until",
            "2",
            "--format",
            "json",
        ]);
        let alone = alone.json("simulate");
        let expected = alone["samples"][0]["q"]["theta"].as_f64().expect("a number");
        assert!((row["theta"].as_f64().expect("a number") - expected).abs() < 1e-7, "{row} against {expected}");
        let lambda = alone["samples"][0]["multipliers"]["u4"].as_f64().expect("a number");
        assert!((row["lambda_u4"].as_f64().expect("a number") - lambda).abs() < 1e-6, "{row} against {lambda}");
        assert_eq!(row["outcome"], "finished");
    }
}

/// Every option of a run has its effect on the rows or on the outcome.
#[test]
fn a_sweep_is_sampled_and_bounded_as_asked() {
    let f = Folder::new();
    let ask = |more: &[&str]| {
        f.run(
            &[&["sweep", "chaplygin-sledge", "--vary", "phi=0:3:4", "--until", "0.5", "--format", "json"], more]
                .concat(),
        )
    };
    assert_eq!(ask(&["--out", "s", "--samples", "3", "--tolerance", "1e-7"]).json("sweep")["points"], 4);
    let manifest = std::fs::read_to_string(f.path("s").join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    assert_eq!(manifest["parts"][0]["rows"], 12);
    assert_eq!(ask(&["--out", "short", "--max-steps", "1", "--effort", "low"]).status, 0);
}

#[test]
fn a_sweep_is_drawn_when_all_of_it_is_there() {
    let f = Folder::new();
    // φ' of a free rotation is what it was: its level lines over (φ, φ') are at the round values of φ'.
    let wheel = "noslip = 1\n[system]\nname = \"wheel\"\ncoordinates = [\"phi\"]\n[energy]\nkinetic = \"phi'^2/2\"\n\
                 [initial]\nposition = { phi = 0 }\nvelocity = { phi = 1 }\n";
    f.write("wheel.toml", wheel);
    let two = ["sweep", "wheel.toml", "--vary", "phi=0:1:5", "--vary", "phi'=0:4:9", "--until", "2"];
    let map = [&two[..], &["--columns", "phi'", "-o", "two", "--plot", "map.svg"]].concat();
    assert_eq!(f.run(&map).status, 0);
    let drawn = f.read("map.svg");
    for word in ["wheel: phi' at t = 2", ">1.0<", ">2.0<", ">3.0<"] {
        assert!(drawn.contains(word), "{word}: {drawn}");
    }
    // Motions over time, and ends over what varies.
    let one = ["sweep", "wheel.toml", "--vary", "phi'=0:4:9", "--until", "2", "--columns", "phi"];
    assert_eq!(f.run(&[&one[..], &["--samples", "5", "-o", "times", "--plot", "times.svg"]].concat()).status, 0);
    assert!(f.read("times.svg").contains("phi' = 4"), "{}", f.read("times.svg"));
    assert_eq!(f.run(&[&one[..], &["-o", "ends", "--plot", "ends.svg"]].concat()).status, 0);
    assert!(f.read("ends.svg").contains("wheel: phi at t = 2"));
    // Another shard is still to come.
    let part = [&GRID[..], &["-o", "part", "--shards", "3", "--shard", "0", "--plot", "part.svg"]].concat();
    let told = f.run(&part);
    assert_eq!(told.status, 0);
    assert!(told.err.contains("parts are missing"), "{}", told.err);
    assert!(!f.path("part.svg").exists());
}
