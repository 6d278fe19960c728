//! Pictures of a simulation, and a page with all of them.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use everypath_plot::{Film, Line, LinePlot, NetworkPlot, PageTable, RunPage};
use everypath_report::write_atomically;
use everypath_sim::{Distribution, Estimate, Plan, Replications, Run};

use crate::{
    error::{CliError, not_simulated},
    output::{
        called,
        numbers::{counted, significant},
    },
    scenarios::{
        any_scenario::{AnyScenario, NetworkView, RunNumber},
        subject::Subject,
    },
    simulating::{
        interval::interval_text,
        picture::{Picture, PictureSpec, plain},
    },
};

/// More runs than these would only blacken the picture.
const FAINT_LINES_MAX: usize = 30;

/// Draws and writes the pictures. Returns the files.
pub(super) fn write(
    spec: &PictureSpec,
    built: &dyn AnyScenario,
    plan: &Plan<'_>,
    results: &Replications,
    film: Option<Film>,
) -> Result<Vec<PathBuf>, CliError> {
    if spec.given().is_none() || results.runs.is_empty() {
        return Ok(Vec::new());
    }
    let name = &built.origins().name;
    let mut pictures = measured_pictures(name, results);
    let at = spec.plot_at.unwrap_or(built.timing().duration / 2);
    pictures.push(network(built, plan, at)?);
    let mut written = Vec::new();
    if let Some(folder) = &spec.plot {
        for picture in &pictures {
            written.extend(picture.write(folder)?);
        }
    }
    if let Some(path) = &spec.report {
        let page = page(&built.subject(), plan, results, pictures, film).to_html();
        write_atomically(path, page.as_bytes())
            .map_err(|error| CliError::Plot { path: path.clone(), error })?;
        written.push(path.clone());
    }
    Ok(written)
}

/// The network of the first run at one moment.
fn network(built: &dyn AnyScenario, plan: &Plan<'_>, at: Duration) -> Result<Picture, CliError> {
    let name = &built.origins().name;
    let number = RunNumber { seed: plan.seed, replication: plan.first };
    let view = built.network_at(number, at);
    let NetworkView { nodes, links, hops, is_to_scale } =
        view.map_err(|error| not_simulated(name, error, ""))?;
    let shown = if hops.is_empty() { "who hears whom" } else { "who hears whom, and routes" };
    let plot = NetworkPlot {
        title: name.clone(),
        about: format!("{shown}, at {at:?} of replication {}, seed {}", plan.first, plan.seed),
        is_to_scale,
        nodes,
        links,
        hops,
    };
    Ok(Picture { name: "network".to_owned(), svg: plot.to_svg() })
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

/// The distribution function, from zero on.
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

fn page(
    built: &Subject<'_>,
    plan: &Plan<'_>,
    results: &Replications,
    pictures: Vec<Picture>,
    film: Option<Film>,
) -> RunPage {
    let setup = &built.scenario.simulation;
    let mut facts = vec![
        ("about".to_owned(), built.scenario.about.clone()),
        ("command".to_owned(), called()),
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
        film,
    }
}

fn row(estimate: &Estimate) -> Vec<String> {
    let interval = interval_text(estimate, "");
    vec![estimate.name.clone(), significant(estimate.mean), interval, estimate.unit.clone()]
}
