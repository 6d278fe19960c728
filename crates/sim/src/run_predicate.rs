//! Question that each run answers: does something happen in it?

use std::{fmt, ops::ControlFlow, str::FromStr};

use everypath_model::{Protocol, Scenario};
use thiserror::Error;

use crate::{Ending, Limits, Plan, Proportion, SimError};

/// How a measure is compared with a number.
///
/// ```
/// use everypath_sim::{Question, Relation};
///
/// let question = "delay > 0.5".parse();
/// let relation = Relation::Above;
/// assert_eq!(question, Ok(Question::Measure { name: "delay".to_owned(), relation, bound: 0.5 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `>`
    Above,
    /// `>=`
    AtLeast,
}

impl Relation {
    /// The relations with their signs, the longer signs first.
    const SIGNS: [(&'static str, Self); 4] =
        [("<=", Self::AtMost), (">=", Self::AtLeast), ("<", Self::Below), (">", Self::Above)];

    fn sign(self) -> &'static str {
        Self::SIGNS.iter().find(|(_, it)| *it == self).expect("every relation has a sign").0
    }

    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Self::Below => value < bound,
            Self::AtMost => value <= bound,
            Self::Above => value > bound,
            Self::AtLeast => value >= bound,
        }
    }
}

/// Whether something happens in a run: what a probability is of.
///
/// ```
/// use everypath_sim::Question;
///
/// let ratio: Question = "delivery ratio >= 0.9".parse().unwrap();
/// assert_eq!(ratio.to_string(), "delivery ratio >= 0.9");
/// assert_eq!("violated".parse(), Ok(Question::Violated));
/// assert!("delivery ratio".parse::<Question>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// An assertion of the scenario is violated, or a handler panics.
    Violated,
    /// A measure of the scenario compares so with a number.
    Measure {
        /// Its name.
        name: String,
        /// How it compares.
        relation: Relation,
        /// With what.
        bound: f64,
    },
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Violated => f.write_str("violated"),
            Self::Measure { name, relation, bound } => {
                write!(f, "{name} {} {bound}", relation.sign())
            }
        }
    }
}

/// How a question is written.
const FORM: &str = "write `violated`, or a measure and its bound, e.g. `delay > 0.1`";

/// A text that is not a question.
///
/// ```
/// use everypath_sim::{Question, QuestionError};
///
/// assert_eq!("> 3".parse::<Question>(), Err(QuestionError::NoMeasure));
/// assert_eq!("delay".parse::<Question>(), Err(QuestionError::Form));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuestionError {
    /// It neither is `violated` nor compares anything.
    #[error("{FORM}")]
    Form,
    /// It does not say what is compared.
    #[error("no measure is named; {FORM}")]
    NoMeasure,
    /// What a measure is compared with is not a number.
    #[error("`{text}` is not a number; {FORM}")]
    NoNumber {
        /// What is there instead.
        text: String,
    },
}

impl FromStr for Question {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Self, QuestionError> {
        if text.trim() == "violated" {
            return Ok(Self::Violated);
        }
        let place = text.find(['<', '>']).ok_or(QuestionError::Form)?;
        let (name, rest) = text.split_at(place);
        let signs = Relation::SIGNS.into_iter();
        let mut found = signs.filter_map(|(sign, it)| Some((it, rest.strip_prefix(sign)?)));
        let (relation, number) = found.next().ok_or(QuestionError::Form)?;
        let (name, number) = (name.trim(), number.trim());
        let bound = number.parse().ok().filter(|bound: &f64| bound.is_finite());
        match bound {
            Some(bound) if !name.is_empty() => {
                Ok(Self::Measure { name: name.to_owned(), relation, bound })
            }
            Some(_) => Err(QuestionError::NoMeasure),
            None => Err(QuestionError::NoNumber { text: number.to_owned() }),
        }
    }
}

/// In how many runs something happened.
///
/// ```
/// # mod coin { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/coin.rs")); }
/// # use coin::Coin;
/// use std::ops::ControlFlow;
/// use everypath_model::{Scenario, Topology};
/// use everypath_sim::{Plan, Question};
///
/// # fn main() -> Result<(), everypath_sim::SimError> {
/// let scenario = Scenario::new(Coin, Topology::ring(4)).simulation(|run| run.measure_count("heard"));
/// let question: Question = "heard > 100".parse().unwrap();
/// let answer = Plan::new(1, 20).ask(&scenario, &question, |_| ControlFlow::Continue(()))?;
/// assert_eq!((answer.seen.runs, answer.seen.happened, answer.first), (20, 0, None));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// How many runs there were, and in how many it happened.
    pub seen: Proportion,
    /// How many events there were in them.
    pub events: u64,
    /// The first replication in which it happened.
    pub first: Option<u32>,
    /// Whether fewer were run than asked for, because the stop flag was raised.
    pub stopped: bool,
}

impl Plan<'_> {
    /// Asks this many runs of a scenario whether something happens in them, or until it is enough: after
    /// each run, in the order of replications, `enough` learns whether it happened there. Of a
    /// run in which an assertion is violated or a handler panics, the rest is not simulated if that is
    /// the question.
    ///
    /// # Errors
    /// If the scenario cannot be run or has no such measure, if a measure panics or is undefined in
    /// any of the runs, or, if the question is about a measure, a handler panics.
    pub fn ask<P: Protocol>(
        &self,
        scenario: &Scenario<P>,
        question: &Question,
        mut enough: impl FnMut(bool) -> ControlFlow<()>,
    ) -> Result<Answer, SimError> {
        let seen = Proportion { runs: 0, happened: 0 };
        let mut answer = Answer { seen, events: 0, first: None, stopped: false };
        let stopped = self.each(
            |replication, limits| self.asked(scenario, replication, limits, question),
            |(happened, events)| {
                let Some(happened) = happened else {
                    answer.stopped = true;
                    return ControlFlow::Break(());
                };
                if happened && answer.first.is_none() {
                    answer.first = Some(self.first.wrapping_add(answer.seen.runs));
                }
                answer.seen.runs += 1;
                answer.seen.happened += u32::from(happened);
                answer.events += events;
                enough(happened)
            },
        )?;
        answer.stopped |= stopped;
        Ok(answer)
    }

    /// Whether it happens in one run, if that came to its end, and how many events there were.
    fn asked<P: Protocol>(
        &self,
        scenario: &Scenario<P>,
        replication: u32,
        limits: &Limits<'_>,
        question: &Question,
    ) -> Result<(Option<bool>, u64), SimError> {
        let violation = *question == Question::Violated;
        let run = match self.run(scenario, replication, &Limits { violation, ..*limits }) {
            Err(SimError::HandlerPanicked { .. }) if violation => return Ok((Some(true), 0)),
            run => run?,
        };
        let happened = match (run.ending, question) {
            (Ending::Stopped, _) => None,
            (ending, Question::Violated) => Some(ending == Ending::Violated),
            (_, Question::Measure { name, relation, bound }) => {
                let value = run.measure(name).ok_or_else(|| SimError::NoMeasure(name.clone()))?;
                if value.is_nan() {
                    return Err(SimError::Undefined { replication, name: name.clone() });
                }
                Some(relation.holds(value, *bound))
            }
        };
        Ok((happened, run.events))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_read_as_they_are_written() {
        for (text, relation) in [
            ("delay in s<=0.5", Relation::AtMost),
            ("delay in s >= 0.5", Relation::AtLeast),
            (" delay in s< 5e-1", Relation::Below),
            ("delay in s > +0.50 ", Relation::Above),
        ] {
            let name = "delay in s".to_owned();
            assert_eq!(text.parse(), Ok(Question::Measure { name, relation, bound: 0.5 }));
        }
        for wrong in ["", "delay", "delay > ", "> 3", "delay > x", "delay < inf"] {
            let refused = wrong.parse::<Question>();
            assert!(
                refused.is_err_and(|it| it.to_string().contains("write `violated`")),
                "{wrong}"
            );
        }
    }
}
