//! The thesis's tables on AODV beside what Everypath finds, row by row:
//! `cargo run --release -p everypath-protocols --example aodv_tables`.

#[path = "../tests/published/mod.rs"]
mod published;

use published::{Row, rows};

/// By how much a number is off, in per cent.
fn off(found: u64, published: u64) -> String {
    if found == published {
        return "exact".to_owned();
    }
    format!("{:+.2} %", 100.0 * (found as f64 - published as f64) / published as f64)
}

fn print_row(row: &Row) -> bool {
    let (states, events) = row.run();
    let (published_states, published_events) = row.published;
    println!(
        "| {} | {} | {} | {} | {published_states} / {published_events} | {states} / {events} | {} | {} |",
        row.table,
        row.counterexample,
        row.nodes,
        row.search.name(),
        off(states, published_states),
        off(events, published_events),
    );
    (states, events) == row.published
}

fn main() {
    println!(
        "| table | counterexample | nodes | search | published: states / events | found | states | events |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let rows = rows();
    let exact = rows.iter().filter(|row| print_row(row)).count();
    println!("\n{exact} of {} rows are exact.", rows.len());
}
