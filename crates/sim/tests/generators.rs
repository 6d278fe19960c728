//! Random topologies against brute force and closed forms.

use crate::validation;

use std::f64::consts::PI;

use everypath_model::{Area, NodeId, Topology};
use everypath_sim::{
    Estimate, Stream,
    generators::{GeneratorError, barabasi_albert, random_geometric, waxman},
};
use proptest::prelude::*;

const SQUARE: Area = Area { width: 1000.0, height: 1000.0 };

fn stream(replication: u32) -> Stream {
    Stream::new(1, replication, "topology")
}

/// How many nodes can be reached from the first one.
fn reached(topology: &Topology) -> usize {
    let mut known = vec![false; topology.len()];
    let mut waiting = vec![NodeId(0)];
    known[0] = true;
    let mut count = 0;
    while let Some(node) = waiting.pop() {
        count += 1;
        for &next in topology.neighbours(node) {
            if !std::mem::replace(&mut known[next.index()], true) {
                waiting.push(next);
            }
        }
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn near_nodes_are_neighbours_and_no_others(
        seed: u64, nodes in 0..80_usize, width in 1.0..2000.0_f64, height in 1.0..2000.0_f64,
        range in prop_oneof![0.001..1.0_f64, 1.0..3000.0_f64],
    ) {
        let area = Area { width, height };
        let placed = random_geometric(nodes, area, range, &mut Stream::new(seed, 0, "t")).unwrap();
        let at = |node: NodeId| placed.places[node.index()];
        for a in placed.topology.nodes() {
            prop_assert!((0.0..=width).contains(&at(a).x) && (0.0..=height).contains(&at(a).y));
            for b in placed.topology.nodes().filter(|&b| b != a) {
                let near = (at(a).x - at(b).x).hypot(at(a).y - at(b).y) <= range;
                prop_assert_eq!(placed.topology.are_neighbours(a, b), near);
            }
        }
    }

    #[test]
    fn barabasi_albert_has_the_promised_links_and_is_connected(
        seed: u64, links in 1..6_usize, more in 1..100_usize,
    ) {
        let nodes = links + more;
        let topology = barabasi_albert(nodes, links, &mut Stream::new(seed, 0, "t")).unwrap();
        prop_assert_eq!(topology.links().count(), links * (nodes - links));
        let degrees: Vec<usize> = topology.nodes().map(|node| topology.neighbours(node).len()).collect();
        prop_assert_eq!(degrees.iter().sum::<usize>(), 2 * links * (nodes - links));
        // Whoever came later brought all its links with it.
        prop_assert!(degrees[links + 1..].iter().all(|&degree| degree >= links));
        prop_assert_eq!(reached(&topology), nodes);
    }

    #[test]
    fn waxman_depends_on_its_stream_alone(seed: u64, nodes in 0..30_usize) {
        let draw = || waxman(nodes, SQUARE, 0.6, 0.3, &mut Stream::new(seed, 0, "t")).unwrap();
        prop_assert_eq!(draw(), draw());
        // Those of no distance to speak of are all linked.
        let near = waxman(nodes, SQUARE, 1.0, 1e18, &mut Stream::new(seed, 0, "t")).unwrap();
        prop_assert_eq!(near.topology, Topology::full_mesh(nodes));
        let none = waxman(nodes, SQUARE, 0.0, 1.0, &mut Stream::new(seed, 0, "t")).unwrap();
        prop_assert_eq!(none.topology.links().count(), 0);
    }
}

#[test]
fn two_nodes_of_a_square_are_near_as_often_as_the_formula_says() {
    for range in [50.0, 250.0, 600.0, 1000.0] {
        let r: f64 = range / 1000.0;
        let expected = PI * r * r - 8.0 / 3.0 * r.powi(3) + r.powi(4) / 2.0;
        let shares: Vec<f64> = (0..300)
            .map(|replication| {
                let placed = random_geometric(40, SQUARE, range, &mut stream(replication)).unwrap();
                placed.topology.links().count() as f64 / (40.0 * 39.0 / 2.0)
            })
            .collect();
        let estimate = Estimate::of("share", "", &shares);
        let what =
            format!("random geometric topology, range {range} m of 1000: share of pairs linked");
        validation::against_formula(&what, &estimate, expected, 0.06);
    }
}

#[test]
fn waxman_links_as_many_as_its_probabilities_add_up_to() {
    for (alpha, beta) in [(1.0, 0.1), (0.5, 0.3), (0.2, 2.0)] {
        let shares: Vec<f64> = (0..100)
            .map(|replication| {
                let area = Area { width: 800.0, height: 600.0 };
                let placed = waxman(30, area, alpha, beta, &mut stream(replication)).unwrap();
                let mut expected = 0.0;
                for (index, a) in placed.places.iter().enumerate() {
                    for b in &placed.places[..index] {
                        let distance = (a.x - b.x).hypot(a.y - b.y);
                        expected += alpha * (-distance / (beta * 1000.0)).exp();
                    }
                }
                placed.topology.links().count() as f64 / expected
            })
            .collect();
        let estimate = Estimate::of("share", "", &shares);
        let what = format!(
            "Waxman topology, {alpha:.1} and {beta:.1}: links, of what its probabilities add up to"
        );
        validation::against_formula(&what, &estimate, 1.0, 0.04);
    }
}

#[test]
fn barabasi_albert_has_hubs() {
    // In the long run a share of 2 m (m + 1) / (k (k + 1) (k + 2)) of the nodes has k links.
    for links in [1, 2, 4] {
        let mut shares = vec![Vec::new(); 3];
        for replication in 0..20 {
            let topology = barabasi_albert(4000, links, &mut stream(replication)).unwrap();
            for (more, shares) in shares.iter_mut().enumerate() {
                let with = |node: &NodeId| topology.neighbours(*node).len() == links + more;
                shares.push(topology.nodes().filter(with).count() as f64 / 4000.0);
            }
        }
        for (more, shares) in shares.iter().enumerate() {
            let (m, k) = (links as f64, (links + more) as f64);
            let expected = 2.0 * m * (m + 1.0) / (k * (k + 1.0) * (k + 2.0));
            let estimate = Estimate::of("share", "", shares);
            let what = format!("Barabási-Albert topology of {links}: share of nodes of degree {k}");
            // The first few nodes are not as in the long run.
            validation::against_approximation(&what, &estimate, expected, 0.04);
        }
    }
}

#[test]
fn links_are_the_same_on_every_machine() {
    let links = |topology: Topology| -> Vec<(u32, u32)> {
        topology.links().map(|(a, b)| (a.0, b.0)).collect()
    };
    assert_eq!(
        links(barabasi_albert(7, 2, &mut stream(0)).unwrap()),
        [(0, 1), (0, 2), (1, 3), (1, 4), (2, 3), (2, 5), (3, 4), (3, 6), (4, 5), (4, 6)]
    );
    assert_eq!(
        links(waxman(6, SQUARE, 0.9, 0.4, &mut stream(0)).unwrap().topology),
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (1, 4), (1, 5), (3, 4)]
    );
    assert_eq!(
        links(random_geometric(8, SQUARE, 300.0, &mut stream(0)).unwrap().topology),
        [(0, 2), (0, 3), (1, 5), (2, 3), (4, 5), (4, 6), (6, 7)]
    );
}

#[test]
fn parameters_without_sense_are_refused() {
    let text = |error: GeneratorError| error.to_string();
    let error = random_geometric(3, SQUARE, f64::NAN, &mut stream(0)).unwrap_err();
    assert_eq!(text(error), "the range is NaN; it must be positive and finite");
    let flat = Area { width: 5.0, height: 0.0 };
    let error = waxman(3, flat, 0.5, 0.5, &mut stream(0)).unwrap_err();
    assert_eq!(text(error), "the height of the area is 0; it must be positive and finite");
    let error = waxman(3, SQUARE, 1.5, 0.5, &mut stream(0)).unwrap_err();
    assert_eq!(text(error), "alpha is 1.5; it must be from 0 to 1");
    for (nodes, links) in [(0, 1), (3, 3), (3, 0)] {
        let error = barabasi_albert(nodes, links, &mut stream(0)).unwrap_err();
        assert_eq!(error, GeneratorError::Links { nodes, links });
    }
}
