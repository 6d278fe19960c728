//! `list` and `show`.

pub(crate) mod json;

use std::fmt::Write;

use everypath_driver::CallText;
use everypath_model::{Capacity, NodeId, Parameters, TimeoutBudget};

use self::json::{DriverReport, EntriesReport, ScenarioReport};
use crate::{
    arguments::{published::ProfileArguments, which::Which},
    error::CliError,
    output::{Outcome, numbers::counted, print, print_json, program_name},
    scenarios::{
        driver::call_text,
        entry::{self, Entry, about},
        spec::ScenarioSpec,
        subject::Subject,
    },
};

/// Lists the scenarios and drivers.
pub(crate) fn list(entries: &[Box<dyn Entry>], json: bool) -> Outcome {
    if json {
        print_json(&EntriesReport::new(entries));
        return Outcome::Fine;
    }
    let width = entries.iter().map(|entry| entry.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for entry in entries {
        let _ = writeln!(text, "{:width$}  {}", entry.name(), about(entry.as_ref()));
    }
    let _ = writeln!(text, "\n`{} show SCENARIO` tells more.", program_name());
    print(&text);
    Outcome::Fine
}

/// Shows the parts of a scenario.
pub(crate) fn show(
    entries: &[Box<dyn Entry>],
    which: &Which,
    published: ProfileArguments,
    json: bool,
) -> Result<Outcome, CliError> {
    let spec = ScenarioSpec::new(which, published);
    let built = entry::find(entries, &spec.name)?.build_any(spec.parameters())?;
    let subject = built.subject();
    match (json, &subject.scenario.calls) {
        (false, _) => print(&as_text(&subject)),
        (true, None) => print_json(&ScenarioReport::from(&subject)),
        (true, Some(calls)) => print_json(&DriverReport::new(&subject, calls)),
    }
    Ok(Outcome::Fine)
}

fn as_text(built: &Subject<'_>) -> String {
    match &built.scenario.calls {
        Some(calls) => driver_text(built, calls),
        None => scenario_text(built),
    }
}

fn bound_text(max_depth: Option<u32>, unit: &str) -> String {
    max_depth.map_or("none".to_owned(), |depth| counted(depth.into(), unit))
}

fn driver_text(built: &Subject<'_>, calls: &[CallText]) -> String {
    let Subject { name, parameters, scenario, .. } = built;
    let all: usize = calls.iter().map(|call| call.arguments.len()).sum();
    let mut text = format!("{name}: {}\n\n", scenario.about);
    let _ = writeln!(text, "{:10}  {}", "calls", counted(all as u64, "call") + " in each state");
    let _ = writeln!(text, "{:10}  {}", "bound", bound_text(scenario.max_depth, "call"));
    parameter_section(&mut text, parameters);
    let calls = calls.iter().map(|call| {
        let guarded = if call.is_guarded { ", where its guard holds" } else { "" };
        let compared = if call.is_compared { ", compared with the reference" } else { "" };
        format!("{}{guarded}{compared}", call_text(call))
    });
    section(&mut text, "Calls", calls);
    section(&mut text, "Assertions", scenario.assertions.iter().cloned());
    text
}

fn scenario_text(Subject { name, parameters, scenario, .. }: &Subject<'_>) -> String {
    let mut text = format!("{name}: {}\n\n", scenario.about);
    let faults = scenario.faults;
    let bound = bound_text(scenario.max_depth, "event");
    for (what, value) in [
        ("nodes", scenario.topology.len().to_string()),
        ("links", scenario.topology.links().count().to_string()),
        ("network", scenario.network.to_string()),
        (
            "faults",
            format!(
                "loss {}, duplication {}, reboot {}{}, link failure {}, link return {}",
                faults.loss,
                faults.duplication,
                faults.reboot,
                rebooting_text(scenario.rebooting.as_deref()),
                faults.link_failure,
                faults.link_return
            ),
        ),
        ("bound", bound),
        ("required", scenario.required.clone().unwrap_or_else(|| "none".to_owned())),
        (
            "simulated",
            format!(
                "{:?}, {}",
                scenario.simulation.duration,
                counted(scenario.simulation.replications.into(), "run")
            ),
        ),
    ] {
        let _ = writeln!(text, "{what:10}  {value}");
        match what {
            "network" => text += &capacity_text(scenario.capacity),
            "faults" => text += &timeouts_text(&scenario.timeouts),
            _ => {}
        }
    }
    parameter_section(&mut text, parameters);
    section(&mut text, "Assumptions", scenario.assumptions.iter().cloned());
    section(&mut text, "Observers", scenario.observers.iter().cloned());
    section(&mut text, "Assertions", scenario.assertions.iter().cloned());
    let ends = scenario.end_assertions.iter();
    section(&mut text, "Assertions where nothing can happen", ends.cloned());
    section(&mut text, "Goals", scenario.goals.iter().cloned());
    section(&mut text, "Prunings", scenario.prunings.iter().cloned());
    section(&mut text, "Cuts (check --cut NAME)", scenario.cuts.iter().cloned());
    section(&mut text, "Lists of starts (check --starts NAME)", scenario.starts.iter().cloned());
    section(&mut text, "Relations", scenario.relations.iter().cloned());
    section(&mut text, "Rankings", scenario.rankings.iter().cloned());
    section(&mut text, "Measures", scenario.simulation.measures.iter().cloned());
    text
}

/// Which nodes can reboot in words, if not all can.
fn rebooting_text(nodes: Option<&[NodeId]>) -> String {
    let nodes = nodes.map(|nodes| nodes.iter().map(NodeId::to_string).collect::<Vec<_>>());
    nodes.map_or(String::new(), |nodes| format!(" (of {})", nodes.join(", ")))
}

/// The budgets of timeouts in words, if there are any.
fn timeouts_text(timeouts: &[TimeoutBudget]) -> String {
    let budgets: Vec<String> =
        timeouts.iter().map(|budget| format!("{} {}", budget.timers, budget.most)).collect();
    match budgets.is_empty() {
        true => String::new(),
        false => format!("{:10}  {}\n", "timeouts", budgets.join(", ")),
    }
}

/// The capacity of links in words, if it is limited.
fn capacity_text(capacity: Capacity) -> String {
    let (most, lost) = match capacity {
        Capacity::Unlimited => return String::new(),
        Capacity::NewestLost(most) => (most, "newest"),
        Capacity::OldestLost(most) => (most, "oldest"),
    };
    let packets = counted(most.into(), "packet");
    format!(
        "{:10}  {packets} from one node to another; on a full link the {lost} is lost\n",
        "capacity"
    )
}

fn parameter_section(text: &mut String, parameters: &Parameters) {
    let lines = parameters.declared().iter().map(|parameter| {
        let changed = if parameter.value == parameter.default {
            String::new()
        } else {
            format!(" (now {})", parameter.value)
        };
        format!(
            "{} = {}{changed}\n      {}: {}",
            parameter.name, parameter.default, parameter.about, parameter.kind
        )
    });
    section(text, "Parameters (--set KEY=VALUE)", lines);
}

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    for (number, line) in lines.enumerate() {
        if number == 0 {
            let _ = writeln!(text, "\n{title}");
        }
        let _ = writeln!(text, "  {line}");
    }
}

#[cfg(test)]
mod tests {
    use everypath_model::Budget;

    use super::*;

    #[test]
    fn limits_are_in_words() {
        assert_eq!(capacity_text(Capacity::Unlimited), "");
        assert_eq!(
            capacity_text(Capacity::NewestLost(1)),
            "capacity    1 packet from one node to another; on a full link the newest is lost\n"
        );
        assert_eq!(
            capacity_text(Capacity::OldestLost(1000)),
            "capacity    1,000 packets from one node to another; on a full link the oldest is lost\n"
        );
        let budget = |timers: &str, most| TimeoutBudget { timers: timers.to_owned(), most };
        let some = [budget("timer", Budget::AtMost(3)), budget("timer@1:Retransmit", Budget::Off)];
        assert_eq!(timeouts_text(&some), "timeouts    timer 3, timer@1:Retransmit off\n");
        assert_eq!(timeouts_text(&[]), "");
    }
}
