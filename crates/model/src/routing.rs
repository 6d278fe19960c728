//! Routing protocols as a class, with a shared assertion and rankings.
//!
//! A routing protocol makes hops: at a node, for a destination, the next node. Messages establish
//! them, and they must not form a loop. A protocol that implements [`Routing`] gains an
//! [assertion](Scenario::assert_loop_free) against loops, and
//! [rankings](Scenario::routing_rankings).

use std::fmt::Debug;

use crate::{NodeId, Packet, Protocol, Rank, Scenario, World};

/// The name of the ranking by hops.
const ROUTING: &str = "routing";
/// The name of the ranking by messages that establish hops.
const ROUTING_PACKETS: &str = "routing-packets";

/// A hop that a node has established: packets for the destination go to the next node.
///
/// ```
/// use everypath_model::{NodeId, routing::Hop};
///
/// // Packets for node 9 go to node 2 first.
/// let hop = Hop { destination: NodeId(9), next: NodeId(2) };
/// assert_eq!(hop.next, NodeId(2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop<D> {
    /// The final destination.
    pub destination: D,
    /// The node that comes next.
    pub next: NodeId,
}

/// A protocol that establishes hops.
///
/// Every node sends packets for node 0 to the first neighbour that offered a route:
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{
///     Never, Node, NodeId, Protocol, Scenario, Start, Topology,
///     routing::{Hop, Routing},
/// };
///
/// #[derive(Clone)]
/// struct Tree;
///
/// impl Protocol for Tree {
///     type State = Option<NodeId>;
///     type Message = ();
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut Start<'_, Self>) -> Option<NodeId> {
///         if node.id == NodeId(0) { node.broadcast(()); }
///         None
///     }
///
///     fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, (): &()) {
///         if node.id != NodeId(0) && node.state.replace(from).is_none() { node.broadcast(()); }
///     }
/// }
///
/// impl Routing for Tree {
///     type Destination = NodeId;
///
///     fn hops(&self, _: NodeId, next: &Option<NodeId>) -> impl Iterator<Item = Hop<NodeId>> {
///         next.iter().map(|&next| Hop { destination: NodeId(0), next })
///     }
///
///     fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
///         node == destination
///     }
///
///     fn establishes(&self, (): &()) -> impl Iterator<Item = NodeId> {
///         [NodeId(0)].into_iter()
///     }
/// }
///
/// let scenario = Scenario::new(Tree, Topology::ring(4))
///     .assert_loop_free("no circle", |_| true)
///     .routing_rankings(|_| true);
/// assert!(scenario.validate().is_ok());
/// ```
pub trait Routing: Protocol + Clone {
    /// The destination of hops: as a rule a node. Hops to different destinations never form one
    /// path.
    type Destination: Copy + Eq + Debug;

    /// The hops that a node has established; none to a destination that it is [at](Self::is_at),
    /// unless it forwards packets that arrive there.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Table;
    /// # impl Protocol for Table {
    /// #     type State = Vec<Option<NodeId>>;
    /// #     type Message = Vec<NodeId>;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> Vec<Option<NodeId>> { Vec::new() }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Vec<NodeId>) {}
    /// # }
    /// # impl Routing for Table {
    /// #     type Destination = NodeId;
    /// // The table has the next node for each destination.
    /// fn hops(&self, _: NodeId, table: &Vec<Option<NodeId>>) -> impl Iterator<Item = Hop<NodeId>> {
    ///     let entries = (0..).map(NodeId).zip(table);
    ///     entries.filter_map(|(destination, next)| Some(Hop { destination, next: (*next)? }))
    /// }
    /// # fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
    /// #     node == destination
    /// # }
    /// # fn establishes(&self, reached: &Vec<NodeId>) -> impl Iterator<Item = NodeId> {
    /// #     reached.iter().copied()
    /// # }
    /// # }
    /// let hops: Vec<_> = Table.hops(NodeId(0), &vec![None, Some(NodeId(1))]).collect();
    /// assert_eq!(hops, [Hop { destination: NodeId(1), next: NodeId(1) }]);
    /// ```
    fn hops(&self, me: NodeId, state: &Self::State)
    -> impl Iterator<Item = Hop<Self::Destination>>;

    /// Whether a node is the destination.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Table;
    /// # impl Protocol for Table {
    /// #     type State = Vec<Option<NodeId>>;
    /// #     type Message = Vec<NodeId>;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> Vec<Option<NodeId>> { Vec::new() }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Vec<NodeId>) {}
    /// # }
    /// # impl Routing for Table {
    /// #     type Destination = NodeId;
    /// # fn hops(&self, _: NodeId, table: &Vec<Option<NodeId>>) -> impl Iterator<Item = Hop<NodeId>> {
    /// #     let entries = (0..).map(NodeId).zip(table);
    /// #     entries.filter_map(|(destination, next)| Some(Hop { destination, next: (*next)? }))
    /// # }
    /// fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
    ///     node == destination
    /// }
    /// # fn establishes(&self, reached: &Vec<NodeId>) -> impl Iterator<Item = NodeId> {
    /// #     reached.iter().copied()
    /// # }
    /// # }
    /// assert!(Table.is_at(NodeId(3), NodeId(3)));
    /// ```
    fn is_at(&self, node: NodeId, destination: Self::Destination) -> bool;

    /// The destinations to which a message can establish a hop at its receiver: a hop to the sender
    /// of the packet.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Table;
    /// # impl Protocol for Table {
    /// #     type State = Vec<Option<NodeId>>;
    /// #     type Message = Vec<NodeId>;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> Vec<Option<NodeId>> { Vec::new() }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Vec<NodeId>) {}
    /// # }
    /// # impl Routing for Table {
    /// #     type Destination = NodeId;
    /// # fn hops(&self, _: NodeId, table: &Vec<Option<NodeId>>) -> impl Iterator<Item = Hop<NodeId>> {
    /// #     let entries = (0..).map(NodeId).zip(table);
    /// #     entries.filter_map(|(destination, next)| Some(Hop { destination, next: (*next)? }))
    /// # }
    /// # fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
    /// #     node == destination
    /// # }
    /// // A message lists the destinations that its sender reaches.
    /// fn establishes(&self, reached: &Vec<NodeId>) -> impl Iterator<Item = NodeId> {
    ///     reached.iter().copied()
    /// }
    /// # }
    /// assert_eq!(Table.establishes(&vec![NodeId(4)]).next(), Some(NodeId(4)));
    /// ```
    fn establishes(&self, message: &Self::Message) -> impl Iterator<Item = Self::Destination>;

    /// How much a node knows that later becomes hops, for rankings of worlds without hops. By
    /// default, nothing.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Table;
    /// # impl Protocol for Table {
    /// #     type State = Vec<Option<NodeId>>;
    /// #     type Message = Vec<NodeId>;
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) -> Vec<Option<NodeId>> { Vec::new() }
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Vec<NodeId>) {}
    /// # }
    /// # impl Routing for Table {
    /// #     type Destination = NodeId;
    /// # fn hops(&self, _: NodeId, table: &Vec<Option<NodeId>>) -> impl Iterator<Item = Hop<NodeId>> {
    /// #     let entries = (0..).map(NodeId).zip(table);
    /// #     entries.filter_map(|(destination, next)| Some(Hop { destination, next: (*next)? }))
    /// # }
    /// # fn is_at(&self, node: NodeId, destination: NodeId) -> bool {
    /// #     node == destination
    /// # }
    /// # fn establishes(&self, reached: &Vec<NodeId>) -> impl Iterator<Item = NodeId> {
    /// #     reached.iter().copied()
    /// # }
    /// // The destinations without a hop yet.
    /// fn groundwork(&self, table: &Vec<Option<NodeId>>) -> usize {
    ///     table.iter().filter(|next| next.is_none()).count()
    /// }
    /// # }
    /// assert_eq!(Table.groundwork(&vec![None, Some(NodeId(1))]), 1);
    /// ```
    fn groundwork(&self, state: &Self::State) -> usize {
        let _ = state;
        0
    }
}

/// The hops of a world.
struct Hops<'a, P: Routing> {
    protocol: &'a P,
    world: &'a World<'a, P>,
}

impl<P: Routing> Hops<'_, P> {
    /// The hops of all nodes, each with its node.
    fn all(&self) -> impl Iterator<Item = (NodeId, Hop<P::Destination>)> {
        let of = |(node, state)| self.protocol.hops(node, state).map(move |hop| (node, hop));
        self.world.nodes().flat_map(of)
    }

    fn next(&self, at: NodeId, destination: P::Destination) -> impl Iterator<Item = NodeId> {
        let hops = self.protocol.hops(at, self.world.node(at));
        hops.filter(move |hop| hop.destination == destination).map(|hop| hop.next)
    }

    /// Whether a node has no route to a destination that it is not at.
    fn is_lost(&self, node: NodeId, destination: P::Destination) -> bool {
        !self.protocol.is_at(node, destination) && self.next(node, destination).next().is_none()
    }

    /// Whether hops to a destination lead from one node to another, or the two are the same.
    fn leads(&self, from: NodeId, to: NodeId, destination: P::Destination) -> bool {
        let mut reached = vec![from];
        let mut followed = 0;
        while let Some(&at) = reached.get(followed) {
            if at == to {
                return true;
            }
            for next in self.next(at, destination) {
                if !reached.contains(&next) {
                    reached.push(next);
                }
            }
            followed += 1;
        }
        false
    }

    /// The number of hops that match.
    fn count(&self, is_meant: impl Fn(Hop<P::Destination>) -> bool) -> i64 {
        self.all().filter(|&(_, hop)| is_meant(hop)).count() as i64
    }

    /// How many hops the messages in flight can establish, of those that match: given sender,
    /// receiver and destination.
    fn establishing(&self, is_meant: impl Fn(NodeId, NodeId, P::Destination) -> bool) -> i64 {
        let by = |Packet { from, to, message }: Packet<'_, P>| {
            let hops = self.protocol.establishes(message);
            hops.filter(|&destination| is_meant(from, to, destination)).count() as i64
        };
        self.world.packets().map(by).sum()
    }

    fn groundwork(&self) -> i64 {
        self.world.nodes().map(|(_, state)| self.protocol.groundwork(state) as i64).sum()
    }
}

/// Properties of routing protocols.
impl<P: Routing> Scenario<P> {
    /// Shows the hops in pictures of a simulation; the methods below do so, too.
    ///
    /// ```
    /// # use everypath_model::{Effects, Never, NodeId, Protocol, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Line;
    /// # impl Protocol for Line {
    /// #     type State = ();
    /// #     type Message = ();
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) {}
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}
    /// # }
    /// # impl Routing for Line {
    /// #     type Destination = NodeId;
    /// #     fn hops(&self, me: NodeId, _: &()) -> impl Iterator<Item = Hop<NodeId>> {
    /// #         me.0.checked_sub(1).map(|next| Hop { destination: NodeId(0), next: NodeId(next) }).into_iter()
    /// #     }
    /// #     fn is_at(&self, node: NodeId, destination: NodeId) -> bool { node == destination }
    /// #     fn establishes(&self, _: &()) -> impl Iterator<Item = NodeId> { [].into_iter() }
    /// # }
    /// use everypath_model::{Node, Scenario, Start, Topology};
    ///
    /// let scenario = Scenario::new(Line, Topology::chain(3)).shown_hops();
    /// let hops = scenario.hops.expect("they are shown");
    /// assert_eq!(hops(NodeId(2), &()), [("n0".to_owned(), NodeId(1))]);
    /// ```
    #[must_use]
    pub fn shown_hops(mut self) -> Self {
        let protocol = self.protocol.clone();
        self.hops = Some(Box::new(move |node, state| {
            let hops = protocol.hops(node, state);
            hops.map(|hop| (format!("{:?}", hop.destination), hop.next)).collect()
        }));
        self
    }

    /// Asserts that hops to any destination that matters form no loop.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Line;
    /// # impl Protocol for Line {
    /// #     type State = ();
    /// #     type Message = ();
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) {}
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}
    /// # }
    /// # impl Routing for Line {
    /// #     type Destination = NodeId;
    /// #     fn hops(&self, me: NodeId, _: &()) -> impl Iterator<Item = Hop<NodeId>> {
    /// #         me.0.checked_sub(1).map(|next| Hop { destination: NodeId(0), next: NodeId(next) }).into_iter()
    /// #     }
    /// #     fn is_at(&self, node: NodeId, destination: NodeId) -> bool { node == destination }
    /// #     fn establishes(&self, _: &()) -> impl Iterator<Item = NodeId> { [].into_iter() }
    /// # }
    /// use everypath_model::{Scenario, Topology};
    ///
    /// // Only routes to node 0 are checked.
    /// let scenario = Scenario::new(Line, Topology::chain(3))
    ///     .assert_loop_free("routes have no loops", |destination| destination == NodeId(0));
    /// assert_eq!(scenario.assertions[0].name, "routes have no loops");
    /// ```
    #[must_use]
    pub fn assert_loop_free(
        self,
        name: &str,
        matters: impl Fn(P::Destination) -> bool + Send + Sync + 'static,
    ) -> Self {
        let protocol = self.protocol.clone();
        self.shown_hops().assert_always(name, move |world| {
            let hops = Hops { protocol: &protocol, world };
            let mut meant = hops.all().filter(|(_, hop)| matters(hop.destination));
            meant.all(|(node, hop)| !hops.leads(hop.next, node, hop.destination))
        })
    }

    /// Adds the rankings of the class, for destinations that matter.
    ///
    /// A loop arises when a node loses its route while others still send through it, and then
    /// accepts a route from one of them. So `routing` counts first messages in flight that would
    /// close a loop, then hops to nodes without a route, then hops that matter, all hops, and
    /// groundwork. `routing-packets` counts first messages that establish hops, then hops and
    /// groundwork, for protocols in which a hop takes long to establish.
    ///
    /// ```
    /// # use everypath_model::{Never, Node, NodeId, Protocol, Start, routing::{Hop, Routing}};
    /// # #[derive(Clone)]
    /// # struct Line;
    /// # impl Protocol for Line {
    /// #     type State = ();
    /// #     type Message = ();
    /// #     type Timer = Never;
    /// #     type Command = Never;
    /// #     fn start(&self, _: &mut Start<'_, Self>) {}
    /// #     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}
    /// # }
    /// # impl Routing for Line {
    /// #     type Destination = NodeId;
    /// #     fn hops(&self, me: NodeId, _: &()) -> impl Iterator<Item = Hop<NodeId>> {
    /// #         me.0.checked_sub(1).map(|next| Hop { destination: NodeId(0), next: NodeId(next) }).into_iter()
    /// #     }
    /// #     fn is_at(&self, node: NodeId, destination: NodeId) -> bool { node == destination }
    /// #     fn establishes(&self, _: &()) -> impl Iterator<Item = NodeId> { [].into_iter() }
    /// # }
    /// use everypath_model::{Scenario, Topology};
    ///
    /// let scenario = Scenario::new(Line, Topology::chain(3)).routing_rankings(|_| true);
    /// let names: Vec<_> = scenario.all_rankings().map(|ranking| &ranking.name[..]).collect();
    /// assert_eq!(names, ["routing", "routing-packets"]);
    /// ```
    #[must_use]
    pub fn routing_rankings(
        self,
        matters: impl Fn(P::Destination) -> bool + Clone + Send + Sync + 'static,
    ) -> Self {
        let protocol = self.protocol.clone();
        let (of_packets, matter) = (protocol.clone(), matters.clone());
        self.shown_hops()
            .ranking(ROUTING, move |world| {
                let hops = Hops { protocol: &protocol, world };
                // A node without a route accepts any hop.
                let closing = hops.establishing(|from, to, destination| {
                    matters(destination)
                        && hops.is_lost(to, destination)
                        && hops.leads(from, to, destination)
                });
                let loose = hops.count(|Hop { destination, next }| {
                    matters(destination) && hops.is_lost(next, destination)
                });
                let that_matter = hops.count(|hop| matters(hop.destination));
                Rank(vec![closing, loose, that_matter, hops.count(|_| true), hops.groundwork()])
            })
            .ranking(ROUTING_PACKETS, move |world| {
                let hops = Hops { protocol: &of_packets, world };
                let establishing = hops.establishing(|_, _, destination| matter(destination));
                let that_matter = hops.count(|hop| matter(hop.destination));
                Rank(vec![establishing, that_matter, hops.count(|_| true), hops.groundwork()])
            })
    }
}
