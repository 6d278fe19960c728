//! What a scenario consists of can be told apart by its name.

#[path = "../doc/greeting.rs"]
mod greeting;

use everypath_model::{NetworkKind, Scenario, ScenarioError, Topology, WorldSnapshot};
use greeting::Greeting;

fn scenario() -> Scenario<Greeting> {
    Scenario::new(Greeting, Topology::full_mesh(2))
}

fn assert_twins(scenario: &Scenario<Greeting>, what: &'static str, name: &str) {
    let name = name.to_owned();
    assert_eq!(scenario.validate(), Err(ScenarioError::SameName { what, name }));
}

#[test]
fn two_of_the_same_sort_need_two_names() {
    let goals = scenario().assert_reachable("x", |_| true).assert_reachable("x", |_| true);
    assert_twins(&goals, "goals", "x");
    let prunings = scenario().prune("x", |_| true).prune("x", |_| true);
    assert_twins(&prunings, "prunings", "x");
    let relations = scenario().relation("x", |_| 0, |_, _| true).relation("x", |_| 0, |_, _| true);
    assert_twins(&relations, "relations", "x");
    let cuts = scenario().cut("x", |_| true, |_| 0).cut("x", |_| true, |_| 0);
    assert_twins(&cuts, "cuts", "x");
    let none = || Vec::<(String, Vec<WorldSnapshot<Greeting>>)>::new();
    assert_twins(&scenario().starts("x", none).starts("x", none), "lists of starts", "x");
    assert!(scenario().cut("x", |_| true, |_| 0).starts("x", none).validate().is_ok());
}

#[test]
fn a_cut_is_not_called_like_one_at_a_depth() {
    let cut = "depth:of the table".to_owned();
    let scenario = scenario().cut(&cut, |_| true, |_| 0);
    assert_eq!(scenario.validate(), Err(ScenarioError::CutName { cut }));
}

#[test]
fn what_must_hold_at_the_end_is_an_assertion() {
    assert_twins(
        &scenario().assert_always("x", |_| true).assert_at_end("x", |_| true),
        "assertions",
        "x",
    );
}

#[test]
fn a_bound_is_an_assertion_and_a_ranking() {
    let bound = || scenario().assert_at_most("x", |_| 1, |_| 2);
    assert!(bound().validate().is_ok());
    assert_twins(&bound().assert_always("x", |_| true), "assertions", "x");
    assert_twins(&bound().ranking("x", |_| 0), "rankings", "x");
    assert_twins(&bound().ranking("margin", |_| 0), "rankings", "margin");
    assert!(scenario().ranking("margin", |_| 0).validate().is_ok());
}

#[test]
fn the_relation_that_is_always_there_has_its_name() {
    let relations = scenario().relation("simulated", |_| 0, |_, _| true);
    assert_twins(&relations, "relations", "simulated");
}

#[test]
fn links_in_order_must_be_known_when_a_packet_is_sent() {
    let late = scenario().receivers(|_, packet| [packet.to]);
    assert!(late.validate().is_ok());
    let in_order = late.network(NetworkKind::FifoPerLink);
    assert_eq!(in_order.validate(), Err(ScenarioError::LateOrder));
}

#[test]
fn different_sorts_can_share_names() {
    let shared = scenario()
        .assert_always("x", |_| true)
        .assert_reachable("x", |_| true)
        .prune("x", |_| true)
        .ranking("x", |_| 0)
        .relation("x", |_| 0, |_, _| true);
    assert!(shared.validate().is_ok());
}
