//! What `simulate` can be told about runs: what of them counts, how many there are, what they are
//! compared with and watched for.

use clap::Args;
use everypath_model::{Protocol, Scenario, WarmUp};
use everypath_sim::{Certainty, Claim, Precision, Question};

use crate::{
    arguments::{assignment, time},
    error::{CliError, remedy},
};

/// How many runs there are at most, if nobody says, until a precision is reached: each is kept.
const PRECISION_RUNS_MAX: u32 = 10_000;
/// How many runs a test has at most, if nobody says.
const TEST_RUNS_MAX: u32 = 100_000;
/// How many runs a probability is estimated from, if nobody says.
const PROBABILITY_RUNS: u32 = 1000;

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct MeasuringArguments {
    /// Do not count what is measured before this moment of a run; `mser5` finds out where each
    /// distribution settles, `none` counts everything [default: the scenario's own]
    #[arg(long, value_name = "TIME|mser5|none", value_parser = warm_up)]
    pub(crate) warm_up: Option<WarmUp>,
    /// Add runs until the 95 % interval of every measure is at most this share of its mean wide, to
    /// each side: at least 5, at most as --replications says, or 10000
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["versus", "probability"])]
    pub(crate) precision: Option<f64>,
    /// Ask for the precision of this measure only
    #[arg(long, value_name = "MEASURE", requires = "precision")]
    pub(crate) of: Option<String>,
    /// Compare with a second variant, which has this parameter besides those of --set, under the
    /// same random numbers; can be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment, conflicts_with = "log")]
    pub(crate) versus: Vec<(String, String)>,
}

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Checking")]
pub(crate) struct ClaimArguments {
    /// Ask the scenario's assertions after every event; a violation ends the simulation and is shown
    #[arg(long, conflicts_with_all = ["versus", "probability"])]
    pub(crate) assert: bool,
    /// Estimate how likely it is in a run that an assertion is violated (`violated`), or that a measure
    /// is beyond a bound (e.g. `delay > 0.1`), from 1000 runs if --replications does not say
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["versus", "log"])]
    pub(crate) probability: Option<Question>,
    /// Test whether that probability is at most this; runs are added until it is decided, at most as
    /// --replications says, or 100000
    #[arg(long, value_name = "P", value_parser = probability, requires = "probability", group = "claim")]
    pub(crate) at_most: Option<f64>,
    /// Test whether that probability is at least this
    #[arg(long, value_name = "P", value_parser = probability, requires = "probability", group = "claim")]
    pub(crate) at_least: Option<f64>,
    /// How likely the test may refute what is true [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) alpha: Option<f64>,
    /// How likely the test may accept what is false [default: 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) beta: Option<f64>,
    /// How far from the bound either answer is as good [default: half of what the bound is away from 0
    /// or 1, at most 0.05]
    #[arg(long, value_name = "P", value_parser = probability, requires = "claim")]
    pub(crate) indifference: Option<f64>,
}

impl MeasuringArguments {
    /// How precisely which measure is to be known, if so.
    pub(crate) fn precision<P: Protocol>(
        &self,
        scenario: &Scenario<P>,
    ) -> Result<Option<Precision>, CliError> {
        let Some(share) = self.precision else { return Ok(None) };
        if scenario.simulation.measures.is_empty() {
            return Err(CliError::Unused {
                option: "--precision".to_owned(),
                with: "a scenario that computes no measures".to_owned(),
            });
        }
        if let Some(of) = &self.of {
            ensure_measure(scenario, of)?;
        }
        Ok(Some(Precision { share, of: self.of.clone() }))
    }

    /// How many runs there are, at most.
    pub(crate) fn replications(
        &self,
        claims: &ClaimArguments,
        given: Option<u32>,
        scenario_s: u32,
    ) -> u32 {
        given.unwrap_or(match (&claims.probability, claims.claim(), self.precision) {
            (Some(_), Some(_), _) => TEST_RUNS_MAX,
            (Some(_), None, _) => PROBABILITY_RUNS,
            (None, _, Some(_)) => PRECISION_RUNS_MAX,
            (None, _, None) => scenario_s,
        })
    }
}

impl ClaimArguments {
    /// What is claimed of the probability, if something is.
    pub(crate) fn claim(&self) -> Option<Claim> {
        self.at_most.map(Claim::AtMost).or(self.at_least.map(Claim::AtLeast))
    }

    pub(crate) fn certainty(&self, claim: Claim) -> Certainty {
        let usual = Certainty::of(claim);
        Certainty {
            alpha: self.alpha.unwrap_or(usual.alpha),
            beta: self.beta.unwrap_or(usual.beta),
            indifference: self.indifference.unwrap_or(usual.indifference),
        }
    }

    /// Whether assertions can be asked during a simulation, if they are to be.
    pub(crate) fn ensure_assertions<P: Protocol>(
        &self,
        name: &str,
        scenario: &Scenario<P>,
    ) -> Result<(), CliError> {
        let option = match &self.probability {
            Some(Question::Violated) => "--probability violated",
            Some(Question::Measure { name, .. }) => return ensure_measure(scenario, name),
            None if self.assert => "--assert",
            None => return Ok(()),
        };
        let what = if scenario.assertions.is_empty() {
            "has no assertion that could be asked after every event".to_owned()
        } else if let Some(event) = &scenario.required {
            format!(
                "counts violations only on runs with `{event}`, which a simulation does not watch for"
            )
        } else {
            return Ok(());
        };
        Err(CliError::Unwatchable { option, scenario: name.to_owned(), what })
    }
}

fn ensure_measure<P: Protocol>(scenario: &Scenario<P>, name: &str) -> Result<(), CliError> {
    let known = scenario.simulation.measures.iter().map(|measure| measure.name.as_str());
    if known.clone().any(|other| other == name) {
        return Ok(());
    }
    Err(CliError::Unknown { what: "measure", name: name.to_owned(), help: remedy(name, known) })
}

fn warm_up(text: &str) -> Result<WarmUp, String> {
    match text {
        "mser5" => Ok(WarmUp::Mser5),
        "none" => Ok(WarmUp::None),
        _ => time(text).map(WarmUp::Until).map_err(|form| format!("{form}, or `mser5` or `none`")),
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share.ok_or_else(|| "write a number between 0 and 1, e.g. 0.05 for 5 % of the mean".to_owned())
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "write a number from 0 to 1, e.g. 0.01".to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_is_told_is_read() {
        assert_eq!(warm_up("mser5"), Ok(WarmUp::Mser5));
        assert_eq!(warm_up("1.5s"), Ok(WarmUp::Until(Duration::from_millis(1500))));
        assert!(warm_up("mser").is_err_and(|form| form.ends_with("or `mser5` or `none`")));
        assert_eq!(share("0.05"), Ok(0.05));
        assert_eq!(probability("1"), Ok(1.0));
        for wrong in ["", "0", "1", "-0.1", "5%", "nan", "inf"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "1.1", "-0.1", "5%", "nan", "inf"] {
            assert!(probability(wrong).is_err(), "{wrong}");
        }
    }
}
