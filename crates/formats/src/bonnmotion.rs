//! BonnMotion's movement files: one line of waypoints per node.

use std::io::BufRead;

use everypath_model::{Path, Position};

use crate::{FormatError, Limits, Problem, lines::Lines, number, waypoints::Waypoints};

/// The number of coordinates of a waypoint, which the file does not contain.
///
/// ```
/// use everypath_formats::{Limits, bonnmotion::{Dimensions, read_movements}};
///
/// let drone = "0.0 10.0 20.0 30.0\n";
/// let paths = read_movements(drone.as_bytes(), Dimensions::Three, &Limits::default()).unwrap();
/// assert_eq!(paths[0].start.z, 30.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimensions {
    /// `time x y`
    Two,
    /// `time x y z`
    Three,
}

impl Dimensions {
    fn numbers(self) -> usize {
        match self {
            Self::Two => 3,
            Self::Three => 4,
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Two => {
                "each line has `time x y` repeatedly; if there is also a z, choose three dimensions"
            }
            Self::Three => {
                "each line has `time x y z` repeatedly; if there is no z, choose two dimensions"
            }
        }
    }
}

/// Reads movements as BonnMotion writes them (`.movements`, unpacked): line i is node i, counted
/// from 0 without blank lines and comments (`#`). A node moves in a straight line from waypoint to
/// waypoint, and does not move before the first and after the last.
///
/// ```
/// use std::time::Duration;
/// use everypath_formats::{Limits, bonnmotion::{self, Dimensions}};
/// use everypath_model::{Leg, Position};
///
/// let file = "0.0 10.0 20.0 5.0 10.0 20.0 15.0 40.0 60.0\n0.0 7.0 7.0\n";
/// let paths = bonnmotion::read_movements(file.as_bytes(), Dimensions::Two, &Limits::default()).unwrap();
/// assert_eq!(paths.len(), 2);
/// // After five seconds it moves 50 m in ten seconds.
/// let (begin, to) = (Duration::from_secs(5), Position::on_ground(40.0, 60.0));
/// assert_eq!(paths[0].legs, [Leg { begin, to, speed: 5.0 }]);
/// ```
///
/// # Errors
/// If the file is not of this form, a node goes back in time or is at two places at once, or a limit
/// is exceeded.
pub fn read_movements(
    input: impl BufRead,
    dimensions: Dimensions,
    limits: &Limits,
) -> Result<Vec<Path>, FormatError> {
    let mut lines = Lines::new(input, limits);
    let mut paths: Vec<Path> = Vec::new();
    let mut legs = 0;
    while let Some((line, text)) = lines.next()? {
        limits.check_nodes(line, paths.len() + 1)?;
        let room = limits.entries - legs;
        let path = path(text, paths.len(), dimensions, room, limits)
            .map_err(|problem| FormatError::at(line, problem))?;
        legs += path.legs.len();
        paths.push(path);
    }
    if paths.is_empty() {
        return Err(FormatError::whole(Problem::Empty("node")));
    }
    Ok(paths)
}

/// The path of one node, of at most `room` legs.
fn path(
    text: &str,
    node: usize,
    dimensions: Dimensions,
    room: usize,
    limits: &Limits,
) -> Result<Path, Problem> {
    let mut words = text.split_ascii_whitespace();
    let mut waypoints: Option<Waypoints> = None;
    while let Some(first) = words.next() {
        let time = number::time(first)?;
        let mut coordinates = [0.0; 3];
        for coordinate in &mut coordinates[..dimensions.numbers() - 1] {
            let word = words.next().ok_or_else(|| Problem::Missing {
                what: format!("a coordinate of the waypoint at {first} s, the last of the line,"),
                remedy: dimensions.expected().to_owned(),
            })?;
            *coordinate = number::coordinate(word)?;
        }
        let place = Position { x: coordinates[0], y: coordinates[1], z: coordinates[2] };
        match &mut waypoints {
            None => waypoints = Some(Waypoints::new(time, place)),
            Some(waypoints) => {
                let who = || format!("node {node} (each line is a node)");
                if time < waypoints.time {
                    let (before, time) = (waypoints.time.as_secs_f64(), time.as_secs_f64());
                    return Err(Problem::Backwards { who: who(), before, time });
                }
                if time == waypoints.time && place != waypoints.place() {
                    return Err(Problem::TwoPlaces { who: who(), time: time.as_secs_f64() });
                }
                waypoints.reach(time, place);
                if waypoints.legs() > room {
                    return Err(Problem::TooMany { what: "legs", limit: limits.entries });
                }
            }
        }
    }
    Ok(waypoints.map_or_else(Path::default, Waypoints::into_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, dimensions: Dimensions) -> Result<Vec<Path>, String> {
        read_movements(text.as_bytes(), dimensions, &Limits::default())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn three_dimensions() {
        let paths = read("0 0 0 10 2 0 6 18\n", Dimensions::Three).unwrap();
        assert_eq!(paths[0].start, Position { x: 0.0, y: 0.0, z: 10.0 });
        assert_eq!(paths[0].legs[0].to, Position { x: 0.0, y: 6.0, z: 18.0 });
        assert_eq!(paths[0].legs[0].speed, 5.0);
    }

    #[test]
    fn a_node_that_comes_late_is_there_before() {
        let paths = read("3 1 2 4 1 7\n", Dimensions::Two).unwrap();
        assert_eq!(paths[0].start, Position::on_ground(1.0, 2.0));
        assert_eq!(paths[0].legs[0].begin.as_secs(), 3);
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        let two = |text| read(text, Dimensions::Two).unwrap_err();
        assert_eq!(two(""), "there is no node in it; is it the right file, and complete?");
        assert_eq!(two("# nothing\n\n"), two(""));
        let told = two("0 1 1\n0 1 1 5 2\n");
        assert!(
            told.starts_with("line 2: a coordinate of the waypoint at 5 s, the last"),
            "{told}"
        );
        let told = two("0 1 1 5 2 2 4 1 1");
        assert!(told.contains("node 0 (each line is a node) goes back in time, from 5 s to 4 s"));
        assert!(two("0 1 1 0 2 2").contains("is at two places at 0 s"));
        assert!(two("0 NaN 1").starts_with("line 1: cannot read `NaN`"));
        let limits = Limits { nodes: 1, entries: 1, ..Limits::default() };
        let limited = |text: &str| {
            read_movements(text.as_bytes(), Dimensions::Two, &limits).unwrap_err().to_string()
        };
        assert!(limited("0 1 1\n0 1 1").contains("line 2: there are more than 1 nodes"));
        assert!(limited("0 1 1 2 2 2 3 3 3").contains("line 1: there are more than 1 legs"));
    }
}
