//! What was really used, as text and as JSON: the files, and their effect on a scenario.

use std::{collections::BTreeMap, path::Path};

use everypath_capture::{LoggedFile, LoggedSetting};
use everypath_model::{Area, Field, LinkModel, Loss, Mobility, Radio};
use everypath_report::RecordedFile;
use everypath_sim::radio_range;
use serde::{Deserialize, Serialize};

use super::{
    outline::SimulationOutline,
    subject::Subject,
    used_file::{FileReport, ReadFile, UsedFile},
};
use crate::{
    output::numbers::{counted, significant},
    scenario_file::Replaced,
};

impl Subject<'_> {
    /// The values of all parameters that have an effect, by name.
    pub(crate) fn values(&self) -> BTreeMap<String, String> {
        let replaced = |name: &str| {
            self.file.is_some_and(|file| file.replaced.iter().any(|it| it.parameter == name))
        };
        let declared = self.parameters.declared().iter().filter(|it| !replaced(&it.name));
        declared.map(|parameter| (parameter.name.clone(), parameter.value.clone())).collect()
    }

    fn named_by(&self, table: &str) -> Option<&ReadFile> {
        self.file?.named_by(table)
    }

    /// What was used as text, if there was a scenario file.
    pub(crate) fn used_facts(&self) -> Vec<(String, String)> {
        let Some(file) = self.file else { return Vec::new() };
        let setup = &self.scenario.simulation;
        let mut facts = vec![("file", file.file.to_text())];
        match &setup.field {
            Some(field) => {
                facts.push(("mobility", mobility_text(field, self.named_by("field"))));
                facts.push(("radio", radio_text(&field.radio)));
            }
            None => {
                let links = counted(self.scenario.topology.links().count() as u64, "link");
                let links = of_file(links, self.named_by("topology"));
                facts.push(("links", format!("{links}: {}", link_text(setup))));
            }
        }
        if setup.sends_data {
            let flows = counted(setup.flows as u64, "flow");
            facts.push(("traffic", of_file(flows, self.named_by("traffic"))));
        }
        if !file.replaced.is_empty() {
            facts.push(("replaced", replaced_text(&file.replaced)));
        }
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// What was used, for a report.
    pub(crate) fn used(&self) -> UsedReport {
        let setup = &self.scenario.simulation;
        let file = self.file;
        let field = setup.field.as_ref();
        let named = |table| self.named_by(table).map(ReadFile::report);
        UsedReport {
            file: file.map(|file| file.file.report()),
            nodes: self.scenario.topology.len(),
            links: field.is_none().then(|| self.scenario.topology.links().count()),
            link_file: named("topology"),
            mobility: field.map(|field| mobility_name(field, self.named_by("field")).to_owned()),
            mobility_file: named("field"),
            radio: field.map(|field| radio_name(&field.radio).to_owned()),
            range_m: field.map(|field| radio_range(&field.radio)),
            flows: setup.flows,
            flow_file: named("traffic"),
            replaced: file.map(UsedFile::replaced_keys).unwrap_or_default(),
        }
    }

    /// The files that were used, for a trace in a folder.
    pub(crate) fn recorded_files(&self, folder: &Path) -> Vec<RecordedFile> {
        let recorded = |file: &ReadFile| {
            let LoggedFile { path, digest } = file.seen_from(folder);
            RecordedFile { path, digest }
        };
        self.file.into_iter().flat_map(UsedFile::all).map(recorded).collect()
    }

    /// What was used, for an event log in a folder.
    pub(crate) fn logged_setting(&self, folder: &Path) -> LoggedSetting {
        let setup = &self.scenario.simulation;
        let field = setup.field.as_ref();
        let file = self.file;
        LoggedSetting {
            file: file.map(|file| file.file.seen_from(folder)),
            files: file.map_or(Vec::new(), |file| {
                file.named.iter().map(|(_, named)| named.seen_from(folder)).collect()
            }),
            replaced: file.map(UsedFile::replaced_keys).unwrap_or_default(),
            mobility: field.map(|it| mobility_name(it, self.named_by("field")).to_owned()),
            radio: field.map(|field| radio_name(&field.radio).to_owned()),
            flows: setup.flows,
        }
    }
}

/// The network, the traffic and the files that were really used.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Used"))]
pub(crate) struct UsedReport {
    /// The scenario file, if it gave more than a name and parameters. Its digest is that of its content, however it is
    /// written.
    file: Option<FileReport>,
    /// How many nodes there are.
    #[cfg_attr(test, schemars(range(min = 1)))]
    nodes: usize,
    /// How many links there are; null on a field.
    links: Option<usize>,
    /// The file that the links are from, if there is one.
    link_file: Option<FileReport>,
    /// How nodes move; null without a field.
    #[cfg_attr(
        test,
        schemars(extend("enum" = ["trace", "paths", "fixed", "uniform", "waypoint", "walk", null]))
    )]
    mobility: Option<String>,
    /// The trace that the movements are from, if there is one.
    mobility_file: Option<FileReport>,
    /// The kind of radio; null without a field.
    #[cfg_attr(test, schemars(extend("enum" = ["ideal", "shared", "dcf", null])))]
    radio: Option<String>,
    /// The distance up to which a node is heard, in metres; null without a field.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    range_m: Option<f64>,
    /// How many flows there are.
    flows: usize,
    /// The flow list that the flows are from, if there is one.
    flow_file: Option<FileReport>,
    /// The parameters that have no effect and are not among `parameters`, each with the keys of the scenario file that replace
    /// it.
    replaced: BTreeMap<String, Vec<String>>,
}

fn of_file(what: String, file: Option<&ReadFile>) -> String {
    match file {
        Some(file) => format!("{what} of {}", file.to_text()),
        None => what,
    }
}

/// How links treat packets.
fn link_text(setup: &SimulationOutline) -> String {
    let LinkModel { bandwidth_bps, delay, loss, duplication, queue, .. } = setup.link;
    let speed = bandwidth_bps.map_or("no transmission time".to_owned(), |bps| {
        format!("{} bit/s", significant(bps as f64))
    });
    let loss = match loss {
        Loss::Independent(share) => format!("loss {}", significant(share)),
        Loss::Bursts(_) => "loss in bursts".to_owned(),
    };
    let duplication = match duplication {
        0.0 => String::new(),
        share => format!(", duplication {}", significant(share)),
    };
    let own = match setup.own_links {
        0 => String::new(),
        some => format!("; {some} directions with values of their own"),
    };
    format!("{speed}, delay {delay:?}, {loss}{duplication}, queue {queue}{own}")
}

fn mobility_name(field: &Field, trace: Option<&ReadFile>) -> &'static str {
    match (&field.mobility, trace) {
        (Mobility::Paths(_), Some(_)) => "trace",
        (Mobility::Paths(paths), None) if paths.iter().any(|path| !path.legs.is_empty()) => "paths",
        (Mobility::Paths(_), None) => "fixed",
        (Mobility::Uniform(_), _) => "uniform",
        (Mobility::Waypoint { .. }, _) => "waypoint",
        (Mobility::Walk { .. }, _) => "walk",
    }
}

fn mobility_text(field: &Field, trace: Option<&ReadFile>) -> String {
    let within =
        |area: &Area| format!(" in {} m × {} m", significant(area.width), significant(area.height));
    let at = |(least, most): (f64, f64)| {
        format!(", {} to {} m/s", significant(least), significant(most))
    };
    let more = match &field.mobility {
        Mobility::Paths(_) => trace.map_or(String::new(), |it| format!(" {}", it.to_text())),
        Mobility::Uniform(area) => within(area),
        Mobility::Waypoint { area, speeds, pause } => {
            format!("{}{}, pauses of {pause:?}", within(area), at(*speeds))
        }
        Mobility::Walk { area, speeds, turn } => {
            format!("{}{}, a turn every {turn:?}", within(area), at(*speeds))
        }
    };
    format!("{}{more}", mobility_name(field, trace))
}

fn radio_name(radio: &Radio) -> &'static str {
    match radio {
        Radio::Ideal(_) => "ideal",
        Radio::Shared(_) => "shared",
        Radio::Dcf(_) => "dcf",
    }
}

fn radio_text(radio: &Radio) -> String {
    format!("{}, heard {} m far", radio_name(radio), significant(radio_range(radio)))
}

/// The replaced parameters, and the keys that replaced them.
fn replaced_text(replaced: &[Replaced]) -> String {
    let mut by: Vec<(String, Vec<&str>)> = Vec::new();
    for it in replaced {
        let what = it.by();
        match by.iter_mut().find(|(other, _)| *other == what) {
            Some((_, names)) => names.push(&it.parameter),
            None => by.push((what, vec![&it.parameter])),
        }
    }
    let told = by.into_iter().map(|(what, names)| format!("{} by {what}", names.join(", ")));
    told.collect::<Vec<_>>().join("; ")
}
