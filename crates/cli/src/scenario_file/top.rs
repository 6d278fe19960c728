//! The keys outside of tables, the tables, and `[measurements]`.

use super::{
    faults::FAULT,
    field::FIELD,
    keys::{
        Keys, Rule,
        Takes::{
            self, Duration, Number, OneOf, Parameters, Sweep, Table, Tables, Text, Whole, Word,
            Words,
        },
        key,
    },
    network::{LINK, TOPOLOGY},
    radio::{ENERGY, RADIO},
    sensing::SENSING,
    traffic::{FLOW, TRAFFIC},
};
use crate::arguments::{published::ProfileName, search::words, values::RUNS_MAX};

pub(super) static TOP: Keys = Keys {
    name: "",
    groups: &[&[
        key("scenario", Text, "the name of a scenario, as `list` shows it"),
        key("profile", Words(words::<ProfileName>), "the semantics of runs"),
        key("duration", Duration, "the simulated time of a run"),
        key("seed", Whole(0..=u64::MAX), "the seed of all random numbers"),
        key(
            "replications",
            Whole(1..=RUNS_MAX as u64),
            "the number of independent runs, at each point of a sweep",
        ),
        key("parameters", Parameters, "the parameters that `everypath show SCENARIO` lists"),
        key(
            "topology",
            Table(&TOPOLOGY),
            "the links; it sets the parameters `nodes` and `topology`",
        ),
        key("links", Table(&LINK), "the properties of all links"),
        key("field", Table(&FIELD), "the places and the mobility of nodes with a radio"),
        key("radio", Table(&RADIO), "the radio of nodes on a field"),
        key("energy", Table(&ENERGY), "the energy of nodes on a field"),
        key("sensing", Table(&SENSING), "the targets that nodes on a field sense"),
        key("traffic", Table(&TRAFFIC), "a flow list, in place of the scenario's own flows"),
        key("flows", Tables(&FLOW), "flows of data, in place of the scenario's own"),
        key("faults", Tables(&FAULT), "outages of nodes and links, in place of the scenario's own"),
        key("measurements", Table(&MEASUREMENTS), "what is measured, and how precisely"),
        key(
            "sweep",
            Sweep,
            "keys with several values each: a parameter, `duration`, `profile`, or a key of a table such as `radio.range`",
        ),
    ]],
    rules: &[&[
        Rule::All(&["scenario"], "write `scenario = \"NAME\"`, with a name that `list` shows"),
        Rule::NotBoth("traffic", "flows"),
    ]],
};

static MEASUREMENTS: Keys = Keys {
    name: "measurements",
    groups: &[&[
        key(
            "warm-up",
            OneOf {
                all: &[Word("mser5"), Duration],
                form: "\"mser5\" or a duration such as \"20s\"",
            },
            "the time at the start of a run that does not count",
        ),
        key(
            "precision",
            Number(1e-6..=1.0),
            "the largest half width of the 95 % interval, as a share of the mean",
        ),
        key("of", Text, "the name of a measure with this precision; default all"),
        key(
            "measures",
            Takes::list(&Text, "a list of measures"),
            "the list of computed measures; default all",
        ),
    ]],
    rules: &[&[Rule::Needs("of", "precision", "say how precise the measure must be")]],
};

/// The keys that replace a part of the scenario, whatever parameters that part was made of.
pub(super) const REPLACING: [&str; 11] = [
    "duration",
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
];
