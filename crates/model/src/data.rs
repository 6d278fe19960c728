//! Requirements on states, messages, timers and commands; values that do not count.

use std::{
    any::type_name,
    cell::Cell,
    cmp::Ordering,
    fmt::{self, Debug, Write},
    hash::{Hash, Hasher},
    ops::{Deref, DerefMut},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

use crate::panics;

/// Types for states, messages, timers and commands: they can be copied, compared, hashed, printed
/// and written to a file.
///
/// Every type with these traits implements it; `#[data]` derives them, and an order.
///
/// ```
/// use everypath_model::{Data, data};
/// # extern crate everypath_model as everypath;
///
/// #[data]
/// enum Packet { Data(u8), Ack }
///
/// fn is_data<T: Data>(_: &T) {}
/// is_data(&Packet::Data(1));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a state, message, timer or command yet",
    label = "it cannot be compared, printed and written to a file",
    note = "put `#[data]` above `{Self}`, and above the types of its fields; `#[data]` is in `everypath::prelude`"
)]
pub trait Data:
    Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

// Otherwise the compiler names the first trait that is missing, and suggests a crate to depend on.
#[diagnostic::do_not_recommend]
impl<T> Data for T where
    T: Clone + Eq + Hash + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// A value as its `Debug` shows it. If that panics or fails, a replacement text.
///
/// ```
/// assert_eq!(everypath_model::shown(&Some(1)), "Some(1)");
/// ```
pub fn shown<T: Debug>(value: &T) -> String {
    let write = || {
        let mut text = String::new();
        write!(text, "{value:?}").map(|()| text)
    };
    match panics::catch(write) {
        Ok(Ok(text)) => text,
        Ok(Err(_)) => format!("<Debug of {} failed>", type_name::<T>()),
        Err(panic) => format!("<Debug of {} panicked: {}>", type_name::<T>(), panic.message),
    }
}

/// The type without values, for protocols without timers or commands.
///
/// ```
/// use everypath_model::{Never, Node, NodeId, Protocol, Start};
///
/// /// Without timers and commands, there is nothing to handle but messages.
/// struct Silent;
///
/// impl Protocol for Silent {
///     type State = ();
///     type Message = String;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, _: &mut Start<'_, Self>) {}
///     fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &String) {}
/// }
/// assert_eq!(size_of::<Option<Never>>(), 0);
/// ```
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Never {}

thread_local! {
    static IGNORED: Cell<bool> = const { Cell::new(false) };
    static SHOWN: Cell<bool> = const { Cell::new(false) };
}

/// Runs something that prints [`Ignored`] values as they are, not as `_`.
///
/// ```
/// use everypath_model::{Ignored, with_ignored};
///
/// let state = (1, Ignored(2));
/// assert_eq!(format!("{state:?}"), "(1, _)");
/// assert_eq!(with_ignored(|| format!("{state:?}")), "(1, Ignored(2))");
/// ```
pub fn with_ignored<T>(run: impl FnOnce() -> T) -> T {
    struct Restore(bool);
    impl Drop for Restore {
        fn drop(&mut self) {
            SHOWN.set(self.0);
        }
    }
    let _outer = Restore(SHOWN.replace(true));
    run()
}

/// Runs `write`, and reports whether it wrote an [`Ignored`] value.
///
/// ```
/// use everypath_model::{Ignored, notice_ignored};
/// # use serde::Serialize;
/// # fn write(value: &impl Serialize) { serde_json::to_string(value).unwrap(); }
///
/// assert!(!notice_ignored(|| write(&1)).1);
/// assert!(notice_ignored(|| write(&(1, Ignored(2)))).1);
/// ```
pub fn notice_ignored<T>(write: impl FnOnce() -> T) -> (T, bool) {
    let outer = IGNORED.replace(false);
    let written = write();
    (written, IGNORED.replace(outer))
}

/// A value that does not count: equal to every other, not hashed, not written to files.
///
/// Wrap counters, statistics and cached values of a state in it. States that differ only there are
/// one state to the explorer, so a protocol can be both measured and explored. An ignored value
/// must not decide what a handler does; an exploration varies ignored values to find handlers that
/// depend on them. It prints as `_`, since any of several equal states may be shown; only a report that a handler depends on
/// it has the values. A state that
/// is read from bytes has the default value.
///
/// ```
/// use everypath_model::Ignored;
///
/// let mut sent = Ignored(3);
/// *sent += 1;
/// assert_eq!(*sent, 4);
/// assert_eq!(sent, Ignored(17));
/// ```
#[derive(Clone, Copy, Default)]
pub struct Ignored<T>(pub T);

impl<T> PartialEq for Ignored<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Ignored<T> {}

impl<T> PartialOrd for Ignored<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ignored<T> {
    fn cmp(&self, _: &Self) -> Ordering {
        Ordering::Equal
    }
}

impl<T> Hash for Ignored<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl<T: Debug> Debug for Ignored<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match SHOWN.get() {
            true => f.debug_tuple("Ignored").field(&self.0).finish(),
            false => f.write_str("_"),
        }
    }
}

impl<T> Deref for Ignored<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Ignored<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// Notes that something ignored is written.
pub(crate) fn mark_ignored() {
    IGNORED.set(true);
}

impl<T> Serialize for Ignored<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        mark_ignored();
        serializer.serialize_unit()
    }
}

impl<'de, T: Default> Deserialize<'de> for Ignored<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <()>::deserialize(deserializer).map(|()| Self(T::default()))
    }
}
