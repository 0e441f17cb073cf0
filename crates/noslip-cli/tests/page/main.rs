//! The report in a real browser: from disk, without a console error, clicked through.
//!
//! Without Chromium these tests say so and pass, unless NOSLIP_REQUIRE_BROWSER is set; `install-chromium.sh` beside
//! this file installs it. Pictures go to `target/page`.

mod browser;
mod sample;

use browser::Browser;
use noslip_cli::report::{ReportData, render};
use serde_json::json;
use std::path::PathBuf;

/// A browser, or the reason why there is none.
fn browser() -> Option<Browser> {
    match browser::find() {
        Some(chromium) => Some(Browser::start(&chromium)),
        None if std::env::var_os("NOSLIP_REQUIRE_BROWSER").is_some() => panic!("no Chromium on this machine"),
        None => {
            eprintln!("skipped: no Chromium on this machine (run tests/page/install-chromium.sh)");
            None
        }
    }
}

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&folder).expect("a folder for pages");
    folder
}

fn page(name: &str, data: &ReportData) -> PathBuf {
    let file = folder().join(format!("{name}.html"));
    std::fs::write(&file, render(data)).expect("writes");
    file
}

/// Nothing but the file itself was asked for, and nothing was complained about.
fn quiet(b: &Browser) {
    assert!(b.complaints.is_empty(), "{:#?}", b.complaints);
    assert!(b.requested.iter().all(|u| u.starts_with("file://") && u.ends_with(".html")), "{:?}", b.requested);
}

/// Nothing sticks out of the window sideways.
fn fits(b: &mut Browser) {
    let wide = b.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    assert!(wide[0].as_f64() <= wide[1].as_f64(), "the page is {} wide in a window of {}", wide[0], wide[1]);
}

#[test]
fn the_pages_look_as_they_should() {
    let Some(mut b) = browser() else { return };
    let file = page("disk", &sample::disk());
    for (name, width, dark) in [("light", 1440, false), ("dark", 1440, true), ("narrow", 390, false)] {
        b.window(width, 900, dark);
        b.open(&file);
        b.evaluate("new Promise((r) => setTimeout(r, 300))");
        fits(&mut b);
        b.screenshot(&folder().join(format!("disk-{name}.png")), true);
        quiet(&b);
    }
    b.pdf(&folder().join("disk.pdf"));
    let _ = json!(0);
}
