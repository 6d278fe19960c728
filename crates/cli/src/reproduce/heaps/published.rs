//! The printed numbers of d'Amorim's thesis. Times are in seconds, or in milliseconds where they were printed so.

/// A row of Table 3.2 or 3.3: one way to execute methods against another.
pub(super) struct Mixed {
    pub(super) subject: &'static str,
    pub(super) bound: u32,
    pub(super) states: u64,
    /// Milliseconds in methods.
    pub(super) methods: [u32; 2],
    /// Milliseconds in all.
    pub(super) total: [u32; 2],
}

const fn mixed(
    subject: &'static str,
    bound: u32,
    states: u64,
    methods: [u32; 2],
    total: [u32; 2],
) -> Mixed {
    Mixed { subject, bound, states, methods, total }
}

/// Table 3.2: standard against mixed execution.
pub(super) const TABLE_3_2: [Mixed; 30] = [
    mixed("bst", 5, 188, [252, 174], [1_521, 1_468]),
    mixed("bst", 6, 731, [763, 499], [2_699, 2_489]),
    mixed("bst", 7, 2_950, [2_872, 2_004], [7_747, 6_722]),
    mixed("bst", 8, 12_235, [14_340, 9_536], [32_420, 27_262]),
    mixed("bst", 9, 51_822, [73_605, 48_568], [155_304, 129_815]),
    mixed("bst", 10, 223_191, [368_394, 246_979], [775_443, 636_310]),
    mixed("disjset", 5, 77, [158, 173], [1_988, 1_961]),
    mixed("disjset", 6, 516, [917, 640], [7_835, 7_222]),
    mixed("disjset", 7, 4_747, [12_114, 6_583], [77_685, 68_629]),
    mixed("linkedlist", 5, 3_906, [719, 647], [3_528, 3_423]),
    mixed("linkedlist", 6, 55_987, [8_547, 7_729], [29_408, 28_194]),
    mixed("linkedlist", 7, 960_800, [147_158, 129_656], [487_105, 465_557]),
    mixed("treemap", 5, 72, [274, 167], [1_421, 1_325]),
    mixed("treemap", 6, 185, [599, 340], [1_976, 1_775]),
    mixed("treemap", 7, 537, [1_458, 790], [3_419, 2_763]),
    mixed("treemap", 8, 1_613, [4_671, 2_340], [8_533, 6_083]),
    mixed("treemap", 9, 4_709, [16_281, 7_556], [26_575, 17_245]),
    mixed("treemap", 10, 13_189, [60_371, 23_500], [88_914, 51_375]),
    mixed("trie", 5, 32, [238, 146], [1_306, 1_261]),
    mixed("trie", 6, 64, [350, 251], [1_614, 1_524]),
    mixed("trie", 7, 128, [616, 397], [2_223, 2_021]),
    mixed("trie", 8, 256, [1_150, 624], [3_851, 3_282]),
    mixed("trie", 9, 512, [2_500, 1_171], [7_466, 6_174]),
    mixed("trie", 10, 1_024, [5_328, 2_385], [15_052, 12_346]),
    mixed("ubstack", 5, 616, [391, 232], [1_807, 1_659]),
    mixed("ubstack", 6, 3_865, [1_511, 577], [4_522, 3_521]),
    mixed("ubstack", 7, 27_455, [11_410, 3_740], [26_475, 17_422]),
    mixed("vector", 5, 5_042, [806, 428], [3_633, 3_258]),
    mixed("vector", 6, 68_781, [10_096, 3_601], [31_989, 25_346]),
    mixed("vector", 7, 1_140_940, [172_468, 58_623], [954_179, 820_633]),
];

/// Table 3.3: eager against lazy translation.
pub(super) const TABLE_3_3: [Mixed; 14] = [
    mixed("treemap", 4, 25, [127, 89], [1_158, 1_122]),
    mixed("treemap", 5, 72, [231, 157], [1_389, 1_327]),
    mixed("treemap", 6, 185, [437, 338], [1_900, 1_776]),
    mixed("treemap", 7, 537, [1_071, 777], [3_079, 2_758]),
    mixed("treemap", 8, 1_613, [3_687, 2_375], [7_311, 6_136]),
    mixed("treemap", 9, 4_709, [12_164, 7_582], [22_171, 17_313]),
    mixed("treemap", 10, 13_189, [40_834, 24_252], [68_388, 51_669]),
    mixed("trie", 4, 16, [151, 86], [1_120, 1_080]),
    mixed("trie", 5, 32, [196, 153], [1_300, 1_260]),
    mixed("trie", 6, 64, [291, 226], [1_602, 1_521]),
    mixed("trie", 7, 128, [493, 375], [2_185, 2_014]),
    mixed("trie", 8, 256, [1_229, 680], [3_888, 3_281]),
    mixed("trie", 9, 512, [3_027, 1_189], [7_917, 6_190]),
    mixed("trie", 10, 1_024, [6_609, 2_270], [16_590, 12_315]),
];

/// What was printed of one checker.
pub(super) struct Printed {
    /// Standard and delta execution; none if one of them was not finished.
    pub(super) seconds: Option<[f64; 2]>,
    /// The peak of standard execution, divided by that of delta execution.
    pub(super) memory: Option<f64>,
    /// Seconds of standard execution in execution, comparison and backtracking; and of delta execution in these and in
    /// merging.
    pub(super) parts: Option<([f64; 3], [f64; 4])>,
}

/// A row of Tables 4.1 to 4.4.
pub(super) struct Delta {
    pub(super) subject: &'static str,
    pub(super) bound: u32,
    /// The calls in each state.
    pub(super) operations: u64,
    pub(super) states: u64,
    /// Delta executions.
    pub(super) paths: u64,
    pub(super) jpf: Printed,
    pub(super) box_checker: Printed,
}

/// Tables 4.1 to 4.4.
pub(super) const TABLES_4_1_TO_4_4: [Delta; 30] = [
    Delta {
        subject: "binheap",
        bound: 7,
        operations: 14,
        states: 16_864,
        paths: 401,
        jpf: Printed {
            seconds: Some([24.87, 2.30]),
            memory: Some(1.16),
            parts: Some(([17.62, 0.54, 6.71], [0.59, 0.26, 1.12, 0.34])),
        },
        box_checker: Printed {
            seconds: Some([0.78, 0.35]),
            memory: Some(2.71),
            parts: Some(([0.22, 0.37, 0.12], [0.10, 0.13, 0.00, 0.06])),
        },
    },
    Delta {
        subject: "binheap",
        bound: 8,
        operations: 16,
        states: 250_083,
        paths: 863,
        jpf: Printed {
            seconds: Some([458.81, 11.92]),
            memory: Some(1.03),
            parts: Some(([364.45, 4.90, 89.46], [3.99, 2.21, 1.24, 4.48])),
        },
        box_checker: Printed {
            seconds: Some([11.63, 3.38]),
            memory: Some(1.08),
            parts: Some(([4.57, 3.74, 2.78], [1.01, 1.43, 0.01, 0.87])),
        },
    },
    Delta {
        subject: "binheap",
        bound: 9,
        operations: 18,
        states: 1_353_196,
        paths: 1_069,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([106.54, 32.74]),
            memory: Some(1.04),
            parts: Some(([21.46, 67.74, 15.03], [4.70, 21.77, 0.01, 6.27])),
        },
    },
    Delta {
        subject: "bst",
        bound: 9,
        operations: 18,
        states: 46_960,
        paths: 10_846,
        jpf: Printed {
            seconds: Some([44.02, 7.86]),
            memory: Some(0.70),
            parts: Some(([20.44, 4.20, 19.39], [2.25, 2.40, 1.94, 1.27])),
        },
        box_checker: Printed {
            seconds: Some([2.42, 1.53]),
            memory: Some(0.77),
            parts: Some(([0.23, 1.90, 0.18], [0.47, 0.73, 0.01, 0.29])),
        },
    },
    Delta {
        subject: "bst",
        bound: 10,
        operations: 20,
        states: 206_395,
        paths: 22_688,
        jpf: Printed {
            seconds: Some([214.06, 30.13]),
            memory: Some(0.46),
            parts: Some(([103.39, 21.04, 89.62], [7.18, 12.85, 3.98, 6.12])),
        },
        box_checker: Printed {
            seconds: Some([12.55, 7.51]),
            memory: Some(0.30),
            parts: Some(([0.52, 10.60, 0.91], [1.78, 3.78, 0.01, 1.86])),
        },
    },
    Delta {
        subject: "bst",
        bound: 11,
        operations: 22,
        states: 915_641,
        paths: 46_731,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([67.64, 49.62]),
            memory: Some(0.18),
            parts: Some(([3.26, 57.19, 4.42], [7.96, 20.35, 0.02, 21.14])),
        },
    },
    Delta {
        subject: "deque",
        bound: 8,
        operations: 16,
        states: 69_281,
        paths: 576,
        jpf: Printed {
            seconds: Some([54.70, 4.13]),
            memory: Some(1.50),
            parts: Some(([25.50, 3.45, 25.75], [0.72, 1.08, 1.18, 1.14])),
        },
        box_checker: Printed {
            seconds: Some([2.20, 0.77]),
            memory: Some(1.54),
            parts: Some(([0.32, 1.50, 0.33], [0.15, 0.39, 0.00, 0.19])),
        },
    },
    Delta {
        subject: "deque",
        bound: 9,
        operations: 18,
        states: 623_530,
        paths: 810,
        jpf: Printed {
            seconds: Some([552.11, 28.84]),
            memory: Some(1.48),
            parts: Some(([267.42, 38.31, 246.38], [6.37, 12.19, 1.26, 9.02])),
        },
        box_checker: Printed {
            seconds: Some([22.38, 7.48]),
            memory: Some(1.14),
            parts: Some(([2.30, 16.26, 3.17], [1.36, 4.46, 0.00, 1.57])),
        },
    },
    Delta {
        subject: "deque",
        bound: 10,
        operations: 20,
        states: 6_235_301,
        paths: 1_100,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([281.84, 99.77]),
            memory: Some(1.18),
            parts: Some(([21.95, 214.30, 31.48], [16.48, 59.01, 0.01, 23.87])),
        },
    },
    Delta {
        subject: "fibheap",
        bound: 6,
        operations: 7,
        states: 3_003,
        paths: 82,
        jpf: Printed {
            seconds: Some([3.18, 1.46]),
            memory: Some(0.98),
            parts: Some(([1.25, 0.11, 1.81], [0.18, 0.08, 1.08, 0.13])),
        },
        box_checker: Printed {
            seconds: Some([0.22, 0.16]),
            memory: None,
            parts: Some(([0.06, 0.08, 0.03], [0.05, 0.04, 0.00, 0.03])),
        },
    },
    Delta {
        subject: "fibheap",
        bound: 7,
        operations: 8,
        states: 36_730,
        paths: 130,
        jpf: Printed {
            seconds: Some([25.09, 2.82]),
            memory: Some(2.13),
            parts: Some(([14.69, 0.86, 9.53], [0.42, 0.31, 1.20, 0.89])),
        },
        box_checker: Printed {
            seconds: Some([1.16, 0.66]),
            memory: Some(1.24),
            parts: Some(([0.31, 0.51, 0.29], [0.21, 0.24, 0.00, 0.18])),
        },
    },
    Delta {
        subject: "fibheap",
        bound: 8,
        operations: 9,
        states: 544_659,
        paths: 209,
        jpf: Printed {
            seconds: Some([400.84, 21.59]),
            memory: Some(0.88),
            parts: Some(([256.79, 8.02, 136.03], [4.07, 4.49, 1.41, 11.63])),
        },
        box_checker: Printed {
            seconds: Some([16.77, 9.75]),
            memory: Some(0.68),
            parts: Some(([4.70, 7.94, 3.90], [2.77, 3.76, 0.00, 3.18])),
        },
    },
    Delta {
        subject: "filesystem",
        bound: 3,
        operations: 108,
        states: 58,
        paths: 576,
        jpf: Printed {
            seconds: Some([1.98, 1.88]),
            memory: Some(0.97),
            parts: Some(([0.24, 0.05, 1.69], [0.20, 0.15, 1.46, 0.07])),
        },
        box_checker: Printed {
            seconds: Some([0.14, 0.25]),
            memory: None,
            parts: Some(([0.02, 0.09, 0.01], [0.04, 0.06, 0.00, 0.03])),
        },
    },
    Delta {
        subject: "filesystem",
        bound: 4,
        operations: 144,
        states: 1_353,
        paths: 1_568,
        jpf: Printed {
            seconds: Some([17.18, 3.08]),
            memory: Some(11.50),
            parts: Some(([4.67, 0.46, 12.04], [0.60, 0.69, 1.59, 0.20])),
        },
        box_checker: Printed {
            seconds: Some([1.18, 0.71]),
            memory: Some(1.72),
            parts: Some(([0.06, 0.99, 0.06], [0.16, 0.38, 0.01, 0.06])),
        },
    },
    Delta {
        subject: "filesystem",
        bound: 5,
        operations: 180,
        states: 64_576,
        paths: 3_940,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([37.43, 30.04]),
            memory: Some(0.97),
            parts: Some(([3.30, 30.35, 1.70], [16.74, 10.45, 0.02, 2.59])),
        },
    },
    Delta {
        subject: "heaparray",
        bound: 8,
        operations: 9,
        states: 97_092,
        paths: 258,
        jpf: Printed {
            seconds: Some([104.96, 3.61]),
            memory: Some(2.31),
            parts: Some(([15.10, 1.72, 88.13], [1.10, 0.38, 1.13, 1.00])),
        },
        box_checker: Printed {
            seconds: Some([1.21, 0.88]),
            memory: Some(1.24),
            parts: Some(([0.12, 0.88, 0.12], [0.38, 0.35, 0.00, 0.10])),
        },
    },
    Delta {
        subject: "heaparray",
        bound: 9,
        operations: 10,
        states: 804_809,
        paths: 359,
        jpf: Printed {
            seconds: Some([2724.63, 21.49]),
            memory: Some(1.22),
            parts: Some(([160.36, 17.38, 2546.90], [8.85, 4.40, 1.36, 6.87])),
        },
        box_checker: Printed {
            seconds: Some([11.92, 8.91]),
            memory: Some(0.53),
            parts: Some(([1.17, 9.25, 1.06], [3.73, 4.05, 0.00, 1.03])),
        },
    },
    Delta {
        subject: "heaparray",
        bound: 10,
        operations: 11,
        states: 8_722_946,
        paths: 488,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([127.10, 110.26]),
            memory: Some(0.58),
            parts: Some(([11.47, 98.01, 10.46], [44.85, 46.36, 0.01, 18.52])),
        },
    },
    Delta {
        subject: "queue",
        bound: 6,
        operations: 7,
        states: 10_057,
        paths: 45,
        jpf: Printed {
            seconds: Some([6.46, 1.46]),
            memory: Some(2.64),
            parts: Some(([3.07, 0.15, 3.24], [0.04, 0.07, 1.11, 0.24])),
        },
        box_checker: Printed {
            seconds: Some([0.37, 0.16]),
            memory: None,
            parts: Some(([0.05, 0.19, 0.10], [0.03, 0.05, 0.00, 0.04])),
        },
    },
    Delta {
        subject: "queue",
        bound: 7,
        operations: 8,
        states: 147_995,
        paths: 60,
        jpf: Printed {
            seconds: Some([84.42, 5.08]),
            memory: Some(1.77),
            parts: Some(([48.30, 1.52, 34.60], [0.18, 0.70, 1.10, 3.09])),
        },
        box_checker: Printed {
            seconds: Some([3.87, 0.93]),
            memory: Some(1.44),
            parts: Some(([0.80, 1.85, 1.09], [0.07, 0.45, 0.00, 0.39])),
        },
    },
    Delta {
        subject: "queue",
        bound: 8,
        operations: 9,
        states: 2_578_641,
        paths: 77,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([78.62, 25.36]),
            memory: Some(1.00),
            parts: Some(([13.71, 42.80, 21.38], [0.94, 9.77, 0.00, 14.57])),
        },
    },
    Delta {
        subject: "stack",
        bound: 6,
        operations: 7,
        states: 9_331,
        paths: 42,
        jpf: Printed {
            seconds: Some([5.00, 1.41]),
            memory: Some(1.01),
            parts: Some(([1.77, 0.10, 3.13], [0.02, 0.06, 1.13, 0.20])),
        },
        box_checker: Printed {
            seconds: Some([0.31, 0.12]),
            memory: None,
            parts: Some(([0.04, 0.16, 0.08], [0.02, 0.04, 0.00, 0.03])),
        },
    },
    Delta {
        subject: "stack",
        bound: 7,
        operations: 8,
        states: 137_257,
        paths: 56,
        jpf: Printed {
            seconds: Some([59.70, 4.14]),
            memory: Some(1.31),
            parts: Some(([28.38, 1.85, 29.46], [0.02, 0.49, 1.18, 2.44])),
        },
        box_checker: Printed {
            seconds: Some([2.92, 0.71]),
            memory: Some(1.87),
            parts: Some(([0.40, 1.54, 0.94], [0.02, 0.34, 0.00, 0.29])),
        },
    },
    Delta {
        subject: "stack",
        bound: 8,
        operations: 9,
        states: 2_396_745,
        paths: 72,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([59.98, 17.81]),
            memory: Some(1.31),
            parts: Some(([7.04, 34.77, 16.58], [0.02, 7.54, 0.00, 10.21])),
        },
    },
    Delta {
        subject: "treemap",
        bound: 12,
        operations: 24,
        states: 96_401,
        paths: 7_774,
        jpf: Printed {
            seconds: Some([274.26, 53.40]),
            memory: Some(3.44),
            parts: Some(([191.51, 26.06, 56.70], [5.05, 43.52, 2.00, 2.83])),
        },
        box_checker: Printed {
            seconds: Some([32.88, 9.12]),
            memory: Some(1.34),
            parts: Some(([1.44, 29.60, 1.26], [1.55, 6.74, 0.02, 0.66])),
        },
    },
    Delta {
        subject: "treemap",
        bound: 13,
        operations: 26,
        states: 282_532,
        paths: 11_105,
        jpf: Printed {
            seconds: Some([871.16, 160.75]),
            memory: Some(3.90),
            parts: Some(([622.58, 81.12, 167.46], [13.11, 137.08, 2.10, 8.46])),
        },
        box_checker: Printed {
            seconds: Some([102.85, 29.02]),
            memory: Some(1.48),
            parts: Some(([4.23, 94.53, 4.05], [4.39, 22.04, 0.02, 2.42])),
        },
    },
    Delta {
        subject: "treemap",
        bound: 14,
        operations: 28,
        states: 844_655,
        paths: 15_178,
        jpf: Printed {
            seconds: Some([2860.23, 562.70]),
            memory: Some(4.41),
            parts: Some(([2031.64, 283.39, 545.19], [38.45, 494.99, 2.47, 26.78])),
        },
        box_checker: Printed {
            seconds: Some([365.54, 104.09]),
            memory: Some(2.48),
            parts: Some(([13.48, 333.97, 13.08], [13.43, 81.55, 0.04, 9.13])),
        },
    },
    Delta {
        subject: "ubstack",
        bound: 8,
        operations: 9,
        states: 109_681,
        paths: 595,
        jpf: Printed {
            seconds: Some([61.52, 4.60]),
            memory: Some(1.57),
            parts: Some(([31.95, 2.58, 26.99], [1.34, 0.97, 1.13, 1.15])),
        },
        box_checker: Printed {
            seconds: Some([2.26, 1.28]),
            memory: Some(1.30),
            parts: Some(([0.22, 1.68, 0.24], [0.36, 0.70, 0.00, 0.16])),
        },
    },
    Delta {
        subject: "ubstack",
        bound: 9,
        operations: 10,
        states: 991_189,
        paths: 931,
        jpf: Printed {
            seconds: Some([1502.24, 32.54]),
            memory: Some(1.48),
            parts: Some(([357.06, 30.19, 1114.99], [14.09, 9.06, 1.37, 8.02])),
        },
        box_checker: Printed {
            seconds: Some([22.60, 13.52]),
            memory: Some(0.66),
            parts: Some(([2.64, 16.96, 1.62], [3.94, 7.96, 0.00, 1.54])),
        },
    },
    Delta {
        subject: "ubstack",
        bound: 10,
        operations: 11,
        states: 9_922_641,
        paths: 1_414,
        jpf: Printed { seconds: None, memory: None, parts: None },
        box_checker: Printed {
            seconds: Some([265.49, 174.96]),
            memory: Some(0.62),
            parts: Some(([33.77, 203.66, 16.28], [50.82, 100.10, 0.00, 22.12])),
        },
    },
];

/// A row of Table 4.5.
pub(super) struct Abstract {
    pub(super) subject: &'static str,
    pub(super) bound: u32,
    /// The shapes that standard execution has met with any of ten seeds.
    pub(super) shapes: u64,
    /// Its executions, with all seeds.
    pub(super) executions: u64,
    /// Standard and delta execution.
    pub(super) seconds: [f64; 2],
    pub(super) delta_shapes: u64,
    pub(super) delta_executions: u64,
}

const fn abstract_row(
    subject: &'static str,
    bound: u32,
    shapes: u64,
    executions: u64,
    seconds: [f64; 2],
    delta_shapes: u64,
    delta_executions: u64,
) -> Abstract {
    Abstract { subject, bound, shapes, executions, seconds, delta_shapes, delta_executions }
}

/// Table 4.5: matching by shape.
pub(super) const TABLE_4_5: [Abstract; 12] = [
    abstract_row("binheap", 28, 28, 15_680, [4.33, 4.12], 28, 956),
    abstract_row("binheap", 29, 29, 16_820, [4.42, 4.16], 29, 958),
    abstract_row("binheap", 30, 30, 18_000, [4.58, 4.27], 30, 1_040),
    abstract_row("bst", 20, 166_064, 10_168_360, [549.85, 90.86], 150_192, 49_645),
    abstract_row("bst", 21, 381_535, 22_466_178, [1237.36, 246.28], 416_946, 77_951),
    abstract_row("bst", 22, 677_848, 43_605_496, [2389.23, 380.42], 626_555, 83_569),
    abstract_row("fibheap", 28, 881, 182_323, [18.68, 20.40], 1_041, 7_810),
    abstract_row("fibheap", 29, 961, 184_320, [19.15, 20.35], 1_157, 7_269),
    abstract_row("fibheap", 30, 1_144, 289_571, [28.68, 28.56], 1_354, 10_981),
    abstract_row("treemap", 20, 11_879, 1_492_080, [195.50, 43.28], 11_952, 39_131),
    abstract_row("treemap", 21, 22_455, 2_893_212, [385.33, 65.82], 20_590, 48_974),
    abstract_row("treemap", 22, 38_126, 4_918_100, [661.17, 107.33], 36_550, 59_693),
];

/// A row of a table on AODV: bound, states, and seconds of two ways to execute it.
pub(super) type Aodv = (u32, u64, [f64; 2]);

/// Table 3.4: standard against mixed execution.
pub(super) const TABLE_3_4: [Aodv; 3] =
    [(8, 2_295, [49.74, 43.681]), (9, 3_209, [74.33, 60.382]), (10, 4_338, [123.92, 87.837])];

/// Tables 4.6 and 4.7: standard against delta execution.
pub(super) const TABLE_4_6: [Aodv; 5] = [
    (6, 1_061, [6.87, 7.81]),
    (7, 3_796, [21.44, 16.97]),
    (8, 13_195, [74.31, 43.10]),
    (9, 44_735, [262.20, 128.60]),
    (10, 147_805, [926.60, 485.14]),
];
