//! A sweep as curves: a plot for each measure.

use std::{collections::BTreeMap, fs, path::PathBuf};

use everypath_model::parse_duration;
use everypath_plot::{Curve, CurvePlot, CurvePoint};
use everypath_report::write_atomically;
use everypath_sim::Estimate;
use serde_json::Value;

use super::{
    Study, StudyPoint,
    execute::estimates,
    report::{Report, estimate_text},
};
use crate::{
    error::CliError,
    output::{called, numbers::counted},
    simulating::{
        picture::{Picture, plain},
        spec::RunSpec,
    },
};

/// A swept key, or several that change together.
struct Axis<'a> {
    keys: &'a [String],
    /// Its values, in the order of the file: those of all keys.
    values: Vec<Vec<&'a Value>>,
}

/// The positions of the points of a sweep in a plot.
struct Layout<'a> {
    across: Axis<'a>,
    /// The position of each value on that axis.
    places: Vec<f64>,
    /// Whether the positions are the values themselves.
    are_numbers: bool,
    /// The axes that distinguish curves.
    others: Vec<Axis<'a>>,
    /// The axes with a single value.
    constant: Vec<Axis<'a>>,
}

impl<'a> Axis<'a> {
    fn new(keys: &'a [String], points: &'a [StudyPoint]) -> Self {
        let mut axis = Self { keys, values: Vec::new() };
        for point in points {
            let value = axis.value_at(point);
            if !axis.values.contains(&value) {
                axis.values.push(value);
            }
        }
        axis
    }

    fn value_at<'b>(&self, point: &'b StudyPoint) -> Vec<&'b Value> {
        self.keys.iter().map(|key| &point.swept[key]).collect()
    }

    fn place_of(&self, point: &StudyPoint) -> Option<usize> {
        let value = self.value_at(point);
        self.values.iter().position(|other| *other == value)
    }

    /// The values of the first key as numbers, if all are and differ.
    fn numbers(&self) -> Option<Vec<f64>> {
        let numbers: Vec<f64> =
            self.values.iter().map(|value| number(value[0])).collect::<Option<_>>()?;
        let differ = |(place, number): (usize, &f64)| !numbers[..place].contains(number);
        numbers.iter().enumerate().all(differ).then_some(numbers)
    }

    fn name(&self) -> String {
        self.keys.join(" / ")
    }

    fn value_name(&self, place: usize) -> String {
        let words = self.values[place].iter().map(|value| words(value));
        words.collect::<Vec<_>>().join(" / ")
    }
}

/// A number, or a time in seconds.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => parse_duration(text).map(|time| time.as_secs_f64()),
        value => value.as_f64(),
    }
}

fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl<'a> Layout<'a> {
    /// `None` if there are no two points to draw a curve through.
    fn new(axes: &'a [Vec<String>], points: &'a [StudyPoint]) -> Option<Self> {
        let all = axes.iter().map(|keys| Axis::new(keys, points));
        let (mut others, constant): (Vec<_>, Vec<_>) = all.partition(|axis| axis.values.len() > 1);
        let first = others.iter().position(|axis| axis.numbers().is_some()).unwrap_or(0);
        if others.is_empty() {
            return None;
        }
        let across = others.remove(first);
        let evenly = || (0..across.values.len()).map(|place| place as f64).collect();
        let numbers = across.numbers();
        let are_numbers = numbers.is_some();
        Some(Self { places: numbers.unwrap_or_else(evenly), across, are_numbers, others, constant })
    }

    /// The labels of the values, if they are not just numbers.
    fn names(&self) -> Vec<(f64, String)> {
        if self.are_numbers && self.across.keys.len() == 1 {
            return Vec::new();
        }
        let name = |(place, x): (usize, &f64)| (*x, self.across.value_name(place));
        let mut names: Vec<_> = self.places.iter().enumerate().map(name).collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        names
    }

    fn across_title(&self) -> String {
        let is_time = self.are_numbers && self.across.values[0][0].is_string();
        let unit = if is_time && self.across.keys.len() == 1 { " in s" } else { "" };
        format!("{}{unit}", self.across.name())
    }

    /// Which curve a point belongs to: the places of its values on the other axes.
    fn curve_of(&self, point: &StudyPoint) -> Vec<usize> {
        self.others.iter().filter_map(|axis| axis.place_of(point)).collect()
    }

    fn curve_name(&self, curve: &[usize]) -> String {
        let values = self.others.iter().zip(curve).map(|(axis, place)| axis.value_name(*place));
        values.collect::<Vec<_>>().join(", ")
    }
}

/// Whether there are two points to draw a curve through.
pub(crate) fn are_possible(study: &Study) -> bool {
    let are_measured = study.points.iter().any(|point| !point.scenario.measures().is_empty());
    are_measured && Layout::new(&study.axes, &study.points).is_some()
}

impl Report<'_> {
    /// Draws and writes the pictures. Returns the files.
    pub(crate) fn draw(&self, spec: &RunSpec) -> Result<Vec<PathBuf>, CliError> {
        let beside = spec.out.as_ref().map(|out| out.join("plots"));
        let folder = spec.pictures.plot.clone().or(beside);
        let pictures = self.curves();
        let mut drawn = Vec::new();
        if let Some(folder) = folder.filter(|_| !pictures.is_empty()) {
            let failed = |error| CliError::Plot { path: folder.clone(), error };
            fs::create_dir_all(&folder).map_err(failed)?;
            for picture in &pictures {
                drawn.extend(picture.write(&folder)?);
            }
        }
        if let Some(path) = &spec.pictures.report {
            let page = self.page(pictures, called()).to_html();
            write_atomically(path, page.as_bytes())
                .map_err(|error| CliError::Plot { path: path.to_owned(), error })?;
            drawn.push(path.to_owned());
        }
        Ok(drawn)
    }

    /// A picture for each measure; none if the sweep has no two points.
    pub(crate) fn curves(&self) -> Vec<Picture> {
        let study = self.study;
        let Some(layout) = Layout::new(&study.axes, &study.points) else { return Vec::new() };
        let points: Vec<Vec<Estimate>> =
            self.executed.runs.iter().map(|runs| estimates(runs)).collect();
        let measures = points.iter().find(|it| !it.is_empty()).map_or(&[][..], Vec::as_slice);
        let mut pictures: Vec<Picture> = Vec::new();
        for measure in measures {
            let is_it = |it: &&Estimate| it.name == measure.name;
            let of: Vec<_> = points.iter().map(|it| it.iter().find(is_it)).collect();
            let svg = self.curves_of(measure, &layout, &of).to_svg();
            let name = plain(&measure.name);
            let is_taken = |name: &str| pictures.iter().any(|picture| picture.name == name);
            let numbered = (2..).map(|number| format!("{name}-{number}"));
            let free = [name.clone()].into_iter().chain(numbered).find(|name| !is_taken(name));
            pictures.push(Picture { name: free.expect("there are numbers enough"), svg });
        }
        pictures
    }

    fn curves_of(
        &self,
        measure: &Estimate,
        layout: &Layout<'_>,
        estimates: &[Option<&Estimate>],
    ) -> CurvePlot {
        let mut curves: BTreeMap<Vec<usize>, Vec<CurvePoint>> = BTreeMap::new();
        for (point, estimate) in self.study.points.iter().zip(estimates) {
            let Some((place, estimate)) = layout.across.place_of(point).zip(*estimate) else {
                continue;
            };
            let is_defined = estimate.undefined == 0;
            curves.entry(layout.curve_of(point)).or_default().push(CurvePoint {
                x: layout.places[place],
                mean: if is_defined { estimate.mean } else { f64::NAN },
                half_width: Some(estimate.half_width).filter(|half| half.is_finite()),
                text: format!("{}: {}", point.words, estimate_text(estimate)),
            });
        }
        let curves = curves.into_iter().map(|(curve, mut points)| {
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            Curve { name: layout.curve_name(&curve), points }
        });
        CurvePlot {
            title: format!("{}: {}", self.study.name, measure.name),
            about: self.about(layout, estimates),
            x: layout.across_title(),
            y: match measure.unit.as_str() {
                "" => measure.name.clone(),
                unit => format!("{} in {unit}", measure.name),
            },
            names: layout.names(),
            key: layout.others.iter().map(Axis::name).collect::<Vec<_>>().join(", "),
            curves: curves.collect(),
        }
    }

    /// How often points were run, and the values that all of them share.
    fn about(&self, layout: &Layout<'_>, estimates: &[Option<&Estimate>]) -> String {
        let runs = || estimates.iter().flatten().map(|estimate| estimate.runs as u64);
        let (least, most) = (runs().min().unwrap_or(0), runs().max().unwrap_or(0));
        let mut words = vec![match least == most {
            true => format!("{} of each point", counted(least, "run")),
            false => format!("{least} to {} of each point", counted(most, "run")),
        }];
        if most > 1 {
            words.push("bars: 95 % intervals".to_owned());
        }
        let undefined = estimates.iter().flatten().filter(|it| it.undefined > 0).count() as u64;
        if undefined > 0 {
            words.push(format!(
                "{} without a value in some run skipped",
                counted(undefined, "point")
            ));
        }
        words.extend(
            layout.constant.iter().map(|axis| format!("{} = {}", axis.name(), axis.value_name(0))),
        );
        words.push(format!("seed {}", self.study.seed));
        words.join("; ")
    }
}
