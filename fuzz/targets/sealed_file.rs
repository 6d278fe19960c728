//! Sealed files, which hold checkpoints, memos, graphs and parts: a change is noticed.

#![no_main]

mod edits;
mod file;

use std::{collections::BTreeMap, fs, io::Read, sync::OnceLock};

use everypath_report::{CHECKPOINT, open_sealed, write_sealed};
use libfuzzer_sys::fuzz_target;

fn identity() -> BTreeMap<String, String> {
    BTreeMap::from([("scenario".to_owned(), "arq".to_owned())])
}

fn good() -> &'static [u8] {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    GOOD.get_or_init(|| {
        let path = file::with(&[]);
        fs::remove_file(&path).expect("it was just written");
        write_sealed(&CHECKPOINT, &path, &identity(), &|out| out.write_all(b"what is in it"))
            .expect("it can be written");
        fs::read(&path).expect("it was just written")
    })
}

fuzz_target!(|changes: &[u8]| {
    let bytes = edits::apply(good(), changes);
    let path = file::with(&bytes);
    if let Ok(mut content) = open_sealed(&CHECKPOINT, &path, &identity()) {
        content.read_to_end(&mut Vec::new()).expect("its checksum fits");
        assert_eq!(bytes, good());
    }
});
