//! Measurements that the handlers of one run have recorded.

use everypath_model::Record;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Distribution, Series, Truncation,
    clock::{Nanoseconds, seconds},
    mser5,
};

/// Values under names that are literals of the program.
///
/// A handler gives the same literal every time, so its address finds the value without a look at
/// the text. Equal texts at different addresses are one name. Addresses decide only how fast a
/// name is found, never what comes out.
struct Named<T> {
    values: Vec<(&'static str, T)>,
    by_text: FxHashMap<&'static str, usize>,
    recent: [(usize, usize, usize); RECENT],
}

/// Values with their names, in the order of these.
type ByName<T> = Vec<(&'static str, T)>;

const RECENT: usize = 64;

/// The address of no name.
const NOWHERE: usize = 0;

impl<T: Default> Named<T> {
    fn new() -> Self {
        Self {
            values: Vec::new(),
            by_text: FxHashMap::default(),
            recent: [(NOWHERE, 0, 0); RECENT],
        }
    }

    #[inline]
    fn get(&mut self, name: &'static str) -> &mut T {
        let (address, length) = (name.as_ptr() as usize, name.len());
        let place = (address ^ address >> 6) % RECENT;
        let (known_address, known_length, index) = self.recent[place];
        let index = if (known_address, known_length) == (address, length) {
            index
        } else {
            let index = self.look_up(name);
            self.recent[place] = (address, length, index);
            index
        };
        &mut self.values[index].1
    }

    #[cold]
    fn look_up(&mut self, name: &'static str) -> usize {
        *self.by_text.entry(name).or_insert_with(|| {
            self.values.push((name, T::default()));
            self.values.len() - 1
        })
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.values.iter_mut().map(|(_, value)| value)
    }

    /// The values by name, in the order of the names.
    fn sorted(&self) -> ByName<T>
    where
        T: Clone,
    {
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by_key(|&(name, _)| name);
        sorted
    }
}

/// How the beginnings and ends of durations under one name matched.
///
/// ```
/// use everypath_model::{Never, Node, NodeId, Protocol, Scenario, Start, Topology};
/// use everypath_sim::{Limits, Simulation};
///
/// /// Measures how long a message travels.
/// struct Courier;
///
/// impl Protocol for Courier {
///     type State = ();
///     type Message = u64;
///     type Timer = Never;
///     type Command = Never;
///
///     fn start(&self, node: &mut Start<'_, Self>) {
///         node.begin("delay", 7);
///         node.broadcast(7);
///     }
///
///     fn on_message(&self, node: &mut Node<'_, Self>, _: NodeId, &key: &u64) {
///         node.end("delay", key);
///     }
/// }
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// // Both nodes use the same key, so the second restarts what the first began.
/// let scenario = Scenario::new(Courier, Topology::chain(2));
/// let run = Simulation::new(&scenario, 1, 0)?.run(&Limits::default())?;
/// let matching = run.matching("delay").unwrap();
/// assert_eq!((matching.restarts, matching.unmatched_ends, matching.open), (1, 1, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Matching {
    /// Ends for which there was no beginning under their key; they were ignored. The second
    /// arrival of a duplicate is such a one.
    pub unmatched_ends: u64,
    /// Beginnings under a key that had begun and not ended; the duration is measured from the
    /// latest.
    pub restarts: u64,
    /// How many have begun and not ended; they are in no distribution.
    pub open: u64,
}

/// When the durations under way began, by key.
///
/// What began last is often what ends next, so it stands apart: a sender that waits for each answer never
/// looks into the table. That saves 4 % of the instructions of simulating ARQ.
#[derive(Clone, Default)]
struct Begun {
    latest: Option<(u64, Nanoseconds)>,
    older: FxHashMap<u64, Nanoseconds>,
}

impl Begun {
    /// False if it had begun already.
    #[inline]
    fn insert(&mut self, key: u64, now: Nanoseconds) -> bool {
        let before = self.remove(key);
        if let Some((key, begun)) = self.latest.replace((key, now)) {
            self.older.insert(key, begun);
        }
        before.is_none()
    }

    #[inline]
    fn remove(&mut self, key: u64) -> Option<Nanoseconds> {
        match self.latest {
            Some((latest, begun)) if latest == key => {
                self.latest = None;
                Some(begun)
            }
            _ if self.older.is_empty() => None,
            _ => self.older.remove(&key),
        }
    }

    fn len(&self) -> usize {
        usize::from(self.latest.is_some()) + self.older.len()
    }

    fn drain_keys(&mut self) -> impl Iterator<Item = u64> {
        self.latest.take().into_iter().chain(self.older.drain()).map(|(key, _)| key)
    }
}

#[derive(Clone, Default)]
struct Spans {
    begun: Begun,
    /// Those that have begun before measuring did: their durations do not count.
    early: FxHashSet<u64>,
    matching: Matching,
}

impl Spans {
    /// Whether it had begun before measuring did; it no longer has.
    #[inline]
    fn ends_early(&mut self, key: u64) -> bool {
        !self.early.is_empty() && self.early.remove(&key)
    }
}

pub(crate) struct Measurements {
    counters: Named<u64>,
    distributions: Named<Distribution>,
    series: Named<Series>,
    spans: Named<Spans>,
    /// The observations in their order, if the warm-up is to be found.
    sequences: Option<Named<Vec<f64>>>,
}

impl Measurements {
    pub(crate) fn new() -> Self {
        Self {
            counters: Named::new(),
            distributions: Named::new(),
            series: Named::new(),
            spans: Named::new(),
            sequences: None,
        }
    }

    /// Keeps all observations in their order from now on.
    pub(crate) fn keep_sequences(&mut self) {
        self.sequences = Some(Named::new());
    }

    /// Forgets everything measured so far, but for the present values of levels. Durations under way will
    /// not count.
    pub(crate) fn forget_until(&mut self, now: Nanoseconds) {
        self.counters.values_mut().for_each(|counter| *counter = 0);
        self.distributions.values_mut().for_each(|it| *it = Distribution::default());
        self.series.values_mut().for_each(|series| series.forget_until(now));
        for spans in self.spans.values_mut() {
            spans.early.extend(spans.begun.drain_keys());
            spans.matching = Matching::default();
        }
        self.sequences.iter_mut().flat_map(Named::values_mut).for_each(Vec::clear);
    }

    #[inline]
    pub(crate) fn record(&mut self, now: Nanoseconds, record: Record) {
        match record {
            Record::Count { name, by } => *self.counters.get(name) += by,
            Record::Drop { name, .. } => *self.counters.get(name) += 1,
            Record::Sample { name, value } => self.observe(name, value),
            Record::Level { name, value } => self.series.get(name).change_at(now, value),
            Record::Begin { name, key } => self.begin(now, name, key),
            Record::End { name, key } => self.end(now, name, key),
            Record::Route { name, .. } => unreachable!("{name}: who knows the ways makes samples"),
        }
    }

    #[inline]
    fn observe(&mut self, name: &'static str, value: f64) {
        self.distributions.get(name).observe(value);
        if let Some(sequences) = &mut self.sequences {
            sequences.get(name).push(value);
        }
    }

    #[inline(always)]
    fn begin(&mut self, now: Nanoseconds, name: &'static str, key: u64) {
        let spans = self.spans.get(name);
        if !spans.begun.insert(key, now) || spans.ends_early(key) {
            spans.matching.restarts += 1;
        }
    }

    #[inline(always)]
    fn end(&mut self, now: Nanoseconds, name: &'static str, key: u64) {
        let spans = self.spans.get(name);
        match spans.begun.remove(key) {
            Some(begun) => self.observe(name, seconds(now - begun)),
            None if spans.ends_early(key) => {}
            None => spans.matching.unmatched_ends += 1,
        }
    }

    pub(crate) fn counters(&self) -> ByName<u64> {
        self.counters.sorted()
    }

    /// The distributions, and the truncation of each, if the warm-up is to be found.
    pub(crate) fn distributions(&self) -> (ByName<Distribution>, ByName<Truncation>) {
        let Some(sequences) = &self.sequences else {
            return (self.distributions.sorted(), Vec::new());
        };
        let settled = |(name, observations): (&'static str, Vec<f64>)| {
            let truncation = mser5(&observations);
            let mut distribution = Distribution::default();
            observations[truncation.cut..].iter().for_each(|&value| distribution.observe(value));
            ((name, distribution), (name, truncation))
        };
        sequences.sorted().into_iter().map(settled).unzip()
    }

    /// The series, extended to this moment.
    pub(crate) fn series(&self, now: Nanoseconds) -> ByName<Series> {
        let mut series = self.series.sorted();
        series.iter_mut().for_each(|(_, series)| series.extend_to_time(now));
        series
    }

    pub(crate) fn matchings(&self) -> ByName<Matching> {
        let spans = self.spans.sorted();
        spans
            .into_iter()
            .map(|(name, spans)| {
                let open = spans.begun.len() as u64;
                (name, Matching { open, ..spans.matching })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_one_name_wherever_they_stand() {
        let elsewhere: &'static str = Box::leak("sent".to_owned().into_boxed_str());
        let longer: &'static str = "sentence";
        let mut counters = Named::<u64>::new();
        for _ in 0..3 {
            *counters.get("sent") += 1;
            *counters.get(elsewhere) += 10;
            *counters.get(&longer[..4]) += 100;
            *counters.get(longer) += 1;
        }
        assert_eq!(counters.sorted(), [("sent", 333), ("sentence", 3)]);
    }

    #[test]
    fn many_names_do_not_get_mixed_up() {
        let names: Vec<&'static str> =
            (0..300).map(|i| &*Box::leak(format!("name {i:03}").into_boxed_str())).collect();
        let mut counters = Named::<u64>::new();
        for round in 0..3 {
            for (index, name) in names.iter().enumerate() {
                *counters.get(name) += index as u64 + round;
            }
        }
        let sorted = counters.sorted();
        assert!((0..300).all(|i| sorted[i] == (names[i], 3 * i as u64 + 3)));
    }

    #[test]
    fn beginnings_and_ends_are_matched_by_key() {
        let mut measurements = Measurements::new();
        let name = "delay";
        measurements.record(0, Record::Begin { name, key: 1 });
        measurements.record(1_000_000_000, Record::Begin { name, key: 2 });
        measurements.record(3_000_000_000, Record::End { name, key: 1 });
        measurements.record(4_000_000_000, Record::End { name, key: 1 });
        measurements.record(5_000_000_000, Record::Begin { name, key: 2 });
        measurements.record(6_000_000_000, Record::End { name, key: 2 });
        measurements.record(7_000_000_000, Record::Begin { name, key: 3 });
        let [(_, delay)] = &measurements.distributions().0[..] else { panic!("one distribution") };
        assert_eq!((delay.count(), delay.min(), delay.max()), (2, 1.0, 3.0));
        let expected = Matching { unmatched_ends: 1, restarts: 1, open: 1 };
        assert_eq!(measurements.matchings(), [("delay", expected)]);
    }

    #[test]
    fn what_is_forgotten_does_not_count() {
        const S: Nanoseconds = 1_000_000_000;
        let mut measurements = Measurements::new();
        let (delay, sent) = ("delay", "sent");
        for second in 0..10 {
            if second == 5 {
                measurements.forget_until(5 * S);
            }
            let now = second * S;
            measurements.record(now, Record::Count { name: sent, by: 1 });
            measurements.record(now, Record::Begin { name: delay, key: second });
            if let Some(key) = second.checked_sub(2) {
                measurements.record(now, Record::End { name: delay, key });
            }
        }
        assert_eq!(measurements.counters(), [(sent, 5)]);
        // Those of seconds 3 and 4 have begun too early, which makes them no errors.
        let expected = Matching { unmatched_ends: 0, restarts: 0, open: 2 };
        assert_eq!(measurements.matchings(), [(delay, expected)]);
        let [(_, durations)] = &measurements.distributions().0[..] else { panic!("one") };
        assert_eq!((durations.count(), durations.mean()), (3, 2.0));
    }

    #[test]
    fn what_has_not_settled_is_cut_off_each_distribution_by_itself() {
        let mut measurements = Measurements::new();
        measurements.keep_sequences();
        for i in 0..100_u32 {
            let value = if i < 20 { 50.0 } else { f64::from(i % 2) };
            measurements.record(0, Record::Sample { name: "delay", value });
            measurements.record(0, Record::Sample { name: "hops", value: f64::from(i % 5) });
        }
        let (distributions, truncations) = measurements.distributions();
        let cut: Vec<_> = truncations.iter().map(|(name, it)| (*name, it.cut)).collect();
        assert_eq!(cut, [("delay", 20), ("hops", 0)]);
        assert_eq!((distributions[0].1.count(), distributions[0].1.mean()), (80, 0.5));
        assert!((distributions[1].1.mean() - 2.0).abs() < 1e-12);
        measurements.forget_until(0);
        assert!(measurements.distributions().0.iter().all(|(_, it)| it.count() == 0));
    }
}
