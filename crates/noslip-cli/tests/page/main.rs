//! The report in a real browser: opened from disk, clicked through, looked at.
//!
//! Without Chromium these tests say so and pass, unless NOSLIP_REQUIRE_BROWSER is set; `install-chromium.sh` beside
//! this file installs it. Pages and pictures are left in the `page` folder of Cargo's folder for temporary files.

mod book;
mod browser;
mod frames;
mod gallery;
mod play;
mod sample;

use browser::Browser;
use noslip_cli::plot::{self, Column, Plot};
use noslip_cli::report::{Formula, Named, ReportData, Series, Topic, TopicPlot, render};
use serde_json::{Value, json};
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
    assert!(!b.requested.is_empty(), "not even the page itself was asked for");
    assert!(
        b.requested.iter().all(|u| (u.starts_with("file://") && u.ends_with(".html")) || u.starts_with("data:")),
        "{:?}",
        b.requested
    );
}

/// Nothing sticks out of the window sideways.
fn fits(b: &mut Browser) {
    let wide = b.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    assert!(wide[0].as_f64() <= wide[1].as_f64(), "the page is {} wide in a window of {}", wide[0], wide[1]);
}

/// The number a text ends with, minus sign and all.
fn last_number(text: &str) -> f64 {
    let word = text.rsplit(' ').next().unwrap_or("").replace('−', "-");
    word.parse().unwrap_or_else(|_| panic!("no number in {text:?}"))
}

fn time(b: &mut Browser) -> f64 {
    let text = b.text("#time-shown");
    last_number(&text)
}

#[test]
fn what_goes_beyond_the_equations_is_shown_with_its_formulas_and_plots() {
    let Some(mut b) = browser() else { return };
    let mut data = sample::disk();
    let times = data.simulation.as_ref().expect("a motion").times.len();
    let series = |name: &str, scale: f64| Series {
        name: name.into(),
        symbol: Formula::symbol(name),
        values: (0..times).map(|i| scale * i as f64).collect(),
    };
    data.beyond = vec![
        Topic {
            id: "grip".into(),
            title: "Grip".into(),
            sentences: vec!["Grip is lost <b>at</b> t = 1.".into()],
            plots: vec![TopicPlot {
                id: "grip".into(),
                title: "Force and limit".into(),
                series: vec![series("force", 1.0), series("limit", 0.5)],
            }],
            ..Topic::default()
        },
        Topic {
            id: "new-time".into(),
            title: "A new time".into(),
            formulas: vec![Named { name: "N".into(), formula: Formula::symbol("N") }],
            ..Topic::default()
        },
    ];
    b.window(1280, 900, false);
    b.open(&page("beyond", &data));
    let seen = b.evaluate(
        "[[...document.querySelectorAll('#beyond h3')].map((h) => h.textContent), \
         document.querySelectorAll('#beyond #plot-grip svg path').length > 1, \
         document.querySelectorAll('#beyond math').length > 0, \
         document.querySelector('#beyond-grip p').textContent, \
         [...document.querySelectorAll('#contents a')].some((a) => a.hash === '#beyond')]",
    );
    assert_eq!(seen, json!([["Grip", "A new time"], true, true, "Grip is lost <b>at</b> t = 1.", true]));
    fits(&mut b);
    quiet(&b);
    // Without a motion the plots are left out and the rest stays.
    data.simulation = None;
    data.scene = None;
    b.open(&page("beyond-still", &data));
    let seen = b.evaluate(
        "[document.querySelectorAll('#beyond h3').length, document.querySelectorAll('#beyond .plot').length]",
    );
    assert_eq!(seen, json!([2, 0]));
}

#[test]
fn names_and_expressions_in_sentences_are_set_as_mathematics() {
    let Some(mut b) = browser() else { return };
    b.window(1440, 900, false);
    b.open(&page("words", &sample::disk()));
    let seen = b.evaluate(
        "(() => { const last = [...document.querySelectorAll('.sentences li')].at(-1); \
         return [[...last.querySelectorAll('math')].map((m) => m.textContent), last.querySelector('code').textContent, \
         last.textContent.includes(\"the disk's\"), last.textContent.includes('constructor')]; })()",
    );
    let math = seen[0].as_array().expect("a list");
    assert_eq!(math[..5], ["T", "V", "ψ", "x", "y"].map(Value::from), "{seen}");
    assert!(math[5] == "ψ˙" && math[6].as_str().is_some_and(|m| m.starts_with('m')) && math.len() == 7, "{seen}");
    assert_eq!((&seen[1], &seen[2], &seen[3]), (&json!("along_x"), &json!(true), &json!(true)));
    quiet(&b);
}

#[test]
fn long_formulas_are_cut_where_they_must_be_and_their_brackets_fit() {
    let Some(mut b) = browser() else { return };
    let mut data = sample::disk();
    let sum = "<mi>a</mi><mo>+</mo>".repeat(40);
    let tall = "<mfrac><mi>c</mi><mi>d</mi></mfrac><mo>+</mo>";
    let fraction = |inside: &str| {
        format!(
            "<math><mi>x</mi><mo>=</mo><mfrac><mrow><mn>2</mn><mo>\u{2062}</mo><mrow><mo>(</mo>{inside}<mi>b</mi><mo>)</mo></mrow></mrow>\
             <mi>m</mi></mfrac></math>"
        )
    };
    data.reactions = vec![
        Named { name: "short".into(), formula: Formula::new(fraction("<mi>a</mi><mo>+</mo>"), "x") },
        Named { name: "long".into(), formula: Formula::new(fraction(&sum), "x") },
        Named { name: "tall".into(), formula: Formula::new(fraction(&format!("{tall}{sum}")), "x") },
    ];
    b.window(1300, 900, false);
    b.open(&page("brackets", &data));
    let seen = b.evaluate(
        "[...document.querySelectorAll('#reactions .display')].map((d) => [d.querySelectorAll('math').length, \
         d.querySelector('mfrac').textContent, d.querySelector('mo[stretchy=false]') !== null, d.scrollWidth <= d.clientWidth])",
    );
    // The short one stays whole; of the long one, the factor before the bracket stays above the denominator.
    assert_eq!(seen[0], json!([2, "2\u{2062}(a+b)m", true, true]));
    assert_eq!((&seen[1][1], &seen[1][2], &seen[1][3]), (&json!("2m"), &json!(true), &json!(true)));
    assert!(seen[1][0].as_u64().is_some_and(|n| n > 30), "{seen}");
    // Brackets around a fraction are as tall as it is, though lines apart.
    let heights = b.evaluate(
        "[...document.querySelectorAll('#reactions .display')].map((d) => [...d.querySelectorAll('mo')].filter((o) => '()'.includes(o.textContent)) \
         .map((o) => o.getBoundingClientRect().height > 1.6 * parseFloat(getComputedStyle(o).fontSize)))",
    );
    assert_eq!(heights, json!([[false, false], [false, false], [true, true]]));
    quiet(&b);
}

#[test]
fn every_form_can_be_chosen_and_shows_its_equations() {
    let Some(mut b) = browser() else { return };
    let data = sample::disk();
    b.window(1440, 900, false);
    b.open(&page("forms", &data));
    for form in &data.forms {
        b.click(&format!("[role=tab][data-form={}]", form.id));
        let panel = format!(".form[data-form={}]", form.id);
        let seen = b.evaluate(&format!(
            "(() => {{ const p = document.querySelector('{panel}'); return [p.hidden, p.querySelectorAll('.display').length, \
             [...p.querySelectorAll('.display')].every((d) => d.querySelector('math') && d.getBoundingClientRect().height > 10), \
             document.querySelectorAll('.form:not([hidden])').length]; }})()"
        ));
        let rows = form.equations.len() + form.kinematics.len() + form.objects.len();
        assert_eq!(seen, json!([false, rows, true, 1]), "{}", form.name);
        fits(&mut b);
    }
    b.key("Home");
    assert_eq!(
        b.evaluate("document.activeElement.dataset.form"),
        json!("lagrange-multipliers"),
        "the keyboard moves too"
    );
    b.key("ArrowDown");
    assert_eq!(b.evaluate("document.querySelector('.form:not([hidden])').dataset.form"), json!("boltzmann-hamel"));
    b.click("#all-forms");
    b.wait(&format!("document.querySelectorAll('.form:not([hidden])').length === {}", data.forms.len()));
    fits(&mut b);
    quiet(&b);
}

#[test]
fn a_long_equation_wraps_inside_its_own_box() {
    let Some(mut b) = browser() else { return };
    let file = page("long", &sample::disk());
    for width in [1440, 800, 390, 320] {
        b.window(width, 900, false);
        b.open(&file);
        b.evaluate("document.querySelector('#all-forms').click()");
        fits(&mut b);
        let outside = b.evaluate(
            "[...document.querySelectorAll('.display')].filter((d) => d.getBoundingClientRect().right > innerWidth + 1).length",
        );
        assert_eq!(outside, json!(0), "at {width}");
    }
    quiet(&b);
}

#[test]
fn what_is_far_from_the_window_is_cut_in_its_place_and_in_a_picture_of_the_whole_page() {
    let Some(mut b) = browser() else { return };
    b.window(1440, 900, false);
    b.open(&page("far", &sample::disk()));
    b.evaluate("document.querySelector('#all-forms').click()");
    b.window(390, 900, false);
    b.wait("document.documentElement.dataset.fitted === '390'");
    let seen = b.evaluate(
        "(async () => { const rows = [...document.querySelectorAll('.equation')].filter((e) => e.getClientRects().length); \
         const left = rows.filter((e) => !e.firstElementChild.checkVisibility({ contentVisibilityAuto: true })); const wrong = []; \
         for (const row of rows.filter((e, i) => i % 4 === 0)) { row.scrollIntoView({ block: 'center', behavior: 'instant' }); \
         await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))); \
         const boxes = [...row.children].map((e) => e.getBoundingClientRect()); const place = row.getBoundingClientRect(); \
         const inside = Math.max(...boxes.map((e) => e.bottom)) - Math.min(...boxes.map((e) => e.top)); const line = row.querySelector('.display'); \
         if (line.scrollWidth > line.clientWidth + 1 || Math.abs(place.height - inside) > 4 || place.bottom < 0 || place.top > innerHeight) \
         wrong.push([place.height, inside, place.top, line.textContent]); } return [rows.length, left.length, wrong]; })()",
    );
    let count = |k: usize| seen[k].as_u64().expect("a number");
    assert!(count(0) > 40 && count(1) == 0, "of the rows none is left out when all are fitted: {seen}");
    assert_eq!(seen[2], json!([]), "whoever goes there finds it cut for this width and in its place");
    quiet(&b);
}

#[test]
fn an_equation_of_ten_thousand_terms_waits_until_it_is_asked_for() {
    let Some(mut b) = browser() else { return };
    let mut data = sample::disk();
    let terms: String = (0..10_000).map(|k| format!("<mo>+</mo><mn>{k}</mn><mi>x</mi>")).collect();
    data.forms[0].equations[0].formula.mathml = format!("<math><mi>x</mi>{terms}</math>");
    b.window(1200, 900, false);
    b.open(&page("huge", &data));
    assert_eq!(b.evaluate("document.querySelectorAll('.form:not([hidden]) .huge').length"), json!(1));
    fits(&mut b);
    b.evaluate("document.querySelector('.huge button').click()");
    assert_eq!(b.evaluate("document.querySelector('.form:not([hidden]) .display').childElementCount"), json!(10_001));
    fits(&mut b);
    quiet(&b);
}

#[test]
fn the_animation_plays_pauses_and_obeys_the_slider() {
    let Some(mut b) = browser() else { return };
    b.window(1200, 900, false);
    b.open(&page("play", &sample::disk()));
    let picture = "document.querySelector('canvas').toDataURL()";
    let before = b.evaluate(picture);
    b.click("#play");
    assert_eq!(b.text("#play"), "Pause");
    b.wait("parseFloat(document.querySelector('canvas').dataset.time) > 0.3");
    b.click("#play");
    assert_eq!(b.text("#play"), "Play");
    let stopped = time(&mut b);
    assert!(stopped >= 0.3, "{stopped}");
    assert_ne!(before, b.evaluate(picture), "the picture changes");
    b.evaluate("new Promise((r) => setTimeout(r, 200))");
    assert_eq!(time(&mut b), stopped, "a pause is a pause");
    b.evaluate(
        "(() => { const s = document.querySelector('#time'); s.value = 500; s.dispatchEvent(new Event('input')); })()",
    );
    assert_eq!(time(&mut b), 3.0);
    b.evaluate(
        "(() => { const s = document.querySelector('#speed'); s.value = 4; s.dispatchEvent(new Event('change')); })()",
    );
    b.evaluate("document.querySelector('#loop').click()");
    b.click("#play");
    b.wait("document.querySelector('#play').textContent === 'Play'");
    assert_eq!(time(&mut b), 6.0, "without a loop it stops at the end");
    quiet(&b);
}

#[test]
fn the_view_turns_by_hand_and_by_keyboard() {
    let Some(mut b) = browser() else { return };
    b.window(1200, 900, false);
    b.open(&page("turn", &sample::disk()));
    let picture = "document.querySelector('canvas').toDataURL()";
    let shown = |b: &mut Browser| -> Value {
        b.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))");
        b.evaluate(picture)
    };
    let first = shown(&mut b);
    let (x, y) = b.middle("canvas");
    b.mouse("mousePressed", x, y);
    b.mouse("mouseMoved", x + 80.0, y + 20.0);
    b.mouse("mouseReleased", x + 80.0, y + 20.0);
    let turned = shown(&mut b);
    assert_ne!(first, turned);
    b.key("+");
    assert_ne!(turned, shown(&mut b));
    b.key("0");
    assert_eq!(first, shown(&mut b), "0 brings the first view back");
    quiet(&b);
}

#[test]
fn a_plot_tells_the_value_under_the_pointer_and_moves_the_clock_when_clicked() {
    let Some(mut b) = browser() else { return };
    let data = sample::disk();
    b.window(1200, 900, false);
    b.open(&page("plots", &data));
    let frame = "#plot-coordinates .frame";
    let (x, y) = b.middle(frame);
    b.mouse("mouseMoved", x, y);
    let simulation = data.simulation.as_ref().expect("a motion");
    let at = last_number(&b.text("#plot-coordinates .at"));
    assert!((at - 3.0).abs() < 0.6, "the middle of the plot is the middle of the time: {at}");
    let index = (at * 100.0).round() as usize;
    for (k, series) in simulation.coordinates.iter().enumerate() {
        let shown = last_number(&b.text(&format!("#plot-coordinates li:nth-child({}) .value", k + 1)));
        let value = series.values[index];
        assert!((shown - value).abs() < 0.03 * (1.0 + value.abs()), "{}: {shown} is not {value}", series.name);
    }
    assert!((last_number(&b.text("#plot-velocities .at")) - at).abs() < 1e-9, "all plots show the same time");
    b.mouse("mouseMoved", x, 5.0);
    assert_eq!(last_number(&b.text("#plot-coordinates .at")), 0.0, "the pointer gone, the clock counts again");
    b.click(frame);
    b.mouse("mouseMoved", 5.0, 5.0);
    assert!((time(&mut b) - at).abs() < 0.02, "a click sets the clock");
    b.evaluate(&format!("document.querySelector('{frame}').focus()"));
    b.key("Home");
    assert_eq!(time(&mut b), 0.0);
    b.key("ArrowRight");
    assert!(time(&mut b) > 0.0);
    let spoken = b.evaluate(&format!("document.querySelector('{frame}').getAttribute('aria-valuetext')"));
    assert!(spoken.as_str().is_some_and(|s| s.starts_with("t = 0.03; phi 0.2")), "{spoken}");
    b.click("#plot-coordinates .quiet");
    b.click("#plot-coordinates li:nth-child(3) button");
    assert_eq!(b.evaluate("document.querySelectorAll('#plot-coordinates .curve').length"), json!(4));
    quiet(&b);
}

#[test]
fn the_plots_a_model_asks_for_come_first_and_follow_the_clock() {
    let Some(mut b) = browser() else { return };
    b.window(1200, 900, false);
    b.open(&page("figures", &sample::disk()));
    assert_eq!(b.evaluate("document.querySelectorAll('#figures figure').length"), json!(2));
    assert_eq!(b.evaluate("document.querySelectorAll('#figure-1 .curve').length"), json!(1));
    assert_eq!(b.evaluate("document.querySelectorAll('#figure-2 .curve').length"), json!(2));
    let place = "document.querySelector('#figure-1 .dot').getAttribute('cx')";
    let before = b.evaluate(place);
    b.click("#figure-2 .frame");
    assert_ne!(b.evaluate(place), before, "the dot on the track moves with the time");
    assert!(b.text("#figure-1").contains("Track of the contact"));
    fits(&mut b);
    quiet(&b);
}

#[test]
fn latex_is_copied_or_offered_for_copying() {
    let Some(mut b) = browser() else { return };
    let data = sample::disk();
    b.window(1200, 900, false);
    b.open(&page("copy", &data));
    b.evaluate("navigator.clipboard.writeText = (t) => { window.copied = t; return Promise.resolve(); }; 0");
    b.click("#model .copy");
    assert_eq!(b.evaluate("window.copied"), json!(data.model.constraints[0].formula.latex));
    b.evaluate(
        "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => { \
         window.copied = 'old way: ' + document.activeElement.value; return true; }; 0",
    );
    b.click("#reactions .copy");
    b.wait("window.copied.startsWith('old way')");
    assert_eq!(b.evaluate("window.copied"), json!(format!("old way: {}", data.reactions[0].formula.latex)));
    b.evaluate("document.execCommand = () => false; 0");
    b.click(".form:not([hidden]) .tools .copy");
    b.wait("document.querySelector('dialog[open] textarea') !== null");
    let shown = b.evaluate("document.querySelector('dialog textarea').value");
    assert!(shown.as_str().is_some_and(|s| s.starts_with("\\begin{align*}")), "{shown}");
    b.click("dialog button");
    // A dialog is closed by an event that comes later.
    b.wait("document.querySelector('dialog') === null");
    quiet(&b);
}

#[test]
fn light_and_dark_follow_the_system_and_the_button() {
    let Some(mut b) = browser() else { return };
    let file = page("theme", &sample::plain());
    let paper = "getComputedStyle(document.body).backgroundColor";
    let mut seen = Vec::new();
    for dark in [false, true] {
        b.window(1200, 900, dark);
        b.open(&file);
        seen.push(b.evaluate(paper));
    }
    assert_ne!(seen[0], seen[1]);
    b.click("#theme");
    assert_eq!(b.evaluate(paper), seen[0], "light, though the system is dark");
    b.click("#theme");
    b.click("#theme");
    assert_eq!(b.evaluate(paper), seen[1], "as the system again");
    quiet(&b);
}

#[test]
fn text_is_readable_in_light_and_dark() {
    let Some(mut b) = browser() else { return };
    let file = page("contrast", &sample::disk());
    let contrast = "(() => { const lum = (c) => { const v = c.match(/[\\d.]+/g).slice(0, 3).map((x) => { x /= 255; \
        return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; }; \
        const paper = lum(getComputedStyle(document.body).backgroundColor); \
        return [...document.querySelectorAll('p, h1, h2, h3, h4, a, button, label, td, th, output, text, figcaption, .note, .facts')] \
        .filter((e) => e.getClientRects().length).map((e) => { const s = getComputedStyle(e); \
        const c = lum(e.localName === 'text' ? s.fill : s.color); \
        return [(Math.max(c, paper) + 0.05) / (Math.min(c, paper) + 0.05), e.className.baseVal ?? e.className, e.localName]; }) \
        .sort((a, b) => a[0] - b[0])[0]; })()";
    for dark in [false, true] {
        b.window(1200, 900, dark);
        b.open(&file);
        let worst = b.evaluate(contrast);
        assert!(worst[0].as_f64().is_some_and(|c| c >= 4.5), "dark: {dark}, {worst}");
    }
}

#[test]
fn hostile_names_and_formulas_neither_run_nor_break_the_page() {
    let Some(mut b) = browser() else { return };
    let data = sample::hostile();
    let file = page("hostile", &data);
    for width in [1200, 390] {
        b.window(width, 900, false);
        b.open(&file);
        b.evaluate("document.querySelectorAll('button:not(#theme)').forEach((e) => e.click())");
        b.evaluate(
            "document.querySelectorAll('math, math *').forEach((e) => e.dispatchEvent(new MouseEvent('click')))",
        );
        b.evaluate("new Promise((r) => setTimeout(r, 300))");
        assert_eq!(b.evaluate("document.documentElement.dataset.owned ?? null"), Value::Null);
        assert_eq!(b.text("h1"), data.name);
        assert_eq!(b.evaluate("document.title"), json!(data.name));
        let strange = "document.querySelectorAll('main img, main script, main iframe, main [onclick], main [onerror], math [href], \
                       math[style], annotation-xml').length";
        assert_eq!(b.evaluate(strange), json!(0));
        fits(&mut b);
        b.screenshot(&folder().join(format!("hostile-{width}.png")), true);
        quiet(&b);
    }
}

#[test]
fn a_report_without_a_motion_or_forms_is_still_a_page() {
    let Some(mut b) = browser() else { return };
    b.window(1200, 900, false);
    b.open(&page("empty", &ReportData { name: "Nothing yet".to_owned(), ..ReportData::default() }));
    assert_eq!(b.text("h1"), "Nothing yet");
    assert_eq!(b.evaluate("document.querySelectorAll('canvas, .plot, #equations').length"), json!(0));
    quiet(&b);
}

#[test]
fn every_shape_is_drawn_in_the_plane_and_in_space() {
    let Some(mut b) = browser() else { return };
    for (name, data) in [("zoo", sample::zoo()), ("flat-zoo", sample::flat_zoo()), ("plain", sample::plain())] {
        b.window(1000, 900, false);
        b.open(&page(name, &data));
        b.evaluate(
            "(() => { const s = document.querySelector('#time'); s.value = 330; s.dispatchEvent(new Event('input')); })()",
        );
        b.evaluate("new Promise((r) => setTimeout(r, 200))");
        let colours = b.evaluate(
            "(() => { const c = document.querySelector('canvas'); const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
             const s = new Set(); for (let i = 0; i < d.length; i += 4) s.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]); return s.size; })()",
        );
        assert!(colours.as_u64().is_some_and(|n| n > 30), "{name}: only {colours} colours");
        b.screenshot(&folder().join(format!("{name}.png")), false);
        quiet(&b);
    }
}

#[test]
fn the_page_prints_in_light_colours_with_the_chosen_form() {
    let Some(mut b) = browser() else { return };
    b.window(1200, 900, true);
    b.open(&page("print", &sample::disk()));
    let dark = b.evaluate("getComputedStyle(document.body).backgroundColor");
    b.evaluate("addEventListener('beforeprint', () => { window.paper = getComputedStyle(document.documentElement).getPropertyValue('--paper'); }); 0");
    let file = folder().join("disk.pdf");
    b.pdf(&file);
    assert_eq!(b.evaluate("window.paper.trim()"), json!("#fdfcfa"));
    assert_eq!(b.evaluate("getComputedStyle(document.body).backgroundColor"), dark, "the screen is dark again");
    let bytes = std::fs::read(&file).expect("reads");
    assert!(bytes.starts_with(b"%PDF") && bytes.len() > 50_000, "{} bytes", bytes.len());
    quiet(&b);
}

#[test]
fn pictures_of_the_disk_to_look_at() {
    let Some(mut b) = browser() else { return };
    let file = page("disk", &sample::disk());
    for (name, width, dark) in [("light", 1440, false), ("dark", 1440, true), ("narrow", 390, false)] {
        b.window(width, 900, dark);
        b.open(&file);
        b.evaluate("(() => { const s = document.querySelector('#time'); s.value = 270; s.dispatchEvent(new Event('input')); })()");
        b.evaluate("new Promise((r) => setTimeout(r, 300))");
        fits(&mut b);
        b.screenshot(&folder().join(format!("disk-{name}.png")), true);
        quiet(&b);
    }
}

#[test]
fn plots_on_their_own_are_pictures_a_browser_can_show() {
    let simulation = sample::disk().simulation.expect("a motion");
    let column = |s: &noslip_cli::report::Series| Column::new(s.name.clone(), s.values.clone());
    let time = Column::new("t", simulation.times.clone());
    let plots = [
        Plot::over_time("Rolling disk", time.clone(), simulation.velocities.iter().map(column).collect()),
        Plot::over_time("", time, simulation.multipliers.iter().map(column).collect()),
        Plot::phase("", column(&simulation.coordinates[3]), column(&simulation.coordinates[4])),
    ];
    let file = folder().join("plot.svg");
    std::fs::write(&file, plot::svg(&plots)).expect("writes");
    std::fs::write(folder().join("plot.png"), plot::png(&plots)).expect("writes");
    let Some(mut b) = browser() else { return };
    b.window(760, 1300, false);
    b.complaints.clear();
    b.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
    b.wait("document.documentElement?.localName === 'svg' && document.readyState === 'complete'");
    assert_eq!(b.evaluate("document.querySelectorAll('path[stroke-width=\"1.6\"]').length"), json!(8));
    b.screenshot(&folder().join("plot-svg.png"), false);
    assert!(b.complaints.is_empty(), "{:?}", b.complaints);
    let picture = format!("<img src=\"file://{}\">", folder().join("plot.png").display());
    let file = folder().join("picture.html");
    std::fs::write(&file, picture).expect("writes");
    b.call("Page.navigate", json!({"url": format!("file://{}", file.display())}));
    b.wait("document.querySelector('img')?.complete === true");
    assert_eq!(b.evaluate("document.querySelector('img').naturalWidth"), json!(1440), "a PNG that decodes");
}
