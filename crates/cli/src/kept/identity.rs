//! Whether a file of an earlier run may be used: decided here, for all kinds of files.
//!
//! A run has a number of parts. [`RULES`] says for each part and for each keeper whether it must be the same as when
//! the file was written, and if not, why it cannot matter. The version of a file's format is not a part: each reader
//! refuses the versions that it does not know.

use std::collections::BTreeMap;

use everypath_model::WarmUp;
use everypath_network::program_print;
use everypath_report::{CONFIGURATION, PARAMETER, SealedFileError, TraceFile, Trouble, differing};

use crate::{
    error::CliError,
    scenarios::{outline::Outline, start::Moment, subject::Subject},
};

/// A kind of file that is kept from one run to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeper {
    /// A search that was interrupted.
    Checkpoint,
    /// Memoised executions of handlers.
    Memo,
    /// The steps between states.
    Graph,
    /// Counterexamples.
    Regressions,
    /// Measurements of simulated runs.
    Results,
}

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Program,
    Protocol,
    Itself,
    Scenario,
    Family,
    Profile,
    Parameters,
    Settings,
    Start,
    Timing,
    Conditions,
    Options,
}

/// Whether a keeper needs a part to be the same.
#[cfg_attr(not(test), expect(dead_code, reason = "the reasons are for readers of the table"))]
#[derive(Clone, Copy, Debug)]
enum Need {
    /// It must be the same.
    Same,
    /// It must be the same if something has no print to compare; otherwise it need not, for this reason.
    Incomparable(&'static str),
    /// It need not be the same, for this reason.
    Without(&'static str),
}

use Need::{Incomparable, Same, Without};

const EXECUTED_AGAIN: &str =
    "every event is executed again, and every assertion is evaluated again";
const OF_PROGRAM: &str = "the same program makes it of the same scenario, profile and parameters";
const OF_ITSELF: &str = "a handler reads nothing of a scenario but `self`, which is compared";
const OF_SCENARIO: &str = "the scenario must be the same";
const BY_ITSELF: &str = "a search and its space compare that themselves";
const NO_HANDLER: &str = "no handler reads it";
const SIMULATED_START: &str = "a simulation starts where the scenario says";
const SIMULATED: &str = "only a simulation reads it";

/// What each keeper needs of each part, in the order checkpoint, memo, graph, regressions, results.
const RULES: [(Part, [Need; 5]); 12] = [
    (
        Part::Program,
        [
            Same,
            Incomparable("handlers are compared by the prints of their code"),
            Incomparable(
                "handlers are compared by the prints of their code; the rest is evaluated again",
            ),
            Without(EXECUTED_AGAIN),
            Same,
        ],
    ),
    (
        Part::Protocol,
        [Without(OF_PROGRAM), Same, Same, Without(EXECUTED_AGAIN), Without(OF_PROGRAM)],
    ),
    (Part::Itself, [Without(OF_PROGRAM), Same, Same, Without(EXECUTED_AGAIN), Without(OF_PROGRAM)]),
    (Part::Scenario, [Same, Incomparable(OF_ITSELF), Same, Same, Same]),
    (
        Part::Family,
        [
            Without(OF_SCENARIO),
            Without(OF_ITSELF),
            Same,
            Without(OF_SCENARIO),
            Without(OF_SCENARIO),
        ],
    ),
    (Part::Profile, [Same, Incomparable(OF_ITSELF), Same, Same, Same]),
    (Part::Parameters, [Same, Incomparable(OF_ITSELF), Same, Same, Same]),
    (
        Part::Settings,
        [
            Same,
            Without("a file changes `self` only through parameters"),
            Same,
            Without(EXECUTED_AGAIN),
            Same,
        ],
    ),
    (
        Part::Start,
        [
            Same,
            Without("a handler does not know how its state came about"),
            Same,
            Same,
            Without(SIMULATED_START),
        ],
    ),
    (
        Part::Timing,
        [Without(SIMULATED), Without(NO_HANDLER), Without(SIMULATED), Without(SIMULATED), Same],
    ),
    (
        Part::Conditions,
        [
            Without("they are the program's; the space compares their names"),
            Without(NO_HANDLER),
            Without("they are evaluated again, except assumptions, which need the same program"),
            Without(EXECUTED_AGAIN),
            Without("they are the program's"),
        ],
    ),
    (
        Part::Options,
        [
            Without(BY_ITSELF),
            Without(NO_HANDLER),
            Without(BY_ITSELF),
            Without(EXECUTED_AGAIN),
            Without("the seed and the number of a run are in the name of its file"),
        ],
    ),
];

/// The name of the scenario among the parts.
const SCENARIO: &str = "scenario";
/// The name of the scenario of which others are versions, among the parts.
const FAMILY: &str = "versions of";
/// The name of the program among the parts.
pub(crate) const PROGRAM: &str = "program";

/// A digest of the program, in words.
pub(crate) fn program() -> String {
    format!("{:016x}", program_print())
}

/// The identity of a run.
pub(crate) struct Identity {
    /// By part: names and values. The program is digested only when needed, because that takes time.
    parts: Vec<(Part, String, String)>,
    /// What has no print to compare, if there is such a thing.
    incomparable: Option<&'static str>,
}

impl Identity {
    pub(crate) fn of(built: &Subject<'_>) -> Self {
        let configuration = built.scenario.configuration.clone();
        let incomparable = incomparable(&built.scenario);
        let mut parts = Vec::new();
        let mut add = |part, name: &str, value: String| parts.push((part, name.to_owned(), value));
        add(Part::Protocol, "protocol", built.scenario.protocol.to_owned());
        if let Some(text) = configuration.or(incomparable.is_none().then(String::new)) {
            add(Part::Itself, CONFIGURATION, text);
        }
        add(Part::Scenario, SCENARIO, built.name.clone());
        let family = built.scenario.version_of.as_ref().unwrap_or(&built.name);
        add(Part::Family, FAMILY, family.clone());
        add(Part::Profile, "profile", built.parameters.profile().name().to_owned());
        for (name, value) in built.values() {
            add(Part::Parameters, &format!("{PARAMETER}{name}"), value);
        }
        if let Some(digest) = built.settings {
            add(Part::Settings, "scenario file", digest.to_owned());
        }
        for (name, value) in built.start.iter().flat_map(|start| start.moment.identity()) {
            add(Part::Start, name, value);
        }
        let setup = &built.scenario.simulation;
        add(Part::Timing, "duration", format!("{:?}", setup.duration));
        if setup.warm_up != WarmUp::None {
            add(Part::Timing, "warm-up", format!("{:?}", setup.warm_up));
        }
        Self { parts, incomparable }
    }

    /// The same, if something else cannot be compared either.
    pub(crate) fn with_incomparable(mut self, what: Option<&'static str>) -> Self {
        self.incomparable = self.incomparable.or(what);
        self
    }

    /// What has no print to compare, so that the program must be the same.
    pub(crate) fn incomparable(&self) -> Option<&'static str> {
        self.incomparable
    }

    /// The parts that must be the same for a keeper.
    pub(crate) fn needed(&self, keeper: Keeper) -> BTreeMap<String, String> {
        let is_needed = |part: Part| {
            let (_, needs) = RULES.iter().find(|(of, _)| *of == part).expect("each has a rule");
            match needs[keeper as usize] {
                Same => true,
                Incomparable(_) => self.incomparable.is_some(),
                Without(_) => false,
            }
        };
        let parts = self.parts.iter().filter(|(part, ..)| is_needed(*part));
        let parts = parts.map(|(_, name, value)| (name.clone(), value.clone()));
        let program = is_needed(Part::Program);
        let program = program.then(|| (PROGRAM.to_owned(), self::program()));
        parts.chain(program).collect()
    }

    /// Why a counterexample does not belong to a check, if it does not. A parameter that only one version has is a
    /// change of the program, and does not count.
    pub(crate) fn differs_from(&self, trace: &TraceFile) -> Option<String> {
        let now = self.needed(Keeper::Regressions);
        let then = identity_of_trace(trace);
        let matters = |key: &str| {
            !key.starts_with(PARAMETER) || (then.contains_key(key) && now.contains_key(key))
        };
        let differing: Vec<_> = differing(&then, &now).filter(|it| matters(it.key)).collect();
        let of = |beginning: &str| differing.iter().find(|it| it.key.starts_with(beginning));
        let then = |it: &everypath_report::Differing<'_>| it.saved.unwrap_or_default().to_owned();
        if let Some(other) = of("scenario") {
            Some(format!("it is a run of scenario `{}`", then(other)))
        } else if let Some(other) = of("profile") {
            Some(format!("it is a run under the profile {}", then(other)))
        } else if let Some(other) = of(PARAMETER) {
            let (name, now) = (&other.key[PARAMETER.len()..], other.now.unwrap_or_default());
            Some(format!("it is a run with {name} = {}, and this check has {now}", then(other)))
        } else {
            let start = differing.first();
            start.map(|_| "it starts in another world (--from-simulation)".to_owned())
        }
    }
}

fn identity_of_trace(trace: &TraceFile) -> BTreeMap<String, String> {
    let TraceFile { scenario, profile, parameters, start, .. } = trace;
    let fixed = [("scenario", scenario.clone()), ("profile", profile.clone())];
    let start = start.iter().flat_map(|start| Moment::of(start).identity());
    let fixed = fixed.into_iter().chain(start).map(|(name, value)| (name.to_owned(), value));
    let parameters =
        parameters.iter().map(|(name, value)| (format!("{PARAMETER}{name}"), value.clone()));
    fixed.chain(parameters).collect()
}

/// The part of `self` that has no print to compare, if there is one. A type without size and without generic arguments
/// holds nothing. Types of closures have the same name whatever the closures do.
fn incomparable(scenario: &Outline) -> Option<&'static str> {
    let name = scenario.protocol;
    if name.contains("{{closure}}") {
        Some("a closure in the protocol")
    } else if scenario.configuration.is_some() || (scenario.holds_nothing && !name.contains('<')) {
        None
    } else {
        Some("the content of `self`")
    }
}

/// How the identity of a file differs.
pub(crate) enum Mismatch {
    /// Another program has written it; all other parts that both have are the same.
    Program,
    /// It belongs to something else.
    Other(SealedFileError),
}

/// Distinguishes files of another program from those of another scenario or other parameters, for which the user is
/// more likely to have the right file.
pub(crate) fn mismatch(error: SealedFileError) -> Mismatch {
    let SealedFileError { kind, path, trouble: Trouble::Identity { mut saved, mut now } } = error
    else {
        return Mismatch::Other(error);
    };
    let other_program = saved.remove(PROGRAM) != now.remove(PROGRAM);
    // A part that only one of them has follows from the program, e.g. whether it knows what `self` is.
    let is_same = differing(&saved, &now).all(|it| it.saved.is_none() || it.now.is_none());
    match other_program && is_same {
        true => Mismatch::Program,
        false => Mismatch::Other(SealedFileError {
            kind,
            path,
            trouble: Trouble::Identity { saved, now },
        }),
    }
}

/// How a file belongs to another version of the scenario: to one that is declared as such. The result is the identity of
/// the file, and the difference in words; nothing if it belongs to something else.
pub(crate) fn other_version(
    error: &SealedFileError,
    scenario: &Outline,
) -> Option<(BTreeMap<String, String>, String)> {
    let Trouble::Identity { saved, now } = &error.trouble else { return None };
    let is_version = |key: &str| {
        key == SCENARIO
            || key
                .strip_prefix(PARAMETER)
                .is_some_and(|name| scenario.version_parameters.iter().any(|known| known == name))
    };
    // What handlers read of `self` may differ between versions; without a version, it may not.
    let differing: Vec<_> = differing(saved, now).collect();
    let version = differing.iter().find(|it| is_version(it.key))?;
    let tolerated = differing.iter().all(|it| is_version(it.key) || it.key == CONFIGURATION);
    let value = |value: Option<&str>| value.unwrap_or("none").to_owned();
    let what =
        format!("{} {}, and this is {}", version.key, value(version.saved), value(version.now));
    tolerated.then(|| (saved.clone(), what))
}

/// The error for a file of another program, which cannot be used for this reason, or of something else.
pub(crate) fn refusal(error: SealedFileError, why: &str, remedy: &'static str) -> CliError {
    let path = error.path.clone();
    match mismatch(error) {
        Mismatch::Program => CliError::OtherProgram { path, why: why.to_owned(), remedy },
        Mismatch::Other(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table on the page says what the rules say, and every part that is left out has a reason.
    #[test]
    fn the_page_tells_the_rules() {
        let page = include_str!("../../../../docs/incremental.md");
        let (_, table) =
            page.split_once("| --- | --- | --- | --- | --- | --- |\n| program").unwrap();
        let rows: Vec<&str> = table.lines().take(RULES.len()).collect();
        for ((part, needs), row) in RULES.iter().zip(rows) {
            let told: Vec<&str> =
                row.rsplit('|').skip(1).take(needs.len()).map(str::trim).collect();
            let told = told.into_iter().rev();
            for (need, told) in needs.iter().zip(told) {
                let (words, reason) = match need {
                    Same => ("same", "it is needed"),
                    Incomparable(reason) => ("(same)", *reason),
                    Without(reason) => ("", *reason),
                };
                assert_eq!(told, words, "{part:?}: {row}");
                assert!(!reason.is_empty(), "{part:?}");
            }
        }
    }
}
