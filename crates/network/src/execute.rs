//! Executing handlers, once for each distinct node state and input; and again, to find out whether they
//! do the same.

use std::{borrow::Cow, hash::BuildHasher, time::Instant};

use everypath_explore::StateId;
use everypath_model::{
    Budget, Data, Did, EventKind, Ignored, NodeId, Protocol, Recorder, Trigger,
    panics::{self, Panic},
    running,
};
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};

use crate::{
    Unmet,
    exits::node_number,
    machine::{Machine, ProtocolMachine},
    memo::{Branch, Call, Destination, Done, Learned, LearnedOf, author_of},
    networks::Fault,
    nodes::{Breakage, LocalEvent, Outcome, Outcomes, Receivers, Slot},
    tables::Tables,
    text::Describe,
    verify::{Sort, shown},
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
type DoneBy<P> = Done<<P as Protocol>::State, <P as Protocol>::Message, <P as Protocol>::Timer>;

/// One execution: what it did, or the panic it ended in, the choices it made, and whether it asked who the
/// node's neighbours are.
struct Execution<P: Protocol> {
    result: Result<DoneBy<P>, Panic>,
    choices: Vec<u32>,
    options: Vec<u32>,
    asked_for_neighbours: bool,
}

/// Executing handlers, and asking what else decides what happens.
pub(crate) trait Execute {
    /// What a handler leads to, once for every sequence of choices it can make; nothing if there is not enough memory for that.
    fn execute(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Outcomes>;

    /// The slot of a node one of whose handlers has failed.
    fn broken_slot(&mut self, tables: &mut Tables, node: usize, breakage: Breakage) -> u32;

    /// Which code handles an input, and its print.
    fn author(&self, node: usize, slot: Option<u32>, input: Input) -> (&'static str, u64);

    /// Who receives a packet while its sender is in this slot, as the scenario says.
    fn receivers(&self, sender: usize, slot: u32, packet: u32) -> Result<Receivers, Panic>;

    /// The state of the world in which the space starts, if it starts in one.
    fn start_in_world(&mut self, tables: &mut Tables) -> Option<StateId>;

    /// What of the protocol was never met so far.
    fn unmet(&self, tables: &Tables) -> Unmet;

    /// Whether a node accepts a command in some state that was met.
    fn offers_commands(&self) -> bool;
}

impl<P: Protocol> Execute for ProtocolMachine<'_, P> {
    fn execute(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Outcomes> {
        let (start, executed) = (tables.outcomes.len(), tables.executions);
        let Some(executions) = self.recall_or_execute(tables, node, slot, input) else {
            tables.executions = executed;
            return None;
        };
        for (execution, flaw) in executions {
            if self.lacks_memory(tables) {
                tables.forget_outcomes(start);
                tables.executions = executed;
                return None;
            }
            if !execution.choices.is_empty() {
                let place = u32::try_from(tables.outcomes.len()).expect("outcomes fit in 32 bits");
                tables.choice_bytes += size_of_val(execution.choices.as_slice());
                tables.choices.insert(place, execution.choices.clone());
            }
            let outcome = match flaw {
                None => self.outcome(tables, node, slot, input, execution),
                Some(flaw) => self.broken(tables, node, flaw),
            };
            tables.outcomes.push(outcome);
        }
        tables.handled += 1;
        let len = tables.outcomes.len() - start;
        let narrow = |number: usize| u32::try_from(number).expect("outcomes fit in 32 bits");
        Some(Outcomes { start: narrow(start), len: narrow(len) })
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

    fn offers_commands(&self) -> bool {
        self.nodes.iter().flat_map(|node| &node.commands).any(|commands| !commands.is_empty())
    }
}

impl Tables {
    /// Forgets the outcomes from a place on, which belong to no execution that is known.
    fn forget_outcomes(&mut self, start: usize) {
        for place in start..self.outcomes.len() {
            let place = u32::try_from(place).expect("outcomes fit in 32 bits");
            let choices = self.choices.remove(&place).unwrap_or_default();
            self.choice_bytes -= size_of_val(choices.as_slice());
        }
        self.outcomes.truncate(start);
    }
}

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// Whether nothing more can be made of executions, for want of memory.
    fn lacks_memory(&self, tables: &mut Tables) -> bool {
        tables.lacks_memory(|| (self.bytes(), self.bytes_soon()))
    }

    /// The executions of a handler, as they are remembered from before, if they are; or else as they are.
    /// Nothing if there is not enough memory for them.
    fn recall_or_execute(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Vec<(Execution<P>, Option<Breakage>)>> {
        let Some(mut memo) = tables.memo.take_if(|memo| memo.is_used()) else {
            return self.executions_of(tables, node, slot, input);
        };
        let (started, executed) = (Instant::now(), tables.handler_time);
        let is_possible = |learned: &LearnedOf<'_, P>| self.is_possible(node, learned);
        let call = self.call(node, slot, input);
        let known = memo.recall(&call, &self.scenario.protocol, is_possible);
        let executions = match known {
            Some(learned) if memo.verifies() => {
                let executions = self.executions_of(tables, node, slot, input);
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
                let executions = self.executions_of(tables, node, slot, input);
                let learned = executions.as_ref().and_then(|it| self.learned(node, it));
                if let Some(learned) = learned {
                    memo.learn(&learned);
                }
                executions
            }
        };
        memo.looked(started.elapsed().saturating_sub(tables.handler_time - executed));
        memo.reconsider(tables.executions, tables.handler_time);
        tables.memo = Some(memo);
        executions
    }

    /// Executes a handler once for every sequence of choices it can make; each time with what is wrong about
    /// it, if something is. Nothing if there is not enough memory for them.
    fn executions_of(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Option<u32>,
        input: Input,
    ) -> Option<Vec<(Execution<P>, Option<Breakage>)>> {
        let mut executions = Vec::new();
        let mut prefix = Some(Vec::new());
        let due = || content_of(self.call(node, slot, input));
        let copied = tables.verifier.is_due(Sort::Execution, due);
        let copied = copied.then(|| self.copied(tables, self.call(node, slot, input)));
        let newcomer = copied.as_ref().and_then(|_| self.newcomer(node, slot?));
        while let Some(choices) = prefix {
            if self.lacks_memory(tables) {
                return None;
            }
            let started = Instant::now();
            let call = self.call(node, slot, input);
            let execution = self.run(call, choices.clone());
            let mut copies = copied.iter().chain(&newcomer);
            let difference = copies.find_map(|copy| self.verify(&execution, call, copy, &choices));
            tables.executions += 1;
            tables.verifier.executions += u64::from(copied.is_some());
            tables.handler_time += started.elapsed();
            prefix = next_choices(&execution);
            let excess = (prefix.is_some() && executions.len() + 1 == BRANCHES_MAX)
                .then(|| format!("one execution can go on in more than {BRANCHES_MAX} ways"));
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

    /// What a handler is executed on, read back from bytes.
    fn copied(&self, tables: &Tables, call: Call<'_, P>) -> Copied<P> {
        let whose = |what: &str, node: NodeId| format!("{what} {}", self.name_of(node.index()));
        let state = |node, state| tables.reread(state, || whose("a state of", node));
        let message =
            |from, message| tables.reread(message, || whose("a message that is sent by", from));
        let mut copied = Copied::default();
        let mut add = |(state, ignores): (P::State, bool)| {
            copied.ignores |= ignores;
            copied.state = Some(state);
        };
        match call {
            Call::Start(_) => {}
            Call::Restart(me, before) => add(state(me, before)),
            Call::Message(me, before, from, sent) => {
                add(state(me, before));
                let (sent, ignores) = message(from, sent);
                copied.ignores |= ignores;
                copied.message = Some(sent);
            }
            Call::Undeliverable(me, before, _, sent) => {
                add(state(me, before));
                let (sent, ignores) = message(me, sent);
                copied.ignores |= ignores;
                copied.message = Some(sent);
            }
            Call::Timer(me, before, timer) => {
                add(state(me, before));
                let (timer, ignores) = tables.reread(timer, || whose("a timer of", me));
                copied.ignores |= ignores;
                copied.timer = Some(timer);
            }
            Call::Command(me, before, command) => {
                add(state(me, before));
                let (command, ignores) = tables.reread(command, || whose("a command of", me));
                copied.ignores |= ignores;
                copied.command = Some(command);
            }
        }
        copied
    }

    /// How an execution differs from one on a copy of what it was executed on, if it does.
    fn verify(
        &self,
        first: &Execution<P>,
        call: Call<'_, P>,
        copied: &Copied<P>,
        choices: &[u32],
    ) -> Option<String> {
        let copy = copied.call(call);
        let second = self.run(copy, choices.to_vec());
        let what = difference(first, &second)?;
        // In the other order, so that one that does something else every other time is told apart.
        let third = self.run(copy, choices.to_vec());
        let fourth = self.run(call, choices.to_vec());
        let decided_by_ignored = copied.ignores
            && difference(&second, &third).is_none()
            && difference(first, &fourth).is_none();
        Some(match decided_by_ignored {
            true => format!("{OTHERWISE}: two executions {what}"),
            false => format!("two executions on the same input {what}"),
        })
    }

    /// Looks at a state that a handler leads to and that is known, but in which what is ignored may be
    /// another: whether handlers do the same in it that they did in the one that is known. That is
    /// done when it is come to for the first time, the second, the fourth, the eighth, …: counters
    /// grow.
    fn compare_ignored(
        &mut self,
        tables: &mut Tables,
        node: usize,
        newcomer: &Slot<P::State, P::Timer>,
    ) {
        let table = &self.nodes[node];
        let Slot::Running { state, .. } = newcomer else { return };
        let known = table.slots.get_index_of(newcomer).filter(|_| table.ignores);
        let Some(known) = known else { return };
        let known = u32::try_from(known).expect("slots fit in 32 bits");
        let visits = self.nodes[node].visits.entry(known).or_default();
        visits.arrivals = visits.arrivals.saturating_add(1);
        if !visits.arrivals.is_power_of_two() {
            return;
        }
        visits.newcomer = Some(state.clone());
        let inputs = std::mem::take(&mut visits.inputs);
        let started = Instant::now();
        let copied = self.newcomer(node, known).expect("it was just kept");
        for &input in &inputs {
            let call = self.call(node, Some(known), input);
            if tables.verifier.is_due(Sort::Newcomer, || content_of(call))
                && let Some(what) = self.newcomer_differs(call, &copied)
            {
                tables.verifier.accuse(|| {
                    let event = self.describe_input(node, Some(known), input);
                    format!(
                        "in the state {} of {}, {event} {what}",
                        shown(state),
                        self.name_of(node)
                    )
                });
            }
        }
        tables.handler_time += started.elapsed();
        self.nodes[node].visits.entry(known).or_default().inputs = inputs;
    }

    /// The state with which a slot was come to again, if it was.
    fn newcomer(&self, node: usize, slot: u32) -> Option<Copied<P>> {
        let newcomer = self.nodes[node].visits.get(&slot)?.newcomer.clone()?;
        Some(Copied { state: Some(newcomer), ignores: true, ..Copied::default() })
    }

    /// How a handler does something else in a state in which what is ignored is another, if it does.
    fn newcomer_differs(&self, call: Call<'_, P>, copied: &Copied<P>) -> Option<String> {
        let mut prefix = Some(Vec::new());
        for _ in 0..BRANCHES_MAX {
            let choices = prefix?;
            let first = self.run(call, choices.clone());
            if let Some(what) = self.verify(&first, call, copied, &choices) {
                return Some(what);
            }
            prefix = next_choices(&first);
        }
        None
    }

    /// Which handler is executed, on what.
    pub(crate) fn call(&self, node: usize, slot: Option<u32>, input: Input) -> Call<'_, P> {
        let me = NodeId::from(node);
        let before = slot.map(|slot| match self.nodes[node].slot(slot) {
            Slot::Running { state, timers } => (slot, state, timers),
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

    /// Whether a handler that did something elsewhere would do the same here, and may.
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

    /// What can be learned of the executions of a handler: nothing, if one of them went wrong.
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

    /// Executes a handler with the answers to its first choices given.
    fn run(&self, call: Call<'_, P>, choices: Vec<u32>) -> Execution<P> {
        let protocol = &self.scenario.protocol;
        let me = call.node();
        let topology = &self.scenario.topology;
        let mut recorder = Recorder::with_choices(me, topology.neighbours(me), choices);
        if self.can_address_all() {
            recorder = recorder.addressing(topology.len());
        }
        let fx = &mut recorder;
        let handled = Handled::of(&call);
        let state = running::told(
            move || handled.describe(me),
            || {
                panics::catch(|| match (call.trigger().1, call.state()) {
                    (Trigger::On(input), Some(before)) => {
                        changed(before, |state| protocol.handle(me, state, input, fx))
                    }
                    (_, before) => protocol.bring_up(me, before, fx),
                })
            },
        );
        let asked_for_neighbours = recorder.asked_for_neighbours();
        let Recorder { did, broadcasts, choices, options, .. } = recorder;
        let copies = topology.neighbours(me).len();
        let result = state.map(|state| done::<P>(state, did, broadcasts, copies));
        Execution { result, choices, options, asked_for_neighbours }
    }

    fn outcome(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Option<u32>,
        input: Input,
        execution: Execution<P>,
    ) -> Outcome {
        let Done { state, timers: changes, sent } = match execution.result {
            Ok(done) => done,
            Err(panic) => return self.broken(tables, node, panic.into()),
        };
        let timers = self.timers_after(node, slot, input, changes);
        let me = NodeId::from(node);
        let topology = &self.scenario.topology;
        let mut packets = Vec::with_capacity(sent.len());
        for (to, message) in sent {
            match to {
                Destination::One(to) => packets.push(self.intern_packet(tables, me, to, message)),
                Destination::Neighbours => {
                    let all = topology.neighbours(me).iter();
                    let sent = all.map(|&to| self.intern_packet(tables, me, to, message.clone()));
                    packets.extend(sent);
                }
            }
        }
        let fault = if matches!(input, Input::Restart) && self.scenario.faults.reboot.is_counted() {
            Fault::Reboot
        } else {
            Fault::None
        };
        let slot = Slot::Running { state, timers };
        self.compare_ignored(tables, node, &slot);
        let slot = self.intern_slot(tables, node, slot);
        Outcome { slot, output: tables.networks.output(packets, fault) }
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
            (Some(Slot::Running { timers, .. }), _) => timers.clone(),
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

    fn broken(&mut self, tables: &mut Tables, node: usize, breakage: Breakage) -> Outcome {
        let slot = self.broken_slot(tables, node, breakage);
        Outcome { slot, output: crate::networks::NO_OUTPUT }
    }

    pub(crate) fn intern_slot(
        &mut self,
        tables: &mut Tables,
        node: usize,
        slot: Slot<P::State, P::Timer>,
    ) -> u32 {
        if let Some(known) = self.nodes[node].slots.get_index_of(&slot) {
            return u32::try_from(known).expect("slots fit in 32 bits");
        }
        let commands = match &slot {
            Slot::Broken(_) => Vec::new(),
            Slot::Running { state, .. } => {
                let me = NodeId::from(node);
                let list = || panics::catch(|| self.scenario.protocol.commands(me, state));
                let described = move || format!("the list of commands of {me}");
                match running::told(described, list) {
                    Ok(commands) => commands,
                    Err(panic) => {
                        let message = format!("while listing the commands: {}", panic.message);
                        let panic = Panic { message, ..panic };
                        return self.broken_slot(tables, node, panic.into());
                    }
                }
            }
        };
        let local = self.local_events(&slot, commands.len());
        if let Slot::Running { state, timers } = &slot {
            let ignores = self.look_over(tables, node, state, timers, &commands);
            self.nodes[node].ignores |= ignores;
        }
        let table = &mut tables.nodes[node];
        table.local_bytes += local.capacity() * size_of::<LocalEvent>();
        if let Slot::Broken(breakage) = &slot {
            let place = u32::try_from(table.slots()).expect("slots fit in 32 bits");
            table.broken.insert(place, breakage.clone());
        }
        table.local.push(local);
        let contents = &mut self.nodes[node];
        // Commands are much alike.
        let written = |command| postcard::to_stdvec(command).map_or(0, |bytes| bytes.len());
        let command_heap =
            commands.first().map_or(0, |it| heap_estimate::<P::Command>(written(it)));
        contents.heap_bytes +=
            command_heap * commands.len() + commands.capacity() * size_of::<P::Command>();
        contents.commands.push(commands);
        u32::try_from(contents.slots.insert_full(slot).0).expect("slots fit in 32 bits")
    }

    /// Looks at a new state of a node and all that comes with it: whether it can be written and read
    /// back, and whether it has the same commands then. Whether something in it is ignored.
    fn look_over(
        &mut self,
        tables: &Tables,
        node: usize,
        state: &P::State,
        timers: &[P::Timer],
        commands: &[P::Command],
    ) -> bool {
        let whose = |what: &str| format!("{what} {}", self.name_of(node));
        let written = tables.write_back(Sort::State, state, || whose("a state of"));
        if written.chosen {
            for timer in timers {
                tables.reread(timer, || whose("a timer of"));
            }
            for command in commands {
                tables.reread(command, || whose("a command of"));
            }
        }
        if tables.verifier.is_due(Sort::Commands, || FxBuildHasher.hash_one(state)) {
            self.ask_for_commands_again(tables, node, state, commands);
        }
        self.nodes[node].heap_bytes +=
            heap_estimate::<P::State>(written.bytes) + size_of_val(timers);
        written.ignores
    }

    /// Asks which commands are possible in a state a second time, and then in a copy of it.
    fn ask_for_commands_again(
        &self,
        tables: &Tables,
        node: usize,
        state: &P::State,
        commands: &[P::Command],
    ) {
        let me = NodeId::from(node);
        let same = |state: &P::State| {
            let again = panics::catch(|| self.scenario.protocol.commands(me, state));
            again.is_ok_and(|again| again == commands)
        };
        let (copy, ignores) = tables.reread(state, || format!("a state of {}", self.name_of(node)));
        if same(&copy) {
            return;
        }
        tables.verifier.accuse(|| {
            let name = self.name_of(node);
            match ignores && same(state) {
                true => format!("`commands` of {name} decides by ignored values: in equal states that differ in them only, it gives different commands"),
                false => format!("`commands` of {name} answers differently when it is asked again about the same state: it reads a clock, a random source or something else outside the state"),
            }
        });
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
                EventKind::Timer => {
                    let ask = || order(state, &timers[event.which as usize]);
                    panics::within(|| "`timer_order`".to_owned(), ask)
                }
                _ => 0,
            });
        }
        events
    }

    /// In the place of which kind a local event is tried.
    fn tried_as(&self, kind: EventKind, timers: &[P::Timer], which: usize) -> EventKind {
        let is_early = self.scenario.early_timers.as_ref().is_some_and(|early| {
            let ask = || early(&timers[which]);
            kind == EventKind::Timer && panics::within(|| "`early_timers`".to_owned(), ask)
        });
        if is_early { EventKind::Command } else { kind }
    }
}

/// About how many bytes a value holds on the heap that takes so many when it is written: what that has
/// more than itself.
pub(crate) fn heap_estimate<T>(written: usize) -> usize {
    written.saturating_sub(size_of::<T>())
}

/// What is said of a handler that decides by ignored values.
const OTHERWISE: &str = "does something else when the ignored values differ";

/// What a handler is executed on, read back from bytes or taken from elsewhere: equal to the original,
/// but what is ignored may be another.
struct Copied<P: Protocol> {
    state: Option<P::State>,
    message: Option<P::Message>,
    timer: Option<P::Timer>,
    command: Option<P::Command>,
    /// Whether something is ignored.
    ignores: bool,
}

impl<P: Protocol> Default for Copied<P> {
    fn default() -> Self {
        Self { state: None, message: None, timer: None, command: None, ignores: false }
    }
}

impl<P: Protocol> Copied<P> {
    /// The call on the copies that there are.
    fn call<'c>(&'c self, call: Call<'c, P>) -> Call<'c, P> {
        fn or<'c, T>(copy: &'c Option<T>, original: &'c T) -> &'c T {
            copy.as_ref().unwrap_or(original)
        }
        let Self { state, message, timer, command, .. } = self;
        match call {
            Call::Start(me) => Call::Start(me),
            Call::Restart(me, before) => Call::Restart(me, or(state, before)),
            Call::Message(me, before, from, sent) => {
                Call::Message(me, or(state, before), from, or(message, sent))
            }
            Call::Undeliverable(me, before, to, sent) => {
                Call::Undeliverable(me, or(state, before), to, or(message, sent))
            }
            Call::Timer(me, before, fired) => Call::Timer(me, or(state, before), or(timer, fired)),
            Call::Command(me, before, given) => {
                Call::Command(me, or(state, before), or(command, given))
            }
        }
    }
}

/// A number for all that a handler is executed on.
fn content_of<P: Protocol>(call: Call<'_, P>) -> u64 {
    let hash = FxBuildHasher;
    match call {
        Call::Start(me) => hash.hash_one(me),
        Call::Restart(me, state) => hash.hash_one((me, state)),
        Call::Message(me, state, from, message) => hash.hash_one((me, state, from, message)),
        Call::Undeliverable(me, state, to, message) => hash.hash_one((me, state, to, message)),
        Call::Timer(me, state, timer) => hash.hash_one((me, state, timer)),
        Call::Command(me, state, command) => hash.hash_one((me, state, command)),
    }
}

/// What a handler is executed on, so that another thread can tell.
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

/// The state in which a handler leaves a node.
fn changed<S: Clone>(before: &S, handle: impl FnOnce(&mut S)) -> S {
    let mut state = before.clone();
    handle(&mut state);
    state
}

/// What a handler did to its timers and what it sent.
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
    // How many of what is sent next are of one broadcast.
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
    // To nobody: a node without neighbours.
    sent.extend(broadcasts.map(|(_, message)| (Destination::Neighbours, message)));
    timers.sort_unstable();
    Done { state, timers, sent }
}

impl<P: Protocol> From<Branch<'_, P::State, P::Message, P::Timer>> for Execution<P> {
    fn from(branch: Branch<'_, P::State, P::Message, P::Timer>) -> Self {
        let Branch { choices, options, done } = branch;
        Self {
            result: Ok(done.into_owned()),
            choices: choices.into_owned(),
            options: options.into_owned(),
            // No longer matters: it was learned with the neighbours that there are.
            asked_for_neighbours: false,
        }
    }
}

/// The answers to the first choices of the next execution: the last answer that can be raised is.
fn next_choices<P: Protocol>(execution: &Execution<P>) -> Option<Vec<u32>> {
    let asked = execution.options.len();
    let raise = (0..asked).rev().find(|&at| execution.choices[at] + 1 < execution.options[at])?;
    let mut choices = execution.choices[..=raise].to_vec();
    choices[raise] += 1;
    Some(choices)
}

#[allow(clippy::eq_op)]
pub(crate) fn is_equal_to_itself<T: PartialEq>(value: &T) -> bool {
    value == value
}

/// What two executions do differently, if they do.
fn difference<P: Protocol>(first: &Execution<P>, second: &Execution<P>) -> Option<String> {
    if first.choices != second.choices || first.options != second.options {
        return Some("ask for different choices".to_owned());
    }
    let parted =
        |what: &str, one: String, other: String| Some(format!("{what}: {one} and {other}"));
    match (&first.result, &second.result) {
        (Err(_), Err(_)) => None,
        (Ok(_), Err(panic)) | (Err(panic), Ok(_)) => {
            Some(format!("end differently, for one panics: {panic}"))
        }
        // What is not equal to itself is no news about handlers; it is told when it is kept.
        (Ok(first), Ok(_)) if !is_equal_to_itself(&first.state) => None,
        (Ok(first), Ok(second)) if first.state != second.state => {
            parted("end in different states", shown(&first.state), shown(&second.state))
        }
        (Ok(first), Ok(second)) if first.timers != second.timers => {
            parted("set different timers", shown(&first.timers), shown(&second.timers))
        }
        (Ok(first), Ok(second)) if first.sent != second.sent => {
            parted("send different packets", shown(&first.sent), shown(&second.sent))
        }
        (Ok(_), Ok(_)) => None,
    }
}
