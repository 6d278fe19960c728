//! What grows with the depth of a search, in words, and what can be done about it.

mod quantity;
mod remedy;
mod series;

use std::collections::{BTreeMap, HashMap};

use everypath_explore::{DepthSample, Described, Explorable, PartText, StateId, StateText, Step};

pub use quantity::Quantity;
pub(crate) use quantity::{PacketText, is_network, short, timers_of};
use quantity::{is_read_by_fields, leading_word, quantities};
pub use remedy::{FaultBudget, Remedy, Surroundings, Tool, remedies_text};

use crate::{counted, grouped};

/// About how many characters of states are read: a sample of larger states has fewer of them.
const CHARACTERS_MAX: usize = 16 << 20;
/// How many trends a text names.
const TRENDS_NAMED: usize = 4;
/// The parameters of events that say what they are about.
const ABOUT: [&str; 3] = ["message", "timer", "command"];
/// At how many depths causes are sought.
const CAUSE_DEPTHS: usize = 4;

/// What grows with the depth of a search, as a sample of its states shows.
///
/// ```
/// use everypath_explore::{Limits, Model, ModelSpace, Options, explore};
/// use everypath_report::Growth;
///
/// /// A counter without end.
/// struct Counter;
/// impl Model for Counter {
///     type State = u32;
///     type Action = u32;
///     fn initial(&self) -> Vec<u32> { vec![0] }
///     fn actions(&self, _: &u32) -> Vec<u32> { vec![2] }
///     fn next(&self, state: &u32, by: &u32) -> Option<u32> { Some(state + by) }
/// }
///
/// let mut space = ModelSpace::new(Counter);
/// let options = Options::default().limits(Limits::default().states(20));
/// let found = explore(&mut space, &options, &mut ()).unwrap();
/// let growth = Growth::of(&found.sample, &space).unwrap();
/// assert_eq!(growth.trends[0].to_text(), "`state` is 38 at depth 19, 2 more every level");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Growth {
    /// The last depth that was looked at.
    pub depth: u32,
    /// How many states were looked at.
    pub states: u64,
    /// Whether they are of depths enough to tell.
    pub is_judged: bool,
    /// What grows, the most important first.
    pub trends: Vec<Trend>,
}

/// Something that grows.
///
/// ```
/// use everypath_report::{Growth, Trend};
///
/// fn fastest(growth: &Growth) -> Option<&Trend> {
///     growth.trends.iter().max_by_key(|trend| trend.more / u64::from(trend.every))
/// }
/// # let _ = fastest;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trend {
    /// What grows.
    pub quantity: Quantity,
    /// The most that was seen of it.
    pub most: u64,
    /// The depth at which it was seen first.
    pub depth: u32,
    /// It grows by this much …
    pub more: u64,
    /// … in this many levels.
    pub every: u32,
    /// Of packets: what most of them are, and how many.
    pub kind: Option<(String, u64)>,
    /// The events that make it larger, as a pattern of events, if they were found.
    pub cause: Option<String>,
    /// Whether code can read it by the fields that its path names.
    is_read_by_fields: bool,
}

/// The largest values of one quantity.
#[derive(Default)]
struct Series {
    /// By depth, as places in the sample.
    largest: BTreeMap<usize, u64>,
    /// Where the most was seen first.
    most: Option<(u64, usize, StateId)>,
}

impl Growth {
    /// Finds what grows; nothing if the sample is empty, or its states are too large to be looked at.
    #[must_use]
    pub fn of(sample: &[DepthSample], space: &dyn Described) -> Option<Self> {
        let (depths, most) = (sample.len(), states_of_each(sample, space)?);
        let mut all: HashMap<Quantity, Series> = HashMap::new();
        let mut states = 0;
        for (place, at) in sample.iter().enumerate() {
            for &state in thinned(&at.states, most) {
                states += 1;
                for (quantity, value) in quantities(&space.state_text(state)) {
                    all.entry(quantity).or_default().see(place, value, state);
                }
            }
        }
        let mut trends: Vec<Trend> = all
            .into_iter()
            .filter_map(|(quantity, series)| series.trend(quantity, sample, space))
            .collect();
        trends.sort_by_cached_key(Trend::importance);
        without_repetitions(&mut trends);
        let is_judged = depths > series::DEPTHS_MIN;
        Some(Self { depth: sample.last()?.depth, states, is_judged, trends })
    }

    /// Finds the events that make the first quantities larger, among those of the states that have most of them.
    pub fn find_causes(&mut self, sample: &[DepthSample], space: &mut impl Explorable) {
        // States of the last depth may not be expanded yet: their events are unknown, and may be many.
        let expanded = sample.iter().rev().skip(1).take(CAUSE_DEPTHS);
        let Some(most) = states_of_each(sample, space) else { return };
        let states: Vec<Vec<StateId>> =
            expanded.map(|at| thinned(&at.states, most).copied().collect()).collect();
        for trend in self.trends.iter_mut().take(TRENDS_NAMED) {
            let mut raised: BTreeMap<String, (u64, Option<String>)> = BTreeMap::new();
            for states in &states {
                let value =
                    |state: &&StateId| value_of(&trend.quantity, &space.state_text(**state));
                let Some(&fullest) = states.iter().max_by_key(value) else { continue };
                for (events, about) in raising(&trend.quantity, fullest, space) {
                    let (times, only) = raised.entry(events).or_insert_with(|| (0, about.clone()));
                    *times += 1;
                    *only = only.take().filter(|only| about.as_ref() == Some(only));
                }
            }
            let often = raised.into_iter().max_by_key(|(_, (times, _))| *times);
            trend.cause = often.map(|(events, (_, about))| match about {
                Some(about) => format!("{events}:{about}"),
                None => events,
            });
        }
    }

    /// In a few lines, without what can be done.
    #[must_use]
    pub fn to_text(&self) -> String {
        let looked = format!("{} up to depth {}", counted(self.states, "state"), self.depth);
        if self.trends.is_empty() {
            return match self.is_judged {
                true => format!("nothing was seen to grow with depth, in a sample of {looked}\n"),
                false => String::new(),
            };
        }
        let mut text = format!("what grows, in a sample of {looked}:\n");
        for trend in self.trends.iter().take(TRENDS_NAMED) {
            text += &format!("  {}\n", trend.to_text());
        }
        match self.trends.len().saturating_sub(TRENDS_NAMED) {
            0 => text,
            more => text + &format!("  and {more} more\n"),
        }
    }

    /// In one line, if something grows.
    #[must_use]
    pub fn in_short(&self) -> Option<String> {
        let Trend { quantity, most, .. } = self.trends.first()?;
        let more = match self.trends.len() {
            1 => String::new(),
            more => format!(" and {} more", more - 1),
        };
        Some(match quantity {
            Quantity::Number { .. } | Quantity::Carried { .. } => {
                format!("grows: {quantity} to {}{more}", grouped(*most))
            }
            _ => format!("grows: {} {quantity}{more}", grouped(*most)),
        })
    }
}

impl Trend {
    /// In one line.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { quantity, depth, every, cause, .. } = self;
        let (most, more) = (grouped(self.most), grouped(self.more));
        let what = match quantity {
            Quantity::Packets { from, to } => {
                let kind = self.kind.as_ref().map(|(kind, many)| match *many == self.most {
                    true => format!(", all of them `{kind}`"),
                    false => format!(", most of them `{kind}`"),
                });
                let kind = kind.unwrap_or_default();
                format!("up to {most} packets from {from} to {to}{kind}, at depth {depth}")
            }
            Quantity::Elements { path } => format!("`{path}` has {most} elements at depth {depth}"),
            Quantity::Characters { path } => {
                format!("`{path}` has {most} characters at depth {depth}")
            }
            Quantity::Number { path } => format!("`{path}` is {most} at depth {depth}"),
            Quantity::Carried { path } => format!("`{path}` in packets is {most} at depth {depth}"),
            Quantity::Timers { node } => {
                format!("{most} timers are set at {node} at depth {depth}")
            }
        };
        let levels = if *every == 1 { "level".to_owned() } else { format!("{every} levels") };
        let cause = cause.as_ref().map_or(String::new(), |cause| format!(", by `{cause}`"));
        format!("{what}, {more} more every {levels}{cause}")
    }

    /// Smaller if it is to be named earlier.
    fn importance(&self) -> (u8, std::cmp::Reverse<u64>, Quantity) {
        let sort = match self.quantity {
            Quantity::Packets { .. } => 0,
            Quantity::Elements { .. } | Quantity::Characters { .. } => 1,
            Quantity::Number { .. } => 2,
            Quantity::Timers { .. } => 3,
            Quantity::Carried { .. } => 4,
        };
        let speed = self.more.saturating_mul(1000) / u64::from(self.every);
        (sort, std::cmp::Reverse(speed), self.quantity.clone())
    }
}

impl Series {
    fn see(&mut self, place: usize, value: u64, state: StateId) {
        let largest = self.largest.entry(place).or_default();
        *largest = value.max(*largest);
        if self.most.is_none_or(|(most, ..)| value > most) {
            self.most = Some((value, place, state));
        }
    }

    fn trend(
        &self,
        quantity: Quantity,
        sample: &[DepthSample],
        space: &dyn Described,
    ) -> Option<Trend> {
        let value = |place| self.largest.get(&place).copied().unwrap_or(0);
        let points: Vec<(u32, u64)> =
            sample.iter().enumerate().map(|(place, at)| (at.depth, value(place))).collect();
        let series::Rate { more, every } = series::rate(&points)?;
        let (most, place, state) = self.most?;
        let kind = match &quantity {
            Quantity::Packets { from, to } => main_kind(&space.state_text(state), from, to),
            _ => None,
        };
        let depth = sample[place].depth;
        let is_read_by_fields = is_read_by_fields(&quantity, &space.state_text(state));
        Some(Trend { quantity, most, depth, more, every, kind, cause: None, is_read_by_fields })
    }
}

/// What more than half of the packets on a link are, and how many.
fn main_kind(state: &StateText, from: &str, to: &str) -> Option<(String, u64)> {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut all = 0;
    for text in packets(state) {
        if let Some(packet) = PacketText::of(text).filter(|it| (it.from, it.to) == (from, to)) {
            *kinds.entry(packet.kind()).or_default() += 1;
            all += 1;
        }
    }
    let (kind, many) = kinds.into_iter().max_by_key(|(_, many)| *many)?;
    (2 * many > all && !kind.is_empty()).then(|| (kind.to_owned(), many))
}

/// The packets in flight, in words.
fn packets(state: &StateText) -> impl Iterator<Item = &str> {
    let network = state.parts.iter().filter(|(name, _)| is_network(name));
    network.flat_map(|(_, part)| match part {
        PartText::Bag(packets) => packets.iter().map(String::as_str),
        PartText::Value(_) => [].iter().map(String::as_str),
    })
}

/// How large a quantity is in a state.
fn value_of(quantity: &Quantity, state: &StateText) -> u64 {
    let same = quantities(state).into_iter().filter(|(other, _)| other == quantity);
    same.map(|(_, value)| value).max().unwrap_or(0)
}

/// The events out of a state that make a quantity larger: their kind and node, and what they are about.
fn raising(
    quantity: &Quantity,
    state: StateId,
    space: &mut impl Explorable,
) -> Vec<(String, Option<String>)> {
    let before = value_of(quantity, &space.state_text(state));
    let mut steps: Vec<Step> = Vec::new();
    space.expand(&[state], &mut steps);
    let raise = steps
        .into_iter()
        .filter(|step| value_of(quantity, &space.state_text(step.target)) > before);
    let events = raise.map(|step| {
        let event = space.event_text(state, step.event);
        let node = event.node.map_or(String::new(), |node| format!("@{node}"));
        let content = event.parameters.iter().find(|(name, _)| ABOUT.contains(&name.as_str()));
        let about = content.map(|(_, value)| leading_word(value).to_owned());
        (format!("{}{node}", event.kind), about)
    });
    events.collect()
}

/// How many states of each depth are looked at: fewer of larger ones. None if not even one of each is possible.
fn states_of_each(sample: &[DepthSample], space: &dyn Described) -> Option<usize> {
    let last = sample.last()?.states.last()?;
    let length = characters(&space.state_text(*last)).max(1);
    match CHARACTERS_MAX / length / sample.len() {
        0 => None,
        most => Some(most),
    }
}

fn characters(state: &StateText) -> usize {
    let part = |part: &PartText| match part {
        PartText::Value(text) => text.len(),
        PartText::Bag(texts) => texts.iter().map(String::len).sum(),
    };
    state.parts.iter().map(|(_, it)| part(it)).sum()
}

/// At most this many of some states, at equal distances.
fn thinned(states: &[StateId], most: usize) -> impl Iterator<Item = &StateId> {
    states.iter().step_by(states.len().div_ceil(most).max(1))
}

/// Removes what follows from another trend: the numbers in a list that grows, and those in packets if numbers of
/// nodes grow.
fn without_repetitions(trends: &mut Vec<Trend>) {
    let lists: Vec<String> = trends
        .iter()
        .filter_map(|trend| match &trend.quantity {
            Quantity::Elements { path } => Some(path.clone()),
            _ => None,
        })
        .collect();
    let numbers = trends.iter().any(|trend| matches!(trend.quantity, Quantity::Number { .. }));
    trends.retain(|trend| match &trend.quantity {
        Quantity::Number { path } => {
            let within = |list: &String| {
                path.strip_prefix(list.as_str())
                    .is_some_and(|rest| rest.starts_with("[…]") || rest.starts_with(" keys"))
            };
            !lists.iter().any(within)
        }
        Quantity::Carried { .. } => !numbers,
        _ => true,
    });
}
