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
/// clock, no file and no random source; for random choices it calls [`Node::choose`].
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
    /// The state of a node.
    type State: Data;
    /// The messages between nodes.
    type Message: Data;
    /// The timers of a node; [`Never`](crate::Never) if it has none.
    type Timer: Data + Ord;
    /// The commands of the environment to a node; [`Never`](crate::Never) if there are none.
    type Command: Data;

    /// The node starts for the first time.
    fn start(&self, node: &mut Start<'_, Self>) -> Self::State;

    /// The node starts again after a reboot, without timers. Take from the state `before` what
    /// survives on stable storage; by default, nothing does.
    fn restart(&self, node: &mut Start<'_, Self>, before: &Self::State) -> Self::State {
        let _ = before;
        self.start(node)
    }

    /// A message has arrived.
    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Self::Message);

    /// A message that the node sent comes back, since the link is down: link-layer feedback. By
    /// default, nothing happens.
    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &Self::Message) {
        let _ = (node, to, message);
    }

    /// A timer has fired; it is no longer set.
    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &Self::Timer) {
        let id = node.id;
        panic!("timer {timer:?} fired at {id}, but the protocol has no `on_timer` handler");
    }

    /// The environment gives a command.
    fn on_command(&self, node: &mut Node<'_, Self>, command: &Self::Command) {
        let id = node.id;
        panic!(
            "command {command:?} was given to {id}, but the protocol has no `on_command` handler"
        );
    }

    /// The commands that the environment may give in this state; the explorer tries them all. A
    /// simulation takes its commands from the scenario's
    /// [`SimulationSetup`](crate::SimulationSetup) instead.
    fn commands(&self, id: NodeId, state: &Self::State) -> Vec<Self::Command> {
        let _ = (id, state);
        Vec::new()
    }

    // The rest is for engines, and written by the attributes.

    /// Whether nodes are [native](crate::Native): a state is then only what is seen of a node.
    #[doc(hidden)]
    const NATIVE: bool = false;

    /// Runs [`start`](Self::start), or [`restart`](Self::restart) after a reboot.
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

    /// Runs the handler for an input.
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

    /// The code that handles a trigger at a node, if known. If not, every change of the program
    /// counts as a change of every handler, and no memoised executions are reused.
    #[doc(hidden)]
    fn code(&self, id: NodeId, trigger: Trigger<'_, Self>) -> Option<Code> {
        let _ = (id, trigger);
        None
    }

    /// The names of the [`code`](Self::code) that a node can execute, to report code that never
    /// ran. Empty if unknown.
    #[doc(hidden)]
    fn code_names(&self, id: NodeId) -> Vec<&'static str> {
        let _ = id;
        Vec::new()
    }

    /// The [role](crate::roles) of a node; empty if there are no roles.
    #[doc(hidden)]
    fn role(&self, id: NodeId) -> &'static str {
        let _ = id;
        ""
    }
}

/// The input of a handler, besides the node.
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
        /// The sender.
        from: NodeId,
        /// The message.
        message: &'a P::Message,
    },
    /// A message of the node itself comes back.
    Undeliverable {
        /// The intended receiver.
        to: NodeId,
        /// The message.
        message: &'a P::Message,
    },
    /// A timer has fired.
    Timer(&'a P::Timer),
    /// The environment gives a command.
    Command(&'a P::Command),
}

impl<P: Protocol> Clone for Input<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Input<'_, P> {}

impl<'a, P: Protocol> Input<'a, P> {
    /// The same input for a role, given how to extract its timers and commands; `None` if it
    /// belongs to another role.
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

/// The trigger of a protocol's code: a start, or an input.
pub enum Trigger<'a, P: Protocol> {
    /// The node starts for the first time.
    Start,
    /// The node starts again.
    Restart,
    /// The node receives an input.
    On(Input<'a, P>),
}

impl<P: Protocol> Clone for Trigger<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Protocol> Copy for Trigger<'_, P> {}
