//! Reads tables back from Parquet files, by the description of the format alone: pages, gzip, streams of bytes, and the footer in
//! Thrift's compact protocol. Anything it does not understand is an error.

use std::collections::BTreeMap;

/// A column that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Read {
    /// Numbers, by their bits.
    Doubles(Vec<u64>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Text.
    Texts(Vec<String>),
}

impl Read {
    fn len(&self) -> usize {
        match self {
            Read::Doubles(list) => list.len(),
            Read::Integers(list) => list.len(),
            Read::Texts(list) => list.len(),
        }
    }
}

/// A value of the compact protocol.
enum Value {
    Number(i64),
    Bytes(Vec<u8>),
    List(Vec<Value>),
    Structure(BTreeMap<i64, Value>),
}

impl Value {
    fn field(&self, number: i64) -> Result<&Value, String> {
        match self {
            Value::Structure(fields) => fields.get(&number).ok_or_else(|| format!("field {number} is missing")),
            _ => Err(format!("field {number} of what is no structure")),
        }
    }

    fn number(&self, field: i64) -> Result<i64, String> {
        match self.field(field)? {
            Value::Number(x) => Ok(*x),
            _ => Err(format!("field {field} is no number")),
        }
    }

    fn text(&self, field: i64) -> Result<String, String> {
        match self.field(field)? {
            Value::Bytes(bytes) => String::from_utf8(bytes.clone()).map_err(|e| e.to_string()),
            _ => Err(format!("field {field} is no text")),
        }
    }

    fn list(&self, field: i64) -> Result<&[Value], String> {
        match self.field(field)? {
            Value::List(list) => Ok(list),
            _ => Err(format!("field {field} is no list")),
        }
    }
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or("the file ends too early")?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, String> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64, String> {
        let mut x = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            x |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(x);
            }
        }
        Err("a number without end".into())
    }

    fn zigzag(&mut self) -> Result<i64, String> {
        let x = self.varint()?;
        Ok((x >> 1) as i64 ^ -((x & 1) as i64))
    }

    fn value(&mut self, kind: u8) -> Result<Value, String> {
        match kind {
            4..=6 => Ok(Value::Number(self.zigzag()?)),
            8 => {
                let n = self.varint()? as usize;
                Ok(Value::Bytes(self.take(n)?.to_vec()))
            }
            9 => {
                let head = self.byte()?;
                let n = if head >> 4 == 15 { self.varint()? } else { u64::from(head >> 4) };
                (0..n).map(|_| self.value(head & 15)).collect::<Result<_, _>>().map(Value::List)
            }
            12 => {
                let (mut fields, mut last) = (BTreeMap::new(), 0);
                loop {
                    let head = self.byte()?;
                    if head == 0 {
                        return Ok(Value::Structure(fields));
                    }
                    last = if head >> 4 == 0 { self.zigzag()? } else { last + i64::from(head >> 4) };
                    let value = self.value(head & 15)?;
                    fields.insert(last, value);
                }
            }
            other => Err(format!("type {other} is not known")),
        }
    }
}

/// The columns of a file by their names, in its order, and what is told about it.
pub fn read(file: &[u8]) -> Result<(Vec<(String, Read)>, Vec<(String, String)>), String> {
    let inside = file.strip_prefix(b"PAR1").and_then(|f| f.strip_suffix(b"PAR1")).ok_or("no Parquet file")?;
    let (rest, length) = inside.split_last_chunk::<4>().ok_or("no footer")?;
    let at = rest.len().checked_sub(u32::from_le_bytes(*length) as usize).ok_or("a footer longer than the file")?;
    let meta = Reader(&rest[at..]).value(12)?;
    let rows = meta.number(3)?;
    let [group] = meta.list(4)? else { return Err("several groups of rows".into()) };
    let chunks = group.list(1)?;
    let schema = meta.list(2)?;
    if schema.len() != chunks.len() + 1 || schema[0].number(5)? != chunks.len() as i64 {
        return Err("the scheme does not have the columns of the table".into());
    }
    let mut columns = Vec::new();
    for (chunk, element) in chunks.iter().zip(&schema[1..]) {
        let about = chunk.field(3)?;
        let column = column(file, about)?;
        if column.len() as i64 != rows || about.number(5)? != rows || about.number(1)? != element.number(1)? {
            return Err("a column that is not what the footer says".into());
        }
        columns.push((element.text(4)?, column));
    }
    let told = match meta.list(5) {
        Ok(list) => list.iter().map(|e| Ok((e.text(1)?, e.text(2)?))).collect::<Result<_, String>>()?,
        Err(_) => Vec::new(),
    };
    Ok((columns, told))
}

fn column(file: &[u8], about: &Value) -> Result<Read, String> {
    let mut reader = Reader(file.get(about.number(9)? as usize..).ok_or("a page outside the file")?);
    let page = reader.value(12)?;
    let (size, stored) = (page.number(2)? as usize, page.number(3)? as usize);
    let bytes = reader.take(stored)?;
    let bytes = match about.number(4)? {
        0 => bytes.to_vec(),
        2 => {
            let packed = bytes.get(10..bytes.len().saturating_sub(8)).ok_or("no gzip file")?;
            miniz_oxide::inflate::decompress_to_vec(packed).map_err(|e| e.to_string())?
        }
        other => return Err(format!("codec {other} is not known")),
    };
    if bytes.len() != size {
        return Err(format!("a page of {} bytes instead of {size}", bytes.len()));
    }
    let header = page.field(5)?;
    let n = header.number(1)? as usize;
    let eight = |i: usize| -> Result<u64, String> {
        let list: Vec<u8> = match header.number(2)? {
            0 => bytes.get(8 * i..8 * i + 8).ok_or("too few values")?.to_vec(),
            9 => (0..8).map(|j| bytes.get(j * n + i).copied().ok_or("too few values")).collect::<Result<_, _>>()?,
            other => return Err(format!("encoding {other} is not known")),
        };
        Ok(list.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b)))
    };
    match about.number(1)? {
        5 => (0..n).map(eight).collect::<Result<_, _>>().map(Read::Doubles),
        2 => (0..n).map(|i| eight(i).map(|x| x as i64)).collect::<Result<_, _>>().map(Read::Integers),
        6 => {
            let mut reader = Reader(&bytes);
            let mut text = || {
                let length: [u8; 4] = reader.take(4)?.try_into().map_err(|_| "no length")?;
                let bytes = reader.take(u32::from_le_bytes(length) as usize)?;
                String::from_utf8(bytes.to_vec()).map_err(|e| e.to_string())
            };
            (0..n).map(|_| text()).collect::<Result<_, _>>().map(Read::Texts)
        }
        other => Err(format!("values of type {other} are not known")),
    }
}
