//! `#[data]` has nothing to choose.

extern crate everypath_model as everypath;

#[everypath::data(Copy)]
struct Ack(bool);

fn main() {}
