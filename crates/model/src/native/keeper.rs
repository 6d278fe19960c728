//! The native nodes at hand during an exploration: how many, for how long, and what that saves.

use std::{
    cell::RefCell,
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

/// Where an exploration gets the native node on which a handler runs. The result does not depend on
/// it, only time and memory do.
///
/// ```
/// use everypath_model::NativeMode;
///
/// assert_eq!(NativeMode::default(), NativeMode::Lazy);
/// assert_eq!(NativeMode::Eager.name(), "eager");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NativeMode {
    /// Each time it is made again, from its start on. No node is kept.
    Eager,
    /// From a cache; a node that is not there is made again, from its start on.
    Cached,
    /// From a cache; a node that is not there is made again from its nearest predecessor that is
    /// there.
    #[default]
    Lazy,
}

impl NativeMode {
    /// The name in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Eager => "eager",
            Self::Cached => "cached",
            Self::Lazy => "lazy",
        }
    }
}

/// How often native nodes were at hand, and how often they were made again.
///
/// ```
/// use everypath_model::{Keeper, NativeCounts, NativeMode};
///
/// let keeper = Keeper::new(NativeMode::Lazy, 100);
/// assert_eq!(keeper.counts(), NativeCounts::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NativeCounts {
    /// Nodes that were at hand.
    pub at_hand: u64,
    /// Nodes that were made again.
    pub rebuilt: u64,
    /// Handler executions that were repeated for these.
    pub repeated: u64,
}

/// Keeps the native nodes that were used last.
///
/// ```
/// use everypath_model::{Keeper, NativeMode};
///
/// let keeper = Keeper::new(NativeMode::Cached, 100);
/// assert_eq!((keeper.mode(), keeper.most(), keeper.len()), (NativeMode::Cached, 100, 0));
/// ```
pub struct Keeper {
    mode: NativeMode,
    most: usize,
    held: Arc<AtomicUsize>,
    /// In the order of their last use. An entry is outdated if its number differs from its holder's.
    uses: Mutex<VecDeque<(u64, Weak<dyn Holder>)>>,
    clock: AtomicU64,
    at_hand: AtomicU64,
    rebuilt: AtomicU64,
    repeated: AtomicU64,
}

/// Something that holds a native node.
pub(super) trait Holder: Send + Sync {
    /// The number of its last use.
    fn last_use(&self) -> &AtomicU64;

    /// Whether it holds a node now.
    fn holds(&self) -> bool;

    /// Lets the node go.
    fn let_go(&self);
}

/// A node that counts while it is kept.
pub(super) struct Held<T> {
    pub(super) node: T,
    _counted: Option<Counted>,
}

/// One of those that are kept.
struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl<T> Held<T> {
    /// A node that no keeper counts.
    pub(super) fn own(node: T) -> Self {
        Self { node, _counted: None }
    }
}

/// More outdated entries than this are removed.
const OUTDATED_MAX: usize = 64;

thread_local! {
    static CURRENT: RefCell<Option<Arc<Keeper>>> = const { RefCell::new(None) };
}

impl Keeper {
    /// Keeps at most this many nodes.
    #[must_use]
    pub fn new(mode: NativeMode, most: usize) -> Self {
        Self {
            mode,
            most: if mode == NativeMode::Eager { 0 } else { most },
            held: Arc::default(),
            uses: Mutex::default(),
            clock: AtomicU64::new(1),
            at_hand: AtomicU64::new(0),
            rebuilt: AtomicU64::new(0),
            repeated: AtomicU64::new(0),
        }
    }

    /// The mode.
    #[must_use]
    pub fn mode(&self) -> NativeMode {
        self.mode
    }

    /// How many nodes it keeps at most.
    #[must_use]
    pub fn most(&self) -> usize {
        self.most
    }

    /// How many nodes it keeps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.held.load(Relaxed)
    }

    /// Whether it keeps none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How it was used.
    #[must_use]
    pub fn counts(&self) -> NativeCounts {
        NativeCounts {
            at_hand: self.at_hand.load(Relaxed),
            rebuilt: self.rebuilt.load(Relaxed),
            repeated: self.repeated.load(Relaxed),
        }
    }

    /// Runs handlers, whose native nodes it keeps. Without a keeper, as in a simulation, each state
    /// has its own node.
    pub fn within<T>(self: &Arc<Self>, run: impl FnOnce() -> T) -> T {
        /// The keeper outside, also after a panic.
        struct Outer(Option<Arc<Keeper>>);

        impl Drop for Outer {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }

        let _outer = Outer(CURRENT.replace(Some(Arc::clone(self))));
        run()
    }

    /// The keeper of the code that runs now.
    pub(super) fn current() -> Option<Arc<Self>> {
        CURRENT.with_borrow(Clone::clone)
    }

    /// Notes that a node was at hand.
    pub(super) fn found(&self) {
        self.at_hand.fetch_add(1, Relaxed);
    }

    /// Notes that a node was made again by this many executions.
    pub(super) fn made_again(&self, executions: usize) {
        self.rebuilt.fetch_add(1, Relaxed);
        self.repeated.fetch_add(executions as u64, Relaxed);
    }

    /// A node that counts as kept. Lets others go if there are too many. Nothing if none is kept.
    pub(super) fn hold<T>(&self, node: T) -> Option<Held<T>> {
        if self.most == 0 {
            return None;
        }
        while self.len() >= self.most {
            let Some((number, holder)) = self.uses().pop_front() else { break };
            let last = holder.upgrade().filter(|it| it.last_use().load(Relaxed) == number);
            if let Some(holder) = last {
                holder.let_go();
            }
        }
        self.held.fetch_add(1, Relaxed);
        Some(Held { node, _counted: Some(Counted(Arc::clone(&self.held))) })
    }

    /// Notes that the node of a holder was used.
    pub(super) fn used(&self, holder: Weak<dyn Holder>) {
        let Some(alive) = holder.upgrade() else { return };
        let number = self.clock.fetch_add(1, Relaxed);
        alive.last_use().store(number, Relaxed);
        let mut uses = self.uses();
        uses.push_back((number, holder));
        if uses.len() > 2 * self.len() + OUTDATED_MAX {
            uses.retain(|(number, holder)| {
                let holder = holder.upgrade();
                holder.is_some_and(|it| it.last_use().load(Relaxed) == *number && it.holds())
            });
        }
    }

    fn uses(&self) -> MutexGuard<'_, VecDeque<(u64, Weak<dyn Holder>)>> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
