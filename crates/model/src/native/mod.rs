//! Protocols whose nodes are opaque values, such as those of a crate that knows nothing of Everypath.

mod answers;
mod keeper;
mod moment;
mod opaque;
mod state;

pub use keeper::{Keeper, NativeCounts, NativeMode};
pub use opaque::Opaque;
pub use state::{OpaqueState, are_histories_written, with_histories};

use crate::{Code, Data, Node, NodeId, Start, Trigger};

/// A protocol whose node is not plain data: it need not be comparable, writable or even cloneable.
///
/// [`Opaque`] makes a [`Protocol`](crate::Protocol) of it. The state of a node is then what is
/// [seen](Self::seen) of it: states are compared, stored and shown by that alone. The way back needs
/// no code: a node is made again by the inputs that led to it. So a handler must be deterministic,
/// as always; and two nodes that look the same must behave the same. An exploration compares some
/// that were reached on different ways, and reports a difference.
///
/// A counter that cannot be read but by its `Display`:
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod gauge { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/gauge.rs")); }
/// use everypath_model::{Native, Never, NodeId, Opaque, Scenario, Topology};
/// use everypath_model::{NativeNode, NativeStart};
/// use gauge::Gauge;
///
/// struct Readings;
///
/// impl Native for Readings {
///     type Node = Gauge;
///     type Seen = String;
///     type Message = u8;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut NativeStart<'_, Self>) -> Gauge {
///         node.broadcast(1);
///         Gauge::new()
///     }
///
///     fn seen(&self, _: NodeId, gauge: &Gauge) -> String {
///         gauge.to_string()
///     }
///
///     fn on_message(&self, node: &mut NativeNode<'_, Self>, _: NodeId, amount: &u8) {
///         node.state.raise(*amount);
///     }
/// }
///
/// let scenario = Scenario::new(Opaque(Readings), Topology::chain(3))
///     .assert_always("no gauge shows more than 2", |world| {
///         world.nodes().all(|(_, shown)| matches!(shown.as_str(), "0" | "1" | "2"))
///     });
/// assert!(scenario.validate().is_ok());
/// ```
pub trait Native: Sized + Send + Sync + 'static {
    /// A node.
    type Node: Send + 'static;
    /// What is seen of a node: the state by which it is compared, stored and shown. Whatever decides
    /// what a node does later must be in it, and what survives a reboot.
    type Seen: Data;
    /// The messages between nodes.
    type Message: Data;
    /// The timers of a node; [`Never`](crate::Never) if it has none.
    type Timer: Data + Ord;
    /// The commands of the environment to a node; [`Never`](crate::Never) if there are none.
    type Command: Data;

    /// The node starts for the first time.
    fn start(&self, node: &mut NativeStart<'_, Self>) -> Self::Node;

    /// The node starts again after a reboot. Take from what was seen `before` what survives on
    /// stable storage; by default, nothing does.
    fn restart(&self, node: &mut NativeStart<'_, Self>, before: &Self::Seen) -> Self::Node {
        let _ = before;
        self.start(node)
    }

    /// What is seen of a node, after each of its handlers.
    fn seen(&self, id: NodeId, node: &Self::Node) -> Self::Seen;

    /// A copy of a node that shares nothing with it, if that is possible. It saves time: without
    /// copies, a node is made again for each further input. By default, there are none.
    fn copy(node: &Self::Node) -> Option<Self::Node> {
        let _ = node;
        None
    }

    /// A message has arrived.
    fn on_message(&self, node: &mut NativeNode<'_, Self>, from: NodeId, message: &Self::Message);

    /// A message that the node sent comes back, since the link is down. By default, nothing happens.
    fn on_undeliverable(
        &self,
        node: &mut NativeNode<'_, Self>,
        to: NodeId,
        message: &Self::Message,
    ) {
        let _ = (node, to, message);
    }

    /// A timer has fired; it is no longer set.
    fn on_timer(&self, node: &mut NativeNode<'_, Self>, timer: &Self::Timer) {
        let id = node.id;
        panic!("timer {timer:?} fired at {id}, but the protocol has no `on_timer` handler");
    }

    /// The environment gives a command.
    fn on_command(&self, node: &mut NativeNode<'_, Self>, command: &Self::Command) {
        let id = node.id;
        panic!(
            "command {command:?} was given to {id}, but the protocol has no `on_command` handler"
        );
    }

    /// The commands that the environment may give to a node that looks like this; the explorer tries
    /// them all.
    fn commands(&self, id: NodeId, seen: &Self::Seen) -> Vec<Self::Command> {
        let _ = (id, seen);
        Vec::new()
    }

    // The rest is for engines, and written by the attributes.

    /// The code that handles a trigger at a node, if known.
    #[doc(hidden)]
    fn code(&self, id: NodeId, trigger: Trigger<'_, Opaque<Self>>) -> Option<Code> {
        let _ = (id, trigger);
        None
    }

    /// The names of the [`code`](Self::code) that a node can execute. Empty if unknown.
    #[doc(hidden)]
    fn code_names(&self, id: NodeId) -> Vec<&'static str> {
        let _ = id;
        Vec::new()
    }
}

/// A native node while one of its handlers runs: [`state`](Node::state) is the native value.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod gauge { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/gauge.rs")); }
/// # use gauge::Gauges;
/// use everypath_model::NativeNode;
///
/// fn double(node: &mut NativeNode<'_, Gauges>) {
///     node.state.raise(2);
///     node.broadcast(2);
/// }
/// ```
pub type NativeNode<'a, N> = Node<'a, Opaque<N>, <N as Native>::Node>;

/// A native node that starts.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod gauge { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/gauge.rs")); }
/// # use gauge::{Gauge, Gauges};
/// use everypath_model::NativeStart;
///
/// fn raised(node: &mut NativeStart<'_, Gauges>) -> Gauge {
///     node.broadcast(1);
///     Gauge::new()
/// }
/// ```
pub type NativeStart<'a, N> = Start<'a, Opaque<N>>;
