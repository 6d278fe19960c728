//! The published counts: tables 4.1 and 3.2 of "Efficient explicit-state model checking of programs with dynamic data"
//! (d'Amorim, 2007).

use everypath_heap::Settings;

/// A row of Table 4.1: states and executions in standard and in delta execution.
///
/// ```
/// use everypath_structures::published::TABLE_4_1;
///
/// let stack = TABLE_4_1.iter().find(|row| row.subject == "stack" && row.bound == 6).unwrap();
/// assert_eq!((stack.states, stack.paths), (9_331, 42));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DeltaRow {
    /// The name of the subject.
    pub subject: &'static str,
    /// The bound.
    pub bound: u32,
    /// The states in which calls are executed: those of all levels but the last.
    pub states: u64,
    /// How many calls there are in each state.
    pub operations: u64,
    /// Delta executions here.
    pub paths: u64,
    /// The delta executions that were printed; they differ for the array heap.
    pub printed_paths: u64,
}

impl DeltaRow {
    /// The settings of the row: those calls that were explored.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let settings = Settings::new(self.bound);
        if self.subject == "treemap" { settings.only(&["put", "remove"]) } else { settings }
    }
}

const fn delta(
    subject: &'static str,
    bound: u32,
    operations: u64,
    states: u64,
    paths: u64,
) -> DeltaRow {
    DeltaRow { subject, bound, states, operations, paths, printed_paths: paths }
}

/// A row of the array heap, whose printed paths are not reproduced: how its elements are stored was not published.
const fn array_heap(
    bound: u32,
    operations: u64,
    states: u64,
    paths: u64,
    printed_paths: u64,
) -> DeltaRow {
    DeltaRow { subject: "heaparray", bound, states, operations, paths, printed_paths }
}

/// Table 4.1, without the file system, whose source is not public.
pub const TABLE_4_1: [DeltaRow; 27] = [
    delta("binheap", 7, 14, 16_864, 401),
    delta("binheap", 8, 16, 250_083, 863),
    delta("binheap", 9, 18, 1_353_196, 1_069),
    delta("bst", 9, 18, 46_960, 10_846),
    delta("bst", 10, 20, 206_395, 22_688),
    delta("bst", 11, 22, 915_641, 46_731),
    delta("deque", 8, 16, 69_281, 576),
    delta("deque", 9, 18, 623_530, 810),
    delta("deque", 10, 20, 6_235_301, 1_100),
    delta("fibheap", 6, 7, 3_003, 82),
    delta("fibheap", 7, 8, 36_730, 130),
    delta("fibheap", 8, 9, 544_659, 209),
    array_heap(8, 9, 97_092, 264, 258),
    array_heap(9, 10, 804_809, 366, 359),
    array_heap(10, 11, 8_722_946, 478, 488),
    delta("queue", 6, 7, 10_057, 45),
    delta("queue", 7, 8, 147_995, 60),
    delta("queue", 8, 9, 2_578_641, 77),
    delta("stack", 6, 7, 9_331, 42),
    delta("stack", 7, 8, 137_257, 56),
    delta("stack", 8, 9, 2_396_745, 72),
    delta("treemap", 12, 24, 96_401, 7_774),
    delta("treemap", 13, 26, 282_532, 11_105),
    delta("treemap", 14, 28, 844_655, 15_178),
    delta("ubstack", 8, 9, 109_681, 595),
    delta("ubstack", 9, 10, 991_189, 931),
    delta("ubstack", 10, 11, 9_922_641, 1_414),
];

/// A row of Table 3.2: states after calls.
///
/// ```
/// use everypath_structures::published::TABLE_3_2;
///
/// assert!(TABLE_3_2.iter().all(|row| row.states > 0));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct MixedRow {
    /// The name of the subject.
    pub subject: &'static str,
    /// The bound.
    pub bound: u32,
    /// The states of all levels. The initial state counts only if some call leads back to it.
    pub states: u64,
    /// The states that were printed; they differ in one row.
    pub printed_states: u64,
}

const fn mixed(subject: &'static str, bound: u32, states: u64) -> MixedRow {
    MixedRow { subject, bound, states, printed_states: states }
}

/// Table 3.2, and the rows of Table 3.3 that it does not have.
pub const TABLE_3_2: [MixedRow; 32] = [
    mixed("bst", 5, 188),
    mixed("bst", 6, 731),
    mixed("bst", 7, 2_950),
    mixed("bst", 8, 12_235),
    mixed("bst", 9, 51_822),
    mixed("bst", 10, 223_191),
    mixed("disjset", 5, 77),
    mixed("disjset", 6, 516),
    mixed("disjset", 7, 4_747),
    mixed("linkedlist", 5, 3_906),
    mixed("linkedlist", 6, 55_987),
    mixed("linkedlist", 7, 960_800),
    mixed("treemap", 4, 25),
    mixed("treemap", 5, 72),
    mixed("treemap", 6, 185),
    mixed("treemap", 7, 537),
    mixed("treemap", 8, 1_613),
    mixed("treemap", 9, 4_709),
    mixed("treemap", 10, 13_189),
    mixed("trie", 4, 16),
    mixed("trie", 5, 32),
    mixed("trie", 6, 64),
    mixed("trie", 7, 128),
    mixed("trie", 8, 256),
    mixed("trie", 9, 512),
    mixed("trie", 10, 1_024),
    mixed("ubstack", 5, 616),
    mixed("ubstack", 6, 3_865),
    mixed("ubstack", 7, 27_455),
    mixed("vector", 5, 5_042),
    mixed("vector", 6, 68_781),
    MixedRow { subject: "vector", bound: 7, states: 1_140_947, printed_states: 1_140_940 },
];
