//! Energy meters of nodes.

use everypath_model::{Energy, NodeId};

use crate::{
    Battery,
    clock::{NEVER, Nanoseconds, seconds},
};

/// The mode of a node's radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Transmitting,
    Receiving,
    Idle,
    Off,
}

const MODES: usize = 4;

/// The battery of one node, and how long it did what.
struct Meter {
    mode: Mode,
    since: Nanoseconds,
    spent: [Nanoseconds; MODES],
    /// The remaining energy, in joules, at `since`.
    residual: f64,
    /// When its entry in the event queue comes up, and the order of that entry.
    entry: Option<(Nanoseconds, u64)>,
    died: Option<Nanoseconds>,
}

/// The batteries of all nodes.
pub(super) struct Meters {
    energy: Energy,
    nodes: Vec<Meter>,
}

impl Meters {
    pub(super) fn new(energy: Energy, nodes: usize) -> Self {
        let meter = || Meter {
            mode: Mode::Idle,
            since: 0,
            spent: [0; MODES],
            residual: energy.initial_j,
            entry: None,
            died: None,
        };
        Self { energy, nodes: std::iter::repeat_with(meter).take(nodes).collect() }
    }

    fn watts(&self, mode: Mode) -> f64 {
        match mode {
            Mode::Transmitting => self.energy.transmit_w,
            Mode::Receiving => self.energy.receive_w,
            Mode::Idle => self.energy.idle_w,
            Mode::Off => 0.0,
        }
    }

    /// A node does something else from now on. When its battery would be empty, if that is to be watched for by
    /// a new entry of the event queue.
    pub(super) fn change(
        &mut self,
        node: NodeId,
        mode: Mode,
        now: Nanoseconds,
    ) -> Option<Nanoseconds> {
        let before = self.nodes[node.index()].mode;
        if before == mode || self.nodes[node.index()].died.is_some() {
            return None;
        }
        let watts = self.watts(before);
        let meter = &mut self.nodes[node.index()];
        meter.pass(now, watts);
        meter.mode = mode;
        self.watch(node)
    }

    /// When a battery will be empty, unless it is looked at before anyway.
    pub(super) fn watch(&self, node: NodeId) -> Option<Nanoseconds> {
        let due = self.due(node);
        let queued = self.nodes[node.index()].entry.map_or(NEVER, |(time, _)| time);
        (due < queued).then_some(due)
    }

    /// When a battery will be empty.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn due(&self, node: NodeId) -> Nanoseconds {
        let meter = &self.nodes[node.index()];
        let watts = self.watts(meter.mode);
        if watts == 0.0 || !meter.residual.is_finite() {
            return NEVER;
        }
        // Not before it is empty: the next nanosecond.
        meter.since.saturating_add((meter.residual / watts * 1e9).ceil() as Nanoseconds)
    }

    /// Notes the entry of the event queue that watches over a battery.
    pub(super) fn queued(&mut self, node: NodeId, time: Nanoseconds, order: u64) {
        self.nodes[node.index()].entry = Some((time, order));
    }

    /// An entry has come up. Whether the battery is empty.
    pub(super) fn is_empty(&mut self, node: NodeId, now: Nanoseconds, order: u64) -> bool {
        let meter = &mut self.nodes[node.index()];
        if meter.entry.is_none_or(|(_, queued)| queued != order) {
            return false;
        }
        meter.entry = None;
        self.due(node) <= now
    }

    /// A node goes off, since its battery is empty or for another reason.
    pub(super) fn switch_off(&mut self, node: NodeId, now: Nanoseconds, is_empty: bool) {
        let watts = self.watts(self.nodes[node.index()].mode);
        let meter = &mut self.nodes[node.index()];
        meter.pass(now, watts);
        meter.mode = Mode::Off;
        meter.died = is_empty.then_some(now);
    }

    /// The batteries at this moment.
    pub(super) fn read(&self, now: Nanoseconds) -> Vec<Battery> {
        let read = |meter: &Meter| {
            let passed = now.saturating_sub(meter.since);
            let time_s = |mode: Mode| {
                let under_way = if meter.mode == mode { passed } else { 0 };
                seconds(meter.spent[mode as usize] + under_way)
            };
            Battery {
                transmitting_s: time_s(Mode::Transmitting),
                receiving_s: time_s(Mode::Receiving),
                idle_s: time_s(Mode::Idle),
                off_s: time_s(Mode::Off),
                transmitting_j: time_s(Mode::Transmitting) * self.energy.transmit_w,
                receiving_j: time_s(Mode::Receiving) * self.energy.receive_w,
                idle_j: time_s(Mode::Idle) * self.energy.idle_w,
                residual_j: meter.residual - seconds(passed) * self.watts(meter.mode),
                died_s: meter.died.map(seconds),
            }
        };
        self.nodes.iter().map(read).collect()
    }
}

impl Meter {
    /// Time passes in the present mode.
    fn pass(&mut self, now: Nanoseconds, watts: f64) {
        let passed = now - self.since;
        self.spent[self.mode as usize] += passed;
        self.residual -= seconds(passed) * watts;
        self.since = now;
    }
}
