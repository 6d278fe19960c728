//! Remaining fault budgets.

use everypath_model::{Budget, Faults};
use serde::{Deserialize, Serialize};

/// Remaining fault budgets, except those of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct FaultsLeft {
    pub(crate) loss: Left,
    pub(crate) duplication: Left,
    pub(crate) reboot: Left,
}

/// The rest of one budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Left {
    /// This many times.
    Times(u32),
    /// Without limit.
    Unlimited,
}

impl Left {
    pub(crate) fn some(self) -> bool {
        self != Self::Times(0)
    }

    pub(super) fn is_within(self, budget: Budget) -> bool {
        match (self, Self::from(budget)) {
            (Self::Times(left), Self::Times(most)) => left <= most,
            (Self::Unlimited, Self::Unlimited) => true,
            (Self::Times(_), Self::Unlimited) | (Self::Unlimited, Self::Times(_)) => false,
        }
    }

    pub(super) fn covers(self, other: Self) -> bool {
        match (self, other) {
            (Self::Times(left), Self::Times(needed)) => left >= needed,
            (Self::Unlimited, _) => true,
            (Self::Times(_), Self::Unlimited) => false,
        }
    }

    pub(super) fn spend(&mut self) {
        if let Self::Times(times) = self {
            *times -= 1;
        }
    }
}

impl From<Budget> for Left {
    fn from(budget: Budget) -> Self {
        match budget {
            Budget::Off => Self::Times(0),
            Budget::AtMost(times) => Self::Times(times),
            Budget::Unlimited => Self::Unlimited,
        }
    }
}

impl FaultsLeft {
    /// Whether a run with these budgets can have this remaining budget.
    pub(crate) fn is_within(self, faults: Faults) -> bool {
        self.loss.is_within(faults.loss)
            && self.duplication.is_within(faults.duplication)
            && self.reboot.is_within(faults.reboot)
    }
}

impl From<Faults> for FaultsLeft {
    fn from(faults: Faults) -> Self {
        Self {
            loss: faults.loss.into(),
            duplication: faults.duplication.into(),
            reboot: faults.reboot.into(),
        }
    }
}
