//! Conditions of a search: required and disabled events, and deadlocks.

use std::fmt;

use crate::{
    dice::Dice,
    scenario::{Case, KINDS},
};

/// A pattern of events, as for `--require` and `--disable`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The name of the kind.
    pub kind: Option<&'static str>,
    /// The node.
    pub node: Option<usize>,
    /// A text that one of the parameters contains.
    pub about: Option<String>,
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.unwrap_or_default())?;
        if let Some(node) = self.node {
            write!(f, "@{node}")?;
        }
        self.about.as_ref().map_or(Ok(()), |about| write!(f, ":{about}"))
    }
}

impl Pattern {
    fn draw(dice: &mut Dice, case: &Case) -> Self {
        const TEXTS: [&str; 14] = [
            "Ask",
            "Tell",
            "Stop",
            "Tick",
            "Tock",
            "Go",
            "Halt",
            "n0",
            "n1",
            "n0–n1",
            "[0]",
            "1",
            "heard by n1",
            "no node",
        ];
        let pattern = Self {
            kind: dice.perhaps(75, |dice| dice.pick(&KINDS)),
            node: dice.perhaps(30, |dice| dice.below(case.nodes)),
            about: dice.perhaps(35, |dice| dice.pick(&TEXTS).to_owned()),
        };
        match pattern == Self::default() {
            true => Self { kind: Some("deliver"), ..pattern },
            false => pattern,
        }
    }

    /// Whether it matches all events of a kind.
    fn is_whole(&self, kind: &str) -> bool {
        self.kind == Some(kind) && self.node.is_none() && self.about.is_none()
    }
}

/// The conditions of a search.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Events that never happen.
    pub disabled: Vec<Pattern>,
    /// The event that a run needs for its violations to count.
    pub required: Option<Pattern>,
    /// Whether a deadlock is a violation.
    pub deadlock: bool,
}

impl Conditions {
    /// Random conditions.
    pub fn draw(dice: &mut Dice, case: &Case) -> Self {
        let some = dice.below(4);
        let disabled = match some {
            0 | 1 => dice.between(1, 2),
            _ => 0,
        };
        Self {
            disabled: dice.several(disabled, |dice| Pattern::draw(dice, case)),
            required: (some != 0).then(|| Pattern::draw(dice, case)),
            deadlock: dice.percent(25),
        }
    }

    /// Whether they name impossible events, so that they must be refused.
    #[must_use]
    pub fn are_impossible(&self, case: &Case) -> bool {
        let faults = &case.faults;
        let never = |kind: &str| match kind {
            "lose" => faults.loss.is_never(),
            "duplicate" => faults.duplication.is_never(),
            "reboot" => faults.reboot.is_never(),
            "undeliverable" | "link-down" => !case.links_fail(),
            "link-up" => !case.links_fail() || faults.comeback.is_never(),
            _ => false,
        };
        let is_left_out = |kind: &str| self.disabled.iter().any(|pattern| pattern.is_whole(kind));
        self.disabled.iter().filter_map(|pattern| pattern.kind).any(never)
            || self
                .required
                .iter()
                .filter_map(|pattern| pattern.kind)
                .any(|kind| never(kind) || is_left_out(kind))
    }
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pattern in &self.disabled {
            write!(f, " --disable {pattern}")?;
        }
        if let Some(pattern) = &self.required {
            write!(f, " --require {pattern}")?;
        }
        if self.deadlock { f.write_str(" --deadlock") } else { Ok(()) }
    }
}
