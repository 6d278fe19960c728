//! Panics of a user's handlers and assertions are findings, not crashes.

use std::{
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
    /// What it said.
    pub message: String,
    /// Where it happened: file and line, as far as known.
    pub place: Option<String>,
    /// Of what the code is a part, if [`within`] has said so.
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

/// Runs code of a user. If it panics, the panic comes back as an error, and nothing is printed.
///
/// # Errors
/// What the panic said, and where.
///
/// ```
/// let panic = everypath_model::panics::catch(|| panic!("no route")).unwrap_err();
/// assert_eq!(panic.message, "no route");
/// ```
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Panic> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if CATCHING.get() {
                let place = panic.location().map(|at| format!("{}:{}", at.file(), at.line()));
                CAUGHT_AT.replace(place);
            } else {
                before(panic);
            }
        }));
    });
    let outer = CATCHING.replace(true);
    // The code works on copies that are dropped with the panic.
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    CATCHING.set(outer);
    result.map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        Panic { message, place: CAUGHT_AT.take(), part: CAUGHT_WITHIN.take() }
    })
}

/// Runs code of a user that is a part of something with a name. If it panics, whoever
/// [catches](catch) the panic knows the name. It costs nothing if it does not.
///
/// ```
/// use everypath_model::panics::{catch, within};
///
/// let panic = catch(|| within(|| "the goal `home`".to_owned(), || panic!("no route"))).unwrap_err();
/// assert_eq!(panic.part.as_deref(), Some("the goal `home`"));
/// ```
#[inline]
pub fn within<T>(part: impl Fn() -> String, run: impl FnOnce() -> T) -> T {
    /// Is dropped only by a panic.
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
