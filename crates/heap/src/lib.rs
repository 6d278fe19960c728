//! # Programs with dynamic data
//!
//! Explores programs that allocate objects: every sequence of calls on a data structure, up to a bound. States are
//! compared up to isomorphism of their heaps.
//!
//! A *subject* is a module of classes and methods, written once with [`subject`](macro@subject) in a small part of Rust.
//! [`SubjectSpace`] is its space for the explorer, so every strategy, store, limit, checkpoint and trace of
//! `everypath-explore` serves it.
//!
//! ```
//! use everypath_explore::{Options, explore};
//! use everypath_heap::{Merge, Mode, Settings, subject};
//!
//! /// A stack of numbers.
//! #[subject]
//! pub mod stack {
//!     struct Stack { top: Ref<Node> }
//!     struct Node { value: Int, next: Ref<Node> }
//!
//!     impl Stack {
//!         #[call(value in 1..=n)]
//!         fn push(self, value: Int) {
//!             self.top = Node { value, next: self.top };
//!         }
//!
//!         #[call]
//!         fn pop(self) {
//!             if self.top != null {
//!                 self.top = self.top.next;
//!             }
//!         }
//!     }
//! }
//!
//! // All sequences of up to 4 calls with values from 1 to 4, one state at a time and many at once.
//! for mode in [Mode::Tracked, Mode::Delta(Merge::Shape)] {
//!     let mut space = stack::subject().space(&Settings::new(4).mode(mode)).unwrap();
//!     let found = explore(&mut space, &Options::default().max_depth(4), &mut ()).unwrap();
//!     assert_eq!(found.states_visited, 1 + 4 + 16 + 64 + 256);
//! }
//! ```
//!
//! ## States
//!
//! A heap is walked depth-first from its root. The classes and references on the walk are its *shape*, the
//! numbers and truth values its *data*. A state is a row of words: the number of its shape, then its data, four bits
//! each where they fit. No hash stands for content.
//!
//! ## Modes
//!
//! A [`Mode`] is a way to execute calls; all modes find the same states, with the same ids. `tracked` works on the cells of one
//! state and undoes what it wrote. `eager`, `lazy` and `lazy-dirty` translate cells to native objects and back. `delta`
//! executes a call on many states at once, and splits them where their control flow differs.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

// The examples of this crate are subjects, and `subject` names it.
extern crate self as everypath_heap;

mod bounded;
mod cells;
mod classes;
mod compiled;
mod counters;
mod coverage;
mod delta;
mod layout;
mod machine;
mod mixed;
mod outline;
mod settings;
mod shapes;
mod space;
mod store;
mod subject;
mod tracked;

pub use everypath_macros::subject;

pub use bounded::Bounded;
pub use counters::Counters;
pub use coverage::Coverage;
pub use machine::{Comparison, Fault, Machine, Member, Operator, Reason};
pub use outline::{ArgumentRange, Class, Code, Kind, Method, Outline, Role, Site};
pub use settings::{Matching, Merge, Mode, Settings, SubjectError};
pub use space::{BytesError, SubjectSpace};
pub use subject::Subject;
