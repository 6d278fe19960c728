//! Where nodes are at which time, against computations that know nothing of legs.

use std::{fmt::Write, time::Duration};

use everypath_formats::{
    Limits,
    bonnmotion::{self, Dimensions},
    ns2, sumo,
};
use everypath_model::{Path, Position};
use proptest::prelude::*;

/// Where a path leads, as the model defines it.
fn place(path: &Path, time: f64) -> Position {
    let mut here = path.start;
    for (index, leg) in path.legs.iter().enumerate() {
        let begin = leg.begin.as_secs_f64();
        if begin > time {
            break;
        }
        let next = path.legs.get(index + 1).map_or(f64::MAX, |next| next.begin.as_secs_f64());
        here = between(here, leg.to, leg.speed * (time.min(next) - begin) / here.distance(leg.to));
    }
    here
}

fn between(from: Position, to: Position, share: f64) -> Position {
    // Not a number if they are the same point.
    let share = if share < 1.0 { share } else { 1.0 };
    let part = |from: f64, to: f64| from + (to - from) * share;
    Position { x: part(from.x, to.x), y: part(from.y, to.y), z: part(from.z, to.z) }
}

fn assert_near(found: Position, expected: Position, tolerance: f64) -> Result<(), TestCaseError> {
    let distance = found.distance(expected);
    prop_assert!(distance <= tolerance, "{found:?} instead of {expected:?}: {distance} m off");
    Ok(())
}

/// Waypoints in the order of time: when, where.
fn waypoints() -> impl Strategy<Value = Vec<(f64, f64, f64)>> {
    prop::collection::vec((0.001..20.0_f64, -500.0..500.0_f64, 0.0..800.0_f64), 1..12).prop_map(
        |steps| {
            let mut time = 0.0;
            let mut waypoints: Vec<(f64, f64, f64)> = Vec::new();
            for (index, (wait, x, y)) in steps.into_iter().enumerate() {
                // Some nodes rest.
                let (x, y) = match waypoints.last() {
                    Some(&(_, x, y)) if index % 4 == 3 => (x, y),
                    _ => (x, y),
                };
                waypoints.push((time, x, y));
                time += (wait * 1000.0_f64).round() / 1000.0;
            }
            waypoints
        },
    )
}

/// Where a node with such waypoints is.
fn interpolated(waypoints: &[(f64, f64, f64)], time: f64) -> Position {
    let after = waypoints.iter().position(|waypoint| waypoint.0 > time);
    let after = after.unwrap_or(waypoints.len() - 1);
    let (begin, x, y) = waypoints[after.saturating_sub(1)];
    let (end, to_x, to_y) = waypoints[after];
    let share = if end > begin { ((time - begin) / (end - begin)).min(1.0) } else { 1.0 };
    Position::on_ground(x + (to_x - x) * share, y + (to_y - y) * share)
}

/// What an ns-2 node can be told: to go somewhere at some speed, or to be somewhere along an axis.
#[derive(Clone, Debug)]
enum Told {
    Go { to: [f64; 2], z: Option<f64>, speed: f64 },
    Be { axis: usize, value: f64 },
}

fn told() -> impl Strategy<Value = Told> {
    // Some nodes are told to stand still.
    let speed = (0.0..25.0_f64).prop_map(|speed| if speed < 2.0 { 0.0 } else { speed });
    let go = ([0.0..300.0_f64, 0.0..300.0_f64], prop::option::of(0.0..50.0_f64), speed);
    prop_oneof![
        3 => go.prop_map(|(to, z, speed)| Told::Go { to, z, speed }),
        1 => (0..3_usize, 0.0..300.0_f64).prop_map(|(axis, value)| Told::Be { axis, value }),
    ]
}

/// What an ns-2 node does that takes one small step after the other.
fn walked(start: [f64; 3], commands: &[(f64, Told)], until: f64) -> [f64; 3] {
    const STEPS_PER_S: f64 = 1000.0;
    let mut here = start;
    let (mut to, mut speed) = (here, 0.0);
    let mut obeyed = 0;
    let mut time = 0.0;
    for step in 0.. {
        while obeyed < commands.len() && commands[obeyed].0 <= time {
            match commands[obeyed].1 {
                Told::Go { to: [x, y], z, speed: new } => {
                    (to, speed) = ([x, y, z.unwrap_or(here[2])], new);
                }
                Told::Be { axis, value } => {
                    here[axis] = value;
                    (to, speed) = (here, 0.0);
                }
            }
            obeyed += 1;
        }
        if time >= until {
            break;
        }
        let way = [to[0] - here[0], to[1] - here[1], to[2] - here[2]];
        let left = way.iter().map(|part| part * part).sum::<f64>().sqrt();
        let stride = speed / STEPS_PER_S;
        if left <= stride {
            here = to;
        } else {
            for (here, part) in here.iter_mut().zip(way) {
                *here += part / left * stride;
            }
        }
        time = f64::from(step + 1) / STEPS_PER_S;
    }
    here
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn bonnmotion_nodes_move_steadily_between_waypoints(
        nodes in prop::collection::vec(waypoints(), 1..4), time in 0.0..250.0_f64,
    ) {
        let mut file = String::new();
        for node in &nodes {
            for (time, x, y) in node {
                write!(file, "{time:.3} {x} {y} ").unwrap();
            }
            file.push('\n');
        }
        let paths = bonnmotion::read_movements(file.as_bytes(), Dimensions::Two, &Limits::default());
        for (path, node) in paths.unwrap().iter().zip(&nodes) {
            assert_near(place(path, time), interpolated(node, time), 1e-6)?;
            for &(time, x, y) in node {
                assert_near(place(path, time), Position::on_ground(x, y), 1e-6)?;
            }
        }
    }

    #[test]
    fn sumo_vehicles_move_steadily_between_time_steps(node in waypoints(), time in 0.0..250.0_f64) {
        let mut file = String::from("<fcd-export>");
        for (time, x, y) in &node {
            write!(file, "<timestep time='{time:.3}'><vehicle id='v' y='{y}' x='{x}'/></timestep>").unwrap();
        }
        file += "</fcd-export>";
        let vehicles = sumo::read_vehicles(file.as_bytes(), &Limits::default()).unwrap();
        assert_near(place(&vehicles[0].path, time), interpolated(&node, time), 1e-6)?;
    }

    #[test]
    fn ns2_nodes_aim_anew_from_where_they_are(
        start in [0.0..300.0_f64, 0.0..300.0_f64, 0.0..300.0_f64],
        told in prop::collection::vec((0..4000_u32, told()), 0..8),
        until in 0..20_000_u32,
    ) {
        const AXES: [&str; 3] = ["X_", "Y_", "Z_"];
        let mut file = String::new();
        for (axis, value) in AXES.iter().zip(start) {
            writeln!(file, "$node_(0) set {axis} {value}").unwrap();
        }
        let mut time = 0;
        let mut commands = Vec::new();
        for (wait, told) in told {
            // Some are told at the same moment.
            time += wait.saturating_sub(1000);
            let at = f64::from(time) / 1000.0;
            write!(file, "$ns_ at {at} \"$node_(0) ").unwrap();
            match &told {
                Told::Go { to: [x, y], z, speed } => {
                    let z = z.map_or(String::new(), |z| z.to_string());
                    writeln!(file, "setdest {x} {y} {z} {speed}\"").unwrap();
                }
                Told::Be { axis, value } => writeln!(file, "set {} {value}\"", AXES[*axis]).unwrap(),
            }
            commands.push((at, told));
        }
        let paths = ns2::read_movements(file.as_bytes(), &Limits::default()).unwrap();
        let until = f64::from(until) / 1000.0;
        let [x, y, z] = walked(start, &commands, until);
        // Small steps make no error but by rounding, and at the end of a leg.
        assert_near(place(&paths[0], until), Position { x, y, z }, 1e-5)?;
    }

    #[test]
    fn ns2_traces_are_read_as_they_are_written(paths in prop::collection::vec(path(), 1..5)) {
        let mut file = Vec::new();
        ns2::write_movements(&paths, &mut file).unwrap();
        prop_assert_eq!(ns2::read_movements(&file[..], &Limits::default()).unwrap(), paths);
    }
}

fn point() -> impl Strategy<Value = Position> {
    (-1e9..1e9_f64, -1e9..1e9_f64, prop_oneof![Just(0.0), -1e3..1e3_f64])
        .prop_map(|(x, y, z)| Position { x, y, z })
}

fn path() -> impl Strategy<Value = Path> {
    let leg = (1..u64::MAX / 100, point(), prop_oneof![Just(0.0), 0.0..1e3_f64]);
    (point(), any::<bool>(), prop::collection::vec(leg, 0..8)).prop_map(|(start, level, legs)| {
        let mut path = Path::at(start);
        let mut begin = Duration::ZERO;
        for (wait, mut to, speed) in legs {
            begin += Duration::from_nanos(wait);
            if level {
                to.z = start.z;
            }
            path.legs.push(everypath_model::Leg { begin, to, speed });
        }
        path
    })
}

#[test]
fn sumo_vehicles_are_somewhere_also_while_they_are_away() {
    let file = "<fcd-export>\
        <timestep time='5'><vehicle id='v' x='10' y='0'/></timestep>\
        <timestep time='6'><vehicle id='v' x='20' y='0'/></timestep>\
        <timestep time='7'/><timestep time='8'/>\
        <timestep time='9'><vehicle id='v' x='80' y='0'/></timestep>\
        <timestep time='10'><vehicle id='v' x='85' y='0'/></timestep>\
        <timestep time='11'/></fcd-export>";
    let vehicles = sumo::read_vehicles(file.as_bytes(), &Limits::default()).unwrap();
    let table = [
        (0.0, 10.0),
        (5.0, 10.0),
        (5.5, 15.0),
        (6.0, 20.0),
        (7.0, 40.0),
        (8.5, 70.0),
        (9.0, 80.0),
        (9.5, 82.5),
        (10.0, 85.0),
        (99.0, 85.0),
    ];
    for (time, x) in table {
        let found = place(&vehicles[0].path, time).x;
        assert!((found - x).abs() < 1e-6, "{found} instead of {x} at {time} s");
    }
}

#[test]
fn a_path_that_is_no_path_is_not_written() {
    let path = Path::at(Position::on_ground(f64::NAN, 0.0));
    let error = ns2::write_movements(&[path], Vec::new()).unwrap_err();
    assert!(error.to_string().contains("the path of node 0"), "{error}");
}
