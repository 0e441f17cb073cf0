//! Interim timing.
use noslip::Limits;
use noslip::forms::Dynamics;
use noslip::model::Model;
use std::time::Instant;
fn trailers(n: usize) -> String {
    let mut c = vec!["x".to_string(), "y".into()];
    for i in 0..=n {
        c.push(format!("th{i}"));
    }
    let mut t = format!(
        "noslip = 1\n[system]\nname = \"t\"\ncoordinates = {c:?}\n[parameters]\nm = 1.0\nJ = 0.1\nl = 0.5\n[definitions]\nx0 = \"x\"\ny0 = \"y\"\n"
    );
    for i in 1..=n {
        t += &format!("x{i} = \"x{} - l*cos(th{i})\"\ny{i} = \"y{} - l*sin(th{i})\"\n", i - 1, i - 1);
    }
    let k: Vec<String> = (0..=n).map(|i| format!("m/2*(x{i}'^2+y{i}'^2)+J/2*th{i}'^2")).collect();
    t += &format!("[energy]\nkinetic = \"{}\"\n[constraints]\n", k.join("+"));
    for i in 0..=n {
        t += &format!("c{i} = \"x{i}'*sin(th{i}) - y{i}'*cos(th{i})\"\n");
    }
    t
}
fn main() {
    for n in [1, 2, 4, 8, 16, 32] {
        let text = trailers(n);
        let t0 = Instant::now();
        let mut best = f64::MAX;
        let mut nodes = 0;
        let m = Model::load(&text, "m", &Limits::default()).unwrap_or_else(|e| panic!("{e:?}"));
        let load = t0.elapsed();
        for _ in 0..5 {
            let mut m = m.clone();
            let t0 = Instant::now();
            let d = Dynamics::of(&mut m.arena, &m.system);
            best = best.min(t0.elapsed().as_secs_f64());
            nodes = m.arena.len();
            std::hint::black_box(d);
        }
        println!("n={n} load {load:?} derive {:.3} ms nodes {nodes}", best * 1e3);
    }
}
