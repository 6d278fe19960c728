//! What grows in a search that does not end, `--why-large`, and what can be done.

use everypath_explore::{Explorable, Exploration, Options};
use everypath_model::{EQUAL, Profile};
use everypath_network::Reductions;
use everypath_report::{Contributions, Growth, Remedy, Surroundings, Tool, Trend, remedies_text};
use serde::{Deserialize, Serialize};

use super::spec::CheckSpec;
use crate::{
    arguments::{
        explored_by,
        search::{StrategyName, word},
        time::TimersName,
    },
    error::{CliError, unused},
    output::{numbers::grouped, program_path, shell_word, words},
    scenarios::{outline::Outline, subject::Subject},
};

/// How many states `--why-large` visits, if no limit was given.
pub(super) const STATES_DEFAULT: u64 = 100_000;
/// About how many of them it compares.
pub(super) const STATES_COMPARED: usize = 20_000;

/// Why a search is large.
pub(crate) struct Largeness {
    growth: Option<Growth>,
    remedies: Vec<Remedy>,
    /// With `--why-large`.
    contributions: Option<Contributions>,
}

/// Refuses `--why-large` where there is nothing to compare.
pub(super) fn ensure_possible(spec: &CheckSpec) -> Result<(), CliError> {
    const WHY_LARGE: &str = "--why-large";
    if !spec.output.why_large {
        return Ok(());
    }
    if spec.search.method.strategy == StrategyName::Walk {
        return Err(unused(
            WHY_LARGE,
            format!("--strategy {}, which stores no states", word(&StrategyName::Walk)),
        ));
    }
    let conflicts = [
        (
            spec.regressions.folder().is_some(),
            "--regressions",
            "a counterexample that is found again ends the check before anything is searched",
        ),
        (spec.trial.cross_check, "--cross-check", "the engines would stop at different places"),
    ];
    match conflicts.into_iter().find(|(given, ..)| *given) {
        Some((_, option, why)) => Err(CliError::NotTogether { option, other: WHY_LARGE, why }),
        None => Ok(()),
    }
}

impl Largeness {
    /// Finds it, if the search was stopped without a finding, or if it was asked for.
    pub(super) fn of(
        space: &mut impl Explorable,
        built: &Subject<'_>,
        spec: &CheckSpec,
        options: &Options,
        found: &Exploration,
    ) -> Option<Self> {
        let asked = spec.output.why_large;
        let stopped = found.ended.is_stopped() && found.findings.is_empty();
        if !asked && !stopped {
            return None;
        }
        let contributions = asked.then(|| Contributions::of(&found.sample, space));
        let mut growth = Growth::of(&found.sample, space).filter(|_| !found.saw_everything());
        let mut remedies = Vec::new();
        if let Some(growth) = &mut growth {
            growth.find_causes(&found.sample, space);
            let is_whole = stopped && options.goes_by_levels();
            let whole = is_whole.then_some(growth.depth);
            remedies = growth.remedies(&surroundings(built, spec), &command(built, spec), whole);
        }
        Some(Self { growth, remedies, contributions })
    }

    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        if let Some(contributions) = &self.contributions {
            text += &format!("\n{}", contributions.to_text());
        }
        let growth = self.growth.as_ref().map(Growth::to_text).unwrap_or_default();
        if !growth.is_empty() {
            text += &format!("\n{growth}");
        }
        if !self.remedies.is_empty() {
            text += &format!("\n{}", remedies_text(&self.remedies));
        }
        text
    }

    /// As JSON has it.
    pub(super) fn growth_report(&self) -> Option<GrowthReport> {
        let growth = self.growth.as_ref()?;
        let remedies = self.remedies.iter().map(|Remedy { how, effect }| RemedyReport {
            how: how.clone(),
            effect: effect.clone(),
        });
        Some(GrowthReport {
            states: growth.states,
            depth: growth.depth,
            judged: growth.is_judged,
            trends: growth.trends.iter().map(TrendReport::from).collect(),
            remedies: remedies.collect(),
        })
    }

    /// As JSON has it.
    pub(super) fn contributions_report(&self) -> Option<ContributionsReport> {
        let contributions = self.contributions.as_ref()?;
        let parts = contributions.parts.iter().map(|part| ContributionReport {
            part: part.part.clone(),
            values: part.values,
            states_without: part.states_without,
        });
        Some(ContributionsReport {
            states: contributions.states,
            states_shown: contributions.states_shown,
            parts: parts.collect(),
        })
    }
}

/// The bound that `--why-large` has set by itself, in words.
pub(super) fn bound_text(spec: &CheckSpec) -> String {
    match spec.is_bounded_by_default {
        true => format!(
            "bound: {} states, since no limit was given (--max-states, --max-time)\n",
            grouped(STATES_DEFAULT)
        ),
        false => String::new(),
    }
}

/// What remedies depend on.
fn surroundings(built: &Subject<'_>, spec: &CheckSpec) -> Surroundings {
    let scenario = &built.scenario;
    if built.is_driver() {
        return Surroundings::default();
    }
    let Outline { network, capacity, faults, timeouts, .. } = scenario;
    // What a scenario file has replaced is no parameter any more.
    let is_replaced = |name: &str| {
        built.file.is_some_and(|file| file.replaced.iter().any(|it| it.parameter == name))
    };
    let parameters = built.parameters.environment().filter(|(name, _)| !is_replaced(name));
    let time = spec.time;
    // Both refuse budgets of timeouts.
    let has_time = time.timed || time.timers == TimersName::Ordered;
    let mut around = Surroundings::new(
        &network.to_string(),
        &capacity.to_string(),
        faults.listed(),
        !timeouts.is_empty() || has_time,
        parameters,
    );
    let on_field = scenario.simulation.field.is_some();
    let reduce = spec.search.method.reduce.unwrap_or(Reductions::NONE);
    // They may refuse links and mailboxes that lose packets.
    let is_fixed = time.timed
        || spec.start.is_some()
        || spec.search.profile == Profile::Thesis
        || spec.search.method.relation != EQUAL
        || reduce.obsolete
        || reduce.audiences;
    around.could_have_mailboxes &= !scenario.has_receivers && !is_fixed;
    around.could_have_capacity &= !scenario.has_receivers && !on_field && !is_fixed;
    around
}

/// The command that checks a scenario in the same way, with the same parameters.
fn command(built: &Subject<'_>, spec: &CheckSpec) -> Tool {
    let name = match built.file {
        Some(file) => file.file.path.display().to_string(),
        None => built.name.clone(),
    };
    let check = ["check".to_owned(), name].into_iter().chain(explored_by(words()));
    let check =
        check.map(shell_word).fold(shell_word(program_path()), |line, word| line + " " + &word);
    let set = match built.file {
        Some(_) => spec.scenario.set.clone(),
        None => {
            let changed = built.parameters.declared().iter().filter(|it| it.value != it.default);
            changed.map(|it| (it.name.clone(), it.value.clone())).collect()
        }
    };
    Tool::Command { check, set }
}

/// What grows with the depth of the search, as a sample of its states shows.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Growth"))]
pub(crate) struct GrowthReport {
    /// How many states were looked at.
    states: u64,
    /// The last depth that was looked at.
    depth: u32,
    /// Whether that are depths enough to tell whether something grows.
    judged: bool,
    /// What grows, the most important first.
    trends: Vec<TrendReport>,
    /// What can be done, the most specific first.
    remedies: Vec<RemedyReport>,
}

/// Something that grows.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Trend"))]
struct TrendReport {
    /// What it is: packets on a link, elements of a collection, characters of a text, a number of a node or an observer, a
    /// number in packets, or timers that are set.
    #[cfg_attr(test, schemars(extend("enum" = [
        "packets", "elements", "characters", "number", "number-in-packets", "timers"
    ])))]
    sort: String,
    /// Where it is: a link such as n0→n1, a path such as n2.next_id, or a node.
    place: String,
    /// The most that was seen of it.
    most: u64,
    /// The depth at which it was seen first.
    depth: u32,
    /// It grows by this much …
    more: u64,
    /// … in this many levels.
    every: u32,
    /// The variant that most of the packets are, if it is packets and most are of one.
    kind: Option<String>,
    /// The events that make it larger, as a pattern of events, if they were found.
    cause: Option<String>,
}

impl From<&Trend> for TrendReport {
    fn from(trend: &Trend) -> Self {
        Self {
            sort: trend.quantity.sort().to_owned(),
            place: trend.quantity.place(),
            most: trend.most,
            depth: trend.depth,
            more: trend.more,
            every: trend.every,
            kind: trend.kind.as_ref().map(|(kind, _)| kind.clone()),
            cause: trend.cause.clone(),
        }
    }
}

/// Something that can be done.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Remedy"))]
struct RemedyReport {
    /// A command, or a line of code.
    how: String,
    /// What it does.
    effect: String,
}

/// What the states differ in.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Contributions"))]
pub(crate) struct ContributionsReport {
    /// How many states were compared.
    states: u64,
    /// How many of them differ in what is shown of states; the others differ from one of these in remaining fault budgets, or in
    /// the order of packets.
    states_shown: u64,
    /// The parts of states, those first that contribute most.
    parts: Vec<ContributionReport>,
}

/// What one part contributes to the number of states.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Contribution"))]
struct ContributionReport {
    /// The part: a node, a field, the packets on a link, the memory of an observer.
    part: String,
    /// How many different values it has.
    values: u64,
    /// How many states there would be if it were the same in all.
    states_without: u64,
}
