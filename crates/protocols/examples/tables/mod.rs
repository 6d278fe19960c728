//! Published tables beside what Everypath finds.

use everypath_model::Protocol;

use crate::published::{Row, rows};

/// By how much a number is off, in per cent.
fn off(found: u64, published: u64) -> String {
    if found == published {
        return "exact".to_owned();
    }
    format!("{:+.2} %", 100.0 * (found as f64 - published as f64) / published as f64)
}

fn print_row<P: Protocol>(row: &Row<P>) -> bool {
    let (states, events) = row.found();
    let (published_states, published_events) = row.published;
    println!(
        "| {} | {} | {} | {} | {published_states} / {published_events} | {states} / {events} | {} | {} |",
        row.table,
        row.counterexample,
        row.setting.nodes,
        row.search_name(),
        off(states, published_states),
        off(events, published_events),
    );
    (states, events) == row.published
}

/// Row by row, and how many are exact.
pub fn print() {
    println!(
        "| table | counterexample | nodes | search | published: states / events | found | states | events |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let rows = rows();
    let exact = rows.iter().filter(|row| print_row(row)).count();
    println!("\n{exact} of {} rows are exact.", rows.len());
}
