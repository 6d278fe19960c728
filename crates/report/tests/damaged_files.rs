//! Damaged and forged files: refused in words, or read as what they say; reading always ends.

#[path = "../../../tests/damage/mod.rs"]
mod damage;

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    path::Path,
};

use everypath_explore::{Checksummed, EventText};
use everypath_report::{
    CHECKPOINT, FileKind, MEMO, RecordedStep, SealedFileError, SimulatedStart, TraceFile,
    open_sealed, write_sealed,
};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

fn identity() -> BTreeMap<String, String> {
    BTreeMap::from([("scenario".to_owned(), "arq".to_owned())])
}

fn opened(kind: &'static FileKind, path: &Path) -> Result<Vec<u8>, SealedFileError> {
    let mut content = Vec::new();
    open_sealed(kind, path, &identity())?.read_to_end(&mut content).unwrap();
    Ok(content)
}

/// The same bytes with the length and the checksum that a file has at its end.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut out = Checksummed::new(&mut file);
    out.write_all(bytes).unwrap();
    let len = out.len();
    out.write_all(&len.to_le_bytes()).unwrap();
    let sum = out.sum();
    out.beyond().write_all(&sum.to_le_bytes()).unwrap();
    file
}

#[test]
fn sealed_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for kind in [&CHECKPOINT, &MEMO] {
        write_sealed(kind, &path, &identity(), &|out| out.write_all(b"what is in it")).unwrap();
        let whole = fs::read(&path).unwrap();
        let unnoticed = damage::taken(&whole, 2000, |damaged| {
            fs::write(&path, damaged).unwrap();
            damaged != whole && opened(kind, &path).is_ok()
        });
        assert_eq!(unnoticed, 0);

        // With a seal that fits, only what is in it can still be wrong.
        let body = &whole[..whole.len() - 16];
        assert_eq!(sealed(body), whole);
        let read = damage::taken(body, 2000, |damaged| {
            fs::write(&path, sealed(damaged)).unwrap();
            opened(kind, &path).is_ok()
        });
        assert!(read > 0, "none was read: others are not looked at closely");
    }
}

fn recorded() -> TraceFile {
    let event = EventText {
        node: Some(1),
        kind: "deliver".to_owned(),
        parameters: vec![("message".to_owned(), "Data(1)".to_owned())],
        sentence: "Data(1) arrives \u{2192} \"n1\"".to_owned(),
    };
    TraceFile {
        scenario: "arq".to_owned(),
        profile: "standard".to_owned(),
        parameters: BTreeMap::from([("loss".to_owned(), "1".to_owned())]),
        verify_determinism: false,
        disabled: Vec::new(),
        required: Some("lose".to_owned()),
        deadlock: false,
        start: Some(SimulatedStart {
            nanoseconds: 2_500_000_000,
            seed: u64::MAX,
            replication: 3,
            digest: "ff".to_owned(),
        }),
        files: Vec::new(),
        replaced: Default::default(),
        assertion: "in order".to_owned(),
        initial: "00".to_owned(),
        steps: vec![RecordedStep { event, digest: "01".to_owned() }],
    }
}

/// The same text with a checksum that fits, if it is a trace at all.
fn forged(text: &[u8]) -> Option<Vec<u8>> {
    let mut json: Value = serde_json::from_slice(text).ok()?;
    let trace: TraceFile = serde_json::from_value(json.get("trace")?.clone()).ok()?;
    let sum = xxh3_64(&serde_json::to_vec(&trace).unwrap());
    *json.get_mut("checksum")? = format!("{sum:016x}").into();
    serde_json::to_vec(&json).ok()
}

#[test]
fn trace_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.trace.json");
    let trace = recorded();
    trace.write(&path).unwrap();
    assert_eq!(TraceFile::read(&path).unwrap(), trace);
    let whole = fs::read(&path).unwrap();
    let same = damage::taken(&whole, 2000, |damaged| {
        fs::write(&path, damaged).unwrap();
        // Spaces do not count.
        TraceFile::read(&path).is_ok_and(|read| read == trace || panic!("it was not noticed"))
    });
    assert!(same > 0, "none was read: others are not looked at closely");

    let read = damage::taken(&whole, 2000, |damaged| {
        let Some(forged) = forged(damaged) else { return false };
        fs::write(&path, forged).unwrap();
        TraceFile::read(&path).is_ok_and(|read| {
            let _ = (read.run_digest(), read.digests());
            read != trace
        })
    });
    assert!(read > 0, "none was read: others are not looked at closely");
}
