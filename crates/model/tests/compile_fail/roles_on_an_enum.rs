//! A protocol has all its roles at once; which one a node plays is said by `role_of`.

extern crate everypath_model as everypath;

#[everypath::roles]
enum Arq {
    Sender,
    Receiver,
}

fn main() {}
