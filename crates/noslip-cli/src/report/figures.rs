//! Plots a model file asks for: `[[plots]]`, what its source plots.

use super::drawing::Expression;
use super::drawing::parse::{Reader, all_or_errors, document, first, tables};
use noslip::model::{Entry, Item as Toml};
use noslip::{Error, Result, Span};

/// More than a page can show.
const MOST_FIGURES: usize = 24;
/// More curves than eyes tell apart.
const MOST_CURVES: usize = 12;

/// One frame: curves over time, or against a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureSpec {
    /// What stands above it.
    pub title: Option<String>,
    /// What runs across; the time if absent.
    pub across: Option<Expression>,
    /// What runs upward.
    pub up: Vec<Expression>,
    /// One run for each value of a parameter, in one frame.
    pub vary: Option<Vary>,
}

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// The parameter.
    pub name: String,
    /// Where it is named.
    pub span: Span,
    /// Its values, as written.
    pub values: Vec<String>,
}

impl FigureSpec {
    /// The `[[plots]]` of a model file, in its order. Other sections are not looked at.
    pub fn parse(model_file: &str) -> Result<Vec<FigureSpec>> {
        FigureSpec::read(&document(model_file)?, model_file).map_err(first)
    }

    /// The same from the sections of a file that has been read; the first mistake of every plot.
    pub fn read(file: &[Entry], text: &str) -> std::result::Result<Vec<FigureSpec>, Vec<Error>> {
        let Some(plots) = file.iter().find(|e| e.key == "plots").map(|e| &e.item) else { return Ok(Vec::new()) };
        let Some(list) = tables(plots) else {
            let error = Error::input("plots must be a list of sections").at(plots.span.clone());
            return Err(vec![error.hint("write [[plots]] with two brackets, once for each plot")]);
        };
        if list.len() > MOST_FIGURES {
            let message = format!("{} plots; the most is {MOST_FIGURES}", list.len());
            return Err(vec![Error::limit(message).at(plots.span.clone())]);
        }
        let reader = Reader { text };
        all_or_errors(list.iter().enumerate().map(|(i, entry)| reader.figure(i + 1, entry)))
    }
}

impl Reader<'_> {
    fn figure(&self, number: usize, entry: &Toml) -> Result<FigureSpec> {
        let mut figure = FigureSpec { title: None, across: None, up: Vec::new(), vary: None };
        for Entry { key, key_span, item: value } in entry.value.as_table().into_iter().flatten() {
            let what = format!("plot {number}: field `{key}`");
            match key.as_str() {
                "title" => figure.title = Some(self.text(value, &what)?),
                "across" => figure.across = Some(self.expression(value, &what)?).filter(|e| e.text != "t"),
                "up" => {
                    figure.up = match value.value.as_array() {
                        Some(list) => list.iter().map(|e| self.expression(e, &what)).collect::<Result<_>>()?,
                        None => vec![self.expression(value, &what)?],
                    };
                    if figure.up.is_empty() || figure.up.len() > MOST_CURVES {
                        let message = format!("{what} must be one to {MOST_CURVES} expressions");
                        return Err(Error::input(message).at(value.span.clone()));
                    }
                }
                "vary" => figure.vary = Some(self.vary(value, &what)?),
                other => {
                    return Err(Error::input(format!("plot {number}: unknown field `{other}`"))
                        .at(key_span.clone())
                        .hint("a plot has title, up, across, vary"));
                }
            }
        }
        if figure.up.is_empty() {
            return Err(Error::input(format!("plot {number}: field `up` is missing"))
                .at(entry.span.clone())
                .hint("for example up = [\"x\", \"y\"], what to plot over time"));
        }
        let curves = figure.up.len() * figure.vary.as_ref().map_or(1, |v| v.values.len());
        if curves > MOST_CURVES {
            return Err(Error::limit(format!("plot {number}: {curves} curves; the most is {MOST_CURVES}"))
                .at(entry.span.clone()));
        }
        Ok(figure)
    }

    fn vary(&self, value: &Toml, what: &str) -> Result<Vary> {
        let wrong = || {
            Error::input(format!("{what} must name one parameter and its values"))
                .at(value.span.clone())
                .hint("for example vary = { m = [1, 2, 5] }")
        };
        let Some([parameter]) = value.value.as_table() else { return Err(wrong()) };
        let list = parameter.item.value.as_array().filter(|l| !l.is_empty()).ok_or_else(wrong)?;
        let values = list.iter().map(|v| {
            self.number(v, what)?;
            Ok(self.text[v.span.clone()].replace('_', ""))
        });
        let values = values.collect::<Result<_>>()?;
        Ok(Vary { name: parameter.key.clone(), span: parameter.key_span.clone(), values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_are_over_time_against_a_quantity_or_for_several_values() {
        let text = "[[plots]]\ntitle = \"Angles\"\nup = [\"theta\", \"phi'\"]\n[[plots]]\nacross = \"x\"\nup = \"y\"\nvary = { N_z = [1, 0.65] }\n";
        let figures = FigureSpec::parse(text).expect("reads");
        assert_eq!(figures.len(), 2);
        let texts: Vec<&str> = figures[0].up.iter().map(|e| e.text.as_str()).collect();
        assert_eq!((texts, figures[0].title.as_deref()), (vec!["theta", "phi'"], Some("Angles")));
        assert_eq!(figures[1].across.as_ref().map(|e| e.text.as_str()), Some("x"));
        let vary = figures[1].vary.as_ref().expect("varies");
        assert_eq!((vary.name.as_str(), vary.values.join(" ")), ("N_z", "1 0.65".to_owned()));
        assert!(FigureSpec::parse("[[drawing]]\nshape = \"point\"\n").expect("reads").is_empty());
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (text, message, at) in [
            ("[[plots]]\nup = []\n", "plot 1: field `up` must be one to 12 expressions", "[]"),
            ("[[plots]]\nupp = \"x\"\n", "plot 1: unknown field `upp`", "upp"),
            ("[[plots]]\nup = \"x\"\nvary = [1]\n", "must name one parameter", "[1]"),
            ("[[plots]]\nup = \"x\"\nvary = { m = [\"a\"] }\n", "must be a number", "\"a\""),
            ("plots = \"x\"\n", "must be a list of sections", "\"x\""),
            ("[[plots]]\nup = \"x\"\n[[plots]]\nup = 3\nacross = true\n", "plot 2: field `across` must be", "true"),
        ] {
            let error = FigureSpec::parse(text).expect_err(text);
            assert!(error.message.contains(message), "{}", error.message);
            assert_eq!(error.span.map(|s| &text[s]), Some(at), "{text}");
        }
        assert!(FigureSpec::parse("[[plots]]\ntitle = \"x\"\n").is_err(), "nothing to plot");
    }
}
