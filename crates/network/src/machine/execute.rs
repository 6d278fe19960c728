//! Handler execution, once for each distinct node state and input.

use std::{borrow::Cow, time::Instant};

use everypath_explore::StateId;
use everypath_model::{
    Data, Did, EventKind, Ignored, NodeId, Protocol, Recorder, TimerChange, TimerQueue, Timers,
    Trigger,
    panics::{self, Panic},
    running,
};

use super::{Describe, Machine, ProtocolMachine, Unmet, repeat::content_of};
use crate::{
    memo::{Branch, Call, Destination, Done, Learned, LearnedOf, Memo, author_of},
    nodes::{
        Breakage, Decided, Input, Outcome, Outcomes, Receivers, SavedOutcome, Slot, SlotTimers,
        node_number,
    },
    packed::BRANCHES_MAX,
    tables::Tables,
    transit::{Fault, NO_OUTPUT},
    verify::Sort,
};

/// Returns how many bytes there are besides those that a machine knows of, and how many more soon.
pub(crate) type OtherBytes<'o> = dyn Fn() -> (usize, usize) + 'o;

/// The effects of a handler.
pub(super) type DoneBy<P> =
    Done<<P as Protocol>::State, <P as Protocol>::Message, <P as Protocol>::Timer>;

/// One execution: its effects or its panic, its choices, and whether it asked for the node's
/// neighbours.
pub(super) struct Execution<P: Protocol> {
    pub(super) result: Result<DoneBy<P>, Panic>,
    pub(super) choices: Vec<u32>,
    pub(super) options: Vec<u32>,
    asked_for_neighbours: bool,
    /// Whether it was recalled from a memo, so that its state comes from bytes.
    is_recalled: bool,
}

/// Executes handlers, and the other code that decides what happens.
pub(crate) trait Execute {
    /// The outcomes of a handler, one for every sequence of choices and every audience of its
    /// broadcasts; nothing if there is not enough memory.
    fn execute(
        &mut self,
        tables: &mut Tables,
        others: &OtherBytes<'_>,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Outcomes>;

    /// Executes a handler whose outcomes are known once more, with the choices that lead to one of
    /// them, and compares the state after it.
    fn execute_once_more(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: u32,
        input: Input,
        outcome: u32,
    );

    /// Notes that an execution has these outcomes, which were read.
    fn learn_ways(
        &mut self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        outcomes: &[SavedOutcome],
    );

    /// The slot of a node one of whose handlers has failed.
    fn broken_slot(&mut self, tables: &mut Tables, node: usize, breakage: Breakage) -> u32;

    /// The code that handles an input, and its print.
    fn author(&self, node: usize, slot: Option<u32>, input: Input) -> (&'static str, u64);

    /// The receivers of a packet while its sender is in this slot, as the scenario defines them.
    fn receivers(&self, sender: usize, slot: u32, packet: u32) -> Result<Receivers, Panic>;

    /// The state of the world in which the space starts, if it starts in one.
    fn start_in_world(&mut self, tables: &mut Tables) -> Option<StateId>;

    /// The parts of the protocol that were never met so far.
    fn unmet(&self, tables: &Tables) -> Unmet;

    /// Whether a node accepts a command in any state so far.
    fn offers_commands(&self) -> bool;

    /// Whether something in a state so far is ignored.
    fn has_ignored(&self) -> bool;
}

impl<P: Protocol> Execute for ProtocolMachine<'_, P> {
    fn execute(
        &mut self,
        tables: &mut Tables,
        others: &OtherBytes<'_>,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Outcomes> {
        let (start, executed) = (tables.executor.len(), tables.executor.executions);
        let Some(executions) = self.recall_or_execute(tables, others, node, slot, input) else {
            tables.executor.executions = executed;
            return None;
        };
        for (execution, flaw) in executions {
            if self.lacks_memory(tables, others) {
                tables.executor.forget_outcomes(start);
                tables.executor.executions = executed;
                return None;
            }
            match flaw {
                None => self.add_outcomes(tables, start, node, slot, input, execution),
                Some(flaw) => self.add_broken(tables, node, execution.choices, flaw),
            }
        }
        Some(tables.executor.executed(start))
    }

    fn execute_once_more(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: u32,
        input: Input,
        outcome: u32,
    ) {
        if P::NATIVE {
            self.revive(node, Some(slot));
        }
        let choices = tables.executor.decided_before(Some(outcome)).choices.clone();
        let execution = self.run(self.call(node, Some(slot), input), choices);
        tables.executor.repeated += 1;
        let known = self.nodes[node].slot(tables.executor.outcome(outcome).slot);
        let is_same = match (known, &execution.result) {
            (Slot::Running { state, .. }, Ok(done)) => *state == done.state,
            (Slot::Running { .. }, Err(_)) => false,
            // That is a finding.
            (Slot::Broken(_), _) => true,
        };
        if !is_same {
            tables.verifier.accuse(|| {
                let event = self.describe_input(node, Some(slot), input);
                format!("{event} does something else each time it is executed")
            });
        }
    }

    fn learn_ways(
        &mut self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        outcomes: &[SavedOutcome],
    ) {
        if P::NATIVE {
            self.note_ways(node, slot, input, outcomes);
        }
    }

    fn broken_slot(&mut self, tables: &mut Tables, node: usize, breakage: Breakage) -> u32 {
        self.intern_slot(tables, node, Slot::Broken(breakage))
    }

    fn author(&self, node: usize, slot: Option<u32>, input: Input) -> (&'static str, u64) {
        author_of(&self.scenario.protocol, self.call(node, slot, input).trigger())
    }

    fn receivers(&self, sender: usize, slot: u32, packet: u32) -> Result<Receivers, Panic> {
        let receivers = self.scenario.receivers.as_ref().expect("the scenario says who receives");
        let Slot::Running { state, .. } = self.nodes[sender].slot(slot) else {
            unreachable!("where a node is broken nothing is received");
        };
        let packet = self.packet(packet);
        let mut answer = panics::catch(|| receivers(state, packet))?;
        answer.sort_unstable();
        answer.dedup();
        match answer.iter().find(|node| node.index() >= self.nodes.len()) {
            Some(stranger) => {
                let message = format!("the answer names {stranger}, which does not exist");
                Err(Panic { message, place: None, part: None })
            }
            None => Ok(answer.into_iter().map(node_number).collect()),
        }
    }

    fn start_in_world(&mut self, tables: &mut Tables) -> Option<StateId> {
        let start = self.start?;
        Some(self.put_into(tables, start))
    }

    fn unmet(&self, tables: &Tables) -> Unmet {
        self.find_unmet(tables)
    }

    fn has_ignored(&self) -> bool {
        self.nodes.iter().any(|node| node.ignores)
    }

    fn offers_commands(&self) -> bool {
        self.nodes.iter().flat_map(|node| &node.commands).any(|commands| !commands.is_empty())
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// Whether there is no memory to store further outcomes.
    fn lacks_memory(&self, tables: &mut Tables, others: &OtherBytes<'_>) -> bool {
        if !tables.executor.allowance.is_execution_measured() {
            return false;
        }
        let (bytes, soon) = others();
        let taken =
            (tables.bytes() + self.bytes() + bytes, tables.bytes_soon() + self.bytes_soon() + soon);
        tables.executor.allowance.is_used_up(taken)
    }

    /// The executions of a handler, from the memo if it has them. Nothing if there is not enough
    /// memory.
    fn recall_or_execute(
        &mut self,
        tables: &mut Tables,
        others: &OtherBytes<'_>,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Vec<(Execution<P>, Option<Breakage>)>> {
        let is_used = |memo: &mut Memo| memo.is_used() && !self.is_ordered();
        let Some(mut memo) = tables.executor.memo.take_if(is_used) else {
            return self.executions_of(tables, others, node, slot, input);
        };
        let (started, executed) = (Instant::now(), tables.executor.handler_time);
        let is_possible = |learned: &LearnedOf<'_, P>| self.is_possible(node, learned);
        let call = self.call(node, slot, input);
        let known = memo.recall(&call, &self.scenario.protocol, is_possible);
        let executions = match known {
            Some(learned) if memo.verifies() => {
                let executions = self.executions_of(tables, others, node, slot, input);
                let again = executions.as_ref().map(|executions| self.learned(node, executions));
                if again.is_some_and(|again| again.is_none_or(|again| again != learned)) {
                    memo.contradict(|| self.describe_input(node, slot, input));
                }
                executions
            }
            Some(learned) => {
                let branches = learned.branches.into_iter();
                Some(branches.map(|branch| (branch.into(), None)).collect())
            }
            None => {
                let executions = self.executions_of(tables, others, node, slot, input);
                let learned = executions.as_ref().and_then(|it| self.learned(node, it));
                if let Some(learned) = learned {
                    memo.learn(&learned);
                }
                executions
            }
        };
        memo.looked(started.elapsed().saturating_sub(tables.executor.handler_time - executed));
        memo.reconsider(tables.executor.executions, tables.executor.handler_time);
        tables.executor.memo = Some(memo);
        executions
    }

    /// Executes a handler once for every sequence of choices. Each execution comes with its fault,
    /// if it has one. Nothing if there is not enough memory.
    fn executions_of(
        &mut self,
        tables: &mut Tables,
        others: &OtherBytes<'_>,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Vec<(Execution<P>, Option<Breakage>)>> {
        if P::NATIVE {
            self.revive(node, slot);
        }
        let mut executions = Vec::new();
        let mut prefix = Some(Vec::new());
        let due = || content_of(self.call(node, slot, input));
        let copied = tables.verifier.is_due(Sort::Execution, due);
        let copied = copied.then(|| self.copied(tables, self.call(node, slot, input)));
        let is_compared = copied.is_some() || tables.verifier.all_ignored;
        let newcomer =
            if is_compared { slot.and_then(|slot| self.newcomer(node, slot)) } else { None };
        let ignored = &tables.verifier.ignored;
        ignored.set(ignored.get() + u64::from(newcomer.is_some()));
        while let Some(choices) = prefix {
            if self.lacks_memory(tables, others) {
                return None;
            }
            let started = Instant::now();
            let call = self.call(node, slot, input);
            let execution = self.run(call, choices.clone());
            let mut copies = copied.iter().chain(&newcomer);
            let difference = copies.find_map(|copy| self.verify(&execution, call, copy, &choices));
            tables.executor.executions += 1;
            tables.verifier.executions += u64::from(copied.is_some());
            tables.executor.handler_time += started.elapsed();
            prefix = next_choices(&execution);
            let excess = (prefix.is_some() && executions.len() + 1 == BRANCHES_MAX)
                .then(|| format!("one execution has more than {BRANCHES_MAX} branches"));
            if excess.is_some() {
                prefix = None;
            }
            let flaw = match (difference, excess) {
                (None, None) => None,
                (Some(what), _) => Some(Breakage::Nondeterministic { what: Ignored(what) }),
                (None, Some(message)) => Some(Panic { message, place: None, part: None }.into()),
            };
            executions.push((execution, flaw));
        }
        if let Some(slot) = slot
            && self.nodes[node].ignores
        {
            self.nodes[node].visits.entry(slot).or_default().inputs.push(input);
        }
        Some(executions)
    }

    /// The handler and its input.
    pub(crate) fn call(&self, node: usize, slot: Option<u32>, input: Input) -> Call<'_, P> {
        let me = NodeId::from(node);
        let before = slot.map(|slot| match self.nodes[node].slot(slot) {
            Slot::Running { state, timers, .. } => (slot, state, timers),
            Slot::Broken(_) => unreachable!("a broken node takes no further input"),
        });
        let Some((slot, state, timers)) = before else {
            return Call::Start(me);
        };
        match input {
            Input::Start => Call::Start(me),
            Input::Restart => Call::Restart(me, state),
            Input::Message { packet } => {
                let packet = self.packet(packet);
                Call::Message(me, state, packet.from, packet.message)
            }
            Input::Undeliverable { packet } => {
                let packet = self.packet(packet);
                Call::Undeliverable(me, state, packet.to, packet.message)
            }
            Input::Timer { which } => Call::Timer(me, state, &timers[which as usize]),
            Input::Command { which } => {
                let command = &self.nodes[node].commands[slot as usize][which as usize];
                Call::Command(me, state, command)
            }
        }
    }

    /// Whether a memoised execution would be the same here, and is possible.
    fn is_possible(&self, node: usize, learned: &LearnedOf<'_, P>) -> bool {
        let neighbours = self.scenario.topology.neighbours(NodeId::from(node));
        let may_send = |to: NodeId| match self.can_address_all() {
            true => to.index() < self.nodes.len(),
            false => neighbours.contains(&to),
        };
        let sent = learned.branches.iter().flat_map(|branch| &branch.done.sent);
        learned.neighbours.as_ref().is_none_or(|asked| **asked == *neighbours)
            && sent.into_iter().all(|(to, _)| match to {
                Destination::One(to) => may_send(*to),
                Destination::Neighbours => true,
            })
    }

    /// The memo entry for the executions of a handler; nothing, if one of them failed.
    fn learned<'e>(
        &'e self,
        node: usize,
        executions: &'e [(Execution<P>, Option<Breakage>)],
    ) -> Option<LearnedOf<'e, P>> {
        let asked = executions.iter().any(|(execution, _)| execution.asked_for_neighbours);
        let neighbours = self.scenario.topology.neighbours(NodeId::from(node));
        let branch = |(execution, flaw): &'e (Execution<P>, Option<Breakage>)| {
            let Execution { result, choices, options, .. } = execution;
            let done = result.as_ref().ok().filter(|_| flaw.is_none())?;
            Some(Branch {
                choices: choices.into(),
                options: options.into(),
                done: Cow::Borrowed(done),
            })
        };
        let branches = executions.iter().map(branch).collect::<Option<_>>()?;
        Some(Learned { neighbours: asked.then(|| neighbours.into()), branches })
    }

    /// Whether messages can be sent to any node.
    fn can_address_all(&self) -> bool {
        self.scenario.receivers.is_some() || self.start.is_some_and(|start| start.by_radio)
    }

    /// Executes a handler with given answers to its first choices.
    pub(super) fn run(&self, call: Call<'_, P>, choices: Vec<u32>) -> Execution<P> {
        self.run_on(false, call, choices)
    }

    /// As [`run`](Self::run); on a native node that is made again, if `fresh`.
    pub(super) fn run_on(&self, fresh: bool, call: Call<'_, P>, choices: Vec<u32>) -> Execution<P> {
        let protocol = &self.scenario.protocol;
        if self.scenario.handler_work > 0 {
            self.scenario.work();
        }
        let me = call.node();
        let topology = &self.scenario.topology;
        let mut recorder = Recorder::with_choices(me, topology.neighbours(me), choices);
        if self.can_address_all() {
            recorder = recorder.addressing(topology.len());
        }
        let fx = &mut recorder;
        let handled = Handled::of(&call);
        let state = running::described(
            move || handled.describe(me),
            || {
                let handle = || match (call.trigger().1, call.state()) {
                    (Trigger::On(input), Some(before)) => {
                        changed(before, |state| protocol.handle(me, state, input, fx))
                    }
                    (_, before) => protocol.bring_up(me, before, fx),
                };
                panics::catch(|| self.keeping(fresh, handle))
            },
        );
        let asked_for_neighbours = recorder.asked_for_neighbours();
        let changes = if self.is_ordered() { recorder.timer_changes() } else { Vec::new() };
        let Recorder { did, broadcasts, choices, options, .. } = recorder;
        let copies = topology.neighbours(me).len();
        let result =
            state.map(|state| Done { changes, ..done::<P>(state, did, broadcasts, copies) });
        Execution { result, choices, options, asked_for_neighbours, is_recalled: false }
    }

    /// Adds the outcomes of an execution: one for every combination of the audiences of its
    /// broadcasts. `start` is where the outcomes of the handler begin.
    fn add_outcomes(
        &mut self,
        tables: &mut Tables,
        start: usize,
        node: usize,
        slot: Option<u32>,
        input: Input,
        execution: Execution<P>,
    ) {
        let Execution { choices, is_recalled, .. } = execution;
        let Done { state, timers: changed, sent, changes } = match execution.result {
            Ok(done) => done,
            Err(panic) => return self.add_broken(tables, node, choices, panic.into()),
        };
        let is_broadcast = |(to, _): &&(Destination, P::Message)| *to == Destination::Neighbours;
        let broadcasts = match tables.setup.audiences.is_empty() {
            true => 0,
            false => sent.iter().filter(is_broadcast).count(),
        };
        let sets = tables.setup.audiences.get(node).map_or(1, Vec::len);
        let combinations = (sets as u128).checked_pow(broadcasts as u32).unwrap_or(u128::MAX);
        let before = tables.executor.len() - start;
        if combinations > (BRANCHES_MAX - before) as u128 {
            let message = format!(
                "one execution has {} branches, of which at most {BRANCHES_MAX} are possible: it broadcasts {broadcasts} times, each time with {sets} possible audiences",
                combinations.saturating_add(before as u128)
            );
            let panic = Panic { message, place: None, part: None };
            return self.add_broken(tables, node, choices, panic.into());
        }
        let queue = self.queue_after(node, slot, input, changes);
        let timers = self.timers_after(node, slot, input, changed);
        let fault = if matches!(input, Input::Restart) && self.scenario.faults.reboot.is_counted() {
            Fault::Reboot
        } else {
            Fault::None
        };
        let timers = match queue {
            Some(queue) if !timers.is_empty() => SlotTimers::Ordered(Box::new((timers, queue))),
            _ => SlotTimers::Any(timers),
        };
        let after = Slot::Running { state, timers };
        let after = match P::NATIVE {
            false => {
                self.compare_ignored(tables, node, &after);
                self.intern_slot(tables, node, after)
            }
            true => self.intern_native(tables, node, after, is_recalled),
        };
        if P::NATIVE && is_recalled {
            self.note_way(node, slot, input, &choices, after);
        }
        let mut audiences = vec![0; broadcasts];
        loop {
            let packets = self.packets_sent(tables, node, &sent, &audiences);
            let output = tables.interner.networks.output(packets, fault);
            let decided = Decided { choices: choices.clone(), audiences: audiences.clone() };
            tables.executor.add_outcome(decided, Outcome { slot: after, output });
            // The next combination: the last broadcast changes fastest.
            let Some(raise) = audiences.iter().rposition(|&number| (number as usize) + 1 < sets)
            else {
                return;
            };
            audiences[raise] += 1;
            audiences[raise + 1..].fill(0);
        }
    }

    /// The packets that an execution sends, given the number of each broadcast's audience (nothing,
    /// if all neighbours hear every broadcast).
    fn packets_sent(
        &mut self,
        tables: &mut Tables,
        node: usize,
        sent: &[(Destination, P::Message)],
        audiences: &[u32],
    ) -> Vec<u32> {
        let me = NodeId::from(node);
        let mut audiences = audiences.iter();
        let mut packets = Vec::with_capacity(sent.len());
        for (to, message) in sent {
            let one;
            let receivers = match to {
                Destination::One(to) => {
                    one = [*to];
                    &one[..]
                }
                Destination::Neighbours => match audiences.next() {
                    None => self.scenario.topology.neighbours(me),
                    Some(&number) => &tables.setup.audiences[node][number as usize].clone(),
                },
            };
            for &to in receivers {
                packets.push(self.intern_packet(tables, me, to, message.clone()));
            }
        }
        packets
    }

    /// The timers that are set after an execution, in order.
    fn timers_after(
        &self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        changes: Vec<(P::Timer, bool)>,
    ) -> Vec<P::Timer> {
        let mut timers = match (slot.map(|slot| self.nodes[node].slot(slot)), input) {
            // A reboot unsets all timers.
            (None, _) | (_, Input::Start | Input::Restart) => Vec::new(),
            (Some(Slot::Running { timers, .. }), _) => timers.to_vec(),
            (Some(Slot::Broken(_)), _) => unreachable!("a broken node takes no further input"),
        };
        if let Input::Timer { which } = input {
            timers.remove(which as usize);
        }
        for (timer, is_set) in changes {
            match (timers.binary_search(&timer), is_set) {
                (Err(place), true) => timers.insert(place, timer),
                (Ok(place), false) => drop(timers.remove(place)),
                _ => {}
            }
        }
        timers
    }

    /// The order of the timers that are set after an execution, if it is kept.
    fn queue_after(
        &self,
        node: usize,
        slot: Option<u32>,
        input: Input,
        changes: Vec<TimerChange<P::Timer>>,
    ) -> Option<TimerQueue<P::Timer>> {
        if !self.is_ordered() {
            return None;
        }
        let mut queue = TimerQueue::default();
        if let (Some(slot), false) = (slot, matches!(input, Input::Start | Input::Restart))
            && let Slot::Running { timers, .. } = self.nodes[node].slot(slot)
        {
            queue = timers.queue().cloned().unwrap_or_default();
            if let Input::Timer { which } = input {
                queue.change(TimerChange::Unset(timers[which as usize].clone()));
            }
        }
        changes.into_iter().for_each(|change| queue.change(change));
        Some(queue)
    }

    /// Whether timers fire in order.
    fn is_ordered(&self) -> bool {
        self.timers == Timers::Ordered
    }

    /// Adds the outcome of a failed execution.
    fn add_broken(
        &mut self,
        tables: &mut Tables,
        node: usize,
        choices: Vec<u32>,
        breakage: Breakage,
    ) {
        let slot = self.broken_slot(tables, node, breakage);
        let decided = Decided { choices, audiences: Vec::new() };
        tables.executor.add_outcome(decided, Outcome { slot, output: NO_OUTPUT });
    }
}

/// The input of a handler, in a form that another thread can print.
enum Handled<M, T, C> {
    Start,
    Restart,
    Message(M),
    Undeliverable(M),
    Timer(T),
    Command(C),
}

impl<M: Data, T: Data, C: Data> Handled<M, T, C> {
    fn of<P: Protocol<Message = M, Timer = T, Command = C>>(call: &Call<'_, P>) -> Self {
        match *call {
            Call::Start(_) => Self::Start,
            Call::Restart(..) => Self::Restart,
            Call::Message(.., message) => Self::Message(message.clone()),
            Call::Undeliverable(.., message) => Self::Undeliverable(message.clone()),
            Call::Timer(.., timer) => Self::Timer(timer.clone()),
            Call::Command(.., command) => Self::Command(command.clone()),
        }
    }

    fn describe(&self, node: NodeId) -> String {
        let event = match self {
            Self::Start => "start".to_owned(),
            Self::Restart => EventKind::Reboot.to_string(),
            Self::Message(message) => format!("{} {message:?}", EventKind::Deliver),
            Self::Undeliverable(message) => format!("{} {message:?}", EventKind::Undeliverable),
            Self::Timer(timer) => format!("{} {timer:?}", EventKind::Timer),
            Self::Command(command) => format!("{} {command:?}", EventKind::Command),
        };
        format!("the handler of {node} for `{event}`")
    }
}

/// The state of a node after a handler.
fn changed<S: Clone>(before: &S, handle: impl FnOnce(&mut S)) -> S {
    let mut state = before.clone();
    handle(&mut state);
    state
}

/// The effects of a handler: the state, the timers it has changed, and the messages it has sent.
fn done<P: Protocol>(
    state: P::State,
    did: Vec<Did<P::Message, P::Timer>>,
    broadcasts: Vec<(usize, P::Message)>,
    neighbours: usize,
) -> DoneBy<P> {
    let (mut timers, mut sent) = (Vec::new(), Vec::new());
    let mut change = |timer: P::Timer, is_set| {
        timers.retain(|(other, _)| *other != timer);
        timers.push((timer, is_set));
    };
    let mut broadcasts = broadcasts.into_iter().peekable();
    // How many of the next messages belong to one broadcast.
    let mut copies = 0;
    for (place, deed) in did.into_iter().enumerate() {
        while let Some((_, message)) = broadcasts.next_if(|(first, _)| *first == place) {
            sent.push((Destination::Neighbours, message));
            copies += neighbours;
        }
        match deed {
            Did::Sent { .. } if copies > 0 => copies -= 1,
            Did::Sent { to, message } => sent.push((Destination::One(to), message)),
            Did::Set { timer, .. } => change(timer, true),
            Did::Cancelled { timer } => change(timer, false),
            Did::Recorded(_) => {}
        }
    }
    // Without receivers: a node without neighbours.
    sent.extend(broadcasts.map(|(_, message)| (Destination::Neighbours, message)));
    timers.sort_unstable();
    Done { state, timers, sent, changes: Vec::new() }
}

impl<P: Protocol> From<Branch<'_, P::State, P::Message, P::Timer>> for Execution<P> {
    fn from(branch: Branch<'_, P::State, P::Message, P::Timer>) -> Self {
        let Branch { choices, options, done } = branch;
        Self {
            result: Ok(done.into_owned()),
            choices: choices.into_owned(),
            options: options.into_owned(),
            // Irrelevant here: it was learned with the present neighbours.
            asked_for_neighbours: false,
            is_recalled: true,
        }
    }
}

/// The answers to the first choices of the next execution: raises the last answer that can be
/// raised.
pub(super) fn next_choices<P: Protocol>(execution: &Execution<P>) -> Option<Vec<u32>> {
    let asked = execution.options.len();
    let raise = (0..asked).rev().find(|&at| execution.choices[at] + 1 < execution.options[at])?;
    let mut choices = execution.choices[..=raise].to_vec();
    choices[raise] += 1;
    Some(choices)
}
