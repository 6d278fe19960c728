//! Takes: the packets that can be removed from a network, each with the network that remains.

use std::ops::Range;

use everypath_explore::gentle_growth;

use crate::numbers::Numbers;

/// A packet that can be taken out of a network, and what then remains.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Take {
    pub(crate) packet: u32,
    pub(crate) rest: u32,
}

/// What can be taken out of networks, for each that was looked at: 4 bytes, and 4 and those of the
/// packet, mostly one, for each take. On ARQ to depth 45 that is a quarter of the memory. To
/// forget what was not asked for lately, and compute it again, takes 1.4 times as long.
#[derive(Default)]
pub(crate) struct Takes {
    /// By network: where its takes begin.
    starts: Vec<u32>,
    /// What remains; the last one of a network is marked.
    rests: Vec<u32>,
    packets: Numbers,
}

/// A network that was not looked at.
const UNKNOWN: u32 = u32::MAX;
/// Marks the last take of a network.
const LAST: u32 = 1 << 31;

/// How many networks there can be, so that they can be marked.
pub(crate) const NETWORKS_MAX: usize = 1 << 31;
/// How many takes there can be.
pub(crate) const TAKES_MAX: usize = UNKNOWN as usize;

impl Takes {
    pub(crate) fn len(&self) -> usize {
        self.rests.len()
    }

    /// Whether a network was looked at.
    #[inline]
    pub(crate) fn knows(&self, network: u32) -> bool {
        self.starts.get(network as usize).is_some_and(|&start| start != UNKNOWN)
    }

    /// The places of the takes of a network that was looked at.
    #[inline]
    pub(crate) fn places(&self, network: u32) -> Range<usize> {
        let start = self.starts[network as usize] as usize;
        let others = self.rests[start..].iter().take_while(|&&rest| rest & LAST == 0).count();
        start..start + others + 1
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> Take {
        Take { packet: self.packets.get(place), rest: self.rests[place] & !LAST }
    }

    /// Begins with the takes of a network.
    pub(crate) fn begin(&mut self, network: u32) -> usize {
        while self.starts.len() <= network as usize {
            gentle_growth::push(&mut self.starts, UNKNOWN);
        }
        self.starts[network as usize] = self.rests.len() as u32;
        self.rests.len()
    }

    /// Adds a take of the network that was begun with.
    pub(crate) fn push(&mut self, Take { packet, rest }: Take) {
        gentle_growth::push(&mut self.rests, rest);
        self.packets.push(packet);
    }

    /// Ends with the takes of a network, of which there are some; where they end.
    pub(crate) fn end(&mut self) -> usize {
        *self.rests.last_mut().expect("something can be taken") |= LAST;
        self.rests.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.rests.capacity()) * size_of::<u32>() + self.packets.bytes()
    }
}
