//! Good bytes with changes: bytes out of nothing seldom get past the first field of a binary file.

/// Changes good bytes: three bytes say where, a fourth says how, a fifth with what.
pub fn apply(good: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    for edit in edits.chunks_exact(5) {
        let place = usize::from(edit[0]) | usize::from(edit[1]) << 8 | usize::from(edit[2]) << 16;
        let at = place % (bytes.len() + 1);
        match edit[3] % 5 {
            0 if at < bytes.len() => bytes[at] = edit[4],
            1 => bytes.insert(at, edit[4]),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            // Lengths are written seven bits to a byte.
            3 => drop(bytes.splice(at..at, [0xff; 8].into_iter().chain([edit[4] & 0x7f]))),
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}
