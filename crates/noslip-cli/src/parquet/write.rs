//! One row group, one page per column. A table of doubles alone is plain; a table with text and metadata is compressed by gzip, its
//! doubles split into streams of their bytes, which compress better.

use miniz_oxide::deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params};

const MAGIC: &[u8] = b"PAR1";
/// Physical types.
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;
/// Meaning of a byte array: text.
const UTF8: i64 = 0;
/// Repetition: no value is missing.
const REQUIRED: i64 = 0;
/// Encodings of values and of the (absent) levels.
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const BYTE_STREAM_SPLIT: i64 = 9;
/// Codecs.
const UNCOMPRESSED: i64 = 0;
const GZIP: i64 = 2;
/// First byte of a block of deflate (RFC 1951) that is stored and not the last.
const STORED: u8 = 0;
/// Kind of page.
const DATA_PAGE: i64 = 0;

/// A column of a table.
pub enum Column<'a> {
    /// Numbers.
    Doubles(&'a [f64]),
    /// Text.
    Texts(&'a [&'a str]),
}

impl Column<'_> {
    fn len(&self) -> usize {
        match self {
            Column::Doubles(list) => list.len(),
            Column::Texts(list) => list.len(),
        }
    }

    fn kind(&self) -> i64 {
        match self {
            Column::Doubles(_) => DOUBLE,
            Column::Texts(_) => BYTE_ARRAY,
        }
    }

    /// The values one after the other.
    fn plain(&self) -> Vec<u8> {
        match self {
            Column::Doubles(list) => list.iter().flat_map(|x| x.to_le_bytes()).collect(),
            Column::Texts(list) => {
                let entry = |text: &&str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
                list.iter().flat_map(entry).collect()
            }
        }
    }

    /// The first bytes of all values, then the second ones, … for doubles; with the encoding.
    fn split(&self) -> (Vec<u8>, i64) {
        match self {
            Column::Doubles(list) => {
                let stream = |place: u32| list.iter().map(move |x| (x.to_bits() >> (8 * place)) as u8);
                let mut bytes = Vec::with_capacity(8 * list.len());
                (0..8).for_each(|place| bytes.extend(stream(place)));
                (bytes, BYTE_STREAM_SPLIT)
            }
            Column::Texts(_) => (self.plain(), PLAIN),
        }
    }
}

/// A table of columns of equal length, as it is.
pub fn parquet(names: &[String], columns: &[Vec<f64>]) -> Vec<u8> {
    let columns: Vec<Column> = columns.iter().map(|c| Column::Doubles(c)).collect();
    written(names, &columns, &[], false)
}

/// A table of columns of equal length, compressed, with what is to be known about it.
pub fn compressed(names: &[String], columns: &[Column], metadata: &[(String, String)]) -> Vec<u8> {
    written(names, columns, metadata, true)
}

fn written(names: &[String], columns: &[Column], metadata: &[(String, String)], compress: bool) -> Vec<u8> {
    let rows = columns.first().map_or(0, Column::len);
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    let mut packer = compress.then(Packer::new);
    for (name, column) in names.iter().zip(columns) {
        let offset = file.len();
        let (values, encoding) = if compress { column.split() } else { (column.plain(), PLAIN) };
        let size = values.len() as i64;
        let stored = match (&mut packer, column) {
            (Some(packer), Column::Doubles(list)) => packer.gzip(&values, list.len() * random_streams(list, &values)),
            (Some(packer), Column::Texts(_)) => packer.gzip(&values, 0),
            (None, _) => values,
        };
        let mut page = Thrift::default();
        page.i32(1, DATA_PAGE).i32(2, size).i32(3, stored.len() as i64);
        page.structure(5, |header| {
            header.i32(1, column.len() as i64).i32(2, encoding).i32(3, RLE).i32(4, RLE);
        });
        let header = page.end();
        let sizes = (header.len() as i64 + size, (header.len() + stored.len()) as i64);
        file.extend(header);
        file.extend(stored);
        chunks.push((name, column.kind(), encoding, offset as i64, sizes));
    }
    let codec = if compress { GZIP } else { UNCOMPRESSED };
    let mut meta = Thrift::default();
    meta.i32(1, 1);
    meta.list(2, STRUCT, 1 + names.len(), |i, element| {
        // The first element is the table itself, the others are its columns.
        let Some(i) = i.checked_sub(1) else {
            element.string(4, "table").i32(5, names.len() as i64);
            return;
        };
        element.i32(1, columns[i].kind()).i32(3, REQUIRED).string(4, &names[i]);
        if columns[i].kind() == BYTE_ARRAY {
            element.i32(6, UTF8);
        }
    });
    meta.i64(3, rows as i64);
    meta.list(4, STRUCT, 1, |_, group| {
        group.list(1, STRUCT, chunks.len(), |i, chunk| {
            let (name, kind, encoding, offset, (size, stored)) = chunks[i];
            chunk.i64(2, offset).structure(3, |column| {
                column.i32(1, kind).i32s(2, &[encoding, RLE]).strings(3, &[name]).i32(4, codec);
                column.i64(5, rows as i64).i64(6, size).i64(7, stored).i64(9, offset);
            });
        });
        group.i64(2, chunks.iter().map(|c| c.4.0).sum()).i64(3, rows as i64);
    });
    if !metadata.is_empty() {
        meta.list(5, STRUCT, metadata.len(), |i, entry| {
            entry.string(1, &metadata[i].0).string(2, &metadata[i].1);
        });
    }
    meta.string(6, concat!("noslip ", env!("CARGO_PKG_VERSION")));
    let meta = meta.end();
    file.extend_from_slice(&meta);
    file.extend_from_slice(&(meta.len() as u32).to_le_bytes());
    file.extend_from_slice(MAGIC);
    file
}

/// Packs one column after the other: the tables it needs, some hundred kilobytes, are cleared once.
struct Packer {
    compressor: Box<CompressorOxide>,
}

impl Packer {
    fn new() -> Packer {
        Packer { compressor: Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(1, 0, 0))) }
    }

    /// The bytes as a gzip file (RFC 1952) without name and time: the same bytes whenever it is made. The first `random` of them are
    /// stored as they are: to find out that they cannot be packed takes as long as packing.
    fn gzip(&mut self, bytes: &[u8], random: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(bytes.len() + 64);
        out.extend([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        let (stored, packed) = bytes.split_at(random);
        for block in stored.chunks(usize::from(u16::MAX)) {
            let length = block.len() as u16;
            out.push(STORED);
            out.extend(length.to_le_bytes());
            out.extend((!length).to_le_bytes());
            out.extend_from_slice(block);
        }
        self.compressor.reset();
        compress_to_output(&mut self.compressor, packed, TDEFLFlush::Finish, |part| {
            out.extend_from_slice(part);
            true
        });
        out.extend(crc32fast::hash(bytes).to_le_bytes());
        out.extend((bytes.len() as u32).to_le_bytes());
        out
    }
}

/// How many of the streams of bytes, from the lowest on, have nothing in them that could be packed: every byte is about as frequent as any
/// other, and the first number does not come again, as it does where numbers repeat in turns.
fn random_streams(list: &[f64], bytes: &[u8]) -> usize {
    let Some((first, others)) = list.split_first() else { return 0 };
    if others.iter().any(|x| x.to_bits() == first.to_bits()) {
        return 0;
    }
    let is_random = |stream: &&[u8]| {
        let sample = &stream[..stream.len().min(1024)];
        let mut frequency = [0u64; 256];
        sample.iter().for_each(|byte| frequency[usize::from(*byte)] += 1);
        let n = sample.len() as u64;
        // Of n bytes at random the sum is n + n²/256, give or take a few per cent.
        let squares: u64 = frequency.iter().map(|f| f * f).sum();
        n == 1024 && 5 * squares < 6 * (n + n * n / 256)
    };
    bytes.chunks(list.len()).take_while(is_random).count()
}

// Types of the compact protocol.
const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure in Thrift's compact protocol: fields in ascending order of their numbers.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

impl Thrift {
    /// Numbers of fields are given as their distance from the last one; all of Parquet's are below 15.
    fn field(&mut self, number: u8, kind: u8) {
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn varint(&mut self, mut x: u64) {
        while x >= 0x80 {
            self.bytes.push(x as u8 | 0x80);
            x >>= 7;
        }
        self.bytes.push(x as u8);
    }

    fn zigzag(&mut self, x: i64) {
        self.varint((x << 1 ^ x >> 63) as u64);
    }

    fn text(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn head(&mut self, number: u8, kind: u8, length: usize) {
        self.field(number, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            self.varint(length as u64);
        }
    }

    fn i32(&mut self, number: u8, x: i64) -> &mut Thrift {
        self.field(number, I32);
        self.zigzag(x);
        self
    }

    fn i64(&mut self, number: u8, x: i64) -> &mut Thrift {
        self.field(number, I64);
        self.zigzag(x);
        self
    }

    fn string(&mut self, number: u8, text: &str) -> &mut Thrift {
        self.field(number, BINARY);
        self.text(text);
        self
    }

    fn i32s(&mut self, number: u8, list: &[i64]) -> &mut Thrift {
        self.head(number, I32, list.len());
        list.iter().for_each(|&x| self.zigzag(x));
        self
    }

    fn strings(&mut self, number: u8, list: &[&str]) -> &mut Thrift {
        self.head(number, BINARY, list.len());
        list.iter().for_each(|text| self.text(text));
        self
    }

    fn structure(&mut self, number: u8, fill: impl FnOnce(&mut Thrift)) -> &mut Thrift {
        self.field(number, STRUCT);
        let mut inside = Thrift::default();
        fill(&mut inside);
        self.bytes.extend(inside.end());
        self
    }

    fn list(&mut self, number: u8, kind: u8, length: usize, mut fill: impl FnMut(usize, &mut Thrift)) {
        self.head(number, kind, length);
        for i in 0..length {
            let mut inside = Thrift::default();
            fill(i, &mut inside);
            self.bytes.extend(inside.end());
        }
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// pyarrow 26 and DuckDB 2 read such files back; these are their bytes.
    #[test]
    fn a_small_table_has_the_bytes_other_readers_understand() {
        let file = parquet(&["t".into(), "x".into()], &[vec![0.0, 0.5], vec![1.0, -2.25]]);
        assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
        // DATA_PAGE of 16 bytes, two plain values; then the values.
        assert_eq!(file[4..21], [0x15, 0, 0x15, 32, 0x15, 32, 0x2c, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0]);
        assert_eq!(file[21..37], [0.0f64.to_le_bytes(), 0.5f64.to_le_bytes()].concat());
        let length = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().expect("four bytes")) as usize;
        let meta = &file[file.len() - 8 - length..file.len() - 8];
        // Version 1; a list of three structures, of which the first is `table` with two children.
        assert_eq!(meta[..12], [0x15, 2, 0x19, 0x3c, 0x48, 5, b't', b'a', b'b', b'l', b'e', 0x15]);
        assert_eq!(meta.last(), Some(&0));
    }

    fn unpacked(gzip: &[u8]) -> Vec<u8> {
        miniz_oxide::inflate::decompress_to_vec(&gzip[10..gzip.len() - 8]).expect("it is deflate")
    }

    #[test]
    fn what_cannot_be_packed_is_stored_and_comes_back_with_the_rest() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            1.0 + (seed >> 12) as f64 * 2f64.powi(-52)
        };
        // More than one block of deflate can hold.
        let random: Vec<f64> = (0..30_000).map(|_| next()).collect();
        let in_turns: Vec<f64> = (0..30_000).map(|i| random[i % 700]).collect();
        let constant = vec![0.1; 3000];
        let mut packer = Packer::new();
        for (list, streams) in [(&random, 6), (&in_turns, 0), (&constant, 0), (&random[..1000].to_vec(), 0)] {
            let (bytes, _) = Column::Doubles(list).split();
            assert_eq!(random_streams(list, &bytes), streams);
            for stored in [0, streams * list.len(), bytes.len()] {
                let packed = packer.gzip(&bytes, stored);
                assert!(unpacked(&packed) == bytes, "{} numbers, {stored} bytes stored", list.len());
            }
        }
        let (bytes, _) = Column::Doubles(&random).split();
        let (all, some) = (packer.gzip(&bytes, 0).len(), packer.gzip(&bytes, 6 * random.len()).len());
        assert!(some <= all + 100, "{some} bytes instead of {all}");
        assert!(packer.gzip(&[], 0).len() < 30 && unpacked(&packer.gzip(&[], 0)).is_empty());
    }

    #[test]
    fn numbers_are_written_as_the_protocol_says() {
        let mut t = Thrift::default();
        t.i64(2, -1).i32(3, 300);
        assert_eq!(t.end(), [0x26, 1, 0x15, 0xd8, 0x04, 0]);
        let mut t = Thrift::default();
        t.i32s(1, &[0; 20]);
        assert_eq!(t.end()[..3], [0x19, 0xf5, 20], "a long list has its length apart");
    }
}
