//! `Driver`: a type under test, the calls that are made on it, and what must hold.

use std::{collections::HashSet, fmt::Debug, hash::Hash};

use serde::Serialize;

use crate::{
    DriverError,
    call::{CALLS_MAX, Call, Listed},
    observation::{Observing, by_serde, by_value},
    values::Values,
};

/// The name of the assertion about results.
pub(crate) const RESULTS_AGREE: &str = "results agree with the reference";

/// How a value is copied.
pub(crate) struct Copying<T> {
    pub(crate) copy: fn(&T) -> T,
    pub(crate) copy_to: fn(&mut T, &T),
}

impl<T> Clone for Copying<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Copying<T> {}

impl<T: Clone> Copying<T> {
    pub(crate) fn by_clone() -> Self {
        Self { copy: T::clone, copy_to: T::clone_from }
    }
}

/// A condition on values.
pub(crate) struct Invariant<T> {
    pub(crate) name: String,
    pub(crate) holds: Box<dyn Fn(&T) -> bool + Send + Sync>,
}

/// A question about a value and its reference.
type Asked<T, M, A> = Box<dyn Fn(&T, &M) -> A + Send + Sync>;

/// Something that a value and its reference have in common.
pub(crate) struct Agreement<T, M> {
    pub(crate) name: String,
    pub(crate) holds: Asked<T, M, bool>,
    /// Both in words.
    pub(crate) tell: Asked<T, M, (String, String)>,
}

/// A type under test: how a value is made, which calls are made on it with which arguments, what is
/// observed of it, and what must hold after every call. `M` is the type of the reference, if there
/// is one.
///
/// Every sequence of calls is made, up to a bound. A value that was observed before is not explored
/// again.
///
/// ```
/// use everypath_driver::{Driver, DriverOptions};
/// use everypath_explore::{Options, explore};
///
/// let stack = Driver::new(Vec::<u8>::new)
///     .about("a stack of at most three numbers")
///     .call_if("push", 1..=2, |stack, _| stack.len() < 3, |stack, value| stack.push(value))
///     .call("pop", (), |stack, ()| stack.pop())
///     .invariant("at most three", |stack| stack.len() <= 3);
/// let mut space = stack.space(DriverOptions::default()).unwrap();
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// // Stacks of 0, 1, 2 and 3 numbers.
/// assert_eq!((found.states_visited, found.findings.len()), (1 + 2 + 4 + 8, 0));
/// ```
#[must_use = "a driver does nothing by itself: check it"]
pub struct Driver<T, M = ()> {
    pub(crate) about: String,
    pub(crate) make: Box<dyn Fn() -> T + Send + Sync>,
    /// None if values cannot be copied: then they are made again by making all calls again.
    pub(crate) copying: Option<Copying<T>>,
    pub(crate) observing: Observing<T>,
    pub(crate) reference: Reference<M>,
    pub(crate) calls: Vec<Call<T, M>>,
    pub(crate) invariants: Vec<Invariant<T>>,
    pub(crate) agreements: Vec<Agreement<T, M>>,
    pub(crate) max_depth: Option<u32>,
    pub(crate) constructor: Option<String>,
}

/// How the reference is made, copied and compared.
pub(crate) struct Reference<M> {
    pub(crate) make: Box<dyn Fn() -> M + Send + Sync>,
    pub(crate) copying: Copying<M>,
    /// None if there is no reference.
    pub(crate) observing: Option<Observing<M>>,
}

impl<T: Serialize + Clone + 'static> Driver<T> {
    /// A driver of values that this function makes. Two values are equal if their serde forms are.
    ///
    /// ```
    /// let queue = everypath_driver::Driver::new(std::collections::VecDeque::<u8>::new)
    ///     .call("push_back", 0..=1, |queue, value| queue.push_back(value))
    ///     .call("pop_front", (), |queue, ()| queue.pop_front());
    /// assert!(queue.validate().is_ok());
    /// ```
    pub fn new(make: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self::with(make, Some(Copying::by_clone()), by_serde(|value, take| take(value)))
    }
}

impl<T: Clone + 'static> Driver<T> {
    /// A driver of values that are equal if what this closure returns is equal: for types without a
    /// serde form, or with parts that do not matter.
    ///
    /// ```
    /// use std::collections::HashSet;
    ///
    /// let set = everypath_driver::Driver::observed(HashSet::<u8>::new, |set| {
    ///     let mut elements: Vec<u8> = set.iter().copied().collect();
    ///     elements.sort();
    ///     elements
    /// })
    /// .call("insert", 1..=3, |set, value| set.insert(value));
    /// assert!(set.validate().is_ok());
    /// ```
    pub fn observed<O: Hash + Eq + Debug + 'static>(
        make: impl Fn() -> T + Send + Sync + 'static,
        observe: impl Fn(&T) -> O + Send + Sync + 'static,
    ) -> Self {
        Self::with(make, Some(Copying::by_clone()), by_value(observe))
    }

    /// The same, for observations that can be serialised, but not hashed.
    ///
    /// ```
    /// let sum = everypath_driver::Driver::serialised(|| 0.0_f64, |sum| *sum)
    ///     .call("add", [0.5, 1.5], |sum, number| *sum += number);
    /// assert!(sum.validate().is_ok());
    /// ```
    pub fn serialised<O: Serialize + 'static>(
        make: impl Fn() -> T + Send + Sync + 'static,
        observe: impl Fn(&T) -> O + Send + Sync + 'static,
    ) -> Self {
        let observing = by_serde(move |value, take| take(&observe(value)));
        Self::with(make, Some(Copying::by_clone()), observing)
    }
}

impl<T: 'static> Driver<T> {
    /// A driver of values that cannot be cloned. For every call, a new value is made and all calls
    /// before it are made again, which takes as much longer as runs are long.
    ///
    /// ```
    /// use std::sync::Mutex;
    ///
    /// let counter = everypath_driver::Driver::uncloned(|| Mutex::new(0), |it| *it.lock().unwrap())
    ///     .call("count", (), |it, ()| *it.get_mut().unwrap() += 1)
    ///     .max_depth(5);
    /// assert!(counter.validate().is_ok());
    /// ```
    pub fn uncloned<O: Hash + Eq + Debug + 'static>(
        make: impl Fn() -> T + Send + Sync + 'static,
        observe: impl Fn(&T) -> O + Send + Sync + 'static,
    ) -> Self {
        Self::with(make, None, by_value(observe))
    }

    fn with(
        make: impl Fn() -> T + Send + Sync + 'static,
        copying: Option<Copying<T>>,
        observing: Observing<T>,
    ) -> Self {
        let reference =
            Reference { make: Box::new(|| ()), copying: Copying::by_clone(), observing: None };
        Self {
            about: String::new(),
            make: Box::new(make),
            copying,
            observing,
            reference,
            calls: Vec::new(),
            invariants: Vec::new(),
            agreements: Vec::new(),
            max_depth: None,
            constructor: None,
        }
    }

    /// Adds a reference: a simple value, such as a `Vec` or a `BTreeMap`, on which
    /// [`both`](Driver::both) makes the same calls. It is a part of the state.
    ///
    /// ```
    /// use everypath_driver::Driver;
    ///
    /// let sorted = Driver::new(Vec::<u8>::new)
    ///     .against(std::collections::BTreeSet::<u8>::new)
    ///     .both(
    ///         "insert",
    ///         1..=3,
    ///         |list, value| match list.binary_search(&value) {
    ///             Ok(_) => false,
    ///             Err(place) => { list.insert(place, value); true }
    ///         },
    ///         |set, value| set.insert(value),
    ///     )
    ///     .agree("elements", |list| list.clone(), |set| set.iter().copied().collect());
    /// assert!(sorted.validate().is_ok());
    /// ```
    pub fn against<M: Clone + Hash + Eq + Debug + 'static>(
        self,
        make: impl Fn() -> M + Send + Sync + 'static,
    ) -> Driver<T, M> {
        Driver {
            about: self.about,
            make: self.make,
            copying: self.copying,
            observing: self.observing,
            reference: Reference {
                make: Box::new(make),
                copying: Copying::by_clone(),
                observing: Some(by_value(M::clone)),
            },
            calls: self.calls.into_iter().map(Call::beside).collect(),
            invariants: self.invariants,
            agreements: Vec::new(),
            max_depth: self.max_depth,
            constructor: self.constructor,
        }
    }
}

impl<T: 'static, M: 'static> Driver<T, M> {
    /// Says in one line what is driven.
    ///
    /// ```
    /// use everypath_driver::{Driven, Driver};
    ///
    /// let driver = Driver::new(|| 0_u8).about("a counter").call("count", (), |it, ()| *it += 1);
    /// assert_eq!(Driven::about(&driver), "a counter");
    /// ```
    pub fn about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    /// Makes at most this many calls, unless a check says otherwise.
    ///
    /// ```
    /// use everypath_driver::{Driven, Driver};
    ///
    /// let driver = Driver::new(|| 0_u64).call("count", (), |it, ()| *it += 1).max_depth(9);
    /// assert_eq!(Driven::max_depth(&driver), Some(9));
    /// ```
    pub fn max_depth(mut self, calls: u32) -> Self {
        self.max_depth = Some(calls);
        self
    }

    /// The Rust expression that makes a value, for tests that are printed: with it, a failing
    /// sequence is printed as plain calls of methods that have the names of the calls.
    ///
    /// ```
    /// let queue = everypath_driver::Driver::new(Vec::<u8>::new)
    ///     .constructor("Vec::<u8>::new()")
    ///     .call("push", 1..=2, |list, value| list.push(value));
    /// assert!(queue.validate().is_ok());
    /// ```
    pub fn constructor(mut self, expression: &str) -> Self {
        self.constructor = Some(expression.to_owned());
        self
    }

    /// Adds a call with the values of its arguments: `()`, a range, a list, or a tuple of these. If
    /// there is a reference, it does not see the call.
    ///
    /// ```
    /// let driver = everypath_driver::Driver::new(Vec::<u8>::new)
    ///     .call("insert", (0..=0, [3, 5]), |list, (place, value)| list.insert(place, value))
    ///     .call("pop", (), |list, ()| list.pop());
    /// assert!(driver.validate().is_ok());
    /// ```
    pub fn call<V: Values, R: Debug>(
        mut self,
        name: &str,
        values: V,
        call: impl Fn(&mut T, V::Value) -> R + Send + Sync + 'static,
    ) -> Self {
        self.calls.push(Call::new(name, &Listed::of(values), call));
        self
    }

    /// The same, for a call that is made only where the guard holds.
    ///
    /// ```
    /// let driver = everypath_driver::Driver::new(Vec::<u8>::new)
    ///     .call_if("remove", 0..=2, |list, place| *place < list.len(), |list, place| list.remove(place))
    ///     .call("push", 1..=2, |list, value| list.push(value));
    /// assert!(driver.validate().is_ok());
    /// ```
    pub fn call_if<V: Values, R: Debug>(
        mut self,
        name: &str,
        values: V,
        guard: impl Fn(&T, &V::Value) -> bool + Send + Sync + 'static,
        call: impl Fn(&mut T, V::Value) -> R + Send + Sync + 'static,
    ) -> Self {
        let values = Listed::of(values);
        self.calls.push(Call::new(name, &values, call).guarded(&values, guard));
        self
    }

    /// Adds a call that is made on the value and on the reference: the results must be equal.
    ///
    /// ```
    /// let driver = everypath_driver::Driver::new(Vec::<u8>::new)
    ///     .against(std::collections::VecDeque::<u8>::new)
    ///     .both("pop", (), |list, ()| list.pop(), |queue, ()| queue.pop_back());
    /// assert_eq!(driver.assertions(), ["results agree with the reference"]);
    /// ```
    pub fn both<V: Values, R: Debug + PartialEq>(
        mut self,
        name: &str,
        values: V,
        call: impl Fn(&mut T, V::Value) -> R + Send + Sync + 'static,
        reference: impl Fn(&mut M, V::Value) -> R + Send + Sync + 'static,
    ) -> Self {
        self.calls.push(Call::both(name, &Listed::of(values), call, reference));
        self
    }

    /// The same, for a call that is made only where the guard holds.
    ///
    /// ```
    /// let driver = everypath_driver::Driver::new(|| 8_u8)
    ///     .against(|| 8_u32)
    ///     .both_if("subtract", 1..=3, |it, by| by <= it, |it, by| *it -= by, |it, by| *it -= u32::from(by));
    /// assert!(driver.validate().is_ok());
    /// ```
    pub fn both_if<V: Values, R: Debug + PartialEq>(
        mut self,
        name: &str,
        values: V,
        guard: impl Fn(&T, &V::Value) -> bool + Send + Sync + 'static,
        call: impl Fn(&mut T, V::Value) -> R + Send + Sync + 'static,
        reference: impl Fn(&mut M, V::Value) -> R + Send + Sync + 'static,
    ) -> Self {
        let values = Listed::of(values);
        self.calls.push(Call::both(name, &values, call, reference).guarded(&values, guard));
        self
    }

    /// Asserts something about the value after every call.
    ///
    /// ```
    /// let driver = everypath_driver::Driver::new(|| 0_u8)
    ///     .call("tick", (), |hour, ()| *hour = (*hour + 1) % 12)
    ///     .invariant("an hour", |hour| *hour < 12);
    /// assert_eq!(driver.assertions(), ["an hour"]);
    /// ```
    pub fn invariant(
        mut self,
        name: &str,
        holds: impl Fn(&T) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.invariants.push(Invariant { name: name.to_owned(), holds: Box::new(holds) });
        self
    }

    /// Asserts after every call that the value and the reference have the same contents, or
    /// something else in common.
    ///
    /// ```
    /// let driver = everypath_driver::Driver::new(Vec::<u8>::new)
    ///     .against(String::new)
    ///     .both("push", [b'a', b'b'], |list, it| list.push(it), |text, it| text.push(it.into()))
    ///     .agree("bytes", |list| list.clone(), |text| text.clone().into_bytes());
    /// assert!(driver.assertions().contains(&"bytes agree with the reference".to_owned()));
    /// ```
    pub fn agree<C: PartialEq + Debug>(
        mut self,
        what: &str,
        of_value: impl Fn(&T) -> C + Clone + Send + Sync + 'static,
        of_reference: impl Fn(&M) -> C + Clone + Send + Sync + 'static,
    ) -> Self {
        let (value, reference) = (of_value.clone(), of_reference.clone());
        self.agreements.push(Agreement {
            name: format!("{what} agree with the reference"),
            holds: Box::new(move |it, model| of_value(it) == of_reference(model)),
            tell: Box::new(move |it, model| {
                (format!("{:?}", value(it)), format!("{:?}", reference(model)))
            }),
        });
        self
    }

    /// The names of what the driver asserts. That no call panics is asserted of every driver.
    pub fn assertions(&self) -> Vec<String> {
        let compares = self.calls.iter().any(|call| call.is_compared);
        let invariants = self.invariants.iter().map(|it| it.name.clone());
        let results = compares.then(|| RESULTS_AGREE.to_owned());
        let agreements = self.agreements.iter().map(|it| it.name.clone());
        invariants.chain(results).chain(agreements).collect()
    }

    /// Whether the driver can be explored.
    ///
    /// # Errors
    /// If it has no calls, a call without argument values, too many calls, or two of the same name.
    pub fn validate(&self) -> Result<(), DriverError> {
        if self.calls.is_empty() {
            return Err(DriverError::NoCalls);
        }
        if let Some(empty) = self.calls.iter().find(|call| call.count == 0) {
            return Err(DriverError::NoValues { call: empty.name.clone() });
        }
        let all = self.calls.iter().fold(0_u128, |all, call| all.saturating_add(call.count));
        if all > CALLS_MAX {
            let most = self.calls.iter().max_by_key(|call| call.count).expect("there are calls");
            return Err(DriverError::TooManyCalls {
                call: most.name.clone(),
                values: number(most.count),
                calls: number(all),
                most: CALLS_MAX,
            });
        }
        distinct("calls", self.calls.iter().map(|call| call.name.clone()))?;
        let assertions = self.assertions();
        if assertions.len() > 60 {
            return Err(DriverError::TooManyAssertions(assertions.len()));
        }
        distinct("assertions", assertions.into_iter())
    }
}

/// A number in words, if it is too large to be known.
fn number(number: u128) -> String {
    match number {
        u128::MAX => "more than 2^64".to_owned(),
        some => some.to_string(),
    }
}

fn distinct(what: &'static str, names: impl Iterator<Item = String>) -> Result<(), DriverError> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name.clone()) {
            return Err(DriverError::SameName { what, name });
        }
    }
    Ok(())
}
