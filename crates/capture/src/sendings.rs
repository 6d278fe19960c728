//! To whom each sending of a run goes, and what becomes of it at its transmitter.

use everypath_model::NodeId;

#[derive(Clone, Copy, Default)]
struct Known {
    to: Option<NodeId>,
    is_seen: bool,
}

/// Remembers to whom each sending goes: the packets of a broadcast alone do not tell that they are of one.
#[derive(Default)]
pub(crate) struct Sendings(Vec<Known>);

impl Sendings {
    fn place(&mut self, sending: u64) -> &mut Known {
        let place = usize::try_from(sending).expect("sendings are counted from 0");
        if self.0.len() <= place {
            self.0.resize(place + 1, Known::default());
        }
        &mut self.0[place]
    }

    /// A sending to one node, or to all.
    pub(crate) fn add(&mut self, sending: u64, to: Option<NodeId>) {
        *self.place(sending) = Known { to, is_seen: false };
    }

    /// To whom it is; to all if to nobody.
    pub(crate) fn to(&mut self, sending: u64) -> Option<NodeId> {
        self.place(sending).to
    }

    /// Whether a packet of a sending is to be shown as one that its sender transmits: a broadcast is
    /// one transmission, however many packets there are of it.
    pub(crate) fn is_transmission(&mut self, sending: u64) -> bool {
        let known = self.place(sending);
        known.to.is_some() || !std::mem::replace(&mut known.is_seen, true)
    }
}

/// What was handed to a transmitter last, as a capture is going to write it: it is not known yet whether its queue was
/// full.
pub(crate) struct Handed<T>(Option<(u64, T)>);

impl<T> Default for Handed<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Handed<T> {
    /// A sending is handed over, if there is something to write of it.
    pub(crate) fn hand_over(&mut self, sending: u64, written: Option<T>) {
        self.0 = written.map(|written| (sending, written));
    }

    /// A frame was dropped: if it is the one that was handed over last, it was never transmitted.
    pub(crate) fn drop_if(&mut self, sending: u64) {
        self.0.take_if(|(handed, _)| *handed == sending);
    }

    /// The transmitter has taken what was handed to it last.
    pub(crate) fn take(&mut self) -> Option<T> {
        self.0.take().map(|(_, written)| written)
    }
}
