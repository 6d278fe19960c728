//! The rules of directed diffusion: where the paper is open, and where implementations differ.

/// When a node does not forward an interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suppression {
    /// If it forwarded the interest recently.
    Recent,
    /// If it has a gradient for it (J-Sim).
    Known,
}

/// How a node recognises repeated data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// By the event: its source, and its number there. Data keep the rate at which they were sent.
    Event,
    /// By the stimulus: its kind and number, from any sensor. So observations of one target by
    /// several nodes are one event, of which each node forwards the first.
    Stimulus,
    /// By the rate alone: events have no numbers, data leave along every gradient at its rate, and
    /// a sink accepts no data while it remembers any (J-Sim).
    Rate,
}

/// The neighbour that a reinforced node reinforces in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The first to send the latest event, which is the remembered one with the largest number.
    Latest,
    /// The sender of the oldest data in the cache (J-Sim).
    Oldest,
    /// The first to send the event in the reinforcement, and only if that event had fewer hops here
    /// than at the neighbour that reinforces: see [`Rules::hardened`].
    Labelled,
}

/// A preset of rules.
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
    /// The presets with their names, as options of a parameter.
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
    /// When interests are not forwarded.
    pub suppression: Suppression,
    /// Whether sinks forward interests and data as others do. If not, a sink ignores interests in
    /// its own task (J-Sim).
    pub sinks_relay: bool,
    /// Whether sinks repeat their interests.
    pub refresh: bool,
    /// Whether a node senses at once when it first gets an interest.
    pub sense_at_once: bool,
    /// How repeated data are recognised.
    pub identity: Identity,
    /// Whether data are also sent back to the neighbour that they came from, if it wants them.
    pub return_to_sender: bool,
    /// Which neighbour is reinforced.
    pub preference: Preference,
    /// The number of events in a row that came first from others after which a reinforced neighbour
    /// is reinforced negatively; never if `None`.
    pub negative_window: Option<u8>,
    /// Whether data go to all neighbours of every node once: flooding, for comparison, without
    /// interests and reinforcement.
    pub flooding: bool,
}

impl Rules {
    /// The rules of the paper.
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

    /// The part of J-Sim's simulation model that the thesis explored: one sink, one source, one
    /// task, and positive reinforcement only.
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

    /// The paper's rules, with labels that prevent loops of reinforced gradients.
    ///
    /// Data count their hops. A reinforcement names the event by which the neighbour was chosen,
    /// and its hops there. For each source, a node has a label: the newest event for which it took
    /// part in reinforcement, and its hops here. The label survives timeouts and reboots. A node
    /// refuses reinforcements for older events, and those for the same event from nodes that it had
    /// reached in no more hops. When it takes part for a newer event, it degrades earlier
    /// reinforced gradients.
    ///
    /// So along reinforced gradients events never get older, and for the same event hops grow,
    /// which is impossible on a loop.
    #[must_use]
    pub fn hardened() -> Self {
        Self { preference: Preference::Labelled, ..Self::published() }
    }
}
