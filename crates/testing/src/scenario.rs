//! Scenarios as tests name them: by the functions that make them.

use std::{any::type_name, fmt::Display};

use everypath_model::{Parameters, Protocol, Scenario};

type Build<P> = Box<dyn Fn(&mut Parameters) -> Scenario<P>>;

/// A function that makes a scenario, and the parameters that a test gives it.
pub(crate) struct Builder<P: Protocol> {
    name: String,
    build: Build<P>,
    set: Vec<(String, String)>,
}

/// A scenario with the parameters that it was made of.
pub(crate) struct Built<P: Protocol> {
    pub(crate) name: String,
    pub(crate) parameters: Parameters,
    pub(crate) scenario: Scenario<P>,
}

impl<P: Protocol> Builder<P> {
    pub(crate) fn new<F: Fn(&mut Parameters) -> Scenario<P> + 'static>(build: F) -> Self {
        Self { name: name_of(type_name::<F>()), build: Box::new(build), set: Vec::new() }
    }

    pub(crate) fn set(&mut self, name: &str, value: &dyn Display) {
        self.set.push((name.to_owned(), value.to_string()));
    }

    /// Makes the scenario; a test that names a parameter which is not there, or a scenario that cannot be run, fails.
    #[track_caller]
    pub(crate) fn build(&self) -> Built<P> {
        let name = self.name.clone();
        let mut parameters = Parameters::with(self.set.iter().cloned());
        let scenario = (self.build)(&mut parameters);
        if let Err(error) = parameters.finish() {
            panic!("{name}: {error}");
        }
        if let Err(error) = scenario.validate() {
            panic!("{name}: {error}");
        }
        Built { name, parameters, scenario }
    }
}

/// What the command line calls the scenario that a function makes: the last part of its path, with dashes.
fn name_of(function: &str) -> String {
    let last = function.trim_end_matches("::{{closure}}").rsplit("::").next().unwrap_or(function);
    last.replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_called_as_on_the_command_line() {
        assert_eq!(name_of("a_crate::locks::old_lock"), "old-lock");
        assert_eq!(name_of("a_crate::tests::it_holds::{{closure}}"), "it-holds");
    }
}
