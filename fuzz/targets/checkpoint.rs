//! Checkpoints: changed bytes, with a checksum that fits, are refused, or resumed by a search that ends.

#![no_main]

mod edits;
mod pair;

use std::{io::Write, ops::ControlFlow, sync::OnceLock};

use everypath::explore::{Checksummed, Options, Progress, Watch, WriteSearch, explore, resume};
use libfuzzer_sys::fuzz_target;

/// Saves a search at its end.
#[derive(Default)]
struct AtEnd(Vec<u8>);

impl Watch for AtEnd {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_save(&mut self, at_end: bool) -> bool {
        at_end
    }

    fn save(&mut self, search: &WriteSearch<'_>) {
        search(&mut self.0).expect("memory can be written");
    }
}

fn options(states: u64) -> Options {
    let mut options = pair::options();
    options.limits.states = Some(states);
    options
}

/// A checkpoint without the checksum at its end.
fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(|| {
        let scenario = pair::scenario();
        let mut saved = AtEnd::default();
        explore(&mut pair::space(&scenario), &options(50), &mut saved).expect("it can be explored");
        saved.0.truncate(saved.0.len() - size_of::<u64>());
        saved.0
    })
}

fn summed(bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    let mut out = Checksummed::new(&mut whole);
    out.write_all(bytes).expect("memory can be written");
    let sum = out.sum();
    out.beyond().write_all(&sum.to_le_bytes()).expect("memory can be written");
    whole
}

fuzz_target!(|changes: &[u8]| {
    let scenario = pair::scenario();
    let bytes = summed(&edits::apply(good(), changes));
    let _ = resume(&mut pair::space(&scenario), &options(200), &mut (), &mut bytes.as_slice());
});
