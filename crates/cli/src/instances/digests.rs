//! Sets of digests of states.

use std::io::{self, Read, Write};

use everypath_explore::{ExploredPart, Portable, StateId};
use everypath_network::NetworkSpace;
use xxhash_rust::xxh3::xxh3_128;

/// A digest of the content of a state, the same in every process. Two of a billion states share one
/// with a probability of 10^-21.
pub(super) fn digest(space: &NetworkSpace<'_>, state: StateId) -> u128 {
    xxh3_128(&space.encode(state))
}

/// A set of digests that takes 16 bytes for each, and at most twice as many while it grows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Digests {
    sorted: Vec<u128>,
    recent: Vec<u128>,
}

/// Fewer new ones than this are not sorted yet.
const RECENT_MIN: usize = 1 << 16;

impl Digests {
    pub(super) fn add(&mut self, digest: u128) {
        self.recent.push(digest);
        if self.recent.len() >= self.sorted.len().max(RECENT_MIN) {
            self.sort();
        }
    }

    pub(super) fn add_all(&mut self, others: &Self) {
        others.sorted.iter().chain(&others.recent).for_each(|&digest| self.add(digest));
    }

    fn sort(&mut self) {
        self.sorted.append(&mut self.recent);
        self.sorted.sort_unstable();
        self.sorted.dedup();
    }

    /// The digests in order, each once.
    pub(super) fn in_order(&mut self) -> &[u128] {
        if !self.recent.is_empty() {
            self.sort();
        }
        &self.sorted
    }

    /// Writes the number of digests, and the digests in order.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut copy;
        let digests = if self.recent.is_empty() {
            &self.sorted
        } else {
            copy = self.clone();
            copy.in_order()
        };
        out.write_all(&(digests.len() as u64).to_le_bytes())?;
        digests.iter().try_for_each(|digest| out.write_all(&digest.to_le_bytes()))
    }

    /// Reads what [`write`](Self::write) has written, without more memory than there are bytes.
    pub(super) fn read(input: &mut dyn Read) -> io::Result<Self> {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes)?;
        let mut digests = Self::default();
        for _ in 0..u64::from_le_bytes(bytes) {
            let mut digest = [0; 16];
            input.read_exact(&mut digest)?;
            digests.add(u128::from_le_bytes(digest));
        }
        Ok(digests)
    }
}

/// The states that parts of an exploration have visited.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) expanded: Digests,
    /// Those that a part has not expanded, because of a bound or a limit. Another part may have.
    pub(super) waiting: Digests,
}

impl Seen {
    /// The states that a part has visited.
    pub(super) fn of(space: &NetworkSpace<'_>, part: &ExploredPart) -> Self {
        let mut seen = Self::default();
        for visited in part.visited() {
            let to = if visited.is_expanded { &mut seen.expanded } else { &mut seen.waiting };
            to.add(digest(space, visited.state));
        }
        seen
    }

    pub(super) fn add_all(&mut self, others: &Self) {
        self.expanded.add_all(&others.expanded);
        self.waiting.add_all(&others.waiting);
    }

    /// Puts all digests in order, so that they are written without a copy.
    pub(super) fn sort(&mut self) {
        self.expanded.in_order();
        self.waiting.in_order();
    }

    /// How many states were visited, and how many of them no part has expanded.
    pub(super) fn count(&mut self) -> (u64, u64) {
        let expanded = self.expanded.in_order();
        let is_new = |digest: &&u128| expanded.binary_search(digest).is_err();
        let waiting = self.waiting.in_order().iter().filter(is_new).count() as u64;
        (expanded.len() as u64 + waiting, waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(digests: impl IntoIterator<Item = u128>) -> Digests {
        let mut set = Digests::default();
        digests.into_iter().for_each(|digest| set.add(digest));
        set
    }

    #[test]
    fn digests_count_once_and_come_out_as_they_went_in() {
        let many = (0..200_000_u128).map(|number| number * number % 70_001);
        let mut set = of(many.clone());
        let expected: std::collections::BTreeSet<u128> = many.collect();
        assert!(set.in_order().iter().eq(&expected));
        let mut bytes = Vec::new();
        set.write(&mut bytes).unwrap();
        let mut again = Digests::read(&mut &bytes[..]).unwrap();
        assert_eq!(again.in_order(), set.in_order());
        assert!(Digests::read(&mut &bytes[..bytes.len() - 1]).is_err());
        // A length that is not true takes no memory.
        assert!(Digests::read(&mut &[255_u8; 64][..]).is_err());
    }

    #[test]
    fn what_another_part_expands_does_not_wait() {
        let mut seen = Seen { expanded: of([1, 2, 3]), waiting: of([3, 4]) };
        assert_eq!(seen.count(), (4, 1));
        seen.add_all(&Seen { expanded: of([4]), waiting: of([1]) });
        assert_eq!(seen.count(), (4, 0));
    }
}
