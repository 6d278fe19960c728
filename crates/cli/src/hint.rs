//! A hint for users who write a parameter of a scenario as an option.

use clap::{
    Command, Error,
    error::{ContextKind, ContextValue},
};

use crate::scenarios::entry::{Entry, parameters};

/// An error of clap, with a hint if the unknown option is a parameter of the scenario. The words are
/// those of the command line, without the program's name.
pub(crate) fn hinted(
    mut error: Error,
    command: &Command,
    entries: &[Box<dyn Entry>],
    words: &[String],
) -> Error {
    if let Some(setting) = setting(&error, command, entries, words) {
        let hint = format!("it is a parameter of the scenario: write `--set {setting}`");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

/// The intended parameter, in the form of `--set`.
fn setting(
    error: &Error,
    command: &Command,
    entries: &[Box<dyn Entry>],
    words: &[String],
) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let name = option.strip_prefix("--")?;
    let (subcommand, words) = words.split_first()?;
    let mut options = command.find_subcommand(subcommand)?.get_arguments();
    options.find(|option| option.get_long() == Some("set"))?;
    let entry = entries.iter().find(|entry| words.iter().any(|word| word == entry.name()))?;
    parameters(entry.as_ref()).iter().find(|parameter| *parameter == name)?;
    Some(format!("{name}={}", value(option, words).unwrap_or("VALUE")))
}

/// The value of an option: `--option=value` or `--option value`.
fn value<'a>(option: &str, words: &'a [String]) -> Option<&'a str> {
    let place = words.iter().position(|word| word.split('=').next() == Some(option))?;
    match words[place].split_once('=') {
        Some((_, value)) => Some(value),
        None => words.get(place + 1).map(String::as_str).filter(|word| !word.starts_with('-')),
    }
}
