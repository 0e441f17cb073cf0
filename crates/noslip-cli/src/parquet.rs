//! Tables as Apache Parquet, written and read back.
//!
//! The format is a sequence of pages followed by a description of them in Thrift's compact protocol (see
//! parquet.apache.org, "File Format"). What a table of numbers needs of it is small enough to write here.

mod read;
mod write;

pub use read::{Read, read};
pub(crate) use write::{Column, compressed, parquet};
