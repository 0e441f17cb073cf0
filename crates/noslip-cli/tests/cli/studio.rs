//! `studio`. The studio itself is tried in a browser, see `crates/noslip-web/test`; here it is found, filled and written.

use crate::program::Folder;
use std::path::Path;
use std::process::Command;

/// What the build leaves to be filled.
fn made() -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!doctype html>\n<meta name=\"generator\" content=\"noslip {version}\">\n<!-- start -->\n\
         <textarea id=\"start\" data-name=\"first.toml\" hidden>\nnoslip = 1\n</textarea>\n<!-- /start -->\n<script>end</script>\n"
    )
}

#[test]
fn the_studio_is_written_as_it_is_or_with_a_model_to_begin_with() {
    let folder = Folder::with("made.html", &made());
    assert_eq!(folder.run(&["studio", "--from", "made.html"]).quiet(), "wrote studio.html\n");
    assert_eq!(folder.read("studio.html"), made());
    let model = "noslip = 1 # </textarea><script>alert(1)</script> & \"more\" <!-- /start -->\n";
    folder.write("my <model>.toml", model);
    let args = ["studio", "my <model>.toml", "--from", "made.html", "--output", "mine.html", "--format", "json"];
    let wrote = folder.run(&args).json("studio");
    let page = folder.read("mine.html");
    assert_eq!((&wrote["file"], wrote["bytes"].as_u64()), (&"mine.html".into(), Some(page.len() as u64)));
    assert!(
        page.contains("data-name=\"my &lt;model&gt;.toml\" hidden>\nnoslip = 1 # &lt;/textarea&gt;&lt;script&gt;"),
        "{page}"
    );
    assert_eq!((page.matches("</textarea>").count(), page.matches("<script>").count()), (1, 1), "{page}");
    assert!(page.starts_with("<!doctype html>") && page.ends_with("<!-- /start -->\n<script>end</script>\n"), "{page}");
    let gallery = folder.run(&["studio", "rolling-disk", "--from", "made.html", "-o", "-"]);
    assert!(
        gallery.quiet().contains("data-name=\"rolling-disk.toml\"")
            && gallery.out.contains("coordinates = [&quot;phi&quot;")
    );
}

#[test]
fn a_model_that_is_no_text_is_refused_and_no_model_is_written_over() {
    let folder = Folder::with("made.html", &made());
    folder.write("binary.toml", b"noslip = \xff");
    folder.run(&["studio", "binary.toml", "--from", "made.html"]).refuses(2, &["`binary.toml` is not text in UTF-8"]);
    folder.write("mine.toml", "noslip = 1");
    folder
        .run(&["studio", "mine.toml", "--from", "made.html", "-o", "mine.toml"])
        .refuses(2, &["it is the model that is read"]);
    assert_eq!(folder.list(), ["binary.toml", "made.html", "mine.toml"]);
}

/// The program as another folder has it.
fn installed(folder: &Folder, at: &str) -> Command {
    let there = folder.path(at);
    std::fs::create_dir_all(there.parent().expect("a folder")).expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_noslip"));
    std::fs::hard_link(program, &there).or_else(|_| std::fs::copy(program, &there).map(|_| ())).expect("a copy");
    let mut command = Command::new(there);
    command.current_dir(folder.path("")).args(["studio", "-o", "out.html"]);
    command
}

#[test]
fn the_studio_is_found_beside_the_program_or_in_share() {
    for (program, studio) in
        [("archive/noslip", "archive/studio.html"), ("prefix/bin/noslip", "prefix/share/noslip/studio.html")]
    {
        let folder = Folder::new();
        let mut command = installed(&folder, program);
        let answer = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&answer.stderr);
        assert_eq!(answer.status.code(), Some(2), "{said}");
        for words in ["there is no studio beside this program", "crates/noslip-web/build", "--from STUDIO.html"] {
            assert!(said.contains(words), "{said}");
        }
        let there = folder.path(studio);
        std::fs::create_dir_all(there.parent().expect("a folder")).expect("a folder");
        std::fs::write(there, made()).expect("writes");
        assert!(command.output().expect("it runs").status.success());
        assert_eq!(folder.read("out.html"), made());
    }
}
