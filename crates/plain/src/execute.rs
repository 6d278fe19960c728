//! Executing handlers, every time.

use std::time::{Duration, Instant};

use everypath_model::{
    Decisions, Did, Input, NetworkKind, NodeId, Protocol, Recorder, TimerChange, Timers,
    panics::{self, Panic},
    running,
};

use crate::{
    clock::Window,
    space::PlainSpace,
    timers::SetTimers,
    world::{Breakage, Flying, Node},
};

/// How many ways a handler can go on, at most.
const BRANCHES_MAX: usize = 1 << 16;

/// What a handler is called for.
pub(crate) enum Cause<'a, P: Protocol> {
    Start,
    Restart,
    On(Input<'a, P>),
}

/// One way in which a handler can go on.
pub(crate) struct Branch<P: Protocol> {
    pub(crate) decisions: Decisions,
    pub(crate) node: Node<P::State, P::Timer>,
    pub(crate) sent: Vec<Flying<P::Message>>,
}

/// The effects of one execution, in order.
struct Effects<P: Protocol> {
    result: Result<P::State, Panic>,
    did: Vec<Did<P::Message, P::Timer>>,
    changes: Vec<TimerChange<P::Timer>>,
    jitters: Vec<(usize, Duration)>,
    broadcasts: Vec<(usize, P::Message)>,
    choices: Vec<u32>,
    options: Vec<u32>,
}

impl<P: Protocol> PlainSpace<'_, P> {
    /// All ways in which a handler can go on: by the answers to its choices, and then by the
    /// audiences of its broadcasts, of which the last changes fastest. `state` is the state before,
    /// and `timers` are those that are still set.
    pub(crate) fn branches(
        &mut self,
        me: NodeId,
        state: Option<&P::State>,
        timers: &SetTimers<P::Timer>,
        cause: &Cause<'_, P>,
    ) -> Vec<Branch<P>> {
        let mut branches = Vec::new();
        let mut answers = Some(Vec::new());
        while let Some(given) = answers {
            let Effects { result, did, changes, jitters, broadcasts, choices, options } =
                self.execute(me, state, cause, given);
            answers = next_answers(&choices, &options);
            let broken = |choices, panic: Panic| Branch {
                decisions: Decisions { choices, audiences: Vec::new() },
                node: Node::Broken(panic.into()),
                sent: Vec::new(),
            };
            let after = match result {
                Err(panic) => {
                    branches.push(broken(choices, panic));
                    continue;
                }
                Ok(state) => {
                    let are_ordered = self.timers == Timers::Ordered;
                    let clock = self.clock.as_ref();
                    self.settled(me, state, timers.after(&changes, are_ordered, clock))
                }
            };
            let possible = self.audiences.get(me.index()).map_or(&[][..], Vec::as_slice);
            let times = if possible.is_empty() { 0 } else { broadcasts.len() };
            let combinations =
                (possible.len() as u128).checked_pow(times as u32).unwrap_or(u128::MAX);
            if combinations > (BRANCHES_MAX - branches.len()) as u128
                || branches.len() == BRANCHES_MAX
            {
                let message = format!("one execution has more than {BRANCHES_MAX} branches");
                branches.push(broken(choices, Panic { message, place: None, part: None }));
                break;
            }
            for audiences in heard(possible, times) {
                let mut sent =
                    packets(me, &did, &broadcasts, &audiences, self.neighbours(me).len());
                self.time(&mut sent, &did, &jitters);
                self.flight.note(&sent);
                let decisions = Decisions { choices: choices.clone(), audiences };
                branches.push(Branch { decisions, node: after.clone(), sent });
            }
        }
        branches
    }

    fn execute(
        &mut self,
        me: NodeId,
        state: Option<&P::State>,
        cause: &Cause<'_, P>,
        given: Vec<u32>,
    ) -> Effects<P> {
        let started = Instant::now();
        let protocol = &self.scenario.protocol;
        let mut recorder = Recorder::with_choices(me, self.neighbours(me), given);
        if self.scenario.receivers.is_some() || self.by_radio {
            recorder = recorder.addressing(self.scenario.topology.len());
        }
        let fx = &mut recorder;
        let handle = || match (cause, state) {
            (Cause::On(input), Some(before)) => {
                let mut state = before.clone();
                protocol.handle(me, &mut state, *input, fx);
                state
            }
            (_, before) => protocol.bring_up(me, before, fx),
        };
        let run = || self.keeper.within(handle);
        let result =
            running::described(move || format!("a handler of {me}"), || panics::catch(run));
        let changes = recorder.timer_changes();
        let Recorder { did, broadcasts, choices, options, jitters, .. } = recorder;
        self.executions += 1;
        self.handler_time += started.elapsed();
        Effects { result, did, changes, jitters, broadcasts, choices, options }
    }

    /// Notes when packets arrive, if there is a clock. Then all neighbours hear every broadcast, so that each packet
    /// is an effect of its own.
    fn time(
        &self,
        sent: &mut [Flying<P::Message>],
        did: &[Did<P::Message, P::Timer>],
        jitters: &[(usize, Duration)],
    ) {
        let Some(clock) = &self.clock else { return };
        let places = did.iter().enumerate().filter(|(_, deed)| matches!(deed, Did::Sent { .. }));
        for ((place, _), packet) in places.zip(sent) {
            let jitter = jitters.iter().find(|(jittered, _)| *jittered == place);
            let jitter = jitter.map_or(Duration::ZERO, |&(_, most)| most);
            if !jitter.is_zero() && self.scenario.network == NetworkKind::FifoPerLink {
                clock.refuse_jitter();
            }
            let link = self.scenario.simulation.link_between(packet.from, packet.to);
            packet.window = clock.packet(link.delay, jitter);
        }
    }

    /// A node in a new state. It is broken if its commands cannot be listed.
    pub(crate) fn settled(
        &self,
        me: NodeId,
        state: P::State,
        timers: SetTimers<P::Timer>,
    ) -> Node<P::State, P::Timer> {
        match self.commands(me, &state) {
            Ok(_) => Node::Running { state, timers },
            Err(panic) => {
                let message = format!("while listing the commands: {}", panic.message);
                Node::Broken(Breakage::from(Panic { message, ..panic }))
            }
        }
    }

    /// The commands that a node accepts.
    pub(crate) fn commands(&self, me: NodeId, state: &P::State) -> Result<Vec<P::Command>, Panic> {
        let list = || panics::catch(|| self.scenario.protocol.commands(me, state));
        running::described(move || format!("the list of commands of {me}"), list)
    }
}

/// The answers for the next execution: raises the last one that can be raised.
fn next_answers(choices: &[u32], options: &[u32]) -> Option<Vec<u32>> {
    let raise = (0..options.len()).rev().find(|&at| choices[at] + 1 < options[at])?;
    let mut next = choices[..=raise].to_vec();
    next[raise] += 1;
    Some(next)
}

/// All lists of as many audiences as there are broadcasts; the last changes fastest.
fn heard(possible: &[Vec<NodeId>], times: usize) -> Vec<Vec<Vec<NodeId>>> {
    (0..times).fold(vec![Vec::new()], |lists, _| {
        let longer = lists.into_iter().flat_map(|list: Vec<Vec<NodeId>>| {
            possible
                .iter()
                .map(move |audience| [&list[..], std::slice::from_ref(audience)].concat())
        });
        longer.collect()
    })
}

/// The packets that an execution sends, in order. Without audiences, all neighbours hear every
/// broadcast.
fn packets<M: Clone, T>(
    from: NodeId,
    did: &[Did<M, T>],
    broadcasts: &[(usize, M)],
    audiences: &[Vec<NodeId>],
    neighbours: usize,
) -> Vec<Flying<M>> {
    let mut sent = Vec::new();
    // How many of the next messages belong to broadcasts that only some nodes hear.
    let mut skipped = 0;
    let mut heard = broadcasts.iter().zip(audiences).peekable();
    for place in 0..=did.len() {
        while let Some(((_, message), audience)) = heard.next_if(|((at, _), _)| *at == place) {
            let window = Window::default();
            let copies = audience.iter();
            let copies = copies.map(|&to| Flying { from, to, message: message.clone(), window });
            sent.extend(copies);
            skipped += neighbours;
        }
        match did.get(place) {
            Some(Did::Sent { .. }) if skipped > 0 => skipped -= 1,
            Some(Did::Sent { to, message }) => {
                let (to, message, window) = (*to, message.clone(), Window::default());
                sent.push(Flying { from, to, message, window });
            }
            _ => {}
        }
    }
    sent
}
