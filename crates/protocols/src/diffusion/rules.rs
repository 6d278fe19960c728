//! Which directed diffusion: where the paper leaves it open, and where implementations differ.

/// When a node that hears an interest does not pass it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suppression {
    /// While it has passed on such an interest a short time ago.
    Recent,
    /// While it has a gradient for it (J-Sim).
    Known,
}

/// By what a node tells whether it has seen data before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// By the event: who sensed it, and its number there. Data keep the rate at which they were sent.
    Event,
    /// By the stimulus: its kind and number, whoever sensed it. So what several nodes sense of one target
    /// is one event, of which each node passes on what it hears first.
    Stimulus,
    /// By the rate alone: events have no numbers, data go out along every gradient at the rate that
    /// it has, and a sink takes nothing while it remembers anything (J-Sim).
    Rate,
}

/// Which neighbour a node reinforces when it is reinforced itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The one from which the latest event came first: of those that it remembers, the one with the
    /// largest number.
    Latest,
    /// The one from which came what has been in the data cache for the longest time (J-Sim).
    Oldest,
    /// The one from which the event came first that the reinforcement names, and only if it had come
    /// fewer hops than to the one that asks: see [`Rules::hardened`].
    Labelled,
}

/// Whose rules they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// Those of the paper.
    Published,
    /// Those of the thesis's simulation model.
    Jsim,
    /// Those of the paper, and labels.
    Hardened,
}

impl Preset {
    /// The presets with their words, as a choice for a parameter.
    pub const WORDS: [(&'static str, Self); 3] =
        [("published", Self::Published), ("jsim", Self::Jsim), ("hardened", Self::Hardened)];

    /// The rules.
    #[must_use]
    pub fn rules(self) -> Rules {
        match self {
            Self::Published => Rules::published(),
            Self::Jsim => Rules::jsim(),
            Self::Hardened => Rules::hardened(),
        }
    }
}

/// Behaviour, rule by rule.
///
/// ```
/// use everypath_protocols::diffusion::{Preference, Rules};
///
/// let hardened = Rules { preference: Preference::Labelled, ..Rules::published() };
/// assert_eq!(hardened, Rules::hardened());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// When interests are not passed on.
    pub suppression: Suppression,
    /// Whether sinks pass on interests and data as others do. If not, a sink takes no notice of
    /// interests in what it wants itself (J-Sim).
    pub sinks_relay: bool,
    /// Whether sinks repeat their interests.
    pub refresh: bool,
    /// Whether a node that hears an interest for the first time senses at once.
    pub sense_at_once: bool,
    /// By what data are told apart.
    pub identity: Identity,
    /// Whether data are also sent to the neighbour that they came from, if it has asked for them.
    pub return_to_sender: bool,
    /// Which neighbour is reinforced.
    pub preference: Preference,
    /// A neighbour that was reinforced is reinforced negatively when so many events in a row came
    /// first from others; never, if there is no number.
    pub negative_window: Option<u8>,
    /// Whether data go to all neighbours of every node, whoever has asked for them, once: flooding, for
    /// comparison. There are no interests then, and nothing is reinforced.
    pub flooding: bool,
}

impl Rules {
    /// What the paper says.
    #[must_use]
    pub fn published() -> Self {
        Self {
            suppression: Suppression::Recent,
            sinks_relay: true,
            refresh: true,
            sense_at_once: true,
            identity: Identity::Event,
            return_to_sender: true,
            preference: Preference::Latest,
            negative_window: Some(3),
            flooding: false,
        }
    }

    /// What the thesis explored of J-Sim's simulation model: one sink, one source, one task, and
    /// positive reinforcement only.
    #[must_use]
    pub fn jsim() -> Self {
        Self {
            suppression: Suppression::Known,
            sinks_relay: false,
            refresh: false,
            identity: Identity::Rate,
            preference: Preference::Oldest,
            negative_window: None,
            ..Self::published()
        }
    }

    /// The paper's rules, with labels that let no circle of reinforced gradients form.
    ///
    /// Data count their hops. A reinforcement names the event by which the neighbour was chosen, and
    /// how many hops that had come. Of each source, a node remembers the newest event for which it
    /// took part in reinforcement, and how many hops that had come to it: its label, which it keeps
    /// through timeouts and reboots. It refuses reinforcements for older events, and those for the
    /// same event from nodes that the event had reached in no more hops than itself. When it takes
    /// part for a newer event, it degrades what was reinforced before.
    ///
    /// So along reinforced gradients events never get older, and where they stay the same, hops
    /// grow: no circle can do that.
    #[must_use]
    pub fn hardened() -> Self {
        Self { preference: Preference::Labelled, ..Self::published() }
    }
}
