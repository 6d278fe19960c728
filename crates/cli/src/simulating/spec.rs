//! Everything that decides simulated runs, as plain data.

use std::{path::PathBuf, time::Duration};

use everypath_model::WarmUp;
use everypath_sim::{Certainty, Claim, Precision, Question};

use super::picture::PictureSpec;
use crate::{
    arguments::simulate::{CaptureArguments, ClaimArguments, SimulateArguments},
    error::{CliError, unknown, unused},
    output::Target,
    scenario_file::Setting,
    scenarios::{
        any_scenario::{AnyScenario, Timing},
        outline::Outline,
        spec::ScenarioSpec,
    },
};

/// The default limit on runs until a precision is reached: all runs are kept.
const PRECISION_RUNS_MAX: u32 = 10_000;
/// The default limit on the runs of a test.
const TEST_RUNS_MAX: u32 = 100_000;
/// The default number of runs to estimate a probability.
const PROBABILITY_RUNS: u32 = 1000;

/// Everything that decides simulated runs and their output.
pub(crate) struct RunSpec {
    pub(crate) scenario: ScenarioSpec,
    /// Parameters of a second variant, besides those of the first.
    pub(crate) versus: Vec<(String, String)>,
    pub(crate) seed: u64,
    pub(crate) first: u32,
    pub(crate) workers: u32,
    /// These override the scenario.
    duration: Option<Duration>,
    warm_up: Option<WarmUp>,
    replications: Option<u32>,
    /// The required precision of measures.
    pub(crate) precision: Option<Precision>,
    /// Whether assertions are evaluated after every event.
    pub(crate) assert: bool,
    pub(crate) probability: Option<ProbabilitySpec>,
    pub(crate) captures: CaptureSpec,
    pub(crate) pictures: PictureSpec,
    /// The folder in which runs are kept.
    pub(crate) out: Option<PathBuf>,
    pub(crate) log: bool,
    pub(crate) no_time: bool,
    pub(crate) json: bool,
}

/// A question about a probability.
pub(crate) struct ProbabilitySpec {
    pub(crate) question: Question,
    /// The claim about it, and how certain the answer must be.
    pub(crate) claim: Option<(Claim, Certainty)>,
}

impl ProbabilitySpec {
    fn of(arguments: &ClaimArguments) -> Option<Self> {
        let claim = arguments.at_most.map(Claim::AtMost);
        let claim = claim.or(arguments.at_least.map(Claim::AtLeast));
        let certainty = |claim| {
            let usual = Certainty::of(claim);
            Certainty {
                alpha: arguments.alpha.unwrap_or(usual.alpha),
                beta: arguments.beta.unwrap_or(usual.beta),
                indifference: arguments.indifference.unwrap_or(usual.indifference),
            }
        };
        let claim = claim.map(|claim| (claim, certainty(claim)));
        arguments.probability.clone().map(|question| Self { question, claim })
    }
}

/// The files of the first run.
pub(crate) struct CaptureSpec {
    pub(crate) event_log: Option<PathBuf>,
    pub(crate) pcap: Option<PathBuf>,
    pub(crate) ns2_trace: Option<PathBuf>,
}

impl From<&CaptureArguments> for CaptureSpec {
    fn from(arguments: &CaptureArguments) -> Self {
        let CaptureArguments { event_log, pcap, ns2_trace } = arguments.clone();
        Self { event_log, pcap, ns2_trace }
    }
}

impl CaptureSpec {
    pub(crate) const EVENT_LOG: &str = "--event-log";
    pub(crate) const PCAP: &str = "--pcap";
    pub(crate) const NS2_TRACE: &str = "--ns2-trace";

    /// Which files are written where.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target<'_>> {
        let files = [
            (Self::EVENT_LOG, &self.event_log),
            (Self::PCAP, &self.pcap),
            (Self::NS2_TRACE, &self.ns2_trace),
        ];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }
}

impl RunSpec {
    /// From the command line, completed by the scenario file.
    pub(crate) fn new(arguments: &SimulateArguments, setting: Option<&Setting>) -> Self {
        let SimulateArguments { measuring, claims, .. } = arguments;
        let mut precision =
            measuring.precision.map(|share| Precision { share, of: measuring.of.clone() });
        if precision.is_none() && claims.probability.is_none() && measuring.versus.is_empty() {
            precision = setting.and_then(|setting| {
                let of = setting.precision_of.clone();
                setting.precision.map(|share| Precision { share, of })
            });
        }
        let seed = arguments.seed.or(setting.and_then(|setting| setting.seed));
        let replications = setting.and_then(|setting| setting.replications);
        Self {
            scenario: ScenarioSpec::new(&arguments.which, arguments.published),
            versus: measuring.versus.clone(),
            seed: seed.unwrap_or(1),
            first: arguments.first,
            workers: arguments.workers,
            duration: arguments.duration,
            warm_up: measuring.warm_up,
            replications: arguments.replications.or(replications),
            precision,
            assert: claims.assert,
            probability: ProbabilitySpec::of(claims),
            captures: (&arguments.captures).into(),
            pictures: (&arguments.pictures).into(),
            out: arguments.out.clone(),
            log: arguments.log,
            no_time: arguments.no_time,
            json: arguments.json,
        }
    }

    /// The output files that the user has named.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target<'_>> {
        self.captures.targets().chain(self.pictures.target())
    }

    /// The command line overrides the scenario and the file.
    pub(crate) fn overrule(&self, built: &mut dyn AnyScenario) {
        let own = built.timing();
        built.set_timing(Timing {
            duration: self.duration.unwrap_or(own.duration),
            warm_up: self.warm_up.unwrap_or(own.warm_up),
            replications: self.replications(own.replications),
        });
    }

    /// The largest number of runs.
    fn replications(&self, own: u32) -> u32 {
        self.replications.unwrap_or(match (&self.probability, &self.precision) {
            (Some(ProbabilitySpec { claim: Some(_), .. }), _) => TEST_RUNS_MAX,
            (Some(ProbabilitySpec { claim: None, .. }), _) => PROBABILITY_RUNS,
            (None, Some(_)) => PRECISION_RUNS_MAX,
            (None, None) => own,
        })
    }

    /// Refuses a required precision of something that is not measured.
    pub(crate) fn ensure_measured(&self, built: &dyn AnyScenario) -> Result<(), CliError> {
        let Some(Precision { of, .. }) = &self.precision else { return Ok(()) };
        let measures = built.measures().iter().map(|measure| measure.name.as_str());
        if measures.len() == 0 {
            return Err(unused("--precision", "a scenario that computes no measures"));
        }
        of.as_ref().map_or(Ok(()), |of| ensure_measure(measures, of))
    }

    /// Refuses `--assert` and `--probability violated` if assertions cannot be evaluated during a simulation.
    pub(crate) fn ensure_assertions(&self, name: &str, scenario: &Outline) -> Result<(), CliError> {
        let option = match self.probability.as_ref().map(|it| &it.question) {
            Some(Question::Violated) => "--probability violated",
            Some(Question::Measure { name, .. }) => {
                let measures = scenario.simulation.measures.iter();
                return ensure_measure(measures.map(String::as_str), name);
            }
            None if self.assert => "--assert",
            None => return Ok(()),
        };
        let what = if scenario.assertions.is_empty() {
            "has no assertion that can be evaluated after every event".to_owned()
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

fn ensure_measure<'a>(
    mut measures: impl Iterator<Item = &'a str> + Clone,
    name: &str,
) -> Result<(), CliError> {
    let known = measures.clone();
    if measures.any(|other| other == name) {
        return Ok(());
    }
    Err(unknown("measure", name, known))
}
