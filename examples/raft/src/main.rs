//! The command line of this example: `raft check raft`, `raft simulate raft` and more.

everypath::main!(everypath_raft::raft);
