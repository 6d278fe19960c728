//! A random protocol with features, and what they must do, written down plainly.

use everypath_explore::{EventPattern, Verdict};
use everypath_model::{EventKind, Profile, Scenario};
use everypath_network::{NetworkSpace, SpaceError, SpaceOptions};
use proptest::{collection::vec, option, prelude::*, sample::select};

use crate::{
    brute_force::{Label, Oracle, World, can_break},
    table::{Case, Table, case},
};

/// What is asked of worlds and events besides what the case asks.
#[derive(Clone, Debug)]
pub struct Features {
    pub case: Case,
    pub disabled: Vec<EventPattern>,
    pub required: Option<EventPattern>,
    pub deadlock: bool,
    /// Goals: this sum of states; so many packets in flight.
    pub goal_sum: u32,
    pub goal_packets: usize,
    /// Prunings: this sum of states; more packets than this in flight.
    pub pruned_sum: Option<u32>,
    pub pruned_packets: Option<usize>,
    /// What the sum of states must not be at an end.
    pub end_sum: Option<u32>,
}

/// A world, and whether the required event has happened on the way to it.
pub type Sight = (World, bool);

pub fn sum(world: &World) -> u32 {
    world.nodes.iter().flatten().map(|(state, _)| *state).sum()
}

pub fn runs(world: &World) -> bool {
    !world.nodes.contains(&None)
}

/// Whether an event is one that a pattern describes.
pub fn describes(pattern: &EventPattern, (node, kind, parameters): &Label) -> bool {
    pattern.kind.as_ref().is_none_or(|described| described == kind)
        && pattern.node.is_none_or(|described| described == *node)
        && pattern
            .about
            .as_ref()
            .is_none_or(|about| parameters.iter().any(|(_, value)| value.contains(about.as_str())))
}

impl Features {
    pub fn scenario(&self) -> Scenario<Table> {
        let sum = |world: &everypath_model::World<'_, Table>| {
            world.nodes().map(|(_, &state)| state).sum::<u32>()
        };
        let Self { goal_sum, goal_packets, .. } = *self;
        let mut scenario = self
            .case
            .scenario()
            .assert_reachable("sum", move |world| sum(world) == goal_sum)
            .assert_reachable("packets", move |world| world.packets().len() == goal_packets);
        if let Some(pruned) = self.pruned_sum {
            scenario = scenario.prune("sum", move |world| sum(world) == pruned);
        }
        if let Some(pruned) = self.pruned_packets {
            scenario = scenario.prune("packets", move |world| world.packets().len() > pruned);
        }
        if let Some(never) = self.end_sum {
            scenario = scenario.assert_at_end("end", move |world| sum(world) != never);
        }
        scenario
    }

    /// The space, without the patterns of events that no run can have.
    pub fn space<'a>(&mut self, scenario: &'a Scenario<Table>) -> NetworkSpace<'a> {
        let options = SpaceOptions::default()
            .profile(self.case.profile)
            .disabled(self.disabled.clone())
            .required(self.required.clone())
            .deadlock(self.deadlock);
        match NetworkSpace::new(scenario, options) {
            Ok(space) => space,
            Err(SpaceError::Impossible { pattern, .. }) => {
                let is_it = |other: &EventPattern| other.to_string() == pattern;
                match self.disabled.iter().position(is_it) {
                    Some(place) if !self.has_kind(&self.disabled[place]) => {
                        self.disabled.remove(place);
                    }
                    _ => {
                        let required = self.required.take().expect("it is the required one");
                        assert!(is_it(&required) && !self.can_happen(&required));
                    }
                }
                self.space(scenario)
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Whether events that a pattern describes can happen, as far as its kind tells.
    fn can_happen(&self, pattern: &EventPattern) -> bool {
        let whole = EventPattern { node: None, about: None, ..pattern.clone() };
        self.has_kind(pattern) && !self.disabled.contains(&whole)
    }

    fn has_kind(&self, pattern: &EventPattern) -> bool {
        let budget = match pattern.kind.as_deref().unwrap_or_default() {
            "lose" => self.case.loss,
            "duplicate" => self.case.duplication,
            "reboot" => self.case.reboot,
            "link-down" | "undeliverable" => self.case.link_failure,
            "link-up" if !can_break(&self.case) => everypath_model::Budget::Off,
            "link-up" => self.case.link_return,
            _ => everypath_model::Budget::Unlimited,
        };
        !["off", "0"].contains(&budget.to_string().as_str())
    }

    /// Whether states know whether the required event has happened.
    pub fn remembers(&self) -> bool {
        self.required.is_some() && self.case.profile == Profile::Standard
    }

    pub fn initial(&self, oracle: &Oracle<'_>) -> Vec<Sight> {
        oracle.initial().into_iter().map(|world| (world, false)).collect()
    }

    pub fn is_pruned(&self, world: &World) -> bool {
        runs(world)
            && (self.pruned_sum == Some(sum(world))
                || self.pruned_packets.is_some_and(|most| world.packets.len() > most))
    }

    pub fn successors(
        &self,
        oracle: &Oracle<'_>,
        (world, happened): &Sight,
    ) -> Vec<(Label, Sight)> {
        if !runs(world) || self.is_pruned(world) {
            return Vec::new();
        }
        let steps = oracle.successors(world).into_iter();
        let steps = steps
            .filter(|(label, _)| !self.disabled.iter().any(|pattern| describes(pattern, label)));
        steps
            .map(|(label, next)| {
                let required = self.required.as_ref().filter(|_| self.remembers());
                let happens = required.is_some_and(|pattern| describes(pattern, &label));
                (label, (next, *happened || happens))
            })
            .collect()
    }

    pub fn goals(&self, world: &World) -> u64 {
        let reached = [sum(world) == self.goal_sum, world.packets.len() == self.goal_packets];
        if runs(world) { u64::from(reached[0]) | u64::from(reached[1]) << 1 } else { 0 }
    }

    /// The verdict of a world that has no successors.
    pub fn verdict_at_end(&self, world: &World) -> Verdict {
        let case = &self.case;
        let own = [case.never_sum.is_some(), case.crowd.is_some(), case.severed.is_some()];
        let mut bit = own.into_iter().filter(|&there| there).count();
        let mut verdict = 0;
        if runs(world) && !self.is_pruned(world) {
            if let Some(never) = self.end_sum {
                verdict |= u64::from(sum(world) == never) << bit;
                bit += 1;
            }
            verdict |= u64::from(self.deadlock) << bit;
        }
        Verdict(verdict)
    }
}

pub fn pattern() -> impl Strategy<Value = EventPattern> {
    let kinds: Vec<String> = EventKind::ALL.iter().map(|kind| kind.name().to_owned()).collect();
    let about =
        select(vec!["0", "1", "n0", "[1", "2]", "by n1", "no node"]).prop_map(str::to_owned);
    let parts = (option::weighted(0.7, select(kinds)), option::of(0..2u32), option::of(about));
    let some = |parts: &(Option<_>, Option<_>, Option<_>)| {
        parts.0.is_some() || parts.1.is_some() || parts.2.is_some()
    };
    parts.prop_filter("it describes something", some).prop_map(|(kind, node, about)| EventPattern {
        kind,
        node,
        about,
    })
}

pub fn features() -> impl Strategy<Value = Features> {
    (
        (case(), vec(pattern(), 0..=2), option::of(pattern()), any::<bool>()),
        (0..6u32, 0..4usize),
        (option::weighted(0.3, 0..6u32), option::weighted(0.3, 1..6usize), option::of(0..6u32)),
    )
        .prop_map(
            |(
                (case, disabled, required, deadlock),
                (goal_sum, goal_packets),
                (pruned_sum, pruned_packets, end_sum),
            )| Features {
                case,
                disabled,
                required,
                deadlock,
                goal_sum,
                goal_packets,
                pruned_sum,
                pruned_packets,
                end_sum,
            },
        )
}
