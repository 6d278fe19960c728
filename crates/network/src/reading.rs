//! States and events as those read them who know the protocol.

use everypath_explore::{EventId, StateId};
use everypath_model::{Event, Protocol, World};

use crate::{NetworkSpace, expand::EventName, nodes::Outcome, space::unpack};

impl<'a, P: Protocol> NetworkSpace<'a, P> {
    /// Reads the world of a state; nothing if a node of it is broken.
    pub fn world_of<T>(
        &'a self,
        state: StateId,
        read: impl FnOnce(&World<'_, P>) -> T,
    ) -> Option<T> {
        let (tuple, network) = unpack(state);
        match self.breakage(tuple) {
            Some(_) => None,
            None => Some(self.read(tuple, network, read).answer),
        }
    }

    /// An event of a state.
    #[must_use]
    pub fn event_of(&self, state: StateId, event: EventId) -> Event<'_, P> {
        self.event(state, EventName::unpack(event))
    }

    /// What the handler of an event chooses.
    #[must_use]
    pub fn choices_in(&self, state: StateId, event: EventId) -> &[u32] {
        self.choices_of(state, EventName::unpack(event))
    }

    /// What each node chooses when it starts, for an initial state to come about; nothing if the state
    /// is no end of starts that were executed.
    #[must_use]
    pub fn choices_at_start(&mut self, state: StateId) -> Option<Vec<Vec<u32>>> {
        let (tuple, network) = unpack(state);
        let empty = self.networks.make(crate::networks::Past::none(self.scenario.faults), &[]);
        let mut ends = vec![(Vec::new(), empty)];
        for node in 0..self.nodes.len() {
            let started = self.nodes[node].start?;
            let slot = self.tuples.slot(tuple, node);
            let mut further = Vec::new();
            for (choices, network) in ends {
                let mut outputs = Vec::new();
                for place in started.start..started.start + started.len {
                    let Outcome { slot: to, output } = self.outcomes[place as usize];
                    if to != slot || outputs.contains(&output) {
                        continue;
                    }
                    outputs.push(output);
                    let mut choices: Vec<Vec<u32>> = choices.clone();
                    choices.push(self.choices_before(Some(place)).to_vec());
                    further.push((choices, self.networks.after(network, output)));
                }
            }
            ends = further;
        }
        ends.into_iter().find(|&(_, end)| end == network).map(|(choices, _)| choices)
    }
}
