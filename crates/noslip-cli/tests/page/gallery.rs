//! The page of every model of the gallery, written by the program and opened from disk.

use super::{Browser, fits, folder, quiet};
use noslip_gallery::MODELS;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// No page is larger: it must open at once on a telephone.
const LARGEST: u64 = 6_000_000;

/// The page of a model, written by the real program.
fn report(model: &str, file: PathBuf) -> PathBuf {
    let name = model;
    let answer = Command::new(env!("CARGO_BIN_EXE_noslip"))
        .args(["report", model, "-o"])
        .arg(&file)
        .output()
        .expect("the program starts");
    assert!(answer.status.success(), "{name}: {}", String::from_utf8_lossy(&answer.stderr));
    assert!(answer.stderr.is_empty(), "{name}: {}", String::from_utf8_lossy(&answer.stderr));
    file
}

/// How many colours the animation has at a place of the slider, and a fingerprint of its picture.
fn picture(b: &mut Browser, place: u32) -> (u64, Value) {
    let script = format!(
        "(async () => {{ const s = document.querySelector('#time'); s.value = {place}; s.dispatchEvent(new Event('input')); \
         await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))); \
         const c = document.querySelector('canvas'); const copy = new OffscreenCanvas(c.width, c.height).getContext('2d', {{ willReadFrequently: true }}); \
         copy.drawImage(c, 0, 0); const d = copy.getImageData(0, 0, c.width, c.height).data; const seen = new Set(); let mark = 0; for (let i = 0; i < d.length; i += 4) {{ \
         const rgb = (d[i] << 16) | (d[i + 1] << 8) | d[i + 2]; seen.add(rgb); mark = (Math.imul(mark, 31) + rgb) | 0; }} \
         return [seen.size, mark]; }})()"
    );
    let answer = b.evaluate(&script);
    (answer[0].as_u64().expect("a number"), answer[1].clone())
}

/// What holds for every page. Shapes and formulas differ; that they are there and fit does not.
fn look_at(b: &mut Browser, name: &str, folder: &Path) {
    // Printed if the test fails: the last names are those of the pages it failed on.
    println!("{name}");
    let file = report(name, folder.join(format!("{name}.html")));
    let size = std::fs::metadata(&file).expect("a file").len();
    assert!(size < LARGEST, "{name}: the page has {size} bytes");
    b.window(1400, 900, false);
    b.open(&file);
    let (colours, start) = picture(b, 0);
    assert!(colours > 8, "{name}: the animation shows {colours} colours only");
    let moves = [370, 730, 1000].into_iter().any(|place| picture(b, place).1 != start);
    assert!(moves, "{name}: the animation does not move");
    picture(b, 370);
    b.screenshot(&folder.join(format!("{name}.png")), false);
    // Every form, one below the other, in a wide window and in a narrow one.
    b.evaluate("document.querySelector('#all-forms').click()");
    let seen = b.evaluate(
        "(() => { const shown = [...document.querySelectorAll('.display')]; return [document.querySelectorAll('.form:not([hidden])').length, \
         document.querySelectorAll('[role=tab]').length, shown.filter((d) => d.getBoundingClientRect().height < 10).length, \
         shown.filter((d) => !d.querySelector('math') && !d.classList.contains('huge')).length, \
         document.querySelectorAll('.drawing .curve').length > 3, /undefined|NaN/.test(document.querySelector('main').innerText)]; })()",
    );
    assert!(seen[0].as_u64().is_some_and(|n| n > 0), "{name}: no form is shown");
    assert_eq!(seen, json!([seen[1], seen[1], 0, 0, true, false]), "{name}");
    // All that is folded away, opened; then its lines are fitted, as they are for another width.
    b.evaluate(
        "document.querySelectorAll('details').forEach((d) => { d.open = true; }); \
         new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))",
    );
    for width in [1400, 380] {
        b.window(width, 900, width == 380);
        b.wait(&format!("document.documentElement.dataset.fitted === '{width}'"));
        fits(b);
        nothing_is_cut_off(b, &format!("{name} in a window of {width}"));
        let outside = b.evaluate(
            "[...document.querySelectorAll('.display, canvas, table, .drawing, pre, h1, p')].filter((e) => !e.closest('.scroll') \
             && e.getBoundingClientRect().right > innerWidth + 1).map((e) => e.outerHTML.slice(0, 200))",
        );
        assert_eq!(outside, json!([]), "{name} in a window of {width}");
    }
    // On paper, where nothing scrolls.
    b.evaluate("dispatchEvent(new Event('beforeprint'))");
    nothing_is_cut_off(b, &format!("{name} on paper"));
    b.evaluate("dispatchEvent(new Event('afterprint'))");
    quiet(b);
}

/// No formula is wider than its column.
fn nothing_is_cut_off(b: &mut Browser, place: &str) {
    let wide = b.evaluate(
        "(() => { const shown = (e) => e.getClientRects().length > 0; const lines = [...document.querySelectorAll('.display, .values li')].filter(shown); \
         const out = lines.filter((d) => d.scrollWidth > d.clientWidth + 1).map((d) => [d.scrollWidth, d.clientWidth, d.textContent.slice(0, 120)]); \
         for (const m of document.querySelectorAll('.wrapping > math')) { const column = m.closest('li, p, dd, td, figcaption'); \
         if (shown(m) && column && m.getBoundingClientRect().right > column.getBoundingClientRect().right + 1) out.push(['in words', m.textContent.slice(0, 120)]); } \
         return [lines.length > 0, out]; })()",
    );
    assert_eq!(wide, json!([true, []]), "{place}");
}

#[test]
fn the_page_of_every_gallery_model_opens_fits_and_moves() {
    let Some(first) = super::browser() else { return };
    let folder = folder().join("gallery");
    std::fs::create_dir_all(&folder).expect("a folder");
    let next = AtomicUsize::new(0);
    let work = |mut b: Browser| {
        while let Some((name, _)) = MODELS.get(next.fetch_add(1, Ordering::Relaxed)) {
            look_at(&mut b, name, &folder);
        }
    };
    let second = super::browser().expect("a second one like the first");
    std::thread::scope(|s| {
        s.spawn(|| work(first));
        work(second);
    });
}

#[test]
fn a_model_file_with_hostile_names_neither_scripts_nor_breaks_its_page() {
    let Some(mut b) = super::browser() else { return };
    let evil = "</script><script>document.documentElement.dataset.owned = 1</script><img src=x onerror='document.documentElement.dataset.owned = 2'>";
    let (q, name) = ("q".repeat(2000), format!("{evil} `מכונית` 轮 🛷 \u{202e} {}", "L".repeat(3000)));
    let text = format!(
        "noslip = 1\n[system]\nname = \"{name}\"\nsource = \"{evil}\"\ndescription = \"<!-- {evil} {{{{data}}}} ${{1}}\"\n\
         coordinates = [\"x\", \"{q}\"]\n[definitions]\nD_{q} = \"x + {q}\"\n[energy]\nkinetic = \"(x'^2 + D_{q}'^2)/2\"\n[constraints]\n\
         c_{q} = \"x' = {q}*{q}'\"\n[initial]\nposition = {{ x = 0, {q} = 1 }}\nvelocity = {{ {q} = 1 }}\n[simulation]\nuntil = 1\n\
         [[drawing]]\nshape = \"point\"\nat = [\"x\", \"{q}\"]\nlabel = \"{evil}\"\n[view]\ncaption = \"{evil}\"\n"
    );
    let model = folder().join("hostile.toml");
    std::fs::write(&model, text).expect("writes");
    let file = report(&model.display().to_string(), folder().join("hostile-file.html"));
    for width in [1200, 380] {
        b.window(width, 900, false);
        b.open(&file);
        b.evaluate("document.querySelectorAll('button:not(#theme), #all-forms, summary').forEach((e) => e.click())");
        b.evaluate("new Promise((r) => setTimeout(r, 300))");
        assert_eq!(b.evaluate("document.documentElement.dataset.owned ?? null"), Value::Null);
        assert_eq!(b.evaluate("document.querySelectorAll('main img, main script, main iframe').length"), json!(0));
        assert_eq!(b.text("main h1"), name);
        fits(&mut b);
        quiet(&b);
    }
}
