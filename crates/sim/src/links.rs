//! Point-to-point links of all nodes.

use everypath_model::{LinkModel, NodeId, Protocol, Scenario};
use rustc_hash::FxHashMap;

use crate::{
    Stream,
    clock::Nanoseconds,
    link::{Link, Passage},
    outages::Outages,
    world::Flight,
};

/// The links of all nodes to their neighbours.
pub(crate) struct Links {
    /// Those of node 0 in the order of its neighbours, then those of node 1, and so on.
    links: Vec<Link>,
    /// Where the links of each node begin, and after the last node the number of links.
    first: Vec<usize>,
}

impl Links {
    pub(crate) fn new<P: Protocol>(scenario: &Scenario<P>, seed: u64, replication: u32) -> Self {
        let topology = &scenario.topology;
        // As `SimulationSetup::link_between`, but a large network may have as many exceptions as links.
        let mut exceptions = FxHashMap::<(NodeId, NodeId), LinkModel>::default();
        for &(ends, model) in &scenario.simulation.links {
            exceptions.entry(ends).or_insert(model);
        }
        let mut links = Vec::new();
        let mut first = Vec::with_capacity(topology.len() + 1);
        for from in topology.nodes() {
            first.push(links.len());
            for &to in topology.neighbours(from) {
                let model = exceptions.get(&(from, to));
                let model = *model.unwrap_or(&scenario.simulation.link);
                links.push(Link::new(to, model, streams(seed, replication, from, to)));
            }
        }
        first.push(links.len());
        Self { links, first }
    }

    /// The links of a node, in the order of its neighbours.
    pub(crate) fn of(&self, node: NodeId) -> &[Link] {
        &self.links[self.first[node.index()]..self.first[node.index() + 1]]
    }

    fn of_mut(&mut self, node: NodeId) -> &mut [Link] {
        &mut self.links[self.first[node.index()]..self.first[node.index() + 1]]
    }

    /// The link of a node to the neighbour at this place of the list.
    #[inline]
    pub(crate) fn at(&mut self, node: NodeId, place: usize) -> &mut Link {
        &mut self.links[self.first[node.index()] + place]
    }

    /// A node goes down: it forgets what it had to send.
    pub(crate) fn go_down(&mut self, node: NodeId) {
        self.of_mut(node).iter_mut().for_each(Link::clear);
    }

    /// A link goes down: what it had to send is lost, or comes back.
    pub(crate) fn cut(&mut self, one: NodeId, other: NodeId) {
        for (from, to) in [(one, other), (other, one)] {
            let links = self.of_mut(from).iter_mut();
            links.filter(|link| link.to == to).for_each(Link::clear);
        }
    }
}

/// Links of nodes that address packets late: the receiver is chosen when the sender's handler has returned.
pub(crate) struct LateLinks<M> {
    pub(crate) links: Links,
    /// The links between nodes that are not neighbours.
    far: FxHashMap<(NodeId, NodeId), Link>,
    far_model: LinkModel,
    seed: u64,
    replication: u32,
    /// For each node: the packets that no node can receive, the oldest first.
    waiting: Vec<Vec<Flight<M>>>,
    /// For each node: which of several possible receivers gets its packets.
    choices: Vec<Stream>,
}

impl<M> LateLinks<M> {
    pub(crate) fn new<P: Protocol>(scenario: &Scenario<P>, seed: u64, replication: u32) -> Self {
        let nodes = || scenario.topology.nodes();
        let choices = nodes()
            .map(|node| Stream::new(seed, replication, &format!("node {} receivers", node.0)));
        Self {
            links: Links::new(scenario, seed, replication),
            far: FxHashMap::default(),
            far_model: scenario.simulation.link,
            seed,
            replication,
            waiting: nodes().map(|_| Vec::new()).collect(),
            choices: choices.collect(),
        }
    }

    /// Lets a packet wait for a receiver.
    pub(crate) fn wait(&mut self, flight: Flight<M>) {
        self.waiting[flight.from.index()].push(flight);
    }

    /// The packets that wait for a receiver.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &Flight<M>> {
        self.waiting.iter().flatten()
    }

    /// The packets of a node that wait for a receiver, taken out.
    pub(crate) fn take_waiting(&mut self, node: NodeId) -> Vec<Flight<M>> {
        std::mem::take(&mut self.waiting[node.index()])
    }

    /// One of the nodes that can receive a packet of the node, if there are any.
    pub(crate) fn choose_receiver(&mut self, node: NodeId, receivers: &[NodeId]) -> Option<NodeId> {
        match receivers {
            [] => None,
            [receiver] => Some(*receiver),
            several => {
                let options = u32::try_from(several.len()).expect("fewer than 2^32 nodes");
                let drawn = self.choices[node.index()].choose(options);
                Some(several[drawn as usize])
            }
        }
    }

    /// The link from one node to another, neighbours or not.
    pub(crate) fn between(&mut self, from: NodeId, to: NodeId) -> &mut Link {
        match self.links.of(from).binary_search_by_key(&to, |link| link.to) {
            Ok(place) => self.links.at(from, place),
            Err(_) => self.far.entry((from, to)).or_insert_with(|| {
                let streams = streams(self.seed, self.replication, from, to);
                Link::new(to, self.far_model, streams)
            }),
        }
    }

    /// A node goes down: how many packets that waited for a receiver are lost.
    pub(crate) fn go_down(&mut self, node: NodeId) -> usize {
        self.links.go_down(node);
        let far = self.far.iter_mut().filter(|((from, _), _)| *from == node);
        far.for_each(|(_, link)| link.clear());
        self.take_waiting(node).len()
    }
}

/// The streams of random numbers of a link, by purpose.
fn streams(seed: u64, replication: u32, from: NodeId, to: NodeId) -> impl Fn(&str) -> Stream {
    move |purpose| Stream::new(seed, replication, &format!("link {}->{} {purpose}", from.0, to.0))
}

/// Hands a packet to a link: its fate, given what is down or goes down meanwhile.
#[inline]
pub(crate) fn passage(
    link: &mut Link,
    from: NodeId,
    now: Nanoseconds,
    bytes: usize,
    outages: &mut Outages,
) -> Passage {
    match outages.is_empty() {
        true => link.offer(now, bytes),
        false => passage_among(outages, link, from, now, bytes),
    }
}

/// As [`passage`], if something can be down. Apart, so that the other case is short enough to be inlined.
#[inline(never)]
fn passage_among(
    outages: &mut Outages,
    link: &mut Link,
    from: NodeId,
    now: Nanoseconds,
    bytes: usize,
) -> Passage {
    let to = link.to;
    if outages.link_down(from, to, (now, now)).is_some() {
        return Passage::Returns(now);
    }
    let passage = link.offer(now, bytes);
    let Passage::Arrives(time) = passage else {
        return passage;
    };
    let sent = time.saturating_sub(link.delay);
    if let Some(cut) = outages.link_down(from, to, (now, time)) {
        // A node that has been down since does not know what it sent.
        return match outages.node_down(from, (now, cut)) {
            Some(_) => Passage::Lost,
            None => Passage::Returns(cut),
        };
    }
    let is_sent = outages.node_down(from, (now, sent)).is_none();
    if is_sent && outages.node_down(to, (time, time)).is_none() {
        Passage::Arrives(time)
    } else {
        Passage::Lost
    }
}
