//! The command line of this example: `signed check generals`, `signed simulate generals` and more.

everypath::main!(everypath_signed::generals);
