// The model of the examples in the documentation: a counter that grows by one or by three, and must never be seven.

use everypath_explore::{Model, ModelAssertion};

pub struct Counter;

impl Model for Counter {
    type State = u32;
    type Action = u32;

    fn initial(&self) -> Vec<u32> {
        vec![0]
    }

    fn actions(&self, _: &u32) -> Vec<u32> {
        vec![1, 3]
    }

    fn next(&self, state: &u32, by: &u32) -> Option<u32> {
        Some(state + by)
    }

    fn assertions(&self) -> Vec<ModelAssertion<Self>> {
        vec![ModelAssertion::new("never seven", |_, state| *state != 7)]
    }
}
