//! Places and movement of nodes on a field.

use std::time::Duration;

use super::field_error::{FieldError, is_positive};
use crate::NodeId;

/// A point of the field, in metres.
///
/// ```
/// use everypath_model::Position;
///
/// let (mast, car) = (Position { x: 0.0, y: 0.0, z: 30.0 }, Position::on_ground(40.0, 0.0));
/// assert_eq!(mast.distance(car), 50.0);
/// assert_eq!(mast.distance_squared(car), 2500.0);
/// assert!(!Position::on_ground(f64::NAN, 0.0).is_finite());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Position {
    /// To the right.
    pub x: f64,
    /// Up the page.
    pub y: f64,
    /// Off the ground.
    pub z: f64,
}

impl Position {
    /// A point on the ground.
    #[must_use]
    pub fn on_ground(x: f64, y: f64) -> Self {
        Self { x, y, z: 0.0 }
    }

    /// The square of the distance to another point, which is cheaper to compute.
    #[inline]
    #[must_use]
    pub fn distance_squared(self, other: Self) -> f64 {
        let (x, y, z) = (self.x - other.x, self.y - other.y, self.z - other.z);
        x * x + y * y + z * z
    }

    /// The distance to another point.
    ///
    /// ```
    /// use everypath_model::Position;
    ///
    /// assert_eq!(Position::on_ground(0.0, 3.0).distance(Position::on_ground(4.0, 0.0)), 5.0);
    /// ```
    #[must_use]
    pub fn distance(self, other: Self) -> f64 {
        self.distance_squared(other).sqrt()
    }

    /// Whether all coordinates are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

/// A part of a [`Path`]: a node moves to a point in a straight line and stays there, until the next
/// leg begins.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{Leg, Position};
///
/// // At 10 m/s the way from the origin takes 6 s.
/// let leg = Leg { begin: Duration::from_secs(2), to: Position::on_ground(60.0, 0.0), speed: 10.0 };
/// assert_eq!(Position::default().distance(leg.to) / leg.speed, 6.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// When it sets out.
    pub begin: Duration,
    /// Where it goes.
    pub to: Position,
    /// Its speed, in metres per second; without a positive speed it does not move.
    pub speed: f64,
}

/// The movement of one node: its start, and legs in the order of time.
///
/// ```
/// use std::time::Duration;
/// use everypath_model::{Leg, Path, Position};
///
/// // After ten seconds it walks a hundred metres to the right.
/// let to = Position::on_ground(100.0, 0.0);
/// let leg = Leg { begin: Duration::from_secs(10), to, speed: 1.5 };
/// let path = Path { legs: vec![leg], ..Path::at(Position::on_ground(0.0, 0.0)) };
/// assert_eq!(path.start.distance(path.legs[0].to), 100.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// Where it is at the start.
    pub start: Position,
    /// The following legs.
    pub legs: Vec<Leg>,
}

impl Path {
    /// A path that stays at one point.
    #[must_use]
    pub fn at(start: Position) -> Self {
        Self { start, legs: Vec::new() }
    }
}

/// A rectangle on the ground with a corner at the origin, in metres.
///
/// ```
/// use everypath_model::{Area, Mobility};
///
/// let square = Area { width: 100.0, height: 100.0 };
/// assert_eq!(Mobility::Uniform(square), Mobility::Uniform(square));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Its extent along x.
    pub width: f64,
    /// Its extent along y.
    pub height: f64,
}

/// The movement of nodes on a field. Random movement differs between replications.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use std::time::Duration;
/// use everypath_model::{Area, Field, IdealRadio, Mobility, Radio, Scenario, Topology};
///
/// let area = Area { width: 300.0, height: 100.0 };
/// let pedestrians = Mobility::Walk { area, speeds: (0.5, 2.0), turn: Duration::from_secs(30) };
/// let field = Field::new(pedestrians, Radio::Ideal(IdealRadio::default()));
/// let scenario = Scenario::new(Greeting, Topology::unlinked(10)).simulation(|run| run.field(field));
/// assert!(scenario.validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Mobility {
    /// Given paths, one per node.
    Paths(Vec<Path>),
    /// Nodes do not move; each place is drawn uniformly from the area.
    Uniform(Area),
    /// Random waypoint: each node moves to a point drawn uniformly, at a speed drawn uniformly,
    /// pauses, and moves to the next. It is in its steady state from the start.
    Waypoint {
        /// The area of the points.
        area: Area,
        /// The smallest and the largest speed, in metres per second.
        speeds: (f64, f64),
        /// The pause at each point.
        pause: Duration,
    },
    /// Random walk: each node moves in a direction and at a speed drawn uniformly, and draws both
    /// again at intervals. The edge of the area reflects it.
    Walk {
        /// The area of the walk.
        area: Area,
        /// The smallest and the largest speed, in metres per second.
        speeds: (f64, f64),
        /// The interval between changes of direction and speed.
        turn: Duration,
    },
}

impl Area {
    fn validate(self) -> Result<(), FieldError> {
        if is_positive(self.width) && is_positive(self.height) {
            return Ok(());
        }
        let (width, height) = (self.width.to_string(), self.height.to_string());
        Err(FieldError::Area { width, height })
    }
}

impl Path {
    fn validate(&self, node: NodeId) -> Result<(), FieldError> {
        let is_leg = |leg: &Leg| leg.to.is_finite() && leg.speed.is_finite();
        if !self.start.is_finite() || !self.legs.iter().all(is_leg) {
            return Err(FieldError::Place { node });
        }
        match self.legs.windows(2).find(|pair| pair[1].begin < pair[0].begin) {
            Some(pair) => {
                Err(FieldError::Time { node, begin: pair[1].begin, before: pair[0].begin })
            }
            None => Ok(()),
        }
    }
}

impl Mobility {
    pub(crate) fn validate(&self, nodes: usize) -> Result<(), FieldError> {
        let speeds_are_speeds = |(least, most): (f64, f64)| {
            if is_positive(least) && most.is_finite() && least <= most {
                return Ok(());
            }
            Err(FieldError::Speeds { least: least.to_string(), most: most.to_string() })
        };
        match *self {
            Self::Paths(ref paths) if paths.len() != nodes => {
                Err(FieldError::Paths { paths: paths.len(), nodes })
            }
            Self::Paths(ref paths) => paths
                .iter()
                .enumerate()
                .try_for_each(|(node, path)| path.validate(NodeId::from(node))),
            Self::Uniform(area) => area.validate(),
            Self::Waypoint { area, speeds, .. } => {
                area.validate()?;
                speeds_are_speeds(speeds)
            }
            Self::Walk { turn: Duration::ZERO, .. } => Err(FieldError::Turn),
            Self::Walk { area, speeds, .. } => {
                area.validate()?;
                speeds_are_speeds(speeds)
            }
        }
    }
}
