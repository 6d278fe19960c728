//! `--chart`: pictures of a run in files.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use everypath_model::Topology;
use everypath_report::{Story, write_atomically};

use crate::{
    error::CliError,
    output::{Target, complain},
    scenarios::subject::Subject,
};

/// A file for a picture; its extension says of which form.
#[derive(Clone, Debug)]
pub(crate) struct ChartFile {
    path: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Svg,
    Html,
    Mermaid,
    /// Mermaid, fenced as many renderers of Markdown draw it.
    Markdown,
}

impl ChartFile {
    /// Where it is to be written, with the option that says so.
    pub(crate) fn target(&self) -> Target<'_> {
        ("--chart", &self.path)
    }
}

/// What can be asked for on the command line.
pub(crate) fn chart_file(path: OsString) -> Result<ChartFile, String> {
    let path = PathBuf::from(path);
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let form = match extension.to_ascii_lowercase().as_str() {
        "svg" => Form::Svg,
        "html" => Form::Html,
        "mmd" => Form::Mermaid,
        "md" => Form::Markdown,
        _ => {
            return Err(
                "its extension says of which form a chart is: .svg, .html, .mmd or .md (Mermaid)"
                    .to_owned(),
            );
        }
    };
    Ok(ChartFile { path, form })
}

/// Draws a run into each file, and tells where that was possible: what was found is worth more
/// than a picture of it.
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
        let picture =
            file.form.picture(story, &built.name, broken.as_deref(), &built.scenario.topology);
        write(&file.path, &picture).map_err(complain).is_ok()
    });
    written.map(|file| file.path.display().to_string()).collect()
}

fn write(path: &Path, picture: &str) -> Result<(), CliError> {
    write_atomically(path, picture.as_bytes())
        .map_err(|error| CliError::Chart { path: path.to_owned(), error })
}

/// What to say of the charts, a line each; that there are none, if some were asked for.
pub(crate) fn chart_lines(files: &[ChartFile], written: Option<&[String]>) -> String {
    match written {
        Some(written) => written.iter().map(|path| format!("chart: {path}\n")).collect(),
        None if files.is_empty() => String::new(),
        None => "nothing was found: no chart was written\n".to_owned(),
    }
}

impl Form {
    fn picture(
        self,
        story: &Story,
        title: &str,
        broken: Option<&str>,
        topology: &Topology,
    ) -> String {
        match self {
            Self::Svg => story.to_svg(title, broken),
            Self::Html => {
                let links: Vec<_> = topology.links().map(|(a, b)| (a.0, b.0)).collect();
                story.to_html(title, broken, &links)
            }
            Self::Mermaid => story.to_mermaid(title, broken),
            Self::Markdown => format!("```mermaid\n{}```\n", story.to_mermaid(title, broken)),
        }
    }
}
