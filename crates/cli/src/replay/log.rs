//! `replay` of an event log: simulate again, and see whether the same happens.

use std::time::Duration;

use everypath_capture::{Capture, Comparison, EventLog, LogError, LogFile};
use everypath_model::{Parameters, Protocol};
use everypath_sim::{Limits, movements};
use serde_json::json;

use crate::{
    arguments::ReplayArguments,
    error::CliError,
    output::{Outcome, good, numbers::counted, print, print_json},
    replay::{profile_named, rebuilt, recorded_entry},
    running::interrupt,
    scenarios::{
        entry::{Built, Entry},
        used::{Recorded, folder_of},
    },
    typed::{captures::header, observed::observed},
};

pub(crate) fn replay_log(
    entries: &[Box<dyn Entry>],
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let unused = [
        ("--chart", !arguments.charts.is_empty()),
        ("--show-states", arguments.show_states),
        ("--as-test", arguments.as_test),
    ];
    if let Some((option, _)) = unused.into_iter().find(|(_, given)| *given) {
        let with = "an event log".to_owned();
        return Err(CliError::Unused { option: option.to_owned(), with });
    }
    let log = LogFile::read(&arguments.file)?;
    let entry = recorded_entry(entries, &arguments.file, &log.header.scenario)?;
    let setting = &log.header.setting;
    let files = setting.file.iter().chain(&setting.files);
    let recorded = Recorded {
        by: &arguments.file,
        files: files.map(|file| (file.path.as_str(), file.digest.as_str())).collect(),
        parameters: &log.header.parameters,
        replaced: &setting.replaced,
    };
    entry.replay_log(&log, recorded.setting()?.as_ref(), arguments)
}

pub(crate) fn replay_log_in<P: Protocol>(
    build: impl FnOnce(Parameters) -> Result<Built<P>, CliError>,
    log: &LogFile,
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let (recorded, ending) = (&log.header, log.end.ending.as_str());
    let own = || arguments.file.clone();
    let profile = profile_named(&recorded.profile).ok_or_else(|| CliError::DamagedTrace {
        path: own(),
        what: "it names a profile that does not exist",
    })?;
    let mut built = rebuilt(build, &arguments.file, &recorded.parameters, profile)?;
    built.scenario.simulation.duration = Duration::from_nanos(recorded.duration_ns);
    // A run that was stopped is stopped after as many events again.
    let events = log.end.events.filter(|_| ["stopped", "event limit"].contains(&ending));
    let limits = Limits::default()
        .events(events.unwrap_or(u64::MAX))
        .stop(interrupt::flag())
        .violation(ending == "violated");
    let unreadable = |error| LogError::Read { path: own(), error };
    let comparison = Comparison::with(&arguments.file).map_err(unreadable)?;
    let setting = built.subject().logged_setting(folder_of(&arguments.file));
    let header = header(&built, setting, recorded.seed, recorded.replication);
    let movements = movements(&built.scenario, recorded.seed, recorded.replication);
    let mut again = Box::new(EventLog::new(comparison, &header, movements));
    let mut result = observed(&built.scenario, recorded.seed, recorded.replication, &mut *again)
        .and_then(|simulation| simulation.run(&limits));
    if interrupt::happened() {
        print("STOPPED by the user: as far as it came, nothing is known\n");
        return Ok(Outcome::Stopped);
    }
    if let (Ok(run), "stopped") = (&mut result, ending) {
        run.ending = everypath_sim::Ending::Stopped;
    }
    let comparison = again.finish(&result).map_err(unreadable)?;
    if let Some(difference) = comparison.difference().map_err(unreadable)? {
        return Err(CliError::OtherLog { path: own(), difference });
    }
    if arguments.json {
        print_json(&json!({
            "scenario": built.name,
            "profile": recorded.profile,
            "parameters": recorded.parameters,
            "seed": recorded.seed,
            "replication": recorded.replication,
            "lines": log.end.line,
            "ending": ending,
            "identical": true,
            "file": arguments.file.display().to_string(),
        }));
    } else {
        print(&format!(
            "{}: {}, {}\n",
            built.name,
            counted(log.end.line, "line"),
            good("every one as recorded")
        ));
    }
    Ok(Outcome::Fine)
}
