//! Histories of scenarios, and what is asserted of them.

use std::sync::Arc;

use super::{
    Record, Specification, ToldHistory,
    kept::{Keep, Kept, Orders},
    linear::Linear,
    log::Log,
    record::is_idle,
    replica::{MonotonicReads, ReadYourWrites, Replicas},
    sequential::Sequential,
};
use crate::{Memory, ObservedStep, Observer, Protocol, Scenario};

/// What a history can be asserted to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// See [`Scenario::assert_linearizable`].
    Linearizable,
    /// See [`Scenario::assert_sequentially_consistent`].
    SequentiallyConsistent,
    /// See [`Scenario::assert_read_your_writes`].
    ReadYourWrites,
    /// See [`Scenario::assert_monotonic_reads`].
    MonotonicReads,
}

type Recorder<P, S> = Arc<dyn Fn(&mut Record<'_, S>, &ObservedStep<'_, P>) + Send + Sync>;

/// An observer, and what its memory says of a condition.
type Watch<P> = (Observer<P>, fn(&dyn Memory) -> bool);

type Watcher<P> = Box<dyn Fn(&str, Guarantee) -> Watch<P> + Send + Sync>;

type Teller = Box<dyn Fn(&dyn Memory, &[(String, Guarantee)]) -> ToldHistory + Send + Sync>;

/// A history of a scenario.
pub struct History<P: Protocol> {
    /// Its name.
    pub name: String,
    /// What is asserted of it, by name.
    pub assertions: Vec<(String, Guarantee)>,
    watcher: Watcher<P>,
    /// Remembers all that is recorded. No scenario has it among its observers.
    log: Observer<P>,
    teller: Teller,
}

impl<P: Protocol> History<P> {
    fn new<S: Specification>(name: &str, start: S, recorder: Recorder<P, S>) -> Self {
        let log = {
            let (history, recorder) = (name.to_owned(), Arc::clone(&recorder));
            Observer::new(name, false, Log::<S>::new(), move |log: &mut Log<S>, step| {
                log.steps += 1;
                recorder(&mut Record::new(&history, log, &|| is_idle(step)), step);
            })
        };
        let teller = {
            let (history, start) = (name.to_owned(), start.clone());
            move |memory: &dyn Memory, assertions: &[(String, Guarantee)]| {
                let log = memory.as_any().downcast_ref::<Log<S>>();
                log.expect("it is the log of this history").tell(&history, &start, assertions)
            }
        };
        let history = name.to_owned();
        let watcher = move |name: &str, guarantee| {
            let (start, recorder) = (start.clone(), Arc::clone(&recorder));
            match guarantee {
                Guarantee::Linearizable => {
                    watch::<P, S, Linear<S>>(&history, name, start, recorder)
                }
                Guarantee::SequentiallyConsistent => {
                    watch::<P, S, Sequential<S>>(&history, name, start, recorder)
                }
                Guarantee::ReadYourWrites => {
                    watch::<P, S, Replicas<S, ReadYourWrites>>(&history, name, start, recorder)
                }
                Guarantee::MonotonicReads => {
                    watch::<P, S, Replicas<S, MonotonicReads>>(&history, name, start, recorder)
                }
            }
        };
        Self {
            name: name.to_owned(),
            assertions: Vec::new(),
            watcher: Box::new(watcher),
            log,
            teller: Box::new(teller),
        }
    }

    /// Tells the history of a run, of which it is shown all steps in order.
    #[must_use]
    pub fn tell(&self, run: impl FnOnce(&mut dyn FnMut(&ObservedStep<'_, P>))) -> ToldHistory {
        let mut memory = self.log.start();
        run(&mut |step| memory = self.log.observe(&*memory, step));
        (self.teller)(&*memory, &self.assertions)
    }
}

/// An observer for a condition of a history.
fn watch<P: Protocol, S: Specification, O: Orders<S>>(
    history: &str,
    name: &str,
    start: S,
    recorder: Recorder<P, S>,
) -> Watch<P> {
    let history = history.to_owned();
    let observe = move |kept: &mut Kept<S, O>, step: &ObservedStep<'_, P>| {
        recorder(&mut Record::new(&history, kept as &mut dyn Keep<S>, &|| is_idle(step)), step);
    };
    let observer = Observer::new(name, false, Kept::<S, O>::new(start), observe).skips_idle();
    (observer, |memory| {
        let kept = memory.as_any().downcast_ref::<Kept<S, O>>();
        kept.is_none_or(Kept::holds)
    })
}

/// Histories: which client asks for what and gets which answer.
impl<P: Protocol> Scenario<P> {
    /// Declares a history of an object: what each step does to it. Assertions about it follow.
    ///
    /// The closure sees every step, as an [observer](Self::observer) does, and [records](Record) what clients ask for and
    /// what they are answered. What it does must depend on the step alone. It records nothing in a step in which a packet
    /// arrives, is lost or is duplicated, or a link changes, and no node changes.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Scenario, ScenarioError, Topology, history::Register};
    ///
    /// let scenario = Scenario::new(Greeting, Topology::full_mesh(3))
    ///     .history("register", Register(0), |record, step| {
    ///         // …
    ///     });
    /// // Without an assertion, it would be recorded in vain.
    /// let refused = ScenarioError::NothingAsserted("register".to_owned());
    /// assert_eq!(scenario.validate(), Err(refused));
    /// ```
    #[must_use]
    pub fn history<S: Specification>(
        mut self,
        name: &str,
        start: S,
        record: impl Fn(&mut Record<'_, S>, &ObservedStep<'_, P>) + Send + Sync + 'static,
    ) -> Self {
        self.histories.push(History::new(name, start, Arc::new(record)));
        self
    }

    /// Asserts that the latest history is linearizable: there is an order of all operations in which each takes effect
    /// between the moment at which it is asked for and that of its answer, and all answers are right. An operation
    /// without an answer may have taken effect, or not.
    #[must_use]
    pub fn assert_linearizable(self, name: &str) -> Self {
        self.assert_history(name, Guarantee::Linearizable)
    }

    /// Asserts that the latest history is sequentially consistent at every moment: there is an order of all operations
    /// so far that has those of each client in its order, and all answers are right. Operations of different clients can
    /// have any order, whenever they were asked for. One that its client gave up takes effect at any time after the
    /// client's earlier ones, or never.
    ///
    /// Since a later operation may have to come before any earlier one of another client, all operations are remembered
    /// but for reads that the first state explains. So it suits short histories.
    #[must_use]
    pub fn assert_sequentially_consistent(self, name: &str) -> Self {
        self.assert_history(name, Guarantee::SequentiallyConsistent)
    }

    /// Asserts of the latest history that clients see their own operations: each answer is that of a replica that has
    /// all earlier operations of the client that were answered, in their order, and possibly some that others have asked
    /// for so far, in any order. Each answer may be that of another replica.
    ///
    /// All operations that change something are remembered.
    #[must_use]
    pub fn assert_read_your_writes(self, name: &str) -> Self {
        self.assert_history(name, Guarantee::ReadYourWrites)
    }

    /// Asserts of the latest history that no client sees anything undone: all answers to a client are those of one
    /// replica, which operations reach in any order, each at most once, after they were asked for. The client's own
    /// operations may reach it late or never, too.
    ///
    /// All operations that change something are remembered.
    #[must_use]
    pub fn assert_monotonic_reads(self, name: &str) -> Self {
        self.assert_history(name, Guarantee::MonotonicReads)
    }

    fn assert_history(mut self, name: &str, guarantee: Guarantee) -> Self {
        let Some(history) = self.histories.last_mut() else {
            self.without_history.push(name.to_owned());
            return self;
        };
        history.assertions.push((name.to_owned(), guarantee));
        let (observer, holds) = (history.watcher)(name, guarantee);
        let place = self.observers.len();
        self.observers.push(observer);
        self.assert_always(name, move |world| world.memory_at(place).is_none_or(holds))
    }
}
