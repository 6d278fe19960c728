//! What can be done about a space that grows: options to add, and lines of code.

use super::{Growth, Quantity, Trend};

/// The largest mailbox that is suggested.
const MAILBOX_MAX: u64 = 4;
/// The largest number of packets or elements that a suggested pruning allows.
const PRUNED_MAX: u64 = 8;
/// The kind of events of timers.
const TIMER: &str = "timer";
/// How many remedies are named.
const REMEDIES_MAX: usize = 3;

/// Something that makes a search end, or one of the things that do together.
///
/// ```
/// use everypath_report::Remedy;
///
/// let remedy = Remedy { how: ".max_depth(9)".to_owned(), effect: "ends at depth 9".to_owned() };
/// assert_eq!(remedy.how, ".max_depth(9)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// A command to paste, or a line of code.
    pub how: String,
    /// What it does.
    pub effect: String,
}

/// How a search is set up.
///
/// ```
/// use everypath_report::Tool;
///
/// let check = "everypath check arq".to_owned();
/// let tool = Tool::Command { check, set: vec![("loss".to_owned(), "2".to_owned())] };
/// assert_eq!(tool.max_depth(9), "everypath check arq --set loss=2 --max-depth 9");
/// assert_eq!(Tool::Test.max_depth(9), ".max_depth(9)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tool {
    /// By options of a command.
    Command {
        /// The command.
        check: String,
        /// The parameters that it sets, with their values.
        set: Vec<(String, String)>,
    },
    /// By methods of a check in a test.
    Test,
}

impl Tool {
    /// How the depth is bounded.
    #[must_use]
    pub fn max_depth(&self, depth: u32) -> String {
        match self {
            Self::Command { .. } => format!("{} --max-depth {depth}", self.command(None)),
            Self::Test => format!(".max_depth({depth})"),
        }
    }

    fn set(&self, name: &str, value: &str) -> String {
        match self {
            Self::Command { .. } => self.command(Some((name, value))),
            Self::Test => format!(".set(\"{name}\", \"{value}\")"),
        }
    }

    /// The command with one parameter set, in place of its present value.
    fn command(&self, new: Option<(&str, &str)>) -> String {
        let Self::Command { check, set } = self else { return String::new() };
        let kept = set.iter().filter(|(name, _)| new.is_none_or(|(other, _)| name != other));
        let kept = kept.map(|(name, value)| (name.as_str(), value.as_str()));
        kept.chain(new).fold(check.clone(), |text, (name, value)| {
            let word = format!("{name}={value}");
            let is_plain = |c: char| c.is_alphanumeric() || "._-/=:".contains(c);
            match word.chars().all(is_plain) {
                true => format!("{text} --set {word}"),
                false => format!("{text} --set '{}'", word.replace('\'', r"'\''")),
            }
        })
    }
}

/// How often a fault may happen.
///
/// ```
/// use everypath_report::FaultBudget;
///
/// let loss = FaultBudget { event: "lose", method: "loss", times: None, parameter: None };
/// assert!(loss.times.is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultBudget {
    /// The kind of its events.
    pub event: &'static str,
    /// The method of the scenario that sets it.
    pub method: &'static str,
    /// How often at most; nothing if without limit.
    pub times: Option<u32>,
    /// The parameter of the scenario that sets it, if there is one.
    pub parameter: Option<String>,
}

/// What a scenario says that remedies depend on.
///
/// ```
/// use everypath_report::Surroundings;
///
/// assert!(Surroundings::default().faults.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings {
    /// Whether nodes can have mailboxes instead of the present network.
    pub could_have_mailboxes: bool,
    /// The parameter of the scenario that sets the network, if there is one.
    pub network_parameter: Option<String>,
    /// Whether links can have a capacity, and have none yet.
    pub could_have_capacity: bool,
    /// The parameter of the scenario that sets the capacity, if there is one.
    pub capacity_parameter: Option<String>,
    /// The faults that can happen.
    pub faults: Vec<FaultBudget>,
}

impl Surroundings {
    /// What a scenario says, as parameters are written: its network and the capacity of its links; its budgets of faults,
    /// each with the kind of its events and the method that sets it; whether timers have a budget; and the names and
    /// values of the parameters that set these.
    ///
    /// ```
    /// use everypath_report::Surroundings;
    ///
    /// let faults = [("lose", "loss", "unlimited".to_owned())];
    /// let around = Surroundings::new("fifo", "unlimited", faults, false, [("losses", "unlimited")]);
    /// assert_eq!(around.faults[0].parameter.as_deref(), Some("losses"));
    /// assert!(around.could_have_mailboxes && around.network_parameter.is_none());
    /// ```
    pub fn new<'a>(
        network: &str,
        capacity: &str,
        faults: impl IntoIterator<Item = (&'static str, &'static str, String)>,
        has_timeouts: bool,
        parameters: impl IntoIterator<Item = (&'a str, &'a str)> + Clone,
    ) -> Self {
        let setting = |value: &str, is_meant: &dyn Fn(&str) -> bool| {
            let mut parameters = parameters.clone().into_iter();
            let found = parameters.find(|(name, now)| *now == value && is_meant(name));
            found.map(|(name, _)| name.to_owned())
        };
        let timers = (TIMER, "timeouts", "unlimited".to_owned());
        let budgets = faults.into_iter().chain((!has_timeouts).then_some(timers));
        let faults =
            budgets.filter(|(.., budget)| budget != "off").map(|(event, method, budget)| {
                // A parameter for losses may be called `loss`, `losses` or `lose`.
                let is_meant = |name: &str| [event, method].iter().any(|it| is_same(name, it));
                let parameter = setting(&budget, &is_meant);
                FaultBudget { event, method, times: budget.parse().ok(), parameter }
            });
        let is_open = !network.starts_with("inbox");
        Self {
            could_have_mailboxes: is_open,
            network_parameter: setting(network, &|_| true),
            could_have_capacity: is_open && capacity == "unlimited",
            capacity_parameter: setting(capacity, &|name| is_same(name, "capacity")),
            faults: faults.collect(),
        }
    }
}

/// Whether two names are the same word, in the singular or the plural.
fn is_same(name: &str, other: &str) -> bool {
    let [name, other] = [name, other].map(|name| {
        let name = name.replace('_', "-");
        match name.strip_suffix('s') {
            Some(losses) if losses.ends_with("sse") => losses[..losses.len() - 1].to_owned(),
            Some(loss) if loss.ends_with('s') => name,
            Some(singular) => singular.to_owned(),
            None => name,
        }
    });
    name == other
}

impl Growth {
    /// What can be done, the most specific first: one thing for each sort of what grows, then others. `whole` is the depth up to which all runs were explored, if
    /// that is known.
    #[must_use]
    pub fn remedies(&self, around: &Surroundings, tool: &Tool, whole: Option<u32>) -> Vec<Remedy> {
        let bound = whole.filter(|&depth| depth > 0).map(|depth| Remedy {
            how: tool.max_depth(depth),
            effect: format!("ends: the runs of at most {depth} events are all explored by now"),
        });
        let mut of_each: Vec<Vec<Remedy>> = Vec::new();
        for (place, trend) in self.trends.iter().enumerate() {
            let is_first = |other: &Trend| other.quantity.sort() != trend.quantity.sort();
            if self.trends[..place].iter().all(is_first) {
                of_each.push(trend.remedies(around, tool));
            }
        }
        // Each that grows needs a remedy: first one of each, then the second ones.
        let rounds = of_each.iter().map(Vec::len).max().unwrap_or(0);
        let turns =
            (0..rounds).flat_map(|round| of_each.iter().filter_map(move |own| own.get(round)));
        let room = REMEDIES_MAX - usize::from(bound.is_some());
        turns.take(room).cloned().chain(bound).collect()
    }
}

/// Remedies in lines, with a title; nothing if there are none.
///
/// ```
/// use everypath_report::{Remedy, remedies_text};
///
/// let remedy = Remedy { how: ".max_depth(9)".to_owned(), effect: "ends there".to_owned() };
/// assert_eq!(remedies_text(&[remedy]), "what can be done:\n  .max_depth(9)\n    ends there\n");
/// ```
#[must_use]
pub fn remedies_text(remedies: &[Remedy]) -> String {
    let title = if remedies.is_empty() { "" } else { "what can be done:\n" };
    let lines = remedies.iter().map(|Remedy { how, effect }| format!("  {how}\n    {effect}\n"));
    title.to_owned() + &lines.collect::<String>()
}

impl Trend {
    /// What bounds it, the most specific first.
    fn remedies(&self, around: &Surroundings, tool: &Tool) -> Vec<Remedy> {
        let own = [
            self.mailbox(around, tool),
            self.capacity(around, tool),
            self.budget(around, tool),
            self.prune(),
            self.ignore(),
        ];
        own.into_iter().flatten().collect()
    }

    /// Bounds the faults that make it grow.
    fn budget(&self, around: &Surroundings, tool: &Tool) -> Option<Remedy> {
        const FEW: u32 = 2;
        let cause = self.cause.as_ref()?;
        let kind = cause.split(['@', ':']).next()?;
        let fault = around.faults.iter().find(|fault| fault.event == kind)?;
        if fault.times.is_some_and(|times| times <= FEW) {
            return None;
        }
        let (how, events) = match &fault.parameter {
            Some(name) => (tool.set(name, &FEW.to_string()), kind),
            // The cause says which timers.
            None if kind == TIMER => {
                (format!(".timeouts_of(\"{cause}\", Budget::AtMost({FEW}))"), cause.as_str())
            }
            None => (format!(".{}(Budget::AtMost({FEW}))", fault.method), kind),
        };
        Some(Remedy { how, effect: format!("at most {FEW} events `{events}` on a run") })
    }

    /// How many packets are enough, if it is packets that grow.
    fn packets_enough(&self) -> Option<u64> {
        let is_packets = matches!(self.quantity, Quantity::Packets { .. });
        is_packets.then(|| (self.most / 2).clamp(1, MAILBOX_MAX))
    }

    /// Bounds the packets on each link.
    fn capacity(&self, around: &Surroundings, tool: &Tool) -> Option<Remedy> {
        let packets = self.packets_enough().filter(|_| around.could_have_capacity)?;
        let how = match &around.capacity_parameter {
            Some(name) => tool.set(name, &packets.to_string()),
            None => format!(".capacity({packets})"),
        };
        let effect = format!("bounds the packets: a link holds {packets}, and one more is lost");
        Some(Remedy { how, effect })
    }

    /// Bounds the packets in flight by mailboxes, where a parameter can ask for them.
    fn mailbox(&self, around: &Surroundings, tool: &Tool) -> Option<Remedy> {
        let packets = self.packets_enough().filter(|_| around.could_have_mailboxes)?;
        let how = tool.set(around.network_parameter.as_ref()?, &format!("inbox:{packets}"));
        let effect = format!(
            "bounds the packets: each node has a mailbox for {packets}, and a full one loses its oldest"
        );
        Some(Remedy { how, effect })
    }

    /// Prunes the worlds that have more of it.
    fn prune(&self) -> Option<Remedy> {
        let half = (self.most / 2).max(1);
        let most = match self.quantity {
            // A number may begin large.
            Quantity::Number { .. } => half,
            _ => half.min(PRUNED_MAX),
        };
        let is_more = match &self.quantity {
            Quantity::Packets { from, to } => {
                let (from, to) = (node_number(from)?, node_number(to)?);
                format!(
                    "world.packets().filter(|it| (it.from, it.to) == (NodeId({from}), NodeId({to}))).count() > {most}"
                )
            }
            Quantity::Elements { path } if self.is_read_by_fields => {
                format!("{}.len() > {most}", in_world(path)?)
            }
            Quantity::Number { path } if self.is_read_by_fields => {
                format!("{} > {most}", in_world(path)?)
            }
            _ => return None,
        };
        Some(Remedy {
            how: format!(".prune(\"more than {most}\", |world| {is_more})"),
            effect: "does not look behind worlds with more: what lies there stays unknown"
                .to_owned(),
        })
    }

    /// Leaves it out of the state.
    fn ignore(&self) -> Option<Remedy> {
        let path = match &self.quantity {
            Quantity::Elements { path }
            | Quantity::Number { path }
            | Quantity::Characters { path } => path,
            _ => return None,
        };
        let field = path.split(['[', ' ']).next()?.rsplit_once('.')?.1;
        if node_number(path.split('.').next()?).is_none() || field.parse::<u32>().is_ok() {
            return None;
        }
        Some(Remedy {
            how: format!("{field}: Ignored<…>"),
            effect: format!(
                "if `{path}` decides nothing, such as statistics: states that differ only there are one"
            ),
        })
    }
}

/// The number of a node: of `n3`, 3.
fn node_number(node: &str) -> Option<u32> {
    node.strip_prefix('n')?.parse().ok()
}

/// The code that reads a field of a node in a world, where the path says it all.
fn in_world(path: &str) -> Option<String> {
    let (node, rest) = match path.split_once('.') {
        Some((node, field)) => (node, format!(".{field}")),
        None => (path, String::new()),
    };
    let dereference = if rest.is_empty() { "*" } else { "" };
    Some(format!("{dereference}world.node(NodeId({})){rest}", node_number(node)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(quantity: Quantity, cause: Option<&str>) -> Growth {
        let cause = cause.map(str::to_owned);
        let (most, is_read_by_fields) = (14, true);
        let (depth, more, every, kind) = (9, 2, 3, None);
        let trend = Trend { quantity, most, depth, more, every, kind, cause, is_read_by_fields };
        Growth { depth: 9, states: 100, is_judged: true, trends: vec![trend] }
    }

    fn packets() -> Quantity {
        Quantity::Packets { from: "n0".to_owned(), to: "n1".to_owned() }
    }

    fn how(growth: &Growth, around: &Surroundings, tool: &Tool) -> Vec<String> {
        growth.remedies(around, tool, Some(9)).into_iter().map(|remedy| remedy.how).collect()
    }

    #[test]
    fn packets_are_bounded_by_mailboxes_capacities_timeouts_and_depth() {
        let around = Surroundings::new("fifo", "unlimited", [], false, []);
        let grown = growth(packets(), Some("timer@0:Resend"));
        let timeouts = ".timeouts_of(\"timer@0:Resend\", Budget::AtMost(2))";
        assert_eq!(how(&grown, &around, &Tool::Test), [".capacity(4)", timeouts, ".max_depth(9)"]);

        let parameters = [("network", "fifo"), ("capacity", "unlimited")];
        let around = Surroundings::new("fifo", "unlimited", [], false, parameters);
        let set = [("network", "fifo"), ("name", "it's")];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
        let tool = Tool::Command { check: "everypath check arq".to_owned(), set };
        let commands = how(&grown, &around, &tool);
        let command = r"everypath check arq --set 'name=it'\''s' --set network=inbox:4";
        assert_eq!(commands[0], command);
        assert!(commands[1].ends_with(" --set capacity=4"), "{commands:?}");
    }

    #[test]
    fn packets_of_bounded_links_are_pruned() {
        let grown = growth(packets(), None);
        for (network, capacity) in [("inbox:9", "unlimited"), ("fifo", "9:oldest")] {
            let around = Surroundings::new(network, capacity, [], true, [("n", "9")]);
            let prune = ".prune(\"more than 7\", |world| world.packets().filter(|it| (it.from, it.to) == (NodeId(0), NodeId(1))).count() > 7)";
            assert_eq!(how(&grown, &around, &Tool::Test), [prune, ".max_depth(9)"]);
        }
    }

    #[test]
    fn faults_that_make_it_grow_get_a_budget() {
        let faults = [("duplicate", "duplication", "unlimited"), ("lose", "loss", "2")];
        let faults = faults.map(|(event, method, budget)| (event, method, budget.to_owned()));
        let around = Surroundings::new("inbox:9", "unlimited", faults, true, []);
        let of = |cause| how(&growth(packets(), Some(cause)), &around, &Tool::Test);
        assert_eq!(of("duplicate@1:Data")[0], ".duplication(Budget::AtMost(2))");
        assert!(of("lose@1:Data")[0].starts_with(".prune"), "two losses are few");
        assert!(of("timer@1")[0].starts_with(".prune"), "timers have a budget");
    }

    #[test]
    fn parameters_are_known_by_whole_words() {
        let faults = [
            ("lose", "loss"),
            ("link-down", "link_failure"),
            ("link-up", "link_return"),
            ("reboot", "reboot"),
        ];
        let faults = faults.map(|(event, method)| (event, method, "9".to_owned()));
        let names = ["lossy", "link-returns", "link_failure", "losses", "reboot-wait"];
        let parameters = names.map(|name| (name, "9"));
        let around = Surroundings::new("fifo", "9", faults, true, parameters);
        let found: Vec<_> = around.faults.iter().map(|it| it.parameter.as_deref()).collect();
        assert_eq!(found, [Some("losses"), Some("link_failure"), Some("link-returns"), None]);
    }

    #[test]
    fn fields_are_read_as_code_where_the_path_allows_it() {
        let number = |path: &str| growth(Quantity::Number { path: path.to_owned() }, None);
        let first = |path| how(&number(path), &Surroundings::default(), &Tool::Test).remove(0);
        assert_eq!(
            first("n2.next_id"),
            ".prune(\"more than 7\", |world| world.node(NodeId(2)).next_id > 7)"
        );
        assert_eq!(first("n2"), ".prune(\"more than 7\", |world| *world.node(NodeId(2)) > 7)");
        assert_eq!(first("reads"), ".max_depth(9)", "an observer is no node");
    }

    #[test]
    fn what_is_within_a_list_can_be_ignored_with_it() {
        let mut grown = growth(Quantity::Number { path: "n2.log[…].term".to_owned() }, None);
        grown.trends[0].is_read_by_fields = false;
        assert_eq!(
            how(&grown, &Surroundings::default(), &Tool::Test),
            ["log: Ignored<…>", ".max_depth(9)"]
        );
    }
}
