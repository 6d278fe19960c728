//! Faults of an exploration, and their budgets.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::EventKind;

/// The syntax of a budget, for messages.
pub(crate) const BUDGET_SYNTAX: &str = "off, unlimited, or how often at most";

/// How often a fault may happen on one run.
///
/// ```
/// use everypath_model::Budget;
///
/// assert_eq!("2".parse(), Ok(Budget::AtMost(2)));
/// assert_eq!(Budget::Unlimited.to_string(), "unlimited");
/// assert!(Budget::AtMost(2).is_counted() && !Budget::Unlimited.is_counted());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Budget {
    /// Never.
    #[default]
    Off,
    /// At most this many times.
    AtMost(u32),
    /// Without limit.
    Unlimited,
}

impl Budget {
    /// Whether the budget is used up at some time, so that a state must count the faults.
    #[must_use]
    pub fn is_counted(self) -> bool {
        matches!(self, Self::AtMost(_))
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::AtMost(times) => write!(f, "{times}"),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// A text that is not a budget.
///
/// ```
/// use everypath_model::Budget;
///
/// let error = "twice".parse::<Budget>().unwrap_err();
/// assert_eq!(error.text, "twice");
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not a fault budget; write {BUDGET_SYNTAX}")]
#[non_exhaustive]
pub struct BudgetError {
    /// The text.
    pub text: String,
}

impl FromStr for Budget {
    type Err = BudgetError;

    fn from_str(text: &str) -> Result<Self, BudgetError> {
        match text {
            "off" => Ok(Self::Off),
            "unlimited" => Ok(Self::Unlimited),
            number => match number.parse() {
                Ok(0) => Ok(Self::Off),
                Ok(times) => Ok(Self::AtMost(times)),
                Err(_) => Err(BudgetError { text: text.to_owned() }),
            },
        }
    }
}

/// The fault budgets of an exploration. A packet can be lost or duplicated when it could arrive
/// next; its copy is in flight right behind it.
///
/// No packet arrives, is lost or is duplicated on a link that is down. A packet that is in flight
/// there, or sent later, waits: it comes back to its sender
/// ([`on_undeliverable`](crate::Protocol::on_undeliverable)), or arrives after the link is up
/// again.
///
/// ```
/// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
/// # use greeting::Greeting;
/// use everypath_model::{Budget, Faults, Scenario, Topology};
///
/// let scenario = Scenario::new(Greeting, Topology::ring(3)).loss(Budget::Unlimited);
/// assert_eq!(scenario.faults, Faults { loss: Budget::Unlimited, ..Faults::default() });
/// assert!(!scenario.faults.break_links());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The network loses a packet.
    pub loss: Budget,
    /// The network duplicates a packet.
    pub duplication: Budget,
    /// A node reboots.
    pub reboot: Budget,
    /// A link fails.
    pub link_failure: Budget,
    /// A failed link comes back.
    pub link_return: Budget,
}

impl Faults {
    /// The budgets as texts, each with the kind of its events and the method of a scenario that sets it.
    ///
    /// ```
    /// use everypath_model::{Budget, Faults};
    ///
    /// let faults = Faults { loss: Budget::AtMost(2), ..Faults::default() };
    /// assert_eq!(faults.listed()[0], ("lose", "loss", "2".to_owned()));
    /// ```
    #[must_use]
    pub fn listed(&self) -> [(&'static str, &'static str, String); 5] {
        let Self { loss, duplication, reboot, link_failure, link_return } = self;
        [
            (EventKind::Lose, "loss", loss),
            (EventKind::Duplicate, "duplication", duplication),
            (EventKind::Reboot, "reboot", reboot),
            (EventKind::LinkDown, "link_failure", link_failure),
            (EventKind::LinkUp, "link_return", link_return),
        ]
        .map(|(kind, method, budget)| (kind.name(), method, budget.to_string()))
    }

    /// Whether links can fail.
    #[must_use]
    pub fn break_links(&self) -> bool {
        !matches!(self.link_failure, Budget::Off | Budget::AtMost(0))
    }
}
