//! Lists the files of `models/` as constants.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What is in a folder, by name: of whole paths, `hoop-upright.toml` would come before `hoop.toml`.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let list = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<PathBuf> = list.map(|e| e.expect("an entry").path()).collect();
    paths.sort_by(|a, b| a.file_stem().cmp(&b.file_stem()));
    paths
}

fn name(path: &Path) -> &str {
    path.file_stem().and_then(|s| s.to_str()).expect("files of the gallery have plain names")
}

/// A constant with the name and the text of every model file in a folder. An empty gallery is a mistake, not a gallery.
fn constant(code: &mut String, about: &str, constant: &str, files: &[(String, PathBuf)]) {
    assert!(!files.is_empty(), "{about}: no files");
    writeln!(code, "/// {about}.\npub const {constant}: &[(&str, &str)] = &[").expect("a string grows");
    for (name, path) in files {
        writeln!(code, "    ({name:?}, include_str!({:?})),", path.display().to_string()).expect("a string grows");
    }
    code.push_str("];\n");
}

fn toml_files(folder: &Path) -> Vec<(String, PathBuf)> {
    let files = entries(folder).into_iter().filter(|p| p.extension().is_some_and(|x| x == "toml"));
    files.map(|p| (name(&p).to_owned(), p)).collect()
}

/// `each_model!(path)`: a test for each model, named as it and run on its own, which calls `path` with the name.
fn tests(code: &mut String, models: &[(String, PathBuf)]) {
    code.push_str(
        "/// Writes a test for each model, named as it, which calls a function with the name of the model.\n",
    );
    code.push_str("#[macro_export]\nmacro_rules! each_model {\n    ($test:path) => {\n");
    for (name, _) in models {
        let test = name.replace('-', "_");
        writeln!(code, "        #[test]\n        fn {test}() {{\n            $test({name:?});\n        }}")
            .expect("a string grows");
    }
    code.push_str("    };\n}\n");
}

fn main() {
    let models = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo says it")).join("models");
    println!("cargo::rerun-if-changed={}", models.display());
    let mut code = String::new();
    let files = toml_files(&models);
    constant(&mut code, "Name and text of every model", "MODELS", &files);
    tests(&mut code, &files);
    constant(&mut code, "Models too large for every test", "LARGE", &toml_files(&models.join("large")));
    let bodies =
        toml_files(&models.join("bodies")).into_iter().map(|(n, p)| (format!("bodies/{n}"), p)).collect::<Vec<_>>();
    constant(&mut code, "Models made of frames, bodies and contacts", "BODIES", &bodies);
    constant(&mut code, "What is known about a model, by its name", "EXPECTED", &toml_files(&models.join("expected")));
    let documents = entries(&models.join("claims"));
    let claims: Vec<(String, PathBuf)> = documents
        .iter()
        .flat_map(|d| toml_files(d).into_iter().map(|(model, path)| (format!("{}/{model}", name(d)), path)))
        .collect();
    constant(&mut code, "The equations a document prints about a model, by `document/model`", "CLAIMS", &claims);
    let out = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out).join("gallery.rs"), code).expect("the build folder is writable");
}
