//! `noslip export`

use crate::models::sleigh;
use crate::program::{Folder, noslip};
use std::process::Command;

/// Whether a program ran well; `None` where it is not installed.
fn ran(program: &str, folder: &Folder, arguments: &[&str]) -> Option<bool> {
    Command::new(program).args(arguments).current_dir(folder.path(".")).status().ok().map(|s| s.success())
}

#[test]
fn exported_code_lists_inputs_and_outputs_and_passes_its_own_test() {
    let folder = sleigh();
    let v = folder.run(&["export", "sleigh.toml", "--format", "json"]).json("export");
    assert_eq!(v["inputs"], serde_json::json!(["t", "x", "y", "phi", "x'", "y'", "phi'"]));
    assert_eq!(v["outputs"], serde_json::json!(["x''", "y''", "phi''", "lambda_knife_edge", "growth"]));
    let source = folder.read("sleigh.c");
    assert!(source.starts_with("/* sleigh: accelerations") && source.contains("void sleigh_motion("), "{source}");
    for model in ["sleigh.toml", "rolling-disk", "fluid-flywheel-measured", "bead-with-redundant-constraints"] {
        folder.run(&["export", model, "-o", "m.c"]).fine();
        folder.run(&["export", model, "-o", "m.rs"]).fine();
        let c = ["-std=c99", "-Wall", "-Wno-unused", "-Werror", "-DSELF_TEST", "-o", "m", "m.c", "-lm"];
        match ran("cc", &folder, &c) {
            Some(compiled) => assert!(compiled && ran("./m", &folder, &[]) == Some(true), "{model}"),
            None => eprintln!("no C compiler here: not compiled"),
        }
        folder.run(&["export", model, "-o", "m.js"]).fine();
        match ran("node", &folder, &["m.js"]) {
            Some(passed) => assert!(passed, "{model}"),
            None => eprintln!("no node here: not run"),
        }
        let rust = ["--test", "--edition=2021", "-Awarnings", "-o", "r", "m.rs"];
        assert_eq!(ran("rustc", &folder, &rust), Some(true), "{model}");
        assert_eq!(ran("./r", &folder, &["--quiet"]), Some(true), "{model}");
    }
}

#[test]
fn a_hostile_name_cannot_leave_the_comment() {
    let folder = sleigh();
    let text = folder.read("sleigh.toml").replacen("name = \"sleigh\"", "name = \"*/ int evil; /* \\n evil\"", 1);
    folder.write("1;evil.toml", &text);
    folder.run(&["export", "1;evil.toml", "-o", "m.c"]).fine();
    let source = folder.read("m.c");
    assert!(source.starts_with("/* * / int evil; /*") && source.contains("void model_1_evil_motion("), "{source}");
    assert!(source.lines().all(|l| l.trim() != "evil"));
}

#[test]
fn what_cannot_be_exported_is_refused() {
    let folder = sleigh();
    folder.run(&["export", "sleigh.toml", "-o", "m.f90"]).refuses(2, &["m.f90", ".fmu"]);
    folder.run(&["export", "sleigh.toml", "-o", "no/m.c"]).refuses(2, &["there is no folder `no`"]);
    noslip(&["export", "nothing-of-the-kind"]).refuses(2, &["neither a file nor a gallery model"]);
}

#[test]
fn open_parameters_are_inputs() {
    let folder = Folder::new();
    let v = folder.run(&["export", "rolling-disk", "-o", "m.c", "--open", "r,m", "--format", "json"]).json("export");
    let inputs: Vec<&str> = v["inputs"].as_array().expect("a list").iter().filter_map(|x| x.as_str()).collect();
    assert_eq!(inputs[11..], ["r", "m"]);
    let all = folder.run(&["export", "rolling-disk", "-o", "m.rs", "--open", "all", "--format", "json"]).json("export");
    assert_eq!(all["inputs"].as_array().map(Vec::len), Some(15));
    assert!(folder.read("m.rs").contains("All parameters are inputs."));
    folder.run(&["export", "rolling-disk", "-o", "m.mo"]).fine();
    let modelica = folder.read("m.mo");
    assert!(modelica.starts_with("model rolling_disk ") && modelica.trim_end().ends_with("end rolling_disk;"));
    assert!(modelica.contains("  parameter Real r = 0.6;\n") && modelica.contains("  der(theta) = theta_v;\n"));
}

#[test]
fn names_that_mean_something_else_in_modelica_are_changed() {
    let text = "noslip = 1\n[system]\nname = \"m\"\ncoordinates = [\"time\", \"x\", \"x_v\", \"v12\"]\n[parameters]\nend = 2\n\
                [energy]\nkinetic = \"(time'^2 + x'^2 + x_v'^2 + v12'^2)/2\"\npotential = \"end*x^2*v12\"\n\
                [constraints]\ninitial = \"time' = x*x_v'\"\n[initial]\ntime = 3\n";
    let folder = Folder::with("model.toml", text);
    folder.run(&["export", "model.toml", "-o", "model.mo"]).fine();
    let modelica = folder.read("model.mo");
    assert!(modelica.starts_with("model model_ ") && modelica.trim_end().ends_with("end model_;"), "{modelica}");
    for line in [
        "parameter Real end_ = 2.0;",
        "der(time_) = time__v;",
        "der(x) = x_v_;",
        "der(x_v) = x_v_v;",
        "der(v12_) = v12__v;",
    ] {
        assert!(modelica.contains(line), "no {line} in\n{modelica}");
    }
    assert!(modelica.contains("StartTime = 3.0"));
    let declared: Vec<&str> = modelica.lines().filter_map(|l| l.trim().strip_prefix("Real ")).collect();
    let mut names: Vec<&str> = declared.iter().filter_map(|l| l.split(['(', ';']).next()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "{modelica}");
}

#[test]
fn an_fmu_is_an_archive_of_description_sources_and_library() {
    let folder = Folder::new();
    for version in ["2", "3"] {
        folder.run(&["export", "chaplygin-sledge", "-o", "m.fmu", "--fmi", version]).fine();
        let bytes = std::fs::read(folder.path("m.fmu")).expect("written");
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        let names = String::from_utf8_lossy(&bytes);
        assert!(names.contains("modelDescription.xml") && names.contains(&format!("sources/fmi{version}.c")));
        folder.run(&["export", "chaplygin-sledge", "-o", "n.fmu", "--fmi", version]).fine();
        assert_eq!(bytes.len(), std::fs::read(folder.path("n.fmu")).expect("written").len());
    }
    folder.run(&["export", "chaplygin-sledge", "-o", "m.fmu", "--fmi", "1"]).refuses(2, &["--fmi"]);
}
