//! `demo`

use crate::program::{Folder, noslip, project};

/// Names of all gallery models.
pub fn names() -> Vec<String> {
    let v = noslip(&["demo", "--format", "json"]).json("demo");
    v["models"].as_array().expect("a list").iter().map(|m| m["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn the_gallery_is_the_folder_of_models() {
    let mut files: Vec<String> = std::fs::read_dir(project().join("models"))
        .expect("models")
        .filter_map(|e| e.expect("an entry").file_name().to_str()?.strip_suffix(".toml").map(str::to_owned))
        .collect();
    files.sort();
    assert_eq!(names(), files);
    let text = noslip(&["demo"]);
    for name in &files {
        assert!(text.quiet().lines().any(|l| l.split_whitespace().next() == Some(name)), "{name}");
    }
    assert!(text.out.contains("noslip demo NAME"));
}

#[test]
fn a_gallery_model_is_printed_as_it_is_and_can_be_read_back() {
    let text = std::fs::read_to_string(project().join("models/rolling-disk.toml")).expect("the model");
    let printed = noslip(&["demo", "rolling-disk"]);
    assert_eq!(printed.quiet(), text);
    assert_eq!(noslip(&["demo", "rolling-disk", "--format", "json"]).json("demo")["model"], text);
    let folder = Folder::with("mine.toml", &printed.out);
    assert_eq!(folder.run(&["check", "mine.toml"]).fine(), noslip(&["check", "rolling-disk"]).fine());
}

#[test]
fn an_unknown_gallery_model_is_refused_with_a_suggestion() {
    noslip(&["demo", "rolling-dsk"])
        .refuses(2, &["unknown gallery model `rolling-dsk`", "did you mean `rolling-disk`?"]);
    noslip(&["demo", "bicycle"])
        .refuses(2, &["unknown gallery model `bicycle`", "there are ", "`noslip demo` lists them"]);
}
