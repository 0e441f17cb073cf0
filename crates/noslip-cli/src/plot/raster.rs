//! A sheet as pixels, and pixels as PNG.

use super::letters;
use super::sheet::{Anchor, Mark, Sheet};
use noslip::arrange::Arrange;

struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    /// How much of each pixel the path being drawn covers: a path that crosses itself must not darken there.
    cover: Vec<f32>,
    scale: f64,
}

/// Draws the sheet on white, `scale` pixels to the unit.
pub fn png(sheet: &Sheet, scale: f64) -> Vec<u8> {
    let (width, height, pixels) = pixels(sheet, scale);
    encode(width, height, &pixels)
}

/// Width, height, and three bytes for each pixel.
pub fn pixels(sheet: &Sheet, scale: f64) -> (usize, usize, Vec<u8>) {
    let (width, height) = ((sheet.width * scale).ceil() as usize, (sheet.height * scale).ceil() as usize);
    let (pixels, cover) = (vec![255; width * height * 3], vec![0.0; width * height]);
    let mut canvas = Canvas { width, height, pixels, cover, scale };
    for mark in &sheet.marks {
        match mark {
            Mark::Path { parts, colour, width, dash } => match dash {
                [] => canvas.stroke(parts, *width, *colour),
                lengths => canvas.stroke(&dashed(parts, lengths), *width, *colour),
            },
            Mark::Fill { parts, colour, edge } => {
                canvas.fill(parts, *colour);
                if let Some((colour, width)) = edge {
                    let closed: Vec<_> = parts.iter().map(|p| [p.as_slice(), &p[..1]].concat()).collect();
                    canvas.stroke(&closed, *width, *colour);
                }
            }
            Mark::Text { x, y, size, colour, anchor, turned, text } => {
                let wide = letters::width(text, *size);
                let shift = match anchor {
                    Anchor::Start => 0.0,
                    Anchor::Middle => -wide / 2.0,
                    Anchor::End => -wide,
                };
                let mut strokes = letters::draw(text, *size);
                for (a, b) in strokes.iter_mut().flatten() {
                    (*a, *b) = if *turned { (x + *b, y - (*a + shift)) } else { (x + *a + shift, y + *b) };
                }
                canvas.stroke(&strokes, size / 10.0, *colour);
            }
        }
    }
    (canvas.width, canvas.height, canvas.pixels)
}

impl Canvas {
    fn stroke(&mut self, parts: &[Vec<(f64, f64)>], width: f64, colour: [u8; 3]) {
        let half = (width * self.scale / 2.0).max(0.5);
        let (mut first, mut last) = (self.height, 0);
        for part in parts {
            let ends = if part.len() == 1 {
                vec![(part[0], part[0])]
            } else {
                part.windows(2).map(|w| (w[0], w[1])).collect()
            };
            for (a, b) in ends {
                let (top, bottom) = self.segment(a, b, half);
                (first, last) = (first.min(top), last.max(bottom));
            }
        }
        self.ink(first, last, colour);
    }

    /// Fills outlines: four scan lines to the row, parts of pixels counted at the ends of each stretch.
    fn fill(&mut self, parts: &[Vec<(f64, f64)>], colour: [u8; 3]) {
        const FINE: usize = 4;
        let (mut first, mut last) = (self.height, 0);
        for part in parts {
            let points: Vec<(f64, f64)> = part.iter().map(|p| (p.0 * self.scale, p.1 * self.scale)).collect();
            let top = points.iter().fold(f64::INFINITY, |t, p| t.min(p.1)).clamp(0.0, self.height as f64) as usize;
            let bottom = points.iter().fold(0.0, |b: f64, p| b.max(p.1)).ceil().clamp(0.0, self.height as f64) as usize;
            (first, last) = (first.min(top), last.max(bottom));
            for line in top * FINE..bottom * FINE {
                let y = (line as f64 + 0.5) / FINE as f64;
                let mut cuts: Vec<f64> = Vec::new();
                for (i, a) in points.iter().enumerate() {
                    let b = points[(i + 1) % points.len()];
                    if (a.1 <= y) != (b.1 <= y) {
                        cuts.push(a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0));
                    }
                }
                cuts.arrange_by(f64::total_cmp);
                for pair in cuts.chunks_exact(2) {
                    let (from, to) = (pair[0].clamp(0.0, self.width as f64), pair[1].clamp(0.0, self.width as f64));
                    for column in from as usize..(to.ceil() as usize).min(self.width) {
                        let part = (to.min(column as f64 + 1.0) - from.max(column as f64)).max(0.0);
                        let cover = &mut self.cover[line / FINE * self.width + column];
                        *cover = (*cover + (part / FINE as f64) as f32).min(1.0);
                    }
                }
            }
        }
        self.ink(first, last, colour);
    }

    /// Inks the covered pixels of these rows.
    fn ink(&mut self, first: usize, last: usize, colour: [u8; 3]) {
        for i in first * self.width..(last * self.width).max(first * self.width) {
            let part = std::mem::take(&mut self.cover[i]);
            if part > 0.0 {
                for (pixel, ink) in self.pixels[3 * i..3 * i + 3].iter_mut().zip(colour) {
                    *pixel = (f32::from(*pixel) + (f32::from(ink) - f32::from(*pixel)) * part).round() as u8;
                }
            }
        }
    }

    /// Covers the pixels near a segment by their distance from it; returns the rows touched.
    fn segment(&mut self, a: (f64, f64), b: (f64, f64), half: f64) -> (usize, usize) {
        let s = self.scale;
        let (ax, ay, bx, by) = (a.0 * s, a.1 * s, b.0 * s, b.1 * s);
        let inside = |low: f64, high: f64, most: usize| {
            ((low - half - 1.0).clamp(0.0, most as f64) as usize, (high + half + 2.0).clamp(0.0, most as f64) as usize)
        };
        let (left, right) = inside(ax.min(bx), ax.max(bx), self.width);
        let (top, bottom) = inside(ay.min(by), ay.max(by), self.height);
        let (dx, dy) = (bx - ax, by - ay);
        let square = dx * dx + dy * dy;
        for row in top..bottom {
            for column in left..right {
                let (px, py) = (column as f64 + 0.5 - ax, row as f64 + 0.5 - ay);
                let along = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
                let distance = (px - along * dx).hypot(py - along * dy);
                let part = (half + 0.5 - distance).clamp(0.0, 1.0) as f32;
                let cover = &mut self.cover[row * self.width + column];
                *cover = cover.max(part);
            }
        }
        (top, bottom)
    }
}

/// Lines cut into dashes.
fn dashed(parts: &[Vec<(f64, f64)>], lengths: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let mut out = Vec::new();
    for part in parts {
        let (mut turn, mut left) = (0, lengths[0]);
        let mut current = vec![part[0]];
        for pair in part.windows(2) {
            let (mut a, b) = (pair[0], pair[1]);
            let mut length = (b.0 - a.0).hypot(b.1 - a.1);
            while length > left {
                let s = left / length;
                a = (a.0 + (b.0 - a.0) * s, a.1 + (b.1 - a.1) * s);
                length -= left;
                if turn % 2 == 0 {
                    current.push(a);
                    out.push(std::mem::take(&mut current));
                } else {
                    current = vec![a];
                }
                turn += 1;
                left = lengths[turn % lengths.len()];
            }
            left -= length;
            if turn % 2 == 0 {
                current.push(b);
            }
        }
        if turn % 2 == 0 && current.len() > 1 {
            out.push(current);
        }
    }
    out
}

/// PNG with eight bits for each of red, green, blue.
fn encode(width: usize, height: usize, pixels: &[u8]) -> Vec<u8> {
    let mut raw = Vec::with_capacity(pixels.len() + height);
    for row in pixels.chunks(width * 3) {
        raw.push(0);
        raw.extend_from_slice(row);
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut chunk = |kind: &[u8; 4], body: &[u8]| {
        out.extend_from_slice(&(body.len() as u32).to_be_bytes());
        let start = out.len();
        out.extend_from_slice(kind);
        out.extend_from_slice(body);
        let sum = crc32fast::hash(&out[start..]);
        out.extend_from_slice(&sum.to_be_bytes());
    };
    let mut header = Vec::new();
    header.extend_from_slice(&(width as u32).to_be_bytes());
    header.extend_from_slice(&(height as u32).to_be_bytes());
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    chunk(b"IHDR", &header);
    chunk(b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(&raw, 6));
    chunk(b"IEND", &[]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_png_ends_with_the_check_sum_of_the_standard() {
        assert!(encode(1, 1, &[1, 2, 3]).ends_with(b"\0\0\0\0IEND\xae\x42\x60\x82"));
    }

    #[test]
    fn dashes_and_gaps_have_their_lengths() {
        let cut = dashed(&[vec![(0.0, 0.0), (10.0, 0.0)]], &[3.0, 2.0]);
        assert_eq!(cut, [vec![(0.0, 0.0), (3.0, 0.0)], vec![(5.0, 0.0), (8.0, 0.0)]]);
    }
}
