//! `list` and `show`.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::{
    arguments::{published::ProfileArguments, which::Which},
    error::CliError,
    output::{Outcome, numbers::counted, print, print_json, program_name},
    scenarios::{
        entry::{self, Entry, about},
        spec::ScenarioSpec,
        subject::Subject,
    },
};

/// Lists the scenarios.
pub(crate) fn list(entries: &[Box<dyn Entry>], json: bool) -> Outcome {
    if json {
        let scenarios: Vec<Value> = entries
            .iter()
            .map(|entry| json!({ "name": entry.name(), "about": about(entry.as_ref()) }))
            .collect();
        print_json(&json!({ "scenarios": scenarios }));
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
    let built = entry::find(entries, &spec.name)?.build(spec.parameters())?;
    match json {
        true => print_json(&as_json(&built.subject())),
        false => print(&as_text(&built.subject())),
    }
    Ok(Outcome::Fine)
}

fn as_json(Subject { name, parameters, scenario, .. }: &Subject<'_>) -> Value {
    let parameters: Vec<Value> = parameters
        .declared()
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "takes": parameter.kind.to_string(),
                "default": parameter.default,
                "value": parameter.value,
                "about": parameter.about,
            })
        })
        .collect();
    json!({
        "scenario": name,
        "about": scenario.about,
        "nodes": scenario.topology.len(),
        "links": scenario.topology.links().map(|(a, b)| [a.0, b.0]).collect::<Vec<_>>(),
        "network": scenario.network.to_string(),
        "faults": {
            "loss": scenario.faults.loss.to_string(),
            "duplication": scenario.faults.duplication.to_string(),
            "reboot": scenario.faults.reboot.to_string(),
            "link_failure": scenario.faults.link_failure.to_string(),
            "link_return": scenario.faults.link_return.to_string(),
        },
        "max_depth": scenario.max_depth,
        "required": scenario.required,
        "parameters": parameters,
        "assumptions": scenario.assumptions,
        "assertions": scenario.assertions,
        "end_assertions": scenario.end_assertions,
        "goals": scenario.goals,
        "prunings": scenario.prunings,
        "relations": scenario.relations,
        "rankings": scenario.rankings,
        "measures": scenario.simulation.measures,
    })
}

fn as_text(Subject { name, parameters, scenario, .. }: &Subject<'_>) -> String {
    let mut text = format!("{name}: {}\n\n", scenario.about);
    let faults = scenario.faults;
    let bound =
        scenario.max_depth.map_or("none".to_owned(), |depth| counted(depth.into(), "event"));
    for (what, value) in [
        ("nodes", scenario.topology.len().to_string()),
        ("links", scenario.topology.links().count().to_string()),
        ("network", scenario.network.to_string()),
        (
            "faults",
            format!(
                "loss {}, duplication {}, reboot {}, link failure {}, link return {}",
                faults.loss,
                faults.duplication,
                faults.reboot,
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
    }
    section(
        &mut text,
        "Parameters (--set KEY=VALUE)",
        parameters.declared().iter().map(|parameter| {
            let changed = if parameter.value == parameter.default {
                String::new()
            } else {
                format!(" (now {})", parameter.value)
            };
            format!(
                "{} = {}{changed}\n      {}: {}",
                parameter.name, parameter.default, parameter.about, parameter.kind
            )
        }),
    );
    section(&mut text, "Assumptions", scenario.assumptions.iter().cloned());
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

fn section(text: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    for (number, line) in lines.enumerate() {
        if number == 0 {
            let _ = writeln!(text, "\n{title}");
        }
        let _ = writeln!(text, "  {line}");
    }
}
