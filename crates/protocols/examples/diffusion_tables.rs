//! The thesis's tables on directed diffusion beside what Everypath finds, row by row:
//! `cargo run --release -p everypath-protocols --example diffusion_tables`.

#[path = "../tests/published/diffusion.rs"]
mod published;
mod tables;
#[path = "../tests/published/thesis.rs"]
mod thesis;

fn main() {
    tables::print();
}
