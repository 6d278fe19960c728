//! What handlers did, by content: for other processes, other versions of the protocol and other
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

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    io::{self, Read, Write},
    sync::OnceLock,
    time::{Duration, Instant},
};

use everypath_model::{NodeId, Protocol, Trigger};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use crate::{
    declared_changes::DeclaredChanges,
    saved::{Sink, Source, damaged},
};

/// A handler is looked up so often before the time that takes is compared with the time that executing takes.
const PILOT: u64 = 256;

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

impl<'a, P: Protocol> Call<'a, P> {
    pub(crate) fn trigger(&self) -> Trigger<'a, P> {
        match *self {
            Self::Start(_) => Trigger::Start,
            Self::Restart(..) => Trigger::Restart,
            Self::Message(_, _, _, message) => Trigger::Message(message),
            Self::Undeliverable(_, _, _, message) => Trigger::Undeliverable(message),
            Self::Timer(_, _, timer) => Trigger::Timer(timer),
            Self::Command(_, _, command) => Trigger::Command(command),
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

/// One way in which an execution can go on, by the choices it made.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Branch<S, M, T> {
    pub(crate) choices: Vec<u32>,
    pub(crate) options: Vec<u32>,
    pub(crate) done: Done<S, M, T>,
}

/// What an execution came to.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Learned<S, M, T> {
    /// Who the node's neighbours were, if the handler asked.
    pub(crate) neighbours: Option<Vec<NodeId>>,
    pub(crate) branches: Vec<Branch<S, M, T>>,
}

pub(crate) type LearnedOf<P> =
    Learned<<P as Protocol>::State, <P as Protocol>::Message, <P as Protocol>::Timer>;

/// Which code has done something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Author {
    pub(crate) name: String,
    pub(crate) print: u64,
}

struct Entry {
    /// Which of the authors.
    author: u32,
    learned: Box<[u8]>,
}

/// What handlers have done. It is [given to a space](crate::NetworkSpace::remember_with), which then
/// executes only what it does not find there, and adds what it executes.
#[derive(Default)]
pub struct Memo {
    entries: FxHashMap<Box<[u8]>, Entry>,
    authors: Vec<Author>,
    /// Names of code that has changed since.
    changed: BTreeMap<String, u64>,
    /// What is taken for changed or unchanged whatever its print says.
    changes: DeclaredChanges,
    /// Names of code that was taken for unchanged although its print differs.
    trusted: BTreeMap<String, u64>,
    counts: MemoCounts,
    /// What the executions took that are in the file, and how many there were.
    executing: (Duration, u64),
    /// Whether what is found is executed all the same, and compared.
    verifies: bool,
    /// What a handler was executed on that did something else than it is said to do.
    contradiction: Option<String>,
}

/// How much a memo was used, and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
        self.entries.is_empty()
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
        key: &[u8],
        protocol: &P,
        trigger: Trigger<'_, P>,
        is_possible: impl Fn(&LearnedOf<P>) -> bool,
    ) -> Option<LearnedOf<P>> {
        let Some(entry) = self.entries.get(key) else {
            self.counts.missing += 1;
            return None;
        };
        let author = &self.authors[entry.author as usize];
        let (name, print) = author_of(protocol, trigger);
        let differs = author.name != name || author.print != print;
        if differs && (author.name != name || self.changes.is_modified(name, author.print, print)) {
            self.counts.outdated += 1;
            *self.changed.entry(name.to_owned()).or_default() += 1;
            return None;
        }
        let learned = postcard::from_bytes(&entry.learned).ok().filter(is_possible);
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

    /// Notes what a handler did.
    pub(crate) fn learn<P: Protocol>(
        &mut self,
        key: Vec<u8>,
        protocol: &P,
        trigger: Trigger<'_, P>,
        learned: &LearnedOf<P>,
    ) {
        let Ok(learned) = postcard::to_stdvec(learned) else { return };
        let (name, print) = author_of(protocol, trigger);
        let known =
            self.authors.iter().position(|author| author.name == name && author.print == print);
        let author = known.unwrap_or_else(|| {
            self.authors.push(Author { name: name.to_owned(), print });
            self.authors.len() - 1
        });
        let author = u32::try_from(author).expect("a protocol has few handlers");
        self.entries.insert(key.into(), Entry { author, learned: learned.into() });
    }

    /// Whether it is still worth to look handlers up.
    pub(crate) fn is_used(&self) -> bool {
        !self.counts.given_up
    }

    /// Notes how long was looked for a handler.
    pub(crate) fn looked(&mut self, since: Instant) {
        self.counts.looking += since.elapsed();
    }

    /// Gives up if looking handlers up takes longer than executing them, given what those took that were executed.
    pub(crate) fn reconsider(&mut self, executions: u64, execution: Duration) {
        let MemoCounts { recalled, missing, outdated, looking, .. } = self.counts;
        let looks = recalled + missing + outdated;
        let time = self.executing.0.saturating_add(execution);
        let number = self.executing.1.saturating_add(executions);
        if looks.is_multiple_of(PILOT) && looks > 0 && number > 0 {
            let per_look = looking.as_nanos() / u128::from(looks);
            let per_execution = time.as_nanos() / u128::from(number);
            self.counts.given_up = per_look > per_execution && !self.verifies;
        }
    }

    /// Writes all that it knows: the same bytes for the same content, but for how long executions took.
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
        let used: BTreeSet<u32> = self.entries.values().map(|entry| entry.author).collect();
        let mut order: Vec<usize> = used.into_iter().map(|author| author as usize).collect();
        order.sort_unstable_by_key(|&author| &self.authors[author]);
        let mut places = vec![0_u32; self.authors.len()];
        (0..).zip(&order).for_each(|(place, &author)| places[author] = place);
        out.block(&order.iter().map(|&author| &self.authors[author]).collect::<Vec<_>>())?;
        let mut entries: Vec<(&[u8], &Entry)> =
            self.entries.iter().map(|(key, entry)| (&**key, entry)).collect();
        entries.sort_unstable_by_key(|(key, _)| *key);
        out.put(&entries.len())?;
        for (key, Entry { author, learned }) in entries {
            out.block(&(places[*author as usize], key, &**learned))?;
        }
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
        let mut entries = FxHashMap::default();
        for _ in 0..input.get::<usize>()? {
            let (author, key, learned): (u32, Vec<u8>, Vec<u8>) = input.block()?;
            if author as usize >= authors.len() {
                return Err(damaged("an execution is of code that is not there"));
            }
            let entry = Entry { author, learned: learned.into() };
            if entries.insert(key.into_boxed_slice(), entry).is_some() {
                return Err(damaged("an execution is there twice"));
            }
        }
        let executing = (Duration::from_nanos(nanoseconds), executions);
        Ok(Self { entries, authors, executing, ..Self::default() })
    }
}

/// Which code handles something: as the protocol says, or else the whole program.
pub(crate) fn author_of<P: Protocol>(protocol: &P, trigger: Trigger<'_, P>) -> (&'static str, u64) {
    match protocol.code(trigger) {
        Some(code) => (code.name, code.print),
        None => ("the program", program_print()),
    }
}

/// A digest of the program that is running; if it cannot be read, a number that no other run has.
pub(crate) fn program_print() -> u64 {
    static PRINT: OnceLock<u64> = OnceLock::new();
    *PRINT.get_or_init(|| {
        let digest = || -> io::Result<u64> {
            let mut file = std::fs::File::open(std::env::current_exe()?)?;
            let mut sum = Xxh3::new();
            let mut chunk = vec![0; 1 << 16];
            loop {
                match file.read(&mut chunk)? {
                    0 => return Ok(sum.digest()),
                    read => sum.update(&chunk[..read]),
                }
            }
        };
        digest().unwrap_or_else(|_| {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            let now = now.map_or(0, |now| now.as_nanos() as u64);
            now ^ u64::from(std::process::id()) << 40
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looking_is_given_up_where_it_takes_longer_than_executing() {
        let given_up = |looks: u64, per_look: u64, per_execution: u64| {
            let looking = Duration::from_nanos(looks * per_look);
            let counts = MemoCounts { missing: looks, looking, ..MemoCounts::default() };
            let mut memo = Memo { counts, ..Memo::default() };
            memo.reconsider(10, Duration::from_nanos(10 * per_execution));
            memo.counts().given_up
        };
        assert!(given_up(PILOT, 1000, 500));
        assert!(!given_up(PILOT, 500, 1000));
        assert!(!given_up(PILOT - 1, 1000, 500), "not yet");
    }
}
