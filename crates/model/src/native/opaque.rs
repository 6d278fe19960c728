//! The adapter that makes a protocol of native nodes, and makes nodes again.

use std::{ops::Deref, sync::Arc};

use super::{
    Keeper, Native, NativeMode, OpaqueState,
    answers::{Answers, Noting, Repeating},
    moment::{Moment, Origin, OwnInput},
    state::{lost, state},
};
use crate::{Code, Effects, Input, Node, NodeId, Protocol, Start, Trigger};

/// A protocol of [native](Native) nodes.
///
/// In a simulation each state has its node. In an exploration, a state is what is seen of a node,
/// and the node on which a handler runs is copied from one at hand or made again; see
/// [`NativeMode`]. Nodes that can be [copied](Native::copy) need no history in a simulation; others
/// remember all their inputs since their last start.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod gauge { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/gauge.rs")); }
/// # use gauge::Gauges;
/// use everypath_model::{Opaque, Scenario, Topology};
///
/// let scenario = Scenario::new(Opaque(Gauges), Topology::chain(2))
///     .assert_always("gauges rise once", |world| world.nodes().all(|(_, shown)| shown.len() == 1));
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Opaque<N>(pub N);

impl<N> Deref for Opaque<N> {
    type Target = N;

    fn deref(&self) -> &N {
        &self.0
    }
}

impl<N: Native> Opaque<N> {
    /// Starts a node, or restarts it with what was seen before.
    fn come_up(
        &self,
        node: &mut Start<'_, Self>,
        before: Option<&OpaqueState<N>>,
    ) -> OpaqueState<N> {
        let (id, (), effects) = node.parts();
        let mut effects = Noting::new(effects);
        let before = before.map(|before| before.seen.clone());
        let native = self.start_native(id, before.as_ref(), &mut effects);
        let copies = N::copy(&native).is_some();
        let origin = Origin::Start { before, answers: effects.answers() };
        self.state_after(id, origin, copies, native)
    }

    fn start_native(
        &self,
        id: NodeId,
        before: Option<&N::Seen>,
        effects: &mut dyn Effects<Self>,
    ) -> N::Node {
        let mut nothing = ();
        let node = &mut Node::new(id, &mut nothing, effects);
        match before {
            None => self.0.start(node),
            Some(before) => self.0.restart(node, before),
        }
    }

    /// Gives an input to a node.
    fn act(&self, node: &mut Node<'_, Self>, input: Input<'_, Self>) {
        let (id, state, effects) = node.parts();
        let mut native = self.native(id, state);
        let mut effects = Noting::new(effects);
        self.handle_native(id, &mut native, input, &mut effects);
        let answers = effects.answers();
        let Some(before) = state.moment.take() else { lost(id) };
        let copies = before.copies;
        let origin = match Keeper::current() {
            None if copies => Origin::Unknown,
            _ => Origin::After { before, input: OwnInput::of(input), answers },
        };
        *state = self.state_after(id, origin, copies, native);
    }

    fn handle_native(
        &self,
        id: NodeId,
        native: &mut N::Node,
        input: Input<'_, Self>,
        effects: &mut dyn Effects<Self>,
    ) {
        let node = &mut Node::new(id, native, effects);
        match input {
            Input::Message { from, message } => self.0.on_message(node, from, message),
            Input::Undeliverable { to, message } => self.0.on_undeliverable(node, to, message),
            Input::Timer(timer) => self.0.on_timer(node, timer),
            Input::Command(command) => self.0.on_command(node, command),
        }
    }

    /// The state of a node after a handler.
    fn state_after(
        &self,
        id: NodeId,
        origin: Origin<N>,
        copies: bool,
        native: N::Node,
    ) -> OpaqueState<N> {
        let seen = self.0.seen(id, &native);
        match Keeper::current() {
            None => state(seen, Moment::with_own(origin, copies, native)),
            Some(keeper) => {
                let state = state(seen, Moment::new(origin, copies));
                if let Some(moment) = &state.moment {
                    moment.keep(native, &keeper);
                }
                state
            }
        }
    }

    /// The native node of a state: a copy of the one at hand, that one itself, or one that is made
    /// again.
    fn native(&self, id: NodeId, state: &OpaqueState<N>) -> N::Node {
        let Some(moment) = &state.moment else { lost(id) };
        let Some(keeper) = Keeper::current() else {
            // Other states may share the moment, such as that of a snapshot.
            let is_shared = Arc::strong_count(moment) > 1;
            let own = if is_shared { moment.copy_or_take() } else { moment.take() };
            return own.unwrap_or_else(|| self.made_again(id, state, &moment.life(), None).0);
        };
        let is_kept = keeper.mode() != NativeMode::Eager;
        if let Some(native) = is_kept.then(|| moment.copy_or_take()).flatten() {
            keeper.found();
            moment.was_used(&keeper);
            return native;
        }
        let mut life = moment.life();
        let nearest = match keeper.mode() {
            NativeMode::Lazy => {
                let mut places = (0..life.len()).rev();
                places.find_map(|place| Some((place, life[place].copy_or_take()?)))
            }
            NativeMode::Eager | NativeMode::Cached => None,
        };
        let nearest = nearest.map(|(place, native)| {
            life.drain(..=place);
            native
        });
        let (native, executions) = self.made_again(id, state, &life, nearest);
        keeper.made_again(executions);
        if let Some(copy) = is_kept.then(|| N::copy(&native)).flatten() {
            moment.keep(copy, &keeper);
        }
        native
    }

    /// A node that is made again by the moments of its life, from their first or after a
    /// predecessor; and how many executions that took.
    fn made_again(
        &self,
        id: NodeId,
        state: &OpaqueState<N>,
        life: &[&Moment<N>],
        after: Option<N::Node>,
    ) -> (N::Node, usize) {
        let mut native = after;
        for moment in life {
            native = Some(match (&moment.origin, native) {
                (Origin::Unknown, _) => moment.copy_or_take().unwrap_or_else(|| lost(id)),
                (Origin::Start { before, answers }, _) => {
                    self.start_native(id, before.as_ref(), &mut Repeating::new(answers))
                }
                (Origin::After { input, answers, .. }, Some(native)) => {
                    self.repeat(id, native, input, answers)
                }
                (Origin::After { .. }, None) => lost(id),
            });
        }
        let Some(native) = native else { lost(id) };
        let seen = self.0.seen(id, &native);
        assert!(
            seen == state.seen,
            "the native node of {id} was made again by the same inputs, and looks different: {seen:?} instead of {:?}; after {}",
            state.seen,
            state.history()
        );
        (native, life.len())
    }

    fn repeat(
        &self,
        id: NodeId,
        mut native: N::Node,
        input: &OwnInput<N>,
        answers: &Answers,
    ) -> N::Node {
        self.handle_native(id, &mut native, input.input(), &mut Repeating::new(answers));
        native
    }
}

impl<N: Native> Protocol for Opaque<N> {
    type State = OpaqueState<N>;
    type Message = N::Message;
    type Timer = N::Timer;
    type Command = N::Command;

    const NATIVE: bool = true;

    fn start(&self, node: &mut Start<'_, Self>) -> Self::State {
        self.come_up(node, None)
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &Self::State) -> Self::State {
        self.come_up(node, Some(before))
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Self::Message) {
        self.act(node, Input::Message { from, message });
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &Self::Message) {
        self.act(node, Input::Undeliverable { to, message });
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Self::Timer) {
        self.act(node, Input::Timer(timer));
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &Self::Command) {
        self.act(node, Input::Command(command));
    }

    fn commands(&self, id: NodeId, state: &Self::State) -> Vec<Self::Command> {
        self.0.commands(id, &state.seen)
    }

    fn code(&self, id: NodeId, trigger: Trigger<'_, Self>) -> Option<Code> {
        self.0.code(id, trigger)
    }

    fn code_names(&self, id: NodeId) -> Vec<&'static str> {
        self.0.code_names(id)
    }
}
