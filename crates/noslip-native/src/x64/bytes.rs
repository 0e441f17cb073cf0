//! Code as it grows: bytes, labels, and jumps whose distance is filled in at the end.

use memmap2::{Mmap, MmapMut};

/// A place in the code that jumps lead to.
#[derive(Clone, Copy)]
pub(super) struct Label(usize);

/// Code that is not yet executable.
#[derive(Default)]
pub(super) struct Bytes {
    code: Vec<u8>,
    /// Where each label stands, once that is known.
    labels: Vec<Option<usize>>,
    /// Places of four bytes that want the distance from their end to a label.
    jumps: Vec<(usize, Label)>,
}

impl Bytes {
    pub(super) fn push(&mut self, byte: u8) {
        self.code.push(byte);
    }

    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    pub(super) fn push_i8(&mut self, number: i8) {
        self.extend(&number.to_le_bytes());
    }

    pub(super) fn push_i32(&mut self, number: i32) {
        self.extend(&number.to_le_bytes());
    }

    /// A label that stands nowhere yet.
    pub(super) fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() - 1)
    }

    /// A label stands here.
    pub(super) fn here(&mut self, label: Label) {
        self.labels[label.0] = Some(self.code.len());
    }

    /// A jump with this opcode.
    pub(super) fn jump(&mut self, opcode: &[u8], to: Label) {
        self.extend(opcode);
        self.jumps.push((self.code.len(), to));
        self.push_i32(0);
    }

    /// The code in pages of its own, which are executable and no longer writable; it begins where they begin.
    pub(super) fn executable(mut self) -> Option<Mmap> {
        i32::try_from(self.code.len()).ok()?;
        for &(at, to) in &self.jumps {
            let distance = self.labels[to.0]? as i32 - (at as i32 + 4);
            self.code[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        let mut pages = MmapMut::map_anon(self.code.len()).ok()?;
        pages.copy_from_slice(&self.code);
        pages.make_exec().ok()
    }
}
