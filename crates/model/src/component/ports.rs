//! Ports and contracts of components.

use std::marker::PhantomData;

use crate::{Data, Never};

/// The types of the requests and indications between two components.
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
    /// Sent to the component that provides the contract.
    type Request: Data;
    /// Sent by that component.
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

/// The ports of a component; [`macro@crate::ports`] implements it.
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
    /// Incoming signals, one variant per port.
    type In: Data;
    /// Outgoing signals, one variant per port.
    type Out: Data;
    /// The name of each port, and the compiler's message if a composite has no wire for it.
    #[doc(hidden)]
    const PORTS: &'static [(&'static str, &'static str)];
}

/// No ports: for a component that only commands and timers reach.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, component::{Component, NoPorts, Part, PartStart, Probe}};
///
/// /// Counts its commands.
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
