//! The steps of an earlier version, in a file: a later check need not execute them again.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    io,
    path::{Path, PathBuf},
};

use everypath_explore::Exploration;
use everypath_network::{Changes, Graph, GraphCounts, GraphError, NetworkSpace, Reckoning};
use everypath_report::{FileLock, GRAPH, SealedFileError, Trouble, open_sealed, write_sealed};
use serde::{Deserialize, Serialize};

use super::{
    identity::{self, Identity, Keeper},
    memo::{self, MemoSpec},
};
use crate::{
    arguments::published::{GraphArguments, GraphUse},
    error::{CliError, unused},
    output::{
        Target, complain,
        numbers::{counted, grouped, significant, size},
    },
    scenarios::subject::Subject,
    searching::spec::Conditions,
};

/// What to do about a graph of another program.
const REMEDY: &str = "delete it to start from scratch; if `Protocol::configuration` says what `self` is, and everything else has a print, the program may differ";

/// Which graph is used, and how.
pub(crate) struct GraphSpec {
    pub(crate) graph: Option<PathBuf>,
    graph_use: GraphUse,
}

impl From<&GraphArguments> for GraphSpec {
    fn from(arguments: &GraphArguments) -> Self {
        Self { graph: arguments.graph.clone(), graph_use: arguments.graph_use }
    }
}

impl GraphSpec {
    /// The file that will be read, if it exists.
    pub(crate) fn source(&self) -> Option<&Path> {
        self.graph.as_deref().filter(|_| self.graph_use != GraphUse::Write)
    }

    /// The file that will be written.
    pub(crate) fn target(&self) -> Option<Target<'_>> {
        let path = self.graph.as_deref().filter(|_| self.graph_use != GraphUse::Read);
        path.map(|path| ("--graph", path))
    }

    /// The lock on the file, if it will be written and no other process holds it.
    pub(crate) fn lock(&self) -> Result<Option<FileLock>, CliError> {
        self.target().map_or(Ok(None), |(_, path)| memo::lock(&GRAPH, path))
    }

    /// Makes a new space use the file.
    pub(crate) fn open(
        &self,
        built: &Subject<'_>,
        space: &mut NetworkSpace<'_>,
        conditions: &Conditions,
        memo: &MemoSpec,
    ) -> Result<(), CliError> {
        let Some(path) = &self.graph else { return Ok(()) };
        if conditions.verifies_all() {
            let with = "--verify-determinism, which executes everything twice";
            return Err(unused("--graph", with));
        }
        if memo.verify_reuse {
            space.verify_graph();
        }
        space.print_assertions(assertion_print(built));
        if self.graph_use != GraphUse::Write {
            let declared = memo.changes.declared();
            let names = RefCell::new(BTreeSet::new());
            let code = |name: &str, then: u64, now: u64| {
                names.borrow_mut().insert(name.to_owned());
                declared.is_modified(name, then, now)
            };
            let identity = identity(built, space);
            let needed = identity.needed(Keeper::Graph);
            let events = memo.changes.events();
            let changes = Changes { code: &code, events: &events };
            let read = match read(path, &needed, space, changes) {
                Err(CliError::Sealed(error)) => {
                    match identity::other_version(&error, &built.scenario) {
                        Some((_, what)) if memo.changes.modified.is_empty() => {
                            return Err(CliError::OtherVersion { path: path.clone(), what });
                        }
                        Some((saved, _)) => read(path, &saved, space, changes),
                        None => Err(CliError::Sealed(error)),
                    }
                }
                read => read,
            };
            match read {
                Err(CliError::Sealed(SealedFileError {
                    trouble: Trouble::Read(error), ..
                })) if error.kind() == io::ErrorKind::NotFound
                    && self.graph_use == GraphUse::Both => {}
                Err(CliError::Sealed(error)) => {
                    let incomparable = identity.incomparable().unwrap_or("its subject");
                    let why = format!("whether {incomparable} has changed is unknown");
                    return Err(identity::refusal(error, &why, REMEDY));
                }
                read => read?,
            }
            // If everything is said to be modified, nothing is read that could know events.
            if !space.graph().is_some_and(|graph| graph.counts().all_modified) {
                let names = names.borrow();
                let names = names.iter().map(String::as_str);
                memo.changes.ensure_known(&built.scenario, names, |event| space.has_met(event))?;
            }
        }
        if self.graph_use != GraphUse::Read {
            space.record_graph();
        }
        Ok(())
    }

    /// Writes the graph. Returns how much of the earlier one was used.
    pub(crate) fn save(
        &self,
        built: &Subject<'_>,
        space: &mut NetworkSpace<'_>,
        found: &Exploration,
        verified: bool,
        lock: Option<&FileLock>,
    ) -> Result<Option<Reused>, CliError> {
        let (Some(path), Some(graph)) = (&self.graph, space.graph()) else { return Ok(None) };
        if let Some(what) = graph.contradiction() {
            return Err(CliError::WrongGraph { path: path.clone(), what: what.to_owned() });
        }
        if let Some(trouble) = graph.trouble() {
            complain(damaged(path, trouble.to_owned()).into());
        }
        let mut reused = Reused::new(path, graph, found, verified);
        let writes = self.graph_use != GraphUse::Read;
        reused.in_use = writes && lock.is_none();
        if writes && !reused.in_use {
            let identity = identity(built, space).needed(Keeper::Graph);
            match write(path, &identity, space) {
                Ok(bytes) => reused.bytes = Some(bytes),
                // The findings are worth more than the file.
                Err(error) => complain(error.into()),
            }
        }
        Ok(Some(reused))
    }
}

/// A print of the assertions. They have none of their own, but the same program makes the same assertions of the same
/// scenario and parameters. Checkpoints need all of that, too.
fn assertion_print(built: &Subject<'_>) -> u64 {
    let mut print = DefaultHasher::new();
    Identity::of(built).needed(Keeper::Checkpoint).hash(&mut print);
    print.finish()
}

/// The identity of the graph of a space.
fn identity(built: &Subject<'_>, space: &NetworkSpace<'_>) -> Identity {
    Identity::of(built).with_incomparable(space.unprinted())
}

/// Reads a graph into a new space.
pub(crate) fn read(
    path: &Path,
    identity: &BTreeMap<String, String>,
    space: &mut NetworkSpace<'_>,
    changes: Changes<'_>,
) -> Result<(), CliError> {
    let content = open_sealed(&GRAPH, path, identity)?;
    space.read_graph(content, changes).map_err(|error| match error {
        GraphError::Damaged(error) => damaged(path, error.to_string()).into(),
        error => CliError::OtherGraph { path: path.to_owned(), error },
    })
}

/// Writes the graph of a space. Returns its size in bytes.
pub(crate) fn write(
    path: &Path,
    identity: &BTreeMap<String, String>,
    space: &mut NetworkSpace<'_>,
) -> Result<u64, SealedFileError> {
    space.finish_graph();
    write_sealed(&GRAPH, path, identity, &|out| space.write_graph(out))
}

fn damaged(path: &Path, what: String) -> SealedFileError {
    SealedFileError { kind: &GRAPH, path: path.to_owned(), trouble: Trouble::Content(what) }
}

/// How much of a graph was used.
pub(crate) struct Reused {
    path: PathBuf,
    known: usize,
    counts: GraphCounts,
    changed: Vec<&'static str>,
    reckoning: Option<Reckoning>,
    /// Whether all steps that were found were also executed.
    verified: bool,
    /// Whether another check holds the lock on the file.
    in_use: bool,
    /// The size of the written file, if one was written.
    bytes: Option<u64>,
}

impl Reused {
    fn new(path: &Path, graph: &Graph, found: &Exploration, verified: bool) -> Self {
        Self {
            path: path.to_owned(),
            known: graph.len(),
            counts: graph.counts(),
            changed: graph.changed(),
            reckoning: graph.reckoning(found),
            verified,
            in_use: false,
            bytes: None,
        }
    }

    /// In words: what was used, and whether it paid.
    pub(crate) fn to_text(&self) -> Vec<(&'static str, String)> {
        let Self { path, counts, changed, .. } = self;
        let path = path.display();
        let all = counted(counts.events, "event");
        let found = match self.verified {
            true => "found, re-executed, identical",
            false => "found",
        };
        let mut text = if counts.all_modified {
            format!("nothing read from {path}, since everything is said to be modified")
        } else if counts.states == 0 {
            format!("nothing read from {path}")
        } else {
            format!("{} of {all} {found} in {path}", grouped(counts.hits))
        };
        if !changed.is_empty() {
            text.push_str(&format!("; changed since: {}", changed.join(", ")));
        }
        if self.in_use {
            text.push_str("; not written, since another check uses the file");
        }
        if let Some(bytes) = self.bytes {
            text.push_str(&format!("; written: {}", size(bytes)));
        }
        let reuse = self.reckoning.map(|reckoning| ("reuse", paid(&reckoning)));
        [("graph", text)].into_iter().chain(reuse).collect()
    }

    pub(crate) fn report(&self) -> GraphReport {
        let GraphCounts { states, whole_states, part_states, events, .. } = self.counts;
        let GraphCounts { hits, misses, modified, kept_hits, unjudged, .. } = self.counts;
        let GraphCounts { executions, loaded, left_out, loading, all_modified, .. } = self.counts;
        GraphReport {
            file: self.path.display().to_string(),
            known: self.known,
            states,
            whole_states,
            part_states,
            events,
            hits,
            misses,
            modified,
            kept_hits,
            executed: self.counts.executed(),
            unjudged,
            executions,
            loaded,
            left_out,
            seconds: loading.as_secs_f64(),
            all_modified,
            changed: self.changed.iter().map(|&name| name.to_owned()).collect(),
            verified: self.verified,
            in_use: self.in_use,
            bytes: self.bytes,
            reckoning: self.reckoning.as_ref().map(ReckoningReport::from),
        }
    }
}

/// The necessary condition with its numbers, and the time saved.
fn paid(reckoning: &Reckoning) -> String {
    let Reckoning { found, modified, whole, part, saved, .. } = *reckoning;
    let [left, right] = ["F + wL + zP", "(w+z)X + sE + yY"];
    let condition = match (reckoning.cost(), reckoning.gain()) {
        (Some(cost), Some(gain)) if cost < gain => {
            format!("can pay: {left} = {cost:.0} ns < {right} = {gain:.0} ns")
        }
        (Some(cost), Some(gain)) => {
            format!("cannot pay: {left} = {cost:.0} ns ≥ {right} = {gain:.0} ns")
        }
        _ if whole + part > 0.0 => "too few states to measure what it costs".to_owned(),
        _ => "cannot pay: no step was found".to_owned(),
    };
    let saved = match saved < 0.0 {
        true => format!("lost about {} s", significant((-saved * 1e3).round() / 1e3)),
        false => format!("saved about {} s", significant((saved * 1e3).round() / 1e3)),
    };
    format!("{condition}, with w {whole:.4}, z {part:.4}, p {found:.4}, q {modified:.4}; {saved}")
}

/// The use of the graph of an earlier version.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Graph", deny_unknown_fields))]
pub(crate) struct GraphReport {
    /// The path of the file.
    file: String,
    /// The number of states whose steps are known now.
    known: usize,
    /// How many states were looked up.
    states: u64,
    /// The number of states of which all steps were found, so that their events were not even enumerated.
    whole_states: u64,
    /// The number of states of which some steps were found, so that only the others were executed.
    part_states: u64,
    /// How many events the search explored: the sum of `hits`, `misses` and `modified`.
    events: u64,
    /// How many explored events were found.
    hits: u64,
    /// How many explored events were not found and are not known to have changed.
    misses: u64,
    /// How many explored events have changed: their code has changed, they are declared as modified, or they were disabled
    /// when the graph was written.
    modified: u64,
    /// How many hits led to a new state.
    kept_hits: u64,
    /// How many events the thesis's procedure executes: all but hits that lead to no new state.
    executed: u64,
    /// How many hits led to a state that needed no judging, since the assertions are the same.
    unjudged: u64,
    /// How many handler executions were read and not repeated.
    executions: u64,
    /// How many steps were loaded.
    loaded: u64,
    /// How many steps were skipped, because the code of their handlers has changed.
    left_out: u64,
    /// The time to read and load the graph.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: f64,
    /// Whether nothing was read, because all code is declared as changed.
    all_modified: bool,
    /// The code that has changed, where it was needed.
    changed: Vec<String>,
    /// Whether all steps that were found were also executed, with identical results.
    verified: bool,
    /// Whether another check was using the file, so that it was read but not written.
    in_use: bool,
    /// The size of the written file; null if none was written.
    bytes: Option<u64>,
    /// Whether reuse can pay; null if nothing was looked up.
    reckoning: Option<ReckoningReport>,
}

/// Costs and gains of a graph in the letters of Sobeih's thesis on incremental exploration, with w beside them. Times are in
/// nanoseconds for each event.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Reckoning", deny_unknown_fields))]
pub(crate) struct ReckoningReport {
    /// The time to enumerate an event and to name the state it leads to; null if no state was expanded without the graph.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "X_and_H")]
    executing: Option<f64>,
    /// The time to execute the handler of an event, with `--every-event`; null without.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "E")]
    handling: Option<f64>,
    /// The time to expand a state that was found in part, for each of its events; null if there was none.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "P")]
    completing: Option<f64>,
    /// The time to judge a state; null if that was not measured.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "Y")]
    judging: Option<f64>,
    /// The time to find a step in the graph; null if no state was found with all its steps.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "L")]
    finding: Option<f64>,
    /// The time to read and load the graph.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "F")]
    loading: f64,
    /// The time to look up and store states; null without `--stats`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "A_and_R")]
    storing: Option<f64>,
    /// The time to compute ranks; null without `--stats`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "U")]
    ranking: Option<f64>,
    /// The time to put states into the frontier; null without `--stats`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    #[serde(rename = "N")]
    waiting: Option<f64>,
    /// The proportion of events that are modified.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    q: f64,
    /// The proportion of the other events that are found.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    p: f64,
    /// The proportion of events out of states that were found whole.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    w: f64,
    /// The proportion of events out of states that were found in part.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    z: f64,
    /// The proportion of events that were found and lead to no new state.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    s: f64,
    /// The proportion of events that lead to a state that needed no judging.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    y: f64,
    /// The proportion of events that lead to a new state.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    t: f64,
    /// The proportion of events that lead to a known state.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    n: f64,
    /// The proportion of events that lead to a state at the depth bound.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    d: f64,
    /// The proportion of events that lead to a safe state.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    v: f64,
    /// F + wL + zP; null if nothing was found, or too little to measure it.
    #[cfg_attr(test, schemars(range(min = 0)))]
    cost: Option<f64>,
    /// (w+z)X + sE + yY.
    #[cfg_attr(test, schemars(range(min = 0)))]
    gain: Option<f64>,
    /// Whether the cost is less than the gain.
    can_pay: bool,
    /// The condition of the thesis, which describes its program, not this one.
    thesis: ThesisReport,
    /// The time saved; negative if time was lost.
    saved_seconds: f64,
}

/// The condition of Sobeih's thesis under which reuse pays.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Thesis", deny_unknown_fields))]
struct ThesisReport {
    /// F/(p(1-q)) + L/p; null if no state was found with all its steps.
    #[cfg_attr(test, schemars(range(min = 0)))]
    cost: Option<f64>,
    /// H + Y + (1-t)X: with `--every-event`, E is the thesis's X, and our X its H; without, H is a part of X.
    #[cfg_attr(test, schemars(range(min = 0)))]
    gain: Option<f64>,
    /// Whether the cost is less than the gain.
    can_pay: bool,
}

impl From<&Reckoning> for ReckoningReport {
    fn from(reckoning: &Reckoning) -> Self {
        let Reckoning { executing, judging, finding, loading, storing, ranking, waiting, .. } =
            *reckoning;
        Self {
            handling: reckoning.handling,
            completing: reckoning.completing,
            z: reckoning.part,
            s: reckoning.spared,
            y: reckoning.unjudged,
            executing,
            judging,
            finding,
            loading,
            storing,
            ranking,
            waiting,
            q: reckoning.modified,
            p: reckoning.found,
            w: reckoning.whole,
            t: reckoning.tree,
            n: reckoning.non_tree,
            d: reckoning.deepest,
            v: reckoning.safe,
            cost: reckoning.cost(),
            gain: reckoning.gain(),
            can_pay: reckoning.can_pay(),
            thesis: ThesisReport {
                cost: reckoning.thesis_cost(),
                gain: reckoning.thesis_gain(),
                can_pay: reckoning.thesis_can_pay(),
            },
            saved_seconds: reckoning.saved,
        }
    }
}
