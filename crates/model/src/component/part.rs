//! A node as one of its components sees it.

use std::{marker::PhantomData, time::Duration};

use super::{Component, Out};
use crate::{Actor, Node, NodeId, Outgoing};

/// A component as the actor behind a [`Node`].
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

/// A node as the handlers of one component see it, with the component's state and ports.
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

/// A node as a starting component sees it, without a state yet.
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

/// The outputs of a component. Sending needs a port that uses a [`Link`](super::Link).
impl<C: Component, S> Node<'_, PartOf<C>, S> {
    /// Emits a signal through one of the component's ports.
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

    /// Sends a message to a neighbour, as a protocol does.
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

    /// Sends a message to every neighbour, as a protocol does.
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

    /// Sends a message with jitter of up to `within`, as a protocol does.
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

    /// Sends a message to every neighbour with jitter of up to `within`, as a protocol does.
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
