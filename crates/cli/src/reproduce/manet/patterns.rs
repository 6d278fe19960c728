//! The patterns of routes in an exploration: which there are when a trial begins, and what packets make of
//! them.

use std::collections::{BTreeMap, BTreeSet};

use everypath_explore::{Described, Space, Starts};
use everypath_network::NetworkSpace;

use super::explorations::{LAST_TRIAL, Prepared};
use crate::reproduce::laboratory::Halt;

/// The columns of packets: their kind and trial.
pub(super) const PACKETS: [(&str, u32); 6] =
    [("Request", 1), ("Reply", 1), ("Request", 2), ("Reply", 2), ("Request", 3), ("Reply", 3)];

/// The patterns of a forwarder and of the destination when a trial begins.
pub(super) type Beginning = [BTreeSet<String>; 2];

/// By the pattern of a forwarder and a packet: its patterns after it.
pub(super) type Changes = BTreeMap<(String, usize), BTreeSet<String>>;

/// The patterns when the last trial begins. The last node is the destination.
pub(super) fn beginning(prepared: &Prepared<'_>) -> Result<Beginning, Halt> {
    let mut space = prepared.space()?;
    let is_cut = &mut |space: &mut NetworkSpace<'_>, _, state| space.is_cut(state, LAST_TRIAL);
    let trunk = prepared.explore(&mut space, Starts::Initial, is_cut)?;
    let mut patterns = Beginning::default();
    for start in &trunk.stopped {
        let key = space.cut_key(start.state, LAST_TRIAL);
        let mut nodes = key.split(' ').filter_map(|node| node.split(':').next_back());
        patterns[1].extend(nodes.next_back().map(str::to_owned));
        patterns[0].extend(nodes.map(str::to_owned));
    }
    Ok(patterns)
}

/// What each packet does to a forwarder, the node 1, in all steps of an exploration.
pub(super) fn changes(prepared: &Prepared<'_>) -> Result<Changes, Halt> {
    const FORWARDER: u32 = 1;
    let mut space = prepared.space()?;
    let whole = prepared.explore(&mut space, Starts::Initial, &mut |_, _, _| false)?;
    let pattern = |space: &mut NetworkSpace<'_>, state| {
        let key = space.cut_key(state, LAST_TRIAL);
        let first = key.split(' ').next().unwrap_or_default();
        first.split(':').next_back().unwrap_or_default().to_owned()
    };
    let deliver = space.event_kinds().iter().position(|kind| kind == "deliver");
    let (mut changes, mut steps) = (Changes::new(), Vec::new());
    for visited in whole.visited() {
        steps.clear();
        space.expand(&[visited.state], &mut steps);
        steps.retain(|step| Some(space.event_kind(step.event)) == deliver);
        let before = pattern(&mut space, visited.state);
        for step in &steps {
            let event = space.event_text(visited.state, step.event);
            if event.node != Some(FORWARDER) {
                continue;
            }
            let message = event.parameters.iter().find(|(name, _)| name == "message");
            let of = |(kind, trial): &(&str, u32)| {
                let begins = format!("{kind} {{ number: {trial},");
                message.is_some_and(|(_, text)| text.starts_with(&begins))
            };
            if let Some(packet) = PACKETS.iter().position(of) {
                let after = pattern(&mut space, step.target);
                changes.entry((before.clone(), packet)).or_default().insert(after);
            }
        }
    }
    Ok(changes)
}
