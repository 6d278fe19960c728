//! Event patterns, such as `lose@0`.

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::EventText;

/// A pattern of events: a kind, a node, a text that a parameter contains, or several of these.
///
/// ```
/// use everypath_explore::EventPattern;
///
/// for text in ["timer", "reboot@1", "deliver:Ack", "lose@0:Data", "@2"] {
///     assert_eq!(text.parse::<EventPattern>().unwrap().to_string(), text);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPattern {
    /// The kind; see [`EventText::kind`].
    pub kind: Option<String>,
    /// The node of the event.
    pub node: Option<u32>,
    /// A text that one of the parameters contains: a part of a message, a timer or a command.
    pub about: Option<String>,
}

/// A text that is not an event pattern.
///
/// ```
/// use everypath_explore::EventPattern;
///
/// let error = "".parse::<EventPattern>().unwrap_err();
/// assert!(error.to_string().contains("not an event pattern"));
/// ```
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{0}` is not an event pattern; write KIND, KIND@NODE, KIND:TEXT or KIND@NODE:TEXT, e.g. timer@0:Retransmit"
)]
pub struct PatternError(String);

impl EventPattern {
    /// Whether the pattern matches an event.
    ///
    /// ```
    /// use everypath_explore::{EventPattern, EventText};
    ///
    /// let event = EventText {
    ///     node: Some(1),
    ///     kind: "deliver".to_owned(),
    ///     parameters: vec![("message".to_owned(), "Ack(3)".to_owned())],
    ///     sentence: "n1 gets Ack(3)".to_owned(),
    /// };
    /// assert!("deliver@1:Ack".parse::<EventPattern>().unwrap().matches(&event));
    /// assert!(!"timer".parse::<EventPattern>().unwrap().matches(&event));
    /// ```
    #[must_use]
    pub fn matches(&self, event: &EventText) -> bool {
        self.kind.as_ref().is_none_or(|kind| *kind == event.kind)
            && self.node.is_none_or(|node| event.node == Some(node))
            && self.about.as_ref().is_none_or(|about| {
                event.parameters.iter().any(|(_, value)| value.contains(about.as_str()))
            })
    }
}

impl FromStr for EventPattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let error = || PatternError(text.to_owned());
        let (place, about) = match text.split_once(':') {
            Some((_, "")) => return Err(error()),
            Some((place, about)) => (place, Some(about.to_owned())),
            None => (text, None),
        };
        let (kind, node) = match place.split_once('@') {
            Some((kind, node)) => {
                let digits = node.strip_prefix('n').unwrap_or(node);
                (kind, Some(digits.parse().map_err(|_| error())?))
            }
            None => (place, None),
        };
        if !kind.chars().all(|c| c.is_alphanumeric() || c == '-') {
            return Err(error());
        }
        let kind = (!kind.is_empty()).then(|| kind.to_owned());
        if kind.is_none() && node.is_none() && about.is_none() {
            return Err(error());
        }
        Ok(Self { kind, node, about })
    }
}

impl fmt::Display for EventPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_deref().unwrap_or_default())?;
        if let Some(node) = self.node {
            write!(f, "@{node}")?;
        }
        match &self.about {
            Some(about) => write!(f, ":{about}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str, node: u32, message: &str) -> EventText {
        EventText {
            node: Some(node),
            kind: kind.to_owned(),
            parameters: vec![("message".to_owned(), message.to_owned())],
            sentence: String::new(),
        }
    }

    #[test]
    fn every_part_narrows() {
        let ack = event("deliver", 1, "Ack(3)");
        let meant = |text: &str| text.parse::<EventPattern>().unwrap().matches(&ack);
        for text in ["deliver", "deliver@1", "deliver@n1:Ack", ":Ack", "@1", "deliver:Ack(3)"] {
            assert!(meant(text), "{text}");
        }
        for text in ["lose", "deliver@0", "deliver:Data", "@2:Ack"] {
            assert!(!meant(text), "{text}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", ":", "@", "@x", "timer@", "timer:", "a b"] {
            assert!(text.parse::<EventPattern>().is_err(), "{text}");
        }
    }
}
