//! `replay` of an event log: simulate again, and compare.

use std::{ops::ControlFlow, time::Duration};

use everypath_capture::{Comparison, LogError, LogFile};
use everypath_sim::{Ending, Limits};

use super::json::LogReplayReport;
use crate::{
    arguments::replay::ReplayArguments,
    error::{CliError, unused},
    output::{Outcome, good, numbers::counted, print, print_json},
    running::interrupt,
    scenarios::{
        any_scenario::{AnyScenario, RunNumber, Timing},
        entry::Entry,
        used_file::{Recorded, folder_of},
    },
    traces::rebuild::{profile_named, rebuilt, recorded_entry},
};

/// Simulates the run of an event log again.
pub(super) fn replay_log(
    entries: &[Box<dyn Entry>],
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let given = [
        ("--chart", !arguments.charts.is_empty()),
        ("--show-states", arguments.show_states),
        ("--as-test", arguments.as_test),
    ];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(unused(option, "an event log"));
    }
    let log = LogFile::read(&arguments.file)?;
    let mut built = recorded_scenario(entries, &log, arguments)?;
    let duration = Duration::from_nanos(log.header.duration_ns);
    built.set_timing(Timing { duration, ..built.timing() });
    match compared(built.as_ref(), &log, arguments)? {
        None => {
            print("STOPPED by the user before the whole run was compared\n");
            Ok(Outcome::Stopped)
        }
        Some(comparison) => conclude(built.as_ref(), &log, comparison, arguments),
    }
}

/// The scenario that was logged.
fn recorded_scenario(
    entries: &[Box<dyn Entry>],
    log: &LogFile,
    arguments: &ReplayArguments,
) -> Result<Box<dyn AnyScenario>, CliError> {
    let header = &log.header;
    let entry = recorded_entry(entries, &arguments.file, &header.scenario)?;
    let files = header.setting.file.iter().chain(&header.setting.files);
    let recorded = Recorded {
        by: &arguments.file,
        files: files.map(|file| (file.path.as_str(), file.digest.as_str())).collect(),
        parameters: &header.parameters,
        replaced: &header.setting.replaced,
    };
    let setting = recorded.setting()?;
    let profile = profile_named(&header.profile).ok_or_else(|| CliError::DamagedTrace {
        path: arguments.file.clone(),
        what: "it names a profile that does not exist",
    })?;
    rebuilt(entry, setting.as_ref(), &arguments.file, &header.parameters, profile)
}

fn unreadable(arguments: &ReplayArguments) -> impl Fn(std::io::Error) -> CliError {
    let path = arguments.file.clone();
    move |error| LogError::Read { path: path.clone(), error }.into()
}

/// Repeats the run, line by line; `None` if the user stops it.
fn compared(
    built: &dyn AnyScenario,
    log: &LogFile,
    arguments: &ReplayArguments,
) -> Result<Option<Comparison>, CliError> {
    let ending = log.end.ending.as_str();
    // A run that was stopped is stopped after as many events again.
    let events = log.end.events.filter(|_| ["stopped", "event limit"].contains(&ending));
    let limits = Limits::default()
        .events(events.unwrap_or(u64::MAX))
        .stop(interrupt::flag())
        .violation(ending == "violated");
    let unreadable = unreadable(arguments);
    let recorded = Comparison::with(&arguments.file).map_err(&unreadable)?;
    let number = RunNumber { seed: log.header.seed, replication: log.header.replication };
    let header = built.log_header(number, folder_of(&arguments.file));
    let again = built.log_again(&header, &limits, recorded, &mut |result| {
        if interrupt::happened() {
            return ControlFlow::Break(());
        }
        if let (Ok(run), "stopped") = (result, ending) {
            run.ending = Ending::Stopped;
        }
        ControlFlow::Continue(())
    });
    again.map_err(unreadable)
}

fn conclude(
    built: &dyn AnyScenario,
    log: &LogFile,
    comparison: Comparison,
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let path = arguments.file.clone();
    if let Some(difference) = comparison.difference().map_err(unreadable(arguments))? {
        return Err(CliError::OtherLog { path, difference });
    }
    let (name, recorded) = (&built.origins().name, &log.header);
    if arguments.json {
        print_json(&LogReplayReport {
            scenario: name.to_string(),
            profile: recorded.profile.clone(),
            parameters: recorded.parameters.clone(),
            seed: recorded.seed,
            replication: recorded.replication,
            lines: log.end.line,
            ending: log.end.ending.clone(),
            identical: true,
            file: path.display().to_string(),
        });
    } else {
        let lines = counted(log.end.line, "line");
        print(&format!("{name}: {lines}, {}\n", good("every one as recorded")));
    }
    Ok(Outcome::Fine)
}
