//! The rows of the thesis's tables on AODV, and how to run them.

use everypath_explore::{
    Exploration, Options, RankBy, RankingPart, Space, Stop, Strategy, explore,
};
use everypath_model::{Parameters, Profile, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::aodv::{Aodv, aodv_1, aodv_2, aodv_3};

pub type Build = fn(&mut Parameters) -> Scenario<Aodv>;

/// The thesis's three counterexamples.
pub const COUNTEREXAMPLES: [Build; 3] = [aodv_1, aodv_2, aodv_3];

/// By what the thesis tells states apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// A state stands for all that it simulates.
    Simulated,
    /// Two states are the same if their hashes are.
    Hashed,
}

impl Sameness {
    fn relation(self) -> &'static str {
        match self {
            Self::Simulated => "simulated",
            Self::Hashed => "hashed",
        }
    }
}

/// What the thesis calls a search.
#[derive(Clone, Copy)]
pub enum Search {
    Bfs,
    DfsR,
    /// Best-first by a ranking, from 1.
    Best(usize),
}

impl Search {
    pub fn name(self) -> String {
        match self {
            Self::Bfs => "BFS-AN".to_owned(),
            Self::DfsR => "DFS-R".to_owned(),
            Self::Best(ranking) => format!("AODV-{ranking}-BeFS-AN"),
        }
    }

    pub fn strategy(self) -> Strategy {
        match self {
            Self::Bfs => Strategy::BreadthFirst,
            Self::DfsR => Strategy::DepthFirstRecursive,
            Self::Best(ranking) => {
                Strategy::BestFirst(RankBy(vec![RankingPart::Named(ranking - 1)]))
            }
        }
    }
}

/// One row of a published table.
pub struct Row {
    pub table: &'static str,
    /// Which counterexample, from 1.
    pub counterexample: usize,
    pub nodes: usize,
    pub depth: u32,
    pub search: Search,
    pub sameness: Sameness,
    /// Stored states and executed events.
    pub published: (u64, u64),
}

impl Row {
    pub fn run(&self) -> (u64, u64) {
        let build = COUNTEREXAMPLES[self.counterexample - 1];
        let (search, sameness) = (self.search, self.sameness);
        let found = run(build, self.nodes, self.depth, search, sameness, Stop::First);
        (found.states_visited, found.counts.events)
    }
}

/// Searches as the thesis does.
pub fn run(
    build: Build,
    nodes: usize,
    depth: u32,
    search: Search,
    sameness: Sameness,
    stop: Stop,
) -> Exploration {
    let scenario = scenario(build, nodes);
    let (mut space, options) = prepare(&scenario, depth, search, sameness);
    explore(&mut space, &Options { stop, ..options }, &mut ()).unwrap()
}

/// The scenario in the thesis's profile.
pub fn scenario(build: Build, nodes: usize) -> Scenario<Aodv> {
    let mut parameters = Parameters::with([("nodes", nodes.to_string())]).under(Profile::Thesis);
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    scenario
}

/// The space of a scenario, and how to search it as the thesis does.
pub fn prepare(
    scenario: &Scenario<Aodv>,
    depth: u32,
    search: Search,
    sameness: Sameness,
) -> (NetworkSpace<'_, Aodv>, Options) {
    let profile = Profile::Thesis;
    let space_options = SpaceOptions { profile, ..SpaceOptions::default() };
    let space = NetworkSpace::new(scenario, space_options.clone()).unwrap();
    let relations = space.relations();
    let options = Options {
        strategy: search.strategy(),
        relation: relations.iter().position(|name| name == sameness.relation()),
        required_on_path: scenario.required.as_ref().map(|event| event.parse().unwrap()),
        max_depth: Some(depth),
        semantics: space_options.semantics(),
        ..Options::default()
    };
    (space, options)
}

/// Tables 4.2, 4.3, 4.5 and 4.6.
pub fn rows() -> Vec<Row> {
    use Sameness::{Hashed, Simulated};
    use Search::{Best, Bfs, DfsR};
    let searches = [Bfs, DfsR, Best(1), Best(2), Best(3), Best(4), Best(5)];
    let by_search = [
        (
            "4.2",
            Simulated,
            1,
            [
                (4699, 26303),
                (1459, 21757),
                (489, 4169),
                (394, 1606),
                (240, 1179),
                (745, 8229),
                (588, 6025),
            ],
        ),
        (
            "4.2",
            Simulated,
            2,
            [
                (4762, 26641),
                (1502, 22364),
                (485, 4116),
                (389, 1562),
                (240, 1140),
                (2123, 25205),
                (1809, 20976),
            ],
        ),
        (
            "4.2",
            Simulated,
            3,
            [
                (4310, 25211),
                (1406, 21056),
                (477, 4039),
                (386, 1552),
                (239, 1131),
                (743, 8216),
                (581, 5806),
            ],
        ),
        (
            "4.5",
            Hashed,
            1,
            [
                (70308, 283_122),
                (22908, 344_333),
                (1346, 10878),
                (6491, 85977),
                (569, 2560),
                (4431, 45816),
                (2398, 19525),
            ],
        ),
        (
            "4.5",
            Hashed,
            2,
            [
                (70551, 284_689),
                (23290, 350_204),
                (1302, 10524),
                (6488, 85941),
                (530, 2284),
                (17004, 183_929),
                (15147, 159_198),
            ],
        ),
        (
            "4.5",
            Hashed,
            3,
            [
                (69073, 280_967),
                (22767, 342_585),
                (1291, 10414),
                (6473, 85779),
                (529, 2275),
                (4427, 45816),
                (2384, 19166),
            ],
        ),
    ];
    let by_search = by_search.into_iter().flat_map(|(table, sameness, counterexample, numbers)| {
        searches.into_iter().zip(numbers).map(move |(search, published)| Row {
            table,
            counterexample,
            nodes: 3,
            depth: 10,
            search,
            sameness,
            published,
        })
    });
    let chain = |table, sameness, (nodes, published): (usize, (u64, u64))| Row {
        table,
        counterexample: 3,
        nodes,
        depth: 5 * nodes as u32,
        search: Best(1),
        sameness,
        published,
    };
    let simulated = [
        (74, 155),
        (402, 2235),
        (1332, 12976),
        (548, 3447),
        (628, 2605),
        (838, 2931),
        (1578, 23658),
        (3875, 118_119),
        (4294, 143_401),
        (6302, 257_045),
    ];
    let hashed = [(86, 134), (520, 1988), (7094, 62206), (3437, 42631), (5269, 102_833)];
    let by_nodes = (3..).zip(simulated).map(|row| chain("4.3", Simulated, row));
    let by_nodes = by_nodes.chain((3..).zip(hashed).map(|row| chain("4.6", Hashed, row)));
    by_search.chain(by_nodes).collect()
}
