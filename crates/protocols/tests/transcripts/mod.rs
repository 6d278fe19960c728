//! Nodes of a protocol, and packets that arrive in the order in which they were sent.

use std::collections::VecDeque;

use everypath_model::{Did, Node, NodeId, Protocol, Recorder, Topology};

pub struct Net<P: Protocol> {
    pub protocol: P,
    pub nodes: Vec<P::State>,
    pub flying: VecDeque<(NodeId, NodeId, P::Message)>,
    topology: Topology,
    timers: Vec<Vec<P::Timer>>,
}

impl<P: Protocol> Net<P> {
    pub fn new(protocol: P, topology: Topology) -> Self {
        let mut net = Self {
            protocol,
            nodes: Vec::new(),
            flying: VecDeque::new(),
            timers: vec![Vec::new(); topology.len()],
            topology,
        };
        for node in net.topology.nodes() {
            let neighbours = net.topology.neighbours(node).to_vec();
            let mut fx = Recorder::new(node, &neighbours);
            let state = net.protocol.start(&mut Node::new(node, &mut (), &mut fx));
            let did = fx.did;
            net.nodes.push(state);
            net.apply(node, did);
        }
        net
    }

    /// A node does what a handler makes it do.
    pub fn act(
        &mut self,
        node: NodeId,
        handler: impl FnOnce(&P, &mut P::State, &mut Recorder<'_, P>),
    ) {
        let neighbours = self.topology.neighbours(node).to_vec();
        let mut fx = Recorder::new(node, &neighbours);
        handler(&self.protocol, &mut self.nodes[node.index()], &mut fx);
        let did = fx.did;
        self.apply(node, did);
    }

    fn apply(&mut self, node: NodeId, did: Vec<Did<P::Message, P::Timer>>) {
        let timers = &mut self.timers[node.index()];
        for deed in did {
            match deed {
                Did::Sent { to, message } => self.flying.push_back((node, to, message)),
                Did::Set { timer, .. } => {
                    timers.retain(|other| *other != timer);
                    timers.push(timer);
                }
                Did::Cancelled { timer } => timers.retain(|other| *other != timer),
                Did::Recorded(_) => {}
            }
        }
    }

    pub fn command(&mut self, node: u32, command: P::Command) -> &mut Self {
        let me = NodeId(node);
        self.act(me, |protocol, state, fx| {
            protocol.on_command(&mut Node::new(me, state, fx), &command)
        });
        self
    }

    /// A timer fires that is set.
    pub fn fire(&mut self, node: u32, timer: P::Timer) -> &mut Self {
        let set = &mut self.timers[node as usize];
        let place = set.iter().position(|other| *other == timer);
        set.remove(place.unwrap_or_else(|| panic!("{timer:?} is not set at n{node}")));
        let me = NodeId(node);
        self.act(me, |protocol, state, fx| {
            protocol.on_timer(&mut Node::new(me, state, fx), &timer)
        });
        self
    }

    pub fn reboot(&mut self, node: u32) -> &mut Self {
        self.timers[node as usize].clear();
        let me = NodeId(node);
        self.act(me, |protocol, state, fx| {
            *state = protocol.restart(&mut Node::new(me, &mut (), fx), &state.clone())
        });
        self
    }

    /// A message arrives that was not sent in this net.
    pub fn deliver(&mut self, from: u32, to: u32, message: P::Message) -> &mut Self {
        let (from, me) = (NodeId(from), NodeId(to));
        self.act(me, |protocol, state, fx| {
            protocol.on_message(&mut Node::new(me, state, fx), from, &message)
        });
        self
    }

    /// All that is in flight arrives, and all that is then sent: who received what.
    pub fn run(&mut self) -> Vec<String> {
        let mut transcript = Vec::new();
        while let Some((from, to, message)) = self.flying.pop_front() {
            transcript.push(format!("{from}→{to} {message:?}"));
            self.deliver(from.0, to.0, message);
        }
        transcript
    }

    pub fn is_set(&self, node: u32, timer: &P::Timer) -> bool {
        self.timers[node as usize].contains(timer)
    }
}
