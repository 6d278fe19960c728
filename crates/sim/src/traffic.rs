//! Occasions at which the jobs of a scenario are done.

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
    use everypath_model::{Node, NodeId, Start};

    use super::*;

    struct Mute;

    impl Protocol for Mute {
        type State = ();
        type Message = ();
        type Timer = ();
        type Command = ();

        fn start(&self, _: &mut Start<'_, Self>) {}

        fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, (): &()) {}
    }

    const BEGIN: Duration = Duration::from_secs(3);
    const END: Duration = Duration::from_secs(13);

    fn occasions(rhythm: Rhythm) -> Vec<Nanoseconds> {
        let job =
            Job::<Mute> { node: NodeId(0), command: (), begin: BEGIN, rhythm, end: Some(END) };
        Occasions::of(&job, || Stream::new(1, 0, "job 0")).collect()
    }

    #[test]
    fn an_end_is_not_part_of_it() {
        assert_eq!(occasions(Rhythm::Once), [3_000_000_000]);
        let every = Rhythm::Every(Duration::from_secs(5));
        assert_eq!(occasions(every), [3_000_000_000, 8_000_000_000]);
    }
}
