//! One line of a movement trace.

use std::time::Duration;

use crate::{Problem, number};

/// The content of a line.
#[derive(Debug, PartialEq)]
pub(super) enum Statement {
    /// The start of a node, along one axis.
    Start(u32, Axis, f64),
    /// A command to a node during the run.
    Command(u32, Duration, Command),
    /// A statement that does not concern movement.
    Ignored,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Command {
    /// Move there, at this speed in metres per second. Without a z, the height stays.
    SetDestination { x: f64, y: f64, z: Option<f64>, speed: f64 },
    /// Jump there, along one axis.
    Set(Axis, f64),
}

/// One of the three coordinates, numbered as in a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X = 0,
    Y,
    Z,
}

const EXPECTED: &str = "a line is `$node_(i) set X_ v` (or `Y_`, `Z_`), or `$ns_ at t \"$node_(i) setdest x y speed\"`; \
    Tcl is not executed, so numbers must be written out";

impl Statement {
    pub(super) fn read(line: &str) -> Result<Self, Problem> {
        // A command ends at its semicolon; only a comment can follow.
        let (command, rest) = line.split_once(';').unwrap_or((line, ""));
        if !matches!(rest.trim_start().bytes().next(), None | Some(b'#')) {
            return Err(Problem::unreadable(
                rest.trim(),
                "write each command on a line of its own",
            ));
        }
        let mut words = command
            .split(|letter: char| letter.is_ascii_whitespace() || letter == '"')
            .filter(|word| !word.is_empty());
        let mut word = || words.next().unwrap_or("");
        let malformed = || Problem::unreadable(line, EXPECTED);
        let statement = match (word(), word()) {
            ("$god_", _) | ("set", "god_") => return Ok(Self::Ignored),
            ("$ns_" | "$ns", "at") => {
                let (time, subject) = (word(), word());
                if subject == "$god_" {
                    return Ok(Self::Ignored);
                }
                let node = node(subject).ok_or_else(malformed)?;
                let command = match word() {
                    "setdest" => set_destination([word(), word(), word(), word()])?,
                    "set" => Command::Set(
                        axis(word()).ok_or_else(malformed)?,
                        number::coordinate(word())?,
                    ),
                    _ => return Err(malformed()),
                };
                Self::Command(node, number::time(time)?, command)
            }
            (subject, "set") => {
                let node = node(subject).ok_or_else(malformed)?;
                let axis = axis(word()).ok_or_else(malformed)?;
                Self::Start(node, axis, number::coordinate(word())?)
            }
            _ => return Err(malformed()),
        };
        if word().is_empty() { Ok(statement) } else { Err(malformed()) }
    }
}

/// `x y speed`, or `x y z speed`.
fn set_destination(words: [&str; 4]) -> Result<Command, Problem> {
    let [x, y, third, fourth] = words;
    let (z, speed) = match fourth {
        "" => (None, third),
        speed => (Some(number::coordinate(third)?), speed),
    };
    let (x, y) = (number::coordinate(x)?, number::coordinate(y)?);
    Ok(Command::SetDestination { x, y, z, speed: number::speed(speed)? })
}

/// `$node_(7)`
fn node(word: &str) -> Option<u32> {
    word.strip_prefix("$node_(")?.strip_suffix(')')?.parse().ok()
}

fn axis(word: &str) -> Option<Axis> {
    Some(match word {
        "X_" => Axis::X,
        "Y_" => Axis::Y,
        "Z_" => Axis::Z,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        let read = |line| Statement::read(line).unwrap();
        let (x, y, second) = (1.5, -2.0, Duration::from_secs(1));
        let go = |z| Command::SetDestination { x, y, z, speed: 3.0 };
        assert_eq!(read("$node_(0) set X_ 1.5"), Statement::Start(0, Axis::X, 1.5));
        let expected = Statement::Command(12, second, go(None));
        assert_eq!(read("$ns_ at 1.0 \"$node_(12) setdest 1.5 -2.0 3.0\""), expected);
        assert_eq!(read("$ns at 1 $node_(12) setdest 1.5 -2 3 ; # car 7"), expected);
        let expected = Statement::Command(12, second, go(Some(9.0)));
        assert_eq!(read("$ns_ at 1 \"$node_(12) setdest 1.5 -2 9 3\""), expected);
        let expected = Statement::Command(3, second, Command::Set(Axis::Z, 4.0));
        assert_eq!(read("$ns_ at 1 \"$node_(3) set Z_ 4\""), expected);
        for line in [
            "$god_ set-dist 0 1 2",
            "$ns_ at 3.5 \"$god_ set-dist 0 1 16777215\"",
            "set god_ [God instance]",
        ] {
            assert_eq!(read(line), Statement::Ignored, "{line}");
        }
    }

    #[test]
    fn all_else_is_refused() {
        for line in [
            "$node_(0) set W_ 1",
            "$node_(0) set X_",
            "$node_(0) set X_ 1 2",
            "$node_(-1) set X_ 1",
            "$node_(4294967296) set X_ 1",
            "$node_($i) set X_ 1",
            "$node_(0) sets X_ 1",
            "$ns_ at 1 \"$node_(0) setdest 1 2\"",
            "$ns_ at 1 \"$node_(0) setdest 1 2 3 4 5\"",
            "$ns_ at 1 \"$node_(0) setdest 1 2 -3\"",
            "$ns_ at -1 \"$node_(0) setdest 1 2 3\"",
            "$ns_ at NaN \"$node_(0) setdest 1 2 3\"",
            "$ns_ at $t \"$node_(0) setdest 1 2 3\"",
            "$ns_ at 1 \"$node_(0) setdest 1 inf 3\"",
            "$ns_ at 1 \"$node_(0) reset\"",
            "$ns_ at 1 \"$g(0) start\"",
            "$node_(0) set X_ 1; $node_(0) set Y_ 1",
            "puts hello",
        ] {
            assert!(Statement::read(line).is_err(), "{line}");
        }
    }
}
