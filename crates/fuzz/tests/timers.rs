//! Timers that fire in the order of their durations: what real times show is allowed, and nothing is added.

use std::{collections::BTreeMap, time::Duration};

use everypath_explore::{Described, Related, Space, StateId};
use everypath_fuzz::{dice::Dice, scenario::Case};
use everypath_model::{Scenario, TimerChange, TimerQueue, Timers};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_plain::{PlainOptions, PlainSpace};

/// The timers of a node with a clock: when each is due, and the number of the change that decided that. Of two that
/// are due at the same time, the one with the smaller number fires, as in a simulation.
#[derive(Default)]
struct Clocked {
    now: u64,
    due: BTreeMap<usize, (u64, u32)>,
    changes: u32,
}

impl Clocked {
    fn change(&mut self, change: &TimerChange<usize>) {
        self.changes += 1;
        let nanoseconds = |after: &Duration| after.as_nanos() as u64;
        match change {
            TimerChange::Unset(timer) => drop(self.due.remove(timer)),
            TimerChange::Set(timer, after) => {
                self.due.insert(*timer, (self.now + nanoseconds(after), self.changes));
            }
            TimerChange::Prolonged(timer, after) => {
                let due = (self.now + nanoseconds(after), self.changes);
                let known = self.due.entry(*timer).or_insert(due);
                if due.0 > known.0 {
                    *known = due;
                }
            }
        }
    }

    /// The timer that fires next.
    fn next(&self) -> Option<(usize, u64)> {
        let next = self.due.iter().min_by_key(|(_, due)| **due)?;
        Some((*next.0, next.1.0))
    }
}

fn change(dice: &mut Dice) -> TimerChange<usize> {
    let (timer, after) = (dice.below(4), Duration::from_nanos(dice.below(6) as u64));
    match dice.below(6) {
        0 => TimerChange::Unset(timer),
        1 | 2 => TimerChange::Prolonged(timer, after),
        _ => TimerChange::Set(timer, after),
    }
}

#[test]
fn each_order_that_real_times_show_is_allowed() {
    let (mut fired, mut forbidden) = (0, 0);
    for seed in 0..3000 {
        let mut dice = Dice::new(seed, 71);
        let (mut clocked, mut queue) = (Clocked::default(), TimerQueue::default());
        for _ in 0..30 {
            // Another event of the node comes first, or the next timer fires.
            let pause = dice.below(5) as u64;
            match clocked.next().filter(|(_, due)| *due <= clocked.now + pause) {
                None => clocked.now += pause,
                Some((timer, due)) => {
                    assert!(!queue.is_preceded(&timer), "seed {seed}: {timer} of {queue:?}");
                    let others = clocked.due.keys().filter(|other| queue.is_preceded(other));
                    forbidden += others.count();
                    fired += 1;
                    clocked.now = due;
                    clocked.change(&TimerChange::Unset(timer));
                    queue.change(TimerChange::Unset(timer));
                }
            }
            for _ in 0..dice.below(3) {
                let change = change(&mut dice);
                clocked.change(&change);
                queue.change(change);
            }
        }
    }
    // It would prove nothing if no timer had fired, or none had had to wait.
    assert!(fired > 10_000 && forbidden > 5_000, "{fired}, {forbidden}");
}

#[test]
fn an_unset_timer_holds_up_no_other() {
    let second = Duration::from_secs(1);
    let mut queue = TimerQueue::default();
    queue.change(TimerChange::Set(1, second));
    queue.change(TimerChange::Set(2, second));
    assert!(queue.is_preceded(&2) && !queue.is_preceded(&1));
    // It now fires after the other, for all that is known.
    queue.change(TimerChange::Set(1, second / 2));
    assert!(!queue.is_preceded(&2) && !queue.is_preceded(&1));
    queue.change(TimerChange::Set(3, 2 * second));
    queue.change(TimerChange::Unset(2));
    assert!(queue.is_preceded(&3));
    queue.change(TimerChange::Unset(1));
    assert!(!queue.is_preceded(&3));
}

/// Follows an ordered search for some states in the search without order.
fn follow(seed: u64) -> (u64, u64) {
    let mut scenario = Case::draw(seed).scenario();
    // Timers that may be set for ever are refused an order.
    scenario.timeouts.clear();
    scenario.assumptions.clear();
    let space = |timers| {
        NetworkSpace::new(&scenario, SpaceOptions::default().timers(timers)).expect("it is valid")
    };
    let (mut ordered, mut free) = (space(Timers::Ordered), space(Timers::Any));
    let (mut own, mut others) = (Vec::new(), Vec::new());
    ordered.initial(&mut own);
    free.initial(&mut others);
    assert_eq!(own.len(), others.len(), "seed {seed}");
    let mut waiting: Vec<(StateId, StateId)> = own.into_iter().zip(others).collect();
    let mut seen = std::collections::BTreeSet::new();
    let (mut next, mut events, mut more) = (0, 0, 0);
    while let Some(&(state, other)) = waiting.get(next)
        && seen.len() < 150
    {
        next += 1;
        if !seen.insert(state) {
            continue;
        }
        let (mut steps, mut possible) = (Vec::new(), Vec::new());
        ordered.expand(&[state], &mut steps);
        free.expand(&[other], &mut possible);
        more += (possible.len() - steps.len()) as u64;
        for step in steps {
            events += 1;
            let text = ordered.event_text(state, step.event);
            let digest = ordered.digest(step.target);
            let same = possible.iter().find(|it| {
                free.event_text(other, it.event) == text && free.digest(it.target) == digest
            });
            let same = same.unwrap_or_else(|| panic!("seed {seed}: {text:?} is new"));
            waiting.push((step.target, same.target));
        }
    }
    (events, more)
}

#[test]
fn an_own_relation_cannot_read_the_order() {
    let scenario = Case::draw(1).scenario();
    let scenario = Scenario { timeouts: Vec::new(), assumptions: Vec::new(), ..scenario };
    let scenario = scenario.relation("mine", |_| 0, |_, _| false);
    let refused = |timers| {
        let options = SpaceOptions::default().timers(timers);
        let usual = NetworkSpace::new(&scenario, options).expect("it is valid");
        let options = PlainOptions { timers, ..PlainOptions::default() };
        let plain = PlainSpace::new(&scenario, None, options).expect("it is valid");
        let own = usual.relations().len() - 1;
        [usual.relation_refusal(own), plain.relation_refusal(own)].map(Option::unwrap_or_default)
    };
    let says = |refusal: &String| refusal.contains("the order of the timers");
    assert!(refused(Timers::Ordered).iter().all(says));
    assert!(!refused(Timers::Any).iter().any(says));
}

#[test]
fn an_ordered_search_is_a_part_of_the_one_without_order() {
    let (mut events, mut more) = (0, 0);
    for seed in 1..=120 {
        let (followed, left_out) = follow(seed);
        events += followed;
        more += left_out;
    }
    assert!(events > 10_000 && more > 100, "{events}, {more}");
}
