//! Memos: changed bytes are refused, or used by a search that ends.

#![no_main]

mod edits;
mod pair;

use std::{sync::OnceLock, time::Duration};

use everypath::network::Memo;
use libfuzzer_sys::fuzz_target;

fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(|| explored(Memo::default()))
}

/// The memo after a search that began with one.
fn explored(memo: Memo) -> Vec<u8> {
    let scenario = pair::scenario();
    let mut space = pair::space(&scenario);
    space.remember_with(memo);
    pair::explored(&mut space);
    let memo = space.take_memo().expect("it was given one");
    let mut bytes = Vec::new();
    memo.write(&mut bytes, 0, Duration::ZERO).expect("memory can be written");
    bytes
}

fuzz_target!(|changes: &[u8]| {
    let bytes = edits::apply(good(), changes);
    if let Ok(memo) = Memo::read(&mut bytes.as_slice()) {
        let again = explored(memo);
        assert!(Memo::read(&mut again.as_slice()).is_ok());
    }
});
