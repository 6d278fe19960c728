//! The plain engine beside the usual one, step by step: the same events in the same order, to the
//! same states.

use std::collections::BTreeSet;

use everypath_explore::{Explorable, StateId, Step};
use everypath_model::{Scenario, Timers};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
use everypath_plain::{PlainOptions, PlainSpace};

use crate::{conditions::Conditions, engine, protocol::Tabled};

/// How many states are expanded at most.
const STATES_MAX: usize = 300;

/// Walks both spaces of a case breadth-first, if timers fire in any order and if their durations order them.
///
/// # Errors
/// The first difference.
pub fn compare(scenario: &Scenario<Tabled>, conditions: &Conditions) -> Result<(), String> {
    [Timers::Any, Timers::Ordered].into_iter().try_for_each(|timers| {
        compare_with(scenario, conditions, timers)
            .map_err(|what| format!("timers {timers:?}: {what}"))
    })
}

fn compare_with(
    scenario: &Scenario<Tabled>,
    conditions: &Conditions,
    timers: Timers,
) -> Result<(), String> {
    let SpaceOptions { profile, disabled, required, deadlock, .. } =
        engine::space_options(conditions, false);
    let options = SpaceOptions::default()
        .profile(profile)
        .disabled(disabled.clone())
        .required(required.clone())
        .deadlock(deadlock)
        .timers(timers);
    let mut usual = match NetworkSpace::new(scenario, options) {
        // An order is refused where timers may be set for ever.
        Err(SpaceError::Timers(_)) => return Ok(()),
        made => made.expect("the conditions were accepted"),
    };
    let plain =
        PlainOptions { profile, disabled, required, deadlock, timers, ..PlainOptions::default() };
    let mut plain = PlainSpace::new(scenario, None, plain).map_err(|error| error.to_string())?;
    walk(&mut usual, &mut plain)
}

/// Walks two spaces of one scenario breadth-first, state by state.
///
/// # Errors
/// The first difference.
pub fn walk(usual: &mut impl Explorable, plain: &mut impl Explorable) -> Result<(), String> {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    usual.initial(&mut own);
    plain.initial(&mut others);
    same("how many initial states there are", &own.len(), &others.len())?;
    let mut waiting: Vec<(StateId, StateId)> = own.into_iter().zip(others).collect();
    let mut seen = BTreeSet::new();
    let mut next = 0;
    while next < waiting.len() && seen.len() < STATES_MAX {
        let (state, other) = waiting[next];
        next += 1;
        same("a state", &usual.digest(state), &plain.digest(other)).map_err(|what| {
            format!("{what}: {:?}, {:?}", usual.state_text(state), plain.state_text(other))
        })?;
        if seen.insert(state) {
            waiting.extend(compare_steps(usual, plain, (state, other))?);
        }
    }
    Ok(())
}

/// Compares what is said of a state, and the steps out of it; returns where they lead.
fn compare_steps(
    usual: &mut impl Explorable,
    plain: &mut impl Explorable,
    (state, other): (StateId, StateId),
) -> Result<Vec<(StateId, StateId)>, String> {
    same("the text of a state", &usual.state_text(state), &plain.state_text(other))?;
    same("a verdict", &usual.verdict(state), &plain.verdict(other))?;
    same("whether it counts", &usual.counts(state), &plain.counts(other))?;
    same("goals", &usual.goals_reached(state), &plain.goals_reached(other))?;
    same("a pruning", &usual.is_pruned(state), &plain.is_pruned(other))?;
    // A search ranks safe states only.
    let rankings = if usual.verdict(state).is_safe() { usual.rankings().len() } else { 0 };
    for ranking in 0..rankings {
        let (mut rank, mut other_rank) = (Vec::new(), Vec::new());
        usual.rank(state, ranking, &mut rank);
        plain.rank(other, ranking, &mut other_rank);
        same("a rank", &rank, &other_rank)?;
    }
    let (mut steps, mut others) = (Vec::new(), Vec::new());
    usual.expand(&[state], &mut steps);
    plain.expand(&[other], &mut others);
    let events = |space: &dyn Explorable, state, steps: &[Step]| -> Vec<_> {
        steps.iter().map(|step| space.event_text(state, step.event)).collect()
    };
    let context = |what: String| format!("{what} out of {:?}", usual.state_text(state));
    same("the events", &events(usual, state, &steps), &events(plain, other, &others))
        .map_err(context)?;
    if steps.is_empty() {
        same("the end", &usual.verdict_at_end(state), &plain.verdict_at_end(other))?;
    }
    Ok(steps.iter().zip(&others).map(|(step, other)| (step.target, other.target)).collect())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, usual: &T, plain: &T) -> Result<(), String> {
    match usual == plain {
        true => Ok(()),
        false => Err(format!("{what} differs: usual {usual:?}, plain {plain:?}")),
    }
}
