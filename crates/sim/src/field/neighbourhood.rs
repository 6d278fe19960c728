//! Search for the nodes within a distance of a node.

use everypath_model::NodeId;
use rustc_hash::FxHashMap;

use super::trajectory::Trajectories;
use crate::clock::Nanoseconds;

/// Finds the nodes within a distance of a node.
///
/// For each node there is a list of those that are near, made with some slack: as long as no node can
/// have moved so far that it matters, only those on the list need be looked at. Where nothing
/// moves, lists are made once and are the answer.
///
/// A list is made from squares of the field, of which all nodes are put into one, with the same slack.
pub(crate) struct Neighbourhood {
    range: f64,
    slack: f64,
    /// For how long a list or the squares are good.
    good_for: Nanoseconds,
    /// Of a square.
    side: f64,
    near: Vec<Near>,
    squares: FxHashMap<(i64, i64), Vec<NodeId>>,
    squares_at: Option<Nanoseconds>,
}

/// The nodes that were near a node at a moment.
#[derive(Default)]
struct Near {
    at: Option<Nanoseconds>,
    nodes: Vec<NodeId>,
}

/// How much farther than the range lists reach, where nodes move: with an eighth, lists of a hundred
/// nodes at up to 20 m/s are a quarter longer than needed and last 0.8 s.
const SLACK: f64 = 0.125;

impl Neighbourhood {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    pub(crate) fn new(range: f64, trajectories: &Trajectories) -> Self {
        let fastest = trajectories.fastest();
        let still = fastest == 0.0;
        let slack = if still { 0.0 } else { range * SLACK };
        // Two nodes that approach each other come nearer by half the slack in that time.
        let good_for = if still { Nanoseconds::MAX } else { (slack / 4.0 / fastest * 1e9) as u64 };
        let near = (0..trajectories.len()).map(|_| Near::default()).collect();
        let (squares, squares_at) = (FxHashMap::default(), None);
        // So wide that a node that is near is in the same square or the next, also if it was put into it
        // a while ago.
        let side = range + slack * 1.25;
        Self { range, slack, good_for, side, near, squares, squares_at }
    }

    /// Appends the nodes within range of a node at a time, in order.
    pub(crate) fn within_range(
        &mut self,
        node: NodeId,
        time: Nanoseconds,
        trajectories: &mut Trajectories,
        found: &mut Vec<NodeId>,
    ) {
        if self.slack == 0.0 {
            found.extend_from_slice(self.near(node, time, trajectories));
            return;
        }
        self.each_within_range(node, time, trajectories, |other, _| found.push(other));
    }

    /// Visits the nodes within range of a node at a time, in order, each with the square of its distance.
    #[inline]
    pub(crate) fn each_within_range(
        &mut self,
        node: NodeId,
        time: Nanoseconds,
        trajectories: &mut Trajectories,
        mut visit: impl FnMut(NodeId, f64),
    ) {
        let most = self.range * self.range;
        let near = self.near(node, time, trajectories);
        let here = trajectories.position(node.index(), time);
        for &other in near {
            let distance = here.distance_squared(trajectories.position(other.index(), time));
            if distance <= most {
                visit(other, distance);
            }
        }
    }

    /// The list of a node, rebuilt if need be: all nodes that are near, and maybe some that are not.
    #[inline]
    fn near(
        &mut self,
        node: NodeId,
        time: Nanoseconds,
        trajectories: &mut Trajectories,
    ) -> &[NodeId] {
        if self.near[node.index()].at.is_none_or(|at| at.abs_diff(time) > self.good_for) {
            self.look_around(node, time, trajectories);
        }
        &self.near[node.index()].nodes
    }

    #[inline(never)]
    fn look_around(&mut self, node: NodeId, time: Nanoseconds, trajectories: &mut Trajectories) {
        if self.squares_at.is_none_or(|at| at.abs_diff(time) > self.good_for) {
            self.survey(time, trajectories);
        }
        let here = trajectories.position(node.index(), time);
        let reach = self.range + self.slack;
        let (x, y) = square(here.x, here.y, self.side);
        let Near { at, nodes } = &mut self.near[node.index()];
        *at = Some(time);
        nodes.clear();
        for place in (x - 1..=x + 1).flat_map(|x| (y - 1..=y + 1).map(move |y| (x, y))) {
            let Some(inside) = self.squares.get(&place) else { continue };
            nodes.extend(inside.iter().copied().filter(|&other| {
                let there = trajectories.position(other.index(), time);
                other != node && here.distance_squared(there) <= reach * reach
            }));
        }
        nodes.sort_unstable();
    }

    /// Puts every node into its square.
    fn survey(&mut self, time: Nanoseconds, trajectories: &mut Trajectories) {
        self.squares.values_mut().for_each(Vec::clear);
        for node in 0..trajectories.len() {
            let here = trajectories.position(node, time);
            let place = square(here.x, here.y, self.side);
            self.squares.entry(place).or_default().push(NodeId::from(node));
        }
        self.squares_at = Some(time);
    }
}

/// In which square a point is; all that are too far away for numbers are in one.
#[allow(clippy::cast_possible_truncation)]
fn square(x: f64, y: f64, side: f64) -> (i64, i64) {
    let place = |along: f64| (along / side).floor().clamp(-1e15, 1e15) as i64;
    (place(x), place(y))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use everypath_model::{Area, Mobility};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_node_is_overlooked(
            seed in any::<u64>(),
            range in 10.0..400.0_f64,
            fastest in 1.0..200.0_f64,
            pause in 0..3_u64,
            still in any::<bool>(),
            times in prop::collection::vec(0..40_000_u64, 1..60),
        ) {
            let area = Area { width: 700.0, height: 300.0 };
            let pause = Duration::from_secs(pause);
            let mobility = match still {
                true => Mobility::Uniform(area),
                false => Mobility::Waypoint { area, speeds: (0.5, fastest), pause },
            };
            let mut trajectories = Trajectories::new("node", &mobility, 30, seed, 0);
            let mut neighbourhood = Neighbourhood::new(range, &trajectories);
            for (place, time) in times.into_iter().enumerate() {
                let (node, time) = (place % 30, time * 1_000_000);
                let mut found = Vec::new();
                neighbourhood.within_range(NodeId::from(node), time, &mut trajectories, &mut found);
                let here = trajectories.position(node, time);
                let expected: Vec<NodeId> = (0..30)
                    .filter(|&other| other != node)
                    .filter(|&other| here.distance(trajectories.position(other, time)) <= range)
                    .map(NodeId::from)
                    .collect();
                prop_assert_eq!(found, expected);
            }
        }
    }
}
