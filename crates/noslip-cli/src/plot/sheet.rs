//! Lines and words on a sheet of paper, and the sheet as SVG.

use std::fmt::Write;

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its beginning.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// Something on the sheet.
#[derive(Clone, Debug)]
pub enum Mark {
    /// Lines through points.
    Path {
        /// Pieces; between them the pen is up.
        parts: Vec<Vec<(f64, f64)>>,
        /// Colour.
        colour: [u8; 3],
        /// Width of the pen.
        width: f64,
        /// Lengths of dashes and gaps; none: drawn through.
        dash: &'static [f64],
    },
    /// Filled outlines.
    Fill {
        /// Each closed by itself.
        parts: Vec<Vec<(f64, f64)>>,
        /// Colour.
        colour: [u8; 3],
        /// Colour and width of a line around each.
        edge: Option<([u8; 3], f64)>,
    },
    /// A line of text; y is its base line.
    Text {
        /// Across.
        x: f64,
        /// Down.
        y: f64,
        /// Size of the type.
        size: f64,
        /// Colour.
        colour: [u8; 3],
        /// Where it is held.
        anchor: Anchor,
        /// Written upward.
        turned: bool,
        /// The words.
        text: String,
    },
}

/// A sheet; y points down.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// What stands on it, the first lowest.
    pub marks: Vec<Mark>,
}

impl Sheet {
    /// A plain line.
    pub fn line(&mut self, points: &[(f64, f64)], colour: [u8; 3], width: f64) {
        self.marks.push(Mark::Path { parts: vec![points.to_vec()], colour, width, dash: &[] });
    }

    /// Words.
    pub fn text(&mut self, x: f64, y: f64, size: f64, colour: [u8; 3], anchor: Anchor, text: String) {
        self.marks.push(Mark::Text { x, y, size, colour, anchor, turned: false, text });
    }

    /// The sheet as SVG.
    pub fn svg(&self) -> String {
        let (w, h) = (self.width, self.height);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\">\n<title>{}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            escape(&self.title)
        );
        for mark in &self.marks {
            match mark {
                Mark::Path { parts, colour, width, dash } => {
                    let d = path_data(parts, "");
                    let dash = match dash {
                        [] => String::new(),
                        lengths => {
                            let lengths: Vec<String> = lengths.iter().map(f64::to_string).collect();
                            format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
                        }
                    };
                    let round = if parts.iter().any(|p| p.len() == 1) { " stroke-linecap=\"round\"" } else { "" };
                    let _ = writeln!(
                        out,
                        "<path d=\"{d}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{dash}{round}/>",
                        hex(*colour)
                    );
                }
                Mark::Fill { parts, colour, edge } => {
                    let edge = edge.map_or(String::new(), |(colour, width)| {
                        format!(" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"", hex(colour))
                    });
                    let _ = writeln!(out, "<path d=\"{}\" fill=\"{}\"{edge}/>", path_data(parts, "z"), hex(*colour));
                }
                Mark::Text { x, y, size, colour, anchor, turned, text } => {
                    let anchor = match anchor {
                        Anchor::Start => "start",
                        Anchor::Middle => "middle",
                        Anchor::End => "end",
                    };
                    let (x, y) = (tenth(*x), tenth(*y));
                    let turn = if *turned { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
                    let _ = writeln!(
                        out,
                        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\" text-anchor=\"{anchor}\"{turn}>{}</text>",
                        hex(*colour),
                        escape(text)
                    );
                }
            }
        }
        out.push_str("</svg>\n");
        out
    }
}

fn hex([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The `d` of a path: a tenth of a unit is finer than any printer, and steps are shorter to write than places.
fn path_data(parts: &[Vec<(f64, f64)>], close: &str) -> String {
    let mut d = String::new();
    for part in parts {
        let (mut x, mut y) = (0, 0);
        for (i, p) in part.iter().enumerate() {
            let (a, b) = ((p.0 * 10.0).round() as i64, (p.1 * 10.0).round() as i64);
            if i > 1 && (a, b) == (x, y) {
                continue;
            }
            d.push_str(["M", "l", ""][i.min(2)]);
            for (k, step) in [a - x, b - y].into_iter().enumerate() {
                if step >= 0 && (k == 1 || i > 1) {
                    d.push(' ');
                }
                if step < 0 {
                    d.push('-');
                }
                let (whole, tenth) = (step.abs() / 10, step.abs() % 10);
                let _ = match (whole, tenth) {
                    (_, 0) => write!(d, "{whole}"),
                    (0, _) => write!(d, ".{tenth}"),
                    _ => write!(d, "{whole}.{tenth}"),
                };
            }
            (x, y) = (a, b);
        }
        // A single point is a dot: a line of no length with round ends.
        if part.len() == 1 {
            d.push_str("l0 0");
        }
        d.push_str(close);
    }
    d
}

/// A tenth of a unit is finer than any printer.
fn tenth(v: f64) -> f64 {
    (v * 10.0).round() / 10.0
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // XML has no way to say these.
            c if c.is_control() || c == '\u{fffe}' || c == '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
