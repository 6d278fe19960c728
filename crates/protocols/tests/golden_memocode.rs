//! ARQ explored as in the paper at MEMOCODE 2004: acknowledgements carry no number, and no depth bound.

use everypath_explore::{Add, Described, Ended, Exploration, Options, explore};
use everypath_model::{Parameters, Profile};
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_protocols::arq::arq;

/// Explores by the procedure of the paper, breadth-first; `frames` limits what the sender sends.
fn found(frames: &str, disabled: &[&str]) -> (Exploration, Vec<String>) {
    let given = [("numbered-acks", "false"), ("data-frames", frames)];
    let profile = Profile::Thesis;
    let mut parameters = Parameters::with(given).under(profile);
    let scenario = arq(&mut parameters);
    parameters.finish().unwrap();
    let disabled = disabled.iter().map(|pattern| pattern.parse().unwrap()).collect::<Vec<_>>();
    let options = SpaceOptions::default().profile(profile).disabled(disabled);
    let semantics = options.semantics();
    let mut space = NetworkSpace::new(&scenario, options).unwrap();
    let options = Options::default().add(Add::Twice).semantics(semantics);
    let found = explore(&mut space, &options, &mut ()).unwrap();
    let steps = found.finding().into_iter().flat_map(|finding| finding.trace.transitions());
    let sentences = steps.map(|(before, step)| space.event_text(before, step.event).sentence);
    let sentences = sentences.collect();
    (found, sentences)
}

/// Table 2: nine states, with or without losses of acknowledgements; the limit makes no difference
/// to a search that goes level by level.
#[test]
fn a_shortest_run_to_the_error_has_nine_states() {
    for frames in ["unlimited", "1000", "100", "10"] {
        for disabled in [&["lose@0"][..], &[]] {
            let (found, sentences) = found(frames, disabled);
            assert_eq!(found.ended, Ended::Violation);
            assert_eq!(sentences.len() + 1, 9, "{frames} {disabled:?}");
            assert!(sentences.iter().any(|step| step.starts_with("A from n1")), "{sentences:?}");
        }
    }
}

/// The run needs five data frames: with four, the whole space is free of errors, and finite.
#[test]
fn a_sender_that_may_send_few_frames_stops() {
    let (four, _) = found("4", &[]);
    assert_eq!((four.ended, four.findings.len()), (Ended::Exhausted, 0));
    let (five, _) = found("5", &[]);
    assert_eq!(five.ended, Ended::Violation);
    let (none, _) = found("off", &[]);
    assert_eq!((none.ended, none.states_visited), (Ended::Exhausted, 1));
}
