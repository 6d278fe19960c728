//! A state with a floating-point number. Within `Ignored` it may stay.

extern crate everypath_model as everypath;

use everypath::{Ignored, data};

#[data]
struct State {
    average: f64,
    last: Option<Vec<f32>>,
    statistics: Ignored<f64>,
}

fn main() {}
