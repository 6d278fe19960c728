//! `raft check raft`, `raft simulate raft` and all else that the command line can do.

everypath::main!(everypath_raft::raft);
