//! A call with the values of its arguments, without their types.

use std::{fmt::Debug, sync::Arc};

use everypath_model::panics;

use crate::values::{Argument, Values};

/// The largest number of calls that are tried in each state.
pub(crate) const CALLS_MAX: u128 = 10_000;

/// The part of a driver that a panic is attributed to if it is in the reference.
pub(crate) const REFERENCE: &str = "the reference";

type Guard<T> = Box<dyn Fn(&T, usize) -> bool + Send + Sync>;
type Run<T, M> = Box<dyn Fn(&mut T, &mut M, usize) -> bool + Send + Sync>;
type Tell<T, M> = Box<dyn Fn(&mut T, &mut M, usize) -> Told + Send + Sync>;

/// One call of a driver. Its arguments are known by their place in the list of values.
pub(crate) struct Call<T, M> {
    pub(crate) name: String,
    /// How many argument values it was given, even if they are too many to be listed.
    pub(crate) count: u128,
    /// The arguments in words, as they are written in parentheses.
    pub(crate) arguments: Vec<String>,
    /// Whether its result is compared with that of the reference.
    pub(crate) is_compared: bool,
    /// Whether the call may be made; always if there is none.
    pub(crate) guard: Option<Guard<T>>,
    /// Makes the call, and says whether the results agree.
    pub(crate) run: Run<T, M>,
    /// Makes the call, and gives the results in words.
    pub(crate) tell: Tell<T, M>,
}

/// The results of a call in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) result: String,
    /// The result of the reference, if it is compared.
    pub(crate) reference: Option<String>,
    pub(crate) agree: bool,
}

/// The argument values of a call.
pub(crate) struct Listed<A> {
    /// How many there are.
    count: u128,
    /// The values, unless they are too many.
    all: Arc<[A]>,
}

impl<A: Argument> Listed<A> {
    pub(crate) fn of(values: impl Values<Value = A>) -> Self {
        let count = values.count();
        match count <= CALLS_MAX {
            true => {
                let all: Arc<[A]> = values.all().into();
                Self { count: all.len() as u128, all }
            }
            false => Self { count, all: Arc::new([]) },
        }
    }
}

/// Arguments as they are written in a call: a tuple has parentheses of its own.
fn written(argument: &impl Debug) -> String {
    let text = format!("{argument:?}");
    match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inner) => inner.to_owned(),
        None => text,
    }
}

impl<T: 'static, M: 'static> Call<T, M> {
    pub(crate) fn new<A: Argument, R: Debug>(
        name: &str,
        values: &Listed<A>,
        run: impl Fn(&mut T, A) -> R + Send + Sync + 'static,
    ) -> Self {
        let Listed { count, all } = values;
        let (count, all) = (*count, Arc::clone(all));
        let run = Arc::new(run);
        let (again, same) = (Arc::clone(&run), Arc::clone(&all));
        Self {
            name: name.to_owned(),
            count,
            arguments: all.iter().map(written).collect(),
            is_compared: false,
            guard: None,
            run: Box::new(move |value, _, place| {
                run(value, all[place].clone());
                true
            }),
            tell: Box::new(move |value, _, place| {
                let result = format!("{:?}", again(value, same[place].clone()));
                Told { result, reference: None, agree: true }
            }),
        }
    }

    pub(crate) fn both<A: Argument, R: Debug + PartialEq>(
        name: &str,
        values: &Listed<A>,
        run: impl Fn(&mut T, A) -> R + Send + Sync + 'static,
        reference: impl Fn(&mut M, A) -> R + Send + Sync + 'static,
    ) -> Self {
        let Listed { count, all } = values;
        let (count, all) = (*count, Arc::clone(all));
        let both = Arc::new(move |value: &mut T, model: &mut M, argument: &A| {
            let result = run(value, argument.clone());
            let name = || REFERENCE.to_owned();
            let expected = panics::within(name, || reference(model, argument.clone()));
            (result, expected)
        });
        let (again, same) = (Arc::clone(&both), Arc::clone(&all));
        Self {
            name: name.to_owned(),
            count,
            arguments: all.iter().map(written).collect(),
            is_compared: true,
            guard: None,
            run: Box::new(move |value, model, place| {
                let (result, expected) = both(value, model, &all[place]);
                result == expected
            }),
            tell: Box::new(move |value, model, place| {
                let (result, expected) = again(value, model, &same[place]);
                Told {
                    agree: result == expected,
                    result: format!("{result:?}"),
                    reference: Some(format!("{expected:?}")),
                }
            }),
        }
    }

    /// The same call, only where it may be made.
    pub(crate) fn guarded<A: Argument>(
        mut self,
        values: &Listed<A>,
        guard: impl Fn(&T, &A) -> bool + Send + Sync + 'static,
    ) -> Self {
        let all = Arc::clone(&values.all);
        self.guard = Some(Box::new(move |value, place| guard(value, &all[place])));
        self
    }
}

impl<T: 'static> Call<T, ()> {
    /// The same call for a driver with a reference, which does not see it.
    pub(crate) fn beside<M: 'static>(self) -> Call<T, M> {
        let Self { name, count, arguments, is_compared, guard, run, tell } = self;
        Call {
            name,
            count,
            arguments,
            is_compared,
            guard,
            run: Box::new(move |value, _, place| run(value, &mut (), place)),
            tell: Box::new(move |value, _, place| tell(value, &mut (), place)),
        }
    }
}
