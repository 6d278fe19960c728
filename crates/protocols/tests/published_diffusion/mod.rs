//! The rows of the thesis's tables on directed diffusion, and how to run them.

use everypath_explore::{Add, Exploration, Options, RankBy, RankingPart, Space, Strategy, explore};
use everypath_model::{Parameters, Profile, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::diffusion::{Diffusion, diffusion_1, diffusion_2};

pub type Build = fn(&mut Parameters) -> Scenario<Diffusion>;

/// The thesis's two counterexamples.
pub const COUNTEREXAMPLES: [Build; 2] = [diffusion_1, diffusion_2];

/// What the thesis calls a search.
#[derive(Clone, Copy)]
pub enum Search {
    Bfs(Add),
    DfsR,
    /// Best-first by a ranking, from 1.
    Best(usize, Add),
}

impl Search {
    pub fn name(self) -> String {
        let added = |add| if add == Add::Next { "AN" } else { "AC" };
        match self {
            Self::Bfs(add) => format!("BFS-{}", added(add)),
            Self::DfsR => "DFS-R".to_owned(),
            Self::Best(ranking, add) => format!("DD-{ranking}-BeFS-{}", added(add)),
        }
    }

    fn strategy(self) -> Strategy {
        match self {
            Self::Bfs(_) => Strategy::BreadthFirst,
            Self::DfsR => Strategy::DepthFirstRecursive,
            Self::Best(ranking, _) => {
                Strategy::BestFirst(RankBy(vec![RankingPart::Named(ranking - 1)]))
            }
        }
    }

    fn add(self) -> Add {
        match self {
            Self::Bfs(add) | Self::Best(_, add) => add,
            Self::DfsR => Add::Next,
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
    /// States, stored or waiting, and executed events.
    pub published: (u64, u64),
}

impl Row {
    pub fn run(&self) -> (u64, u64) {
        let found = run(self.counterexample, self.nodes, self.depth, self.search);
        // A recursion has no list of states to be explored.
        let waiting = match self.search {
            Search::DfsR => 0,
            Search::Bfs(_) | Search::Best(..) => found.states_waiting,
        };
        (found.states_visited + waiting, found.counts.events)
    }
}

/// Searches as the thesis does.
pub fn run(counterexample: usize, nodes: usize, depth: u32, search: Search) -> Exploration {
    told(counterexample, nodes, depth, search).0
}

/// The same, with the sentences of the run that was found.
pub fn told(
    counterexample: usize,
    nodes: usize,
    depth: u32,
    search: Search,
) -> (Exploration, Vec<String>) {
    let mut parameters = Parameters::with([("nodes", nodes.to_string())]).under(Profile::Thesis);
    let scenario = COUNTEREXAMPLES[counterexample - 1](&mut parameters);
    parameters.finish().unwrap();
    let profile = Profile::Thesis;
    let space_options = SpaceOptions { profile, ..SpaceOptions::default() };
    let mut space = NetworkSpace::new(&scenario, space_options.clone()).unwrap();
    let options = Options {
        strategy: search.strategy(),
        add: search.add(),
        relation: space.relations().iter().position(|name| name == "simulated"),
        required_on_path: scenario.required.as_ref().map(|event| event.parse().unwrap()),
        max_depth: Some(depth),
        semantics: space_options.semantics(),
        ..Options::default()
    };
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let steps = found.finding().map(|finding| finding.trace.transitions());
    let sentences = steps.into_iter().flatten();
    let sentences =
        sentences.map(|(before, step)| space.event_text(before, step.event).sentence).collect();
    (found, sentences)
}

/// Tables 5.1 and 5.3. For ranking 5 and the second counterexample the thesis has no numbers.
pub fn rows() -> Vec<Row> {
    use Search::{Best, Bfs, DfsR};
    let best = |ranking| Best(ranking, Add::Next);
    let first = [
        (Bfs(Add::Next), (16735, 115_698)),
        (DfsR, (8306, 173_823)),
        (best(1), (513, 1042)),
        (best(2), (501, 1279)),
        (best(3), (5638, 113_342)),
        (best(4), (284, 474)),
        (best(5), (14284, 175_807)),
        (best(6), (12985, 95036)),
    ];
    let second = [
        (Bfs(Add::Next), (44348, 425_181)),
        (DfsR, (8027, 179_112)),
        (best(1), (18063, 92820)),
        (best(2), (20435, 132_382)),
        (best(3), (21670, 521_326)),
        (best(4), (3574, 18373)),
        (best(6), (55336, 508_048)),
    ];
    let chains = [
        (247, 474),
        (2289, 27826),
        (3604, 51341),
        (4503, 51649),
        (8506, 110_540),
        (13839, 172_912),
        (24105, 347_204),
        (33422, 495_318),
        (51666, 867_921),
    ];
    let by_search = |counterexample, depth| {
        move |(search, published)| Row {
            table: "5.1",
            counterexample,
            nodes: 4,
            depth,
            search,
            published,
        }
    };
    let by_nodes = |(nodes, published): (usize, (u64, u64))| Row {
        table: "5.3",
        counterexample: 1,
        nodes,
        depth: 5 * nodes as u32 - 5,
        search: Best(4, Add::Current),
        published,
    };
    let first = first.into_iter().map(by_search(1, 15));
    let second = second.into_iter().map(by_search(2, 20));
    first.chain(second).chain((4..).zip(chains).map(by_nodes)).collect()
}
