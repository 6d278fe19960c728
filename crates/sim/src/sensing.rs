//! Targets that move about and emit stimuli.

use everypath_model::{NodeId, Position, Sensing, Stimulus};

use crate::{
    EventQueue, Priority, Stream, clock::Nanoseconds, field::Trajectories, slab::Slab,
    traffic::Occasions,
};

/// Targets that move about, and what was sensed of them and not handled yet.
///
/// In the event queue, targets and what was sensed are commands after those of the jobs: first a slot for
/// each target, then those of what was sensed.
pub(crate) struct Targets {
    trajectories: Trajectories,
    occasions: Vec<Occasions>,
    /// How many stimuli each has emitted.
    numbers: Vec<u32>,
    range_squared: f64,
    sensed: Slab<(NodeId, Stimulus)>,
    /// The slot of the first target.
    first: u32,
}

/// The meaning of a slot.
pub(crate) enum Slot {
    Target(usize),
    Sensed(NodeId, Stimulus),
}

impl Targets {
    /// The targets, after this many jobs.
    pub(crate) fn new(sensing: &Sensing, jobs: usize, seed: u64, replication: u32) -> Self {
        let Sensing { targets, ref mobility, range, begin, rhythm } = *sensing;
        let occasions = |target: usize| {
            let stream = || Stream::new(seed, replication, &format!("target {target} stimuli"));
            Occasions::new(begin, rhythm, None, stream)
        };
        Self {
            trajectories: Trajectories::new("target", mobility, targets, seed, replication),
            occasions: (0..targets).map(occasions).collect(),
            numbers: vec![0; targets],
            range_squared: range * range,
            sensed: Slab::new(),
            first: u32::try_from(jobs).expect("fewer than 2^32 jobs"),
        }
    }

    /// Schedules the first stimulus of every target.
    pub(crate) fn schedule(&mut self, queue: &mut EventQueue) {
        (0..self.occasions.len()).for_each(|target| self.schedule_next(target, queue));
    }

    fn schedule_next(&mut self, target: usize, queue: &mut EventQueue) {
        if let Some(time) = self.occasions[target].next() {
            let slot = u32::try_from(target).expect("fewer than 2^32 targets");
            queue.push(time, Priority::Command, self.first + slot);
        }
    }

    /// What a slot stands for; what was sensed is taken out.
    pub(crate) fn take(&mut self, slot: u32) -> Slot {
        let place = slot - self.first;
        let targets = u32::try_from(self.occasions.len()).expect("fewer than 2^32 targets");
        match place.checked_sub(targets) {
            None => Slot::Target(place as usize),
            Some(place) => {
                let (node, stimulus) = self.sensed.remove(place);
                Slot::Sensed(node, stimulus)
            }
        }
    }

    /// A target emits a stimulus, which all nodes within range sense, in order.
    pub(crate) fn emit(
        &mut self,
        target: usize,
        now: Nanoseconds,
        nodes: impl Iterator<Item = (NodeId, Position)>,
        queue: &mut EventQueue,
    ) {
        let here = self.trajectories.position(target, now);
        let stimulus = Stimulus { target, number: self.numbers[target] };
        self.numbers[target] = self.numbers[target].wrapping_add(1);
        let first = self.first + u32::try_from(self.occasions.len()).expect("as above");
        for (node, place) in nodes {
            if here.distance_squared(place) <= self.range_squared {
                let slot = self.sensed.insert((node, stimulus));
                queue.push(now, Priority::Command, first + slot);
            }
        }
        self.schedule_next(target, queue);
    }
}
