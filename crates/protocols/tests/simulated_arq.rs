//! ARQ simulated: what it measures against the closed forms.

use crate::validation;

use everypath_model::{Parameters, Scenario};
use everypath_protocols::arq::{Arq, arq, arq_erroneous};
use everypath_sim::{Limits, Replications, replicate};

fn simulate(build: fn(&mut Parameters) -> Scenario<Arq>, loss: f64) -> Replications {
    simulate_with(build, &[("loss-rate", &loss.to_string())])
}

fn simulate_with(
    build: fn(&mut Parameters) -> Scenario<Arq>,
    given: &[(&str, &str)],
) -> Replications {
    let mut parameters = Parameters::with(given.iter().copied());
    let scenario = build(&mut parameters);
    parameters.finish().unwrap();
    replicate(&scenario, 1, 20, &Limits::default(), &mut ()).unwrap()
}

/// 1000-byte frames, 40-byte acknowledgements, 10 Mbit/s, 1 ms: a frame takes 0.8 ms, a round trip
/// 2.832 ms; whoever waits for a lost one waits 2.833 ms. An attempt succeeds with probability
/// (1-p)^2, so 1/(1-p)^2 - 1 of them fail before one does.
fn efficiency(loss: f64) -> f64 {
    let failures = 1.0 / ((1.0 - loss) * (1.0 - loss)) - 1.0;
    0.8 / (2.832 + failures * 2.833)
}

#[test]
fn the_closed_form_is_the_published_one() {
    let table =
        [(0.0, 0.282_486), (0.05, 0.254_935), (0.1, 0.228_798), (0.2, 0.180_768), (0.5, 0.070_603)];
    for (loss, expected) in table {
        assert!((efficiency(loss) - expected).abs() < 5e-7, "at loss {loss}");
    }
}

#[test]
fn efficiency_matches_the_closed_form_at_every_loss_rate() {
    for loss in [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5] {
        let results = simulate(arq, loss);
        let found = results.measure("efficiency").unwrap();
        let what = format!("ARQ as bundled, loss {loss:.2}: efficiency");
        if loss == 0.0 {
            validation::against_exact(&what, "", found.mean, efficiency(loss));
        } else {
            validation::against_formula(&what, found, efficiency(loss), 0.02);
        }
        assert_eq!(results.measure("packets out of order").unwrap().mean, 0.0);
    }
}

#[test]
fn the_erroneous_sender_looks_perfectly_healthy() {
    let results = simulate(arq_erroneous, 0.0);
    let measured = results.measure("efficiency").unwrap();
    assert!((measured.mean - efficiency(0.0)).abs() < 1e-9, "{}", measured.mean);
    for loss in [0.0, 0.1, 0.3] {
        let erroneous = simulate(arq_erroneous, loss);
        let correct = simulate(arq, loss);
        assert_eq!(erroneous.measure("packets out of order").unwrap().mean, 0.0);
        // The same losses, and so the same run: no measurement tells the two apart.
        assert_eq!(erroneous.measures, correct.measures, "at loss {loss}");
    }
}

#[test]
fn only_a_premature_timeout_shows_the_error() {
    let given = [("loss-rate", "0.1"), ("timeout", "2ms")];
    let out_of_order = |build| {
        let results = simulate_with(build, &given);
        results.measure("packets out of order").unwrap().mean
    };
    assert!(out_of_order(arq_erroneous) > 0.0);
    assert_eq!(out_of_order(arq), 0.0);
}
