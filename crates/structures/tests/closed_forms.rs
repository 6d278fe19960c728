//! Counts that follow from formulas.

use crate::walks::{levels, space};
use everypath_heap::{Merge, Mode, Settings};

/// States before the last level, and paths of delta execution.
fn counted(subject: &str, bound: u32) -> (u64, u64) {
    let settings = Settings::new(bound).mode(Mode::Delta(Merge::Level));
    let mut space = space(subject, &settings);
    let levels = levels(&mut space, bound);
    let states: usize = levels[..bound as usize].iter().map(Vec::len).sum();
    (states as u64, space.counters().paths)
}

fn binomial(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |product, at| product * (n - at) / (at + 1))
}

#[test]
fn stack() {
    for n in 1..=5_u64 {
        let states = (0..n as u32).map(|k| n.pow(k)).sum();
        assert_eq!(counted("stack", n as u32), (states, n * (n + 1)));
    }
}

#[test]
fn queue() {
    for n in 3..=5_u64 {
        let stack: u64 = (0..n as u32).map(|k| n.pow(k)).sum();
        let more: u64 = (3..n).map(|i| (i - 2) * n.pow(i as u32 - 2)).sum();
        assert_eq!(counted("queue", n as u32), (stack + more, n * (n + 1) + n - 3));
    }
}

#[test]
fn bst() {
    for n in 1..=6_u64 {
        let catalan = |k: u64| binomial(2 * k, k) / (k + 1);
        let states: u64 = (0..n).map(|k| binomial(n, k) * catalan(k)).sum();
        assert_eq!(counted("bst", n as u32).0, states);
    }
}

#[test]
fn deque() {
    for n in 1..=5_u64 {
        let falling = |k: u64| (n - k + 1..=n).product::<u64>();
        let states = (0..n).map(falling).sum();
        assert_eq!(counted("deque", n as u32), (states, n * n * (n + 1)));
    }
}

#[test]
fn trie() {
    for n in 1..=6_u32 {
        let mut space = space("trie", &Settings::new(n));
        let states: usize = levels(&mut space, n).iter().map(Vec::len).sum();
        assert_eq!(states, 1 << n);
    }
}
