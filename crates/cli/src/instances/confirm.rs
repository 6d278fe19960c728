//! What runs from the scenario's own start reach, if it gives other starts: those with a violation, and
//! the goals.

use std::collections::{BTreeMap, BTreeSet};

use everypath_explore::{Ended, ExploredPart, Judged, Options, Start, Starts, Stop};
use everypath_network::NetworkSpace;
use everypath_network::explore_part;
use everypath_report::Story;

use super::{
    answer::{Answers, Found, PartAnswer, Run},
    conclude::unrepeated,
    digests::digest,
    run::{Runner, flawless},
    spec::InstanceSpec,
    trunk::{Beginning, InstanceStart},
};
use crate::{error::CliError, running::progress::Line, scenarios::checked_space::CheckedSpace};

/// What became of the violations in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// A run from the scenario's own start leads to one.
    Confirmed,
    /// Whether its start can be reached is not known.
    Possible,
    /// No run reaches a start from which there is one.
    Spurious,
}

/// A possible violation in words: its run begins at a start that the scenario gives.
pub(super) struct PossibleRun {
    pub(super) assertion: String,
    pub(super) instance: String,
    pub(super) story: Story,
}

/// What became of the violations from starts that a scenario gives.
#[derive(Default)]
pub(super) struct Confirmed {
    /// Those with a run from the scenario's own start.
    pub(super) violations: Vec<Found>,
    /// A shortest of those of which it is not known whether their start can be reached.
    pub(super) possible: Option<PossibleRun>,
    /// By instance.
    pub(super) standings: BTreeMap<usize, Standing>,
    /// How many starts with a violation no run reaches.
    pub(super) spurious: u64,
    /// How many states were visited to find out.
    pub(super) states: u64,
}

/// The starts that a run from the scenario's own start reaches, each with such a run.
type Reached = BTreeMap<u128, Run>;

/// Searches from the scenario's own start for the starts of all instances with a violation. Where a
/// start cannot be reached, its instance is explored again without it.
pub(super) fn confirm(
    runner: &Runner<'_>,
    instances: &InstanceSpec,
    answers: &mut Answers,
    line: &mut Line,
) -> Result<Confirmed, CliError> {
    let Runner { built, spec, options, .. } = runner;
    let beginning = Beginning::explore(built, spec, instances, options, line)?;
    let starts = |place: usize| beginning.instances[place].starts.as_slice();
    let violated: BTreeSet<usize> =
        answers.violations.iter().filter_map(|it| it.instance).collect();
    let wanted = violated.iter().flat_map(|&place| starts(place)).map(|start| start.digest);
    let mut confirmed = Confirmed::default();
    let (reached, is_all) = search(runner, &wanted.collect(), &mut confirmed, line)?;
    let mut possible: Vec<Found> = Vec::new();
    let mut spurious: BTreeSet<u128> = BTreeSet::new();
    for &place in &violated {
        let found = answers.violations.iter().filter(|it| it.instance == Some(place));
        let start_of = |found: &Found| starts(place)[found.start].digest;
        let is_reached = |found: &&Found| reached.contains_key(&start_of(found));
        let (real, others): (Vec<&Found>, Vec<&Found>) = found.partition(is_reached);
        let mut real: Vec<Found> = real.into_iter().cloned().collect();
        let mut standing = Standing::Confirmed;
        if !others.is_empty() && !is_all {
            possible.extend(others.into_iter().cloned());
            standing = Standing::Possible;
        } else if !others.is_empty() {
            spurious.extend(others.into_iter().map(start_of));
            let left = starts(place).iter().filter(|it| reached.contains_key(&it.digest));
            let left: Vec<InstanceStart> = left.cloned().collect();
            standing = Standing::Spurious;
            if !left.is_empty() {
                let PartAnswer { answer, violations, .. } = runner.explore(place, &left, line)?;
                answers.answers.insert(place, answer);
                let at = |start: usize| {
                    starts(place).iter().position(|it| it.digest == left[start].digest)
                };
                let again = violations.into_iter();
                real = again
                    .map(|it| Found { start: at(it.start).unwrap_or_default(), ..it })
                    .collect();
            }
        }
        if !real.is_empty() && standing == Standing::Spurious {
            standing = Standing::Confirmed;
        }
        confirmed.standings.insert(place, standing);
        confirmed.violations.extend(real.into_iter().map(|found| {
            let before = reached[&start_of(&found)].clone();
            Found { run: found.run.after(before), ..found }
        }));
    }
    confirmed.spurious = spurious.len() as u64;
    if let Some(first) = possible.iter().min_by_key(|found| found.rank()) {
        confirmed.possible = Some(in_words(runner, answers, &beginning, first)?);
    }
    Ok(confirmed)
}

/// Searches from the scenario's own start, past violations. Returns the wanted starts that were reached,
/// and whether the others cannot be reached. A violation on the way is one like any other.
fn search(
    runner: &Runner<'_>,
    wanted: &BTreeSet<u128>,
    confirmed: &mut Confirmed,
    line: &mut Line,
) -> Result<(Reached, bool), CliError> {
    let (mut space, part) = from_own_start(runner, runner.options.max_depth, line)?;
    confirmed.states = part.found.states_visited;
    confirmed.violations = part
        .found
        .findings
        .iter()
        .map(|it| {
            let run = Run::record(&space, &it.trace);
            Found { what: it.assertion, instance: None, start: 0, run }
        })
        .collect();
    let mut reached = Reached::new();
    for visited in part.visited() {
        let digest = digest(&space, visited.state);
        if wanted.contains(&digest) && !reached.contains_key(&digest) {
            let to = Start { depth: visited.depth, state: visited.state };
            if let Some(trace) = part.run_to(&mut space, to) {
                reached.insert(digest, Run::record(&space, &trace));
            }
        }
    }
    Ok((reached, part.found.saw_everything()))
}

/// Explores from the scenario's own start, past violations, to a depth.
fn from_own_start<'a>(
    runner: &Runner<'a>,
    depth: Option<u32>,
    line: &mut Line,
) -> Result<(NetworkSpace<'a>, ExploredPart), CliError> {
    let Runner { built, spec, options, started, .. } = runner;
    let mut space = built.space(spec.search.space_options())?;
    let mut options: Options = (*options).clone().stop(Stop::Never).max_depth(depth);
    let time = &mut options.limits.time;
    *time = time.map(|most| most.saturating_sub(started.elapsed()));
    let never = &mut |_: &mut _, _, _| false;
    let part = built.guarded(|| explore_part(&mut space, &options, line, Starts::Initial, never));
    let part = flawless(&space, part)?;
    Ok((space, part))
}

/// By goal: a shortest run to it from the scenario's own start. One from a start that the scenario gives
/// would say nothing. The search goes to twice the depth as long as a goal is missing, within the bound.
pub(super) fn reached_goals(
    runner: &Runner<'_>,
    line: &mut Line,
) -> Result<Vec<Option<Story>>, CliError> {
    const FIRST_DEPTH: u32 = 4;
    let mut stories: Vec<Option<Story>> =
        runner.built.scenario.goals.iter().map(|_| None).collect();
    let most = runner.options.max_depth.unwrap_or(u32::MAX);
    let mut depth = FIRST_DEPTH.min(most);
    while !stories.is_empty() {
        let (mut space, part) = from_own_start(runner, Some(depth), line)?;
        for witness in &part.found.witnesses {
            let run = CheckedSpace::unreduced(&mut space, &witness.trace);
            stories[witness.goal] = Some(Story::tell(&space, &run));
        }
        let is_over = part.found.ended != Ended::Depth || depth == most;
        if is_over || stories.iter().all(Option::is_some) {
            break;
        }
        depth = depth.saturating_mul(2).min(most);
    }
    Ok(stories)
}

/// A possible violation in words.
fn in_words(
    runner: &Runner<'_>,
    answers: &Answers,
    beginning: &Beginning<'_>,
    found: &Found,
) -> Result<PossibleRun, CliError> {
    let place = found.instance.unwrap_or_default();
    let start = &beginning.instances[place].starts[found.start];
    let mut space = runner.built.space(runner.spec.search.space_options())?;
    let state = space.decode_whole(&start.bytes).expect("it was decoded before");
    let trace = found.run.replay_from(&mut space, state).map_err(unrepeated)?;
    let trace = CheckedSpace::unreduced(&mut space, &trace);
    Ok(PossibleRun {
        assertion: space.assertions()[found.what].clone(),
        instance: answers.instances[place].name.clone(),
        story: Story::tell(&space, &trace),
    })
}
