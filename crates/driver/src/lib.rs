//! # Drivers for ordinary Rust types
//!
//! A [`Driver`] says how a value is made, which calls are made on it with which arguments, and what
//! must hold. Its [space](DriverSpace) is every sequence of calls. Whatever explores spaces explores
//! it: every strategy, limit, checkpoint and report.
//!
//! ```
//! use everypath_driver::{Driver, DriverOptions};
//! use everypath_explore::{Described, Judged, Options, explore};
//!
//! /// A ring of three places that forgets to check whether it is full.
//! #[derive(Clone, serde::Serialize)]
//! struct Ring { places: [u8; 3], first: usize, length: usize }
//!
//! impl Ring {
//!     fn push(&mut self, value: u8) {
//!         self.places[(self.first + self.length) % 3] = value;
//!         self.length += 1;
//!     }
//!     fn pop(&mut self) -> Option<u8> {
//!         let value = (self.length > 0).then(|| self.places[self.first]);
//!         if value.is_some() { self.first = (self.first + 1) % 3; self.length -= 1; }
//!         value
//!     }
//! }
//!
//! let driver = Driver::new(|| Ring { places: [0; 3], first: 0, length: 0 })
//!     .against(std::collections::VecDeque::<u8>::new)
//!     .both("push", 1..=2, Ring::push, |queue, value| queue.push_back(value))
//!     .both("pop", (), |ring, ()| ring.pop(), |queue, ()| queue.pop_front())
//!     .max_depth(6);
//! let mut space = driver.space(DriverOptions::default()).unwrap();
//! let found = explore(&mut space, &Options::default().max_depth(6), &mut ()).unwrap();
//! let finding = found.finding().unwrap();
//! // Four are pushed, and the first is not what was pushed first.
//! assert_eq!(space.assertions()[finding.assertion], "results agree with the reference");
//! assert_eq!(finding.trace.steps.len(), 5);
//! ```
//!
//! ## How a state is made again
//!
//! States are numbers of observations; values live beside them. A value that waits to be expanded is
//! kept, up to a bound. Others are made again: the calls by which they were first reached are made
//! from the constructor on, or from the last value on the way that is still there.
//!
//! ## What is not here
//!
//! No search, no file and no command: `everypath-explore`, `everypath-testing` and `everypath-cli`
//! have these.

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

mod call;
mod driven;
mod driver;
mod error;
mod observation;
mod space;
mod spaced;
mod values;

pub use driven::{BranchText, CallText, Driven, DrivenSpace, DriverOptions, Phases, Repetition};
pub use driver::Driver;
pub use error::DriverError;
pub use space::{CALLS_DETERMINISTIC, DriverSpace, NO_CALL_PANICS};
pub use values::{Argument, Values};
