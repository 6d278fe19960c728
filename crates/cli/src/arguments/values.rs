//! Parsers for the values of options.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::Duration,
};

use everypath_model::{WarmUp, did_you_mean, parse_duration};
use everypath_network::Reductions;

/// The largest number of runs. All are kept until the last has ended, at some kilobytes each.
pub(crate) const RUNS_MAX: u32 = 1_000_000;

pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write it as KEY=VALUE, e.g. nodes=4".to_owned()),
    }
}

pub(crate) fn plot_file(path: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("a plot is an SVG: name a file that ends in .svg".to_owned()),
    }
}

pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let factor: u64 = match unit {
        "" => 1,
        "k" | "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("write it as a number with K, M or G, e.g. 500M".to_owned()),
    };
    let number: u64 = number.parse().map_err(|_| "the number is missing, e.g. 500M".to_owned())?;
    number.checked_mul(factor).filter(|&bytes| bytes > 0).ok_or("out of range".to_owned())
}

pub(crate) fn time(text: &str) -> Result<Duration, String> {
    parse_duration(text).filter(|time| !time.is_zero()).ok_or_else(|| {
        "write it with a unit (ns, us, ms, s, m or h), more than 0 and at most 10^9 s, e.g. 90s"
            .to_owned()
    })
}

pub(crate) fn moment(text: &str) -> Result<Duration, String> {
    parse_duration(text).ok_or_else(|| {
        "write it with a unit (ns, us, ms, s, m or h), at most 10^9 s, e.g. 2.5s".to_owned()
    })
}

pub(crate) fn page_file(path: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("html") => Ok(path),
        _ => Err("a report is a page: name a file that ends in .html".to_owned()),
    }
}

pub(crate) fn warm_up(text: &str) -> Result<WarmUp, String> {
    match text {
        "mser5" => Ok(WarmUp::Mser5),
        "none" => Ok(WarmUp::None),
        _ => time(text).map(WarmUp::Until).map_err(|form| format!("{form}, or `mser5` or `none`")),
    }
}

pub(crate) fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "write a number between 0 and 1, e.g. 0.05 for 5 % of the mean".to_owned())
}

pub(crate) fn confidence(text: &str) -> Result<f64, String> {
    let level = text.parse().ok().filter(|level: &f64| (0.5..=0.999_999).contains(level));
    level.ok_or_else(|| "write a number from 0.5 to 0.999999, e.g. 0.99 for 99 %".to_owned())
}

pub(crate) fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 1, e.g. 0.01".to_owned())
}

/// The largest length of runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DepthBound {
    /// No bound, not even the scenario's.
    None,
    AtMost(u32),
}

pub(crate) fn depth_bound(text: &str) -> Result<DepthBound, String> {
    match text {
        NO_BOUND => Ok(DepthBound::None),
        number => number
            .parse()
            .map(DepthBound::AtMost)
            .map_err(|_| format!("write a number of events, at most {}, or {NO_BOUND}", u32::MAX)),
    }
}

/// No bound, on the command line.
const NO_BOUND: &str = "none";

/// The value of `--max-memory`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryBound {
    /// No limit.
    None,
    AtMost(u64),
}

/// No limit, on the command line.
const NO_LIMIT: &str = "none";

pub(crate) fn memory_bound(text: &str) -> Result<MemoryBound, String> {
    match text {
        NO_LIMIT => Ok(MemoryBound::None),
        number => bytes(number)
            .map(MemoryBound::AtMost)
            .map_err(|error| format!("{error}; or {NO_LIMIT} for no limit")),
    }
}

/// Names of reductions, separated by commas, or `none`.
pub(crate) fn reductions(text: &str) -> Result<Reductions, String> {
    if text == NO_LIMIT {
        return Ok(Reductions::NONE);
    }
    text.split(',').try_fold(Reductions::NONE, |all, name| {
        all.with(name).ok_or_else(|| {
            let known = Reductions::NAMES.into_iter().chain([NO_LIMIT]);
            format!("there is no reduction `{name}`; {}", did_you_mean(name, known))
        })
    })
}

/// A file for a picture; its extension determines the form.
#[derive(Clone, Debug)]
pub(crate) struct ChartFile {
    pub(crate) path: PathBuf,
    pub(crate) form: ChartForm,
}

/// The form of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ChartForm {
    Svg,
    Html,
    Mermaid,
    /// Mermaid in a fence, which many renderers of Markdown draw.
    Markdown,
}

impl ChartFile {
    /// Its path, with the option that names it.
    pub(crate) fn target(&self) -> (&'static str, &Path) {
        ("--chart", &self.path)
    }
}

/// Parses the value of `--chart`.
pub(crate) fn chart_file(path: OsString) -> Result<ChartFile, String> {
    let path = PathBuf::from(path);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let form = match extension.to_ascii_lowercase().as_str() {
        "svg" => ChartForm::Svg,
        "html" => ChartForm::Html,
        "mmd" => ChartForm::Mermaid,
        "md" => ChartForm::Markdown,
        _ => {
            return Err("name a file that ends in .svg, .html, .mmd or .md (Mermaid)".to_owned());
        }
    };
    Ok(ChartFile { path, form })
}

/// A file for a picture of a state space; its extension determines the form.
#[derive(Clone, Debug)]
pub(crate) struct SpaceFile {
    pub(crate) path: PathBuf,
    pub(crate) form: SpaceForm,
}

/// The form of a picture of a state space.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SpaceForm {
    Svg,
    /// The language of Graphviz.
    Dot,
}

/// Parses the value of `--space`.
pub(crate) fn space_file(path: OsString) -> Result<SpaceFile, String> {
    let path = PathBuf::from(path);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let form = match extension.to_ascii_lowercase().as_str() {
        "svg" => SpaceForm::Svg,
        "dot" => SpaceForm::Dot,
        _ => return Err("name a file that ends in .svg or .dot (Graphviz)".to_owned()),
    };
    Ok(SpaceFile { path, form })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(bytes("3K"), Ok(3072));
        assert_eq!(bytes("17"), Ok(17));
        assert_eq!(time("1.5ms"), Ok(Duration::from_micros(1500)));
        assert_eq!(time("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "M", "1.5G", "0", "99999999999G", "-1"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "5", "0s", "-1s", "1d", "nans"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_bound_is_a_size_or_none() {
        assert_eq!(memory_bound("none"), Ok(MemoryBound::None));
        assert_eq!(memory_bound("2K"), Ok(MemoryBound::AtMost(2048)));
        assert!(memory_bound("None").is_err() && memory_bound("0").is_err());
    }

    #[test]
    fn what_is_printed_is_read() {
        assert_eq!(warm_up("mser5"), Ok(WarmUp::Mser5));
        assert_eq!(warm_up("1.5s"), Ok(WarmUp::Until(Duration::from_millis(1500))));
        assert!(warm_up("mser").is_err_and(|form| form.ends_with("or `mser5` or `none`")));
        assert_eq!(share("0.05"), Ok(0.05));
        assert_eq!(probability("1"), Ok(1.0));
        for wrong in ["", "0", "1", "-0.1", "5%", "nan", "inf"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "1.1", "-0.1", "5%", "nan", "inf"] {
            assert!(probability(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_start_of_a_run_is_a_moment() {
        assert_eq!(moment("0s"), Ok(Duration::ZERO));
        assert_eq!(moment("2.5s"), Ok(Duration::from_millis(2500)));
        for wrong in ["", "5", "-1s", "soon"] {
            assert!(moment(wrong).is_err(), "{wrong}");
        }
    }
}
