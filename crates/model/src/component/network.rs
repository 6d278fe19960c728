//! The port of a component to the network.

use std::marker::PhantomData;

use super::{Contract, Ports, Uses};
use crate::{Data, NodeId, Outgoing, data};

/// The contract that the network provides.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{NodeId, component::{Link, Outgoing, Uses}, ports};
///
/// #[ports]
/// struct RouterPorts {
///     network: Uses<Link<String>>,
/// }
///
/// // With such a port, a component has `send` and `broadcast`; each makes one of these.
/// let hello = Outgoing::To(NodeId(1), "hello".to_owned());
/// assert_eq!(RouterOut::from(hello.clone()), RouterOut::Network(hello));
/// ```
pub struct Link<M>(PhantomData<fn(M)>);

impl<M: Data> Contract for Link<M> {
    type Request = Outgoing<M>;
    type Indication = Incoming<M>;
}

/// An indication of the network.
///
/// ```
/// use everypath_model::{NodeId, component::Incoming};
///
/// fn heard(incoming: Incoming<String>) -> Option<String> {
///     match incoming {
///         Incoming::Message { message, .. } => Some(message),
///         Incoming::Undeliverable { .. } => None,
///     }
/// }
/// assert_eq!(heard(Incoming::Undeliverable { to: NodeId(1), message: "lost".to_owned() }), None);
/// ```
#[data]
pub enum Incoming<M> {
    /// A message has arrived.
    Message {
        /// The sender.
        from: NodeId,
        /// The message.
        message: M,
    },
    /// A message of the node itself comes back, since the link is down; see
    /// [`on_undeliverable`](crate::Protocol::on_undeliverable).
    Undeliverable {
        /// The intended receiver.
        to: NodeId,
        /// The message.
        message: M,
    },
}

/// The only port of a component that is a whole node: it uses the network.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, Scenario, Topology, component::{Component, Host, Network, PartStart}};
///
/// /// Broadcasts the number of its node, and receives nothing.
/// struct Beacon;
///
/// impl Component for Beacon {
///     type State = ();
///     type Timer = Never;
///     type Command = Never;
///     type Ports = Network<u32>;
///
///     fn start(&self, node: &mut PartStart<'_, Self>) {
///         node.broadcast(node.id.0);
///     }
/// }
///
/// assert!(Scenario::new(Host(Beacon), Topology::ring(3)).validate().is_ok());
/// ```
pub struct Network<M>(PhantomData<fn(M)>);

impl<M> Network<M> {
    /// The port to the network.
    ///
    /// ```
    /// use everypath_model::component::{Link, Network, Uses};
    ///
    /// let port: Uses<Link<u32>> = Network::network();
    /// # let _ = port;
    /// ```
    #[must_use]
    pub const fn network() -> Uses<Link<M>> {
        Uses::PORT
    }
}

/// A signal that comes in through the port of a [`Network`].
///
/// ```
/// use everypath_model::{NodeId, component::{Incoming, NetworkIn}};
///
/// fn sender(signal: &NetworkIn<u32>) -> Option<NodeId> {
///     match signal {
///         NetworkIn::Network(Incoming::Message { from, .. }) => Some(*from),
///         NetworkIn::Network(Incoming::Undeliverable { .. }) => None,
///     }
/// }
/// let arrived = NetworkIn::Network(Incoming::Message { from: NodeId(2), message: 7 });
/// assert_eq!(sender(&arrived), Some(NodeId(2)));
/// ```
#[data]
pub enum NetworkIn<M> {
    /// An indication of the network.
    Network(Incoming<M>),
}

/// A signal that goes out through the port of a [`Network`].
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::component::{NetworkOut, Outgoing, Probe};
/// use numbers::{Application, Carrier, Station};
///
/// // A station alone: its application tells 0, which the carrier broadcasts.
/// let mut station = Probe::start(Station { application: Application, carrier: Carrier });
/// assert_eq!(station.emitted(), [NetworkOut::Network(Outgoing::ToAll(0))]);
/// ```
#[data]
pub enum NetworkOut<M> {
    /// A request to the network.
    Network(Outgoing<M>),
}

impl<M: Data> Ports for Network<M> {
    type In = NetworkIn<M>;
    type Out = NetworkOut<M>;
    const PORTS: &'static [(&'static str, &'static str)] =
        &[("network", "port `network` of `Network` has no wire: every port needs one")];
}

impl<M> From<Outgoing<M>> for NetworkOut<M> {
    fn from(outgoing: Outgoing<M>) -> Self {
        Self::Network(outgoing)
    }
}
