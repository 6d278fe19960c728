//! The content of a scenario file.

use std::{borrow::Cow, collections::BTreeMap, fs, path::Path, time::Duration};

use everypath_formats::{NamedTopology, flows::Flow as ListedFlow};
use everypath_model::{ParameterError, Parameters, Profile, ScenarioError, WarmUp, did_you_mean};
use xxhash_rust::xxh3::xxh3_128;

use super::{
    Parts, Section, Source, Table, Value, faults,
    field::{self, Trace},
    named_file::NamedFile,
    network,
    replaced::Replaced,
    sensing,
    top::{REPLACING, TOP},
    traffic,
};
use crate::{
    arguments::published::ProfileName,
    error::{CliError, unused},
};

/// The origin of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Giver {
    CommandLine,
    /// `[parameters]` of the file.
    File,
    /// Another table of the file.
    Table(&'static str),
}

/// A given parameter.
struct Given {
    value: String,
    at: usize,
    giver: Giver,
}

/// The content of a scenario file; of a sweep, at one of its points.
pub(crate) struct Setting {
    source: Source,
    table: Table,
    /// The name of the scenario, and its position.
    pub(crate) scenario: (String, usize),
    pub(crate) profile: Profile,
    /// By name.
    parameters: BTreeMap<String, Given>,
    pub(crate) seed: Option<u64>,
    pub(crate) replications: Option<u32>,
    pub(crate) precision: Option<f64>,
    pub(crate) precision_of: Option<String>,
    /// The movements of nodes, if there is a trace.
    trace: Option<Trace>,
    topology: Option<NamedTopology>,
    flow_list: Option<Vec<ListedFlow>>,
    /// Of a recorded run: the parameters that the file replaced.
    recorded: Option<Vec<Replaced>>,
    /// The files that it names.
    pub(crate) files: Vec<NamedFile>,
}

impl Setting {
    /// The same with other parameters from the command line.
    pub(crate) fn with(&self, set: &[(String, String)]) -> Result<Self, CliError> {
        Self::read(&self.source, &self.table, set)
    }

    /// Reads the table of a recorded run, with the recorded values of all parameters except those that were
    /// replaced.
    pub(crate) fn recorded(
        source: &Source,
        table: &Table,
        parameters: &BTreeMap<String, String>,
        replaced: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self, CliError> {
        let set: Vec<(String, String)> = parameters.clone().into_iter().collect();
        let replaced = replaced.iter().map(|(parameter, keys)| Replaced {
            parameter: parameter.clone(),
            keys: REPLACING.into_iter().filter(|key| keys.iter().any(|it| it == key)).collect(),
        });
        Self::read_as(source, table, &set, Some(replaced.collect()))
    }

    /// Reads a table. Parameters in `set` are from the command line, and override those of the
    /// file.
    pub(crate) fn read(
        source: &Source,
        table: &Table,
        set: &[(String, String)],
    ) -> Result<Self, CliError> {
        Self::read_as(source, table, set, None)
    }

    fn read_as(
        source: &Source,
        table: &Table,
        set: &[(String, String)],
        recorded: Option<Vec<Replaced>>,
    ) -> Result<Self, CliError> {
        let top = Section::new(source, &TOP, table);
        top.check()?;
        let name = top.text("scenario").expect("a rule requires it");
        let mut setting = Self {
            source: source.clone(),
            table: table.clone(),
            scenario: (name.to_owned(), top.get("scenario").map_or(0, |item| item.at)),
            profile: top.word::<ProfileName>("profile").map(Into::into).unwrap_or_default(),
            parameters: BTreeMap::new(),
            seed: top.whole("seed"),
            replications: top.whole("replications").map(|runs| runs as u32),
            precision: None,
            precision_of: None,
            trace: None,
            topology: None,
            flow_list: None,
            recorded,
            files: Vec::new(),
        };
        setting.read_parameters(top, set)?;
        setting.read_files(top)?;
        if let Some(measurements) = top.below("measurements") {
            setting.precision = measurements.number("precision");
            setting.precision_of = measurements.text("of").map(str::to_owned);
        }
        Ok(setting)
    }

    fn read_parameters(
        &mut self,
        top: Section<'_>,
        set: &[(String, String)],
    ) -> Result<(), CliError> {
        for (name, value) in set {
            self.give(name, value.clone(), 0, Giver::CommandLine)?;
        }
        let Some(Value::Table(table)) = top.get("parameters").map(|item| &item.value) else {
            return Ok(());
        };
        for entry in &table.0 {
            self.give(&entry.key, entry.item.value.to_plain(), entry.item.at, Giver::File)?;
        }
        Ok(())
    }

    /// Sets a parameter. The command line overrides the file; a value that follows from a table cannot be contradicted
    /// elsewhere.
    fn give(&mut self, name: &str, value: String, at: usize, giver: Giver) -> Result<(), CliError> {
        let Some(given) = self.parameters.get(name) else {
            self.parameters.insert(name.to_owned(), Given { value, at, giver });
            return Ok(());
        };
        let Giver::Table(table) = giver else { return Ok(()) };
        if given.value == value || self.recorded.is_some() {
            return Ok(());
        }
        let shown = |value: &str| match value.chars().count() {
            0..40 => format!("`{value}`"),
            _ => "another value".to_owned(),
        };
        let (was, is) = (shown(&given.value), shown(&value));
        let what = format!("parameter `{name}` is given as {was}, but [{table}] makes it {is}");
        Err(self.given_error(given, what, format!("remove it, or remove [{table}]")))
    }

    /// An error of a given parameter.
    fn given_error(&self, given: &Given, what: String, help: String) -> CliError {
        match given.giver {
            Giver::CommandLine => CliError::ScenarioFile {
                what: format!("{}: {what}", self.source.path.display()),
                help: Some(help),
            },
            Giver::File | Giver::Table(_) => self.source.error(given.at, what, Some(help)),
        }
    }

    /// Whether it has a key outside of tables, or a table.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Its keys outside of tables, and its tables.
    pub(crate) fn keys(&self) -> Vec<String> {
        self.table.0.iter().map(|entry| entry.key.clone()).collect()
    }

    /// Refuses a file with several points, and a profile on the command line that contradicts that of the file.
    pub(crate) fn ensure_one(&self, option: &str, given: Profile) -> Result<(), CliError> {
        if let Some(sweep) = self.table.get("sweep") {
            let what = format!("`sweep`: {option} needs a single point");
            let help = Some("use another file, without [sweep]".to_owned());
            return Err(self.source.error(sweep.at, what, help));
        }
        self.ensure_profile(given)
    }

    /// Refuses a profile on the command line that is not that of the file.
    pub(crate) fn ensure_profile(&self, given: Profile) -> Result<(), CliError> {
        if given == Profile::default() || given == self.profile || self.file().is_none() {
            return Ok(());
        }
        let with = format!("a scenario file; write `profile = \"{}\"` in it", given.name());
        Err(unused("--profile", with))
    }

    /// The parameters that the file replaced, if a record says so. A record gives all parameters, also those that depend
    /// on each other, so this cannot be computed again.
    pub(crate) fn known_replaced(&self) -> Option<Vec<Replaced>> {
        self.recorded.clone()
    }

    /// Refuses a given parameter that the file itself replaces.
    pub(crate) fn refuse_replaced(&self, replaced: &[Replaced]) -> Result<(), CliError> {
        let is_given = |name: &str| {
            let said = |it: &&Given| !matches!(it.giver, Giver::Table(_));
            self.parameters.get(name).filter(said)
        };
        let found = replaced.iter().find_map(|it| Some((it, is_given(&it.parameter)?)));
        let Some((replaced, given)) = found else { return Ok(()) };
        let (name, by) = (&replaced.parameter, replaced.by());
        let (verb, them) =
            if replaced.keys.len() == 1 { ("replaces", "it") } else { ("replace", "them") };
        let what = format!("parameter `{name}` has no effect: {by} {verb} everything that it sets");
        let own_key = replaced.keys.iter().find(|key| {
            matches!(self.table.get(key).map(|it| &it.value), Some(Value::Table(table)) if table.get(name).is_some())
        });
        let instead = match own_key {
            Some(table) => format!("change `{table}.{name}` of the file instead"),
            None => format!("change {by} instead, or remove {them}"),
        };
        Err(self.given_error(given, what, format!("remove the parameter; {instead}")))
    }

    /// Reads the named files, and sets the parameters that follow from them.
    fn read_files(&mut self, top: Section<'_>) -> Result<(), CliError> {
        if let Some(section) = top.below("topology") {
            let topology = network::topology(section, &mut self.files)?;
            let giver = Giver::Table("topology");
            self.give("nodes", topology.topology.len().to_string(), section.at, giver)?;
            self.give("topology", network::as_shape(&topology.topology), section.at, giver)?;
            self.topology = Some(topology);
        }
        if let Some(section) = top.below("field") {
            let trace = field::trace(section, &mut self.files)?;
            let nodes = trace.as_ref().map(|trace| trace.paths.len());
            let nodes = nodes.or_else(|| field::placed(section));
            if let Some(nodes) = nodes {
                self.give("nodes", nodes.to_string(), section.at, Giver::Table("field"))?;
            }
            self.trace = trace;
        }
        if let Some(section) = top.below("sensing")
            && let Some(targets) = sensing::targets(section)
        {
            self.give("targets", targets.to_string(), section.at, Giver::Table("sensing"))?;
        }
        if let Some(section) = top.below("traffic") {
            let (flows, bytes) = traffic::flow_list(section, &mut self.files)?;
            self.give("payload", bytes.to_string(), section.at, Giver::Table("traffic"))?;
            self.flow_list = Some(flows);
        }
        Ok(())
    }

    /// The file, unless the scenario is named on the command line.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(self.source.path.as_path()).filter(|path| !path.as_os_str().is_empty())
    }

    /// The parameters of the scenario.
    pub(crate) fn parameters(&self) -> Parameters {
        let given = self.parameters.iter();
        let given = given.map(|(name, given)| (name.clone(), given.value.clone()));
        Parameters::with(given).under(self.profile)
    }

    /// The same with another value of one of them.
    pub(crate) fn parameters_with(&self, name: &str, value: &str) -> Parameters {
        let others = self.parameters.iter().filter(|(other, _)| *other != name);
        let others = others.map(|(other, given)| (other.as_str(), given.value.as_str()));
        Parameters::with(others.chain([(name, value)])).under(self.profile)
    }

    /// The error for a refused parameter.
    pub(crate) fn parameter_error(&self, scenario: &str, error: &ParameterError) -> CliError {
        let name = error.parameter();
        let given = self.parameters.get(name);
        let help = format!("`show {scenario}` lists its parameters");
        let at = given.map_or(0, |given| given.at);
        let sensing = self.table.get("sensing").filter(|sensing| sensing.at == at);
        let what = match (error, sensing) {
            (ParameterError::Unknown { .. }, Some(_)) => {
                format!(
                    "`sensing`: {scenario} has no targets to sense: there is no parameter `{name}`"
                )
            }
            _ => format!("{scenario}: {error}"),
        };
        self.source.error(at, what, Some(help))
    }

    /// The error for an unknown scenario.
    pub(crate) fn unknown_scenario(&self, help: String) -> CliError {
        let (name, at) = &self.scenario;
        self.source.error(*at, format!("there is no scenario `{name}`"), Some(help))
    }

    /// Its content in a canonical form, without the keys that only decide how often it is run.
    pub(crate) fn canonical(&self) -> String {
        let mut table = self.table.clone();
        for key in ["sweep", "replications", "seed", "parameters"] {
            table.remove(key);
        }
        if let Some(measurements) =
            table.0.iter_mut().find(|entry| entry.key == "measurements").map(|it| &mut it.item)
            && let Value::Table(measurements) = &mut measurements.value
        {
            ["precision", "of"].into_iter().for_each(|key| measurements.remove(key));
        }
        table.to_string()
    }

    /// A digest of its content and of the files that it names, without parameters, seed and replications, which are
    /// recorded elsewhere.
    pub(crate) fn digest(&self) -> Result<String, CliError> {
        let mut text = self.canonical();
        for NamedFile { path, .. } in &self.files {
            let content = fs::read(path).map_err(|error| CliError::ScenarioFile {
                what: format!("{}: cannot be read: {error}", path.display()),
                help: None,
            })?;
            text += &format!("\n{:032x}", xxh3_128(&content));
        }
        Ok(format!("{:032x}", xxh3_128(text.as_bytes())))
    }

    /// Applies it to the scenario, without one of its keys.
    pub(crate) fn apply(
        &self,
        without: Option<&str>,
        mut scenario: Parts<'_>,
    ) -> Result<(), CliError> {
        let mut table = Cow::Borrowed(&self.table);
        without.into_iter().for_each(|key| table.to_mut().remove(key));
        let (table, scenario) = (&*table, &mut scenario);
        let top = Section::new(&self.source, &TOP, table);
        let trace = self.trace.as_ref().filter(|_| table.get("field").is_some());
        let flow_list = self.flow_list.as_deref().filter(|_| table.get("traffic").is_some());
        self.apply_measurements(top, scenario)?;
        if let Some(links) = top.below("links") {
            network::apply_links(links, scenario.link);
        }
        if let Some(topology) = self.topology.as_ref().filter(|_| table.get("topology").is_some()) {
            *scenario.links = topology.link_models(*scenario.link);
        }
        if top.has("faults") {
            scenario.outages.clear();
        }
        field::apply(top, trace, scenario)?;
        sensing::apply(top, scenario)?;
        traffic::apply(top, flow_list, scenario)?;
        faults::apply(top, scenario)
    }

    fn apply_measurements(
        &self,
        top: Section<'_>,
        scenario: &mut Parts<'_>,
    ) -> Result<(), CliError> {
        if let Some(duration) = top.duration("duration") {
            if duration.is_zero() {
                return Err(top.error("duration", "nothing happens in 0 s", None));
            }
            *scenario.duration = duration;
        }
        let Some(section) = top.below("measurements") else { return Ok(()) };
        if let Some(item) = section.get("warm-up") {
            *scenario.warm_up = match item.value.as_duration() {
                None => WarmUp::Mser5,
                Some(Duration::ZERO) => WarmUp::None,
                Some(time) => WarmUp::Until(time),
            };
        }
        let known: Vec<String> = scenario.measures.iter().map(|it| it.name.clone()).collect();
        let measure = |key: &str, name: &str, at: usize| match known.iter().any(|it| it == name) {
            true => Ok(name.to_owned()),
            false => {
                let what = format!("`{}`: the scenario has no measure `{name}`", section.path(key));
                let help = did_you_mean(name, known.iter().map(String::as_str));
                Err(section.source.error(at, what, Some(help)))
            }
        };
        if let (Some(name), Some(item)) = (&self.precision_of, section.get("of")) {
            measure("of", name, item.at)?;
        }
        if section.has("measures") {
            let names = section.list("measures").iter();
            let names = names.map(|item| measure("measures", &item.value.to_plain(), item.at));
            let names = names.collect::<Result<Vec<String>, CliError>>()?;
            scenario.measures.retain(|measure| names.contains(&measure.name));
        }
        Ok(())
    }

    /// The error if the resulting scenario cannot be run.
    pub(crate) fn scenario_error(&self, error: &ScenarioError) -> CliError {
        let key = match error {
            ScenarioError::Field(_)
            | ScenarioError::LateOnField
            | ScenarioError::AudienceOnField => "field",
            ScenarioError::Sensing(_) => "sensing",
            ScenarioError::Outage(_) => "faults",
            ScenarioError::Unsendable | ScenarioError::FlowToItself(_) => "flows",
            ScenarioError::Rhythm { .. } | ScenarioError::UnknownNode(_) => "flows",
            ScenarioError::Bandwidth | ScenarioError::Loss(_) | ScenarioError::Duplication(_) => {
                "links"
            }
            ScenarioError::WarmUp { .. } => "measurements",
            _ => "scenario",
        };
        let at = self.table.get(key).map_or(0, |item| item.at);
        self.source.error(at, error.to_string(), None)
    }
}
