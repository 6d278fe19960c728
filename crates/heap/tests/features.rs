//! Single features: exceptions, aliases, splits by null and by class, guards, faults, wide values.

use everypath_explore::{Described, Judged, Options, Space, Stop, explore};
use everypath_heap::{Merge, Mode, Settings, Subject, SubjectSpace, subject};

const LEVEL: Mode = Mode::Delta(Merge::Level);
const SHAPE: Mode = Mode::Delta(Merge::Shape);

/// A subject made for splits, exceptions and guards.
#[subject]
pub mod zoo {
    struct Zoo {
        first: Ref<Any>,
        second: Ref<Cage>,
        count: Int,
    }

    struct Cage {
        number: Int,
        next: Ref<Cage>,
    }

    struct Tree {
        height: Int,
        friend: Ref<Cage>,
    }

    impl Cage {
        fn grow(self, by: Int) -> Int {
            self.number = (self.number + by) % 5;
            self.number
        }
    }

    impl Tree {
        fn grow(self, by: Int) -> Int {
            self.height = (self.height + 2 * by) % 7;
            self.height
        }
    }

    impl Zoo {
        #[call(number in 1..=n)]
        fn cage(self, number: Int) {
            self.first = Cage { number, next: self.second };
        }

        #[call]
        fn tree(self) {
            let tree = Tree { height: 1, friend: self.second };
            self.first = tree;
        }

        /// Splits by the class of the object, and by null.
        #[call(by in 1..=2)]
        fn grow(self, by: Int) -> Int {
            self.first.grow(by)
        }

        /// An alias and a cycle.
        #[call]
        fn tie(self) {
            if self.first.is::<Cage>() {
                let cage = self.first.cast::<Cage>();
                self.second = cage;
                cage.next = cage;
            }
        }

        /// Writes, then throws: what it wrote stays.
        #[call]
        fn stumble(self) {
            self.count = (self.count + 1) % 3;
            if self.count == 2 {
                throw("two");
            }
            self.second = null;
        }

        /// The run ends.
        #[call]
        fn leave(self) {
            self.count = 0;
            if self.first == null {
                fail("nothing to leave");
            }
        }

        #[call(number in 1..=n, if may_count)]
        fn counted(self, number: Int) {
            if number > self.count {
                self.count = (self.count + 1) % 3;
            }
        }

        fn may_count(self, number: Int) -> Bool {
            if self.count == 0 {
                return true;
            }
            self.second != null && self.second.number == number
        }
    }
}

fn explored(subject: &Subject, settings: &Settings) -> (SubjectSpace, Vec<Vec<Vec<i32>>>) {
    let mut space = subject.space(settings).expect("it starts");
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut seen: std::collections::HashSet<_> = level.iter().copied().collect();
    let (mut walks, mut steps) = (Vec::new(), Vec::new());
    for _ in 0..=settings.bound {
        walks.push(level.iter().map(|&state| space.linearised(state)).collect());
        steps.clear();
        space.expand(&level, &mut steps);
        level = steps.iter().map(|step| step.target).filter(|&it| seen.insert(it)).collect();
        level.sort_unstable();
    }
    (space, walks)
}

#[test]
fn exceptions_aliases_and_dynamic_types_in_all_modes() {
    let settings = Settings::new(4);
    let (tracked, expected) = explored(&zoo::subject(), &settings);
    let brute_force = crate::oracle::levels(&zoo::Code, &settings, 4);
    for (level, walks) in expected.iter().enumerate() {
        assert_eq!(
            walks.iter().cloned().collect::<std::collections::BTreeSet<_>>(),
            brute_force[level]
        );
    }
    for mode in Mode::ALL {
        let (space, walks) = explored(&zoo::subject(), &settings.mode(mode));
        assert_eq!(walks, expected, "{}", mode.name());
        assert_eq!(space.coverage(), tracked.coverage(), "{}", mode.name());
    }
}

/// One path for null, one for each class.
#[test]
fn null_receivers_and_dynamic_types_split() {
    let settings = Settings::new(2).mode(LEVEL).only(&["cage", "tree", "grow"]);
    let mut space = zoo::subject().space(&settings).expect("it starts");
    let (mut level, mut steps) = (Vec::new(), Vec::new());
    space.initial(&mut level);
    space.expand(&level, &mut steps);
    assert_eq!(space.counters().paths, 5, "two cages, a tree, and growing null in two ways");
    let mut next: Vec<_> = steps.iter().map(|step| step.target).collect();
    next.sort_unstable();
    next.dedup();
    next.push(level[0]);
    next.sort_unstable();
    space.expand(&next, &mut steps);
    // Faults are states without calls. Initial state, cages and tree: `grow` has a path for each.
    assert_eq!(space.counters().paths, 5 + 3 + 2 * 3);
}

#[test]
fn guards_with_united_masks_take_no_more_paths() {
    for mode in [SHAPE, LEVEL] {
        let settings = Settings::new(4).mode(mode);
        let (united, states) = explored(&zoo::subject(), &settings);
        let (apart, same) = explored(&zoo::subject(), &settings.united_guards(false));
        assert_eq!(states, same);
        let (united, apart) = (united.counters(), apart.counters());
        assert_eq!(united.guard_paths, apart.guard_paths);
        assert!(united.paths < apart.paths, "{} and {}", united.paths, apart.paths);
    }
}

#[test]
fn a_null_receiver_is_a_finding_with_its_calls() {
    for mode in Mode::ALL {
        let settings = Settings::new(3).mode(mode);
        let mut space = zoo::subject().space(&settings).expect("it starts");
        let found =
            explore(&mut space, &Options::default().max_depth(3), &mut ()).expect("it runs");
        let finding = found.finding().expect("growing null is wrong");
        let last = finding.trace.last();
        assert_eq!(space.assertions(), ["no call goes wrong"]);
        assert_eq!(
            space.explain(last, 0).as_deref(),
            Some("in `grow`, a null reference is followed")
        );
        let (state, step) = finding.trace.transitions().next().expect("one call");
        let text = space.event_text(state, step.event);
        assert_eq!(text.sentence, "grow(1)");
        let result = space.result_text(state, step.event);
        assert_eq!(result.as_deref(), Some("in `grow`, a null reference is followed"));
        assert_eq!(text.parameters, [("by".to_owned(), "1".to_owned())]);
    }
}

#[test]
fn calls_are_described_with_their_results() {
    let mut space = zoo::subject().space(&Settings::new(2)).expect("it starts");
    let (mut level, mut steps) = (Vec::new(), Vec::new());
    space.initial(&mut level);
    space.expand(&level, &mut steps);
    let tree = steps[2].target;
    let texts: Vec<String> = (3..5)
        .map(|event| space.result_text(tree, everypath_explore::EventId(event)).expect("a number"))
        .collect();
    assert_eq!(texts, ["3", "5"]);
    let text = format!("{:?}", space.state_text(tree).parts[0].1);
    assert!(
        text.contains("Zoo { first: Tree { height: 1, friend: null }, second: null, count: 0 }"),
        "{text}"
    );
}

/// Faults of all kinds, and numbers that need more and more bits.
#[subject]
pub mod wild {
    struct Wild {
        value: Int,
        items: Array<Int>,
        me: Ref<Wild>,
    }

    impl Wild {
        #[call(by in 0..=n)]
        fn scale(self, by: Int) {
            self.value = self.value * 17 + by;
        }

        #[call]
        fn negate(self) {
            self.value = -self.value;
        }

        #[call]
        fn divide(self) {
            self.value = 1000 / self.value;
        }

        #[call]
        fn index(self) {
            if self.items == null {
                self.items = Array::<Int>::new(1);
            }
            self.items[self.value] = 1;
        }

        #[call]
        fn recurse(self) {
            self.recurse();
        }

        #[call]
        fn spin(self) {
            while self.value >= 0 {
                self.value = self.value;
            }
        }

        #[call]
        fn hoard(self) {
            while self.value != 5 {
                self.items = Array::<Int>::new(self.value + 700);
                self.me = self;
            }
        }
    }
}

#[test]
fn faults_of_all_kinds_are_the_same_in_all_modes() {
    let settings = Settings::new(2);
    let (_, expected) = explored(&wild::subject(), &settings);
    let brute_force = crate::oracle::levels(&wild::Code, &settings, 2);
    for (level, walks) in expected.iter().enumerate() {
        assert_eq!(
            walks.iter().cloned().collect::<std::collections::BTreeSet<_>>(),
            brute_force[level]
        );
    }
    let faults: std::collections::BTreeSet<i32> =
        expected.concat().iter().filter(|walk| walk[0] == -1).map(|walk| walk[1]).collect();
    assert!(faults.len() >= 5, "index, overflow, endless, depth, memory: {faults:?}");
    for mode in Mode::ALL {
        assert_eq!(explored(&wild::subject(), &settings.mode(mode)).1, expected, "{}", mode.name());
    }
    let mut space = wild::subject().space(&settings).expect("it starts");
    let options = Options::default().max_depth(2).stop(Stop::Never);
    let found = explore(&mut space, &options, &mut ()).expect("it runs");
    assert!(found.counts.violations[0] > 0);
}
