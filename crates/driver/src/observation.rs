//! What is observed of values, and a number for each distinct observation.

use std::{fmt::Debug, hash::Hash, sync::Arc};

use hashbrown::{HashTable, hash_table::Entry};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::spaced;

/// The distinct observations of values so far. Equal numbers mean equal observations: no hash is
/// mistaken for content.
pub(crate) trait Observations<X> {
    /// The number of the observation of a value. Panics if it cannot be made.
    fn number(&mut self, value: &X) -> u32;
    /// The observation of a value in words.
    fn text(&self, value: &X) -> String;
    /// A digest of an observation, the same in every process.
    fn digest(&self, number: u32) -> u64;
    /// How many there are.
    fn len(&self) -> usize;
    /// About how many bytes they take.
    fn bytes(&self) -> usize;
}

/// Makes an empty table of observations.
pub(crate) type Observing<X> = Box<dyn Fn() -> Box<dyn Observations<X>> + Send + Sync>;

/// Observes a value that is hashed and compared.
pub(crate) fn by_value<X: 'static, O: Hash + Eq + Debug + 'static>(
    observe: impl Fn(&X) -> O + Send + Sync + 'static,
) -> Observing<X> {
    let observe: Arc<dyn Fn(&X) -> O + Send + Sync> = Arc::new(observe);
    Box::new(move || Box::new(ByValue { observe: Arc::clone(&observe), all: IndexSet::default() }))
}

/// Observes the serde form of a value.
pub(crate) fn by_serde<X: 'static, O: Serialize + 'static>(
    observe: impl Fn(&X, &mut dyn FnMut(&O)) + Send + Sync + 'static,
) -> Observing<X> {
    let observe: Arc<Observe<X, O>> = Arc::new(observe);
    Box::new(move || {
        Box::new(BySerde {
            observe: Arc::clone(&observe),
            scratch: Vec::new(),
            content: Vec::new(),
            ends: Vec::new(),
            table: HashTable::new(),
        })
    })
}

struct ByValue<X, O> {
    observe: Arc<dyn Fn(&X) -> O + Send + Sync>,
    all: IndexSet<O, FxBuildHasher>,
}

impl<X, O: Hash + Eq + Debug> Observations<X> for ByValue<X, O> {
    fn number(&mut self, value: &X) -> u32 {
        let observed = (self.observe)(value);
        narrow(self.all.insert_full(observed).0)
    }

    fn text(&self, value: &X) -> String {
        format!("{:?}", (self.observe)(value))
    }

    fn digest(&self, number: u32) -> u64 {
        xxh3_64(format!("{:?}", self.all[number as usize]).as_bytes())
    }

    fn len(&self) -> usize {
        self.all.len()
    }

    fn bytes(&self) -> usize {
        // An entry of an index set: the hash, the value, and 8 bytes of table.
        self.all.capacity() * (size_of::<O>() + 16)
    }
}

type Observe<X, O> = dyn Fn(&X, &mut dyn FnMut(&O)) + Send + Sync;

/// Observations as bytes, one after the other.
struct BySerde<X, O> {
    observe: Arc<Observe<X, O>>,
    scratch: Vec<u8>,
    content: Vec<u8>,
    /// Where each of them ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
}

/// The message of the panic if a value has no serde form.
pub(crate) const UNSERIALISABLE: &str = "a value cannot be serialised: ";

fn slice<'a>(content: &'a [u8], ends: &[usize], number: u32) -> &'a [u8] {
    let place = number as usize;
    let begin = if place == 0 { 0 } else { ends[place - 1] };
    &content[begin..ends[place]]
}

impl<X, O: Serialize> Observations<X> for BySerde<X, O> {
    fn number(&mut self, value: &X) -> u32 {
        let Self { observe, scratch, content, ends, table } = self;
        scratch.clear();
        observe(value, &mut |observed| {
            let written = postcard::to_extend(observed, std::mem::take(scratch));
            *scratch = written.unwrap_or_else(|error| panic!("{UNSERIALISABLE}{error}"));
        });
        let is_same = |number: &u32| slice(content, ends, *number) == scratch.as_slice();
        let hash = |number: &u32| xxh3_64(slice(content, ends, *number));
        match table.entry(xxh3_64(scratch), is_same, hash) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(place) => {
                let number = narrow(ends.len());
                place.insert(number);
                content.extend_from_slice(scratch);
                ends.push(content.len());
                number
            }
        }
    }

    fn text(&self, value: &X) -> String {
        let mut text = String::new();
        (self.observe)(value, &mut |observed| {
            // Where it cannot be written, the bytes are all that there is.
            text = spaced::text(observed).unwrap_or_else(|| {
                let bytes = postcard::to_stdvec(observed).unwrap_or_default();
                format!("{bytes:?}")
            });
        });
        text
    }

    fn digest(&self, number: u32) -> u64 {
        xxh3_64(slice(&self.content, &self.ends, number))
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn bytes(&self) -> usize {
        self.content.capacity() + self.ends.capacity() * 8 + self.table.capacity() * 5
    }
}

fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("a search ends before this number is reached")
}
