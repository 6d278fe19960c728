//! Removals: the packets that can be removed from a network, each with the network that remains.

use std::ops::Range;

use everypath_explore::gentle_growth;

use crate::numbers::Numbers;

/// A packet that can be removed from a network, and the network that remains.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Removal {
    pub(crate) packet: u32,
    pub(crate) rest: u32,
}

/// The packets that can be removed from networks, for each network that was examined. They take 4
/// bytes per network and, for each removal, 4 bytes and those of the packet, mostly one. On ARQ to
/// depth 45 that is a quarter of the memory. Dropping old ones and computing them again takes 1.4
/// times as long.
#[derive(Default)]
pub(crate) struct Removals {
    /// By network: where its removals begin.
    starts: Vec<u32>,
    /// The networks that remain; the last one of each network is marked.
    rests: Vec<u32>,
    packets: Numbers,
}

/// A network that was not examined.
const UNKNOWN: u32 = u32::MAX;
/// Marks the last removal of a network.
const LAST: u32 = 1 << 31;

/// The largest number of networks, so that one bit remains for the mark.
pub(crate) const NETWORKS_MAX: usize = 1 << 31;
/// The largest number of removals.
pub(crate) const REMOVALS_MAX: usize = UNKNOWN as usize;

impl Removals {
    pub(crate) fn len(&self) -> usize {
        self.rests.len()
    }

    /// Whether a network was examined.
    #[inline]
    pub(crate) fn knows(&self, network: u32) -> bool {
        self.starts.get(network as usize).is_some_and(|&start| start != UNKNOWN)
    }

    /// The indices of the removals of an examined network.
    #[inline]
    pub(crate) fn places(&self, network: u32) -> Range<usize> {
        let start = self.starts[network as usize] as usize;
        let others = self.rests[start..].iter().take_while(|&&rest| rest & LAST == 0).count();
        start..start + others + 1
    }

    #[inline]
    pub(crate) fn get(&self, place: usize) -> Removal {
        Removal { packet: self.packets.get(place), rest: self.rests[place] & !LAST }
    }

    /// Begins the removals of a network.
    pub(crate) fn begin(&mut self, network: u32) -> usize {
        while self.starts.len() <= network as usize {
            gentle_growth::push(&mut self.starts, UNKNOWN);
        }
        self.starts[network as usize] = self.rests.len() as u32;
        self.rests.len()
    }

    /// Adds a removal to the current network.
    pub(crate) fn push(&mut self, Removal { packet, rest }: Removal) {
        gentle_growth::push(&mut self.rests, rest);
        self.packets.push(packet);
    }

    /// Ends the removals of a network, of which there is at least one. The result is their end.
    pub(crate) fn end(&mut self) -> usize {
        *self.rests.last_mut().expect("a network has at least one removal") |= LAST;
        self.rests.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.capacity() + self.rests.capacity()) * size_of::<u32>() + self.packets.bytes()
    }
}
