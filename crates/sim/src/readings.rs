//! Names that measures read of a run, to find those under which nothing was recorded.

use std::{cell::RefCell, collections::BTreeSet, fmt};

use everypath_model::{Measure, Readings, panics};

use crate::{Replications, Run};

/// The kind of a record under a name.
///
/// ```
/// use everypath_sim::Sort;
///
/// assert_eq!(Sort::Counted.to_string(), "counted");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// It is counted.
    Counted,
    /// It is observed: a distribution, or a level that is followed over time.
    Observed,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counted => "counted",
            Self::Observed => "observed",
        })
    }
}

/// A name that a measure reads.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Sort, readings};
///
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .simulation(|run| run.measure("share of heads", "", |run| run.mean("side")));
/// let reading = &readings(&scenario.simulation.measures)[0];
/// assert_eq!((reading.sort, &reading.name[..]), (Sort::Observed, "side"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Reading {
    /// The measure.
    pub measure: String,
    /// The kind of record that it expects.
    pub sort: Sort,
    /// The name.
    pub name: String,
}

/// A name that a measure reads, and under which nothing was recorded in any run.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, readings, recorded, replicate, unrecorded};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .simulation(|run| run.measure("share of heads", "", |run| run.mean("sied")));
/// let results = replicate(&scenario, 1, 2, &Limits::default(), &mut ())?;
/// let missing = unrecorded(&readings(&scenario.simulation.measures), &recorded(&results));
/// assert_eq!(missing[0].hint().as_deref(), Some("did you mean `side`?"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unrecorded {
    /// The measure and the name.
    pub reading: Reading,
    /// What was probably meant: a name near to it that was recorded and that no measure reads, or the
    /// same name as something else. Without it, it may be a name under which nothing has happened yet.
    pub meant: Option<(Sort, String)>,
}

impl Unrecorded {
    /// What was probably meant, in words, if the name was mistyped or is that of something else.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let (sort, name) = self.meant.as_ref()?;
        Some(match *name == self.reading.name {
            true => format!("`{name}` is {sort}"),
            false => format!("did you mean `{name}`?"),
        })
    }
}

/// Notes which names are asked for, and answers as if everything had happened once.
#[derive(Default)]
struct Note(RefCell<BTreeSet<(Sort, String)>>);

impl Note {
    fn take(&self, sort: Sort, name: &str) {
        self.0.borrow_mut().insert((sort, name.to_owned()));
    }
}

impl Readings for Note {
    fn elapsed_s(&self) -> f64 {
        1.0
    }

    fn packets_sent(&self) -> u64 {
        1
    }

    fn packets_delivered(&self) -> u64 {
        1
    }

    fn count(&self, name: &str) -> u64 {
        self.take(Sort::Counted, name);
        1
    }

    fn mean(&self, name: &str) -> f64 {
        self.take(Sort::Observed, name);
        1.0
    }

    fn quantile(&self, name: &str, _: f64) -> f64 {
        self.take(Sort::Observed, name);
        1.0
    }
}

/// The names that measures read, in their order.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::readings;
///
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .simulation(|run| run.measure_count("heard").measure("side", "", |run| run.mean("side")));
/// let read = readings(&scenario.simulation.measures);
/// let names: Vec<&str> = read.iter().map(|reading| &reading.name[..]).collect();
/// assert_eq!(names, ["heard", "side"]);
/// ```
#[must_use]
pub fn readings(measures: &[Measure]) -> Vec<Reading> {
    let of = |measure: &Measure| {
        let note = Note::default();
        // What panics has read something before.
        let _ = panics::catch(|| (measure.compute)(&note));
        let names = note.0.into_inner().into_iter();
        let reading = |(sort, name)| Reading { measure: measure.name.clone(), sort, name };
        names.map(reading).collect::<Vec<_>>()
    };
    measures.iter().flat_map(of).collect()
}

/// How far apart two names can be for one to be a misspelling of the other: names of the same
/// protocol are often alike, such as those of two sorts of messages.
fn is_near(one: &str, other: &str) -> bool {
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let tail = |text: &str| text.chars().skip(shared).collect::<Vec<_>>();
    let (one, other) = (tail(one), tail(other));
    let ending = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    one.len().max(other.len()) - ending <= 2
}

/// The readings under which nothing was recorded in any run, whatever the run, if these names were.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Sort, readings, unrecorded};
///
/// let scenario = Scenario::new(Coin, Topology::ring(4))
///     .simulation(|run| run.measure_count("heard").measure_count("lost"));
/// let recorded = [(Sort::Counted, "heard".to_owned())].into();
/// let missing = unrecorded(&readings(&scenario.simulation.measures), &recorded);
/// assert_eq!(missing[0].reading.name, "lost");
/// // No name that was recorded is near to it.
/// assert_eq!(missing[0].meant, None);
/// ```
#[must_use]
pub fn unrecorded(readings: &[Reading], recorded: &BTreeSet<(Sort, String)>) -> Vec<Unrecorded> {
    let is_recorded = |it: &&Reading| recorded.contains(&(it.sort, it.name.clone()));
    let is_read = |name: &str| readings.iter().any(|it| it.name == name);
    let meant = |reading: &Reading| {
        let same = recorded.iter().find(|(_, name)| *name == reading.name);
        let unread = recorded.iter().filter(|(_, name)| !is_read(name));
        same.or_else(|| unread.clone().find(|(_, name)| is_near(name, &reading.name))).cloned()
    };
    let missing = readings.iter().filter(|it| !is_recorded(it));
    missing.map(|reading| Unrecorded { reading: reading.clone(), meant: meant(reading) }).collect()
}

/// All names under which something was recorded in some run.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Limits, Sort, recorded, replicate};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4));
/// let results = replicate(&scenario, 1, 2, &Limits::default(), &mut ())?;
/// assert!(recorded(&results).contains(&(Sort::Counted, "heard".to_owned())));
/// # Ok(())
/// # }
/// ```
#[must_use]
pub fn recorded(results: &Replications) -> BTreeSet<(Sort, String)> {
    let names = |run: &Run| {
        let counted = run.counters.iter().map(|(name, _)| (Sort::Counted, *name));
        let observed = run.distributions.iter().map(|(name, _)| *name);
        let followed = run.series.iter().map(|(name, _)| *name);
        let observed = observed.chain(followed).map(|name| (Sort::Observed, name));
        counted.chain(observed).map(|(sort, name)| (sort, name.to_owned())).collect::<Vec<_>>()
    };
    results.runs.iter().flat_map(names).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(sort: Sort, name: &str) -> Reading {
        Reading { measure: "it".to_owned(), sort, name: name.to_owned() }
    }

    fn meant(asked: &[&str], recorded: &[&str]) -> Vec<Option<String>> {
        let asked: Vec<Reading> = asked.iter().map(|name| reading(Sort::Counted, name)).collect();
        let recorded = recorded.iter().map(|name| (Sort::Counted, (*name).to_owned())).collect();
        let missing = unrecorded(&asked, &recorded);
        missing.into_iter().map(|it| it.meant.map(|(_, name)| name)).collect()
    }

    #[test]
    fn a_mistyped_name_is_distinguished_from_one_that_has_not_happened() {
        assert_eq!(meant(&["lernt"], &["learnt", "sent"]), [Some("learnt".to_owned())]);
        assert_eq!(meant(&["data snet"], &["data sent"]), [Some("data sent".to_owned())]);
        // Nobody writes one for the other: both are read.
        assert!(meant(&["RREQ sent", "RREP sent"], &["RREQ sent"]) == [None]);
        assert!(meant(&["acks lost"], &["acks sent"]) == [None]);
        assert!(meant(&["sent"], &["sent"]).is_empty());
    }

    #[test]
    fn what_is_counted_is_not_observed() {
        let recorded = [(Sort::Counted, "sent".to_owned())].into();
        let missing = unrecorded(&[reading(Sort::Observed, "sent")], &recorded);
        assert_eq!(missing[0].meant, Some((Sort::Counted, "sent".to_owned())));
    }
}
