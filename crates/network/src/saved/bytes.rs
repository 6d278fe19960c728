//! Values one after the other, as bytes.

use std::io::{self, BufWriter, Read, Write};

use serde::{Serialize, de::DeserializeOwned};

/// What was saved is not what a space writes.
pub(crate) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// An error unless something holds.
pub(crate) fn ensure(holds: bool, otherwise: &str) -> io::Result<()> {
    if holds { Ok(()) } else { Err(damaged(otherwise)) }
}

/// Where values go.
pub(crate) struct Sink<'w> {
    out: BufWriter<&'w mut dyn Write>,
}

impl<'w> Sink<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out: BufWriter::new(out) }
    }

    /// Writes a value, without texts and byte strings if it is to be read with [`Source::get`].
    pub(crate) fn put(&mut self, value: &impl Serialize) -> io::Result<()> {
        postcard::to_io(value, self).map(drop).map_err(io::Error::other)
    }

    /// Writes any value, for [`Source::block`].
    pub(crate) fn block(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.bytes(&postcard::to_stdvec(value).map_err(io::Error::other)?)
    }

    /// Writes bytes, for [`Source::bytes`].
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put(&bytes.len())?;
        self.out.write_all(bytes)
    }

    pub(crate) fn list<T: Serialize>(
        &mut self,
        values: impl ExactSizeIterator<Item = T>,
    ) -> io::Result<()> {
        self.put(&values.len())?;
        values.into_iter().try_for_each(|value| self.put(&value))
    }

    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    /// Nothing: postcard flushes after every value.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where values come from. It reads no further than they go.
pub(crate) struct Source<'r> {
    input: &'r mut dyn Read,
}

impl<'r> Source<'r> {
    pub(crate) fn new(input: &'r mut dyn Read) -> Self {
        Self { input }
    }

    /// Reads a value without texts and byte strings.
    pub(crate) fn get<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut scratch = [0; 16];
        let read = postcard::from_io::<T, _>((&mut *self.input, &mut scratch));
        read.map(|(value, _)| value).map_err(unreadable)
    }

    /// Reads bytes. Memory is needed only as they arrive, whatever length they are said to have.
    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let len: usize = self.get()?;
        let mut bytes = Vec::new();
        (&mut *self.input).take(len as u64).read_to_end(&mut bytes)?;
        ensure(bytes.len() == len, "what was saved is cut off")?;
        Ok(bytes)
    }

    /// Reads any value.
    pub(crate) fn block<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let bytes = self.bytes()?;
        match postcard::take_from_bytes(&bytes).map_err(unreadable)? {
            (value, []) => Ok(value),
            (_, rest) => Err(damaged(format!("what was saved has {} bytes too many", rest.len()))),
        }
    }

    /// Reads a list, one value after the other.
    pub(crate) fn list<T: DeserializeOwned>(
        &mut self,
        mut each: impl FnMut(T) -> io::Result<()>,
    ) -> io::Result<()> {
        let len: usize = self.get()?;
        (0..len).try_for_each(|_| each(self.get()?))
    }
}

fn unreadable(error: postcard::Error) -> io::Error {
    damaged(format!("what was saved cannot be read: {error}"))
}
