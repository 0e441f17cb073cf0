use super::*;
use crate::report::drawing::Drawing;

/// A drawing at t = 0, 1, 2, where `t` is the only name.
fn scene(text: &str) -> Scene {
    let drawing = Drawing::parse(text).expect("reads").expect("a drawing");
    drawing
        .sample(&mut |e: &str| {
            Ok(match e {
                "t" => vec![0.0, 1.0, 2.0],
                "gap" => vec![0.0, f64::NAN, 1.0],
                "spike" => vec![0.5, 0.6, 1e4],
                number => vec![number.parse().expect("a number"); 3],
            })
        })
        .expect("samples")
}

fn sheet(text: &str, sample: usize) -> Sheet {
    Still { scene: &scene(text), times: &[0.0, 1.0, 2.0], sample, size: (360.0, 240.0), title: "A <picture>" }.sheet()
}

fn corners(sheet: &Sheet) -> impl Iterator<Item = Point> {
    sheet.marks.iter().skip(1).flat_map(|m| match m {
        Mark::Path { parts, .. } | Mark::Fill { parts, .. } => parts.concat(),
        Mark::Text { x, y, .. } => vec![(*x, *y)],
    })
}

const SHAPES: &str = "
[[drawing]]\nshape = \"plane\"\n[[drawing]]\nshape = \"trail\"\nof = [\"t\", 0]\n[[drawing]]\nshape = \"trail\"\nof = [\"t\", 0, 2]
[[drawing]]\nshape = \"point\"\nat = [\"t\", 1]\nheading = \"t\"\n[[drawing]]\nshape = \"segment\"\nfrom = [0, 0]\nto = [\"t\", 1, 1]
[[drawing]]\nshape = \"polyline\"\npoints = [[0, 0], [1, 0], [1, 1]]\nangle = \"t\"\n[[drawing]]\nshape = \"circle\"\ncenter = [0, 0, 1]\nradius = 1
[[drawing]]\nshape = \"polygon\"\npoints = [[0, 0], [1, 0], [2, 0], [1, 1]]\n[[drawing]]\nshape = \"disk\"\ncenter = [0, 0, 1]\nradius = 1\neuler = [\"t\", 1, \"t\"]
[[drawing]]\nshape = \"disk\"\ncenter = [0, 0, 1]\nradius = 1\nthickness = 0.2\nnormal = [1, 0, 0]\nspin = \"t\"
[[drawing]]\nshape = \"sphere\"\ncenter = [2, 0, 1]\nradius = 1\nquaternion = [1, \"t\", 0, 0]\n[[drawing]]\nshape = \"ellipsoid\"\ncenter = [0, 2, 1]\naxes = [1, 2, 3]
[[drawing]]\nshape = \"box\"\ncenter = [0, 0, 3]\nsize = [1, 2, 3]\nmatrix = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]
[[drawing]]\nshape = \"spring\"\nfrom = [0, 0]\nto = [0, 0, \"t\"]\n[[drawing]]\nshape = \"arrow\"\nat = [0, 0]\nvector = [\"t\", 1]
[[drawing]]\nshape = \"text\"\nat = [0, 0]\ntext = \"a < b\"\n";

#[test]
fn every_shape_is_drawn_inside_the_picture() {
    let count = crate::report::drawing::SHAPES.iter().filter(|s| SHAPES.contains(&format!("\"{}\"", s.name))).count();
    assert_eq!(count, crate::report::drawing::SHAPES.len(), "the test knows every shape");
    let sheet = sheet(SHAPES, 1);
    assert!(sheet.marks.len() > 20);
    // The ground may reach beyond the edge, bodies may not; nothing is infinite.
    assert!(corners(&sheet).all(|(x, y)| x.abs() < 2000.0 && y.abs() < 2000.0));
    let svg = sheet.svg();
    assert!(svg.contains("A &lt;picture&gt;") && svg.contains(">a &lt; b</text>"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn what_has_a_gap_is_not_drawn_there() {
    let text = "[[drawing]]\nshape = \"point\"\nat = [\"gap\", 0]\n[[drawing]]\nshape = \"point\"\nat = [1, 1]\n";
    let dots =
        |sample| sheet(text, sample).marks.iter().filter(|m| matches!(m, Mark::Fill { edge: Some(_), .. })).count();
    assert_eq!((dots(1), dots(2)), (1, 1), "one alone, then two in one path");
    let parts = |sample| {
        let all = sheet(text, sample).marks;
        all.iter().map(|m| if let Mark::Fill { parts, edge: Some(_), .. } = m { parts.len() } else { 0 }).sum::<usize>()
    };
    assert_eq!((parts(0), parts(1), parts(2)), (2, 1, 2));
}

#[test]
fn the_nearer_of_two_balls_hides_the_farther_one() {
    let ball = |y: f64, role: &str| {
        format!("[[drawing]]\nshape = \"sphere\"\ncenter = [0, {y}, 0]\nradius = 1\nrole = \"{role}\"\n")
    };
    // The observer stands at negative y.
    let view = "[view]\nazimuth = -90\nelevation = 0\n";
    for (near, far) in [("body", "mark"), ("mark", "body")] {
        let text = format!("{}{}{view}", ball(-5.0, near), ball(5.0, far));
        let sheet = sheet(&text, 0);
        let Some(Mark::Fill { colour, .. }) = sheet.marks.last() else { panic!("a face") };
        let red = colour[0] > colour[2];
        assert_eq!(red, near == "mark", "{near} is painted last: {colour:?}");
    }
}

#[test]
fn a_force_that_grows_beyond_all_others_leaves_the_picture() {
    let scale = |force: &str| {
        let ball = "[[drawing]]\nshape = \"sphere\"\ncenter = [\"t\", 0, 1]\nradius = 1\n";
        let arrow = format!("[[drawing]]\nshape = \"arrow\"\nat = [\"t\", 0]\nvector = [0, 0, {force}]\n");
        Camera::new(&scene(&[ball, &arrow].concat()), 3, 0, (360.0, 240.0)).scale
    };
    let usual = scale("0.5");
    assert!((scale("\"spike\"") / usual - 1.0).abs() < 0.2, "{usual} and {}", scale("\"spike\""));
    assert!(scale("50") < 0.1 * usual, "an arrow that is always long is looked at from farther away");
}

#[test]
fn a_rolled_turn_is_the_product_of_its_parts() {
    let close = |a: Axes, b: Axes| a.iter().flatten().zip(b.iter().flatten()).all(|(x, y)| (x - y).abs() < 1e-12);
    let (phi, theta): (f64, f64) = (0.4, 1.1);
    // The axis of a disk with Euler angles, as the reference page says.
    let axes = orientation(&Turn::Euler([phi, theta, 0.7], *b"zxz"), 0.0);
    let axis = [phi.sin() * theta.sin(), -phi.cos() * theta.sin(), theta.cos()];
    assert!(axes[2].iter().zip(axis).all(|(a, b)| (a - b).abs() < 1e-12));
    let half = (0.35f64, 0.0f64);
    let spun = orientation(&Turn::Quaternion([half.0.cos(), 0.0, 0.0, half.0.sin()]), half.1);
    assert!(close(spun, orientation(&Turn::Angle(0.7), 0.0)));
    assert!(close(orientation(&Turn::None, 0.7), spun));
}

#[test]
fn thinning_keeps_corners_and_drops_what_lies_on_a_line() {
    let line: Vec<Point> =
        (0..=100).map(|i| (f64::from(i), 0.0)).chain((1..=50).map(|i| (100.0, f64::from(i)))).collect();
    assert_eq!(simplify(&line), [(0.0, 0.0), (100.0, 0.0), (100.0, 50.0)]);
}
