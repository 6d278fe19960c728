//! Searches that are interrupted, saved, and gone on with in another space: they end as if nothing
//! had happened, or say why they cannot go on.

use crate::damage;
use crate::outcome_text;
use crate::table;

use std::{
    fmt::Debug,
    io::Write,
    ops::ControlFlow,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use everypath_explore::{
    Add, Checksummed, Conflict, Described, Ended, EventPattern, Judged, Limits, Options, Progress,
    RankBy, RankingPart, Refusal, ResumeError, Saved, Semantics, Space, StateId, Stop, StoreKind,
    Strategy as Order, Watch, WriteSearch, explore, resume,
};
use everypath_model::{
    Budget, EventKind, NetworkKind, Never, Node, NodeId, Profile, Protocol, Scenario, Start,
    Topology,
};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions, Verification};
use outcome_text::told;
use proptest::{
    collection::vec,
    option,
    prelude::*,
    sample::{Index, select},
};
use table::{Action, Case, Heard, Late, Program, Table, case, cases};

/// How many states a random search has, about.
const STATES: u64 = 1500;

/// Interrupts a search when it has been asked so often, and keeps it.
#[derive(Default)]
struct Interrupt {
    after: usize,
    asked: usize,
    saved: Vec<u8>,
}

impl Interrupt {
    fn after(after: usize) -> Self {
        Self { after, ..Self::default() }
    }
}

impl Watch for Interrupt {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        self.asked += 1;
        if self.asked > self.after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        search(&mut self.saved).unwrap();
    }
}

pub fn whole(mut space: NetworkSpace<'_>, options: &Options) -> (Result<String, String>, usize) {
    let mut watch = Interrupt::after(usize::MAX);
    let found = explore(&mut space, options, &mut watch);
    let told = found.map(|found| told(&space, &found)).map_err(|refusal| refusal.to_string());
    (told, watch.asked)
}

/// Interrupts a search when it has been asked so often; what it has saved.
pub fn interrupted(mut space: NetworkSpace<'_>, options: &Options, after: usize) -> Vec<u8> {
    let mut watch = Interrupt::after(after);
    let found = explore(&mut space, options, &mut watch).unwrap();
    assert_eq!(found.ended, Ended::Interrupted);
    watch.saved
}

/// Goes on with a search, interrupting it again and again.
pub fn pieced_together<'a>(
    space: impl Fn() -> NetworkSpace<'a>,
    options: &Options,
    mut saved: Vec<u8>,
    interruptions: &[usize],
) -> Result<String, String> {
    for &after in interruptions.iter().chain([&usize::MAX]) {
        let mut space = space();
        let mut watch = Interrupt::after(after);
        match resume(&mut space, options, &mut watch, &mut saved.as_slice()) {
            Ok(found) if found.ended == Ended::Interrupted => saved = watch.saved,
            Ok(found) => return Ok(told(&space, &found)),
            Err(error) => return Err(error.to_string()),
        }
    }
    unreachable!("the last one is never interrupted")
}

pub fn assert_same<T: Debug + PartialEq>(found: T, expected: T, how: impl Debug) {
    // Both are long; what differs is seen best one below the other.
    assert!(found == expected, "{how:?}\n{found:#?}\ninstead of\n{expected:#?}");
}

/// A random case, how it is made a space, and how that is searched.
#[derive(Clone, Debug)]
pub struct Search {
    pub case: Case,
    goal: u32,
    pub space: SpaceOptions,
    pub options: Options,
}

impl Search {
    pub fn scenario(&self) -> Scenario<Table> {
        self.scenario_of(self.case.table.clone(), |&state| state)
    }

    /// The scenario with a protocol that does what the table says.
    pub fn scenario_of<P: Protocol<Message = u32, Timer = u8, Command = u8>>(
        &self,
        protocol: P,
        value: fn(&P::State) -> u32,
    ) -> Scenario<P> {
        let Self { goal, .. } = *self;
        self.case.scenario_of(protocol, value).assert_reachable("sum", move |world| {
            world.nodes().map(|(_, state)| value(state)).sum::<u32>() == goal
        })
    }

    pub fn space<'a>(&self, scenario: &'a Scenario<Table>) -> NetworkSpace<'a> {
        NetworkSpace::new(scenario, self.space.clone()).expect("the options fit the scenario")
    }

    /// Leaves out what does not go together, and bounds the depth so that there are some states but
    /// not too many.
    fn settle(mut self) -> Self {
        let scenario = self.scenario();
        let possible = NetworkSpace::new(&scenario, self.space.clone());
        if let Err(SpaceError::Impossible { .. }) = possible {
            self.space.required = None;
        }
        let mut space = self.space(&scenario);
        let limits = Limits::default().states(STATES);
        let some = Options::default().limits(limits).stop(Stop::Never);
        let found = explore(&mut space, &some, &mut ()).unwrap();
        self.options.max_depth = Some(found.depth.min(12));
        if self.options.semantics == Semantics::Published {
            self.options.required_on_path.clone_from(&self.space.required);
        }
        let fresh = self.space(&scenario);
        while let Err(refusal) = self.options.validate(&fresh) {
            match refusal {
                Refusal::Relation { .. } => self.options.relation = None,
                Refusal::Combination {
                    conflict:
                        Conflict::BeamStoresLate
                        | Conflict::RecursionStoresLate
                        | Conflict::WalkStoresLate,
                    ..
                } => {
                    self.options.add = Add::Next;
                }
                _ => self.options.store = StoreKind::Exact,
            }
        }
        self
    }
}

fn order() -> impl Strategy<Value = Order> {
    let part = select(vec![
        RankingPart::Named(0),
        RankingPart::Named(1),
        RankingPart::Named(2),
        RankingPart::Novelty,
    ]);
    (0..7, vec(part, 1..=2), 1..60usize).prop_map(|(which, parts, width)| {
        let rank_by = RankBy(parts);
        match which {
            0 | 1 => Order::BreadthFirst,
            2 => Order::DepthFirst,
            3 => Order::DepthFirstRecursive,
            4 => Order::BestFirst(rank_by),
            5 => Order::BiasedRandom(rank_by),
            _ => Order::Beam { rank_by, width },
        }
    })
}

fn options() -> impl Strategy<Value = Options> {
    let add = select(vec![Add::Next, Add::Current]);
    let bits = StoreKind::Bitstate { bytes: 1 << 12, hashes: 3 };
    let store = select(vec![StoreKind::Exact, StoreKind::Exact, StoreKind::Fingerprint, bits]);
    let semantics = select(vec![Semantics::Exact, Semantics::Published]);
    let stop = select(vec![Stop::First, Stop::Each, Stop::Never]);
    let shuffle = option::of(any::<u64>());
    (order(), add, (shuffle, any::<u64>()), store, option::of(Just(0)), (semantics, stop)).prop_map(
        |(strategy, add, (shuffle, seed), store, relation, (semantics, stop))| {
            Options::default()
                .strategy(strategy)
                .add(add)
                .shuffle(shuffle)
                .seed(seed)
                .store(store)
                .relation(relation)
                .semantics(semantics)
                .stop(stop)
        },
    )
}

pub fn search() -> impl Strategy<Value = Search> {
    let kinds: Vec<String> = EventKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    let required = option::weighted(0.3, (select(kinds), option::of(0..2u32)));
    let plain = (any::<bool>(), any::<bool>(), any::<bool>());
    (case(), required, options(), 0..6u32, plain).prop_map(
        |(mut case, required, options, goal, (deadlock, verify_all, unordered))| {
            if unordered {
                // Else hardly any search could use the relation.
                (case.network, case.crowd, case.forbidden) = (NetworkKind::Unordered, None, None);
            }
            let pattern = |(kind, node)| EventPattern { kind: Some(kind), node, about: None };
            let space = SpaceOptions::default()
                .profile(case.profile)
                .verification(if verify_all { Verification::All } else { Verification::Share })
                .required(required.map(pattern))
                .deadlock(deadlock && !unordered);
            Search { case, goal, space, options }.settle()
        },
    )
}

proptest! {
    #![proptest_config(cases(200))]

    /// Interrupted anywhere, twice, a search ends as if it had not been; also if more threads go on
    /// with it, where they can.
    #[test]
    fn an_interruption_changes_nothing(
        search in search(),
        at in any::<Index>(),
        again in 0..3usize,
    ) {
        let scenario = search.scenario();
        let space = || search.space(&scenario);
        let (expected, asked) = whole(space(), &search.options);
        if asked == 0 {
            return Ok(());
        }
        let saved = interrupted(space(), &search.options, at.index(asked));
        let crew = search.options.clone().workers(3);
        if crew.validate(&space()).is_ok() {
            let found = pieced_together(space, &crew, saved.clone(), &[again]);
            assert_same(found, expected.clone(), &crew);
        }
        let found = pieced_together(space, &search.options, saved, &[again]);
        assert_same(found, expected, &search.options);
    }

    /// A search goes on with another protocol only if that does the same in all that was executed;
    /// it then ends as if it had been the other one from the beginning.
    #[test]
    fn another_protocol_is_refused_or_makes_no_difference(
        search in search(),
        at in any::<Index>(),
        which in any::<Index>(),
        next in 0..table::STATES,
    ) {
        let mut other = search.clone();
        let programs = &mut other.case.table.programs;
        let which = which.index(programs.len());
        programs[which] = Program { actions: Vec::new(), next };
        let scenario = search.scenario();
        let (_, asked) = whole(search.space(&scenario), &search.options);
        if asked == 0 {
            return Ok(());
        }
        let saved = interrupted(search.space(&scenario), &search.options, at.index(asked));
        let scenario = other.scenario();
        let space = || other.space(&scenario);
        match pieced_together(space, &other.options, saved, &[]) {
            Err(error) if error.starts_with("the protocol has changed since: ") => {}
            found => assert_same(found, whole(space(), &other.options).0, &other.options),
        }
    }
}

/// Asks everything of some states of a space that was read from whatever bytes.
fn look_around(space: &mut NetworkSpace<'_>) {
    let all = (0..6).flat_map(|tuple| (0..6).map(move |network| StateId(tuple << 32 | network)));
    let states: Vec<StateId> = all.filter(|&state| space.contains(state)).collect();
    for state in states {
        space.state_text(state);
        space.digest(state);
        space.fingerprint(state);
        space.verdict(state);
        let mut steps = Vec::new();
        if space.verdict(state).is_safe() {
            space.expand(&[state], &mut steps);
        }
        for step in steps {
            space.event_text(state, step.event);
            space.verdict(step.target);
        }
    }
}

proptest! {
    #![proptest_config(cases(400))]

    /// What a space reads it checks, whatever it is.
    #[test]
    fn damaged_spaces_are_refused_or_work(
        search in search(),
        seed in any::<u64>(),
    ) {
        let scenario = search.scenario();
        let mut space = search.space(&scenario);
        let mut states = Vec::new();
        space.initial(&mut states);
        states.retain(|&state| space.verdict(state).is_safe());
        let mut steps = Vec::new();
        space.expand(&states, &mut steps);
        let mut saved = Vec::new();
        space.save(&mut saved).unwrap();
        let saved = damage::spliced(&saved, seed);
        let mut space = search.space(&scenario);
        if space.restore(&mut saved.as_slice()).is_ok() {
            look_around(&mut space);
        }
    }

    /// Nothing of a saved search can be changed without notice.
    #[test]
    fn damaged_searches_are_refused(search in search(), seed in any::<u64>()) {
        let scenario = search.scenario();
        let space = || search.space(&scenario);
        if whole(space(), &search.options).1 == 0 {
            return Ok(());
        }
        let saved = interrupted(space(), &search.options, 0);
        let changed = damage::spliced(&saved, seed);
        let resumed = resume(&mut space(), &search.options, &mut (), &mut changed.as_slice());
        prop_assert!(resumed.is_err() || changed == saved || changed.starts_with(&saved));
    }
}

/// Stop-and-wait with alternating bits: the sender at node 0, the receiver at node 1. The network
/// loses and duplicates.
fn stop_and_wait(network: NetworkKind, profile: Profile) -> Case {
    let mut programs = vec![Program { actions: Vec::new(), next: 0 }; 48];
    let mut program = |node: u32, state: u32, column: u32, actions: &[Action], next| {
        programs[((node * table::STATES + state) * 8 + column) as usize] =
            Program { actions: actions.to_vec(), next };
    };
    let send = |message| Action::Send { neighbour: 0, message };
    program(0, 0, 0, &[send(0), Action::Set(0)], 0);
    for bit in 0..2 {
        // An acknowledgement of this bit, of the other one, and the timer.
        program(0, bit, 2 + bit, &[send(1 - bit), Action::Set(0)], 1 - bit);
        program(0, bit, 3 - bit, &[], bit);
        program(0, bit, 4, &[send(bit), Action::Set(0)], bit);
        // The packet that is expected, and the other one.
        program(1, bit, 2 + bit, &[Action::Reply { message: bit }], 1 - bit);
        program(1, bit, 3 - bit, &[Action::Reply { message: 1 - bit }], bit);
    }
    let table = Table { programs, commands: vec![Vec::new()], late: None };
    Case {
        loss: Budget::Unlimited,
        duplication: Budget::AtMost(2),
        ..Case::of(table, network, profile)
    }
}

fn standard(network: NetworkKind) -> Case {
    stop_and_wait(network, Profile::Standard)
}

/// The same bytes with a checksum that fits them.
fn summed(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    let mut out = Checksummed::new(&mut whole);
    out.write_all(bytes).unwrap();
    let sum = out.sum();
    out.beyond().write_all(&sum.to_le_bytes()).unwrap();
    whole
}

/// Whatever bytes are taken for a search, even with a checksum that fits them, they are refused, or a search
/// comes to its end.
#[test]
fn forged_searches_are_refused_or_end() {
    let case = Case { never_sum: Some(3), ..standard(NetworkKind::Unordered) };
    let scenario = case.scenario();
    let by_novelty = RankBy(vec![RankingPart::Novelty]);
    for strategy in [
        Order::BreadthFirst,
        Order::DepthFirst,
        Order::DepthFirstRecursive,
        Order::BiasedRandom(by_novelty.clone()),
        Order::Beam { rank_by: by_novelty, width: 4 },
    ] {
        let mut options = Options::default().strategy(strategy).stop(Stop::Never);
        options.limits.states = Some(12);
        let mut watch = Interrupt::after(usize::MAX);
        explore(&mut case.space(&scenario), &options, &mut watch).unwrap();
        let saved = watch.saved;
        options.limits.states = Some(40);
        let body = &saved[..saved.len() - 8];
        assert_eq!(summed(body), saved);
        let ended = damage::taken(body, 2000, |damaged| {
            let mut space = case.space(&scenario);
            let found = resume(&mut space, &options, &mut (), &mut summed(damaged).as_slice());
            found.is_ok_and(|found| !told(&space, &found).is_empty())
        });
        assert!(ended > 0, "none got through: others are not looked at closely");
    }
}

/// A node with a timer and a command that take no bytes.
struct Plain;

impl Protocol for Plain {
    type State = ();
    type Message = ();
    type Timer = ();
    type Command = ();

    fn start(&self, node: &mut Start<'_, Self>) {
        node.set_timer((), Duration::from_secs(1));
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &()) {}

    fn commands(&self, _: NodeId, _: &()) -> Vec<()> {
        vec![(), ()]
    }
}

/// A list of what takes no bytes can be said to have any length: reading it must end all the same.
#[test]
fn lists_of_nothing_are_not_read_for_ever() {
    let scenario = Scenario::new(Plain, Topology::chain(2));
    let space = || NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let mut first = space();
    let mut states = Vec::new();
    first.initial(&mut states);
    first.expand(&states, &mut Vec::new());
    let mut saved = Vec::new();
    first.save(&mut saved).unwrap();
    space().restore(&mut saved.as_slice()).unwrap();
    let restored = damage::taken(&saved, 3000, |damaged| space().restore(&mut &*damaged).is_ok());
    assert!(restored > 0, "none was restored: others are not looked at closely");
}

/// Many batches, many checks of limits, networks of every order.
#[test]
fn long_searches_are_pieced_together() {
    let rank_by = || RankBy(vec![RankingPart::Named(1), RankingPart::Novelty]);
    let strategies = [
        Order::BreadthFirst,
        Order::DepthFirst,
        Order::DepthFirstRecursive,
        Order::BestFirst(rank_by()),
        Order::BiasedRandom(rank_by()),
        Order::Beam { rank_by: rank_by(), width: 2000 },
    ];
    let networks = [
        NetworkKind::Unordered,
        NetworkKind::FifoPerLink,
        NetworkKind::GlobalList,
        NetworkKind::inbox(255),
    ];
    for network in networks {
        let by_queue = matches!(network, NetworkKind::FifoPerLink | NetworkKind::Inbox(_));
        for profile in Profile::ALL {
            let case = stop_and_wait(network, profile);
            let scenario = case.scenario();
            for strategy in &strategies {
                let semantics = SpaceOptions::default().profile(profile).semantics();
                let options = Options::default()
                    .strategy(strategy.clone())
                    .semantics(semantics)
                    .max_depth(if by_queue { 13 } else { 11 });
                let space = || case.space(&scenario);
                let (expected, asked) = whole(space(), &options);
                assert!(asked >= 5, "{asked} {network:?} {profile:?} {strategy:?}");
                for at in [1, asked / 2, asked - 1] {
                    let saved = interrupted(space(), &options, at);
                    let found = pieced_together(space, &options, saved, &[1, 0]);
                    assert_same(found, expected.clone(), (network, profile, &options));
                }
            }
        }
    }
}

fn refusal(saved: &[u8], case: &Case, options: &Options) -> String {
    let scenario = case.scenario();
    let refused = resume(&mut case.space(&scenario), options, &mut (), &mut &*saved);
    let fits = |error: &ResumeError| !matches!(error, ResumeError::Refused(_));
    assert!(refused.as_ref().is_err_and(fits), "{refused:?}");
    refused.unwrap_err().to_string()
}

#[test]
fn what_has_changed_is_named() {
    let case = standard(NetworkKind::Unordered);
    let options = Options::default().max_depth(9);
    let saved = interrupted(case.space(&case.scenario()), &options, 8);

    let mut other = case.clone();
    other.table.programs[4].actions.pop();
    assert_eq!(
        refusal(&saved, &other, &options),
        "the protocol has changed since: timer 0 at n0 does something else now"
    );
    let mut other = case.clone();
    other.table.programs[3 * 8 + 2].next = 2;
    assert_eq!(
        refusal(&saved, &other, &options),
        "the protocol has changed since: the arrival of 0 from n0 at n1 does something else now"
    );
    let mut other = case.clone();
    other.table.programs[0].actions.pop();
    assert_eq!(
        refusal(&saved, &other, &options),
        "the protocol has changed since: the start of n0 does something else now"
    );
    let mut other = case.clone();
    other.table.commands = vec![vec![1]];
    assert_eq!(
        refusal(&saved, &other, &options),
        "the protocol has changed since: n0 accepts other commands now"
    );
    let other = standard(NetworkKind::FifoPerLink);
    assert_eq!(
        refusal(&saved, &other, &options),
        "it was saved with network unordered, but this run has fifo"
    );
    let bounded = |capacity| Case { capacity, ..case.clone() };
    assert_eq!(
        refusal(&saved, &bounded(2.into()), &options),
        "it was saved with network unordered, but this run has unordered of capacity 2"
    );
    let saved_bounded =
        interrupted(bounded(2.into()).space(&bounded(2.into()).scenario()), &options, 8);
    assert_eq!(
        refusal(&saved_bounded, &bounded(3.into()), &options),
        "it was saved with network unordered of capacity 2, but this run has unordered of capacity 3"
    );
    let heard = |heard: &Heard| Case { heard: heard.clone(), ..case.clone() };
    let (one, none) = (Heard::AtMost(1), Heard::OneOf(vec![vec![Vec::new()]]));
    assert_eq!(
        refusal(&saved, &heard(&one), &options),
        "it was saved with audience all neighbours, but this run has at most 1"
    );
    let saved_heard = interrupted(heard(&one).space(&heard(&one).scenario()), &options, 8);
    assert_eq!(
        refusal(&saved_heard, &heard(&none), &options),
        "it was saved with audience at most 1, but this run has [[[]], [[]]]"
    );
    let late = |receivers: &[u32]| {
        let late = Late { nodes: 2, receivers: vec![receivers.to_vec()] };
        Case { table: Table { late: Some(late), ..case.table.clone() }, ..case.clone() }
    };
    assert_eq!(
        refusal(&saved, &late(&[0, 1]), &options),
        "it was saved with way of receiving by address, but this run has as the scenario says"
    );
    let saved_late = interrupted(late(&[0]).space(&late(&[0]).scenario()), &options, 8);
    assert_eq!(
        refusal(&saved_late, &late(&[1]), &options),
        "the protocol has changed since: 0 from n0 to n0 can be received by other nodes now"
    );
    let deeper = options.clone().max_depth(10);
    assert_eq!(
        refusal(&saved, &case, &deeper),
        "it was saved with max-depth 9, but this run has 10"
    );
}

#[test]
fn only_a_new_space_goes_on() {
    let case = standard(NetworkKind::GlobalList);
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    space.initial(&mut Vec::new());
    let mut saved = Vec::new();
    space.save(&mut saved).unwrap();
    let error = space.restore(&mut saved.as_slice()).unwrap_err();
    assert_eq!(error.to_string(), "only a new space can restore the content of another");
}

/// Both nodes send on and on; what the second one sends differs from time to time.
struct Fickle {
    times: AtomicU32,
}

impl Protocol for Fickle {
    type State = u32;
    type Message = u32;
    type Timer = Never;
    type Command = Never;

    fn start(&self, node: &mut Start<'_, Self>) -> u32 {
        node.broadcast(0);
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, &message: &u32) {
        *node.state = (*node.state + 1) % 4;
        let fickle = node.id == NodeId(1) && *node.state == 3;
        let times = if fickle { self.times.fetch_add(1, Ordering::Relaxed) } else { 0 };
        node.send(from, (message + times) % 3);
    }
}

/// What was once found to be nondeterministic stays so, in the same words.
#[test]
fn nondeterminism_is_not_taken_for_a_change() {
    let scenario = Scenario::new(Fickle { times: AtomicU32::new(0) }, Topology::chain(2))
        .duplication(Budget::AtMost(2));
    let verifying = SpaceOptions::default().verification(Verification::All);
    let space = || NetworkSpace::new(&scenario, verifying.clone()).unwrap();
    let options = Options::default().stop(Stop::Never);
    let (_, asked) = whole(space(), &options);
    for after in 0..asked {
        let mut search = space();
        let mut watch = Interrupt::after(after);
        let before = explore(&mut search, &options, &mut watch).unwrap();
        let mut other = space();
        let found = resume(&mut other, &options, &mut (), &mut watch.saved.as_slice()).unwrap();
        assert_eq!(found.ended, Ended::Exhausted);
        if let Some(finding) = before.finding() {
            let words = search.explain(finding.trace.last(), finding.assertion);
            let trace = &found.finding().unwrap().trace;
            assert_eq!(other.explain(trace.last(), finding.assertion), words);
        }
    }
}

/// A node that is moved right or up: no two states share anything.
struct Wanderer;

impl Protocol for Wanderer {
    type State = (u32, u32);
    type Message = Never;
    type Timer = Never;
    type Command = bool;

    fn start(&self, _: &mut Start<'_, Self>) -> (u32, u32) {
        (0, 0)
    }

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, message: &Never) {
        match *message {}
    }

    fn on_command(&self, node: &mut Node<'_, Self>, &command: &bool) {
        let (right, up) = &mut *node.state;
        *(if command { right } else { up }) += 1;
    }

    fn commands(&self, _: NodeId, _: &(u32, u32)) -> Vec<bool> {
        vec![false, true]
    }
}

/// A violation at the beginning of a batch: what was executed for the rest of the batch counts.
#[test]
fn batches_are_as_large_as_they_would_have_been() {
    let scenario = Scenario::new(Wanderer, Topology::chain(1))
        .assert_always("not there", |world| *world.node(NodeId(0)) != (0, 43));
    let space = || NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
    let options = Options::default();
    let (expected, asked) = whole(space(), &options);
    for after in 0..asked {
        let saved = interrupted(space(), &options, after);
        let found = pieced_together(space, &options, saved, &[]);
        assert_same(found, expected.clone(), after);
    }
}
