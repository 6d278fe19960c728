//! Walks over a space level by level, without the explorer.

use everypath_explore::{Space, StateId};
use everypath_heap::{Settings, SubjectSpace};
use everypath_structures::named;

/// The space of a subject.
pub fn space(subject: &str, settings: &Settings) -> SubjectSpace {
    named(subject).expect("it is a subject").space(settings).expect("it starts")
}

/// All levels: the ids of their states, each level sorted.
pub fn levels(space: &mut SubjectSpace, depth: u32) -> Vec<Vec<StateId>> {
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut seen: std::collections::HashSet<StateId> = level.iter().copied().collect();
    let (mut levels, mut steps) = (vec![level], Vec::new());
    for _ in 0..depth {
        steps.clear();
        space.expand(levels.last().expect("there is a level"), &mut steps);
        let mut next: Vec<StateId> =
            steps.iter().map(|step| step.target).filter(|&target| seen.insert(target)).collect();
        next.sort_unstable();
        levels.push(next);
    }
    levels
}

/// The content of all states, level by level.
pub fn contents(space: &SubjectSpace, levels: &[Vec<StateId>]) -> Vec<Vec<Vec<i32>>> {
    let content =
        |level: &Vec<StateId>| level.iter().map(|&state| space.linearised(state)).collect();
    levels.iter().map(content).collect()
}
