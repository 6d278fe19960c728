//! Repeated execution of handlers on copies of their inputs, to find out whether they are
//! deterministic.

use std::{hash::BuildHasher, time::Instant};

use everypath_model::{NodeId, Protocol, panics, shown, with_histories, with_ignored};
use rustc_hash::FxBuildHasher;

use super::{
    Describe, ProtocolMachine,
    execute::{Execution, next_choices},
};
use crate::{
    memo::Call,
    nodes::Slot,
    packed::BRANCHES_MAX,
    tables::Tables,
    verify::{Sort, is_equal_to_itself},
};

impl<P: Protocol> ProtocolMachine<'_, P> {
    /// A copy of the input of a handler, read back from bytes.
    pub(super) fn copied(&self, tables: &Tables, call: Call<'_, P>) -> Copied<P> {
        let whose = |what: &str, node: NodeId| format!("{what} {}", self.name_of(node.index()));
        let state = |node, state: &P::State| match P::NATIVE {
            false => tables.verifier.reread(state, || whose("a state of", node)),
            // Its node is made again.
            true => (state.clone(), false),
        };
        let message = |from, message| {
            tables.verifier.reread(message, || whose("a message that is sent by", from))
        };
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
                let (timer, ignores) = tables.verifier.reread(timer, || whose("a timer of", me));
                copied.ignores |= ignores;
                copied.timer = Some(timer);
            }
            Call::Command(me, before, command) => {
                add(state(me, before));
                let (command, ignores) =
                    tables.verifier.reread(command, || whose("a command of", me));
                copied.ignores |= ignores;
                copied.command = Some(command);
            }
        }
        copied
    }

    /// The difference between an execution and one on a copy of its input, if there is one.
    pub(super) fn verify(
        &self,
        first: &Execution<P>,
        call: Call<'_, P>,
        copied: &Copied<P>,
        choices: &[u32],
    ) -> Option<String> {
        let copy = copied.call(call);
        let second = self.run_on(true, copy, choices.to_vec());
        let what = difference(first, &second)?;
        // In the other order, to detect handlers that alternate.
        let third = self.run_on(true, copy, choices.to_vec());
        let fourth = self.run(call, choices.to_vec());
        let decided_by_ignored = copied.ignores
            && difference(&second, &third).is_none()
            && difference(first, &fourth).is_none();
        Some(match decided_by_ignored {
            true if P::NATIVE => {
                let nodes = [call.state(), copy.state()];
                let [one, other] =
                    with_histories(|| nodes.map(|node| node.map_or_else(String::new, shown)));
                format!("{ALIKE}: two executions {what}; the nodes are {one} and {other}")
            }
            true => format!("{OTHERWISE}: two executions {what}{}", inputs_that_differ(call, copy)),
            false => format!("two executions on the same input {what}"),
        })
    }

    /// Compares a known state with an equal one that a handler has reached, whose ignored values may
    /// differ: handlers must do the same in both. That is done at the first visit, the second, the
    /// fourth, the eighth, …: counters grow.
    pub(super) fn compare_ignored(
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
        if !visits.arrivals.is_power_of_two() && !tables.verifier.all_ignored {
            return;
        }
        visits.newcomer = Some(state.clone());
        let inputs = std::mem::take(&mut visits.inputs);
        let started = Instant::now();
        if P::NATIVE {
            self.revive(node, Some(known));
        }
        let copied = self.newcomer(node, known).expect("it was just stored");
        if tables.verifier.all_ignored {
            self.compare_commands(tables, node, known, state);
        }
        for &input in &inputs {
            let call = self.call(node, Some(known), input);
            if !tables.verifier.is_due(Sort::Newcomer, || content_of(call)) {
                continue;
            }
            tables.verifier.ignored.set(tables.verifier.ignored.get() + 1);
            if let Some(what) = self.newcomer_differs(call, &copied) {
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
        tables.executor.handler_time += started.elapsed();
        self.nodes[node].visits.entry(known).or_default().inputs = inputs;
    }

    /// Compares the commands of a node in a known state with those in an equal one.
    fn compare_commands(&self, tables: &Tables, node: usize, known: u32, newcomer: &P::State) {
        let me = NodeId::from(node);
        let commands = panics::catch(|| self.scenario.protocol.commands(me, newcomer));
        if commands.is_ok_and(|commands| commands == self.nodes[node].commands[known as usize]) {
            return;
        }
        let known = match &self.nodes[node].slots[known as usize] {
            Slot::Running { state, .. } => Some(state),
            _ => None,
        };
        self.accuse_of_commands(tables, node, [known.unwrap_or(newcomer), newcomer]);
    }

    /// The state of the last examined visit to a slot, if there is one.
    pub(super) fn newcomer(&self, node: usize, slot: u32) -> Option<Copied<P>> {
        let newcomer = self.nodes[node].visits.get(&slot)?.newcomer.clone()?;
        Some(Copied { state: Some(newcomer), ignores: true, ..Copied::default() })
    }

    /// The difference that other ignored values make to a handler, if they make one.
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

    /// Asks for the commands in a state a second time, and then in a copy of it.
    pub(super) fn ask_for_commands_again(
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
        let (copy, ignores) =
            tables.verifier.reread(state, || format!("a state of {}", self.name_of(node)));
        if same(&copy) {
            return;
        }
        if ignores && same(state) {
            return self.accuse_of_commands(tables, node, [state, &copy]);
        }
        tables.verifier.accuse(|| {
            let name = self.name_of(node);
            format!("`commands` of {name} answers differently when it is asked again about the same state: it reads a clock, a random source or something else outside the state")
        });
    }

    /// Reports that the commands in two equal states differ.
    fn accuse_of_commands(&self, tables: &Tables, node: usize, states: [&P::State; 2]) {
        tables.verifier.accuse(|| {
            let name = self.name_of(node);
            let [one, other] = with_ignored(|| states.map(shown));
            format!("`commands` of {name} decides by ignored values: in states that differ only in these, it lists different commands; the states are {one} and {other}")
        });
    }
}

/// The text about two native nodes that look the same, and are not.
const ALIKE: &str = "does something else in another native node that looks the same, so not all that counts is seen";

/// The text about a handler that decides by ignored values.
const OTHERWISE: &str = "does something else when the ignored values differ";

/// The input of a handler, read back from bytes or taken from another visit: equal to the original,
/// but ignored values may differ.
pub(super) struct Copied<P: Protocol> {
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
    /// The call with the existing copies.
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

/// The states, and what else the handlers were given, of two executions on equal inputs: with the ignored
/// values by which they differ.
fn inputs_that_differ<P: Protocol>(one: Call<'_, P>, other: Call<'_, P>) -> String {
    let [one, other] = with_ignored(|| [one, other].map(input_texts));
    let pairs = one.into_iter().zip(other);
    let differing = pairs.filter(|((_, one), (_, other))| one != other);
    let texts =
        differing.map(|((what, one), (_, other))| format!("; the {what} are {one} and {other}"));
    texts.collect()
}

fn input_texts<P: Protocol>(call: Call<'_, P>) -> Vec<(&'static str, String)> {
    let state = call.state().map(|state| ("states", shown(state)));
    let input = match call {
        Call::Start(_) | Call::Restart(..) => None,
        Call::Message(_, _, _, sent) | Call::Undeliverable(_, _, _, sent) => {
            Some(("messages", shown(sent)))
        }
        Call::Timer(_, _, timer) => Some(("timers", shown(timer))),
        Call::Command(_, _, command) => Some(("commands", shown(command))),
    };
    state.into_iter().chain(input).collect()
}

/// A hash of the input of a handler.
pub(super) fn content_of<P: Protocol>(call: Call<'_, P>) -> u64 {
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

/// The difference between two executions, if there is one.
fn difference<P: Protocol>(first: &Execution<P>, second: &Execution<P>) -> Option<String> {
    if first.choices != second.choices || first.options != second.options {
        return Some("ask for different choices".to_owned());
    }
    let parted =
        |what: &str, one: String, other: String| Some(format!("{what}: {one} and {other}"));
    match (&first.result, &second.result) {
        (Err(_), Err(_)) => None,
        (Ok(_), Err(panic)) | (Err(panic), Ok(_)) => {
            Some(format!("end differently, because one panics: {panic}"))
        }
        // A value that is not equal to itself is no fault of the handler; it is reported when it is
        // stored.
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
