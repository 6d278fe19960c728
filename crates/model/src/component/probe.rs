//! A single component, driven through its ports by a test.

use std::{collections::VecDeque, time::Duration};

use super::{Component, ComponentInput, In, Out, PartOf};
use crate::{Effects, NodeId, Record};

/// Drives a single component: a test sends signals through its ports and reads the answers.
///
/// ```
/// # extern crate everypath_model as everypath;
/// use everypath_model::{Never, ports};
/// use everypath_model::component::{Component, Contract, Part, PartStart, Probe, Provides};
///
/// struct Sums;
/// impl Contract for Sums {
///     type Request = u32;
///     type Indication = u32;
/// }
///
/// #[ports]
/// struct SummerPorts {
///     above: Provides<Sums>,
/// }
///
/// /// Answers with the sum of all requests.
/// struct Summer;
///
/// impl Component for Summer {
///     type State = u32;
///     type Timer = Never;
///     type Command = Never;
///     type Ports = SummerPorts;
///
///     fn start(&self, _: &mut PartStart<'_, Self>) -> u32 {
///         0
///     }
///
///     fn on_signal(&self, node: &mut Part<'_, Self>, SummerIn::Above(number): SummerIn) {
///         *node.state += number;
///         node.emit(SummerOut::Above(*node.state));
///     }
/// }
///
/// let mut summer = Probe::start(Summer);
/// assert_eq!(summer.signal(SummerIn::Above(3)), [SummerOut::Above(3)]);
/// assert_eq!(summer.signal(SummerIn::Above(4)), [SummerOut::Above(7)]);
/// assert_eq!(summer.state, 7);
/// ```
pub struct Probe<C: Component> {
    /// The component.
    pub component: C,
    /// Its state.
    pub state: C::State,
    /// Its other effects, and its surroundings.
    pub around: Around<C>,
}

/// The surroundings of a component that a [`Probe`] drives.
///
/// ```
/// # extern crate everypath_model as everypath;
/// # mod numbers { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/numbers.rs")); }
/// use everypath_model::{NodeId, component::{Around, Probe}};
/// use numbers::{Application, ApplicationOut};
///
/// let around = Around { id: NodeId(3), ..Around::default() };
/// let mut application = Probe::start_in(Application, around);
/// assert_eq!(application.emitted(), [ApplicationOut::Below(3)]);
/// assert!(application.around.timers.is_empty());
/// ```
pub struct Around<C: Component> {
    /// Its node.
    pub id: NodeId,
    /// The neighbours of the node.
    pub neighbours: Vec<NodeId>,
    /// The timers that are set, with their durations.
    pub timers: Vec<(C::Timer, Duration)>,
    /// Its measurements.
    pub records: Vec<Record>,
    /// The answers to its [choices](crate::Node::choose), in order; 0 when they run out.
    pub choices: VecDeque<u32>,
    /// The signals it emitted, until [`emitted`](Probe::emitted) takes them.
    pub out: Vec<Out<C>>,
}

impl<C: Component> Default for Around<C> {
    fn default() -> Self {
        Self {
            id: NodeId(0),
            neighbours: Vec::new(),
            timers: Vec::new(),
            records: Vec::new(),
            choices: VecDeque::new(),
            out: Vec::new(),
        }
    }
}

impl<C: Component> Probe<C> {
    /// Starts a component at node 0 without neighbours; [`emitted`](Self::emitted) returns its
    /// signals.
    pub fn start(component: C) -> Self {
        Self::start_in(component, Around::default())
    }

    /// Starts a component in given surroundings.
    pub fn start_in(component: C, mut around: Around<C>) -> Self {
        let state = component.bring_up(around.id, None, &mut around);
        Self { component, state, around }
    }

    /// Reboots it, without timers, and returns the signals that it emits.
    pub fn restart(&mut self) -> Vec<Out<C>> {
        self.around.timers.clear();
        let id = self.around.id;
        self.state = self.component.bring_up(id, Some(&self.state), &mut self.around);
        self.emitted()
    }

    /// Sends it a signal, and returns the signals that it emits.
    pub fn signal(&mut self, signal: In<C>) -> Vec<Out<C>> {
        self.handle(ComponentInput::Signal(signal))
    }

    /// Fires a timer, and returns the signals that it emits.
    ///
    /// # Panics
    /// If the timer is not set.
    #[track_caller]
    pub fn fire(&mut self, timer: &C::Timer) -> Vec<Out<C>> {
        let timers = &mut self.around.timers;
        let Some(place) = timers.iter().position(|(set, _)| set == timer) else {
            let set: Vec<_> = timers.iter().map(|(set, _)| set).collect();
            panic!("{timer:?} is not set; the timers that are set: {set:?}");
        };
        timers.remove(place);
        self.handle(ComponentInput::Timer(timer))
    }

    /// Gives it a command, and returns the signals that it emits.
    pub fn command(&mut self, command: &C::Command) -> Vec<Out<C>> {
        self.handle(ComponentInput::Command(command))
    }

    /// Removes and returns the signals emitted so far.
    pub fn emitted(&mut self) -> Vec<Out<C>> {
        std::mem::take(&mut self.around.out)
    }

    fn handle(&mut self, input: ComponentInput<'_, C>) -> Vec<Out<C>> {
        let id = self.around.id;
        self.component.handle(id, &mut self.state, input, &mut self.around);
        self.emitted()
    }
}

impl<C: Component> Effects<PartOf<C>> for Around<C> {
    fn emit(&mut self, signal: Out<C>) {
        self.out.push(signal);
    }

    fn set_timer(&mut self, timer: C::Timer, after: Duration) {
        self.cancel_timer(&timer);
        self.timers.push((timer, after));
    }

    fn cancel_timer(&mut self, timer: &C::Timer) {
        self.timers.retain(|(set, _)| set != timer);
    }

    fn choose(&mut self, options: u32) -> u32 {
        assert!(options > 0, "a choice among no options");
        let choice = self.choices.pop_front().unwrap_or(0);
        assert!(choice < options, "{choice} was chosen of {options} options");
        choice
    }

    fn record(&mut self, record: Record) {
        self.records.push(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        &self.neighbours
    }
}
