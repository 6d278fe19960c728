//! How late packets and timers must be for a given run.

use std::time::Duration;

use everypath_model::{
    Budget, Decisions, Event, LinkModel, Node, NodeId, Packet, Protocol, Scenario, Start, Topology,
};
use everypath_sim::{
    Lateness, Limits, Observer, Simulation, StartFrom, TimedEvent, lateness, play,
};

/// A node sends what it is told to, answers small numbers, and has two timers.
struct Told;

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

impl Protocol for Told {
    type State = ();
    type Message = u8;
    type Timer = u8;
    type Command = u8;

    fn start(&self, node: &mut Start<'_, Self>) {
        if node.id == NodeId(0) {
            node.set_timer(0, ms(10));
        }
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u8) {
        match command {
            8 => node.prolong_timer(0, ms(4)),
            9 => node.cancel_timer(&0),
            11 => node.broadcast_within(7, ms(4)),
            12 => node.send_within(NodeId(1), 6, ms(4)),
            _ => node.broadcast(*command),
        }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &u8) {
        node.set_timer(1, ms(u64::from(*message) + 2));
        if *message < 3 {
            node.send(from, message + 1);
        }
    }

    fn on_timer(&self, _: &mut Node<'_, Self>, _: &u8) {}
}

/// Two nodes. A packet takes 1 ms, and the link needs 1 ms for it if it is slow.
fn scenario(is_slow: bool) -> Scenario<Told> {
    let link = LinkModel::default().bandwidth_bps(is_slow.then_some(64 * 8 * 1000));
    Scenario::new(Told, Topology::chain(2)).simulation(|run| run.link(link).duration(ms(200)))
}

fn timer(node: u32, timer: &u8) -> Event<'_, Told> {
    Event::Timer { node: NodeId(node), timer }
}

fn command(command: &u8) -> Event<'_, Told> {
    Event::Command { node: NodeId(0), command }
}

fn arrival(message: &u8) -> Event<'_, Told> {
    let packet = Packet { from: NodeId(0), to: NodeId(1), message };
    Event::Deliver { node: NodeId(1), packet }
}

fn timed<const N: usize>(events: [Event<'_, Told>; N]) -> [TimedEvent<'_, Told>; N] {
    events.map(|event| TimedEvent { event, decisions: Decisions::default() })
}

fn needed(scenario: &Scenario<Told>, events: &[TimedEvent<'_, Told>]) -> Lateness {
    lateness(scenario, &StartFrom::Start(&[]), events).unwrap().expect("it is a short run")
}

#[test]
fn a_command_waits_for_what_fits() {
    let scenario = scenario(false);
    let run = timed([command(&7), timer(0, &0), arrival(&7)]);
    assert_eq!(needed(&scenario, &run).largest, Duration::ZERO);
    // A playback gives the command at once.
    let played = play(&scenario, &StartFrom::Start(&[]), &run, &mut (), |_, _| {}).unwrap();
    assert_eq!(played.events[2].late, ms(9));
}

#[test]
fn lateness_is_divided_among_what_can_be_late() {
    let scenario = scenario(false);
    // The 7 is sent before the timer of the 1 is set, which fires 3 ms later.
    let run = timed([command(&7), command(&1), arrival(&1), timer(1, &1), arrival(&7)]);
    let needed = needed(&scenario, &run);
    assert_eq!(needed.largest, ms(3));
    assert_eq!(needed.events, [0, 0, 0, 0, 3].map(ms));
}

#[test]
fn packets_wait_for_a_slow_link() {
    let run = timed([command(&6), command(&7), arrival(&6), arrival(&7)]);
    assert_eq!(needed(&scenario(true), &run).largest, Duration::ZERO);
    // The second one must not be there before its link has sent both.
    let run = timed([command(&6), command(&7), arrival(&7), arrival(&6)]);
    assert_eq!(needed(&scenario(true), &run).largest, ms(1));
    // If the second is sent later, the first one is even later.
    assert_eq!(needed(&scenario(false), &run).largest, Duration::ZERO);
}

#[test]
fn a_timer_that_should_have_fired_is_late() {
    let scenario = scenario(false);
    let late = |run: &[TimedEvent<'_, Told>]| needed(&scenario, run).largest;
    // Unset before it is due, it never was late.
    assert_eq!(late(&timed([command(&9)])), Duration::ZERO);
    // The arrival at n1 sets its timer for 2 ms, and the answer 1 ms later that of n0 for 3 ms.
    let back = Packet { from: NodeId(1), to: NodeId(0), message: &1 };
    let back = Event::Deliver { node: NodeId(0), packet: back };
    assert_eq!(late(&timed([command(&0), arrival(&0), back, timer(0, &1)])), ms(2));
    // Set for 9 ms at 1 ms, it fires when the other one does.
    let fires = timed([command(&7), arrival(&7), timer(1, &1)]);
    assert_eq!(late(&fires), Duration::ZERO);
    // Prolonged for 4 ms when it is due at the latest, it fires after 14 ms at the latest.
    let run = timed([command(&7), arrival(&7), command(&8), timer(1, &1), timer(0, &0)]);
    assert_eq!(late(&run), Duration::ZERO);
}

#[test]
fn what_never_arrives_is_late_if_nothing_is_lost() {
    let run = timed([command(&7), timer(0, &0)]);
    assert_eq!(needed(&scenario(false), &run).largest, Duration::ZERO);
    // The arrival of the 1 comes before the 7 must arrive, but its timer of 3 ms does not.
    let run = timed([command(&7), command(&1), arrival(&1), timer(1, &1)]);
    assert_eq!(needed(&scenario(false), &run).largest, ms(3));
    assert_eq!(needed(&scenario(false).loss(Budget::Unlimited), &run).largest, Duration::ZERO);
}

/// The events of a run, with their content.
#[derive(Default)]
struct Kept(Vec<Happened>);

enum Happened {
    Command(u8),
    Timer(NodeId, u8),
    Arrival(NodeId, NodeId, u8),
}

impl Happened {
    fn event(&self) -> Event<'_, Told> {
        match self {
            Self::Command(word) => command(word),
            Self::Timer(node, timer) => Event::Timer { node: *node, timer },
            Self::Arrival(from, to, message) => {
                let packet = Packet { from: *from, to: *to, message };
                Event::Deliver { node: *to, packet }
            }
        }
    }
}

impl Observer<Told> for Kept {
    fn event(&mut self, _: Duration, event: &Event<'_, Told>, _: Option<u64>) {
        self.0.push(match *event {
            Event::Command { command, .. } => Happened::Command(*command),
            Event::Timer { node, timer } => Happened::Timer(node, *timer),
            Event::Deliver { packet, .. } => {
                Happened::Arrival(packet.from, packet.to, *packet.message)
            }
            _ => unreachable!("there are no faults"),
        });
    }
}

#[test]
fn a_packet_is_late_only_after_its_jitter() {
    let scenario = scenario(false).loss(Budget::Unlimited);
    let late = |events: &[TimedEvent<'_, Told>]| {
        let played = play(&scenario, &StartFrom::Start(&[]), events, &mut (), |_, _| {}).unwrap();
        (needed(&scenario, events).largest, played.events.last().unwrap().late)
    };
    // The timer of 3 ms that the 1 sets fires at 4 ms.
    let within = timed([command(&11), command(&1), arrival(&1), timer(1, &1), arrival(&7)]);
    assert_eq!(late(&within), (Duration::ZERO, Duration::ZERO));
    // That of 7 ms fires 3 ms after the jitter.
    let run = timed([command(&11), command(&5), arrival(&5), timer(1, &1), arrival(&7)]);
    assert_eq!(late(&run), (ms(3), ms(3)));
}

#[test]
fn simulated_runs_need_nothing_to_be_late() {
    for is_slow in [false, true] {
        let mut scenario = scenario(is_slow);
        // A slow link sends packets with a jitter in another order, of which a playback knows nothing.
        let last = if is_slow { [9, 5] } else { [11, 12] };
        for (place, word) in [0, 5, 8, 1, 0, 9].into_iter().chain(last).enumerate() {
            let begin = ms(3 * place as u64);
            scenario = scenario.simulation(|run| run.job(NodeId(0), word, begin, ms(17)));
        }
        let mut kept = Kept::default();
        Simulation::observed(&scenario, 1, 0, &mut kept).unwrap().run(&Limits::default()).unwrap();
        assert!(kept.0.len() > 100, "{}", kept.0.len());
        let run: Vec<_> = kept.0.iter().map(Happened::event).collect();
        let run =
            run.into_iter().map(|event| TimedEvent { event, decisions: Decisions::default() });
        let run: Vec<_> = run.take(120).collect();
        let needed = lateness(&scenario, &StartFrom::Start(&[]), &run).unwrap();
        assert_eq!(needed.map(|it| it.largest), Some(Duration::ZERO), "slow: {is_slow}");
    }
}
