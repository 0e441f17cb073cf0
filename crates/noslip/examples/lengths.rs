//! How long the forms print the same equations: the page `docs/src/gallery/lengths.md`, on standard output. With names of models,
//! their lines only; with `MODEL:LONG:SHORT`, why the one form is longer than the other.

#[path = "../tests/suite/common/lengths.rs"]
mod lengths;

use lengths::{models, sets, why};

const HEAD: &str = "# How long the forms are

Forms with the same unknowns and the same virtual displacements give the same equations, each in its own way. They should look the
same. For every model of the gallery (and some that were long once) and every set of such forms: operations in the shortest and in the
longest print of these equations, with the abbreviations they use.
`cargo run --release -p noslip --example lengths` prints this page.

| model | unknowns | forms | shortest | longest | ratio |
|---|---|---|---|---|---|
";

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut models = models();
    if let [asked] = &names[..]
        && let [name, long, short] = asked.split(':').collect::<Vec<_>>()[..]
    {
        let (_, text) = models.iter().find(|(n, _)| n == name).expect("a model");
        println!("- {name}, `{long}`: {}", why(name, text, long, short));
        return;
    }
    models.retain(|(name, _)| names.is_empty() || names.contains(name));
    if names.is_empty() {
        print!("{HEAD}");
    }
    let (mut count, mut uneven) = (0, Vec::new());
    for (name, text) in &models {
        for set in sets(name, text) {
            print!("{}", set.row(name));
            count += 1;
            if set.is_uneven() {
                uneven.push(format!("- {name}, `{}`: {}\n", set.longest().form, set.why(name, text)));
            }
        }
    }
    if names.is_empty() {
        println!("\n{} of {count} sets are within a tenth. The others:\n\n{}", count - uneven.len(), uneven.concat());
    }
}
