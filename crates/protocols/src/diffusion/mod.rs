//! Directed diffusion (Intanagonwiwat, Govindan and Estrin, MobiCom 2000).
//!
//! Messages name data, not nodes. A sink floods the network with an interest in events of an area.
//! The interest establishes gradients, from each node to the neighbours that sent it. Sources send a few exploratory data
//! along all gradients. The sink then reinforces the neighbour from which data came first, that one
//! does the same, and so on up to the source. All other data take the reinforced path.
//!
//! There is one protocol, [`Diffusion`]; its [`Rules`] choose the published one, the simulation
//! model of Sobeih's thesis, or one without loops.

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
