//! Backoff of one node, as in IEEE 802.11.

use everypath_model::DcfRadio;

use crate::{
    Stream,
    clock::{Nanoseconds, nanoseconds},
    transmitter::airtime,
};

/// The times of the distributed coordination function.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) slot: Nanoseconds,
    pub(super) sifs: Nanoseconds,
    pub(super) difs: Nanoseconds,
    /// By how much longer than DIFS the medium must be idle after a frame that was spoilt: as long as
    /// an acknowledgement of it at the basic rate would have taken.
    recovery: Nanoseconds,
    /// How long an acknowledgement takes.
    pub(super) acknowledgement: Nanoseconds,
    /// After which time it should have begun to arrive.
    pub(super) patience: Nanoseconds,
    preamble: Nanoseconds,
    data_bps: u64,
    basic_bps: u64,
    header_bytes: usize,
    window_min: u32,
    window_max: u32,
    pub(super) tries: u32,
}

impl Rules {
    pub(super) fn new(radio: &DcfRadio) -> Self {
        let preamble = nanoseconds(radio.preamble);
        let (slot, sifs) = (nanoseconds(radio.slot), nanoseconds(radio.sifs));
        let acknowledgement =
            |rate| preamble.saturating_add(airtime(radio.acknowledgement_bytes, rate));
        Self {
            slot,
            sifs,
            difs: nanoseconds(radio.difs),
            recovery: sifs.saturating_add(acknowledgement(radio.basic_bps)),
            acknowledgement: acknowledgement(radio.acknowledgement_bps),
            patience: sifs.saturating_add(slot).saturating_add(preamble),
            preamble,
            data_bps: radio.data_bps,
            basic_bps: radio.basic_bps,
            header_bytes: radio.header_bytes,
            window_min: radio.window_min,
            window_max: radio.window_max,
            tries: radio.tries,
        }
    }

    /// How long a message of this many bytes takes, for one node or as a broadcast.
    pub(super) fn airtime(&self, bytes: usize, is_for_one: bool) -> Nanoseconds {
        let rate = if is_for_one { self.data_bps } else { self.basic_bps };
        self.preamble.saturating_add(airtime(bytes.saturating_add(self.header_bytes), rate))
    }

    /// For how long a node that understands a frame for another leaves the medium to its acknowledgement.
    pub(super) fn reservation(&self) -> Nanoseconds {
        self.sifs.saturating_add(self.acknowledgement)
    }
}

/// Slots are being counted, from one moment to another.
#[derive(Clone, Copy)]
struct Countdown {
    begins: Nanoseconds,
    ends: Nanoseconds,
}

/// How one node contends for the medium. It knows only what its methods are called with.
pub(super) struct Contention {
    stream: Stream,
    window: u32,
    /// The slots that are left; `None` if no backoff is under way.
    backoff: Option<u32>,
    countdown: Option<Countdown>,
    /// Since when there is no signal and the node does not transmit, if that is so.
    quiet_since: Nanoseconds,
    /// Until when others have reserved the medium.
    reserved_until: Nanoseconds,
    /// Until when it keeps silent because it did not understand what was sent.
    recovers_until: Nanoseconds,
    /// The last frame was spoilt.
    is_spoilt: bool,
}

impl Contention {
    pub(super) fn new(stream: Stream, rules: &Rules) -> Self {
        Self {
            stream,
            window: rules.window_min,
            backoff: None,
            countdown: None,
            quiet_since: 0,
            reserved_until: 0,
            recovers_until: 0,
            is_spoilt: false,
        }
    }

    /// The node goes off: it forgets everything.
    pub(super) fn reset(&mut self, rules: &Rules) {
        *self = Self::new(self.stream.clone(), rules);
    }

    /// When the node will transmit, or end its backoff, if nothing happens before.
    pub(super) fn ends(&self) -> Option<Nanoseconds> {
        self.countdown.map(|countdown| countdown.ends)
    }

    /// There is a first frame to be transmitted: without backoff, if the medium is idle and no backoff is under
    /// way.
    pub(super) fn begin(&mut self, now: Nanoseconds, is_quiet: bool) {
        let is_free = is_quiet && self.reserved_until <= now && self.recovers_until <= now;
        if self.backoff.is_none() && !is_free {
            self.draw();
        }
    }

    fn draw(&mut self) {
        self.backoff = Some(self.stream.choose(self.window + 1));
    }

    /// There is no signal on the medium, and the node has a frame or a backoff: it counts.
    pub(super) fn count(&mut self, now: Nanoseconds, has_frame: bool, rules: &Rules) {
        if self.countdown.is_some() || !(has_frame || self.backoff.is_some()) {
            return;
        }
        let idle_from = self.quiet_since.max(self.reserved_until).max(self.recovers_until);
        let begins = idle_from.saturating_add(rules.difs).max(now);
        let slots = Nanoseconds::from(self.backoff.unwrap_or(0));
        let ends = begins.saturating_add(slots.saturating_mul(rules.slot));
        self.countdown = Some(Countdown { begins, ends });
    }

    /// A signal arrives. What ends at this very moment goes on: it cannot be noticed any more.
    pub(super) fn freeze(&mut self, now: Nanoseconds, has_frame: bool, rules: &Rules) {
        let Some(Countdown { begins, ends }) = self.countdown else { return };
        if ends <= now {
            return;
        }
        self.countdown = None;
        match &mut self.backoff {
            Some(slots) => {
                let passed = now.saturating_sub(begins) / rules.slot;
                *slots -= u32::try_from(passed).expect("not all slots have passed");
            }
            None if has_frame => self.draw(),
            None => {}
        }
    }

    /// The countdown is over.
    pub(super) fn finish(&mut self) {
        (self.countdown, self.backoff) = (None, None);
    }

    /// There is no signal any more and the node does not transmit.
    pub(super) fn becomes_quiet(&mut self, now: Nanoseconds, rules: &Rules) {
        self.quiet_since = now;
        if std::mem::take(&mut self.is_spoilt) {
            self.recovers_until = now.saturating_add(rules.recovery);
        }
    }

    /// A frame was spoilt.
    pub(super) fn spoil(&mut self) {
        self.is_spoilt = true;
    }

    /// A frame was understood; the medium is reserved until then.
    pub(super) fn understand(&mut self, reserved_until: Nanoseconds) {
        self.is_spoilt = false;
        self.recovers_until = 0;
        self.reserved_until = self.reserved_until.max(reserved_until);
    }

    /// A frame was transmitted for the last time, with or without success.
    pub(super) fn start_over(&mut self, rules: &Rules) {
        self.window = rules.window_min;
        self.draw();
    }

    /// A frame was not acknowledged and is transmitted again.
    pub(super) fn back_off(&mut self, rules: &Rules) {
        self.window = self.window.saturating_mul(2).saturating_add(1).min(rules.window_max);
        self.draw();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFS: Nanoseconds = 50_000;
    const SLOT: Nanoseconds = 20_000;

    fn contention() -> (Contention, Rules) {
        let rules = Rules::new(&DcfRadio::default());
        (Contention::new(Stream::new(1, 0, "test"), &rules), rules)
    }

    #[test]
    fn the_times_of_802_11b() {
        let (_, rules) = contention();
        assert_eq!(rules.airtime(512 + 28, true), 192_000 + 418_909);
        assert_eq!(rules.airtime(20, false), 192_000 + 448_000);
        assert_eq!(rules.acknowledgement, 304_000);
        assert_eq!(rules.recovery + rules.difs, 364_000, "EIFS");
        assert_eq!(rules.patience, 222_000);
    }

    #[test]
    fn an_idle_medium_is_used_after_difs_and_at_once_later() {
        let (mut early, rules) = contention();
        early.begin(10_000, true);
        early.count(10_000, true, &rules);
        assert_eq!(early.ends(), Some(DIFS));
        let (mut late, rules) = contention();
        late.begin(DIFS + 7, true);
        late.count(DIFS + 7, true, &rules);
        assert_eq!(late.ends(), Some(DIFS + 7));
    }

    #[test]
    fn a_backoff_is_frozen_and_goes_on() {
        let (mut node, rules) = contention();
        node.backoff = Some(5);
        node.count(0, true, &rules);
        assert_eq!(node.ends(), Some(DIFS + 5 * SLOT));
        // In the middle of the third slot: two have passed.
        node.freeze(DIFS + 2 * SLOT + SLOT / 2, true, &rules);
        assert_eq!((node.ends(), node.backoff), (None, Some(3)));
        node.becomes_quiet(1_000_000, &rules);
        node.count(1_000_000, true, &rules);
        assert_eq!(node.ends(), Some(1_000_000 + DIFS + 3 * SLOT));
        // Before the slots begin, none has passed. At the end it is too late to freeze.
        node.freeze(1_000_000 + DIFS, true, &rules);
        assert_eq!(node.backoff, Some(3));
        node.becomes_quiet(2_000_000, &rules);
        node.count(2_000_000, true, &rules);
        let ends = 2_000_000 + DIFS + 3 * SLOT;
        node.freeze(ends, true, &rules);
        assert_eq!(node.ends(), Some(ends));
    }

    #[test]
    fn who_was_interrupted_before_a_first_frame_backs_off() {
        let (mut node, rules) = contention();
        node.begin(0, true);
        node.count(0, true, &rules);
        node.freeze(DIFS - 1, true, &rules);
        assert!(node.backoff.is_some());
    }

    #[test]
    fn what_was_spoilt_and_what_is_reserved_is_waited_for() {
        let (mut node, rules) = contention();
        node.spoil();
        node.becomes_quiet(1000, &rules);
        node.backoff = Some(0);
        node.count(1000, true, &rules);
        assert_eq!(node.ends(), Some(1000 + 364_000));
        node.freeze(2000, true, &rules);
        node.understand(500_000);
        node.becomes_quiet(100_000, &rules);
        node.count(100_000, true, &rules);
        assert_eq!(node.ends(), Some(500_000 + DIFS));
    }

    #[test]
    fn the_window_doubles_up_to_its_limit() {
        let (mut node, rules) = contention();
        let mut windows = Vec::new();
        for _ in 0..7 {
            windows.push(node.window);
            node.back_off(&rules);
        }
        assert_eq!(windows, [31, 63, 127, 255, 511, 1023, 1023]);
        node.start_over(&rules);
        assert_eq!(node.window, 31);
    }
}
