//! Nodes and who is whose neighbour.

use std::{collections::BTreeSet, fmt};

use thiserror::Error;

/// The name of a node: 0, 1, 2, … It prints as `n0`, `n1`, `n2`, also within a state.
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
#[derive(Debug, Error, PartialEq, Eq)]
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
    /// An edge leads from a node to itself.
    #[error("edge {0}-{0} leads from a node to itself; leave it out")]
    Loop(u32),
}

/// Which nodes are neighbours. Links go both ways.
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

    /// Node 0 in the middle, all others linked to it alone.
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

    /// Everyone is everyone's neighbour.
    #[must_use]
    pub fn full_mesh(nodes: usize) -> Self {
        Self::from_pairs(nodes, (0..nodes).flat_map(|a| (a + 1..nodes).map(move |b| (a, b))))
    }

    /// The given links; one that is given twice counts once.
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

    /// Whether there is no node at all.
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

    /// Whether a link joins the two.
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

#[cfg(test)]
mod tests {
    use super::*;

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
