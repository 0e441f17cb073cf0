use super::*;

fn wave(n: usize) -> (Column, Column, Column) {
    let t: Vec<f64> = (0..n).map(|i| i as f64 * 10.0 / (n - 1) as f64).collect();
    let sin = t.iter().map(|t| t.sin()).collect::<Vec<_>>();
    let cos = t.iter().map(|t| 2.0 * t.cos()).collect::<Vec<_>>();
    (Column::new("t", t), Column::new("x", sin), Column::new("lambda_knife_edge", cos))
}

#[test]
fn an_svg_names_its_columns_and_draws_each() {
    let (t, x, y) = wave(300);
    let text = svg(&[Plot::over_time("A <wave> & more", t, vec![x, y])]);
    assert!(text.contains(">lambda_knife_edge</text>") && text.contains(">t</text>"));
    assert!(text.contains("A &lt;wave&gt; &amp; more"));
    assert!(text.contains("stroke=\"#14619e\"") && text.contains("stroke-dasharray=\"7 3\""));
}

#[test]
fn a_phase_plot_has_equal_scales() {
    let (_, x, y) = wave(300);
    let sheet = layout(&[Plot::phase("", y, x)]);
    let curve = sheet.marks.iter().rev().find_map(|m| match m {
        Mark::Path { parts, width, .. } if *width == 1.6 => Some(parts[0].clone()),
        _ => None,
    });
    let curve = curve.expect("a curve");
    let span = |f: fn(&(f64, f64)) -> f64| {
        let all = curve.iter().map(f);
        all.clone().fold(f64::MIN, f64::max) - all.fold(f64::MAX, f64::min)
    };
    let ratio = span(|p| p.0) / span(|p| p.1);
    assert!((ratio - 2.0).abs() < 0.02, "twice as wide as high: {ratio}");
}

#[test]
fn gaps_constants_and_huge_numbers_are_drawn_without_a_nan() {
    let cases: Vec<Vec<f64>> = vec![
        vec![],
        vec![f64::NAN; 5],
        vec![3.0; 5],
        vec![0.0; 5],
        vec![1.0, f64::INFINITY, 2.0, f64::NAN, 3.0],
        vec![-1e308, 1e308, 0.0, 1.0, 2.0],
        vec![1e-300, 2e-300, 3e-300, 0.0, 1e-300],
    ];
    for values in cases {
        let across = Column::new("t", (0..values.len()).map(|i| i as f64).collect::<Vec<_>>());
        let plots = [
            Plot::over_time("x", across.clone(), vec![Column::new("v", values.clone())]),
            Plot::phase("x", across, Column::new("v", values.clone())),
        ];
        let text = svg(&plots);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{values:?}\n{text}");
        assert!(png(&plots).len() > 1000);
    }
}

#[test]
fn ticks_are_round_and_inside() {
    assert_eq!(ticks(0.0, 10.0, 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
    assert_eq!(
        ticks(-0.13, 0.31, 4.0).iter().map(|&v| label(v, 0.1)).collect::<Vec<_>>(),
        ["−0.1", "0.0", "0.1", "0.2", "0.3"].map(|s| s.replace("0.0", "0"))
    );
    assert_eq!(label(2.5e-9, 5e-10), "2.5e−9");
    assert_eq!(label(1200000.0, 100000.0), "1.2e6");
}

#[test]
fn a_png_has_the_size_of_the_sheet_and_ink_on_it() {
    let (t, x, y) = wave(300);
    let plots = [Plot::over_time("A wave", t, vec![x, y])];
    let bytes = png(&plots);
    let number = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    assert_eq!(&bytes[1..4], b"PNG");
    let sheet = layout(&plots);
    assert_eq!((number(16), number(20)), ((2.0 * sheet.width) as u32, (2.0 * sheet.height).ceil() as u32));
    // The signature, IHDR, then IDAT with its length.
    let body = &bytes[41..41 + number(33) as usize];
    let raw = miniz_oxide::inflate::decompress_to_vec_zlib(body).expect("inflates");
    assert_eq!(raw.len() as u32, number(20) * (3 * number(16) + 1));
    let blue =
        raw.chunks(3 * number(16) as usize + 1).flat_map(|row| row[1..].chunks(3)).filter(|p| *p == [20, 97, 158]);
    assert!(blue.count() > 1000, "the first curve is there");
}
