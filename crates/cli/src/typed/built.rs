//! A scenario with its types.

use everypath_model::{Protocol, Scenario, WorldSnapshot};

use crate::scenarios::{any_scenario::Origins, start::Moment};

/// A scenario with its origins.
pub(crate) struct Built<P: Protocol> {
    pub(crate) origins: Origins,
    pub(crate) scenario: Scenario<P>,
    /// Where its exploration starts, if not at its own start.
    pub(crate) start: Option<Start<P>>,
}

/// The world in which an exploration starts, and its moment.
pub(crate) struct Start<P: Protocol> {
    pub(crate) moment: Moment,
    pub(crate) world: WorldSnapshot<P>,
}
