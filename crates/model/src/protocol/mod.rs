//! Protocols: the trait, the node that handlers receive, and its effects.

mod actor;
mod code;
mod effects;
mod node;
mod outgoing;
mod part_effects;
mod recorder;

pub use actor::Actor;
pub use code::{Code, names_of_parts, names_within};
pub use effects::{Effects, Record, not_a_neighbour};
pub use node::{Node, Start};
pub use outgoing::Outgoing;
pub use part_effects::{Outlet, PartEffects, Straight};
pub use recorder::{Did, Recorder};

use crate::{Data, NodeId};

/// A protocol: the state of a node and the handlers that change it.
///
/// `self` is configuration, the same for all nodes and never changed. A handler is a function of
/// its arguments alone: the same state and input give the same new state and effects. It reads no
/// clock, no file and no random source; where it must draw lots it asks [`Node::choose`].
///
/// Two nodes that greet each other:
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, Node, NodeId, Protocol, Start, data};
///
/// struct Greeting;
///
/// #[data]
/// struct Greeted(bool);
///
/// impl Protocol for Greeting {
///     type State = Greeted;
///     type Message = String;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut Start<'_, Self>) -> Greeted {
///         node.broadcast("hello".to_owned());
///         Greeted(false)
///     }
///
///     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, _: &String) {
///         node.state.0 = true;
///     }
/// }
/// ```
pub trait Protocol: Sized + Send + Sync + 'static {
    /// What a node remembers.
    type State: Data;
    /// What nodes send each other.
    type Message: Data;
    /// The names of a node's timers; [`Never`](crate::Never) if it has none.
    type Timer: Data + Ord;
    /// What the environment can ask of a node; [`Never`](crate::Never) if nothing.
    type Command: Data;

    /// The node comes up for the first time.
    fn start(&self, node: &mut Start<'_, Self>) -> Self::State;

    /// The node comes up again after a reboot. Its timers are gone. What it kept on stable storage
    /// can be taken from the state `before`; as a rule, nothing was.
    fn restart(&self, node: &mut Start<'_, Self>, before: &Self::State) -> Self::State {
        let _ = before;
        self.start(node)
    }

    /// A message has arrived.
    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Self::Message);

    /// A message that the node sent comes back, since the link it would take is down: link-layer
    /// feedback. As a rule, nothing happens.
    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &Self::Message) {
        let _ = (node, to, message);
    }

    /// A timer has fired; it is no longer set.
    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Self::Timer) {
        let id = node.id;
        panic!("timer {timer:?} fired at {id}, but the protocol has no `on_timer` handler");
    }

    /// The environment asks for something.
    fn on_command(&self, node: &mut Node<'_, Self>, command: &Self::Command) {
        let id = node.id;
        panic!(
            "command {command:?} was given to {id}, but the protocol has no `on_command` handler"
        );
    }

    /// The commands that the environment may give in this state: the explorer tries them all.
    /// A simulation takes its commands from the scenario's [`SimulationSetup`](crate::SimulationSetup) instead.
    fn commands(&self, id: NodeId, state: &Self::State) -> Vec<Self::Command> {
        let _ = (id, state);
        Vec::new()
    }

    // What follows is for those who run protocols, and for the attributes to write.

    /// Runs [`start`](Self::start), or [`restart`](Self::restart) if there is a state before.
    #[doc(hidden)]
    #[inline]
    fn bring_up<F: Effects<Self>>(
        &self,
        id: NodeId,
        before: Option<&Self::State>,
        effects: &mut F,
    ) -> Self::State {
        let mut nothing = ();
        let node = &mut Node::new(id, &mut nothing, effects);
        match before {
            None => self.start(node),
            Some(before) => self.restart(node, before),
        }
    }

    /// Runs the handler of an input.
    #[doc(hidden)]
    #[inline]
    fn handle<F: Effects<Self>>(
        &self,
        id: NodeId,
        state: &mut Self::State,
        input: Input<'_, Self>,
        effects: &mut F,
    ) {
        let node = &mut Node::new(id, state, effects);
        match input {
            Input::Message { from, message } => self.on_message(node, from, message),
            Input::Undeliverable { to, message } => self.on_undeliverable(node, to, message),
            Input::Timer(timer) => self.on_timer(node, timer),
            Input::Command(command) => self.on_command(node, command),
        }
    }

    /// Which piece of the code handles a trigger at a node, if that is known. Without it, every change of the
    /// program is taken for a change of every handler: what an older version has done is not relied on.
    #[doc(hidden)]
    fn code(&self, id: NodeId, trigger: Trigger<'_, Self>) -> Option<Code> {
        let _ = (id, trigger);
        None
    }

    /// What all the code is called that [`code`](Self::code) tells of at a node, as far as it is there to be executed: for telling what
    /// never was. Empty if that is not known.
    #[doc(hidden)]
    fn code_names(&self, id: NodeId) -> Vec<&'static str> {
        let _ = id;
        Vec::new()
    }

    /// Which of several [roles](crate::roles) a node plays; empty if there are none.
    #[doc(hidden)]
    fn role(&self, id: NodeId) -> &'static str {
        let _ = id;
        ""
    }
}

/// What a handler of a protocol is executed on, besides the state of its node.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Input, NodeId};
///
/// let message = "hello".to_owned();
/// let input: Input<'_, Greeting> = Input::Message { from: NodeId(1), message: &message };
/// assert!(matches!(input, Input::Message { from: NodeId(1), .. }));
/// ```
pub enum Input<'a, P: Protocol> {
    /// A message has arrived.
    Message {
        /// Who sent it.
        from: NodeId,
        /// What was sent.
        message: &'a P::Message,
    },
    /// A message of the node's own comes back.
    Undeliverable {
        /// For whom it was.
        to: NodeId,
        /// What was sent.
        message: &'a P::Message,
    },
    /// A timer has fired.
    Timer(&'a P::Timer),
    /// The environment asks for something.
    Command(&'a P::Command),
}

impl<P: Protocol> Clone for Input<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Input<'_, P> {}

impl<'a, P: Protocol> Input<'a, P> {
    /// What it is to a role whose timers and commands are found by these; nothing if it is one of another role.
    #[doc(hidden)]
    #[inline]
    pub fn of_role<R: Protocol<Message = P::Message>>(
        self,
        timer: impl FnOnce(&'a P::Timer) -> Option<&'a R::Timer>,
        command: impl FnOnce(&'a P::Command) -> Option<&'a R::Command>,
    ) -> Option<Input<'a, R>> {
        Some(match self {
            Self::Message { from, message } => Input::Message { from, message },
            Self::Undeliverable { to, message } => Input::Undeliverable { to, message },
            Self::Timer(of_whole) => Input::Timer(timer(of_whole)?),
            Self::Command(of_whole) => Input::Command(command(of_whole)?),
        })
    }
}

impl<P: Protocol> Actor for P {
    type State = <P as Protocol>::State;
    type Timer = <P as Protocol>::Timer;
    type Output = Outgoing<P::Message>;
}

/// What code of a protocol is executed on, besides the state of its node.
pub enum Trigger<'a, P: Protocol> {
    /// The node comes up for the first time.
    Start,
    /// The node comes up again.
    Restart,
    /// Something happens to it.
    On(Input<'a, P>),
}

impl<P: Protocol> Clone for Trigger<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Trigger<'_, P> {}
