//! Histories: which client asked for what and got which answer, and whether some order of the operations explains it.
//!
//! A history is declared on a scenario ([`Scenario::history`](crate::Scenario::history)) with a [`Specification`], the
//! object as one client alone would see it, and a closure that says which steps invoke and answer operations. Then it is
//! asserted that the history is linearizable, sequentially consistent, or what each client can rely on.
//!
//! ```
//! # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
//! # use greeting::Greeting;
//! use everypath_model::{Event, Scenario, Topology};
//! use everypath_model::history::{Counter, CounterAnswer, CounterOperation};
//!
//! // A node that is greeted counts; all count together.
//! let scenario = Scenario::new(Greeting, Topology::full_mesh(2))
//!     .history("greetings", Counter(0), |record, step| {
//!         if let Event::Deliver { node, .. } = step.event {
//!             record.invoke(*node, CounterOperation::Add(1));
//!             record.answer(*node, CounterAnswer::Added);
//!         }
//!     })
//!     .assert_linearizable("greetings are counted one by one");
//! assert!(scenario.validate().is_ok());
//! ```

mod declared;
mod kept;
mod linear;
mod log;
mod order;
mod ready_made;
mod record;
mod replica;
mod sequential;
mod specification;

pub use self::{
    declared::{Guarantee, History},
    log::{ToldHistory, ToldOperation},
    ready_made::{
        Counter, CounterAnswer, CounterOperation, Lock, LockAnswer, LockOperation, Map, MapAnswer,
        MapOperation, Queue, QueueAnswer, QueueOperation, Register, RegisterAnswer,
        RegisterOperation,
    },
    record::Record,
    specification::Specification,
};

/// How many configurations a condition looks at after one answer, before it gives up.
const CONFIGURATIONS_MAX: usize = 1 << 16;

/// Counts configurations, and gives up with a remedy before a check hangs.
struct Patience(usize);

impl Patience {
    fn new() -> Self {
        Self(0)
    }

    fn look(&mut self) {
        self.0 += 1;
        assert!(
            self.0 <= CONFIGURATIONS_MAX,
            "its operations have more than {CONFIGURATIONS_MAX} possible orders: too many are without an answer at a time, or every client sees them in an order of its own; let fewer clients ask for fewer operations, say which only read (`Specification::only_reads`), or assert a stronger condition (`assert_linearizable` remembers least)"
        );
    }
}

#[cfg(test)]
mod tests;
