//! Checks that a scenario can be run.

use std::collections::{HashMap, HashSet};

use super::{CUT_AT_DEPTH, Scenario, ScenarioError};
use crate::{
    Audience, AudienceError, Budget, Capacity, Condition, EventKind, NetworkKind, NodeId, Protocol,
    SensingError, SimulationSetup, Topology, WarmUp,
    property::{ALWAYS_ASSERTED, EQUAL, LEARNT, NEVER_STUCK, NOVELTY, SIMULATED},
    timeouts::TIMEOUT_BUDGETS_MAX,
};

impl<P: Protocol> Scenario<P> {
    /// Whether the scenario can be run.
    ///
    /// # Errors
    /// The first error found.
    pub fn validate(&self) -> Result<(), ScenarioError> {
        if self.topology.is_empty() {
            return Err(ScenarioError::NoNodes);
        }
        self.validate_names()?;
        let mut kinds = self.event_order.clone();
        kinds.sort_unstable();
        if kinds != EventKind::ALL {
            return Err(ScenarioError::EventOrder);
        }
        if self.receivers.is_some()
            && !matches!(self.network, NetworkKind::Unordered | NetworkKind::GlobalList)
        {
            return Err(ScenarioError::LateOrder);
        }
        self.time_bounds.validate()?;
        self.validate_capacity()?;
        self.validate_timeouts()?;
        self.validate_reboots()?;
        self.validate_audience()?;
        if self.receivers.is_some() && self.simulation.field.is_some() {
            return Err(ScenarioError::LateOnField);
        }
        self.simulation.validate(&self.topology)
    }

    /// Whether links can have their capacity.
    fn validate_capacity(&self) -> Result<(), ScenarioError> {
        let Some(most) = self.capacity.most() else {
            return Ok(());
        };
        match (self.network, self.capacity) {
            _ if most == 0 => Err(ScenarioError::NoCapacity),
            (NetworkKind::Inbox(_), _) => Err(ScenarioError::CapacityOfMailboxes(self.network)),
            (NetworkKind::Unordered, Capacity::OldestLost(_)) => Err(ScenarioError::NoOldest),
            _ if self.receivers.is_some() => Err(ScenarioError::LateCapacity),
            _ if self.simulation.field.is_some() => Err(ScenarioError::CapacityOnField),
            _ => Ok(()),
        }
    }

    /// Whether the nodes that may reboot exist, and can.
    fn validate_reboots(&self) -> Result<(), ScenarioError> {
        let Some(nodes) = &self.rebooting else {
            return Ok(());
        };
        if self.faults.reboot == Budget::Off {
            return Err(ScenarioError::NoReboots);
        }
        match nodes.last() {
            None => Err(ScenarioError::RebootOfNone),
            Some(&node) if node.index() >= self.topology.len() => {
                Err(ScenarioError::RebootOfStranger(node))
            }
            Some(_) => Ok(()),
        }
    }

    /// Whether the budgets of timeouts are of timers.
    fn validate_timeouts(&self) -> Result<(), ScenarioError> {
        unique("budgets of timeouts", self.timeouts.iter().map(|budget| budget.timers.as_str()))?;
        if self.timeouts.len() > TIMEOUT_BUDGETS_MAX {
            return Err(ScenarioError::Timeouts(self.timeouts.len()));
        }
        // As of `Never`: only of a type without values, an option takes no bytes.
        if !self.timeouts.is_empty() && size_of::<Option<P::Timer>>() == 0 {
            return Err(ScenarioError::NoTimers);
        }
        for budget in &self.timeouts {
            let pattern = || budget.timers.clone();
            match budget.node() {
                None => return Err(ScenarioError::TimeoutPattern(pattern())),
                Some(Some(node)) if node as usize >= self.topology.len() => {
                    return Err(ScenarioError::TimeoutNode { pattern: pattern(), node });
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Whether broadcasts have audiences.
    fn validate_audience(&self) -> Result<(), ScenarioError> {
        if self.audience.is_all() {
            return Ok(());
        }
        if self.simulation.field.is_some() {
            return Err(ScenarioError::AudienceOnField);
        }
        let neighbourhoods =
            || self.topology.nodes().map(|node| (node, self.topology.neighbours(node)));
        if let Audience::AtMost(most) = self.audience {
            let neighbours = neighbourhoods().map(|(_, all)| all.len()).max().unwrap_or_default();
            match most {
                0 => return Err(AudienceError::Zero.into()),
                most if most as usize > neighbours => {
                    return Err(AudienceError::Larger { most, neighbours }.into());
                }
                _ => {}
            }
        }
        neighbourhoods().try_for_each(|(node, all)| {
            self.audience.of(node, all).map(drop).map_err(ScenarioError::from)
        })
    }

    /// Whether memories can be distinguished by their types.
    fn validate_memories(&self) -> Result<(), ScenarioError> {
        let mut types = HashMap::new();
        for observer in self.observers.iter().filter(|observer| observer.is_shown) {
            if let Some(other) = types.insert(observer.memory_type(), &observer.name) {
                let (one, other) = (other.clone(), observer.name.clone());
                return Err(ScenarioError::SameMemory { one, other });
            }
        }
        Ok(())
    }

    /// Whether something is asserted of each history, and each such assertion has one.
    fn validate_histories(&self) -> Result<(), ScenarioError> {
        unique("histories", self.histories.iter().map(|history| history.name.as_str()))?;
        if let Some(assertion) = self.without_history.first() {
            return Err(ScenarioError::NoHistory(assertion.clone()));
        }
        match self.histories.iter().find(|history| history.assertions.is_empty()) {
            Some(history) => Err(ScenarioError::NothingAsserted(history.name.clone())),
            None => Ok(()),
        }
    }

    /// Whether all names are unique.
    fn validate_names(&self) -> Result<(), ScenarioError> {
        fn names<P: Protocol>(conditions: &[Condition<P>]) -> impl Iterator<Item = &str> {
            conditions.iter().map(|condition| condition.name.as_str())
        }
        let own = names(&self.assertions).chain(names(&self.end_assertions));
        unique("assertions", own.chain(ALWAYS_ASSERTED).chain([NEVER_STUCK]))?;
        unique("goals", names(&self.goals))?;
        unique("prunings", names(&self.prunings))?;
        unique("assumptions", self.assumptions.iter().map(|assumption| assumption.name.as_str()))?;
        unique("observers", self.observers.iter().map(|observer| observer.name.as_str()))?;
        self.validate_memories()?;
        self.validate_histories()?;
        let rankings = self.all_rankings().map(|ranking| ranking.name.as_str());
        unique("rankings", rankings.chain([NOVELTY, LEARNT]))?;
        if let Some(ranking) = self.rankings.iter().find(|ranking| ranking.name.contains(',')) {
            return Err(ScenarioError::Comma { ranking: ranking.name.clone() });
        }
        let relations = self.relations.iter().map(|relation| relation.name.as_str());
        unique("relations", relations.chain([SIMULATED, EQUAL]))?;
        unique("cuts", self.cuts.iter().map(|cut| cut.name.as_str()))?;
        if let Some(cut) = self.cuts.iter().find(|cut| cut.name.starts_with(CUT_AT_DEPTH)) {
            return Err(ScenarioError::CutName { cut: cut.name.clone() });
        }
        unique("lists of starts", self.starts.iter().map(|starts| starts.name.as_str()))
    }
}

/// Whether all names are different.
fn unique<'a>(
    what: &'static str,
    names: impl Iterator<Item = &'a str>,
) -> Result<(), ScenarioError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(ScenarioError::SameName { what, name: name.to_owned() });
        }
    }
    Ok(())
}

impl<P: Protocol> SimulationSetup<P> {
    /// Whether it fits a topology.
    fn validate(&self, topology: &Topology) -> Result<(), ScenarioError> {
        unique("measures", self.measures.iter().map(|measure| measure.name.as_str()))?;
        self.validate_links(topology)?;
        if let Some(field) = &self.field {
            field.validate(topology.len())?;
        }
        if self.replications == 0 {
            return Err(ScenarioError::NoRuns);
        }
        let duration = self.duration;
        match self.warm_up {
            WarmUp::Until(warm_up) if warm_up >= duration => {
                return Err(ScenarioError::WarmUp { duration, warm_up });
            }
            WarmUp::Until(_) | WarmUp::Mser5 | WarmUp::None => {}
        }
        for outage in &self.outages {
            outage.validate(topology, self.field.is_some())?;
        }
        if let Some(sensing) = &self.sensing {
            if self.field.is_none() {
                return Err(SensingError::NoField.into());
            }
            if self.stimulus_command.is_none() {
                return Err(SensingError::Unsensed.into());
            }
            sensing.validate()?;
        }
        self.validate_traffic()
    }

    fn validate_links(&self, topology: &Topology) -> Result<(), ScenarioError> {
        for link in self.links.iter().map(|(_, link)| link).chain([&self.link]) {
            let is_none = |probability: &f64| !(0.0..=1.0).contains(probability);
            if let Some(none) = link.loss.probabilities().into_iter().find(is_none) {
                return Err(ScenarioError::Loss(none.to_string()));
            }
            if is_none(&link.duplication) {
                return Err(ScenarioError::Duplication(link.duplication.to_string()));
            }
            if link.loss.is_stuck() {
                return Err(ScenarioError::Stuck);
            }
            if link.bandwidth_bps == Some(0) {
                return Err(ScenarioError::Bandwidth);
            }
        }
        let named = self.links.iter().flat_map(|((from, to), _)| [*from, *to]);
        let named = named.chain(self.jobs.iter().map(|job| job.node));
        let mut named = named.chain(self.flows.iter().flat_map(|flow| [flow.from, flow.to]));
        if let Some(stranger) = named.find(|node| node.index() >= topology.len()) {
            return Err(ScenarioError::UnknownNode(stranger));
        }
        let linked = |ends: (NodeId, NodeId)| topology.are_neighbours(ends.0, ends.1);
        match self.links.iter().find(|(ends, _)| !linked(*ends)) {
            Some(&((from, to), _)) => Err(ScenarioError::UnknownLink(from, to)),
            None => Ok(()),
        }
    }

    fn validate_traffic(&self) -> Result<(), ScenarioError> {
        let Self { jobs, flows, data_command, .. } = self;
        if let Some(flow) = flows.iter().find(|flow| flow.from == flow.to) {
            return Err(ScenarioError::FlowToItself(flow.from));
        }
        if !flows.is_empty() && data_command.is_none() {
            return Err(ScenarioError::Unsendable);
        }
        let jobs = jobs.iter().map(|job| (job.node, job.rhythm));
        let rhythms = jobs.chain(flows.iter().map(|flow| (flow.from, flow.rhythm)));
        for (node, rhythm) in rhythms {
            rhythm.validate().map_err(|error| ScenarioError::Rhythm { node, error })?;
        }
        Ok(())
    }
}
