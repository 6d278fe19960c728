//! Memoised handler executions, by content: for other processes, other versions of the protocol and other
//! networks of the same nodes.
//!
//! The effects of a handler depend on the protocol's [configuration](Protocol::configuration), on
//! its node, the node's state and the input, and on the node's neighbours if the handler asks for
//! them. All of these are compared byte by byte; only the code of the handler itself is compared by
//! a digest. The effects do not depend on topology, faults, depth or strategy, so one exploration
//! can use what another has memoised.
//!
//! Whatever is not certain to be the same is executed: a handler whose
//! [code](everypath_model::Code) has changed, one that has panicked, one that sends to a node that
//! is not a neighbour here.

mod entries;

use std::{
    any::TypeId,
    borrow::Cow,
    collections::BTreeMap,
    fmt,
    hash::Hash,
    io::{self, Read, Write},
    time::Duration,
};

use everypath_model::{Input, NodeId, Protocol, TimerChange, Trigger};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use self::entries::{Asked, Entries, Known};
use crate::{
    bytes::{Sink, Source, WRITES},
    declared_changes::DeclaredChanges,
    program::program_print,
};

/// After this many look-ups (a pilot), their time is compared with the time of executions.
const PILOT: u64 = 256;
/// Look-ups are not given up before this many pilots: while the machine was busy, one or two took
/// ten times as long.
const PILOTS_MIN: u64 = 4;

/// A handler, its node and its input: the key of the memo.
#[derive(Serialize)]
pub(crate) enum Call<'a, P: Protocol> {
    Start(NodeId),
    Restart(NodeId, &'a P::State),
    Message(NodeId, &'a P::State, NodeId, &'a P::Message),
    Undeliverable(NodeId, &'a P::State, NodeId, &'a P::Message),
    Timer(NodeId, &'a P::State, &'a P::Timer),
    Command(NodeId, &'a P::State, &'a P::Command),
}

impl<P: Protocol> Clone for Call<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Call<'_, P> {}

impl<'a, P: Protocol> Call<'a, P> {
    /// The node of the handler.
    pub(crate) fn node(&self) -> NodeId {
        self.trigger().0
    }

    /// The node, and the input of its handler.
    pub(crate) fn trigger(&self) -> (NodeId, Trigger<'a, P>) {
        match *self {
            Self::Start(me) => (me, Trigger::Start),
            Self::Restart(me, _) => (me, Trigger::Restart),
            Self::Message(me, _, from, message) => {
                (me, Trigger::On(Input::Message { from, message }))
            }
            Self::Undeliverable(me, _, to, message) => {
                (me, Trigger::On(Input::Undeliverable { to, message }))
            }
            Self::Timer(me, _, timer) => (me, Trigger::On(Input::Timer(timer))),
            Self::Command(me, _, command) => (me, Trigger::On(Input::Command(command))),
        }
    }

    /// The state of the node before the handler, if there is one.
    pub(crate) fn state(&self) -> Option<&'a P::State> {
        match *self {
            Self::Start(_) => None,
            Self::Restart(_, state)
            | Self::Message(_, state, ..)
            | Self::Undeliverable(_, state, ..)
            | Self::Timer(_, state, _)
            | Self::Command(_, state, _) => Some(state),
        }
    }
}

/// The destination of a message.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Destination {
    One(NodeId),
    /// All neighbours.
    Neighbours,
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(node) => node.fmt(f),
            Self::Neighbours => f.write_str("all"),
        }
    }
}

/// The effects of a handler, independent of the timers that were set before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(deserialize = "S: Deserialize<'de>, M: Deserialize<'de>, T: Deserialize<'de>"))]
pub(crate) struct Done<S, M, T> {
    pub(crate) state: S,
    /// The timers that it has set or cancelled, in their order, with whether they are set.
    pub(crate) timers: Vec<(T, bool)>,
    pub(crate) sent: Vec<(Destination, M)>,
    /// What it has done to timers, in order, if timers fire in order. No memo is used then.
    #[serde(skip)]
    pub(crate) changes: Vec<TimerChange<T>>,
}

/// One branch of an execution, with its choices. It borrows its content, so storing it needs no
/// copy.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Branch<'e, S: Clone, M: Clone, T: Clone> {
    pub(crate) choices: Cow<'e, [u32]>,
    pub(crate) options: Cow<'e, [u32]>,
    pub(crate) done: Cow<'e, Done<S, M, T>>,
}

/// The result of an execution.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Learned<'e, S: Clone, M: Clone, T: Clone> {
    /// The node's neighbours, if the handler asked for them.
    pub(crate) neighbours: Option<Cow<'e, [NodeId]>>,
    pub(crate) branches: Vec<Branch<'e, S, M, T>>,
}

pub(crate) type LearnedOf<'e, P> =
    Learned<'e, <P as Protocol>::State, <P as Protocol>::Message, <P as Protocol>::Timer>;

/// Code, identified by its name and print.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Author {
    pub(crate) name: String,
    pub(crate) print: u64,
}

/// Memoised handler executions. A [space with a memo](crate::NetworkSpace::remember_with) executes
/// only what the memo does not have, and adds what it executes.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::time::Duration;
/// use everypath_explore::{Measured, Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{Memo, NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// space.remember_with(Memo::default());
/// explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let memo = space.take_memo().unwrap();
/// assert!(!memo.is_empty());
///
/// let mut file = Vec::new();
/// memo.write(&mut file, space.handler_executions(), space.handler_time()).unwrap();
/// assert_eq!(Memo::read(&mut &file[..]).unwrap().len(), memo.len());
/// ```
#[derive(Default)]
pub struct Memo {
    entries: Entries,
    authors: Vec<Author>,
    /// The last look-up: its key, and the name and print of the code.
    asked: Option<(Asked, &'static str, u64)>,
    /// Names of code that has changed.
    changed: BTreeMap<String, u64>,
    /// Code that is treated as changed or unchanged, whatever its print says.
    changes: DeclaredChanges,
    /// Names of code that was treated as unchanged although its print differs.
    trusted: BTreeMap<String, u64>,
    counts: MemoCounts,
    /// The time and the number of the executions in the file.
    executing: (Duration, u64),
    /// The time of all look-ups when the current pilot began, and the time of the fastest pilot.
    pilots: (Duration, Option<Duration>),
    /// Whether memoised executions are executed nevertheless, and compared.
    verifies: bool,
    /// An input on which a handler did something other than the memo says.
    contradiction: Option<String>,
}

/// How a memo was used, and its cost.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../model/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_explore::{Options, explore};
/// use everypath_model::{Scenario, Topology};
/// use everypath_network::{Memo, NetworkSpace, SpaceOptions};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2));
/// let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
/// space.remember_with(Memo::default());
/// explore(&mut space, &Options::default(), &mut ()).unwrap();
/// // A new memo has no executions.
/// let counts = space.memo().unwrap().counts();
/// assert!(counts.missing > 0 && counts.recalled == 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoCounts {
    /// Executions found, which need not be repeated.
    pub recalled: u64,
    /// Executions not found.
    pub missing: u64,
    /// Executions found whose code has changed.
    pub outdated: u64,
    /// The time to look up executions and to store new ones.
    pub looking: Duration,
    /// Whether look-ups were given up because executing is faster.
    pub given_up: bool,
}

impl Memo {
    /// How many executions it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no executions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.bytes()
    }

    /// How it was used.
    #[must_use]
    pub fn counts(&self) -> MemoCounts {
        self.counts
    }

    /// The names of changed code among the executions looked up, with how many executions had to be
    /// repeated.
    #[must_use]
    pub fn changed(&self) -> &BTreeMap<String, u64> {
        &self.changed
    }

    /// The names of code that was declared as unchanged although its print differs, with how many
    /// executions were not repeated for it.
    #[must_use]
    pub fn trusted(&self) -> &BTreeMap<String, u64> {
        &self.trusted
    }

    /// The names of all code that has memoised executions.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.authors.iter().map(|author| author.name.as_str())
    }

    /// Treats code as changed or unchanged, whatever its print says. All memoised executions of
    /// changed code then count as those of other code.
    ///
    /// ```
    /// use everypath_network::{DeclaredChanges, Memo};
    ///
    /// // Whatever the prints say, the handlers of timers have changed.
    /// let changes = DeclaredChanges::new(vec!["timer:*".to_owned()], Vec::new());
    /// let memo = Memo::default().with_changes(changes).verifying();
    /// assert!(memo.changed().is_empty());
    /// ```
    #[must_use]
    pub fn with_changes(mut self, changes: DeclaredChanges) -> Self {
        for author in self.authors.iter_mut().filter(|it| changes.says_modified(&it.name)) {
            author.print = !author.print;
        }
        Self { changes, ..self }
    }

    /// Executes all memoised executions again, and compares them.
    #[must_use]
    pub fn verifying(self) -> Self {
        Self { verifies: true, ..self }
    }

    pub(crate) fn verifies(&self) -> bool {
        self.verifies
    }

    /// An input on which a handler did something other than the memo says, if one was found.
    #[must_use]
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }

    pub(crate) fn contradict(&mut self, what: impl FnOnce() -> String) {
        self.contradiction.get_or_insert_with(what);
    }

    /// The memoised execution of a handler, if there is one, its code is unchanged, and it is
    /// possible here.
    pub(crate) fn recall<P: Protocol>(
        &mut self,
        call: &Call<'_, P>,
        protocol: &P,
        is_possible: impl Fn(&LearnedOf<'_, P>) -> bool,
    ) -> Option<LearnedOf<'static, P>> {
        let (name, print) = author_of(protocol, call.trigger());
        let (asked, found) = self.entries.get(call).expect(WRITES);
        self.asked = Some((asked, name, print));
        let Some(Known { author, value }) = found else {
            self.counts.missing += 1;
            return None;
        };
        let author = &self.authors[author as usize];
        let differs = author.name != name || author.print != print;
        if differs && (author.name != name || self.changes.is_modified(name, author.print, print)) {
            self.counts.outdated += 1;
            *self.changed.entry(name.to_owned()).or_default() += 1;
            return None;
        }
        let learned = postcard::from_bytes(value).ok().filter(is_possible);
        match &learned {
            Some(_) => {
                self.counts.recalled += 1;
                if differs {
                    *self.trusted.entry(name.to_owned()).or_default() += 1;
                }
            }
            None => self.counts.missing += 1,
        }
        learned
    }

    /// Stores the execution that was looked up last.
    pub(crate) fn learn(&mut self, learned: &impl Serialize) {
        let Some((asked, name, print)) = self.asked.take() else { return };
        let is_it = |author: &Author| author.print == print && author.name == name;
        let author = self.authors.iter().position(is_it).unwrap_or_else(|| {
            self.authors.push(Author { name: name.to_owned(), print });
            self.authors.len() - 1
        });
        let author = u32::try_from(author).expect("a protocol has few handlers");
        // An execution that cannot be stored is executed again.
        let _ = self.entries.put(asked, author, learned);
    }

    /// Whether look-ups are still worthwhile.
    pub(crate) fn is_used(&self) -> bool {
        !self.counts.given_up
    }

    /// Adds the time of a look-up.
    pub(crate) fn looked(&mut self, time: Duration) {
        self.counts.looking += time;
    }

    /// Gives up if looking handlers up takes longer than executing them, judged by the handlers
    /// that were executed. The fastest of all pilots counts: a pilot during which the machine was
    /// busy says nothing.
    pub(crate) fn reconsider(&mut self, executions: u64, execution: Duration) {
        let MemoCounts { recalled, missing, outdated, looking, .. } = self.counts;
        let looks = recalled + missing + outdated;
        let time = self.executing.0.saturating_add(execution);
        let number = self.executing.1.saturating_add(executions);
        if !looks.is_multiple_of(PILOT) || number == 0 {
            return;
        }
        let (begun, fastest) = self.pilots;
        let pilot = looking.saturating_sub(begun);
        let fastest = fastest.map_or(pilot, |fastest| fastest.min(pilot));
        self.pilots = (looking, Some(fastest));
        let per_look = fastest.as_nanos() / u128::from(PILOT);
        let per_execution = time.as_nanos() / u128::from(number);
        let is_clear = looks >= PILOTS_MIN * PILOT && per_look > per_execution;
        self.counts.given_up = is_clear && !self.verifies;
    }

    /// Writes all executions. Executions that were stored in the same order give the same bytes,
    /// except for their time.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        &self,
        out: &mut dyn Write,
        executions: u64,
        execution: Duration,
    ) -> io::Result<()> {
        let mut out = Sink::new(out);
        let time = self.executing.0.saturating_add(execution);
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        out.put(&(nanoseconds, self.executing.1.saturating_add(executions)))?;
        // Without code whose executions have all been replaced.
        let mut order: Vec<usize> =
            (0..self.authors.len()).filter(|&it| self.entries.are_of(it)).collect();
        order.sort_unstable_by_key(|&author| &self.authors[author]);
        let mut places = vec![0_u32; self.authors.len()];
        (0..).zip(&order).for_each(|(place, &author)| places[author] = place);
        out.block(&order.iter().map(|&author| &self.authors[author]).collect::<Vec<_>>())?;
        self.entries.write(&mut out, &places)?;
        out.finish()
    }

    /// Reads a memo.
    ///
    /// # Errors
    /// If the bytes are not a memo.
    pub fn read(input: &mut dyn Read) -> io::Result<Self> {
        let input = &mut Source::new(input);
        let (nanoseconds, executions) = input.get()?;
        let authors: Vec<Author> = input.block()?;
        let entries = Entries::read(input, authors.len())?;
        let executing = (Duration::from_nanos(nanoseconds), executions);
        Ok(Self { entries, authors, executing, ..Self::default() })
    }
}

/// The code that handles an input: as the protocol says, or otherwise the whole program.
pub(crate) fn author_of<P: Protocol>(
    protocol: &P,
    (me, trigger): (NodeId, Trigger<'_, P>),
) -> (&'static str, u64) {
    match protocol.code(me, trigger) {
        Some(code) => (code.name, code.print),
        // Not only the program: two of its protocols may have types of the same name.
        None => {
            let mut sum = Xxh3::with_seed(program_print());
            TypeId::of::<P>().hash(&mut sum);
            ("the program", sum.digest())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_is_given_up_where_it_takes_longer_than_executing() {
        let nanoseconds = Duration::from_nanos;
        // Whether look-ups are given up after pilots with these times per look-up, if an execution takes 1 µs.
        let given_up = |pilots: &[u64]| {
            let mut memo = Memo::default();
            for per_look in pilots {
                memo.counts.missing += PILOT;
                memo.counts.looking += nanoseconds(PILOT * per_look);
                memo.reconsider(10, nanoseconds(10 * 1000));
            }
            memo.counts().given_up
        };
        assert!(given_up(&[1500, 1400, 1300, 1600]));
        assert!(!given_up(&[500, 500, 500, 500]));
        assert!(!given_up(&[500, 9000, 9000, 9000]), "something else took the time");
        assert!(!given_up(&[9000, 9000, 9000]), "not yet");
    }
}
