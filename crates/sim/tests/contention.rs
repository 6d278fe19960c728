//! Throughput of many nodes on a shared medium, against formulas.

use crate::talkers;
use crate::validation;

use std::time::Duration;

use everypath_model::{
    DcfRadio, Node, NodeId, Propagation, PropagationDelay, Protocol, Radio, Scenario, SharedRadio,
    Start, Topology, WarmUp,
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
    fn wait(&self, fx: &mut Start<'_, Self>) {
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

    fn start(&self, node: &mut Start<'_, Self>) {
        let me = node.id;
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        if me != NodeId(0) {
            self.wait(fx);
        }
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        let (_, mut fx) = node.split();
        let fx = &mut fx;
        fx.send(NodeId(0), ());
        self.wait(fx);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, (): &()) {
        node.count("received");
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, _: NodeId, (): &()) {
        node.count("returned");
    }
}

impl Crowd {
    fn message_bytes(&self, (): &()) -> usize {
        1000
    }
}

/// One listener, and a number of senders, all within range of all.
fn crowd(senders: usize, habit: Habit, radio: Radio) -> Scenario<Crowd> {
    let points: Vec<_> = (0..=senders).map(|node| (node as f64 / 10.0, 0.0)).collect();
    Scenario::new(Crowd { habit }, Topology::full_mesh(senders + 1))
        .simulation(|run| run.message_bytes(Crowd::message_bytes).field(field(&points, radio)))
}

/// How many frames per second are received, in a number of runs, after a moment to settle.
fn received(scenario: Scenario<Crowd>, (runs, duration): (u32, Duration)) -> Estimate {
    let settled = Duration::from_millis(200);
    let scenario = scenario.simulation(|run| {
        run.warm_up(WarmUp::Until(settled)).duration(settled + duration).measure(
            "received",
            "frames/s",
            |run| run.count("received") as f64 / run.elapsed_s(),
        )
    });
    let runs = replicate(&scenario, 1, runs, &Limits::default(), &mut ()).unwrap();
    runs.measure("received").unwrap().clone()
}

/// A frame takes a millisecond, a signal no time.
fn aloha() -> Radio {
    let delay = PropagationDelay::Constant(Duration::ZERO);
    Radio::Shared(SharedRadio::default().bandwidth_bps(8_000_000).delay(delay))
}

/// For how many runs, and for how long, ALOHA is watched.
const ALOHA: (u32, Duration) = (40, Duration::from_secs(5));
/// As long as a frame.
const SLOTTED: Duration = Duration::from_millis(1);

/// As many as it takes for the formulas of infinitely many senders to be wrong by less than 1 %.
const SENDERS: usize = 200;

#[test]
fn pure_aloha() {
    for offered in [0.2, 0.5, 1.0] {
        let load = offered / SENDERS as f64;
        let found = received(crowd(SENDERS, Habit::Poisson(1000.0 * load), aloha()), ALOHA);
        // Each other sender must have been idle when the frame began, and then begin no frame of its own.
        let others = ((1.0 - load) * (-load).exp()).powf(SENDERS as f64 - 1.0);
        let what = format!("ALOHA, pure, G = {offered:.1}, {SENDERS} senders");
        validation::against_formula(&what, &found, 1000.0 * offered * others, 0.02);
        let expected = 1000.0 * offered * (-2.0 * offered).exp();
        let what = format!("ALOHA, pure, G = {offered:.1}, the limit of many senders");
        validation::against_approximation(&what, &found, expected, 0.03);
    }
}

#[test]
fn slotted_aloha() {
    for offered in [0.3, 1.0, 2.0] {
        let probability = offered / SENDERS as f64;
        let found = received(crowd(SENDERS, Habit::Slotted(SLOTTED, probability), aloha()), ALOHA);
        let what = format!("ALOHA, slotted, G = {offered:.1}, {SENDERS} senders");
        validation::against_formula(&what, &found, slotted(SENDERS, probability), 0.02);
        let expected = 1000.0 * offered * (-offered).exp();
        let what = format!("ALOHA, slotted, G = {offered:.1}, the limit of many senders");
        validation::against_approximation(&what, &found, expected, 0.03);
    }
}

#[test]
fn slotted_aloha_of_a_few() {
    for (senders, probability) in [(2, 0.5), (5, 0.2), (10, 0.1), (10, 0.3)] {
        let habit = Habit::Slotted(SLOTTED, probability);
        let found = received(crowd(senders, habit, aloha()), ALOHA);
        let what = format!("ALOHA, slotted, {senders} senders, p = {probability}");
        validation::against_formula(&what, &found, slotted(senders, probability), 0.02);
    }
}

/// How many slots of a second have exactly one frame.
fn slotted(senders: usize, probability: f64) -> f64 {
    let others = (1.0 - probability).powf(senders as f64 - 1.0);
    1000.0 * senders as f64 * probability * others
}

/// 802.11b with a signal that takes 1 µs to anywhere.
fn dcf() -> DcfRadio {
    DcfRadio::default().delay(PropagationDelay::Constant(us(1))).queue(5)
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
    let found = received(saturated(1, dcf()), (20, Duration::from_secs(10)));
    let backoff = 31.0 / 2.0 * SLOT;
    let expected = 1.0 / (DIFS + backoff + DATA + SIGNAL + SIFS + ACKNOWLEDGEMENT + SIGNAL);
    validation::against_formula("802.11b, 1 saturated sender", &found, expected, 0.005);
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
        let found = received(saturated(senders, dcf()), (20, Duration::from_secs(2)));
        let expected = bianchi(i32::try_from(senders).unwrap());
        let what = format!("802.11b, {senders} saturated senders (Bianchi)");
        validation::against_approximation(&what, &found, expected, 0.05);
    }
}

#[test]
fn hidden_terminals_destroy_each_other_s_frames() {
    // Two senders beside a listener: they notice each other, or not.
    let throughput = |sense: f64| {
        let propagation = Propagation::Disc { reception: 250.0, sense };
        let radio = Radio::Dcf(dcf().propagation(propagation));
        let points = [(0.0, 0.0), (-200.0, 0.0), (200.0, 0.0)];
        let crowd = Crowd { habit: Habit::Saturated(us(1000)) };
        let scenario = Scenario::new(crowd, Topology::full_mesh(3))
            .simulation(|run| run.message_bytes(Crowd::message_bytes).field(field(&points, radio)));
        received(scenario, (20, Duration::from_secs(2)))
    };
    let (heard, hidden) = (throughput(550.0), throughput(250.0));
    let what = "802.11b, 2 saturated senders that notice each other (Bianchi)";
    validation::against_approximation(what, &heard, bianchi(2), 0.05);
    let what = "802.11b, 2 saturated senders that are hidden from each other";
    validation::against_words(what, &hidden, "less than if they notice each other");
    assert!(hidden.mean + hidden.half_width < heard.mean - heard.half_width);
}
