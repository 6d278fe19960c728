//! The thesis's tables on AODV beside what Everypath finds, row by row:
//! `cargo run --release -p everypath-protocols --example aodv_tables`.

#[path = "../tests/published/aodv.rs"]
mod published;
mod tables;
#[path = "../tests/published/thesis.rs"]
mod thesis;

fn main() {
    tables::print();
}
