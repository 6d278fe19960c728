//! Events in words, for everything that explores.

use crate::{Decisions, Event, NodeId, Protocol, shown};

/// The beginning of the words for the audience of a broadcast.
#[doc(hidden)]
pub const HEARD_BY: &str = "heard by";
/// The words for an audience without nodes.
#[doc(hidden)]
pub const HEARD_BY_NONE: &str = "heard by no node";

/// A link in words.
#[doc(hidden)]
#[must_use]
pub fn link_text((one, other): (NodeId, NodeId)) -> String {
    format!("{one}–{other}")
}

/// The audiences of broadcasts in words, if there are any.
fn audience_text(audiences: &[Vec<NodeId>]) -> Option<String> {
    let texts = audiences.iter().map(|audience| match audience.as_slice() {
        [] => HEARD_BY_NONE.to_owned(),
        nodes => {
            let names: Vec<String> = nodes.iter().map(NodeId::to_string).collect();
            format!("{HEARD_BY} {}", names.join(", "))
        }
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

impl<P: Protocol> Event<'_, P> {
    /// The command, timer or message; empty for events without one.
    fn input_text(&self) -> String {
        match self {
            Self::Command { command, .. } => shown(command),
            Self::Timer { timer, .. } => shown(timer),
            Self::Deliver { packet, .. }
            | Self::Lose { packet }
            | Self::Duplicate { packet }
            | Self::Undeliverable { packet } => shown(packet.message),
            Self::Reboot { .. } | Self::LinkDown { .. } | Self::LinkUp { .. } => String::new(),
        }
    }

    /// The parameters that distinguish it from other events of its kind and node, by name.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Decisions, Event, NodeId};
    ///
    /// let event: Event<'_, Greeting> = Event::LinkDown { ends: (NodeId(0), NodeId(1)) };
    /// assert_eq!(event.parameters(&Decisions::default())[0].1, "n0–n1");
    /// ```
    #[must_use]
    pub fn parameters(&self, decisions: &Decisions) -> Vec<(String, String)> {
        let mut parameters = Vec::new();
        let mut add = |name: &str, value: String| parameters.push((name.to_owned(), value));
        match self {
            Self::Command { .. } => add("command", self.input_text()),
            Self::Timer { .. } => add("timer", self.input_text()),
            Self::Reboot { .. } => {}
            Self::LinkDown { ends } | Self::LinkUp { ends } => add("link", link_text(*ends)),
            Self::Deliver { packet, .. }
            | Self::Lose { packet }
            | Self::Duplicate { packet }
            | Self::Undeliverable { packet } => {
                add("from", packet.from.to_string());
                add("to", packet.to.to_string());
                add("message", self.input_text());
            }
        }
        if !decisions.choices.is_empty() {
            add("choices", format!("{:?}", decisions.choices));
        }
        audience_text(&decisions.audiences).into_iter().for_each(|heard| add("audience", heard));
        parameters
    }

    /// The event as a sentence, in which nodes have these names.
    ///
    /// ```
    /// # mod greeting { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/greeting.rs")); }
    /// # use greeting::Greeting;
    /// use everypath_model::{Decisions, Event, NodeId};
    ///
    /// let event: Event<'_, Greeting> = Event::Reboot { node: NodeId(0) };
    /// assert_eq!(event.sentence(&Decisions::default(), |node| node.to_string()), "n0 reboots");
    /// ```
    pub fn sentence(&self, decisions: &Decisions, name: impl Fn(NodeId) -> String) -> String {
        let (place, input) = (name(self.node()), self.input_text());
        let mut sentence = match self {
            Self::Command { .. } => format!("command {input} at {place}"),
            Self::Timer { .. } => format!("timer {input} fires at {place}"),
            Self::Reboot { .. } => format!("{place} reboots"),
            Self::LinkDown { ends } => {
                format!("the link between {place} and {} fails", name(ends.1))
            }
            Self::LinkUp { ends } => {
                format!("the link between {place} and {} comes back", name(ends.1))
            }
            Self::Undeliverable { packet } => {
                format!("{input} from {place} to {} cannot be delivered", name(packet.to))
            }
            Self::Deliver { node, packet } if packet.to != *node => {
                let (from, to) = (name(packet.from), name(packet.to));
                format!("{input} from {from} to {to} arrives at {place}")
            }
            Self::Deliver { packet, .. } => {
                format!("{input} from {} arrives at {place}", name(packet.from))
            }
            Self::Lose { packet } => {
                format!("{input} from {} to {place} is lost", name(packet.from))
            }
            Self::Duplicate { packet } => {
                format!("{input} from {} to {place} is duplicated", name(packet.from))
            }
        };
        if !decisions.choices.is_empty() {
            sentence.push_str(&format!(", choosing {:?}", decisions.choices));
        }
        if let Some(heard) = audience_text(&decisions.audiences) {
            sentence.push_str(&format!(", {heard}"));
        }
        sentence
    }
}
