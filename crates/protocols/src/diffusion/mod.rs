//! Directed diffusion (Intanagonwiwat, Govindan and Estrin, MobiCom 2000): data are named, not
//! nodes.
//!
//! A sink floods the network with an interest in what happens in an area. On its way the interest
//! leaves gradients behind, from each node to the neighbours that asked it. Sources send a few
//! exploratory data along all gradients; the sink then reinforces the neighbour from which it heard
//! first, that one its own, and so on up to the source. All other data take the reinforced path.
//!
//! There is one protocol, [`Diffusion`]; its [`Rules`] say whether it is the published one, what the
//! simulation model of Sobeih's thesis has of it, or one without circles.

mod caches;
mod collection;
mod field;
mod interests;
mod messages;
mod node;
mod parameters;
mod properties;
mod reinforcement;
mod rules;
mod scenarios;
mod tasks;
mod times;

pub use caches::{Gradient, InterestEntry, Label, Seen, Upstream};
pub use field::diffusion_field;
pub use messages::{Data, EventId, Message, Rate, Reinforcement};
pub use node::{Command, Diffusion, NodeState, Timer};
pub use rules::{Identity, Preference, Preset, Rules, Suppression};
pub use scenarios::{diffusion, diffusion_1, diffusion_2, diffusion_crossing, diffusion_hardened};
pub use tasks::{Area, Kind, Place, Subscription, Task};
pub use times::Times;
