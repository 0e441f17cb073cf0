//! The pictures of the gallery page are what the program draws.
//!
//! `NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli pictures` draws them anew.

use crate::book::{blessing, word};
use crate::program::{Folder, noslip, project};
use std::collections::BTreeSet;

/// Numbers of path data, in which a sign may follow a number without a space.
fn numbers(text: &str) -> Vec<f64> {
    let spaced = text.replace('-', " -");
    spaced.split_whitespace().map(|n| n.parse().unwrap_or_else(|_| panic!("`{n}` in `{text}`"))).collect()
}

/// The corners of the outlines and lines of an SVG by this program: `M` to a place, `l` along steps.
fn outlines(svg: &str) -> Vec<Vec<(f64, f64)>> {
    let mut all = Vec::new();
    for d in svg.split("<path d=\"").skip(1).map(|p| p.split('"').next().unwrap_or_default()) {
        for part in d.split('M').filter(|p| !p.is_empty()) {
            let (start, steps) = part.trim_end_matches('z').split_once('l').unwrap_or((part.trim_end_matches('z'), ""));
            let start = numbers(start);
            let mut points = vec![(start[0], start[1])];
            for step in numbers(steps).chunks(2) {
                let (x, y) = points[points.len() - 1];
                points.push((x + step[0], y + step[1]));
            }
            if part.ends_with('z') {
                points.push(points[0]);
            }
            all.push(points);
        }
    }
    all
}

/// Squares of four units that the lines touch.
fn touched(svg: &str) -> BTreeSet<(i64, i64)> {
    let mut cells = BTreeSet::new();
    for line in outlines(svg) {
        for pair in line.windows(2) {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let steps = (dx.hypot(dy).min(4000.0) / 2.0).ceil().max(1.0) as usize;
            for k in 0..=steps {
                let s = k as f64 / steps as f64;
                cells
                    .insert((((pair[0].0 + s * dx) / 4.0).floor() as i64, ((pair[0].1 + s * dy) / 4.0).floor() as i64));
            }
        }
    }
    cells
}

/// Whether each line of one picture lies beside one of the other, both ways: rounding may move a corner, not a body.
fn alike(a: &str, b: &str) -> bool {
    let (a, b) = (touched(a), touched(b));
    let near = |cell: &(i64, i64), all: &BTreeSet<(i64, i64)>| {
        (-1..=1).any(|dx| (-1..=1).any(|dy| all.contains(&(cell.0 + dx, cell.1 + dy))))
    };
    let lost = |from: &BTreeSet<(i64, i64)>, to: &BTreeSet<(i64, i64)>| from.iter().filter(|c| !near(c, to)).count();
    (lost(&a, &b) + lost(&b, &a)) * 200 <= a.len() + b.len()
}

#[test]
fn pictures_are_alike_up_to_rounding_and_differ_when_a_body_moves() {
    let picture = |x: f64| format!("<path d=\"M{x} 10l50 0 0 30-50 0z\" fill=\"#fff\"/>");
    assert!(alike(&picture(100.0), &picture(100.3)));
    assert!(!alike(&picture(100.0), &picture(110.0)));
    assert!(!alike(&picture(100.0), &format!("{}{}", picture(100.0), picture(200.0))));
    assert_eq!(outlines("<path d=\"M1 2l.5-.5 1 1z\"/>"), [vec![(1.0, 2.0), (1.5, 1.5), (2.5, 2.5), (1.0, 2.0)]]);
}

#[test]
fn the_pictures_of_the_gallery_are_what_the_program_draws() {
    let list = noslip(&["demo", "--format", "json"]).json("demo");
    let names: Vec<&str> = list["models"].as_array().expect("a list").iter().map(|m| word(m, "name")).collect();
    let folder = Folder::new();
    let (place, mut bytes) = (project().join("docs/src/gallery"), 0);
    for name in &names {
        let file = format!("{name}.svg");
        folder.run(&["draw", name, "-o", &file, "--width", "360", "--height", "240"]).fine();
        let drawn = folder.read(&file);
        assert!(drawn.matches("<path").count() >= 3, "{name}: something is drawn");
        let kept = std::fs::read_to_string(place.join(&file)).unwrap_or_default();
        if !alike(&kept, &drawn) {
            assert!(blessing(), "{file} is out of date: NOSLIP_BLESS=1 cargo test -p noslip-cli --test cli pictures");
            std::fs::write(place.join(&file), &drawn).expect("writes");
        }
        bytes += drawn.len();
    }
    assert!(
        names.len() == noslip_gallery::MODELS.len() && bytes < 1_000_000,
        "{} pictures, {bytes} bytes",
        names.len()
    );
    for entry in std::fs::read_dir(place).expect("lists").map(|e| e.expect("an entry").path()) {
        let stem = entry.file_stem().expect("a name").to_string_lossy().into_owned();
        let picture = entry.extension().is_some_and(|x| x == "svg");
        assert!(!picture || names.contains(&stem.as_str()), "{stem}.svg is the picture of no model");
    }
}
