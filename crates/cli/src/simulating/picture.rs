//! `--plot` and `--report`: where pictures of simulated runs are drawn.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

#[cfg(feature = "png")]
use everypath_plot::{PngError, ensure_fonts, to_png};
use everypath_report::write_atomically;

use crate::{
    arguments::simulate::PictureArguments,
    error::{CliError, unused},
    output::{Target, ensure_writable},
};

/// Which pictures are drawn.
pub(crate) struct PictureSpec {
    /// The folder that they are drawn into.
    pub(crate) plot: Option<PathBuf>,
    /// The page with all of them.
    pub(crate) report: Option<PathBuf>,
    /// When the network of the first run is drawn, if not by default.
    pub(crate) plot_at: Option<Duration>,
}

impl From<&PictureArguments> for PictureSpec {
    fn from(arguments: &PictureArguments) -> Self {
        let PictureArguments { plot, report, plot_at } = arguments.clone();
        Self { plot, report, plot_at }
    }
}

impl PictureSpec {
    /// The option that was given, if any.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [("--plot", &self.plot), ("--report", &self.report)];
        options.into_iter().find(|(_, path)| path.is_some()).map(|(option, _)| option)
    }

    /// Refuses pictures of runs that cannot be drawn or written.
    pub(crate) fn ensure_possible(&self, duration: Duration) -> Result<(), CliError> {
        if self.plot_at.is_some() && self.given().is_none() {
            return Err(unused("--plot-at", "neither --plot nor --report"));
        }
        if let Some(at) = self.plot_at.filter(|at| *at > duration) {
            let what = format!("--plot-at {at:?} is after the end of the run, {duration:?}");
            let help = Some("name an earlier time, or a longer --duration".to_owned());
            return Err(CliError::Unreadable { what, help });
        }
        self.ensure_folder("network.svg")
    }

    /// Refuses pictures of a sweep that cannot be drawn or written.
    pub(crate) fn ensure_curves(&self, are_possible: bool) -> Result<(), CliError> {
        if self.plot_at.is_some() {
            return Err(unused("--plot-at", "a sweep, which is drawn as curves"));
        }
        if let Some(option) = self.given().filter(|_| !are_possible) {
            let what = format!("{option} cannot draw curves of a single point");
            let help = Some("without --out, the runs themselves are drawn".to_owned());
            return Err(CliError::Unreadable { what, help });
        }
        ensure_writable(self.target())?;
        self.ensure_folder("curves.svg")
    }

    /// Refuses a folder into which pictures cannot be drawn or written.
    fn ensure_folder(&self, file: &str) -> Result<(), CliError> {
        let Some(folder) = &self.plot else { return Ok(()) };
        #[cfg(not(feature = "png"))]
        if folder.extension().is_some_and(|it| it.eq_ignore_ascii_case("png")) {
            return Err(CliError::Pixelless { path: folder.clone() });
        }
        let unwritable =
            |error| CliError::Unwritable { option: "--plot", path: folder.clone(), error };
        fs::create_dir_all(folder).map_err(unwritable)?;
        everypath_report::ensure_writable(&folder.join(file)).map_err(unwritable)?;
        #[cfg(feature = "png")]
        ensure_fonts().map_err(CliError::Png)?;
        Ok(())
    }

    /// The file of the page.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        self.report.as_deref().map(|path| ("--report", path))
    }
}

/// A picture, and the name of its file without the extension.
pub(crate) struct Picture {
    pub(crate) name: String,
    pub(crate) svg: String,
}

impl Picture {
    /// Draws it into a folder. Returns the files. There is no PNG without fonts, nor without the feature for it.
    pub(crate) fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, CliError> {
        let path = |form: &str| folder.join(format!("{}.{form}", self.name));
        let svg = (path("svg"), self.svg.clone().into_bytes());
        #[cfg(feature = "png")]
        let pixels = match to_png(&self.svg) {
            Ok(pixels) => Some((path("png"), pixels)),
            Err(PngError::NoFonts) => None,
            Err(error) => return Err(CliError::Png(error)),
        };
        #[cfg(not(feature = "png"))]
        let pixels = None;
        let files: Vec<(PathBuf, Vec<u8>)> = [svg].into_iter().chain(pixels).collect();
        for (path, content) in &files {
            write_atomically(path, content)
                .map_err(|error| CliError::Plot { path: path.clone(), error })?;
        }
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

/// A name that can be part of a file name.
pub(crate) fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let plain = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    if plain.is_empty() { "unnamed".to_owned() } else { plain }
}
