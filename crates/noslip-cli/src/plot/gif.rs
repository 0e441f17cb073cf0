//! Pictures one after the other as an animated GIF (GIF89a: 256 colours for all, LZW).

use noslip::arrange::Arrange;
use std::collections::HashMap;

/// How an animation is made: its size, how many pictures, how long each is shown (hundredths of a second), and the pictures,
/// three bytes to the pixel.
pub struct Animation<'a> {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Number of pictures.
    pub count: usize,
    /// Hundredths of a second.
    pub delay: u16,
    /// The picture with this number.
    pub picture: &'a mut dyn FnMut(usize) -> Vec<u8>,
}

/// Five bits of each colour.
fn coarse(pixel: &[u8]) -> u16 {
    u16::from(pixel[0] >> 3) << 10 | u16::from(pixel[1] >> 3) << 5 | u16::from(pixel[2] >> 3)
}

/// The colours that occur most in a few of the pictures.
fn palette(animation: &mut Animation) -> Vec<[u8; 3]> {
    let mut seen: HashMap<u16, (u64, [u64; 3])> = HashMap::new();
    for part in 0..4 {
        let pixels = (animation.picture)(part * animation.count.saturating_sub(1) / 3);
        for pixel in pixels.chunks_exact(3) {
            let (count, sum) = seen.entry(coarse(pixel)).or_default();
            *count += 1;
            (0..3).for_each(|k| sum[k] += u64::from(pixel[k]));
        }
    }
    let mut list: Vec<(u16, (u64, [u64; 3]))> = seen.into_iter().collect();
    // Same input, same bytes: ties are broken by the colour.
    list.arrange_by_key(|(key, (count, _))| (std::cmp::Reverse(*count), *key));
    list.truncate(256);
    list.iter().map(|(_, (count, sum))| std::array::from_fn(|k| (sum[k] / count) as u8)).collect()
}

/// The whole file.
pub fn encode(mut animation: Animation) -> Vec<u8> {
    let colours = palette(&mut animation);
    let (wide, high) = ((animation.width as u16).to_le_bytes(), (animation.height as u16).to_le_bytes());
    let mut out = b"GIF89a".to_vec();
    // A table of 256 colours for all pictures.
    out.extend([wide[0], wide[1], high[0], high[1], 0xf7, 0, 0]);
    for k in 0..256 {
        out.extend(colours.get(k).copied().unwrap_or_default());
    }
    out.extend(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00");
    let mut nearest: HashMap<u16, u8> = HashMap::new();
    for i in 0..animation.count {
        let pixels = (animation.picture)(i);
        let indices: Vec<u8> = pixels
            .chunks_exact(3)
            .map(|pixel| {
                *nearest.entry(coarse(pixel)).or_insert_with(|| {
                    let far = |c: &[u8; 3]| (0..3).map(|k| (i32::from(c[k]) - i32::from(pixel[k])).pow(2)).sum::<i32>();
                    (0..colours.len()).min_by_key(|&k| far(&colours[k])).unwrap_or(0) as u8
                })
            })
            .collect();
        let delay = animation.delay.to_le_bytes();
        out.extend([0x21, 0xf9, 4, 4, delay[0], delay[1], 0, 0]);
        out.extend([0x2c, 0, 0, 0, 0, wide[0], wide[1], high[0], high[1], 0, 8]);
        for block in compress(&indices).chunks(255) {
            out.push(block.len() as u8);
            out.extend_from_slice(block);
        }
        out.push(0);
    }
    out.push(0x3b);
    out
}

const CLEAR: u16 = 256;
const END: u16 = 257;

/// Codes of growing length, the lowest bit first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, code: u16, size: u32) {
        self.held |= u32::from(code) << self.count;
        self.count += size;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }
}

/// LZW as GIF has it: codes of 9 to 12 bits, begun anew when all are used.
fn compress(indices: &[u8]) -> Vec<u8> {
    let mut bits = Bits::default();
    let mut table: HashMap<(u16, u8), u16> = HashMap::new();
    let (mut next, mut size) = (258, 9);
    bits.push(CLEAR, size);
    let mut current: Option<u16> = None;
    for &index in indices {
        let Some(code) = current else {
            current = Some(u16::from(index));
            continue;
        };
        if let Some(&longer) = table.get(&(code, index)) {
            current = Some(longer);
            continue;
        }
        bits.push(code, size);
        if next < 4096 {
            if next == 1 << size {
                size += 1;
            }
            table.insert((code, index), next);
            next += 1;
        } else {
            bits.push(CLEAR, size);
            table.clear();
            (next, size) = (258, 9);
        }
        current = Some(u16::from(index));
    }
    if let Some(code) = current {
        bits.push(code, size);
    }
    bits.push(END, size);
    bits.push(0, 7);
    bits.bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The other direction, as the standard describes it.
    fn expand(bytes: &[u8]) -> Vec<u8> {
        let (mut at, mut size) = (0, 9);
        let mut out = Vec::new();
        let mut table: Vec<Vec<u8>> = Vec::new();
        let mut last: Option<Vec<u8>> = None;
        loop {
            let code = (0..size).fold(0, |c, k| c | (usize::from(bytes[(at + k) / 8] >> ((at + k) % 8) & 1) << k));
            at += size;
            match code as u16 {
                END => return out,
                CLEAR => {
                    table = (0..258).map(|k| vec![k as u8]).collect();
                    (size, last) = (9, None);
                    continue;
                }
                _ => {}
            }
            let entry = match (table.get(code), &last) {
                (Some(entry), _) => entry.clone(),
                (None, Some(last)) => [&last[..], &last[..1]].concat(),
                (None, None) => panic!("a code that nobody knows"),
            };
            out.extend(&entry);
            if let Some(last) = last
                && table.len() < 4096
            {
                table.push([&last[..], &entry[..1]].concat());
            }
            if table.len() == 1 << size && size < 12 {
                size += 1;
            }
            last = Some(entry);
        }
    }

    #[test]
    fn what_is_compressed_comes_back() {
        let mut random = 1_u32;
        let noise: Vec<u8> = (0..40_000)
            .map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24) as u8
            })
            .collect();
        let stripes: Vec<u8> = (0..50_000).map(|k| (k / 37 % 5) as u8).collect();
        for data in [noise, stripes, vec![7; 10_000], vec![3], vec![]] {
            assert!(expand(&compress(&data)) == data, "{} bytes", data.len());
        }
    }

    #[test]
    fn an_animation_has_its_head_its_pictures_and_its_end() {
        let mut picture = |i: usize| [i as u8 * 60, 10, 200].repeat(12);
        let bytes = encode(Animation { width: 4, height: 3, count: 5, delay: 7, picture: &mut picture });
        assert!(bytes.starts_with(b"GIF89a\x04\x00\x03\x00") && bytes.ends_with(b"\x00\x3b"));
        assert_eq!(bytes.windows(4).filter(|w| w == b"\x21\xf9\x04\x04").count(), 5);
    }
}
