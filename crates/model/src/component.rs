//! Nodes made of components: named ports, contracts, and static composition.
//!
//! A [`Component`] has any number of ports. The attribute [`macro@ports`] declares them: each has a name and a
//! [`Contract`], a pair of types. A port that [`Provides`] a contract takes its requests and gives its indications; one that
//! [`Uses`] it gives requests and takes indications. What comes in is one variant per port of an enum (`…In`), and so is what
//! goes out (`…Out`).
//!
//! The attribute [`macro@composite`] makes a component of several. It wires a port that uses a contract to one that provides it,
//! and the compiler checks that the contracts are the same. A component whose only port is the [`Network`] is a protocol:
//! [`Host`].
//!
//! What a component emits reaches the component at the other end when the handler has returned, in the order of emission. So
//! no component is ever entered while it is running. A composite within a composite comes to rest before anything else in
//! the outer one hears of it.
//!
//! ```
//! # extern crate everypath_model as everypath;
//! use everypath_model::{Never, NodeId, Topology, Scenario, composite, data, ports};
//! use everypath_model::component::{Component, Contract, Host, Incoming, Link, Network, Part, PartStart, Provides, Uses};
//!
//! /// Numbers to be carried to the neighbours, and those that they have.
//! struct Numbers;
//! impl Contract for Numbers {
//!     type Request = u32;
//!     type Indication = u32;
//! }
//!
//! /// Tells its number, and remembers the largest one that it is told.
//! struct Application;
//!
//! #[ports]
//! struct ApplicationPorts {
//!     below: Uses<Numbers>,
//! }
//!
//! impl Component for Application {
//!     type State = u32;
//!     type Timer = Never;
//!     type Command = Never;
//!     type Ports = ApplicationPorts;
//!
//!     fn start(&self, node: &mut PartStart<'_, Self>) -> u32 {
//!         node.emit(ApplicationOut::Below(node.id.0));
//!         node.id.0
//!     }
//!
//!     fn on_signal(&self, node: &mut Part<'_, Self>, signal: ApplicationIn) {
//!         let ApplicationIn::Below(number) = signal;
//!         *node.state = number.max(*node.state);
//!     }
//! }
//!
//! /// Carries numbers.
//! struct Carrier;
//!
//! #[ports]
//! struct CarrierPorts {
//!     above: Provides<Numbers>,
//!     below: Uses<Link<u32>>,
//! }
//!
//! impl Component for Carrier {
//!     type State = ();
//!     type Timer = Never;
//!     type Command = Never;
//!     type Ports = CarrierPorts;
//!
//!     fn start(&self, _: &mut PartStart<'_, Self>) {}
//!
//!     fn on_signal(&self, node: &mut Part<'_, Self>, signal: CarrierIn) {
//!         match signal {
//!             CarrierIn::Above(number) => node.broadcast(number),
//!             CarrierIn::Below(Incoming::Message { message, .. }) => {
//!                 node.emit(CarrierOut::Above(message));
//!             }
//!             CarrierIn::Below(Incoming::Undeliverable { .. }) => {}
//!         }
//!     }
//! }
//!
//! #[composite(
//!     ports = Network<u32>,
//!     application.below => carrier.above,
//!     carrier.below => network,
//! )]
//! struct Station {
//!     application: Application,
//!     carrier: Carrier,
//! }
//!
//! let station = Host(Station { application: Application, carrier: Carrier });
//! assert!(Scenario::new(station, Topology::chain(2)).validate().is_ok());
//! ```
//!
//! Ports of different contracts do not fit, even if their types are the same:
//!
//! ```compile_fail,E0308
//! # extern crate everypath_model as everypath;
//! # use everypath_model::{Never, composite, ports};
//! # use everypath_model::component::{Component, Contract, NoPorts, Part, PartStart, Provides, Uses};
//! struct Stream;
//! impl Contract for Stream {
//!     type Request = String;
//!     type Indication = String;
//! }
//! struct Datagrams;
//! impl Contract for Datagrams {
//!     type Request = String;
//!     type Indication = String;
//! }
//! #[ports]
//! struct Wants {
//!     below: Uses<Stream>,
//! }
//! #[ports]
//! struct Gives {
//!     above: Provides<Datagrams>,
//! }
//! # macro_rules! component {
//! #     ($name:ident, $ports:ty) => {
//! #         struct $name;
//! #         impl Component for $name {
//! #             type State = ();
//! #             type Timer = Never;
//! #             type Command = Never;
//! #             type Ports = $ports;
//! #             fn start(&self, _: &mut PartStart<'_, Self>) {}
//! #         }
//! #     };
//! # }
//! component!(Application, Wants);
//! component!(Transport, Gives);
//!
//! #[composite(ports = NoPorts, application.below => transport.above)]
//! struct Both {
//!     application: Application,
//!     transport: Transport,
//! }
//! ```

use std::{collections::VecDeque, marker::PhantomData, time::Duration};

use crate::{
    Actor, Code, ComponentTrigger, Data, Effects, Input, Never, Node, NodeId, Outlet, PartEffects,
    Protocol, Start, Trigger, data,
};
pub use crate::{
    Outgoing, composite, ports,
    probe::{Around, Probe},
};

/// What passes between two components: a name for a pair of types.
///
/// ```
/// use everypath_model::component::Contract;
///
/// /// Between an application and a transport.
/// struct Stream;
///
/// impl Contract for Stream {
///     type Request = Vec<u8>;
///     type Indication = Vec<u8>;
/// }
/// ```
pub trait Contract: Send + Sync + 'static {
    /// What is asked of the component that provides it.
    type Request: Data;
    /// What that component tells.
    type Indication: Data;
}

/// A port through which a component provides a contract: requests come in, indications go out.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::{component::Provides, ports};
/// use numbers::Numbers;
///
/// #[ports]
/// struct CounterPorts {
///     above: Provides<Numbers>,
/// }
///
/// // A request comes in, an indication goes out.
/// let request = CounterIn::Above(3);
/// let indication = CounterOut::Above(4);
/// assert_eq!((request, indication), (CounterIn::Above(3), CounterOut::Above(4)));
/// ```
pub struct Provides<C>(PhantomData<fn(C)>);

/// A port through which a component uses a contract: requests go out, indications come in.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{NodeId, component::{Incoming, Link, Outgoing, Uses}, ports};
///
/// #[ports]
/// struct BeaconPorts {
///     below: Uses<Link<u32>>,
/// }
///
/// // A request goes out, an indication comes in.
/// let request = BeaconOut::Below(Outgoing::ToAll(7));
/// let indication = BeaconIn::Below(Incoming::Message { from: NodeId(1), message: 7 });
/// assert_ne!(format!("{request:?}"), format!("{indication:?}"));
/// ```
pub struct Uses<C>(PhantomData<fn(C)>);

impl<C> Clone for Provides<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Provides<C> {}

impl<C> Clone for Uses<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Uses<C> {}

impl<C> Provides<C> {
    /// The type as a value.
    pub const PORT: Self = Self(PhantomData);
}

impl<C> Uses<C> {
    /// The type as a value.
    pub const PORT: Self = Self(PhantomData);
}

/// The ports of a component; [`macro@ports`] implements it.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::{component::{Ports, Provides}, ports};
/// use numbers::Numbers;
///
/// #[ports]
/// struct ServerPorts {
///     left: Provides<Numbers>,
///     right: Provides<Numbers>,
/// }
///
/// fn side(signal: <ServerPorts as Ports>::In) -> &'static str {
///     match signal {
///         ServerIn::Left(_) => "left",
///         ServerIn::Right(_) => "right",
///     }
/// }
/// assert_eq!(side(ServerIn::Right(1)), "right");
/// ```
pub trait Ports: Send + Sync + 'static {
    /// What comes in, by port.
    type In: Data;
    /// What goes out, by port.
    type Out: Data;
    /// The name of each port, and what the compiler says if a composite has no wire for it.
    #[doc(hidden)]
    const PORTS: &'static [(&'static str, &'static str)];
}

/// What comes in through the ports of a component.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::component::In;
/// use numbers::{Application, ApplicationIn};
///
/// let heard: In<Application> = ApplicationIn::Below(5);
/// assert_eq!(heard, ApplicationIn::Below(5));
/// ```
pub type In<C> = <<C as Component>::Ports as Ports>::In;
/// What goes out through the ports of a component.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::component::{Out, Probe};
/// use numbers::{Application, ApplicationOut};
///
/// let emitted: Vec<Out<Application>> = Probe::start(Application).emitted();
/// assert_eq!(emitted, [ApplicationOut::Below(0)]);
/// ```
pub type Out<C> = <<C as Component>::Ports as Ports>::Out;

/// No ports at all: what a component has that only commands and timers reach.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, component::{Component, NoPorts, Part, PartStart, Probe}};
///
/// /// Counts how often it is asked to.
/// struct Clicks;
///
/// impl Component for Clicks {
///     type State = u32;
///     type Timer = Never;
///     type Command = ();
///     type Ports = NoPorts;
///
///     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 {
///         0
///     }
///
///     fn on_command(&self, node: &mut Part<'_, Self>, (): &()) {
///         *node.state += 1;
///     }
/// }
///
/// let mut clicks = Probe::start(Clicks);
/// clicks.command(&());
/// assert_eq!(clicks.state, 1);
/// ```
pub struct NoPorts;

impl Ports for NoPorts {
    type In = Never;
    type Out = Never;
    const PORTS: &'static [(&'static str, &'static str)] = &[];
}

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

/// What the network brings.
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
        /// Who sent it.
        from: NodeId,
        /// What was sent.
        message: M,
    },
    /// A message of the node's own comes back, since the link is down; see [`Protocol::on_undeliverable`].
    Undeliverable {
        /// For whom it was.
        to: NodeId,
        /// What was sent.
        message: M,
    },
}

/// The one port of a component that is a node's all: it uses the network.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, Scenario, Topology, component::{Component, Host, Network, PartStart}};
///
/// /// Tells all neighbours the number of its node, and hears nothing.
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

/// What comes in through the port of a [`Network`].
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
    /// What the network brings.
    Network(Incoming<M>),
}

/// What goes out through the port of a [`Network`].
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
    /// What is asked of the network.
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

/// What is under way among the components of a composite.
///
/// Most often it is one signal at a time, which needs no list: with a list of four in place, simulating ARQ took about 1 % more
/// instructions.
#[doc(hidden)]
pub struct Signals<S> {
    first: Option<S>,
    others: VecDeque<S>,
}

#[allow(clippy::new_without_default, clippy::should_implement_trait)]
impl<S> Signals<S> {
    #[inline]
    pub fn new() -> Self {
        Self { first: None, others: VecDeque::new() }
    }

    #[inline]
    pub fn push(&mut self, signal: S) {
        if self.first.is_none() && self.others.is_empty() {
            self.first = Some(signal);
        } else {
            self.others.push_back(signal);
        }
    }

    /// Takes what was emitted first.
    #[inline]
    pub fn next(&mut self) -> Option<S> {
        match self.first.take() {
            None if self.others.is_empty() => None,
            None => self.others.pop_front(),
            first => first,
        }
    }
}

/// A wire: that both ends are of one contract is checked by the compiler.
#[doc(hidden)]
pub const fn wire<C>(_: Uses<C>, _: Provides<C>) {}

/// A port of a part that is one of the whole, too: that they are of one kind is checked by the compiler.
#[doc(hidden)]
pub const fn expose<P: Copy>(_: P, _: P) {}

/// That each of the ports has a wire is checked by the compiler.
#[doc(hidden)]
pub const fn all_wired(ports: &[(&str, &'static str)], wired: &[&str]) {
    const fn is_among(name: &[u8], names: &[&str]) -> bool {
        let Some((first, rest)) = names.split_first() else { return false };
        is_same(name, first.as_bytes()) || is_among(name, rest)
    }
    const fn is_same(one: &[u8], other: &[u8]) -> bool {
        match (one.split_first(), other.split_first()) {
            (None, None) => true,
            (Some((a, one)), Some((b, other))) => *a == *b && is_same(one, other),
            _ => false,
        }
    }
    let Some((&(name, unwired), rest)) = ports.split_first() else { return };
    assert!(is_among(name.as_bytes(), wired), "{}", unwired);
    all_wired(rest, wired);
}

/// One part of a node. As with a [`Protocol`], `self` is configuration and handlers are deterministic. An example is at
/// [the top](self).
///
/// ```
/// # extern crate everypath_model as everypath;
/// use std::time::Duration;
/// use everypath_model::component::{Component, Network, Outgoing, Part, PartStart, Probe};
///
/// /// Sends its number every second.
/// struct Beacon;
///
/// impl Component for Beacon {
///     type State = u32;
///     type Timer = ();
///     type Command = u32;
///     type Ports = Network<u32>;
///
///     fn start(&self, node: &mut PartStart<'_, Self>) -> u32 {
///         node.set_timer((), Duration::from_secs(1));
///         0
///     }
///
///     fn on_timer(&self, node: &mut Part<'_, Self>, (): &()) {
///         node.broadcast(*node.state);
///         node.set_timer((), Duration::from_secs(1));
///     }
///
///     fn on_command(&self, node: &mut Part<'_, Self>, number: &u32) {
///         *node.state = *number;
///     }
/// }
///
/// let mut beacon = Probe::start(Beacon);
/// beacon.command(&7);
/// assert_eq!(beacon.fire(&()), [Outgoing::ToAll(7).into()]);
/// ```
pub trait Component: Sized + Send + Sync + 'static {
    /// What the component remembers.
    type State: Data;
    /// The names of its timers.
    type Timer: Data + Ord;
    /// What the environment can ask of it.
    type Command: Data;
    /// Its ports.
    type Ports: Ports;

    /// The node comes up for the first time. What is emitted arrives when all components have started.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Component, Network, NetworkIn, Incoming, Outgoing, Part, PartStart, Probe}};
    /// # struct Beacon;
    /// # impl Component for Beacon {
    /// #     type State = u32;
    /// #     type Timer = ();
    /// #     type Command = u32;
    /// #     type Ports = Network<u32>;
    /// fn start(&self, node: &mut PartStart<'_, Self>) -> u32 {
    ///     node.set_timer((), Duration::from_secs(1));
    ///     node.id.0
    /// }
    /// # }
    /// assert_eq!(Probe::start(Beacon).around.timers, [((), Duration::from_secs(1))]);
    /// ```
    fn start(&self, node: &mut PartStart<'_, Self>) -> Self::State;

    /// The node comes up again after a reboot; see [`Protocol::restart`].
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Component, Network, NetworkIn, Incoming, Outgoing, Part, PartStart, Probe}};
    /// # struct Beacon;
    /// # impl Component for Beacon {
    /// #     type State = u32;
    /// #     type Timer = ();
    /// #     type Command = u32;
    /// #     type Ports = Network<u32>;
    /// #     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 { 0 }
    /// // The number survives in stable storage.
    /// fn restart(&self, _: &mut PartStart<'_, Self>, before: &u32) -> u32 {
    ///     *before
    /// }
    /// # fn on_command(&self, node: &mut Part<'_, Self>, number: &u32) { *node.state = *number; }
    /// # }
    /// let mut beacon = Probe::start(Beacon);
    /// beacon.command(&7);
    /// beacon.restart();
    /// assert_eq!(beacon.state, 7);
    /// ```
    fn restart(&self, node: &mut PartStart<'_, Self>, before: &Self::State) -> Self::State {
        let _ = before;
        self.start(node)
    }

    /// Something comes in through a port.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Component, Network, NetworkIn, Incoming, Outgoing, Part, PartStart, Probe}};
    /// # struct Beacon;
    /// # impl Component for Beacon {
    /// #     type State = u32;
    /// #     type Timer = ();
    /// #     type Command = u32;
    /// #     type Ports = Network<u32>;
    /// #     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 { 0 }
    /// fn on_signal(&self, node: &mut Part<'_, Self>, signal: NetworkIn<u32>) {
    ///     if let NetworkIn::Network(Incoming::Message { message, .. }) = signal {
    ///         *node.state += message;
    ///     }
    /// }
    /// # }
    /// let mut beacon = Probe::start(Beacon);
    /// beacon.signal(NetworkIn::Network(Incoming::Message { from: NodeId(1), message: 7 }));
    /// assert_eq!(beacon.state, 7);
    /// ```
    fn on_signal(&self, node: &mut Part<'_, Self>, signal: In<Self>) {
        let id = node.id;
        panic!("{signal:?} came to a component at {id} that has no `on_signal` handler");
    }

    /// A timer has fired; it is no longer set.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Component, Network, NetworkIn, Incoming, Outgoing, Part, PartStart, Probe}};
    /// # struct Beacon;
    /// # impl Component for Beacon {
    /// #     type State = u32;
    /// #     type Timer = ();
    /// #     type Command = u32;
    /// #     type Ports = Network<u32>;
    /// #     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 { 0 }
    /// fn on_timer(&self, node: &mut Part<'_, Self>, (): &()) {
    ///     node.broadcast(*node.state);
    /// }
    /// # fn on_command(&self, node: &mut Part<'_, Self>, _: &u32) { node.set_timer((), Duration::ZERO); }
    /// # }
    /// # let mut beacon = Probe::start(Beacon);
    /// # beacon.command(&0);
    /// assert_eq!(beacon.fire(&()), [Outgoing::ToAll(0).into()]);
    /// ```
    fn on_timer(&self, node: &mut Part<'_, Self>, timer: &Self::Timer) {
        let id = node.id;
        panic!("timer {timer:?} fired at {id} in a component that has no `on_timer` handler");
    }

    /// The environment asks for something.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Component, Network, NetworkIn, Incoming, Outgoing, Part, PartStart, Probe}};
    /// # struct Beacon;
    /// # impl Component for Beacon {
    /// #     type State = u32;
    /// #     type Timer = ();
    /// #     type Command = u32;
    /// #     type Ports = Network<u32>;
    /// #     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 { 0 }
    /// fn on_command(&self, node: &mut Part<'_, Self>, number: &u32) {
    ///     *node.state = *number;
    /// }
    /// # }
    /// let mut beacon = Probe::start(Beacon);
    /// beacon.command(&7);
    /// assert_eq!(beacon.state, 7);
    /// ```
    fn on_command(&self, node: &mut Part<'_, Self>, command: &Self::Command) {
        let id = node.id;
        panic!(
            "command {command:?} was given to a component at {id} that has no `on_command` handler"
        );
    }

    /// The commands that the environment may give in this state; see [`Protocol::commands`].
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Component, Network, NetworkIn, Incoming, Outgoing, Part, PartStart, Probe}};
    /// # struct Beacon;
    /// # impl Component for Beacon {
    /// #     type State = u32;
    /// #     type Timer = ();
    /// #     type Command = u32;
    /// #     type Ports = Network<u32>;
    /// #     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 { 0 }
    /// // The number may be set once, to 1 or to 2.
    /// fn commands(&self, _: NodeId, number: &u32) -> Vec<u32> {
    ///     if *number == 0 { vec![1, 2] } else { Vec::new() }
    /// }
    /// # }
    /// assert_eq!(Beacon.commands(NodeId(0), &0), [1, 2]);
    /// ```
    fn commands(&self, id: NodeId, state: &Self::State) -> Vec<Self::Command> {
        let _ = (id, state);
        Vec::new()
    }

    // What follows is for the attributes to write.

    /// As [`Protocol::bring_up`].
    #[doc(hidden)]
    #[inline]
    fn bring_up<F: Effects<PartOf<Self>>>(
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

    /// As [`Protocol::handle`].
    #[doc(hidden)]
    #[inline]
    fn handle<F: Effects<PartOf<Self>>>(
        &self,
        id: NodeId,
        state: &mut Self::State,
        input: ComponentInput<'_, Self>,
        effects: &mut F,
    ) {
        let node = &mut Node::new(id, state, effects);
        match input {
            ComponentInput::Signal(signal) => self.on_signal(node, signal),
            ComponentInput::Timer(timer) => self.on_timer(node, timer),
            ComponentInput::Command(command) => self.on_command(node, command),
        }
    }

    /// As [`Protocol::code`]. A composite knows if all its components do.
    #[doc(hidden)]
    fn code(&self, id: NodeId, trigger: ComponentTrigger<'_, Self>) -> Option<Code> {
        let _ = (id, trigger);
        None
    }

    /// As [`Protocol::code_names`].
    #[doc(hidden)]
    fn code_names(&self, id: NodeId) -> Vec<&'static str> {
        let _ = id;
        Vec::new()
    }
}

/// What a handler of a component is executed on, besides its state.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::component::ComponentInput;
/// use numbers::{Application, ApplicationIn};
///
/// let input = ComponentInput::<Application>::Signal(ApplicationIn::Below(5));
/// assert!(matches!(input, ComponentInput::Signal(ApplicationIn::Below(5))));
/// ```
pub enum ComponentInput<'a, C: Component> {
    /// Something comes in through a port.
    Signal(In<C>),
    /// A timer has fired.
    Timer(&'a C::Timer),
    /// The environment asks for something.
    Command(&'a C::Command),
}

/// A component as the one that acts through a [`Node`].
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::{Node, component::{Around, PartOf}};
/// use numbers::{Application, ApplicationOut};
///
/// // `Part<'_, Application>` is short for this type.
/// fn tell(node: &mut Node<'_, PartOf<Application>>) {
///     node.emit(ApplicationOut::Below(*node.state));
/// }
///
/// let (mut state, mut around) = (9, Around::default());
/// tell(&mut Node::new(around.id, &mut state, &mut around));
/// assert_eq!(around.out, [ApplicationOut::Below(9)]);
/// ```
pub struct PartOf<C>(PhantomData<fn(C)>);

impl<C: Component> Actor for PartOf<C> {
    type State = C::State;
    type Timer = C::Timer;
    type Output = Out<C>;
}

/// A node as the handlers of one of its components see it: the state is the component's own, and what it emits leaves
/// through one of its ports.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::component::{Around, Part};
/// use numbers::{Application, ApplicationOut};
///
/// /// A step that several handlers of the component share.
/// fn learn(node: &mut Part<'_, Application>, number: u32) {
///     *node.state = number;
///     node.emit(ApplicationOut::Below(number));
/// }
///
/// let (mut state, mut around) = (0, Around::default());
/// learn(&mut Part::new(around.id, &mut state, &mut around), 9);
/// assert_eq!((state, around.out), (9, vec![ApplicationOut::Below(9)]));
/// ```
pub type Part<'a, C, S = <C as Component>::State> = Node<'a, PartOf<C>, S>;

/// A node as a component sees it that comes up: it remembers nothing yet.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::{NodeId, component::{Around, Component, PartStart}};
/// use numbers::Application;
///
/// let mut around = Around::default();
/// let mut node: PartStart<'_, Application> = PartStart::new(NodeId(3), Box::leak(Box::new(())), &mut around);
/// assert_eq!(Application.start(&mut node), 3);
/// ```
pub type PartStart<'a, C> = Part<'a, C, ()>;

/// What a component emits. Sending is for one with a port that uses a [`Link`].
impl<C: Component, S> Node<'_, PartOf<C>, S> {
    /// Emits something through one of the component's ports.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
    /// use everypath_model::component::{Incoming, Probe};
    /// use everypath_model::NodeId;
    /// use numbers::{Carrier, CarrierIn, CarrierOut};
    ///
    /// // The carrier emits every number that arrives through its upper port.
    /// let mut carrier = Probe::start(Carrier);
    /// let arrival = CarrierIn::Below(Incoming::Message { from: NodeId(1), message: 5 });
    /// assert_eq!(carrier.signal(arrival), [CarrierOut::Above(5)]);
    /// ```
    #[track_caller]
    pub fn emit(&mut self, signal: Out<C>) {
        self.emit_output(signal);
    }

    /// Sends a message to a neighbour: as a protocol does.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
    /// use everypath_model::{NodeId, component::{Around, Outgoing, Part}};
    /// use numbers::{Carrier, CarrierOut};
    ///
    /// fn answer(node: &mut Part<'_, Carrier>, to: NodeId) {
    ///     node.send(to, 42);
    /// }
    ///
    /// let mut around = Around::default();
    /// answer(&mut Part::new(around.id, &mut (), &mut around), NodeId(1));
    /// assert_eq!(around.out, [CarrierOut::Below(Outgoing::To(NodeId(1), 42))]);
    /// ```
    #[track_caller]
    pub fn send<M>(&mut self, to: NodeId, message: M)
    where
        Out<C>: From<Outgoing<M>>,
    {
        self.emit_output(Outgoing::To(to, message).into());
    }

    /// Sends a message to every neighbour: as a protocol does.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
    /// use everypath_model::component::{Outgoing, Probe};
    /// use numbers::{Carrier, CarrierIn, CarrierOut};
    ///
    /// // The carrier broadcasts every number that comes from above.
    /// let mut carrier = Probe::start(Carrier);
    /// assert_eq!(carrier.signal(CarrierIn::Above(7)), [CarrierOut::Below(Outgoing::ToAll(7))]);
    /// ```
    pub fn broadcast<M>(&mut self, message: M)
    where
        Out<C>: From<Outgoing<M>>,
    {
        self.emit_output(Outgoing::ToAll(message).into());
    }

    /// Sends a message after a random while of at most `within`: as a protocol does.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
    /// # use std::time::Duration;
    /// # use everypath_model::{NodeId, component::{Around, Outgoing, Part}};
    /// # use numbers::{Carrier, CarrierOut};
    /// fn answer(node: &mut Part<'_, Carrier>, to: NodeId) {
    ///     node.send_within(to, 42, Duration::from_millis(10));
    /// }
    /// # let mut around = Around::default();
    /// # answer(&mut Part::new(around.id, &mut (), &mut around), NodeId(1));
    /// # let outgoing = Outgoing::ToWithin(NodeId(1), 42, Duration::from_millis(10));
    /// # assert_eq!(around.out, [CarrierOut::Below(outgoing)]);
    /// ```
    #[track_caller]
    pub fn send_within<M>(&mut self, to: NodeId, message: M, within: Duration)
    where
        Out<C>: From<Outgoing<M>>,
    {
        self.emit_output(Outgoing::ToWithin(to, message, within).into());
    }

    /// Sends a message to every neighbour after a random while of at most `within`: as a protocol does.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
    /// # use std::time::Duration;
    /// # use everypath_model::component::{Around, Outgoing, Part};
    /// # use numbers::{Carrier, CarrierOut};
    /// fn flood(node: &mut Part<'_, Carrier>, number: u32) {
    ///     // If all neighbours pass the number on at once, frames collide on a radio.
    ///     node.broadcast_within(number, Duration::from_millis(10));
    /// }
    /// # let mut around = Around::default();
    /// # flood(&mut Part::new(around.id, &mut (), &mut around), 42);
    /// # let outgoing = Outgoing::ToAllWithin(42, Duration::from_millis(10));
    /// # assert_eq!(around.out, [CarrierOut::Below(outgoing)]);
    /// ```
    pub fn broadcast_within<M>(&mut self, message: M, within: Duration)
    where
        Out<C>: From<Outgoing<M>>,
    {
        self.emit_output(Outgoing::ToAllWithin(message, within).into());
    }
}

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

/// What a component emits to the network, its node sends.
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
