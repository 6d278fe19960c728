//! A field: nodes that move and talk by radio.

use super::{Energy, FieldError, Mobility, Radio};

/// Where nodes are, and how they hear each other. On a field a node has no neighbours that it knows of: a
/// broadcast reaches whoever hears it, and a message can be sent to any node.
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
    /// How nodes move.
    pub mobility: Mobility,
    /// How frames travel.
    pub radio: Radio,
    /// What nodes live on, if their batteries can run empty, or if what they spend is to be known.
    pub energy: Option<Energy>,
}

crate::setters!(Field { mobility: Mobility, radio: Radio, energy: impl Into<Option<Energy>> });

impl Field {
    /// Nodes that need no energy.
    #[must_use]
    pub fn new(mobility: Mobility, radio: Radio) -> Self {
        Self { mobility, radio, energy: None }
    }

    /// Whether so many nodes can be on it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn validate(&self, nodes: usize) -> Result<(), FieldError> {
        self.mobility.validate(nodes)?;
        self.radio.validate()?;
        self.energy.map_or(Ok(()), Energy::validate)
    }
}
