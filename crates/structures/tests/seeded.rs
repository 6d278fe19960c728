//! Every seeded error is found, in every mode, by the same run.

use everypath_explore::{Described, Options, explore};
use everypath_heap::{Mode, Settings};
use everypath_structures::all;

#[test]
fn every_seeded_error_is_found() {
    for subject in all().iter().filter(|subject| subject.name().ends_with("_seeded")) {
        let mut runs = Vec::new();
        for mode in Mode::ALL {
            let mut space = subject.space(&Settings::new(5).mode(mode)).expect("it starts");
            let found = explore(&mut space, &Options::default().max_depth(5), &mut ());
            let found = found.expect("it can be explored");
            let finding = found.finding().unwrap_or_else(|| panic!("{} is sound", subject.name()));
            let calls: Vec<String> = finding
                .trace
                .transitions()
                .map(|(state, step)| space.event_text(state, step.event).sentence)
                .collect();
            runs.push(calls);
        }
        assert!(runs.iter().all(|run| *run == runs[0]), "{}: {runs:?}", subject.name());
    }
}
