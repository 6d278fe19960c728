//! `signed check generals`, `signed simulate generals` and all else that the command line can do.

everypath::main!(everypath_signed::generals);
