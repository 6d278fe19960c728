//! The beginning of an exploration in parts: its trunk, and its instances.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
};

use everypath_explore::{
    Ended, ExploredPart, IsCut, Options, Portable, Start, Starts, StateId, Stop, Watch,
};
use everypath_model::CUT_AT_DEPTH;
use everypath_network::NetworkSpace;
use everypath_network::explore_part;
use xxhash_rust::xxh3::xxh3_128;

use super::{
    answer::{Answer, Found, Named, Run},
    digests::{Seen, digest},
    run::{flawless, unless_flawed},
    spec::{Division, InstanceSpec},
};
use crate::{
    check::spec::CheckSpec,
    error::{CliError, unknown},
    scenarios::subject::Subject,
};

/// A start of an instance.
#[derive(Clone, Debug)]
pub(super) struct InstanceStart {
    /// Its depth in the trunk; 0 if the scenario gives it.
    pub(super) depth: u32,
    /// Its id in the space of the trunk.
    state: StateId,
    /// Its content, with the histories of native nodes.
    pub(super) bytes: Vec<u8>,
    /// The digest of its content.
    pub(super) digest: u128,
}

/// An instance: a set of starts with a name.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    name: String,
    /// The names of instances with the same starts.
    equal: Vec<String>,
    /// By depth and digest, so that every process explores them in the same order.
    pub(super) starts: Vec<InstanceStart>,
}

/// The trunk and the instances of an exploration.
pub(super) struct Beginning<'a> {
    space: NetworkSpace<'a>,
    /// The trunk; none if the scenario gives the starts.
    trunk: Option<ExploredPart>,
    /// In the order of their names.
    pub(super) instances: Arc<[Instance]>,
}

impl<'a> Beginning<'a> {
    /// Explores the trunk, and finds the instances. Every process finds the same.
    pub(super) fn explore(
        built: &Subject<'a>,
        spec: &CheckSpec,
        instances: &InstanceSpec,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Self, CliError> {
        let mut space = built.space(spec.search.space_options())?;
        let (trunk, named) = match &instances.division {
            Division::Starts(name) => (None, given(built, &mut space, name)?),
            Division::Depth(at) => {
                let is_cut = &mut |_: &mut NetworkSpace<'a>, depth, _| depth == *at;
                let trunk = explored(built, &mut space, instances, options, watch, is_cut)?;
                let named =
                    group(&trunk, |state| name_by_digest(digest(&space, state), instances.parts));
                (Some(trunk), named)
            }
            Division::Cut(name) => {
                let cut = place_of("cut", name, &space.cuts())?;
                let is_cut = &mut |space: &mut NetworkSpace<'a>, _, state| space.is_cut(state, cut);
                let trunk = explored(built, &mut space, instances, options, watch, is_cut)?;
                let named = built.guarded(|| {
                    group(&trunk, |state| match instances.parts {
                        Some(_) => name_by_digest(digest(&space, state), instances.parts),
                        None => space.cut_key(state, cut),
                    })
                })?;
                (Some(trunk), named)
            }
        };
        unless_flawed(&space)?;
        let instances = in_order(&space, named).into();
        Ok(Self { space, trunk, instances })
    }

    /// The answer of the trunk, if there is one.
    pub(super) fn answer(&self, spec: &CheckSpec) -> Option<Answer> {
        self.trunk.as_ref().map(|trunk| Answer::of(&trunk.found, spec.search.limits.memory))
    }

    /// The runs that the trunk has found: to violations, and to goals.
    pub(super) fn found(&self) -> (Vec<Found>, Vec<Found>) {
        let Some(trunk) = &self.trunk else { return (Vec::new(), Vec::new()) };
        let found = |what, trace| {
            let run = Run::record(&self.space, trace);
            Found { what, instance: None, start: 0, run }
        };
        let violations = trunk.found.findings.iter();
        let goals = trunk.found.witnesses.iter();
        (
            violations.map(|it| found(it.assertion, &it.trace)).collect(),
            goals.map(|it| found(it.goal, &it.trace)).collect(),
        )
    }

    /// The states that the trunk has visited.
    pub(super) fn seen(&self) -> Seen {
        self.trunk.as_ref().map(|trunk| Seen::of(&self.space, trunk)).unwrap_or_default()
    }

    /// The instances without their starts.
    pub(super) fn named(&self) -> Vec<Named> {
        let named = |instance: &Instance| Named {
            name: instance.name.clone(),
            equal: instance.equal.clone(),
            starts: instance.starts.len(),
            digest: format!("{:032x}", instance.digest()),
        };
        self.instances.iter().map(named).collect()
    }

    /// The run of the trunk to a start of an instance.
    pub(super) fn run_to(&mut self, instance: usize, start: usize) -> Option<Run> {
        let &InstanceStart { depth, state, .. } = &self.instances[instance].starts[start];
        let trace = self.trunk.as_ref()?.run_to(&mut self.space, Start { depth, state })?;
        Some(Run::record(&self.space, &trace))
    }
}

impl Instance {
    /// A digest of its starts and their depths: equal for instances of which one need not be run.
    /// Starts that differ only by a permutation of equal nodes would be made equal here.
    fn digest(&self) -> u128 {
        let starts = self.starts.iter();
        let bytes = starts.flat_map(|start| {
            start.depth.to_le_bytes().into_iter().chain(start.digest.to_le_bytes())
        });
        xxh3_128(&bytes.collect::<Vec<u8>>())
    }
}

/// Explores the trunk. It goes on after a violation, so that all instances are found, unless the
/// first violation is enough.
fn explored<'a>(
    built: &Subject<'_>,
    space: &mut NetworkSpace<'a>,
    instances: &InstanceSpec,
    options: &Options,
    watch: &mut dyn Watch,
    is_cut: &mut IsCut<'_, NetworkSpace<'a>>,
) -> Result<ExploredPart, CliError> {
    let stop = if instances.first { options.stop } else { Stop::Never };
    let options = options.clone().stop(stop);
    let trunk = built.guarded(|| explore_part(space, &options, watch, Starts::Initial, is_cut));
    let trunk = flawless(space, trunk)?;
    let found = &trunk.found;
    if trunk.stopped.is_empty() && found.is_complete() && found.findings.is_empty() {
        return Err(CliError::NeverCut {
            cut: instances.division.name(),
            why: match found.ended {
                Ended::Depth => "it holds on no run within the bound".to_owned(),
                _ => format!("no run needs more than {} events", found.depth),
            },
            help: "check without --cut, or cut earlier".to_owned(),
        });
    }
    Ok(trunk)
}

/// Starts by the name of their instance.
type NamedStarts = BTreeMap<String, Vec<Start>>;

/// The starts that the scenario gives.
fn given(
    built: &Subject<'_>,
    space: &mut NetworkSpace<'_>,
    name: &str,
) -> Result<NamedStarts, CliError> {
    let place = place_of("list of starts", name, &space.lists_of_starts())?;
    let given = built.guarded(|| space.covering_starts(place))?;
    let given = given.map_err(|error| CliError::BadStart {
        scenario: built.name.clone(),
        starts: name.to_owned(),
        error,
    })?;
    let starts = |states: Vec<StateId>| states.into_iter().map(|state| Start { depth: 0, state });
    Ok(given.into_iter().map(|(name, states)| (name, starts(states).collect())).collect())
}

/// The starts of each instance: the states at which a trunk has stopped, by name.
fn group(trunk: &ExploredPart, mut name: impl FnMut(StateId) -> String) -> NamedStarts {
    let mut named = NamedStarts::new();
    for &start in &trunk.stopped {
        named.entry(name(start.state)).or_default().push(start);
    }
    named
}

/// The name of an instance that consists of one state, or of a share of all states.
fn name_by_digest(digest: u128, parts: Option<u32>) -> String {
    match parts {
        None => format!("{:016x}", digest >> 64),
        Some(parts) => {
            let width = parts.to_string().len();
            format!("part {:0width$} of {parts}", digest % u128::from(parts) + 1)
        }
    }
}

/// The instances in the order of their names. Of those with equal starts, only the first is kept.
fn in_order(space: &NetworkSpace<'_>, named: NamedStarts) -> Vec<Instance> {
    let mut instances: Vec<Instance> = Vec::new();
    let mut known: BTreeMap<u128, usize> = BTreeMap::new();
    for (name, starts) in named {
        let start = |Start { depth, state }: Start| {
            let (content, bytes) = (space.encode(state), space.encode_whole(state));
            InstanceStart { depth, state, digest: xxh3_128(&content), bytes }
        };
        let mut starts: Vec<InstanceStart> = starts.into_iter().map(start).collect();
        starts.sort_by_key(|start| (start.depth, start.digest));
        starts.dedup_by_key(|start| start.digest);
        let instance = Instance { name, equal: Vec::new(), starts };
        match known.entry(instance.digest()) {
            Entry::Occupied(place) => instances[*place.get()].equal.push(instance.name),
            Entry::Vacant(place) => {
                place.insert(instances.len());
                instances.push(instance);
            }
        }
    }
    instances
}

/// The place of a name among those of the scenario.
fn place_of(what: &'static str, name: &str, known: &[String]) -> Result<usize, CliError> {
    let place = known.iter().position(|known| known == name);
    place.ok_or_else(|| match (known, what) {
        ([], "cut") => {
            let help = format!(
                "the scenario has no cuts; write e.g. {CUT_AT_DEPTH}4, or add one (`Scenario::cut`)"
            );
            CliError::Unknown { what, name: name.to_owned(), help }
        }
        ([], _) => {
            let help = "the scenario gives no starts; add some (`Scenario::starts`)".to_owned();
            CliError::Unknown { what, name: name.to_owned(), help }
        }
        _ => unknown(what, name, known.iter().map(String::as_str)),
    })
}
