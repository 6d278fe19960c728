//! Random topologies, each a function of its parameters and of a [`Stream`].
//!
//! ```
//! use everypath_model::Area;
//! use everypath_sim::{Stream, generators};
//!
//! let mut stream = Stream::new(1, 0, "topology");
//! let hubs = generators::barabasi_albert(100, 2, &mut stream).unwrap();
//! assert_eq!(hubs.links().count(), 2 * 98);
//! let area = Area { width: 1000.0, height: 1000.0 };
//! let placed = generators::random_geometric(100, area, 250.0, &mut stream).unwrap();
//! assert_eq!((placed.topology.len(), placed.places.len()), (100, 100));
//! ```

use std::collections::BTreeMap;

use everypath_model::{Area, NodeId, Position, Topology};
use thiserror::Error;

use crate::{Probability, Stream};

/// Parameters that describe no topology.
///
/// ```
/// use everypath_sim::{Stream, generators::{GeneratorError, barabasi_albert}};
///
/// let error = barabasi_albert(2, 5, &mut Stream::new(1, 0, "topology")).unwrap_err();
/// assert_eq!(error, GeneratorError::Links { nodes: 2, links: 5 });
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GeneratorError {
    /// A number out of range.
    #[error("{name} is {value}; it must be {expected}")]
    Parameter {
        /// Which one.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it must be.
        expected: &'static str,
    },
    /// More links for a node than there are others.
    #[error(
        "{nodes} nodes cannot be linked to {links} others each; give at least one more node than links, and at least one link"
    )]
    Links {
        /// How many nodes there are.
        nodes: usize,
        /// How many links each is to bring.
        links: usize,
    },
}

/// A topology whose nodes have positions.
///
/// ```
/// use everypath_model::{Area, Mobility, Path};
/// use everypath_sim::{Stream, generators::random_geometric};
///
/// let area = Area { width: 500.0, height: 500.0 };
/// let placed = random_geometric(20, area, 200.0, &mut Stream::new(1, 0, "topology")).unwrap();
/// // The same places on a field.
/// let mobility = Mobility::Paths(placed.places.into_iter().map(Path::at).collect());
/// assert!(matches!(mobility, Mobility::Paths(paths) if paths.len() == placed.topology.len()));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Placed {
    /// Who is whose neighbour.
    pub topology: Topology,
    /// Where each node is.
    pub places: Vec<Position>,
}

/// Nodes anywhere in an area with the same probability; two are neighbours if they are no farther apart than
/// `range` metres. It need not be connected.
///
/// ```
/// use everypath_model::Area;
/// use everypath_sim::{Stream, generators::random_geometric};
///
/// let area = Area { width: 500.0, height: 500.0 };
/// let placed = random_geometric(20, area, 200.0, &mut Stream::new(1, 0, "topology")).unwrap();
/// for (one, other) in placed.topology.links() {
///     assert!(placed.places[one.index()].distance(placed.places[other.index()]) <= 200.0);
/// }
/// ```
///
/// # Errors
/// If area or range are not positive and finite.
pub fn random_geometric(
    nodes: usize,
    area: Area,
    range: f64,
    stream: &mut Stream,
) -> Result<Placed, GeneratorError> {
    let places = places(nodes, area, stream)?;
    positive("the range", range)?;
    // Neighbours are in the same cell or in one beside it. Cells need not be smaller than it takes to have
    // a node in each, else a small range would make many of them.
    #[allow(clippy::cast_precision_loss)]
    let side = range.max((area.width * area.height / nodes.max(1) as f64).sqrt());
    #[allow(clippy::cast_possible_truncation)]
    let cell = |place: Position| ((place.x / side) as i64, (place.y / side) as i64);
    let mut cells: BTreeMap<(i64, i64), Vec<u32>> = BTreeMap::new();
    for (node, &place) in (0..).zip(&places) {
        cells.entry(cell(place)).or_default().push(node);
    }
    let mut links = Vec::new();
    for (node, &place) in (0..).zip(&places) {
        let (column, row) = cell(place);
        let beside = |at: i64| [at.saturating_sub(1), at, at.saturating_add(1)];
        let around =
            beside(column).into_iter().flat_map(|x| beside(row).into_iter().map(move |y| (x, y)));
        for &other in around.filter_map(|cell| cells.get(&cell)).flatten() {
            let is_near = place.distance_squared(places[other as usize]) <= range * range;
            if node < other && is_near {
                links.push((node, other));
            }
        }
    }
    Ok(Placed { topology: linked(nodes, &links), places })
}

/// Nodes anywhere in an area with the same probability; two at a distance d are neighbours with the
/// probability `alpha` exp(-d / (`beta` L)), where L is the diagonal of the area, after Waxman. It need not be
/// connected. Every pair is looked at.
///
/// ```
/// use everypath_model::Area;
/// use everypath_sim::{Stream, generators::waxman};
///
/// let area = Area { width: 500.0, height: 500.0 };
/// let draw = |alpha| waxman(50, area, alpha, 0.2, &mut Stream::new(1, 0, "topology")).unwrap();
/// // With a larger alpha there are more links.
/// assert!(draw(0.9).topology.links().count() > draw(0.1).topology.links().count());
/// assert_eq!(draw(0.0).topology.links().count(), 0);
/// ```
///
/// # Errors
/// If the area or `beta` are not positive and finite, or `alpha` is not a probability.
pub fn waxman(
    nodes: usize,
    area: Area,
    alpha: f64,
    beta: f64,
    stream: &mut Stream,
) -> Result<Placed, GeneratorError> {
    let places = places(nodes, area, stream)?;
    if !(0.0..=1.0).contains(&alpha) {
        let (value, expected) = (alpha.to_string(), "from 0 to 1");
        return Err(GeneratorError::Parameter { name: "alpha", value, expected });
    }
    positive("beta", beta)?;
    let diagonal = Position::default().distance(Position::on_ground(area.width, area.height));
    let scale = beta * diagonal;
    let mut links = Vec::new();
    for (node, &place) in (0..).zip(&places) {
        for (other, &far) in (0..node).zip(&places) {
            // `libm`, so that every machine draws the same links.
            let probability = alpha * libm::exp(-place.distance(far) / scale);
            if stream.happens(Probability::new(probability)) {
                links.push((other, node));
            }
        }
    }
    Ok(Placed { topology: linked(nodes, &links), places })
}

/// Few nodes with many links, after Barabási and Albert. It begins as a star of node 0 and `links` others; each
/// further node is linked to `links` different nodes that are there, with probabilities that go by how many
/// links those have. It is connected, and has `links` * (`nodes` - `links`) links.
///
/// ```
/// use everypath_sim::{Stream, generators::barabasi_albert};
///
/// let topology = barabasi_albert(100, 1, &mut Stream::new(1, 0, "topology")).unwrap();
/// // A tree with hubs.
/// assert_eq!(topology.links().count(), 99);
/// let most = topology.nodes().map(|node| topology.neighbours(node).len()).max();
/// assert!(most > Some(5));
/// ```
///
/// # Errors
/// If there are not more nodes than links, or no links.
pub fn barabasi_albert(
    nodes: usize,
    links: usize,
    stream: &mut Stream,
) -> Result<Topology, GeneratorError> {
    if links == 0 || nodes <= links {
        return Err(GeneratorError::Links { nodes, links });
    }
    let (count, first) = (NodeId::from(nodes).0, NodeId::from(links).0 + 1);
    let mut edges: Vec<(u32, u32)> = (1..first).map(|node| (0, node)).collect();
    // Every node as often as it has links.
    let mut ends: Vec<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    let mut chosen = Vec::with_capacity(links);
    for node in first..count {
        chosen.clear();
        while chosen.len() < links {
            let last = ends.len() as u64 - 1;
            let index = usize::try_from(stream.up_to(last)).expect("it is within the list");
            if !chosen.contains(&ends[index]) {
                chosen.push(ends[index]);
            }
        }
        for &other in &chosen {
            edges.push((other, node));
            ends.extend([other, node]);
        }
    }
    Ok(linked(nodes, &edges))
}

fn places(nodes: usize, area: Area, stream: &mut Stream) -> Result<Vec<Position>, GeneratorError> {
    positive("the width of the area", area.width)?;
    positive("the height of the area", area.height)?;
    let mut place = || {
        let x = stream.between(0.0, area.width);
        Position::on_ground(x, stream.between(0.0, area.height))
    };
    Ok((0..nodes).map(|_| place()).collect())
}

fn positive(name: &'static str, value: f64) -> Result<(), GeneratorError> {
    if value.is_finite() && value > 0.0 {
        return Ok(());
    }
    let (value, expected) = (value.to_string(), "positive and finite");
    Err(GeneratorError::Parameter { name, value, expected })
}

fn linked(nodes: usize, links: &[(u32, u32)]) -> Topology {
    Topology::edges(nodes, links).expect("links are between two different nodes that exist")
}
