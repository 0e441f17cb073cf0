//! Embeds the gallery, so that the program knows it without a checkout.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    println!("cargo::rerun-if-changed={}", models.display());
    let mut files: Vec<_> = fs::read_dir(&models)
        .map(|dir| {
            dir.filter_map(|e| e.ok().map(|e| e.path()))
                .filter(|p| p.extension().is_some_and(|x| x == "toml"))
                .collect()
        })
        .unwrap_or_default();
    // By name: of whole paths, `hoop-upright.toml` would come before `hoop.toml`.
    files.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    let mut code = String::from("/// Name and text of every gallery model.\npub const GALLERY: &[(&str, &str)] = &[\n");
    for path in files {
        let name = path.file_stem().and_then(|s| s.to_str()).expect("gallery models have plain names");
        let full = path.canonicalize().expect("a file just listed");
        writeln!(code, "    ({name:?}, include_str!({:?})),", full.display().to_string()).expect("a string grows");
    }
    code.push_str("];\n");
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("gallery.rs"), code).expect("the build folder is writable");
}
