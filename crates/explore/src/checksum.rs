//! Readers and writers that keep a checksum.

use std::io::{self, Read, Write};

use xxhash_rust::xxh3::Xxh3;

/// Passes bytes through to a reader or writer, and computes a checksum by which damage is noticed.
///
/// ```
/// use std::io::Write;
///
/// use everypath_explore::Checksummed;
///
/// let mut file = Vec::new();
/// let mut out = Checksummed::new(&mut file);
/// out.write_all(b"a search").unwrap();
/// assert_eq!(out.len(), 8);
/// let sum = out.sum();
/// out.beyond().write_all(&sum.to_le_bytes()).unwrap();
/// assert_eq!(file.len(), 16);
/// ```
pub struct Checksummed<T> {
    bytes: T,
    sum: Xxh3,
    len: u64,
}

impl<T> Checksummed<T> {
    /// Wraps a reader or writer.
    pub fn new(bytes: T) -> Self {
        Self { bytes, sum: Xxh3::new(), len: 0 }
    }

    /// The checksum of all bytes so far.
    #[must_use]
    pub fn sum(&self) -> u64 {
        self.sum.digest()
    }

    /// How many bytes have passed.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether no bytes have passed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The inner reader or writer, for bytes that do not count.
    pub fn beyond(&mut self) -> &mut T {
        &mut self.bytes
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
        self.len += bytes.len() as u64;
    }
}

impl<T: Write> Write for Checksummed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.bytes.write(bytes)?;
        self.pass(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.bytes.flush()
    }
}

impl<T: Read> Read for Checksummed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(bytes)?;
        self.pass(&bytes[..read]);
        Ok(read)
    }
}
