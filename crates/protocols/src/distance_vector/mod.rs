//! Distance vector routing (RIP, RFC 2453).
//!
//! Every node periodically sends its distances to its neighbours, and routes to each destination
//! through the nearest neighbour. Good news travels fast. Bad news may not travel at all: two nodes
//! that have lost a destination can believe each other's old distances, one longer each time, until
//! they have counted to infinity. Split horizon prevents some of these cases.
//!
//! A destination is the network of a node, which that node alone is attached to, at metric 1; so the
//! metric of a route is one more than its hops.
//!
//! Not implemented: subnets, authentication and route tags, requests for single routes, link costs
//! other than 1, a random interval between triggered updates, and the switch to another route of
//! the same length before the old one times out (a router has timers, but no clock).

mod message;
mod patience;
mod properties;
mod router;
mod scenarios;
mod table;
mod wire;

pub use message::{Entry, Message};
pub use properties::{is_settled, shortest_metric};
pub use router::{DistanceVector, RouterState, SplitHorizon, Timer, Times};
pub use scenarios::{
    distance_vector, distance_vector_plain, distance_vector_split, distance_vector_triangle,
};
pub use table::{INFINITY, NEAREST, Route, RoutingTable};
