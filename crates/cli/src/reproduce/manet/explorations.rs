//! The searches of the article's experiments.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use everypath_explore::{
    Ended, ExploredPart, IsCut, Options, Searched, Space, Start, Starts, StateId,
};
use everypath_network::NetworkSpace;
use everypath_network::explore_part;

use crate::{
    arguments::check_of_words,
    check::spec::CheckSpec,
    error::CliError,
    reproduce::laboratory::Halt,
    running::progress::Line,
    scenarios::{
        entry::{self, Entry},
        subject::Subject,
    },
    searching::{spec::SearchSpec, verdict::stopped_by},
};

/// The place of the cut at the last trial.
pub(super) const LAST_TRIAL: usize = 0;
/// The list of starts with one world for each pattern, by its place and its name.
const PATTERNS: (usize, &str) = (0, "patterns");

/// A scenario that is ready to be explored.
pub(super) struct Prepared<'a> {
    subject: Subject<'a>,
    search: SearchSpec,
    options: Options,
}

/// The result and the cost of a search, or of one in parts.
#[derive(Default)]
pub(super) struct Found {
    /// The states of each instance.
    pub(super) instances: Vec<u64>,
    /// The states of all parts, added up.
    pub(super) states: u64,
    /// How many of them are distinct.
    pub(super) distinct: u64,
    pub(super) events: u64,
    pub(super) time: Duration,
    /// The largest memory at any moment.
    pub(super) bytes: usize,
    /// The length of the shortest counterexample, if there is one.
    pub(super) steps: Option<usize>,
}

/// Prepares the scenario that the words of a check name.
pub(super) fn with_scenario<T>(
    entries: &[Box<dyn Entry>],
    words: &str,
    run: impl FnOnce(&Prepared<'_>) -> Result<T, Halt>,
) -> Result<T, Halt> {
    let words = ["everypath", "check"].into_iter().chain(words.split_whitespace());
    let spec = CheckSpec::new(&check_of_words(words), None);
    let entry = entry::find(entries, &spec.scenario.name)?;
    let built = entry.build(spec.scenario.parameters())?;
    let (subject, mut search) = (built.subject(), spec.search);
    search.conditions.require_own(&subject)?;
    let space = subject.space(search.space_options())?;
    let options = search.options(&space, subject.scenario.max_depth)?;
    run(&Prepared { subject, search, options })
}

impl<'a> Prepared<'a> {
    pub(super) fn space(&self) -> Result<NetworkSpace<'a>, CliError> {
        self.subject.space(self.search.space_options())
    }

    /// Explores one part.
    pub(super) fn explore(
        &self,
        space: &mut NetworkSpace<'a>,
        starts: Starts<'_>,
        is_cut: &mut IsCut<'_, NetworkSpace<'a>>,
    ) -> Result<ExploredPart, Halt> {
        let mut line = Line::new(false);
        let part = explore_part(space, &self.options, &mut line, starts, is_cut);
        let part = part.map_err(|refusal| CliError::Refused { refusal })?;
        self.ensure_finished(part.found.ended)?;
        Ok(part)
    }

    fn ensure_finished(&self, ended: Ended) -> Result<(), Halt> {
        if ended == Ended::Interrupted {
            return Err(Halt::Interrupted);
        }
        if ended.is_stopped() {
            let by = stopped_by(ended, self.search.limits.memory).into_owned();
            return Err(CliError::Unfinished { by }.into());
        }
        Ok(())
    }

    /// How many events are enabled at the beginning.
    pub(super) fn first_events(&self) -> Result<u64, CliError> {
        let mut space = self.space()?;
        let (mut initial, mut steps) = (Vec::new(), Vec::new());
        space.initial(&mut initial);
        space.expand(&initial, &mut steps);
        Ok(steps.len() as u64)
    }

    /// The full search, to the first violation.
    pub(super) fn full(&self) -> Result<Found, Halt> {
        let mut space = self.space()?;
        // It shows nothing, and ends the search when the user presses Ctrl-C.
        let found = space.explore(&self.options, &mut Line::new(false));
        let found = found.map_err(|refusal| CliError::Refused { refusal })?;
        self.ensure_finished(found.ended)?;
        Ok(Found {
            instances: Vec::new(),
            states: found.states_visited,
            distinct: found.states_visited,
            events: found.counts.events,
            time: found.elapsed,
            bytes: found.bytes,
            steps: found.finding().map(|finding| finding.trace.steps.len()),
        })
    }

    /// The last trial alone, from one world for each pattern.
    pub(super) fn by_patterns(&self) -> Result<Found, Halt> {
        let mut space = self.space()?;
        let (place, name) = PATTERNS;
        let given = space.covering_starts(place).map_err(|error| CliError::BadStart {
            scenario: self.subject.name.clone(),
            starts: name.to_owned(),
            error,
        })?;
        let mut parts = Parts::default();
        for (_, states) in given {
            let starts: Vec<Start> =
                states.into_iter().map(|state| Start { depth: 0, state }).collect();
            let part = self.explore(&mut space, Starts::Given(&starts), &mut |_, _, _| false)?;
            parts.add_instance(&part);
        }
        Ok(parts.found())
    }

    /// All trials, cut where the last one begins: one instance for each combination of patterns that a
    /// run reaches, with the packets in flight.
    pub(super) fn cut(&self) -> Result<Found, Halt> {
        let mut space = self.space()?;
        let is_cut = &mut |space: &mut NetworkSpace<'_>, _, state| space.is_cut(state, LAST_TRIAL);
        let trunk = self.explore(&mut space, Starts::Initial, is_cut)?;
        let mut parts = Parts::default();
        parts.add(&trunk);
        let mut instances: BTreeMap<String, Vec<Start>> = BTreeMap::new();
        for &start in &trunk.stopped {
            instances.entry(space.cut_key(start.state, LAST_TRIAL)).or_default().push(start);
        }
        for starts in instances.values() {
            let part = self.explore(&mut space, Starts::Reached(starts), &mut |_, _, _| false)?;
            parts.add_instance(&part);
        }
        Ok(parts.found())
    }
}

/// The parts of a search so far. All are explored in one space, where equal states have equal ids.
#[derive(Default)]
struct Parts {
    found: Found,
    distinct: BTreeSet<StateId>,
}

impl Parts {
    fn add(&mut self, part: &ExploredPart) {
        let Self { found, distinct } = self;
        found.states += part.found.states_visited;
        found.events += part.found.counts.events;
        found.time += part.found.elapsed;
        found.bytes = found.bytes.max(part.found.bytes);
        distinct.extend(part.visited().map(|visited| visited.state));
    }

    fn add_instance(&mut self, part: &ExploredPart) {
        self.found.instances.push(part.found.states_visited);
        self.add(part);
    }

    fn found(self) -> Found {
        Found { distinct: self.distinct.len() as u64, ..self.found }
    }
}
