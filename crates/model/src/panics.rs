//! Panics of a user's handlers and assertions are findings, not crashes.

use std::{
    cell::{Cell, RefCell},
    panic::{self, AssertUnwindSafe},
    sync::Once,
};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static CAUGHT_AT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs code of a user. If it panics, the panic's message and place come back as an error, and
/// nothing is printed.
///
/// # Errors
/// What the panic said, and where.
///
/// ```
/// let error = everypath_model::panics::catch(|| panic!("no route")).unwrap_err();
/// assert!(error.starts_with("no route, at "));
/// ```
pub fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
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
        match CAUGHT_AT.take() {
            Some(place) => format!("{message}, at {place}"),
            None => message,
        }
    })
}
