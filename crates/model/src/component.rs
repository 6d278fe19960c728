//! Nodes made of components: typed ports, contracts, and static composition.
//!
//! A component has a port above and a port below. Through a port pass the two types of its
//! [`Contract`]: requests go down, indications go up. [`Component::over`] wires the lower port of
//! one to the upper port of another; that both speak one contract is checked by the compiler.
//!
//! What a component emits reaches its neighbour when the handler that emitted it has returned, in
//! the order of emission. So no component is ever entered while it is running.
//!
//! That order holds between two neighbours. Of three components, the two that were stacked first
//! settle between themselves before the third hears of anything, so `a.over(b).over(c)` and
//! `a.over(b.over(c))` can differ in what reaches `a` and `c` first.

use std::{
    collections::VecDeque,
    fmt::{self, Debug},
    marker::PhantomData,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{
    Code, ComponentTrigger, Data, Effects, Never, Node, NodeId, Protocol, Record, Start, Trigger,
    data, names_within,
};

/// What passes between two components: a name for a pair of types.
pub trait Contract: Send + Sync + 'static {
    /// What the upper component asks of the lower.
    type Request: Data;
    /// What the lower component tells the upper.
    type Indication: Data;
}

/// The contract of a port that is not connected: nothing passes.
pub struct Nothing;

impl Contract for Nothing {
    type Request = Never;
    type Indication = Never;
}

/// The contract between the lowest component of a node and the network.
pub struct Link<M>(PhantomData<fn(M)>);

impl<M: Data> Contract for Link<M> {
    type Request = Outgoing<M>;
    type Indication = Incoming<M>;
}

/// What a node asks of the network.
#[data]
pub enum Outgoing<M> {
    /// Carry the message to one neighbour.
    To(NodeId, M),
    /// Carry a copy of the message to every neighbour.
    ToAll(M),
    /// As `To`, after a random while of at most so long; see [`Effects::send_within`].
    ToWithin(NodeId, M, Duration),
    /// As `ToAll`, after a random while of at most so long; see [`Effects::broadcast_within`].
    ToAllWithin(M, Duration),
}

/// What the network brings.
#[data]
pub struct Incoming<M> {
    /// Who sent it.
    pub from: NodeId,
    /// What was sent.
    pub message: M,
}

/// One part of a node, with a port above and a port below. As with a [`Protocol`], `self` is
/// configuration and handlers are deterministic.
pub trait Component: Sized + Send + Sync + 'static {
    /// What the component remembers.
    type State: Data;
    /// The names of its timers.
    type Timer: Data + Ord;
    /// What the environment can ask of it.
    type Command: Data;
    /// The port above: requests come in, indications go out.
    type Above: Contract;
    /// The port below: requests go out, indications come in.
    type Below: Contract;

    /// The node comes up. Lower components start first.
    fn start(&self, me: NodeId, ports: &mut impl Ports<Self>) -> Self::State;

    /// The node comes up again after a reboot; see [`Protocol::restart`].
    fn restart(
        &self,
        me: NodeId,
        before: &Self::State,
        ports: &mut impl Ports<Self>,
    ) -> Self::State {
        let _ = before;
        self.start(me, ports)
    }

    /// The component above asks for something.
    fn on_request(
        &self,
        me: NodeId,
        state: &mut Self::State,
        request: <Self::Above as Contract>::Request,
        ports: &mut impl Ports<Self>,
    ) {
        let _ = (state, ports);
        panic!("{request:?} was asked of a component at {me} that has no `on_request` handler");
    }

    /// The component below, or the network, tells something.
    fn on_indication(
        &self,
        me: NodeId,
        state: &mut Self::State,
        indication: <Self::Below as Contract>::Indication,
        ports: &mut impl Ports<Self>,
    ) {
        let _ = (state, ports);
        panic!(
            "{indication:?} was told to a component at {me} that has no `on_indication` handler"
        );
    }

    /// A request of this component to the network comes back, since the link is down; see
    /// [`Protocol::on_undeliverable`]. Only the lowest of a stack is told.
    fn on_undeliverable(
        &self,
        me: NodeId,
        state: &mut Self::State,
        request: <Self::Below as Contract>::Request,
        ports: &mut impl Ports<Self>,
    ) {
        let _ = (me, state, request, ports);
    }

    /// A timer has fired; it is no longer set.
    fn on_timer(
        &self,
        me: NodeId,
        state: &mut Self::State,
        timer: &Self::Timer,
        ports: &mut impl Ports<Self>,
    ) {
        let _ = (state, ports);
        panic!("timer {timer:?} fired at {me} in a component that has no `on_timer` handler");
    }

    /// The environment asks for something.
    fn on_command(
        &self,
        me: NodeId,
        state: &mut Self::State,
        command: &Self::Command,
        ports: &mut impl Ports<Self>,
    ) {
        let _ = (state, ports);
        panic!(
            "command {command:?} was given to a component at {me} that has no `on_command` handler"
        );
    }

    /// The commands that the environment may give in this state; see [`Protocol::commands`].
    fn commands(&self, me: NodeId, state: &Self::State) -> Vec<Self::Command> {
        let _ = (me, state);
        Vec::new()
    }

    /// Which piece of the code handles a trigger, if that is known; see [`Protocol::code`]. A stack knows if both its
    /// components do.
    fn code(&self, trigger: ComponentTrigger<'_, Self>) -> Option<Code> {
        let _ = trigger;
        None
    }

    /// What all the code is called that [`code`](Self::code) tells of at a node; see [`Protocol::code_names`].
    fn code_names(&self, me: NodeId) -> Vec<&'static str> {
        let _ = me;
        Vec::new()
    }

    /// All of `self` that handlers read, as a text, if there is one; see [`Protocol::configuration`]. A stack has one if both its
    /// components have.
    fn configuration(&self) -> Option<String> {
        None
    }

    /// What the node is called besides its number; see [`Protocol::role`]. Of a stack, the highest component that says
    /// something is heard.
    fn role(&self, me: NodeId) -> &str {
        let _ = me;
        ""
    }

    /// The size on the wire of a message that this component hands to the network at `me`, whomever it is for; only the
    /// lowest of a stack is asked.
    fn message_bytes(&self, me: NodeId, message: &<Self::Below as Contract>::Request) -> usize {
        let _ = (me, message);
        64
    }

    /// This component on top of another that speaks the same contract.
    ///
    /// ```
    /// # extern crate everypath_model as everypath;
    /// use everypath_model::{Component, Contract, Host, Link, Never, Node, NodeId, Nothing, Ports, Start};
    ///
    /// macro_rules! component {
    ///     ($name:ident, $above:ty, $below:ty) => {
    ///         struct $name;
    ///         impl Component for $name {
    ///             type State = ();
    ///             type Timer = Never;
    ///             type Command = Never;
    ///             type Above = $above;
    ///             type Below = $below;
    ///             fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
    ///         }
    ///     };
    /// }
    /// struct Stream;
    /// impl Contract for Stream {
    ///     type Request = String;
    ///     type Indication = String;
    /// }
    /// component!(Application, Nothing, Stream);
    /// component!(Transport, Stream, Link<String>);
    ///
    /// Host(Application.over(Transport));
    /// ```
    ///
    /// Ports of different contracts do not fit:
    ///
    /// ```compile_fail,E0271
    /// # extern crate everypath_model as everypath;
    /// # use everypath_model::{Component, Contract, Host, Link, Never, Node, NodeId, Nothing, Ports, Start};
    /// # macro_rules! component {
    /// #     ($name:ident, $above:ty, $below:ty) => {
    /// #         struct $name;
    /// #         impl Component for $name {
    /// #             type State = ();
    /// #             type Timer = Never;
    /// #             type Command = Never;
    /// #             type Above = $above;
    /// #             type Below = $below;
    /// #             fn start(&self, _: NodeId, _: &mut impl Ports<Self>) {}
    /// #         }
    /// #     };
    /// # }
    /// # struct Stream;
    /// # impl Contract for Stream {
    /// #     type Request = String;
    /// #     type Indication = String;
    /// # }
    /// struct Datagrams;
    /// impl Contract for Datagrams {
    ///     type Request = String;
    ///     type Indication = String;
    /// }
    /// component!(Application, Nothing, Stream);
    /// component!(Transport, Datagrams, Link<String>);
    ///
    /// Application.over(Transport);
    /// ```
    fn over<L: Component<Above = Self::Below>>(self, lower: L) -> Stack<Self, L> {
        Stack { upper: self, lower }
    }
}

/// The handle through which a component acts: its ports, and the effects that need no port.
pub trait Ports<C: Component> {
    /// Asks the component below, or the network.
    fn request(&mut self, request: <C::Below as Contract>::Request);
    /// Tells the component above.
    fn indicate(&mut self, indication: <C::Above as Contract>::Indication);
    /// Sets a timer; see [`Effects::set_timer`].
    fn set_timer(&mut self, timer: C::Timer, after: Duration);
    /// Sets a timer, unless it is set and fires later anyway; see [`Effects::prolong_timer`].
    fn prolong_timer(&mut self, timer: C::Timer, after: Duration) {
        self.set_timer(timer, after);
    }
    /// Unsets a timer, if it is set.
    fn cancel_timer(&mut self, timer: &C::Timer);
    /// How long it takes until a timer fires, if it is set and there is a time; see [`Effects::time_left`].
    fn time_left(&self, timer: &C::Timer) -> Option<Duration> {
        let _ = timer;
        None
    }
    /// One of `0..options`; see [`Effects::choose`].
    fn choose(&mut self, options: u32) -> u32;
    /// Takes a measurement.
    fn record(&mut self, record: Record);
    /// The node's neighbours, in increasing order.
    fn neighbours(&self) -> &[NodeId];

    /// Sends a message to a neighbour, from the component that sits on the network; see [`Effects::send`].
    fn send<M: Data>(&mut self, to: NodeId, message: M)
    where
        C: Component<Below = Link<M>>,
    {
        self.request(Outgoing::To(to, message));
    }

    /// Sends a message to every neighbour, from the component that sits on the network; see [`Effects::broadcast`].
    fn broadcast<M: Data>(&mut self, message: M)
    where
        C: Component<Below = Link<M>>,
    {
        self.request(Outgoing::ToAll(message));
    }

    /// Sends a message after a random while of at most `within`, from the component that sits on the network; see
    /// [`Effects::send_within`].
    fn send_within<M: Data>(&mut self, to: NodeId, message: M, within: Duration)
    where
        C: Component<Below = Link<M>>,
    {
        self.request(Outgoing::ToWithin(to, message, within));
    }

    /// Sends a message to every neighbour after a random while of at most `within`, the same for all copies, from the component
    /// that sits on the network; see [`Effects::broadcast_within`].
    fn broadcast_within<M: Data>(&mut self, message: M, within: Duration)
    where
        C: Component<Below = Link<M>>,
    {
        self.request(Outgoing::ToAllWithin(message, within));
    }

    /// Counts one more.
    fn count(&mut self, name: &'static str) {
        self.record(Record::Count { name, by: 1 });
    }

    /// Counts one more that is given up, and says why.
    fn count_drop(&mut self, name: &'static str, reason: &'static str) {
        self.record(Record::Drop { name, reason });
    }

    /// Takes one observation of a distribution.
    fn sample(&mut self, name: &'static str, value: f64) {
        self.record(Record::Sample { name, value });
    }

    /// Gives a time series its next value.
    fn level(&mut self, name: &'static str, value: f64) {
        self.record(Record::Level { name, value });
    }

    /// Starts measuring a duration, for [`end`](Self::end) to complete.
    fn begin(&mut self, name: &'static str, key: u64) {
        self.record(Record::Begin { name, key });
    }

    /// Completes the measuring of a duration.
    fn end(&mut self, name: &'static str, key: u64) {
        self.record(Record::End { name, key });
    }

    /// Compares the way that something has come with the shortest that there is now; see
    /// [`Effects::route`].
    fn route(&mut self, name: &'static str, from: NodeId, hops: u32) {
        self.record(Record::Route { name, from, hops });
    }
}

/// Two components, one on top of the other: itself a component.
#[derive(Clone, Debug)]
pub struct Stack<U, L> {
    /// The component on top.
    pub upper: U,
    /// The component below it.
    pub lower: L,
}

/// The states of the two components of a [`Stack`].
#[data]
pub struct Layers<U, L> {
    /// That of the component on top.
    pub upper: U,
    /// That of the component below it.
    pub lower: L,
}

/// A timer or command of one of the two components of a [`Stack`]. It prints as what it holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Layer<U, L> {
    /// Of the component on top.
    Upper(U),
    /// Of the component below it.
    Lower(L),
}

impl<U: Debug, L: Debug> Debug for Layer<U, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Upper(inner) => inner.fmt(f),
            Self::Lower(inner) => inner.fmt(f),
        }
    }
}

enum Signal<C: Contract> {
    Request(C::Request),
    Indication(C::Indication),
}

/// What is under way between two components; four fit without an allocation.
type Crossing<C> = SmallVec<[Signal<C>; 4]>;

struct UpperPorts<'a, F, U: Component, L> {
    whole: &'a mut F,
    crossing: &'a mut Crossing<U::Below>,
    lower: PhantomData<L>,
}

struct LowerPorts<'a, F, U: Component, L> {
    whole: &'a mut F,
    crossing: &'a mut Crossing<U::Below>,
    lower: PhantomData<L>,
}

impl<F, U, L> Ports<U> for UpperPorts<'_, F, U, L>
where
    U: Component,
    L: Component<Above = U::Below>,
    F: Ports<Stack<U, L>>,
{
    fn request(&mut self, request: <U::Below as Contract>::Request) {
        self.crossing.push(Signal::Request(request));
    }

    fn indicate(&mut self, indication: <U::Above as Contract>::Indication) {
        self.whole.indicate(indication);
    }

    fn set_timer(&mut self, timer: U::Timer, after: Duration) {
        self.whole.set_timer(Layer::Upper(timer), after);
    }

    fn prolong_timer(&mut self, timer: U::Timer, after: Duration) {
        self.whole.prolong_timer(Layer::Upper(timer), after);
    }

    fn cancel_timer(&mut self, timer: &U::Timer) {
        self.whole.cancel_timer(&Layer::Upper(timer.clone()));
    }

    fn time_left(&self, timer: &U::Timer) -> Option<Duration> {
        self.whole.time_left(&Layer::Upper(timer.clone()))
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.whole.choose(options)
    }

    fn record(&mut self, record: Record) {
        self.whole.record(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.whole.neighbours()
    }
}

impl<F, U, L> Ports<L> for LowerPorts<'_, F, U, L>
where
    U: Component,
    L: Component<Above = U::Below>,
    F: Ports<Stack<U, L>>,
{
    fn request(&mut self, request: <L::Below as Contract>::Request) {
        self.whole.request(request);
    }

    fn indicate(&mut self, indication: <L::Above as Contract>::Indication) {
        self.crossing.push(Signal::Indication(indication));
    }

    fn set_timer(&mut self, timer: L::Timer, after: Duration) {
        self.whole.set_timer(Layer::Lower(timer), after);
    }

    fn prolong_timer(&mut self, timer: L::Timer, after: Duration) {
        self.whole.prolong_timer(Layer::Lower(timer), after);
    }

    fn cancel_timer(&mut self, timer: &L::Timer) {
        self.whole.cancel_timer(&Layer::Lower(timer.clone()));
    }

    fn time_left(&self, timer: &L::Timer) -> Option<Duration> {
        self.whole.time_left(&Layer::Lower(timer.clone()))
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.whole.choose(options)
    }

    fn record(&mut self, record: Record) {
        self.whole.record(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.whole.neighbours()
    }
}

impl<U: Component, L: Component<Above = U::Below>> Stack<U, L> {
    /// Runs a handler of the upper component.
    fn above<F: Ports<Self>, T>(
        ports: &mut F,
        crossing: &mut Crossing<U::Below>,
        handler: impl FnOnce(&mut UpperPorts<'_, F, U, L>) -> T,
    ) -> T {
        handler(&mut UpperPorts { whole: ports, crossing, lower: PhantomData })
    }

    /// Runs a handler of the lower component.
    fn below<F: Ports<Self>, T>(
        ports: &mut F,
        crossing: &mut Crossing<U::Below>,
        handler: impl FnOnce(&mut LowerPorts<'_, F, U, L>) -> T,
    ) -> T {
        handler(&mut LowerPorts { whole: ports, crossing, lower: PhantomData })
    }

    /// Runs a handler of one of the two components, and then all that follows from it between them.
    fn react<F: Ports<Self>>(
        &self,
        me: NodeId,
        state: &mut Layers<U::State, L::State>,
        ports: &mut F,
        handler: impl FnOnce(&mut Layers<U::State, L::State>, &mut F, &mut Crossing<U::Below>),
    ) {
        let mut crossing = Crossing::new();
        handler(state, ports, &mut crossing);
        self.settle(me, state, crossing, ports);
    }

    /// Delivers what is under way between the two components until nothing is.
    fn settle<F: Ports<Self>>(
        &self,
        me: NodeId,
        state: &mut Layers<U::State, L::State>,
        mut crossing: Crossing<U::Below>,
        ports: &mut F,
    ) {
        while !crossing.is_empty() {
            match crossing.remove(0) {
                Signal::Request(request) => Self::below(ports, &mut crossing, |ports| {
                    self.lower.on_request(me, &mut state.lower, request, ports);
                }),
                Signal::Indication(indication) => Self::above(ports, &mut crossing, |ports| {
                    self.upper.on_indication(me, &mut state.upper, indication, ports);
                }),
            }
        }
    }
}

impl<U: Component, L: Component<Above = U::Below>> Component for Stack<U, L> {
    type State = Layers<U::State, L::State>;
    type Timer = Layer<U::Timer, L::Timer>;
    type Command = Layer<U::Command, L::Command>;
    type Above = U::Above;
    type Below = L::Below;

    fn start(&self, me: NodeId, ports: &mut impl Ports<Self>) -> Self::State {
        let mut crossing = Crossing::new();
        let lower = Self::below(ports, &mut crossing, |ports| self.lower.start(me, ports));
        let upper = Self::above(ports, &mut crossing, |ports| self.upper.start(me, ports));
        let mut state = Layers { upper, lower };
        self.settle(me, &mut state, crossing, ports);
        state
    }

    fn restart(
        &self,
        me: NodeId,
        before: &Self::State,
        ports: &mut impl Ports<Self>,
    ) -> Self::State {
        let mut crossing = Crossing::new();
        let lower =
            Self::below(ports, &mut crossing, |ports| self.lower.restart(me, &before.lower, ports));
        let upper =
            Self::above(ports, &mut crossing, |ports| self.upper.restart(me, &before.upper, ports));
        let mut state = Layers { upper, lower };
        self.settle(me, &mut state, crossing, ports);
        state
    }

    fn on_request(
        &self,
        me: NodeId,
        state: &mut Self::State,
        request: <Self::Above as Contract>::Request,
        ports: &mut impl Ports<Self>,
    ) {
        self.react(me, state, ports, |state, ports, crossing| {
            Self::above(ports, crossing, |ports| {
                self.upper.on_request(me, &mut state.upper, request, ports);
            });
        });
    }

    fn on_indication(
        &self,
        me: NodeId,
        state: &mut Self::State,
        indication: <Self::Below as Contract>::Indication,
        ports: &mut impl Ports<Self>,
    ) {
        self.react(me, state, ports, |state, ports, crossing| {
            Self::below(ports, crossing, |ports| {
                self.lower.on_indication(me, &mut state.lower, indication, ports);
            });
        });
    }

    fn on_undeliverable(
        &self,
        me: NodeId,
        state: &mut Self::State,
        request: <Self::Below as Contract>::Request,
        ports: &mut impl Ports<Self>,
    ) {
        self.react(me, state, ports, |state, ports, crossing| {
            Self::below(ports, crossing, |ports| {
                self.lower.on_undeliverable(me, &mut state.lower, request, ports);
            });
        });
    }

    fn on_timer(
        &self,
        me: NodeId,
        state: &mut Self::State,
        timer: &Self::Timer,
        ports: &mut impl Ports<Self>,
    ) {
        self.react(me, state, ports, |state, ports, crossing| match timer {
            Layer::Upper(timer) => Self::above(ports, crossing, |ports| {
                self.upper.on_timer(me, &mut state.upper, timer, ports);
            }),
            Layer::Lower(timer) => Self::below(ports, crossing, |ports| {
                self.lower.on_timer(me, &mut state.lower, timer, ports);
            }),
        });
    }

    fn on_command(
        &self,
        me: NodeId,
        state: &mut Self::State,
        command: &Self::Command,
        ports: &mut impl Ports<Self>,
    ) {
        self.react(me, state, ports, |state, ports, crossing| match command {
            Layer::Upper(command) => Self::above(ports, crossing, |ports| {
                self.upper.on_command(me, &mut state.upper, command, ports);
            }),
            Layer::Lower(command) => Self::below(ports, crossing, |ports| {
                self.lower.on_command(me, &mut state.lower, command, ports);
            }),
        });
    }

    fn commands(&self, me: NodeId, state: &Self::State) -> Vec<Self::Command> {
        let upper = self.upper.commands(me, &state.upper).into_iter().map(Layer::Upper);
        let lower = self.lower.commands(me, &state.lower).into_iter().map(Layer::Lower);
        upper.chain(lower).collect()
    }

    fn code(&self, trigger: ComponentTrigger<'_, Self>) -> Option<Code> {
        use ComponentTrigger as On;
        let upper = |trigger| Some(self.upper.code(trigger)?.within(UPPER));
        let lower = |trigger| Some(self.lower.code(trigger)?.within(LOWER));
        let both = |name, lower: Code, upper: Code| Code { name, ..lower.and(upper) };
        let code = match trigger {
            On::Start => both("start", lower(On::Start)?, upper(On::Start)?),
            On::Restart => both("restart", lower(On::Restart)?, upper(On::Restart)?),
            On::Request => upper(On::Request)?,
            On::Indication => lower(On::Indication)?,
            On::Undeliverable => lower(On::Undeliverable)?,
            On::Timer(Layer::Upper(timer)) => upper(On::Timer(timer))?,
            On::Timer(Layer::Lower(timer)) => lower(On::Timer(timer))?,
            On::Command(Layer::Upper(command)) => upper(On::Command(command))?,
            On::Command(Layer::Lower(command)) => lower(On::Command(command))?,
        };
        // Whatever it is, it may go back and forth between the two.
        Some(code.and(lower(On::Request)?).and(upper(On::Indication)?))
    }

    fn code_names(&self, me: NodeId) -> Vec<&'static str> {
        let entered = |part, names: Vec<&'static str>, inner: &[&str]| {
            let names = names.into_iter().filter(|name| !inner.contains(&handler_of(name)));
            names_within(part, names.collect())
        };
        let upper = self.upper.code_names(me);
        let lower = self.lower.code_names(me);
        if upper.is_empty() || lower.is_empty() {
            return Vec::new();
        }
        let restarts = [&upper, &lower].into_iter().flatten().any(|&name| name == "restart");
        let starts = ["start"].into_iter().chain(restarts.then_some("restart"));
        let upper = entered(UPPER, upper, &["start", "restart", "indication", "undeliverable"]);
        let lower = entered(LOWER, lower, &["start", "restart", "request"]);
        starts.chain(upper).chain(lower).collect()
    }

    fn configuration(&self) -> Option<String> {
        let (upper, lower) = (self.upper.configuration()?, self.lower.configuration()?);
        Some(format!("{UPPER}: {upper:?}, {LOWER}: {lower:?}"))
    }

    fn role(&self, me: NodeId) -> &str {
        match self.upper.role(me) {
            "" => self.lower.role(me),
            role => role,
        }
    }

    fn message_bytes(&self, me: NodeId, message: &<Self::Below as Contract>::Request) -> usize {
        self.lower.message_bytes(me, message)
    }
}

/// What the two components of a stack are called in names of code.
const UPPER: &str = "upper";
const LOWER: &str = "lower";

/// Of which handler some code is, whatever part it is of: that of `lower/timer:Expire` is `timer`.
fn handler_of(name: &str) -> &str {
    let name = name.rsplit('/').next().unwrap_or(name);
    name.split(':').next().unwrap_or(name)
}

/// A component that needs nothing above it and sits on the network: a protocol.
#[derive(Clone, Debug)]
pub struct Host<C>(pub C);

struct NetworkPorts<'a, F: ?Sized>(&'a mut F);

impl<F, C, M> Ports<C> for NetworkPorts<'_, F>
where
    M: Data,
    C: Component<Above = Nothing, Below = Link<M>>,
    F: Effects<Host<C>> + ?Sized,
{
    fn request(&mut self, request: Outgoing<M>) {
        match request {
            Outgoing::To(to, message) => self.0.send(to, message),
            Outgoing::ToAll(message) => self.0.broadcast(message),
            Outgoing::ToWithin(to, message, within) => self.0.send_within(to, message, within),
            Outgoing::ToAllWithin(message, within) => self.0.broadcast_within(message, within),
        }
    }

    fn indicate(&mut self, indication: Never) {
        match indication {}
    }

    fn set_timer(&mut self, timer: C::Timer, after: Duration) {
        self.0.set_timer(timer, after);
    }

    fn prolong_timer(&mut self, timer: C::Timer, after: Duration) {
        self.0.prolong_timer(timer, after);
    }

    fn cancel_timer(&mut self, timer: &C::Timer) {
        self.0.cancel_timer(timer);
    }

    fn time_left(&self, timer: &C::Timer) -> Option<Duration> {
        self.0.time_left(timer)
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.0.choose(options)
    }

    fn record(&mut self, record: Record) {
        self.0.record(record);
    }

    fn neighbours(&self) -> &[NodeId] {
        self.0.neighbours()
    }
}

impl<C, M> Protocol for Host<C>
where
    M: Data,
    C: Component<Above = Nothing, Below = Link<M>>,
{
    type State = C::State;
    type Message = M;
    type Timer = C::Timer;
    type Command = C::Command;

    fn start(&self, node: &mut Start<'_, Self>) -> C::State {
        let (me, (), fx) = node.parts();
        self.0.start(me, &mut NetworkPorts(fx))
    }

    fn restart(&self, node: &mut Start<'_, Self>, before: &C::State) -> C::State {
        let (me, (), fx) = node.parts();
        self.0.restart(me, before, &mut NetworkPorts(fx))
    }

    fn on_message(&self, node: &mut Node<'_, Self>, from: NodeId, message: &M) {
        let (me, state, fx) = node.parts();
        let indication = Incoming { from, message: message.clone() };
        self.0.on_indication(me, state, indication, &mut NetworkPorts(fx));
    }

    fn on_undeliverable(&self, node: &mut Node<'_, Self>, to: NodeId, message: &M) {
        let (me, state, fx) = node.parts();
        let request = Outgoing::To(to, message.clone());
        self.0.on_undeliverable(me, state, request, &mut NetworkPorts(fx));
    }

    fn on_timer(&self, node: &mut Node<'_, Self>, timer: &C::Timer) {
        let (me, state, fx) = node.parts();
        self.0.on_timer(me, state, timer, &mut NetworkPorts(fx));
    }

    fn on_command(&self, node: &mut Node<'_, Self>, command: &C::Command) {
        let (me, state, fx) = node.parts();
        self.0.on_command(me, state, command, &mut NetworkPorts(fx));
    }

    fn commands(&self, me: NodeId, state: &C::State) -> Vec<C::Command> {
        self.0.commands(me, state)
    }

    fn code(&self, trigger: Trigger<'_, Self>) -> Option<Code> {
        use ComponentTrigger as On;
        self.0.code(match trigger {
            Trigger::Start => On::Start,
            Trigger::Restart => On::Restart,
            Trigger::Message(_) => On::Indication,
            Trigger::Undeliverable(_) => On::Undeliverable,
            Trigger::Timer(timer) => On::Timer(timer),
            Trigger::Command(command) => On::Command(command),
        })
    }

    fn code_names(&self, me: NodeId) -> Vec<&'static str> {
        let names = self.0.code_names(me).into_iter();
        // Nobody is above it.
        names.filter(|name| handler_of(name) != "request").collect()
    }

    fn configuration(&self) -> Option<String> {
        self.0.configuration()
    }

    fn role(&self, me: NodeId) -> &str {
        self.0.role(me)
    }

    fn message_bytes(&self, me: NodeId, message: &M) -> usize {
        self.0.message_bytes(me, &Outgoing::ToAll(message.clone()))
    }
}

/// Drives a component alone: hand it to the handlers in place of real ports and read what came
/// out of each.
pub struct Probe<C: Component> {
    /// What it asked of the component below.
    pub requests: Vec<<C::Below as Contract>::Request>,
    /// What it told the component above.
    pub indications: Vec<<C::Above as Contract>::Indication>,
    /// The timers that are set.
    pub timers: Vec<C::Timer>,
    /// What it recorded.
    pub records: Vec<Record>,
    /// What the next questions to [`Ports::choose`] are answered, in order; 0 when it runs out.
    pub choices: VecDeque<u32>,
    /// Who its neighbours are.
    pub neighbours: Vec<NodeId>,
}

impl<C: Component> Default for Probe<C> {
    fn default() -> Self {
        Self {
            requests: Vec::new(),
            indications: Vec::new(),
            timers: Vec::new(),
            records: Vec::new(),
            choices: VecDeque::new(),
            neighbours: Vec::new(),
        }
    }
}

impl<C: Component> Ports<C> for Probe<C> {
    fn request(&mut self, request: <C::Below as Contract>::Request) {
        self.requests.push(request);
    }

    fn indicate(&mut self, indication: <C::Above as Contract>::Indication) {
        self.indications.push(indication);
    }

    fn set_timer(&mut self, timer: C::Timer, _: Duration) {
        if !self.timers.contains(&timer) {
            self.timers.push(timer);
        }
    }

    fn cancel_timer(&mut self, timer: &C::Timer) {
        self.timers.retain(|set| set != timer);
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
