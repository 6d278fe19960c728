//! The numbers of the article.

use crate::reproduce::value::Value;

/// A number as the article has it: exact, or a bound; with `Above`, the memory of the machine was not enough.
#[derive(Clone, Copy)]
pub(super) enum Printed {
    Exactly(f64),
    Below(f64),
    Above(f64),
}

use Printed::{Above, Below, Exactly};

impl Printed {
    fn map(self, of: impl Fn(f64) -> f64) -> Self {
        match self {
            Exactly(number) => Exactly(of(number)),
            Below(number) => Below(of(number)),
            Above(number) => Above(of(number)),
        }
    }
}

impl From<Printed> for Value {
    fn from(printed: Printed) -> Self {
        match printed {
            Exactly(number) => Self::Number(number),
            Below(below) => Self::Below { below },
            Above(above) => Self::Above { above },
        }
    }
}

/// The cost of a search: seconds, states, and megabytes of memory.
pub(super) struct PublishedSearch {
    pub(super) seconds: Printed,
    pub(super) states: Printed,
    pub(super) megabytes: Printed,
}

impl PublishedSearch {
    pub(super) fn bytes(&self) -> Printed {
        self.megabytes.map(|megabytes| megabytes * 1e6)
    }
}

/// Tables 11 to 13: the last trial alone, from all patterns, and the full search.
pub(super) struct PublishedRow {
    pub(super) nodes: u32,
    pub(super) instances: u64,
    pub(super) by_patterns: PublishedSearch,
    pub(super) full: PublishedSearch,
}

/// Tables 11 to 13.
pub(super) const SEARCHES: [PublishedRow; 3] = [
    PublishedRow {
        nodes: 2,
        instances: 3,
        by_patterns: PublishedSearch {
            seconds: Exactly(0.03),
            states: Exactly(99.0),
            megabytes: Exactly(3.8e3),
        },
        full: PublishedSearch {
            seconds: Below(0.01),
            states: Exactly(79.0),
            megabytes: Exactly(1.3e3),
        },
    },
    PublishedRow {
        nodes: 3,
        instances: 18,
        by_patterns: PublishedSearch {
            seconds: Exactly(0.2),
            states: Exactly(3.4e4),
            megabytes: Exactly(2.3e3),
        },
        full: PublishedSearch {
            seconds: Exactly(0.3),
            states: Exactly(3.4e4),
            megabytes: Exactly(1.4e3),
        },
    },
    PublishedRow {
        nodes: 4,
        instances: 108,
        by_patterns: PublishedSearch {
            seconds: Exactly(67.0),
            states: Exactly(2.7e7),
            megabytes: Exactly(2.1e4),
        },
        full: PublishedSearch {
            seconds: Above(2.2e3),
            states: Above(4.1e8),
            megabytes: Above(1.0e6),
        },
    },
];

/// Table 14: the same with five nodes.
pub(super) const FIVE_NODES: PublishedRow = PublishedRow {
    nodes: 5,
    instances: 648,
    by_patterns: PublishedSearch {
        seconds: Exactly(5.6e4),
        states: Exactly(6.7e10),
        megabytes: Exactly(2.3e7),
    },
    full: PublishedSearch { seconds: Above(2.3e3), states: Above(3.1e8), megabytes: Above(1.0e6) },
};

/// Table 15: loops with routes that are discarded, by the number of nodes.
pub(super) const LOOPS: [(u32, PublishedSearch); 2] = [
    (
        4,
        PublishedSearch {
            seconds: Exactly(56.0),
            states: Exactly(3.7e7),
            megabytes: Exactly(2.3e4),
        },
    ),
    (
        5,
        PublishedSearch {
            seconds: Exactly(5.8e2),
            states: Exactly(9.0e8),
            megabytes: Exactly(3.7e5),
        },
    ),
];

/// Table 2: how many audiences a broadcast among this many nodes has, of two nodes at most.
pub(super) const AUDIENCES: (u32, u64) = (5, 11);

/// Tables 4 to 9: the patterns that a forwarder and the destination have when each trial begins.
pub(super) const AT_BEGINNING: [[&[&str]; 2]; 3] = [
    [&["rt1"], &["rt1"]],
    [&["rt1", "rt2", "rt3"], &["rt1", "rt2"]],
    [&["rt1", "rt2", "rt3", "rt4", "rt5", "rt6"], &["rt1", "rt2", "rt4"]],
];

/// Tables 4 to 6 and 10: the pattern of a forwarder before a packet, and after a request and a reply of
/// the first trial, of the second, and of the third. The article has no names behind rt6. Of rt3 and a
/// request of the second trial, Table 10 has the routes of rt5 under the name of rt4.
pub(super) const FORWARDER: [(&str, [Option<&str>; 6]); 9] = {
    const fn row(after: [&'static str; 5]) -> [Option<&'static str>; 6] {
        let [a, b, c, d, e] = after;
        [Some(a), Some(b), Some(c), Some(d), Some(e), None]
    }
    const LAST: [Option<&str>; 6] = [None, None, None, None, None, Some("rt10")];
    [
        ("rt1", row(["rt2", "rt1", "rt4", "rt1", "rt7"])),
        ("rt2", row(["rt2", "rt3", "rt4", "rt3", "rt7"])),
        ("rt3", row(["rt3", "rt3", "rt5", "rt3", "rt8"])),
        ("rt4", row(["rt4", "rt5", "rt4", "rt6", "rt7"])),
        ("rt5", row(["rt5", "rt5", "rt5", "rt6", "rt8"])),
        ("rt6", row(["rt6", "rt6", "rt6", "rt6", "rt9"])),
        ("rt7", LAST),
        ("rt8", LAST),
        ("rt9", LAST),
    ]
};
