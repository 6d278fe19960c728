//! `--plot` and `--report`: pictures of a simulation, and a page with all of them.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::{
    Args,
    builder::{OsStringValueParser, TypedValueParser},
};
use everypath_model::{NodeId, Protocol};
use everypath_report::{
    Film, Line, LinePlot, NetworkPlot, PageTable, PlacedNode, PlottedHop, RunPage, write_atomically,
};
#[cfg(feature = "png")]
use everypath_report::{PngError, ensure_fonts, to_png};
use everypath_sim::{Distribution, Estimate, Plan, Replications, Run, SimError, Simulation};

use crate::{
    arguments::time,
    error::CliError,
    measured::interval::interval_text,
    output::{
        Target, ensure_writable,
        numbers::{counted, significant},
    },
    scenarios::{entry::Built, subject::Subject},
    typed::{
        film::{Camera, places},
        observed::observed,
    },
};

/// More runs than these would only blacken the picture.
const FAINT_LINES_MAX: usize = 30;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Pictures")]
pub(crate) struct PictureArguments {
    /// Draw distributions, time series and the network into a folder, as SVG, and as PNG if
    /// this program is built with the feature `png`
    #[arg(long, value_name = "FOLDER")]
    plot: Option<PathBuf>,
    /// Write one page with all pictures, all results and an animation of the first run: FILE.html
    #[arg(long, value_name = "FILE", value_parser = OsStringValueParser::new().try_map(page_file))]
    report: Option<PathBuf>,
    /// At which time of the first run the network is drawn [default: halfway]
    #[arg(long, value_name = "TIME", value_parser = time)]
    plot_at: Option<Duration>,
}

fn page_file(path: OsString) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("html") => Ok(path),
        _ => Err("a report is a page: name a file that ends in .html".to_owned()),
    }
}

/// A picture, and what its file is called without the extension.
pub(crate) struct Picture {
    pub(crate) name: String,
    pub(crate) svg: String,
}

impl PictureArguments {
    /// Which option was given, if one was.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [("--plot", &self.plot), ("--report", &self.report)];
        options.into_iter().find(|(_, path)| path.is_some()).map(|(option, _)| option)
    }

    /// Whether what was asked for can be drawn and written.
    pub(crate) fn ensure_possible(&self, duration: Duration) -> Result<(), CliError> {
        if self.plot_at.is_some() && self.given().is_none() {
            let with = "neither --plot nor --report".to_owned();
            return Err(CliError::Unused { option: "--plot-at".to_owned(), with });
        }
        if let Some(at) = self.plot_at.filter(|at| *at > duration) {
            let what = format!("--plot-at {at:?} is after the end of the run, {duration:?}");
            let help = Some("name an earlier time, or a longer --duration".to_owned());
            return Err(CliError::Unreadable { what, help });
        }
        self.ensure_folder("network.svg")
    }

    /// Whether what was asked for can be drawn of a sweep and written.
    pub(crate) fn ensure_curves(&self, are_possible: bool) -> Result<(), CliError> {
        if self.plot_at.is_some() {
            let with = "a sweep, which is drawn as curves".to_owned();
            return Err(CliError::Unused { option: "--plot-at".to_owned(), with });
        }
        if let Some(option) = self.given().filter(|_| !are_possible) {
            let what = format!("{option} cannot draw curves of what was measured at one point");
            let help = Some("without --out, the runs themselves are drawn".to_owned());
            return Err(CliError::Unreadable { what, help });
        }
        ensure_writable(self.target())?;
        self.ensure_folder("curves.svg")
    }

    /// Whether pictures can be drawn and written into the folder, if one was named.
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

    /// The folder that pictures are drawn into, if one was named.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.plot.as_deref()
    }

    /// The page that was asked for.
    pub(crate) fn page(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// The file of the page.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        self.report.as_deref().map(|path| ("--report", path))
    }

    /// Draws and writes what was asked for; which files.
    pub(crate) fn write<P: Protocol>(
        &self,
        built: &Built<P>,
        plan: &Plan<'_>,
        results: &Replications,
        command: &str,
    ) -> Result<Vec<PathBuf>, CliError> {
        if self.given().is_none() || results.runs.is_empty() {
            return Ok(Vec::new());
        }
        let failed = |error| crate::simulate::failed(&built.name, error, "");
        let mut pictures = measured_pictures(&built.name, results);
        pictures.push(self.network(built, plan).map_err(failed)?);
        let mut written = Vec::new();
        if let Some(folder) = &self.plot {
            for picture in &pictures {
                written.extend(picture.write(folder)?);
            }
        }
        if let Some(path) = &self.report {
            let film = film(built, plan).map_err(failed)?;
            let page = page(&built.subject(), plan, results, pictures, film, command).to_html();
            write_atomically(path, page.as_bytes())
                .map_err(|error| CliError::Plot { path: path.clone(), error })?;
            written.push(path.clone());
        }
        Ok(written)
    }

    /// The network of the first run at one moment.
    fn network<P: Protocol>(&self, built: &Built<P>, plan: &Plan<'_>) -> Result<Picture, SimError> {
        let scenario = &built.scenario;
        let at = self.plot_at.unwrap_or(scenario.simulation.duration / 2);
        let mut simulation = Simulation::new(scenario, plan.seed, plan.first)?;
        simulation.run_until(at)?;
        let nodes: Vec<NodeId> = scenario.topology.nodes().collect();
        let drawn = places(&scenario.topology);
        let place = |node: &NodeId| {
            let position = simulation.position(*node).map(|at| (at.x, at.y));
            let place = position.or(drawn.as_ref().map(|drawn| drawn[node.index()]));
            PlacedNode { name: node.to_string(), place }
        };
        let placed = nodes.iter().map(place).collect();
        let hops = nodes.iter().flat_map(|&node| {
            let hops = scenario.hops.as_ref().map(|hops| hops(node, simulation.state(node)));
            hops.into_iter().flatten().map(move |(destination, next)| PlottedHop {
                from: node.index(),
                next: next.index(),
                destination,
            })
        });
        let hops: Vec<PlottedHop> = hops.collect();
        let world = simulation.world();
        let mut links = Vec::new();
        for (place, &a) in nodes.iter().enumerate() {
            links.extend(
                nodes[place + 1..]
                    .iter()
                    .filter(|&&b| world.is_up(a, b))
                    .map(|b| (place, b.index())),
            );
        }
        let shown = if hops.is_empty() { "who hears whom" } else { "who hears whom, and routes" };
        let plot = NetworkPlot {
            title: built.name.clone(),
            about: format!("{shown}, at {at:?} of replication {}, seed {}", plan.first, plan.seed),
            is_to_scale: scenario.simulation.field.is_some(),
            nodes: placed,
            links,
            hops,
        };
        Ok(Picture { name: "network".to_owned(), svg: plot.to_svg() })
    }
}

impl Picture {
    /// Draws it into a folder; which files. Where there are no fonts, there is no PNG, nor without the feature for it.
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

/// A name as it can be part of that of a file.
pub(crate) fn plain(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let plain = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    if plain.is_empty() { "unnamed".to_owned() } else { plain }
}

fn measured_pictures(title: &str, results: &Replications) -> Vec<Picture> {
    let names = |of: fn(&Run) -> Vec<&'static str>| -> BTreeSet<&'static str> {
        results.runs.iter().flat_map(of).collect()
    };
    let distributions = names(|run| run.distributions.iter().map(|it| it.0).collect());
    let series = names(|run| run.series.iter().map(|it| it.0).collect());
    let functions = distributions.into_iter().filter_map(|name| {
        let svg = distribution_function(title, name, results)?.to_svg();
        Some(Picture { name: format!("cdf-{}", plain(name)), svg })
    });
    let over_time = series.into_iter().filter_map(|name| {
        let svg = time_series(title, name, results)?.to_svg();
        Some(Picture { name: format!("series-{}", plain(name)), svg })
    });
    functions.chain(over_time).collect()
}

fn distribution_function(title: &str, name: &str, results: &Replications) -> Option<LinePlot> {
    let mut all = Distribution::default();
    let mut lines = Vec::new();
    for run in &results.runs {
        let Some(distribution) = run.distribution(name) else { continue };
        all.merge(distribution);
        if results.runs.len() <= FAINT_LINES_MAX && results.runs.len() > 1 {
            let name = format!("replication {}", run.replication);
            lines.push(Line { name, points: function(distribution), is_faint: true });
        }
    }
    let points = function(&all);
    let &(last, _) = points.last()?;
    let first = points.get(1).map_or(last, |point| point.0);
    lines.push(Line { name: "all runs".to_owned(), points, is_faint: false });
    let mark = |fraction: f64, what: &str| {
        let value = all.quantile(fraction);
        (value, fraction, format!("{what} {}", significant(value)))
    };
    let faint = if lines.len() > 1 { "; thin: each run" } else { "" };
    let runs = counted(results.runs.len() as u64, "run");
    Some(LinePlot {
        title: format!("{title}: {name}"),
        about: format!("{} in {runs}{faint}", counted(all.count(), "observation")),
        x: if results.runs.iter().any(|run| run.matching(name).is_some()) {
            format!("{name} in s")
        } else {
            name.to_owned()
        },
        y: "share of observations".to_owned(),
        lines,
        marks: vec![mark(0.95, "95 %"), mark(0.5, "median")],
        is_logarithmic: first > 0.0 && last / first > 100.0,
        from_zero: true,
    })
}

/// The distribution function from its foot on.
fn function(distribution: &Distribution) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = distribution.cdf().collect();
    if let Some(&(first, _)) = points.first() {
        points.insert(0, (first, 0.0));
    }
    points
}

fn time_series(title: &str, name: &str, results: &Replications) -> Option<LinePlot> {
    let run = results.runs.iter().find(|run| run.series(name).is_some())?;
    let series = run.series(name)?;
    let mut points: Vec<(f64, f64)> =
        series.points().map(|(time, value)| (time.as_secs_f64(), value)).collect();
    points.push((run.elapsed.as_secs_f64(), series.last()));
    let thinned = match series.stride() {
        1 => String::new(),
        stride => format!("; every {stride}th change"),
    };
    Some(LinePlot {
        title: format!("{title}: {name}"),
        about: format!("replication {}, seed {}{thinned}", run.replication, run.seed),
        x: "time in s".to_owned(),
        y: name.to_owned(),
        lines: vec![Line { name: name.to_owned(), points, is_faint: false }],
        marks: Vec::new(),
        is_logarithmic: false,
        from_zero: true,
    })
}

fn film<P: Protocol>(built: &Built<P>, plan: &Plan<'_>) -> Result<Film, SimError> {
    let Plan { seed, first, ref limits, .. } = *plan;
    let mut camera = Camera::new(&built.scenario, seed, first);
    let run = observed(&built.scenario, seed, first, &mut camera)?.run(limits)?;
    Ok(camera.developed(&run))
}

fn page(
    built: &Subject<'_>,
    plan: &Plan<'_>,
    results: &Replications,
    pictures: Vec<Picture>,
    film: Film,
    command: &str,
) -> RunPage {
    let setup = &built.scenario.simulation;
    let mut facts = vec![
        ("about".to_owned(), built.scenario.about.clone()),
        ("command".to_owned(), command.to_owned()),
        ("runs".to_owned(), results.runs.len().to_string()),
        ("time of each run".to_owned(), format!("{:?}", setup.duration)),
        ("seed".to_owned(), plan.seed.to_string()),
    ];
    let all = built.values();
    let declared = built.parameters.declared().iter().filter(|it| all.contains_key(&it.name));
    let set = declared.filter(|it| it.value != it.default);
    facts.extend(set.map(|it| (it.name.clone(), it.value.clone())));
    facts.extend(built.used_facts());
    let all = all.into_iter().collect();
    let tables = [
        ("measures", &results.measures),
        ("counted per run", &results.counters),
        ("mean of", &results.distributions),
        ("median of", &results.medians),
        ("95th percentile of", &results.percentiles_95),
        ("level of", &results.series),
    ];
    let tables = tables.into_iter().filter(|(_, estimates)| !estimates.is_empty());
    let table = |(title, estimates): (&str, &Vec<Estimate>)| PageTable {
        title: title.to_owned(),
        titles: ["", "mean", "95 % interval", ""].map(str::to_owned).to_vec(),
        rows: estimates.iter().map(row).collect(),
    };
    RunPage {
        title: built.title(),
        facts,
        parameters: all,
        tables: tables.map(table).collect(),
        pictures: pictures.into_iter().map(|picture| picture.svg).collect(),
        film: Some(film),
    }
}

fn row(estimate: &Estimate) -> Vec<String> {
    let interval = interval_text(estimate, "");
    vec![estimate.name.clone(), significant(estimate.mean), interval, estimate.unit.clone()]
}
