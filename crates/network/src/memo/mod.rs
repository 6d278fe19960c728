//! Memoised handler executions, by content: for other processes, other versions of the protocol and other
//! networks of the same nodes.
//!
//! What a handler does depends on the protocol's [configuration](Protocol::configuration), on its node,
//! the node's state and what it is triggered by, and on the node's neighbours if it asks for them.
//! All of these are compared byte by byte; nothing is told apart by a digest but the code of the
//! handler itself. It does not depend on topology, faults, depth or strategy, so what one
//! exploration has learned serves any other.
//!
//! Whatever is not certain to be the same is executed: a handler whose [code](everypath_model::Code) has
//! changed, one that has panicked, one that sends to a node that is no neighbour here.

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

use everypath_model::{Input, NodeId, Protocol, Trigger};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use self::entries::{Asked, Entries, Known};
use crate::{
    bytes::{Sink, Source, WRITES},
    declared_changes::DeclaredChanges,
    program::program_print,
};

/// After so many lookups the time that they take is compared with the time that executing takes.
const PILOT: u64 = 256;
/// Looking is not given up before so many pilots: while the machine was busy, one or two took ten times as long.
const PILOTS_MIN: u64 = 4;

/// Which handler is executed, of which node, and on what: what it is looked up by.
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
    /// The node that is called.
    pub(crate) fn node(&self) -> NodeId {
        self.trigger().0
    }

    /// Which handler is executed at which node, and on what.
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

    /// The state of the node before, if there is one.
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

/// To whom something was sent.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Destination {
    One(NodeId),
    /// To all neighbours, whoever they are.
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

/// What a handler did, whatever timers were set before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Done<S, M, T> {
    pub(crate) state: S,
    /// The timers that it has set or unset, in their order, with whether they are set.
    pub(crate) timers: Vec<(T, bool)>,
    pub(crate) sent: Vec<(Destination, M)>,
}

/// One way in which an execution can go on, by the choices it made. It is noted where it is, without a copy.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Branch<'e, S: Clone, M: Clone, T: Clone> {
    pub(crate) choices: Cow<'e, [u32]>,
    pub(crate) options: Cow<'e, [u32]>,
    pub(crate) done: Cow<'e, Done<S, M, T>>,
}

/// What an execution came to.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Learned<'e, S: Clone, M: Clone, T: Clone> {
    /// Who the node's neighbours were, if the handler asked.
    pub(crate) neighbours: Option<Cow<'e, [NodeId]>>,
    pub(crate) branches: Vec<Branch<'e, S, M, T>>,
}

pub(crate) type LearnedOf<'e, P> =
    Learned<'e, <P as Protocol>::State, <P as Protocol>::Message, <P as Protocol>::Timer>;

/// Which code has done something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Author {
    pub(crate) name: String,
    pub(crate) print: u64,
}

/// What handlers have done. It is [given to a space](crate::NetworkSpace::remember_with), which then
/// executes only what it does not find there, and adds what it executes.
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
    /// What was looked for last, and which code would do it.
    asked: Option<(Asked, &'static str, u64)>,
    /// Names of code that has changed since.
    changed: BTreeMap<String, u64>,
    /// What is taken for changed or unchanged whatever its print says.
    changes: DeclaredChanges,
    /// Names of code that was taken for unchanged although its print differs.
    trusted: BTreeMap<String, u64>,
    counts: MemoCounts,
    /// What the executions took that are in the file, and how many there were.
    executing: (Duration, u64),
    /// How long had been looked for handlers when the present pilot began, and the least that one has taken.
    pilots: (Duration, Option<Duration>),
    /// Whether what is found is executed all the same, and compared.
    verifies: bool,
    /// What a handler was executed on that did something else than it is said to do.
    contradiction: Option<String>,
}

/// How much a memo was used, and what it took.
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
/// // A new memo knows no execution.
/// let counts = space.memo().unwrap().counts();
/// assert!(counts.missing > 0 && counts.recalled == 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoCounts {
    /// How often a handler was found that did not need to be executed again.
    pub recalled: u64,
    /// How often it was not found.
    pub missing: u64,
    /// How often it was found, but its code has changed.
    pub outdated: u64,
    /// How long it took to look for executions and to note new ones.
    pub looking: Duration,
    /// Whether looking was given up, since executing takes less time.
    pub given_up: bool,
}

impl Memo {
    /// How many executions it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much memory it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.bytes()
    }

    /// How much it was used.
    #[must_use]
    pub fn counts(&self) -> MemoCounts {
        self.counts
    }

    /// The names of the code that has changed since something was learned from it, as far as it
    /// was come across, with how many executions had to be repeated.
    #[must_use]
    pub fn changed(&self) -> &BTreeMap<String, u64> {
        &self.changed
    }

    /// The names of the code that was taken for unchanged on somebody's word, with how many executions were
    /// not repeated for it.
    #[must_use]
    pub fn trusted(&self) -> &BTreeMap<String, u64> {
        &self.trusted
    }

    /// The names of all code that something is known of.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.authors.iter().map(|author| author.name.as_str())
    }

    /// Takes code for changed or unchanged, whatever its print says. Of what is taken for changed, all that is known
    /// by now counts as done by other code.
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

    /// Has everything executed that is found, and compared with it.
    #[must_use]
    pub fn verifying(self) -> Self {
        Self { verifies: true, ..self }
    }

    pub(crate) fn verifies(&self) -> bool {
        self.verifies
    }

    /// What a handler was executed on that did something else than the memo says, if that was
    /// found out.
    #[must_use]
    pub fn contradiction(&self) -> Option<&str> {
        self.contradiction.as_deref()
    }

    pub(crate) fn contradict(&mut self, what: impl FnOnce() -> String) {
        self.contradiction.get_or_insert_with(what);
    }

    /// What a handler did, if it is known, nothing has changed and it is possible here.
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

    /// Notes what the handler did that was looked for last.
    pub(crate) fn learn(&mut self, learned: &impl Serialize) {
        let Some((asked, name, print)) = self.asked.take() else { return };
        let is_it = |author: &Author| author.print == print && author.name == name;
        let author = self.authors.iter().position(is_it).unwrap_or_else(|| {
            self.authors.push(Author { name: name.to_owned(), print });
            self.authors.len() - 1
        });
        let author = u32::try_from(author).expect("a protocol has few handlers");
        // What cannot be noted is executed again.
        let _ = self.entries.put(asked, author, learned);
    }

    /// Whether it is still worth to look handlers up.
    pub(crate) fn is_used(&self) -> bool {
        !self.counts.given_up
    }

    /// Notes how long was looked for a handler.
    pub(crate) fn looked(&mut self, time: Duration) {
        self.counts.looking += time;
    }

    /// Gives up if looking handlers up takes longer than executing them, given what those took that were executed. The
    /// fastest of all pilots counts: one that the machine was busy with something else in says nothing.
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

    /// Writes all that it knows: the same bytes for what was learned in the same order, but for how long executions took.
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
        // Not code whose work has all been done again by another.
        let mut order: Vec<usize> =
            (0..self.authors.len()).filter(|&it| self.entries.are_of(it)).collect();
        order.sort_unstable_by_key(|&author| &self.authors[author]);
        let mut places = vec![0_u32; self.authors.len()];
        (0..).zip(&order).for_each(|(place, &author)| places[author] = place);
        out.block(&order.iter().map(|&author| &self.authors[author]).collect::<Vec<_>>())?;
        self.entries.write(&mut out, &places)?;
        out.finish()
    }

    /// Reads what was written.
    ///
    /// # Errors
    /// If that is something else.
    pub fn read(input: &mut dyn Read) -> io::Result<Self> {
        let input = &mut Source::new(input);
        let (nanoseconds, executions) = input.get()?;
        let authors: Vec<Author> = input.block()?;
        let entries = Entries::read(input, authors.len())?;
        let executing = (Duration::from_nanos(nanoseconds), executions);
        Ok(Self { entries, authors, executing, ..Self::default() })
    }
}

/// Which code handles something: as the protocol says, or else the whole program.
pub(crate) fn author_of<P: Protocol>(
    protocol: &P,
    (me, trigger): (NodeId, Trigger<'_, P>),
) -> (&'static str, u64) {
    match protocol.code(me, trigger) {
        Some(code) => (code.name, code.print),
        // Not just the program: two of its protocols may have types of one name.
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
        // Whether it is given up after pilots in which a look takes so long, if an execution takes 1 µs.
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
