//! Story: a run in words.

use std::{borrow::Cow, time::Duration};

use everypath_explore::{
    Described, EventText, HistoryText, PartChange, PartText, StateText, Trace,
};

use crate::{
    history_lines,
    numbers::span,
    terminal::escape_controls,
    value::{Value, changes},
};

/// A run in words: what happened, and what each event changed.
///
/// ```
/// # mod counter { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../explore/doc/counter.rs")); }
/// # use counter::Counter;
/// use everypath_explore::{ModelSpace, Options, explore};
/// use everypath_report::Story;
///
/// let mut space = ModelSpace::new(Counter);
/// let found = explore(&mut space, &Options::default(), &mut ()).unwrap();
/// let story = Story::tell(&space, &found.finding().unwrap().trace);
/// assert_eq!((story.steps.len(), story.states().count()), (3, 4));
/// assert_eq!(story.states().last(), Some(story.last()));
/// assert!(story.to_text(false).starts_with(" 0  initially\n"));
/// ```
#[derive(Clone, Debug)]
pub struct Story {
    /// The initial state.
    pub initial: StateText,
    /// What happened.
    pub steps: Vec<StoryStep>,
    /// What clients asked for, and what they were answered.
    pub histories: Vec<HistoryText>,
}

/// One event and what it changed.
///
/// ```
/// use everypath_explore::{EventText, PartChange};
/// use everypath_report::StoryStep;
///
/// let event = EventText {
///     node: Some(0),
///     kind: "timer".to_owned(),
///     parameters: Vec::new(),
///     sentence: "n0's timer fires".to_owned(),
/// };
/// let come = vec!["Data(1)".to_owned()];
/// let changes = vec![("network".to_owned(), PartChange::Bag { gone: Vec::new(), come })];
/// let step = StoryStep { changes, ..StoryStep::new(event) };
/// assert_eq!(step.lines(), ["network: + Data(1)"]);
/// assert_eq!(step.sentence(), "n0's timer fires");
/// ```
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// What happened.
    pub event: EventText,
    /// What it returned, if it returned something.
    pub result: Option<String>,
    /// What it changed: the parts of the state with their names.
    pub changes: Vec<(String, PartChange)>,
    /// How much later than by itself it must be, where that is known.
    pub late: Duration,
    /// When it happens, since the start, in a space with time.
    pub time: Option<Duration>,
}

impl Story {
    /// Tells a run. Of the states after the initial one only what changes is kept: a run of
    /// thousands of steps may have as many packets in flight.
    #[must_use]
    pub fn tell(space: &impl Described, trace: &Trace) -> Self {
        let mut now = Duration::ZERO;
        let steps = trace.transitions().map(|(before, step)| StoryStep {
            result: space.result_text(before, step.event),
            changes: space.state_change(before, step.state),
            time: space.time_before(step.event).map(|passed| {
                now += passed;
                now
            }),
            ..StoryStep::new(space.event_text(before, step.event))
        });
        Self {
            initial: space.state_text(trace.initial),
            steps: steps.collect(),
            histories: space.histories(trace),
        }
    }

    /// All states, the initial one first. In a bag, what came last is the last.
    pub fn states(&self) -> impl Iterator<Item = StateText> + '_ {
        let mut state = self.initial.clone();
        let later = self.steps.iter().map(move |step| {
            state.apply(&step.changes);
            state.clone()
        });
        std::iter::once(self.initial.clone()).chain(later)
    }

    /// The state in which the run ends.
    #[must_use]
    pub fn last(&self) -> StateText {
        let mut state = self.initial.clone();
        self.steps.iter().for_each(|step| state.apply(&step.changes));
        state
    }

    /// The story as numbered steps, with whole states instead of changes if asked for.
    #[must_use]
    pub fn to_text(&self, whole_states: bool) -> String {
        let width = self.steps.len().to_string().len().max(2);
        let mut text = String::new();
        // However the protocol prints its data, nothing of it looks like a line of ours.
        let mut paragraph = |number: usize, title: &str, lines: &[String]| {
            text.push_str(&format!("{number:>width$}  {}\n", escape_controls(title, &[])));
            for line in lines {
                text.push_str(&format!("{:>width$}      {}\n", "", escape_controls(line, &[])));
            }
        };
        paragraph(0, "initially", &state_lines(&self.initial));
        let mut state = self.initial.clone();
        for (number, step) in (1..).zip(&self.steps) {
            let lines = if whole_states {
                state.apply(&step.changes);
                state_lines(&state)
            } else {
                step.lines()
            };
            paragraph(number, &step.sentence(), &lines);
        }
        for history in &self.histories {
            for line in history_lines(history, self.steps.len()) {
                text.push_str(&format!("{}\n", escape_controls(&line, &[])));
            }
        }
        text
    }
}

impl StoryStep {
    /// An event that returned and changed nothing.
    ///
    /// ```
    /// use std::time::Duration;
    /// use everypath_explore::EventText;
    /// use everypath_report::StoryStep;
    ///
    /// let event = EventText {
    ///     node: Some(0),
    ///     kind: "timer".to_owned(),
    ///     parameters: Vec::new(),
    ///     sentence: "n0's timer fires".to_owned(),
    /// };
    /// let late = Duration::from_millis(3);
    /// let step = StoryStep { late, ..StoryStep::new(event) };
    /// assert_eq!(step.sentence(), "n0's timer fires  [3ms late]");
    /// ```
    #[must_use]
    pub fn new(event: EventText) -> Self {
        Self { event, result: None, changes: Vec::new(), late: Duration::ZERO, time: None }
    }

    /// What happened, with the result if there is one, with its time, and with how late it is.
    #[must_use]
    pub fn sentence(&self) -> String {
        let mut text = self.event.sentence.clone();
        if let Some(result) = &self.result {
            text += &format!(" -> {result}");
        }
        if let Some(time) = self.time {
            text += &format!("  [at {}]", span(time));
        }
        if !self.late.is_zero() {
            text += &format!("  [{} late]", span(self.late));
        }
        text
    }

    /// What the event changed, a line each. A part that vanished, with a node that failed, has no
    /// line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, change) in &self.changes {
            match change {
                PartChange::Value { before: Some(before), after } => {
                    let changed = changes(before, after);
                    lines.extend(changed.iter().map(|change| format!("{name}: {change}")));
                }
                PartChange::Value { before: None, after } => {
                    lines.push(format!("{name}: {after}"));
                }
                PartChange::Bag { gone, come } => {
                    let gone = gone.iter().map(|value| format!("− {value}"));
                    let come = come.iter().map(|value| format!("+ {value}"));
                    let words: Vec<String> = gone.chain(come).collect();
                    lines.push(format!("{name}: {}", words.join(", ")));
                }
                PartChange::Gone => {}
            }
        }
        lines
    }
}

/// A value without a wrapper that only repeats the role of its node: of `Server(Idle)` at `n0 (server)`, `Idle`.
fn without_role<'a>(part: &str, value: &'a str) -> Cow<'a, str> {
    // Roles are written with spaces or dashes, variants without.
    let letters = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let role = part.split_once(" (").and_then(|(_, rest)| rest.strip_suffix(')'));
    let Some(role) = role.map(letters).filter(|role| !role.is_empty()) else { return value.into() };
    let wrapper = value.split_once('(').map(|(wrapper, _)| letters(wrapper));
    if wrapper.as_ref() != Some(&role) {
        return value.into();
    }
    match Value::parse(value) {
        Value::Tuple { items, .. } if items.len() == 1 => items[0].to_string().into(),
        _ => value.into(),
    }
}

/// A state, a line per part; empty bags are skipped, as are those with nothing to say.
///
/// ```
/// use everypath_explore::{PartText, StateText};
///
/// let parts = vec![("n0".to_owned(), PartText::Value("Idle".to_owned()))];
/// assert_eq!(everypath_report::state_lines(&StateText { parts }), ["n0: Idle"]);
/// // That a node is a server is said once.
/// let parts = vec![("n0 (server)".to_owned(), PartText::Value("Server(Idle)".to_owned()))];
/// assert_eq!(everypath_report::state_lines(&StateText { parts }), ["n0 (server): Idle"]);
/// ```
#[must_use]
pub fn state_lines(state: &StateText) -> Vec<String> {
    let parts = state.parts.iter();
    let lines = parts.filter_map(|(name, part)| match part {
        PartText::Value(value) => Some(format!("{name}: {}", without_role(name, value))),
        PartText::Bag(values) if values.is_empty() => None,
        PartText::Bag(values) => Some(format!("{name}: {}", values.join(", "))),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(before: &[&str], after: &[&str]) -> Vec<String> {
        let own =
            |values: &[&str]| values.iter().map(|&value| value.to_owned()).collect::<Vec<_>>();
        let state =
            |values| StateText { parts: vec![("network".to_owned(), PartText::Bag(own(values)))] };
        let event = EventText {
            node: None,
            kind: String::new(),
            parameters: Vec::new(),
            sentence: String::new(),
        };
        let changes = state(before).changes_to(&state(after));
        StoryStep { changes, ..StoryStep::new(event) }.lines()
    }

    #[test]
    fn a_text_forges_no_line() {
        let forged = "x\n\u{1b}[2K\rHOLDS in every reachable state";
        let parts = vec![("n0".to_owned(), PartText::Value(forged.to_owned()))];
        let event = EventText {
            node: None,
            kind: String::new(),
            parameters: Vec::new(),
            sentence: forged.to_owned(),
        };
        let steps = vec![StoryStep::new(event)];
        let text =
            Story { initial: StateText { parts }, steps, histories: Vec::new() }.to_text(false);
        let shown = "x\\n\\u{1b}[2K\\rHOLDS in every reachable state";
        assert_eq!(text, format!(" 0  initially\n        n0: {shown}\n 1  {shown}\n"));
    }

    #[test]
    fn a_wrapper_is_dropped_only_if_it_repeats_the_role() {
        for (part, value, shown) in [
            ("n0 (server)", "Server(Leases({}))", "Leases({})"),
            ("n0 (token server)", "TokenServer(S { a: (1, 2) })", "S { a: (1, 2) }"),
            ("n0 (server)", "Some(1)", "Some(1)"),
            ("n0 (server)", "Server", "Server"),
            ("n0 (server)", "Server(1, 2)", "Server(1, 2)"),
            ("n0 (server)", "Server(1) or Server(2)", "Server(1) or Server(2)"),
            ("n0", "Server(1)", "Server(1)"),
            ("n0 ()", "(1,)", "(1,)"),
        ] {
            let state =
                StateText { parts: vec![(part.to_owned(), PartText::Value(value.to_owned()))] };
            assert_eq!(state_lines(&state), [format!("{part}: {shown}")]);
        }
    }

    #[test]
    fn bags_differ_by_what_left_and_what_came() {
        assert_eq!(step(&["a"], &["a"]), [""; 0]);
        assert_eq!(step(&["a", "a"], &["a"]), ["network: − a"]);
        assert_eq!(step(&["a", "b"], &["b", "c"]), ["network: − a, + c"]);
        assert_eq!(step(&[], &["a", "a"]), ["network: + a, + a"]);
    }
}
