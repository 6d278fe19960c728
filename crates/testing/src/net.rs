//! A network that a test steps through by hand.

use std::{collections::VecDeque, time::Duration};

use everypath_model::{Did, Input, NodeId, Parameters, Protocol, Recorder, Scenario};

use crate::{
    scenario::{Builder, Built},
    subject::sealed::Buildable,
};

/// The nodes of a scenario, driven by a test: it delivers packets, fires timers and advances time.
///
/// All neighbours hear a broadcast, whatever the scenario's [audience](Scenario::audience) is: what
/// a node is not to hear, the test [loses](Self::lose).
///
/// ```
/// # extern crate everypath_model as everypath;
/// # use everypath_model::{Never, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology};
/// # use std::time::Duration;
/// # struct Ping;
/// # impl Protocol for Ping {
/// #     type State = u32;
/// #     type Message = String;
/// #     type Timer = ();
/// #     type Command = Never;
/// #     fn start(&self, node: &mut Start<'_, Self>) -> u32 {
/// #         if node.id == NodeId(0) { node.set_timer((), Duration::from_secs(1)); }
/// #         0
/// #     }
/// #     fn on_timer(&self, node: &mut Node<'_, Self>, _: &()) { node.send(NodeId(1), "ping".to_owned()); }
/// #     fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &String) {
/// #         *node.state += 1;
/// #         if message == "ping" { node.send(from, "pong".to_owned()); }
/// #     }
/// # }
/// # fn ping(_: &mut Parameters) -> Scenario<Ping> { Scenario::new(Ping, Topology::chain(2)) }
/// use everypath_testing::Net;
///
/// let mut net = Net::of(ping);
/// net.expect_silence().advance(Duration::from_secs(1));
/// net.expect(0, 1, &"ping".to_owned()).deliver();
/// net.expect(1, 0, &"pong".to_owned()).lose();
/// assert_eq!((*net.state(0), *net.state(1)), (0, 1));
/// ```
pub struct Net<P: Protocol> {
    built: Built<P>,
    states: Vec<P::State>,
    /// The packets in flight, in the order of sending.
    packets: VecDeque<(NodeId, NodeId, P::Message)>,
    /// The timers that are set, and when they fire.
    timers: Vec<(Duration, NodeId, P::Timer)>,
    now: Duration,
}

impl<P: Protocol> Net<P> {
    /// The network of the scenario that a function makes, after the start of all nodes.
    #[track_caller]
    pub fn of(scenario: impl Fn(&mut Parameters) -> Scenario<P> + 'static) -> Self {
        Self::of_built(Builder::new(scenario).build())
    }

    #[track_caller]
    fn of_built(built: Built<P>) -> Self {
        let mut net = Self {
            states: Vec::new(),
            packets: VecDeque::new(),
            timers: Vec::new(),
            now: Duration::ZERO,
            built,
        };
        for node in net.built.scenario.topology.nodes() {
            let (state, did) = net.recorded(node, |protocol, fx| protocol.bring_up(node, None, fx));
            net.states.push(state);
            net.apply(node, did);
        }
        net
    }

    /// Runs a handler and applies its effects.
    #[allow(clippy::type_complexity)]
    fn recorded<T>(
        &self,
        node: NodeId,
        handler: impl FnOnce(&P, &mut Recorder<'_, P>) -> T,
    ) -> (T, Vec<Did<P::Message, P::Timer>>) {
        let Scenario { protocol, topology, receivers, .. } = &self.built.scenario;
        let mut fx = Recorder::new(node, topology.neighbours(node));
        if receivers.is_some() {
            fx = fx.addressing(topology.len());
        }
        let result = handler(protocol, &mut fx);
        (result, fx.did)
    }

    fn act(&mut self, node: NodeId, handler: impl FnOnce(&P, &mut P::State, &mut Recorder<'_, P>)) {
        let mut state = self.states[node.index()].clone();
        let ((), did) = self.recorded(node, |protocol, fx| handler(protocol, &mut state, fx));
        self.states[node.index()] = state;
        self.apply(node, did);
    }

    fn apply(&mut self, node: NodeId, did: Vec<Did<P::Message, P::Timer>>) {
        for deed in did {
            match deed {
                Did::Sent { to, message } => self.packets.push_back((node, to, message)),
                Did::Set { timer, after } => {
                    self.unset(node, &timer);
                    self.timers.push((self.now + after, node, timer));
                }
                Did::Cancelled { timer } => {
                    self.unset(node, &timer);
                }
                Did::Recorded(_) => {}
            }
        }
    }

    fn unset(&mut self, node: NodeId, timer: &P::Timer) -> bool {
        let before = self.timers.len();
        self.timers.retain(|(_, of, set)| *of != node || set != timer);
        self.timers.len() < before
    }

    #[track_caller]
    fn oldest(&mut self) -> (NodeId, NodeId, P::Message) {
        self.packets.pop_front().expect("nothing is in flight")
    }

    /// Asserts what the oldest packet in flight is.
    ///
    /// # Panics
    /// If it is another packet.
    #[track_caller]
    pub fn expect(&mut self, from: u32, to: u32, message: &P::Message) -> &mut Self {
        let expected = (NodeId(from), NodeId(to), message);
        let found = self.packets.front();
        assert!(
            found.is_some_and(|(from, to, message)| (*from, *to, message) == expected),
            "expected {message:?} from n{from} to n{to}; in flight: {}",
            self.flying()
        );
        self
    }

    /// Asserts that nothing is in flight.
    ///
    /// # Panics
    /// If a packet is.
    #[track_caller]
    pub fn expect_silence(&mut self) -> &mut Self {
        assert!(self.packets.is_empty(), "expected silence; in flight: {}", self.flying());
        self
    }

    /// The packets in flight, in words.
    fn flying(&self) -> String {
        let words = |(from, to, message): &(NodeId, NodeId, P::Message)| {
            format!("{message:?} from {from} to {to}")
        };
        match self.packets.is_empty() {
            true => "nothing".to_owned(),
            false => self.packets.iter().map(words).collect::<Vec<_>>().join(", "),
        }
    }

    /// Delivers the oldest packet in flight.
    ///
    /// # Panics
    /// If nothing is in flight.
    #[track_caller]
    pub fn deliver(&mut self) -> &mut Self {
        let (from, to, message) = self.oldest();
        self.act(to, |protocol, state, fx| {
            protocol.handle(to, state, Input::Message { from, message: &message }, fx);
        });
        self
    }

    /// Delivers all packets in the order of sending, also those sent meanwhile, and returns a
    /// transcript.
    ///
    /// # Panics
    /// If it does not end.
    #[track_caller]
    pub fn deliver_all(&mut self) -> Vec<String> {
        const MANY: usize = 100_000;
        let mut transcript = Vec::new();
        while let Some((from, to, message)) = self.packets.front() {
            transcript.push(format!("{from}→{to} {message:?}"));
            assert!(
                transcript.len() < MANY,
                "{MANY} packets were delivered, and more are in flight"
            );
            self.deliver();
        }
        transcript
    }

    /// Loses the oldest packet in flight.
    ///
    /// # Panics
    /// If nothing is in flight.
    #[track_caller]
    pub fn lose(&mut self) -> &mut Self {
        self.oldest();
        self
    }

    /// Duplicates the oldest packet in flight.
    ///
    /// # Panics
    /// If nothing is in flight.
    #[track_caller]
    pub fn duplicate(&mut self) -> &mut Self {
        let copy = self.packets.front().expect("nothing is in flight").clone();
        self.packets.push_front(copy);
        self
    }

    /// Lets all other packets overtake the oldest one.
    ///
    /// # Panics
    /// If nothing is in flight.
    #[track_caller]
    pub fn delay(&mut self) -> &mut Self {
        let packet = self.oldest();
        self.packets.push_back(packet);
        self
    }

    /// Returns the oldest packet to its sender, as if the link were down.
    ///
    /// # Panics
    /// If nothing is in flight.
    #[track_caller]
    pub fn bounce(&mut self) -> &mut Self {
        let (from, to, message) = self.oldest();
        self.act(from, |protocol, state, fx| {
            protocol.handle(from, state, Input::Undeliverable { to, message: &message }, fx);
        });
        self
    }

    /// Gives a command to a node.
    pub fn command(&mut self, node: u32, command: &P::Command) -> &mut Self {
        let me = NodeId(node);
        self.act(me, |protocol, state, fx| {
            protocol.handle(me, state, Input::Command(command), fx);
        });
        self
    }

    /// Fires a timer at once.
    ///
    /// # Panics
    /// If it is not set.
    #[track_caller]
    pub fn fire(&mut self, node: u32, timer: &P::Timer) -> &mut Self {
        let me = NodeId(node);
        let set: Vec<_> = self.timers.iter().filter(|(_, of, _)| *of == me).collect();
        let set = format!("{:?}", set.iter().map(|(_, _, timer)| timer).collect::<Vec<_>>());
        assert!(
            self.unset(me, timer),
            "{timer:?} is not set at {me}; the timers that are set: {set}"
        );
        self.act(me, |protocol, state, fx| protocol.handle(me, state, Input::Timer(timer), fx));
        self
    }

    /// Advances time: timers fire in their order, and no packet arrives.
    #[track_caller]
    pub fn advance(&mut self, time: Duration) -> &mut Self {
        let until = self.now + time;
        loop {
            let due = self.timers.iter().filter(|(at, ..)| *at <= until).min_by_key(|(at, ..)| *at);
            let Some((at, NodeId(node), timer)) = due.cloned() else { break };
            self.now = at;
            self.fire(node, &timer);
        }
        self.now = until;
        self
    }

    /// Reboots a node, which loses its timers.
    pub fn reboot(&mut self, node: u32) -> &mut Self {
        let me = NodeId(node);
        self.timers.retain(|(_, of, _)| *of != me);
        self.act(me, |protocol, state, fx| {
            *state = protocol.bring_up(me, Some(state), fx);
        });
        self
    }

    /// The state of a node.
    #[must_use]
    pub fn state(&self, node: u32) -> &P::State {
        &self.states[node as usize]
    }

    /// Whether a timer is set at a node.
    #[must_use]
    pub fn is_set(&self, node: u32, timer: &P::Timer) -> bool {
        self.timers.iter().any(|(_, of, set)| *of == NodeId(node) && set == timer)
    }

    /// How many packets are in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.packets.len()
    }
}
