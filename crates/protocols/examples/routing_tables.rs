//! Rankings of the class of routing protocols beside those that were made for one protocol and those
//! that know of none, by what each needs to find the first violation:
//! `cargo run --release -p everypath-protocols --example routing_tables`.

use everypath_explore::{Exploration, Options, RankBy, RankingPart, Space, Strategy, explore};
use everypath_model::{Parameters, Profile, Protocol, SIMULATED, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::{
    aodv::{aodv_1, aodv_2, aodv_3, aodv_ns3, aodv_rfc3561},
    distance_vector::{distance_vector_plain, distance_vector_triangle},
};

/// Where a search takes place.
struct Place {
    name: &'static str,
    given: &'static [(&'static str, &'static str)],
    profile: Profile,
    /// The bound, if not the scenario's own.
    depth: Option<u32>,
}

const fn place(name: &'static str, given: &'static [(&'static str, &'static str)]) -> Place {
    Place { name, given, profile: Profile::Standard, depth: None }
}

const fn published(name: &'static str) -> Place {
    Place { name, given: &[], profile: Profile::Thesis, depth: Some(10) }
}

/// What finds a violation: how many states and events it takes.
fn search<P: Protocol>(scenario: &Scenario<P>, place: &Place, by: &str) -> Exploration {
    let is_published = place.profile == Profile::Thesis;
    let required = scenario.required.as_ref().map(|event| event.parse().unwrap());
    let (in_space, on_path) = if is_published { (None, required) } else { (required, None) };
    let space_options =
        SpaceOptions { profile: place.profile, required: in_space, ..SpaceOptions::default() };
    let mut space = NetworkSpace::new(scenario, space_options.clone()).unwrap();
    let named = |name: &str| scenario.all_rankings().position(|it| it.name == name);
    let strategy = match by {
        "bfs" => Strategy::BreadthFirst,
        "dfs" => Strategy::DepthFirst,
        "novelty" => Strategy::BestFirst(RankBy(vec![RankingPart::Novelty])),
        name => Strategy::BestFirst(RankBy(vec![RankingPart::Named(named(name).unwrap())])),
    };
    let relation = space.relations().iter().position(|name| is_published && name == SIMULATED);
    let options = Options {
        strategy,
        relation,
        required_on_path: on_path,
        max_depth: place.depth.or(scenario.max_depth),
        semantics: space_options.semantics(),
        ..Options::default()
    };
    explore(&mut space, &options, &mut ()).unwrap()
}

fn print_table<P: Protocol>(
    build: &[fn(&mut Parameters) -> Scenario<P>],
    places: &[Place],
    searches: &[&str],
) {
    println!("| states / events | {} |", searches.join(" | "));
    println!("| --- |{}", " --- |".repeat(searches.len()));
    for (build, place) in build.iter().zip(places) {
        let given = place.given.iter().copied();
        let scenario = build(&mut Parameters::with(given).under(place.profile));
        let cells = searches.iter().map(|by| {
            let found = search(&scenario, place, by);
            assert!(found.finding().is_some(), "{} finds nothing by {by}", place.name);
            format!(" {} / {} |", found.states_visited, found.counts.events)
        });
        println!("| {} |{}", place.name, cells.collect::<String>());
    }
    println!();
}

fn main() {
    let aodv = [
        place("aodv-1", &[]),
        place("aodv-2", &[]),
        place("aodv-3", &[]),
        place("aodv-1, 5 nodes", &[("nodes", "5")]),
        place("aodv-ns3", &[]),
        place("aodv-rfc3561", &[]),
        published("aodv-1, thesis"),
        published("aodv-2, thesis"),
        published("aodv-3, thesis"),
    ];
    let built = [aodv_1, aodv_2, aodv_3, aodv_1, aodv_ns3, aodv_rfc3561, aodv_1, aodv_2, aodv_3];
    let hand_made = ["aodv-1", "aodv-2", "aodv-3", "aodv-4", "aodv-5"];
    let class = ["routing", "routing-packets"];
    let general = ["bfs", "dfs", "novelty"];
    print_table(&built, &aodv, &[&general[..], &hand_made, &class].concat());
    let distance_vector = [
        place("plain", &[]),
        place("plain, 6 nodes", &[("nodes", "6")]),
        place("triangle", &[]),
        place("triangle, poisoned reverse", &[("split-horizon", "poisoned-reverse")]),
        place("ring of 5", &[("nodes", "6"), ("topology", "0-1,1-2,2-3,3-4,4-0,4-5")]),
    ];
    let (plain, triangle) = (distance_vector_plain, distance_vector_triangle);
    let built = [plain, plain, triangle, triangle, triangle];
    print_table(&built, &distance_vector, &[&general[..], &class].concat());
}
