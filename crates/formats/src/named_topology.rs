//! A topology from a file, with names of nodes and properties of links.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use everypath_model::{LinkModel, Loss, NodeId, Topology};

use crate::{FormatError, Limits, Problem};

/// The properties of a link in a file; `None` where the file has none.
///
/// ```
/// use everypath_formats::{Limits, edge_list};
///
/// let list = "source,target,bandwidth_bps\na,b,1e6\n";
/// let named = edge_list::read_topology(list.as_bytes(), &Limits::default()).unwrap();
/// let (_, facts) = named.links[0];
/// assert_eq!((facts.bandwidth_bps, facts.delay), (Some(1_000_000), None));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkFacts {
    /// Bits per second.
    pub bandwidth_bps: Option<u64>,
    /// The time from the last bit sent to the last bit received.
    pub delay: Option<Duration>,
    /// The probability that a packet is lost.
    pub loss: Option<f64>,
}

/// A topology from a file.
///
/// ```
/// use everypath_formats::{Limits, edge_list};
/// use everypath_model::NodeId;
///
/// let named = edge_list::read_topology("Oslo Rome\nRome Bonn\n".as_bytes(), &Limits::default()).unwrap();
/// assert_eq!(named.names, ["Oslo", "Rome", "Bonn"]);
/// assert_eq!(named.node("Bonn"), Some(NodeId(2)));
/// assert_eq!(named.topology.neighbours(NodeId(1)).len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTopology {
    /// The nodes and links.
    pub topology: Topology,
    /// The name of each node, by number.
    pub names: Vec<String>,
    /// The properties of links, the smaller end first, in order.
    pub links: Vec<((NodeId, NodeId), LinkFacts)>,
}

impl NamedTopology {
    /// The models of links with properties in the file, in both directions, for
    /// [`SimulationSetup::links`](everypath_model::SimulationSetup::links). Other properties have
    /// their defaults.
    ///
    /// ```
    /// use everypath_formats::{Limits, edge_list};
    /// use everypath_model::{LinkModel, Loss, NodeId};
    ///
    /// let list = "source,target,bandwidth_bps\na,b,1e6\nb,c,\n";
    /// let named = edge_list::read_topology(list.as_bytes(), &Limits::default()).unwrap();
    /// let links = named.link_models(LinkModel::default());
    /// assert_eq!(links.len(), 2);
    /// assert_eq!(links[1].0, (NodeId(1), NodeId(0)));
    /// assert_eq!(links[1].1.bandwidth_bps, Some(1_000_000));
    /// ```
    #[must_use]
    pub fn link_models(&self, usual: LinkModel) -> Vec<((NodeId, NodeId), LinkModel)> {
        let model = |facts: &LinkFacts| {
            usual
                .bandwidth_bps(facts.bandwidth_bps.or(usual.bandwidth_bps))
                .delay(facts.delay.unwrap_or(usual.delay))
                .loss(facts.loss.map_or(usual.loss, Loss::from))
        };
        let both = |&((a, b), ref facts): &((NodeId, NodeId), LinkFacts)| {
            [((a, b), model(facts)), ((b, a), model(facts))]
        };
        self.links.iter().flat_map(both).collect()
    }

    /// The node with a name.
    #[must_use]
    pub fn node(&self, name: &str) -> Option<NodeId> {
        self.names.iter().position(|known| known == name).map(NodeId::from)
    }
}

/// A named topology while it is read.
#[derive(Default)]
pub(crate) struct Builder {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The properties of each link, the smaller end first, and their line.
    links: BTreeMap<(u32, u32), (LinkFacts, u64)>,
}

impl Builder {
    /// The number of a node; a new name gets the next number.
    pub(crate) fn node(
        &mut self,
        name: &str,
        line: u64,
        limits: &Limits,
    ) -> Result<u32, FormatError> {
        if let Some(&node) = self.numbers.get(name) {
            return Ok(node);
        }
        limits.check_nodes(line, self.names.len() + 1)?;
        let node = NodeId::from(self.names.len()).0;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), node);
        Ok(node)
    }

    /// How many nodes there are so far.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a node.
    pub(crate) fn name(&self, node: u32) -> &str {
        &self.names[node as usize]
    }

    /// Links two nodes. A link can be given twice with the same properties.
    pub(crate) fn link(
        &mut self,
        (a, b): (u32, u32),
        facts: LinkFacts,
        line: u64,
        limits: &Limits,
    ) -> Result<(), FormatError> {
        if a == b {
            return Err(FormatError::at(line, Problem::Loop(self.name(a).to_owned())));
        }
        let ends = (a.min(b), a.max(b));
        match self.links.get(&ends) {
            Some((before, _)) if *before == facts => {}
            Some((_, before)) => {
                let what = format!(
                    "the link between `{}` and `{}`, of which line {before} says otherwise,",
                    self.name(a),
                    self.name(b)
                );
                return Err(FormatError::at(line, Problem::Twice(what)));
            }
            None => {
                limits.check_entries(line, "links", self.links.len() + 1)?;
                self.links.insert(ends, (facts, line));
            }
        }
        Ok(())
    }

    /// Numbers the nodes by their names if those are all whole numbers.
    pub(crate) fn sort_by_number(&mut self) {
        let values: Option<Vec<u64>> = self.names.iter().map(|name| name.parse().ok()).collect();
        let Some(values) = values else {
            return;
        };
        let mut order: Vec<u32> = (0..NodeId::from(values.len()).0).collect();
        // A stable sort: 1 and 01 are two names, and stay in the order of the file.
        order.sort_by_key(|&node| values[node as usize]);
        self.renumber(&order);
    }

    /// Renumbers the nodes in this order, which contains each once.
    pub(crate) fn renumber(&mut self, order: &[u32]) {
        let mut place = vec![0; order.len()];
        for (number, &node) in (0..).zip(order) {
            place[node as usize] = number;
        }
        self.names = order.iter().map(|&node| self.names[node as usize].clone()).collect();
        self.numbers.values_mut().for_each(|number| *number = place[*number as usize]);
        let links = std::mem::take(&mut self.links).into_iter();
        self.links = links
            .map(|((a, b), link)| {
                let (a, b) = (place[a as usize], place[b as usize]);
                ((a.min(b), a.max(b)), link)
            })
            .collect();
    }

    pub(crate) fn finish(self) -> Result<NamedTopology, FormatError> {
        if self.names.is_empty() {
            return Err(FormatError::whole(Problem::Empty("node")));
        }
        let edges: Vec<(u32, u32)> = self.links.keys().copied().collect();
        let topology = Topology::edges(self.names.len(), &edges)
            .expect("ends were looked up, and no link is a loop");
        let links = self.links.into_iter();
        let links = links
            .filter(|(_, (facts, _))| *facts != LinkFacts::default())
            .map(|((a, b), (facts, _))| ((NodeId(a), NodeId(b)), facts));
        Ok(NamedTopology { topology, names: self.names, links: links.collect() })
    }
}
