//! Catching panics of user code, which are findings and not crashes.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT_AT: RefCell<Option<String>> = const { RefCell::new(None) };
    static CAUGHT_WITHIN: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A panic that was caught.
///
/// ```
/// use everypath_model::panics::catch;
///
/// let panic = catch(|| { let empty: Vec<u8> = vec![]; empty[0] }).unwrap_err();
/// assert!(panic.message.contains("out of bounds"));
/// assert_eq!(panic.part, None);
/// println!("{panic}"); // … at src/main.rs:3
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// Its message.
    pub message: String,
    /// File and line, where known.
    pub place: Option<String>,
    /// The part of the scenario, if [`within`] named it.
    pub part: Option<String>,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{}, at {place}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Runs user code. A panic becomes an error, and prints nothing.
///
/// # Errors
/// The panic: its message and place.
///
/// ```
/// let panic = everypath_model::panics::catch(|| panic!("no route")).unwrap_err();
/// assert_eq!(panic.message, "no route");
/// ```
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Panic> {
    silence();
    let outer = CATCHING.replace(true);
    // User code works on copies, which the panic drops.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(outer);
    result.map_err(caught)
}

/// Sees to it, once, that a panic that is caught prints nothing.
#[inline]
fn silence() {
    static QUIET: Once = Once::new();
    if !QUIET.is_completed() {
        QUIET.call_once(set_hook);
    }
}

#[cold]
fn set_hook() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if CATCHING.get() {
            let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line()));
            CAUGHT_AT.replace(place);
        } else {
            before(panic);
        }
    }));
}

/// What a panic was.
#[cold]
fn caught(payload: Box<dyn Any + Send>) -> Panic {
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned());
    Panic { message, place: CAUGHT_AT.take(), part: CAUGHT_WITHIN.take() }
}

/// Runs user code under a name, which a [caught](catch) panic has. It costs nothing without a
/// panic.
///
/// ```
/// use everypath_model::panics::{catch, within};
///
/// let panic = catch(|| within(|| "the goal `home`".to_owned(), || panic!("no route"))).unwrap_err();
/// assert_eq!(panic.part.as_deref(), Some("the goal `home`"));
/// ```
#[inline]
pub fn within<T>(part: impl Fn() -> String, run: impl FnOnce() -> T) -> T {
    /// Dropped only by a panic.
    struct Named<F: Fn() -> String>(F);
    impl<F: Fn() -> String> Drop for Named<F> {
        fn drop(&mut self) {
            CAUGHT_WITHIN.replace(Some((self.0)()));
        }
    }
    let named = Named(part);
    let result = run();
    std::mem::forget(named);
    result
}
