//! Route discovery among mobile nodes explored: the numbers of independent programs, exactly.

use everypath_explore::{Exploration, Judged, Options, Stop, explore};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::route_discovery::{RouteDiscovery, route_discovery};

use crate::explored::scenario;

/// A setting, with the number of states and of events; 0 if the events were not counted.
struct Row {
    nodes: u32,
    trials: u32,
    audience: &'static str,
    network: &'static str,
    retry: &'static str,
    states: u64,
    events: u64,
}

impl Row {
    fn given(&self) -> [(&'static str, String); 5] {
        [
            ("nodes", self.nodes.to_string()),
            ("trials", self.trials.to_string()),
            ("audience", self.audience.to_owned()),
            ("network", self.network.to_owned()),
            ("retry", self.retry.to_owned()),
        ]
    }
}

/// Rows with the same surroundings: nodes, trials, states and events.
fn rows(
    audience: &'static str,
    network: &'static str,
    retry: &'static str,
    all: &[(u32, u32, u64, u64)],
) -> Vec<Row> {
    let row = |&(nodes, trials, states, events)| {
        // Of two nodes, one has one neighbour.
        let audience = if nodes == 2 { "1" } else { audience };
        Row { nodes, trials, audience, network, retry, states, events }
    };
    all.iter().map(row).collect()
}

fn found(
    given: &[(&str, String)],
    options: &Options,
    look: impl Fn(&mut NetworkSpace<'_>, &Exploration),
) -> Exploration {
    let given: Vec<(&str, &str)> = given.iter().map(|(name, said)| (*name, &**said)).collect();
    let scenario = scenario(route_discovery, &given);
    let mut space =
        NetworkSpace::new::<RouteDiscovery>(&scenario, SpaceOptions::default()).unwrap();
    let found = explore(&mut space, options, &mut ()).unwrap();
    look(&mut space, &found);
    found
}

/// Explores everything. There is no loop, and the source finds a route.
fn whole(given: &[(&str, String)]) -> Exploration {
    found(given, &Options::default(), |space, found| {
        assert!(found.findings.is_empty() && found.saw_everything());
        let goals: Vec<usize> = found.witnesses.iter().map(|witness| witness.goal).collect();
        assert_eq!(goals, [0], "{:?}", space.goals());
        assert_eq!(found.witnesses[0].trace.steps.len(), 3, "request, reply");
    })
}

fn compare(rows: &[Row]) {
    for row in rows {
        let found = whole(&row.given());
        assert_eq!(found.states_visited, row.states, "{:?}", row.given());
        if row.events > 0 {
            assert_eq!(found.counts.events, row.events, "{:?}", row.given());
        }
    }
}

#[test]
fn mailboxes_of_one_packet() {
    let all = [
        (2, 1, 5, 4),
        (2, 2, 15, 18),
        (2, 3, 34, 48),
        (3, 1, 29, 46),
        (3, 2, 261, 621),
        (3, 3, 1282, 3781),
        (4, 1, 387, 971),
        (4, 2, 14404, 57762),
        (4, 3, 186_745, 970_064),
        (5, 1, 10562, 39559),
    ];
    compare(&rows("2", "inbox:1", "any-time", &all));
}

#[test]
fn new_states_per_depth() {
    let depths: [(&str, &str, &[u64]); 3] = [
        ("3", "3", &[1, 4, 17, 57, 144, 246, 292, 182, 171, 120, 41, 7]),
        (
            "4",
            "3",
            &[
                1, 7, 58, 348, 1523, 5075, 12270, 21263, 26933, 28705, 27930, 23196, 17206, 11470,
                6286, 2988, 1048, 328, 94, 16,
            ],
        ),
        ("5", "1", &[1, 11, 100, 628, 2172, 2850, 2952, 1548, 294, 6]),
    ];
    for (nodes, trials, expected) in depths {
        let given = [("nodes", nodes.to_owned()), ("trials", trials.to_owned())];
        assert_eq!(whole(&given).states_per_depth(), expected, "{nodes} nodes");
    }
}

#[test]
fn other_audiences() {
    let of = |audience, all: &[_]| rows(audience, "inbox:1", "any-time", all);
    compare(&of("1", &[(3, 3, 556, 1156), (4, 1, 37, 42), (4, 2, 1021, 1898)]));
    compare(&of("3", &[(4, 1, 552, 1690), (4, 2, 17726, 82213)]));
}

#[test]
fn larger_mailboxes() {
    let of = |network, all: &[_]| rows("2", network, "any-time", all);
    let two = [
        (2, 3, 47, 68),
        (3, 1, 32, 52),
        (3, 2, 582, 1433),
        (3, 3, 5495, 16840),
        (4, 1, 606, 1573),
        (4, 2, 120_749, 468_361),
    ];
    compare(&of("inbox:2", &two));
    let large =
        [(3, 1, 32, 0), (3, 2, 762, 0), (3, 3, 17579, 0), (4, 1, 630, 0), (4, 2, 322_872, 0)];
    compare(&of("inbox:255", &large));
}

#[test]
fn trials_that_do_not_overlap() {
    let all = [
        (2, 1, 5, 0),
        (2, 2, 9, 0),
        (2, 3, 13, 0),
        (3, 1, 29, 46),
        (3, 2, 75, 137),
        (3, 3, 143, 287),
        (4, 1, 387, 971),
        (4, 2, 2221, 7185),
        (4, 3, 8048, 29878),
    ];
    compare(&rows("2", "inbox:1", "when-quiet", &all));
}

#[test]
fn an_unordered_network() {
    let all = [
        (2, 1, 5, 0),
        (2, 2, 20, 0),
        (2, 3, 74, 0),
        (3, 1, 37, 68),
        (3, 2, 1153, 4060),
        (3, 3, 33525, 174_440),
        (4, 1, 865, 2719),
        (4, 2, 787_977, 4_627_284),
    ];
    compare(&rows("2", "unordered", "any-time", &all));
}

/// The relation `simulated`, with the largest audiences first.
#[test]
fn fewer_states_with_the_simulation_preorder() {
    let related = |given: &[(&str, &str)]| {
        let given: Vec<_> = given.iter().map(|(name, said)| (*name, (*said).to_owned())).collect();
        found(&given, &Options::default().relation(Some(0)), |_, found| {
            assert!(found.findings.is_empty());
        })
    };
    let unordered = related(&[("nodes", "3"), ("network", "unordered")]);
    assert_eq!(unordered.states_visited, 622);
    let mailboxes = related(&[("nodes", "3")]);
    assert!(mailboxes.states_visited < 1282, "{}", mailboxes.states_visited);
}

/// The loop of the article's fifth figure: five events, from four nodes on.
#[test]
fn routes_that_are_discarded_make_loops() {
    let deep = |nodes: &str, trials: &str, expire: &str, depth| {
        let given = [("nodes", nodes), ("trials", trials), ("expire", expire)];
        let given = given.map(|(name, said)| (name, said.to_owned()));
        found(&given, &Options::default().max_depth(depth).stop(Stop::Never), |space, found| {
            for finding in &found.findings {
                let name = &space.assertions()[finding.assertion];
                assert_eq!(name, "routes to the source have no loop");
                assert_eq!(finding.trace.steps.len(), 5);
            }
        })
    };
    /// Nodes, trials, what expires; new states by depth, and violations at depths five and six.
    type Expiring = (&'static str, &'static str, &'static str, &'static [u64], [u64; 2]);
    let depths: [Expiring; 5] = [
        ("4", "1", "to-source", &[1, 7, 33, 121, 259, 437, 692], [140, 168]),
        ("4", "3", "to-source", &[1, 7, 58, 375, 1823, 6918, 20206], [140, 714]),
        ("4", "1", "all", &[1, 7, 33, 121, 262, 444, 746], [140, 168]),
        ("4", "3", "all", &[1, 7, 58, 375, 1826, 6948, 20383], [140, 714]),
        ("5", "1", "to-source", &[1, 11, 100, 716, 3283, 9118, 21147], [1782, 11880]),
    ];
    for (nodes, trials, expire, expected, [five, six]) in depths {
        let what = format!("{nodes} nodes, {trials} trials, {expire}");
        let found = deep(nodes, trials, expire, 6);
        assert_eq!(found.states_per_depth(), expected, "{what}");
        assert_eq!(found.counts.unsafe_events, five + six, "{what}");
        assert_eq!(deep(nodes, trials, expire, 5).counts.unsafe_events, five, "{what}");
    }
    for (trials, states) in [("1", 111), ("3", 4786)] {
        let given = [("nodes", "3"), ("trials", trials), ("expire", "all")];
        let given = given.map(|(name, said)| (name, said.to_owned()));
        let found = found(&given, &Options::default(), |_, found| {
            assert!(found.findings.is_empty() && found.saw_everything());
        });
        assert_eq!(found.states_visited, states);
    }
}
