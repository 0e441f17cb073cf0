//! `report`: that the page is written and stands alone. What it looks like is tested in a browser.

use crate::demo::names;
use crate::models::{particle, sleigh};
use crate::program::{Folder, noslip};

/// Addresses in a page that a browser would fetch; names of XML languages are not fetched.
fn addresses(page: &str) -> Vec<&str> {
    let ends = |c: char| c.is_whitespace() || "\"'<>)`".contains(c);
    let starts = page
        .match_indices("://")
        .map(|(i, _)| page[..i].rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |j| j + 1));
    starts
        .map(|i| page[i..].split(ends).next().unwrap_or_default())
        .filter(|a| !a.starts_with("http://www.w3.org/"))
        .collect()
}

#[test]
fn the_page_is_one_file_that_asks_for_nothing_else() {
    let folder = sleigh();
    assert_eq!(folder.run(&["report", "sleigh.toml"]).quiet(), "wrote sleigh.html\n");
    let page = folder.read("sleigh.html");
    assert!(page.trim_start().to_lowercase().starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert_eq!(addresses(&page), Vec::<&str>::new());
    for part in ["<math", "knife_edge", "Maggi", "<title>"] {
        assert!(page.contains(part), "{part}");
    }
    for tag in ["<link", "src=", "@import", "url("] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert_eq!(folder.list(), ["sleigh.html", "sleigh.toml"]);
}

#[test]
fn the_page_of_every_gallery_model_stands_alone() {
    // The page itself is opened in a browser by another test; three models of different kinds are enough here.
    let all = names();
    for name in ["rolling-disk", "appell-particle", "novoselov-reducer"] {
        assert!(all.iter().any(|n| n == name), "{name}");
        let folder = Folder::new();
        folder.run(&["report", name]).fine();
        assert_eq!(addresses(&folder.read(&format!("{name}.html"))), Vec::<&str>::new(), "{name}");
    }
}

#[test]
fn the_page_goes_where_it_is_told() {
    let folder = sleigh();
    let text = folder.read("sleigh.toml");
    assert_eq!(folder.run(&["report", "sleigh.toml", "-o", "a.html"]).quiet(), "wrote a.html\n");
    folder
        .run(&["report", "sleigh.toml", "--output", "b.html", "--until", "1", "--set", "m=2", "--initial", "phi=1"])
        .quiet();
    assert_eq!(folder.run_with(&["report", "-"], text.as_bytes()).quiet(), "wrote report.html\n");
    assert_eq!(folder.list(), ["a.html", "b.html", "report.html", "sleigh.toml"]);
    let page = folder.run(&["report", "sleigh.toml", "-o", "-"]);
    assert!(page.quiet().starts_with("<!doctype html>") && page.out.ends_with("</html>\n"));
    assert_eq!(folder.list().len(), 4, "standard output is not a file");
    folder
        .run(&["report", "sleigh.toml", "-o", "none/a.html"])
        .refuses(2, &["cannot write `none/a.html`", "no folder `none`"]);
    folder.run(&["report", "sleigh.toml", "-o", "."]).refuses(2, &["it is a folder"]);
    folder.run(&["report", "sleigh.toml", "--until", "NaN"]).refuses(2, &["--until", "finite"]);
    noslip(&["report"]).refuses(2, &["<MODEL>"]);
}

#[test]
fn a_model_without_motion_still_has_a_page() {
    let folder = Folder::with("m.toml", &particle(""));
    folder.run(&["report", "m.toml"]).quiet();
    assert!(folder.read("m.html").contains("no initial state"));
    let broken =
        particle("potential = \"sqrt(x)\"\n[initial]\nposition = { x = -1, y = 0 }\nvelocity = { x = 0, y = 0 }");
    folder.write("m.toml", broken);
    folder.run(&["report", "m.toml", "--until", "1"]).refuses(0, &["warning: the motion: ", "not finite"]);
    assert!(folder.read("m.html").contains("not finite"));
}

#[test]
fn a_wrong_drawing_is_shown_with_its_place() {
    let model = particle("[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 0, y = 0 }");
    let with = |drawing: &str| {
        Folder::with("m.toml", &format!("{model}\n{drawing}")).run(&["report", "m.toml", "--until", "1"])
    };
    with("[[drawing]]\nshape = \"trail\"\nof = [\"x\", \"z\"]").refuses(2, &["unknown name `z`", "m.toml:15:13"]);
    with("[[drawing]]\nshape = \"donut\"").refuses(2, &["donut", "m.toml:1"]);
    with("[[drawing]]\nshap = \"trail\"").refuses(2, &["shap"]);
    with("[[drawing]]\nshape = \"trail\"\nof = [\"x\", \"y\"]").quiet();
}

#[test]
fn hostile_names_cannot_break_the_page() {
    let name = "</script><script>alert(1)</script><img src=x onerror=alert(2)>";
    let model =
        particle("[initial]\nposition = { x = 1, y = 0 }\nvelocity = { x = 0, y = 0 }\n[simulation]\nuntil = 1")
            .replace(
                "\"particle\"",
                &format!("\"{name}\"\ndescription = \"{name} <!-- ]]> \\u2028\"\nsource = \"'{name}'\""),
            );
    let folder = Folder::with("m.toml", &model);
    folder.run(&["report", "m.toml"]).quiet();
    let page = folder.read("m.html");
    assert!(
        !page.contains("<script>alert") && !page.contains("<img src=x") && !page.contains("</script><script>alert")
    );
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"), "the name is shown as it is");
    folder.run(&["simulate", "m.toml", "--plot", "p.svg", "--columns", "x:y"]).quiet();
    assert!(!folder.read("p.svg").contains("<script"));
}
