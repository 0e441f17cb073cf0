//! The studio in a browser, opened from disk. `crates/noslip-web/test` builds it and runs this; without it, all is skipped.

#[path = "../../noslip-cli/tests/page/browser.rs"]
#[allow(dead_code)]
mod browser;

use browser::Browser;
use noslip::Control;
use noslip_cli::Files;
use serde_json::json;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// No studio is larger, as it is given to people.
const LARGEST: u64 = 4_000_000;

/// A model with everything that a person who types one needs to see: a motion, a parameter, a constraint.
const SLEIGH: &str = r#"noslip = 1
[system]
name = "Typed sleigh"
coordinates = ["x", "y", "phi"]
[parameters]
J = 0.05
[energy]
kinetic = "(x'^2 + y'^2)/2 + J/2*phi'^2"
[constraints]
edge = "x'*sin(phi) = y'*cos(psi)"
[initial]
velocity = { x = 1, phi = 0.5 }
[simulation]
until = 4
"#;

/// The studio to try and a browser, or why there is nothing to try.
fn open() -> Option<(Browser, PathBuf)> {
    let Some(studio) = std::env::var_os("NOSLIP_STUDIO").map(PathBuf::from) else {
        eprintln!("skipped: no studio is named; crates/noslip-web/test builds one and tries it");
        return None;
    };
    assert!(studio.is_file(), "{} is no file", studio.display());
    let Some(chromium) = browser::find() else {
        assert!(std::env::var_os("NOSLIP_REQUIRE_BROWSER").is_none(), "no Chromium was found");
        eprintln!("skipped: no Chromium was found");
        return None;
    };
    let mut browser = Browser::start(&chromium);
    browser.call("Performance.enable", json!({}));
    browser.window(1400, 900, false);
    browser.open(&studio);
    Some((browser, studio))
}

/// Types text in place of all that is in the editor.
fn write(b: &mut Browser, text: &str) {
    b.evaluate("document.querySelector('#editor .cm-content').focus()");
    b.call(
        "Input.dispatchKeyEvent",
        json!({"type": "keyDown", "key": "a", "code": "KeyA", "modifiers": 2, "commands": ["selectAll"]}),
    );
    b.call("Input.insertText", json!({"text": text}));
}

/// Runs a command line in the studio and returns what is printed, and the status.
fn run(b: &mut Browser, line: &str) -> (String, String) {
    b.evaluate("document.querySelector('#tab-command').click()");
    b.evaluate("document.querySelector('#state').textContent = ''");
    b.evaluate(&format!("document.querySelector('#words').value = {}", json!(line)));
    b.evaluate("document.querySelector('#line').requestSubmit()");
    b.wait("/^(Ended|Stopped|No answer)/.test(document.querySelector('#state').textContent)");
    (b.text("#printed"), b.text("#state"))
}

const FRAME: &str = "document.querySelector('#frame').contentDocument";

/// Waits until the page of a model stands in the frame, ready.
fn wait_for_page(b: &mut Browser, title: &str) {
    let title = json!(title);
    b.wait(&format!(
        "{FRAME}?.documentElement?.dataset.ready === 'yes' && {FRAME}.querySelector('h1')?.textContent === {title} \
         && !document.querySelector('#page').classList.contains('old')"
    ));
}

#[test]
fn a_model_is_typed_mended_and_seen_to_move() {
    let Some((mut b, studio)) = open() else { return };
    let metrics = b.call("Performance.getMetrics", json!({}));
    let metric = |name: &str| {
        let list = metrics["metrics"].as_array().expect("a list");
        list.iter().find(|m| m["name"] == name).and_then(|m| m["value"].as_f64()).unwrap_or(f64::NAN)
    };
    let after = b.evaluate("Number(document.documentElement.dataset.readyAfter)").as_f64().expect("a number");
    let size = std::fs::metadata(&studio).expect("a file").len();
    println!("{size} bytes, ready after {after} ms, in which it computed for {:.0} ms", 1e3 * metric("ProcessTime"));
    // Other work on the machine makes the clock run; computing takes what it takes.
    let spent = metric("ProcessTime");
    assert!(after < 1000.0 || spent < 1.0, "ready after {after} ms, {spent} s of computing");
    if std::env::var_os("NOSLIP_STUDIO_SMALL").is_some() {
        assert!(size < LARGEST, "the studio has {size} bytes");
    }

    // A wrong name: its place is said below the editor and marked in it.
    write(&mut b, SLEIGH);
    b.wait("document.querySelector('#problems li.error') !== null");
    let said = b.text("#problems li.error");
    assert!(said.starts_with("10:30") && said.contains("psi"), "{said}");
    b.wait("document.querySelector('#editor .cm-lintRange-error')?.textContent === 'psi'");
    assert!(b.text("#state").contains("1 error"));

    // Mended: the equations in a form of one's choice, and the motion.
    write(&mut b, &SLEIGH.replace("psi", "phi"));
    b.wait("document.querySelector('#problems').childElementCount === 0");
    wait_for_page(&mut b, "Typed sleigh");
    let frame = |expression: &str| format!("(() => {{ const d = {FRAME}; return {expression}; }})()");
    assert!(b.evaluate(&frame("d.querySelectorAll('#equations math').length")).as_u64() > Some(3));
    let picture = "d.querySelector('canvas').toDataURL()";
    let (now, time) = (b.evaluate(&frame(picture)), b.evaluate(&frame("d.querySelector('#time').value")));
    b.evaluate(&frame("(d.querySelector('.play').click(), true)"));
    b.wait(&format!(
        "(() => {{ const d = {FRAME}; return d.querySelector('#time').value !== {time} && {picture} !== {now}; }})()"
    ));
    // A slider of the page changes the motion, and the page's address remembers it; its links stay on the page.
    b.evaluate(&frame(
        "(() => { const k = d.querySelector('.knob input[type=range]'); k.value = k.max; \
         k.dispatchEvent(new Event('input', { bubbles: true })); })()",
    ));
    b.wait(&frame(
        "Number(d.querySelector('.knob input[type=text]').value) > 0.1 && d.location.hash.startsWith('#set.J=')",
    ));
    b.evaluate(&frame("d.querySelector('#contents a[href=\"#equations\"]').click()"));
    b.wait(&frame("d.location.hash === '#equations' && d.defaultView.scrollY > 100"));

    b.evaluate("document.querySelector('#tab-equations').click()");
    b.wait("document.querySelectorAll('#formulas .display math').length > 0");
    let lagrange = b.text("#formulas");
    b.evaluate("(() => { const f = document.querySelector('#form'); f.value = 'maggi'; f.dispatchEvent(new Event('change')); })()");
    b.wait(&format!(
        "document.querySelectorAll('#formulas .display math').length > 0 \
         && document.querySelector('#formulas').textContent !== {}",
        json!(lagrange)
    ));
    assert!(lagrange.contains('λ') && !b.text("#formulas").contains('λ'), "Maggi's equations have no multipliers");

    assert_eq!(b.complaints, Vec::<String>::new());
    let outside: Vec<&String> = b
        .requested
        .iter()
        .filter(|a| !["file:", "blob:", "data:", "about:"].iter().any(|p| a.starts_with(p)))
        .collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn the_studio_answers_as_the_program_byte_by_byte() {
    let Some((mut b, _)) = open() else { return };
    for name in ["caratheodory-sledge", "rolling-disk"] {
        let model = noslip_gallery::find(name).expect("a gallery model");
        b.wait("document.querySelector('#gallery').options.length > 20");
        b.evaluate(&format!(
            "(() => {{ const g = document.querySelector('#gallery'); g.value = '{name}'; g.dispatchEvent(new Event('change')); }})()"
        ));
        let file = format!("{name}.toml");
        b.wait(&format!("document.querySelector('#name').textContent === '{file}'"));
        for line in [
            format!("check {file}"),
            format!("derive {file} --form all --format json"),
            format!("verify {file} --equation \"1 = 0\""),
            format!("simulate {file} --samples 5 --format json"),
            format!("reduce {file}"),
            format!("check {name}.tml"),
        ] {
            let arguments: Vec<String> = line.split(' ').map(|w| w.replace('"', "")).collect();
            let arguments = match line.split_once('"') {
                Some((before, quoted)) => {
                    let quoted = quoted.trim_end_matches('"').to_owned();
                    before.split_whitespace().map(str::to_owned).chain([quoted]).collect()
                }
                None => arguments,
            };
            let lent = Files::from([(file.clone(), model.as_bytes().to_vec())]);
            let whole = std::iter::once("noslip".to_owned()).chain(arguments);
            let native = noslip_cli::answer_with_files(whole, lent, Control::default());
            let (printed, state) = run(&mut b, &line);
            assert_eq!(printed, format!("{}{}", native.output, native.errors), "{line}");
            assert!(state.starts_with(&format!("Ended with status {} ", native.status)), "{line}: {state}");
        }
    }
    // Files come out, and are at hand for the next command.
    let (_, state) = run(&mut b, "simulate rolling-disk.toml --plot path.svg --columns x:y -o run.csv");
    assert!(state.contains("status 0"), "{state}");
    b.wait("document.querySelector('#printed img')?.naturalWidth > 100");
    assert_eq!(b.text("#folder"), "path.svgrun.csv");
    assert_eq!(b.complaints, Vec::<String>::new());
}

#[test]
fn what_takes_long_is_stopped_and_the_next_question_is_answered() {
    let Some((mut b, _)) = open() else { return };
    b.evaluate("document.querySelector('#tab-command').click()");
    b.evaluate("document.querySelector('#words').value = 'simulate rolling-disk --until 1e9 --max-steps 1000000000'");
    b.evaluate("document.querySelector('#line').requestSubmit()");
    b.wait("document.querySelector('#run').textContent === 'Stop'");
    std::thread::sleep(Duration::from_millis(500));
    let began = Instant::now();
    b.evaluate("document.querySelector('#line').requestSubmit()");
    b.wait("document.querySelector('#printed').textContent === 'Stopped.'");
    println!("stopped after {:?}", began.elapsed());
    let (printed, state) = run(&mut b, "--version");
    assert!(printed.starts_with("noslip ") && state.starts_with("Ended with status 0"), "{printed} {state}");

    // A page that is being made is stopped by its own button, and by the next letter.
    b.evaluate("document.querySelector('#tab-page').click()");
    write(&mut b, noslip_gallery::find("ellipsoid-on-plane").expect("a gallery model"));
    b.wait("document.querySelector('#stop').hidden === false && /^Making/.test(document.querySelector('#state').textContent)");
    b.evaluate("document.querySelector('#stop').click()");
    b.wait("document.querySelector('#state').textContent === 'Stopped' && document.querySelector('#page-said .again') !== null");
    write(&mut b, &SLEIGH.replace("psi", "phi"));
    wait_for_page(&mut b, "Typed sleigh");
    assert_eq!(b.complaints, Vec::<String>::new());
}

/// A module that leaves its last words on the slate and ends: memory; room, slate → 0; run → unreachable; length → 12.
const DOOMED: &str = "0,97,115,109,1,0,0,0, 1,13,3,96,1,127,1,127,96,0,0,96,0,1,127, 3,5,4,0,1,2,2, 5,3,1,0,1, \
    7,40,5,6,109,101,109,111,114,121,2,0,4,114,111,111,109,0,0,3,114,117,110,0,1,5,115,108,97,116,101,0,2,6,108,101,110,103,116,104,0,3, \
    10,21,4,5,0,65,128,8,11,3,0,0,11,4,0,65,0,11,4,0,65,12,11, \
    11,18,1,0,65,0,11,12,112,97,110,105,99,107,101,100,32,97,116,33";

#[test]
fn a_module_that_ends_leaves_its_last_words() {
    let Some((mut b, _)) = open() else { return };
    let told = b.evaluate(&format!(
        "(async () => {{ const module = await WebAssembly.compile(new Uint8Array([{DOOMED}])); \
         const source = new Blob([document.getElementById('worker').textContent], {{ type: 'text/javascript' }}); \
         const worker = new Worker(URL.createObjectURL(source)); const answers = []; \
         const done = new Promise((r) => {{ worker.onmessage = (m) => {{ answers.push(m.data); if (answers.length === 2) r(); }}; }}); \
         worker.postMessage({{ module }}); worker.postMessage({{ id: 7, question: {{ arguments: [] }} }}); await done; \
         return answers; }})()"
    ));
    assert_eq!(
        (&told[0]["ready"], &told[1]["id"], &told[1]["ended"]),
        (&json!(true), &json!(7), &json!("panicked at!")),
        "{told}"
    );
}
