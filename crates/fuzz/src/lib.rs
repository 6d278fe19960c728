//! # Random protocols against a brute force
//!
//! A seed gives a [protocol that is a table](protocol), a [scenario], [conditions] and several
//! [searches](search). The [brute force](oracle) explores the case by the documented rules,
//! [Everypath](engine) with each of the searches. Then their findings are [compared](compare):
//! states, events, verdicts, lengths, and each run, step by step.
//!
//! The brute force shares no code with the explorer: both know only the tables.

extern crate everypath_model as everypath;

pub mod campaign;
pub mod compare;
pub mod conditions;
pub mod dice;
pub mod engine;
pub mod formula;
pub mod oracle;
pub mod plain;
pub mod protocol;
pub mod scenario;
pub mod search;
pub mod tally;

use std::{fmt, ops::RangeInclusive};

use everypath_model::panics;

use crate::{
    compare::Subject,
    conditions::Conditions,
    dice::Dice,
    oracle::{NO_PANIC, Oracle, Truth},
    scenario::{Case, Hearers, Order},
    search::Search,
    tally::Tally,
};

/// The number of worlds at which the brute force stops, and the number that it never exceeds.
const WORLDS: RangeInclusive<usize> = 200..=1000;

/// A difference between Everypath and the brute force.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed of the case.
    pub seed: u64,
    /// The options of the search.
    pub options: String,
    /// The difference.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, options, what } = self;
        writeln!(f, "seed {seed}: {options}")?;
        writeln!(f, "{what}")?;
        write!(f, "run it again: cargo run --release -p everypath-fuzz -- --only {seed}")
    }
}

/// Explores the case of a seed with all its searches.
///
/// # Errors
/// The first difference.
pub fn check_seed(seed: u64, tally: &mut Tally) -> Result<(), Difference> {
    let case = Case::draw(seed);
    check(&case, &case, tally)
}

/// Explores a case, and another in the brute force. They are equal, except in tests that a
/// difference is found.
///
/// # Errors
/// The first difference.
pub fn check(case: &Case, told: &Case, tally: &mut Tally) -> Result<(), Difference> {
    let seed = case.seed;
    let mut dice = Dice::new(seed, 2);
    tally.cases += 1;
    count_features(told, tally);
    let scenario = case.scenario();
    let plain = Conditions { deadlock: dice.percent(30), ..Conditions::default() };
    let mut all = vec![plain];
    let more = dice.between(1, 2);
    all.extend(dice.several(more, |dice| Conditions::draw(dice, told)));
    for conditions in &all {
        let differs = |what: String, search: &str| Difference {
            seed,
            options: format!("{search}{conditions}"),
            what,
        };
        let accepted = engine::accepts(&scenario, conditions);
        if accepted.is_err() != conditions.are_impossible(told) {
            let what = format!("conditions that are refused or are not: {accepted:?}");
            return Err(differs(what, ""));
        }
        if accepted.is_err() {
            tally.add("refused conditions");
            continue;
        }
        let compared = panics::catch(|| plain::compare(&scenario, conditions));
        let compared = compared.unwrap_or_else(|panic| Err(format!("it panics: {panic}")));
        compared.map_err(|what| differs(what, "the plain engine "))?;
        let bound = dice.perhaps(50, |dice| dice.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15]));
        let truth = Oracle::new(told, conditions).explore(bound, WORLDS);
        count_truth(&truth, told, conditions, tally);
        let subject = Subject { scenario: &scenario, case: told, conditions, truth: &truth };
        let draw = |dice: &mut Dice| Search::draw(dice, told, conditions, &truth);
        let count = dice.between(3, 6);
        let drawn = dice.several(count, draw);
        for search in [Search::plain(&truth)].iter().chain(&drawn) {
            // A panic of the explorer is a difference, too.
            let compared = panics::catch(|| subject.compare(search, tally));
            let compared = compared.unwrap_or_else(|panic| Err(format!("it panics: {panic}")));
            compared.map_err(|what| differs(what, &search.to_string()))?;
        }
    }
    Ok(())
}

fn count_features(case: &Case, tally: &mut Tally) {
    tally.add(match case.order {
        Order::Unordered => "network unordered",
        Order::Fifo => "network fifo",
        Order::List => "network list",
        Order::Inbox(1) => "network inbox:1",
        Order::Inbox(_) => "network inbox, larger",
    });
    if let Some(room) = case.room {
        let lost = ["capacity, the newest is lost", "capacity, the oldest is lost"];
        tally.add(lost[usize::from(room.oldest)]);
    }
    tally.add_if(!case.timeouts.is_empty(), "timeouts");
    tally.add_if(case.rebooting.is_some(), "reboots of some nodes");
    tally.add_if(case.hearers != Hearers::All, "audiences");
    let faults = &case.faults;
    tally.add_if(case.receivers.is_some(), "late addressing");
    tally.add_if(!faults.loss.is_never(), "loss");
    tally.add_if(!faults.duplication.is_never(), "duplication");
    tally.add_if(!faults.reboot.is_never(), "reboot");
    tally.add_if(case.links_fail(), "link failure");
    tally.add_if(case.links_fail() && !faults.comeback.is_never(), "link return");
    tally.add_if(!case.assumptions.is_empty(), "assumptions");
    tally.add_if(!case.prunings.is_empty(), "prunings");
    tally.add_if(!case.goals.is_empty(), "goals");
    tally.add_if(!case.ends.is_empty(), "assertions about ends");
    tally.add_if(!case.bounds.is_empty(), "bounds");
    let preferences = &case.preferences;
    let prefers = preferences.timers.is_some() || preferences.early.is_some();
    tally.add_if(prefers || preferences.kinds.is_some(), "orders of timers and events");
}

fn count_truth(truth: &Truth, case: &Case, conditions: &Conditions, tally: &mut Tally) {
    tally.states += truth.all_states();
    tally.add(if truth.violations.is_empty() { "holds" } else { "violated" });
    tally.add_if(truth.violations.contains_key(NO_PANIC), "a handler panics");
    let ends = case.ends.iter().map(|said| said.name.as_str()).chain([oracle::NEVER_STUCK]);
    tally.add_if(
        ends.into_iter().any(|end| truth.violations.contains_key(end)),
        "an end is an error",
    );
    tally.add_if(truth.states.first().is_some_and(|&initial| initial > 1), "choices at the start");
    tally.add_if(conditions.required.is_some(), "require");
    tally.add_if(!conditions.disabled.is_empty(), "disable");
    tally.add_if(conditions.deadlock, "deadlock");
}
