//! Rhythms of commands against closed forms.

use crate::validation;

use std::time::Duration;

use everypath_model::{Never, Node, NodeId, Protocol, Readings, Rhythm, Scenario, Start, Topology};
use everypath_sim::{Estimate, Limits, replicate};

/// Counts the commands that it is given.
struct Counter;

impl Protocol for Counter {
    type State = ();
    type Message = Never;
    type Timer = Never;
    type Command = ();

    fn start(&self, _: &mut Start<'_, Self>) {}

    fn on_message(&self, _: &mut Node<'_, Self>, _: NodeId, _: &Never) {}

    fn on_command(&self, node: &mut Node<'_, Self>, (): &()) {
        node.count("commands");
    }
}

/// How many commands there are in each of many runs, in so long after the beginning.
fn counts(rhythm: Rhythm, during: Duration, runs: u32) -> Vec<f64> {
    let begin = Duration::from_secs(3);
    let scenario = Scenario::new(Counter, Topology::chain(1))
        .simulation(|run| run.job(NodeId(0), (), begin, rhythm).duration(begin + during));
    let runs = replicate(&scenario, 1, runs, &Limits::default(), &mut ()).unwrap().runs;
    runs.iter().map(|run| run.count("commands") as f64).collect()
}

#[test]
fn the_counts_of_a_poisson_process_have_their_mean_for_variance() {
    let rhythm = Rhythm::Poisson(Duration::from_millis(400));
    let counts = counts(rhythm, Duration::from_secs(10), 4000);
    let hold = |what, values: &[f64]| {
        let what = format!("Poisson commands, every 0.4 s on average: {what} in 10 s");
        validation::against_formula(&what, &Estimate::of("count", "", values), 25.0, 0.06);
    };
    hold("mean", &counts);
    // The squared distance from the mean of a Poisson count has the variance of the count for its mean.
    let squares: Vec<f64> = counts.iter().map(|count| (count - 25.0).powi(2)).collect();
    hold("variance", &squares);
}

#[test]
fn an_on_off_rhythm_has_its_duty_cycle_from_the_beginning() {
    let (on, off, every) = (0.3, 0.7, 0.05_f64);
    let duration = Duration::from_secs_f64;
    let rhythm = Rhythm::OnOff { on: duration(on), off: duration(off), every: duration(every) };
    // In a time on of exponential length there is one at its beginning, and one more for each whole interval.
    let per_time_on = 1.0 / (1.0 - (-every / on).exp());
    let per_second = per_time_on / (on + off);
    // The first tenth of a second is as any other.
    for (during_s, runs) in [(10.0, 1000), (0.1, 10_000)] {
        let found = Estimate::of("count", "", &counts(rhythm, duration(during_s), runs));
        let what = format!(
            "commands on for 0.3 s, off for 0.7 s, every 0.05 s: in the first {during_s} s"
        );
        validation::against_formula(&what, &found, during_s * per_second, 0.05);
    }
}
