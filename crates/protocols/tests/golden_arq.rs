//! The published numbers of ARQ, exactly.

use everypath_explore::{Exploration, Options, Semantics, breadth_first};
use everypath_model::{Parameters, Profile, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::arq::{Arq, arq, arq_erroneous};

fn explore(
    build: fn(&mut Parameters) -> Scenario<Arq>,
    depth: u32,
    profile: Profile,
) -> Exploration {
    let scenario = build(&mut Parameters::new().under(profile));
    let options = SpaceOptions {
        profile,
        ..SpaceOptions::default()
    };
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    let semantics = match profile {
        Profile::Standard => Semantics::Exact,
        Profile::Thesis => Semantics::Published,
    };
    let options = Options {
        max_depth: Some(depth),
        keep_going: true,
        semantics,
        ..Options::default()
    };
    breadth_first(&mut space, &options, &mut ())
}

#[test]
fn exhaustive_counts_are_the_published_ones() {
    let rows = [
        (
            arq_erroneous as fn(&mut Parameters) -> Scenario<Arq>,
            30,
            68_060,
            5_179,
        ),
        (arq_erroneous, 35, 229_046, 16_257),
        (arq, 30, 97_911, 0),
        (arq, 35, 318_223, 0),
    ];
    for (build, depth, events, unsafe_events) in rows {
        let found = explore(build, depth, Profile::Thesis);
        assert_eq!(
            (found.events, found.unsafe_events),
            (events, unsafe_events),
            "to depth {depth}"
        );
    }
}

#[test]
#[ignore]
fn time() {
    for profile in [Profile::Thesis, Profile::Standard] {
        for (name, build) in [
            ("arq", arq as fn(&mut Parameters) -> Scenario<Arq>),
            ("erroneous", arq_erroneous),
        ] {
            let found = explore(build, 45, profile);
            println!(
                "{name} {profile:?}: {} events {} states {} handlers {:?} {:.1} Mev/s {:.1} B/state",
                found.events,
                found.states_visited,
                found.handler_executions,
                found.elapsed,
                found.events as f64 / found.elapsed.as_secs_f64() / 1e6,
                found.bytes_per_state()
            );
        }
    }
}
