//! A ZIP archive, deflated; no dates, so that the same input gives the same bytes.

/// The archive of named files.
pub(super) fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in files {
        let packed = miniz_oxide::deflate::compress_to_vec(bytes, 6);
        let offset = out.len() as u32;
        let mut entry = Vec::new();
        // Version 2.0, names in UTF-8, deflate, 1 January 1980.
        for x in [20u16, 1 << 11, 8, 0, 33] {
            entry.extend(x.to_le_bytes());
        }
        for x in [crc32fast::hash(bytes), packed.len() as u32, bytes.len() as u32] {
            entry.extend(x.to_le_bytes());
        }
        entry.extend((name.len() as u16).to_le_bytes());
        entry.extend(0u16.to_le_bytes());
        out.extend(0x0403_4b50u32.to_le_bytes());
        out.extend(&entry);
        out.extend(name.as_bytes());
        out.extend(packed);
        directory.extend(0x0201_4b50u32.to_le_bytes());
        directory.extend(20u16.to_le_bytes());
        directory.extend(&entry);
        // No comment, first disk, binary, no attributes.
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let (start, size, count) = (out.len() as u32, directory.len() as u32, files.len() as u16);
    out.extend(directory);
    out.extend(0x0605_4b50u32.to_le_bytes());
    for x in [0u16, 0, count, count] {
        out.extend(x.to_le_bytes());
    }
    out.extend(size.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend(0u16.to_le_bytes());
    out
}
