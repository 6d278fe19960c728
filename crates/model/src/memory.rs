//! Memories: the values of observers.

use std::any::{Any, type_name};

use crate::{Data, shown};

/// The value of an observer: a part of every world. Every [`Data`] is one.
pub trait Memory: Any + Send + Sync {
    /// The value with its type.
    fn as_any(&self) -> &dyn Any;
    /// A copy.
    fn copy(&self) -> Box<dyn Memory>;
    /// Its bytes: the same if and only if two memories of an observer are equal.
    fn bytes(&self) -> Vec<u8>;
    /// Its text.
    fn text(&self) -> String;
}

impl<T: Data> Memory for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn Memory> {
        Box::new(self.clone())
    }

    fn bytes(&self) -> Vec<u8> {
        postcard::to_stdvec(self).unwrap_or_else(|error| {
            panic!("a memory of the type `{}` cannot be written: {error}", type_name::<T>())
        })
    }

    fn text(&self) -> String {
        shown(self)
    }
}
