//! Ad-hoc on-demand distance vector routing (AODV, RFC 3561).
//!
//! A node that needs a route floods the network with a request; the destination, or a node that
//! knows a fresh route to it, answers; on its way back the answer leaves routes behind. Sequence
//! numbers tell fresh routes from stale ones, and so keep packets from going round in circles, if
//! all goes well.
//!
//! There is one router, [`Aodv`]; its [`Rules`] say, clause by clause, whether it follows the
//! standard, ns-3, or the simulation model of the thesis with or without its errors.
//!
//! What is not here: unidirectional links (RREP-ACK and blacklists), multicast, subnets, rate
//! limits and jitter.

mod discovery;
mod forwarding;
mod maintenance;
mod messages;
mod parameters;
mod patience;
mod properties;
mod router;
mod rules;
mod scenarios;
mod sequence;
mod table;
mod times;

pub use messages::{Data, Message, Reply, Request, RequestId, Unreachable};
pub use router::{Aodv, Command, Discovery, RouterState, Timer};
pub use rules::{Hello, NeighbourRoutes, Preset, ReplyNumber, ReverseRoute, Rules};
pub use scenarios::{aodv, aodv_1, aodv_2, aodv_3, aodv_ns3, aodv_repaired, aodv_rfc3561};
pub use sequence::SequenceNumber;
pub use table::{ListOrder, NO_HOPS, Route, RoutingTable, Standing};
pub use times::Times;
