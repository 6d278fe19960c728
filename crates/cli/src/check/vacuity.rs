//! Reasons why a check that found nothing says less than it seems to.

use std::fmt::Write;

use everypath_explore::{Ended, Explorable, Exploration, Space};
use everypath_network::{NetworkSpace, Unmet};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::output::unsure;

/// One thing that was never in question, made no difference, or was never met.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Vacuity {
    /// Why the check says less than it seems to.
    kind: Kind,
    /// The assumption, pruning, assertion, goal, kind of event, variant of a message or piece of code; null if the whole
    /// scenario is meant.
    name: Option<String>,
    /// How often an assumption excluded an event, or a pruning a state; 0 for everything else.
    count: u64,
}

impl Vacuity {
    /// Whether it means that nothing happens at all.
    pub(crate) fn is_total(&self) -> bool {
        self.kind == Kind::NothingHappens
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "VacuityKind"))]
enum Kind {
    /// No event is enabled in the initial state.
    NothingHappens,
    /// The initial state is pruned.
    InitialStatePruned,
    /// An assumption excludes every event in the initial state.
    AssumptionExcludesEverything,
    /// There are commands, but none is offered in any state.
    CommandsNotOffered,
    /// Every event leads back to the initial state.
    OnlyInitialState,
    /// The assumption excludes no event.
    AssumptionMakesNoDifference,
    /// The pruning prunes no state.
    PruningMakesNoDifference,
    /// The assertion holds without looking at the world.
    AssertionLooksAtNothing,
    /// The goal is reached before anything happens.
    GoalReachedAtStart,
    /// No run ends, so an assertion about ends was never evaluated.
    NoRunEnds,
    /// Events of this kind were never enabled.
    EventsNeverEnabled,
    /// The budget of timeouts names no timer that was ever set.
    TimeoutsOfNoTimer,
    /// Messages of this variant were never sent.
    MessageNeverSent,
    /// Messages of this variant were never delivered.
    MessageNeverDelivered,
    /// This code was never executed.
    CodeNeverExecuted,
}

impl Kind {
    /// The kinds that are printed below the verdict, in this order.
    const WARNED_OF: [Self; 12] = [
        Self::CommandsNotOffered,
        Self::OnlyInitialState,
        Self::AssumptionMakesNoDifference,
        Self::PruningMakesNoDifference,
        Self::AssertionLooksAtNothing,
        Self::GoalReachedAtStart,
        Self::NoRunEnds,
        Self::EventsNeverEnabled,
        Self::TimeoutsOfNoTimer,
        Self::MessageNeverSent,
        Self::MessageNeverDelivered,
        Self::CodeNeverExecuted,
    ];

    /// The warning about those with these names.
    fn sentence(self, names: &str, bound: &str) -> String {
        match self {
            Self::NothingHappens => "no event is enabled in the initial state".to_owned(),
            Self::InitialStatePruned => format!("the initial state is pruned ({names})"),
            Self::AssumptionExcludesEverything => {
                format!("every event in the initial state is excluded by an assumption ({names})")
            }
            Self::CommandsNotOffered => {
                format!("there are commands, but `commands` offers none in any state{bound}")
            }
            Self::OnlyInitialState => {
                format!(
                    "every event leads back to the initial state{bound}: no other was looked at"
                )
            }
            Self::AssumptionMakesNoDifference => {
                format!("makes no difference{bound}: the assumption {names}")
            }
            Self::PruningMakesNoDifference => {
                format!("makes no difference{bound}: the pruning {names}")
            }
            Self::AssertionLooksAtNothing => {
                format!("holds without looking at the world: the assertion {names}")
            }
            Self::GoalReachedAtStart => {
                format!("reached before anything happens: the goal {names}")
            }
            Self::NoRunEnds => {
                format!("no run ends{bound}, so nothing was asked about ends: {names}")
            }
            Self::EventsNeverEnabled => format!("events never enabled{bound}: {names}"),
            Self::TimeoutsOfNoTimer => {
                format!("the budget of timeouts {names} names no timer that was ever set{bound}")
            }
            Self::MessageNeverSent => format!("messages never sent{bound}: {names}"),
            Self::MessageNeverDelivered => {
                format!("messages sent, but never delivered{bound}: {names}")
            }
            Self::CodeNeverExecuted => format!("code never executed{bound}: {names}"),
        }
    }
}

/// All such reasons that a finished search knows.
pub(crate) struct Vacuities {
    all: Vec<Vacuity>,
    /// How often each assumption excluded an event, if all were evaluated.
    exclusions: Option<Vec<(String, u64)>>,
    /// Whether all assumptions and prunings were evaluated.
    asked_all: bool,
    bounded: bool,
}

impl Vacuities {
    /// Of a search; `None` if it has not seen enough. A resumed search, or one with a graph, does not expand every state, so
    /// it has not evaluated every assumption and pruning (`asked_all`).
    pub(crate) fn of(
        space: &dyn Explorable,
        network: Option<&NetworkSpace<'_>>,
        found: &Exploration,
        asked_all: bool,
    ) -> Option<Self> {
        if !found.is_complete() {
            return None;
        }
        let exclusions = network.map(NetworkSpace::exclusions).unwrap_or_default().into_iter();
        let exclusions: Vec<_> = exclusions.map(|(name, count)| (name.to_owned(), count)).collect();
        let mut vacuities = Self {
            all: Vec::new(),
            exclusions: Some(exclusions).filter(|all| asked_all || all.is_empty()),
            asked_all,
            bounded: found.ended == Ended::Depth,
        };
        if found.counts.events == 0 && found.ended == Ended::Exhausted {
            vacuities.nothing_happens(network, found);
        } else {
            vacuities.makes_no_difference(network, found);
            vacuities.never_met(space, network, found);
        }
        vacuities.never_in_question(space, network, found);
        Some(vacuities)
    }

    fn add(&mut self, kind: Kind, count: u64, name: impl Into<String>) {
        self.all.push(Vacuity { kind, name: Some(name.into()), count });
    }

    fn add_unnamed(&mut self, kind: Kind) {
        self.all.push(Vacuity { kind, name: None, count: 0 });
    }

    /// Adds that nothing happens, and why.
    fn nothing_happens(&mut self, network: Option<&NetworkSpace<'_>>, found: &Exploration) {
        self.add_unnamed(Kind::NothingHappens);
        let excluding = self.exclusions.clone().unwrap_or_default();
        for (name, count) in excluding.into_iter().filter(|(_, count)| *count > 0) {
            self.add(Kind::AssumptionExcludesEverything, count, name);
        }
        let Some(space) = network else { return };
        if found.counts.pruned > 0 {
            for (name, count) in space.prunings().into_iter().filter(|(_, count)| *count > 0) {
                self.add(Kind::InitialStatePruned, count, name);
            }
        }
        self.commands_not_offered(space);
    }

    fn commands_not_offered(&mut self, space: &NetworkSpace<'_>) {
        if space.event_kinds().iter().any(|kind| kind == COMMAND) && !space.offers_commands() {
            self.add_unnamed(Kind::CommandsNotOffered);
        }
    }

    /// The parts of the scenario that could be removed.
    fn makes_no_difference(&mut self, network: Option<&NetworkSpace<'_>>, found: &Exploration) {
        let initial = found.counts.depths.first().map_or(0, |depth| depth.states);
        let exhausted = found.ended == Ended::Exhausted && found.findings.is_empty();
        if exhausted && found.states_visited == initial {
            self.add_unnamed(Kind::OnlyInitialState);
        }
        let excluding = self.exclusions.clone().unwrap_or_default();
        for (name, _) in excluding.into_iter().filter(|(_, count)| *count == 0) {
            self.add(Kind::AssumptionMakesNoDifference, 0, name);
        }
        for (name, count) in network.map(NetworkSpace::prunings).unwrap_or_default() {
            if found.counts.pruned == 0 || self.asked_all && count == 0 {
                self.add(Kind::PruningMakesNoDifference, 0, name);
            }
        }
    }

    /// The assertions and goals that were never in question.
    fn never_in_question(
        &mut self,
        space: &dyn Explorable,
        network: Option<&NetworkSpace<'_>>,
        found: &Exploration,
    ) {
        for name in network.map(NetworkSpace::empty_assertions).unwrap_or_default() {
            self.add(Kind::AssertionLooksAtNothing, 0, name);
        }
        let goals = space.goals();
        for witness in found.witnesses.iter().filter(|witness| witness.trace.steps.is_empty()) {
            self.add(Kind::GoalReachedAtStart, 0, goals[witness.goal].as_str());
        }
        if found.counts.ends == 0 {
            for name in network.map(NetworkSpace::end_assertions).unwrap_or_default() {
                self.add(Kind::NoRunEnds, 0, name);
            }
        }
    }

    /// The events, messages and code that were never met.
    fn never_met(
        &mut self,
        space: &dyn Explorable,
        network: Option<&NetworkSpace<'_>>,
        found: &Exploration,
    ) {
        network.into_iter().for_each(|network| self.commands_not_offered(network));
        let offered = network.is_none_or(NetworkSpace::offers_commands);
        let kinds = space.event_kinds().into_iter().zip(&found.counts.kinds);
        let never: Vec<String> =
            kinds.filter(|(_, kind)| kind.enabled_states == 0).map(|(name, _)| name).collect();
        for name in never.iter().filter(|name| offered || *name != COMMAND) {
            self.add(Kind::EventsNeverEnabled, 0, name.as_str());
        }
        let Some(network) = network else { return };
        for timers in network.unmet_timeouts() {
            self.add(Kind::TimeoutsOfNoTimer, 0, timers);
        }
        let Unmet { not_sent, not_delivered, not_executed, .. } = network.unmet();
        // If a kind of event never happened, its code did not run either: one warning is enough.
        let told = |name: &str| never.iter().any(|kind| is_code_of(name, kind));
        let not_executed = not_executed.into_iter().filter(|name| !told(name));
        if !never.iter().any(|kind| kind == DELIVER) {
            not_sent.into_iter().for_each(|name| self.add(Kind::MessageNeverSent, 0, name));
            let names = not_delivered.into_iter();
            names.for_each(|name| self.add(Kind::MessageNeverDelivered, 0, name));
        }
        not_executed.for_each(|name| self.add(Kind::CodeNeverExecuted, 0, name));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn names(&self, kind: Kind) -> Option<String> {
        let mut of_kind = self.all.iter().filter(|it| it.kind == kind).peekable();
        of_kind.peek()?;
        let names = of_kind.filter_map(|it| it.name.as_ref()).map(|name| format!("`{name}`"));
        Some(names.collect::<Vec<_>>().join(", "))
    }

    fn sentence(&self, kind: Kind) -> Option<String> {
        let bound = if self.bounded { " within this bound" } else { "" };
        self.names(kind).map(|names| kind.sentence(&names, bound))
    }

    /// The part of the first line that says that nothing happens, and why.
    pub(crate) fn nothing_happens_text(&self) -> Option<String> {
        self.names(Kind::NothingHappens)?;
        let reasons = [Kind::AssumptionExcludesEverything, Kind::InitialStatePruned];
        let reason = reasons.into_iter().find_map(|kind| self.sentence(kind));
        let reason = reason.or_else(|| self.sentence(Kind::NothingHappens)).unwrap_or_default();
        Some(format!(", but {}: {reason}", unsure("NOTHING EVER HAPPENS")))
    }

    /// One line for each kind of the others.
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        for sentence in Kind::WARNED_OF.into_iter().filter_map(|kind| self.sentence(kind)) {
            let _ = writeln!(text, "{}: {sentence}", unsure("warning"));
        }
        text
    }

    /// The reasons, for a report, and how often each assumption excluded an event, if that was counted.
    pub(crate) fn into_report(self) -> (Vec<Vacuity>, Option<IndexMap<String, u64>>) {
        (self.all, self.exclusions.map(|counts| counts.into_iter().collect()))
    }
}

const COMMAND: &str = "command";
const DELIVER: &str = "deliver";

/// Whether some code handles events of a kind.
fn is_code_of(name: &str, kind: &str) -> bool {
    let handler = name.rsplit('/').next().unwrap_or(name).split(':').next().unwrap_or_default();
    match handler {
        "message" | "indication" | "request" => kind == DELIVER,
        "restart" => kind == "reboot",
        other => kind == other,
    }
}
