//! When the jobs of a scenario are done.

use std::time::Duration;

use everypath_model::{Job, Protocol, Rhythm};

use crate::{
    Stream,
    clock::{NEVER, Nanoseconds, from_seconds, nanoseconds},
};

/// The moments at which a job is done, one after the other.
pub(crate) struct Occasions {
    rhythm: Beat,
    /// The next one, unless it is too late.
    next: Nanoseconds,
    end: Nanoseconds,
}

enum Beat {
    Once,
    Every(Nanoseconds),
    Poisson { mean_s: f64, stream: Stream },
    OnOff(OnOff),
}

/// A rhythm that is on for a while and off for a while.
struct OnOff {
    on_s: f64,
    off_s: f64,
    every: Nanoseconds,
    /// When it is on no longer.
    until: Nanoseconds,
    stream: Stream,
}

impl Occasions {
    /// Of a job; what is random about it comes from its stream.
    pub(crate) fn of<P: Protocol>(job: &Job<P>, stream: impl FnOnce() -> Stream) -> Self {
        Self::new(job.begin, job.rhythm, job.end, stream)
    }

    pub(crate) fn new(
        begin: Duration,
        rhythm: Rhythm,
        end: Option<Duration>,
        stream: impl FnOnce() -> Stream,
    ) -> Self {
        let begin = nanoseconds(begin);
        let end = end.map_or(NEVER, nanoseconds);
        let (rhythm, next) = match rhythm {
            Rhythm::Once => (Beat::Once, begin),
            Rhythm::Every(every) => (Beat::Every(nanoseconds(every)), begin),
            Rhythm::Poisson(mean) => {
                let (mean_s, mut stream) = (mean.as_secs_f64(), stream());
                let next = begin.saturating_add(from_seconds(stream.exponential(mean_s)));
                (Beat::Poisson { mean_s, stream }, next)
            }
            Rhythm::OnOff { on, off, every } => {
                let mut on_off = OnOff {
                    on_s: on.as_secs_f64(),
                    off_s: off.as_secs_f64(),
                    every: nanoseconds(every),
                    until: 0,
                    stream: stream(),
                };
                let next = on_off.first(begin);
                (Beat::OnOff(on_off), next)
            }
        };
        Self { rhythm, next, end }
    }
}

impl Iterator for Occasions {
    type Item = Nanoseconds;

    fn next(&mut self) -> Option<Nanoseconds> {
        let time = self.next;
        if time >= self.end {
            return None;
        }
        self.next = match &mut self.rhythm {
            Beat::Once => NEVER,
            Beat::Every(every) => time.saturating_add(*every),
            Beat::Poisson { mean_s, stream } => {
                time.saturating_add(from_seconds(stream.exponential(*mean_s)))
            }
            Beat::OnOff(on_off) => on_off.after(time),
        };
        Some(time)
    }
}

impl OnOff {
    /// The first moment, if the rhythm has gone on for ever before it is looked at. How long an
    /// exponential time has lasted, and how long it still lasts, are both exponential.
    fn first(&mut self, begin: Nanoseconds) -> Nanoseconds {
        let is_on = self.stream.fraction() * (self.on_s + self.off_s) < self.on_s;
        if !is_on {
            return self.switch_on(begin);
        }
        let age = from_seconds(self.stream.exponential(self.on_s));
        let left = from_seconds(self.stream.exponential(self.on_s));
        self.until = begin.saturating_add(left);
        let since = age % self.every;
        let next = begin.saturating_add(if since == 0 { 0 } else { self.every - since });
        self.within(next)
    }

    /// The moment that follows another.
    fn after(&mut self, time: Nanoseconds) -> Nanoseconds {
        let next = time.saturating_add(self.every);
        self.within(next)
    }

    /// A moment, or the beginning of the next time on if it is off by then.
    fn within(&mut self, next: Nanoseconds) -> Nanoseconds {
        if next < self.until { next } else { self.switch_on(self.until) }
    }

    /// It is off: when it is on again.
    fn switch_on(&mut self, since: Nanoseconds) -> Nanoseconds {
        let begin = since.saturating_add(from_seconds(self.stream.exponential(self.off_s)));
        let while_on = from_seconds(self.stream.exponential(self.on_s)).max(1);
        self.until = begin.saturating_add(while_on);
        begin
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::NodeId;

    use super::*;
    use crate::{Estimate, clock::seconds};

    struct Mute;

    impl Protocol for Mute {
        type State = ();
        type Message = ();
        type Timer = ();
        type Command = ();

        fn start(&self, _: NodeId, _: &mut impl everypath_model::Effects<Self>) {}

        fn on_message(
            &self,
            _: NodeId,
            (): &mut (),
            _: NodeId,
            (): &(),
            _: &mut impl everypath_model::Effects<Self>,
        ) {
        }
    }

    const BEGIN: Duration = Duration::from_secs(3);
    const END: Duration = Duration::from_secs(13);

    fn occasions(rhythm: Rhythm, replication: u32) -> Vec<Nanoseconds> {
        let job =
            Job::<Mute> { node: NodeId(0), command: (), begin: BEGIN, rhythm, end: Some(END) };
        Occasions::of(&job, || Stream::new(11, replication, "job 0")).collect()
    }

    /// How many occasions there are in each of a thousand runs.
    fn counts(rhythm: Rhythm) -> Vec<f64> {
        (0..1000).map(|replication| occasions(rhythm, replication).len() as f64).collect()
    }

    #[test]
    fn an_end_is_not_part_of_it() {
        assert_eq!(occasions(Rhythm::Once, 0), [3_000_000_000]);
        let every = Rhythm::Every(Duration::from_secs(5));
        assert_eq!(occasions(every, 0), [3_000_000_000, 8_000_000_000]);
    }

    #[test]
    fn the_counts_of_a_poisson_process_have_their_mean_for_variance() {
        let counts = counts(Rhythm::Poisson(Duration::from_millis(400)));
        let mean = Estimate::of("count", "", &counts);
        assert!(mean.covers(25.0), "{mean:?}");
        // The squared distance from the mean of a Poisson count has the variance of the count for
        // its mean.
        let squares: Vec<f64> = counts.iter().map(|count| (count - 25.0).powi(2)).collect();
        let variance = Estimate::of("variance", "", &squares);
        assert!(variance.covers(25.0), "{variance:?}");
    }

    #[test]
    fn an_on_off_rhythm_has_its_duty_cycle_from_the_beginning() {
        let (on, off, every) = (0.3, 0.7, 0.05_f64);
        let duration = Duration::from_secs_f64;
        let rhythm = Rhythm::OnOff { on: duration(on), off: duration(off), every: duration(every) };
        // In a time on of exponential length there is one at its beginning, and one more for each
        // whole interval.
        let per_time_on = 1.0 / (1.0 - (-every / on).exp());
        let expected = 10.0 * per_time_on / (on + off);
        let mean = Estimate::of("count", "", &counts(rhythm));
        assert!(mean.covers(expected), "{expected}: {mean:?}");
        assert!(mean.half_width < 0.05 * expected, "{mean:?}");
        // The first tenth of a second is as any other.
        let early: Vec<f64> = (0..4000)
            .map(|replication| {
                let occasions = occasions(rhythm, replication);
                occasions.iter().filter(|&&time| seconds(time) < 3.1).count() as f64
            })
            .collect();
        let early = Estimate::of("early", "", &early);
        assert!(early.covers(expected / 100.0), "{expected}: {early:?}");
    }
}
