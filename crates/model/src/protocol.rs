//! What one node runs.

use crate::{Code, Data, Node, NodeId, Start, Trigger};

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

    /// Which piece of the code handles a trigger, if that is known. Without it, every change of the
    /// program is taken for a change of every handler: what an older version has done is not relied on.
    fn code(&self, trigger: Trigger<'_, Self>) -> Option<Code> {
        let _ = trigger;
        None
    }

    /// Which piece of the code handles a trigger at a node. It is what [`code`](Self::code) says, but for a protocol whose nodes
    /// have different code: [`macro@roles`](crate::roles) makes such.
    fn code_at(&self, me: NodeId, trigger: Trigger<'_, Self>) -> Option<Code> {
        let _ = me;
        self.code(trigger)
    }

    /// What all the code is called that [`code_at`](Self::code_at) tells of at a node, as far as it is there to be executed: for telling what
    /// never was. Empty if that is not known.
    fn code_names(&self, me: NodeId) -> Vec<&'static str> {
        let _ = me;
        Vec::new()
    }

    /// All of `self` that handlers read, as a text, if there is one: two protocols with the same text
    /// do the same on the same input. Without it, what handlers have done is relied on only in the very
    /// same program, under the same scenario, profile and parameters, unless the type has neither size nor
    /// type parameters. Mostly `Some(format!("{self:?}"))` will do.
    fn configuration(&self) -> Option<String> {
        None
    }

    /// The commands that the environment may give in this state: the explorer tries them all.
    /// A simulation takes its commands from the scenario's [`SimulationSetup`](crate::SimulationSetup) instead.
    fn commands(&self, me: NodeId, state: &Self::State) -> Vec<Self::Command> {
        let _ = (me, state);
        Vec::new()
    }

    /// What the node is called besides its number, e.g. "sender"; empty if nothing.
    fn role(&self, me: NodeId) -> &str {
        let _ = me;
        ""
    }

    /// The size of a message sent by `me` on the wire, in bytes: what a simulated link needs to
    /// know.
    fn message_bytes(&self, me: NodeId, message: &Self::Message) -> usize {
        let _ = (me, message);
        64
    }
}
