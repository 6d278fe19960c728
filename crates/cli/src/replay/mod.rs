//! `replay`: run a saved counterexample or a logged simulation again.

pub(crate) mod json;
mod log;
pub(crate) mod play;

use everypath_capture::LogFile;
use everypath_network::{NetworkSpace, SpaceOptions};
use everypath_report::{Story, TraceFile};

use self::json::ReplayReport;
use crate::{
    arguments::{replay::ReplayArguments, values::ChartFile},
    error::CliError,
    output::{
        Outcome, bad, ensure_unread, ensure_writable, good, indented, numbers::counted, print,
        print_json,
    },
    scenarios::{
        checked_space::{CallSpace, CheckedSpace},
        entry::Entry,
        subject::Subject,
    },
    searching::verdict::Verdict,
    traces::{
        as_test::as_test,
        chart::{chart_lines, draw},
        rebuild::{Broken, rebuild, run_again, start_line},
        story_json::StepsReport,
    },
};

/// Runs the recorded run of a file.
pub(crate) fn replay(
    entries: &[Box<dyn Entry>],
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    if LogFile::is_one(&arguments.file) {
        return log::replay_log(entries, arguments);
    }
    ensure_unread(arguments.charts.iter().map(ChartFile::target), &[&arguments.file])?;
    ensure_writable(arguments.charts.iter().map(ChartFile::target))?;
    if !arguments.file.exists() {
        return Err(CliError::NoRun { path: arguments.file.clone() });
    }
    let trace = TraceFile::read(&arguments.file)?;
    let (built, options) = rebuild(entries, &trace, &arguments.file)?;
    let built = &built.subject();
    match built.is_driver() {
        true => replayed::<CallSpace<'_>>(built, options, &trace, arguments),
        false => replayed::<NetworkSpace<'_>>(built, options, &trace, arguments),
    }
}

fn replayed<'a, S: CheckedSpace<'a>>(
    built: &Subject<'a>,
    options: SpaceOptions,
    trace: &TraceFile,
    arguments: &ReplayArguments,
) -> Result<Outcome, CliError> {
    let mut space = S::open(built, options)?;
    let run = run_again(built, &mut space, trace, &arguments.file)?;
    let Subject { name, parameters, .. } = built;
    let (broken, story) =
        built.guarded(|| (Broken::by(&mut space, &run, trace), Story::tell(&space, &run)))?;
    let Broken { violated, explanation } = broken;
    let broken = violated.then_some((trace.assertion.as_str(), explanation.as_deref()));
    let charts = draw(&arguments.charts, &story, built, broken);
    let test = arguments.as_test.then(|| as_test(built, trace, space.run_as_code(&run)));
    let digest = space.network().and_then(NetworkSpace::start_digest);
    let start = built.start.and_then(|start| start.report(digest));
    if arguments.json {
        print_json(&ReplayReport {
            scenario: name.to_string(),
            profile: parameters.profile().name().to_owned(),
            parameters: built.values(),
            used: (!built.is_driver()).then(|| built.used()),
            start,
            verdict: if violated { Verdict::Violated } else { Verdict::Holds },
            assertion: trace.assertion.clone(),
            explanation,
            steps: StepsReport(&story),
            file: arguments.file.display().to_string(),
            charts,
            test,
        });
    } else {
        let steps = counted(story.steps.len() as u64, "step");
        let verdict = if violated {
            let explanation = explanation.as_deref().map(indented).unwrap_or_default();
            format!("broken, as recorded: {}{explanation}", bad(&trace.assertion))
        } else {
            format!("{}: {}", good("no longer broken"), trace.assertion)
        };
        print(&format!(
            "{name}: {steps}, every state as recorded\n{}\n{}\n{verdict}\n{}{}",
            start_line(built.start),
            story.to_text(arguments.show_states),
            chart_lines(&arguments.charts, Some(&charts)),
            test.map_or(String::new(), |test| format!("\n{test}")),
        ));
    }
    Ok(if violated { Outcome::Violation } else { Outcome::Fine })
}
