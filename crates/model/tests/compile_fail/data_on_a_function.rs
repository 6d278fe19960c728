//! Only types have values.

extern crate everypath_model as everypath;

#[everypath::data]
fn retransmit() {}

fn main() {}
