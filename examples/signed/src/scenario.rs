//! The scenario: generals, traitors among them, and the assertions.

use everypath::prelude::*;

use crate::{
    chain::Order,
    keys::{GENERALS_MAX, Keyring},
    protocol::{COMMANDER, Command, Generals, Version},
    safety,
};

/// A commander and its lieutenants, some of whom are traitors.
pub fn generals(ask: &mut Parameters) -> Scenario<Generals> {
    let generals = ask.number("generals", 4, 3..=GENERALS_MAX, "how many generals there are");
    let traitors = ask.number("traitors", 1, 0..=GENERALS_MAX, "how many of them are traitors");
    let tolerated = ask.number(
        "tolerated",
        traitors,
        0..=GENERALS_MAX,
        "how many traitors the algorithm tolerates",
    );
    let is_loyal = ask.flag("loyal-commander", false, "whether the commander is loyal");
    let versions = [
        ("correct", Version::Correct),
        ("unverified", Version::Unverified),
        ("repeated-signers", Version::RepeatedSigners),
        ("one-round-less", Version::OneRoundLess),
    ];
    let version = ask.choice(
        "version",
        Version::Correct,
        &versions,
        "the version: correct, or with an error",
    );
    let round = ask.duration("round", Duration::from_millis(100), "how long a round takes");
    if traitors + 2 > generals {
        ask.reject(
            "traitors",
            "at least two generals must be loyal, or there is nothing to agree on",
        );
    }
    if version == Version::OneRoundLess && tolerated == 0 {
        ask.reject("version", "there is only one round if no traitor is tolerated");
    }
    let first = u32::from(is_loyal);
    let protocol = Generals {
        generals,
        tolerated,
        traitors: (first..first + traitors).map(NodeId).collect(),
        version,
        round,
        keys: Keyring::default(),
    };
    let topology = Topology::full_mesh(generals as usize);
    let scenario = Scenario::new(protocol, topology)
        .configuration(Generals::configuration)
        .about("Agreement by signed and verified messages: SM(m) of Lamport, Shostak and Pease")
        .network(NetworkKind::Unordered)
        .max_depth(12)
        .assume("messages arrive in their round", safety::is_in_time)
        .assume("nobody is told what it has signed", safety::is_news)
        .assert_always("loyal lieutenants agree", safety::agree)
        .assert_always("a loyal commander is obeyed", safety::obey)
        .assert_reachable("a loyal lieutenant attacks", safety::somebody_attacks)
        .simulation(|run| {
            run.message_bytes(|_, message| 1 + message.chain().signatures.len() * (4 + 64))
                .duration(Duration::from_secs(1))
                .measure_count("chains verified")
                .measure_count("orders passed on")
        });
    if is_loyal || traitors == 0 {
        return scenario;
    }
    // A different order to each than to the previous one.
    scenario.simulation(|run| {
        (1..generals).fold(run, |run, lieutenant| {
            let order = Order::ALL[lieutenant as usize % 2];
            let give = Command::Give(order, NodeId(lieutenant));
            run.job(COMMANDER, give, Duration::ZERO, None)
        })
    })
}
