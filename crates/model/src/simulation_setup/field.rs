//! A field: nodes that move and talk by radio.

use super::{Energy, FieldError, Mobility, Radio};

/// Places and radios of nodes. On a field a node does not know its neighbours: a broadcast reaches
/// all nodes within range, and a message can be sent to any node.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::time::Duration;
/// use everypath_model::{Area, Field, IdealRadio, Mobility, Radio, Scenario, Topology};
///
/// let area = Area { width: 1000.0, height: 1000.0 };
/// let mobility = Mobility::Waypoint { area, speeds: (1.0, 20.0), pause: Duration::ZERO };
/// let radio = IdealRadio::default().range(250.0);
/// let scenario = Scenario::new(Greeting, Topology::unlinked(50))
///     .simulation(|run| run.field(Field::new(mobility, Radio::Ideal(radio))));
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Field {
    /// Movement of nodes.
    pub mobility: Mobility,
    /// Their radio.
    pub radio: Radio,
    /// Their energy, if it is limited or measured.
    pub energy: Option<Energy>,
}

crate::setters!(Field { mobility: Mobility, radio: Radio, energy: impl Into<Option<Energy>> });

impl Field {
    /// A field without energy accounting.
    #[must_use]
    pub fn new(mobility: Mobility, radio: Radio) -> Self {
        Self { mobility, radio, energy: None }
    }

    /// Whether the field is valid for this many nodes.
    ///
    /// # Errors
    /// The first error found.
    pub fn validate(&self, nodes: usize) -> Result<(), FieldError> {
        self.mobility.validate(nodes)?;
        self.radio.validate()?;
        self.energy.map_or(Ok(()), Energy::validate)
    }
}
