//! The user code that each thread executes, for a watchdog on another thread.
//!
//! Each thread has a post, where it stores a number for what it is about to execute; that costs
//! next to nothing. There is no clock here: a watchdog that sees the same number twice knows that
//! the execution still runs.

use std::{
    cell::Cell,
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

use crate::{EventKind, NodeId};

/// The number of posts; with more threads, some go unnoticed.
const POSTS: usize = 64;

static ALL: [Post; POSTS] = [const { Post::new() }; POSTS];

/// What a thread executes.
pub struct Post {
    what: AtomicU64,
    /// The node of a handler.
    node: AtomicU32,
    /// The number of executions or events so far, so that no execution is mistaken for another.
    count: AtomicU64,
    description: Mutex<Option<Describe>>,
}

/// Describes what is executed.
type Describe = Box<dyn Fn() -> String + Send>;

/// The lower four bits of a number are its sort; the others depend on it.
const NOTHING: u64 = 0;
/// A part of a scenario; the other bits are the address of its name.
const PART: u64 = 1;
/// A handler; the other bits are the kind of event. The node and the number of events are beside
/// it.
const EVENT: u64 = 2;
/// Described by a closure.
const DESCRIBED: u64 = 3;
const SORT_BITS: u32 = 4;
/// Instead of a kind of event: a node starts.
const START: u64 = 15;

/// The names of parts by their addresses.
static NAMES: Mutex<BTreeMap<u64, String>> = Mutex::new(BTreeMap::new());

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn address(name: &str) -> u64 {
    PART | (name.as_ptr() as u64) << SORT_BITS
}

/// The post of this thread.
#[inline]
#[must_use]
pub fn post() -> &'static Post {
    thread_local! {
        static MINE: Cell<Option<&'static Post>> = const { Cell::new(None) };
    }
    MINE.get().unwrap_or_else(|| {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let post = &ALL[NEXT.fetch_add(1, Relaxed) % POSTS];
        MINE.set(Some(post));
        post
    })
}

impl Post {
    const fn new() -> Self {
        let (what, count) = (AtomicU64::new(NOTHING), AtomicU64::new(0));
        Self { what, node: AtomicU32::new(0), count, description: Mutex::new(None) }
    }

    /// Executes code that does not nest. A panic ends it as well.
    #[inline]
    fn during<T>(&self, what: u64, run: impl FnOnce() -> T) -> T {
        struct Leaving<'a>(&'a Post);
        impl Drop for Leaving<'_> {
            fn drop(&mut self) {
                self.0.rests();
            }
        }
        let _leaving = Leaving(self);
        self.count.store(self.count.load(Relaxed).wrapping_add(1), Relaxed);
        self.what.store(what, Relaxed);
        run()
    }

    /// Executes the part of a scenario with this name.
    #[inline]
    pub fn part<T>(&self, name: &str, run: impl FnOnce() -> T) -> T {
        self.during(address(name), run)
    }

    /// From now on the thread executes the handler of an event, or of a start, after this many
    /// events.
    #[inline]
    pub fn handles(&self, kind: Option<EventKind>, node: NodeId, events: u64) {
        // Three stores for each simulated event: 1 % of the time of simulating ARQ.
        let kind = kind.map_or(START, |kind| kind as u64);
        self.what.store(EVENT | kind << SORT_BITS, Relaxed);
        self.node.store(node.0, Relaxed);
        self.count.store(events, Relaxed);
    }

    /// From now on the thread executes nothing.
    #[inline]
    pub fn rests(&self) {
        self.what.store(NOTHING, Relaxed);
    }
}

/// Executes the part of a scenario with this name.
#[inline]
pub fn part<T>(name: &str, run: impl FnOnce() -> T) -> T {
    post().part(name, run)
}

/// Describes the part with this name: this very string, not an equal one elsewhere.
pub fn describe_part(name: &str, description: String) {
    locked(&NAMES).insert(address(name), description);
}

/// Executes code with a description.
pub fn described<T>(describe: impl Fn() -> String + Send + 'static, run: impl FnOnce() -> T) -> T {
    let post = post();
    let before = locked(&post.description).replace(Box::new(describe));
    let result = post.during(DESCRIBED, run);
    *locked(&post.description) = before;
    result
}

/// What a thread executed at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glance {
    post: usize,
    what: u64,
    node: NodeId,
    count: u64,
}

/// Looks at all threads that execute user code.
#[must_use]
pub fn glances() -> Vec<Glance> {
    let posts = ALL.iter().enumerate();
    let glances = posts.map(|(place, post)| {
        let (count, what) = (post.count.load(Relaxed), post.what.load(Relaxed));
        Glance { post: place, what, node: NodeId(post.node.load(Relaxed)), count }
    });
    glances.filter(|glance| glance.what != NOTHING).collect()
}

impl Glance {
    /// Describes what was executed.
    #[must_use]
    pub fn describe(&self) -> String {
        let (sort, said) = (self.what & ((1 << SORT_BITS) - 1), self.what >> SORT_BITS);
        match sort {
            PART => {
                let name = locked(&NAMES).get(&self.what).cloned();
                name.unwrap_or_else(|| "a part of the scenario".to_owned())
            }
            EVENT => {
                let kind = EventKind::ALL.get(said as usize);
                let kind = kind.map_or("start", |kind| kind.name());
                format!(
                    "the handler of {} for `{kind}`, event {} of its run,",
                    self.node, self.count
                )
            }
            _ => match &*locked(&ALL[self.post].description) {
                Some(describe) => describe(),
                None => "a handler".to_owned(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What this thread is seen to execute. Other tests run beside it, on posts of their own.
    fn own_glance() -> Option<Glance> {
        glances().into_iter().find(|glance| std::ptr::eq(&ALL[glance.post], post()))
    }

    fn seen() -> Option<String> {
        own_glance().as_ref().map(Glance::describe)
    }

    #[test]
    fn what_is_executed_can_be_seen_and_described() {
        assert_eq!(seen(), None);
        let name = "two tokens".to_owned();
        describe_part(&name, "the assertion `two tokens`".to_owned());
        let is_seen = |text: &str| assert_eq!(seen().as_deref(), Some(text));
        described(|| "the handler of n0".to_owned(), || is_seen("the handler of n0"));
        assert_eq!(seen(), None);
        part(&name, || is_seen("the assertion `two tokens`"));
        assert_eq!(seen(), None);
        post().handles(Some(EventKind::Timer), NodeId(3), 70);
        let text = "the handler of n3 for `timer`, event 70 of its run,";
        assert_eq!(seen().as_deref(), Some(text));
        post().rests();
        assert!(std::panic::catch_unwind(|| part(&name, || panic!("it ends"))).is_err());
        assert_eq!(seen(), None);
    }

    #[test]
    fn no_execution_is_taken_for_another() {
        let name = "again".to_owned();
        let once = part(&name, own_glance).expect("something is executed");
        let again = part(&name, own_glance).expect("something is executed");
        assert_ne!(once, again);
    }
}
