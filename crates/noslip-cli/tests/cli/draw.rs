//! `noslip draw`, and the plots a model asks for.

use crate::models::sleigh;
use crate::program::Folder;

#[test]
fn a_picture_is_written_as_svg_or_png() {
    let folder = sleigh();
    assert!(folder.run(&["draw", "sleigh.toml"]).quiet().starts_with("wrote sleigh.svg: "));
    let svg = folder.read("sleigh.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("width=\"640\""));
    folder.run(&["draw", "sleigh.toml", "-o", "s.png", "--width", "200", "--height", "100"]).fine();
    let png = std::fs::read(folder.path("s.png")).expect("reads");
    assert_eq!((&png[..4], &png[16..24]), (&b"\x89PNG"[..], &[0, 0, 1, 144, 0, 0, 0, 200][..]));
    folder.run(&["draw", "sleigh.toml", "-o", "s.bmp"]).refuses(2, &["s.bmp", ".svg, .png or .gif"]);
    folder.run(&["draw", "sleigh.toml", "-o", "no/s.svg"]).refuses(2, &["there is no folder `no`"]);
}

#[test]
fn a_motion_is_written_as_an_animation() {
    let folder = sleigh();
    let said = folder.run(&["draw", "sleigh.toml", "--animate", "--until", "3", "--width", "160", "--height", "100"]);
    assert!(said.quiet().starts_with("wrote sleigh.gif: ") && said.out.ends_with("from t = 0 to 3\n"), "{}", said.out);
    let gif = std::fs::read(folder.path("sleigh.gif")).expect("reads");
    assert!(gif.starts_with(b"GIF89a\xa0\x00\x64\x00"), "{:?}", &gif[..10]);
    assert_eq!(gif.windows(4).filter(|w| w == b"\x21\xf9\x04\x04").count(), 45, "fifteen pictures a second");
    folder.run(&["draw", "sleigh.toml", "-o", "t.gif", "--until", "3", "--width", "160", "--height", "100"]).fine();
    assert!(std::fs::read(folder.path("t.gif")).expect("reads") == gif, "the extension says it too");
    folder.run(&["draw", "sleigh.toml", "--animate", "-o", "t.png"]).refuses(2, &["t.png", ".gif"]);
}

#[test]
fn the_moment_is_that_of_the_option_of_the_model_or_two_fifths() {
    let folder = sleigh();
    let said = |args: &[&str]| folder.run(&[&["draw", "sleigh.toml"], args].concat()).quiet().to_owned();
    assert!(said(&["--at", "2.5"]).ends_with("at t = 2.5\n"));
    assert!(said(&["--until", "5"]).ends_with("at t = 2\n"));
    let at = |t: &str| {
        said(&["--at", t]);
        folder.read("sleigh.svg")
    };
    assert_ne!(at("1"), at("2"));
    let other = |more: &[&str]| {
        said(&[&["--output", "o.svg", "--at", "1"], more].concat());
        folder.read("o.svg")
    };
    assert_eq!(other(&[]), at("1"));
    assert_ne!(other(&["--set", "l=0.6"]), at("1"));
    assert_ne!(other(&["--initial", "phi'=1"]), at("1"));
    folder.run(&["draw", "dumbbell", "-o", "d.svg"]).fine();
    assert!(folder.run(&["draw", "dumbbell", "-o", "d.svg"]).out.ends_with("at t = 1.6\n"), "as its [view] says");
    folder.run(&["draw", "sleigh.toml", "--at", "99"]).refuses(2, &["--at 99", "outside the run", "--until"]);
}

fn skate(plots: &str) -> Folder {
    Folder::with(
        "m.toml",
        &format!(
            "noslip = 1\n[system]\nname = \"skate\"\ncoordinates = [\"x\", \"y\", \"phi\"]\n[parameters]\nN = 1\n[energy]\n\
             kinetic = \"(x'^2 + y'^2 + phi'^2)/2\"\n[forces]\nphi = \"N\"\n[constraints]\nskate = \"x'*sin(phi) = y'*cos(phi)\"\n\
             [initial]\nvelocity = {{ x = 1 }}\n[simulation]\nuntil = 2\n{plots}"
        ),
    )
}

#[test]
fn the_plots_of_the_model_are_drawn_unless_columns_are_given() {
    let folder = skate(
        "[[plots]]\ntitle = \"Three tracks\"\nacross = \"x\"\nup = \"y\"\nvary = { N = [1, 0.5, 0.25] }\n[[plots]]\ntitle = \"Heading\"\nup = [\"phi\", \"phi'\"]\n",
    );
    folder.run(&["simulate", "m.toml", "--plot", "p.svg"]).fine();
    let text = folder.read("p.svg");
    for name in ["Three tracks", "N = 0.25", "N = 0.5", "Heading", "phi'"] {
        assert!(text.contains(&format!(">{name}</text>")), "{name}");
    }
    folder.run(&["simulate", "m.toml", "--plot", "q.svg", "--columns", "phi"]).fine();
    assert!(!folder.read("q.svg").contains("Three tracks"));
    folder.run(&["report", "m.toml", "-o", "m.html"]).fine();
    let page = folder.read("m.html");
    let json = page.split("type=\"application/json\">").nth(1).and_then(|s| s.split("</script>").next()).expect("data");
    let data: serde_json::Value = serde_json::from_str(json).expect("JSON");
    let figures = data["figures"].as_array().expect("a list");
    assert_eq!((figures.len(), figures[0]["curves"].as_array().map(Vec::len)), (2, Some(3)));
    let last = |curve: usize| {
        let c = &figures[0]["curves"][curve];
        (c["across"].as_array().expect("x").last().cloned(), c["values"].as_array().expect("y").last().cloned())
    };
    assert_ne!(last(0), last(2), "each value has a run of its own");
    assert!(figures[1]["across"].is_null() && figures[1]["curves"][0]["across"].as_array().is_some_and(Vec::is_empty));
}

#[test]
fn a_mistake_in_the_plots_points_into_the_file() {
    for (plots, words) in [
        ("[[plots]]\nup = \"phii\"\n", &["unknown name `phii`", "m.toml:18:7", "did you mean `phi`?"][..]),
        ("[[plots]]\nup = \"phi\"\nvary = { M = [1, 2] }\n", &["unknown parameter `M`", "m.toml:19:10"]),
        (
            "[[plots]]\nup = \"phi\"\nacros = \"x\"\n",
            &["unknown field `acros`", "m.toml:19:1", "title, up, across, vary"],
        ),
        ("[[plots]]\nup = \"phi\"\nacross = \"x +\"\n", &["m.toml:19"]),
    ] {
        let folder = skate(plots);
        folder.run(&["report", "m.toml"]).refuses(2, words);
        folder.run(&["simulate", "m.toml", "--plot", "p.svg"]).refuses(2, words);
        // Every command that reads the model says so, not only those that draw.
        folder.run(&["simulate", "m.toml"]).refuses(2, words);
        folder.run(&["check", "m.toml"]).refuses(2, words);
    }
}
