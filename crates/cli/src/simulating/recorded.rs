//! The names that measures read, and whether anything was recorded under them.

use std::collections::BTreeSet;

use everypath_sim::{Sort, Unrecorded};

use crate::{error::CliError, output::numbers::counted};

/// Refuses a measure that reads a name that was probably mistyped.
pub(crate) fn ensure_recorded(
    unrecorded: &[Unrecorded],
    recorded: &BTreeSet<(Sort, String)>,
    runs: usize,
) -> Result<(), CliError> {
    let found = unrecorded.iter().find_map(|it| Some((&it.reading, it.hint()?)));
    let Some((reading, hint)) = found.filter(|_| runs > 0) else { return Ok(()) };
    let names = |sort: Sort| {
        let names = recorded.iter().filter(|(other, _)| *other == sort);
        let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    Err(CliError::Unrecorded {
        measure: reading.measure.clone(),
        name: reading.name.clone(),
        sort: reading.sort,
        runs: counted(runs as u64, "run"),
        help: format!(
            "{hint} Counted are: {}; observed are: {}",
            names(Sort::Counted),
            names(Sort::Observed)
        ),
    })
}

/// Notes on names that measures read but no run recorded.
pub(crate) fn unread_notes(unread: &[Unrecorded]) -> String {
    let note = |(sort, never): (Sort, &str)| {
        let names = unread.iter().map(|it| &it.reading).filter(|reading| reading.sort == sort);
        let names: BTreeSet<String> = names.map(|reading| format!("`{}`", reading.name)).collect();
        let names: Vec<String> = names.into_iter().collect();
        match names.len() {
            0 => String::new(),
            _ => format!("note: {never}: {}\n", names.join(", ")),
        }
    };
    let sorts = [
        (Sort::Counted, "never counted in any run, so measures read 0"),
        (Sort::Observed, "never observed in any run, so measures have no value"),
    ];
    sorts.map(note).concat()
}
