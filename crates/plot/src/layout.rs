//! Layout of nodes without positions, so that one sees how they are linked.

use std::collections::VecDeque;

/// Of more nodes a drawing shows little, and they take long.
const NODES_MAX: usize = 300;
/// How often the beginning and the places themselves are improved: more changes nothing that is seen.
const ROUNDS: usize = 120;
/// What the beginning is shaken by: nodes that are linked alike would lie on each other.
const SHAKEN: f64 = 0.001;

type Place = (f64, f64);

/// Where to draw nodes that are linked so: as far from each other as there are links between them, as well as
/// that goes on paper (stress majorisation, from where classical scaling puts them). One link is about 1
/// long; x is to the right, y up the page.
///
/// Nothing, if there are too many nodes, no links, or all are linked to all: then a ring shows more.
///
/// It is the same on every machine: there is nothing but sums, products, quotients and square roots in it.
///
/// ```
/// let places = everypath_plot::layout(3, &[(0, 1), (1, 2)]).unwrap();
/// assert!((places[2].0 - places[0].0 - 2.0).abs() < 0.01, "a chain is straight");
/// assert!(everypath_plot::layout(3, &[]).is_none());
/// ```
#[must_use]
pub fn layout(nodes: usize, links: &[(usize, usize)]) -> Option<Vec<(f64, f64)>> {
    let is_link = |(a, b): &&(usize, usize)| a != b && *a < nodes && *b < nodes;
    let links: Vec<(usize, usize)> = links.iter().filter(is_link).copied().collect();
    if !(2..=NODES_MAX).contains(&nodes) || links.is_empty() {
        return None;
    }
    let distances = distances(nodes, &links);
    let apart = |a: usize| distances[a].iter().any(|distance| *distance > 1.0);
    if nodes > 2 && !(0..nodes).any(apart) {
        return None;
    }
    let mut places = scaled(&distances);
    for _ in 0..ROUNDS {
        relax(&mut places, &distances);
    }
    straighten(&mut places, &links);
    Some(places)
}

/// Over how many links each node is reached from each. Where there is no way, it is a little more than the longest.
fn distances(nodes: usize, links: &[(usize, usize)]) -> Vec<Vec<f64>> {
    let mut neighbours = vec![Vec::new(); nodes];
    for &(a, b) in links {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let from = |start: usize| {
        let mut steps = vec![None; nodes];
        steps[start] = Some(0_u32);
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            let next = steps[node].map(|steps| steps + 1);
            for &neighbour in &neighbours[node] {
                if steps[neighbour].is_none() {
                    steps[neighbour] = next;
                    waiting.push_back(neighbour);
                }
            }
        }
        steps
    };
    let steps: Vec<Vec<Option<u32>>> = (0..nodes).map(from).collect();
    let longest = steps.iter().flatten().flatten().max().copied().unwrap_or(0);
    let length = |steps: &Option<u32>| steps.map_or(f64::from(longest) + 1.5, f64::from);
    steps.iter().map(|row| row.iter().map(length).collect()).collect()
}

/// Numbers between -1 and 1 without any pattern.
fn scattered(seed: u64, count: usize) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1_u32 << 23) - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Classical scaling: the two directions in which the nodes are spread most, by power iteration.
fn scaled(distances: &[Vec<f64>]) -> Vec<Place> {
    let nodes = distances.len();
    let count = nodes as f64;
    let means: Vec<f64> = distances.iter().map(|row| dot(row, row) / count).collect();
    let mean = means.iter().sum::<f64>() / count;
    let product = |a: usize, b: usize| {
        -0.5 * (distances[a][b] * distances[a][b] - means[a] - means[b] + mean)
    };
    let products: Vec<Vec<f64>> =
        (0..nodes).map(|a| (0..nodes).map(|b| product(a, b)).collect()).collect();
    let mut directions: Vec<Vec<f64>> = Vec::new();
    let mut spreads = Vec::new();
    for seed in [1, 2] {
        let mut direction = scattered(seed, nodes);
        let mut spread = 0.0;
        for _ in 0..ROUNDS {
            let mut next: Vec<f64> = products.iter().map(|row| dot(row, &direction)).collect();
            for other in &directions {
                let share = dot(&next, other);
                next.iter_mut().zip(other).for_each(|(next, other)| *next -= share * other);
            }
            let length = dot(&next, &next).sqrt();
            if length < 1e-9 {
                break;
            }
            spread = length;
            direction = next.into_iter().map(|value| value / length).collect();
        }
        spreads.push(spread.sqrt());
        directions.push(direction);
    }
    let shaken = [scattered(3, nodes), scattered(4, nodes)];
    let at = |axis: usize, node: usize| {
        spreads[axis] * directions[axis][node] + SHAKEN * shaken[axis][node]
    };
    (0..nodes).map(|node| (at(0, node), at(1, node))).collect()
}

/// Moves each node to where the others would have it, those nearby before all.
fn relax(places: &mut [Place], distances: &[Vec<f64>]) {
    for node in 0..places.len() {
        let (x, y) = places[node];
        let (mut to_x, mut to_y, mut weights) = (0.0, 0.0, 0.0);
        for (other, &(other_x, other_y)) in places.iter().enumerate().filter(|it| it.0 != node) {
            let wanted = distances[node][other];
            let weight = 1.0 / (wanted * wanted);
            let (dx, dy) = (x - other_x, y - other_y);
            let stretch = wanted / (dx * dx + dy * dy).sqrt().max(1e-6);
            to_x += weight * (other_x + dx * stretch);
            to_y += weight * (other_y + dy * stretch);
            weights += weight;
        }
        places[node] = (to_x / weights, to_y / weights);
    }
}

/// Turns all so that as many links as can be lie along the page, the longer side across, and the first node
/// at the left and at the top.
fn straighten(places: &mut [Place], links: &[(usize, usize)]) {
    // Four times the angle of a link is the same for all links that are at right angles or in line.
    let (mut along, mut aside) = (0.0, 0.0);
    for &(a, b) in links {
        let (x, y) = (places[b].0 - places[a].0, places[b].1 - places[a].1);
        let (x2, y2) = (x * x - y * y, 2.0 * x * y);
        let length = (x * x + y * y).max(1e-9);
        along += (x2 * x2 - y2 * y2) / (length * length);
        aside += 2.0 * x2 * y2 / (length * length);
    }
    let agreement = (along * along + aside * aside).sqrt();
    if agreement > 0.01 * links.len() as f64 {
        let (cos, sin) = halved(halved((along / agreement, aside / agreement)));
        places.iter_mut().for_each(|(x, y)| (*x, *y) = (*x * cos + *y * sin, *y * cos - *x * sin));
    }
    let extent = |pick: fn(&Place) -> f64, places: &[Place]| {
        let values = || places.iter().map(pick);
        values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
    };
    if extent(|place| place.1, places) > extent(|place| place.0, places) + 1e-6 {
        places.iter_mut().for_each(|place| *place = (place.1, place.0));
    }
    let count = places.len() as f64;
    let (x, y) = places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
    if places[0].0 > x / count {
        places.iter_mut().for_each(|place| place.0 = -place.0);
    }
    let is_below = places[0].1 < y / count - 1e-6;
    if is_below {
        places.iter_mut().for_each(|place| place.1 = -place.1);
    }
}

/// Cosine and sine of half an angle, without a function that differs between machines.
fn halved((cos, sin): (f64, f64)) -> (f64, f64) {
    let half_sin = ((1.0 - cos).max(0.0) / 2.0).sqrt();
    (((1.0 + cos).max(0.0) / 2.0).sqrt(), if sin < 0.0 { -half_sin } else { half_sin })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn length(a: Place, b: Place) -> f64 {
        (a.0 - b.0).hypot(a.1 - b.1)
    }

    /// How far all distances are from what they should be.
    fn stress(places: &[Place], distances: &[Vec<f64>]) -> f64 {
        let nodes = places.len();
        let pairs = (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b)));
        pairs.map(|(a, b)| (length(places[a], places[b]) / distances[a][b] - 1.0).powi(2)).sum()
    }

    #[test]
    fn a_chain_is_straight_from_left_to_right() {
        let links: Vec<(usize, usize)> = (0..9).map(|node| (node, node + 1)).collect();
        let places = layout(10, &links).unwrap();
        for (node, place) in places.iter().enumerate() {
            assert!((place.0 - places[0].0 - node as f64).abs() < 0.05, "{places:?}");
            assert!((place.1 - places[0].1).abs() < 0.005, "{places:?}");
        }
    }

    #[test]
    fn a_grid_is_a_grid() {
        for (width, height) in [(4, 4), (6, 3), (10, 2)] {
            let place = |node: usize| (node % width, node / width);
            let mut links = Vec::new();
            for node in 0..width * height {
                let (x, y) = place(node);
                links.extend((x + 1 < width).then_some((node, node + 1)));
                links.extend((y + 1 < height).then_some((node, node + width)));
            }
            let places = layout(width * height, &links).unwrap();
            for (a, b) in links {
                let (dx, dy) = (places[b].0 - places[a].0, places[b].1 - places[a].1);
                let is_straight =
                    dx.abs().min(dy.abs()) < 0.35 && (0.6..1.5).contains(&dx.hypot(dy));
                assert!(is_straight, "{width} × {height}: {a}-{b} is ({dx}, {dy})");
            }
            assert!(places[0].0 < places[width * height - 1].0, "n0 is at the left");
            assert!(places[0].1 > places[width * height - 1].1, "n0 is at the top");
        }
    }

    #[test]
    fn where_a_ring_shows_more_there_is_no_layout() {
        assert_eq!(layout(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]), None);
        assert_eq!(layout(5, &[(2, 2), (7, 1)]), None);
        assert_eq!(layout(0, &[]), None);
        assert_eq!(layout(NODES_MAX + 1, &[(0, 1)]), None);
        assert!(layout(2, &[(0, 1)]).is_some());
    }

    proptest! {
        /// Trees of any form: each node hangs from one before it.
        #[test]
        fn distances_are_nearer_to_the_number_of_links_than_in_a_ring(
            parents in prop::collection::vec(any::<prop::sample::Index>(), 3..40),
        ) {
            let link = |(node, parent): (usize, &prop::sample::Index)| (parent.index(node + 1), node + 1);
            let links: Vec<(usize, usize)> = parents.iter().enumerate().map(link).collect();
            let nodes = links.len() + 1;
            let distances = distances(nodes, &links);
            let places = layout(nodes, &links).unwrap();
            let best_ring = (1..200).map(|size| {
                let ring = |node: usize| {
                    let angle = std::f64::consts::TAU * node as f64 / nodes as f64;
                    (f64::from(size) * 0.05 * angle.cos(), f64::from(size) * 0.05 * angle.sin())
                };
                stress(&(0..nodes).map(ring).collect::<Vec<_>>(), &distances)
            });
            let best_ring = best_ring.fold(f64::INFINITY, f64::min);
            prop_assert!(places.iter().all(|(x, y)| x.is_finite() && y.is_finite()));
            prop_assert!(stress(&places, &distances) < best_ring);
        }
    }
}
