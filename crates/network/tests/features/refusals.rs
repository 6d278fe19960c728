//! What is refused, and in which words.

use everypath_explore::{Guided, Judged, Measured, Options, Related, Space, Stop, explore};
use everypath_model::{Budget, NetworkKind, Profile, Scenario, Timers, Topology};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};

use crate::table::{Action, Case, Program, Table};

/// Two nodes that send each other numbers, with bounded losses.
fn scenario(network: NetworkKind) -> Scenario<Table> {
    let program = |actions: &[Action], next| Program { actions: actions.to_vec(), next };
    let table = Table {
        programs: vec![
            program(&[Action::Broadcast { message: 0 }], 1),
            program(&[], 2),
            program(&[Action::Reply { message: 1 }], 2),
        ],
        commands: vec![Vec::new()],
        late: None,
    };
    let case = Case {
        loss: Budget::AtMost(1),
        reboot: Budget::AtMost(0),
        ..Case::of(table, network, Profile::Standard)
    };
    case.scenario()
}

fn refusal(scenario: &Scenario<Table>, options: SpaceOptions) -> Option<String> {
    let mut space = NetworkSpace::new(scenario, options).unwrap();
    let options = Options::default().max_depth(6).stop(Stop::Never);
    explore(&mut space, &options, &mut ()).unwrap();
    let mut states = Vec::new();
    space.initial(&mut states);
    space.goals_reached(states[0]);
    space.relation_refusal(0)
}

fn thesis() -> SpaceOptions {
    SpaceOptions::default().profile(Profile::Thesis)
}

fn error(scenario: &Scenario<Table>, options: SpaceOptions) -> String {
    NetworkSpace::new(scenario, options).err().expect("it is refused").to_string()
}

fn patterns(texts: &[&str]) -> Vec<everypath_explore::EventPattern> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

#[test]
fn a_packet_more_is_harmless_only_without_order() {
    assert_eq!(refusal(&scenario(NetworkKind::Unordered), SpaceOptions::default()), None);
    for (kind, word) in [(NetworkKind::FifoPerLink, "fifo"), (NetworkKind::GlobalList, "list")] {
        let expected = format!(
            "the network ({word}) keeps packets in order, so one more packet in flight can block others"
        );
        assert_eq!(refusal(&scenario(kind), SpaceOptions::default()), Some(expected.clone()));
        assert_eq!(refusal(&scenario(kind), thesis()), Some(expected));
    }
}

#[test]
fn a_packet_more_is_harmless_only_if_none_are_read() {
    let plain = || scenario(NetworkKind::Unordered);
    let cases = [
        ("assertion", plain().assert_always("few", |world| world.packets().len() < 9)),
        ("goal", plain().assert_reachable("few", |world| world.packets().len() < 9)),
        ("pruning", plain().prune("few", |world| world.packets().len() > 9)),
        ("assumption", plain().assume("few", |world, _| world.packets().len() < 9)),
    ];
    for (sort, scenario) in cases {
        let expected = format!(
            "the {sort} `few` reads the packets in flight, so one more packet can change its answer"
        );
        assert_eq!(refusal(&scenario, SpaceOptions::default()), Some(expected));
        assert_eq!(refusal(&scenario, thesis()), None, "the published rule did not ask");
    }
    let nobody = plain()
        .assert_always("a", |world| world.nodes().len() == 2)
        .assert_reachable("b", |world| world.nodes().len() == 2)
        .prune("c", |world| world.nodes().len() != 2)
        .assume("d", |world, _| world.nodes().len() == 2)
        .ranking("e", |world| world.packets().len() as i64);
    assert_eq!(refusal(&nobody, SpaceOptions::default()), None);
}

#[test]
fn a_packet_more_is_harmless_only_if_nothing_is_said_of_ends() {
    let expected = "something is asserted of ends, and with one more packet in flight a state may not be an end";
    let plain = scenario(NetworkKind::Unordered);
    let deadlock = SpaceOptions::default().deadlock(true);
    assert_eq!(refusal(&plain, deadlock).as_deref(), Some(expected));
    let ends = scenario(NetworkKind::Unordered).assert_at_end("it is over", |_| true);
    assert_eq!(refusal(&ends, SpaceOptions::default()).as_deref(), Some(expected));
}

#[test]
fn timers_in_order_must_all_be_able_to_fire() {
    let refused = |scenario: &Scenario<Table>, disabled: &[&str]| {
        let options = SpaceOptions::default().timers(Timers::Ordered);
        match NetworkSpace::new(scenario, options.disabled(patterns(disabled))).err() {
            Some(SpaceError::Timers(why)) => why,
            other => other.map_or("", |error| panic!("{error}")),
        }
    };
    let plain = || scenario(NetworkKind::Unordered);
    assert_eq!(refused(&plain(), &["lose", "deliver@1"]), "");
    for pattern in ["timer", "timer@1:0", "@0"] {
        let why = refused(&plain(), &["lose", pattern]);
        assert!(why.starts_with("a timer that is disabled stays set"), "{pattern}: {why}");
    }
    let why = refused(&plain().assume("all", |_, _| true), &[]);
    assert!(why.starts_with("a timer that an assumption excludes stays set"), "{why}");
}

#[test]
fn relations_of_the_user_are_believed() {
    let scenario = scenario(NetworkKind::FifoPerLink).relation("mine", |_| 0, |_, _| false);
    let space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    assert_eq!(space.relation_refusal(1), None);
}

#[test]
fn events_that_do_not_exist_are_refused() {
    let scenario = scenario(NetworkKind::Unordered);
    let disabled = |text| SpaceOptions::default().disabled(patterns(&[text]));
    let required = |text: &str| SpaceOptions::default().required(text.parse().ok());
    let kinds =
        "command, deliver, timer, lose, duplicate, reboot, undeliverable, link-down, link-up";
    for options in [disabled("reset@1"), required("reset@1")] {
        let expected =
            format!("`reset@1` matches no event: there is no kind `reset`; there are {kinds}");
        assert_eq!(error(&scenario, options), expected);
    }
    for options in [disabled("timer@2"), required("timer@2")] {
        let expected = "`timer@2` matches no event: there is no node 2; the last one is 1";
        assert_eq!(error(&scenario, options), expected);
    }
}

#[test]
fn an_event_that_no_run_has_cannot_be_required_or_disabled() {
    let scenario = scenario(NetworkKind::Unordered);
    let expected = "no run has an event `reboot@1`: in this scenario, the kinds of events are command, deliver, timer, lose; remove it, or add such events to the scenario";
    let required = |text: &str| text.parse().ok();
    let options = SpaceOptions::default().required(required("reboot@1"));
    assert_eq!(error(&scenario, options), expected);
    let disabled = patterns(&["lose", "reboot@1"]);
    assert_eq!(error(&scenario, SpaceOptions::default().disabled(disabled)), expected);
    let disabled = patterns(&["lose"]);
    let options = SpaceOptions::default().required(required("lose:1")).disabled(disabled);
    assert!(NetworkSpace::new(&scenario, options).is_err());
    let disabled = patterns(&["lose@0", "lose@0"]);
    let options = SpaceOptions::default().required(required("lose")).disabled(disabled);
    assert!(NetworkSpace::new(&scenario, options).is_ok());
}

#[test]
fn only_possible_kinds_are_listed() {
    let scenario = scenario(NetworkKind::Unordered);
    let kinds = |disabled: &[&str]| {
        let options = SpaceOptions::default().disabled(patterns(disabled));
        NetworkSpace::new(&scenario, options).unwrap().event_kinds()
    };
    assert_eq!(kinds(&[]), ["command", "deliver", "timer", "lose"]);
    assert_eq!(kinds(&["timer", "lose@0"]), ["command", "deliver", "lose"]);
}

#[test]
fn too_much_is_refused() {
    let mut goals = scenario(NetworkKind::Unordered);
    for goal in 0..65 {
        assert!(NetworkSpace::new(&goals, SpaceOptions::default()).is_ok(), "{goal} goals");
        goals = goals.assert_reachable(&goal.to_string(), |_| true);
    }
    let refused = NetworkSpace::new(&goals, SpaceOptions::default()).err();
    assert_eq!(refused, Some(SpaceError::Goals(65)));
    goals.goals.pop();
    let mut space = NetworkSpace::new(&goals, SpaceOptions::default()).unwrap();
    let mut states = Vec::new();
    space.initial(&mut states);
    assert_eq!(space.goals_reached(states[0]), u64::MAX, "all of them, each time it is asked");
    assert_eq!(space.goals_reached(states[0]), u64::MAX);

    let mut assertions = scenario(NetworkKind::Unordered);
    for assertion in 0..60 {
        assertions = assertions.assert_at_end(&assertion.to_string(), |_| true);
    }
    assert!(NetworkSpace::new(&assertions, SpaceOptions::default()).is_ok());
    let deadlock = SpaceOptions::default().deadlock(true);
    let refused = NetworkSpace::new(&assertions, deadlock).err();
    assert_eq!(refused, Some(SpaceError::Assertions(61)));

    let mut mesh = scenario(NetworkKind::Unordered);
    mesh.topology = Topology::full_mesh(17);
    assert!(NetworkSpace::new(&mesh, SpaceOptions::default()).is_ok());
    let mesh = mesh.link_failure(Budget::AtMost(1));
    let refused = NetworkSpace::new(&mesh, SpaceOptions::default()).err();
    assert_eq!(refused, Some(SpaceError::Links(136)));
}

/// A bound is an assertion, a ranking, and part of the margin.
#[test]
fn bounds_rank_by_their_difference() {
    let scenario = scenario(NetworkKind::Unordered)
        .assert_at_most("few packets", |world| world.packets().len() as i64, |_| 5)
        .assert_at_most("nodes", |world| world.nodes().len() as i64, |_| 1)
        .assert_at_most("far away", |_| i64::MIN, |_| i64::MAX);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut states = Vec::new();
    space.initial(&mut states);
    let rankings = space.rankings();
    let expected = [("few packets", -3), ("nodes", 1), ("far away", i64::MIN), ("margin", 1)];
    for (name, expected) in expected {
        let ranking = rankings.iter().position(|ranking| ranking == name).expect(name);
        let mut rank = Vec::new();
        space.rank(states[0], ranking, &mut rank);
        assert_eq!(rank, [expected], "{name}");
    }
    assert_eq!(space.assertions()[..3], ["few packets", "nodes", "far away"]);
    assert_eq!(space.verdict(states[0]).0, 0b010);
}

/// An assertion about ends that panics cannot be said to hold, and says why.
#[test]
fn an_assertion_about_ends_can_panic() {
    let scenario = scenario(NetworkKind::Unordered).assert_at_end("never asked", |_| panic!("oh"));
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut states = Vec::new();
    space.initial(&mut states);
    assert_eq!(space.verdict_at_end(states[0]).first(), Some(0));
    let explanation = space.explain(states[0], 0).expect("there is more to say");
    assert!(explanation.starts_with("the assertion itself panicked: oh"), "{explanation}");
}

/// Handlers are executed, and that takes time.
#[test]
fn the_time_of_handlers_is_measured() {
    let scenario = scenario(NetworkKind::Unordered);
    let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    assert!(space.handler_time().is_zero());
    space.initial(&mut Vec::new());
    let started = space.handler_time();
    assert!(!started.is_zero());
}
