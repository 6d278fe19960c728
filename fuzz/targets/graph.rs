//! Graphs: changed bytes are refused, or used by a search that ends.

#![no_main]

mod edits;
mod pair;

use std::sync::OnceLock;

use everypath::network::Changes;
use libfuzzer_sys::fuzz_target;

fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(|| {
        let scenario = pair::scenario();
        let mut space = pair::space(&scenario);
        space.record_graph();
        pair::explored(&mut space);
        space.finish_graph();
        let mut bytes = Vec::new();
        space.write_graph(&mut bytes).expect("memory can be written");
        bytes
    })
}

fuzz_target!(|changes: &[u8]| {
    let bytes = edits::apply(good(), changes);
    let scenario = pair::scenario();
    let mut space = pair::space(&scenario);
    if space.read_graph(bytes.as_slice(), Changes::FOUND).is_ok() {
        pair::explored(&mut space);
    }
});
