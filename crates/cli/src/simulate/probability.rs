//! `simulate --probability`: the probability of something in a run.

use std::{fmt::Write, ops::ControlFlow};

use everypath_sim::{
    Answer, Certainty, Claim, Decision, Plan, Proportion, Question, SequentialTest,
};
use serde::Serialize;

use super::job::{HeadingReport, Job};
use crate::{
    error::{CliError, not_simulated},
    output::{
        Outcome, bad, good,
        numbers::{counted, grouped, significant},
        print, print_json, unsure,
    },
    running::progress::Line,
    scenarios::{any_scenario::AnyScenario, subject::Subject},
    simulating::spec::ProbabilitySpec,
};

/// Estimates a probability, or tests a claim about it.
pub(super) fn probability(
    built: &dyn AnyScenario,
    job: &Job<'_>,
    asked: &ProbabilitySpec,
) -> Result<Outcome, CliError> {
    let ProbabilitySpec { question, claim } = asked;
    let claim = *claim;
    let mut test = claim
        .map(|(claim, certainty)| SequentialTest::new(claim, certainty))
        .transpose()
        .map_err(|error| CliError::Untestable { error })?;
    let Plan { replications, .. } = job.plan;
    let mut line = Line::new(!job.spec.json);
    let mut seen = Proportion { runs: 0, happened: 0 };
    let answer = built.ask(&job.plan, question, &mut |happened| {
        seen.runs += 1;
        seen.happened += u32::from(happened);
        line.update(|| {
            let at_most = if claim.is_some() { "at most " } else { "" };
            let Proportion { runs, happened } = seen;
            format!("run {runs} of {at_most}{replications}: {question} in {happened}")
        });
        match test.as_mut().and_then(|test| test.observe(happened)) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    });
    drop(line);
    let report = Report {
        built: &built.subject(),
        job,
        question,
        answer: answer.map_err(|error| not_simulated(&built.origins().name, error, ""))?,
        claim,
        decision: test.and_then(|test| test.decision()),
    };
    if job.spec.json {
        print_json(&report.to_json());
    } else {
        print(&report.to_text());
    }
    Ok(report.outcome())
}

/// The report of `simulate --probability`.
struct Report<'a> {
    built: &'a Subject<'a>,
    job: &'a Job<'a>,
    question: &'a Question,
    answer: Answer,
    claim: Option<(Claim, Certainty)>,
    decision: Option<Decision>,
}

impl Report<'_> {
    fn outcome(&self) -> Outcome {
        match (self.claim, self.decision) {
            (_, Some(Decision::Accepted)) => Outcome::Fine,
            (_, Some(Decision::Refuted)) => Outcome::Violation,
            (Some(_), None) => Outcome::Stopped,
            (None, None) if self.answer.stopped => Outcome::Stopped,
            (None, None) => Outcome::Fine,
        }
    }

    /// An interval is reported only if the number of runs did not depend on their results.
    fn interval(&self) -> Option<(f64, f64)> {
        self.claim.is_none().then(|| self.answer.seen.interval())
    }

    fn to_json(&self) -> ProbabilityReport {
        let Answer { seen, events, first, stopped, .. } = self.answer;
        ProbabilityReport {
            heading: self.job.heading(self.built, &[]),
            runs: seen.runs,
            complete: self.outcome() != Outcome::Stopped,
            events,
            seconds: self.job.seconds(),
            question: self.question.to_string(),
            happened: seen.happened,
            first_happened_in: first,
            probability: (seen.runs > 0).then(|| seen.share()),
            interval_95: self.interval().map(|(low, high)| [low, high]),
            stopped,
            test: self.claim.map(|(claim, certainty)| self.test(claim, certainty)),
        }
    }

    fn test(&self, claim: Claim, certainty: Certainty) -> TestReport {
        let (at_most, at_least) = match claim {
            Claim::AtMost(bound) => (Some(bound), None),
            Claim::AtLeast(bound) => (None, Some(bound)),
        };
        let Certainty { alpha, beta, indifference } = certainty;
        let decision = match self.decision {
            Some(Decision::Accepted) => DecisionReport::Accepted,
            Some(Decision::Refuted) => DecisionReport::Refuted,
            None => DecisionReport::Undecided,
        };
        TestReport { at_most, at_least, alpha, beta, indifference, decision }
    }

    fn to_text(&self) -> String {
        let Answer { seen, events, first, stopped, .. } = self.answer;
        let Proportion { runs, happened } = seen;
        let mut text = self.job.title(self.built, u64::from(runs), "run");
        if stopped {
            let _ = writeln!(text, "{}: fewer runs than asked for", unsure("STOPPED by the user"));
        }
        let question = self.question;
        let _ = writeln!(
            text,
            "\n{question}: in {} of {}",
            grouped(happened.into()),
            counted(runs.into(), "run")
        );
        if let (Some(first), Question::Violated) = (first, question) {
            let _ = writeln!(
                text,
                "first in replication {first}; `--first {first} --replications 1 --assert` shows it"
            );
        }
        if let Some((low, high)) = self.interval().filter(|_| runs > 0) {
            let [share, low, high] = [seen.share(), low, high].map(significant);
            let _ = writeln!(text, "probability {share}, 95 % interval {low} to {high}");
        }
        if let Some((claim, certainty)) = self.claim {
            self.verdict(&mut text, claim, certainty);
        }
        text.push('\n');
        text += &self.job.speed(events);
        text
    }

    fn verdict(&self, text: &mut String, claim: Claim, certainty: Certainty) {
        let claimed = match claim {
            Claim::AtMost(bound) => format!("its probability is at most {bound}"),
            Claim::AtLeast(bound) => format!("its probability is at least {bound}"),
        };
        let verdict = match self.decision {
            Some(Decision::Accepted) => good("ACCEPTED"),
            Some(Decision::Refuted) => bad("REFUTED"),
            None => unsure("UNDECIDED"),
        };
        let Certainty { alpha, beta, indifference } = certainty;
        let apart = significant(indifference);
        let _ = writeln!(text, "{verdict}: {claimed} (± {apart}; alpha {alpha}, beta {beta})");
        if self.decision.is_none() && !self.answer.stopped {
            let _ = writeln!(text, "more --replications or a larger --indifference can decide it");
        }
    }
}

/// The probability of something in a run.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Probability"))]
pub(crate) struct ProbabilityReport {
    #[serde(flatten)]
    heading: HeadingReport,
    /// How many runs there were.
    runs: u32,
    /// Whether it ended by itself, with a decision if there was a claim.
    complete: bool,
    /// The number of events in all runs.
    events: u64,
    /// The duration of the simulation; null with `--no-time`.
    #[cfg_attr(test, schemars(range(min = 0)))]
    seconds: Option<f64>,
    /// The question about each run.
    question: String,
    /// The number of runs in which it happened.
    happened: u32,
    /// The first run in which it happened.
    first_happened_in: Option<u32>,
    /// The share of runs in which it happened; null if there are none.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    probability: Option<f64>,
    /// The 95 % confidence interval after Clopper and Pearson; null with a test, whose number of runs depends on their results.
    #[cfg_attr(test, schemars(inner(range(min = 0, max = 1))))]
    interval_95: Option<[f64; 2]>,
    /// Whether the user stopped it.
    stopped: bool,
    /// The sequential test; null without a claim.
    test: Option<TestReport>,
}

/// A sequential test of a claim about a probability.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Test"))]
struct TestReport {
    /// The upper bound that was claimed; null if it was a lower one.
    at_most: Option<f64>,
    /// The lower bound that was claimed; null if it was an upper one.
    at_least: Option<f64>,
    /// The accepted probability that a true claim is refuted.
    alpha: f64,
    /// The accepted probability that a false claim is accepted.
    beta: f64,
    /// The distance from the bound within which either decision is right.
    indifference: f64,
    /// The decision.
    decision: DecisionReport,
}

/// The decision of a test.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Decision"))]
enum DecisionReport {
    /// The claim is accepted.
    Accepted,
    /// The claim is refuted.
    Refuted,
    /// More runs are needed.
    Undecided,
}
