//! The choice of a scenario, as plain data.

use everypath_model::{Parameters, Profile};

use crate::arguments::{published::ProfileArguments, which::Which};

/// A scenario, or a scenario file, with its options on the command line.
#[derive(Clone)]
pub(crate) struct ScenarioSpec {
    pub(crate) name: String,
    /// Parameters with their values.
    pub(crate) set: Vec<(String, String)>,
    pub(crate) profile: Profile,
}

impl ScenarioSpec {
    pub(crate) fn new(which: &Which, published: ProfileArguments) -> Self {
        let Which { scenario, set } = which;
        Self { name: scenario.clone(), set: set.clone(), profile: published.profile.into() }
    }

    pub(crate) fn parameters(&self) -> Parameters {
        Parameters::with(self.set.clone()).under(self.profile)
    }

    /// With other values for some parameters.
    pub(crate) fn with(&self, others: &[(String, String)]) -> Self {
        let is_other = |name: &str| others.iter().any(|(other, _)| other == name);
        let kept = self.set.iter().filter(|(name, _)| !is_other(name));
        Self { set: kept.chain(others).cloned().collect(), ..self.clone() }
    }
}
