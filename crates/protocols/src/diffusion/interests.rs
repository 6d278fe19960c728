//! Interests: how they spread and establish gradients.

use std::time::Duration;

use everypath_model::{Ignored, NodeId};

use super::{InterestEntry, Message, Suppression, Task, Timer, node::Worker};

impl Worker<'_, '_> {
    /// The environment tells a sink to send its interest.
    pub(super) fn on_ask(&mut self, task: Task) {
        // The number of commands matters only if it is limited; whether there was one, only if
        // sinks repeat interests by themselves.
        let counted = self.diffusion.interests_max.unwrap_or(u32::from(self.rules().refresh));
        self.node.state.asked = (self.node.state.asked + 1).min(counted);
        self.ask(task);
    }

    /// A sink sends its interest, and will repeat it.
    pub(super) fn ask(&mut self, task: Task) {
        if self.rules().refresh {
            self.node.set_timer(Timer::Refresh(task), self.diffusion.times.refresh_interval);
        }
        self.spread(task, self.diffusion.times.gradient_lifetime);
    }

    pub(super) fn on_interest(&mut self, from: NodeId, task: Task, lifetime: Duration) {
        if !self.rules().sinks_relay && self.wants(&task) {
            return;
        }
        let is_new = self.node.state.interest(&task).is_none();
        self.add_gradient(from, task, lifetime);
        let is_suppressed = match self.rules().suppression {
            Suppression::Recent => self.node.state.resent.binary_search(&task).is_ok(),
            Suppression::Known => !is_new,
        };
        if !is_suppressed {
            self.spread(task, lifetime);
        }
        if is_new && self.rules().sense_at_once && self.diffusion.is_source(self.node.id, &task) {
            self.sense_exploratory(task.kind);
        }
    }

    /// Whether the node is a sink for a task.
    fn wants(&self, task: &Task) -> bool {
        self.diffusion.tasks_of(self.node.id).any(|own| own == *task)
    }

    /// A neighbour wants data: adds or prolongs a gradient to it.
    fn add_gradient(&mut self, from: NodeId, task: Task, lifetime: Duration) {
        let order = self.diffusion.order;
        match self.node.state.interest_mut(&task) {
            Some(entry) => entry.add(from, order),
            None => {
                let mut entry = InterestEntry { task, gradients: Vec::new() };
                entry.add(from, order);
                order.insert(&mut self.node.state.interests, entry, |entry| entry.task);
            }
        }
        self.node.prolong_timer(Timer::Expire(task, from), lifetime);
    }

    /// Broadcasts an interest.
    fn spread(&mut self, task: Task, lifetime: Duration) {
        if self.rules().suppression == Suppression::Recent {
            if let Err(place) = self.node.state.resent.binary_search(&task) {
                self.node.state.resent.insert(place, task);
            }
            self.node.set_timer(Timer::Resend(task), self.diffusion.times.suppression);
        }
        self.node.count("interest transmissions");
        self.node.broadcast(Message::Interest { task, lifetime: Ignored(lifetime) });
    }

    /// The lifetime of a gradient is over.
    pub(super) fn expire(&mut self, task: Task, neighbour: NodeId) {
        let Some(entry) = self.node.state.interest_mut(&task) else {
            return;
        };
        let origins = match entry.gradient_mut(neighbour) {
            Some(gradient) => std::mem::take(&mut gradient.reinforced),
            None => return,
        };
        entry.gradients.retain(|gradient| gradient.neighbour != neighbour);
        self.node.state.interests.retain(|entry| !entry.gradients.is_empty());
        for origin in origins {
            self.stop_if_dry(task, origin);
        }
    }
}
