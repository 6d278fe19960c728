//! Reading and writing values as bytes.

use std::{
    fmt,
    io::{self, BufWriter, Read, Write},
    marker::PhantomData,
};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, Error, SeqAccess, Visitor},
};

pub(crate) const WRITES: &str = "the protocol's data can be serialised";

/// An error: the saved bytes are not what a space writes.
pub(crate) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// An error: the saved bytes do not fit what the protocol does now.
pub(crate) fn outdated(what: &str) -> io::Error {
    damaged(format!("the protocol has changed since: {what} now"))
}

/// An error unless a condition holds.
pub(crate) fn ensure(holds: bool, otherwise: &str) -> io::Result<()> {
    if holds { Ok(()) } else { Err(damaged(otherwise)) }
}

/// A writer of values.
pub(crate) struct Sink<'w> {
    out: BufWriter<&'w mut dyn Write>,
}

impl<'w> Sink<'w> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out: BufWriter::new(out) }
    }

    /// Writes a value for [`Source::get`]. It must not contain texts or byte strings.
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

    /// Does nothing: postcard flushes after every value.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader of values. It reads no byte beyond them.
pub(crate) struct Source<'r> {
    input: &'r mut dyn Read,
}

impl<'r> Source<'r> {
    pub(crate) fn new(input: &'r mut dyn Read) -> Self {
        Self { input }
    }

    /// Reads a value that contains no texts or byte strings.
    pub(crate) fn get<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut scratch = [0; 16];
        let read = postcard::from_io::<T, _>((&mut *self.input, &mut scratch));
        read.map(|(value, _)| value).map_err(unreadable)
    }

    /// Reads bytes. It allocates memory only as they arrive, whatever length the file claims.
    pub(crate) fn bytes(&mut self) -> io::Result<Vec<u8>> {
        let len: usize = self.get()?;
        let mut bytes = Vec::new();
        (&mut *self.input).take(len as u64).read_to_end(&mut bytes)?;
        ensure(bytes.len() == len, "the saved data is cut off")?;
        Ok(bytes)
    }

    /// Reads any value.
    pub(crate) fn block<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let bytes = self.bytes()?;
        match postcard::take_from_bytes(&bytes).map_err(unreadable)? {
            (value, []) => Ok(value),
            (_, rest) => Err(damaged(format!("the saved data has {} bytes too many", rest.len()))),
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

/// The largest number of values that take no bytes.
const EMPTY_MAX: usize = 1 << 16;

/// Reads a list whose length may be wrong. A list of values that take bytes ends with the input. A
/// list of values that take no bytes could be so long that reading it never ends, so its length is
/// limited.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    input: D,
) -> Result<Vec<T>, D::Error> {
    struct Values<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Values<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<Vec<T>, A::Error> {
            if size_of::<T>() == 0 && values.size_hint().is_some_and(|len| len > EMPTY_MAX) {
                return Err(A::Error::custom("a list has an impossible length"));
            }
            let mut list = Vec::new();
            while let Some(value) = values.next_element()? {
                list.push(value);
            }
            Ok(list)
        }
    }

    input.deserialize_seq(Values(PhantomData))
}

/// A list read by [`list`].
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound(deserialize = "T: Deserialize<'de>"))]
pub(crate) struct List<T>(#[serde(deserialize_with = "list")] pub(crate) Vec<T>);

fn unreadable(error: postcard::Error) -> io::Error {
    damaged(format!("the saved data cannot be read: {error}"))
}
