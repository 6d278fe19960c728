//! The beginning of the last trial of route discovery: the patterns of the routes that nodes have then,
//! and worlds with all of them.
//!
//! A pattern says which trials have made the routes of a node, not where they lead. Before the third
//! trial, a forwarder has one of six patterns, and the destination, which gets no replies, one of three.

use everypath_model::{NodeId, Scenario, Topology, World, WorldSnapshot};

use super::{Entry, RouteDiscovery, SOURCE, Table, Timer};

/// The name of the cut at the last trial.
const LAST_TRIAL: &str = "last trial";
/// The names of the lists of starts.
const PATTERNS: &str = "patterns";
const ALL_NEXT_HOPS: &str = "patterns with all next hops";
/// A list has at most this many worlds.
const WORLDS_MAX: u64 = 1_000_000;

/// The trials that have made the routes of a node: to the source, and to the destination.
type Pattern = (Option<u32>, Option<u32>);

fn pattern(table: &Table) -> Pattern {
    let number = |entry: &Option<Entry>| entry.as_ref().map(|entry| entry.number);
    (number(&table.to_source), number(&table.to_destination))
}

/// The name of a pattern, as in the article: rt1 without routes, rt2 and rt3 after a request of the
/// first trial without and with a reply, rt4 to rt6 after one of the second without, with an old and with
/// a new reply, and so on.
fn name((request, reply): Pattern) -> String {
    match (request.unwrap_or(0), reply.unwrap_or(0)) {
        (0, 0) => "rt1".to_owned(),
        // Only where routes are discarded is there a route back that is older or missing.
        (request, reply) if reply > request => format!("rt({request},{reply})"),
        (request, reply) => format!("rt{}", 2 + (request - 1) * (request + 2) / 2 + reply),
    }
}

/// The patterns of all nodes but the source.
fn name_of_all(nodes: impl Iterator<Item = (NodeId, Pattern)>) -> String {
    let others = nodes.filter(|(node, _)| *node != SOURCE);
    others.map(|(node, pattern)| format!("{node}:{}", name(pattern))).collect::<Vec<_>>().join(" ")
}

/// Where stale routes lead.
#[derive(Clone, Copy)]
enum NextHops {
    /// Right to the ends.
    Ends,
    /// To any node, except that no route to one end begins at the other.
    All,
}

/// The beginning of the last trial, in all worlds with these patterns.
#[derive(Clone)]
struct LastTrial {
    links: Topology,
    nodes: u32,
    /// The number of the last trial.
    trial: u32,
}

impl LastTrial {
    fn destination(&self) -> NodeId {
        NodeId(self.nodes - 1)
    }

    /// The patterns that a node can have when this trial begins.
    fn patterns(&self, node: NodeId) -> Vec<Pattern> {
        let mut all = vec![(None, None)];
        for request in 1..self.trial {
            let replies = if node == self.destination() { 0 } else { request };
            all.push((Some(request), None));
            all.extend((1..=replies).map(|reply| (Some(request), Some(reply))));
        }
        all
    }

    /// The next hops of stale routes to the source, or to the destination.
    fn next_hops(&self, node: NodeId, to: NodeId, next: NextHops) -> Vec<NodeId> {
        let other = if to == SOURCE { self.destination() } else { SOURCE };
        match next {
            NextHops::Ends => vec![to],
            NextHops::All => {
                (0..self.nodes).map(NodeId).filter(|&it| it != node && it != other).collect()
            }
        }
    }

    /// The tables with a pattern.
    fn tables(&self, node: NodeId, (request, reply): Pattern, next: NextHops) -> Vec<Table> {
        let entries = |number: Option<u32>, to| match number {
            None => vec![None],
            Some(number) => {
                let hops = self.next_hops(node, to, next).into_iter();
                hops.map(|next| Some(Entry { number, next, hops: 0 })).collect()
            }
        };
        let (back, forth) = (entries(request, SOURCE), entries(reply, self.destination()));
        let with = |to_source: &Option<Entry>| {
            let to_source = to_source.clone();
            forth.iter().cloned().map(move |to_destination| Table {
                to_source: to_source.clone(),
                to_destination,
                trials: 0,
            })
        };
        back.iter().flat_map(with).collect()
    }

    /// How many worlds there are; nothing if they are too many to be listed.
    fn count(&self, next: NextHops) -> Option<u64> {
        let count_at = |node: NodeId| {
            let patterns = self.patterns(node).into_iter();
            patterns
                .map(|(request, reply)| {
                    let hops = |number: Option<u32>, to| {
                        number.map_or(1, |_| self.next_hops(node, to, next).len() as u64)
                    };
                    hops(request, SOURCE) * hops(reply, self.destination())
                })
                .sum()
        };
        let mut nodes = (1..self.nodes).map(NodeId);
        let count = nodes.try_fold(1, |all: u64, node| all.checked_mul(count_at(node)));
        count.filter(|&count| count <= WORLDS_MAX)
    }

    /// All worlds, by the patterns of their nodes. The source has no route and begins the trial next;
    /// nothing is in flight.
    fn worlds(&self, next: NextHops) -> Vec<(String, Vec<WorldSnapshot<RouteDiscovery>>)> {
        let others: Vec<NodeId> = (1..self.nodes).map(NodeId).collect();
        let choices: Vec<Vec<Pattern>> = others.iter().map(|&node| self.patterns(node)).collect();
        let instance = |patterns: Vec<Pattern>| {
            let tables: Vec<Vec<Table>> = others
                .iter()
                .zip(&patterns)
                .map(|(&node, &pattern)| self.tables(node, pattern, next))
                .collect();
            let worlds = product(&tables).into_iter().map(|tables| self.world(tables)).collect();
            (name_of_all(others.iter().copied().zip(patterns)), worlds)
        };
        product(&choices).into_iter().map(instance).collect()
    }

    fn world(&self, tables: Vec<Table>) -> WorldSnapshot<RouteDiscovery> {
        let source = Table { trials: self.trial - 1, ..Table::default() };
        WorldSnapshot::at_rest(&self.links, [source].into_iter().chain(tables))
            .with_timer(SOURCE, Timer::Seek)
    }
}

/// All ways to take one of each.
fn product<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    choices.iter().fold(vec![Vec::new()], |all, choices| {
        let longer = |one: &Vec<T>| {
            let one = one.clone();
            choices.iter().map(move |choice| [&one[..], std::slice::from_ref(choice)].concat())
        };
        all.iter().flat_map(longer).collect()
    })
}

/// Adds a cut where the last trial begins, by the patterns of all nodes.
pub(super) fn with_cut(scenario: Scenario<RouteDiscovery>, trial: u32) -> Scenario<RouteDiscovery> {
    scenario.cut(
        LAST_TRIAL,
        move |world: &World<'_, RouteDiscovery>| world.node(SOURCE).trials == trial,
        |world| name_of_all(world.nodes().map(|(node, table)| (node, pattern(table)))),
    )
}

/// Adds the worlds in which the article lets the last trial begin. They cover a protocol that never
/// discards a route.
pub(super) fn with_starts(
    mut scenario: Scenario<RouteDiscovery>,
    trial: u32,
) -> Scenario<RouteDiscovery> {
    let links = scenario.topology.clone();
    let last = LastTrial { nodes: links.len() as u32, links, trial };
    for (name, next) in [(PATTERNS, NextHops::Ends), (ALL_NEXT_HOPS, NextHops::All)] {
        if last.count(next).is_some() {
            let last = last.clone();
            scenario = scenario.starts(name, move || last.worlds(next));
        }
    }
    scenario
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last_trial(nodes: u32, trial: u32) -> LastTrial {
        LastTrial { links: Topology::full_mesh(nodes as usize), nodes, trial }
    }

    /// The six patterns of a forwarder, and the three of the destination.
    #[test]
    fn patterns_have_the_names_of_the_article() {
        let last = last_trial(4, 3);
        let names =
            |node| last.patterns(NodeId(node)).into_iter().map(name).collect::<Vec<String>>();
        assert_eq!(names(1), ["rt1", "rt2", "rt3", "rt4", "rt5", "rt6"]);
        assert_eq!(names(3), ["rt1", "rt2", "rt4"]);
        assert_eq!(name((Some(3), None)), "rt7");
        assert_eq!(name((Some(1), Some(2))), "rt(1,2)");
        assert_eq!(name((None, Some(1))), "rt(0,1)");
    }

    /// In general, T(T+1)/2 patterns of a forwarder and T of the destination.
    #[test]
    fn instances_are_counted() {
        for (nodes, expected) in [(2, 3), (3, 18), (4, 108), (5, 648)] {
            let last = last_trial(nodes, 3);
            assert_eq!(last.count(NextHops::Ends), Some(expected));
            assert_eq!(last.worlds(NextHops::Ends).len() as u64, expected);
        }
        for (nodes, trial, expected) in [(4, 1, 1), (4, 2, 18), (3, 4, 40)] {
            assert_eq!(last_trial(nodes, trial).count(NextHops::Ends), Some(expected));
        }
        for (nodes, expected) in [(2, 3), (3, 30), (4, 2023), (5, 353_736)] {
            assert_eq!(last_trial(nodes, 3).count(NextHops::All), Some(expected));
        }
        let worlds = last_trial(4, 3).worlds(NextHops::All);
        assert_eq!(worlds.iter().map(|(_, worlds)| worlds.len()).sum::<usize>(), 2023);
        assert_eq!(last_trial(64, 60).count(NextHops::All), None);
    }
}
