//! All that the handlers of one run have recorded.

use everypath_model::Record;
use rustc_hash::FxHashMap;

use crate::{
    Distribution, Series,
    clock::{Nanoseconds, seconds},
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

    /// The values by name, in the order of the names.
    fn sorted(&self) -> Vec<(&'static str, T)>
    where
        T: Clone,
    {
        let mut sorted = self.values.clone();
        sorted.sort_unstable_by_key(|&(name, _)| name);
        sorted
    }
}

/// How the beginnings and ends of durations under one name matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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

#[derive(Clone, Default)]
struct Spans {
    begun: FxHashMap<u64, Nanoseconds>,
    matching: Matching,
}

pub(crate) struct Measurements {
    counters: Named<u64>,
    distributions: Named<Distribution>,
    series: Named<Series>,
    spans: Named<Spans>,
}

impl Measurements {
    pub(crate) fn new() -> Self {
        Self {
            counters: Named::new(),
            distributions: Named::new(),
            series: Named::new(),
            spans: Named::new(),
        }
    }

    #[inline]
    pub(crate) fn record(&mut self, now: Nanoseconds, record: Record) {
        match record {
            Record::Count { name, by } => *self.counters.get(name) += by,
            Record::Drop { name, .. } => *self.counters.get(name) += 1,
            Record::Sample { name, value } => self.distributions.get(name).observe(value),
            Record::Level { name, value } => self.series.get(name).change_at(now, value),
            Record::Begin { name, key } => self.begin(now, name, key),
            Record::End { name, key } => self.end(now, name, key),
        }
    }

    fn begin(&mut self, now: Nanoseconds, name: &'static str, key: u64) {
        let spans = self.spans.get(name);
        if spans.begun.insert(key, now).is_some() {
            spans.matching.restarts += 1;
        }
    }

    fn end(&mut self, now: Nanoseconds, name: &'static str, key: u64) {
        let spans = self.spans.get(name);
        match spans.begun.remove(&key) {
            Some(begun) => self.distributions.get(name).observe(seconds(now - begun)),
            None => spans.matching.unmatched_ends += 1,
        }
    }

    pub(crate) fn counters(&self) -> Vec<(&'static str, u64)> {
        self.counters.sorted()
    }

    pub(crate) fn distributions(&self) -> Vec<(&'static str, Distribution)> {
        self.distributions.sorted()
    }

    /// The series, extended to this moment.
    pub(crate) fn series(&self, now: Nanoseconds) -> Vec<(&'static str, Series)> {
        let mut series = self.series.sorted();
        series.iter_mut().for_each(|(_, series)| series.extend_to_time(now));
        series
    }

    pub(crate) fn matchings(&self) -> Vec<(&'static str, Matching)> {
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
        let [(_, delay)] = &measurements.distributions()[..] else { panic!("one distribution") };
        assert_eq!((delay.count(), delay.min(), delay.max()), (2, 1.0, 3.0));
        let expected = Matching { unmatched_ends: 1, restarts: 1, open: 1 };
        assert_eq!(measurements.matchings(), [("delay", expected)]);
    }
}
