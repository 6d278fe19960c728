//! Ad-hoc on-demand distance vector routing (AODV, RFC 3561).
//!
//! A node that needs a route floods the network with a request; the destination, or a node that
//! knows a fresh route to it, answers; on its way back the answer establishes routes. Sequence
//! numbers distinguish fresh routes from stale ones, and so prevent loops, if all goes well.
//!
//! There is one router, [`Aodv`]; its [`Rules`] choose, clause by clause, whether it follows the
//! standard, ns-3, or the part of J-Sim's AODV that Sobeih's thesis explores, with or without its
//! errors.
//!
//! | file | RFC 3561 |
//! | --- | --- |
//! | `messages.rs`, `table.rs`, `sequence.rs`, `times.rs` | formats (5), routing table (2), numbers (6.1), parameters (10) |
//! | `discovery.rs` | requests and replies (6.3 to 6.7), hellos aside |
//! | `forwarding.rs` | data and lifetimes (6.2) |
//! | `watch.rs` | hellos and neighbours (6.9) |
//! | `maintenance.rs` | hellos, broken links, announcements, repairs, reboots (6.9 to 6.13) |
//! | `wire.rs` | the same on a wire (5) |
//! | `unidirectional.rs`, `rates.rs` | acknowledged replies and blacklists (6.8), rate limits (6.3, 6.11) |
//!
//! Not implemented: multicast (the flags J and R), prefixes of subnets, several interfaces.

mod discovery;
mod forwarding;
mod maintenance;
mod manet;
mod messages;
mod parameters;
mod patience;
mod properties;
mod rates;
mod router;
mod rules;
mod scenarios;
mod sequence;
mod setting;
mod table;
mod thesis;
mod times;
mod traffic;
mod unidirectional;
mod watch;
mod wire;

pub use manet::{manet, on_field};
pub use messages::{Data, Message, Reply, Request, RequestId, Unreachable};
pub use rates::Spent;
pub use router::{Aodv, Command, Discovery, RouterState, Timer};
pub use rules::{
    Blacklist, Hello, NeighbourRoutes, Preset, ReplyNumber, ReverseRoute, Rules, Watch,
};
pub use scenarios::{
    aodv, aodv_1, aodv_2, aodv_3, aodv_feedback, aodv_ns3, aodv_repaired, aodv_rfc3561,
    aodv_silence,
};
pub use sequence::SequenceNumber;
pub use table::{ListOrder, NO_HOPS, Route, RoutingTable, Standing};
pub use times::Times;
