//! A run in words.

use everypath_explore::{EventText, PartText, Space, StateId, StateText, Trace};

use crate::value::changes;

/// A run in words: what happened, and what each event changed.
#[derive(Clone, Debug)]
pub struct Story {
    /// Where it starts.
    pub initial: StateText,
    /// What happened.
    pub steps: Vec<StoryStep>,
}

/// One event and what it changed.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// What happened.
    pub event: EventText,
    /// What it changed, a line each.
    pub changes: Vec<String>,
    /// The state it led to.
    pub state: StateText,
}

impl Story {
    /// Tells a run.
    #[must_use]
    pub fn tell(space: &impl Space, trace: &Trace) -> Self {
        let text = |state: StateId| space.state_text(state);
        let steps = trace.transitions().map(|(before, step)| {
            let state = text(step.state);
            StoryStep {
                event: space.event_text(before, step.event),
                changes: differences(&text(before), &state),
                state,
            }
        });
        Self { initial: text(trace.initial), steps: steps.collect() }
    }

    /// The story as numbered steps, with whole states instead of changes if asked for.
    #[must_use]
    pub fn to_text(&self, whole_states: bool) -> String {
        let width = self.steps.len().to_string().len().max(2);
        let mut text = String::new();
        let mut paragraph = |number: usize, title: &str, lines: &[String]| {
            text.push_str(&format!("{number:>width$}  {title}\n"));
            for line in lines {
                text.push_str(&format!("{:>width$}      {line}\n", ""));
            }
        };
        paragraph(0, "initially", &state_lines(&self.initial));
        for (number, step) in (1..).zip(&self.steps) {
            let lines = if whole_states { state_lines(&step.state) } else { step.changes.clone() };
            paragraph(number, &step.event.sentence, &lines);
        }
        text
    }
}

/// A state, a line per part; empty bags are left out, as are those with nothing to say.
fn state_lines(state: &StateText) -> Vec<String> {
    let parts = state.parts.iter();
    let lines = parts.filter_map(|(name, part)| match part {
        PartText::Value(value) => Some(format!("{name}: {value}")),
        PartText::Bag(values) if values.is_empty() => None,
        PartText::Bag(values) => Some(format!("{name}: {}", values.join(", "))),
    });
    lines.collect()
}

/// What differs between two states, part by part. Parts have the same names in both, but for a
/// node that failed.
fn differences(before: &StateText, after: &StateText) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, part) in &after.parts {
        let earlier = before.parts.iter().find(|(other, _)| other == name).map(|(_, part)| part);
        match (earlier, part) {
            (Some(PartText::Value(before)), PartText::Value(after)) => lines
                .extend(changes(before, after).iter().map(|change| format!("{name}: {change}"))),
            (Some(PartText::Bag(before)), PartText::Bag(after)) => {
                lines.extend(bag_difference(name, before, after));
            }
            (_, PartText::Value(value)) => lines.push(format!("{name}: {value}")),
            (_, PartText::Bag(values)) => lines.push(format!("{name}: {}", values.join(", "))),
        }
    }
    lines
}

/// One line that names what left the bag and what came into it.
fn bag_difference(name: &str, before: &[String], after: &[String]) -> Option<String> {
    let mut gone = before.to_vec();
    let mut come = Vec::new();
    for value in after {
        match gone.iter().position(|other| other == value) {
            Some(place) => {
                gone.remove(place);
            }
            None => come.push(value),
        }
    }
    let gone = gone.iter().map(|value| format!("− {value}"));
    let words: Vec<String> = gone.chain(come.iter().map(|value| format!("+ {value}"))).collect();
    (!words.is_empty()).then(|| format!("{name}: {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[&str], after: &[&str], expect: Option<&str>) {
        let own =
            |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>();
        assert_eq!(bag_difference("network", &own(before), &own(after)).as_deref(), expect);
    }

    #[test]
    fn bags_differ_by_what_left_and_what_came() {
        check(&["a"], &["a"], None);
        check(&["a", "a"], &["a"], Some("network: − a"));
        check(&["a", "b"], &["b", "c"], Some("network: − a, + c"));
        check(&[], &["a", "a"], Some("network: + a, + a"));
    }
}
