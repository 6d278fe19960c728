//! Plots of repeated measurements: a row for each thing that was measured, a panel for each quantity.

use std::fmt::Write;

use everypath_report::{shortened, text_width};

use crate::{axis::Axis, markup::escaped};

/// Repeated measurements of several things.
///
/// ```
/// use everypath_plot::{Panel, Plot, Point, Scale};
///
/// let point = Point { min: 96.0, mean: 99.6, max: 103.0, half_width: Some(0.4), at_least: false, text: "99.6 ± 0.4".into() };
/// let plot = Plot {
///     title: "arq-erroneous".into(),
///     about: "100 seeds".into(),
///     interval: "95 % interval".into(),
///     scale: Scale::Logarithmic,
///     rows: vec!["best:arq-1".into()],
///     panels: vec![Panel { title: "events".into(), points: vec![Some(point)] }],
/// };
/// assert!(plot.to_svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct Plot {
    /// Its title.
    pub title: String,
    /// More about it, in a line.
    pub about: String,
    /// What the intervals are, as in "95 % interval".
    pub interval: String,
    /// The axes of all panels.
    pub scale: Scale,
    /// What the rows are called.
    pub rows: Vec<String>,
    /// The quantities, from left to right.
    pub panels: Vec<Panel>,
}

/// The kind of an axis.
///
/// ```
/// use everypath_plot::Scale;
///
/// // A difference can be below 0, where there are no logarithms.
/// assert_ne!(Scale::Difference, Scale::Logarithmic);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal factors are equal distances; for quantities above 0.
    Logarithmic,
    /// Linear, with a line at 0, which is always on it; for differences.
    Difference,
}

/// One quantity.
///
/// ```
/// use everypath_plot::Panel;
///
/// // Nothing was measured in the only row.
/// let panel = Panel { title: "seconds".into(), points: vec![None] };
/// assert_eq!(panel.points.len(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it is called.
    pub title: String,
    /// For each row what was measured; nothing if there is nothing.
    pub points: Vec<Option<Point>>,
}

/// What was measured in one row.
///
/// ```
/// use everypath_plot::Point;
///
/// let (min, mean, max) = (1.0, 2.0, 4.0);
/// let point = Point { min, mean, max, half_width: None, at_least: true, text: "more than 2".into() };
/// assert!(point.min <= point.mean && point.mean <= point.max);
/// ```
#[derive(Clone, Debug)]
pub struct Point {
    /// The smallest.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The largest.
    pub max: f64,
    /// With the mean, plus and minus: the confidence interval, if there is one.
    pub half_width: Option<f64>,
    /// Whether some was not measured to its end, so that it is more.
    pub at_least: bool,
    /// The same in words.
    pub text: String,
}

const MARGIN: f64 = 20.0;
/// What a character takes.
pub(crate) const COLUMN: f64 = 7.25;
const ROW: f64 = 26.0;
const TOP: f64 = 92.0;
/// The length of an axis, and what lies between its end and the words of the rows.
const AXIS: f64 = 380.0;
const GAP: f64 = 14.0;
/// Names that are longer are shortened.
const NAME_COLUMNS_MAX: usize = 48;
/// The room of the axis' numbers and the legend.
const BOTTOM: f64 = 62.0;

pub(crate) const STYLE: &str = include_str!("plot.css");
const LEGEND_MORE: &str = "; ▶: more, since runs were stopped";

impl Plot {
    /// The drawing, with a background of its own. It needs no fonts or files.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let names = self.rows.iter().map(|name| text_width(name).min(NAME_COLUMNS_MAX)).max();
        let names = names.unwrap_or(0) as f64 * COLUMN;
        let mut left = MARGIN + names + GAP;
        let bottom = TOP + ROW * self.rows.len() as f64;
        let mut panels = String::new();
        for panel in &self.panels {
            let drawn = DrawnPanel { panel, axis: self.scale.axis_of(panel), left, bottom };
            drawn.draw(&mut panels);
            left = drawn.right() + 2.0 * GAP;
        }
        let legend = self.legend();
        let lines =
            [&self.title, &self.about, &legend].map(|line| text_width(line) as f64 * COLUMN);
        let wanted = lines.into_iter().fold(left - 2.0 * GAP, |most, line| most.max(MARGIN + line));
        let (width, height) = (wanted + MARGIN, bottom + BOTTOM);
        let label = escaped(&self.title);
        let mut out = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="img" aria-label="{label}"><style>{STYLE}</style><rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/><text class="title" x="{MARGIN}" y="33">{label}</text><text class="muted" x="{MARGIN}" y="54">{}</text>"#,
            escaped(&self.about)
        );
        self.draw_rows(&mut out, width);
        out.push_str(&panels);
        let (x, y) = (MARGIN, bottom + BOTTOM - 16.0);
        let _ =
            write!(out, r#"<text class="muted" x="{x}" y="{y:.1}">{}</text>"#, escaped(&legend));
        out.push_str("</svg>\n");
        out
    }

    fn legend(&self) -> String {
        let mut points = self.panels.iter().flat_map(|panel| panel.points.iter().flatten());
        let more = if points.any(|point| point.at_least) { LEGEND_MORE } else { "" };
        let axis = match self.scale {
            Scale::Logarithmic => "logarithmic axis",
            Scale::Difference => "linear axis",
        };
        let interval = &self.interval;
        format!("{axis}; dot: mean; bar: {interval}; line: smallest to largest{more}")
    }

    fn draw_rows(&self, out: &mut String, width: f64) {
        for (number, name) in self.rows.iter().enumerate() {
            let top = TOP + ROW * number as f64;
            if number % 2 == 0 {
                let _ = write!(
                    out,
                    r#"<rect class="odd" x="1" y="{top:.1}" width="{:.1}" height="{ROW}"/>"#,
                    width - 2.0
                );
            }
            let _ = write!(
                out,
                r#"<text x="{MARGIN}" y="{:.1}">{}<title>{}</title></text>"#,
                middle(number) + 4.0,
                escaped(&shortened(name, NAME_COLUMNS_MAX)),
                escaped(name)
            );
        }
    }
}

/// The height of a row.
fn middle(row: usize) -> f64 {
    TOP + ROW * (row as f64 + 0.5)
}

struct DrawnPanel<'a> {
    panel: &'a Panel,
    axis: Axis,
    left: f64,
    bottom: f64,
}

impl DrawnPanel<'_> {
    /// Where its words end.
    fn right(&self) -> f64 {
        let words = self.panel.points.iter().flatten().map(|point| text_width(&point.text)).max();
        self.left + AXIS + GAP + words.unwrap_or(0) as f64 * COLUMN
    }

    fn x(&self, value: f64) -> f64 {
        self.left + AXIS * self.axis.share(value)
    }

    fn draw(&self, out: &mut String) {
        let (left, title) = (self.left, escaped(&self.panel.title));
        let _ = write!(
            out,
            r#"<text class="panel" x="{left:.1}" y="{:.1}">{title}</text>"#,
            TOP - 12.0
        );
        self.draw_axis(out);
        if self.axis.crosses_zero() {
            let (x, bottom) = (self.x(0.0), self.bottom);
            let _ = write!(
                out,
                r#"<line class="cap zero" x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{bottom:.1}"/>"#
            );
        }
        for (row, point) in self.panel.points.iter().enumerate() {
            if let Some(point) = point {
                self.draw_point(out, row, point);
            }
        }
    }

    fn draw_axis(&self, out: &mut String) {
        let mut free = f64::NEG_INFINITY;
        for (value, label) in self.axis.ticks() {
            let (x, bottom) = (self.x(value), self.bottom);
            let half = 0.5 * COLUMN * text_width(&label) as f64;
            let _ = write!(
                out,
                r#"<line class="grid" x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{:.1}"/>"#,
                bottom + 5.0
            );
            if x - half < free {
                continue;
            }
            free = x + half + COLUMN;
            let _ = write!(
                out,
                r#"<text class="tick" x="{x:.1}" y="{:.1}" text-anchor="middle">{label}</text>"#,
                bottom + 19.0
            );
        }
    }

    fn draw_point(&self, out: &mut String, row: usize, point: &Point) {
        let y = middle(row);
        let [min, mean, max] = [point.min, point.mean, point.max].map(|value| self.x(value));
        let _ = write!(out, "<g><title>{}</title>", escaped(&point.text));
        if min < max {
            let _ = write!(
                out,
                r#"<line class="range" x1="{min:.1}" y1="{y:.1}" x2="{max:.1}" y2="{y:.1}"/>"#
            );
            for x in [min, max] {
                let _ = write!(
                    out,
                    r#"<line class="cap" x1="{x:.1}" y1="{:.1}" x2="{x:.1}" y2="{:.1}"/>"#,
                    y - 4.5,
                    y + 4.5
                );
            }
        }
        if let Some(half) = point.half_width {
            let [from, to] = [point.mean - half, point.mean + half].map(|value| self.x(value));
            let _ = write!(
                out,
                r#"<rect class="interval" x="{from:.1}" y="{:.1}" width="{:.1}" height="12"/>"#,
                y - 6.0,
                to - from
            );
        }
        if point.at_least {
            let _ = write!(
                out,
                r#"<polygon class="more" points="{:.1},{:.1} {:.1},{y:.1} {:.1},{:.1}"/>"#,
                max + 6.0,
                y - 5.0,
                max + 14.0,
                max + 6.0,
                y + 5.0
            );
        }
        let words = self.left + AXIS + GAP;
        let _ = write!(
            out,
            r#"<circle class="mean" cx="{mean:.1}" cy="{y:.1}" r="3.6"/><text x="{words:.1}" y="{:.1}">{}</text></g>"#,
            y + 4.0,
            escaped(&point.text)
        );
    }
}

impl Scale {
    fn axis_of(self, panel: &Panel) -> Axis {
        let points = panel.points.iter().flatten();
        let half = |point: &Point| point.half_width.unwrap_or(0.0);
        match self {
            // The lower end of an interval can be next to 0, and would make this axis too long.
            Self::Logarithmic => Axis::logarithmic(
                points
                    .flat_map(|point| [point.min, point.mean, point.max, point.mean + half(point)]),
            ),
            Self::Difference => Axis::linear([0.0].into_iter().chain(points.flat_map(|point| {
                [point.min, point.max, point.mean - half(point), point.mean + half(point)]
            }))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(min: f64, mean: f64, max: f64) -> Point {
        let text = format!("{mean} <&>");
        Point { min, mean, max, half_width: Some(mean), at_least: false, text }
    }

    fn plot(points: Vec<Option<Point>>) -> Plot {
        let rows = (0..points.len()).map(|row| format!("row {row} <script>\"")).collect();
        let panels = vec![
            Panel { title: "a<b".to_owned(), points: points.clone() },
            Panel { title: "c".to_owned(), points },
        ];
        Plot {
            title: "a & b".to_owned(),
            about: String::new(),
            interval: "95 % interval".to_owned(),
            scale: Scale::Logarithmic,
            rows,
            panels,
        }
    }

    /// The numbers of an attribute in all elements of a class.
    fn numbers(svg: &str, class: &str, attribute: &str) -> Vec<f64> {
        let tree = roxmltree::Document::parse(svg).unwrap();
        let elements = tree.descendants().filter(|it| it.attribute("class") == Some(class));
        elements.map(|it| it.attribute(attribute).unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn equal_factors_are_equal_distances() {
        let svg =
            plot(vec![Some(point(1.0, 10.0, 100.0)), Some(point(1000.0, 1000.0, 1000.0)), None])
                .to_svg();
        let means = numbers(&svg, "mean", "cx");
        let [starts, ends] = ["x1", "x2"].map(|end| numbers(&svg, "range", end));
        assert_eq!((means.len(), starts.len()), (4, 2), "a row with one value has no range");
        let distances = [means[0] - starts[0], ends[0] - means[0], means[1] - ends[0]];
        assert!(distances.iter().all(|it| (it - distances[0]).abs() < 0.21), "{distances:?}");
        assert!(distances[0] > 50.0);
    }

    #[test]
    fn differences_stand_on_both_sides_of_zero() {
        let mut drawn = plot(vec![Some(point(-30.0, -10.0, 5.0)), Some(point(8.0, 20.0, 40.0))]);
        drawn.scale = Scale::Difference;
        let svg = drawn.to_svg();
        // The first panel has the line at 0 before the ends of the ranges.
        let zero = numbers(&svg, "cap zero", "x1")[0];
        let means = numbers(&svg, "mean", "cx");
        assert!(means[0] < zero && zero < means[1], "{svg}");
        let unit = (means[1] - means[0]) / 30.0;
        assert!((zero - means[0] - 10.0 * unit).abs() < 0.2, "{svg}");
        assert!(svg.contains("linear axis; dot: mean; bar: 95 % interval;"), "{svg}");
    }

    #[test]
    fn all_lies_within_the_drawing_whatever_is_measured() {
        let hard = [0.0, 1e-7, 0.3, 1.0, 7.0, 99.0, 1e12, f64::NAN, f64::INFINITY];
        for a in hard {
            for b in hard {
                let svg = plot(vec![Some(point(a, a, b)), Some(point(b, b, b))]).to_svg();
                let tree = roxmltree::Document::parse(&svg).unwrap();
                let width: f64 = tree.root_element().attribute("width").unwrap().parse().unwrap();
                for (class, attribute) in [
                    ("mean", "cx"),
                    ("range", "x1"),
                    ("range", "x2"),
                    ("tick", "x"),
                    ("grid", "x1"),
                ] {
                    let found = numbers(&svg, class, attribute);
                    assert!(found.iter().all(|x| (0.0..=width).contains(x)), "{a} {b}: {svg}");
                }
            }
        }
    }

    #[test]
    fn an_axis_has_enough_round_numbers() {
        for (low, high) in [(96.0, 103.0), (1.0, 2e9), (0.0004, 0.02), (5.0, 5.0), (50.0, 475.0)] {
            let panel = &plot(vec![Some(point(low, low, high))]).panels[0];
            let axis = Scale::Logarithmic.axis_of(panel);
            let ticks = axis.ticks();
            assert!((3..=20).contains(&ticks.len()), "{low} {high}: {ticks:?}");
            for (value, label) in ticks {
                let unit = match label.chars().last() {
                    Some('k') => 1e3,
                    Some('M') => 1e6,
                    Some('G') => 1e9,
                    _ => 1.0,
                };
                let written: f64 = label.trim_end_matches(['k', 'M', 'G']).parse().unwrap();
                assert!((written * unit / value - 1.0).abs() < 1e-9, "{label} is not {value}");
            }
        }
    }
}
