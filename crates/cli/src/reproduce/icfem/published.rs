//! The published numbers of the paper at ICFEM 2005 (`docs/references.md`).

/// States (visited and waiting), transitions, and seconds.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) states: u64,
    pub(super) events: u64,
    pub(super) seconds: f64,
}

/// A search by its name in the paper; `None` where it found nothing within eight hours.
pub(super) type Search = (&'static str, Option<Found>);

/// The number of nodes, the depth bound, and what was found.
pub(super) type Chain = (u32, u32, Found);

const fn found(seconds: f64, states: u64, events: u64) -> Found {
    Found { states, events, seconds }
}

const fn some(seconds: f64, states: u64, events: u64) -> Option<Found> {
    Some(found(seconds, states, events))
}

/// AODV, by counterexample.
pub(super) const TABLE_1: [[Search; 7]; 3] = [
    [
        ("BFS", some(4262.039, 19886, 40445)),
        ("DFS", some(940.672, 1844, 21135)),
        ("AODV-BeFS-1", some(139.310, 1156, 7493)),
        ("AODV-BeFS-2", some(833.719, 1753, 19617)),
        ("AODV-BeFS-3", some(14.882, 535, 2118)),
        ("AODV-BeFS-4", some(367.038, 1626, 14151)),
        ("AODV-BeFS-5", some(347.529, 1923, 13577)),
    ],
    [
        ("BFS", some(4231.124, 20072, 40781)),
        ("DFS", some(962.935, 1833, 20979)),
        ("AODV-BeFS-1", some(137.168, 1151, 7440)),
        ("AODV-BeFS-2", some(810.035, 1750, 19581)),
        ("AODV-BeFS-3", some(14.120, 535, 2079)),
        ("AODV-BeFS-4", some(3905.015, 4901, 44851)),
        ("AODV-BeFS-5", some(3076.274, 4649, 38853)),
    ],
    [
        ("BFS", some(4094.928, 19056, 39489)),
        ("DFS", some(893.896, 1817, 20814)),
        ("AODV-BeFS-1", some(127.053, 1150, 7431)),
        ("AODV-BeFS-2", some(775.766, 1739, 19468)),
        ("AODV-BeFS-3", some(14.400, 534, 2070)),
        ("AODV-BeFS-4", some(365.215, 1617, 14051)),
        ("AODV-BeFS-5", some(323.515, 1889, 13101)),
    ],
];

/// AODV, counterexample 3, by `AODV-BeFS-1`.
pub(super) const TABLE_2: [Chain; 5] = [
    (3, 15, found(0.200, 93, 134)),
    (4, 20, found(12.609, 575, 1971)),
    (5, 25, found(944.769, 3256, 19803)),
    (6, 30, found(1393.955, 2640, 25052)),
    (7, 35, found(3784.462, 3339, 46532)),
];

/// Directed diffusion, by counterexample.
pub(super) const TABLE_3: [[Search; 8]; 2] = [
    [
        ("BFS", some(22287.938, 21224, 84530)),
        ("DFS", some(23876.914, 4736, 95706)),
        ("DD-BeFS-1", some(3.475, 200, 1051)),
        ("DD-BeFS-2", some(4.026, 200, 1168)),
        ("DD-BeFS-3", some(19536.362, 4630, 93924)),
        ("DD-BeFS-4", some(0.981, 124, 469)),
        ("DD-BeFS-5", None),
        ("DD-BeFS-6", some(24743.349, 12920, 72911)),
    ],
    [
        ("BFS", None),
        ("DFS", None),
        ("DD-BeFS-1", some(3900.118, 6026, 41132)),
        ("DD-BeFS-2", some(12189.227, 6640, 57124)),
        ("DD-BeFS-3", None),
        ("DD-BeFS-4", some(726.024, 1870, 17656)),
        ("DD-BeFS-5", None),
        ("DD-BeFS-6", None),
    ],
];

/// Directed diffusion, counterexample 1, by `DD-BeFS-4`.
pub(super) const TABLE_4: [Chain; 5] = [
    (4, 15, found(0.981, 124, 469)),
    (5, 20, found(335.833, 925, 11816)),
    (6, 25, found(857.303, 1346, 19245)),
    (7, 30, found(1538.152, 1985, 27640)),
    (8, 35, found(7244.277, 3679, 59093)),
];
