//! Trajectories: positions of nodes over time.

use everypath_model::{Mobility, Path, Position};

use super::{roaming::Roamer, segment::Segment};
use crate::{
    Stream,
    clock::{Nanoseconds, nanoseconds},
};

/// How one node moves.
struct Trajectory {
    /// In the order of time, the first from the start.
    segments: Vec<Segment>,
    /// The segment that was asked for last: the next question is mostly about the same.
    latest: usize,
    /// The source of further segments, if movement is random.
    roamer: Option<Roamer>,
}

impl Trajectory {
    fn of(path: &Path) -> Self {
        let mut segments = vec![Segment::towards(0, path.start, path.start, 0.0)];
        for leg in &path.legs {
            let begin = nanoseconds(leg.begin);
            let before = segments.last_mut().expect("there is a first");
            let from = before.position(begin);
            if before.end > begin {
                // Turned before it has come there.
                *before = Segment { end: begin, to: from, ..*before };
            }
            segments.push(Segment::towards(begin, from, leg.to, leg.speed));
        }
        Self { segments, latest: 0, roamer: None }
    }

    fn roaming(mut roamer: Roamer) -> Self {
        Self { segments: vec![roamer.first()], latest: 0, roamer: Some(roamer) }
    }

    #[inline(always)]
    fn position(&mut self, time: Nanoseconds) -> Position {
        let segment = &self.segments[self.latest];
        if segment.begin <= time && time < segment.end {
            return segment.position(time);
        }
        self.find(time);
        self.segments[self.latest].position(time)
    }

    /// Makes the last segment that has begun at a time the latest one.
    #[inline(never)]
    fn find(&mut self, time: Nanoseconds) {
        if let Some(roamer) = &mut self.roamer {
            while let Some(last) = self.segments.last().filter(|last| last.end <= time) {
                let next = roamer.next(last);
                self.segments.push(next);
            }
        }
        while self.segments[self.latest].begin > time && self.latest > 0 {
            self.latest -= 1;
        }
        while self.segments.get(self.latest + 1).is_some_and(|next| next.begin <= time) {
            self.latest += 1;
        }
    }
}

/// The trajectories of all nodes.
pub(crate) struct Trajectories {
    nodes: Vec<Trajectory>,
    fastest: f64,
}

impl Trajectories {
    /// Of nodes, or of others that are called so.
    pub(crate) fn new(
        who: &str,
        mobility: &Mobility,
        nodes: usize,
        seed: u64,
        replication: u32,
    ) -> Self {
        let stream = |node| Stream::new(seed, replication, &format!("{who} {node} mobility"));
        let of = |node: usize| match mobility {
            Mobility::Paths(paths) => Trajectory::of(&paths[node]),
            Mobility::Uniform(area) => {
                let mut stream = stream(node);
                let (x, y) = (stream.fraction() * area.width, stream.fraction() * area.height);
                Trajectory::of(&Path::at(Position::on_ground(x, y)))
            }
            &Mobility::Waypoint { area, speeds, pause } => {
                Trajectory::roaming(Roamer::waypoint(area, speeds, pause, stream(node)))
            }
            &Mobility::Walk { area, speeds, turn } => {
                Trajectory::roaming(Roamer::walk(area, speeds, turn, stream(node)))
            }
        };
        let nodes: Vec<Trajectory> = (0..nodes).map(of).collect();
        let fastest = match mobility {
            Mobility::Paths(_) | Mobility::Uniform(_) => {
                nodes.iter().flat_map(|node| &node.segments).map(Segment::speed).fold(0.0, f64::max)
            }
            Mobility::Waypoint { speeds, .. } | Mobility::Walk { speeds, .. } => speeds.1,
        };
        Self { nodes, fastest }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How fast nodes can be, in metres per second.
    pub(crate) fn fastest(&self) -> f64 {
        self.fastest
    }

    /// The segments of a node up to a time.
    pub(super) fn segments_until(&mut self, node: usize, time: Nanoseconds) -> &[Segment] {
        let trajectory = &mut self.nodes[node];
        trajectory.find(time);
        let begun = trajectory.segments.partition_point(|segment| segment.begin <= time);
        &trajectory.segments[..begun]
    }

    /// Where a node is at a time.
    #[inline]
    pub(crate) fn position(&mut self, node: usize, time: Nanoseconds) -> Position {
        self.nodes[node].position(time)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use everypath_model::{Area, Leg};

    use super::*;

    const SECOND: Nanoseconds = 1_000_000_000;

    #[test]
    fn a_new_leg_begins_where_the_node_is() {
        let leg = |begin, x, y, speed| Leg {
            begin: Duration::from_secs(begin),
            to: Position::on_ground(x, y),
            speed,
        };
        let legs = vec![leg(1, 100.0, 0.0, 10.0), leg(6, 50.0, 50.0, 5.0), leg(20, 0.0, 50.0, 0.0)];
        let path = Path { start: Position::default(), legs };
        let mut paths = Trajectories::new("node", &Mobility::Paths(vec![path]), 1, 0, 0);
        let at = |paths: &mut Trajectories, time| {
            let Position { x, y, .. } = paths.position(0, time * SECOND);
            (x, y)
        };
        assert_eq!(at(&mut paths, 0), (0.0, 0.0));
        assert_eq!(at(&mut paths, 3), (20.0, 0.0));
        assert_eq!(at(&mut paths, 6), (50.0, 0.0));
        assert_eq!(at(&mut paths, 10), (50.0, 20.0));
        // There, and it stays: a leg without speed leads nowhere. Also backwards in time.
        assert_eq!(at(&mut paths, 30), (50.0, 50.0));
        assert_eq!(at(&mut paths, 3), (20.0, 0.0));
        assert_eq!(paths.fastest(), 10.0);
    }

    #[test]
    fn positions_do_not_depend_on_the_order_of_questions() {
        let area = Area { width: 300.0, height: 200.0 };
        let speeds = (1.0, 20.0);
        let pause = Duration::from_secs(2);
        for mobility in [
            Mobility::Waypoint { area, speeds, pause },
            Mobility::Walk { area, speeds, turn: pause },
        ] {
            let mut forwards = Trajectories::new("node", &mobility, 3, 5, 0);
            let mut backwards = Trajectories::new("node", &mobility, 3, 5, 0);
            let times: Vec<Nanoseconds> = (0..400).map(|step| step * SECOND / 3).collect();
            let ahead: Vec<_> = times.iter().map(|&time| forwards.position(1, time)).collect();
            let mut back: Vec<_> =
                times.iter().rev().map(|&time| backwards.position(1, time)).collect();
            back.reverse();
            assert_eq!(ahead, back);
            for pair in ahead.windows(2) {
                assert!(pair[0].distance(pair[1]) <= 20.0 / 3.0 + 1e-6);
                assert!((0.0..=300.0).contains(&pair[0].x) && (0.0..=200.0).contains(&pair[0].y));
            }
        }
    }
}
