//! Writing movement traces.

use std::io::{self, Write};

use everypath_model::{Leg, Path, Position};

/// Writes paths as an ns-2 movement trace: the start of each node, then its `setdest` commands.
/// [`read_movements`](super::read_movements) reads the same paths back, to the last bit, and times
/// to the nanosecond.
///
/// ns-2 and ns-3 only know `setdest x y speed`. A node whose height changes gets `setdest x y z
/// speed`, which Everypath reads.
///
/// ```
/// use everypath_formats::ns2;
/// use everypath_model::{Path, Position};
///
/// let mut trace = Vec::new();
/// ns2::write_movements(&[Path::at(Position::on_ground(1.0, 2.5))], &mut trace).unwrap();
/// assert_eq!(trace, b"$node_(0) set X_ 1\n$node_(0) set Y_ 2.5\n$node_(0) set Z_ 0\n");
/// ```
///
/// # Errors
/// If it cannot be written, or a path has a number that is not finite.
pub fn write_movements(paths: &[Path], mut output: impl Write) -> io::Result<()> {
    for (node, Path { start, .. }) in paths.iter().enumerate() {
        check(node, *start, 0.0)?;
        let Position { x, y, z } = *start;
        for (axis, value) in [("X_", x), ("Y_", y), ("Z_", z)] {
            writeln!(output, "$node_({node}) set {axis} {value}")?;
        }
    }
    for (node, path) in paths.iter().enumerate() {
        let is_level = path.legs.iter().all(|leg| leg.to.z == path.start.z);
        for Leg { begin, to, speed } in &path.legs {
            check(node, *to, *speed)?;
            let (seconds, nanoseconds) = (begin.as_secs(), begin.subsec_nanos());
            write!(output, "$ns_ at {seconds}.{nanoseconds:09} \"$node_({node}) setdest ")?;
            write!(output, "{} {} ", to.x, to.y)?;
            if !is_level {
                write!(output, "{} ", to.z)?;
            }
            // A node that does not move may have a negative speed.
            writeln!(output, "{}\"", speed.max(0.0))?;
        }
    }
    Ok(())
}

fn check(node: usize, place: Position, speed: f64) -> io::Result<()> {
    if place.is_finite() && speed.is_finite() {
        return Ok(());
    }
    let what =
        format!("the path of node {node} has a place or a speed that is not a finite number");
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}
