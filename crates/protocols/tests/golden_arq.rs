//! ARQ explored: the numbers of Sobeih's thesis where it has some, our own elsewhere, and the promises of our own semantics.

use everypath_explore::{
    Add, Described, Ended, Exploration, Guided, Options, RankBy, RankingPart, Space, Stop,
    Strategy, explore,
};
use everypath_model::{Parameters, Profile, Scenario};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::arq::{Arq, arq, arq_erroneous};

type Build = fn(&mut Parameters) -> Scenario<Arq>;

/// Explores and also gives the sentences of the counterexample.
fn run(
    build: Build,
    given: &[(&str, &str)],
    depth: u32,
    profile: Profile,
    stop: Stop,
) -> (Exploration, Vec<String>) {
    let mut parameters = Parameters::with(given.iter().copied()).under(profile);
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    let options = SpaceOptions::default().profile(profile);
    let mut space = NetworkSpace::new(&scenario, options.clone()).unwrap();
    let semantics = options.semantics();
    let options = Options::default().max_depth(depth).stop(stop).semantics(semantics);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let sentences = found.finding().map_or(Vec::new(), |finding| {
        let transitions = finding.trace.transitions();
        transitions.map(|(before, step)| space.event_text(before, step.event).sentence).collect()
    });
    (found, sentences)
}

/// Counts of our own. Of these the thesis has published one: that of the correct sender to depth 35, 318,216 events (Table
/// 8.14); here there are 7 more. Of the erroneous sender it has published the share v of safe events (Table 8.13).
#[test]
fn exhaustive_counts_are_ours_and_near_to_the_published_one() {
    let rows: [(Build, u32, u64, u64); 4] = [
        (arq_erroneous, 30, 68_060, 5_179),
        (arq_erroneous, 35, 229_046, 16_257),
        (arq, 30, 97_911, 0),
        (arq, 35, 318_223, 0),
    ];
    for (build, depth, events, unsafe_events) in rows {
        let (found, _) = run(build, &[], depth, Profile::Thesis, Stop::Never);
        assert_eq!(
            (found.counts.events, found.counts.unsafe_events, found.ended),
            (events, unsafe_events, Ended::Depth),
            "to depth {depth}"
        );
    }
    let (_, _, ours, _) = rows[3];
    assert_eq!(ours - 318_216, 7);
}

#[test]
fn the_shares_of_safe_events_are_the_published_ones() {
    for (depth, published) in [(30, 923_905.0), (35, 929_023.0)] {
        let (found, _) = run(arq_erroneous, &[], depth, Profile::Thesis, Stop::Never);
        let share = 1.0 - found.counts.unsafe_events as f64 / found.counts.events as f64;
        assert_eq!((share * 1e6).round(), published, "to depth {depth}");
    }
}

/// The states and transitions that other model checkers count on the same model, with the states
/// at the bound stored.
#[test]
fn states_within_the_bound_are_those_that_others_count() {
    let scenario = arq(&mut Parameters::new().under(Profile::Thesis));
    let options = SpaceOptions::default().profile(Profile::Thesis);
    let mut space = NetworkSpace::new(&scenario, options.clone()).unwrap();
    let options = Options::default().max_depth(45);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    assert_eq!((found.states_visited, found.counts.events), (969_571, 3_098_015));
}

/// The assertion of the class is stricter than that of the thesis, which allows a packet that is
/// neither under way nor delivered.
#[test]
fn the_class_of_transports_finds_the_error_earlier() {
    const NAME: &str = "what is acknowledged was delivered";
    let correct: Build = |parameters| arq(parameters).assert_reliable(NAME);
    let erroneous: Build = |parameters| arq_erroneous(parameters).assert_reliable(NAME);
    for profile in Profile::ALL {
        let (found, _) = run(correct, &[], 16, profile, Stop::First);
        assert_eq!(found.ended, Ended::Depth, "{profile:?}");
        let (found, sentences) = run(erroneous, &[], 16, profile, Stop::First);
        assert_eq!(found.ended, Ended::Violation, "{profile:?}");
        assert!(sentences.len() < 8, "{profile:?}: {sentences:?}");
    }
}

#[test]
fn handlers_are_executed_at_least_a_hundred_times_less_often_than_events() {
    for profile in Profile::ALL {
        let (found, _) = run(arq_erroneous, &[], 35, profile, Stop::Never);
        assert!(
            found.handler_executions * 100 <= found.counts.events,
            "{profile:?}: {} executions, {} events",
            found.handler_executions,
            found.counts.events
        );
    }
}

#[test]
fn the_erroneous_sender_breaks_the_assertion_in_eight_steps() {
    let (found, sentences) = run(arq_erroneous, &[], 30, Profile::Standard, Stop::First);
    assert_eq!(found.ended, Ended::Violation);
    assert_eq!(
        sentences,
        [
            "D0 #0 from n0 (sender) arrives at n1 (receiver)",
            "timer Retransmit fires at n0 (sender)",
            "D0 #0 from n0 (sender) arrives at n1 (receiver)",
            "A1 from n1 (receiver) arrives at n0 (sender)",
            "D1 #1 from n0 (sender) to n1 (receiver) is lost",
            "A1 from n1 (receiver) arrives at n0 (sender)",
            "D0 #2 from n0 (sender) arrives at n1 (receiver)",
            "A1 from n1 (receiver) arrives at n0 (sender)",
        ]
    );
    for (network, profile) in
        [("fifo", Profile::Standard), ("list", Profile::Standard), ("list", Profile::Thesis)]
    {
        let (_, sentences) = run(arq_erroneous, &[("network", network)], 30, profile, Stop::First);
        assert_eq!(sentences.len(), 8, "{network}, {profile:?}");
    }
}

#[test]
fn the_correct_sender_holds_to_the_bound() {
    for network in ["fifo", "list"] {
        for loss in ["off", "1", "unlimited"] {
            let given = [("network", network), ("loss", loss), ("duplication", "2")];
            let (found, _) = run(arq, &given, 18, Profile::Standard, Stop::First);
            assert!(found.findings.is_empty(), "{given:?}");
            assert!(found.ended.is_complete(), "{given:?}");
        }
    }
}

/// One bit is not enough when packets overtake each other; that is why the network is FIFO.
#[test]
fn even_the_correct_sender_fails_when_the_network_reorders() {
    let (found, _) = run(arq, &[("network", "unordered")], 20, Profile::Standard, Stop::First);
    assert_eq!(found.ended, Ended::Violation);
}

#[test]
fn rankings_measure_how_far_the_sender_is_ahead() {
    let scenario = arq(&mut Parameters::new());
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    assert_eq!(space.rankings(), ["arq-1", "arq-2", "transport", "transport-packets"]);
    let mut states = Vec::new();
    space.initial(&mut states);
    let mut ranks = Vec::new();
    space.rank(states[0], 0, &mut ranks);
    space.rank(states[0], 1, &mut ranks);
    assert_eq!(ranks, [1, -1]);
}

/// Best-first searches with shuffled events, over many seeds: never outside of the published
/// ranges, and both ends of each range occur.
#[test]
fn shuffled_searches_cover_the_published_ranges() {
    type Ends = (u64, u64);
    let rows: [(usize, Add, Ends, Ends); 4] = [
        (0, Add::Current, (50, 53), (96, 103)),
        (1, Add::Current, (191, 192), (471, 475)),
        (0, Add::Next, (52, 55), (96, 102)),
        (1, Add::Next, (147, 149), (336, 340)),
    ];
    let profile = Profile::Thesis;
    let scenario = arq_erroneous(&mut Parameters::new().under(profile));
    let options = SpaceOptions::default().profile(profile);
    for (ranking, add, space_ends, event_ends) in rows {
        let searches = (0..400).map(|seed| {
            let mut space = NetworkSpace::new(&scenario, options.clone()).unwrap();
            let options = Options::default()
                .strategy(Strategy::BestFirst(RankBy(vec![RankingPart::Named(ranking)])))
                .add(add)
                .shuffle(seed)
                .max_depth(10)
                .semantics(options.semantics());
            let found = explore(&mut space, &options, &mut ()).unwrap();
            assert_eq!(found.ended, Ended::Violation);
            (found.states_visited + found.states_waiting, found.counts.events)
        });
        let (spaces, events): (Vec<u64>, Vec<u64>) = searches.unzip();
        let ends = |values: &[u64]| (*values.iter().min().unwrap(), *values.iter().max().unwrap());
        assert_eq!((ends(&spaces), ends(&events)), (space_ends, event_ends), "{ranking} {add:?}");
    }
}
