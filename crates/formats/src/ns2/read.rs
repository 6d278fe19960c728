//! Reading movement traces.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    io::BufRead,
    time::Duration,
};

use everypath_model::{Path, Position};

use super::{
    course,
    statement::{Command, Statement},
};
use crate::{FormatError, Limits, Problem, lines::Lines};

/// The statements about one node, and the line of the first.
struct Course {
    line: u64,
    start: [Option<f64>; 3],
    commands: Vec<(Duration, Command)>,
}

/// Reads an ns-2 movement trace: for each node, numbered from 0, its start and its `setdest`
/// commands. A new `setdest` takes effect at once, from the present position. A speed of 0 stops
/// the node. Lines about `$god_`, comments and blank lines are skipped; Tcl is not executed.
///
/// ```
/// use everypath_formats::{Limits, ns2};
/// use everypath_model::Position;
///
/// let trace = r#"
/// $node_(0) set X_ 10.0
/// $node_(0) set Y_ 20.0
/// $node_(0) set Z_ 0.0
/// $ns_ at 5.0 "$node_(0) setdest 40.0 60.0 2.5"
/// "#;
/// let paths = ns2::read_movements(trace.as_bytes(), &Limits::default()).unwrap();
/// assert_eq!(paths[0].start, Position::on_ground(10.0, 20.0));
/// assert_eq!(paths[0].legs[0].to, Position::on_ground(40.0, 60.0));
/// ```
///
/// # Errors
/// If a line is not of this form, a node is missing, lacks its start or goes back in time, or a
/// limit is exceeded.
pub fn read_movements(input: impl BufRead, limits: &Limits) -> Result<Vec<Path>, FormatError> {
    let mut lines = Lines::new(input, limits);
    let mut courses: BTreeMap<u32, Course> = BTreeMap::new();
    let mut legs = 0;
    while let Some((line, text)) = lines.next()? {
        let statement = Statement::read(text).map_err(|problem| FormatError::at(line, problem))?;
        match statement {
            Statement::Ignored => {}
            Statement::Start(node, axis, value) => {
                let course = course_of(&mut courses, node, line, limits)?;
                if course.start[axis as usize].replace(value).is_some() {
                    let what = format!("{axis:?}_ of the start of $node_({node})");
                    return Err(FormatError::at(line, Problem::Twice(what)));
                }
            }
            Statement::Command(node, time, command) => {
                legs += 1;
                limits.check_entries(line, "legs", legs)?;
                let course = course_of(&mut courses, node, line, limits)?;
                if let Some(&(before, _)) = course.commands.last()
                    && time < before
                {
                    let who = format!("$node_({node})");
                    let (before, time) = (before.as_secs_f64(), time.as_secs_f64());
                    return Err(FormatError::at(line, Problem::Backwards { who, before, time }));
                }
                course.commands.push((time, command));
            }
        }
    }
    if courses.is_empty() {
        return Err(FormatError::whole(Problem::Empty("node")));
    }
    (0..).zip(courses).map(|(expected, (node, course))| path(expected, node, &course)).collect()
}

fn course_of<'a>(
    courses: &'a mut BTreeMap<u32, Course>,
    node: u32,
    line: u64,
    limits: &Limits,
) -> Result<&'a mut Course, FormatError> {
    let known = courses.len();
    match courses.entry(node) {
        Entry::Occupied(course) => Ok(course.into_mut()),
        Entry::Vacant(place) => {
            limits.check_nodes(line, known + 1)?;
            Ok(place.insert(Course { line, start: [None; 3], commands: Vec::new() }))
        }
    }
}

/// The path of a node, which must be the next one.
fn path(expected: u32, node: u32, course: &Course) -> Result<Path, FormatError> {
    let missing = |what: String, remedy: String| {
        Err(FormatError::at(course.line, Problem::Missing { what, remedy }))
    };
    if node != expected {
        let remedy = format!(
            "nodes are numbered from 0 without a gap; add its start, or rename $node_({node})"
        );
        return missing(format!("$node_({expected})"), remedy);
    }
    let [Some(x), Some(y), z] = course.start else {
        let remedy = format!("add `$node_({node}) set X_ …` and `$node_({node}) set Y_ …`");
        return missing(format!("the start of $node_({node})"), remedy);
    };
    // Traces of the plane have no z.
    let z = z.unwrap_or(0.0);
    Ok(course::path(Position { x, y, z }, &course.commands))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read_movements(text.as_bytes(), &Limits::default()).unwrap_err().to_string()
    }

    const START: &str = "$node_(0) set X_ 1\n$node_(0) set Y_ 2\n";

    #[test]
    fn starts_can_come_last_and_z_can_be_left_out() {
        let text = format!("# nodes: 1\n\n$ns_ at 1 \"$node_(0) setdest 5 5 0\"\n{START}");
        let paths = read_movements(text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(paths[0].start, Position::on_ground(1.0, 2.0));
        assert_eq!(paths[0].legs.len(), 1);
    }

    #[test]
    fn a_node_that_is_set_somewhere_is_there_at_that_moment() {
        let text = format!(
            "{START}$ns_ at 2 \"$node_(0) set X_ 7\"\n$ns_ at 2 \"$node_(0) set Z_ 3\"\n\
             $ns_ at 2 \"$node_(0) setdest 7 12 5\"\n"
        );
        let path = &read_movements(text.as_bytes(), &Limits::default()).unwrap()[0];
        let [jump, go] = &path.legs[..] else { panic!("{path:?}") };
        assert_eq!(jump.to, Position { x: 7.0, y: 2.0, z: 3.0 });
        assert_eq!(jump.begin, Duration::from_nanos(1_999_999_999));
        assert!(path.start.distance(jump.to) / jump.speed < 1e-9);
        assert_eq!((go.begin, go.to.z), (Duration::from_secs(2), 3.0));
        let text = format!("{START}$ns_ at 0.0 \"$node_(0) set X_ 7\"\n");
        let path = &read_movements(text.as_bytes(), &Limits::default()).unwrap()[0];
        assert_eq!(*path, Path::at(Position::on_ground(7.0, 2.0)));
    }

    #[test]
    fn a_node_that_is_set_where_it_is_stops() {
        let text = format!(
            "{START}$ns_ at 0 \"$node_(0) setdest 1 10 1\"\n$ns_ at 3 \"$node_(0) set X_ 1\"\n"
        );
        let path = &read_movements(text.as_bytes(), &Limits::default()).unwrap()[0];
        assert_eq!((path.legs[1].to, path.legs[1].speed), (Position::on_ground(1.0, 5.0), 0.0));
    }

    #[test]
    fn what_is_wrong_is_reported_with_its_line() {
        assert_eq!(error(""), "there is no node in it; is it the right file, and complete?");
        assert_eq!(error("# only\n$god_ set-dist 0 1 2\n"), error(""));
        let told = error(&format!("{START}$ns_ at 1 \"$node_(1) setdest 5 5 1\"\n"));
        assert!(told.starts_with("line 3: the start of $node_(1) is missing; add"), "{told}");
        let told = error("\n$node_(1) set X_ 1\n$node_(1) set Y_ 2\n");
        assert!(
            told.starts_with("line 2: $node_(0) is missing; nodes are numbered from 0"),
            "{told}"
        );
        assert!(
            error(&format!("{START}$node_(0) set X_ 1")).starts_with("line 3: X_ of the start")
        );
        let go = |time| format!("$ns_ at {time} \"$node_(0) setdest 5 5 1\"\n");
        let told = error(&format!("{START}{}{}", go("3.5"), go("3")));
        assert!(
            told.starts_with("line 4: $node_(0) goes back in time, from 3.5 s to 3 s"),
            "{told}"
        );
        let text = b"$node_(0) set X_ \xff\n";
        let told = read_movements(&text[..], &Limits::default()).unwrap_err().to_string();
        assert_eq!(told, "line 1: this is not UTF-8 text; unpack or convert the file first");
    }

    #[test]
    fn limits_are_reported() {
        let limits = Limits { nodes: 1, entries: 1, line_bytes: 60 };
        let error = |text: &str| {
            let error = read_movements(text.as_bytes(), &limits).unwrap_err();
            error.to_string()
        };
        assert!(
            error(&format!("{START}$node_(9) set X_ 0"))
                .starts_with("line 3: there are more than 1 nodes")
        );
        let go = "$ns_ at 1 \"$node_(0) setdest 5 5 1\"\n";
        assert!(
            error(&format!("{START}{go}{go}")).starts_with("line 4: there are more than 1 legs")
        );
        assert!(error(&format!("{START}#{}", "x".repeat(99))).starts_with("line 3: a line"));
        let endless = std::io::BufReader::new(std::io::repeat(b'x'));
        let told = read_movements(endless, &limits).unwrap_err().to_string();
        assert!(told.starts_with("line 1: a line or an element is longer than 60 bytes"), "{told}");
    }
}
