//! A line on standard error that says what the program is at, for whoever waits longer than a second at a terminal.

use crate::console;
use std::io::Write as _;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long nobody wonders.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn again.
const TICK: Duration = Duration::from_millis(200);

/// The line; there is one terminal, so there is one line.
struct Line {
    /// What is being done; `None` while nobody watches.
    doing: Option<String>,
    /// Does it stand on the screen?
    drawn: bool,
}

static LINE: Mutex<Line> = Mutex::new(Line { doing: None, drawn: false });
static CHANGED: Condvar = Condvar::new();

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says what is being done now.
pub fn doing(what: impl Into<String>) {
    let mut line = line();
    if line.doing.is_some() {
        line.doing = Some(what.into());
    }
}

/// Prints something else: the line goes away and comes back below it.
pub fn aside<T>(print: impl FnOnce() -> T) -> T {
    let mut line = line();
    wipe(&mut line);
    print()
}

fn wipe(line: &mut Line) {
    if std::mem::take(&mut line.drawn) {
        let mut out = std::io::stderr().lock();
        let _ = out.write_all(b"\r\x1b[K").and_then(|()| out.flush());
    }
}

/// Keeps the line as long as it lives.
pub struct Watch(Option<JoinHandle<()>>);

impl Watch {
    /// Begins, where a person is looking.
    pub fn begin(what: &str) -> Watch {
        if !console::is_terminal() {
            return Watch(None);
        }
        line().doing = Some(what.to_owned());
        Watch(Some(std::thread::spawn(tick)))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(thread) = self.0.take() {
            let mut line = line();
            line.doing = None;
            wipe(&mut line);
            drop(line);
            CHANGED.notify_all();
            let _ = thread.join();
        }
    }
}

fn tick() {
    let (began, mut wait) = (Instant::now(), PATIENCE);
    let mut line = line();
    loop {
        line = CHANGED.wait_timeout(line, wait).unwrap_or_else(PoisonError::into_inner).0;
        let Some(doing) = &line.doing else { return };
        wait = TICK;
        if began.elapsed() < PATIENCE {
            continue;
        }
        let text = fitted(&format!("{doing} … {} s", began.elapsed().as_secs()));
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
        drop(out);
        line.drawn = true;
    }
}

/// A line that wraps could not be wiped.
fn fitted(text: &str) -> String {
    text.chars().take(console::columns().unwrap_or(80).saturating_sub(1)).collect()
}
