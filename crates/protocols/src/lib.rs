//! # Protocols that come with Everypath
//!
//! One folder each, with the protocol, its assertions and rankings, and its scenarios. They are
//! written as a user's own would be: against the model layer alone.
//!
//! - [`arq`]: stop-and-wait automatic repeat request, correct and erroneous.

extern crate everypath_model as everypath;

pub mod arq;
