//! The specification of a check, as plain data.

use std::path::PathBuf;

use everypath_explore::Stop;

use crate::{
    arguments::{
        check::CheckArguments,
        time::TimeArguments,
        trial::TrialArguments,
        values::{ChartFile, SpaceFile},
    },
    kept::{graph::GraphSpec, memo::MemoSpec},
    scenario_file::Setting,
    scenarios::{spec::ScenarioSpec, start::Moment},
    searching::spec::{Conditions, SearchSpec},
};

use super::{growth::STATES_DEFAULT, regressions::RegressionSpec};

/// Everything that decides a check.
pub(crate) struct CheckSpec {
    pub(crate) scenario: ScenarioSpec,
    /// Where the exploration starts, if not at the scenario's own start.
    pub(crate) start: Option<Moment>,
    /// When the scenario is known, with the event that it requires.
    pub(crate) search: SearchSpec,
    pub(crate) time: TimeArguments,
    /// What is tried of what the check relies on.
    pub(crate) trial: TrialArguments,
    pub(crate) memo: MemoSpec,
    pub(crate) graph: GraphSpec,
    pub(crate) regressions: RegressionSpec,
    pub(crate) output: OutputSpec,
    /// Whether the number of states is limited by `--why-large` alone.
    pub(crate) is_bounded_by_default: bool,
}

/// What is printed and drawn.
pub(crate) struct OutputSpec {
    /// Whether all counts are printed.
    pub(crate) stats: bool,
    /// Whether it is explained what makes the space large.
    pub(crate) why_large: bool,
    /// Whether warnings are a failure.
    pub(crate) strict: bool,
    /// Whether counterexamples are printed as found.
    pub(crate) no_shrink: bool,
    pub(crate) show_states: bool,
    /// Where the counterexample is saved, if not in the default file.
    pub(crate) trace: Option<PathBuf>,
    pub(crate) charts: Vec<ChartFile>,
    /// Where the state space is drawn.
    pub(crate) space: Option<SpaceFile>,
    pub(crate) as_test: bool,
    pub(crate) json: bool,
}

impl CheckSpec {
    /// From the command line, completed by the scenario file.
    pub(crate) fn new(arguments: &CheckArguments, setting: Option<&Setting>) -> Self {
        let CheckArguments { which, start, limits, long_run, conditions, search, output, .. } =
            arguments;
        let mut scenario = ScenarioSpec::new(which, arguments.published);
        let mut start = start.clone();
        if let Some(setting) = setting {
            scenario.profile = setting.profile;
            start.simulation_seed = start.simulation_seed.or(setting.seed);
        }
        let regressions = RegressionSpec::from(&arguments.regressions);
        let mut conditions = Conditions::from(conditions);
        if arguments.time.max_late.is_some() && conditions.stop == Stop::First {
            // If the first violation is not counted, that of another assertion may be.
            conditions.stop = Stop::Each;
        }
        let mut search = SearchSpec {
            method: search.clone().into(),
            conditions,
            limits: limits.into(),
            long_run: long_run.into(),
            profile: scenario.profile,
            timings: output.stats,
            // Findings around earlier counterexamples are shortened, whatever the strategy.
            no_shrink: output.no_shrink && regressions.folder().is_none(),
        };
        let is_unlimited = search.limits.states.is_none() && search.limits.time.is_none();
        let is_bounded_by_default = output.why_large && is_unlimited;
        if is_bounded_by_default {
            search.limits.states = Some(STATES_DEFAULT);
        }
        if output.why_large {
            search.conditions.stop = Stop::Never;
        }
        Self {
            is_bounded_by_default,
            scenario,
            start: Moment::asked_for(&start),
            search,
            time: arguments.time,
            trial: arguments.trial,
            memo: (&arguments.memo).into(),
            graph: (&arguments.graph).into(),
            regressions,
            output: OutputSpec {
                stats: output.stats,
                why_large: output.why_large,
                strict: output.strict,
                no_shrink: output.no_shrink,
                show_states: output.show_states,
                trace: output.trace.clone(),
                charts: output.charts.clone(),
                space: output.space.clone(),
                as_test: output.as_test,
                json: output.json,
            },
        }
    }
}
