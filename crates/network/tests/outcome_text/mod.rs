//! What a search came to, as a text, for comparing searches that must come to the same.

use everypath_explore::{Described, Exploration, Judged, Trace};

/// All that a search tells but time and bytes; ids are told, too.
pub fn told(space: &(impl Judged + Described), found: &Exploration) -> String {
    let run = |trace: &Trace| {
        let steps = trace.transitions().map(|(before, step)| {
            (step, space.event_text(before, step.event), space.digest(step.state))
        });
        format!("{:?} {:?}", trace.initial, steps.collect::<Vec<_>>())
    };
    let findings = found.findings.iter().map(|finding| {
        let words = space.explain(finding.trace.last(), finding.assertion);
        (finding.assertion, words, run(&finding.trace))
    });
    let witnesses = found.witnesses.iter().map(|witness| (witness.goal, run(&witness.trace)));
    let numbers = (
        (found.ended, found.incomplete, found.states_visited, found.states_waiting),
        (&found.counts, found.handler_executions, found.depth),
        (found.store.kind, found.store.missed_probability, found.store.coverage),
    );
    format!("{numbers:#?} {:#?}", (findings.collect::<Vec<_>>(), witnesses.collect::<Vec<_>>()))
}
