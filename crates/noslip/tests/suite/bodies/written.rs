//! What the layer writes for small models, word for word: definitions, energies, forces, constraints, pictures, notes, and what must
//! not vanish.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip --test suite bodies::written` writes `tests/data/plain/*.expanded.toml`. What the models say of
//! motions is tested against models by hand and closed forms; here it is how they are written.

use super::load;
use crate::common::{blessed, root, text};
use std::fmt::Write;

/// The models of the folder whose names begin so, each as it is written out.
fn compared(beginning: &str) {
    let folder = root().join("crates/noslip/tests/data/plain");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut names: Vec<String> = entries
        .filter_map(|e| e.expect("an entry").file_name().to_string_lossy().strip_suffix(".toml").map(str::to_owned))
        .filter(|name| name.starts_with(beginning) && !name.ends_with(".expanded"))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "{beginning}");
    for name in names {
        let file = std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("a model");
        let out = expanded(&name, &file);
        blessed(&format!("crates/noslip/tests/data/plain/{name}.expanded.toml"), &out, "bodies::written");
    }
}

/// A model as it is written out, its notes, and what must not vanish.
fn expanded(name: &str, file: &str) -> String {
    let model = load(file, &format!("{name}.toml"));
    let mut out = model.plain.as_ref().expect("a plain model").file.clone();
    for note in &model.notes {
        writeln!(out, "# {}: {}", note.message, note.hint.as_deref().unwrap_or_default()).expect("a string");
    }
    for guard in &model.system.guards {
        writeln!(out, "# must not vanish: {}: {}", guard.of, text(&model, guard.expr)).expect("a string");
    }
    load(&out, &format!("{name}, expanded"));
    out
}

#[test]
fn of_the_gallery() {
    for (name, file) in noslip_gallery::BODIES {
        let kept = name.replace("bodies/", "gallery-");
        let out = expanded(name, file);
        blessed(&format!("crates/noslip/tests/data/plain/{kept}.expanded.toml"), &out, "bodies::written");
    }
}

#[test]
fn of_shapes() {
    compared("shapes");
}

#[test]
fn of_springs_and_loads() {
    compared("loads");
}

#[test]
fn of_contacts_with_planes_and_points() {
    for name in [
        "contacts-disk",
        "contacts-cylinder",
        "contacts-ball-",
        "contacts-vehicle",
        "contacts-joined",
        "contacts-given",
        "contacts-side",
    ] {
        compared(name);
    }
}

#[test]
fn of_contacts_with_bodies() {
    for name in ["contacts-balls", "contacts-inside", "contacts-drum"] {
        compared(name);
    }
}

#[test]
fn of_surfaces() {
    compared("surfaces");
}

#[test]
fn of_normal_forces_with_springs_loads_and_other_contacts() {
    compared("friction");
}

/// The weight of everything is an arrow as long as the largest body is wide; where nothing has weight arrows have a length all the same.
#[test]
fn arrows_of_forces_have_a_length_without_weight_too() {
    let path = root().join("crates/noslip/tests/data/plain/contacts-disk.toml");
    let file = std::fs::read_to_string(path).expect("a model");
    for (g, scale) in [("g = 9.81", "scale = 0.087"), ("g = 981", "scale = 0.00087"), ("g = 0", "scale = 0.1")] {
        let model = load(&file.replace("g = 9.81", g), g);
        let plain = model.plain.expect("a plain model");
        assert!(plain.file.contains(&format!("{scale}\n")), "{g}: {}", plain.drawing);
    }
}
