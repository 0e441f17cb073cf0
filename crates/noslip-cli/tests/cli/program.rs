//! Running the program in a folder of its own.

use crate::schema;
use serde_json::Value;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The slowest run takes about two seconds on an idle machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// What came of a run.
#[derive(Debug)]
pub struct Answer {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// A folder that is removed when the test is over.
pub struct Folder(PathBuf);

static COUNT: AtomicUsize = AtomicUsize::new(0);

impl Folder {
    pub fn new() -> Folder {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// A folder with one file.
    pub fn with(name: &str, text: &str) -> Folder {
        let folder = Folder::new();
        folder.write(name, text);
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).expect("writes");
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Names of the files in it, hidden ones too.
    pub fn list(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(&self.0)
            .expect("lists")
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_noslip"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null());
        // The same lines whatever terminal the tests are run in.
        command.env_remove("COLUMNS").env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }

    pub fn run(&self, args: &[&str]) -> Answer {
        self.run_with(args, b"")
    }

    /// Runs with standard input.
    pub fn run_with(&self, args: &[&str], input: &[u8]) -> Answer {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut pipe = child.stdin.take().expect("piped");
        let input = input.to_vec();
        // The program may refuse before it has read everything.
        let feeder = std::thread::spawn(move || drop(pipe.write_all(&input)));
        let out = collect(child.stdout.take().expect("piped"));
        let err = collect(child.stderr.take().expect("piped"));
        let status = end(&mut child, args);
        feeder.join().expect("fed");
        let answer = Answer {
            status: status.code().unwrap_or_else(|| panic!("`noslip {}` died: {status}", args.join(" "))),
            out: out.join().expect("read"),
            err: err.join().expect("read"),
        };
        assert!(!answer.err.contains("panicked"), "`noslip {}`: {}", args.join(" "), answer.err);
        assert!((0..=3).contains(&answer.status), "`noslip {}`: {answer:?}", args.join(" "));
        answer
    }
}

fn collect(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("reads");
        String::from_utf8(bytes).expect("what the program prints is UTF-8")
    })
}

/// Waits, but not for ever: a program that hangs must not hang the tests.
fn end(child: &mut Child, args: &[&str]) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("asks") {
            return status;
        }
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("`noslip {}` takes longer than {PATIENCE:?}", args.join(" "));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs in an empty folder.
pub fn noslip(args: &[&str]) -> Answer {
    Folder::new().run(args)
}

impl Answer {
    /// It went well; returns standard output.
    #[track_caller]
    pub fn fine(&self) -> &str {
        assert_eq!(self.status, 0, "{self:?}");
        &self.out
    }

    /// It went well and printed nothing to standard error.
    #[track_caller]
    pub fn quiet(&self) -> &str {
        assert_eq!(self.err, "", "{self:?}");
        self.fine()
    }

    /// It ended with this status, and the message contains all of these.
    #[track_caller]
    pub fn refuses(&self, status: i32, parts: &[&str]) -> &Answer {
        assert_eq!(self.status, status, "{self:?}");
        for part in parts {
            assert!(self.err.contains(part), "no {part:?} in the message:\n{}", self.err);
        }
        self
    }

    /// Standard output is a JSON document of that schema.
    #[track_caller]
    pub fn json(&self, kind: &str) -> Value {
        let value: Value = serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"));
        schema::expect(kind, &value);
        value
    }
}

/// The folder of the project.
pub fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The same question for a person and for a program.
pub fn both(args: &[&str]) -> (Answer, Answer) {
    let text = noslip(args);
    let json = noslip(&[args, &["--format", "json"]].concat());
    assert_eq!(text.status, json.status, "{args:?}");
    assert!(!text.out.is_empty() && !text.out.contains("{\n"), "{args:?}: {}", text.out);
    (text, json)
}
