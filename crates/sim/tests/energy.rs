//! Energy of nodes, to the joule, and empty batteries.

use crate::talkers;
use crate::validation;

use std::time::Duration;

use everypath_model::{
    Area, DcfRadio, Energy, Field, FieldError, IdealRadio, Mobility, Node, NodeId, Protocol, Radio,
    Scenario, ScenarioError, SharedRadio, Start, Topology,
};
use everypath_sim::{Limits, LossReason, Run, Simulation};
use talkers::{Say, Seen, Talker, field, seen, talkers, us};

const ROW: [(f64, f64); 3] = [(0.0, 0.0), (200.0, 0.0), (400.0, 0.0)];

/// One byte takes a microsecond, a frame of a talker 100.
fn ideal() -> Radio {
    Radio::Ideal(IdealRadio::default().bandwidth_bps(8_000_000))
}

fn radios() -> [Radio; 3] {
    let shared = SharedRadio::default().bandwidth_bps(8_000_000);
    [ideal(), Radio::Shared(shared), Radio::Dcf(DcfRadio::default())]
}

fn name(radio: Radio) -> &'static str {
    match radio {
        Radio::Ideal(_) => "idealised radio",
        Radio::Shared(_) => "shared medium",
        Radio::Dcf(_) => "802.11b",
    }
}

fn powered(field: Field, initial_j: f64) -> Field {
    let energy = Energy::default().transmit_w(2.0).receive_w(1.0).idle_w(0.1).initial_j(initial_j);
    field.energy(energy)
}

fn run<P: Protocol>(scenario: &Scenario<P>) -> Run {
    Simulation::new(scenario, 1, 0).unwrap().run(&Limits::default()).unwrap()
}

#[test]
fn what_is_overheard_costs_as_well_and_what_overlaps_costs_once() {
    // A frame for node 1 that node 2 does not hear, and two at once that node 1 hears for 150 µs.
    let says =
        [(us(1000), 1, Say::To(0, 1)), (us(2000), 0, Say::To(1, 2)), (us(2050), 2, Say::All(3))];
    for radio in [ideal(), radios()[1]] {
        let scenario = talkers(powered(field(&ROW, radio), f64::INFINITY), &says);
        let run = run(&scenario);
        let times: Vec<_> = run
            .batteries
            .iter()
            .map(|battery| [battery.transmitting_s, battery.receiving_s].map(|s| (s * 1e6).round()))
            .collect();
        assert_eq!(times, [[100.0, 100.0], [100.0, 150.0], [100.0, 100.0]], "{radio:?}");
        assert!(run.batteries.iter().all(|battery| battery.residual_j == f64::INFINITY));
        let energy = run.distribution("energy").unwrap();
        let expected = 2.0 * 1e-4 + 1.5e-4 + 0.1 * (1.0 - 2.5e-4);
        assert!((energy.max() - expected).abs() < 1e-12, "{radio:?}");
        let what = format!("energy, {}, three frames counted by hand: greatest", name(radio));
        validation::against_exact(&what, "J", energy.max(), expected);
        assert_eq!((energy.count(), run.first_death_s()), (3, None));
    }
}

#[test]
fn a_node_with_an_empty_battery_is_off_for_good() {
    // Idle until 0.4 s: 0.04 J. Node 1 has spent 0.04 J + 0.0002 J by the end of its first frame.
    let says = [
        (us(1000), 0, Say::To(1, 1)),
        (us(500_000), 1, Say::All(2)),
        (us(600_000), 0, Say::All(3)),
    ];
    for radio in radios() {
        let scenario = talkers(powered(field(&ROW, radio), 0.04), &says);
        let Seen { heard, .. } = seen(&scenario);
        assert_eq!(heard.len(), 1, "{radio:?}");
        let run = run(&scenario);
        let died = run.first_death_s().unwrap();
        assert!((0.39..0.4).contains(&died), "{died}");
        assert!(run.batteries[2].died_s.unwrap() > died);
        assert_eq!(run.events, 2, "a command and a delivery");
        assert_eq!(run.distribution("lifetime").unwrap().count(), 3);
    }
}

#[test]
fn a_frame_whose_sender_dies_is_lost() {
    // After 0.1 s without a frame 10 ms are left for a node that only waits, but 0.5 ms for one that transmits.
    let bytes = 1000;
    for radio in [ideal(), radios()[1]] {
        let says = [(us(100_000), 0, Say::To(1, 1)), (us(100_000), 0, Say::All(2))];
        let mut scenario = talkers(powered(field(&ROW, radio), 0.011), &says);
        scenario.protocol = Talker { bytes };
        let Seen { heard, returned, settled, .. } = seen(&scenario);
        assert_eq!((heard.len(), returned.len()), (0, 0), "{radio:?}");
        let mut lost: Vec<_> =
            settled.iter().map(|&(_, _, message, loss)| (message, loss)).collect();
        lost.sort_unstable_by_key(|&(message, _)| message);
        assert_eq!(lost, [(1, Some(LossReason::Off)), (2, Some(LossReason::Off))], "{radio:?}");
        let run = run(&scenario);
        assert!((run.batteries[0].died_s.unwrap() - 0.1005).abs() < 1e-8, "{radio:?}");
        let packets = run.packets;
        assert_eq!((packets.sent, packets.lost, packets.frames), (0, 0, 2), "{radio:?}");
    }
}

/// Says hello every 100 ms, and again what it hears, once in a while.
struct Chatter;

impl Protocol for Chatter {
    type State = ();
    type Message = u32;
    type Timer = ();
    type Command = everypath_model::Never;

    fn start(&self, node: &mut Start<'_, Self>) {
        node.set_timer((), Duration::from_millis(u64::from(node.id.0)));
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, (): &()) {
        node.broadcast_within(node.id.0, Duration::from_millis(10));
        node.set_timer((), Duration::from_millis(100));
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, n: &u32) {
        node.count("heard");
        if node.choose(3) == 0 {
            node.send(from, *n);
        }
    }
}

fn chatter(radio: Radio, energy: Option<Energy>) -> Scenario<Chatter> {
    let area = Area { width: 600.0, height: 600.0 };
    let mobility = Mobility::Waypoint { area, speeds: (5.0, 20.0), pause: Duration::ZERO };
    Scenario::new(Chatter, Topology::full_mesh(12)).simulation(|run| {
        run.field(Field::new(mobility, radio).energy(energy)).duration(Duration::from_secs(3))
    })
}

#[test]
fn energy_is_conserved() {
    for radio in radios() {
        for initial_j in [0.3, 1.0] {
            let energy =
                Energy::default().transmit_w(1.3).receive_w(0.9).idle_w(0.11).initial_j(initial_j);
            let run = run(&chatter(radio, Some(energy)));
            let deaths = run.batteries.iter().filter(|battery| battery.died_s.is_some()).count();
            assert_eq!(deaths == 12, initial_j == 0.3, "{radio:?}: {deaths}");
            let (mut all_spent, mut all_by_time) = (0.0, 0.0);
            for battery in &run.batteries {
                let spent = initial_j - battery.residual_j;
                let by_time = 1.3 * battery.transmitting_s
                    + 0.9 * battery.receiving_s
                    + 0.11 * battery.idle_s;
                assert!((spent - by_time).abs() < 1e-12, "{radio:?}: {battery:?}");
                (all_spent, all_by_time) = (all_spent + spent, all_by_time + by_time);
                assert!((spent - battery.spent_j()).abs() < 1e-12, "{radio:?}: {battery:?}");
                let times =
                    [battery.transmitting_s, battery.receiving_s, battery.idle_s, battery.off_s];
                assert!((times.iter().sum::<f64>() - 3.0).abs() < 1e-12, "{battery:?}");
                assert!(battery.transmitting_s > 0.0 && battery.receiving_s > 0.0);
                match battery.died_s {
                    None => assert!(battery.residual_j > 0.0 && battery.off_s == 0.0),
                    // Within what a nanosecond takes.
                    Some(died) => {
                        assert!(battery.residual_j.abs() < 2e-9, "{battery:?}");
                        assert!((battery.off_s - (3.0 - died)).abs() < 1e-12);
                    }
                }
            }
            let what = format!("energy, {}, 12 batteries of {initial_j:.1} J: spent", name(radio));
            validation::against_exact(&what, "J", all_spent, all_by_time);
            let total: f64 = run.batteries.iter().map(|battery| battery.spent_j()).sum();
            assert!((run.distribution("energy").unwrap().mean() * 12.0 - total).abs() < 1e-9);
        }
    }
}

#[test]
fn who_never_runs_empty_behaves_as_without_energy() {
    for radio in radios() {
        let printed = |energy| {
            let run = run(&chatter(radio, energy));
            (run.events, run.packets, run.counters)
        };
        assert_eq!(printed(None), printed(Some(Energy::default())), "{radio:?}");
    }
}

#[test]
fn an_energy_without_sense_is_refused() {
    let energy = Energy::default();
    for (energy, name) in [
        (energy.transmit_w(-1.0), "power to transmit"),
        (energy.receive_w(f64::NAN), "power to receive"),
        (energy.idle_w(f64::INFINITY), "power when idle"),
        (energy.initial_j(0.0), "initial charge"),
        (energy.initial_j(f64::NAN), "initial charge"),
    ] {
        let error = chatter(ideal(), Some(energy)).validate().unwrap_err();
        let ScenarioError::Field(FieldError::Energy { name: found, .. }) = error else {
            panic!("{error}");
        };
        assert_eq!(found, name);
    }
}
