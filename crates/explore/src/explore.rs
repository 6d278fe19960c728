//! `explore`, the entry point of every search.

use crate::{
    Ended, Explorable, Exploration, Guided, Options, Refusal, Strategy, Watch, frontier, levels,
    limits::Guard, walk,
};

/// Explores a space.
///
/// The search finds every state within the depth bound, whatever the strategy and the store, unless
/// [`Exploration::is_complete`] says otherwise. Assertions are checked when a state is generated.
///
/// ```
/// use everypath_explore::{Ended, Model, ModelAssertion, ModelSpace, Options, explore};
///
/// /// A counter that may grow by one or by three.
/// struct Counter;
/// impl Model for Counter {
///     type State = u32;
///     type Action = u32;
///     fn initial(&self) -> Vec<u32> { vec![0] }
///     fn actions(&self, _: &u32) -> Vec<u32> { vec![1, 3] }
///     fn next(&self, state: &u32, by: &u32) -> Option<u32> { Some(state + by) }
///     fn assertions(&self) -> Vec<ModelAssertion<Self>> {
///         vec![ModelAssertion::new("never seven", |_, state| *state != 7)]
///     }
/// }
///
/// let found = explore(&mut ModelSpace::new(Counter), &Options::default(), &mut ()).unwrap();
/// assert_eq!(found.ended, Ended::Violation);
/// assert_eq!(found.finding().unwrap().trace.steps.len(), 3);
/// ```
///
/// # Errors
/// If the options cannot be combined in this space.
pub fn explore(
    space: &mut impl Explorable,
    options: &Options,
    watch: &mut dyn Watch,
) -> Result<Exploration, Refusal> {
    options.validate(space)?;
    if options.strategy.ranks_by_novelty() && has_no_parts(space) {
        return Err(Refusal::NoParts);
    }
    let mut guard = Guard::new(options.limits, space, watch);
    let found = match options.strategy {
        Strategy::RandomWalk { walks } => walk::walk(space, options, &mut guard, walks),
        Strategy::IterativeDeepening => deepening(space, options, &mut guard),
        _ if options.goes_by_levels() => levels::search(space, options, &mut guard),
        _ => frontier::search(space, options, &mut guard),
    };
    found.unless_refused(space)
}

/// Whether the states of a space have no parts.
fn has_no_parts(space: &mut impl Guided) -> bool {
    let (mut initial, mut parts) = (Vec::new(), Vec::new());
    space.initial(&mut initial);
    initial.iter().for_each(|&state| space.parts(state, &mut parts));
    !initial.is_empty() && parts.is_empty()
}

/// Searches depth-first to depth 0, to depth 1, … until it finds something or no state remains.
/// Findings of earlier rounds are kept: they are shorter than those of later rounds.
fn deepening(space: &mut impl Explorable, options: &Options, guard: &mut Guard<'_>) -> Exploration {
    guard.never_save();
    let mut before: Option<Exploration> = None;
    let mut bound = 0;
    loop {
        let bounded = Options { max_depth: Some(bound), ..options.clone() };
        let mut found = frontier::search(space, &bounded, guard);
        if let Some(before) = before {
            found.follows(before);
        }
        let last = options.max_depth.is_some_and(|most| bound >= most);
        if found.ended != Ended::Depth || last {
            return found;
        }
        before = Some(found);
        bound += 1;
    }
}
