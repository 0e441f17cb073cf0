//! A smaller program, where the linker knows how. Each wish is tried on a program of a few lines, which has to run, with the compiler, the
//! linker and the flags of this build: what does not work here is left out.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

/// Prints a panic's message and ends, as the program has to.
const TRIAL: &str = "fn main() { if std::env::args().count() > 1 { panic!(\"message\") } }";

/// Tables for unwinding: nothing unwinds where a panic ends the program.
const NO_TABLES: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame) } } INSERT AFTER .text;\n";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let out = variable("OUT_DIR");
    // [TARGET/]release/build/noslip-cli-…/out: other profiles unwind, or are not for people.
    let above = |levels: usize| Path::new(&out).ancestors().nth(levels).and_then(Path::file_name);
    let profile = above(3);
    // Where a target is named, the program is made for other machines.
    let to_give_away = above(4).is_some_and(|name| name == &*variable("TARGET"));
    if variable("CARGO_CFG_TARGET_OS") != "linux"
        || variable("HOST") != variable("TARGET")
        || profile.is_none_or(|name| name != "release")
    {
        return;
    }
    let script = Path::new(&out).join("no-tables.ld");
    if fs::write(&script, NO_TABLES).is_err() {
        return;
    }
    let mut wishes = vec![
        // Functions of the same instructions once.
        "-Wl,--icf=all".to_owned(),
        format!("-Wl,-T,{}", script.display()),
    ];
    if !to_give_away {
        // Addresses that are moved at the start, in a list of bits: older systems than this one need not know it (glibc from 2.36 on does).
        wishes.push("-Wl,-z,pack-relative-relocs".to_owned());
    }
    let mut granted: Vec<String> = Vec::new();
    for wish in wishes {
        granted.push(wish);
        if !works(Path::new(&out), &granted) {
            granted.pop();
        }
    }
    for argument in granted {
        println!("cargo::rustc-link-arg-bin=noslip={argument}");
    }
}

/// Does a program linked with these arguments run, and does it still say why it panics?
fn works(folder: &Path, arguments: &[String]) -> bool {
    let (source, program) = (folder.join("trial.rs"), folder.join("trial"));
    let Some(compiler) = env::var_os("RUSTC") else { return false };
    if fs::write(&source, TRIAL).is_err() {
        return false;
    }
    let mut command = Command::new(compiler);
    command.args(["--crate-type", "bin", "--edition", "2024", "-C", "panic=abort", "-o"]).arg(&program).arg(&source);
    command.args(env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().split('\x1f').filter(|flag| !flag.is_empty()));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        command.arg(format!("-Clinker={}", linker.to_string_lossy()));
    }
    for argument in arguments {
        command.arg(format!("-Clink-arg={argument}"));
    }
    let linked = command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    let runs = || Command::new(&program).status().is_ok_and(|status| status.success());
    let speaks = || {
        let said = Command::new(&program).arg("panic").output();
        said.is_ok_and(|said| !said.status.success() && String::from_utf8_lossy(&said.stderr).contains("message"))
    };
    linked && runs() && speaks()
}
