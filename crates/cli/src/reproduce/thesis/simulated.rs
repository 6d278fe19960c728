//! Figure 6.1 of Sobeih's thesis: a simulation of the erroneous ARQ, which shows nothing of the error.

use std::{fs, path::Path};

use everypath_model::Parameters;
use everypath_sim::Limits;
use serde_json::Value;

use crate::{
    error::CliError,
    reproduce::{
        cell::Cell,
        laboratory::{Halt, Laboratory},
        listed::Listed,
        table::{Declared, MadeTable, Row},
    },
    scenarios::{
        any_scenario::{CaptureFile, CaptureForm, Observers, RunNumber},
        entry,
    },
};

pub(super) const FIGURES: &[Listed] = &[Listed {
    id: "000/figure-6.1",
    others: &[],
    title: "ARQ, a simulation of the erroneous sender",
    seconds: 1,
    long_seconds: None,
    make: arrivals,
}];

const SCENARIO: &str = "arq-erroneous";

/// The arrivals that the figure repeats: a packet, and the node that receives it.
const PUBLISHED: [&str; 4] = ["D0 at n1", "A1 at n0", "D1 at n1", "A0 at n0"];
/// How many it prints.
const PRINTED: usize = 12;

fn arrivals(laboratory: &mut Laboratory<'_>, table: &mut MadeTable) -> Result<(), Halt> {
    table.note(format!(
        "The first arrivals of `simulate {SCENARIO}`; n0 sends data, n1 receives them."
    ));
    table.columns(["arrival", "packet"]);
    laboratory.tell("a simulation")?;
    let found = laboratory.with_folder(|laboratory, folder| {
        let log = folder.join("arq.jsonl");
        simulate(laboratory, &log, folder)?;
        Ok(received(&log)?)
    })?;
    for (place, published) in (0..PRINTED).zip(PUBLISHED.into_iter().cycle()) {
        let own = found.get(place).map_or("nothing", String::as_str);
        let cell = Cell::compared(own).published(published);
        table.push(Row::new((place + 1).to_string(), vec![cell], Declared::Exact));
    }
    Ok(())
}

/// Simulates once, and writes the log of all events.
fn simulate(laboratory: &Laboratory<'_>, log: &Path, folder: &Path) -> Result<(), CliError> {
    let built = entry::find(laboratory.entries(), SCENARIO)?.build(Parameters::new())?;
    let number = RunNumber { seed: 1, replication: 0 };
    let header = Box::new(built.log_header(number, folder));
    let form = CaptureForm::EventLog(header);
    let file = CaptureFile { option: "--event-log", path: log.to_owned(), form };
    let observers = Observers { files: vec![file], ..Observers::default() };
    built.observe(number, &Limits::default(), &observers)?;
    Ok(())
}

/// The packets that arrived, without their running number, and where.
fn received(log: &Path) -> Result<Vec<String>, CliError> {
    let text = fs::read_to_string(log).map_err(|error| CliError::Unreadable {
        what: format!("cannot read the log of a simulation: {error}"),
        help: None,
    })?;
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let arrivals = events.filter(|event| event["kind"] == "deliver");
    let arrivals = arrivals.filter_map(|event| {
        let packet = event["message"].as_str()?.split(' ').next()?;
        Some(format!("{packet} at n{}", event["node"].as_u64()?))
    });
    Ok(arrivals.collect())
}
