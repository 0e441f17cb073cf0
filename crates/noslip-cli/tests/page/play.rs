//! The motion that the page computes by itself, and what one does with it.

use super::{Browser, fits, folder, quiet};
use noslip_gallery::MODELS;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::Command;

/// Files that the page saves and texts that it copies are kept where the test finds them.
pub fn intercept(b: &mut Browser) {
    b.evaluate(
        "HTMLAnchorElement.prototype.click = function () { window.saved = [this.download, this.href]; }; \
         navigator.clipboard.writeText = (t) => { window.copied = t; return Promise.resolve(); }; 0",
    );
}

/// The columns of the motion as the page saves them: names, and rows of numbers.
pub fn motion(b: &mut Browser) -> (Vec<String>, Vec<Vec<f64>>) {
    b.evaluate("document.querySelector('#motion-csv').click()");
    let text = b.evaluate("decodeURIComponent(window.saved[1].split(',').slice(1).join(','))");
    let mut lines = text.as_str().expect("text").lines();
    let names = lines.next().expect("a head").split(',').map(str::to_owned).collect();
    let rows = lines.map(|l| l.split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect()).collect();
    (names, rows)
}

/// Moves a slider to a part of its way and waits until the motion is complete.
fn slide(b: &mut Browser, name: &str, part: f64) {
    let (_, before) = motion(b);
    b.evaluate(&format!(
        "(() => {{ document.querySelector('#knobs').open = true; const s = [...document.querySelectorAll('#knobs input[type=range]')].find((e) => e.dataset.knob === {}); \
         s.value = Number(s.min) + {part} * (s.max - s.min); s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change')); }})()",
        json!(name)
    ));
    complete(b);
    assert!(motion(b).1 != before, "the slider of {name} changes nothing");
}

/// Waits until the page has carried out every wish and computed the motion to its end.
pub fn complete(b: &mut Browser) {
    b.evaluate(
        "(async () => { while (document.querySelector('#knobs').ariaBusy === 'true') \
         await new Promise((r) => setTimeout(r, 25)); })()",
    );
}

/// The page of a gallery model whose tolerance is replaced.
pub fn page(name: &str, tolerance: &str) -> PathBuf {
    let text = MODELS.iter().find(|(n, _)| *n == name).expect("a gallery model").1;
    let mut lines: Vec<String> =
        text.lines().filter(|l| !l.starts_with("tolerance") && !l.starts_with("method")).map(str::to_owned).collect();
    let at = lines.iter().position(|l| l == "[simulation]").expect("a simulation");
    lines.insert(at + 1, format!("tolerance = {tolerance}"));
    let model = folder().join(format!("play {name}.toml"));
    std::fs::write(&model, lines.join("\n")).expect("writes");
    let file = folder().join(format!("play-{name}.html"));
    let answer = Command::new(env!("CARGO_BIN_EXE_noslip")).arg("report").arg(&model).arg("-o").arg(&file).output();
    assert!(answer.expect("the program starts").status.success(), "{name}");
    file
}

/// What a command that the page gives prints, as JSON.
fn run(command: &str) -> Value {
    let program = env!("CARGO_BIN_EXE_noslip");
    let command = format!("{} --method dop853 --samples 2 --format json", command.replacen("noslip", program, 1));
    let answer = Command::new("sh").arg("-c").arg(&command).output().expect("a shell");
    assert!(answer.status.success(), "{command}: {}", String::from_utf8_lossy(&answer.stderr));
    serde_json::from_slice(&answer.stdout).expect("JSON")
}

/// The motion on the page ends where that of the command ends that the page gives.
pub fn agrees_with_simulate(b: &mut Browser, name: &str) {
    b.evaluate(
        "[...document.querySelectorAll('#knobs button')].find((e) => e.textContent === 'Copy as a command').click()",
    );
    let command = b.evaluate("window.copied");
    let command = command.as_str().expect("a command");
    let answer = run(command);
    let (names, rows) = motion(b);
    let last = rows.last().expect("rows");
    let mut compared = 0;
    for (group, prime) in [("q", ""), ("v", "'")] {
        for (q, value) in answer["end"][group].as_object().expect("a table") {
            let column = names.iter().position(|n| *n == format!("{q}{prime}")).expect("a column");
            let value = value.as_f64().expect("a number");
            let error = (last[column] - value).abs() / (1.0 + value.abs());
            assert!(error < 1e-9, "{name}: {q}{prime} is {} here and {value} there\n{command}", last[column]);
            compared += 1;
        }
    }
    assert!(compared >= 2, "{name}");
}

/// Linear, nonlinear and holonomic constraints, constraints and forces that depend on time, tables.
const PLAYED: [(&str, &str, &str); 6] = [
    ("rolling-disk", "m", "theta"),
    ("car-in-a-turn", "l1", "theta'"),
    ("appell-hamel", "m", ""),
    ("fluid-flywheel-measured", "", "phi1'"),
    ("talamucci-nonlinear-rheonomic", "", ""),
    ("ball-on-turntable", "Omega", ""),
];

#[test]
fn sliders_give_the_motion_that_simulate_computes() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    for (name, parameter, start) in PLAYED {
        b.open(&page(name, "1e-12"));
        intercept(&mut b);
        let knobs = b.evaluate("[...document.querySelectorAll('#knobs input[type=range]')].map((e) => e.dataset.knob)");
        let first = knobs[0].as_str().expect("a slider").to_owned();
        for (knob, part) in [(parameter, 0.55), (start, 0.46)] {
            let knob = if knob.is_empty() { first.as_str() } else { knob };
            slide(&mut b, knob, part);
        }
        agrees_with_simulate(&mut b, name);
        fits(&mut b);
        quiet(&b);
    }
}

#[test]
fn a_state_is_remembered_in_the_address_and_forgotten_by_a_button() {
    let Some(mut b) = super::browser() else { return };
    let file = page("rolling-disk", "1e-10");
    b.window(1300, 900, false);
    b.open(&file);
    intercept(&mut b);
    let (_, original) = motion(&mut b);
    slide(&mut b, "theta'", 0.8);
    let (_, changed) = motion(&mut b);
    b.evaluate(
        "[...document.querySelectorAll('#knobs button')].find((e) => e.textContent === 'Copy as a link').click()",
    );
    let link = b.evaluate("window.copied");
    let (_, hash) = link.as_str().expect("a link").split_once('#').expect("a hash");
    assert!(hash.starts_with("initial.theta%27="), "{hash}");
    b.call("Page.navigate", json!({"url": "about:blank"}));
    b.call("Page.navigate", json!({"url": format!("file://{}#{hash}", file.display())}));
    b.wait("document.documentElement?.dataset.ready === 'yes'");
    intercept(&mut b);
    assert_eq!(motion(&mut b).1, changed, "the link leads to the same motion");
    b.evaluate("document.querySelector('#as-in-file').click()");
    let (_, again) = motion(&mut b);
    let far = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs() / (1.0 + a.abs())).fold(0.0, f64::max);
    assert!(far(original.last().expect("rows"), again.last().expect("rows")) < 1e-5, "as in the file again");
}

#[test]
fn what_a_slider_breaks_is_said() {
    let Some(mut b) = super::browser() else { return };
    let model = folder().join("broken.toml");
    let text = "noslip = 1\n[system]\nname = \"A bead on a ring\"\ncoordinates = [\"x\", \"y\"]\n[parameters]\nm = 1\nk = 1\n[energy]\n\
                kinetic = \"m*(x'^2 + y'^2)/2\"\npotential = \"k*y\"\n[constraints]\nring = \"x^2 + y^2 = 1\"\n[initial]\n\
                position = { x = 0.6, y = 0.8 }\nvelocity = { x = 0.8, y = -0.6 }\n[simulation]\nuntil = 2\n";
    std::fs::write(&model, text).expect("writes");
    let file = folder().join("broken.html");
    let wrote = Command::new(env!("CARGO_BIN_EXE_noslip")).arg("report").arg(&model).arg("-o").arg(&file).status();
    assert!(wrote.expect("starts").success());
    b.window(1300, 900, false);
    b.open(&file);
    intercept(&mut b);
    let set = |b: &mut Browser, name: &str, value: &str| {
        b.evaluate(&format!(
            "(async () => {{ document.querySelector('#knobs').open = true; const e = [...document.querySelectorAll('#knobs [data-value]')].find((e) => e.dataset.value === {}); \
             e.value = '{value}'; e.dispatchEvent(new Event('change')); await new Promise((r) => setTimeout(r, 400)); \
             return document.querySelector('#play-said').textContent; }})()",
            json!(name)
        ))
    };
    // Another place on the ring: the rest follows, and that is told.
    let said = set(&mut b, "x", "0.5");
    assert!(said.as_str().is_some_and(|s| s.contains("To keep the constraints") && s.contains("y = 0.866")), "{said}");
    // No place on the ring at all.
    let said = set(&mut b, "x", "2");
    assert!(said.as_str().is_some_and(|s| s.contains("No state satisfies") && s.contains("ring")), "{said}");
    // No mass: no accelerations along the ring.
    let said = set(&mut b, "m", "0");
    assert!(said.as_str().is_some_and(|s| s.contains("not determined")), "{said}");
    quiet(&b);
}

#[test]
fn a_picture_follows_the_hand() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    b.open(&page("rolling-disk", "1e-10"));
    // What one picture costs the page: the motion computed again, the scene and the plots in view drawn.
    let frames = b.evaluate(
        "(async () => { const panel = document.querySelector('#knobs'); panel.open = true; const took = []; \
         const s = [...panel.querySelectorAll('input[type=range]')].find((e) => e.dataset.knob === 'theta'); \
         for (let i = 0; i < 40; i += 1) { delete panel.dataset.took; s.value = Number(s.min) + (0.4 + 0.005 * i) * (s.max - s.min); \
         s.dispatchEvent(new Event('input')); while (!panel.dataset.took) await new Promise((r) => requestAnimationFrame(r)); \
         took.push(Number(panel.dataset.took)); } return took.sort((a, b) => a - b); })()",
    );
    let frames: Vec<f64> = frames.as_array().expect("a list").iter().filter_map(Value::as_f64).collect();
    println!("half of the pictures within {:.1} ms, nine of ten within {:.1} ms", frames[20], frames[36]);
    // Sixty a second leave 16.7 ms for each. A machine that tests does other things too: a picture may have to wait for them.
    assert!(frames[4] < 16.7 && frames[20] < 100.0, "{frames:?}");
}

#[test]
fn reactions_are_drawn_where_they_act_and_red_where_they_cannot() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    b.open(&page("car-in-a-turn", "1e-10"));
    assert!(b.text("#grip-lost").contains("front_axle loses its grip at t = 5.9"), "{}", b.text("#grip-lost"));
    let legend = b.text("#forces");
    assert!(legend.contains("rear_axle") && legend.contains("front_axle"), "{legend}");
    assert_eq!(b.evaluate("document.querySelectorAll('.lost i').length"), json!(1), "the time axis is red once");
    let seen = |b: &mut Browser, place: u32| {
        b.evaluate(&format!(
            "(async () => {{ const s = document.querySelector('#time'); s.value = {place}; s.dispatchEvent(new Event('input')); \
             await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))); const c = document.querySelector('canvas'); \
             const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let red = 0; \
             for (let i = 0; i < d.length; i += 4) if (d[i] === 200 && d[i + 1] === 40 && d[i + 2] === 30) red += 1; \
             return [red > 20, document.querySelector('.lost-said').textContent]; }})()"
        ))
    };
    assert_eq!(seen(&mut b, 200), json!([false, ""]));
    assert_eq!(seen(&mut b, 600), json!([true, "grip is lost"]));
    b.open(&page("rolling-disk", "1e-10"));
    assert_eq!(b.evaluate("document.querySelector('#grip-lost')"), Value::Null, "the disk holds");
    assert!(b.text("#forces").contains("ground"), "{}", b.text("#forces"));
    // The scale stands there before anything is moved.
    let bar =
        b.evaluate("Number(document.querySelector('.force-scale').getAttribute('width'))").as_f64().expect("a width");
    assert!((5.0..110.0).contains(&bar), "{bar}");
    let force = b.evaluate("Number(document.querySelector('#forces .value').textContent)").as_f64();
    assert!(force.is_some_and(|f| f > 0.0), "{force:?}");
    quiet(&b);
}

#[test]
fn an_equation_of_the_readers_own_is_judged_along_the_motion() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    b.open(&page("rolling-disk", "1e-10"));
    let judge = |b: &mut Browser, text: &str| -> String {
        let answer = b.evaluate(&format!(
            "(() => {{ const f = document.querySelector('#claim'); f.value = {}; f.dispatchEvent(new Event('input')); \
             const a = document.querySelector('#claim-answer'); return a.className + ': ' + a.textContent; }})()",
            json!(text)
        ));
        answer.as_str().expect("text").to_owned()
    };
    let told = judge(&mut b, "x' + r*psi'*cos(phi) = 0");
    assert!(
        told.starts_with("answer yes: Holds along this motion, numerically") && told.contains("noslip verify"),
        "{told}"
    );
    // With abbreviations, quasi-velocities, their derivatives and multipliers.
    for claim in [
        "x_C' = x' - r*phi'*cos(phi)*cos(theta) + r*theta'*sin(phi)*sin(theta)",
        "u2' = theta''",
        "m*x_C'' = lambda_u4",
        "sqrt(u1^2) = abs(u1)",
    ] {
        let told = judge(&mut b, claim);
        assert!(told.starts_with("answer yes"), "{claim}: {told}");
    }
    for claim in ["x' - r*psi'*cos(phi) = 0", "m*x_C'' = -lambda_u4", "u1 = 0"] {
        let told = judge(&mut b, claim);
        assert!(told.starts_with("answer no: Does not hold: at t ="), "{claim}: {told}");
    }
    for (text, why) in [
        ("x' = ", "missing"),
        ("foo = 1", "no name of this model"),
        ("x = 1 = 2", "one “=”"),
        ("sin(x, y)", "1 argument"),
        ("x y", "not expected"),
    ] {
        let told = judge(&mut b, text);
        assert!(told.contains(why), "{text}: {told}");
    }
    quiet(&b);
}

#[test]
fn a_symbol_tells_what_it_is_and_shows_itself_in_the_picture() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    b.open(&page("rolling-disk", "1e-10"));
    b.evaluate(
        "[...document.querySelectorAll('#model mi')].find((e) => e.textContent === 'θ').setAttribute('class', 'here')",
    );
    let before = b.evaluate("document.querySelector('canvas').toDataURL()");
    let (x, y) = b.middle(".here");
    b.mouse("mouseMoved", x, y);
    b.wait("document.querySelector('#tip').hidden === false");
    assert_eq!(b.text("#tip"), "θ: coordinate, theta1.2 at t = 0");
    b.wait("document.querySelector('canvas').dataset.pointed === 'θ'");
    b.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))");
    assert_ne!(before, b.evaluate("document.querySelector('canvas').toDataURL()"));
    b.mouse("mouseMoved", 5.0, 5.0);
    b.wait("document.querySelector('#tip').hidden === true");
    quiet(&b);
}

#[test]
fn plots_zoom_and_save_themselves() {
    let Some(mut b) = super::browser() else { return };
    b.window(1300, 900, false);
    b.open(&page("rolling-disk", "1e-10"));
    intercept(&mut b);
    for (kind, begins) in
        [("SVG", "data:image/svg+xml"), ("CSV", "data:text/csv"), ("PNG", "data:image/png;base64,iVBOR")]
    {
        b.evaluate(&format!(
            "window.saved = null; [...document.querySelectorAll('#plot-coordinates .save button')].find((e) => e.textContent === '{kind}').click()"
        ));
        b.wait("window.saved !== null");
        let saved = b.evaluate("window.saved");
        assert!(saved[1].as_str().is_some_and(|s| s.starts_with(begins)), "{kind}");
        assert_eq!(saved[0], json!(format!("plot-coordinates.{}", kind.to_lowercase())));
    }
    let ticks = "[...document.querySelectorAll('#plot-coordinates svg text[text-anchor=middle]')].map((t) => t.textContent).join()";
    let whole = b.evaluate(ticks);
    let zoom = |b: &mut Browser| {
        b.evaluate(
            "(() => { const f = document.querySelector('#plot-coordinates .frame'); f.focus(); const r = f.getBoundingClientRect(); \
             f.dispatchEvent(new WheelEvent('wheel', { deltaY: -600, clientX: r.left + r.width / 2, clientY: r.top + 50, cancelable: true })); })()",
        )
    };
    zoom(&mut b);
    assert_ne!(b.evaluate(ticks), whole, "fewer seconds");
    b.evaluate("document.querySelector('#plot-coordinates .frame').dispatchEvent(new MouseEvent('dblclick'))");
    assert_eq!(b.evaluate(ticks), whole, "all of them again");
    quiet(&b);
}

#[test]
fn the_first_equation_is_near_the_top_sections_fold_and_a_link_leads_to_a_form() {
    let Some(mut b) = super::browser() else { return };
    let file = page("rolling-disk", "1e-10");
    b.window(1400, 900, false);
    b.open(&file);
    let top = b.evaluate("document.querySelector('.display').getBoundingClientRect().bottom + scrollY");
    assert!(top.as_f64().is_some_and(|y| y < 1800.0), "the first equation ends at {top}");
    b.click("#model .fold");
    assert_eq!(b.evaluate("getComputedStyle(document.querySelector('#model-body')).display"), json!("none"));
    b.click("#model .fold");
    assert_eq!(b.evaluate("document.querySelector('#model .fold').getAttribute('aria-expanded')"), json!("true"));
    b.click("[role=tab][data-form=kane]");
    assert_eq!(b.evaluate("location.hash"), json!("#form=kane"));
    b.call("Page.navigate", json!({"url": "about:blank"}));
    b.call("Page.navigate", json!({"url": format!("file://{}#form=kane", file.display())}));
    b.wait("document.documentElement?.dataset.ready === 'yes'");
    assert_eq!(b.evaluate("document.querySelector('.form:not([hidden])').dataset.form"), json!("kane"));
    quiet(&b);
}

#[test]
fn without_javascript_the_page_has_the_equations() {
    let Some(mut b) = super::browser() else { return };
    let file = page("rolling-disk", "1e-10");
    b.window(1300, 900, false);
    b.call("Emulation.setScriptExecutionDisabled", json!({"value": true}));
    b.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
    // The page's own scripts do not run; those of the test do.
    b.wait("document.readyState === 'complete' && location.protocol === 'file:'");
    let seen = b.evaluate(
        "[[...document.querySelectorAll('main math')].filter((m) => m.getBoundingClientRect().width > 5).length > 6, \
         document.querySelector('main h1').textContent, document.querySelectorAll('canvas').length, \
         /Equations of motion/.test(document.querySelector('main').innerText)]",
    );
    assert_eq!(seen, json!([true, "Rolling disk", 0, true]));
    b.screenshot(&folder().join("without-javascript.png"), false);
}
