//! Promises of radios on a shared medium: who hears what, when, and what becomes of the rest.

use crate::talkers;

use std::time::Duration;

use everypath_model::{
    DcfRadio, FieldError, Never, Node, NodeId, PathLoss, Power, Propagation, PropagationDelay,
    Protocol, Radio, Scenario, ScenarioError, SharedRadio, Start, Topology,
};
use everypath_sim::{Limits, Log, LossReason, Simulation};
use talkers::{Say, Seen, field, seen, talkers, us};

/// One byte takes a microsecond, a frame of a talker 100, a signal 1 to anywhere.
fn shared() -> Radio {
    Radio::Shared(SharedRadio::default().bandwidth_bps(8_000_000))
}

/// In a row, so that only next neighbours hear each other.
const ROW: [(f64, f64); 3] = [(0.0, 0.0), (200.0, 0.0), (400.0, 0.0)];

#[test]
fn a_shared_medium_carries_one_frame_at_a_time() {
    // Node 1 hears both of its neighbours. The second pair of frames only touches.
    let says = [
        (us(1000), 0, Say::To(1, 1)),
        (us(1099), 2, Say::To(1, 2)),
        (us(2000), 0, Say::To(1, 3)),
        (us(2100), 2, Say::To(1, 4)),
    ];
    let Seen { heard, returned, settled, missed } = seen(&talkers(field(&ROW, shared()), &says));
    assert_eq!(heard, [(2_101_000, 1, 3), (2_201_000, 1, 4)]);
    assert_eq!(returned, [(1_101_000, 0, 1), (1_200_000, 2, 2)]);
    let collision = Some(LossReason::Collision);
    assert_eq!(
        settled,
        [
            (1_101_000, 0, 1, collision),
            (1_200_000, 2, 2, collision),
            (2_101_000, 0, 3, None),
            (2_201_000, 2, 4, None)
        ]
    );
    let lost = LossReason::Collision;
    assert_eq!(missed, [(1_101_000, 1, 1, lost), (1_200_000, 1, 2, lost)]);
}

#[test]
fn who_transmits_hears_nothing_and_who_is_far_neither() {
    let says = [
        (us(1000), 0, Say::All(1)),
        (us(1050), 1, Say::All(2)),
        (us(2000), 0, Say::To(2, 3)),
        (us(3000), 1, Say::All(4)),
    ];
    let Seen { heard, returned, missed, .. } = seen(&talkers(field(&ROW, shared()), &says));
    // Frame 2 reaches node 2, where nothing else arrives.
    assert_eq!(heard, [(1_151_000, 2, 2), (3_101_000, 0, 4), (3_101_000, 2, 4)]);
    assert_eq!(returned, [(2_101_000, 0, 3)]);
    let deaf = LossReason::Transmitting;
    assert_eq!(missed, [(1_101_000, 1, 1, deaf), (1_151_000, 0, 2, deaf)]);
}

#[test]
fn frames_wait_for_the_transmitter_and_one_too_many_is_dropped() {
    let radio = SharedRadio::default().bandwidth_bps(8_000_000).queue(2);
    let says: Vec<_> = (0..4).map(|message| (us(1000), 0, Say::To(1, message))).collect();
    let scenario = talkers(field(&ROW[..2], Radio::Shared(radio)), &says);
    let Seen { heard, settled, .. } = seen(&scenario);
    assert_eq!(heard, [(1_101_000, 1, 0), (1_201_000, 1, 1), (1_301_000, 1, 2)]);
    assert_eq!(settled[0], (1_000_000, 0, 3, Some(LossReason::QueueFull)));
    let run = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap();
    let packets = run.packets;
    assert_eq!((packets.sent, packets.delivered, packets.dropped), (4, 3, 1));
    assert_eq!((packets.frames, packets.in_flight()), (4, 0));
}

#[test]
fn a_world_shows_what_is_in_the_air() {
    let says = [(us(1000), 0, Say::All(1)), (us(1000), 1, Say::To(2, 2))];
    let scenario = talkers(field(&ROW, shared()), &says);
    let mut simulation = Simulation::new(&scenario, 1, 0).unwrap();
    simulation.run_until(us(1050)).unwrap();
    let world = simulation.world();
    let packets: Vec<_> =
        world.packets().map(|packet| (packet.from.0, packet.to.0, *packet.message)).collect();
    assert_eq!(packets, [(0, 1, 1), (1, 2, 2)]);
    assert!(world.is_up(NodeId(0), NodeId(1)) && !world.is_up(NodeId(0), NodeId(2)));
    simulation.run_until(us(1200)).unwrap();
    assert_eq!(simulation.world().packets().count(), 0);
}

/// 802.11b with a signal that takes 1 µs to anywhere.
fn dcf() -> DcfRadio {
    DcfRadio::default().delay(PropagationDelay::Constant(us(1)))
}

/// 100 bytes and a header of 36: 192 µs and 136 * 8 / 11 µs.
const DATA: u128 = 192_000 + 98_909;
/// 14 bytes at 1 Mbit/s.
const ACKNOWLEDGEMENT: u128 = 192_000 + 112_000;

#[test]
fn one_exchange_to_the_nanosecond() {
    let says = [(us(1000), 0, Say::To(1, 1)), (us(3000), 1, Say::All(2))];
    let Seen { heard, settled, .. } = seen(&talkers(field(&ROW, Radio::Dcf(dcf())), &says));
    // At once, as the medium has been idle for long. Its sender knows after SIFS and an acknowledgement.
    let arrives = 1_000_000 + DATA + 1000;
    let acknowledged = arrives + 10_000 + ACKNOWLEDGEMENT + 1000;
    // At 1 Mbit/s, and no node acknowledges.
    let broadcast = 3_000_000 + 192_000 + 136 * 8000 + 1000;
    assert_eq!(heard, [(arrives, 1, 1), (broadcast, 0, 2), (broadcast, 2, 2)]);
    assert_eq!(settled, [(acknowledged, 0, 1, None), (broadcast, 1, 2, None)]);
}

#[test]
fn light_takes_its_time() {
    let radio = Radio::Dcf(DcfRadio::default());
    let points = [(0.0, 0.0), (149.896_229, 0.0), (0.0, 29.979_245_8)];
    let says = [(us(1000), 0, Say::All(1))];
    let Seen { heard, .. } = seen(&talkers(field(&points, radio), &says));
    let sent = 1_000_000 + 192_000 + 136 * 8000;
    assert_eq!(heard, [(sent + 100, 2, 1), (sent + 500, 1, 1)]);
}

#[test]
fn a_frame_for_an_absent_node_comes_back_after_all_tries() {
    for tries in [1, 4, 7] {
        let radio = dcf().tries(tries).window_min(0).window_max(0);
        let says = [(us(1000), 0, Say::To(2, 1))];
        let scenario = talkers(field(&ROW, Radio::Dcf(radio)), &says);
        let Seen { heard, returned, settled, .. } = seen(&scenario);
        assert_eq!(heard, []);
        // Without backoff, a try takes the frame, the time-out of 222 µs, and DIFS before the next.
        let back = 1_000_000 + u128::from(tries) * (DATA + 222_000 + 50_000) - 50_000;
        assert_eq!(returned, [(back, 0, 1)]);
        assert_eq!(settled, [(back, 0, 1, Some(LossReason::RetryLimit))]);
        let run = Simulation::new(&scenario, 1, 0).unwrap().run(&Limits::default()).unwrap();
        assert_eq!((run.packets.frames, run.packets.transmissions), (1, u64::from(tries)));
    }
}

#[test]
fn a_frame_received_twice_is_handled_once() {
    // Nodes 0 and 2 begin at one moment. Node 1 does not hear node 2 and receives; but node 0 cannot understand
    // its acknowledgement for the long frame of node 2, and tries again.
    let points = [(0.0, 0.0), (200.0, 0.0), (-200.0, 0.0)];
    let says = [(us(1000), 0, Say::To(1, 1)), (us(1000), 2, Say::All(9))];
    let scenario = talkers(field(&points, Radio::Dcf(dcf())), &says);
    let Seen { heard, missed, returned, settled } = seen(&scenario);
    assert_eq!(heard, [(1_000_000 + DATA + 1000, 1, 1)]);
    assert_eq!((missed[0].1, missed[0].2, missed[0].3), (0, 9, LossReason::Transmitting));
    assert_eq!(returned, []);
    let &(at, from, message, loss) = settled.last().unwrap();
    assert_eq!((from, message, loss), (0, 1, None));
    assert!(at > 1_000_000 + 192_000 + 136 * 8000 + DATA, "it was acknowledged later: {at}");
}

#[test]
fn signals_that_are_only_noticed_keep_others_silent_and_destroy() {
    // Understood up to 100 m, noticed up to 300 m. Node 0 talks to 1, and 3 to 2.
    let points = [(0.0, 0.0), (80.0, 0.0), (170.0, 0.0), (250.0, 0.0)];
    let propagation = Propagation::Disc { reception: 100.0, sense: 300.0 };
    let radio = dcf().propagation(propagation);
    let says = [(us(1000), 0, Say::All(1)), (us(1200), 3, Say::All(2))];
    let Seen { heard, .. } = seen(&talkers(field(&points, Radio::Dcf(radio)), &says));
    let long = 192_000 + 136 * 8000;
    assert_eq!(heard[0], (1_000_000 + long + 1000, 1, 1));
    assert!(heard[1].0 >= 1_000_000 + 2 * long + 50_000, "node 3 waits: {heard:?}");
    // At one moment both begin: nodes 1 and 2 notice both, and understand none.
    let says = [(us(1000), 0, Say::All(1)), (us(1000), 3, Say::All(2))];
    let Seen { heard, missed, .. } = seen(&talkers(field(&points, Radio::Dcf(radio)), &says));
    assert_eq!(heard, []);
    assert_eq!(missed.iter().filter(|missed| missed.3 == LossReason::Collision).count(), 2);
}

#[test]
fn the_stronger_of_two_frames_is_captured() {
    // Both begin at once. Node 1 is four times as near to node 0 as to node 2: 12 dB in free space.
    let points = [(0.0, 0.0), (20.0, 0.0), (100.0, 0.0)];
    let power = Power {
        transmit_dbm: 20.0,
        gain_db: 0.0,
        loss: PathLoss::FreeSpace { frequency_hz: 2.4e9 },
        reception_dbm: -80.0,
        sense_dbm: -90.0,
    };
    let says = [(us(1000), 0, Say::All(1)), (us(1000), 2, Say::All(2))];
    let heard = |capture_db| {
        let propagation = Propagation::Power(power);
        let radio = Radio::Dcf(dcf().propagation(propagation).capture_db(capture_db));
        let heard = seen(&talkers(field(&points, radio), &says)).heard;
        heard.into_iter().map(|(_, node, message)| (node, message)).collect::<Vec<_>>()
    };
    assert_eq!(heard(None), []);
    assert_eq!(heard(Some(13.0)), []);
    assert_eq!(heard(Some(12.0)), [(1, 1)]);
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let says: Vec<_> = (0..200)
        .map(|n| (us(1000 + 130 * u64::from(n % 50)), n % 3, Say::To((n + 1) % 3, n)))
        .collect();
    let scenario = talkers(field(&ROW, Radio::Dcf(dcf())), &says);
    let printed = |seed| {
        let mut simulation = Simulation::observed(&scenario, seed, 0, Seen::default()).unwrap();
        simulation.run_until(Duration::from_secs(1)).unwrap();
        (simulation.observer().heard.clone(), simulation.observer().missed.clone())
    };
    assert_eq!(printed(1), printed(1));
    assert_ne!(printed(1).0, printed(2).0);
}

/// Passes on to the next node what it hears.
struct Relay;

impl Protocol for Relay {
    type State = ();
    type Message = u32;
    type Timer = Never;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_command(&self, node: &mut Node<'_, Self>, message: &u32) {
        node.send(NodeId(node.id.0 + 1), *message);
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &u32) {
        if node.id.0 < 3 {
            node.send(NodeId(node.id.0 + 1), *message);
        }
    }
}

impl Relay {
    fn message_bytes(&self, _: &u32) -> usize {
        100
    }
}

#[test]
fn who_forwards_waits_for_its_own_acknowledgement_and_difs() {
    let points = [(0.0, 0.0), (200.0, 0.0), (400.0, 0.0), (600.0, 0.0)];
    let scenario = Scenario::new(Relay, Topology::full_mesh(4)).simulation(|run| {
        run.message_bytes(Relay::message_bytes).field(field(&points, Radio::Dcf(dcf()))).job(
            NodeId(0),
            7,
            us(1000),
            None,
        )
    });
    let mut simulation = Simulation::observed(&scenario, 1, 0, Seen::default()).unwrap();
    simulation.run_until(us(10_000)).unwrap();
    let hop = DATA + 1000;
    let wait = 10_000 + ACKNOWLEDGEMENT + 50_000;
    let times: Vec<u128> = (0..3).map(|n| 1_000_000 + hop + n * (wait + hop)).collect();
    let heard: Vec<u128> = simulation.observer().heard.iter().map(|heard| heard.0).collect();
    assert_eq!(heard, times);
}

#[test]
fn a_log_tells_why_frames_are_lost() {
    let radio = SharedRadio::default().bandwidth_bps(8_000_000).queue(0);
    let says = [
        (us(1000), 0, Say::To(1, 1)),
        (us(1000), 0, Say::To(1, 2)),
        (us(1050), 2, Say::All(3)),
        (us(2000), 0, Say::To(2, 4)),
    ];
    let scenario = talkers(field(&ROW, Radio::Shared(radio)), &says);
    let mut log = Log::new(Vec::new());
    let mut simulation = Simulation::observed(&scenario, 1, 0, &mut log).unwrap();
    simulation.run_until(Duration::from_secs(1)).unwrap();
    drop(simulation);
    let text = String::from_utf8(log.finish().unwrap()).unwrap();
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.contains("start") && !line.contains("command"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "0.001000000 n0 drop 2 to n1, 100 B: queue-full",
        "0.001101000 n1 miss 1 from n0: collision",
        "0.001101000 n0 lose 1 to n1, 100 B: collision",
        "0.001101000 n0 undeliverable 1 to n1",
        "0.001151000 n1 miss 3 from n2: collision",
        "0.001151000 n2 send 3 to all, 100 B",
        "0.002101000 n0 lose 4 to n2, 100 B: out-of-range",
        "0.002101000 n0 undeliverable 4 to n2",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_radio_without_sense_is_refused() {
    let power = Power {
        transmit_dbm: 20.0,
        gain_db: 0.0,
        loss: PathLoss::FreeSpace { frequency_hz: 2.4e9 },
        reception_dbm: -80.0,
        sense_dbm: -90.0,
    };
    let with = |propagation| dcf().propagation(propagation);
    let powered = |power| with(Propagation::Power(power));
    let shared = SharedRadio::default();
    let wrong = [
        (Radio::Shared(shared.range(-1.0)), "range"),
        (Radio::Shared(shared.bandwidth_bps(0)), "bandwidth"),
        (Radio::Dcf(with(Propagation::disc(f64::NAN))), "range"),
        (
            Radio::Dcf(with(Propagation::Disc { reception: 250.0, sense: 200.0 })),
            "range of carrier sense",
        ),
        (Radio::Dcf(powered(Power { sense_dbm: -70.0, ..power })), "carrier sense threshold"),
        (Radio::Dcf(powered(Power { transmit_dbm: -80.0, ..power })), "reception threshold"),
        (
            Radio::Dcf(powered(Power { loss: PathLoss::FreeSpace { frequency_hz: 0.0 }, ..power })),
            "frequency",
        ),
        (Radio::Dcf(dcf().capture_db(0.0)), "capture ratio"),
        (Radio::Dcf(dcf().data_bps(0)), "data rate"),
        (Radio::Dcf(dcf().basic_bps(0)), "basic rate"),
        (Radio::Dcf(dcf().acknowledgement_bps(0)), "rate of acknowledgements"),
        (Radio::Dcf(dcf().slot(us(0))), "slot"),
        (Radio::Dcf(dcf().difs(us(9))), "DIFS"),
        (Radio::Dcf(dcf().delay(PropagationDelay::Constant(us(21)))), "delay"),
        (Radio::Dcf(dcf().window_max(30)), "largest window"),
        (Radio::Dcf(dcf().tries(0)), "number of tries"),
    ];
    for (radio, name) in wrong {
        let error = talkers(field(&ROW, radio), &[]).validate().unwrap_err();
        let ScenarioError::Field(FieldError::Radio { name: found, .. }) = error else {
            panic!("{error}");
        };
        assert_eq!(found, name);
    }
}
