//! Histories as diagrams of text: a line for each operation, a column for each step.

use everypath_explore::{HistoryText, OperationText};

/// How many columns a diagram has at most.
const WIDTH_MAX: usize = 48;

/// A history as lines: the operations as intervals, and why it breaks what is asserted of it.
///
/// ```
/// use everypath_explore::{HistoryText, OperationText};
/// use everypath_report::history_lines;
///
/// let operation = |client, operation: &str, invoked, answered: Option<(usize, &str)>| OperationText {
///     client,
///     operation: operation.to_owned(),
///     invoked,
///     answered: answered.map(|(step, answer)| (step, answer.to_owned())),
/// };
/// let history = HistoryText {
///     name: "register".to_owned(),
///     operations: vec![
///         operation(3, "Write(1)", 1, None),
///         operation(4, "Read", 2, Some((5, "Value(0)"))),
///     ],
///     reasons: Vec::new(),
/// };
/// assert_eq!(history_lines(&history, 6), [
///     "history register, a column for each step",
///     "  n3 Write(1)  ├─────  1–",
///     "  n4 Read       ├──┤   2–5 Value(0)",
/// ]);
/// ```
#[must_use]
pub fn history_lines(history: &HistoryText, steps: usize) -> Vec<String> {
    if history.operations.is_empty() {
        return Vec::new();
    }
    let per_column = steps.div_ceil(WIDTH_MAX).max(1);
    let columns = steps.div_ceil(per_column);
    let titles: Vec<String> =
        history.operations.iter().map(|it| format!("n{} {}", it.client, it.operation)).collect();
    let width = titles.iter().map(|title| title.chars().count()).max().unwrap_or_default();
    let unit = match per_column {
        1 => "step".to_owned(),
        several => format!("{several} steps"),
    };
    let mut lines = vec![format!("history {}, a column for each {unit}", history.name)];
    for (title, operation) in titles.iter().zip(&history.operations) {
        let interval = interval(operation, columns, per_column);
        lines.push(format!("  {title:width$}  {interval}  {}", steps_text(operation)));
    }
    lines.extend(history.reasons.iter().map(|reason| format!("  {reason}")));
    lines
}

/// The interval of an operation; one without an answer is open.
fn interval(operation: &OperationText, columns: usize, per_column: usize) -> String {
    let column = |step: usize| step.saturating_sub(1) / per_column;
    let from = column(operation.invoked);
    let to = operation.answered.as_ref().map(|(step, _)| column(*step));
    let sign = |at: usize| match to {
        _ if at < from => ' ',
        Some(to) if at > to => ' ',
        Some(to) if from == to => '│',
        Some(to) if at == to => '┤',
        _ if at == from => '├',
        _ => '─',
    };
    (0..columns).map(sign).collect()
}

fn steps_text(operation: &OperationText) -> String {
    match &operation.answered {
        Some((step, answer)) => format!("{}–{step} {answer}", operation.invoked),
        None => format!("{}–", operation.invoked),
    }
}
