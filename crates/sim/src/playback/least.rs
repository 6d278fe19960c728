//! The least lateness of a run: bounds on differences of times, and the earliest times within them.

use super::moment::Moment;
use crate::clock::Nanoseconds;

/// Until an event, something waits that is due at a moment.
pub(super) struct Wait {
    /// The number of the event; 0 is the start of the run.
    pub(super) until: usize,
    pub(super) due: Moment,
    /// It is late only this much after it is due, as a packet with a jitter.
    pub(super) within: Nanoseconds,
    /// When the event takes place, if every event takes place as early as it can.
    pub(super) reached: Nanoseconds,
    /// Whether the event is what was due: it does not take place before. Otherwise it ends the wait, as when it
    /// cancels a timer.
    pub(super) is_due: bool,
}

impl Wait {
    /// When it is late, if events take place at these times.
    pub(super) fn bound(&self, times: &[Nanoseconds]) -> Nanoseconds {
        latest(&self.due, times).saturating_add(self.within)
    }
}

/// How many ways to resolve a moment that several events may decide are tried.
const WAYS_MAX: u32 = 4096;

/// The waits of a run of some events.
pub(super) struct Waits<'a> {
    pub(super) events: usize,
    pub(super) waits: &'a [Wait],
}

/// `event` takes place at most this span after `cause`, and what may be late.
type Pull = (usize, usize, Nanoseconds);

impl Waits<'_> {
    /// The least span by which something must be late, and the earliest times with no more than that. It is at
    /// most `most`. Nothing, if there are too many ways to try.
    pub(super) fn least(&self, most: Nanoseconds) -> Option<(Nanoseconds, Vec<Nanoseconds>)> {
        let mut ways = WAYS_MAX;
        let mut within = |late: Nanoseconds| {
            let start = vec![0; self.events + 1];
            self.earliest(late, start, &mut Vec::new(), &mut ways)
        };
        let (mut below, mut least) = (0, most);
        while below < least {
            let middle = below + (least - below) / 2;
            match within(middle) {
                Some(_) => least = middle,
                None => below = middle + 1,
            }
        }
        let times = within(least)?;
        (ways > 0).then_some((least, times))
    }

    /// The earliest times from these on at which nothing is later than that, if there are any.
    fn earliest(
        &self,
        late: Nanoseconds,
        from: Vec<Nanoseconds>,
        chosen: &mut Vec<Pull>,
        ways: &mut u32,
    ) -> Option<Vec<Nanoseconds>> {
        *ways = ways.checked_sub(1)?;
        let times = self.settled(late, from, chosen)?;
        // Only moments that several events may decide can still be exceeded: one of the events must come later.
        let exceeded = self
            .waits
            .iter()
            .find(|wait| times[wait.until] > wait.bound(&times).saturating_add(late));
        let Some(Wait { until, due, within, .. }) = exceeded else { return Some(times) };
        due.after.iter().find_map(|&(cause, span)| {
            chosen.push((cause, *until, span.saturating_add(*within)));
            let found = self.earliest(late, times.clone(), chosen, ways);
            chosen.pop();
            found
        })
    }

    /// Raises times until no bound is broken that a single event decides; nothing, if that has no end.
    fn settled(
        &self,
        late: Nanoseconds,
        mut times: Vec<Nanoseconds>,
        chosen: &[Pull],
    ) -> Option<Vec<Nanoseconds>> {
        let single = self.waits.iter().filter_map(|wait| match wait.due.after[..] {
            [(cause, span)] => Some((cause, wait.until, span.saturating_add(wait.within))),
            _ => None,
        });
        let pulls: Vec<Pull> = single.chain(chosen.iter().copied()).collect();
        // Without a circle of bounds that contradict each other, a time is raised along each event once.
        for _ in 0..=self.events + 1 {
            let mut changed = false;
            let mut raise = |times: &mut Vec<Nanoseconds>, event: usize, to: Nanoseconds| {
                changed |= times[event] < to;
                times[event] = times[event].max(to);
            };
            for event in 1..times.len() {
                let before = times[event - 1];
                raise(&mut times, event, before);
            }
            for wait in self.waits.iter().filter(|wait| wait.is_due) {
                let due = latest(&wait.due, &times);
                raise(&mut times, wait.until, due);
            }
            for &(cause, event, span) in &pulls {
                let to = times[event].saturating_sub(span.saturating_add(late));
                raise(&mut times, cause, to);
            }
            if times[0] > 0 {
                return None;
            }
            if !changed {
                return Some(times);
            }
        }
        None
    }
}

/// When something is due, if events take place at these times.
pub(super) fn latest(due: &Moment, times: &[Nanoseconds]) -> Nanoseconds {
    let sums = due.after.iter().map(|&(cause, span)| times[cause].saturating_add(span));
    sums.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The least lateness among all whole times up to a bound.
    fn by_trying(events: usize, waits: &[Wait], horizon: u64) -> Option<u64> {
        fn try_all(
            times: &mut Vec<u64>,
            events: usize,
            waits: &[Wait],
            horizon: u64,
        ) -> Option<u64> {
            if times.len() == events + 1 {
                let possible = waits.iter().filter(|wait| wait.is_due);
                let mut possible =
                    possible.map(|wait| times[wait.until] >= latest(&wait.due, times));
                let lates =
                    waits.iter().map(|wait| times[wait.until].saturating_sub(wait.bound(times)));
                return possible.all(|it| it).then(|| lates.max().unwrap_or(0));
            }
            let last = *times.last().expect("the run has a start");
            let mut least = None;
            for time in last..=horizon {
                times.push(time);
                let found = try_all(times, events, waits, horizon);
                times.pop();
                least = [least, found].into_iter().flatten().min();
            }
            least
        }
        try_all(&mut vec![0], events, waits, horizon)
    }

    fn wait() -> impl Strategy<Value = (usize, Vec<(usize, u64)>, bool, u64)> {
        let sums = proptest::collection::vec((0..4_usize, 0..4_u64), 1..3);
        (1..5_usize, sums, any::<bool>(), 0..3_u64)
    }

    proptest! {
        #[test]
        fn it_is_the_least_of_all_times(drawn in proptest::collection::vec(wait(), 0..5)) {
            const EVENTS: usize = 4;
            let mut waits = Vec::new();
            for (until, sums, is_due, within) in drawn {
                let mut due = Moment { at: 0, after: Vec::new() };
                for (cause, span) in sums {
                    due = due.or_later(&Moment { at: 0, after: vec![(cause.min(until - 1), span)] });
                }
                waits.push(Wait { until, due, within, reached: 0, is_due });
            }
            // No event needs to come later than the sum of all spans before it.
            let found = Waits { events: EVENTS, waits: &waits }.least(20);
            let (late, times) = found.expect("there are few ways");
            prop_assert_eq!(Some(late), by_trying(EVENTS, &waits, 13));
            prop_assert!(times.is_sorted());
        }
    }
}
