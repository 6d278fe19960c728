//! The thesis's tables on directed diffusion beside what Everypath finds, row by row:
//! `cargo run --release -p everypath-protocols --example diffusion_tables`.

#[path = "../tests/published_diffusion/mod.rs"]
mod published_diffusion;

use std::time::Instant;

use published_diffusion::{Row, rows};

fn print_row(row: &Row) -> bool {
    let begun = Instant::now();
    let (states, events) = row.run();
    let (published_states, published_events) = row.published;
    let is_exact = (states, events) == row.published;
    println!(
        "| {} | {} | {} | {} | {published_states} / {published_events} | {states} / {events} | {} | {:.3} |",
        row.table,
        row.counterexample,
        row.nodes,
        row.search.name(),
        if is_exact { "yes" } else { "no" },
        begun.elapsed().as_secs_f64(),
    );
    is_exact
}

fn main() {
    println!(
        "| table | counterexample | nodes | search | published: states / events | found | exact | s |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let rows = rows();
    let exact = rows.iter().filter(|row| print_row(row)).count();
    println!("\n{exact} of {} rows are exact.", rows.len());
}
