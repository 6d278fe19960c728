//! A message with collections whose order differs from run to run.

extern crate everypath_model as everypath;

use std::collections::{HashMap, HashSet};

use everypath::data;

#[data]
enum Message {
    Table(HashMap<u32, u32>),
    Seen { ids: Vec<HashSet<u32>> },
}

fn main() {}
