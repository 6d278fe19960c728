//! The state of an opaque node: what is seen of it, and how it became that.

use std::{
    cell::Cell,
    cmp::Ordering,
    fmt,
    hash::{Hash, Hasher},
    ops::Deref,
    sync::Arc,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Native,
    answers::Answers,
    moment::{Moment, Origin, OwnInput},
};
use crate::{NodeId, data::mark_ignored};

/// The state of an [`Opaque`](super::Opaque) node. It dereferences to what is
/// [seen](Native::seen), and is compared, hashed, shown and written as that.
///
/// Beside that it remembers how the node became what it is. Bytes have no room for it: a state that
/// was read from bytes can be looked at, but none of its handlers can run.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod gauge { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/gauge.rs")); }
/// # use gauge::Gauges;
/// use everypath_model::{Node, NodeId, Opaque, Protocol, Recorder};
///
/// let (me, other) = (NodeId(0), NodeId(1));
/// let neighbours = [other];
/// let mut effects = Recorder::new(me, &neighbours);
/// let mut state = Opaque(Gauges).start(&mut Node::new(me, &mut (), &mut effects));
/// Opaque(Gauges).on_message(&mut Node::new(me, &mut state, &mut effects), other, &5);
/// assert_eq!(*state, "5");
/// assert_eq!(state.history(), "start, 5 from n1");
/// ```
pub struct OpaqueState<N: Native> {
    pub(super) seen: N::Seen,
    /// Nothing if the state was read from bytes.
    pub(super) moment: Option<Arc<Moment<N>>>,
}

impl<N: Native> OpaqueState<N> {
    /// The inputs that led to it, in words.
    #[must_use]
    pub fn history(&self) -> String {
        self.moment.as_ref().map_or_else(|| "unknown".to_owned(), |moment| moment.describe())
    }
}

impl<N: Native> Clone for OpaqueState<N> {
    fn clone(&self) -> Self {
        Self { seen: self.seen.clone(), moment: self.moment.clone() }
    }
}

impl<N: Native> Deref for OpaqueState<N> {
    type Target = N::Seen;

    fn deref(&self) -> &N::Seen {
        &self.seen
    }
}

impl<N: Native> PartialEq for OpaqueState<N> {
    fn eq(&self, other: &Self) -> bool {
        self.seen == other.seen
    }
}

impl<N: Native> Eq for OpaqueState<N> {}

impl<N: Native<Seen: Ord>> PartialOrd for OpaqueState<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N: Native<Seen: Ord>> Ord for OpaqueState<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.seen.cmp(&other.seen)
    }
}

impl<N: Native> Hash for OpaqueState<N> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.seen.hash(hasher);
    }
}

impl<N: Native> fmt::Debug for OpaqueState<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.seen.fmt(f)?;
        match WITH_HISTORIES.get() {
            true => write!(f, " (after {})", self.history()),
            false => Ok(()),
        }
    }
}

thread_local! {
    static WITH_HISTORIES: Cell<bool> = const { Cell::new(false) };
}

/// Writes, reads or shows states with the histories of their nodes. Handlers can run in states that
/// were read with it.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod gauge { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/gauge.rs")); }
/// # use gauge::Gauges;
/// use everypath_model::{Node, NodeId, Opaque, OpaqueState, Protocol, Recorder, with_histories};
///
/// let mut effects = Recorder::new(NodeId(0), &[]);
/// let state = Opaque(Gauges).start(&mut Node::new(NodeId(0), &mut (), &mut effects));
/// let text = with_histories(|| serde_json::to_string(&state).unwrap());
/// let read: OpaqueState<Gauges> = with_histories(|| serde_json::from_str(&text).unwrap());
/// assert_eq!(read.history(), "start");
///
/// let text = serde_json::to_string(&state).unwrap();
/// assert_eq!(text, r#""0""#);
/// let read: OpaqueState<Gauges> = serde_json::from_str(&text).unwrap();
/// assert_eq!(read.history(), "unknown");
/// ```
pub fn with_histories<T>(run: impl FnOnce() -> T) -> T {
    /// The setting outside, also after a panic.
    struct Outer(bool);

    impl Drop for Outer {
        fn drop(&mut self) {
            WITH_HISTORIES.set(self.0);
        }
    }

    let _outer = Outer(WITH_HISTORIES.replace(true));
    run()
}

/// Whether states are now written, read and shown [with histories](with_histories).
#[must_use]
pub fn are_histories_written() -> bool {
    WITH_HISTORIES.get()
}

/// One step of a history as it is written.
#[derive(Serialize)]
#[serde(bound = "")]
enum StepOut<'a, N: Native> {
    Start(&'a Option<N::Seen>, &'a Answers),
    After(&'a OwnInput<N>, &'a Answers),
}

impl<'a, N: Native> StepOut<'a, N> {
    fn of(moment: &'a Moment<N>) -> Option<Self> {
        match &moment.origin {
            Origin::Unknown => None,
            Origin::Start { before, answers } => Some(Self::Start(before, answers)),
            Origin::After { input, answers, .. } => Some(Self::After(input, answers)),
        }
    }
}

/// One step of a history as it is read.
#[derive(Deserialize)]
#[serde(bound = "")]
enum StepIn<N: Native> {
    Start(Option<N::Seen>, Answers),
    After(OwnInput<N>, Answers),
}

impl<N: Native> Serialize for OpaqueState<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        mark_ignored();
        if !WITH_HISTORIES.get() {
            return self.seen.serialize(serializer);
        }
        let life = self.moment.as_ref().map(|moment| moment.life()).unwrap_or_default();
        // A node whose history is unknown is read as one that is not at hand.
        let steps: Option<Vec<StepOut<'_, N>>> = life.iter().map(|it| StepOut::of(it)).collect();
        let copies = life.first().is_some_and(|moment| moment.copies);
        (&self.seen, copies, steps.unwrap_or_default()).serialize(serializer)
    }
}

impl<'de, N: Native> Deserialize<'de> for OpaqueState<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !WITH_HISTORIES.get() {
            let seen = N::Seen::deserialize(deserializer)?;
            return Ok(Self { seen, moment: None });
        }
        let (seen, copies, steps) = <(N::Seen, bool, Vec<StepIn<N>>)>::deserialize(deserializer)?;
        let mut last = None;
        for step in steps {
            let origin = match (step, last.take()) {
                (StepIn::Start(before, answers), None) => Origin::Start { before, answers },
                (StepIn::After(input, answers), Some(before)) => {
                    Origin::After { before, input, answers }
                }
                _ => return Err(serde::de::Error::custom("a history begins with a start")),
            };
            last = Some(Arc::new(Moment::new(origin, copies)));
        }
        Ok(Self { seen, moment: last })
    }
}

/// The state of a node at one moment of its life.
pub(super) fn state<N: Native>(seen: N::Seen, moment: Moment<N>) -> OpaqueState<N> {
    OpaqueState { seen, moment: Some(Arc::new(moment)) }
}

/// The reason why no handler can run.
pub(super) fn lost(id: NodeId) -> ! {
    panic!(
        "the native node of {id} is not at hand, and it is unknown how it was made: its state was read from bytes without its history"
    )
}
