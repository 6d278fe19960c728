//! Effects that are only recorded, for explorations and unit tests.

use std::{cell::Cell, time::Duration};

use super::{Effects, Outgoing, Protocol, Record, not_a_neighbour};
use crate::{NodeId, TimerChange};

/// One effect of a handler.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Did, Node, NodeId, Protocol, Recorder};
///
/// let mut effects = Recorder::new(NodeId(0), &[NodeId(1), NodeId(2)]);
/// Greeting.start(&mut Node::new(NodeId(0), &mut (), &mut effects));
/// let sent = effects.did.iter().filter(|did| matches!(did, Did::Sent { .. }));
/// assert_eq!(sent.count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Did<M, T> {
    /// It sent a message; a broadcast is one of these per neighbour.
    Sent {
        /// The receiver.
        to: NodeId,
        /// The message.
        message: M,
    },
    /// It set a timer.
    Set {
        /// The timer.
        timer: T,
        /// The time until it fires.
        after: Duration,
    },
    /// It unset a timer.
    Cancelled {
        /// The timer.
        timer: T,
    },
    /// It took a measurement.
    Recorded(Record),
}

/// The largest number of choices in one execution: more than a handler needs that ends on all its
/// branches.
const CHOICES_MAX: usize = 1 << 10;

/// Records the effects of a handler, and answers its choices from a list.
///
/// The explorer runs handlers with it; unit tests of a protocol can, too:
///
/// ```
/// # extern crate everypath_model as everypath;
/// # use everypath_model::{Never, NodeId, Protocol, Start};
/// # struct Greeting;
/// # impl Protocol for Greeting {
/// #     type State = ();
/// #     type Message = String;
/// #     type Timer = Never;
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) { node.broadcast("hello".to_owned()); }
/// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}
/// # }
/// use everypath_model::{Did, Node, Recorder};
///
/// let mut fx = Recorder::new(NodeId(0), &[NodeId(1)]);
/// Greeting.start(&mut Node::new(NodeId(0), &mut (), &mut fx));
/// assert_eq!(fx.did, [Did::Sent { to: NodeId(1), message: "hello".to_owned() }]);
/// ```
pub struct Recorder<'a, P: Protocol> {
    me: NodeId,
    neighbours: &'a [NodeId],
    /// How many nodes can be addressed, if not only neighbours.
    addressable: Option<usize>,
    /// All effects, in order.
    pub did: Vec<Did<P::Message, P::Timer>>,
    /// The broadcasts, each with its place in [`did`](Self::did).
    pub broadcasts: Vec<(usize, P::Message)>,
    /// The places in [`did`](Self::did) of timers that it did not set, but prolonged.
    pub prolonged: Vec<usize>,
    /// By how much more than others the packets of some messages may be delayed, with the places of the messages in
    /// [`did`](Self::did).
    pub jitters: Vec<(usize, Duration)>,
    /// Whether the handler read the neighbours.
    asked: Cell<bool>,
    /// The answers to choices: the given ones, then 0 for each further choice.
    pub choices: Vec<u32>,
    /// How many options each choice had.
    pub options: Vec<u32>,
}

impl<'a, P: Protocol> Recorder<'a, P> {
    /// A recorder for a handler of node `me`.
    #[must_use]
    pub fn new(me: NodeId, neighbours: &'a [NodeId]) -> Self {
        Self::with_choices(me, neighbours, Vec::new())
    }

    /// As [`new`](Self::new), with the answers to the first choices.
    #[must_use]
    pub fn with_choices(me: NodeId, neighbours: &'a [NodeId], choices: Vec<u32>) -> Self {
        Self {
            me,
            neighbours,
            addressable: None,
            did: Vec::new(),
            broadcasts: Vec::new(),
            prolonged: Vec::new(),
            jitters: Vec::new(),
            asked: Cell::new(false),
            choices,
            options: Vec::new(),
        }
    }

    /// Whether the handler read the neighbours, other than by a broadcast.
    #[must_use]
    pub fn asked_for_neighbours(&self) -> bool {
        self.asked.get()
    }

    /// What the handler did to timers, in order.
    #[must_use]
    pub fn timer_changes(&self) -> Vec<TimerChange<P::Timer>> {
        let changes = self.did.iter().enumerate().filter_map(|(place, deed)| match deed {
            Did::Set { timer, after } if self.prolonged.contains(&place) => {
                Some(TimerChange::Prolonged(timer.clone(), *after))
            }
            Did::Set { timer, after } => Some(TimerChange::Set(timer.clone(), *after)),
            Did::Cancelled { timer } => Some(TimerChange::Unset(timer.clone())),
            Did::Sent { .. } | Did::Recorded(_) => None,
        });
        changes.collect()
    }

    /// Lets the handler address any of this many nodes, as in a scenario with
    /// [receivers](crate::Scenario::receivers).
    #[must_use]
    pub fn addressing(mut self, nodes: usize) -> Self {
        self.addressable = Some(nodes);
        self
    }

    #[track_caller]
    fn send(&mut self, to: NodeId, message: P::Message) {
        match self.addressable {
            None if self.neighbours.contains(&to) => {}
            None => not_a_neighbour(self.me, to, &message, self.neighbours),
            Some(nodes) => assert!(
                to.index() < nodes,
                "{} sends {message:?} to {to}, which does not exist",
                self.me
            ),
        }
        self.did.push(Did::Sent { to, message });
    }

    fn broadcast(&mut self, message: P::Message) {
        self.broadcasts.push((self.did.len(), message.clone()));
        for &to in self.neighbours {
            self.did.push(Did::Sent { to, message: message.clone() });
        }
    }
}

impl<P: Protocol> Effects<P> for Recorder<'_, P> {
    #[track_caller]
    fn emit(&mut self, output: Outgoing<P::Message>) {
        let first = self.did.len();
        let most = match output {
            Outgoing::To(to, message) => return self.send(to, message),
            Outgoing::ToAll(message) => return self.broadcast(message),
            Outgoing::ToWithin(to, message, most) => {
                self.send(to, message);
                most
            }
            Outgoing::ToAllWithin(message, most) => {
                self.broadcast(message);
                most
            }
        };
        self.jitters.extend((first..self.did.len()).map(|place| (place, most)));
    }

    fn set_timer(&mut self, timer: P::Timer, after: Duration) {
        self.did.push(Did::Set { timer, after });
    }

    fn prolong_timer(&mut self, timer: P::Timer, after: Duration) {
        self.prolonged.push(self.did.len());
        self.set_timer(timer, after);
    }

    fn cancel_timer(&mut self, timer: &P::Timer) {
        self.did.push(Did::Cancelled { timer: timer.clone() });
    }

    #[track_caller]
    fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "{} chooses among no options", self.me);
        let asked = self.options.len();
        assert!(asked < CHOICES_MAX, "one execution makes more than {CHOICES_MAX} choices");
        self.options.push(options);
        if asked == self.choices.len() {
            self.choices.push(0);
        }
        let choice = self.choices[asked];
        assert!(choice < options, "{choice} was chosen of {options} options");
        choice
    }

    fn record(&mut self, record: Record) {
        self.did.push(Did::Recorded(record));
    }

    fn neighbours(&self) -> &[NodeId] {
        self.asked.set(true);
        self.neighbours
    }
}
