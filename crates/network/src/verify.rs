//! Verification by repetition: whether handlers and closures are functions of their inputs, and
//! whether data can be written and read back.
//!
//! The first executions and questions are all repeated, then a share that is chosen by content, so
//! the choice does not depend on time. A nondeterministic handler breaks its node, which is a
//! violation with a run to it. A nondeterministic closure, or data that loses something, is a flaw
//! of the scenario: no later result of a search can be relied on.

use std::{
    any::type_name,
    cell::{Cell, OnceCell},
    hash::BuildHasher,
};

use everypath_model::{
    Data, notice_ignored, panics,
    running::{self, Post},
    shown,
};
use rustc_hash::FxBuildHasher;
use xxhash_rust::xxh3::xxh3_64;

use crate::mix::mix;

/// How much is executed and asked twice.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{NetworkSpace, SpaceOptions, Verification};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2));
/// let options = SpaceOptions::default().verification(Verification::All);
/// let mut space = NetworkSpace::new(&scenario, options).unwrap();
/// explore(&mut space, &Options::default(), &mut ()).unwrap();
/// assert!(space.verified_executions() > 0);
/// assert_eq!(Verification::All.name(), "all");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verification {
    /// The first executions and questions, and then a share of them that is chosen by content.
    #[default]
    Share,
    /// All of them.
    All,
    /// None of them.
    Nothing,
}

impl Verification {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Share => "a share",
            Self::All => "all",
            Self::Nothing => "nothing",
        }
    }
}

/// The sorts of repetitions, each counted separately.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sort {
    Execution,
    /// An execution in a state that was reached again, with other ignored values.
    Newcomer,
    Assertion,
    End,
    Goal,
    Pruning,
    Assumption,
    Observer,
    Ranking,
    RelationKey,
    Cut,
    Relation,
    Receivers,
    Commands,
    State,
    Message,
}

const SORTS: usize = Sort::Message as usize + 1;

/// How many executions are repeated before only a share is.
const FIRST: u32 = 4096;
/// The same for each other sort.
const FIRST_QUESTIONS: u32 = 1024;
/// One in this many executions, new states and messages is repeated then.
const SHARE: u64 = 16;
/// One in this many questions: some are asked in every state.
const SHARE_OF_QUESTIONS: u64 = 64;

/// Chooses what is repeated, and records the first flaw.
pub(crate) struct Verifier {
    how: Verification,
    /// Whether every state that is reached again is compared with the known one.
    pub(crate) all_ignored: bool,
    /// By sort: how many were repeated because they were among the first.
    first: [Cell<u32>; SORTS],
    /// How many executions were compared with a second one.
    pub(crate) executions: u64,
    /// How many executions were compared with one in an equal state with other ignored values.
    pub(crate) ignored: Cell<u64>,
    flaw: OnceCell<String>,
    /// Where other threads see the current question.
    post: &'static Post,
}

impl Verifier {
    pub(crate) fn new(how: Verification, all_ignored: bool) -> Self {
        Self {
            how,
            all_ignored,
            ignored: Cell::new(0),
            first: Default::default(),
            executions: 0,
            flaw: OnceCell::new(),
            post: running::post(),
        }
    }

    /// Whether to compare an execution or a question with a second one.
    #[inline]
    pub(crate) fn is_due(&self, sort: Sort, content: impl FnOnce() -> u64) -> bool {
        if matches!(sort, Sort::Newcomer) && self.all_ignored {
            return true;
        }
        match self.how {
            Verification::Share => self.is_chosen(sort, content),
            Verification::All => true,
            Verification::Nothing => false,
        }
    }

    /// Whether it is one of the first, or belongs to the share.
    #[inline]
    fn is_chosen(&self, sort: Sort, content: impl FnOnce() -> u64) -> bool {
        let (most, share) = match sort {
            Sort::Execution => (FIRST, SHARE),
            Sort::Newcomer | Sort::Commands | Sort::State | Sort::Message => {
                (FIRST_QUESTIONS, SHARE)
            }
            _ => (FIRST_QUESTIONS, SHARE_OF_QUESTIONS),
        };
        let first = &self.first[sort as usize];
        if first.get() < most {
            first.set(first.get() + 1);
            return true;
        }
        mix(content()).is_multiple_of(share)
    }

    /// The first flaw.
    #[inline]
    pub(crate) fn flaw(&self) -> Option<&str> {
        self.flaw.get().map(String::as_str)
    }

    /// Records a flaw, unless there is one already.
    pub(crate) fn accuse(&self, what: impl FnOnce() -> String) {
        self.flaw.get_or_init(what);
    }
}

/// The facts about a new value that was written.
pub(crate) struct Written {
    /// How many bytes it takes.
    pub(crate) bytes: usize,
    /// Whether something in it is ignored.
    pub(crate) ignores: bool,
    /// Whether it was chosen for comparison.
    pub(crate) chosen: bool,
}

impl Verifier {
    /// Asks a named closure of the scenario, which is named if it panics; asks twice if `twice`.
    #[inline]
    pub(crate) fn ask<T: PartialEq>(
        &self,
        sort: &'static str,
        name: &str,
        twice: bool,
        ask: impl Fn() -> T,
    ) -> T {
        let within = || panics::within(|| format!("the {sort} `{name}`"), &ask);
        let answer = self.post.part(name, within);
        if twice {
            self.compare_answers(sort, name, &answer, ask);
        }
        answer
    }

    #[cold]
    #[inline(never)]
    fn compare_answers<T: PartialEq>(
        &self,
        sort: &str,
        name: &str,
        answer: &T,
        ask: impl Fn() -> T,
    ) {
        let within = || panics::within(|| format!("the {sort} `{name}`"), ask);
        if self.post.part(name, within) != *answer {
            self.accuse(|| {
                format!(
                    "the {sort} `{name}` answers differently when it is asked again about the same world: it reads a clock, a random source or something else outside the world"
                )
            });
        }
    }

    /// Writes a new value. If it is chosen, reads it back and compares.
    pub(crate) fn write_back<T: Data>(
        &self,
        sort: Sort,
        value: &T,
        whose: impl Fn() -> String,
    ) -> Written {
        let (bytes, ignores) = notice_ignored(|| postcard::to_stdvec(value));
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                self.accuse(|| lost::<T>(&whose(), &unwritable(&error)));
                return Written { bytes: 0, ignores, chosen: false };
            }
        };
        let chosen = self.is_chosen(sort, || xxh3_64(&bytes));
        if chosen {
            self.compare_back(value, &bytes, whose);
        }
        Written { bytes: bytes.len(), ignores, chosen }
    }

    /// Reads a value back from its bytes, and checks that nothing is lost.
    fn compare_back<T: Data>(&self, value: &T, bytes: &[u8], whose: impl Fn() -> String) {
        let hash = |value: &T| FxBuildHasher.hash_one(value);
        let found = read_back(value, bytes).and_then(|back| {
            if hash(value) != hash(&back) {
                return Err("is equal to its copy that was read back, but has another hash; compute `Hash` and `PartialEq` from the same fields".to_owned());
            }
            match postcard::to_stdvec(&back) {
                Ok(again) if again == bytes => Ok(()),
                _ => Err("is written differently each time, although it is equal; use BTreeMap and BTreeSet instead of HashMap and HashSet".to_owned()),
            }
        });
        if let Err(what) = found {
            self.accuse(|| lost::<T>(&whose(), &what));
        }
    }

    /// A copy of a value that went through bytes, so that ignored values have their default; and
    /// whether it has ignored values. If something is lost, the copy is a clone.
    pub(crate) fn reread<T: Data>(&self, value: &T, whose: impl Fn() -> String) -> (T, bool) {
        let (bytes, ignores) = notice_ignored(|| postcard::to_stdvec(value));
        let back = match bytes {
            Ok(bytes) => read_back(value, &bytes),
            Err(error) => Err(unwritable(&error)),
        };
        let back = back.unwrap_or_else(|what| {
            self.accuse(|| lost::<T>(&whose(), &what));
            value.clone()
        });
        (back, ignores)
    }
}

fn unwritable(error: &postcard::Error) -> String {
    format!(
        "cannot be written ({error}); `serde(flatten)` and other attributes that need a self-describing format are not possible here"
    )
}

/// Reads a value back from its bytes. The error says what differs.
fn read_back<T: Data>(value: &T, bytes: &[u8]) -> Result<T, String> {
    const REMEDY: &str = "write and compare the same fields: remove `serde(skip)` and `skip_serializing_if`, or wrap fields that do not count in `Ignored`";
    let back = match postcard::take_from_bytes::<T>(bytes) {
        Ok((back, [])) => back,
        Ok((_, rest)) => {
            return Err(format!(
                "leaves {} bytes unread when it is read back; {REMEDY}",
                rest.len()
            ));
        }
        Err(error) => return Err(format!("cannot be read back ({error}); {REMEDY}")),
    };
    if !is_equal_to_itself(value) {
        return Err(format!(
            "is not equal to itself: {}; store no NaN, and let every value be equal to itself",
            shown(value)
        ));
    }
    if back != *value {
        let [before, after] = parting(&shown(value), &shown(&back));
        return Err(format!("differs when it is read back: {before} becomes {after}; {REMEDY}"));
    }
    Ok(back)
}

/// The message about a flaw in data.
fn lost<T>(whose: &str, what: &str) -> String {
    format!("{whose}, a `{}`, {what}", type_name::<T>())
}

/// Two texts or, if they are long, the parts of them near their first difference.
fn parting(one: &str, other: &str) -> [String; 2] {
    const LONG: usize = 200;
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let start = same.saturating_sub(LONG / 2);
    [one, other].map(|text| {
        let part: String = text.chars().skip(start).take(LONG).collect();
        let before = if start > 0 { "…" } else { "" };
        let after = if text.chars().count() > start + LONG { "…" } else { "" };
        format!("{before}{part}{after}")
    })
}

#[allow(clippy::eq_op)]
pub(crate) fn is_equal_to_itself<T: PartialEq>(value: &T) -> bool {
    value == value
}
