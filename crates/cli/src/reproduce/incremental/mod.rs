//! The experiments of chapter 8 of Sobeih's thesis (`docs/references.md`), on incremental exploration.

mod breakdowns;
mod costly;
mod flagged;
mod published;
mod runs;
mod versions;

use self::{
    breakdowns::{AODV_BREAKDOWN, ARQ_BREAKDOWN, DIFFUSION_BREAKDOWN, breakdown_table},
    flagged::flagged_table,
    versions::sequence_table,
};
use super::listed::Listed;

/// The tables of chapter 8. Those of memory are made with those of times.
pub(super) const TABLES: &[Listed] = &[
    Listed {
        id: "000/8.1",
        others: &["000/8.3"],
        title: "AODV with its own graph, of which events are treated as modified",
        seconds: 40,
        long_seconds: None,
        make: |laboratory, table| flagged_table(laboratory, table, "8.1"),
    },
    Listed {
        id: "000/8.2",
        others: &[],
        title: "AODV, the first search of Table 8.1: the time of each operation, and executed events",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| breakdown_table(laboratory, table, &AODV_BREAKDOWN),
    },
    Listed {
        id: "000/8.2-costly",
        others: &[],
        title: "AODV, the first search of Table 8.1, with handlers that cost what they cost in the thesis",
        seconds: 20,
        long_seconds: None,
        make: costly::flagged_table,
    },
    Listed {
        id: "000/8.4",
        others: &["000/8.5"],
        title: "AODV as in Table 8.1, past counterexamples",
        seconds: 20,
        long_seconds: None,
        make: |laboratory, table| flagged_table(laboratory, table, "8.4"),
    },
    Listed {
        id: "000/8.6",
        others: &["000/8.7"],
        title: "AODV, three versions one after the other",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| sequence_table(laboratory, table, "8.6"),
    },
    Listed {
        id: "000/8.6-costly",
        others: &[],
        title: "AODV, three versions one after the other, with handlers that cost what they cost in the thesis",
        seconds: 20,
        long_seconds: Some(40),
        make: costly::sequence_table,
    },
    Listed {
        id: "000/8.8",
        others: &["000/8.10"],
        title: "directed diffusion with its own graph, of which events are treated as modified",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| flagged_table(laboratory, table, "8.8"),
    },
    Listed {
        id: "000/8.9",
        others: &[],
        title: "directed diffusion, the last search of Table 8.8: the time of each operation, and executed events",
        seconds: 20,
        long_seconds: None,
        make: |laboratory, table| breakdown_table(laboratory, table, &DIFFUSION_BREAKDOWN),
    },
    Listed {
        id: "000/8.11",
        others: &["000/8.12"],
        title: "directed diffusion, versions to which events are added",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| sequence_table(laboratory, table, "8.11"),
    },
    Listed {
        id: "000/8.13",
        others: &["000/8.15"],
        title: "ARQ, the erroneous version and the correct one",
        seconds: 10,
        long_seconds: None,
        make: |laboratory, table| sequence_table(laboratory, table, "8.13"),
    },
    Listed {
        id: "000/8.14",
        others: &[],
        title: "ARQ, the correct version to 35 events: the time of each operation, and executed events",
        seconds: 5,
        long_seconds: None,
        make: |laboratory, table| breakdown_table(laboratory, table, &ARQ_BREAKDOWN),
    },
];
