//! Parameters of scenarios, declared where they are read.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive, str::FromStr, time::Duration};

use thiserror::Error;

use crate::{
    Audience, Budget, Capacity, NetworkKind, Shape, Topology, audience::AUDIENCE_SYNTAX,
    capacity::CAPACITY_SYNTAX, did_you_mean, faults::BUDGET_SYNTAX, network_kind::NETWORK_SYNTAX,
    topology::SHAPE_SYNTAX,
};

/// The semantics of a run.
///
/// ```
/// use everypath_model::Profile;
///
/// assert_eq!(Profile::default().name(), "standard");
/// assert_eq!(Profile::ALL.map(Profile::name), ["standard", "thesis"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// Everypath's own: exact, with canonical networks.
    #[default]
    Standard,
    /// That of the published experiments, quirks included, to reproduce their numbers.
    Thesis,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Thesis];

    /// The profile as it is written in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Thesis => "thesis",
        }
    }
}

/// The values that a parameter accepts.
///
/// ```
/// use everypath_model::{ParameterKind, Parameters};
///
/// let mut parameters = Parameters::new();
/// parameters.number("nodes", 3, 2..=9, "how many nodes there are");
/// let kind = &parameters.declared()[0].kind;
/// assert_eq!(kind.to_string(), "a whole number from 2 to 9");
/// assert_eq!(ParameterKind::Flag.to_string(), "true or false");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterKind {
    /// A whole number or a real number in a range, given as text.
    Number {
        /// The smallest value.
        least: String,
        /// The largest value.
        most: String,
        /// Whether it holds whole numbers only.
        whole: bool,
    },
    /// `true` or `false`.
    Flag,
    /// One of a few words.
    Choice(Vec<String>),
    /// A number with one of the units ns, us, ms, s, m, h.
    Duration,
    /// `off`, `unlimited` or a whole number.
    Budget,
    /// A topology.
    Shape,
    /// The order of delivery.
    Network,
    /// The capacity of links.
    Capacity,
    /// The audience of broadcasts.
    Audience,
    /// A whole number from a range, or `any` for no limit.
    NumberOrAny {
        /// The smallest number.
        least: String,
        /// The largest number.
        most: String,
    },
}

impl fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number { least, most, whole: true } => {
                write!(f, "a whole number from {least} to {most}")
            }
            Self::Number { least, most, whole: false } => {
                write!(f, "a number from {least} to {most}")
            }
            Self::Flag => f.write_str("true or false"),
            Self::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Self::Duration => {
                f.write_str("a duration such as 10ms (units: ns, us, ms, s, m, h; at most 10^9 s)")
            }
            Self::Budget => f.write_str(BUDGET_SYNTAX),
            Self::Shape => f.write_str(SHAPE_SYNTAX),
            Self::Network => f.write_str(NETWORK_SYNTAX),
            Self::Capacity => f.write_str(CAPACITY_SYNTAX),
            Self::Audience => f.write_str(AUDIENCE_SYNTAX),
            Self::NumberOrAny { least, most } => {
                write!(f, "a whole number from {least} to {most}, or any")
            }
        }
    }
}

/// A parameter that a scenario has declared.
///
/// ```
/// use everypath_model::Parameters;
///
/// let mut parameters = Parameters::with([("nodes", "5")]);
/// parameters.number("nodes", 3, 2..=9, "how many nodes there are");
/// let nodes = &parameters.declared()[0];
/// assert_eq!((&nodes.default[..], &nodes.value[..]), ("3", "5"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name on the command line.
    pub name: String,
    /// The values that it accepts.
    pub kind: ParameterKind,
    /// Its default value.
    pub default: String,
    /// Its value in this run.
    pub value: String,
    /// Its help text.
    pub about: String,
}

/// A given value that does not fit a parameter.
///
/// ```
/// use everypath_model::Parameters;
///
/// let mut parameters = Parameters::with([("noddes", "5")]);
/// parameters.number("nodes", 3, 2..=9, "how many nodes there are");
/// let error = parameters.finish().unwrap_err();
/// assert_eq!(error.parameter(), "noddes");
/// assert!(error.to_string().contains("did you mean `nodes`?"));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterError {
    /// No parameter has that name.
    #[error("there is no parameter `{name}`; {}", did_you_mean(.name, .known.iter().map(String::as_str)))]
    Unknown {
        /// The given name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// The parameter does not accept the value.
    #[error("`{value}` is not a value of parameter `{name}`: it takes {kind}")]
    Value {
        /// The parameter.
        name: String,
        /// The given value.
        value: String,
        /// The values that it accepts.
        kind: ParameterKind,
    },
    /// The value does not fit the rest of the scenario.
    #[error("parameter `{name}`: {reason}")]
    Rejected {
        /// The parameter.
        name: String,
        /// The reason, and a remedy.
        reason: String,
    },
}

impl ParameterError {
    /// The name of the parameter, as given.
    #[must_use]
    pub fn parameter(&self) -> &str {
        match self {
            Self::Unknown { name, .. } | Self::Value { name, .. } | Self::Rejected { name, .. } => {
                name
            }
        }
    }
}

/// The type of a numeric parameter.
///
/// ```
/// use everypath_model::Value;
///
/// assert!(usize::WHOLE && !f64::WHOLE);
/// ```
pub trait Value: Copy + PartialOrd + fmt::Display + FromStr {
    /// Whether it holds whole numbers only.
    const WHOLE: bool;
}

macro_rules! values {
    ($($number:ty: $whole:literal),*) => { $(impl Value for $number { const WHOLE: bool = $whole; })* };
}
values!(u8: true, u16: true, u32: true, u64: true, usize: true, i32: true, i64: true, f64: false);

/// The parameters of a scenario. Reading one declares it, so that help, checks and scenario cannot
/// disagree.
///
/// ```
/// use everypath_model::Parameters;
///
/// let mut parameters = Parameters::with([("nodes", "5")]);
/// let nodes: usize = parameters.number("nodes", 3, 2..=64, "how many nodes there are");
/// let loss: f64 = parameters.number("loss", 0.0, 0.0..=1.0, "the share of packets lost");
/// assert_eq!((nodes, loss), (5, 0.0));
/// assert!(parameters.finish().is_ok());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    profile: Profile,
    given: BTreeMap<String, String>,
    declared: Vec<Parameter>,
    errors: Vec<ParameterError>,
}

impl Parameters {
    /// Parameters with default values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Parameters with some given values.
    pub fn with<K: Into<String>, V: Into<String>>(given: impl IntoIterator<Item = (K, V)>) -> Self {
        let mut parameters = Self::default();
        for (name, value) in given {
            let name = name.into();
            if parameters.given.insert(name.clone(), value.into()).is_some() {
                parameters.reject(&name, "it is given twice; give it once");
            }
        }
        parameters
    }

    /// The same parameters under another profile.
    #[must_use]
    pub fn under(mut self, profile: Profile) -> Self {
        self.profile = profile;
        self
    }

    /// Which semantics the run follows.
    #[must_use]
    pub fn profile(&self) -> Profile {
        self.profile
    }

    /// A number in a range.
    #[track_caller]
    pub fn number<T: Value>(
        &mut self,
        name: &str,
        default: T,
        range: RangeInclusive<T>,
        about: &str,
    ) -> T {
        let kind = ParameterKind::Number {
            least: range.start().to_string(),
            most: range.end().to_string(),
            whole: T::WHOLE,
        };
        assert!(range.contains(&default), "the default of parameter `{name}` is not in its range");
        let parse = |text: &str| text.parse().ok().filter(|value| range.contains(value));
        self.declare(name, kind, default, T::to_string, parse, about)
    }

    /// A switch.
    #[track_caller]
    pub fn flag(&mut self, name: &str, default: bool, about: &str) -> bool {
        self.declare(
            name,
            ParameterKind::Flag,
            default,
            bool::to_string,
            |text| text.parse().ok(),
            about,
        )
    }

    /// One of several values, each with its word.
    ///
    /// # Panics
    /// If there are no options.
    #[track_caller]
    pub fn choice<T: Clone + PartialEq>(
        &mut self,
        name: &str,
        default: T,
        options: &[(&str, T)],
        about: &str,
    ) -> T {
        let words = options.iter().map(|(word, _)| (*word).to_owned()).collect();
        let word_of = |value: &T| {
            let option = options.iter().find(|(_, option)| option == value);
            option.expect("the default is one of the options").0.to_owned()
        };
        let parse = |text: &str| {
            options.iter().find(|(word, _)| *word == text).map(|(_, value)| value.clone())
        };
        self.declare(name, ParameterKind::Choice(words), default, word_of, parse, about)
    }

    /// A length of time.
    #[track_caller]
    pub fn duration(&mut self, name: &str, default: Duration, about: &str) -> Duration {
        self.declare(
            name,
            ParameterKind::Duration,
            default,
            |time| format!("{time:?}"),
            parse_duration,
            about,
        )
    }

    /// A fault budget.
    #[track_caller]
    pub fn budget(&mut self, name: &str, default: Budget, about: &str) -> Budget {
        self.declare(
            name,
            ParameterKind::Budget,
            default,
            Budget::to_string,
            |text| text.parse().ok(),
            about,
        )
    }

    /// The order of delivery.
    ///
    /// ```
    /// use everypath_model::{NetworkKind, Parameters};
    ///
    /// let mut parameters = Parameters::with([("network", "inbox:1")]);
    /// let network = parameters.network("network", NetworkKind::Unordered, "the order of delivery");
    /// assert_eq!(network, NetworkKind::inbox(1));
    /// ```
    #[track_caller]
    pub fn network(&mut self, name: &str, default: NetworkKind, about: &str) -> NetworkKind {
        let parse = |text: &str| text.parse().ok();
        self.declare(name, ParameterKind::Network, default, NetworkKind::to_string, parse, about)
    }

    /// The capacity of links.
    ///
    /// ```
    /// use everypath_model::{Capacity, Parameters};
    ///
    /// let mut parameters = Parameters::with([("capacity", "3:oldest")]);
    /// let capacity = parameters.capacity("capacity", Capacity::Unlimited, "what a link holds");
    /// assert_eq!(capacity, Capacity::OldestLost(3));
    /// ```
    pub fn capacity(&mut self, name: &str, default: Capacity, about: &str) -> Capacity {
        let parse = |text: &str| text.parse().ok();
        self.declare(name, ParameterKind::Capacity, default, Capacity::to_string, parse, about)
    }

    /// The audience of broadcasts: `all`, or how many nodes at most.
    #[track_caller]
    pub fn audience(&mut self, name: &str, default: Audience, about: &str) -> Audience {
        let parse = |text: &str| text.parse().ok();
        self.declare(name, ParameterKind::Audience, default, Audience::to_string, parse, about)
    }

    /// A whole number from a range, or nothing for the word `any`: no limit.
    ///
    /// ```
    /// use everypath_model::Parameters;
    ///
    /// let mut parameters = Parameters::with([("trials", "any")]);
    /// assert_eq!(parameters.number_or_any("trials", Some(3), 1..=9, "how often at most"), None);
    /// ```
    #[track_caller]
    pub fn number_or_any<T: Value>(
        &mut self,
        name: &str,
        default: Option<T>,
        range: RangeInclusive<T>,
        about: &str,
    ) -> Option<T> {
        const ANY: &str = "any";
        let kind = ParameterKind::NumberOrAny {
            least: range.start().to_string(),
            most: range.end().to_string(),
        };
        let print = |value: &Option<T>| value.map_or(ANY.to_owned(), |number| number.to_string());
        let parse = |text: &str| match text {
            ANY => Some(None),
            number => number.parse().ok().filter(|value| range.contains(value)).map(Some),
        };
        self.declare(name, kind, default, print, parse, about)
    }

    /// A topology with this many nodes.
    #[track_caller]
    pub fn topology(&mut self, name: &str, nodes: usize, default: Shape, about: &str) -> Topology {
        let parse = |text: &str| text.parse().ok();
        let shape =
            self.declare(name, ParameterKind::Shape, default, Shape::to_string, parse, about);
        shape.of(nodes).unwrap_or_else(|error| {
            self.reject(name, error.to_string());
            Topology::full_mesh(nodes)
        })
    }

    /// Rejects a value of the right kind that does not fit here; the reason includes a remedy.
    pub fn reject(&mut self, name: &str, reason: impl Into<String>) {
        self.errors.push(ParameterError::Rejected { name: name.to_owned(), reason: reason.into() });
    }

    #[track_caller]
    fn declare<T>(
        &mut self,
        name: &str,
        kind: ParameterKind,
        default: T,
        print: impl Fn(&T) -> String,
        parse: impl Fn(&str) -> Option<T>,
        about: &str,
    ) -> T {
        assert!(
            !self.declared.iter().any(|parameter| parameter.name == name),
            "parameter `{name}` is declared twice"
        );
        let default_text = print(&default);
        let value = match self.given.get(name) {
            None => default,
            Some(text) => parse(text).unwrap_or_else(|| {
                self.errors.push(ParameterError::Value {
                    name: name.to_owned(),
                    value: text.clone(),
                    kind: kind.clone(),
                });
                default
            }),
        };
        self.declared.push(Parameter {
            name: name.to_owned(),
            kind,
            default: default_text,
            value: print(&value),
            about: about.to_owned(),
        });
        value
    }

    /// The names and values of the parameters that set the network, the capacity of its links, or a budget.
    ///
    /// ```
    /// use everypath_model::{Budget, Parameters};
    ///
    /// let mut parameters = Parameters::new();
    /// parameters.flag("eager", true, "whether nodes are eager");
    /// parameters.budget("loss", Budget::AtMost(2), "how many packets are lost");
    /// let environment: Vec<_> = parameters.environment().collect();
    /// assert_eq!(environment, [("loss", "2")]);
    /// ```
    pub fn environment(&self) -> impl Iterator<Item = (&str, &str)> + Clone {
        let sets = |parameter: &&Parameter| {
            use ParameterKind::{Budget, Capacity, Network};
            matches!(parameter.kind, Network | Capacity | Budget)
        };
        let declared = self.declared.iter().filter(sets);
        declared.map(|parameter| (parameter.name.as_str(), parameter.value.as_str()))
    }

    /// The parameters that were declared, in order.
    #[must_use]
    pub fn declared(&self) -> &[Parameter] {
        &self.declared
    }

    /// Checks all given values, after the scenario has read its parameters.
    ///
    /// # Errors
    /// The first value that does not fit.
    pub fn finish(&self) -> Result<(), ParameterError> {
        let known = || self.declared.iter().map(|parameter| parameter.name.as_str());
        let stranger = self.given.keys().find(|given| !known().any(|name| name == *given));
        match (stranger, self.errors.first()) {
            (Some(name), _) => Err(ParameterError::Unknown {
                name: name.clone(),
                known: known().map(str::to_owned).collect(),
            }),
            (None, Some(error)) => Err(error.clone()),
            (None, None) => Ok(()),
        }
    }
}

/// The longest duration of a parameter, some thirty years: sums of a few never overflow.
const DURATION_MAX: Duration = Duration::from_secs(1_000_000_000);

/// Parses a duration: a number with one of the units ns, us, ms, s, m, h.
///
/// ```
/// use everypath_model::parse_duration;
/// use std::time::Duration;
///
/// assert_eq!(parse_duration("2.5ms"), Some(Duration::from_micros(2500)));
/// assert_eq!(parse_duration("2m"), Some(Duration::from_secs(120)));
/// assert_eq!(parse_duration("5"), None);
/// ```
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ')?;
    let (number, unit) = text.split_at(unit_at);
    let seconds_per_unit = match unit {
        "h" => 3600.0,
        "m" => 60.0,
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    };
    let number: f64 = number.trim().parse().ok()?;
    let duration = Duration::try_from_secs_f64(number * seconds_per_unit).ok()?;
    (duration <= DURATION_MAX).then_some(duration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_taken_or_refused() {
        let mut parameters =
            Parameters::with([("timeout", "2.5ms"), ("loss", "3"), ("late", "true")]);
        assert_eq!(parameters.duration("timeout", Duration::ZERO, ""), Duration::from_micros(2500));
        assert_eq!(parameters.budget("loss", Budget::Off, ""), Budget::AtMost(3));
        assert!(parameters.flag("late", false, ""));
        assert_eq!(parameters.choice("net", 2, &[("one", 1), ("two", 2)], ""), 2);
        assert_eq!(parameters.finish(), Ok(()));
        assert_eq!(parameters.declared()[3].default, "two");
    }

    #[test]
    fn a_topology_fits_its_nodes() {
        let mut parameters = Parameters::with([("topology", "grid:2")]);
        let topology = parameters.topology("topology", 4, Shape::Chain, "");
        assert_eq!((topology, parameters.finish()), (Topology::grid(2, 2), Ok(())));
        let mut parameters = Parameters::with([("topology", "grid:2")]);
        parameters.topology("topology", 5, Shape::Chain, "");
        assert_eq!(
            parameters.finish().unwrap_err().to_string(),
            "parameter `topology`: 5 nodes do not fill a grid in rows of 2; give a multiple of 2"
        );
    }

    #[test]
    fn a_wrong_value_names_the_parameter_and_what_it_takes() {
        for wrong in ["1", "65", "x", "3.5", ""] {
            let mut parameters = Parameters::with([("nodes", wrong)]);
            assert_eq!(parameters.number("nodes", 3, 2..=64, ""), 3);
            let message = parameters.finish().unwrap_err().to_string();
            assert_eq!(
                message,
                format!(
                    "`{wrong}` is not a value of parameter `nodes`: it takes a whole number from 2 to 64"
                )
            );
        }
        for wrong in ["5", "-1s", "5 minutes", "s", "1000000001s", "NaNs", "infs"] {
            let mut parameters = Parameters::with([("timeout", wrong)]);
            parameters.duration("timeout", Duration::ZERO, "");
            assert!(parameters.finish().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_value_that_is_given_twice_is_refused() {
        let mut parameters = Parameters::with([("nodes", "3"), ("nodes", "4")]);
        let _: u32 = parameters.number("nodes", 3, 2..=64, "");
        let message = parameters.finish().unwrap_err().to_string();
        assert_eq!(message, "parameter `nodes`: it is given twice; give it once");
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion() {
        let mut parameters = Parameters::with([("node", "3")]);
        let _: u32 = parameters.number("nodes", 3, 2..=64, "");
        assert_eq!(
            parameters.finish().unwrap_err().to_string(),
            "there is no parameter `node`; did you mean `nodes`?"
        );
    }
}
