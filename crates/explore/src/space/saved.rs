//! `Saved`: the content of a space in a checkpoint.

use std::io::{self, Read, Write};

use super::Space;

/// A space that can be saved, so that another process can continue with the same ids. All methods
/// are optional.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Saved};
///
/// // A plain model cannot be saved.
/// assert!(ModelSpace::new(Counter).save(&mut Vec::new()).is_err());
/// ```
pub trait Saved: Space {
    /// Writes the content of the space, so that another process can continue with the same ids.
    ///
    /// # Errors
    /// If it cannot be written, or the space cannot be saved at all.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Err(io::Error::new(io::ErrorKind::Unsupported, "this space cannot be saved"))
    }

    /// Restores the content of another space of the same model. This space must not have been used
    /// before. It reads as many bytes as [`save`](Self::save) has written, because others follow.
    ///
    /// # Errors
    /// If the bytes are not what was saved, or if the space cannot be saved at all. The space is then
    /// useless. For a space of another model or with other options, the error is a
    /// [`Mismatch`](crate::Mismatch).
    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let _ = input;
        Err(io::Error::new(io::ErrorKind::Unsupported, "this space cannot be saved"))
    }
}
