//! One quantity against another, as lines.

use std::fmt::Write;

use crate::{
    axis::Axis,
    markup::{escaped, shortened, width},
    plot::{COLUMN, STYLE},
};

/// Lines over one axis: a distribution function, or a quantity over time.
///
/// ```
/// use everypath_report::{Line, LinePlot};
///
/// let plot = LinePlot {
///     title: "delay".into(),
///     about: "3 runs".into(),
///     x: "s".into(),
///     y: "share of packets".into(),
///     lines: vec![Line { name: "all runs".into(), points: vec![(0.1, 0.5), (0.3, 1.0)], is_faint: false }],
///     marks: vec![(0.1, 0.5, "median 0.1".into())],
///     is_logarithmic: false,
///     from_zero: true,
/// };
/// assert!(plot.to_svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct LinePlot {
    /// Its title.
    pub title: String,
    /// More about it, in a line.
    pub about: String,
    /// What the axis to the right is of.
    pub x: String,
    /// What the axis upwards is of.
    pub y: String,
    /// The lines, in the order in which they are drawn. Between two points a line keeps the height of the first.
    pub lines: Vec<Line>,
    /// Points to look at, with what to say of them.
    pub marks: Vec<(f64, f64, String)>,
    /// Whether the axis to the right is logarithmic.
    pub is_logarithmic: bool,
    /// Whether the axis upwards has 0 on it in any case.
    pub from_zero: bool,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is called.
    pub name: String,
    /// Where it leads, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Whether it is there only for comparison.
    pub is_faint: bool,
}

const LEFT: f64 = 78.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 98.0;
const BOTTOM: f64 = 62.0;
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// Titles that are longer are shortened.
const TITLE_COLUMNS_MAX: usize = 84;
/// As many steps as a line is drawn with at most: there are not more pixels.
const STEPS_MAX: usize = 1500;

struct Axes {
    x: Axis,
    y: Axis,
}

impl Axes {
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let across = LEFT + (WIDTH - LEFT - RIGHT) * self.x.share(x);
        (across, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * self.y.share(y))
    }
}

impl LinePlot {
    /// The drawing, with a background of its own. It needs no fonts or files.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let axes = self.axes();
        let label = escaped(&self.title);
        let mut out = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{label}"><style>{STYLE}</style><rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="8"/><text class="title" x="20" y="33">{}<title>{label}</title></text><text class="muted" x="20" y="54">{}</text>"#,
            escaped(&shortened(&self.title, 60)),
            escaped(&shortened(&self.about, TITLE_COLUMNS_MAX))
        );
        self.draw_axes(&mut out, &axes);
        for line in self.lines.iter().filter(|line| !line.points.is_empty()) {
            let class = if line.is_faint { "line faint" } else { "line" };
            let name = escaped(&line.name);
            let way = way(&axes, &line.points);
            let _ = write!(out, r#"<path class="{class}" d="{way}"><title>{name}</title></path>"#);
        }
        self.draw_marks(&mut out, &axes);
        out.push_str("</svg>\n");
        out
    }

    fn axes(&self) -> Axes {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let across = points().map(|(x, _)| *x);
        let x = if self.is_logarithmic { Axis::logarithmic(across) } else { Axis::linear(across) };
        let zero = self.from_zero.then_some(0.0);
        Axes { x, y: Axis::linear(points().map(|(_, y)| *y).chain(zero)) }
    }

    fn draw_axes(&self, out: &mut String, axes: &Axes) {
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let mut free = f64::NEG_INFINITY;
        for (value, label) in axes.x.ticks() {
            let x = LEFT + (right - LEFT) * axes.x.share(value);
            let _ = write!(
                out,
                r#"<line class="grid" x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{:.1}"/>"#,
                bottom + 5.0
            );
            let half = 0.5 * COLUMN * width(&label) as f64;
            if x - half >= free {
                free = x + half + COLUMN;
                let _ = write!(
                    out,
                    r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#,
                    bottom + 20.0
                );
            }
        }
        for (value, label) in axes.y.ticks() {
            let y = bottom - (bottom - TOP) * axes.y.share(value);
            let _ = write!(
                out,
                r#"<line class="grid" x1="{:.1}" y1="{y:.1}" x2="{right}" y2="{y:.1}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                LEFT - 5.0,
                LEFT - 9.0,
                y + 4.0
            );
        }
        let _ = write!(
            out,
            r#"<text class="axis" x="{right}" y="{:.1}" text-anchor="end">{}</text><text class="axis" x="20" y="{:.1}">{}</text>"#,
            HEIGHT - 16.0,
            escaped(&shortened(&self.x, TITLE_COLUMNS_MAX)),
            TOP - 14.0,
            escaped(&shortened(&self.y, TITLE_COLUMNS_MAX))
        );
    }

    fn draw_marks(&self, out: &mut String, axes: &Axes) {
        let mut lowest = f64::INFINITY;
        for (x, y, text) in &self.marks {
            let (x, y) = axes.place((*x, *y));
            let room = COLUMN * width(text) as f64;
            let (words, anchor) = if x + 10.0 + room > WIDTH - RIGHT {
                (x - 10.0, "end")
            } else {
                (x + 10.0, "start")
            };
            // Words that would lie over each other move down.
            let line = (y + 16.0).min(HEIGHT - BOTTOM - 6.0);
            let line = if (line - lowest).abs() < 15.0 { lowest + 15.0 } else { line };
            lowest = line;
            let _ = write!(
                out,
                r#"<circle class="mean" cx="{x:.1}" cy="{y:.1}" r="3.6"/><text class="label" x="{words:.1}" y="{line:.1}" text-anchor="{anchor}">{}</text>"#,
                escaped(text)
            );
        }
    }
}

/// The line in steps. Of very many points, so many are kept that none is missed by the eye.
fn way(axes: &Axes, points: &[(f64, f64)]) -> String {
    let stride = points.len().div_ceil(STEPS_MAX).max(1);
    let last = points.len() - 1;
    let mut way = String::new();
    let mut height = None;
    for (number, &point) in points.iter().enumerate() {
        if number % stride != 0 && number != last {
            continue;
        }
        let (x, y) = axes.place(point);
        let _ = match height {
            None => write!(way, "M{x:.1} {y:.1}"),
            Some(before) if before == y => write!(way, "H{x:.1}"),
            Some(_) => write!(way, "H{x:.1}V{y:.1}"),
        };
        height = Some(y);
    }
    way
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::Document;

    use super::*;
    use crate::chart::random::nasty;

    proptest! {
        #[test]
        fn any_plot_is_well_formed_and_within_its_frame(
            title in nasty(), name in nasty(),
            points in prop::collection::vec((any::<f64>(), any::<f64>()), 0..40),
            is_logarithmic: bool, from_zero: bool,
        ) {
            let marks = points.first().map(|&(x, y)| (x, y, name.clone())).into_iter().collect();
            let lines = vec![Line { name, points, is_faint: false }];
            let (about, x, y) = (title.clone(), title.clone(), title.clone());
            let plot = LinePlot { title, about, x, y, lines, marks, is_logarithmic, from_zero };
            let svg = plot.to_svg();
            let drawing = Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
            for circle in drawing.descendants().filter(|node| node.has_tag_name("circle")) {
                let at: f64 = circle.attribute("cx").unwrap().parse().unwrap();
                prop_assert!((0.0..=WIDTH).contains(&at), "{at}");
            }
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    fn a_line_keeps_its_height_until_the_next_point() {
        let points = vec![(0.0, 0.0), (1.0, 1.0), (2.0, 1.0)];
        let line = Line { name: String::new(), points, is_faint: false };
        let plot = LinePlot {
            title: String::new(),
            about: String::new(),
            x: String::new(),
            y: String::new(),
            lines: vec![line],
            marks: Vec::new(),
            is_logarithmic: false,
            from_zero: true,
        };
        let svg = plot.to_svg();
        assert!(svg.contains(r#"d="M78.0 378.0H404.0V98.0H730.0""#), "{svg}");
    }
}
