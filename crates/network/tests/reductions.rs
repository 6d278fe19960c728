//! Reductions: each finds what the plain space has, and is refused where it would not.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, HashSet},
    time::Duration,
};

use everypath_explore::{
    Described, Ended, Judged, Limits, Options, Refusal, Space, StateId, Stop, enabled, explore,
    replay,
};
use everypath_model::{
    Audience, Budget, NetworkKind, Node, NodeId, Numbered, Packet, Profile, Protocol, Scenario,
    Start, Topology, World,
};
use everypath_network::{NetworkSpace, Reductions, SpaceOptions};
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde::{Deserialize, Serialize};

use crate::table::cases;

/// A protocol that only compares its numbers. Node 0 makes them; what a node does with one that it
/// gets is looked up by how it compares with the two that the node has kept.
#[derive(Clone, Debug)]
struct Comparer {
    rules: Vec<Rule>,
    /// In which of its moods node 0 may make a number.
    makes: [bool; 2],
    /// Numbers older than the first kept one are ignored.
    ignores_old: bool,
    slip: Slip,
}

/// What the protocol does wrong, if anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    None,
    /// It adds to a number that it has received.
    Adds,
    /// It compares a number with a constant.
    ComparesWithTwo,
    /// Node 1 makes numbers, too.
    TwoMakers,
    /// Whether node 0 may make a number depends on how many there were.
    CountsNumbers,
    /// A packet that was obsolete gets another meaning.
    ForgetsFirst,
}

#[derive(Clone, Debug)]
struct Rule {
    /// What happens to the second kept number.
    second: Kept,
    /// Whether a larger number replaces the first.
    follow: bool,
    mood: u8,
    send: Option<(Target, Kept, u8)>,
    alarm: Option<Kept>,
}

#[derive(Clone, Copy, Debug)]
enum Kept {
    First,
    Second,
    Received,
}

#[derive(Clone, Copy, Debug)]
enum Target {
    Sender,
    All,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Registers {
    kept: [u32; 2],
    mood: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Letter {
    number: u32,
    letter: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
struct Alarm(u32);

impl Numbered for Registers {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        self.kept.iter_mut().for_each(visit);
    }
}

impl Numbered for Letter {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(&mut self.number);
    }
}

impl Numbered for Alarm {
    fn visit_numbers(&mut self, visit: &mut dyn FnMut(&mut u32)) {
        visit(&mut self.0);
    }
}

const MAKER: NodeId = NodeId(0);
const LETTERS: u8 = 2;
/// Comparisons with two numbers, letters and the alarm, moods.
const RULES: usize = 9 * (LETTERS as usize + 1) * 2;

impl Comparer {
    fn rule(&self, state: &Registers, number: u32, letter: u8) -> &Rule {
        let compared = |kept: u32| match number.cmp(&kept) {
            Ordering::Less => 0,
            Ordering::Equal => 1,
            Ordering::Greater => 2,
        };
        let numbers = compared(state.kept[0]) * 3 + compared(state.kept[1]);
        let letter = usize::from(letter);
        &self.rules[(numbers * (usize::from(LETTERS) + 1) + letter) * 2 + usize::from(state.mood)]
    }

    fn handle(&self, node: &mut Node<'_, Self>, from: Option<NodeId>, number: u32, letter: u8) {
        if self.ignores_old && number < node.state.kept[0] {
            return;
        }
        let rule = self.rule(node.state, number, letter).clone();
        let before = node.state.kept;
        let value = |kept: Kept| match kept {
            Kept::First => before[0],
            Kept::Second => before[1],
            Kept::Received => number,
        };
        // The maker's first number is the largest of all, so that the next is larger still.
        if rule.follow && node.id != MAKER && number > before[0] {
            node.state.kept[0] = number;
        }
        node.state.kept[1] = value(rule.second);
        node.state.mood = rule.mood;
        match self.slip {
            Slip::Adds => node.state.kept[1] = number + 1,
            Slip::ComparesWithTwo => node.state.mood = u8::from(number == 2),
            Slip::ForgetsFirst if letter == 1 && node.id != MAKER => node.state.kept[0] = 0,
            _ => {}
        }
        if let Some((target, number, letter)) = rule.send {
            let letter = Letter { number: value(number), letter };
            match (target, from) {
                (Target::Sender, Some(from)) => node.send(from, letter),
                (Target::Sender, None) => {}
                (Target::All, _) => node.broadcast(letter),
            }
        }
        if let Some(number) = rule.alarm {
            node.set_timer(Alarm(value(number)), Duration::from_secs(1));
        }
    }
}

impl Protocol for Comparer {
    type State = Registers;
    type Message = Letter;
    type Timer = Alarm;
    type Command = ();

    fn start(&self, _: &mut Start<'_, Self>) -> Registers {
        Registers { kept: [0, 0], mood: 0 }
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &Letter) {
        self.handle(node, Some(from), message.number, message.letter);
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, alarm: &Alarm) {
        self.handle(node, None, alarm.0, LETTERS);
    }

    fn commands(&self, me: NodeId, state: &Registers) -> Vec<()> {
        let is_maker = me == MAKER || self.slip == Slip::TwoMakers && me == NodeId(1);
        let may = match self.slip {
            Slip::CountsNumbers => state.kept[0] < 3,
            _ => self.makes[usize::from(state.mood)],
        };
        vec![(); usize::from(is_maker && may)]
    }

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        node.state.kept[0] += 1;
        let letter = Letter { number: node.state.kept[0], letter: node.state.mood };
        node.broadcast(letter);
    }
}

/// A protocol with all that is around it.
#[derive(Clone, Debug)]
struct Setting {
    protocol: Comparer,
    nodes: usize,
    audience: u32,
    network: NetworkKind,
    loss: bool,
    duplication: bool,
    /// The moods that the nodes must never have together.
    forbidden: u8,
}

impl Setting {
    fn scenario(&self) -> Scenario<Comparer> {
        let forbidden = self.forbidden;
        let once = |is_on| if is_on { Budget::AtMost(1) } else { Budget::Off };
        Scenario::new(self.protocol.clone(), Topology::full_mesh(self.nodes))
            .network(self.network)
            .audience(Audience::AtMost(self.audience))
            .loss(once(self.loss))
            .duplication(once(self.duplication))
            .numbers_by_rank()
            .obsolete(|state, packet: Packet<'_, Comparer>| packet.message.number < state.kept[0])
            .assert_always("moods", move |world| {
                world.nodes().any(|(node, state)| state.mood != forbidden >> node.0 & 1)
            })
            .assert_always("apart", |world: &World<'_, Comparer>| {
                let second = |node| world.node(NodeId(node)).kept[1];
                second(0) == 0 || second(0) < second(1) || second(1) == 0
            })
    }

    fn space<'s>(
        &self,
        scenario: &'s Scenario<Comparer>,
        reductions: Reductions,
    ) -> NetworkSpace<'s> {
        let options = SpaceOptions::default().reductions(reductions);
        NetworkSpace::new(scenario, options).unwrap()
    }
}

fn kept() -> impl Strategy<Value = Kept> {
    select(vec![Kept::First, Kept::Second, Kept::Received])
}

fn rule() -> impl Strategy<Value = Rule> {
    let target = select(vec![Target::Sender, Target::All]);
    let send = option::of((target, kept(), 0..LETTERS));
    (kept(), any::<bool>(), 0..2_u8, send, option::weighted(0.2, kept()))
        .prop_map(|(second, follow, mood, send, alarm)| Rule { second, follow, mood, send, alarm })
}

/// A random protocol that only compares its numbers.
fn setting() -> impl Strategy<Value = Setting> {
    let protocol = (vec(rule(), RULES), any::<[bool; 2]>(), any::<bool>()).prop_map(
        |(rules, [_, second], ignores_old)| Comparer {
            rules,
            makes: [true, second],
            ignores_old,
            slip: Slip::None,
        },
    );
    let networks = select(vec![
        NetworkKind::Unordered,
        NetworkKind::inbox(1),
        NetworkKind::inbox(2),
        NetworkKind::FifoPerLink,
        NetworkKind::GlobalList,
    ]);
    let faults = any::<[bool; 2]>();
    (protocol, 2..4_usize, 1..3_u32, networks, faults, 0..8_u8).prop_map(
        |(protocol, nodes, audience, network, [loss, duplication], forbidden)| Setting {
            protocol,
            nodes,
            audience: audience.min(nodes as u32 - 1),
            network,
            loss,
            duplication,
            forbidden,
        },
    )
}

/// States, timers and packets.
type Content = (Vec<(Registers, Vec<Alarm>)>, Vec<(NodeId, NodeId, Letter)>);

/// What a state has, with packets in an order that only the network decides.
fn content(space: &NetworkSpace<'_>, network: NetworkKind, state: StateId) -> Content {
    let world = space.world_of::<Comparer>(state).expect("no node is broken");
    let nodes = world.nodes.into_iter().map(|node| (node.state, node.timers)).collect();
    let packets = world.packets.into_iter().map(|it| (it.from, it.to, it.message));
    let mut packets: Vec<_> = packets.collect();
    match network {
        NetworkKind::Unordered => packets.sort(),
        NetworkKind::FifoPerLink => packets.sort_by_key(|&(from, to, _)| (from, to)),
        NetworkKind::GlobalList => {}
        _ => packets.sort_by_key(|&(_, to, _)| to),
    }
    (nodes, packets)
}

/// The same with the rank of each number instead of the number.
fn ranked((mut nodes, mut packets): Content, network: NetworkKind) -> Content {
    let mut all = BTreeSet::new();
    let mut visit = |visit: &mut dyn FnMut(&mut u32)| {
        for (state, timers) in &mut nodes {
            state.visit_numbers(visit);
            timers.visit_numbers(visit);
        }
        packets.iter_mut().for_each(|(_, _, letter)| letter.visit_numbers(visit));
    };
    visit(&mut |number| {
        all.insert(*number);
    });
    all.remove(&0);
    let ranks: BTreeMap<u32, u32> = all.into_iter().zip(1..).collect();
    visit(&mut |number| *number = ranks.get(number).copied().unwrap_or(0));
    if network == NetworkKind::Unordered {
        packets.sort();
    }
    (nodes, packets)
}

/// What a search finds, level by level: new contents, and the assertions that they violate.
type Levels<T> = Vec<(HashSet<T>, BTreeSet<usize>)>;

/// No deeper once a level has this many states.
const LEVEL_MAX: usize = 1_500;
const ASSERTIONS: usize = 2;

fn levels<T: std::hash::Hash + Eq + Clone>(
    space: &mut NetworkSpace<'_>,
    depth: usize,
    content: impl Fn(&NetworkSpace<'_>, StateId) -> T,
) -> Levels<T> {
    let mut level = Vec::new();
    space.initial(&mut level);
    let (mut seen, mut known) = (HashSet::new(), HashSet::new());
    let mut levels = Vec::new();
    for _ in 0..=depth {
        level.retain(|&state| seen.insert(state));
        let (mut new, mut violated) = (HashSet::new(), BTreeSet::new());
        level.retain(|&state| {
            let (content, verdict) = (content(space, state), space.verdict(state));
            if known.insert(content.clone()) {
                violated.extend((0..ASSERTIONS).filter(|&it| verdict.violates(it)));
                new.insert(content);
            }
            verdict.is_safe()
        });
        levels.push((new, violated));
        if level.len() > LEVEL_MAX {
            break;
        }
        let mut next = Vec::new();
        for &state in &level {
            next.extend(enabled(space, state).iter().map(|(step, _)| step.target));
        }
        level = next;
    }
    levels
}

/// Both are the same, as deep as both go.
fn agree<T: std::hash::Hash + Eq + std::fmt::Debug>(plain: &Levels<T>, reduced: &Levels<T>) {
    assert!(reduced.len() >= plain.len(), "a reduction does not make a level larger");
    for (depth, (plain, reduced)) in plain.iter().zip(reduced).enumerate() {
        assert_eq!(plain.1, reduced.1, "assertions violated at depth {depth}");
        let missing: Vec<_> = plain.0.difference(&reduced.0).take(2).collect();
        let added: Vec<_> = reduced.0.difference(&plain.0).take(2).collect();
        assert!(
            missing.is_empty() && added.is_empty(),
            "at depth {depth}: missing {missing:?}, added {added:?}"
        );
    }
}

fn nodes_of(space: &NetworkSpace<'_>, state: StateId) -> Vec<(Registers, Vec<Alarm>)> {
    content(space, NetworkKind::Unordered, state).0
}

proptest! {
    #![proptest_config(cases(60))]

    /// Ranks: the states of the plain space, renamed afterwards, on every network.
    #[test]
    fn ranks_are_the_plain_space_renamed(setting in setting()) {
        let scenario = setting.scenario();
        let network = setting.network;
        let mut plain = setting.space(&scenario, Reductions::NONE);
        let renamed = levels(&mut plain, 6, |space, state| {
            ranked(content(space, network, state), network)
        });
        let mut space = setting.space(&scenario, Reductions::NONE.ranks(true));
        let reduced = levels(&mut space, 6, |space, state| content(space, network, state));
        agree(&renamed, &reduced);
        prop_assert_eq!(space.flaw(), None);
    }

    /// Obsolete packets and smaller audiences: the same nodes at the same depths.
    #[test]
    fn dropped_packets_and_audiences_change_no_node(
        setting in setting(),
        reductions in select(vec!["obsolete", "audiences", "both"]),
        mailbox in any::<bool>(),
    ) {
        let mut setting = setting;
        setting.protocol.ignores_old = true;
        setting.network = if mailbox { NetworkKind::inbox(1) } else { NetworkKind::Unordered };
        let scenario = setting.scenario();
        let plain = levels(&mut setting.space(&scenario, Reductions::NONE), 6, nodes_of);
        let on = Reductions::NONE
            .obsolete(reductions != "audiences")
            .audiences(reductions != "obsolete");
        let mut space = setting.space(&scenario, on);
        agree(&plain, &levels(&mut space, 6, nodes_of));
        prop_assert_eq!(space.flaw(), None);
    }

    /// All together find the assertions that are violated, by runs that are as short, and each run
    /// is one of the plain space.
    #[test]
    fn all_reductions_find_the_same_violations(setting in setting(), mailbox in any::<bool>()) {
        let mut setting = setting;
        setting.protocol.ignores_old = true;
        setting.network = if mailbox { NetworkKind::inbox(1) } else { NetworkKind::Unordered };
        let scenario = setting.scenario();
        let options = Options::default().max_depth(5).limits(Limits::default().states(5_000)).stop(Stop::Each);
        let find = |reductions| {
            let mut space = setting.space(&scenario, reductions);
            let found = explore(&mut space, &options, &mut ()).unwrap();
            let lengths: BTreeMap<usize, usize> =
                found.findings.iter().map(|it| (it.assertion, it.trace.steps.len())).collect();
            for finding in &found.findings {
                let run = space.unreduced(&finding.trace).expect("the plain space has this run");
                let steps: Vec<_> = run
                    .transitions()
                    .map(|(before, step)| {
                        (space.event_text(before, step.event), space.digest(step.state))
                    })
                    .collect();
                let events = steps.iter().map(|(text, digest)| (text, *digest));
                let mut plain = setting.space(&scenario, Reductions::NONE);
                let replayed = replay(&mut plain, space.digest(run.initial), events).unwrap();
                let last = replayed.steps.last().map_or(replayed.initial, |step| step.state);
                assert!(plain.verdict(last).violates(finding.assertion));
            }
            (lengths, matches!(found.ended, Ended::Limit(_)))
        };
        let (plain, is_cut_short) = find(Reductions::NONE);
        let (reduced, _) = find(Reductions::NONE.ranks(true).obsolete(true).audiences(true));
        prop_assert!(is_cut_short || plain == reduced, "{:?} and {:?}", plain, reduced);
    }
}

/// Numbers are kept and passed on, the first one and the second.
fn simple(slip: Slip, network: NetworkKind) -> Setting {
    let rule = Rule {
        second: Kept::Received,
        follow: true,
        mood: 0,
        send: Some((Target::All, Kept::Received, 1)),
        alarm: None,
    };
    Setting {
        protocol: Comparer { rules: vec![rule; RULES], makes: [true; 2], ignores_old: true, slip },
        nodes: 3,
        audience: 2,
        network,
        loss: false,
        duplication: false,
        forbidden: 7,
    }
}

/// What a search with reductions finds wrong with a scenario.
fn flaw(scenario: &Scenario<Comparer>, reductions: Reductions) -> Option<String> {
    let options = SpaceOptions::default().reductions(reductions);
    let mut space = NetworkSpace::new(scenario, options).unwrap();
    let options =
        Options::default().max_depth(6).limits(Limits::default().states(20_000)).stop(Stop::Never);
    match explore(&mut space, &options, &mut ()) {
        Err(Refusal::Flaw { what }) => Some(what),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    }
}

#[test]
fn what_ranks_rely_on_is_verified() {
    let ranks = Reductions::NONE.ranks(true);
    let expected = [
        (Slip::None, None),
        (Slip::Adds, Some("makes a number that is not larger than all others")),
        (Slip::ComparesWithTwo, Some("does more than compare numbers: on ")),
        (Slip::TwoMakers, Some("makes a number that is not larger than all others")),
        (Slip::CountsNumbers, Some("other events are possible when numbers have other names")),
    ];
    for network in [NetworkKind::Unordered, NetworkKind::inbox(1), NetworkKind::FifoPerLink] {
        for (slip, told) in expected {
            let scenario = simple(slip, network).scenario();
            match (told, flaw(&scenario, ranks)) {
                (None, None) => {}
                (Some(told), Some(flaw)) => assert!(flaw.contains(told), "{slip:?}: {flaw}"),
                (_, flaw) => panic!("{slip:?}: {flaw:?}"),
            }
            assert_eq!(flaw(&scenario, Reductions::NONE), None, "{slip:?}");
        }
    }
    let absolute = simple(Slip::None, NetworkKind::inbox(1))
        .scenario()
        .assert_always("few numbers", |world| world.node(MAKER).kept[0] != 2);
    let found = flaw(&absolute, ranks).expect("an assertion reads a number");
    assert!(found.contains("an assertion, goal or pruning answers differently"), "{found}");
}

#[test]
fn what_obsolete_packets_rely_on_is_verified() {
    let obsolete = Reductions::NONE.obsolete(true);
    for network in [NetworkKind::Unordered, NetworkKind::inbox(1)] {
        let found = |setting: &Setting| flaw(&setting.scenario(), obsolete);
        assert_eq!(found(&simple(Slip::None, network)), None);
        let mut reads_old = simple(Slip::None, network);
        reads_old.protocol.ignores_old = false;
        let told = found(&reads_old).expect("old packets are read");
        assert!(told.contains("says so, but the handler changes or sends something"), "{told}");
        let told = found(&simple(Slip::ForgetsFirst, network)).expect("the first is forgotten");
        assert!(told.contains("says no, although it said yes in an earlier state"), "{told}");
    }
    let panics = simple(Slip::None, NetworkKind::Unordered).scenario();
    let panics = panics.obsolete(|state, _| {
        assert!(state.kept[0] < 2, "too many");
        false
    });
    let told = flaw(&panics, obsolete).expect("it panics");
    assert!(told.contains("`obsolete` panics: too many"), "{told}");
}

#[test]
fn nothing_may_read_the_packets_that_reductions_change() {
    let reads = || {
        simple(Slip::None, NetworkKind::inbox(1))
            .scenario()
            .assert_always("few packets", |world| world.packets().len() < 9)
    };
    for name in ["obsolete", "audiences"] {
        let on = Reductions::NONE.with(name).expect("there is one");
        let told = flaw(&reads(), on).expect("an assertion reads packets");
        let expected = format!("the reduction `{name}` is not possible: ");
        assert!(told.contains(&expected) && told.contains("few packets"), "{told}");
    }
    assert_eq!(flaw(&reads(), Reductions::NONE.ranks(true)), None);
}

#[test]
fn reductions_that_cannot_be_are_refused_with_the_reason() {
    let refused = |scenario: Scenario<Comparer>, options: SpaceOptions| {
        let refusal = NetworkSpace::new(&scenario, options).map(|_| ()).unwrap_err();
        refusal.to_string()
    };
    let with = |name| {
        let on = Reductions::NONE.with(name).expect("there is one");
        SpaceOptions::default().reductions(on)
    };
    let plain = || {
        Scenario::new(simple(Slip::None, NetworkKind::Unordered).protocol, Topology::full_mesh(3))
    };
    let of = |network| simple(Slip::None, network).scenario();
    let unordered = || of(NetworkKind::Unordered);
    let pattern = |text: &str| text.parse().unwrap();
    let several = "keeps several packets in order";
    for (scenario, options, why) in [
        (
            plain(),
            with("ranks"),
            "does not say that its numbers are only compared (`numbers_by_rank`)",
        ),
        (plain(), with("obsolete"), "does not say which packets are obsolete (`obsolete`)"),
        (plain(), with("audiences"), "all neighbours hear every broadcast (`audience`)"),
        (of(NetworkKind::FifoPerLink), with("obsolete"), several),
        (of(NetworkKind::GlobalList), with("obsolete"), several),
        (of(NetworkKind::inbox(2)), with("obsolete"), several),
        (of(NetworkKind::FifoPerLink), with("audiences"), several),
        (of(NetworkKind::inbox(2)), with("audiences"), several),
        (unordered(), with("obsolete").deadlock(true), "something is asserted of ends"),
        (unordered(), with("audiences").deadlock(true), "something is asserted of ends"),
        (
            unordered(),
            with("obsolete").required(pattern("deliver@1")),
            "may be one of a packet that is dropped",
        ),
        (unordered(), with("ranks").disabled(vec![pattern("deliver:number: 3")]), "names a number"),
        (
            unordered(),
            with("audiences").disabled(vec![pattern("command:heard by n1")]),
            "may tell audiences apart",
        ),
        (unordered(), with("ranks").profile(Profile::Thesis), "the profile `thesis` reproduces"),
    ] {
        let told = refused(scenario, options);
        assert!(told.contains(why), "{why}: {told}");
    }
    let told = refused(unordered().link_failure(Budget::AtMost(1)), with("obsolete"));
    assert!(told.contains("reduction"), "{told}");
}
