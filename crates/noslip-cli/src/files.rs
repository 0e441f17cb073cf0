//! Files: those of the disk, or those that a caller has lent. What is written is whole or not there.
//!
//! In a browser there is no disk: all commands but those that fill folders come here for their files.

use crate::console;
use crate::failure::Failure;
use noslip::Error;
use noslip::arrange::Arrange;
use std::io::{ErrorKind, Read, Result as Io, Write};
use std::path::Path;

/// Is there such a file?
pub fn exists(path: &str) -> bool {
    console::lent(|files| files.contains_key(path)).unwrap_or_else(|| Path::new(path).exists())
}

/// At most `bound` bytes of a file.
pub fn read(path: &str, bound: u64) -> Io<Vec<u8>> {
    let mut bytes = Vec::new();
    match console::lent(|files| files.get(path).cloned()) {
        Some(Some(file)) => file.as_slice().take(bound).read_to_end(&mut bytes)?,
        Some(None) => return Err(std::io::Error::new(ErrorKind::NotFound, "there is no such file")),
        None => std::fs::File::open(path)?.take(bound).read_to_end(&mut bytes)?,
    };
    Ok(bytes)
}

/// Names of the files in a folder, in their order.
pub fn names(folder: &Path) -> Vec<String> {
    if let Some(names) = console::lent(|files| files.keys().cloned().collect()) {
        return names;
    }
    let names = std::fs::read_dir(folder).into_iter().flatten().take(10_000);
    let mut names: Vec<String> = names.filter_map(|e| e.ok()?.file_name().into_string().ok()).collect();
    names.arrange();
    names
}

/// Writes a file that is not there yet.
pub fn write_new(path: &str, bytes: &[u8]) -> Io<()> {
    match console::lent(|files| files.contains_key(path)) {
        Some(true) => Err(ErrorKind::AlreadyExists.into()),
        Some(false) => {
            console::write_lent(path, bytes);
            Ok(())
        }
        None => std::fs::File::create_new(path)?.write_all(bytes),
    }
}

/// A folder to write into exists, and what is read is not written over.
pub fn expect_place(path: &Path, model: &str) -> Result<(), Failure> {
    expect_folder(path)?;
    let same = path.canonicalize().ok().is_some_and(|p| Path::new(model).canonicalize().ok() == Some(p));
    if same && path.is_file() || path == Path::new(model) && exists(model) {
        return Err(Error::input(format!("cannot write `{}`: it is the model that is read", path.display()))
            .hint("give another name; nothing was written")
            .into());
    }
    Ok(())
}

/// A folder to write into exists.
pub fn expect_folder(path: &Path) -> Result<(), Failure> {
    if console::lent(|_| ()).is_some() {
        return Ok(());
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let wrong = |what: &str, hint: &str| {
        Err(Error::input(format!("cannot write `{}`: {what}", path.display())).hint(hint).into())
    };
    if path.is_dir() {
        return wrong("it is a folder", "give the name of a file");
    }
    if !folder.is_dir() {
        return wrong(&format!("there is no folder `{}`", folder.display()), "make the folder first");
    }
    Ok(())
}

/// Writes beside the final name first: a run that is killed leaves no half file under it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if console::write_lent(&path.to_string_lossy(), bytes) {
        return Ok(());
    }
    let fail =
        |e: std::io::Error| -> Failure { Error::computation(format!("cannot write `{}`: {e}", path.display())).into() };
    // A link stays a link, and a device or a pipe is written to, not replaced.
    let resolved = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if resolved.metadata().is_ok_and(|m| !m.is_file()) {
        return std::fs::OpenOptions::new()
            .write(true)
            .open(&resolved)
            .and_then(|mut f| f.write_all(bytes))
            .map_err(fail);
    }
    let path = resolved.as_path();
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().map_or_else(Default::default, |n| n.to_string_lossy().into_owned());
    let temporary = folder.join(format!(".{name}.{}.tmp", std::process::id()));
    let written = (|| {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    })();
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written.map_err(fail)
}
