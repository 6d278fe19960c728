//! Network plots: nodes at their positions, links, and routes.

use std::{collections::BTreeMap, fmt::Write};

use everypath_report::shortened;

use crate::{
    axis::Axis,
    frame::{Frame, paper},
    markup::escaped,
};

/// A network at one moment.
///
/// ```
/// use everypath_plot::{NetworkPlot, PlacedNode, PlottedHop};
///
/// let node = |name: &str, x, y| PlacedNode { name: name.into(), place: Some((x, y)) };
/// let plot = NetworkPlot {
///     title: "manet".into(),
///     about: "at 5 s".into(),
///     is_to_scale: true,
///     nodes: vec![node("n0", 0.0, 0.0), node("n1", 200.0, 50.0)],
///     links: vec![(0, 1)],
///     hops: vec![PlottedHop { from: 0, next: 1, destination: "n1".into() }],
/// };
/// assert!(plot.to_svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct NetworkPlot {
    /// Its title.
    pub title: String,
    /// More about it, in a line.
    pub about: String,
    /// Whether nodes are where they are drawn, in metres: then there are axes.
    pub is_to_scale: bool,
    /// The nodes.
    pub nodes: Vec<PlacedNode>,
    /// Which of them hear each other.
    pub links: Vec<(usize, usize)>,
    /// The hops that they have established.
    pub hops: Vec<PlottedHop>,
}

/// A node.
///
/// ```
/// use everypath_plot::PlacedNode;
///
/// let node = PlacedNode { name: "n0".into(), place: Some((10.0, 20.0)) };
/// assert_eq!(node.place.unwrap().0, 10.0);
/// ```
#[derive(Clone, Debug)]
pub struct PlacedNode {
    /// What it is called.
    pub name: String,
    /// Where it is, to the right and up the page. If one node is nowhere, all are drawn in a ring.
    pub place: Option<(f64, f64)>,
}

/// A hop that a node has established.
///
/// ```
/// use everypath_plot::PlottedHop;
///
/// // Packets for n4 go from node 0 to node 2 first.
/// let hop = PlottedHop { from: 0, next: 2, destination: "n4".into() };
/// assert_eq!(hop.next, 2);
/// ```
#[derive(Clone, Debug)]
pub struct PlottedHop {
    /// Which node.
    pub from: usize,
    /// Which comes next.
    pub next: usize,
    /// Where it leads in the end.
    pub destination: String,
}

const LEFT: f64 = 66.0;
const TOP: f64 = 98.0;
const MARGIN: f64 = 30.0;
const BOTTOM: f64 = 60.0;
/// The longer side of the field.
const SIDE: f64 = 660.0;
/// What the page is wide at least: words need room.
const PAGE_MIN: f64 = 600.0;
/// What the field is high and wide at least.
const SIDE_MIN: f64 = 240.0;
/// Of more destinations than there are colours, those with the fewest hops are skipped: their hops would hide each other.
const DESTINATIONS_MAX: usize = 4;
/// How long 1 is drawn at most, if that means nothing.
const UNIT_MAX: f64 = 110.0;

struct Sheet {
    /// Where each node lies on the page.
    places: Vec<(f64, f64)>,
    width: f64,
    height: f64,
    axes: Option<(Axis, Axis)>,
    page_width: f64,
    radius: f64,
}

impl NetworkPlot {
    /// The drawing, with a background of its own. It needs no fonts or files.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let sheet = self.sheet();
        let (shown, left_out) = self.destinations();
        let page_width = sheet.page_width;
        let legend_rows = shown.len().div_ceil(LEGEND_COLUMNS);
        let legend = TOP + sheet.height + if sheet.axes.is_some() { BOTTOM - 12.0 } else { 26.0 };
        let page_height = legend + 14.0 + 20.0 * legend_rows as f64;
        let mut out = paper(&self.title, &self.about, page_width, page_height);
        sheet.draw_axes(&mut out);
        for &(a, b) in &self.links {
            let ends = sheet.places.get(a).zip(sheet.places.get(b));
            if let Some(((x1, y1), (x2, y2))) = ends {
                let _ = write!(
                    out,
                    r#"<line class="heard" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
                );
            }
        }
        self.draw_hops(&mut out, &sheet, &shown);
        for (node, (x, y)) in self.nodes.iter().zip(&sheet.places) {
            let _ = write!(
                out,
                r#"<circle class="node" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/><text class="name" x="{x:.1}" y="{:.1}">{}</text>"#,
                sheet.radius,
                y + 4.0,
                escaped(&shortened(&node.name, 8))
            );
        }
        draw_legend(&mut out, &shown, left_out, legend);
        out.push_str("</svg>\n");
        out
    }

    /// Which destinations have a colour, and how many have none.
    fn destinations(&self) -> (Vec<&str>, usize) {
        let mut hops: BTreeMap<&str, usize> = BTreeMap::new();
        for hop in &self.hops {
            *hops.entry(&hop.destination).or_default() += 1;
        }
        let mut by_hops: Vec<(&str, usize)> = hops.into_iter().collect();
        by_hops.sort_by_key(|&(_, hops)| std::cmp::Reverse(hops));
        let left_out = by_hops.len().saturating_sub(DESTINATIONS_MAX);
        by_hops.truncate(DESTINATIONS_MAX);
        let mut shown: Vec<&str> = by_hops.into_iter().map(|(name, _)| name).collect();
        // n9 before n10.
        shown.sort_by_key(|name| (name.len(), *name));
        (shown, left_out)
    }

    fn sheet(&self) -> Sheet {
        let given: Option<Vec<(f64, f64)>> = self.nodes.iter().map(|node| node.place).collect();
        let radius = if self.nodes.len() > 60 { 9.0 } else { 12.0 };
        let Some(given) = given.filter(|places| !places.is_empty()) else {
            return self.ring(radius);
        };
        if !self.is_to_scale {
            return spread(&given, radius);
        }
        let x = Axis::linear(given.iter().map(|(x, _)| *x));
        let y = Axis::linear(given.iter().map(|(_, y)| *y));
        let longest = x.length().max(y.length());
        let side = |axis: &Axis| (SIDE * axis.length() / longest).max(SIDE_MIN);
        let (width, height) = (side(&x), side(&y));
        // One metre is the same in both directions.
        let scale = (width / x.length()).min(height / y.length());
        let (width, height) = (x.length() * scale, y.length() * scale);
        let place =
            |&(a, b): &(f64, f64)| (LEFT + width * x.share(a), TOP + height * (1.0 - y.share(b)));
        let places = given.iter().map(place).collect();
        let page_width = (LEFT + width + MARGIN).max(PAGE_MIN);
        Sheet { places, width, height, axes: Some((x, y)), page_width, radius }
    }

    /// Nodes that are nowhere, in a ring.
    fn ring(&self, radius: f64) -> Sheet {
        let count = self.nodes.len().max(1) as f64;
        let around = (count * 3.4 * radius / std::f64::consts::TAU).clamp(110.0, 600.0);
        let side = 2.0 * (around + 2.0 * radius);
        let page_width = (side + 2.0 * MARGIN).max(PAGE_MIN);
        let middle = (page_width / 2.0, TOP + side / 2.0);
        let place = |node: usize| {
            let angle = std::f64::consts::TAU * (node as f64 / count - 0.25);
            (middle.0 + around * angle.cos(), middle.1 + around * angle.sin())
        };
        let places = (0..self.nodes.len()).map(place).collect();
        Sheet { places, width: side, height: side, axes: None, page_width, radius }
    }

    fn draw_hops(&self, out: &mut String, sheet: &Sheet, shown: &[&str]) {
        for hop in &self.hops {
            let Some(colour) = shown.iter().position(|name| *name == hop.destination) else {
                continue;
            };
            let ends = sheet.places.get(hop.from).zip(sheet.places.get(hop.next));
            let Some((&(x1, y1), &(x2, y2))) = ends else { continue };
            let length = (x2 - x1).hypot(y2 - y1);
            if length < 1.0 {
                continue;
            }
            let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
            // Hops of several destinations between two nodes lie beside each other, those back on the other side.
            let aside = (colour as f64 + 0.5) * 3.0;
            let (ax, ay) = (-dy * aside, dx * aside);
            // An arrow beside the middle of a node reaches its edge later.
            let gap =
                (sheet.radius * sheet.radius - aside * aside).max(0.0).sqrt().min(length / 3.0);
            let (bx, by) = (x1 + dx * gap + ax, y1 + dy * gap + ay);
            let (ex, ey) = (x2 - dx * (gap + 1.0) + ax, y2 - dy * (gap + 1.0) + ay);
            let (hx, hy) = (ex - dx * 9.0, ey - dy * 9.0);
            let _ = write!(
                out,
                r#"<line class="hop hop{colour}" x1="{bx:.1}" y1="{by:.1}" x2="{hx:.1}" y2="{hy:.1}"><title>{} → {} for {}</title></line><polygon class="head{colour}" points="{ex:.1},{ey:.1} {:.1},{:.1} {:.1},{:.1}"/>"#,
                escaped(&self.nodes[hop.from].name),
                escaped(&self.nodes[hop.next].name),
                escaped(&hop.destination),
                hx - dy * 4.5,
                hy + dx * 4.5,
                hx + dy * 4.5,
                hy - dx * 4.5
            );
        }
    }
}

/// Nodes that are drawn where one sees how they are linked.
fn spread(given: &[(f64, f64)], radius: f64) -> Sheet {
    let ends = |pick: fn(&(f64, f64)) -> f64| {
        let values = || given.iter().map(pick);
        (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
    };
    let ((left, right), (bottom, top)) = (ends(|place| place.0), ends(|place| place.1));
    let scale = (SIDE / (right - left).max(top - bottom).max(1e-9)).min(UNIT_MAX);
    let (width, height) = (scale * (right - left), scale * (top - bottom) + 4.0 * radius);
    let page_width = (width + 4.0 * radius + 2.0 * MARGIN).max(PAGE_MIN);
    let edge = (page_width - width) / 2.0;
    let place =
        |&(x, y): &(f64, f64)| (edge + scale * (x - left), TOP + 2.0 * radius + scale * (top - y));
    let places = given.iter().map(place).collect();
    Sheet { places, width, height, axes: None, page_width, radius }
}

const LEGEND_COLUMNS: usize = 3;

fn draw_legend(out: &mut String, shown: &[&str], left_out: usize, top: f64) {
    for (place, name) in shown.iter().enumerate() {
        let x = LEFT + 130.0 * (place % LEGEND_COLUMNS) as f64;
        let y = top + 20.0 * (place / LEGEND_COLUMNS) as f64;
        let _ = write!(
            out,
            r#"<line class="hop hop{place}" x1="{x:.1}" y1="{y:.1}" x2="{:.1}" y2="{y:.1}"/><text x="{:.1}" y="{:.1}">to {}</text>"#,
            x + 22.0,
            x + 28.0,
            y + 4.0,
            escaped(&shortened(name, 11))
        );
    }
    if left_out > 0 {
        // There are more than fit into one row.
        let (x, y) = (LEFT + 130.0, top + 24.0);
        let _ = write!(
            out,
            r#"<text class="muted" x="{x:.1}" y="{y:.1}">{left_out} more destinations</text>"#
        );
    }
}

impl Sheet {
    fn draw_axes(&self, out: &mut String) {
        let Some((across, up)) = &self.axes else { return };
        let (right, bottom) = (LEFT + self.width, TOP + self.height);
        let frame = Frame { left: LEFT, right, top: TOP, bottom };
        frame.draw_across(out, &across.ticks_at_shares());
        frame.draw_up(out, &up.ticks_at_shares());
        frame.draw_titles(out, "", "m");
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::Document;

    use super::*;
    use crate::chart::random::nasty;

    proptest! {
        #[test]
        fn any_network_is_drawn_within_its_page(
            title in nasty(),
            places in prop::collection::vec(
                prop::option::weighted(0.98, (-1e4..1e4_f64, -1e4..1e4_f64)), 0..30,
            ),
            links in prop::collection::vec((0..30_usize, 0..30_usize), 0..20),
            hops in prop::collection::vec((0..30_usize, 0..30_usize, 0..9_u32), 0..40),
            is_to_scale: bool,
        ) {
            let nodes: Vec<PlacedNode> =
                places.into_iter().map(|place| PlacedNode { name: title.clone(), place }).collect();
            let count = nodes.len();
            let hops = hops.into_iter().filter(|hop| hop.0 < count && hop.1 < count);
            let hops = hops.map(|(from, next, to)| {
                PlottedHop { from, next, destination: format!("n{to}") }
            });
            let (about, hops) = (title.clone(), hops.collect());
            let svg = NetworkPlot { title, about, is_to_scale, nodes, links, hops }.to_svg();
            let page = Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let size = |name| page.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
            let circles: Vec<_> =
                page.descendants().filter(|node| node.has_tag_name("circle")).collect();
            prop_assert_eq!(circles.len(), count);
            for circle in circles {
                for (at, side) in [("cx", "width"), ("cy", "height")] {
                    let at: f64 = circle.attribute(at).unwrap().parse().unwrap();
                    prop_assert!((0.0..=size(side)).contains(&at), "{at}");
                }
            }
        }
    }

    #[test]
    fn a_metre_is_as_long_in_both_directions() {
        let node = |x, y| PlacedNode { name: String::new(), place: Some((x, y)) };
        let nodes = vec![node(0.0, 0.0), node(1000.0, 0.0), node(0.0, 200.0)];
        let plot = NetworkPlot {
            title: String::new(),
            about: String::new(),
            is_to_scale: true,
            nodes,
            links: Vec::new(),
            hops: Vec::new(),
        };
        let places = plot.sheet().places;
        let (across, up) = (places[1].0 - places[0].0, places[0].1 - places[2].1);
        assert!((across / up - 5.0).abs() < 1e-9);
    }
}
