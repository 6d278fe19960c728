//! # Files of other tools
//!
//! Readers for movements, flows and topologies that other tools write.
//!
//! - [`ns2`]: movement traces, as `setdest`, BonnMotion and SUMO write them; also written;
//! - [`bonnmotion`]: BonnMotion's own files;
//! - [`sumo`]: positions of SUMO's vehicles (FCD output);
//! - [`flows`]: flow lists;
//! - [`edge_list`], [`graphml`]: topologies.
//!
//! ```
//! use everypath_formats::{Limits, edge_list, read_file};
//!
//! let error = read_file("missing.txt", |file| edge_list::read_topology(file, &Limits::default()));
//! assert!(error.unwrap_err().to_string().starts_with("missing.txt: cannot be read"));
//! ```
//!
//! Every reader reads a file piece by piece. An error has its line and a remedy ([`FormatError`]).
//! No file makes a reader panic, and a file that is too large is refused before it fills the memory
//! ([`Limits`]).
//!
//! ## What is not here
//!
//! No compressed files, and no geographic coordinates: positions are metres. No Tcl is executed.
//! The crate knows no simulator: its results are paths and topologies of the
//! [model](everypath_model).

#![deny(clippy::print_stdout)]
#![warn(unreachable_pub)]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

pub mod bonnmotion;
pub mod edge_list;
mod error;
pub mod flows;
pub mod graphml;
mod limits;
mod lines;
mod named_topology;
pub mod ns2;
mod number;
pub mod sumo;
mod table;
mod waypoints;
mod xml;

pub use error::{FormatError, Problem};
pub use limits::Limits;
pub use named_topology::{LinkFacts, NamedTopology};

/// Reads a file with one of the readers of this crate; an error names the file.
///
/// ```
/// use everypath_formats::{Limits, edge_list, read_file};
///
/// # let path = std::env::temp_dir().join(format!("everypath-links-{}.txt", std::process::id()));
/// std::fs::write(&path, "a b\nb c\n")?;
/// let named = read_file(&path, |file| edge_list::read_topology(file, &Limits::default())).unwrap();
/// assert_eq!(named.names, ["a", "b", "c"]);
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// If the file cannot be opened, or the reader fails.
pub fn read_file<T>(
    path: impl AsRef<Path>,
    read: impl FnOnce(&mut dyn BufRead) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    let path = path.as_ref();
    File::open(path)
        .map_err(FormatError::whole)
        .and_then(|file| read(&mut BufReader::new(file)))
        .map_err(|error| error.in_file(path))
}
