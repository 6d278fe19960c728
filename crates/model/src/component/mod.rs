//! Nodes made of components: named ports, contracts, and static composition.
//!
//! A [`Component`] has any number of ports. The attribute [`macro@ports`] declares them: each has a
//! name and a [`Contract`], a pair of types. A port that [`Provides`] a contract receives requests
//! and emits indications; one that [`Uses`] it emits requests and receives indications. Two enums
//! with a variant per port hold what comes in (`…In`) and what goes out (`…Out`).
//!
//! The attribute [`macro@composite`] makes a component of several. It wires a port that uses a contract to one that provides it,
//! and the compiler checks that the contracts are the same. A component whose only port is the [`Network`] is a protocol:
//! [`Host`].
//!
//! A signal reaches the other component after the handler has returned, in the order of emission.
//! So no component is entered while it runs. An inner composite delivers all its own signals before
//! the outer one continues.
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
//! /// Sends its number, and remembers the largest one that it receives.
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

mod host;
mod network;
mod part;
mod ports;
mod probe;
mod wiring;

pub use host::Host;
pub use network::{Incoming, Link, Network, NetworkIn, NetworkOut};
pub use part::{Part, PartOf, PartStart};
pub use ports::{Contract, NoPorts, Ports, Provides, Uses};
pub use probe::{Around, Probe};
#[doc(hidden)]
pub use wiring::{Signals, all_wired, expose, wire};

#[cfg(doc)]
use crate::Protocol;
use crate::{Code, Data, Effects, Node, NodeId};
pub use crate::{Outgoing, composite, ports};

/// A signal that comes in through a port of a component.
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

/// A signal that goes out through a port of a component.
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

/// One part of a node. As with a [`Protocol`], `self` is configuration and handlers are
/// deterministic. The [module](self) has an example.
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
    /// The state of the component.
    type State: Data;
    /// Its timers.
    type Timer: Data + Ord;
    /// The commands of the environment to it.
    type Command: Data;
    /// Its ports.
    type Ports: Ports;

    /// The node starts for the first time. Emitted signals arrive when all components have started.
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

    /// The node starts again after a reboot; see [`Protocol::restart`].
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

    /// A signal comes in through a port.
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

    /// The environment gives a command.
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

    // The rest is written by the attributes.

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

    /// As [`Protocol::code`]. Known for a composite if it is known for all its components.
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

/// The input of a component's handler, besides the node.
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
    /// A signal comes in through a port.
    Signal(In<C>),
    /// A timer has fired.
    Timer(&'a C::Timer),
    /// The environment gives a command.
    Command(&'a C::Command),
}

/// The trigger of a component's code: a start, or an input.
pub enum ComponentTrigger<'a, C: Component> {
    /// The node starts for the first time.
    Start,
    /// The node starts again.
    Restart,
    /// A signal comes in through a port. All signals share one piece of code, since any may follow
    /// in a composite.
    Signal,
    /// A timer has fired.
    Timer(&'a C::Timer),
    /// The environment gives a command.
    Command(&'a C::Command),
}
