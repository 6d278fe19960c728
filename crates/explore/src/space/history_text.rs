//! Histories of runs in words.

/// What clients asked for in a run and what they were answered, in words.
///
/// ```
/// use everypath_explore::{HistoryText, OperationText};
///
/// let write = OperationText {
///     client: 3,
///     operation: "Write(1)".to_owned(),
///     invoked: 1,
///     answered: Some((9, "Written".to_owned())),
/// };
/// let operations = vec![write];
/// let history = HistoryText { name: "register".to_owned(), operations, reasons: Vec::new() };
/// assert_eq!(history.operations[0].client, 3);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryText {
    /// Its name.
    pub name: String,
    /// The operations, in the order in which they were asked for.
    pub operations: Vec<OperationText>,
    /// Why it breaks what is asserted of it, a line each.
    pub reasons: Vec<String>,
}

/// An operation in words. Steps are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationText {
    /// The node that has asked for it.
    pub client: u32,
    /// What it is.
    pub operation: String,
    /// The step in which it was asked for.
    pub invoked: usize,
    /// The step in which it was answered, and the answer; nothing if it was not.
    pub answered: Option<(usize, String)>,
}
