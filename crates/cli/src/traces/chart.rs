//! `--chart`: pictures of a run in files.

use std::path::Path;

use everypath_model::Topology;
use everypath_plot::SequenceChart;
use everypath_report::{Story, write_atomically};

use crate::{
    arguments::values::{ChartFile, ChartForm},
    error::CliError,
    output::complain,
    scenarios::subject::Subject,
};

/// Draws a run into each file, and returns the files that were written: the finding is worth more
/// than its picture.
pub(crate) fn draw(
    files: &[ChartFile],
    story: &Story,
    built: &Subject<'_>,
    broken: Option<(&str, Option<&str>)>,
) -> Vec<String> {
    let broken = broken.map(|(assertion, explanation)| match explanation {
        Some(explanation) => format!("{assertion}: {explanation}"),
        None => assertion.to_owned(),
    });
    let written = files.iter().filter(|file| {
        let topology = &built.scenario.topology;
        let picture = picture(file.form, story, &built.name, broken.as_deref(), topology);
        write(&file.path, &picture).map_err(complain).is_ok()
    });
    written.map(|file| file.path.display().to_string()).collect()
}

fn write(path: &Path, picture: &str) -> Result<(), CliError> {
    write_atomically(path, picture.as_bytes())
        .map_err(|error| CliError::Chart { path: path.to_owned(), error })
}

/// One line for each chart, or one that says that there are none although some were requested.
pub(crate) fn chart_lines(files: &[ChartFile], written: Option<&[String]>) -> String {
    match written {
        Some(written) => written.iter().map(|path| format!("chart: {path}\n")).collect(),
        None if files.is_empty() => String::new(),
        None => "nothing was found: no chart was written\n".to_owned(),
    }
}

fn picture(
    form: ChartForm,
    story: &Story,
    title: &str,
    broken: Option<&str>,
    topology: &Topology,
) -> String {
    let links: Vec<_> = topology.links().map(|(a, b)| (a.0, b.0)).collect();
    let chart = SequenceChart { story, title, broken, links: &links };
    match form {
        ChartForm::Svg => chart.to_svg(),
        ChartForm::Html => chart.to_html(),
        ChartForm::Mermaid => chart.to_mermaid(),
        ChartForm::Markdown => format!("```mermaid\n{}```\n", chart.to_mermaid()),
    }
}
