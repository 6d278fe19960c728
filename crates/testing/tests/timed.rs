//! Explorations with time contain every simulated run whose delays are within bounds.

use std::{collections::BTreeSet, time::Duration};

use everypath_explore::{Described, Space};
use everypath_model::{
    Decisions, Event, LinkModel, Node, NodeId, Parameters, Protocol, Scenario, Start, Topology,
};
use everypath_plain::{PlainOptions, PlainSpace, Time};
use everypath_sim::{Limits, Observer, Simulation};
use everypath_testing::check;

/// Nodes ask each other, answer after a random while, and ask again if they have waited for too long.
struct Asking;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

impl Protocol for Asking {
    /// How many answers are missing, and how many there were.
    type State = (u8, u8);
    type Message = bool;
    type Timer = u8;
    type Command = ();

    fn start(&self, node: &mut Start<'_, Self>) -> (u8, u8) {
        node.set_timer(1, ms(6));
        (0, 0)
    }

    fn commands(&self, _: NodeId, state: &(u8, u8)) -> Vec<()> {
        if state.0 < 2 { vec![()] } else { Vec::new() }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        node.state.0 += 1;
        node.broadcast_within(true, ms(2));
        node.prolong_timer(0, ms(4));
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, asks: &bool) {
        if *asks {
            node.send_within(from, false, ms(1));
        } else {
            node.state.0 = node.state.0.saturating_sub(1);
            node.state.1 = (node.state.1 + 1) % 3;
            node.cancel_timer(&0);
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u8) {
        node.set_timer(1, ms(5));
        if *timer == 0 {
            node.broadcast(true);
        }
    }
}

fn asking(_: &mut Parameters) -> Scenario<Asking> {
    let link = LinkModel::default().bandwidth_bps(None).delay(ms(1));
    Scenario::new(Asking, Topology::chain(2)).simulation(|run| {
        let run = run.link(link).duration(ms(60));
        run.job(NodeId(0), (), ms(2), ms(9)).job(NodeId(1), (), ms(5), ms(11))
    })
}

/// The events of a run in words.
#[derive(Default)]
struct Told(Vec<String>);

impl Observer<Asking> for Told {
    fn event(&mut self, _: Duration, event: &Event<'_, Asking>, _: Option<u64>) {
        self.0.push(event.sentence(&Decisions::default(), |node| node.to_string()));
    }
}

#[test]
fn simulated_runs_are_runs_of_the_exploration() {
    let scenario = asking(&mut Parameters::new());
    let mut events = 0;
    for replication in 0..20 {
        let mut told = Told::default();
        let run = Simulation::observed(&scenario, 1, replication, &mut told).unwrap();
        run.run(&Limits::default()).unwrap();
        let options = PlainOptions { time: Time::Counted, ..PlainOptions::default() };
        let mut space = PlainSpace::new(&scenario, None, options).unwrap();
        assert_eq!(space.unit(), Some(ms(1)));
        let mut now = Vec::new();
        space.initial(&mut now);
        for (place, sentence) in told.0.iter().enumerate() {
            let mut steps = Vec::new();
            space.expand(&now, &mut steps);
            let same = steps.iter().filter(|step| {
                let text = space.event_text(now[step.source as usize], step.event);
                text.sentence == *sentence
            });
            let next: BTreeSet<_> = same.map(|step| step.target).collect();
            assert!(!next.is_empty(), "run {replication}, event {place}: {sentence}");
            now = next.into_iter().collect();
            events += 1;
        }
    }
    assert!(events > 500, "{events}");
}

#[test]
#[should_panic(expected = "links have a bandwidth")]
fn what_cannot_be_timed_is_refused() {
    fn fast(parameters: &mut Parameters) -> Scenario<Asking> {
        asking(parameters).simulation(|run| run.link(LinkModel::default()))
    }
    check(fast).timed().assert_holds();
}

#[test]
#[should_panic(expected = "say more than their order")]
fn order_and_time_are_not_combined() {
    check(asking).ordered_timers().timed().assert_holds();
}

#[test]
#[should_panic(expected = "`regressions` has no use with `timed`")]
fn kept_runs_have_no_times() {
    let _ = check(asking).regressions("kept").timed();
}

#[test]
#[should_panic(expected = "`regressions` has no use with `ordered_timers`")]
fn kept_runs_have_no_order_of_timers() {
    let _ = check(asking).ordered_timers().regressions("kept");
}
