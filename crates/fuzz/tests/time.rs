//! Explorations with time: against a brute force that lets half units of time pass, and random runs with real times.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use everypath_explore::{Described, Options, PartText, Space, StateId, explore};
use everypath_fuzz::dice::Dice;
use everypath_model::{
    Area, Budget, Field, IdealRadio, Mobility, NetworkKind, Node, NodeId, Protocol, Radio,
    Scenario, Start, TimeBounds, Topology,
};
use everypath_plain::{PlainOptions, PlainSpace, Time};

const STATES: u8 = 3;

/// What a handler does.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// It sends this message to the other node, perhaps some ms later.
    Send(u8, u64),
    /// It sets this timer for some ms.
    Set(u8, u64),
    Prolong(u8, u64),
    Cancel(u8),
}

#[derive(Clone, Debug)]
struct Reaction {
    actions: Vec<Action>,
    next: u8,
}

/// Two nodes with a table: by state and input (start, messages, timers, command), what they do.
#[derive(Clone, Debug)]
struct Table {
    starts: Vec<Reaction>,
    reactions: Vec<Vec<Reaction>>,
}

impl Table {
    fn draw(dice: &mut Dice) -> Self {
        let mut reaction = |dice: &mut Dice| {
            let some = dice.below(3);
            let actions = dice.several(some, |dice| {
                let (timer, after) = (dice.below(2) as u8, dice.below(4) as u64);
                match dice.below(8) {
                    0..4 => Action::Send(timer, if dice.percent(20) { 1 } else { 0 }),
                    4..6 => Action::Set(timer, after),
                    6 => Action::Prolong(timer, after),
                    _ => Action::Cancel(timer),
                }
            });
            Reaction { actions, next: dice.below(STATES.into()) as u8 }
        };
        let starts = dice.several(2, &mut reaction);
        let reactions = dice.several(STATES.into(), |dice| dice.several(5, &mut reaction));
        Self { starts, reactions }
    }

    fn reaction(&self, state: u8, input: usize) -> &Reaction {
        &self.reactions[usize::from(state)][input]
    }

    fn react(reaction: &Reaction, node: &mut Start<'_, Self>) -> u8 {
        let other = NodeId(1 - node.id.0);
        let ms = Duration::from_millis;
        for action in &reaction.actions {
            match *action {
                Action::Send(word, 0) => node.send(other, word),
                Action::Send(word, most) => node.send_within(other, word, ms(most)),
                Action::Set(timer, after) => node.set_timer(timer, ms(after)),
                Action::Prolong(timer, after) => node.prolong_timer(timer, ms(after)),
                Action::Cancel(timer) => node.cancel_timer(&timer),
            }
        }
        reaction.next
    }

    fn handle(&self, node: &mut Node<'_, Self>, input: usize) {
        let (state, mut start) = node.split();
        *state = Self::react(self.reaction(*state, input), &mut start);
    }
}

impl Protocol for Table {
    type State = u8;
    type Message = u8;
    type Timer = u8;
    type Command = ();

    fn start(&self, node: &mut Start<'_, Self>) -> u8 {
        Self::react(&self.starts[node.id.index()].clone(), node)
    }

    fn commands(&self, _: NodeId, state: &u8) -> Vec<()> {
        if *state == 0 { vec![()] } else { Vec::new() }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, word: &u8) {
        self.handle(node, usize::from(*word));
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &u8) {
        self.handle(node, 2 + usize::from(*timer));
    }

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        self.handle(node, 4);
    }
}

/// A case: the table, the order of the network, and its times.
struct Case {
    table: Table,
    fifo: bool,
    least: u64,
    most: u64,
    bounds: TimeBounds,
}

impl Case {
    fn draw(seed: u64) -> Self {
        let mut dice = Dice::new(seed, 72);
        let mut table = Table::draw(&mut dice);
        let least = dice.below(3) as u64;
        let most = least + dice.below(3) as u64;
        let ms = Duration::from_millis;
        let drift_ppm = if dice.percent(40) { 500_000 } else { 0 };
        let bounds = TimeBounds { packet: Some((ms(least), ms(most))), drift_ppm };
        let fifo = dice.percent(50);
        let reactions = table.reactions.iter_mut().flatten().chain(&mut table.starts);
        for action in reactions.flat_map(|reaction| &mut reaction.actions).filter(|_| fifo) {
            // On a link in order, a jitter is refused.
            if let Action::Send(_, within) = action {
                *within = 0;
            }
        }
        Self { table, fifo, least, most, bounds }
    }

    fn scenario(&self) -> Scenario<Table> {
        let ms = Duration::from_millis;
        let network = if self.fifo { NetworkKind::FifoPerLink } else { NetworkKind::Unordered };
        Scenario::new(self.table.clone(), Topology::chain(2))
            .network(network)
            .loss(Budget::AtMost(1))
            .packet_time(ms(self.least), ms(self.most))
            .clock_drift_ppm(self.bounds.drift_ppm)
    }
}

/// The timers of a node: when each is due, at least and at most.
type Due = BTreeMap<u8, (u64, u64)>;

/// A world: all times in steps of the brute force, until something is due and until it must have happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct World {
    nodes: Vec<(u8, Due)>,
    flight: Vec<(usize, u8, u64, u64)>,
    losses: u8,
}

/// A world without its times, as text.
type Seen = (Vec<String>, Vec<Vec<String>>, Vec<String>);

/// An event: its kind, its node, and the message or timer.
type What = (&'static str, usize, u8);

struct Brute<'a> {
    case: &'a Case,
    /// In nanoseconds.
    step: u64,
}

impl Brute<'_> {
    fn steps(&self, ms: u64) -> u64 {
        ms * 1_000_000 / self.step
    }

    fn react(&self, world: &mut World, node: usize, reaction: &Reaction) {
        world.nodes[node].0 = reaction.next;
        for action in &reaction.actions {
            match *action {
                Action::Send(word, within) => {
                    let (least, most) = (self.case.least, self.case.most + within);
                    world.flight.push((1 - node, word, self.steps(least), self.steps(most)));
                }
                Action::Set(timer, after) => {
                    let due = self.timer(after);
                    world.nodes[node].1.insert(timer, due);
                }
                Action::Prolong(timer, after) => {
                    let (least, most) = self.timer(after);
                    let due = world.nodes[node].1.entry(timer).or_insert((least, most));
                    *due = (due.0.max(least), due.1.max(most));
                }
                Action::Cancel(timer) => drop(world.nodes[node].1.remove(&timer)),
            }
        }
        if !self.case.fifo {
            world.flight.sort_unstable();
        } else {
            world.flight.sort_by_key(|packet| packet.0);
        }
    }

    fn timer(&self, after: u64) -> (u64, u64) {
        let drift = after * u64::from(self.case.bounds.drift_ppm);
        let after = after * 1_000_000;
        ((after - drift) / self.step, (after + drift) / self.step)
    }

    fn start(&self) -> World {
        let nodes = vec![(0, BTreeMap::new()); 2];
        let mut world = World { nodes, flight: Vec::new(), losses: 1 };
        for node in 0..2 {
            self.react(&mut world, node, &self.case.table.starts[node]);
        }
        world
    }

    /// The world one step of time later, if nothing must happen before.
    fn tick(&self, world: &World) -> Option<World> {
        let mut later = world.clone();
        let windows = later.flight.iter_mut().map(|packet| (&mut packet.2, &mut packet.3));
        let timers = later.nodes.iter_mut().flat_map(|(_, timers)| timers.values_mut());
        let mut any = false;
        for (least, most) in windows.chain(timers.map(|(least, most)| (least, most))) {
            *least = least.saturating_sub(1);
            *most = most.checked_sub(1)?;
            any = true;
        }
        any.then_some(later)
    }

    fn events(&self, world: &World) -> Vec<(What, World)> {
        let table = &self.case.table;
        let mut events = Vec::new();
        for node in 0..2 {
            let (state, timers) = &world.nodes[node];
            if *state == 0 {
                let mut next = world.clone();
                self.react(&mut next, node, table.reaction(0, 4));
                events.push((("command", node, 0), next));
            }
            for (&timer, _) in timers.iter().filter(|(_, due)| due.0 == 0) {
                let mut next = world.clone();
                next.nodes[node].1.remove(&timer);
                self.react(&mut next, node, table.reaction(*state, 2 + usize::from(timer)));
                events.push((("timer", node, timer), next));
            }
        }
        for (place, &(to, word, least, _)) in world.flight.iter().enumerate() {
            if self.case.fifo && world.flight[..place].iter().any(|packet| packet.0 == to) {
                continue;
            }
            let mut without = world.clone();
            without.flight.remove(place);
            if world.losses > 0 {
                let next = World { losses: 0, ..without.clone() };
                events.push((("lose", to, word), next));
            }
            if least == 0 {
                let state = world.nodes[to].0;
                self.react(&mut without, to, table.reaction(state, word.into()));
                events.push((("deliver", to, word), without));
            }
        }
        events
    }

    fn seen(&self, world: &World) -> Seen {
        let timers = |timers: &BTreeMap<u8, _>| timers.keys().map(u8::to_string).collect();
        let packet = |&(to, word, ..): &(usize, u8, u64, u64)| format!("{word} n{}→n{to}", 1 - to);
        let mut packets: Vec<String> = world.flight.iter().map(packet).collect();
        packets.sort_unstable();
        let states = world.nodes.iter().map(|(state, _)| state.to_string()).collect();
        (states, world.nodes.iter().map(|(_, own)| timers(own)).collect(), packets)
    }

    /// All worlds without their times, after at most this many events; nothing, if there are too many.
    fn reached(&self, events: usize) -> Option<BTreeSet<Seen>> {
        let mut known = BTreeSet::new();
        let mut level = vec![self.start()];
        for _ in 0..=events {
            let mut next = Vec::new();
            while let Some(world) = level.pop() {
                if !known.insert(world.clone()) {
                    continue;
                }
                next.extend(self.events(&world).into_iter().map(|(_, next)| next));
                level.extend(self.tick(&world));
            }
            level = next;
            if known.len() > 20_000 {
                return None;
            }
        }
        Some(known.iter().map(|world| self.seen(world)).collect())
    }
}

fn seen(space: &PlainSpace<'_, Table>, state: StateId) -> Seen {
    let (mut states, mut timers, mut packets) = (Vec::new(), Vec::new(), Vec::new());
    for (name, part) in space.state_text(state).parts {
        match part {
            PartText::Value(value) => states.push(value),
            PartText::Bag(values) if name == "network" => packets = values,
            PartText::Bag(values) => timers.push(values),
        }
    }
    packets.sort_unstable();
    (states, timers, packets)
}

/// The same by the exploration.
fn explored(space: &mut PlainSpace<'_, Table>, events: usize) -> BTreeSet<Seen> {
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut known: BTreeSet<StateId> = level.iter().copied().collect();
    for _ in 0..events {
        let mut steps = Vec::new();
        space.expand(&level, &mut steps);
        let targets = steps.into_iter().map(|step| step.target);
        level = targets.filter(|target| known.insert(*target)).collect();
    }
    known.into_iter().map(|state| seen(space, state)).collect()
}

fn timed(scenario: &Scenario<Table>) -> PlainSpace<'_, Table> {
    let options = PlainOptions { time: Time::Counted, ..PlainOptions::default() };
    PlainSpace::new(scenario, None, options).expect("its times are suitable")
}

#[test]
fn half_units_reach_the_same_worlds() {
    let (mut compared, mut worlds, mut fewer) = (0, 0, 0);
    for seed in 0..160 {
        let case = Case::draw(seed);
        let scenario = case.scenario();
        let mut space = timed(&scenario);
        let unit = space.unit().expect("time counts").as_nanos() as u64;
        // A table may name no time at all.
        let step = if unit.is_multiple_of(2) { unit / 2 } else { 500_000 };
        let brute = Brute { case: &case, step };
        let Some(expected) = brute.reached(5) else { continue };
        let found = explored(&mut space, 5);
        assert_eq!(found, expected, "seed {seed}: {case:?}", case = case.table);
        let mut free = PlainSpace::new(&scenario, None, PlainOptions::default()).unwrap();
        fewer += u32::from(explored(&mut free, 5).len() > found.len());
        compared += 1;
        worlds += found.len();
    }
    println!("{compared} cases, {worlds} worlds, {fewer} with fewer than without time");
    assert!(compared > 100 && worlds > 2000 && fewer > 30);
}

/// A run with random real times: its events, with the worlds after them.
fn random_run(case: &Case, dice: &mut Dice, events: usize) -> Vec<(What, Seen)> {
    // In steps so short that hardly anything happens at the same time.
    let brute = Brute { case, step: 50_000 };
    let mut world = brute.start();
    let mut run = Vec::new();
    for _ in 0..events {
        // Time passes, up to a random moment at which something can happen.
        let patience = || {
            let packets = world.flight.iter().map(|packet| packet.3);
            let timers = world.nodes.iter().flat_map(|(_, timers)| timers.values());
            packets.chain(timers.map(|due| due.1)).min().unwrap_or(0)
        };
        let pause = dice.below(patience() as usize + 1);
        let mut later = world.clone();
        for _ in 0..pause {
            later = brute.tick(&later).expect("nothing must happen before");
        }
        let mut possible = brute.events(&later);
        if possible.is_empty() {
            // At the last moment, something can.
            for _ in pause..patience() as usize {
                later = brute.tick(&later).expect("nothing must happen before");
            }
            possible = brute.events(&later);
        }
        if possible.is_empty() {
            break;
        }
        let (what, next) = dice.pick(&possible);
        run.push((what, brute.seen(&next)));
        world = next;
    }
    run
}

#[test]
fn runs_with_real_times_are_runs_of_the_exploration() {
    let mut events = 0;
    for seed in 0..150 {
        let case = Case::draw(seed);
        let scenario = case.scenario();
        let mut space = timed(&scenario);
        let mut dice = Dice::new(seed, 73);
        let run = random_run(&case, &mut dice, 8);
        let mut now = Vec::new();
        space.initial(&mut now);
        for (place, (what, world)) in run.iter().enumerate() {
            let mut steps = Vec::new();
            space.expand(&now, &mut steps);
            let mut next = BTreeSet::new();
            for step in steps {
                let text = space.event_text(now[step.source as usize], step.event);
                let is_same = text.kind == what.0
                    && text.node == Some(what.1 as u32)
                    && seen(&space, step.target) == *world;
                if is_same {
                    next.insert(step.target);
                }
            }
            assert!(!next.is_empty(), "seed {seed}, event {place}: {what:?} of {run:?}");
            now = next.into_iter().collect();
            events += 1;
        }
    }
    assert!(events > 700, "{events}");
}

fn refusal(scenario: &Scenario<Table>, time: Time) -> String {
    let options = PlainOptions { time, ..PlainOptions::default() };
    PlainSpace::new(scenario, None, options).err().expect("it is refused").to_string()
}

#[test]
fn times_that_cannot_be_counted_are_refused() {
    let reaction = |action| Reaction { actions: vec![action], next: 1 };
    let table = Table {
        starts: vec![reaction(Action::Set(0, 3)), reaction(Action::Send(0, 0))],
        reactions: vec![vec![reaction(Action::Set(0, 300)); 5]; STATES.into()],
    };
    let [least, most] = [1, 2].map(Duration::from_millis);
    let made = || Scenario::new(table.clone(), Topology::chain(2)).packet_time(least, most);
    let too_long = refusal(&made(), Time::Counted);
    assert!(too_long.contains("up to 300ms, which is more than 64 units of 1ms"), "{too_long}");
    let list = refusal(&made().network(NetworkKind::GlobalList), Time::Counted);
    assert!(list.contains("wait for each other") && list.contains("unordered or fifo"), "{list}");
    let jittered = Table {
        starts: vec![reaction(Action::Send(0, 1)), reaction(Action::Send(0, 0))],
        reactions: vec![vec![reaction(Action::Set(0, 3)); 5]; STATES.into()],
    };
    let fifo = Scenario::new(jittered, Topology::chain(2)).network(NetworkKind::FifoPerLink);
    let fifo = refusal(&fifo.packet_time(least, most), Time::Counted);
    assert!(fifo.contains("those behind it wait for it"), "{fifo}");
    let links = refusal(&Scenario::new(table.clone(), Topology::chain(2)), Time::Counted);
    assert!(links.contains("`packet_time`"), "{links}");
    let none = refusal(&made(), Time::CountedIn(Duration::ZERO));
    assert!(none.contains("0 s"), "{none}");
    let ends = made().assume("often", |_, _| true).assert_at_end("never", |_| false);
    assert!(refusal(&ends, Time::Counted).contains("time stops there"));
    let reversed = made().packet_time(most, least);
    assert!(refusal(&reversed, Time::Counted).contains("exchange the two"));
    // A unit that divides not all times stops the search, with one that does.
    let options = PlainOptions { time: Time::CountedIn(most), ..PlainOptions::default() };
    let scenario = made();
    let mut space = PlainSpace::new(&scenario, None, options).unwrap();
    let refused = explore(&mut space, &Options::default(), &mut ()).err();
    let refused = refused.expect("its unit is too coarse").to_string();
    assert!(refused.contains("give --time-unit 1ms"), "{refused}");
    // So does one that is too fine, with a coarser one.
    let [least, most] = [10, 20].map(Duration::from_millis);
    let time = Time::CountedIn(Duration::from_micros(10));
    let options = PlainOptions { time, ..PlainOptions::default() };
    let scenario = made().packet_time(least, most);
    let mut space = PlainSpace::new(&scenario, None, options).unwrap();
    let refused = explore(&mut space, &Options::default(), &mut ()).err();
    let refused = refused.expect("its unit is too fine").to_string();
    assert!(refused.contains("units of 10µs: give --time-unit 1ms"), "{refused}");
}

#[test]
fn radios_need_a_packet_time() {
    let reaction = Reaction { actions: Vec::new(), next: 1 };
    let table = Table {
        starts: vec![reaction.clone(); 2],
        reactions: vec![vec![reaction; 5]; STATES.into()],
    };
    let square = Mobility::Uniform(Area { width: 9.0, height: 9.0 });
    let field = Field::new(square, Radio::Ideal(IdealRadio::default()));
    let made = || Scenario::new(table.clone(), Topology::unlinked(2));
    let made = || made().simulation(|run| run.field(field.clone()));
    assert!(refusal(&made(), Time::Counted).contains("by radio"));
    let [least, most] = [1, 2].map(Duration::from_millis);
    let _ = timed(&made().packet_time(least, most));
}
