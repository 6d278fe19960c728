//! Curve plots: a quantity measured at several points, with error bars.

use std::fmt::Write;

use everypath_report::{shortened, text_width};

use crate::{
    axis::{Axis, Tick},
    frame::{Frame, paper, room_of},
    markup::escaped,
    plot::COLUMN,
};

/// A measure against a parameter, a curve for each variant.
///
/// ```
/// use everypath_plot::{Curve, CurvePlot, CurvePoint};
///
/// let point = |x, mean| CurvePoint { x, mean, half_width: Some(0.1), text: format!("{mean} ± 0.1") };
/// let plot = CurvePlot {
///     title: "manet: delay".into(),
///     about: "5 runs each".into(),
///     x: "nodes".into(),
///     y: "delay in s".into(),
///     names: Vec::new(),
///     key: "rules".into(),
///     curves: vec![
///         Curve { name: "ns3".into(), points: vec![point(10.0, 0.3), point(20.0, 0.5)] },
///         Curve { name: "rfc3561".into(), points: vec![point(10.0, 0.4), point(20.0, 0.7)] },
///     ],
/// };
/// assert!(plot.to_svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct CurvePlot {
    /// Its title.
    pub title: String,
    /// More about it, in a line.
    pub about: String,
    /// What the axis to the right is of.
    pub x: String,
    /// What the axis upwards is of.
    pub y: String,
    /// Values of the axis to the right with what is written at them, in increasing order; numbers, if there are
    /// none.
    pub names: Vec<(f64, String)>,
    /// In what the curves differ.
    pub key: String,
    /// The curves. A single one needs no name.
    pub curves: Vec<Curve>,
}

/// One curve.
///
/// ```
/// use everypath_plot::{Curve, CurvePoint};
///
/// let point = |x, mean| CurvePoint { x, mean, half_width: None, text: format!("{mean} ms") };
/// let curve = Curve { name: "aodv".into(), points: vec![point(10.0, 1.5), point(20.0, 2.5)] };
/// assert_eq!(curve.points[1].text, "2.5 ms");
/// ```
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it is called.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<CurvePoint>,
}

/// What was measured at one point.
///
/// ```
/// use everypath_plot::CurvePoint;
///
/// let point = CurvePoint { x: 10.0, mean: 1.5, half_width: Some(0.2), text: "1.5 ± 0.2".into() };
/// assert!(point.half_width < Some(point.mean));
/// ```
#[derive(Clone, Debug)]
pub struct CurvePoint {
    /// Where.
    pub x: f64,
    /// The mean. What is not a number is not drawn, and interrupts the curve.
    pub mean: f64,
    /// With the mean, plus and minus: the confidence interval, if there is one.
    pub half_width: Option<f64>,
    /// The same in words.
    pub text: String,
}

const TOP: f64 = 98.0;
const BOTTOM: f64 = 62.0;
/// Of the axes.
const ACROSS: f64 = 600.0;
const UP: f64 = 290.0;
const MARGIN: f64 = 30.0;
/// The axis upwards does not move for short numbers: pictures below each other line up.
const LEFT_MIN: f64 = 70.0;
/// What is left of the first and right of the last point, as a share of what is between them.
const PADDING: f64 = 0.06;
/// The least ratio of the greatest to the smallest value on a logarithmic axis.
const FACTOR_MIN: f64 = 20.0;
/// A name below the axis or in the legend that is longer is shortened.
const NAME_COLUMNS_MAX: usize = 30;
const LEGEND_ROW: f64 = 21.0;
/// How long the piece of a curve in the legend is.
const SAMPLE: f64 = 30.0;
/// How far curves are moved to the side from each other, so that their bars can be distinguished.
const ASIDE_MAX: f64 = 6.0;
/// How far all curves together are spread by that.
const SPREAD_MAX: f64 = 30.0;
const CAP: f64 = 3.5;
/// As many colours as the style has, a marker for each; beyond, lines are dashed.
const COLOURS: usize = 7;
const DASHES: [&str; 3] = ["", r#" stroke-dasharray="7 4""#, r#" stroke-dasharray="2 3""#];

impl CurvePlot {
    /// The drawing, with a background of its own. It needs no fonts or files.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (x, y) = (self.axis_across(), self.axis_up());
        let ups = y.ticks_at_shares();
        let left = room_of(&ups).max(LEFT_MIN);
        let legend = self.legend_width();
        let entries = if legend > 0.0 { self.curves.len() as f64 + 1.0 } else { 0.0 };
        let up = UP.max(LEGEND_ROW * entries);
        let frame = Frame { left, right: left + ACROSS, top: TOP, bottom: TOP + up };
        let (page_width, page_height) = (frame.right + MARGIN + legend, frame.bottom + BOTTOM);
        let mut out = paper(&self.title, &self.about, page_width, page_height);
        frame.draw_across(&mut out, &self.ticks_across(&x, &frame));
        frame.draw_up(&mut out, &ups);
        frame.draw_titles(&mut out, &self.x, &self.y);
        let aside = self.aside(&x);
        let middle = (self.curves.len() as f64 - 1.0) / 2.0;
        for (number, curve) in self.curves.iter().enumerate() {
            let aside = aside * (number as f64 - middle);
            DrawnCurve { curve, number, x: &x, y: &y, frame, aside }.draw(&mut out);
        }
        if legend > 0.0 {
            self.draw_legend(&mut out, frame.right + MARGIN);
        }
        out.push_str("</svg>\n");
        out
    }

    fn points(&self) -> impl Iterator<Item = &CurvePoint> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    /// Where points stand, in increasing order.
    fn places(&self) -> Vec<f64> {
        let mut places: Vec<f64> = match &self.names[..] {
            [] => self.points().map(|point| point.x).filter(|x| x.is_finite()).collect(),
            names => names.iter().map(|(x, _)| *x).collect(),
        };
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }

    /// Logarithmic, if that spreads the points more evenly and there is something to spread.
    fn axis_across(&self) -> Axis {
        let places = self.places();
        let (Some(&low), Some(&high)) = (places.first(), places.last()) else {
            return Axis::padded(std::iter::empty(), PADDING);
        };
        let widest_gap = |of: fn(f64) -> f64| {
            let gaps = places.windows(2).map(|pair| of(pair[1]) - of(pair[0]));
            gaps.fold(0.0, f64::max) / (of(high) - of(low))
        };
        let is_logarithmic = self.names.is_empty()
            && low > 0.0
            && high / low >= FACTOR_MIN
            && widest_gap(f64::ln) < widest_gap(|x| x);
        if is_logarithmic {
            return Axis::logarithmic(places.into_iter());
        }
        // Names stand in the middle of equal rooms.
        let is_even = !self.names.is_empty() && places.len() > 1;
        let padding = if is_even { 0.5 / (places.len() as f64 - 1.0) } else { PADDING };
        Axis::padded(places.into_iter(), padding)
    }

    /// With 0 on it, unless all that is shown is far from it.
    fn axis_up(&self) -> Axis {
        let ends = |point: &CurvePoint| {
            let half = point.half_width.unwrap_or(0.0);
            [point.mean - half, point.mean + half]
        };
        let shown: Vec<f64> =
            self.points().flat_map(ends).filter(|value| value.is_finite()).collect();
        let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_near =
            least >= 0.0 && (least < 0.5 * greatest || greatest - least < 1e-9 * greatest);
        Axis::linear(shown.into_iter().chain(is_near.then_some(0.0)))
    }

    fn ticks_across(&self, axis: &Axis, frame: &Frame) -> Vec<Tick> {
        if !self.names.is_empty() {
            let tick =
                |(x, name): &(f64, String)| (axis.share(*x), shortened(name, NAME_COLUMNS_MAX));
            return self.names.iter().map(tick).collect();
        }
        let tick = |x: f64| (axis.share(x), x.to_string());
        let ticks: Vec<Tick> = self.places().into_iter().map(tick).collect();
        if frame.holds(&ticks) { ticks } else { axis.ticks_at_shares() }
    }

    /// How far curves are moved to the side, if bars lie over each other: less than to where a neighbour would
    /// be.
    fn aside(&self, axis: &Axis) -> f64 {
        if !self.is_crowded() {
            return 0.0;
        }
        let places = self.places();
        let gaps = places.windows(2).map(|pair| axis.share(pair[1]) - axis.share(pair[0]));
        let least = ACROSS * gaps.fold(1.0, f64::min);
        ((0.5 * least).min(SPREAD_MAX) / self.curves.len().max(1) as f64).min(ASIDE_MAX)
    }

    /// Whether intervals of two curves overlap.
    fn is_crowded(&self) -> bool {
        let overlap = |a: &CurvePoint, b: &CurvePoint| {
            let room = a.half_width.unwrap_or(0.0) + b.half_width.unwrap_or(0.0);
            a.x == b.x && (a.mean - b.mean).abs() <= room
        };
        self.curves.iter().enumerate().any(|(number, curve)| {
            let others = || self.curves[..number].iter().flat_map(|other| &other.points);
            curve.points.iter().any(|point| others().any(|other| overlap(point, other)))
        })
    }

    fn legend_width(&self) -> f64 {
        if self.curves.len() < 2 {
            return 0.0;
        }
        let names = self.curves.iter().map(|curve| curve.name.as_str());
        let widest =
            names.chain([self.key.as_str()]).map(|name| text_width(name).min(NAME_COLUMNS_MAX));
        // The letters of the key are bold.
        COLUMN * 1.05 * widest.max().unwrap_or(0) as f64 + SAMPLE + 8.0 + MARGIN
    }

    fn draw_legend(&self, out: &mut String, x: f64) {
        let key = escaped(&shortened(&self.key, NAME_COLUMNS_MAX));
        let _ = write!(out, r#"<text class="axis" x="{x:.1}" y="{:.1}">{key}</text>"#, TOP + 4.0);
        for (number, curve) in self.curves.iter().enumerate() {
            let y = TOP + LEGEND_ROW * (number as f64 + 1.0);
            let _ = write!(
                out,
                r#"<g class="curve{}"><path class="way" d="M{x:.1} {y:.1}h{SAMPLE}"{}/>{}</g><text x="{:.1}" y="{:.1}">{}<title>{}</title></text>"#,
                number % COLOURS,
                dash(number),
                marker(number, x + SAMPLE / 2.0, y),
                x + SAMPLE + 8.0,
                y + 4.0,
                escaped(&shortened(&curve.name, NAME_COLUMNS_MAX)),
                escaped(&curve.name)
            );
        }
    }
}

struct DrawnCurve<'a> {
    curve: &'a Curve,
    number: usize,
    x: &'a Axis,
    y: &'a Axis,
    frame: Frame,
    aside: f64,
}

impl DrawnCurve<'_> {
    fn draw(&self, out: &mut String) {
        let mut way = String::new();
        let mut points = String::new();
        let mut is_interrupted = true;
        for point in &self.curve.points {
            if !(point.x.is_finite() && point.mean.is_finite()) {
                is_interrupted = true;
                continue;
            }
            let (x, y) = (self.frame.x(self.x.share(point.x)) + self.aside, self.place(point.mean));
            let _ = write!(way, "{}{x:.1} {y:.1}", if is_interrupted { 'M' } else { 'L' });
            is_interrupted = false;
            let bar =
                point.half_width.filter(|half| half.is_finite()).map_or_else(String::new, |half| {
                    let [low, high] =
                        [point.mean - half, point.mean + half].map(|end| self.place(end));
                    let cap = |y: f64| format!("M{:.1} {y:.1}h{:.1}", x - CAP, 2.0 * CAP);
                    let (foot, head) = (cap(low), cap(high));
                    format!(r#"<path class="bar" d="M{x:.1} {low:.1}V{high:.1}{foot}{head}"/>"#)
                });
            let _ = write!(
                points,
                "<g><title>{}</title>{bar}{}</g>",
                escaped(&point.text),
                marker(self.number, x, y)
            );
        }
        let _ = write!(
            out,
            r#"<g class="curve{}"><path class="way" d="{way}"{}/>{points}</g>"#,
            self.number % COLOURS,
            dash(self.number)
        );
    }

    /// How far down the paper a value is.
    fn place(&self, value: f64) -> f64 {
        self.frame.y(self.y.share(value))
    }
}

fn dash(number: usize) -> &'static str {
    DASHES[number / COLOURS % DASHES.len()]
}

/// Each curve has markers of another form, so that they can be distinguished without colours, too.
fn marker(number: usize, x: f64, y: f64) -> String {
    let (form, is_open) = match number % COLOURS {
        0 => ("m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", false),
        1 => ("m-3.7 -3.7h7.4v7.4h-7.4z", false),
        2 => ("m0 -5l4.8 8.6h-9.6z", false),
        3 => ("m0 -5.3l5.3 5.3l-5.3 5.3l-5.3 -5.3z", false),
        4 => ("m0 5l4.8 -8.6h-9.6z", false),
        5 => ("m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z", true),
        _ => ("m-3.7 -3.7h7.4v7.4h-7.4z", true),
    };
    let class = if is_open { "marker open" } else { "marker" };
    format!(r#"<path class="{class}" d="M{x:.1} {y:.1}{form}"/>"#)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::Document;

    use super::*;
    use crate::chart::random::nasty;

    fn plot(points: &[(f64, f64, f64)]) -> CurvePlot {
        let point = |&(x, mean, half): &(f64, f64, f64)| CurvePoint {
            x,
            mean,
            half_width: Some(half),
            text: String::new(),
        };
        let curve = Curve { name: String::new(), points: points.iter().map(point).collect() };
        CurvePlot {
            title: String::new(),
            about: String::new(),
            x: String::new(),
            y: String::new(),
            names: Vec::new(),
            key: String::new(),
            curves: vec![curve],
        }
    }

    fn labels(plot: &CurvePlot) -> Vec<String> {
        let frame = Frame { left: 0.0, right: ACROSS, top: 0.0, bottom: UP };
        let ticks = plot.ticks_across(&plot.axis_across(), &frame);
        ticks.into_iter().map(|(_, label)| label).collect()
    }

    proptest! {
        #[test]
        fn any_plot_is_well_formed_and_within_its_page(
            text in nasty(),
            curves in prop::collection::vec(
                prop::collection::vec((any::<f64>(), any::<f64>(), any::<f64>()), 0..9), 0..30,
            ),
            is_named: bool,
        ) {
            let mut all = plot(&[]);
            all.curves = curves.iter().flat_map(|points| plot(points).curves).collect();
            all.curves.iter_mut().for_each(|curve| curve.name = text.clone());
            if is_named {
                all.names = (0..5).map(|place| (f64::from(place), text.clone())).collect();
            }
            for words in [&mut all.title, &mut all.about, &mut all.x, &mut all.y, &mut all.key] {
                words.clone_from(&text);
            }
            let svg = all.to_svg();
            let page = Document::parse(&svg).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let size = |name| page.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
            for marker in page.descendants().filter(|it| it.attribute("class") == Some("marker")) {
                let place = marker.attribute("d").unwrap()[1..].split('m').next().unwrap();
                let (x, y) = place.split_once(' ').unwrap();
                prop_assert!((0.0..=size("width")).contains(&x.parse::<f64>().unwrap()), "{x}");
                prop_assert!((0.0..=size("height")).contains(&y.parse::<f64>().unwrap()), "{y}");
            }
            if !text.contains("NaN") && !text.contains("inf") {
                prop_assert!(!svg.contains("NaN") && !svg.contains("inf"));
            }
        }
    }

    #[test]
    fn a_bar_is_as_long_as_its_interval() {
        let svg = plot(&[(1.0, 10.0, 0.0), (2.0, 5.0, 2.5)]).to_svg();
        let page = Document::parse(&svg).unwrap();
        let bars = page.descendants().filter(|it| it.attribute("class") == Some("bar"));
        let bars: Vec<&str> = bars.map(|it| it.attribute("d").unwrap()).collect();
        // 0 to 10 are 290 units, from 388 up.
        assert!(bars[1].contains(" 315.5V170.5M"), "{bars:?}");
        assert!(bars[0].contains(" 98.0V98.0M"), "{bars:?}");
    }

    #[test]
    fn curves_are_moved_to_the_side_only_where_bars_would_lie_over_each_other() {
        let aside = |mean| {
            let mut two = plot(&[(1.0, 5.0, 1.0), (2.0, 5.0, 1.0)]);
            two.curves.extend(plot(&[(1.0, mean, 1.0), (2.0, 9.0, 1.0)]).curves);
            two.aside(&two.axis_across())
        };
        assert_eq!(aside(7.5), 0.0);
        assert_eq!(aside(6.5), ASIDE_MAX);
    }

    #[test]
    fn what_has_no_value_interrupts_the_curve() {
        let svg =
            plot(&[(1.0, 1.0, 0.1), (2.0, f64::NAN, f64::NAN), (3.0, 2.0, 0.1), (4.0, 1.0, 0.1)])
                .to_svg();
        let page = Document::parse(&svg).unwrap();
        let way = page.descendants().find(|it| it.attribute("class") == Some("way")).unwrap();
        let steps = way.attribute("d").unwrap().replace(|c: char| !c.is_ascii_alphabetic(), "");
        assert_eq!(steps, "MML");
    }

    #[test]
    fn values_are_written_where_they_stand_if_there_is_room() {
        let at = |places: &[f64]| {
            labels(&plot(&places.iter().map(|x| (*x, 1.0, 0.0)).collect::<Vec<_>>()))
        };
        assert_eq!(at(&[25.0, 50.0, 75.0]), ["25", "50", "75"]);
        assert_eq!(at(&[0.05, 0.1, 0.3]), ["0.05", "0.1", "0.3"]);
        assert_eq!(at(&[10.0, 100.0, 1000.0]), ["10", "100", "1000"]);
        let many: Vec<f64> = (0..200).map(f64::from).collect();
        assert_eq!(at(&many), ["0", "50", "100", "150", "200"]);
    }

    #[test]
    fn factors_are_distances_where_that_is_more_even() {
        let gap = |places: [f64; 3]| {
            let axis = plot(&places.map(|x| (x, 1.0, 0.0))).axis_across();
            (axis.share(places[1]) - axis.share(places[0]))
                / (axis.share(places[2]) - axis.share(places[0]))
        };
        assert!((gap([10.0, 100.0, 1000.0]) - 0.5).abs() < 1e-9);
        assert!((gap([10.0, 500.0, 1000.0]) - 490.0 / 990.0).abs() < 1e-9);
        assert!((gap([0.0, 100.0, 1000.0]) - 0.1).abs() < 1e-9);
    }

    #[test]
    fn the_axis_upwards_begins_at_0_if_that_is_near() {
        let foot = |values: [f64; 2]| {
            plot(&values.map(|mean| (mean, mean, 0.0))).axis_up().ticks()[0].1.clone()
        };
        assert_eq!(foot([10.0, 30.0]), "0");
        assert_eq!(foot([0.9, 0.95]), "0.90");
        assert_eq!(foot([1.0, 1.0]), "0.0");
        assert_eq!(foot([-1.0, 3.0]), "-1.0");
    }
}
