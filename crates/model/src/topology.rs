//! Topologies: nodes, and the links between neighbours.

use std::{collections::BTreeSet, fmt, str::FromStr};

use thiserror::Error;

/// The syntax of a shape, for messages.
pub(crate) const SHAPE_SYNTAX: &str =
    "chain, ring, star, mesh, grid:WIDTH, or links between nodes such as 0-1,1-2";

/// The id of a node: 0, 1, 2, … It prints as `n0`, `n1`, `n2`, also within a state.
///
/// ```
/// use everypath_model::NodeId;
///
/// let node = NodeId(2);
/// assert_eq!(node.to_string(), "n2");
/// assert_eq!(["a", "b", "c"][node.index()], "c");
/// ```
#[derive(
    Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The id as an index into a list of nodes.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<usize> for NodeId {
    /// # Panics
    /// If there are more than `u32::MAX` nodes.
    fn from(index: usize) -> Self {
        Self(u32::try_from(index).expect("node ids fit in 32 bits"))
    }
}

impl fmt::Debug for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n{}", self.0)
    }
}

/// An edge list that is not a topology.
///
/// ```
/// use everypath_model::{Topology, TopologyError};
///
/// assert_eq!(Topology::edges(3, &[(1, 1)]), Err(TopologyError::Loop(1)));
/// ```
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum TopologyError {
    /// An edge names a node that does not exist.
    #[error("edge {from}-{to} names a node that does not exist: there are {nodes} nodes, 0 to {last}", last = nodes.saturating_sub(1))]
    UnknownNode {
        /// One end of the edge.
        from: u32,
        /// The other end.
        to: u32,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A grid whose last row is not full.
    #[error("{nodes} nodes do not fill a grid in rows of {width}; give a multiple of {width}")]
    Grid {
        /// How many nodes there are.
        nodes: usize,
        /// How many nodes a row has.
        width: usize,
    },
    /// An edge leads from a node to itself.
    #[error("edge {0}-{0} leads from a node to itself; remove it")]
    Loop(u32),
}

/// The neighbours of each node. Links go both ways.
///
/// ```
/// use everypath_model::{NodeId, Topology};
///
/// let chain = Topology::chain(3);
/// assert_eq!(chain.neighbours(NodeId(1)), [NodeId(0), NodeId(2)]);
/// assert!(!chain.are_neighbours(NodeId(0), NodeId(2)));
/// assert_eq!(Topology::grid(3, 2).links().count(), 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    neighbours: Vec<Vec<NodeId>>,
}

impl Topology {
    /// Nodes without links, such as those on a [field](crate::Field).
    #[must_use]
    pub fn unlinked(nodes: usize) -> Self {
        Self::from_pairs(nodes, std::iter::empty())
    }

    /// `0 - 1 - … - (nodes-1)`.
    #[must_use]
    pub fn chain(nodes: usize) -> Self {
        Self::from_pairs(nodes, (1..nodes).map(|node| (node - 1, node)))
    }

    /// A chain whose ends are joined.
    #[must_use]
    pub fn ring(nodes: usize) -> Self {
        let closing = (nodes > 2).then_some((0, nodes.saturating_sub(1)));
        Self::from_pairs(nodes, (1..nodes).map(|node| (node - 1, node)).chain(closing))
    }

    /// Node 0 in the middle, linked to all others.
    #[must_use]
    pub fn star(nodes: usize) -> Self {
        Self::from_pairs(nodes, (1..nodes).map(|node| (0, node)))
    }

    /// Rows of `width` nodes, numbered row by row, linked to the left, right, above and below.
    #[must_use]
    pub fn grid(width: usize, height: usize) -> Self {
        let nodes = width * height;
        let right = (0..nodes).filter(move |node| (node + 1) % width != 0).map(|n| (n, n + 1));
        let below = (width..nodes).map(move |node| (node - width, node));
        Self::from_pairs(nodes, right.chain(below))
    }

    /// Every node is a neighbour of every other.
    #[must_use]
    pub fn full_mesh(nodes: usize) -> Self {
        Self::from_pairs(nodes, (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))))
    }

    /// The given links; a repeated link counts once.
    ///
    /// # Errors
    /// If an edge names a node that does not exist or leads from a node to itself.
    pub fn edges(nodes: usize, edges: &[(u32, u32)]) -> Result<Self, TopologyError> {
        for &(from, to) in edges {
            if from as usize >= nodes || to as usize >= nodes {
                return Err(TopologyError::UnknownNode { from, to, nodes });
            }
            if from == to {
                return Err(TopologyError::Loop(from));
            }
        }
        Ok(Self::from_pairs(nodes, edges.iter().map(|&(a, b)| (a as usize, b as usize))))
    }

    fn from_pairs(nodes: usize, pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut neighbours = vec![BTreeSet::new(); nodes];
        for (a, b) in pairs {
            neighbours[a].insert(NodeId::from(b));
            neighbours[b].insert(NodeId::from(a));
        }
        Self { neighbours: neighbours.into_iter().map(|set| set.into_iter().collect()).collect() }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether there are no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// All nodes in order.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.len()).map(NodeId::from)
    }

    /// The neighbours of a node, in increasing order.
    #[must_use]
    pub fn neighbours(&self, node: NodeId) -> &[NodeId] {
        &self.neighbours[node.index()]
    }

    /// Whether a link joins two nodes.
    #[must_use]
    pub fn are_neighbours(&self, a: NodeId, b: NodeId) -> bool {
        self.neighbours[a.index()].binary_search(&b).is_ok()
    }

    /// Every link once, the smaller end first.
    pub fn links(&self) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        self.nodes().flat_map(move |a| {
            self.neighbours(a).iter().filter(move |&&b| a < b).map(move |&b| (a, b))
        })
    }
}

/// A topology for any number of nodes, as written on the command line.
///
/// ```
/// use everypath_model::{Shape, Topology};
///
/// let shape: Shape = "grid:3".parse().unwrap();
/// assert_eq!(shape.of(6), Ok(Topology::grid(3, 2)));
/// let shape: Shape = "0-1,1-2,0-2".parse().unwrap();
/// assert_eq!(shape.of(3), Ok(Topology::ring(3)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `chain`
    Chain,
    /// `ring`
    Ring,
    /// `star`
    Star,
    /// `mesh`: every node is a neighbour of every other.
    Mesh,
    /// `grid:3`: rows of three nodes.
    Grid(usize),
    /// `0-1,1-2`: these links.
    Links(Vec<(u32, u32)>),
}

impl Shape {
    /// The topology of this shape with this many nodes.
    ///
    /// # Errors
    /// If the shape does not fit the number of nodes.
    pub fn of(&self, nodes: usize) -> Result<Topology, TopologyError> {
        Ok(match self {
            Self::Chain => Topology::chain(nodes),
            Self::Ring => Topology::ring(nodes),
            Self::Star => Topology::star(nodes),
            Self::Mesh => Topology::full_mesh(nodes),
            Self::Grid(width) if nodes.is_multiple_of(*width) => {
                Topology::grid(*width, nodes / width)
            }
            Self::Grid(width) => return Err(TopologyError::Grid { nodes, width: *width }),
            Self::Links(links) => return Topology::edges(nodes, links),
        })
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chain => f.write_str("chain"),
            Self::Ring => f.write_str("ring"),
            Self::Star => f.write_str("star"),
            Self::Mesh => f.write_str("mesh"),
            Self::Grid(width) => write!(f, "grid:{width}"),
            Self::Links(links) => {
                let links: Vec<String> = links.iter().map(|(a, b)| format!("{a}-{b}")).collect();
                f.write_str(&links.join(","))
            }
        }
    }
}

/// A text that is not a shape.
///
/// ```
/// use everypath_model::Shape;
///
/// let error = "circle".parse::<Shape>().unwrap_err();
/// assert_eq!(error.text, "circle");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not a topology; write {SHAPE_SYNTAX}")]
#[non_exhaustive]
pub struct ShapeError {
    /// The text.
    pub text: String,
}

impl FromStr for Shape {
    type Err = ShapeError;

    fn from_str(text: &str) -> Result<Self, ShapeError> {
        let error = || ShapeError { text: text.to_owned() };
        let link = |link: &str| {
            let (a, b) = link.split_once('-')?;
            Some((a.parse().ok()?, b.parse().ok()?))
        };
        match text {
            "chain" => Ok(Self::Chain),
            "ring" => Ok(Self::Ring),
            "star" => Ok(Self::Star),
            "mesh" => Ok(Self::Mesh),
            _ => match text.strip_prefix("grid:") {
                Some(width) => {
                    let width = width.parse().ok().filter(|&width| width > 0);
                    width.map(Self::Grid).ok_or_else(error)
                }
                None => {
                    let links = text.split(',').map(link).collect::<Option<_>>();
                    links.map(Self::Links).ok_or_else(error)
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_as_they_are_written() {
        for text in ["chain", "ring", "star", "mesh", "grid:3", "0-1", "0-1,1-2,0-2"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
        for text in ["", "grid", "grid:0", "grid:x", "0", "0-", "0-1,", "chains"] {
            let told = text.parse::<Shape>().unwrap_err().to_string();
            assert!(told.starts_with(&format!("`{text}` ")), "{told}");
            assert!(told.contains("; write chain, ring"), "{told}");
        }
    }

    #[test]
    fn shapes_that_do_not_fit_say_so() {
        assert_eq!(Shape::Grid(2).of(5), Err(TopologyError::Grid { nodes: 5, width: 2 }));
        let links = Shape::Links(vec![(0, 3)]);
        assert_eq!(links.of(3), Err(TopologyError::UnknownNode { from: 0, to: 3, nodes: 3 }));
        assert_eq!(Shape::Star.of(4), Ok(Topology::star(4)));
        assert_eq!(Shape::Mesh.of(4), Ok(Topology::full_mesh(4)));
    }

    fn links(topology: &Topology) -> Vec<(u32, u32)> {
        topology.links().map(|(a, b)| (a.0, b.0)).collect()
    }

    #[test]
    fn shapes_have_the_links_of_their_name() {
        assert_eq!(links(&Topology::chain(4)), [(0, 1), (1, 2), (2, 3)]);
        assert_eq!(links(&Topology::ring(4)), [(0, 1), (0, 3), (1, 2), (2, 3)]);
        assert_eq!(links(&Topology::star(4)), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(links(&Topology::grid(2, 2)), [(0, 1), (0, 2), (1, 3), (2, 3)]);
        assert_eq!(links(&Topology::full_mesh(3)), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(links(&Topology::edges(3, &[(2, 1), (1, 2)]).unwrap()), [(1, 2)]);
    }

    #[test]
    fn small_shapes_do_not_fall_over() {
        for nodes in 0..3 {
            assert_eq!(links(&Topology::ring(nodes)), links(&Topology::chain(nodes)));
            assert_eq!(Topology::full_mesh(nodes).len(), nodes);
        }
        assert!(Topology::grid(0, 3).is_empty());
    }

    #[test]
    fn edges_are_checked() {
        assert_eq!(
            Topology::edges(2, &[(0, 2)]),
            Err(TopologyError::UnknownNode { from: 0, to: 2, nodes: 2 })
        );
        assert_eq!(Topology::edges(2, &[(1, 1)]), Err(TopologyError::Loop(1)));
    }
}
