//! Comparison of a search's findings with the brute force.

use std::collections::{BTreeMap, BTreeSet};

use everypath_explore::{Add, Ended, Options, Stop, StoreKind, Strategy};
use everypath_model::Scenario;

use crate::{
    conditions::Conditions,
    engine::{Came, Found, Told, ToldStep, run},
    oracle::{Happening, NEVER_STUCK, Oracle, State, Truth},
    protocol::Tabled,
    scenario::{Case, EQUAL_WORLDS, FEWER_PACKETS},
    search::{Fate, SIMULATED, Search},
    tally::Tally,
};

/// Compares two values.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, found: &T) -> Result<(), String> {
    match expected == found {
        true => Ok(()),
        false => Err(format!("{what}\n  brute force: {expected:?}\n  everypath:   {found:?}")),
    }
}

fn ensure(so: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if so { Ok(()) } else { Err(what()) }
}

/// A case under conditions, and the truth about it.
pub struct Subject<'a> {
    /// The case for Everypath.
    pub scenario: &'a Scenario<Tabled>,
    /// The case for the brute force.
    pub case: &'a Case,
    /// The conditions.
    pub conditions: &'a Conditions,
    /// The truth.
    pub truth: &'a Truth,
}

impl Subject<'_> {
    /// Runs a search and compares its findings.
    ///
    /// # Errors
    /// The difference.
    pub fn compare(&self, search: &Search, tally: &mut Tally) -> Result<(), String> {
        tally.searches += 1;
        let fate = search.fate(self.case, self.conditions);
        let runs = match (run(self.scenario, self.conditions, search)?, fate) {
            (Came::Refused(refusal), Fate::Done) => {
                return Err(format!("it is refused, and need not be: {refusal}"));
            }
            (Came::Refused(_), _) => {
                tally.add_if(fate == Fate::Refused, "refused options");
                tally.add_if(fate == Fate::Either, "refused in the middle");
                return Ok(());
            }
            (Came::Runs(_), Fate::Refused) => {
                return Err("it must be refused, and is not".to_owned());
            }
            (Came::Runs(runs), _) => runs,
        };
        for (what, found) in &runs {
            self.judge(search, found, tally).map_err(|difference| match what {
                None => difference,
                Some(what) => format!("{what}: {difference}"),
            })?;
            what.iter().for_each(|what| tally.add(what));
        }
        count_options(search, tally);
        Ok(())
    }

    fn judge(&self, search: &Search, found: &Found, tally: &mut Tally) -> Result<(), String> {
        self.run_again(found, tally)?;
        self.judge_verdict(search, found)?;
        self.judge_lengths(search, found, tally)?;
        let Options { stop, store, strategy, max_depth, .. } = &search.options;
        let exact = !matches!(store, StoreKind::Bitstate { .. }) && search.relation.is_none();
        let whole = *stop == Stop::Never && found.complete && exact;
        if whole {
            same("states", &self.truth.all_states(), &found.states)?;
            let ended = if self.truth.reaches_bound() { Ended::Depth } else { Ended::Exhausted };
            same("how it ended", &ended, &found.ended)?;
            let by_depth = max_depth.is_some() || search.goes_by_depth();
            if by_depth {
                tally.add("states by depth under a bound");
                same("states by depth", &trimmed(&self.truth.states), &found.states_by_depth)?;
            }
            if search.goes_by_depth() {
                tally.add("bfs, every count");
                same(
                    "events by depth",
                    &trimmed(&self.truth.events),
                    &trimmed(&found.events_by_depth),
                )?;
                self.judge_counts(search, found)?;
            } else if max_depth.is_none() && *strategy != Strategy::IterativeDeepening {
                tally.add("every count without a bound");
                self.judge_counts(search, found)?;
            }
        }
        let walks = matches!(strategy, Strategy::RandomWalk { .. });
        ensure(walks || found.states <= self.truth.all_states(), || {
            format!("{} states are more than there are", found.states)
        })
    }

    /// The counts of a search that expands each state once.
    fn judge_counts(&self, search: &Search, found: &Found) -> Result<(), String> {
        let truth = self.truth;
        let kinds: BTreeMap<String, (u64, u64)> =
            truth.kinds.iter().map(|(kind, counts)| ((*kind).to_owned(), *counts)).collect();
        same("events and enabled states by kind", &kinds, &found.kinds)?;
        let violations: BTreeMap<String, u64> =
            truth.violations.iter().map(|(name, (count, _))| (name.clone(), *count)).collect();
        same("violations by assertion", &violations, &found.violations)?;
        // An event to the bound is neither a tree event nor a non-tree event.
        let within = search.options.max_depth.map_or(usize::MAX, |bound| bound as usize);
        let tree: u64 = truth.states.iter().take(within).skip(1).sum();
        let others = truth.unsafe_events + truth.deepest_events() + tree;
        let mut expected = [
            truth.all_events(),
            truth.unsafe_events,
            truth.without_required,
            tree,
            truth.all_events() - others,
            truth.deepest_events(),
            truth.ends,
            truth.pruned,
        ];
        let mut counts = found.counts;
        if search.options.add == Add::Current {
            // An event may lead to a waiting initial state before it is stored: that is then a tree event.
            for counts in [&mut expected, &mut counts] {
                counts[TREE] += std::mem::take(&mut counts[TREE + 1]);
            }
        }
        same(
            "events, unsafe, without the required, tree, non-tree, deepest, ends, pruned",
            &expected,
            &counts,
        )
    }

    /// Compares violations and goals.
    fn judge_verdict(&self, search: &Search, found: &Found) -> Result<(), String> {
        let truth = self.truth;
        let violated: BTreeSet<&str> = found.findings.iter().map(|it| it.name.as_str()).collect();
        let expected: BTreeSet<&str> = truth.violations.keys().map(String::as_str).collect();
        ensure(violated.is_subset(&expected), || {
            format!("a false alarm: {violated:?} violated, in truth {expected:?}")
        })?;
        let reached: BTreeSet<&str> = found.witnesses.iter().map(|it| it.name.as_str()).collect();
        let goals: BTreeSet<&str> = truth.goals.keys().map(String::as_str).collect();
        ensure(reached.is_subset(&goals), || {
            format!("goals {reached:?} reached, in truth {goals:?}")
        })?;
        let walks = matches!(search.options.strategy, Strategy::RandomWalk { .. });
        let bits = matches!(search.options.store, StoreKind::Bitstate { .. });
        ensure(!found.complete || !(walks || bits), || "it says that it is complete".to_owned())?;
        if found.refused || !search.is_complete() && !found.complete {
            return Ok(());
        }
        let stop = search.options.stop;
        ensure(violated.is_empty() == expected.is_empty(), || {
            format!("HOLDS, in truth {expected:?} are violated")
        })?;
        if violated.is_empty() || stop == Stop::Never {
            ensure(found.complete, || "it says that it is not complete".to_owned())?;
            same("violated", &expected, &violated)?;
            return same("goals", &goals, &reached);
        }
        match stop {
            Stop::First => same("how it ended", &Ended::Violation, &found.ended),
            _ => {
                let own =
                    |names: &BTreeSet<&str>| names.iter().filter(|name| self.is_own(name)).count();
                same("violated assertions of its own", &own(&expected), &own(&violated))
            }
        }
    }

    fn is_own(&self, name: &str) -> bool {
        name == NEVER_STUCK
            || self.case.assertions.iter().chain(&self.case.ends).any(|said| said.name == name)
            || self.case.bounds.iter().any(|bound| bound.name == name)
    }

    /// Whether a violation is detected only when the state is expanded.
    fn is_at_end(&self, name: &str) -> bool {
        name == NEVER_STUCK || self.case.ends.iter().any(|said| said.name == name)
    }

    /// Compares the lengths of runs.
    fn judge_lengths(
        &self,
        search: &Search,
        found: &Found,
        tally: &mut Tally,
    ) -> Result<(), String> {
        let truth = self.truth;
        let bound = search.options.max_depth.map_or(usize::MAX, |bound| bound as usize);
        let shortest = |name: &str| truth.violations[name].1 as usize;
        for told in found.findings.iter().chain(&found.shrunk) {
            let (steps, fewest) = (told.steps.len(), shortest(&told.name));
            ensure((fewest..=bound).contains(&steps), || {
                format!("`{}` violated in {steps} steps; fewest {fewest}, bound {bound}", told.name)
            })?;
        }
        for (found, shrunk) in found.findings.iter().zip(&found.shrunk) {
            ensure(shrunk.steps.len() <= found.steps.len(), || {
                format!("`{}`: a run was made longer", found.name)
            })?;
        }
        for told in &found.witnesses {
            let fewest = truth.goals[&told.name] as usize;
            ensure((fewest..=bound).contains(&told.steps.len()), || {
                format!("`{}` reached in {} steps; fewest {fewest}", told.name, told.steps.len())
            })?;
        }
        if !search.options.strategy.finds_shortest() || !search.is_complete() || found.refused {
            return Ok(());
        }
        for (place, told) in found.findings.iter().enumerate() {
            let steps = told.steps.len();
            tally.add("shortest counterexample");
            if search.options.stop != Stop::First {
                same(&format!("fewest steps to `{}`", told.name), &shortest(&told.name), &steps)?;
            } else if place == 0 {
                // An end is detected one event later than other violations.
                let noticed = |name: &str, steps: usize| steps + usize::from(self.is_at_end(name));
                let names = truth.violations.keys();
                let first = names.map(|name| noticed(name, shortest(name))).min();
                same(
                    "when the first violation is noticed",
                    &first,
                    &Some(noticed(&told.name, steps)),
                )?;
            }
        }
        Ok(())
    }

    /// Replays every reported run in the brute force.
    fn run_again(&self, found: &Found, tally: &mut Tally) -> Result<(), String> {
        let oracle = Oracle::new(self.case, self.conditions);
        let violates = |state: &State, name: &str| oracle.violates(state, name);
        let reaches = |state: &State, name: &str| oracle.reaches(state, name);
        for told in &found.findings {
            tally.add("counterexample run again");
            run_again(&oracle, told, violates)?;
        }
        for told in &found.shrunk {
            tally.add("shorter counterexample run again");
            run_again(&oracle, told, violates).map_err(|what| format!("made shorter: {what}"))?;
        }
        for told in &found.witnesses {
            tally.add("witness run again");
            run_again(&oracle, told, reaches)?;
        }
        Ok(())
    }
}

/// The index of tree events among the counts; non-tree events follow.
const TREE: usize = 3;

fn trimmed(counts: &[u64]) -> Vec<u64> {
    let last = counts.iter().rposition(|&count| count > 0);
    counts[..last.map_or(0, |last| last + 1)].to_vec()
}

/// Replays a reported run: each event must be possible, each world must read as reported, and the
/// last must satisfy a condition.
fn run_again(
    oracle: &Oracle<'_>,
    told: &Told,
    is_such: impl Fn(&State, &str) -> bool,
) -> Result<(), String> {
    let mut states: BTreeSet<State> = oracle.initial().into_iter().collect();
    states.retain(|state| oracle.reading(state) == told.start);
    ensure(!states.is_empty(), || format!("`{}`: no run begins with {:?}", told.name, told.start))?;
    for (place, step) in told.steps.iter().enumerate() {
        let next = states.iter().flat_map(|state| oracle.steps(state));
        let next = next.filter(|(event, _)| is_it(event, step)).map(|(_, next)| next);
        states = next.filter(|next| oracle.reading(next) == step.after).collect();
        ensure(!states.is_empty(), || {
            format!("`{}`: step {} cannot happen: {step:?}", told.name, place + 1)
        })?;
    }
    ensure(states.iter().any(|state| is_such(state, &told.name)), || {
        format!("`{}`: not in the last world of the run", told.name)
    })
}

fn is_it(event: &Happening, step: &ToldStep) -> bool {
    event.kind == step.kind
        && step.node == Some(event.node as u32)
        && event.parameters == step.parameters
}

fn count_options(search: &Search, tally: &mut Tally) {
    let Options { strategy, add, shuffle, store, stop, workers, max_depth, .. } = &search.options;
    tally.add(strategy.name());
    tally.add_if(*add == Add::Current, "add current");
    tally.add_if(shuffle.is_some(), "shuffle");
    tally.add(if max_depth.is_some() { "depth bound" } else { "no depth bound" });
    tally.add_if(search.verify_determinism, "verify determinism");
    match store {
        StoreKind::Exact => {}
        StoreKind::Fingerprint => tally.add("store fingerprint"),
        StoreKind::Bitstate { .. } => tally.add("store bitstate"),
    }
    match search.relation {
        None => {}
        Some(SIMULATED) => tally.add("relation simulated"),
        Some(EQUAL_WORLDS) => tally.add("relation equal worlds"),
        Some(FEWER_PACKETS) => tally.add("relation fewer packets"),
        Some(other) => unreachable!("there is no relation {other}"),
    }
    match workers {
        2 => tally.add("2 workers"),
        3 => tally.add("3 workers"),
        _ => {}
    }
    tally.add(match stop {
        Stop::First => "first violation",
        Stop::Each => "each assertion",
        Stop::Never => "keep going",
    });
}
