//! Executing handlers, once for each distinct node state and input.

use std::time::Instant;

use everypath_model::{
    Budget, Did, EventKind, Ignored, NodeId, Protocol, Recorder,
    panics::{self, Panic},
};
use serde::{Deserialize, Serialize};

use crate::{
    NetworkSpace,
    networks::Fault,
    nodes::{Breakage, LocalEvent, Outcome, Outcomes, Slot},
};

/// How many different ways one handler execution can go on: what fits into an event's name.
const BRANCHES_MAX: usize = 1 << 16;

/// What a handler is executed on, besides the node's slot.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Input {
    Start,
    Restart,
    Message {
        packet: u32,
    },
    /// A packet of the node's own that comes back.
    Undeliverable {
        packet: u32,
    },
    Timer {
        /// Which of the slot's timers.
        which: u32,
    },
    Command {
        /// Which of the slot's commands.
        which: u32,
    },
}

/// What a handler did.
#[derive(Debug, PartialEq, Eq)]
struct Done<P: Protocol> {
    state: P::State,
    timers: Vec<P::Timer>,
    sent: Vec<(NodeId, P::Message)>,
}

/// One execution: what it did, or the panic it ended in, and the choices it made.
struct Execution<P: Protocol> {
    result: Result<Done<P>, Panic>,
    choices: Vec<u32>,
    options: Vec<u32>,
}

impl<P: Protocol> NetworkSpace<'_, P> {
    pub(crate) fn outcomes_of(&self, outcomes: Outcomes) -> &[Outcome] {
        &self.outcomes[outcomes.start as usize..][..outcomes.len as usize]
    }

    /// What the first start of a node leads to.
    pub(crate) fn start(&mut self, node: usize) -> Outcomes {
        if let Some(known) = self.nodes[node].start {
            return known;
        }
        let outcomes = self.execute(node, None, Input::Start);
        self.nodes[node].start = Some(outcomes);
        outcomes
    }

    /// Executes a handler once for every sequence of choices it can make.
    pub(crate) fn execute(&mut self, node: usize, slot: Option<u32>, input: Input) -> Outcomes {
        let start = self.outcomes.len();
        let mut prefix = Some(Vec::new());
        while let Some(choices) = prefix {
            let started = Instant::now();
            let execution = self.run(node, slot, input, choices.clone());
            self.executions += 1;
            let difference = self
                .options
                .verify_determinism
                .then(|| difference(&execution, &self.run(node, slot, input, choices)))
                .flatten();
            self.handler_time += started.elapsed();
            prefix = next_choices(&execution);
            let branches = self.outcomes.len() - start + 1;
            let excess = (prefix.is_some() && branches == BRANCHES_MAX)
                .then(|| format!("one execution can go on in more than {BRANCHES_MAX} ways"));
            if excess.is_some() {
                prefix = None;
            }
            if !execution.choices.is_empty() {
                let place = u32::try_from(self.outcomes.len()).expect("outcomes fit in 32 bits");
                self.choices.insert(place, execution.choices.clone());
            }
            let outcome = match (difference, excess) {
                (None, None) => self.outcome(node, input, execution),
                (Some(what), _) => {
                    self.broken(node, Breakage::Nondeterministic { what: Ignored(what) })
                }
                (None, Some(message)) => {
                    self.broken(node, Panic { message, place: None, part: None }.into())
                }
            };
            self.outcomes.push(outcome);
        }
        let len = self.outcomes.len() - start;
        let narrow = |number: usize| u32::try_from(number).expect("outcomes fit in 32 bits");
        Outcomes { start: narrow(start), len: narrow(len) }
    }

    /// Executes a handler with the answers to its first choices given.
    fn run(&self, node: usize, slot: Option<u32>, input: Input, choices: Vec<u32>) -> Execution<P> {
        let protocol = &self.scenario.protocol;
        let me = NodeId::from(node);
        let topology = &self.scenario.topology;
        let mut fx = Recorder::with_choices(me, topology.neighbours(me), choices);
        if self.scenario.receivers.is_some() || self.is_by_radio() {
            fx = fx.addressing(topology.len());
        }
        let before = slot.map(|slot| match self.nodes[node].slot(slot) {
            Slot::Running { state, timers } => (state, timers),
            Slot::Broken(_) => unreachable!("a broken node takes no further input"),
        });
        let mut timers = before.map_or(Vec::new(), |(_, timers)| timers.clone());
        let state = panics::catch(|| {
            let (Some((before, _)), false) = (before, matches!(input, Input::Start)) else {
                return protocol.start(me, &mut fx);
            };
            let mut state = before.clone();
            match input {
                Input::Start => unreachable!("handled above"),
                Input::Restart => {
                    timers.clear();
                    state = protocol.restart(me, before, &mut fx);
                }
                Input::Message { packet } => {
                    let packet = self.packet(packet);
                    protocol.on_message(me, &mut state, packet.from, packet.message, &mut fx);
                }
                Input::Undeliverable { packet } => {
                    let packet = self.packet(packet);
                    protocol.on_undeliverable(me, &mut state, packet.to, packet.message, &mut fx);
                }
                Input::Timer { which } => {
                    let timer = timers.remove(which as usize);
                    protocol.on_timer(me, &mut state, &timer, &mut fx);
                }
                Input::Command { which } => {
                    let command = &self.nodes[node].commands[slot.expect("it has a slot") as usize]
                        [which as usize];
                    protocol.on_command(me, &mut state, command, &mut fx);
                }
            }
            state
        });
        let Recorder { did, choices, options, .. } = fx;
        let result = state.map(|state| apply(state, timers, did));
        Execution { result, choices, options }
    }

    fn outcome(&mut self, node: usize, input: Input, execution: Execution<P>) -> Outcome {
        let Done { state, timers, sent } = match execution.result {
            Ok(done) => done,
            Err(panic) => return self.broken(node, panic.into()),
        };
        let me = NodeId::from(node);
        let sent =
            sent.into_iter().map(|(to, message)| self.intern_packet(me, to, message)).collect();
        let fault = if matches!(input, Input::Restart) && self.scenario.faults.reboot.is_counted() {
            Fault::Reboot
        } else {
            Fault::None
        };
        let slot = self.intern_slot(node, Slot::Running { state, timers });
        Outcome { slot, output: self.networks.output(sent, fault) }
    }

    fn broken(&mut self, node: usize, breakage: Breakage) -> Outcome {
        let slot = self.intern_slot(node, Slot::Broken(breakage));
        Outcome { slot, output: crate::networks::NO_OUTPUT }
    }

    pub(crate) fn intern_slot(&mut self, node: usize, slot: Slot<P::State, P::Timer>) -> u32 {
        if let Some(known) = self.nodes[node].slots.get_index_of(&slot) {
            return u32::try_from(known).expect("slots fit in 32 bits");
        }
        let commands = match &slot {
            Slot::Broken(_) => Vec::new(),
            Slot::Running { state, .. } => {
                let me = NodeId::from(node);
                match panics::catch(|| self.scenario.protocol.commands(me, state)) {
                    Ok(commands) => commands,
                    Err(panic) => {
                        let message = format!("while listing the commands: {}", panic.message);
                        let panic = Panic { message, ..panic };
                        return self.intern_slot(node, Slot::Broken(panic.into()));
                    }
                }
            }
        };
        let local = self.local_events(&slot, commands.len());
        let table = &mut self.nodes[node];
        if let Slot::Running { state, timers } = &slot {
            table.heap_bytes += heap_estimate(state) + timers.capacity() * size_of::<P::Timer>();
        }
        table.commands.push(commands);
        table.local.push(local);
        u32::try_from(table.slots.insert_full(slot).0).expect("slots fit in 32 bits")
    }

    fn local_events(&self, slot: &Slot<P::State, P::Timer>, commands: usize) -> Vec<LocalEvent> {
        let Slot::Running { state, timers } = slot else {
            return Vec::new();
        };
        let reboots = usize::from(self.scenario.faults.reboot != Budget::Off);
        let counts = [
            (EventKind::Command, commands),
            (EventKind::Timer, timers.len()),
            (EventKind::Reboot, reboots),
        ];
        let mut events: Vec<LocalEvent> = counts
            .into_iter()
            .flat_map(|(kind, count)| (0..count).map(move |which| (kind, which)))
            .map(|(kind, which)| LocalEvent {
                kind,
                tried_as: self.tried_as(kind, timers, which),
                which: u32::try_from(which).expect("a slot has few timers and commands"),
                outcomes: None,
            })
            .collect();
        if let Some(order) = &self.scenario.timer_order {
            // Only the order among timers matters: each kind is enumerated by itself.
            events.sort_by_key(|event| match event.kind {
                EventKind::Timer => order(state, &timers[event.which as usize]),
                _ => 0,
            });
        }
        events
    }

    /// In the place of which kind a local event is tried.
    fn tried_as(&self, kind: EventKind, timers: &[P::Timer], which: usize) -> EventKind {
        match &self.scenario.early_timers {
            Some(early) if kind == EventKind::Timer && early(&timers[which]) => EventKind::Command,
            _ => kind,
        }
    }
}

/// About how many bytes a value holds on the heap: what its serialised form has more than itself.
pub(crate) fn heap_estimate<T: Serialize>(value: &T) -> usize {
    let bytes = postcard::to_stdvec(value).map_or(0, |bytes| bytes.len());
    bytes.saturating_sub(size_of::<T>())
}

/// Sets and unsets timers and collects what was sent.
fn apply<P: Protocol>(
    state: P::State,
    mut timers: Vec<P::Timer>,
    did: Vec<Did<P::Message, P::Timer>>,
) -> Done<P> {
    let mut sent = Vec::new();
    for deed in did {
        match deed {
            Did::Sent { to, message } => sent.push((to, message)),
            Did::Set { timer, .. } => {
                if let Err(place) = timers.binary_search(&timer) {
                    timers.insert(place, timer);
                }
            }
            Did::Cancelled { timer } => {
                if let Ok(place) = timers.binary_search(&timer) {
                    timers.remove(place);
                }
            }
            Did::Recorded(_) => {}
        }
    }
    Done { state, timers, sent }
}

/// The answers to the first choices of the next execution: the last answer that can be raised is.
fn next_choices<P: Protocol>(execution: &Execution<P>) -> Option<Vec<u32>> {
    let asked = execution.options.len();
    let raise = (0..asked).rev().find(|&at| execution.choices[at] + 1 < execution.options[at])?;
    let mut choices = execution.choices[..=raise].to_vec();
    choices[raise] += 1;
    Some(choices)
}

/// How two executions on the same input differ, if they do.
fn difference<P: Protocol>(first: &Execution<P>, second: &Execution<P>) -> Option<String> {
    if first.choices != second.choices || first.options != second.options {
        return Some("two executions on the same input ask for different choices".to_owned());
    }
    match (&first.result, &second.result) {
        (Err(_), Err(_)) => None,
        (Ok(_), Err(panic)) | (Err(panic), Ok(_)) => {
            Some(format!("of two executions on the same input one panics: {panic}"))
        }
        (Ok(first), Ok(second)) => {
            let (what, one, other) = if first.state != second.state {
                (
                    "end in different states",
                    format!("{:?}", first.state),
                    format!("{:?}", second.state),
                )
            } else if first.timers != second.timers {
                (
                    "set different timers",
                    format!("{:?}", first.timers),
                    format!("{:?}", second.timers),
                )
            } else if first.sent != second.sent {
                (
                    "send different packets",
                    format!("{:?}", first.sent),
                    format!("{:?}", second.sent),
                )
            } else {
                return None;
            };
            Some(format!("two executions on the same input {what}: {one} and {other}"))
        }
    }
}
