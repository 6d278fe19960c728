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

/// What was saved is not what a space writes.
pub(crate) fn damaged(what: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.into())
}

/// What was saved is not what the protocol does now.
pub(crate) fn outdated(what: &str) -> io::Error {
    damaged(format!("the protocol has changed since: {what} now"))
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

/// How many values there can be that take no bytes.
const EMPTY_MAX: usize = 1 << 16;

/// Reads a list of which nothing is known but what its length says. Values that take bytes end with these; of others there
/// could be so many that reading them never ends.
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
                return Err(A::Error::custom("a list is longer than it can be"));
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

/// A list that is read by [`list`].
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound(deserialize = "T: Deserialize<'de>"))]
pub(crate) struct List<T>(#[serde(deserialize_with = "list")] pub(crate) Vec<T>);

fn unreadable(error: postcard::Error) -> io::Error {
    damaged(format!("what was saved cannot be read: {error}"))
}
