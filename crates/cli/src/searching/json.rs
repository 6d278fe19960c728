//! The specification of a search, as reports have it.

use everypath_explore::{Options, Stop, StoreKind, Strategy};
use everypath_model::NOVELTY;
use serde::{Deserialize, Serialize};

use super::spec::{Conditions, Method};
use crate::arguments::search::{StoreName, TiesName};

/// The options of a strategy; null where one does not apply.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Method"))]
pub(crate) struct MethodReport {
    /// The rankings that say which states are good, for best, biased and beam.
    pub(crate) ranking: Option<Vec<String>>,
    /// Which of equally good states best and beam took first.
    pub(crate) ties: Option<TiesName>,
    /// The seed by which the events of each state were shuffled; null if they were not.
    pub(crate) shuffle: Option<u64>,
    /// The seed of biased, walk and shuffled ties.
    pub(crate) seed: Option<u64>,
    /// How many states of each level beam expanded.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) width: Option<usize>,
    /// How many runs walk was to make.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) walks: Option<u64>,
}

impl MethodReport {
    pub(crate) fn new(method: &Method, options: &Options) -> Self {
        let Options { strategy, shuffle, seed, .. } = options;
        let ranks = matches!(
            strategy,
            Strategy::BestFirst(_) | Strategy::BiasedRandom(_) | Strategy::Beam { .. }
        );
        let ranking = ranks.then(|| match method.ranking.as_slice() {
            [] => vec![NOVELTY.to_owned()],
            given => given.to_vec(),
        });
        let width = match strategy {
            Strategy::Beam { width, .. } => Some(*width),
            _ => None,
        };
        let walks = match strategy {
            Strategy::RandomWalk { walks } => Some(*walks),
            _ => None,
        };
        let ties = options.ties_used().map(TiesName::from);
        let seed = method.draws().then_some(*seed);
        Self { ranking, ties, shuffle: *shuffle, seed, width, walks }
    }
}

/// What a search looked for.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Conditions"))]
pub(crate) struct ConditionsReport {
    /// The event that the run of a violation must have; null if none was required.
    require: Option<String>,
    /// The events that were excluded.
    disable: Vec<String>,
    /// Whether a deadlock was a violation.
    deadlock: bool,
    /// Whether the search continued until each assertion was violated.
    each_assertion: bool,
    /// Whether the search continued after violations.
    keep_going: bool,
    /// Whether every handler was executed twice, and every closure of the scenario called twice; if not, only the first of
    /// them and then a share.
    verify_determinism: bool,
    /// Whether the handler of every event was executed, and every state judged.
    every_event: bool,
    /// Whether no handler was executed twice, and no closure called twice.
    trust_handlers: bool,
}

impl From<&Conditions> for ConditionsReport {
    fn from(conditions: &Conditions) -> Self {
        Self {
            require: conditions.require.as_ref().map(ToString::to_string),
            disable: conditions.disable.iter().map(ToString::to_string).collect(),
            deadlock: conditions.deadlock,
            each_assertion: matches!(conditions.stop, Stop::Each),
            keep_going: matches!(conditions.stop, Stop::Never),
            verify_determinism: conditions.verifies_all(),
            every_event: conditions.every_event,
            trust_handlers: conditions.verifies_nothing(),
        }
    }
}

impl From<StoreKind> for StoreName {
    fn from(kind: StoreKind) -> Self {
        match kind {
            StoreKind::Exact => Self::Exact,
            StoreKind::Fingerprint => Self::Fingerprint,
            StoreKind::Bitstate { .. } => Self::Bitstate,
        }
    }
}
