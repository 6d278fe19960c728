//! The findings of a check, in words and in files.

use std::path::PathBuf;

use everypath_driver::CALLS_DETERMINISTIC;
use everypath_explore::{Exploration, Options, Trace};
use everypath_model::DETERMINISTIC;
use everypath_network::NetworkSpace;
use everypath_report::{Origin, Story, TraceFile};
use everypath_sim::Lateness;

use super::{
    files::{default_trace, numbered},
    regressions::{Earlier, FoundBy},
    spec::CheckSpec,
};
use crate::{
    output::complain,
    running::interrupt,
    scenarios::{
        checked_space::CheckedSpace,
        subject::Subject,
        used_file::{UsedFile, folder_of},
    },
    traces::{as_test::as_test, chart::draw},
};

/// The findings, in words and in files.
pub(crate) struct Findings {
    /// The first violation of each assertion.
    pub(crate) counterexamples: Vec<Counterexample>,
    /// By goal: a run that reaches it, if there is one.
    pub(crate) witnesses: Vec<Option<Story>>,
    /// The numbers of the findings that are not counted, because something must be later than is allowed, or may
    /// have to be.
    pub(crate) too_late: Vec<usize>,
    /// How many of these may have to be, for all that is known.
    pub(crate) undecided: usize,
}

/// A violation in words and in a file.
pub(crate) struct Counterexample {
    pub(crate) assertion: String,
    pub(crate) explanation: Option<String>,
    pub(crate) story: Story,
    /// How late something must be; nothing if that is unknown.
    pub(crate) lateness: Option<Lateness>,
    /// How many steps it had before it was shortened.
    pub(crate) steps_found: usize,
    /// Where it was saved, unless that failed.
    pub(crate) file: Option<PathBuf>,
    /// Where it was drawn.
    pub(crate) charts: Vec<String>,
    /// The same as a Rust test, with `--as-test`.
    pub(crate) test: Option<String>,
}

/// Turns the findings of a search into words and files.
pub(crate) struct Teller<'a> {
    pub(crate) built: &'a Subject<'a>,
    pub(crate) spec: &'a CheckSpec,
    pub(crate) options: &'a Options,
}

impl Teller<'_> {
    pub(super) fn tell<'b>(
        &self,
        space: &mut impl CheckedSpace<'b>,
        found: &Exploration,
        mut earlier: Option<&mut Earlier>,
    ) -> Findings {
        let Self { spec, options, .. } = self;
        let shortest = match earlier.as_ref().and_then(|earlier| earlier.found) {
            None => options.strategy.finds_shortest(),
            // Users should recognise it.
            Some(FoundBy::Replay { .. }) => true,
            Some(FoundBy::Neighbourhood { .. }) => false,
        };
        let shrinks = !shortest && !spec.output.no_shrink;
        let mut counterexamples = Vec::new();
        let (mut too_late, mut undecided) = (Vec::new(), 0);
        for (place, finding) in found.findings.iter().enumerate() {
            let trace = if shrinks {
                let required = options.required_on_path.as_ref();
                space.shrink(&finding.trace, finding.assertion, required, &interrupt::happened)
            } else {
                finding.trace.clone()
            };
            let steps_found = finding.trace.steps.len();
            let trace = space.unreduced(&trace);
            if let Some(most) = spec.time.max_late {
                let lateness = self.lateness(space, &trace);
                undecided += usize::from(lateness.is_none());
                if lateness.is_none_or(|it| it.largest > most) {
                    too_late.push(place);
                    continue;
                }
            }
            let number = counterexamples.len() + 1;
            counterexamples.push(self.save(
                space,
                (finding.assertion, &trace),
                number,
                steps_found,
                earlier.as_deref_mut(),
            ));
        }
        let mut witnesses: Vec<Option<Story>> = space.goals().iter().map(|_| None).collect();
        for witness in &found.witnesses {
            let run = space.unreduced(&witness.trace);
            witnesses[witness.goal] = Some(Story::tell(space, &run));
        }
        Findings { counterexamples, witnesses, too_late, undecided }
    }

    fn lateness<'b>(&self, space: &mut impl CheckedSpace<'b>, trace: &Trace) -> Option<Lateness> {
        space.network_mut().and_then(|network| self.built.lateness(network, trace))
    }

    /// Tells one violation, and writes its files.
    pub(crate) fn save<'b>(
        &self,
        space: &mut impl CheckedSpace<'b>,
        (assertion, trace): (usize, &Trace),
        number: usize,
        steps_found: usize,
        earlier: Option<&mut Earlier>,
    ) -> Counterexample {
        let Self { built, spec, .. } = self;
        let explanation = space.explain(trace.last(), assertion);
        let assertion = space.assertions()[assertion].clone();
        let origin = self.origin(space, &assertion);
        let mut recorded = TraceFile::record(space, trace, origin, &assertion);
        if let Some(earlier) = earlier {
            recorded.files = built.recorded_files(&earlier.folder);
            earlier.keep(&recorded);
        }
        let file = spec.output.trace.clone();
        let file = file.unwrap_or_else(|| default_trace(&built.name));
        let file = numbered(file, number);
        recorded.files = built.recorded_files(folder_of(&file));
        // The finding is worth more than the file.
        let written = recorded.write(&file).map_err(|error| complain(error.into()));
        let file = written.ok().map(|()| file);
        let lateness = self.lateness(space, trace);
        let mut story = Story::tell(space, trace);
        let late = lateness.iter().flat_map(|lateness| &lateness.events);
        story.steps.iter_mut().zip(late).for_each(|(step, &late)| step.late = late);
        let broken = Some((assertion.as_str(), explanation.as_deref()));
        // Charts show the first counterexample.
        let charts = if number == 1 { spec.output.charts.as_slice() } else { &[] };
        let charts = draw(charts, &story, built, broken);
        let code = || space.run_as_code(trace);
        let test = spec.output.as_test.then(|| as_test(built, &recorded, code()));
        Counterexample { assertion, explanation, story, lateness, steps_found, file, charts, test }
    }

    /// The conditions under which the run is a violation.
    fn origin<'b>(&self, space: &impl CheckedSpace<'b>, assertion: &str) -> Origin {
        let Self { built, spec, .. } = self;
        let conditions = &spec.search.conditions;
        Origin {
            scenario: built.name.clone(),
            profile: built.parameters.profile().name().to_owned(),
            parameters: built.values(),
            // A run to a non-deterministic handler can only be replayed if handlers are executed twice.
            verify_determinism: conditions.verifies_all()
                || [DETERMINISTIC, CALLS_DETERMINISTIC].contains(&assertion),
            disabled: conditions.disable.iter().map(ToString::to_string).collect(),
            required: conditions.require.as_ref().map(ToString::to_string),
            deadlock: conditions.deadlock,
            start: match (&built.start, space.network().and_then(NetworkSpace::start_digest)) {
                (Some(start), Some(digest)) => Some(start.moment.record(digest)),
                _ => None,
            },
            files: Vec::new(),
            replaced: built.file.map(UsedFile::replaced_keys).unwrap_or_default(),
        }
    }
}
