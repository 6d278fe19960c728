//! How the thesis searches, and a row of one of its tables.

use std::fmt;

use everypath_explore::{
    Add, Described, Exploration, Options, RankBy, RankingPart, Related, Strategy, explore,
};
use everypath_model::{Parameters, Profile, Protocol, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};

pub type Build<P> = fn(&mut Parameters) -> Scenario<P>;

/// What the thesis calls a search.
#[derive(Clone, Copy)]
pub enum Search {
    Bfs(Add),
    Dfs(Add),
    DfsR,
    /// Best-first by a ranking, from 1.
    Best(usize, Add),
}

impl Search {
    /// By its name in the thesis, as `AODV-3-BeFS-AN`.
    pub fn named(name: &str) -> Self {
        let add = if name.ends_with("-AC") { Add::Current } else { Add::Next };
        let ranking = name.split("-BeFS").next().and_then(|before| before.split('-').nth(1));
        match name.split('-').next() {
            Some("BFS") => Self::Bfs(add),
            Some("DFS") if name == "DFS-R" => Self::DfsR,
            Some("DFS") => Self::Dfs(add),
            _ => Self::Best(ranking.and_then(|it| it.parse().ok()).expect("a ranking"), add),
        }
    }

    pub fn strategy(self) -> Strategy {
        match self {
            Self::Bfs(_) => Strategy::BreadthFirst,
            Self::Dfs(_) => Strategy::DepthFirst,
            Self::DfsR => Strategy::DepthFirstRecursive,
            Self::Best(ranking, _) => {
                Strategy::BestFirst(RankBy(vec![RankingPart::Named(ranking - 1)]))
            }
        }
    }

    fn add(self) -> Add {
        match self {
            Self::Bfs(add) | Self::Dfs(add) | Self::Best(_, add) => add,
            Self::DfsR => Add::Next,
        }
    }
}

/// What is searched, and how.
pub struct Setting<P: Protocol> {
    pub build: Build<P>,
    pub nodes: usize,
    pub depth: u32,
    pub search: Search,
    /// By which relation states are told apart.
    pub relation: &'static str,
}

impl<P: Protocol> Setting<P> {
    /// Searches as the thesis does but for some options; with the sentences of the run that was
    /// found.
    pub fn explore(&self, adjust: impl FnOnce(Options) -> Options) -> (Exploration, Vec<String>) {
        let profile = Profile::Thesis;
        let mut parameters = Parameters::with([("nodes", self.nodes.to_string())]).under(profile);
        let scenario = (self.build)(&mut parameters);
        parameters.finish().unwrap();
        let space_options = SpaceOptions::default().profile(profile);
        let mut space = NetworkSpace::new(&scenario, space_options.clone()).unwrap();
        let relations = space.relations();
        let options = adjust(
            Options::default()
                .strategy(self.search.strategy())
                .add(self.search.add())
                .relation(relations.iter().position(|name| name == self.relation))
                .required_on_path(scenario.required.as_ref().map(|event| event.parse().unwrap()))
                .max_depth(self.depth)
                .semantics(space_options.semantics()),
        );
        let found = explore(&mut space, &options, &mut ()).unwrap();
        let steps = found.finding().map(|finding| finding.trace.transitions());
        let sentences = steps.into_iter().flatten();
        let sentences =
            sentences.map(|(before, step)| space.event_text(before, step.event).sentence).collect();
        (found, sentences)
    }
}

/// One row of a published table.
pub struct Row<P: Protocol> {
    pub table: &'static str,
    /// Which counterexample, from 1.
    pub counterexample: usize,
    pub setting: Setting<P>,
    /// Its name in the thesis.
    pub search: &'static str,
    /// What the thesis counts as states.
    pub states: fn(&Exploration) -> u64,
    /// States and executed events.
    pub published: (u64, u64),
}

impl<P: Protocol> Row<P> {
    /// States and executed events.
    pub fn found(&self) -> (u64, u64) {
        let (found, _) = self.setting.explore(|options| options);
        ((self.states)(&found), found.counts.events)
    }
}

impl<P: Protocol> fmt::Display for Row<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, counterexample, setting: Setting { nodes, .. }, search, .. } = self;
        write!(f, "table {table}, counterexample {counterexample}, {nodes} nodes, {search}")
    }
}
