//! Drives Chromium through its debugging pipe: requests and answers are JSON, each ended by a zero byte.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Long beside what anything takes on an idle machine, for machines are not always idle.
const PATIENCE: Duration = Duration::from_secs(180);

/// Chromium on this machine, if there is one.
pub fn find() -> Option<PathBuf> {
    let named = std::env::var_os("NOSLIP_CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let installed = names.iter().flat_map(|n| folders.iter().map(move |f| f.join(n)));
    named.into_iter().chain(installed).find(|p| p.is_file())
}

/// A running browser with one page.
pub struct Browser {
    process: Child,
    requests: ChildStdin,
    answers: Receiver<Value>,
    last: u64,
    session: Option<String>,
    profile: PathBuf,
    /// What the page complained about: console errors, exceptions, refused resources.
    pub complaints: Vec<String>,
    /// Addresses the page asked for.
    pub requested: Vec<String>,
}

impl Browser {
    /// Starts Chromium with a fresh profile. The shell hands our pipes on as the descriptors 3 and 4.
    pub fn start(chromium: &Path) -> Browser {
        let profile = std::env::temp_dir().join(format!("noslip-page-{}-{:?}", std::process::id(), Instant::now()));
        let mut process = Command::new("sh")
            .arg("-c")
            .arg("exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null")
            .arg(chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--hide-scrollbars", "--remote-debugging-pipe", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("chromium starts");
        let requests = process.stdin.take().expect("piped");
        let output = process.stdout.take().expect("piped");
        let (send, answers) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            let mut message = Vec::new();
            while reader.read_until(0, &mut message).is_ok_and(|n| n > 0) {
                message.pop();
                let Ok(value) = serde_json::from_slice(&message) else { break };
                if send.send(value).is_err() {
                    break;
                }
                message.clear();
            }
        });
        let (complaints, requested) = (Vec::new(), Vec::new());
        let mut browser =
            Browser { process, requests, answers, last: 0, session: None, profile, complaints, requested };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// One command and its answer.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut request = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        self.requests.write_all(&bytes).expect("chromium listens");
        let until = Instant::now() + PATIENCE;
        loop {
            let message = self.receive(until).unwrap_or_else(|| panic!("no answer to {method}"));
            if message["id"] == json!(self.last) {
                assert!(message.get("error").is_none(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    /// The next message; events are taken down on the way.
    fn receive(&mut self, until: Instant) -> Option<Value> {
        let message = match self.answers.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => panic!("chromium ended"),
        };
        let event = &message["params"];
        match message["method"].as_str().unwrap_or("") {
            "Runtime.exceptionThrown" => self.complaints.push(event["exceptionDetails"].to_string()),
            "Runtime.consoleAPICalled" if event["type"] == "error" || event["type"] == "warning" => {
                self.complaints.push(event["args"].to_string());
            }
            "Log.entryAdded" if event["entry"]["level"] != "verbose" => {
                self.complaints.push(event["entry"].to_string());
            }
            "Page.javascriptDialogOpening" => self.complaints.push(format!("dialog: {event}")),
            "Network.requestWillBeSent" => {
                self.requested.push(event["request"]["url"].as_str().unwrap_or("").to_owned());
            }
            _ => {}
        }
        Some(message)
    }

    /// A window of this size.
    pub fn window(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        self.call(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
    }

    /// Opens a file from disk and waits until the page says that it has built itself and fitted all its formulas.
    pub fn open(&mut self, file: &Path) {
        self.complaints.clear();
        self.requested.clear();
        self.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
        self.wait("document.documentElement?.dataset.ready === 'yes' && 'fitted' in document.documentElement.dataset");
    }

    /// The value of a JavaScript expression, promises awaited.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true, "userGesture": true});
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    /// Text of the first element that matches.
    pub fn text(&mut self, selector: &str) -> String {
        let value = self.evaluate(&format!("document.querySelector({}).textContent", json!(selector)));
        value.as_str().unwrap_or("").to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let until = Instant::now() + PATIENCE;
        while self.evaluate(expression) != json!(true) {
            assert!(Instant::now() < until, "never true: {expression}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The middle of the first element that matches, scrolled into view.
    ///
    /// Formulas are set when they are first looked at: the place counts once it has stopped moving.
    pub fn middle(&mut self, selector: &str) -> (f64, f64) {
        let mut last = self.place(selector);
        let until = Instant::now() + PATIENCE;
        loop {
            std::thread::sleep(Duration::from_millis(40));
            let now = self.place(selector);
            if now == last || Instant::now() > until {
                return now;
            }
            last = now;
        }
    }

    fn place(&mut self, selector: &str) -> (f64, f64) {
        let script = format!(
            "(() => {{ const e = document.querySelector({}); e.scrollIntoView({{block: 'center', behavior: 'instant'}}); \
             const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; }})()",
            json!(selector)
        );
        let point = self.evaluate(&script);
        (point[0].as_f64().expect("x"), point[1].as_f64().expect("y"))
    }

    /// A movement, press or release of the mouse.
    pub fn mouse(&mut self, kind: &str, x: f64, y: f64) {
        let button = if kind == "mouseMoved" { "none" } else { "left" };
        let event = json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", event);
    }

    /// A real click in the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.mouse("mouseMoved", x, y);
        self.mouse("mousePressed", x, y);
        self.mouse("mouseReleased", x, y);
    }

    /// A key on whatever has the focus.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "code": key}));
        }
    }

    /// A picture of the whole page or of the window.
    pub fn screenshot(&mut self, file: &Path, whole: bool) {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png", "captureBeyondViewport": whole}));
        std::fs::write(file, decode(answer["data"].as_str().expect("data"))).expect("writes");
    }

    /// The page on paper.
    pub fn pdf(&mut self, file: &Path) {
        let answer = self.call("Page.printToPDF", json!({"preferCSSPageSize": true, "printBackground": true}));
        std::fs::write(file, decode(answer["data"].as_str().expect("data"))).expect("writes");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Base64.
fn decode(text: &str) -> Vec<u8> {
    let value = |b: u8| match b {
        b'A'..=b'Z' => u32::from(b - b'A'),
        b'a'..=b'z' => u32::from(b - b'a') + 26,
        b'0'..=b'9' => u32::from(b - b'0') + 52,
        b'+' => 62,
        _ => 63,
    };
    let bytes: Vec<u8> = text.bytes().filter(|&b| b != b'=').collect();
    let mut out = Vec::with_capacity(bytes.len() * 3 / 4);
    for group in bytes.chunks(4) {
        let word = group.iter().fold(0, |w, &b| w << 6 | value(b)) << (6 * (4 - group.len()));
        out.extend_from_slice(&word.to_be_bytes()[1..group.len()]);
    }
    out
}
