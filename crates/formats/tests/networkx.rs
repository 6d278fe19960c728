//! A GraphML file that a graph library wrote (networkx 3.6.1: a Barabási-Albert graph of 12 nodes, two of them
//! renamed), against what the library says about it.

use std::time::Duration;

use everypath_formats::{
    Limits,
    graphml::{self, Directed},
};
use everypath_model::NodeId;

const FILE: &[u8] = include_bytes!("data/networkx.graphml");

#[test]
fn a_graph_of_networkx_is_read_as_it_was() {
    let named = graphml::read_topology(FILE, Directed::Refused, &Limits::default()).unwrap();
    assert_eq!(named.names[..3], ["a <b> & 'c'", "Zürich", "2"]);
    assert_eq!(named.topology.links().count(), 20);
    let degrees = [6, 2, 1, 7, 2, 6, 2, 4, 3, 3, 2, 2];
    for (node, degree) in (0..).map(NodeId).zip(degrees) {
        assert_eq!(named.topology.neighbours(node).len(), degree, "{node}");
    }
    // Every link has its delay, every third its bandwidth, every fourth its loss.
    assert_eq!(named.links.len(), 20);
    let total: Duration = named.links.iter().map(|(_, facts)| facts.delay.unwrap()).sum();
    assert_eq!(total, Duration::from_millis(210));
    assert_eq!(named.links.iter().filter(|(_, facts)| facts.bandwidth_bps.is_some()).count(), 7);
    let losses: f64 = named.links.iter().filter_map(|(_, facts)| facts.loss).sum();
    assert!((losses - 0.4).abs() < 1e-12);
}
