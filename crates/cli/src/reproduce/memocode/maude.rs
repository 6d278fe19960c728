//! Maude's LTL model checker on the same ARQ, if it is installed.

use std::{
    io::Write,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// ARQ for Maude.
const MODEL: &str = include_str!("arq.maude");

/// The limits on the data frames that are sent.
pub(super) const LIMITS: [u32; 3] = [10, 100, 1000];

/// What Maude found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The states of the run to the error, without the loop or the end in which it stays.
    pub(super) states: u64,
    pub(super) time: Duration,
}

/// Asks Maude whether the error can be reached, with or without losses of acknowledgements. `None` without Maude.
pub(super) fn ask(loses: bool, most: u32) -> Option<Answer> {
    let module = if loses { "WITH-ACK-LOSS" } else { "WITHOUT-ACK-LOSS" };
    let question =
        format!("{MODEL}\nred in {module} : modelCheck(start({most}), [] near) .\nquit\n");
    let started = Instant::now();
    let mut maude = Command::new("maude")
        .args(["-no-banner", "-no-wrap", "-no-advise"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    // It reads all of its input before it answers so much that a pipe is full.
    maude.stdin.take()?.write_all(question.as_bytes()).ok()?;
    let output = maude.wait_with_output().ok()?;
    let time = started.elapsed();
    let states = states(&String::from_utf8_lossy(&output.stdout))?;
    Some(Answer { states, time })
}

/// How many states the run of a counterexample has before it stays in a loop: `counterexample({…} {…}, {…})`.
fn states(answer: &str) -> Option<u64> {
    let (_, run) = answer.split_once("counterexample(")?;
    let (before, _) = run.split_once("}, {")?;
    Some(before.matches('{').count() as u64)
}

#[cfg(test)]
mod tests {
    use super::{ask, states};

    #[test]
    fn states_of_a_run_are_counted() {
        let answer =
            "result ModelCheckResult: counterexample({< 0 >,'a} {< 1 >,'b}, {< 2 >,deadlock})";
        assert_eq!(states(answer), Some(2));
        assert_eq!(states("result Bool: true"), None);
    }

    /// The published lengths are 19, 199 and 1999. Without Maude there is nothing to compare.
    #[test]
    fn maude_oscillates_between_loss_and_repetition() {
        for (most, published) in [(10, 19), (100, 199)] {
            if let Some(answer) = ask(false, most) {
                assert_eq!(answer.states, published);
            }
        }
    }
}
