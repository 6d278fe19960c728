//! What a scenario file says.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use everypath_formats::{NamedTopology, flows::Flow as ListedFlow};
use everypath_model::{
    ParameterError, Parameters, Profile, Protocol, Scenario, ScenarioError, WarmUp, nearest,
};

use super::{
    Section, Source, Table, Value, faults,
    field::{self, FIELD_KEYS, Trace},
    network::{self, LINK_KEYS, TOPOLOGY_KEYS},
    sensing::{self, SENSING_KEYS},
    traffic::{self, TRAFFIC_KEYS},
};
use crate::{
    arguments::{RUNS_MAX, SimulateArguments},
    error::CliError,
};

/// The keys outside of tables, and the tables.
const TOP_KEYS: [&str; 17] = [
    "scenario",
    "profile",
    "duration",
    "seed",
    "replications",
    "parameters",
    "topology",
    "links",
    "field",
    "radio",
    "energy",
    "sensing",
    "traffic",
    "flows",
    "faults",
    "measurements",
    "sweep",
];

const MEASUREMENT_KEYS: [&str; 4] = ["warm-up", "precision", "of", "measures"];

/// A parameter that a file gives, by its own key or by a file that it names.
struct Given {
    value: String,
    at: usize,
}

/// What a scenario file says: of a sweep, at one of its points.
pub(crate) struct Setting {
    source: Source,
    table: Table,
    /// The name of the scenario, and where it stands.
    pub(crate) scenario: (String, usize),
    pub(crate) profile: Profile,
    /// By name.
    parameters: BTreeMap<String, Given>,
    seed: Option<u64>,
    replications: Option<u32>,
    precision: Option<f64>,
    precision_of: Option<String>,
    /// How nodes move, if a trace says so.
    trace: Option<Trace>,
    topology: Option<NamedTopology>,
    flow_list: Option<Vec<ListedFlow>>,
    /// The files that were read.
    pub(crate) files: Vec<PathBuf>,
}

impl Setting {
    /// The same with other parameters from the command line.
    pub(crate) fn with(&self, set: &[(String, String)]) -> Result<Self, CliError> {
        Self::read(&self.source, &self.table, set)
    }

    /// What a table says. Parameters in `set` are from the command line, and come before those of the
    /// file.
    pub(crate) fn read(
        source: &Source,
        table: &Table,
        set: &[(String, String)],
    ) -> Result<Self, CliError> {
        let top = Section::new(source, "", table, 0, &TOP_KEYS)?;
        let name = top.text("scenario", "the name of a scenario, as `list` shows it")?;
        let help = "write `scenario = \"NAME\"`, with a name that `list` shows";
        let name = top.needed("scenario", name, help)?;
        let profiles: Vec<_> =
            Profile::ALL.into_iter().map(|profile| (profile.name(), profile)).collect();
        let replications = top.whole("replications", 1..=u64::from(RUNS_MAX))?;
        let mut setting = Self {
            source: source.clone(),
            table: table.clone(),
            scenario: (name.to_owned(), top.get("scenario").map_or(0, |item| item.at)),
            profile: top.word("profile", &profiles)?.unwrap_or_default(),
            parameters: BTreeMap::new(),
            seed: top.whole("seed", 0..=u64::MAX)?,
            replications: replications.map(|runs| runs as u32),
            precision: None,
            precision_of: None,
            trace: None,
            topology: None,
            flow_list: None,
            files: Vec::new(),
        };
        setting.read_parameters(top, set)?;
        setting.read_files(top)?;
        if let Some(measurements) = top.below("measurements", &MEASUREMENT_KEYS)? {
            setting.precision = measurements.number("precision", 1e-6..=1.0)?;
            let of = measurements.text("of", "the name of a measure")?;
            setting.precision_of = of.map(str::to_owned);
            if setting.precision.is_none() && of.is_some() {
                let why = "it says of which measure, but not how precise it must be";
                return Err(measurements.error("of", why, Some("give `precision`".to_owned())));
            }
        }
        Ok(setting)
    }

    fn read_parameters(
        &mut self,
        top: Section<'_>,
        set: &[(String, String)],
    ) -> Result<(), CliError> {
        for (name, value) in set {
            self.give(name, value.clone(), 0);
        }
        let Some(item) = top.get("parameters") else { return Ok(()) };
        let Value::Table(table) = &item.value else {
            return Err(top.refuse("parameters", item, "a table: write it as [parameters]"));
        };
        for entry in &table.0 {
            if let Value::List(_) | Value::Table(_) = entry.item.value {
                let key = format!("parameters.{}", entry.key);
                return Err(top.refuse(&key, &entry.item, "a text, a number, true or false"));
            }
            self.give(&entry.key, entry.item.value.to_plain(), entry.item.at);
        }
        Ok(())
    }

    /// Gives a parameter, unless it is given already.
    fn give(&mut self, name: &str, value: String, at: usize) {
        self.parameters.entry(name.to_owned()).or_insert(Given { value, at });
    }

    /// Reads the files that it names, and gives the parameters that follow from them.
    fn read_files(&mut self, top: Section<'_>) -> Result<(), CliError> {
        if let Some(section) = top.below("topology", &TOPOLOGY_KEYS)? {
            let topology = network::topology(section, &mut self.files)?;
            self.give("nodes", topology.topology.len().to_string(), section.at);
            self.give("topology", network::as_shape(&topology.topology), section.at);
            self.topology = Some(topology);
        }
        if let Some(section) = top.below("field", &FIELD_KEYS)? {
            let trace = field::trace(section, &mut self.files)?;
            let nodes = trace.as_ref().map(|trace| trace.paths.len());
            let nodes = nodes.or(field::placed(section)?);
            if let Some(nodes) = nodes {
                self.give("nodes", nodes.to_string(), section.at);
            }
            self.trace = trace;
        }
        if let Some(section) = top.below("sensing", &SENSING_KEYS)?
            && let Some(targets) = sensing::targets(section)?
        {
            self.give("targets", targets.to_string(), section.at);
        }
        if let Some(section) = top.below("traffic", &TRAFFIC_KEYS)? {
            let (flows, bytes) = traffic::flow_list(section, &mut self.files)?;
            self.give("payload", bytes.to_string(), section.at);
            self.flow_list = Some(flows);
        }
        Ok(())
    }

    /// The file that says it, unless it is a name on the command line.
    pub(crate) fn file(&self) -> Option<&Path> {
        Some(self.source.path.as_path()).filter(|path| !path.as_os_str().is_empty())
    }

    /// The parameters of the scenario.
    pub(crate) fn parameters(&self) -> Parameters {
        let given = self.parameters.iter();
        let given = given.map(|(name, given)| (name.clone(), given.value.clone()));
        Parameters::with(given).under(self.profile)
    }

    /// What the command line says, and what the file says where that says nothing.
    pub(crate) fn completed(&self, arguments: &SimulateArguments) -> SimulateArguments {
        let mut all = arguments.clone();
        all.seed = all.seed.or(self.seed);
        all.replications = all.replications.or(self.replications);
        if all.measuring.precision.is_none() && all.claims.probability.is_none() {
            all.measuring.precision = self.precision.filter(|_| all.measuring.versus.is_empty());
            all.measuring.of = self.precision_of.clone();
        }
        all
    }

    /// A parameter was refused.
    pub(crate) fn parameter_error(&self, scenario: &str, error: &ParameterError) -> CliError {
        let name = match error {
            ParameterError::Unknown { name, .. }
            | ParameterError::Value { name, .. }
            | ParameterError::Rejected { name, .. } => name,
        };
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

    /// The scenario is not known.
    pub(crate) fn unknown_scenario(&self, help: String) -> CliError {
        let (name, at) = &self.scenario;
        self.source.error(*at, format!("there is no scenario `{name}`"), Some(help))
    }

    /// What it says in one form only, but for what only decides how often it is run.
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

    /// Puts all that it says into the scenario.
    pub(crate) fn apply<P: Protocol>(&self, scenario: &mut Scenario<P>) -> Result<(), CliError> {
        let top = Section::new(&self.source, "", &self.table, 0, &TOP_KEYS)?;
        self.apply_measurements(top, scenario)?;
        if let Some(links) = top.below("links", &LINK_KEYS)? {
            network::apply_links(links, &mut scenario.timing)?;
        }
        if let Some(topology) = &self.topology {
            scenario.timing.links = topology.timings(scenario.timing.link);
        }
        if top.get("faults").is_some() {
            scenario.timing.outages.clear();
        }
        field::apply(top, self.trace.as_ref(), scenario)?;
        sensing::apply(top, scenario)?;
        traffic::apply(top, self.flow_list.as_deref(), scenario)?;
        faults::apply(top, scenario)?;
        scenario.validate().map_err(|error| self.scenario_error(top, &error))
    }

    fn apply_measurements<P: Protocol>(
        &self,
        top: Section<'_>,
        scenario: &mut Scenario<P>,
    ) -> Result<(), CliError> {
        let timing = &mut scenario.timing;
        if let Some(duration) = top.duration("duration")? {
            if duration.is_zero() {
                return Err(top.error("duration", "nothing happens in 0 s", None));
            }
            timing.duration = duration;
        }
        let Some(section) = top.below("measurements", &MEASUREMENT_KEYS)? else { return Ok(()) };
        if let Some(item) = section.get("warm-up") {
            timing.warm_up = match &item.value {
                Value::Text(word) if word == "mser5" => WarmUp::Mser5,
                _ => match section.as_duration("warm-up", item) {
                    Ok(Duration::ZERO) => WarmUp::None,
                    Ok(time) => WarmUp::Until(time),
                    Err(_) => {
                        let expected = "\"mser5\" or a duration such as \"20s\"";
                        return Err(section.refuse("warm-up", item, expected));
                    }
                },
            };
        }
        let known: Vec<String> = timing.measures.iter().map(|it| it.name.clone()).collect();
        let measure = |key: &str, name: &str, at: usize| match known.iter().any(|it| it == name) {
            true => Ok(name.to_owned()),
            false => {
                let what = format!("`{}`: the scenario has no measure `{name}`", section.path(key));
                let help = match nearest(name, known.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("there are: {}", known.join(", ")),
                };
                Err(section.source.error(at, what, Some(help)))
            }
        };
        if let (Some(name), Some(item)) = (&self.precision_of, section.get("of")) {
            measure("of", name, item.at)?;
        }
        if section.get("measures").is_some() {
            let expected = || "a list of measures".to_owned();
            let names = section.list("measures", expected)?.iter().map(|item| {
                let Value::Text(name) = &item.value else {
                    return Err(section.refuse("measures", item, "names of measures"));
                };
                measure("measures", name, item.at)
            });
            let names = names.collect::<Result<Vec<String>, CliError>>()?;
            timing.measures.retain(|measure| names.contains(&measure.name));
        }
        Ok(())
    }

    /// What it says makes no scenario that can be run.
    fn scenario_error(&self, top: Section<'_>, error: &ScenarioError) -> CliError {
        let key = match error {
            ScenarioError::Field(_) | ScenarioError::LateOnField => "field",
            ScenarioError::Sensing(_) => "sensing",
            ScenarioError::Outage(_) => "faults",
            ScenarioError::Unsendable | ScenarioError::FlowToItself(_) => "flows",
            ScenarioError::Rhythm { .. } | ScenarioError::UnknownNode(_) => "flows",
            ScenarioError::Bandwidth | ScenarioError::Loss(_) => "links",
            ScenarioError::WarmUp { .. } => "measurements",
            _ => "scenario",
        };
        let at = top.get(key).map_or(0, |item| item.at);
        self.source.error(at, error.to_string(), None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{
        super::{
            faults::FAULT_KEYS,
            radio::{ENERGY_KEYS, RADIO_KEYS},
            traffic::FLOW_KEYS,
        },
        *,
    };

    /// The tables that have no other keys than these; those outside of tables under an empty name.
    const KEYS: [(&str, &[&str]); 11] = [
        ("", &TOP_KEYS),
        ("topology", &TOPOLOGY_KEYS),
        ("links", &LINK_KEYS),
        ("field", &FIELD_KEYS),
        ("radio", &RADIO_KEYS),
        ("energy", &ENERGY_KEYS),
        ("sensing", &SENSING_KEYS),
        ("traffic", &TRAFFIC_KEYS),
        ("flows", &FLOW_KEYS),
        ("faults", &FAULT_KEYS),
        ("measurements", &MEASUREMENT_KEYS),
    ];

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema = include_str!("../../../../docs/schema/scenario.schema.json");
        let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
        for (table, keys) in KEYS {
            let place = match table {
                "" => "/properties".to_owned(),
                "flows" | "faults" => format!("/properties/{table}/items/properties"),
                table => format!("/properties/{table}/properties"),
            };
            let known = schema.pointer(&place).and_then(|it| it.as_object()).expect(table);
            let known: BTreeSet<&str> = known.keys().map(String::as_str).collect();
            assert_eq!(known, keys.iter().copied().collect(), "of `{table}`");
        }
    }
}
