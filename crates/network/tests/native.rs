//! Native nodes: random protocols as opaque nodes are explored as if they were plain data, however
//! their nodes are kept; nodes that look the same and are not are found.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use everypath_explore::{Judged, Limits, Options, Portable, Space, Stop, explore};
use everypath_model::{
    Code, Input, Native, NativeCounts, NativeMode, NativeNode, NativeStart, Never, NodeId, Opaque,
    PartEffects, Protocol, Scenario, Straight, Topology, Trigger,
};
use everypath_network::{Changes, Memo, NetworkSpace, SpaceError, SpaceOptions, Verification};
use proptest::{option, prelude::*, sample::Index};

use crate::{
    outcome_text::told,
    resume::{Search, assert_same, interrupted, pieced_together, search, whole},
    table::{Case, Program, Table, case, cases},
};

/// A table whose nodes can neither be compared nor cloned nor written, and perhaps be copied.
struct Sealed<const COPIES: bool>(Table);

struct Box(u32);

/// Gives an input to the table.
fn act<const COPIES: bool>(
    table: &Table,
    node: &mut NativeNode<'_, Sealed<COPIES>>,
    input: Input<'_, Table>,
) {
    let (id, Box(state), mut effects) = node.parts();
    let straight = Straight::<Opaque<Sealed<COPIES>>>::new();
    let mut effects = PartEffects::new(&mut effects, |timer| timer, straight);
    table.handle(id, state, input, &mut effects);
}

fn come_up<const COPIES: bool>(
    table: &Table,
    node: &mut NativeStart<'_, Sealed<COPIES>>,
    before: Option<&u32>,
) -> Box {
    let (id, (), mut effects) = node.parts();
    let straight = Straight::<Opaque<Sealed<COPIES>>>::new();
    let mut effects = PartEffects::new(&mut effects, |timer| timer, straight);
    Box(table.bring_up(id, before, &mut effects))
}

impl<const COPIES: bool> Native for Sealed<COPIES> {
    type Node = Box;
    type Seen = u32;
    type Message = u32;
    type Timer = u8;
    type Command = u8;

    fn start(&self, node: &mut NativeStart<'_, Self>) -> Box {
        come_up(&self.0, node, None)
    }

    fn restart(&self, node: &mut NativeStart<'_, Self>, before: &u32) -> Box {
        come_up(&self.0, node, Some(before))
    }

    fn seen(&self, _: NodeId, node: &Box) -> u32 {
        node.0
    }

    fn copy(node: &Box) -> Option<Box> {
        COPIES.then_some(Box(node.0))
    }

    fn on_message(&self, node: &mut NativeNode<'_, Self>, from: NodeId, message: &u32) {
        act(&self.0, node, Input::Message { from, message });
    }

    fn on_undeliverable(&self, node: &mut NativeNode<'_, Self>, to: NodeId, message: &u32) {
        act(&self.0, node, Input::Undeliverable { to, message });
    }

    fn on_timer(&self, node: &mut NativeNode<'_, Self>, timer: &u8) {
        act(&self.0, node, Input::Timer(timer));
    }

    fn on_command(&self, node: &mut NativeNode<'_, Self>, command: &u8) {
        act(&self.0, node, Input::Command(command));
    }

    fn commands(&self, id: NodeId, seen: &u32) -> Vec<u8> {
        self.0.commands(id, seen)
    }

    fn code(&self, id: NodeId, trigger: Trigger<'_, Opaque<Self>>) -> Option<Code> {
        let trigger = match trigger {
            Trigger::Start => Trigger::Start,
            Trigger::Restart => Trigger::Restart,
            Trigger::On(Input::Message { from, message }) => {
                Trigger::On(Input::Message { from, message })
            }
            Trigger::On(Input::Undeliverable { to, message }) => {
                Trigger::On(Input::Undeliverable { to, message })
            }
            Trigger::On(Input::Timer(timer)) => Trigger::On(Input::Timer(timer)),
            Trigger::On(Input::Command(command)) => Trigger::On(Input::Command(command)),
        };
        Protocol::code(&self.0, id, trigger)
    }
}

/// The ways to keep nodes: a mode, and how many at most.
fn ways() -> Vec<(NativeMode, Option<usize>)> {
    vec![
        (NativeMode::Eager, None),
        (NativeMode::Cached, Some(1)),
        (NativeMode::Cached, Some(3)),
        (NativeMode::Cached, None),
        (NativeMode::Lazy, Some(0)),
        (NativeMode::Lazy, Some(1)),
        (NativeMode::Lazy, Some(2)),
        (NativeMode::Lazy, None),
    ]
}

fn way() -> impl Strategy<Value = (NativeMode, Option<usize>)> {
    proptest::sample::select(ways())
}

impl Search {
    fn native<const COPIES: bool>(&self) -> Scenario<Opaque<Sealed<COPIES>>> {
        self.scenario_of(Opaque(Sealed(self.case.table.clone())), |state| **state)
    }

    fn native_space<'a, P: Protocol>(
        &self,
        scenario: &'a Scenario<P>,
        (mode, most): (NativeMode, Option<usize>),
    ) -> NetworkSpace<'a> {
        let options = self.space.clone().native(mode).native_nodes(most);
        NetworkSpace::new(scenario, options).expect("the options fit the scenario")
    }
}

proptest! {
    #![proptest_config(cases(150))]

    /// Counts, findings, runs and ids are those of plain data.
    #[test]
    fn native_nodes_are_explored_like_plain_data(search in search(), way in way()) {
        let plain = search.scenario();
        let expected = whole(search.space(&plain), &search.options).0;
        let (copied, taken) = (search.native::<true>(), search.native::<false>());
        let found = whole(search.native_space(&copied, way), &search.options).0;
        assert_same(found, expected.clone(), (way, &search.options));
        let found = whole(search.native_space(&taken, way), &search.options).0;
        assert_same(found, expected, (way, &search.options));
    }

    /// Interrupted, and resumed with another mode, it ends like plain data.
    #[test]
    fn an_interrupted_search_of_native_nodes_ends_like_one_of_plain_data(
        search in search(),
        at in any::<Index>(),
        ways in [way(), way()],
    ) {
        let plain = search.scenario();
        let (expected, asked) = whole(search.space(&plain), &search.options);
        if asked == 0 {
            return Ok(());
        }
        let scenario = search.native::<false>();
        let space = |way| search.native_space(&scenario, way);
        let saved = interrupted(space(ways[0]), &search.options, at.index(asked));
        let found = pieced_together(|| space(ways[1]), &search.options, saved, &[1]);
        assert_same(found, expected, (ways, &search.options));
    }

    /// A memo of one version and a graph of it serve the next one, whose nodes are made again by its
    /// own handlers.
    #[test]
    fn kept_executions_of_native_nodes_serve_the_next_version(
        case in case(),
        which in any::<Index>(),
        next in option::of(0..crate::table::STATES),
        way in way(),
    ) {
        let (mut case, before) = (case.clone(), case);
        if let Some(next) = next {
            let programs = &mut case.table.programs;
            let which = which.index(programs.len());
            programs[which] = Program { actions: Vec::new(), next };
        }
        let plain = |case: &Case, kept| explored(case, case.scenario(), None, kept);
        let native = |case: &Case, kept| {
            let protocol = Opaque(Sealed::<false>(case.table.clone()));
            explored(case, case.scenario_of(protocol, |state| **state), Some(way), kept)
        };
        for kept in [Kept::Memo, Kept::Graph] {
            let (_, then) = plain(&before, kept(Vec::new()));
            let (expected, _) = plain(&case, kept(then));
            let (_, then) = native(&before, kept(Vec::new()));
            let (found, _) = native(&case, kept(then));
            assert_same(found, expected, way);
        }
    }

    /// States that are carried to another space with their histories have the same steps there.
    #[test]
    fn states_are_carried_with_their_histories(case in case(), way in way()) {
        let protocol = Opaque(Sealed::<false>(case.table.clone()));
        let scenario = case.scenario_of(protocol, |state| **state);
        let options = SpaceOptions::default().profile(case.profile).native(way.0).native_nodes(way.1);
        let space = || NetworkSpace::new(&scenario, options.clone()).unwrap();
        let mut from = space();
        let limits = Limits::default().states(200);
        let semantics = options.semantics();
        let few = Options::default().semantics(semantics).limits(limits).stop(Stop::Never);
        explore(&mut from, &few, &mut ()).unwrap();
        let mut states = Vec::new();
        from.initial(&mut states);
        states.truncate(20);
        let mut to = space();
        let mut next = 0;
        while let Some(&state) = states.get(next).filter(|_| next < 60) {
            next += 1;
            let there = to.decode_whole(&from.encode_whole(state)).unwrap();
            prop_assert_eq!(to.encode(there), from.encode(state));
            let steps = [(&mut from, state), (&mut to, there)].map(|(space, state)| {
                let mut steps = Vec::new();
                space.expand(&[state], &mut steps);
                // Packets have other numbers there, so their events have another order.
                let content = steps.iter().map(|step| {
                    (space.encode_event(state, step.event), space.encode(step.target))
                });
                (content.collect::<BTreeSet<_>>(), steps)
            });
            prop_assert_eq!(&steps[0].0, &steps[1].0);
            states.extend(steps[0].1.iter().map(|step| step.target));
        }
    }
}

/// What is kept from one exploration to the next: nothing at first.
enum Kept {
    Memo(Vec<u8>),
    Graph(Vec<u8>),
}

/// Explores a case with what was kept, and keeps more.
fn explored<P: Protocol>(
    case: &Case,
    scenario: Scenario<P>,
    way: Option<(NativeMode, Option<usize>)>,
    kept: Kept,
) -> (String, Vec<u8>) {
    let options = SpaceOptions::default()
        .profile(case.profile)
        .native(way.map(|way| way.0))
        .native_nodes(way.and_then(|way| way.1));
    let mut space = NetworkSpace::new(&scenario, options.clone()).unwrap();
    match &kept {
        Kept::Memo(bytes) => space.remember_with(match bytes.as_slice() {
            [] => Memo::default(),
            mut bytes => Memo::read(&mut bytes).unwrap(),
        }),
        Kept::Graph(bytes) => {
            if !bytes.is_empty() {
                let file = std::io::Cursor::new(bytes.clone());
                space.read_graph(file, Changes::FOUND).unwrap();
            }
            space.record_graph();
        }
    }
    let searching = Options::default()
        .semantics(options.semantics())
        .limits(Limits::default().states(1500))
        .stop(Stop::Never)
        .max_depth(10);
    let mut found = explore(&mut space, &searching, &mut ()).unwrap();
    found.handler_executions = 0;
    let text = told(&space, &found);
    let mut bytes = Vec::new();
    match kept {
        // Executing is said to take long, so that look-ups are never given up.
        Kept::Memo(_) => {
            space.memo().unwrap().write(&mut bytes, 1, Duration::from_secs(1)).unwrap();
        }
        Kept::Graph(_) => {
            space.finish_graph();
            space.write_graph(&mut bytes).unwrap();
        }
    }
    (text, bytes)
}

/// A node that counts messages, and shows whether it had any. After three it falls silent, which
/// nothing shows.
struct Shy;

struct Count(u32);

impl Native for Shy {
    type Node = Count;
    type Seen = bool;
    type Message = u8;
    type Timer = Never;
    type Command = u8;

    fn start(&self, _: &mut NativeStart<'_, Self>) -> Count {
        Count(0)
    }

    fn seen(&self, _: NodeId, node: &Count) -> bool {
        node.0 > 0
    }

    fn on_message(&self, node: &mut NativeNode<'_, Self>, from: NodeId, message: &u8) {
        node.state.0 += 1;
        if node.state.0 < 3 {
            node.send(from, *message);
        }
    }

    fn on_command(&self, node: &mut NativeNode<'_, Self>, command: &u8) {
        node.broadcast(*command);
    }

    fn commands(&self, id: NodeId, _: &bool) -> Vec<u8> {
        if id == NodeId(0) { vec![1] } else { Vec::new() }
    }
}

/// Explores to depth 6, and gives what is wrong with the nodes, and how they were kept.
fn flaw<N: Native>(native: N, options: SpaceOptions) -> (Option<String>, Option<NativeCounts>) {
    let scenario = Scenario::new(Opaque(native), Topology::chain(2));
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    let found = explore(&mut space, &Options::default().max_depth(6), &mut ());
    let what = match &found {
        Err(refusal) => Some(refusal.to_string()),
        Ok(found) => found
            .finding()
            .and_then(|finding| space.explain(finding.trace.last(), finding.assertion)),
    };
    (what, space.native_counts())
}

#[test]
fn nodes_that_look_the_same_and_behave_differently_are_found() {
    for mode in [NativeMode::Eager, NativeMode::Cached, NativeMode::Lazy] {
        let (flaw, _) = flaw(Shy, SpaceOptions::default().native(mode));
        let flaw = flaw.expect("it is found");
        assert!(flaw.contains("another native node that looks the same"), "{flaw}");
        assert!(flaw.contains("send different packets: [(n0, 1)] and []"), "{flaw}");
        let nodes = "the nodes are true (after start, 1 from n0) and true (after start, 1 from n0, 1 from n0)";
        assert!(flaw.contains(nodes), "{flaw}");
    }
    let trusting = SpaceOptions::default().verification(Verification::Nothing);
    assert_eq!(flaw(Shy, trusting).0, None);
}

/// A node whose copies share its counter.
struct Shared;

impl Native for Shared {
    type Node = Arc<AtomicU32>;
    type Seen = u32;
    type Message = u8;
    type Timer = Never;
    type Command = u8;

    fn start(&self, _: &mut NativeStart<'_, Self>) -> Self::Node {
        Self::Node::default()
    }

    fn seen(&self, _: NodeId, node: &Self::Node) -> u32 {
        node.load(Ordering::Relaxed)
    }

    fn copy(node: &Self::Node) -> Option<Self::Node> {
        Some(node.clone())
    }

    fn on_message(&self, node: &mut NativeNode<'_, Self>, _: NodeId, _: &u8) {
        node.state.fetch_add(1, Ordering::Relaxed);
    }

    fn on_command(&self, node: &mut NativeNode<'_, Self>, command: &u8) {
        node.broadcast(*command);
    }

    fn commands(&self, id: NodeId, _: &u32) -> Vec<u8> {
        if id == NodeId(0) { vec![1, 2] } else { Vec::new() }
    }
}

#[test]
fn copies_that_share_something_are_found() {
    let (flaw, _) = flaw(Shared, SpaceOptions::default());
    let flaw = flaw.expect("it is found");
    assert!(flaw.contains("two executions on the same input end in different states"), "{flaw}");
}

#[test]
fn modes_differ_in_how_often_handlers_are_repeated() {
    let table = Table {
        programs: vec![
            Program { actions: Vec::new(), next: 1 },
            Program { actions: Vec::new(), next: 2 },
        ],
        commands: vec![vec![0, 1]],
        late: None,
    };
    let counts = |mode, most| {
        let options = SpaceOptions::default().native(mode).native_nodes(most);
        flaw(Sealed::<true>(table.clone()), options).1.expect("its nodes are native")
    };
    let eager = counts(NativeMode::Eager, None);
    assert_eq!(eager.at_hand, 0);
    assert!(eager.repeated > eager.rebuilt, "{eager:?}");
    let cached = counts(NativeMode::Cached, None);
    assert_eq!((cached.rebuilt, cached.at_hand), (0, eager.rebuilt));
    let [cached, lazy] = [NativeMode::Cached, NativeMode::Lazy].map(|mode| counts(mode, Some(1)));
    assert!(lazy.repeated <= cached.repeated, "{lazy:?} {cached:?}");
    assert!(cached.repeated <= eager.repeated, "{cached:?} {eager:?}");
}

#[test]
fn options_without_effect_are_refused() {
    let refused = |options| flaw_of(options);
    let plain = Scenario::new(
        Table { programs: Vec::new(), commands: Vec::new(), late: None },
        Topology::chain(2),
    );
    let options = SpaceOptions::default().native(NativeMode::Lazy);
    assert!(matches!(NetworkSpace::new(&plain, options).err(), Some(SpaceError::Native(_))));
    let options = SpaceOptions::default().native_nodes(3);
    assert!(matches!(NetworkSpace::new(&plain, options).err(), Some(SpaceError::Native(_))));
    let options = SpaceOptions::default().native(NativeMode::Eager).native_nodes(3);
    assert!(matches!(refused(options), Some(SpaceError::Native(_))));
}

fn flaw_of(options: SpaceOptions) -> Option<SpaceError> {
    let scenario = Scenario::new(Opaque(Shy), Topology::chain(2));
    NetworkSpace::new(&scenario, options).err()
}
