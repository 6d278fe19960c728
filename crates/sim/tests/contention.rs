//! What comes of many nodes that share a medium, against formulas. Seeds are fixed, so a confidence interval that covers
//! the exact value today does so tomorrow.

mod talkers;

extern crate everypath_model as everypath;

use std::time::Duration;

use everypath_model::{
    DcfRadio, Effects, NodeId, Propagation, PropagationDelay, Protocol, Radio, Scenario,
    SharedRadio, Topology,
};
use everypath_sim::{Estimate, Limits, replicate};
use talkers::{field, us};

/// Node 0 listens; all others send frames of 1000 bytes to it, whenever their habit says.
struct Crowd {
    habit: Habit,
}

#[derive(Clone, Copy)]
enum Habit {
    /// On average so often per second, after times drawn from an exponential distribution.
    Poisson(f64),
    /// In each slot of so long with this probability.
    Slotted(Duration, f64),
    /// Always: so often that there is always another.
    Saturated(Duration),
}

impl Crowd {
    fn wait(&self, fx: &mut impl Effects<Self>) {
        // Never 0, so that its logarithm is a number.
        let fraction = (f64::from(fx.choose(u32::MAX)) + 1.0) / f64::from(u32::MAX);
        let after = match self.habit {
            Habit::Poisson(rate) => Duration::from_secs_f64(-fraction.ln() / rate),
            Habit::Slotted(slot, probability) => {
                let failures = (fraction.ln() / (1.0 - probability).ln()).floor();
                slot * (1 + failures as u32)
            }
            Habit::Saturated(every) => every,
        };
        fx.set_timer((), after);
    }
}

impl Protocol for Crowd {
    type State = ();
    type Message = ();
    type Timer = ();
    type Command = everypath_model::Never;

    fn start(&self, me: NodeId, fx: &mut impl Effects<Self>) {
        if me != NodeId(0) {
            self.wait(fx);
        }
    }

    fn on_timer(&self, _: NodeId, (): &mut (), (): &(), fx: &mut impl Effects<Self>) {
        fx.send(NodeId(0), ());
        self.wait(fx);
    }

    fn on_message(&self, _: NodeId, (): &mut (), _: NodeId, (): &(), fx: &mut impl Effects<Self>) {
        fx.count("received");
    }

    fn on_undeliverable(
        &self,
        _: NodeId,
        (): &mut (),
        _: NodeId,
        (): &(),
        fx: &mut impl Effects<Self>,
    ) {
        fx.count("returned");
    }

    fn message_bytes(&self, _: NodeId, (): &()) -> usize {
        1000
    }
}

/// One listener, and so many senders, all within range of all.
fn crowd(senders: usize, habit: Habit, radio: Radio) -> Scenario<Crowd> {
    let points: Vec<_> = (0..=senders).map(|node| (node as f64 / 10.0, 0.0)).collect();
    Scenario::new(Crowd { habit }, Topology::full_mesh(senders + 1)).field(field(&points, radio))
}

/// Prints what was found beside what was expected, for `--nocapture`: docs/field.md has it.
fn show(what: &str, found: &Estimate, expected: f64) {
    let Estimate { mean, half_width, .. } = found;
    let error = 100.0 * (mean / expected - 1.0);
    println!("{what}: {mean:.1} ± {half_width:.1} frames/s, {expected:.1} expected, {error:+.1} %");
}

/// How many frames per second are received, over some runs.
fn received(scenario: Scenario<Crowd>, duration: Duration, runs: u32) -> Estimate {
    let scenario = scenario
        .duration(duration)
        .measure("received", "1/s", |run| run.count("received") as f64 / run.elapsed_s());
    let runs = replicate(&scenario, 3, runs, &Limits::default(), &mut ()).unwrap();
    runs.measure("received").unwrap().clone()
}

/// A frame takes a millisecond, a signal no time.
fn aloha() -> Radio {
    let delay = PropagationDelay::Constant(Duration::ZERO);
    Radio::Shared(SharedRadio { bandwidth_bps: 8_000_000, delay, ..SharedRadio::default() })
}

#[test]
fn pure_aloha() {
    // A frame is not destroyed by its own sender's others: with so many, that makes no difference of more than 1 %.
    let senders = 200;
    for offered in [0.2, 0.5, 1.0] {
        let rate = offered * 1000.0 / senders as f64;
        let scenario = crowd(senders, Habit::Poisson(rate), aloha());
        let found = received(scenario, Duration::from_secs_f64(3.0 / offered), 10);
        let expected = 1000.0 * offered * (-2.0 * offered).exp();
        show(&format!("pure ALOHA, {offered} offered"), &found, expected);
        assert!(found.covers(expected), "{offered}: {expected}, but {found:?}");
        assert!(found.half_width < 0.05 * expected, "{offered}: {found:?}");
    }
}

#[test]
fn slotted_aloha() {
    let (senders, slot) = (200, Duration::from_millis(1));
    for offered in [0.3, 1.0, 2.0] {
        let habit = Habit::Slotted(slot, offered / senders as f64);
        let found =
            received(crowd(senders, habit, aloha()), Duration::from_secs_f64(3.0 / offered), 10);
        let expected = 1000.0 * offered * (-offered).exp();
        show(&format!("slotted ALOHA, {offered} offered"), &found, expected);
        assert!(found.covers(expected), "{offered}: {expected}, but {found:?}");
        assert!(found.half_width < 0.05 * expected, "{offered}: {found:?}");
    }
}

#[test]
fn slotted_aloha_of_a_few() {
    let slot = Duration::from_millis(1);
    for (senders, probability) in [(2, 0.5), (5, 0.2), (10, 0.1), (10, 0.3)] {
        let habit = Habit::Slotted(slot, probability);
        let found = received(crowd(senders, habit, aloha()), Duration::from_secs(5), 10);
        let others = i32::try_from(senders).unwrap() - 1;
        let expected = 1000.0 * senders as f64 * probability * (1.0 - probability).powi(others);
        show(&format!("slotted, {senders} with probability {probability}"), &found, expected);
        assert!(found.covers(expected), "{senders}: {expected}, but {found:?}");
        assert!(found.half_width < 0.05 * expected, "{senders}: {found:?}");
    }
}

/// 802.11b with a signal that takes 1 µs to anywhere.
fn dcf() -> DcfRadio {
    DcfRadio { delay: PropagationDelay::Constant(us(1)), queue: 5, ..DcfRadio::default() }
}

/// Senders that always have something to send.
fn saturated(senders: usize, radio: DcfRadio) -> Scenario<Crowd> {
    crowd(senders, Habit::Saturated(us(1000)), Radio::Dcf(radio))
}

/// In seconds: 1000 bytes and a header of 36 at 11 Mbit/s, 14 bytes at 1 Mbit/s, a signal, DIFS, SIFS, a slot.
const DATA: f64 = 192e-6 + 1036.0 * 8.0 / 11e6;
const ACKNOWLEDGEMENT: f64 = 192e-6 + 112e-6;
const SIGNAL: f64 = 1e-6;
const DIFS: f64 = 50e-6;
const SIFS: f64 = 10e-6;
const SLOT: f64 = 20e-6;

#[test]
fn one_sender_alone() {
    let found = received(saturated(1, dcf()), Duration::from_secs(20), 10);
    let backoff = 31.0 / 2.0 * SLOT;
    let expected = 1.0 / (DIFS + backoff + DATA + SIGNAL + SIFS + ACKNOWLEDGEMENT + SIGNAL);
    show("one sender alone", &found, expected);
    assert!(found.covers(expected), "{expected}, but {found:?}");
    assert!(found.half_width < 0.005 * expected, "{found:?}");
}

/// Bianchi's saturation throughput in frames per second, with a limited number of tries: each sender transmits in a slot
/// with probability tau, and each transmission fails with probability p.
fn bianchi(senders: i32) -> f64 {
    let tau = |p: f64| {
        let stages = 0..7;
        let tries: f64 = stages.clone().map(|stage| p.powi(stage)).sum();
        let slots: f64 =
            stages.map(|stage| p.powi(stage) * (32.0 * 2_f64.powi(stage.min(5)) + 1.0) / 2.0).sum();
        tries / slots
    };
    let failure = |tau: f64| 1.0 - (1.0 - tau).powi(senders - 1);
    // The fixed point, by bisection: tau falls with p, and p grows with tau.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let p = (low + high) / 2.0;
        if failure(tau(p)) > p { low = p } else { high = p }
    }
    let tau = tau(low);
    let idle = (1.0 - tau).powi(senders);
    let success = f64::from(senders) * tau * (1.0 - tau).powi(senders - 1);
    let collision = 1.0 - idle - success;
    let busy = DATA + SIGNAL + SIFS + ACKNOWLEDGEMENT + SIGNAL + DIFS;
    // After a collision, who heard it waits as long as if it had been acknowledged: EIFS.
    success / (idle * SLOT + success * busy + collision * (busy - SIGNAL))
}

#[test]
fn saturation_after_bianchi() {
    for senders in [5, 10, 20] {
        let found = received(saturated(senders, dcf()), Duration::from_secs(5), 5);
        let expected = bianchi(i32::try_from(senders).unwrap());
        let error = found.mean / expected - 1.0;
        show(&format!("{senders} saturated senders"), &found, expected);
        assert!(error.abs() < 0.05, "{senders} senders: {error:+.4}, {found:?}");
        assert!(found.half_width < 0.02 * expected, "{senders} senders: {found:?}");
    }
}

#[test]
fn hidden_terminals_destroy_each_other_s_frames() {
    // Two senders beside a listener: they notice each other, or not.
    let throughput = |sense: f64| {
        let propagation = Propagation::Disc { reception: 250.0, sense };
        let radio = Radio::Dcf(DcfRadio { propagation, ..dcf() });
        let points = [(0.0, 0.0), (-200.0, 0.0), (200.0, 0.0)];
        let crowd = Crowd { habit: Habit::Saturated(us(1000)) };
        let scenario = Scenario::new(crowd, Topology::full_mesh(3)).field(field(&points, radio));
        received(scenario, Duration::from_secs(5), 5)
    };
    let (heard, hidden) = (throughput(550.0), throughput(250.0));
    let expected = bianchi(2);
    show("two senders that notice each other", &heard, expected);
    show("two that are hidden from each other", &hidden, expected);
    assert!((heard.mean / expected - 1.0).abs() < 0.05, "{expected}, but {heard:?}");
    assert!(
        hidden.mean + hidden.half_width < 0.7 * heard.mean,
        "{} of {} frames/s",
        hidden.mean,
        heard.mean
    );
}
