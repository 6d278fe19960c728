//! Why a driver cannot be explored.

use thiserror::Error;

/// Why a driver cannot be explored, and what to do about it.
///
/// ```
/// use everypath_driver::{Driver, DriverError};
///
/// let driver = Driver::new(Vec::<u8>::new).call("push", 0..0, |list, value| list.push(value));
/// let error = driver.validate().unwrap_err();
/// assert_eq!(error, DriverError::NoValues { call: "push".to_owned() });
/// assert!(error.to_string().contains("give it a range"));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum DriverError {
    /// There are no calls.
    #[error("the driver has no calls; add some with `call`")]
    NoCalls,
    /// A call can never be made, because its argument has no values.
    #[error(
        "the call `{call}` has no argument values; give it a range or a list that is not empty, or `()` if it takes no argument"
    )]
    NoValues {
        /// The name of the call.
        call: String,
    },
    /// There are more calls in each state than can be tried.
    #[error(
        "the call `{call}` has {values} argument values, so that {calls} calls would be tried in each state; at most {most} are possible: narrow its ranges"
    )]
    TooManyCalls {
        /// The call with the most values.
        call: String,
        /// How many it has.
        values: String,
        /// How many calls there are in each state.
        calls: String,
        /// How many there may be.
        most: u128,
    },
    /// Two calls, or two assertions, have the same name.
    #[error("two {what} are named `{name}`; rename one")]
    SameName {
        /// What is named.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// There are too many assertions.
    #[error("the driver has {0} assertions, and at most 60 are possible; join some")]
    TooManyAssertions(usize),
    /// The constructor panicked, or the observation of its value.
    #[error(
        "the constructor panicked, or the observation of its value: {panic}; a driver needs a first state"
    )]
    Constructor {
        /// The message.
        panic: String,
    },
    /// The value that the constructor makes has no serde form.
    #[error(
        "a value cannot be serialised: {what}; use `Driver::observed` with what distinguishes its states"
    )]
    Unserialisable {
        /// Why not.
        what: String,
    },
    /// Two new values differ in their observation.
    #[error(
        "two new values differ in their observation: {first} and {second}; an observation must be a function of the value: sort what has no order, and skip addresses and random numbers"
    )]
    Nondeterministic {
        /// The observation of the first value.
        first: String,
        /// The observation of the second one.
        second: String,
    },
    /// An error of another kind of subject.
    #[error("{0}")]
    Other(String),
}
