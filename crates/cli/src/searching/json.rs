//! The specification of a search, in JSON.

use everypath_explore::{Options, Stop, StoreKind, Strategy};
use everypath_model::NOVELTY;
use serde_json::{Map, Value, json};

use super::spec::{Conditions, Method};
use crate::arguments::search::StoreName;

/// The options of a strategy; null where one does not apply.
pub(crate) fn search_json(method: &Method, options: &Options) -> Map<String, Value> {
    let Options { strategy, shuffle, seed, .. } = options;
    let draws = matches!(strategy, Strategy::BiasedRandom(_) | Strategy::RandomWalk { .. });
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
    fields(json!({
        "ranking": ranking,
        "shuffle": shuffle,
        "seed": draws.then_some(seed),
        "width": width,
        "walks": walks,
    }))
}

/// What the search looks for.
pub(crate) fn conditions_json(conditions: &Conditions) -> Map<String, Value> {
    fields(json!({
        "require": conditions.require.as_ref().map(ToString::to_string),
        "disable": conditions.disable.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "deadlock": conditions.deadlock,
        "each_assertion": matches!(conditions.stop, Stop::Each),
        "keep_going": matches!(conditions.stop, Stop::Never),
        "verify_determinism": conditions.verifies_all(),
        "trust_handlers": conditions.verifies_nothing(),
    }))
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The name of a store on the command line.
pub(crate) fn store_name(kind: StoreKind) -> StoreName {
    match kind {
        StoreKind::Exact => StoreName::Exact,
        StoreKind::Fingerprint => StoreName::Fingerprint,
        StoreKind::Bitstate { .. } => StoreName::Bitstate,
    }
}
