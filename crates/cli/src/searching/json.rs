//! What decides a search, in JSON.

use everypath_explore::{Options, Strategy};
use everypath_model::NOVELTY;
use serde_json::{Map, Value, json};

use crate::searching::plan::{ConditionArguments, SearchArguments};

/// What a strategy was told; null where it does not apply.
pub(crate) fn search_json(search: &SearchArguments, options: &Options) -> Map<String, Value> {
    let Options { strategy, shuffle, seed, .. } = options;
    let draws = matches!(strategy, Strategy::BiasedRandom(_) | Strategy::RandomWalk { .. });
    let ranks = matches!(
        strategy,
        Strategy::BestFirst(_) | Strategy::BiasedRandom(_) | Strategy::Beam { .. }
    );
    let ranking = ranks.then(|| match search.ranking.as_slice() {
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

/// What was looked for.
pub(crate) fn conditions_json(conditions: &ConditionArguments) -> Map<String, Value> {
    fields(json!({
        "require": conditions.require.as_ref().map(ToString::to_string),
        "disable": conditions.disable.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "deadlock": conditions.deadlock,
        "each_assertion": conditions.each_assertion,
        "keep_going": conditions.keep_going,
        "verify_determinism": conditions.verify_determinism,
        "trust_handlers": conditions.trust_handlers,
    }))
}

fn fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
