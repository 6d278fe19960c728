//! What handlers did is remembered from one exploration to the next, and changes nothing but how often they are
//! executed: over random protocols, random changes of them and other networks of their nodes.

use crate::damage;
use crate::outcome_text;
use crate::table;

use std::time::Duration;

use everypath_explore::{Limits, Options, RankBy, RankingPart, Stop, Strategy as Search, explore};
use everypath_model::{NetworkKind, Node, NodeId, Profile, Protocol, Scenario, Start, Topology};
use everypath_network::{DeclaredChanges, Memo, MemoCounts, NetworkSpace, SpaceOptions};
use outcome_text::told;
use proptest::{
    prelude::*,
    sample::{Index, subsequence},
};
use table::{Case, Program, Table, case, cases};

/// What an exploration came to, how often handlers were executed, and what is remembered of them.
pub struct Explored {
    pub told: String,
    pub executions: u64,
    counts: MemoCounts,
    pub memo: Vec<u8>,
}

pub fn explored(case: &Case, memo: Option<&[u8]>) -> Explored {
    explored_with(case, memo, DeclaredChanges::default())
}

fn explored_with(case: &Case, memo: Option<&[u8]>, changes: DeclaredChanges) -> Explored {
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let semantics = SpaceOptions::default().profile(case.profile).semantics();
    if let Some(mut bytes) = memo {
        space.remember_with(Memo::read(&mut bytes).unwrap().with_changes(changes));
    }
    let limits = Limits::default().states(1500);
    let options =
        Options::default().semantics(semantics).limits(limits).stop(Stop::Never).max_depth(12);
    let mut found = explore(&mut space, &options, &mut ()).unwrap();
    let executions = found.handler_executions;
    found.handler_executions = 0;
    let (mut memo, mut counts) = (Vec::new(), MemoCounts::default());
    if let Some(learned) = space.memo() {
        learned.write(&mut memo, 0, Duration::ZERO).unwrap();
        counts = learned.counts();
    }
    Explored { told: told(&space, &found), executions, counts, memo }
}

/// A memo that knows nothing, and is never given up: it says that executing takes long.
pub fn nothing() -> Vec<u8> {
    let mut bytes = Vec::new();
    Memo::default().write(&mut bytes, 1, Duration::from_secs(1)).unwrap();
    bytes
}

fn never_panics(table: &Table) -> bool {
    let actions = table.programs.iter().flat_map(|program| &program.actions);
    !actions.into_iter().any(|action| matches!(action, table::Action::Panic))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn what_was_executed_need_not_be_executed_again(case in case()) {
        let fresh = explored(&case, None);
        let first = explored(&case, Some(&nothing()));
        prop_assert_eq!(&first.told, &fresh.told);
        prop_assert!(first.executions <= fresh.executions, "timers do not count");
        let second = explored(&case, Some(&first.memo));
        prop_assert_eq!(&second.told, &fresh.told);
        prop_assert_eq!(&second.memo, &first.memo, "there is nothing to add");
        prop_assert_eq!(second.counts.outdated, 0);
        if never_panics(&case.table) {
            prop_assert_eq!(second.executions, 0);
        }
    }

    #[test]
    fn a_changed_handler_is_executed_again(
        case in case(),
        which in any::<Index>(),
        next in 0..table::STATES,
    ) {
        let before = explored(&case, Some(&nothing()));
        let mut changed = case;
        let programs = &mut changed.table.programs;
        let which = which.index(programs.len());
        programs[which] = Program { actions: Vec::new(), next };
        let fresh = explored(&changed, None);
        let reused = explored(&changed, Some(&before.memo));
        prop_assert_eq!(&reused.told, &fresh.told);
        prop_assert!(reused.executions <= fresh.executions);
        // And back again: what is remembered of the first version has been replaced where it differs.
        let again = explored(&changed, Some(&reused.memo));
        prop_assert_eq!(&again.told, &fresh.told);
        prop_assert_eq!(again.counts.outdated, 0);
    }

    /// Whatever is said to have changed is executed again, and nothing else; what is said to be unchanged is not.
    #[test]
    fn what_has_changed_can_be_said(case in case(), which in any::<Index>(), next in 0..table::STATES) {
        prop_assume!(never_panics(&case.table));
        let first = explored(&case, Some(&nothing()));
        let all = DeclaredChanges::new(vec!["*".to_owned()], Vec::new());
        let again = explored_with(&case, Some(&first.memo), all);
        prop_assert_eq!(&again.told, &first.told);
        prop_assert_eq!(again.executions, first.executions, "all of it, each once");
        prop_assert_eq!(again.counts.missing, 0);
        prop_assert_eq!(again.counts.outdated, first.counts.missing);
        prop_assert_eq!(&again.memo, &first.memo, "and the same comes of it");

        // Another version, of which is said that nothing has changed: what it does is not asked.
        let mut changed = case.clone();
        let programs = &mut changed.table.programs;
        let which = which.index(programs.len());
        programs[which] = Program { actions: Vec::new(), next };
        let none = DeclaredChanges::new(Vec::new(), vec!["*".to_owned()]);
        let trusting = explored_with(&changed, Some(&first.memo), none);
        prop_assert_eq!(&trusting.told, &first.told);
        prop_assert_eq!(trusting.executions, 0);
        prop_assert_eq!(&trusting.memo, &first.memo, "whose work it is stays known");
    }

    #[test]
    fn another_network_of_the_same_nodes_uses_what_one_has_taught(
        case in case(),
        edges in subsequence(vec![(0, 1), (0, 2), (1, 2)], 1..=3),
        profile in prop::sample::select(Profile::ALL.to_vec()),
    ) {
        let taught = explored(&case, Some(&nothing()));
        let nodes = if case.table.late.is_some() { case.nodes } else { 3 };
        let edges: Vec<_> = edges.into_iter().filter(|&(_, to)| (to as usize) < nodes).collect();
        prop_assume!(!edges.is_empty());
        let other = Case { nodes, edges, profile, ..case };
        let fresh = explored(&other, None);
        let reused = explored(&other, Some(&taught.memo));
        prop_assert_eq!(&reused.told, &fresh.told);
        prop_assert!(reused.executions <= fresh.executions);
    }
}

/// Whatever bytes are taken for a memo, they are refused; or what is said there is what some handler may have done, and an
/// exploration comes to its end with it.
#[test]
fn damaged_memos_are_refused_or_used() {
    let case = small();
    let bytes = explored(&case, Some(&nothing())).memo;
    let used = damage::taken(&bytes, 2000, |damaged| {
        if Memo::read(&mut &*damaged).is_err() {
            return false;
        }
        explored(&case, Some(damaged));
        // With all that is needed to add to it.
        let all = DeclaredChanges::new(vec!["*".to_owned()], Vec::new());
        let found = explored_with(&case, Some(damaged), all);
        Memo::read(&mut found.memo.as_slice()).is_ok()
    });
    assert!(damage::truncations(&bytes).all(|cut| Memo::read(&mut cut.as_slice()).is_err()));
    assert!(used > 100, "{used} were used: others are not looked at closely");
}

/// Two nodes that do a little of everything.
fn small() -> Case {
    use table::Action::{Broadcast, Cancel, Choose, Reply, Send, Set};
    let program = |actions: &[table::Action], next| Program { actions: actions.to_vec(), next };
    let programs = vec![
        program(&[Set(0), Broadcast { message: 0 }], 1),
        program(&[Choose { options: 2 }, Reply { message: 1 }], 2),
        program(&[Cancel(0), Send { neighbour: 0, message: 1 }], 0),
    ];
    let table = Table { programs, commands: vec![vec![0], Vec::new()], late: None };
    Case::of(table, NetworkKind::Unordered, Profile::Standard)
}

/// A ring without neighbours for one node: what it broadcasts is for whoever is there.
#[test]
fn a_broadcast_is_remembered_without_its_receivers() {
    let programs =
        vec![Program { actions: vec![table::Action::Broadcast { message: 1 }], next: 1 }];
    let table = Table { programs, commands: vec![Vec::new()], late: None };
    let pair = Case::of(table, NetworkKind::Unordered, Profile::Standard);
    let taught = explored(&pair, Some(&nothing()));
    let three = Case { nodes: 3, edges: vec![(0, 1), (0, 2), (1, 2)], ..pair };
    let (fresh, reused) = (explored(&three, None), explored(&three, Some(&taught.memo)));
    assert_eq!(reused.told, fresh.told);
    // Only node 2 and what comes from it is new.
    assert!(reused.counts.recalled >= 4, "{:?}", reused.counts);
    assert!(reused.executions < fresh.executions, "{} of {}", reused.executions, fresh.executions);
}

/// A protocol whose nodes have many states, so that much is looked up in a memo.
#[derive(Clone, Debug)]
struct Wide;

const COMMANDS: u32 = 40;

impl Protocol for Wide {
    type State = u32;
    type Message = u32;
    type Timer = u32;
    type Command = u32;

    fn start(&self, _: &mut Start<'_, Self>) -> u32 {
        0
    }

    fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, message: &u32) {
        *node.state = node.state.wrapping_mul(31) ^ message;
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &u32) {
        *node.state = node.state.wrapping_mul(COMMANDS).wrapping_add(command + 1);
        node.broadcast(*node.state % 7);
    }

    fn commands(&self, _: NodeId, _: &u32) -> Vec<u32> {
        (0..COMMANDS).collect()
    }
}

/// A memo is given up in the middle of a search where looking takes longer than executing. When that is depends on
/// the machine; what is found does not, nor do the numbers of states.
#[test]
fn a_memo_that_is_given_up_in_the_middle_changes_nothing() {
    let scenario = Scenario::new(Wide, Topology::edges(2, &[(0, 1)]).unwrap())
        .ranking("state", |world| i64::from(*world.node(NodeId(0)) % 17))
        .assert_always("never", |world| *world.node(NodeId(1)) != 2 * COMMANDS + 3);
    let rank_by = RankBy(vec![RankingPart::Named(0)]);
    let searches = [
        Search::BreadthFirst,
        Search::BestFirst(rank_by.clone()),
        Search::Beam { rank_by, width: 60 },
        Search::RandomWalk { walks: 2000 },
    ];
    for strategy in searches {
        // What it says of how long executing takes; nothing if there is no memo.
        let run = |executing: Option<Duration>| {
            let mut space = NetworkSpace::new(&scenario, SpaceOptions::default()).unwrap();
            if let Some(executing) = executing {
                let mut bytes = Vec::new();
                Memo::default().write(&mut bytes, 1_000_000, executing).unwrap();
                space.remember_with(Memo::read(&mut bytes.as_slice()).unwrap());
            }
            let strategy = strategy.clone();
            let (stop, max_depth) = (Stop::Never, Some(3));
            let limits = Limits::default().states(20_000);
            let options = Options::default()
                .strategy(strategy)
                .stop(stop)
                .max_depth(max_depth)
                .limits(limits);
            let found = explore(&mut space, &options, &mut ()).unwrap();
            (told(&space, &found), space.memo().map(Memo::counts).unwrap_or_default())
        };
        let (fresh, _) = run(None);
        let (kept, counts) = run(Some(Duration::from_secs(1_000_000)));
        assert!(!counts.given_up && counts.missing > 1500, "{strategy:?}: {counts:?}");
        let (given_up, counts) = run(Some(Duration::ZERO));
        assert!(counts.given_up && counts.missing < 1500, "{strategy:?}: {counts:?}");
        assert_eq!(kept, fresh, "{strategy:?}");
        assert_eq!(given_up, fresh, "{strategy:?}");
    }
}
