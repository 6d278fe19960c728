//! A component as a protocol.

use std::marker::PhantomData;

use super::{
    Component, ComponentInput, ComponentTrigger, Incoming, Network, NetworkIn, NetworkOut,
};
use crate::{
    Code, Data, Effects, Input, Node, NodeId, Outlet, PartEffects, Protocol, Start, Trigger,
};

/// A component whose only port is the network: a protocol.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::{Scenario, Topology, component::Host};
/// use numbers::{Application, Carrier, Station};
///
/// let station = Station { application: Application, carrier: Carrier };
/// let scenario = Scenario::new(Host(station), Topology::chain(3))
///     .assert_always("no number is above 2", |world| {
///         world.nodes().all(|(_, station)| station.application <= 2)
///     });
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Host<C>(pub C);

/// Sends what a component emits to the network.
struct Leave<C>(PhantomData<fn(C)>);

impl<C, M, F> Outlet<NetworkOut<M>, F> for Leave<C>
where
    M: Data,
    C: Component<Ports = Network<M>>,
    F: Effects<Host<C>>,
{
    #[track_caller]
    #[inline]
    fn emit(&mut self, NetworkOut::Network(outgoing): NetworkOut<M>, node: &mut F) {
        node.emit(outgoing);
    }
}

impl<C, M> Protocol for Host<C>
where
    M: Data,
    C: Component<Ports = Network<M>>,
{
    type State = C::State;
    type Message = M;
    type Timer = C::Timer;
    type Command = C::Command;

    fn start(&self, node: &mut Start<'_, Self>) -> C::State {
        let (id, (), mut effects) = node.parts();
        self.bring_up(id, None, &mut effects)
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &C::State) -> C::State {
        let (id, (), mut effects) = node.parts();
        self.bring_up(id, Some(before), &mut effects)
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &M) {
        let (id, state, mut effects) = node.parts();
        self.handle(id, state, Input::Message { from, message }, &mut effects);
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &M) {
        let (id, state, mut effects) = node.parts();
        self.handle(id, state, Input::Undeliverable { to, message }, &mut effects);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &C::Timer) {
        let (id, state, mut effects) = node.parts();
        self.handle(id, state, Input::Timer(timer), &mut effects);
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &C::Command) {
        let (id, state, mut effects) = node.parts();
        self.handle(id, state, Input::Command(command), &mut effects);
    }

    fn commands(&self, id: NodeId, state: &C::State) -> Vec<C::Command> {
        self.0.commands(id, state)
    }

    #[inline]
    fn bring_up<F: Effects<Self>>(
        &self,
        id: NodeId,
        before: Option<&C::State>,
        effects: &mut F,
    ) -> C::State {
        let mut effects = PartEffects::new(effects, |timer| timer, Leave::<C>(PhantomData));
        self.0.bring_up(id, before, &mut effects)
    }

    #[inline]
    fn handle<F: Effects<Self>>(
        &self,
        id: NodeId,
        state: &mut C::State,
        input: Input<'_, Self>,
        effects: &mut F,
    ) {
        let comes = |incoming| ComponentInput::Signal(NetworkIn::Network(incoming));
        let input = match input {
            Input::Message { from, message } => {
                comes(Incoming::Message { from, message: message.clone() })
            }
            Input::Undeliverable { to, message } => {
                comes(Incoming::Undeliverable { to, message: message.clone() })
            }
            Input::Timer(timer) => ComponentInput::Timer(timer),
            Input::Command(command) => ComponentInput::Command(command),
        };
        let mut effects = PartEffects::new(effects, |timer| timer, Leave::<C>(PhantomData));
        self.0.handle(id, state, input, &mut effects);
    }

    fn code(&self, id: NodeId, trigger: Trigger<'_, Self>) -> Option<Code> {
        let trigger = match trigger {
            Trigger::Start => ComponentTrigger::Start,
            Trigger::Restart => ComponentTrigger::Restart,
            Trigger::On(Input::Message { .. } | Input::Undeliverable { .. }) => {
                ComponentTrigger::Signal
            }
            Trigger::On(Input::Timer(timer)) => ComponentTrigger::Timer(timer),
            Trigger::On(Input::Command(command)) => ComponentTrigger::Command(command),
        };
        self.0.code(id, trigger)
    }

    fn code_names(&self, id: NodeId) -> Vec<&'static str> {
        self.0.code_names(id)
    }
}
