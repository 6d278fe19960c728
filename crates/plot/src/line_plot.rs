//! Line plots: one quantity against another.

use std::fmt::Write;

use everypath_report::text_width;

use crate::{
    axis::Axis,
    frame::{Frame, paper},
    markup::escaped,
    plot::COLUMN,
};

/// Lines over one axis: a distribution function, or a quantity over time.
///
/// ```
/// use everypath_plot::{Line, LinePlot};
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
///
/// ```
/// use everypath_plot::Line;
///
/// let line = Line { name: "run 0".into(), points: vec![(0.0, 1.0), (2.0, 3.0)], is_faint: true };
/// assert!(line.points.is_sorted_by(|one, next| one.0 < next.0));
/// ```
#[derive(Clone, Debug)]
pub struct Line {
    /// What it is called.
    pub name: String,
    /// Where it leads, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Whether it is there only for comparison.
    pub is_faint: bool,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
const FRAME: Frame = Frame { left: 78.0, right: WIDTH - 30.0, top: 98.0, bottom: HEIGHT - 62.0 };
/// As many steps as a line is drawn with at most: there are not more pixels.
const STEPS_MAX: usize = 1500;

struct Axes {
    x: Axis,
    y: Axis,
}

impl Axes {
    fn place(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (FRAME.x(self.x.share(x)), FRAME.y(self.y.share(y)))
    }
}

impl LinePlot {
    /// The drawing, with a background of its own. It needs no fonts or files.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let axes = self.axes();
        let mut out = paper(&self.title, &self.about, WIDTH, HEIGHT);
        FRAME.draw_across(&mut out, &axes.x.ticks_at_shares());
        FRAME.draw_up(&mut out, &axes.y.ticks_at_shares());
        FRAME.draw_titles(&mut out, &self.x, &self.y);
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

    fn draw_marks(&self, out: &mut String, axes: &Axes) {
        let mut lowest = f64::INFINITY;
        for (x, y, text) in &self.marks {
            let (x, y) = axes.place((*x, *y));
            let room = COLUMN * text_width(text) as f64;
            let (words, anchor) =
                if x + 10.0 + room > FRAME.right { (x - 10.0, "end") } else { (x + 10.0, "start") };
            // Words that would lie over each other move down.
            let line = (y + 16.0).min(FRAME.bottom - 6.0);
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

/// The line in steps. Of very many points, only as many are kept as the eye can see.
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
