//! How often timers may fire on one run of an exploration.

use crate::Budget;

/// How often timers may fire together on one run of an exploration.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Budget, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::chain(2)).timeouts(Budget::AtMost(3));
/// assert_eq!((&scenario.timeouts[0].timers[..], scenario.timeouts[0].most), ("timer", Budget::AtMost(3)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeoutBudget {
    /// Which timers: a pattern of `check --require` for events of the kind `timer`.
    pub timers: String,
    /// How often they may fire.
    pub most: Budget,
}

/// How many budgets of timeouts a scenario can have.
pub const TIMEOUT_BUDGETS_MAX: usize = 4;

impl TimeoutBudget {
    /// How often at most, if there is a limit.
    #[must_use]
    pub fn times(&self) -> Option<u32> {
        match self.most {
            Budget::Off => Some(0),
            Budget::AtMost(times) => Some(times),
            Budget::Unlimited => None,
        }
    }

    /// The node that the pattern names, if it names one; nothing if it is not a pattern of timers.
    pub(crate) fn node(&self) -> Option<Option<u32>> {
        let rest = self.timers.strip_prefix("timer")?;
        let place = match rest.split_once(':') {
            Some((_, "")) => return None,
            Some((place, _)) => place,
            None => rest,
        };
        if place.is_empty() {
            return Some(None);
        }
        let node = place.strip_prefix('@')?;
        node.strip_prefix('n').unwrap_or(node).parse().ok().map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_timers_are_told_from_others() {
        let node =
            |timers: &str| TimeoutBudget { timers: timers.to_owned(), most: Budget::Off }.node();
        for (pattern, place) in [
            ("timer", None),
            ("timer:Retransmit", None),
            ("timer@2", Some(2)),
            ("timer@n2:Retransmit(3)", Some(2)),
        ] {
            assert_eq!(node(pattern), Some(place), "{pattern}");
        }
        for wrong in [
            "",
            "timers",
            "deliver",
            "timer:",
            "timer@",
            "timer@x",
            "@1",
            ":Retransmit",
            "Retransmit",
        ] {
            assert_eq!(node(wrong), None, "{wrong}");
        }
    }
}
