//! Counterexamples of one version of a random protocol are run again in the next: whatever is found by that, or near
//! them, a search of the next version finds, too, and it is a run of that version.

#[allow(dead_code, reason = "cases are made at random here")]
use crate::table;

use everypath_explore::{
    Described, EventText, Exploration, Limits, Neighbourhood, Options, Stop, Trace, explore,
    explore_neighbourhood, replay, retrace,
};
use everypath_model::Profile;
use everypath_network::NetworkSpace;
use proptest::{prelude::*, sample::Index};
use table::{Case, Program, case, cases};

const DEPTH: u32 = 8;

fn options(stop: Stop) -> Options {
    let limits = Limits::default().states(3000);
    Options::default().limits(limits).stop(stop).max_depth(DEPTH)
}

/// The events of a run, and the digests of its states.
type Recorded = (u64, Vec<(EventText, u64)>);

fn recorded(space: &NetworkSpace<'_>, trace: &Trace) -> Recorded {
    let steps = trace
        .transitions()
        .map(|(before, step)| (space.event_text(before, step.event), space.digest(step.state)));
    (space.digest(trace.initial), steps.collect())
}

/// All that a version violates, as a folder would keep it.
fn counterexamples(case: &Case) -> Vec<Recorded> {
    let scenario = case.scenario();
    let mut space = case.space(&scenario);
    let found = explore(&mut space, &options(Stop::Never), &mut ()).unwrap();
    found.findings.iter().map(|finding| recorded(&space, &finding.trace)).collect()
}

/// What is found by running counterexamples again, or else around them.
fn found_before(space: &mut NetworkSpace<'_>, earlier: &[Recorded], events: u32) -> Exploration {
    let runs: Vec<Trace> = earlier
        .iter()
        .map(|(initial, steps)| {
            let steps = steps.iter().map(|(text, digest)| (text, *digest));
            retrace(space, *initial, steps, Some(DEPTH)).unwrap().trace
        })
        .collect();
    let around = Neighbourhood { events, max_depth: Some(DEPTH), limits: Limits::default() };
    explore_neighbourhood(space, &runs, around, &mut ())
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn what_is_found_before_the_search_is_found_by_the_search(
        case in case(),
        which in any::<Index>(),
        next in 0..table::STATES,
        events in 0..4_u32,
    ) {
        let case = Case { profile: Profile::Standard, ..case };
        let earlier = counterexamples(&case);
        prop_assume!(!earlier.is_empty());

        // Nothing has changed: all are still there.
        let scenario = case.scenario();
        let mut space = case.space(&scenario);
        prop_assert!(found_before(&mut space, &earlier[..1], 0).finding().is_some());

        let mut changed = case;
        let programs = &mut changed.table.programs;
        let which = which.index(programs.len());
        programs[which] = Program { actions: Vec::new(), next };
        let scenario = changed.scenario();
        let mut space = changed.space(&scenario);
        let before = found_before(&mut space, &earlier, events);
        let mut fresh = changed.space(&scenario);
        let searched = explore(&mut fresh, &options(Stop::First), &mut ()).unwrap();
        if let Some(finding) = before.finding() {
            prop_assert!(finding.trace.steps.len() <= DEPTH as usize);
            prop_assert!(searched.finding().is_some() || !searched.is_complete());
            // Another space of this version can run it, to the same states.
            let (initial, steps) = recorded(&space, &finding.trace);
            let mut other = changed.space(&scenario);
            let steps = steps.iter().map(|(text, digest)| (text, *digest));
            prop_assert!(replay(&mut other, initial, steps).is_ok());
        } else {
            prop_assert!(!before.is_complete(), "only a neighbourhood was explored");
        }
    }
}
